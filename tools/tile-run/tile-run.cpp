// tile-run.cpp - compiles a tile program, makes inputs, runs it, and compares with the interpreter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arguments.h"
#include "Compare.h"
#include "Machine.h"
#include "Options.h"
#include "Report.h"
#include "tile/Compiler/Compiler.h"
#include "tile/Interpreter/Interpreter.h"
#include "tile/Runtime/SearchPaths.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace tile::run;

namespace {
/// One call of tile-run.
class Session {
public:
  explicit Session(const Options &options) : options(options), toolkit(runtime::searchPathsFromEnvironment()) {}
  Result<Exit> run();

private:
  Status compile();
  Status chooseDevice();
  Result<Exit> runKernel();
  Result<std::vector<runtime::LaunchPlan>> planRuns(const Machine &machine, const Arguments &arguments);
  Result<std::optional<Arguments>> runReference(const Arguments &arguments);
  Result<bool> runVariant(Machine &machine, const runtime::LaunchPlan &plan, const Arguments &arguments,
                          const std::optional<Arguments> &reference);
  Result<bool> judge(const runtime::KernelInfo &info, const Arguments &got, const std::optional<Arguments> &reference);
  Result<bool> judgeTensor(const runtime::ArgumentInfo &argument, const HostTensor &got, const HostTensor *reference);
  Status writeOutputs(const runtime::KernelInfo &info, const Arguments &got);
  /// Where the lines of a run go: JSON has the standard output for itself.
  llvm::raw_ostream &out() {
    return options.explain == Options::Report::Json || options.counts ? llvm::errs() : llvm::outs();
  }

  const Options &options;
  runtime::Toolkit toolkit;
  std::shared_ptr<const runtime::Device> device; ///< null: the simulator
  std::string arch;
  std::optional<Program> program;
  KernelOp kernel;
  CompiledProgram compiled;
  bool isStopped = false; ///< a fault on the GPU ends what can be run there
};
} // namespace

/// The GPU if it is wanted and there is one; an error if it is demanded and there is none.
Status Session::chooseDevice() {
  bool runs = options.emit.empty() && (options.explain == Options::Report::None || options.asksForRun);
  arch = options.arch;
  if (runs && options.device != Options::Device::Simulator && !options.counts) {
    Result<std::shared_ptr<const runtime::Driver>> driver = toolkit.driver();
    if (!driver && (options.device == Options::Device::Gpu || options.bench))
      return driver.fault();
    if (driver) {
      Result<std::shared_ptr<const runtime::Device>> first = (*driver)->device(0);
      if (!first)
        return first.fault();
      device = *first;
      if (arch.empty())
        arch = device->properties().arch();
    }
  }
  if (arch.empty())
    arch = "sm_90a";
  return okStatus();
}

Status Session::compile() {
  Result<Source> source = readSource(options.file, options.definitions);
  if (!source)
    return source.fault();
  Result<Program> parsed = Program::parse(*source);
  if (!parsed)
    return parsed.fault();
  program = std::move(*parsed);
  Result<KernelOp> found = program->findKernel(options.kernel);
  if (!found)
    return Error{options.file + ": error: " + found.error()};
  kernel = *found;
  CompileSettings settings;
  settings.arch = arch;
  settings.checked = options.checked;
  settings.kernel = kernel.getSymName().str();
  settings.explain = options.explain != Options::Report::None;
  Result<CompiledProgram> result = program->compile(settings);
  if (!result)
    return result.fault();
  compiled = std::move(*result);
  return okStatus();
}

/// The variants to run, each with its plan. The arguments themselves must pass every check first.
Result<std::vector<runtime::LaunchPlan>> Session::planRuns(const Machine &machine, const Arguments &arguments) {
  const runtime::KernelInfo &info = machine.info();
  std::vector<runtime::Argument> launch = launchArguments(info, arguments, modelAddress);
  Result<runtime::LaunchPlan> chosen = runtime::checkLaunch(info, launch, machine.limits());
  if (!chosen)
    return chosen.fault();
  if (options.variants == Options::Variants::Chosen || chosen->isEmpty)
    return std::vector<runtime::LaunchPlan>{*chosen};
  bool all = options.variants == Options::Variants::All;
  size_t first = options.variants == Options::Variants::Careful ? info.variants.size() - 1 : 0;
  size_t last = options.variants == Options::Variants::Fast ? 0 : info.variants.size() - 1;
  std::vector<runtime::LaunchPlan> plans;
  for (size_t i = first; i <= last; ++i) {
    runtime::KernelInfo single = info;
    single.variants = {info.variants[i]};
    Result<runtime::LaunchPlan> plan = runtime::checkLaunch(single, launch, machine.limits());
    if (!plan && !all)
      return plan.fault();
    if (!plan) {
      out() << "not run: " << plan.error() << '\n';
      continue;
    }
    plan->variant = static_cast<int64_t>(i);
    plans.push_back(*plan);
  }
  return plans;
}

/// What the interpreter makes of the arguments; nothing if it found a fault, which is printed.
Result<std::optional<Arguments>> Session::runReference(const Arguments &arguments) {
  Arguments copy = arguments.clone();
  if (std::optional<Fault> fault = interpret(kernel, copy.symbols, copy.values)) {
    llvm::errs() << toString(*fault) << '\n';
    return std::optional<Arguments>();
  }
  return std::optional<Arguments>(std::move(copy));
}

/// One line on one comparison. \returns whether it is right.
static bool printComparison(llvm::raw_ostream &out, const runtime::ArgumentInfo &argument, const HostTensor &got,
                            const Outcome &result, llvm::StringRef with) {
  out << argument.name << ": " << shapeText(got.shape) << ' ' << name(argument.type) << ", max error "
      << llvm::format("%g", result.maxError) << with << ", ";
  if (result.wrong == 0)
    out << "ok\n";
  else
    out << result.wrong << " wrong\n  " << result.firstDifference << '\n';
  return result.wrong == 0;
}

Result<bool> Session::judgeTensor(const runtime::ArgumentInfo &argument, const HostTensor &got,
                                  const HostTensor *reference) {
  Tolerance tolerance = toleranceOf(argument.type, libertiesOf(kernel), options.rtol, options.atol);
  bool right = true;
  auto expected = options.expects.find(argument.name);
  if (expected != options.expects.end()) {
    Result<NpyArray> array = readArray(expected->second, argument);
    if (!array)
      return array.fault();
    if (array->shape != got.shape)
      return Error{"'" + expected->second + "' has shape " + shapeText(array->shape) + "; '" + argument.name +
                   "' has " + shapeText(got.shape)};
    Outcome result = compare(argument.name, got, toTensor(*array, argument.type), tolerance);
    right &= printComparison(out(), argument, got, result, " against the file");
  }
  if (!argument.isWritten)
    return right;
  if (reference)
    right &= printComparison(out(), argument, got, compare(argument.name, got, *reference, tolerance), "");
  else if (expected == options.expects.end())
    out() << argument.name << ": " << shapeText(got.shape) << ' ' << name(argument.type) << ", not checked\n";
  return right;
}

Result<bool> Session::judge(const runtime::KernelInfo &info, const Arguments &got,
                            const std::optional<Arguments> &reference) {
  bool right = true;
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    const auto *tensor = std::get_if<HostTensor>(&got.values[i]);
    if (!tensor)
      continue;
    const HostTensor *wanted = reference ? &std::get<HostTensor>(reference->values[i]) : nullptr;
    Result<bool> judged = judgeTensor(info.arguments[i], *tensor, wanted);
    if (!judged)
      return judged;
    right &= *judged;
  }
  return right;
}

Status Session::writeOutputs(const runtime::KernelInfo &info, const Arguments &got) {
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    auto file = options.outs.find(info.arguments[i].name);
    if (file == options.outs.end())
      continue;
    if (Status written = writeNpy(file->second, toArray(std::get<HostTensor>(got.values[i]))); !written)
      return written.fault();
  }
  return okStatus();
}

Result<bool> Session::runVariant(Machine &machine, const runtime::LaunchPlan &plan, const Arguments &arguments,
                                 const std::optional<Arguments> &reference) {
  const runtime::KernelInfo &info = machine.info();
  Arguments copy = arguments.clone();
  if (plan.isEmpty) {
    out() << info.name << " on " << machine.name() << ": no block runs\n";
  } else {
    out() << info.name << " on " << machine.name() << ": " << info.variants[plan.variant].entry << '\n';
    Result<std::optional<std::string>> fault = machine.run(plan, copy);
    if (!fault)
      return fault.fault();
    if (*fault) {
      llvm::errs() << **fault << '\n';
      isStopped = device != nullptr;
      return false;
    }
  }
  Result<bool> right = judge(info, copy, reference);
  if (!right)
    return right;
  if (Status written = writeOutputs(info, copy); !written)
    return written.fault();
  if (!options.bench || plan.isEmpty)
    return right;
  Result<Timing> timing = machine.time(plan, arguments);
  if (!timing)
    return timing.fault();
  out() << info.name << ": " << llvm::format("%.2f", timing->microseconds) << " us (median of " << timing->repetitions
        << "), " << llvm::format("%.1f", timing->bytes / timing->microseconds / 1e3) << " GB/s\n";
  return right;
}

Result<Exit> Session::runKernel() {
  Result<Arguments> arguments = makeArguments(compiled.kernels.front(), options);
  if (!arguments)
    return arguments.fault();
  std::unique_ptr<Machine> machine;
  if (device) {
    Result<std::unique_ptr<Machine>> gpu = makeGpu(compiled, toolkit, device, arch, options.checked);
    if (!gpu)
      return gpu.fault();
    machine = std::move(*gpu);
  } else {
    machine = makeSimulator(compiled, options.seed, options.counts ? &llvm::outs() : nullptr);
  }
  Result<std::vector<runtime::LaunchPlan>> plans = planRuns(*machine, *arguments);
  if (!plans)
    return plans.fault();
  std::optional<Arguments> reference;
  if (options.check) {
    Result<std::optional<Arguments>> interpreted = runReference(*arguments);
    if (!interpreted)
      return interpreted.fault();
    if (!*interpreted)
      return Exit::Wrong;
    reference = std::move(*interpreted);
  }
  bool right = true;
  for (const runtime::LaunchPlan &plan : *plans) {
    Result<bool> ran = runVariant(*machine, plan, *arguments, reference);
    if (!ran)
      return ran.fault();
    right &= *ran;
    if (isStopped)
      break;
  }
  bool isJudged = options.check || !options.expects.empty();
  out() << "verdict: " << (!right ? "wrong" : isJudged ? "right" : "not checked") << '\n';
  return right ? Exit::Right : Exit::Wrong;
}

Result<Exit> Session::run() {
  if (Status chosen = chooseDevice(); !chosen)
    return chosen.fault();
  if (Status done = compile(); !done)
    return done.fault();
  if (!options.emit.empty()) {
    if (Status emitted = emitCode(options, compiled, toolkit, arch); !emitted)
      return emitted.fault();
    return Exit::Right;
  }
  if (options.explain != Options::Report::None) {
    if (Status explained = printExplanation(options, compiled, toolkit, arch, device.get()); !explained)
      return explained.fault();
    if (!options.asksForRun)
      return Exit::Right;
  }
  return runKernel();
}

/// Errors with a place of their own already say "error: ".
static Exit report(const Error &error) {
  bool hasPlace = error.message.find("error: ") != std::string::npos;
  llvm::errs() << (hasPlace ? "" : "error: ") << error.message << '\n';
  return error.kind == ErrorKind::Refused ? Exit::Refused : Exit::Environment;
}

int main(int argc, char **argv) {
  Result<Options> options = parseCommandLine(llvm::ArrayRef<const char *>(argv, argc).drop_front());
  if (!options)
    return static_cast<int>(report(options.fault()));
  if (options->wantsHelp || options->wantsVersion) {
    llvm::outs() << (options->wantsHelp ? helpText() : llvm::StringRef("tile-run 0.1.0\n"));
    return 0;
  }
  if (options->wantsConstants) {
    printConstants(llvm::outs());
    return 0;
  }
  Session session(*options);
  Result<Exit> exit = session.run();
  llvm::outs().flush();
  return static_cast<int>(exit ? *exit : report(exit.fault()));
}
