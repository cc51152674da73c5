// Rules.cpp - attaches every layout rule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rules.h"

#include "tile/Analysis/LayoutInference.h"

using namespace mlir;
using namespace tile;

void tile::registerLayoutRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TileDialect *) {
    attachArgReduceRule(context);
    attachCopyRule(context);
    attachFillRule(context);
    attachParallelRule(context);
    attachReduceRule(context);
    attachScanRule(context);
  });
}
