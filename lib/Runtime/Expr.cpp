// Expr.cpp - evaluates, prints and reads expressions over launch values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Expr.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tile::runtime {

namespace {
/// The spelling of a binary operation in the postfix form and in text, and how tightly it binds there.
struct Spelling {
  Expr::Op op;
  std::string_view postfix;
  std::string_view infix;
  int precedence;
};
} // namespace

static constexpr int kAtomPrecedence = 3;
static constexpr std::array<Spelling, 5> kSpellings = {{
    {Expr::Op::Add, "+", " + ", 1},
    {Expr::Op::Mul, "*", " * ", 2},
    {Expr::Op::FloorDiv, "floordiv", " floordiv ", 2},
    {Expr::Op::CeilDiv, "ceildiv", " ceildiv ", 2},
    {Expr::Op::Mod, "mod", " mod ", 2},
}};

static const Spelling *spellingOf(Expr::Op op) {
  for (const Spelling &spelling : kSpellings)
    if (spelling.op == op)
      return &spelling;
  return nullptr;
}

static bool isLeaf(Expr::Op op) {
  return op == Expr::Op::Constant || op == Expr::Op::Value;
}

Expr Expr::constant(int64_t number) {
  Expr expr;
  expr.nodes = {{Op::Constant, number}};
  return expr;
}

Expr Expr::value(int64_t index) {
  Expr expr;
  expr.nodes = {{Op::Value, index}};
  return expr;
}

Expr Expr::combine(const Expr &lhs, const Expr &rhs, Op op) {
  Expr expr = lhs;
  expr.nodes.insert(expr.nodes.end(), rhs.nodes.begin(), rhs.nodes.end());
  expr.nodes.push_back({op, 0});
  return expr;
}

Expr Expr::floorDiv(const Expr &lhs, const Expr &rhs) {
  return combine(lhs, rhs, Op::FloorDiv);
}

Expr Expr::ceilDiv(const Expr &lhs, const Expr &rhs) {
  return combine(lhs, rhs, Op::CeilDiv);
}

Expr Expr::mod(const Expr &lhs, const Expr &rhs) {
  return combine(lhs, rhs, Op::Mod);
}

Expr operator+(const Expr &lhs, const Expr &rhs) {
  return Expr::combine(lhs, rhs, Expr::Op::Add);
}

Expr operator*(const Expr &lhs, const Expr &rhs) {
  return Expr::combine(lhs, rhs, Expr::Op::Mul);
}

Expr operator-(const Expr &lhs, const Expr &rhs) {
  return lhs + rhs * Expr::constant(-1);
}

/// One step; false where the result does not exist in 64 bits.
static bool apply(Expr::Op op, int64_t lhs, int64_t rhs, int64_t &result) {
  if (op == Expr::Op::Add)
    return !__builtin_add_overflow(lhs, rhs, &result);
  if (op == Expr::Op::Mul)
    return !__builtin_mul_overflow(lhs, rhs, &result);
  if (rhs <= 0)
    return false;
  int64_t quotient = lhs / rhs;
  int64_t remainder = lhs % rhs;
  if (op == Expr::Op::FloorDiv)
    result = quotient - (remainder < 0);
  else if (op == Expr::Op::CeilDiv)
    result = quotient + (remainder > 0);
  else
    result = remainder < 0 ? remainder + rhs : remainder;
  return true;
}

std::optional<int64_t> Expr::evaluate(std::span<const int64_t> values) const {
  // Nearly every expression fits the small stack; the vector serves the rest.
  constexpr size_t kSmall = 16;
  int64_t small[kSmall];
  std::vector<int64_t> large(nodes.size() > kSmall ? nodes.size() : 0);
  int64_t *stack = nodes.size() > kSmall ? large.data() : small;
  size_t depth = 0;
  for (const Node &node : nodes) {
    if (node.op == Op::Constant) {
      stack[depth++] = node.number;
      continue;
    }
    if (node.op == Op::Value) {
      if (node.number < 0 || static_cast<size_t>(node.number) >= values.size())
        return std::nullopt;
      stack[depth++] = values[node.number];
      continue;
    }
    int64_t result = 0;
    if (!apply(node.op, stack[depth - 2], stack[depth - 1], result))
      return std::nullopt;
    stack[--depth - 1] = result;
  }
  return stack[0];
}

std::optional<int64_t> Expr::asConstant() const {
  if (nodes.size() == 1 && nodes[0].op == Op::Constant)
    return nodes[0].number;
  return std::nullopt;
}

std::optional<int64_t> Expr::asValue() const {
  if (nodes.size() == 1 && nodes[0].op == Op::Value)
    return nodes[0].number;
  return std::nullopt;
}

int64_t Expr::maxValueIndex() const {
  int64_t largest = -1;
  for (const Node &node : nodes)
    if (node.op == Op::Value)
      largest = std::max(largest, node.number);
  return largest;
}

std::string Expr::text(std::span<const std::string> names) const {
  struct Part {
    std::string text;
    int precedence;
  };
  std::vector<Part> stack;
  for (const Node &node : nodes) {
    if (node.op == Op::Constant) {
      stack.push_back({std::to_string(node.number), kAtomPrecedence});
      continue;
    }
    if (node.op == Op::Value) {
      bool isNamed = node.number >= 0 && static_cast<size_t>(node.number) < names.size();
      stack.push_back({isNamed ? names[node.number] : "v" + std::to_string(node.number), kAtomPrecedence});
      continue;
    }
    const Spelling *spelling = spellingOf(node.op);
    Part rhs = std::move(stack.back());
    stack.pop_back();
    Part &lhs = stack.back();
    // All operators group to the left, so only the right side needs brackets at equal precedence.
    std::string left = lhs.precedence < spelling->precedence ? "(" + lhs.text + ")" : lhs.text;
    std::string right = rhs.precedence <= spelling->precedence ? "(" + rhs.text + ")" : rhs.text;
    lhs = {left.append(spelling->infix).append(right), spelling->precedence};
  }
  return stack[0].text;
}

std::string Expr::serialize() const {
  std::string text = "[";
  for (const Node &node : nodes) {
    if (text.size() > 1)
      text += ' ';
    if (node.op == Op::Constant)
      text.append("c").append(std::to_string(node.number));
    else if (node.op == Op::Value)
      text.append("v").append(std::to_string(node.number));
    else
      text += spellingOf(node.op)->postfix;
  }
  return text + "]";
}

/// Reads "c-5", "v2" or an operator.
static std::optional<Expr::Node> parseNode(std::string_view word) {
  for (const Spelling &spelling : kSpellings)
    if (word == spelling.postfix)
      return Expr::Node{spelling.op, 0};
  if (word.size() < 2 || (word[0] != 'c' && word[0] != 'v'))
    return std::nullopt;
  int64_t number = 0;
  auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || (word[0] == 'v' && number < 0))
    return std::nullopt;
  return Expr::Node{word[0] == 'c' ? Expr::Op::Constant : Expr::Op::Value, number};
}

std::optional<Expr> Expr::deserialize(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    return std::nullopt;
  text = text.substr(1, text.size() - 2);
  Expr expr;
  expr.nodes.clear();
  int64_t depth = 0;
  while (!text.empty()) {
    size_t length = std::min(text.find(' '), text.size());
    std::optional<Node> node = parseNode(text.substr(0, length));
    if (!node)
      return std::nullopt;
    depth += isLeaf(node->op) ? 1 : -1;
    if (depth < 1)
      return std::nullopt;
    expr.nodes.push_back(*node);
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  if (depth != 1)
    return std::nullopt;
  return expr;
}

} // namespace tile::runtime
