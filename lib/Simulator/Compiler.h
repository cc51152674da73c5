// Compiler.h - flattens structured control flow into warp instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_SIMULATOR_COMPILER_H
#define TILE_LIB_SIMULATOR_COMPILER_H

#include "lib/Simulator/Program.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile::simt {

/// Compiles one kernel. Slots are handed out as values are defined and taken back after their last use; a value of a
/// region never outlives the op that holds the region.
class Compiler {
public:
  explicit Compiler(KernelOp kernel) { program.kernel = kernel; }

  std::variant<Program, Fault> run();

private:
  // Slots.
  int32_t newSlot();
  int32_t define(mlir::Value value);
  int32_t slotOf(mlir::Value value) const { return slots.lookup(value); }
  int32_t fixedSlot(FixedSlot::Kind kind, uint64_t value);
  void release(int32_t slot);
  void releaseDead(mlir::Block &block, mlir::Operation &op);
  void releaseBlock(mlir::Block &block);
  void resolveFixed();

  // Instructions.
  int32_t emit(Inst inst);
  int32_t emit(Code code, mlir::Operation *op, std::array<int32_t, 3> slots = {-1, -1, -1}, int32_t target = -1);
  void emitCopy(mlir::Operation *op, mlir::ValueRange from, llvm::ArrayRef<int32_t> to);
  int32_t here() const { return static_cast<int32_t>(program.insts.size()); }
  void openFrame();
  void closeFrame() { --depth; }

  // Each returns false after setting `fault`.
  bool compileBlock(mlir::Block &block);
  bool compileOp(mlir::Operation &op);
  bool compileControl(mlir::Operation &op);
  bool compileIf(mlir::scf::IfOp op);
  bool compileFor(mlir::scf::ForOp op);
  bool compileWhile(mlir::scf::WhileOp op);
  bool compileScalar(mlir::Operation &op);
  bool compileConstant(mlir::Operation &op);
  bool compileAffine(mlir::affine::AffineApplyOp op);
  int32_t compileExpr(mlir::affine::AffineApplyOp op, mlir::AffineExpr expr, int32_t result, bool &isTemporary);
  bool compileConvert(ConvertOp op);
  bool compileShuffle(ShuffleOp op);
  bool compileOutput(mlir::Operation &op, Code code, int32_t condition, mlir::ValueRange values);
  bool refuse(mlir::Operation *op, const llvm::Twine &message);

  // Memory.
  bool bindArguments();
  bool compileStorage(mlir::Operation &op);
  bool placeShared();
  bool compileArray(mlir::Operation &op);
  bool compileView(ViewOp op);
  bool compileAccess(mlir::Operation &op);
  bool compileAtomic(AtomicOp op, Access &access);
  bool compileSide(Side &side, mlir::Operation *op, mlir::Value memory, mlir::Value index, bool store, int64_t bytes);
  void noteGranule(const Buffer &buffer);

  Program program;
  std::optional<Fault> fault;
  llvm::DenseMap<mlir::Value, int32_t> slots;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
  llvm::SmallVector<int32_t> freeSlots;
  llvm::DenseMap<uint64_t, int32_t> constants;
  int32_t numVariable = 0;
  int depth = 0;
};

} // namespace tile::simt

#endif // TILE_LIB_SIMULATOR_COMPILER_H
