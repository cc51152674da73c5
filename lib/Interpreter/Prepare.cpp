// Prepare.cpp - makes a kernel ready to run: launch values, scalars, control flow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Preparer.h"
#include "tile/Support/OpTable.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

std::string tile::quoted(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << '\'' << type << '\'';
  return text;
}

LogicalResult Preparer::raise(Operation *op, const Twine &text) {
  fault = Fault{op->getLoc(), text.str()};
  return failure();
}

bool Preparer::isOutsideParallel(Value value) const {
  return parallelOp && !parallelOp->getRegion(0).isAncestor(value.getParentRegion());
}

/// The slots of scalars, made on first sight.
LogicalResult Preparer::slotsOf(Operation *op, ValueRange values, SmallVectorImpl<int> &slots) {
  for (Value value : values) {
    if (!scalarType(value.getType()))
      return raise(op,
                   "found a value of type " + quoted(value.getType()) + "; scalars are of the element types or index");
    auto [entry, isNew] = scalarNumbers.try_emplace(value, program.numSlots);
    program.numSlots += isNew;
    slots.push_back(entry->second);
    std::pair<int, Value> capture(entry->second, value);
    if (isOutsideParallel(value) && !llvm::is_contained(parallel->captures, capture))
      parallel->captures.push_back(capture);
  }
  return success();
}

/// The number of a buffer, made on first sight.
LogicalResult Preparer::buffer(Operation *op, Value value, int &number) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type)
    return raise(op, "found a value of type " + quoted(value.getType()) + "; a memref is expected");
  std::optional<ScalarType> element = scalarType(type.getElementType());
  if (!element || *element == ScalarType::Index || spaceOf(type) == Space::Other)
    return raise(op, "found the buffer type " + quoted(type) + ", which is not of the language");
  if (parallelOp && spaceOf(type) == Space::Local)
    return raise(op, "uses a private array inside parallel, where there are no threads");
  auto [entry, isNew] = viewNumbers.try_emplace(value, program.numViews);
  program.numViews += isNew;
  number = entry->second;
  program.granuleBytes = std::min(program.granuleBytes, byteSize(*element));
  std::pair<int, Value> capture(number, value);
  if (isOutsideParallel(value) && !llvm::is_contained(parallel->capturedViews, capture))
    parallel->capturedViews.push_back(capture);
  return success();
}

LogicalResult Preparer::bracket(Operation *op, AffineMap map, ValueRange operands, AffineSums &sums) {
  SmallVector<int> slots;
  if (failed(slotsOf(op, operands, slots)))
    return failure();
  if (map.getNumInputs() != slots.size())
    return raise(op,
                 "has a bracket of " + Twine(map.getNumInputs()) + " inputs and " + Twine(slots.size()) + " values");
  for (AffineExpr expr : map.getResults())
    sums.push_back(AffineSum::build(expr, slots, map.getNumDims()));
  return success();
}

LogicalResult Preparer::literal(Operation *op, Attribute attribute, TileInstruction &inst) {
  std::optional<uint64_t> bits = attribute ? bitsOf(attribute) : std::nullopt;
  if (!bits)
    return raise(op, "has a literal that is no number of the language");
  inst.bits = *bits;
  return success();
}

/// Marks an operation that runs once for the block.
LogicalResult Preparer::blockWide(Operation *op, TileInstruction &inst, bool isBlockWide) {
  if (isBlockWide && parallelOp)
    return raise(op, "'" + op->getName().getStringRef() + "' inside parallel; block-wide operations stand outside");
  inst.isBlockWide = isBlockWide;
  return success();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

LogicalResult Preparer::prepareKernel(KernelOp kernel) {
  program.kernel = kernel;
  if (failed(prepareLaunch(kernel)))
    return failure();
  return prepareBody(*kernel.getBody().begin(), program.body);
}

LogicalResult Preparer::prepareLaunch(KernelOp kernel) {
  if (kernel.getThreads() < 1 || kernel.getThreads() > 1024)
    return raise(kernel, "found " + Twine(kernel.getThreads()) + " threads; a block has 1 to 1024");
  if (failed(slotsOf(kernel, ValueRange(kernel.getSymbols()), program.symbols)) ||
      failed(slotsOf(kernel, ValueRange(kernel.getBlockIds()), program.blockIds)))
    return failure();
  for (auto [argument, shape] : llvm::zip_equal(kernel.getArguments(), kernel.getArgShapes())) {
    bool isBuffer = isa<MemRefType>(argument.getType());
    int number = 0;
    SmallVector<int, 1> slot;
    if (failed(isBuffer ? buffer(kernel, argument, number) : slotsOf(kernel, argument, slot)))
      return failure();
    program.arguments.push_back({isBuffer, isBuffer ? number : slot.front()});
    AffineSums &extents = program.argumentShapes.emplace_back();
    auto map = dyn_cast<AffineMapAttr>(shape);
    if (map && failed(bracket(kernel, map.getValue(), ValueRange(kernel.getSymbols()), extents)))
      return failure();
  }
  SmallVector<Value> launchValues = kernel.getLaunchValues();
  if (std::optional<AffineMap> where = kernel.getWhereMap();
      where && failed(bracket(kernel, *where, launchValues, program.where)))
    return failure();
  return bracket(kernel, kernel.getGrid(), launchValues, program.grid);
}

LogicalResult Preparer::prepareBody(Block &block, TileBody &body) {
  // The arguments of a kernel are its launch values: prepareLaunch has seen to them.
  Operation *parent = block.getParentOp();
  if (!isa<KernelOp>(parent) && failed(slotsOf(parent, ValueRange(block.getArguments()), body.arguments)))
    return failure();
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      return prepareTerminator(&op, body);
    TileInstruction inst;
    inst.op = &op;
    if (failed(prepareOp(&op, inst)))
      return failure();
    body.instructions.push_back(std::move(inst));
  }
  return success();
}

LogicalResult Preparer::prepareTerminator(Operation *op, TileBody &body) {
  if (isa<scf::YieldOp>(op))
    return slotsOf(op, op->getOperands(), body.yields);
  auto condition = dyn_cast<scf::ConditionOp>(op);
  if (!condition)
    return raise(op, "the interpreter does not know '" + op->getName().getStringRef() + "'");
  SmallVector<int, 1> slot;
  if (failed(slotsOf(op, condition.getCondition(), slot)))
    return failure();
  body.condition = slot.front();
  return slotsOf(op, condition.getArgs(), body.yields);
}

LogicalResult Preparer::prepareOp(Operation *op, TileInstruction &inst) {
  if (isa<TileDialect>(op->getDialect()))
    return prepareTileOp(op, inst);
  if (isa<scf::SCFDialect>(op->getDialect()))
    return prepareControl(op, inst);
  if (auto dim = dyn_cast<memref::DimOp>(op))
    return prepareDim(dim, inst);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    inst.run = &TileMachine::runApply;
    return success(succeeded(bracket(op, apply.getAffineMap(), apply.getMapOperands(), inst.map)) &&
                   succeeded(slotsOf(op, op->getResults(), inst.results)));
  }
  return prepareScalar(op, inst);
}

LogicalResult Preparer::prepareDim(memref::DimOp op, TileInstruction &inst) {
  inst.run = &TileMachine::runDim;
  return success(succeeded(buffer(op, op.getSource(), inst.buffer)) &&
                 succeeded(slotsOf(op, op.getIndex(), inst.operands)) &&
                 succeeded(slotsOf(op, op->getResults(), inst.results)));
}

//===----------------------------------------------------------------------===//
// Scalars and control flow
//===----------------------------------------------------------------------===//

LogicalResult Preparer::prepareScalar(Operation *op, TileInstruction &inst) {
  StringRef name = op->getName().getStringRef();
  if (!findScalarOp(std::string_view(name.data(), name.size())))
    return raise(op, "the interpreter does not know '" + name + "'");
  inst.run = &TileMachine::runScalar;
  inst.scalar = scalarFunction(op);
  if (!inst.scalar)
    return raise(op, scalarRefusal(op));
  return success(succeeded(slotsOf(op, op->getOperands(), inst.operands)) &&
                 succeeded(slotsOf(op, op->getResults(), inst.results)));
}

LogicalResult Preparer::prepareControl(Operation *op, TileInstruction &inst) {
  bool isKnown = llvm::TypeSwitch<Operation *, bool>(op)
                     .Case([&](scf::IfOp) { return inst.run = &TileMachine::runIf, true; })
                     .Case([&](scf::ForOp) { return inst.run = &TileMachine::runFor, true; })
                     .Case([&](scf::WhileOp) { return inst.run = &TileMachine::runWhile, true; })
                     .Default([](Operation *) { return false; });
  if (!isKnown)
    return raise(op, "the interpreter does not know '" + op->getName().getStringRef() + "'");
  if (failed(slotsOf(op, op->getOperands(), inst.operands)) || failed(slotsOf(op, op->getResults(), inst.results)))
    return failure();
  if (op->getNumOperands() > 0)
    inst.type = *scalarType(op->getOperand(0).getType());
  for (Region &region : op->getRegions()) {
    TileBody &body = inst.bodies.emplace_back();
    if (!region.empty() && failed(prepareBody(region.front(), body)))
      return failure();
  }
  return success();
}

std::optional<Fault> tile::prepareKernel(KernelOp kernel, TileProgram &program) {
  Preparer preparer(program);
  if (succeeded(preparer.prepareKernel(kernel)))
    return std::nullopt;
  return preparer.fault;
}
