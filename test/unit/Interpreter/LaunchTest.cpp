// LaunchTest.cpp - grids, arguments, chosen blocks, print.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Interpreter/Fixture.h"

using namespace tile;

static const char *const increment = R"(
tile.kernel @f[%N](%x[%N]: memref<?xi32>, %k: index) grid(%bx, %by) in (%N ceildiv 4, %k) threads(32)
    where (%N mod 2 == 0, %k < 10) {
  tile.parallel %i in (4) {
    %v = tile.load %x[%bx * 4 + %i] : memref<?xi32>
    %one = arith.constant 1 : i32
    %w = arith.addi %v, %one : i32
    tile.store %w, %x[%bx * 4 + %i] : memref<?xi32>
  }
})";

/// Every block of the grid runs once, also where the tensor is empty or the grid is.
TEST_F(InterpreterTest, GridsOfAllSizes) {
  for (int64_t n : {0, 2, 4, 10, 100})
    for (int64_t k : {0, 1, 3}) {
      HostTensor x = HostTensor::contiguous(ScalarType::I32, {n});
      runWell(increment, {n}, {x, static_cast<uint64_t>(k)});
      EXPECT_EQ(bitsIn(x), std::vector<uint64_t>(n, k));
    }
}

/// Only chosen blocks run.
TEST_F(InterpreterTest, ChosenBlocks) {
  HostTensor x = HostTensor::contiguous(ScalarType::I32, {12});
  InterpreterOptions options;
  options.blocks = {{1, 0, 0}, {1, 2, 0}, {2, 1, 0}};
  runWell(increment, {12}, {x, uint64_t(3)}, options);
  EXPECT_EQ(numbersIn(x), (std::vector<double>{0, 0, 0, 0, 2, 2, 2, 2, 1, 1, 1, 1}));
  options.blocks = {{3, 0, 0}};
  expectFault(increment, 2, "found block [3, 0] of a grid of [3, 3]", {12}, {x, uint64_t(3)}, options);
}

/// Arguments that do not fit are faults, before anything runs.
TEST_F(InterpreterTest, ArgumentsAreChecked) {
  HostTensor x = HostTensor::contiguous(ScalarType::I32, {8});
  uint64_t k = 1;
  expectFault(increment, 2, "found 0 size symbols; the kernel has 1", {}, {x, k});
  expectFault(increment, 2, "found 1 arguments; the kernel has 2", {8}, {x});
  expectFault(increment, 2, "found -8; a size is not negative", {-8}, {x, k});
  expectFault(increment, 2, "argument 0 is a scalar; the kernel takes a tensor", {8}, {k, k});
  expectFault(increment, 2, "argument 1 is a tensor; the kernel takes a scalar", {8}, {x, x});
  expectFault(increment, 2, "argument 0 has extent 8 in dimension 0; the kernel takes 6", {6}, {x, k});
  expectFault(increment, 2, "argument 0 has rank 2; the kernel takes rank 1", {8},
              {HostTensor::contiguous(ScalarType::I32, {8, 1}), k});
  expectFault(increment, 2, "argument 0 has elements of f32; the kernel takes i32", {8},
              {HostTensor::contiguous(ScalarType::F32, {8}), k});
  expectFault(increment, 2, "found -1 blocks in axis 1", {8}, {x, static_cast<uint64_t>(-1)});
  expectFault(increment, 2, "condition 0 of where does not hold: found 1 == 0", {7},
              {HostTensor::contiguous(ScalarType::I32, {7}), k});
  expectFault(increment, 2, "condition 1 of where does not hold: found 10 < 10", {8}, {x, uint64_t(10)});
  x.strides = {2};
  expectFault(increment, 2, "argument 0 has elements from 0 to 14 of a storage of 8", {8}, {x, k});
}

/// A tensor without memory is a fault only where it is touched.
TEST_F(InterpreterTest, NullTensors) {
  HostTensor x = HostTensor::contiguous(ScalarType::I32, {8});
  x.storage = nullptr;
  runWell(increment, {8}, {x, uint64_t(0)});
  expectFault(increment, 5, "reads element [0] of tensor %x, which has no memory", {8}, {x, uint64_t(1)});
}

/// print shows tiles in logical order and scalars, from the chosen block, with file and line.
TEST_F(InterpreterTest, PrintsFromTheChosenBlock) {
  std::string text, output;
  llvm::raw_string_ostream stream(output);
  InterpreterOptions options;
  options.printStream = &stream;
  HostTensor x = tensorOf(ScalarType::F32, {2, 3}, [](int64_t i) { return i * 0.5; });
  runWell(R"(tile.kernel @f(%x: memref<2x3xf32>) grid(%b) in (2) threads(2) {
  tile.print %x : memref<2x3xf32>
  %s = tile.alloc_shared : memref<2xi8, #tile.shared>
  tile.parallel %i in (1) {
    %v = arith.constant -3 : i8
    tile.store %v, %s[1] : memref<2xi8, #tile.shared>
    tile.print %v block [1] : i8
  }
  tile.print %s block [1] : memref<2xi8, #tile.shared>
  %t = tile.thread_id
  tile.print %t : index
  tile.print %b block [1] : index
})",
          {}, {x}, options);
  EXPECT_EQ(output, "t.mlir:2: %x = [[0, 0.5, 1], [1.5, 2, 2.5]]\n"
                    "t.mlir:11: %t of thread 0 = 0\n"
                    "t.mlir:11: %t of thread 1 = 1\n"
                    "t.mlir:7: %v at point [0] = -3\n"
                    "t.mlir:9: %s = [?, -3]\n"
                    "t.mlir:12: %b = 1\n");
}
