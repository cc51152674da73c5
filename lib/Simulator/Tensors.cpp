// Tensors.cpp - binds the arguments of a launch; which bytes belong to a tensor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Simulator/Tensors.h"

#include "tile/Support/Numerics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace tile::simt {

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Farther than any storage reaches, and near enough that its bytes can be counted.
static constexpr int64_t kFarthest = int64_t(1) << 56;

ElementSet::ElementSet(const HostTensor &tensor) {
  if (tensor.numElements() == 0)
    return;
  highest = 0;
  for (auto [extent, stride] : llvm::zip_equal(tensor.shape, tensor.strides)) {
    if (extent == 1)
      continue;
    // A negative stride reaches below element 0; distances are counted from the lowest element.
    int64_t &end = stride < 0 ? lowest : highest, reach = 0;
    if (llvm::MulOverflow(extent - 1, stride, reach) || std::abs(end + reach / 2) > kFarthest) {
      highest = kFarthest; // no storage holds that: the caller refuses it
      return;
    }
    end += reach;
    axes.push_back({std::abs(stride), extent});
  }
  std::sort(axes.begin(), axes.end(), [](const Axis &a, const Axis &b) { return a.stride > b.stride; });
  bool nests = true;
  int64_t reach = 0;
  for (const Axis &axis : llvm::reverse(axes)) {
    nests &= axis.stride > reach;
    reach += (axis.extent - 1) * axis.stride;
  }
  isDense = nests && highest - lowest + 1 == tensor.numElements();
  if (!nests && tensor.storage && highest - lowest < static_cast<int64_t>(tensor.storage->size()))
    enumerate();
}

void ElementSet::enumerate() {
  members.assign(highest - lowest + 1, false);
  members[0] = true;
  for (const Axis &axis : axes) {
    std::vector<bool> before = members;
    for (int64_t place = 0; place < static_cast<int64_t>(before.size()); ++place)
      for (int64_t i = 1; before[place] && axis.stride != 0 && i < axis.extent; ++i)
        if (place + i * axis.stride < static_cast<int64_t>(members.size()))
          members[place + i * axis.stride] = true;
  }
}

bool ElementSet::containsStrided(int64_t element) const {
  int64_t distance = element - lowest;
  if (!members.empty())
    return members[distance];
  for (const Axis &axis : axes) {
    if (distance / axis.stride >= axis.extent)
      return false;
    distance %= axis.stride;
  }
  return distance == 0;
}

static std::string describeArgument(int64_t number, const HostTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "argument " << number << ", shape [";
  llvm::interleaveComma(tensor.shape, stream);
  stream << "], strides [";
  llvm::interleaveComma(tensor.strides, stream);
  stream << "]";
  return text;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

/// The tensor of that number, or why there is none.
static std::variant<const HostTensor *, std::string> tensorArgument(ArrayRef<HostArgument> arguments, int64_t number) {
  if (number < 0 || number >= static_cast<int64_t>(arguments.size()))
    return "got " + std::to_string(arguments.size()) + " arguments; the kernel takes argument " +
           std::to_string(number);
  const auto *tensor = std::get_if<HostTensor>(&arguments[number]);
  if (!tensor)
    return "argument " + std::to_string(number) + " is a scalar; the kernel takes a tensor";
  if (tensor->shape.size() != tensor->strides.size())
    return "argument " + std::to_string(number) + " has " + std::to_string(tensor->shape.size()) + " extents and " +
           std::to_string(tensor->strides.size()) + " strides; it needs as many of both";
  for (int64_t extent : tensor->shape)
    if (extent < 0)
      return "argument " + std::to_string(number) + " has an extent of " + std::to_string(extent) +
             "; extents are 0 or more";
  return tensor;
}

/// Why the storage is too small for the elements; empty if it is not.
static std::string checkStorage(const HostTensor &tensor, int64_t number, const ElementSet &elements) {
  if (elements.highest < elements.lowest)
    return "";
  int64_t size = tensor.storage ? static_cast<int64_t>(tensor.storage->size()) : 0;
  int64_t first = tensor.offset + elements.lowest;
  int64_t end = (tensor.offset + elements.highest + 1) * byteSize(tensor.type);
  if (first >= 0 && end <= size)
    return "";
  return describeArgument(number, tensor) + ", begins at element " + std::to_string(tensor.offset) +
         " of a storage of " + std::to_string(size) + " bytes; its elements must lie inside";
}

/// Gives each distinct storage a number and a granule.
static void bindStorages(Binding &binding, const Program &program, ArrayRef<HostArgument> arguments) {
  std::vector<const void *> storages;
  std::vector<bool> written;
  for (auto [bound, parameter] : llvm::zip_equal(binding.tensors, program.tensors)) {
    const auto &tensor = std::get<HostTensor>(arguments[bound.argument]);
    auto place = llvm::find(storages, tensor.storage.get());
    bound.storage = static_cast<int32_t>(place - storages.begin());
    if (place == storages.end()) {
      storages.push_back(tensor.storage.get());
      binding.storageGranules.push_back(16);
      binding.storageBytes.push_back(tensor.storage ? tensor.storage->size() : 0);
      written.push_back(false);
    }
    int &granule = binding.storageGranules[bound.storage];
    granule = std::min<int>({granule, static_cast<int>(bound.elementBytes), parameter.granule});
    written[bound.storage] = written[bound.storage] || parameter.isWritten;
  }
  for (BoundTensor &bound : binding.tensors)
    bound.isTracked = written[bound.storage];
}

static std::string bindTensor(Binding &binding, const TensorParameter &parameter, ArrayRef<HostArgument> arguments) {
  auto found = tensorArgument(arguments, parameter.argument);
  if (auto *problem = std::get_if<std::string>(&found))
    return *problem;
  const HostTensor &tensor = *std::get<const HostTensor *>(found);
  if (tensor.type != parameter.type)
    return "argument " + std::to_string(parameter.argument) + " has elements of type " +
           std::string(name(tensor.type)) + "; the kernel takes " + std::string(name(parameter.type));
  BoundTensor bound;
  bound.base = tensor.offset * byteSize(tensor.type);
  bound.data = tensor.storage ? tensor.storage->data() : nullptr;
  bound.elementBytes = byteSize(tensor.type);
  bound.argument = parameter.argument;
  bound.description = describeArgument(parameter.argument, tensor);
  bound.elements = ElementSet(tensor);
  std::string problem = checkStorage(tensor, parameter.argument, bound.elements);
  binding.tensors.push_back(std::move(bound));
  return problem;
}

/// The value of an integer parameter, or why there is none.
static std::variant<int64_t, std::string> integerParameter(ParameterAttr parameter, ArrayRef<int64_t> symbols,
                                                           ArrayRef<HostArgument> arguments, ArrayRef<int64_t> grid) {
  int64_t number = parameter.getNumber(), dim = parameter.getDim();
  auto element = [&](ArrayRef<int64_t> values, int64_t place, StringRef what) -> std::variant<int64_t, std::string> {
    if (place < 0 || place >= static_cast<int64_t>(values.size()))
      return ("got " + Twine(values.size()) + " " + what + "; the kernel takes number " + Twine(place)).str();
    return values[place];
  };
  if (parameter.getKind() == ParameterKind::Symbol)
    return element(symbols, number, "size symbols");
  if (parameter.getKind() == ParameterKind::GridExtent)
    return element(grid, number, "grid extents");
  auto found = tensorArgument(arguments, number);
  if (auto *problem = std::get_if<std::string>(&found))
    return *problem;
  return element(std::get<const HostTensor *>(found)->strides, dim, ("strides in argument " + Twine(number)).str());
}

/// Binds one parameter that is not a tensor; returns what is wrong.
static std::string bindScalar(Binding &binding, ParameterAttr parameter, Type type, ArrayRef<int64_t> symbols,
                              ArrayRef<HostArgument> arguments, ArrayRef<int64_t> grid) {
  std::optional<ScalarType> scalar = scalarType(type);
  if (!scalar)
    return "a parameter has a type that is not of the language";
  int64_t number = parameter.getNumber();
  if (parameter.getKind() == ParameterKind::Scalar) {
    if (number < 0 || number >= static_cast<int64_t>(arguments.size()) ||
        !std::holds_alternative<uint64_t>(arguments[number]))
      return "argument " + std::to_string(number) + " is missing or a tensor; the kernel takes a scalar";
    binding.parameters.push_back(wrap(*scalar, std::get<uint64_t>(arguments[number])));
    return "";
  }
  auto value = integerParameter(parameter, symbols, arguments, grid);
  if (auto *problem = std::get_if<std::string>(&value))
    return *problem;
  int64_t bits = std::get<int64_t>(value);
  if (signedValue(*scalar, wrap(*scalar, bits)) != bits)
    return stringifyParameterKind(parameter.getKind()).str() + " " + std::to_string(number) + " is " +
           std::to_string(bits) + "; the kernel takes it as " + std::string(name(*scalar));
  binding.parameters.push_back(wrap(*scalar, bits));
  return "";
}

std::variant<Binding, std::string> bind(const Program &program, ArrayRef<int64_t> symbols,
                                        ArrayRef<HostArgument> arguments, ArrayRef<int64_t> grid) {
  KernelOp kernel = program.kernel;
  if (grid.size() != kernel.getBlockIds().size())
    return "got a grid of " + std::to_string(grid.size()) + " axes; the kernel has " +
           std::to_string(kernel.getBlockIds().size());
  Binding binding;
  size_t nextTensor = 0;
  for (auto [i, value] : llvm::enumerate(kernel.getParameterValues())) {
    ParameterAttr parameter = kernel.getParameter(i);
    std::string problem;
    if (parameter.getKind() == ParameterKind::Tensor) {
      problem = bindTensor(binding, program.tensors[nextTensor++], arguments);
      binding.parameters.push_back(0);
    } else {
      problem = bindScalar(binding, parameter, value.getType(), symbols, arguments, grid);
    }
    if (!problem.empty())
      return problem;
  }
  bindStorages(binding, program, arguments);
  return binding;
}

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

static std::string unmetMultiple(RequirementAttr requirement, ArrayRef<HostArgument> arguments) {
  auto found = tensorArgument(arguments, requirement.getNumber());
  if (auto *problem = std::get_if<std::string>(&found))
    return *problem;
  const HostTensor &tensor = *std::get<const HostTensor *>(found);
  bool isPointer = requirement.getKind() == RequirementKind::PointerMultiple;
  int64_t dim = requirement.getDim(), elements = tensor.offset;
  if (!isPointer) {
    if (dim < 0 || dim >= static_cast<int64_t>(tensor.shape.size()))
      return "argument " + std::to_string(requirement.getNumber()) + " has no dimension " + std::to_string(dim);
    elements = tensor.shape[dim] > 1 ? tensor.strides[dim] : 0;
  }
  int64_t bytes = elements * byteSize(tensor.type);
  if (tensor.numElements() == 0 || bytes % std::max<int64_t>(requirement.getBytes(), 1) == 0)
    return "";
  std::string what = isPointer ? " begins " : " has a stride in dimension " + std::to_string(dim) + " of ";
  return "argument " + std::to_string(requirement.getNumber()) + what + std::to_string(bytes) + " bytes" +
         (isPointer ? " into its storage" : "") + "; the kernel requires a multiple of " +
         std::to_string(requirement.getBytes());
}

std::string unmetRequirement(KernelOp kernel, ArrayRef<HostArgument> arguments, ArrayRef<int64_t> grid) {
  ArrayAttr requirements = kernel.getRequirements();
  for (Attribute attribute : requirements) {
    auto requirement = cast<RequirementAttr>(attribute);
    std::string problem;
    if (requirement.getKind() != RequirementKind::GridFits)
      problem = unmetMultiple(requirement, arguments);
    else
      for (auto [place, axis] : llvm::enumerate(kernel.getLaunchOrder()))
        if (problem.empty() && grid[axis] > (place == 0 ? 2147483647 : 65535))
          problem = "grid axis " + std::to_string(axis) + " has " + std::to_string(grid[axis]) +
                    " blocks; the kernel requires at most " + (place == 0 ? "2147483647" : "65535");
    if (!problem.empty())
      return problem;
  }
  return "";
}

} // namespace tile::simt
