// Fixture.h - runs the text of a tile program on host tensors, for the tests of the interpreter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TEST_UNIT_INTERPRETER_FIXTURE_H
#define TILE_TEST_UNIT_INTERPRETER_FIXTURE_H

#include "tile/Interpreter/Interpreter.h"
#include "tile/Support/Numerics.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/BuiltinOps.h"

#include <gtest/gtest.h>

namespace tile {

/// All element types that live in memory.
inline constexpr ScalarType memoryTypes[] = {ScalarType::I1,  ScalarType::I8,       ScalarType::I16,   ScalarType::I32,
                                             ScalarType::I64, ScalarType::F16,      ScalarType::BF16,  ScalarType::F32,
                                             ScalarType::F64, ScalarType::F8E4M3FN, ScalarType::F8E5M2};

/// Parses programs and runs them.
class InterpreterTest : public ::testing::Test {
protected:
  InterpreterTest();

  /// Runs the only kernel of `text`, whose lines count from 1.
  std::optional<Fault> run(const std::string &text, std::vector<int64_t> symbols, std::vector<HostArgument> arguments,
                           InterpreterOptions options = {}, bool isVerified = true);
  /// Runs a program that must not fault.
  void runWell(const std::string &text, std::vector<int64_t> symbols, std::vector<HostArgument> arguments,
               InterpreterOptions options = {});
  /// Runs a program, unverified so that nobody else finds the fault first, that must fault on `line` (of "t.mlir") with
  /// a message that holds `part`.
  void expectFault(const std::string &text, int line, const std::string &part, std::vector<int64_t> symbols,
                   std::vector<HostArgument> arguments, InterpreterOptions options = {});

  mlir::MLIRContext context;
};

/// A contiguous tensor of the numbers `f(i)`, rounded to the type.
template <typename Function> HostTensor tensorOf(ScalarType type, std::vector<int64_t> shape, Function f) {
  HostTensor tensor = HostTensor::contiguous(type, std::move(shape));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.store(i, fromDouble(type, f(i)));
  return tensor;
}

/// The raw bits of all elements of a contiguous tensor.
std::vector<uint64_t> bitsIn(const HostTensor &tensor);

/// The elements of a contiguous tensor as numbers.
std::vector<double> numbersIn(const HostTensor &tensor);

/// Replaces every `$name` of the text; the longest names first.
std::string substitute(std::string text, std::vector<std::pair<std::string, std::string>> values);

/// The name of a type, as the text of a program spells it.
inline std::string spelled(ScalarType type) {
  return std::string(name(type));
}

} // namespace tile

#endif // TILE_TEST_UNIT_INTERPRETER_FIXTURE_H
