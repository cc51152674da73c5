# cases.py - the rows of the table: operator, shape, and the programs that compute it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A row names an operator and a shape. Its forms are the ways to write it: a program and what its $NAMEs stand for.

The first form is the one measured; `--tune` measures all of them and keeps the fastest.
"""

import dataclasses
import json
import math
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "operators"
SHAPES = [(65536, 4096), (32768, 8192), (8192, 32768), (4096, 131072)]
ODD_COLUMNS = [1152, 3000, 4097, 5120]
SMALL = [(4, 102400), (64, 32768), (2048, 4096)]
SEED_THREADS = [512, 256, 128, 64, 32]
# Programs of the row operators, and what -D picks one of several operators.
ROW_PROGRAMS = {
    "row product": ("row_reduce", {"KIND": "prod", "OP": "arith.mulf", "INIT": "1.0"}),
    "row sum": ("row_reduce", {"KIND": "sum"}),
    "row prefix product": ("row_scan", {"KIND": "prod", "OP": "arith.mulf", "INIT": "1.0"}),
    "cumsum": ("row_scan", {"KIND": "sum"}),
    "layernorm": ("layernorm", {}),
    "rmsnorm": ("rmsnorm", {}),
    "softmax": ("softmax", {}),
    "argmax": ("argmax", {}),
}
# Threads to try by the length of a row, the likeliest first.
THREADS = {
    4096: [256, 128, 512],
    8192: [512, 256, 1024],
    32768: [512, 1024],
    131072: [512, 1024],
    1152: [144, 128, 72, 96, 288],
    3000: [128, 125, 375],
    4097: [176, 192, 272, 256, 128, 96, 512],
    5120: [256, 128, 320],
    102400: [1024],
}
# (threads, rows a block) to try for short rows.
SHORT = [(72, 2), (288, 4), (288, 8), (96, 2), (144, 8), (128, 8), (64, 4), (256, 16), (32, 2), (96, 4), (192, 8)]
ARGMAX_THREADS = {4096: [128, 64, 256], 8192: [128, 256, 512]}
# (threads, chunk) to try for long rows.
CHUNKS = {
    32768: [(512, 8192), (512, 4096), (256, 4096), (1024, 16384), (1024, 8192)],
    131072: [(1024, 16384), (512, 16384), (1024, 32768), (512, 8192), (1024, 8192), (256, 8192), (256, 16384)],
    102400: [(1024, 20480), (1024, 10240), (1024, 25600)],
}
# (threads, chunk) of rows that are split over blocks, and the two kernels of each program that does so.
SPLITS = {102400: [(256, 2048), (256, 4096), (128, 1024)], 32768: [(256, 8192), (256, 4096), (512, 16384)]}
SPLIT_KERNELS = {
    "row_reduce": ("part_reduce", "total_reduce"),
    "row_scan": ("part_total", "part_scan"),
    "softmax": ("part_sums", "part_softmax"),
}
# Operators that read a row of these lengths twice rather than hold it; (threads, places of groups) to try.
LONG = (32768, 131072)
READ_TWICE = ("layernorm", "rmsnorm", "softmax")
# The same operators on shorter rows, read twice all the same; (threads, chunk) to try.
CHUNKS_TWICE = {8192: [(512, 8192), (512, 4096), (256, 8192), (256, 4096)]}
# (threads, places of groups, groups held in shared memory) to try where a row is read once and held.
HELD = {
    8192: [(128, 512, 512), (256, 512, 512), (128, 256, 768)],
    32768: [(512, 2048, 2048), (1024, 2048, 2048), (256, 1024, 3072), (512, 1024, 3072)],
    131072: [(1024, 4096, 12288), (512, 4096, 12288), (1024, 2048, 14336)],
}
# The same for layernorm with (rows a block, blocks a multiprocessor): the rows share what is loaded of each column.
HELD_ROWS = {
    32768: [(512, 1024, 3072, 2, 2), (512, 1024, 3072, 1, 3), (512, 1024, 3072, 1, 4), (512, 2048, 2048, 1, 2)],
    8192: [(256, 256, 768, 2, 4)],
}
# (threads, blocks, pieces held in shared memory, pieces held in registers, pieces written at a time) where the next row is
# asked for while one is written; a piece is a group of 8 a thread.
AHEAD = {131072: [(1024, 132, 12, 4, 6), (1024, 132, 12, 4, 2)]}
GROUPS = [(1024, 2048), (512, 1024), (512, 2048), (1024, 4096), (1024, 1024), (256, 1024)]
# (name, source type, target type) of elementwise moves.
COPIES = ["i1", "i8", "f8E4M3FN", "f8E5M2"]
CASTS = [
    ("bf16", "f8E4M3FN"),
    ("f8E4M3FN", "bf16"),
    ("bf16", "f8E5M2"),
    ("f32", "f8E4M3FN"),
    ("i8", "bf16"),
    ("bf16", "i8"),
    ("i1", "bf16"),
    ("f32", "bf16"),
]
BITS = {"i1": 8, "i8": 8, "f8E4M3FN": 8, "f8E5M2": 8, "bf16": 16, "f16": 16, "i32": 32, "f32": 32}


@dataclasses.dataclass(frozen=True)
class Form:
    """A program and the values of its $NAMEs; `kernels` are launched in order, or the only one if empty."""

    program: str
    defines: tuple
    kernels: tuple = ()

    @property
    def path(self):
        return FOLDER / f"{self.program}.mlir"

    @property
    def threads(self):
        return int(dict(self.defines)["T"])

    def text(self):
        return " ".join([self.program] + [f"{name}={value}" for name, value in self.defines])


@dataclasses.dataclass
class Row:
    op: str
    shape: tuple
    dtype: str
    forms: list
    moved: int
    threads: int = 0

    def name(self):
        return f"{self.op} {self.shape[0]}x{self.shape[1]} {self.dtype}"


def form(program, kernels=(), **defines):
    return Form(program, tuple(defines.items()), kernels)


def row_forms(op, columns):
    """A row in one piece; long rows also in chunks, as a whole or in groups of 8; the likeliest first."""
    program, defines = ROW_PROGRAMS[op]
    picks = {name: value for name, value in defines.items() if name == "KIND"}
    threads_to_try = ARGMAX_THREADS.get(columns, THREADS[columns]) if op == "argmax" else THREADS[columns]
    whole = [form(program, T=threads, N=columns, **picks) for threads in threads_to_try]
    pairs = CHUNKS.get(columns, []) + (CHUNKS_TWICE.get(columns, []) if op in READ_TWICE else [])
    chunks = [form(f"{program}_chunks", T=threads, N=columns, C=chunk, **defines) for threads, chunk in pairs]
    held = [
        form(f"{program}_held", T=threads, G=columns // 8, P=places, H=groups, COUNT=f"{columns}.0")
        for threads, places, groups in HELD.get(columns, [])
        if op in READ_TWICE
    ]
    if op == "layernorm":
        held += [
            form("layernorm_held", T=t, R=r, B=b, G=columns // 8, P=p, H=h, COUNT=f"{columns}.0")
            for t, p, h, r, b in HELD_ROWS.get(columns, [])
        ]
        held += [
            form("layernorm_ahead", T=t, B=b, P=t, S=h + l, H=h, L=l, U=u, COUNT=f"{columns}.0")
            for t, b, h, l, u in AHEAD.get(columns, [])
        ]
    if op in READ_TWICE and columns in LONG:
        groups = [
            form(f"{program}_groups", T=threads, G=columns // 8, P=places, COUNT=f"{columns}.0")
            for threads, places in GROUPS
        ]
        narrow = [form(f"{program}_narrow", T=512, N=columns)] if columns == LONG[0] else []
        return held + groups + whole[:1] + narrow + chunks[:2] + whole[1:]
    if program == "row_scan" and columns > LONG[0]:
        ahead = [
            form("row_scan_ahead", T=threads, N=columns, C=chunk, **defines)
            for threads, chunk in ((512, 16384), (1024, 16384), (1024, 32768), (512, 8192))
        ]
        return ahead + chunks + whole[:1]
    if columns <= 5120:
        whole += [form(program, T=threads_to_try[0], R=count, N=columns, **picks) for count in (2, 4)]
    if columns <= 1152:
        whole += [form(program, T=t, R=r, N=columns, **picks) for t, r in SHORT]
    if op == "argmax" and columns in LONG:
        places = [(512, 4096), (256, 4096), (1024, 8192), (512, 8192)]
        chunks += [form("argmax_groups", T=threads, N=columns, C=chunk) for threads, chunk in places]
    return whole + held + chunks


def split_forms(op, columns):
    """Few, long rows in two kernels, so that there are blocks for all multiprocessors."""
    program, defines = ROW_PROGRAMS[op]
    kernels = SPLIT_KERNELS[program]
    return [
        form(f"{program}_split", kernels, T=threads, N=columns, C=chunk, P=columns // chunk, **defines)
        for threads, chunk in SPLITS.get(columns, [])
    ]


def row_bytes(op, rows, columns):
    """What has to be read and written: bf16 in, and bf16 or an i32 index a row out."""
    matrix = 2 * rows * columns
    if op in ("row product", "row sum"):
        return matrix + 2 * rows
    if op == "argmax":
        return matrix + 4 * rows
    return 2 * matrix + {"rmsnorm": 2, "layernorm": 4}.get(op, 0) * columns


def row_case(op, rows, columns):
    return Row(op, (rows, columns), "bf16", row_forms(op, columns), row_bytes(op, rows, columns))


def elementwise_cases():
    for rows, columns in (SHAPES[0], SHAPES[2]):
        matrix = 2 * rows * columns
        flat = [
            (threads, elements)
            for threads, elements in ((256, 4096), (256, 2048), (128, 2048), (256, 8192), (512, 8192))
        ]
        for op, program, count in (("gelu", "gelu", 2), ("gelu tanh", "gelu_tanh", 2), ("add", "add", 3)):
            yield Row(op, (rows, columns), "bf16", [form(program, T=t, E=e) for t, e in flat], count * matrix)
        tiles = [(256, 1, 4096), (256, 1, 2048), (128, 1, 2048), (256, 2, 2048), (256, 4, 1024)]
        yield Row(
            "silu*w",
            (rows, columns),
            "bf16",
            [form("silu_mul", T=t, R=r, E=e, N=columns) for t, r, e in tiles],
            2 * matrix + 2 * columns,
        )


# (threads, rows at a time, columns, how often unrolled, blocks wanted)
COLUMN_FORMS = [
    (256, 2, 1024, 8, 528),
    (256, 1, 1024, 16, 528),
    (256, 1, 1024, 8, 1056),
    (256, 1, 2048, 8, 1056),
    (512, 1, 4096, 8, 528),
]
# (threads, parts at a time) of the second kernel
TOTAL_FORMS = [(1024, 128), (256, 32), (256, 16), (128, 16)]
COLUMN_KERNELS = ("column_parts", "column_total")


def column_cases():
    for rows, columns in SHAPES:
        forms = []
        # As many blocks as are resident at once; steps that are not a power of two, so that blocks do not begin in the same
        # memory channels.
        for threads, step, strip, unrolled, wanted in COLUMN_FORMS:
            whole = step * unrolled
            steps = rows * (columns // strip) / (wanted * whole)
            for count in sorted({max(1, math.floor(steps)), math.ceil(steps) | 1}):
                sums = {"T": threads, "P": count * whole, "R": step, "E": strip, "U": unrolled}
                forms += [form("column_sum", COLUMN_KERNELS, **sums, T2=t, A2=a) for t, a in TOTAL_FORMS]
        yield Row("column sum", (rows, columns), "bf16", forms, 2 * rows * columns + 2 * columns)


def transpose_cases():
    for rows, columns in SHAPES:
        forms = [
            form(program, T=threads, B=side)
            for side, threads in ((128, 512), (128, 1024), (64, 256), (128, 256), (64, 128))
            for program in ("transpose", "transpose_direct")
        ]
        yield Row("transpose", (rows, columns), "bf16", forms, 4 * rows * columns)


def move_cases():
    shape = SHAPES[0]
    elements = shape[0] * shape[1]
    for kind in COPIES:
        forms = [form("copy", T=t, E=e, S=kind) for t, e in ((256, 8192), (256, 4096), (128, 4096), (256, 16384))]
        yield Row(f"copy {kind}", shape, kind, forms, 2 * elements * BITS[kind] // 8)
    for source, target in CASTS:
        forms = [
            form("cast", T=t, E=e, S=source, D=target)
            for t, e in ((256, 4096), (256, 2048), (128, 4096), (256, 8192), (128, 1024), (256, 1024), (128, 2048))
        ]
        yield Row(f"cast {source} to {target}", shape, source, forms, elements * (BITS[source] + BITS[target]) // 8)


def seed_cases():
    """The seed's table: whole-row product, products of each thread's part, and prefix, for each number of threads."""
    rows, columns = SHAPES[0]
    matrix = 2 * rows * columns
    for threads in SEED_THREADS:
        # Many threads have little of one row each.
        counts = (1, 2, 4) if threads >= 256 else (1,)
        product = [form("row_reduce", T=threads, R=count, N=columns, KIND="prod") for count in counts]
        parts = [form("row_parts", T=threads, R=count, P=threads, V=columns // threads) for count in counts]
        prefix = [form("row_scan", T=threads, R=count, N=columns, KIND="prod") for count in counts]
        yield Row("seed product", (rows, columns), "bf16", product, matrix + 2 * rows, threads)
        yield Row("seed product of parts", (rows, columns), "bf16", parts, matrix + 4 * rows * threads, threads)
        yield Row("seed prefix", (rows, columns), "bf16", prefix, 2 * matrix, threads)


def all_cases():
    main = ["row product", "row sum", "row prefix product", "cumsum", "layernorm", "rmsnorm", "softmax"]
    for op in main:
        yield from (row_case(op, *shape) for shape in SHAPES)
    yield from transpose_cases()
    yield from elementwise_cases()
    yield from column_cases()
    yield from (row_case("argmax", *shape) for shape in SHAPES)
    yield from move_cases()
    for op in ("row product", "row sum", "softmax", "rmsnorm"):
        yield from (row_case(op, 65536, columns) for columns in ODD_COLUMNS)
    yield from seed_cases()
    for op in ("softmax", "row sum", "cumsum"):
        for shape in SMALL:
            row = row_case(op, *shape)
            row.forms = split_forms(op, shape[1]) + row.forms
            yield row


def tuned_first(rows, path):
    """Puts the form that a tuned run chose in front. The file: {row: form}."""
    chosen = json.loads(path.read_text()) if path.exists() else {}
    for row in rows:
        wanted = chosen.get(f"{row.name()} {row.threads}".removesuffix(" 0"))
        row.forms.sort(key=lambda form: form.text() != wanted)
    return rows
