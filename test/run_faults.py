#!/usr/bin/env python3
# run_faults.py - runs the programs of test/Faults on a GPU: the commands of the lit tests with another device.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: run_faults.py TILE_RUN FOLDER

Commands that end in a fault, write a file or compare with one are left out, but a program may say what it does on a
GPU: `// GPU: %status 1 tile-run %s …`, and what must then be printed: `// GPU-SAYS-1: …`. Needs a GPU and its compiler.
"""
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys

SECONDS = 60


def commands(tool, folder):
    """The commands as lists of words, each with the status it shall end with and the lines it shall print."""
    for path in sorted(pathlib.Path(folder).glob("*/*.mlir")):
        text = path.read_text()
        for status, rest in re.findall(r"^// GPU: %status (\d) tile-run (.*)", text, re.M):
            says = re.findall(rf"^// GPU-SAYS-{status}: (.*)", text, re.M)
            yield [tool, *shlex.split(rest.replace("%s", str(path)))], int(status), says
        for line in text.splitlines():
            found = re.match(r"// RUN: tile-run (%s .*--device sim[^|]*)", line)
            if found and "--out" not in line and "--expect" not in line:
                words = found.group(1).replace("%s", str(path)).replace("--device sim", "--device gpu")
                yield [tool, *shlex.split(words)], 0, []


def run(case):
    """The command, whether it was right, and the end of what it said."""
    command, status, says = case
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return command, False, f"no end after {SECONDS} s"
    said = done.stdout + done.stderr
    return command, done.returncode == status and all(line in said for line in says), said[-600:]


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
