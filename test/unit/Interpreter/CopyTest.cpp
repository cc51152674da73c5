// CopyTest.cpp - copy, fill, load, store: every type, every space, every way out of range.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Interpreter/Fixture.h"

#include <cmath>

using namespace tile;

/// What a cast makes of a small whole number.
static double expectedCast(ScalarType from, ScalarType to, double value) {
  double stored = from == ScalarType::I1 ? value != 0 : value;
  return to == ScalarType::I1 ? stored != 0 : stored;
}

/// A copy between any two types, through shared memory and a fragment, follows the conversion table.
TEST_F(InterpreterTest, CopyCastsBetweenAllTypes) {
  constexpr int64_t n = 15;
  for (ScalarType from : memoryTypes)
    for (ScalarType to : memoryTypes) {
      HostTensor x = HostTensor::contiguous(from, {n});
      for (int64_t i = 0; i < n; ++i)
        x.store(i, from == ScalarType::I1 ? i != 7 : fromDouble(from, i - 7));
      HostTensor y = HostTensor::contiguous(to, {n});
      runWell(substitute(R"(
tile.kernel @f(%x: memref<15x$from>, %y: memref<15x$to>) grid(%b) in (1) threads(48) {
  %s = tile.alloc_shared : memref<15x$from, #tile.shared>
  %r = tile.alloc_fragment : memref<15x$to, #tile.fragment>
  tile.copy %x to %s : memref<15x$from> to memref<15x$from, #tile.shared>
  tile.copy %s to %r cast : memref<15x$from, #tile.shared> to memref<15x$to, #tile.fragment>
  tile.copy %r to %y : memref<15x$to, #tile.fragment> to memref<15x$to>
})",
                         {{"from", spelled(from)}, {"to", spelled(to)}}),
              {}, {x, y});
      for (int64_t i = 0; i < n; ++i)
        EXPECT_EQ(numbersIn(y)[i], expectedCast(from, to, i - 7)) << spelled(from) << " to " << spelled(to);
    }
}

/// Casts at the edges: saturation, NaN, overflow, truncation.
TEST_F(InterpreterTest, CopyCastsEdgeValues) {
  auto cast = [&](ScalarType from, ScalarType to, double value) {
    HostTensor x = tensorOf(from, {1}, [&](int64_t) { return value; }), y = HostTensor::contiguous(to, {1});
    runWell(substitute("tile.kernel @f(%x: memref<1x$from>, %y: memref<1x$to>) grid(%b) in (1) threads(1) {\n"
                       "tile.copy %x to %y cast : memref<1x$from> to memref<1x$to>\n}",
                       {{"from", spelled(from)}, {"to", spelled(to)}}),
            {}, {x, y});
    return numbersIn(y)[0];
  };
  EXPECT_EQ(cast(ScalarType::F32, ScalarType::I8, 300.7), 127);
  EXPECT_EQ(cast(ScalarType::F32, ScalarType::I8, -300.7), -128);
  EXPECT_EQ(cast(ScalarType::F32, ScalarType::I32, NAN), 0);
  EXPECT_EQ(cast(ScalarType::F64, ScalarType::I16, -2.9), -2);
  EXPECT_EQ(cast(ScalarType::F32, ScalarType::F8E4M3FN, 1e6), 448);
  EXPECT_TRUE(std::isnan(cast(ScalarType::F32, ScalarType::F8E4M3FN, INFINITY)));
  EXPECT_EQ(cast(ScalarType::F32, ScalarType::F8E5M2, INFINITY), INFINITY);
  EXPECT_EQ(cast(ScalarType::F32, ScalarType::F16, 1e6), INFINITY);
  EXPECT_EQ(cast(ScalarType::I32, ScalarType::I8, 200), -56);
  EXPECT_EQ(cast(ScalarType::F32, ScalarType::I1, NAN), 1);
}

/// Load and store move every type bit for bit; any non-zero byte of an i1 tensor is true.
TEST_F(InterpreterTest, LoadAndStoreMoveEveryType) {
  for (ScalarType type : memoryTypes) {
    HostTensor x = HostTensor::contiguous(type, {7}), y = HostTensor::contiguous(type, {7});
    for (size_t i = 0; i < x.storage->size(); ++i)
      (*x.storage)[i] = static_cast<std::byte>(37 * i);
    runWell(substitute(R"(
tile.kernel @f(%x: memref<7x$t>, %y: memref<7x$t>) grid(%b) in (1) threads(33) {
  tile.parallel %i in (7) {
    %v = tile.load %x[6 - %i] : memref<7x$t>
    tile.store %v, %y[6 - %i] : memref<7x$t>
  }
})",
                       {{"t", spelled(type)}}),
            {}, {x, y});
    EXPECT_EQ(bitsIn(x), bitsIn(y)) << spelled(type);
    if (type == ScalarType::I1) {
      EXPECT_EQ((*y.storage)[1], std::byte{1}) << "stored as exactly 0 or 1";
    }
  }
}

/// Tiles that overhang the tensor on any side read `pad` there, per dimension, and write nothing there.
TEST_F(InterpreterTest, CopyOverhangsInAllDirections) {
  for (int64_t row : {-5, -2, 0, 1, 3, 6, 9})
    for (int64_t column : {-4, -1, 0, 2, 4, 7}) {
      HostTensor x = tensorOf(ScalarType::I32, {5, 6}, [](int64_t i) { return 100 + i; });
      HostTensor y = HostTensor::contiguous(ScalarType::I32, {4, 3}),
                 z = HostTensor::contiguous(ScalarType::I32, {5, 6});
      runWell(R"(
tile.kernel @f[%M, %N](%x[%M, %N]: memref<?x?xi32>, %y: memref<4x3xi32>, %z[%M, %N]: memref<?x?xi32>,
    %r: index, %c: index) grid(%b) in (1) threads(32) {
  %t = tile.alloc_shared : memref<4x3xi32, #tile.shared>
  tile.copy %x[%r, %c] to %t pad -9 : memref<?x?xi32> to memref<4x3xi32, #tile.shared>
  tile.copy %t to %y : memref<4x3xi32, #tile.shared> to memref<4x3xi32>
  tile.copy %t to %z[%r, %c] : memref<4x3xi32, #tile.shared> to memref<?x?xi32>
})",
              {5, 6}, {x, y, z, static_cast<uint64_t>(row), static_cast<uint64_t>(column)});
      for (int64_t i = 0; i < 4; ++i)
        for (int64_t j = 0; j < 3; ++j) {
          int64_t m = row + i, n = column + j;
          bool isInside = m >= 0 && m < 5 && n >= 0 && n < 6;
          EXPECT_EQ(numbersIn(y)[3 * i + j], isInside ? 100 + 6 * m + n : -9) << row << ", " << column;
        }
      for (int64_t m = 0; m < 5; ++m)
        for (int64_t n = 0; n < 6; ++n) {
          bool isInTile = m >= row && m < row + 4 && n >= column && n < column + 3;
          EXPECT_EQ(numbersIn(z)[6 * m + n], isInTile ? 100 + 6 * m + n : 0) << row << ", " << column;
        }
    }
}

/// Single accesses out of range: loads give 0 or `pad`, stores vanish; a negative index does not wrap.
TEST_F(InterpreterTest, ElementAccessesOutOfRange) {
  HostTensor x = tensorOf(ScalarType::F32, {3, 4}, [](int64_t i) { return i + 1; });
  HostTensor y = HostTensor::contiguous(ScalarType::F32, {7, 8}), z = HostTensor::contiguous(ScalarType::F32, {7, 8});
  HostTensor w = HostTensor::contiguous(ScalarType::F32, {3, 4});
  runWell(R"(
tile.kernel @f[%M, %N](%x[%M, %N]: memref<?x?xf32>, %y: memref<7x8xf32>, %z: memref<7x8xf32>,
    %w[%M, %N]: memref<?x?xf32>) grid(%b) in (1) threads(32) {
  tile.parallel (%i, %j) in (7, 8) {
    %p = tile.load %x[%i - 2, %j - 2] : memref<?x?xf32>
    %q = tile.load %x[%i - 2, %j - 2] pad -inf : memref<?x?xf32>
    tile.store %p, %y[%i, %j] : memref<7x8xf32>
    tile.store %q, %z[%i, %j] : memref<7x8xf32>
    tile.store %q, %w[%i - 2, %j - 2] : memref<?x?xf32>
  }
})",
          {3, 4}, {x, y, z, w});
  for (int64_t i = 0; i < 7; ++i)
    for (int64_t j = 0; j < 8; ++j) {
      bool isInside = i >= 2 && i < 5 && j >= 2 && j < 6;
      EXPECT_EQ(numbersIn(y)[8 * i + j], isInside ? (i - 2) * 4 + j - 1 : 0);
      EXPECT_EQ(numbersIn(z)[8 * i + j], isInside ? (i - 2) * 4 + j - 1 : -INFINITY);
    }
  EXPECT_EQ(bitsIn(w), bitsIn(x));
}

/// Leading unit dimensions align from the tail, on either side.
TEST_F(InterpreterTest, LeadingUnitDimensionsAlignFromTheTail) {
  HostTensor x = tensorOf(ScalarType::I16, {3, 4, 5}, [](int64_t i) { return i; });
  HostTensor y = HostTensor::contiguous(ScalarType::I16, {3, 4, 5});
  runWell(R"(
tile.kernel @f(%x: memref<3x4x5xi16>, %y: memref<3x4x5xi16>) grid(%b) in (3) threads(32) {
  %t = tile.alloc_fragment : memref<4x5xi16, #tile.fragment>
  %u = tile.alloc_shared : memref<1x4x5xi16, #tile.shared>
  tile.copy %x[%b, 0, 0] to %t : memref<3x4x5xi16> to memref<4x5xi16, #tile.fragment>
  tile.copy %t to %u : memref<4x5xi16, #tile.fragment> to memref<1x4x5xi16, #tile.shared>
  tile.copy %u to %y[2 - %b, 0, 0] : memref<1x4x5xi16, #tile.shared> to memref<3x4x5xi16>
})",
          {}, {x, y});
  for (int64_t i = 0; i < 60; ++i)
    EXPECT_EQ(y.load(i), x.load((2 - i / 20) * 20 + i % 20));
}

/// Tensors bring their own pitch, offset and direction; a broadcast stride of 0 is read everywhere.
TEST_F(InterpreterTest, StridesOfTheTensorAreUsed) {
  HostTensor storage = tensorOf(ScalarType::F16, {200}, [](int64_t i) { return i; });
  HostTensor x = storage;
  x.shape = {4, 5};
  x.strides = {17, -2};
  x.offset = 30;
  HostTensor y = HostTensor::contiguous(ScalarType::F16, {4, 5});
  std::string text = R"(
tile.kernel @f(%x: memref<4x5xf16, strided<[?, ?]>>, %y: memref<4x5xf16>) grid(%b) in (1) threads(32) {
  tile.copy %x to %y : memref<4x5xf16, strided<[?, ?]>> to memref<4x5xf16>
})";
  runWell(text, {}, {x, y});
  for (int64_t i = 0; i < 20; ++i)
    EXPECT_EQ(numbersIn(y)[i], 30 + i / 5 * 17 - i % 5 * 2);
  x.strides = {0, 1};
  runWell(text, {}, {x, y});
  for (int64_t i = 0; i < 20; ++i)
    EXPECT_EQ(numbersIn(y)[i], 30 + i % 5);
}

/// Two arguments may be the same memory.
TEST_F(InterpreterTest, AliasedTensorsShareTheirMemory) {
  HostTensor x = tensorOf(ScalarType::F32, {10}, [](int64_t i) { return i; });
  runWell(R"(
tile.kernel @f(%x: memref<10xf32>, %y: memref<10xf32>) grid(%b) in (1) threads(32) {
  tile.parallel %i in (10) {
    %v = tile.load %x[%i] : memref<10xf32>
    %w = arith.addf %v, %v : f32
    tile.store %w, %y[%i] : memref<10xf32>
  }
})",
          {}, {x, x});
  EXPECT_EQ(numbersIn(x)[9], 18);
}

/// fill sets every element of every space, by literal and by value.
TEST_F(InterpreterTest, FillsEverySpace) {
  HostTensor x = HostTensor::contiguous(ScalarType::BF16, {3, 5}), y = HostTensor::contiguous(ScalarType::BF16, {15}),
             z = HostTensor::contiguous(ScalarType::BF16, {15}), w = HostTensor::contiguous(ScalarType::BF16, {40});
  runWell(R"(
tile.kernel @f[%N](%x[%N, 5]: memref<?x5xbf16>, %y: memref<15xbf16>, %z: memref<15xbf16>, %w: memref<40xbf16>, %v: bf16)
    grid(%b) in (1) threads(40) {
  %s = tile.alloc_shared : memref<15xbf16, #tile.shared>
  %r = tile.alloc_fragment : memref<15xbf16, #tile.fragment>
  %l = tile.alloc_local : memref<2xbf16, #tile.local>
  %t = tile.thread_id
  %i = arith.index_cast %t : index to i32
  %f = arith.sitofp %i : i32 to bf16
  tile.fill %x with -inf : memref<?x5xbf16>
  tile.fill %s with -0.0 : memref<15xbf16, #tile.shared>
  tile.fill %r with %v : memref<15xbf16, #tile.fragment>
  tile.fill %l with %f : memref<2xbf16, #tile.local>
  tile.copy %s to %y : memref<15xbf16, #tile.shared> to memref<15xbf16>
  tile.copy %r to %z : memref<15xbf16, #tile.fragment> to memref<15xbf16>
  %mine = tile.load %l[1] : memref<2xbf16, #tile.local>
  tile.store %mine, %w[%t] : memref<40xbf16>
})",
          {3}, {x, y, z, w, fromDouble(ScalarType::BF16, 2.5)});
  EXPECT_EQ(bitsIn(x), std::vector<uint64_t>(15, 0xff80));
  EXPECT_EQ(bitsIn(y), std::vector<uint64_t>(15, 0x8000));
  EXPECT_EQ(numbersIn(z), std::vector<double>(15, 2.5));
  for (int64_t i = 0; i < 40; ++i)
    EXPECT_EQ(numbersIn(w)[i], i);
}

/// A private array is copied by each thread for itself.
TEST_F(InterpreterTest, PrivateArraysAreCopiedByEachThread) {
  HostTensor x = tensorOf(ScalarType::I32, {99}, [](int64_t i) { return i * i; });
  HostTensor y = HostTensor::contiguous(ScalarType::I32, {99});
  runWell(R"(
tile.kernel @f(%x: memref<99xi32>, %y: memref<99xi32>) grid(%b) in (1) threads(33) {
  %l = tile.alloc_local : memref<3xi32, #tile.local>
  %t = tile.thread_id
  tile.copy %x[%t * 3] to %l : memref<99xi32> to memref<3xi32, #tile.local>
  tile.copy %l to %y[96 - %t * 3] : memref<3xi32, #tile.local> to memref<99xi32>
})",
          {}, {x, y});
  for (int64_t i = 0; i < 99; ++i)
    EXPECT_EQ(y.load(i), x.load((32 - i / 3) * 3 + i % 3));
}
