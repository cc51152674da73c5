// DriverApi.h - the functions of libcuda that we call, declared by ourselves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_RUNTIME_DRIVERAPI_H
#define LIB_RUNTIME_DRIVERAPI_H

#include "SharedLibrary.h"
#include "tile/Runtime/Driver.h"

namespace tile::runtime {

/// Status code of the driver; 0 is success.
using CuResult = int;

// Numbers of cuda.h; they are part of the driver's binary interface.
inline constexpr CuResult kCuOutOfMemory = 2;
inline constexpr CuResult kCuInvalidImage = 200;
inline constexpr CuResult kCuNoBinaryForGpu = 209;
inline constexpr CuResult kCuUnsupportedPtxVersion = 222;
inline constexpr int kCuFuncMaxThreads = 0;
inline constexpr int kCuFuncStaticSharedBytes = 1;
inline constexpr int kCuFuncMaxDynamicSharedBytes = 8;
inline constexpr int kCuStreamNonBlocking = 1;
inline constexpr int kCuLaunchProgrammaticSerialization = 6;

/// A `CUlaunchAttribute`: an id, and its value in a union of 64 bytes.
struct CuLaunchAttribute {
  int id = 0;
  char padding[4] = {};
  union {
    char bytes[64] = {};
    int number;
  };
};
static_assert(sizeof(CuLaunchAttribute) == 72);

/// A `CUlaunchConfig`.
struct CuLaunchConfig {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned sharedBytes = 0;
  void *stream = nullptr;
  CuLaunchAttribute *attributes = nullptr;
  unsigned attributeCount = 0;
};
static_assert(sizeof(CuLaunchConfig) == 56);

/// One pointer a function; all found, or the driver is not opened. Null may be only what is said to be.
struct DriverApi {
  SharedLibrary library;

  CuResult (*init)(unsigned) = nullptr;
  CuResult (*getErrorName)(CuResult, const char **) = nullptr;
  CuResult (*getErrorString)(CuResult, const char **) = nullptr;
  CuResult (*driverGetVersion)(int *) = nullptr;
  CuResult (*deviceGetCount)(int *) = nullptr;
  CuResult (*deviceGet)(int *, int) = nullptr;
  CuResult (*deviceGetName)(char *, int, int) = nullptr;
  CuResult (*deviceGetAttribute)(int *, int, int) = nullptr;
  CuResult (*deviceTotalMem)(size_t *, int) = nullptr;
  CuResult (*primaryCtxRetain)(void **, int) = nullptr;
  CuResult (*primaryCtxRelease)(int) = nullptr;
  CuResult (*ctxGetCurrent)(void **) = nullptr;
  CuResult (*ctxPushCurrent)(void *) = nullptr;
  CuResult (*ctxPopCurrent)(void **) = nullptr;
  CuResult (*moduleLoadData)(void **, const void *) = nullptr;
  CuResult (*moduleUnload)(void *) = nullptr;
  CuResult (*moduleGetFunction)(void **, void *, const char *) = nullptr;
  CuResult (*funcGetAttribute)(int *, int, void *) = nullptr;
  CuResult (*funcSetAttribute)(void *, int, int) = nullptr;
  CuResult (*launchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                           void **, void **) = nullptr;
  /// Null in drivers before CUDA 11.8.
  CuResult (*launchKernelEx)(const CuLaunchConfig *, void *, void **, void **) = nullptr;
  CuResult (*memAlloc)(uint64_t *, size_t) = nullptr;
  CuResult (*memFree)(uint64_t) = nullptr;
  CuResult (*memcpyHtoD)(uint64_t, const void *, size_t) = nullptr;
  CuResult (*memcpyDtoH)(void *, uint64_t, size_t) = nullptr;
  CuResult (*memsetD8Async)(uint64_t, unsigned char, size_t, void *) = nullptr;
  CuResult (*pointerGetAttributes)(unsigned, int *, void **, uint64_t) = nullptr;
  CuResult (*streamCreate)(void **, unsigned) = nullptr;
  CuResult (*streamDestroy)(void *) = nullptr;
  CuResult (*streamSynchronize)(void *) = nullptr;
  CuResult (*eventCreate)(void **, unsigned) = nullptr;
  CuResult (*eventDestroy)(void *) = nullptr;
  CuResult (*eventRecord)(void *, void *) = nullptr;
  CuResult (*eventSynchronize)(void *) = nullptr;
  CuResult (*eventElapsedTime)(float *, void *, void *) = nullptr;

  /// Finds every function; the name of the first needed one that is missing, or "".
  std::string bind();

  /// Success, or "cuX returned CUDA_ERROR_Y (n): its words".
  Status check(const char *call, CuResult code, ErrorKind kind = ErrorKind::Internal) const;
};

/// Makes a context current for the length of a scope, unless it already is.
class ContextGuard {
public:
  ContextGuard(const DriverApi &api, void *context) : api(api) {
    void *current = nullptr;
    api.ctxGetCurrent(&current);
    if (current == context)
      return;
    code = api.ctxPushCurrent(context);
    isPushed = code == 0;
  }
  ContextGuard(const ContextGuard &) = delete;
  ~ContextGuard() {
    void *popped = nullptr;
    if (isPushed)
      api.ctxPopCurrent(&popped);
  }

  Status status() const { return api.check("cuCtxPushCurrent", code); }

private:
  const DriverApi &api;
  CuResult code = 0;
  bool isPushed = false;
};

} // namespace tile::runtime

#endif // LIB_RUNTIME_DRIVERAPI_H
