// ScalarKernel.h - kernels that apply operations of the support table, one result each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TEST_UNIT_TARGETCUDA_SCALARKERNEL_H
#define TILE_TEST_UNIT_TARGETCUDA_SCALARKERNEL_H

#include "tile/Support/OpTable.h"

#include <string>
#include <vector>

namespace tile::cuda {

inline constexpr ScalarType kTypes[] = {ScalarType::I1,  ScalarType::I8,    ScalarType::I16,      ScalarType::I32,
                                        ScalarType::I64, ScalarType::Index, ScalarType::BF16,     ScalarType::F16,
                                        ScalarType::F32, ScalarType::F64,   ScalarType::F8E4M3FN, ScalarType::F8E5M2};

inline std::string spelled(ScalarType type) {
  return std::string(name(type));
}

/// Operands lie at the first elements of the buffer of their type: x, y, z, then a divisor that suits x.
inline constexpr int kDivisorSlot = 3;
/// Results begin here, each at a place of its own.
inline constexpr int kFirstResult = 8;

/// Writes `@k`: one buffer a type, of which operands are loaded and to which each result is stored.
class ScalarKernel {
public:
  /// One operation applied, for whoever checks its result.
  struct Result {
    const ScalarOpInfo *info; ///< null for `simt.convert`
    int predicate;            ///< of a comparison
    ScalarType type, result;
    int slot; ///< where the result lies in the buffer of its type
  };

  /// The operation on the type, with `flags` before the colon: every result type of a cast, every predicate.
  void addOperation(const ScalarOpInfo &info, ScalarType type, const std::string &flags = "");
  /// `simt.convert` to every type.
  void addConversions(ScalarType from);
  /// `simt.shuffle` in every mode, by a lane that is loaded.
  void addShuffles(ScalarType type);

  /// The kernel, for one block of so many threads. Its parameters are the buffers of `bufferTypes` in order.
  std::string module(int threads) const;
  const std::vector<Result> &results() const { return all; }

  /// The types that have a buffer: all but index, whose values lie in that of i64.
  static std::vector<ScalarType> bufferTypes();

private:
  std::string fresh() { return "%v" + std::to_string(count++); }
  void line(const std::string &text) { body += "  " + text + "\n"; }
  std::string place(int slot);
  std::string load(ScalarType type, int slot);
  void store(std::string value, ScalarType type, int slot);
  void apply(const std::string &expression, Result result);

  std::string body;
  std::vector<Result> all;
  unsigned count = 0;
};

} // namespace tile::cuda

#endif // TILE_TEST_UNIT_TARGETCUDA_SCALARKERNEL_H
