// HostTensor.cpp - element access of host tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/HostTensor.h"

#include <cstring>

namespace tile {

HostTensor HostTensor::contiguous(ScalarType type, std::vector<int64_t> shape, std::byte fill) {
  HostTensor tensor;
  tensor.type = type;
  tensor.shape = std::move(shape);
  tensor.strides.resize(tensor.shape.size());
  int64_t stride = 1;
  for (size_t i = tensor.shape.size(); i-- > 0; stride *= tensor.shape[i])
    tensor.strides[i] = stride;
  tensor.storage = std::make_shared<std::vector<std::byte>>(stride * byteSize(type), fill);
  return tensor;
}

int64_t HostTensor::numElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

uint64_t HostTensor::load(int64_t elementOffset) const {
  uint64_t bits = 0;
  std::memcpy(&bits, address(elementOffset), byteSize(type));
  // Any non-zero byte of an i1 tensor reads as true.
  return type == ScalarType::I1 ? bits != 0 : bits;
}

void HostTensor::store(int64_t elementOffset, uint64_t bits) const {
  std::memcpy(address(elementOffset), &bits, byteSize(type));
}

} // namespace tile
