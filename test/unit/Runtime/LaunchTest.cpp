// LaunchTest.cpp - each check of the arguments of a launch, with its message.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchFixture.h"

#include <gtest/gtest.h>

using namespace tile;
using namespace tile::runtime;

/// Arguments that fit give the grid, the threads and the parameters in order.
TEST(Launch, PlansWhatFits) {
  KernelInfo info = gemmInfo();
  ASSERT_EQ(info.findFault(), std::nullopt);
  Result<LaunchPlan> plan = checkLaunch(info, gemmArguments(200, 1000, 64), {});
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_FALSE(plan->isEmpty);
  EXPECT_EQ(plan->variant, 0);
  EXPECT_EQ(plan->grid, (std::array<int64_t, 3>{8, 2, 1}));
  EXPECT_EQ(plan->threads, 128);
  EXPECT_EQ(plan->parameters, (std::vector<uint64_t>{0x1000000000, 0x2000000000, 0x3000000000, 200, 1000, 64}));
  EXPECT_TRUE(plan->skipped.empty());
  EXPECT_FALSE(plan->mayOverlap);
}

/// A launch may overlap exactly if the kernel says that in grids of its size it waits for its turn; here are 16 blocks.
TEST(Launch, OverlapsWhatWaitsItself) {
  KernelInfo info = gemmInfo();
  for (int64_t most : {0, 15, 16, 2048}) {
    info.mostAwaitingBlocks = most;
    Result<LaunchPlan> plan = checkLaunch(info, gemmArguments(200, 1000, 64), {});
    ASSERT_TRUE(plan) << plan.error();
    EXPECT_EQ(plan->mayOverlap, most >= 16);
  }
}

/// Too few and too many arguments.
TEST(Launch, WrongCount) {
  std::vector<Argument> arguments = gemmArguments(64, 64, 64);
  arguments.pop_back();
  EXPECT_EQ(errorOf(gemmInfo(), arguments), "kernel 'gemm', 2 arguments given; expected 3");
  arguments.resize(4);
  EXPECT_EQ(errorOf(gemmInfo(), arguments), "kernel 'gemm', 4 arguments given; expected 3");
}

/// A scalar where a tensor belongs, and the other way round.
TEST(Launch, WrongKind) {
  std::vector<Argument> arguments = gemmArguments(64, 64, 64);
  arguments[1] = Scalar(1.0f);
  EXPECT_EQ(errorOf(gemmInfo(), arguments), "kernel 'gemm', argument 'B': kind is scalar; expected a tensor");
  KernelInfo info = gemmInfo();
  info.arguments.push_back(scalarInfo("s", ScalarType::F32));
  arguments = gemmArguments(64, 64, 64);
  arguments.push_back(arguments[0]);
  EXPECT_EQ(errorOf(info, arguments), "kernel 'gemm', argument 's': kind is tensor; expected a scalar");
}

/// The rank is compared before any extent.
TEST(Launch, WrongRank) {
  std::vector<Argument> arguments = gemmArguments(64, 64, 64);
  std::get<Tensor>(arguments[1]).shape = {64, 64, 1};
  EXPECT_EQ(errorOf(gemmInfo(), arguments), "kernel 'gemm', argument 'B': rank is 3; expected 2");
}

/// Every pair of different types is refused for tensors and for scalars; only i64 passes for index.
TEST(Launch, WrongType) {
  for (int want = 0; want <= static_cast<int>(ScalarType::Index); ++want) {
    for (int have = 0; have <= static_cast<int>(ScalarType::Index); ++have) {
      auto expected = static_cast<ScalarType>(want), given = static_cast<ScalarType>(have);
      KernelInfo info = gemmInfo();
      info.arguments[0].type = expected;
      info.arguments.push_back(scalarInfo("s", expected));
      std::vector<Argument> arguments = gemmArguments(8, 8, 8);
      std::get<Tensor>(arguments[0]).type = expected;
      arguments.push_back(Scalar(given, 1));
      bool fits = given == expected || (expected == ScalarType::Index && given == ScalarType::I64);
      std::string words = "is " + std::string(name(given)) + "; expected " + std::string(name(expected));
      EXPECT_EQ(errorOf(info, arguments), fits ? "ok" : "kernel 'gemm', argument 's': type " + words);
      std::get<Tensor>(arguments[0]).type = given;
      if (given != expected) {
        EXPECT_EQ(errorOf(info, arguments), "kernel 'gemm', argument 'A': element type " + words);
      }
    }
  }
}

/// A bool is 0 or 1, in C and on the device.
TEST(Launch, BoolIsZeroOrOne) {
  KernelInfo info = gemmInfo();
  info.arguments.push_back(scalarInfo("b", ScalarType::I1));
  std::vector<Argument> arguments = gemmArguments(8, 8, 8);
  arguments.push_back(Scalar(ScalarType::I1, 2));
  EXPECT_EQ(errorOf(info, arguments), "kernel 'gemm', argument 'b': value is 2; expected 0 or 1 for i1");
  arguments.back() = Scalar(true);
  EXPECT_EQ(errorOf(info, arguments), "ok");
}

/// Two tensors that disagree on a symbol: the message names where the symbol came from.
TEST(Launch, ExtentsDisagree) {
  std::vector<Argument> arguments = gemmArguments(64, 64, 64);
  std::get<Tensor>(arguments[1]).shape = {65, 64};
  EXPECT_EQ(errorOf(gemmInfo(), arguments),
            "kernel 'gemm', argument 'B': extent of dim 0 is 65; expected 64 = K (K = 64 from dim 1 of 'A')");
}

/// A static extent, and a negative one.
TEST(Launch, StaticAndNegativeExtents) {
  KernelInfo info = gemmInfo();
  info.symbols = {"M", "N"};
  info.arguments[0].extents[1] = info.arguments[1].extents[0] = num(4096);
  for (Variant &variant : info.variants)
    std::erase(variant.parameters, Parameter::symbol(2));
  EXPECT_EQ(errorOf(info, gemmArguments(64, 64, 4095)),
            "kernel 'gemm', argument 'A': extent of dim 1 is 4095; expected 4096");
  EXPECT_EQ(errorOf(info, gemmArguments(64, -1, 4096)),
            "kernel 'gemm', argument 'B': extent of dim 1 is -1; expected at least 0");
}

/// len(B) = m + n, where the sum stands before and after its parts are bound.
TEST(Launch, LinearEquation) {
  KernelInfo info = gemmInfo();
  info.symbols = {"m", "n"};
  info.arguments = {tensorInfo("B", ScalarType::F32, {sym(0) + sym(1)}), tensorInfo("X", ScalarType::F32, {sym(0)}),
                    tensorInfo("Y", ScalarType::F32, {sym(1)})};
  info.grid = {num(1)};
  info.blockOrder = {0};
  info.variants = {{"f", 0, 0, 0, false, {}, {Parameter::pointer(0)}}};
  auto arguments = [](int64_t b, int64_t x, int64_t y) {
    return std::vector<Argument>{at(4096, ScalarType::F32, {b}), at(8192, ScalarType::F32, {x}),
                                 at(12288, ScalarType::F32, {y})};
  };
  EXPECT_EQ(errorOf(info, arguments(7, 3, 4)), "ok");
  EXPECT_EQ(errorOf(info, arguments(0, 0, 0)), "ok");
  EXPECT_EQ(errorOf(info, arguments(8, 3, 4)), "kernel 'gemm', argument 'B': extent of dim 0 is 8; expected 7 = m + n "
                                               "(m = 3 from dim 0 of 'X', n = 4 from dim 0 of 'Y')");
}

/// An extent may depend on an index argument; overflow is an error, not a wrap.
TEST(Launch, ExtentFromIndexArgument) {
  KernelInfo info = gemmInfo();
  info.symbols = {"M"};
  info.arguments = {tensorInfo("A", ScalarType::F32, {sym(0)}), tensorInfo("B", ScalarType::F32, {sym(0) * sym(1)}),
                    scalarInfo("k", ScalarType::Index)};
  info.grid = {num(1)};
  info.blockOrder = {0};
  info.variants = {{"f", 0, 0, 0, false, {}, {Parameter::scalar(2)}}};
  auto arguments = [](int64_t m, int64_t b, int64_t k) {
    return std::vector<Argument>{at(4096, ScalarType::F32, {m}), at(8192, ScalarType::F32, {b}), Scalar::index(k)};
  };
  EXPECT_EQ(errorOf(info, arguments(3, 6, 2)), "ok");
  EXPECT_EQ(errorOf(info, arguments(3, 6, 3)), "kernel 'gemm', argument 'B': extent of dim 0 is 6; expected 9 = M * k "
                                               "(M = 3 from dim 0 of 'A', k = 3)");
  EXPECT_EQ(errorOf(info, arguments(3, 6, INT64_MAX)),
            "kernel 'gemm', argument 'B': extent of dim 0 is 6; expected a number of 64 bits, got from M * k "
            "(M = 3 from dim 0 of 'A', k = 9223372036854775807)");
}

/// A plain memref must be contiguous; a declared stride must be met; strides of extents <= 1 never count.
TEST(Launch, Strides) {
  KernelInfo info = gemmInfo();
  std::vector<Argument> arguments = gemmArguments(64, 32, 16);
  Tensor &a = std::get<Tensor>(arguments[0]);
  a.strides = {16, 1};
  EXPECT_EQ(errorOf(info, arguments), "ok");
  a.strides = {24, 1};
  EXPECT_EQ(errorOf(info, arguments), "kernel 'gemm', argument 'A': strides are [24, 1]; expected contiguous [16, 1]");
  a.strides = {1};
  EXPECT_EQ(errorOf(info, arguments), "kernel 'gemm', argument 'A': 1 strides given; expected 2, one a dimension");
  info.arguments[0].strides = {std::nullopt, 1};
  a.strides = {24, 1};
  EXPECT_EQ(errorOf(info, arguments), "ok");
  a.strides = {1, 64};
  EXPECT_EQ(errorOf(info, arguments), "kernel 'gemm', argument 'A': strides are [1, 64]; expected [any, 1]");

  info = gemmInfo();
  for (int64_t k : {0, 1}) {
    arguments = gemmArguments(1, 32, k);
    std::get<Tensor>(arguments[0]).strides = {-77, 12345};
    EXPECT_EQ(errorOf(info, arguments), "ok") << k;
  }
  arguments = gemmArguments(7, 32, 0);
  std::get<Tensor>(arguments[0]).strides = {3, 9};
  EXPECT_EQ(errorOf(info, arguments), "ok");
}

/// Extents whose bytes exceed 64 bits are refused, whatever the strides.
TEST(Launch, ProductOverflow) {
  int64_t big = int64_t(1) << 31;
  EXPECT_EQ(errorOf(gemmInfo(), gemmArguments(big, 8, big)),
            "kernel 'gemm', argument 'A': extents [2147483648, 2147483648] span more bytes than 64 bits can count");
  EXPECT_EQ(errorOf(gemmInfo(), gemmArguments(INT64_MAX, 1, INT64_MAX)),
            "kernel 'gemm', argument 'A': extents [9223372036854775807, 9223372036854775807] span more bytes than 64 "
            "bits can count");
  KernelInfo info = gemmInfo();
  info.arguments[0].strides = {std::nullopt, std::nullopt};
  std::vector<Argument> arguments = gemmArguments(3, 8, 3);
  std::get<Tensor>(arguments[0]).strides = {INT64_MAX, INT64_MIN};
  EXPECT_EQ(errorOf(info, arguments),
            "kernel 'gemm', argument 'A': extents [3, 3] span more bytes than 64 bits can count");
}

/// Null is refused for elements that the kernel touches, and accepted without elements or without a touch.
TEST(Launch, NullPointer) {
  KernelInfo info = gemmInfo();
  std::vector<Argument> arguments = gemmArguments(64, 32, 16);
  std::get<Tensor>(arguments[2]).pointer = nullptr;
  EXPECT_EQ(errorOf(info, arguments),
            "kernel 'gemm', argument 'C': address is null; expected memory for shape [64, 32]");
  info.arguments[2].isWritten = false;
  EXPECT_EQ(errorOf(info, arguments), "ok");
  arguments = gemmArguments(64, 32, 0);
  std::get<Tensor>(arguments[0]).pointer = nullptr;
  std::get<Tensor>(arguments[1]).pointer = nullptr;
  EXPECT_EQ(errorOf(gemmInfo(), arguments), "ok");
}

/// An address that cuts elements is refused; no variant could read it.
TEST(Launch, ElementAlignment) {
  std::vector<Argument> arguments = gemmArguments(64, 32, 16);
  std::get<Tensor>(arguments[0]).pointer = reinterpret_cast<void *>(0x1001);
  EXPECT_EQ(errorOf(gemmInfo(), arguments),
            "kernel 'gemm', argument 'A': address is 0x1001; expected a multiple of 2 bytes, the size of f16");
}

/// Tensors that say which device they are on must be on the kernel's.
TEST(Launch, WrongDevice) {
  std::vector<Argument> arguments = gemmArguments(64, 32, 16);
  std::get<Tensor>(arguments[1]).device = 1;
  DeviceLimits limits;
  limits.device = 0;
  EXPECT_EQ(errorOf(gemmInfo(), arguments, limits),
            "kernel 'gemm', argument 'B': device is 1; expected 0, the kernel's");
  limits.device = 1;
  EXPECT_EQ(errorOf(gemmInfo(), arguments, limits), "ok");
}

/// Each comparison of a `where` fact, below, at and above; the message quotes the user's text and place.
TEST(Launch, WhereFacts) {
  struct Case {
    Comparison comparison;
    bool below, equal, above;
  };
  for (const Case &c : {Case{Comparison::Equal, false, true, false}, Case{Comparison::Less, true, false, false},
                        Case{Comparison::LessEqual, true, true, false}, Case{Comparison::Greater, false, false, true},
                        Case{Comparison::GreaterEqual, false, true, true}}) {
    KernelInfo info = gemmInfo();
    std::string op(spelling(c.comparison));
    info.where = {{sym(2), c.comparison, num(64), "%K " + op + " 64", "f.tile:3:9"}};
    auto message = [&](int64_t k, bool isRight) {
      std::string number = std::to_string(k);
      return isRight ? "ok"
                     : "kernel 'gemm', where: " + number + " " + op + " 64 is false (K = " + number +
                           " from dim 1 of 'A'); expected %K " + op + " 64 (f.tile:3:9)";
    };
    EXPECT_EQ(errorOf(info, gemmArguments(8, 8, 63)), message(63, c.below));
    EXPECT_EQ(errorOf(info, gemmArguments(8, 8, 64)), message(64, c.equal));
    EXPECT_EQ(errorOf(info, gemmArguments(8, 8, 65)), message(65, c.above));
  }
  KernelInfo info = gemmInfo();
  info.where = {{Expr::mod(sym(2), num(64)), Comparison::Equal, num(0), "%K mod 64 == 0", "f.tile:3:9"}};
  EXPECT_EQ(errorOf(info, gemmArguments(8, 8, 100)),
            "kernel 'gemm', where: 36 == 0 is false (K = 100 from dim 1 of 'A'); expected %K mod 64 == 0 (f.tile:3:9)");
}

/// A promise of disjointness is checked by bytes: equal, shifted, touching, strided, empty.
TEST(Launch, Disjoint) {
  KernelInfo info = gemmInfo();
  std::vector<Argument> arguments = gemmArguments(64, 32, 16);
  Tensor &a = std::get<Tensor>(arguments[0]), &c = std::get<Tensor>(arguments[2]);
  c.pointer = a.pointer;
  EXPECT_EQ(errorOf(info, arguments), "ok"); // nothing was promised
  info.disjoint = {{0, 1, 2}};
  EXPECT_EQ(errorOf(info, arguments), "kernel 'gemm', argument 'C': memory from 0x1000000000 overlaps 2048 bytes of "
                                      "'A'; expected disjoint, as the kernel promises");
  c.pointer = static_cast<char *>(a.pointer) + 2048 - 64;
  EXPECT_EQ(errorOf(info, arguments), "kernel 'gemm', argument 'C': memory from 0x10000007c0 overlaps 64 bytes of 'A'; "
                                      "expected disjoint, as the kernel promises");
  c.pointer = static_cast<char *>(a.pointer) + 2048;
  EXPECT_EQ(errorOf(info, arguments), "ok");
  c.pointer = static_cast<char *>(a.pointer) - 4096;
  EXPECT_EQ(errorOf(info, arguments), "ok");
  // Rows at a pitch of 32 elements reach twice as far.
  info.arguments[0].strides = {std::nullopt, 1};
  a.strides = {32, 1};
  c.pointer = static_cast<char *>(a.pointer) + 2048;
  EXPECT_NE(errorOf(info, arguments), "ok");
  c.pointer = static_cast<char *>(a.pointer) + (63 * 32 + 16) * 2;
  EXPECT_EQ(errorOf(info, arguments), "ok");
  // Rows that run backwards lie before the base.
  a.strides = {-32, 1};
  EXPECT_EQ(errorOf(info, arguments), "ok");
  c.pointer = static_cast<char *>(a.pointer) - 4096;
  EXPECT_NE(errorOf(info, arguments), "ok");

  arguments = gemmArguments(64, 32, 0);
  std::get<Tensor>(arguments[1]).pointer = std::get<Tensor>(arguments[2]).pointer;
  EXPECT_EQ(errorOf(info, arguments), "ok");
}

/// Scalars of every C++ type arrive in their own type and bits.
TEST(Launch, ScalarBits) {
  KernelInfo info = gemmInfo();
  std::vector<Argument> arguments = gemmArguments(8, 8, 8);
  std::vector<Scalar> scalars = {
      true, int32_t(-1), int64_t(-1), 1.0f, 1.0, Scalar(ScalarType::F16, 0x3c00), Scalar::index(-5)};
  info.variants = {{"f", 0, 0, 0, false, {}, {}}};
  for (const Scalar &scalar : scalars) {
    info.variants[0].parameters.push_back(Parameter::scalar(static_cast<int64_t>(info.arguments.size())));
    info.arguments.push_back(scalarInfo("s", scalar.type));
    arguments.push_back(scalar);
  }
  Result<LaunchPlan> plan = checkLaunch(info, arguments, {});
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_EQ(plan->parameters, (std::vector<uint64_t>{1, 0xffffffff, 0xffffffffffffffff, 0x3f800000, 0x3ff0000000000000,
                                                     0x3c00, static_cast<uint64_t>(-5)}));
}
