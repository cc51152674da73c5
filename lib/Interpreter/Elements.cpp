// Elements.cpp - scalars, brackets, and single elements: load, store, atomic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Machine.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

LogicalResult TileMachine::runScalar(const TileInstruction &inst) {
  std::array<const uint64_t *, 3> operands = {};
  for (size_t word = 0; word < mask.size(); ++word) {
    if (!mask[word])
      continue;
    int64_t first = 64 * word;
    for (size_t i = 0; i < inst.operands.size(); ++i)
      operands[i] = slots.row(inst.operands[i]) + first;
    int count = static_cast<int>(std::min<int64_t>(64, lanes - first));
    uint64_t *result = slots.row(inst.results[0]) + first;
    uint64_t faults = inst.scalar->callLanes(operands.data(), result, count) & mask[word];
    if (!faults)
      continue;
    int lane = llvm::countr_zero(faults);
    std::array<uint64_t, 3> values = {};
    for (size_t i = 0; i < inst.operands.size(); ++i)
      values[i] = operands[i][lane];
    std::string_view text = inst.scalar->faultText(values.data());
    return raise(inst, StringRef(text.data(), text.size()), first + lane);
  }
  return success();
}

LogicalResult TileMachine::runThreadId(const TileInstruction &inst) {
  for (int64_t lane = 0; lane < lanes; ++lane)
    slots.row(inst.results[0])[lane] = lane;
  return success();
}

LogicalResult TileMachine::runDim(const TileInstruction &inst) {
  return forEachLane([&](int64_t lane) {
    const BufferView &buffer = view(inst.buffer, lane);
    uint64_t dim = slots.row(inst.operands[0])[lane];
    if (dim >= buffer.shape.size())
      return raise(inst,
                   "asks for dimension " + Twine(static_cast<int64_t>(dim)) + " of " + buffer.describe() +
                       ", whose rank is " + Twine(buffer.shape.size()),
                   lane);
    slots.row(inst.results[0])[lane] = buffer.shape[dim];
    return success();
  });
}

LogicalResult TileMachine::runApply(const TileInstruction &inst) {
  SmallVector<int64_t, 1> values;
  return forEachLane([&](int64_t lane) {
    if (failed(evaluate(inst, inst.map, lane, values)))
      return failure();
    slots.row(inst.results[0])[lane] = values[0];
    return success();
  });
}

LogicalResult TileMachine::runAssert(const TileInstruction &inst) {
  const uint64_t *condition = slots.row(inst.operands[0]);
  return forEachLane([&](int64_t lane) {
    return condition[lane] ? success() : raise(inst, cast<AssertOp>(inst.op).getMessage(), lane);
  });
}

LogicalResult TileMachine::runSync(const TileInstruction &) {
  return success();
}

//===----------------------------------------------------------------------===//
// Brackets
//===----------------------------------------------------------------------===//

LogicalResult TileMachine::evaluate(const TileInstruction &inst, const AffineSums &map, int64_t lane,
                                    SmallVectorImpl<int64_t> &values) {
  values.clear();
  for (const AffineSum &sum : map) {
    std::optional<int64_t> value = sum.evaluate(slots, lane);
    if (!value)
      return raise(inst, "divides by a number that is not positive in a bracket", lane);
    values.push_back(*value);
  }
  return success();
}

LogicalResult TileMachine::evaluateUniform(const TileInstruction &inst, const AffineSums &map,
                                           SmallVectorImpl<int64_t> &values) {
  if (failed(evaluate(inst, map, firstLane(), values)))
    return failure();
  SmallVector<int64_t> others;
  return forEachLane([&](int64_t lane) {
    if (failed(evaluate(inst, map, lane, others)))
      return failure();
    if (ArrayRef<int64_t>(others) != ArrayRef<int64_t>(values))
      return raise(inst, "'" + inst.op->getName().getStringRef() +
                             "' has a bracket that differs between threads; it is block-wide");
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

LogicalResult TileMachine::touch(const TileInstruction &inst, const BufferView &buffer, int64_t at,
                                 const int64_t *index, Touch kind) {
  if (!parallel || !parallel->writes[static_cast<int>(buffer.space)])
    return success();
  int64_t granule = program.granuleBytes;
  for (int64_t i = at / granule, end = (at + byteSize(buffer.type)) / granule; i < end; ++i)
    if (std::optional<Conflict> conflict = buffer.storage->touches.touch(epoch, i, point, kind))
      return raiseConflict(inst, buffer, index, kind, *conflict);
  return success();
}

LogicalResult TileMachine::readAt(const TileInstruction &inst, const BufferView &buffer, int64_t at,
                                  const int64_t *index, int64_t lane, Touch kind, uint64_t &bits) {
  const Storage &storage = *buffer.storage;
  if (!storage.written.empty())
    for (int64_t byte = at, end = at + byteSize(buffer.type); byte < end; ++byte)
      if (!storage.written[byte])
        return raise(inst, "reads " + buffer.element(index) + ", which nothing wrote", lane);
  bits = loadBits(buffer.type, storage.data + at);
  return touch(inst, buffer, at, index, kind);
}

LogicalResult TileMachine::read(const TileInstruction &inst, const BufferView &buffer, const int64_t *index,
                                int64_t lane, uint64_t &bits, bool &exists) {
  std::optional<int64_t> at = buffer.locate(index, lane);
  exists = at.has_value();
  if (exists && !buffer.storage)
    return raise(inst, "reads " + buffer.element(index) + ", which has no memory", lane);
  if (exists)
    return readAt(inst, buffer, *at, index, lane, Touch::Read, bits);
  return buffer.space == Space::Global ? success() : raiseOutOfRange(inst, buffer, index, lane);
}

LogicalResult TileMachine::locateTarget(const TileInstruction &inst, const BufferView &buffer, const int64_t *index,
                                        int64_t lane, std::optional<int64_t> &at) {
  at = buffer.locate(index, lane);
  if (at && !buffer.storage)
    return raise(inst, "writes " + buffer.element(index) + ", which has no memory", lane);
  return at || buffer.space == Space::Global ? success() : raiseOutOfRange(inst, buffer, index, lane);
}

void TileMachine::writeAt(const BufferView &buffer, int64_t at, uint64_t bits) {
  Storage &storage = *buffer.storage;
  storeBits(buffer.type, storage.data + at, bits);
  if (!storage.written.empty())
    std::fill_n(storage.written.begin() + at, byteSize(buffer.type), 1);
}

LogicalResult TileMachine::runLoad(const TileInstruction &inst) {
  SmallVector<int64_t, 4> index;
  uint64_t *result = slots.row(inst.results[0]);
  return forEachLane([&](int64_t lane) {
    bool exists;
    uint64_t bits = inst.bits;
    if (failed(evaluate(inst, inst.map, lane, index)) ||
        failed(read(inst, view(inst.buffer, lane), index.data(), lane, bits, exists)))
      return failure();
    result[lane] = bits;
    return success();
  });
}

LogicalResult TileMachine::runStore(const TileInstruction &inst) {
  SmallVector<int64_t, 4> index;
  const uint64_t *value = slots.row(inst.operands[0]);
  std::optional<int64_t> common;
  int64_t count = 0;
  auto storeLane = [&](int64_t lane) {
    const BufferView &buffer = view(inst.buffer, lane);
    std::optional<int64_t> at;
    if (failed(evaluate(inst, inst.map, lane, index)) || failed(locateTarget(inst, buffer, index.data(), lane, at)))
      return failure();
    if (!at)
      return success();
    // A store that all threads make to one element is a mistake, not a race to be won.
    count = !common || *common == *at ? count + 1 : 0;
    common = at;
    if (count == lanes && lanes > 1)
      return raise(inst, "all " + Twine(lanes) + " threads store to one element of " + buffer.describe() +
                             "; write parallel (%i) in (1), or guard the store by the thread");
    if (failed(touch(inst, buffer, *at, index.data(), Touch::Write)))
      return failure();
    writeAt(buffer, *at, value[lane]);
    return success();
  };
  return forEachLane(storeLane);
}

LogicalResult TileMachine::runAtomic(const TileInstruction &inst) {
  SmallVector<int64_t, 4> index;
  const uint64_t *value = slots.row(inst.operands[0]);
  return forEachLane([&](int64_t lane) {
    const BufferView &buffer = view(inst.buffer, lane);
    std::optional<int64_t> at;
    uint64_t old = 0;
    if (failed(evaluate(inst, inst.map, lane, index)) || failed(locateTarget(inst, buffer, index.data(), lane, at)))
      return failure();
    if (at) {
      if (failed(readAt(inst, buffer, *at, index.data(), lane, Touch::Atomic, old)))
        return failure();
      uint64_t combined = value[lane];
      std::array<const uint64_t *, 2> operands = {&old, &value[lane]};
      if (inst.function)
        inst.function(operands.data(), &combined, 1);
      writeAt(buffer, *at, combined);
    }
    if (!inst.results.empty())
      slots.row(inst.results[0])[lane] = old;
    return success();
  });
}
