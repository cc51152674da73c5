// Harness.h - parses a simt kernel from text and runs it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TEST_UNIT_SIMULATOR_HARNESS_H
#define TILE_TEST_UNIT_SIMULATOR_HARNESS_H

#include "tile/Simulator/Simulator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace tile::simt {

/// A kernel, its arguments and how to run it. The body begins on line 2 of "k.mlir".
///
/// `parameters`: "%a: memref<?xf32>, %n: index"; `kinds`: "tensor 0, symbol 0".
struct Bench {
  std::string parameters, kinds, body;
  int threads = 32;
  std::vector<int64_t> symbols, grid = {1};
  std::vector<HostArgument> arguments;
  std::string attributes;
  std::string requirements;
  SimulatorOptions options;

  /// What the last parse made; the module goes before its context.
  struct Ir {
    explicit Ir(const mlir::DialectRegistry &registry) : context(registry, mlir::MLIRContext::Threading::DISABLED) {}
    mlir::MLIRContext context;
    mlir::OwningOpRef<mlir::ModuleOp> module;
  };
  std::shared_ptr<Ir> ir;

  std::string text() const {
    std::string axes = grid.size() == 1 ? "%bx: index" : grid.size() == 2 ? "%bx: index, %by: index" : "";
    std::string map = grid.size() == 1 ? "(1)" : grid.size() == 2 ? "(1, 1)" : "()";
    std::string list;
    for (size_t at = 0; at < kinds.size();) {
      size_t end = std::min(kinds.find(',', at), kinds.size());
      list += (list.empty() ? "#simt.parameter<" : ", #simt.parameter<") + kinds.substr(at, end - at) + ">";
      at = end + 1;
    }
    return "simt.kernel @k(" + parameters + ") grid(" + axes + ") in affine_map<() -> " + map + "> threads(" +
           std::to_string(threads) + ") attributes {source = \"k\", parameters = [" + list + "], requirements = [" +
           requirements + "]" + attributes + "} {\n" + body + "\n}\n";
  }

  KernelOp parse() {
    mlir::DialectRegistry registry;
    registry.insert<TileDialect, SimtDialect, mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                    mlir::math::MathDialect, mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
    ir = std::make_shared<Ir>(registry);
    ir->module = mlir::parseSourceString<mlir::ModuleOp>(text(), &ir->context, "k.mlir");
    if (!ir->module)
      return nullptr;
    return *ir->module->getOps<KernelOp>().begin();
  }

  /// Runs; a kernel that does not parse fails the test.
  SimulatorResult run() {
    KernelOp kernel = parse();
    EXPECT_TRUE(kernel) << text();
    if (!kernel)
      return {};
    return simulate(kernel, symbols, arguments, grid, options);
  }

  /// Runs and returns the fault as text, "" if there is none.
  std::string fault() {
    SimulatorResult result = run();
    return result.fault ? toString(*result.fault) : "";
  }
};

/// A contiguous tensor with these elements.
template <typename T> HostTensor tensorOf(ScalarType type, const std::vector<T> &values) {
  HostTensor tensor = HostTensor::contiguous(type, {static_cast<int64_t>(values.size())});
  if (!values.empty())
    std::memcpy(tensor.storage->data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

template <typename T> std::vector<T> valuesOf(const HostTensor &tensor) {
  std::vector<T> values(tensor.storage->size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), tensor.storage->data(), tensor.storage->size());
  return values;
}

} // namespace tile::simt

#endif // TILE_TEST_UNIT_SIMULATOR_HARNESS_H
