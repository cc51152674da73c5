// ThreadBytes.cpp - see ThreadBytes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/ThreadBytes.h"
#include "tile/Analysis/PointEvaluator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace tile;
using namespace tile::simt;

/// Points and table entries beyond which an access counts as unknown.
static constexpr int64_t kMaxPoints = int64_t(1) << 16, kMaxEntries = int64_t(1) << 20;

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) || constant.getBitWidth() > 64)
    return std::nullopt;
  return constant.getSExtValue();
}

//===----------------------------------------------------------------------===//
// Numbers of kernel-wide constants
//===----------------------------------------------------------------------===//

std::optional<unsigned> BaseNumbers::of(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!isa<KernelOp>(argument.getOwner()->getParentOp()))
      return std::nullopt;
    return number({uintptr_t(value.getAsOpaquePointer())});
  }
  Operation *op = value.getDefiningOp();
  if (isa<ThreadIdOp, ShuffleOp>(op) || !isPure(op) || op->getNumRegions() != 0 || op->getNumResults() != 1)
    return std::nullopt;
  std::vector<uintptr_t> key{uintptr_t(op->getName().getAsOpaquePointer()),
                             uintptr_t(op->getAttrDictionary().getAsOpaquePointer()),
                             uintptr_t(value.getType().getAsOpaquePointer())};
  for (Value operand : op->getOperands()) {
    std::optional<unsigned> known = of(operand);
    if (!known)
      return std::nullopt;
    key.push_back(*known);
  }
  return number(key);
}

std::optional<unsigned> BaseNumbers::of(AffineExpr expr, unsigned numDims, ValueRange operands) {
  std::vector<uintptr_t> key{uintptr_t(expr.getAsOpaquePointer())};
  bool isBase = true;
  for (auto [position, operand] : llvm::enumerate(operands)) {
    bool isUsed = position < numDims ? expr.isFunctionOfDim(position) : expr.isFunctionOfSymbol(position - numDims);
    std::optional<unsigned> known = isUsed ? of(operand) : std::optional<unsigned>(0);
    isBase = isBase && known;
    key.push_back(known ? uintptr_t(*known) + isUsed : 0);
  }
  if (!isBase)
    return std::nullopt;
  return number(key);
}

//===----------------------------------------------------------------------===//
// Cutting an address
//===----------------------------------------------------------------------===//

namespace {
/// Something that is evaluated point by point: a value, or an affine expression over values.
struct Enumerated {
  Value value;
  AffineExpr expr;
  unsigned numDims = 0;
  SmallVector<Value> operands;
  PointVariables variables;

  std::optional<int64_t> at(const PointEvaluator &evaluator) const {
    return value ? evaluator.evaluate(value) : evaluator.evaluate(expr, numDims, operands);
  }
};

struct Term {
  Enumerated part;
  int64_t factor;
};

/// Cuts a byte address into constant, base, steps and enumerated terms.
class AddressCut {
public:
  AddressCut(BaseNumbers &numbers, bool enumerateLoops) : numbers(numbers), enumerateLoops(enumerateLoops) {}

  void add(Value value, int64_t factor);
  void addConstant(int64_t value, int64_t factor) {
    int64_t product;
    overflowed |= llvm::MulOverflow(value, factor, product) || llvm::AddOverflow(constant, product, constant);
  }

  int64_t constant = 0, modulus = 0;
  bool overflowed = false;
  std::map<unsigned, int64_t> base;
  SmallVector<Term> terms;

private:
  void addStep(int64_t step, int64_t factor) {
    int64_t product;
    overflowed |= llvm::MulOverflow(step, factor, product) || product == INT64_MIN;
    if (!overflowed)
      modulus = std::gcd(modulus, std::abs(product));
  }
  void addScaled(Value value, int64_t scale, int64_t factor) {
    int64_t product;
    overflowed |= llvm::MulOverflow(scale, factor, product);
    if (!overflowed)
      add(value, product);
  }
  void add(AffineExpr expr, unsigned numDims, ValueRange operands, int64_t factor);
  void addLeaf(Enumerated part, int64_t factor, std::optional<unsigned> number);
  bool addLoop(Value iv, int64_t factor);

  BaseNumbers &numbers;
  bool enumerateLoops;
};
} // namespace

void AddressCut::add(Value value, int64_t factor) {
  if (overflowed)
    return;
  if (std::optional<int64_t> known = constantOf(value))
    return addConstant(*known, factor);
  Operation *op = value.getDefiningOp();
  // Narrower arithmetic may wrap; only 64-bit sums may be taken apart.
  bool isWide = value.getType().isIndex() || value.getType().isInteger(64);
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op))
    return add(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), apply.getMapOperands(), factor);
  if (isWide && isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    add(op->getOperand(0), factor);
    return addScaled(op->getOperand(1), isa<arith::SubIOp>(op) ? -1 : 1, factor);
  }
  if (auto multiply = dyn_cast_or_null<arith::MulIOp>(op); multiply && isWide) {
    for (auto [a, b] :
         {std::pair(multiply.getLhs(), multiply.getRhs()), std::pair(multiply.getRhs(), multiply.getLhs())})
      if (std::optional<int64_t> scale = constantOf(b))
        return addScaled(a, *scale, factor);
  }
  Enumerated part;
  part.value = value;
  if (std::optional<PointVariables> variables = PointEvaluator::variables(value);
      variables && (enumerateLoops || variables->ivs.empty())) {
    part.variables = *variables;
    terms.push_back({part, factor});
    return;
  }
  if (!addLoop(value, factor))
    addLeaf(part, factor, numbers.of(value));
}

/// An induction variable is its lower bound and some number of steps.
bool AddressCut::addLoop(Value iv, int64_t factor) {
  auto argument = dyn_cast<BlockArgument>(iv);
  auto loop = argument ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || loop.getInductionVar() != iv)
    return false;
  addStep(constantOf(loop.getStep()).value_or(1), factor);
  add(loop.getLowerBound(), factor);
  return true;
}

void AddressCut::addLeaf(Enumerated part, int64_t factor, std::optional<unsigned> number) {
  if (!number)
    return addStep(1, factor);
  int64_t &known = base[*number];
  overflowed |= llvm::AddOverflow(known, factor, known);
  if (known == 0)
    base.erase(*number);
}

void AddressCut::add(AffineExpr expr, unsigned numDims, ValueRange operands, int64_t factor) {
  if (auto known = dyn_cast<AffineConstantExpr>(expr))
    return addConstant(known.getValue(), factor);
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return add(operands[dim.getPosition()], factor);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return add(operands[numDims + symbol.getPosition()], factor);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Add) {
    add(binary.getLHS(), numDims, operands, factor);
    return add(binary.getRHS(), numDims, operands, factor);
  }
  if (expr.getKind() == AffineExprKind::Mul && right) {
    int64_t product;
    overflowed |= llvm::MulOverflow(right.getValue(), factor, product);
    return overflowed ? void() : add(binary.getLHS(), numDims, operands, product);
  }
  Enumerated part;
  part.expr = expr;
  part.numDims = numDims;
  part.operands.assign(operands.begin(), operands.end());
  if (std::optional<PointVariables> variables = PointEvaluator::variables(expr, numDims, operands);
      variables && (enumerateLoops || variables->ivs.empty())) {
    part.variables = *variables;
    terms.push_back({part, factor});
    return;
  }
  std::optional<unsigned> number = numbers.of(expr, numDims, operands);
  if (!number && expr.getKind() == AffineExprKind::Mod && right) {
    // x mod m is x less some multiple of m.
    addStep(right.getValue(), factor);
    return add(binary.getLHS(), numDims, operands, factor);
  }
  addLeaf(part, factor, number);
}

//===----------------------------------------------------------------------===//
// Enumeration
//===----------------------------------------------------------------------===//

namespace {
/// The values of one term, for every thread and trip it depends on; read by a full point.
struct TermTable {
  std::vector<int64_t> values;
  int64_t threadStride = 0;
  SmallVector<int64_t> ivStrides; ///< one per loop of the whole enumeration
};

/// Runs over all threads and all trips of some constant loops.
class Enumeration {
public:
  Enumeration(int64_t threads, ArrayRef<Value> ivs) : threads(threads), ivs(ivs.begin(), ivs.end()) {
    for (Value iv : ivs)
      loops.push_back(*constantLoop(iv));
  }

  /// At most `kMaxPoints`, or nothing.
  std::optional<int64_t> points() const {
    int64_t count = threads;
    for (const ConstantLoop &loop : loops)
      if (llvm::MulOverflow(count, loop.trips, count) || count > kMaxPoints)
        return std::nullopt;
    return count <= kMaxPoints ? std::optional<int64_t>(count) : std::nullopt;
  }

  std::optional<TermTable> tabulate(const Enumerated &part) const;

  /// Calls `visit(thread, number of each trip)`.
  template <class Visit> void forEach(Visit visit) const {
    SmallVector<int64_t> trips(loops.size(), 0);
    if (llvm::any_of(loops, [](const ConstantLoop &loop) { return loop.trips == 0; }))
      return;
    do {
      for (int64_t thread = 0; thread < threads; ++thread)
        visit(thread, trips);
    } while (advance(trips));
  }

  static int64_t read(const TermTable &table, int64_t thread, ArrayRef<int64_t> trips) {
    int64_t place = thread * table.threadStride;
    for (auto [trip, stride] : llvm::zip_equal(trips, table.ivStrides))
      place += trip * stride;
    return table.values[place];
  }

private:
  bool advance(SmallVectorImpl<int64_t> &trips) const {
    for (size_t i = 0; i < trips.size(); ++i) {
      if (++trips[i] < loops[i].trips)
        return true;
      trips[i] = 0;
    }
    return false;
  }

  int64_t threads;
  SmallVector<Value> ivs;
  SmallVector<ConstantLoop> loops;
};
} // namespace

std::optional<TermTable> Enumeration::tabulate(const Enumerated &part) const {
  SmallVector<Value> own;
  TermTable table;
  int64_t size = 1;
  table.threadStride = part.variables.thread ? 1 : 0;
  size *= part.variables.thread ? threads : 1;
  for (auto [iv, loop] : llvm::zip_equal(ivs, loops)) {
    bool isUsed = part.variables.ivs.contains(iv);
    table.ivStrides.push_back(isUsed ? size : 0);
    size *= isUsed ? loop.trips : 1;
    if (isUsed)
      own.push_back(iv);
  }
  table.values.resize(size);
  Enumeration inner(part.variables.thread ? threads : 1, own);
  PointEvaluator evaluator;
  bool known = true;
  int64_t place = 0;
  inner.forEach([&](int64_t thread, ArrayRef<int64_t> trips) {
    evaluator.setThread(thread);
    for (auto [iv, loop, trip] : llvm::zip_equal(own, inner.loops, trips))
      evaluator.setVariable(iv, loop.lower + trip * loop.step);
    std::optional<int64_t> value = part.at(evaluator);
    known = known && value;
    table.values[place++] = value.value_or(0);
  });
  if (!known)
    return std::nullopt;
  return table;
}

namespace {
/// A condition around an access, and the value it has there.
struct Guard {
  Enumerated condition;
  bool isTrue;
};
} // namespace

/// Conditions that depend on the thread and the loops `ivs` only; leaving others out makes maps larger, never smaller.
static SmallVector<Guard> guardsOf(Operation *op, const llvm::SetVector<Value> &ivs) {
  SmallVector<Guard> guards;
  for (Operation *inner = op, *parent = op->getParentOp(); parent && !isa<KernelOp>(parent);
       inner = parent, parent = parent->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(parent);
    std::optional<PointVariables> variables = branch ? PointEvaluator::variables(branch.getCondition()) : std::nullopt;
    if (!variables || !llvm::all_of(variables->ivs, [&](Value iv) { return ivs.contains(iv); }))
      continue;
    Enumerated condition;
    condition.value = branch.getCondition();
    condition.variables = *variables;
    guards.push_back({condition, inner->getParentRegion() == &branch.getThenRegion()});
  }
  return guards;
}

/// Start byte and thread of every point of an access.
static std::optional<std::vector<std::pair<int64_t, int32_t>>> pointsOf(const MemoryAccess &access,
                                                                        const AddressCut &cut, int64_t threads) {
  llvm::SetVector<Value> ivs;
  for (const Term &term : cut.terms)
    ivs.insert(term.part.variables.ivs.begin(), term.part.variables.ivs.end());
  Enumeration enumeration(threads, ivs.getArrayRef());
  if (!enumeration.points())
    return std::nullopt;
  SmallVector<std::pair<TermTable, int64_t>> tables;
  for (const Term &term : cut.terms) {
    std::optional<TermTable> table = enumeration.tabulate(term.part);
    if (!table)
      return std::nullopt;
    tables.emplace_back(std::move(*table), term.factor);
  }
  SmallVector<std::pair<TermTable, bool>> guards;
  for (const Guard &guard : guardsOf(access.op, ivs))
    if (std::optional<TermTable> table = enumeration.tabulate(guard.condition))
      guards.emplace_back(std::move(*table), guard.isTrue);
  std::vector<std::pair<int64_t, int32_t>> points;
  bool overflowed = false;
  enumeration.forEach([&](int64_t thread, ArrayRef<int64_t> trips) {
    for (auto &[table, isTrue] : guards)
      if ((Enumeration::read(table, thread, trips) != 0) != isTrue)
        return;
    int64_t address = cut.constant, product;
    for (auto &[table, factor] : tables)
      overflowed |= llvm::MulOverflow(Enumeration::read(table, thread, trips), factor, product) ||
                    llvm::AddOverflow(address, product, address);
    points.emplace_back(address, int32_t(thread));
  });
  if (overflowed)
    return std::nullopt;
  return points;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static void own(int32_t &owner, int32_t thread) {
  if (owner == ThreadBytes::kNobody)
    owner = thread;
  else if (owner != thread)
    owner = ThreadBytes::kMany;
}

/// Whether two owners of a byte are more than one thread.
static bool areSeveral(int32_t one, int32_t other) {
  bool isTouched = one != ThreadBytes::kNobody && other != ThreadBytes::kNobody;
  return isTouched && (one != other || one == ThreadBytes::kMany);
}

static int64_t residue(int64_t value, int64_t modulus) {
  return ((value % modulus) + modulus) % modulus;
}

/// Fills `bytes.owner` from the points; false where the table would be too large.
static bool fill(ThreadBytes &bytes, ArrayRef<std::pair<int64_t, int32_t>> points, int64_t width) {
  if (points.empty())
    return true;
  int64_t low = INT64_MAX, high = INT64_MIN;
  for (auto [start, thread] : points) {
    low = std::min(low, start);
    high = std::max(high, start);
  }
  bytes.granule = std::gcd(width, bytes.modulus);
  for (auto [start, thread] : points)
    bytes.granule = std::gcd(bytes.granule, start - low);
  __int128 span = bytes.modulus ? __int128(bytes.modulus) : __int128(high) - low + width;
  if (span / bytes.granule > kMaxEntries || span < width)
    return false;
  bytes.begin = low;
  bytes.owner.assign(size_t(int64_t(span) / bytes.granule), ThreadBytes::kNobody);
  int64_t size = bytes.owner.size();
  for (auto [start, thread] : points)
    for (int64_t i = 0; i < width / bytes.granule; ++i)
      own(bytes.owner[((start - low) / bytes.granule + i) % size], thread);
  return true;
}

std::optional<ThreadBytes> ThreadByteMaps::compute(const MemoryAccess &access) {
  for (bool enumerateLoops : {true, false}) {
    AddressCut cut(numbers, enumerateLoops);
    cut.addConstant(access.root.byteOffset, 1);
    cut.add(access.index, access.elementBytes);
    if (cut.overflowed)
      return std::nullopt;
    auto points = pointsOf(access, cut, threads);
    if (!points)
      continue;
    ThreadBytes bytes;
    bytes.base = cut.base;
    bytes.modulus = cut.modulus;
    if (fill(bytes, *points, access.widthBytes))
      return bytes;
  }
  return std::nullopt;
}

const std::optional<ThreadBytes> &ThreadByteMaps::of(const MemoryAccess &access) {
  auto [place, isNew] = maps.try_emplace({access.op, access.isWrite});
  if (isNew)
    place->second = compute(access);
  return place->second;
}

/// The bytes of the arena before the buffer; 0 for buffers that have no place yet, and for global ones.
static int64_t arenaOffset(const MemoryAccess &access) {
  auto shared = access.root.buffer.getDefiningOp<SharedOp>();
  return shared ? int64_t(shared.getOffset().value_or(0)) : 0;
}

namespace {
/// Goes over a map in steps of a granule that divides its own; behind the end it comes around.
class OwnerCursor {
public:
  /// \param distance  from the first byte of the map.
  OwnerCursor(const ThreadBytes &bytes, int64_t granule, int64_t distance)
      : owners(bytes.owner), perEntry(bytes.granule / granule), entry(distance / bytes.granule),
        step(distance % bytes.granule / granule) {}
  int32_t next() {
    int32_t owner = owners[entry];
    if (++step == perEntry) {
      step = 0;
      entry = entry + 1 == owners.size() ? 0 : entry + 1;
    }
    return owner;
  }

private:
  ArrayRef<int32_t> owners;
  int64_t perEntry;
  size_t entry;
  int64_t step;
};
} // namespace

/// Whether two maps of one modulus meet, which may be 0. The maps begin at these bytes; the granule divides theirs and
/// what lies between.
static bool meetAlike(const ThreadBytes &a, int64_t beginA, const ThreadBytes &b, int64_t beginB, int64_t granule) {
  int64_t first = beginA, end = beginA + a.modulus, distance = 0;
  if (a.modulus != 0) {
    distance = residue(beginA - beginB, a.modulus);
  } else {
    first = std::max(beginA, beginB);
    end = std::min(beginA + int64_t(a.owner.size()) * a.granule, beginB + int64_t(b.owner.size()) * b.granule);
    distance = first - beginB;
  }
  OwnerCursor ofA(a, granule, first - beginA), ofB(b, granule, distance);
  for (int64_t place = first; place < end; place += granule) {
    int32_t one = ofA.next(), other = ofB.next();
    if (areSeveral(one, other))
      return true;
  }
  return false;
}

/// Enters a map, moved by `offset`, into a table of granules that begins at byte `begin` and wraps; or compares it.
static bool meets(const ThreadBytes &bytes, int64_t offset, std::vector<int32_t> &table, int64_t begin, int64_t granule,
                  bool compare) {
  int64_t size = table.size(), perEntry = bytes.granule / granule;
  // The granule divides every distance.
  int64_t place = residue((bytes.begin + offset - begin) / granule, size);
  for (int32_t owner : bytes.owner)
    for (int64_t i = 0; i < perEntry; ++i, place = place + 1 == size ? 0 : place + 1) {
      if (owner == ThreadBytes::kNobody)
        continue;
      if (!compare)
        own(table[place], owner);
      else if (areSeveral(table[place], owner))
        return true;
    }
  return false;
}

bool ThreadByteMaps::mayMeet(const MemoryAccess &a, const MemoryAccess &b) {
  const std::optional<ThreadBytes> &first = of(a), &second = of(b);
  if (!first || !second || first->base != second->base)
    return true;
  if (first->owner.empty() || second->owner.empty())
    return false;
  int64_t offsetA = arenaOffset(a), offsetB = arenaOffset(b);
  int64_t modulus = std::gcd(first->modulus, second->modulus);
  int64_t beginA = first->begin + offsetA, beginB = second->begin + offsetB;
  int64_t granule = std::gcd(std::gcd(first->granule, second->granule), std::gcd(modulus, beginA - beginB));
  int64_t span = modulus ? modulus : int64_t(first->owner.size()) * first->granule;
  if (span / granule > kMaxEntries)
    return true;
  if (first->modulus == second->modulus)
    return meetAlike(*first, beginA, *second, beginB, granule);
  std::vector<int32_t> table(size_t(span / granule), ThreadBytes::kNobody);
  meets(*first, offsetA, table, beginA, granule, /*compare=*/false);
  return meets(*second, offsetB, table, beginA, granule, /*compare=*/true);
}
