// CompileAccess.cpp - buffers as bytes of tensors, of the shared arena and of arrays; the accesses to them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Simulator/Compiler.h"

#include "tile/Support/Numerics.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tile::simt {

/// Above what any device has.
static constexpr int64_t kMostSharedBytes = 1 << 20;
static constexpr int64_t kMostArrayBytes = 512 << 10;

static int64_t bytesOf(const Buffer &buffer) {
  return buffer.elements * byteSize(buffer.type);
}

/// The largest power of two, at most 16, that divides all the places where elements of the buffer begin.
static int granuleOf(const Buffer &buffer) {
  int granule = static_cast<int>(byteSize(buffer.type));
  while (buffer.base % granule != 0)
    granule /= 2;
  return granule;
}

void Compiler::noteGranule(const Buffer &buffer) {
  if (buffer.space == Space::Shared)
    program.sharedGranule = std::min(program.sharedGranule, granuleOf(buffer));
  if (buffer.space == Space::Global)
    program.tensors[buffer.root].granule = std::min(program.tensors[buffer.root].granule, granuleOf(buffer));
}

bool Compiler::bindArguments() {
  KernelOp kernel = program.kernel;
  for (auto [i, value] : llvm::enumerate(kernel.getParameterValues())) {
    ParameterAttr parameter = kernel.getParameter(i);
    auto memref = dyn_cast<MemRefType>(value.getType());
    if ((parameter.getKind() == ParameterKind::Tensor) != static_cast<bool>(memref))
      return refuse(kernel, "parameter " + Twine(i) + " is a " + stringifyParameterKind(parameter.getKind()) +
                                "; tensors and nothing else are buffers");
    if (!memref) {
      slots[value] = fixedSlot(FixedSlot::Parameter, i);
      continue;
    }
    std::optional<ScalarType> type = scalarType(memref.getElementType());
    if (!type || *type == ScalarType::Index || memref.getRank() != 1 || spaceOf(memref) != Space::Global)
      return refuse(kernel,
                    "parameter " + Twine(i) + " is no global buffer of one dimension with elements of the language");
    buffers[value] = {Space::Global, static_cast<int32_t>(program.tensors.size()), 0, -1, *type};
    program.tensors.push_back({parameter.getNumber(), *type, false, 16});
  }
  for (auto [axis, value] : llvm::enumerate(kernel.getBlockIds()))
    slots[value] = fixedSlot(FixedSlot::BlockId, axis);
  return true;
}

/// Lays out the arena: buffers with a place of their own there, the others one after another behind.
bool Compiler::placeShared() {
  auto limit = static_cast<int64_t>(program.kernel.getSharedBytes().value_or(-1));
  int64_t end = std::max<int64_t>(limit, 0);
  SmallVector<SharedOp> unplaced;
  WalkResult walked = program.kernel.getBody().walk([&](SharedOp op) -> WalkResult {
    std::optional<ScalarType> type = scalarType(cast<MemRefType>(op.getType()).getElementType());
    if (!type || *type == ScalarType::Index) {
      refuse(op, "'simt.shared' has elements of a type that is not of the language");
      return WalkResult::interrupt();
    }
    Buffer buffer = {Space::Shared, 0, static_cast<int64_t>(op.getOffset().value_or(0)),
                     cast<MemRefType>(op.getType()).getDimSize(0), *type};
    if (!op.getOffset()) {
      unplaced.push_back(op);
    } else if (buffer.base < 0 || (limit >= 0 && buffer.base + bytesOf(buffer) > limit)) {
      refuse(op, "buffer lies at bytes " + Twine(buffer.base) + " to " + Twine(buffer.base + bytesOf(buffer)) +
                     " of a shared arena of " + Twine(limit) + " bytes");
      return WalkResult::interrupt();
    }
    buffers[op.getResult()] = buffer;
    if (op.getOffset())
      end = std::max(end, buffer.base + bytesOf(buffer));
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return false;
  for (SharedOp op : unplaced) {
    Buffer &buffer = buffers[op.getResult()];
    buffer.base = llvm::alignTo(end, std::max<int64_t>(op.getAlign(), 16));
    end = buffer.base + bytesOf(buffer);
  }
  program.sharedBytes = end;
  if (end > kMostSharedBytes)
    return refuse(program.kernel,
                  "shared arena of " + Twine(end) + " bytes; the simulator holds at most " + Twine(kMostSharedBytes));
  return true;
}

bool Compiler::compileStorage(Operation &op) {
  if (auto shared = dyn_cast<SharedOp>(op)) {
    noteGranule(buffers[shared.getResult()]);
    return true; // placed before
  }
  if (auto view = dyn_cast<ViewOp>(op))
    return compileView(view);
  return compileArray(op);
}

bool Compiler::compileArray(Operation &op) {
  auto memref = cast<MemRefType>(op.getResult(0).getType());
  std::optional<ScalarType> type = scalarType(memref.getElementType());
  if (!type || *type == ScalarType::Index)
    return refuse(&op, "'" + op.getName().getStringRef() + "' has elements of a type that is not of the language");
  auto number = static_cast<int32_t>(program.arrays.size());
  Buffer buffer = {spaceOf(memref), number, 0, memref.getDimSize(0), *type};
  int64_t bytes = llvm::alignTo(bytesOf(buffer), 16);
  program.arrays.push_back({bytes, program.arrayBytes});
  program.arrayBytes += bytes;
  if (program.arrayBytes > kMostArrayBytes)
    return refuse(&op, "registers and private arrays of " + Twine(program.arrayBytes) +
                           " bytes a thread; a thread has at most " + Twine(kMostArrayBytes));
  buffers[op.getResult(0)] = buffer;
  emit(Code::Fresh, &op, {-1, -1, -1}, number);
  return true;
}

bool Compiler::compileView(ViewOp op) {
  auto found = buffers.find(op.getSource());
  if (found == buffers.end())
    return refuse(op, "'simt.view' of a buffer whose allocation is not in sight");
  Buffer buffer = found->second;
  auto memref = cast<MemRefType>(op.getType());
  std::optional<ScalarType> type = scalarType(memref.getElementType());
  if (!type || *type == ScalarType::Index)
    return refuse(op, "'simt.view' has elements of a type that is not of the language");
  auto offset = static_cast<int64_t>(op.getOffset());
  int64_t room = bytesOf(buffer) - offset;
  buffer.base += offset;
  buffer.type = *type;
  buffer.elements = buffer.space == Space::Global ? -1 : memref.getDimSize(0);
  if (buffer.space != Space::Global && (offset < 0 || bytesOf(buffer) > room))
    return refuse(op, "view of bytes " + Twine(offset) + " to " + Twine(offset + bytesOf(buffer)) + " of a buffer of " +
                          Twine(room + offset) + " bytes; it must lie inside");
  noteGranule(buffer);
  buffers[op.getResult()] = buffer;
  return true;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool Compiler::compileSide(Side &side, Operation *op, Value memory, Value index, bool store, int64_t bytes) {
  auto found = buffers.find(memory);
  if (found == buffers.end())
    return refuse(op, "'" + op->getName().getStringRef() + "' of a buffer whose allocation is not in sight");
  side.buffer = found->second;
  side.index = slotOf(index);
  side.indexType = *scalarType(index.getType());
  noteGranule(side.buffer);
  if (side.buffer.space != Space::Global && side.buffer.space != Space::Shared)
    return true;
  if (store && side.buffer.space == Space::Global)
    program.tensors[side.buffer.root].isWritten = true;
  AccessCount count{op->getLoc(), op->getName().getStringRef().str(), side.buffer.space, store,
                    static_cast<int>(bytes)};
  side.count = static_cast<int32_t>(program.counts.size());
  program.counts.push_back(std::move(count));
  return true;
}

/// The operation an atomic combines with on that type; nothing where the pair makes no sense.
static std::optional<BinaryOp> combineOf(AtomicKind kind, ScalarType type) {
  bool isReal = isFloat(type);
  switch (kind) {
  case AtomicKind::Add:
    return isReal ? BinaryOp::AddF : BinaryOp::AddI;
  case AtomicKind::Max:
    return isReal ? BinaryOp::MaximumF : BinaryOp::MaxSI;
  case AtomicKind::Min:
    return isReal ? BinaryOp::MinimumF : BinaryOp::MinSI;
  case AtomicKind::UMax:
    return BinaryOp::MaxUI;
  case AtomicKind::UMin:
    return BinaryOp::MinUI;
  case AtomicKind::And:
    return BinaryOp::AndI;
  case AtomicKind::Or:
    return BinaryOp::OrI;
  case AtomicKind::Xor:
    return BinaryOp::XorI;
  case AtomicKind::Exchange:
    return std::nullopt;
  }
  return std::nullopt;
}

bool Compiler::compileAtomic(AtomicOp op, Access &access) {
  ScalarType type = access.to.buffer.type;
  Inst inst;
  inst.code = Code::Atomic;
  inst.op = op;
  inst.type = type;
  inst.slots[0] = slotOf(op.getValue());
  inst.target = static_cast<int32_t>(program.accesses.size());
  if (op.getKind() != AtomicKind::Exchange) {
    inst.function = lookup(*combineOf(op.getKind(), type), type);
    if (!inst.function)
      return refuse(op, "'simt.atomic' " + stringifyAtomicKind(op.getKind()) + " on " + StringRef(name(type)) +
                            " is not supported");
  }
  if (op.getOld())
    inst.result = define(op.getOld());
  emit(inst);
  program.accesses.push_back(access);
  return true;
}

bool Compiler::compileAccess(Operation &op) {
  Access access;
  auto next = static_cast<int32_t>(program.accesses.size());
  auto elementBytes = [](Value buffer) -> int64_t {
    std::optional<ScalarType> type = scalarType(cast<MemRefType>(buffer.getType()).getElementType());
    return type ? byteSize(*type) : 0;
  };
  if (auto load = dyn_cast<LoadOp>(op)) {
    access.bytes = static_cast<int32_t>(elementBytes(load.getBuffer()));
    if (!compileSide(access.from, &op, load.getBuffer(), load.getIndex(), false, access.bytes))
      return false;
    int32_t place = emit(Code::Load, &op, {-1, -1, -1}, next);
    program.insts[place].type = access.from.buffer.type;
    program.insts[place].result = define(load.getResult());
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    access.bytes = static_cast<int32_t>(elementBytes(store.getBuffer()));
    if (!compileSide(access.to, &op, store.getBuffer(), store.getIndex(), true, access.bytes))
      return false;
    emit(Code::Store, &op, {slotOf(store.getValue()), -1, -1}, next);
  } else if (auto move = dyn_cast<MoveOp>(op)) {
    access.bytes = static_cast<int32_t>(move.getBytes());
    access.isAsync = move.getAsync();
    access.isPadded = move->hasAttr(kPadded);
    if (!compileSide(access.from, &op, move.getSource(), move.getSourceIndex(), false, access.bytes) ||
        !compileSide(access.to, &op, move.getTarget(), move.getTargetIndex(), true, access.bytes))
      return false;
    emit(Code::Move, &op, {-1, -1, -1}, next);
  } else {
    auto atomic = cast<AtomicOp>(op);
    access.bytes = static_cast<int32_t>(elementBytes(atomic.getBuffer()));
    if (!compileSide(access.to, &op, atomic.getBuffer(), atomic.getIndex(), true, access.bytes))
      return false;
    return compileAtomic(atomic, access);
  }
  program.accesses.push_back(access);
  return true;
}

} // namespace tile::simt
