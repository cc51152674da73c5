// RaceTest.cpp - what orders two accesses, and what does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Simulator/Harness.h"

using namespace tile;
using namespace tile::simt;

/// A bench whose body may use %t, %s (256 shared f32), %a (a tensor of 256 f32), %f = t, and a few constants; the body
/// begins on line 10.
static Bench raceBench(const std::string &body, int threads = 64) {
  Bench bench;
  bench.parameters = "%a: memref<?xf32>";
  bench.kinds = "tensor 0";
  bench.threads = threads;
  bench.arguments = {HostTensor::contiguous(ScalarType::F32, {256})};
  bench.body = "%t = simt.thread_id : index\n%ti = simt.thread_id : i32\n%f = arith.sitofp %ti : i32 to f32\n"
               "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c16 = arith.constant 16 : index\n"
               "%s = simt.shared : memref<256xf32, #simt.shared>\n"
               "%low = arith.cmpi slt, %t, %c16 : index\n" +
               body;
  return bench;
}

static std::string store(const std::string &index, const std::string &value = "%f") {
  return "simt.store " + value + ", %s[" + index + " : index] : f32, memref<256xf32, #simt.shared>\n";
}

static std::string load(const std::string &name, const std::string &index) {
  return name + " = simt.load %s[" + index + " : index] : memref<256xf32, #simt.shared> -> f32\n";
}

static std::string mirror(int threads) {
  return "%m = affine.apply affine_map<(d0) -> (" + std::to_string(threads - 1) + " - d0)>(%t)\n";
}

/// A read of what another warp wrote, without a barrier, is a race with both places; with the barrier it is none.
TEST(Race, MissingBarrierBetweenWarps) {
  EXPECT_EQ(raceBench(store("%t") + mirror(64) + load("%v", "%m")).fault(),
            "k.mlir:12:6: error: read of element 63 of a shared buffer (byte 252), which no thread has written [block "
            "(0, 0, 0), thread 0]")
      << "in order, warp 0 reads before warp 1 has written";
  EXPECT_EQ(
      raceBench(store("%t") + "%m = affine.apply affine_map<(d0) -> (d0 mod 32)>(%t)\n" + load("%v", "%m")).fault(),
      "k.mlir:12:6: error: data race: thread 32 reads element 0 of a shared buffer (byte 0), which thread 0 "
      "wrote, with no barrier between [block (0, 0, 0), thread 32]\n"
      "k.mlir:10:1: note: written here by thread 0");
  EXPECT_EQ(raceBench(store("%t") + "simt.barrier\n" + mirror(64) + load("%v", "%m")).fault(), "");
}

/// A buffer used again without a barrier after its reads: whichever comes first, the other one races with it.
TEST(Race, WriteAfterRead) {
  std::string head = store("%t") + "simt.barrier\n" + mirror(64) + load("%v", "%m");
  EXPECT_EQ(raceBench(head + store("%t")).fault(),
            "k.mlir:13:6: error: data race: thread 32 reads element 31 of a shared buffer (byte 124), which thread 31 "
            "wrote, with no barrier between [block (0, 0, 0), thread 32]\n"
            "k.mlir:14:1: note: written here by thread 31");
  EXPECT_EQ(raceBench(head + "simt.barrier\n" + store("%t")).fault(), "");
  // Here only the upper warp writes, after the lower one has read.
  std::string upper = "%c32 = arith.constant 32 : index\n%up = arith.cmpi sge, %t, %c32 : index\n"
                      "%d = affine.apply affine_map<(d0) -> (d0 mod 32)>(%t)\nscf.if %up {\n" +
                      store("%d") + "}\n";
  EXPECT_EQ(raceBench(store("%t") + "simt.barrier\n" + load("%v", "%t") + upper).fault(),
            "k.mlir:17:1: error: data race: thread 32 writes element 0 of a shared buffer (byte 0), which thread 0 "
            "read, with no barrier between [block (0, 0, 0), thread 32]\n"
            "k.mlir:12:6: note: read here by thread 0");
}

/// The race is found under every seed, and so is its absence.
TEST(Race, FoundUnderEverySeed) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Bench bad = raceBench(store("%t") + "simt.barrier\n" + mirror(64) + load("%v", "%m") + store("%t"));
    bad.options.seed = seed;
    EXPECT_NE(bad.fault().find("data race"), std::string::npos) << seed;
    Bench good =
        raceBench(store("%t") + "simt.barrier\n" + mirror(64) + load("%v", "%m") + "simt.barrier\n" + store("%t"));
    good.options.seed = seed;
    EXPECT_EQ(good.fault(), "") << seed;
  }
}

/// Two warps write one element.
TEST(Race, WriteWrite) {
  std::string found = raceBench("%m = affine.apply affine_map<(d0) -> (d0 mod 32)>(%t)\n" + store("%m")).fault();
  EXPECT_NE(found.find("thread 32 writes element 0 of a shared buffer (byte 0), which thread 0 wrote, with no barrier"),
            std::string::npos)
      << found;
}

/// In one instruction, lanes may write one value to one place, but not two values.
TEST(Race, OneInstruction) {
  EXPECT_EQ(raceBench("%one = arith.constant 1.0 : f32\n" + store("%c0", "%one"), 32).fault(), "");
  EXPECT_EQ(raceBench(store("%c0"), 32).fault(),
            "k.mlir:10:1: error: data race: threads 0 and 1 write different values to element 0 of a shared buffer "
            "(byte 0) in one instruction [block (0, 0, 0), thread 1]");
}

/// Within a warp, converged instructions are ordered.
TEST(Race, ConvergedWarpIsOrdered) {
  EXPECT_EQ(raceBench(store("%t") + mirror(32) + load("%v", "%m") + store("%t"), 32).fault(), "");
  EXPECT_EQ(raceBench("scf.if %low {\n" + store("%t") + "}\n%m = affine.apply affine_map<(d0) -> (d0 mod 16)>(%t)\n" +
                          load("%v", "%m"),
                      32)
                .fault(),
            "");
}

/// The two branches of a condition are not ordered, even in one warp.
TEST(Race, DivergedLanesAreNotOrdered) {
  std::string branches = "scf.if %low {\n" + store("%t") +
                         "} else {\n%m = affine.apply affine_map<(d0) -> (d0 - 16)>(%t)\n" + load("%v", "%m") + "}";
  EXPECT_EQ(raceBench(branches, 32).fault(),
            "k.mlir:14:6: error: data race: thread 16 reads element 0 of a shared buffer (byte 0), which thread 0 "
            "wrote, with no barrier between [block (0, 0, 0), thread 16]\n"
            "k.mlir:11:1: note: written here by thread 0");
}

/// Lanes that left a loop earlier are ordered before the trips that follow.
TEST(Race, LoopsReconverge) {
  EXPECT_EQ(raceBench(store("%t") + "scf.for %i = %c0 to %t step %c1 {\n" + store("%t") +
                          "}\n%m = affine.apply affine_map<(d0) -> (d0 mod 32)>(%t)\n" + load("%v", "%m"),
                      32)
                .fault(),
            "");
  EXPECT_EQ(raceBench(store("%t") + "scf.for %i = %c0 to %t step %c1 {\n" + load("%v", "%i") + "}", 32).fault(), "");
}

/// Bytes count, not elements: neighbours in one word do not race, in any order of warps.
TEST(Race, NeighbouringBytes) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Bench bench;
    bench.threads = 256;
    bench.options.seed = seed;
    bench.body = R"(%t = simt.thread_id : index
      %s = simt.shared : memref<256xi8, #simt.shared>
      %i = affine.apply affine_map<(d0) -> (d0 floordiv 8 + d0 mod 8 * 32)>(%t)
      %v = arith.constant 7 : i8
      simt.store %v, %s[%i : index] : i8, memref<256xi8, #simt.shared>
      %r = simt.load %s[%i : index] : memref<256xi8, #simt.shared> -> i8)";
    EXPECT_EQ(bench.fault(), "");
  }
}

/// Two buffers at one place of the arena race as bytes, though their types differ.
TEST(Race, OverlappingBuffers) {
  std::string body = R"(%t = simt.thread_id : index
    %x = simt.shared at 0 : memref<64xf32, #simt.shared>
    %y = simt.shared at 0 : memref<128xf16, #simt.shared>
    %f = arith.constant 1.0 : f32
    %h = arith.constant 2.0 : f16
    simt.store %f, %x[%t : index] : f32, memref<64xf32, #simt.shared>
    BARRIER
    simt.store %h, %y[%t : index] : f16, memref<128xf16, #simt.shared>)";
  Bench good;
  good.threads = 64;
  good.body = body;
  good.body.replace(good.body.find("BARRIER"), 7, "simt.barrier");
  EXPECT_EQ(good.fault(), "");
  Bench bad;
  bad.threads = 64;
  bad.body = body;
  bad.body.replace(bad.body.find("BARRIER"), 7, "");
  EXPECT_NE(bad.fault().find("k.mlir:9:5: error: data race: thread 32 writes element 32"), std::string::npos);
}

/// Tensors the kernel writes are watched too: read by one thread, written by another, in one block.
TEST(Race, GlobalWithinBlock) {
  std::string write = "simt.store %f, %a[%t : index] : f32, memref<?xf32>\n";
  std::string read = "%m = affine.apply affine_map<(d0) -> (d0 mod 32)>(%t)\n%v = simt.load %a[%m : index] : "
                     "memref<?xf32> -> f32\n";
  EXPECT_EQ(raceBench(write + read).fault(),
            "k.mlir:12:6: error: data race: thread 32 reads element 0 of argument 0, which thread 0 wrote, with no "
            "barrier between [block (0, 0, 0), thread 32]\nk.mlir:10:1: note: written here by thread 0");
  EXPECT_EQ(raceBench(write + "simt.barrier\n" + read).fault(), "");
  Bench unwatched = raceBench(write + read);
  unwatched.options.detectRaces = false;
  EXPECT_EQ(unwatched.fault(), "");
}

/// Two arguments on one storage are one memory.
TEST(Race, AliasingArguments) {
  HostTensor x = HostTensor::contiguous(ScalarType::F32, {64}), y = x;
  Bench bench;
  bench.parameters = "%x: memref<?xf32>, %y: memref<?xf32>";
  bench.kinds = "tensor 0, tensor 1";
  bench.threads = 64;
  bench.arguments = {x, y};
  bench.body = R"(%t = simt.thread_id : index
    %m = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
    %v = simt.load %x[%m : index] : memref<?xf32> -> f32
    simt.store %v, %y[%t : index] : f32, memref<?xf32>)";
  EXPECT_NE(bench.fault().find("data race: thread 32 reads element 31 of argument 0, which thread 31 wrote"),
            std::string::npos);
}

/// Atomics do not race with each other, but with ordinary accesses.
TEST(Race, Atomics) {
  std::string init = "%first = arith.cmpi eq, %t, %c0 : index\nscf.if %first {\n" + store("%c0") + "}\nsimt.barrier\n";
  std::string add = "simt.atomic add %f, %s[%c0 : index] : f32, memref<256xf32, #simt.shared>\n";
  EXPECT_EQ(raceBench(init + add).fault(), "");
  EXPECT_EQ(raceBench(init + add + "simt.barrier\n" + load("%v", "%c0")).fault(), "");
  EXPECT_NE(raceBench(init + add + load("%v", "%c0")).fault().find("data race"), std::string::npos);
  EXPECT_NE(raceBench(init + load("%v", "%c0") + add).fault().find("data race"), std::string::npos);
}

/// Blocks know nothing of each other: the same elements, written by each block, are no race.
TEST(Race, BlocksAreSeparate) {
  Bench bench = raceBench("simt.store %f, %a[%t : index] : f32, memref<?xf32>\n" + store("%t") + load("%v", "%t"));
  bench.grid = {5};
  EXPECT_EQ(bench.fault(), "");
}

static std::string fly(const std::string &index, int bytes = 4) {
  return "simt.move %a[" + index + " : index] to %s[" + index + " : index] bytes " + std::to_string(bytes) +
         " async : memref<?xf32> to memref<256xf32, #simt.shared>\n";
}

/// What a thread moves asynchronously is there for it once it has awaited it, and for others behind a barrier after
/// that.
TEST(Race, AsynchronousMoves) {
  EXPECT_EQ(raceBench(fly("%t") + load("%v", "%t")).fault(),
            "k.mlir:11:6: error: read of element 0 of a shared buffer (byte 0), which an asynchronous move of thread 0 "
            "brings; that thread has not awaited it [block (0, 0, 0), thread 0]");
  EXPECT_EQ(
      raceBench(fly("%t") + store("%t")).fault(),
      "k.mlir:11:1: error: write of element 0 of a shared buffer (byte 0), which an asynchronous move of thread 0 "
      "brings; that thread has not awaited it [block (0, 0, 0), thread 0]");
  EXPECT_EQ(raceBench(fly("%t") + "simt.await\n" + load("%v", "%t")).fault(), "");
  std::string others = mirror(64) + load("%v", "%m");
  EXPECT_EQ(raceBench(fly("%t") + "simt.await\nsimt.barrier\n" + others).fault(), "");
  EXPECT_EQ(
      raceBench(fly("%t") + "simt.barrier\n" + others).fault(),
      "k.mlir:13:6: error: read of element 63 of a shared buffer (byte 252), which an asynchronous move of thread 63 "
      "brings; that thread has not awaited it [block (0, 0, 0), thread 0]");
  // Awaited only after the barrier: for other threads the bytes come then.
  std::string near = "%m = affine.apply affine_map<(d0) -> ((d0 + 32) mod 64)>(%t)\n" + load("%v", "%m");
  EXPECT_NE(raceBench(fly("%t") + "simt.barrier\nsimt.await\n" + near).fault(), "");
  // A wide move flies whole; the next block finds nothing on its way.
  Bench wide = raceBench("%w = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)\n" + fly("%w", 16));
  wide.grid = {3};
  EXPECT_EQ(wide.fault(), "");
  wide.body += "%l = affine.apply affine_map<(d0) -> (d0 * 4 + 3)>(%t)\n" + load("%v", "%l");
  EXPECT_NE(wide.fault().find("element 3 of a shared buffer (byte 12), which an asynchronous move"), std::string::npos);
}
