// Report.cpp - code and reports, without a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report.h"

#include "Arguments.h"
#include "tile/Layout/CostModel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tile::run {

static Status writeFile(const std::string &file, const std::string &bytes) {
  if (file.empty() || file == "-") {
    llvm::outs() << bytes;
    return okStatus();
  }
  std::error_code error;
  llvm::raw_fd_ostream stream(file, error);
  if (error)
    return Error{"cannot write '" + file + "': " + error.message()};
  stream << bytes;
  stream.close();
  if (!stream.has_error())
    return okStatus();
  std::string message = stream.error().message();
  stream.clear_error();
  return Error{"cannot write '" + file + "': " + message, ErrorKind::Environment};
}

static std::string simtText(CompiledProgram &program) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  program.simt->print(stream, mlir::OpPrintingFlags().printNameLocAsPrefix());
  return text;
}

static Result<runtime::CompileOutput> compileText(const CompiledProgram &program, runtime::Toolkit &toolkit,
                                                  const std::string &arch, bool wantPtx) {
  Result<std::shared_ptr<const runtime::Nvrtc>> nvrtc = toolkit.nvrtc();
  if (!nvrtc)
    return nvrtc.fault();
  runtime::CompileOptions options;
  options.arch = arch;
  options.wantPtx = wantPtx;
  return (*nvrtc)->compile(program.cuda, options);
}

Status emitCode(const Options &options, CompiledProgram &program, runtime::Toolkit &toolkit, const std::string &arch) {
  if (options.emit == "cuda")
    return writeFile(options.output, program.cuda);
  if (options.emit == "simt")
    return writeFile(options.output, simtText(program));
  Result<runtime::CompileOutput> output = compileText(program, toolkit, arch, options.emit == "ptx");
  if (!output)
    return output.fault();
  return writeFile(options.output, output->image);
}

Status printExplanation(const Options &options, CompiledProgram &program, runtime::Toolkit &toolkit,
                        const std::string &arch, const runtime::Device *device) {
  DeviceSize deviceSize;
  if (device)
    deviceSize = {device->properties().multiprocessors, device->properties().l2Bytes};
  // Without NVRTC its figures are unknown; that is no error of a report.
  Result<runtime::CompileOutput> output = compileText(program, toolkit, arch, /*wantPtx=*/false);
  for (size_t i = 0; i < program.explanations.size(); ++i) {
    Explanation &explanation = program.explanations[i];
    const runtime::KernelResources *resources =
        output ? output->facts.find(program.kernels[i].variants.front().entry) : nullptr;
    if (resources)
      explanation.setResources(resources->registers, resources->spillStoreBytes + resources->spillLoadBytes);
    if (std::optional<LaunchSize> size = launchSize(program.kernels[i], options))
      explanation.setLaunch(size->blocks, size->bytes, deviceSize);
    if (options.explain == Options::Report::Json)
      llvm::outs() << llvm::formatv("{0:2}", explanation.toJson()) << '\n';
    else
      explanation.print(llvm::outs());
  }
  llvm::outs().flush();
  return okStatus();
}

void printConstants(llvm::raw_ostream &os) {
  llvm::json::Array constants;
  for (const NamedConstant &constant : namedConstants())
    constants.push_back(llvm::json::Object{{"name", llvm::StringRef(constant.name)},
                                           {"value", constant.value},
                                           {"unit", llvm::StringRef(constant.unit)},
                                           {"meaning", llvm::StringRef(constant.meaning)}});
  llvm::json::Value all = llvm::json::Object{{"constants", std::move(constants)}};
  os << llvm::formatv("{0:2}", all) << '\n';
}

} // namespace tile::run
