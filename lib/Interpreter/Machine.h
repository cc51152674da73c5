// Machine.h - executes a prepared kernel, block after block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_INTERPRETER_MACHINE_H
#define TILE_LIB_INTERPRETER_MACHINE_H

#include "lib/Interpreter/Program.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace tile {

/// The state of a run.
///
/// A scalar is a row of lanes. Outside `parallel` a lane is a thread, and every operation runs for all threads whose
/// bit is set in the mask before the next one begins. Inside, there is one lane, the present point, and the body runs
/// once a point. The same handlers serve both.
class TileMachine {
public:
  using Mask = llvm::SmallVector<uint64_t, 16>;

  TileMachine(const TileProgram &program, const InterpreterOptions &options);

  /// Takes over the values of a launch, after checking them.
  llvm::LogicalResult bind(llvm::ArrayRef<int64_t> symbols, llvm::ArrayRef<HostArgument> arguments);
  llvm::LogicalResult runGrid();

  std::optional<Fault> fault;

  // Handlers, one a kind of operation (Elements.cpp, Tiles.cpp, Rows.cpp, Control.cpp).
  llvm::LogicalResult runScalar(const TileInstruction &inst);
  llvm::LogicalResult runThreadId(const TileInstruction &inst);
  llvm::LogicalResult runDim(const TileInstruction &inst);
  llvm::LogicalResult runApply(const TileInstruction &inst);
  llvm::LogicalResult runLoad(const TileInstruction &inst);
  llvm::LogicalResult runStore(const TileInstruction &inst);
  llvm::LogicalResult runAtomic(const TileInstruction &inst);
  llvm::LogicalResult runAssert(const TileInstruction &inst);
  llvm::LogicalResult runSync(const TileInstruction &inst);
  llvm::LogicalResult runAlloc(const TileInstruction &inst);
  llvm::LogicalResult runReinterpret(const TileInstruction &inst);
  llvm::LogicalResult runSlice(const TileInstruction &inst);
  llvm::LogicalResult runCopy(const TileInstruction &inst);
  llvm::LogicalResult runFill(const TileInstruction &inst);
  llvm::LogicalResult runReduce(const TileInstruction &inst);
  llvm::LogicalResult runArgReduce(const TileInstruction &inst);
  llvm::LogicalResult runScan(const TileInstruction &inst);
  llvm::LogicalResult runPrint(const TileInstruction &inst);
  llvm::LogicalResult runLoop(const TileInstruction &inst);
  llvm::LogicalResult runParallel(const TileInstruction &inst);
  llvm::LogicalResult runIf(const TileInstruction &inst);
  llvm::LogicalResult runFor(const TileInstruction &inst);
  llvm::LogicalResult runWhile(const TileInstruction &inst);

private:
  // Faults: all return failure.
  llvm::LogicalResult raise(mlir::Location loc, const llvm::Twine &text);
  llvm::LogicalResult raise(const TileInstruction &inst, const llvm::Twine &text, int64_t lane = -1);
  llvm::LogicalResult raiseOutOfRange(const TileInstruction &inst, const BufferView &view, const int64_t *index,
                                      int64_t lane);
  llvm::LogicalResult raiseConflict(const TileInstruction &inst, const BufferView &view, const int64_t *index,
                                    Touch touch, const Conflict &conflict);
  std::string pointText(uint32_t point) const;

  // Launch.
  llvm::LogicalResult bindTensor(int64_t number, const HostArgument &argument);
  llvm::LogicalResult bindScalar(int64_t number, const HostArgument &argument);
  llvm::LogicalResult checkShape(int64_t number, const HostTensor &tensor);
  llvm::LogicalResult checkStorage(int64_t number, const HostTensor &tensor);
  llvm::LogicalResult checkWhere();
  llvm::LogicalResult runBlock(llvm::ArrayRef<int64_t> block);

  // Lanes.
  llvm::LogicalResult run(const TileBody &body);
  llvm::LogicalResult runUnder(const TileBody &body, const Mask &active);
  llvm::LogicalResult countSteps(const TileInstruction &inst, int64_t count);
  bool isAny(const Mask &active) const;
  bool isFull() const;
  int64_t firstLane() const;
  void fillRow(int slot, uint64_t bits);
  /// Copies rows to rows, all at once, in the lanes of `active`.
  void assign(llvm::ArrayRef<int> to, llvm::ArrayRef<int> from, const Mask &active);
  llvm::LogicalResult runLoopFrom(const TileInstruction &inst, size_t dim, const Mask &active,
                                  llvm::ArrayRef<llvm::SmallVector<int64_t>> extents);
  llvm::LogicalResult checkBlockWide(const TileInstruction &inst);
  llvm::LogicalResult checkCaptures(const TileInstruction &inst);
  llvm::LogicalResult runPoints(const TileInstruction &inst, llvm::ArrayRef<int64_t> extents);

  template <typename Function> llvm::LogicalResult forEachLane(Function function) {
    for (size_t word = 0; word < mask.size(); ++word)
      for (uint64_t bits = mask[word]; bits; bits &= bits - 1)
        if (failed(function(static_cast<int64_t>(64 * word + llvm::countr_zero(bits)))))
          return llvm::failure();
    return llvm::success();
  }

  // Brackets.
  llvm::LogicalResult evaluate(const TileInstruction &inst, const AffineSums &map, int64_t lane,
                               llvm::SmallVectorImpl<int64_t> &values);
  /// The same for a block-wide operation: all threads must agree.
  llvm::LogicalResult evaluateUniform(const TileInstruction &inst, const AffineSums &map,
                                      llvm::SmallVectorImpl<int64_t> &values);

  // Memory.
  const BufferView &view(int number, int64_t lane) const {
    const auto &perLane = views[number];
    return perLane.size() == 1 ? perLane.front() : perLane[lane];
  }
  bool isUniform(int number) const { return views[number].size() == 1; }
  BufferView blankView(const TileInstruction &inst) const;
  /// Reads one element; `exists` is false, and `bits` untouched, for a global element out of range.
  llvm::LogicalResult read(const TileInstruction &inst, const BufferView &view, const int64_t *index, int64_t lane,
                           uint64_t &bits, bool &exists);
  llvm::LogicalResult readAt(const TileInstruction &inst, const BufferView &view, int64_t at, const int64_t *index,
                             int64_t lane, Touch touch, uint64_t &bits);
  /// Where to write; nothing for a global element out of range.
  llvm::LogicalResult locateTarget(const TileInstruction &inst, const BufferView &view, const int64_t *index,
                                   int64_t lane, std::optional<int64_t> &at);
  void writeAt(const BufferView &view, int64_t at, uint64_t bits);
  llvm::LogicalResult touch(const TileInstruction &inst, const BufferView &view, int64_t at, const int64_t *index,
                            Touch kind);
  llvm::LogicalResult resolveShape(const TileInstruction &inst, const BufferView &source, BufferView &result);
  llvm::LogicalResult defineViews(const TileInstruction &inst, bool isPerLane,
                                  llvm::function_ref<llvm::LogicalResult(int64_t, BufferView &)> define);

  // Tiles.
  llvm::LogicalResult copyTile(const TileInstruction &inst, llvm::ArrayRef<int64_t> sourceStarts,
                               llvm::ArrayRef<int64_t> targetStarts, int64_t lane);
  llvm::LogicalResult copyElement(const TileInstruction &inst, const BufferView &source, const int64_t *from,
                                  const BufferView &target, const int64_t *to, int64_t lane);
  llvm::LogicalResult fillTile(const TileInstruction &inst, int64_t lane);
  llvm::LogicalResult reduceRow(const TileInstruction &inst, llvm::ArrayRef<int64_t> targetIndex);
  llvm::LogicalResult readTile(const TileInstruction &inst, std::vector<uint64_t> &elements);
  llvm::LogicalResult writeTile(const TileInstruction &inst, const BufferView &target,
                                llvm::ArrayRef<uint64_t> elements);
  void printTile(const BufferView &view, int64_t lane);

  const TileProgram &program;
  const InterpreterOptions &options;
  LaneSlots slots;
  std::vector<llvm::SmallVector<BufferView, 1>> views;
  std::map<int, Storage> tiles;                              ///< by number of the view the allocation defines
  std::map<std::vector<std::byte> *, Storage> globals;       ///< tensors that alias share one
  std::vector<std::shared_ptr<std::vector<std::byte>>> kept; ///< keeps the storages of the launch alive
  llvm::SmallVector<int64_t, 3> block;
  int64_t steps = 0;

  Mask mask;     ///< of the lanes that execute
  int64_t lanes; ///< threads, or 1 inside `parallel`
  const TileInstruction *parallel = nullptr;
  llvm::SmallVector<int64_t, 4> extents; ///< of the present `parallel`
  uint32_t point = 0;
  uint64_t epoch = 0;
};

} // namespace tile

#endif // TILE_LIB_INTERPRETER_MACHINE_H
