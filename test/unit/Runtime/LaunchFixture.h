// LaunchFixture.h - the kernels and tensors that the launch tests share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEST_UNIT_RUNTIME_LAUNCHFIXTURE_H
#define TEST_UNIT_RUNTIME_LAUNCHFIXTURE_H

#include "tile/Runtime/Launch.h"

#include <string>
#include <vector>

namespace tile::runtime {

inline Expr sym(int64_t index) {
  return Expr::value(index);
}

inline Expr num(int64_t number) {
  return Expr::constant(number);
}

inline ArgumentInfo tensorInfo(std::string name, ScalarType type, std::vector<Expr> extents, bool isWritten = false) {
  return {std::move(name), "f.tile:1:1", ArgumentInfo::Kind::Tensor, type, std::move(extents), {},
          !isWritten,      isWritten};
}

inline ArgumentInfo scalarInfo(std::string name, ScalarType type) {
  return {std::move(name), "f.tile:1:1", ArgumentInfo::Kind::Scalar, type, {}, {}, false, false};
}

/// A tensor at an address that is never dereferenced.
inline Tensor at(uintptr_t address, ScalarType type, std::vector<int64_t> shape, std::vector<int64_t> strides = {}) {
  return {reinterpret_cast<void *>(address), type, std::move(shape), std::move(strides), -1};
}

/// gemm[M, N, K](A[M, K], B[K, N], C[M, N]) of f16, blocks of 128 by 128, a fast variant (16-byte rows) and a careful
/// one.
inline KernelInfo gemmInfo() {
  KernelInfo info;
  info.name = "gemm";
  info.threads = 128;
  info.symbols = {"M", "N", "K"};
  info.arguments = {tensorInfo("A", ScalarType::F16, {sym(0), sym(2)}),
                    tensorInfo("B", ScalarType::F16, {sym(2), sym(1)}),
                    tensorInfo("C", ScalarType::F16, {sym(0), sym(1)}, true)};
  info.grid = {Expr::ceilDiv(sym(1), num(128)), Expr::ceilDiv(sym(0), num(128))};
  info.blockOrder = {0, 1};
  Variant careful;
  careful.entry = "gemm_careful";
  careful.foldsGrid = true;
  for (int64_t i = 0; i < 3; ++i)
    careful.parameters.push_back(Parameter::pointer(i));
  for (int64_t i = 0; i < 3; ++i)
    careful.parameters.push_back(Parameter::symbol(i));
  careful.parameters.push_back(Parameter::gridExtent(1));
  Variant fast = careful;
  fast.entry = "gemm_fast";
  fast.foldsGrid = false;
  fast.parameters.pop_back();
  for (int64_t i = 0; i < 3; ++i) {
    fast.requirements.push_back(Requirement::pointerMultiple(i, 16));
    fast.requirements.push_back(Requirement::strideMultiple(i, 0, 16));
    fast.requirements.push_back(Requirement::offsetLess(i, int64_t(1) << 31));
  }
  info.variants = {fast, careful};
  return info;
}

/// Arguments of `gemmInfo` that pass, all disjoint.
inline std::vector<Argument> gemmArguments(int64_t m, int64_t n, int64_t k) {
  return {at(0x1000000000, ScalarType::F16, {m, k}), at(0x2000000000, ScalarType::F16, {k, n}),
          at(0x3000000000, ScalarType::F16, {m, n})};
}

/// The error of a launch, or "ok".
inline std::string errorOf(const KernelInfo &info, const std::vector<Argument> &arguments,
                           const DeviceLimits &limits = {}) {
  Result<LaunchPlan> plan = checkLaunch(info, arguments, limits);
  return plan ? "ok" : plan.error();
}

} // namespace tile::runtime

#endif // TEST_UNIT_RUNTIME_LAUNCHFIXTURE_H
