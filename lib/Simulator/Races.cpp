// Races.cpp - uninitialised reads, and accesses of two threads that nothing orders.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Simulator/Machine.h"

#include <cstring>

using namespace mlir;

namespace tile::simt {

/// The shadow of the memory this side touches; null where no other thread can interfere.
Shadow *Warp::shadowOf(const Side &side) {
  if (side.buffer.space == Space::Shared)
    return &machine.sharedShadow;
  if (side.buffer.space != Space::Global || !machine.options.detectRaces)
    return nullptr;
  const BoundTensor &tensor = machine.binding.tensors[side.buffer.root];
  return tensor.isTracked ? &machine.globalShadows[tensor.storage] : nullptr;
}

Stamp Warp::stamp(const Inst &inst, int lane, bool isAtomic) const {
  auto place = static_cast<int32_t>(&inst - machine.program.insts.data());
  return {machine.clocks.now(number), step, place, static_cast<uint16_t>(threadOf(lane)), isAtomic};
}

/// True if what `before` did happens before what `lane` does now.
///
/// Two lanes of a warp are ordered if they were active together in between. Walking outwards to the innermost frame
/// both have entered: in a loop they met at the test with which the other left it; at an scf.if they parted.
bool Warp::isOrdered(const Stamp &before, int lane) const {
  if (!machine.clocks.isOfThisBlock(before) || before.thread == threadOf(lane))
    return true;
  if (before.thread / 32 != number)
    return machine.clocks.hasSeen(number, before);
  if (before.clock < machine.clocks.now(number))
    return true;
  if (before.step == step)
    return false;
  uint32_t other = 1u << before.thread % 32;
  if (mask & other)
    return true;
  for (int level = depth - 1; level >= 0; --level)
    if (frames[level].outer & other)
      return frames[level].isLoop || before.step <= frames[level].opened;
  return true;
}

/// "element 5 of a shared buffer", from the byte address.
static std::string placeText(const Machine &machine, const Side &side, int64_t address) {
  const Buffer &buffer = side.buffer;
  if (buffer.space == Space::Shared)
    return "element " + std::to_string((address - buffer.base) / byteSize(buffer.type)) + " of a shared buffer (byte " +
           std::to_string(address) + ")";
  const BoundTensor &tensor = machine.binding.tensors[buffer.root];
  return "element " + std::to_string((address - tensor.base) / tensor.elementBytes) + " of argument " +
         std::to_string(tensor.argument);
}

bool Warp::race(const Inst &inst, const Side &side, int lane, int64_t address, const Stamp &other, bool writes,
                bool otherWrote) {
  bool isSameInst = other.thread / 32 == number && other.step == step;
  std::string place = placeText(machine, side, address);
  if (isSameInst && writes && otherWrote)
    return fail(inst, lane,
                "data race: threads " + Twine(other.thread) + " and " + Twine(threadOf(lane)) +
                    " write different values to " + place + " in one instruction");
  fail(inst, lane,
       "data race: thread " + Twine(threadOf(lane)) + (writes ? " writes " : " reads ") + place + ", which thread " +
           Twine(other.thread) + (otherWrote ? " wrote" : " read") +
           (isSameInst ? " in the same instruction" : ", with no barrier between"));
  Fault &fault = *machine.result.fault;
  fault.otherLoc = machine.program.insts[other.inst].op->getLoc();
  fault.otherMessage = (Twine(otherWrote ? "written" : "read") + " here by thread " + Twine(other.thread)).str();
  return false;
}

/// The slow half of a read: the granule was touched since the last barrier.
bool Warp::noteRead(const Inst &inst, const Side &side, Cell &cell, const Stamp &now, int64_t at) {
  int lane = now.thread % 32;
  if (!isOrdered(cell.writer, lane))
    return race(inst, side, lane, at, cell.writer, false, true);
  if (cell.reader.thread / 32 != number)
    cell.otherReader = cell.reader;
  return true;
}

/// The lanes, of those in `mask`, for which some of their bytes are not flagged.
template <typename Word>
static uint32_t unflagged(const uint8_t *flags, int64_t stride, const Addresses &addresses, int words, uint32_t mask) {
  constexpr auto kAll = static_cast<Word>(0x0101010101010101);
  uint32_t lanes = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    int lane = std::countr_zero(rest);
    const uint8_t *first = flags + lane * stride + addresses[lane];
    Word all = kAll, word;
    for (int i = 0; i < words; ++i) {
      std::memcpy(&word, first + i * sizeof(Word), sizeof(Word));
      all &= word;
    }
    lanes |= static_cast<uint32_t>(all != kAll) << lane;
  }
  return lanes;
}

/// The bytes are in place already, but count as written only when the lane awaits them.
void Warp::takeOff(const Inst &inst, const Addresses &to) {
  const Access &access = machine.program.accesses[inst.target];
  flights.push_back({&inst, mask, to});
  forActive([&](int lane) {
    for (int64_t at = to[lane] / 4; at < (to[lane] + access.bytes + 3) / 4; ++at)
      machine.flying[at] = static_cast<uint16_t>(threadOf(lane) + 1);
    machine.numFlying += (access.bytes + 3) / 4;
  });
}

void Warp::land(int64_t address, int32_t bytes) {
  for (int64_t at = address / 4; at < (address + bytes + 3) / 4; ++at)
    machine.flying[at] = 0;
  machine.numFlying -= (bytes + 3) / 4;
}

/// For other threads the bytes are written now.
bool Warp::await() {
  for (Flight &flight : flights) {
    const Access &access = machine.program.accesses[flight.inst->target];
    for (uint32_t rest = flight.lanes & mask; rest; rest &= rest - 1) {
      int lane = std::countr_zero(rest);
      int64_t address = flight.to[lane];
      land(address, access.bytes);
      if (!noteWrite(*flight.inst, access.to, access.bytes, lane, address, windowOf(access.to).at(lane, address),
                     false))
        return false;
    }
    flight.lanes &= ~mask;
  }
  llvm::erase_if(flights, [](const Flight &flight) { return flight.lanes == 0; });
  return true;
}

bool Warp::hasArrived(const Inst &inst, const Side &side, int32_t bytes, int lane, int64_t address) {
  for (int64_t at = address / 4; at < (address + bytes + 3) / 4; ++at)
    if (uint16_t owner = machine.flying[at])
      return fail(inst, lane,
                  Twine(&side == &machine.program.accesses[inst.target].to ? "write of " : "read of ") +
                      placeText(machine, side, address) + ", which an asynchronous move of thread " + Twine(owner - 1) +
                      " brings; that thread has not awaited it");
  return true;
}

bool Warp::noteReads(const Inst &inst, const Side &side, int32_t bytes, const Addresses &addresses) {
  if (side.count < 0) {
    const Array &array = machine.program.arrays[side.buffer.root];
    const uint8_t *flags = arrayIsWritten.data() + array.offset * 32;
    uint32_t wrong = bytes % 8 == 0   ? unflagged<uint64_t>(flags, array.bytes, addresses, bytes / 8, mask)
                     : bytes % 4 == 0 ? unflagged<uint32_t>(flags, array.bytes, addresses, 1, mask)
                     : bytes % 2 == 0 ? unflagged<uint16_t>(flags, array.bytes, addresses, 1, mask)
                                      : unflagged<uint8_t>(flags, array.bytes, addresses, 1, mask);
    return !wrong || failUnwritten(inst, side, addresses, wrong);
  }
  Shadow *shadow = shadowOf(side);
  if (!shadow)
    return true;
  bool isShared = side.buffer.space == Space::Shared, looksForRaces = machine.options.detectRaces;
  bool isPadded = machine.program.accesses[inst.target].isPadded;
  Stamp now = stamp(inst, 0, false);
  int64_t granule = shadow->granule();
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    int lane = std::countr_zero(rest);
    now.thread = static_cast<uint16_t>(threadOf(lane));
    if (isShared && machine.numFlying && !hasArrived(inst, side, bytes, lane, addresses[lane]))
      return false;
    for (int64_t at = addresses[lane]; at < addresses[lane] + bytes; at += granule) {
      Cell &cell = shadow->cell(at);
      bool isUnwritten = isShared && !machine.clocks.isOfThisBlock(cell.writer);
      if (isUnwritten && !isPadded)
        return fail(inst, lane, "read of " + placeText(machine, side, at) + ", which no thread has written");
      if (!looksForRaces || isUnwritten)
        continue;
      bool isSettled = machine.clocks.isSettled(cell.writer) && machine.clocks.isSettled(cell.reader);
      if (!isSettled && !noteRead(inst, side, cell, now, at))
        return false;
      cell.reader = now;
    }
  }
  return true;
}

/// Arrays are private, so all that can go wrong is to read what was never written.
bool Warp::failUnwritten(const Inst &inst, const Side &side, const Addresses &addresses, uint32_t lanes) {
  const Array &array = machine.program.arrays[side.buffer.root];
  int lane = std::countr_zero(lanes);
  int64_t at = addresses[lane];
  while (arrayIsWritten[array.offset * 32 + lane * array.bytes + at])
    ++at;
  int64_t element = (at - side.buffer.base) / byteSize(side.buffer.type);
  StringRef what = side.buffer.space == Space::Register ? "register" : "private";
  return fail(inst, lane,
              "read of element " + Twine(element) + " of a " + what + " array, which the thread has not written");
}

bool Warp::noteWrite(const Inst &inst, const Side &side, int32_t bytes, int lane, int64_t address, const void *data,
                     bool isAtomic) {
  if (side.count < 0) {
    const Array &array = machine.program.arrays[side.buffer.root];
    std::memset(arrayIsWritten.data() + array.offset * 32 + lane * array.bytes + address, 1, bytes);
    return true;
  }
  Shadow *shadow = shadowOf(side);
  if (!shadow)
    return true;
  if (side.buffer.space == Space::Shared && machine.numFlying && !hasArrived(inst, side, bytes, lane, address))
    return false;
  Stamp now = stamp(inst, lane, isAtomic);
  const Clocks &clocks = machine.clocks;
  int64_t granule = shadow->granule();
  for (int64_t at = address; at < address + bytes; at += granule) {
    Cell &cell = shadow->cell(at);
    if (isAtomic && side.buffer.space == Space::Shared && !clocks.isOfThisBlock(cell.writer))
      return fail(inst, lane, "atomic on " + placeText(machine, side, at) + ", which no thread has written");
    bool isSettled =
        clocks.isSettled(cell.writer) && clocks.isSettled(cell.reader) && clocks.isSettled(cell.otherReader);
    if (!isSettled && machine.options.detectRaces &&
        !checkWrite(inst, side, lane, at, cell, data, at - address, isAtomic))
      return false;
    cell.writer = now;
  }
  return true;
}

/// What a padded move brings from places that nobody has written is not written where it comes to.
void Warp::forgetPadding(const Access &access, int lane, int64_t from, int64_t to) {
  const Array &array = machine.program.arrays[access.to.buffer.root];
  int64_t granule = machine.sharedShadow.granule();
  for (int64_t at = 0; at < access.bytes; at += granule)
    if (!machine.clocks.isOfThisBlock(machine.sharedShadow.cell(from + at).writer))
      std::memset(arrayIsWritten.data() + array.offset * 32 + lane * array.bytes + to + at, 0, granule);
}

/// Looks at who read and wrote the granule before this write.
bool Warp::checkWrite(const Inst &inst, const Side &side, int lane, int64_t at, const Cell &cell, const void *data,
                      int64_t offset, bool isAtomic) {
  bool bothAtomic = isAtomic && cell.writer.isAtomic;
  if (!bothAtomic && !isOrdered(cell.writer, lane)) {
    bool isSameInst = cell.writer.thread / 32 == number && cell.writer.step == step;
    auto granule = side.buffer.space == Space::Shared ? machine.sharedShadow.granule() : shadowOf(side)->granule();
    // Lanes that write one value to one place in one instruction do no harm.
    if (!isSameInst ||
        std::memcmp(windowOf(side).at(lane, at), static_cast<const std::byte *>(data) + offset, granule) != 0)
      return race(inst, side, lane, at, cell.writer, true, true);
  }
  for (const Stamp *reader : {&cell.reader, &cell.otherReader})
    if (!isOrdered(*reader, lane))
      return race(inst, side, lane, at, *reader, true, false);
  return true;
}

} // namespace tile::simt
