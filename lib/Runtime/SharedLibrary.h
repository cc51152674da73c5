// SharedLibrary.h - a library opened at run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_RUNTIME_SHAREDLIBRARY_H
#define LIB_RUNTIME_SHAREDLIBRARY_H

#include <string>
#include <utility>

namespace tile::runtime {

/// Owns a handle of dlopen. The library itself stays loaded to the end of the process.
class SharedLibrary {
public:
  SharedLibrary() = default;
  SharedLibrary(SharedLibrary &&other) : handle(std::exchange(other.handle, nullptr)) {}
  SharedLibrary &operator=(SharedLibrary &&other) {
    std::swap(handle, other.handle);
    return *this;
  }
  ~SharedLibrary();

  /// Opens `path`; null inside and the loader's words in `error` on failure.
  static SharedLibrary open(const std::string &path, std::string &error);

  /// Sets `function` to the symbol's address; false if there is none.
  template <typename F> bool find(const char *name, F *&function) const {
    function = reinterpret_cast<F *>(address(name));
    return function != nullptr;
  }

  /// The file that holds the symbol, as the loader knows it.
  std::string fileOf(const char *name) const;

  explicit operator bool() const { return handle != nullptr; }

private:
  void *address(const char *name) const;

  void *handle = nullptr;
};

} // namespace tile::runtime

#endif // LIB_RUNTIME_SHAREDLIBRARY_H
