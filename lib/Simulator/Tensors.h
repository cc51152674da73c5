// Tensors.h - the arguments of a launch as the simulated kernel sees them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_SIMULATOR_TENSORS_H
#define TILE_LIB_SIMULATOR_TENSORS_H

#include "lib/Simulator/Program.h"

#include <vector>

namespace tile::simt {

/// Which elements, counted from the tensor's element (0, …, 0), belong to the tensor.
///
/// Padding between rows does not. Example: shape [2, 3], strides [4, 1]: 0 1 2, 4 5 6; 3 is outside.
class ElementSet {
public:
  ElementSet() = default;
  explicit ElementSet(const HostTensor &tensor);

  bool contains(int64_t element) const {
    if (element < lowest || element > highest)
      return false;
    return isDense || containsStrided(element);
  }
  /// All of `first` to `last`.
  bool containsRange(int64_t first, int64_t last) const {
    if (isDense)
      return first >= lowest && last <= highest;
    bool all = true;
    for (int64_t element = first; element <= last; ++element)
      all &= contains(element);
    return all;
  }

  int64_t lowest = 0, highest = -1; ///< empty: highest < lowest

private:
  struct Axis {
    int64_t stride, extent;
  };
  bool containsStrided(int64_t element) const;
  void enumerate();

  bool isDense = true;
  std::vector<Axis> axes;    ///< longest stride first; each longer than all shorter ones reach together
  std::vector<bool> members; ///< for strides that interleave: by distance from `lowest`
};

/// One tensor parameter, bound.
struct BoundTensor {
  int32_t storage = 0;       ///< number of the distinct storage
  int64_t base = 0;          ///< bytes from the start of the storage to element (0, …, 0)
  std::byte *data = nullptr; ///< of the storage
  int64_t elementBytes = 1;
  int64_t argument = 0;
  std::string description; ///< "argument 1, shape [2, 3], strides [4, 1]"
  bool isTracked = false;  ///< the kernel writes this storage
  ElementSet elements;
};

/// What a run needs of its arguments.
struct Binding {
  std::vector<BoundTensor> tensors; ///< parallel to `Program::tensors`
  std::vector<int> storageGranules; ///< bytes; per distinct storage: every access is made of aligned pieces of it
  std::vector<int64_t> storageBytes;
  std::vector<uint64_t> parameters; ///< bits of each parameter of the kernel; 0 for tensors
};

/// Binds arguments to parameters, or says why they do not fit.
std::variant<Binding, std::string> bind(const Program &program, llvm::ArrayRef<int64_t> symbols,
                                        llvm::ArrayRef<HostArgument> arguments, llvm::ArrayRef<int64_t> grid);

} // namespace tile::simt

#endif // TILE_LIB_SIMULATOR_TENSORS_H
