// MemoryOps.td - buffers and what moves data between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_MEMORY_OPS_TD
#define TILE_MEMORY_OPS_TD

include "dialects/Tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===--- Buffers ---------------------------------------------------------------------------------------------------===//

class Tile_AllocOp<string name> : Tile_Op<name> {
  // `layout(…)` is a pin of the user's, or what layout inference decided; `align` is in bytes.
  let arguments = (ins OptionalAttr<AnyAttr>:$layout, OptionalAttr<I64Attr>:$align);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = "(`layout` `(` $layout^ `)`)? (`align` $align^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Tile_AllocSharedOp : Tile_AllocOp<"alloc_shared"> {
  let summary = "a tile in memory shared by the block";
}
def Tile_AllocFragmentOp : Tile_AllocOp<"alloc_fragment"> {
  let summary = "a tile spread over the registers of the block";
}
def Tile_AllocLocalOp : Tile_AllocOp<"alloc_local"> {
  let summary = "a private array of each thread";
}

class Tile_ViewLikeOp<string name> : Tile_Op<name, [Pure]>;

def Tile_ReshapeOp : Tile_ViewLikeOp<"reshape"> {
  let summary = "the same storage, another shape";
  let arguments = (ins AnyMemRef:$source);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}
def Tile_ViewOp : Tile_ViewLikeOp<"view"> {
  let summary = "the same storage, another element type";
  let arguments = (ins AnyMemRef:$source);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}
def Tile_SliceOp : Tile_ViewLikeOp<"slice"> {
  let summary = "a window of the same storage; the strides travel with it";
  let arguments = (ins AnyMemRef:$source, Variadic<Index>:$starts, AffineMapAttr:$map);
  let results = (outs AnyMemRef:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===--- Whole tiles -----------------------------------------------------------------------------------------------===//

def Tile_CopyOp : Tile_Op<"copy", [AttrSizedOperandSegments]> {
  let summary = "moves one tile";
  let description = [{
    `tile.copy %A[%by * 128, %k * 32] to %a cast pad 1.0 : !A to !ATile`. A side without a bracket starts at zero. What
    moves is the tile that stands without a bracket, else the smaller side.
    Leading unit dims align from the tail. Out-of-range global reads give `pad` (default 0, in the destination's type),
    out-of-range global writes are dropped. `width(n)` asks that each thread moves n elements at once.
  }];
  let arguments = (ins
    Arg<AnyMemRef, "", [MemRead]>:$source, Variadic<Index>:$sourceIndices, OptionalAttr<AffineMapAttr>:$sourceMap,
    Arg<AnyMemRef, "", [MemWrite]>:$target, Variadic<Index>:$targetIndices, OptionalAttr<AffineMapAttr>:$targetMap,
    UnitAttr:$cast, OptionalAttr<TypedAttrInterface>:$pad, OptionalAttr<Tile_DistributedAttr>:$layout,
    OptionalAttr<I64Attr>:$width);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$sourceIndices,
                                 "::mlir::AffineMapAttr":$sourceMap, "::mlir::Value":$target,
                                 "::mlir::ValueRange":$targetIndices, "::mlir::AffineMapAttr":$targetMap,
                                 "::mlir::UnitAttr":$cast, "::mlir::TypedAttr":$pad,
                                 "::tile::DistributedAttr":$layout), [{
    build($_builder, $_state, source, sourceIndices, sourceMap, target, targetIndices, targetMap, cast, pad, layout,
          ::mlir::IntegerAttr());
  }]>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MemRefType getSourceType() { return ::llvm::cast<::mlir::MemRefType>(getSource().getType()); }
    ::mlir::MemRefType getTargetType() { return ::llvm::cast<::mlir::MemRefType>(getTarget().getType()); }
    /// The box that moves, without leading unit dims (so of rank 0 for one element); static in a verified program.
    ::llvm::SmallVector<int64_t> getTileShape();
  }];
}

def Tile_FillOp : Tile_Op<"fill"> {
  let summary = "sets every element";
  let arguments = (ins Arg<AnyMemRef, "", [MemWrite]>:$target, Optional<AnyType>:$scalar,
    OptionalAttr<TypedAttrInterface>:$value, OptionalAttr<Tile_DistributedAttr>:$layout);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MemRefType getTargetType() { return ::llvm::cast<::mlir::MemRefType>(getTarget().getType()); }
  }];
}

//===--- Elements --------------------------------------------------------------------------------------------------===//

/// Shared by load, store and atomic: one element of one buffer at `map(indices)`.
class Tile_ElementOp<string name, list<Trait> traits = []> : Tile_Op<name, traits> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  code elementDeclaration = [{
    ::mlir::MemRefType getBufferType() { return ::llvm::cast<::mlir::MemRefType>(getBuffer().getType()); }
  }];
  let extraClassDeclaration = elementDeclaration;
}

def Tile_LoadOp : Tile_ElementOp<"load"> {
  let summary = "one element; out of range in global memory reads 0 or `pad`";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$buffer, Variadic<Index>:$indices, AffineMapAttr:$map,
    OptionalAttr<TypedAttrInterface>:$pad);
  let results = (outs AnyType:$result);
}
def Tile_StoreOp : Tile_ElementOp<"store"> {
  let summary = "one element; out of range in global memory writes nothing";
  let arguments = (ins AnyType:$value, Arg<AnyMemRef, "", [MemWrite]>:$buffer, Variadic<Index>:$indices,
    AffineMapAttr:$map);
}
def Tile_AtomicOp : Tile_ElementOp<"atomic"> {
  let summary = "combines one element in place; the result, if asked for, is the old value";
  let arguments = (ins Tile_AtomicKindAttr:$kind, AnyType:$value, Arg<AnyMemRef, "", [MemRead, MemWrite]>:$buffer,
    Variadic<Index>:$indices, AffineMapAttr:$map);
  let results = (outs Optional<AnyType>:$old);
}

#endif // TILE_MEMORY_OPS_TD
