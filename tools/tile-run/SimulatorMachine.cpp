// SimulatorMachine.cpp - runs a kernel in the simulator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Counts.h"
#include "Machine.h"

#include "tile/Simulator/Simulator.h"

namespace tile::run {

uint64_t modelAddress(size_t storage) {
  // Far apart, and aligned like memory of a device.
  return (uint64_t(storage) + 1) << 40;
}

namespace {
class SimulatorMachine : public Machine {
public:
  SimulatorMachine(CompiledProgram &program, uint64_t seed, llvm::raw_ostream *counts)
      : program(program), seed(seed), counts(counts) {}

  std::string name() const override { return "simulator"; }
  runtime::DeviceLimits limits() const override { return {}; }
  const runtime::KernelInfo &info() const override { return program.kernels.front(); }

  Result<std::optional<std::string>> run(const runtime::LaunchPlan &plan, Arguments &arguments) override {
    std::vector<int64_t> grid;
    for (const runtime::Expr &extent : info().grid)
      grid.push_back(extent.evaluate(arguments.launchValues).value_or(0));
    simt::SimulatorOptions options;
    if (seed != 0)
      options.seed = seed;
    options.print = counts ? &llvm::errs() : &llvm::outs();
    options.detectRaces = counts == nullptr;
    simt::KernelOp kernel = program.variantKernel(info(), plan.variant);
    simt::SimulatorResult result = simt::simulate(kernel, arguments.symbols, arguments.values, grid, options);
    if (result.fault)
      return std::optional<std::string>(simt::toString(*result.fault));
    if (counts)
      printCounts(*counts, kernel, info().variants[plan.variant].entry, result);
    return std::optional<std::string>();
  }

  Result<Timing> time(const runtime::LaunchPlan &, const Arguments &) override {
    return Error{"found no GPU to time; --bench measures on one", ErrorKind::Environment};
  }

private:
  CompiledProgram &program;
  uint64_t seed;
  llvm::raw_ostream *counts;
};
} // namespace

std::unique_ptr<Machine> makeSimulator(CompiledProgram &program, uint64_t seed, llvm::raw_ostream *counts) {
  return std::make_unique<SimulatorMachine>(program, seed, counts);
}

} // namespace tile::run
