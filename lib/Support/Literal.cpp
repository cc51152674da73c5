// Literal.cpp - values as C literals and as text for people, and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Literal.h"

#include "tile/Support/Conversion.h"
#include "tile/Support/FloatFormat.h"
#include "tile/Support/Numerics.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace tile {

template <typename Number, typename... Format> static std::string render(Number value, Format... format) {
  char buffer[512]; // the longest is a fixed f64 below 1e7; shortest forms are far shorter
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, format...);
  return error == std::errc() ? std::string(buffer, end) : "?";
}

static std::string hex(uint64_t bits, int digits) {
  std::string text = render(bits, 16);
  return "0x" + std::string(text.size() < static_cast<size_t>(digits) ? digits - text.size() : 0, '0') + text;
}

static std::string integerLiteral(ScalarType type, uint64_t bits) {
  if (type == ScalarType::I1)
    return (bits & 1) != 0 ? "true" : "false";
  std::string suffix = bitWidth(type) == 64 ? "ll" : "";
  // In C a minus sign is an operator: the magnitude of the lowest i32 or i64 fits no signed literal.
  if (bitWidth(type) >= 32 && bits == lowestInteger(type))
    return "(" + render(signedValue(type, bits) + 1) + suffix + " - 1)";
  return render(signedValue(type, bits)) + suffix;
}

/// A finite f32 or f64: decimal where a few digits are the exact value, else hexadecimal.
template <typename Float> static std::string finiteLiteral(Float value, const char *suffix) {
  Float magnitude = std::fabs(value);
  std::string sign = std::signbit(value) ? "-" : "";
  if (magnitude < Float(1e6) && magnitude * 1024 == std::trunc(magnitude * 1024)) {
    std::string text = render(magnitude, std::chars_format::fixed);
    return sign + text + (text.find('.') == std::string::npos ? ".0" : "") + suffix;
  }
  return sign + "0x" + render(magnitude, std::chars_format::hex) + suffix;
}

std::string cLiteral(ScalarType type, uint64_t bits) {
  switch (type) {
  case ScalarType::F32: {
    float value = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (std::isfinite(value))
      return finiteLiteral(value, "f");
    bool isNegative = (bits & floatFormat(type).signBit()) != 0;
    return std::string("__int_as_float(") + (isNegative ? "(int)" : "") + hex(bits, 8) + (isNegative ? "u)" : ")");
  }
  case ScalarType::F64: {
    double value = std::bit_cast<double>(bits);
    if (std::isfinite(value))
      return finiteLiteral(value, "");
    bool isNegative = (bits & floatFormat(type).signBit()) != 0;
    return std::string("__longlong_as_double(") + (isNegative ? "(long long)" : "") + hex(bits, 16) +
           (isNegative ? "ull)" : "ll)");
  }
  default:
    return isFloat(type) ? hex(bits, bitWidth(type) / 4) : integerLiteral(type, bits);
  }
}

std::string toText(ScalarType type, uint64_t bits) {
  if (!isFloat(type))
    return type == ScalarType::I1 ? integerLiteral(type, bits) : render(signedValue(type, bits));
  FloatFormat format = floatFormat(type);
  if (format.isNan(bits))
    return "nan";
  if (format.isInfinity(bits))
    return (bits & format.signBit()) != 0 ? "-inf" : "inf";
  double value = toDouble(type, bits);
  if (type == ScalarType::F64)
    return render(value);
  if (type == ScalarType::F32)
    return render(static_cast<float>(value));
  if (std::fabs(value) < 1e6 && value == std::trunc(value))
    return render(value, std::chars_format::fixed);
  double shortest = value;
  for (int digits = 1; digits < 17; ++digits) {
    shortest = std::strtod(render(value, std::chars_format::general, digits).c_str(), nullptr);
    if (fromDouble(type, shortest) == bits)
      break;
  }
  return render(shortest);
}

static Error notANumber(ScalarType type, std::string_view text) {
  return Error{"found '" + std::string(text) + "'; " + std::string(name(type)) + " takes a number"};
}

static Result<uint64_t> parseInteger(ScalarType type, std::string_view text) {
  std::string_view digits = text;
  bool isNegative = digits.starts_with('-');
  if (isNegative || digits.starts_with('+'))
    digits.remove_prefix(1);
  bool isHex = digits.starts_with("0x") || digits.starts_with("0X");
  if (isHex)
    digits.remove_prefix(2);
  uint64_t magnitude = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, isHex ? 16 : 10);
  if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument)
    return Error{"found '" + std::string(text) + "'; " + std::string(name(type)) + " takes a whole number"};
  uint64_t limit = isNegative ? lowestInteger(type) : wrap(type, ~uint64_t(0));
  if (error == std::errc::result_out_of_range || magnitude > limit)
    return Error{"found '" + std::string(text) + "'; " + std::string(name(type)) + " reaches from " +
                 render(signedValue(type, lowestInteger(type))) + " to " + render(wrap(type, ~uint64_t(0)))};
  return wrap(type, isNegative ? -magnitude : magnitude);
}

Result<uint64_t> parseValue(ScalarType type, std::string_view text) {
  if (type == ScalarType::I1 && (text == "true" || text == "false"))
    return uint64_t(text == "true");
  if (!isFloat(type))
    return parseInteger(type, text);
  std::string copy(text);
  bool startsWell = !copy.empty() && (std::isalnum(static_cast<unsigned char>(copy[0])) || copy[0] == '-' ||
                                      copy[0] == '+' || copy[0] == '.');
  if (!startsWell || copy.find('\0') != std::string::npos)
    return notANumber(type, text);
  char *end = nullptr;
  double value =
      type == ScalarType::F32 ? static_cast<double>(std::strtof(copy.c_str(), &end)) : std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size())
    return notANumber(type, text);
  return fromDouble(type, value);
}

} // namespace tile
