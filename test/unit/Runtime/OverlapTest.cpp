// OverlapTest.cpp - which launches may begin before the kernel ahead of them has ended.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NvrtcFixture.h"
#include "lib/Runtime/DriverApi.h"
#include "tile/Runtime/Kernel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>

using namespace tile;
using namespace tile::runtime;

namespace {
/// As much of a cubin as the fake driver reads: the header of an ELF file, and the name of one entry's section.
std::string fakeCubin(const std::string &entry) {
  std::string name = ".text." + entry;
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_shoff = sizeof header + name.size() + 1;
  return std::string(reinterpret_cast<const char *>(&header), sizeof header) + name + '\0';
}

/// A fake driver whose device has some compute capability, and `add_one` on it.
class Overlap : public testing::Test {
protected:
  void TearDown() override { setMajor(9); }

  void open(const std::string &folder, int major) {
    SearchPaths paths;
    paths.driverOverride = std::filesystem::read_symlink("/proc/self/exe").parent_path().string() + "/" + folder;
    Result<std::shared_ptr<const Driver>> opened = Driver::open(paths);
    ASSERT_TRUE(opened) << opened.error();
    driver = *opened;
    setMajor(major);
    Result<std::shared_ptr<const Device>> found = driver->device(0);
    ASSERT_TRUE(found) << found.error();
    device = *found;
    ASSERT_EQ(device->properties().major, major);
  }

  void setMajor(int major) {
    void (*set)(int) = nullptr;
    ASSERT_TRUE(driver->api().library.find("fakeSetMajor", set));
    set(major);
  }

  /// Loads `add_one`, saying that it waits for its turn or saying nothing.
  void load(bool awaitsTurn) {
    CompiledKernel compiled;
    compiled.info = addOneInfo();
    compiled.info.mostAwaitingBlocks = awaitsTurn ? 2048 : 0;
    compiled.cubin = fakeCubin("add_one");
    Result<std::shared_ptr<const Kernel>> loaded = Kernel::load(device, compiled);
    ASSERT_TRUE(loaded) << loaded.error();
    kernel = *loaded;
  }

  /// Launches on 300 elements what `change` makes of the plan; the driver's call, or the error. Looks at the numbers.
  template <typename Change> std::string launched(Change change) {
    static constexpr int64_t kCount = 300;
    int64_t bytes = kCount * static_cast<int64_t>(sizeof(float));
    Result<DeviceMemory> x = device->allocate(bytes), y = device->allocate(bytes);
    Result<DeviceObject> stream = device->createStream();
    EXPECT_TRUE(x && y && stream);
    std::array<float, kCount> values;
    values.fill(41.0f);
    EXPECT_TRUE(device->copyToDevice(x->pointer(), values.data(), bytes));
    std::vector<Argument> arguments;
    for (void *pointer : {x->pointer(), y->pointer()})
      arguments.push_back(Tensor{pointer, ScalarType::F32, {kCount}, {}, -1});
    Result<LaunchPlan> plan = kernel->plan(arguments);
    EXPECT_TRUE(plan) << plan.error();
    change(*plan);
    if (Status status = kernel->launch(stream->handle(), *plan); !status)
      return status.error();
    EXPECT_TRUE(device->copyToHost(values.data(), y->pointer(), bytes));
    EXPECT_EQ(std::ranges::count(values, 42.0f), kCount);
    std::string call = lastLaunch();
    std::string where = " on " + std::to_string(reinterpret_cast<uintptr_t>(stream->handle()));
    size_t at = call.find(where);
    EXPECT_NE(at, std::string::npos) << call << " is not" << where;
    return at == std::string::npos ? call : call.erase(at, where.size());
  }
  std::string launched() {
    return launched([](LaunchPlan &) {});
  }

  std::string lastLaunch() {
    const char *(*last)() = nullptr;
    EXPECT_TRUE(driver->api().library.find("fakeLastLaunch", last));
    return last();
  }

  std::shared_ptr<const Driver> driver;
  std::shared_ptr<const Device> device;
  std::shared_ptr<const Kernel> kernel;
};
} // namespace

/// From compute capability 9.0 on, a kernel that waits for its turn is launched with the attribute, and nothing else.
TEST_F(Overlap, KernelsThatWait) {
  for (int major : {9, 10, 12}) {
    open("fake-driver", major);
    load(true);
    EXPECT_EQ(launched(), "cuLaunchKernelEx, attribute 6 = 1") << major;
  }
}

/// Devices before 9.0 know no such launch, and the kernel's text has no wait for them.
TEST_F(Overlap, OlderDevices) {
  for (int major : {7, 8}) {
    open("fake-driver", major);
    load(true);
    EXPECT_EQ(launched(), "cuLaunchKernel") << major;
  }
}

/// A driver without the call is no error: it launches in order.
TEST_F(Overlap, OlderDrivers) {
  open("fake-old-driver", 9);
  EXPECT_EQ(device->api().launchKernelEx, nullptr);
  load(true);
  EXPECT_EQ(launched(), "cuLaunchKernel");
}

/// A kernel that does not say that it waits would overtake what it depends on.
TEST_F(Overlap, KernelsThatDoNotSaySo) {
  open("fake-driver", 9);
  load(false);
  EXPECT_EQ(launched(), "cuLaunchKernel");
}

/// The plan of a launch says whether it may overlap; who plans may say no.
TEST_F(Overlap, ThePlanMaySayNo) {
  open("fake-driver", 9);
  load(true);
  EXPECT_EQ(launched([](LaunchPlan &plan) { plan.mayOverlap = false; }), "cuLaunchKernel");
  EXPECT_EQ(launched(), "cuLaunchKernelEx, attribute 6 = 1");
}

/// What the driver refuses is reported with the call that was made.
TEST_F(Overlap, ErrorsNameTheCall) {
  open("fake-driver", 9);
  load(true);
  auto tooTall = [](bool mayOverlap) {
    return [=](LaunchPlan &plan) {
      plan.mayOverlap = mayOverlap;
      plan.grid = {1, 65536, 1};
    };
  };
  std::string why = " returned CUDA_ERROR_INVALID_VALUE (1): said by the fake driver";
  EXPECT_EQ(launched(tooTall(true)), "kernel 'add_one': cuLaunchKernelEx" + why);
  EXPECT_EQ(launched(tooTall(false)), "kernel 'add_one': cuLaunchKernel" + why);
}

/// A grid without blocks launches nothing, either way.
TEST_F(Overlap, NoBlocksNoLaunch) {
  open("fake-driver", 9);
  load(true);
  launched();
  std::string before = lastLaunch();
  Tensor none{nullptr, ScalarType::F32, {0}, {}, -1};
  EXPECT_TRUE(kernel->launch(nullptr, {none, none}));
  EXPECT_EQ(lastLaunch(), before);
}
