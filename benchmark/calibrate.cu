// calibrate.cu - measures what the cost model takes a device for; prints one line a constant: name, value, how.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks are those of one multiprocessor. What happens inside it is timed by its own counter, with every warp busy, and
// the median over all multiprocessors is taken. What goes through the whole device is timed by events, and made clocks
// by the clock rate that the device ran at. benchmark/calibrate.py builds, runs and compares.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    if (cudaError_t error = (call)) {                                                                                  \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                                              \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

constexpr int kUnroll = 8, kTrips = 512;
constexpr size_t kBytes = size_t(1) << 30;

int multiprocessors;
double clockRate; // clocks a second
char *input, *output;
long long *clocks;

void say(const char *name, double value, const char *how) {
  std::printf("%s\t%.4g\t%s\n", name, value, how);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Median seconds of a launch.
double secondsOf(const std::function<void()> &launch) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<double> times;
  for (int i = 0; i < 12; ++i) {
    CHECK(cudaEventRecord(begin));
    launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (i >= 3)
      times.push_back(milliseconds * 1e-3);
  }
  CHECK(cudaGetLastError());
  return median(times);
}

/// Clocks that a multiprocessor spends on a block when there are many.
double clocksPerBlock(int64_t blocks, const std::function<void()> &launch) {
  return secondsOf(launch) * clockRate * multiprocessors / blocks;
}

/// Median over the multiprocessors of what each wrote to `clocks`.
double clocksWritten() {
  CHECK(cudaDeviceSynchronize());
  std::vector<long long> all(multiprocessors);
  CHECK(cudaMemcpy(all.data(), clocks, all.size() * sizeof(long long), cudaMemcpyDeviceToHost));
  return median(std::vector<double>(all.begin(), all.end()));
}

//===----------------------------------------------------------------------===//
// Inside a multiprocessor
//===----------------------------------------------------------------------===//

/// One of eight independent chains takes a step.
struct Full {
  static __device__ void step(float &x, float y) { asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y)); }
};
struct Half {
  static __device__ void step(float &x, float y) { asm volatile("max.f32 %0, %0, %1;" : "+f"(x) : "f"(y)); }
};
struct Special {
  static __device__ void step(float &x, float) { asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)); }
};

template <class Op> __global__ void __launch_bounds__(1024) rate(long long *clocks, float *out, float y) {
  float x[kUnroll];
  for (int i = 0; i < kUnroll; ++i)
    x[i] = y * i + threadIdx.x;
  __syncthreads();
  long long begin = clock64();
  for (int trip = 0; trip < kTrips; ++trip)
#pragma unroll
    for (int i = 0; i < kUnroll; ++i)
      Op::step(x[i], y);
  __syncthreads();
  if (threadIdx.x == 0)
    clocks[blockIdx.x] = clock64() - begin;
  float sum = 0;
  for (int i = 0; i < kUnroll; ++i)
    sum += x[i];
  if (sum == 12345.678f)
    *out = sum;
}

/// Two sums for one maximum: different pipes, so that only the issue of instructions bounds them.
struct Mixed {
  static __device__ void step(float &x, float y) {
    Full::step(x, y);
    Half::step(x, y);
    Full::step(x, y);
  }
};

template <class Op> double rateOf(int instructions) {
  rate<Op><<<multiprocessors, 1024>>>(clocks, reinterpret_cast<float *>(output), 0.3f);
  return clocksWritten() / (double(kTrips) * kUnroll * 32 * instructions);
}

/// A load that the compiler can neither leave out nor move; the L1 keeps what it brings.
template <class Word> __device__ unsigned loadCached(const char *at) {
  Word word;
  if constexpr (sizeof(Word) == 2)
    asm volatile("ld.global.ca.b16 %0, [%1];" : "=h"(word) : "l"(at));
  else
    asm volatile("ld.global.ca.b32 %0, [%1];" : "=r"(word) : "l"(at));
  return word;
}

/// Loads of `Word`s that hit the L1: neighbouring lanes, neighbouring words.
template <class Word>
__global__ void __launch_bounds__(1024) hits(const char *input, long long *clocks, unsigned *out) {
  const char *at = input + blockIdx.x * 4096 + threadIdx.x % 32 * sizeof(Word);
  unsigned sum = 0;
  size_t offset = 0;
  for (int i = 0; i < kUnroll; ++i)
    sum += loadCached<Word>(at + i * 128);
  __syncthreads();
  long long begin = clock64();
  for (int trip = 0; trip < kTrips; ++trip) {
#pragma unroll
    for (int i = 0; i < kUnroll; ++i)
      sum ^= loadCached<Word>(at + offset + i * 128);
    offset = sum == 0x13579 ? 128 : 0; // never known before the loads have come
  }
  __syncthreads();
  if (threadIdx.x == 0)
    clocks[blockIdx.x] = clock64() - begin;
  if (sum == 0x1234567)
    *out = sum;
}

template <class Word> double hitClocks() {
  hits<Word><<<multiprocessors, 1024>>>(input, clocks, reinterpret_cast<unsigned *>(output));
  return clocksWritten() / (double(kTrips) * kUnroll * 32);
}

/// Chains of steps that wait for each other, in one warp: shared loads, then shuffles with a sum.
__global__ void chains(long long *clocks, unsigned *out) {
  __shared__ unsigned next[1024];
  for (int i = threadIdx.x; i < 1024; i += 32)
    next[i] = (i + 32) % 1024;
  __syncthreads();
  unsigned at = threadIdx.x;
  long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < 256; ++i)
    at = next[at];
  long long middle = clock64();
  float value = at;
#pragma unroll 16
  for (int i = 0; i < 256; ++i)
    value += __shfl_xor_sync(~0u, value, 1);
  long long end = clock64();
  clocks[0] = middle - begin;
  clocks[1] = end - middle;
  out[threadIdx.x] = at + static_cast<unsigned>(value);
}

__global__ void barriers(long long *clocks) {
  __syncthreads();
  long long begin = clock64();
#pragma unroll 8
  for (int i = 0; i < 256; ++i)
    asm volatile("bar.sync 0;");
  if (threadIdx.x == 0)
    clocks[blockIdx.x] = clock64() - begin;
}

/// Least squares: the line through the points, as (constant, slope).
std::pair<double, double> fit(const std::vector<std::pair<double, double>> &points) {
  double n = points.size(), x = 0, y = 0, xx = 0, xy = 0;
  for (auto [a, b] : points)
    x += a, y += b, xx += a * a, xy += a * b;
  double slope = (n * xy - x * y) / (n * xx - x * x);
  return {(y - slope * x) / n, slope};
}

void measureInside() {
  say("fullClocks", rateOf<Full>(1), "fused products and sums in 32 warps");
  say("halfClocks", rateOf<Half>(1), "maxima in 32 warps");
  say("specialClocks", rateOf<Special>(1), "ex2 in 32 warps");
  say("issueClocks", rateOf<Mixed>(3), "two sums for one maximum in 32 warps");
  say("hitClocks", std::max(hitClocks<uint16_t>(), hitClocks<uint32_t>()),
      "loads of neighbouring 2 or 4 bytes in 32 warps: the slower");
  chains<<<1, 32>>>(clocks, reinterpret_cast<unsigned *>(output));
  CHECK(cudaDeviceSynchronize());
  long long both[2];
  CHECK(cudaMemcpy(both, clocks, sizeof both, cudaMemcpyDeviceToHost));
  say("sharedLatency", both[0] / 256.0, "a chain of loads in one warp");
  say("shuffleLatency", both[1] / 256.0, "a chain of shuffles, each with a sum, in one warp");
  std::vector<std::pair<double, double>> points;
  for (int warps : {1, 2, 4, 8, 16, 32}) {
    barriers<<<multiprocessors, 32 * warps>>>(clocks);
    points.push_back({warps, clocksWritten() / 256});
  }
  auto [constant, slope] = fit(points);
  say("barrierLatency", constant, "256 barriers of blocks of 1 to 32 warps: the line's constant");
  say("barrierLatencyPerWarp", slope, "256 barriers of blocks of 1 to 32 warps: the line's slope");
}

//===----------------------------------------------------------------------===//
// Through the device
//===----------------------------------------------------------------------===//

__device__ void consume(const uint4 &v, char *out) {
  if ((v.x ^ v.y ^ v.z ^ v.w) == 0x12345679)
    *out = 1;
}

/// Each warp reads 2048 bytes by four requests of 512 bytes, in pieces of `segment` bytes that lie 4 * segment apart.
template <int segment> __global__ void __launch_bounds__(256) reads(const char *in, char *out) {
  constexpr int lanes = segment / 16;
  int lane = threadIdx.x % 32;
  const char *at =
      in + (size_t(blockIdx.x) * 8 + threadIdx.x / 32) * 2048 + lane / lanes * 4 * segment + lane % lanes * 16;
  uint4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    v[i] = *reinterpret_cast<const uint4 *>(at + i * segment);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    consume(v[i], out);
}

/// Each lane reads `chunk` bytes of its own, 16 at a time; what is left of a sector comes from the L1 then.
template <int chunk> __global__ void __launch_bounds__(256) chunks(const char *in, char *out) {
  const char *at = in + (size_t(blockIdx.x) * 256 + threadIdx.x) * chunk;
  uint4 v[chunk / 16];
#pragma unroll
  for (int i = 0; i < chunk / 16; ++i)
    v[i] = *reinterpret_cast<const uint4 *>(at + i * 16);
#pragma unroll
  for (int i = 0; i < chunk / 16; ++i)
    consume(v[i], out);
}

/// The same with stores, eight requests of a warp.
template <int run> __global__ void __launch_bounds__(256) stores(char *out) {
  constexpr int lanes = run / 16;
  unsigned lane = threadIdx.x % 32;
  char *at = out + (size_t(blockIdx.x) * 8 + threadIdx.x / 32) * 4096 + lane / lanes * 8 * run + lane % lanes * 16;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    *reinterpret_cast<uint4 *>(at + i * run) = make_uint4(lane, lane, lane, i);
}

__global__ void __launch_bounds__(256) copies(const uint4 *in, uint4 *out) {
  size_t at = size_t(blockIdx.x) * 512 + threadIdx.x;
  uint4 a = in[at], b = in[at + 256];
  out[at] = a;
  out[at + 256] = b;
}

/// Reads the same bytes again and again, past the L1.
__global__ void __launch_bounds__(1024) rereads(const char *in, size_t perBlock, int times, char *out) {
  for (int time = 0; time < times; ++time) {
    const char *at = in + (blockIdx.x + time * 37) % gridDim.x * perBlock + threadIdx.x * 16;
#pragma unroll 4
    for (size_t i = 0; i < perBlock; i += 16384) {
      uint4 v;
      asm volatile("ld.global.cg.v4.b32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                   : "l"(at + i));
      consume(v, out);
    }
  }
}

__global__ void nothing() {}

/// One load and one store a thread; shared memory keeps other blocks away.
__global__ void __launch_bounds__(128) alone(const uint4 *in, uint4 *out) {
  extern __shared__ char occupied[];
  size_t at = size_t(blockIdx.x) * 128 + threadIdx.x;
  out[at] = in[at];
}

template <int segment> double readClocks() {
  int64_t blocks = kBytes / 16384;
  return clocksPerBlock(blocks, [&] { reads<segment><<<blocks, 256>>>(input, output); }) / 32; // requests of a block
}

template <int chunk> double chunkClocks() {
  int64_t blocks = kBytes / (256 * chunk);
  return clocksPerBlock(blocks, [&] { chunks<chunk><<<blocks, 256>>>(input, output); }) / (8 * chunk / 16);
}

template <int run> double storeSeconds() {
  return secondsOf([] { stores<run><<<kBytes / 32768, 256>>>(output); });
}

double startOf(int threads) {
  int64_t blocks = 1 << 20;
  return clocksPerBlock(blocks, [&] { nothing<<<blocks, threads>>>(); });
}

/// Clocks of a block of which one, two or four run side by side.
double aloneOf(int resident) {
  int64_t blocks = 1 << 16;
  int bytes = 220 * 1024 / resident - 1024;
  CHECK(cudaFuncSetAttribute(alone, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  auto *in = reinterpret_cast<uint4 *>(input), *out = reinterpret_cast<uint4 *>(output);
  return clocksPerBlock(blocks, [&] { alone<<<blocks, 128, bytes>>>(in, out); });
}

void measureThrough() {
  // (lines, clocks) of a request that brings 16 new sectors: whole, in pieces, and from lanes with chunks of their own,
  // where each sector is asked for twice, so that half of the 16 or 32 lines count.
  auto [constant, slope] = fit({{4, readClocks<512>()},
                                {4, readClocks<128>()},
                                {8, readClocks<64>()},
                                {16, readClocks<32>()},
                                {8, chunkClocks<64>()},
                                {16, chunkClocks<128>()}});
  say("lineClocks", slope, "reads of 16 new sectors in 4, 8 and 16 lines: the fitted line's slope");
  say("sectorClocks", constant / 16,
      "reads of 16 new sectors in 4, 8 and 16 lines: the fitted line's constant, a sector");
  double bytesPerClock = kBytes / (clockRate * multiprocessors);
  say("dramBytesOneWay", bytesPerClock / secondsOf([] { reads<512><<<kBytes / 16384, 256>>>(input, output); }),
      "reads of 1 GiB");
  auto copy = [] {
    copies<<<kBytes / 8192, 256>>>(reinterpret_cast<uint4 *>(input), reinterpret_cast<uint4 *>(output));
  };
  say("dramBytes", 2 * bytesPerClock / secondsOf(copy), "copies of 1 GiB, bytes in and out");
  constexpr size_t perBlock = 98304;
  constexpr int times = 40;
  int blocks = 2 * multiprocessors;
  double again = secondsOf([&] { rereads<<<blocks, 1024>>>(input, perBlock, times, output); });
  say("l2Bytes", double(perBlock) * blocks * times / (again * clockRate * multiprocessors), "24 MiB, read 40 times");
  double wide = storeSeconds<128>();
  say("shortRuns32", storeSeconds<32>() / wide, "stores in runs of 32 bytes over those in runs of 128");
  say("shortRuns16", storeSeconds<16>() / wide, "stores in runs of 16 bytes over those in runs of 128");
  say("startClocks", median({startOf(32), startOf(128), startOf(512)}),
      "empty blocks of 32, 128 and 512 threads: the median");
  say("startClocksLarge", startOf(1024), "empty blocks of 1024 threads");
  say("aloneClocks", fit({{1, aloneOf(1)}, {0.5, aloneOf(2)}, {0.25, aloneOf(4)}}).second,
      "blocks that load and store 2 KiB, one, two and four at a time: the slope over 1 / blocks");
}

/// Keeps the multiprocessors busy and compares their counters with the time.
__global__ void spin(long long *clocks) {
  long long begin = clock64();
  while (clock64() - begin < 20'000'000)
    ;
  clocks[blockIdx.x] = clock64() - begin;
}

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  multiprocessors = properties.multiProcessorCount;
  CHECK(cudaMalloc(&input, kBytes));
  CHECK(cudaMalloc(&output, kBytes));
  CHECK(cudaMalloc(&clocks, multiprocessors * sizeof(long long)));
  std::vector<uint32_t> words(kBytes / 4);
  uint32_t state = 1;
  for (uint32_t &word : words)
    word = state = state * 1664525u + 1013904223u;
  CHECK(cudaMemcpy(input, words.data(), kBytes, cudaMemcpyHostToDevice));
  double seconds = secondsOf([] { spin<<<multiprocessors, 1>>>(clocks); });
  clockRate = clocksWritten() / seconds;
  say("clockRate", clockRate / 1e9, "GHz while measuring");
  say("multiprocessors", multiprocessors, properties.name);
  measureInside();
  measureThrough();
  CHECK(cudaDeviceSynchronize());
}
