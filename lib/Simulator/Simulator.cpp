// Simulator.cpp - runs the blocks of a grid: schedules warps, passes barriers, sums counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Simulator/Simulator.h"

#include "lib/Simulator/Machine.h"

#include <numeric>
#include <random>

using namespace mlir;

namespace tile::simt {

namespace {

/// Runs the warps of one block after another, and block after block.
class Scheduler {
public:
  Scheduler(Machine &machine, int64_t threads);
  void runGrid(ArrayRef<int64_t> grid);

private:
  bool runBlock();
  bool runWarps();
  Warp *chooseWarp();
  bool passBarrier();
  bool unmatched(const Warp &waiting, const Warp &other);
  bool stopEndless(const Warp &warp);
  /// A number from 1 to `most`, of this simulator's own, so that a seed means the same everywhere.
  int64_t draw(int64_t most) { return static_cast<int64_t>(random() % static_cast<uint64_t>(most)) + 1; }

  Machine &machine;
  std::vector<Warp> warps;
  bool isSeeded;
  std::mt19937_64 random;
};

} // namespace

Scheduler::Scheduler(Machine &machine, int64_t threads)
    : machine(machine), isSeeded(machine.options.seed.has_value()), random(machine.options.seed.value_or(0)) {
  for (int64_t first = 0; first < threads; first += 32)
    warps.emplace_back(machine, static_cast<int>(first / 32), threads);
}

/// The warp that runs next; null if none can.
Warp *Scheduler::chooseWarp() {
  int64_t first = isSeeded ? draw(static_cast<int64_t>(warps.size())) - 1 : 0;
  for (size_t i = 0; i < warps.size(); ++i) {
    Warp &warp = warps[(first + i) % warps.size()];
    if (warp.state == Warp::State::Ready)
      return &warp;
  }
  return nullptr;
}

bool Scheduler::stopEndless(const Warp &warp) {
  const Inst &inst = machine.program.insts[warp.place()];
  return machine.fail(inst.op, -1,
                      "the limit of " + Twine(machine.options.maxSteps) + " warp instructions is reached; warp " +
                          Twine(warp.number) + " would go on here");
}

/// Runs until every warp waits or is done.
bool Scheduler::runWarps() {
  while (Warp *warp = chooseWarp()) {
    if (machine.stepsLeft <= 0)
      return stopEndless(*warp);
    int64_t budget = isSeeded ? std::min<int64_t>(draw(64), machine.stepsLeft) : machine.stepsLeft;
    if (warp->run(budget) == Warp::State::Failed)
      return false;
  }
  return true;
}

bool Scheduler::unmatched(const Warp &waiting, const Warp &other) {
  Operation *barrier = machine.program.insts[waiting.place()].op;
  bool isDone = other.state == Warp::State::Done;
  machine.fail(barrier, waiting.number * 32,
               "divergent barrier: warp " + Twine(waiting.number) + " waits here while warp " + Twine(other.number) +
                   (isDone ? " has ended" : " waits at another barrier") + "; every thread of the block must reach it");
  if (!isDone) {
    machine.result.fault->otherLoc = machine.program.insts[other.place()].op->getLoc();
    machine.result.fault->otherMessage = ("warp " + Twine(other.number) + " waits here").str();
  }
  return false;
}

/// Every warp waits or is done: true if all wait at one barrier, which they pass.
bool Scheduler::passBarrier() {
  auto waiting = llvm::find_if(warps, [](const Warp &warp) { return warp.state == Warp::State::Waiting; });
  for (const Warp &warp : warps)
    if (warp.state != Warp::State::Waiting || warp.place() != waiting->place())
      return unmatched(*waiting, warp);
  for (Warp &warp : warps)
    warp.release();
  machine.clocks.join(static_cast<int>(warps.size()));
  ++machine.result.barriers;
  return true;
}

bool Scheduler::runBlock() {
  machine.clocks.begin();
  if (machine.numFlying != 0)
    llvm::fill(machine.flying, uint16_t(0));
  machine.numFlying = 0;
  machine.sharedShadow.recycle();
  for (Shadow &shadow : machine.globalShadows)
    shadow.recycle();
  for (Warp &warp : warps)
    warp.begin();
  while (true) {
    if (!runWarps())
      return false;
    if (llvm::all_of(warps, [](const Warp &warp) { return warp.state == Warp::State::Done; }))
      break;
    if (!passBarrier())
      return false;
  }
  ++machine.result.blocks;
  return true;
}

void Scheduler::runGrid(ArrayRef<int64_t> grid) {
  int64_t count = 1;
  for (int64_t extent : grid)
    count *= std::max<int64_t>(extent, 0);
  // Under a seed, blocks come in strides that reach each of them once.
  int64_t stride = 1, next = 0;
  if (isSeeded && count > 1) {
    next = draw(count) - 1;
    for (stride = draw(count); std::gcd(stride, count) != 1;)
      stride = stride % count + 1;
  }
  for (int64_t i = 0; i < count; ++i, next = (next + stride) % count) {
    int64_t rest = next;
    for (auto [axis, extent] : llvm::enumerate(grid)) {
      machine.block[axis] = rest % extent;
      rest /= extent;
    }
    if (!runBlock())
      return;
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static void sumCounts(SimulatorResult &result) {
  for (const AccessCount &access : result.accesses) {
    if (access.space == Space::Global) {
      (access.store ? result.globalStoreRequests : result.globalLoadRequests) += access.requests;
      (access.store ? result.globalStoreSectors : result.globalLoadSectors) += access.sectors;
    } else {
      result.sharedWavefronts += access.wavefronts;
      result.idealSharedWavefronts += access.idealWavefronts;
    }
  }
}

SimulatorResult simulate(KernelOp kernel, ArrayRef<int64_t> symbols, ArrayRef<HostArgument> arguments,
                         ArrayRef<int64_t> grid, const SimulatorOptions &options) {
  SimulatorResult result;
  auto refuse = [&](const std::string &message) {
    result.fault = Fault{kernel.getLoc(), message, std::nullopt, "", {0, 0, 0}, -1};
    return std::move(result);
  };
  auto threads = static_cast<int64_t>(kernel.getThreads());
  if (threads < 1 || threads > 1024)
    return refuse("kernel of " + std::to_string(threads) + " threads; a block has 1 to 1024");
  if (grid.size() > 3)
    return refuse("grid of " + std::to_string(grid.size()) + " axes; there are at most 3");
  std::variant<Program, Fault> compiled = compileProgram(kernel);
  if (auto *fault = std::get_if<Fault>(&compiled)) {
    result.fault = std::move(*fault);
    return result;
  }
  const Program &program = std::get<Program>(compiled);
  std::variant<Binding, std::string> bound = bind(program, symbols, arguments, grid);
  if (auto *problem = std::get_if<std::string>(&bound))
    return refuse(*problem);
  std::string unmet = unmetRequirement(kernel, arguments, grid);
  if (!unmet.empty())
    return refuse(unmet);
  result.accesses = program.counts;
  Machine machine(program, std::get<Binding>(bound), options, result);
  Scheduler(machine, threads).runGrid(grid);
  sumCounts(result);
  return result;
}

/// The file position in a location, under names and call sites; null if there is none.
static FileLineColLoc findFileLoc(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location inner) {
    found = dyn_cast<FileLineColLoc>(inner);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

static void printLoc(raw_ostream &stream, Location loc) {
  if (FileLineColLoc file = findFileLoc(loc))
    stream << file.getFilename().getValue() << ':' << file.getLine() << ':' << file.getColumn() << ": ";
}

std::string toString(const Fault &fault) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printLoc(stream, fault.loc);
  stream << "error: " << fault.message;
  if (fault.thread >= 0) {
    stream << " [block (";
    llvm::interleaveComma(fault.block, stream);
    stream << "), thread " << fault.thread << ']';
  }
  if (fault.otherLoc) {
    stream << '\n';
    printLoc(stream, *fault.otherLoc);
    stream << "note: " << fault.otherMessage;
  }
  return text;
}

} // namespace tile::simt
