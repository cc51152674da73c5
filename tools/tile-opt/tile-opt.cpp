// tile-opt.cpp - MLIR's opt driver with our dialects and passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Simt/SimtOps.h"
#include "dialects/Tile/TileOps.h"
#include "tile/Analysis/LayoutInference.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<tile::TileDialect, tile::simt::SimtDialect, affine::AffineDialect, arith::ArithDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect>();
  tile::registerLayoutRules(registry);
  tile::registerTilePasses();
  registerTransformsPasses();
  return asMainReturnCode(MlirOptMain(argc, argv, "Tessera optimizer driver\n", registry));
}
