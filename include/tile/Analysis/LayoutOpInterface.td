// LayoutOpInterface.td - an op with a say in who holds and computes what.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_LAYOUTOPINTERFACE_TD
#define TILE_ANALYSIS_LAYOUTOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def Tile_LayoutOpInterface : OpInterface<"LayoutOpInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    An op the threads of a block execute together. The policy of each op is one file in lib/Analysis/LayoutRules.
  }];
  let methods = [
    InterfaceMethod<[{ Decides the op's layout and those of undecided fragments it touches; changes no decision. }],
      "void", "inferLayouts", (ins "::tile::LayoutInference &":$inference)>
  ];
}

#endif // TILE_ANALYSIS_LAYOUTOPINTERFACE_TD
