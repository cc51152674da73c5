// SharedLayoutsTest.cpp - the layouts chosen for shared tiles: the report's figures are those the simulator counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/AccessReport.h"
#include "tile/Compiler/Compiler.h"
#include "tile/Simulator/Simulator.h"

#include <gtest/gtest.h>

using namespace tile;

namespace {
/// A program, and its tensors, all static.
struct Case {
  std::string text;
  std::vector<std::pair<ScalarType, std::vector<int64_t>>> tensors;
};

/// What the compiler says of a program's shared memory, and what the simulator counts.
struct Outcome {
  std::vector<LayoutLine> layouts; ///< of shared tiles
  int64_t counted = 0, ideal = 0;
};
} // namespace

static std::string typed(const std::string &element, std::initializer_list<int64_t> shape, const std::string &space) {
  std::string text = "memref<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + (space.empty() ? "" : ", #tile." + space) + ">";
}

/// Compares the prediction for each access of shared memory with its count. They are equal where all requests are
/// alike.
static void compare(simt::KernelOp kernel, const simt::SimulatorResult &result) {
  std::vector<AccessPrediction> predictions = predictAccesses(kernel);
  ASSERT_EQ(predictions.size(), result.accesses.size());
  int64_t compared = 0;
  for (size_t i = 0; i < predictions.size(); ++i) {
    const simt::AccessCount &counted = result.accesses[i];
    if (counted.space != simt::Space::Shared || counted.requests == 0)
      continue;
    EXPECT_EQ(predictions[i].wavefronts.value_or(-1) * counted.requests, counted.wavefronts)
        << (counted.store ? "store" : "load") << " number " << i << ": " << predictions[i].why;
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

/// Compiles and runs; `isUniform` says that all requests of an access are alike.
static Outcome run(const Case &program, bool isUniform = true) {
  SCOPED_TRACE(program.text);
  Outcome outcome;
  Result<Program> parsed = Program::parse({program.text, "f.mlir", {}});
  EXPECT_TRUE(bool(parsed)) << (parsed ? "" : parsed.error());
  CompileSettings settings;
  settings.explain = true;
  Result<CompiledProgram> compiled = parsed->compile(settings);
  EXPECT_TRUE(bool(compiled)) << (compiled ? "" : compiled.error());
  for (const LayoutLine &line : compiled->explanations.front().layouts)
    if (line.space == "shared")
      outcome.layouts.push_back(line);
  simt::KernelOp kernel = compiled->variantKernel(compiled->kernels.front(), 0);
  std::vector<HostArgument> arguments;
  for (const auto &[type, shape] : program.tensors)
    arguments.emplace_back(HostTensor::contiguous(type, shape));
  simt::SimulatorResult result = simt::simulate(kernel, {}, arguments, {1});
  EXPECT_FALSE(result.fault) << simt::toString(*result.fault);
  if (isUniform)
    compare(kernel, result);
  outcome.counted = result.sharedWavefronts;
  outcome.ideal = result.idealSharedWavefronts;
  return outcome;
}

/// Every tile without excess; the report's sum over all tiles is what the simulator counts.
static void expectFree(const Outcome &outcome) {
  double cost = 0;
  for (const LayoutLine &line : outcome.layouts) {
    EXPECT_EQ(line.cost, line.ideal) << line.why;
    cost += line.cost.value_or(0);
  }
  EXPECT_EQ(outcome.counted, outcome.ideal);
  EXPECT_EQ(static_cast<int64_t>(cost), outcome.counted);
}

/// Rows in, columns out, through one shared tile.
static Case transpose(const std::string &element, ScalarType type, int64_t rows, int64_t columns, int threads) {
  std::string in = typed(element, {rows, columns}, ""), tile = typed(element, {rows, columns}, "shared"),
              out = typed(element, {columns, rows}, "");
  std::string text =
      "tile.kernel @f(%a: " + in + ", %b: " + out + ") grid(%g) in (1) threads(" + std::to_string(threads) +
      ") {\n  %s = tile.alloc_shared : " + tile + "\n  tile.copy %a to %s : " + in + " to " + tile +
      "\n  tile.parallel (%j, %i) in (" + std::to_string(columns) + ", " + std::to_string(rows) +
      ") {\n    %x = tile.load %s[%i, %j] : " + tile + "\n    tile.store %x, %b[%j, %i] : " + out + "\n  }\n}\n";
  return {text, {{type, {rows, columns}}, {type, {columns, rows}}}};
}

/// A transpose through a plain shared tile is free of conflicts for every size of element.
TEST(SharedLayouts, Transposes) {
  const std::pair<const char *, ScalarType> elements[] = {
      {"i8", ScalarType::I8}, {"f16", ScalarType::F16}, {"f32", ScalarType::F32}, {"f64", ScalarType::F64}};
  for (const auto &[element, type] : elements)
    for (auto [rows, columns] : {std::pair<int64_t, int64_t>(32, 32), {64, 64}, {128, 64}, {128, 128}})
      for (int threads : {128, 256})
        expectFree(run(transpose(element, type, rows, columns, threads)));
}

/// At odd extents and pitches no layout is free of all conflicts: the report says so, its sum is what the simulator
/// counts. Rows as written are never better, but for up to an eighth where wide pieces, and so fewer instructions, were
/// worth it.
TEST(SharedLayouts, OddTransposes) {
  const std::pair<const char *, ScalarType> elements[] = {
      {"i8", ScalarType::I8}, {"f16", ScalarType::F16}, {"f32", ScalarType::F32}, {"f64", ScalarType::F64}};
  for (const auto &[element, type] : elements)
    for (auto [rows, columns] : {std::pair<int64_t, int64_t>(96, 100), {33, 65}, {100, 96}}) {
      Case unpinned = transpose(element, type, rows, columns, 128), linear = unpinned;
      size_t at = linear.text.find("alloc_shared") + std::string("alloc_shared").size();
      linear.text.insert(at, " layout(#tile.linear)");
      Outcome free = run(unpinned, false), plain = run(linear, false);
      const LayoutLine &chosen = free.layouts.front();
      bool isWide = chosen.why.find("stay whole") != std::string::npos;
      EXPECT_LE(free.counted, plain.counted + (isWide ? plain.counted / 8 : 0)) << chosen.why;
      EXPECT_EQ(chosen.cost, free.counted) << chosen.why;
      EXPECT_EQ(chosen.ideal, free.ideal) << chosen.why;
      EXPECT_TRUE(chosen.cost == chosen.ideal || chosen.why.find("no layout could") != std::string::npos || isWide)
          << chosen.why;
      EXPECT_EQ(plain.layouts.front().why.rfind("pinned by the program", 0), 0u);
      EXPECT_EQ(plain.layouts.front().cost, plain.counted);
    }
}

/// Column by column, 4x4 register blocks: rows of a block move as 16 bytes, blocks lie side by side or below each
/// other.
TEST(SharedLayouts, RegisterBlocks) {
  std::string tensor = typed("f32", {64, 64}, ""), tile = typed("f32", {64, 64}, "shared");
  std::string text =
      "#rows = #tile.distributed<64x64 = [(16 thread * 16, 4 reg * 4), (16 thread, 4 reg)] threads 256>\n"
      "#columns = #tile.distributed<64x64 = [(16 thread, 4 reg * 4), (16 thread * 16, 4 reg)] threads "
      "256>\ntile.kernel @f(%a: " +
      tensor + ", %b: " + tensor + ") grid(%g) in (1) threads(256) {\n  %s = tile.alloc_shared : " + tile;
  for (auto [layout, from, to] : {std::tuple("#rows", "%a", "%s"), {"#columns", "%s", "%b"}})
    text += "\n  tile.parallel (%i, %j) in (64, 64) layout(" + std::string(layout) + ") {\n    %x = tile.load " + from +
            "[%i, %j] : " + (from[1] == 's' ? tile : tensor) + "\n    tile.store %x, " + to +
            "[%i, %j] : " + (to[1] == 's' ? tile : tensor) + "\n  }";
  expectFree(run({text + "\n}\n", {{ScalarType::F32, {64, 64}}, {ScalarType::F32, {64, 64}}}}));
}

/// A conversion between two layouts is staged without conflicts, though nobody wrote a tile for it.
TEST(SharedLayouts, Conversions) {
  const std::pair<const char *, ScalarType> elements[] = {
      {"i8", ScalarType::I8}, {"f16", ScalarType::F16}, {"f32", ScalarType::F32}, {"f64", ScalarType::F64}};
  for (const auto &[element, type] : elements) {
    std::string tensor = typed(element, {64, 32}, ""), tile = typed(element, {64, 32}, "fragment");
    std::string text =
        "tile.kernel @f(%a: " + tensor + ", %b: " + tensor + ") grid(%g) in (1) threads(64) {\n" +
        "  %x = tile.alloc_fragment layout(#tile.distributed<64x32 = [(64 thread), (32 reg)] threads 64>) : " + tile +
        "\n  %y = tile.alloc_fragment layout(#tile.distributed<64x32 = [(2 thread * 32, 32 reg), (32 thread)] threads "
        "64>) : " +
        tile + "\n  tile.copy %a to %x : " + tensor + " to " + tile + "\n  tile.copy %x to %y : " + tile + " to " +
        tile + "\n  tile.copy %y to %b : " + tile + " to " + tensor + "\n}\n";
    Outcome outcome = run({text, {{type, {64, 32}}, {type, {64, 32}}}});
    EXPECT_FALSE(outcome.layouts.empty());
    for (const LayoutLine &line : outcome.layouts)
      EXPECT_EQ(line.buffer, "(compiler's own)");
    expectFree(outcome);
  }
}

/// In the explicit style the layout follows what the threads do: here each reads a row of its own, 16 bytes at a time.
TEST(SharedLayouts, ExplicitStyle) {
  std::string row = typed("f16", {128, 32}, ""), tile = typed("f16", {128, 32}, "shared");
  std::string text =
      "tile.kernel @f(%a: " + row + ", %b: " + row + ") grid(%g) in (1) threads(128) {\n" +
      "  %t = tile.thread_id\n  %s = tile.alloc_shared : " + tile +
      "\n  tile.unrolled %i in (4) {\n    tile.vectorized %v in (8) {\n      %x = tile.load %a[((%i * 128 "
      "+ %t) * 8 + %v) floordiv 32, ((%i * 128 + %t) * 8 + %v) mod 32] : " +
      row +
      "\n      tile.store %x, %s[((%i * 128 + %t) * 8 + %v) floordiv 32, ((%i * 128 + %t) * 8 + %v) mod "
      "32] : " +
      tile + "\n    }\n  }\n  tile.sync\n  tile.unrolled %i in (4) {\n    tile.vectorized %v in (8) {\n" +
      "      %x = tile.load %s[%t, %i * 8 + %v] : " + tile + "\n      tile.store %x, %b[%t, %i * 8 + %v] : " + row +
      "\n    }\n  }\n}\n";
  expectFree(run({text, {{ScalarType::F16, {128, 32}}, {ScalarType::F16, {128, 32}}}}));
}

/// The exchange of a reduction has no tile of its own; what the lanes of a warp write and read lies side by side.
TEST(SharedLayouts, Exchanges) {
  for (auto [rows, columns, threads] : {std::tuple(int64_t(4), int64_t(64), 128), {32, 64, 256}, {64, 256, 256}}) {
    std::string tensor = typed("f32", {rows, columns}, ""), tile = typed("f32", {rows, columns}, "fragment"),
                sums = typed("f32", {columns}, ""), sum = typed("f32", {columns}, "fragment");
    std::string text = "tile.kernel @f(%a: " + tensor + ", %b: " + sums + ") grid(%g) in (1) threads(" +
                       std::to_string(threads) + ") {\n  %x = tile.alloc_fragment : " + tile +
                       "\n  %y = tile.alloc_fragment : " + sum + "\n  tile.copy %a to %x : " + tensor + " to " + tile +
                       "\n  tile.reduce sum %x into %y dim 0 : " + tile + " into " + sum +
                       "\n  tile.copy %y to %b : " + sum + " to " + sums + "\n}\n";
    Outcome outcome = run({text, {{ScalarType::F32, {rows, columns}}, {ScalarType::F32, {columns}}}});
    EXPECT_EQ(outcome.counted, outcome.ideal);
  }
}
