// ControlFlowTest.cpp - loops and branches, and what they carry.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitterTest.h"

namespace tile::cuda {

using ControlFlowTest = EmitterTest;

// A loop counts in the type of its variable, with `++` for steps of one and no directive where none was asked for.
TEST_F(ControlFlowTest, PrintsPlainLoops) {
  std::string text = emitBody(R"(
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %k = arith.constant 3 : i64
    %x = arith.constant 2.0 : f32
    scf.for %i = %zero to %n step %one : i64 {
      simt.store %x, %A[%i : i64] : f32, memref<?xf32>
    }
    scf.for %j = %one to %n step %k : i64 {
      simt.store %x, %B[%j : i64] : f32, memref<?xf32>
    })");
  expectInOrder(text, {"for (long long i = 0; i < n; ++i) {\n    A[i] = 2.0f;\n  }\n",
                       "for (long long j = 1; j < n; j += 3) {\n    B[j] = 2.0f;\n  }\n"});
  EXPECT_EQ(text.find("#pragma"), std::string::npos);
}

// `simt.unroll` becomes the directive, on the loop's own line.
TEST_F(ControlFlowTest, UnrollsWhereAsked) {
  std::string text = emitBody(R"(
    %zero = arith.constant 0 : i32
    %four = arith.constant 4 : i32
    %one = arith.constant 1 : i32
    %r = simt.registers : memref<4xf32, #simt.register>
    scf.for %i = %zero to %four step %one : i32 {
      %v = simt.load %A[%i : i32] : memref<?xf32> -> f32
      simt.store %v, %r[%i : i32] : f32, memref<4xf32, #simt.register>
    } {simt.unroll}
    %last = arith.constant 3 : i32
    %w = simt.load %r[%last : i32] : memref<4xf32, #simt.register> -> f32
    simt.store %w, %B[%zero : i32] : f32, memref<?xf32>)");
  expectInOrder(text, {"  alignas(16) float r[4];\n", "  #pragma unroll\n  for (int i = 0; i < 4; ++i) {\n",
                       "    const float v = A[i];\n", "    r[i] = v;\n"});
}

// Carried values are variables named after the body's argument; the result of the loop is the same variable.
TEST_F(ControlFlowTest, CarriesValuesInVariables) {
  std::string text = emitBody(R"(
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %start = arith.constant 0.0 : f32
    %total = scf.for %i = %zero to %n step %one iter_args(%sum = %start) -> (f32) : i64 {
      %v = simt.load %A[%i : i64] : memref<?xf32> -> f32
      %next = arith.addf %sum, %v : f32
      scf.yield %next : f32
    }
    simt.store %total, %B[%zero : i64] : f32, memref<?xf32>)");
  expectInOrder(text, {"  float sum = 0.0f;\n", "for (long long i = 0; i < n; ++i) {", "    sum = sum + v;\n  }\n",
                       "  B[0] = sum;\n"});
}

// Values that change places go through a temporary: the loop computes Fibonacci numbers.
TEST_F(ControlFlowTest, AssignsCarriedValuesAtOnce) {
  std::string text = emitBody(R"(
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i64, i64) : i64 {
      %c = arith.addi %a, %b overflow<nsw> : i64
      scf.yield %b, %c : i64, i64
    }
    simt.store %r#0, %A[%zero : i64] : i64, memref<?xi64>)",
                              "i64");
  expectInOrder(text, {"long long a = 0ll;", "long long b = 1ll;", "const long long next_b = a + b;", "a = b;",
                       "b = next_b;", "A[0] = a;"});
}

// A branch that yields assigns a variable declared before it; one without results has no else.
TEST_F(ControlFlowTest, PrintsBranches) {
  std::string text = emitBody(R"(
    %zero = arith.constant 0 : i64
    %limit = arith.constant 5 : i64
    %small = arith.cmpi slt, %n, %limit : i64
    %x = arith.constant 1.0 : f32
    %y = arith.constant -1.0 : f32
    %chosen = scf.if %small -> (f32) {
      scf.yield %x : f32
    } else {
      scf.yield %y : f32
    }
    scf.if %small {
      simt.store %chosen, %A[%zero : i64] : f32, memref<?xf32>
    })");
  expectInOrder(text, {"const bool small = n < 5;", "float chosen;\n", "if (small) {\n    chosen = 1.0f;\n",
                       "} else {\n    chosen = -1.0f;\n  }\n", "if (small) {\n    A[0] = chosen;\n  }\n}"});
}

// A loop whose test is an expression is a plain `while`.
TEST_F(ControlFlowTest, PrintsSimpleWhile) {
  std::string text = emitBody(R"(
    %zero = arith.constant 0 : i64
    %two = arith.constant 2 : i64
    %r = scf.while (%m = %n) : (i64) -> i64 {
      %more = arith.cmpi sgt, %m, %zero : i64
      scf.condition(%more) %m : i64
    } do {
    ^bb0(%left: i64):
      %half = arith.divsi %left, %two : i64
      scf.yield %half : i64
    }
    simt.store %r, %A[%zero : i64] : i64, memref<?xi64>)",
                              "i64");
  expectInOrder(text, {"  long long m = n;\n  while (m > 0) {\n    m = m / 2;\n  }\n  A[0] = m;\n"});
}

// A loop whose test needs statements breaks out of the middle, after what it forwards is set.
TEST_F(ControlFlowTest, PrintsWhileWithWorkInItsTest) {
  std::string text = emitBody(R"(
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = scf.while (%m = %zero) : (i64) -> i64 {
      %v = simt.load %A[%m : i64] : memref<?xi64> -> i64
      %w = arith.addi %v, %m overflow<nsw> : i64
      %more = arith.cmpi sgt, %v, %zero : i64
      scf.condition(%more) %w : i64
    } do {
    ^bb0(%sum: i64):
      %next = arith.addi %sum, %one overflow<nsw> : i64
      scf.yield %next : i64
    }
    simt.store %r, %B[%zero : i64] : i64, memref<?xi64>)",
                              "i64");
  expectInOrder(text, {"long long m = 0ll;", "long long sum;", "while (true) {", "const long long v = A[m];",
                       "sum = v + m;", "if (!(v > 0))\n      break;\n", "m = sum + 1;", "}", "B[0] = sum;"});
}

// A loop nobody listens to carries nothing, and unused operations are not printed.
TEST_F(ControlFlowTest, PrintsNothingDead) {
  std::string text = emitBody(R"(
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %start = arith.constant 0.0 : f32
    %dead = simt.load %A[%zero : i64] : memref<?xf32> -> f32
    %deader = arith.addf %dead, %dead : f32
    %unused = scf.for %i = %zero to %n step %one iter_args(%sum = %start) -> (f32) : i64 {
      simt.store %start, %A[%i : i64] : f32, memref<?xf32>
      %square = arith.mulf %start, %start : f32
      scf.yield %square : f32
    }
    %yes = arith.constant true
    %other = scf.if %yes -> f32 {
      scf.yield %start : f32
    } else {
      scf.yield %deader : f32
    })"
                              "",
                              "f32");
  EXPECT_EQ(text.find("dead"), std::string::npos) << text;
  EXPECT_EQ(text.find("float sum"), std::string::npos) << text;
}

} // namespace tile::cuda
