// BuildId.cpp - tells one build of the library from another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Cache.h"

#include <cstring>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

namespace tile::runtime {

namespace {
/// What the walk over the loaded objects looks for, and finds.
struct Search {
  uintptr_t address;
  std::string buildId;
  std::string file;
};
} // namespace

/// The build id in a segment of notes, as hexadecimal digits, or "".
static std::string buildIdIn(const char *notes, size_t bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  auto padded = [](size_t size) { return (size + 3) & ~size_t(3); };
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    size_t total = sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
    if (total > bytes)
      return "";
    bool isGnu = header.n_namesz == 4 && std::memcmp(notes + sizeof header, "GNU", 4) == 0;
    if (isGnu && header.n_type == NT_GNU_BUILD_ID) {
      std::string text;
      const char *id = notes + sizeof header + padded(header.n_namesz);
      for (size_t i = 0; i < header.n_descsz; ++i)
        text.append(1, kDigits[static_cast<unsigned char>(id[i]) >> 4]).append(1, kDigits[id[i] & 15]);
      return text;
    }
    notes += total;
    bytes -= total;
  }
  return "";
}

/// Called for each loaded object; stops at the one that holds the address.
static int visit(dl_phdr_info *object, size_t, void *data) {
  auto *search = static_cast<Search *>(data);
  bool isOurs = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + segment.p_vaddr;
    isOurs |= segment.p_type == PT_LOAD && search->address >= start && search->address < start + segment.p_memsz;
  }
  if (!isOurs)
    return 0;
  search->file = object->dlpi_name && *object->dlpi_name ? object->dlpi_name : "/proc/self/exe";
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE || !search->buildId.empty())
      continue;
    const void *notes = reinterpret_cast<const void *>(object->dlpi_addr + segment.p_vaddr);
    search->buildId = buildIdIn(static_cast<const char *>(notes), segment.p_memsz);
  }
  return 1;
}

std::string libraryBuildId() {
  Search search{reinterpret_cast<uintptr_t>(&buildIdIn), "", ""};
  dl_iterate_phdr(visit, &search);
  if (!search.buildId.empty())
    return search.buildId;
  // Linked without a build id: a file of another build has another size or another time.
  struct stat status;
  if (::stat(search.file.c_str(), &status) != 0)
    return "unknown";
  return std::to_string(status.st_size) + "-" + std::to_string(status.st_mtim.tv_sec) + "-" +
         std::to_string(status.st_mtim.tv_nsec);
}

} // namespace tile::runtime
