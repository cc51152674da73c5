// ViewTest.cpp - reshape, view and slice: the same storage under another shape, type or window, in every space.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Interpreter/Fixture.h"

#include <cstring>

using namespace tile;

namespace {
/// How a space is written, and what makes a tile in it.
struct SpaceText {
  const char *attribute, *allocation;
};
constexpr SpaceText tileSpaces[] = {{"#tile.shared", "tile.alloc_shared"}, {"#tile.fragment", "tile.alloc_fragment"}};
} // namespace

/// A reshape keeps the elements in row-major order.
TEST_F(InterpreterTest, ReshapeKeepsRowMajorOrder) {
  for (SpaceText space : tileSpaces) {
    HostTensor x = tensorOf(ScalarType::I32, {6, 4}, [](int64_t i) { return i; });
    HostTensor y = HostTensor::contiguous(ScalarType::I32, {3, 8});
    runWell(substitute(R"(
tile.kernel @f(%x: memref<6x4xi32>, %y: memref<3x8xi32>) grid(%b) in (1) threads(32) {
  %s = $alloc : memref<6x4xi32, $space>
  %r = tile.reshape %s : memref<6x4xi32, $space> to memref<3x8xi32, $space>
  tile.copy %x to %s : memref<6x4xi32> to memref<6x4xi32, $space>
  tile.copy %r to %y : memref<3x8xi32, $space> to memref<3x8xi32>
})",
                       {{"space", space.attribute}, {"alloc", space.allocation}}),
            {}, {x, y});
    EXPECT_EQ(bitsIn(y), bitsIn(x)) << space.attribute;
  }
}

/// A view acts on the bytes, to wider and to narrower elements.
TEST_F(InterpreterTest, ViewActsOnBytes) {
  for (SpaceText space : tileSpaces) {
    HostTensor x = tensorOf(ScalarType::F32, {3, 2}, [](int64_t i) { return 1.5 * i - 2; });
    HostTensor y = HostTensor::contiguous(ScalarType::I8, {3, 8}), z = HostTensor::contiguous(ScalarType::I64, {3, 1});
    runWell(substitute(R"(
tile.kernel @f(%x: memref<3x2xf32>, %y: memref<3x8xi8>, %z: memref<3x1xi64>) grid(%b) in (1) threads(32) {
  %s = $alloc : memref<3x2xf32, $space>
  %n = tile.view %s : memref<3x2xf32, $space> to memref<3x8xi8, $space>
  %w = tile.view %n : memref<3x8xi8, $space> to memref<3x1xi64, $space>
  tile.copy %x to %s : memref<3x2xf32> to memref<3x2xf32, $space>
  tile.copy %n to %y : memref<3x8xi8, $space> to memref<3x8xi8>
  tile.copy %w to %z : memref<3x1xi64, $space> to memref<3x1xi64>
})",
                       {{"space", space.attribute}, {"alloc", space.allocation}}),
            {}, {x, y, z});
    EXPECT_EQ(*y.storage, *x.storage);
    EXPECT_EQ(*z.storage, *x.storage);
  }
}

/// A slice is a window whose strides travel with it; writing through it writes the tile.
TEST_F(InterpreterTest, SliceIsAWindow) {
  for (SpaceText space : tileSpaces) {
    HostTensor x = tensorOf(ScalarType::I32, {5, 7}, [](int64_t i) { return i; });
    HostTensor y = HostTensor::contiguous(ScalarType::I32, {2, 3}), z = HostTensor::contiguous(ScalarType::I32, {5, 7});
    runWell(substitute(R"(
tile.kernel @f(%x: memref<5x7xi32>, %y: memref<2x3xi32>, %z: memref<5x7xi32>) grid(%b) in (1) threads(32) {
  %s = $alloc : memref<5x7xi32, $space>
  %w = tile.slice %s[2, 3] : memref<5x7xi32, $space> to memref<2x3xi32, $space>
  tile.copy %x to %s : memref<5x7xi32> to memref<5x7xi32, $space>
  tile.copy %w to %y : memref<2x3xi32, $space> to memref<2x3xi32>
  tile.fill %w with -1 : memref<2x3xi32, $space>
  tile.copy %s to %z : memref<5x7xi32, $space> to memref<5x7xi32>
})",
                       {{"space", space.attribute}, {"alloc", space.allocation}}),
            {}, {x, y, z});
    for (int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(numbersIn(y)[i], (2 + i / 3) * 7 + 3 + i % 3);
    for (int64_t i = 0; i < 35; ++i) {
      bool isInWindow = i / 7 >= 2 && i / 7 < 4 && i % 7 >= 3 && i % 7 < 6;
      EXPECT_EQ(numbersIn(z)[i], isInWindow ? -1 : i);
    }
  }
}

/// Views stack: a slice of a slice, a slice of a reshape, a slice of a view.
TEST_F(InterpreterTest, ViewsOfViews) {
  HostTensor x = tensorOf(ScalarType::I16, {4, 6}, [](int64_t i) { return i; });
  HostTensor y = HostTensor::contiguous(ScalarType::I16, {2, 1}), z = HostTensor::contiguous(ScalarType::I16, {3}),
             w = HostTensor::contiguous(ScalarType::I32, {3, 2});
  runWell(R"(
tile.kernel @f(%x: memref<4x6xi16>, %y: memref<2x1xi16>, %z: memref<3xi16>, %w: memref<3x2xi32>)
    grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<4x6xi16, #tile.shared>
  tile.copy %x to %s : memref<4x6xi16> to memref<4x6xi16, #tile.shared>
  %c = tile.slice %s[1, 2] : memref<4x6xi16, #tile.shared> to memref<3x3xi16, #tile.shared>
  %d = tile.slice %c[1, 2] : memref<3x3xi16, #tile.shared> to memref<2x1xi16, #tile.shared>
  %r = tile.reshape %s : memref<4x6xi16, #tile.shared> to memref<24xi16, #tile.shared>
  %q = tile.slice %r[5] : memref<24xi16, #tile.shared> to memref<3xi16, #tile.shared>
  %v = tile.view %s : memref<4x6xi16, #tile.shared> to memref<4x3xi32, #tile.shared>
  %u = tile.slice %v[1, 1] : memref<4x3xi32, #tile.shared> to memref<3x2xi32, #tile.shared>
  tile.copy %d to %y : memref<2x1xi16, #tile.shared> to memref<2x1xi16>
  tile.copy %q to %z : memref<3xi16, #tile.shared> to memref<3xi16>
  tile.copy %u to %w : memref<3x2xi32, #tile.shared> to memref<3x2xi32>
})",
          {}, {x, y, z, w});
  EXPECT_EQ(numbersIn(y), (std::vector<double>{2 * 6 + 4, 3 * 6 + 4}));
  EXPECT_EQ(numbersIn(z), (std::vector<double>{5, 6, 7}));
  for (int64_t i = 0; i < 6; ++i) {
    int64_t low = (1 + i / 2) * 6 + 2 * (1 + i % 2);
    EXPECT_EQ(numbersIn(w)[i], low + (low + 1) * 65536);
  }
}

/// A window of a global tensor may overhang it on either side: what is outside reads 0 and drops writes.
TEST_F(InterpreterTest, GlobalWindowsMayOverhang) {
  for (int64_t start :
       {INT64_MIN, int64_t(-4), int64_t(-1), int64_t(0), int64_t(2), int64_t(4), int64_t(5), INT64_MAX}) {
    HostTensor x = tensorOf(ScalarType::F64, {5, 3}, [](int64_t i) { return i + 1; });
    HostTensor y = HostTensor::contiguous(ScalarType::F64, {4, 2}), z = HostTensor::contiguous(ScalarType::F64, {2, 1});
    runWell(R"(
tile.kernel @f[%M, %N](%x[%M, %N]: memref<?x?xf64>, %y: memref<4x2xf64>, %z: memref<2x1xf64>, %s: index)
    grid(%b) in (1) threads(32) {
  %w = tile.slice %x[%s, 1] : memref<?x?xf64> to memref<4x2xf64>
  %u = tile.slice %w[2, 1] : memref<4x2xf64> to memref<2x1xf64>
  tile.copy %w to %y : memref<4x2xf64> to memref<4x2xf64>
  tile.copy %u to %z : memref<2x1xf64> to memref<2x1xf64>
  tile.fill %w with -1.0 : memref<4x2xf64>
})",
            {5, 3}, {x, y, z, static_cast<uint64_t>(start)});
    for (int64_t i = 0; i < 8; ++i) {
      int64_t row = static_cast<int64_t>(uint64_t(start) + i / 2);
      EXPECT_EQ(numbersIn(y)[i], row >= 0 && row < 5 ? row * 3 + 2 + i % 2 : 0) << start;
    }
    EXPECT_EQ(z.load(0), y.load(5));
    EXPECT_EQ(z.load(1), y.load(7));
    for (int64_t i = 0; i < 15; ++i) {
      bool isInWindow = i / 3 >= start && i / 3 - 4 < start && i % 3 >= 1;
      EXPECT_EQ(numbersIn(x)[i], isInWindow ? -1 : i + 1) << start;
    }
  }
}

/// Global tensors are reshaped and viewed with their run-time extents.
TEST_F(InterpreterTest, GlobalReshapesAndViews) {
  HostTensor x = tensorOf(ScalarType::F32, {6, 4}, [](int64_t i) { return i * 0.5; });
  HostTensor y = HostTensor::contiguous(ScalarType::I32, {24});
  runWell(R"(
tile.kernel @f[%N](%x[%N, 4]: memref<?x4xf32>, %y: memref<24xi32>) grid(%b) in (1) threads(32) {
  %r = tile.reshape %x : memref<?x4xf32> to memref<?x2x2xf32>
  %v = tile.view %r : memref<?x2x2xf32> to memref<?x2x2xi32>
  tile.parallel %i in (24) {
    %e = tile.load %v[%i floordiv 4, %i floordiv 2 mod 2, %i mod 2] : memref<?x2x2xi32>
    tile.store %e, %y[%i] : memref<24xi32>
  }
})",
          {6}, {x, y});
  EXPECT_EQ(*y.storage, *x.storage);
}

/// Each thread may cut its own window, and has its own private array under every view.
TEST_F(InterpreterTest, WindowsOfThreads) {
  HostTensor x = tensorOf(ScalarType::I32, {66}, [](int64_t i) { return i; });
  HostTensor y = HostTensor::contiguous(ScalarType::I32, {66});
  runWell(R"(
tile.kernel @f(%x: memref<66xi32>, %y: memref<66xi32>) grid(%b) in (1) threads(33) {
  %t = tile.thread_id
  %in = tile.slice %x[%t * 2] : memref<66xi32> to memref<2xi32>
  %out = tile.slice %y[64 - %t * 2] : memref<66xi32> to memref<2xi32>
  %l = tile.alloc_local : memref<2x1xi32, #tile.local>
  %r = tile.reshape %l : memref<2x1xi32, #tile.local> to memref<2xi32, #tile.local>
  %all = tile.view %l : memref<2x1xi32, #tile.local> to memref<2x4xi8, #tile.local>
  %bytes = tile.slice %all[1, 0] : memref<2x4xi8, #tile.local> to memref<1x4xi8, #tile.local>
  %a = tile.load %in[0] : memref<2xi32>
  tile.store %a, %r[0] : memref<2xi32, #tile.local>
  tile.fill %bytes with 1 : memref<1x4xi8, #tile.local>
  %c = tile.load %l[0, 0] : memref<2x1xi32, #tile.local>
  %d = tile.load %l[1, 0] : memref<2x1xi32, #tile.local>
  tile.store %c, %out[0] : memref<2xi32>
  tile.store %d, %out[1] : memref<2xi32>
})",
          {}, {x, y});
  for (int64_t i = 0; i < 33; ++i) {
    EXPECT_EQ(y.load(64 - 2 * i), uint64_t(2 * i));
    EXPECT_EQ(y.load(65 - 2 * i), 0x01010101u);
  }
}
