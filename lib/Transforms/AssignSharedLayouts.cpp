// AssignSharedLayouts.cpp - see AssignSharedLayouts.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerTiles.h"

#include "dialects/Tile/LayoutParts.h"
#include "tile/Analysis/SharedRequests.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Threading.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_ASSIGNSHAREDLAYOUTS
#include "tile/Transforms/Passes.h.inc"

/// One turn of the banks, which every tile is aligned to.
static constexpr int64_t kTurnBytes = 128;

namespace {
/// A shared tile of the kernel, and what is found out about it.
struct Tile {
  AllocSharedOp op;
  MemRefType type;
  bool isPinned = false;
  /// Another shape or element type looks at it in rows that are not its own: they may not become longer.
  bool isRigid = false;
  /// The widest element of a view.
  int64_t wholeBytes = 1;
  /// Offsets are those of `probe`, the layout that the copy of the kernel was lowered with.
  SharedRequests accesses;
  std::optional<SharedLayout> probe;
  bool isCut = false; ///< under the chosen layout accesses are narrower than in the probe

  std::optional<SharedLayout> chosen;
  std::optional<int64_t> cost, ideal, runnerUpCost;
  std::string runnerUp, why;

  int64_t denseBytes() const { return tileBytes(type); }
};

/// Chooses the layouts of one kernel.
class Assignment {
public:
  Assignment(KernelOp kernel, int64_t limit) : kernel(kernel), limit(limit) {}
  void run();

private:
  void gather();
  void roundRows();
  bool probe();
  void choose(Tile &tile);
  void recount();
  void judgePin(Tile &tile);
  void decide(Tile &tile);
  std::optional<SharedSearchResult> search(Tile &tile, int64_t mostBytes);
  void report(Tile &tile);

  KernelOp kernel;
  int64_t limit;
  int64_t slack = 0; ///< bytes that layouts may add
  std::vector<Tile> tiles;
};
} // namespace

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Looks through everything that names the storage of `buffer`.
static void lookThroughViews(Value buffer, bool isReshaped, Tile &tile) {
  for (Operation *user : buffer.getUsers()) {
    if (auto view = dyn_cast<ViewOp>(user)) {
      auto from = cast<MemRefType>(buffer.getType()), to = cast<MemRefType>(view.getType());
      bool keepsRows = from.getRank() == to.getRank() && from.getRank() > 0 &&
                       from.getShape().drop_back() == to.getShape().drop_back();
      tile.isRigid |= isReshaped || !keepsRows;
      tile.wholeBytes = std::max(tile.wholeBytes, elementBytes(to.getElementType()));
      lookThroughViews(view, isReshaped, tile);
    } else if (isa<ReshapeOp, SliceOp>(user)) {
      lookThroughViews(user->getResult(0), isReshaped || isa<ReshapeOp>(user), tile);
    }
  }
}

static int64_t rowBytes(MemRefType type) {
  return (type.getRank() ? type.getShape().back() : 1) * elementBytes(type.getElementType());
}

void Assignment::gather() {
  slack = limit;
  kernel.walk<WalkOrder::PreOrder>([&](AllocSharedOp op) {
    Tile &tile = tiles.emplace_back();
    tile.op = op;
    tile.type = cast<MemRefType>(op.getType());
    tile.isPinned = static_cast<bool>(op.getLayoutAttr());
    lookThroughViews(op.getResult(), /*isReshaped=*/false, tile);
    slack -= llvm::alignTo(tile.denseBytes(), kTurnBytes);
  });
  slack = std::max<int64_t>(slack, 0);
}

/// The layouts of the probe: rows rounded up to whole vectors, where there is room for that.
void Assignment::roundRows() {
  for (Tile &tile : tiles) {
    int64_t row = rowBytes(tile.type), rounded = llvm::alignTo(row, kVectorBytes);
    int64_t growth = tile.denseBytes() / row * (rounded - row);
    if (tile.isPinned) {
      tile.probe = sharedLayoutOf(tile.type, tile.op.getLayoutAttr());
      continue;
    }
    tile.isRigid |= growth + kTurnBytes > slack && growth > 0;
    bool isRounded = !tile.isRigid && tile.denseBytes() > row && row > kVectorBytes;
    tile.probe = SharedLayout::get({tile.type.getShape().begin(), tile.type.getShape().end()},
                                   elementBytes(tile.type.getElementType()),
                                   isRounded ? (rounded - row) / elementBytes(tile.type.getElementType()) : 0);
    slack -= isRounded ? growth : 0;
  }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Lowers a copy of the kernel under the probe's layouts and reads off its addresses; false if the kernel is refused.
bool Assignment::probe() {
  MLIRContext *context = kernel.getContext();
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(kernel.getLoc());
  OpBuilder builder = OpBuilder::atBlockBegin(scratch->getBody());
  auto copy = cast<KernelOp>(builder.clone(*kernel));
  SmallVector<AllocSharedOp> allocs;
  copy.walk<WalkOrder::PreOrder>([&](AllocSharedOp op) { allocs.push_back(op); });
  for (auto [tile, alloc] : llvm::zip_equal(tiles, allocs))
    alloc.setLayoutAttr(sharedLayoutAttr(context, *tile.probe));
  // What is wrong with the kernel is said once, when it is lowered for good.
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler silence(context, [&](Diagnostic &) { return success(llvm::get_threadid() == thread); });
  KernelLowering lowering(copy, {/*isAligned=*/true}, kernel.getSymName(), /*isChecked=*/false);
  if (failed(lowering.run()))
    return false;
  llvm::MapVector<Value, SharedRequests> found = collectSharedRequests(lowering.result());
  for (auto [tile, alloc] : llvm::zip_equal(tiles, allocs)) {
    auto requests = found.find(lowering.bufferOf(alloc));
    if (requests == found.end())
      continue;
    tile.accesses = std::move(requests->second);
    if (tile.accesses.unknown) // the copy goes away
      tile.accesses.unknown = tile.op;
  }
  return true;
}

/// An offset of the probe as the row-major one of a dense tile; negative outside of it, where no element is.
static int64_t denseOffset(const Tile &tile, int64_t offset, int64_t bytes) {
  const SharedLayout &layout = *tile.probe;
  int64_t row = rowBytes(tile.type), linear = layout.applyXor(offset), panel = layout.panelBytes();
  int64_t line = linear / layout.pitchBytes(), column = linear % layout.pitchBytes();
  if (panel != 0) {
    column += line / layout.rows() * panel;
    line %= layout.rows();
  }
  int64_t dense = line * row + column;
  bool isInside = dense + bytes <= tile.denseBytes() && (tile.isRigid || column + bytes <= row);
  return isInside ? dense : MemoryRequest::kInactive;
}

static std::vector<MemoryRequest> denseRequests(const Tile &tile) {
  std::vector<MemoryRequest> requests = tile.accesses.requests;
  for (MemoryRequest &request : requests)
    for (int64_t &address : request.address)
      if (address >= 0)
        address = denseOffset(tile, address, request.bytes);
  return requests;
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

std::optional<SharedSearchResult> Assignment::search(Tile &tile, int64_t mostBytes) {
  SharedSearchOptions options;
  options.mayCut = !tile.isPinned;
  options.mayPad = !tile.isRigid;
  options.wholeBytes = tile.wholeBytes;
  options.maxBytes = mostBytes;
  Extents extents(tile.type.getShape().begin(), tile.type.getShape().end());
  return searchSharedLayout(tile.isRigid ? Extents{tile.type.getNumElements()} : extents,
                            elementBytes(tile.type.getElementType()), denseRequests(tile), options, &tile.why);
}

void Assignment::decide(Tile &tile) {
  int64_t reserved = tile.probe->sizeInBytes() - tile.denseBytes();
  std::optional<SharedSearchResult> result =
      search(tile, llvm::alignTo(tile.denseBytes(), kTurnBytes) + reserved + slack);
  if (!result)
    return;
  const SharedLayout &best = result->best.layout;
  tile.chosen = SharedLayout::get({tile.type.getShape().begin(), tile.type.getShape().end()},
                                  elementBytes(tile.type.getElementType()), best.padElements(), best.xorField());
  tile.cost = result->best.cost;
  tile.ideal = result->ideal;
  tile.why = result->why;
  tile.isCut = llvm::any_of(tile.accesses.requests,
                            [&](const MemoryRequest &request) { return request.bytes > result->accessBytes; });
  if (result->runnerUp) {
    tile.runnerUp = result->runnerUp->layout.toString();
    tile.runnerUpCost = result->runnerUp->cost;
  }
  slack = std::max<int64_t>(slack + reserved - (tile.chosen->sizeInBytes() - tile.denseBytes()), 0);
}

/// Wavefronts of the accesses as they are in the probe.
static void count(Tile &tile) {
  tile.cost = tile.ideal = 0;
  for (const MemoryRequest &request : tile.accesses.requests) {
    *tile.cost += request.weight * wavefronts(request);
    *tile.ideal += request.weight * idealWavefronts(request);
  }
}

/// What a pin costs, and what the compiler would take for the same accesses.
void Assignment::judgePin(Tile &tile) {
  tile.chosen = tile.probe;
  tile.why = "pinned by the program";
  if (tile.accesses.unknown)
    return;
  count(tile);
  std::string pinned = tile.why;
  std::optional<SharedSearchResult> result =
      tile.cost > tile.ideal ? search(tile, INT64_MAX) : std::optional<SharedSearchResult>();
  tile.why = pinned;
  if (result && result->best.cost < *tile.cost)
    tile.why += "; " + result->best.layout.toString() + " would take " + std::to_string(result->best.cost);
}

void Assignment::choose(Tile &tile) {
  if (tile.isPinned)
    return judgePin(tile);
  if (tile.accesses.unknown)
    tile.why = "linear: the address of an access depends on data";
  else if (tile.accesses.requests.empty())
    tile.why = "linear: no access to it";
  else
    decide(tile);
  if (!tile.chosen)
    tile.chosen = sharedLayoutOf(tile.type, Attribute());
}

/// Narrower vectors have other tails, so what is cut is counted anew.
void Assignment::recount() {
  if (llvm::none_of(tiles, [](const Tile &tile) { return tile.isCut; }))
    return;
  for (Tile &tile : tiles)
    tile.probe = tile.chosen;
  if (!probe())
    return;
  for (Tile &tile : tiles) {
    int64_t expected = tile.cost.value_or(0);
    if (!tile.isCut)
      continue;
    count(tile);
    if (tile.cost != expected)
      tile.why += "; with the tails of the narrower vectors " + std::to_string(*tile.cost) + " against " +
                  std::to_string(*tile.ideal);
  }
}

void Assignment::report(Tile &tile) {
  remark::detail::InFlightRemark remark = remark::passed(
      tile.op.getLoc(), remark::RemarkOpts::name("layout").category("layout").function(kernel.getSymName()));
  auto add = [&](StringRef key, std::optional<int64_t> figure) {
    if (figure)
      remark << remark::metric(key, *figure);
  };
  remark << remark::metric("buffer", nameOf(tile.op)) << remark::metric("space", StringRef("shared"))
         << remark::metric("layout", StringRef(tile.chosen->toString()));
  add("cost", tile.cost);
  add("ideal", tile.ideal);
  if (!tile.runnerUp.empty())
    remark << remark::metric("runner_up", StringRef(tile.runnerUp));
  add("runner_up_cost", tile.runnerUpCost);
  remark << remark::metric("why", StringRef(tile.why));
}

void Assignment::run() {
  gather();
  if (tiles.empty())
    return;
  roundRows();
  if (!probe())
    for (Tile &tile : tiles)
      tile.accesses.requests.clear();
  for (Tile &tile : tiles)
    choose(tile);
  recount();
  for (Tile &tile : tiles) {
    if (!tile.isPinned)
      tile.op.setLayoutAttr(sharedLayoutAttr(kernel.getContext(), *tile.chosen));
    report(tile);
  }
}

namespace {
struct AssignSharedLayoutsPass : impl::AssignSharedLayoutsBase<AssignSharedLayoutsPass> {
  using AssignSharedLayoutsBase::AssignSharedLayoutsBase;
  void runOnOperation() override { Assignment(getOperation(), limit).run(); }
};
} // namespace
} // namespace tile
