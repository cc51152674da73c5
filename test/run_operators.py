#!/usr/bin/env python3
# run_operators.py - runs each program of benchmark/operators on the simulator, against the operator's own definition.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: run_operators.py TILE_RUN OPERATORS_FOLDER [NAME]

Small and awkward sizes; every variant; inputs and results are read back and compared with the definition in Python's
floats, so that a program is right, not only compiled as the interpreter understands it. A program without a case is an
error.
"""

import itertools
import math
import operator
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

STEP = 2.0**-7
EPS = 1e-5
FORMATS = {"u2": "H", "f4": "f", "i1": "b", "i4": "i", "b1": "?"}


def read_npy(path):
    """(shape, elements as Python numbers); 16-bit patterns are bf16."""
    data = path.read_bytes()
    length = struct.unpack_from("<H", data, 8)[0]
    header = eval(data[10 : 10 + length].decode())  # a dictionary that our own tool wrote
    kind = header["descr"][1:]
    count = math.prod(header["shape"])
    values = list(struct.unpack_from(f"<{count}{FORMATS[kind]}", data, 10 + length))
    if kind == "u2":
        values = [struct.unpack("<f", struct.pack("<I", value << 16))[0] for value in values]
    return header["shape"], values


def rows_of(tensor):
    """A matrix, or a taller tensor whose last dimension is a part of a row, as lists."""
    shape, values = tensor
    columns = shape[-1]
    return [values[start : start + columns] for start in range(0, len(values), columns)]


def flat(rows):
    return [value for row in rows for value in row]


def softmax(row):
    top = max(row)
    powers = [math.exp(value - top) for value in row]
    return [power / sum(powers) for power in powers]


def normalised(row, mean, w, c):
    scale = 1 / math.sqrt(sum((value - mean) ** 2 for value in row) / len(row) + EPS)
    return [(value - mean) * scale * weight + shift for value, weight, shift in zip(row, w, c)]


def each_row(function):
    return lambda t: flat(function(row) for row in rows_of(t["x"]))


def one_a_row(function):
    return lambda t: [function(row) for row in rows_of(t["x"])]


def each(function):
    return lambda t: [function(value) for value in t["x"][1]]


def layernorm(t):
    return flat(normalised(row, sum(row) / len(row), t["w"][1], t["c"][1]) for row in rows_of(t["x"]))


def rmsnorm(t):
    return flat(normalised(row, 0.0, t["w"][1], [0.0] * len(row)) for row in rows_of(t["x"]))


def silu_mul(t):
    return flat([v / (1 + math.exp(-v)) * w for v, w in zip(row, t["w"][1])] for row in rows_of(t["x"]))


def gelu_tanh(x):
    return x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def scan(kind):
    return lambda row: list(itertools.accumulate(row, operator.add if kind == "sum" else operator.mul))


def reduction(kind):
    return sum if kind == "sum" else math.prod


def columns_summed(t):
    return [sum(column) for column in zip(*rows_of(t["x"]))]


def transposed(t):
    return flat(list(column) for column in zip(*rows_of(t["a"])))


PRODUCT = {"KIND": "prod", "OP": "arith.mulf", "INIT": "1.0"}
ROWS = [{"T": 32, "N": 96}, {"T": 96, "N": 127, "R": 2}, {"T": 64, "N": 1000, "R": 4}, {"T": 128, "N": 33}]
CHUNKS = [{"T": 32, "N": 96, "C": 32}, {"T": 96, "N": 500, "C": 125}, {"T": 128, "N": 64, "C": 64}]
GROUPS = [{"T": 32, "G": 64, "P": 32, "COUNT": "512.0"}, {"T": 48, "G": 15, "P": 5, "COUNT": "120.0"}]
HELD = [
    {"T": 32, "G": 96, "P": 32, "H": 64, "COUNT": "768.0"},
    {"T": 48, "G": 20, "P": 5, "H": 15, "COUNT": "160.0", "R": 2},
]
FLAT = [{"T": 32, "E": 64}, {"T": 96, "E": 100}, {"T": 64, "E": 512}]
TILES = [{"T": 32, "B": 16}, {"T": 96, "B": 24}]
# Program: (output, sizes, [defines], definition of the defines, absolute tolerance).
CASES = {
    "row_reduce": (
        "o",
        {"M": 5},
        [{**d, **k} for d in ROWS for k in ({"KIND": "sum"}, {"KIND": "prod"})],
        lambda d: one_a_row(reduction(d["KIND"])),
        1e-4,
    ),
    "row_reduce_chunks": (
        "o",
        {"M": 3},
        [{**d, **k} for d in CHUNKS for k in ({"KIND": "sum"}, PRODUCT)],
        lambda d: one_a_row(reduction(d["KIND"])),
        1e-4,
    ),
    "row_scan": (
        "y",
        {"M": 5},
        [{**d, **k} for d in ROWS for k in ({"KIND": "sum"}, {"KIND": "prod"})],
        lambda d: each_row(scan(d["KIND"])),
        1e-4,
    ),
    "row_scan_ahead": (
        "y",
        {"M": 3},
        [{**CHUNKS[0], "KIND": "sum"}, {**CHUNKS[1], **PRODUCT}],
        lambda d: each_row(scan(d["KIND"])),
        1e-4,
    ),
    "row_scan_chunks": (
        "y",
        {"M": 3},
        [{**d, **k} for d in CHUNKS for k in ({"KIND": "sum"}, PRODUCT)],
        lambda d: each_row(scan(d["KIND"])),
        1e-4,
    ),
    "row_parts": (
        "o",
        {"M": 3},
        [{"T": 32, "P": 32, "V": 4}, {"T": 48, "P": 48, "V": 7}, {"T": 64, "R": 2, "P": 30, "V": 5}],
        lambda d: one_a_row(math.prod),
        1e-7,
    ),
    "softmax": ("y", {"M": 5}, ROWS, lambda d: each_row(softmax), 1e-7),
    "softmax_narrow": ("y", {"M": 5}, ROWS[::3], lambda d: each_row(softmax), 1e-7),
    "layernorm_narrow": ("y", {"M": 5}, ROWS[::3], lambda d: layernorm, 1e-4),
    "rmsnorm_narrow": ("y", {"M": 5}, ROWS[::3], lambda d: rmsnorm, 1e-5),
    "softmax_groups": ("y", {"M": 3}, GROUPS, lambda d: each_row(softmax), 1e-7),
    "layernorm_groups": ("y", {"M": 3}, GROUPS, lambda d: layernorm, 1e-4),
    "rmsnorm_groups": ("y", {"M": 3}, GROUPS, lambda d: rmsnorm, 1e-5),
    "softmax_held": ("y", {"M": 3}, HELD, lambda d: each_row(softmax), 1e-7),
    "layernorm_held": ("y", {"M": 3}, HELD, lambda d: layernorm, 1e-4),
    "layernorm_ahead": (
        "y",
        {"M": 7},
        [
            {"T": 32, "B": 3, "P": 32, "S": 4, "H": 2, "L": 2, "U": 1, "COUNT": "1024.0"},
            {"T": 48, "B": 2, "P": 5, "S": 5, "H": 4, "L": 1, "U": 2, "COUNT": "200.0"},
            {"T": 64, "B": 4, "P": 128, "S": 4, "H": 3, "L": 1, "U": 3, "COUNT": "4096.0"},
        ],
        lambda d: layernorm,
        1e-4,
    ),
    "rmsnorm_held": ("y", {"M": 3}, HELD, lambda d: rmsnorm, 1e-5),
    "softmax_chunks": ("y", {"M": 3}, CHUNKS, lambda d: each_row(softmax), 1e-7),
    "layernorm": ("y", {"M": 5}, ROWS, lambda d: layernorm, 1e-4),
    "layernorm_chunks": ("y", {"M": 3}, CHUNKS, lambda d: layernorm, 1e-4),
    "rmsnorm": ("y", {"M": 5}, ROWS, lambda d: rmsnorm, 1e-5),
    "rmsnorm_chunks": ("y", {"M": 3}, CHUNKS, lambda d: rmsnorm, 1e-5),
    "argmax": ("o", {"M": 5}, ROWS, lambda d: one_a_row(lambda row: row.index(max(row))), 0),
    "argmax_chunks": ("o", {"M": 3}, CHUNKS, lambda d: one_a_row(lambda row: row.index(max(row))), 0),
    "argmax_groups": ("o", {"M": 3}, CHUNKS, lambda d: one_a_row(lambda row: row.index(max(row))), 0),
    "transpose": ("b", {"M": 37, "N": 50}, TILES, lambda d: transposed, 0),
    "transpose_direct": ("b", {"M": 37, "N": 50}, TILES, lambda d: transposed, 0),
    "gelu": ("y", {"N": 777}, FLAT, lambda d: each(lambda x: x / 2 * (1 + math.erf(x / math.sqrt(2)))), 1e-4),
    "gelu_tanh": ("y", {"N": 777}, FLAT, lambda d: each(gelu_tanh), 1e-3),
    "silu_mul": ("y", {"M": 5}, [{**d, "R": 2, "N": 131} for d in FLAT], lambda d: silu_mul, 1e-5),
    "add": ("z", {"N": 777}, FLAT, lambda d: lambda t: [x + y for x, y in zip(t["x"][1], t["y"][1])], 0),
    "copy": (
        "y",
        {"N": 777},
        [{**d, "S": kind} for d, kind in zip(FLAT, ("i8", "bf16", "i1"))],
        lambda d: each(float),
        0,
    ),
    "cast": (
        "y",
        {"N": 777},
        [{**FLAT[0], "S": "bf16", "D": "i8"}, {**FLAT[1], "S": "i8", "D": "bf16"}, {**FLAT[2], "S": "i1", "D": "bf16"}],
        lambda d: each(math.trunc),
        0,
    ),
}
STRIPS = [
    ({"T": 32, "P": 8, "R": 4, "E": 32, "U": 2, "T2": 64, "E2": 16}, {"M": 17, "N": 50, "K": 3}),
    ({"T": 96, "P": 8, "R": 2, "E": 24, "U": 1, "T2": 64, "E2": 16}, {"M": 8, "N": 100, "K": 1}),
    ({"T": 64, "P": 12, "R": 1, "E": 512, "U": 4, "T2": 64, "E2": 16}, {"M": 30, "N": 520, "K": 3}),
]
SPLITS = [({"T": 32, "N": 96, "C": 32, "P": 3}, {"M": 3}), ({"T": 48, "N": 250, "C": 50, "P": 5}, {"M": 2})]
BOTH = [({**defines, **kind}, dims) for defines, dims in SPLITS for kind in ({"KIND": "sum"}, PRODUCT)]
# Program: (first kernel, second, tensors between them, output, [(defines, sizes)], definition, absolute tolerance).
PAIRS = {
    "column_sum": ("column_parts", "column_total", ["part"], "o", STRIPS, lambda d: columns_summed, 1e-4),
    "row_reduce_split": (
        "part_reduce",
        "total_reduce",
        ["parts"],
        "o",
        BOTH,
        lambda d: one_a_row(reduction(d["KIND"])),
        1e-4,
    ),
    "row_scan_split": ("part_total", "part_scan", ["parts"], "y", BOTH, lambda d: each_row(scan(d["KIND"])), 1e-4),
    "softmax_split": ("part_sums", "part_softmax", ["maxima", "sums"], "y", SPLITS, lambda d: each_row(softmax), 1e-7),
}


def complaint(got, expected, atol):
    """Nothing, or the first element that is off."""
    if len(got) != len(expected):
        return f"{len(got)} elements; expected {len(expected)}"
    for number, (value, wanted) in enumerate(zip(got, expected)):
        if not abs(value - wanted) <= atol + STEP * abs(wanted):
            return f"element {number} is {value}; expected {wanted}"
    return None


def run(tool, path, defines, dims, outs, kernel=None, given=(), folder=None):
    """The tensors named, after every variant ran on the simulator; a text if one failed. Files stay in `folder`."""
    with tempfile.TemporaryDirectory() as own:
        folder = folder or own
        command = [tool, str(path), "--device", "sim", "--variant", "all", *given]
        command += [f"-D{name}={value}" for name, value in defines.items()]
        for name, value in dims.items():
            command += ["--dim", f"{name}={value}"]
        command += ["--kernel", kernel] if kernel else []
        for name in outs:
            command += ["--out", f"{name}={folder}/{name}.npy"]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=120
        )
        if done.returncode != 0:
            return f"status {done.returncode}: {done.stdout[-800:]}"
        return {name: read_npy(pathlib.Path(folder) / f"{name}.npy") for name in outs}


def check(tool, path, case):
    """The complaints of all cases of a program."""
    output, dims, choices, definition, atol = case
    text = path.read_text()
    arguments = text[text.index("tile.kernel") : text.index("grid(")]
    names = re.findall(r"%(\w+)(?:\[[^\]]*\])?: !", arguments)
    given = ["--arg", f"eps={EPS}"] if "%eps: f32" in arguments else []
    for defines in choices:
        tensors = run(tool, path, defines, dims, names, given=given)
        if defines.keys() & {"G", "H"} and not isinstance(tensors, str):
            # The pieces and groups of a row make up the row.
            tensors = {name: ((shape[0], math.prod(shape[1:])), values) for name, (shape, values) in tensors.items()}
        said = (
            tensors if isinstance(tensors, str) else complaint(tensors[output][1], definition(defines)(tensors), atol)
        )
        if said:
            yield f"{path.name} {defines}: {said}"


def check_pair(tool, path, pair):
    """Two kernels, one after the other: what the first writes the second reads."""
    first, second, between, output, choices, definition, atol = pair
    for defines, dims in choices:
        with tempfile.TemporaryDirectory() as folder:
            tensors = run(tool, path, defines, dims, ["x", *between], first, folder=folder)
            if isinstance(tensors, str):
                yield f"{path.name} {defines}: {tensors}"
                continue
            given = []
            for name in between + (["x"] if "%x[" in path.read_text().split(f"@{second}")[1] else []):
                given += ["--arg", f"{name}={folder}/{name}.npy"]
            sizes = re.search(rf"@{second}\[([^\]]*)\]", path.read_text()).group(1)
            rest = {name: size for name, size in dims.items() if f"%{name}" in re.split(r",\s*", sizes)}
            results = run(tool, path, defines, rest, [output], second, given)
            expected = None if isinstance(results, str) else definition(defines)(tensors)
            said = results if expected is None else complaint(results[output][1], expected, atol)
            if said:
                yield f"{path.name} {defines}: {said}"


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    programs = [path for path in sorted(folder.glob("*.mlir")) if path.stem == (sys.argv[3:] + [path.stem])[0]]
    failed = 0
    for path in programs:
        if path.stem not in CASES and path.stem not in PAIRS:
            complaints = [f"{path.name}: no case"]
        elif path.stem in PAIRS:
            complaints = list(check_pair(tool, path, PAIRS[path.stem]))
        else:
            complaints = list(check(tool, path, CASES[path.stem]))
        failed += bool(complaints)
        print("\n".join(complaints) or f"{path.name}: right", flush=True)
    print(f"{len(programs)} programs, {failed} wrong")
    return failed != 0 or not programs


if __name__ == "__main__":
    sys.exit(main())
