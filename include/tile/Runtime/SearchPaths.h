// SearchPaths.h - where NVRTC, the driver and the cache are looked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_RUNTIME_SEARCHPATHS_H
#define TILE_RUNTIME_SEARCHPATHS_H

#include <string>
#include <vector>

namespace tile::runtime {

/// Places to look in; the library itself reads no environment variable.
struct SearchPaths {
  /// A file, or a folder that holds libnvrtc; given, nothing else is tried.
  std::string nvrtcOverride;
  /// A file, or a folder that holds libcuda.so.1; given, nothing else is tried.
  std::string driverOverride;
  /// Toolkit folders (CUDA_HOME, CUDA_PATH), tried first.
  std::vector<std::string> toolkitRoots;
  /// Whether /usr/local/cuda*, /opt/cuda and the loader's own path are tried next.
  bool useSystem = true;
  /// Folders pip installs into (`site-packages`, or its `--target`), tried last.
  std::vector<std::string> packageFolders;
  /// Folder of the kernel cache; empty: no cache.
  std::string cacheFolder;
};

/// The folders under `paths` where NVRTC may lie, in the order they are tried; the loader's own path is "".
std::vector<std::string> nvrtcFolders(const SearchPaths &paths);

/// For tools only: fills the paths from TILE_NVRTC, TILE_LIBCUDA, CUDA_HOME, CUDA_PATH, VIRTUAL_ENV, PYTHONPATH,
/// TILE_CACHE (a folder, or "off"), XDG_CACHE_HOME and HOME, and from the folder `nvrtc` beside the folder of the
/// running program (the build tree's own).
SearchPaths searchPathsFromEnvironment();

} // namespace tile::runtime

#endif // TILE_RUNTIME_SEARCHPATHS_H
