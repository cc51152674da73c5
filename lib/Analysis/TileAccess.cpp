// TileAccess.cpp - normalises the accesses of tile ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/TileAccess.h"

#include "dialects/Tile/Checks.h"
#include "dialects/Tile/LayoutParts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Normal form
//===----------------------------------------------------------------------===//

/// Brings `map(operands)` into the form of TileAccess: points first, index computations composed in.
static void normalize(AffineMap map, ValueRange operands, ValueRange points, TileAccess &access) {
  SmallVector<Value> values(operands);
  affine::fullyComposeAffineMapAndOperands(&map, &values);
  SmallVector<AffineExpr> replacements;
  MLIRContext *context = map.getContext();
  for (Value value : values) {
    auto found = llvm::find(points, value);
    if (found != points.end()) {
      replacements.push_back(getAffineDimExpr(std::distance(points.begin(), found), context));
      continue;
    }
    auto *known = llvm::find(access.operands, value);
    if (known == access.operands.end()) {
      access.operands.push_back(value);
      known = &access.operands.back();
    }
    replacements.push_back(getAffineDimExpr(points.size() + (known - access.operands.begin()), context));
  }
  ArrayRef<AffineExpr> all = replacements;
  access.map = map.replaceDimsAndSymbols(all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()),
                                         points.size() + access.operands.size(), 0);
}

/// A tile of rank 0 is one point.
static SmallVector<int64_t> atLeastOneDim(ArrayRef<int64_t> extents) {
  return extents.empty() ? SmallVector<int64_t>{1} : SmallVector<int64_t>(extents);
}

AffineExpr tile::contiguousIndex(const TileAccess &access) {
  int64_t rank = access.type().getRank();
  if (rank == 0)
    return {};
  // The type of a slice is plain; its strides are those of what it is cut from, counted from the last dimension.
  Value buffer = access.buffer;
  while (auto slice = buffer.getDefiningOp<SliceOp>())
    buffer = slice.getSource();
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0, skipped = type.getRank() - rank;
  if (isa<StridedLayoutAttr>(type.getLayout()) && succeeded(type.getStridesAndOffset(strides, offset)))
    for (int64_t dim = rank; dim-- > 0;)
      if (strides[dim + skipped] == 1)
        return access.map.getResult(dim);
  return access.map.getResults().back();
}

SmallVector<int64_t> tile::pointExtents(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<int64_t>>(op)
      .Case([](ParallelOp loop) {
        SmallVector<int64_t> extents;
        for (std::optional<int64_t> extent : loop.getConstantExtents())
          extents.push_back(extent.value_or(ShapedType::kDynamic));
        return extents;
      })
      .Case([](CopyOp copy) { return atLeastOneDim(copy.getTileShape()); })
      .Case([](FillOp fill) { return atLeastOneDim(fill.getTargetType().getShape()); })
      .Case<ReduceOp, ArgReduceOp, ScanOp>([](auto op) { return SmallVector<int64_t>(op.getSourceType().getShape()); });
}

/// A side of a copy: leading dimensions beyond the tile's have one index, the start's.
static TileAccess copySide(CopyOp copy, Value buffer, std::optional<AffineMap> starts, ValueRange operands,
                           size_t tileRank, bool isStore) {
  size_t numPoints = std::max<size_t>(tileRank, 1);
  TileAccess access{copy, buffer, {}, llvm::to_vector(operands), isStore};
  MLIRContext *context = copy.getContext();
  size_t rank = access.type().getRank();
  SmallVector<AffineExpr> results;
  for (size_t dim = 0; dim < rank; ++dim) {
    AffineExpr index = getAffineConstantExpr(0, context);
    if (starts)
      index = starts->getResult(dim).shiftDims(starts->getNumDims(), numPoints);
    // Dimension `dim` counts from the tail.
    if (rank - dim <= tileRank)
      index = index + getAffineDimExpr(tileRank - (rank - dim), context);
    results.push_back(index);
  }
  access.map = AffineMap::get(numPoints + operands.size(), 0, results, context);
  return access;
}

/// `symbol(%x)` in a bracket means no more than `%x`.
static std::optional<AffineMap> withoutSymbols(std::optional<AffineMap> map) {
  if (!map || map->getNumSymbols() == 0)
    return map;
  SmallVector<AffineExpr> symbols;
  for (unsigned i = 0; i < map->getNumSymbols(); ++i)
    symbols.push_back(getAffineDimExpr(map->getNumDims() + i, map->getContext()));
  return map->replaceDimsAndSymbols({}, symbols, map->getNumInputs(), 0);
}

SmallVector<TileAccess> tile::accessesOfBody(Region &body, ValueRange points) {
  SmallVector<TileAccess> accesses;
  body.walk([&](Operation *inner) {
    auto add = [&](auto element, bool isStore) {
      TileAccess &access = accesses.emplace_back();
      access.op = inner;
      access.buffer = element.getBuffer();
      access.isStore = isStore;
      normalize(element.getMap(), element.getIndices(), points, access);
    };
    llvm::TypeSwitch<Operation *>(inner)
        .Case([&](LoadOp load) { add(load, false); })
        .Case<StoreOp, AtomicOp>([&](auto store) { add(store, true); });
  });
  return accesses;
}

SmallVector<TileAccess> tile::accessesOf(Operation *op) {
  SmallVector<TileAccess> accesses;
  if (auto copy = dyn_cast<CopyOp>(op)) {
    size_t rank = copy.getTileShape().size();
    accesses.push_back(copySide(copy, copy.getSource(), withoutSymbols(copy.getSourceMap()), copy.getSourceIndices(),
                                rank, /*isStore=*/false));
    accesses.push_back(copySide(copy, copy.getTarget(), withoutSymbols(copy.getTargetMap()), copy.getTargetIndices(),
                                rank, /*isStore=*/true));
    return accesses;
  }
  if (auto fill = dyn_cast<FillOp>(op)) {
    int64_t rank = fill.getTargetType().getRank();
    AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, op->getContext());
    if (rank == 0)
      identity = AffineMap::get(1, 0, op->getContext());
    accesses.push_back({fill, fill.getTarget(), identity, {}, /*isStore=*/true});
    return accesses;
  }
  if (auto loop = dyn_cast<ParallelOp>(op))
    return accessesOfBody(loop.getBody(), loop.getInductionVars());
  return accesses;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Value tile::rootOf(Value buffer) {
  return rootBuffer(buffer);
}

/// Row-major number of a coordinate, then taken apart in another shape.
SmallVector<AffineExpr> tile::reshapedCoordinates(ArrayRef<AffineExpr> coordinate, ArrayRef<int64_t> from,
                                                  ArrayRef<int64_t> to, MLIRContext *context) {
  AffineExpr linear = getAffineConstantExpr(0, context);
  for (auto [index, extent] : llvm::zip_equal(coordinate, from))
    linear = linear * extent + index;
  SmallVector<AffineExpr> result(to.size());
  for (size_t dim = to.size(); dim-- > 0;) {
    result[dim] = dim == 0 ? linear : linear % to[dim];
    linear = linear.floorDiv(to[dim]);
  }
  return result;
}

RootAccess tile::rootOf(const TileAccess &access) {
  RootAccess result{access.buffer, access.map, false};
  MLIRContext *context = access.map.getContext();
  while (Operation *op = result.root.getDefiningOp()) {
    SmallVector<AffineExpr> coordinate(result.map.getResults());
    // Coordinates of other elements lead nowhere.
    if (result.isRetyped && isa<ReshapeOp, ViewOp, SliceOp>(op)) {
      result.root = op->getOperand(0);
      continue;
    }
    if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      auto from = cast<MemRefType>(reshape.getType()), to = cast<MemRefType>(reshape.getSource().getType());
      coordinate = reshapedCoordinates(coordinate, from.getShape(), to.getShape(), context);
    } else if (auto slice = dyn_cast<SliceOp>(op)) {
      size_t skipped = slice.getMap().getNumResults() - coordinate.size();
      SmallVector<AffineExpr> shifted;
      for (auto [dim, start] : llvm::enumerate(slice.getMap().getResults())) {
        auto constant = dyn_cast<AffineConstantExpr>(start);
        if (!constant)
          result.isRetyped = true; // only fragments ask, and their slices start at constants
        AffineExpr index = dim < skipped ? getAffineConstantExpr(0, context) : coordinate[dim - skipped];
        shifted.push_back(constant ? index + constant : index);
      }
      coordinate = shifted;
    } else if (isa<ViewOp>(op)) {
      result.isRetyped = true;
    } else {
      break;
    }
    result.root = op->getOperand(0);
    if (!isa<ViewOp>(op))
      result.map = AffineMap::get(result.map.getNumDims(), 0, coordinate, context);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// Adds coefficient * expr as terms of one buffer axis; false where it has another form.
static bool addTerms(AffineExpr expr, int64_t coefficient, unsigned numPoints, std::vector<IndexTerm> &terms,
                     int64_t &constant) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    constant += coefficient * number.getValue();
    return true;
  }
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (expr.getKind() == AffineExprKind::Add)
      return addTerms(binary.getLHS(), coefficient, numPoints, terms, constant) &&
             addTerms(binary.getRHS(), coefficient, numPoints, terms, constant);
    if (expr.getKind() == AffineExprKind::Mul && right)
      return addTerms(binary.getLHS(), coefficient * right.getValue(), numPoints, terms, constant);
  }
  IndexTerm term{0, coefficient, 1, 0};
  if (auto mod = dyn_cast<AffineBinaryOpExpr>(expr); mod && expr.getKind() == AffineExprKind::Mod) {
    auto modulus = dyn_cast<AffineConstantExpr>(mod.getRHS());
    if (!modulus)
      return false;
    term.modulus = modulus.getValue();
    expr = mod.getLHS();
  }
  if (auto div = dyn_cast<AffineBinaryOpExpr>(expr); div && expr.getKind() == AffineExprKind::FloorDiv) {
    auto divisor = dyn_cast<AffineConstantExpr>(div.getRHS());
    if (!divisor)
      return false;
    term.divisor = divisor.getValue();
    expr = div.getLHS();
  }
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (!dim || dim.getPosition() >= numPoints || coefficient <= 0)
    return false;
  term.axis = dim.getPosition();
  terms.push_back(term);
  return true;
}

std::optional<IndexMap> tile::indexMapOf(AffineMap map, unsigned numPoints) {
  IndexMap result;
  for (AffineExpr expr : map.getResults()) {
    int64_t constant = 0;
    if (!addTerms(expr, 1, numPoints, result.terms.emplace_back(), constant) || constant < 0)
      return std::nullopt;
    result.constants.push_back(constant);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<int64_t> tile::evaluateAffine(AffineExpr expr, ArrayRef<int64_t> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> left, right;
  if (!binary || !(left = evaluateAffine(binary.getLHS(), dims)) || !(right = evaluateAffine(binary.getRHS(), dims)))
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *left + *right;
  if (expr.getKind() == AffineExprKind::Mul)
    return *left * *right;
  if (*right <= 0)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*left, *right);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(*left, *right);
  case AffineExprKind::Mod:
    return llvm::mod(*left, *right);
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

StringRef tile::nameOf(Value value, StringRef fallback) {
  auto loc = dyn_cast<NameLoc>(value.getLoc());
  return loc ? loc.getName().getValue() : fallback;
}

int64_t tile::lineOf(Location loc) {
  FileLineColLoc place = loc->findInstanceOf<FileLineColLoc>();
  return place ? place.getLine() : 0;
}

/// A part of a sentence.
static StringRef valueName(Value value) {
  return nameOf(value, "a tile");
}

std::string tile::describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](CopyOp copy) { os << "copy " << valueName(copy.getSource()) << " to " << valueName(copy.getTarget()); })
      .Case([&](FillOp fill) { os << "fill " << valueName(fill.getTarget()); })
      .Case([&](ReduceOp reduce) {
        os << "reduce " << stringifyReduceKind(reduce.getKind()) << ' ' << valueName(reduce.getSource()) << " into "
           << valueName(reduce.getTarget());
      })
      .Case([&](ArgReduceOp reduce) {
        os << "argreduce " << stringifyArgReduceKind(reduce.getKind()) << ' ' << valueName(reduce.getSource())
           << " into " << valueName(reduce.getValue()) << ", " << valueName(reduce.getIndex());
      })
      .Case([&](ScanOp scan) {
        os << (scan.getExclusive() ? "exclusive " : "") << (scan.getReverse() ? "reverse " : "") << "scan "
           << stringifyScanKind(scan.getKind()) << ' ' << valueName(scan.getSource()) << " into "
           << valueName(scan.getTarget());
      })
      .Case([&](ParallelOp loop) {
        os << "parallel (";
        llvm::interleaveComma(loop.getInductionVars(), os, [&](Value iv) { os << valueName(iv); });
        os << ')';
      })
      .Default([&](Operation *other) { os << other->getName().stripDialect(); });
  return text;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Layout tile::layoutOf(DistributedAttr attr) {
  LayoutParts parts = layoutParts({attr.getShape(), attr.getDigitCounts(), attr.getRadices(), attr.getOwners(),
                                   attr.getStrides(), attr.getCopyRadices(), attr.getCopyOwners(),
                                   attr.getCopyStrides(), attr.getThreads(), attr.getBlocks(), attr.getOrigins()});
  std::optional<Layout> layout = Layout::get(std::move(parts));
  assert(layout && "the attribute's verifier accepts only layouts");
  return *layout;
}

DistributedAttr tile::layoutAttr(MLIRContext *context, const Layout &layout) {
  SmallVector<int64_t> counts, radices, owners, strides, copyRadices, copyOwners, copyStrides;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    std::span<const Digit> digits = layout.axisDigits(axis);
    counts.push_back(digits.size());
    for (size_t i = digits.size(); i-- > 0;) {
      radices.push_back(digits[i].radix);
      owners.push_back(static_cast<int64_t>(digits[i].owner));
      strides.push_back(digits[i].stride);
    }
  }
  for (const Spread &copy : layout.copies()) {
    copyRadices.push_back(copy.radix);
    copyOwners.push_back(static_cast<int64_t>(copy.owner));
    copyStrides.push_back(copy.stride);
  }
  SmallVector<int64_t> origins(layout.origins().begin(), layout.origins().end());
  if (llvm::all_of(origins, [](int64_t origin) { return origin == 0; }))
    origins.clear();
  return DistributedAttr::get(context, layout.extents(), counts, radices, owners, strides, copyRadices, copyOwners,
                              copyStrides, layout.threads(), layout.blocks(), origins);
}
