// Memory.h - storage as the interpreter sees it: bytes, which of them were written, and who touches them in a parallel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_INTERPRETER_MEMORY_H
#define TILE_LIB_INTERPRETER_MEMORY_H

#include "dialects/Tile/TileOps.h"
#include "tile/Support/Numerics.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace tile {

/// How one point touches an element.
enum class Touch { Read, Write, Atomic };

/// Two points of one `parallel` that touch one element in a way the language forbids.
struct Conflict {
  uint32_t point; ///< the other one; the present point is known to the asker
  Touch touch;    ///< what the other one did
};

/// Who touched which element during the present `parallel`. Pages come into being when first touched, and an epoch
/// number makes them blank again, so a new `parallel` costs nothing.
class TouchMap {
public:
  /// Records a touch of the granule number `granule` by `point`.
  std::optional<Conflict> touch(uint64_t epoch, int64_t granule, uint32_t point, Touch touch);

private:
  static constexpr uint32_t nobody = ~0u;
  /// Two different points are kept of readers and of atomics: whoever asks, one of them is another.
  struct Cell {
    uint64_t epoch = 0;
    uint32_t writer = nobody;
    std::array<uint32_t, 2> readers = {nobody, nobody};
    std::array<uint32_t, 2> atomics = {nobody, nobody};
  };
  static constexpr int64_t pageSize = 512;
  using Page = std::array<Cell, pageSize>;

  std::vector<std::unique_ptr<Page>> pages;
};

/// One allocation: the storage of a global tensor (shared by the tensors that alias), or a tile of the block.
struct Storage {
  std::byte *data = nullptr;
  int64_t bytes = 0;
  Space space = Space::Global;
  std::vector<std::byte> owned; ///< holds the bytes of tiles
  std::vector<uint8_t> written; ///< a flag a byte; empty for global memory, which counts as written
  TouchMap touches;

  /// Makes `count` bytes of its own that nothing wrote.
  void allocate(Space where, int64_t count);
  /// Forgets what was written to `count` bytes from `offset`.
  void forget(int64_t offset, int64_t count);
};

/// A memref value: which bytes of which memory each coordinate names.
///
/// Coordinates outside [low, high) do not exist: a window may overhang the tensor it was cut from.
struct BufferView {
  Storage *storage = nullptr; ///< null: a tensor without storage
  mlir::Value value;          ///< the buffer, for messages
  ScalarType type = ScalarType::F32;
  Space space = Space::Global;
  int64_t offset = 0;                                      ///< bytes, of element (0, …, 0)
  int64_t threadBytes = 0;                                 ///< private arrays: from one thread's copy to the next
  llvm::SmallVector<int64_t, 4> shape, strides, low, high; ///< strides in bytes
  bool isAbsent = false; ///< no element exists: a dropped leading dimension lies outside

  int64_t numElements() const;
  bool isContiguous() const;
  /// Sets strides, low and high of a contiguous tile of `shape`.
  void makeContiguous();

  /// Byte offset of the element at `index` in the memory, or nothing where it does not exist.
  std::optional<int64_t> locate(const int64_t *index, int64_t thread) const {
    if (isAbsent)
      return std::nullopt;
    int64_t at = offset + thread * threadBytes;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (index[d] < low[d] || index[d] >= high[d])
        return std::nullopt;
      at += index[d] * strides[d];
    }
    return at;
  }

  // The ways to see the same storage; each fills a view whose value, type and shape are set.

  /// Another shape or element type: the bytes of the row-major tile cut anew.
  /// \pre `source` is contiguous, and the numbers of bytes agree.
  void reinterpret(const BufferView &source);
  /// A window at `starts`; trailing dimensions align, surplus leading ones of the source are fixed at their start.
  void window(const BufferView &source, llvm::ArrayRef<int64_t> starts);

  /// For messages: "shared tile %a", "tensor %A".
  std::string describe() const;
  /// For messages: "element [1, 2] of tensor %A".
  std::string element(const int64_t *index) const;

private:
  void inherit(const BufferView &source);
};

/// Steps `index` through a box in row-major order; false after the last.
bool nextIndex(llvm::MutableArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);

/// Coordinates for messages: "[1, 2]".
std::string coordinateText(llvm::ArrayRef<int64_t> index);

/// Product of the extents; 0 where one is not positive; at most 2^62.
int64_t countPoints(llvm::ArrayRef<int64_t> shape);

} // namespace tile

#endif // TILE_LIB_INTERPRETER_MEMORY_H
