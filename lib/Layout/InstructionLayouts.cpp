// InstructionLayouts.cpp - the register tiles of matrix instructions, digit by digit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/InstructionLayouts.h"

#include <cassert>

namespace tile {

namespace {
constexpr Owner kReg = Owner::Register, kThread = Owner::Thread;
} // namespace

static Layout make(Extents extents, std::vector<Digit> digits, int64_t threads) {
  std::optional<Layout> layout = Layout::get({std::move(extents), std::move(digits), {}, threads, 1, {}});
  assert(layout && "the layout of an instruction is valid");
  return *layout;
}

Layout mmaAccumulatorLayout() {
  return make({16, 8}, {{0, 1, 8, kThread, 4}, {0, 8, 2, kReg, 2}, {1, 1, 2, kReg, 1}, {1, 2, 4, kThread, 1}}, 32);
}

Layout mmaLeftLayout() {
  return make(
      {16, 16},
      {{0, 1, 8, kThread, 4}, {0, 8, 2, kReg, 2}, {1, 1, 2, kReg, 1}, {1, 2, 4, kThread, 1}, {1, 8, 2, kReg, 4}}, 32);
}

Layout mmaRightLayout() {
  return make({16, 8}, {{0, 1, 2, kReg, 1}, {0, 2, 4, kThread, 1}, {0, 8, 2, kReg, 2}, {1, 1, 8, kThread, 4}}, 32);
}

Layout wgmmaAccumulatorLayout(int64_t columns) {
  assert(columns >= 8 && columns <= 256 && columns % 8 == 0 && "wgmma has 8 to 256 columns, in steps of 8");
  return make({64, columns},
              {{0, 1, 8, kThread, 4},
               {0, 8, 2, kReg, 2},
               {0, 16, 4, kThread, 32},
               {1, 1, 2, kReg, 1},
               {1, 2, 4, kThread, 1},
               {1, 8, columns / 8, kReg, 4}},
              128);
}

Layout wgmmaLeftLayout(int64_t elementBytes) {
  assert((elementBytes == 1 || elementBytes == 2 || elementBytes == 4) && "wgmma takes 8-, 16- and 32-bit elements");
  // A 32-bit register holds e neighbours along k; a quad of threads holds four of them, and k goes on once more.
  int64_t e = 4 / elementBytes;
  return make({64, 8 * e},
              {{0, 1, 8, kThread, 4},
               {0, 8, 2, kReg, e},
               {0, 16, 4, kThread, 32},
               {1, 1, e, kReg, 1},
               {1, e, 4, kThread, 1},
               {1, 4 * e, 2, kReg, 2 * e}},
              128);
}

Layout ldmatrixLayout(int64_t count, bool transposed) {
  assert((count == 1 || count == 2 || count == 4) && "ldmatrix moves 1, 2 or 4 matrices");
  Digit matrix{0, 1, count, kReg, 2};
  if (transposed)
    return make({count, 8, 8}, {matrix, {1, 1, 2, kReg, 1}, {1, 2, 4, kThread, 1}, {2, 1, 8, kThread, 4}}, 32);
  return make({count, 8, 8}, {matrix, {1, 1, 8, kThread, 4}, {2, 1, 2, kReg, 1}, {2, 2, 4, kThread, 1}}, 32);
}

} // namespace tile
