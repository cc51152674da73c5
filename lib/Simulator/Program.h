// Program.h - a simt kernel as a flat list of warp instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_SIMULATOR_PROGRAM_H
#define TILE_LIB_SIMULATOR_PROGRAM_H

#include "dialects/Simt/SimtOps.h"
#include "tile/Evaluate/Evaluate.h"
#include "tile/Simulator/Simulator.h"
#include "tile/Support/ScalarOps.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tile::simt {

// Structured control flow becomes jumps and a stack of masks, so that a warp can stop after any instruction and go on
// later. A value lives in a *slot*: 32 words, one a lane. Instructions that define an SSA value write all 32 lanes,
// also those that are switched off: such a lane has left the region the value lives in, so it can never read it. Only
// `Copy` (results of scf.if, arguments carried by loops) must keep to the mask.

/// One word a lane.
using Lanes = std::array<uint64_t, 32>;

enum class Code : uint8_t {
  Compute,   ///< result = function(slots[0 .. operands))
  Copy,      ///< copies[target], all at once, under the mask
  If,        ///< opens a frame; lanes where slots[0] is false wait; none left: to target
  Else,      ///< the waiting lanes; none: to target
  EndIf,     ///< closes the frame
  Loop,      ///< opens a frame
  ForStart,  ///< slots[0] (induction variable) = slots[1] under the mask; slots[2], the step, must be positive
  ForTest,   ///< lanes where slots[0] < slots[1] stay; none: to target
  ForNext,   ///< slots[0] += slots[1] under the mask; to target
  WhileTest, ///< lanes where slots[0] is true stay; none: to target
  Jump,      ///< to target
  EndLoop,   ///< closes the frame
  Fresh,     ///< the array `target` holds nothing any more
  Load,      ///< result = accesses[target]
  Store,     ///< accesses[target] = slots[0]
  Move,      ///< accesses[target]
  Atomic,    ///< result, if any = old value of accesses[target], which is combined with slots[0]
  Shuffle,   ///< result = slots[0] of the lane that slots[1] and the mode in `target` say
  Barrier,
  Await,  ///< until what the lane moves asynchronously has arrived
  Assert, ///< slots[0]
  Check,  ///< slots[0]; copies[target]: the slots to show
  Print,  ///< copies[target]: the slots to print
  End
};

struct Inst {
  Code code = Code::End;
  uint8_t operands = 0;
  ScalarType type = ScalarType::Index; ///< of slots[0]
  bool isUnsigned = false;             ///< of a loop's comparison
  std::array<int32_t, 3> slots = {-1, -1, -1};
  int32_t result = -1;
  int32_t target = -1;
  LaneFunction function = nullptr;
  mlir::Operation *op = nullptr;
};

struct CopyPair {
  int32_t from, to;
};

/// A buffer, reduced to bytes of the storage that holds it.
struct Buffer {
  Space space = Space::Other;
  int32_t root = 0;      ///< global: number of the tensor parameter; register and local: of the array
  int64_t base = 0;      ///< bytes from the start of the root to element 0
  int64_t elements = -1; ///< -1: unknown (global)
  ScalarType type = ScalarType::I8;
};

/// One side of an access.
struct Side {
  Buffer buffer;
  int32_t index = -1; ///< slot
  ScalarType indexType = ScalarType::Index;
  int32_t count = -1; ///< entry of `Program::accesses`; -1 for registers and private arrays
};

struct Access {
  Side from, to; ///< load: from; store and atomic: to; move: both
  int32_t bytes = 0;
  bool isAsync = false;
  bool isPadded = false; ///< may bring what nobody has written
};

/// A parameter that is a tensor: which argument it points to.
struct TensorParameter {
  int64_t argument = 0;
  ScalarType type = ScalarType::I8;
  bool isWritten = false;
  int granule = 16; ///< bytes; every view of it has elements and offsets that are multiples of this
};

/// A register or private array of each thread.
struct Array {
  int64_t bytes = 0;  ///< a multiple of 16
  int64_t offset = 0; ///< where it begins in a thread's arrays
};

/// A slot that holds one value in every lane of every warp from the start of a block on.
struct FixedSlot {
  enum Kind : uint8_t { Constant, ThreadId, BlockId, Parameter } kind;
  uint64_t value; ///< the constant, the grid axis, or the number of the parameter
  bool operator==(const FixedSlot &) const = default;
};

struct Program {
  KernelOp kernel;
  std::vector<Inst> insts;
  std::vector<std::vector<CopyPair>> copies;
  std::vector<std::vector<ScalarType>> printTypes; ///< parallel to `copies`; empty but for prints and checks
  std::vector<Access> accesses;
  std::vector<AccessCount> counts;
  std::vector<TensorParameter> tensors;
  std::vector<Array> arrays;
  int64_t arrayBytes = 0; ///< of one thread
  std::vector<FixedSlot> fixed;
  int32_t firstFixed = 0;    ///< slots before are variable
  int32_t firstConstant = 0; ///< slots from here on are constants: equal in all lanes
  int32_t numSlots = 0;
  int64_t sharedBytes = 0;
  int sharedGranule = 16; ///< bytes; every access of shared memory is made of aligned pieces of this size
  int maxDepth = 0;       ///< open frames
};

/// Flattens a kernel; a fault if it holds what the simulator does not know.
std::variant<Program, Fault> compileProgram(KernelOp kernel);

} // namespace tile::simt

#endif // TILE_LIB_SIMULATOR_PROGRAM_H
