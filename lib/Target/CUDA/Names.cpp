// Names.cpp - the user's names as C identifiers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Names.h"

#include "Helpers.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir;

namespace tile::cuda {

/// Longer names are cut: what matters to a reader is the beginning.
static constexpr size_t kLongestName = 60;

static constexpr llvm::StringLiteral kKeywords[] = {"alignas",
                                                    "alignof",
                                                    "and",
                                                    "and_eq",
                                                    "asm",
                                                    "auto",
                                                    "bitand",
                                                    "bitor",
                                                    "bool",
                                                    "break",
                                                    "case",
                                                    "catch",
                                                    "char",
                                                    "char16_t",
                                                    "char32_t",
                                                    "char8_t",
                                                    "class",
                                                    "compl",
                                                    "concept",
                                                    "const",
                                                    "const_cast",
                                                    "consteval",
                                                    "constexpr",
                                                    "constinit",
                                                    "continue",
                                                    "co_await",
                                                    "co_return",
                                                    "co_yield",
                                                    "decltype",
                                                    "default",
                                                    "delete",
                                                    "do",
                                                    "double",
                                                    "dynamic_cast",
                                                    "else",
                                                    "enum",
                                                    "explicit",
                                                    "export",
                                                    "extern",
                                                    "false",
                                                    "float",
                                                    "for",
                                                    "friend",
                                                    "goto",
                                                    "if",
                                                    "inline",
                                                    "int",
                                                    "long",
                                                    "mutable",
                                                    "namespace",
                                                    "new",
                                                    "noexcept",
                                                    "not",
                                                    "not_eq",
                                                    "nullptr",
                                                    "operator",
                                                    "or",
                                                    "or_eq",
                                                    "private",
                                                    "protected",
                                                    "public",
                                                    "register",
                                                    "reinterpret_cast",
                                                    "requires",
                                                    "restrict",
                                                    "return",
                                                    "short",
                                                    "signed",
                                                    "sizeof",
                                                    "static",
                                                    "static_assert",
                                                    "static_cast",
                                                    "struct",
                                                    "switch",
                                                    "template",
                                                    "this",
                                                    "thread_local",
                                                    "throw",
                                                    "true",
                                                    "try",
                                                    "typedef",
                                                    "typeid",
                                                    "typename",
                                                    "typeof",
                                                    "union",
                                                    "unsigned",
                                                    "using",
                                                    "virtual",
                                                    "void",
                                                    "volatile",
                                                    "wchar_t",
                                                    "while",
                                                    "xor",
                                                    "xor_eq",
                                                    "final",
                                                    "override",
                                                    "import",
                                                    "module"};

/// Names that NVRTC knows without any header: built-in variables, types, functions and macros a user may well choose.
static constexpr llvm::StringLiteral kBuiltins[] = {
    // variables, types, macros
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3", "size_t", "ptrdiff_t", "nullptr_t", "clock_t",
    "cudaError_t", "cudaStream_t", "half", "half2", "NULL", "NAN", "INFINITY", "linux", "unix", "std", "cuda", "main",
    "uint", "ushort", "ulong", "uchar", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t",
    "uint64_t", "intptr_t", "uintptr_t", "true_type", "nv_weak", "EOF", "signbit", "va_list",
    // functions
    "abort", "abs", "acos", "acosh", "asin", "asinh", "assert", "atan", "atan2", "atanh", "atomicAdd", "atomicAnd",
    "atomicCAS", "atomicDec", "atomicExch", "atomicInc", "atomicMax", "atomicMin", "atomicOr", "atomicSub", "atomicXor",
    "brkpt", "calloc", "cbrt", "ceil", "clock", "clock64", "copysign", "cos", "cosh", "cospi", "cyl_bessel_i0",
    "cyl_bessel_i1", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exit", "exp", "exp10", "exp2", "expm1", "fabs",
    "fdim", "fdivide", "fdividef", "floor", "fma", "fmax", "fmin", "fmod", "free", "frexp", "hypot", "ilogb",
    "isfinite", "isinf", "isnan", "isnormal", "j0", "j1", "jn", "labs", "ldexp", "lgamma", "llabs", "llmax", "llmin",
    "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "lrint", "lround", "malloc", "max", "memcpy",
    "memset", "min", "modf", "nan", "nearbyint", "nextafter", "norm", "norm3d", "norm4d", "normcdf", "normcdfinv",
    "pow", "powi", "printf", "fprintf", "puts", "putchar", "rcbrt", "remainder", "remquo", "rhypot", "rint", "rnorm",
    "rnorm3d", "rnorm4d", "round", "rsqrt", "saturate", "scalbln", "scalbn", "signbitl", "sin", "sincos", "sincospi",
    "sinh", "sinpi", "sqrt", "surfRef", "tan", "tanh", "tanpi", "tex1D", "tex2D", "tex3D", "texture", "tgamma", "trap",
    "trunc", "ullmax", "ullmin", "umax", "umin", "y0", "y1", "yn", "bits", "arena", "lanes", "operator_new"};

/// char2 … ulonglong4: the built-in vector types, and the functions that make them.
static bool isVectorType(StringRef name) {
  name.consume_front("make_");
  for (StringRef element : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong",
                            "float", "double"}) {
    StringRef rest = name;
    if (rest.consume_front(element) && rest.size() >= 1 && rest[0] >= '1' && rest[0] <= '4' &&
        (rest.size() == 1 || rest[1] == '_'))
      return true;
  }
  return false;
}

static bool isIdentifierChar(char c) {
  return llvm::isAlnum(c) || c == '_';
}

/// Every character as one that C allows: a code point beyond ASCII is `u` and its number, all else an underscore.
static std::string spellCharacters(StringRef name) {
  std::string out;
  for (size_t i = 0; i < name.size() && out.size() < kLongestName + 8; ++i) {
    unsigned char c = static_cast<unsigned char>(name[i]);
    if (c < 0x80) {
      out += isIdentifierChar(name[i]) ? name[i] : '_';
      continue;
    }
    int length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
    unsigned code = length == 1 ? c : c & (0xff >> (length + 1));
    int read = 1;
    while (read < length && i + 1 < name.size() && (name[i + 1] & 0xc0) == 0x80) {
      code = code << 6 | (static_cast<unsigned char>(name[++i]) & 0x3f);
      ++read;
    }
    std::string digits = llvm::utohexstr(code, /*LowerCase=*/true);
    out += "u" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
  }
  return out;
}

std::string sanitize(StringRef name) {
  std::string spelled = spellCharacters(name);
  // Leading underscores and double ones are the implementation's.
  std::string out;
  for (char c : spelled)
    if (c != '_' || (!out.empty() && out.back() != '_'))
      out += c;
  if (out.size() > kLongestName)
    out.resize(kLongestName);
  while (!out.empty() && out.back() == '_')
    out.pop_back();
  // `%0` has no name worth keeping; `8bit` has.
  if (!out.empty() && llvm::isDigit(out[0])) {
    bool isNumber = llvm::all_of(out, [](char c) { return llvm::isDigit(c); });
    out = isNumber ? "" : "n" + out;
  }
  return out;
}

StringRef nameOf(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().getValue();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (StringRef name = nameOf(part); !name.empty())
        return name;
  return {};
}

NameScope::NameScope() {
  for (StringRef name : kKeywords)
    used[name] = 1;
  for (StringRef name : kBuiltins) {
    used[name] = 1;
    // The f32 form of the functions, such as `sinf`; harmless for the rest.
    used[(name + "f").str()] = 1;
  }
  for (const Helper &helper : helpers())
    used[helper.name] = 1;
}

std::string NameScope::take(StringRef wanted, StringRef fallback) {
  std::string base = sanitize(wanted);
  if (base.empty())
    base = fallback.str();
  if (isVectorType(base))
    used.try_emplace(base, 1);
  std::string name = base;
  unsigned suffix = used.lookup(base);
  // Looked up anew each time: inserting a name may move the table.
  while (used.contains(name))
    name = base + "_" + llvm::utostr(used[base]++);
  used[name] = 1;
  taken.push_back({name, base, suffix});
  return name;
}

void NameScope::leave(size_t mark) {
  while (taken.size() > mark) {
    Taken last = taken.pop_back_val();
    used.erase(last.name);
    if (last.base != last.name)
      used[last.base] = last.suffix;
  }
}

} // namespace tile::cuda
