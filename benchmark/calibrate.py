#!/usr/bin/env python3
# calibrate.py - measures the constants of the cost model on the GPU at hand, beside what the compiler assumes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: benchmark/calibrate.py BIN [--out FILE] [--arch sm_90a]      BIN holds tile-run

Needs a GPU and nvcc. The compiler's values come from `tile-run --cost-constants`, the measured ones from
benchmark/calibrate.cu. Results go to benchmark/results/<date>-calibration.json; benchmark/report.py makes
docs/counters.md of them. A constant that nothing measures says so: it was fitted to whole kernels, or belongs to the
compiler.
"""

import argparse
import datetime
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from measure.command import recorded

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNMEASURED = {
    "barrierWait": "how far warps drift apart depends on the program; fitted to whole kernels",
    "overlap": "fitted to whole kernels",
    "baseRegisters": "read off compiled kernels, not off a device",
}


def measure(arch):
    """{name: (value, how)} from the compiled benchmark."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "calibrate"
        source = pathlib.Path(__file__).with_name("calibrate.cu")
        code = arch.removeprefix("sm_")
        command = [nvcc, "-O3", "-std=c++17", f"-gencode=arch=compute_{code},code=sm_{code}", "-o", program, source]
        subprocess.run(command, check=True)
        lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: (float(value), how) for name, value, how in (line.split("\t") for line in lines)}


def row_of(constant, measured):
    name, model = constant["name"], constant["value"]
    row = {"constant": name, "unit": constant["unit"], "meaning": constant["meaning"], "model": model}
    if name in UNMEASURED:
        return {**row, "measured": None, "how": UNMEASURED[name]}
    value, how = measured[name]
    return {**row, "measured": value, "difference": round(value / model - 1, 4), "how": how}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--arch", default="sm_90a")
    arguments = parser.parse_args()
    listed = subprocess.run([arguments.bin / "tile-run", "--cost-constants"], check=True, capture_output=True, text=True)
    measured = measure(arguments.arch)
    rows = [row_of(constant, measured) for constant in json.loads(listed.stdout)["constants"]]
    for row in rows:
        value = "      -" if row["measured"] is None else f"{row['measured']:7.4g} {100 * row['difference']:+5.0f} %"
        print(f"{row['constant']:22} {row['unit']:5} model {row['model']:6g}  measured {value:16} {row['how']}")
    head = {
        "date": datetime.date.today().isoformat(),
        "device": measured["multiprocessors"][1],
        "versions": {"clock GHz": measured["clockRate"][0]},
        "command": recorded("benchmark/calibrate.py", sys.argv[1:]),
    }
    path = arguments.out or ROOT / f"benchmark/results/{head['date']}-calibration.json"
    path.write_text(json.dumps({**head, "rows": rows}, indent=1) + "\n")
    print(f"results: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
