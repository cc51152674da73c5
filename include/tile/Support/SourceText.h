// SourceText.h - what is done to the text of a program before it is parsed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_SOURCETEXT_H
#define TILE_SUPPORT_SOURCETEXT_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tile {

/// A mistake in a text, at a place: lines and columns count from 1, columns in bytes.
struct TextError {
  int64_t line = 1;
  int64_t column = 1;
  std::string message;
};

/// How deep brackets may nest; the parser recurses once or more a level.
inline constexpr int64_t kMaxNesting = 256;

/// How many operators one index expression may hold; the parser and its expressions recurse over them.
inline constexpr int64_t kMaxOperators = 1000;

/// Refuses text whose brackets nest deeper than `limit`, or whose bracketed expressions have more than `kMaxOperators`
/// operators. Strings and comments are skipped. `<` counts as a bracket until the bracket around it closes.
std::optional<TextError> checkNesting(std::string_view text, int64_t limit = kMaxNesting);

/// Values for the names written `$NAME` in a text.
using Definitions = std::map<std::string, std::string, std::less<>>;

/// Reads `NAME=value`; nothing if it is not of this form (a name is a letter or _, then letters, digits and _).
std::optional<std::pair<std::string, std::string>> parseDefinition(std::string_view text);

/// Replaces `$NAME` by its value: that of `definitions`, else the default of a line `// $NAME = value` anywhere in the
/// text. Strings, comments and the `$` inside a `%name$1` stay. In a dimension list a name may touch the text behind
/// it: in `$Mx$Nxf16`, `$Mx` is `$M` where M is known and Mx is not. Lines keep their numbers; columns behind a
/// replaced name move with its length.
///
/// \returns nothing, and `result`; or the first unknown name, at its place in `text`.
std::optional<TextError> substitute(std::string_view text, const Definitions &definitions, std::string &result);

/// What every tool does to a text before it parses it: checks the nesting, substitutes, and checks the result.
///
/// \returns nothing, and `result`; or the first error, at its place.
std::optional<TextError> prepareText(std::string_view text, const Definitions &definitions, std::string &result);

} // namespace tile

#endif // TILE_SUPPORT_SOURCETEXT_H
