// AccessCost.cpp - wavefronts, sectors and lines of one request, by enumeration of its lanes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/AccessCost.h"

#include <algorithm>
#include <cassert>

namespace tile {

int lanesPerPhase(int bytes) {
  return bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
}

/// Words of one phase in the fullest bank.
static int64_t phaseWavefronts(const int64_t *address, int lanes, int bytes) {
  std::array<std::array<int64_t, 32>, 32> words; // by bank; a phase has at most 32 words
  std::array<int, 32> count{};
  int64_t fullest = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    if (address[lane] < 0)
      continue;
    for (int64_t word = address[lane] / 4, last = (address[lane] + bytes - 1) / 4; word <= last; ++word) {
      int bank = static_cast<int>(word % 32);
      auto end = words[bank].begin() + count[bank];
      if (count[bank] < 32 && std::find(words[bank].begin(), end, word) == end) {
        *end = word;
        fullest = std::max<int64_t>(fullest, ++count[bank]);
      }
    }
  }
  return fullest;
}

int64_t wavefronts(const MemoryRequest &request) {
  int lanes = lanesPerPhase(request.bytes);
  int64_t total = 0;
  for (int first = 0; first < 32; first += lanes)
    total += phaseWavefronts(&request.address[first], lanes, request.bytes);
  return total;
}

int64_t idealWavefronts(const MemoryRequest &request) {
  int lanes = lanesPerPhase(request.bytes);
  int64_t total = 0;
  for (int first = 0; first < 32; first += lanes)
    total += std::any_of(&request.address[first], &request.address[first] + lanes, [](int64_t a) { return a >= 0; });
  return total;
}

/// True if every active lane of the `lanes` has the address of the active lane `distance` away, if there is one.
static bool areShared(const int64_t *address, int lanes, int distance) {
  for (int lane = 0; lane < lanes; ++lane) {
    int64_t other = address[lane ^ distance];
    if (address[lane] >= 0 && other >= 0 && address[lane] != other)
      return false;
  }
  return true;
}

/// Lanes that a load takes at once, of two phases from `first` on.
static int lanesAtOnce(const MemoryRequest &request, int first) {
  int lanes = lanesPerPhase(request.bytes);
  const int64_t *address = &request.address[first];
  bool isJoined = lanes < 32 && (areShared(address, 2 * lanes, 1) || areShared(address, 2 * lanes, 2));
  return isJoined ? 2 * lanes : lanes;
}

/// Adds up `cost(first lane, lanes)` over what a load takes at once.
template <class Cost> static int64_t overLoad(const MemoryRequest &request, Cost cost) {
  int64_t total = 0;
  int both = std::min(2 * lanesPerPhase(request.bytes), 32);
  for (int first = 0; first < 32; first += both) {
    int lanes = lanesAtOnce(request, first);
    for (int part = first; part < first + both; part += lanes)
      total += cost(part, lanes);
  }
  return total;
}

int64_t loadWavefronts(const MemoryRequest &request) {
  return overLoad(request,
                  [&](int first, int lanes) { return phaseWavefronts(&request.address[first], lanes, request.bytes); });
}

int64_t idealLoadWavefronts(const MemoryRequest &request) {
  return overLoad(request, [&](int first, int lanes) -> int64_t {
    auto begin = request.address.begin() + first;
    return std::any_of(begin, begin + lanes, [](int64_t address) { return address >= 0; });
  });
}

static int64_t countDistinct(std::vector<int64_t> &values) {
  std::sort(values.begin(), values.end());
  return std::unique(values.begin(), values.end()) - values.begin();
}

int64_t chunkBound(const MemoryRequest &request, int64_t unit) {
  assert(unit >= 4 && unit <= 128 && (unit & (unit - 1)) == 0 && "a chunk is 4 to 128 bytes, a power of two");
  int lanes = lanesPerPhase(request.bytes);
  int64_t total = 0, chunksPerTurn = 128 / unit;
  std::vector<std::vector<int64_t>> chunks(unit / 4); // by place of the word inside its chunk
  for (int first = 0; first < 32; first += lanes) {
    for (std::vector<int64_t> &place : chunks)
      place.clear();
    for (int lane = first; lane < first + lanes; ++lane) {
      int64_t address = request.address[lane];
      if (address < 0)
        continue;
      for (int64_t word = address / 4; word <= (address + request.bytes - 1) / 4; ++word)
        chunks[word % (unit / 4)].push_back(word / (unit / 4));
    }
    int64_t phase = 0;
    for (std::vector<int64_t> &place : chunks)
      phase = std::max(phase, (countDistinct(place) + chunksPerTurn - 1) / chunksPerTurn);
    total += phase;
  }
  return total;
}

GlobalCost globalCost(const MemoryRequest &request) {
  // Lanes in the order of their addresses, joined into runs of touched bytes.
  std::array<int64_t, 32> sorted;
  auto end = std::copy_if(request.address.begin(), request.address.end(), sorted.begin(),
                          [](int64_t address) { return address >= 0; });
  std::sort(sorted.begin(), end);
  GlobalCost cost;
  int64_t bytes = 0, sector = -1, inSector = 0, line = -1;
  auto closeSector = [&] { cost.partialSectors += sector >= 0 && inSector != 32; };
  for (auto lane = sorted.begin(); lane != end;) {
    int64_t first = *lane, last = first + request.bytes;
    while (++lane != end && *lane <= last)
      last = std::max(last, *lane + request.bytes);
    bytes += last - first;
    for (int64_t at = first; at < last;) {
      int64_t stop = std::min(last, (at / 32 + 1) * 32);
      if (at / 32 != sector) {
        closeSector();
        sector = at / 32;
        inSector = 0;
        ++cost.sectors;
        cost.lines += at / 128 != line;
        line = at / 128;
      }
      inSector += stop - at;
      at = stop;
    }
  }
  closeSector();
  cost.idealSectors = (bytes + 31) / 32;
  return cost;
}

} // namespace tile
