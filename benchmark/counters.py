#!/usr/bin/env python3
# counters.py - the sectors and wavefronts that the compiler predicts, against the profiler's counters.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: benchmark/counters.py BIN [--out FILE]          needs a GPU and ncu; BIN holds tile-run
       benchmark/counters.py BIN --dry-run             the simulator in place of the profiler

For each program, kernel, space and direction: the prediction of `--explain` for one request of each access, times the
requests of that access, summed, must equal the counter. How often an access runs is counted by the simulator, which knows
nothing of the profiler; the profiler's own number of requests must be the same. Results go to
benchmark/results/<date>-counters.json; benchmark/report.py makes docs/counters.md of them. Fails on a mismatch.
"""

import argparse
import concurrent.futures
import csv
import datetime
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

from measure import counted
from measure.command import recorded

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: (space, kind): (requests, what is predicted, its counter)
COUNTERS = {
    ("global", "load"): ("l1tex__t_requests_pipe_lsu_mem_global_op_ld", "sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"),
    ("global", "store"): ("l1tex__t_requests_pipe_lsu_mem_global_op_st", "sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st"),
    ("shared", "load"): ("smsp__inst_executed_op_shared_ld_pred_on_any", "wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld"),
    ("shared", "store"): ("smsp__inst_executed_op_shared_st_pred_on_any", "wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"),
}


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, **options)


def simulate(tile_run, case):
    """What `tile-run --count` says; nothing but an explanation if it fails."""
    done = run([tile_run, *case.words(), "--count", "--no-check"])
    if done.returncode != 0:
        sys.exit(f"{case.text()}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def predict(counts, space, kind):
    """(requests, predicted, counted by the simulator) of all accesses of one space and direction."""
    unit = COUNTERS[space, kind][1]
    chosen = [access for access in counts["accesses"] if (access["space"], access["kind"]) == (space, kind)]
    ran = [access for access in chosen if access["counted"]["requests"]]
    requests = sum(access["counted"]["requests"] for access in ran)
    if any(access["predicted"][unit] is None for access in ran):
        return requests, None, sum(access["counted"][unit] for access in ran)
    predicted = sum(access["counted"]["requests"] * access["predicted"][unit] for access in ran)
    return requests, predicted, sum(access["counted"][unit] for access in ran)


def profile(tile_run, cases):
    """The counters of each case, by name; one profiler for all, because its start takes longest."""
    metrics = ",".join(f"{name}.sum" for requests, _, counter in COUNTERS.values() for name in (requests, counter))
    with tempfile.TemporaryDirectory() as folder:
        script, log = pathlib.Path(folder) / "all.sh", pathlib.Path(folder) / "log.csv"
        lines = [shlex.join([str(tile_run), *case.words(), "--device", "gpu", "--no-check"]) for case in cases]
        script.write_text("set -e\n" + "\n".join(lines) + "\n")
        done = run(
            ["ncu", "--target-processes", "all", "--clock-control", "none", "--csv", "--page", "raw", "--metrics", metrics]
            + ["--log-file", str(log), "bash", str(script)]
        )
        text = log.read_text() if log.exists() else ""
        if done.returncode != 0:
            sys.exit(f"ncu failed: {done.stdout[-500:]} {done.stderr[-1500:]} {text[-1500:]}")
    rows = [line for line in text.splitlines() if line.startswith('"')]
    kernels = [row for row in csv.DictReader(rows) if row["ID"].isdigit()]
    if len(kernels) != len(cases):
        sys.exit(f"ncu saw {len(kernels)} kernels of {len(cases)}: {text[-1500:]}")
    return kernels


def figure(kernel, name):
    return int(float(kernel[f"{name}.sum"].replace(",", "")))


def compare(case, counts, kernel):
    """The rows of one case; without a profiler the simulator stands in for it."""
    for (space, kind), (requests, unit, counter) in COUNTERS.items():
        ran, predicted, simulated = predict(counts, space, kind)
        row = {"kernel": counts["kernel"], "program": case.file, "definitions": case.definitions()}
        row |= {"space": space, "direction": kind, "unit": unit, "requests": ran, "predicted": predicted}
        row["counters"] = [requests, counter]
        if kernel:
            row |= {"counted_requests": figure(kernel, requests), "counter": figure(kernel, counter)}
        else:
            row |= {"counted_requests": ran, "counter": simulated}
        if estimate := case.estimate_of(space, kind):
            row["estimate"] = estimate
        if row["requests"] or row["counter"]:
            yield row


def line_of(row):
    verdict = "estimate" if "estimate" in row else "equal" if counted.is_equal(row) else "MISMATCH"
    where = f"{row['program'].split('/')[-1]:24} {row['definitions']:58} {row['space']} {row['direction']:5}"
    requests = f"{row['requests']:8}" + ("" if row["requests"] == row["counted_requests"] else f" ({row['counted_requests']})")
    return f"{where} requests {requests} predicted {row['predicted']!s:>8} counter {row['counter']:8} {verdict}"


def head(arguments, tile_run):
    versions, device = {}, "simulator"
    if not arguments.dry_run:
        query = run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).stdout.strip()
        device, versions["driver"] = (word.strip() for word in query.splitlines()[0].split(","))
        versions["ncu"] = run(["ncu", "--version"]).stdout.strip().splitlines()[-1].removeprefix("Version ")
    versions["tile-run"] = run([tile_run, "--version"]).stdout.split()[-1]
    command = recorded("benchmark/counters.py", sys.argv[1:])
    return {"date": datetime.date.today().isoformat(), "device": device, "versions": versions, "command": command}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--dry-run", action="store_true")
    arguments = parser.parse_args()
    tile_run = (arguments.bin / "tile-run").resolve()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        counts = list(pool.map(lambda case: simulate(tile_run, case), counted.CASES))
    kernels = [None] * len(counts) if arguments.dry_run else profile(tile_run, counted.CASES)
    rows = [row for case in zip(counted.CASES, counts, kernels) for row in compare(*case)]
    for row in rows:
        print(line_of(row))
    exact = [row for row in rows if "estimate" not in row]
    wrong = [row for row in exact if not counted.is_equal(row)]
    print(f"{len(exact)} rows, {len(wrong)} mismatches; {len(rows) - len(exact)} estimates")
    if not arguments.dry_run:
        path = arguments.out or ROOT / f"benchmark/results/{datetime.date.today().isoformat()}-counters.json"
        path.write_text(json.dumps({**head(arguments, tile_run), "rows": rows}, indent=1) + "\n")
        print(f"results: {path}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
