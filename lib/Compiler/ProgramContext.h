// ProgramContext.h - the MLIR context of one program, its text, and what MLIR says about it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_COMPILER_PROGRAMCONTEXT_H
#define TILE_LIB_COMPILER_PROGRAMCONTEXT_H

#include "RemarkCollector.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tile {

/// What a `Program` owns besides its module.
struct ProgramContext {
  ProgramContext();

  mlir::MLIRContext mlir;
  llvm::SourceMgr sources;
  /// Remarks of the last compilation; filled once `enableRemarks` was called.
  std::vector<CollectedRemark> remarks;
  bool hasRemarks = false;

  void enableRemarks();
};

/// Catches diagnostics as text while it lives: place, message, line of the source, notes.
class CapturedDiagnostics {
public:
  explicit CapturedDiagnostics(ProgramContext &context)
      : stream(buffer), handler(context.sources, &context.mlir, stream) {}

  /// What was said, without a line feed at its end; `otherwise` if nothing was.
  std::string text(llvm::StringRef otherwise) {
    llvm::StringRef all = llvm::StringRef(stream.str()).rtrim();
    return (all.empty() ? otherwise : all).str();
  }

private:
  std::string buffer;
  llvm::raw_string_ostream stream;
  mlir::SourceMgrDiagnosticHandler handler;
};

} // namespace tile

#endif // TILE_LIB_COMPILER_PROGRAMCONTEXT_H
