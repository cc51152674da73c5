// SharedLayout.cpp - byte offsets of tiles in shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/SharedLayout.h"

#include "LayoutText.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tile {

static std::string str(int64_t number) {
  return std::to_string(number);
}

static bool refuse(std::string *why, std::string sentence) {
  if (why)
    *why = std::move(sentence);
  return false;
}

static bool checkTile(const Extents &extents, int64_t elementBytes, std::string *why) {
  if (elementBytes < 1 || elementBytes > 16 || !std::has_single_bit(static_cast<uint64_t>(elementBytes)))
    return refuse(why, "an element of " + str(elementBytes) + " bytes; it must be 1, 2, 4, 8 or 16");
  int64_t elements = 1;
  for (size_t a = 0; a < extents.size(); ++a)
    if (extents[a] < 1 || extents[a] > Layout::kMaxElements || (elements *= extents[a]) > Layout::kMaxElements)
      return refuse(why, "axis " + str(a) + " has extent " + str(extents[a]) +
                             "; extents are positive and multiply to " + str(Layout::kMaxElements) + " at most");
  return true;
}

static bool checkField(const XorField &field, int64_t elementBytes, std::string *why) {
  if (field.bits == 0)
    return field == XorField() || refuse(why, "an XOR of 0 bits with other numbers given");
  if (field.unitLog2 < 0 || field.unitLog2 > 12)
    return refuse(why, "an XOR unit of 2^" + str(field.unitLog2) + " bytes; the exponent must be between 0 and 12");
  if ((int64_t(1) << field.unitLog2) < elementBytes)
    return refuse(why, "an XOR unit of " + str(int64_t(1) << field.unitLog2) + " bytes would tear elements of " +
                           str(elementBytes) + " bytes apart");
  if (field.bits < 0 || field.bits > 8)
    return refuse(why, "an XOR of " + str(field.bits) + " bits; there must be between 1 and 8");
  int top = field.unitLog2 + field.bits;
  // A second shift of 0 means that there is none.
  for (int shift : {field.shift, field.shift2 == 0 ? field.shift : field.shift2})
    if (shift < top || shift > 30)
      return refuse(why, "an XOR shift of " + str(shift) + "; it must be between " + str(top) +
                             ", above the bits it changes, and 30");
  if (field.shift2 == field.shift)
    return refuse(why, "two XOR shifts of " + str(field.shift) + " undo each other");
  return true;
}

std::optional<SharedLayout> SharedLayout::get(Extents extents, int64_t elementBytes, int64_t padElements,
                                              XorField field, std::string *why) {
  if (!checkTile(extents, elementBytes, why) || !checkField(field, elementBytes, why))
    return std::nullopt;
  SharedLayout made;
  int64_t columns = extents.empty() ? 1 : extents.back();
  for (size_t a = 0; a + 1 < extents.size(); ++a)
    made.rowCount *= extents[a];
  if (padElements < 0 || padElements > Layout::kMaxElements ||
      made.rowCount * (columns + padElements) > Layout::kMaxElements) {
    refuse(why, "padding of " + str(padElements) +
                    " elements a row; it must not be negative, and the tile with it has at most " +
                    str(Layout::kMaxElements) + " elements");
    return std::nullopt;
  }
  made.shape = std::move(extents);
  made.bytes = elementBytes;
  made.pad = padElements;
  made.pitch = (columns + padElements) * elementBytes;
  made.field = field;
  return made;
}

std::optional<SharedLayout> SharedLayout::getSwizzled(Extents extents, int64_t elementBytes, int64_t panelBytes,
                                                      std::string *why) {
  if (panelBytes != 32 && panelBytes != 64 && panelBytes != 128) {
    refuse(why, "panels of " + str(panelBytes) + " bytes; they must be 32, 64 or 128 bytes wide");
    return std::nullopt;
  }
  std::optional<SharedLayout> made = get(std::move(extents), elementBytes, 0, XorField(), why);
  if (!made)
    return std::nullopt;
  made->panel = panelBytes;
  made->pitch = panelBytes;
  made->field = {4, std::countr_zero(static_cast<uint64_t>(panelBytes)) - 4, 7, 0};
  return made;
}

int64_t SharedLayout::linearOffset(std::span<const int64_t> coordinate) const {
  assert(coordinate.size() == shape.size() && "one index per axis");
  int64_t row = 0, column = 0;
  for (size_t a = 0; a < shape.size(); ++a) {
    assert(coordinate[a] >= 0 && coordinate[a] < shape[a] && "index out of range");
    if (a + 1 < shape.size())
      row = row * shape[a] + coordinate[a];
    else
      column = coordinate[a] * bytes;
  }
  if (panel == 0)
    return row * pitch + column;
  return (column / panel * rowCount + row) * panel + column % panel;
}

int64_t SharedLayout::applyXor(int64_t linear) const {
  int64_t mask = (int64_t(1) << field.bits) - 1;
  int64_t source = linear >> field.shift;
  if (field.shift2 != 0)
    source ^= linear >> field.shift2;
  return linear ^ ((source & mask) << field.unitLog2);
}

int64_t SharedLayout::byteOffset(std::span<const int64_t> coordinate) const {
  return applyXor(linearOffset(coordinate));
}

std::vector<XorStep> SharedLayout::xorSteps() const {
  std::vector<XorStep> steps;
  int64_t mask = (int64_t(1) << field.bits) - 1;
  for (int shift : {field.shift, field.shift2})
    if (field.bits != 0 && shift != 0)
      steps.push_back({shift, mask, field.unitLog2});
  return steps;
}

int64_t SharedLayout::sizeInBytes() const {
  int64_t columns = shape.empty() ? 1 : shape.back();
  int64_t size = rowCount * pitch;
  if (panel != 0)
    size *= (columns * bytes + panel - 1) / panel;
  int64_t unit = int64_t(1) << (field.unitLog2 + field.bits);
  return field.bits == 0 ? size : (size + unit - 1) / unit * unit;
}

int64_t SharedLayout::alignment() const {
  if (panel != 0)
    return panel * 8;
  // The bank of an offset is that of the address only from a whole turn of the banks on.
  return 128;
}

bool SharedLayout::isInjective() const {
  std::vector<bool> taken(sizeInBytes() / bytes, false);
  Coordinate x(shape.size(), 0);
  for (;;) {
    int64_t offset = byteOffset(x);
    if (offset < 0 || offset % bytes || offset / bytes >= static_cast<int64_t>(taken.size()) || taken[offset / bytes])
      return false;
    taken[offset / bytes] = true;
    size_t a = shape.size();
    while (a > 0 && ++x[a - 1] == shape[a - 1])
      x[--a] = 0;
    if (a == 0)
      return true;
  }
}

static std::string spell(const XorField &field) {
  std::string text =
      "xor<unit " + str(int64_t(1) << field.unitLog2) + ", bits " + str(field.bits) + ", shift " + str(field.shift);
  if (field.shift2 != 0)
    text += ", shift " + str(field.shift2);
  return text + ">";
}

std::string SharedLayout::toString() const {
  if (panel != 0)
    return "swizzled<" + str(panel) + ">";
  std::string text = pad != 0 ? "padded<" + str(pad) + ">" : "";
  if (field.bits != 0)
    text += (text.empty() ? "" : " ") + spell(field);
  return text.empty() ? "linear" : text;
}

static bool scanXor(TextScanner &scanner, XorField &field) {
  int64_t unit = 0, bits = 0, shift = 0, shift2 = 0;
  if (!scanner.take("<") || !scanner.take("unit") || !scanner.takeNumber(unit) || !scanner.take(",") ||
      !scanner.take("bits") || !scanner.takeNumber(bits) || !scanner.take(",") || !scanner.take("shift") ||
      !scanner.takeNumber(shift))
    return false;
  if (scanner.tryTake(",") && (!scanner.take("shift") || !scanner.takeNumber(shift2)))
    return false;
  if (!scanner.take(">"))
    return false;
  if (unit < 1 || unit > 4096 || !std::has_single_bit(static_cast<uint64_t>(unit)))
    return scanner.fail("an XOR unit of " + str(unit) + " bytes; it must be a power of two up to 4096");
  if (bits < 1 || bits > 8)
    return scanner.fail("an XOR of " + str(bits) + " bits; there must be between 1 and 8");
  for (int64_t number : {shift, shift2})
    if (number < 0 || number > 30)
      return scanner.fail("an XOR shift of " + str(number) + "; it must not be above 30");
  field = {std::countr_zero(static_cast<uint64_t>(unit)), static_cast<int>(bits), static_cast<int>(shift),
           static_cast<int>(shift2)};
  return true;
}

namespace {
struct SharedText {
  int64_t pad = 0;
  std::optional<int64_t> panel;
  XorField field;
};
} // namespace

static bool scanShared(TextScanner &scanner, SharedText &text) {
  if (scanner.tryTake("linear"))
    return scanner.atEnd() || scanner.expected("the end of the layout");
  if (scanner.tryTake("swizzled")) {
    if (!scanner.take("<") || !scanner.takeNumber(text.panel.emplace()) || !scanner.take(">"))
      return false;
    return scanner.atEnd() || scanner.expected("the end of the layout");
  }
  bool isPadded = scanner.tryTake("padded");
  if (isPadded && (!scanner.take("<") || !scanner.takeNumber(text.pad) || !scanner.take(">")))
    return false;
  if (scanner.tryTake("xor")) {
    if (!scanXor(scanner, text.field))
      return false;
  } else if (!isPadded) {
    return scanner.expected("'linear', 'padded', 'swizzled' or 'xor'");
  }
  return scanner.atEnd() || scanner.expected("the end of the layout");
}

std::optional<SharedLayout> SharedLayout::parse(std::string_view text, Extents extents, int64_t elementBytes,
                                                std::string *why) {
  TextScanner scanner(text);
  SharedText found;
  if (!scanShared(scanner, found)) {
    if (why)
      *why = scanner.failure();
    return std::nullopt;
  }
  if (found.panel)
    return getSwizzled(std::move(extents), elementBytes, *found.panel, why);
  return get(std::move(extents), elementBytes, found.pad, found.field, why);
}

} // namespace tile
