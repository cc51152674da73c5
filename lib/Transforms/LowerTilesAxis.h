// LowerTilesAxis.h - what reductions and scans along one axis of a fragment share; private to LowerTiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axis is a list of digits, the lowest weight first. A digit of registers is walked by a loop. A digit of threads
// is cut in two where it leaves the warp: the lower part is reached by shuffles, the rest through shared memory.
//
//     4096 = [(4 reg * 8, 128 thread, 8 reg)]  ->  run: 8 registers, then 32 lanes, 4 warps, 4 registers
//
// The *run* is what a thread holds in a row: the register digits below all thread digits. Everything else about
// elements, how many registers there are and which of them hold nothing, is answered here too.
//
#ifndef TILE_TRANSFORMS_LOWERTILESAXIS_H
#define TILE_TRANSFORMS_LOWERTILESAXIS_H

#include "Combine.h"
#include "LowerTiles.h"

#include "tile/Analysis/ThreadDigits.h"

namespace tile {

class AxisLowering {
protected:
  /// One digit of the axis, or one part of a thread digit.
  struct AxisDigit {
    int registerDigit = -1; ///< its number among `registers`; -1 for threads
    int64_t radix = 1, stride = 1;
    bool isInWarp = false;
    /// The last block of lanes is not full: threads at or above this position of the whole digit hold nothing.
    int64_t positions = 0;
  };

  /// \param anyRadix  lanes of a warp may be any number; else powers of two, as a butterfly needs them.
  AxisLowering(KernelLowering &lowering, mlir::Operation *op, DistributedAttr layout, int64_t axis, ReductionRule rule,
               bool anyRadix);

  // Registers.
  void overKept(llvm::function_ref<void()> body) { overDigits(kept, body); }
  /// Loops over register digits, the highest outermost; `isReversed` from their highest values down.
  void overDigits(llvm::ArrayRef<unsigned> which, llvm::function_ref<void()> body, bool isReversed = false);
  /// Every element of this thread along the axis, at the present kept digits, but padding.
  void overElements(llvm::function_ref<void()> body, bool isReversed = false);
  /// Emits `body` for each row this thread takes part in.
  void overRows(llvm::function_ref<void()> body);
  /// The number of the present values of these register digits.
  mlir::Value numberOf(llvm::ArrayRef<unsigned> which);
  /// The register of the present element.
  mlir::Value sourceIndex();
  /// The present coordinate along the axis, as i32.
  mlir::Value axisPosition();
  int64_t countOf(llvm::ArrayRef<unsigned> which) const;
  mlir::Value createRegisters(llvm::StringRef name, int64_t count, mlir::Type type);

  // Rows.
  /// A number of the present row, and how many there are: padding has some too.
  mlir::AffineExpr rowNumber();
  int64_t countRows() const;
  /// The present element is none of the padding, of the other axes or of this one. Null if that is certain.
  mlir::Value rowExists();
  mlir::Value elementExists();

  // Exchanges: what the warps of a row say to each other through shared memory, so many slots a row.
  /// Where a slot of the present row lies. A row that has its warps for itself has its slots side by side.
  mlir::AffineExpr placeOf(mlir::AffineExpr slot, int64_t slots);
  simt::SharedOp createShared(int64_t places, mlir::Type type);
  /// Elements that the slots of all rows take up: a multiple of what one move takes.
  int64_t placesOf(int64_t slots) const;
  /// Do all lanes of a warp read the slots of one row?
  bool isWarpOfOneRow() const;
  /// Moves `count` slots of the present row from `first` on to the first registers, in as few moves as there can be.
  void readSlots(mlir::Value shared, mlir::AffineExpr first, int64_t count, int64_t slots, mlir::Value registers);
  /// How many that brings: with some padding, at times.
  static int64_t slotsRead(int64_t count, int64_t bytes);
  /// Slots of the narrowest type of the exchange that one move takes.
  int64_t slotsOfMove() const { return kVectorBytes / leastBytes; }

  // Threads.
  mlir::Value isActive() { return k.isActive(loc, layout); }
  mlir::AffineExpr position(const AxisDigit &digit) const;
  mlir::Value isAt(const AxisDigit &digit, mlir::OpFoldResult value);
  mlir::Value shuffle(simt::ShuffleMode mode, mlir::Value value, mlir::Value lane);
  mlir::Value constantI32(int64_t value);

  // Values.
  mlir::Value load(mlir::Value buffer, mlir::Value index);
  void store(mlir::Value value, mlir::Value buffer, mlir::Value index);
  mlir::Value identity();
  mlir::Value combine(mlir::Value a, mlir::Value b);
  /// An element as the accumulator takes it, and back.
  mlir::Value widen(mlir::Value element);
  mlir::Value narrow(mlir::Value value);
  mlir::Value apply(mlir::AffineExpr expr) { return k.apply(loc, expr, values); }

  void guarded(mlir::Value condition, llvm::function_ref<void()> body) { k.guarded(loc, condition, body); }
  mlir::Value both(mlir::Value a, mlir::Value b) { return k.both(loc, a, b); }
  /// The registers of a fragment.
  mlir::Value bufferOf(mlir::Value fragment) { return k.storageOf(fragment).buffer; }

  KernelLowering &k;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  Layout layout;
  int axis;
  ReductionRule rule;
  mlir::Type element, accumulator;
  llvm::SmallVector<Digit> registers;           ///< register digits of the source
  llvm::SmallVector<mlir::OpFoldResult> values; ///< the thread, the present value of each of them, the origin
  llvm::SmallVector<unsigned> kept;             ///< numbers of the register digits of other axes
  llvm::SmallVector<unsigned> run, above;       ///< of the axis: below all thread digits, and the others
  llvm::SmallVector<AxisDigit> digits;          ///< of the axis above the run, the lowest weight first
  int64_t leastBytes;                           ///< of a value that is exchanged

private:
  void sortDigits(bool anyRadix);
  void addThreads(const Digit &digit, bool anyRadix);
  llvm::SmallVector<mlir::AffineExpr> coordinates();
  llvm::SmallVector<Digit> rowThreads() const;
  int64_t pitchOf(int64_t slots) const;
  void readPart(mlir::Value shared, mlir::Value from, mlir::Value registers, mlir::Value to, int64_t width,
                bool isPadded);
  mlir::Value isInExtent(int dim);
};

} // namespace tile

#endif // TILE_TRANSFORMS_LOWERTILESAXIS_H
