// MemoryAccesses.cpp - what an operation reads and writes in shared and global memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/ThreadBytes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::simt;

static MemoryAccess makeAccess(Operation *op, Value buffer, Value index, bool isWrite) {
  auto type = cast<MemRefType>(buffer.getType());
  MemoryAccess access;
  access.op = op;
  access.buffer = buffer;
  access.root = storageOf(buffer);
  access.index = index;
  access.space = simt::spaceOf(type);
  access.elementBytes = std::max<int64_t>(type.getElementTypeBitWidth() / 8, 1);
  access.widthBytes = access.elementBytes;
  access.isWrite = isWrite;
  access.isExplicit = op->hasAttr(kExplicit);
  return access;
}

SmallVector<MemoryAccess, 2> tile::memoryAccesses(Operation *op) {
  SmallVector<MemoryAccess, 2> all;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](LoadOp load) { all.push_back(makeAccess(op, load.getBuffer(), load.getIndex(), false)); })
      .Case([&](StoreOp store) { all.push_back(makeAccess(op, store.getBuffer(), store.getIndex(), true)); })
      .Case([&](AtomicOp atomic) {
        all.push_back(makeAccess(op, atomic.getBuffer(), atomic.getIndex(), true));
        all.back().isAtomic = true;
      })
      .Case([&](MoveOp move) {
        all.push_back(makeAccess(op, move.getSource(), move.getSourceIndex(), false));
        all.push_back(makeAccess(op, move.getTarget(), move.getTargetIndex(), true));
        for (MemoryAccess &access : all)
          access.widthBytes = move.getBytes();
      });
  llvm::erase_if(all, [](const MemoryAccess &access) {
    return access.space != simt::Space::Shared && access.space != simt::Space::Global;
  });
  return all;
}
