// NvrtcTest.cpp - compiles for real, reads the log, and words each failure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvrtcFixture.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

using namespace tile;
using namespace tile::runtime;

static CompileOptions optionsFor(std::string arch) {
  CompileOptions options;
  options.arch = std::move(arch);
  return options;
}

static std::string contentsOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// A small text becomes an ELF image, with the registers of its entry in the log.
TEST_F(NvrtcTest, CompilesToCubin) {
  Result<CompileOutput> output = nvrtc->compile(addOneText(), optionsFor("sm_90a"));
  ASSERT_TRUE(output) << output.error();
  EXPECT_TRUE(output->image.starts_with("\x7f"
                                        "ELF"));
  const KernelResources *resources = output->facts.find("add_one");
  ASSERT_NE(resources, nullptr) << output->log;
  EXPECT_GE(resources->registers, 4);
  EXPECT_LE(resources->registers, 32);
  EXPECT_EQ(output->facts.spillBytes(), 0);
  EXPECT_TRUE(output->facts.notices.empty());
}

/// PTX on request, for the architecture asked.
TEST_F(NvrtcTest, CompilesToPtx) {
  CompileOptions options = optionsFor("sm_90a");
  options.wantPtx = true;
  Result<CompileOutput> output = nvrtc->compile(addOneText(), options);
  ASSERT_TRUE(output) << output.error();
  EXPECT_TRUE(contains(output->image, ".target sm_90a"));
  EXPECT_TRUE(contains(output->image, ".entry add_one"));
}

/// A multiply and an add stay two operations: contraction is off, said outright.
TEST_F(NvrtcTest, NoContraction) {
  CompileOptions options = optionsFor("sm_90a");
  options.wantPtx = true;
  std::string text = "extern \"C\" __global__ void f(float *x) { x[0] = x[1] * x[2] + x[3]; }";
  Result<CompileOutput> output = nvrtc->compile(text, options);
  ASSERT_TRUE(output) << output.error();
  EXPECT_FALSE(contains(output->image, "fma.rn"));
  options.extra = {"--fmad=true"};
  output = nvrtc->compile(text, options);
  ASSERT_TRUE(output) << output.error();
  EXPECT_TRUE(contains(output->image, "fma.rn")) << "the user's options come last and win";
}

/// Spills, stack and shared bytes are read from the log of a kernel that has them.
TEST_F(NvrtcTest, LogOfSpillingKernel) {
  CompileOptions options = optionsFor("sm_90a");
  options.extra = {"-maxrregcount=32"};
  Result<CompileOutput> output = nvrtc->compile(spillingText(), options);
  ASSERT_TRUE(output) << output.error();
  const KernelResources *resources = output->facts.find("add_one");
  ASSERT_NE(resources, nullptr) << output->log;
  EXPECT_EQ(resources->registers, 32) << output->log;
  EXPECT_EQ(resources->staticSharedBytes, 400) << output->log;
  EXPECT_GT(resources->spillStoreBytes, 0) << output->log;
  EXPECT_GT(resources->spillLoadBytes, 0) << output->log;
  EXPECT_GT(resources->stackBytes, 0) << output->log;
}

/// Two entries in one text have figures each.
TEST_F(NvrtcTest, FiguresOfEachEntry) {
  std::string text = addOneText("one") + addOneText("two");
  Result<CompileOutput> output = nvrtc->compile(text, optionsFor("sm_80"));
  ASSERT_TRUE(output) << output.error();
  EXPECT_EQ(output->facts.resources.size(), 2u) << output->log;
  EXPECT_NE(output->facts.find("one"), nullptr);
  EXPECT_NE(output->facts.find("two"), nullptr);
  EXPECT_EQ(output->facts.find("three"), nullptr);
}

/// ptxas says C7508 for a register request that it ignores, though the compilation succeeds.
TEST_F(NvrtcTest, NoticeOfIgnoredInstruction) {
  std::string text = "extern \"C\" __global__ void f(int *x) {\n"
                     "  asm volatile(\"setmaxnreg.dec.sync.aligned.u32 40;\");\n"
                     "  x[threadIdx.x] = 1;\n"
                     "}\n";
  Result<CompileOutput> output = nvrtc->compile(text, optionsFor("sm_90a"));
  ASSERT_TRUE(output) << output.error();
  ASSERT_EQ(output->facts.notices.size(), 1u) << output->log;
  EXPECT_TRUE(contains(output->facts.notices[0], "C7508"));
}

/// Architectures NVRTC does not know: an environment error with the list of those it knows.
TEST_F(NvrtcTest, UnknownArchitecture) {
  EXPECT_EQ(std::ranges::count(nvrtc->supportedArchs(), 90), 1);
  for (const char *arch : {"sm_91", "sm_20", "sm_90x", "sm_80a", "compute_90", "sm_", "", "90", "sm_-90"}) {
    Result<CompileOutput> output = nvrtc->compile(addOneText(), optionsFor(arch));
    ASSERT_FALSE(output) << arch;
    EXPECT_EQ(output.fault().kind, ErrorKind::Environment);
    EXPECT_TRUE(contains(output.error(),
                         "architecture '" + std::string(arch) + "' is unknown to NVRTC " + nvrtc->version() + " ("));
    EXPECT_TRUE(contains(output.error(), "sm_80, "));
  }
}

/// Text that is no CUDA is our own bug: the log is in the message, and the text where it says.
TEST_F(NvrtcTest, BadTextIsOurBug) {
  ScratchFolder folder;
  CompileOptions options = optionsFor("sm_90a");
  options.reproducer = folder.path() + "/bad.cu";
  Result<CompileOutput> output = nvrtc->compile("__global__ void f() { undeclared = 1; }\n", options);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.fault().kind, ErrorKind::Internal);
  EXPECT_TRUE(contains(output.error(), "nvrtcCompileProgram returned NVRTC_ERROR_COMPILATION (6)"));
  EXPECT_TRUE(contains(output.error(), "identifier \"undeclared\" is undefined"));
  EXPECT_TRUE(contains(output.error(), "the text was saved as " + options.reproducer));
  EXPECT_EQ(contentsOf(options.reproducer), "__global__ void f() { undeclared = 1; }\n");
}

/// After success no reproducer is left.
TEST_F(NvrtcTest, ReproducerGoesAfterSuccess) {
  ScratchFolder folder;
  CompileOptions options = optionsFor("sm_90a");
  options.reproducer = folder.path() + "/good.cu";
  Result<CompileOutput> output = nvrtc->compile(addOneText(), options);
  ASSERT_TRUE(output) << output.error();
  EXPECT_FALSE(std::filesystem::exists(options.reproducer));
}

/// An option of the user's that NVRTC does not know is the user's error.
TEST_F(NvrtcTest, UnknownOption) {
  CompileOptions options = optionsFor("sm_90a");
  options.extra = {"--no-such-option"};
  Result<CompileOutput> output = nvrtc->compile(addOneText(), options);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.fault().kind, ErrorKind::Refused);
  EXPECT_TRUE(contains(output.error(), "--no-such-option"));
}

/// Our options are these, in this order, and the user's follow unchanged.
TEST(NvrtcOptions, AreExplicit) {
  CompileOptions options = optionsFor("sm_90a");
  options.extra = {"-lineinfo", "-I/some folder"};
  EXPECT_EQ(nvrtcOptions(options),
            (std::vector<std::string>{"-arch=sm_90a", "--std=c++17", "--fmad=false", "--device-int128", "-Xptxas=-v",
                                      "-lineinfo", "-I/some folder"}));
}

/// Threads compile side by side and get the same cubins as one after the other.
TEST_F(NvrtcTest, FromManyThreads) {
  std::vector<std::string> images(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < images.size(); ++i)
    threads.emplace_back([&, i] {
      if (Result<CompileOutput> output = nvrtc->compile(addOneText(), optionsFor("sm_90a")))
        images[i] = output->image;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(images[0].empty());
  for (const std::string &image : images)
    EXPECT_EQ(image, images[0]);
}

/// An override that holds no NVRTC: nothing else is tried, and the error lists what was.
TEST(NvrtcSearch, EmptyOverrideFolder) {
  ScratchFolder folder;
  SearchPaths paths = searchPathsFromEnvironment();
  paths.nvrtcOverride = folder.path();
  Result<std::shared_ptr<const Nvrtc>> opened = Nvrtc::open(paths);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.fault().kind, ErrorKind::Environment);
  EXPECT_EQ(opened.error(), "no usable NVRTC found; looked for libnvrtc.so.13, libnvrtc.so.12, libnvrtc.so in: " +
                                folder.path() + "/lib64, " + folder.path() + "/lib, " + folder.path());
}

/// A file that is no library, and a library that is not NVRTC, are named with the reason, and the search goes on.
TEST(NvrtcSearch, UnfitFiles) {
  ScratchFolder folder;
  std::ofstream(folder.path() + "/libnvrtc.so.13") << "not a library";
  SearchPaths paths;
  paths.nvrtcOverride = folder.path();
  Result<std::shared_ptr<const Nvrtc>> opened = Nvrtc::open(paths);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(contains(opened.error(), folder.path() + "/libnvrtc.so.13 cannot be opened: "));
  paths.nvrtcOverride = "libdl.so.2";
  paths.useSystem = false;
  EXPECT_FALSE(Nvrtc::open(paths));
}

/// The order: toolkit folders, system prefixes, the loader's path, pip folders.
TEST(NvrtcSearch, OrderOfFolders) {
  SearchPaths paths;
  paths.toolkitRoots = {"/chosen"};
  paths.packageFolders = {"/packages"};
  std::vector<std::string> folders = nvrtcFolders(paths);
  auto place = [&](const std::string &folder) { return std::ranges::find(folders, folder) - folders.begin(); };
  EXPECT_EQ(place("/chosen/lib64"), 0);
  EXPECT_LT(place("/chosen"), place("/usr/local/cuda/lib64"));
  EXPECT_LT(place("/usr/local/cuda/lib64"), place("/opt/cuda/lib64"));
  EXPECT_LT(place("/opt/cuda/lib64"), place(""));
  EXPECT_LT(place(""), place("/packages/nvidia/cu13/lib"));
  EXPECT_LT(place("/packages/nvidia/cu13/lib"), place("/packages/nvidia/cuda_nvrtc/lib"));
  EXPECT_LT(place("/packages/nvidia/cuda_nvrtc/lib"), place("/packages"));
  EXPECT_EQ(place("/packages"), static_cast<std::ptrdiff_t>(folders.size()) - 1);
}

/// A library in each kind of folder is found: toolkit, target, wheel, flat, the file itself.
TEST_F(NvrtcTest, FoundInEachKindOfFolder) {
  for (const char *inside :
       {"lib64", "lib", "targets/x86_64-linux/lib", "nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib", "."}) {
    ScratchFolder folder;
    std::string lib = folder.path() + "/" + inside;
    std::filesystem::create_directories(lib);
    std::filesystem::create_symlink(nvrtc->path(), lib + "/libnvrtc.so.12");
    SearchPaths paths;
    paths.useSystem = false;
    bool isWheel = std::string(inside).starts_with("nvidia");
    (isWheel ? paths.packageFolders : paths.toolkitRoots) = {folder.path()};
    Result<std::shared_ptr<const Nvrtc>> opened = Nvrtc::open(paths);
    ASSERT_TRUE(opened) << inside << ": " << opened.error();
    EXPECT_EQ((*opened)->version(), nvrtc->version());
  }
  SearchPaths paths;
  paths.nvrtcOverride = nvrtc->path();
  EXPECT_TRUE(Nvrtc::open(paths));
}

/// A log by hand: every figure, an entry without figures, a device function that is no entry, unknown lines.
TEST(NvrtcLog, AllFigures) {
  LogFacts facts =
      parseLog("ptxas info    : 0 bytes gmem\n"
               "ptxas info    : Compiling entry function 'a' for 'sm_90a'\n"
               "ptxas info    : Function properties for a\n"
               "    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads\n"
               "ptxas info    : Used 40 registers, used 1 barriers, 16 bytes cumulative stack size, 400 bytes smem\n"
               "something new\n"
               "ptxas info    : Function properties for helper\n"
               "    99 bytes stack frame, 98 bytes spill stores, 97 bytes spill loads\n"
               "ptxas info    : (C7511) Potential Performance Loss: wgmma serialized in 'b'\n"
               "a note about XC7511 and C75111\n"
               "ptxas info    : Compiling entry function 'b' for 'sm_90a'");
  EXPECT_EQ(facts.resources, (std::vector<KernelResources>{{"a", 40, 16, 24, 32, 400}, {"b", 0, 0, 0, 0, 0}}));
  EXPECT_EQ(facts.spillBytes(), 56);
  ASSERT_EQ(facts.notices.size(), 1u);
  EXPECT_TRUE(contains(facts.notices[0], "(C7511)"));
}
