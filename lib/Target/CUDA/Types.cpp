// Types.cpp - MLIR types as scalar types, and those as C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Types.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tile::cuda {

std::optional<ScalarType> scalarType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (!integer.isSignless())
      return std::nullopt;
    switch (integer.getWidth()) {
    case 1:
      return ScalarType::I1;
    case 8:
      return ScalarType::I8;
    case 16:
      return ScalarType::I16;
    case 32:
      return ScalarType::I32;
    case 64:
      return ScalarType::I64;
    default:
      return std::nullopt;
    }
  }
  return llvm::TypeSwitch<Type, std::optional<ScalarType>>(type)
      .Case<IndexType>([](Type) { return ScalarType::Index; })
      .Case<Float16Type>([](Type) { return ScalarType::F16; })
      .Case<BFloat16Type>([](Type) { return ScalarType::BF16; })
      .Case<Float32Type>([](Type) { return ScalarType::F32; })
      .Case<Float64Type>([](Type) { return ScalarType::F64; })
      .Case<Float8E4M3FNType>([](Type) { return ScalarType::F8E4M3FN; })
      .Case<Float8E5M2Type>([](Type) { return ScalarType::F8E5M2; })
      .Default([](Type) { return std::nullopt; });
}

llvm::StringRef valueType(ScalarType type) {
  switch (type) {
  case ScalarType::I1:
    return "bool";
  case ScalarType::I8:
    return "signed char";
  case ScalarType::I16:
    return "short";
  case ScalarType::I32:
    return "int";
  case ScalarType::I64:
  case ScalarType::Index:
    return "long long";
  case ScalarType::F16:
    return "f16";
  case ScalarType::BF16:
    return "bf16";
  case ScalarType::F32:
    return "float";
  case ScalarType::F64:
    return "double";
  case ScalarType::F8E4M3FN:
    return "f8e4m3";
  case ScalarType::F8E5M2:
    return "f8e5m2";
  }
  return "";
}

llvm::StringRef memoryType(ScalarType type) {
  return type == ScalarType::I1 ? "unsigned char" : valueType(type);
}

llvm::StringRef unsignedType(ScalarType type) {
  switch (bitWidth(type)) {
  case 8:
    return "unsigned char";
  case 16:
    return "unsigned short";
  case 32:
    return "unsigned";
  default:
    return "unsigned long long";
  }
}

} // namespace tile::cuda
