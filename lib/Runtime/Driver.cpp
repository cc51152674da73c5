// Driver.cpp - finds libcuda, opens it and asks it about devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Driver.h"

#include "DriverApi.h"

#include <filesystem>

namespace tile::runtime {

static constexpr std::string_view kLibraryName = "libcuda.so.1";
/// CUDA 12.0, the oldest whose interface we use.
static constexpr int kOldestVersion = 12000;

// Attributes of cuDeviceGetAttribute.
static constexpr int kMaxThreads = 1;
static constexpr int kMaxGridX = 5;
static constexpr int kMaxGridY = 6;
static constexpr int kMaxGridZ = 7;
static constexpr int kMultiprocessors = 16;
static constexpr int kL2Bytes = 38;
static constexpr int kMajor = 75;
static constexpr int kMinor = 76;
static constexpr int kSharedOptIn = 97;

std::string DriverApi::bind() {
  const char *missing = "";
  auto need = [&](const char *name, auto *&function) {
    if (!library.find(name, function) && !*missing)
      missing = name;
  };
  need("cuInit", init);
  need("cuGetErrorName", getErrorName);
  need("cuGetErrorString", getErrorString);
  need("cuDriverGetVersion", driverGetVersion);
  need("cuDeviceGetCount", deviceGetCount);
  need("cuDeviceGet", deviceGet);
  need("cuDeviceGetName", deviceGetName);
  need("cuDeviceGetAttribute", deviceGetAttribute);
  need("cuDeviceTotalMem_v2", deviceTotalMem);
  need("cuDevicePrimaryCtxRetain", primaryCtxRetain);
  need("cuDevicePrimaryCtxRelease_v2", primaryCtxRelease);
  need("cuCtxGetCurrent", ctxGetCurrent);
  need("cuCtxPushCurrent_v2", ctxPushCurrent);
  need("cuCtxPopCurrent_v2", ctxPopCurrent);
  need("cuModuleLoadData", moduleLoadData);
  need("cuModuleUnload", moduleUnload);
  need("cuModuleGetFunction", moduleGetFunction);
  need("cuFuncGetAttribute", funcGetAttribute);
  need("cuFuncSetAttribute", funcSetAttribute);
  need("cuLaunchKernel", launchKernel);
  library.find("cuLaunchKernelEx", launchKernelEx);
  need("cuMemAlloc_v2", memAlloc);
  need("cuMemFree_v2", memFree);
  need("cuMemcpyHtoD_v2", memcpyHtoD);
  need("cuMemcpyDtoH_v2", memcpyDtoH);
  need("cuMemsetD8Async", memsetD8Async);
  need("cuPointerGetAttributes", pointerGetAttributes);
  need("cuStreamCreate", streamCreate);
  need("cuStreamDestroy_v2", streamDestroy);
  need("cuStreamSynchronize", streamSynchronize);
  need("cuEventCreate", eventCreate);
  need("cuEventDestroy_v2", eventDestroy);
  need("cuEventRecord", eventRecord);
  need("cuEventSynchronize", eventSynchronize);
  need("cuEventElapsedTime", eventElapsedTime);
  return missing;
}

Status DriverApi::check(const char *call, CuResult code, ErrorKind kind) const {
  if (code == 0)
    return okStatus();
  const char *name = nullptr, *words = nullptr;
  getErrorName(code, &name);
  getErrorString(code, &words);
  std::string text = std::string(call) + " returned " + (name ? name : "an unknown code") + " (" +
                     std::to_string(code) + ")" + (words ? std::string(": ") + words : "");
  return Error{text, code == kCuOutOfMemory ? ErrorKind::Environment : kind};
}

static std::string versionText(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string DeviceProperties::arch() const {
  return "sm_" + std::to_string(10 * major + minor) + (major >= 9 ? "a" : "");
}

Driver::Driver() = default;
Driver::~Driver() = default;

std::string Driver::version() const {
  return versionText(versionNumber);
}

/// The file to open; a bare name asks the loader.
static std::string libraryFile(const SearchPaths &paths) {
  std::error_code error;
  if (paths.driverOverride.empty())
    return std::string(kLibraryName);
  if (std::filesystem::is_directory(paths.driverOverride, error))
    return paths.driverOverride + "/" + std::string(kLibraryName);
  return paths.driverOverride;
}

Result<std::shared_ptr<const Driver>> Driver::open(const SearchPaths &paths) {
  auto api = std::make_shared<DriverApi>();
  std::string file = libraryFile(paths);
  std::string reason;
  api->library = SharedLibrary::open(file, reason);
  if (!api->library)
    return Error{"no CUDA driver: looked for " + file +
                     (paths.driverOverride.empty() ? " on the loader's path: " : ": ") + reason,
                 ErrorKind::Environment};
  if (std::string missing = api->bind(); !missing.empty())
    return Error{"CUDA driver " + file + " lacks " + missing + "; needed is CUDA " + versionText(kOldestVersion) +
                     " or newer",
                 ErrorKind::Environment};

  std::shared_ptr<Driver> driver(new Driver());
  CuResult code = api->driverGetVersion(&driver->versionNumber);
  if (Status status = api->check("cuDriverGetVersion", code, ErrorKind::Environment); !status)
    return status.fault();
  if (driver->versionNumber < kOldestVersion)
    return Error{"CUDA driver is of version " + versionText(driver->versionNumber) + "; needed is " +
                     versionText(kOldestVersion) + " or newer",
                 ErrorKind::Environment};
  if (Status status = api->check("cuInit", api->init(0), ErrorKind::Environment); !status)
    return status.fault();
  if (Status status = api->check("cuDeviceGetCount", api->deviceGetCount(&driver->count), ErrorKind::Environment);
      !status)
    return status.fault();
  driver->functions = api;
  return std::shared_ptr<const Driver>(driver);
}

Result<DeviceProperties> Driver::properties(int ordinal) const {
  if (ordinal < 0 || ordinal >= count)
    return Error{"device " + std::to_string(ordinal) + " does not exist; the driver has " + std::to_string(count),
                 ErrorKind::Environment};
  int device = 0;
  if (Status status = functions->check("cuDeviceGet", functions->deviceGet(&device, ordinal)); !status)
    return status.fault();
  DeviceProperties found;
  found.ordinal = ordinal;
  found.limits.device = ordinal;
  char name[256] = {};
  functions->deviceGetName(name, sizeof name - 1, device);
  found.name = name;
  size_t bytes = 0;
  functions->deviceTotalMem(&bytes, device);
  found.memoryBytes = static_cast<int64_t>(bytes);

  CuResult code = 0;
  auto ask = [&](int attribute, auto &value) {
    int answer = 0;
    CuResult result = functions->deviceGetAttribute(&answer, attribute, device);
    value = answer;
    code = code ? code : result;
  };
  ask(kMajor, found.major);
  ask(kMinor, found.minor);
  ask(kMultiprocessors, found.multiprocessors);
  ask(kL2Bytes, found.l2Bytes);
  ask(kMaxThreads, found.limits.threads);
  ask(kSharedOptIn, found.limits.sharedBytes);
  ask(kMaxGridX, found.limits.gridX);
  ask(kMaxGridY, found.limits.gridY);
  ask(kMaxGridZ, found.limits.gridZ);
  if (Status status = functions->check("cuDeviceGetAttribute", code); !status)
    return status.fault();
  return found;
}

Result<std::shared_ptr<const Device>> Driver::device(int ordinal) const {
  Result<DeviceProperties> found = properties(ordinal);
  if (!found)
    return found.fault();
  std::shared_ptr<Device> device(new Device());
  device->functions = functions;
  device->props = *found;
  device->driverVersionText = version();
  functions->deviceGet(&device->handle, ordinal);
  CuResult code = functions->primaryCtxRetain(&device->context, device->handle);
  if (Status status = functions->check("cuDevicePrimaryCtxRetain", code, ErrorKind::Environment); !status) {
    device->context = nullptr;
    return status.fault();
  }
  return std::shared_ptr<const Device>(device);
}

} // namespace tile::runtime
