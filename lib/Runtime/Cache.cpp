// Cache.cpp - entries of the kernel cache: one file each, whole or not there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Cache.h"

#include "tile/Support/Hash.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace tile::runtime {

/// First line of an entry; raised whenever the format changes.
static constexpr std::string_view kHeader = "tile-kernel-cache 1\n";
static constexpr size_t kHexDigits = 64;

std::string CacheKey::hash() const {
  Sha256 hash;
  auto list = [&](const std::vector<std::string> &entries) {
    hash.field(std::to_string(entries.size()));
    for (const std::string &entry : entries)
      hash.field(entry);
  };
  hash.field(kHeader);
  list(texts);
  list(options);
  return hash.field(nvrtcVersion).field(arch).field(buildId).hex();
}

std::string Cache::path(const std::string &hash) const {
  return folder + "/" + hash + ".cubin";
}

namespace {
/// A file descriptor, closed with the object.
struct File {
  explicit File(int descriptor) : descriptor(descriptor) {}
  File(const File &) = delete;
  ~File() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  int descriptor;
};
} // namespace

/// The whole file, or nothing.
static std::optional<std::string> readFile(const std::string &path) {
  File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status;
  // Only a plain file is an entry: a pipe put in its place would block the reader for ever.
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t got = ::read(file.descriptor, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return std::nullopt;
    done += static_cast<size_t>(got);
  }
  return bytes;
}

/// Takes "123:" and as many bytes off the front.
static std::optional<std::string> takeBlob(std::string_view &rest) {
  size_t colon = rest.find(':');
  size_t length = 0;
  if (colon == std::string_view::npos)
    return std::nullopt;
  auto [end, error] = std::from_chars(rest.data(), rest.data() + colon, length);
  if (error != std::errc() || end != rest.data() + colon || length > rest.size() - colon - 1)
    return std::nullopt;
  std::string blob(rest.substr(colon + 1, length));
  rest.remove_prefix(colon + 1 + length);
  return blob;
}

/// What the entry's own hash covers: the key too, so that an entry under another's name is not taken for it.
static std::string ownHash(const std::string &key, std::string_view body) {
  return Sha256().field(key).field(body).hex();
}

std::optional<std::vector<std::string>> Cache::load(const std::string &hash) const {
  if (folder.empty())
    return std::nullopt;
  std::optional<std::string> bytes = readFile(path(hash));
  if (!bytes || !bytes->starts_with(kHeader) || bytes->size() < kHeader.size() + kHexDigits)
    return std::nullopt;
  std::string_view stored = std::string_view(*bytes).substr(kHeader.size(), kHexDigits);
  std::string_view body = std::string_view(*bytes).substr(kHeader.size() + kHexDigits);
  if (ownHash(hash, body) != stored)
    return std::nullopt;
  std::vector<std::string> blobs;
  while (!body.empty()) {
    std::optional<std::string> blob = takeBlob(body);
    if (!blob)
      return std::nullopt;
    blobs.push_back(std::move(*blob));
  }
  return blobs;
}

static Status systemError(const char *call, const std::string &path) {
  return Error{"kernel cache: " + std::string(call) + " of " + path + " failed: " + std::strerror(errno),
               ErrorKind::Environment};
}

/// Writes everything and forces it to the disk; false with errno set.
static bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return ::fsync(descriptor) == 0;
}

Status Cache::store(const std::string &hash, std::span<const std::string> blobs) const {
  if (folder.empty())
    return okStatus();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return Error{"kernel cache: folder " + folder + " cannot be made: " + error.message(), ErrorKind::Environment};

  std::string body;
  for (const std::string &blob : blobs)
    body.append(std::to_string(blob.size())).append(":").append(blob);
  std::string bytes = std::string(kHeader) + ownHash(hash, body) + body;

  std::string sibling = folder + "/.writing-XXXXXX";
  File file(::mkostemp(sibling.data(), O_CLOEXEC));
  if (file.descriptor < 0)
    return systemError("creation", sibling);
  // Readable by all who may read the folder: mkostemp makes a private file.
  bool isWritten = ::fchmod(file.descriptor, 0644) == 0 && writeAll(file.descriptor, bytes) &&
                   ::rename(sibling.c_str(), path(hash).c_str()) == 0;
  if (isWritten)
    return okStatus();
  Status failure = systemError("writing", sibling);
  ::unlink(sibling.c_str());
  return failure;
}

} // namespace tile::runtime
