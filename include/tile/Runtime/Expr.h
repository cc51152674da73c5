// Expr.h - integer expressions over the values a launch is given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_RUNTIME_EXPR_H
#define TILE_RUNTIME_EXPR_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tile::runtime {

/// An integer expression over *launch values*: the size symbols in order, then the index arguments in order.
///
/// Kept as one flat list in postfix order, so that it is copied, compared, written and evaluated without pointers:
/// `M ceildiv 128` is `v0 c128 ceildiv`. Arithmetic is 64-bit and exact: whatever overflows has no value. Division
/// rounds down (`floordiv`) or up (`ceildiv`) for either sign of the dividend; `mod` is never negative; the divisor
/// must be positive. Example: `Expr::ceilDiv(Expr::value(0), Expr::constant(128)).evaluate({{1000}})` is 8.
class Expr {
public:
  enum class Op : uint8_t { Constant, Value, Add, Mul, FloorDiv, CeilDiv, Mod };

  /// One step of the postfix form; `number` is the constant, or the index of the launch value, else 0.
  struct Node {
    Op op = Op::Constant;
    int64_t number = 0;
    bool operator==(const Node &) const = default;
  };

  /// The constant 0.
  Expr() : nodes{Node{}} {}

  static Expr constant(int64_t number);
  static Expr value(int64_t index);
  static Expr floorDiv(const Expr &lhs, const Expr &rhs);
  static Expr ceilDiv(const Expr &lhs, const Expr &rhs);
  static Expr mod(const Expr &lhs, const Expr &rhs);
  friend Expr operator+(const Expr &lhs, const Expr &rhs);
  friend Expr operator*(const Expr &lhs, const Expr &rhs);
  friend Expr operator-(const Expr &lhs, const Expr &rhs);

  /// The value, or nothing where a step overflows, a divisor is not positive, or a launch value is missing.
  std::optional<int64_t> evaluate(std::span<const int64_t> values) const;

  /// The number, if this is a single constant.
  std::optional<int64_t> asConstant() const;

  /// The index of the launch value, if this is a single one.
  std::optional<int64_t> asValue() const;

  /// The largest index of a launch value used, or -1.
  int64_t maxValueIndex() const;

  /// As a person writes it, with the names of the launch values: "(M + 3) ceildiv 4".
  std::string text(std::span<const std::string> names) const;

  /// The postfix form in brackets: "[v0 c128 ceildiv]".
  std::string serialize() const;

  /// Reads what `serialize` wrote; nothing for anything else.
  static std::optional<Expr> deserialize(std::string_view text);

  std::span<const Node> postfix() const { return nodes; }
  bool operator==(const Expr &) const = default;

private:
  static Expr combine(const Expr &lhs, const Expr &rhs, Op op);

  std::vector<Node> nodes;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_EXPR_H
