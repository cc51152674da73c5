// Nvrtc.h - CUDA text to cubin through NVRTC, opened at run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_RUNTIME_NVRTC_H
#define TILE_RUNTIME_NVRTC_H

#include "tile/Runtime/SearchPaths.h"
#include "tile/Support/Result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tile::runtime {

/// What ptxas says about one entry.
struct KernelResources {
  std::string entry;
  int64_t registers = 0;
  int64_t stackBytes = 0;
  int64_t spillStoreBytes = 0;
  int64_t spillLoadBytes = 0;
  int64_t staticSharedBytes = 0;

  bool operator==(const KernelResources &) const = default;
};

/// What a compiler log says: figures per entry, and ptxas notices of serialised or ignored instructions.
struct LogFacts {
  std::vector<KernelResources> resources;
  /// Lines that hold a code C75xx.
  std::vector<std::string> notices;

  /// Bytes of spill loads and stores over all entries.
  int64_t spillBytes() const;
  const KernelResources *find(std::string_view entry) const;
  bool operator==(const LogFacts &) const = default;
};

/// Reads a log of NVRTC with `-Xptxas=-v`; lines it does not know are passed over.
LogFacts parseLog(std::string_view log);

/// What to make of a text.
struct CompileOptions {
  /// "sm_90a".
  std::string arch;
  /// The user's own, given to NVRTC unchanged after ours.
  std::vector<std::string> extra;
  /// PTX text instead of a cubin.
  bool wantPtx = false;
  /// A file the text is written to before NVRTC sees it, and removed from after success: a crash or an error of NVRTC
  /// leaves a reproducer. Empty: none.
  std::string reproducer;
};

/// All options NVRTC gets, in order.
std::vector<std::string> nvrtcOptions(const CompileOptions &options);

/// A compiled text and what the log said.
struct CompileOutput {
  /// The cubin, or PTX text.
  std::string image;
  std::string log;
  LogFacts facts;
};

/// An open NVRTC library; immutable, used from any thread.
class Nvrtc {
public:
  /// Opens the first NVRTC of version 12.0 or newer. An environment error names everything tried.
  static Result<std::shared_ptr<const Nvrtc>> open(const SearchPaths &paths);

  ~Nvrtc();

  const std::string &path() const;
  /// "13.0".
  const std::string &version() const;
  /// Numbers of the supported architectures, ascending: 75, 80, …, 90, ….
  const std::vector<int> &supportedArchs() const;
  /// An environment error with the list, unless NVRTC can compile for `arch` ("sm_90a").
  Status checkArch(std::string_view arch) const;

  /// Compiles; the log is always read. A text NVRTC refuses is our bug (`ErrorKind::Internal`), an unknown
  /// architecture an environment error, an option it does not know the user's error.
  Result<CompileOutput> compile(const std::string &text, const CompileOptions &options) const;

private:
  struct Impl;
  explicit Nvrtc(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_NVRTC_H
