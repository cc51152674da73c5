// scale.cpp - a whole host program: a tile program in a string, compiled, launched and checked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Jit/Jit.h"

#include <cstdio>
#include <numeric>
#include <vector>

static constexpr const char *kProgram = R"(
// y = s * x, 1024 elements a block; any length.
tile.kernel @scale[%N](%x[%N]: memref<?xf32>, %y[%N]: memref<?xf32>, %s: f32)
    grid(%b) in (%N ceildiv 1024) threads(128) {
  tile.parallel (%i) in (1024) {
    %v = tile.load %x[%b * 1024 + %i] : memref<?xf32>
    %r = arith.mulf %v, %s : f32
    tile.store %r, %y[%b * 1024 + %i] : memref<?xf32>
  }
}
)";

/// Prints the error; 2 for a refused program or argument, 3 for a machine that lacks something.
static int fail(const tile::Error &error) {
  std::fprintf(stderr, "scale-host: %s\n", error.message.c_str());
  return error.kind == tile::ErrorKind::Refused ? 2 : 3;
}

/// Scales `x` by `s` on the device.
static tile::Result<std::vector<float>> scale(const tile::runtime::Kernel &kernel, const tile::runtime::Device &device,
                                              const std::vector<float> &x, float s) {
  int64_t count = x.size(), bytes = count * sizeof(float);
  tile::Result<tile::runtime::DeviceMemory> in = device.allocate(bytes), out = device.allocate(bytes);
  if (!in || !out)
    return (!in ? in : out).fault();
  if (tile::Status copied = device.copyToDevice(in->pointer(), x.data(), bytes); !copied)
    return copied.fault();
  using tile::runtime::Tensor;
  Tensor source{in->pointer(), tile::ScalarType::F32, {count}, {}, -1};
  Tensor target{out->pointer(), tile::ScalarType::F32, {count}, {}, -1};
  if (tile::Status launched = kernel.launch(/*stream=*/nullptr, {source, target, s}); !launched)
    return launched.fault();
  std::vector<float> y(count);
  if (tile::Status finished = device.synchronize(nullptr); !finished)
    return finished.fault();
  if (tile::Status copied = device.copyToHost(y.data(), out->pointer(), bytes); !copied)
    return copied.fault();
  return y;
}

int main() {
  tile::jit::Options options;
  options.file = "scale.mlir";
  options.toolkit = std::make_shared<tile::runtime::Toolkit>(tile::runtime::searchPathsFromEnvironment());
  tile::Result<std::shared_ptr<const tile::runtime::Device>> device = tile::jit::openDevice(*options.toolkit);
  if (!device)
    return fail(device.fault());
  tile::Result<std::shared_ptr<const tile::runtime::Kernel>> kernel = tile::jit::compile(kProgram, options, *device);
  if (!kernel)
    return fail(kernel.fault());

  std::vector<float> x(1000003);
  std::iota(x.begin(), x.end(), 0.0f);
  tile::Result<std::vector<float>> y = scale(**kernel, **device, x, 0.5f);
  if (!y)
    return fail(y.fault());
  for (size_t i = 0; i < x.size(); ++i)
    if ((*y)[i] != 0.5f * x[i]) {
      std::fprintf(stderr, "y[%zu]: got %g, expected %g\n", i, (*y)[i], 0.5f * x[i]);
      return 1;
    }
  std::printf("scaled %zu elements on %s\n", x.size(), (*device)->properties().name.c_str());
  return 0;
}
