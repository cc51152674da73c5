#!/usr/bin/env python3
# run_faults.py - runs the right programs of test/Faults on a GPU: the commands of the lit tests with another device.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: run_faults.py TILE_RUN FOLDER

Commands that end in a fault, write a file or compare with one are left out. Needs a GPU and its compiler.
"""
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys

SECONDS = 60


def commands(tool, folder):
    """The commands that shall end with status 0, as lists of words."""
    for path in sorted(pathlib.Path(folder).glob("*/*.mlir")):
        for line in path.read_text().splitlines():
            found = re.match(r"// RUN: tile-run (%s .*--device sim[^|]*)", line)
            if found and "--out" not in line and "--expect" not in line:
                text = found.group(1).replace("%s", str(path)).replace("--device sim", "--device gpu")
                yield [tool, *shlex.split(text)]


def run(command):
    """The command, whether it was right, and the end of what it said."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return command, False, f"no end after {SECONDS} s"
    return command, done.returncode == 0, (done.stdout + done.stderr)[-600:]


def main():
    wrong = total = 0
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for command, is_right, said in pool.map(run, commands(sys.argv[1], sys.argv[2])):
            total += 1
            if not is_right:
                wrong += 1
                print(shlex.join(command), said, sep="\n")
    print(f"{total} programs, {wrong} wrong")
    return wrong != 0 or total == 0


if __name__ == "__main__":
    sys.exit(main())
