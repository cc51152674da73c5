// Compiler.cpp - slots, control flow and the order of instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Simulator/Compiler.h"

#include "tile/Support/Numerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace tile::simt {

/// Numbers from here on are fixed slots, until the number of variable ones is known.
static constexpr int32_t kFixed = 1 << 30;

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

int32_t Compiler::newSlot() {
  if (freeSlots.empty())
    return numVariable++;
  return freeSlots.pop_back_val();
}

int32_t Compiler::define(Value value) {
  int32_t slot = newSlot();
  slots[value] = slot;
  return slot;
}

int32_t Compiler::fixedSlot(FixedSlot::Kind kind, uint64_t value) {
  if (kind == FixedSlot::Constant) {
    // The maps' own markers are the two highest keys; those constants are not shared.
    bool isKey = value < ~uint64_t(0) - 1;
    auto found = isKey ? constants.find(value) : constants.end();
    if (found != constants.end())
      return found->second;
    if (isKey)
      constants[value] = kFixed + static_cast<int32_t>(program.fixed.size());
  }
  program.fixed.push_back({kind, value});
  return kFixed + static_cast<int32_t>(program.fixed.size()) - 1;
}

void Compiler::release(int32_t slot) {
  if (slot >= 0 && slot < kFixed)
    freeSlots.push_back(slot);
}

/// Takes back the slots of this block's values that no op after `op` uses.
void Compiler::releaseDead(Block &block, Operation &op) {
  auto isLastUse = [&](Value value) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      Operation *ancestor = block.findAncestorOpInBlock(*user);
      return ancestor && (ancestor == &op || ancestor->isBeforeInBlock(&op));
    });
  };
  llvm::SmallSetVector<Value, 8> candidates;
  op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (operand.getDefiningOp() && operand.getParentBlock() == &block)
        candidates.insert(operand);
  });
  for (Value result : op.getResults())
    candidates.insert(result);
  for (Value value : candidates) {
    auto found = slots.find(value);
    if (found == slots.end() || found->second >= kFixed || !isLastUse(value))
      continue;
    release(found->second);
    slots.erase(found);
  }
}

/// Takes back what is left at the end of a block: the values its terminator hands on.
void Compiler::releaseBlock(Block &block) {
  for (Operation &op : block) {
    for (Value result : op.getResults()) {
      auto found = slots.find(result);
      if (found == slots.end())
        continue;
      release(found->second);
      slots.erase(found);
    }
  }
}

/// Fixed slots follow the variable ones, constants last.
void Compiler::resolveFixed() {
  auto isVarying = [](const FixedSlot &fixed) { return fixed.kind != FixedSlot::Constant; };
  std::vector<int32_t> places(program.fixed.size());
  int32_t next = numVariable;
  for (bool varying : {true, false}) {
    if (!varying)
      program.firstConstant = next;
    for (auto [place, fixed] : llvm::zip_equal(places, program.fixed))
      if (isVarying(fixed) == varying)
        place = next++;
  }
  std::stable_partition(program.fixed.begin(), program.fixed.end(), isVarying);
  auto resolve = [&](int32_t &slot) {
    if (slot >= kFixed)
      slot = places[slot - kFixed];
  };
  for (Inst &inst : program.insts)
    for (int32_t &slot : inst.slots)
      resolve(slot);
  for (std::vector<CopyPair> &list : program.copies)
    for (CopyPair &pair : list)
      resolve(pair.from);
  for (Access &access : program.accesses) {
    resolve(access.from.index);
    resolve(access.to.index);
  }
  program.firstFixed = numVariable;
  program.numSlots = numVariable + static_cast<int32_t>(program.fixed.size());
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

int32_t Compiler::emit(Inst inst) {
  program.insts.push_back(inst);
  return here() - 1;
}

int32_t Compiler::emit(Code code, Operation *op, std::array<int32_t, 3> operands, int32_t target) {
  Inst inst;
  inst.code = code;
  inst.op = op;
  inst.slots = operands;
  inst.target = target;
  return emit(inst);
}

void Compiler::emitCopy(Operation *op, ValueRange from, ArrayRef<int32_t> to) {
  std::vector<CopyPair> pairs;
  for (auto [value, target] : llvm::zip_equal(from, to))
    if (slotOf(value) != target)
      pairs.push_back({slotOf(value), target});
  if (pairs.empty())
    return;
  emit(Code::Copy, op, {-1, -1, -1}, static_cast<int32_t>(program.copies.size()));
  program.copies.push_back(std::move(pairs));
}

void Compiler::openFrame() {
  program.maxDepth = std::max(program.maxDepth, ++depth);
}

bool Compiler::refuse(Operation *op, const Twine &message) {
  if (!fault)
    fault = Fault{op->getLoc(), message.str(), std::nullopt, "", {0, 0, 0}, -1};
  return false;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

bool Compiler::compileBlock(Block &block) {
  for (Operation &op : block) {
    if (isa<scf::YieldOp, scf::ConditionOp>(op))
      continue; // the op that holds the block copies their operands
    if (!compileOp(op))
      return false;
    releaseDead(block, op);
  }
  return true;
}

bool Compiler::compileOp(Operation &op) {
  StringRef dialect = op.getName().getDialectNamespace();
  if (dialect == "arith" || dialect == "math")
    return compileScalar(op);
  return TypeSwitch<Operation *, bool>(&op)
      .Case([&](affine::AffineApplyOp apply) { return compileAffine(apply); })
      .Case<scf::IfOp, scf::ForOp, scf::WhileOp>([&](auto) { return compileControl(op); })
      .Case<RegistersOp, LocalOp, SharedOp, ViewOp>([&](auto) { return compileStorage(op); })
      .Case<LoadOp, StoreOp, MoveOp, AtomicOp>([&](auto) { return compileAccess(op); })
      .Case([&](ThreadIdOp id) {
        slots[id.getResult()] = fixedSlot(FixedSlot::ThreadId, 0);
        return true;
      })
      .Case<NoteOp, HoldOp>([&](auto) { return true; })
      .Case([&](SplitOp split) {
        int32_t result = define(split.getResult());
        emitCopy(&op, split->getOperands(), result);
        return true;
      })
      .Case([&](BarrierOp) { return emit(Code::Barrier, &op) >= 0; })
      .Case([&](AwaitOp) { return emit(Code::Await, &op) >= 0; })
      .Case([&](AssertOp check) { return emit(Code::Assert, &op, {slotOf(check.getCondition()), -1, -1}) >= 0; })
      .Case([&](ConvertOp convert) { return compileConvert(convert); })
      .Case([&](ShuffleOp shuffle) { return compileShuffle(shuffle); })
      .Case([&](CheckOp check) {
        return compileOutput(op, Code::Check, slotOf(check.getCondition()), check.getValues());
      })
      .Case([&](PrintOp print) { return compileOutput(op, Code::Print, -1, print.getValues()); })
      .Default([&](Operation *) {
        return refuse(&op, "'" + op.getName().getStringRef() + "' is not an operation the simulator knows");
      });
}

bool Compiler::compileControl(Operation &op) {
  for (Type type : op.getResultTypes())
    if (!scalarType(type))
      return refuse(&op, "'" + op.getName().getStringRef() + "' carries a value that is not a scalar of the language");
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return compileIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return compileFor(loop);
  return compileWhile(cast<scf::WhileOp>(op));
}

bool Compiler::compileIf(scf::IfOp op) {
  SmallVector<int32_t> results = llvm::map_to_vector(op.getResults(), [&](Value result) { return define(result); });
  int32_t open = emit(Code::If, op, {slotOf(op.getCondition()), -1, -1});
  openFrame();
  if (!compileBlock(*op.thenBlock()))
    return false;
  emitCopy(op, op.thenYield().getOperands(), results);
  releaseBlock(*op.thenBlock());
  if (op.elseBlock()) {
    int32_t turn = emit(Code::Else, op);
    program.insts[open].target = turn;
    if (!compileBlock(*op.elseBlock()))
      return false;
    emitCopy(op, op.elseYield().getOperands(), results);
    releaseBlock(*op.elseBlock());
    open = turn;
  }
  program.insts[open].target = emit(Code::EndIf, op);
  closeFrame();
  return true;
}

bool Compiler::compileFor(scf::ForOp op) {
  std::optional<ScalarType> type = scalarType(op.getInductionVar().getType());
  if (!type)
    return refuse(op, "'scf.for' counts in a type that is not of the language");
  // An argument and the result it becomes share a slot: a lane that has left the loop is no longer copied to.
  SmallVector<int32_t> carried;
  for (auto [argument, result] : llvm::zip_equal(op.getRegionIterArgs(), op.getResults())) {
    carried.push_back(define(result));
    slots[argument] = carried.back();
  }
  emitCopy(op, op.getInitArgs(), carried);
  emit(Code::Loop, op);
  openFrame();
  int32_t iv = define(op.getInductionVar());
  auto typed = [&](Code code, std::array<int32_t, 3> operands, int32_t target) {
    int32_t place = emit(code, op, operands, target);
    program.insts[place].type = *type;
    program.insts[place].isUnsigned = op.getUnsignedCmp();
    return place;
  };
  typed(Code::ForStart, {iv, slotOf(op.getLowerBound()), slotOf(op.getStep())}, -1);
  int32_t test = typed(Code::ForTest, {iv, slotOf(op.getUpperBound()), -1}, -1);
  if (!compileBlock(*op.getBody()))
    return false;
  emitCopy(op, op.getYieldedValues(), carried);
  releaseBlock(*op.getBody());
  typed(Code::ForNext, {iv, slotOf(op.getStep()), -1}, test);
  program.insts[test].target = emit(Code::EndLoop, op);
  release(iv);
  closeFrame();
  return true;
}

bool Compiler::compileWhile(scf::WhileOp op) {
  SmallVector<int32_t> results = llvm::map_to_vector(op.getResults(), [&](Value result) { return define(result); });
  for (auto [argument, slot] : llvm::zip_equal(op.getAfterArguments(), results))
    slots[argument] = slot;
  SmallVector<int32_t> carried;
  for (BlockArgument argument : op.getBeforeArguments()) {
    if (!scalarType(argument.getType()))
      return refuse(op, "'scf.while' carries a value that is not a scalar of the language");
    carried.push_back(define(argument));
  }
  emitCopy(op, op.getInits(), carried);
  emit(Code::Loop, op);
  openFrame();
  int32_t top = here();
  if (!compileBlock(*op.getBeforeBody()))
    return false;
  scf::ConditionOp condition = op.getConditionOp();
  // Every lane takes the values along: those that leave have their results, those that stay their arguments.
  emitCopy(op, condition.getArgs(), results);
  int32_t test = emit(Code::WhileTest, condition, {slotOf(condition.getCondition()), -1, -1});
  releaseBlock(*op.getBeforeBody());
  if (!compileBlock(*op.getAfterBody()))
    return false;
  emitCopy(op, op.getYieldOp().getOperands(), carried);
  releaseBlock(*op.getAfterBody());
  emit(Code::Jump, op, {-1, -1, -1}, top);
  program.insts[test].target = emit(Code::EndLoop, op);
  for (int32_t slot : carried)
    release(slot);
  closeFrame();
  return true;
}

std::variant<Program, Fault> Compiler::run() {
  if (!bindArguments() || !placeShared() || !compileBlock(program.kernel.getBody().front()))
    return std::move(*fault);
  emit(Code::End, program.kernel);
  resolveFixed();
  return std::move(program);
}

std::variant<Program, Fault> compileProgram(KernelOp kernel) {
  return Compiler(kernel).run();
}

} // namespace tile::simt
