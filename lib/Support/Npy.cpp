// Npy.cpp - reads and writes .npy files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Npy.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <system_error>

namespace tile {

static constexpr std::string_view kMagic = "\x93NUMPY";
static constexpr int64_t kMaxBytes = int64_t(1) << 62;

/// Bytes of one element of a dtype we read, or nothing.
static std::optional<int64_t> elementBytes(std::string_view dtype) {
  static constexpr std::array<std::string_view, 12> known = {"b1", "i1", "i2", "i4", "i8", "u1",
                                                             "u2", "u4", "u8", "f2", "f4", "f8"};
  for (std::string_view candidate : known)
    if (candidate == dtype)
      return dtype[1] - '0';
  return std::nullopt;
}

std::string_view npyType(ScalarType type) {
  switch (type) {
  case ScalarType::I1:
    return "b1";
  case ScalarType::I8:
    return "i1";
  case ScalarType::I16:
    return "i2";
  case ScalarType::I32:
    return "i4";
  case ScalarType::I64:
  case ScalarType::Index:
    return "i8";
  case ScalarType::F16:
    return "f2";
  case ScalarType::BF16:
    return "u2";
  case ScalarType::F32:
    return "f4";
  case ScalarType::F64:
    return "f8";
  case ScalarType::F8E4M3FN:
  case ScalarType::F8E5M2:
    return "u1";
  }
  return "";
}

bool npyTypeFits(std::string_view dtype, ScalarType type) {
  std::string_view own = npyType(type);
  return dtype == own || (own[0] == 'i' && dtype.size() == 2 && dtype[0] == 'u' && dtype[1] == own[1]);
}

/// Elements times bytes; nothing if a dimension is negative or the size is beyond 2^62.
static std::optional<int64_t> totalBytes(const std::vector<int64_t> &shape, int64_t bytes) {
  int64_t total = bytes;
  for (int64_t extent : shape) {
    if (extent < 0)
      return std::nullopt;
    if (extent == 0)
      return 0;
  }
  for (int64_t extent : shape) {
    if (total > kMaxBytes / extent)
      return std::nullopt;
    total *= extent;
  }
  return total;
}

namespace {
/// Reads the header: a Python dictionary of exactly 'descr', 'fortran_order' and 'shape'.
class HeaderReader {
public:
  explicit HeaderReader(std::string_view text) : rest(text) {}

  bool read() {
    if (!take("{"))
      return false;
    while (!take("}")) {
      std::string_view key;
      if (!readString(key) || !take(":") || !readEntry(key))
        return false;
      if (take(","))
        continue;
      if (!take("}"))
        return false;
      break;
    }
    skipSpace();
    return rest.empty() && hasType && hasOrder && hasShape;
  }

  std::string_view descr;
  bool isFortran = false;
  std::vector<int64_t> shape;

private:
  void skipSpace() {
    size_t start = rest.find_first_not_of(" \n\r\t");
    rest.remove_prefix(start == std::string_view::npos ? rest.size() : start);
  }

  bool take(std::string_view token) {
    skipSpace();
    if (!rest.starts_with(token))
      return false;
    rest.remove_prefix(token.size());
    return true;
  }

  bool readString(std::string_view &text) {
    skipSpace();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return false;
    size_t end = rest.find(rest[0], 1);
    if (end == std::string_view::npos)
      return false;
    text = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return true;
  }

  bool readEntry(std::string_view key) {
    if (key == "descr")
      return hasType = readString(descr);
    if (key == "fortran_order") {
      isFortran = take("True");
      return hasOrder = isFortran || take("False");
    }
    return key == "shape" && (hasShape = readShape());
  }

  bool readShape() {
    shape.clear();
    if (!take("("))
      return false;
    while (!take(")")) {
      skipSpace();
      int64_t extent = 0;
      auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
      if (error != std::errc())
        return false;
      rest.remove_prefix(static_cast<size_t>(end - rest.data()));
      shape.push_back(extent);
      if (!take(",") && !rest.starts_with(')'))
        return false;
    }
    return true;
  }

  std::string_view rest;
  bool hasType = false, hasOrder = false, hasShape = false;
};
} // namespace

static uint64_t littleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

static std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + ")";
}

/// The header text and what follows it.
static Result<std::pair<std::string_view, std::string_view>> splitHeader(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    return Error{"the first bytes are not those of a .npy file"};
  if (bytes.size() < 8)
    return Error{"the file ends inside its header, after " + std::to_string(bytes.size()) + " bytes"};
  int major = static_cast<unsigned char>(bytes[6]), minor = static_cast<unsigned char>(bytes[7]);
  if ((major != 1 && major != 2) || minor != 0)
    return Error{"found format " + std::to_string(major) + "." + std::to_string(minor) + "; 1.0 and 2.0 are read"};
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (bytes.size() < 8 + lengthBytes)
    return Error{"the file ends inside its header, after " + std::to_string(bytes.size()) + " bytes"};
  uint64_t length = littleEndian(bytes.substr(8, lengthBytes));
  std::string_view rest = bytes.substr(8 + lengthBytes);
  if (rest.size() < length)
    return Error{"the header says it has " + std::to_string(length) + " bytes; the file has " +
                 std::to_string(rest.size()) + " left"};
  return std::pair(rest.substr(0, length), rest.substr(length));
}

Result<NpyArray> parseNpy(std::string_view bytes) {
  auto parts = splitHeader(bytes);
  if (!parts)
    return Error{parts.error()};
  HeaderReader header(parts->first);
  if (!header.read())
    return Error{"the header is not a dictionary of 'descr', 'fortran_order' and 'shape'"};
  std::string_view descr = header.descr;
  auto size = elementBytes(descr.size() == 3 ? descr.substr(1) : std::string_view());
  if (!size || (descr[0] == '|' && *size > 1) || (descr[0] != '<' && descr[0] != '|'))
    return Error{"found element type '" + std::string(descr) +
                 "'; little-endian b1, i1 to i8, u1 to u8, f2, f4 and f8 are read"};
  if (header.isFortran && header.shape.size() > 1)
    return Error{"the array of shape " + shapeText(header.shape) +
                 " is stored in Fortran order; only C order (last dimension fastest) is read"};
  auto total = totalBytes(header.shape, *size);
  if (!total)
    return Error{"found shape " + shapeText(header.shape) + "; sizes are not negative and at most 2^62 bytes in all"};
  std::string_view data = parts->second;
  if (data.size() != static_cast<uint64_t>(*total))
    return Error{"found " + std::to_string(data.size()) + " bytes of data; shape " + shapeText(header.shape) + " of '" +
                 std::string(descr) + "' takes " + std::to_string(*total)};
  return NpyArray{std::string(descr.substr(1)), header.shape, std::vector<uint8_t>(data.begin(), data.end())};
}

std::string formatNpy(const NpyArray &array) {
  auto size = elementBytes(array.dtype);
  assert(size && totalBytes(array.shape, *size) == static_cast<int64_t>(array.data.size()) &&
         "data must hold exactly the elements of the shape");
  std::string shape = shapeText(array.shape);
  if (array.shape.size() == 1)
    shape.insert(shape.size() - 1, ",");
  std::string header = std::string("{'descr': '") + (*size == 1 ? "|" : "<") + array.dtype +
                       "', 'fortran_order': False, 'shape': " + shape + ", }";
  size_t lengthBytes = header.size() + 75 < 65536 ? 2 : 4;
  size_t prefix = kMagic.size() + 2 + lengthBytes;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += static_cast<char>(lengthBytes / 2);
  bytes += '\0';
  for (size_t i = 0; i < lengthBytes; ++i)
    bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  bytes += header;
  bytes.append(array.data.begin(), array.data.end());
  return bytes;
}

static Error fileError(const std::string &path, const char *what) {
  int code = errno;
  return Error{"'" + path + "': " + what + (code ? ": " + std::generic_category().message(code) : "")};
}

static Result<std::string> readFile(const std::string &path) {
  errno = 0;
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file)
    return fileError(path, "cannot be opened");
  std::string bytes;
  std::vector<char> block(1 << 20);
  while (size_t count = std::fread(block.data(), 1, block.size(), file.get()))
    bytes.append(block.data(), count);
  if (std::ferror(file.get()))
    return fileError(path, "cannot be read");
  return bytes;
}

Result<NpyArray> readNpy(const std::string &path) {
  auto bytes = readFile(path);
  if (!bytes)
    return Error{bytes.error()};
  auto array = parseNpy(*bytes);
  if (!array)
    return Error{"'" + path + "': " + array.error()};
  return array;
}

Status writeNpy(const std::string &path, const NpyArray &array) {
  errno = 0;
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return fileError(path, "cannot be created");
  std::string bytes = formatNpy(array);
  bool isWritten = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  bool isClosed = std::fclose(file) == 0; // a full disk may show only here
  if (!isWritten || !isClosed)
    return fileError(path, "cannot be written");
  return okStatus();
}

} // namespace tile
