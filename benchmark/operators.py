#!/usr/bin/env python3
# operators.py - our kernels, the copy rate and the peers in one process, on one GPU: one table.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: benchmark/operators.py BIN [options]        BIN: a folder with tile-run and tile-translate

    benchmark/operators.py build/bin --name table                  everything, within nine minutes
    benchmark/operators.py build/bin --only 'softmax' --quick      few repetitions, without torch.compile
    benchmark/operators.py build/bin --tune --name tuned           tries every form of a row, keeps the fastest
    benchmark/operators.py build/bin --tuned-from RESULTS.json     makes those forms the default of later runs
    benchmark/operators.py build/bin --dry-run                     lists the rows and compiles them; needs no GPU

Needs a GPU, its driver, NVRTC, nvcc and PyTorch. Every row is checked against PyTorch in 64-bit floats before it is
timed. The copy is one cuMemcpyDtoDAsync (what cudaMemcpyAsync calls) that moves as many bytes in and out as the row must; the
copy, our kernel and all peers take turns, each after a flush of the L2; medians. Results go to
benchmark/results/<date>-<name>.json, rewritten after every row. A row that fails has an `error`; a kernel that
takes the GPU down with it ends only its own row.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from measure import cases, programs, table
from measure.command import recorded

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
TUNED = cases.FOLDER / "tuned.json"
ROW_SECONDS = 75
WARM_SECONDS = 150


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--only", default="", help="rows whose name matches: op, shape, type")
    parser.add_argument("--quick", action="store_true", help="10 repetitions, no torch.compile")
    parser.add_argument("--tune", action="store_true", help="try every form of a row and measure the fastest")
    parser.add_argument("--tuned-from", type=pathlib.Path, help="make what these results chose the default; no run")
    parser.add_argument("--seconds", type=float, default=510, help="stop cleanly after this long")
    parser.add_argument(
        "--out", type=pathlib.Path, help="where the results go; else benchmark/results/<date>-<name>.json"
    )
    parser.add_argument("--name", default="operators")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--jobs", type=int, default=min(16, os.cpu_count() or 1), help="programs compiled at a time")
    parser.add_argument(
        "--warmers", type=int, default=6, help="processes that compile the peers ahead of time; 0: none"
    )
    parser.add_argument("--dry-run", action="store_true", help="list rows, compile them, measure nothing")
    parser.add_argument("--resume", action="store_true", help="keep the rows that the results file holds already")
    parser.add_argument("--warm", help=argparse.SUPPRESS)
    return parser.parse_args()


def say(text):
    print(text, flush=True)


def dry_run(rows, compiler, every):
    """Compiles the first form of each row, or every form; the number of rows that no form serves."""
    for row in rows:
        for form in row.forms if every else row.forms[:1]:
            compiler.start(form)
    refused = 0
    for row in rows:
        works = 0
        for form in row.forms if every else row.forms[:1]:
            try:
                kernels = compiler.get(form).kernels
                works += 1
                detail = ", ".join(
                    f"{info.variants[0].shared} bytes shared, {len(code)} bytes of code" for info, code in kernels
                )
                say(f"ok       {row.name():45} {form.text()}: {detail}")
            except programs.CompileError as error:
                say(f"refused  {row.name():45} {form.text()}: {error}")
        refused += works == 0
    say(f"{len(rows)} rows, {refused} that nothing compiles for")
    return refused


class Results:
    """The file of results, rewritten after each row."""

    def __init__(self, path, head, keeps):
        self.path, self.head, self.rows = path, head, []
        if keeps and path.exists():
            before = json.loads(path.read_text())
            self.rows, self.head["command"] = before["rows"], before["command"]

    def add(self, row):
        self.rows.append(row)
        self.save()

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_suffix(".part")
        beside.write_text(json.dumps({**self.head, "rows": self.rows}, indent=1) + "\n")
        beside.replace(self.path)

    def has(self, row):
        return any(identity(row) == {key: known.get(key) for key in identity(row)} for known in self.rows)


def identity(row):
    named = {"op": row.op, "shape": f"{row.shape[0]}x{row.shape[1]}", "dtype": row.dtype}
    return {**named, "seed_threads": row.threads} if row.threads else named


def restart(arguments, results, row, why, begin):
    """The GPU or the process is beyond repair: the row gets its error, the rest runs in this program started anew."""
    results.add({**identity(row), "error": why})
    left = arguments.seconds - (time.monotonic() - begin)
    say(f"starting anew after '{row.name()}': {why}")
    words, skip = [], False
    for word in sys.argv:
        if not skip and not word.startswith(("--seconds", "--resume", "--warmers", "--out")):
            words.append(word)
        skip = word in ("--seconds", "--warmers", "--out")
    sys.stdout.flush()
    os.execv(
        sys.executable,
        [
            sys.executable,
            *words,
            "--resume",
            "--warmers",
            "0",
            "--out",
            str(results.path),
            "--seconds",
            str(max(left, 1)),
        ],
    )


class Watchdog:
    """Starts the program anew when a row takes too long: a kernel that never ends cannot be stopped otherwise."""

    def __init__(self, expire):
        self.expire, self.deadline, self.row = expire, None, None
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while True:
            time.sleep(0.5)
            if self.deadline and time.monotonic() > self.deadline:
                self.expire(self.row, f"took longer than {ROW_SECONDS} s")

    def start(self, row):
        self.row, self.deadline = row, time.monotonic() + ROW_SECONDS

    def stop(self):
        self.deadline = None


def start_warmers(arguments, count):
    """Processes that fill the cache of torch.compile; the choice among its kernels is made later, on a quiet GPU."""
    environment = {**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": "2"}
    command = [sys.executable, str(pathlib.Path(__file__).resolve()), str(arguments.bin), "--only", arguments.only]
    return [
        subprocess.Popen(
            [*command, "--warm", f"{number}/{count}"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number in range(count)
    ]


def wait_for(warmers, seconds):
    """Until all ended, at most so long; what still runs is ended, because it would disturb the measurement."""
    deadline = time.monotonic() + seconds
    for process in warmers:
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def measure_all(arguments, rows, compiler, results, begin):
    from measure import bench

    machine = bench.Bench(compiler, arguments, say)
    results.head.update(machine.head())
    watchdog = Watchdog(lambda row, why: restart(arguments, results, row, why, begin))
    for number, row in enumerate(rows):
        if time.monotonic() - begin > arguments.seconds:
            say(f"{arguments.seconds:.0f} s are over: {len(rows) - number} rows are left out")
            break
        watchdog.start(row)
        began = time.monotonic()
        result, is_lost = machine.measure(row)
        watchdog.stop()
        if is_lost:
            restart(arguments, results, row, result["error"], begin)
        results.add({**identity(row), **result})
        say(f"[{time.monotonic() - begin:4.0f} s, {time.monotonic() - began:4.1f}] {table.line_of(results.rows[-1])}")


def save_tuned(path):
    """Makes the forms that a run of --tune chose the first of their rows; rows that it did not measure stay."""
    chosen = json.loads(TUNED.read_text()) if TUNED.exists() else {}
    for row in json.loads(path.read_text())["rows"]:
        if "program" in row:
            threads = f" {row['seed_threads']}" if "seed_threads" in row else ""
            chosen[f"{row['op']} {row['shape']} {row['dtype']}{threads}"] = row["program"]
    TUNED.write_text(json.dumps(chosen, indent=1, sort_keys=True) + "\n")
    say(f"{TUNED}: {len(chosen)} rows")
    return 0


def main():
    begin = time.monotonic()
    arguments = parse_arguments()
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp(prefix="operators-"))
    if arguments.tuned_from:
        return save_tuned(arguments.tuned_from)
    rows = [row for row in cases.tuned_first(list(cases.all_cases()), TUNED) if re.search(arguments.only, row.name())]
    if arguments.warm:
        from measure import bench

        number, count = (int(word) for word in arguments.warm.split("/"))
        return bench.warm(rows[number::count])
    compiler = programs.Programs(arguments.bin, arguments.jobs, arguments.arch)
    if arguments.dry_run:
        return 1 if dry_run(rows, compiler, arguments.tune) else 0
    today = datetime.date.today().isoformat()
    path = arguments.out or RESULTS / f"{today}-{arguments.name}.json"
    command = recorded("benchmark/operators.py", sys.argv[1:])
    results = Results(path, {"date": today, "device": "", "versions": {}, "command": command}, arguments.resume)
    rows = [row for row in rows if not results.has(row)]
    for row in rows:
        compiler.start(row.forms[0])
        if row.threads:
            compiler.start_patterns(row.threads)
    for row in rows if arguments.tune else []:
        for form in row.forms:
            compiler.start(form)
    warmers = [] if arguments.quick else start_warmers(arguments, min(arguments.warmers, len(rows)))
    wait_for(warmers, WARM_SECONDS)
    compiler.wait()
    say(f"[{time.monotonic() - begin:4.0f} s] {len(rows)} rows; programs and peers are compiled")
    measure_all(arguments, rows, compiler, results, begin)
    results.save()
    say(table.markdown(results.rows))
    say(f"results: {path}")
    compiler.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
