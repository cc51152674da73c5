// KernelEmitter.h - prints one simt kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_TARGET_CUDA_KERNELEMITTER_H
#define TILE_LIB_TARGET_CUDA_KERNELEMITTER_H

#include "Names.h"
#include "ScalarText.h"

#include "dialects/Simt/SimtOps.h"
#include "tile/Evaluate/Evaluate.h"
#include "tile/Target/CUDA/Emitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace tile::cuda {

/// Walks the kernel once, top to bottom: every op becomes a statement, or an expression that a later op prints.
///
/// A pure value is kept as an expression if it is a constant, or if its one use stands in the same block and the text
/// stays short; anything else gets a name. A load is kept only if nothing but expressions stands between it and the
/// statement that prints it: a store might change what it reads. Loop-carried values are C
/// variables that only the end of their loop assigns, so an expression over them stays true to the end of its block.
class KernelEmitter {
public:
  KernelEmitter(simt::KernelOp kernel, llvm::StringRef name, NameScope names, llvm::SetVector<llvm::StringRef> &helpers,
                const EmitOptions &options)
      : kernel(kernel), kernelName(name), names(std::move(names)), text(helpers), options(options) {}

  /// The whole function, or failure after an error at the op that has no CUDA form.
  mlir::FailureOr<std::string> emit();

private:
  /// A buffer: its C name, and whether it is a pointer to const.
  struct Buffer {
    std::string name;
    bool isConst = false;
  };

  // Kernel.cpp: the frame.
  void countUses(mlir::Block &block);
  void countOperands(mlir::Operation *op);
  mlir::LogicalResult emitSignature();
  mlir::FailureOr<std::string> declareParameter(unsigned number);
  mlir::LogicalResult emitBlockIds();
  mlir::LogicalResult emitArena();
  mlir::LogicalResult emitBody(mlir::Block &body);
  mlir::LogicalResult emitVersions(simt::SplitOp split);
  void emitLanes();

  // KernelEmitter.cpp: expressions and how they become statements.
  mlir::LogicalResult emitBlock(mlir::Block &block) { return emitOps(block); }
  mlir::LogicalResult emitOps(llvm::iterator_range<mlir::Block::iterator> ops);
  mlir::LogicalResult emitOp(mlir::Operation *op);
  mlir::LogicalResult emitPure(mlir::Operation *op);
  mlir::FailureOr<Expr> expression(mlir::Operation *op);
  mlir::FailureOr<Expr> scalarExpression(mlir::Operation *op);
  Expr constant(mlir::TypedAttr value);
  bool isKeptInline(mlir::Operation *op, const Expr &expr);
  bool isLoadKeptInline(simt::LoadOp load);
  /// The name of a value the user gave none.
  llvm::StringRef shortName(mlir::Operation *op) const;
  /// Prints `const T name = expr;` and makes `value` that name.
  void define(mlir::Value value, const Expr &expr, llvm::StringRef fallback);

  // Statements.cpp: storage, accesses, threads.
  mlir::LogicalResult emitStorage(mlir::Operation *op);
  mlir::LogicalResult emitShared(simt::SharedOp op);
  mlir::LogicalResult emitView(simt::ViewOp op);
  mlir::LogicalResult emitLoad(simt::LoadOp op);
  mlir::LogicalResult emitStore(simt::StoreOp op);
  mlir::LogicalResult emitMove(simt::MoveOp op);
  mlir::LogicalResult emitHold(simt::HoldOp op);
  mlir::LogicalResult emitAtomic(simt::AtomicOp op);
  mlir::FailureOr<Expr> atomicCall(simt::AtomicOp op, ScalarType type, const std::string &place, const Expr &value);
  Expr shuffle(simt::ShuffleOp op, ScalarType type);
  mlir::LogicalResult emitPrint(simt::PrintOp op);
  mlir::LogicalResult emitCheck(simt::CheckOp op);
  mlir::LogicalResult checkWritable(mlir::Operation *op, mlir::Value buffer);

  // ControlFlow.cpp
  mlir::LogicalResult emitFor(mlir::scf::ForOp op);
  mlir::LogicalResult emitIf(mlir::scf::IfOp op);
  mlir::LogicalResult emitWhile(mlir::scf::WhileOp op);
  /// The variables of a loop, in order; an empty name is a value nobody reads.
  mlir::FailureOr<llvm::SmallVector<std::string>> declareCarried(mlir::scf::ForOp op);
  mlir::FailureOr<llvm::SmallVector<std::string>> declareForwarded(mlir::scf::WhileOp op);
  /// Declares a variable that changes; `initial` may be empty.
  mlir::FailureOr<std::string> declareVariable(mlir::Location loc, mlir::Type type, llvm::StringRef wanted,
                                               llvm::StringRef fallback, llvm::StringRef initial);
  /// All at once, as MLIR means it: `a = b; b = a;` goes through a temporary.
  void assign(llvm::ArrayRef<std::string> targets, mlir::ValueRange sources);

  // Small things.
  mlir::FailureOr<ScalarType> typeOf(mlir::Operation *op, mlir::Type type);
  /// Empty for the few operands whose value cannot matter.
  Expr expr(mlir::Value value) const { return values.lookup(value); }
  const Buffer &buffer(mlir::Value value) const { return buffers.find(value)->second; }
  /// `A[i]`, and `&A[i]`.
  std::string element(mlir::Value memref, mlir::Value index) const;
  std::string address(mlir::Value memref, mlir::Value index) const;
  bool isUsed(mlir::Value value) const { return uses.lookup(value) != 0; }
  std::string nameFor(mlir::Value value, llvm::StringRef fallback);
  void line(const llvm::Twine &statement);
  void place(mlir::Location loc);

  simt::KernelOp kernel;
  std::string kernelName;
  NameScope names;
  ScalarText text;
  const EmitOptions &options;

  std::string out;
  unsigned indent = 0;
  unsigned loopDepth = 0;
  std::string lanesText; ///< the mask of existing lanes of a warp, for shuffles

  llvm::DenseMap<mlir::Value, unsigned> uses;
  llvm::DenseSet<mlir::Operation *> dead;
  llvm::StringSet<> loadedNames; ///< the user's names of loads from memory
  llvm::DenseMap<mlir::Value, Expr> values;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
};

/// A location's file and line, or nothing.
std::optional<std::pair<llvm::StringRef, unsigned>> fileAndLine(mlir::Location loc);

/// Text that cannot end or continue a `//` comment.
std::string commentText(llvm::StringRef text);

/// The inside of a C string literal.
std::string escaped(llvm::StringRef text);

} // namespace tile::cuda

#endif // TILE_LIB_TARGET_CUDA_KERNELEMITTER_H
