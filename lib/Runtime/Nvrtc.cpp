// Nvrtc.cpp - finds NVRTC, opens it and compiles through it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Nvrtc.h"

#include "SharedLibrary.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace tile::runtime {

/// Newest first; the plain name is whatever a development package points it at.
static constexpr std::array<std::string_view, 3> kLibraryNames = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
static constexpr int kOldestMajor = 12;

extern "C" {
using NvrtcProgram = struct NvrtcProgramOpaque *;
using NvrtcResult = int;
static constexpr NvrtcResult kNvrtcCompilation = 6;
static constexpr NvrtcResult kNvrtcInvalidOption = 5;
}

struct Nvrtc::Impl {
  SharedLibrary library;
  std::string path;
  std::string version;
  std::vector<int> archs;

  const char *(*getErrorString)(NvrtcResult) = nullptr;
  NvrtcResult (*getVersion)(int *, int *) = nullptr;
  NvrtcResult (*getNumArchs)(int *) = nullptr;
  NvrtcResult (*getArchs)(int *) = nullptr;
  NvrtcResult (*createProgram)(NvrtcProgram *, const char *, const char *, int, const char *const *,
                               const char *const *) = nullptr;
  NvrtcResult (*destroyProgram)(NvrtcProgram *) = nullptr;
  NvrtcResult (*compileProgram)(NvrtcProgram, int, const char *const *) = nullptr;
  NvrtcResult (*getLogSize)(NvrtcProgram, size_t *) = nullptr;
  NvrtcResult (*getLog)(NvrtcProgram, char *) = nullptr;
  NvrtcResult (*getCubinSize)(NvrtcProgram, size_t *) = nullptr;
  NvrtcResult (*getCubin)(NvrtcProgram, char *) = nullptr;
  NvrtcResult (*getPtxSize)(NvrtcProgram, size_t *) = nullptr;
  NvrtcResult (*getPtx)(NvrtcProgram, char *) = nullptr;

  /// Finds every function; names the first that is missing.
  std::string bind() {
    const char *missing = "";
    auto need = [&](const char *name, auto *&function) {
      if (!library.find(name, function) && !*missing)
        missing = name;
    };
    need("nvrtcVersion", getVersion);
    need("nvrtcGetErrorString", getErrorString);
    need("nvrtcGetNumSupportedArchs", getNumArchs);
    need("nvrtcGetSupportedArchs", getArchs);
    need("nvrtcCreateProgram", createProgram);
    need("nvrtcDestroyProgram", destroyProgram);
    need("nvrtcCompileProgram", compileProgram);
    need("nvrtcGetProgramLogSize", getLogSize);
    need("nvrtcGetProgramLog", getLog);
    need("nvrtcGetCUBINSize", getCubinSize);
    need("nvrtcGetCUBIN", getCubin);
    need("nvrtcGetPTXSize", getPtxSize);
    need("nvrtcGetPTX", getPtx);
    return missing;
  }

  /// Opens the file and learns its version and architectures; why it is unfit, or "".
  std::string load(const std::string &file);

  std::string describe(const char *call, NvrtcResult code) const {
    return std::string(call) + " returned " + getErrorString(code) + " (" + std::to_string(code) + ")";
  }

  /// Text or bytes of a program that come as a size and a copy.
  std::string fetch(NvrtcProgram program, NvrtcResult (*size)(NvrtcProgram, size_t *),
                    NvrtcResult (*copy)(NvrtcProgram, char *)) const {
    size_t bytes = 0;
    if (size(program, &bytes) != 0 || bytes == 0)
      return "";
    std::string text(bytes, '\0');
    return copy(program, text.data()) == 0 ? text : "";
  }
};

Nvrtc::Nvrtc(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Nvrtc::~Nvrtc() = default;

const std::string &Nvrtc::path() const {
  return impl->path;
}

const std::string &Nvrtc::version() const {
  return impl->version;
}

const std::vector<int> &Nvrtc::supportedArchs() const {
  return impl->archs;
}

/// Every file to try, in order; a bare name asks the loader.
static std::vector<std::string> candidates(const SearchPaths &paths) {
  std::vector<std::string> files;
  std::error_code error;
  if (!paths.nvrtcOverride.empty() && fs::is_regular_file(paths.nvrtcOverride, error))
    return {paths.nvrtcOverride};
  for (const std::string &folder : nvrtcFolders(paths))
    for (std::string_view name : kLibraryNames)
      files.push_back(folder.empty() ? std::string(name) : folder + "/" + std::string(name));
  return files;
}

/// What was tried, one folder once: "/usr/local/cuda/lib64, the loader's path".
static std::string triedText(const SearchPaths &paths) {
  std::error_code error;
  if (!paths.nvrtcOverride.empty() && fs::is_regular_file(paths.nvrtcOverride, error))
    return paths.nvrtcOverride;
  std::string text;
  for (const std::string &folder : nvrtcFolders(paths)) {
    if (!text.empty())
      text += ", ";
    text += folder.empty() ? "the loader's path" : folder;
  }
  return text;
}

std::string Nvrtc::Impl::load(const std::string &file) {
  std::string reason;
  library = SharedLibrary::open(file, reason);
  if (!library)
    return file + " cannot be opened: " + reason;
  if (std::string missing = bind(); !missing.empty())
    return file + " lacks " + missing;
  int major = 0, minor = 0, count = 0;
  getVersion(&major, &minor);
  path = library.fileOf("nvrtcVersion");
  version = std::to_string(major) + "." + std::to_string(minor);
  if (major < kOldestMajor)
    return file + " is version " + version + ", needed is " + std::to_string(kOldestMajor) + ".0 or newer";
  // NVRTC opens this by its bare name, and a wheel tells the loader no folder: what is loaded already is found.
  fs::path builtins = fs::path(path).parent_path() / ("libnvrtc-builtins.so." + version);
  std::error_code error;
  if (fs::exists(builtins, error))
    SharedLibrary::open(builtins.string(), reason);
  if (getNumArchs(&count) == 0 && count > 0) {
    archs.resize(static_cast<size_t>(count));
    getArchs(archs.data());
  }
  return "";
}

Result<std::shared_ptr<const Nvrtc>> Nvrtc::open(const SearchPaths &paths) {
  std::string unfit;
  for (const std::string &file : candidates(paths)) {
    std::error_code error;
    bool isPath = file.find('/') != std::string::npos;
    if (isPath && !std::filesystem::exists(file, error))
      continue;
    auto impl = std::make_unique<Impl>();
    std::string fault = impl->load(file);
    if (fault.empty())
      return std::shared_ptr<const Nvrtc>(new Nvrtc(std::move(impl)));
    // That the loader finds no file of a bare name is the rule, not a finding.
    if (isPath || impl->library)
      unfit += "; " + fault;
  }
  std::string names;
  for (std::string_view name : kLibraryNames)
    names.append(names.empty() ? "" : ", ").append(name);
  return Error{"no usable NVRTC found; looked for " + names + " in: " + triedText(paths) + unfit,
               ErrorKind::Environment};
}

/// The number in "sm_90a", or -1; from 90 on, one suffix letter a or f is allowed.
static int archNumber(std::string_view arch) {
  if (!arch.starts_with("sm_"))
    return -1;
  arch.remove_prefix(3);
  int number = -1;
  auto [end, error] = std::from_chars(arch.data(), arch.data() + arch.size(), number);
  std::string_view suffix(end, arch.data() + arch.size() - end);
  bool isKnown = suffix.empty() || ((suffix == "a" || suffix == "f") && number >= 90);
  return error == std::errc() && isKnown && number > 0 ? number : -1;
}

Status Nvrtc::checkArch(std::string_view arch) const {
  int number = archNumber(arch);
  std::string list;
  for (int supported : impl->archs) {
    if (supported == number)
      return okStatus();
    list.append(list.empty() ? "sm_" : ", sm_").append(std::to_string(supported));
  }
  return Error{"architecture '" + std::string(arch) + "' is unknown to NVRTC " + impl->version + " (" + impl->path +
                   "); it supports " + list,
               ErrorKind::Environment};
}

std::vector<std::string> nvrtcOptions(const CompileOptions &options) {
  // The standard and contraction are said outright, because their defaults differ between versions.
  std::vector<std::string> all = {"-arch=" + options.arch, "--std=c++17", "--fmad=false", "--device-int128",
                                  "-Xptxas=-v"};
  all.insert(all.end(), options.extra.begin(), options.extra.end());
  return all;
}

/// A log ends in a terminating zero and often an empty line.
static void trimEnd(std::string &text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == '\n' || text.back() == ' '))
    text.pop_back();
}

/// Writes the text for whoever looks into a failure; an empty answer if it could not.
static std::string saveReproducer(const std::string &path, const std::string &text) {
  if (path.empty())
    return "";
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file ? path : "";
}

/// Only an option the user gave can be the user's fault; the text is ours.
static Error compileError(const std::string &call, NvrtcResult code, const std::string &log, const std::string &saved,
                          const CompileOptions &options) {
  if (code == kNvrtcInvalidOption)
    return Error{call + ": " + log, options.extra.empty() ? ErrorKind::Internal : ErrorKind::Refused};
  std::string message = call;
  if (code == kNvrtcCompilation)
    message += " on text we generated, a fault of this compiler";
  if (!saved.empty())
    message += "; the text was saved as " + saved;
  return Error{message + "; log:\n" + log, ErrorKind::Internal};
}

Result<CompileOutput> Nvrtc::compile(const std::string &text, const CompileOptions &options) const {
  if (Status status = checkArch(options.arch); !status)
    return status.fault();
  std::vector<std::string> all = nvrtcOptions(options);
  std::vector<const char *> pointers;
  for (const std::string &option : all)
    pointers.push_back(option.c_str());

  std::string saved = saveReproducer(options.reproducer, text);
  NvrtcProgram program = nullptr;
  NvrtcResult code = impl->createProgram(&program, text.c_str(), "kernel.cu", 0, nullptr, nullptr);
  if (code != 0)
    return Error{impl->describe("nvrtcCreateProgram", code), ErrorKind::Internal};
  code = impl->compileProgram(program, static_cast<int>(pointers.size()), pointers.data());
  CompileOutput output;
  output.log = impl->fetch(program, impl->getLogSize, impl->getLog);
  trimEnd(output.log);
  if (code == 0)
    output.image = options.wantPtx ? impl->fetch(program, impl->getPtxSize, impl->getPtx)
                                   : impl->fetch(program, impl->getCubinSize, impl->getCubin);
  if (options.wantPtx)
    trimEnd(output.image);
  impl->destroyProgram(&program);

  if (output.image.empty()) {
    std::string call = code == 0 ? "NVRTC gave no image" : impl->describe("nvrtcCompileProgram", code);
    return compileError(call, code, output.log, saved, options);
  }
  if (!saved.empty())
    std::remove(saved.c_str());
  output.facts = parseLog(output.log);
  return output;
}

} // namespace tile::runtime
