// LoopOps.td - parallel, vectorized, serial, unrolled, pipelined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LOOP_OPS_TD
#define TILE_LOOP_OPS_TD

include "dialects/Tile/TileBase.td"
include "dialects/Tile/TileInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// A loop over the points of a box: one induction variable a dimension, extents affine in index values.
class Tile_LoopOp<string name, list<Trait> traits = []> : Tile_Op<name, !listconcat([
    AffineScope, SingleBlock, NoTerminator, RecursiveMemoryEffects, Tile_LoopOpInterface], traits)> {
  dag extentArguments = (ins Variadic<Index>:$extentOperands, AffineMapAttr:$extents);
  let arguments = extentArguments;
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  code loopDeclaration = [{
    /// The induction variables, outermost first.
    ::mlir::Block::BlockArgListType getInductionVars() { return getBody().getArguments(); }
    /// The constant extent of each dimension, or nothing where it is known at run time only.
    ::llvm::SmallVector<std::optional<int64_t>> getConstantExtents();
    /// All extents, if every one is constant.
    std::optional<::llvm::SmallVector<int64_t>> getStaticShape();
  }];
  let extraClassDeclaration = loopDeclaration;
}

def Tile_ParallelOp : Tile_LoopOp<"parallel"> {
  let summary = "every point once, in no order, spread over the threads by the compiler";
  let description = [{
    `layout(…)` is a pin of the user's, or what layout inference decided; `width(n)` asks that each thread moves n
    elements at once along the contiguous axis.
  }];
  let arguments = !con(extentArguments, (ins OptionalAttr<Tile_DistributedAttr>:$layout, OptionalAttr<I64Attr>:$width));
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$extentOperands, "::mlir::AffineMap":$extents,
                                 "::tile::DistributedAttr":$layout), [{
    build($_builder, $_state, extentOperands, extents, layout, ::mlir::IntegerAttr());
  }]>];
}
def Tile_VectorizedOp : Tile_LoopOp<"vectorized"> {
  let summary = "each thread, consecutive points, as the widest legal accesses";
}
def Tile_SerialOp : Tile_LoopOp<"serial"> {
  let summary = "each thread, in order";
}
def Tile_UnrolledOp : Tile_LoopOp<"unrolled"> {
  let summary = "each thread, in order, unrolled";
}
def Tile_PipelinedOp : Tile_LoopOp<"pipelined"> {
  let summary = "the same result as serial; copies of later trips overlap earlier arithmetic";
  let arguments = !con(extentArguments, (ins I64Attr:$stages));
}

#endif // TILE_LOOP_OPS_TD
