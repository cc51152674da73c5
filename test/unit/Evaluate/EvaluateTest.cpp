// EvaluateTest.cpp - MLIR operations find their scalar functions, and MLIR's own folding agrees with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Evaluate/Evaluate.h"

#include "tile/Support/Numerics.h"
#include "tile/Support/OpTable.h"

#include "test/unit/Support/Reference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {
class Evaluate : public testing::Test {
protected:
  Evaluate() { context.loadDialect<arith::ArithDialect, math::MathDialect>(); }

  /// Parses a module and returns its last operation.
  Operation *parse(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    return module ? &module->getBody()->back() : nullptr;
  }

  TypedAttr attribute(ScalarType type, uint64_t bits) { return attributeOf(&context, type, bits); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// An operation of the table on constants, built without text; destroyed with this.
struct BuiltOp {
  BuiltOp(MLIRContext &context, const ScalarOpInfo &info, ArrayRef<ScalarType> operandTypes, ScalarType result,
          int predicate) {
    Location loc = UnknownLoc::get(&context);
    block = std::make_unique<Block>();
    OperationState state(loc, StringRef(info.name.data(), info.name.size()));
    for (ScalarType type : operandTypes)
      state.addOperands(block->addArgument(mlirType(&context, type), loc));
    state.addTypes(mlirType(&context, result));
    if (info.kind == OpKind::CompareI)
      state.addAttribute("predicate", arith::CmpIPredicateAttr::get(&context, arith::CmpIPredicate(predicate)));
    if (info.kind == OpKind::CompareF)
      state.addAttribute("predicate", arith::CmpFPredicateAttr::get(&context, arith::CmpFPredicate(predicate)));
    op = Operation::create(state);
    block->push_back(op);
  }

  std::unique_ptr<Block> block;
  Operation *op;
};

/// One way to use a row of the table.
struct Use {
  SmallVector<ScalarType, 3> operands;
  ScalarType result;
  int predicate = 0;
};
} // namespace

/// Every supported use of a row: types, and predicates of comparisons.
static std::vector<Use> usesOf(const ScalarOpInfo &info) {
  std::vector<Use> uses;
  for (ScalarType type : kAllTypes) {
    if (!info.types.contains(type))
      continue;
    switch (info.kind) {
    case OpKind::Unary:
      uses.push_back({{type}, resultType(static_cast<UnaryOp>(info.code), type)});
      break;
    case OpKind::Binary:
      uses.push_back({{type, info.name == "math.fpowi" ? ScalarType::I32 : type}, type});
      break;
    case OpKind::Ternary:
      uses.push_back({{info.name == "arith.select" ? ScalarType::I1 : type, type, type}, type});
      break;
    case OpKind::Cast:
      for (ScalarType to : kAllTypes)
        if (isSupported(static_cast<CastOp>(info.code), type, to))
          uses.push_back({{type}, to});
      break;
    case OpKind::CompareI:
      for (int predicate = 0; predicate < 10; ++predicate)
        uses.push_back({{type, type}, ScalarType::I1, predicate});
      break;
    case OpKind::CompareF:
      for (int predicate = 0; predicate < 16; ++predicate)
        uses.push_back({{type, type}, ScalarType::I1, predicate});
      break;
    case OpKind::Constant:
      break;
    }
  }
  return uses;
}

/// Types go to MLIR and back; types outside the language are none.
TEST_F(Evaluate, Types) {
  for (ScalarType type : kAllTypes)
    EXPECT_EQ(scalarType(mlirType(&context, type)), type) << tile::name(type);
  EXPECT_EQ(scalarType(IntegerType::get(&context, 4)), std::nullopt);
  EXPECT_EQ(scalarType(IntegerType::get(&context, 32, IntegerType::Signed)), std::nullopt);
  EXPECT_EQ(scalarType(Float80Type::get(&context)), std::nullopt);
  EXPECT_EQ(scalarType(Float8E4M3FNUZType::get(&context)), std::nullopt);
  EXPECT_EQ(scalarType(VectorType::get({4}, Float32Type::get(&context))), std::nullopt);
}

/// Attributes carry every pattern there and back, NaN payloads included.
TEST_F(Evaluate, Attributes) {
  for (ScalarType type : kAllTypes)
    for (uint64_t bits : patterns(type, false, 100))
      ASSERT_EQ(bitsOf(attribute(type, bits)), bits) << tile::name(type) << " " << bits;
  EXPECT_EQ(bitsOf(BoolAttr::get(&context, true)), 1u);
  EXPECT_EQ(bitsOf(StringAttr::get(&context, "1")), std::nullopt);
  EXPECT_EQ(bitsOf(Attribute()), std::nullopt);
}

/// Every row on every supported type is found from an operation MLIR accepts, with the right signature.
TEST_F(Evaluate, EveryRowIsFound) {
  for (const ScalarOpInfo &info : scalarOps())
    for (const Use &use : usesOf(info)) {
      BuiltOp built(context, info, use.operands, use.result, use.predicate);
      ASSERT_TRUE(built.op->isRegistered()) << info.name;
      ASSERT_TRUE(succeeded(built.op->getName().verifyInvariants(built.op))) << info.name;
      auto function = scalarFunction(built.op);
      ASSERT_TRUE(function) << info.name << " " << scalarRefusal(built.op);
      EXPECT_EQ(function->arity(), static_cast<int>(use.operands.size()));
      EXPECT_EQ(function->resultType(), use.result);
      for (auto [i, type] : llvm::enumerate(use.operands))
        EXPECT_EQ(function->operandType(static_cast<int>(i)), type);
    }
}

/// Transcendental functions, which MLIR folds with the C library of the narrow type: only close.
static bool isTranscendental(const ScalarOpInfo &info) {
  if (info.kind == OpKind::Binary)
    return info.name == "math.atan2" || info.name == "math.powf" || info.name == "math.fpowi";
  return info.kind == OpKind::Unary && info.code >= static_cast<uint8_t>(UnaryOp::Rsqrt);
}

/// Where MLIR 22's folding is known to differ (docs/conversions.md): integers beyond the range of fp8, which it does
/// not saturate, and maxnumf and minnumf of a signalling NaN, which it does not drop.
static bool isKnownDifference(const ScalarOpInfo &info, const Use &use, const uint64_t *operands) {
  if (info.name == "arith.sitofp" || info.name == "arith.uitofp") {
    if (use.result != ScalarType::F8E4M3FN && use.result != ScalarType::F8E5M2)
      return false;
    Real value = info.name == "arith.uitofp" ? static_cast<Real>(operands[0]) : valueOf(use.operands[0], operands[0]);
    return std::fabs(value) > (use.result == ScalarType::F8E4M3FN ? 448 : 57344);
  }
  if (info.name != "arith.maxnumf" && info.name != "arith.minnumf")
    return false;
  auto isSignalling = [&](uint64_t bits) {
    return isNanBits(use.result, bits) && (bits & nanBits(use.result)) != nanBits(use.result);
  };
  return isSignalling(operands[0]) || isSignalling(operands[1]);
}

/// Where MLIR folds an operation on constants, it gives our bits (NaN for NaN), and it never folds a fault.
TEST_F(Evaluate, FoldingAgrees) {
  int folded = 0;
  for (const ScalarOpInfo &info : scalarOps()) {
    if (isTranscendental(info))
      continue;
    for (const Use &use : usesOf(info)) {
      BuiltOp built(context, info, use.operands, use.result, use.predicate);
      auto function = scalarFunction(built.op);
      std::mt19937_64 random(2);
      std::vector<uint64_t> lists[3];
      for (auto [i, type] : llvm::enumerate(use.operands))
        lists[i] = patterns(type, false, 30);
      for (int trial = 0; trial < 400; ++trial) {
        uint64_t operands[3] = {};
        SmallVector<Attribute, 3> constants;
        for (auto [i, type] : llvm::enumerate(use.operands)) {
          operands[i] = lists[i][random() % lists[i].size()];
          constants.push_back(attribute(type, operands[i]));
        }
        SmallVector<OpFoldResult, 1> results;
        if (failed(built.op->fold(constants, results)) || results.empty() || !isa<Attribute>(results[0]))
          continue;
        auto bits = bitsOf(cast<Attribute>(results[0]));
        if (isKnownDifference(info, use, operands))
          continue;
        uint64_t expected = 0;
        bool isDefined = function->call(operands, &expected);
        ++folded;
        EXPECT_TRUE(isDefined && bits && same(use.result, *bits, expected))
            << info.name << " " << tile::name(use.operands[0]) << " -> " << tile::name(use.result) << " p"
            << use.predicate << std::hex << " " << operands[0] << " " << operands[1] << " " << operands[2]
            << ": folded " << bits.value_or(0) << ", ours " << expected;
      }
    }
  }
  EXPECT_GT(folded, 10000);
}

/// A program of constants and operations, end to end through the parser.
TEST_F(Evaluate, ParsedProgram) {
  ASSERT_TRUE(parse(R"(
    %a = arith.constant -7 : i8
    %b = arith.constant 2 : i8
    %c = arith.floordivsi %a, %b : i8
    %d = arith.sitofp %c : i8 to f16
    %e = math.sqrt %d : f16
    %f = arith.cmpf uno, %e, %e : f16
    %g = arith.select %f, %a, %b : i8)"));
  llvm::DenseMap<Value, uint64_t> values;
  for (Operation &op : *module->getBody()) {
    auto function = scalarFunction(&op);
    ASSERT_TRUE(function) << scalarRefusal(&op);
    uint64_t operands[3] = {}, result = 0;
    for (auto [i, operand] : llvm::enumerate(op.getOperands()))
      operands[i] = values[operand];
    ASSERT_TRUE(function->call(operands, &result));
    values[op.getResult(0)] = result;
  }
  // -7 / 2 rounds down to -4; its root is NaN, so the comparison holds and %a is taken.
  EXPECT_EQ(values[module->getBody()->back().getResult(0)], 0xf9u);
}

/// Lanes: a constant fills them, a division reports the faulting ones, and a fault says why.
TEST_F(Evaluate, LanesAndFaults) {
  auto constant = scalarFunction(parse("%a = arith.constant 1.5 : f32"));
  uint64_t out[4] = {};
  EXPECT_EQ(constant->callLanes(nullptr, out, 4), 0u);
  EXPECT_EQ(constant->arity(), 0);
  for (uint64_t value : out)
    EXPECT_EQ(value, 0x3fc00000u);

  auto division = scalarFunction(parse(R"(
    %a = arith.constant 7 : i32
    %c = arith.divsi %a, %a : i32)"));
  uint64_t a[4] = {7, 7, 0x80000000, 9}, b[4] = {2, 0, 0xffffffff, 3};
  const uint64_t *operands[] = {a, b};
  EXPECT_EQ(division->callLanes(operands, out, 4), 0b0110u);
  EXPECT_EQ(out[0], 3u);
  EXPECT_EQ(out[3], 3u);
  uint64_t byZero[] = {7, 0}, overflow[] = {0x80000000, 0xffffffff}, fine[] = {7, 2}, result;
  EXPECT_FALSE(division->call(byZero, &result));
  EXPECT_EQ(division->faultText(byZero), "division by zero");
  EXPECT_EQ(division->faultText(overflow), "lowest integer divided by -1");
  EXPECT_EQ(division->faultText(fine), "");
}

/// Everything else is refused by name, with what was found.
TEST_F(Evaluate, Refusals) {
  struct Case {
    const char *text, *refusal;
  };
  const Case cases[] = {
      {"%a = arith.constant 1.0 : f8E5M2\n %b = arith.addf %a, %a : f8E5M2",
       "'arith.addf' on f8E5M2 is not supported; it takes bf16, f16, f32, f64"},
      {"%a = arith.constant 1.0 : f32\n %s, %c = math.sincos %a : f32",
       "'math.sincos' is not a scalar operation of the language"},
      {"%a = arith.constant dense<1.0> : vector<4xf32>\n %b = arith.addf %a, %a : vector<4xf32>",
       "'arith.addf' on vector<4xf32> is not supported; scalar operations take element types"},
      {"%a = arith.constant 1 : i4\n %b = arith.addi %a, %a : i4",
       "'arith.addi' on i4 is not supported; scalar operations take element types"},
      {"%a = arith.constant 1.0 : f32\n %n = arith.constant 2 : i64\n %b = math.fpowi %a, %n : f32, i64",
       "'math.fpowi' has an exponent of i64; the exponent must be i32"},
      {"%a = arith.constant 1.0 : f32\n %b = arith.truncf %a to_nearest_away : f32 to f16",
       "'arith.truncf' rounds 'to_nearest_away'; conversions round to nearest even"},
      {"%a = arith.constant 1 : i32\n %s, %o = arith.addui_extended %a, %a : i32, i1",
       "'arith.addui_extended' is not a scalar operation of the language"},
  };
  for (const Case &c : cases) {
    Operation *op = parse(c.text);
    ASSERT_TRUE(op) << c.text;
    EXPECT_FALSE(scalarFunction(op)) << c.text;
    EXPECT_EQ(scalarRefusal(op), c.refusal);
  }
}
