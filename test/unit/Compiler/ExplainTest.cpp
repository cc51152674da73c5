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
  report.conversions.push_back({4, "acc", "through shared memory", std::nullopt, {3, 4}});
  return report;
}

/// The keys are exactly those of the published schema.
TEST(ExplainJson, Keys) {
  llvm::json::Value value = sample().toJson();
  const llvm::json::Object &report = *value.getAsObject();
  EXPECT_EQ(keysOf(report),
            (std::set<std::string>{"kernel", "arch", "threads", "shared_bytes", "registers", "spill_bytes", "regime",
                                   "limited_by", "accesses", "layouts", "conversions"}));
  EXPECT_EQ(keysOf(*report.getArray("accesses")->front().getAsObject()),
            (std::set<std::string>{"line", "op", "buffer", "space", "kind", "instruction", "bytes_per_thread",
                                   "sectors_per_request", "ideal_sectors", "wavefronts", "ideal_wavefronts", "guards",
                                   "why"}));
  EXPECT_EQ(keysOf(*report.getArray("layouts")->front().getAsObject()),
            (std::set<std::string>{"buffer", "line", "space", "layout", "cost", "ideal", "runner_up", "runner_up_cost",
                                   "why"}));
  EXPECT_EQ(keysOf(*report.getArray("conversions")->front().getAsObject()),
            (std::set<std::string>{"line", "buffer", "kind", "cost", "between"}));
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
