// SourceTextTest.cpp - bracket depth and $NAME.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/SourceText.h"

#include <gtest/gtest.h>

using namespace tile;

static std::string repeat(std::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i)
    all += text;
  return all;
}

static std::string substituted(std::string_view text, const Definitions &definitions = {}) {
  std::string result;
  std::optional<TextError> error = substitute(text, definitions, result);
  return error ? "error: " + error->message : result;
}

// The deepest legal nesting passes for every bracket, one more level does not.
TEST(SourceText, refusesOneLevelTooMany) {
  for (std::string_view bracket : {"(", "[", "{", "a<"}) {
    EXPECT_FALSE(checkNesting(repeat(bracket, 256)));
    EXPECT_TRUE(checkNesting(repeat(bracket, 257)));
  }
}

// The error stands at the bracket that is one too many.
TEST(SourceText, namesLineAndColumn) {
  std::optional<TextError> error = checkNesting("ab\n" + repeat("(", 300));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line, 2);
  EXPECT_EQ(error->column, 257);
  EXPECT_EQ(error->message, "brackets nest 257 deep; text nests at most 256 deep (text-C1)");
}

// Brackets that close do not add up.
TEST(SourceText, closedBracketsDoNotCount) {
  EXPECT_FALSE(checkNesting(repeat("([{<>}])\n", 100000)));
}

// Brackets inside strings and comments are text.
TEST(SourceText, ignoresStringsAndComments) {
  EXPECT_FALSE(
      checkNesting("// " + repeat("(", 1000) + "\n\"" + repeat("[", 1000) + "\\\"" + repeat("{", 1000) + "\""));
  EXPECT_TRUE(checkNesting("// comment\n" + repeat("(", 1000)));
  EXPECT_TRUE(checkNesting("\"string\"" + repeat("(", 1000)));
}

// A comparison opens nothing that outlives its clause; an arrow closes nothing.
TEST(SourceText, comparisonsAndArrowsAreNoBrackets) {
  EXPECT_FALSE(checkNesting(repeat("where (%N < 3, %M > 4)\n", 1000)));
  EXPECT_TRUE(checkNesting(repeat("a<() -> (b), ", 300)));
}

// Long chains of operators are refused even where nothing nests; lists and statements are not expressions.
TEST(SourceText, refusesLongExpressions) {
  EXPECT_TRUE(checkNesting("[" + repeat("-", 200000) + "1]"));
  EXPECT_TRUE(checkNesting("(%a" + repeat(" + %a", 5000) + ")"));
  EXPECT_TRUE(checkNesting("(%a" + repeat(" mod 7", 5000) + ")"));
  EXPECT_FALSE(checkNesting("[" + repeat("%a * 2 + 1, ", 5000) + "]"));
  EXPECT_FALSE(checkNesting("{" + repeat("a = -1\n", 5000) + "}"));
}

// A definition replaces the name; a default stands in where none is given, and yields to one that is.
TEST(SourceText, substitutesDefinitionsAndDefaults) {
  EXPECT_EQ(substituted("threads($T)", {{"T", "96"}}), "threads(96)");
  EXPECT_EQ(substituted("// $T = 128\nthreads($T)"), "// $T = 128\nthreads(128)");
  EXPECT_EQ(substituted("// $T = 128\nthreads($T)", {{"T", "96"}}), "// $T = 128\nthreads(96)");
  EXPECT_EQ(substituted("$T // $T\n//$T=4", {}), "4 // $T\n//$T=4");
}

// In a dimension list a name may touch what follows; a longer known name wins.
TEST(SourceText, separatesDimensionLists) {
  Definitions definitions{{"M", "4"}, {"N", "8"}, {"T", "f16"}};
  EXPECT_EQ(substituted("memref<$Mx$Nxf16>", definitions), "memref<4x8xf16>");
  EXPECT_EQ(substituted("memref<?x$Nx$T>", definitions), "memref<?x8xf16>");
  EXPECT_EQ(substituted("$Mx", {{"M", "4"}, {"Mx", "5"}}), "5");
  EXPECT_EQ(substituted("$MN", definitions),
            "error: '$MN' has no value; give -D MN=... or a line '// $MN = ...' (text-C3)");
}

// Strings, comments and names of values keep their dollar.
TEST(SourceText, leavesStringsCommentsAndIrNames) {
  for (std::string_view text : {"\"$A\"", "// $A", "%a$A", "@f$A", "%acc.$A", "a $ b", "$1"})
    EXPECT_EQ(substituted(text), text);
}

// An unknown name is an error at its own place, before anything is replaced on its line.
TEST(SourceText, namesUnknownNameAtItsPlace) {
  std::string result;
  std::optional<TextError> error = substitute("// $A = 1000\n\n  $A + $BB", {}, result);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line, 3);
  EXPECT_EQ(error->column, 8);
}

// NAME=value, with blanks around both; anything else is no definition.
TEST(SourceText, parsesDefinitions) {
  EXPECT_EQ(parseDefinition("N=4"), std::pair(std::string("N"), std::string("4")));
  EXPECT_EQ(parseDefinition(" N_1 = a=b "), std::pair(std::string("N_1"), std::string("a=b")));
  for (std::string_view text : {"", "N", "=4", "N=", "1N=4", "N M=4", "N=\n4", "N=4\n5"})
    EXPECT_FALSE(parseDefinition(text)) << text;
}

// Any bytes at all: neither function reads outside the text.
TEST(SourceText, survivesBrokenText) {
  for (std::string_view text : {"\"", "\"\\", "/", "//", "$", "%", "\\", "\"\n\"", ">", "]", "%$"}) {
    EXPECT_FALSE(checkNesting(text)) << text;
    EXPECT_EQ(substituted(text), text);
  }
}

// Brackets that a value brings are counted too.
TEST(SourceText, checksWhatValuesBring) {
  std::string result;
  EXPECT_FALSE(prepareText("$A", {{"A", "[]"}}, result));
  EXPECT_EQ(result, "[]");
  EXPECT_TRUE(prepareText("$A", {{"A", repeat("(", 300)}}, result));
  EXPECT_TRUE(prepareText(repeat("(", 300), {}, result));
  EXPECT_TRUE(prepareText("$B", {}, result));
}
