// PointLoop.h - how the points of a parallel or vectorized loop become code; private to LowerTiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's points are walked by digits: the register digits of the layout, each a small loop. The lowest digit along
// the contiguous axis is the *lane*: its points are neighbours in memory and move as one vector. Vectors that can be
// read before anything is computed, or written after everything is, are *staged*: a group of them is loaded into
// registers, then the bodies run, then the results are stored. So the loads of a group are in flight together.
//
//     for outer digits:
//       for group digits:             move 16 bytes of %A to %x_staged          (loads)
//       for group digits, lane:       %v = %x_staged[…]; …; %y_staged[…] = %w   (bodies)
//       for group digits:             move 16 bytes of %y_staged to %B          (stores)
//
// A vector that the body only passes on to or from registers moves there directly. A load whose place stays while a
// digit runs, or the lane, is staged too, of whatever width: it runs once for all values of that digit, outside its
// loop.
//
#ifndef TILE_TRANSFORMS_POINTLOOP_H
#define TILE_TRANSFORMS_POINTLOOP_H

#include "LowerTiles.h"

namespace tile {

class PointLoop {
public:
  static mlir::LogicalResult lower(KernelLowering &lowering, ParallelOp loop);
  static mlir::LogicalResult lower(KernelLowering &lowering, VectorizedOp loop);

  /// The user placed these points on threads.
  bool isExplicit() const { return !layout && (!parent || parent->isExplicit()); }
  /// Marks an access of an op of these points, if any, for the search of hazards.
  static void mark(mlir::Operation *access, Space space, bool isWrite, PointLoop *points);
  /// The value of a load that is already in registers; null if it must be read from memory.
  mlir::Value privateLoad(LoadOp load);
  /// Handles a store into registers; false if it goes to memory.
  bool privateStore(StoreOp store, mlir::Value value);
  /// What must hold for a load from a tensor where the body runs at points that do not exist: point and element exist.
  /// Null if the body does not.
  mlir::Value loadCondition(mlir::Location loc, LoadOp load);
  /// What must hold for this thread to write to memory: it is copy 0. May be null.
  mlir::Value writeCondition() const { return isWriter; }

private:
  struct Axis {
    mlir::AffineExpr position;               ///< over the frame
    std::optional<mlir::OpFoldResult> limit; ///< points at or beyond it do not exist
    mlir::OpFoldResult strip;                ///< extent known at run time only; null otherwise
    int64_t stripExtent = 0;
    unsigned base = 0; ///< place of the strip's first point in the frame
  };
  struct PointDigit {
    int axis = 0;
    int64_t weight = 1, radix = 1;
    int registerDigit = -1; ///< of the layout, which counts `scale` for each step of this one
    int64_t scale = 1;
    bool isGrouped = false;
    unsigned place = 0; ///< in the frame
  };
  struct Staged {
    mlir::Operation *op = nullptr;
    TileAccess access;
    int64_t width = 1; ///< elements of one move
    mlir::Value registers;
    /// Where the body would only pass the vector on to, or take it from: a fragment or a private array.
    std::optional<TileAccess> direct;
    /// A store of what a staged load brought: it takes that load's registers.
    mlir::Operation *loadedBy = nullptr;
    /// The two go from global to shared memory without registers, and the thread goes on at once.
    bool isAsync = false;
    /// A load that brings the same at several points; but the body may change it from one group to the next.
    bool isRepeated = false, isChanged = false;
    /// How many neighbouring values of each digit, and of the lane, one move serves.
    llvm::SmallVector<int64_t> repeats;
    int64_t laneRepeat = 1;
    /// The first digit that the moves walk themselves; they stand inside the loops of those before.
    size_t level = 0;
    /// Axes along which no point need exist for the load to run.
    llvm::SmallDenseSet<int> unasked;
    /// Instead of registers, where a load brings a single element.
    mlir::Value value;
  };

  PointLoop(KernelLowering &lowering, mlir::Operation *op, mlir::Block &body);

  /// One thread runs each point, and what it reads no other point writes. Copies may read what they overwrite.
  bool isOnlyReader() const { return !isWriter && !op->hasAttr("note"); }

  void buildParallel(ParallelOp loop);
  void buildVectorized(VectorizedOp loop);
  void addDigit(int axis, int64_t weight, int64_t radix, int registerDigit, int64_t scale);
  void chooseLane();
  void stage();
  void findDirect(Staged &staged);
  void joinMoves();
  bool mayGoAsync(const Staged &load, const Staged &store);
  bool isAligned(const TileAccess &access, int64_t width);
  int64_t divisorFromOrigin(const ElementPlace &location);
  bool staysFor(const TileAccess &access, unsigned place, int64_t radix, int64_t count);
  int64_t repeatsOf(const TileAccess &access, unsigned place, int64_t radix);
  bool isRepeated(const TileAccess &access);
  bool meetsStore(const TileAccess &access) const;
  bool beginsWithPoint(const Axis &axis) const;
  void group();
  void placeMoves();
  void place(Staged &load);
  size_t numOutside() const;
  mlir::LogicalResult emit();
  mlir::LogicalResult emitStrips(size_t axis);
  mlir::LogicalResult emitOutside(size_t next);
  mlir::LogicalResult emitGroup();
  void overGroup(size_t next, llvm::function_ref<void()> body);
  void overMoves(const Staged &staged, size_t next, llvm::function_ref<void()> body);
  void allocate(Staged &staged);
  void emitLoads(size_t level);
  void emitMoves(Staged &staged);
  void emitMove(Staged &staged);
  void emitAsyncMove(Staged &store);
  mlir::Value nth(mlir::Location loc, mlir::Value base, mlir::OpFoldResult lane);
  void overElements(const Staged &staged,
                    llvm::function_ref<void(const ElementPlace &one, mlir::OpFoldResult lane)> body);
  void readElements(const Staged &staged, mlir::Value registers, mlir::Value first);
  void writeElements(const Staged &staged, mlir::Value registers, mlir::Value first);
  mlir::LogicalResult emitBodies();
  mlir::LogicalResult emitBody();

  ElementPlace locate(const TileAccess &access);
  ElementPlace locate(const Staged &staged);
  /// The register or private element an access names, at the present point.
  std::pair<mlir::Value, mlir::Value> privatePlace(mlir::Location loc, const TileAccess &access);
  int64_t numStaged(const Staged &staged) const;
  mlir::Value stagedIndex(mlir::Location loc, const Staged &staged);
  int64_t widthOf(const TileAccess &access);
  bool mayAlias(mlir::Value a, mlir::Value b) const;
  bool isMovable(const TileAccess &access) const;
  bool needsMask();
  bool asksForPoint(mlir::Operation *inner);
  bool staysInPadding(mlir::Operation *inner);
  bool fillsFragment(const TileAccess &access);
  bool matchesThreads(const Layout &fragment) const;
  void recordPadding();
  bool mayReadBeyond(const Staged &staged, const ElementPlace &location, int64_t width);
  mlir::Value mayExist(mlir::Location loc, const ElementPlace &location, int64_t width);
  mlir::Value touchesTensor(mlir::Location loc, const ElementPlace &location, int64_t width);
  const TileAccess *accessOf(mlir::Operation *op) const;
  std::optional<RegisterMap> registersOf(const TileAccess &access);

  KernelLowering &k;
  mlir::Operation *op;
  mlir::Block &body;
  PointLoop *parent;
  std::optional<Layout> layout;
  llvm::SmallVector<Axis> axes;
  llvm::SmallVector<PointDigit> digits; ///< outermost first
  int64_t lanes = 1;
  int laneAxis = -1, laneRegisterDigit = -1;
  /// Values of: lane, thread, digits, strip bases.
  llvm::SmallVector<mlir::OpFoldResult> frame;
  llvm::SmallVector<TileAccess> accesses;
  llvm::DenseMap<mlir::Operation *, std::optional<RegisterMap>> registerMaps;
  llvm::MapVector<mlir::Operation *, Staged> loads, stores;
  llvm::DenseSet<mlir::Operation *> passedOn; ///< loads and stores that a direct move replaces
  mlir::Value isWriter;
  /// Stand-ins for parts of a digit.
  mlir::Value someRun, somePlace;
  bool unrolls = true;
  bool isMasked = false; ///< the bodies must not run for points that do not exist
};

} // namespace tile

#endif // TILE_TRANSFORMS_POINTLOOP_H
