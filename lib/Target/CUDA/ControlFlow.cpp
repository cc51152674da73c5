// ControlFlow.cpp - loops and branches of scf.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelEmitter.h"

#include "Types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tile::cuda {

FailureOr<std::string> KernelEmitter::declareVariable(Location loc, Type type, StringRef wanted, StringRef fallback,
                                                      StringRef initial) {
  std::optional<ScalarType> scalar = scalarType(type);
  if (!scalar) {
    emitError(loc) << "a value of type " << type << " is carried by control flow; it has no form in CUDA C";
    return failure();
  }
  std::string name = names.take(wanted, fallback);
  line(text.value(*scalar) + " " + name + (initial.empty() ? "" : " = " + initial.str()) + ";");
  return name;
}

/// True if the identifier `name` occurs in `expression`; names are unique in a kernel.
static bool mentions(StringRef expression, StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = expression.find(name); at != StringRef::npos; at = expression.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !isWord(expression[at - 1])) && (end == expression.size() || !isWord(expression[end])))
      return true;
  }
  return false;
}

void KernelEmitter::assign(ArrayRef<std::string> targets, ValueRange sources) {
  SmallVector<std::pair<StringRef, std::string>> pending; // what changes
  for (auto [target, source] : llvm::zip_equal(targets, sources))
    if (!target.empty() && expr(source).text != target)
      pending.emplace_back(target, expr(source).text);
  SmallVector<Value> from;
  for (auto [target, source] : llvm::zip_equal(targets, sources))
    if (!target.empty() && expr(source).text != target)
      from.push_back(source);
  for (size_t i = 0; i < pending.size(); ++i)
    for (size_t earlier = 0; earlier < i; ++earlier)
      if (mentions(pending[i].second, pending[earlier].first)) {
        std::string next = names.take("next_" + pending[i].first.str(), "next");
        line("const " + text.value(*scalarType(from[i].getType())) + " " + next + " = " + pending[i].second + ";");
        pending[i].second = next;
        break;
      }
  for (auto &[target, source] : pending)
    line(target + " = " + source + ";");
}

/// The name of a carried value: that inside the loop, else that of the result.
static StringRef carriedName(Value inside, Value result) {
  StringRef name = nameOf(inside.getLoc());
  return name.empty() ? nameOf(result.getLoc()) : name;
}

FailureOr<SmallVector<std::string>> KernelEmitter::declareCarried(scf::ForOp op) {
  SmallVector<std::string> carried;
  for (auto [init, inside, result] : llvm::zip_equal(op.getInitArgs(), op.getRegionIterArgs(), op.getResults())) {
    if (inside.use_empty() && !isUsed(result)) {
      carried.emplace_back();
      continue;
    }
    FailureOr<std::string> name =
        declareVariable(op.getLoc(), init.getType(), carriedName(inside, result), "carried", expr(init).text);
    if (failed(name))
      return failure();
    carried.push_back(*name);
    values[inside] = values[result] = primary(*name);
  }
  return carried;
}

LogicalResult KernelEmitter::emitFor(scf::ForOp op) {
  FailureOr<ScalarType> type = typeOf(op, op.getInductionVar().getType());
  if (failed(type))
    return failure();
  FailureOr<SmallVector<std::string>> carried = declareCarried(op);
  if (failed(carried))
    return failure();
  if (op->hasAttr(simt::kUnroll))
    line("#pragma unroll");
  size_t scope = names.enter();
  std::string iv = nameFor(op.getInductionVar(), StringRef("ijklmnpq").substr(loopDepth % 8, 1));
  values[op.getInductionVar()] = primary(iv);
  Expr lower = expr(op.getLowerBound()), upper = expr(op.getUpperBound()), step = expr(op.getStep());
  auto bare = [&](const Expr &x) {
    return x.constant && bitWidth(*type) == 64 ? plainInteger(static_cast<int64_t>(*x.constant)) : x;
  };
  Expr counter = primary(iv);
  Expr condition = op.getUnsignedCmp() ? binary("<", text.unsignedOf(*type, counter), text.unsignedOf(*type, upper))
                                       : binary("<", counter, bare(upper));
  bool isOne = step.constant && *step.constant == 1;
  line("for (" + text.value(*type) + " " + iv + " = " + bare(lower).text + "; " + condition.text + "; " +
       (isOne ? "++" + iv : iv + " += " + bare(step).text) + ") {");
  ++indent;
  ++loopDepth;
  if (failed(emitBlock(*op.getBody())))
    return failure();
  assign(*carried, op.getBody()->getTerminator()->getOperands());
  --loopDepth;
  --indent;
  names.leave(scope);
  line("}");
  return success();
}

LogicalResult KernelEmitter::emitIf(scf::IfOp op) {
  SmallVector<std::string> results;
  for (Value result : op.getResults()) {
    if (!isUsed(result)) {
      results.emplace_back();
      continue;
    }
    FailureOr<std::string> name = declareVariable(op.getLoc(), result.getType(), nameOf(result.getLoc()), "chosen", "");
    if (failed(name))
      return failure();
    results.push_back(*name);
    values[result] = primary(*name);
  }
  auto branch = [&](Block *block) {
    size_t scope = names.enter();
    ++indent;
    if (failed(emitBlock(*block)))
      return failure();
    assign(results, block->getTerminator()->getOperands());
    --indent;
    names.leave(scope);
    return success();
  };
  line("if (" + expr(op.getCondition()).text + ") {");
  if (failed(branch(op.thenBlock())))
    return failure();
  if (op.elseBlock() && (op.elseBlock()->getOperations().size() > 1 || op.getNumResults() != 0)) {
    line("} else {");
    if (failed(branch(op.elseBlock())))
      return failure();
  }
  line("}");
  return success();
}

/// What the condition forwards is the argument of the body and the result; often it is carried anyway.
FailureOr<SmallVector<std::string>> KernelEmitter::declareForwarded(scf::WhileOp op) {
  scf::ConditionOp condition = op.getConditionOp();
  SmallVector<std::string> forwarded;
  for (auto [source, after, result] : llvm::zip_equal(condition.getArgs(), op.getAfterArguments(), op.getResults())) {
    bool isCarried = isa<BlockArgument>(source) && cast<BlockArgument>(source).getOwner() == op.getBeforeBody();
    if (isCarried || (!isUsed(after) && !isUsed(result))) {
      forwarded.emplace_back();
      if (isCarried)
        values[after] = values[result] = expr(source);
      continue;
    }
    FailureOr<std::string> name =
        declareVariable(op.getLoc(), source.getType(), carriedName(after, result), "forwarded", "");
    if (failed(name))
      return failure();
    forwarded.push_back(*name);
    values[after] = values[result] = primary(*name);
  }
  return forwarded;
}

LogicalResult KernelEmitter::emitWhile(scf::WhileOp op) {
  SmallVector<std::string> carried;
  for (auto [init, before] : llvm::zip_equal(op.getInits(), op.getBeforeArguments())) {
    FailureOr<std::string> name =
        declareVariable(op.getLoc(), init.getType(), nameOf(before.getLoc()), "carried", expr(init).text);
    if (failed(name))
      return failure();
    carried.push_back(*name);
    values[before] = primary(*name);
  }
  FailureOr<SmallVector<std::string>> forwarded = declareForwarded(op);
  if (failed(forwarded))
    return failure();
  size_t head = out.size();
  ++indent;
  if (failed(emitBlock(*op.getBeforeBody())))
    return failure();
  // The test looks at values as they are before anything is forwarded.
  scf::ConditionOp condition = op.getConditionOp();
  Expr test = expr(condition.getCondition());
  assign(*forwarded, condition.getArgs());
  --indent;
  if (out.size() == head) {
    line("while (" + test.text + ") {");
  } else {
    out.insert(head, std::string(2 * indent, ' ') + "while (true) {\n");
    ++indent;
    line("if (" + unary("!", test).text + ")");
    line("  break;");
    --indent;
  }
  ++indent;
  if (failed(emitBlock(*op.getAfterBody())))
    return failure();
  assign(carried, op.getYieldOp()->getOperands());
  --indent;
  line("}");
  return success();
}

} // namespace tile::cuda
