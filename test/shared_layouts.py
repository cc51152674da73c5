#!/usr/bin/env python3
# shared_layouts.py - every shared layout the compiler chooses for an example is free of bank conflicts, or says why not.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: shared_layouts.py TILE_RUN EXAMPLES_FOLDER

For each example and several numbers of threads: of each shared tile that the program does not pin, the report's
wavefronts are those without any conflict, or the reason says that no candidate has so few (or that an address depends
on data). Examples that have a shared tile must be among them: an empty folder is an error.
"""
import json
import pathlib
import re
import subprocess
import sys

REASONS = ("stay whole", "no layout could take fewer", "depends on data", "no access")
THREADS = [None, 32, 96, 512]


def explain(tool, path, threads):
    """The report on one example; nothing where that number of threads is refused."""
    command = [tool, str(path), "--explain=json", "--arch", "sm_90a"]
    if threads is not None:
        command += ["-D", f"T={threads}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != 0:
        if threads is None:
            sys.exit(f"{path.name}: {done.stderr}")
        return None
    return json.loads(done.stdout)


def faults_of(layout):
    """What is wrong with the report on one chosen layout."""
    if layout["layout"] is None or not layout["why"]:
        return "no layout or no reason"
    if layout["cost"] is None:
        return None if any(reason in layout["why"] for reason in REASONS) else "no cost and no reason"
    if layout["cost"] > layout["ideal"] and not any(reason in layout["why"] for reason in REASONS):
        return f"{layout['cost']} wavefronts against {layout['ideal']}"
    return None


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    seen = failed = 0
    for path in sorted(folder.glob("*.mlir")):
        has_threads = re.search(r"^// \$T =", path.read_text(), re.M)
        for threads in THREADS if has_threads else [None]:
            report = explain(tool, path, threads)
            for layout in report["layouts"] if report else []:
                if layout["space"] != "shared" or layout["why"].startswith("pinned by the program"):
                    continue
                seen += 1
                if fault := faults_of(layout):
                    failed += 1
                    print(f"{path.name}:{layout['line']} ({threads or 'as written'} threads): {layout['layout']}: "
                          f"{fault}: {layout['why']}")
    print(f"{seen} shared layouts chosen, {failed} of them with conflicts and no reason")
    return failed != 0 or seen == 0


if __name__ == "__main__":
    sys.exit(main())
