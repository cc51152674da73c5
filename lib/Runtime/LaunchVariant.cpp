// LaunchVariant.cpp - takes the first variant whose needs are met, and says why the others were passed over.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchState.h"

#include <algorithm>

namespace tile::runtime {

using Why = SkippedVariant::Why;

/// The value a requirement speaks of; nothing where it does not fit 64 bits.
static std::optional<int64_t> subject(const LaunchState &state, const Requirement &requirement) {
  int64_t argument = requirement.argument;
  switch (requirement.kind) {
  case Requirement::Kind::PointerMultiple:
    return static_cast<int64_t>(reinterpret_cast<uintptr_t>(state.tensor(argument).pointer));
  case Requirement::Kind::StrideMultiple: {
    int64_t bytes = 0;
    int64_t size = byteSize(state.tensor(argument).type);
    if (__builtin_mul_overflow(state.stride(argument, requirement.dim), size, &bytes))
      return std::nullopt;
    return bytes;
  }
  case Requirement::Kind::ExprMultiple:
  case Requirement::Kind::ExprLess:
    return requirement.expr.evaluate(state.values);
  case Requirement::Kind::OffsetLess:
    return std::max(state.reach[argument].last, -state.reach[argument].first);
  }
  return std::nullopt;
}

static bool isMet(const Requirement &requirement, std::optional<int64_t> got) {
  if (!got)
    return false;
  switch (requirement.kind) {
  case Requirement::Kind::PointerMultiple:
    return static_cast<uint64_t>(*got) % static_cast<uint64_t>(requirement.amount) == 0;
  case Requirement::Kind::StrideMultiple:
  case Requirement::Kind::ExprMultiple:
    return *got % requirement.amount == 0;
  case Requirement::Kind::ExprLess:
  case Requirement::Kind::OffsetLess:
    return *got < requirement.amount;
  }
  return false;
}

static int64_t threadsOf(const KernelInfo &info, const Variant &variant) {
  return variant.launchThreads > 0 ? variant.launchThreads : info.threads;
}

/// Blocks of a folded grid, or nothing where the product does not fit 64 bits.
static std::optional<int64_t> foldedBlocks(const std::array<int64_t, 3> &grid) {
  int64_t product = 1;
  for (int64_t blocks : grid)
    if (__builtin_mul_overflow(product, blocks, &product))
      return std::nullopt;
  return product;
}

static std::optional<SkippedVariant> checkGrid(const LaunchState &state, const Variant &variant, int64_t index) {
  const DeviceLimits &limits = state.limits;
  if (variant.foldsGrid) {
    std::optional<int64_t> blocks = foldedBlocks(state.grid);
    if (!blocks || *blocks > limits.gridX)
      return SkippedVariant{index, Why::FoldedGrid, 0, blocks, limits.gridX};
    return std::nullopt;
  }
  std::array<int64_t, 3> most = {limits.gridX, limits.gridY, limits.gridZ};
  for (size_t place = 0; place < state.info.blockOrder.size(); ++place)
    if (int64_t axis = state.info.blockOrder[place]; state.grid[axis] > most[place])
      return SkippedVariant{index, Why::GridAxis, axis, state.grid[axis], most[place]};
  return std::nullopt;
}

/// Why this variant cannot be taken, or nothing.
static std::optional<SkippedVariant> check(const LaunchState &state, int64_t index) {
  const Variant &variant = state.info.variants[index];
  for (size_t i = 0; i < variant.requirements.size(); ++i) {
    const Requirement &requirement = variant.requirements[i];
    std::optional<int64_t> got = subject(state, requirement);
    if (!isMet(requirement, got))
      return SkippedVariant{index, Why::Requirement, static_cast<int64_t>(i), got, requirement.amount};
  }
  int64_t threads = threadsOf(state.info, variant);
  if (threads > state.limits.threads)
    return SkippedVariant{index, Why::Threads, 0, threads, state.limits.threads};
  int64_t bytes = 0;
  bool isTooMuch = __builtin_add_overflow(variant.staticSharedBytes, variant.dynamicSharedBytes, &bytes);
  if (isTooMuch || bytes > state.limits.sharedBytes)
    return SkippedVariant{index, Why::SharedMemory, 0, isTooMuch ? std::nullopt : std::optional<int64_t>(bytes),
                          state.limits.sharedBytes};
  return checkGrid(state, variant, index);
}

static uint64_t parameterBits(const LaunchState &state, const Parameter &parameter) {
  switch (parameter.kind) {
  case Parameter::Kind::Pointer:
    return reinterpret_cast<uintptr_t>(state.tensor(parameter.argument).pointer);
  case Parameter::Kind::Scalar:
    return std::get<Scalar>(state.arguments[parameter.argument]).bits;
  case Parameter::Kind::Symbol:
    return static_cast<uint64_t>(state.values[parameter.index]);
  case Parameter::Kind::Stride:
    return static_cast<uint64_t>(state.stride(parameter.argument, parameter.index));
  case Parameter::Kind::Extent:
    return static_cast<uint64_t>(state.tensor(parameter.argument).shape[parameter.index]);
  case Parameter::Kind::GridExtent:
    return static_cast<uint64_t>(state.grid[parameter.index]);
  }
  return 0;
}

static std::string numberText(std::optional<int64_t> number) {
  return number ? std::to_string(*number) : "no number of 64 bits";
}

static std::string requirementText(const KernelInfo &info, const Requirement &requirement, std::optional<int64_t> got) {
  std::string argument;
  if (requirement.argument < static_cast<int64_t>(info.arguments.size()))
    argument = "'" + info.arguments[requirement.argument].name + "'";
  std::string amount = std::to_string(requirement.amount);
  switch (requirement.kind) {
  case Requirement::Kind::PointerMultiple: {
    // The remainder says more than an address does, and does not change from run to run.
    uint64_t rest = static_cast<uint64_t>(got.value_or(0)) % static_cast<uint64_t>(requirement.amount);
    return "address of " + argument + " is " + std::to_string(rest) + " bytes past a multiple of " + amount +
           "; expected a multiple of " + amount + " bytes";
  }
  case Requirement::Kind::StrideMultiple:
    return "stride of dim " + std::to_string(requirement.dim) + " of " + argument + " is " + numberText(got) +
           " bytes; expected a multiple of " + amount;
  case Requirement::Kind::ExprMultiple:
    return requirement.expr.text(info.launchValueNames()) + " is " + numberText(got) + "; expected a multiple of " +
           amount;
  case Requirement::Kind::ExprLess:
    return requirement.expr.text(info.launchValueNames()) + " is " + numberText(got) + "; expected less than " + amount;
  case Requirement::Kind::OffsetLess:
    return "farthest element of " + argument + " is " + numberText(got) +
           " elements from its base; expected less than " + amount;
  }
  return "";
}

/// What was found and expected, without the variant's name.
static std::string reasonText(const KernelInfo &info, const SkippedVariant &skipped) {
  const Variant &variant = info.variants[skipped.variant];
  std::string limit = std::to_string(skipped.limit);
  switch (skipped.why) {
  case Why::Requirement:
    return requirementText(info, variant.requirements[skipped.index], skipped.got);
  case Why::Threads:
    return "threads: " + numberText(skipped.got) + " a block; expected at most " + limit;
  case Why::SharedMemory:
    return "shared memory: " + numberText(skipped.got) + " bytes a block (" +
           std::to_string(variant.staticSharedBytes) + " static, " + std::to_string(variant.dynamicSharedBytes) +
           " dynamic); expected at most " + limit;
  case Why::GridAxis:
    return "grid axis " + std::string(1, "xyz"[skipped.index]) + ": " + numberText(skipped.got) +
           " blocks; expected at most " + limit;
  case Why::FoldedGrid:
    return "grid: " + numberText(skipped.got) + " blocks in all axes; expected at most " + limit;
  }
  return "";
}

std::string describe(const KernelInfo &info, const SkippedVariant &skipped) {
  return "'" + info.variants[skipped.variant].entry + "' not taken: " + reasonText(info, skipped);
}

static Error noVariant(const KernelInfo &info, const std::vector<SkippedVariant> &skipped) {
  if (skipped.size() == 1)
    return Error{kernelPrefix(info) + reasonText(info, skipped[0])};
  std::string text = kernelPrefix(info) + "no variant fits: ";
  for (size_t i = 0; i < skipped.size(); ++i)
    text.append(i ? ", " : "").append(describe(info, skipped[i]));
  return Error{text};
}

Result<LaunchPlan> chooseVariant(const LaunchState &state) {
  LaunchPlan plan;
  int64_t count = static_cast<int64_t>(state.info.variants.size());
  for (plan.variant = 0; plan.variant < count; ++plan.variant) {
    std::optional<SkippedVariant> skipped = check(state, plan.variant);
    if (!skipped)
      break;
    plan.skipped.push_back(*skipped);
  }
  if (plan.variant == count)
    return noVariant(state.info, plan.skipped);

  const Variant &variant = state.info.variants[plan.variant];
  for (size_t place = 0; place < state.info.blockOrder.size(); ++place)
    plan.grid[place] = state.grid[state.info.blockOrder[place]];
  std::optional<int64_t> blocks = foldedBlocks(state.grid);
  if (variant.foldsGrid)
    plan.grid = {*blocks, 1, 1};
  plan.threads = threadsOf(state.info, variant);
  plan.dynamicSharedBytes = variant.dynamicSharedBytes;
  plan.mayOverlap = blocks && *blocks <= state.info.mostAwaitingBlocks;
  plan.parameters.reserve(variant.parameters.size());
  for (const Parameter &parameter : variant.parameters)
    plan.parameters.push_back(parameterBits(state, parameter));
  return plan;
}

} // namespace tile::runtime
