// Npy.h - arrays in .npy files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_NPY_H
#define TILE_SUPPORT_NPY_H

#include "tile/Support/Result.h"
#include "tile/Support/ScalarType.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tile {

/// An array as a .npy file holds it: little endian, last dimension fastest.
struct NpyArray {
  std::string dtype;          ///< "b1", "i1" … "i8", "u1" … "u8", "f2", "f4", "f8"
  std::vector<int64_t> shape; ///< empty for rank 0
  std::vector<uint8_t> data;  ///< the elements, `byteSize` of the dtype each
};

/// How a type travels: f32 "f4", i1 "b1", bf16 "u2" and fp8 "u1" (bit patterns), index "i8".
std::string_view npyType(ScalarType type);

/// True if elements of that dtype may be read as `type`: its own, and unsigned for signless integers.
bool npyTypeFits(std::string_view dtype, ScalarType type);

/// Reads the bytes of a .npy file (format 1.0 or 2.0). Big endian, Fortran order of rank 2 and more, other dtypes,
/// a short or over-long file and sizes beyond 2^62 bytes are errors.
Result<NpyArray> parseNpy(std::string_view bytes);

/// The bytes of a .npy file, format 1.0 (2.0 where the header needs it), data aligned to 64 bytes.
/// \pre `data` holds exactly the elements of `shape`; asserts otherwise.
std::string formatNpy(const NpyArray &array);

/// The same on files; errors name the path.
Result<NpyArray> readNpy(const std::string &path);
Status writeNpy(const std::string &path, const NpyArray &array);

} // namespace tile

#endif // TILE_SUPPORT_NPY_H
