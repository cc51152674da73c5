// tile-lsp-server.cpp - MLIR's language server with our dialects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Compiler/Pipeline.h"

#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
