// Compiler.h - from the text of a program to CUDA C and what a launch must know.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_COMPILER_COMPILER_H
#define TILE_COMPILER_COMPILER_H

#include "dialects/Simt/SimtOps.h"
#include "dialects/Tile/TileOps.h"
#include "tile/Compiler/Explain.h"
#include "tile/Compiler/Pipeline.h"
#include "tile/Runtime/KernelInfo.h"
#include "tile/Support/Result.h"
#include "tile/Support/SourceText.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>
#include <vector>

namespace tile {

/// A text to compile.
struct Source {
  std::string text;
  /// The file it came from, as errors name it.
  std::string file = "<text>";
  /// Values of the `$NAME`s of the text.
  Definitions definitions;
};

/// Reads a file, or the standard input for "-".
Result<Source> readSource(const std::string &file, Definitions definitions);

/// How a program is compiled.
struct CompileSettings : PipelineSettings {
  /// Only this kernel; empty: all.
  std::string kernel;
  /// `#line` directives in the CUDA text.
  bool lineDirectives = false;
  /// Fill `CompiledProgram::explanations`.
  bool explain = false;
};

/// What came out of the pipeline. Belongs to the `Program` it was made from, which must outlive it.
struct CompiledProgram {
  /// The final simt kernels.
  mlir::OwningOpRef<mlir::ModuleOp> simt;
  /// CUDA C; every variant of every kernel.
  std::string cuda;
  /// One a tile kernel, in the order of the text; empty for a text that holds simt kernels.
  std::vector<runtime::KernelInfo> kernels;
  /// One a tile kernel, if asked for.
  std::vector<Explanation> explanations;

  /// The simt kernel behind a variant of `kernels`.
  simt::KernelOp variantKernel(const runtime::KernelInfo &info, size_t variant);
};

/// A parsed and verified program: tile kernels, or simt kernels on their last step.
class Program {
public:
  /// Checks the nesting of the text, replaces its `$NAME`s, parses and verifies.
  ///
  /// The message of an error is what a compiler prints: `file:line:column: error: …`, the line of the source, and
  /// notes.
  static Result<Program> parse(const Source &source);

  mlir::ModuleOp module() { return *tiles; }
  std::vector<KernelOp> kernels();

  /// The kernel of that name; without a name, the only one.
  Result<KernelOp> findKernel(const std::string &name);

  /// Runs the pipeline on a copy and emits CUDA C. Text of simt kernels goes straight to the emitter.
  Result<CompiledProgram> compile(const CompileSettings &settings);

private:
  Program() = default;
  Result<mlir::OwningOpRef<mlir::ModuleOp>> selectKernels(const CompileSettings &settings);

  // Order matters: the module goes before its context.
  std::shared_ptr<struct ProgramContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> tiles;
};

/// What a launch of `kernel` must know.
///
/// \param kernel    the tile kernel before lowering.
/// \param variants  its simt kernels after the pipeline, in rank order.
/// \param entries   their names in the CUDA text.
runtime::KernelInfo buildKernelInfo(KernelOp kernel, llvm::ArrayRef<simt::KernelOp> variants,
                                    llvm::ArrayRef<std::string> entries);

/// An affine expression over launch values. \pre dims only, positive constant divisors.
runtime::Expr toExpr(mlir::AffineExpr expr);

/// "file:line:col" behind a location; "-" where there is none.
std::string placeOf(mlir::Location loc);

} // namespace tile

#endif // TILE_COMPILER_COMPILER_H
