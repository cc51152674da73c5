// KernelInfoTest.cpp - what a launch must know, read off a program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Compiler/Compiler.h"

#include <gtest/gtest.h>

namespace tile {
namespace {

using runtime::Expr;

static constexpr const char *kProgram = R"(
tile.kernel @f[%M, %N](%A[%M, %N]: memref<?x?xf16, strided<[?, 1]>>, %n: index, %B[%N + 1]: memref<?xf32>,
                       %s: f32, %fixed: memref<8xi8>)
    grid(%x, %y) in (%N ceildiv 256, %M + %n) threads(64) where (%N mod 8 == 0, %n < %M) disjoint(%A, %B) min_blocks(2) {
  tile.parallel (%i) in (256) {
    %v = tile.load %A[%y, %x * 256 + %i] : memref<?x?xf16, strided<[?, 1]>>
    %w = arith.extf %v : f16 to f32
    tile.store %w, %B[%x * 256 + %i] : memref<?xf32>
  }
}
)";

/// The description of the only kernel of a text; every compilation here must succeed.
runtime::KernelInfo infoOf(const std::string &text) {
  Result<Program> program = Program::parse({text, "f.mlir", {}});
  EXPECT_TRUE(bool(program)) << (program ? "" : program.error());
  Result<CompiledProgram> compiled = program->compile({});
  EXPECT_TRUE(bool(compiled)) << (compiled ? "" : compiled.error());
  return compiled->kernels.front();
}

/// Names, grid and facts are those of the text; expressions speak of sizes, then index arguments.
TEST(KernelInfoOfProgram, NamesGridAndFacts) {
  runtime::KernelInfo info = infoOf(kProgram);
  EXPECT_EQ(info.name, "f");
  EXPECT_EQ(info.threads, 64);
  EXPECT_EQ(info.minBlocks, 2);
  EXPECT_EQ(info.mostAwaitingBlocks, 2048);
  EXPECT_EQ(info.symbols, (std::vector<std::string>{"M", "N"}));
  EXPECT_EQ(info.launchValueNames(), (std::vector<std::string>{"M", "N", "n"}));
  ASSERT_EQ(info.grid.size(), 2u);
  std::vector<int64_t> values = {5, 100, 7};
  EXPECT_EQ(info.grid[0].evaluate(values), 1);
  EXPECT_EQ(info.grid[1].evaluate(values), 12);
  ASSERT_EQ(info.where.size(), 2u);
  EXPECT_EQ(info.where[0].text, "%N mod 8 == 0");
  EXPECT_EQ(info.where[1].text, "%n < %M");
  EXPECT_EQ(info.where[1].comparison, runtime::Comparison::Less);
  EXPECT_EQ(info.where[0].location, "f.mlir:2:1");
  EXPECT_EQ(info.disjoint, (std::vector<std::vector<int64_t>>{{0, 2}}));
}

/// Tensors carry type, extents, strides and who touches them.
TEST(KernelInfoOfProgram, Arguments) {
  runtime::KernelInfo info = infoOf(kProgram);
  ASSERT_EQ(info.arguments.size(), 5u);
  const runtime::ArgumentInfo &a = info.arguments[0], &b = info.arguments[2], &fixed = info.arguments[4];
  EXPECT_EQ(a.name, "A");
  EXPECT_EQ(a.location, "f.mlir:2:24");
  EXPECT_EQ(a.type, ScalarType::F16);
  EXPECT_EQ(a.extents, (std::vector<Expr>{Expr::value(0), Expr::value(1)}));
  EXPECT_EQ(a.strides, (std::vector<std::optional<int64_t>>{std::nullopt, 1}));
  EXPECT_TRUE(a.isRead && !a.isWritten);
  EXPECT_TRUE(b.isWritten && !b.isRead);
  EXPECT_TRUE(b.strides.empty());
  EXPECT_EQ(b.extents[0].evaluate(std::vector<int64_t>{5, 100, 7}), 101);
  EXPECT_TRUE(!fixed.isRead && !fixed.isWritten);
  EXPECT_EQ(fixed.extents, (std::vector<Expr>{Expr::constant(8)}));
  EXPECT_EQ(info.arguments[1].kind, runtime::ArgumentInfo::Kind::Scalar);
  EXPECT_EQ(info.arguments[1].type, ScalarType::Index);
  EXPECT_EQ(info.arguments[3].type, ScalarType::F32);
}

/// The fastest variant first, the one that asks for nothing last; the whole is consistent and survives its text.
TEST(KernelInfoOfProgram, Variants) {
  runtime::KernelInfo info = infoOf(kProgram);
  ASSERT_GE(info.variants.size(), 2u);
  EXPECT_FALSE(info.variants.front().requirements.empty());
  EXPECT_TRUE(info.variants.back().requirements.empty());
  EXPECT_EQ(info.findFault(), std::nullopt);
  Result<runtime::KernelInfo> again = runtime::KernelInfo::deserialize(info.serialize());
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(*again, info);
}

/// Only the kernel asked for is compiled.
TEST(ProgramTest, SelectsOneKernel) {
  std::string text =
      "tile.kernel @a() grid(%b) in (1) threads(32) {}\ntile.kernel @c() grid(%b) in (1) threads(32) {}\n";
  Result<Program> program = Program::parse({text, "two.mlir", {}});
  ASSERT_TRUE(bool(program));
  CompileSettings settings;
  settings.kernel = "c";
  Result<CompiledProgram> compiled = program->compile(settings);
  ASSERT_TRUE(bool(compiled)) << compiled.error();
  ASSERT_EQ(compiled->kernels.size(), 1u);
  EXPECT_EQ(compiled->kernels[0].name, "c");
  EXPECT_EQ(compiled->cuda.find(" a("), std::string::npos);
}

/// What cannot be read is refused with its place: deep nesting, unknown names, bytecode, a text without kernels.
TEST(ProgramTest, RefusesTexts) {
  auto error = [](std::string text) {
    Result<Program> program = Program::parse({std::move(text), "bad.mlir", {}});
    return program ? std::string() : program.error();
  };
  EXPECT_EQ(error(std::string(100000, '(')).substr(0, 11), "bad.mlir:1:");
  EXPECT_EQ(error("\n  $TILE").substr(0, 20), "bad.mlir:2:3: error:");
  EXPECT_NE(error("ML\xefR").find("bytecode"), std::string::npos);
  EXPECT_NE(error("").find("found no kernel"), std::string::npos);
  EXPECT_EQ(error("tile.kernel").substr(0, 11), "bad.mlir:1:");
}

} // namespace
} // namespace tile
