// ThreadBytes.h - which thread touches which byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_THREADBYTES_H
#define TILE_ANALYSIS_THREADBYTES_H

#include "tile/Analysis/Uniformity.h"

#include "mlir/IR/AffineExpr.h"

#include <map>
#include <optional>
#include <vector>

namespace tile {

/// One side of a load, store, move or atomic on shared or global memory.
struct MemoryAccess {
  mlir::Operation *op = nullptr;
  mlir::Value buffer; ///< as the op names it
  BufferRoot root;    ///< behind views
  mlir::Value index;  ///< in elements of `buffer`
  simt::Space space = simt::Space::Other;
  int64_t elementBytes = 1;
  int64_t widthBytes = 1;
  bool isWrite = false;
  bool isAtomic = false;
  bool isExplicit = false; ///< placed on threads by the user
};

/// The accesses of `op` to shared and global memory: none, one, or two for a move.
llvm::SmallVector<MemoryAccess, 2> memoryAccesses(mlir::Operation *op);

/// A byte range of the shared arena, or of a global buffer; the end is not included.
struct ByteRange {
  int64_t begin = INT64_MIN, end = INT64_MAX;
  bool overlaps(ByteRange other) const { return begin < other.end && other.begin < end; }
};

/// Which thread touches which byte in one access, over all its executions.
///
/// The address is cut into a *base*, the same in every thread during the whole kernel (a sum of parameters and block
/// indices times constants), *steps* (anything else times a constant: the address is then known up to multiples of the
/// greatest common divisor of those constants), and a part that is enumerated over thread numbers and loops of constant
/// bounds. Two maps with the same base compare byte by byte, modulo the steps of both.
/// Example: `k * 1024 + t * 4 + u`, u in 0 … 3, k unknown, f32, 256 threads -> modulo 4096 bytes, byte b belongs to
/// thread b / 16.
struct ThreadBytes {
  /// Terms of the base: a value and its factor in bytes, ordered by number of the value in the kernel.
  std::map<unsigned, int64_t> base;
  int64_t modulus = 0; ///< bytes; 0 where the address is known exactly
  int64_t begin = 0;   ///< first byte of `owner`
  int64_t granule = 1; ///< bytes an entry of `owner` stands for
  /// Per granule: a thread, `kNobody` or `kMany`.
  std::vector<int32_t> owner;

  static constexpr int32_t kNobody = -1, kMany = -2;
};

/// Numbers values that are the same in every thread during the whole kernel; equal expressions share a number.
class BaseNumbers {
public:
  /// Nothing for a value that may change, or differ between threads.
  std::optional<unsigned> of(mlir::Value value);
  std::optional<unsigned> of(mlir::AffineExpr expr, unsigned numDims, mlir::ValueRange operands);

private:
  unsigned number(const std::vector<uintptr_t> &key) { return keys.try_emplace(key, keys.size()).first->second; }

  std::map<std::vector<uintptr_t>, unsigned> keys;
};

/// Computes and keeps the thread-byte maps of a kernel.
class ThreadByteMaps {
public:
  explicit ThreadByteMaps(simt::KernelOp kernel) : threads(kernel.getThreads()) {}

  /// The map of an access; nothing where its address depends on too much (more than 64 K points, or no structure).
  const std::optional<ThreadBytes> &of(const MemoryAccess &access);

  /// Whether some byte may be touched by one thread through `a` and by another through `b`; true where not refuted.
  bool mayMeet(const MemoryAccess &a, const MemoryAccess &b);

private:
  std::optional<ThreadBytes> compute(const MemoryAccess &access);

  int64_t threads;
  BaseNumbers numbers;
  std::map<std::pair<mlir::Operation *, bool>, std::optional<ThreadBytes>> maps;
};

} // namespace tile

#endif // TILE_ANALYSIS_THREADBYTES_H
