// numerics-probe.cpp - every scalar operation and conversion on the card against the scalar library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   numerics-probe [--count N] [--shard I/N] [--only TEXT]
//
// One line a probe: "exact" where every bit agreed, else how many inputs differ, the largest distance in units of the
// last place, the largest relative error, and the worst input. Exit status 1 if an operation that must be exact is not.
//
#include "Probe.h"

#include "tile/Jit/Jit.h"
#include "tile/Support/Numerics.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tile;

/// A tile program that applies the probe to vectors.
static std::string programOf(const Probe &probe) {
  std::string arguments, loads;
  for (size_t i = 0; i < probe.operands.size(); ++i) {
    std::string type = "memref<?x" + std::string(name(probe.operands[i])) + ">", n = std::to_string(i);
    arguments += "%a" + n + "[%N]: " + type + ", ";
    loads += "    %x" + n + " = tile.load %a" + n + "[%b * 1024 + %i] : " + type + "\n";
  }
  std::string result = std::string(name(probe.result)), target = "memref<?x" + result + ">";
  std::string head =
      "tile.kernel @probe[%N](" + arguments + "%y[%N]: " + target + ") grid(%b) in (%N ceildiv 1024) threads(128) {\n";
  if (!probe.body.empty())
    return head + "  tile.parallel %i in (1024) {\n" + loads + "    " + probe.body +
           "\n    tile.store %r, %y[%b * 1024 + %i] : " + target + "\n  }\n}\n";
  std::string fragment = "memref<1024x" + result + ", #tile.fragment>";
  return head + "  %f = tile.alloc_fragment : " + fragment + "\n  tile.copy %a0[%b * 1024] to %f cast : memref<?x" +
         std::string(name(probe.operands[0])) + "> to " + fragment + "\n  tile.copy %f to %y[%b * 1024] : " + fragment +
         " to " + target + "\n}\n";
}

namespace {
struct Machine {
  std::shared_ptr<runtime::Toolkit> toolkit;
  std::shared_ptr<const runtime::Device> device;

  Result<std::vector<uint64_t>> run(const Probe &probe, const std::vector<std::vector<uint64_t>> &inputs) const;
};
} // namespace

Result<std::vector<uint64_t>> Machine::run(const Probe &probe, const std::vector<std::vector<uint64_t>> &inputs) const {
  jit::Options options;
  options.file = probe.name;
  options.toolkit = toolkit;
  Result<std::shared_ptr<const runtime::Kernel>> kernel = jit::compile(programOf(probe), options, device);
  if (!kernel)
    return kernel.fault();
  int64_t count = inputs[0].size();
  std::vector<runtime::DeviceMemory> memory;
  std::vector<runtime::Argument> arguments;
  auto add = [&](ScalarType type, const std::vector<uint64_t> *values) -> Status {
    std::vector<unsigned char> bytes(count * byteSize(type), 0xAB);
    for (int64_t i = 0; values && i < count; ++i)
      std::memcpy(bytes.data() + i * byteSize(type), &(*values)[i], byteSize(type));
    Result<runtime::DeviceMemory> buffer = device->allocate(bytes.size());
    if (!buffer)
      return buffer.fault();
    if (Status copied = device->copyToDevice(buffer->pointer(), bytes.data(), bytes.size()); !copied)
      return copied;
    arguments.push_back(runtime::Tensor{buffer->pointer(), type, {count}, {}, -1});
    memory.push_back(std::move(*buffer));
    return okStatus();
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    if (Status added = add(probe.operands[i], &inputs[i]); !added)
      return added.fault();
  if (Status added = add(probe.result, nullptr); !added)
    return added.fault();
  if (Status launched = (*kernel)->launch(nullptr, arguments); !launched)
    return launched.fault();
  if (Status done = device->synchronize(nullptr); !done)
    return done.fault();
  std::vector<unsigned char> bytes(count * byteSize(probe.result));
  if (Status copied = device->copyToHost(bytes.data(), memory.back().pointer(), bytes.size()); !copied)
    return copied.fault();
  std::vector<uint64_t> results(count, 0);
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(&results[i], bytes.data() + i * byteSize(probe.result), byteSize(probe.result));
  return results;
}

int main(int argc, char **argv) {
  int64_t count = int64_t(1) << 20, shard = 0, shards = 1;
  std::string only;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!std::strcmp(argv[i], "--count"))
      count = std::atoll(argv[i + 1]);
    else if (!std::strcmp(argv[i], "--only"))
      only = argv[i + 1];
    else if (std::strcmp(argv[i], "--shard") || std::sscanf(argv[i + 1], "%ld/%ld", &shard, &shards) != 2)
      return std::fprintf(stderr, "numerics-probe: unknown option '%s'\n", argv[i]), 2;
  }
  Machine machine;
  machine.toolkit = std::make_shared<runtime::Toolkit>(runtime::searchPathsFromEnvironment());
  Result<std::shared_ptr<const runtime::Device>> device = jit::openDevice(*machine.toolkit);
  if (!device)
    return std::fprintf(stderr, "numerics-probe: %s\n", device.error().c_str()), 3;
  machine.device = *device;
  int status = 0;
  std::vector<Probe> probes = allProbes();
  for (size_t i = shard; i < probes.size(); i += shards) {
    const Probe &probe = probes[i];
    if (probe.name.find(only) == std::string::npos)
      continue;
    std::vector<std::vector<uint64_t>> inputs = inputsOf(probe, count);
    std::string label = probe.name + " | " + std::string(name(probe.operands[0]));
    Result<std::vector<uint64_t>> results = machine.run(probe, inputs);
    if (!results) {
      std::printf("%s | FAILED | %s\n", label.c_str(), results.error().c_str());
      status = 1;
      continue;
    }
    Outcome outcome = compare(probe, inputs, *results);
    if (outcome.wrong == 0)
      std::printf("%s | exact | %ld inputs\n", label.c_str(), static_cast<long>(outcome.inputs));
    else
      std::printf("%s | %s | %ld of %ld differ | %.3g ulp | %.3g relative | %s\n", label.c_str(),
                  probe.mustBeExact ? "WRONG" : "measured", static_cast<long>(outcome.wrong),
                  static_cast<long>(outcome.inputs), outcome.largestUlps, outcome.largestRelative,
                  outcome.worst.c_str());
    status |= outcome.wrong != 0 && probe.mustBeExact;
    std::fflush(stdout);
  }
  return status;
}
