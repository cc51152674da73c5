// Probe.cpp - the list of operations, their inputs, and the comparison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Probe.h"

#include "tile/Support/Conversion.h"
#include "tile/Support/FloatFormat.h"
#include "tile/Support/Literal.h"
#include "tile/Support/Numerics.h"
#include "tile/Support/OpTable.h"

#include <algorithm>
#include <cmath>

namespace tile {

static const ScalarType kTypes[] = {ScalarType::I1,  ScalarType::I8,       ScalarType::I16,   ScalarType::I32,
                                    ScalarType::I64, ScalarType::F16,      ScalarType::BF16,  ScalarType::F32,
                                    ScalarType::F64, ScalarType::F8E4M3FN, ScalarType::F8E5M2};

/// Functions the card computes with approximations of its own; everything else is IEEE.
static bool isTranscendental(std::string_view name) {
  for (std::string_view exact : {"absf", "ceil", "floor", "round", "roundeven", "trunc", "sqrt", "copysign", "fma",
                                 "isnan", "isinf", "isfinite", "isnormal", "absi", "ctlz", "cttz", "ctpop"})
    if (name == "math." + std::string(exact))
      return false;
  return name.substr(0, 5) == "math.";
}

static std::string text(ScalarType type) {
  return std::string(name(type));
}

static Probe elementwise(const ScalarOpInfo &info, ScalarType type, int operands) {
  Probe probe;
  probe.name = std::string(info.name);
  probe.operands.assign(operands, type);
  probe.result = type;
  probe.mustBeExact = !isTranscendental(info.name);
  probe.body = "%r = " + probe.name + " %x0";
  for (int i = 1; i < operands; ++i)
    probe.body += ", %x" + std::to_string(i);
  probe.body += " : " + text(type);
  return probe;
}

static void addElementwise(const ScalarOpInfo &info, std::vector<Probe> &probes) {
  for (ScalarType type : kTypes) {
    if (!isSupported(info.name, type, type) || info.name == "math.fpowi" || info.name == "arith.select")
      continue;
    if (info.kind == OpKind::Unary) {
      auto op = static_cast<UnaryOp>(info.code);
      Probe probe = elementwise(info, type, 1);
      probe.result = resultType(op, type);
      probe.reference = [op, type](const uint64_t *x) { return evaluate(op, type, x[0]); };
      probes.push_back(std::move(probe));
    } else if (info.kind == OpKind::Binary) {
      auto op = static_cast<BinaryOp>(info.code);
      Probe probe = elementwise(info, type, 2);
      probe.reference = [op, type](const uint64_t *x) { return evaluate(op, type, x[0], x[1]); };
      probes.push_back(std::move(probe));
    } else if (info.kind == OpKind::Ternary) {
      auto op = static_cast<TernaryOp>(info.code);
      Probe probe = elementwise(info, type, 3);
      probe.reference = [op, type](const uint64_t *x) { return evaluate(op, type, x[0], x[1], x[2]); };
      probes.push_back(std::move(probe));
    }
  }
}

static void addCasts(const ScalarOpInfo &info, std::vector<Probe> &probes) {
  auto op = static_cast<CastOp>(info.code);
  for (ScalarType from : kTypes)
    for (ScalarType to : kTypes) {
      if (!isSupported(op, from, to))
        continue;
      Probe probe;
      probe.name = std::string(info.name) + " to " + text(to);
      probe.operands = {from};
      probe.result = to;
      probe.body = "%r = " + std::string(info.name) + " %x0 : " + text(from) + " to " + text(to);
      probe.reference = [op, from, to](const uint64_t *x) { return evaluate(op, from, to, x[0]); };
      probes.push_back(std::move(probe));
    }
}

std::vector<Probe> allProbes() {
  std::vector<Probe> probes;
  for (const ScalarOpInfo &info : scalarOps())
    info.kind == OpKind::Cast ? addCasts(info, probes) : addElementwise(info, probes);
  for (ScalarType from : kTypes)
    for (ScalarType to : kTypes) {
      if (from == to)
        continue;
      Probe probe;
      probe.name = "cast to " + text(to);
      probe.operands = {from};
      probe.result = to;
      probe.reference = [from, to](const uint64_t *x) { return convert(from, to, x[0]); };
      probes.push_back(std::move(probe));
    }
  return probes;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// A counter-based generator: element i depends on i alone.
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

static uint64_t maskOf(ScalarType type) {
  int bits = bitWidth(type);
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

/// Bit patterns: all kinds of floats and integers, with a share of moderate values and of corners.
static uint64_t sample(ScalarType type, uint64_t i) {
  uint64_t random = mix(i);
  if (isFloat(type) && i % 4 == 1)
    return fromDouble(type, std::ldexp(static_cast<double>(static_cast<int64_t>(random)), -60));
  if (i % 8 == 3)
    return (uint64_t(0) - (random % 5)) & maskOf(type);
  if (i % 8 == 5)
    return ((maskOf(type) >> 1) + random % 3) & maskOf(type);
  return random & maskOf(type);
}

std::vector<std::vector<uint64_t>> inputsOf(const Probe &probe, int64_t count) {
  std::vector<std::vector<uint64_t>> inputs(probe.operands.size());
  bool isExhaustive = probe.operands.size() == 1 && bitWidth(probe.operands[0]) <= 16;
  if (isExhaustive)
    count = int64_t(1) << bitWidth(probe.operands[0]);
  // One operand of 32 bits: patterns at equal distances, so that all signs and exponents take part.
  bool isEven = probe.operands.size() == 1 && bitWidth(probe.operands[0]) == 32;
  for (size_t operand = 0; operand < inputs.size(); ++operand) {
    inputs[operand].resize(count);
    for (int64_t i = 0; i < count; ++i)
      inputs[operand][i] = isExhaustive ? i
                           : isEven     ? i * ((int64_t(1) << 32) / count)
                                        : sample(probe.operands[operand], mix(i * 3 + operand));
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// How many values of the type lie between two of its values.
static double distance(ScalarType type, uint64_t a, uint64_t b) {
  uint64_t sign = uint64_t(1) << (bitWidth(type) - 1);
  auto magnitude = [&](uint64_t bits) { return bits & ~sign; };
  if ((a & sign) != (b & sign))
    return static_cast<double>(magnitude(a)) + static_cast<double>(magnitude(b));
  uint64_t x = magnitude(a), y = magnitude(b);
  return static_cast<double>(x > y ? x - y : y - x);
}

Outcome compare(const Probe &probe, const std::vector<std::vector<uint64_t>> &operands,
                const std::vector<uint64_t> &results) {
  Outcome outcome;
  ScalarType type = probe.result;
  for (size_t i = 0; i < results.size(); ++i) {
    uint64_t values[3] = {};
    for (size_t operand = 0; operand < operands.size(); ++operand)
      values[operand] = operands[operand][i];
    std::optional<uint64_t> expected = probe.reference(values);
    if (!expected)
      continue;
    ++outcome.inputs;
    uint64_t got = results[i];
    bool bothNan = isFloat(type) && floatFormat(type).isNan(got) && floatFormat(type).isNan(*expected);
    if (got == *expected || bothNan)
      continue;
    ++outcome.wrong;
    double ulps = 1e30, relative = 1e30;
    if (isFloat(type) && !floatFormat(type).isNan(got) && !floatFormat(type).isNan(*expected)) {
      ulps = distance(type, got, *expected);
      double want = toDouble(type, *expected);
      relative = std::isfinite(want) && want != 0 ? std::fabs((toDouble(type, got) - want) / want) : 1e30;
    }
    if (ulps > outcome.largestUlps || outcome.worst.empty()) {
      outcome.largestUlps = std::max(ulps, outcome.largestUlps);
      outcome.worst.clear();
      for (size_t operand = 0; operand < operands.size(); ++operand)
        outcome.worst += toText(probe.operands[operand], values[operand]) + " ";
      outcome.worst += "-> got " + toText(type, got) + ", expected " + toText(type, *expected);
    }
    if (relative < 1e30)
      outcome.largestRelative = std::max(outcome.largestRelative, relative);
  }
  return outcome;
}

} // namespace tile
