// Count.cpp - counts sectors, lines and wavefronts from run-time addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Simulator/Count.h"

#include <algorithm>
#include <bit>

namespace tile::simt {

/// True if all 32 lanes take part and each address follows the one before.
static bool isConsecutive(const Addresses &addresses, uint32_t mask, int bytes) {
  if (mask != ~0u)
    return false;
  bool consecutive = true;
  for (int lane = 1; lane < 32; ++lane)
    consecutive &= addresses[lane] == addresses[0] + lane * bytes;
  return consecutive;
}

void countGlobal(AccessCount &count, const Addresses &addresses, uint32_t mask) {
  int64_t bytes = count.bytesPerLane;
  ++count.requests;
  if (isConsecutive(addresses, mask, count.bytesPerLane)) {
    int64_t first = addresses[0], last = addresses[31] + bytes - 1;
    count.sectors += last / 32 - first / 32 + 1;
    count.lines += last / 128 - first / 128 + 1;
    count.idealSectors += bytes; // 32 lanes of `bytes`, in sectors of 32
    return;
  }
  Addresses sorted;
  int n = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    sorted[n++] = addresses[std::countr_zero(rest)];
  std::sort(sorted.begin(), sorted.begin() + n);
  // An aligned access of at most 16 bytes lies in one sector.
  int64_t distinct = 1;
  ++count.sectors;
  ++count.lines;
  for (int i = 1; i < n; ++i) {
    distinct += sorted[i] != sorted[i - 1];
    count.sectors += sorted[i] / 32 != sorted[i - 1] / 32;
    count.lines += sorted[i] / 128 != sorted[i - 1] / 128;
  }
  count.idealSectors += (distinct * bytes + 31) / 32;
}

/// Wavefronts of one phase: the fullest bank's words, equal ones once (for atomics, each).
static int64_t phaseWavefronts(const Addresses &addresses, uint32_t mask, int bytes, bool isAtomic) {
  std::array<std::array<int64_t, 64>, 32> words; // by bank
  std::array<uint8_t, 32> counts{};
  int64_t most = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    int64_t address = addresses[std::countr_zero(rest)];
    for (int64_t word = address / 4; word <= (address + bytes - 1) / 4; ++word) {
      auto &known = words[word % 32];
      uint8_t &count = counts[word % 32];
      if (!isAtomic && std::find(known.begin(), known.begin() + count, word) != known.begin() + count)
        continue;
      known[count++] = word;
      most = std::max<int64_t>(most, count);
    }
  }
  return most;
}

/// True if the lanes of two phases load their words at once: each active pair (2i, 2i + 1) shares an address, or each
/// pair (i, i + 2).
static bool loadsAtOnce(const Addresses &addresses, uint32_t mask) {
  bool byOne = true, byTwo = true;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    int lane = std::countr_zero(rest);
    byOne &= !(mask >> (lane ^ 1) & 1) || addresses[lane] == addresses[lane ^ 1];
    byTwo &= !(mask >> (lane ^ 2) & 1) || addresses[lane] == addresses[lane ^ 2];
  }
  return byOne || byTwo;
}

static uint32_t lanesFrom(int first, int lanes) {
  return static_cast<uint32_t>(((uint64_t(1) << lanes) - 1) << first);
}

void countShared(AccessCount &count, const Addresses &addresses, uint32_t mask, bool isAtomic) {
  int bytes = count.bytesPerLane;
  int lanes = bytes <= 4 ? 32 : 128 / bytes;
  ++count.requests;
  if (bytes >= 4 && isConsecutive(addresses, mask, bytes)) {
    count.wavefronts += 32 / lanes;
    count.idealWavefronts += 32 / lanes;
    return;
  }
  for (int first = 0, taken = 0; first < 32; first += taken) {
    taken = lanes;
    if (!count.store && lanes < 32 && first % (2 * lanes) == 0 &&
        loadsAtOnce(addresses, mask & lanesFrom(first, 2 * lanes)))
      taken = 2 * lanes;
    uint32_t phase = mask & lanesFrom(first, taken);
    if (!phase)
      continue;
    count.wavefronts += phaseWavefronts(addresses, phase, bytes, isAtomic);
    ++count.idealWavefronts;
  }
}

} // namespace tile::simt
