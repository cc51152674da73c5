// Compare.h - results against what was expected.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TOOLS_TILE_RUN_COMPARE_H
#define TILE_TOOLS_TILE_RUN_COMPARE_H

#include "dialects/Tile/TileOps.h"
#include "tile/Support/HostTensor.h"
#include "tile/Support/Npy.h"

#include <optional>
#include <string>
#include <vector>

namespace tile::run {

/// Right if |got - expected| <= absolute + relative * |expected|.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// What a kernel allows the compiler that the reference does not do.
struct Liberties {
  bool contracts = false;    ///< fuses products into sums
  bool approximates = false; ///< `afn`, `arcp`
};
Liberties libertiesOf(KernelOp kernel);

/// The tolerance of a type unless the user says otherwise: wide enough for another order of summation and for what the
/// kernel allows (docs/conversions.md, section 7), and 0 for integers.
Tolerance toleranceOf(ScalarType type, Liberties liberties, std::optional<double> relative,
                      std::optional<double> absolute);

struct Outcome {
  int64_t wrong = 0;
  /// The largest |got - expected| of elements where both are finite.
  double maxError = 0;
  /// "C[3, 5]: got 1.5, expected 2" for the first wrong element.
  std::string firstDifference;
};

/// Compares element by element: right if the bits are equal, both are NaN, or the difference is within the tolerance.
/// \pre the shapes are equal.
Outcome compare(const std::string &name, const HostTensor &got, const HostTensor &expected, Tolerance tolerance);

/// The elements in row-major order, as a file holds them, and back.
NpyArray toArray(const HostTensor &tensor);
HostTensor toTensor(const NpyArray &array, ScalarType type);

} // namespace tile::run

#endif // TILE_TOOLS_TILE_RUN_COMPARE_H
