// ScalarTableTest.cpp - every operation of the support table on every type has text that NVRTC takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitterTest.h"

#include "tile/Support/OpTable.h"

#include "llvm/ADT/StringExtras.h"

namespace tile::cuda {

static constexpr ScalarType kTypes[] = {ScalarType::I1,  ScalarType::I8,    ScalarType::I16,      ScalarType::I32,
                                        ScalarType::I64, ScalarType::Index, ScalarType::BF16,     ScalarType::F16,
                                        ScalarType::F32, ScalarType::F64,   ScalarType::F8E4M3FN, ScalarType::F8E5M2};

static std::string spelled(ScalarType type) {
  return std::string(name(type));
}

/// The element type of the buffer a value of that type is loaded from: an index has none of its own.
static std::string stored(ScalarType type) {
  return type == ScalarType::Index ? "i64" : spelled(type);
}

namespace {
/// Writes a kernel that loads operands, applies operations and stores every result.
class KernelText {
public:
  /// A value of that type, loaded.
  std::string load(ScalarType type) {
    std::string value = fresh();
    line(value + " = simt.load %" + stored(type) + "[%i : i64] : memref<?x" + stored(type) + "> -> " + stored(type));
    if (type != ScalarType::Index)
      return value;
    std::string cast = fresh();
    line(cast + " = arith.index_cast " + value + " : i64 to index");
    return cast;
  }

  void store(std::string value, ScalarType type) {
    if (type == ScalarType::Index) {
      std::string cast = fresh();
      line(cast + " = arith.index_cast " + value + " : index to i64");
      value = cast;
    }
    line("simt.store " + value + ", %" + stored(type) + "[%i : i64] : " + stored(type) + ", memref<?x" + stored(type) +
         ">");
  }

  /// Applies the operation `expression` (all after the `=`) and stores its result.
  void apply(const std::string &expression, ScalarType result) {
    std::string value = fresh();
    line(value + " = " + expression);
    store(value, result);
  }

  std::string module() const {
    std::string parameters, attributes;
    unsigned number = 0;
    for (ScalarType type : kTypes)
      if (type != ScalarType::Index) {
        parameters += "%" + stored(type) + ": memref<?x" + stored(type) + ">, ";
        attributes += "#simt.parameter<tensor " + std::to_string(number++) + ">, ";
      }
    return "simt.kernel @k(" + parameters +
           "%i: i64) grid() in affine_map<() -> ()> threads(32) attributes {source = "
           "\"k\", requirements = [], parameters = [" +
           attributes + "#simt.parameter<symbol 0>]} {\n" + body + "}\n";
  }

private:
  std::string fresh() { return "%v" + std::to_string(count++); }
  void line(const std::string &text) { body += "  " + text + "\n"; }

  std::string body;
  unsigned count = 0;
};
} // namespace

static void addRow(KernelText &kernel, const ScalarOpInfo &info, ScalarType type, const std::string &flags = "") {
  std::string op(info.name), t = spelled(type);
  switch (info.kind) {
  case OpKind::Unary: {
    std::string a = kernel.load(type);
    ScalarType result = resultType(static_cast<UnaryOp>(info.code), type);
    kernel.apply(op + " " + a + flags + " : " + t, result);
    return;
  }
  case OpKind::Binary: {
    bool isPower = static_cast<BinaryOp>(info.code) == BinaryOp::FPowI;
    std::string a = kernel.load(type), b = kernel.load(isPower ? ScalarType::I32 : type);
    kernel.apply(op + " " + a + ", " + b + flags + " : " + t + (isPower ? ", i32" : ""), type);
    return;
  }
  case OpKind::Ternary: {
    bool isSelect = static_cast<TernaryOp>(info.code) == TernaryOp::Select;
    std::string a = kernel.load(isSelect ? ScalarType::I1 : type), b = kernel.load(type), c = kernel.load(type);
    kernel.apply(op + " " + a + ", " + b + ", " + c + " : " + t, type);
    return;
  }
  case OpKind::Cast:
    for (ScalarType to : kTypes)
      if (isSupported(info.name, type, to))
        kernel.apply(op + " " + kernel.load(type) + " : " + t + " to " + spelled(to), to);
    return;
  case OpKind::CompareI:
  case OpKind::CompareF: {
    const char *integer[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
    const char *real[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                          "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
    bool isReal = info.kind == OpKind::CompareF;
    for (int i = 0; i < (isReal ? 16 : 10); ++i) {
      std::string a = kernel.load(type), b = kernel.load(type);
      kernel.apply(op + " " + (isReal ? real[i] : integer[i]) + ", " + a + ", " + b + " : " + t, ScalarType::I1);
    }
    return;
  }
  case OpKind::Constant:
    for (const char *value : {"0", "1", "-1"}) {
      std::string text = type == ScalarType::I1 ? (value[0] == '0' ? "false" : "true")
                         : isFloat(type)        ? std::string(value) + ".0 : " + t
                                                : std::string(value) + " : " + t;
      kernel.apply(op + " " + text, type);
    }
    return;
  }
}

class ScalarTableTest : public EmitterTest, public testing::WithParamInterface<ScalarType> {};

// Each operation that the table lists for a type is emitted and compiled, with and without the approximations.
TEST_P(ScalarTableTest, EveryOperationCompiles) {
  KernelText kernel;
  unsigned rows = 0;
  for (const ScalarOpInfo &info : scalarOps()) {
    if (!info.types.contains(GetParam()))
      continue;
    addRow(kernel, info, GetParam());
    ++rows;
    bool isClass = info.name.starts_with("math.is");
    bool takesFlags = isFloat(GetParam()) && (info.kind == OpKind::Unary || info.kind == OpKind::Binary) && !isClass;
    if (takesFlags)
      for (const char *flags : {" fastmath<afn>", " fastmath<arcp>"})
        addRow(kernel, info, GetParam(), flags);
  }
  EXPECT_GE(rows, 3u);
  std::string text = emit(kernel.module());
  EXPECT_EQ(text.find("#include"), std::string::npos);
}

// `simt.convert` goes from each type to each other.
TEST_P(ScalarTableTest, ConvertsToEveryType) {
  KernelText kernel;
  for (ScalarType to : kTypes)
    kernel.apply("simt.convert " + kernel.load(GetParam()) + " : " + spelled(GetParam()) + " to " + spelled(to), to);
  emit(kernel.module());
}

// Loads, stores, moves and shuffles of the type compile, with all lanes and with a partial last warp.
TEST_P(ScalarTableTest, ShufflesInEveryMode) {
  KernelText kernel;
  for (const char *mode : {"xor", "up", "down", "idx"}) {
    std::string lane = kernel.load(ScalarType::I32);
    kernel.apply(std::string("simt.shuffle ") + mode + " " + kernel.load(GetParam()) + ", " + lane + " : " +
                     spelled(GetParam()) + ", i32",
                 GetParam());
  }
  std::string module = kernel.module();
  emit(module);
  for (const char *threads : {"threads(1)", "threads(48)"})
    emit(std::string(module).replace(module.find("threads(32)"), 11, threads));
}

INSTANTIATE_TEST_SUITE_P(Types, ScalarTableTest, testing::ValuesIn(kTypes),
                         [](const auto &info) { return spelled(info.param); });

} // namespace tile::cuda
