// SharedMemoryTest.cpp - planned storage keeps values, inserted barriers leave no race: traces of all threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SmallMachine.h"

#include "tile/Analysis/Hazards.h"

#include "mlir/IR/Diagnostics.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {
constexpr int kThreads = 40;

/// Writes random accesses to a few shared buffers, in loops and branches.
class Writer {
public:
  explicit Writer(unsigned seed) : random(seed) {}
  int64_t pick(int64_t below) { return int64_t(random() % uint64_t(below)); }

  std::string body(bool isStraight, bool isGuarded) {
    for (int i = 0; i < 3; ++i)
      text +=
          "  %s" + std::to_string(i) + " = simt.shared : memref<" + std::to_string(kElements) + "xf32, #simt.shared>\n";
    text += "  %r = simt.registers : memref<4xf32, #simt.register>\n  %f = arith.constant 1.0 : f32\n";
    for (int i = 0; i < 5; ++i)
      text += "  %c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : index\n";
    text += "  %c20 = arith.constant 20 : index\n";
    if (isStraight)
      for (int64_t i = 0, count = 3 + pick(6); i < count; ++i)
        access({"%t"});
    else
      statements(3 + pick(3), {"%t"}, 0, isGuarded);
    return text;
  }

private:
  static constexpr int kElements = 160;

  /// An index in 0 … 159: near the thread's own, mirrored, strided, or one for all.
  std::string index(const std::vector<std::string> &names, bool wide) {
    static const char *const forms[] = {"d0",          "39 - d0", "d0 * 4",       "d0 + 1",  "d0 floordiv 2",
                                        "d0 * 3 + d1", "7",       "d0 + d1 * 40", "d0 + 80", "(d0 * 5) mod 40"};
    std::string form = forms[pick(10)], id = std::to_string(next++), other = names[pick(names.size())];
    std::string map = wide ? "((" + form + ") mod 40) * 4" : "(" + form + ") mod 160";
    text += "  %x" + id + " = affine.apply affine_map<(d0, d1) -> (" + map + ")>(%t, " + other + ")\n";
    return "%x" + id;
  }

  void access(const std::vector<std::string> &names) {
    int64_t kind = pick(4);
    std::string buffer = "%s" + std::to_string(pick(3)), at = index(names, kind == 3), id = std::to_string(next++);
    if (kind == 3)
      text += "  simt.move " + buffer + "[" + at +
              " : index] to %r[%c0 : index] bytes 16 : memref<160xf32, #simt.shared> to "
              "memref<4xf32, #simt.register>\n";
    else if (kind == 2)
      text += "  %l" + id + " = simt.load " + buffer + "[" + at + " : index] : memref<160xf32, #simt.shared> -> f32\n";
    else
      text += "  simt.store %f, " + buffer + "[" + at + " : index] : f32, memref<160xf32, #simt.shared>\n";
  }

  void statements(int64_t count, const std::vector<std::string> &names, int depth, bool isGuarded) {
    for (int64_t i = 0; i < count; ++i) {
      std::string id = std::to_string(next++);
      int64_t kind = depth < 2 ? pick(5) : 2;
      if (kind == 0) {
        // Some loops have bounds that only the launch knows.
        text += "  scf.for %i" + id + " = %c0 to " + (pick(2) ? "%n0" : "%c3") + " step %c1 {\n";
        std::vector<std::string> inner = names;
        inner.push_back("%i" + id);
        statements(1 + pick(3), inner, depth + 1, isGuarded);
        text += "  }\n";
      } else if (kind == 1) {
        text += "  %b" + id + " = arith.cmpi slt, " + (isGuarded && pick(2) ? "%t, %c20" : "%n0, %c2") + " : index\n";
        text += "  scf.if %b" + id + " {\n";
        statements(1 + pick(2), names, depth + 1, isGuarded);
        text += pick(2) ? "  } else {\n" : "  }\n";
        if (text[text.size() - 2] == '{') {
          statements(1, names, depth + 1, isGuarded);
          text += "  }\n";
        }
      } else {
        access(names);
      }
    }
  }

  std::mt19937_64 random;
  int next = 0;
  std::string text;
};
} // namespace

static std::vector<std::vector<Event>> traceOf(simt::KernelOp kernel, int64_t trips) {
  std::vector<std::vector<Event>> threads;
  for (int64_t thread = 0; thread < kThreads; ++thread)
    threads.push_back(SmallMachine(kernel).run(thread, {trips, /*block=*/0}));
  return threads;
}

static int64_t barrierCount(simt::KernelOp kernel) {
  int64_t count = 0;
  kernel.walk([&](simt::BarrierOp) { ++count; });
  return count;
}

// Random control flow: after planning and insertion no trace holds a race, and the verifier agrees.
TEST(InsertBarriers, LeavesNoRace) {
  MLIRContext context;
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  int racy = 0, refused = 0, clean = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    Writer writer(seed);
    std::string text = kernelText(writer.body(/*isStraight=*/false, /*isGuarded=*/seed % 2), kThreads, 1);
    OwningOpRef<ModuleOp> module = parse(context, text);
    ASSERT_TRUE(module);
    ASSERT_TRUE(runPasses(*module, "plan"));
    simt::KernelOp kernel = onlyKernel(*module);
    bool before = hasRace(traceOf(kernel, 3));
    EXPECT_TRUE(!before || !verifyHazards(kernel).empty()) << text;
    racy += before;
    if (!runPasses(*module, "barriers")) {
      ++refused;
      EXPECT_TRUE(seed % 2) << "only conditions that differ between threads are a reason to refuse\n" << text;
      continue;
    }
    ++clean;
    for (int64_t trips : {0, 1, 2, 4})
      ASSERT_FALSE(hasRace(traceOf(kernel, trips))) << text;
    EXPECT_TRUE(verifyHazards(kernel).empty()) << text;
  }
  EXPECT_GT(racy, 100);
  EXPECT_GT(clean, 100);
  EXPECT_GT(refused, 10);
}

/// Whether different threads touch one byte in two accesses of a straight-line kernel, one of them writing.
static bool meet(const std::vector<std::vector<Event>> &trace, int64_t first, int64_t second) {
  for (int64_t a = 0; a < kThreads; ++a)
    for (int64_t b = 0; b < kThreads; ++b) {
      const Event &x = trace[a][first], &y = trace[b][second];
      if (a != b && (x.kind == Event::Write || y.kind == Event::Write) && x.buffer == y.buffer &&
          x.number < y.number + y.width && y.number < x.number + x.width)
        return true;
    }
  return false;
}

// Straight-line kernels get the fewest barriers that a greedy reference over the exact trace needs.
TEST(InsertBarriers, PutsNoMoreThanNeeded) {
  MLIRContext context;
  for (unsigned seed = 0; seed < 500; ++seed) {
    Writer writer(seed);
    std::string text = kernelText(writer.body(/*isStraight=*/true, /*isGuarded=*/false), kThreads, 1);
    OwningOpRef<ModuleOp> module = parse(context, text);
    ASSERT_TRUE(module);
    ASSERT_TRUE(runPasses(*module, "plan"));
    simt::KernelOp kernel = onlyKernel(*module);
    std::vector<std::vector<Event>> trace = traceOf(kernel, 1);
    int64_t needed = 0, start = 0;
    for (int64_t step = 0; step < int64_t(trace[0].size()); ++step)
      for (int64_t earlier = start; earlier < step; ++earlier)
        if (meet(trace, earlier, step)) {
          ++needed;
          start = step;
          break;
        }
    ASSERT_TRUE(runPasses(*module, "barriers"));
    EXPECT_EQ(needed, barrierCount(kernel)) << text;
  }
}

// Each read finds the value that it would find if every buffer had storage of its own.
TEST(PlanSharedMemory, KeepsValues) {
  MLIRContext context;
  int shared = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Writer writer(seed);
    std::string text = kernelText(writer.body(/*isStraight=*/seed % 2, /*isGuarded=*/false), kThreads, 1);
    OwningOpRef<ModuleOp> before = parse(context, text), after = parse(context, text);
    ASSERT_TRUE(before && after);
    ASSERT_TRUE(runPasses(*after, "plan"));
    simt::KernelOp kernel = onlyKernel(*after);
    shared += *kernel.getSharedBytes() < 3 * 640;
    std::vector<Event> own = SmallMachine(onlyKernel(*before)).run(3, {4, 0});
    std::vector<Event> planned = SmallMachine(kernel).run(3, {4, 0});
    ASSERT_EQ(own.size(), planned.size());
    using Place = std::pair<void *, int64_t>;
    std::map<Place, size_t> writerOwn, writerPlanned;
    for (size_t i = 0; i < own.size(); ++i)
      for (int64_t byte = 0; byte < own[i].width; ++byte) {
        Place a{own[i].buffer.getAsOpaquePointer(), own[i].number + byte};
        Place b{planned[i].buffer.getAsOpaquePointer(), planned[i].number + byte};
        if (own[i].kind == Event::Write) {
          writerOwn[a] = i;
          writerPlanned[b] = i;
        } else if (writerOwn.contains(a)) {
          ASSERT_EQ(writerOwn[a], writerPlanned.at(b)) << text;
        }
      }
  }
  EXPECT_GT(shared, 50);
}
