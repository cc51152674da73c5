// Fixture.cpp - parsing, running, and reading back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Interpreter/Fixture.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tile;

InterpreterTest::InterpreterTest() {
  context.loadDialect<TileDialect, affine::AffineDialect, arith::ArithDialect, math::MathDialect, memref::MemRefDialect,
                      scf::SCFDialect>();
}

std::optional<Fault> InterpreterTest::run(const std::string &text, std::vector<int64_t> symbols,
                                          std::vector<HostArgument> arguments, InterpreterOptions options,
                                          bool isVerified) {
  OwningOpRef<ModuleOp> program =
      parseSourceString<ModuleOp>(text, ParserConfig(&context, /*verifyAfterParse=*/isVerified), "t.mlir");
  if (!program) {
    ADD_FAILURE() << "does not parse:\n" << text;
    return std::nullopt;
  }
  KernelOp kernel = *program->getOps<KernelOp>().begin();
  std::optional<Fault> fault = interpret(kernel, symbols, arguments, options);
  return fault;
}

void InterpreterTest::runWell(const std::string &text, std::vector<int64_t> symbols,
                              std::vector<HostArgument> arguments, InterpreterOptions options) {
  std::optional<Fault> fault = run(text, std::move(symbols), std::move(arguments), std::move(options));
  if (fault)
    ADD_FAILURE() << toString(*fault) << "\nin\n" << text;
}

void InterpreterTest::expectFault(const std::string &text, int line, const std::string &part,
                                  std::vector<int64_t> symbols, std::vector<HostArgument> arguments,
                                  InterpreterOptions options) {
  std::optional<Fault> fault = run(text, std::move(symbols), std::move(arguments), std::move(options), false);
  ASSERT_TRUE(fault) << "no fault in\n" << text;
  EXPECT_NE(fault->message.find(part), std::string::npos) << "found: " << fault->message << "\nexpected: " << part;
  EXPECT_EQ(toString(*fault).rfind("t.mlir:" + std::to_string(line) + ":", 0), 0u)
      << "found: " << toString(*fault) << "\nexpected line " << line;
}

std::vector<uint64_t> tile::bitsIn(const HostTensor &tensor) {
  std::vector<uint64_t> bits;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    bits.push_back(tensor.load(i));
  return bits;
}

std::vector<double> tile::numbersIn(const HostTensor &tensor) {
  std::vector<double> numbers;
  for (uint64_t bits : bitsIn(tensor))
    numbers.push_back(toDouble(tensor.type, bits));
  return numbers;
}

std::string tile::substitute(std::string text, std::vector<std::pair<std::string, std::string>> values) {
  std::sort(values.begin(), values.end(), [](auto &a, auto &b) { return a.first.size() > b.first.size(); });
  for (const auto &[key, value] : values)
    for (size_t at = text.find("$" + key); at != std::string::npos; at = text.find("$" + key, at + value.size()))
      text.replace(at, key.size() + 1, value);
  return text;
}
