// OperationsTest.cpp - every scalar operation on every type, through a kernel, against the scalar library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Simulator/Harness.h"

#include "tile/Support/Conversion.h"
#include "tile/Support/Numerics.h"
#include "tile/Support/OpTable.h"

#include <functional>

using namespace tile;
using namespace tile::simt;

static const ScalarType kTypes[] = {ScalarType::I1,  ScalarType::I8,    ScalarType::I16,      ScalarType::I32,
                                    ScalarType::I64, ScalarType::F16,   ScalarType::BF16,     ScalarType::F32,
                                    ScalarType::F64, ScalarType::Index, ScalarType::F8E4M3FN, ScalarType::F8E5M2};

/// Full warps and a partial one.
static constexpr int kThreads = 110;

/// Bit patterns of a type: the edges, then anything.
static std::vector<uint64_t> patterns(ScalarType type, uint64_t seed) {
  std::vector<uint64_t> values;
  uint64_t state = seed * 2654435761u + 17;
  for (int i = 0; i < kThreads; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t bits = state ^ state >> 29;
    if (i % 5 == 0 && isFloat(type))
      bits = fromDouble(type, static_cast<double>(static_cast<int>(state >> 40) % 64) / 8);
    else if (i % 5 == 0)
      bits = static_cast<uint64_t>(static_cast<int64_t>(state >> 60) - 8);
    values.push_back(wrap(type, bits));
  }
  const uint64_t edges[] = {0, 1, ~uint64_t(0), lowestInteger(type), highestInteger(type)};
  for (size_t i = 0; i < std::size(edges); ++i)
    values[(seed * 13 + i * 7) % kThreads] = wrap(type, edges[i]);
  return values;
}

/// An index lives in memory as i64.
static ScalarType memoryType(ScalarType type) {
  return type == ScalarType::Index ? ScalarType::I64 : type;
}

static std::string nameOf(ScalarType type) {
  return std::string(name(type));
}

/// Runs `%r = op` on operands %x0, %x1, … of these types and values; `op` is text in generic form.
static std::vector<uint64_t> runOperation(const std::string &op, const std::vector<ScalarType> &types,
                                          const std::vector<std::vector<uint64_t>> &values, ScalarType result) {
  Bench bench;
  bench.threads = kThreads;
  bench.body = "%t = simt.thread_id : index\n";
  auto add = [&](size_t number, ScalarType type, const std::vector<uint64_t> *from) {
    std::string n = std::to_string(number), memory = nameOf(memoryType(type));
    HostTensor tensor = HostTensor::contiguous(memoryType(type), {kThreads});
    for (int t = 0; from && t < kThreads; ++t)
      tensor.store(t, (*from)[t]);
    bench.arguments.push_back(tensor);
    bench.parameters += (number ? ", %a" : "%a") + n + ": memref<?x" + memory + ">";
    bench.kinds += (number ? ", tensor " : "tensor ") + n;
    return tensor;
  };
  for (size_t i = 0; i < types.size(); ++i) {
    add(i, types[i], &values[i]);
    std::string n = std::to_string(i), memory = nameOf(memoryType(types[i])), loaded = "%x" + n;
    bool isIndex = types[i] == ScalarType::Index;
    bench.body += (isIndex ? "%m" + n : loaded) + " = simt.load %a" + n + "[%t : index] : memref<?x" + memory +
                  "> -> " + memory + "\n";
    if (isIndex)
      bench.body += loaded + " = arith.index_cast %m" + n + " : i64 to index\n";
  }
  HostTensor out = add(types.size(), result, nullptr);
  std::string n = std::to_string(types.size()), memory = nameOf(memoryType(result));
  bench.body += "%r = " + op + "\n";
  bool isIndex = result == ScalarType::Index;
  if (isIndex)
    bench.body += "%ri = arith.index_cast %r : index to i64\n";
  bench.body += std::string("simt.store ") + (isIndex ? "%ri" : "%r") + ", %a" + n + "[%t : index] : " + memory +
                ", memref<?x" + memory + ">";
  EXPECT_EQ(bench.fault(), "") << bench.body;
  std::vector<uint64_t> got;
  for (int t = 0; t < kThreads; ++t)
    got.push_back(out.load(t));
  return got;
}

/// The generic form of an operation on %x0, ….
static std::string generic(std::string_view name, const std::vector<ScalarType> &types, ScalarType result,
                           const std::string &properties = "") {
  std::string text = "\"" + std::string(name) + "\"(", signature;
  for (size_t i = 0; i < types.size(); ++i) {
    text += (i ? ", %x" : "%x") + std::to_string(i);
    signature += (i ? ", " : "") + nameOf(types[i]);
  }
  return text + ")" + properties + " : (" + signature + ") -> " + nameOf(result);
}

/// Compares a kernel with `reference` on each thread's operands.
static void check(const std::string &op, const std::vector<ScalarType> &types,
                  const std::vector<std::vector<uint64_t>> &values, ScalarType result,
                  const std::function<uint64_t(int)> &reference) {
  std::vector<uint64_t> got = runOperation(op, types, values, result);
  for (int t = 0; t < kThreads; ++t)
    ASSERT_EQ(got[t], reference(t)) << op << " on thread " << t << ", first operand " << values[0][t];
}

/// Unary operations, the classifications included.
TEST(Operations, Unary) {
  for (const ScalarOpInfo &row : scalarOps())
    for (ScalarType type : kTypes)
      if (row.kind == OpKind::Unary && row.types.contains(type)) {
        auto op = static_cast<UnaryOp>(row.code);
        std::vector<uint64_t> a = patterns(type, 1);
        check(generic(row.name, {type}, resultType(op, type)), {type}, {a}, resultType(op, type),
              [&](int t) { return evaluate(op, type, a[t]); });
      }
}

/// Binary operations; operands that fault are replaced.
TEST(Operations, Binary) {
  for (const ScalarOpInfo &row : scalarOps())
    for (ScalarType type : kTypes)
      if (row.kind == OpKind::Binary && row.types.contains(type)) {
        auto op = static_cast<BinaryOp>(row.code);
        ScalarType right = op == BinaryOp::FPowI ? ScalarType::I32 : type;
        std::vector<uint64_t> a = patterns(type, 2), b = patterns(right, 3);
        for (int t = 0; t < kThreads; ++t)
          if (!evaluate(op, type, a[t], b[t]))
            a[t] = 0, b[t] = 1;
        check(generic(row.name, {type, right}, type), {type, right}, {a, b}, type,
              [&](int t) { return *evaluate(op, type, a[t], b[t]); });
      }
}

/// fma and select.
TEST(Operations, Ternary) {
  for (const ScalarOpInfo &row : scalarOps())
    for (ScalarType type : kTypes)
      if (row.kind == OpKind::Ternary && row.types.contains(type)) {
        auto op = static_cast<TernaryOp>(row.code);
        ScalarType first = op == TernaryOp::Select ? ScalarType::I1 : type;
        std::vector<uint64_t> a = patterns(first, 4), b = patterns(type, 5), c = patterns(type, 6);
        check(generic(row.name, {first, type, type}, type), {first, type, type}, {a, b, c}, type,
              [&](int t) { return evaluate(op, type, a[t], b[t], c[t]); });
      }
}

/// Comparisons by every predicate; some operands are equal.
TEST(Operations, Compare) {
  for (ScalarType type : kTypes) {
    bool isReal = isFloat(type);
    std::string_view name = isReal ? "arith.cmpf" : "arith.cmpi";
    if (!isSupported(name, type, ScalarType::I1))
      continue;
    std::vector<uint64_t> a = patterns(type, 7), b = patterns(type, 8);
    for (int t = 0; t < kThreads; t += 3)
      b[t] = a[t];
    for (int predicate = 0; predicate < (isReal ? 16 : 10); ++predicate) {
      auto op = static_cast<CompareOp>(predicate + (isReal ? static_cast<int>(CompareOp::FFalse) : 0));
      std::string properties = " <{predicate = " + std::to_string(predicate) + " : i64}>";
      check(generic(name, {type, type}, ScalarType::I1, properties), {type, type}, {a, b}, ScalarType::I1,
            [&](int t) { return evaluate(op, type, a[t], b[t]) ? 1 : 0; });
    }
  }
}

/// Casts between all pairs the language has.
TEST(Operations, Casts) {
  for (const ScalarOpInfo &row : scalarOps())
    for (ScalarType from : kTypes)
      for (ScalarType to : kTypes)
        if (row.kind == OpKind::Cast && isSupported(static_cast<CastOp>(row.code), from, to)) {
          auto op = static_cast<CastOp>(row.code);
          std::vector<uint64_t> a = patterns(from, 9);
          check(generic(row.name, {from}, to), {from}, {a}, to, [&](int t) { return evaluate(op, from, to, a[t]); });
        }
}

/// simt.convert between all pairs, by the published table.
TEST(Operations, Convert) {
  for (ScalarType from : kTypes)
    for (ScalarType to : kTypes) {
      std::vector<uint64_t> a = patterns(from, 10);
      check("simt.convert %x0 : " + nameOf(from) + " to " + nameOf(to), {from}, {a}, to,
            [&](int t) { return convert(from, to, a[t]); });
    }
}

/// Constants of every type reach every lane.
TEST(Operations, Constants) {
  for (ScalarType type : kTypes) {
    std::string text = isFloat(type) ? "1.5" : type == ScalarType::I1 ? "true" : "-3";
    uint64_t bits = isFloat(type) ? fromDouble(type, 1.5) : type == ScalarType::I1 ? 1 : wrap(type, -3);
    std::string op = "arith.constant " + text + (type == ScalarType::I1 ? "" : " : " + nameOf(type));
    std::vector<uint64_t> unused = patterns(ScalarType::I8, 11);
    check(op, {ScalarType::I8}, {unused}, type, [&](int) { return bits; });
  }
}
