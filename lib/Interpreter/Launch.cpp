// Launch.cpp - checks and binds the values of a launch, and runs the grid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Machine.h"

using namespace mlir;
using namespace tile;

TileMachine::TileMachine(const TileProgram &program, const InterpreterOptions &options)
    : program(program), options(options), views(program.numViews),
      lanes(program.kernel->getAttrOfType<IntegerAttr>("threads").getInt()) {
  slots.lanes = lanes;
  slots.values.assign(slots.lanes * program.numSlots, 0);
  mask.assign((lanes + 63) / 64, ~uint64_t(0));
  if (lanes % 64)
    mask.back() = (uint64_t(1) << (lanes % 64)) - 1;
}

LogicalResult TileMachine::bind(ArrayRef<int64_t> symbols, ArrayRef<HostArgument> arguments) {
  KernelOp kernel = program.kernel;
  if (symbols.size() != program.symbols.size())
    return raise(kernel.getLoc(),
                 "found " + Twine(symbols.size()) + " size symbols; the kernel has " + Twine(program.symbols.size()));
  if (arguments.size() != program.arguments.size())
    return raise(kernel.getLoc(),
                 "found " + Twine(arguments.size()) + " arguments; the kernel has " + Twine(program.arguments.size()));
  for (auto [slot, value, symbol] : llvm::zip_equal(program.symbols, symbols, kernel.getSymbols())) {
    if (value < 0)
      return raise(symbol.getLoc(), "found " + Twine(value) + "; a size is not negative");
    fillRow(slot, value);
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    if (failed(program.arguments[i].first ? bindTensor(i, arguments[i]) : bindScalar(i, arguments[i])))
      return failure();
  return checkWhere();
}

LogicalResult TileMachine::bindScalar(int64_t number, const HostArgument &argument) {
  BlockArgument declared = program.kernel->getRegion(0).getArgument(program.symbols.size() + number);
  const uint64_t *bits = std::get_if<uint64_t>(&argument);
  if (!bits)
    return raise(declared.getLoc(), "argument " + Twine(number) + " is a tensor; the kernel takes a scalar");
  fillRow(program.arguments[number].second, wrap(*scalarType(declared.getType()), *bits));
  return success();
}

LogicalResult TileMachine::bindTensor(int64_t number, const HostArgument &argument) {
  BlockArgument declared = program.kernel->getRegion(0).getArgument(program.symbols.size() + number);
  const HostTensor *tensor = std::get_if<HostTensor>(&argument);
  if (!tensor)
    return raise(declared.getLoc(), "argument " + Twine(number) + " is a scalar; the kernel takes a tensor");
  if (failed(checkShape(number, *tensor)) || failed(checkStorage(number, *tensor)))
    return failure();
  BufferView result;
  result.value = declared;
  result.type = tensor->type;
  result.shape.assign(tensor->shape.begin(), tensor->shape.end());
  result.makeContiguous();
  for (auto [stride, elements] : llvm::zip_equal(result.strides, tensor->strides))
    stride = elements * byteSize(tensor->type);
  result.offset = tensor->offset * byteSize(tensor->type);
  if (tensor->storage) {
    Storage &storage = globals[tensor->storage.get()];
    storage.data = tensor->storage->data();
    storage.bytes = tensor->storage->size();
    result.storage = &storage;
    kept.push_back(tensor->storage);
  }
  views[program.arguments[number].second].assign(1, result);
  return success();
}

/// Type, rank and extents, those written in the type and those in the argument's bracket.
LogicalResult TileMachine::checkShape(int64_t number, const HostTensor &tensor) {
  BlockArgument declared = program.kernel->getRegion(0).getArgument(program.symbols.size() + number);
  auto type = cast<MemRefType>(declared.getType());
  if (tensor.type != scalarType(type.getElementType())) {
    std::string_view found = name(tensor.type), expected = name(*scalarType(type.getElementType()));
    return raise(declared.getLoc(), "argument " + Twine(number) + " has elements of " +
                                        StringRef(found.data(), found.size()) + "; the kernel takes " +
                                        StringRef(expected.data(), expected.size()));
  }
  if (static_cast<int64_t>(tensor.shape.size()) != type.getRank() || tensor.strides.size() != tensor.shape.size())
    return raise(declared.getLoc(), "argument " + Twine(number) + " has rank " + Twine(tensor.shape.size()) +
                                        "; the kernel takes rank " + Twine(type.getRank()));
  SmallVector<int64_t> expected(type.getShape());
  const AffineSums &bracket = program.argumentShapes[number];
  for (size_t d = 0; d < bracket.size() && d < expected.size(); ++d)
    if (ShapedType::isDynamic(expected[d]))
      expected[d] = bracket[d].evaluate(slots, 0).value_or(ShapedType::kDynamic);
  for (auto [d, found] : llvm::enumerate(tensor.shape))
    if (found < 0 || (!ShapedType::isDynamic(expected[d]) && found != expected[d]))
      return raise(declared.getLoc(), "argument " + Twine(number) + " has extent " + Twine(found) + " in dimension " +
                                          Twine(d) + "; the kernel takes " + Twine(expected[d]));
  return success();
}

/// Every element must lie inside the tensor's storage.
LogicalResult TileMachine::checkStorage(int64_t number, const HostTensor &tensor) {
  BlockArgument declared = program.kernel->getRegion(0).getArgument(program.symbols.size() + number);
  if (!tensor.storage || countPoints(tensor.shape) == 0)
    return success();
  bool overflowed = false;
  int64_t first = tensor.offset, last = tensor.offset, reach;
  for (auto [extent, stride] : llvm::zip_equal(tensor.shape, tensor.strides)) {
    overflowed |= llvm::MulOverflow(extent - 1, stride, reach);
    overflowed |= llvm::AddOverflow(reach < 0 ? first : last, reach, reach < 0 ? first : last);
  }
  int64_t capacity = tensor.storage->size() / byteSize(tensor.type);
  if (!overflowed && first >= 0 && last < capacity)
    return success();
  return raise(declared.getLoc(), "argument " + Twine(number) + " has elements from " + Twine(first) + " to " +
                                      Twine(last) + " of a storage of " + Twine(capacity));
}

static bool holds(Comparison comparison, int64_t lhs, int64_t rhs) {
  switch (comparison) {
  case Comparison::Eq:
    return lhs == rhs;
  case Comparison::Lt:
    return lhs < rhs;
  case Comparison::Le:
    return lhs <= rhs;
  case Comparison::Gt:
    return lhs > rhs;
  case Comparison::Ge:
    return lhs >= rhs;
  }
  return false;
}

LogicalResult TileMachine::checkWhere() {
  KernelOp kernel = program.kernel;
  for (auto [i, comparison] : llvm::enumerate(kernel.getComparisons())) {
    if (2 * i + 1 >= program.where.size())
      return success();
    std::optional<int64_t> lhs = program.where[2 * i].evaluate(slots, 0),
                           rhs = program.where[2 * i + 1].evaluate(slots, 0);
    if (!lhs || !rhs || !holds(comparison, *lhs, *rhs))
      return raise(kernel.getLoc(), "condition " + Twine(i) + " of where does not hold: found " +
                                        Twine(lhs.value_or(0)) + " " + stringifyComparison(comparison) + " " +
                                        Twine(rhs.value_or(0)));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

LogicalResult TileMachine::runGrid() {
  KernelOp kernel = program.kernel;
  SmallVector<int64_t, 3> grid;
  for (auto [axis, sum] : llvm::enumerate(program.grid)) {
    grid.push_back(sum.evaluate(slots, 0).value_or(-1));
    if (grid.back() < 0)
      return raise(kernel.getLoc(),
                   "found " + Twine(grid.back()) + " blocks in axis " + Twine(axis) + "; a grid is not negative");
  }
  if (!options.blocks.empty()) {
    for (const std::array<int64_t, 3> &chosen : options.blocks) {
      SmallVector<int64_t, 3> id(chosen.begin(), chosen.begin() + std::min<size_t>(3, grid.size()));
      for (auto [axis, extent] : llvm::enumerate(ArrayRef<int64_t>(grid).take_front(3)))
        if (id[axis] < 0 || id[axis] >= extent)
          return raise(kernel.getLoc(), "found block " + coordinateText(id) + " of a grid of " + coordinateText(grid));
      if (failed(runBlock(id)))
        return failure();
    }
    return success();
  }
  // The first axis runs fastest, as the hardware numbers blocks.
  SmallVector<int64_t, 3> reversed(llvm::reverse(grid)), index(grid.size(), 0);
  for (int64_t i = 0, count = countPoints(grid); i < count; ++i, nextIndex(index, reversed))
    if (failed(runBlock(SmallVector<int64_t, 3>(llvm::reverse(index)))))
      return failure();
  return success();
}

LogicalResult TileMachine::runBlock(ArrayRef<int64_t> id) {
  block.assign(id.begin(), id.end());
  for (auto [slot, value] : llvm::zip(program.blockIds, id))
    fillRow(slot, value);
  return run(program.body);
}

std::optional<Fault> tile::interpret(KernelOp kernel, ArrayRef<int64_t> symbols, ArrayRef<HostArgument> arguments,
                                     const InterpreterOptions &options) {
  TileProgram program;
  if (std::optional<Fault> fault = prepareKernel(kernel, program))
    return fault;
  TileMachine machine(program, options);
  if (failed(machine.bind(symbols, arguments)) || failed(machine.runGrid()))
    return machine.fault;
  return std::nullopt;
}
