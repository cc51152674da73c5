// HostShim.h - what HostTest puts before emitted text: CUDA's names, and the helpers that are PTX, for the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TEST_UNIT_TARGETCUDA_HOSTSHIM_H
#define TILE_TEST_UNIT_TARGETCUDA_HOSTSHIM_H

/// C++ text. Each helper whose body is PTX is defined here once more, as the PTX manual describes the instruction.
inline constexpr char kHostShim[] = R"(
#include <bit>
#include <cmath>
#include <cstdint>
#define __global__
#define __device__ static
#define __forceinline__ inline
#define __launch_bounds__(...)
static unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
static float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
static int __float_as_int(float x) { return std::bit_cast<int>(x); }
static float __int_as_float(int x) { return std::bit_cast<float>(x); }
static long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
static double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
static int __clz(int x) { return std::countl_zero((unsigned)x); }
static int __clzll(long long x) { return std::countl_zero((unsigned long long)x); }
static int __popc(unsigned x) { return std::popcount(x); }
static int __popcll(unsigned long long x) { return std::popcount(x); }
static unsigned __brev(unsigned x) { unsigned y = 0; for (int i = 0; i < 32; ++i) y |= (x >> i & 1) << (31 - i); return y; }
static unsigned long long __brevll(unsigned long long x) { return (unsigned long long)__brev(x) << 32 | __brev(x >> 32); }
static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }
static unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
static unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
static long long min(long long a, long long b) { return a < b ? a : b; }
static long long max(long long a, long long b) { return a > b ? a : b; }
static unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
static double rsqrt(double x) { return 1.0 / std::sqrt(x); }
static float rsqrtf(float x) { return (float)rsqrt((double)x); }
// The host's pow gives NaN for a signalling NaN to the power 0; the device, like C's annex F for quiet ones, 1.
template <typename T> static T quiet(T x) { return x != x ? (T)NAN : x; }
#define powf(x, y) powf(quiet(x), quiet(y))
#define pow(x, y) pow(quiet(x), quiet(y))

template <typename T> static float toward_zero(T x) {
  float f = (float)x;
  long double exact = x;
  return std::fabs((long double)f) > std::fabs(exact) ? std::nextafterf(f, 0.0f) : f;
}
static float __double2float_rz(double x) { return std::isfinite(x) ? toward_zero(x) : (float)x; }
static float __int2float_rz(int x) { return toward_zero(x); }
static float __uint2float_rz(unsigned x) { return toward_zero(x); }
static float __ll2float_rz(long long x) { return toward_zero(x); }
static float __ull2float_rz(unsigned long long x) { return toward_zero(x); }
template <typename I, typename F> static I saturate(F x, I at_nan) {
  if (x != x)
    return at_nan;
  const F limit = std::ldexp(F(1), sizeof(I) * 8 - (I(-1) < I(0)));
  const I highest = I(-1) < I(0) ? (I)(~0ull >> (65 - sizeof(I) * 8)) : I(-1);
  if (x >= limit)
    return highest;
  if (x <= (I(-1) < I(0) ? -limit : F(-1)))
    return I(-1) < I(0) ? (I)(-highest - 1) : I(0);
  return (I)x;
}
static int __float2int_rz(float x) { return saturate<int>(x, 0); }
static unsigned __float2uint_rz(float x) { return saturate<unsigned>(x, 0); }
static long long __float2ll_rz(float x) { return saturate<long long>(x, INT64_MIN); }
static unsigned long long __float2ull_rz(float x) { return saturate<unsigned long long>(x, 1ull << 63); }
static int f32_to_i32(float x) { return saturate<int>(x, 0); }
static unsigned f32_to_u32(float x) { return saturate<unsigned>(x, 0); }
static long long f32_to_i64(float x) { return saturate<long long>(x, 0); }
static unsigned long long f32_to_u64(float x) { return saturate<unsigned long long>(x, 0); }
static int f64_to_i32(double x) { return saturate<int>(x, 0); }
static unsigned f64_to_u32(double x) { return saturate<unsigned>(x, 0); }
static long long f64_to_i64(double x) { return saturate<long long>(x, 0); }
static unsigned long long f64_to_u64(double x) { return saturate<unsigned long long>(x, 0); }

using f16 = unsigned short;
using bf16 = unsigned short;
static float f16_to_f32(f16 x) { return (float)std::bit_cast<_Float16>(x); }
static f16 f32_to_f16(float x) { return std::bit_cast<f16>((_Float16)x); }
static bf16 f32_to_bf16(float x) {
  unsigned bits = __float_as_uint(x);
  return x != x ? 0x7fff : (bf16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
static float sign_first(float a, float b, bool larger) { return std::signbit(a) == larger ? b : a; }
static float maxnum_f32(float a, float b) { return a != a ? b : b != b ? a : a > b ? a : a < b ? b : sign_first(a, b, true); }
static float minnum_f32(float a, float b) { return a != a ? b : b != b ? a : a < b ? a : a > b ? b : sign_first(a, b, false); }
static float maximum_f32(float a, float b) { return a != a || b != b ? NAN : maxnum_f32(a, b); }
static float minimum_f32(float a, float b) { return a != a || b != b ? NAN : minnum_f32(a, b); }
// Not compared: on the device this is one instruction.
static f16 fma_f16(f16 a, f16 b, f16 c) { return f32_to_f16(std::fma(f16_to_f32(a), f16_to_f32(b), f16_to_f32(c))); }
static bf16 fma_bf16(bf16 a, bf16, bf16) { return a; }
)";

#endif // TILE_TEST_UNIT_TARGETCUDA_HOSTSHIM_H
