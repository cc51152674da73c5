// FaultTest.cpp - everything the language forbids is found, with its line; nothing crashes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Interpreter/Fixture.h"

using namespace tile;

/// A kernel around some lines; the first of them is line 5 of the text.
static std::string around(const std::string &body, const std::string &threads = "32") {
  return "// line 1\ntile.kernel @f(%x: memref<8xi32>, %n: index, %v: i32)\n    grid(%b) in (1)\n    threads(" +
         threads + ") {\n" + body + "\n}";
}

class InterpreterFaultTest : public InterpreterTest {
protected:
  /// The body must fault on its line number `line` (from 1).
  void expect(const std::string &body, int line, const std::string &part, int64_t n = 8, int64_t v = 0,
              InterpreterOptions options = {}) {
    HostTensor x = tensorOf(ScalarType::I32, {8}, [](int64_t i) { return i; });
    expectFault(around(body), 4 + line, part, {}, {x, static_cast<uint64_t>(n), static_cast<uint64_t>(v)}, options);
  }
};

/// Shared, fragment and private elements out of range name buffer, index and shape.
TEST_F(InterpreterFaultTest, TilesOutOfRange) {
  for (std::string space : {"shared", "fragment"})
    for (int64_t n : {-1, 8, 9, 1 << 30}) {
      expect(substitute("%s = tile.alloc_$s : memref<8xi32, #tile.$s>\ntile.fill %s with 1 : memref<8xi32, #tile.$s>\n"
                        "tile.parallel %i in (1) {\n%e = tile.load %s[%n] : memref<8xi32, #tile.$s>\n}",
                        {{"s", space}}),
             4,
             "accesses element [" + std::to_string(n) + "] of " + space + " tile %s, whose shape is [8], at point [0]",
             n);
      expect(substitute("%s = tile.alloc_$s : memref<8xi32, #tile.$s>\n"
                        "tile.parallel %i in (1) {\ntile.store %v, %s[%n + %i] : memref<8xi32, #tile.$s>\n}",
                        {{"s", space}}),
             3, "accesses element [" + std::to_string(n) + "] of " + space + " tile %s", n);
    }
  expect("%l = tile.alloc_local : memref<2xi32, #tile.local>\n%t = tile.thread_id\n"
         "tile.store %v, %l[%t] : memref<2xi32, #tile.local>",
         3, "accesses element [2] of private array %l, whose shape is [2], in thread 2");
  expect("%s = tile.alloc_shared : memref<8xi32, #tile.shared>\n"
         "tile.copy %x[0] to %s[%n] : memref<8xi32> to memref<8xi32, #tile.shared>",
         2, "accesses element [8] of shared tile %s, whose shape is [8], in block [0]", 8 - 7 + 6);
}

/// A window that reaches beyond its shared tile faults where it is used, not where it is cut.
TEST_F(InterpreterFaultTest, WindowsOutOfRange) {
  expect("%s = tile.alloc_shared : memref<8xi32, #tile.shared>\n"
         "%w = tile.slice %s[%n] : memref<8xi32, #tile.shared> to memref<4xi32, #tile.shared>\n"
         "tile.fill %w with 1 : memref<4xi32, #tile.shared>",
         3, "accesses element [3] of shared tile %w, which lies outside the tile it is a window of", 5);
}

/// Elements that nothing wrote are not read, in any space, by any operation.
TEST_F(InterpreterFaultTest, UnwrittenElements) {
  for (std::string space : {"shared", "fragment"}) {
    std::string tile = "%s = tile.alloc_" + space + " : memref<8xi32, #tile." + space + ">\n";
    std::string type = "memref<8xi32, #tile." + space + ">";
    expect(tile + "tile.parallel %i in (8) {\n%e = tile.load %s[%i] : " + type + "\n}", 3,
           "reads element [0] of " + space + " tile %s, which nothing wrote");
    expect(tile + "tile.parallel %i in (5) {\ntile.store %v, %s[%i] : " + type + "\n}\ntile.copy %s to %x : " + type +
               " to memref<8xi32>",
           5, "reads element [5] of " + space + " tile %s, which nothing wrote");
    expect(tile + "tile.parallel %i in (8) {\ntile.atomic add %v, %s[%i] : " + type + "\n}", 3, "which nothing wrote");
    expect(tile + "%r = tile.alloc_fragment : memref<i32, #tile.fragment>\ntile.reduce sum %s into %r dim 0 : " + type +
               " into memref<i32, #tile.fragment>",
           3, "which nothing wrote");
    expect(tile + "%r = tile.alloc_fragment : memref<i32, #tile.fragment>\ntile.fill %s with 1 : " + type +
               "\ntile.reduce sum %s into %r dim 0 accumulate : " + type + " into memref<i32, #tile.fragment>",
           4, "reads element [] of fragment tile %r, which nothing wrote");
  }
  expect("%l = tile.alloc_local : memref<2xi32, #tile.local>\n%e = tile.load %l[1] : memref<2xi32, #tile.local>", 2,
         "reads element [1] of private array %l, which nothing wrote, in thread 0");
  // An allocation in a loop is new in every trip.
  expect("tile.serial %i in (2) {\n%s = tile.alloc_shared : memref<1xi32, #tile.shared>\n"
         "%z = arith.constant 0 : index\n%c = arith.cmpi eq, %i, %z : index\nscf.if %c {\n"
         "tile.fill %s with 1 : memref<1xi32, #tile.shared>\n}\n%e = tile.load %s[0] : memref<1xi32, #tile.shared>\n}",
         8, "which nothing wrote");
}

/// Two points that write one element are named, with the element.
TEST_F(InterpreterFaultTest, TwoPointsWriteOneElement) {
  expect("tile.parallel (%i, %j) in (2, 4) {\n%k = arith.muli %j, %n : index\ntile.store %v, %x[%k + %i] : "
         "memref<8xi32>\n}",
         3, "points [0, 0] and [0, 1] of one parallel both write element [0] of tensor %x", 0);
  expect("tile.parallel %i in (8) {\ntile.store %v, %x[%i floordiv 2] : memref<8xi32>\n}", 2,
         "points [0] and [1] of one parallel both write element [0] of tensor %x");
  expect("%s = tile.alloc_fragment : memref<4xi32, #tile.fragment>\ntile.parallel %i in (8) {\n"
         "tile.store %v, %s[%i mod 4] : memref<4xi32, #tile.fragment>\n}",
         3, "points [0] and [4] of one parallel both write element [0] of fragment tile %s");
  // The same bytes under another type.
  expect("%s = tile.alloc_shared : memref<4xi32, #tile.shared>\n"
         "%w = tile.view %s : memref<4xi32, #tile.shared> to memref<8xi16, #tile.shared>\n"
         "tile.parallel %i in (4) {\n%h = arith.trunci %v : i32 to i16\n"
         "tile.store %v, %s[%i] : memref<4xi32, #tile.shared>\ntile.store %h, %w[%i] : memref<8xi16, #tile.shared>\n}",
         6, "points [0] and [1] of one parallel both write");
}

/// A point may not read what another point of the same parallel writes, in either order; atomics may meet only atomics.
TEST_F(InterpreterFaultTest, PointsThatMeet) {
  expect(
      "tile.parallel %i in (8) {\n%e = tile.load %x[7 - %i] : memref<8xi32>\ntile.store %e, %x[%i] : memref<8xi32>\n}",
      2, "point [4] reads element [3] of tensor %x, which point [3] of the same parallel writes");
  expect(
      "tile.parallel %i in (7) {\n%e = tile.load %x[%i + 1] : memref<8xi32>\ntile.store %e, %x[%i] : memref<8xi32>\n}",
      3, "point [1] writes element [1] of tensor %x, which point [0] of the same parallel reads");
  expect("tile.parallel %i in (8) {\ntile.atomic add %v, %x[0] : memref<8xi32>\n%e = tile.load %x[%i] : memref<8xi32>\n"
         "tile.store %e, %x[%i] : memref<8xi32>\n}",
         2, "point [1] updates element [0] of tensor %x, which point [0] of the same parallel");
  expect("tile.parallel %i in (8) {\ntile.atomic add %v, %x[%i mod 2] : memref<8xi32>\n"
         "%e = tile.load %x[2 - %i] : memref<8xi32>\n}",
         3, "point [2] reads element [0] of tensor %x, which point [0] of the same parallel updates", 8);
}

/// Threads: a store that all make, a block-wide operation that some reach, brackets and values that differ.
TEST_F(InterpreterFaultTest, ThreadsAndTheBlock) {
  expect("tile.store %v, %x[%n] : memref<8xi32>", 1, "all 32 threads store to one element of tensor %x", 3);
  std::string guard = "%t = tile.thread_id\n%c = arith.cmpi slt, %t, %n : index\n";
  expect(guard + "scf.if %c {\ntile.sync\n}", 4, "'tile.sync' is reached by some threads only, thread 0 among them");
  expect(guard + "scf.if %c {\n} else {\ntile.parallel %i in (1) {\n}\n}", 5,
         "'tile.parallel' is reached by some threads only, thread 8");
  expect("%t = tile.thread_id\n%s = tile.alloc_shared : memref<1xi32, #tile.shared>\n"
         "tile.copy %x[%t] to %s : memref<8xi32> to memref<1xi32, #tile.shared>",
         3, "'tile.copy' has a bracket that differs between threads");
  expect("%t = tile.thread_id\ntile.parallel %i in (1) {\n%e = tile.load %x[%t] : memref<8xi32>\n}", 2,
         "uses a value that differs between threads 0 and 1");
  expect("%t = tile.thread_id\n%s = tile.alloc_shared : memref<1xindex, #tile.shared>", 2, "is not of the language");
  expect("%t = tile.thread_id\n%e = arith.index_cast %t : index to i32\n"
         "%s = tile.alloc_shared : memref<1xi32, #tile.shared>\ntile.fill %s with %e : memref<1xi32, #tile.shared>",
         4, "'tile.fill' has a value that differs between threads 0 and 1");
  expect("tile.parallel %i in (1) {\n%t = tile.thread_id\n}", 2, "'tile.thread_id' inside parallel");
  expect("tile.parallel %i in (1) {\ntile.sync\n}", 2, "'tile.sync' inside parallel");
  expect("%l = tile.alloc_local : memref<1xi32, #tile.local>\ntile.parallel %i in (1) {\n"
         "tile.store %v, %l[0] : memref<1xi32, #tile.local>\n}",
         3, "uses a private array inside parallel");
}

/// Integer division by zero and lowest / -1, in the thread or point that divides.
TEST_F(InterpreterFaultTest, IntegerDivision) {
  for (std::string op : {"divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"})
    expect("tile.parallel %i in (8) {\n%e = tile.load %x[3 - %i] : memref<8xi32>\n%q = arith." + op +
               " %v, %e : i32\n}",
           3, "division by zero, at point [3] in block [0]");
  expect("%l = arith.constant -2147483648 : i32\n%q = arith.divsi %l, %v : i32", 2,
         "lowest integer divided by -1, in thread 0 in block [0]", 0, -1);
}

/// assert and endless loops stop the run.
TEST_F(InterpreterFaultTest, AssertAndStepLimit) {
  expect("%t = tile.thread_id\n%c = arith.cmpi slt, %t, %n : index\ntile.assert %c, \"too many\"", 3,
         "too many, in thread 8 in block [0]", 8);
  InterpreterOptions options;
  options.maxSteps = 10000;
  expect("%c = arith.constant true\nscf.while : () -> () {\nscf.condition(%c)\n} do {\nscf.yield\n}", 2,
         "stopped after 10000 steps", 8, 0, options);
  expect("tile.serial (%i, %j) in (1000000000000, %n) {\n}", 1, "stopped after 10000 steps", 8, 0, options);
  expect("tile.parallel %i in (%n) {\n}", 1, "stopped after 10000 steps", 2000000000, 0, options);
  expect("tile.parallel %i in (%n) {\n}", 1, "the interpreter runs up to 2^32 - 2", int64_t(1) << 40);
}

/// What the interpreter does not know is named; steps and tiles that cannot be are refused.
TEST_F(InterpreterFaultTest, UnknownAndImpossible) {
  expect("%s, %c = arith.addui_extended %v, %v : i32, i1", 1, "does not know 'arith.addui_extended'");
  expect("%s = scf.execute_region -> i32 {\nscf.yield %v : i32\n}", 1, "does not know 'scf.execute_region'");
  expect("%m = memref.alloc() : memref<8xi32>", 1, "does not know 'memref.alloc'");
  expect("%m = arith.constant dense<1> : vector<4xi32>", 1, "");
  expect("%z = arith.constant 0 : index\nscf.for %i = %z to %n step %z {\n}", 2, "found step 0; a step is positive");
  expect("%s = tile.alloc_shared : memref<1099511627776xi32, #tile.shared>", 1, "a tile of the block has at most");
  expect("%y = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%n)[%n]", 1, "not positive in a bracket", 0);
  expect("%z = arith.constant 2 : index\n%d = memref.dim %x, %z : memref<8xi32>", 2,
         "asks for dimension 2 of tensor %x, whose rank is 1");
  expect("%r = tile.reshape %x : memref<8xi32> to memref<9xi32>", 1, "the bytes must agree");
  expect("%s = tile.alloc_shared : memref<4x3xi8, #tile.shared>\n"
         "%w = tile.slice %s[0, 0] : memref<4x3xi8, #tile.shared> to memref<2x1xi8, #tile.shared>\n"
         "%q = tile.view %w : memref<2x1xi8, #tile.shared> to memref<1xi16, #tile.shared>",
         3, "applies to shared tile %w, whose elements are not adjacent");
}
