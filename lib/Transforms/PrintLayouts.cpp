// PrintLayouts.cpp - see PrintLayouts.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportLayouts.h"

#include "dialects/Tile/LayoutParts.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_PRINTLAYOUTS
#include "tile/Transforms/Passes.h.inc"

/// What a picture shows of a tile.
static constexpr int64_t kMostRows = 16, kMostColumns = 32;
/// A bank is 4 bytes wide, and there are 32.
static constexpr int64_t kBankBytes = 4, kBanks = 32;

using Row = SmallVector<std::string>;

/// Right-aligned columns.
static void printRows(raw_ostream &os, ArrayRef<Row> rows) {
  size_t width = 1;
  for (const Row &row : rows)
    for (StringRef cell : row)
      width = std::max(width, cell == "…" ? size_t(1) : cell.size());
  for (const Row &row : rows) {
    for (StringRef cell : row)
      os.indent(2 + width - (cell == "…" ? 1 : cell.size())) << cell;
    os << '\n';
  }
}

/// Draws a matrix of `rows` times `columns`, rows numbered in steps; what is too much becomes an ellipsis.
static void printMatrix(raw_ostream &os, int64_t rows, int64_t columns, int64_t step,
                        llvm::function_ref<std::string(int64_t row, int64_t column)> cell) {
  int64_t shownRows = std::min(rows, kMostRows), shownColumns = std::min(columns, kMostColumns);
  SmallVector<Row> table(1, Row(1, ""));
  for (int64_t column = 0; column < shownColumns; ++column)
    table.front().push_back(std::to_string(column));
  for (int64_t row = 0; row < shownRows; ++row) {
    table.push_back(Row(1, std::to_string(row * step)));
    for (int64_t column = 0; column < shownColumns; ++column)
      table.back().push_back(cell(row, column));
  }
  if (shownColumns < columns)
    for (Row &row : table)
      row.push_back("…");
  if (shownRows < rows)
    table.push_back(Row(1, "…"));
  printRows(os, table);
}

/// Draws a tile of any rank: the last axis across, all others down in row-major order. A single long row is broken.
static void printTile(raw_ostream &os, ArrayRef<int64_t> shape,
                      llvm::function_ref<std::string(ArrayRef<int64_t> coordinate)> cell) {
  int64_t columns = shape.empty() ? 1 : shape.back(), rows = 1;
  for (int64_t extent : shape.drop_back(shape.empty() ? 0 : 1))
    rows *= extent;
  bool isBroken = rows == 1 && columns > kMostColumns;
  int64_t across = isBroken ? kMostColumns : columns, down = isBroken ? llvm::divideCeil(columns, across) : rows;
  printMatrix(os, down, across, isBroken ? across : 1, [&](int64_t row, int64_t column) -> std::string {
    if (isBroken) {
      column += row * across;
      row = 0;
    }
    if (column >= columns)
      return "";
    SmallVector<int64_t> coordinate(shape.size(), 0);
    for (size_t axis = shape.size(); axis-- > 0;) {
      coordinate[axis] = axis + 1 == shape.size() ? column : row % shape[axis];
      row = axis + 1 == shape.size() ? row : row / shape[axis];
    }
    return cell(coordinate);
  });
}

static void printHead(raw_ostream &os, KernelOp kernel, const Twine &what, StringRef layout) {
  os << '@' << kernel.getSymName() << ": " << what << ", " << layout << '\n';
}

/// thread:register of every element; of the first copy.
static void printOwners(raw_ostream &os, KernelOp kernel, const Twine &what, const Layout &layout) {
  size_t copies = layout.copyOffsets().size();
  printHead(os, kernel, what,
            layout.toString() + (copies > 1 ? "; the first of " + std::to_string(copies) + " copies" : ""));
  printTile(os, layout.extents(), [&](ArrayRef<int64_t> coordinate) {
    Place place = layout.place(std::span<const int64_t>(coordinate.data(), coordinate.size()));
    std::string text = std::to_string(place.thread) + ':' + std::to_string(place.reg);
    return layout.blocks() > 1 ? std::to_string(place.block) + '/' + text : text;
  });
}

/// "r, 1x1000 f16 fragment".
static std::string tileText(Operation *op, MemRefType type, StringRef space) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << nameOf(op->getResult(0)) << ", ";
  llvm::interleave(type.getShape(), os, "x");
  os << (type.getRank() == 0 ? "scalar " : " ") << type.getElementType() << ' ' << space;
  return text;
}

static void printBanks(raw_ostream &os, KernelOp kernel, AllocSharedOp op) {
  MemRefType type = op.getType();
  std::optional<SharedLayout> layout = sharedLayoutOf(type, op.getLayoutAttr());
  if (!layout)
    return;
  printHead(os, kernel, tileText(op, type, "shared"), layout->toString() + ", banks");
  printTile(os, type.getShape(), [&](ArrayRef<int64_t> coordinate) {
    int64_t offset = layout->byteOffset(std::span<const int64_t>(coordinate.data(), coordinate.size()));
    return std::to_string(offset / kBankBytes % kBanks);
  });
}

/// A loop that was a copy still knows which.
static std::string loopText(Operation *op) {
  auto note = op->getAttrOfType<StringAttr>("note");
  return note ? note.str() : describe(op);
}

static void printKernel(raw_ostream &os, KernelOp kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocSharedOp>(op))
      return printBanks(os, kernel, alloc);
    auto layout = op->getAttrOfType<DistributedAttr>("layout");
    if (!layout)
      return;
    if (auto alloc = dyn_cast<AllocFragmentOp>(op))
      printOwners(os, kernel, tileText(op, cast<MemRefType>(op->getResult(0).getType()), "fragment"), layoutOf(layout));
    else if (isa<ParallelOp, CopyOp, FillOp>(op) && !touchesFragments(op))
      printOwners(os, kernel, loopText(op), layoutOf(layout));
  });
}

namespace {
struct PrintLayoutsPass : impl::PrintLayoutsBase<PrintLayoutsPass> {
  using PrintLayoutsBase::PrintLayoutsBase;

  void runOnOperation() override {
    OwningOpRef<ModuleOp> decided = getOperation().clone();
    PassManager manager(&getContext());
    addLayoutPasses(manager.nest<KernelOp>(), limit);
    if (failed(manager.run(*decided)))
      return signalPassFailure();
    for (KernelOp kernel : decided->getOps<KernelOp>())
      printKernel(llvm::errs(), kernel);
    markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace tile
