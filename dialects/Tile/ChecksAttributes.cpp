// ChecksAttributes.cpp - rules of the layout attributes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"
#include "dialects/Tile/LayoutParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

static constexpr int64_t kMaxPositions = int64_t(1) << 31;
static constexpr int64_t kMaxPadding = 4096;

namespace {
/// A digit or copy of one owner: `radix` values, `stride` apart.
struct Position {
  int64_t radix;
  int64_t stride;
  std::string name; ///< "digit '4 reg' of axis 0"
};
} // namespace

/// The lists of the attribute agree with each other; the parser makes only such.
static bool isConsistent(ArrayRef<int64_t> shape, ArrayRef<int64_t> counts, ArrayRef<int64_t> radices,
                         ArrayRef<int64_t> owners, ArrayRef<int64_t> strides) {
  int64_t digits = 0;
  for (int64_t count : counts) {
    if (count < 0)
      return false;
    digits += count;
  }
  return counts.size() == shape.size() && digits == static_cast<int64_t>(radices.size()) &&
         radices.size() == owners.size() && radices.size() == strides.size();
}

static LogicalResult checkDigits(EmitError emit, ArrayRef<int64_t> radices, ArrayRef<int64_t> owners,
                                 ArrayRef<int64_t> strides) {
  for (auto [radix, owner, stride] : llvm::zip_equal(radices, owners, strides)) {
    if (owner < 0 || owner > 2)
      return emit() << "found owner number " << owner << "; owners are 0 to 2 (distributed-C2)";
    if (radix < 1 || radix >= kMaxPositions)
      return emit() << "found digit '" << digitText(radix, owner, stride) << "' of radix " << radix
                    << "; radices are at least 1 (distributed-C2)";
    if (stride < 1 || stride >= kMaxPositions)
      return emit() << "found digit '" << digitText(radix, owner, stride) << "' of stride " << stride
                    << "; strides are at least 1 (distributed-C2)";
  }
  return success();
}

/// Each axis has as many positions as elements, or more: the rest is masked.
static LogicalResult checkCover(EmitError emit, ArrayRef<int64_t> shape, ArrayRef<int64_t> counts,
                                ArrayRef<int64_t> radices, ArrayRef<int64_t> owners, ArrayRef<int64_t> strides) {
  size_t next = 0;
  for (auto [axis, extent, count] : llvm::enumerate(shape, counts)) {
    int64_t positions = 1;
    for (int64_t i = 0; i < count; ++i)
      positions = std::min<int64_t>(positions * radices[next + i], kMaxPositions);
    if (positions < extent)
      return emit() << "the digits "
                    << digitsText(radices.slice(next, count), owners.slice(next, count), strides.slice(next, count))
                    << " of axis " << axis << " have " << positions << " positions for an extent of " << extent
                    << "; the digits of an axis cover it (distributed-C3)";
    next += count;
  }
  return success();
}

/// No two digit combinations of one owner name the same number. Sorted by stride, each digit steps over all below it;
/// where strides interleave, the sums are compared one by one. \returns the number of the digit that reaches back into
/// those below it, if sums are equal.
static std::optional<size_t> firstOverlap(ArrayRef<Position> digits) {
  std::optional<size_t> overlap;
  __int128 reach = 0, count = 1;
  for (auto [number, digit] : llvm::enumerate(digits)) {
    if (digit.stride <= reach && !overlap)
      overlap = number;
    reach += static_cast<__int128>(digit.radix - 1) * digit.stride;
    count *= digit.radix;
    if (count > (1 << 20))
      return overlap;
  }
  if (!overlap)
    return std::nullopt;
  SmallVector<int64_t> sums{0};
  for (const Position &digit : digits) {
    size_t size = sums.size();
    for (int64_t value = 1; value < digit.radix; ++value)
      for (size_t i = 0; i < size; ++i)
        sums.push_back(sums[i] + value * digit.stride);
  }
  llvm::sort(sums);
  return std::adjacent_find(sums.begin(), sums.end()) == sums.end() ? std::nullopt : overlap;
}

/// The digits and copies of one owner that have more than one value, by stride.
static SmallVector<Position> positionsOf(int64_t owner, const DigitLists &lists) {
  SmallVector<Position> positions;
  size_t next = 0;
  for (auto [axis, count] : llvm::enumerate(lists.digitCounts))
    for (size_t end = next + count; next < end; ++next)
      if (lists.owners[next] == owner && lists.radices[next] > 1)
        positions.push_back({lists.radices[next], lists.strides[next],
                             "digit '" + digitText(lists.radices[next], owner, lists.strides[next]) + "' of axis " +
                                 std::to_string(axis)});
  for (auto [radix, of, stride] : llvm::zip_equal(lists.copyRadices, lists.copyOwners, lists.copyStrides))
    if (of == owner && radix > 1)
      positions.push_back({radix, stride, "copy '" + digitText(radix, owner, stride) + "'"});
  llvm::stable_sort(positions, [](const Position &a, const Position &b) { return a.stride < b.stride; });
  return positions;
}

static LogicalResult checkOwners(EmitError emit, const DigitLists &lists) {
  static constexpr StringLiteral names[] = {"register", "thread", "block"};
  for (int64_t owner = 0; owner < 3; ++owner) {
    SmallVector<Position> positions = positionsOf(owner, lists);
    __int128 highest = 0;
    int64_t limit = owner == 0 ? kMaxPositions : owner == 1 ? lists.threads : lists.blocks;
    for (const Position &position : positions) {
      highest += static_cast<__int128>(position.radix - 1) * position.stride;
      if (highest >= limit)
        return emit() << position.name << " reaches " << names[owner] << " number "
                      << static_cast<int64_t>(std::min<__int128>(highest, kIndexLimit)) << " of " << limit
                      << "; numbers begin at 0 and stay below (distributed-C5)";
    }
    if (std::optional<size_t> overlap = firstOverlap(positions))
      return emit() << positions[*overlap - 1].name << " and " << positions[*overlap].name << " give one "
                    << names[owner] << " number to two combinations; they differ (distributed-C6)";
  }
  return success();
}

LogicalResult DistributedAttr::verify(EmitError emit, ArrayRef<int64_t> shape, ArrayRef<int64_t> digitCounts,
                                      ArrayRef<int64_t> radices, ArrayRef<int64_t> owners, ArrayRef<int64_t> strides,
                                      ArrayRef<int64_t> copyRadices, ArrayRef<int64_t> copyOwners,
                                      ArrayRef<int64_t> copyStrides, int64_t threads, int64_t blocks,
                                      ArrayRef<int64_t> origins) {
  if (!isConsistent(shape, digitCounts, radices, owners, strides) || copyRadices.size() != copyOwners.size() ||
      copyRadices.size() != copyStrides.size())
    return emit() << "has " << digitCounts.size() << " axes of digits for a shape of rank " << shape.size()
                  << "; there is one list of digits an axis (distributed-C1)";
  for (int64_t extent : shape)
    if (extent < 1 || extent >= kMaxPositions)
      return emit() << "found extent " << extent << "; extents are at least 1 (distributed-C2)";
  if (failed(checkDigits(emit, radices, owners, strides)) ||
      failed(checkDigits(emit, copyRadices, copyOwners, copyStrides)) ||
      failed(checkCover(emit, shape, digitCounts, radices, owners, strides)))
    return failure();
  if (threads < 1 || threads > 1024)
    return emit() << "has " << threads << " threads; a block has 1 to 1024 (distributed-C4)";
  if (blocks < 1 || blocks > 16)
    return emit() << "has " << blocks << " blocks; a cluster has 1 to 16 (distributed-C4)";
  DigitLists lists{shape,      digitCounts, radices, owners, strides, copyRadices,
                   copyOwners, copyStrides, threads, blocks, origins};
  if (failed(checkOwners(emit, lists)))
    return failure();
  if (blocks != 1)
    return emit() << "is spread over " << blocks << " blocks; a kernel's blocks hold tiles of their own "
                  << "(distributed-C8)";
  // The layout library has the last word: what it refuses must not reach a pass.
  std::string why;
  if (!Layout::get(layoutParts(lists), &why))
    return emit() << "is no layout: " << why << " (distributed-C7)";
  return success();
}

LogicalResult PaddedAttr::verify(EmitError emit, int64_t elements) {
  if (elements < 0 || elements > kMaxPadding)
    return emit() << "found a padding of " << elements << " elements; padding is 0 to " << kMaxPadding
                  << " (padded-C1)";
  return success();
}

LogicalResult XorAttr::verify(EmitError emit, int64_t unit, int64_t bits, int64_t shift, int64_t shift2,
                              int64_t padding) {
  if (unit < 1 || unit > 128 || !llvm::isPowerOf2_64(unit))
    return emit() << "found a unit of " << unit << " bytes; it is a power of two up to 128 (xor-C1)";
  if (bits < 1 || bits > 7)
    return emit() << "found " << bits << " bits; an XOR has 1 to 7 (xor-C1)";
  int64_t lowest = llvm::Log2_64(unit) + bits;
  for (int64_t number : {shift, shift2 == 0 ? shift : shift2})
    if (number < lowest || number > 30)
      return emit() << "found a shift of " << number << "; it is between " << lowest
                    << ", above the bits that change, and 30 (xor-C2)";
  if (shift == shift2)
    return emit() << "found the shift " << shift << " twice; two shifts differ (xor-C2)";
  if (padding < 0 || padding > kMaxPadding)
    return emit() << "found a padding of " << padding << " elements; padding is 0 to " << kMaxPadding << " (padded-C1)";
  return success();
}

LogicalResult SwizzledAttr::verify(EmitError emit, int64_t bytes) {
  if (bytes != 32 && bytes != 64 && bytes != 128)
    return emit() << "found panels of " << bytes << " bytes; panels are 32, 64 or 128 bytes wide (swizzled-C1)";
  return success();
}
