// ScalarKernel.cpp - kernels that apply operations of the support table, one result each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScalarKernel.h"

namespace tile::cuda {

static std::string stored(ScalarType type) {
  return type == ScalarType::Index ? "i64" : spelled(type);
}

std::vector<ScalarType> ScalarKernel::bufferTypes() {
  std::vector<ScalarType> out;
  for (ScalarType type : kTypes)
    if (type != ScalarType::Index)
      out.push_back(type);
  return out;
}

std::string ScalarKernel::place(int slot) {
  std::string value = fresh();
  line(value + " = arith.constant " + std::to_string(slot) + " : i64");
  return value;
}

std::string ScalarKernel::load(ScalarType type, int slot) {
  std::string at = place(slot), value = fresh(), t = stored(type);
  line(value + " = simt.load %" + t + "[" + at + " : i64] : memref<?x" + t + "> -> " + t);
  if (type != ScalarType::Index)
    return value;
  std::string cast = fresh();
  line(cast + " = arith.index_cast " + value + " : i64 to index");
  return cast;
}

void ScalarKernel::store(std::string value, ScalarType type, int slot) {
  if (type == ScalarType::Index) {
    std::string cast = fresh();
    line(cast + " = arith.index_cast " + value + " : index to i64");
    value = cast;
  }
  std::string at = place(slot), t = stored(type);
  line("simt.store " + value + ", %" + t + "[" + at + " : i64] : " + t + ", memref<?x" + t + ">");
}

void ScalarKernel::apply(const std::string &expression, Result result) {
  std::string value = fresh();
  line(value + " = " + expression);
  result.slot = kFirstResult + static_cast<int>(all.size());
  store(value, result.result, result.slot);
  all.push_back(result);
}

static bool isDivision(BinaryOp op) {
  switch (op) {
  case BinaryOp::DivSI:
  case BinaryOp::DivUI:
  case BinaryOp::CeilDivSI:
  case BinaryOp::CeilDivUI:
  case BinaryOp::FloorDivSI:
  case BinaryOp::RemSI:
  case BinaryOp::RemUI:
    return true;
  default:
    return false;
  }
}

void ScalarKernel::addOperation(const ScalarOpInfo &info, ScalarType type, const std::string &flags) {
  static constexpr const char *kInteger[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
  static constexpr const char *kReal[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                          "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  std::string op(info.name), t = spelled(type);
  auto same = [&](const std::string &expression) { apply(expression, {&info, 0, type, type, 0}); };
  switch (info.kind) {
  case OpKind::Unary:
    return apply(op + " " + load(type, 0) + flags + " : " + t,
                 {&info, 0, type, resultType(static_cast<UnaryOp>(info.code), type), 0});
  case OpKind::Binary: {
    auto code = static_cast<BinaryOp>(info.code);
    bool isPower = code == BinaryOp::FPowI;
    std::string a = load(type, 0);
    std::string b = load(isPower ? ScalarType::I32 : type, isDivision(code) ? kDivisorSlot : 1);
    return same(op + " " + a + ", " + b + flags + " : " + t + (isPower ? ", i32" : ""));
  }
  case OpKind::Ternary: {
    bool isSelect = static_cast<TernaryOp>(info.code) == TernaryOp::Select;
    std::string a = load(isSelect ? ScalarType::I1 : type, 0), b = load(type, 1), c = load(type, 2);
    return same(op + " " + a + ", " + b + ", " + c + " : " + t);
  }
  case OpKind::Cast:
    for (ScalarType to : kTypes)
      if (isSupported(info.name, type, to))
        apply(op + " " + load(type, 0) + " : " + t + " to " + spelled(to), {&info, 0, type, to, 0});
    return;
  case OpKind::CompareI:
  case OpKind::CompareF:
    for (int i = 0; i < (info.kind == OpKind::CompareF ? 16 : 10); ++i) {
      const char *predicate = info.kind == OpKind::CompareF ? kReal[i] : kInteger[i];
      std::string a = load(type, 0), b = load(type, 1);
      apply(op + " " + predicate + ", " + a + ", " + b + " : " + t, {&info, i, type, ScalarType::I1, 0});
    }
    return;
  case OpKind::Constant: // see ExpressionTest
    return;
  }
}

void ScalarKernel::addConversions(ScalarType from) {
  for (ScalarType to : kTypes)
    apply("simt.convert " + load(from, 0) + " : " + spelled(from) + " to " + spelled(to), {nullptr, 0, from, to, 0});
}

void ScalarKernel::addShuffles(ScalarType type) {
  for (const char *mode : {"xor", "up", "down", "idx"}) {
    std::string lane = load(ScalarType::I32, 1);
    apply(std::string("simt.shuffle ") + mode + " " + load(type, 0) + ", " + lane + " : " + spelled(type) + ", i32",
          {nullptr, 0, type, type, 0});
  }
}

std::string ScalarKernel::module(int threads) const {
  std::string parameters, attributes;
  int number = 0;
  for (ScalarType type : bufferTypes()) {
    parameters += std::string(number ? ", " : "") + "%" + spelled(type) + ": memref<?x" + spelled(type) + ">";
    attributes += std::string(number ? ", " : "") + "#simt.parameter<tensor " + std::to_string(number) + ">";
    ++number;
  }
  return "simt.kernel @k(" + parameters + ") grid() in affine_map<() -> ()> threads(" + std::to_string(threads) +
         ") attributes {source = \"k\", requirements = [], parameters = [" + attributes + "]} {\n" + body + "}\n";
}

} // namespace tile::cuda
