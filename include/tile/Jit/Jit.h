// Jit.h - the text of a tile program to a kernel that can be launched: one call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_JIT_JIT_H
#define TILE_JIT_JIT_H

#include "tile/Runtime/Kernel.h"
#include "tile/Runtime/Toolkit.h"
#include "tile/Support/Result.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace tile::jit {

/// How a text is compiled.
struct Options {
  /// Which kernel of the text; empty: its only one.
  std::string kernel;
  /// Values of the `$NAME`s of the text.
  std::map<std::string, std::string, std::less<>> definitions;
  /// The file errors name.
  std::string file = "<text>";
  /// Architecture; empty: the device's.
  std::string arch;
  /// Trap on accesses out of a tile, on division by zero and on failed assertions.
  bool checked = false;
  /// Where NVRTC, driver and cache are found; shared by all who compile. Null: a new one, without a cache.
  std::shared_ptr<runtime::Toolkit> toolkit;
};

/// Opens a device of the machine.
Result<std::shared_ptr<const runtime::Device>> openDevice(runtime::Toolkit &toolkit, int ordinal = 0);

/// Text to cubin; needs NVRTC or an entry of the cache, but no GPU. \pre `options.arch` is given.
Result<runtime::CompiledKernel> compileToCubin(std::string_view text, const Options &options);

/// Text to a kernel on a device.
///
/// Errors: `Refused` carries `file:line:column: error: …`, `Environment` what was looked for and found.
/// Example: `auto kernel = tile::jit::compile(text, options, device);` then `(*kernel)->launch(stream, {A, B, C});`
Result<std::shared_ptr<const runtime::Kernel>> compile(std::string_view text, const Options &options,
                                                       std::shared_ptr<const runtime::Device> device);

} // namespace tile::jit

#endif // TILE_JIT_JIT_H
