// ReportLayouts.cpp - what the layout solver chose, what came second, and why it did not win.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportLayouts.h"

#include "mlir/IR/Remarks.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;

namespace tile {

std::string clocksText(double clocks) {
  std::string text = llvm::formatv("{0:f1}", clocks).str();
  return StringRef(text).ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

/// One line of the table of layouts.
static void reportLine(KernelOp kernel, Location loc, StringRef buffer, StringRef space, const Layout &layout,
                       const LayoutSolution &chosen, const Layout *otherLayout, const LayoutSolution *other,
                       bool isPinned, std::optional<int64_t> width = std::nullopt) {
  remark::detail::InFlightRemark remark =
      remark::passed(loc, remark::RemarkOpts::name("layout").category("layout").function(kernel.getSymName()));
  remark << remark::metric("buffer", buffer) << remark::metric("space", space)
         << remark::metric("layout", StringRef(layout.toString()));
  if (chosen.cost.isKnown())
    remark << remark::metric("cost", StringRef(clocksText(chosen.cost.time.clocks)));
  std::string asked = width ? llvm::formatv("width: asked for {0}; ", *width).str() : "";
  if (isPinned) {
    remark << remark::metric("why", StringRef(asked + "pinned by the program"));
    return;
  }
  if (other && otherLayout && chosen.cost.isKnown())
    remark << remark::metric("runner_up", StringRef(otherLayout->toString()))
           << remark::metric("runner_up_cost", StringRef(clocksText(other->cost.time.clocks)));
  remark << remark::metric("why", StringRef(asked + reasonOver(chosen.cost, other ? &other->cost : nullptr)));
}

bool touchesFragments(Operation *op) {
  return llvm::any_of(accessesOf(op), [](const TileAccess &access) {
    return isa_and_nonnull<AllocFragmentOp>(rootOf(access.buffer).getDefiningOp());
  });
}

static void reportFragment(KernelOp kernel, AllocFragmentOp op, const LayoutSolver &solver, bool isPinned) {
  const LayoutSolution &chosen = solver.solution();
  Value fragment = op->getResult(0);
  const Layout *layout = chosen.layouts.fragment(fragment);
  if (!layout)
    return;
  const LayoutSolution *other = solver.runnerUp(fragment);
  reportLine(kernel, op->getLoc(), nameOf(fragment), "fragment", *layout, chosen,
             other ? other->layouts.fragment(fragment) : nullptr, other, isPinned);
}

static void reportLoop(KernelOp kernel, Operation *op, const LayoutSolver &solver, bool isPinned) {
  const LayoutSolution &chosen = solver.solution();
  const Layout *layout = chosen.layouts.operation(op);
  auto width = op->getAttrOfType<IntegerAttr>("width");
  if (!layout || (touchesFragments(op) && !width))
    return;
  const LayoutSolution *other = solver.runnerUp(op);
  reportLine(kernel, op->getLoc(), describe(op), "loop", *layout, chosen,
             other ? other->layouts.operation(op) : nullptr, other, isPinned,
             width ? std::optional<int64_t>(width.getInt()) : std::nullopt);
}

/// What the whole kernel takes and is limited by; nothing if no op was counted.
static void reportKernel(KernelOp kernel, const SolutionCost &cost) {
  if (!cost.isKnown())
    return;
  remark::passed(kernel.getLoc(), remark::RemarkOpts::name("kernel").category("kernel").function(kernel.getSymName()))
      << remark::metric("clocks", StringRef(clocksText(cost.time.clocks)))
      << remark::metric("resident", static_cast<int64_t>(std::floor(cost.time.resident)))
      << remark::metric("limit", StringRef(describe(cost.time.limit)));
}

void reportLayouts(KernelOp kernel, const LayoutSolver &solver, const llvm::DenseSet<Operation *> &pinned) {
  if (!kernel->getContext()->getRemarkEngine())
    return;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocFragmentOp>(op))
      reportFragment(kernel, alloc, solver, pinned.contains(op));
    else if (isa<ParallelOp, CopyOp, FillOp>(op))
      reportLoop(kernel, op, solver, pinned.contains(op));
  });
  reportKernel(kernel, solver.solution().cost);
}

} // namespace tile
