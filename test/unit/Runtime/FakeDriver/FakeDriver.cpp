// FakeDriver.cpp - a libcuda.so.1 for machines without a GPU: strict about contexts, attributes and pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory is host memory that this file remembers. A kernel is known by its name: `add_one` adds one, `touch_…`
// stores 7 and has as many static shared bytes as its name ends in. Everything a real driver refuses and the library
// could get wrong is refused here too: a call without a current context, a launch above the limits or above the dynamic
// shared memory that was set, an entry that the image lacks. With FAKE_LACKS_LAUNCH_EX it is an old driver, which has
// no cuLaunchKernelEx. What no real driver has begins with `fake`: for the tests to set and to ask.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace {
constexpr int kInvalidValue = 1, kOutOfMemory = 2, kInvalidDevice = 101, kInvalidImage = 200, kInvalidContext = 201,
              kNotFound = 500;
constexpr int64_t kMostShared = 232448;

struct Function {
  std::string name;
  int staticBytes = 0;
  int maxDynamicBytes = 0;
};

struct Module {
  std::string_view image;
  std::vector<Function *> functions;
};

/// Everything the fake knows; one object for the life of the library.
struct State {
  std::mutex mutex;
  std::map<uint64_t, size_t> memory;
  std::atomic<int> major = 9;
};

State state;
int primaryContext;
/// What the thread's last launch was; "" before the first.
thread_local std::string lastLaunch;
thread_local std::vector<void *> contexts;

bool hasContext() {
  return !contexts.empty() && contexts.back() == &primaryContext;
}

/// The length of an ELF image, whose last part is its table of sections.
size_t imageSize(const void *image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  size_t sections = header.e_shoff + size_t(header.e_shnum) * header.e_shentsize;
  return std::max<size_t>(sections, header.e_phoff + size_t(header.e_phnum) * header.e_phentsize);
}

bool isDeviceMemory(uint64_t address) {
  std::lock_guard lock(state.mutex);
  auto after = state.memory.upper_bound(address);
  return after != state.memory.begin() && address < std::prev(after)->first + std::prev(after)->second;
}

int launch(void *handle, const unsigned *grid, const unsigned *block, unsigned sharedBytes, void **parameters) {
  if (!hasContext())
    return kInvalidContext;
  auto *function = static_cast<Function *>(handle);
  bool isGridRight =
      grid[0] >= 1 && grid[0] <= 2147483647u && grid[1] >= 1 && grid[1] <= 65535 && grid[2] >= 1 && grid[2] <= 65535;
  bool isBlockRight = block[0] >= 1 && block[0] <= 1024 && block[1] == 1 && block[2] == 1;
  if (!isGridRight || !isBlockRight || static_cast<int>(sharedBytes) > function->maxDynamicBytes)
    return kInvalidValue;
  auto *x = *static_cast<float **>(parameters[0]);
  auto *y = *static_cast<float **>(parameters[1]);
  if (function->name.starts_with("touch_")) {
    y[0] = 7;
    return 0;
  }
  int64_t count = std::min<int64_t>(*static_cast<int64_t *>(parameters[2]), int64_t(grid[0]) * block[0]);
  for (int64_t i = 0; i < count; ++i)
    y[i] = x[i] + 1.0f;
  return 0;
}
} // namespace

extern "C" {
void fakeSetMajor(int major) {
  state.major = major;
}

const char *fakeLastLaunch() {
  return lastLaunch.c_str();
}

int cuInit(unsigned) {
  return 0;
}

int cuGetErrorName(int code, const char **name) {
  static const std::map<int, const char *> kNames = {
      {kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},     {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE"},   {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE"},
      {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT"}, {kNotFound, "CUDA_ERROR_NOT_FOUND"}};
  auto found = kNames.find(code);
  *name = found == kNames.end() ? nullptr : found->second;
  return *name ? 0 : kInvalidValue;
}

int cuGetErrorString(int code, const char **words) {
  *words = "said by the fake driver";
  return 0;
}

int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}

int cuDeviceGetCount(int *count) {
  *count = 1;
  return 0;
}

int cuDeviceGet(int *device, int ordinal) {
  *device = 0;
  return ordinal == 0 ? 0 : kInvalidDevice;
}

int cuDeviceGetName(char *name, int length, int) {
  std::strncpy(name, "Fake device", static_cast<size_t>(length));
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  static const std::map<int, int> kValues = {{1, 1024},      {5, 2147483647}, {6, 65535}, {7, 65535},       {16, 132},
                                             {38, 50 << 20}, {75, 9},         {76, 0},    {97, kMostShared}};
  auto found = kValues.find(attribute);
  *value = found == kValues.end() ? 0 : attribute == 75 ? state.major.load() : found->second;
  return found == kValues.end() ? kInvalidValue : 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = size_t(1) << 30;
  return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &primaryContext;
  return 0;
}

int cuDevicePrimaryCtxRelease_v2(int) {
  return 0;
}

int cuCtxGetCurrent(void **context) {
  *context = contexts.empty() ? nullptr : contexts.back();
  return 0;
}

int cuCtxPushCurrent_v2(void *context) {
  contexts.push_back(context);
  return 0;
}

int cuCtxPopCurrent_v2(void **context) {
  if (contexts.empty())
    return kInvalidContext;
  *context = contexts.back();
  contexts.pop_back();
  return 0;
}

int cuModuleLoadData(void **module, const void *image) {
  if (!hasContext())
    return kInvalidContext;
  if (std::memcmp(image, ELFMAG, SELFMAG) != 0)
    return kInvalidImage;
  *module = new Module{std::string_view(static_cast<const char *>(image), imageSize(image)), {}};
  return 0;
}

int cuModuleUnload(void *handle) {
  if (!hasContext())
    return kInvalidContext;
  auto *module = static_cast<Module *>(handle);
  for (Function *function : module->functions)
    delete function;
  delete module;
  return 0;
}

int cuModuleGetFunction(void **function, void *handle, const char *name) {
  if (!hasContext())
    return kInvalidContext;
  auto *module = static_cast<Module *>(handle);
  std::string section = std::string(".text.") + name;
  if (module->image.find(std::string_view(section.c_str(), section.size() + 1)) == std::string_view::npos)
    return kNotFound;
  auto *made = new Function{name, 0, 49152};
  if (made->name.starts_with("touch_"))
    made->staticBytes = std::atoi(name + 6);
  made->maxDynamicBytes -= made->staticBytes;
  module->functions.push_back(made);
  *function = made;
  return 0;
}

int cuFuncGetAttribute(int *value, int attribute, void *handle) {
  *value = attribute == 0 ? 1024 : attribute == 1 ? static_cast<Function *>(handle)->staticBytes : 0;
  return attribute == 0 || attribute == 1 ? 0 : kInvalidValue;
}

int cuFuncSetAttribute(void *handle, int attribute, int value) {
  auto *function = static_cast<Function *>(handle);
  if (attribute != 8 || value < 0 || value + function->staticBytes > kMostShared)
    return kInvalidValue;
  function->maxDynamicBytes = value;
  return 0;
}

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, void *stream, void **parameters, void **) {
  lastLaunch = "cuLaunchKernel on " + std::to_string(reinterpret_cast<uintptr_t>(stream));
  unsigned grid[] = {gridX, gridY, gridZ}, block[] = {blockX, blockY, blockZ};
  return launch(function, grid, block, sharedBytes, parameters);
}

#ifndef FAKE_LACKS_LAUNCH_EX
/// Reads the configuration at the offsets of the driver's binary interface, whatever the library declares.
int cuLaunchKernelEx(const unsigned char *config, void *function, void **parameters, void **) {
  unsigned sizes[7], count;
  const unsigned char *attributes;
  void *stream;
  std::memcpy(sizes, config, sizeof sizes);
  std::memcpy(&stream, config + 32, sizeof stream);
  std::memcpy(&attributes, config + 40, sizeof attributes);
  std::memcpy(&count, config + 48, sizeof count);
  lastLaunch = "cuLaunchKernelEx on " + std::to_string(reinterpret_cast<uintptr_t>(stream));
  for (unsigned i = 0; i < count; ++i) {
    int id, value;
    std::memcpy(&id, attributes + 72 * i, sizeof id);
    std::memcpy(&value, attributes + 72 * i + 8, sizeof value);
    lastLaunch += ", attribute " + std::to_string(id) + " = " + std::to_string(value);
    if (id == 6 && state.major < 9)
      return kInvalidValue;
  }
  return launch(function, sizes, sizes + 3, sizes[6], parameters);
}
#endif

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  if (!hasContext())
    return kInvalidContext;
  if (bytes == 0)
    return kInvalidValue;
  void *memory = bytes > (size_t(1) << 30) ? nullptr : std::malloc(bytes);
  if (!memory)
    return kOutOfMemory;
  *address = reinterpret_cast<uintptr_t>(memory);
  std::lock_guard lock(state.mutex);
  state.memory[*address] = bytes;
  return 0;
}

int cuMemFree_v2(uint64_t address) {
  std::lock_guard lock(state.mutex);
  if (!hasContext() || state.memory.erase(address) == 0)
    return kInvalidValue;
  std::free(reinterpret_cast<void *>(address));
  return 0;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  if (!hasContext() || !isDeviceMemory(to))
    return kInvalidValue;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  if (!hasContext() || !isDeviceMemory(from))
    return kInvalidValue;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}

int cuMemsetD8Async(uint64_t to, unsigned char byte, size_t bytes, void *) {
  if (!hasContext() || !isDeviceMemory(to))
    return kInvalidValue;
  std::memset(reinterpret_cast<void *>(to), byte, bytes);
  return 0;
}

int cuPointerGetAttributes(unsigned count, int *attributes, void **answers, uint64_t address) {
  bool isOurs = isDeviceMemory(address);
  for (unsigned i = 0; i < count; ++i) {
    if (attributes[i] == 2)
      *static_cast<unsigned *>(answers[i]) = isOurs ? 2 : 0;
    else if (attributes[i] == 8)
      *static_cast<unsigned *>(answers[i]) = 0;
    else if (attributes[i] == 9)
      *static_cast<int *>(answers[i]) = isOurs ? 0 : -2;
    else
      return kInvalidValue;
  }
  return 0;
}

int cuStreamCreate(void **stream, unsigned) {
  *stream = new int;
  return hasContext() ? 0 : kInvalidContext;
}

int cuStreamDestroy_v2(void *stream) {
  delete static_cast<int *>(stream);
  return hasContext() ? 0 : kInvalidContext;
}

int cuStreamSynchronize(void *) {
  return hasContext() ? 0 : kInvalidContext;
}

int cuEventCreate(void **event, unsigned) {
  *event = new int;
  return hasContext() ? 0 : kInvalidContext;
}

int cuEventDestroy_v2(void *event) {
  delete static_cast<int *>(event);
  return hasContext() ? 0 : kInvalidContext;
}

int cuEventRecord(void *, void *) {
  return hasContext() ? 0 : kInvalidContext;
}

int cuEventSynchronize(void *) {
  return hasContext() ? 0 : kInvalidContext;
}

int cuEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 2;
  return hasContext() ? 0 : kInvalidContext;
}
}
