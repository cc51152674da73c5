// Machine.h - the state of a run: a block, its warps, the memories.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_SIMULATOR_MACHINE_H
#define TILE_LIB_SIMULATOR_MACHINE_H

#include "lib/Simulator/Count.h"
#include "lib/Simulator/Program.h"
#include "lib/Simulator/Shadow.h"
#include "lib/Simulator/Tensors.h"

#include <bit>

namespace tile::simt {

/// What all warps share.
struct Machine {
  const Program &program;
  const Binding &binding;
  const SimulatorOptions &options;
  SimulatorResult &result;
  int64_t stepsLeft = 0;
  std::array<int64_t, 3> block = {0, 0, 0};
  std::vector<std::byte> shared;
  Shadow sharedShadow;
  std::vector<Shadow> globalShadows; ///< one a storage
  Clocks clocks;
  /// Of each 4 bytes of shared memory: 1 + the thread whose asynchronous move has not arrived, or 0; how many are not
  /// 0.
  std::vector<uint16_t> flying;
  int64_t numFlying = 0;

  Machine(const Program &program, const Binding &binding, const SimulatorOptions &options, SimulatorResult &result);
  /// Records the first fault. Always returns false, so that an instruction can end with it.
  bool fail(mlir::Operation *op, int64_t thread, const llvm::Twine &message);
};

/// A warp: 32 lanes, one place in the program, a stack of masks.
class Warp {
public:
  enum class State : uint8_t { Ready, Waiting, Done, Failed };

  Warp(Machine &machine, int number, int64_t threads);

  /// Back to the first instruction, for the present block of the machine.
  void begin();
  /// Runs until the warp waits, ends, fails, or has executed `budget` instructions.
  State run(int64_t budget);
  /// Lets a waiting warp go on.
  void release() {
    ++pc;
    state = State::Ready;
  }

  State state = State::Ready;
  int number;
  /// The instruction it executes next; the barrier while it waits.
  int32_t place() const { return pc; }

private:
  struct Frame {
    uint32_t outer;   ///< the mask before it was opened
    uint32_t waiting; ///< lanes of the other branch
    uint32_t opened;  ///< step
    bool isLoop;
  };

  void fillFixed();

  // Control. Each returns false after a fault.
  bool execute(const Inst &inst);
  bool compute(const Inst &inst);
  void copy(const Inst &inst);
  bool branch(const Inst &inst);
  bool forStart(const Inst &inst);
  void forTest(const Inst &inst);
  bool forNext(const Inst &inst);
  bool shuffle(const Inst &inst);
  bool assertion(const Inst &inst);
  bool check(const Inst &inst);
  void print(const Inst &inst);
  bool barrier(const Inst &inst);
  bool failDivergent(const Inst &inst, llvm::StringRef what, llvm::StringRef whose);
  void keepOnly(uint32_t lanes, int32_t otherwise);
  uint32_t trueLanes(int32_t slot) const;

  // Memory (Memory.cpp).
  bool load(const Inst &inst);
  bool store(const Inst &inst);
  bool move(const Inst &inst);
  bool atomic(const Inst &inst);
  bool await();
  void fresh(const Inst &inst);
  /// Where the bytes of a side lie: of lane l, address a, at first + l * stride + a.
  struct Window {
    std::byte *first;
    int64_t stride;
    std::byte *at(int lane, int64_t address) const { return first + lane * stride + address; }
  };
  Window windowOf(const Side &side);
  /// Checks bounds and alignment, counts; addresses are bytes from the start of the storage, arena or array.
  bool locate(const Inst &inst, const Side &side, int32_t bytes, Addresses &addresses, bool isAtomic);
  uint32_t addressGlobal(const Side &side, int32_t bytes, Addresses &addresses) const;
  uint32_t addressArray(const Side &side, int32_t bytes, Addresses &addresses) const;
  bool failOutside(const Inst &inst, const Side &side, int32_t bytes, int lane);
  bool failMisaligned(const Inst &inst, const Side &side, int32_t bytes, int lane, int64_t address);
  template <typename Word> bool loadLanes(const Inst &inst, const Side &side, const Addresses &addresses);
  template <typename Word> bool storeLanes(const Inst &inst, const Side &side, const Addresses &addresses);

  // Races (Races.cpp).
  /// True if the bytes hold something, and no unordered thread wrote them.
  bool noteReads(const Inst &inst, const Side &side, int32_t bytes, const Addresses &addresses);
  bool noteRead(const Inst &inst, const Side &side, Cell &cell, const Stamp &now, int64_t at);
  /// Notes one lane's write, before it happens; `data` are the bytes.
  bool noteWrite(const Inst &inst, const Side &side, int32_t bytes, int lane, int64_t address, const void *data,
                 bool isAtomic);
  void forgetPadding(const Access &access, int lane, int64_t from, int64_t to);
  /// True if none of the bytes is still on its way.
  bool hasArrived(const Inst &inst, const Side &side, int32_t bytes, int lane, int64_t address);
  void takeOff(const Inst &inst, const Addresses &to);
  void land(int64_t address, int32_t bytes);
  bool failUnwritten(const Inst &inst, const Side &side, const Addresses &addresses, uint32_t lanes);
  bool checkWrite(const Inst &inst, const Side &side, int lane, int64_t at, const Cell &cell, const void *data,
                  int64_t offset, bool isAtomic);
  Shadow *shadowOf(const Side &side);
  Stamp stamp(const Inst &inst, int lane, bool isAtomic) const;
  bool isOrdered(const Stamp &before, int lane) const;
  bool race(const Inst &inst, const Side &side, int lane, int64_t address, const Stamp &other, bool writes,
            bool otherWrote);

  Lanes &slot(int32_t number) { return slots[number]; }
  int64_t threadOf(int lane) const { return number * 32 + lane; }
  bool fail(const Inst &inst, int lane, const llvm::Twine &message) {
    return machine.fail(inst.op, lane < 0 ? -1 : threadOf(lane), message);
  }
  /// Calls `body` for each active lane.
  template <typename Body> void forActive(Body body) const {
    if (mask == ~0u) {
      for (int lane = 0; lane < 32; ++lane)
        body(lane);
      return;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
      body(std::countr_zero(rest));
  }

  Machine &machine;
  uint32_t existing; ///< lanes that a thread occupies
  uint32_t mask = 0;
  int32_t pc = 0;
  uint32_t step = 0;
  int depth = 0;
  std::vector<Frame> frames;
  std::vector<Lanes> slots;
  std::vector<Lanes> scratch; ///< of `copy`
  std::vector<std::byte> arrays;
  std::vector<uint8_t> arrayIsWritten; ///< one a byte
  struct Flight {
    const Inst *inst;
    uint32_t lanes;
    Addresses to;
  };
  std::vector<Flight> flights; ///< asynchronous moves that these lanes have not awaited
};

} // namespace tile::simt

#endif // TILE_LIB_SIMULATOR_MACHINE_H
