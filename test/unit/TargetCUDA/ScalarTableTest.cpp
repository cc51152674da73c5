// ScalarTableTest.cpp - every operation of the support table on every type has text that NVRTC takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitterTest.h"
#include "ScalarKernel.h"

namespace tile::cuda {

class ScalarTableTest : public EmitterTest, public testing::WithParamInterface<ScalarType> {};

// Each operation that the table lists for a type is emitted and compiled, with and without the approximations.
TEST_P(ScalarTableTest, EveryOperationCompiles) {
  ScalarKernel kernel;
  for (const ScalarOpInfo &info : scalarOps()) {
    if (!info.types.contains(GetParam()))
      continue;
    kernel.addOperation(info, GetParam());
    bool isClass = info.name.starts_with("math.is");
    if (isFloat(GetParam()) && (info.kind == OpKind::Unary || info.kind == OpKind::Binary) && !isClass)
      for (const char *flags : {" fastmath<afn>", " fastmath<arcp>"})
        kernel.addOperation(info, GetParam(), flags);
  }
  EXPECT_GE(kernel.results().size(), 3u);
  std::string text = emit(kernel.module(32));
  EXPECT_EQ(text.find("#include"), std::string::npos);
}

// `simt.convert` goes from each type to each other.
TEST_P(ScalarTableTest, ConvertsToEveryType) {
  ScalarKernel kernel;
  kernel.addConversions(GetParam());
  emit(kernel.module(32));
}

// Shuffles of the type compile in every mode, with all lanes and with a partial last warp.
TEST_P(ScalarTableTest, ShufflesInEveryMode) {
  ScalarKernel kernel;
  kernel.addShuffles(GetParam());
  for (int threads : {1, 32, 48})
    emit(kernel.module(threads));
}

INSTANTIATE_TEST_SUITE_P(Types, ScalarTableTest, testing::ValuesIn(kTypes),
                         [](const auto &info) { return spelled(info.param); });

} // namespace tile::cuda
