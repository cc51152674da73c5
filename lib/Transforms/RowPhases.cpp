// RowPhases.cpp - which ops touch the fragments of a shape, and what each phase needs of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RowPhases.h"

#include "LoopBodies.h"

#include "dialects/Tile/Checks.h"
#include "tile/Analysis/Aliases.h"
#include "tile/Analysis/TileAccess.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tile {

namespace {
/// Buffers an op reads and writes, behind their views; not known if it has effects on nothing named.
struct Effects {
  llvm::SmallSetVector<Value, 4> reads, writes;
  bool isKnown = true;
};

class PhaseFinder {
public:
  PhaseFinder(KernelOp kernel, ArrayRef<AllocFragmentOp> fragments) : kernel(kernel) {
    found.fragments.assign(fragments.begin(), fragments.end());
    found.shape = llvm::to_vector(cast<MemRefType>(found.fragments.front().getResult().getType()).getShape());
    for (AllocFragmentOp fragment : fragments)
      group.insert(fragment.getResult());
  }

  std::optional<RowPhases> find() {
    if (!findBlock() || !readOps() || !cutPhases() || found.phases.size() < 2)
      return std::nullopt;
    findSources();
    countLiveWords();
    return std::move(found);
  }

private:
  bool isMember(Value buffer) const { return group.contains(buffer); }
  bool findBlock();
  bool readOps();
  bool readOp(RowOp &row);
  bool readCopy(RowOp &row, CopyOp copy);
  bool readLoop(RowOp &row, ParallelOp loop);
  bool readReduce(RowOp &row, ReduceOp reduce);
  bool reads(RowOp &row, Value fragment);
  Effects effectsOf(Operation *op) const;
  bool isAmong(const llvm::SmallSetVector<Value, 4> &others, Value buffer) const;
  bool isWrittenBetween(Value buffer, unsigned first, unsigned last) const;
  bool isTouchedBetween(Value buffer, unsigned first, unsigned last) const;
  llvm::SmallSetVector<unsigned, 8> neededBy(unsigned sink) const;
  bool staysKnown(const RowOp &row, const RowOp &anchor) const;
  bool joins(unsigned sink, unsigned anchor) const;
  bool cutPhases();
  void findSources();
  void countLiveWords();

  KernelOp kernel;
  llvm::DenseSet<Value> group;
  Block *block = nullptr;
  llvm::DenseMap<Value, unsigned> written; ///< fragment -> the op that wrote it last
  std::vector<Effects> effects;            ///< of every op of the block
  RowPhases found;
};
} // namespace

/// All users stand in one block, or in parallel loops of it.
bool PhaseFinder::findBlock() {
  for (AllocFragmentOp fragment : found.fragments)
    for (Operation *user : fragment.getResult().getUsers()) {
      Operation *outer = isa<LoadOp, StoreOp>(user) ? user->getParentOp() : user;
      if (!isa<CopyOp, FillOp, ReduceOp, ParallelOp>(outer) || (block && block != outer->getBlock()))
        return false;
      block = outer->getBlock();
    }
  return block != nullptr;
}

bool PhaseFinder::reads(RowOp &row, Value fragment) {
  auto writer = written.find(fragment);
  if (writer == written.end())
    return false; // what was in it before the block, or nothing
  row.reads.insert({fragment, writer->second});
  return true;
}

bool PhaseFinder::readCopy(RowOp &row, CopyOp copy) {
  Value source = copy.getSource(), target = copy.getTarget();
  if (copy.getLayout() || copy.getWidth() || (isMember(source) && copy.getSourceMap()) ||
      (isMember(target) && copy.getTargetMap()))
    return false;
  auto isTensor = [](Value buffer, bool hasStart) {
    return hasStart && spaceOf(cast<MemRefType>(buffer.getType())) == Space::Global;
  };
  if (isMember(target)) {
    row.writes.push_back(target);
    if (isMember(source))
      return reads(row, source);
    // A pad of the target's type does not fit what is held in the tensor's type.
    return isTensor(source, copy.getSourceMap().has_value()) && isOnlyRead(kernel, rootOf(source)) &&
           !(copy.getCast() && copy.getPad());
  }
  row.isSink = true;
  return isTensor(target, copy.getTargetMap().has_value()) && reads(row, source);
}

/// Does a load walk a fragment of another shape along the row? What is in registers has no pieces.
static bool runsAlong(ParallelOp loop, LoadOp load) {
  Value along = loop.getInductionVars().back();
  return spaceOf(load.getBufferType()) == Space::Fragment && llvm::any_of(load.getIndices(), [&](Value index) {
           Operation *computed = index.getDefiningOp();
           return index == along || (computed && computed->getBlock() == along.getParentBlock());
         });
}

bool PhaseFinder::readLoop(RowOp &row, ParallelOp loop) {
  if (loop.getLayout() || loop.getWidth() || loop.getStaticShape() != found.shape)
    return false;
  for (Operation &op : loop.getBody().front()) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      bool isTensor = spaceOf(load.getBufferType()) == Space::Global;
      if (isMember(load.getBuffer())
              ? !isAtPoint(loop, load.getMap(), load.getIndices()) ||
                    llvm::is_contained(row.writes, load.getBuffer()) || !reads(row, load.getBuffer())
              : runsAlong(loop, load) || (isTensor && !isOnlyRead(kernel, rootOf(load.getBuffer()))))
        return false;
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      if (isMember(store.getBuffer())) {
        if (!isAtPoint(loop, store.getMap(), store.getIndices()) || llvm::is_contained(row.writes, store.getBuffer()))
          return false;
        row.writes.push_back(store.getBuffer());
      } else if (spaceOf(store.getBufferType()) == Space::Global) {
        row.isSink = true;
      } else {
        return false;
      }
    } else if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op)) {
      return false;
    }
  }
  return true;
}

bool PhaseFinder::readReduce(RowOp &row, ReduceOp reduce) {
  bool isNarrow = elementBytes(reduce.getSourceType().getElementType()) < 4;
  row.isSink = true;
  return !reduce.getLayout() && !isMember(reduce.getTarget()) && !(reduce.getAccumulate() && isNarrow) &&
         reduce.getDim() + 1 == found.shape.size() && reads(row, reduce.getSource());
}

bool PhaseFinder::readOp(RowOp &row) {
  return llvm::TypeSwitch<Operation *, bool>(row.op)
      .Case([&](CopyOp copy) { return readCopy(row, copy); })
      .Case([&](ParallelOp loop) { return readLoop(row, loop); })
      .Case([&](ReduceOp reduce) { return readReduce(row, reduce); })
      .Case([&](FillOp fill) {
        row.writes.push_back(fill.getTarget());
        return !fill.getLayout();
      })
      .Default(false);
}

Effects PhaseFinder::effectsOf(Operation *op) const {
  Effects result;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> instances = getEffectsRecursively(op);
  result.isKnown = instances.has_value();
  for (const MemoryEffects::EffectInstance &effect : instances.value_or(SmallVector<MemoryEffects::EffectInstance>())) {
    if (!effect.getValue() || !isa<MemRefType>(effect.getValue().getType()))
      result.isKnown = false;
    else if (isa<MemoryEffects::Write>(effect.getEffect()))
      result.writes.insert(rootOf(effect.getValue()));
    else if (isa<MemoryEffects::Read>(effect.getEffect()))
      result.reads.insert(rootOf(effect.getValue()));
  }
  return result;
}

bool PhaseFinder::readOps() {
  for (auto [place, op] : llvm::enumerate(*block)) {
    effects.push_back(effectsOf(&op));
    bool touches = llvm::any_of(effects.back().reads, [&](Value buffer) { return isMember(buffer); }) ||
                   llvm::any_of(effects.back().writes, [&](Value buffer) { return isMember(buffer); });
    if (!touches)
      continue;
    RowOp row{&op, static_cast<unsigned>(place), {}, {}, false};
    if (!readOp(row) || (row.isSink && !row.writes.empty()))
      return false;
    for (Value fragment : row.writes)
      written[fragment] = found.ops.size();
    found.ops.push_back(std::move(row));
  }
  return true;
}

/// Is a buffer among others, maybe under another name?
bool PhaseFinder::isAmong(const llvm::SmallSetVector<Value, 4> &others, Value buffer) const {
  return llvm::any_of(others, [&](Value other) { return mayOverlap(kernel, other, buffer); });
}

/// Does an op between the two places write a buffer?
bool PhaseFinder::isWrittenBetween(Value buffer, unsigned first, unsigned last) const {
  for (unsigned place = first; place < last; ++place)
    if (!effects[place].isKnown || isAmong(effects[place].writes, buffer))
      return true;
  return false;
}

bool PhaseFinder::isTouchedBetween(Value buffer, unsigned first, unsigned last) const {
  for (unsigned place = first; place < last; ++place)
    if (isAmong(effects[place].reads, buffer))
      return true;
  return isWrittenBetween(buffer, first, last);
}

/// The ops whose results a sink needs, itself included.
llvm::SmallSetVector<unsigned, 8> PhaseFinder::neededBy(unsigned sink) const {
  llvm::SmallSetVector<unsigned, 8> needed;
  needed.insert(sink);
  for (unsigned next = 0; next < needed.size(); ++next)
    for (auto [fragment, writer] : found.ops[needed[next]].reads)
      needed.insert(writer);
  return needed;
}

/// Whether what an op reads is the same in front of the anchor as where the op stands.
bool PhaseFinder::staysKnown(const RowOp &row, const RowOp &anchor) const {
  llvm::SetVector<Value> captured;
  for (Region &region : row.op->getRegions())
    getUsedValuesDefinedAbove(region, captured);
  captured.insert_range(row.op->getOperands());
  for (Value value : captured) {
    Operation *definition = value.getDefiningOp();
    if (definition && definition->getBlock() == block && !definition->isBeforeInBlock(anchor.op))
      return false;
  }
  unsigned first = std::min(row.place, anchor.place), last = std::max(row.place, anchor.place);
  return llvm::none_of(effects[row.place].reads,
                       [&](Value buffer) { return !isMember(buffer) && isWrittenBetween(buffer, first, last); });
}

/// Whether a sink can be computed where another stands that comes before it, or where it stands itself.
bool PhaseFinder::joins(unsigned sink, unsigned anchor) const {
  const RowOp &first = found.ops[anchor], &row = found.ops[sink];
  if (llvm::any_of(neededBy(sink), [&](unsigned needed) { return !staysKnown(found.ops[needed], first); }))
    return false;
  return sink == anchor || llvm::none_of(effects[row.place].writes, [&](Value buffer) {
           return !isMember(buffer) && isTouchedBetween(buffer, first.place, row.place);
         });
}

bool PhaseFinder::cutPhases() {
  std::optional<unsigned> anchor;
  llvm::SmallSetVector<unsigned, 8> needed;
  auto close = [&] {
    if (!anchor)
      return;
    RowPhase &phase = found.phases.emplace_back();
    phase.anchor = found.ops[*anchor].op;
    phase.ops = llvm::to_vector(needed);
    llvm::sort(phase.ops);
    needed.clear();
  };
  for (unsigned number = 0; number < found.ops.size(); ++number) {
    if (!found.ops[number].isSink)
      continue;
    if (!anchor || !joins(number, *anchor)) {
      close();
      anchor = number;
      if (!joins(number, number))
        return false;
    }
    needed.insert_range(neededBy(number));
  }
  close();
  return true;
}

void PhaseFinder::findSources() {
  for (unsigned number = 0; number < found.ops.size(); ++number) {
    auto copy = dyn_cast<CopyOp>(found.ops[number].op);
    if (copy && found.ops[number].reads.empty() &&
        llvm::count_if(found.phases, [&](const RowPhase &phase) { return llvm::is_contained(phase.ops, number); }) > 1)
      found.sources.push_back(number);
  }
}

void PhaseFinder::countLiveWords() {
  for (const RowPhase &phase : found.phases) {
    unsigned end = found.ops[phase.ops.back()].place;
    llvm::SmallDenseSet<std::pair<unsigned, Value>> live;
    for (const RowOp &reader : found.ops)
      for (auto [fragment, writer] : reader.reads)
        if (found.ops[writer].place <= end && reader.place > end)
          live.insert({writer, fragment});
    int64_t words = 0;
    for (auto [writer, fragment] : live)
      words += llvm::divideCeil(tileBytes(cast<MemRefType>(fragment.getType())), 4);
    found.liveWords = std::max(found.liveWords, words);
  }
}

std::vector<RowPhases> findRowPhases(KernelOp kernel) {
  llvm::MapVector<ArrayRef<int64_t>, SmallVector<AllocFragmentOp>> byShape;
  kernel.walk([&](AllocFragmentOp fragment) {
    auto type = cast<MemRefType>(fragment.getResult().getType());
    if (type.getRank() > 1)
      byShape[type.getShape()].push_back(fragment);
  });
  std::vector<RowPhases> all;
  for (auto &[shape, fragments] : byShape)
    if (llvm::none_of(fragments, [](AllocFragmentOp fragment) { return fragment.getLayout().has_value(); }))
      if (std::optional<RowPhases> phases = PhaseFinder(kernel, fragments).find())
        all.push_back(std::move(*phases));
  return all;
}

} // namespace tile
