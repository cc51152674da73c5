// Result.h - a value, or a sentence that says why there is none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_RESULT_H
#define TILE_SUPPORT_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace tile {

/// Whose fault an error is: the program or its arguments, the machine (no driver, no NVRTC), or ourselves.
enum class ErrorKind { Refused, Environment, Internal };

/// Why something failed: lower case, no full stop, what was found first, then the rule.
struct Error {
  std::string message;
  ErrorKind kind = ErrorKind::Refused;
};

/// A value of type `T`, or an `Error`; true when it holds a value.
///
/// Example: `if (!array) return Error{array.error()};` then `array->shape`.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }

  /// \pre a value is held; asserts otherwise.
  T &operator*() & { return get(); }
  const T &operator*() const & { return const_cast<Result *>(this)->get(); }
  T &&operator*() && { return std::move(get()); }
  T *operator->() { return &get(); }
  const T *operator->() const { return &const_cast<Result *>(this)->get(); }

  /// \pre no value is held; asserts otherwise.
  const std::string &error() const {
    assert(state.index() == 1 && "asked a success for its error");
    return std::get_if<1>(&state)->message;
  }

  /// The whole error, to hand on: `if (!file) return file.fault();`
  /// \pre no value is held; asserts otherwise.
  const Error &fault() const {
    assert(state.index() == 1 && "asked a success for its error");
    return *std::get_if<1>(&state);
  }

private:
  T &get() {
    assert(state.index() == 0 && "asked a failure for its value");
    return *std::get_if<0>(&state);
  }

  std::variant<T, Error> state;
};

/// Success, or an `Error`: the result of something that yields no value.
using Status = Result<std::monostate>;

/// The successful `Status` (not called `success`: that name is MLIR's).
inline Status okStatus() {
  return Status(std::monostate{});
}

} // namespace tile

#endif // TILE_SUPPORT_RESULT_H
