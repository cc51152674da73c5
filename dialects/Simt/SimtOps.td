// SimtOps.td - the simt dialect: what each thread of a block does; one op is one construct of CUDA C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SIMT_OPS_TD
#define SIMT_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Simt_Dialect : Dialect {
  let name = "simt";
  let summary = "what each thread does";
  let description = [{
    Structured control flow stays `scf` (a loop with the unit attribute `simt.unroll` is unrolled by the C compiler),
    arithmetic stays `arith` and `math`, index arithmetic is `affine.apply` and `arith` until choose-index-width gives
    every index a width. Every buffer has one dimension; an index counts elements. Memory spaces: none is global,
    `#simt.shared`, `#simt.register` (indexed by constants and induction variables of unrolled loops only) and
    `#simt.local`.
  }];
  let cppNamespace = "::tile::simt";
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::affine::AffineDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

class Simt_Attr<string name, string keyword> : AttrDef<Simt_Dialect, name> { let mnemonic = keyword; }
def Simt_SharedAttr : Simt_Attr<"Shared", "shared"> { let summary = "memory shared by the block"; }
def Simt_RegisterAttr : Simt_Attr<"Register", "register"> { let summary = "registers of one thread"; }
def Simt_LocalAttr : Simt_Attr<"Local", "local"> { let summary = "a private array of one thread"; }

class Simt_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tile::simt";
  let genSpecializedAttr = 0;
}

def Simt_ParameterKind : Simt_Enum<"ParameterKind", "what a parameter of a simt kernel carries", [
  I32EnumAttrCase<"Tensor", 0, "tensor">, I32EnumAttrCase<"Scalar", 1, "scalar">,
  I32EnumAttrCase<"Symbol", 2, "symbol">, I32EnumAttrCase<"Stride", 3, "stride">,
  I32EnumAttrCase<"GridExtent", 4, "grid_extent">]>;

def Simt_ParameterAttr : Simt_Attr<"Parameter", "parameter"> {
  let summary = "where the launch finds the value of a parameter";
  let description = [{
    `#simt.parameter<tensor 0>`: the base pointer of argument 0. `<scalar 2>`: argument 2. `<symbol 1>`: size symbol 1.
    `<stride 0 dim 1>`: stride, in elements, of dimension 1 of argument 0. `<grid_extent 0>`: blocks along axis 0.
  }];
  let parameters = (ins EnumParameter<Simt_ParameterKind>:$kind, "int64_t":$number, DefaultValuedParameter<"int64_t", "0">:$dim);
  let assemblyFormat = "`<` $kind $number (`dim` $dim^)? `>`";
}

def Simt_RequirementKind : Simt_Enum<"RequirementKind", "what a variant takes for granted", [
  I32EnumAttrCase<"PointerMultiple", 0, "pointer_multiple">,
  I32EnumAttrCase<"StrideMultiple", 1, "stride_multiple">,
  I32EnumAttrCase<"GridFits", 2, "grid_fits">]>;

def Simt_RequirementAttr : Simt_Attr<"Requirement", "requirement"> {
  let summary = "one fact about the arguments that the launch checks before it takes a variant";
  let description = [{
    `<pointer_multiple 0 bytes 16>`: the base of argument 0 is a multiple of 16 bytes. `<stride_multiple 0 dim 0 bytes
    16>`: so is the distance between its rows. `<grid_fits 0>`: the grid needs no folding (y and z at most 65535).
  }];
  let parameters = (ins EnumParameter<Simt_RequirementKind>:$kind, "int64_t":$number,
    DefaultValuedParameter<"int64_t", "0">:$dim, DefaultValuedParameter<"int64_t", "0">:$bytes);
  let assemblyFormat = "`<` $kind $number (`dim` $dim^)? (`bytes` $bytes^)? `>`";
}

// The kinds are the tile dialect's; its records are not repeated here, or they would be generated twice.
def Simt_AtomicKindAttr : Attr<CPred<"::llvm::isa<::tile::AtomicKindAttr>($_self)">, "how an atomic combines"> {
  let storageType = "::tile::AtomicKindAttr";
  let returnType = "::tile::AtomicKind";
  let convertFromStorage = "$_self.getValue()";
}

class Simt_Op<string name, list<Trait> traits = []> : Op<Simt_Dialect, name, traits>;
def Simt_Index : AnyTypeOf<[Index, I32, I64], "index, i32 or i64">;

//===--- Kernel ----------------------------------------------------------------------------------------------------===//

def Simt_KernelOp : Simt_Op<"kernel", [IsolatedFromAbove, AffineScope, Symbol, SingleBlock, NoTerminator]> {
  let summary = "one __global__ function";
  let description = [{
    The block's arguments are the parameters, then the block indices. `tensors` names, for each argument of the tile
    kernel, its place in the launch; `source` is the tile kernel this was made from. With `folded`, the block indices are taken
    out of blockIdx.x by the grid extents, which are parameters then.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrAttr:$source,
    TypedArrayAttrBase<Simt_ParameterAttr, "parameters">:$parameters,
    TypedArrayAttrBase<Simt_RequirementAttr, "requirements">:$requirements,
    // Over the launch values of the tile kernel: size symbols, then index arguments.
    AffineMapAttr:$grid,
    I64Attr:$threads,
    OptionalAttr<I64Attr>:$minBlocks,
    // Bytes of the shared arena, once plan-shared-memory has run.
    OptionalAttr<I64Attr>:$sharedBytes,
    // Parameters whose pointers carry __restrict__, and those only read.
    OptionalAttr<DenseI64ArrayAttr>:$restrictParameters,
    OptionalAttr<DenseI64ArrayAttr>:$readonlyParameters,
    UnitAttr:$folded,
    // Grid axes, the one launched along x in front; none: in their order.
    OptionalAttr<DenseI64ArrayAttr>:$blockOrder
  );
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    using BlockArguments = ::mlir::Block::BlockArgListType;
    BlockArguments getParameterValues() { return getBody().getArguments().take_front(getParameters().size()); }
    BlockArguments getBlockIds() { return getBody().getArguments().take_back(getGrid().getNumResults()); }
    ParameterAttr getParameter(unsigned number) { return ::llvm::cast<ParameterAttr>(getParameters()[number]); }
    /// Grid axes, the one launched along x in front.
    ::llvm::SmallVector<int64_t> getLaunchOrder();
  }];
}

def Simt_ThreadIdOp : Simt_Op<"thread_id", [Pure]> {
  let summary = "threadIdx.x";
  let results = (outs Simt_Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Simt_NoteOp : Simt_Op<"note", [MemoryEffects<[MemWrite]>]> {
  let summary = "a comment line of the generated text: the tile op that what follows came from";
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
}

def Simt_SplitOp : Simt_Op<"split", [Pure]> {
  let summary = "the C compiler makes two versions of what follows, one for each value of the condition";
  let description = [{ In the body of a kernel only, once. Every thread has the same condition. }];
  let arguments = (ins I1:$condition);
  let results = (outs I1:$result);
  let assemblyFormat = "$condition attr-dict";
  let hasVerifier = 1;
}

//===--- Storage ---------------------------------------------------------------------------------------------------===//

class Simt_StorageOp<string name> : Simt_Op<name> {
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$result);
  let hasVerifier = 1;
}
def Simt_RegistersOp : Simt_StorageOp<"registers"> {
  let summary = "registers: T name[n], aligned to 16 bytes";
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Simt_LocalOp : Simt_StorageOp<"local"> {
  let summary = "a private array that may be indexed by anything";
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Simt_HoldOp : Simt_Op<"hold"> {
  let summary = "holds registers as the words they are: what is computed from them is computed anew behind this";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead, MemWrite]>:$registers);
  let assemblyFormat = "$registers attr-dict `:` type($registers)";
  let hasVerifier = 1;
}
def Simt_SharedOp : Simt_StorageOp<"shared"> {
  let summary = "a buffer in the block's shared arena";
  let description = [{ `at` is the byte offset, given by plan-shared-memory; a multiple of `align`. }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset, DefaultValuedAttr<I64Attr, "16">:$align);
  let assemblyFormat = "(`at` $offset^)? (`align` $align^)? attr-dict `:` type($result)";
}
def Simt_ViewOp : Simt_Op<"view", [Pure]> {
  let summary = "the same storage from a byte offset on, as elements of another type";
  let arguments = (ins AnyMemRef:$source, I64Attr:$offset);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source `at` $offset attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

//===--- Memory accesses -------------------------------------------------------------------------------------------===//

// An access with the unit attribute `simt.explicit` came from a load, store or atomic that the user placed on threads;
// hazards between two such accesses are the user's, everything else is the compiler's.

def Simt_LoadOp : Simt_Op<"load"> {
  let summary = "one element";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$buffer, Simt_Index:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$buffer `[` $index `:` type($index) `]` attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}
def Simt_StoreOp : Simt_Op<"store"> {
  let summary = "one element";
  let arguments = (ins AnyType:$value, Arg<AnyMemRef, "", [MemWrite]>:$buffer, Simt_Index:$index);
  let assemblyFormat = "$value `,` $buffer `[` $index `:` type($index) `]` attr-dict `:` type($value) `,` type($buffer)";
  let hasVerifier = 1;
}
def Simt_MoveOp : Simt_Op<"move"> {
  let summary = "`bytes` consecutive bytes as one access: 2, 4, 8 or 16, aligned to themselves on both sides";
  let description = [{
    `keep 12`: line 12 of the program reads the bytes again, and nothing in the kernel writes them; the L2 is asked to
    keep them until then. With `async`, from global to shared memory only and of at least 4 bytes, the thread goes on at
    once; the bytes have arrived for it after its next `simt.await`, and for other threads after a barrier behind that.
    What nobody awaits before the kernel ends is not needed. Where `streams` is given and true, the L2 is asked to let the
    bytes go first, as nobody else reads them; from global memory to a thread's own only.
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source, Simt_Index:$sourceIndex,
    Arg<AnyMemRef, "", [MemWrite]>:$target, Simt_Index:$targetIndex, I64Attr:$bytes, OptionalAttr<I64Attr>:$keep,
    UnitAttr:$async, Optional<I1>:$streams);
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$sourceIndex, "::mlir::Value":$target,
                                 "::mlir::Value":$targetIndex, "::mlir::IntegerAttr":$bytes), [{
    build($_builder, $_state, source, sourceIndex, target, targetIndex, bytes, ::mlir::IntegerAttr(), ::mlir::UnitAttr(),
          ::mlir::Value());
  }]>];
  let assemblyFormat = [{
    $source `[` $sourceIndex `:` type($sourceIndex) `]` `to` $target `[` $targetIndex `:` type($targetIndex) `]`
    `bytes` $bytes (`keep` $keep^)? (`async` $async^)? (`streams` $streams^)? attr-dict
    `:` type($source) `to` type($target)
  }];
  let hasVerifier = 1;
}
def Simt_AtomicOp : Simt_Op<"atomic"> {
  let summary = "combines one element of global or shared memory in place; relaxed";
  let arguments = (ins Simt_AtomicKindAttr:$kind, AnyType:$value, Arg<AnyMemRef, "", [MemRead, MemWrite]>:$buffer,
    Simt_Index:$index);
  let results = (outs Optional<AnyType>:$old);
  let assemblyFormat = [{
    custom<AtomicKind>($kind) $value `,` $buffer `[` $index `:` type($index) `]` attr-dict
    `:` type($value) `,` type($buffer) (`->` type($old)^)?
  }];
  let hasVerifier = 1;
}

//===--- Threads ---------------------------------------------------------------------------------------------------===//

def Simt_BarrierOp : Simt_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "__syncthreads(): every thread of the block; `user` marks one that the program asked for";
  let arguments = (ins UnitAttr:$user);
  let assemblyFormat = "(`user` $user^)? attr-dict";
}

def Simt_AwaitOp : Simt_Op<"await", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until everything that this thread moves with `async` has arrived";
  let assemblyFormat = "attr-dict";
}

def Simt_ShuffleMode : Simt_Enum<"ShuffleMode", "which lane's value a shuffle returns", [
  I32EnumAttrCase<"Xor", 0, "xor">, I32EnumAttrCase<"Up", 1, "up">, I32EnumAttrCase<"Down", 2, "down">,
  I32EnumAttrCase<"Index", 3, "idx">]>;
def Simt_ShuffleModeAttr : EnumAttr<Simt_Dialect, Simt_ShuffleMode, "shuffle_mode"> { let assemblyFormat = "$value"; }

def Simt_ShuffleOp : Simt_Op<"shuffle", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "the value of another lane of the warp: lane ^ n, lane - n, lane + n, or n";
  let description = [{
    Executed by every existing thread of the warp. A lane outside the warp (for up and down), or one that no thread of the block
    occupies, gives the thread's own value.
  }];
  let arguments = (ins Simt_ShuffleModeAttr:$mode, AnyType:$value, AnyTypeOf<[I32, Index]>:$lane);
  let results = (outs AnyType:$result);
  let assemblyFormat = "custom<ShuffleMode>($mode) $value `,` $lane attr-dict `:` type($value) `,` type($lane)";
}

//===--- Values ----------------------------------------------------------------------------------------------------===//

def Simt_ConvertOp : Simt_Op<"convert", [Pure]> {
  let summary = "the conversion of `tile.copy … cast`: docs/conversions.md";
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
}

def Simt_AssertOp : Simt_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "traps, and the simulator reports, when the condition is false";
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

def Simt_CheckOp : Simt_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "says what is wrong, with file and line, and traps, when the condition is false: what `checked` asks for";
  let description = [{ Each `{}` of the message stands for one of the values, integers all, in order. }];
  let arguments = (ins I1:$condition, StrAttr:$message, Variadic<AnyTypeOf<[Index, AnySignlessInteger]>>:$values);
  let assemblyFormat = "$condition `,` $message (`(` $values^ `:` type($values) `)`)? attr-dict";
  let hasVerifier = 1;
}

def Simt_PrintOp : Simt_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "one line of output from one thread: the label, then the values";
  let arguments = (ins StrAttr:$label, Variadic<AnyType>:$values);
  let assemblyFormat = "$label ($values^ `:` type($values))? attr-dict";
}

#endif // SIMT_OPS_TD
