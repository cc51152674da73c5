// KernelInfo.cpp - what a launch must know, read off the tile kernel and its variants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Compiler/Compiler.h"

#include "tile/Analysis/TileAccess.h"
#include "tile/Evaluate/Evaluate.h"
#include "tile/Target/CUDA/Emitter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using tile::runtime::Expr;

std::string tile::placeOf(Location loc) {
  FileLineColLoc place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "-";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" + Twine(place.getColumn())).str();
}

/// The name the user gave a value, or a number in its place.
static std::string userNameOf(Value value, size_t number) {
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    return name.getName().str();
  return "arg" + std::to_string(number);
}

Expr tile::toExpr(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Expr::constant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return Expr::value(dim.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Expr lhs = toExpr(binary.getLHS());
  Expr rhs = toExpr(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return Expr::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return Expr::floorDiv(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return Expr::ceilDiv(lhs, rhs);
  default:
    llvm_unreachable("every other kind has been handled");
  }
}

static std::vector<std::optional<int64_t>> stridesOf(MemRefType type) {
  if (type.getLayout().isIdentity())
    return {};
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return {};
  std::vector<std::optional<int64_t>> known;
  for (int64_t stride : strides)
    known.push_back(ShapedType::isDynamic(stride) ? std::nullopt : std::optional<int64_t>(stride));
  return known;
}

static std::vector<Expr> extentsOf(Attribute shape, MemRefType type) {
  std::vector<Expr> extents;
  if (auto map = dyn_cast<AffineMapAttr>(shape)) {
    for (AffineExpr extent : map.getValue().getResults())
      extents.push_back(tile::toExpr(extent));
    return extents;
  }
  for (int64_t extent : type.getShape())
    extents.push_back(Expr::constant(extent));
  return extents;
}

/// Marks the arguments that some op reads or writes elements of.
static void markAccesses(tile::KernelOp kernel, tile::runtime::KernelInfo &info) {
  unsigned first = kernel.getNumSymbols();
  kernel.walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value value = effect.getValue();
      auto argument = value ? dyn_cast<BlockArgument>(tile::rootOf(value)) : BlockArgument();
      if (!argument || argument.getOwner() != &kernel.getBody().front() || argument.getArgNumber() < first ||
          argument.getArgNumber() - first >= info.arguments.size())
        continue;
      tile::runtime::ArgumentInfo &used = info.arguments[argument.getArgNumber() - first];
      used.isRead |= isa<MemoryEffects::Read>(effect.getEffect());
      used.isWritten |= isa<MemoryEffects::Write>(effect.getEffect());
    }
  });
}

static void addArguments(tile::KernelOp kernel, tile::runtime::KernelInfo &info) {
  for (auto [number, argument] : llvm::enumerate(kernel.getArguments())) {
    tile::runtime::ArgumentInfo &added = info.arguments.emplace_back();
    added.name = userNameOf(argument, number);
    added.location = tile::placeOf(argument.getLoc());
    auto memref = dyn_cast<MemRefType>(argument.getType());
    added.kind = memref ? tile::runtime::ArgumentInfo::Kind::Tensor : tile::runtime::ArgumentInfo::Kind::Scalar;
    std::optional<tile::ScalarType> type = tile::scalarType(memref ? memref.getElementType() : argument.getType());
    assert(type && "the verifier admits element types of the language only");
    added.type = *type;
    if (memref) {
      added.extents = extentsOf(kernel.getArgShapes()[number], memref);
      added.strides = stridesOf(memref);
    }
  }
  markAccesses(kernel, info);
}

static tile::runtime::Comparison comparisonOf(tile::Comparison comparison) {
  switch (comparison) {
  case tile::Comparison::Eq:
    return tile::runtime::Comparison::Equal;
  case tile::Comparison::Lt:
    return tile::runtime::Comparison::Less;
  case tile::Comparison::Le:
    return tile::runtime::Comparison::LessEqual;
  case tile::Comparison::Gt:
    return tile::runtime::Comparison::Greater;
  case tile::Comparison::Ge:
    return tile::runtime::Comparison::GreaterEqual;
  }
  llvm_unreachable("every comparison has been handled");
}

static void addFacts(tile::KernelOp kernel, tile::runtime::KernelInfo &info) {
  std::optional<AffineMap> map = kernel.getWhereMap();
  if (!map)
    return;
  std::vector<std::string> names = info.launchValueNames();
  for (std::string &name : names)
    name.insert(0, "%");
  for (auto [number, kind] : llvm::enumerate(kernel.getComparisons())) {
    tile::runtime::Fact &fact = info.where.emplace_back();
    fact.lhs = tile::toExpr(map->getResult(2 * number));
    fact.rhs = tile::toExpr(map->getResult(2 * number + 1));
    fact.comparison = comparisonOf(kind);
    fact.text = fact.lhs.text(names) + " " + std::string(spelling(fact.comparison)) + " " + fact.rhs.text(names);
    fact.location = tile::placeOf(kernel.getLoc());
  }
}

static tile::runtime::Parameter parameterOf(tile::simt::ParameterAttr attr) {
  using tile::runtime::Parameter;
  switch (attr.getKind()) {
  case tile::simt::ParameterKind::Tensor:
    return Parameter::pointer(attr.getNumber());
  case tile::simt::ParameterKind::Scalar:
    return Parameter::scalar(attr.getNumber());
  case tile::simt::ParameterKind::Symbol:
    return Parameter::symbol(attr.getNumber());
  case tile::simt::ParameterKind::Stride:
    return Parameter::stride(attr.getNumber(), attr.getDim());
  case tile::simt::ParameterKind::GridExtent:
    return Parameter::gridExtent(attr.getNumber());
  }
  llvm_unreachable("every kind of parameter has been handled");
}

/// Requirements of the arguments; that the grid fits is what `foldsGrid` says.
static void addRequirements(tile::simt::KernelOp kernel, tile::runtime::Variant &variant) {
  using tile::runtime::Requirement;
  ArrayAttr requirements = kernel.getRequirements();
  for (auto attr : requirements.getAsRange<tile::simt::RequirementAttr>()) {
    if (attr.getKind() == tile::simt::RequirementKind::PointerMultiple)
      variant.requirements.push_back(Requirement::pointerMultiple(attr.getNumber(), attr.getBytes()));
    else if (attr.getKind() == tile::simt::RequirementKind::StrideMultiple)
      variant.requirements.push_back(Requirement::strideMultiple(attr.getNumber(), attr.getDim(), attr.getBytes()));
  }
}

static tile::runtime::Variant variantOf(tile::simt::KernelOp kernel, const std::string &entry, int64_t threads) {
  tile::runtime::Variant variant;
  variant.entry = entry;
  int64_t sharedBytes = kernel.getSharedBytes().value_or(0);
  (sharedBytes > tile::cuda::kStaticSharedLimit ? variant.dynamicSharedBytes : variant.staticSharedBytes) = sharedBytes;
  int64_t launchThreads = kernel.getThreads();
  variant.launchThreads = launchThreads == threads ? 0 : launchThreads;
  variant.foldsGrid = kernel.getFolded();
  addRequirements(kernel, variant);
  ArrayAttr parameters = kernel.getParameters();
  for (auto attr : parameters.getAsRange<tile::simt::ParameterAttr>())
    variant.parameters.push_back(parameterOf(attr));
  return variant;
}

tile::runtime::KernelInfo tile::buildKernelInfo(KernelOp kernel, ArrayRef<simt::KernelOp> variants,
                                                ArrayRef<std::string> entries) {
  runtime::KernelInfo info;
  info.name = kernel.getSymName().str();
  info.threads = kernel.getThreads();
  info.minBlocks = kernel.getMinBlocks().value_or(0);
  info.mostAwaitingBlocks = cuda::kMostAwaitingBlocks; // the first call of every entry that is printed
  for (auto [number, symbol] : llvm::enumerate(kernel.getSymbols()))
    info.symbols.push_back(userNameOf(symbol, number));
  addArguments(kernel, info);
  AffineMap grid = kernel.getGrid();
  for (AffineExpr extent : grid.getResults())
    info.grid.push_back(toExpr(extent));
  // The kernel is the one the user wrote; the order was decided on the way to its variants.
  SmallVector<int64_t> order = simt::KernelOp(variants.front()).getLaunchOrder();
  info.blockOrder.assign(order.begin(), order.end());
  addFacts(kernel, info);
  if (std::optional<ArrayAttr> groups = kernel.getDisjoint())
    for (auto group : groups->getAsRange<DenseI64ArrayAttr>())
      info.disjoint.emplace_back(group.asArrayRef().begin(), group.asArrayRef().end());
  for (auto [variant, entry] : llvm::zip_equal(variants, entries))
    info.variants.push_back(variantOf(variant, entry, info.threads));
  return info;
}
