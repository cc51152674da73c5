// LayoutTextTest.cpp - layouts as text, and what is said about malformed ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomLayout.h"

#include <gtest/gtest.h>

using namespace tile;

/// The spelling of the header, digit by digit.
TEST(LayoutText, Spelling) {
  std::string text = "4x96 = [(4 reg), (3 thread * 8, 8 thread, 4 reg * 4)] threads 32";
  std::optional<Layout> layout = Layout::parse(text);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->extents(), (Extents{4, 96}));
  EXPECT_EQ(layout->threads(), 32);
  std::vector<Digit> expected = {{0, 1, 4, Owner::Register, 1},
                                 {1, 1, 4, Owner::Register, 4},
                                 {1, 4, 8, Owner::Thread, 1},
                                 {1, 32, 3, Owner::Thread, 8}};
  EXPECT_EQ(layout->digits(), expected);
  EXPECT_EQ(layout->toString(), text);
}

/// Clauses may come in any order and are written in one.
TEST(LayoutText, Clauses) {
  std::optional<Layout> layout = Layout::parse(
      " 4x8=[(2 block,2 reg*8),(8 reg)] origins(0,0) blocks 4 copies(2 thread*16, 2 block * 2)\n threads 32 ");
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->toString(), "4x8 = [(2 block, 2 reg * 8), (8 reg)] threads 32 copies (2 thread * 16, 2 block * 2) "
                                "blocks 4");
}

/// Every layout is found again by the text it prints.
TEST(LayoutText, RoundTrip) {
  Dice dice(11);
  for (int i = 0; i < 3000; ++i) {
    RandomOptions options{.origins = dice.oneIn(3)};
    Extents extents = randomExtents(dice, static_cast<int>(dice.between(0, 4)), 300);
    Layout layout = randomLayout(dice, extents, options);
    std::string why;
    std::optional<Layout> again = Layout::parse(layout.toString(), &why);
    ASSERT_TRUE(again) << layout.toString() << ": " << why;
    EXPECT_EQ(again->toString(), layout.toString());
    EXPECT_EQ(again->digits(), layout.digits());
    EXPECT_TRUE(*again == layout);
  }
}

namespace {
struct Malformed {
  const char *text, *why;
};
} // namespace

static const Malformed kMalformed[] = {
    {"", "expected a number, found the end of the layout"},
    {"8", "expected '=', found the end of the layout"},
    {"8 = [(8 reg)]", "expected 'threads', found the end of the layout"},
    {"8 = [(8 lane)] threads 8", "expected 'reg', 'thread' or 'block' after 8, found 'lane)] threads 8'"},
    {"8 = [(8 threads)] threads 8", "expected 'reg', 'thread' or 'block' after 8, found 'threads)] threads 8'"},
    {"8 = [(8 reg), (2 reg)] threads 8", "expected ']', found ', (2 reg)] threads 8'"},
    {"8x2 = [(8 reg)] threads 8", "expected ',', found '] threads 8'"},
    {"8 = [(8 reg)] threads 8 threads 8",
     "expected one of 'threads', 'copies', 'blocks' and 'origins', each at most once, found 'threads 8'"},
    {"8 = [(8 reg)] threads 99999999999999999999", "the number 99999999999999999999 does not fit into 64 bits"},
    {"8 = [(4 reg)] threads 8", "the digits of axis 0 multiply to 4; they must reach its extent, 8"},
    {"8 = [()] threads 8", "the digits of axis 0 multiply to 1; they must reach its extent, 8"},
    {"8 = [(8 thread)] threads 7", "digit '8 thread' of axis 0 reaches thread 7; the last thread is 6"},
    {"8 = [(0 reg)] threads 8", "digit '0 reg' of axis 0 has radix 0; it must be between 1 and 67108864"},
    {"8 = [(-8 reg)] threads 8", "digit '-8 reg' of axis 0 has radix -8; it must be between 1 and 67108864"},
    {"8 = [(8 reg * 0)] threads 8", "digit '8 reg * 0' of axis 0 has stride 0; it must be between 1 and 67108864"},
    {"8 = [(8 reg * -3)] threads 8", "digit '8 reg * -3' of axis 0 has stride -3; it must be between 1 and 67108864"},
    {"8 = [(9223372036854775807 reg, 9223372036854775807 reg)] threads 8",
     "digit '9223372036854775807 reg' of axis 0 has radix 9223372036854775807; it must be between 1 and 67108864"},
    {"8 = [(67108864 reg, 67108864 thread)] threads 8",
     "digit '67108864 reg' of axis 0 makes its axis 4503599627370496 long; at most 67108864 elements are possible"},
    {"8x8 = [(8 reg), (8 reg)] threads 8",
     "digit '8 reg' of axis 1 overlaps digit '8 reg' of axis 0; its stride must be at least 8"},
    {"8x8 = [(8 reg), (8 reg * 12)] threads 8", nullptr},
    {"8x8 = [(8 reg * 2), (8 reg * 17)] threads 8",
     "digit '8 reg * 17' of axis 1 has stride 17; it must be a multiple of 2, the stride of digit '8 reg * 2' of "
     "axis 0"},
    {"4 = [(4 thread)] threads 8 copies (2 thread * 2)",
     "copy '2 thread * 2' overlaps digit '4 thread' of axis 0; its stride must be at least 4"},
    {"4 = [(4 thread)] threads 8 copies (2 reg)", "copy '2 reg' belongs to registers; copies are in threads or blocks"},
    {"4 = [(4 block)] threads 8", "digit '4 block' of axis 0 reaches block 3; the last block is 0"},
    {"4 = [(4 reg)] threads 0", "the layout has 0 threads; there must be between 1 and 1024"},
    {"4 = [(4 reg)] threads 1025", "the layout has 1025 threads; there must be between 1 and 1024"},
    {"4 = [(4 reg)] threads 8 blocks 17", "the layout has 17 blocks; there must be between 1 and 16"},
    {"0 = [()] threads 8", "axis 0 has extent 0; it must be between 1 and 67108864"},
    {"-1 = [()] threads 8", "axis 0 has extent -1; it must be between 1 and 67108864"},
    {"4 = [(4 reg)] threads 8 origins (0, 0)", "the layout has 2 origins for 1 axes; there must be one each"},
    {"4 = [(4 reg)] threads 8 origins (-1)", "axis 0 has origin -1; it must be between 0 and 67108864"},
    {"4 = [(4 reg)] threads 8 }", "expected one of 'threads', 'copies', 'blocks' and 'origins', each at most once, "
                                  "found '}'"},
};

/// Each malformed text gets one sentence that names what was found and the rule.
TEST(LayoutText, MalformedTextsAreExplained) {
  for (const Malformed &test : kMalformed) {
    std::string why;
    std::optional<Layout> layout = Layout::parse(test.text, &why);
    EXPECT_EQ(layout.has_value(), test.why == nullptr) << test.text;
    EXPECT_EQ(why, test.why ? test.why : "") << test.text;
  }
}

/// Gaps and overlaps of weights can only be written in parts; both are named.
TEST(LayoutText, WeightsMustChain) {
  std::string why;
  LayoutParts gap{{8}, {{0, 1, 2, Owner::Register, 1}, {0, 4, 2, Owner::Register, 2}}, {}, 1, 1, {}};
  EXPECT_FALSE(Layout::get(gap, &why));
  EXPECT_EQ(why, "digit '2 reg * 2' of axis 0 has weight 4; the digits below it multiply to 2");
  LayoutParts twice{{8}, {{0, 1, 8, Owner::Register, 1}, {0, 1, 8, Owner::Thread, 1}}, {}, 8, 1, {}};
  EXPECT_FALSE(Layout::get(twice, &why));
  EXPECT_EQ(why, "digit '8 thread' of axis 0 has weight 1; the digits below it multiply to 8");
  LayoutParts axis{{8}, {{0, 1, 8, Owner::Register, 1}, {1, 1, 8, Owner::Thread, 1}}, {}, 8, 1, {}};
  EXPECT_FALSE(Layout::get(axis, &why));
  EXPECT_EQ(why, "digit '8 thread' of axis 1 names no axis; the tile has 1");
}

/// Any numbers at all: an answer and, if it is no, a sentence.
TEST(LayoutText, AnyPartsAreAnswered) {
  Dice dice(12);
  const int64_t strange[] = {0,    1,         2,         3, 4, 8, -1, -2, INT64_MIN, INT64_MAX, 1 << 26, (1 << 26) + 1,
                             1024, INT32_MAX, INT32_MIN, 16};
  auto number = [&] { return dice.oneIn(3) ? strange[dice.between(0, 15)] : dice.between(1, 4); };
  int valid = 0;
  for (int i = 0; i < 60000; ++i) {
    LayoutParts parts;
    for (int64_t n = dice.between(0, 2); n > 0; --n)
      parts.extents.push_back(number());
    for (int64_t n = dice.between(0, 3); n > 0; --n)
      parts.digits.push_back({static_cast<int>(dice.between(-1, 2)), dice.oneIn(3) ? number() : 1, number(),
                              static_cast<Owner>(dice.between(0, 2)), number()});
    for (int64_t n = dice.between(0, 4); n > 3; --n)
      parts.copies.push_back({static_cast<Owner>(dice.between(0, 2)), number(), number()});
    for (int64_t n = dice.between(-4, 2); n > 0; --n)
      parts.origins.push_back(number());
    parts.threads = dice.oneIn(2) ? 32 : number();
    parts.blocks = dice.oneIn(2) ? 2 : number();
    std::string why;
    std::optional<Layout> layout = Layout::get(parts, &why);
    EXPECT_EQ(layout.has_value(), why.empty());
    if (!layout)
      continue;
    ++valid;
    EXPECT_TRUE(Layout::parse(layout->toString())) << layout->toString();
    EXPECT_TRUE(layout->canonical() == *layout) << layout->toString();
  }
  EXPECT_GT(valid, 200) << "the sweep must meet both";
}

/// Texts broken at random: an answer and, if it is no, a sentence.
TEST(LayoutText, BrokenTextsAreAnswered) {
  Dice dice(13);
  const std::string pieces = "0123456789 xreg thread block*(),[]=-";
  for (int i = 0; i < 40000; ++i) {
    std::string text = "4x96 = [(4 reg), (3 thread * 8, 8 thread, 4 reg * 4)] threads 64 copies (2 thread * 32)";
    for (int64_t n = dice.between(1, 3); n > 0; --n) {
      int64_t at = dice.between(0, static_cast<int64_t>(text.size()) - 1);
      char piece = pieces[dice.between(0, static_cast<int64_t>(pieces.size()) - 1)];
      if (dice.oneIn(3))
        text.erase(at, 1);
      else if (dice.oneIn(2))
        text.insert(at, 1, piece);
      else
        text[at] = piece;
    }
    std::string why;
    bool isValid = Layout::parse(text, &why).has_value();
    EXPECT_EQ(isValid, why.empty()) << text;
  }
}
