// KernelInfoText.cpp - a kernel's description as versioned text, and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/KernelInfo.h"

#include <array>
#include <charconv>

namespace tile::runtime {

/// Raised whenever the text or the meaning of a field changes.
static constexpr std::string_view kHeader = "tile-kernel-info 3";

static constexpr std::array<std::string_view, 5> kRequirementNames = {"pointer_multiple", "stride_multiple",
                                                                      "expr_multiple", "expr_less", "offset_less"};
static constexpr std::array<std::string_view, 6> kParameterNames = {"pointer", "scalar", "symbol",
                                                                    "stride",  "extent", "grid"};
static constexpr std::array<std::string_view, 5> kComparisonNames = {"==", "<", "<=", ">", ">="};

namespace {
/// Words, numbers, quoted strings and expressions, separated by blanks; lists are a count and their entries.
class Writer {
public:
  Writer &word(std::string_view text) {
    if (!out.empty() && out.back() != '\n')
      out += ' ';
    out += text;
    return *this;
  }
  Writer &number(int64_t value) { return word(std::to_string(value)); }
  Writer &expr(const Expr &value) { return word(value.serialize()); }
  Writer &string(std::string_view text) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    std::string quoted = "\"";
    for (unsigned char c : text) {
      if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
        quoted += static_cast<char>(c);
      else
        quoted.append("\\").append(1, kHex[c >> 4]).append(1, kHex[c & 15]);
    }
    return word(quoted + '"');
  }
  Writer &line() {
    out += '\n';
    return *this;
  }
  std::string take() { return std::move(out); }

private:
  std::string out;
};

/// Reads what `Writer` wrote. Every read is total: after the first failure all reads give defaults and `failed` stays.
class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) {}

  bool failed = false;

  std::string_view word() {
    skipBlanks();
    size_t length = 0;
    while (length < rest.size() && !isBlank(rest[length]))
      ++length;
    if (length == 0)
      failed = true;
    return take(length);
  }

  void keyword(std::string_view expected) {
    if (word() != expected)
      failed = true;
  }

  int64_t number() {
    std::string_view text = word();
    int64_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      failed = true;
    return failed ? 0 : value;
  }

  bool boolean() {
    int64_t value = number();
    if (value != 0 && value != 1)
      failed = true;
    return value == 1;
  }

  /// The length of a list. An entry takes at least two characters, so a huge count is garbage, never an allocation.
  int64_t count() {
    int64_t value = number();
    if (value < 0 || value > static_cast<int64_t>(rest.size()))
      failed = true;
    return failed ? 0 : value;
  }

  template <size_t N> size_t oneOf(const std::array<std::string_view, N> &names) {
    std::string_view text = word();
    for (size_t i = 0; i < N; ++i)
      if (names[i] == text)
        return i;
    failed = true;
    return 0;
  }

  std::string string() {
    skipBlanks();
    std::string value;
    if (rest.empty() || rest.front() != '"')
      failed = true;
    take(1);
    while (!failed && !rest.empty() && rest.front() != '"')
      value += character();
    if (rest.empty())
      failed = true;
    take(1);
    return value;
  }

  Expr expr() {
    skipBlanks();
    size_t end = rest.find(']');
    std::string_view text = take(end == std::string_view::npos ? rest.size() : end + 1);
    std::optional<Expr> value = Expr::deserialize(text);
    if (!value)
      failed = true;
    return value ? *value : Expr();
  }

  bool atEnd() {
    skipBlanks();
    return rest.empty();
  }

private:
  static bool isBlank(char c) { return c == ' ' || c == '\n'; }

  void skipBlanks() {
    while (!rest.empty() && isBlank(rest.front()))
      rest.remove_prefix(1);
  }

  std::string_view take(size_t length) {
    std::string_view text = rest.substr(0, std::min(length, rest.size()));
    rest.remove_prefix(text.size());
    return text;
  }

  char character() {
    if (rest.front() != '\\')
      return take(1)[0];
    unsigned value = 0;
    std::string_view hex = rest.substr(1, 2);
    auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
    if (hex.size() != 2 || error != std::errc() || end != hex.data() + 2)
      failed = true;
    take(3);
    return static_cast<char>(value);
  }

  std::string_view rest;
};
} // namespace

static void writeArgument(Writer &out, const ArgumentInfo &argument) {
  bool isTensor = argument.kind == ArgumentInfo::Kind::Tensor;
  out.word(isTensor ? "tensor" : "scalar").string(argument.name).string(argument.location).word(name(argument.type));
  if (!isTensor) {
    out.line();
    return;
  }
  out.number(argument.isRead).number(argument.isWritten);
  out.number(static_cast<int64_t>(argument.extents.size()));
  for (const Expr &extent : argument.extents)
    out.expr(extent);
  out.number(static_cast<int64_t>(argument.strides.size()));
  for (const std::optional<int64_t> &stride : argument.strides)
    stride ? out.number(*stride) : out.word("?");
  out.line();
}

static void writeVariant(Writer &out, const Variant &variant) {
  out.word("variant").string(variant.entry).number(variant.dynamicSharedBytes).number(variant.staticSharedBytes);
  out.number(variant.launchThreads).number(variant.foldsGrid).line();
  out.word("requirements").number(static_cast<int64_t>(variant.requirements.size())).line();
  for (const Requirement &requirement : variant.requirements) {
    out.word(kRequirementNames[static_cast<size_t>(requirement.kind)]).number(requirement.argument);
    out.number(requirement.dim).expr(requirement.expr).number(requirement.amount).line();
  }
  out.word("parameters").number(static_cast<int64_t>(variant.parameters.size())).line();
  for (const Parameter &parameter : variant.parameters)
    out.word(kParameterNames[static_cast<size_t>(parameter.kind)])
        .number(parameter.argument)
        .number(parameter.index)
        .line();
}

std::string KernelInfo::serialize() const {
  Writer out;
  out.word(kHeader).line();
  out.word("kernel").string(name).number(threads).number(minBlocks).number(mostAwaitingBlocks).line();
  out.word("symbols").number(static_cast<int64_t>(symbols.size()));
  for (const std::string &symbol : symbols)
    out.string(symbol);
  out.line().word("arguments").number(static_cast<int64_t>(arguments.size())).line();
  for (const ArgumentInfo &argument : arguments)
    writeArgument(out, argument);
  out.word("grid").number(static_cast<int64_t>(grid.size()));
  for (const Expr &axis : grid)
    out.expr(axis);
  out.line().word("order").number(static_cast<int64_t>(blockOrder.size()));
  for (int64_t axis : blockOrder)
    out.number(axis);
  out.line().word("where").number(static_cast<int64_t>(where.size())).line();
  for (const Fact &fact : where)
    out.expr(fact.lhs).word(spelling(fact.comparison)).expr(fact.rhs).string(fact.text).string(fact.location).line();
  out.word("disjoint").number(static_cast<int64_t>(disjoint.size())).line();
  for (const std::vector<int64_t> &group : disjoint) {
    out.number(static_cast<int64_t>(group.size()));
    for (int64_t index : group)
      out.number(index);
    out.line();
  }
  out.word("variants").number(static_cast<int64_t>(variants.size())).line();
  for (const Variant &variant : variants)
    writeVariant(out, variant);
  return out.word("end").line().take();
}

static ArgumentInfo readArgument(Reader &in) {
  ArgumentInfo argument;
  static constexpr std::array<std::string_view, 2> kKinds = {"tensor", "scalar"};
  argument.kind = static_cast<ArgumentInfo::Kind>(in.oneOf(kKinds));
  argument.name = in.string();
  argument.location = in.string();
  std::optional<ScalarType> type = parseScalarType(in.word());
  if (!type)
    in.failed = true;
  argument.type = type.value_or(ScalarType::F32);
  if (argument.kind == ArgumentInfo::Kind::Scalar)
    return argument;
  argument.isRead = in.boolean();
  argument.isWritten = in.boolean();
  for (int64_t i = in.count(); i > 0 && !in.failed; --i)
    argument.extents.push_back(in.expr());
  for (int64_t i = in.count(); i > 0 && !in.failed; --i) {
    Reader ahead = in;
    bool isAny = ahead.word() == "?";
    if (isAny)
      in = ahead;
    argument.strides.push_back(isAny ? std::nullopt : std::optional<int64_t>(in.number()));
  }
  return argument;
}

static Variant readVariant(Reader &in) {
  Variant variant;
  in.keyword("variant");
  variant.entry = in.string();
  variant.dynamicSharedBytes = in.number();
  variant.staticSharedBytes = in.number();
  variant.launchThreads = in.number();
  variant.foldsGrid = in.boolean();
  in.keyword("requirements");
  for (int64_t i = in.count(); i > 0 && !in.failed; --i) {
    Requirement requirement;
    requirement.kind = static_cast<Requirement::Kind>(in.oneOf(kRequirementNames));
    requirement.argument = in.number();
    requirement.dim = in.number();
    requirement.expr = in.expr();
    requirement.amount = in.number();
    variant.requirements.push_back(std::move(requirement));
  }
  in.keyword("parameters");
  for (int64_t i = in.count(); i > 0 && !in.failed; --i) {
    Parameter parameter;
    parameter.kind = static_cast<Parameter::Kind>(in.oneOf(kParameterNames));
    parameter.argument = in.number();
    parameter.index = in.number();
    variant.parameters.push_back(parameter);
  }
  return variant;
}

static void readFactsAndGroups(Reader &in, KernelInfo &info) {
  in.keyword("where");
  for (int64_t i = in.count(); i > 0 && !in.failed; --i) {
    Fact fact;
    fact.lhs = in.expr();
    fact.comparison = static_cast<Comparison>(in.oneOf(kComparisonNames));
    fact.rhs = in.expr();
    fact.text = in.string();
    fact.location = in.string();
    info.where.push_back(std::move(fact));
  }
  in.keyword("disjoint");
  for (int64_t i = in.count(); i > 0 && !in.failed; --i) {
    std::vector<int64_t> &group = info.disjoint.emplace_back();
    for (int64_t j = in.count(); j > 0 && !in.failed; --j)
      group.push_back(in.number());
  }
}

Result<KernelInfo> KernelInfo::deserialize(std::string_view text) {
  if (!text.starts_with(kHeader) || text.substr(kHeader.size(), 1) != "\n")
    return Error{"kernel description does not start with '" + std::string(kHeader) + "'"};
  Reader in(text.substr(kHeader.size()));
  KernelInfo info;
  in.keyword("kernel");
  info.name = in.string();
  info.threads = in.number();
  info.minBlocks = in.number();
  info.mostAwaitingBlocks = in.number();
  in.keyword("symbols");
  for (int64_t i = in.count(); i > 0 && !in.failed; --i)
    info.symbols.push_back(in.string());
  in.keyword("arguments");
  for (int64_t i = in.count(); i > 0 && !in.failed; --i)
    info.arguments.push_back(readArgument(in));
  in.keyword("grid");
  for (int64_t i = in.count(); i > 0 && !in.failed; --i)
    info.grid.push_back(in.expr());
  in.keyword("order");
  for (int64_t i = in.count(); i > 0 && !in.failed; --i)
    info.blockOrder.push_back(in.number());
  readFactsAndGroups(in, info);
  in.keyword("variants");
  for (int64_t i = in.count(); i > 0 && !in.failed; --i)
    info.variants.push_back(readVariant(in));
  in.keyword("end");
  if (in.failed || !in.atEnd())
    return Error{"kernel description is damaged"};
  if (std::optional<std::string> fault = info.findFault())
    return Error{"kernel description is inconsistent: " + *fault};
  return info;
}

} // namespace tile::runtime
