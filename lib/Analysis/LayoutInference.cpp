// LayoutInference.cpp - the common policy: bytes first, fragments before memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/LayoutInference.h"

#include "dialects/Tile/Checks.h"
#include "tile/Analysis/WidthHint.h"
#include "tile/Layout/Conversion.h"
#include "tile/Layout/DefaultLayout.h"

#include "mlir/IR/Builders.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

#include "tile/Analysis/LayoutOpInterface.cpp.inc"

LayoutInference::LayoutInference(KernelOp kernel) : kernel(kernel), numThreads(kernel.getThreads()) {
  kernel.walk([&](Operation *op) {
    auto pin = op->getAttrOfType<DistributedAttr>("layout");
    if (!pin)
      return;
    if (isa<AllocFragmentOp>(op))
      decideFragment(op->getResult(0),
                     fitLayout(layoutOf(pin), cast<MemRefType>(op->getResult(0).getType()).getShape()));
    else
      decideOperation(op, fitLayout(layoutOf(pin), pointExtents(op)));
  });
}

std::shared_ptr<const LayoutInference::Decision> LayoutInference::decide(const Layout &layout) const {
  return std::make_shared<Decision>(Decision{layout, layoutAttr(kernel->getContext(), layout)});
}

DistributedAttr LayoutInference::fragmentAttr(Value root) const {
  const auto *found = fragments.find(root);
  return found == fragments.end() ? DistributedAttr() : found->second->attr;
}

DistributedAttr LayoutInference::operationAttr(Operation *op) const {
  const auto *found = operations.find(op);
  return found == operations.end() ? DistributedAttr() : found->second->attr;
}

const Layout *LayoutInference::fragment(Value root) const {
  const auto *found = fragments.find(root);
  return found == fragments.end() ? nullptr : &found->second->layout;
}

void LayoutInference::decideFragment(Value root, const Layout &layout) {
  if (isa_and_nonnull<AllocFragmentOp>(root.getDefiningOp()))
    if (auto [entry, isNew] = fragments.insert({root, nullptr}); isNew)
      entry->second = decide(layout);
}

const Layout *LayoutInference::operation(Operation *op) const {
  const auto *found = operations.find(op);
  return found == operations.end() ? nullptr : &found->second->layout;
}

void LayoutInference::decideOperation(Operation *op, const Layout &layout) {
  if (auto [entry, isNew] = operations.insert({op, nullptr}); isNew)
    entry->second = decide(layout);
}

void LayoutInference::replaceOperation(Operation *op, const Layout &layout) {
  operations.insert_or_assign(op, decide(layout));
}

void LayoutInference::ask() {
  kernel.walk<WalkOrder::PreOrder>([&](LayoutOpInterface op) { op.inferLayouts(*this); });
}

void LayoutInference::complete() {
  ask();
  // A fill waits for what is computed into its fragment; now that is known.
  ask();
  decideRest();
  ask();
}

//===----------------------------------------------------------------------===//
// The common rule
//===----------------------------------------------------------------------===//

/// The loop layout under which every access of the fragment stays in its thread.
static std::optional<Layout> pullFrom(const Layout &fragment, const IndexMap &map, ArrayRef<int64_t> extents) {
  AtomGroup group;
  int loop = group.addSpace(Extents(extents.begin(), extents.end()));
  int buffer = group.addSpace(fragment.extents());
  std::optional<int> link = group.addMap(loop, buffer, map);
  std::optional<Layout> atoms = link ? group.cut(buffer, fragment) : std::nullopt;
  std::optional<PulledLayout> pulled = atoms ? group.pull(*link, *atoms) : std::nullopt;
  std::optional<Layout> complete = pulled ? pulled->complete() : std::nullopt;
  return complete ? group.join(loop, *complete) : std::nullopt;
}

namespace {
/// What the accesses of one op say about an axis of its points.
struct AxisVote {
  int64_t bytes = 0;        ///< of all accesses that are contiguous along the axis
  int64_t elementBytes = 1; ///< the largest of their elements
};
} // namespace

/// The axis most bytes are contiguous along, the last one on a tie, and the element that sets the vector.
static std::pair<int, AxisVote> contiguousAxis(ArrayRef<TileAccess> accesses, size_t rank) {
  SmallVector<AxisVote> votes(rank);
  int64_t largest = 1;
  for (const TileAccess &access : accesses) {
    int64_t bytes = elementBytes(access.type().getElementType());
    largest = std::max(largest, bytes);
    AffineExpr last = contiguousIndex(access);
    if (!last || spaceOf(access.type()) == Space::Fragment)
      continue;
    for (size_t axis = 0; axis < rank; ++axis) {
      if (!last.isFunctionOfDim(axis))
        continue;
      // Global memory outweighs shared memory, which has banks but no sectors.
      votes[axis].bytes += spaceOf(access.type()) == Space::Global ? 16 * bytes : bytes;
      votes[axis].elementBytes = std::max(votes[axis].elementBytes, bytes);
    }
  }
  size_t best = rank - 1;
  for (size_t axis = 0; axis + 1 < rank; ++axis)
    if (votes[axis].bytes > votes[best].bytes)
      best = axis;
  if (votes[best].bytes == 0)
    votes[best].elementBytes = largest;
  return {static_cast<int>(best), votes[best]};
}

/// Extents of the static box that a loop works through at a time: dimensions known at run time only are cut into strips
/// so that each thread has four vectors.
static SmallVector<int64_t> stripExtents(ArrayRef<int64_t> extents, int64_t threads, int64_t vectorElements) {
  SmallVector<int64_t> strip(extents);
  int64_t inner = 1;
  for (size_t axis = extents.size(); axis-- > 0; inner *= strip[axis])
    if (ShapedType::isDynamic(extents[axis]))
      strip[axis] = std::max<int64_t>(1, 4 * threads * vectorElements / inner);
  return strip;
}

/// Does the op write registers, and memory that it may also read? Then copies would read what the first one has
/// written.
static bool mustRunOnce(ArrayRef<TileAccess> accesses) {
  bool writesRegisters = false, readsWritten = false;
  for (const TileAccess &store : accesses) {
    if (!store.isStore)
      continue;
    Space space = spaceOf(store.type());
    writesRegisters |= space == Space::Fragment;
    readsWritten |= space != Space::Fragment && llvm::any_of(accesses, [&](const TileAccess &load) {
                      bool mayMeet = space == Space::Global || rootOf(load.buffer) == rootOf(store.buffer);
                      return !load.isStore && spaceOf(load.type()) == space && mayMeet;
                    });
  }
  return writesRegisters && readsWritten;
}

/// The decided fragment with most elements that the op touches all of, as a loop layout.
static std::optional<Layout> layoutOfFragments(LayoutInference &inference, ArrayRef<TileAccess> accesses,
                                               ArrayRef<RootAccess> roots, ArrayRef<int64_t> extents) {
  int64_t points = 1;
  for (int64_t extent : extents)
    points *= extent;
  // Atomics must happen once: no loop with copies for them.
  if (llvm::any_of(accesses, [](const TileAccess &access) { return isa<AtomicOp>(access.op); }))
    return std::nullopt;
  for (auto [access, root] : llvm::zip_equal(accesses, roots)) {
    const Layout *fragment = inference.fragment(root.root);
    std::optional<IndexMap> map = fragment && !root.isRetyped ? indexMapOf(root.map, extents.size()) : std::nullopt;
    if (!map || cast<MemRefType>(root.root.getType()).getNumElements() < points)
      continue;
    if (std::optional<Layout> loop = pullFrom(*fragment, *map, extents))
      if ((loop->copies().empty() || !mustRunOnce(accesses)) && registerMap(*loop, root.map, *fragment, access.isStore))
        return loop;
  }
  return std::nullopt;
}

/// What an op runs under that no fragment decides: bytes first along the axis that most of them are contiguous along.
static std::optional<Layout> layoutOfMemory(Operation *op, ArrayRef<int64_t> strip, int axis, int64_t elementBytes,
                                            int64_t threads) {
  Extents extents(strip.begin(), strip.end());
  std::optional<WidthHint> hint = widthHintOf(op);
  if (!hint)
    return defaultLayout(extents, elementBytes, axis, threads, std::max<int64_t>(kVectorBytes / elementBytes, 1));
  extents[hint->axis] =
      llvm::alignTo(extents[hint->axis], ShapedType::isDynamic(pointExtents(op)[hint->axis]) ? hint->elements : 1);
  for (const Layout &layout : layoutsOfWidth(extents, *hint, elementBytes, threads))
    if (keepsWidth(op, layout))
      return layout;
  return std::nullopt;
}

LayoutInference::OpRule &LayoutInference::ruleOf(Operation *op) {
  auto [entry, isNew] = rules->try_emplace(op);
  OpRule &rule = entry->second;
  if (isNew) {
    rule.accesses = accessesOf(op);
    for (const TileAccess &access : rule.accesses)
      rule.roots.push_back(rootOf(access));
  }
  return rule;
}

std::optional<Layout> LayoutInference::byAccesses(Operation *op, const OpRule &rule) {
  SmallVector<int64_t> extents = pointExtents(op);
  auto [axis, vote] = contiguousAxis(rule.accesses, extents.size());
  int64_t vector = std::max<int64_t>(kVectorBytes / vote.elementBytes, 1);
  SmallVector<int64_t> strip = stripExtents(extents, numThreads, vector);
  std::optional<Layout> layout = layoutOfFragments(*this, rule.accesses, rule.roots, strip);
  if (!layout || !keepsWidth(op, *layout))
    layout = layoutOfMemory(op, strip, axis, vote.elementBytes, numThreads);
  return layout;
}

void LayoutInference::decideByAccesses(Operation *op) {
  OpRule &rule = ruleOf(op);
  if (!operation(op)) {
    std::vector<const void *> key;
    for (const RootAccess &root : rule.roots)
      key.push_back(fragmentAttr(root.root).getAsOpaquePointer());
    auto [entry, isNew] = rule.decisions.try_emplace(key);
    if (isNew)
      if (std::optional<Layout> layout = byAccesses(op, rule))
        entry->second = decide(*layout);
    if (!entry->second)
      return;
    operations.insert({op, entry->second});
  }
  for (const RootAccess &root : rule.roots) {
    if (fragment(root.root) || root.isRetyped || !isa_and_nonnull<AllocFragmentOp>(root.root.getDefiningOp()))
      continue;
    std::optional<IndexMap> map = indexMapOf(root.map, pointExtents(op).size());
    ArrayRef<int64_t> shape = cast<MemRefType>(root.root.getType()).getShape();
    if (std::optional<Layout> pushed =
            map ? push(*operation(op), *map, Extents(shape.begin(), shape.end())) : std::nullopt)
      decideFragment(root.root, *pushed);
  }
}

Layout tile::fitLayout(const Layout &layout, ArrayRef<int64_t> shape) {
  LayoutParts parts = layout.description();
  std::erase_if(parts.copies, [](const Spread &copy) { return copy.owner == Owner::Register; });
  int shift = static_cast<int>(shape.size()) - layout.rank();
  if (shift < 0) {
    std::erase_if(parts.digits, [&](const Digit &digit) { return digit.axis < -shift; });
    parts.extents.erase(parts.extents.begin(), parts.extents.begin() - shift);
    if (!parts.origins.empty())
      parts.origins.erase(parts.origins.begin(), parts.origins.begin() - shift);
  } else {
    parts.extents.insert(parts.extents.begin(), shift, 1);
    if (!parts.origins.empty())
      parts.origins.insert(parts.origins.begin(), shift, 0);
  }
  for (Digit &digit : parts.digits)
    digit.axis += shift;
  std::optional<Layout> fitted = Layout::get(std::move(parts));
  assert(fitted && "leading units hold no elements apart");
  return *fitted;
}

Layout tile::reducedLayout(const Layout &source, int axis) {
  LayoutParts parts = source.description();
  parts.extents.erase(parts.extents.begin() + axis);
  if (!parts.origins.empty())
    parts.origins.erase(parts.origins.begin() + axis);
  std::vector<Digit> kept;
  int64_t registers = 1;
  for (Digit digit : source.digits()) {
    if (digit.axis == axis) {
      if (digit.owner != Owner::Register && digit.radix > 1)
        parts.copies.push_back({digit.owner, digit.stride, digit.radix});
      continue;
    }
    digit.axis -= digit.axis > axis;
    if (digit.owner == Owner::Register) {
      digit.stride = registers;
      registers *= digit.radix;
    }
    kept.push_back(digit);
  }
  parts.digits = kept;
  std::optional<Layout> layout = Layout::get(std::move(parts));
  assert(layout && "removing an axis keeps the other positions apart");
  return *layout;
}

std::optional<Layout> tile::defaultTileLayout(MemRefType type, int64_t threads) {
  ArrayRef<int64_t> shape = type.getShape();
  int64_t bytes = elementBytes(type.getElementType());
  return defaultLayout(Extents(shape.begin(), shape.end()), bytes, shape.size() - 1, threads, kVectorBytes / bytes);
}

/// Fragments nobody decided get the default of their shape.
void LayoutInference::decideRest() {
  kernel.walk([&](AllocFragmentOp alloc) {
    if (fragment(alloc))
      return;
    if (std::optional<Layout> layout = defaultTileLayout(alloc.getType(), numThreads))
      decideFragment(alloc, *layout);
  });
}

void LayoutInference::writeAttributes() const {
  for (const auto &[root, decision] : fragments)
    root.getDefiningOp()->setAttr("layout", decision->attr);
  for (const auto &[op, decision] : operations)
    op->setAttr("layout", decision->attr);
}
