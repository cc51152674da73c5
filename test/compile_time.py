#!/usr/bin/env python3
# compile_time.py - no program takes long from text to CUDA C.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: compile_time.py TILE_TRANSLATE FOLDER… [--times FACTOR]

Translates every program of the folders, with the values that it gives its $NAMEs itself. The bound is four times what the
slowest takes on an idle machine: a busy one keeps it, and what enumerates every point of every tile does not. The least
of a few runs counts. FACTOR is for builds that are slower by design.
"""

import pathlib
import re
import subprocess
import sys

MOST_MILLISECONDS = 250
MOST_RUNS = 8


def milliseconds(translate, path):
    command = [translate, "--tile-to-cuda", "--time", str(path), "-o", "/dev/null"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if run.returncode != 0:
        sys.exit(f"{path}: {run.stderr}")
    return float(re.search(r"([0-9.]+) ms", run.stderr).group(1))


def main(words):
    bound = float(MOST_MILLISECONDS)
    if "--times" in words:
        at = words.index("--times")
        bound *= float(words[at + 1])
        del words[at : at + 2]
    translate, *folders = words
    paths = [path for folder in folders for path in sorted(pathlib.Path(folder).glob("*.mlir"))]
    if not paths:
        sys.exit("no programs found")
    slow, slowest = 0, (0.0, None)
    for path in paths:
        least = milliseconds(translate, path)
        for _ in range(MOST_RUNS - 1):
            if least <= bound:
                break
            least = min(least, milliseconds(translate, path))
        slowest = max(slowest, (least, path.name))
        if least > bound:
            slow += 1
            print(f"{path.name}: {least:.0f} ms; {bound:.0f} ms are the most")
    print(f"{len(paths)} programs, the slowest {slowest[1]} in {slowest[0]:.0f} ms")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
