// tile-translate.cpp - a program as CUDA C, or as what a launch must know.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Compiler/Compiler.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

#include <chrono>

using namespace tile;
namespace cl = llvm::cl;

namespace {
enum class Form { Cuda, KernelInfo };

struct CommandLine {
  cl::opt<Form> form{cl::desc("What is written:"),
                     cl::values(clEnumValN(Form::Cuda, "tile-to-cuda",
                                           "CUDA C: the whole pipeline, or the last step for simt kernels"),
                                clEnumValN(Form::KernelInfo, "kernel-info", "What a launch must know of each kernel")),
                     cl::Required};
  cl::opt<std::string> input{cl::Positional, cl::desc("<file>"), cl::init("-")};
  cl::opt<std::string> output{"o", cl::desc("Where it is written"), cl::value_desc("file"), cl::init("-")};
  cl::list<std::string> definitions{"D", cl::Prefix, cl::value_desc("NAME=value"),
                                    cl::desc("Replaces $NAME in the text by the value")};
  cl::opt<std::string> arch{"arch", cl::desc("Architecture the kernels are for"), cl::init("sm_90a")};
  cl::opt<std::string> kernel{"kernel", cl::desc("Only this kernel")};
  cl::opt<bool> checked{"checked", cl::desc("Trap where the language forbids")};
  cl::opt<bool> lines{"line-directives", cl::desc("Write #line directives")};
  cl::opt<bool> time{"time", cl::desc("Print the milliseconds from text to result to the standard error")};
};
} // namespace

static Result<std::string> translate(const CommandLine &line) {
  Definitions definitions;
  for (const std::string &given : line.definitions) {
    std::optional<std::pair<std::string, std::string>> definition = parseDefinition(given);
    if (!definition)
      return Error{"found '-D " + given + "'; expected -D NAME=value"};
    definitions.insert_or_assign(definition->first, definition->second);
  }
  Result<Source> source = readSource(line.input, std::move(definitions));
  if (!source)
    return source.fault();
  auto begin = std::chrono::steady_clock::now();
  Result<Program> program = Program::parse(*source);
  if (!program)
    return program.fault();
  CompileSettings settings;
  settings.arch = line.arch;
  settings.kernel = line.kernel;
  settings.checked = line.checked;
  settings.lineDirectives = line.lines;
  Result<CompiledProgram> compiled = program->compile(settings);
  if (!compiled)
    return compiled.fault();
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  if (line.time)
    llvm::errs() << llvm::format("%.2f ms\n", took.count());
  if (line.form == Form::Cuda)
    return compiled->cuda;
  if (compiled->kernels.empty())
    return Error{"found simt kernels only; --kernel-info needs tile kernels"};
  std::string text;
  for (const runtime::KernelInfo &info : compiled->kernels)
    text += info.serialize();
  return text;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialized(argc, argv);
  CommandLine line;
  cl::ParseCommandLineOptions(argc, argv, "Tessera translation driver\n");
  Result<std::string> text = translate(line);
  if (!text) {
    bool hasPlace = text.error().find("error: ") != std::string::npos;
    llvm::errs() << (hasPlace ? "" : "error: ") << text.error() << '\n';
    return 1;
  }
  std::error_code error;
  llvm::ToolOutputFile file(line.output, error, llvm::sys::fs::OF_None);
  if (error) {
    llvm::errs() << "error: cannot write '" << line.output << "': " << error.message() << '\n';
    return 1;
  }
  file.os() << *text;
  file.keep();
  return 0;
}
