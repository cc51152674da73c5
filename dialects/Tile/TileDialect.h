// TileDialect.h - the tile dialect: attributes, enumerations, memory spaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_DIALECTS_TILE_TILEDIALECT_H
#define TILE_DIALECTS_TILE_TILEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Tile/TileEnums.h.inc"

#include "dialects/Tile/TileDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Tile/TileAttrs.h.inc"

namespace tile {

/// Where the elements of a memref live.
enum class Space { Global, Shared, Fragment, Local, Other };

/// The space of a memref type; `Other` for a memory space that is not ours.
Space spaceOf(mlir::MemRefType type);

/// The space as the reader knows it: "global", "shared", "fragment", "local".
llvm::StringRef nameOf(Space space);

} // namespace tile

#endif // TILE_DIALECTS_TILE_TILEDIALECT_H
