// SharedLayoutSearchTest.cpp - the search over shared layouts: reference cases, optimality, malformed requests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/AccessCost.h"

#include "RandomLayout.h"

#include <gtest/gtest.h>

using namespace tile;

using Requests = std::vector<MemoryRequest>;

/// Rows of the tile, `bytes` a lane, lanes along the row and then over rows.
static void addRows(Requests &out, int64_t rows, int64_t rowBytes, int bytes) {
  int64_t perRow = rowBytes / bytes;
  for (int64_t first = 0; first < rows * perRow; first += 32) {
    MemoryRequest made;
    made.bytes = bytes;
    for (int64_t i = first; i < std::min(first + 32, rows * perRow); ++i)
      made.address[i - first] = i / perRow * rowBytes + i % perRow * bytes;
    out.push_back(made);
  }
}

/// Columns of the tile, `bytes` a lane, lanes down the rows.
static void addColumns(Requests &out, int64_t rows, int64_t rowBytes, int bytes) {
  for (int64_t column = 0; column < rowBytes; column += bytes)
    for (int64_t first = 0; first < rows; first += 32) {
      MemoryRequest made;
      made.bytes = bytes;
      for (int64_t row = first; row < std::min(first + 32, rows); ++row)
        made.address[row - first] = row * rowBytes + column;
      out.push_back(made);
    }
}

/// Matrices of 8 rows of 16 bytes, four a request.
static void addMatrices(Requests &out, int64_t rows, int64_t rowBytes) {
  for (int64_t row = 0; row < rows; row += 16)
    for (int64_t byte = 0; byte < rowBytes; byte += 32) {
      MemoryRequest made;
      made.bytes = 16;
      for (int lane = 0; lane < 32; ++lane)
        made.address[lane] = (row + lane % 16) * rowBytes + byte + lane / 16 * 16;
      out.push_back(made);
    }
}

static SharedSearchResult found(const Extents &extents, int64_t elementBytes, const Requests &requests,
                                bool mayCut = false) {
  std::string why;
  std::optional<SharedSearchResult> result =
      searchSharedLayout(extents, elementBytes, requests, {.mayCut = mayCut}, &why);
  EXPECT_TRUE(result) << why;
  return *result;
}

/// Operand tiles read by ldmatrix and written by rows of 16 bytes need the XOR that fits their pitch.
TEST(SharedLayoutSearch, OperandTiles) {
  std::pair<int64_t, const char *> cases[] = {{64, "xor<unit 16, bits 2, shift 7>"},
                                              {96, "xor<unit 16, bits 1, shift 7>"},
                                              {128, "xor<unit 16, bits 3, shift 7>"},
                                              {256, "xor<unit 16, bits 3, shift 8>"}};
  for (const auto &[rowBytes, text] : cases) {
    Requests requests;
    addRows(requests, 64, rowBytes, 16);
    addMatrices(requests, 64, rowBytes);
    SharedSearchResult result = found({64, rowBytes / 2}, 2, requests);
    EXPECT_EQ(result.best.cost, result.ideal) << rowBytes;
    // Among equals the wider field comes first in the order of the family.
    SharedLayout named = *SharedLayout::parse(text, {64, rowBytes / 2}, 2);
    EXPECT_EQ(sharedCost(named, requests), result.best.cost) << result.why;
  }
}

/// Rows by 16 bytes and element columns of a 16-bit tile, 8 rows in each lane: the XOR must read the bits of every
/// eighth row, since the lanes of a request differ there.
TEST(SharedLayoutSearch, ElementColumns) {
  Requests requests;
  addRows(requests, 64, 128, 16);
  for (int64_t row = 0; row < 8; ++row)
    for (int64_t column = 0; column < 64; column += 4) {
      MemoryRequest read;
      read.bytes = 2;
      for (int lane = 0; lane < 32; ++lane)
        read.address[lane] = (lane % 8 * 8 + row) * 128 + (column + lane / 8) * 2;
      requests.push_back(read);
    }
  SharedSearchResult result = found({64, 64}, 2, requests);
  EXPECT_EQ(result.best.cost, result.bound) << result.why;
  EXPECT_EQ(result.best.layout.toString(), "xor<unit 16, bits 3, shift 10>") << result.why;
}

/// Rows of 16 bytes keep columns of 4 from being free, by the bound; cutting them makes everything free.
TEST(SharedLayoutSearch, CuttingReachesTheIdeal) {
  Requests requests;
  addRows(requests, 64, 256, 16);
  addColumns(requests, 64, 256, 4);
  SharedSearchResult whole = found({64, 64}, 4, requests);
  EXPECT_EQ(whole.ideal, 256);
  EXPECT_EQ(whole.bound, 640);
  EXPECT_EQ(whole.best.cost, 640);
  EXPECT_EQ(whole.accessBytes, 16);
  ASSERT_TRUE(whole.runnerUp);
  EXPECT_EQ(whole.why, whole.best.layout.toString() +
                           ": 640 wavefronts, against 256 without conflicts, because pieces of 16 bytes stay whole; "
                           "next best is " +
                           whole.runnerUp->layout.toString() + " with " + std::to_string(whole.runnerUp->cost));
  SharedSearchResult cut = found({64, 64}, 4, requests, true);
  EXPECT_EQ(cut.best.cost, 256) << cut.why;
  EXPECT_EQ(cut.accessBytes, 4);
}

/// Accumulators of 32-bit floats stored by pairs, read by rows: wide pieces where the row is 96 columns.
TEST(SharedLayoutSearch, Accumulators) {
  for (int64_t columns : {64, 96, 128}) {
    Requests requests;
    addRows(requests, 64, columns * 4, 16);
    for (int64_t row = 0; row < 64; row += 8)
      for (int64_t column = 0; column < columns; column += 8) {
        MemoryRequest store;
        store.bytes = 8;
        for (int lane = 0; lane < 32; ++lane)
          store.address[lane] = (row + lane / 4) * columns * 4 + column * 4 + lane % 4 * 8;
        requests.push_back(store);
      }
    SharedSearchResult result = found({64, columns}, 4, requests);
    EXPECT_EQ(result.best.cost, result.ideal) << result.why;
  }
}

/// Elements of views stay whole, also where every access is narrower; rows stay multiples of them.
TEST(SharedLayoutSearch, ElementsOfViewsStayWhole) {
  for (int64_t columns : {32, 30, 33}) {
    Requests requests;
    addRows(requests, 64, columns * 4, 4);
    addColumns(requests, 64, columns * 4, 4);
    for (int64_t whole : {8, 16}) {
      std::optional<SharedSearchResult> result =
          searchSharedLayout({64, columns}, 4, requests, {.mayCut = true, .wholeBytes = whole});
      ASSERT_TRUE(result);
      const SharedLayout &best = result->best.layout;
      EXPECT_EQ(best.pitchBytes() % whole, 0) << result->why;
      EXPECT_TRUE(best.xorField().bits == 0 || (1 << best.xorField().unitLog2) >= whole) << result->why;
    }
  }
}

/// A tile without room stays as large as it is; one that may not be padded is not, however much that would help.
TEST(SharedLayoutSearch, Room) {
  for (int64_t columns : {30, 32, 33, 48, 64}) {
    Requests requests;
    addRows(requests, 64, columns * 4, 4);
    addColumns(requests, 64, columns * 4, 4);
    int64_t dense = 64 * columns * 4;
    std::optional<SharedSearchResult> tight = searchSharedLayout({64, columns}, 4, requests, {.maxBytes = dense});
    std::optional<SharedSearchResult> rigid = searchSharedLayout({64, columns}, 4, requests, {.mayPad = false});
    ASSERT_TRUE(tight && rigid);
    EXPECT_LE(tight->best.layout.sizeInBytes(), dense) << tight->why;
    EXPECT_EQ(rigid->best.layout.padElements(), 0) << rigid->why;
    EXPECT_EQ(sharedCost(rigid->best.layout, requests), rigid->best.cost);
  }
}

/// A tile that is only read by rows stays as it is, and nothing else is tried.
TEST(SharedLayoutSearch, LinearIfItIsFree) {
  Requests requests;
  addRows(requests, 16, 200, 8);
  SharedSearchResult result = found({16, 100}, 2, requests);
  EXPECT_EQ(result.best.layout.toString(), "linear");
  EXPECT_EQ(result.evaluated, 1);
  EXPECT_FALSE(result.runnerUp);
  EXPECT_EQ(result.why, "linear: " + std::to_string(result.ideal) + " wavefronts, no bank conflicts");
  EXPECT_EQ(found({4, 4}, 4, {}).best.cost, 0);
}

static Requests randomRequests(Dice &dice, int64_t rows, int64_t rowBytes, int64_t elementBytes) {
  Requests requests;
  for (int64_t n = dice.between(1, 3); n > 0; --n) {
    int bytes = static_cast<int>(elementBytes);
    while (bytes < 16 && rowBytes % (2 * bytes) == 0 && !dice.oneIn(3))
      bytes *= 2;
    size_t before = requests.size();
    if (dice.oneIn(2))
      addRows(requests, rows, rowBytes, bytes);
    else
      addColumns(requests, rows, rowBytes, bytes);
    for (size_t i = before; i < requests.size(); ++i)
      requests[i].weight = n;
  }
  return requests;
}

/// The choice costs what it says, is not below the bound, and no member of the family is cheaper.
TEST(SharedLayoutSearch, NoMemberOfTheFamilyIsCheaper) {
  Dice dice(61);
  for (int i = 0; i < 60; ++i) {
    int64_t elementBytes = int64_t(1) << dice.between(0, 3), rows = dice.between(1, 40), columns = dice.between(1, 48);
    Requests requests = randomRequests(dice, rows, columns * elementBytes, elementBytes);
    SharedSearchResult result = found({rows, columns}, elementBytes, requests);
    EXPECT_EQ(sharedCost(result.best.layout, requests), result.best.cost) << result.why;
    EXPECT_GE(result.best.cost, result.bound) << result.why;
    EXPECT_GE(result.bound, result.ideal);
    EXPECT_TRUE(result.best.layout.isInjective());
    if (result.runnerUp) {
      EXPECT_EQ(sharedCost(result.runnerUp->layout, requests), result.runnerUp->cost);
      EXPECT_GE(result.runnerUp->cost, result.best.cost);
    }
    int64_t widest = std::max<int64_t>(elementBytes, result.accessBytes);
    int64_t pad = ((columns * elementBytes + widest - 1) / widest * widest - columns * elementBytes) / elementBytes;
    for (int m = 2; m <= 5; ++m)
      for (int bits = 1; m + bits <= 7; ++bits)
        for (int shift = m + bits; shift <= 13; ++shift)
          for (int shift2 = 0; shift2 <= 13; shift2 = shift2 == 0 ? shift + 1 : shift2 + 1)
            if ((1 << m) >= widest && (shift2 == 0 || shift2 > shift)) {
              std::optional<SharedLayout> member =
                  SharedLayout::get({rows, columns}, elementBytes, pad, {m, bits, shift, shift2});
              EXPECT_GE(sharedCost(*member, requests, result.best.cost), result.best.cost)
                  << member->toString() << " beats " << result.why;
            }
    for (int64_t more = 0; more <= 128; more += widest) {
      SharedLayout padded = *SharedLayout::get({rows, columns}, elementBytes, pad + more / elementBytes);
      EXPECT_GE(sharedCost(padded, requests, result.best.cost), result.best.cost) << padded.toString();
    }
  }
}

/// The chunk bound holds for every layout that keeps the chunks whole.
TEST(SharedLayoutSearch, ChunkBoundHolds) {
  Dice dice(62);
  for (int i = 0; i < 300; ++i) {
    int64_t columns = dice.between(4, 24) * 4, rows = dice.between(1, 64);
    Requests requests = randomRequests(dice, rows, columns * 4, 4);
    int m = static_cast<int>(dice.between(2, 5)), bits = static_cast<int>(dice.between(1, 7 - m));
    int64_t unit = int64_t(1) << m, pad = (unit - columns * 4 % unit) % unit / 4 + dice.between(0, 3) * unit / 4;
    SharedLayout layout = *SharedLayout::get({rows, columns}, 4, pad, {m, bits, m + bits + (int)dice.between(0, 5), 0});
    for (const MemoryRequest &dense : requests) {
      MemoryRequest placed = dense, linear = dense;
      for (int lane = 0; lane < 32; ++lane)
        if (int64_t a = dense.address[lane]; a >= 0) {
          Coordinate x{a / (columns * 4), a / 4 % columns};
          linear.address[lane] = layout.linearOffset(x);
          placed.address[lane] = layout.byteOffset(x);
        }
      if (dense.bytes > unit)
        continue;
      EXPECT_LE(chunkBound(linear, unit), wavefronts(placed)) << layout.toString();
    }
  }
}

/// Malformed requests are refused with the reason.
TEST(SharedLayoutSearch, MalformedRequestsAreExplained) {
  auto reason = [](MemoryRequest bad) {
    std::string why;
    EXPECT_FALSE(searchSharedLayout({4, 6}, 4, {bad}, {}, &why));
    return why;
  };
  MemoryRequest bad;
  bad.address[3] = 96;
  EXPECT_EQ(reason(bad), "an access at byte 96 of a tile of 96 bytes");
  bad.address[3] = 2;
  EXPECT_EQ(reason(bad), "an access of 4 bytes at byte 2 of a row; it must be a multiple of its width");
  bad.address[3] = 16;
  bad.bytes = 16;
  EXPECT_EQ(reason(bad), "an access of 16 bytes at byte 16 of a row of 24 bytes");
  bad.bytes = 12;
  EXPECT_EQ(reason(bad), "an access of 12 bytes; it must be 1, 2, 4, 8 or 16");
  bad.bytes = 4;
  bad.weight = -1;
  EXPECT_EQ(reason(bad), "an access that runs -1 times; it must be between 0 and 67108864");
}
