// Preparer.h - walks a kernel once and fills a program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_INTERPRETER_PREPARER_H
#define TILE_LIB_INTERPRETER_PREPARER_H

#include "lib/Interpreter/Machine.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tile {

/// Walks a kernel once and fills a program.
class Preparer {
public:
  explicit Preparer(TileProgram &program) : program(program) {}

  llvm::LogicalResult prepareKernel(KernelOp kernel);
  std::optional<Fault> fault;

private:
  llvm::LogicalResult raise(mlir::Operation *op, const llvm::Twine &text);
  llvm::LogicalResult prepareLaunch(KernelOp kernel);
  llvm::LogicalResult prepareBody(mlir::Block &block, TileBody &body);
  llvm::LogicalResult prepareTerminator(mlir::Operation *op, TileBody &body);
  llvm::LogicalResult prepareOp(mlir::Operation *op, TileInstruction &inst);
  llvm::LogicalResult prepareTileOp(mlir::Operation *op, TileInstruction &inst);
  llvm::LogicalResult prepareControl(mlir::Operation *op, TileInstruction &inst);
  llvm::LogicalResult prepareScalar(mlir::Operation *op, TileInstruction &inst);
  llvm::LogicalResult prepareDim(mlir::memref::DimOp op, TileInstruction &inst);
  llvm::LogicalResult prepareLoad(LoadOp op, TileInstruction &inst);
  llvm::LogicalResult prepareStore(StoreOp op, TileInstruction &inst);
  llvm::LogicalResult prepareAtomic(AtomicOp op, TileInstruction &inst);
  llvm::LogicalResult prepareAlloc(mlir::Operation *op, TileInstruction &inst);
  llvm::LogicalResult prepareViewLike(mlir::Operation *op, TileHandler handler, TileInstruction &inst);
  llvm::LogicalResult prepareCopy(CopyOp op, TileInstruction &inst);
  llvm::LogicalResult prepareFill(FillOp op, TileInstruction &inst);
  llvm::LogicalResult prepareReduce(ReduceOp op, TileInstruction &inst);
  llvm::LogicalResult prepareArgReduce(ArgReduceOp op, TileInstruction &inst);
  llvm::LogicalResult prepareScan(ScanOp op, TileInstruction &inst);
  llvm::LogicalResult rule(mlir::Operation *op, llvm::StringRef word, mlir::MemRefType source, TileInstruction &inst);
  llvm::LogicalResult preparePrint(PrintOp op, TileInstruction &inst);
  llvm::LogicalResult prepareLoop(LoopOpInterface op, TileInstruction &inst);
  llvm::LogicalResult prepareParallel(ParallelOp op, TileInstruction &inst);

  llvm::LogicalResult slotsOf(mlir::Operation *op, mlir::ValueRange values, llvm::SmallVectorImpl<int> &slots);
  llvm::LogicalResult buffer(mlir::Operation *op, mlir::Value value, int &number);
  llvm::LogicalResult bracket(mlir::Operation *op, mlir::AffineMap map, mlir::ValueRange operands, AffineSums &sums);
  llvm::LogicalResult literal(mlir::Operation *op, mlir::Attribute attribute, TileInstruction &inst);
  llvm::LogicalResult blockWide(mlir::Operation *op, TileInstruction &inst, bool isBlockWide = true);
  bool isOutsideParallel(mlir::Value value) const;

  TileProgram &program;
  llvm::DenseMap<mlir::Value, int> scalarNumbers, viewNumbers;
  mlir::Operation *parallelOp = nullptr;
  TileInstruction *parallel = nullptr;
};

/// A type as messages quote it: "'f32'".
std::string quoted(mlir::Type type);

} // namespace tile

#endif // TILE_LIB_INTERPRETER_PREPARER_H
