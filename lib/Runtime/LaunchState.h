// LaunchState.h - the arguments of one launch, read against a kernel's description.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_RUNTIME_LAUNCHSTATE_H
#define LIB_RUNTIME_LAUNCHSTATE_H

#include "tile/Runtime/Launch.h"

#include <optional>
#include <string>

namespace tile::runtime {

/// Elements a tensor reaches, counted from its base: `first` <= 0 <= `last`; both 0 when it has none or one.
struct Reach {
  int64_t first = 0;
  int64_t last = 0;
  bool isEmpty = false;
};

/// What the checks learn and the choice of a variant uses.
struct LaunchState {
  const KernelInfo &info;
  std::span<const Argument> arguments;
  const DeviceLimits &limits;
  /// Launch values: symbols, then index scalars. A symbol not bound yet is -1.
  std::vector<int64_t> values;
  /// One entry an argument.
  std::vector<Reach> reach;
  std::array<int64_t, 3> grid = {1, 1, 1};

  const Tensor &tensor(int64_t argument) const { return std::get<Tensor>(arguments[argument]); }

  /// The stride of a dimension as the kernel sees it. Where the kernel was told strides, 0 for an extent of at most 1,
  /// because then they never count; else the product of the inner extents, which other tensors may share.
  int64_t stride(int64_t argument, int64_t dim) const {
    const Tensor &tensor = this->tensor(argument);
    bool isPlain = info.arguments[argument].strides.empty();
    if (!isPlain && (tensor.shape[dim] <= 1 || reach[argument].isEmpty))
      return 0;
    if (!isPlain && !tensor.strides.empty())
      return tensor.strides[dim];
    int64_t stride = 1;
    for (size_t inner = dim + 1; inner < tensor.shape.size(); ++inner)
      if (__builtin_mul_overflow(stride, tensor.shape[inner], &stride))
        return 1; // of a tensor without elements: no multiple of anything
    return stride;
  }
};

/// Takes the first variant that fits and fills the rest of the plan; an error names what each variant needs.
Result<LaunchPlan> chooseVariant(const LaunchState &state);

/// "kernel 'f', ".
std::string kernelPrefix(const KernelInfo &info);

} // namespace tile::runtime

#endif // LIB_RUNTIME_LAUNCHSTATE_H
