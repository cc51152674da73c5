// Statements.cpp - storage, memory accesses, atomics, shuffles and output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelEmitter.h"

#include "Types.h"

#include "dialects/Tile/Checks.h"
#include "dialects/Tile/TileOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir;

namespace tile::cuda {

static Type elementType(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitStorage(Operation *op) {
  Value result = op->getResult(0);
  FailureOr<ScalarType> type = typeOf(op, elementType(result));
  if (failed(type))
    return failure();
  std::string name = nameFor(result, "r");
  // A C array has at least one element. 16 bytes: any move may start at a multiple of its width.
  int64_t count = std::max<int64_t>(cast<MemRefType>(result.getType()).getNumElements(), 1);
  line("alignas(16) " + text.memory(*type) + " " + name + "[" + llvm::itostr(count) + "];");
  buffers[result] = {name, false};
  return success();
}

LogicalResult KernelEmitter::emitShared(simt::SharedOp op) {
  FailureOr<ScalarType> type = typeOf(op, elementType(op.getResult()));
  if (failed(type))
    return failure();
  std::string name = nameFor(op.getResult(), "shared");
  std::string c = text.memory(*type).str();
  line(c + " *" + name + " = reinterpret_cast<" + c + " *>(&arena[" + llvm::itostr(*op.getOffset()) + "]);");
  buffers[op.getResult()] = {name, false};
  return success();
}

LogicalResult KernelEmitter::emitView(simt::ViewOp op) {
  FailureOr<ScalarType> from = typeOf(op, elementType(op.getSource())), to = typeOf(op, elementType(op.getResult()));
  if (failed(from) || failed(to))
    return failure();
  Buffer source = buffer(op.getSource());
  std::string qualifier = source.isConst ? "const " : "";
  std::string name = nameFor(op.getResult(), source.name);
  std::string c = qualifier + text.memory(*to).str() + " *";
  int64_t offset = static_cast<int64_t>(op.getOffset()), bytes = byteSize(*from);
  std::string start = source.name;
  if (offset % bytes != 0)
    start = "reinterpret_cast<" + qualifier + "unsigned char *>(" + source.name + ") + " + llvm::itostr(offset);
  else if (offset != 0)
    start = "&" + source.name + "[" + llvm::itostr(offset / bytes) + "]";
  bool isSame = *from == *to && offset % bytes == 0;
  line(c + name + " = " + (isSame ? start : "reinterpret_cast<" + c + ">(" + start + ")") + ";");
  buffers[op.getResult()] = {name, source.isConst};
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::checkWritable(Operation *op, Value memref) {
  if (!buffer(memref).isConst)
    return success();
  return op->emitError() << "'" << op->getName() << "' writes '" << buffer(memref).name
                         << "'; the kernel lists that parameter as only read";
}

LogicalResult KernelEmitter::emitLoad(simt::LoadOp op) {
  FailureOr<ScalarType> type = typeOf(op, op.getType());
  if (failed(type))
    return failure();
  // Any byte but 0 is true.
  std::string suffix = *type == ScalarType::I1 ? " != 0" : "";
  Expr loaded = primary(element(op.getBuffer(), op.getIndex()) + suffix);
  if (!suffix.empty())
    loaded.binding = Binding::Equal;
  if (isLoadKeptInline(op))
    values[op.getResult()] = loaded;
  else
    define(op.getResult(), loaded, "v");
  return success();
}

LogicalResult KernelEmitter::emitStore(simt::StoreOp op) {
  if (failed(typeOf(op, op.getValue().getType())) || failed(checkWritable(op, op.getBuffer())))
    return failure();
  line(element(op.getBuffer(), op.getIndex()) + " = " + expr(op.getValue()).text + ";");
  return success();
}

LogicalResult KernelEmitter::emitMove(simt::MoveOp op) {
  if (failed(checkWritable(op, op.getTarget())))
    return failure();
  bool isStore = simt::spaceOf(op.getTarget().getType()) == simt::Space::Global;
  Expr to = primary(address(op.getTarget(), op.getTargetIndex())),
       from = primary(address(op.getSource(), op.getSourceIndex()));
  if (op.getAsync()) {
    line(text.help("copy_async", {to, from, primary(llvm::utostr(op.getBytes()))}).text + ";");
    return success();
  }
  using Names = std::tuple<uint64_t, StringRef, StringRef, StringRef, StringRef>;
  StringRef helper;
  for (auto [bytes, move, store, keep, stream] : {Names{1, "move1", "move1", "", ""},
                                                  {2, "move2", "move2", "", ""},
                                                  {4, "move4", "move4", "move4_keep", "move4_streaming"},
                                                  {8, "move8", "store8", "move8_keep", "move8_streaming"},
                                                  {16, "move16", "store16", "move16_keep", "move16_streaming"}})
    if (bytes == op.getBytes())
      helper = op.getStreams() ? stream : op.getKeep() ? keep : isStore ? store : move;
  SmallVector<Expr> arguments = {to, from};
  if (op.getStreams())
    arguments.push_back(expr(op.getStreams()));
  line(text.help(helper, arguments).text + ";");
  return success();
}

LogicalResult KernelEmitter::emitHold(simt::HoldOp op) {
  auto type = cast<MemRefType>(op.getRegisters().getType());
  int64_t words = type.getNumElements() * elementBytes(type.getElementType()) / simt::kRegisterBytes;
  Expr registers = primary("&" + buffer(op.getRegisters()).name + "[0]");
  line(text.help("hold_words", {registers, primary(llvm::itostr(words))}).text + ";");
  return success();
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// The CUDA function of an integer atomic.
static StringRef atomicName(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
    return "atomicAdd";
  case AtomicKind::Max:
  case AtomicKind::UMax:
    return "atomicMax";
  case AtomicKind::Min:
  case AtomicKind::UMin:
    return "atomicMin";
  case AtomicKind::And:
    return "atomicAnd";
  case AtomicKind::Or:
    return "atomicOr";
  case AtomicKind::Xor:
    return "atomicXor";
  case AtomicKind::Exchange:
    return "atomicExch";
  }
  return "";
}

/// True where CUDA has the function on the unsigned type only, or the order is unsigned.
static bool actsOnUnsigned(AtomicKind kind, ScalarType type) {
  if (kind == AtomicKind::UMax || kind == AtomicKind::UMin)
    return true;
  return type == ScalarType::I64 && kind != AtomicKind::Max && kind != AtomicKind::Min;
}

/// The helper that combines two floats in a compare-and-swap loop, or an empty string.
static StringRef loopCombiner(AtomicKind kind, ScalarType type) {
  bool isMax = kind == AtomicKind::Max;
  if (!isMax && kind != AtomicKind::Min)
    return kind == AtomicKind::Exchange && bitWidth(type) == 16 && isFloat(type) ? "second_b16" : "";
  switch (type) {
  case ScalarType::F16:
    return isMax ? "maximum_f16" : "minimum_f16";
  case ScalarType::BF16:
    return isMax ? "maximum_bf16" : "minimum_bf16";
  case ScalarType::F32:
    return isMax ? "maximum_f32" : "minimum_f32";
  case ScalarType::F64:
    return isMax ? "maximum_f64" : "minimum_f64";
  default:
    return "";
  }
}

FailureOr<Expr> KernelEmitter::atomicCall(simt::AtomicOp op, ScalarType type, const std::string &place,
                                          const Expr &value) {
  AtomicKind kind = op.getKind();
  Expr at = primary(place);
  bool wantsOld = op.getOld() && isUsed(op.getOld());
  if (type == ScalarType::I32 || type == ScalarType::I64) {
    if (!actsOnUnsigned(kind, type))
      return call(atomicName(kind), {at, value});
    Expr word = primary(("reinterpret_cast<" + unsignedType(type) + " *>(" + place + ")").str());
    Expr old = call(atomicName(kind), {word, text.unsignedOf(type, value)});
    return wantsOld ? cast(text.value(type), old) : old;
  }
  if (StringRef combiner = loopCombiner(kind, type); !combiner.empty()) {
    StringRef loop = bitWidth(type) == 16 ? "atomic_loop16" : bitWidth(type) == 32 ? "atomic_loop32" : "atomic_loop64";
    text.help(combiner, {});
    text.help(loop, {});
    return call((loop + "<" + combiner + ">").str(), {at, value});
  }
  if (kind == AtomicKind::Add && type == ScalarType::F16)
    return text.help(wantsOld ? "atomic_add_f16" : "reduce_add_f16", {at, value});
  if (kind == AtomicKind::Add && type == ScalarType::BF16)
    return text.help(wantsOld ? "atomic_add_bf16" : "reduce_add_bf16", {at, value});
  if ((kind == AtomicKind::Add && type == ScalarType::F64) ||
      ((kind == AtomicKind::Add || kind == AtomicKind::Exchange) && type == ScalarType::F32))
    return call(atomicName(kind), {at, value});
  if (kind == AtomicKind::Exchange && type == ScalarType::F64)
    return call("__longlong_as_double",
                {call("atomicExch", {primary("reinterpret_cast<unsigned long long *>(" + place + ")"),
                                     call("__double_as_longlong", {value})})});
  op.emitError() << "atomic '" << stringifyAtomicKind(kind) << "' on " << op.getValue().getType()
                 << " has no form in CUDA C";
  return failure();
}

LogicalResult KernelEmitter::emitAtomic(simt::AtomicOp op) {
  FailureOr<ScalarType> type = typeOf(op, op.getValue().getType());
  if (failed(type) || failed(checkWritable(op, op.getBuffer())))
    return failure();
  FailureOr<Expr> old = atomicCall(op, *type, address(op.getBuffer(), op.getIndex()), expr(op.getValue()));
  if (failed(old))
    return failure();
  if (op.getOld() && isUsed(op.getOld()))
    define(op.getOld(), *old, "old");
  else
    line(old->text + ";");
  return success();
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// The lane a shuffle reads, of a thread whose own lane is `own`.
static Expr sourceLane(simt::ShuffleMode mode, const Expr &own, const Expr &amount) {
  switch (mode) {
  case simt::ShuffleMode::Xor:
    return binary("^", own, amount);
  case simt::ShuffleMode::Up:
    return binary("-", own, amount);
  case simt::ShuffleMode::Down:
    return binary("+", own, amount);
  case simt::ShuffleMode::Index:
    return amount;
  }
  return own;
}

static StringRef shuffleName(simt::ShuffleMode mode) {
  switch (mode) {
  case simt::ShuffleMode::Xor:
    return "__shfl_xor_sync";
  case simt::ShuffleMode::Up:
    return "__shfl_up_sync";
  case simt::ShuffleMode::Down:
    return "__shfl_down_sync";
  case simt::ShuffleMode::Index:
    return "__shfl_sync";
  }
  return "";
}

Expr KernelEmitter::shuffle(simt::ShuffleOp op, ScalarType type) {
  // CUDA shuffles 32 and 64 bits; narrower values travel as int.
  bool isNarrow = bitWidth(type) < 32;
  Expr value = isNarrow ? cast("int", expr(op.getValue())) : expr(op.getValue());
  Expr amount = expr(op.getLane());
  if (amount.constant)
    amount = plainInteger(op.getLane().getType().isIndex() ? static_cast<int64_t>(*amount.constant)
                                                           : static_cast<int32_t>(*amount.constant));
  else if (op.getLane().getType().isIndex())
    amount = cast("int", amount);
  Expr lanes = primary(lanesText), result;
  // The hardware's own answer is ours where all 32 lanes exist and the amount is one of 0 ... 31. Of the number of a
  // lane it takes five bits, as we do.
  bool isPlain = op.getMode() == simt::ShuffleMode::Index || (amount.constant && *amount.constant < 32);
  if (kernel.getThreads() % 32 == 0 && isPlain) {
    result = call(shuffleName(op.getMode()), {lanes, value, amount});
  } else {
    Expr lane = sourceLane(op.getMode(), primary("(int)(threadIdx.x & 31)"), amount);
    result = call("__shfl_sync", {lanes, value, text.help("lane_or_own", {lanes, lane})});
  }
  return isNarrow ? cast(text.value(type), result) : result;
}

/// Text that printf prints as it is.
static std::string printable(StringRef text) {
  std::string format = escaped(text);
  for (size_t at = format.find('%'); at != std::string::npos; at = format.find('%', at + 2))
    format.insert(at, "%");
  return format;
}

/// How printf shows a value of that type.
static StringRef printFormat(ScalarType type) {
  if (isFloat(type))
    return "%g";
  return bitWidth(type) == 64 ? "%lld" : "%d";
}

LogicalResult KernelEmitter::emitPrint(simt::PrintOp op) {
  std::string format = printable(op.getLabel()), arguments;
  for (Value shown : op.getValues()) {
    FailureOr<ScalarType> type = typeOf(op, shown.getType());
    if (failed(type))
      return failure();
    format += " " + printFormat(*type).str();
    Expr value = expr(shown);
    if (isFloat(*type))
      value = text.convert(*type, ScalarType::F64, value);
    else if (bitWidth(*type) < 32)
      value = cast("int", value);
    arguments += ", " + value.text;
  }
  line("printf(\"" + format + "\\n\"" + arguments + ");");
  return success();
}

LogicalResult KernelEmitter::emitCheck(simt::CheckOp op) {
  std::string format, arguments;
  if (auto found = fileAndLine(op.getLoc()))
    format = printable(found->first) + ":" + llvm::utostr(found->second) + ": ";
  format += "error: ";
  StringRef rest = op.getMessage();
  for (Value shown : op.getValues()) {
    auto [before, after] = rest.split("{}");
    format += printable(before) + "%lld";
    bool isWide = shown.getType().isIndex() || shown.getType().isInteger(64);
    arguments += ", " + (isWide ? expr(shown) : cast("long long", expr(shown))).text;
    rest = after;
  }
  line("if (" + unary("!", expr(op.getCondition())).text + ") {");
  ++indent;
  line(text.help("claim_fault", {}).text + ";");
  line("printf(\"" + format + printable(rest) + "\\n\"" + arguments + ");");
  line("__trap();");
  --indent;
  line("}");
  return success();
}

} // namespace tile::cuda
