// NamesTest.cpp - the user's names become unique C identifiers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitterTest.h"

#include "lib/Target/CUDA/Helpers.h"
#include "lib/Target/CUDA/Names.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Builders.h"

#include <set>

namespace tile::cuda {

using NamesTest = EmitterTest;

/// A name as it comes out of a fresh scope.
static std::string taken(const std::string &name) {
  return NameScope().take(name, "v");
}

// Names that C allows stay as they are.
TEST_F(NamesTest, KeepsGoodNames) {
  for (const char *name : {"x", "acc", "A", "by", "row0", "tid", "camelCase", "snake_case", "err"})
    EXPECT_EQ(taken(name), name);
}

// Keywords, CUDA's built-ins, vector types and our own helpers get a suffix.
TEST_F(NamesTest, AvoidsReservedWords) {
  for (const char *name :
       {"max",      "min",      "float",  "half", "int",      "threadIdx", "blockDim",     "register",  "auto",
        "template", "warpSize", "printf", "sinf", "sin",      "float4",    "make_int2",    "f16",       "move16",
        "lanes",    "arena",    "asm",    "and",  "restrict", "uint4",     "floordiv_i64", "atomicAdd", "true"})
    EXPECT_EQ(taken(name), std::string(name) + "_1");
}

// What is reserved by its spelling, or no identifier at all, is respelled.
TEST_F(NamesTest, RespellsForeignCharacters) {
  EXPECT_EQ(taken("_x"), "x");
  EXPECT_EQ(taken("__shared__"), "shared");
  EXPECT_EQ(taken("a__b"), "a_b");
  EXPECT_EQ(taken("a.b-c"), "a_b_c");
  EXPECT_EQ(taken("N-8"), "N_8");
  EXPECT_EQ(taken("\xc3\xa9"), "u00e9");
  EXPECT_EQ(taken("\xf0\x9f\x98\x80x"), "u1f600x");
  EXPECT_EQ(taken("8bit"), "n8bit");
  EXPECT_EQ(taken("0"), "v");
  EXPECT_EQ(taken("..."), "v");
  EXPECT_EQ(taken(""), "v");
  EXPECT_EQ(taken("a\n\"b\\"), "a_b");
}

// A second use gets a suffix that no other name has, also where the user wrote such a name.
TEST_F(NamesTest, NumbersSecondUses) {
  NameScope scope;
  EXPECT_EQ(scope.take("x_1", "v"), "x_1");
  EXPECT_EQ(scope.take("x", "v"), "x");
  EXPECT_EQ(scope.take("x", "v"), "x_2");
  EXPECT_EQ(scope.take("a.b", "v"), "a_b");
  EXPECT_EQ(scope.take("a-b", "v"), "a_b_1");
}

// Long names are cut and stay different.
TEST_F(NamesTest, CutsLongNames) {
  NameScope scope;
  std::string stem(5000, 'n');
  std::set<std::string> seen;
  for (int i = 0; i < 50; ++i) {
    std::string name = scope.take(stem + std::to_string(i), "v");
    EXPECT_LE(name.size(), 70u);
    EXPECT_TRUE(seen.insert(name).second);
  }
}

// Every name of a kernel at once: all of them awkward, all of them still compile.
TEST_F(NamesTest, AwkwardProgramCompiles) {
  const std::string awkward[] = {"max",        "float",    "threadIdx", "__shared__",    "register",
                                 "auto",       "template", "printf",    "tid",           "_x",
                                 "a.b",        "a-b",      "lanes",     "arena",         "expf",
                                 "f16_to_f32", "float4",   "blockIdx",  "launch_bounds", "__syncthreads",
                                 "NULL",       "true",     "half",      "uint",          std::string(5000, 'q')};
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(bodyModule(
      [&] {
        std::string body = "%c0 = arith.constant 0 : i64\n";
        int number = 0;
        for (const std::string &name : awkward) {
          std::string value = "%s" + std::to_string(number++);
          body += value + " = simt.load %A[%c0 : i64] : memref<?xf16> -> f16\n";
          body += "simt.store " + value + ", %B[%c0 : i64] : f16, memref<?xf16>\n";
          (void)name;
        }
        return body;
      }(),
      "f16"));
  size_t number = 0;
  module->walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == "simt.load")
      op->setLoc(mlir::NameLoc::get(mlir::StringAttr::get(&context, awkward[number++])));
  });
  ASSERT_EQ(number, std::size(awkward));
  std::string text;
  llvm::raw_string_ostream os(text);
  ASSERT_TRUE(mlir::succeeded(emitCuda(*module, os)));
  compile(text, "sm_90a");
  expectInOrder(text,
                {"const f16 max_1 = A[0];", "const f16 x = A[0];", "const f16 a_b = A[0];", "const f16 a_b_1 = A[0];"});
}

// Kernels of one module have unique names, known to whoever launches them.
TEST_F(NamesTest, NamesKernels) {
  auto kernel = [](const std::string &name) {
    return "simt.kernel @\"" + name +
           "\"() grid() in affine_map<() -> ()> threads(1) attributes {source = \"k\", "
           "requirements = [], parameters = []} {}\n";
  };
  std::string module = kernel("gemm") + kernel("max") + kernel("a.b") + kernel("a-b") + kernel("printf");
  EXPECT_EQ(kernelNames(*parse(module)), (std::vector<std::string>{"gemm", "max_1", "a_b", "a_b_1", "printf_1"}));
  expectInOrder(emit(module),
                {" gemm() {\n  await_turn(2048);\n}\n", " max_1() {", " a_b() {", " a_b_1() {", " printf_1() {"});
}

// Helpers come in an order in which each is defined before it is used, and only those needed.
TEST_F(NamesTest, HelpersAreDefinedInOrder) {
  llvm::SetVector<llvm::StringRef> all;
  std::set<std::string> seen;
  for (const Helper &helper : helpers()) {
    EXPECT_TRUE(seen.insert(helper.name.str()).second) << helper.name.str() << " stands twice";
    EXPECT_TRUE(helper.text.contains(helper.name)) << helper.name.str();
    llvm::SmallVector<llvm::StringRef> needs;
    helper.needs.split(needs, ' ', -1, false);
    for (llvm::StringRef need : needs)
      EXPECT_TRUE(seen.count(need.str())) << helper.name.str() << " needs " << need.str();
    all.insert(helper.name);
  }
  std::string text = defineHelpers(all);
  for (const char *arch : {"sm_80", "sm_89", "sm_90a"})
    compile(text, arch);
  llvm::SetVector<llvm::StringRef> one;
  one.insert("exp_approx");
  std::string few = defineHelpers(one);
  expectInOrder(few, {"exp2_approx", "exp_approx"});
  EXPECT_EQ(few.find("f16"), std::string::npos);
}

} // namespace tile::cuda
