// EmitterTest.h - simt text in, CUDA text out, and NVRTC's verdict on it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TEST_UNIT_TARGETCUDA_EMITTERTEST_H
#define TILE_TEST_UNIT_TARGETCUDA_EMITTERTEST_H

#include "tile/Target/CUDA/Emitter.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace tile::cuda {

class EmitterTest : public testing::Test {
protected:
  EmitterTest();

  /// Parses a module; a test failure if it cannot.
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &module);

  /// The CUDA text of a module, which NVRTC takes for sm_80 and sm_90a without a warning.
  std::string emit(const std::string &module, const EmitOptions &options = {});

  /// The CUDA text of a kernel `@k` with tensors `%A` and `%B` of `T`, a size `%n` (i64), one block index `%bx`
  /// (index) and `threads` threads, whose body is given.
  std::string emitBody(const std::string &body, const std::string &type = "f32", int threads = 128,
                       const std::string &attributes = "");

  /// The first error of emitting a module.
  std::string errorOf(const std::string &module);

  /// Compiles; a test failure on an error or warning. Returns PTX.
  std::string compile(const std::string &text, const std::string &arch);

  mlir::MLIRContext context;
};

/// The module `emitBody` emits.
std::string bodyModule(const std::string &body, const std::string &type = "f32", int threads = 128,
                       const std::string &attributes = "");

/// Expects the pieces in this order, each after the one before.
void expectInOrder(const std::string &text, const std::vector<std::string> &pieces);

} // namespace tile::cuda

#endif // TILE_TEST_UNIT_TARGETCUDA_EMITTERTEST_H
