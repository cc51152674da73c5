// Checks.cpp - the rules of the tile dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/TileOps.h"

using namespace mlir;
using namespace tile;

LogicalResult KernelOp::verify() {
  return success();
}
LogicalResult ThreadIdOp::verify() {
  return success();
}
LogicalResult SyncOp::verify() {
  return success();
}
LogicalResult ParallelOp::verify() {
  return success();
}
LogicalResult VectorizedOp::verify() {
  return success();
}
LogicalResult SerialOp::verify() {
  return success();
}
LogicalResult UnrolledOp::verify() {
  return success();
}
LogicalResult PipelinedOp::verify() {
  return success();
}
LogicalResult AllocSharedOp::verify() {
  return success();
}
LogicalResult AllocFragmentOp::verify() {
  return success();
}
LogicalResult AllocLocalOp::verify() {
  return success();
}
LogicalResult ReshapeOp::verify() {
  return success();
}
LogicalResult ViewOp::verify() {
  return success();
}
LogicalResult SliceOp::verify() {
  return success();
}
LogicalResult CopyOp::verify() {
  return success();
}
LogicalResult FillOp::verify() {
  return success();
}
LogicalResult LoadOp::verify() {
  return success();
}
LogicalResult StoreOp::verify() {
  return success();
}
LogicalResult AtomicOp::verify() {
  return success();
}
LogicalResult ReduceOp::verify() {
  return success();
}
LogicalResult PrintOp::verify() {
  return success();
}

/// The box that moves: the smaller side; leading unit dims align from the tail.
SmallVector<int64_t> CopyOp::getTileShape() {
  MemRefType source = getSourceType(), target = getTargetType();
  bool fromSource =
      source.hasStaticShape() && (!target.hasStaticShape() || source.getNumElements() <= target.getNumElements());
  SmallVector<int64_t> shape(fromSource ? source.getShape() : target.getShape());
  return shape;
}

LogicalResult DistributedAttr::verify(function_ref<InFlightDiagnostic()>, ArrayRef<int64_t>, ArrayRef<int64_t>,
                                      ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>, ArrayRef<int64_t>,
                                      ArrayRef<int64_t>, ArrayRef<int64_t>, int64_t, int64_t) {
  return success();
}
LogicalResult PaddedAttr::verify(function_ref<InFlightDiagnostic()>, int64_t) {
  return success();
}
LogicalResult SwizzledAttr::verify(function_ref<InFlightDiagnostic()>, int64_t) {
  return success();
}
