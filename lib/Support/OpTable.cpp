// OpTable.cpp - the support table, from ScalarOps.def, and the rule of each cast.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/OpTable.h"

#include <algorithm>
#include <array>

namespace tile {

static constexpr std::array<ScalarType, 12> kAll = {
    ScalarType::I1,   ScalarType::I8,  ScalarType::I16, ScalarType::I32, ScalarType::I64,      ScalarType::Index,
    ScalarType::BF16, ScalarType::F16, ScalarType::F32, ScalarType::F64, ScalarType::F8E4M3FN, ScalarType::F8E5M2};

static constexpr TypeSet Integers = {ScalarType::I1,  ScalarType::I8,  ScalarType::I16,
                                     ScalarType::I32, ScalarType::I64, ScalarType::Index};
static constexpr TypeSet Floats = {ScalarType::F16, ScalarType::BF16, ScalarType::F32, ScalarType::F64};
static constexpr TypeSet AllTypes = {ScalarType::I1,  ScalarType::I8,       ScalarType::I16,    ScalarType::I32,
                                     ScalarType::I64, ScalarType::F16,      ScalarType::BF16,   ScalarType::F32,
                                     ScalarType::F64, ScalarType::F8E4M3FN, ScalarType::F8E5M2, ScalarType::Index};

/// An integer type that MLIR's casts between widths accept: all but index.
static constexpr bool isSizedInteger(ScalarType type) {
  return isInteger(type) && type != ScalarType::Index;
}

static constexpr bool castSupported(CastOp op, ScalarType from, ScalarType to) {
  int grows = bitWidth(to) - bitWidth(from);
  switch (op) {
  case CastOp::ExtSI:
  case CastOp::ExtUI:
    return isSizedInteger(from) && isSizedInteger(to) && grows > 0;
  case CastOp::TruncI:
    return isSizedInteger(from) && isSizedInteger(to) && grows < 0;
  case CastOp::SIToFP:
  case CastOp::UIToFP:
    return isSizedInteger(from) && isFloat(to);
  case CastOp::FPToSI:
  case CastOp::FPToUI:
    return isFloat(from) && isSizedInteger(to);
  case CastOp::ExtF:
    return isFloat(from) && isFloat(to) && grows > 0;
  case CastOp::TruncF:
    return isFloat(from) && isFloat(to) && grows < 0;
  case CastOp::Bitcast:
    return from != ScalarType::Index && to != ScalarType::Index && grows == 0;
  case CastOp::IndexCast:
  case CastOp::IndexCastUI:
    return isInteger(from) && isInteger(to) && (from == ScalarType::Index) != (to == ScalarType::Index);
  }
  return false;
}

static constexpr TypeSet castSources(CastOp op) {
  TypeSet sources;
  for (ScalarType from : kAll)
    for (ScalarType to : kAll)
      if (castSupported(op, from, to))
        sources.insert(from);
  return sources;
}

static constexpr ScalarOpInfo kOps[] = {
#define TILE_UNARY(id, name, types) {name, OpKind::Unary, static_cast<uint8_t>(UnaryOp::id), types},
#define TILE_BINARY(id, name, types) {name, OpKind::Binary, static_cast<uint8_t>(BinaryOp::id), types},
#define TILE_TERNARY(id, name, types) {name, OpKind::Ternary, static_cast<uint8_t>(TernaryOp::id), types},
#define TILE_CAST(id, name) {name, OpKind::Cast, static_cast<uint8_t>(CastOp::id), castSources(CastOp::id)},
#include "tile/Support/ScalarOps.def"
    {"arith.cmpi", OpKind::CompareI, 0, Integers},
    {"arith.cmpf", OpKind::CompareF, 0, Floats},
    {"arith.constant", OpKind::Constant, 0, AllTypes},
};

std::span<const ScalarOpInfo> scalarOps() {
  return kOps;
}

const ScalarOpInfo *findScalarOp(std::string_view name) {
  const auto *row = std::ranges::find(kOps, name, &ScalarOpInfo::name);
  return row == std::end(kOps) ? nullptr : row;
}

bool isSupported(CastOp op, ScalarType from, ScalarType to) {
  return castSupported(op, from, to);
}

bool isSupported(std::string_view name, ScalarType type, ScalarType result) {
  const ScalarOpInfo *row = findScalarOp(name);
  if (!row)
    return false;
  if (row->kind == OpKind::Cast)
    return castSupported(static_cast<CastOp>(row->code), type, result);
  return row->types.contains(type);
}

/// "i1, i8, i16": the members of `kAll` for which `accepts` holds.
template <typename Predicate> static std::string listTypes(Predicate accepts) {
  std::string text;
  for (ScalarType type : kAll) {
    if (!accepts(type))
      continue;
    if (!text.empty())
      text += ", ";
    text += name(type);
  }
  return text;
}

std::string refusal(std::string_view opName, ScalarType type, ScalarType result) {
  if (isSupported(opName, type, result))
    return "";
  std::string quoted = "'" + std::string(opName) + "'";
  const ScalarOpInfo *row = findScalarOp(opName);
  if (!row)
    return quoted + " is not a scalar operation of the language";
  std::string found = quoted + " on " + std::string(name(type));
  if (row->types.contains(type)) { // only a cast can still be wrong: in its pair
    auto op = static_cast<CastOp>(row->code);
    return quoted + " from " + std::string(name(type)) + " to " + std::string(name(result)) +
           " is not supported; from " + std::string(name(type)) + " it goes to " +
           listTypes([&](ScalarType to) { return castSupported(op, type, to); });
  }
  return found + " is not supported; it takes " + listTypes([&](ScalarType t) { return row->types.contains(t); });
}

} // namespace tile
