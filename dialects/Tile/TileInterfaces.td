// TileInterfaces.td - what passes may ask of any loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_INTERFACES_TD
#define TILE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_LoopOpInterface : OpInterface<"LoopOpInterface"> {
  let cppNamespace = "::tile";
  let description = [{ A loop over a box of points. }];
  let methods = [
    InterfaceMethod<"The induction variables, outermost first.",
      "::mlir::Block::BlockArgListType", "getInductionVars">,
    InterfaceMethod<"The extents: an affine map over `getExtentOperands`.", "::mlir::AffineMap", "getExtents">,
    InterfaceMethod<"The operands of the extents.", "::mlir::OperandRange", "getExtentOperands">,
    InterfaceMethod<"The constant extent of each dimension, or nothing.",
      "::llvm::SmallVector<std::optional<int64_t>>", "getConstantExtents">,
    InterfaceMethod<"All extents, if every one is constant.",
      "std::optional<::llvm::SmallVector<int64_t>>", "getStaticShape">
  ];
}

#endif // TILE_INTERFACES_TD
