// RemarkCollector.cpp - keeps the remarks of the passes, and turns them into the report on a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RemarkCollector.h"

#include <tuple>

using namespace mlir;

namespace tile {

std::string CollectedRemark::text(StringRef key) const {
  for (const auto &[name, value] : figures)
    if (name == key)
      return value;
  return "";
}

std::optional<int64_t> CollectedRemark::integer(StringRef key) const {
  int64_t value;
  if (StringRef(text(key)).getAsInteger(10, value))
    return std::nullopt;
  return value;
}

std::optional<double> CollectedRemark::number(StringRef key) const {
  double value;
  if (StringRef(text(key)).getAsDouble(value))
    return std::nullopt;
  return value;
}

std::vector<std::string> CollectedRemark::all(StringRef key) const {
  std::vector<std::string> values;
  for (const auto &[name, value] : figures)
    if (name == key)
      values.push_back(value);
  return values;
}

namespace {
/// Copies each remark out: what it points to lives only as long as the statement that made it.
class Collector : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Collector(std::vector<CollectedRemark> &remarks) : remarks(remarks) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    CollectedRemark &kept = remarks.emplace_back();
    kept.kernel = remark.getFunction().str();
    kept.category = remark.getCategoryName().str();
    if (FileLineColLoc place = remark.getLocation()->findInstanceOf<FileLineColLoc>())
      kept.line = place.getLine();
    for (const remark::detail::Remark::Arg &figure : remark.getArgs())
      kept.figures.emplace_back(figure.key, figure.val);
  }

private:
  std::vector<CollectedRemark> &remarks;
};
} // namespace

void collectRemarks(MLIRContext &context, std::vector<CollectedRemark> &remarks) {
  remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis = categories.failed =
      "access|layout|conversion|total|residency|kernel|blocks";
  LogicalResult enabled = remark::enableOptimizationRemarks(
      context, std::make_unique<Collector>(remarks), std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
  assert(succeeded(enabled) && "a context has one remark engine, enabled once");
  (void)enabled;
}

static AccessLine accessOf(const CollectedRemark &remark) {
  AccessLine access;
  access.line = remark.line;
  access.op = remark.text("op");
  access.buffer = remark.text("buffer");
  access.space = remark.text("space");
  access.kind = remark.text("kind");
  access.instruction = remark.text("instruction");
  access.bytesPerThread = remark.integer("bytes_per_thread");
  access.sectors = remark.integer("sectors_per_request");
  access.idealSectors = remark.integer("ideal_sectors");
  access.wavefronts = remark.integer("wavefronts");
  access.idealWavefronts = remark.integer("ideal_wavefronts");
  access.guards = remark.all("guard");
  access.why = remark.text("why");
  return access;
}

static LayoutLine layoutOf(const CollectedRemark &remark) {
  LayoutLine layout;
  layout.buffer = remark.text("buffer");
  layout.line = remark.line;
  layout.space = remark.text("space");
  layout.layout = remark.text("layout");
  layout.cost = remark.number("cost");
  layout.ideal = remark.number("ideal");
  if (std::string runnerUp = remark.text("runner_up"); !runnerUp.empty())
    layout.runnerUp = runnerUp;
  layout.runnerUpCost = remark.number("runner_up_cost");
  layout.why = remark.text("why");
  return layout;
}

static ConversionLine conversionOf(const CollectedRemark &remark) {
  ConversionLine conversion;
  conversion.line = remark.line;
  conversion.buffer = remark.text("buffer");
  conversion.kind = remark.text("kind");
  conversion.instructions = remark.text("instructions");
  conversion.cost = remark.number("cost");
  for (const std::string &line : remark.all("between"))
    if (int64_t number; !StringRef(line).getAsInteger(10, number))
      conversion.between.push_back(number);
  return conversion;
}

static ResidencyLine residencyOf(const CollectedRemark &remark) {
  ResidencyLine residency;
  residency.line = remark.line;
  residency.buffer = remark.text("buffer");
  residency.registers = remark.integer("registers").value_or(0);
  residency.passes = remark.integer("passes").value_or(0);
  residency.chunk = remark.integer("chunk").value_or(0);
  residency.shared = remark.integer("shared").value_or(0);
  residency.held = remark.integer("held").value_or(0);
  residency.again = remark.integer("again").value_or(0);
  return residency;
}

/// The pieces of a row have fragments of one name, mostly of one layout: once is enough.
static void addLayout(LayoutLine layout, std::vector<LayoutLine> &layouts) {
  bool isKnown = llvm::any_of(layouts, [&](const LayoutLine &known) {
    return std::tie(known.line, known.buffer, known.space, known.layout) ==
           std::tie(layout.line, layout.buffer, layout.space, layout.layout);
  });
  if (!isKnown || layout.space != "fragment")
    layouts.push_back(std::move(layout));
}

void addRemarks(ArrayRef<CollectedRemark> remarks, Explanation &explanation) {
  for (const CollectedRemark &remark : remarks) {
    if (remark.kernel != explanation.kernel)
      continue;
    if (remark.category == "access")
      explanation.accesses.push_back(accessOf(remark));
    if (remark.category == "layout")
      addLayout(layoutOf(remark), explanation.layouts);
    if (remark.category == "conversion")
      explanation.conversions.push_back(conversionOf(remark));
    if (remark.category == "total")
      explanation.totals.push_back({remark.line, remark.text("buffer"), remark.integer("scan").value_or(0)});
    if (remark.category == "residency")
      explanation.residency.push_back(residencyOf(remark));
    if (remark.category == "blocks")
      explanation.blockOrder = remark.text("order") + ": " + remark.text("why");
    if (remark.category == "kernel") {
      explanation.limitedBy = remark.text("limit");
      explanation.residentBlocks = remark.integer("resident");
    }
  }
}

} // namespace tile
