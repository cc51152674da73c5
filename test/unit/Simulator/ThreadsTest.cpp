// ThreadsTest.cpp - barriers, shuffles, atomics, blocks, asserts, prints and limits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Simulator/Harness.h"

#include <algorithm>

using namespace tile;
using namespace tile::simt;

/// A bench with an i32 tensor %a of `values`; the body may use %t, %ti, %c0 and %one, and begins on line 6.
static Bench threadBench(const std::string &body, int threads, const HostTensor &a) {
  Bench bench;
  bench.parameters = "%a: memref<?xi32>";
  bench.kinds = "tensor 0";
  bench.threads = threads;
  bench.arguments = {a};
  bench.body = "%t = simt.thread_id : index\n%ti = simt.thread_id : i32\n%c0 = arith.constant 0 : index\n"
               "%one = arith.constant 1 : i32\n" +
               body;
  return bench;
}

static HostTensor integers(size_t count, int32_t value = 0) {
  return tensorOf<int32_t>(ScalarType::I32, std::vector<int32_t>(count, value));
}

/// Every mode and distance, in full and partial warps: lanes without a partner keep their own value.
TEST(Threads, Shuffles) {
  for (int threads : {32, 48, 70, 5})
    for (std::string mode : {"xor", "up", "down", "idx"})
      for (int n : {0, 1, 2, 5, 16, 31, 33}) {
        HostTensor a = integers(threads);
        Bench bench = threadBench("%n = arith.constant " + std::to_string(n) +
                                      " : i32\n%h = arith.constant 100 : i32\n%x = arith.addi %ti, %h : i32\n"
                                      "%v = simt.shuffle " +
                                      mode + " %x, %n : i32, i32\nsimt.store %v, %a[%t : index] : i32, memref<?xi32>",
                                  threads, a);
        SimulatorResult result = bench.run();
        EXPECT_FALSE(result.fault);
        EXPECT_EQ(result.shuffles, (threads + 31) / 32);
        std::vector<int32_t> got = valuesOf<int32_t>(a);
        for (int t = 0; t < threads; ++t) {
          int lane = t % 32, d = n % 32;
          int source = mode == "xor" ? lane ^ d : mode == "up" ? lane - d : mode == "down" ? lane + d : d;
          bool exists = source >= 0 && source < 32 && t - lane + source < threads;
          EXPECT_EQ(got[t], 100 + (exists ? t - lane + source : t)) << mode << ' ' << n << ' ' << t;
        }
      }
}

/// The lane may come from a register and differ by thread.
TEST(Threads, ShuffleByIndexOfEachLane) {
  HostTensor a = integers(32);
  Bench bench = threadBench("%l = affine.apply affine_map<(d0) -> ((d0 * 7 + 3) mod 32)>(%t)\n%v = simt.shuffle idx "
                            "%ti, %l : i32, index\nsimt.store %v, %a[%t : index] : i32, memref<?xi32>",
                            32, a);
  EXPECT_EQ(bench.fault(), "");
  for (int t = 0; t < 32; ++t)
    EXPECT_EQ(valuesOf<int32_t>(a)[t], (t * 7 + 3) % 32);
}

/// A shuffle that only some threads of a warp reach.
TEST(Threads, DivergentShuffle) {
  EXPECT_EQ(threadBench("%lt = arith.cmpi slt, %ti, %one : i32\nscf.if %lt {\n%v = simt.shuffle xor %ti, %one : i32, "
                        "i32\n}",
                        32, integers(1))
                .fault(),
            "k.mlir:8:6: error: divergent shuffle: reached by 1 of the 32 threads of warp 0; every thread of the warp "
            "must reach it [block (0, 0, 0), thread 0]");
}

/// Barriers under a condition: of the thread (refused), of the warp (refused), of the block (fine).
TEST(Threads, Barriers) {
  auto conditional = [](const std::string &value, int bound, const std::string &tail = "") {
    return threadBench("%k = arith.constant " + std::to_string(bound) + " : index\n%in = arith.cmpi slt, " + value +
                           ", %k : index\nscf.if %in {\nsimt.barrier\n}" + tail,
                       64, integers(1))
        .fault();
  };
  EXPECT_EQ(
      conditional("%t", 48),
      "k.mlir:9:1: error: divergent barrier: reached by 16 of the 32 threads of warp 1; every thread of the block "
      "must reach it [block (0, 0, 0), thread 32]");
  EXPECT_EQ(conditional("%t", 32),
            "k.mlir:9:1: error: divergent barrier: warp 0 waits here while warp 1 has ended; every thread of the block "
            "must reach it [block (0, 0, 0), thread 0]");
  EXPECT_EQ(conditional("%t", 32, "\nsimt.barrier"),
            "k.mlir:9:1: error: divergent barrier: warp 0 waits here while warp 1 waits at another barrier; every "
            "thread of the block must reach it [block (0, 0, 0), thread 0]\nk.mlir:11:1: note: warp 1 waits here");
  EXPECT_EQ(conditional("%bx", 1), "");
}

/// Warps with different numbers of trips through a loop with a barrier.
TEST(Threads, BarrierInUnequalLoops) {
  std::string found = threadBench("%c1 = arith.constant 1 : index\n%w = affine.apply affine_map<(d0) -> (d0 floordiv "
                                  "32 + 1)>(%t)\nscf.for %i = %c0 to %w step %c1 {\nsimt.barrier\n}",
                                  64, integers(1))
                          .fault();
  EXPECT_NE(found.find("k.mlir:9:1: error: divergent barrier: warp 1 waits here while warp 0 has ended"),
            std::string::npos)
      << found;
}

/// A sum over 48 threads through shared memory, tree-wise, the same under every schedule.
TEST(Threads, SharedReductionUnderSeeds) {
  for (int seed = -1; seed < 12; ++seed) {
    HostTensor a = integers(3);
    Bench bench = threadBench(R"(%s = simt.shared : memref<64xi32, #simt.shared>
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %c16 = arith.constant 16 : index
      %zero = arith.constant 0 : i32
      %up = affine.apply affine_map<(d0) -> (d0 + 48)>(%t)
      %tail = arith.cmpi slt, %t, %c16 : index
      scf.if %tail {
        simt.store %zero, %s[%up : index] : i32, memref<64xi32, #simt.shared>
      }
      %sq = arith.muli %ti, %ti : i32
      simt.store %sq, %s[%t : index] : i32, memref<64xi32, #simt.shared>
      %c32 = arith.constant 32 : index
      %last = scf.for %i = %c0 to %c6 step %c1 iter_args(%half = %c32) -> (index) {
        simt.barrier
        %in = arith.cmpi slt, %t, %half : index
        scf.if %in {
          %o = arith.addi %t, %half : index
          %x = simt.load %s[%t : index] : memref<64xi32, #simt.shared> -> i32
          %y = simt.load %s[%o : index] : memref<64xi32, #simt.shared> -> i32
          %z = arith.addi %x, %y : i32
          simt.store %z, %s[%t : index] : i32, memref<64xi32, #simt.shared>
        }
        %next = arith.shrui %half, %c1 : index
        scf.yield %next : index
      }
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %r = simt.load %s[%c0 : index] : memref<64xi32, #simt.shared> -> i32
        simt.store %r, %a[%bx : index] : i32, memref<?xi32>
      })",
                              48, a);
    bench.grid = {3};
    if (seed >= 0)
      bench.options.seed = seed;
    SimulatorResult result = bench.run();
    EXPECT_FALSE(result.fault) << toString(*result.fault);
    EXPECT_EQ(result.barriers, 18);
    EXPECT_EQ(result.blocks, 3);
    EXPECT_EQ(valuesOf<int32_t>(a), (std::vector<int32_t>(3, 47 * 48 * 95 / 6)));
  }
}

/// Atomics return what was there before, each value once.
TEST(Threads, AtomicOldValues) {
  HostTensor a = integers(101);
  Bench bench = threadBench("%old = simt.atomic add %one, %a[%c0 : index] : i32, memref<?xi32> -> i32\n"
                            "%c1 = arith.constant 1 : index\n%i = affine.apply affine_map<(d0) -> (d0 + 1)>(%t)\n"
                            "simt.store %old, %a[%i : index] : i32, memref<?xi32>",
                            100, a);
  bench.options.seed = 7;
  EXPECT_EQ(bench.fault(), "");
  std::vector<int32_t> got = valuesOf<int32_t>(a);
  EXPECT_EQ(got[0], 100);
  std::sort(got.begin() + 1, got.end());
  for (int t = 0; t < 100; ++t)
    EXPECT_EQ(got[t + 1], t);
}

/// Every kind on i32, in global memory, against a fold in thread order.
TEST(Threads, AtomicKinds) {
  const std::vector<int32_t> values = {5, -7, 12, 0, -1, 100, 3};
  auto fold = [&](const std::string &kind, int32_t a, int32_t b) -> int32_t {
    auto ua = static_cast<uint32_t>(a), ub = static_cast<uint32_t>(b);
    return kind == "add"    ? a + b
           : kind == "max"  ? std::max(a, b)
           : kind == "min"  ? std::min(a, b)
           : kind == "umax" ? static_cast<int32_t>(std::max(ua, ub))
           : kind == "umin" ? static_cast<int32_t>(std::min(ua, ub))
           : kind == "and"  ? a & b
           : kind == "or"   ? a | b
           : kind == "xor"  ? a ^ b
                            : b;
  };
  for (std::string kind : {"add", "max", "min", "umax", "umin", "and", "or", "xor", "exchange"}) {
    HostTensor a = tensorOf<int32_t>(ScalarType::I32, {6}), in = tensorOf<int32_t>(ScalarType::I32, values);
    Bench bench = threadBench("%v = simt.load %in[%t : index] : memref<?xi32> -> i32\nsimt.atomic " + kind +
                                  " %v, %a[%c0 : index] : i32, memref<?xi32>",
                              static_cast<int>(values.size()), a);
    bench.parameters += ", %in: memref<?xi32>";
    bench.kinds += ", tensor 1";
    bench.arguments.push_back(in);
    EXPECT_EQ(bench.fault(), "");
    int32_t expected = 6;
    for (int32_t value : values)
      expected = fold(kind, expected, value);
    EXPECT_EQ(valuesOf<int32_t>(a)[0], expected) << kind;
  }
}

/// A float sum rounds after each addition; lanes of an atomic each take a wavefront of their own in a bank.
TEST(Threads, AtomicFloatAdd) {
  HostTensor a = tensorOf<float>(ScalarType::F32, {16777216.0f});
  Bench bench =
      threadBench("%s = simt.shared : memref<1xf32, #simt.shared>\n%f = arith.constant 1.0 : f32\n"
                  "%first = arith.cmpi eq, %t, %c0 : index\nscf.if %first {\nsimt.store %f, %s[%c0 : index] : "
                  "f32, memref<1xf32, #simt.shared>\n}\nsimt.atomic add %f, %s[%c0 : index] : f32, "
                  "memref<1xf32, #simt.shared>\nsimt.atomic add %f, %a[%c0 : index] : f32, memref<?xf32>",
                  32, a);
  bench.parameters = "%a: memref<?xf32>";
  SimulatorResult result = bench.run();
  EXPECT_FALSE(result.fault) << toString(*result.fault);
  EXPECT_EQ(valuesOf<float>(a)[0], 16777216.0f); // 2^24 + 1 rounds back each time
  EXPECT_EQ(result.accesses[1].wavefronts, 32);
  EXPECT_EQ(result.globalStoreRequests, 1);
}

/// Every block of a two-dimensional grid runs once, under every seed; a zero extent runs none.
TEST(Threads, Grids) {
  for (int seed = -1; seed < 6; ++seed) {
    HostTensor a = integers(35);
    Bench bench = threadBench("%i = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 5)>(%bx, %by)\nsimt.atomic add "
                              "%one, %a[%i : index] : i32, memref<?xi32>",
                              1, a);
    bench.grid = {5, 7};
    if (seed >= 0)
      bench.options.seed = seed;
    SimulatorResult result = bench.run();
    EXPECT_EQ(result.blocks, 35);
    EXPECT_EQ(valuesOf<int32_t>(a), std::vector<int32_t>(35, 1));
    bench.grid = {5, 0};
    result = bench.run();
    EXPECT_FALSE(result.fault);
    EXPECT_EQ(result.blocks, 0);
    EXPECT_EQ(result.warpInstructions, 0);
  }
}

/// An assertion names its message, block and thread.
TEST(Threads, Assert) {
  Bench bench = threadBench("%k = arith.constant 40 : i32\n%ok = arith.cmpi slt, %ti, %k : i32\n"
                            "simt.assert %ok, \"index below forty\"",
                            64, integers(1));
  bench.grid = {3};
  EXPECT_EQ(bench.fault(), "k.mlir:8:1: error: assertion failed: index below forty [block (0, 0, 0), thread 40]");
}

/// A print writes one line a thread, with the label first.
TEST(Threads, Print) {
  Bench bench =
      threadBench("%f = arith.sitofp %ti : i32 to f32\nsimt.print \"here:\" %ti, %f : i32, f32", 2, integers(1));
  std::string text;
  llvm::raw_string_ostream stream(text);
  bench.options.print = &stream;
  EXPECT_EQ(bench.fault(), "");
  EXPECT_EQ(text, "here: 0 0\nhere: 1 1\n");
}

/// A loop without end stops at the limit, at its place.
TEST(Threads, StepLimit) {
  Bench bench = threadBench("%true = arith.constant true\nscf.while : () -> () {\nscf.condition(%true)\n} do {\n"
                            "scf.yield\n}",
                            32, integers(1));
  bench.options.maxSteps = 10000;
  std::string found = bench.fault();
  EXPECT_NE(found.find("the limit of 10000 warp instructions is reached; warp 0 would go on here"), std::string::npos)
      << found;
}

/// Divisions without a result fault with their line and thread; a lane that is switched off does not.
TEST(Threads, Divisions) {
  EXPECT_EQ(threadBench("%q = arith.divsi %one, %ti : i32", 32, integers(1)).fault(),
            "k.mlir:6:6: error: division by zero [block (0, 0, 0), thread 0]");
  EXPECT_EQ(threadBench("%m = arith.constant -1 : i32\n%l = arith.constant -2147483648 : i32\n%q = arith.divsi %l, %m "
                        ": i32",
                        32, integers(1))
                .fault(),
            "k.mlir:8:6: error: lowest integer divided by -1 [block (0, 0, 0), thread 0]");
  EXPECT_EQ(threadBench("%z = arith.constant 0 : i32\n%nz = arith.cmpi ne, %ti, %z : i32\nscf.if %nz {\n%q = "
                        "arith.divsi %one, %ti : i32\n}",
                        40, integers(1))
                .fault(),
            "");
  EXPECT_EQ(threadBench("%q = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%t)[%c0]", 32, integers(1)).fault(),
            "k.mlir:6:6: error: division by 0 in an index expression [block (0, 0, 0), thread 0]");
}

/// Loops that C could not count.
TEST(Threads, BadLoops) {
  EXPECT_EQ(threadBench("scf.for %i = %c0 to %t step %c0 {\n}", 32, integers(1)).fault(),
            "k.mlir:6:1: error: loop with step 0; the step must be positive [block (0, 0, 0), thread 0]");
  std::string found = threadBench("%lo = arith.constant 2147483640 : i32\n%hi = arith.constant 2147483647 : i32\n%st = "
                                  "arith.constant 5 : i32\nscf.for %i = %lo to %hi step %st : i32 {\n}",
                                  1, integers(1))
                          .fault();
  EXPECT_NE(found.find("k.mlir:9:1: error: loop variable 2147483645 plus step 5 exceeds i32"), std::string::npos)
      << found;
}
