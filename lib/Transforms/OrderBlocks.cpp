// OrderBlocks.cpp - see OrderBlocks.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"
#include "tile/Analysis/LayoutInference.h"
#include "tile/Analysis/OpCost.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_ORDERBLOCKS
#include "tile/Transforms/Passes.h.inc"

/// Is the value made of this block index, by index arithmetic alone?
static bool isMadeOf(Value value, BlockArgument id) {
  if (value == id)
    return true;
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  return apply && llvm::any_of(apply.getOperands(), [&](Value operand) { return isMadeOf(operand, id); });
}

/// Bytes that the op's accesses move along each grid axis, stores counted twice.
static void addVotes(Operation *op, KernelOp kernel, MutableArrayRef<double> votes) {
  double points = tripsOf(op);
  for (int64_t extent : pointExtents(op))
    points *= ShapedType::isDynamic(extent) ? 1 : static_cast<double>(extent);
  for (const TileAccess &access : accessesOf(op)) {
    AffineExpr contiguous = contiguousIndex(access);
    if (spaceOf(access.type()) != Space::Global || !contiguous)
      continue;
    double bytes = points * static_cast<double>(elementBytes(access.type().getElementType()));
    unsigned firstOperand = access.map.getNumDims() - access.operands.size();
    for (auto [axis, id] : llvm::enumerate(kernel.getBlockIds()))
      for (auto [number, operand] : llvm::enumerate(access.operands))
        if (contiguous.isFunctionOfDim(firstOperand + number) && isMadeOf(operand, id)) {
          votes[axis] += access.isStore ? 2 * bytes : bytes;
          break;
        }
  }
}

static void report(KernelOp kernel, ArrayRef<int64_t> order, StringRef why) {
  std::string names;
  for (int64_t axis : order)
    names += (names.empty() ? "%" : ", %") + nameOf(kernel.getBlockIds()[axis], StringRef("xyz").substr(axis, 1)).str();
  remark::passed(kernel.getLoc(), remark::RemarkOpts::name("blocks").category("blocks").function(kernel.getSymName()))
      << remark::metric("order", StringRef(names)) << remark::metric("why", why);
}

namespace {
struct OrderBlocks : impl::OrderBlocksBase<OrderBlocks> {
  using OrderBlocksBase::OrderBlocksBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    auto axes = static_cast<int64_t>(kernel.getBlockIds().size());
    if (axes < 2)
      return;
    if (std::optional<ArrayRef<int64_t>> order = kernel.getBlockOrder())
      return report(kernel, *order, "given by the program");
    SmallVector<double> votes(axes, 0);
    kernel.walk([&](LayoutOpInterface op) { addVotes(op, kernel, votes); });
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, axes));
    const auto *fastest = llvm::max_element(votes);
    std::rotate(order.begin(), order.begin() + (fastest - votes.begin()),
                order.begin() + (fastest - votes.begin()) + 1);
    if (!llvm::is_sorted(order))
      kernel.setBlockOrder(order);
    report(kernel, order,
           *fastest > 0 ? "neighbouring blocks write and read neighbouring memory" : "as in the program");
  }
};
} // namespace
} // namespace tile
