// NvrtcLog.cpp - reads the figures and notices of ptxas from a compiler log.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Nvrtc.h"

#include <cctype>
#include <charconv>
#include <optional>

namespace tile::runtime {

/// The number that stands before `unit` in the line: "16 bytes smem" holds 16 before " bytes smem".
static int64_t numberBefore(std::string_view line, std::string_view unit) {
  size_t end = line.find(unit);
  if (end == std::string_view::npos)
    return 0;
  size_t start = end;
  while (start > 0 && std::isdigit(static_cast<unsigned char>(line[start - 1])))
    --start;
  int64_t value = 0;
  std::from_chars(line.data() + start, line.data() + end, value);
  return value;
}

/// The word between `before` and `after`, if both stand in the line.
static std::optional<std::string_view> between(std::string_view line, std::string_view before, std::string_view after) {
  size_t start = line.find(before);
  if (start == std::string_view::npos)
    return std::nullopt;
  start += before.size();
  size_t end = after.empty() ? line.size() : line.find(after, start);
  if (end == std::string_view::npos)
    return std::nullopt;
  return line.substr(start, end - start);
}

/// Whether a code C7500 … C7599 stands in the line by itself.
static bool holdsNotice(std::string_view line) {
  auto isDigit = [&](size_t i) { return i < line.size() && std::isdigit(static_cast<unsigned char>(line[i])); };
  for (size_t at = line.find("C75"); at != std::string_view::npos; at = line.find("C75", at + 1)) {
    bool isWord = at == 0 || !std::isalnum(static_cast<unsigned char>(line[at - 1]));
    if (isWord && isDigit(at + 3) && isDigit(at + 4) && !isDigit(at + 5))
      return true;
  }
  return false;
}

LogFacts parseLog(std::string_view log) {
  LogFacts facts;
  // Figures belong to the entry last announced; those of device functions (not entries) belong to nobody.
  std::optional<size_t> current;
  bool isEntryProperties = false;
  while (!log.empty()) {
    size_t length = std::min(log.find('\n'), log.size());
    std::string_view line = log.substr(0, length);
    log.remove_prefix(std::min(length + 1, log.size()));
    if (holdsNotice(line))
      facts.notices.emplace_back(line);
    if (std::optional<std::string_view> entry = between(line, "Compiling entry function '", "'")) {
      current = facts.resources.size();
      isEntryProperties = true;
      facts.resources.emplace_back().entry = *entry;
    } else if (std::optional<std::string_view> function = between(line, "Function properties for ", "")) {
      isEntryProperties = current && facts.resources[*current].entry == *function;
    } else if (current && isEntryProperties && line.find(" bytes stack frame") != std::string_view::npos) {
      KernelResources &resources = facts.resources[*current];
      resources.stackBytes = numberBefore(line, " bytes stack frame");
      resources.spillStoreBytes = numberBefore(line, " bytes spill stores");
      resources.spillLoadBytes = numberBefore(line, " bytes spill loads");
    } else if (current && line.find(" registers") != std::string_view::npos &&
               line.find("Used ") != std::string_view::npos) {
      facts.resources[*current].registers = numberBefore(line, " registers");
      facts.resources[*current].staticSharedBytes = numberBefore(line, " bytes smem");
    }
  }
  return facts;
}

int64_t LogFacts::spillBytes() const {
  int64_t sum = 0;
  for (const KernelResources &one : resources)
    sum += one.spillStoreBytes + one.spillLoadBytes;
  return sum;
}

const KernelResources *LogFacts::find(std::string_view entry) const {
  for (const KernelResources &one : resources)
    if (one.entry == entry)
      return &one;
  return nullptr;
}

} // namespace tile::runtime
