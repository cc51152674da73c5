#!/usr/bin/env python3
# check_structure_test.py - each fault that scripts/check_structure.py looks for is found, and nothing else.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: check_structure_test.py ROOT"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop()).resolve()
HEAD = "// {name} - nothing.\n// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"


def faults(files):
    """What the check prints about a tree of these files, the last line apart."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / ".clang-format").write_text("BasedOnStyle: LLVM\n")
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        subprocess.run(["git", "add", "."], cwd=folder, check=True)
        done = subprocess.run([sys.executable, ROOT / "scripts/check_structure.py", folder], capture_output=True,
                              text=True, check=False)
        lines = done.stdout.splitlines()[:-1]
        assert (done.returncode != 0) == bool(lines), done.stderr
        return lines


def source(path, *lines):
    return {path: HEAD.format(name=pathlib.Path(path).name) + "".join(line + "\n" for line in lines)}


class CheckStructure(unittest.TestCase):
    def test_accepts_a_sound_tree(self):
        self.assertEqual(faults(source("lib/Layout/A.cpp", '#include "tile/Support/Hash.h"', "int a;")), [])

    def test_finds_an_include_against_the_layers(self):
        found = faults(source("lib/Support/A.cpp", '#include "tile/Layout/Layout.h"'))
        self.assertRegex(found[0], r"lib/Support/A.cpp:3: Support includes tile/Layout/Layout.h")

    def test_finds_mlir_in_the_runtime(self):
        found = faults(source("include/tile/Runtime/A.h", '#include "mlir/IR/Value.h"'))
        self.assertRegex(found[0], "it includes no MLIR header")

    def test_finds_more_of_the_runtime_in_the_compiler_than_the_description(self):
        found = faults(source("lib/Compiler/A.cpp", '#include "tile/Runtime/Driver.h"'))
        self.assertRegex(found[0], "of Runtime only")

    def test_finds_a_pass_without_source_flag_and_test(self):
        found = faults(source("include/tile/Transforms/FoldAll.td", 'def FoldAll : Pass<"tile-foldall"> {}'))
        self.assertEqual(len(found), 3, found)
        self.assertRegex(found[0], "tile-fold-all")

    def test_finds_an_op_without_test(self):
        found = faults(source("dialects/Tile/MemoryOps.td", 'def Tile_CopyOp : Tile_Op<"copy"> {}'))
        self.assertRegex(found[0], "tile.copy is in no test")

    def test_finds_a_source_without_its_head(self):
        self.assertEqual(len(faults({"lib/Support/A.cpp": "int a;\nint b;\n"})), 2)

    def test_finds_a_long_file(self):
        found = faults(source("lib/Support/A.cpp", *["int a();"] * 599))
        self.assertRegex(found[0], "601 lines; at most 600")

    def test_finds_a_path_of_one_machine(self):
        self.assertRegex(faults({"README.md": "see /" + "home/someone\n"})[0], "README.md:1: .* does not belong")

    def test_finds_what_is_not_formatted(self):
        self.assertRegex(faults(source("lib/Support/A.cpp", "int   a;"))[0], "A.cpp:3: not formatted")


if __name__ == "__main__":
    unittest.main()
