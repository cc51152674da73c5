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

bool Warp::failOutside(const Inst &inst, const Side &side, int32_t bytes, int lane) {
  const Buffer &buffer = side.buffer;
  int64_t elementBytes = byteSize(buffer.type), index = indexOf(side.indexType, slot(side.index)[lane]);
  bool store = &side == &machine.program.accesses[inst.target].to;
  std::string text = (store ? "write of " : "read of ") + elementText(index, bytes / elementBytes) + " outside ";
  if (buffer.space != Space::Global)
    return fail(inst, lane, text + "a " + spaceText(buffer.space) + " of " + Twine(buffer.elements) + " elements");
  const BoundTensor &tensor = machine.binding.tensors[buffer.root];
  if (buffer.base != 0 || elementBytes != tensor.elementBytes)
    text += "a view from byte " + std::to_string(buffer.base) + " of ";
  return fail(inst, lane, text + tensor.description);
}

bool Warp::failMisaligned(const Inst &inst, const Side &side, int32_t bytes, int lane, int64_t address) {
  const Buffer &buffer = side.buffer;
  bool store = &side == &machine.program.accesses[inst.target].to;
  std::string where = buffer.space == Space::Global
                          ? "the storage of " + machine.binding.tensors[buffer.root].description
                      : buffer.space == Space::Shared ? std::string("shared memory")
                                                      : "a " + spaceText(buffer.space).str();
  return fail(inst, lane,
              Twine(store ? "write of " : "read of ") + Twine(bytes) + " bytes at byte " + Twine(address) + " of " +
                  where + "; it must be a multiple of " + Twine(bytes));
}

/// Addresses of active lanes in a tensor; returns the lanes of which some byte belongs to no element.
uint32_t Warp::addressGlobal(const Side &side, int32_t bytes, Addresses &addresses) const {
  constexpr int64_t kMost = int64_t(1) << 56; // far outside any tensor, and its bytes can still be counted
  const Buffer &buffer = side.buffer;
  const BoundTensor &tensor = machine.binding.tensors[buffer.root];
  const Lanes &indices = slots[side.index];
  int64_t elementBytes = byteSize(buffer.type);
  bool isView = buffer.base != 0 || elementBytes != tensor.elementBytes;
  uint32_t outside = 0;
  forActive([&](int lane) {
    int64_t index = indexOf(side.indexType, indices[lane]);
    if (index > kMost || index < -kMost) {
      outside |= 1u << lane;
      return;
    }
    int64_t place = buffer.base + index * elementBytes;
    addresses[lane] = tensor.base + place;
    int64_t first = index, last = index + bytes / elementBytes - 1;
    if (isView) {
      first = floorDivide(place, tensor.elementBytes);
      last = floorDivide(place + bytes - 1, tensor.elementBytes);
    }
    outside |= static_cast<uint32_t>(!tensor.elements.containsRange(first, last)) << lane;
  });
  return outside;
}

/// Addresses of all lanes in shared memory or an array; returns the active ones outside the buffer.
uint32_t Warp::addressArray(const Side &side, int32_t bytes, Addresses &addresses) const {
  const Buffer &buffer = side.buffer;
  const Lanes &indices = slots[side.index];
  auto elementBytes = static_cast<uint64_t>(byteSize(buffer.type));
  int64_t most = buffer.elements - bytes / static_cast<int64_t>(elementBytes);
  auto addressOf = [&](int lane, uint32_t &outside) {
    int64_t index = indexOf(side.indexType, indices[lane]);
    outside |= static_cast<uint32_t>(index < 0 || index > most) << lane;
    return static_cast<int64_t>(static_cast<uint64_t>(buffer.base) + static_cast<uint64_t>(index) * elementBytes);
  };
  uint32_t outside = 0;
  if (side.index >= machine.program.firstConstant) {
    addresses.fill(addressOf(0, outside));
    return outside ? mask : 0;
  }
  for (int lane = 0; lane < 32; ++lane)
    addresses[lane] = addressOf(lane, outside);
  return outside & mask;
}

bool Warp::locate(const Inst &inst, const Side &side, int32_t bytes, Addresses &addresses, bool isAtomic) {
  const Buffer &buffer = side.buffer;
  bool isGlobal = buffer.space == Space::Global;
  uint32_t outside = isGlobal ? addressGlobal(side, bytes, addresses) : addressArray(side, bytes, addresses);
  if (outside)
    return failOutside(inst, side, bytes, std::countr_zero(outside));
  int64_t base = buffer.base + (isGlobal ? machine.binding.tensors[buffer.root].base : 0);
  if (bytes != byteSize(buffer.type) || base % bytes != 0) {
    uint32_t misaligned = 0;
    for (int lane = 0; lane < 32; ++lane)
      misaligned |= static_cast<uint32_t>((addresses[lane] & (bytes - 1)) != 0) << lane;
    if (misaligned &= mask)
      return failMisaligned(inst, side, bytes, std::countr_zero(misaligned), addresses[std::countr_zero(misaligned)]);
  }
  if (side.count < 0)
    return true;
  AccessCount &count = machine.result.accesses[side.count];
  if (isGlobal)
    countGlobal(count, addresses, mask);
  else
    countShared(count, addresses, mask, isAtomic);
  return true;
}

Warp::Window Warp::windowOf(const Side &side) {
  const Buffer &buffer = side.buffer;
  if (buffer.space == Space::Global)
    return {machine.binding.tensors[buffer.root].data, 0};
  if (buffer.space == Space::Shared)
    return {machine.shared.data(), 0};
  const Array &array = machine.program.arrays[buffer.root];
  return {arrays.data() + array.offset * 32, array.bytes};
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Warp::fresh(const Inst &inst) {
  const Array &array = machine.program.arrays[inst.target];
  forActive(
      [&](int lane) { std::memset(arrayIsWritten.data() + array.offset * 32 + lane * array.bytes, 0, array.bytes); });
}

/// Reads one word a lane.
template <typename Word> bool Warp::loadLanes(const Inst &inst, const Side &side, const Addresses &addresses) {
  Window window = windowOf(side);
  Lanes &out = slot(inst.result);
  forActive([&](int lane) {
    Word word;
    std::memcpy(&word, window.at(lane, addresses[lane]), sizeof(Word));
    out[lane] = word;
  });
  if (inst.type == ScalarType::I1)
    forActive([&](int lane) { out[lane] = out[lane] != 0; });
  return true;
}

bool Warp::load(const Inst &inst) {
  const Access &access = machine.program.accesses[inst.target];
  Addresses addresses;
  if (!locate(inst, access.from, access.bytes, addresses, false) ||
      !noteReads(inst, access.from, access.bytes, addresses))
    return false;
  switch (access.bytes) {
  case 1:
    return loadLanes<uint8_t>(inst, access.from, addresses);
  case 2:
    return loadLanes<uint16_t>(inst, access.from, addresses);
  case 4:
    return loadLanes<uint32_t>(inst, access.from, addresses);
  default:
    return loadLanes<uint64_t>(inst, access.from, addresses);
  }
}

/// Writes one word a lane to a private array.
template <typename Word> bool Warp::storeLanes(const Inst &inst, const Side &side, const Addresses &addresses) {
  Window window = windowOf(side);
  uint8_t *written = arrayIsWritten.data() + (window.first - arrays.data());
  const Lanes &values = slot(inst.slots[0]);
  forActive([&](int lane) {
    auto word = static_cast<Word>(values[lane]);
    std::memcpy(window.at(lane, addresses[lane]), &word, sizeof(Word));
    std::memset(written + lane * window.stride + addresses[lane], 1, sizeof(Word));
  });
  return true;
}

bool Warp::store(const Inst &inst) {
  const Access &access = machine.program.accesses[inst.target];
  Addresses addresses;
  if (!locate(inst, access.to, access.bytes, addresses, false))
    return false;
  if (access.to.count < 0)
    switch (access.bytes) {
    case 1:
      return storeLanes<uint8_t>(inst, access.to, addresses);
    case 2:
      return storeLanes<uint16_t>(inst, access.to, addresses);
    case 4:
      return storeLanes<uint32_t>(inst, access.to, addresses);
    default:
      return storeLanes<uint64_t>(inst, access.to, addresses);
    }
  Window window = windowOf(access.to);
  const Lanes &values = slot(inst.slots[0]);
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    int lane = std::countr_zero(rest);
    if (!noteWrite(inst, access.to, access.bytes, lane, addresses[lane], &values[lane], false))
      return false;
    std::memcpy(window.at(lane, addresses[lane]), &values[lane], access.bytes);
  }
  return true;
}

bool Warp::move(const Inst &inst) {
  const Access &access = machine.program.accesses[inst.target];
  Addresses from, to;
  if (!locate(inst, access.from, access.bytes, from, false) || !locate(inst, access.to, access.bytes, to, false) ||
      !noteReads(inst, access.from, access.bytes, from))
    return false;
  // All lanes read before any writes.
  Window source = windowOf(access.from), target = windowOf(access.to);
  std::array<std::byte, 32 * 16> data;
  forActive([&](int lane) { std::memcpy(data.data() + lane * 16, source.at(lane, from[lane]), access.bytes); });
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    int lane = std::countr_zero(rest);
    if (!noteWrite(inst, access.to, access.bytes, lane, to[lane], data.data() + lane * 16, false))
      return false;
    std::memcpy(target.at(lane, to[lane]), data.data() + lane * 16, access.bytes);
    if (access.isPadded)
      forgetPadding(access, lane, from[lane], to[lane]);
  }
  if (access.isAsync)
    takeOff(inst, to);
  return true;
}

bool Warp::atomic(const Inst &inst) {
  const Access &access = machine.program.accesses[inst.target];
  Addresses addresses;
  if (!locate(inst, access.to, access.bytes, addresses, true))
    return false;
  Window window = windowOf(access.to);
  Lanes values = slot(inst.slots[0]), old;
  bool isFine = true;
  forActive([&](int lane) {
    if (!isFine)
      return;
    std::byte *place = window.at(lane, addresses[lane]);
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
