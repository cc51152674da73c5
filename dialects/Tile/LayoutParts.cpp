// LayoutParts.cpp - turns lists of digits into the description of a layout.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/LayoutParts.h"

#include "dialects/Tile/Checks.h"
#include "dialects/Tile/TileOps.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>

using namespace mlir;
using namespace tile;

LayoutParts tile::layoutParts(const DigitLists &lists) {
  LayoutParts parts;
  parts.extents.assign(lists.shape.begin(), lists.shape.end());
  parts.threads = lists.threads;
  parts.blocks = lists.blocks;
  parts.origins.assign(lists.origins.begin(), lists.origins.end());
  size_t next = 0;
  for (auto [axis, count] : llvm::enumerate(lists.digitCounts)) {
    // Written most significant first; weights count from the least.
    int64_t weight = 1;
    for (int64_t i = count; i-- > 0;) {
      size_t at = next + i;
      parts.digits.push_back(
          {static_cast<int>(axis), weight, lists.radices[at], static_cast<Owner>(lists.owners[at]), lists.strides[at]});
      if (__builtin_mul_overflow(weight, lists.radices[at], &weight))
        weight = 0; // refused
    }
    next += count;
  }
  for (size_t i = 0; i < lists.copyRadices.size(); ++i)
    parts.copies.push_back({static_cast<Owner>(lists.copyOwners[i]), lists.copyStrides[i], lists.copyRadices[i]});
  return parts;
}

std::string tile::digitText(int64_t radix, int64_t owner, int64_t stride) {
  static constexpr llvm::StringLiteral names[] = {"reg", "thread", "block"};
  std::string text = std::to_string(radix) + " " + names[owner].str();
  return stride == 1 ? text : text + " * " + std::to_string(stride);
}

std::string tile::digitsText(ArrayRef<int64_t> radices, ArrayRef<int64_t> owners, ArrayRef<int64_t> strides) {
  std::string text = "(";
  for (auto [radix, owner, stride] : llvm::zip_equal(radices, owners, strides))
    text += (text.size() > 1 ? ", " : "") + digitText(radix, owner, stride);
  return text + ")";
}

static XorField fieldOf(XorAttr attr) {
  return {std::countr_zero(static_cast<uint64_t>(attr.getUnit())), static_cast<int>(attr.getBits()),
          static_cast<int>(attr.getShift()), static_cast<int>(attr.getShift2())};
}

std::optional<SharedLayout> tile::sharedLayoutOf(MemRefType tile, Attribute layout, std::string *why) {
  Extents extents(tile.getShape().begin(), tile.getShape().end());
  int64_t bytes = elementBytes(tile.getElementType());
  if (auto padded = dyn_cast_or_null<PaddedAttr>(layout))
    return SharedLayout::get(std::move(extents), bytes, padded.getElements(), {}, why);
  if (auto swizzled = dyn_cast_or_null<SwizzledAttr>(layout))
    return SharedLayout::getSwizzled(std::move(extents), bytes, swizzled.getBytes(), why);
  if (auto exchanged = dyn_cast_or_null<XorAttr>(layout))
    return SharedLayout::get(std::move(extents), bytes, exchanged.getPadding(), fieldOf(exchanged), why);
  if (layout && !isa<LinearAttr>(layout)) {
    if (why)
      *why = "it is no layout of a shared tile";
    return std::nullopt;
  }
  return SharedLayout::get(std::move(extents), bytes, 0, {}, why);
}

Attribute tile::sharedLayoutAttr(MLIRContext *context, const SharedLayout &layout) {
  if (layout.panelBytes() != 0)
    return SwizzledAttr::get(context, layout.panelBytes());
  if (const XorField &field = layout.xorField(); field.bits != 0)
    return XorAttr::get(context, int64_t(1) << field.unitLog2, field.bits, field.shift, field.shift2,
                        layout.padElements());
  if (layout.padElements() != 0)
    return PaddedAttr::get(context, layout.padElements());
  return LinearAttr::get(context);
}
