// Arguments.h - sizes and tensors for one launch, from the command line, files and random numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TOOLS_TILE_RUN_ARGUMENTS_H
#define TILE_TOOLS_TILE_RUN_ARGUMENTS_H

#include "Options.h"
#include "tile/Runtime/KernelInfo.h"
#include "tile/Runtime/Launch.h"
#include "tile/Support/HostTensor.h"
#include "tile/Support/Npy.h"

#include <functional>
#include <optional>
#include <vector>

namespace tile::run {

/// What a kernel is launched with.
struct Arguments {
  /// Values of the size symbols.
  std::vector<int64_t> symbols;
  /// Symbols, then index arguments: what the expressions of a `KernelInfo` speak of.
  std::vector<int64_t> launchValues;
  std::vector<HostArgument> values;

  /// The same with storage of its own; tensors that share storage still do.
  Arguments clone() const;
};

/// Makes the arguments. Errors: unknown names, sizes that are missing or disagree, files that do not fit.
Result<Arguments> makeArguments(const runtime::KernelInfo &info, const Options &options);

/// How large a launch is.
struct LaunchSize {
  int64_t blocks = 0;
  int64_t bytes = 0; ///< of all tensors, once each
};

/// The same without making the tensors; nothing where a size is missing or wrong.
std::optional<LaunchSize> launchSize(const runtime::KernelInfo &info, const Options &options);

/// The arguments as a launch sees them: `address` gives where a storage begins.
std::vector<runtime::Argument> launchArguments(const runtime::KernelInfo &info, const Arguments &arguments,
                                               const std::function<uint64_t(size_t storage)> &address);

/// The distinct storages, in the order of the arguments.
std::vector<std::shared_ptr<std::vector<std::byte>>> storagesOf(const Arguments &arguments);

/// Calls `visit` with the offset of every element, in row-major order.
void forEachElement(const HostTensor &tensor, const std::function<void(int64_t elementOffset)> &visit);

/// Reads a file whose array must fit `type`; the error names the argument and both types.
Result<NpyArray> readArray(const std::string &file, const runtime::ArgumentInfo &argument);

/// "1000x64"; "scalar" for rank 0.
std::string shapeText(const std::vector<int64_t> &shape);

} // namespace tile::run

#endif // TILE_TOOLS_TILE_RUN_ARGUMENTS_H
