// DeviceTest.cpp - the driver where there is one, and what is said where there is none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvrtcFixture.h"
#include "lib/Runtime/DriverApi.h"

#include <cstring>
#include <gtest/gtest.h>
#include <thread>

using namespace tile;
using namespace tile::runtime;

/// A folder without a driver: an environment error that says which file was looked for.
TEST(Driver, MissingLibrary) {
  ScratchFolder folder;
  SearchPaths paths;
  paths.driverOverride = folder.path();
  Result<std::shared_ptr<const Driver>> driver = Driver::open(paths);
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.fault().kind, ErrorKind::Environment);
  EXPECT_TRUE(contains(driver.error(), "no CUDA driver: looked for " + folder.path() + "/libcuda.so.1: "));
}

/// A library that is no driver is named with the first function it lacks.
TEST(Driver, ForeignLibrary) {
  SearchPaths paths;
  paths.driverOverride = "libm.so.6";
  Result<std::shared_ptr<const Driver>> driver = Driver::open(paths);
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.fault().kind, ErrorKind::Environment);
  EXPECT_EQ(driver.error(), "CUDA driver libm.so.6 lacks cuInit; needed is CUDA 12.0 or newer");
}

/// The architecture named for a device, with the features of exactly this one where there are such.
TEST(Driver, ArchitectureNames) {
  auto arch = [](int major, int minor) {
    DeviceProperties properties;
    properties.major = major;
    properties.minor = minor;
    return properties.arch();
  };
  EXPECT_EQ(arch(8, 0), "sm_80");
  EXPECT_EQ(arch(8, 9), "sm_89");
  EXPECT_EQ(arch(9, 0), "sm_90a");
  EXPECT_EQ(arch(10, 0), "sm_100a");
  EXPECT_EQ(arch(12, 0), "sm_120a");
}

/// The folder of this program, where the fake driver lies too.
static std::string programFolder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
}

static SearchPaths searchPaths(bool isFake) {
  SearchPaths paths = searchPathsFromEnvironment();
  paths.cacheFolder.clear();
  if (isFake)
    paths.driverOverride = programFolder() + "/fake-driver";
  return paths;
}

namespace {
/// Device 0 of the fake driver, which is everywhere, and of the real one. Where there is no real driver the reason is
/// checked instead, and the test ends.
class DeviceTest : public NvrtcTest, public testing::WithParamInterface<bool> {
protected:
  void SetUp() override {
    NvrtcTest::SetUp();
    if (!nvrtc)
      return;
    Result<std::shared_ptr<const Driver>> driver = toolkit.driver();
    if (!driver) {
      EXPECT_FALSE(GetParam()) << driver.error();
      EXPECT_EQ(driver.fault().kind, ErrorKind::Environment);
      EXPECT_TRUE(contains(driver.error(), "libcuda.so.1"));
      return;
    }
    Result<std::shared_ptr<const Device>> opened = (*driver)->device(0);
    ASSERT_TRUE(opened) << opened.error();
    device = *opened;
    EXPECT_EQ((*driver)->device((*driver)->deviceCount()).fault().kind, ErrorKind::Environment);
  }

  std::shared_ptr<const Kernel> load(const std::string &text, const KernelInfo &info) {
    CompileOptions options;
    options.arch = device->properties().arch();
    Result<CompiledKernel> compiled = toolkit.compile({text, info}, options);
    EXPECT_TRUE(compiled) << compiled.error();
    if (!compiled)
      return nullptr;
    Result<std::shared_ptr<const Kernel>> kernel = Kernel::load(device, *compiled);
    EXPECT_TRUE(kernel) << kernel.error();
    return kernel ? *kernel : nullptr;
  }

  DeviceMemory upload(const std::vector<float> &values) {
    int64_t bytes = static_cast<int64_t>(values.size() * sizeof(float));
    Result<DeviceMemory> memory = device->allocate(bytes);
    EXPECT_TRUE(memory) << memory.error();
    Status copied = device->copyToDevice(memory->pointer(), values.data(), bytes);
    EXPECT_TRUE(copied) << copied.error();
    return std::move(*memory);
  }

  std::vector<float> download(const DeviceMemory &memory) {
    std::vector<float> values(static_cast<size_t>(memory.size()) / sizeof(float));
    Status copied = device->copyToHost(values.data(), memory.pointer(), memory.size());
    EXPECT_TRUE(copied) << copied.error();
    return values;
  }

  Toolkit toolkit{searchPaths(GetParam())};
  std::shared_ptr<const Device> device;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Drivers, DeviceTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool> &info) { return info.param ? "Fake" : "Real"; });

static Tensor floats(const DeviceMemory &memory, int64_t count) {
  return {memory.pointer(), ScalarType::F32, {count}, {}, -1};
}

/// Launches on sizes around the block give the right values and touch nothing else; no element, no launch.
TEST_P(DeviceTest, LaunchesAndComputes) {
  if (!device)
    return;
  std::shared_ptr<const Kernel> kernel = load(addOneText(), addOneInfo());
  ASSERT_NE(kernel, nullptr);
  Result<DeviceObject> stream = device->createStream();
  ASSERT_TRUE(stream) << stream.error();
  for (int64_t n : {0, 1, 127, 128, 129, 4097}) {
    std::vector<float> x(static_cast<size_t>(n) + 8);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(i);
    DeviceMemory dx = upload(x), dy = upload(x);
    Status filled = device->fill(dy.pointer(), 0xff, dy.size(), stream->handle());
    ASSERT_TRUE(filled) << filled.error();
    Status launched = kernel->launch(stream->handle(), {floats(dx, n), floats(dy, n)});
    ASSERT_TRUE(launched) << launched.error();
    Status done = device->synchronize(stream->handle());
    ASSERT_TRUE(done) << done.error();
    std::vector<float> y = download(dy);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(y[i], x[i] + 1.0f) << n << " " << i;
    for (size_t i = n; i < y.size(); ++i)
      ASSERT_NE(y[i], y[i]) << "element " << i << " past " << n << " was written";
  }
}

/// Memory of the host is refused, page-locked or not, naming the argument.
TEST_P(DeviceTest, HostMemoryIsRefused) {
  if (!device)
    return;
  std::shared_ptr<const Kernel> kernel = load(addOneText(), addOneInfo());
  ASSERT_NE(kernel, nullptr);
  std::vector<float> host(16);
  DeviceMemory good = upload(host);
  Status launched = kernel->launch(nullptr, {floats(good, 16), Tensor{host.data(), ScalarType::F32, {16}, {}, -1}});
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error(), "kernel 'add_one', argument 'y': memory is the host's; expected memory of device 0");
  EXPECT_EQ(launched.fault().kind, ErrorKind::Refused);
}

/// The calling thread's context is left as it was, whether there was one or not.
TEST_P(DeviceTest, ContextIsLeftAlone) {
  if (!device)
    return;
  auto current = [&] {
    void *context = nullptr;
    device->api().ctxGetCurrent(&context);
    return context;
  };
  std::shared_ptr<const Kernel> kernel = load(addOneText(), addOneInfo());
  ASSERT_NE(kernel, nullptr);
  DeviceMemory x = upload({1, 2}), y = upload({0, 0});
  EXPECT_EQ(current(), nullptr);
  ASSERT_TRUE(kernel->launch(nullptr, {floats(x, 2), floats(y, 2)}));
  EXPECT_EQ(current(), nullptr);
  ContextGuard guard(device->api(), device->contextHandle());
  ASSERT_TRUE(kernel->launch(nullptr, {floats(x, 2), floats(y, 2)}));
  EXPECT_EQ(current(), device->contextHandle());
  EXPECT_EQ(download(y), (std::vector<float>{2, 3}));
}

/// A plan made once is launched many times; its parameters are those of the arguments.
TEST_P(DeviceTest, PlanIsLaunchedAgain) {
  if (!device)
    return;
  std::shared_ptr<const Kernel> kernel = load(addOneText(), addOneInfo());
  ASSERT_NE(kernel, nullptr);
  DeviceMemory x = upload({5}), y = upload({0});
  std::vector<Argument> arguments = {floats(x, 1), floats(y, 1)};
  Result<LaunchPlan> plan = kernel->plan(arguments);
  ASSERT_TRUE(plan) << plan.error();
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(kernel->launch(nullptr, *plan));
  EXPECT_EQ(download(y)[0], 6.0f);
}

/// Adds one, in place, with blocks of 33 that share the sectors at their ends, and waits for its turn.
static std::string awaitingText() {
  return "extern \"C\" __global__ void add_one(float *x, float *y, long long n) {\n"
         "#if __CUDA_ARCH__ >= 900\n"
         "  asm volatile(\"griddepcontrol.wait;\" : : : \"memory\");\n"
         "  asm volatile(\"griddepcontrol.launch_dependents;\" : : : \"memory\");\n"
         "#endif\n"
         "  long long i = blockIdx.x * 33LL + threadIdx.x;\n"
         "  if (i < n)\n"
         "    y[i] = x[i] + 1.0f;\n"
         "}\n";
}

/// Launches that overlap see all that stands before them in the stream, and are seen by all behind: by each other, by
/// launches that do not overlap, by a fill, by an event and by a copy.
TEST_P(DeviceTest, OverlappingLaunchesKeepTheirOrder) {
  if (!device)
    return;
  KernelInfo info = addOneInfo();
  info.threads = 33;
  info.grid = {Expr::ceilDiv(Expr::value(0), Expr::constant(33))};
  info.mostAwaitingBlocks = 1 << 20;
  std::shared_ptr<const Kernel> kernel = load(awaitingText(), info);
  ASSERT_NE(kernel, nullptr);
  Result<DeviceObject> stream = device->createStream(), event = device->createEvent();
  ASSERT_TRUE(stream && event);
  for (int64_t n : {1, 34, 100003}) {
    DeviceMemory x = upload(std::vector<float>(static_cast<size_t>(n), 5.0f));
    std::vector<Argument> arguments = {floats(x, n), floats(x, n)};
    Result<LaunchPlan> plan = kernel->plan(arguments);
    ASSERT_TRUE(plan) << plan.error();
    for (int i = 0; i < 300; ++i) {
      if (i == 100) {
        ASSERT_TRUE(device->fill(x.pointer(), 0, x.size(), stream->handle()));
      }
      plan->mayOverlap = i % 7 != 3;
      ASSERT_TRUE(kernel->launch(stream->handle(), *plan));
      if (i % 50 == 49) {
        ASSERT_TRUE(device->record(*event, stream->handle()));
      }
    }
    ASSERT_TRUE(device->synchronize(stream->handle()));
    ASSERT_EQ(download(x), std::vector<float>(static_cast<size_t>(n), 200.0f)) << n;
  }
}

/// Dynamic shared memory just below, at and above 48 KB, with and without static arrays, up to the device's limit.
TEST_P(DeviceTest, DynamicSharedMemory) {
  if (!device)
    return;
  int64_t most = device->properties().limits.sharedBytes;
  for (int64_t staticBytes : {0, 1024}) {
    std::string text = "extern \"C\" __global__ void touch_" + std::to_string(staticBytes) +
                       "(const float *x, float *y, long long n) {\n"
                       "  extern __shared__ char dynamic[];\n";
    if (staticBytes)
      text += "  __shared__ float fixed[256];\n  fixed[threadIdx.x] = x[0];\n  __syncthreads();\n";
    text += "  long long last = (long long)x[1];\n"
            "  dynamic[last] = 7;\n"
            "  y[0] = dynamic[last]" +
            std::string(staticBytes ? " + fixed[127 - threadIdx.x]" : "") + ";\n}\n";
    for (int64_t bytes : {int64_t(49151), int64_t(49152), int64_t(49153), most - staticBytes, most - staticBytes + 1}) {
      KernelInfo info = addOneInfo("touch_" + std::to_string(staticBytes));
      info.variants[0].dynamicSharedBytes = bytes;
      std::shared_ptr<const Kernel> kernel = load(text, info);
      ASSERT_NE(kernel, nullptr);
      EXPECT_EQ(kernel->info().variants[0].staticSharedBytes, staticBytes);
      DeviceMemory x = upload({0.0f, static_cast<float>(bytes - 1)}), y = upload({0, 0});
      Status launched = kernel->launch(nullptr, {floats(x, 2), floats(y, 2)});
      if (bytes + staticBytes > most) {
        ASSERT_FALSE(launched);
        EXPECT_TRUE(contains(launched.error(), "shared memory: " + std::to_string(most + 1) + " bytes a block"));
        continue;
      }
      ASSERT_TRUE(launched) << launched.error();
      EXPECT_EQ(download(y)[0], 7.0f) << bytes;
    }
  }
}

/// One kernel launched from many threads, each with a stream of its own.
TEST_P(DeviceTest, LaunchesFromManyThreads) {
  if (!device)
    return;
  std::shared_ptr<const Kernel> kernel = load(addOneText(), addOneInfo());
  ASSERT_NE(kernel, nullptr);
  std::vector<std::thread> threads;
  std::vector<std::string> faults(8);
  for (size_t t = 0; t < faults.size(); ++t)
    threads.emplace_back([&, t] {
      std::vector<float> x(1000, static_cast<float>(t));
      DeviceMemory dx = upload(x), dy = upload(x);
      Result<DeviceObject> stream = device->createStream();
      for (int i = 0; stream && i < 50; ++i)
        if (Status launched = kernel->launch(stream->handle(), {floats(dx, 1000), floats(dy, 1000)}); !launched)
          faults[t] = launched.error();
      if (Status done = device->synchronize(stream->handle()); !done)
        faults[t] = done.error();
      if (download(dy) != std::vector<float>(1000, static_cast<float>(t) + 1.0f))
        faults[t] += " wrong values";
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(faults, std::vector<std::string>(8));
}

/// Events take the time of the work between them.
TEST_P(DeviceTest, EventsTakeTheTime) {
  if (!device)
    return;
  Result<DeviceObject> start = device->createEvent(), end = device->createEvent();
  ASSERT_TRUE(start && end);
  Result<DeviceMemory> memory = device->allocate(int64_t(1) << 28);
  ASSERT_TRUE(memory) << memory.error();
  ASSERT_TRUE(device->record(*start, nullptr));
  ASSERT_TRUE(device->fill(memory->pointer(), 0, memory->size(), nullptr));
  ASSERT_TRUE(device->record(*end, nullptr));
  Result<double> time = device->elapsedMicroseconds(*start, *end);
  ASSERT_TRUE(time) << time.error();
  EXPECT_GT(*time, 1.0);
}

/// More memory than there is: an environment error with the size asked.
TEST_P(DeviceTest, OutOfMemory) {
  if (!device)
    return;
  Result<DeviceMemory> memory = device->allocate(int64_t(1) << 50);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.fault().kind, ErrorKind::Environment);
  EXPECT_TRUE(contains(memory.error(), "cuMemAlloc returned CUDA_ERROR_OUT_OF_MEMORY (2)"));
  EXPECT_TRUE(contains(memory.error(), "(1125899906842624 bytes asked)"));
}

/// A cubin for another architecture, or none at all, is an environment error that names both sides.
TEST_P(DeviceTest, UnloadableCubin) {
  if (!device)
    return;
  CompiledKernel compiled;
  compiled.info = addOneInfo();
  compiled.arch = "sm_1";
  compiled.nvrtcVersion = "1.0";
  compiled.cubin = "no cubin";
  Result<std::shared_ptr<const Kernel>> kernel = Kernel::load(device, compiled);
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.fault().kind, ErrorKind::Environment);
  EXPECT_TRUE(contains(kernel.error(), "the cubin is for sm_1 by NVRTC 1.0, the device is " +
                                           device->properties().arch() + " under driver "));
}

/// An entry that the text lacks is our bug.
TEST_P(DeviceTest, MissingEntry) {
  if (!device)
    return;
  CompileOptions options;
  options.arch = device->properties().arch();
  Result<CompiledKernel> compiled = toolkit.compile({addOneText("other"), addOneInfo()}, options);
  ASSERT_TRUE(compiled) << compiled.error();
  Result<std::shared_ptr<const Kernel>> kernel = Kernel::load(device, *compiled);
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.fault().kind, ErrorKind::Internal);
  EXPECT_TRUE(contains(kernel.error(), "kernel 'add_one', entry 'add_one': cuModuleGetFunction returned "
                                       "CUDA_ERROR_NOT_FOUND (500)"));
}
