// SharedLayout.h - layouts of tiles in shared memory: coordinate -> byte offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory has 32 banks of 4 bytes. A tile stored row by row with rows of 128 bytes has every element of a column
// in one bank, and reading a column takes 32 turns. Two cures: longer rows (*padding*), or rows whose 16-byte pieces
// are exchanged differently in each row (*XOR*):
//
//     linear = row * pitch + column bytes
//     offset = linear ^ (((linear >> shift) & (2^bits - 1)) << log2(unit))
//
// The XOR costs no memory and keeps pieces of `unit` bytes whole. It reads bits above those it writes, so it undoes
// itself and never maps two bytes to one. A second shift may be added. *Panels* cut wide rows into strips of 32, 64 or
// 128 bytes, strip by strip in memory: with unit 16 and shift 7 they are what the matrix and copy engines read and
// write.
//
#ifndef TILE_LAYOUT_SHAREDLAYOUT_H
#define TILE_LAYOUT_SHAREDLAYOUT_H

#include "tile/Layout/Layout.h"

namespace tile {

/// An XOR field: `bits` bits at `shift` (and, if not 0, at `shift2`) of the linear offset go onto the bits from
/// `unitLog2` up. All are positions in a byte offset. bits 0 means no XOR.
struct XorField {
  int unitLog2 = 0;
  int bits = 0;
  int shift = 0;
  int shift2 = 0;
  bool operator==(const XorField &) const = default;
};

/// One step of the address arithmetic: offset ^ (((offset >> shift) & mask) << unitLog2), `offset` being the linear
/// one.
struct XorStep {
  int shift = 0;
  int64_t mask = 0;
  int unitLog2 = 0;
  bool operator==(const XorStep &) const = default;
};

/// A layout of one tile in shared memory. The last axis is contiguous, the others are rows.
class SharedLayout {
public:
  /// Row after row, `padElements` unused elements after each, and an XOR. Total on any input.
  ///
  /// \param elementBytes  1, 2, 4, 8 or 16.
  /// \returns nothing, and one sentence in `why`, if a number is out of range, the unit is smaller than an element, or
  /// a shift reads bits that the field writes.
  static std::optional<SharedLayout> get(Extents extents, int64_t elementBytes, int64_t padElements = 0,
                                         XorField field = {}, std::string *why = nullptr);
  /// Panels of 32, 64 or 128 bytes with the hardware's XOR: `swizzled<128>`.
  static std::optional<SharedLayout> getSwizzled(Extents extents, int64_t elementBytes, int64_t panelBytes,
                                                 std::string *why = nullptr);
  /// Reads `linear`, `padded<8>`, `swizzled<128>`, `xor<unit 16, bits 3, shift 7>`, `xor<…, shift 7, shift 10>` or
  /// `padded<8> xor<…>`, as written by `toString`.
  static std::optional<SharedLayout> parse(std::string_view text, Extents extents, int64_t elementBytes,
                                           std::string *why = nullptr);
  std::string toString() const;

  /// Byte offset of an element from the start of the tile, a multiple of the element size.
  ///
  /// \pre 0 <= index < extent on each axis; asserts otherwise.
  /// Example: swizzled<128>, 2-byte elements, (1, 0) -> 144.
  int64_t byteOffset(std::span<const int64_t> coordinate) const;
  /// The same before the XOR. Views and slices add here.
  int64_t linearOffset(std::span<const int64_t> coordinate) const;
  /// linear -> final byte offset. Its own inverse.
  int64_t applyXor(int64_t linear) const;
  /// The XOR as steps that all read the *linear* offset; empty if there is none.
  std::vector<XorStep> xorSteps() const;

  /// Bytes to reserve, the XOR's rounding included.
  int64_t sizeInBytes() const;
  /// Start address the tile needs for this layout to mean what it says: the span of the XOR's source bits for panels,
  /// else 128 bytes or less.
  int64_t alignment() const;
  /// Checks by enumeration that no two elements overlap and that all lie inside `sizeInBytes`. For tests and pins.
  bool isInjective() const;

  const Extents &extents() const { return shape; }
  int64_t elementBytes() const { return bytes; }
  /// Bytes from one row to the next (inside a panel, if there are panels).
  int64_t pitchBytes() const { return pitch; }
  /// Unused elements after each row; 0 with panels.
  int64_t padElements() const { return pad; }
  /// Width of a panel, 0 if there are none.
  int64_t panelBytes() const { return panel; }
  /// Rows of the tile: the product of all extents but the last.
  int64_t rows() const { return rowCount; }
  const XorField &xorField() const { return field; }
  bool operator==(const SharedLayout &) const = default;

private:
  SharedLayout() = default;
  Extents shape;
  int64_t bytes = 1, pad = 0, panel = 0, pitch = 1, rowCount = 1;
  XorField field;
};

} // namespace tile

#endif // TILE_LAYOUT_SHAREDLAYOUT_H
