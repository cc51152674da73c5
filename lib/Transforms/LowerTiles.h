// LowerTiles.h - the lowering of one tile kernel to one simt kernel; private to the pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every tile op becomes code of the same three parts. *Where* an element lies is asked of its TileStorage: coordinates
// of a view become coordinates of the tensor or tile behind it, and one routine turns those into an offset. *Whether*
// it exists is a list of conditions of the same coordinates. *How wide* it moves follows from what IndexFacts can prove
// of the offset. Loops over points (LowerTilesPoints.cpp) only arrange these.
//
#ifndef TILE_TRANSFORMS_LOWERTILES_H
#define TILE_TRANSFORMS_LOWERTILES_H

#include "dialects/Simt/SimtOps.h"
#include "dialects/Tile/Checks.h"
#include "dialects/Tile/TileOps.h"
#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/TileAccess.h"
#include "tile/Layout/Layout.h"
#include "tile/Layout/SharedLayout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tile {

/// What a variant takes for granted of its arguments.
struct VariantFacts {
  /// Base pointers and row pitches are multiples of 16 bytes.
  bool isAligned = false;
};

/// ViewCoordinates as affine expressions over one list of operands.
struct ViewCoordinates {
  llvm::SmallVector<mlir::AffineExpr> exprs;
  llvm::SmallVector<mlir::OpFoldResult> operands;
};

/// A coordinate that must lie in 0 … extent - 1 for the element to exist.
struct IndexLimit {
  mlir::AffineExpr coordinate;
  mlir::OpFoldResult extent;
};

/// Where the elements of a buffer, or of a view of one, lie.
struct TileStorage {
  Space space = Space::Global;
  mlir::Type element;
  mlir::Value buffer;                            ///< the simt buffer
  llvm::SmallVector<mlir::OpFoldResult> extents; ///< of the view
  /// ViewCoordinates of the root as expressions over the view's dims, then `operands`.
  llvm::SmallVector<mlir::AffineExpr> toRoot;
  llvm::SmallVector<mlir::OpFoldResult> operands;
  llvm::SmallVector<mlir::OpFoldResult> strides; ///< of the root, in elements
  llvm::SmallVector<IndexLimit> limits;          ///< over the view's dims, then `operands`
  llvm::SmallVector<IndexLimit> windows;         ///< of a slice on the chip: what it is a window of; as `limits`
  std::vector<XorStep> swizzle;                  ///< in elements
  int64_t chunk = 0;                             ///< elements that the swizzle keeps together, 0 without one
  bool isDense = true;                           ///< before its swizzle, row-major without gaps
  int64_t alignBytes = 1;                        ///< of the first element
  int argument = -1;                             ///< of a global buffer
  std::optional<Layout> layout;                  ///< of a fragment
};

/// An element, located: root coordinates, conditions, all over `operands`.
struct ElementPlace {
  const TileStorage *storage = nullptr;
  llvm::SmallVector<mlir::AffineExpr> view; ///< coordinates of the view itself
  llvm::SmallVector<mlir::AffineExpr> coordinates;
  llvm::SmallVector<IndexLimit> limits, windows;
  llvm::SmallVector<mlir::OpFoldResult> operands;
};

/// How `parallel` and `vectorized` walk their points; see LowerTilesPoints.cpp.
class PointLoop;

/// Lowers one kernel under one set of facts.
class KernelLowering {
public:
  KernelLowering(KernelOp source, VariantFacts variant, llvm::StringRef name, bool isChecked);

  /// Creates the simt kernel behind the source.
  /// \returns failure after an error was reported.
  mlir::LogicalResult run();

  /// True if some access was made wider because of the variant's facts.
  bool usesFacts() const { return usesAssumed; }
  /// The simt buffer that a tile became. \pre `run` succeeded, and the tile is allocated in the kernel.
  mlir::Value bufferOf(mlir::Value tile) { return storageOf(tile).buffer; }
  simt::KernelOp result() const { return kernel; }

private:
  friend class PointLoop;
  friend class AxisLowering;
  friend class BlockReduction;
  friend class ReduceLowering;
  friend class ScanLowering;
  friend class ConversionLowering;

  // The kernel itself (LowerTiles.cpp).
  bool mustFoldGrid();
  void createKernel();
  void bindArguments();
  void computeOrigin();
  void measureStreams();
  void assumeLaunchFacts();
  void finishKernel();
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lowerOp(mlir::Operation &op);
  mlir::LogicalResult lowerStructured(mlir::Operation &op);
  mlir::LogicalResult lowerSerial(LoopOpInterface loop, bool isUnrolled);
  mlir::LogicalResult lowerPrint(PrintOp print);
  void note(mlir::Operation *op);

  // Buffers (LowerTilesStorage.cpp).
  void bindTensor(mlir::BlockArgument argument, mlir::Attribute shape, int number, mlir::Value pointer);
  void allocate(mlir::Operation *op);
  mlir::LogicalResult bindView(mlir::Operation *op);
  void bindRetyped(ViewOp op);
  mlir::OpFoldResult rescaled(mlir::Location loc, mlir::OpFoldResult stride, int64_t oldBytes, int64_t newBytes);
  const TileStorage &storageOf(mlir::Value buffer) { return storages.find(buffer)->second; }
  ElementPlace locate(const TileStorage &storage, const ViewCoordinates &view) const;
  mlir::Value offsetOf(mlir::Location loc, const ElementPlace &location);
  mlir::Value conditionOf(mlir::Location loc, const ElementPlace &location, int64_t lane, int64_t width);
  /// The limits, as `conditionOf`.
  mlir::Value limitsHold(mlir::Location loc, llvm::ArrayRef<IndexLimit> limits,
                         llvm::ArrayRef<mlir::OpFoldResult> operands, int64_t lane, int64_t width);
  mlir::Value inRange(mlir::Location loc, mlir::OpFoldResult first, int64_t reach, mlir::OpFoldResult extent,
                      bool checkLow);
  /// Do `width` elements along operand `lane` exist all or not at all?
  bool isAllOrNothing(const ElementPlace &location, int64_t lane, int64_t width);
  bool isProvenBelow(mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> operands, mlir::OpFoldResult extent,
                     int64_t reach);
  mlir::AffineExpr takenApart(mlir::OpFoldResult value, llvm::SmallVectorImpl<mlir::OpFoldResult> &leaves);
  std::optional<std::pair<int64_t, mlir::AffineExpr>> walkOf(mlir::scf::ForOp loop,
                                                             llvm::SmallVectorImpl<mlir::OpFoldResult> &leaves);
  bool isBelowByStride(mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> operands, mlir::OpFoldResult extent,
                       int64_t reach);

  // Offsets under an XOR (LowerTilesSwizzle.cpp).
  mlir::Value sumOf(mlir::Location loc, llvm::ArrayRef<mlir::AffineExpr> terms,
                    llvm::ArrayRef<mlir::OpFoldResult> operands);
  mlir::Value swizzled(mlir::Location loc, const TileStorage &storage, mlir::Value linear, int64_t bits);
  mlir::Value swizzledOffset(mlir::Location loc, const TileStorage &storage, mlir::AffineExpr linear,
                             llvm::ArrayRef<mlir::OpFoldResult> place);

  // One element at a time (LowerTilesElements.cpp).
  ViewCoordinates coordinatesOf(mlir::AffineMap map, mlir::ValueRange indices);
  mlir::Value loadElement(LoadOp load);
  mlir::Value readElement(LoadOp load, const ElementPlace &location, mlir::Value condition);
  mlir::LogicalResult storeElement(StoreOp store, mlir::Value value, mlir::Value condition);
  mlir::LogicalResult atomicElement(AtomicOp atomic, mlir::Value condition);
  mlir::Value convertElement(simt::ConvertOp convert);
  mlir::Value padOf(mlir::Location loc, mlir::Type type, std::optional<mlir::TypedAttr> pad);

  // What `checked` adds, nothing without it (LowerTilesChecks.cpp).
  void checkAccess(mlir::Operation *access, const ElementPlace &place, int64_t lane, int64_t width);
  void checkDivision(mlir::Operation &op);
  void lowerAssert(AssertOp assertion);

  /// Records what a wide access of `width` elements takes for granted.
  void usedVector(const TileStorage &storage, int64_t width);

  // Threads of a layout (LowerTilesThreads.cpp).
  mlir::Value isActive(mlir::Location loc, const Layout &layout);
  mlir::Value isFirstCopy(mlir::Location loc, const Layout &layout);

  // Small things.
  mlir::Value constant(mlir::Location loc, int64_t value);
  mlir::Value materialize(mlir::Location loc, mlir::OpFoldResult value);
  mlir::Value apply(mlir::Location loc, mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> operands);
  mlir::OpFoldResult mapped(mlir::OpFoldResult value);
  mlir::Value both(mlir::Location loc, mlir::Value a, mlir::Value b);
  /// Emits `body` under a condition; without one, plainly.
  void guarded(mlir::Location loc, mlir::Value condition, llvm::function_ref<void()> body);
  /// Emits `body` under a condition and `otherwise`, if given, under its opposite; without a condition, `body` plainly.
  void either(mlir::Location loc, mlir::Value condition, llvm::function_ref<void()> body,
              llvm::function_ref<void()> otherwise);
  /// Emits a loop begin, begin + step, … below `end`; a single trip needs none.
  void loop(mlir::Location loc, int64_t end, int64_t step, bool isUnrolled,
            llvm::function_ref<void(mlir::OpFoldResult)> body, int64_t begin = 0);

  KernelOp source;
  VariantFacts variant;
  std::string name;
  bool isChecked;
  mlir::OpBuilder builder;
  simt::KernelOp kernel;
  mlir::Value thread;
  mlir::IRMapping mapping;
  IndexFacts facts;
  /// The kernel's origin, if layouts count from it.
  mlir::Value origin;
  /// Loads whose elements the block reads again, and where.
  llvm::DenseMap<mlir::Operation *, LoadOp> rereads;
  /// Loads whose elements nobody reads again, in any block, and whether their tensors are of a size where that matters.
  llvm::SetVector<mlir::Operation *> streams;
  mlir::Value isStreamed;
  /// Fragments whose padding has been written too, by a loop in this block of the source.
  llvm::DenseMap<mlir::Value, mlir::Block *> paddedIn;
  llvm::MapVector<mlir::Value, TileStorage> storages;
  llvm::SetVector<mlir::Attribute> requirements;
  /// Facts about strides that the aligned variant takes for granted, and whether anything came of them.
  llvm::SetVector<mlir::Attribute> assumed;
  bool usesAssumed = false;
  /// Stand-ins for values that do not exist yet; kept, so that no fact outlives its value.
  std::vector<std::unique_ptr<mlir::Block>> scratch;
  /// Block indices and what they are known to stay below.
  llvm::SmallVector<std::pair<mlir::Value, mlir::OpFoldResult>> provenBelow;
  /// The loop whose points are being lowered, if any.
  PointLoop *points = nullptr;
  /// What each row of a scan comes to, in the registers of every thread of the row; of scans whose total is taken.
  llvm::DenseMap<mlir::Operation *, mlir::Value> scanTotals;
};

/// Each limit once: the end of a loop is often the end of its tensor too.
llvm::SmallVector<IndexLimit> distinctLimits(llvm::ArrayRef<IndexLimit> limits);

/// The location without a name: for what has none in the user's text.
mlir::Location plain(mlir::Location loc);

/// The value of a thread position: of a digit or copy, or of the lower part of one.
mlir::AffineExpr threadPosition(const Layout &layout, int64_t stride, int64_t radix, mlir::AffineExpr thread);

/// The part of each coordinate that comes from the thread number.
llvm::SmallVector<mlir::AffineExpr> threadPositions(const Layout &layout, mlir::AffineExpr thread);

/// Lowers one reduction in its source's layout (LowerTilesReduce.cpp).
void lowerReduce(KernelLowering &lowering, ReduceOp reduce);
void lowerArgReduce(KernelLowering &lowering, ArgReduceOp reduce);

/// Lowers one scan in its source's layout (LowerTilesScan.cpp).
void lowerScan(KernelLowering &lowering, ScanOp scan);

/// Lowers a copy between two whole fragments, in registers or by shuffles (LowerTilesConversion.cpp).
void lowerConversion(KernelLowering &lowering, CopyOp copy);

} // namespace tile

#endif // TILE_TRANSFORMS_LOWERTILES_H
