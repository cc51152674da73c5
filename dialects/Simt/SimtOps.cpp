// SimtOps.cpp - the rules of the simt operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Simt/SimtOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile::simt;

template <class KindAttr> static ParseResult parseKind(OpAsmParser &parser, KindAttr &kind, StringRef expected) {
  StringRef word;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  auto known = symbolizeEnum<decltype(kind.getValue())>(word);
  if (!known)
    return parser.emitError(place) << "'" << word << "' is none of " << expected;
  kind = KindAttr::get(parser.getContext(), *known);
  return success();
}

static ParseResult parseAtomicKind(OpAsmParser &parser, tile::AtomicKindAttr &kind) {
  StringRef word;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<tile::AtomicKind> known = tile::symbolizeAtomicKind(word);
  if (!known)
    return parser.emitError(place) << "'" << word << "' is no atomic";
  kind = tile::AtomicKindAttr::get(parser.getContext(), *known);
  return success();
}

static void printAtomicKind(OpAsmPrinter &printer, Operation *, tile::AtomicKindAttr kind) {
  printer << tile::stringifyAtomicKind(kind.getValue());
}

static ParseResult parseShuffleMode(OpAsmParser &parser, ShuffleModeAttr &mode) {
  return parseKind(parser, mode, "xor, up, down, idx");
}

static void printShuffleMode(OpAsmPrinter &printer, Operation *, ShuffleModeAttr mode) {
  printer << stringifyShuffleMode(mode.getValue());
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

/// Every buffer has one dimension and, outside global memory, a static size in the space of the op.
static LogicalResult verifyBuffer(Operation *op, Type type, std::optional<Space> space) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getRank() != 1)
    return op->emitOpError() << "has a buffer of type " << type << "; buffers have one dimension";
  Space found = spaceOf(memref);
  if (found == Space::Other || (space && found != *space))
    return op->emitOpError() << "has a buffer of type " << type << " in the wrong memory space";
  if (found != Space::Global && !memref.hasStaticShape())
    return op->emitOpError() << "has a buffer of type " << type << "; only global buffers are of unknown size";
  return success();
}

LogicalResult RegistersOp::verify() {
  return verifyBuffer(*this, getType(), Space::Register);
}
LogicalResult LocalOp::verify() {
  return verifyBuffer(*this, getType(), Space::Local);
}

LogicalResult SplitOp::verify() {
  auto kernel = dyn_cast<KernelOp>((*this)->getParentOp());
  if (!kernel)
    return emitOpError() << "stands inside '" << (*this)->getParentOp()->getName()
                         << "'; the body of a kernel is split as a whole";
  for (SplitOp other : kernel.getBody().getOps<SplitOp>())
    if (other != *this && other->isBeforeInBlock(*this))
      return emitOpError() << "splits a kernel that is split already";
  return success();
}

LogicalResult HoldOp::verify() {
  return verifyBuffer(*this, cast<MemRefType>(getRegisters().getType()), Space::Register);
}

LogicalResult SharedOp::verify() {
  if (failed(verifyBuffer(*this, getType(), Space::Shared)))
    return failure();
  std::optional<int64_t> offset = getOffset();
  if (offset && *offset % getAlign() != 0)
    return emitOpError() << "lies at byte " << *offset << "; its alignment is " << getAlign();
  return success();
}

LogicalResult ViewOp::verify() {
  if (failed(verifyBuffer(*this, getSource().getType(), std::nullopt)))
    return failure();
  return verifyBuffer(*this, getType(), spaceOf(cast<MemRefType>(getSource().getType())));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// A register index is made of constants and induction variables of unrolled loops, so that the array stays in
/// registers.
static bool isRegisterIndex(Value index) {
  if (matchPattern(index, m_Constant()))
    return true;
  if (auto iv = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast_or_null<scf::ForOp>(iv.getOwner()->getParentOp());
    return loop && loop.getInductionVar() == iv && loop->hasAttr(kUnroll);
  }
  Operation *op = index.getDefiningOp();
  if (!isa_and_nonnull<affine::AffineApplyOp>(op) &&
      !(op && op->getDialect() && op->getDialect()->getNamespace() == "arith"))
    return false;
  return llvm::all_of(op->getOperands(), isRegisterIndex);
}

static LogicalResult verifyAccess(Operation *op, Value buffer, Value index, Type element) {
  if (failed(verifyBuffer(op, buffer.getType(), std::nullopt)))
    return failure();
  auto memref = cast<MemRefType>(buffer.getType());
  if (element && memref.getElementType() != element)
    return op->emitOpError() << "accesses elements of type " << element << " in a buffer of " << memref;
  if (spaceOf(memref) == Space::Register && !isRegisterIndex(index))
    return op->emitOpError() << "indexes registers by a value that is neither constant nor of an unrolled loop";
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, getBuffer(), getIndex(), getResult().getType());
}
LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getBuffer(), getIndex(), getValue().getType());
}

LogicalResult AtomicOp::verify() {
  if (failed(verifyAccess(*this, getBuffer(), getIndex(), getValue().getType())))
    return failure();
  Space space = spaceOf(cast<MemRefType>(getBuffer().getType()));
  if (space != Space::Global && space != Space::Shared)
    return emitOpError() << "acts on " << getBuffer().getType() << "; atomics act on global and shared memory";
  return success();
}

bool tile::simt::isWriteTo(Operation *op, Value buffer) {
  if (auto move = dyn_cast<MoveOp>(op))
    return move.getTarget() == buffer;
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getBuffer() == buffer;
  auto atomic = dyn_cast<AtomicOp>(op);
  return atomic && atomic.getBuffer() == buffer;
}

/// Only what is read from a tensor that nothing writes can be kept: the load may then be moved over anything.
static LogicalResult verifyKeep(MoveOp move) {
  if (!move.getKeep())
    return success();
  Type source = move.getSource().getType(), target = move.getTarget().getType();
  if (spaceOf(cast<MemRefType>(source)) != Space::Global || spaceOf(cast<MemRefType>(target)) == Space::Global)
    return move.emitOpError() << "keeps what it moves from " << source << " to " << target
                              << "; the L2 keeps what is read from global memory alone";
  if (move.getBytes() < kLeastKept)
    return move.emitOpError() << "keeps " << move.getBytes() << " bytes; accesses that ask the L2 to keep are of "
                              << kLeastKept << " bytes and more";
  for (Operation *user : move.getSource().getUsers()) {
    if (!isWriteTo(user, move.getSource()))
      continue;
    InFlightDiagnostic diag = move.emitOpError() << "keeps what the kernel writes; only what is read alone is kept";
    diag.attachNote(user->getLoc()) << "written here";
    return diag;
  }
  return success();
}

LogicalResult MoveOp::verify() {
  if (failed(verifyAccess(*this, getSource(), getSourceIndex(), {})) ||
      failed(verifyAccess(*this, getTarget(), getTargetIndex(), {})))
    return failure();
  Type source = cast<MemRefType>(getSource().getType()).getElementType();
  Type target = cast<MemRefType>(getTarget().getType()).getElementType();
  if (source != target)
    return emitOpError() << "moves elements of type " << source << " to elements of type " << target;
  int64_t bytes = getBytes(), elementBytes = std::max<int64_t>(source.getIntOrFloatBitWidth() / 8, 1);
  if ((bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16) || bytes % elementBytes != 0)
    return emitOpError() << "moves " << bytes << " bytes of elements of " << elementBytes
                         << "; widths are 1, 2, 4, 8 and 16, whole elements";
  Space from = spaceOf(cast<MemRefType>(getSource().getType())), to = spaceOf(cast<MemRefType>(getTarget().getType()));
  if (getAsync() && (from != Space::Global || to != Space::Shared || getBytes() < kLeastAsync))
    return emitOpError() << "moves " << bytes << " bytes to " << getTarget().getType()
                         << "; 'async' is for 4, 8 or 16 bytes from global to shared memory";
  bool isPrivate = to == Space::Register || to == Space::Local;
  if ((*this)->hasAttr(kPadded) && (from != Space::Shared || !isPrivate))
    return emitOpError() << "moves from " << getSource().getType() << " to " << getTarget().getType()
                         << "; 'simt.padded' is for moves from shared memory to what a thread has for itself";
  if (getStreams() && (from != Space::Global || !isPrivate || getBytes() < kLeastKept))
    return emitOpError() << "moves " << bytes << " bytes to " << getTarget().getType()
                         << "; 'streams' is for 4, 8 or 16 bytes from global memory to what a thread has for itself";
  if (getStreams() && getKeep())
    return emitOpError() << "asks for 'keep' and 'streams'; the L2 keeps what comes, or lets it go";
  if (getAsync() && getKeep())
    return emitOpError() << "asks for 'keep' and 'async'; what flies to shared memory asks the L2 for nothing";
  return verifyKeep(*this);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LogicalResult CheckOp::verify() {
  size_t places = getMessage().count("{}");
  if (places < getValues().size())
    return emitOpError() << "has " << getValues().size() << " values for " << places
                         << " places '{}' of its message; each has its own";
  return success();
}

#define GET_OP_CLASSES
#include "dialects/Simt/SimtOps.cpp.inc"
