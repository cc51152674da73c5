// ChunkRows.cpp - see ChunkRows.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ChunkRows.h"

#include "Combine.h"
#include "LoopBodies.h"
#include "dialects/Simt/SimtOps.h"
#include "tile/Analysis/TileAccess.h"
#include "tile/Evaluate/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tile {

namespace {
enum class Waits { Shared, Registers, Tensor };

/// A part of every row: `extent` elements from a start that counts trips.
struct Piece {
  AffineExpr start; ///< over `trips`
  SmallVector<Value> trips;
  int64_t extent = 0;
  Waits waits = Waits::Tensor;
  int64_t number = 0; ///< of a chunk in registers
};

class Chunker {
public:
  Chunker(KernelOp kernel, const RowPhases &rows, const RowPlan &plan)
      : kernel(kernel), rows(rows), plan(plan), builder(kernel.getContext()) {}

  void run() {
    allocateHeld();
    for (const RowPhase &each : rows.phases) {
      phase = &each;
      emitPhase();
    }
    for (const RowOp &row : llvm::reverse(rows.ops))
      row.op->erase();
    for (AllocFragmentOp fragment : rows.fragments)
      fragment.erase();
  }

private:
  void allocateHeld();
  void emitPhase();
  void emitChunks(int64_t count, int64_t first, Waits waits);
  void emitPiece(const Piece &piece);
  void emitCopy(unsigned number, CopyOp copy, const Piece &piece);
  Value emitSource(unsigned number, CopyOp copy, const Piece &piece);
  void emitLoop(unsigned number, ParallelOp loop, const Piece &piece);
  Value placeAlong(Location loc, Value here, const Piece &piece);
  template <class OpTy> void moveAccess(OpTy access, Value along, const Piece &piece);
  void emitFill(unsigned number, FillOp fill, const Piece &piece);
  void accumulate(unsigned number, ReduceOp reduce, const Piece &piece);
  void startReduction(ReduceOp reduce, int64_t extent);
  void finishReduction(ReduceOp reduce);

  MemRefType chunkType(Type element, int64_t extent, Attribute space);
  Value allocate(Value like, Type element, int64_t extent);
  Value chunkOf(unsigned number, Value fragment) { return chunks.lookup({number, fragment}); }
  ParallelOp createLoop(Location loc, ArrayRef<int64_t> extents);
  AffineMap moved(AffineMap map, unsigned numOperands, const Piece &piece, std::optional<unsigned> axis);
  void copy(Location loc, Value source, const Piece *from, Value target, const Piece *to);
  bool isSource(unsigned number) const { return llvm::is_contained(rows.sources, number); }

  KernelOp kernel;
  const RowPhases &rows;
  const RowPlan &plan;
  OpBuilder builder;
  const RowPhase *phase = nullptr;
  llvm::DenseMap<unsigned, Value> shared;                              ///< of each source
  llvm::DenseMap<std::pair<unsigned, int64_t>, Value> kept;            ///< of each source and chunk in registers
  llvm::DenseMap<std::pair<unsigned, Value>, Value> chunks;            ///< what an op has written, at this piece
  llvm::DenseMap<std::pair<Operation *, int64_t>, Value> accumulators; ///< of each reduction and extent
};
} // namespace

MemRefType Chunker::chunkType(Type element, int64_t extent, Attribute space) {
  SmallVector<int64_t> shape(rows.shape);
  shape.back() = extent;
  return MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
}

/// A fragment with the name and line of another buffer.
Value Chunker::allocate(Value like, Type element, int64_t extent) {
  auto type = chunkType(element, extent, FragmentAttr::get(builder.getContext()));
  return AllocFragmentOp::create(builder, like.getLoc(), type, DistributedAttr(), IntegerAttr());
}

static Type elementOf(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

void Chunker::allocateHeld() {
  for (unsigned number : rows.sources) {
    auto copy = cast<CopyOp>(rows.ops[number].op);
    Type element = elementOf(copy.getSource());
    if (plan.inShared > 0) {
      builder.setInsertionPointToStart(&kernel.getBody().front());
      auto type = chunkType(element, plan.inShared * plan.chunk, SharedAttr::get(builder.getContext()));
      shared[number] =
          AllocSharedOp::create(builder, copy.getTarget().getLoc(), type, DistributedAttr(), IntegerAttr());
    }
    builder.setInsertionPoint(rows.phases.front().anchor);
    for (int64_t chunk = 0; chunk < plan.inRegisters; ++chunk)
      kept[{number, chunk}] = allocate(copy.getTarget(), element, plan.chunk);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

ParallelOp Chunker::createLoop(Location loc, ArrayRef<int64_t> extents) {
  auto loop =
      ParallelOp::create(builder, loc, ValueRange(), constantMap(extents, builder.getContext()), DistributedAttr());
  (void)enterBody(builder, loc, loop.getBody(), extents.size());
  return loop;
}

void Chunker::emitPhase() {
  builder.setInsertionPoint(phase->anchor);
  accumulators.clear();
  for (unsigned number : phase->ops)
    if (auto reduce = dyn_cast<ReduceOp>(rows.ops[number].op)) {
      if (plan.inShared + plan.inRegisters + plan.readAgain > 0)
        startReduction(reduce, plan.chunk);
      if (plan.tail > 0)
        startReduction(reduce, plan.tail);
    }
  emitChunks(plan.inShared, 0, Waits::Shared);
  for (int64_t chunk = 0; chunk < plan.inRegisters; ++chunk)
    emitPiece(
        {builder.getAffineConstantExpr((plan.inShared + chunk) * plan.chunk), {}, plan.chunk, Waits::Registers, chunk});
  int64_t first = plan.inShared + plan.inRegisters;
  emitChunks(plan.readAgain, first, Waits::Tensor);
  if (plan.tail > 0)
    emitPiece({builder.getAffineConstantExpr((first + plan.readAgain) * plan.chunk), {}, plan.tail, Waits::Tensor, 0});
  for (unsigned number : phase->ops)
    if (auto reduce = dyn_cast<ReduceOp>(rows.ops[number].op))
      finishReduction(reduce);
}

/// `count` chunks from the number `first` on, several a trip; what is left of the last trip behind it.
void Chunker::emitChunks(int64_t count, int64_t first, Waits waits) {
  Location loc = phase->anchor->getLoc();
  int64_t trips = count / kChunksPerTrip, left = count % kChunksPerTrip;
  AffineExpr trip = builder.getAffineDimExpr(0), step = builder.getAffineDimExpr(1);
  OpBuilder::InsertionGuard guard(builder);
  OpBuilder::InsertPoint behind = builder.saveInsertionPoint();
  if (trips > 0) {
    auto outer = SerialOp::create(builder, loc, ValueRange(), constantMap(trips, builder.getContext()));
    Value outerTrip = enterBody(builder, loc, outer.getBody(), 1).front();
    auto inner = UnrolledOp::create(builder, loc, ValueRange(), constantMap(kChunksPerTrip, builder.getContext()));
    Value innerTrip = enterBody(builder, loc, inner.getBody(), 1).front();
    emitPiece({(trip * kChunksPerTrip + step + first) * plan.chunk, {outerTrip, innerTrip}, plan.chunk, waits, 0});
  }
  builder.restoreInsertionPoint(behind);
  if (left > 0) {
    auto loop = UnrolledOp::create(builder, loc, ValueRange(), constantMap(left, builder.getContext()));
    Value only = enterBody(builder, loc, loop.getBody(), 1).front();
    emitPiece({(trip + first + trips * kChunksPerTrip) * plan.chunk, {only}, plan.chunk, waits, 0});
  }
}

void Chunker::emitPiece(const Piece &piece) {
  chunks.clear();
  for (unsigned number : phase->ops) {
    Operation *op = rows.ops[number].op;
    if (auto copy = dyn_cast<CopyOp>(op))
      emitCopy(number, copy, piece);
    else if (auto loop = dyn_cast<ParallelOp>(op))
      emitLoop(number, loop, piece);
    else if (auto fill = dyn_cast<FillOp>(op))
      emitFill(number, fill, piece);
    else
      accumulate(number, cast<ReduceOp>(op), piece);
  }
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The map of an index whose dimension `axis`, or else last result, begins at the piece; the trips are its last
/// operands.
AffineMap Chunker::moved(AffineMap map, unsigned numOperands, const Piece &piece, std::optional<unsigned> axis) {
  unsigned dims = map.getNumDims();
  SmallVector<AffineExpr> trips;
  for (size_t i = 0; i < piece.trips.size(); ++i)
    trips.push_back(builder.getAffineDimExpr(numOperands + i));
  AffineExpr start = piece.start.replaceDims(trips);
  SmallVector<AffineExpr> results(map.getResults());
  if (!axis) {
    results.back() = results.back() + start;
  } else {
    SmallVector<AffineExpr> places;
    for (unsigned dim = 0; dim < dims; ++dim)
      places.push_back(builder.getAffineDimExpr(dim) + (dim == *axis ? start : builder.getAffineConstantExpr(0)));
    for (AffineExpr &result : results)
      result = result.replaceDims(places);
  }
  return AffineMap::get(numOperands + piece.trips.size(), 0, results, builder.getContext());
}

/// A piece of what is held, or of a fragment, to another.
void Chunker::copy(Location loc, Value source, const Piece *from, Value target, const Piece *to) {
  auto startIn = [&](const Piece *piece) -> std::pair<SmallVector<Value>, AffineMapAttr> {
    if (!piece)
      return {};
    AffineMap origin = constantMap(SmallVector<int64_t>(rows.shape.size(), 0), builder.getContext());
    return {piece->trips, AffineMapAttr::get(moved(origin, 0, *piece, std::nullopt))};
  };
  auto [sourceTrips, sourceMap] = startIn(from);
  auto [targetTrips, targetMap] = startIn(to);
  UnitAttr cast = elementOf(source) != elementOf(target) ? builder.getUnitAttr() : UnitAttr();
  CopyOp::create(builder, loc, source, sourceTrips, sourceMap, target, targetTrips, targetMap, cast, TypedAttr(),
                 DistributedAttr());
}

static SmallVector<Value> withTrips(ValueRange operands, const Piece &piece) {
  SmallVector<Value> all(operands);
  llvm::append_range(all, piece.trips);
  return all;
}

/// A piece of a tensor, from where it waits, as the fragment's type; the first phase takes it there.
Value Chunker::emitSource(unsigned number, CopyOp original, const Piece &piece) {
  Location loc = original.getLoc();
  Type held = elementOf(original.getSource()), wanted = elementOf(original.getTarget());
  bool isFirst = llvm::none_of(
      rows.phases, [&](const RowPhase &other) { return &other < phase && llvm::is_contained(other.ops, number); });
  bool isShared = piece.waits == Waits::Shared;
  Value source = isShared ? shared.lookup(number) : kept.lookup({number, piece.number});
  if (isFirst) {
    Value arrived = isShared ? allocate(original.getTarget(), held, piece.extent) : source;
    AffineMap map = *original.getSourceMap();
    CopyOp::create(builder, loc, original.getSource(), withTrips(original.getSourceIndices(), piece),
                   AffineMapAttr::get(moved(map, map.getNumDims(), piece, std::nullopt)), arrived, ValueRange(),
                   AffineMapAttr(), UnitAttr(), original.getPad().value_or(TypedAttr()), DistributedAttr());
    if (isShared)
      copy(loc, arrived, nullptr, source, &piece);
    source = arrived;
  }
  bool isHere = isFirst || !isShared;
  if (isHere && held == wanted)
    return source;
  Value chunk = allocate(original.getTarget(), wanted, piece.extent);
  copy(loc, source, isHere ? nullptr : &piece, chunk, nullptr);
  return chunk;
}

void Chunker::emitCopy(unsigned number, CopyOp original, const Piece &piece) {
  Location loc = original.getLoc();
  const RowOp &row = rows.ops[number];
  if (row.isSink) {
    AffineMap map = *original.getTargetMap();
    CopyOp::create(builder, loc, chunkOf(row.reads.front().second, original.getSource()), ValueRange(), AffineMapAttr(),
                   original.getTarget(), withTrips(original.getTargetIndices(), piece),
                   AffineMapAttr::get(moved(map, map.getNumDims(), piece, std::nullopt)), original.getCastAttr(),
                   TypedAttr(), DistributedAttr());
    return;
  }
  Value &chunk = chunks[{number, original.getTarget()}];
  if (!row.reads.empty()) {
    Value source = chunkOf(row.reads.front().second, original.getSource());
    chunk = allocate(original.getTarget(), elementOf(original.getTarget()), piece.extent);
    return copy(loc, source, nullptr, chunk, nullptr);
  }
  if (isSource(number) && piece.waits != Waits::Tensor) {
    chunk = emitSource(number, original, piece);
    return;
  }
  chunk = allocate(original.getTarget(), elementOf(original.getTarget()), piece.extent);
  AffineMap map = *original.getSourceMap();
  CopyOp::create(builder, loc, original.getSource(), withTrips(original.getSourceIndices(), piece),
                 AffineMapAttr::get(moved(map, map.getNumDims(), piece, std::nullopt)), chunk, ValueRange(),
                 AffineMapAttr(), original.getCastAttr(), original.getPad().value_or(TypedAttr()), DistributedAttr());
}

/// Where a point of a piece lies along the whole row, for a body that computes with it.
Value Chunker::placeAlong(Location loc, Value here, const Piece &piece) {
  auto startAt = [&](ArrayRef<int64_t> trips) { return *evaluateAffine(piece.start, trips); };
  SmallVector<int64_t> trips(piece.trips.size(), 0);
  int64_t first = startAt(trips);
  Value place = arith::AddIOp::create(builder, loc, here, arith::ConstantIndexOp::create(builder, loc, first));
  for (auto [number, trip] : llvm::enumerate(piece.trips)) {
    trips[number] = 1;
    Value step = arith::ConstantIndexOp::create(builder, loc, startAt(trips) - first);
    trips[number] = 0;
    place = arith::AddIOp::create(builder, loc, place, arith::MulIOp::create(builder, loc, trip, step));
  }
  return place;
}

/// An access of a tensor or a small tile moves on to the piece.
template <class OpTy> void Chunker::moveAccess(OpTy access, Value along, const Piece &piece) {
  AffineMap map = access.getMap();
  SmallVector<Value> operands(access.getIndices());
  for (auto [axis, operand] : llvm::enumerate(SmallVector<Value>(access.getIndices())))
    if (operand == along) {
      map = moved(map, operands.size(), piece, axis);
      llvm::append_range(operands, piece.trips);
    }
  access.getIndicesMutable().assign(operands);
  access.setMap(map);
}

void Chunker::emitLoop(unsigned number, ParallelOp original, const Piece &piece) {
  const RowOp &row = rows.ops[number];
  for (Value fragment : row.writes)
    chunks[{number, fragment}] = allocate(fragment, elementOf(fragment), piece.extent);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<int64_t> extents(rows.shape);
  extents.back() = piece.extent;
  ParallelOp loop = createLoop(original.getLoc(), extents);
  IRMapping mapping;
  mapping.map(original.getInductionVars(), loop.getInductionVars());
  Value along = original.getInductionVars().back(), here = loop.getInductionVars().back(), place;
  for (Operation &op : original.getBody().front()) {
    auto load = dyn_cast<LoadOp>(op);
    auto store = dyn_cast<StoreOp>(op);
    Value buffer = load ? load.getBuffer() : store ? store.getBuffer() : Value();
    const auto *writer = load ? row.reads.find(buffer) : row.reads.end();
    bool isChunk = writer != row.reads.end() || (store && llvm::is_contained(row.writes, buffer));
    if (isChunk)
      mapping.map(buffer, chunkOf(load ? writer->second : number, buffer));
    bool computes = !buffer && llvm::is_contained(op.getOperands(), along);
    if (computes && !place)
      place = placeAlong(original.getLoc(), here, piece);
    mapping.map(along, computes ? place : here);
    Operation *clone = builder.clone(op, mapping);
    if (isChunk)
      mapping.erase(buffer);
    else if (load)
      moveAccess(cast<LoadOp>(clone), here, piece);
    else if (store)
      moveAccess(cast<StoreOp>(clone), here, piece);
  }
}

void Chunker::emitFill(unsigned number, FillOp original, const Piece &piece) {
  Value &chunk = chunks[{number, original.getTarget()}];
  chunk = allocate(original.getTarget(), elementOf(original.getTarget()), piece.extent);
  IRMapping mapping;
  mapping.map(original.getTarget(), chunk);
  builder.clone(*original, mapping);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static ReductionRule ruleOf(ReduceOp reduce) {
  return ruleOf(stringifyReduceKind(reduce.getKind()), reduce.getSourceType());
}

/// One accumulator for each element of a chunk.
void Chunker::startReduction(ReduceOp reduce, int64_t extent) {
  ReductionRule rule = ruleOf(reduce);
  Value accumulator = allocate(reduce.getSource(), mlirType(builder.getContext(), rule.accumulator), extent);
  accumulators[{reduce, extent}] = accumulator;
  FillOp::create(builder, reduce.getLoc(), accumulator, Value(),
                 attributeOf(builder.getContext(), rule.accumulator, rule.identity), DistributedAttr());
}

void Chunker::accumulate(unsigned number, ReduceOp reduce, const Piece &piece) {
  ReductionRule rule = ruleOf(reduce);
  Value chunk = chunkOf(rows.ops[number].reads.front().second, reduce.getSource());
  Value accumulator = accumulators.lookup({reduce, piece.extent});
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<int64_t> extents(rows.shape);
  extents.back() = piece.extent;
  Location loc = reduce.getLoc();
  ParallelOp loop = createLoop(loc, extents);
  AffineMap identity = builder.getMultiDimIdentityMap(extents.size());
  auto load = [&](Value buffer) -> Value {
    return LoadOp::create(builder, loc, elementOf(buffer), buffer, loop.getInductionVars(), identity, TypedAttr());
  };
  Value element = load(chunk), sum = load(accumulator);
  if (element.getType() != sum.getType())
    element = simt::ConvertOp::create(builder, loc, sum.getType(), element);
  Value next = createCombined(builder, loc, rule, sum, createMapped(builder, loc, rule, element));
  StoreOp::create(builder, loc, next, accumulator, loop.getInductionVars(), identity);
}

/// The accumulators of all chunks become one value a row, which is rounded once.
void Chunker::finishReduction(ReduceOp reduce) {
  Location loc = reduce.getLoc();
  ReductionRule rule = ruleOf(reduce);
  Type accumulator = mlirType(builder.getContext(), rule.accumulator);
  bool isMean = reduce.getKind() == ReduceKind::Mean;
  Value target = reduce.getTarget();
  bool isDirect = !isMean && elementOf(target) == accumulator;
  if (!isDirect) {
    auto type = MemRefType::get(reduce.getTargetType().getShape(), accumulator, MemRefLayoutAttrInterface(),
                                FragmentAttr::get(builder.getContext()));
    target = AllocFragmentOp::create(builder, target.getLoc(), type, DistributedAttr(), IntegerAttr());
  }
  bool isLater = reduce.getAccumulate();
  for (int64_t extent : {plan.chunk, plan.tail}) {
    Value part = accumulators.lookup({reduce, extent});
    if (!part)
      continue;
    // A part is a sum already, and where it has wrapped its absolute value is another.
    bool isSum = isMean || reduce.getKind() == ReduceKind::AbsSum;
    ReduceKind kind = isSum ? ReduceKind::Sum : reduce.getKind();
    ReduceOp::create(builder, loc, kind, part, target, rows.shape.size() - 1, isLater, DistributedAttr());
    isLater = true;
  }
  if (isDirect)
    return;
  OpBuilder::InsertionGuard guard(builder);
  ParallelOp loop = createLoop(loc, reduce.getTargetType().getShape());
  AffineMap identity = builder.getMultiDimIdentityMap(reduce.getTargetType().getRank());
  Value value = LoadOp::create(builder, loc, accumulator, target, loop.getInductionVars(), identity, TypedAttr());
  if (isMean) {
    TypedAttr count = builder.getFloatAttr(accumulator, static_cast<double>(rows.shape.back()));
    value = arith::DivFOp::create(builder, loc, value, arith::ConstantOp::create(builder, loc, count));
  }
  if (elementOf(reduce.getTarget()) != accumulator)
    value = simt::ConvertOp::create(builder, loc, elementOf(reduce.getTarget()), value);
  StoreOp::create(builder, loc, value, reduce.getTarget(), loop.getInductionVars(), identity);
}

void chunkRows(KernelOp kernel, const RowPhases &rows, const RowPlan &plan) {
  Chunker(kernel, rows, plan).run();
}

} // namespace tile
