// Compare.cpp - results against what was expected.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Compare.h"

#include "Arguments.h"
#include "tile/Support/FloatFormat.h"
#include "tile/Support/Literal.h"
#include "tile/Support/Numerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <cmath>

namespace tile::run {

Liberties libertiesOf(KernelOp kernel) {
  auto all = mlir::arith::FastMathFlags::none;
  if (mlir::arith::FastMathFlagsAttr flags = kernel.getFastmathAttr())
    all = all | flags.getValue();
  kernel.walk([&](mlir::arith::ArithFastMathInterface op) {
    if (mlir::arith::FastMathFlagsAttr flags = op.getFastMathFlagsAttr())
      all = all | flags.getValue();
  });
  auto has = [&](mlir::arith::FastMathFlags flag) { return mlir::arith::bitEnumContainsAll(all, flag); };
  return {has(mlir::arith::FastMathFlags::contract),
          has(mlir::arith::FastMathFlags::afn) || has(mlir::arith::FastMathFlags::arcp)};
}

/// Fused, a product of up to 64 in magnitude misses one rounding. The worst approximation is that of tanh, 2^-11; near
/// a zero of the logarithm, the sine or the cosine the error is absolute.
static Tolerance widened(Tolerance tolerance, ScalarType type, Liberties liberties) {
  if (liberties.contracts)
    tolerance.absolute = std::max(tolerance.absolute, std::ldexp(64, -(floatFormat(type).mantissaBits + 1)));
  if (liberties.approximates) {
    tolerance.relative = std::max(tolerance.relative, 0x1p-10);
    tolerance.absolute = std::max(tolerance.absolute, 0x1p-18);
  }
  return tolerance;
}

Tolerance toleranceOf(ScalarType type, Liberties liberties, std::optional<double> relative,
                      std::optional<double> absolute) {
  Tolerance tolerance;
  switch (type) {
  case ScalarType::F64:
    tolerance = {1e-12, 1e-12};
    break;
  case ScalarType::F32:
    tolerance = {1e-5, 1e-6};
    break;
  case ScalarType::F16:
    tolerance = {1e-2, 1e-3};
    break;
  case ScalarType::BF16:
    tolerance = {2e-2, 1e-2};
    break;
  case ScalarType::F8E4M3FN:
  case ScalarType::F8E5M2:
    tolerance = {0.125, 0.125};
    break;
  default:
    return {0, 0};
  }
  tolerance = widened(tolerance, type, liberties);
  return {relative.value_or(tolerance.relative), absolute.value_or(tolerance.absolute)};
}

static bool isRight(ScalarType type, uint64_t got, uint64_t expected, Tolerance tolerance) {
  if (got == expected)
    return true;
  if (!isFloat(type))
    return false;
  double g = toDouble(type, got), e = toDouble(type, expected);
  if (std::isnan(g) && std::isnan(e))
    return true;
  // Infinities of one sign have equal bits; any other pair with one is wrong, however wide the tolerance.
  if (!std::isfinite(g) || !std::isfinite(e))
    return false;
  return std::abs(g - e) <= tolerance.absolute + tolerance.relative * std::abs(e);
}

static double errorOf(ScalarType type, uint64_t got, uint64_t expected) {
  if (isFloat(type)) {
    double error = std::abs(toDouble(type, got) - toDouble(type, expected));
    return std::isfinite(error) ? error : 0;
  }
  return std::abs(static_cast<double>(static_cast<__int128>(signedValue(type, got)) - signedValue(type, expected)));
}

/// "[3, 5]": the index of the element that stands at `number` in row-major order.
static std::string indexText(const std::vector<int64_t> &shape, int64_t number) {
  std::string text;
  for (size_t dim = shape.size(); dim-- > 0;) {
    text = std::to_string(number % shape[dim]) + (text.empty() ? "" : ", ") + text;
    number /= shape[dim];
  }
  return "[" + text + "]";
}

Outcome compare(const std::string &name, const HostTensor &got, const HostTensor &expected, Tolerance tolerance) {
  std::vector<uint64_t> wanted;
  wanted.reserve(expected.numElements());
  forEachElement(expected, [&](int64_t offset) { wanted.push_back(expected.load(offset)); });
  Outcome result;
  int64_t number = 0;
  forEachElement(got, [&](int64_t offset) {
    uint64_t bits = got.load(offset), want = wanted[number];
    result.maxError = std::max(result.maxError, errorOf(got.type, bits, want));
    if (!isRight(got.type, bits, want, tolerance) && result.wrong++ == 0)
      result.firstDifference = name + indexText(got.shape, number) + ": got " + toText(got.type, bits) + ", expected " +
                               toText(got.type, want);
    ++number;
  });
  return result;
}

NpyArray toArray(const HostTensor &tensor) {
  NpyArray array{std::string(npyType(tensor.type)), tensor.shape, {}};
  int64_t size = byteSize(tensor.type);
  array.data.resize(tensor.numElements() * size);
  uint8_t *next = array.data.data();
  forEachElement(tensor, [&](int64_t offset) {
    storeBits(tensor.type, next, tensor.load(offset));
    next += size;
  });
  return array;
}

HostTensor toTensor(const NpyArray &array, ScalarType type) {
  HostTensor tensor = HostTensor::contiguous(type, array.shape);
  int64_t index = 0;
  forEachElement(tensor, [&](int64_t offset) {
    tensor.store(offset, loadBits(type, array.data.data() + byteSize(type) * index++));
  });
  return tensor;
}

} // namespace tile::run
