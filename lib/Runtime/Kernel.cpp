// Kernel.cpp - loads a cubin on a device and launches its entries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Kernel.h"

#include "DriverApi.h"

#include <algorithm>

namespace tile::runtime {

Kernel::~Kernel() {
  if (!module)
    return;
  ContextGuard guard(device->api(), device->contextHandle());
  device->api().moduleUnload(module);
}

/// A cubin the driver cannot take is nobody's program: the driver is older than NVRTC, or the device another.
static Error loadError(const Status &status, CuResult code, const CompiledKernel &compiled, const Device &device) {
  bool isMismatch = code == kCuInvalidImage || code == kCuNoBinaryForGpu || code == kCuUnsupportedPtxVersion;
  return Error{status.error() + "; the cubin is for " + compiled.arch + " by NVRTC " + compiled.nvrtcVersion +
                   ", the device is " + device.properties().arch() + " under driver " + device.driverVersion(),
               isMismatch ? ErrorKind::Environment : status.fault().kind};
}

Result<std::shared_ptr<const Kernel>> Kernel::load(std::shared_ptr<const Device> device, CompiledKernel compiled) {
  if (std::optional<std::string> fault = compiled.info.findFault())
    return Error{"kernel '" + compiled.info.name + "': " + *fault, ErrorKind::Internal};
  const DriverApi &api = device->api();
  ContextGuard guard(api, device->contextHandle());
  if (Status status = guard.status(); !status)
    return status.fault();
  std::shared_ptr<Kernel> kernel(new Kernel());
  kernel->device = device;
  kernel->compiled = std::move(compiled);
  CuResult code = api.moduleLoadData(&kernel->module, kernel->compiled.cubin.data());
  if (Status status = api.check("cuModuleLoadData", code); !status) {
    kernel->module = nullptr;
    return loadError(status, code, kernel->compiled, *device);
  }
  for (Variant &variant : kernel->compiled.info.variants)
    if (Status status = kernel->loadVariant(variant); !status)
      return Error{"kernel '" + kernel->info().name + "', entry '" + variant.entry + "': " + status.error(),
                   status.fault().kind};
  return std::shared_ptr<const Kernel>(kernel);
}

Status Kernel::loadVariant(Variant &variant) {
  const DriverApi &api = device->api();
  void *function = nullptr;
  CuResult code = api.moduleGetFunction(&function, module, variant.entry.c_str());
  if (Status status = api.check("cuModuleGetFunction", code); !status)
    return status;
  functions.push_back(function);

  int staticBytes = 0, maxThreads = 0;
  code = api.funcGetAttribute(&staticBytes, kCuFuncStaticSharedBytes, function);
  if (code == 0)
    code = api.funcGetAttribute(&maxThreads, kCuFuncMaxThreads, function);
  if (Status status = api.check("cuFuncGetAttribute", code); !status)
    return status;
  // The function knows best what it holds; the launch check counts with its number.
  variant.staticSharedBytes = staticBytes;
  int64_t threads = variant.launchThreads > 0 ? variant.launchThreads : info().threads;
  const DeviceLimits &limits = device->properties().limits;
  if (threads > maxThreads && threads <= limits.threads)
    return Error{std::to_string(threads) + " threads; its registers allow " + std::to_string(maxThreads),
                 ErrorKind::Internal};

  // Always set, not only above 48 KB: the bound then is one rule instead of three. What exceeds the device is refused
  // by the launch check, in words, or another variant runs.
  int64_t most = limits.sharedBytes - staticBytes;
  if (variant.dynamicSharedBytes > most)
    return okStatus();
  code = api.funcSetAttribute(function, kCuFuncMaxDynamicSharedBytes, static_cast<int>(variant.dynamicSharedBytes));
  return api.check("cuFuncSetAttribute", code);
}

Result<LaunchPlan> Kernel::plan(std::span<const Argument> arguments) const {
  return checkLaunch(info(), arguments, device->properties().limits);
}

Status Kernel::checkPointers(std::span<const Argument> arguments) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ArgumentInfo &expected = info().arguments[i];
    const Tensor *tensor = std::get_if<Tensor>(&arguments[i]);
    if (!tensor || !(expected.isRead || expected.isWritten) ||
        std::ranges::find(tensor->shape, 0) != tensor->shape.end())
      continue;
    if (std::optional<std::string> found = device->findPointerFault(tensor->pointer))
      return Error{"kernel '" + info().name + "', argument '" + expected.name + "': " + *found +
                   "; expected memory of device " + std::to_string(device->properties().ordinal)};
  }
  return okStatus();
}

Status Kernel::launch(StreamHandle stream, std::span<const Argument> arguments) const {
  Result<LaunchPlan> plan = this->plan(arguments);
  if (!plan)
    return plan.fault();
  if (Status status = checkPointers(arguments); !status)
    return status;
  return launch(stream, *plan);
}

/// Whether the launch asks for an early start: of an entry that waits itself, which it does from 9.0 on.
static bool startsEarly(const Device &device, const LaunchPlan &plan) {
  return plan.mayOverlap && device.properties().major >= 9 && device.api().launchKernelEx;
}

/// Launches so that blocks may start before the last kernel of the stream has ended.
static Status launchEarly(const DriverApi &api, void *function, StreamHandle stream, const LaunchPlan &plan,
                          void **parameters) {
  CuLaunchAttribute early;
  early.id = kCuLaunchProgrammaticSerialization;
  early.number = 1;
  CuLaunchConfig config;
  for (size_t axis = 0; axis < plan.grid.size(); ++axis)
    config.grid[axis] = static_cast<unsigned>(plan.grid[axis]);
  config.block[0] = static_cast<unsigned>(plan.threads);
  config.sharedBytes = static_cast<unsigned>(plan.dynamicSharedBytes);
  config.stream = stream;
  config.attributes = &early;
  config.attributeCount = 1;
  return api.check("cuLaunchKernelEx", api.launchKernelEx(&config, function, parameters, nullptr));
}

/// Launches so that no block starts before the last kernel of the stream has ended.
static Status launchInTurn(const DriverApi &api, void *function, StreamHandle stream, const LaunchPlan &plan,
                           void **parameters) {
  auto blocks = [&](int axis) { return static_cast<unsigned>(plan.grid[axis]); };
  return api.check("cuLaunchKernel",
                   api.launchKernel(function, blocks(0), blocks(1), blocks(2), static_cast<unsigned>(plan.threads), 1,
                                    1, static_cast<unsigned>(plan.dynamicSharedBytes), stream, parameters, nullptr));
}

Status Kernel::launch(StreamHandle stream, const LaunchPlan &plan) const {
  if (plan.isEmpty)
    return okStatus();
  const DriverApi &api = device->api();
  ContextGuard guard(api, device->contextHandle());
  if (Status status = guard.status(); !status)
    return status;
  std::vector<void *> parameters;
  parameters.reserve(plan.parameters.size());
  for (const uint64_t &slot : plan.parameters)
    parameters.push_back(const_cast<uint64_t *>(&slot));
  auto *launchWith = startsEarly(*device, plan) ? launchEarly : launchInTurn;
  if (Status status = launchWith(api, functions[plan.variant], stream, plan, parameters.data()); !status)
    return Error{"kernel '" + info().name + "': " + status.error(), status.fault().kind};
  return okStatus();
}

} // namespace tile::runtime
