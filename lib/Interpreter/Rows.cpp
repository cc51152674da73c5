// Rows.cpp - what works along one dimension: reduce, argreduce, scan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Machine.h"
#include "tile/Support/Conversion.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

LogicalResult TileMachine::runReduce(const TileInstruction &inst) {
  const BufferView &source = view(inst.buffer, 0), &target = view(inst.target, 0);
  SmallVector<int64_t> index(target.shape.size(), 0);
  if (failed(countSteps(inst, source.numElements())))
    return failure();
  for (int64_t i = 0, count = target.numElements(); i < count; ++i, nextIndex(index, target.shape))
    if (failed(reduceRow(inst, index)))
      return failure();
  return success();
}

/// Combines one row from left to right, beginning with the identity, and rounds once at the end.
LogicalResult TileMachine::reduceRow(const TileInstruction &inst, ArrayRef<int64_t> targetIndex) {
  auto op = cast<ReduceOp>(inst.op);
  const BufferView &source = view(inst.buffer, 0), &target = view(inst.target, 0);
  const ReductionRule &rule = *inst.rule;
  int64_t dim = op.getDim(), extent = source.shape[dim];
  SmallVector<int64_t, 4> index(targetIndex);
  index.insert(index.begin() + dim, 0);
  bool exists;
  uint64_t total = rule.identity, bits = 0;
  for (int64_t &i = index[dim]; i < extent; ++i) {
    if (failed(read(inst, source, index.data(), 0, bits, exists)))
      return failure();
    total = tile::accumulate(rule, inst.type, total, exists ? bits : 0);
  }
  std::optional<int64_t> at;
  if (failed(locateTarget(inst, target, targetIndex.data(), 0, at)))
    return failure();
  if (!at)
    return success();
  if (op.getAccumulate()) {
    if (failed(readAt(inst, target, *at, targetIndex.data(), 0, Touch::Read, bits)))
      return failure();
    total = *tile::evaluate(rule.combine, rule.accumulator, convert(inst.type, rule.accumulator, bits), total);
  }
  writeAt(target, *at, finish(inst.reduction, rule, inst.type, total, extent));
  return success();
}

//===----------------------------------------------------------------------===//
// argreduce, scan: the source is read before a target is written
//===----------------------------------------------------------------------===//

/// Every element of the source, in row-major order.
LogicalResult TileMachine::readTile(const TileInstruction &inst, std::vector<uint64_t> &elements) {
  const BufferView &source = view(inst.buffer, 0);
  SmallVector<int64_t, 4> index(source.shape.size(), 0);
  if (failed(countSteps(inst, source.numElements())))
    return failure();
  elements.assign(source.numElements(), 0);
  bool exists;
  for (uint64_t &element : elements) {
    if (failed(read(inst, source, index.data(), 0, element, exists)))
      return failure();
    nextIndex(index, source.shape);
  }
  return success();
}

/// Writes a whole tile, given in row-major order.
LogicalResult TileMachine::writeTile(const TileInstruction &inst, const BufferView &target,
                                     ArrayRef<uint64_t> elements) {
  SmallVector<int64_t, 4> index(target.shape.size(), 0);
  for (uint64_t element : elements) {
    std::optional<int64_t> at;
    if (failed(locateTarget(inst, target, index.data(), 0, at)))
      return failure();
    if (at)
      writeAt(target, *at, element);
    nextIndex(index, target.shape);
  }
  return success();
}

/// The row-major number of the first element of each row along `dim`, in order, and the step from one to the next.
static std::pair<SmallVector<int64_t>, int64_t> rowsOf(ArrayRef<int64_t> shape, int64_t dim) {
  int64_t step = 1;
  for (int64_t extent : shape.drop_front(dim + 1))
    step *= extent;
  SmallVector<int64_t> starts;
  for (int64_t outer = 0, outers = countPoints(shape.take_front(dim)); outer < outers; ++outer)
    for (int64_t inner = 0; inner < step; ++inner)
      starts.push_back(outer * shape[dim] * step + inner);
  return {starts, step};
}

/// Does `value`, further on in the row, take the place of `best`? The first NaN stays; an equal value does not.
static bool winsOver(ArgReduceKind kind, ScalarType type, uint64_t value, uint64_t best) {
  if (isFloat(type)) {
    double a = toDouble(type, value), b = toDouble(type, best);
    if (std::isnan(a) || std::isnan(b))
      return !std::isnan(b);
    return kind == ArgReduceKind::Max ? a > b : a < b;
  }
  int64_t a = signedValue(type, value), b = signedValue(type, best);
  return kind == ArgReduceKind::Max ? a > b : a < b;
}

LogicalResult TileMachine::runArgReduce(const TileInstruction &inst) {
  auto op = cast<ArgReduceOp>(inst.op);
  const BufferView &source = view(inst.buffer, 0);
  std::vector<uint64_t> elements, values, indices;
  if (failed(readTile(inst, elements)))
    return failure();
  int64_t dim = op.getDim();
  auto [starts, step] = rowsOf(source.shape, dim);
  for (int64_t start : starts) {
    int64_t best = 0;
    for (int64_t i = 1; i < source.shape[dim]; ++i)
      if (winsOver(op.getKind(), inst.type, elements[start + i * step], elements[start + best * step]))
        best = i;
    values.push_back(elements[start + best * step]);
    indices.push_back(static_cast<uint64_t>(best));
  }
  return success(succeeded(writeTile(inst, view(inst.target, 0), values)) &&
                 succeeded(writeTile(inst, view(inst.secondTarget, 0), indices)));
}

/// From one end to the other, beginning with the identity; each result is rounded, what runs on is not.
LogicalResult TileMachine::runScan(const TileInstruction &inst) {
  auto op = cast<ScanOp>(inst.op);
  const BufferView &source = view(inst.buffer, 0);
  const ReductionRule &rule = *inst.rule;
  std::vector<uint64_t> elements;
  if (failed(readTile(inst, elements)))
    return failure();
  int64_t dim = op.getDim(), extent = source.shape[dim];
  auto [starts, step] = rowsOf(source.shape, dim);
  for (int64_t start : starts) {
    uint64_t running = rule.identity;
    for (int64_t i = 0; i < extent; ++i) {
      uint64_t &element = elements[start + (op.getReverse() ? extent - 1 - i : i) * step];
      uint64_t next = tile::accumulate(rule, inst.type, running, element);
      element = finish(inst.reduction, rule, inst.type, op.getExclusive() ? running : next, extent);
      running = next;
    }
  }
  return writeTile(inst, view(inst.target, 0), elements);
}
