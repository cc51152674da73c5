// LayoutText.cpp - distributed layouts as text, and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayoutText.h"

#include <charconv>

namespace tile {

static bool isWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool isDigitChar(char c) {
  return c >= '0' && c <= '9';
}

std::string spell(Owner owner) {
  switch (owner) {
  case Owner::Register:
    return "reg";
  case Owner::Thread:
    return "thread";
  case Owner::Block:
    return "block";
  }
  return "?";
}

static std::string spell(int64_t radix, Owner owner, int64_t stride) {
  std::string text = std::to_string(radix) + " " + spell(owner);
  return stride == 1 ? text : text + " * " + std::to_string(stride);
}

std::string spell(const Digit &digit) {
  return spell(digit.radix, digit.owner, digit.stride);
}
std::string spell(const Spread &copy) {
  return spell(copy.radix, copy.owner, copy.stride);
}

void TextScanner::skipSpace() {
  while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r'))
    rest.remove_prefix(1);
}

bool TextScanner::tryTake(std::string_view token) {
  skipSpace();
  if (!rest.starts_with(token))
    return false;
  std::string_view behind = rest.substr(token.size());
  // 'x' joins extents and has a number right behind it; other words end where letters and digits do.
  if (isWordChar(token.back()) && token != "x" && !behind.empty() && (isWordChar(behind[0]) || isDigitChar(behind[0])))
    return false;
  rest = behind;
  return true;
}

bool TextScanner::take(std::string_view token) {
  return tryTake(token) || expected("'" + std::string(token) + "'");
}

bool TextScanner::takeNumber(int64_t &number) {
  skipSpace();
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error == std::errc::invalid_argument)
    return expected("a number");
  std::string_view token = rest.substr(0, end - rest.data());
  if (error != std::errc())
    return fail("the number " + std::string(token) + " does not fit into 64 bits");
  rest.remove_prefix(token.size());
  return true;
}

bool TextScanner::atEnd() {
  skipSpace();
  return rest.empty();
}

bool TextScanner::expected(const std::string &what) {
  skipSpace();
  if (rest.empty())
    return fail("expected " + what + ", found the end of the layout");
  return fail("expected " + what + ", found '" + std::string(rest.substr(0, 24)) + (rest.size() > 24 ? "…'" : "'"));
}

bool TextScanner::fail(std::string sentence) {
  if (message.empty())
    message = std::move(sentence);
  return false;
}

static bool scanExtents(TextScanner &scanner, Extents &extents) {
  if (scanner.tryTake("scalar"))
    return true;
  do {
    if (!scanner.takeNumber(extents.emplace_back()))
      return false;
  } while (scanner.tryTake("x"));
  return true;
}

/// `radix owner [* stride]`
static bool scanPosition(TextScanner &scanner, int64_t &radix, Owner &owner, int64_t &stride) {
  if (!scanner.takeNumber(radix))
    return false;
  if (scanner.tryTake("reg"))
    owner = Owner::Register;
  else if (scanner.tryTake("thread"))
    owner = Owner::Thread;
  else if (scanner.tryTake("block"))
    owner = Owner::Block;
  else
    return scanner.expected("'reg', 'thread' or 'block' after " + std::to_string(radix));
  stride = 1;
  return !scanner.tryTake("*") || scanner.takeNumber(stride);
}

static bool scanAxis(TextScanner &scanner, int axis, std::vector<Digit> &digits) {
  if (!scanner.take("("))
    return false;
  if (scanner.tryTake(")"))
    return true;
  std::vector<Digit> found;
  do {
    Digit digit;
    digit.axis = axis;
    if (!scanPosition(scanner, digit.radix, digit.owner, digit.stride))
      return false;
    found.push_back(digit);
  } while (scanner.tryTake(","));
  int64_t weight = 1;
  for (auto digit = found.rbegin(); digit != found.rend(); ++digit) {
    digit->weight = weight;
    digits.push_back(*digit);
    // A product that overflows is out of range for every later digit; any such number is refused by `get`.
    if (__builtin_mul_overflow(weight, digit->radix, &weight))
      weight = INT64_MAX;
  }
  return scanner.take(")");
}

static bool scanCopies(TextScanner &scanner, std::vector<Spread> &copies) {
  if (!scanner.take("("))
    return false;
  do {
    Spread copy;
    if (!scanPosition(scanner, copy.radix, copy.owner, copy.stride))
      return false;
    copies.push_back(copy);
  } while (scanner.tryTake(","));
  return scanner.take(")");
}

static bool scanOrigins(TextScanner &scanner, Coordinate &origins) {
  if (!scanner.take("("))
    return false;
  do {
    if (!scanner.takeNumber(origins.emplace_back()))
      return false;
  } while (scanner.tryTake(","));
  return scanner.take(")");
}

static bool scanClauses(TextScanner &scanner, LayoutParts &parts) {
  bool hasThreads = false, hasBlocks = false;
  while (!scanner.atEnd()) {
    if (!hasThreads && scanner.tryTake("threads")) {
      hasThreads = true;
      if (!scanner.takeNumber(parts.threads))
        return false;
    } else if (!hasBlocks && scanner.tryTake("blocks")) {
      hasBlocks = true;
      if (!scanner.takeNumber(parts.blocks))
        return false;
    } else if (parts.copies.empty() && scanner.tryTake("copies")) {
      if (!scanCopies(scanner, parts.copies))
        return false;
    } else if (parts.origins.empty() && scanner.tryTake("origins")) {
      if (!scanOrigins(scanner, parts.origins))
        return false;
    } else {
      return scanner.expected("one of 'threads', 'copies', 'blocks' and 'origins', each at most once");
    }
  }
  return hasThreads || scanner.expected("'threads'");
}

static bool scanLayout(TextScanner &scanner, LayoutParts &parts) {
  if (!scanExtents(scanner, parts.extents) || !scanner.take("=") || !scanner.take("["))
    return false;
  for (size_t a = 0; a < parts.extents.size(); ++a)
    if ((a > 0 && !scanner.take(",")) || !scanAxis(scanner, static_cast<int>(a), parts.digits))
      return false;
  return scanner.take("]") && scanClauses(scanner, parts);
}

std::optional<Layout> Layout::parse(std::string_view text, std::string *why) {
  TextScanner scanner(text);
  LayoutParts parts;
  if (scanLayout(scanner, parts))
    return get(std::move(parts), why);
  if (why)
    *why = scanner.failure();
  return std::nullopt;
}

std::string Layout::toString() const {
  std::string text = parts.extents.empty() ? "scalar" : "";
  for (int a = 0; a < rank(); ++a)
    text += (a ? "x" : "") + std::to_string(parts.extents[a]);
  text += " = [";
  for (int a = 0; a < rank(); ++a) {
    text += a ? ", (" : "(";
    std::span<const Digit> digits = axisDigits(a);
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit)
      text += (digit != digits.rbegin() ? ", " : "") + spell(*digit);
    text += ")";
  }
  text += "] threads " + std::to_string(parts.threads);
  for (const Spread &copy : parts.copies)
    text += (&copy == &parts.copies.front() ? " copies (" : ", ") + spell(copy);
  text += parts.copies.empty() ? "" : ")";
  if (parts.blocks != 1)
    text += " blocks " + std::to_string(parts.blocks);
  bool hasOrigins = false;
  for (int64_t origin : parts.origins)
    hasOrigins |= origin != 0;
  if (hasOrigins)
    for (int a = 0; a < rank(); ++a)
      text += (a ? ", " : " origins (") + std::to_string(parts.origins[a]) + (a + 1 == rank() ? ")" : "");
  return text;
}

} // namespace tile
