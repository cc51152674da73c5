// Explain.cpp - the report on a kernel as JSON and as a table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Compiler/Explain.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Unicode.h"

#include <algorithm>

namespace json = llvm::json;

namespace tile {

void Explanation::setResources(int64_t registerCount, int64_t spilledBytes) {
  registers = registerCount;
  spillBytes = spilledBytes;
  if (spilledBytes > 0)
    limitedBy = "registers (" + std::to_string(spilledBytes) + " bytes spilled)";
}

void Explanation::setLaunch(int64_t blocks, int64_t bytes, const DeviceSize &device) {
  if (!residentBlocks || !limitedBy)
    return;
  int64_t slots = device.multiprocessors * *residentBlocks;
  if (blocks < slots)
    regime = "too few blocks: " + std::to_string(blocks) + ", the device runs " + std::to_string(slots) + " at a time";
  else if (bytes <= device.l2Bytes)
    regime = "fits the L2: " + std::to_string(bytes) + " of " + std::to_string(device.l2Bytes) + " bytes";
  else if (limitedBy == "memory bandwidth" || limitedBy == "sectors")
    regime = "bandwidth-bound";
  else
    regime = "bound by " + *limitedBy;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

template <class T> static json::Value orNull(const std::optional<T> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

static json::Value textOrNull(const std::string &text) {
  return text.empty() ? json::Value(nullptr) : json::Value(text);
}

static json::Value toJson(const AccessLine &access) {
  return json::Object{{"line", access.line},
                      {"op", access.op},
                      {"buffer", access.buffer},
                      {"space", access.space},
                      {"kind", access.kind},
                      {"instruction", access.instruction},
                      {"bytes_per_thread", orNull(access.bytesPerThread)},
                      {"sectors_per_request", orNull(access.sectors)},
                      {"ideal_sectors", orNull(access.idealSectors)},
                      {"wavefronts", orNull(access.wavefronts)},
                      {"ideal_wavefronts", orNull(access.idealWavefronts)},
                      {"guards", json::Array(access.guards)},
                      {"why", textOrNull(access.why)}};
}

static json::Value toJson(const LayoutLine &layout) {
  return json::Object{{"buffer", layout.buffer},
                      {"line", layout.line},
                      {"space", layout.space},
                      {"layout", layout.layout},
                      {"cost", orNull(layout.cost)},
                      {"ideal", orNull(layout.ideal)},
                      {"runner_up", orNull(layout.runnerUp)},
                      {"runner_up_cost", orNull(layout.runnerUpCost)},
                      {"why", textOrNull(layout.why)}};
}

static json::Value toJson(const ConversionLine &conversion) {
  return json::Object{{"line", conversion.line},         {"buffer", conversion.buffer},
                      {"kind", conversion.kind},         {"instructions", conversion.instructions},
                      {"cost", orNull(conversion.cost)}, {"between", json::Array(conversion.between)}};
}

static json::Value toJson(const TotalLine &total) {
  return json::Object{{"line", total.line}, {"buffer", total.buffer}, {"scan_line", total.scan}};
}

static json::Value toJson(const ResidencyLine &residency) {
  return json::Object{{"line", residency.line},           {"buffer", residency.buffer},
                      {"registers", residency.registers}, {"passes", residency.passes},
                      {"chunk", residency.chunk},         {"held_shared", residency.shared},
                      {"held_registers", residency.held}, {"read_again", residency.again}};
}

template <class T> static json::Array toJson(const std::vector<T> &lines) {
  json::Array array;
  for (const T &line : lines)
    array.push_back(toJson(line));
  return array;
}

json::Value Explanation::toJson() const {
  return json::Object{{"kernel", kernel},
                      {"arch", arch},
                      {"threads", threads},
                      {"shared_bytes", sharedBytes},
                      {"registers", orNull(registers)},
                      {"spill_bytes", orNull(spillBytes)},
                      {"block_order", orNull(blockOrder)},
                      {"regime", orNull(regime)},
                      {"limited_by", orNull(limitedBy)},
                      {"accesses", tile::toJson(accesses)},
                      {"layouts", tile::toJson(layouts)},
                      {"conversions", tile::toJson(conversions)},
                      {"totals", tile::toJson(totals)},
                      {"residency", tile::toJson(residency)}};
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

using Row = std::vector<std::string>;

static size_t widthOf(const std::string &cell) {
  int columns = llvm::sys::unicode::columnWidthUTF8(cell);
  return columns < 0 ? cell.size() : columns;
}

/// Prints columns as wide as their widest cell; the last one as it comes.
static void printTable(llvm::raw_ostream &os, const std::vector<Row> &rows) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const Row &row : rows)
    for (size_t i = 0; i + 1 < row.size(); ++i)
      widths[i] = std::max(widths[i], widthOf(row[i]));
  for (const Row &row : rows) {
    os << "  ";
    for (size_t i = 0; i + 1 < row.size(); ++i)
      (os << row[i]).indent(widths[i] - widthOf(row[i]) + 2);
    os << row.back() << '\n';
  }
}

/// "4 (ideal 4)", or "-" where there is no such figure.
static std::string pairText(const std::optional<int64_t> &got, const std::optional<int64_t> &ideal) {
  if (!got || !ideal)
    return "-";
  return std::to_string(*got) + " (ideal " + std::to_string(*ideal) + ")";
}

static std::string joined(const std::vector<std::string> &texts, llvm::StringRef otherwise) {
  std::string all;
  for (const std::string &text : texts)
    all += (all.empty() ? "" : ", ") + text;
  return all.empty() ? otherwise.str() : all;
}

static std::string numberText(const std::optional<double> &number) {
  if (!number)
    return "-";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.12g", *number);
  return text;
}

/// "256 (ideal 256)".
static std::string withIdeal(const std::optional<double> &cost, const std::optional<double> &ideal) {
  return numberText(cost) + (ideal ? " (ideal " + numberText(ideal) + ")" : "");
}

/// "padded<2>: 384".
static std::string withCost(const std::optional<std::string> &layout, const std::optional<double> &cost) {
  return layout.value_or("-") + (layout && cost ? ": " + numberText(cost) : "");
}

/// "98304 from shared memory, 32768 from registers, in chunks of 8192".
static std::string placesOf(const ResidencyLine &residency) {
  std::string text;
  auto add = [&](int64_t count, const char *where) {
    if (count > 0)
      text += std::to_string(count) + where;
  };
  add(residency.shared, " from shared memory, ");
  add(residency.held, " from registers, ");
  add(residency.again, " from the tensor again, ");
  return text + "in chunks of " + std::to_string(residency.chunk);
}

static void printHead(llvm::raw_ostream &os, const Explanation &explanation) {
  auto figure = [](const std::optional<int64_t> &value) { return value ? std::to_string(*value) : "unknown"; };
  os << "kernel " << explanation.kernel << ": " << explanation.arch << ", " << explanation.threads << " threads, "
     << explanation.sharedBytes << " bytes of shared memory, registers " << figure(explanation.registers)
     << ", spilled bytes " << figure(explanation.spillBytes) << '\n';
  if (explanation.limitedBy)
    os << "limited by " << *explanation.limitedBy << '\n';
  if (explanation.blockOrder)
    os << "blocks: " << *explanation.blockOrder << '\n';
  if (explanation.regime)
    os << "regime: " << *explanation.regime << '\n';
}

static void printAccesses(llvm::raw_ostream &os, const std::vector<AccessLine> &accesses) {
  std::vector<Row> rows = {
      {"line", "buffer", "access", "instruction", "bytes/thread", "sectors", "wavefronts", "guards", "why"}};
  for (const AccessLine &access : accesses)
    rows.push_back({std::to_string(access.line), access.buffer, access.space + " " + access.kind, access.instruction,
                    access.bytesPerThread ? std::to_string(*access.bytesPerThread) : "-",
                    pairText(access.sectors, access.idealSectors), pairText(access.wavefronts, access.idealWavefronts),
                    joined(access.guards, "none"), access.why});
  os << "accesses (a full warp)\n";
  printTable(os, rows);
}

void Explanation::print(llvm::raw_ostream &os) const {
  printHead(os, *this);
  if (!accesses.empty())
    printAccesses(os, accesses);
  if (!layouts.empty()) {
    std::vector<Row> rows = {{"line", "buffer", "space", "layout", "cost", "runner-up", "why"}};
    for (const LayoutLine &layout : layouts)
      rows.push_back({std::to_string(layout.line), layout.buffer, layout.space, layout.layout,
                      withIdeal(layout.cost, layout.ideal), withCost(layout.runnerUp, layout.runnerUpCost),
                      layout.why});
    os << "layouts\n";
    printTable(os, rows);
  }
  if (!conversions.empty()) {
    std::vector<Row> rows = {{"line", "buffer", "cost", "between lines", "kind", "instructions a thread"}};
    for (const ConversionLine &conversion : conversions) {
      std::vector<std::string> places;
      for (int64_t line : conversion.between)
        places.push_back(std::to_string(line));
      rows.push_back({std::to_string(conversion.line), conversion.buffer, numberText(conversion.cost),
                      joined(places, "-"), conversion.kind, conversion.instructions});
    }
    os << "conversions\n";
    printTable(os, rows);
  }
  if (!totals.empty()) {
    std::vector<Row> rows = {{"line", "buffer", "reduction"}};
    for (const TotalLine &total : totals)
      rows.push_back(
          {std::to_string(total.line), total.buffer, "the total of the scan in line " + std::to_string(total.scan)});
    os << "totals\n";
    printTable(os, rows);
  }
  if (!residency.empty()) {
    std::vector<Row> rows = {{"line", "buffer", "would take", "passes", "a pass reads of a row"}};
    for (const ResidencyLine &line : residency)
      rows.push_back({std::to_string(line.line), line.buffer, std::to_string(line.registers) + " registers a thread",
                      std::to_string(line.passes), placesOf(line)});
    os << "residency\n";
    printTable(os, rows);
  }
}

} // namespace tile
