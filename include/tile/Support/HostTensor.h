// HostTensor.h - tensors in host memory: what the CPU devices compute on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_HOSTTENSOR_H
#define TILE_SUPPORT_HOSTTENSOR_H

#include "tile/Support/ScalarType.h"

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

namespace tile {

/// A strided tensor in host memory. Several tensors may share one storage: an aliasing launch is written that way.
struct HostTensor {
  ScalarType type = ScalarType::F32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides; ///< in elements, one a dimension
  int64_t offset = 0;           ///< of element (0, …, 0), in elements from the start of the storage
  std::shared_ptr<std::vector<std::byte>> storage;

  /// Contiguous, storage of its own, every byte `fill`.
  static HostTensor contiguous(ScalarType type, std::vector<int64_t> shape, std::byte fill = std::byte{0});

  int64_t numElements() const;
  std::byte *address(int64_t elementOffset) const {
    return storage->data() + (offset + elementOffset) * byteSize(type);
  }
  /// Raw bits of one element, zero-extended; `elementOffset` is relative to `offset`.
  uint64_t load(int64_t elementOffset) const;
  void store(int64_t elementOffset, uint64_t bits) const;
};

/// One argument of a launch: a tensor, or the raw bits of a scalar.
using HostArgument = std::variant<HostTensor, uint64_t>;

} // namespace tile

#endif // TILE_SUPPORT_HOSTTENSOR_H
