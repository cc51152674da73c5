// RegisterMap.cpp - which register of a fragment each register of a loop names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every point of a loop is compared with the place of its element. Axes that have nothing to do with each other are
// compared apart: where the element's indices are f(x) and g(y), the thread that holds it is a number of x plus a
// number of y, and so are the thread that visits it and the registers of both. So are the digits of one axis, where
// both layouts cut it at the same places. A tile of 2048 x 8 takes 2056 comparisons then, or fewer, not 16384.
//
#include "tile/Analysis/TileAccess.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/Sequence.h"

#include <bitset>

using namespace mlir;
using namespace tile;

/// Enumerating more points than these takes longer than a copy through shared memory is worth: of a loop that visits
/// the elements of a fragment several times, and of any other.
static constexpr int64_t kMostRepeated = int64_t(1) << 22, kMostPoints = int64_t(1) << 26;

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

namespace {
/// Distances from one thread of a block to another, either way.
class Distances {
public:
  /// False if it is one of them already.
  bool insert(int64_t distance);
  size_t size() const { return values.size(); }
  bool isWithin(const Distances &others) const { return (bits & ~others.bits).none(); }
  /// The sums of one of these and one of the others. \pre each is a distance too
  Distances plus(const Distances &others) const;

private:
  std::bitset<2 * Layout::kMaxThreads> bits;
  SmallVector<int64_t> values; ///< the same, as they came
};
} // namespace

bool Distances::insert(int64_t distance) {
  auto bit = bits[distance + Layout::kMaxThreads];
  if (bit)
    return false;
  bit = true;
  values.push_back(distance);
  return true;
}

Distances Distances::plus(const Distances &others) const {
  Distances sums;
  for (int64_t a : values)
    for (int64_t b : others.values)
      sums.insert(a + b);
  return sums;
}

static Distances copyDistances(const Layout &layout) {
  Distances distances;
  for (const Place &copy : layout.copyOffsets())
    distances.insert(copy.thread);
  return distances;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// An axis of the loop, or some digits of one.
struct LoopAxis {
  int dim = 0; ///< of the map
  SmallVector<Digit> digits;
  int64_t reach = 1; ///< values of its coordinate: its extent and origin
};

/// The same of the fragment.
struct FragmentAxis {
  AffineExpr expr;
  SmallVector<Digit> digits;
  int64_t reach = 1;
};

/// Axes that depend on each other, and on no other axis.
struct Part {
  SmallVector<LoopAxis> loop;
  SmallVector<FragmentAxis> fragment;
};

/// All that the digits of one owner on the axes of a part may be.
struct Combinations {
  Combinations(const Part &part, Owner owner);
  size_t count() const { return numbers.size(); }

  SmallVector<int64_t> numbers;                  ///< what each adds to the owner's number
  SmallVector<SmallVector<int64_t>> coordinates; ///< and to the loop's coordinate, by axis
};

/// What the axes of a part say about threads and registers.
struct PartTable {
  Distances distances;                                ///< from the thread that holds an element to that which visits it
  SmallVector<std::pair<int64_t, int64_t>> registers; ///< what is added to the loop's and to the fragment's
  int64_t fewestVisits = 1;                           ///< of a visited element
};

/// Makes the table of one part.
class PartVisitor {
public:
  PartVisitor(const Part &part, unsigned numDims);

  /// \param most  more distances than these are none of the fragment's copies.
  /// \returns nothing if an element is outside of the fragment, there are too many distances, or a register of the loop
  /// names several of the fragment.
  std::optional<PartTable> visit(size_t most, bool countsVisits);

private:
  /// Of an axis of the fragment.
  struct Index {
    AffineExpr expr;
    int64_t reach = 0;
    std::vector<int64_t> threadTable, registerTable;
    /// If it is a sum over the loop's axes: the parts of each combination.
    bool isSum = false;
    SmallVector<int64_t> ofThread, ofRegister;
  };
  void splitSum(Index &index);
  std::optional<int64_t> valueOf(const Index &index, size_t thread, size_t reg) const;
  bool setPoint(size_t thread, size_t reg);

  const Part &part;
  Combinations threads, registers;
  SmallVector<int64_t> point; ///< operands of the map
  bool needsPoints = false;   ///< some combinations make none, or some index is no sum
  SmallVector<Index> indices;
};
} // namespace

static bool isPadded(const LoopAxis &axis) {
  int64_t padded = 1;
  for (const Digit &digit : axis.digits)
    padded *= digit.radix;
  return padded != axis.reach;
}

/// The digits from one weight up to another, as digits of a shorter axis.
static SmallVector<Digit> cutDigits(ArrayRef<Digit> digits, int64_t low, int64_t high) {
  SmallVector<Digit> cut;
  for (Digit digit : digits)
    if (digit.weight >= low && digit.weight < high) {
      digit.weight /= low;
      cut.push_back(digit);
    }
  return cut;
}

/// Adds a part as several where an axis of the fragment is one of the loop: digits depend on each other only between
/// weights at which a digit of both begins.
static void addCut(const Part &part, SmallVectorImpl<Part> &parts) {
  bool isSameAxis = part.loop.size() == 1 && part.fragment.size() == 1 &&
                    part.fragment[0].expr == getAffineDimExpr(part.loop[0].dim, part.fragment[0].expr.getContext());
  if (!isSameAxis || part.loop[0].reach != part.fragment[0].reach || isPadded(part.loop[0])) {
    parts.push_back(part);
    return;
  }
  const LoopAxis &loop = part.loop[0];
  const FragmentAxis &fragment = part.fragment[0];
  auto begins = [](ArrayRef<Digit> digits, int64_t weight) {
    return llvm::any_of(digits, [&](const Digit &digit) { return digit.radix > 1 && digit.weight == weight; });
  };
  SmallVector<int64_t> weights = {1};
  for (const Digit &digit : loop.digits)
    if (digit.weight > weights.back() && digit.weight < loop.reach && begins(loop.digits, digit.weight) &&
        begins(fragment.digits, digit.weight))
      weights.push_back(digit.weight);
  weights.push_back(loop.reach);
  for (auto [low, high] : llvm::zip(weights, llvm::drop_begin(weights)))
    parts.push_back({{{loop.dim, cutDigits(loop.digits, low, high), high / low}},
                     {{fragment.expr, cutDigits(fragment.digits, low, high), high / low}}});
}

/// What depends on each other; an axis of the loop or fragment alone is a part too.
static SmallVector<Part> partsOf(const Layout &loop, AffineMap map, const Layout &fragment) {
  // The loop's axes, then the fragment's.
  llvm::EquivalenceClasses<int> together;
  int rank = loop.rank(), total = rank + fragment.rank();
  for (int axis = 0; axis < total; ++axis)
    together.insert(axis);
  for (auto [number, expr] : llvm::enumerate(map.getResults()))
    for (int axis = 0; axis < rank; ++axis)
      if (expr.isFunctionOfDim(axis))
        together.unionSets(axis, rank + static_cast<int>(number));
  llvm::MapVector<int, Part> classes;
  auto reach = [](const Layout &layout, int axis) { return layout.extents()[axis] + layout.origins()[axis]; };
  auto digits = [](const Layout &layout, int axis) {
    return SmallVector<Digit>(layout.axisDigits(axis).begin(), layout.axisDigits(axis).end());
  };
  for (int axis = 0; axis < rank; ++axis)
    classes[together.getLeaderValue(axis)].loop.push_back({axis, digits(loop, axis), reach(loop, axis)});
  for (int axis = 0; axis < fragment.rank(); ++axis)
    classes[together.getLeaderValue(rank + axis)].fragment.push_back(
        {map.getResult(axis), digits(fragment, axis), reach(fragment, axis)});
  SmallVector<Part> parts;
  for (const auto &[leader, part] : classes)
    addCut(part, parts);
  return parts;
}

Combinations::Combinations(const Part &part, Owner owner)
    : numbers(1, 0), coordinates(part.loop.size(), SmallVector<int64_t>(1, 0)) {
  for (auto [place, axis] : llvm::enumerate(part.loop))
    for (const Digit &digit : axis.digits) {
      if (digit.owner != owner)
        continue;
      size_t known = numbers.size();
      for (int64_t value = 1; value < digit.radix; ++value)
        for (size_t number = 0; number < known; ++number) {
          numbers.push_back(numbers[number] + value * digit.stride);
          for (auto [other, coordinate] : llvm::enumerate(coordinates))
            coordinate.push_back(coordinate[number] + (other == place ? value * digit.weight : 0));
        }
    }
}

/// Sums of products with constants only.
static bool isSum(AffineExpr expr) {
  WalkResult result = expr.walk([](AffineExpr inner) {
    bool isDivided = inner.getKind() == AffineExprKind::Mod || inner.getKind() == AffineExprKind::FloorDiv ||
                     inner.getKind() == AffineExprKind::CeilDiv;
    return isDivided ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

PartVisitor::PartVisitor(const Part &part, unsigned numDims)
    : part(part), threads(part, Owner::Thread), registers(part, Owner::Register), point(numDims, 0) {
  for (const FragmentAxis &axis : part.fragment) {
    Index &index = indices.emplace_back();
    index.expr = axis.expr;
    index.reach = axis.reach;
    index.threadTable = digitTable(axis.digits, Owner::Thread, axis.reach);
    index.registerTable = digitTable(axis.digits, Owner::Register, axis.reach);
    index.isSum = isSum(index.expr);
    needsPoints |= !index.isSum;
    if (index.isSum)
      splitSum(index);
  }
  needsPoints |= llvm::any_of(part.loop, isPadded);
}

void PartVisitor::splitSum(Index &index) {
  int64_t constant = evaluateAffine(index.expr, point).value_or(0);
  index.ofThread.assign(threads.count(), constant);
  index.ofRegister.assign(registers.count(), 0);
  for (auto [place, axis] : llvm::enumerate(part.loop)) {
    point[axis.dim] = 1;
    int64_t step = evaluateAffine(index.expr, point).value_or(0) - constant;
    point[axis.dim] = 0;
    for (auto [sum, coordinate] : llvm::zip_equal(index.ofThread, threads.coordinates[place]))
      sum += step * coordinate;
    for (auto [sum, coordinate] : llvm::zip_equal(index.ofRegister, registers.coordinates[place]))
      sum += step * coordinate;
  }
}

std::optional<int64_t> PartVisitor::valueOf(const Index &index, size_t thread, size_t reg) const {
  std::optional<int64_t> value =
      index.isSum ? index.ofThread[thread] + index.ofRegister[reg] : evaluateAffine(index.expr, point);
  return value && *value >= 0 && *value < index.reach ? value : std::nullopt;
}

/// Sets the point that these combinations make; false if there is none.
bool PartVisitor::setPoint(size_t thread, size_t reg) {
  bool isPoint = true;
  for (auto [place, axis] : llvm::enumerate(part.loop)) {
    point[axis.dim] = threads.coordinates[place][thread] + registers.coordinates[place][reg];
    isPoint &= point[axis.dim] < axis.reach;
  }
  return isPoint;
}

std::optional<PartTable> PartVisitor::visit(size_t most, bool countsVisits) {
  PartTable table;
  llvm::DenseMap<int64_t, int64_t> visits; // by element
  for (size_t reg = 0; reg < registers.count(); ++reg) {
    std::optional<int64_t> named, last;
    for (size_t thread = 0; thread < threads.count(); ++thread) {
      if (needsPoints && !setPoint(thread, reg))
        continue;
      int64_t element = 0, holder = 0, held = 0;
      for (const Index &index : indices) {
        std::optional<int64_t> at = valueOf(index, thread, reg);
        if (!at)
          return std::nullopt;
        element = element * index.reach + *at;
        holder += index.threadTable[*at];
        held += index.registerTable[*at];
      }
      int64_t distance = threads.numbers[thread] - holder;
      if (distance != last && table.distances.insert(distance) && table.distances.size() > most)
        return std::nullopt;
      if (named && *named != held)
        return std::nullopt;
      last = distance;
      named = held;
      if (countsVisits)
        ++visits[element];
    }
    if (named)
      table.registers.push_back({registers.numbers[reg], *named});
  }
  if (countsVisits)
    table.fewestVisits =
        llvm::min_element(visits, [](const auto &a, const auto &b) { return a.second < b.second; })->second;
  return table;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// For each register of the loop, the register of the fragment, -1 where no thread has a point.
static std::optional<SmallVector<int64_t>> compareParts(const Layout &loop, AffineMap map, const Layout &fragment,
                                                        bool isStore) {
  Distances wanted = copyDistances(fragment), found = copyDistances(loop);
  // What is written is written in every copy.
  auto copies = static_cast<int64_t>(fragment.copyOffsets().size());
  bool countsVisits = isStore && copies > 1;
  int64_t visits = found.size();
  SmallVector<std::pair<int64_t, int64_t>> registers = {{0, 0}};
  for (const Part &part : partsOf(loop, map, fragment)) {
    std::optional<PartTable> table = PartVisitor(part, map.getNumDims()).visit(wanted.size(), countsVisits);
    if (!table)
      return std::nullopt;
    found = found.plus(table->distances);
    visits *= table->fewestVisits;
    SmallVector<std::pair<int64_t, int64_t>> sums;
    for (auto [reg, held] : registers)
      for (auto [moreReg, moreHeld] : table->registers)
        sums.push_back({reg + moreReg, held + moreHeld});
    registers = std::move(sums);
  }
  if (!found.isWithin(wanted) || (countsVisits && visits < copies))
    return std::nullopt;
  SmallVector<int64_t> table(loop.numRegisters(), -1);
  for (auto [reg, held] : registers)
    table[reg] = held;
  return table;
}

/// An axis with an origin is held in places, index plus origin: loop and fragment agree on them where both count from
/// the same origin and the index is the loop's, shifted.
static bool haveOneOrigin(const Layout &loop, AffineMap map, const Layout &fragment) {
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    int64_t origin = fragment.origins()[axis];
    bool isFollowed = origin == 0;
    for (int point = 0; point < loop.rank(); ++point) {
      if (!expr.isFunctionOfDim(point))
        continue;
      AffineExpr shift = expr - getAffineDimExpr(point, map.getContext());
      if (loop.origins()[point] != origin || (origin != 0 && !isa<AffineConstantExpr>(shift)))
        return false;
      isFollowed = true;
    }
    if (!isFollowed)
      return false;
  }
  return true;
}

static std::optional<SmallVector<int64_t>> registerTable(const Layout &loop, AffineMap map, const Layout &fragment,
                                                         bool isStore) {
  for (AffineExpr expr : map.getResults())
    for (unsigned dim = loop.rank(); dim < map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim))
        return std::nullopt;
  if (!haveOneOrigin(loop, map, fragment))
    return std::nullopt;
  int64_t elements = 1;
  for (int64_t extent : fragment.extents())
    elements *= extent;
  int64_t points = loop.numActiveThreads() * loop.numRegisters();
  bool isRepeated = points > 2 * static_cast<int64_t>(fragment.copyOffsets().size()) * elements;
  if (points > (isRepeated ? kMostRepeated : kMostPoints) || elements > kMostPoints)
    return std::nullopt;
  return compareParts(loop, map, fragment, isStore);
}

std::optional<RegisterMap> tile::registerMap(const Layout &loop, AffineMap map, const Layout &fragment, bool isStore) {
  std::optional<SmallVector<int64_t>> table = registerTable(loop, map, fragment, isStore);
  if (!table)
    return std::nullopt;
  RegisterMap result;
  if (!table->empty())
    result.constant = std::max<int64_t>((*table)[0], 0);
  // What the coefficients make of each register number that the digits give.
  SmallVector<std::pair<int64_t, int64_t>> predictions = {{0, result.constant}};
  for (const Digit &digit : loop.digits()) {
    if (digit.owner != Owner::Register)
      continue;
    bool isKnown = digit.radix > 1 && digit.stride < static_cast<int64_t>(table->size()) && (*table)[digit.stride] >= 0;
    int64_t coefficient = isKnown ? (*table)[digit.stride] - result.constant : 0;
    result.coefficients.push_back(coefficient);
    for (int64_t value = 1, known = predictions.size(); value < digit.radix; ++value)
      for (int64_t number = 0; number < known; ++number) {
        auto [reg, predicted] = predictions[number];
        predictions.push_back({reg + value * digit.stride, predicted + value * coefficient});
      }
  }
  // A masked point must not name a register that holds something else, nor none at all.
  for (auto [reg, predicted] : predictions)
    if (int64_t actual = (*table)[reg];
        actual >= 0 ? predicted != actual : (predicted < 0 || predicted >= fragment.numRegisters()))
      return std::nullopt;
  return result;
}
