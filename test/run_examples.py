#!/usr/bin/env python3
# run_examples.py - runs tile-opt on each ```mlir block of a document.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: run_examples.py TILE_OPT DOCUMENT

Errors carry the document's own name and line. A document without examples is an error too.
"""
import pathlib
import re
import subprocess
import sys


def blocks(text):
    """The examples of a document: (number of lines before the block, its text)."""
    for match in re.finditer(r"^```mlir\n(.*?)^```$", text, re.M | re.S):
        yield text[: match.start(1)].count("\n"), match.group(1)


def main():
    tool, document = sys.argv[1], pathlib.Path(sys.argv[2])
    found = failed = 0
    for before, block in blocks(document.read_text()):
        found += 1
        done = subprocess.run([tool, "-", "-o", "/dev/null"], input=block, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            failed += 1
            print(re.sub(r"<stdin>:(\d+)", lambda place: f"{document.name}:{int(place.group(1)) + before}", done.stderr))
    print(f"{document.name}: {found} examples, {failed} refused")
    return failed != 0 or found == 0


if __name__ == "__main__":
    sys.exit(main())
