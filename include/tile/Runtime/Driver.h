// Driver.h - devices, memory, streams and events through the CUDA driver, opened at run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_RUNTIME_DRIVER_H
#define TILE_RUNTIME_DRIVER_H

#include "tile/Runtime/Launch.h"
#include "tile/Runtime/SearchPaths.h"
#include "tile/Support/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tile::runtime {

struct DriverApi;
class Device;

/// A `CUstream` of the driver, or a `cudaStream_t`; null is the default stream.
using StreamHandle = void *;

/// What a device is and can do.
struct DeviceProperties {
  int ordinal = 0;
  std::string name;
  int major = 0;
  int minor = 0;
  int multiprocessors = 0;
  int64_t l2Bytes = 0;
  int64_t memoryBytes = 0;
  DeviceLimits limits;

  /// The architecture to compile for: "sm_80"; from 9.0 on with the features of exactly this one: "sm_90a".
  std::string arch() const;
};

/// An open and initialised driver; immutable, used from any thread.
class Driver {
public:
  /// Opens libcuda.so.1. An environment error says what was looked for, or that there is no device.
  static Result<std::shared_ptr<const Driver>> open(const SearchPaths &paths);
  ~Driver();

  /// "13.0".
  std::string version() const;
  int deviceCount() const { return count; }
  Result<DeviceProperties> properties(int ordinal) const;
  /// Keeps the primary context of the device, the one the CUDA runtime library uses too.
  Result<std::shared_ptr<const Device>> device(int ordinal) const;

  const DriverApi &api() const { return *functions; }

private:
  Driver();
  std::shared_ptr<const DriverApi> functions;
  int versionNumber = 0;
  int count = 0;
};

/// Device memory of its own; freed with the object.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(std::shared_ptr<const Device> device, uint64_t address, int64_t bytes)
      : device(std::move(device)), address(address), bytes(bytes) {}
  DeviceMemory(DeviceMemory &&other) noexcept { swap(other); }
  DeviceMemory &operator=(DeviceMemory &&other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceMemory();

  void *pointer() const { return reinterpret_cast<void *>(address); }
  int64_t size() const { return bytes; }

private:
  void swap(DeviceMemory &other) noexcept {
    std::swap(device, other.device);
    std::swap(address, other.address);
    std::swap(bytes, other.bytes);
  }

  std::shared_ptr<const Device> device;
  uint64_t address = 0;
  int64_t bytes = 0;
};

/// A stream or an event of its own; destroyed with the object.
class DeviceObject {
public:
  enum class Kind { Stream, Event };

  DeviceObject(std::shared_ptr<const Device> device, Kind kind, void *handle)
      : device(std::move(device)), kind(kind), object(handle) {}
  DeviceObject(DeviceObject &&other) noexcept
      : device(std::move(other.device)), kind(other.kind), object(std::exchange(other.object, nullptr)) {}
  DeviceObject &operator=(DeviceObject &&) = delete;
  ~DeviceObject();

  void *handle() const { return object; }

private:
  std::shared_ptr<const Device> device;
  Kind kind;
  void *object;
};

/// A device whose primary context is held; used from any thread. Each call makes the context current for its length.
class Device : public std::enable_shared_from_this<Device> {
public:
  ~Device();

  const DeviceProperties &properties() const { return props; }
  const DriverApi &api() const { return *functions; }
  std::string driverVersion() const { return driverVersionText; }
  /// The primary context, a `CUcontext`.
  void *contextHandle() const { return context; }

  /// Allocates; zero bytes give a null pointer. Out of memory is an environment error.
  Result<DeviceMemory> allocate(int64_t bytes) const;
  /// Copies from the host and waits for it.
  Status copyToDevice(void *to, const void *from, int64_t bytes) const;
  /// Copies to the host and waits for it.
  Status copyToHost(void *to, const void *from, int64_t bytes) const;
  /// Sets every byte, in the order of the stream.
  Status fill(void *to, uint8_t byte, int64_t bytes, StreamHandle stream) const;

  /// A stream that does not wait for the default stream.
  Result<DeviceObject> createStream() const;
  /// An event that takes the time.
  Result<DeviceObject> createEvent() const;
  Status record(const DeviceObject &event, StreamHandle stream) const;
  /// Microseconds between two recorded events, after waiting for the second.
  Result<double> elapsedMicroseconds(const DeviceObject &from, const DeviceObject &to) const;
  /// Waits for the stream; a fault of a kernel shows here.
  Status synchronize(StreamHandle stream) const;

  /// Refuses memory that kernels of this device may not be given: the host's, or another device's.
  /// \returns what was found, or nothing when it is fine.
  std::optional<std::string> findPointerFault(const void *pointer) const;

private:
  friend class Driver;
  Device() = default;

  std::shared_ptr<const DriverApi> functions;
  DeviceProperties props;
  std::string driverVersionText;
  int handle = 0;
  void *context = nullptr;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_DRIVER_H
