// ChecksWrites.cpp - finds two points of a parallel that certainly touch one element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"

#include "dialects/Tile/Ranges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"

#include <numeric>

using namespace mlir;
using namespace tile;

/// Points tried before a map that is not decided in closed form is accepted.
static constexpr int64_t kMaxPoints = int64_t(1) << 18;
static constexpr int64_t kMaxPairPoints = int64_t(1) << 12;
/// Larger factors are not multiplied out.
static constexpr int64_t kFactorLimit = int64_t(1) << 31;

namespace {
/// One index of an access: what depends on the point, and what is the same for all of them.
struct Index {
  AffineExpr moving; ///< over the variables of the access
  AffineExpr fixed;  ///< over `Access::fixedValues`
};

/// A load or store that every point executes, with the indices taken apart.
struct Access {
  Operation *op = nullptr;
  Value buffer;
  SmallVector<Index> indices;
  SmallVector<Value> variables; ///< induction variables of the parallel, then of the loops inside it
  SmallVector<int64_t> extents; ///< of the variables; a dynamic extent counts as 1: nothing is proven along it
  size_t pointDims = 0;         ///< how many of the variables make the point
};

/// Takes the indices of one access apart; fails where they are not affine in the point.
class AccessBuilder {
public:
  AccessBuilder(ParallelOp loop, SmallVectorImpl<Value> &fixedValues) : loop(loop), fixedValues(fixedValues) {}

  std::optional<Access> build(Operation *op, Value buffer, AffineMap map, ValueRange operands);

private:
  bool addVariables(LoopOpInterface loop);
  std::optional<Index> split(AffineExpr expr, ValueRange operands, int depth);
  std::optional<Index> splitValue(Value value, int depth);

  ParallelOp loop;
  SmallVectorImpl<Value> &fixedValues;
  Access access;
};
} // namespace

bool AccessBuilder::addVariables(LoopOpInterface from) {
  bool isPoint = from.getOperation() == loop.getOperation();
  for (auto [iv, extent] : llvm::zip_equal(from.getInductionVars(), from.getConstantExtents())) {
    // A loop inside that may have no trips proves nothing.
    if ((extent && *extent <= 0) || (!extent && !isPoint))
      return false;
    access.variables.push_back(iv);
    access.extents.push_back(extent.value_or(1));
  }
  return true;
}

std::optional<Index> AccessBuilder::splitValue(Value value, int depth) {
  MLIRContext *context = loop.getContext();
  AffineExpr zero = getAffineConstantExpr(0, context);
  auto *variable = llvm::find(access.variables, value);
  if (variable != access.variables.end())
    return Index{getAffineDimExpr(variable - access.variables.begin(), context), zero};
  IndexRange range = rangeOf(value);
  if (range.isConstant())
    return Index{getAffineConstantExpr(range.lo, context), zero};
  if (!loop.getBody().isAncestor(value.getParentRegion())) {
    size_t number = llvm::find(fixedValues, value) - fixedValues.begin();
    if (number == fixedValues.size())
      fixedValues.push_back(value);
    return Index{zero, getAffineDimExpr(number, context)};
  }
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply || depth > 16)
    return std::nullopt;
  AffineMap map = apply.getAffineMap();
  return split(map.getResult(0).replaceSymbols(symbolsAsDims(map)), apply.getMapOperands(), depth + 1);
}

std::optional<Index> AccessBuilder::split(AffineExpr expr, ValueRange operands, int depth) {
  AffineExpr zero = getAffineConstantExpr(0, loop.getContext());
  if (isa<AffineConstantExpr>(expr))
    return Index{expr, zero};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return splitValue(operands[dim.getPosition()], depth);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<Index> left = split(binary.getLHS(), operands, depth), right = split(binary.getRHS(), operands, depth);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return Index{left->moving + right->moving, left->fixed + right->fixed};
  auto constant = dyn_cast<AffineConstantExpr>(right->moving);
  if (expr.getKind() == AffineExprKind::Mul) {
    if (!constant || right->fixed != zero)
      return std::nullopt;
    return Index{left->moving * constant, left->fixed * constant};
  }
  // A quotient of a sum does not come apart, unless it is all of one kind.
  auto whole = [&](AffineExpr part) { return getAffineBinaryOpExpr(expr.getKind(), part, right->moving); };
  if (left->fixed == zero)
    return Index{whole(left->moving), zero};
  if (left->moving == zero)
    return Index{zero, whole(left->fixed)};
  return std::nullopt;
}

std::optional<Access> AccessBuilder::build(Operation *op, Value buffer, AffineMap map, ValueRange operands) {
  access = Access();
  access.op = op;
  access.buffer = buffer;
  if (!addVariables(loop))
    return std::nullopt;
  access.pointDims = access.variables.size();
  for (Operation *parent = op->getParentOp(); parent != loop.getOperation(); parent = parent->getParentOp()) {
    // Conditions and loops of unknown length: not every point is certain to come here.
    auto inner = dyn_cast<LoopOpInterface>(parent);
    if (!inner || !addVariables(inner))
      return std::nullopt;
  }
  for (AffineExpr expr : map.getResults()) {
    std::optional<Index> index = split(expr, operands, 0);
    if (!index)
      return std::nullopt;
    access.indices.push_back(*index);
  }
  return access;
}

/// The range of an index over the points of the access.
static IndexRange rangeOver(const Access &access, AffineExpr expr) {
  return rangeOf(expr, [&](unsigned dim) { return IndexRange{0, access.extents[dim] - 1, true, 0}; });
}

//===----------------------------------------------------------------------===//
// Closed form
//===----------------------------------------------------------------------===//

namespace {
/// Decides whether the indices of an access name its variables, digit by digit: an index that is a mixed-radix number
/// of terms gives each term, x floordiv c and x mod c together give x.
class Recovery {
public:
  explicit Recovery(const Access &access) : access(access) {}

  bool recoversAll();

private:
  using Term = std::pair<AffineExpr, int64_t>;
  void collect(AffineExpr sum, int64_t factor, SmallVectorImpl<Term> &terms) const;
  bool readDigits(AffineExpr sum);
  bool joinQuotients(AffineExpr expr);

  const Access &access;
  llvm::DenseSet<AffineExpr> known;
};
} // namespace

void Recovery::collect(AffineExpr sum, int64_t factor, SmallVectorImpl<Term> &terms) const {
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(sum)) {
    if (sum.getKind() == AffineExprKind::Add) {
      collect(binary.getLHS(), factor, terms);
      return collect(binary.getRHS(), factor, terms);
    }
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    int64_t product;
    if (sum.getKind() == AffineExprKind::Mul && constant && !llvm::MulOverflow(factor, constant.getValue(), product))
      return collect(binary.getLHS(), product, terms);
  }
  if (!isa<AffineConstantExpr>(sum))
    terms.push_back({sum, factor});
}

/// Learns the terms of a known sum if each one steps over all smaller ones.
bool Recovery::readDigits(AffineExpr sum) {
  SmallVector<Term> terms;
  collect(sum, 1, terms);
  llvm::erase_if(terms, [&](const Term &term) { return known.contains(term.first); });
  llvm::sort(terms, [](const Term &a, const Term &b) { return std::abs(a.second) < std::abs(b.second); });
  __int128 reach = 0;
  for (auto [expr, factor] : terms) {
    IndexRange values = rangeOver(access, expr);
    if (values.lo == IndexRange::kLowest || values.hi == IndexRange::kHighest || factor == IndexRange::kLowest)
      return false;
    __int128 width = static_cast<__int128>(values.hi) - values.lo;
    if (width > 0 && std::abs(factor) <= reach)
      return false;
    reach += width * std::abs(factor);
  }
  for (const Term &term : terms)
    known.insert(term.first);
  return !terms.empty();
}

/// Learns x from x floordiv c and x mod c; and (x floordiv c) from its own quotient, written x floordiv (c · d).
bool Recovery::joinQuotients(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() != AffineExprKind::Mod)
    return false;
  AffineExpr whole = binary.getLHS();
  auto divisor = cast<AffineConstantExpr>(binary.getRHS());
  bool hasQuotient = known.contains(whole.floorDiv(divisor));
  if (auto inner = dyn_cast<AffineBinaryOpExpr>(whole); inner && whole.getKind() == AffineExprKind::FloorDiv)
    hasQuotient |= known.contains(
        inner.getLHS().floorDiv(cast<AffineConstantExpr>(inner.getRHS()).getValue() * divisor.getValue()));
  if (!hasQuotient || known.contains(whole))
    return false;
  known.insert(whole);
  return true;
}

bool Recovery::recoversAll() {
  for (auto [dim, extent] : llvm::enumerate(access.extents))
    if (extent == 1)
      known.insert(getAffineDimExpr(dim, access.op->getContext()));
  for (const Index &index : access.indices)
    known.insert(index.moving);
  for (bool changed = true; changed;) {
    changed = false;
    SmallVector<AffineExpr> exprs(known.begin(), known.end());
    for (AffineExpr expr : exprs)
      changed |= joinQuotients(expr) || (!isa<AffineDimExpr>(expr) && readDigits(expr) && known.size() > exprs.size());
  }
  for (size_t dim = 0; dim < access.extents.size(); ++dim)
    if (!known.contains(getAffineDimExpr(dim, access.op->getContext())))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

static std::optional<int64_t> evaluate(AffineExpr expr, ArrayRef<int64_t> point) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return point[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> left = evaluate(binary.getLHS(), point), right = evaluate(binary.getRHS(), point);
  if (!left || !right)
    return std::nullopt;
  int64_t result;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return llvm::AddOverflow(*left, *right, result) ? std::nullopt : std::optional(result);
  case AffineExprKind::Mul:
    return llvm::MulOverflow(*left, *right, result) ? std::nullopt : std::optional(result);
  case AffineExprKind::Mod:
    return llvm::mod(*left, *right);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*left, *right);
  default:
    return llvm::divideCeilSigned(*left, *right);
  }
}

namespace {
using Numbers = SmallVector<int64_t, 4>;

/// Walks a box of points in order; a corner of it where all of it has more than `limit` points.
class Box {
public:
  Box(ArrayRef<int64_t> extents, int64_t limit) : extents(extents), point(extents.size(), 0) {
    for (;;) {
      std::optional<int64_t> count = countElements(this->extents);
      if (count && *count <= limit)
        return;
      auto *largest = std::max_element(this->extents.begin(), this->extents.end());
      *largest = *largest > 2 ? llvm::divideCeil(*largest, 2) : 1;
    }
  }

  ArrayRef<int64_t> current() const { return point; }
  /// The position of the current point in the walk.
  uint32_t number() const { return position; }
  int64_t size() const { return *countElements(extents); }

  /// The point at a position.
  Numbers at(uint32_t number) const {
    Numbers point(extents.size());
    for (size_t dim = point.size(); dim-- > 0; number /= extents[dim])
      point[dim] = number % extents[dim];
    return point;
  }

  bool next() {
    ++position;
    for (size_t dim = point.size(); dim-- > 0;) {
      if (++point[dim] < extents[dim])
        return true;
      point[dim] = 0;
    }
    return false;
  }

private:
  Numbers extents, point;
  uint32_t position = 0;
};
} // namespace

/// Finds the element an access names at a point; false where it lies outside the buffer for certain.
static bool findElement(const Access &access, ArrayRef<int64_t> point, Numbers &element) {
  element.clear();
  auto type = cast<MemRefType>(access.buffer.getType());
  for (auto [index, extent] : llvm::zip_equal(access.indices, type.getShape())) {
    std::optional<int64_t> value = evaluate(index.moving, point);
    if (!value)
      return false;
    bool isAlone = isa<AffineConstantExpr>(index.fixed);
    if (isAlone && (*value < 0 || (!ShapedType::isDynamic(extent) && *value >= extent)))
      return false;
    element.push_back(*value);
  }
  return true;
}

static std::string numbersText(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(numbers, stream);
  return text;
}

/// "[3, 0]", with the dimensions marked that begin somewhere the points do not change.
static std::string elementText(const Access &access, ArrayRef<int64_t> element) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(llvm::zip_equal(access.indices, element), stream, [&](auto pair) {
    auto [index, number] = pair;
    if (!isa<AffineConstantExpr>(index.fixed))
      stream << "... + ";
    stream << number;
  });
  return text;
}

static LogicalResult reportPoints(const Access &access, const Access &other, ArrayRef<int64_t> element,
                                  ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
  bool isRead = isa<LoadOp>(access.op);
  InFlightDiagnostic diag = access.op->emitOpError();
  diag << (isRead ? "reads" : "writes") << " element [" << elementText(access, element) << "] at point ("
       << numbersText(second.take_front(access.pointDims)) << "), which point ("
       << numbersText(first.take_front(access.pointDims)) << ") writes; ";
  if (isRead)
    diag << "an element that one point writes is read by that point only (parallel-C5)";
  else
    diag << "each point writes elements of its own, or combines them by 'tile.atomic' (parallel-C4)";
  if (access.op != other.op)
    diag.attachNote(other.op->getLoc()) << "the other write is here";
  noteBuffer(diag, access.buffer);
  return diag;
}

namespace {
/// Which point wrote each element, for one store: elements by hash, points by their position in the box.
struct Writers {
  Writers(const Access &store, int64_t limit) : store(store), box(store.extents, limit) {}

  LogicalResult collect();
  LogicalResult findMeeting(const Access &access, int64_t limit) const;

  const Access &store;
  Box box;
  llvm::DenseMap<uint64_t, uint32_t> points;
};
} // namespace

/// A hash that is none of the two keys DenseMap keeps for itself.
static uint64_t keyOf(ArrayRef<int64_t> element) {
  return static_cast<uint64_t>(llvm::hash_combine_range(element)) >> 1;
}

/// Fails at the first element that two points write.
LogicalResult Writers::collect() {
  points.reserve(box.size());
  Numbers element;
  do {
    if (!findElement(store, box.current(), element))
      continue;
    auto [writer, isNew] = points.try_emplace(keyOf(element), box.number());
    if (isNew)
      continue;
    Numbers first = box.at(writer->second), other;
    if (ArrayRef(first).take_front(store.pointDims) != box.current().take_front(store.pointDims) &&
        findElement(store, first, other) && element == other)
      return reportPoints(store, store, element, first, box.current());
  } while (box.next());
  return success();
}

/// Looks among the points of `access` for one that meets an element another point wrote.
LogicalResult Writers::findMeeting(const Access &access, int64_t limit) const {
  Box others(access.extents, limit);
  Numbers element;
  do {
    if (!findElement(access, others.current(), element))
      continue;
    auto writer = points.find(keyOf(element));
    if (writer == points.end())
      continue;
    Numbers first = box.at(writer->second), other;
    if (ArrayRef(first).take_front(store.pointDims) != others.current().take_front(access.pointDims) &&
        findElement(store, first, other) && element == other)
      return reportPoints(access, store, element, first, others.current());
  } while (others.next());
  return success();
}

/// Whether the parts that no point changes are the same, so that the moving parts decide.
static bool haveSameBase(const Access &a, const Access &b) {
  return a.buffer == b.buffer && llvm::all_of(llvm::zip_equal(a.indices, b.indices), [](auto pair) {
           return std::get<0>(pair).fixed == std::get<1>(pair).fixed;
         });
}

static bool haveSameIndices(const Access &a, const Access &b) {
  return a.variables == b.variables && llvm::all_of(llvm::zip_equal(a.indices, b.indices), [](auto pair) {
           return std::get<0>(pair).moving == std::get<1>(pair).moving;
         });
}

/// Adds the factors of a sum to `divisor`, their greatest common divisor, and its constants to `constant`.
static void collectFactors(AffineExpr expr, int64_t factor, uint64_t &divisor, uint64_t &constant) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    constant += static_cast<uint64_t>(number.getValue()) * factor;
  } else if (binary && expr.getKind() == AffineExprKind::Add) {
    collectFactors(binary.getLHS(), factor, divisor, constant);
    collectFactors(binary.getRHS(), factor, divisor, constant);
  } else if (auto scale = binary && expr.getKind() == AffineExprKind::Mul
                              ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                              : AffineConstantExpr();
             scale && std::abs(factor) < kFactorLimit && std::abs(scale.getValue()) < kFactorLimit) {
    collectFactors(binary.getLHS(), factor * scale.getValue(), divisor, constant);
  } else {
    divisor = std::gcd(divisor, static_cast<uint64_t>(std::abs(factor)));
  }
}

/// Whether the two expressions never have the same value: their ranges do not meet, or they lie in different classes
/// modulo a common divisor of all factors (as 2 i and 2 i + 1 do).
static bool areApart(const Access &a, AffineExpr left, const Access &b, AffineExpr right) {
  IndexRange leftRange = rangeOver(a, left), rightRange = rangeOver(b, right);
  if (leftRange.hi < rightRange.lo || rightRange.hi < leftRange.lo)
    return true;
  uint64_t divisor = 0, leftConstant = 0, rightConstant = 0;
  collectFactors(left, 1, divisor, leftConstant);
  collectFactors(right, 1, divisor, rightConstant);
  // Wrapped differences are right modulo powers of two only: a difference is small here, or nothing is claimed.
  int64_t difference = static_cast<int64_t>(leftConstant - rightConstant);
  return divisor > 1 && std::abs(difference) < kFactorLimit && difference % static_cast<int64_t>(divisor) != 0;
}

static bool areApart(const Access &a, const Access &b) {
  return llvm::any_of(llvm::zip_equal(a.indices, b.indices),
                      [&](auto pair) { return areApart(a, std::get<0>(pair).moving, b, std::get<1>(pair).moving); });
}

LogicalResult tile::checkWrites(ParallelOp loop) {
  SmallVector<Value> fixedValues;
  SmallVector<Access> stores, accesses;
  loop.getBody().walk([&](Operation *op) {
    AccessBuilder builder(loop, fixedValues);
    if (auto store = dyn_cast<StoreOp>(op)) {
      if (auto access = builder.build(op, store.getBuffer(), store.getMap(), store.getIndices())) {
        stores.push_back(*access);
        accesses.push_back(*access);
      }
    } else if (auto load = dyn_cast<LoadOp>(op)) {
      if (auto access = builder.build(op, load.getBuffer(), load.getMap(), load.getIndices()))
        accesses.push_back(*access);
    }
  });
  for (const Access &store : stores) {
    bool isInjective = Recovery(store).recoversAll();
    if (!isInjective && failed(Writers(store, kMaxPoints).collect()))
      return failure();
    Writers writers(store, kMaxPairPoints);
    for (const Access &access : accesses) {
      if (access.op == store.op || !haveSameBase(store, access) || areApart(store, access) ||
          (isInjective && haveSameIndices(store, access)))
        continue;
      if ((writers.points.empty() && failed(writers.collect())) || failed(writers.findMeeting(access, kMaxPairPoints)))
        return failure();
    }
  }
  return success();
}
