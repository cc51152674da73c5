// row_patterns.cu - the row workloads as people write them by hand: the access patterns that a tile program need not
// name. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -DTHREADS=n: rows of 4096 bf16. `product_*` gives the product of what each thread read, [rows, THREADS] f32;
// `prefix_*` the running product of the row, bf16.
#include <cuda_bf16.h>

constexpr int kColumns = 4096;
constexpr int kPart = kColumns / THREADS;
constexpr int kPieces = kPart / 8; // of 16 bytes
using Element = __nv_bfloat16;

__device__ float product(uint4 piece, float before) {
  const Element *elements = reinterpret_cast<const Element *>(&piece);
#pragma unroll
  for (int k = 0; k < 8; ++k)
    before *= __bfloat162float(elements[k]);
  return before;
}

// Neighbours belong to one thread, one element at a time.
extern "C" __global__ void __launch_bounds__(THREADS)
    product_blocked(const Element *__restrict__ x, float *__restrict__ o) {
  const Element *row = x + size_t(blockIdx.x) * kColumns;
  float all = 1.0f;
  for (int c = 0; c < kPart; ++c)
    all *= __bfloat162float(row[threadIdx.x * kPart + c]);
  o[size_t(blockIdx.x) * THREADS + threadIdx.x] = all;
}

// Neighbours belong to neighbouring threads, one element at a time.
extern "C" __global__ void __launch_bounds__(THREADS)
    product_striped(const Element *__restrict__ x, float *__restrict__ o) {
  const Element *row = x + size_t(blockIdx.x) * kColumns;
  float all = 1.0f;
#pragma unroll
  for (int c = 0; c < kPart; ++c)
    all *= __bfloat162float(row[c * THREADS + threadIdx.x]);
  o[size_t(blockIdx.x) * THREADS + threadIdx.x] = all;
}

// Neighbours belong to one thread, 16 bytes at a time.
extern "C" __global__ void __launch_bounds__(THREADS)
    product_vector(const Element *__restrict__ x, float *__restrict__ o) {
  const uint4 *row = reinterpret_cast<const uint4 *>(x + size_t(blockIdx.x) * kColumns);
  uint4 pieces[kPieces];
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    pieces[i] = row[threadIdx.x * kPieces + i];
  float all = 1.0f;
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    all = product(pieces[i], all);
  o[size_t(blockIdx.x) * THREADS + threadIdx.x] = all;
}

// Pieces of 16 bytes belong to neighbouring threads.
extern "C" __global__ void __launch_bounds__(THREADS)
    product_striped_vector(const Element *__restrict__ x, float *__restrict__ o) {
  const uint4 *row = reinterpret_cast<const uint4 *>(x + size_t(blockIdx.x) * kColumns);
  uint4 pieces[kPieces];
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    pieces[i] = row[i * THREADS + threadIdx.x];
  float all = 1.0f;
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    all = product(pieces[i], all);
  o[size_t(blockIdx.x) * THREADS + threadIdx.x] = all;
}

/// Where piece `i` of a row lies in shared memory when each thread's part is followed by `Pad` pieces.
template <int Pad> __device__ int slot(int i) {
  return i + i / kPieces * Pad;
}

/// Brings the row into shared memory, coalesced, and gives each thread its part.
template <int Pad> __device__ void stage(const Element *x, uint4 *shared, uint4 (&part)[kPieces]) {
  const uint4 *row = reinterpret_cast<const uint4 *>(x + size_t(blockIdx.x) * kColumns);
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    shared[slot<Pad>(i * THREADS + threadIdx.x)] = row[i * THREADS + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    part[i] = shared[slot<Pad>(threadIdx.x * kPieces + i)];
}

template <int Pad> __device__ void stagedProduct(const Element *x, float *o) {
  __shared__ uint4 shared[kColumns / 8 + THREADS * Pad];
  uint4 part[kPieces];
  stage<Pad>(x, shared, part);
  float all = 1.0f;
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    all = product(part[i], all);
  o[size_t(blockIdx.x) * THREADS + threadIdx.x] = all;
}

// Loaded as stripes, read as blocks through shared memory, without and with padding.
extern "C" __global__ void __launch_bounds__(THREADS)
    product_staged(const Element *__restrict__ x, float *__restrict__ o) {
  stagedProduct<0>(x, o);
}
extern "C" __global__ void __launch_bounds__(THREADS)
    product_staged_padded(const Element *__restrict__ x, float *__restrict__ o) {
  stagedProduct<1>(x, o);
}

/// The product of everything before this thread's part.
__device__ float productBefore(float mine) {
  __shared__ float warps[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float upTo = mine;
  for (int distance = 1; distance < 32; distance *= 2) {
    float other = __shfl_up_sync(~0u, upTo, distance);
    upTo *= lane >= distance ? other : 1.0f;
  }
  if (lane == 31)
    warps[warp] = upTo;
  float before = __shfl_up_sync(~0u, upTo, 1);
  before = lane == 0 ? 1.0f : before;
  __syncthreads();
#pragma unroll
  for (int w = 0; w < THREADS / 32; ++w)
    before *= w < warp ? warps[w] : 1.0f;
  return before;
}

/// Replaces each element of the part by the running product of the row.
__device__ void scanPart(uint4 (&part)[kPieces]) {
  float mine = 1.0f;
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    mine = product(part[i], mine);
  float running = productBefore(mine);
  Element *elements = reinterpret_cast<Element *>(part);
#pragma unroll
  for (int c = 0; c < kPart; ++c) {
    running *= __bfloat162float(elements[c]);
    elements[c] = __float2bfloat16(running);
  }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    prefix_vector(const Element *__restrict__ x, Element *__restrict__ y) {
  const uint4 *row = reinterpret_cast<const uint4 *>(x + size_t(blockIdx.x) * kColumns);
  uint4 *out = reinterpret_cast<uint4 *>(y + size_t(blockIdx.x) * kColumns);
  uint4 part[kPieces];
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    part[i] = row[threadIdx.x * kPieces + i];
  scanPart(part);
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    out[threadIdx.x * kPieces + i] = part[i];
}

extern "C" __global__ void __launch_bounds__(THREADS)
    prefix_staged(const Element *__restrict__ x, Element *__restrict__ y) {
  __shared__ uint4 shared[kColumns / 8 + THREADS];
  uint4 *out = reinterpret_cast<uint4 *>(y + size_t(blockIdx.x) * kColumns);
  uint4 part[kPieces];
  stage<1>(x, shared, part);
  scanPart(part);
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    shared[slot<1>(threadIdx.x * kPieces + i)] = part[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    out[i * THREADS + threadIdx.x] = shared[slot<1>(i * THREADS + threadIdx.x)];
}
