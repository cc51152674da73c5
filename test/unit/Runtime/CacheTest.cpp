// CacheTest.cpp - entries that are whole or not there, among processes, damage and folders that refuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Cache.h"

#include "NvrtcFixture.h"

#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tile;
using namespace tile::runtime;

using Blobs = std::vector<std::string>;

static CacheKey someKey() {
  return {{"text", "info"}, {"-arch=sm_90a", "--std=c++17"}, "13.0", "sm_90a", "build"};
}

static std::string contentsOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

static void overwrite(const std::string &path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// What was stored comes back, byte for byte, empty and binary parts included; nothing else lies in the folder.
TEST(Cache, StoresAndLoads) {
  ScratchFolder folder;
  Cache cache(folder.path() + "/a/b");
  std::string hash = someKey().hash();
  EXPECT_EQ(cache.load(hash), std::nullopt);
  for (const Blobs &blobs : {Blobs{"info", std::string("\0\x7f\n:5:", 6), ""}, Blobs{}, Blobs{"second"}}) {
    Status stored = cache.store(hash, blobs);
    ASSERT_TRUE(stored) << stored.error();
    EXPECT_EQ(cache.load(hash), blobs);
  }
  int files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path() + "/a/b"))
    files += entry.is_regular_file();
  EXPECT_EQ(files, 1);
}

/// Without a folder nothing is stored and nothing found.
TEST(Cache, NoFolder) {
  Cache cache("");
  EXPECT_TRUE(cache.store(someKey().hash(), Blobs{"x"}));
  EXPECT_EQ(cache.load(someKey().hash()), std::nullopt);
}

/// Every part of the key changes the hash, and so does moving a byte from one part into the next.
TEST(Cache, EveryPartOfTheKeyCounts) {
  std::vector<std::function<void(CacheKey &)>> changes = {
      [](CacheKey &) {},
      [](CacheKey &k) { k.texts[0] += " "; },
      [](CacheKey &k) { k.texts[1] = "inf0"; },
      [](CacheKey &k) { k.texts = {"info", "text"}; },
      [](CacheKey &k) { k.texts = {"textinfo"}; },
      [](CacheKey &k) { k.texts = {"tex", "tinfo"}; },
      [](CacheKey &k) { k.texts.push_back(""); },
      [](CacheKey &k) { k.options.push_back("-lineinfo"); },
      [](CacheKey &k) { k.options[1] = "--std=c++20"; },
      [](CacheKey &k) { k.options.pop_back(); },
      [](CacheKey &k) { k.texts.push_back(k.options[0]), k.options.erase(k.options.begin()); },
      [](CacheKey &k) { k.nvrtcVersion = "13.1"; },
      [](CacheKey &k) { k.arch = "sm_90"; },
      [](CacheKey &k) { k.buildId = "other"; },
      [](CacheKey &k) { k.arch = "sm_90ab", k.buildId = "uild"; },
  };
  std::set<std::string> hashes;
  for (const auto &change : changes) {
    CacheKey key = someKey();
    change(key);
    EXPECT_EQ(key.hash().size(), 64u);
    EXPECT_TRUE(hashes.insert(key.hash()).second);
  }
  EXPECT_EQ(someKey().hash(), someKey().hash());
}

/// A flipped bit anywhere, every truncation, an empty file, appended bytes: as if the entry were not there.
TEST(Cache, DamagedEntries) {
  ScratchFolder folder;
  Cache cache(folder.path());
  std::string hash = someKey().hash();
  ASSERT_TRUE(cache.store(hash, Blobs{"some information", "the cubin", ""}));
  std::string whole = contentsOf(cache.path(hash));
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
    overwrite(cache.path(hash), damaged);
    ASSERT_EQ(cache.load(hash), std::nullopt) << "bit of byte " << i;
    overwrite(cache.path(hash), std::string_view(whole).substr(0, i));
    ASSERT_EQ(cache.load(hash), std::nullopt) << "cut to " << i;
  }
  overwrite(cache.path(hash), whole + "x");
  EXPECT_EQ(cache.load(hash), std::nullopt);
  overwrite(cache.path(hash), whole);
  EXPECT_TRUE(cache.load(hash).has_value());
}

/// A whole entry under another's name, a folder and a pipe in an entry's place are no entries.
TEST(Cache, ForeignEntries) {
  ScratchFolder folder;
  Cache cache(folder.path());
  CacheKey other = someKey();
  other.arch = "sm_80";
  ASSERT_TRUE(cache.store(someKey().hash(), Blobs{"x"}));
  std::filesystem::copy(cache.path(someKey().hash()), cache.path(other.hash()));
  EXPECT_EQ(cache.load(other.hash()), std::nullopt);
  other.arch = "sm_86";
  std::filesystem::create_directory(cache.path(other.hash()));
  EXPECT_EQ(cache.load(other.hash()), std::nullopt);
  EXPECT_FALSE(cache.store(other.hash(), Blobs{"x"})) << "a folder in its place cannot be replaced";
}

/// A folder that cannot be made or written: an environment note, no leftovers, and loading still works.
TEST(Cache, UnwritableFolder) {
  ScratchFolder folder;
  overwrite(folder.path() + "/file", "");
  Status stored = Cache(folder.path() + "/file/cache").store(someKey().hash(), Blobs{"x"});
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.fault().kind, ErrorKind::Environment);
  EXPECT_TRUE(contains(stored.error(), "kernel cache: folder " + folder.path() + "/file/cache cannot be made: "));
  EXPECT_EQ(Cache(folder.path() + "/file/cache").load(someKey().hash()), std::nullopt);
  // Root may write anywhere, except into /proc.
  stored = Cache("/proc/self").store(someKey().hash(), Blobs{"x"});
  ASSERT_FALSE(stored);
  EXPECT_TRUE(contains(stored.error(), "kernel cache: creation of /proc/self/.writing-"));
}

/// A full disk: the entry is not stored, the error says so, and no half-written sibling stays.
TEST(Cache, FullDisk) {
  ScratchFolder folder;
  pid_t child = ::fork();
  if (child == 0) {
    // A limit on the size of files fails the write in the middle, as a full disk does.
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    Status stored = Cache(folder.path()).store(someKey().hash(), Blobs{std::string(5000, 'x')});
    ::_exit(stored ? 1 : 0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// Eight processes write and read the same eight entries at once: each read gives nothing or everything.
TEST(Cache, ManyProcesses) {
  ScratchFolder folder;
  std::string path = folder.path() + "/shared";
  auto hashOf = [](int entry) {
    CacheKey key = someKey();
    key.texts.push_back(std::to_string(entry));
    return key.hash();
  };
  auto blobsOf = [](int entry) {
    return Blobs{std::to_string(entry), std::string(20000 + entry, static_cast<char>('a' + entry))};
  };
  std::vector<pid_t> children;
  for (int process = 0; process < 8; ++process) {
    pid_t child = ::fork();
    if (child == 0) {
      Cache cache(path);
      int faults = 0;
      for (int round = 0; round < 24; ++round) {
        int entry = (round + process) % 8;
        std::optional<Blobs> found = cache.load(hashOf(entry));
        faults += found && *found != blobsOf(entry);
        faults += !cache.store(hashOf(entry), blobsOf(entry));
      }
      ::_exit(faults);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (int entry = 0; entry < 8; ++entry)
    EXPECT_EQ(Cache(path).load(hashOf(entry)), blobsOf(entry));
}

/// A process killed while it writes leaves whole entries only.
TEST(Cache, KilledWriter) {
  ScratchFolder folder;
  std::string hash = someKey().hash();
  Blobs blobs = {std::string(1 << 20, 'z')};
  for (int microseconds : {0, 200, 1000, 3000, 9000}) {
    pid_t child = ::fork();
    if (child == 0) {
      for (;;)
        (void)static_cast<bool>(Cache(folder.path()).store(hash, blobs));
    }
    ::usleep(static_cast<useconds_t>(microseconds));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    std::optional<Blobs> found = Cache(folder.path()).load(hash);
    EXPECT_TRUE(!found || *found == blobs);
  }
}

/// The build of this program has a name, and always the same one.
TEST(Cache, BuildId) {
  EXPECT_GE(libraryBuildId().size(), 8u);
  EXPECT_NE(libraryBuildId(), "unknown");
  EXPECT_EQ(libraryBuildId(), libraryBuildId());
}
