// ExplainTest.cpp - the report: its JSON has every key of the schema, its figures are those of the access.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Compiler/Compiler.h"

#include <gtest/gtest.h>

#include <set>

namespace tile {
namespace {

static std::set<std::string> keysOf(const llvm::json::Object &object) {
  std::set<std::string> keys;
  for (const auto &entry : object)
    keys.insert(entry.first.str());
  return keys;
}

/// A report with one line of each kind; figures nobody knows stay empty.
Explanation sample() {
  Explanation report;
  report.kernel = "f";
  report.arch = "sm_90a";
  report.threads = 128;
  AccessLine access;
  access.bytesPerThread = 16;
  access.sectors = 16;
  access.guards = {"%i < %N"};
  report.accesses.push_back(access);
  report.layouts.push_back({"acc", 3, "fragment", "linear", 2.5, 2.0, std::nullopt, std::nullopt, "pinned"});
  report.conversions.push_back({4, "acc", "through shared memory", "1 store, 1 barrier, 1 load", std::nullopt, {3, 4}});
  report.totals.push_back({7, "carry", 5});
  report.residency.push_back({3, "acc", 128, 3, 8192, 98304, 32768, 0});
  return report;
}

/// The keys are exactly those of the published schema.
TEST(ExplainJson, Keys) {
  llvm::json::Value value = sample().toJson();
  const llvm::json::Object &report = *value.getAsObject();
  EXPECT_EQ(keysOf(report), (std::set<std::string>{"kernel", "arch", "threads", "shared_bytes", "registers",
                                                   "spill_bytes", "block_order", "regime", "limited_by", "accesses",
                                                   "layouts", "conversions", "totals", "residency"}));
  EXPECT_EQ(keysOf(*report.getArray("accesses")->front().getAsObject()),
            (std::set<std::string>{"line", "op", "buffer", "space", "kind", "instruction", "bytes_per_thread",
                                   "sectors_per_request", "ideal_sectors", "wavefronts", "ideal_wavefronts", "guards",
                                   "why"}));
  EXPECT_EQ(keysOf(*report.getArray("layouts")->front().getAsObject()),
            (std::set<std::string>{"buffer", "line", "space", "layout", "cost", "ideal", "runner_up", "runner_up_cost",
                                   "why"}));
  EXPECT_EQ(keysOf(*report.getArray("conversions")->front().getAsObject()),
            (std::set<std::string>{"line", "buffer", "kind", "instructions", "cost", "between"}));
  EXPECT_EQ(keysOf(*report.getArray("totals")->front().getAsObject()),
            (std::set<std::string>{"line", "buffer", "scan_line"}));
  EXPECT_EQ(keysOf(*report.getArray("residency")->front().getAsObject()),
            (std::set<std::string>{"line", "buffer", "registers", "passes", "chunk", "held_shared", "held_registers",
                                   "read_again"}));
}

/// What does not apply is null, not missing and not zero.
TEST(ExplainJson, Nulls) {
  llvm::json::Value value = sample().toJson();
  const llvm::json::Object &report = *value.getAsObject();
  EXPECT_EQ(report.get("registers")->kind(), llvm::json::Value::Null);
  const llvm::json::Object &access = *report.getArray("accesses")->front().getAsObject();
  EXPECT_EQ(access.get("wavefronts")->kind(), llvm::json::Value::Null);
  EXPECT_EQ(*access.get("sectors_per_request"), llvm::json::Value(16));
}

/// A report that names a limit, and eight blocks a multiprocessor.
Explanation limitedBy(const std::string &limit) {
  Explanation report;
  report.limitedBy = limit;
  report.residentBlocks = 8;
  return report;
}

/// The regime of a launch on tensors of so many bytes.
std::string regimeOf(const std::string &limit, int64_t blocks, int64_t bytes) {
  Explanation report = limitedBy(limit);
  report.setLaunch(blocks, bytes);
  return report.regime.value_or("");
}

/// Fewer blocks than the device runs at a time come first, then data that the L2 holds, then the limit of the kernel.
TEST(Regime, InThisOrder) {
  constexpr int64_t kMany = 132 * 8, kL2 = 50 << 20;
  EXPECT_EQ(regimeOf("memory bandwidth", kMany - 1, kL2 + 1), "too few blocks: 1055, the device runs 1056 at a time");
  EXPECT_EQ(regimeOf("memory bandwidth", kMany, kL2), "fits the L2: 52428800 of 52428800 bytes");
  EXPECT_EQ(regimeOf("memory bandwidth", kMany, kL2 + 1), "bandwidth-bound");
  EXPECT_EQ(regimeOf("sectors", kMany, kL2 + 1), "bandwidth-bound");
  EXPECT_EQ(regimeOf("arithmetic", kMany, kL2 + 1), "bound by arithmetic");
}

/// Another device has other numbers.
TEST(Regime, OfTheDeviceGiven) {
  Explanation report = limitedBy("memory bandwidth");
  report.setLaunch(100, 1 << 20, {10, 1 << 20});
  EXPECT_EQ(report.regime, "fits the L2: 1048576 of 1048576 bytes");
  report.setLaunch(79, 1 << 20, {10, 1 << 20});
  EXPECT_EQ(report.regime, "too few blocks: 79, the device runs 80 at a time");
}

/// Without a limit nothing is known of a regime.
TEST(Regime, UnknownWithoutLimit) {
  Explanation report;
  report.setLaunch(1, 1);
  EXPECT_FALSE(report.regime);
}

/// Spilled registers are the limit, whatever the model says; none spilled change nothing.
TEST(Regime, Spills) {
  Explanation report = limitedBy("memory bandwidth");
  report.setResources(40, 0);
  EXPECT_EQ(report.limitedBy, "memory bandwidth");
  EXPECT_EQ(report.registers, 40);
  report.setResources(255, 96);
  EXPECT_EQ(report.limitedBy, "registers (96 bytes spilled)");
  report.setLaunch(5000, int64_t(1) << 30);
  EXPECT_EQ(report.regime, "bound by registers (96 bytes spilled)");
}

/// Limit and regime stand at the head of the table; what is unknown is left out.
TEST(Regime, HeadOfTheTable) {
  auto textOf = [](const Explanation &report) {
    std::string text;
    llvm::raw_string_ostream os(text);
    report.print(os);
    return text;
  };
  Explanation report = limitedBy("wavefronts");
  EXPECT_NE(textOf(report).find("\nlimited by wavefronts\n"), std::string::npos);
  EXPECT_EQ(textOf(report).find("regime"), std::string::npos);
  report.setLaunch(5000, int64_t(1) << 30);
  EXPECT_NE(textOf(report).find("\nregime: bound by wavefronts\n"), std::string::npos);
}

/// Compiles a copy of a column: 32 lanes, one row each.
Explanation explainOf(const std::string &index) {
  std::string text = "tile.kernel @f[%M, %N](%x[%M, %N]: memref<?x?xf32>, %y[%M]: memref<?xf32>)\n"
                     "    grid(%b) in (%M ceildiv 32) threads(32) {\n"
                     "  tile.parallel (%i) in (32) {\n"
                     "    %v = tile.load %x[" +
                     index +
                     "] : memref<?x?xf32>\n"
                     "    tile.store %v, %y[%b * 32 + %i] : memref<?xf32>\n"
                     "  }\n}\n";
  Result<Program> program = Program::parse({text, "f.mlir", {}});
  EXPECT_TRUE(bool(program)) << (program ? "" : program.error());
  CompileSettings settings;
  settings.explain = true;
  Result<CompiledProgram> compiled = program->compile(settings);
  EXPECT_TRUE(bool(compiled)) << (compiled ? "" : compiled.error());
  return compiled->explanations.front();
}

/// The first global load of a report.
AccessLine globalLoad(const Explanation &report) {
  for (const AccessLine &access : report.accesses)
    if (access.space == "global" && access.kind == "load")
      return access;
  return {};
}

/// Sectors are those 32 lanes touch: 4 side by side, 32 a row apart, 1 when all read one element.
TEST(AccessReport, CountsSectors) {
  EXPECT_EQ(globalLoad(explainOf("0, %b * 32 + %i")).sectors, 4);
  AccessLine column = globalLoad(explainOf("%b * 32 + %i, 0"));
  EXPECT_EQ(column.buffer, "x");
  EXPECT_EQ(column.line, 4);
  EXPECT_EQ(column.sectors, 32);
  EXPECT_EQ(column.idealSectors, 4);
  EXPECT_EQ(globalLoad(explainOf("%b, 0")).sectors, 1);
}

/// A second report on the same program is about that compilation alone.
TEST(AccessReport, ReportsOncePerCompilation) {
  std::string text = "tile.kernel @f(%y: memref<32xf32>) grid(%b) in (1) threads(32) {\n"
                     "  tile.fill %y with 1.0 : memref<32xf32>\n}\n";
  Result<Program> program = Program::parse({text, "f.mlir", {}});
  ASSERT_TRUE(bool(program)) << program.error();
  CompileSettings settings;
  settings.explain = true;
  Result<CompiledProgram> first = program->compile(settings), second = program->compile(settings);
  ASSERT_TRUE(bool(first) && bool(second));
  ASSERT_FALSE(first->explanations[0].accesses.empty());
  EXPECT_EQ(first->explanations[0].accesses.size(), second->explanations[0].accesses.size());
}

} // namespace
} // namespace tile
