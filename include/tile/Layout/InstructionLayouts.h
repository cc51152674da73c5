// InstructionLayouts.h - the register tiles of matrix instructions, as layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LAYOUT_INSTRUCTIONLAYOUTS_H
#define TILE_LAYOUT_INSTRUCTIONLAYOUTS_H

#include "tile/Layout/Layout.h"

namespace tile {

// Registers are numbered by element: two 16-bit elements share a 32-bit register, the lower number in the lower half.

/// mma.m16n8k16, accumulator, 16 x 8 (row, column), one warp.
Layout mmaAccumulatorLayout();
/// mma.m16n8k16, 16-bit left operand, 16 x 16 (row, k).
Layout mmaLeftLayout();
/// mma.m16n8k16, 16-bit right operand, 16 x 8 (k, column).
Layout mmaRightLayout();

/// wgmma m64nNk*, accumulator, 64 x N (row, column), four warps. \pre columns is a multiple of 8 from 8 to 256.
Layout wgmmaAccumulatorLayout(int64_t columns);
/// wgmma left operand in registers, 64 x (32 / elementBytes) (row, k). \pre elementBytes is 1, 2 or 4.
Layout wgmmaLeftLayout(int64_t elementBytes);

/// ldmatrix and stmatrix of `count` 8 x 8 matrices of 16-bit elements (matrix, row, column). \pre count is 1, 2 or 4.
/// A row is 16 bytes in memory; `transposed` is the .trans form.
Layout ldmatrixLayout(int64_t count, bool transposed);

} // namespace tile

#endif // TILE_LAYOUT_INSTRUCTIONLAYOUTS_H
