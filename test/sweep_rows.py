#!/usr/bin/env python3
# sweep_rows.py - reductions, scans and softmax of rows of many widths, on many threads, several rows a block.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: sweep_rows.py TILE_OPT TILE_RUN OPERATORS_FOLDER [--full | --count 300] [--seed 1] [--jobs 2] [--out FILE]

Each program runs on the simulator and is compared with the interpreter. No row may be held more than once: copies of a
fragment as large as the row would be a silent replication. Without --full a seeded part of the cases.
"""
import argparse
import datetime
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

WIDTHS = [*range(1, 131), 255, 257, 768, 1000, 1023, 1152, 1536, 2560, 3000, 4097, 8200]
THREADS = [32, 48, 64, 96, 128, 160, 256, 512]
ROWS = [1, 2, 4, 16]
PROGRAMS = ["row_reduce", "row_scan", "softmax"]
DEADLINE_S = 120
REPLICATED = re.compile(r"alloc_fragment layout\(#tile\.distributed<\d+x\d+ = [^>]*copies")


def call(command):
    """(status, what was said)."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              timeout=DEADLINE_S)
    except subprocess.TimeoutExpired:
        return None, f"ran longer than {DEADLINE_S} s"
    return done.returncode, done.stdout


def check(options, case):
    """None if the case is right, else what was said."""
    program, width, threads, rows = case
    path = str(options.folder / f"{program}.mlir")
    defines = [f"-DN={width}", f"-DT={threads}", f"-DR={rows}"]
    # One whole block, and one that has a row less where there is more than one.
    run = [options.run, path, *defines, "--device", "sim", "--variant", "all", "--dim", f"M={2 * rows - (rows > 1)}"]
    status, said = call(run)
    if status != 0:
        return " ".join(run) + f"\nstatus {status}\n{said[-1500:]}"
    opt = [options.opt, path, *defines, "--pass-pipeline=builtin.module(tile.kernel(tile-infer-layouts))"]
    status, said = call(opt)
    if status != 0 or REPLICATED.search(said):
        return " ".join(opt) + f"\nstatus {status}, or a row that is held more than once\n{said[-1500:]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("opt")
    parser.add_argument("run")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, help="a summary, as JSON")
    options = parser.parse_args()
    cases = list(itertools.product(PROGRAMS, WIDTHS, THREADS, ROWS))
    every = len(cases)
    if not options.full:
        random.Random(options.seed).shuffle(cases)
        cases = cases[: options.count]
    start, failed = time.monotonic(), []
    with ThreadPoolExecutor(options.jobs) as pool:
        for case, said in zip(cases, pool.map(lambda case: check(options, case), cases)):
            if said:
                failed.append(case)
                print(said, flush=True)
    print(f"{len(cases)} of {every} cases, {len(failed)} failed")
    if options.out:
        summary = {"date": str(datetime.date.today()), "command": " ".join(sys.argv), "cases": len(cases),
                   "failed": failed, "seconds": round(time.monotonic() - start)}
        options.out.write_text(json.dumps(summary) + "\n")
    return bool(failed) or not cases


if __name__ == "__main__":
    sys.exit(main())
