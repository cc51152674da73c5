#!/usr/bin/env python3
"""compare_rows.py - our row products against their hand-written twins: medians of alternated runs, as a table."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import re
import statistics
import sys
from pathlib import Path

LINE = re.compile(r"(product|prefix)\s+T=(\d+) V=(\d+) (.*?)\s+([\d.]+) TB/s")
# The hand-written scan goes over the whole row; ours, like the published kernel, over each thread's part.
TWIN_OF_AUTOMATIC = ["blocked", "striped", "blocked+vec", "staged pad0", "staged pad8", "striped-16B"]


def read(folder, prefix):
    runs = {}
    for path in sorted(folder.glob(f"{prefix}-*.txt")):
        for line in path.read_text().splitlines():
            match = LINE.match(line)
            if match:
                workload, threads, _, name, rate = match.groups()
                runs.setdefault((workload, int(threads), name.strip()), []).append(float(rate))
    return {key: statistics.median(values) for key, values in runs.items()}


def main():
    folder = Path(sys.argv[1])
    ours, twins = read(folder, "ours"), read(folder, "twins")
    rows = []
    print("| workload | threads | pattern | ours TB/s | twin TB/s | ratio |\n|---|---|---|---|---|---|")
    for (workload, threads, name), rate in ours.items():
        twin = twins.get((workload, threads, name))
        if name == "automatic":
            twin = max(twins[(workload, threads, other)] for other in TWIN_OF_AUTOMATIC)
        ratio = rate / twin if twin else None
        rows.append({"op": workload, "threads": threads, "pattern": name, "ours_tbs": rate, "twin_tbs": twin, "ratio": ratio})
        print(f"| {workload} | {threads} | {name} | {rate:.2f} | {twin or 0:.2f} | {ratio or 0:.3f} |")
    (folder / "rows.json").write_text(json.dumps(rows, indent=1))


main()
