// row-bench.cpp - bandwidth of the row products and prefix products, in the format of their hand-written twins.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Jit/Jit.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

namespace {

using namespace tile;

constexpr int64_t kRows = 65536, kColumns = 4096;

/// One line of the table: which program, under which definitions.
struct Pattern {
  const char *workload, *name, *file;
  int pad;          ///< of the staged patterns, -1 elsewhere
  bool isPrefix;    ///< writes the whole row
  bool isAutomatic; ///< one result a row
};

constexpr Pattern kPatterns[] = {
    {"product", "blocked", "row_product_blocked", -1, false, false},
    {"product", "striped", "row_product_striped", -1, false, false},
    {"product", "blocked+vec", "row_product_vector", -1, false, false},
    {"product", "staged pad0", "row_product_staged", 0, false, false},
    {"product", "staged pad8", "row_product_staged", 8, false, false},
    {"product", "automatic", "row_product", -1, false, true},
    {"prefix ", "blocked", "row_prefix_blocked", -1, true, false},
    {"prefix ", "striped", "row_prefix_striped", -1, true, false},
    {"prefix ", "blocked+vec", "row_prefix_vector", -1, true, false},
    {"prefix ", "staged pad8", "row_prefix_staged", 8, true, false},
};

[[nodiscard]] int fail(const Error &error) {
  std::fprintf(stderr, "row-bench: %s\n", error.message.c_str());
  return error.kind == ErrorKind::Environment ? 3 : 2;
}

/// Device memory and the kernels' common arguments.
struct Bench {
  std::string folder;
  std::shared_ptr<runtime::Toolkit> toolkit;
  std::shared_ptr<const runtime::Device> device;
  runtime::DeviceMemory x, y, o;

  Result<double> microseconds(const runtime::Kernel &kernel, const Pattern &pattern, int64_t threads) const;
  Result<double> run(const Pattern &pattern, int64_t threads) const;
};

/// Median of 15 launches after 3 to warm up.
Result<double> Bench::microseconds(const runtime::Kernel &kernel, const Pattern &pattern, int64_t threads) const {
  using runtime::Tensor;
  Tensor input{x.pointer(), ScalarType::BF16, {kRows, kColumns}, {}, -1};
  Tensor output{y.pointer(), ScalarType::BF16, {kRows, kColumns}, {}, -1};
  if (!pattern.isPrefix) {
    output = {o.pointer(), ScalarType::F32, {kRows, threads}, {}, -1};
    if (pattern.isAutomatic)
      output.shape = {kRows};
  }
  Result<runtime::LaunchPlan> plan = kernel.plan(std::vector<runtime::Argument>{input, output});
  Result<runtime::DeviceObject> begin = device->createEvent(), end = device->createEvent();
  if (!plan || !begin || !end)
    return !plan ? plan.fault() : (!begin ? begin : end).fault();
  std::vector<double> times;
  for (int trip = 0; trip < 18; ++trip) {
    Status status = device->record(*begin, nullptr);
    if (status)
      status = kernel.launch(nullptr, *plan);
    if (status)
      status = device->record(*end, nullptr);
    if (status)
      status = device->synchronize(nullptr);
    if (!status)
      return status.fault();
    Result<double> elapsed = device->elapsedMicroseconds(*begin, *end);
    if (!elapsed)
      return elapsed.fault();
    if (trip >= 3)
      times.push_back(*elapsed);
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

Result<double> Bench::run(const Pattern &pattern, int64_t threads) const {
  jit::Options options;
  options.file = folder + "/" + pattern.file + ".mlir";
  options.toolkit = toolkit;
  options.definitions = {{"T", std::to_string(threads)}, {"N", std::to_string(kColumns)}};
  if (!pattern.isAutomatic)
    options.definitions["V"] = std::to_string(kColumns / threads);
  if (pattern.pad >= 0)
    options.definitions["PAD"] = std::to_string(pattern.pad);
  std::ifstream file(options.file);
  std::stringstream text;
  text << file.rdbuf();
  Result<std::shared_ptr<const runtime::Kernel>> kernel = jit::compile(text.str(), options, device);
  if (!kernel)
    return kernel.fault();
  return microseconds(**kernel, pattern, threads);
}

} // namespace

int main(int argc, char **argv) {
  Bench bench;
  bench.folder = argc > 1 ? argv[1] : "examples";
  bench.toolkit = std::make_shared<runtime::Toolkit>(runtime::searchPathsFromEnvironment());
  Result<std::shared_ptr<const runtime::Device>> device = jit::openDevice(*bench.toolkit);
  if (!device)
    return fail(device.fault());
  bench.device = *device;
  int64_t bytes = kRows * kColumns * 2;
  Result<runtime::DeviceMemory> x = bench.device->allocate(bytes), y = bench.device->allocate(bytes);
  Result<runtime::DeviceMemory> o = bench.device->allocate(kRows * 512 * 4);
  if (!x || !y || !o)
    return fail((!x ? x : !y ? y : o).fault());
  bench.x = std::move(*x);
  bench.y = std::move(*y);
  bench.o = std::move(*o);
  // The values of the twins: a little above one, so that products stay finite.
  std::vector<uint16_t> values(kRows * kColumns);
  uint32_t state = 1;
  for (uint16_t &value : values) {
    state = state * 1664525u + 1013904223u;
    value = 0x3f80 + ((state >> 24) & 3);
  }
  if (Status copied = bench.device->copyToDevice(bench.x.pointer(), values.data(), bytes); !copied)
    return fail(copied.fault());
  for (int64_t threads : {512, 256, 128, 64, 32})
    for (const Pattern &pattern : kPatterns) {
      Result<double> us = bench.run(pattern, threads);
      if (!us)
        return fail(us.fault());
      double moved = static_cast<double>(bytes) * (pattern.isPrefix ? 2 : 1);
      std::printf("%s T=%d V=%d %-16s %.3f TB/s\n", pattern.workload, static_cast<int>(threads),
                  static_cast<int>(kColumns / threads), pattern.name, moved / *us / 1e6);
      std::fflush(stdout);
    }
  return 0;
}
