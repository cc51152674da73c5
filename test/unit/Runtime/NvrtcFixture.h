// NvrtcFixture.h - NVRTC for the tests that need it, and a folder that cleans up after itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_UNIT_RUNTIME_NVRTCFIXTURE_H
#define TEST_UNIT_RUNTIME_NVRTCFIXTURE_H

#include "tile/Runtime/Nvrtc.h"
#include "tile/Runtime/Toolkit.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace tile::runtime {

/// Whether `part` stands in `text`; a failure prints both.
inline testing::AssertionResult contains(const std::string &text, const std::string &part) {
  if (text.find(part) != std::string::npos)
    return testing::AssertionSuccess() << "'" << part << "' stands in: " << text;
  return testing::AssertionFailure() << "'" << part << "' does not stand in: " << text;
}

/// A folder of its own, removed with the object.
class ScratchFolder {
public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tile-runtime-XXXXXX").string();
    folder = ::mkdtemp(pattern.data()) ? pattern : "";
  }
  ~ScratchFolder() {
    std::error_code error;
    std::filesystem::remove_all(folder, error);
  }
  const std::string &path() const { return folder; }

private:
  std::string folder;
};

/// Tests that compile for real. Without NVRTC they fail, unless TILE_ALLOW_NO_NVRTC says that there is none to be had.
class NvrtcTest : public testing::Test {
protected:
  void SetUp() override {
    Result<std::shared_ptr<const Nvrtc>> opened = Nvrtc::open(searchPathsFromEnvironment());
    if (opened) {
      nvrtc = *opened;
      return;
    }
    if (std::getenv("TILE_ALLOW_NO_NVRTC"))
      GTEST_SKIP() << "SKIPPED: " << opened.error();
    FAIL() << opened.error();
  }

  std::shared_ptr<const Nvrtc> nvrtc;
};

/// `y = x + 1` over n floats, one element a thread.
inline std::string addOneText(const std::string &entry = "add_one") {
  return "extern \"C\" __global__ void __launch_bounds__(128) " + entry +
         "(const float *x, float *y, long long n) {\n"
         "  long long i = blockIdx.x * 128LL + threadIdx.x;\n"
         "  if (i < n)\n"
         "    y[i] = x[i] + 1.0f;\n"
         "}\n";
}

/// What `addOneText` needs at a launch: f[n](x[n], y[n]), blocks of 128.
inline KernelInfo addOneInfo(const std::string &entry = "add_one") {
  KernelInfo info;
  info.name = "add_one";
  info.threads = 128;
  info.symbols = {"n"};
  info.arguments = {
      {"x", "a.tile:1:1", ArgumentInfo::Kind::Tensor, ScalarType::F32, {Expr::value(0)}, {}, true, false},
      {"y", "a.tile:1:9", ArgumentInfo::Kind::Tensor, ScalarType::F32, {Expr::value(0)}, {}, false, true}};
  info.grid = {Expr::ceilDiv(Expr::value(0), Expr::constant(128))};
  info.blockOrder = {0};
  info.variants = {{entry, 0, 0, 0, false, {}, {Parameter::pointer(0), Parameter::pointer(1), Parameter::symbol(0)}}};
  return info;
}

/// The same with an array that `-maxrregcount=32` forces into local memory: right, but it spills.
inline std::string spillingText() {
  return "extern \"C\" __global__ void add_one(const float *x, float *y, long long n) {\n"
         "  __shared__ float staged[100];\n"
         "  float r[96];\n"
         "#pragma unroll\n"
         "  for (int i = 0; i < 96; ++i)\n"
         "    r[i] = x[i * 128 + threadIdx.x];\n"
         "  staged[threadIdx.x % 100] = r[0];\n"
         "  __syncthreads();\n"
         "#pragma unroll\n"
         "  for (int i = 0; i < 96; ++i)\n"
         "    y[i * 128 + threadIdx.x] = r[95 - i] * r[i] + staged[i];\n"
         "}\n";
}

} // namespace tile::runtime

#endif // TEST_UNIT_RUNTIME_NVRTCFIXTURE_H
