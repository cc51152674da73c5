// Options.h - the command line of tile-run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TOOLS_TILE_RUN_OPTIONS_H
#define TILE_TOOLS_TILE_RUN_OPTIONS_H

#include "tile/Support/Result.h"
#include "tile/Support/SourceText.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tile::run {

/// How tile-run ends.
enum class Exit { Right = 0, Wrong = 1, Refused = 2, Environment = 3 };

/// Texts and numbers by the name of an argument or a size.
using Texts = std::map<std::string, std::string>;
using Numbers = std::map<std::string, int64_t>;

struct Options {
  enum class Device { Auto, Gpu, Simulator };
  enum class Variants { Chosen, Fast, Careful, All };
  enum class Report { None, Table, Json };

  std::string file;
  std::string kernel;
  Device device = Device::Auto;
  std::string arch;
  Numbers dims, pitches, offsets;
  Texts args, outs, expects;
  uint64_t seed = 0;
  std::optional<double> rtol, atol;
  bool check = true;
  bool bench = false;
  bool checked = false;
  Variants variants = Variants::Chosen;
  Report explain = Report::None;
  bool counts = false;
  std::string emit;
  std::string output;
  Definitions definitions;
  /// Something on the command line speaks of a run, not only of a report.
  bool asksForRun = false;
  bool wantsHelp = false;
  bool wantsVersion = false;
  bool wantsConstants = false;
};

/// Reads the command line without the program's name; an error says what was found and what is expected.
Result<Options> parseCommandLine(llvm::ArrayRef<const char *> words);

/// What `--help` prints.
llvm::StringRef helpText();

} // namespace tile::run

#endif // TILE_TOOLS_TILE_RUN_OPTIONS_H
