# lit.cfg.py - how lit runs our tests: RUN lines with our tools and LLVM's on the path.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import lit.formats

config.name = "Tessera"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tile_binary_dir, "test")

path = [os.path.join(config.tile_binary_dir, "bin"), config.llvm_tools_dir, config.environment["PATH"]]
config.environment["PATH"] = os.pathsep.join(path)
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input-filter=error"

config.substitutions.append(("%source", config.tile_source_dir))
config.substitutions.append(("%status", f"'{config.python}' '{config.tile_source_dir}/test/expect_status.py'"))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%tools", os.path.join(config.tile_binary_dir, "bin")))
