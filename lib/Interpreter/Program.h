// TileProgram.h - a kernel made ready to run: every value has a slot, every operation knows what to call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_INTERPRETER_PROGRAM_H
#define TILE_LIB_INTERPRETER_PROGRAM_H

#include "lib/Interpreter/Memory.h"
#include "tile/Evaluate/Evaluate.h"
#include "tile/Interpreter/Interpreter.h"
#include "tile/Support/Identity.h"

#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/DenseMap.h"

namespace tile {

class TileMachine;
struct TileInstruction;

/// Runs one instruction; failure means that the machine holds a fault.
using TileHandler = llvm::LogicalResult (TileMachine::*)(const TileInstruction &);

/// The scalars of a run, a row of `lanes` values a slot.
struct LaneSlots {
  std::vector<uint64_t> values;
  int64_t lanes = 1;

  uint64_t *row(int slot) { return values.data() + slot * lanes; }
  const uint64_t *row(int slot) const { return values.data() + slot * lanes; }
};

/// An affine expression over slots: a constant, multiples of slots, and multiples of what is not linear.
class AffineSum {
public:
  /// \param slots  of the dims, then of the symbols of the map.
  static AffineSum build(mlir::AffineExpr expr, llvm::ArrayRef<int> slots, unsigned numDims);

  /// The value for one lane, wrapping at 64 bits; nothing where a divisor is not positive.
  std::optional<int64_t> evaluate(const LaneSlots &slots, int64_t lane) const;

private:
  struct Term;
  void add(mlir::AffineExpr expr, int64_t factor, llvm::ArrayRef<int> slots, unsigned numDims);

  int64_t constant = 0;
  llvm::SmallVector<std::pair<int, int64_t>, 2> linear;
  std::vector<Term> terms;
};

/// `factor * (lhs kind rhs)`.
struct AffineSum::Term {
  mlir::AffineExprKind kind;
  int64_t factor;
  AffineSum lhs, rhs;
};

using AffineSums = llvm::SmallVector<AffineSum, 2>;

/// A region: its arguments, its instructions, and what its terminator passes on.
struct TileBody {
  std::vector<TileInstruction> instructions;
  llvm::SmallVector<int> arguments;
  llvm::SmallVector<int> yields;
  int condition = -1; ///< of scf.condition
};

/// One operation. Scalars are slots of lanes; buffers are numbers of views.
struct TileInstruction {
  mlir::Operation *op = nullptr;
  TileHandler run = nullptr;
  llvm::SmallVector<int, 4> operands, results;
  int buffer = -1;           ///< the buffer of load, store, atomic, fill; the source of copy, reduce, slice
  int target = -1;           ///< the other one
  int secondTarget = -1;     ///< where argreduce writes indices
  AffineSums map, targetMap; ///< brackets: one sum a dimension
  std::optional<ScalarFunction> scalar;
  LaneFunction function = nullptr; ///< what an atomic combines with, how a copy converts
  ScalarType type = ScalarType::Index;
  uint64_t bits = 0;        ///< pad, value of a fill
  bool isBlockWide = false; ///< must be reached by all threads, and runs once
  Reduction reduction = Reduction::Sum;
  std::optional<ReductionRule> rule;
  std::vector<TileBody> bodies;
  std::vector<std::pair<int, mlir::Value>> captures, capturedViews; ///< parallel: values from outside
  std::array<bool, 5> writes = {};                                  ///< parallel: the spaces its body writes
};

/// A kernel made ready.
struct TileProgram {
  KernelOp kernel;
  int numSlots = 0, numViews = 0;
  llvm::SmallVector<int> symbols, blockIds;
  llvm::SmallVector<std::pair<bool, int>> arguments; ///< (is a buffer, its number)
  AffineSums grid, where;
  std::vector<AffineSums> argumentShapes; ///< empty where none is written
  int64_t granuleBytes = 8;               ///< the smallest element: what touch maps count in
  TileBody body;
};

/// Makes a kernel ready, or says what in it the interpreter does not know.
std::optional<Fault> prepareKernel(KernelOp kernel, TileProgram &program);

} // namespace tile

#endif // TILE_LIB_INTERPRETER_PROGRAM_H
