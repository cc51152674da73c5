// CountTest.cpp - sectors, lines and wavefronts of known patterns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Simulator/Harness.h"

using namespace tile;
using namespace tile::simt;

/// One request of `bytes` a lane, at byte address `map(t)` of shared memory or of a tensor.
static AccessCount countOf(bool shared, int bytes, const std::string &map, int threads = 32, bool store = false) {
  Bench bench;
  bench.threads = threads;
  bench.parameters = "%a: memref<?xi8>";
  bench.kinds = "tensor 0";
  bench.arguments = {HostTensor::contiguous(ScalarType::I8, {1 << 16})};
  std::string type = shared ? "memref<65536xi8, #simt.shared>" : "memref<?xi8>", buffer = shared ? "%s" : "%a";
  std::string move = "simt.move %r[%c0 : index] to " + buffer + "[%i : index] bytes " + std::to_string(bytes) +
                     " : memref<16xi8, #simt.register> to " + type + "\n";
  bench.body = "%t = simt.thread_id : index\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
               "%c16 = arith.constant 16 : index\n%z = arith.constant 0 : i8\n"
               "%s = simt.shared : memref<65536xi8, #simt.shared>\n"
               "%r = simt.local : memref<16xi8, #simt.local>\n"
               "scf.for %j = %c0 to %c16 step %c1 {\n"
               "simt.store %z, %r[%j : index] : i8, memref<16xi8, #simt.local>\n}\n"
               "%i = affine.apply affine_map<(d0) -> (" +
               map + ")>(%t)\n" + move + "simt.barrier\n" + "simt.move " + buffer +
               "[%i : index] to %r[%c0 : index] bytes " + std::to_string(bytes) + " : " + type +
               " to memref<16xi8, #simt.local>";
  for (size_t at; (at = bench.body.find("#simt.register")) != std::string::npos;)
    bench.body.replace(at, 14, "#simt.local");
  SimulatorResult result = bench.run();
  EXPECT_FALSE(result.fault) << toString(*result.fault);
  EXPECT_EQ(result.accesses.size(), 2u);
  return result.accesses.size() == 2 ? result.accesses[store ? 0 : 1] : AccessCount{result.accesses[0].loc, ""};
}

/// Of a load and of a store, where they cost the same.
static int64_t wavefronts(int bytes, const std::string &map, int threads = 32) {
  AccessCount load = countOf(true, bytes, map, threads), store = countOf(true, bytes, map, threads, true);
  EXPECT_EQ(load.wavefronts, store.wavefronts);
  EXPECT_TRUE(store.store && !load.store);
  return load.wavefronts;
}

/// The reference values of the bank rule, as profilers measured them.
TEST(Count, SharedWavefronts) {
  EXPECT_EQ(wavefronts(4, "d0 * 4"), 1);
  EXPECT_EQ(wavefronts(4, "d0 * 128"), 32);           // a column at pitch 128
  EXPECT_EQ(wavefronts(4, "d0 * 132"), 1);            // padded by a word
  EXPECT_EQ(wavefronts(4, "d0 * 8"), 2);              // every other word
  EXPECT_EQ(wavefronts(4, "0"), 1);                   // one word for all
  EXPECT_EQ(wavefronts(4, "d0 floordiv 8 * 128"), 4); // four words in one bank
  EXPECT_EQ(wavefronts(16, "d0 * 16"), 4);            // four phases
  EXPECT_EQ(wavefronts(16, "d0 * 144"), 4);           // rows at pitch 144
  EXPECT_EQ(wavefronts(16, "d0 * 128"), 32);          // rows at pitch 128
  EXPECT_EQ(wavefronts(16, "d0 * 32"), 8);            // every other 16 bytes
  EXPECT_EQ(wavefronts(16, "d0 * 80"), 4);
  EXPECT_EQ(wavefronts(8, "d0 * 8"), 2);
  EXPECT_EQ(wavefronts(8, "d0 * 128"), 32);
  EXPECT_EQ(wavefronts(8, "d0 floordiv 4 * 128 + d0 mod 4 * 8"), 8); // an f32 accumulator, pitch 128
  EXPECT_EQ(wavefronts(8, "d0 floordiv 4 * 144 + d0 mod 4 * 8"), 4); // pitch 144
  EXPECT_EQ(wavefronts(4, "d0 floordiv 4 * 128 + d0 mod 4 * 4"), 8); // a bf16 accumulator in pairs
  EXPECT_EQ(wavefronts(2, "d0 * 2"), 1);                             // two lanes a word
  EXPECT_EQ(wavefronts(1, "d0"), 1);
  EXPECT_EQ(wavefronts(2, "d0 * 128"), 32);
  EXPECT_EQ(wavefronts(1, "d0 * 4"), 1);
}

/// Without conflicts a request takes one wavefront a phase; idle lanes make phases, and requests, disappear.
TEST(Count, IdealWavefronts) {
  EXPECT_EQ(countOf(true, 16, "d0 * 128").idealWavefronts, 4);
  EXPECT_EQ(countOf(true, 8, "d0 * 128").idealWavefronts, 2);
  EXPECT_EQ(countOf(true, 4, "d0 * 128").idealWavefronts, 1);
  EXPECT_EQ(countOf(true, 16, "d0 * 16", 10).idealWavefronts, 2);
  EXPECT_EQ(wavefronts(16, "d0 * 16", 10), 2);
  AccessCount two = countOf(true, 4, "d0 * 4", 48);
  EXPECT_EQ(two.requests, 2);
  EXPECT_EQ(two.wavefronts, 2);
}

/// Sectors and lines a request touches, and the sectors its bytes would fill.
TEST(Count, GlobalSectors) {
  struct Case {
    int bytes;
    std::string map;
    int64_t sectors, ideal, lines;
  };
  const Case cases[] = {{16, "d0 * 16", 16, 16, 4},
                        {4, "d0 * 4", 4, 4, 1},
                        {4, "d0 * 4 + 4", 5, 4, 2},
                        {4, "d0 * 8", 8, 4, 2},
                        {4, "d0 * 128", 32, 4, 32},
                        {4, "0", 1, 1, 1},
                        {4, "124 - d0 * 4", 4, 4, 1},
                        {2, "d0 * 2", 2, 2, 1},
                        {1, "d0", 1, 1, 1},
                        {16, "d0 * 32", 32, 16, 8},
                        {8, "d0 floordiv 2 * 8", 4, 4, 1},
                        {1, "d0 + 31", 2, 1, 1},
                        {16, "d0 * 16 + 16", 17, 16, 5}};
  for (const Case &c : cases)
    for (bool store : {false, true}) {
      AccessCount count = countOf(false, c.bytes, c.map, 32, store);
      EXPECT_EQ(count.sectors, c.sectors) << c.bytes << ' ' << c.map;
      EXPECT_EQ(count.idealSectors, c.ideal) << c.bytes << ' ' << c.map;
      EXPECT_EQ(count.lines, c.lines) << c.bytes << ' ' << c.map;
      EXPECT_EQ(count.requests, 1);
      EXPECT_EQ(count.bytesPerLane, c.bytes);
      EXPECT_EQ(count.op, "simt.move");
    }
}

/// The address counts, not the index: a tensor that begins 4 bytes into a sector costs a sector more.
TEST(Count, TensorOffset) {
  Bench bench;
  bench.parameters = "%a: memref<?xf32>";
  bench.kinds = "tensor 0";
  HostTensor tensor = HostTensor::contiguous(ScalarType::F32, {64});
  tensor.shape = {32};
  tensor.offset = 1;
  bench.arguments = {tensor};
  bench.body = "%t = simt.thread_id : i32\n%v = simt.load %a[%t : i32] : memref<?xf32> -> f32";
  EXPECT_EQ(bench.run().globalLoadSectors, 5);
}

/// Counts against the definition, over random addresses and masks, at every width.
TEST(Count, AgainstDefinition) {
  uint64_t state = 12345;
  auto next = [&state](uint64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % n;
  };
  for (int trial = 0; trial < 60; ++trial) {
    int bytes = 1 << next(5);
    int64_t a = next(20), b = next(9) + 1, c = next(12), threads = next(32) + 1;
    // t -> bytes * (a * (t mod b) + c * (t div b))
    std::string map = std::to_string(bytes) + " * (d0 mod " + std::to_string(b) + " * " + std::to_string(a) +
                      " + d0 floordiv " + std::to_string(b) + " * " + std::to_string(c) + ")";
    std::vector<int64_t> address;
    for (int64_t t = 0; t < threads; ++t)
      address.push_back(bytes * (t % b * a + t / b * c));
    std::vector<bool> sectors(4096), lines(4096);
    for (int64_t at : address)
      sectors[at / 32] = lines[at / 128] = true;
    int64_t lanes = bytes <= 4 ? 32 : 128 / bytes, ofStore = 0, ofLoad = 0;
    auto fullestBank = [&](int64_t first, int64_t last) {
      std::vector<std::vector<bool>> words(32, std::vector<bool>(8192));
      for (int64_t t = first; t < std::min(threads, last); ++t)
        for (int64_t byte = 0; byte < bytes; ++byte)
          words[(address[t] + byte) / 4 % 32][(address[t] + byte) / 4] = true;
      int64_t most = 0;
      for (const std::vector<bool> &bank : words)
        most = std::max<int64_t>(most, std::count(bank.begin(), bank.end(), true));
      return most;
    };
    auto share = [&](int64_t first, int64_t distance) {
      bool all = lanes < 32;
      for (int64_t t = first; t < std::min(threads, first + 2 * lanes); ++t)
        all &= (t ^ distance) >= threads || address[t] == address[t ^ distance];
      return all;
    };
    for (int64_t first = 0; first < threads; first += lanes)
      ofStore += fullestBank(first, first + lanes);
    for (int64_t first = 0; first < threads; first += 2 * lanes)
      ofLoad += share(first, 1) || share(first, 2)
                    ? fullestBank(first, first + 2 * lanes)
                    : fullestBank(first, first + lanes) + fullestBank(first + lanes, first + 2 * lanes);
    int count = static_cast<int>(threads);
    EXPECT_EQ(countOf(true, bytes, map, count).wavefronts, ofLoad) << bytes << ' ' << map << ' ' << threads;
    EXPECT_EQ(countOf(true, bytes, map, count, true).wavefronts, ofStore) << bytes << ' ' << map << ' ' << threads;
    AccessCount global = countOf(false, bytes, map, static_cast<int>(threads));
    EXPECT_EQ(global.sectors, std::count(sectors.begin(), sectors.end(), true)) << map;
    EXPECT_EQ(global.lines, std::count(lines.begin(), lines.end(), true)) << map;
  }
}
