// Memory.cpp - loads, stores, moves and atomics of a warp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Simulator/Machine.h"

#include "tile/Support/Numerics.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace tile::simt {

static int64_t floorDivide(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0);
}

static int64_t indexOf(ScalarType type, uint64_t bits) {
  return type == ScalarType::I32 ? static_cast<int32_t>(bits) : static_cast<int64_t>(bits);
}

/// "element 5", "elements 4 to 7".
static std::string elementText(int64_t first, int64_t count) {
  if (count <= 1)
    return "element " + std::to_string(first);
  return "elements " + std::to_string(first) + " to " + std::to_string(first + count - 1);
}

static StringRef spaceText(Space space) {
  switch (space) {
  case Space::Shared:
    return "shared buffer";
  case Space::Register:
    return "register array";
  case Space::Local:
    return "private array";
  default:
    return "tensor";
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Explains why a lane's access is refused.
static std::string outsideText(const Side &side, const Machine &machine, int32_t bytes, int64_t index, bool store) {
  const Buffer &buffer = side.buffer;
  int64_t elementBytes = byteSize(buffer.type);
  std::string text = (store ? "write of " : "read of ") + elementText(index, bytes / elementBytes) + " outside ";
  if (buffer.space != Space::Global)
    return text + "a " + spaceText(buffer.space).str() + " of " + std::to_string(buffer.elements) + " elements";
  const BoundTensor &tensor = machine.binding.tensors[buffer.root];
  if (buffer.base != 0 || elementBytes != tensor.elementBytes)
    text += "a view from byte " + std::to_string(buffer.base) + " of ";
  return text + tensor.description;
}

/// One lane's global address; false if some byte of it belongs to no element of the tensor.
static bool locateGlobal(const BoundTensor &tensor, const Buffer &buffer, int32_t bytes, int64_t index,
                         int64_t &address) {
  constexpr int64_t kMost = int64_t(1) << 56; // far outside any tensor, and its bytes can still be counted
  if (index > kMost || index < -kMost)
    return false;
  int64_t place = buffer.base + index * byteSize(buffer.type);
  address = tensor.base + place;
  int64_t first = index, last = index + bytes / tensor.elementBytes - 1;
  if (buffer.base != 0 || byteSize(buffer.type) != tensor.elementBytes) {
    first = floorDivide(place, tensor.elementBytes);
    last = floorDivide(place + bytes - 1, tensor.elementBytes);
  }
  return tensor.elements.containsRange(first, last);
}

bool Warp::locate(const Inst &inst, const Side &side, int32_t bytes, Addresses &addresses, bool isAtomic) {
  const Buffer &buffer = side.buffer;
  const Lanes &indices = slot(side.index);
  int64_t elementBytes = byteSize(buffer.type), most = buffer.elements - bytes / elementBytes;
  uint32_t outside = 0, misaligned = 0;
  forActive([&](int lane) {
    int64_t index = indexOf(side.indexType, indices[lane]);
    bool isInside;
    if (buffer.space == Space::Global) {
      isInside = locateGlobal(machine.binding.tensors[buffer.root], buffer, bytes, index, addresses[lane]);
    } else {
      isInside = index >= 0 && index <= most;
      addresses[lane] = isInside ? buffer.base + index * elementBytes : 0;
    }
    outside |= static_cast<uint32_t>(!isInside) << lane;
    misaligned |= static_cast<uint32_t>((addresses[lane] & (bytes - 1)) != 0) << lane;
  });
  bool store =
      side.count >= 0 ? machine.program.counts[side.count].store : &side == &machine.program.accesses[inst.target].to;
  if (outside) {
    int lane = std::countr_zero(outside);
    return fail(inst, lane, outsideText(side, machine, bytes, indexOf(side.indexType, indices[lane]), store));
  }
  if (misaligned) {
    int lane = std::countr_zero(misaligned);
    std::string where = buffer.space == Space::Global
                            ? "the storage of " + machine.binding.tensors[buffer.root].description
                        : buffer.space == Space::Shared ? std::string("shared memory")
                                                        : "a " + spaceText(buffer.space).str();
    return fail(inst, lane,
                Twine(store ? "write of " : "read of ") + Twine(bytes) + " bytes at byte " + Twine(addresses[lane]) +
                    " of " + where + "; it must be a multiple of " + Twine(bytes));
  }
  if (side.count < 0)
    return true;
  AccessCount &count = machine.result.accesses[side.count];
  if (buffer.space == Space::Global)
    countGlobal(count, addresses, mask);
  else
    countShared(count, addresses, mask, isAtomic);
  return true;
}

std::byte *Warp::pointer(const Side &side, int lane, int64_t address) {
  const Buffer &buffer = side.buffer;
  if (buffer.space == Space::Global)
    return machine.binding.tensors[buffer.root].data + address;
  if (buffer.space == Space::Shared)
    return machine.shared.data() + address;
  const Array &array = machine.program.arrays[buffer.root];
  return arrays.data() + array.offset * 32 + lane * array.bytes + address;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Warp::fresh(const Inst &inst) {
  const Array &array = machine.program.arrays[inst.target];
  forActive(
      [&](int lane) { std::memset(arrayIsWritten.data() + array.offset * 32 + lane * array.bytes, 0, array.bytes); });
}

template <typename Word> void Warp::readLanes(const Side &side, const Addresses &addresses, Lanes &out) {
  forActive([&](int lane) {
    Word word;
    std::memcpy(&word, pointer(side, lane, addresses[lane]), sizeof(Word));
    out[lane] = word;
  });
}

bool Warp::load(const Inst &inst) {
  const Access &access = machine.program.accesses[inst.target];
  Addresses addresses;
  if (!locate(inst, access.from, access.bytes, addresses, false) ||
      !noteReads(inst, access.from, access.bytes, addresses))
    return false;
  Lanes &out = slot(inst.result);
  switch (access.bytes) {
  case 1:
    readLanes<uint8_t>(access.from, addresses, out);
    break;
  case 2:
    readLanes<uint16_t>(access.from, addresses, out);
    break;
  case 4:
    readLanes<uint32_t>(access.from, addresses, out);
    break;
  default:
    readLanes<uint64_t>(access.from, addresses, out);
    break;
  }
  if (inst.type == ScalarType::I1)
    forActive([&](int lane) { out[lane] = out[lane] != 0; });
  return true;
}

bool Warp::store(const Inst &inst) {
  const Access &access = machine.program.accesses[inst.target];
  Addresses addresses;
  if (!locate(inst, access.to, access.bytes, addresses, false))
    return false;
  const Lanes &values = slot(inst.slots[0]);
  bool isFine = true;
  forActive([&](int lane) {
    isFine = isFine && noteWrite(inst, access.to, access.bytes, lane, addresses[lane], &values[lane], false);
    if (isFine)
      std::memcpy(pointer(access.to, lane, addresses[lane]), &values[lane], access.bytes);
  });
  return isFine;
}

bool Warp::move(const Inst &inst) {
  const Access &access = machine.program.accesses[inst.target];
  Addresses from, to;
  if (!locate(inst, access.from, access.bytes, from, false) || !locate(inst, access.to, access.bytes, to, false) ||
      !noteReads(inst, access.from, access.bytes, from))
    return false;
  // All lanes read before any writes.
  std::array<std::array<std::byte, 16>, 32> data;
  forActive([&](int lane) { std::memcpy(data[lane].data(), pointer(access.from, lane, from[lane]), access.bytes); });
  bool isFine = true;
  forActive([&](int lane) {
    isFine = isFine && noteWrite(inst, access.to, access.bytes, lane, to[lane], data[lane].data(), false);
    if (isFine)
      std::memcpy(pointer(access.to, lane, to[lane]), data[lane].data(), access.bytes);
  });
  return isFine;
}

bool Warp::atomic(const Inst &inst) {
  const Access &access = machine.program.accesses[inst.target];
  Addresses addresses;
  if (!locate(inst, access.to, access.bytes, addresses, true))
    return false;
  Lanes values = slot(inst.slots[0]), old;
  bool isFine = true;
  forActive([&](int lane) {
    if (!isFine)
      return;
    std::byte *place = pointer(access.to, lane, addresses[lane]);
    old[lane] = loadBits(inst.type, place);
    uint64_t next = values[lane];
    const uint64_t *operands[] = {&old[lane], &values[lane]};
    if (inst.function)
      inst.function(operands, &next, 1);
    isFine = noteWrite(inst, access.to, access.bytes, lane, addresses[lane], &next, true);
    if (isFine)
      storeBits(inst.type, place, next);
  });
  if (inst.result >= 0)
    forActive([&](int lane) { slot(inst.result)[lane] = old[lane]; });
  return isFine;
}

} // namespace tile::simt
