// Options.cpp - the command line of tile-run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tile::run {

llvm::StringRef helpText() {
  return R"(tile-run FILE [options]: compiles a tile program, makes inputs, runs it, compares with the interpreter

  --kernel f             which kernel of the file
  --device auto|gpu|sim  where it runs; auto: the GPU if there is one, else the simulator
  --arch sm_90a          architecture to compile for; else that of the GPU, or sm_90a
  --dim M=1000           a size symbol; may be left out where a file fixes it
  --arg A=…              normal, uniform, zeros, ones, iota, const:V, a number, a file.npy, or @B: the memory of B
  --pitch A=512          elements from row to row        --offset A=1   elements before the first
  --seed n               of the random inputs            -D NAME=value  replaces $NAME in the text
  --variant fast|careful|all   one body of the kernel, or each one whose requirements hold
  --checked              trap where the language forbids
  --out C=file.npy       writes a tensor after the run   --expect C=file.npy   compares with a file
  --rtol x, --atol x     |got - expected| <= atol + rtol * |expected|; integers must be equal
  --no-check             does not run the interpreter    --bench        times the kernel on the GPU
  --explain[=json]       reports every decision; alone, it runs nothing
  --count                runs in the simulator; says as JSON how often each access ran, and what it cost, beside
                         what --explain says of one
  --emit cuda|ptx|cubin|simt [-o F]   writes the code, and runs nothing
  --cost-constants       prints what the cost model takes a device for, as JSON; needs no FILE

Tensors the kernel only writes start out as bytes 0xAB, everything else as 'normal'.
Default tolerances (relative, absolute): f64 1e-12, f32 1e-5 and 1e-6, f16 1e-2 and 1e-3, bf16 2e-2 and 1e-2, fp8 0.125.
Exit status: 0 right; 1 wrong values or a fault found by a CPU device; 2 refused program or arguments; 3 environment.
)";
}

/// "NAME=value" to its two parts.
static Result<std::pair<std::string, std::string>> splitNamed(StringRef option, StringRef value) {
  auto [name, rest] = value.split('=');
  if (name.empty() || !value.contains('='))
    return Error{"found '" + option.str() + " " + value.str() + "'; expected " + option.str() + " NAME=value"};
  return std::pair(name.str(), rest.str());
}

static Status setText(Texts &texts, StringRef option, StringRef value) {
  Result<std::pair<std::string, std::string>> named = splitNamed(option, value);
  if (!named)
    return named.fault();
  if (named->second.empty())
    return Error{"found no value in '" + option.str() + " " + value.str() + "'; expected " + option.str() +
                 " NAME=value"};
  if (!texts.insert(*named).second)
    return Error{"found " + option.str() + " " + named->first + " twice; it is given once"};
  return okStatus();
}

static Status setNumber(Numbers &numbers, StringRef option, StringRef value) {
  Texts text;
  if (Status split = setText(text, option, value); !split)
    return split;
  const auto &[name, digits] = *text.begin();
  int64_t number;
  if (StringRef(digits).getAsInteger(10, number) || number < 0)
    return Error{"found '" + digits + "' for " + option.str() + " " + name + "; expected a number of 0 or more"};
  if (!numbers.insert({name, number}).second)
    return Error{"found " + option.str() + " " + name + " twice; it is given once"};
  return okStatus();
}

static Status setTolerance(std::optional<double> &tolerance, StringRef option, StringRef value) {
  double number;
  if (value.getAsDouble(number) || !(number >= 0))
    return Error{"found '" + value.str() + "' for " + option.str() + "; expected a number of 0 or more"};
  tolerance = number;
  return okStatus();
}

/// Sets `target` to the place of `value` among `words`.
template <class Enum>
static Status setChoice(Enum &target, StringRef option, StringRef value, llvm::ArrayRef<StringRef> words,
                        int first = 0) {
  const auto *found = llvm::find(words, value);
  if (found == words.end()) {
    std::string all = llvm::join(words, ", ");
    return Error{"found '" + value.str() + "' for " + option.str() + "; expected one of " + all};
  }
  target = static_cast<Enum>(first + (found - words.begin()));
  return okStatus();
}

namespace {
enum class Value { None, Required, Optional };

/// One option: its name, whether it takes a value, and what it does.
struct Spec {
  StringRef name;
  Value value;
  bool isOfRun;
  Status (*set)(Options &options, StringRef name, StringRef value);
};
} // namespace

static Status setFlag(bool &flag, bool value) {
  flag = value;
  return okStatus();
}

static Status setSeed(Options &options, StringRef name, StringRef value) {
  if (value.getAsInteger(10, options.seed))
    return Error{"found '" + value.str() + "' for --seed; expected a number of 0 or more"};
  return okStatus();
}

static Status setEmit(Options &options, StringRef name, StringRef value) {
  int form = 0;
  Status known = setChoice(form, name, value, {"cuda", "ptx", "cubin", "simt"});
  options.emit = value.str();
  return known;
}

static Status setExplain(Options &options, StringRef name, StringRef value) {
  options.explain = Options::Report::Table;
  return value.empty() ? okStatus() : setChoice(options.explain, name, value, {"json"}, /*first=*/2);
}

static Status define(Options &options, StringRef name, StringRef value) {
  std::optional<std::pair<std::string, std::string>> definition = parseDefinition(value.str());
  if (!definition)
    return Error{"found '-D " + value.str() + "'; expected -D NAME=value"};
  options.definitions.insert_or_assign(definition->first, definition->second);
  return okStatus();
}

// clang-format off
static constexpr Spec kSpecs[] = {
  {"--kernel", Value::Required, false, [](Options &o, StringRef, StringRef v) { o.kernel = v.ltrim('@').str(); return okStatus(); }},
  {"--device", Value::Required, true, [](Options &o, StringRef n, StringRef v) { return setChoice(o.device, n, v, {"auto", "gpu", "sim"}); }},
  {"--arch", Value::Required, false, [](Options &o, StringRef, StringRef v) { o.arch = v.str(); return okStatus(); }},
  {"--dim", Value::Required, true, [](Options &o, StringRef n, StringRef v) { return setNumber(o.dims, n, v); }},
  {"--pitch", Value::Required, true, [](Options &o, StringRef n, StringRef v) { return setNumber(o.pitches, n, v); }},
  {"--offset", Value::Required, true, [](Options &o, StringRef n, StringRef v) { return setNumber(o.offsets, n, v); }},
  {"--arg", Value::Required, true, [](Options &o, StringRef n, StringRef v) { return setText(o.args, n, v); }},
  {"--out", Value::Required, true, [](Options &o, StringRef n, StringRef v) { return setText(o.outs, n, v); }},
  {"--expect", Value::Required, true, [](Options &o, StringRef n, StringRef v) { return setText(o.expects, n, v); }},
  {"--seed", Value::Required, true, setSeed},
  {"--rtol", Value::Required, true, [](Options &o, StringRef n, StringRef v) { return setTolerance(o.rtol, n, v); }},
  {"--atol", Value::Required, true, [](Options &o, StringRef n, StringRef v) { return setTolerance(o.atol, n, v); }},
  {"--no-check", Value::None, true, [](Options &o, StringRef, StringRef) { return setFlag(o.check, false); }},
  {"--bench", Value::None, true, [](Options &o, StringRef, StringRef) { return setFlag(o.bench, true); }},
  {"--checked", Value::None, false, [](Options &o, StringRef, StringRef) { return setFlag(o.checked, true); }},
  {"--variant", Value::Required, true, [](Options &o, StringRef n, StringRef v) { return setChoice(o.variants, n, v, {"fast", "careful", "all"}, 1); }},
  {"--count", Value::None, true, [](Options &o, StringRef, StringRef) { return setFlag(o.counts, true); }},
  {"--explain", Value::Optional, false, setExplain},
  {"--emit", Value::Required, false, setEmit},
  {"-o", Value::Required, false, [](Options &o, StringRef, StringRef v) { o.output = v.str(); return okStatus(); }},
  {"-D", Value::Required, false, define},
  {"--help", Value::None, false, [](Options &o, StringRef, StringRef) { return setFlag(o.wantsHelp, true); }},
  {"--cost-constants", Value::None, false, [](Options &o, StringRef, StringRef) { return setFlag(o.wantsConstants, true); }},
  {"--version", Value::None, false, [](Options &o, StringRef, StringRef) { return setFlag(o.wantsVersion, true); }},
};
// clang-format on

/// `--name=value` and `-Dvalue` to their two parts.
static std::pair<StringRef, std::optional<StringRef>> splitWord(StringRef word) {
  if (word.starts_with("-D") && word.size() > 2)
    return {"-D", word.drop_front(2)};
  if (word.starts_with("--") && word.contains('='))
    return {word.split('=').first, word.split('=').second};
  return {word, std::nullopt};
}

/// Handles the option at the front of `words` and drops what it used.
static Status parseOption(llvm::ArrayRef<const char *> &words, Options &options) {
  auto [name, value] = splitWord(words.front());
  words = words.drop_front();
  const Spec *spec = llvm::find_if(kSpecs, [name = name](const Spec &spec) { return spec.name == name; });
  if (spec == std::end(kSpecs))
    return Error{"found no option '" + name.str() + "'; tile-run --help lists them"};
  if (spec->value == Value::None && value)
    return Error{"found a value for " + name.str() + ", '" + value->str() + "'; it takes none"};
  if (spec->value == Value::Required && !value) {
    if (words.empty())
      return Error{"found no value behind " + name.str() + "; it takes one"};
    value = words.front();
    words = words.drop_front();
  }
  options.asksForRun |= spec->isOfRun;
  return spec->set(options, name, value.value_or(""));
}

Result<Options> parseCommandLine(llvm::ArrayRef<const char *> words) {
  Options options;
  while (!words.empty()) {
    StringRef word = words.front();
    if (word.starts_with("-") && word != "-") {
      if (Status parsed = parseOption(words, options); !parsed)
        return parsed.fault();
      continue;
    }
    if (!options.file.empty())
      return Error{"found two files, '" + options.file + "' and '" + word.str() + "'; expected one"};
    options.file = word.str();
    words = words.drop_front();
  }
  if (options.counts && (options.device == Options::Device::Gpu || options.bench))
    return Error{"found --count with " + std::string(options.bench ? "--bench" : "--device gpu") +
                 "; it counts in the simulator"};
  if (options.file.empty() && !options.wantsHelp && !options.wantsVersion && !options.wantsConstants)
    return Error{"found no file; expected tile-run FILE [options]"};
  return options;
}

} // namespace tile::run
