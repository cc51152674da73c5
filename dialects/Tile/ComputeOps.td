// ComputeOps.td - reductions and scans, and what a program says to its reader: print, assert.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_COMPUTE_OPS_TD
#define TILE_COMPUTE_OPS_TD

include "dialects/Tile/TileBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_ReduceOp : Tile_Op<"reduce"> {
  let summary = "combines the elements along one dimension";
  let description = [{
    `tile.reduce sum %x into %s dim 1 accumulate : !Row into !One`. The target has the source's shape without `dim`.
    16-bit floats accumulate in f32; `accumulate` combines the old value once, then rounds.
  }];
  let arguments = (ins Tile_ReduceKindAttr:$kind, Arg<AnyMemRef, "", [MemRead]>:$source,
    Arg<AnyMemRef, "", [MemRead, MemWrite]>:$target, I64Attr:$dim, UnitAttr:$accumulate,
    OptionalAttr<Tile_DistributedAttr>:$layout);
  let assemblyFormat = [{
    custom<ReduceKind>($kind) $source `into` $target `dim` $dim (`accumulate` $accumulate^)? (`layout` `(` $layout^ `)`)? attr-dict
    `:` type($source) `into` type($target)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MemRefType getSourceType() { return ::llvm::cast<::mlir::MemRefType>(getSource().getType()); }
    ::mlir::MemRefType getTargetType() { return ::llvm::cast<::mlir::MemRefType>(getTarget().getType()); }
  }];
}

def Tile_ArgReduceOp : Tile_Op<"argreduce"> {
  let summary = "finds the largest or smallest element along one dimension, and where it is";
  let description = [{
    `tile.argreduce max %x into %v, %i dim 1 : !Row into !One, !At`. Both targets have the source's shape without `dim`; indices
    are i32. The first NaN wins, else the lowest index of the extreme value; -0 equals +0.
  }];
  let arguments = (ins Tile_ArgReduceKindAttr:$kind, Arg<AnyMemRef, "", [MemRead]>:$source,
    Arg<AnyMemRef, "", [MemWrite]>:$value, Arg<AnyMemRef, "", [MemWrite]>:$index, I64Attr:$dim,
    OptionalAttr<Tile_DistributedAttr>:$layout);
  let assemblyFormat = [{
    custom<ArgReduceKind>($kind) $source `into` $value `,` $index `dim` $dim (`layout` `(` $layout^ `)`)? attr-dict
    `:` type($source) `into` type($value) `,` type($index)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MemRefType getSourceType() { return ::llvm::cast<::mlir::MemRefType>(getSource().getType()); }
    ::mlir::MemRefType getValueType() { return ::llvm::cast<::mlir::MemRefType>(getValue().getType()); }
    ::mlir::MemRefType getIndexType() { return ::llvm::cast<::mlir::MemRefType>(getIndex().getType()); }
  }];
}

def Tile_ScanOp : Tile_Op<"scan"> {
  let summary = "combines each element with all before it along one dimension";
  let description = [{
    `tile.scan sum %x into %y dim 1 reverse exclusive : !Row into !Row`. `reverse` begins at the last element; `exclusive` leaves
    the element itself out, so that the first result is the operation's identity. 16-bit floats accumulate in f32 and
    each result is rounded. The source is read before the target is written.
  }];
  let arguments = (ins Tile_ScanKindAttr:$kind, Arg<AnyMemRef, "", [MemRead]>:$source,
    Arg<AnyMemRef, "", [MemWrite]>:$target, I64Attr:$dim, UnitAttr:$reverse, UnitAttr:$exclusive,
    OptionalAttr<Tile_DistributedAttr>:$layout);
  let assemblyFormat = [{
    custom<ScanKind>($kind) $source `into` $target `dim` $dim (`reverse` $reverse^)? (`exclusive` $exclusive^)?
    (`layout` `(` $layout^ `)`)? attr-dict `:` type($source) `into` type($target)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MemRefType getSourceType() { return ::llvm::cast<::mlir::MemRefType>(getSource().getType()); }
    ::mlir::MemRefType getTargetType() { return ::llvm::cast<::mlir::MemRefType>(getTarget().getType()); }
  }];
}

def Tile_PrintOp : Tile_Op<"print"> {
  let summary = "prints a tile or a scalar in logical order, from one block, with the source line";
  let arguments = (ins Arg<AnyType, "", [MemRead]>:$value, OptionalAttr<DenseI64ArrayAttr>:$block);
  let assemblyFormat = "$value (`block` $block^)? attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Tile_AssertOp : Tile_Op<"assert"> {
  let summary = "a condition that must hold; reported with the source line";
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
  let hasVerifier = 1;
}

#endif // TILE_COMPUTE_OPS_TD
