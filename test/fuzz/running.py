#!/usr/bin/env python3
# running.py - makes random programs, runs each on the simulator and counts those that went wrong.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import pathlib
import random
import subprocess
import tempfile
import time

DEADLINE_S = 60


def run(tool, path, options, seed):
    """(status, what was said); status None: too slow."""
    command = [tool, str(path), "--device", "sim", "--variant", "all", "--seed", str(seed), *options]
    if seed % 3 == 0:
        command.append("--checked")  # a legal program passes every check
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              timeout=DEADLINE_S, errors="replace")
    except subprocess.TimeoutExpired:
        return None, " ".join(command) + f"\nran longer than {DEADLINE_S} s"
    return done.returncode, " ".join(command) + "\n" + done.stdout[:3000]


def main(make, name):
    """The command line of a generator: make(rng) has text() and, after that, options."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=50)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    start, done, failed = time.monotonic(), 0, 0
    for number in range(options.first, options.first + options.count):
        if time.monotonic() - start > options.seconds:
            break
        program = make(random.Random(options.seed * 1000003 + number))
        path = folder / f"{name}{number}.mlir"
        text = program.text()
        path.write_text(text)
        status, said = run(options.tool, path, program.options, number)
        done += 1
        if status != 0:
            failed += 1
            print(f"program {number}: status {status}\n{said}\n{text if not options.keep else ''}", flush=True)
    print(f"{done} programs, {failed} failed")
    return failed != 0 or done == 0
