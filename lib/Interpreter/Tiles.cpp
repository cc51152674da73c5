// Tiles.cpp - whole-tile operations: copy, fill, print.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Machine.h"
#include "tile/Support/Conversion.h"
#include "tile/Support/Literal.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// copy
//===----------------------------------------------------------------------===//

LogicalResult TileMachine::runCopy(const TileInstruction &inst) {
  SmallVector<int64_t> from, to;
  if (inst.isBlockWide) {
    if (failed(evaluateUniform(inst, inst.map, from)) || failed(evaluateUniform(inst, inst.targetMap, to)))
      return failure();
    return copyTile(inst, from, to, firstLane());
  }
  // A private array takes part: each thread copies its own.
  return forEachLane([&](int64_t lane) {
    if (failed(evaluate(inst, inst.map, lane, from)) || failed(evaluate(inst, inst.targetMap, lane, to)))
      return failure();
    return copyTile(inst, from, to, lane);
  });
}

/// Where a point of the tile lies on one side: dimensions align from the tail, missing starts are 0.
static void place(ArrayRef<int64_t> starts, ArrayRef<int64_t> index, MutableArrayRef<int64_t> at) {
  for (size_t d = 0; d < at.size(); ++d) {
    int64_t start = starts.empty() ? 0 : starts[d];
    bool isInTile = d + index.size() >= at.size();
    at[d] = isInTile ? static_cast<int64_t>(uint64_t(start) + uint64_t(index[d + index.size() - at.size()])) : start;
  }
}

LogicalResult TileMachine::copyTile(const TileInstruction &inst, ArrayRef<int64_t> sourceStarts,
                                    ArrayRef<int64_t> targetStarts, int64_t lane) {
  const BufferView &source = view(inst.buffer, lane), &target = view(inst.target, lane);
  SmallVector<int64_t> shape = cast<CopyOp>(inst.op).getTileShape();
  size_t rank = std::min(source.shape.size(), target.shape.size());
  while (shape.size() > rank && shape.front() == 1)
    shape.erase(shape.begin());
  if (shape.size() > rank || (!sourceStarts.empty() && sourceStarts.size() != source.shape.size()) ||
      (!targetStarts.empty() && targetStarts.size() != target.shape.size()))
    return raise(inst, "copies shape " + coordinateText(shape) + " from " + coordinateText(source.shape) + " to " +
                           coordinateText(target.shape) + "; shapes match up to leading unit dimensions");
  SmallVector<int64_t, 4> index(shape.size(), 0), from(source.shape.size()), to(target.shape.size());
  int64_t count = countPoints(shape);
  if (failed(countSteps(inst, count)))
    return failure();
  for (int64_t i = 0; i < count; ++i, nextIndex(index, shape)) {
    place(sourceStarts, index, from);
    place(targetStarts, index, to);
    if (failed(copyElement(inst, source, from.data(), target, to.data(), lane)))
      return failure();
  }
  return success();
}

LogicalResult TileMachine::copyElement(const TileInstruction &inst, const BufferView &source, const int64_t *from,
                                       const BufferView &target, const int64_t *to, int64_t lane) {
  std::optional<int64_t> at;
  if (failed(locateTarget(inst, target, to, lane, at)))
    return failure();
  // What is dropped is not read either.
  if (!at)
    return success();
  bool exists;
  uint64_t bits = 0, result = inst.bits;
  if (failed(read(inst, source, from, lane, bits, exists)))
    return failure();
  const uint64_t *operand = &bits;
  if (exists)
    inst.function(&operand, &result, 1);
  writeAt(target, *at, result);
  return success();
}

//===----------------------------------------------------------------------===//
// fill
//===----------------------------------------------------------------------===//

LogicalResult TileMachine::runFill(const TileInstruction &inst) {
  if (!inst.isBlockWide)
    return forEachLane([&](int64_t lane) { return fillTile(inst, lane); });
  if (!inst.operands.empty()) {
    const uint64_t *value = slots.row(inst.operands[0]);
    for (int64_t lane = 1; lane < lanes; ++lane)
      if (value[lane] != value[0])
        return raise(inst, "'tile.fill' has a value that differs between threads 0 and " + Twine(lane) +
                               "; it is block-wide");
  }
  return fillTile(inst, firstLane());
}

LogicalResult TileMachine::fillTile(const TileInstruction &inst, int64_t lane) {
  const BufferView &target = view(inst.target, lane);
  uint64_t bits = inst.operands.empty() ? inst.bits : slots.row(inst.operands[0])[lane];
  SmallVector<int64_t, 4> index(target.shape.size(), 0);
  int64_t count = target.numElements();
  if (failed(countSteps(inst, count)))
    return failure();
  for (int64_t i = 0; i < count; ++i, nextIndex(index, target.shape)) {
    std::optional<int64_t> at;
    if (failed(locateTarget(inst, target, index.data(), lane, at)))
      return failure();
    if (at)
      writeAt(target, *at, bits);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// print
//===----------------------------------------------------------------------===//

/// "scale.mlir:7: %x": where a print stands, and what it shows.
static void printHead(raw_ostream &stream, PrintOp op) {
  std::string place = toString(op.getLoc());
  stream << StringRef(place).rsplit(':').first << ": ";
  if (auto name = dyn_cast<NameLoc>(op.getValue().getLoc()))
    stream << '%' << name.getName().getValue();
  else
    stream << "value";
}

LogicalResult TileMachine::runPrint(const TileInstruction &inst) {
  auto op = cast<PrintOp>(inst.op);
  SmallVector<int64_t, 3> chosen(block.size(), 0);
  if (std::optional<ArrayRef<int64_t>> wanted = op.getBlock())
    std::copy_n(wanted->begin(), std::min(wanted->size(), chosen.size()), chosen.begin());
  if (!options.printStream || chosen != block)
    return success();
  raw_ostream &stream = *options.printStream;
  if (inst.isBlockWide) {
    printHead(stream, op);
    stream << " = ";
    printTile(view(inst.buffer, 0), 0);
    stream << '\n';
    return success();
  }
  const uint64_t *value = inst.operands.empty() ? nullptr : slots.row(inst.operands[0]);
  bool isOneForAll = !parallel && value && isFull() && std::equal(value + 1, value + lanes, value);
  return forEachLane([&](int64_t lane) {
    if (isOneForAll && lane > 0)
      return success();
    printHead(stream, op);
    if (parallel)
      stream << " at point " << pointText(point);
    else if (!isOneForAll)
      stream << " of thread " << lane;
    stream << " = ";
    if (value)
      stream << toText(*scalarType(op.getValue().getType()), value[lane]);
    else
      printTile(view(inst.buffer, lane), lane);
    stream << '\n';
    return success();
  });
}

/// Elements in logical order, one bracket a dimension; `?` where nothing was written or nothing exists.
void TileMachine::printTile(const BufferView &buffer, int64_t lane) {
  raw_ostream &stream = *options.printStream;
  SmallVector<int64_t, 4> index(buffer.shape.size(), 0);
  int64_t count = buffer.numElements();
  std::string opening(buffer.shape.size(), '['), closing(buffer.shape.size(), ']');
  stream << (count > 0 ? opening : "[]");
  for (int64_t i = 0; i < count; ++i) {
    std::optional<int64_t> at = buffer.locate(index.data(), lane);
    const Storage *storage = at ? buffer.storage : nullptr;
    bool isKnown = storage && (storage->written.empty() || storage->written[*at]);
    stream << (isKnown ? toText(buffer.type, loadBits(buffer.type, storage->data + *at)) : "?");
    if (!nextIndex(index, buffer.shape))
      break;
    size_t closed = 0;
    while (closed < index.size() && index[index.size() - 1 - closed] == 0)
      ++closed;
    stream << StringRef(closing).take_front(closed) << ", " << StringRef(opening).take_front(closed);
  }
  if (count > 0)
    stream << closing;
}
