// ArgumentsTest.cpp - how parameters are bound, and arguments and programs that do not fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Simulator/Harness.h"

using namespace tile;
using namespace tile::simt;

/// Each kind of parameter carries the value it names, in any order.
TEST(Arguments, EveryKind) {
  HostTensor matrix = HostTensor::contiguous(ScalarType::F16, {4, 6});
  matrix.shape = {4, 5};
  HostTensor out = HostTensor::contiguous(ScalarType::I64, {6});
  Bench bench;
  bench.parameters =
      "%n: index, %x: i64, %rows: i32, %one: index, %gy: i64, %h: i16, %out: memref<?xi64>, %m: memref<?xf16>";
  bench.kinds = "symbol 1, scalar 2, stride 0 dim 0, stride 0 dim 1, grid_extent 1, scalar 3, tensor 1, tensor 0";
  bench.symbols = {11, 5000000000};
  bench.arguments = {matrix, out, uint64_t(0x123456789abcdef0), uint64_t(0xfffffffffffffffe)};
  bench.grid = {1, 3};
  bench.threads = 1;
  bench.body = R"(%c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %first = arith.cmpi eq, %by, %c2 : index
    scf.if %first {
      %n64 = arith.index_cast %n : index to i64
      %r64 = arith.extsi %rows : i32 to i64
      %o64 = arith.index_cast %one : index to i64
      %h64 = arith.extsi %h : i16 to i64
      simt.store %n64, %out[%c0 : index] : i64, memref<?xi64>
      simt.store %x, %out[%c1 : index] : i64, memref<?xi64>
      simt.store %r64, %out[%c2 : index] : i64, memref<?xi64>
      simt.store %o64, %out[%c3 : index] : i64, memref<?xi64>
      simt.store %gy, %out[%c4 : index] : i64, memref<?xi64>
      simt.store %h64, %out[%c5 : index] : i64, memref<?xi64>
    })";
  EXPECT_EQ(bench.fault(), "");
  EXPECT_EQ(valuesOf<int64_t>(out), (std::vector<int64_t>{5000000000, 0x123456789abcdef0, 6, 1, 3, -2}));
}

static Bench copyBench() {
  Bench bench;
  bench.parameters = "%a: memref<?xf32>, %n: i32";
  bench.kinds = "tensor 0, symbol 0";
  bench.symbols = {4};
  bench.arguments = {HostTensor::contiguous(ScalarType::F32, {4})};
  return bench;
}

/// What does not fit is told before the run, with what was found and what is needed.
TEST(Arguments, Refusals) {
  Bench bench = copyBench();
  EXPECT_EQ(bench.fault(), "");
  bench.symbols = {5000000000};
  EXPECT_EQ(bench.fault(), "k.mlir:1:1: error: symbol 0 is 5000000000; the kernel takes it as i32");
  bench.symbols = {};
  EXPECT_EQ(bench.fault(), "k.mlir:1:1: error: got 0 size symbols; the kernel takes number 0");
  bench = copyBench();
  bench.arguments = {HostTensor::contiguous(ScalarType::F16, {4})};
  EXPECT_EQ(bench.fault(), "k.mlir:1:1: error: argument 0 has elements of type f16; the kernel takes f32");
  bench.arguments = {uint64_t(3)};
  EXPECT_EQ(bench.fault(), "k.mlir:1:1: error: argument 0 is a scalar; the kernel takes a tensor");
  bench.arguments = {};
  EXPECT_EQ(bench.fault(), "k.mlir:1:1: error: got 0 arguments; the kernel takes argument 0");
  bench = copyBench();
  std::get<HostTensor>(bench.arguments[0]).offset = 1;
  EXPECT_EQ(bench.fault(), "k.mlir:1:1: error: argument 0, shape [4], strides [1], begins at element 1 of a storage of "
                           "16 bytes; its elements must lie inside");
  std::get<HostTensor>(bench.arguments[0]).shape = {-1};
  EXPECT_EQ(bench.fault(), "k.mlir:1:1: error: argument 0 has an extent of -1; extents are 0 or more");
  bench = copyBench();
  bench.threads = 1025;
  EXPECT_EQ(bench.fault(), "k.mlir:1:1: error: kernel of 1025 threads; a block has 1 to 1024");
}

/// Strides that reach beyond all memory are refused, however they overlap, without trying to list the elements.
TEST(Arguments, FarStrides) {
  for (int64_t stride : {int64_t(1) << 20, int64_t(1) << 40, int64_t(1) << 62, -(int64_t(1) << 62)}) {
    Bench bench = copyBench();
    HostTensor &tensor = std::get<HostTensor>(bench.arguments[0]);
    tensor.shape = {3, 3};
    tensor.strides = {stride, stride};
    EXPECT_NE(bench.fault().find("its elements must lie inside"), std::string::npos) << stride;
  }
}

/// A variant that takes something for granted does not run on arguments that lack it.
TEST(Arguments, Requirements) {
  Bench bench = copyBench();
  bench.requirements = "#simt.requirement<pointer_multiple 0 bytes 16>";
  EXPECT_EQ(bench.fault(), "");
  HostTensor &tensor = std::get<HostTensor>(bench.arguments[0]);
  tensor.offset = 2;
  tensor.shape = {2};
  EXPECT_EQ(bench.fault(), "k.mlir:1:1: error: argument 0 begins 8 bytes into its storage; the kernel requires a "
                           "multiple of 16");
  tensor.shape = {0};
  EXPECT_EQ(bench.fault(), "") << "a tensor without elements is never touched";
  Bench strided = copyBench();
  strided.requirements = "#simt.requirement<stride_multiple 0 dim 0 bytes 16>, #simt.requirement<grid_fits 0>";
  HostTensor matrix = HostTensor::contiguous(ScalarType::F32, {3, 6});
  strided.arguments = {matrix};
  EXPECT_EQ(strided.fault(), "k.mlir:1:1: error: argument 0 has a stride in dimension 0 of 24 bytes; the kernel "
                             "requires a multiple of 16");
  strided.arguments = {HostTensor::contiguous(ScalarType::F32, {3, 8})};
  EXPECT_EQ(strided.fault(), "");
  strided.grid = {1, 65536};
  EXPECT_EQ(strided.fault(), "k.mlir:1:1: error: grid axis 1 has 65536 blocks; the kernel requires at most 65535");
}

/// An operation or a type that is not of the language is named, with its line.
TEST(Arguments, UnknownOperations) {
  Bench bench = copyBench();
  bench.body = "%c = arith.constant 1 : i32\n%x, %y = arith.mulsi_extended %c, %c : i32";
  EXPECT_EQ(bench.fault(), "k.mlir:3:10: error: 'arith.mulsi_extended' is not an operation the simulator knows");
  bench.body = "%b = memref.alloc() : memref<4xf32>";
  EXPECT_EQ(bench.fault(), "k.mlir:2:6: error: 'memref.alloc' is not an operation the simulator knows");
  bench.body = "%c = arith.constant 1 : i7\n%d = arith.addi %c, %c : i7";
  EXPECT_EQ(bench.fault(), "k.mlir:2:6: error: 'arith.constant' acts on values that are not scalars of the language");
  bench.body = "%c = arith.constant 1.0 : f8E5M2\n%d = arith.addf %c, %c : f8E5M2";
  EXPECT_EQ(bench.fault(), "k.mlir:3:6: error: 'arith.addf' on f8E5M2 is not supported; it takes bf16, f16, f32, f64");
}
