// ToolkitTest.cpp - from text to a compiled kernel: the cache in use, the choice of a candidate, and the driver.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Toolkit.h"

#include "NvrtcFixture.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <thread>

using namespace tile;
using namespace tile::runtime;

namespace {
/// NVRTC as found, and a cache folder of its own.
class ToolkitTest : public NvrtcTest {
protected:
  void SetUp() override {
    NvrtcTest::SetUp();
    paths = searchPathsFromEnvironment();
    paths.cacheFolder = folder.path() + "/cache";
    options.arch = "sm_90a";
  }

  ScratchFolder folder;
  SearchPaths paths;
  CompileOptions options;
};
} // namespace

/// The first compilation fills the cache; another toolkit finds the same kernel there.
TEST_F(ToolkitTest, SecondCompilationIsFromTheCache) {
  Result<CompiledKernel> first = Toolkit(paths).compile({addOneText(), addOneInfo()}, options);
  ASSERT_TRUE(first) << first.error();
  EXPECT_FALSE(first->isFromCache);
  EXPECT_EQ(first->cacheNote, "");
  Result<CompiledKernel> second = Toolkit(paths).compile({addOneText(), addOneInfo()}, options);
  ASSERT_TRUE(second) << second.error();
  EXPECT_TRUE(second->isFromCache);
  EXPECT_EQ(second->cubin, first->cubin);
  EXPECT_EQ(second->info, addOneInfo());
  EXPECT_EQ(second->facts, first->facts);
  EXPECT_EQ(second->arch, "sm_90a");
  EXPECT_EQ(second->nvrtcVersion, nvrtc->version());
}

/// An edit of text, description, option or architecture never returns the old kernel.
TEST_F(ToolkitTest, AnyChangeIsAMiss) {
  Toolkit toolkit(paths);
  auto isHit = [&](const std::string &text, const KernelInfo &info, const CompileOptions &with) {
    Result<CompiledKernel> kernel = toolkit.compile({text, info}, with);
    EXPECT_TRUE(kernel) << kernel.error();
    return kernel && kernel->isFromCache;
  };
  EXPECT_FALSE(isHit(addOneText(), addOneInfo(), options));
  EXPECT_TRUE(isHit(addOneText(), addOneInfo(), options));
  EXPECT_FALSE(isHit(addOneText() + "// edited\n", addOneInfo(), options));
  KernelInfo info = addOneInfo();
  info.variants[0].dynamicSharedBytes = 16;
  EXPECT_FALSE(isHit(addOneText(), info, options));
  CompileOptions other = options;
  other.extra = {"-lineinfo"};
  EXPECT_FALSE(isHit(addOneText(), addOneInfo(), other));
  other = options;
  other.arch = "sm_80";
  EXPECT_FALSE(isHit(addOneText(), addOneInfo(), other));
  EXPECT_TRUE(isHit(addOneText(), addOneInfo(), options));
}

/// A damaged entry is compiled anew and replaced.
TEST_F(ToolkitTest, DamagedEntryIsRecompiled) {
  ASSERT_TRUE(Toolkit(paths).compile({addOneText(), addOneInfo()}, options));
  for (const auto &entry : std::filesystem::directory_iterator(paths.cacheFolder))
    std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) / 2);
  EXPECT_FALSE(Toolkit(paths).compile({addOneText(), addOneInfo()}, options)->isFromCache);
  EXPECT_TRUE(Toolkit(paths).compile({addOneText(), addOneInfo()}, options)->isFromCache);
}

/// A cache that cannot be written is said once a toolkit, and nothing fails.
TEST_F(ToolkitTest, UnwritableCacheIsSaidOnce) {
  paths.cacheFolder = "/proc/self/no-such-folder";
  Toolkit toolkit(paths);
  Result<CompiledKernel> first = toolkit.compile({addOneText(), addOneInfo()}, options);
  ASSERT_TRUE(first) << first.error();
  EXPECT_TRUE(contains(first->cacheNote, "kernel cache: folder /proc/self/no-such-folder cannot be made"));
  Result<CompiledKernel> second = toolkit.compile({addOneText(), addOneInfo()}, options);
  ASSERT_TRUE(second) << second.error();
  EXPECT_EQ(second->cacheNote, "");
}

/// A candidate that spills is passed over for one that does not; the cache remembers which and why.
TEST_F(ToolkitTest, CleanCandidateIsTaken) {
  options.extra = {"-maxrregcount=32"};
  KernelInfo careful = addOneInfo();
  careful.minBlocks = 1;
  std::vector<Candidate> candidates = {
      {spillingText(), addOneInfo()}, {addOneText(), careful}, {"not compiled", careful}};
  for (bool isSecond : {false, true}) {
    Result<CompiledKernel> kernel = Toolkit(paths).compile(candidates, options);
    ASSERT_TRUE(kernel) << kernel.error();
    EXPECT_EQ(kernel->isFromCache, isSecond);
    EXPECT_EQ(kernel->candidate, 1);
    EXPECT_EQ(kernel->info, careful);
    ASSERT_EQ(kernel->rejected.size(), 1u);
    EXPECT_TRUE(contains(kernel->rejected[0], "candidate 0 spills "));
  }
}

/// Where every candidate spills, the first with the fewest bytes is taken.
TEST_F(ToolkitTest, LeastSpillsWhereAllSpill) {
  options.extra = {"-maxrregcount=32"};
  auto sized = [](const std::string &registers) {
    std::string text = spillingText();
    for (size_t at = text.find("96"); at != std::string::npos; at = text.find("96", at))
      text.replace(at, 2, registers);
    return text;
  };
  std::vector<Candidate> candidates;
  std::vector<int64_t> spills;
  for (const char *registers : {"200", "300", "180", "180", "220"}) {
    candidates.push_back({sized(registers), addOneInfo()});
    Result<CompileOutput> output = nvrtc->compile(candidates.back().text, options);
    ASSERT_TRUE(output) << output.error();
    spills.push_back(output->facts.spillBytes());
  }
  auto least = std::ranges::min_element(spills);
  ASSERT_GT(*least, 0);
  ASSERT_GT(std::ranges::max(spills), *least);
  Result<CompiledKernel> kernel = Toolkit(paths).compile(candidates, options);
  ASSERT_TRUE(kernel) << kernel.error();
  EXPECT_EQ(kernel->candidate, least - spills.begin());
  EXPECT_EQ(kernel->facts.spillBytes(), *least);
}

/// Each kind of failure says whose fault it is.
TEST_F(ToolkitTest, KindsOfFailure) {
  Toolkit toolkit(paths);
  Result<CompiledKernel> kernel = toolkit.compile({"nonsense", addOneInfo()}, options);
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.fault().kind, ErrorKind::Internal);
  EXPECT_TRUE(kernel.error().starts_with("kernel 'add_one': nvrtcCompileProgram returned"));
  options.arch = "sm_1";
  EXPECT_EQ(toolkit.compile({addOneText(), addOneInfo()}, options).fault().kind, ErrorKind::Environment);
  options.arch = "sm_90a";
  KernelInfo broken = addOneInfo();
  broken.variants[0].parameters.push_back(Parameter::symbol(7));
  EXPECT_EQ(toolkit.compile({addOneText(), broken}, options).fault().kind, ErrorKind::Internal);
  EXPECT_EQ(toolkit.compile(std::span<const Candidate>(), options).fault().kind, ErrorKind::Internal);
  paths.nvrtcOverride = folder.path();
  EXPECT_EQ(Toolkit(paths).compile({addOneText(), addOneInfo()}, options).fault().kind, ErrorKind::Environment);
}

/// One toolkit serves many threads.
TEST_F(ToolkitTest, FromManyThreads) {
  Toolkit toolkit(paths);
  std::vector<std::string> cubins(6);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < cubins.size(); ++i)
    threads.emplace_back([&, i] {
      if (Result<CompiledKernel> kernel = toolkit.compile({addOneText(), addOneInfo()}, options))
        cubins[i] = kernel->cubin;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(cubins[0].empty());
  for (const std::string &cubin : cubins)
    EXPECT_EQ(cubin, cubins[0]);
}
