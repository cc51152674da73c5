// SearchPaths.cpp - folders where NVRTC may lie, and what the environment says of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/SearchPaths.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

namespace fs = std::filesystem;

namespace tile::runtime {

static bool isFolder(const fs::path &path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// The children of a folder whose name starts with `prefix`, the last in alphabetical order (the newest) first.
static std::vector<std::string> children(const fs::path &folder, std::string_view prefix) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with(prefix))
      found.push_back(it->path().string());
  std::ranges::sort(found, std::greater<>());
  return found;
}

/// The library folders of a toolkit; a root that holds the library itself counts as well.
static void addToolkit(std::vector<std::string> &folders, const std::string &root) {
  folders.push_back(root + "/lib64");
  folders.push_back(root + "/lib");
  for (const std::string &target : children(root + "/targets", ""))
    folders.push_back(target + "/lib");
  folders.push_back(root);
}

/// The library folders of the wheels that pip installed.
static void addPackages(std::vector<std::string> &folders, const std::string &root) {
  for (const char *wheel : {"/nvidia/cu13/lib", "/nvidia/cuda_nvrtc/lib"})
    folders.push_back(root + wheel);
  folders.push_back(root);
}

std::vector<std::string> nvrtcFolders(const SearchPaths &paths) {
  std::vector<std::string> folders;
  if (!paths.nvrtcOverride.empty()) {
    addToolkit(folders, paths.nvrtcOverride);
    return folders;
  }
  for (const std::string &root : paths.toolkitRoots)
    addToolkit(folders, root);
  if (paths.useSystem) {
    addToolkit(folders, "/usr/local/cuda");
    for (const std::string &root : children("/usr/local", "cuda-"))
      addToolkit(folders, root);
    addToolkit(folders, "/opt/cuda");
    folders.push_back("");
  }
  for (const std::string &root : paths.packageFolders)
    addPackages(folders, root);
  return folders;
}

static std::optional<std::string> variable(const char *name) {
  const char *value = std::getenv(name);
  if (!value || !*value)
    return std::nullopt;
  return value;
}

/// The `site-packages` and `dist-packages` of every Python under `<prefix>/lib`.
static void addPythons(std::vector<std::string> &folders, const std::string &prefix) {
  for (const std::string &python : children(prefix + "/lib", "python3"))
    for (const char *name : {"/site-packages", "/dist-packages"})
      if (isFolder(python + name))
        folders.push_back(python + name);
}

static std::string cacheFolder() {
  if (std::optional<std::string> chosen = variable("TILE_CACHE"))
    return *chosen == "off" ? "" : *chosen;
  if (std::optional<std::string> base = variable("XDG_CACHE_HOME"))
    return *base + "/tessera";
  if (std::optional<std::string> home = variable("HOME"))
    return *home + "/.cache/tessera";
  return "";
}

SearchPaths searchPathsFromEnvironment() {
  SearchPaths paths;
  paths.nvrtcOverride = variable("TILE_NVRTC").value_or("");
  paths.driverOverride = variable("TILE_LIBCUDA").value_or("");
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> root = variable(name))
      paths.toolkitRoots.push_back(*root);

  if (std::optional<std::string> prefix = variable("VIRTUAL_ENV"))
    addPythons(paths.packageFolders, *prefix);
  std::string python = variable("PYTHONPATH").value_or("");
  for (size_t start = 0; start < python.size();) {
    size_t end = std::min(python.find(':', start), python.size());
    if (end > start)
      paths.packageFolders.push_back(python.substr(start, end - start));
    start = end + 1;
  }
  if (std::optional<std::string> home = variable("HOME"))
    addPythons(paths.packageFolders, *home + "/.local");
  addPythons(paths.packageFolders, "/usr/local");
  addPythons(paths.packageFolders, "/usr");

  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error)
    paths.packageFolders.push_back((program.parent_path().parent_path() / "nvrtc").string());
  paths.cacheFolder = cacheFolder();
  return paths;
}

} // namespace tile::runtime
