// ChooseIndexWidthTest.cpp - rewritten index arithmetic equals the original, and no 32-bit operation overflows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SmallMachine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {
/// Writes random index expressions over the thread, the block, two sizes and induction variables.
class Writer {
public:
  explicit Writer(unsigned seed) : random(seed) {}

  std::string body() {
    statements(3 + pick(4));
    loop("%c0", pick(2) ? number(1 + pick(9)) : "%small", number(1 + pick(3)));
    statements(2);
    return "  %c0 = arith.constant 0 : index\n  %c7 = arith.constant 7 : index\n"
           "  %small = arith.remsi %n0, %c7 : index\n" +
           constants + text;
  }

  int64_t pick(int64_t below) { return int64_t(random() % uint64_t(below)); }
  /// A size of any magnitude up to 2^62.
  int64_t size() { return int64_t(random() >> (2 + pick(61))); }

private:
  std::string number(int64_t value) {
    std::string name = "%k" + std::to_string(next++);
    constants += "  " + name + " = arith.constant " + std::to_string(value) + " : index\n";
    return name;
  }
  int64_t smallNumber() { return pick(3) ? 1 + pick(100) : int64_t(1) << pick(12); }
  std::string any() { return names[pick(names.size())]; }
  void define(const std::string &operation) {
    names.push_back("%v" + std::to_string(next++));
    text += "  " + names.back() + " = " + operation + "\n";
  }

  void statements(int count) {
    for (int i = 0; i < count; ++i)
      statement();
    text += "  simt.print \"v\" " + names.back() + ", " + any() + " : index, index\n";
    text += "  %l" + std::to_string(next++) + " = simt.load %X[" + any() + " : index] : memref<?xf32> -> f32\n";
    text += "  %l" + std::to_string(next++) + " = simt.load %X[" + names.back() + " : index] : memref<?xf32> -> f32\n";
  }

  std::string affine(int depth) {
    if (depth == 0)
      return pick(4) ? "d" + std::to_string(pick(3)) : std::to_string(smallNumber());
    std::string inner = "(" + affine(depth - 1) + ")", constant = std::to_string(smallNumber());
    switch (pick(6)) {
    case 0:
      return inner + " * " + constant;
    case 1:
      return inner + " floordiv " + constant;
    case 2:
      return inner + " ceildiv " + constant;
    case 3:
      return inner + " mod " + constant;
    case 4:
      return inner + " - (" + affine(depth - 1) + ")";
    default:
      return inner + " + (" + affine(depth - 1) + ")";
    }
  }

  void statement() {
    static const char *const binary[] = {"addi", "subi", "muli", "minsi", "maxsi", "andi", "ori", "xori"};
    static const char *const divisions[] = {"divsi", "remsi", "floordivsi", "ceildivsi"};
    static const char *const shifts[] = {"shli", "shrsi", "shrui"};
    static const char *const predicates[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
    std::string id = std::to_string(next++);
    switch (pick(7)) {
    case 0:
      return define(std::string("arith.") + binary[pick(8)] + " " + any() + ", " + any() + " : index");
    case 1: {
      int64_t divisor = smallNumber();
      return define(std::string("arith.") + divisions[pick(4)] + " " + any() + ", " +
                    number(pick(4) ? divisor : -divisor) + " : index");
    }
    case 2:
      return define(std::string("arith.") + shifts[pick(3)] + " " + any() + ", " + number(pick(40)) + " : index");
    case 3:
      text += "  %p" + id + " = arith.cmpi " + predicates[pick(10)] + ", " + any() + ", " + any() + " : index\n";
      return define("arith.select %p" + id + ", " + any() + ", " + any() + " : index");
    case 4: {
      std::string type = pick(2) ? "i16" : "i32", unsign = pick(2) ? "ui" : "";
      text += "  %p" + id + " = arith.index_cast " + any() + " : index to " + type + "\n";
      return define("arith.index_cast" + unsign + " %p" + id + " : " + type + " to index");
    }
    default:
      return define("affine.apply affine_map<(d0, d1, d2) -> (" + affine(1 + pick(3)) + ")>(" + any() + ", " + any() +
                    ", " + any() + ")");
    }
  }

  void loop(const std::string &low, const std::string &high, const std::string &step) {
    std::string id = std::to_string(next++), init = any();
    text += "  %r" + id + " = scf.for %i" + id + " = " + low + " to " + high + " step " + step + " iter_args(%a" + id +
            " = " + init + ") -> index {\n";
    std::vector<std::string> outside = names;
    names.push_back("%i" + id);
    names.push_back("%a" + id);
    statements(2 + pick(4));
    text += "  scf.yield " + names.back() + " : index\n  }\n";
    names = outside;
    names.push_back("%r" + id);
  }

  std::mt19937_64 random;
  int next = 0;
  std::string constants, text;
  std::vector<std::string> names{"%t", "%bx", "%n0", "%n1", "%t", "%bx"};
};
} // namespace

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

static std::vector<int64_t> numbersOf(const std::vector<Event> &events) {
  std::vector<int64_t> numbers;
  for (const Event &event : events)
    numbers.push_back(event.number);
  return numbers;
}

// Random kernels: same addresses, same values, no overflow in 32 bits, nothing of type index left.
TEST(ChooseIndexWidth, EqualsTheOriginal) {
  MLIRContext context;
  int compared = 0, narrow = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Writer writer(seed);
    int threads = seed % 3 ? 128 : 96;
    std::string text = kernelText(writer.body(), threads, 2);
    OwningOpRef<ModuleOp> before = parse(context, text), after = parse(context, text);
    ASSERT_TRUE(before && after);
    ASSERT_TRUE(runPasses(*after, "width")) << text;
    after->walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        EXPECT_FALSE(type.isIndex()) << text;
      narrow += llvm::any_of(op->getResultTypes(), [](Type type) { return type.isInteger(32); });
    });
    SmallMachine original(onlyKernel(*before)), rewritten(onlyKernel(*after));
    for (int sample = 0; sample < 12; ++sample) {
      std::vector<int64_t> arguments{writer.size(), writer.size(), writer.pick(INT32_MAX)};
      int64_t thread = sample == 0 ? threads - 1 : writer.pick(threads);
      original.left64 = rewritten.left32 = false;
      std::vector<int64_t> expected = numbersOf(original.run(thread, arguments));
      if (original.left64)
        continue; // no execution: an index leaves 64 bits
      ASSERT_EQ(expected, numbersOf(rewritten.run(thread, arguments))) << text << textOf(*after);
      ASSERT_FALSE(rewritten.left32) << text << textOf(*after);
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(narrow, 1000);
}
