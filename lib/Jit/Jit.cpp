// Jit.cpp - joins compiler and runtime: text to a kernel that can be launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Jit/Jit.h"

#include "tile/Compiler/Compiler.h"

namespace tile::jit {

static std::shared_ptr<runtime::Toolkit> toolkitOf(const Options &options) {
  return options.toolkit ? options.toolkit : std::make_shared<runtime::Toolkit>(runtime::SearchPaths());
}

Result<std::shared_ptr<const runtime::Device>> openDevice(runtime::Toolkit &toolkit, int ordinal) {
  Result<std::shared_ptr<const runtime::Driver>> driver = toolkit.driver();
  if (!driver)
    return driver.fault();
  return (*driver)->device(ordinal);
}

/// Text to CUDA C and what a launch must know.
static Result<runtime::Candidate> toCandidate(std::string_view text, const Options &options) {
  Result<Program> program = Program::parse({std::string(text), options.file, options.definitions});
  if (!program)
    return program.fault();
  Result<KernelOp> kernel = program->findKernel(options.kernel);
  if (!kernel)
    return kernel.fault();
  CompileSettings settings;
  settings.arch = options.arch;
  settings.checked = options.checked;
  settings.kernel = kernel->getSymName().str();
  Result<CompiledProgram> compiled = program->compile(settings);
  if (!compiled)
    return compiled.fault();
  return runtime::Candidate{std::move(compiled->cuda), std::move(compiled->kernels.front())};
}

Result<runtime::CompiledKernel> compileToCubin(std::string_view text, const Options &options) {
  Result<runtime::Candidate> candidate = toCandidate(text, options);
  if (!candidate)
    return candidate.fault();
  runtime::CompileOptions compileOptions;
  compileOptions.arch = options.arch;
  return toolkitOf(options)->compile(*candidate, compileOptions);
}

Result<std::shared_ptr<const runtime::Kernel>> compile(std::string_view text, const Options &options,
                                                       std::shared_ptr<const runtime::Device> device) {
  Options forDevice = options;
  if (forDevice.arch.empty())
    forDevice.arch = device->properties().arch();
  Result<runtime::CompiledKernel> compiled = compileToCubin(text, forDevice);
  if (!compiled)
    return compiled.fault();
  return runtime::Kernel::load(std::move(device), std::move(*compiled));
}

} // namespace tile::jit
