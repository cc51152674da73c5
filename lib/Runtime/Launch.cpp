// Launch.cpp - checks the arguments of a launch against the kernel's description.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Launch.h"

#include "LaunchState.h"

#include <cstdio>

namespace tile::runtime {

std::string kernelPrefix(const KernelInfo &info) {
  return "kernel '" + info.name + "', ";
}

static std::string hex(const void *pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(pointer)));
  return text;
}

/// "[64, 1]".
static std::string listText(std::span<const int64_t> list) {
  std::string text = "[";
  for (size_t i = 0; i < list.size(); ++i)
    text.append(i ? ", " : "").append(std::to_string(list[i]));
  return text + "]";
}

static bool holds(int64_t lhs, Comparison comparison, int64_t rhs) {
  switch (comparison) {
  case Comparison::Equal:
    return lhs == rhs;
  case Comparison::Less:
    return lhs < rhs;
  case Comparison::LessEqual:
    return lhs <= rhs;
  case Comparison::Greater:
    return lhs > rhs;
  case Comparison::GreaterEqual:
    return lhs >= rhs;
  }
  return false;
}

namespace {
/// Runs the checks in order; each returns false after it has written the error.
class Checker {
public:
  explicit Checker(LaunchState &state) : state(state), info(state.info) {}

  bool run() {
    return checkCount() && bindValues() && checkExtents() && checkMemory() && checkFacts() && checkDisjoint() &&
           checkGrid();
  }

  Error error;

private:
  bool fail(std::string text) {
    error = Error{kernelPrefix(info) + text};
    return false;
  }

  bool failArgument(size_t index, const std::string &text) {
    return fail("argument '" + info.arguments[index].name + "': " + text);
  }

  bool checkCount() {
    if (state.arguments.size() == info.arguments.size())
      return true;
    return fail(std::to_string(state.arguments.size()) + " arguments given; expected " +
                std::to_string(info.arguments.size()));
  }

  bool bindValues() {
    state.values.assign(info.symbols.size(), -1);
    for (size_t i = 0; i < info.arguments.size(); ++i) {
      const ArgumentInfo &expected = info.arguments[i];
      bool isTensor = expected.kind == ArgumentInfo::Kind::Tensor;
      const Tensor *tensor = std::get_if<Tensor>(&state.arguments[i]);
      if (isTensor != (tensor != nullptr))
        return failArgument(i, isTensor ? "kind is scalar; expected a tensor" : "kind is tensor; expected a scalar");
      if (!(isTensor ? bindTensor(i, expected, *tensor)
                     : bindScalar(i, expected, std::get<Scalar>(state.arguments[i]))))
        return false;
    }
    return true;
  }

  bool bindScalar(size_t index, const ArgumentInfo &expected, const Scalar &scalar) {
    // An i64 has the bits of an index, and C++ callers have no other type for it.
    bool isIndex = expected.type == ScalarType::Index && scalar.type == ScalarType::I64;
    if (scalar.type != expected.type && !isIndex)
      return failArgument(index, "type is " + std::string(name(scalar.type)) + "; expected " +
                                     std::string(name(expected.type)));
    if (expected.type == ScalarType::I1 && scalar.bits > 1)
      return failArgument(index, "value is " + std::to_string(scalar.bits) + "; expected 0 or 1 for i1");
    if (expected.type == ScalarType::Index)
      state.values.push_back(static_cast<int64_t>(scalar.bits));
    return true;
  }

  bool bindTensor(size_t index, const ArgumentInfo &expected, const Tensor &tensor) {
    if (tensor.type != expected.type)
      return failArgument(index, "element type is " + std::string(name(tensor.type)) + "; expected " +
                                     std::string(name(expected.type)));
    if (tensor.shape.size() != expected.extents.size())
      return failArgument(index, "rank is " + std::to_string(tensor.shape.size()) + "; expected " +
                                     std::to_string(expected.extents.size()));
    for (size_t dim = 0; dim < tensor.shape.size(); ++dim) {
      if (tensor.shape[dim] < 0)
        return failArgument(index, "extent of dim " + std::to_string(dim) + " is " + std::to_string(tensor.shape[dim]) +
                                       "; expected at least 0");
      std::optional<int64_t> symbol = expected.extents[dim].asValue();
      if (symbol && *symbol < static_cast<int64_t>(info.symbols.size()) && state.values[*symbol] < 0)
        state.values[*symbol] = tensor.shape[dim];
    }
    return true;
  }

  bool checkExtents() {
    for (size_t i = 0; i < info.arguments.size(); ++i) {
      const std::vector<Expr> &extents = info.arguments[i].extents;
      for (size_t dim = 0; dim < extents.size(); ++dim) {
        std::optional<int64_t> expected = extents[dim].evaluate(state.values);
        if (expected != state.tensor(i).shape[dim])
          return failExtent(i, dim, expected);
      }
    }
    return true;
  }

  bool failExtent(size_t index, size_t dim, std::optional<int64_t> expected) {
    const Expr &extent = info.arguments[index].extents[dim];
    std::string text = "extent of dim " + std::to_string(dim) + " is " +
                       std::to_string(state.tensor(index).shape[dim]) + "; expected ";
    text += expected ? std::to_string(*expected) : "a number of 64 bits";
    if (extent.asConstant())
      return failArgument(index, text);
    text += expected ? " = " : ", got from ";
    return failArgument(index, text + extent.text(info.launchValueNames()) + valuesOf(extent));
  }

  /// The launch values of an expression and where each came from: " (M = 3 from dim 0 of 'A')".
  std::string valuesOf(const Expr &expr) const {
    std::vector<std::string> names = info.launchValueNames();
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
      bool isUsed = false;
      for (const Expr::Node &node : expr.postfix())
        isUsed |= node.op == Expr::Op::Value && node.number == static_cast<int64_t>(i);
      if (!isUsed)
        continue;
      text.append(text.empty() ? " (" : ", ").append(names[i]).append(" = ").append(std::to_string(state.values[i]));
      if (i < info.symbols.size())
        text += originOf(static_cast<int64_t>(i));
    }
    return text.empty() ? text : text + ")";
  }

  std::string originOf(int64_t symbol) const {
    for (const ArgumentInfo &argument : info.arguments)
      for (size_t dim = 0; dim < argument.extents.size(); ++dim)
        if (argument.extents[dim].asValue() == symbol)
          return " from dim " + std::to_string(dim) + " of '" + argument.name + "'";
    return "";
  }

  bool checkMemory() {
    state.reach.resize(info.arguments.size());
    for (size_t i = 0; i < info.arguments.size(); ++i)
      if (info.arguments[i].kind == ArgumentInfo::Kind::Tensor && !(checkStrides(i) && checkAddress(i)))
        return false;
    return true;
  }

  bool checkStrides(size_t index) {
    const ArgumentInfo &expected = info.arguments[index];
    const Tensor &tensor = state.tensor(index);
    size_t rank = tensor.shape.size();
    if (!tensor.strides.empty() && tensor.strides.size() != rank)
      return failArgument(index, std::to_string(tensor.strides.size()) + " strides given; expected " +
                                     std::to_string(rank) + ", one a dimension");
    for (int64_t extent : tensor.shape)
      state.reach[index].isEmpty |= extent == 0;
    if (state.reach[index].isEmpty)
      return true;
    int64_t contiguous = 1;
    bool isExact = true;
    for (size_t i = rank; i-- > 0;) {
      int64_t extent = tensor.shape[i];
      if (extent <= 1)
        continue;
      int64_t actual = tensor.strides.empty() ? contiguous : tensor.strides[i];
      std::optional<int64_t> wanted = expected.strides.empty() ? contiguous : expected.strides[i];
      if (wanted && actual != *wanted)
        return failStrides(index);
      isExact &= extend(state.reach[index], extent, actual);
      isExact &= !__builtin_mul_overflow(contiguous, extent, &contiguous);
      if (!isExact)
        break;
    }
    const Reach &reach = state.reach[index];
    int64_t elements = 0, bytes = 0;
    isExact = isExact && !__builtin_sub_overflow(reach.last, reach.first, &elements) &&
              !__builtin_add_overflow(elements, 1, &elements) &&
              !__builtin_mul_overflow(elements, byteSize(tensor.type), &bytes);
    if (!isExact)
      return failArgument(index, "extents " + listText(tensor.shape) + " span more bytes than 64 bits can count");
    return true;
  }

  /// Widens the reach by a dimension; false on overflow.
  static bool extend(Reach &reach, int64_t extent, int64_t stride) {
    int64_t distance = 0;
    int64_t &end = stride < 0 ? reach.first : reach.last;
    return !__builtin_mul_overflow(extent - 1, stride, &distance) && !__builtin_add_overflow(end, distance, &end);
  }

  bool failStrides(size_t index) {
    const ArgumentInfo &expected = info.arguments[index];
    const Tensor &tensor = state.tensor(index);
    std::vector<int64_t> contiguous(tensor.shape.size(), 1);
    for (size_t i = contiguous.size(); i-- > 1;)
      if (__builtin_mul_overflow(contiguous[i], tensor.shape[i], &contiguous[i - 1]))
        contiguous[i - 1] = 0;
    std::string text = "strides are " + listText(tensor.strides.empty() ? contiguous : tensor.strides) + "; expected ";
    if (expected.strides.empty())
      return failArgument(index, text + "contiguous " + listText(contiguous));
    text += "[";
    for (size_t i = 0; i < expected.strides.size(); ++i)
      text.append(i ? ", " : "").append(expected.strides[i] ? std::to_string(*expected.strides[i]) : "any");
    return failArgument(index, text + "]");
  }

  bool checkAddress(size_t index) {
    const ArgumentInfo &expected = info.arguments[index];
    const Tensor &tensor = state.tensor(index);
    if (tensor.device >= 0 && state.limits.device >= 0 && tensor.device != state.limits.device)
      return failArgument(index, "device is " + std::to_string(tensor.device) + "; expected " +
                                     std::to_string(state.limits.device) + ", the kernel's");
    bool isTouched = expected.isRead || expected.isWritten;
    if (!isTouched || state.reach[index].isEmpty)
      return true;
    if (!tensor.pointer)
      return failArgument(index, "address is null; expected memory for shape " + listText(tensor.shape));
    if (reinterpret_cast<uintptr_t>(tensor.pointer) % static_cast<uintptr_t>(byteSize(tensor.type)) != 0)
      return failArgument(index, "address is " + hex(tensor.pointer) + "; expected a multiple of " +
                                     std::to_string(byteSize(tensor.type)) + " bytes, the size of " +
                                     std::string(name(tensor.type)));
    return true;
  }

  bool checkFacts() {
    for (const Fact &fact : info.where) {
      std::optional<int64_t> lhs = fact.lhs.evaluate(state.values);
      std::optional<int64_t> rhs = fact.rhs.evaluate(state.values);
      if (lhs && rhs && holds(*lhs, fact.comparison, *rhs))
        continue;
      std::string text = lhs && rhs ? std::to_string(*lhs).append(" ").append(spelling(fact.comparison)).append(" ") +
                                          std::to_string(*rhs) + " is false"
                                    : std::string("a value does not fit 64 bits");
      return fail("where: " + text + valuesOf(fact.lhs + fact.rhs) + "; expected " + fact.text + " (" + fact.location +
                  ")");
    }
    return true;
  }

  /// First byte and one past the last byte of a tensor.
  std::pair<uintptr_t, uintptr_t> bytes(int64_t index) const {
    const Tensor &tensor = state.tensor(index);
    auto base = reinterpret_cast<uintptr_t>(tensor.pointer);
    auto size = static_cast<uintptr_t>(byteSize(tensor.type));
    return {base + static_cast<uintptr_t>(state.reach[index].first) * size,
            base + static_cast<uintptr_t>(state.reach[index].last) * size + size};
  }

  bool checkDisjoint() {
    for (const std::vector<int64_t> &group : info.disjoint)
      for (size_t i = 0; i < group.size(); ++i)
        for (size_t j = i + 1; j < group.size(); ++j)
          if (!checkPair(group[i], group[j]))
            return false;
    return true;
  }

  bool checkPair(int64_t first, int64_t second) {
    auto hasBytes = [&](int64_t i) { return !state.reach[i].isEmpty && state.tensor(i).pointer; };
    if (first == second || !hasBytes(first) || !hasBytes(second))
      return true;
    auto [firstStart, firstEnd] = bytes(first);
    auto [secondStart, secondEnd] = bytes(second);
    if (firstEnd <= secondStart || secondEnd <= firstStart)
      return true;
    uintptr_t shared = std::min(firstEnd, secondEnd) - std::max(firstStart, secondStart);
    return failArgument(second, "memory from " + hex(reinterpret_cast<void *>(secondStart)) + " overlaps " +
                                    std::to_string(shared) + " bytes of '" + info.arguments[first].name +
                                    "'; expected disjoint, as the kernel promises");
  }

  bool checkGrid() {
    for (size_t axis = 0; axis < info.grid.size(); ++axis) {
      std::optional<int64_t> blocks = info.grid[axis].evaluate(state.values);
      if (blocks && *blocks >= 0) {
        state.grid[axis] = *blocks;
        continue;
      }
      const Expr &expr = info.grid[axis];
      std::string found = blocks ? std::to_string(*blocks) + " blocks" : std::string("no value in 64 bits");
      return fail("grid axis " + std::string(1, "xyz"[axis]) + ": " + found + " from " +
                  expr.text(info.launchValueNames()) + valuesOf(expr) + "; expected at least 0");
    }
    return true;
  }

  LaunchState &state;
  const KernelInfo &info;
};
} // namespace

Result<LaunchPlan> checkLaunch(const KernelInfo &info, std::span<const Argument> arguments,
                               const DeviceLimits &limits) {
  LaunchState state{info, arguments, limits, {}, {}};
  Checker checker(state);
  if (!checker.run())
    return std::move(checker.error);
  for (int64_t blocks : state.grid) {
    if (blocks != 0)
      continue;
    LaunchPlan plan;
    plan.isEmpty = true;
    plan.grid = state.grid;
    return plan;
  }
  return chooseVariant(state);
}

} // namespace tile::runtime
