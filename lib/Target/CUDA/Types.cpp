// Types.cpp - element types as C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Types.h"

namespace tile::cuda {

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
