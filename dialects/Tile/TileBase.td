// TileBase.td - the tile dialect, its attributes and enumerations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_BASE_TD
#define TILE_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let summary = "what a thread block does to tiles of data";
  let cppNamespace = "::tile";
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

class Tile_Attr<string name, string keyword, list<Trait> traits = []> : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = keyword;
}

//===--- Memory spaces: a memref without one is global -------------------------------------------------------------===//

def Tile_SharedAttr : Tile_Attr<"Shared", "shared"> {
  let summary = "memory shared by the threads of a block";
}
def Tile_FragmentAttr : Tile_Attr<"Fragment", "fragment"> {
  let summary = "a tile the compiler spreads over the registers of the block";
}
def Tile_LocalAttr : Tile_Attr<"Local", "local"> {
  let summary = "a private array of each thread";
}

//===--- Layouts ---------------------------------------------------------------------------------------------------===//

def Tile_DistributedAttr : Tile_Attr<"Distributed", "distributed"> {
  let summary = "which thread and register hold each element of a tile";
  let description = [{
    `#tile.distributed<4x96 = [(4 reg), (3 thread * 8, 8 thread, 4 reg * 4)] threads 32>`: per axis its digits, most
    significant first, each `radix owner [* stride]`; then optional `copies (2 thread * 16)`, `blocks n`, `origins (0, 7)`.
    The meaning is that of `tile::Layout` (include/tile/Layout/Layout.h).
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "extents of the tile">:$shape,
    ArrayRefParameter<"int64_t", "number of digits of each axis">:$digitCounts,
    ArrayRefParameter<"int64_t", "radix of each digit, axis by axis, most significant first">:$radices,
    ArrayRefParameter<"int64_t", "owner of each digit: 0 register, 1 thread, 2 block">:$owners,
    ArrayRefParameter<"int64_t", "stride of each digit in its owner's number">:$strides,
    ArrayRefParameter<"int64_t", "radix of each spread (copies)">:$copyRadices,
    ArrayRefParameter<"int64_t", "owner of each spread">:$copyOwners,
    ArrayRefParameter<"int64_t", "stride of each spread">:$copyStrides,
    "int64_t":$threads,
    "int64_t":$blocks,
    ArrayRefParameter<"int64_t", "largest origin of each axis; empty if no axis has one">:$origins
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_PaddedAttr : Tile_Attr<"Padded", "padded"> {
  let summary = "a shared tile whose last dimension has a pitch of `elements` more than its extent";
  let parameters = (ins "int64_t":$elements);
  let assemblyFormat = "`<` $elements `>`";
  let genVerifyDecl = 1;
}

def Tile_SwizzledAttr : Tile_Attr<"Swizzled", "swizzled"> {
  let summary = "a shared tile stored in panels of `bytes` (32, 64 or 128) with the hardware's XOR of 16-byte units";
  let parameters = (ins "int64_t":$bytes);
  let assemblyFormat = "`<` $bytes `>`";
  let genVerifyDecl = 1;
}

def Tile_LinearAttr : Tile_Attr<"Linear", "linear"> {
  let summary = "a shared tile stored row after row";
}

def Tile_XorAttr : Tile_Attr<"Xor", "xor"> {
  let summary = "a shared tile whose pieces of `unit` bytes are exchanged within their rows, differently in each row";
  let description = [{
    `#tile.xor<unit 16, bits 3, shift 7>`, then optionally `, shift 10` and `, padded 8`. The byte offset is
    linear ^ (((linear >> shift) & (2^bits - 1)) << log2(unit)); a second shift is XORed to the first.
    The meaning is that of `tile::SharedLayout` (include/tile/Layout/SharedLayout.h).
  }];
  let parameters = (ins
    "int64_t":$unit, "int64_t":$bits, "int64_t":$shift,
    DefaultValuedParameter<"int64_t", "0">:$shift2,
    DefaultValuedParameter<"int64_t", "0">:$padding
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===--- Enumerations ----------------------------------------------------------------------------------------------===//

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_ReduceKind : Tile_Enum<"ReduceKind", "how a reduction combines", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">, I32EnumAttrCase<"Prod", 2, "prod">,
  I32EnumAttrCase<"Max", 3, "max">, I32EnumAttrCase<"Min", 4, "min">,
  I32EnumAttrCase<"MaxNum", 5, "maxnum">, I32EnumAttrCase<"MinNum", 6, "minnum">,
  I32EnumAttrCase<"AbsMax", 7, "absmax">, I32EnumAttrCase<"AbsSum", 8, "abssum">,
  I32EnumAttrCase<"UMax", 9, "umax">, I32EnumAttrCase<"UMin", 10, "umin">,
  I32EnumAttrCase<"And", 11, "and">, I32EnumAttrCase<"Or", 12, "or">, I32EnumAttrCase<"Xor", 13, "xor">]>;
def Tile_ReduceKindAttr : EnumAttr<Tile_Dialect, Tile_ReduceKind, "reduce_kind"> { let assemblyFormat = "$value"; }

def Tile_ScanKind : Tile_Enum<"ScanKind", "how a scan combines", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Prod", 1, "prod">, I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">]>;
def Tile_ScanKindAttr : EnumAttr<Tile_Dialect, Tile_ScanKind, "scan_kind"> { let assemblyFormat = "$value"; }

def Tile_ArgReduceKind : Tile_Enum<"ArgReduceKind", "which element an argreduce looks for", [
  I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Min", 1, "min">]>;
def Tile_ArgReduceKindAttr : EnumAttr<Tile_Dialect, Tile_ArgReduceKind, "argreduce_kind"> {
  let assemblyFormat = "$value";
}

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "how an atomic combines", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">, I32EnumAttrCase<"Min", 2, "min">,
  I32EnumAttrCase<"UMax", 3, "umax">, I32EnumAttrCase<"UMin", 4, "umin">,
  I32EnumAttrCase<"And", 5, "and">, I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">,
  I32EnumAttrCase<"Exchange", 8, "exchange">]>;
def Tile_AtomicKindAttr : EnumAttr<Tile_Dialect, Tile_AtomicKind, "atomic_kind"> { let assemblyFormat = "$value"; }

def Tile_Comparison : Tile_Enum<"Comparison", "a comparison of a where clause", [
  I32EnumAttrCase<"Eq", 0, "==">, I32EnumAttrCase<"Lt", 1, "<">, I32EnumAttrCase<"Le", 2, "<=">,
  I32EnumAttrCase<"Gt", 3, ">">, I32EnumAttrCase<"Ge", 4, ">=">]>;

class Tile_Op<string name, list<Trait> traits = []> : Op<Tile_Dialect, name, traits>;

#endif // TILE_BASE_TD
