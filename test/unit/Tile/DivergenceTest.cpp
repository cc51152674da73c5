// DivergenceTest.cpp - which values differ between threads, and where threads part.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Divergence.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <map>

using namespace mlir;
using namespace tile;

namespace {
/// A kernel around `body`, with %A global, %S shared, %P private, %t the thread, %n uniform, %c0, %c1 and %b the block.
/// Values whose name begins with "d" must differ between threads, those with "u" must not; others are not asked about.
class Divergences : public testing::Test {
protected:
  void check(StringRef body) {
    context
        .loadDialect<TileDialect, affine::AffineDialect, arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect>();
    std::string text = R"(tile.kernel @f(%A: memref<64x64xi32>, %n: index, %x: i32, %c: i1)
        grid(%b) in (4) threads(64) {
      %S = tile.alloc_shared : memref<64xi32, #tile.shared>
      %P = tile.alloc_local : memref<64xi32, #tile.local>
      %t = tile.thread_id
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
    )";
    text += body.str() + "}";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    kernel = *module->getOps<KernelOp>().begin();
    Divergence divergence(kernel);
    kernel->walk([&](Operation *op) {
      for (Value result : op->getResults())
        checkValue(divergence, result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            checkValue(divergence, argument);
    });
    EXPECT_GT(asked, 0);
  }

  void checkValue(const Divergence &divergence, Value value) {
    auto named = dyn_cast<NameLoc>(value.getLoc());
    StringRef name = named ? named.getName().getValue() : StringRef();
    if (!name.starts_with("d") && !name.starts_with("u"))
      return;
    ++asked;
    EXPECT_EQ(divergence.mayDiffer(value), name.starts_with("d")) << name.str();
    EXPECT_EQ(divergence.source(value) != nullptr, name.starts_with("d")) << name.str();
    EXPECT_EQ(mayDiffer(value), name.starts_with("d")) << name.str();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  KernelOp kernel;
  int asked = 0;
};
} // namespace

// Arithmetic passes a difference on; blocks, sizes and arguments have none.
TEST_F(Divergences, followsArithmetic) {
  check(R"(
    %d1 = arith.addi %t, %n : index
    %d2 = arith.muli %d1, %c1 : index
    %d3 = affine.apply affine_map<(i, j) -> (i + j)>(%b, %d2)
    %u1 = arith.addi %b, %n : index
    %u2 = affine.apply affine_map<(i) -> (i mod 4)>(%u1)
  )");
}

// A load differs by its index, in global and shared memory; from a private array it always does.
TEST_F(Divergences, followsLoads) {
  check(R"(
    %u1 = tile.load %A[%n, %b] : memref<64x64xi32>
    %u2 = tile.load %S[%b] : memref<64xi32, #tile.shared>
    %d1 = tile.load %A[%b, %t] : memref<64x64xi32>
    %d2 = tile.load %S[%t] : memref<64xi32, #tile.shared>
    %d3 = tile.load %P[0] : memref<64xi32, #tile.local>
    %d4 = tile.atomic add %x, %S[%b] : memref<64xi32, #tile.shared>
  )");
}

// A window that begins elsewhere in each thread makes its elements differ; its extents stay.
TEST_F(Divergences, followsWindows) {
  check(R"(
    %dw = tile.slice %A[%t, 0] : memref<64x64xi32> to memref<1x64xi32>
    %d1 = tile.load %dw[0, %n] : memref<1x64xi32>
    %u1 = memref.dim %dw, %c1 : memref<1x64xi32>
    %uw = tile.slice %A[%b, 0] : memref<64x64xi32> to memref<1x64xi32>
    %u2 = tile.load %uw[0, %n] : memref<1x64xi32>
  )");
}

// The result of a branch differs by its condition, or by what either side yields.
TEST_F(Divergences, followsBranches) {
  check(R"(
    %d0 = arith.cmpi eq, %t, %c0 : index
    %d1 = scf.if %d0 -> index {
      scf.yield %c0 : index
    } else {
      scf.yield %c1 : index
    }
    %d2 = scf.if %c -> index {
      scf.yield %t : index
    } else {
      scf.yield %c1 : index
    }
    %u1 = scf.if %c -> index {
      scf.yield %c0 : index
    } else {
      scf.yield %c1 : index
    }
  )");
}

// A loop-carried value differs if its start or any trip's value does; a result also if the number of trips does.
TEST_F(Divergences, followsForLoops) {
  check(R"(
    %d1 = scf.for %u1 = %c0 to %n step %c1 iter_args(%d2 = %c0) -> (index) {
      %d3 = arith.addi %d2, %t : index
      scf.yield %d3 : index
    }
    %d4 = scf.for %u2 = %c0 to %t step %c1 iter_args(%u3 = %c0) -> (index) {
      %u4 = arith.addi %u3, %c1 : index
      scf.yield %u4 : index
    }
    %d6 = scf.for %d5 = %t to %n step %c1 iter_args(%u6 = %c0) -> (index) {
      scf.yield %u6 : index
    }
  )");
}

// Threads that leave a while loop at different trips carry away different values.
TEST_F(Divergences, followsWhileLoops) {
  check(R"(
    %d1 = scf.while (%u1 = %c0) : (index) -> index {
      %d2 = arith.cmpi slt, %u1, %t : index
      scf.condition(%d2) %u1 : index
    } do {
    ^bb0(%u2: index):
      %u3 = arith.addi %u2, %c1 : index
      scf.yield %u3 : index
    }
    %u4 = scf.while (%u5 = %c0) : (index) -> index {
      %u6 = arith.cmpi slt, %u5, %n : index
      scf.condition(%u6) %u5 : index
    } do {
    ^bb0(%u7: index):
      scf.yield %u7 : index
    }
  )");
}

// Induction variables of our loops are the same in every thread that still runs; points of a parallel are no threads.
TEST_F(Divergences, inductionVariablesAreUniform) {
  check(R"(
    tile.serial %u1 in (%t) {
      tile.vectorized %u2 in (4) {
        %d1 = arith.addi %u2, %t : index
      }
    }
    tile.parallel %u3 in (64) {
      %u4 = tile.load %S[%u3] : memref<64xi32, #tile.shared>
    }
  )");
}

// Threads part at the innermost condition or extent that differs, however deep below it an operation stands.
TEST_F(Divergences, namesWhereThreadsPart) {
  check(R"(
    %d1 = arith.cmpi eq, %t, %c0 : index
    scf.if %c {
      %u1 = arith.constant 1 : i8
      scf.if %d1 {
        tile.serial %k in (4) {
          %u2 = arith.constant 2 : i8
        }
      }
    }
    tile.unrolled %k in (%t) {
      %u3 = arith.constant 3 : i8
    }
  )");
  Divergence divergence(kernel);
  std::map<int64_t, std::string> parents;
  kernel->walk([&](arith::ConstantOp op) {
    if (op.getType().isInteger(8)) {
      Operation *parent = divergence.divergentParent(op);
      parents[cast<IntegerAttr>(op.getValue()).getInt()] = parent ? parent->getName().getStringRef().str() : "";
    }
  });
  EXPECT_EQ(parents, (std::map<int64_t, std::string>{{1, ""}, {2, "scf.if"}, {3, "tile.unrolled"}}));
}
