// Toolkit.h - CUDA text to a kernel on a device: NVRTC, cache and driver, each opened when first needed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_RUNTIME_TOOLKIT_H
#define TILE_RUNTIME_TOOLKIT_H

#include "tile/Runtime/Cache.h"
#include "tile/Runtime/Driver.h"
#include "tile/Runtime/Kernel.h"
#include "tile/Runtime/Nvrtc.h"

#include <mutex>
#include <optional>
#include <span>
#include <string>

namespace tile::runtime {

/// One CUDA text, and the kernel in it.
struct Candidate {
  std::string text;
  KernelInfo info;
};

/// Compiles and loads kernels. Used from any thread; nothing is opened before it is asked for.
class Toolkit {
public:
  explicit Toolkit(SearchPaths paths) : paths(std::move(paths)) {}

  /// Opens on the first call; every later call gives the same answer.
  Result<std::shared_ptr<const Nvrtc>> nvrtc();
  Result<std::shared_ptr<const Driver>> driver();

  /// Compiles the candidates in rank order and takes the first without spills and without C75xx notices; if none is
  /// clean, the one with the fewest notices, then the fewest spilled bytes. What was taken is remembered in the cache.
  Result<CompiledKernel> compile(std::span<const Candidate> candidates, const CompileOptions &options);
  Result<CompiledKernel> compile(const Candidate &candidate, const CompileOptions &options) {
    return compile(std::span<const Candidate>(&candidate, 1), options);
  }

private:
  SearchPaths paths;
  std::mutex mutex;
  std::optional<Result<std::shared_ptr<const Nvrtc>>> openNvrtc;
  std::optional<Result<std::shared_ptr<const Driver>>> openDriver;
  bool hasNotedCache = false;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_TOOLKIT_H
