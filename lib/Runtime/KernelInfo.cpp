// KernelInfo.cpp - small makers of a kernel's description, and what makes one inconsistent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/KernelInfo.h"

#include <algorithm>

namespace tile::runtime {

std::string_view spelling(Comparison comparison) {
  switch (comparison) {
  case Comparison::Equal:
    return "==";
  case Comparison::Less:
    return "<";
  case Comparison::LessEqual:
    return "<=";
  case Comparison::Greater:
    return ">";
  case Comparison::GreaterEqual:
    return ">=";
  }
  return "?";
}

Requirement Requirement::pointerMultiple(int64_t argument, int64_t bytes) {
  return {Kind::PointerMultiple, argument, 0, Expr(), bytes};
}

Requirement Requirement::strideMultiple(int64_t argument, int64_t dim, int64_t bytes) {
  return {Kind::StrideMultiple, argument, dim, Expr(), bytes};
}

Requirement Requirement::exprMultiple(Expr expr, int64_t amount) {
  return {Kind::ExprMultiple, 0, 0, std::move(expr), amount};
}

Requirement Requirement::exprLess(Expr expr, int64_t bound) {
  return {Kind::ExprLess, 0, 0, std::move(expr), bound};
}

Requirement Requirement::offsetLess(int64_t argument, int64_t bound) {
  return {Kind::OffsetLess, argument, 0, Expr(), bound};
}

std::vector<std::string> KernelInfo::launchValueNames() const {
  std::vector<std::string> names = symbols;
  for (const ArgumentInfo &argument : arguments)
    if (argument.kind == ArgumentInfo::Kind::Scalar && argument.type == ScalarType::Index)
      names.push_back(argument.name);
  return names;
}

namespace {
/// Walks an info once and keeps the first fault found.
class FaultFinder {
public:
  explicit FaultFinder(const KernelInfo &info)
      : info(info), valueCount(static_cast<int64_t>(info.launchValueNames().size())) {}

  std::optional<std::string> run() {
    checkHead();
    checkArguments();
    checkSymbols();
    checkFacts();
    for (const Variant &variant : info.variants)
      checkVariant(variant);
    return fault;
  }

private:
  void report(std::string text) {
    if (!fault)
      fault = std::move(text);
  }

  void checkExpr(const Expr &expr, std::string_view where) {
    if (expr.maxValueIndex() >= valueCount)
      report("an expression of " + std::string(where) + " uses launch value " + std::to_string(expr.maxValueIndex()) +
             "; there are " + std::to_string(valueCount));
  }

  /// The tensor of that index, or null and a fault.
  const ArgumentInfo *tensor(int64_t index, std::string_view where) {
    if (index >= 0 && index < static_cast<int64_t>(info.arguments.size()) &&
        info.arguments[index].kind == ArgumentInfo::Kind::Tensor)
      return &info.arguments[index];
    report(std::string(where) + " names argument " + std::to_string(index) + ", which is no tensor");
    return nullptr;
  }

  void checkTensorDim(int64_t index, int64_t dim, std::string_view where) {
    const ArgumentInfo *argument = tensor(index, where);
    if (argument && (dim < 0 || dim >= static_cast<int64_t>(argument->extents.size())))
      report(std::string(where) + " names dim " + std::to_string(dim) + " of argument '" + argument->name +
             "' of rank " + std::to_string(argument->extents.size()));
  }

  void checkHead() {
    if (info.name.empty())
      report("the kernel has no name");
    if (info.threads < 1)
      report("the block has " + std::to_string(info.threads) + " threads; it needs at least 1");
    if (info.minBlocks < 0)
      report("min_blocks is " + std::to_string(info.minBlocks) + "; it must not be negative");
    if (info.grid.empty() || info.grid.size() > 3)
      report("the grid has " + std::to_string(info.grid.size()) + " axes; it needs 1 to 3");
    std::vector<int64_t> order = info.blockOrder;
    std::sort(order.begin(), order.end());
    bool isPermutation = order.size() == info.grid.size();
    for (size_t axis = 0; isPermutation && axis < order.size(); ++axis)
      isPermutation = order[axis] == static_cast<int64_t>(axis);
    if (!isPermutation)
      report("the block order has " + std::to_string(order.size()) + " axes; it needs each of the " +
             std::to_string(info.grid.size()) + " grid axes once");
    if (info.variants.empty())
      report("there is no variant");
  }

  void checkArguments() {
    for (const ArgumentInfo &argument : info.arguments) {
      bool isTensor = argument.kind == ArgumentInfo::Kind::Tensor;
      if (!isTensor && !(argument.extents.empty() && argument.strides.empty()))
        report("scalar '" + argument.name + "' has extents");
      if (isTensor && argument.type == ScalarType::Index)
        report("tensor '" + argument.name + "' has elements of type index");
      if (!argument.strides.empty() && argument.strides.size() != argument.extents.size())
        report("tensor '" + argument.name + "' has " + std::to_string(argument.strides.size()) +
               " strides; its rank is " + std::to_string(argument.extents.size()));
      for (const Expr &extent : argument.extents)
        checkExpr(extent, "argument '" + argument.name + "'");
    }
  }

  void checkSymbols() {
    for (size_t i = 0; i < info.symbols.size(); ++i) {
      auto binds = [&](const Expr &extent) { return extent.asValue() == static_cast<int64_t>(i); };
      auto bindsIn = [&](const ArgumentInfo &argument) { return std::ranges::any_of(argument.extents, binds); };
      if (std::ranges::none_of(info.arguments, bindsIn))
        report("no tensor dimension is exactly the symbol '" + info.symbols[i] + "'");
    }
  }

  void checkFacts() {
    for (const Expr &axis : info.grid)
      checkExpr(axis, "the grid");
    for (const Fact &fact : info.where) {
      checkExpr(fact.lhs, "a fact");
      checkExpr(fact.rhs, "a fact");
    }
    for (const std::vector<int64_t> &group : info.disjoint)
      for (int64_t index : group)
        tensor(index, "a disjoint group");
  }

  void checkVariant(const Variant &variant) {
    std::string where = "variant '" + variant.entry + "'";
    if (variant.entry.empty())
      report("a variant has no entry");
    if (variant.dynamicSharedBytes < 0 || variant.staticSharedBytes < 0 || variant.launchThreads < 0)
      report(where + " has a negative size");
    for (const Requirement &requirement : variant.requirements)
      checkRequirement(requirement, where);
    for (const Parameter &parameter : variant.parameters)
      checkParameter(parameter, where);
  }

  void checkRequirement(const Requirement &requirement, const std::string &where) {
    if (requirement.amount < 1)
      report("a requirement of " + where + " has amount " + std::to_string(requirement.amount) +
             "; it must be positive");
    switch (requirement.kind) {
    case Requirement::Kind::PointerMultiple:
    case Requirement::Kind::OffsetLess:
      tensor(requirement.argument, where);
      return;
    case Requirement::Kind::StrideMultiple:
      return checkTensorDim(requirement.argument, requirement.dim, where);
    case Requirement::Kind::ExprMultiple:
    case Requirement::Kind::ExprLess:
      return checkExpr(requirement.expr, where);
    }
  }

  void checkParameter(const Parameter &parameter, const std::string &where) {
    auto isBelow = [](int64_t index, size_t count) { return index >= 0 && index < static_cast<int64_t>(count); };
    switch (parameter.kind) {
    case Parameter::Kind::Pointer:
      tensor(parameter.argument, where);
      return;
    case Parameter::Kind::Scalar:
      if (!isBelow(parameter.argument, info.arguments.size()) ||
          info.arguments[parameter.argument].kind != ArgumentInfo::Kind::Scalar)
        report(where + " passes argument " + std::to_string(parameter.argument) + " by value, which is no scalar");
      return;
    case Parameter::Kind::Symbol:
      if (!isBelow(parameter.index, info.symbols.size()))
        report(where + " passes symbol " + std::to_string(parameter.index) + "; there are " +
               std::to_string(info.symbols.size()));
      return;
    case Parameter::Kind::Stride:
    case Parameter::Kind::Extent:
      return checkTensorDim(parameter.argument, parameter.index, where);
    case Parameter::Kind::GridExtent:
      if (!isBelow(parameter.index, info.grid.size()))
        report(where + " passes grid axis " + std::to_string(parameter.index) + "; there are " +
               std::to_string(info.grid.size()));
      return;
    }
  }

  const KernelInfo &info;
  int64_t valueCount;
  std::optional<std::string> fault;
};
} // namespace

std::optional<std::string> KernelInfo::findFault() const {
  return FaultFinder(*this).run();
}

} // namespace tile::runtime
