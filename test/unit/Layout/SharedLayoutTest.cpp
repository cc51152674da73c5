// SharedLayoutTest.cpp - byte offsets, sizes, texts and injectivity of shared layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/SharedLayout.h"

#include "RandomLayout.h"

#include <gtest/gtest.h>

using namespace tile;

static SharedLayout parsed(std::string_view text, const Extents &extents, int64_t elementBytes) {
  std::string why;
  std::optional<SharedLayout> layout = SharedLayout::parse(text, extents, elementBytes, &why);
  EXPECT_TRUE(layout) << text << ": " << why;
  return *layout;
}

/// The formulas of the hardware's swizzles, in tile terms: the 16-byte chunk of a row is XORed with bits of the row.
TEST(SharedLayout, SwizzledPanelsFollowTheHardware) {
  struct Panel {
    int64_t bytes, shift, mask;
  };
  for (Panel panel : {Panel{32, 2, 1}, Panel{64, 1, 3}, Panel{128, 0, 7}}) {
    SharedLayout layout = parsed("swizzled<" + std::to_string(panel.bytes) + ">", {16, 200}, 2);
    for (int64_t row = 0; row < 16; ++row)
      for (int64_t column = 0; column < 200; ++column) {
        int64_t byte = column * 2, inPanel = byte % panel.bytes;
        int64_t chunk = (inPanel / 16) ^ ((row >> panel.shift) & panel.mask);
        int64_t expected = byte / panel.bytes * 16 * panel.bytes + row * panel.bytes + chunk * 16 + inPanel % 16;
        ASSERT_EQ(layout.byteOffset(Coordinate{row, column}), expected) << row << " " << column;
      }
    EXPECT_EQ(layout.alignment(), 8 * panel.bytes);
    EXPECT_TRUE(layout.isInjective());
  }
  EXPECT_EQ(parsed("swizzled<128>", {64, 64}, 2).byteOffset(Coordinate{1, 0}), 144);
}

/// Padding lengthens the rows, whatever the rank.
TEST(SharedLayout, Padded) {
  SharedLayout layout = parsed("padded<8>", {3, 5, 100}, 2);
  EXPECT_EQ(layout.pitchBytes(), 216);
  EXPECT_EQ(layout.byteOffset(Coordinate{2, 4, 99}), (2 * 5 + 4) * 216 + 198);
  EXPECT_EQ(layout.sizeInBytes(), 15 * 216);
  EXPECT_EQ(parsed("linear", {}, 8).sizeInBytes(), 8);
  EXPECT_EQ(parsed("linear", {7}, 8).byteOffset(Coordinate{6}), 48);
}

/// The steps that the generated code executes give the same offset as the layout.
TEST(SharedLayout, XorStepsGiveTheOffset) {
  for (const char *text : {"linear", "padded<4>", "swizzled<64>", "xor<unit 4, bits 5, shift 7>",
                           "padded<8> xor<unit 16, bits 3, shift 7, shift 10>"}) {
    SharedLayout layout = parsed(text, {33, 96}, 4);
    forEach({33, 96}, [&](const Coordinate &x) {
      int64_t linear = layout.linearOffset(x), offset = linear;
      for (const XorStep &step : layout.xorSteps())
        offset ^= ((linear >> step.shift) & step.mask) << step.unitLog2;
      ASSERT_EQ(offset, layout.byteOffset(x)) << text;
      ASSERT_EQ(layout.applyXor(offset), linear) << "the XOR undoes itself";
    });
  }
}

/// No two elements overlap and all lie inside the size, for odd tiles, pitches and fields.
TEST(SharedLayout, RandomLayoutsAreInjective) {
  Dice dice(41);
  int made = 0;
  while (made < 2000) {
    Extents extents = randomExtents(dice, static_cast<int>(dice.between(0, 3)), 2000);
    int64_t elementBytes = int64_t(1) << dice.between(0, 4);
    std::optional<SharedLayout> layout;
    if (dice.oneIn(5)) {
      layout = SharedLayout::getSwizzled(extents, elementBytes, int64_t(32) << dice.between(0, 2));
    } else {
      int unit = static_cast<int>(dice.between(0, 6)), bits = static_cast<int>(dice.between(0, 4));
      int shift = unit + bits + static_cast<int>(dice.between(-1, 5));
      XorField field{unit, bits, shift, dice.oneIn(2) ? 0 : shift + static_cast<int>(dice.between(-1, 4))};
      layout = SharedLayout::get(extents, elementBytes, dice.between(0, 9), bits == 0 ? XorField() : field);
    }
    if (!layout)
      continue;
    ++made;
    std::set<int64_t> bytes;
    forEach(extents, [&](const Coordinate &x) {
      int64_t offset = layout->byteOffset(x);
      ASSERT_EQ(offset % elementBytes, 0);
      for (int64_t byte = offset; byte < offset + elementBytes; ++byte)
        ASSERT_TRUE(byte >= 0 && byte < layout->sizeInBytes() && bytes.insert(byte).second) << layout->toString();
    });
    ASSERT_TRUE(layout->isInjective()) << layout->toString();
    std::optional<SharedLayout> again = SharedLayout::parse(layout->toString(), extents, elementBytes);
    ASSERT_TRUE(again && *again == *layout) << layout->toString();
  }
}

/// An XOR field whose source were among the bits it changes would map two bytes to one; the check is not vacuous.
TEST(SharedLayout, OverlappingShiftIsRefused) {
  std::string why;
  EXPECT_FALSE(SharedLayout::get({8, 8}, 4, 0, {4, 3, 6, 0}, &why));
  EXPECT_EQ(why, "an XOR shift of 6; it must be between 7, above the bits it changes, and 30");
}

/// Each malformed pin gets one sentence that names what was found and the rule.
TEST(SharedLayout, MalformedPinsAreExplained) {
  std::pair<const char *, const char *> cases[] = {
      {"", "expected 'linear', 'padded', 'swizzled' or 'xor', found the end of the layout"},
      {"swizzle<128>", "expected 'linear', 'padded', 'swizzled' or 'xor', found 'swizzle<128>'"},
      {"swizzled<96>", "panels of 96 bytes; they must be 32, 64 or 128 bytes wide"},
      {"swizzled<-1>", "panels of -1 bytes; they must be 32, 64 or 128 bytes wide"},
      {"swizzled<128> xor<unit 16, bits 3, shift 7>",
       "expected the end of the layout, found 'xor<unit 16, bits 3, shi…'"},
      {"padded<-1>", "padding of -1 elements a row; it must not be negative, and the tile with it has at most 67108864 "
                     "elements"},
      {"padded<9223372036854775807>", "padding of 9223372036854775807 elements a row; it must not be negative, and the "
                                      "tile with it has at most 67108864 elements"},
      {"padded<8", "expected '>', found the end of the layout"},
      {"xor<unit 3, bits 1, shift 7>", "an XOR unit of 3 bytes; it must be a power of two up to 4096"},
      {"xor<unit 2, bits 1, shift 7>", "an XOR unit of 2 bytes would tear elements of 4 bytes apart"},
      {"xor<unit 16, bits 0, shift 7>", "an XOR of 0 bits; there must be between 1 and 8"},
      {"xor<unit 16, bits 3, shift 99>", "an XOR shift of 99; it must not be above 30"},
      {"xor<unit 16, bits 3, shift 7, shift 7>", "two XOR shifts of 7 undo each other"},
      {"xor<unit 16, bits 3, shift 7, shift 2>",
       "an XOR shift of 2; it must be between 7, above the bits it changes, and 30"},
  };
  for (const auto &[text, expected] : cases) {
    std::string why;
    EXPECT_FALSE(SharedLayout::parse(text, {8, 8}, 4, &why)) << text;
    EXPECT_EQ(why, expected) << text;
  }
  std::string why;
  EXPECT_FALSE(SharedLayout::get({8, 0}, 4, 0, {}, &why));
  EXPECT_EQ(why, "axis 1 has extent 0; extents are positive and multiply to 67108864 at most");
  EXPECT_FALSE(SharedLayout::get({8, INT64_MAX, INT64_MAX}, 4, 0, {}, &why));
  EXPECT_FALSE(SharedLayout::get({8}, 3, 0, {}, &why));
  EXPECT_EQ(why, "an element of 3 bytes; it must be 1, 2, 4, 8 or 16");
}
