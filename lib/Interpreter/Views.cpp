// Views.cpp - allocations, and the operations that name the same storage: reshape, view, slice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Machine.h"

using namespace mlir;
using namespace tile;

/// More than any block can hold: what asks for it is a mistake.
static constexpr int64_t maxTileBytes = int64_t(1) << 30;

/// The view a result's type describes, not yet attached to a storage.
BufferView TileMachine::blankView(const TileInstruction &inst) const {
  BufferView result;
  result.value = inst.op->getResult(0);
  auto type = cast<MemRefType>(result.value.getType());
  result.space = spaceOf(type);
  result.type = *scalarType(type.getElementType());
  result.shape.assign(type.getShape().begin(), type.getShape().end());
  return result;
}

LogicalResult TileMachine::runAlloc(const TileInstruction &inst) {
  BufferView result = blankView(inst);
  bool isLocal = result.space == Space::Local;
  int64_t copies = isLocal ? lanes : 1, bytes = countPoints(result.shape);
  if (bytes > maxTileBytes / byteSize(result.type) / copies)
    return raise(inst, "allocates " + Twine(bytes) + " elements; a tile of the block has at most " +
                           Twine(maxTileBytes / byteSize(result.type) / copies));
  bytes *= byteSize(result.type);
  Storage &storage = tiles[inst.target];
  bool isNew = !storage.data;
  if (isNew || !isLocal)
    storage.allocate(result.space, bytes * copies);
  result.storage = &storage;
  result.threadBytes = isLocal ? bytes : 0;
  result.makeContiguous();
  views[inst.target].assign(1, result);
  return forEachLane([&](int64_t lane) {
    if (isLocal)
      storage.forget(lane * bytes, bytes);
    return success();
  });
}

/// Gives the run-time extents of a result their values.
LogicalResult TileMachine::resolveShape(const TileInstruction &inst, const BufferView &source, BufferView &result) {
  int64_t from = byteSize(source.type), to = byteSize(result.type), rank = result.shape.size();
  int64_t bytes = source.numElements() * from, unknown = -1;
  bool isSameRank = rank == static_cast<int64_t>(source.shape.size());
  for (int64_t d = 0; d < rank; ++d) {
    if (!ShapedType::isDynamic(result.shape[d]))
      continue;
    if (isSameRank && (from == to || d + 1 < rank))
      result.shape[d] = source.shape[d];
    else if (unknown < 0)
      unknown = d;
    else
      return raise(inst,
                   "has two extents that do not follow from " + source.describe() + "; at most one may be left open");
  }
  if (unknown >= 0) {
    result.shape[unknown] = 1;
    int64_t known = result.numElements() * to;
    result.shape[unknown] = known == 0 ? 0 : bytes / known;
  }
  if (result.numElements() * to == bytes)
    return success();
  return raise(inst, "sees " + Twine(bytes) + " bytes of shape " + coordinateText(source.shape) + " as " +
                         Twine(result.numElements() * to) + " bytes of shape " + coordinateText(result.shape) +
                         "; the bytes must agree");
}

/// Sets the views of a result: one for all lanes, or one a lane.
LogicalResult TileMachine::defineViews(const TileInstruction &inst, bool isPerLane,
                                       function_ref<LogicalResult(int64_t, BufferView &)> define) {
  views[inst.target].assign(isPerLane ? lanes : 1, blankView(inst));
  if (!isPerLane)
    return define(firstLane(), views[inst.target].front());
  return forEachLane([&](int64_t lane) { return define(lane, views[inst.target][lane]); });
}

LogicalResult TileMachine::runReinterpret(const TileInstruction &inst) {
  return defineViews(inst, !isUniform(inst.buffer), [&](int64_t lane, BufferView &result) {
    const BufferView &source = view(inst.buffer, lane);
    if (!source.isContiguous())
      return raise(inst,
                   "applies to " + source.describe() +
                       ", whose elements are not adjacent; only storage "
                       "without gaps has another shape or element type",
                   lane);
    if (failed(resolveShape(inst, source, result)))
      return failure();
    result.reinterpret(source);
    return success();
  });
}

LogicalResult TileMachine::runSlice(const TileInstruction &inst) {
  SmallVector<SmallVector<int64_t, 4>> starts(lanes);
  bool isPerLane = !isUniform(inst.buffer);
  int64_t first = firstLane();
  auto evaluateLane = [&](int64_t lane) {
    isPerLane |= failed(evaluate(inst, inst.map, lane, starts[lane])) || starts[lane] != starts[first];
    return failure(fault.has_value());
  };
  if (failed(forEachLane(evaluateLane)))
    return failure();
  return defineViews(inst, isPerLane, [&](int64_t lane, BufferView &result) {
    const BufferView &source = view(inst.buffer, lane);
    if (llvm::any_of(result.shape, ShapedType::isDynamic) || result.shape.size() > source.shape.size() ||
        starts[lane].size() != source.shape.size())
      return raise(inst, "cuts a window of shape " + coordinateText(result.shape) + " at " +
                             coordinateText(starts[lane]) + " from shape " + coordinateText(source.shape) +
                             "; a window is static, of at most the same rank");
    result.window(source, starts[lane]);
    return success();
  });
}
