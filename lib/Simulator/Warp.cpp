// Warp.cpp - executes the instructions of a warp, memory apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Simulator/Machine.h"

#include "tile/Support/Literal.h"
#include "tile/Support/Numerics.h"
#include "tile/Support/OpTable.h"

#include <algorithm>

using namespace mlir;

namespace tile::simt {

Machine::Machine(const Program &program, const Binding &binding, const SimulatorOptions &options,
                 SimulatorResult &result)
    : program(program), binding(binding), options(options), result(result), stepsLeft(options.maxSteps),
      shared(program.sharedBytes), sharedShadow(program.sharedBytes, program.sharedGranule),
      flying(program.sharedBytes / 4 + 4) {
  for (size_t i = 0; i < binding.storageBytes.size(); ++i)
    globalShadows.emplace_back(binding.storageBytes[i], binding.storageGranules[i]);
}

bool Machine::fail(Operation *op, int64_t thread, const Twine &message) {
  if (!result.fault)
    result.fault = Fault{op->getLoc(), message.str(), std::nullopt, "", block, thread};
  return false;
}

Warp::Warp(Machine &machine, int number, int64_t threads)
    : number(number), machine(machine), frames(machine.program.maxDepth + 1), slots(machine.program.numSlots),
      arrays(machine.program.arrayBytes * 32), arrayIsWritten(machine.program.arrayBytes * 32) {
  int64_t lanes = std::min<int64_t>(threads - number * 32, 32);
  existing = lanes == 32 ? ~0u : (1u << lanes) - 1;
  fillFixed();
}

void Warp::begin() {
  pc = 0;
  depth = 0;
  mask = existing;
  state = State::Ready;
  flights.clear();
  for (auto [i, fixed] : llvm::enumerate(machine.program.fixed))
    if (fixed.kind == FixedSlot::BlockId)
      slot(machine.program.firstFixed + static_cast<int32_t>(i)).fill(machine.block[fixed.value]);
}

/// What stays the same in every block.
void Warp::fillFixed() {
  for (auto [i, fixed] : llvm::enumerate(machine.program.fixed)) {
    Lanes &lanes = slot(machine.program.firstFixed + static_cast<int32_t>(i));
    if (fixed.kind == FixedSlot::Constant)
      lanes.fill(fixed.value);
    if (fixed.kind == FixedSlot::Parameter)
      lanes.fill(machine.binding.parameters[fixed.value]);
    for (int lane = 0; lane < 32 && fixed.kind == FixedSlot::ThreadId; ++lane)
      lanes[lane] = threadOf(lane);
  }
}

Warp::State Warp::run(int64_t budget) {
  const Inst *insts = machine.program.insts.data();
  int64_t executed = 0;
  while (state == State::Ready && executed < budget) {
    const Inst &inst = insts[pc++];
    ++executed;
    ++step;
    if (inst.code == Code::Compute ? !compute(inst) : !execute(inst))
      state = State::Failed;
  }
  machine.stepsLeft -= executed;
  machine.result.warpInstructions += executed;
  return state;
}

bool Warp::execute(const Inst &inst) {
  switch (inst.code) {
  case Code::Compute:
    return compute(inst);
  case Code::Copy:
    copy(inst);
    return true;
  case Code::If:
  case Code::Else:
  case Code::EndIf:
  case Code::Loop:
  case Code::WhileTest:
  case Code::Jump:
  case Code::EndLoop:
    return branch(inst);
  case Code::ForStart:
    return forStart(inst);
  case Code::ForTest:
    forTest(inst);
    return true;
  case Code::ForNext:
    return forNext(inst);
  case Code::Fresh:
    fresh(inst);
    return true;
  case Code::Load:
    return load(inst);
  case Code::Store:
    return store(inst);
  case Code::Move:
    return move(inst);
  case Code::Atomic:
    return atomic(inst);
  case Code::Shuffle:
    return shuffle(inst);
  case Code::Barrier:
    return barrier(inst);
  case Code::Await:
    return await();
  case Code::Assert:
    return assertion(inst);
  case Code::Check:
    return check(inst);
  case Code::Print:
    print(inst);
    return true;
  case Code::End:
    state = State::Done;
    return true;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool Warp::compute(const Inst &inst) {
  const uint64_t *operands[3] = {};
  for (int i = 0; i < inst.operands; ++i)
    operands[i] = slots[inst.slots[i]].data();
  auto faults = static_cast<uint32_t>(inst.function(operands, slots[inst.result].data(), 32)) & mask;
  if (!faults)
    return true;
  int lane = std::countr_zero(faults);
  uint64_t lhs = operands[0][lane], rhs = operands[1][lane];
  StringRef opName = inst.op->getName().getStringRef();
  const ScalarOpInfo *row = findScalarOp(std::string_view(opName));
  if (!row || row->kind != OpKind::Binary)
    return fail(inst, lane, "division by " + Twine(static_cast<int64_t>(rhs)) + " in an index expression");
  return fail(inst, lane, StringRef(faultText(static_cast<BinaryOp>(row->code), inst.type, lhs, rhs)));
}

void Warp::copy(const Inst &inst) {
  const std::vector<CopyPair> &pairs = machine.program.copies[inst.target];
  // All are read before any is written: a loop may exchange the values it carries.
  scratch.resize(std::max(scratch.size(), pairs.size()));
  for (auto [i, pair] : llvm::enumerate(pairs))
    scratch[i] = slot(pair.from);
  for (auto [i, pair] : llvm::enumerate(pairs)) {
    const Lanes &from = scratch[i];
    Lanes &to = slot(pair.to);
    forActive([&](int lane) { to[lane] = from[lane]; });
  }
}

bool Warp::assertion(const Inst &inst) {
  uint32_t wrong = mask & ~trueLanes(inst.slots[0]);
  if (!wrong)
    return true;
  return fail(inst, std::countr_zero(wrong), "assertion failed: " + cast<AssertOp>(inst.op).getMessage());
}

bool Warp::check(const Inst &inst) {
  uint32_t wrong = mask & ~trueLanes(inst.slots[0]);
  if (!wrong)
    return true;
  int lane = std::countr_zero(wrong);
  std::string text;
  StringRef rest = cast<CheckOp>(inst.op).getMessage();
  for (auto [value, type] :
       llvm::zip_equal(machine.program.copies[inst.target], machine.program.printTypes[inst.target])) {
    auto [before, after] = rest.split("{}");
    text += before.str() + std::to_string(signedValue(type, slot(value.from)[lane]));
    rest = after;
  }
  return fail(inst, lane, text + rest);
}

void Warp::print(const Inst &inst) {
  if (!machine.options.print)
    return;
  const std::vector<CopyPair> &values = machine.program.copies[inst.target];
  const std::vector<ScalarType> &types = machine.program.printTypes[inst.target];
  forActive([&](int lane) {
    *machine.options.print << cast<PrintOp>(inst.op).getLabel();
    for (auto [value, type] : llvm::zip_equal(values, types))
      *machine.options.print << ' ' << toText(type, slot(value.from)[lane]);
    *machine.options.print << '\n';
  });
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

uint32_t Warp::trueLanes(int32_t number) const {
  uint32_t lanes = 0;
  for (int lane = 0; lane < 32; ++lane)
    lanes |= static_cast<uint32_t>(slots[number][lane] & 1) << lane;
  return lanes;
}

/// Goes on with `lanes`; if none is left, jumps.
void Warp::keepOnly(uint32_t lanes, int32_t otherwise) {
  mask = lanes;
  if (!lanes)
    pc = otherwise;
}

bool Warp::branch(const Inst &inst) {
  switch (inst.code) {
  case Code::If: {
    uint32_t taken = mask & trueLanes(inst.slots[0]);
    frames[depth++] = {mask, mask & ~taken, step, false};
    keepOnly(taken, inst.target);
    return true;
  }
  case Code::Else:
    keepOnly(frames[depth - 1].waiting, inst.target);
    return true;
  case Code::Loop:
    frames[depth++] = {mask, 0, step, true};
    return true;
  case Code::WhileTest:
    keepOnly(mask & trueLanes(inst.slots[0]), inst.target);
    return true;
  case Code::Jump:
    pc = inst.target;
    return true;
  default: // EndIf, EndLoop
    mask = frames[--depth].outer;
    return true;
  }
}

bool Warp::forStart(const Inst &inst) {
  Lanes &iv = slot(inst.slots[0]);
  const Lanes &lower = slot(inst.slots[1]), &stepLanes = slot(inst.slots[2]);
  uint32_t wrong = 0;
  forActive([&](int lane) {
    iv[lane] = lower[lane];
    wrong |= static_cast<uint32_t>(signedValue(inst.type, stepLanes[lane]) <= 0) << lane;
  });
  if (!wrong)
    return true;
  int lane = std::countr_zero(wrong);
  return fail(inst, lane,
              "loop with step " + Twine(signedValue(inst.type, stepLanes[lane])) + "; the step must be positive");
}

/// The lanes where `less` holds, all 32 of them, so that the loop has no branches.
template <typename Less> static uint32_t lanesWhere(const Lanes &a, const Lanes &b, Less less) {
  uint32_t lanes = 0;
  for (int lane = 0; lane < 32; ++lane)
    lanes |= static_cast<uint32_t>(less(a[lane], b[lane])) << lane;
  return lanes;
}

void Warp::forTest(const Inst &inst) {
  const Lanes &iv = slot(inst.slots[0]), &upper = slot(inst.slots[1]);
  int unused = 64 - bitWidth(inst.type);
  uint32_t staying = inst.isUnsigned ? lanesWhere(iv, upper, [](uint64_t a, uint64_t b) { return a < b; })
                                     : lanesWhere(iv, upper, [unused](uint64_t a, uint64_t b) {
                                         return static_cast<int64_t>(a << unused) < static_cast<int64_t>(b << unused);
                                       });
  keepOnly(mask & staying, inst.target);
}

bool Warp::forNext(const Inst &inst) {
  Lanes &iv = slot(inst.slots[0]);
  const Lanes &stepLanes = slot(inst.slots[1]);
  int unused = 64 - bitWidth(inst.type);
  Lanes next;
  for (int lane = 0; lane < 32; ++lane)
    next[lane] = (iv[lane] + stepLanes[lane]) << unused >> unused;
  uint32_t wrong =
      mask & (inst.isUnsigned ? lanesWhere(next, iv, [](uint64_t a, uint64_t b) { return a < b; })
                              : lanesWhere(next, iv, [unused](uint64_t a, uint64_t b) {
                                  return static_cast<int64_t>(a << unused) < static_cast<int64_t>(b << unused);
                                }));
  pc = inst.target;
  if (wrong) {
    int lane = std::countr_zero(wrong);
    return fail(inst, lane,
                "loop variable " + Twine(signedValue(inst.type, iv[lane])) + " plus step " +
                    Twine(signedValue(inst.type, stepLanes[lane])) + " exceeds " + name(inst.type).data());
  }
  // Lanes that have left the loop cannot read it any more.
  iv = next;
  return true;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

bool Warp::failDivergent(const Inst &inst, StringRef what, StringRef whose) {
  return fail(inst, std::countr_zero(mask),
              "divergent " + what + ": reached by " + Twine(std::popcount(mask)) + " of the " +
                  Twine(std::popcount(existing)) + " threads of warp " + Twine(number) + "; every thread of the " +
                  whose + " must reach it");
}

bool Warp::barrier(const Inst &inst) {
  if (mask != existing)
    return failDivergent(inst, "barrier", "block");
  --pc; // while it waits, the warp stands at the barrier
  state = State::Waiting;
  return true;
}

bool Warp::shuffle(const Inst &inst) {
  if (mask != existing)
    return failDivergent(inst, "shuffle", "warp");
  ++machine.result.shuffles;
  const Lanes value = slot(inst.slots[0]);
  const Lanes &operand = slot(inst.slots[1]);
  Lanes &out = slot(inst.result);
  forActive([&](int lane) {
    // As in hardware, only five bits of the operand count.
    int n = static_cast<int>(operand[lane] & 31), source = n;
    switch (static_cast<ShuffleMode>(inst.target)) {
    case ShuffleMode::Xor:
      source = lane ^ n;
      break;
    case ShuffleMode::Up:
      source = lane - n;
      break;
    case ShuffleMode::Down:
      source = lane + n;
      break;
    case ShuffleMode::Index:
      break;
    }
    bool exists = source >= 0 && source < 32 && (existing >> source & 1);
    out[lane] = value[exists ? source : lane];
  });
  return true;
}

} // namespace tile::simt
