// HelperTable.cpp - the types and device functions that emitted text may use: memory, integers, conversions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Helpers.h"

namespace tile::cuda {

// `DEVICE` at the beginning of a line stands for `__device__ __forceinline__`. Conversions round once: f32 to narrower
// by hardware or in bits, wider sources through f32 rounded to odd, which keeps what the second rounding needs to know.
static constexpr Helper kBasic[] = {
    // Types: floats that C lacks travel as their bits.
    {"f16", "", R"(
using f16 = unsigned short; // the bits of a half
)"},
    {"bf16", "", R"(
using bf16 = unsigned short; // the bits of a bfloat16
)"},
    {"f8e4m3", "", R"(
using f8e4m3 = unsigned char; // the bits of an f8E4M3FN
)"},
    {"f8e5m2", "", R"(
using f8e5m2 = unsigned char; // the bits of an f8E5M2
)"},

    // The order of launches.
    {"await_turn", "", R"(
// In grids of so many blocks at most: from here on the kernel before has ended and its writes are visible; the next may
// start, and waits here itself.
DEVICE void await_turn(unsigned most) {
#if __CUDA_ARCH__ >= 900
  const unsigned long long blocks = (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  asm volatile("{\n\t.reg .pred awaits;\n\tsetp.le.u64 awaits, %0, %1;\n\t"
               "@awaits griddepcontrol.wait;\n\t@awaits griddepcontrol.launch_dependents;\n\t}"
               :
               : "l"(blocks), "l"((unsigned long long)most)
               : "memory");
#endif
}
)"},

    // Memory: consecutive bytes as one access.
    {"move1", "", R"(
DEVICE void move1(void *to, const void *from) {
  *reinterpret_cast<unsigned char *>(to) = *reinterpret_cast<const unsigned char *>(from);
}
)"},
    {"move2", "", R"(
DEVICE void move2(void *to, const void *from) {
  *reinterpret_cast<unsigned short *>(to) = *reinterpret_cast<const unsigned short *>(from);
}
)"},
    {"move4", "", R"(
DEVICE void move4(void *to, const void *from) {
  *reinterpret_cast<unsigned *>(to) = *reinterpret_cast<const unsigned *>(from);
}
)"},
    {"move8", "", R"(
DEVICE void move8(void *to, const void *from) {
  *reinterpret_cast<uint2 *>(to) = *reinterpret_cast<const uint2 *>(from);
}
)"},
    {"move16", "", R"(
DEVICE void move16(void *to, const void *from) {
  *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from);
}
)"},
    // To shared memory, without waiting; what is 16 bytes wide leaves nothing in the L1.
    {"copy_async", "move4 move8 move16", R"(
DEVICE void copy_async(void *to, const void *from, int bytes) {
#if __CUDA_ARCH__ >= 800
  const unsigned at = (unsigned)__cvta_generic_to_shared(to);
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(at), "l"(from) : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"(at), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(at), "l"(from) : "memory");
#else
  bytes == 16 ? move16(to, from) : bytes == 8 ? move8(to, from) : move4(to, from);
#endif
}
)"},
    {"await_copies", "", R"(
// Everything that this thread copies asynchronously has arrived.
DEVICE void await_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}
)"},
    {"hold_words", "", R"(
// The registers hold these words: what is computed from them is computed anew behind this, not kept.
DEVICE void hold_words(void *words, int count) {
  #pragma unroll
  for (int i = 0; i < count; ++i)
    asm volatile("" : "+r"(reinterpret_cast<unsigned *>(words)[i]));
}
)"},
    // From global memory that nobody writes; what streams is read once, and leaves the caches first.
    {"move4_streaming", "", R"(
DEVICE void move4_streaming(void *to, const void *from, bool streams) {
  const unsigned *at = reinterpret_cast<const unsigned *>(from);
  *reinterpret_cast<unsigned *>(to) = streams ? __ldcs(at) : *at;
}
)"},
    {"move8_streaming", "", R"(
DEVICE void move8_streaming(void *to, const void *from, bool streams) {
  const uint2 *at = reinterpret_cast<const uint2 *>(from);
  *reinterpret_cast<uint2 *>(to) = streams ? __ldcs(at) : *at;
}
)"},
    {"move16_streaming", "", R"(
DEVICE void move16_streaming(void *to, const void *from, bool streams) {
  const uint4 *at = reinterpret_cast<const uint4 *>(from);
  *reinterpret_cast<uint4 *>(to) = streams ? __ldcs(at) : *at;
}
)"},
    // From global memory that nobody writes, and the L2 is asked to keep it: it is read again.
    {"keep_policy", "", R"(
DEVICE unsigned long long keep_policy() {
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
)"},
    {"move4_keep", "keep_policy", R"(
DEVICE void move4_keep(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
  unsigned v;
  asm("ld.global.nc.L2::cache_hint.b32 %0, [%1], %2;"
      : "=r"(v)
      : "l"(from), "l"(keep_policy()));
  *reinterpret_cast<unsigned *>(to) = v;
#else
  *reinterpret_cast<unsigned *>(to) = *reinterpret_cast<const unsigned *>(from);
#endif
}
)"},
    {"move8_keep", "keep_policy", R"(
DEVICE void move8_keep(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
  uint2 v;
  asm("ld.global.nc.L2::cache_hint.v2.b32 {%0, %1}, [%2], %3;"
      : "=r"(v.x), "=r"(v.y)
      : "l"(from), "l"(keep_policy()));
  *reinterpret_cast<uint2 *>(to) = v;
#else
  *reinterpret_cast<uint2 *>(to) = *reinterpret_cast<const uint2 *>(from);
#endif
}
)"},
    {"move16_keep", "keep_policy", R"(
DEVICE void move16_keep(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
  uint4 v;
  asm("ld.global.nc.L2::cache_hint.v4.b32 {%0, %1, %2, %3}, [%4], %5;"
      : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
      : "l"(from), "l"(keep_policy()));
  *reinterpret_cast<uint4 *>(to) = v;
#else
  *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from);
#endif
}
)"},
    // To global memory as one integer: a struct is stored word by word where the address is a sum of several terms.
    {"store8", "", R"(
DEVICE void store8(void *to, const void *from) {
  const uint2 v = *reinterpret_cast<const uint2 *>(from);
  *reinterpret_cast<unsigned long long *>(to) = (unsigned long long)v.y << 32 | v.x;
}
)"},
    {"store16", "", R"(
DEVICE void store16(void *to, const void *from) {
  const uint4 v = *reinterpret_cast<const uint4 *>(from);
  const unsigned long long low = (unsigned long long)v.y << 32 | v.x, high = (unsigned long long)v.w << 32 | v.z;
  *reinterpret_cast<unsigned __int128 *>(to) = (unsigned __int128)high << 64 | low;
}
)"},

    // Checks: one thread of all that find a fault says so.
    {"fault_count", "", R"(
__device__ unsigned fault_count;
)"},
    {"claim_fault", "fault_count", R"(
// Returns to the first thread that finds a fault; the others wait for it to end the kernel.
DEVICE void claim_fault() {
  if (atomicAdd(&fault_count, 1u) != 0)
    for (;;)
      __nanosleep(1000);
}
)"},

    // Integers: what C leaves undefined or rounds otherwise.
    {"abs_i32", "", R"(
DEVICE int abs_i32(int x) { return x < 0 ? (int)(0u - x) : x; }
)"},
    {"abs_i64", "", R"(
DEVICE long long abs_i64(long long x) { return x < 0 ? (long long)(0ull - x) : x; }
)"},
    {"shl_i32", "", R"(
DEVICE int shl_i32(unsigned x, unsigned n) { return n < 32 ? (int)(x << n) : 0; }
)"},
    {"shl_i64", "", R"(
DEVICE long long shl_i64(unsigned long long x, unsigned long long n) { return n < 64 ? (long long)(x << n) : 0; }
)"},
    {"shr_i32", "", R"(
DEVICE int shr_i32(int x, unsigned n) { return x >> (n < 32 ? n : 31); }
)"},
    {"shr_i64", "", R"(
DEVICE long long shr_i64(long long x, unsigned long long n) { return x >> (n < 64 ? n : 63); }
)"},
    {"shr_u32", "", R"(
DEVICE unsigned shr_u32(unsigned x, unsigned n) { return n < 32 ? x >> n : 0; }
)"},
    {"shr_u64", "", R"(
DEVICE unsigned long long shr_u64(unsigned long long x, unsigned long long n) { return n < 64 ? x >> n : 0; }
)"},
    {"floordiv_i32", "", R"(
DEVICE int floordiv_i32(int a, int b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
)"},
    {"floordiv_i64", "", R"(
DEVICE long long floordiv_i64(long long a, long long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
)"},
    {"ceildiv_i32", "", R"(
DEVICE int ceildiv_i32(int a, int b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }
)"},
    {"ceildiv_i64", "", R"(
DEVICE long long ceildiv_i64(long long a, long long b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }
)"},
    {"ceildiv_u32", "", R"(
DEVICE unsigned ceildiv_u32(unsigned a, unsigned b) { return a / b + (a % b != 0); }
)"},
    {"ceildiv_u64", "", R"(
DEVICE unsigned long long ceildiv_u64(unsigned long long a, unsigned long long b) { return a / b + (a % b != 0); }
)"},
    {"rem_i32", "", R"(
DEVICE int rem_i32(int a, int b) { return b == -1 ? 0 : a % b; } // C leaves the lowest % -1 undefined
)"},
    {"rem_i64", "", R"(
DEVICE long long rem_i64(long long a, long long b) { return b == -1 ? 0 : a % b; }
)"},
    {"mod_i64", "", R"(
DEVICE long long mod_i64(long long a, long long b) { return a % b < 0 ? a % b + b : a % b; }
)"},

    // Narrow floats to and from f32.
    {"f16_to_f32", "f16", R"(
DEVICE float f16_to_f32(f16 x) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x));
  return wide;
}
)"},
    {"f32_to_f16", "f16", R"(
DEVICE f16 f32_to_f16(float x) {
  f16 narrow;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(narrow) : "f"(x));
  return narrow;
}
)"},
    {"bf16_to_f32", "bf16", R"(
DEVICE float bf16_to_f32(bf16 x) { return __uint_as_float((unsigned)x << 16); }
)"},
    {"f32_to_bf16", "bf16", R"(
DEVICE bf16 f32_to_bf16(float x) {
  bf16 narrow;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(narrow) : "f"(x));
  return narrow;
}
)"},
    {"f8e4m3_to_f32", "f8e4m3 f16_to_f32", R"(
DEVICE float f8e4m3_to_f32(f8e4m3 x) {
#if __CUDA_ARCH__ >= 890
  unsigned pair;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"((unsigned short)x));
  return f16_to_f32((f16)pair);
#else
  // A half of the same digits is 2^-8 times as large.
  const float scaled = f16_to_f32((x & 0x80) << 8 | (x & 0x7f) << 7);
  return (x & 0x7f) == 0x7f ? __uint_as_float(0x7fc00000) : scaled * 256.0f;
#endif
}
)"},
    {"f8e5m2_to_f32", "f8e5m2 f16_to_f32", R"(
DEVICE float f8e5m2_to_f32(f8e5m2 x) { return f16_to_f32(x << 8); }
)"},
    {"f32_to_f8_bits", "", R"(
// A finite number, rounded once to nearest even; overflow gives the largest.
DEVICE unsigned char f32_to_f8_bits(float x, int mantissa_bits, int min_exponent, unsigned largest) {
  const unsigned bits = __float_as_uint(x);
  const int exponent = (int)(bits >> 23 & 0xff) - 127;
  const int below = exponent < min_exponent ? min_exponent - exponent : 0;
  const int shift = 23 - mantissa_bits + below;
  const unsigned significand = (bits & 0x7fffff) | 0x800000;
  const unsigned half = shift > 25 ? 0x1000000u : 1u << (shift - 1);
  const unsigned rest = shift > 25 ? 0 : significand & (2 * half - 1);
  const unsigned kept = shift > 25 ? 0 : significand >> shift;
  const unsigned field = below ? 0 : (unsigned)(exponent - min_exponent) << mantissa_bits;
  const unsigned rounded = field + kept + (rest > half || (rest == half && (kept & 1)));
  return (unsigned char)((bits >> 24 & 0x80) | (rounded < largest ? rounded : largest));
}
)"},
    {"f32_to_f8e4m3", "f8e4m3 f32_to_f8_bits", R"(
// Overflow gives the largest number; infinities, which f8E4M3FN lacks, give NaN.
DEVICE f8e4m3 f32_to_f8e4m3(float x) {
  if ((__float_as_uint(x) & 0x7fffffff) >= 0x7f800000)
    return 0x7f;
#if __CUDA_ARCH__ >= 890
  unsigned short pair;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
  return (f8e4m3)pair;
#else
  return f32_to_f8_bits(x, 3, -6, 0x7e);
#endif
}
)"},
    {"f32_to_f8e5m2", "f8e5m2 f32_to_f8_bits", R"(
// Overflow gives the largest number; infinities stay.
DEVICE f8e5m2 f32_to_f8e5m2(float x) {
  const unsigned magnitude = __float_as_uint(x) & 0x7fffffff;
#if __CUDA_ARCH__ >= 890
  unsigned short pair;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
  // Infinity became the largest number, which is the one below it.
  return (f8e5m2)(pair + (magnitude == 0x7f800000));
#else
  if (magnitude >= 0x7f800000)
    return magnitude > 0x7f800000 ? 0x7e : x > 0.0f ? 0x7c : 0xfc;
  return f32_to_f8_bits(x, 2, -14, 0x7b);
#endif
}
)"},

    // Wider sources on their way to a float below f32: rounded to odd.
    {"f64_to_f32_odd", "", R"(
DEVICE float f64_to_f32_odd(double x) {
  const float cut = __double2float_rz(x);
  return (double)cut == x || x != x ? cut : __uint_as_float(__float_as_uint(cut) | 1);
}
)"},
    {"i32_to_f32_odd", "", R"(
DEVICE float i32_to_f32_odd(int x) {
  const float cut = __int2float_rz(x);
  return __float2int_rz(cut) == x ? cut : __uint_as_float(__float_as_uint(cut) | 1);
}
)"},
    {"u32_to_f32_odd", "", R"(
DEVICE float u32_to_f32_odd(unsigned x) {
  const float cut = __uint2float_rz(x);
  return __float2uint_rz(cut) == x ? cut : __uint_as_float(__float_as_uint(cut) | 1);
}
)"},
    {"i64_to_f32_odd", "", R"(
DEVICE float i64_to_f32_odd(long long x) {
  const float cut = __ll2float_rz(x);
  return __float2ll_rz(cut) == x ? cut : __uint_as_float(__float_as_uint(cut) | 1);
}
)"},
    {"u64_to_f32_odd", "", R"(
DEVICE float u64_to_f32_odd(unsigned long long x) {
  const float cut = __ull2float_rz(x);
  return __float2ull_rz(cut) == x ? cut : __uint_as_float(__float_as_uint(cut) | 1);
}
)"},

    // Floats to integers: toward zero, saturating, NaN gives 0 (which the hardware does not do for 64 bits).
    {"f32_to_i32", "", R"(
DEVICE int f32_to_i32(float x) {
  int whole;
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(whole) : "f"(x));
  return whole;
}
)"},
    {"f32_to_u32", "", R"(
DEVICE unsigned f32_to_u32(float x) {
  unsigned whole;
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(whole) : "f"(x));
  return whole;
}
)"},
    {"f32_to_i64", "", R"(
DEVICE long long f32_to_i64(float x) {
  long long whole;
  asm("cvt.rzi.s64.f32 %0, %1;" : "=l"(whole) : "f"(x));
  return x != x ? 0 : whole;
}
)"},
    {"f32_to_u64", "", R"(
DEVICE unsigned long long f32_to_u64(float x) {
  unsigned long long whole;
  asm("cvt.rzi.u64.f32 %0, %1;" : "=l"(whole) : "f"(x));
  return x != x ? 0 : whole;
}
)"},
    {"f64_to_i32", "", R"(
DEVICE int f64_to_i32(double x) {
  int whole;
  asm("cvt.rzi.s32.f64 %0, %1;" : "=r"(whole) : "d"(x));
  return x != x ? 0 : whole;
}
)"},
    {"f64_to_u32", "", R"(
DEVICE unsigned f64_to_u32(double x) {
  unsigned whole;
  asm("cvt.rzi.u32.f64 %0, %1;" : "=r"(whole) : "d"(x));
  return x != x ? 0 : whole;
}
)"},
    {"f64_to_i64", "", R"(
DEVICE long long f64_to_i64(double x) {
  long long whole;
  asm("cvt.rzi.s64.f64 %0, %1;" : "=l"(whole) : "d"(x));
  return x != x ? 0 : whole;
}
)"},
    {"f64_to_u64", "", R"(
DEVICE unsigned long long f64_to_u64(double x) {
  unsigned long long whole;
  asm("cvt.rzi.u64.f64 %0, %1;" : "=l"(whole) : "d"(x));
  return x != x ? 0 : whole;
}
)"},
};

llvm::ArrayRef<Helper> basicHelpers() {
  return kBasic;
}

} // namespace tile::cuda
