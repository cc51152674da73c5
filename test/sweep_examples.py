#!/usr/bin/env python3
# sweep_examples.py - runs every example at awkward sizes and numbers of threads and compares with the interpreter.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: sweep_examples.py TILE_RUN EXAMPLES_FOLDER [--device sim] [--jobs 1] [--matrix issue|wide] [--full]
                         [--seconds 45] [--only NAME]

Each size symbol in turn takes each awkward value while the others stay small; blocks take awkward numbers of threads.
That is the matrix `issue`. The matrix `wide`, the default off the GPU, holds that and rows of awkward lengths too.
Without --full a part of the cases, always the same, that fits into the seconds given.
"""
import argparse
import concurrent.futures
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
SCALARS = {"eps": "0.00001"}
DEADLINE_S = 120
SHOWN = 20


def symbols_of(text):
    """The size symbols of the program's kernel."""
    bracket = re.search(r"tile\.kernel @\w+\[([^\]]*)\]", text)
    return re.findall(r"%(\w+)", bracket.group(1)) if bracket else []


def dims_of(symbols, small):
    """Every choice of sizes: one symbol at a time is awkward."""
    for number, symbol in enumerate(symbols):
        for size in SIZES:
            yield {other: size if other == symbol else small[(number + at) % len(small)]
                   for at, other in enumerate(symbols)}


def defines_of(text, rows):
    """Every choice of -D: threads, and the length of a row where the text has one and `rows` names some."""
    names = set(re.findall(r"^// \$(\w+) =", text, re.M))
    for threads in THREADS:
        if "V" in names:
            yield {"T": threads, "V": 8, "N": threads * 8}
        elif "N" not in names or not rows:
            yield {"T": threads}
        else:
            yield from ({"T": threads, "N": row} for row in rows)


def options_of(defines, dims, scalars):
    """The command line of one case."""
    options = [f"-D{name}={value}" for name, value in defines.items()]
    for name, value in dims.items():
        options += ["--dim", f"{name}={value}"]
    for name, value in scalars.items():
        options += ["--arg", f"{name}={value}"]
    return options


def issue_cases(text):
    """Every dimension at every size, the others at 5, rows at their default length, scalars as a person sets them."""
    scalars = {name: value for name, value in SCALARS.items() if f"%{name}:" in text}
    for defines in defines_of(text, []):
        for dims in dims_of(symbols_of(text), [5]):
            yield options_of(defines, dims, scalars)


def wide_cases(text):
    """Rows at every length too, the others at differing small sizes, scalars drawn at random."""
    for defines in defines_of(text, ROWS):
        for dims in dims_of(symbols_of(text), SMALL):
            # Rows times threads is what a row program costs.
            if "N" in defines and max(defines["N"], defines["T"]) > 128:
                dims = {name: min(size, 127) for name, size in dims.items()}
            yield options_of(defines, dims, {})


def cases(folder, only, matrix):
    """All runs: (example, options), each once."""
    for path in sorted(folder.glob("*.mlir")):
        if only and only not in path.name:
            continue
        text = path.read_text()
        options = list(issue_cases(text)) + (list(wide_cases(text)) if matrix == "wide" else [])
        yield from ((path, list(one)) for one in dict.fromkeys(map(tuple, options)))


def run(tool, device, path, options):
    """None if the program ran right, else what was said."""
    command = [tool, str(path), "--device", device, "--variant", "all", *options]
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
    parser.add_argument("--device", choices=["auto", "sim", "gpu"], default="sim")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--matrix", choices=["issue", "wide"], help="default: issue with --device gpu, else wide")
    parser.add_argument("--full", action="store_true", help="every case of the matrix, however long it takes")
    parser.add_argument("--seconds", type=float, default=45)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    matrix = options.matrix or ("issue" if options.device == "gpu" else "wide")
    every = list(cases(options.folder, options.only, matrix))
    if not options.full:
        random.Random(1).shuffle(every)
    end = float("inf") if options.full else time.monotonic() + options.seconds

    def attempt(case):
        """(was it run, what was wrong)"""
        return (False, None) if time.monotonic() > end else (True, run(options.tool, options.device, *case))

    done, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for was_run, complaint in pool.map(attempt, every):
            done += was_run
            failed += complaint is not None
            if complaint and failed <= SHOWN:
                print(complaint, flush=True)
    print(f"{done} of {len(every)} runs, {failed} failed")
    return failed != 0 or done == 0


if __name__ == "__main__":
    sys.exit(main())
