// LayoutText.h - spelling and scanning shared by the texts of distributed and shared layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_LAYOUT_LAYOUTTEXT_H
#define TILE_LIB_LAYOUT_LAYOUTTEXT_H

#include "tile/Layout/Layout.h"

namespace tile {

/// "reg", "thread" or "block".
std::string spell(Owner owner);
/// "8 thread * 4"; the stride is left out if it is 1.
std::string spell(const Digit &digit);
std::string spell(const Spread &copy);

/// Reads words, numbers and punctuation from left to right; the first failure is kept as one sentence.
class TextScanner {
public:
  explicit TextScanner(std::string_view text) : rest(text) {}

  /// Takes `token` (a word or punctuation) if it is next. A word must not go on behind it.
  bool tryTake(std::string_view token);
  /// The same, and a failure if it is not.
  bool take(std::string_view token);
  /// An integer of 64 bits, with an optional minus.
  bool takeNumber(int64_t &number);
  bool atEnd();
  /// Records "expected …, found …" unless something failed before; false for the caller to return.
  bool expected(const std::string &what);
  bool fail(std::string sentence);
  const std::string &failure() const { return message; }

private:
  void skipSpace();
  std::string_view rest;
  std::string message;
};

} // namespace tile

#endif // TILE_LIB_LAYOUT_LAYOUTTEXT_H
