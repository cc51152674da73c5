// Control.cpp - masks, structured control flow, loops, and the points of a parallel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Machine.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

bool TileMachine::isAny(const Mask &active) const {
  return llvm::any_of(active, [](uint64_t word) { return word != 0; });
}

bool TileMachine::isFull() const {
  int64_t count = 0;
  for (uint64_t word : mask)
    count += llvm::popcount(word);
  return count == lanes;
}

int64_t TileMachine::firstLane() const {
  for (size_t word = 0; word < mask.size(); ++word)
    if (mask[word])
      return 64 * word + llvm::countr_zero(mask[word]);
  return 0;
}

LogicalResult TileMachine::countSteps(const TileInstruction &inst, int64_t count) {
  steps += count;
  if (steps > options.maxSteps)
    return raise(inst, "stopped after " + Twine(options.maxSteps) + " steps; the program does not seem to end");
  return success();
}

/// A block-wide operation is reached by all threads and speaks of the same tiles in each.
LogicalResult TileMachine::checkBlockWide(const TileInstruction &inst) {
  if (!isFull())
    return raise(inst, "'" + inst.op->getName().getStringRef() + "' is reached by some threads only, thread " +
                           Twine(firstLane()) + " among them; block-wide operations are reached by all");
  for (int number : {inst.buffer, inst.target})
    if (number >= 0 && views[number].size() > 1)
      return raise(inst, "'" + inst.op->getName().getStringRef() +
                             "' has a window that differs between threads; it is block-wide");
  return success();
}

LogicalResult TileMachine::run(const TileBody &body) {
  for (const TileInstruction &inst : body.instructions) {
    if (failed(countSteps(inst, 1)) || (inst.isBlockWide && failed(checkBlockWide(inst))) ||
        failed((this->*inst.run)(inst)))
      return failure();
  }
  return success();
}

/// Runs a body in the lanes of `active`; not at all if there is none.
LogicalResult TileMachine::runUnder(const TileBody &body, const Mask &active) {
  if (!isAny(active))
    return success();
  Mask saved = mask;
  mask = active;
  LogicalResult result = run(body);
  mask = saved;
  return result;
}

void TileMachine::fillRow(int slot, uint64_t bits) {
  std::fill_n(slots.row(slot), lanes, bits);
}

void TileMachine::assign(ArrayRef<int> to, ArrayRef<int> from, const Mask &active) {
  // The values of a yield may be permuted arguments: read them all before writing any.
  SmallVector<uint64_t, 64> values;
  for (int slot : from)
    values.append(slots.row(slot), slots.row(slot) + lanes);
  for (size_t i = 0; i < to.size(); ++i)
    for (int64_t lane = 0; lane < lanes; ++lane)
      if (active[lane / 64] >> (lane % 64) & 1)
        slots.row(to[i])[lane] = values[i * lanes + lane];
}

LogicalResult TileMachine::runIf(const TileInstruction &inst) {
  const uint64_t *condition = slots.row(inst.operands[0]);
  Mask then(mask.size(), 0), otherwise = mask;
  (void)forEachLane([&](int64_t lane) {
    then[lane / 64] |= condition[lane] << (lane % 64);
    return success();
  });
  for (size_t word = 0; word < mask.size(); ++word)
    otherwise[word] &= ~then[word];
  if (failed(runUnder(inst.bodies[0], then)) || failed(runUnder(inst.bodies[1], otherwise)))
    return failure();
  if (!inst.results.empty()) {
    assign(inst.results, inst.bodies[0].yields, then);
    assign(inst.results, inst.bodies[1].yields, otherwise);
  }
  return success();
}

/// True if a counted loop has a trip left.
static bool isBelow(ScalarType type, bool isUnsigned, uint64_t value, uint64_t end) {
  return isUnsigned ? value < end : signedValue(type, value) < signedValue(type, end);
}

LogicalResult TileMachine::runFor(const TileInstruction &inst) {
  const TileBody &body = inst.bodies[0];
  bool isUnsigned = cast<scf::ForOp>(inst.op).getUnsignedCmp();
  ArrayRef<int> iterated = ArrayRef<int>(body.arguments).drop_front();
  uint64_t *iv = slots.row(body.arguments[0]);
  const uint64_t *begin = slots.row(inst.operands[0]), *end = slots.row(inst.operands[1]),
                 *step = slots.row(inst.operands[2]);
  Mask active(mask.size(), 0);
  auto enter = [&](int64_t lane) {
    if (isUnsigned ? step[lane] == 0 : signedValue(inst.type, step[lane]) <= 0)
      return raise(inst, "found step " + Twine(signedValue(inst.type, step[lane])) + "; a step is positive", lane);
    iv[lane] = begin[lane];
    active[lane / 64] |= uint64_t(isBelow(inst.type, isUnsigned, begin[lane], end[lane])) << (lane % 64);
    return success();
  };
  if (failed(forEachLane(enter)))
    return failure();
  assign(iterated, ArrayRef<int>(inst.operands).drop_front(3), mask);
  while (isAny(active)) {
    if (failed(countSteps(inst, 1)) || failed(runUnder(body, active)))
      return failure();
    assign(iterated, body.yields, active);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      if (!(active[lane / 64] >> (lane % 64) & 1))
        continue;
      uint64_t next = wrap(inst.type, iv[lane] + step[lane]);
      // A step past the end of the type ends the loop too.
      bool goesOn = isBelow(inst.type, isUnsigned, iv[lane], next) && isBelow(inst.type, isUnsigned, next, end[lane]);
      iv[lane] = next;
      active[lane / 64] &= ~(uint64_t(!goesOn) << (lane % 64));
    }
  }
  assign(inst.results, iterated, mask);
  return success();
}

LogicalResult TileMachine::runWhile(const TileInstruction &inst) {
  const TileBody &before = inst.bodies[0], &after = inst.bodies[1];
  assign(before.arguments, inst.operands, mask);
  Mask active = mask;
  while (isAny(active)) {
    if (failed(countSteps(inst, 1)) || failed(runUnder(before, active)))
      return failure();
    const uint64_t *condition = slots.row(before.condition);
    Mask done(mask.size(), 0);
    for (int64_t lane = 0; lane < lanes; ++lane)
      done[lane / 64] |= uint64_t(!condition[lane]) << (lane % 64);
    for (size_t word = 0; word < mask.size(); ++word) {
      done[word] &= active[word];
      active[word] &= ~done[word];
    }
    assign(inst.results, before.yields, done);
    assign(after.arguments, before.yields, active);
    if (failed(runUnder(after, active)))
      return failure();
    assign(before.arguments, after.yields, active);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Loops over boxes
//===----------------------------------------------------------------------===//

LogicalResult TileMachine::runLoop(const TileInstruction &inst) {
  SmallVector<SmallVector<int64_t>> bounds(inst.map.size(), SmallVector<int64_t>(lanes, 0));
  SmallVector<int64_t> values;
  auto evaluateLane = [&](int64_t lane) {
    if (failed(evaluate(inst, inst.map, lane, values)))
      return failure();
    for (size_t d = 0; d < values.size(); ++d)
      bounds[d][lane] = values[d];
    return success();
  };
  if (failed(forEachLane(evaluateLane)))
    return failure();
  return runLoopFrom(inst, 0, mask, bounds);
}

/// Runs dimension `dim` and those inside it; lanes whose extent is reached wait for the others.
LogicalResult TileMachine::runLoopFrom(const TileInstruction &inst, size_t dim, const Mask &active,
                                       ArrayRef<SmallVector<int64_t>> bounds) {
  if (dim == bounds.size())
    return runUnder(inst.bodies[0], active);
  Mask remaining = active;
  for (int64_t i = 0;; ++i) {
    for (int64_t lane = 0; lane < lanes; ++lane)
      if (i >= bounds[dim][lane])
        remaining[lane / 64] &= ~(uint64_t(1) << (lane % 64));
    if (!isAny(remaining))
      return success();
    fillRow(inst.bodies[0].arguments[dim], i);
    if (failed(countSteps(inst, 1)) || failed(runLoopFrom(inst, dim + 1, remaining, bounds)))
      return failure();
  }
}

/// Values from outside must be the same in every thread: a point has no thread.
LogicalResult TileMachine::checkCaptures(const TileInstruction &inst) {
  for (auto [slot, value] : inst.captures) {
    const uint64_t *row = slots.row(slot);
    for (int64_t lane = 1; lane < lanes; ++lane)
      if (row[lane] != row[0])
        return raise(inst, "uses a value that differs between threads 0 and " + Twine(lane) +
                               "; inside parallel there are no threads");
  }
  for (auto [number, value] : inst.capturedViews)
    if (!isUniform(number))
      return raise(inst, "uses a window that differs between threads; inside parallel there are no threads");
  return success();
}

LogicalResult TileMachine::runParallel(const TileInstruction &inst) {
  SmallVector<int64_t> box;
  if (failed(checkCaptures(inst)) || failed(evaluateUniform(inst, inst.map, box)))
    return failure();
  if (countPoints(box) > int64_t(UINT32_MAX) - 1)
    return raise(inst, "found " + Twine(countPoints(box)) + " points; the interpreter runs up to 2^32 - 2");
  Mask saved = mask;
  int64_t threads = lanes;
  mask.assign(1, 1);
  lanes = 1;
  parallel = &inst;
  extents.assign(box.begin(), box.end());
  ++epoch;
  LogicalResult result = runPoints(inst, box);
  parallel = nullptr;
  lanes = threads;
  mask = saved;
  return result;
}

LogicalResult TileMachine::runPoints(const TileInstruction &inst, ArrayRef<int64_t> box) {
  const TileBody &body = inst.bodies[0];
  int64_t count = countPoints(box);
  SmallVector<int64_t> index(box.size(), 0);
  for (int64_t i = 0; i < count; ++i, nextIndex(index, box)) {
    point = static_cast<uint32_t>(i);
    for (auto [slot, value] : llvm::zip_equal(body.arguments, index))
      slots.row(slot)[0] = value;
    if (failed(countSteps(inst, 1)) || failed(run(body)))
      return failure();
  }
  return success();
}
