// Launch.h - checks the arguments of a launch and plans it, without a GPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_RUNTIME_LAUNCH_H
#define TILE_RUNTIME_LAUNCH_H

#include "tile/Runtime/KernelInfo.h"

#include <array>
#include <bit>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tile::runtime {

/// A tensor in device memory; the address of its first element counts, not where its allocation starts.
struct Tensor {
  void *pointer = nullptr;
  ScalarType type = ScalarType::F32;
  /// Elements a dimension; empty: rank 0.
  std::vector<int64_t> shape;
  /// In elements, one a dimension; empty: contiguous, row-major.
  std::vector<int64_t> strides;
  /// Device ordinal, or -1: whatever device the memory turns out to be on.
  int device = -1;
};

/// A scalar argument: its type and its bits, in the low bytes.
struct Scalar {
  ScalarType type = ScalarType::I32;
  uint64_t bits = 0;

  Scalar() = default;
  Scalar(ScalarType type, uint64_t bits) : type(type), bits(bits) {}
  Scalar(bool value) : type(ScalarType::I1), bits(value) {}
  Scalar(int32_t value) : type(ScalarType::I32), bits(static_cast<uint32_t>(value)) {}
  Scalar(int64_t value) : type(ScalarType::I64), bits(static_cast<uint64_t>(value)) {}
  Scalar(float value) : type(ScalarType::F32), bits(std::bit_cast<uint32_t>(value)) {}
  Scalar(double value) : type(ScalarType::F64), bits(std::bit_cast<uint64_t>(value)) {}
  static Scalar index(int64_t value) { return {ScalarType::Index, static_cast<uint64_t>(value)}; }
};

/// One argument of a launch.
using Argument = std::variant<Tensor, Scalar>;

/// What a device can launch; the defaults are those of sm_90.
struct DeviceLimits {
  int64_t threads = 1024;
  /// Shared memory of one block, opt-in, static and dynamic together.
  int64_t sharedBytes = 232448;
  int64_t gridX = 2147483647;
  int64_t gridY = 65535;
  int64_t gridZ = 65535;
  /// Ordinal that tensors must be on; -1: not compared.
  int device = -1;
};

/// Why a variant was passed over.
struct SkippedVariant {
  enum class Why : uint8_t { Requirement, Threads, SharedMemory, GridAxis, FoldedGrid };

  int64_t variant = 0;
  Why why = Why::Requirement;
  /// Index of the requirement, or of the grid axis.
  int64_t index = 0;
  /// The value found: the address, the stride in bytes, the expression, the farthest offset, the threads, the bytes,
  /// the blocks; nothing where it does not fit 64 bits.
  std::optional<int64_t> got;
  int64_t limit = 0;
};

/// A launch that has passed every check.
struct LaunchPlan {
  /// No block would run: success, and nothing is launched.
  bool isEmpty = false;
  /// Index of the chosen variant; meaningless when empty.
  int64_t variant = 0;
  std::array<int64_t, 3> grid = {1, 1, 1};
  int64_t threads = 0;
  int64_t dynamicSharedBytes = 0;
  /// Whether blocks may start while the stream's last kernel still runs, and wait for its end themselves. Set where the
  /// kernel does that (`KernelInfo::mostAwaitingBlocks`); cleared by whoever wants none of them to start before.
  bool mayOverlap = false;
  /// One 8-byte slot a parameter of the entry, the value in the low bytes.
  std::vector<uint64_t> parameters;
  /// The faster variants passed over, in rank order.
  std::vector<SkippedVariant> skipped;
};

/// Checks the arguments against `info` and plans the launch.
///
/// In this order: count, kind, element type, rank, extents (binding symbols), agreement of all extents, strides,
/// addresses, device, `where` facts, `disjoint` promises, the grid; then the first variant that fits is taken. An error
/// is one line: kernel, argument, field, what was found, what was expected.
/// \pre `info.findFault()` is nothing.
Result<LaunchPlan> checkLaunch(const KernelInfo &info, std::span<const Argument> arguments, const DeviceLimits &limits);

/// One sentence on why a variant was passed over, for `--explain`: "'f_fast' not taken: address of 'A' is …".
std::string describe(const KernelInfo &info, const SkippedVariant &skipped);

} // namespace tile::runtime

#endif // TILE_RUNTIME_LAUNCH_H
