// tile-opt.cpp - MLIR's opt driver with our dialects and passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Simt/SimtOps.h"
#include "dialects/Tile/TileOps.h"
#include "tile/Analysis/LayoutInference.h"
#include "tile/Support/SourceText.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static void setDefault(StringRef name, bool value) {
  if (llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name))
    static_cast<llvm::cl::opt<bool> *>(option)->setInitialValue(value);
}

/// Prints values by the names the user gave them, and errors without the generic form of the op, unless the command
/// line says otherwise.
static void setDefaults() {
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  setDefault("mlir-use-nameloc-as-prefix", true);
  setDefault("mlir-print-op-on-diagnostic", false);
}

static LogicalResult reportText(StringRef file, const tile::TextError &error) {
  llvm::errs() << (file == "-" ? "<stdin>" : file) << ':' << error.line << ':' << error.column
               << ": error: " << error.message << '\n';
  return failure();
}

/// Checks the text and replaces its `$NAME`s; the buffer keeps its name, so errors name the user's file.
static LogicalResult prepareBuffer(StringRef file, ArrayRef<std::string> arguments,
                                   std::unique_ptr<llvm::MemoryBuffer> &buffer) {
  tile::Definitions definitions;
  for (StringRef argument : arguments) {
    auto definition = tile::parseDefinition(argument);
    if (!definition) {
      llvm::errs() << "error: -D " << argument << " is no definition; write -D NAME=value\n";
      return failure();
    }
    definitions.insert_or_assign(definition->first, definition->second);
  }
  if (isBytecode(buffer->getMemBufferRef()))
    return success();
  std::string text;
  if (auto error = tile::prepareText(buffer->getBuffer(), definitions, text))
    return reportText(file, *error);
  buffer = llvm::MemoryBuffer::getMemBufferCopy(text, buffer->getBufferIdentifier());
  return success();
}

static LogicalResult run(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<tile::TileDialect, tile::simt::SimtDialect, affine::AffineDialect, arith::ArithDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect>();
  tile::registerLayoutRules(registry);
  tile::registerTilePasses();
  registerTransformsPasses();
  setDefaults();
  llvm::cl::list<std::string> definitions("D", llvm::cl::Prefix, llvm::cl::value_desc("NAME=value"),
                                          llvm::cl::desc("Replaces $NAME in the text by the value"));
  auto [inputName, outputName] = registerAndParseCLIOptions(argc, argv, "Tessera optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return MlirOptMain(argc, argv, inputName, outputName, registry);

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &message);
  if (!input) {
    llvm::errs() << message << '\n';
    return failure();
  }
  std::vector<std::string> given(definitions.begin(), definitions.end());
  if (failed(prepareBuffer(inputName, given, input)))
    return failure();
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputName, &message);
  if (!output) {
    llvm::errs() << message << '\n';
    return failure();
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialized(argc, argv);
  return asMainReturnCode(run(argc, argv));
}
