// Cache.h - compiled kernels on disk, shared by any number of processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_RUNTIME_CACHE_H
#define TILE_RUNTIME_CACHE_H

#include "tile/Support/Result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tile::runtime {

/// Everything a compiled kernel depends on.
struct CacheKey {
  /// CUDA text and kernel description of each candidate, in rank order.
  std::vector<std::string> texts;
  /// Every option NVRTC gets.
  std::vector<std::string> options;
  std::string nvrtcVersion;
  std::string arch;
  std::string buildId;

  /// 64 hexadecimal digits; also the name of the entry's file.
  std::string hash() const;
};

/// A folder of entries, each a few named blobs with a hash of their own.
///
/// An entry is written to a unique sibling, synced and renamed, so a reader sees all of it or none, and of two writers
/// one wins. Whatever is wrong with an entry, it is as if it were not there.
class Cache {
public:
  explicit Cache(std::string folder) : folder(std::move(folder)) {}

  /// The blobs stored under `hash`, or nothing if there is no entry or it is damaged, truncated or another's.
  std::optional<std::vector<std::string>> load(const std::string &hash) const;

  /// Stores; the error says why it could not (read-only, full): worth a note, never a failure.
  Status store(const std::string &hash, std::span<const std::string> blobs) const;

  std::string path(const std::string &hash) const;

private:
  std::string folder;
};

/// Identifies this build of the library: the build id of the program or library that holds it, else its size and time.
std::string libraryBuildId();

} // namespace tile::runtime

#endif // TILE_RUNTIME_CACHE_H
