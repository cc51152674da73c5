// Machine.h - what runs a compiled kernel: the simulator, or the GPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TOOLS_TILE_RUN_MACHINE_H
#define TILE_TOOLS_TILE_RUN_MACHINE_H

#include "Arguments.h"
#include "tile/Compiler/Compiler.h"
#include "tile/Runtime/Toolkit.h"

#include <memory>
#include <optional>
#include <string>

namespace tile::run {

/// The time of one launch, and the bytes its tensors have.
struct Timing {
  double microseconds = 0;
  int64_t bytes = 0;
  int repetitions = 0;
};

class Machine {
public:
  virtual ~Machine() = default;

  virtual std::string name() const = 0;
  virtual runtime::DeviceLimits limits() const = 0;
  /// The kernel as it was loaded.
  virtual const runtime::KernelInfo &info() const = 0;
  /// Runs one variant on `arguments`. \returns a fault the machine found in the program, or nothing.
  virtual Result<std::optional<std::string>> run(const runtime::LaunchPlan &plan, Arguments &arguments) = 0;
  virtual Result<Timing> time(const runtime::LaunchPlan &plan, const Arguments &arguments) = 0;
};

/// \param counts  where a run writes what it counted, as JSON; null: nowhere. Then races are not looked for.
std::unique_ptr<Machine> makeSimulator(CompiledProgram &program, uint64_t seed, llvm::raw_ostream *counts = nullptr);

Result<std::unique_ptr<Machine>> makeGpu(const CompiledProgram &program, runtime::Toolkit &toolkit,
                                         std::shared_ptr<const runtime::Device> device, const std::string &arch,
                                         bool isChecked);

/// Where the storages of the arguments would lie in a device, for checks without one.
uint64_t modelAddress(size_t storage);

} // namespace tile::run

#endif // TILE_TOOLS_TILE_RUN_MACHINE_H
