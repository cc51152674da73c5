// KernelInfoTest.cpp - the text of a kernel's description: back and forth, and any garbage.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/KernelInfo.h"

#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace tile;
using namespace tile::runtime;

namespace {
/// Makes random consistent descriptions.
class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  int64_t below(int64_t bound) { return static_cast<int64_t>(random() % static_cast<uint64_t>(bound)); }

  std::string string() {
    std::string text;
    for (int64_t i = below(12); i >= 0; --i)
      text += static_cast<char>(below(3) ? 'a' + below(26) : below(256));
    return text;
  }

  Expr expr(int depth = 3) {
    if (depth == 0 || below(3) == 0)
      return valueCount && below(2) ? Expr::value(below(valueCount)) : Expr::constant(below(2000) - 1000);
    Expr lhs = expr(depth - 1), rhs = expr(depth - 1);
    return below(2) ? lhs + rhs : Expr::ceilDiv(lhs, rhs);
  }

  KernelInfo info() {
    KernelInfo info;
    info.name = string();
    info.threads = 1 + below(1024);
    info.minBlocks = below(3);
    info.mostAwaitingBlocks = below(3000);
    for (int64_t i = below(4); i > 0; --i)
      info.symbols.push_back(string());
    // The first argument binds every symbol; a scalar of type index adds a launch value.
    valueCount = static_cast<int64_t>(info.symbols.size());
    ArgumentInfo &first = info.arguments.emplace_back();
    for (int64_t i = 0; i < valueCount; ++i)
      first.extents.push_back(Expr::value(i));
    for (int64_t i = below(6); i > 0; --i)
      addArgument(info);
    for (int64_t i = 1 + below(3); i > 0; --i)
      info.grid.push_back(expr());
    for (int64_t axis = static_cast<int64_t>(info.grid.size()); axis-- > 0;)
      info.blockOrder.push_back(axis);
    for (int64_t i = below(3); i > 0; --i)
      info.where.push_back({expr(), static_cast<Comparison>(below(5)), expr(), string(), string()});
    for (int64_t i = below(3); i > 0; --i)
      info.disjoint.push_back({0, 0});
    for (int64_t i = 1 + below(3); i > 0; --i)
      addVariant(info);
    return info;
  }

private:
  void addArgument(KernelInfo &info) {
    ArgumentInfo argument;
    argument.name = string();
    argument.location = string();
    argument.type = static_cast<ScalarType>(below(11));
    if (below(2)) {
      argument.kind = ArgumentInfo::Kind::Scalar;
      if (below(2)) {
        argument.type = ScalarType::Index;
        ++valueCount;
      }
    } else {
      argument.isRead = below(2);
      argument.isWritten = below(2);
      for (int64_t i = below(4); i > 0; --i)
        argument.extents.push_back(expr());
      for (size_t i = 0; below(2) && i < argument.extents.size(); ++i)
        argument.strides.push_back(below(2) ? std::nullopt : std::optional<int64_t>(below(5000) - 100));
      argument.strides.resize(argument.strides.empty() ? 0 : argument.extents.size());
    }
    info.arguments.push_back(argument);
  }

  void addVariant(KernelInfo &info) {
    Variant variant{string(), below(99999), below(999), below(1024), below(2) == 1, {}, {}};
    variant.requirements = {
        Requirement::pointerMultiple(0, 1 + below(128)), Requirement::exprMultiple(expr(), 1 + below(64)),
        Requirement::exprLess(expr(), 1 + below(1 << 20)), Requirement::offsetLess(0, int64_t(1) << 31)};
    variant.parameters = {Parameter::pointer(0), Parameter::gridExtent(0)};
    for (size_t i = 0; i < info.symbols.size(); ++i) {
      variant.parameters.push_back(Parameter::symbol(static_cast<int64_t>(i)));
      variant.parameters.push_back(Parameter::stride(0, static_cast<int64_t>(i)));
      variant.parameters.push_back(Parameter::extent(0, static_cast<int64_t>(i)));
      variant.requirements.push_back(Requirement::strideMultiple(0, static_cast<int64_t>(i), 16));
    }
    for (size_t i = 0; i < info.arguments.size(); ++i)
      if (info.arguments[i].kind == ArgumentInfo::Kind::Scalar)
        variant.parameters.push_back(Parameter::scalar(static_cast<int64_t>(i)));
    info.variants.push_back(variant);
  }

  std::mt19937_64 random;
  int64_t valueCount = 0;
};
} // namespace

/// Random descriptions are read back equal, and give the same text again.
TEST(KernelInfo, RoundTrip) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    KernelInfo info = Generator(seed).info();
    ASSERT_EQ(info.findFault(), std::nullopt);
    std::string text = info.serialize();
    Result<KernelInfo> back = KernelInfo::deserialize(text);
    ASSERT_TRUE(back) << back.error() << "\n" << text;
    ASSERT_EQ(*back, info) << text;
    ASSERT_EQ(back->serialize(), text);
  }
}

/// Texts with bytes changed, cut, doubled or swapped are refused or read as something consistent; nothing crashes.
TEST(KernelInfo, GarbageIsTotal) {
  std::mt19937_64 random(7);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = Generator(random() % 200).info().serialize();
    for (uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.resize(std::max<size_t>(at, 1));
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), 9));
        break;
      default:
        text[at] = "0123456789-[]\"v?"[random() % 16];
      }
    }
    Result<KernelInfo> info = KernelInfo::deserialize(text);
    if (!info) {
      ++refused;
      EXPECT_FALSE(info.error().empty());
    } else {
      ASSERT_EQ(info->findFault(), std::nullopt);
      ASSERT_EQ(*KernelInfo::deserialize(info->serialize()), *info);
    }
  }
  EXPECT_GT(refused, 10000);
}

/// Bytes that never were a description are refused by their first line, counts too large for the text by what follows.
TEST(KernelInfo, ForeignTexts) {
  auto error = [](std::string_view text) { return KernelInfo::deserialize(text).error(); };
  EXPECT_EQ(error(""), "kernel description does not start with 'tile-kernel-info 3'");
  EXPECT_EQ(error("tile-kernel-info 2\n"), "kernel description does not start with 'tile-kernel-info 3'");
  EXPECT_EQ(error("tile-kernel-info 3\nkernel \"f\" 1 0 1\nsymbols 999999999999\n"), "kernel description is damaged");
  EXPECT_EQ(error("tile-kernel-info 3\n"), "kernel description is damaged");
}

static KernelInfo small() {
  KernelInfo info;
  info.name = "f";
  info.threads = 128;
  info.symbols = {"M"};
  info.arguments = {
      {"A", "f.tile:1:2", ArgumentInfo::Kind::Tensor, ScalarType::F16, {Expr::value(0)}, {}, true, false}};
  info.grid = {Expr::value(0)};
  info.blockOrder = {0};
  info.variants = {{"f", 0, 0, 0, false, {Requirement::pointerMultiple(0, 16)}, {Parameter::pointer(0)}}};
  return info;
}

/// The format itself, as a person reads it in a cache entry.
TEST(KernelInfo, TextIsStable) {
  EXPECT_EQ(small().serialize(), "tile-kernel-info 3\n"
                                 "kernel \"f\" 128 0 0\n"
                                 "symbols 1 \"M\"\n"
                                 "arguments 1\n"
                                 "tensor \"A\" \"f.tile:1:2\" f16 1 0 1 [v0] 0\n"
                                 "grid 1 [v0]\n"
                                 "order 1 0\n"
                                 "where 0\n"
                                 "disjoint 0\n"
                                 "variants 1\n"
                                 "variant \"f\" 0 0 0 0\n"
                                 "requirements 1\n"
                                 "pointer_multiple 0 0 [c0] 16\n"
                                 "parameters 1\n"
                                 "pointer 0 0\n"
                                 "end\n");
}

/// A change of any field changes the text, so that a cache key sees it.
TEST(KernelInfo, EveryFieldIsInTheText) {
  std::vector<std::function<void(KernelInfo &)>> changes = {
      [](KernelInfo &i) { i.name = "g"; },
      [](KernelInfo &i) { i.threads = 64; },
      [](KernelInfo &i) { i.minBlocks = 2; },
      [](KernelInfo &i) { i.mostAwaitingBlocks = 7; },
      [](KernelInfo &i) { i.symbols[0] = "N"; },
      [](KernelInfo &i) { i.arguments[0].name = "B"; },
      [](KernelInfo &i) { i.arguments[0].location = ""; },
      [](KernelInfo &i) { i.arguments[0].type = ScalarType::BF16; },
      [](KernelInfo &i) { i.arguments[0].extents.push_back(Expr::constant(3)); },
      [](KernelInfo &i) { i.arguments[0].strides = {1}; },
      [](KernelInfo &i) { i.arguments[0].strides = {std::nullopt}; },
      [](KernelInfo &i) { i.arguments[0].isRead = false; },
      [](KernelInfo &i) { i.arguments[0].isWritten = true; },
      [](KernelInfo &i) { i.grid[0] = Expr::constant(1); },
      [](KernelInfo &i) { i.blockOrder = {1}; },
      [](KernelInfo &i) { i.where.push_back({}); },
      [](KernelInfo &i) { i.disjoint.push_back({0}); },
      [](KernelInfo &i) { i.variants[0].entry = "f2"; },
      [](KernelInfo &i) { i.variants[0].dynamicSharedBytes = 1; },
      [](KernelInfo &i) { i.variants[0].staticSharedBytes = 1; },
      [](KernelInfo &i) { i.variants[0].launchThreads = 1; },
      [](KernelInfo &i) { i.variants[0].foldsGrid = true; },
      [](KernelInfo &i) { i.variants[0].requirements[0].amount = 8; },
      [](KernelInfo &i) { i.variants[0].requirements[0].kind = Requirement::Kind::OffsetLess; },
      [](KernelInfo &i) { i.variants[0].parameters.push_back(Parameter::symbol(0)); },
      [](KernelInfo &i) { i.variants.push_back(i.variants[0]); },
  };
  std::set<std::string> texts = {small().serialize()};
  for (const auto &change : changes) {
    KernelInfo info = small();
    change(info);
    EXPECT_TRUE(texts.insert(info.serialize()).second) << info.serialize();
    EXPECT_NE(info, small());
  }
}

/// Each inconsistency is named.
TEST(KernelInfo, FaultsAreNamed) {
  auto fault = [](auto change) {
    KernelInfo info = small();
    change(info);
    return info.findFault().value_or("none");
  };
  EXPECT_EQ(fault([](KernelInfo &) {}), "none");
  EXPECT_EQ(fault([](KernelInfo &i) { i.name = ""; }), "the kernel has no name");
  EXPECT_EQ(fault([](KernelInfo &i) { i.threads = 0; }), "the block has 0 threads; it needs at least 1");
  EXPECT_EQ(fault([](KernelInfo &i) { i.minBlocks = -1; }), "min_blocks is -1; it must not be negative");
  EXPECT_EQ(fault([](KernelInfo &i) { i.grid.clear(); }), "the grid has 0 axes; it needs 1 to 3");
  EXPECT_EQ(fault([](KernelInfo &i) { i.blockOrder = {1}; }),
            "the block order has 1 axes; it needs each of the 1 grid axes once");
  EXPECT_EQ(fault([](KernelInfo &i) { i.variants.clear(); }), "there is no variant");
  EXPECT_EQ(fault([](KernelInfo &i) { i.grid[0] = Expr::value(1); }),
            "an expression of the grid uses launch value 1; there are 1");
  EXPECT_EQ(fault([](KernelInfo &i) { i.symbols.push_back("N"); }), "no tensor dimension is exactly the symbol 'N'");
  EXPECT_EQ(fault([](KernelInfo &i) { i.arguments[0].strides = {1, 2}; }), "tensor 'A' has 2 strides; its rank is 1");
  EXPECT_EQ(fault([](KernelInfo &i) { i.arguments[0].type = ScalarType::Index; }),
            "tensor 'A' has elements of type index");
  EXPECT_EQ(fault([](KernelInfo &i) { i.disjoint = {{0, 3}}; }),
            "a disjoint group names argument 3, which is no tensor");
  EXPECT_EQ(fault([](KernelInfo &i) { i.variants[0].entry = ""; }), "a variant has no entry");
  EXPECT_EQ(fault([](KernelInfo &i) { i.variants[0].dynamicSharedBytes = -1; }), "variant 'f' has a negative size");
  EXPECT_EQ(fault([](KernelInfo &i) { i.variants[0].requirements[0].amount = 0; }),
            "a requirement of variant 'f' has amount 0; it must be positive");
  EXPECT_EQ(fault([](KernelInfo &i) { i.variants[0].requirements = {Requirement::strideMultiple(0, 1, 4)}; }),
            "variant 'f' names dim 1 of argument 'A' of rank 1");
  EXPECT_EQ(fault([](KernelInfo &i) { i.variants[0].parameters = {Parameter::scalar(0)}; }),
            "variant 'f' passes argument 0 by value, which is no scalar");
  EXPECT_EQ(fault([](KernelInfo &i) { i.variants[0].parameters = {Parameter::symbol(1)}; }),
            "variant 'f' passes symbol 1; there are 1");
  EXPECT_EQ(fault([](KernelInfo &i) { i.variants[0].parameters = {Parameter::gridExtent(1)}; }),
            "variant 'f' passes grid axis 1; there are 1");
  EXPECT_EQ(fault([](KernelInfo &i) { i.variants[0].parameters = {Parameter::extent(0, -1)}; }),
            "variant 'f' names dim -1 of argument 'A' of rank 1");
}
