// NpyTest.cpp - .npy files: round trips, files by hand, and every way to be malformed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Npy.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>
#include <random>

using namespace tile;

static const std::string kTypes[] = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"};

static NpyArray makeArray(const std::string &dtype, std::vector<int64_t> shape) {
  int64_t bytes = dtype[1] - '0';
  for (int64_t extent : shape)
    bytes *= extent;
  NpyArray array{dtype, std::move(shape), std::vector<uint8_t>(static_cast<size_t>(bytes))};
  std::iota(array.data.begin(), array.data.end(), uint8_t(1));
  return array;
}

/// A file of format 1.0 with a header as given, padded by nothing.
static std::string fileWith(std::string header, const std::string &data, char major = 1) {
  std::string file = std::string("\x93NUMPY") + major + '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    file += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return file + header + data;
}

/// Every type and rank, empty dimensions and rank 0 included, comes back as it went.
TEST(Npy, RoundTrips) {
  const std::vector<int64_t> shapes[] = {
      {}, {0}, {1}, {7}, {3, 5}, {0, 7}, {2, 0, 3}, {2, 3, 4, 5}, {1, 1, 1, 1, 1, 9}};
  for (const std::string &dtype : kTypes)
    for (const auto &shape : shapes) {
      NpyArray array = makeArray(dtype, shape);
      std::string bytes = formatNpy(array);
      EXPECT_EQ((bytes.size() - array.data.size()) % 64, 0u);
      auto read = parseNpy(bytes);
      ASSERT_TRUE(read) << read.error();
      EXPECT_EQ(read->dtype, array.dtype);
      EXPECT_EQ(read->shape, array.shape);
      EXPECT_EQ(read->data, array.data);
    }
}

/// A header too long for format 1.0 goes into 2.0, and is read again.
TEST(Npy, LongHeaderUsesFormatTwo) {
  NpyArray array = makeArray("u1", std::vector<int64_t>(30000, 1));
  std::string bytes = formatNpy(array);
  EXPECT_EQ(bytes[6], 2);
  auto read = parseNpy(bytes);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->shape, array.shape);
}

/// The bytes are those the format's definition asks for.
TEST(Npy, ExactBytes) {
  NpyArray array{"i2", {3}, {1, 0, 2, 0, 3, 0}};
  std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }";
  header += std::string(128 - 10 - header.size() - 1, ' ') + "\n";
  EXPECT_EQ(formatNpy(array), fileWith(header, std::string("\1\0\2\0\3\0", 6)));
}

/// Other writers' spellings: spacing, order of keys, quotes, format 2.0, Fortran order where it makes no difference.
TEST(Npy, OtherWriters) {
  const std::string files[] = {
      fileWith("{'shape': (2,), 'descr': '<u2', 'fortran_order': False}", "abcd"),
      fileWith("{\"descr\":\"<u2\",\"fortran_order\":True,\"shape\":(2,)}\n", "abcd"),
      fileWith("  { 'descr' : '<u2' , 'fortran_order' : False , 'shape' : ( 2 , ) , }  \n", "abcd", 2)};
  for (const std::string &file : files) {
    auto read = parseNpy(file);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->dtype, "u2");
    EXPECT_EQ(read->shape, std::vector<int64_t>{2});
  }
}

/// Each malformed file gets a sentence of its own.
TEST(Npy, MalformedFiles) {
  auto header = [](const std::string &descr, const std::string &fortran, const std::string &shape) {
    return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
  };
  struct Case {
    std::string file, error;
  };
  const Case cases[] = {
      {"", "the first bytes are not those of a .npy file"},
      {"PK\3\4 and more", "the first bytes are not those of a .npy file"},
      {"\x93NUMPY", "the file ends inside its header, after 6 bytes"},
      {fileWith("", "", 3), "found format 3.0; 1.0 and 2.0 are read"},
      {std::string("\x93NUMPY\1\0\xff\xff{", 11), "the header says it has 65535 bytes; the file has 1 left"},
      {fileWith("[1, 2]", ""), "the header is not a dictionary of 'descr', 'fortran_order' and 'shape'"},
      {fileWith("{'descr': '<f4'}", ""), "the header is not a dictionary of 'descr', 'fortran_order' and 'shape'"},
      {fileWith(header(">f4", "False", "(1,)"), "abcd"),
       "found element type '>f4'; little-endian b1, i1 to i8, u1 to u8, f2, f4 and f8 are read"},
      {fileWith(header("<c8", "False", "(1,)"), "abcdefgh"),
       "found element type '<c8'; little-endian b1, i1 to i8, u1 to u8, f2, f4 and f8 are read"},
      {fileWith(header("<f4", "True", "(2, 3)"), std::string(24, 'x')),
       "the array of shape (2, 3) is stored in Fortran order; only C order (last dimension fastest) is read"},
      {fileWith(header("<f4", "False", "(2, 3)"), std::string(23, 'x')),
       "found 23 bytes of data; shape (2, 3) of '<f4' takes 24"},
      {fileWith(header("<f4", "False", "(2,)"), std::string(9, 'x')),
       "found 9 bytes of data; shape (2) of '<f4' takes 8"},
      {fileWith(header("<f4", "False", "(-1,)"), ""),
       "found shape (-1); sizes are not negative and at most 2^62 bytes in all"},
      {fileWith(header("<f8", "False", "(4294967296, 4294967296, 4294967296)"), ""),
       "found shape (4294967296, 4294967296, 4294967296); sizes are not negative and at most 2^62 bytes in all"},
      {fileWith(header("<f8", "False", "(99999999999999999999,)"), ""),
       "the header is not a dictionary of 'descr', 'fortran_order' and 'shape'"},
  };
  for (const Case &c : cases) {
    auto read = parseNpy(c.file);
    ASSERT_FALSE(read) << c.error;
    EXPECT_EQ(read.error(), c.error);
  }
}

/// Every beginning of a valid file is refused, and no random damage does worse than an error.
TEST(Npy, TruncationAndDamage) {
  std::string good = formatNpy(makeArray("f4", {3, 5}));
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(parseNpy(std::string_view(good).substr(0, length))) << length;
  std::mt19937 random(11);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string bad = good;
    for (unsigned k = 0; k <= random() % 4; ++k)
      bad[random() % 80] = static_cast<char>(random());
    auto read = parseNpy(bad);
    EXPECT_TRUE(read ? !read->shape.empty() || read->data.size() == 4 : !read.error().empty());
  }
}

/// Files: written, read, and named in errors.
TEST(Npy, Files) {
  std::string path = testing::TempDir() + "tile_npy_" + std::to_string(std::random_device()()) + ".npy";
  NpyArray array = makeArray("f8", {4, 1});
  auto status = writeNpy(path, array);
  ASSERT_TRUE(status) << status.error();
  auto read = readNpy(path);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->data, array.data);
  std::remove(path.c_str());
  auto missing = readNpy(path);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error(), "'" + path + "': cannot be opened: No such file or directory");
  EXPECT_FALSE(writeNpy(path + "/inside/nothing.npy", array));
  auto folder = readNpy(testing::TempDir());
  ASSERT_FALSE(folder);
  EXPECT_TRUE(folder.error().ends_with("cannot be read: Is a directory")) << folder.error();
}

/// How each element type travels.
TEST(Npy, TypesOfElements) {
  EXPECT_EQ(npyType(ScalarType::BF16), "u2");
  EXPECT_EQ(npyType(ScalarType::F8E5M2), "u1");
  EXPECT_EQ(npyType(ScalarType::I1), "b1");
  EXPECT_TRUE(npyTypeFits("u4", ScalarType::I32));
  EXPECT_TRUE(npyTypeFits("i4", ScalarType::I32));
  EXPECT_FALSE(npyTypeFits("f4", ScalarType::I32));
  EXPECT_FALSE(npyTypeFits("i2", ScalarType::BF16));
  EXPECT_FALSE(npyTypeFits("u1", ScalarType::I1));
}
