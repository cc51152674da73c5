// SpeedTest.cpp - the interpreter is slow, but not silly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Interpreter/Fixture.h"

#include <chrono>

using namespace tile;

/// A million scalar operations on points take well under a second, so that odd sizes can be swept.
TEST_F(InterpreterTest, RunsMillionsOfScalarOperationsASecond) {
  HostTensor x = tensorOf(ScalarType::F32, {1000, 64}, [](int64_t i) { return i % 97; });
  HostTensor y = HostTensor::contiguous(ScalarType::F32, {1000, 64});
  std::string text = R"(
tile.kernel @f(%x: memref<1000x64xf32>, %y: memref<1000x64xf32>) grid(%b) in (1) threads(128) {
  tile.parallel (%i, %j) in (1000, 64) {
    %v = tile.load %x[%i, %j] : memref<1000x64xf32>
    %a = arith.addf %v, %v : f32
    %c = arith.mulf %a, %v : f32
    %d = arith.subf %c, %v : f32
    %e = arith.addf %d, %a : f32
    tile.store %e, %y[%i, %j] : memref<1000x64xf32>
  }
})";
  auto begin = std::chrono::steady_clock::now();
  runWell(text, {}, {x, y});
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  RecordProperty("opsPerSecond", std::to_string(6 * 64000 / seconds.count()));
  EXPECT_LT(seconds.count(), 1.0);
  EXPECT_EQ(y.load(5), fromDouble(ScalarType::F32, 2 * 5 * 5 - 5 + 10));
}
