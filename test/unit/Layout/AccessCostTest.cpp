// AccessCostTest.cpp - wavefronts, sectors and lines of single requests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/AccessCost.h"

#include "RandomLayout.h"

#include <gtest/gtest.h>

using namespace tile;

template <typename Address> static MemoryRequest request(int bytes, int lanes, Address address) {
  MemoryRequest made;
  made.bytes = bytes;
  for (int lane = 0; lane < lanes; ++lane)
    made.address[lane] = address(lane);
  return made;
}

static SharedLayout swizzled(int64_t panelBytes, int64_t rows = 32) {
  return *SharedLayout::getSwizzled({rows, panelBytes}, 1, panelBytes);
}

/// ldmatrix: eight rows of 16 bytes, one phase.
TEST(AccessCost, MatrixRows) {
  auto rows = [](int64_t pitch) { return wavefronts(request(16, 8, [=](int lane) { return lane * pitch; })); };
  for (int64_t pitch : {16, 48, 80, 144, 272, 528})
    EXPECT_EQ(rows(pitch), 1) << pitch;
  EXPECT_EQ(rows(32), 2);
  EXPECT_EQ(rows(64), 4);
  EXPECT_EQ(rows(128), 8);
  EXPECT_EQ(rows(256), 8);
  for (int64_t panel : {32, 64, 128})
    for (int64_t chunk = 0; chunk < panel / 16; ++chunk) {
      MemoryRequest read =
          request(16, 8, [&](int lane) { return swizzled(panel).byteOffset(Coordinate{lane, chunk * 16}); });
      EXPECT_EQ(wavefronts(read), 1) << panel << " " << chunk;
      EXPECT_EQ(idealWavefronts(read), 1);
    }
}

/// Stores of matrix accumulators: lane l has row l / 4 and columns from 2 * (l % 4).
TEST(AccessCost, Accumulators) {
  auto store = [](int bytes, int64_t pitch) {
    return wavefronts(request(bytes, 32, [=](int lane) { return lane / 4 * pitch + lane % 4 * bytes; }));
  };
  for (int64_t pitch : {128, 256, 512}) {
    EXPECT_EQ(store(4, pitch), 8);
    EXPECT_EQ(store(8, pitch), 8);
  }
  for (int64_t pitch : {144, 272, 528})
    EXPECT_EQ(store(4, pitch), 1);
  EXPECT_EQ(store(8, 144), 4);
  for (int64_t pitch : {160, 544, 1056})
    EXPECT_EQ(store(8, pitch), 2);
  for (int64_t panel : {32, 64, 128})
    EXPECT_EQ(wavefronts(request(
                  4, 32, [&](int lane) { return swizzled(panel).byteOffset(Coordinate{lane / 4, lane % 4 * 4}); })),
              1);
  auto place = [&](int lane, int byte) { return swizzled(128).byteOffset(Coordinate{lane / 4, lane % 4 * 8 + byte}); };
  EXPECT_EQ(wavefronts(request(8, 32, [&](int lane) { return place(lane, 0); })), 4);
  // Two stores of 4 bytes in which every other pair of lanes goes in the other order.
  for (int e = 0; e < 2; ++e)
    EXPECT_EQ(wavefronts(request(4, 32, [&](int lane) { return place(lane, 4 * (e ^ ((lane >> 1) & 1))); })), 1);
}

/// An XOR of 32-byte pieces with the row serves accumulator stores and row reads alike.
TEST(AccessCost, AccumulatorsInWidePieces) {
  for (int shift = 7; shift <= 9; ++shift) {
    int64_t pitch = int64_t(1) << shift;
    SharedLayout layout = *SharedLayout::get({64, pitch}, 1, 0, {5, 2, shift, 0});
    auto at = [&](int64_t row, int64_t byte) { return layout.byteOffset(Coordinate{row, byte}); };
    EXPECT_EQ(wavefronts(request(8, 32, [&](int lane) { return at(lane / 4, lane % 4 * 8); })), 2) << pitch;
    int64_t perRow = pitch / 16;
    EXPECT_EQ(wavefronts(request(16, 32, [&](int lane) { return at(lane / perRow, lane % perRow * 16); })), 4);
  }
}

/// Columns and rows, 4 and 16 bytes a lane.
TEST(AccessCost, ColumnsAndRows) {
  auto columns = [](int bytes, int64_t pitch) {
    return wavefronts(request(bytes, 32, [=](int lane) { return lane * pitch; }));
  };
  EXPECT_EQ(columns(4, 128), 32);
  EXPECT_EQ(columns(4, 132), 1);
  EXPECT_EQ(columns(16, 128), 32);
  EXPECT_EQ(columns(16, 144), 4);
  EXPECT_EQ(columns(16, 32), 8);
  EXPECT_EQ(columns(16, 48), 4);
  EXPECT_EQ(columns(16, 80), 4);
  EXPECT_EQ(columns(16, 16), 4);
  EXPECT_EQ(wavefronts(request(4, 32, [](int lane) { return swizzled(128).byteOffset(Coordinate{lane, 0}); })), 4);
  EXPECT_EQ(wavefronts(request(16, 32, [](int lane) { return swizzled(128).byteOffset(Coordinate{lane, 16}); })), 4);
  SharedLayout fine = *SharedLayout::get({32, 32}, 4, 0, {2, 5, 7, 0});
  EXPECT_EQ(wavefronts(request(4, 32, [&](int lane) { return fine.byteOffset(Coordinate{lane, 5}); })), 1);
  for (int64_t panel : {32, 64, 128}) {
    int64_t perRow = panel / 16;
    EXPECT_EQ(wavefronts(request(
                  16, 32,
                  [&](int lane) { return swizzled(panel).byteOffset(Coordinate{lane / perRow, lane % perRow * 16}); })),
              4)
        << panel;
  }
}

/// stmatrix of four matrices: two by two, each 8 rows of 16 bytes.
TEST(AccessCost, FourMatrices) {
  auto row = [](int lane) { return lane % 16; };
  auto byte = [](int lane) { return lane / 16 * 16; };
  for (int64_t panel : {32, 64, 128})
    EXPECT_EQ(wavefronts(request(
                  16, 32, [&](int lane) { return swizzled(panel).byteOffset(Coordinate{row(lane), byte(lane)}); })),
              4);
  auto pitched = [&](int64_t pitch) {
    return wavefronts(request(16, 32, [&](int lane) { return row(lane) * pitch + byte(lane); }));
  };
  EXPECT_EQ(pitched(144), 4);
  EXPECT_EQ(pitched(272), 4);
  EXPECT_EQ(pitched(256), 32);
}

/// Equal words are free, inactive lanes too.
TEST(AccessCost, BroadcastAndInactiveLanes) {
  EXPECT_EQ(wavefronts(request(4, 32, [](int) { return 64; })), 1);
  EXPECT_EQ(wavefronts(request(2, 32, [](int lane) { return lane * 2; })), 1);
  EXPECT_EQ(wavefronts(request(1, 32, [](int lane) { return lane * 128; })), 32);
  EXPECT_EQ(wavefronts(MemoryRequest()), 0);
  EXPECT_EQ(idealWavefronts(MemoryRequest()), 0);
  EXPECT_EQ(globalCost(MemoryRequest()), GlobalCost());
  EXPECT_EQ(idealWavefronts(request(16, 9, [](int lane) { return lane * 16; })), 2);
}

static MemoryRequest randomRequest(Dice &dice) {
  MemoryRequest made;
  made.bytes = 1 << dice.between(0, 4);
  int64_t range = dice.oneIn(2) ? 512 : 8192, stride = dice.between(0, 40);
  bool isStrided = dice.oneIn(2);
  for (int lane = 0; lane < 32; ++lane)
    made.address[lane] = dice.oneIn(9) ? MemoryRequest::kInactive
                         : isStrided   ? lane * stride * made.bytes
                                       : dice.between(0, range / made.bytes - 1) * made.bytes;
  return made;
}

/// Wavefronts, sectors and lines against sets of words, sectors and lines.
TEST(AccessCost, RandomRequestsAgreeWithEnumeration) {
  Dice dice(51);
  for (int i = 0; i < 3000; ++i) {
    MemoryRequest made = randomRequest(dice);
    int64_t waves = 0, phases = 0;
    int lanes = made.bytes == 16 ? 8 : made.bytes == 8 ? 16 : 32;
    std::map<int64_t, std::set<int64_t>> sectors;
    std::set<int64_t> lines, bytes;
    for (int first = 0; first < 32; first += lanes) {
      std::map<int64_t, std::set<int64_t>> banks;
      for (int lane = first; lane < first + lanes; ++lane)
        for (int64_t byte = made.address[lane]; byte >= 0 && byte < made.address[lane] + made.bytes; ++byte) {
          banks[byte / 4 % 32].insert(byte / 4);
          sectors[byte / 32].insert(byte);
          lines.insert(byte / 128);
          bytes.insert(byte);
        }
      size_t fullest = 0;
      for (const auto &[bank, words] : banks)
        fullest = std::max(fullest, words.size());
      waves += static_cast<int64_t>(fullest);
      phases += fullest > 0;
    }
    int64_t partial = 0;
    for (const auto &[sector, touched] : sectors)
      partial += touched.size() < 32;
    EXPECT_EQ(wavefronts(made), waves);
    EXPECT_EQ(idealWavefronts(made), phases);
    GlobalCost expected{static_cast<int64_t>(sectors.size()), static_cast<int64_t>(lines.size()),
                        static_cast<int64_t>(bytes.size() + 31) / 32, partial};
    EXPECT_EQ(globalCost(made), expected);
  }
}

static int rankOf(std::vector<int64_t> rows) {
  int rank = 0;
  for (int bit = 0; bit < 62; ++bit) {
    size_t pivot = rank;
    while (pivot < rows.size() && !((rows[pivot] >> bit) & 1))
      ++pivot;
    if (pivot == rows.size())
      continue;
    std::swap(rows[rank], rows[pivot]);
    for (size_t i = 0; i < rows.size(); ++i)
      if (static_cast<int>(i) != rank && ((rows[i] >> bit) & 1))
        rows[i] ^= rows[rank];
    ++rank;
  }
  return rank;
}

/// Where addresses are XORs of lane bits, linear algebra gives the wavefronts: 2^(rank of words - rank of banks) a
/// phase.
TEST(AccessCost, LinearAddressesAgreeWithRanks) {
  Dice dice(52);
  for (int i = 0; i < 4000; ++i) {
    int bytes = 4 << dice.between(0, 2), phaseBits = bytes == 4 ? 5 : bytes == 8 ? 4 : 3;
    std::array<int64_t, 5> basis;
    for (int64_t &offset : basis)
      offset = dice.between(0, 8191) / bytes * bytes;
    MemoryRequest made = request(bytes, 32, [&](int lane) {
      int64_t address = 0;
      for (int bit = 0; bit < 5; ++bit)
        address ^= (lane >> bit) & 1 ? basis[bit] : 0;
      return address;
    });
    std::vector<int64_t> words, banks;
    for (int bit = 0; bit < phaseBits; ++bit)
      words.push_back(basis[bit] / 4);
    for (int64_t inside = 1; inside < bytes / 4; inside *= 2)
      words.push_back(inside);
    for (int64_t word : words)
      banks.push_back(word % 32);
    int64_t phases = 32 >> phaseBits;
    EXPECT_EQ(wavefronts(made), phases << (rankOf(words) - rankOf(banks)));
  }
}

/// Coalescing in three pictures: whole lines, a misaligned row, a column.
TEST(AccessCost, GlobalExamples) {
  EXPECT_EQ(globalCost(request(16, 32, [](int lane) { return lane * 16; })), (GlobalCost{16, 4, 16, 0}));
  EXPECT_EQ(globalCost(request(4, 32, [](int lane) { return 12 + lane * 4; })), (GlobalCost{5, 2, 4, 2}));
  EXPECT_EQ(globalCost(request(4, 32, [](int lane) { return lane * 4096; })), (GlobalCost{32, 32, 4, 32}));
} // Loads of 8 and 16 bytes take two phases at once where neighbours share an address; stores never do. Measured.
TEST(AccessCost, LoadsOfSharedAddresses) {
  struct Case {
    const char *name;
    std::function<int64_t(int)> place; ///< of a lane, in accesses
    int64_t of8, of16;
  };
  const Case cases[] = {{"neighbours", [](int lane) { return lane; }, 2, 4},
                        {"one place", [](int) { return 0; }, 1, 2},
                        {"halves", [](int lane) { return lane / 16; }, 1, 2},
                        {"pairs", [](int lane) { return lane / 2; }, 1, 2},
                        {"pairs two apart", [](int lane) { return lane % 2 + lane / 4 * 2; }, 1, 2},
                        {"quads", [](int lane) { return lane / 4; }, 1, 2},
                        {"16 apart", [](int lane) { return lane % 16; }, 2, 4},
                        {"8 apart", [](int lane) { return lane % 8; }, 2, 4},
                        {"4 apart", [](int lane) { return lane % 4; }, 2, 4}};
  for (const Case &c : cases) {
    EXPECT_EQ(loadWavefronts(request(8, 32, [&](int lane) { return c.place(lane) * 8; })), c.of8) << c.name;
    EXPECT_EQ(loadWavefronts(request(16, 32, [&](int lane) { return c.place(lane) * 16; })), c.of16) << c.name;
    EXPECT_EQ(idealLoadWavefronts(request(16, 32, [&](int lane) { return c.place(lane) * 16; })), c.of16) << c.name;
    EXPECT_EQ(wavefronts(request(16, 32, [&](int lane) { return c.place(lane) * 16; })), 4) << c.name;
  }
  EXPECT_EQ(loadWavefronts(request(4, 32, [](int lane) { return lane * 128; })), 32);
  EXPECT_EQ(loadWavefronts(request(16, 2, [](int lane) { return lane * 16; })), 1);
}
