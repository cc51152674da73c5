#!/usr/bin/env python3
"""check_examples.py - runs every example at awkward sizes and thread counts and compares with the interpreter."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SIZES = [0, 1, 31, 100, 127, 1000, 1152, 4097]
THREADS = [32, 48, 96, 128, 160, 256, 1024]
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def symbols(text):
    match = re.search(r"tile\.kernel\s+@\w+\s*\[([^\]]*)\]", text)
    return [name.strip().lstrip("%") for name in match.group(1).split(",")] if match else []


def runs(path, few):
    """One command line a case: each dimension takes each size, the others stay small."""
    text = path.read_text()
    names = symbols(text)
    for threads in THREADS[:: 3 if few else 1]:
        definitions = ["-D", f"T={threads}"]
        if "// $V" in text:
            definitions += ["-D", "V=8", "-D", f"N={8 * threads}"]
        for dim in names:
            for size in SIZES[:: 3 if few else 1]:
                dims = []
                for other in names:
                    dims += ["--dim", f"{other}={size if other == dim else 5}"]
                scalars = ["--arg", "eps=0.00001"] if "%eps" in text else []
                yield [str(path), *definitions, *dims, *scalars]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tile_run")
    parser.add_argument("--device", default="sim")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--few", action="store_true", help="a third of the sizes and thread counts")
    arguments = parser.parse_args()
    cases = [case for path in sorted(EXAMPLES.glob("*.mlir")) for case in runs(path, arguments.few)]

    def run(case):
        command = [arguments.tile_run, *case, "--device", arguments.device, "--variant", "all"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            return case, done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            return case, -1, "timed out"

    failed = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for case, status, output in pool.map(run, cases):
            if status != 0:
                failed += 1
                if failed <= 20:
                    print(f"FAILED ({status}): {' '.join(case)}\n{output[:600]}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
