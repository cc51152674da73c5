// SharedLayoutSearch.cpp - the layout of a shared tile with the fewest wavefronts over all its accesses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/AccessCost.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace tile {

static std::string str(int64_t number) {
  return std::to_string(number);
}

static int64_t roundUp(int64_t value, int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

static int64_t rowBytes(const SharedLayout &layout) {
  return (layout.extents().empty() ? 1 : layout.extents().back()) * layout.elementBytes();
}

/// The request with row-major addresses replaced by those of the layout before its XOR.
static MemoryRequest linearise(const SharedLayout &layout, MemoryRequest request) {
  int64_t row = rowBytes(layout), panel = layout.panelBytes();
  for (int64_t &address : request.address) {
    if (address < 0)
      continue;
    int64_t line = address / row, column = address % row;
    address = panel == 0 ? line * layout.pitchBytes() + column
                         : (column / panel * layout.rows() + line) * panel + column % panel;
  }
  return request;
}

/// Weighted wavefronts of linear requests under the layout's XOR, up to the first value above `limit`.
static int64_t evaluate(const SharedLayout &layout, const std::vector<MemoryRequest> &linear, int64_t limit) {
  int64_t cost = 0;
  for (const MemoryRequest &request : linear) {
    MemoryRequest placed = request;
    for (int64_t &address : placed.address)
      if (address >= 0)
        address = layout.applyXor(address);
    cost += request.weight * wavefronts(placed);
    if (cost > limit)
      break;
  }
  return cost;
}

/// Moves the request down by as much as no layout of the family can tell: whole turns of the banks, and under an XOR,
/// which is linear over single bits, all bits above those in which its addresses differ.
static void normalise(MemoryRequest &request, bool isXor) {
  int64_t low = INT64_MAX, high = 0;
  for (int64_t address : request.address) {
    if (address < 0)
      continue;
    low = std::min(low, address);
    high = std::max(high, address);
  }
  int64_t span = 128;
  while (isXor && low <= high && low / span != high / span)
    span *= 2;
  for (int64_t &address : request.address)
    if (address >= 0)
      address -= low / span * span;
}

/// One request for each class of requests that cost the same under every layout of the family.
static std::vector<MemoryRequest> mergeClasses(std::vector<MemoryRequest> requests, bool isXor) {
  for (MemoryRequest &request : requests)
    normalise(request, isXor);
  auto key = [](const MemoryRequest &request) { return std::tie(request.bytes, request.address); };
  std::sort(requests.begin(), requests.end(),
            [&](const MemoryRequest &a, const MemoryRequest &b) { return key(a) < key(b); });
  std::vector<MemoryRequest> merged;
  for (const MemoryRequest &request : requests) {
    if (!merged.empty() && key(merged.back()) == key(request))
      merged.back().weight += request.weight;
    else
      merged.push_back(request);
  }
  return merged;
}

static std::vector<MemoryRequest> lineariseAll(const SharedLayout &layout, const std::vector<MemoryRequest> &requests) {
  std::vector<MemoryRequest> linear;
  linear.reserve(requests.size());
  for (const MemoryRequest &request : requests)
    linear.push_back(linearise(layout, request));
  return linear;
}

int64_t sharedCost(const SharedLayout &layout, const std::vector<MemoryRequest> &requests, int64_t limit) {
  return evaluate(layout, lineariseAll(layout, requests), limit);
}

static bool checkRequest(const SharedLayout &dense, const MemoryRequest &request, std::string *why) {
  auto refuse = [&](std::string sentence) {
    if (why)
      *why = std::move(sentence);
    return false;
  };
  if (request.bytes < 1 || request.bytes > 16 || !std::has_single_bit(static_cast<unsigned>(request.bytes)))
    return refuse("an access of " + str(request.bytes) + " bytes; it must be 1, 2, 4, 8 or 16");
  if (request.weight < 0 || request.weight > Layout::kMaxElements)
    return refuse("an access that runs " + str(request.weight) + " times; it must be between 0 and " +
                  str(Layout::kMaxElements));
  int64_t row = rowBytes(dense), size = row * dense.rows();
  for (int64_t address : request.address) {
    if (address < 0)
      continue;
    if (address >= size)
      return refuse("an access at byte " + str(address) + " of a tile of " + str(size) + " bytes");
    if (address % row % request.bytes)
      return refuse("an access of " + str(request.bytes) + " bytes at byte " + str(address % row) +
                    " of a row; it must be a multiple of its width");
    if (address % row + request.bytes > row)
      return refuse("an access of " + str(request.bytes) + " bytes at byte " + str(address % row) + " of a row of " +
                    str(row) + " bytes");
  }
  return true;
}

namespace {
/// Walks the family for accesses of at most `unit` bytes and keeps the best two.
class Search {
public:
  Search(const SharedLayout &dense, const std::vector<MemoryRequest> &requests, const SharedSearchOptions &options)
      : dense(dense), requests(requests), options(options) {}

  /// Tries linear, one field, two fields and padding. Each extra request is charged a quarter of a wavefront.
  void walk(int accessBytes, bool isCut);

  std::optional<SharedSearchResult> found;

private:
  struct Pass {
    int64_t pitchUnit, unit, bound, charge; // charge: in quarters
    int accessBytes;
    bool isCut;
    std::vector<MemoryRequest> pieces, linear;
  };
  int64_t rowPad(int64_t unit) const {
    if (!options.mayPad || dense.rows() == 1)
      return 0;
    return (roundUp(rowBytes(dense), unit) - rowBytes(dense)) / dense.elementBytes();
  }
  void cutRequests(Pass &pass) const;
  bool tryLayout(const Pass &pass, int64_t pad, const XorField &field, const std::vector<MemoryRequest> &linear);
  bool tryFields(const Pass &pass, bool two);
  bool tryPadding(const Pass &pass);

  const SharedLayout &dense;
  const std::vector<MemoryRequest> &requests;
  const SharedSearchOptions &options;
  // In quarter wavefronts, charges included.
  int64_t bestKey = INT64_MAX, secondKey = INT64_MAX;
};
} // namespace

void Search::cutRequests(Pass &pass) const {
  for (const MemoryRequest &request : requests) {
    int pieces = std::max(1, request.bytes / pass.accessBytes);
    pass.charge += (pieces - 1) * request.weight;
    for (int p = 0; p < pieces; ++p) {
      MemoryRequest piece = request;
      piece.bytes = request.bytes / pieces;
      for (int64_t &address : piece.address)
        address += address < 0 ? 0 : p * piece.bytes;
      pass.pieces.push_back(piece);
    }
  }
}

/// Accesses are cut by layouts under which wider ones would be torn or misaligned, and by no others.
static bool cutsTo(const SharedLayout &layout, int64_t bytes) {
  const XorField &field = layout.xorField();
  bool tears = field.bits != 0 && (int64_t(1) << field.unitLog2) == bytes;
  return tears || (layout.rows() > 1 && layout.pitchBytes() % (2 * bytes) != 0);
}

/// \returns true when nothing better can follow.
bool Search::tryLayout(const Pass &pass, int64_t pad, const XorField &field, const std::vector<MemoryRequest> &linear) {
  std::optional<SharedLayout> layout = SharedLayout::get(dense.extents(), dense.elementBytes(), pad, field);
  if (!layout || (pass.isCut && !cutsTo(*layout, pass.accessBytes)))
    return false;
  if (found->evaluated != 0 && layout->sizeInBytes() > options.maxBytes)
    return false;
  int64_t limit = secondKey == INT64_MAX ? INT64_MAX : secondKey / 4;
  int64_t cost = evaluate(*layout, linear, limit), key = 4 * cost + pass.charge;
  ++found->evaluated;
  if (key < bestKey) {
    if (bestKey != INT64_MAX)
      found->runnerUp = found->best;
    secondKey = bestKey;
    bestKey = key;
    found->best = {*layout, cost};
    found->bound = pass.bound;
    found->accessBytes = pass.accessBytes;
  } else if (key < secondKey) {
    secondKey = key;
    found->runnerUp = SharedChoice{*layout, cost};
  }
  return cost <= pass.bound;
}

bool Search::tryFields(const Pass &pass, bool two) {
  int64_t size = dense.rows() * (rowBytes(dense) + rowPad(pass.pitchUnit) * dense.elementBytes());
  for (int m = std::countr_zero(static_cast<uint64_t>(pass.unit)); m <= 5; ++m)
    for (int bits = 7 - m; bits >= 1; --bits) {
      std::vector<int> shifts = {7, 8, 9, 10, 11, 12, 13};
      for (int shift = m + bits; shift < 7; ++shift)
        shifts.push_back(shift);
      for (int shift : shifts)
        for (int shift2 = two ? shift + 1 : 0; shift2 <= (two ? 13 : 0); ++shift2)
          // A shift past the end of the tile changes nothing.
          if ((int64_t(1) << std::max(shift, shift2)) < size &&
              tryLayout(pass, rowPad(pass.pitchUnit), {m, bits, shift, shift2}, pass.linear))
            return true;
    }
  return false;
}

bool Search::tryPadding(const Pass &pass) {
  if (!options.mayPad || dense.rows() == 1)
    return false;
  for (int64_t bytes = pass.pitchUnit; bytes <= 128; bytes += pass.pitchUnit) {
    int64_t pad = rowPad(pass.pitchUnit) + bytes / dense.elementBytes();
    std::optional<SharedLayout> padded = SharedLayout::get(dense.extents(), dense.elementBytes(), pad);
    if (padded && tryLayout(pass, pad, XorField(), mergeClasses(lineariseAll(*padded, pass.pieces), /*isXor=*/false)))
      return true;
  }
  return false;
}

void Search::walk(int accessBytes, bool isCut) {
  int64_t pitchUnit = std::max<int64_t>({accessBytes, dense.elementBytes(), options.wholeBytes});
  int64_t unit = std::max<int64_t>(pitchUnit, 4);
  Pass pass{pitchUnit, unit, 0, 0, accessBytes, isCut, {}, {}};
  cutRequests(pass);
  std::optional<SharedLayout> base = SharedLayout::get(dense.extents(), dense.elementBytes(), rowPad(pitchUnit));
  if (!base)
    return;
  pass.linear = mergeClasses(lineariseAll(*base, pass.pieces), /*isXor=*/true);
  int64_t ideal = 0;
  for (const MemoryRequest &request : pass.linear) {
    pass.bound += request.weight * chunkBound(request, pass.unit);
    ideal += request.weight * idealWavefronts(request);
  }
  if (!found)
    found = SharedSearchResult{{*base, 0}, std::nullopt, pass.bound, ideal, accessBytes, 0, ""};
  if (4 * pass.bound + pass.charge >= bestKey)
    return;
  if (!tryLayout(pass, rowPad(pitchUnit), XorField(), pass.linear) && !tryFields(pass, false) && !tryFields(pass, true))
    tryPadding(pass);
}

static std::string explain(const SharedSearchResult &result, int widest) {
  int64_t cost = result.best.cost;
  std::string text = result.best.layout.toString() + ": " + str(cost) + " wavefronts, ";
  if (cost == result.ideal)
    text += "no bank conflicts";
  else if (cost == result.bound)
    text += "against " + str(result.ideal) + " without conflicts, because pieces of " + str(result.accessBytes) +
            " bytes stay whole";
  else
    text += "against " + str(result.ideal) + " without conflicts; no layout could take fewer than " +
            str(result.bound) + ", and none of the " + str(result.evaluated) + " tried takes fewer than " + str(cost);
  if (result.accessBytes < widest)
    text += "; accesses of " + str(widest) + " bytes are cut into " + str(result.accessBytes);
  if (result.runnerUp)
    text += "; next best is " + result.runnerUp->layout.toString() + " with " + str(result.runnerUp->cost);
  return text;
}

std::optional<SharedSearchResult> searchSharedLayout(const Extents &extents, int64_t elementBytes,
                                                     const std::vector<MemoryRequest> &requests,
                                                     const SharedSearchOptions &options, std::string *why) {
  std::optional<SharedLayout> dense = SharedLayout::get(extents, elementBytes, 0, {}, why);
  if (!dense)
    return std::nullopt;
  int widest = 1;
  for (const MemoryRequest &request : requests) {
    if (!checkRequest(*dense, request, why))
      return std::nullopt;
    widest = std::max(widest, request.bytes);
  }
  Search search(*dense, requests, options);
  search.walk(widest, /*isCut=*/false);
  if (!search.found) {
    if (why)
      *why = "the tile is too large once its rows are rounded to " + str(widest) + " bytes";
    return std::nullopt;
  }
  for (int bytes : {8, 4})
    if (options.mayCut && bytes < widest && bytes >= std::max(elementBytes, options.wholeBytes) &&
        search.found->best.cost > search.found->ideal)
      search.walk(bytes, /*isCut=*/true);
  search.found->why = explain(*search.found, widest);
  return search.found;
}

} // namespace tile
