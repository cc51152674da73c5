// Names.h - the user's names as C identifiers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_TARGET_CUDA_NAMES_H
#define TILE_LIB_TARGET_CUDA_NAMES_H

#include "mlir/IR/Location.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tile::cuda {

/// A readable C identifier near `name`: not reserved by C++ or CUDA, but perhaps taken; empty if nothing is left.
///
/// Example: `a.b` -> `a_b`, `_x` -> `x`, `8` -> ``, `é` -> `u00e9`.
std::string sanitize(llvm::StringRef name);

/// The name a location carries, or an empty string.
llvm::StringRef nameOf(mlir::Location loc);

/// Identifiers in use; hands out new ones.
class NameScope {
public:
  /// The identifiers nobody may take: keywords, CUDA's built-in names, our helpers.
  NameScope();

  /// An unused identifier near `wanted`, or near `fallback` where nothing readable is left of `wanted`; a second use
  /// gets a suffix: `x`, `x_1`, `x_2`.
  std::string take(llvm::StringRef wanted, llvm::StringRef fallback);

  /// Where a C block begins, and its end: the names taken in between are free again.
  size_t enter() const { return taken.size(); }
  void leave(size_t mark);

private:
  llvm::StringMap<unsigned> used; ///< identifier -> the next suffix to try
  /// Each name taken, in order, with the base it came from and the suffix that stood there before.
  struct Taken {
    std::string name, base;
    unsigned suffix;
  };
  llvm::SmallVector<Taken, 0> taken;
};

} // namespace tile::cuda

#endif // TILE_LIB_TARGET_CUDA_NAMES_H
