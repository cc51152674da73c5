// Report.h - code and reports, without a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TOOLS_TILE_RUN_REPORT_H
#define TILE_TOOLS_TILE_RUN_REPORT_H

#include "Options.h"
#include "tile/Compiler/Compiler.h"
#include "tile/Runtime/Toolkit.h"

#include "llvm/Support/raw_ostream.h"

namespace tile::run {

/// `--emit`: writes the code to the file of `-o`, or to the standard output.
Status emitCode(const Options &options, CompiledProgram &program, runtime::Toolkit &toolkit, const std::string &arch);

/// `--explain`: prints the report, with the figures of NVRTC where there is one, for the device if one was chosen.
Status printExplanation(const Options &options, CompiledProgram &program, runtime::Toolkit &toolkit,
                        const std::string &arch, const runtime::Device *device);

/// What the cost model takes a device for: the constants, each with its unit and meaning, as JSON.
void printConstants(llvm::raw_ostream &os);

} // namespace tile::run

#endif // TILE_TOOLS_TILE_RUN_REPORT_H
