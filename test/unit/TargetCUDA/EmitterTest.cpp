// EmitterTest.cpp - the fixture of the emitter's tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitterTest.h"

#include "dialects/Simt/SimtOps.h"
#include "dialects/Tile/TileOps.h"
#include "tile/Runtime/Nvrtc.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace tile::cuda {

EmitterTest::EmitterTest() {
  context.loadDialect<TileDialect, simt::SimtDialect, affine::AffineDialect, arith::ArithDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect>();
}

OwningOpRef<ModuleOp> EmitterTest::parse(const std::string &module) {
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(module, ParserConfig(&context), "program.mlir");
  EXPECT_TRUE(parsed) << module;
  return parsed;
}

std::string EmitterTest::emit(const std::string &module, const EmitOptions &options) {
  OwningOpRef<ModuleOp> parsed = parse(module);
  if (!parsed)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_TRUE(succeeded(emitCuda(*parsed, os, options))) << module;
  for (const char *arch : {"sm_80", "sm_90a"})
    compile(text, arch);
  return text;
}

std::string EmitterTest::emitBody(const std::string &body, const std::string &type, int threads,
                                  const std::string &attributes) {
  return emit(bodyModule(body, type, threads, attributes));
}

std::string EmitterTest::errorOf(const std::string &module) {
  OwningOpRef<ModuleOp> parsed = parse(module);
  std::string first;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (first.empty())
      first = diagnostic.str();
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_TRUE(parsed && failed(emitCuda(*parsed, os)));
  EXPECT_EQ(text, "") << "a refused module leaves no text";
  return first;
}

std::string EmitterTest::compile(const std::string &text, const std::string &arch) {
  Result<std::shared_ptr<const runtime::Nvrtc>> nvrtc = runtime::Nvrtc::open(runtime::searchPathsFromEnvironment());
  if (!nvrtc) {
    ADD_FAILURE() << nvrtc.error();
    return "";
  }
  runtime::CompileOptions options;
  options.arch = arch;
  options.wantPtx = true;
  Result<runtime::CompileOutput> output = (*nvrtc)->compile(text, options);
  if (!output) {
    ADD_FAILURE() << output.error() << "\n" << text;
    return "";
  }
  EXPECT_EQ(output->log.find("warning"), std::string::npos) << output->log << "\n" << text;
  return output->image;
}

std::string bodyModule(const std::string &body, const std::string &type, int threads, const std::string &attributes) {
  return "simt.kernel @k(%A: memref<?x" + type + ">, %B: memref<?x" + type +
         ">, %n: i64) grid(%bx: index) in affine_map<() -> (4)> threads(" + std::to_string(threads) +
         ") attributes {source = \"k\", requirements = [], parameters = [#simt.parameter<tensor 0>, "
         "#simt.parameter<tensor 1>, #simt.parameter<symbol 0>]" +
         attributes + "} {\n" + body + "\n}\n";
}

void expectInOrder(const std::string &text, const std::vector<std::string> &pieces) {
  size_t at = 0;
  for (const std::string &piece : pieces) {
    size_t found = text.find(piece, at);
    ASSERT_NE(found, std::string::npos) << "no '" << piece << "' after offset " << at << " of\n" << text;
    at = found + piece.size();
  }
}

} // namespace tile::cuda
