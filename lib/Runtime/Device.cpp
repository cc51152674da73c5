// Device.cpp - memory, streams, events and pointers of one device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DriverApi.h"

namespace tile::runtime {

static uint64_t address(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

Device::~Device() {
  if (context)
    functions->primaryCtxRelease(handle);
}

DeviceMemory::~DeviceMemory() {
  if (!address)
    return;
  ContextGuard guard(device->api(), device->contextHandle());
  device->api().memFree(address);
}

DeviceObject::~DeviceObject() {
  if (!object)
    return;
  ContextGuard guard(device->api(), device->contextHandle());
  if (kind == Kind::Stream)
    device->api().streamDestroy(object);
  else
    device->api().eventDestroy(object);
}

Result<DeviceMemory> Device::allocate(int64_t bytes) const {
  if (bytes < 0)
    return Error{"allocation of " + std::to_string(bytes) + " bytes; expected at least 0"};
  if (bytes == 0)
    return DeviceMemory();
  ContextGuard guard(*functions, context);
  if (Status status = guard.status(); !status)
    return status.fault();
  uint64_t memory = 0;
  if (Status status = functions->check("cuMemAlloc", functions->memAlloc(&memory, static_cast<size_t>(bytes))); !status)
    return Error{status.error() + " (" + std::to_string(bytes) + " bytes asked)", status.fault().kind};
  return DeviceMemory(shared_from_this(), memory, bytes);
}

Status Device::copyToDevice(void *to, const void *from, int64_t bytes) const {
  if (bytes == 0)
    return okStatus();
  ContextGuard guard(*functions, context);
  if (Status status = guard.status(); !status)
    return status;
  return functions->check("cuMemcpyHtoD", functions->memcpyHtoD(address(to), from, static_cast<size_t>(bytes)));
}

Status Device::copyToHost(void *to, const void *from, int64_t bytes) const {
  if (bytes == 0)
    return okStatus();
  ContextGuard guard(*functions, context);
  if (Status status = guard.status(); !status)
    return status;
  return functions->check("cuMemcpyDtoH", functions->memcpyDtoH(to, address(from), static_cast<size_t>(bytes)));
}

Status Device::fill(void *to, uint8_t byte, int64_t bytes, StreamHandle stream) const {
  if (bytes == 0)
    return okStatus();
  ContextGuard guard(*functions, context);
  if (Status status = guard.status(); !status)
    return status;
  CuResult code = functions->memsetD8Async(address(to), byte, static_cast<size_t>(bytes), stream);
  return functions->check("cuMemsetD8Async", code);
}

Result<DeviceObject> Device::createStream() const {
  ContextGuard guard(*functions, context);
  if (Status status = guard.status(); !status)
    return status.fault();
  void *stream = nullptr;
  CuResult code = functions->streamCreate(&stream, kCuStreamNonBlocking);
  if (Status status = functions->check("cuStreamCreate", code); !status)
    return status.fault();
  return DeviceObject(shared_from_this(), DeviceObject::Kind::Stream, stream);
}

Result<DeviceObject> Device::createEvent() const {
  ContextGuard guard(*functions, context);
  if (Status status = guard.status(); !status)
    return status.fault();
  void *event = nullptr;
  if (Status status = functions->check("cuEventCreate", functions->eventCreate(&event, 0)); !status)
    return status.fault();
  return DeviceObject(shared_from_this(), DeviceObject::Kind::Event, event);
}

Status Device::record(const DeviceObject &event, StreamHandle stream) const {
  ContextGuard guard(*functions, context);
  if (Status status = guard.status(); !status)
    return status;
  return functions->check("cuEventRecord", functions->eventRecord(event.handle(), stream));
}

Result<double> Device::elapsedMicroseconds(const DeviceObject &from, const DeviceObject &to) const {
  ContextGuard guard(*functions, context);
  if (Status status = guard.status(); !status)
    return status.fault();
  if (Status status = functions->check("cuEventSynchronize", functions->eventSynchronize(to.handle())); !status)
    return status.fault();
  float milliseconds = 0;
  CuResult code = functions->eventElapsedTime(&milliseconds, from.handle(), to.handle());
  if (Status status = functions->check("cuEventElapsedTime", code); !status)
    return status.fault();
  return 1000.0 * static_cast<double>(milliseconds);
}

Status Device::synchronize(StreamHandle stream) const {
  ContextGuard guard(*functions, context);
  if (Status status = guard.status(); !status)
    return status;
  return functions->check("cuStreamSynchronize", functions->streamSynchronize(stream));
}

std::optional<std::string> Device::findPointerFault(const void *pointer) const {
  constexpr int kMemoryType = 2, kIsManaged = 8, kDeviceOrdinal = 9;
  constexpr unsigned kHost = 1;
  int attributes[] = {kMemoryType, kIsManaged, kDeviceOrdinal};
  unsigned type = 0;
  unsigned isManaged = 0;
  int ordinal = -2;
  void *answers[] = {&type, &isManaged, &ordinal};
  CuResult code = functions->pointerGetAttributes(3, attributes, answers, address(pointer));
  if (Status status = functions->check("cuPointerGetAttributes", code); !status)
    return status.error();
  if (isManaged)
    return std::nullopt;
  if (type == 0 || type == kHost)
    return std::string("memory is the host's") + (type == kHost ? " (page-locked)" : "");
  if (ordinal != props.ordinal)
    return "memory is on device " + std::to_string(ordinal);
  return std::nullopt;
}

} // namespace tile::runtime
