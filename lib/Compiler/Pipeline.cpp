// Pipeline.cpp - the compiler as one readable list of passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Compiler/Pipeline.h"

#include "tile/Analysis/LayoutInference.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void tile::registerDialects(DialectRegistry &registry) {
  registry.insert<TileDialect, simt::SimtDialect, affine::AffineDialect, arith::ArithDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect>();
  registerLayoutRules(registry);
}

/// Bytes of shared memory one block may use; for an architecture nobody knows, what all have.
static int64_t sharedLimit(StringRef arch) {
  int number = 0;
  arch.consume_front("sm_");
  arch.consumeInteger(10, number);
  switch (number) {
  case 80:
  case 87:
    return 166912;
  case 90:
  case 100:
  case 103:
  case 110:
    return 232448;
  default:
    return 101376;
  }
}

void tile::addPipeline(OpPassManager &manager, const PipelineSettings &settings) {
  // Decide, in the tile dialect.
  addLayoutPasses(manager.nest<KernelOp>(), sharedLimit(settings.arch));
  manager.nest<KernelOp>().addPass(createOrderBlocks());

  // One simt kernel a variant.
  manager.addPass(createLowerTiles({settings.checked}));

  // Tidy up: indices and control flow only, floats stay as they were written.
  OpPassManager &kernels = manager.nest<simt::KernelOp>();
  kernels.addPass(createSimplify());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());

  // What the C compiler would make of reads of shared memory is said here.
  kernels.addPass(createForwardStores());
  kernels.addPass(createJoinLoads());

  // Place, order and size what the threads share.
  kernels.addPass(createPlanSharedMemory({sharedLimit(settings.arch)}));
  kernels.addPass(createInsertBarriers());
  kernels.addPass(createUnswitchGuards());
  kernels.addPass(createChooseIndexWidth());
  kernels.addPass(createFuseMultiplyAdd());
  kernels.addPass(createCSEPass());
  kernels.addPass(createHoldWords());
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> arch{*this, "arch", llvm::cl::desc("Architecture the kernels are for"), llvm::cl::init("sm_90a")};
  Option<bool> checked{*this, "checked", llvm::cl::desc("Trap where the language forbids"), llvm::cl::init(false)};
};
} // namespace

void tile::registerTilePipelines() {
  PassPipelineRegistration<PipelineOptions>("tile-to-simt", "From tile programs to final simt kernels",
                                            [](OpPassManager &manager, const PipelineOptions &options) {
                                              PipelineSettings settings;
                                              settings.arch = options.arch;
                                              settings.checked = options.checked;
                                              addPipeline(manager, settings);
                                            });
}
