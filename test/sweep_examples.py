#!/usr/bin/env python3
# sweep_examples.py - runs every example on the simulator at awkward sizes and numbers of threads.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: sweep_examples.py TILE_RUN EXAMPLES_FOLDER [--full] [--seconds 45] [--only NAME]

Each size symbol in turn takes each awkward value while the others stay small; rows take awkward lengths; blocks take
awkward numbers of threads. Without --full a part of the cases, always the same, that fits into the seconds given.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import time

SIZES = [0, 1, 31, 100, 127, 1000, 1152, 4097]
ROWS = [1, 3, 33, 96, 100, 127, 1000, 1023, 1152, 3000, 4097]
THREADS = [32, 48, 96, 128, 160, 256, 1024]
SMALL = [5, 33, 9]
DEADLINE_S = 60


def symbols_of(text):
    """The size symbols of the program's kernel."""
    bracket = re.search(r"tile\.kernel @\w+\[([^\]]*)\]", text)
    return re.findall(r"%(\w+)", bracket.group(1)) if bracket else []


def dims_of(symbols):
    """Every choice of sizes: one symbol at a time is awkward."""
    for number, symbol in enumerate(symbols):
        for size in SIZES:
            yield {other: size if other == symbol else SMALL[(number + at) % 3] for at, other in enumerate(symbols)}


def defines_of(text):
    """Every choice of -D: threads, and the length of a row where the text has one."""
    names = set(re.findall(r"^// \$(\w+) =", text, re.M))
    for threads in THREADS:
        if "V" in names:
            yield {"T": threads, "V": 8, "N": threads * 8}
        elif "N" not in names:
            yield {"T": threads}
        else:
            yield from ({"T": threads, "N": row} for row in ROWS)


def cases(folder, only):
    """All runs: (example, options)."""
    for path in sorted(folder.glob("*.mlir")):
        if only and only not in path.name:
            continue
        text = path.read_text()
        for defines in defines_of(text):
            for dims in dims_of(symbols_of(text)):
                # Rows times threads is what a row program costs.
                if "N" in defines and max(defines["N"], defines["T"]) > 128:
                    dims = {name: min(size, 127) for name, size in dims.items()}
                options = [f"-D{name}={value}" for name, value in defines.items()]
                for name, value in dims.items():
                    options += ["--dim", f"{name}={value}"]
                yield path, options


def run(tool, path, options):
    """None if the program ran right, else what was said."""
    command = [tool, str(path), "--device", "sim", "--variant", "all", *options]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              timeout=DEADLINE_S)
    except subprocess.TimeoutExpired:
        return " ".join(command) + f"\nran longer than {DEADLINE_S} s"
    if done.returncode == 0:
        return None
    return " ".join(command) + f"\nstatus {done.returncode}\n{done.stdout[-1500:]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--seconds", type=float, default=45)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    every = list(cases(options.folder, options.only))
    if not options.full:
        random.Random(1).shuffle(every)
    start, done, failed = time.monotonic(), 0, 0
    for path, given in every:
        if not options.full and time.monotonic() - start > options.seconds:
            break
        complaint = run(options.tool, path, given)
        done += 1
        if complaint:
            failed += 1
            print(complaint, flush=True)
    print(f"{done} of {len(every)} runs, {failed} failed")
    return failed != 0 or done == 0


if __name__ == "__main__":
    sys.exit(main())
