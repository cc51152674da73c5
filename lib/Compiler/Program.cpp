// Program.cpp - the text of a program: nesting, names, parsing, verification.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Compiler/Compiler.h"

#include "ProgramContext.h"

#include "mlir/Parser/Parser.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace tile {

static DialectRegistry allDialects() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

ProgramContext::ProgramContext() : mlir(allDialects(), MLIRContext::Threading::DISABLED) {
  mlir.printOpOnDiagnostic(false);
}

void ProgramContext::enableRemarks() {
  remarks.clear();
  if (!hasRemarks)
    collectRemarks(mlir, remarks);
  hasRemarks = true;
}

Result<Source> readSource(const std::string &file, Definitions definitions) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (std::error_code error = buffer.getError())
    return Error{"cannot read '" + file + "': " + error.message()};
  return Source{(*buffer)->getBuffer().str(), file == "-" ? "<stdin>" : file, std::move(definitions)};
}

static Error textError(const Source &source, const TextError &error) {
  return Error{source.file + ":" + std::to_string(error.line) + ":" + std::to_string(error.column) +
               ": error: " + error.message};
}

/// What is done to the text before MLIR sees it.
static Result<std::string> prepare(const Source &source) {
  if (StringRef(source.text).starts_with("ML\xefR"))
    return Error{source.file + ": error: found MLIR bytecode; a program is text"};
  if (std::optional<TextError> error = checkNesting(source.text))
    return textError(source, *error);
  std::string text;
  if (std::optional<TextError> error = substitute(source.text, source.definitions, text))
    return textError(source, *error);
  // A value may hold brackets of its own.
  if (std::optional<TextError> error = checkNesting(text))
    return textError(source, *error);
  return text;
}

Result<Program> Program::parse(const Source &source) {
  Result<std::string> text = prepare(source);
  if (!text)
    return text.fault();
  Program program;
  program.context = std::make_shared<ProgramContext>();
  program.context->sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(*text, source.file), SMLoc());
  CapturedDiagnostics diagnostics(*program.context);
  program.tiles = parseSourceFile<ModuleOp>(program.context->sources, &program.context->mlir);
  if (!program.tiles)
    return Error{diagnostics.text(source.file + ": error: the text was refused without a reason")};
  if (program.tiles->getOps<KernelOp>().empty() && program.tiles->getOps<simt::KernelOp>().empty())
    return Error{source.file + ":1:1: error: found no kernel; a program holds at least one tile.kernel"};
  return program;
}

std::vector<KernelOp> Program::kernels() {
  auto range = tiles->getOps<KernelOp>();
  return std::vector<KernelOp>(range.begin(), range.end());
}

Result<KernelOp> Program::findKernel(const std::string &name) {
  std::vector<KernelOp> all = kernels();
  std::string names;
  for (KernelOp kernel : all) {
    if (kernel.getSymName() == name)
      return kernel;
    names += (names.empty() ? "'" : ", '") + kernel.getSymName().str() + "'";
  }
  if (all.empty())
    return Error{"found no tile.kernel; a launch needs one"};
  if (!name.empty())
    return Error{"found no kernel '" + name + "'; the program has " + names};
  if (all.size() > 1)
    return Error{"found " + std::to_string(all.size()) + " kernels, " + names + "; name one"};
  return all.front();
}

} // namespace tile
