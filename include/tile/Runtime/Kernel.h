// Kernel.h - a compiled kernel, loaded on a device and ready to be launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_RUNTIME_KERNEL_H
#define TILE_RUNTIME_KERNEL_H

#include "tile/Runtime/Driver.h"
#include "tile/Runtime/Launch.h"
#include "tile/Runtime/Nvrtc.h"

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tile::runtime {

/// A cubin and what a launch must know; needs no GPU to exist.
struct CompiledKernel {
  KernelInfo info;
  std::string cubin;
  std::string arch;
  std::string nvrtcVersion;
  std::string log;
  LogFacts facts;
  /// Index of the candidate that was taken.
  int64_t candidate = 0;
  /// Why each candidate before it was not, one sentence each.
  std::vector<std::string> rejected;
  bool isFromCache = false;
  /// Why the cache could not be written, said once a `Toolkit`; else empty.
  std::string cacheNote;
};

/// A kernel on a device. Launched from any number of threads at once.
class Kernel {
public:
  /// Loads the cubin, and sets for each variant the dynamic shared memory it will be launched with.
  static Result<std::shared_ptr<const Kernel>> load(std::shared_ptr<const Device> device, CompiledKernel compiled);
  ~Kernel();

  const KernelInfo &info() const { return compiled.info; }
  const CompiledKernel &compiledKernel() const { return compiled; }

  /// The launch these arguments would make.
  Result<LaunchPlan> plan(std::span<const Argument> arguments) const;

  /// Checks the arguments and launches, in the order of `stream`; returns before the kernel has run. A grid without
  /// blocks is success. Blocks may take their places while the stream's last kernel still runs; they touch memory when
  /// it has ended (`LaunchPlan::mayOverlap`).
  Status launch(StreamHandle stream, std::span<const Argument> arguments) const;
  Status launch(StreamHandle stream, std::initializer_list<Argument> arguments) const {
    return launch(stream, std::span<const Argument>(arguments.begin(), arguments.size()));
  }

  /// Launches what `plan` returned, checking nothing again: for loops that measure.
  Status launch(StreamHandle stream, const LaunchPlan &plan) const;

private:
  Kernel() = default;
  Status loadVariant(Variant &variant);
  Status checkPointers(std::span<const Argument> arguments) const;

  std::shared_ptr<const Device> device;
  CompiledKernel compiled;
  void *module = nullptr;
  std::vector<void *> functions;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_KERNEL_H
