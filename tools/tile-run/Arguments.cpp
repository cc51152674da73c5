// Arguments.cpp - sizes and tensors for one launch, from the command line, files and random numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arguments.h"

#include "tile/Support/Literal.h"
#include "tile/Support/Numerics.h"
#include "tile/Support/Random.h"

#include <algorithm>

namespace tile::run {

/// The most one tensor may take.
static constexpr int64_t kMaxBytes = int64_t(1) << 34;

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

/// Visits the indices of one dimension and of those behind it.
static void visitFrom(const HostTensor &tensor, size_t dim, int64_t offset, const std::function<void(int64_t)> &visit) {
  if (dim == tensor.shape.size())
    return visit(offset);
  for (int64_t i = 0; i < tensor.shape[dim]; ++i)
    visitFrom(tensor, dim + 1, offset + i * tensor.strides[dim], visit);
}

void forEachElement(const HostTensor &tensor, const std::function<void(int64_t)> &visit) {
  visitFrom(tensor, 0, 0, visit);
}

std::vector<std::shared_ptr<std::vector<std::byte>>> storagesOf(const Arguments &arguments) {
  std::vector<std::shared_ptr<std::vector<std::byte>>> storages;
  for (const HostArgument &value : arguments.values)
    if (const auto *tensor = std::get_if<HostTensor>(&value))
      if (std::find(storages.begin(), storages.end(), tensor->storage) == storages.end())
        storages.push_back(tensor->storage);
  return storages;
}

Arguments Arguments::clone() const {
  Arguments copy = *this;
  for (const std::shared_ptr<std::vector<std::byte>> &storage : storagesOf(*this)) {
    auto fresh = std::make_shared<std::vector<std::byte>>(*storage);
    for (HostArgument &value : copy.values)
      if (auto *tensor = std::get_if<HostTensor>(&value); tensor && tensor->storage == storage)
        tensor->storage = fresh;
  }
  return copy;
}

std::vector<runtime::Argument> launchArguments(const runtime::KernelInfo &info, const Arguments &arguments,
                                               const std::function<uint64_t(size_t)> &address) {
  std::vector<std::shared_ptr<std::vector<std::byte>>> storages = storagesOf(arguments);
  std::vector<runtime::Argument> launch;
  for (size_t i = 0; i < arguments.values.size(); ++i) {
    const auto *tensor = std::get_if<HostTensor>(&arguments.values[i]);
    if (!tensor) {
      launch.push_back(runtime::Scalar(info.arguments[i].type, std::get<uint64_t>(arguments.values[i])));
      continue;
    }
    size_t storage = std::find(storages.begin(), storages.end(), tensor->storage) - storages.begin();
    uint64_t first = address(storage) + tensor->offset * byteSize(tensor->type);
    launch.push_back(
        runtime::Tensor{reinterpret_cast<void *>(first), tensor->type, tensor->shape, tensor->strides, -1});
  }
  return launch;
}

Result<NpyArray> readArray(const std::string &file, const runtime::ArgumentInfo &argument) {
  Result<NpyArray> array = readNpy(file);
  if (!array)
    return array.fault();
  if (!npyTypeFits(array->dtype, argument.type))
    return Error{"'" + file + "' holds " + array->dtype + "; '" + argument.name + "' is " +
                 std::string(name(argument.type)) + ", which travels as " + std::string(npyType(argument.type))};
  return array;
}

namespace {
/// Makes the arguments of one launch step by step.
class ArgumentMaker {
public:
  ArgumentMaker(const runtime::KernelInfo &info, const Options &options) : info(info), options(options) {}
  Result<Arguments> make();
  std::optional<LaunchSize> measure();

private:
  Status checkNames() const;
  Status readFiles();
  Status bindSymbols();
  Status bindFromShape(size_t argument, const std::vector<int64_t> &shape, const std::string &file);
  Status makeScalars();
  Status makeTensor(size_t argument);
  Result<std::vector<int64_t>> shapeOf(size_t argument) const;
  Result<std::vector<int64_t>> stridesOf(size_t argument, const std::vector<int64_t> &shape) const;
  Status shareStorage(size_t argument);
  Status fill(size_t argument);
  Result<Generator> generatorOf(size_t argument) const;

  std::string textOf(const std::string &name) const {
    auto found = options.args.find(name);
    return found == options.args.end() ? "" : found->second;
  }
  static bool isFile(const std::string &text) { return text.size() > 4 && text.ends_with(".npy"); }

  const runtime::KernelInfo &info;
  const Options &options;
  Arguments arguments;
  std::vector<std::optional<int64_t>> sizes;
  std::vector<std::optional<NpyArray>> files;
};
} // namespace

static std::string listNames(const std::vector<std::string> &names) {
  std::string all;
  for (const std::string &name : names)
    all += (all.empty() ? "" : ", ") + name;
  return all.empty() ? "none" : all;
}

template <class Map>
static Status checkKeys(const Map &given, const char *option, const std::vector<std::string> &names, const char *what) {
  for (const auto &[name, value] : given)
    if (std::find(names.begin(), names.end(), name) == names.end())
      return Error{"found " + std::string(option) + " " + name + "; the kernel's " + what + ": " + listNames(names)};
  return okStatus();
}

Status ArgumentMaker::checkNames() const {
  std::vector<std::string> all, tensors;
  for (const runtime::ArgumentInfo &argument : info.arguments) {
    all.push_back(argument.name);
    if (argument.kind == runtime::ArgumentInfo::Kind::Tensor)
      tensors.push_back(argument.name);
  }
  if (Status known = checkKeys(options.dims, "--dim", info.symbols, "sizes"); !known)
    return known;
  if (Status known = checkKeys(options.args, "--arg", all, "arguments"); !known)
    return known;
  if (Status known = checkKeys(options.pitches, "--pitch", tensors, "tensors"); !known)
    return known;
  if (Status known = checkKeys(options.offsets, "--offset", tensors, "tensors"); !known)
    return known;
  if (Status known = checkKeys(options.outs, "--out", tensors, "tensors"); !known)
    return known;
  return checkKeys(options.expects, "--expect", tensors, "tensors");
}

/// A size from the shape of a file, where a dimension is a bare symbol.
Status ArgumentMaker::bindFromShape(size_t number, const std::vector<int64_t> &shape, const std::string &file) {
  const runtime::ArgumentInfo &argument = info.arguments[number];
  if (shape.size() != argument.extents.size())
    return Error{"'" + file + "' has " + std::to_string(shape.size()) + " dimensions; '" + argument.name + "' has " +
                 std::to_string(argument.extents.size())};
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    std::optional<int64_t> symbol = argument.extents[dim].asValue();
    if (!symbol)
      continue;
    std::optional<int64_t> &size = sizes[*symbol];
    if (size && *size != shape[dim])
      return Error{"'" + file + "' has extent " + std::to_string(shape[dim]) + " in dimension " + std::to_string(dim) +
                   " of '" + argument.name + "'; expected " + info.symbols[*symbol] + " = " + std::to_string(*size)};
    size = shape[dim];
  }
  return okStatus();
}

Status ArgumentMaker::readFiles() {
  files.resize(info.arguments.size());
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    const runtime::ArgumentInfo &argument = info.arguments[i];
    if (argument.kind != runtime::ArgumentInfo::Kind::Tensor)
      continue;
    std::string file = textOf(argument.name);
    if (isFile(file)) {
      Result<NpyArray> array = readArray(file, argument);
      if (!array)
        return array.fault();
      files[i] = std::move(*array);
      if (Status bound = bindFromShape(i, files[i]->shape, file); !bound)
        return bound;
    }
    if (auto expected = options.expects.find(argument.name); expected != options.expects.end()) {
      Result<NpyArray> array = readArray(expected->second, argument);
      if (!array)
        return array.fault();
      if (Status bound = bindFromShape(i, array->shape, expected->second); !bound)
        return bound;
    }
  }
  return okStatus();
}

Status ArgumentMaker::bindSymbols() {
  sizes.resize(info.symbols.size());
  for (size_t i = 0; i < info.symbols.size(); ++i)
    if (auto given = options.dims.find(info.symbols[i]); given != options.dims.end())
      sizes[i] = given->second;
  if (Status read = readFiles(); !read)
    return read;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!sizes[i])
      return Error{"size '" + info.symbols[i] + "' is not known; give --dim " + info.symbols[i] +
                   "=number, or a file of a tensor that has it"};
    arguments.symbols.push_back(*sizes[i]);
  }
  return okStatus();
}

Status ArgumentMaker::makeScalars() {
  arguments.launchValues = arguments.symbols;
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    const runtime::ArgumentInfo &argument = info.arguments[i];
    arguments.values.emplace_back(uint64_t(0));
    if (argument.kind != runtime::ArgumentInfo::Kind::Scalar)
      continue;
    std::string text = textOf(argument.name);
    if (argument.type == ScalarType::Index && text.empty())
      return Error{"argument '" + argument.name + "' is not known; give --arg " + argument.name + "=number"};
    if (Result<uint64_t> bits = parseValue(argument.type, text)) {
      arguments.values.back() = *bits;
    } else {
      Result<Generator> generator = parseGenerator(text.empty() ? "normal" : text, argument.type);
      if (!generator)
        return Error{"found '" + text + "' for '" + argument.name + "'; expected a number of type " +
                     std::string(name(argument.type))};
      arguments.values.back() = generate(*generator, argument.type, options.seed + i, 0);
    }
    if (argument.type == ScalarType::Index)
      arguments.launchValues.push_back(static_cast<int64_t>(std::get<uint64_t>(arguments.values.back())));
  }
  return okStatus();
}

Result<std::vector<int64_t>> ArgumentMaker::shapeOf(size_t number) const {
  const runtime::ArgumentInfo &argument = info.arguments[number];
  std::vector<int64_t> shape;
  for (const runtime::Expr &extent : argument.extents) {
    std::optional<int64_t> value = extent.evaluate(arguments.launchValues);
    if (!value || *value < 0)
      return Error{"extent " + extent.text(info.launchValueNames()) + " of '" + argument.name + "' is " +
                   (value ? std::to_string(*value) : "beyond 64 bits") + "; expected 0 or more"};
    shape.push_back(*value);
  }
  if (files[number] && files[number]->shape != shape)
    return Error{"'" + textOf(argument.name) + "' has shape " + shapeText(files[number]->shape) + "; '" +
                 argument.name + "' has " + shapeText(shape)};
  return shape;
}

Result<std::vector<int64_t>> ArgumentMaker::stridesOf(size_t number, const std::vector<int64_t> &shape) const {
  const runtime::ArgumentInfo &argument = info.arguments[number];
  auto pitch = options.pitches.find(argument.name);
  if (pitch != options.pitches.end() && shape.size() < 2)
    return Error{"found --pitch " + argument.name + ", a tensor of rank " + std::to_string(shape.size()) +
                 "; a pitch is the distance of rows"};
  std::vector<int64_t> strides(shape.size());
  int64_t contiguous = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    strides[dim] = argument.strides.empty() ? contiguous : argument.strides[dim].value_or(contiguous);
    if (pitch != options.pitches.end() && dim + 2 == shape.size())
      strides[dim] = pitch->second;
    if (__builtin_mul_overflow(strides[dim], std::max<int64_t>(shape[dim], 1), &contiguous))
      return Error{"'" + argument.name + "' of shape " + shapeText(shape) + " has more elements than fit 64 bits"};
  }
  return strides;
}

/// Bytes from the start of the storage to the end of the last element; nothing beyond the limit.
static std::optional<int64_t> extentBytes(const HostTensor &tensor) {
  if (std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end())
    return 0;
  __int128 last = tensor.offset;
  for (size_t dim = 0; dim < tensor.shape.size(); ++dim)
    last += static_cast<__int128>(tensor.shape[dim] - 1) * tensor.strides[dim];
  __int128 bytes = (last + 1) * byteSize(tensor.type);
  return bytes <= kMaxBytes ? std::optional<int64_t>(static_cast<int64_t>(bytes)) : std::nullopt;
}

Status ArgumentMaker::makeTensor(size_t number) {
  const runtime::ArgumentInfo &argument = info.arguments[number];
  Result<std::vector<int64_t>> shape = shapeOf(number);
  if (!shape)
    return shape.fault();
  Result<std::vector<int64_t>> strides = stridesOf(number, *shape);
  if (!strides)
    return strides.fault();
  HostTensor tensor{argument.type, *shape, *strides, 0, nullptr};
  if (auto offset = options.offsets.find(argument.name); offset != options.offsets.end())
    tensor.offset = offset->second;
  std::optional<int64_t> bytes = extentBytes(tensor);
  if (!bytes)
    return Error{"'" + argument.name + "' of shape " + shapeText(*shape) + " takes more than " +
                 std::to_string(kMaxBytes) + " bytes; that is the most tile-run holds"};
  tensor.storage = std::make_shared<std::vector<std::byte>>(*bytes, std::byte{0xAB});
  arguments.values[number] = std::move(tensor);
  return okStatus();
}

/// `--arg B=@A`: B lies in the memory of A, which grows if it must.
Status ArgumentMaker::shareStorage(size_t number) {
  std::string other = textOf(info.arguments[number].name).substr(1);
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    auto *owner = std::get_if<HostTensor>(&arguments.values[i]);
    if (info.arguments[i].name != other || !owner || i == number || textOf(other).starts_with("@"))
      continue;
    auto &tensor = std::get<HostTensor>(arguments.values[number]);
    owner->storage->resize(std::max(owner->storage->size(), tensor.storage->size()), std::byte{0xAB});
    tensor.storage = owner->storage;
    return okStatus();
  }
  return Error{"found --arg " + info.arguments[number].name + "=@" + other +
               "; expected another tensor with memory of its own"};
}

Result<Generator> ArgumentMaker::generatorOf(size_t number) const {
  const runtime::ArgumentInfo &argument = info.arguments[number];
  std::string text = textOf(argument.name);
  if (text.empty())
    return parseGenerator("normal", argument.type);
  if (Result<uint64_t> bits = parseValue(argument.type, text))
    return Generator{Generator::Kind::Const, *bits};
  Result<Generator> generator = parseGenerator(text, argument.type);
  if (!generator)
    return Error{"--arg " + argument.name + ": " + generator.error()};
  return generator;
}

/// Gives the elements their values; what the kernel only writes stays poisoned.
Status ArgumentMaker::fill(size_t number) {
  const runtime::ArgumentInfo &argument = info.arguments[number];
  const auto &tensor = std::get<HostTensor>(arguments.values[number]);
  if (argument.isWritten && !argument.isRead && textOf(argument.name).empty())
    return okStatus();
  int64_t index = 0;
  if (files[number]) {
    const uint8_t *data = files[number]->data.data();
    forEachElement(tensor, [&](int64_t offset) {
      tensor.store(offset, loadBits(tensor.type, data + byteSize(tensor.type) * index++));
    });
    return okStatus();
  }
  Result<Generator> generator = generatorOf(number);
  if (!generator)
    return generator.fault();
  uint64_t seed = options.seed * 1000003 + number;
  forEachElement(tensor,
                 [&](int64_t offset) { tensor.store(offset, generate(*generator, tensor.type, seed, index++)); });
  return okStatus();
}

Result<Arguments> ArgumentMaker::make() {
  if (Status known = checkNames(); !known)
    return known.fault();
  if (Status bound = bindSymbols(); !bound)
    return bound.fault();
  if (Status made = makeScalars(); !made)
    return made.fault();
  std::vector<size_t> tensors, sharers;
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    if (info.arguments[i].kind != runtime::ArgumentInfo::Kind::Tensor)
      continue;
    (textOf(info.arguments[i].name).starts_with("@") ? sharers : tensors).push_back(i);
    if (Status made = makeTensor(i); !made)
      return made.fault();
  }
  for (size_t i : sharers)
    if (Status shared = shareStorage(i); !shared)
      return shared.fault();
  for (size_t i : tensors)
    if (Status filled = fill(i); !filled)
      return filled.fault();
  return std::move(arguments);
}

std::optional<LaunchSize> ArgumentMaker::measure() {
  if (!checkNames() || !bindSymbols() || !makeScalars())
    return std::nullopt;
  LaunchSize size{1, 0};
  for (const runtime::Expr &extent : info.grid) {
    std::optional<int64_t> value = extent.evaluate(arguments.launchValues);
    if (!value || *value < 0 || __builtin_mul_overflow(size.blocks, *value, &size.blocks))
      return std::nullopt;
  }
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    if (info.arguments[i].kind != runtime::ArgumentInfo::Kind::Tensor ||
        textOf(info.arguments[i].name).starts_with("@"))
      continue;
    Result<std::vector<int64_t>> shape = shapeOf(i);
    if (!shape)
      return std::nullopt;
    int64_t bytes = byteSize(info.arguments[i].type);
    for (int64_t extent : *shape)
      if (__builtin_mul_overflow(bytes, extent, &bytes))
        return std::nullopt;
    if (__builtin_add_overflow(size.bytes, bytes, &size.bytes))
      return std::nullopt;
  }
  return size;
}

std::optional<LaunchSize> launchSize(const runtime::KernelInfo &info, const Options &options) {
  return ArgumentMaker(info, options).measure();
}

Result<Arguments> makeArguments(const runtime::KernelInfo &info, const Options &options) {
  return ArgumentMaker(info, options).make();
}

} // namespace tile::run
