// HostTest.cpp - emitted text, compiled for this machine, computes what the scalar library says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitterTest.h"
#include "HostShim.h"
#include "ScalarKernel.h"

#include "lib/Target/CUDA/Helpers.h"
#include "tile/Support/Conversion.h"
#include "tile/Support/FloatFormat.h"
#include "tile/Support/Numerics.h"

#include "llvm/Support/FileSystem.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <random>

namespace tile::cuda {

namespace {
/// The buffers of a ScalarKernel, in its order.
struct Buffers {
  std::vector<ScalarType> types = ScalarKernel::bufferTypes();
  std::vector<std::array<uint64_t, 512>> memory = std::vector<std::array<uint64_t, 512>>(types.size());

  void *at(ScalarType type, int slot) {
    ScalarType stored = type == ScalarType::Index ? ScalarType::I64 : type;
    size_t number = static_cast<size_t>(std::ranges::find(types, stored) - types.begin());
    return reinterpret_cast<char *>(memory[number].data()) + slot * byteSize(stored);
  }
  uint64_t read(ScalarType type, int slot) { return loadBits(type, at(type, slot)); }
};

/// A kernel for the host; unloaded at the end.
class HostKernel {
public:
  explicit HostKernel(const std::string &text) {
    llvm::SmallString<128> folder;
    if (llvm::sys::fs::createUniqueDirectory("tile-host-test", folder))
      return;
    std::string source = folder.str().str() + "/k.cpp", library = folder.str().str() + "/k.so";
    std::ofstream(source) << text;
    std::string command =
        std::string(TILE_HOST_CXX) + " -std=c++20 -O1 -w -ffp-contract=off -shared -fPIC -o " + library + " " + source;
    if (std::system(command.c_str()) == 0)
      handle = dlopen(library.c_str(), RTLD_NOW);
    if (handle)
      function = reinterpret_cast<Function>(dlsym(handle, "k"));
    llvm::sys::fs::remove_directories(folder);
  }
  ~HostKernel() {
    if (handle)
      dlclose(handle);
  }
  explicit operator bool() const { return function != nullptr; }

  void run(Buffers &buffers) const {
    auto at = [&](int number) { return static_cast<void *>(buffers.memory[static_cast<size_t>(number)].data()); };
    function(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10));
  }

private:
  using Function = void (*)(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *);
  void *handle = nullptr;
  Function function = nullptr;
};

class HostTest : public EmitterTest, public testing::WithParamInterface<ScalarType> {
protected:
  /// Runs the kernel on many operands and compares every result.
  void check(const ScalarKernel &kernel, int trials);
  void fill(Buffers &buffers, ScalarType type);
  void compare(Buffers &buffers, const ScalarKernel::Result &result);

  std::mt19937_64 random{1};
};
} // namespace

/// Half of the time an edge of the type, else any bits.
static uint64_t anyValue(ScalarType type, std::mt19937_64 &random) {
  std::vector<uint64_t> edges = {0, 1, 2, 7, 31, 32, ~uint64_t(0), lowestInteger(type), highestInteger(type)};
  if (isFloat(type)) {
    FloatFormat format = floatFormat(type);
    for (uint64_t edge : {format.nan(), format.largest(), format.largest() + 1, format.smallestNormal(), format.one(),
                          format.one() + format.smallestNormal(), format.one() - 1, format.smallestNormal() - 1})
      edges.insert(edges.end(), {edge, edge | format.signBit()});
    // Near one: where functions are defined and integers are small.
    edges.push_back(fromDouble(type, static_cast<double>(random() % 4096) / 64 - 32));
    edges.push_back(fromDouble(type, static_cast<double>(random() % 4096) / 4096));
  }
  return wrap(type, random() % 2 ? random() : edges[random() % edges.size()]);
}

void HostTest::fill(Buffers &buffers, ScalarType type) {
  for (ScalarType each : buffers.types)
    for (int slot = 0; slot < kDivisorSlot; ++slot)
      // Any byte but 0 is true.
      storeBits(each, buffers.at(each, slot), each == ScalarType::I1 ? random() % 3 * 127 : anyValue(each, random));
  if (isFloat(type))
    return;
  // Most powers of two, as shift amounts and divisors, would rarely be drawn.
  uint64_t divisor = random() % 2 ? anyValue(type, random) : random() % 16;
  uint64_t dividend = buffers.read(type, 0);
  if (!evaluate(BinaryOp::DivSI, type, dividend, wrap(type, divisor)))
    divisor = 1;
  storeBits(type, buffers.at(type, kDivisorSlot), wrap(type, divisor));
}

/// What the scalar library computes, or nothing where the operands are a fault.
static std::optional<uint64_t> expected(Buffers &buffers, const ScalarKernel::Result &result) {
  ScalarType type = result.type;
  uint64_t x = buffers.read(type, 0), y = buffers.read(type, 1), z = buffers.read(type, 2);
  if (!result.info)
    return convert(type, result.result, x);
  switch (result.info->kind) {
  case OpKind::Unary:
    return evaluate(static_cast<UnaryOp>(result.info->code), type, x);
  case OpKind::Binary: {
    auto op = static_cast<BinaryOp>(result.info->code);
    if (op == BinaryOp::FPowI)
      y = buffers.read(ScalarType::I32, 1);
    bool isDivision = op >= BinaryOp::DivSI && op <= BinaryOp::RemUI;
    return evaluate(op, type, x, isDivision ? buffers.read(type, kDivisorSlot) : y);
  }
  case OpKind::Ternary: {
    auto op = static_cast<TernaryOp>(result.info->code);
    return evaluate(op, type, op == TernaryOp::Select ? buffers.read(ScalarType::I1, 0) : x, y, z);
  }
  case OpKind::Cast:
    return evaluate(static_cast<CastOp>(result.info->code), type, result.result, x);
  default: {
    int first = static_cast<int>(result.info->kind == OpKind::CompareF ? CompareOp::FFalse : CompareOp::Eq);
    return evaluate(static_cast<CompareOp>(first + result.predicate), type, x, y);
  }
  }
}

/// Functions that round more than once; the device has its own tolerance for them.
static bool isTranscendental(const ScalarOpInfo &info) {
  if (info.kind == OpKind::Unary)
    return static_cast<UnaryOp>(info.code) >= UnaryOp::Rsqrt && static_cast<UnaryOp>(info.code) <= UnaryOp::Erfc;
  auto op = static_cast<BinaryOp>(info.code);
  return info.kind == OpKind::Binary && (op == BinaryOp::Atan2 || op == BinaryOp::PowF || op == BinaryOp::FPowI);
}

void HostTest::compare(Buffers &buffers, const ScalarKernel::Result &result) {
  bool isNarrow = result.type == ScalarType::F16 || result.type == ScalarType::BF16;
  bool isFma = result.info && result.info->kind == OpKind::Ternary &&
               static_cast<TernaryOp>(result.info->code) == TernaryOp::Fma;
  std::optional<uint64_t> want = expected(buffers, result);
  if (!want || (isFma && isNarrow))
    return;
  uint64_t got = buffers.read(result.result, result.slot);
  if (isFloat(result.result)) {
    FloatFormat format = floatFormat(result.result);
    if (format.isNan(got) && format.isNan(*want))
      return;
    uint64_t distance = got > *want ? got - *want : *want - got;
    if (result.info && isTranscendental(*result.info) && distance <= 4)
      return;
  }
  EXPECT_EQ(got, *want) << (result.info ? std::string(result.info->name) : "simt.convert") << " " << result.predicate
                        << " from " << spelled(result.type) << " to " << spelled(result.result) << " of " << std::hex
                        << buffers.read(result.type, 0) << ", " << buffers.read(result.type, 1) << ", "
                        << buffers.read(result.type, 2);
}

void HostTest::check(const ScalarKernel &kernel, int trials) {
  std::string text = emit(kernel.module(32));
  // Helpers that are PTX stand in the shim.
  for (const Helper &helper : helpers()) {
    if (!helper.text.contains("asm(") || helper.text.contains("__CUDA_ARCH__"))
      continue;
    llvm::SetVector<llvm::StringRef> one;
    one.insert(helper.name);
    std::string all = defineHelpers(one), own = all.substr(all.rfind("__device__"));
    if (size_t at = text.find(own); at != std::string::npos)
      text.erase(at, own.size());
  }
  HostKernel host(kHostShim + text);
  ASSERT_TRUE(host) << text;
  Buffers buffers;
  for (int trial = 0; trial < trials && !HasFailure(); ++trial) {
    fill(buffers, GetParam());
    host.run(buffers);
    for (const ScalarKernel::Result &result : kernel.results())
      compare(buffers, result);
  }
}

// Every operation of the table on the type, on edges and random operands.
TEST_P(HostTest, OperationsComputeWhatTheTableSays) {
  ScalarKernel kernel;
  for (const ScalarOpInfo &info : scalarOps())
    if (info.types.contains(GetParam()))
      kernel.addOperation(info, GetParam());
  check(kernel, 5000);
}

// Conversions to every type.
TEST_P(HostTest, ConversionsFollowTheTable) {
  ScalarKernel kernel;
  kernel.addConversions(GetParam());
  check(kernel, 50000);
}

INSTANTIATE_TEST_SUITE_P(Types, HostTest, testing::ValuesIn(kTypes),
                         [](const auto &info) { return spelled(info.param); });

} // namespace tile::cuda
