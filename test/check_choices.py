#!/usr/bin/env python3
# check_choices.py - compares the layouts the compiler chooses with a table of what it chose when somebody last looked.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: check_choices.py TILE_OPT ROOT TABLE [--update]

A line of the table is a program with definitions; the lines below it, indented, are the layouts of its fragments, or of
its loops where it has no fragments. A change of a constant in the cost model shows which choices move. --update writes
what is chosen now.
"""
import pathlib
import re
import subprocess
import sys

PIPELINE = "builtin.module(tile.kernel(tile-infer-layouts))"
FRAGMENT = re.compile(r"%(\w+) = tile\.alloc_fragment layout\(#tile\.distributed<([^>]*)>\)")
LOOP = re.compile(r"tile\.(parallel|copy|fill)\b.*layout\(#tile\.distributed<([^>]*)>\)")


def choices(tool, root, line):
    """The lines the program has now."""
    program, *definitions = line.split()
    command = [tool, str(root / program), f"--pass-pipeline={PIPELINE}"]
    for definition in definitions:
        command += ["-D", definition]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        return [f"  status {done.returncode}: {done.stderr.splitlines()[0] if done.stderr else ''}"]
    found = FRAGMENT.findall(done.stdout) or LOOP.findall(done.stdout)
    return [f"  {name}: {layout}" for name, layout in found]


def main():
    tool, root, table = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    written, wrong = [], 0
    # A block is a line that is not indented, and what is indented below it.
    blocks = re.split(r"\n(?=\S)", table.read_text().rstrip("\n"))
    for block in blocks:
        head, *expected = block.split("\n")
        if head.startswith("#"):
            written.append(block)
            continue
        now = choices(tool, root, head)
        written.append("\n".join([head, *now]))
        if now != expected and "--update" not in sys.argv:
            wrong += 1
            print("\n".join([head, "expected:", *expected, "chosen:", *now]))
    if "--update" in sys.argv:
        table.write_text("\n".join(written) + "\n")
        return 0
    print(f"{len(blocks)} entries, {wrong} differ")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
