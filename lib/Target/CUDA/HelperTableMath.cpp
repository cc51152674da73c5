// HelperTableMath.cpp - the device functions that emitted text may use: arithmetic, threads, atomics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Helpers.h"

namespace tile::cuda {

// Written as in HelperTable.cpp.
static constexpr Helper kMath[] = {
    // Classes and comparisons.
    {"isnan_f32", "", R"(
DEVICE bool isnan_f32(float x) { return (__float_as_uint(x) & 0x7fffffff) > 0x7f800000; }
)"},
    {"isinf_f32", "", R"(
DEVICE bool isinf_f32(float x) { return (__float_as_uint(x) & 0x7fffffff) == 0x7f800000; }
)"},
    {"isfinite_f32", "", R"(
DEVICE bool isfinite_f32(float x) { return (__float_as_uint(x) & 0x7fffffff) < 0x7f800000; }
)"},
    {"isnormal_f32", "", R"(
DEVICE bool isnormal_f32(float x) { return (__float_as_uint(x) & 0x7fffffff) - 0x800000 < 0x7f000000; }
)"},
    {"isnormal_f16", "", R"(
DEVICE bool isnormal_f16(unsigned bits) { return (bits & 0x7fff) - 0x400 < 0x7800; }
)"},
    {"isnan_f64", "", R"(
DEVICE bool isnan_f64(double x) { return (__double_as_longlong(x) & ~(1ull << 63)) > 0x7ff0000000000000ull; }
)"},
    {"isinf_f64", "", R"(
DEVICE bool isinf_f64(double x) { return (__double_as_longlong(x) & ~(1ull << 63)) == 0x7ff0000000000000ull; }
)"},
    {"isfinite_f64", "", R"(
DEVICE bool isfinite_f64(double x) { return (__double_as_longlong(x) & ~(1ull << 63)) < 0x7ff0000000000000ull; }
)"},
    {"isnormal_f64", "", R"(
DEVICE bool isnormal_f64(double x) {
  return (__double_as_longlong(x) & ~(1ull << 63)) - (1ull << 52) < 0x7fe0000000000000ull;
}
)"},
    {"ordered_f32", "", R"(
DEVICE bool ordered_f32(float a, float b) { return a == a && b == b; }
)"},
    {"ordered_f64", "", R"(
DEVICE bool ordered_f64(double a, double b) { return a == a && b == b; }
)"},
    {"differ_f32", "", R"(
DEVICE bool differ_f32(float a, float b) { return a < b || a > b; } // neither equal nor NaN
)"},
    {"differ_f64", "", R"(
DEVICE bool differ_f64(double a, double b) { return a < b || a > b; } // neither equal nor NaN
)"},

    // Arithmetic.
    {"maximum_f32", "", R"(
DEVICE float maximum_f32(float a, float b) { // NaN wins, -0 < +0
  asm("max.NaN.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
  return a;
}
)"},
    {"minimum_f32", "", R"(
DEVICE float minimum_f32(float a, float b) { // NaN wins, -0 < +0
  asm("min.NaN.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
  return a;
}
)"},
    {"maxnum_f32", "", R"(
DEVICE float maxnum_f32(float a, float b) { // a number wins over NaN, -0 < +0
  asm("max.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
  return a;
}
)"},
    {"minnum_f32", "", R"(
DEVICE float minnum_f32(float a, float b) { // a number wins over NaN, -0 < +0
  asm("min.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
  return a;
}
)"},
    {"larger_f64", "", R"(
// Of two numbers; equal ones differ at most in the sign of zero.
DEVICE double larger_f64(double a, double b) {
  const double equal = __longlong_as_double(__double_as_longlong(a) & __double_as_longlong(b));
  return a > b ? a : a < b ? b : equal;
}
)"},
    {"smaller_f64", "", R"(
// Of two numbers; equal ones differ at most in the sign of zero.
DEVICE double smaller_f64(double a, double b) {
  const double equal = __longlong_as_double(__double_as_longlong(a) | __double_as_longlong(b));
  return a < b ? a : a > b ? b : equal;
}
)"},
    {"maximum_f64", "larger_f64", R"(
DEVICE double maximum_f64(double a, double b) { return a != a || b != b ? a + b : larger_f64(a, b); }
)"},
    {"minimum_f64", "smaller_f64", R"(
DEVICE double minimum_f64(double a, double b) { return a != a || b != b ? a + b : smaller_f64(a, b); }
)"},
    {"maxnum_f64", "larger_f64", R"(
DEVICE double maxnum_f64(double a, double b) { return a != a ? b : b != b ? a : larger_f64(a, b); }
)"},
    {"minnum_f64", "smaller_f64", R"(
DEVICE double minnum_f64(double a, double b) { return a != a ? b : b != b ? a : smaller_f64(a, b); }
)"},
    {"fma_f16", "f16", R"(
DEVICE f16 fma_f16(f16 a, f16 b, f16 c) {
  asm("fma.rn.f16 %0, %0, %1, %2;" : "+h"(a) : "h"(b), "h"(c));
  return a;
}
)"},
    {"fma_bf16", "bf16", R"(
DEVICE bf16 fma_bf16(bf16 a, bf16 b, bf16 c) {
  asm("fma.rn.bf16 %0, %0, %1, %2;" : "+h"(a) : "h"(b), "h"(c));
  return a;
}
)"},

    {"maximum_f16", "f16_to_f32 f32_to_f16 maximum_f32", R"(
DEVICE f16 maximum_f16(f16 a, f16 b) { return f32_to_f16(maximum_f32(f16_to_f32(a), f16_to_f32(b))); }
)"},
    {"minimum_f16", "f16_to_f32 f32_to_f16 minimum_f32", R"(
DEVICE f16 minimum_f16(f16 a, f16 b) { return f32_to_f16(minimum_f32(f16_to_f32(a), f16_to_f32(b))); }
)"},
    {"maximum_bf16", "bf16_to_f32 f32_to_bf16 maximum_f32", R"(
DEVICE bf16 maximum_bf16(bf16 a, bf16 b) { return f32_to_bf16(maximum_f32(bf16_to_f32(a), bf16_to_f32(b))); }
)"},
    {"minimum_bf16", "bf16_to_f32 f32_to_bf16 minimum_f32", R"(
DEVICE bf16 minimum_bf16(bf16 a, bf16 b) { return f32_to_bf16(minimum_f32(bf16_to_f32(a), bf16_to_f32(b))); }
)"},
    {"sum_bf16", "bf16_to_f32 f32_to_bf16", R"(
DEVICE bf16 sum_bf16(bf16 a, bf16 b) { return f32_to_bf16(bf16_to_f32(a) + bf16_to_f32(b)); }
)"},
    {"second_b16", "", R"(
DEVICE unsigned short second_b16(unsigned short, unsigned short b) { return b; }
)"},

    // Approximations, where the program allows them. Subnormal arguments and results count as zero: keeping them would
    // take as many instructions again.
    {"exp2_approx", "", R"(
DEVICE float exp2_approx(float x) {
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
)"},
    {"exp_approx", "exp2_approx", R"(
DEVICE float exp_approx(float x) { return exp2_approx(x * 0x1.715476p+0f); } // log2(e)
)"},
    {"log2_approx", "", R"(
DEVICE float log2_approx(float x) {
  asm("lg2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
)"},
    {"log_approx", "log2_approx", R"(
DEVICE float log_approx(float x) { return log2_approx(x) * 0x1.62e43p-1f; } // log(2)
)"},
    {"log10_approx", "log2_approx", R"(
DEVICE float log10_approx(float x) { return log2_approx(x) * 0x1.344136p-2f; } // log10(2)
)"},
    {"rcp_approx", "", R"(
DEVICE float rcp_approx(float x) {
  asm("rcp.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
)"},
    {"div_approx", "", R"(
DEVICE float div_approx(float a, float b) {
  asm("div.full.ftz.f32 %0, %0, %1;" : "+f"(a) : "f"(b));
  return a;
}
)"},
    {"sqrt_approx", "", R"(
DEVICE float sqrt_approx(float x) {
  asm("sqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
)"},
    {"rsqrt_approx", "", R"(
DEVICE float rsqrt_approx(float x) {
  asm("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
)"},
    {"tanh_approx", "", R"(
DEVICE float tanh_approx(float x) {
  asm("tanh.approx.f32 %0, %0;" : "+f"(x));
  return x;
}
)"},
    // Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
    {"erf_approx", "exp2_approx rcp_approx", R"(
DEVICE float erf_approx(float x) {
  const float t = rcp_approx(__fmaf_rn(0.3275911f, fabsf(x), 1.0f));
  float p = __fmaf_rn(1.061405429f, t, -1.453152027f);
  p = __fmaf_rn(p, t, 1.421413741f);
  p = __fmaf_rn(p, t, -0.284496736f);
  p = __fmaf_rn(p, t, 0.254829592f);
  return copysignf(__fmaf_rn(-p * t, exp2_approx(x * x * -0x1.715476p+0f), 1.0f), x); // -log2(e)
}
)"},
    {"sin_approx", "", R"(
DEVICE float sin_approx(float x) {
  asm("sin.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
)"},
    {"cos_approx", "", R"(
DEVICE float cos_approx(float x) {
  asm("cos.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
)"},

    // Threads.
    {"lane_or_own", "", R"(
// The lane if it is one of `lanes`, else the caller's own.
DEVICE int lane_or_own(unsigned lanes, int lane) {
  return (unsigned)lane < 32 && (lanes >> lane & 1) ? lane : (int)(threadIdx.x & 31);
}
)"},

    // Atomics that hardware lacks: try until nobody else came between. Each returns the old value.
    {"atomic_loop16", "", R"(
template <unsigned short combine(unsigned short, unsigned short)>
DEVICE unsigned short atomic_loop16(unsigned short *at, unsigned short value) {
  unsigned short seen = *at, expected;
  do {
    expected = seen;
    seen = atomicCAS(at, expected, combine(expected, value));
  } while (seen != expected);
  return seen;
}
)"},
    {"atomic_loop32", "", R"(
template <float combine(float, float)> DEVICE float atomic_loop32(float *at, float value) {
  int *word = reinterpret_cast<int *>(at);
  int seen = *word, expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, __float_as_int(combine(__int_as_float(expected), value)));
  } while (seen != expected);
  return __int_as_float(seen);
}
)"},
    {"atomic_loop64", "", R"(
template <double combine(double, double)> DEVICE double atomic_loop64(double *at, double value) {
  unsigned long long *word = reinterpret_cast<unsigned long long *>(at);
  unsigned long long seen = *word, expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, __double_as_longlong(combine(__longlong_as_double(expected), value)));
  } while (seen != expected);
  return __longlong_as_double(seen);
}
)"},
    {"atomic_add_f16", "f16", R"(
DEVICE f16 atomic_add_f16(f16 *at, f16 value) {
  asm volatile("atom.add.noftz.f16 %0, [%1], %0;" : "+h"(value) : "l"(at) : "memory");
  return value;
}
)"},
    {"reduce_add_f16", "f16", R"(
DEVICE void reduce_add_f16(f16 *at, f16 value) {
  asm volatile("red.add.noftz.f16 [%0], %1;" : : "l"(at), "h"(value) : "memory");
}
)"},
    {"atomic_add_bf16", "bf16 atomic_loop16 sum_bf16", R"(
DEVICE bf16 atomic_add_bf16(bf16 *at, bf16 value) {
#if __CUDA_ARCH__ >= 900
  asm volatile("atom.add.noftz.bf16 %0, [%1], %0;" : "+h"(value) : "l"(at) : "memory");
  return value;
#else
  return atomic_loop16<sum_bf16>(at, value);
#endif
}
)"},
    {"reduce_add_bf16", "bf16 atomic_loop16 sum_bf16", R"(
DEVICE void reduce_add_bf16(bf16 *at, bf16 value) {
#if __CUDA_ARCH__ >= 900
  asm volatile("red.add.noftz.bf16 [%0], %1;" : : "l"(at), "h"(value) : "memory");
#else
  atomic_loop16<sum_bf16>(at, value);
#endif
}
)"},
};

llvm::ArrayRef<Helper> mathHelpers() {
  return kMath;
}

} // namespace tile::cuda
