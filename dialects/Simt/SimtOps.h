// SimtOps.h - the simt dialect and its operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_DIALECTS_SIMT_SIMTOPS_H
#define TILE_DIALECTS_SIMT_SIMTOPS_H

#include "dialects/Tile/TileDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Simt/SimtEnums.h.inc"

#include "dialects/Simt/SimtDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Simt/SimtAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Simt/SimtOps.h.inc"

namespace tile::simt {

/// Where the elements of a one-dimensional buffer live.
enum class Space { Global, Shared, Register, Local, Other };

/// The space of a memref type; `Other` for a memory space that is not ours.
Space spaceOf(mlir::MemRefType type);

/// The unit attribute of a loop that the C compiler unrolls.
inline constexpr llvm::StringLiteral kUnroll = "simt.unroll";
/// The unit attribute of an access the user placed on threads.
inline constexpr llvm::StringLiteral kExplicit = "simt.explicit";
/// The unit attribute of a move that may take along shared memory nobody has written: the registers it comes to count
/// as not written either.
inline constexpr llvm::StringLiteral kPadded = "simt.padded";

/// Bytes of the narrowest access that may ask the L2 to keep what it reads, and of the narrowest asynchronous move.
inline constexpr uint64_t kLeastKept = 4, kLeastAsync = 4;

/// Bytes of a register.
inline constexpr int64_t kRegisterBytes = 4;

/// Does the op store to the buffer it names as `buffer`, or combine with what is there?
bool isWriteTo(mlir::Operation *op, mlir::Value buffer);

} // namespace tile::simt

#endif // TILE_DIALECTS_SIMT_SIMTOPS_H
