// ExpressionTest.cpp - brackets, inlining, integer and float arithmetic as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitterTest.h"

#include "lib/Target/CUDA/Expression.h"

namespace tile::cuda {

using ExpressionTest = EmitterTest;

/// Loads x, y, z of `type` from A, computes `%r` by the ops given, and stores it to B[0].
static std::string computing(const std::string &type, const std::string &ops, const std::string &result) {
  std::string load, t = type;
  for (int i = 0; i < 3; ++i)
    load += std::string("%") + "xyz"[i] + " = simt.load %A[%c" + std::to_string(i) + " : i64] : memref<?x" + t +
            "> -> " + t + "\n";
  std::string constants;
  for (int i = 0; i < 3; ++i)
    constants += "%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : i64\n";
  std::string store = result == "i1" ? "%w = arith.extui %r : i1 to " + (t[0] == 'i' ? t : "i32") + "\n" : "";
  if (result == "i1" && t[0] != 'i')
    store += "%u = arith.bitcast %w : i32 to f32\nsimt.store %u, %B[%c0 : i64] : f32, memref<?xf32>";
  else
    store +=
        "simt.store " + std::string(result == "i1" ? "%w" : "%r") + ", %B[%c0 : i64] : " + t + ", memref<?x" + t + ">";
  return constants + load + ops + "\n" + store;
}

// Brackets stand where C needs them and nowhere else.
TEST_F(ExpressionTest, BracketsOnlyWhereNeeded) {
  Expr a = primary("a"), b = primary("b"), c = primary("c");
  EXPECT_EQ(binary("+", a, binary("*", b, c)).text, "a + b * c");
  EXPECT_EQ(binary("*", binary("+", a, b), c).text, "(a + b) * c");
  EXPECT_EQ(binary("-", binary("-", a, b), c).text, "a - b - c");
  EXPECT_EQ(binary("-", a, binary("-", b, c)).text, "a - (b - c)");
  EXPECT_EQ(binary("*", a, binary("/", b, c)).text, "a * (b / c)");
  EXPECT_EQ(binary("<", binary("+", a, b), c).text, "a + b < c");
  EXPECT_EQ(binary("==", binary("<", a, b), c).text, "(a < b) == c");
  EXPECT_EQ(binary("&", binary("+", a, b), c).text, "(a + b) & c");
  EXPECT_EQ(binary("&", binary("&", a, b), c).text, "a & b & c");
  EXPECT_EQ(binary("|", binary("&", a, b), c).text, "(a & b) | c");
  EXPECT_EQ(binary("<<", binary("+", a, b), c).text, "(a + b) << c");
  EXPECT_EQ(binary("+", binary("<<", a, b), c).text, "(a << b) + c");
  EXPECT_EQ(binary("||", binary("&&", a, b), c).text, "(a && b) || c");
  EXPECT_EQ(binary("&&", binary("<", a, b), c).text, "a < b && c");
  EXPECT_EQ(unary("-", unary("-", a)).text, "-(-a)");
  EXPECT_EQ(unary("!", binary("<", a, b)).text, "!(a < b)");
  EXPECT_EQ(cast("int", binary("+", a, b)).text, "(int)(a + b)");
  EXPECT_EQ(cast("int", cast("unsigned", a)).text, "(int)(unsigned)a");
  EXPECT_EQ(conditional(binary("<", a, b), a, conditional(a, b, c)).text, "a < b ? a : (a ? b : c)");
  EXPECT_EQ(binary("+", conditional(a, b, c), a).text, "(a ? b : c) + a");
  EXPECT_EQ(call("f", {binary("+", a, b), c}).text, "f(a + b, c)");
}

// A value with one use stands where it is used; one with two gets a name.
TEST_F(ExpressionTest, NamesWhatIsUsedTwice) {
  std::string once = emitBody(computing("f32", "%p = arith.mulf %x, %y : f32\n%r = arith.addf %p, %z : f32", "f32"));
  expectInOrder(once, {"B[0] = x * y + z;"});
  std::string twice = emitBody(computing("f32", "%p = arith.mulf %x, %y : f32\n%r = arith.addf %p, %p : f32", "f32"));
  expectInOrder(twice, {"const float p = x * y;", "B[0] = p + p;"});
}

// An expression that outgrows a line is cut by a name.
TEST_F(ExpressionTest, KeepsLinesShort) {
  std::string ops = "%p0 = arith.addf %x, %y : f32\n";
  for (int i = 1; i < 60; ++i)
    ops += "%p" + std::to_string(i) + " = arith.addf %p" + std::to_string(i - 1) + ", %z : f32\n";
  std::string text = emitBody(computing("f32", ops + "%r = arith.addf %p59, %z : f32", "f32"));
  size_t start = 0, longest = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
    longest = std::max(longest, end - start);
  EXPECT_LE(longest, 120u);
}

// A load is never moved over a store, nor into a loop.
TEST_F(ExpressionTest, LoadsStayInPlace) {
  std::string text = emitBody(R"(
    %c0 = arith.constant 0 : i64
    %x = simt.load %A[%c0 : i64] : memref<?xf32> -> f32
    %y = arith.constant 1.0 : f32
    simt.store %y, %A[%c0 : i64] : f32, memref<?xf32>
    simt.barrier
    simt.store %x, %B[%c0 : i64] : f32, memref<?xf32>)");
  expectInOrder(text, {"const float x = A[0];", "A[0] = 1.0f;", "__syncthreads();", "B[0] = x;"});
}

// What a loop uses is computed before it.
TEST_F(ExpressionTest, DoesNotMoveWorkIntoLoops) {
  std::string text = emitBody(R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %x = simt.load %A[%c0 : i64] : memref<?xf32> -> f32
    %e = math.exp %x : f32
    %end = arith.divsi %n, %c1 : i64
    scf.for %i = %c0 to %end step %c1 : i64 {
      simt.store %e, %B[%i : i64] : f32, memref<?xf32>
    })");
  expectInOrder(text, {"const float e = expf(x);", "const long long end = n / 1;", "i < end;", "B[i] = e;"});
}

// Signed arithmetic wraps through unsigned, in one cast for a chain; flags that promise no overflow make it plain.
TEST_F(ExpressionTest, WrapsSignedArithmetic) {
  expectInOrder(emitBody(computing("i32", "%r = arith.addi %x, %y : i32", "i32"), "i32"),
                {"B[0] = (int)((unsigned)x + y);"});
  expectInOrder(emitBody(computing("i32", "%p = arith.muli %x, %y : i32\n%r = arith.subi %p, %z : i32", "i32"), "i32"),
                {"B[0] = (int)((unsigned)x * y - z);"});
  expectInOrder(emitBody(computing("i64", "%r = arith.addi %x, %c2 : i64", "i64"), "i64"),
                {"B[0] = (long long)((unsigned long long)x + 2ull);"});
  expectInOrder(emitBody(computing("i32", "%r = arith.addi %x, %y overflow<nsw> : i32", "i32"), "i32"),
                {"B[0] = x + y;"});
  expectInOrder(emitBody(computing("i8", "%r = arith.muli %x, %y : i8", "i8"), "i8"), {"B[0] = (signed char)(x * y);"});
}

// The operation carries the sign: unsigned forms cast to the unsigned type of the same width first.
TEST_F(ExpressionTest, OperationsCarryTheSign) {
  expectInOrder(emitBody(computing("i32", "%r = arith.divui %x, %y : i32", "i32"), "i32"),
                {"B[0] = (int)((unsigned)x / (unsigned)y);"});
  expectInOrder(emitBody(computing("i8", "%r = arith.remui %x, %y : i8", "i8"), "i8"),
                {"B[0] = (signed char)((unsigned char)x % (unsigned char)y);"});
  expectInOrder(emitBody(computing("i32", "%r = arith.cmpi ult, %x, %y : i32", "i1"), "i32"),
                {"(unsigned)x < (unsigned)y"});
  expectInOrder(emitBody(computing("i32", "%r = arith.cmpi slt, %x, %y : i32", "i1"), "i32"), {"(x < y)"});
  expectInOrder(
      emitBody(computing("i16", "%w = arith.extui %x : i16 to i32\n%r = arith.trunci %w : i32 to i16", "i16"), "i16"),
      {"(short)(int)(unsigned short)x"});
}

// Shifts by a constant in range are C's; other amounts go through a helper that knows the width.
TEST_F(ExpressionTest, ShiftsKnowTheirWidth) {
  std::string c = "%k = arith.constant 3 : i32\n";
  expectInOrder(emitBody(computing("i32", c + "%r = arith.shrsi %x, %k : i32", "i32"), "i32"), {"B[0] = x >> 3;"});
  expectInOrder(emitBody(computing("i32", c + "%r = arith.shli %x, %k : i32", "i32"), "i32"),
                {"B[0] = (int)((unsigned)x << 3);"});
  expectInOrder(emitBody(computing("i32", "%r = arith.shrui %x, %y : i32", "i32"), "i32"),
                {"unsigned shr_u32(", "B[0] = (int)shr_u32((unsigned)x, (unsigned)y);"});
  std::string wide = "%k = arith.constant 32 : i32\n";
  expectInOrder(
      emitBody(computing("i32", wide + "%p = arith.shli %x, %k : i32\n%r = arith.ori %p, %y : i32", "i32"), "i32"),
      {"B[0] = 0 | y;"});
}

// Floats below f32 are computed in f32 and rounded back after every operation.
TEST_F(ExpressionTest, RoundsNarrowFloatsOnce) {
  std::string text =
      emitBody(computing("f16", "%two = arith.constant 2.0 : f16\n%r = arith.mulf %x, %two : f16", "f16"), "f16");
  expectInOrder(text, {"using f16 = unsigned short;", "f16 f32_to_f16(float x)", "const f16 x = A[0];",
                       "B[0] = f32_to_f16(f16_to_f32(x) * 2.0f);"});
  expectInOrder(emitBody(computing("bf16", "%r = math.fma %x, %y, %z : bf16", "bf16"), "bf16"),
                {"B[0] = fma_bf16(x, y, z);"});
}

// Approximations stand only where the flags allow them.
TEST_F(ExpressionTest, ApproximatesWhereAllowed) {
  expectInOrder(emitBody(computing("f32", "%r = math.exp %x : f32", "f32")), {"B[0] = expf(x);"});
  expectInOrder(emitBody(computing("f32", "%r = math.exp %x fastmath<afn> : f32", "f32")), {"B[0] = exp_approx(x);"});
  expectInOrder(emitBody(computing("f32", "%r = math.erf %x fastmath<afn> : f32", "f32")), {"B[0] = erf_approx(x);"});
  expectInOrder(emitBody(computing("f32", "%r = arith.divf %x, %y : f32", "f32")), {"B[0] = x / y;"});
  expectInOrder(emitBody(computing("f32", "%r = arith.divf %x, %y fastmath<arcp> : f32", "f32")),
                {"B[0] = x * rcp_approx(y);"});
  expectInOrder(emitBody(computing("f32", "%r = arith.divf %x, %y fastmath<afn> : f32", "f32")),
                {"B[0] = div_approx(x, y);"});
  expectInOrder(emitBody(computing("f64", "%r = math.tanh %x fastmath<afn> : f64", "f64"), "f64"), {"B[0] = tanh(x);"});
}

// Constants are exact: subnormals, the ends of the range, infinities, NaN, -0.
TEST_F(ExpressionTest, ConstantsAreExact) {
  struct Case {
    const char *type, *constant, *text;
  };
  for (const Case &c :
       {Case{"f32", "1.4e-45", "0x0.000002p-126f"}, Case{"f32", "-0.0", "-0.0f"},
        Case{"f32", "0x7F800000", "__int_as_float(0x7f800000)"},
        Case{"f32", "0x7FC00001", "__int_as_float(0x7fc00001)"}, Case{"f16", "65504.0", "0x7bff"},
        Case{"f64", "1.0e300", "0x1.7e43c8800759cp+996"}, Case{"i32", "-2147483648", "(-2147483647 - 1)"},
        Case{"i64", "-9223372036854775808", "(-9223372036854775807ll - 1)"}, Case{"f8E4M3FN", "448.0", "0x7e"},
        Case{"bf16", "0x7F80", "0x7f80"}}) {
    std::string t = c.type;
    std::string text = emitBody("%c0 = arith.constant 0 : i64\n%x = arith.constant " + std::string(c.constant) + " : " +
                                    t + "\nsimt.store %x, %A[%c0 : i64] : " + t + ", memref<?x" + t + ">",
                                t);
    expectInOrder(text, {std::string("A[0] = ") + c.text + ";"});
  }
}

// Affine expressions round toward minus infinity, by shift and mask where the divisor is a power of two.
TEST_F(ExpressionTest, PrintsAffineExpressions) {
  struct Case {
    const char *map, *text;
  };
  for (const Case &c :
       {Case{"d0 * 1024 + d1", "bx * 1024 + t"}, Case{"d0 - d1", "bx - t"}, Case{"d0 - 7", "bx - 7"},
        Case{"(d0 + d1) * 3", "(bx + t) * 3"}, Case{"d0 floordiv 32 + d1", "(bx >> 5) + t"},
        Case{"d0 mod 8 + d1", "(bx & 7) + t"}, Case{"d0 floordiv 96 - d1", "floordiv_i64(bx, 96ll) - t"},
        Case{"d0 mod 7 + d1", "mod_i64(bx, 7ll) + t"}, Case{"d0 ceildiv 8 + d1", "ceildiv_i64(bx, 8ll) + t"},
        Case{"d0 + d1 + 5000000000", "bx + t + 5000000000ll"}}) {
    std::string text = emitBody("%t = simt.thread_id : index\n%i = affine.apply affine_map<(d0, d1) -> (" +
                                std::string(c.map) + ")>(%bx, %t)\n" +
                                "%x = arith.constant 1.0 : f32\n"
                                "simt.store %x, %A[%i : index] : f32, memref<?xf32>\n"
                                "simt.store %x, %B[%t : index] : f32, memref<?xf32>");
    expectInOrder(text, {std::string("A[") + c.text + "] = 1.0f;"});
  }
}

// Block and thread indices are widened before anything is multiplied.
TEST_F(ExpressionTest, WidensBlockIndicesFirst) {
  std::string text = emitBody(R"(
    %i = affine.apply affine_map<(d0) -> (d0 * 1024)>(%bx)
    %x = arith.constant 1.0 : f32
    simt.store %x, %A[%i : index] : f32, memref<?xf32>)");
  expectInOrder(text, {"const long long bx = blockIdx.x;", "A[bx * 1024] = 1.0f;"});
  std::string thread = emitBody(R"(
    %t = simt.thread_id : i64
    %k = arith.constant 1048576 : i64
    %i = arith.muli %t, %k overflow<nsw> : i64
    %x = arith.constant 1.0 : f32
    simt.store %x, %A[%i : i64] : f32, memref<?xf32>)");
  expectInOrder(thread, {"A[(long long)threadIdx.x * 1048576] = 1.0f;"});
}

} // namespace tile::cuda
