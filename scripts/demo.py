#!/usr/bin/env python3
# demo.py - the row product in its access patterns: compiled, simulated, checked, predicted and, with a GPU, measured.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: demo.py FOLDER_OF_THE_TOOLS

Each pattern and block size is compiled for sm_90a, run on the simulator at a small size, compared with the
interpreter, and explained. Exit status 0 if every value is right.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
COLUMNS = 4096
# Rows of the measurement: twice the L2 cache of an H200, and a second for each case.
ROWS = 16384
# Pattern: what the table calls it, the program, its own definitions.
PATTERNS = [
    ("blocked", "row_product_blocked", {}),
    ("striped", "row_product_striped", {}),
    ("blocked, 16-byte", "row_product_vector", {}),
    ("staged", "row_product_staged", {"PAD": 0}),
    ("staged, padded", "row_product_staged", {"PAD": 8}),
    ("one tile.reduce", "row_product", {}),
]
HEAD = ("pattern", "threads", "V", "load of x", "sectors/request", "shared wavefronts", "registers", "simulated", "GB/s")


class Case:
    """One program with one choice of its definitions."""

    def __init__(self, folder, pattern, threads):
        self.pattern, program, extra = pattern
        self.threads, self.per_thread = threads, COLUMNS // threads
        definitions = {"T": threads, "N": COLUMNS, **extra}
        if program != "row_product":
            definitions["V"] = self.per_thread
        self.command = [f"{folder}/tile-run", str(EXAMPLES / f"{program}.mlir"), "--arch", "sm_90a"]
        for name, value in definitions.items():
            self.command += ["-D", f"{name}={value}"]

    def run(self, *options):
        return subprocess.run([*self.command, *options], capture_output=True, text=True, timeout=300, check=False)

    def explain(self):
        done = self.run("--explain=json")
        if done.returncode != 0:
            sys.exit(f"{self.pattern}, {self.threads} threads: {done.stderr}")
        self.report = json.loads(done.stdout)
        return self

    def simulate(self):
        done = self.run("--device", "sim", "--dim", "M=4")
        self.is_right = done.returncode == 0
        self.output = done.stdout + done.stderr
        return self

    def measure(self):
        """Gigabytes a second, or None where there is no GPU."""
        done = self.run("--device", "gpu", "--bench", "--no-check", "--dim", f"M={ROWS}", "--arg", "x=ones")
        found = re.search(r"([\d.]+) GB/s", done.stdout)
        return float(found.group(1)) if found else None

    def worst(self, space, count):
        """The access of `space` with most of `count`, as 'found (ideal n)'."""
        accesses = [a for a in self.report["accesses"] if a["space"] == space and a[count] is not None]
        if space == "global":
            accesses = [a for a in accesses if a["buffer"] == "x"]
        if not accesses:
            return None, "-"
        access = max(accesses, key=lambda a: a[count])
        ideal = "ideal_sectors" if count == "sectors_per_request" else f"ideal_{count}"
        return access, f"{access[count]:g} (ideal {access[ideal]:g})"

    def row(self, bandwidth):
        load, sectors = self.worst("global", "sectors_per_request")
        wavefronts = self.worst("shared", "wavefronts")[1]
        registers = self.report["registers"]
        return (self.pattern, str(self.threads), str(self.per_thread), load["instruction"], sectors, wavefronts,
                "no NVRTC" if registers is None else str(registers), "right" if self.is_right else "WRONG",
                "-" if bandwidth is None else f"{bandwidth:.0f}")


def print_table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def main():
    folder = sys.argv[1]
    cases = [Case(folder, pattern, threads) for pattern in PATTERNS for threads in (512, 256, 128, 64, 32)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda case: case.explain().simulate(), cases))

    # One at a time, so that they do not disturb each other; the first says whether there is a GPU.
    bandwidths = [cases[0].measure()]
    for case in cases[1:]:
        bandwidths.append(None if bandwidths[0] is None else case.measure())

    print(f"Product of each thread's part of a bf16 row of {COLUMNS}: compiled for sm_90a, simulated with 4 rows,")
    print("compared with the interpreter; sectors and wavefronts are predicted, for a full warp.")
    print(f"GB/s: bytes read and written, {ROWS} rows, median." if bandwidths[0] is not None else "GB/s: no GPU here.")
    print()
    print_table([HEAD] + [case.row(bandwidth) for case, bandwidth in zip(cases, bandwidths)])
    wrong = [case for case in cases if not case.is_right]
    for case in wrong:
        print(f"\n{case.pattern}, {case.threads} threads:\n{case.output}")
    print(f"\n{len(cases) - len(wrong)} of {len(cases)} right")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
