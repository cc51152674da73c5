// SmallMachine.h - runs simt kernels on integers only, thread by thread, and writes down what happens.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TEST_UNIT_TRANSFORMS_SMALLMACHINE_H
#define TILE_TEST_UNIT_TRANSFORMS_SMALLMACHINE_H

#include "dialects/Simt/SimtOps.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <string>
#include <vector>

namespace tile::test {

/// One access, or one printed number, of one thread.
struct Event {
  enum Kind { Read, Write, Print } kind;
  int64_t epoch;  ///< barriers passed before
  int64_t number; ///< byte in the arena, or in the buffer, or what was printed
  int64_t width;
  mlir::Value buffer;             ///< of global and unplaced accesses; null in the arena
  std::vector<int64_t> site = {}; ///< the operation and the trips of the loops around it
};

/// An independent evaluator: exact integers, checked against the width of every operation.
class SmallMachine {
public:
  explicit SmallMachine(simt::KernelOp kernel) : kernel(kernel) {}

  /// Runs one thread. `arguments` are the values of integer arguments, in order.
  std::vector<Event> run(int64_t thread, std::vector<int64_t> arguments);

  /// Whether an operation left its width: then the input is no execution (64 bits), or the kernel is wrong (32 bits).
  bool left64 = false, left32 = false;

private:
  void runBlock(mlir::Block &block);
  void runOp(mlir::Operation &op);
  void runFor(mlir::Operation &op);
  void access(mlir::Value buffer, mlir::Value index, int64_t width, Event::Kind kind, mlir::Operation &op);
  __int128 evaluate(mlir::Operation &op);
  __int128 evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> operands);
  void set(mlir::Value value, __int128 number);
  int64_t get(mlir::Value value) { return values.at(value.getAsOpaquePointer()); }

  simt::KernelOp kernel;
  int64_t thread = 0, epoch = 0;
  std::map<void *, int64_t> values;
  std::vector<Event> events;
  std::vector<int64_t> trips;
};

/// Parses a module with the dialects of simt kernels loaded; null, with the errors printed, if it does not parse.
mlir::OwningOpRef<mlir::ModuleOp> parse(mlir::MLIRContext &context, const std::string &text);

/// Runs passes, named as on the command line of tile-opt.
bool runPasses(mlir::ModuleOp module, const std::string &pipeline);

/// A kernel around `body`, with `%t` the thread, `%bx` the block, and `parameters` after `%X: memref<?xf32>`.
std::string kernelText(const std::string &body, int threads, int indexParameters = 0);

simt::KernelOp onlyKernel(mlir::ModuleOp module);

/// Whether two threads touch one byte between two barriers, one of them writing, in two executions of operations: what
/// one execution does to itself no barrier changes.
bool hasRace(const std::vector<std::vector<Event>> &threads);

} // namespace tile::test

#endif // TILE_TEST_UNIT_TRANSFORMS_SMALLMACHINE_H
