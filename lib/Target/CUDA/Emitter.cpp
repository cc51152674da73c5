// Emitter.cpp - all kernels of a module as one text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Target/CUDA/Emitter.h"

#include "Helpers.h"
#include "KernelEmitter.h"
#include "Names.h"

#include "dialects/Simt/SimtOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tile::cuda {

/// Names the kernels; `names` then holds everything a kernel's own names must avoid.
static std::vector<std::string> takeKernelNames(ModuleOp module, NameScope &names) {
  std::vector<std::string> out;
  for (auto kernel : module.getOps<simt::KernelOp>())
    out.push_back(names.take(kernel.getSymName(), "kernel"));
  return out;
}

std::vector<std::string> kernelNames(ModuleOp module) {
  NameScope names;
  return takeKernelNames(module, names);
}

LogicalResult emitCuda(ModuleOp module, llvm::raw_ostream &os, const EmitOptions &options) {
  NameScope names;
  std::vector<std::string> kernels = takeKernelNames(module, names);
  llvm::SetVector<StringRef> helpers;
  std::string text;
  size_t number = 0;
  for (Operation &op : *module.getBody()) {
    auto kernel = dyn_cast<simt::KernelOp>(op);
    if (!kernel)
      return op.emitError() << "'" << op.getName() << "' stands beside simt kernels; only they have a form in CUDA C";
    KernelEmitter emitter(kernel, kernels[number++], names, helpers, options);
    FailureOr<std::string> function = emitter.emit();
    if (failed(function))
      return failure();
    text += (text.empty() ? "" : "\n") + *function;
  }
  os << defineHelpers(helpers) << text;
  return success();
}

} // namespace tile::cuda
