// ScalarType.cpp - names of the element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/ScalarType.h"

#include <array>
#include <utility>

namespace tile {

static constexpr std::array<std::pair<ScalarType, std::string_view>, 12> kNames = {{
    {ScalarType::I1, "i1"},
    {ScalarType::I8, "i8"},
    {ScalarType::I16, "i16"},
    {ScalarType::I32, "i32"},
    {ScalarType::I64, "i64"},
    {ScalarType::F16, "f16"},
    {ScalarType::BF16, "bf16"},
    {ScalarType::F32, "f32"},
    {ScalarType::F64, "f64"},
    {ScalarType::F8E4M3FN, "f8E4M3FN"},
    {ScalarType::F8E5M2, "f8E5M2"},
    {ScalarType::Index, "index"},
}};

std::string_view name(ScalarType type) {
  for (const auto &[candidate, text] : kNames)
    if (candidate == type)
      return text;
  return "?";
}

std::optional<ScalarType> parseScalarType(std::string_view text) {
  for (const auto &[candidate, spelling] : kNames)
    if (spelling == text)
      return candidate;
  return std::nullopt;
}

} // namespace tile
