// Faults.cpp - how a run ends early: what happened, where in the text, and in which thread or point.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Machine.h"

using namespace mlir;
using namespace tile;

LogicalResult TileMachine::raise(Location loc, const Twine &text) {
  fault = Fault{loc, text.str()};
  return failure();
}

LogicalResult TileMachine::raise(const TileInstruction &inst, const Twine &text, int64_t lane) {
  std::string place = " in block " + coordinateText(block);
  if (parallel)
    place = " at point " + pointText(point) + place;
  else if (lane >= 0 && lanes > 1 && !inst.isBlockWide)
    place = " in thread " + std::to_string(lane) + place;
  return raise(inst.op->getLoc(), text + "," + place);
}

LogicalResult TileMachine::raiseOutOfRange(const TileInstruction &inst, const BufferView &buffer, const int64_t *index,
                                           int64_t lane) {
  bool isInShape = true;
  for (size_t d = 0; d < buffer.shape.size(); ++d)
    isInShape &= index[d] >= 0 && index[d] < buffer.shape[d];
  std::string text = "accesses " + buffer.element(index);
  if (isInShape)
    return raise(inst, text + ", which lies outside the tile it is a window of", lane);
  return raise(inst, text + ", whose shape is " + coordinateText(buffer.shape), lane);
}

static StringRef verb(Touch touch) {
  return touch == Touch::Read ? "reads" : touch == Touch::Write ? "writes" : "updates";
}

LogicalResult TileMachine::raiseConflict(const TileInstruction &inst, const BufferView &buffer, const int64_t *index,
                                         Touch kind, const Conflict &conflict) {
  std::string mine = pointText(point), others = pointText(conflict.point);
  if (kind == Touch::Write && conflict.touch == Touch::Write)
    return raise(inst.op->getLoc(), "points " + others + " and " + mine + " of one parallel both write " +
                                        buffer.element(index) + "; only atomics may, in block " +
                                        coordinateText(block));
  return raise(inst.op->getLoc(), "point " + mine + " " + verb(kind) + " " + buffer.element(index) + ", which point " +
                                      others + " of the same parallel " + verb(conflict.touch) + ", in block " +
                                      coordinateText(block));
}

/// The coordinates of a point of the present parallel.
std::string TileMachine::pointText(uint32_t number) const {
  SmallVector<int64_t> index(extents.size());
  int64_t rest = number;
  for (size_t d = extents.size(); d-- > 0; rest /= extents[d])
    index[d] = rest % extents[d];
  return coordinateText(index);
}

std::string tile::toString(Location loc) {
  if (auto named = dyn_cast<NameLoc>(loc))
    return toString(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return toString(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc); fused && !fused.getLocations().empty())
    return toString(fused.getLocations().front());
  auto file = dyn_cast<FileLineColLoc>(loc);
  if (!file)
    return "-";
  return file.getFilename().str() + ":" + std::to_string(file.getLine()) + ":" + std::to_string(file.getColumn());
}

std::string tile::toString(const Fault &fault) {
  return toString(fault.loc) + ": error: " + fault.message;
}
