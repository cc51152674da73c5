// MemoryTest.cpp - wild, misaligned and uninitialised accesses, each with its line; views, moves, strides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Simulator/Harness.h"

#include <numeric>

using namespace tile;
using namespace tile::simt;

/// The fault of a body that may use %t and constants %c0 … %c3, with one f32 tensor %a and one size %n.
static std::string faultOf(const std::string &body, HostTensor a, int64_t n, int threads = 32) {
  Bench bench;
  bench.parameters = "%a: memref<?xf32>, %n: index";
  bench.kinds = "tensor 0, symbol 0";
  bench.symbols = {n};
  bench.threads = threads;
  bench.arguments = {std::move(a)};
  bench.body = "%t = simt.thread_id : index\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
               "%f = arith.constant 1.5 : f32\n" +
               body;
  return bench.fault(); // `body` begins on line 6
}

static HostTensor floats(int64_t count) {
  return HostTensor::contiguous(ScalarType::F32, {count});
}

/// A read and a write past the end of a tensor name the first thread that goes wrong and the tensor.
TEST(Memory, GlobalOutOfBounds) {
  EXPECT_EQ(faultOf("%v = simt.load %a[%t : index] : memref<?xf32> -> f32", floats(20), 20),
            "k.mlir:6:6: error: read of element 20 outside argument 0, shape [20], strides [1] [block (0, 0, 0), "
            "thread 20]");
  EXPECT_EQ(
      faultOf("%i = arith.subi %t, %c1 : index\nsimt.store %f, %a[%i : index] : f32, memref<?xf32>", floats(32), 32),
      "k.mlir:7:1: error: write of element -1 outside argument 0, shape [32], strides [1] [block (0, 0, 0), "
      "thread 0]");
  EXPECT_EQ(faultOf("%v = simt.load %a[%t : index] : memref<?xf32> -> f32", floats(32), 32), "");
}

/// A tensor without elements has no valid access, and no thread that makes none is at fault.
TEST(Memory, EmptyTensor) {
  EXPECT_NE(faultOf("%v = simt.load %a[%c0 : index] : memref<?xf32> -> f32", floats(0), 0).find("outside argument 0"),
            std::string::npos);
  EXPECT_EQ(faultOf("%in = arith.cmpi slt, %t, %n : index\nscf.if %in {\n%v = simt.load %a[%t : index] : memref<?xf32> "
                    "-> f32\n}",
                    floats(0), 0),
            "");
}

/// Padding between rows belongs to nobody, whatever the strides: checked element by element against enumeration.
TEST(Memory, StridedTensors) {
  struct Case {
    std::vector<int64_t> shape, strides;
  };
  const Case cases[] = {{{3, 4}, {6, 1}},   {{3, 4}, {1, 3}},     {{3, 4}, {1, 5}}, {{2, 3, 2}, {9, 2, 1}},
                        {{4, 3}, {1, 2}},   {{5, 1}, {2, 77}},    {{3, 4}, {0, 1}}, {{3, 3}, {-4, 1}},
                        {{2, 2}, {-1, -3}}, {{1, 1}, {100, 100}}, {{2, 0}, {1, 1}}, {{3, 3}, {2, 3}}};
  for (const Case &c : cases) {
    constexpr int64_t kOffset = 16, kStorage = 48;
    HostTensor tensor = floats(kStorage);
    tensor.shape = c.shape;
    tensor.strides = c.strides;
    tensor.offset = kOffset;
    std::vector<bool> valid(kStorage, false);
    std::vector<int64_t> index(c.shape.size(), 0);
    for (int64_t i = 0, count = tensor.numElements(); i < count; ++i) {
      int64_t place = 0, rest = i;
      for (size_t d = 0; d < c.shape.size(); ++d) {
        place += rest % c.shape[d] * c.strides[d];
        rest /= c.shape[d];
      }
      valid[kOffset + place] = true;
    }
    for (int64_t element = -kOffset; element < kStorage - kOffset; ++element) {
      std::string found = faultOf("%v = simt.load %a[%n : index] : memref<?xf32> -> f32", tensor, element, 1);
      EXPECT_EQ(found.empty(), valid[kOffset + element]) << element << ": " << found;
    }
  }
}

/// A wide access must lie in the tensor as a whole.
TEST(Memory, MovesReachAcrossTheEnd) {
  std::string body = "%r = simt.registers : memref<4xf32, #simt.register>\n"
                     "simt.move %a[%n : index] to %r[%c0 : index] bytes 16 : memref<?xf32> to memref<4xf32, "
                     "#simt.register>";
  EXPECT_EQ(faultOf(body, floats(8), 4), "");
  EXPECT_NE(faultOf(body, floats(7), 4).find("k.mlir:7:1: error: read of elements 4 to 7 outside argument 0"),
            std::string::npos);
}

/// A wide access at an address that is no multiple of its width faults: by index, and by where the tensor begins.
TEST(Memory, Misalignment) {
  std::string body = "%r = simt.registers : memref<4xf32, #simt.register>\n"
                     "simt.move %a[%n : index] to %r[%c0 : index] bytes 16 : memref<?xf32> to memref<4xf32, "
                     "#simt.register>";
  EXPECT_EQ(faultOf(body, floats(8), 1),
            "k.mlir:7:1: error: read of 16 bytes at byte 4 of the storage of argument 0, shape [8], strides [1]; it "
            "must be a multiple of 16 [block (0, 0, 0), thread 0]");
  HostTensor shifted = floats(12);
  shifted.shape = {8};
  shifted.offset = 2;
  EXPECT_NE(faultOf(body, shifted, 0).find("at byte 8 of"), std::string::npos);
  EXPECT_EQ(faultOf(body, shifted, 2), "");
}

/// Indices outside shared memory, registers and private arrays fault with the size of the buffer.
TEST(Memory, ArraysOutOfBounds) {
  EXPECT_EQ(faultOf("%s = simt.shared : memref<30xf32, #simt.shared>\nsimt.store %f, %s[%t : index] : f32, "
                    "memref<30xf32, #simt.shared>",
                    floats(1), 1),
            "k.mlir:7:1: error: write of element 30 outside a shared buffer of 30 elements [block (0, 0, 0), thread "
            "30]");
  EXPECT_NE(faultOf("%s = simt.local : memref<8xf32, #simt.local>\n%v = simt.load %s[%t : index] : memref<8xf32, "
                    "#simt.local> -> f32",
                    floats(1), 1)
                .find("k.mlir:7:6: error: read of element 8 outside a private array of 8 elements"),
            std::string::npos);
  EXPECT_NE(faultOf("%s = simt.registers : memref<1xf32, #simt.register>\nsimt.store %f, %s[%c1 : index] : f32, "
                    "memref<1xf32, #simt.register>",
                    floats(1), 1)
                .find("write of element 1 outside a register array of 1 elements"),
            std::string::npos);
}

/// A padded move brings what was written; what was not counts as not written in the registers it comes to.
TEST(Memory, PaddedMoves) {
  auto readBehind = [](const std::string &attributes, int element) {
    return faultOf("%s = simt.shared : memref<4xf32, #simt.shared>\n"
                   "%r = simt.registers : memref<4xf32, #simt.register>\n"
                   "simt.store %f, %r[%c1 : index] : f32, memref<4xf32, #simt.register>\n"
                   "simt.store %f, %s[%c0 : index] : f32, memref<4xf32, #simt.shared>\nsimt.barrier\n"
                   "simt.move %s[%c0 : index] to %r[%c0 : index] bytes 16 " +
                       attributes +
                       " : memref<4xf32, #simt.shared> to memref<4xf32, #simt.register>\n"
                       "%v = simt.load %r[%c" +
                       std::to_string(element) + " : index] : memref<4xf32, #simt.register> -> f32",
                   floats(1), 1);
  };
  EXPECT_EQ(readBehind("{simt.padded}", 0), "");
  EXPECT_EQ(readBehind("{simt.padded}", 1),
            "k.mlir:12:6: error: read of element 1 of a register array, which the thread has not written [block (0, 0, "
            "0), thread 0]");
  EXPECT_EQ(readBehind("", 0), "k.mlir:11:1: error: read of element 1 of a shared buffer (byte 4), which no thread has "
                               "written [block (0, 0, 0), thread 0]");
}

/// What nobody wrote may not be read: shared memory, registers, private arrays, and any part of a wide access.
TEST(Memory, UninitialisedReads) {
  EXPECT_EQ(faultOf("%s = simt.shared : memref<32xf32, #simt.shared>\nsimt.store %f, %s[%c0 : index] : f32, "
                    "memref<32xf32, #simt.shared>\nsimt.barrier\n%v = simt.load %s[%c1 : index] : memref<32xf32, "
                    "#simt.shared> -> f32",
                    floats(1), 1),
            "k.mlir:9:6: error: read of element 1 of a shared buffer (byte 4), which no thread has written [block (0, "
            "0, 0), thread 0]");
  EXPECT_EQ(faultOf("%r = simt.registers : memref<4xf32, #simt.register>\nsimt.store %f, %r[%c0 : index] : f32, "
                    "memref<4xf32, #simt.register>\nsimt.move %r[%c0 : index] to %a[%c0 : index] bytes 8 : "
                    "memref<4xf32, #simt.register> to memref<?xf32>",
                    floats(4), 1, 1),
            "k.mlir:8:1: error: read of element 1 of a register array, which the thread has not written [block (0, 0, "
            "0), thread 0]");
  EXPECT_NE(
      faultOf("%l = simt.local : memref<40xf32, #simt.local>\nsimt.store %f, %l[%t : index] : f32, memref<40xf32, "
              "#simt.local>\n%v = simt.load %l[%c1 : index] : memref<40xf32, #simt.local> -> f32",
              floats(4), 1)
          .find("read of element 1 of a private array, which the thread has not written [block (0, 0, 0), thread "
                "0]"),
      std::string::npos);
}

/// Registers declared in a loop hold nothing at the start of each trip, and shared memory nothing in the next block.
TEST(Memory, StorageIsFreshEachTime) {
  std::string loop = faultOf(R"(%c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %r = simt.registers : memref<1xf32, #simt.register>
      %first = arith.cmpi eq, %i, %c0 : index
      scf.if %first {
        simt.store %f, %r[%c0 : index] : f32, memref<1xf32, #simt.register>
      }
      %v = simt.load %r[%c0 : index] : memref<1xf32, #simt.register> -> f32
    })",
                             floats(1), 1);
  EXPECT_NE(loop.find("which the thread has not written"), std::string::npos);
  Bench bench;
  bench.grid = {2};
  bench.body = R"(%c0 = arith.constant 0 : index
    %s = simt.shared at 0 : memref<1xi8, #simt.shared>
    %one = arith.constant 1 : i8
    %first = arith.cmpi eq, %bx, %c0 : index
    scf.if %first {
      simt.store %one, %s[%c0 : index] : i8, memref<1xi8, #simt.shared>
    }
    simt.barrier
    %v = simt.load %s[%c0 : index] : memref<1xi8, #simt.shared> -> i8)";
  EXPECT_EQ(bench.fault(), "k.mlir:10:10: error: read of element 0 of a shared buffer (byte 0), which no thread has "
                           "written [block (1, 0, 0), thread 0]");
}

/// Bytes survive a way through registers, shared memory, and views of another type, at every width.
TEST(Memory, MovesAndViews) {
  for (int bytes : {1, 2, 4, 8, 16}) {
    std::vector<uint8_t> values(64 * 16);
    std::iota(values.begin(), values.end(), uint8_t(3));
    HostTensor in = tensorOf<uint8_t>(ScalarType::I8, values), out = tensorOf<uint8_t>(ScalarType::I8, values);
    std::fill(out.storage->begin(), out.storage->end(), std::byte{0});
    std::string width = std::to_string(bytes);
    Bench bench;
    bench.parameters = "%in: memref<?xi8>, %out: memref<?xi8>";
    bench.kinds = "tensor 0, tensor 1";
    bench.threads = 64;
    bench.attributes = ", sharedBytes = 1056 : i64";
    bench.arguments = {in, out};
    bench.body = "%t = simt.thread_id : index\n%c0 = arith.constant 0 : index\n"
                 "%raw = simt.shared at 32 : memref<1024xi8, #simt.shared>\n"
                 "%s = simt.view %raw at 0 : memref<1024xi8, #simt.shared> to memref<1024xi8, #simt.shared>\n"
                 "%r = simt.registers : memref<4xf32, #simt.register>\n"
                 "%rb = simt.view %r at 0 : memref<4xf32, #simt.register> to memref<16xi8, #simt.register>\n"
                 "%i = affine.apply affine_map<(d0) -> (d0 * " +
                 width + ")>(%t)\n%j = affine.apply affine_map<(d0) -> (" + std::to_string(63 * bytes) + " - d0 * " +
                 width +
                 ")>(%t)\n"
                 "simt.move %in[%i : index] to %rb[%c0 : index] bytes " +
                 width +
                 " : memref<?xi8> to memref<16xi8, #simt.register>\nsimt.move %rb[%c0 : index] to %s[%i : "
                 "index] bytes " +
                 width +
                 " : memref<16xi8, #simt.register> to memref<1024xi8, #simt.shared>\nsimt.barrier\nsimt.move "
                 "%s[%j : index] to %out[%i : index] bytes " +
                 width + " : memref<1024xi8, #simt.shared> to memref<?xi8>";
    EXPECT_EQ(bench.fault(), "");
    std::vector<uint8_t> got = valuesOf<uint8_t>(out);
    for (int t = 0; t < 64; ++t)
      for (int b = 0; b < bytes; ++b)
        EXPECT_EQ(got[t * bytes + b], values[(63 - t) * bytes + b]) << bytes << ' ' << t;
  }
}

/// i1 tensors read any non-zero byte as true and are written as 0 and 1.
TEST(Memory, Booleans) {
  HostTensor in = tensorOf<uint8_t>(ScalarType::I1, {0, 1, 2, 128, 255}),
             out = tensorOf<uint8_t>(ScalarType::I1, {9, 9, 9, 9, 9});
  Bench bench;
  bench.parameters = "%in: memref<?xi1>, %out: memref<?xi1>";
  bench.kinds = "tensor 0, tensor 1";
  bench.threads = 5;
  bench.arguments = {in, out};
  bench.body = "%t = simt.thread_id : i64\n%v = simt.load %in[%t : i64] : memref<?xi1> -> i1\nsimt.store %v, %out[%t : "
               "i64] : i1, memref<?xi1>";
  EXPECT_EQ(bench.fault(), "");
  EXPECT_EQ(valuesOf<uint8_t>(out), (std::vector<uint8_t>{0, 1, 1, 1, 1}));
}

/// A negative i32 index is negative, not a huge number.
TEST(Memory, NarrowNegativeIndex) {
  EXPECT_NE(faultOf("%m = arith.constant -2 : i32\n%v = simt.load %a[%m : i32] : memref<?xf32> -> f32", floats(4), 4)
                .find("read of element -2 outside"),
            std::string::npos);
}

/// Buffers that do not fit the arena, and views that leave their buffer, are refused before the run.
TEST(Memory, StoragePlaces) {
  Bench bench;
  bench.attributes = ", sharedBytes = 100 : i64";
  bench.body = "%s = simt.shared at 64 : memref<10xf32, #simt.shared>";
  EXPECT_EQ(bench.fault(), "k.mlir:2:6: error: buffer lies at bytes 64 to 104 of a shared arena of 100 bytes");
  Bench view;
  view.body =
      "%s = simt.shared : memref<10xf32, #simt.shared>\n%w = simt.view %s at 8 : memref<10xf32, #simt.shared> to "
      "memref<5xf64, #simt.shared>";
  EXPECT_EQ(view.fault(), "k.mlir:3:6: error: view of bytes 8 to 48 of a buffer of 40 bytes; it must lie inside");
}
