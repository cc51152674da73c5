// Counts.cpp - what the accesses of a simulated kernel cost, beside what was predicted of one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Counts.h"

#include "tile/Analysis/AccessReport.h"
#include "tile/Analysis/TileAccess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
namespace json = llvm::json;

namespace tile::run {

static json::Value orNull(const std::optional<int64_t> &figure) {
  return figure ? json::Value(*figure) : json::Value(nullptr);
}

static json::Value toJson(const AccessPrediction &access, const simt::AccessCount &count) {
  bool isGlobal = access.space == simt::Space::Global;
  json::Object predicted{{"sectors", isGlobal ? orNull(access.sectors) : nullptr},
                         {"wavefronts", isGlobal ? nullptr : orNull(access.wavefronts)}};
  json::Object counted{{"requests", count.requests},
                       {"sectors", isGlobal ? json::Value(count.sectors) : nullptr},
                       {"wavefronts", isGlobal ? nullptr : json::Value(count.wavefronts)}};
  return json::Object{{"line", lineOf(count.loc)},
                      {"op", count.op},
                      {"buffer", nameOf(access.buffer)},
                      {"space", isGlobal ? "global" : "shared"},
                      {"kind", count.op == simt::AtomicOp::getOperationName() ? "atomic"
                               : access.isStore                               ? "store"
                                                                              : "load"},
                      {"instruction", access.instruction},
                      {"predicted", std::move(predicted)},
                      {"counted", std::move(counted)},
                      {"why", access.why}};
}

void printCounts(llvm::raw_ostream &os, simt::KernelOp kernel, const std::string &entry,
                 const simt::SimulatorResult &result) {
  std::vector<AccessPrediction> predictions = predictAccesses(kernel);
  json::Array accesses;
  // Both walk the kernel in the order of its text.
  for (auto [prediction, count] : llvm::zip_equal(predictions, result.accesses)) {
    assert(prediction.op->getLoc() == count.loc && prediction.isStore == count.store && "the same access");
    accesses.push_back(toJson(prediction, count));
  }
  json::Value all = json::Object{{"kernel", kernel.getSource()},
                                 {"variant", entry},
                                 {"threads", static_cast<int64_t>(kernel.getThreads())},
                                 {"blocks", result.blocks},
                                 {"accesses", std::move(accesses)}};
  os << llvm::formatv("{0:2}", all) << '\n';
}

} // namespace tile::run
