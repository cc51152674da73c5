// LowerTiles.cpp - the kernel, its parameters and facts, and the dispatch of its ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerTiles.h"
#include "PointLoop.h"

#include "tile/Analysis/Rereads.h"
#include "tile/Analysis/ScanTotal.h"
#include "tile/Analysis/Aliases.h"
#include "tile/Analysis/Streams.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace tile;

/// The largest grid along x.
static constexpr int64_t kLargestGrid = (int64_t(1) << 31) - 1;

KernelLowering::KernelLowering(KernelOp source, VariantFacts variant, StringRef name, bool isChecked)
    : source(source), variant(variant), name(name), isChecked(isChecked), builder(source.getContext()),
      rereads(findRereads(source)), streams(findStreams(source)) {}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

namespace {
/// One parameter to be: what it carries, its type and its name.
struct Parameter {
  simt::ParameterAttr what;
  Type type;
  mlir::Location loc;
};
} // namespace

static mlir::Location named(MLIRContext *context, const Twine &name, mlir::Location loc) {
  return NameLoc::get(StringAttr::get(context, name), loc);
}

/// Grid axes, the one launched along x in front.
static SmallVector<int64_t> launchOrder(KernelOp kernel) {
  if (std::optional<ArrayRef<int64_t>> order = kernel.getBlockOrder())
    return SmallVector<int64_t>(*order);
  return llvm::to_vector(llvm::seq<int64_t>(0, kernel.getGrid().getNumResults()));
}

/// Tensors and scalars, then size symbols, dynamic strides and, where the grid may be folded, its extents.
static SmallVector<Parameter> parametersOf(KernelOp source, bool isFolded) {
  MLIRContext *context = source.getContext();
  Type index = IndexType::get(context);
  auto what = [&](simt::ParameterKind kind, int64_t number, int64_t dim = 0) {
    return simt::ParameterAttr::get(context, kind, number, dim);
  };
  SmallVector<Parameter> parameters, strides;
  for (auto [number, argument] : llvm::enumerate(source.getArguments())) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type) {
      parameters.push_back({what(simt::ParameterKind::Scalar, number), argument.getType(), argument.getLoc()});
      continue;
    }
    Type pointer = MemRefType::get(ShapedType::kDynamic, type.getElementType());
    parameters.push_back({what(simt::ParameterKind::Tensor, number), pointer, argument.getLoc()});
    auto strided = dyn_cast<StridedLayoutAttr>(type.getLayout());
    for (int64_t dim = 0; strided && dim < type.getRank(); ++dim)
      if (ShapedType::isDynamic(strided.getStrides()[dim]))
        strides.push_back({what(simt::ParameterKind::Stride, number, dim), index,
                           named(context, nameOf(argument, "arg") + "_stride" + Twine(dim), argument.getLoc())});
  }
  for (auto [number, symbol] : llvm::enumerate(source.getSymbols()))
    parameters.push_back({what(simt::ParameterKind::Symbol, number), index, symbol.getLoc()});
  llvm::append_range(parameters, strides);
  // The slowest index is what is left.
  SmallVector<int64_t> faster = launchOrder(source);
  faster.pop_back();
  llvm::sort(faster);
  if (isFolded)
    for (int64_t axis : faster)
      parameters.push_back(
          {what(simt::ParameterKind::GridExtent, axis), index, named(context, "grid" + Twine(axis), source.getLoc())});
  return parameters;
}

/// Along y and z CUDA launches few blocks: what may be more is launched along x.
bool KernelLowering::mustFoldGrid() {
  constexpr int64_t kMostBlocksYZ = 65535;
  return llvm::any_of(llvm::drop_begin(launchOrder(source)), [&](int64_t axis) {
    auto constant = dyn_cast<AffineConstantExpr>(source.getGrid().getResult(axis));
    return !constant || constant.getValue() > kMostBlocksYZ;
  });
}

void KernelLowering::createKernel() {
  builder.setInsertionPoint(source);
  bool isFolded = mustFoldGrid();
  SmallVector<Parameter> parameters = parametersOf(source, isFolded);
  SmallVector<Attribute> what;
  for (const Parameter &parameter : parameters)
    what.push_back(parameter.what);
  IntegerAttr minBlocks = source.getMinBlocksAttr();
  kernel = simt::KernelOp::create(builder, source.getLoc(), builder.getStringAttr(name), source.getSymNameAttr(),
                                  builder.getArrayAttr(what), builder.getArrayAttr({}), source.getGridAttr(),
                                  source.getThreadsAttr(), minBlocks, IntegerAttr(), DenseI64ArrayAttr(),
                                  DenseI64ArrayAttr(), isFolded ? builder.getUnitAttr() : UnitAttr(),
                                  source.getBlockOrderAttr());
  Block &body = kernel.getBody().emplaceBlock();
  for (const Parameter &parameter : parameters)
    body.addArgument(parameter.type, parameter.loc);
  for (BlockArgument id : source.getBlockIds())
    mapping.map(id, body.addArgument(id.getType(), id.getLoc()));
  builder.setInsertionPointToStart(&body);
  thread =
      simt::ThreadIdOp::create(builder, named(builder.getContext(), "tid", source.getLoc()), builder.getIndexType());
  facts.setRange(thread, {0, source.getThreads() - 1});
}

/// The parameter of this kind and number.
static Value parameterValue(simt::KernelOp kernel, simt::ParameterKind kind, int64_t number) {
  for (auto [value, attr] : llvm::zip(kernel.getParameterValues(), kernel.getParameters())) {
    auto what = cast<simt::ParameterAttr>(attr);
    if (what.getKind() == kind && what.getNumber() == number)
      return value;
  }
  return {};
}

void KernelLowering::bindArguments() {
  for (auto [number, symbol] : llvm::enumerate(source.getSymbols())) {
    Value value = parameterValue(kernel, simt::ParameterKind::Symbol, number);
    mapping.map(symbol, value);
    facts.setRange(value, {0, std::nullopt});
  }
  for (auto [number, argument] : llvm::enumerate(source.getArguments()))
    if (!isa<MemRefType>(argument.getType()))
      mapping.map(argument, parameterValue(kernel, simt::ParameterKind::Scalar, number));
  assumeLaunchFacts();
  for (auto [number, argument] : llvm::enumerate(source.getArguments()))
    if (isa<MemRefType>(argument.getType()))
      bindTensor(argument, source.getArgShapes()[number], number,
                 parameterValue(kernel, simt::ParameterKind::Tensor, number));

  // Block indices: below their grid extents, as numbers and as values.
  SmallVector<OpFoldResult> launchValues;
  for (Value value : source.getLaunchValues())
    launchValues.push_back(mapping.lookup(value));
  for (auto [axis, id] : llvm::enumerate(source.getBlockIds())) {
    AffineExpr extent = source.getGrid().getResult(axis);
    Value value = mapping.lookup<Value>(id);
    auto constant = dyn_cast<AffineConstantExpr>(extent);
    facts.setRange(value, {0, (constant ? constant.getValue() : kLargestGrid) - 1});
    if (auto dim = dyn_cast<AffineDimExpr>(extent))
      provenBelow.push_back({value, launchValues[dim.getPosition()]});
  }
}

/// Where the block's rows begin inside a vector; null if no layout counts from there.
void KernelLowering::computeOrigin() {
  std::optional<AffineMap> map = source.getOrigin();
  bool isUsed = false;
  source.walk([&](Operation *op) {
    auto layout = op->getAttrOfType<DistributedAttr>("layout");
    isUsed |= layout && !layout.getOrigins().empty();
  });
  if (!map || !isUsed)
    return;
  SmallVector<OpFoldResult> blocks;
  for (Value id : source.getBlockIds())
    blocks.push_back(mapping.lookup<Value>(id));
  // Not an affine expression: it would be spelled out wherever it is used.
  mlir::Location loc = named(builder.getContext(), "origin", source.getLoc());
  Value linear = apply(loc, cast<AffineBinaryOpExpr>(map->getResult(0)).getLHS(), blocks);
  origin = arith::RemUIOp::create(builder, loc, linear, constant(loc, source.getOriginVector()));
  facts.setRange(origin, {0, source.getOriginVector() - 1});
}

/// What `where` says of one launch value: a divisor, a bound.
void KernelLowering::assumeLaunchFacts() {
  std::optional<AffineMap> where = source.getWhereMap();
  if (!where)
    return;
  SmallVector<Value> launchValues = source.getLaunchValues();
  for (auto [number, comparison] : llvm::enumerate(source.getComparisons())) {
    AffineExpr left = where->getResult(2 * number), right = where->getResult(2 * number + 1);
    auto bound = dyn_cast<AffineConstantExpr>(right);
    if (!bound)
      continue;
    if (auto mod = dyn_cast<AffineBinaryOpExpr>(left); mod && left.getKind() == AffineExprKind::Mod) {
      auto dim = dyn_cast<AffineDimExpr>(mod.getLHS());
      auto modulus = dyn_cast<AffineConstantExpr>(mod.getRHS());
      if (dim && modulus && comparison == Comparison::Eq && bound.getValue() == 0) {
        Value value = mapping.lookup(launchValues[dim.getPosition()]);
        facts.setDivisor(value, std::lcm(facts.divisor(value), modulus.getValue()));
      }
      continue;
    }
    auto dim = dyn_cast<AffineDimExpr>(left);
    if (!dim)
      continue;
    Value value = mapping.lookup(launchValues[dim.getPosition()]);
    IndexBounds range = facts.range(value);
    int64_t limit = bound.getValue();
    bool isUpper = comparison == Comparison::Lt || comparison == Comparison::Le || comparison == Comparison::Eq;
    bool isLower = comparison == Comparison::Gt || comparison == Comparison::Ge || comparison == Comparison::Eq;
    if (isUpper)
      range.high = std::min(range.high.value_or(INT64_MAX), limit - (comparison == Comparison::Lt));
    if (isLower)
      range.low = std::max(range.low.value_or(INT64_MIN), limit + (comparison == Comparison::Gt));
    facts.setRange(value, range);
  }
}

/// Drops unused parameters; records requirements, and which pointers are promised apart or only read.
void KernelLowering::finishKernel() {
  MLIRContext *context = builder.getContext();
  if (usesAssumed)
    requirements.insert(assumed.begin(), assumed.end());
  SmallVector<Attribute> parameters;
  SmallVector<int64_t> restricted, readonly;
  Block &body = kernel.getBody().front();
  llvm::BitVector unused(body.getNumArguments());
  for (auto [number, attr] : llvm::enumerate(kernel.getParameters())) {
    auto what = cast<simt::ParameterAttr>(attr);
    Value value = body.getArgument(number);
    if (value.use_empty() && what.getKind() != simt::ParameterKind::GridExtent) {
      unused.set(number);
      continue;
    }
    if (what.getKind() == simt::ParameterKind::Tensor) {
      bool isPromised = llvm::any_of(source.getDisjoint().value_or(ArrayAttr::get(context, {})), [&](Attribute group) {
        return llvm::is_contained(cast<DenseI64ArrayAttr>(group).asArrayRef(), what.getNumber());
      });
      Value tensor = source.getArguments()[what.getNumber()];
      if (isPromised && isApart(source, tensor))
        restricted.push_back(parameters.size());
      bool isWritten = llvm::any_of(
          value.getUsers(), [&](Operation *user) { return isa<simt::ViewOp>(user) || simt::isWriteTo(user, value); });
      if (!isWritten)
        readonly.push_back(parameters.size());
    }
    parameters.push_back(what);
  }
  body.eraseArguments(unused);
  kernel.setParametersAttr(builder.getArrayAttr(parameters));
  kernel.setRequirementsAttr(builder.getArrayAttr(requirements.getArrayRef()));
  if (!restricted.empty())
    kernel.setRestrictParameters(restricted);
  if (!readonly.empty())
    kernel.setReadonlyParameters(readonly);
}

/// Says, or where sizes are not known asks once for all of what follows, whether what is read once is of a size that
/// the L2 should let go first.
void KernelLowering::measureStreams() {
  if (streams.empty())
    return;
  mlir::Location loc = plain(source.getLoc());
  auto named = [&](StringRef name) { return NameLoc::get(builder.getStringAttr(name), loc); };
  llvm::SetVector<Value> tensors;
  for (Operation *load : streams)
    tensors.insert(cast<LoadOp>(load).getBuffer());
  Value total;
  for (Value tensor : tensors) {
    const TileStorage &storage = storageOf(tensor);
    Value bytes = constant(loc, elementBytes(storage.element));
    for (OpFoldResult extent : storage.extents)
      bytes = builder.createOrFold<arith::MulIOp>(named("bytes"), bytes, materialize(loc, extent));
    total = total ? builder.createOrFold<arith::AddIOp>(named("bytes"), total, bytes) : bytes;
  }
  if (std::optional<int64_t> bytes = getConstantIntValue(total)) {
    if (*bytes < kLeastStreamed || *bytes > kMostStreamed)
      streams.clear();
    else
      isStreamed = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    return;
  }
  auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) {
    return arith::CmpIOp::create(builder, loc, predicate, total, constant(loc, bound));
  };
  Value isOfSize =
      both(loc, compare(arith::CmpIPredicate::sge, kLeastStreamed), compare(arith::CmpIPredicate::sle, kMostStreamed));
  isStreamed = simt::SplitOp::create(builder, named("streams"), builder.getI1Type(), isOfSize);
}

LogicalResult KernelLowering::run() {
  createKernel();
  bindArguments();
  computeOrigin();
  measureStreams();
  if (failed(lowerBlock(source.getBody().front()))) {
    kernel.erase();
    kernel = {};
    return failure();
  }
  finishKernel();
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult KernelLowering::lowerBlock(Block &block) {
  for (Operation &op : block)
    if (failed(lowerOp(op)))
      return failure();
  return success();
}

/// Says in the generated text which op of the program follows.
void KernelLowering::note(Operation *op) {
  auto given = op->getAttrOfType<StringAttr>("note");
  std::string text = given ? given.str() : describe(op);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    if (ScanOp scan = scanOfTotal(reduce))
      text += ": the total of " + describe(scan);
  simt::NoteOp::create(builder, plain(op->getLoc()), text);
}

LogicalResult KernelLowering::lowerSerial(LoopOpInterface serial, bool isUnrolled) {
  mlir::Location loc = plain(serial.getLoc());
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<OpFoldResult> operands;
  for (Value operand : serial.getExtentOperands())
    operands.push_back(mapped(operand));
  for (auto [number, iv] : llvm::enumerate(serial.getInductionVars())) {
    AffineMap extents = serial.getExtents();
    OpFoldResult extent = affine::makeComposedFoldedAffineApply(
        builder, loc, extents.getSubMap({static_cast<unsigned>(number)}), operands);
    auto loop = scf::ForOp::create(builder, iv.getLoc(), constant(loc, 0), materialize(loc, extent), constant(loc, 1));
    if (isUnrolled)
      loop->setAttr(simt::kUnroll, builder.getUnitAttr());
    loop.getInductionVar().setLoc(iv.getLoc());
    mapping.map(iv, loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  return lowerBlock(serial->getRegion(0).front());
}

/// Clones an op of another dialect; bodies of its regions are lowered in place.
LogicalResult KernelLowering::lowerStructured(Operation &op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<OpFoldResult> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(mapped(operand));
    OpFoldResult value = affine::makeComposedFoldedAffineApply(builder, op.getLoc(), apply.getAffineMap(), operands);
    mapping.map(apply.getResult(), materialize(op.getLoc(), value));
    return success();
  }
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> number = dim.getConstantIndex();
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (!number || !type || *number < 0 || *number >= type.getRank())
      return op.emitOpError() << "asks for a dimension that is no constant below the rank";
    OpFoldResult extent = type.isDynamicDim(*number) ? storageOf(dim.getSource()).extents[*number]
                                                     : OpFoldResult(builder.getIndexAttr(type.getDimSize(*number)));
    mapping.map(dim.getResult(), materialize(op.getLoc(), extent));
    return success();
  }
  checkDivision(op);
  Operation *clone = builder.cloneWithoutRegions(op, mapping);
  if (auto arithmetic = dyn_cast<arith::ArithFastMathInterface>(clone); arithmetic && source.getFastmath())
    if (arith::FastMathFlagsAttr own = arithmetic.getFastMathFlagsAttr();
        !own || own.getValue() == arith::FastMathFlags::none)
      clone->setAttr(arithmetic.getFastMathAttrName(), source.getFastmathAttr());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [from, to] : llvm::zip_equal(op.getRegions(), clone->getRegions())) {
    if (from.empty())
      continue;
    Block &block = to.emplaceBlock();
    for (BlockArgument argument : from.getArguments())
      mapping.map(argument, block.addArgument(argument.getType(), argument.getLoc()));
    builder.setInsertionPointToStart(&block);
    if (failed(lowerBlock(from.front())))
      return failure();
  }
  return success();
}

LogicalResult KernelLowering::lowerPrint(PrintOp print) {
  mlir::Location loc = plain(print.getLoc());
  ArrayRef<int64_t> block = print.getBlock().value_or(ArrayRef<int64_t>());
  Value condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread, constant(loc, 0));
  for (auto [axis, id] : llvm::enumerate(source.getBlockIds())) {
    int64_t wanted = axis < block.size() ? block[axis] : 0;
    condition = both(loc, condition,
                     arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, mapping.lookup<Value>(id),
                                           constant(loc, wanted)));
  }
  std::string label = nameOf(print.getValue(), "value").str();
  if (auto place = print.getLoc()->findInstanceOf<FileLineColLoc>())
    label = (Twine(place.getFilename().getValue()) + ":" + Twine(place.getLine()) + ": " + label).str();
  auto type = dyn_cast<MemRefType>(print.getValue().getType());
  guarded(loc, condition, [&] {
    if (!type) {
      simt::PrintOp::create(builder, loc, label, ValueRange(mapping.lookupOrDefault(print.getValue())));
      return;
    }
    OpBuilder::InsertionGuard guard(builder);
    ViewCoordinates view;
    SmallVector<Value> values;
    const TileStorage &storage = storageOf(print.getValue());
    for (auto [dim, extent] : llvm::enumerate(storage.extents)) {
      auto loop = scf::ForOp::create(builder, loc, constant(loc, 0), materialize(loc, extent), constant(loc, 1));
      builder.setInsertionPointToStart(loop.getBody());
      view.operands.push_back(loop.getInductionVar());
      view.exprs.push_back(builder.getAffineDimExpr(dim));
      values.push_back(loop.getInductionVar());
    }
    ElementPlace location = locate(storage, view);
    values.push_back(simt::LoadOp::create(builder, loc, storage.element, storage.buffer, offsetOf(loc, location)));
    simt::PrintOp::create(builder, loc, label, values);
  });
  return success();
}

LogicalResult KernelLowering::lowerOp(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<AllocSharedOp, AllocFragmentOp, AllocLocalOp>([&](Operation *alloc) {
        allocate(alloc);
        return success();
      })
      .Case<ReshapeOp, ViewOp, SliceOp>([&](Operation *view) { return bindView(view); })
      .Case<ParallelOp>([&](ParallelOp loop) {
        note(loop);
        return PointLoop::lower(*this, loop);
      })
      .Case<VectorizedOp>([&](VectorizedOp loop) { return PointLoop::lower(*this, loop); })
      .Case<SerialOp, PipelinedOp>([&](LoopOpInterface loop) { return lowerSerial(loop, /*isUnrolled=*/false); })
      .Case<UnrolledOp>([&](UnrolledOp loop) { return lowerSerial(loop, /*isUnrolled=*/true); })
      .Case<LoadOp>([&](LoadOp load) {
        mapping.map(load.getResult(), loadElement(load));
        return success();
      })
      .Case<StoreOp>([&](StoreOp store) {
        Value value = mapping.lookupOrDefault(store.getValue());
        if (points && points->privateStore(store, value))
          return success();
        return storeElement(store, value, points ? points->writeCondition() : Value());
      })
      .Case<AtomicOp>(
          [&](AtomicOp atomic) { return atomicElement(atomic, points ? points->writeCondition() : Value()); })
      .Case<CopyOp>([&](CopyOp copy) {
        lowerConversion(*this, copy);
        return success();
      })
      .Case<ReduceOp>([&](ReduceOp reduce) {
        note(reduce);
        lowerReduce(*this, reduce);
        return success();
      })
      .Case<ArgReduceOp>([&](ArgReduceOp reduce) {
        note(reduce);
        lowerArgReduce(*this, reduce);
        return success();
      })
      .Case<ScanOp>([&](ScanOp scan) {
        note(scan);
        lowerScan(*this, scan);
        return success();
      })
      .Case<ThreadIdOp>([&](ThreadIdOp id) {
        mapping.map(id.getResult(), thread);
        return success();
      })
      .Case<SyncOp>([&](SyncOp sync) {
        simt::BarrierOp::create(builder, sync.getLoc(), /*user=*/true);
        return success();
      })
      .Case<PrintOp>([&](PrintOp print) { return lowerPrint(print); })
      .Case<AssertOp>([&](AssertOp assertion) {
        lowerAssert(assertion);
        return success();
      })
      .Case<simt::ConvertOp>([&](simt::ConvertOp convert) {
        mapping.map(convert.getResult(), convertElement(convert));
        return success();
      })
      .Default([&](Operation *other) { return lowerStructured(*other); });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace tile {
#define GEN_PASS_DEF_LOWERTILES
#include "tile/Transforms/Passes.h.inc"

namespace {
struct LowerTilesPass : impl::LowerTilesBase<LowerTilesPass> {
  using LowerTilesBase::LowerTilesBase;

  void runOnOperation() override {
    for (KernelOp source : llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      std::string name = source.getSymName().str();
      KernelLowering fast(source, {/*isAligned=*/true}, name, checked);
      KernelLowering careful(source, {/*isAligned=*/false}, name + "_careful", checked);
      if (failed(fast.run()) || failed(careful.run()))
        return signalPassFailure();
      // Where alignment bought nothing, one body serves all arguments.
      if (!fast.usesFacts()) {
        fast.result().erase();
        careful.result().setSymName(name);
      }
      source.erase();
    }
  }
};
} // namespace
} // namespace tile
