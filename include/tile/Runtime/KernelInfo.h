// KernelInfo.h - everything a launch needs to know about a kernel: the contract between Compiler and Runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_RUNTIME_KERNELINFO_H
#define TILE_RUNTIME_KERNELINFO_H

#include "tile/Runtime/Expr.h"
#include "tile/Support/Result.h"
#include "tile/Support/ScalarType.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tile::runtime {

enum class Comparison : uint8_t { Equal, Less, LessEqual, Greater, GreaterEqual };

/// "==", "<", "<=", ">" or ">=".
std::string_view spelling(Comparison comparison);

/// One argument of the kernel, in the order the user wrote them.
struct ArgumentInfo {
  enum class Kind : uint8_t { Tensor, Scalar };

  std::string name;
  /// "file:line:col".
  std::string location;
  Kind kind = Kind::Tensor;
  ScalarType type = ScalarType::F32;

  // Tensors only:

  /// One expression a dimension. A bare symbol that no earlier dimension bound is bound here; everything else (numbers,
  /// repeated symbols, `M + N`) is evaluated and compared.
  std::vector<Expr> extents;
  /// Empty: contiguous, row-major. Else one entry a dimension, in elements; nothing means any stride.
  std::vector<std::optional<int64_t>> strides;
  /// Whether the kernel ever touches the elements; neither: a null pointer is welcome.
  bool isRead = false;
  bool isWritten = false;

  bool operator==(const ArgumentInfo &) const = default;
};

/// A fact the user stated with `where`, or the compiler derived; checked at every launch.
struct Fact {
  Expr lhs;
  Comparison comparison = Comparison::Equal;
  Expr rhs;
  /// As the user wrote it: "%K mod 64 == 0".
  std::string text;
  /// "file:line:col".
  std::string location;

  bool operator==(const Fact &) const = default;
};

/// What must hold for a variant to be right; a launch that fails it takes the next variant.
///
/// Strides of extents <= 1 never matter: they count as 0, here and when they are passed to the kernel.
struct Requirement {
  enum class Kind : uint8_t {
    PointerMultiple, ///< base address of `argument` is a multiple of `amount` bytes
    StrideMultiple,  ///< stride of (`argument`, `dim`), in bytes, is a multiple of `amount`
    ExprMultiple,    ///< `expr` is a multiple of `amount`
    ExprLess,        ///< `expr` < `amount`
    OffsetLess,      ///< every element of `argument` lies less than `amount` elements from its base (32-bit indices)
  };

  Kind kind = Kind::PointerMultiple;
  int64_t argument = 0;
  int64_t dim = 0;
  Expr expr;
  int64_t amount = 1;

  static Requirement pointerMultiple(int64_t argument, int64_t bytes);
  static Requirement strideMultiple(int64_t argument, int64_t dim, int64_t bytes);
  static Requirement exprMultiple(Expr expr, int64_t amount);
  static Requirement exprLess(Expr expr, int64_t bound);
  static Requirement offsetLess(int64_t argument, int64_t bound);

  bool operator==(const Requirement &) const = default;
};

/// One parameter of a CUDA entry, in the order of its C signature.
struct Parameter {
  enum class Kind : uint8_t {
    Pointer,    ///< `argument`: the base address of a tensor
    Scalar,     ///< `argument`: a scalar, in its own type (i1 as one byte, index as i64, f16 and fp8 as their bits)
    Symbol,     ///< `index`: a size symbol, i64
    Stride,     ///< (`argument`, `index`): stride of a dimension in elements, i64
    Extent,     ///< (`argument`, `index`): extent of a dimension, i64
    GridExtent, ///< `index`: blocks along a grid axis, i64
  };

  Kind kind = Kind::Pointer;
  int64_t argument = 0;
  int64_t index = 0;

  static Parameter pointer(int64_t argument) { return {Kind::Pointer, argument, 0}; }
  static Parameter scalar(int64_t argument) { return {Kind::Scalar, argument, 0}; }
  static Parameter symbol(int64_t index) { return {Kind::Symbol, 0, index}; }
  static Parameter stride(int64_t argument, int64_t dim) { return {Kind::Stride, argument, dim}; }
  static Parameter extent(int64_t argument, int64_t dim) { return {Kind::Extent, argument, dim}; }
  static Parameter gridExtent(int64_t axis) { return {Kind::GridExtent, 0, axis}; }

  bool operator==(const Parameter &) const = default;
};

/// One body of the kernel: a CUDA entry and the facts under which it is right.
struct Variant {
  /// The `extern "C"` name in the text.
  std::string entry;
  int64_t dynamicSharedBytes = 0;
  int64_t staticSharedBytes = 0;
  /// Threads the entry is launched with; 0: as many as `KernelInfo::threads`. (Specialisation adds warps.)
  int64_t launchThreads = 0;
  /// True: launched as (x * y * z, 1, 1), the entry takes its block indices apart. False: launched as the grid is,
  /// which requires y and z <= 65535.
  bool foldsGrid = false;
  std::vector<Requirement> requirements;
  std::vector<Parameter> parameters;

  bool operator==(const Variant &) const = default;
};

/// What Compiler tells Runtime about one kernel; plain data, written into the cache as text.
///
/// Launch values, over which every `Expr` here is written: the symbols in order, then the scalar arguments of index
/// type in order. Each symbol is bound by the first tensor dimension whose extent is exactly that symbol.
struct KernelInfo {
  std::string name;
  /// Threads of a block, as the user wrote them.
  int64_t threads = 0;
  /// `min_blocks(n)`, or 0.
  int64_t minBlocks = 0;
  /// In grids of at most so many blocks each entry itself waits, ahead of any access to memory, for the end of what was
  /// launched before it, so that its launch may overlap that. It does so from compute capability 9.0 on; older devices
  /// launch it in turn, as larger grids are.
  int64_t mostAwaitingBlocks = 0;
  std::vector<std::string> symbols;
  std::vector<ArgumentInfo> arguments;
  /// One to three axes, x first.
  std::vector<Expr> grid;
  /// Grid axes, the one launched along x in front; a permutation.
  std::vector<int64_t> blockOrder;
  std::vector<Fact> where;
  /// Groups of tensor arguments that the user promised do not overlap one another.
  std::vector<std::vector<int64_t>> disjoint;
  /// In rank order: the fastest first, the most careful last.
  std::vector<Variant> variants;

  /// Names of all launch values, in order.
  std::vector<std::string> launchValueNames() const;

  /// A versioned text; equal infos give equal texts.
  std::string serialize() const;

  /// Reads what `serialize` wrote. Total: any other text, of any origin, gives an error.
  static Result<KernelInfo> deserialize(std::string_view text);

  /// What is inconsistent in this info (an index out of range, a symbol nothing binds, …), or nothing.
  std::optional<std::string> findFault() const;

  bool operator==(const KernelInfo &) const = default;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_KERNELINFO_H
