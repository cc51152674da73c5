// ControlTest.cpp - threads in lockstep, masks, loops, and points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Interpreter/Fixture.h"

#include <cmath>

using namespace tile;

/// Threads that differ take different branches and different numbers of trips, nested.
TEST_F(InterpreterTest, ControlFlowDiffersBetweenThreads) {
  for (int64_t threads : {1, 31, 64, 100}) {
    HostTensor y = HostTensor::contiguous(ScalarType::I64, {threads});
    runWell(substitute(R"(
tile.kernel @f(%y: memref<$nxi64>) grid(%b) in (1) threads($n) {
  %t = tile.thread_id
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %l = tile.alloc_local : memref<1xi64, #tile.local>
  tile.store %zero, %l[0] : memref<1xi64, #tile.local>
  tile.serial (%i, %j) in (%t mod 5 - 1, %t floordiv 7) {
    %bit = arith.remui %i, %c2 : index
    %isEven = arith.cmpi eq, %bit, %c0 : index
    %more = scf.if %isEven -> (i64) {
      %sum = scf.for %k = %c0 to %t step %c2 iter_args(%acc = %one) -> (i64) {
        %next = arith.addi %acc, %one : i64
        scf.yield %next : i64
      }
      scf.yield %sum : i64
    } else {
      scf.yield %one : i64
    }
    %old = tile.load %l[0] : memref<1xi64, #tile.local>
    %new = arith.addi %old, %more : i64
    tile.store %new, %l[0] : memref<1xi64, #tile.local>
  }
  %result = tile.load %l[0] : memref<1xi64, #tile.local>
  tile.store %result, %y[%t] : memref<$nxi64>
})",
                       {{"n", std::to_string(threads)}}),
            {}, {y});
    for (int64_t t = 0; t < threads; ++t) {
      int64_t expected = 0;
      for (int64_t i = 0; i < t % 5 - 1; ++i)
        for (int64_t j = 0; j < t / 7; ++j)
          expected += i % 2 == 0 ? 1 + (t + 1) / 2 : 1;
      EXPECT_EQ(static_cast<int64_t>(y.load(t)), expected) << "thread " << t << " of " << threads;
    }
  }
}

/// A while loop ends in each thread at its own time, and permuted values do not overwrite each other.
TEST_F(InterpreterTest, WhileEndsPerThread) {
  HostTensor y = HostTensor::contiguous(ScalarType::I64, {70});
  runWell(R"(
tile.kernel @f(%y: memref<70xi64>) grid(%b) in (1) threads(70) {
  %t = tile.thread_id
  %n = arith.index_cast %t : index to i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:3 = scf.while (%a = %zero, %c = %one, %left = %n) : (i64, i64, i64) -> (i64, i64, i64) {
    %goesOn = arith.cmpi sgt, %left, %zero : i64
    scf.condition(%goesOn) %a, %c, %left : i64, i64, i64
  } do {
  ^bb0(%a: i64, %c: i64, %left: i64):
    %sum = arith.addi %a, %c : i64
    %less = arith.subi %left, %one : i64
    scf.yield %c, %sum, %less : i64, i64, i64
  }
  tile.store %r#0, %y[%t] : memref<70xi64>
})",
          {}, {y});
  uint64_t a = 0, b = 1;
  for (int64_t t = 0; t < 70; ++t) {
    EXPECT_EQ(y.load(t), a) << t;
    uint64_t next = a + b;
    a = b;
    b = next;
  }
}

/// Zero and negative extents run zero times, in every loop.
TEST_F(InterpreterTest, EmptyLoopsRunZeroTimes) {
  for (std::string loop : {"serial", "unrolled", "pipelined", "parallel"})
    for (int64_t extent : {-3, 0, 1, 4}) {
      HostTensor y = HostTensor::contiguous(ScalarType::I32, {4});
      std::string clause = loop == "pipelined" ? "stages(3)" : "";
      bool isParallel = loop == "parallel";
      runWell(substitute(R"(
tile.kernel @f(%y: memref<4xi32>, %n: index) grid(%b) in (1) threads(32) {
  %one = arith.constant 1 : i32
  tile.$loop (%i, %j) in (%n, 2) $clause {
    $open
    tile.atomic add %one, %y[%i] : memref<4xi32>
    $close
  }
})",
                         {{"loop", loop},
                          {"clause", clause},
                          {"open", isParallel ? "" : "tile.parallel %k in (1) {"},
                          {"close", isParallel ? "" : "}"}}),
              {}, {y, static_cast<uint64_t>(extent)});
      for (int64_t i = 0; i < 4; ++i)
        EXPECT_EQ(numbersIn(y)[i], i < extent ? 2 : 0) << loop << " " << extent;
    }
}

/// A matrix product by serial, shared tiles and points; pipelined gives the same.
TEST_F(InterpreterTest, MatrixProductBySharedTiles) {
  constexpr int64_t m = 5, n = 7, k = 11;
  HostTensor a = tensorOf(ScalarType::F32, {m, k}, [](int64_t i) { return i % 13 - 6; });
  HostTensor b = tensorOf(ScalarType::F32, {k, n}, [](int64_t i) { return i % 7 - 3; });
  for (std::string loop : {"serial", "pipelined", "unrolled"}) {
    HostTensor c = HostTensor::contiguous(ScalarType::F32, {m, n});
    runWell(substitute(R"(
tile.kernel @f[%M, %N, %K](%a[%M, %K]: memref<?x?xf32>, %b[%K, %N]: memref<?x?xf32>, %c[%M, %N]: memref<?x?xf32>)
    grid(%bx, %by) in (%N ceildiv 4, %M ceildiv 4) threads(96) {
  %s = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  %t = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  %acc = tile.alloc_fragment : memref<4x4xf32, #tile.fragment>
  tile.fill %acc with 0.0 : memref<4x4xf32, #tile.fragment>
  tile.$loop %kk in (%K ceildiv 4) $clause {
    tile.copy %a[%by * 4, %kk * 4] to %s : memref<?x?xf32> to memref<4x4xf32, #tile.shared>
    tile.copy %b[%kk * 4, %bx * 4] to %t : memref<?x?xf32> to memref<4x4xf32, #tile.shared>
    tile.parallel (%i, %j) in (4, 4) {
      tile.serial %l in (4) {
        %x = tile.load %s[%i, %l] : memref<4x4xf32, #tile.shared>
        %y = tile.load %t[%l, %j] : memref<4x4xf32, #tile.shared>
        %p = arith.mulf %x, %y : f32
        %o = tile.load %acc[%i, %j] : memref<4x4xf32, #tile.fragment>
        %q = arith.addf %o, %p : f32
        tile.store %q, %acc[%i, %j] : memref<4x4xf32, #tile.fragment>
      }
    }
  }
  tile.copy %acc to %c[%by * 4, %bx * 4] : memref<4x4xf32, #tile.fragment> to memref<?x?xf32>
})",
                       {{"loop", loop}, {"clause", loop == "pipelined" ? "stages(2)" : ""}}),
            {m, n, k}, {a, b, c});
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += numbersIn(a)[i * k + l] * numbersIn(b)[l * n + j];
        EXPECT_EQ(numbersIn(c)[i * n + j], sum) << loop;
      }
  }
}

/// The explicit style: vectorized points of each thread, shared memory, sync, a store guarded by the thread.
TEST_F(InterpreterTest, ExplicitStyle) {
  HostTensor x = tensorOf(ScalarType::I32, {192}, [](int64_t i) { return i % 10; });
  HostTensor y = HostTensor::contiguous(ScalarType::I32, {1});
  runWell(R"(
tile.kernel @f(%x: memref<192xi32>, %y: memref<1xi32>) grid(%b) in (1) threads(48) {
  %t = tile.thread_id
  %s = tile.alloc_shared : memref<48xi32, #tile.shared>
  %l = tile.alloc_local : memref<1xi32, #tile.local>
  tile.fill %l with 0 : memref<1xi32, #tile.local>
  tile.vectorized %v in (4) {
    %e = tile.load %x[%t * 4 + %v] : memref<192xi32>
    %o = tile.load %l[0] : memref<1xi32, #tile.local>
    %n = arith.addi %e, %o : i32
    tile.store %n, %l[0] : memref<1xi32, #tile.local>
  }
  %mine = tile.load %l[0] : memref<1xi32, #tile.local>
  tile.store %mine, %s[%t] : memref<48xi32, #tile.shared>
  tile.sync
  %zero = arith.constant 0 : index
  %isFirst = arith.cmpi eq, %t, %zero : index
  scf.if %isFirst {
    tile.store %mine, %y[0] : memref<1xi32>
    tile.serial %i in (47) {
      %a = tile.load %s[%i + 1] : memref<48xi32, #tile.shared>
      %c = tile.load %y[0] : memref<1xi32>
      %d = arith.addi %a, %c : i32
      tile.store %d, %y[0] : memref<1xi32>
    }
  }
})",
          {}, {x, y});
  double sum = 0;
  for (double v : numbersIn(x))
    sum += v;
  EXPECT_EQ(numbersIn(y)[0], sum);
}

/// A uniform load steers extents, conditions and copies.
TEST_F(InterpreterTest, UniformLoadsSteerTheBlock) {
  HostTensor n = tensorOf(ScalarType::I32, {2}, [](int64_t i) { return i + 2; });
  HostTensor x = tensorOf(ScalarType::F32, {8, 4}, [](int64_t i) { return i; });
  HostTensor y = HostTensor::contiguous(ScalarType::F32, {4});
  runWell(R"(
tile.kernel @f(%n: memref<2xi32>, %x: memref<8x4xf32>, %y: memref<4xf32>) grid(%b) in (1) threads(64) {
  %v = tile.load %n[1] : memref<2xi32>
  %k = arith.index_cast %v : i32 to index
  %three = arith.constant 3 : index
  %isThree = arith.cmpi eq, %k, %three : index
  %r = tile.alloc_fragment : memref<1x4xf32, #tile.fragment>
  scf.if %isThree {
    tile.serial %i in (%k) {
      tile.copy %x[%i + %k, 0] to %r : memref<8x4xf32> to memref<1x4xf32, #tile.fragment>
    }
  }
  tile.copy %r to %y : memref<1x4xf32, #tile.fragment> to memref<4xf32>
})",
          {}, {n, x, y});
  EXPECT_EQ(numbersIn(y), (std::vector<double>{20, 21, 22, 23}));
}

/// One point may write its element many times, and read back what it wrote; scf.for works at points too.
TEST_F(InterpreterTest, PointsMayReadWhatTheyWrote) {
  HostTensor y = HostTensor::contiguous(ScalarType::F64, {9});
  runWell(R"(
tile.kernel @f(%y: memref<9xf64>) grid(%b) in (1) threads(32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  tile.parallel %i in (9) {
    scf.for %k = %c0 to %i step %c1 {
      %o = tile.load %y[%i] : memref<9xf64>
      %n = arith.addf %o, %one : f64
      tile.store %n, %y[%i] : memref<9xf64>
    }
  }
})",
          {}, {y});
  for (int64_t i = 0; i < 9; ++i)
    EXPECT_EQ(numbersIn(y)[i], i);
}

/// scf.for counts at the width of its induction variable, signed or not, and ends where that overflows.
TEST_F(InterpreterTest, ForCountsAtItsOwnWidth) {
  auto trips = [&](const std::string &header) {
    HostTensor y = HostTensor::contiguous(ScalarType::I64, {1});
    runWell(substitute(R"(
tile.kernel @f(%y: memref<1xi64>) grid(%b) in (1) threads(32) {
  %a = arith.constant -100 : i8
  %c = arith.constant 120 : i8
  %s = arith.constant 50 : i8
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = $header iter_args(%acc = %zero) -> (i64) : i8 {
    %next = arith.addi %acc, %one : i64
    scf.yield %next : i64
  }
  tile.parallel %i in (1) {
    tile.store %n, %y[0] : memref<1xi64>
  }
})",
                       {{"header", header}}),
            {}, {y});
    return y.load(0);
  };
  EXPECT_EQ(trips("scf.for %i = %a to %c step %s"), 5u); // -100, -50, 0, 50, 100
  EXPECT_EQ(trips("scf.for %i = %c to %a step %s"), 0u);
  EXPECT_EQ(trips("scf.for unsigned %i = %c to %a step %s"), 1u); // 120 below 156
}
