// GpuMachine.cpp - runs and times a kernel on the GPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Machine.h"

#include <algorithm>

namespace tile::run {

namespace {
class GpuMachine : public Machine {
public:
  GpuMachine(std::shared_ptr<const runtime::Device> device, std::shared_ptr<const runtime::Kernel> kernel,
             bool isChecked)
      : device(std::move(device)), kernel(std::move(kernel)), isChecked(isChecked) {}

  std::string name() const override { return device->properties().name; }
  runtime::DeviceLimits limits() const override { return device->properties().limits; }
  const runtime::KernelInfo &info() const override { return kernel->info(); }

  Result<std::optional<std::string>> run(const runtime::LaunchPlan &plan, Arguments &arguments) override;
  Result<Timing> time(const runtime::LaunchPlan &plan, const Arguments &arguments) override;

private:
  /// Memory for every storage, with its contents.
  Status upload(const Arguments &arguments);
  /// The plan with the addresses of the memory in place of the model's.
  Result<runtime::LaunchPlan> placed(const runtime::LaunchPlan &plan, const Arguments &arguments) const;
  Status repeat(const runtime::LaunchPlan &plan, int count, std::vector<double> &times);

  std::shared_ptr<const runtime::Device> device;
  std::shared_ptr<const runtime::Kernel> kernel;
  std::vector<runtime::DeviceMemory> memory;
  bool isChecked; ///< a kernel that stops has printed why
};
} // namespace

Status GpuMachine::upload(const Arguments &arguments) {
  memory.clear();
  for (const std::shared_ptr<std::vector<std::byte>> &storage : storagesOf(arguments)) {
    int64_t bytes = storage->size();
    Result<runtime::DeviceMemory> allocated = device->allocate(bytes);
    if (!allocated)
      return allocated.fault();
    memory.push_back(std::move(*allocated));
    if (bytes == 0)
      continue;
    if (Status copied = device->copyToDevice(memory.back().pointer(), storage->data(), bytes); !copied)
      return copied;
  }
  return okStatus();
}

Result<runtime::LaunchPlan> GpuMachine::placed(const runtime::LaunchPlan &plan, const Arguments &arguments) const {
  std::vector<runtime::Argument> launch = launchArguments(
      info(), arguments, [&](size_t storage) { return reinterpret_cast<uint64_t>(memory[storage].pointer()); });
  runtime::KernelInfo single = info();
  single.variants = {info().variants[plan.variant]};
  Result<runtime::LaunchPlan> real = runtime::checkLaunch(single, launch, limits());
  if (real)
    real->variant = plan.variant;
  return real;
}

Result<std::optional<std::string>> GpuMachine::run(const runtime::LaunchPlan &plan, Arguments &arguments) {
  if (Status uploaded = upload(arguments); !uploaded)
    return uploaded.fault();
  Result<runtime::LaunchPlan> real = placed(plan, arguments);
  if (!real)
    return real.fault();
  if (Status launched = kernel->launch(nullptr, *real); !launched)
    return launched.fault();
  if (Status finished = device->synchronize(nullptr); !finished)
    return std::optional<std::string>(
        "error: kernel '" + info().name + "' stopped on the GPU: " + finished.error() +
        (isChecked ? "; what it printed says where" : "; --checked or --device sim says where"));
  std::vector<std::shared_ptr<std::vector<std::byte>>> storages = storagesOf(arguments);
  for (size_t i = 0; i < storages.size(); ++i)
    if (!storages[i]->empty())
      if (Status copied = device->copyToHost(storages[i]->data(), memory[i].pointer(), storages[i]->size()); !copied)
        return copied.fault();
  return std::optional<std::string>();
}

/// Launches `count` times; between two launches the L2 cache is filled with other bytes.
Status GpuMachine::repeat(const runtime::LaunchPlan &plan, int count, std::vector<double> &times) {
  int64_t flushBytes = std::max<int64_t>(2 * device->properties().l2Bytes, 1 << 20);
  Result<runtime::DeviceMemory> flush = device->allocate(flushBytes);
  if (!flush)
    return flush.fault();
  std::vector<runtime::DeviceObject> begins, ends;
  for (int i = 0; i < count; ++i) {
    Result<runtime::DeviceObject> begin = device->createEvent();
    Result<runtime::DeviceObject> end = device->createEvent();
    if (!begin || !end)
      return (!begin ? begin : end).fault();
    if (Status filled = device->fill(flush->pointer(), static_cast<uint8_t>(i), flushBytes, nullptr); !filled)
      return filled;
    if (Status recorded = device->record(*begin, nullptr); !recorded)
      return recorded;
    if (Status launched = kernel->launch(nullptr, plan); !launched)
      return launched;
    if (Status recorded = device->record(*end, nullptr); !recorded)
      return recorded;
    begins.push_back(std::move(*begin));
    ends.push_back(std::move(*end));
  }
  for (int i = 0; i < count; ++i) {
    Result<double> time = device->elapsedMicroseconds(begins[i], ends[i]);
    if (!time)
      return time.fault();
    times.push_back(*time);
  }
  return okStatus();
}

Result<Timing> GpuMachine::time(const runtime::LaunchPlan &plan, const Arguments &arguments) {
  if (Status uploaded = upload(arguments); !uploaded)
    return uploaded.fault();
  Result<runtime::LaunchPlan> real = placed(plan, arguments);
  if (!real)
    return real.fault();
  Timing timing;
  timing.repetitions = 50;
  std::vector<double> warmUp, times;
  if (Status ran = repeat(*real, 5, warmUp); !ran)
    return ran.fault();
  if (Status ran = repeat(*real, timing.repetitions, times); !ran)
    return ran.fault();
  std::sort(times.begin(), times.end());
  timing.microseconds = times[times.size() / 2];
  for (size_t i = 0; i < info().arguments.size(); ++i)
    if (const auto *tensor = std::get_if<HostTensor>(&arguments.values[i]))
      timing.bytes += tensor->numElements() * byteSize(tensor->type) *
                      (int(info().arguments[i].isRead) + int(info().arguments[i].isWritten));
  return timing;
}

Result<std::unique_ptr<Machine>> makeGpu(const CompiledProgram &program, runtime::Toolkit &toolkit,
                                         std::shared_ptr<const runtime::Device> device, const std::string &arch,
                                         bool isChecked) {
  runtime::CompileOptions options;
  options.arch = arch;
  Result<runtime::CompiledKernel> compiled = toolkit.compile({program.cuda, program.kernels.front()}, options);
  if (!compiled)
    return compiled.fault();
  Result<std::shared_ptr<const runtime::Kernel>> kernel = runtime::Kernel::load(device, std::move(*compiled));
  if (!kernel)
    return kernel.fault();
  return std::unique_ptr<Machine>(std::make_unique<GpuMachine>(std::move(device), *kernel, isChecked));
}

} // namespace tile::run
