// SharedLibrary.cpp - a library opened at run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SharedLibrary.h"

#include <dlfcn.h>

namespace tile::runtime {

SharedLibrary::~SharedLibrary() {
  if (handle)
    dlclose(handle);
}

SharedLibrary SharedLibrary::open(const std::string &path, std::string &error) {
  SharedLibrary library;
  // Never unloaded: NVRTC and the driver keep memory, threads and exit handlers of their own.
  library.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library.handle) {
    const char *reason = dlerror();
    error = reason ? reason : "unknown reason";
  }
  return library;
}

void *SharedLibrary::address(const char *name) const {
  return handle ? dlsym(handle, name) : nullptr;
}

std::string SharedLibrary::fileOf(const char *name) const {
  Dl_info info;
  void *symbol = address(name);
  if (symbol && dladdr(symbol, &info) && info.dli_fname)
    return info.dli_fname;
  return "";
}

} // namespace tile::runtime
