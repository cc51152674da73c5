// Compiler.cpp - tile programs through the pipeline to CUDA C, kernel descriptions and the report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Compiler/Compiler.h"

#include "ProgramContext.h"
#include "tile/Analysis/AccessReport.h"
#include "tile/Target/CUDA/Emitter.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tile {

/// "sm_90a" and the like; code is made for compute capability 8.0 and newer.
static Status checkArch(StringRef arch) {
  StringRef number = arch;
  int value = 0;
  bool isArch = number.consume_front("sm_") && !number.consumeInteger(10, value) &&
                (number.empty() || number == "a" || number == "f");
  if (!isArch || value < 80 || value > 999)
    return Error{"unknown architecture '" + arch.str() + "'; found by name are sm_80 and newer, such as sm_90a",
                 ErrorKind::Environment};
  return okStatus();
}

Result<OwningOpRef<ModuleOp>> Program::selectKernels(const CompileSettings &settings) {
  OwningOpRef<ModuleOp> copy = tiles->clone();
  if (settings.kernel.empty())
    return copy;
  Result<KernelOp> chosen = findKernel(settings.kernel);
  if (!chosen)
    return chosen.fault();
  for (KernelOp kernel : llvm::make_early_inc_range(copy->getOps<KernelOp>()))
    if (kernel.getSymName() != settings.kernel)
      kernel.erase();
  return copy;
}

/// The simt kernels made from `source`, in rank order, and their names in the text.
static SmallVector<simt::KernelOp> variantsOf(ModuleOp module, StringRef source) {
  SmallVector<simt::KernelOp> variants;
  for (simt::KernelOp kernel : module.getOps<simt::KernelOp>())
    if (kernel.getSource() == source)
      variants.push_back(kernel);
  return variants;
}

simt::KernelOp CompiledProgram::variantKernel(const runtime::KernelInfo &info, size_t variant) {
  return variantsOf(*simt, info.name)[variant];
}

static Explanation explain(const runtime::KernelInfo &info, simt::KernelOp kernel, const CompileSettings &settings,
                           ArrayRef<CollectedRemark> remarks) {
  Explanation explanation;
  explanation.kernel = info.name;
  explanation.arch = settings.arch;
  explanation.threads = info.threads;
  explanation.sharedBytes = kernel.getSharedBytes().value_or(0);
  addRemarks(remarks, explanation);
  return explanation;
}

static void describeKernels(ModuleOp tiles, const CompileSettings &settings, ProgramContext &context,
                            CompiledProgram &compiled) {
  SmallVector<simt::KernelOp> all(compiled.simt->getOps<simt::KernelOp>());
  std::vector<std::string> names = cuda::kernelNames(*compiled.simt);
  for (KernelOp kernel : tiles.getOps<KernelOp>()) {
    SmallVector<simt::KernelOp> variants = variantsOf(*compiled.simt, kernel.getSymName());
    if (variants.empty())
      continue;
    std::vector<std::string> entries;
    for (simt::KernelOp variant : variants)
      entries.push_back(names[llvm::find(all, variant) - all.begin()]);
    compiled.kernels.push_back(buildKernelInfo(kernel, variants, entries));
    if (!settings.explain)
      continue;
    // The fastest variant is the one a reader wants to know about.
    reportAccesses(variants.front());
    compiled.explanations.push_back(explain(compiled.kernels.back(), variants.front(), settings, context.remarks));
  }
}

Result<CompiledProgram> Program::compile(const CompileSettings &settings) {
  if (Status arch = checkArch(settings.arch); !arch)
    return arch.fault();
  Result<OwningOpRef<ModuleOp>> module = selectKernels(settings);
  if (!module)
    return module.fault();
  if (settings.explain)
    context->enableRemarks();
  CapturedDiagnostics diagnostics(*context);
  CompiledProgram compiled;
  OwningOpRef<ModuleOp> before = (*module)->clone();
  compiled.simt = std::move(*module);
  if (!before->getOps<KernelOp>().empty()) {
    PassManager manager(&context->mlir);
    addPipeline(manager, settings);
    if (failed(manager.run(*compiled.simt)))
      return Error{diagnostics.text("error: the pipeline failed without a reason")};
  }
  llvm::raw_string_ostream text(compiled.cuda);
  cuda::EmitOptions options;
  options.lineDirectives = settings.lineDirectives;
  if (failed(cuda::emitCuda(*compiled.simt, text, options)))
    return Error{diagnostics.text("error: the program has no CUDA form, and no reason was given")};
  describeKernels(*before, settings, *context, compiled);
  return compiled;
}

} // namespace tile
