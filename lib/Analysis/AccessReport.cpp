// AccessReport.cpp - what each memory access of a simt kernel costs, read off its addresses without running it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/AccessReport.h"

#include "LaneValues.h"
#include "tile/Analysis/Streams.h"
#include "tile/Layout/AccessCost.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tile {

//===----------------------------------------------------------------------===//
// Values as text
//===----------------------------------------------------------------------===//

static std::string textOf(Value value, int depth);

static StringRef userName(Value value) {
  auto name = dyn_cast<NameLoc>(value.getLoc());
  return name ? name.getName().getValue() : StringRef();
}

static std::string textOf(AffineExpr expr, unsigned numDims, ValueRange operands, int depth) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return textOf(operands[dim.getPosition()], depth);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return textOf(operands[numDims + symbol.getPosition()], depth);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::string lhs = textOf(binary.getLHS(), numDims, operands, depth);
  std::string rhs = textOf(binary.getRHS(), numDims, operands, depth);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + " + " + rhs;
  case AffineExprKind::Mul:
    return (isa<AffineBinaryOpExpr>(binary.getLHS()) ? "(" + lhs + ")" : lhs) + " * " + rhs;
  case AffineExprKind::Mod:
    return "(" + lhs + ") mod " + rhs;
  case AffineExprKind::FloorDiv:
    return "(" + lhs + ") floordiv " + rhs;
  default:
    return "(" + lhs + ") ceildiv " + rhs;
  }
}

static StringRef symbolOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return " == ";
  case arith::CmpIPredicate::ne:
    return " != ";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return " < ";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return " <= ";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return " > ";
  default:
    return " >= ";
  }
}

/// Shifts and masks as the products, quotients and remainders they stand for; empty for anything else.
static std::string powerText(Operation *op, int depth) {
  APInt constant;
  if (op->getNumOperands() != 2 || !matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return "";
  std::string lhs = textOf(op->getOperand(0), depth - 1);
  if (isa<arith::ShLIOp>(op) && constant.ult(63))
    return lhs + " * " + std::to_string(int64_t(1) << constant.getZExtValue());
  if (isa<arith::ShRUIOp>(op) && constant.ult(63))
    return "(" + lhs + ") floordiv " + std::to_string(int64_t(1) << constant.getZExtValue());
  if (isa<arith::AndIOp>(op) && (constant + 1).isPowerOf2())
    return "(" + lhs + ") mod " + std::to_string(constant.getZExtValue() + 1);
  if (isa<arith::DivUIOp>(op))
    return "(" + lhs + ") floordiv " + std::to_string(constant.getZExtValue());
  if (isa<arith::RemUIOp>(op))
    return "(" + lhs + ") mod " + std::to_string(constant.getZExtValue());
  return "";
}

/// The value as its reader knows it, a few operations deep.
static std::string textOf(Value value, int depth) {
  if (APInt constant; matchPattern(value, m_ConstantInt(&constant)))
    return llvm::toString(constant, 10, /*Signed=*/!value.getType().isInteger(1));
  Operation *op = value.getDefiningOp();
  if (!op)
    return userName(value).empty() ? "…" : "%" + userName(value).str();
  if (isa<simt::ThreadIdOp>(op))
    return "thread";
  if (depth > 0) {
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      return textOf(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), apply.getMapOperands(),
                    depth - 1);
    if (auto cmp = dyn_cast<arith::CmpIOp>(op))
      return textOf(cmp.getLhs(), depth - 1) + symbolOf(cmp.getPredicate()).str() + textOf(cmp.getRhs(), depth - 1);
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
      return textOf(op->getOperand(0), depth);
    if (std::string text = powerText(op, depth); !text.empty())
      return text;
    StringRef sign = isa<arith::AddIOp>(op)   ? " + "
                     : isa<arith::MulIOp>(op) ? " * "
                     : isa<arith::SubIOp>(op) ? " - "
                                              : "";
    if (!sign.empty())
      return textOf(op->getOperand(0), depth - 1) + sign.str() + textOf(op->getOperand(1), depth - 1);
  }
  return userName(value).empty() ? "…" : "%" + userName(value).str();
}

/// The conditions of a conjunction, one by one.
static void splitGuard(Value condition, bool isThen, std::vector<std::string> &guards) {
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (both && isThen) {
    splitGuard(both.getLhs(), isThen, guards);
    splitGuard(both.getRhs(), isThen, guards);
    return;
  }
  std::string text = textOf(condition, /*depth=*/8);
  guards.push_back(isThen ? text : "not (" + text + ")");
}

//===----------------------------------------------------------------------===//
// One access
//===----------------------------------------------------------------------===//

namespace {
/// One side of one op.
struct Access {
  Operation *op;
  Value buffer;
  Value index;
  int64_t bytes;
  bool isStore;
};

class Predictor {
public:
  explicit Predictor(simt::KernelOp kernel) : kernel(kernel) {}
  std::vector<AccessPrediction> run();

private:
  void predict(const Access &access);
  bool maskLanes(const Access &access, MemoryRequest &request);
  void addCosts(const Access &access, AccessPrediction &prediction);

  simt::KernelOp kernel;
  LaneValues values;
  std::vector<AccessPrediction> predictions;
};
} // namespace

static int64_t elementBytes(Value buffer) {
  return std::max<int64_t>(cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8, 1);
}

static simt::Space spaceOfBuffer(Value buffer) {
  return simt::spaceOf(cast<MemRefType>(buffer.getType()));
}

static SmallVector<Access, 2> accessesOf(Operation *op) {
  SmallVector<Access, 2> accesses;
  if (auto load = dyn_cast<simt::LoadOp>(op))
    accesses.push_back({op, load.getBuffer(), load.getIndex(), elementBytes(load.getBuffer()), false});
  else if (auto store = dyn_cast<simt::StoreOp>(op))
    accesses.push_back({op, store.getBuffer(), store.getIndex(), elementBytes(store.getBuffer()), true});
  else if (auto atomic = dyn_cast<simt::AtomicOp>(op))
    accesses.push_back({op, atomic.getBuffer(), atomic.getIndex(), elementBytes(atomic.getBuffer()), true});
  else if (auto move = dyn_cast<simt::MoveOp>(op)) {
    int64_t bytes = move.getBytes();
    accesses.push_back({op, move.getSource(), move.getSourceIndex(), bytes, false});
    accesses.push_back({op, move.getTarget(), move.getTargetIndex(), bytes, true});
  }
  llvm::erase_if(accesses, [](const Access &access) {
    simt::Space space = spaceOfBuffer(access.buffer);
    return space != simt::Space::Global && space != simt::Space::Shared;
  });
  return accesses;
}

/// The PTX instruction the access becomes.
static std::string instructionOf(const Access &access) {
  std::string space = spaceOfBuffer(access.buffer) == simt::Space::Global ? ".global" : ".shared";
  std::string width = ".b" + std::to_string(8 * access.bytes);
  if (auto atomic = dyn_cast<simt::AtomicOp>(access.op))
    return (atomic.getOld() ? "atom" : "red") + space + "." + stringifyAtomicKind(atomic.getKind()).str() + width;
  if (access.bytes == 16)
    width = ".v4.b32";
  else if (access.bytes == 8 && elementBytes(access.buffer) < 8)
    width = ".v2.b32";
  if (auto move = dyn_cast<simt::MoveOp>(access.op); move && move.getAsync())
    return std::string(access.bytes == 16 ? "cp.async.cg" : "cp.async.ca") + ".shared.global " +
           std::to_string(access.bytes);
  return (access.isStore ? "st" : "ld") + space + width;
}

/// The buffer behind the views, and the bytes from its start.
static std::pair<Value, int64_t> behindViews(Value buffer) {
  int64_t offset = 0;
  while (auto view = buffer.getDefiningOp<simt::ViewOp>()) {
    offset += view.getOffset();
    buffer = view.getSource();
  }
  if (auto shared = buffer.getDefiningOp<simt::SharedOp>())
    offset += shared.getOffset().value_or(0);
  return {buffer, offset};
}

/// Takes out the lanes that a condition around the access keeps away. \returns whether any is left.
bool Predictor::maskLanes(const Access &access, MemoryRequest &request) {
  for (Operation *inner = access.op, *outer = inner->getParentOp(); outer != kernel;
       inner = outer, outer = outer->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(outer);
    std::optional<Lanes> condition = branch ? values.evaluate(branch.getCondition()) : std::nullopt;
    if (!condition)
      continue;
    bool isThen = inner->getParentRegion() == &branch.getThenRegion();
    for (auto [lane, address] : llvm::enumerate(request.address))
      if (((*condition)[lane] != 0) != isThen)
        address = MemoryRequest::kInactive;
  }
  return llvm::any_of(request.address, [](int64_t address) { return address >= 0; });
}

/// How far the second active lane lies behind the first, in bytes.
static std::optional<int64_t> laneDistance(const MemoryRequest &request) {
  std::optional<int64_t> first;
  for (int64_t address : request.address) {
    if (address < 0)
      continue;
    if (first)
      return address - *first;
    first = address;
  }
  return std::nullopt;
}

static std::string explain(const AccessPrediction &prediction, const MemoryRequest &request) {
  std::optional<int64_t> distance = laneDistance(request);
  bool isIdeal = prediction.space == simt::Space::Global ? prediction.sectors == prediction.idealSectors
                                                         : prediction.wavefronts == prediction.idealWavefronts;
  std::string lanes = "one lane takes part";
  if (distance && *distance == 0)
    lanes = "neighbouring lanes share an address";
  else if (distance && *distance == prediction.bytesPerThread)
    lanes = "neighbouring lanes access neighbouring bytes";
  else if (distance)
    lanes = "neighbouring lanes lie " + std::to_string(*distance) + " bytes apart";
  if (isIdeal)
    return lanes + (prediction.space == simt::Space::Global ? ": no sector is wasted" : ": no bank conflict");
  return lanes;
}

void Predictor::addCosts(const Access &access, AccessPrediction &prediction) {
  std::optional<Lanes> index = values.evaluate(access.index);
  if (!index) {
    prediction.why = "the address depends on data";
    return;
  }
  MemoryRequest request;
  request.bytes = static_cast<int>(access.bytes);
  int64_t base = behindViews(access.buffer).second;
  int64_t active = std::min<int64_t>(request.address.size(), kernel.getThreads());
  for (int64_t lane = 0; lane < active; ++lane) {
    int64_t address = base + (*index)[lane] * elementBytes(access.buffer);
    // A lane below the start of the buffer is one that a guard keeps away.
    request.address[lane] = address < 0 ? MemoryRequest::kInactive : address;
  }
  MemoryRequest unguarded = request;
  bool isTypical = maskLanes(access, request);
  if (!isTypical)
    request = unguarded;
  if (prediction.space == simt::Space::Global) {
    GlobalCost cost = globalCost(request);
    prediction.sectors = cost.sectors;
    prediction.idealSectors = cost.idealSectors;
  }
  if (prediction.space == simt::Space::Shared || !access.isStore) {
    prediction.wavefronts = access.isStore ? wavefronts(request) : loadWavefronts(request);
    prediction.idealWavefronts = access.isStore ? idealWavefronts(request) : idealLoadWavefronts(request);
  }
  prediction.why = explain(prediction, request);
  if (!isTypical)
    prediction.why += "; runs only where the typical warp does not: tails";
}

void Predictor::predict(const Access &access) {
  AccessPrediction &prediction = predictions.emplace_back();
  prediction.op = access.op;
  prediction.buffer = behindViews(access.buffer).first;
  prediction.space = spaceOfBuffer(access.buffer);
  prediction.isStore = access.isStore;
  prediction.bytesPerThread = access.bytes;
  prediction.instruction = instructionOf(access);
  SmallVector<std::vector<std::string>> groups;
  for (Operation *inner = access.op, *outer = inner->getParentOp(); outer != kernel;
       inner = outer, outer = outer->getParentOp())
    if (auto branch = dyn_cast<scf::IfOp>(outer))
      splitGuard(branch.getCondition(), inner->getParentRegion() == &branch.getThenRegion(), groups.emplace_back());
  for (const std::vector<std::string> &group : llvm::reverse(groups))
    prediction.guards.insert(prediction.guards.end(), group.begin(), group.end());
  addCosts(access, prediction);
  if (auto move = dyn_cast<simt::MoveOp>(access.op); move && !access.isStore && move.getStreams())
    prediction.why += "; read once: the L2 lets it go first, if all tensors read so have " +
                      std::to_string(kLeastStreamed >> 20) + " to " + std::to_string(kMostStreamed >> 20) + " MB";
  if (auto move = dyn_cast<simt::MoveOp>(access.op); move && !access.isStore && move.getKeep())
    prediction.why += "; read again at line " + std::to_string(*move.getKeep()) + ": kept in the L2";
}

std::vector<AccessPrediction> Predictor::run() {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (const Access &access : accessesOf(op))
      predict(access);
  });
  return std::move(predictions);
}

std::vector<AccessPrediction> predictAccesses(simt::KernelOp kernel) {
  return Predictor(kernel).run();
}

void reportAccesses(simt::KernelOp kernel) {
  for (const AccessPrediction &access : predictAccesses(kernel)) {
    remark::detail::InFlightRemark remark = remark::analysis(
        access.op->getLoc(), remark::RemarkOpts::name("access").category("access").function(kernel.getSource()));
    auto add = [&](StringRef key, std::optional<int64_t> figure) {
      if (figure)
        remark << remark::metric(key, *figure);
    };
    StringRef name = userName(access.buffer);
    bool isAtomic = isa<simt::AtomicOp>(access.op);
    remark << remark::metric("op", access.op->getName().getStringRef())
           << remark::metric("buffer", name.empty() ? StringRef("(compiler's own)") : name)
           << remark::metric("space", access.space == simt::Space::Global ? StringRef("global") : StringRef("shared"))
           << remark::metric("kind", StringRef(isAtomic         ? "atomic"
                                               : access.isStore ? "store"
                                                                : "load"))
           << remark::metric("instruction", StringRef(access.instruction));
    add("bytes_per_thread", access.bytesPerThread);
    add("sectors_per_request", access.sectors);
    add("ideal_sectors", access.idealSectors);
    add("wavefronts", access.wavefronts);
    add("ideal_wavefronts", access.idealWavefronts);
    for (const std::string &guard : access.guards)
      remark << remark::metric("guard", StringRef(guard));
    remark << remark::metric("why", StringRef(access.why));
  }
}

} // namespace tile
