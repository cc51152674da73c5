// RemarkCollector.h - keeps the remarks of the passes, and turns them into the report on a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_COMPILER_REMARKCOLLECTOR_H
#define TILE_LIB_COMPILER_REMARKCOLLECTOR_H

#include "tile/Compiler/Explain.h"

#include "mlir/IR/Remarks.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tile {

/// One remark: which kernel, what about ("access", "layout", "conversion", "kernel"), where, and its figures by name.
struct CollectedRemark {
  std::string kernel;
  std::string category;
  int64_t line = 0;
  std::vector<std::pair<std::string, std::string>> figures;

  std::string text(llvm::StringRef key) const;
  std::optional<int64_t> integer(llvm::StringRef key) const;
  std::optional<double> number(llvm::StringRef key) const;
  /// Every value under the key, in order.
  std::vector<std::string> all(llvm::StringRef key) const;
};

/// Sends every remark of `context` to `remarks` from now on.
void collectRemarks(mlir::MLIRContext &context, std::vector<CollectedRemark> &remarks);

/// Appends what the remarks say about `explanation.kernel`.
void addRemarks(llvm::ArrayRef<CollectedRemark> remarks, Explanation &explanation);

} // namespace tile

#endif // TILE_LIB_COMPILER_REMARKCOLLECTOR_H
