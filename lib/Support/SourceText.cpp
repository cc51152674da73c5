// SourceText.cpp - bracket depth and $NAME, over a text cut into code, strings and comments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/SourceText.h"

#include <algorithm>
#include <vector>

using namespace tile;

static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
static bool isNameCharacter(char c) {
  return isLetter(c) || isDigit(c);
}

/// The first place at or behind `begin` that is not a name character.
static size_t endOfName(std::string_view text, size_t begin) {
  while (begin < text.size() && isNameCharacter(text[begin]))
    ++begin;
  return begin;
}

/// The end of the string or comment that begins at `begin`, or `begin` where none does.
static size_t skipQuiet(std::string_view text, size_t begin) {
  if (text.substr(begin, 2) == "//")
    return std::min(text.find('\n', begin), text.size());
  if (text[begin] != '"')
    return begin;
  for (size_t i = begin + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return std::min(text.find('\n', begin), text.size());
}

static TextError errorAt(std::string_view text, size_t place, std::string message) {
  std::string_view before = text.substr(0, place);
  size_t newline = before.rfind('\n');
  return {1 + std::count(before.begin(), before.end(), '\n'),
          static_cast<int64_t>(newline == std::string_view::npos ? place + 1 : place - newline), std::move(message)};
}

//===----------------------------------------------------------------------===//
// Nesting
//===----------------------------------------------------------------------===//

namespace {
/// The brackets that are open at a place of the text.
class Brackets {
public:
  void open(char bracket) { stack.push_back({bracket, 0}); }

  /// Closes what `bracket` closes; an unmatched `<` was a comparison and goes with the bracket around it.
  void close(char bracket) {
    char opening = bracket == ')' ? '(' : bracket == ']' ? '[' : bracket == '}' ? '{' : '<';
    if (opening == '<') {
      if (!stack.empty() && stack.back().bracket == '<')
        stack.pop_back();
      return;
    }
    while (!stack.empty() && stack.back().bracket == '<')
      stack.pop_back();
    if (!stack.empty() && stack.back().bracket == opening)
      stack.pop_back();
  }

  void separate() {
    if (!stack.empty())
      stack.back().operators = 0;
  }

  /// Counts an operator of the innermost expression; braces hold statements, not expressions.
  bool isTooLong() { return !stack.empty() && stack.back().bracket != '{' && ++stack.back().operators > kMaxOperators; }

  int64_t depth() const { return static_cast<int64_t>(stack.size()); }

private:
  struct Open {
    char bracket;
    int64_t operators;
  };
  std::vector<Open> stack;
};
} // namespace

static bool isOperator(std::string_view word) {
  return word == "+" || word == "-" || word == "*" || word == "mod" || word == "floordiv" || word == "ceildiv";
}

std::optional<TextError> tile::checkNesting(std::string_view text, int64_t limit) {
  Brackets brackets;
  for (size_t i = 0; i < text.size();) {
    if (size_t end = skipQuiet(text, i); end != i) {
      i = end;
      continue;
    }
    size_t end = std::max(endOfName(text, i), i + 1);
    std::string_view word = text.substr(i, end - i);
    char c = text[i];
    bool isArrow = c == '>' && i > 0 && text[i - 1] == '-';
    if (c == '(' || c == '[' || c == '{' || c == '<')
      brackets.open(c);
    else if (c == ')' || c == ']' || c == '}' || (c == '>' && !isArrow))
      brackets.close(c);
    else if (c == ',')
      brackets.separate();
    if (brackets.depth() > limit)
      return errorAt(text, i,
                     "brackets nest " + std::to_string(brackets.depth()) + " deep; text nests at most " +
                         std::to_string(limit) + " deep (text-C1)");
    if (isOperator(word) && brackets.isTooLong())
      return errorAt(text, i,
                     "an expression has more than " + std::to_string(kMaxOperators) +
                         " operators; name parts of it by 'affine.apply' (text-C2)");
    i = end;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::string_view trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::optional<std::pair<std::string, std::string>> tile::parseDefinition(std::string_view text) {
  size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return std::nullopt;
  std::string_view name = trim(text.substr(0, equals)), value = trim(text.substr(equals + 1));
  bool isName = !name.empty() && isLetter(name[0]) && endOfName(name, 0) == name.size();
  if (!isName || value.empty() || value.find('\n') != std::string_view::npos)
    return std::nullopt;
  return std::pair(std::string(name), std::string(value));
}

/// The defaults of a text: lines that are a comment and nothing else, `// $NAME = value`.
static void collectDefaults(std::string_view text, Definitions &definitions) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.substr(0, 2) != "//")
      continue;
    line = trim(line.substr(2));
    if (line.empty() || line[0] != '$')
      continue;
    if (auto definition = parseDefinition(line.substr(1)))
      definitions.insert(*definition);
  }
}

/// How many characters of `name` are a known name: all of it, or, in a dimension list, what stands before an `x`.
static size_t knownPrefix(std::string_view name, const Definitions &definitions) {
  if (definitions.count(name))
    return name.size();
  for (size_t length = name.size(); length-- > 1;)
    if (name[length] == 'x' && definitions.count(name.substr(0, length)))
      return length;
  return 0;
}

/// The end of a value, symbol or type name; MLIR lets them hold $, - and .
static size_t endOfIrName(std::string_view text, size_t begin) {
  while (begin < text.size() &&
         (isNameCharacter(text[begin]) || text[begin] == '$' || text[begin] == '-' || text[begin] == '.'))
    ++begin;
  return begin;
}

std::optional<TextError> tile::substitute(std::string_view text, const Definitions &definitions, std::string &result) {
  Definitions known = definitions;
  collectDefaults(text, known);
  result.clear();
  result.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    size_t end = skipQuiet(text, i);
    if (end == i && (text[i] == '%' || text[i] == '@' || text[i] == '!' || text[i] == '#'))
      end = i + 1 < text.size() && isNameCharacter(text[i + 1]) ? endOfIrName(text, i + 1) : i + 1;
    bool isName = text[i] == '$' && i + 1 < text.size() && isLetter(text[i + 1]);
    if (end == i && !isName)
      end = i + 1;
    if (end != i) {
      result += text.substr(i, end - i);
      i = end;
      continue;
    }
    std::string_view name = text.substr(i + 1, endOfName(text, i + 1) - i - 1);
    size_t length = knownPrefix(name, known);
    if (length == 0)
      return errorAt(text, i,
                     "'$" + std::string(name) + "' has no value; give -D " + std::string(name) +
                         "=... or a line '// $" + std::string(name) + " = ...' (text-C3)");
    result += known.find(name.substr(0, length))->second;
    i += 1 + length;
  }
  return std::nullopt;
}

std::optional<TextError> tile::prepareText(std::string_view text, const Definitions &definitions, std::string &result) {
  if (std::optional<TextError> error = checkNesting(text))
    return error;
  if (std::optional<TextError> error = substitute(text, definitions, result))
    return error;
  // A value may hold brackets of its own.
  return checkNesting(result);
}
