// KernelEmitter.cpp - expressions, and how they become statements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelEmitter.h"

#include "Types.h"

#include "tile/Support/OpTable.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tile::cuda {

/// An expression longer than this is named, so that lines stay readable.
static constexpr size_t kLongestInline = 72;
/// The bound of a loop is evaluated by every trip: only what is as cheap as a name is printed there.
static constexpr size_t kLongestBound = 24;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

void KernelEmitter::line(const Twine &statement) {
  out.append(2 * indent, ' ');
  out += statement.str();
  out += '\n';
}

std::optional<std::pair<StringRef, unsigned>> fileAndLine(Location loc) {
  if (auto place = dyn_cast<FileLineColLoc>(loc))
    return std::make_pair(place.getFilename().getValue(), place.getLine());
  if (auto name = dyn_cast<NameLoc>(loc))
    return fileAndLine(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (auto found = fileAndLine(part))
        return found;
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return fileAndLine(call.getCallee());
  return std::nullopt;
}

std::string escaped(StringRef text) {
  static constexpr char kHex[] = "01234567";
  std::string out;
  for (char c : text) {
    unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (byte >= 0x20 && byte < 0x7f && c != '?')
      out += c;
    else // octal: always three digits, so the next character never joins it
      out += {'\\', kHex[byte >> 6], kHex[byte >> 3 & 7], kHex[byte & 7]};
  }
  return out;
}

std::string commentText(StringRef text) {
  std::string out;
  for (char c : text.trim())
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c == '\\' ? '/' : c;
  return out;
}

void KernelEmitter::place(Location loc) {
  if (!options.lineDirectives)
    return;
  if (auto found = fileAndLine(loc))
    out += "#line " + llvm::utostr(found->second) + " \"" + escaped(found->first) + "\"\n";
}

std::string KernelEmitter::nameFor(Value value, StringRef fallback) {
  return names.take(nameOf(value.getLoc()), fallback);
}

FailureOr<ScalarType> KernelEmitter::typeOf(Operation *op, Type type) {
  if (std::optional<ScalarType> known = scalarType(type))
    return *known;
  op->emitError() << "'" << op->getName() << "' has a value of type " << type << ", which has no form in CUDA C";
  return failure();
}

std::string KernelEmitter::element(Value memref, Value index) const {
  Expr at = expr(index);
  // A subscript takes any integer type: the suffix of a small constant says nothing.
  if (at.constant)
    return buffer(memref).name + "[" +
           plainInteger(static_cast<int64_t>(index.getType().isInteger(32) ? static_cast<int32_t>(*at.constant)
                                                                           : static_cast<int64_t>(*at.constant)))
               .text +
           "]";
  return buffer(memref).name + "[" + unwidened(at).text + "]";
}

std::string KernelEmitter::address(Value memref, Value index) const {
  return "&" + element(memref, index);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Expr KernelEmitter::constant(TypedAttr attribute) {
  ScalarType type = *scalarType(attribute.getType());
  text.value(type);
  return literal(type, *bitsOf(attribute));
}

static Freedom freedomOf(Operation *op) {
  Freedom freedom;
  if (auto flags = dyn_cast<arith::ArithFastMathInterface>(op)) {
    arith::FastMathFlags allowed =
        flags.getFastMathFlagsAttr() ? flags.getFastMathFlagsAttr().getValue() : arith::FastMathFlags::none;
    freedom.isApproximate = arith::bitEnumContainsAll(allowed, arith::FastMathFlags::afn);
    freedom.usesReciprocal = arith::bitEnumContainsAll(allowed, arith::FastMathFlags::arcp);
  }
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    freedom.neverWrapsSigned = flags.hasNoSignedWrap();
  return freedom;
}

static CompareOp compareOf(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return static_cast<CompareOp>(compare.getPredicate());
  return static_cast<CompareOp>(static_cast<int>(CompareOp::FFalse) +
                                static_cast<int>(cast<arith::CmpFOp>(op).getPredicate()));
}

/// An operation of the support table.
FailureOr<Expr> KernelEmitter::scalarExpression(Operation *op) {
  if (std::string why = scalarRefusal(op); !why.empty()) {
    op->emitError() << why;
    return failure();
  }
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    return constant(constantOp.getValue());
  StringRef name = op->getName().getStringRef();
  const ScalarOpInfo *info = findScalarOp(std::string_view(name.data(), name.size()));
  // The type of a select is that of its values.
  ScalarType type = *scalarType(op->getOperand(isa<arith::SelectOp>(op) ? 1 : 0).getType());
  ScalarType result = *scalarType(op->getResult(0).getType());
  auto operand = [&](unsigned number) { return expr(op->getOperand(number)); };
  switch (info->kind) {
  case OpKind::Unary:
    return text.unaryOp(static_cast<UnaryOp>(info->code), type, operand(0), freedomOf(op));
  case OpKind::Binary:
    return text.binaryOp(static_cast<BinaryOp>(info->code), type, operand(0), operand(1), freedomOf(op));
  case OpKind::Ternary:
    if (static_cast<TernaryOp>(info->code) == TernaryOp::Select)
      return conditional(operand(0), operand(1), operand(2));
    return text.fma(type, operand(0), operand(1), operand(2));
  case OpKind::Cast:
    return text.castOp(static_cast<CastOp>(info->code), type, result, operand(0));
  case OpKind::CompareI:
  case OpKind::CompareF:
    return text.compare(compareOf(op), type, operand(0), operand(1));
  case OpKind::Constant:
    break;
  }
  return failure();
}

FailureOr<Expr> KernelEmitter::expression(Operation *op) {
  if (isa<simt::ThreadIdOp>(op)) {
    FailureOr<ScalarType> type = typeOf(op, op->getResult(0).getType());
    if (failed(type))
      return failure();
    return cast(text.value(*type), primary("threadIdx.x"));
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Expr> operands;
    for (Value operand : apply.getOperands())
      operands.push_back(expr(operand));
    AffineMap map = apply.getAffineMap();
    return text.affine(map.getResult(0), map.getNumDims(), operands);
  }
  if (auto convert = dyn_cast<simt::ConvertOp>(op)) {
    FailureOr<ScalarType> from = typeOf(op, convert.getValue().getType());
    FailureOr<ScalarType> to = typeOf(op, convert.getType());
    if (failed(from) || failed(to))
      return failure();
    return text.convert(*from, *to, expr(convert.getValue()));
  }
  if (auto shuffled = dyn_cast<simt::ShuffleOp>(op)) {
    FailureOr<ScalarType> type = typeOf(op, shuffled.getType());
    if (failed(type))
      return failure();
    return shuffle(shuffled, *type);
  }
  return scalarExpression(op);
}

/// True of ops whose one result is an expression of their operands.
static bool isExpression(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "arith" || dialect == "math" ||
         isa<affine::AffineApplyOp, simt::ThreadIdOp, simt::ConvertOp, simt::ShuffleOp>(op);
}

bool KernelEmitter::isKeptInline(Operation *op, const Expr &expr) {
  Value result = op->getResult(0);
  // `(long long)i` mostly loses its cast where it is printed.
  if (expr.constant || (expr.text.size() <= kLongestBound && !expr.narrowText.empty() &&
                        expr.narrowBinding == Binding::Primary && isa<arith::ExtSIOp>(op)))
    return true;
  // Where a shuffle stands decides which threads take part.
  if (isa<simt::ShuffleOp>(op) || uses.lookup(result) != 1 || expr.text.size() > kLongestInline)
    return false;
  for (Operation *user : result.getUsers()) {
    if (dead.contains(user))
      continue;
    if (user->getBlock() != op->getBlock())
      return false;
    if (isa<scf::ForOp>(user) && !llvm::is_contained(cast<scf::ForOp>(user).getInitArgs(), result))
      return expr.text.size() <= kLongestBound && expr.text.find_first_of("/%(") == std::string::npos;
  }
  return true;
}

/// A load which a statement of the same block prints once, with expressions alone in between. One from memory that has
/// a name keeps it, unless a branch hands it on under that name.
bool KernelEmitter::isLoadKeptInline(simt::LoadOp load) {
  StringRef name = simt::spaceOf(cast<MemRefType>(load.getBuffer().getType())) == simt::Space::Register
                       ? StringRef()
                       : nameOf(load.getLoc());
  auto branch = dyn_cast<scf::IfOp>(load->getParentOp());
  bool isHandedOn =
      branch && llvm::all_of(load->getUsers(), llvm::IsaPred<scf::YieldOp>) && nameOf(branch.getLoc()) == name;
  if ((!name.empty() && !isHandedOn) || element(load.getBuffer(), load.getIndex()).size() > kLongestInline)
    return false;
  Operation *printer = load;
  do {
    Value value = printer->getResult(0);
    if (uses.lookup(value) != 1)
      return false;
    Operation *user = nullptr;
    for (Operation *candidate : value.getUsers())
      user = dead.contains(candidate) ? user : candidate;
    if (!user || user->getBlock() != load->getBlock())
      return false;
    printer = user;
  } while (isExpression(printer) && !isa<simt::ShuffleOp>(printer));
  bool isYield = branch && isa<scf::YieldOp>(printer);
  if (!isYield && !isa<simt::StoreOp, simt::ShuffleOp>(printer))
    return false;
  for (Operation *between = load->getNextNode(); between != printer; between = between->getNextNode())
    if (!isExpression(between) && !isa<simt::LoadOp>(between))
      return false;
  return true;
}

/// What addresses and guards are made of.
static bool isIndexArithmetic(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp, arith::ShRSIOp, arith::AndIOp, arith::DivUIOp,
             arith::RemUIOp, arith::CmpIOp, affine::AffineApplyOp>(op);
}

StringRef KernelEmitter::shortName(Operation *op) const {
  Value result = op->getResult(0);
  if (isa<simt::ThreadIdOp>(op))
    return "t";
  if (isa<simt::ShuffleOp>(op))
    return "other";
  if (result.getType().isInteger(1))
    return isa<arith::CmpIOp, arith::AndIOp>(op) ? "inside" : "test";
  if (!isIndexArithmetic(op))
    return "v";
  bool isIndex = llvm::any_of(result.getUsers(), [&](Operation *user) {
    if (auto load = dyn_cast<simt::LoadOp>(user))
      return load.getIndex() == result;
    if (auto store = dyn_cast<simt::StoreOp>(user))
      return store.getIndex() == result;
    return isa<simt::MoveOp>(user);
  });
  if (isIndex)
    return "at";
  return result.getType().isInteger(64) ? "base" : "offset";
}

void KernelEmitter::define(Value value, const Expr &expr, StringRef fallback) {
  // The arithmetic of an address carries the name of what is loaded from there.
  Operation *op = value.getDefiningOp();
  bool isOthers = op && isIndexArithmetic(op) && loadedNames.contains(nameOf(value.getLoc()));
  std::string name = isOthers ? names.take("", fallback) : nameFor(value, fallback);
  ScalarType type = *scalarType(value.getType());
  line("const " + text.value(type) + " " + name + " = " + unwidened(expr).text + ";");
  values[value] = primary(name);
}

LogicalResult KernelEmitter::emitPure(Operation *op) {
  FailureOr<Expr> result = expression(op);
  if (failed(result))
    return failure();
  if (isKeptInline(op, *result)) {
    values[op->getResult(0)] = *result;
    return success();
  }
  place(op->getLoc());
  // An initialiser converts by itself.
  define(op->getResult(0), isa<simt::ThreadIdOp>(op) ? primary("threadIdx.x") : *result, shortName(op));
  return success();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<simt::NoteOp>([&](simt::NoteOp note) {
        line("// " + commentText(note.getText()));
        return success();
      })
      .Case<simt::RegistersOp, simt::LocalOp>([&](Operation *storage) { return emitStorage(storage); })
      .Case<simt::SharedOp>([&](simt::SharedOp shared) { return emitShared(shared); })
      .Case<simt::ViewOp>([&](simt::ViewOp view) { return emitView(view); })
      .Case<simt::LoadOp>([&](simt::LoadOp load) { return emitLoad(load); })
      .Case<simt::StoreOp>([&](simt::StoreOp store) { return emitStore(store); })
      .Case<simt::MoveOp>([&](simt::MoveOp move) { return emitMove(move); })
      .Case<simt::AtomicOp>([&](simt::AtomicOp atomic) { return emitAtomic(atomic); })
      .Case<simt::HoldOp>([&](simt::HoldOp hold) { return emitHold(hold); })
      .Case<simt::AwaitOp>([&](Operation *) {
        line(text.help("await_copies", {}).text + ";");
        return success();
      })
      .Case<simt::BarrierOp>([&](Operation *) {
        line("__syncthreads();");
        return success();
      })
      .Case<simt::AssertOp>([&](simt::AssertOp check) {
        line("if (" + unary("!", expr(check.getCondition())).text + ")");
        line("  __trap(); // " + commentText(check.getMessage()));
        return success();
      })
      .Case<simt::CheckOp>([&](simt::CheckOp check) { return emitCheck(check); })
      .Case<simt::PrintOp>([&](simt::PrintOp print) { return emitPrint(print); })
      .Case<scf::ForOp>([&](scf::ForOp loop) { return emitFor(loop); })
      .Case<scf::IfOp>([&](scf::IfOp branch) { return emitIf(branch); })
      .Case<scf::WhileOp>([&](scf::WhileOp loop) { return emitWhile(loop); })
      .Default([&](Operation *unknown) {
        return unknown->emitError() << "'" << unknown->getName() << "' has no form in CUDA C";
      });
}

LogicalResult KernelEmitter::emitOps(llvm::iterator_range<Block::iterator> ops) {
  for (Operation &op : ops) {
    if (dead.contains(&op) || isa<scf::YieldOp, scf::ConditionOp>(op))
      continue;
    if (isExpression(&op)) {
      if (failed(emitPure(&op)))
        return failure();
      continue;
    }
    if (!isa<simt::NoteOp>(op))
      place(op.getLoc());
    if (failed(emitOp(&op)))
      return failure();
  }
  return success();
}

} // namespace tile::cuda
