# counted.py - the programs whose predicted sectors and wavefronts are compared with counters, and the page of results.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case is a program, what replaces its $NAMEs, the sizes, and where its prediction is no more than an estimate, why."""

import dataclasses
import json


@dataclasses.dataclass
class Case:
    file: str
    given: dict
    dims: dict
    kernel: str = ""
    arguments: dict = dataclasses.field(default_factory=dict)
    estimates: dict = dataclasses.field(default_factory=dict)  # "shared load", …: why its prediction is not exact

    def estimate_of(self, space, kind):
        """Why the prediction of a row is not exact; empty if it is."""
        return self.estimates.get(f"{space} {kind}", "")

    def words(self):
        words = [self.file]
        for name, value in self.given.items():
            words += ["-D", f"{name}={value}"]
        for name, value in self.dims.items():
            words += ["--dim", f"{name}={value}"]
        for name, value in self.arguments.items():
            words += ["--arg", f"{name}={value}"]
        return words + (["--kernel", self.kernel] if self.kernel else [])

    def definitions(self):
        return " ".join(f"{name}={value}" for name, value in [*self.given.items(), *self.dims.items()])

    def text(self):
        return f"{self.file} {self.definitions()}"


def operator(name, dims, kernel="", arguments=None, estimates=None, **given):
    return Case(f"benchmark/operators/{name}.mlir", given, dims, kernel, arguments or {}, estimates or {})


def example(name, dims, estimates=None, arguments=None, **given):
    return Case(f"examples/{name}.mlir", given, dims, "", arguments or {}, estimates or {})


def pinned(name, dims, **given):
    return Case(f"benchmark/counters/{name}.mlir", given, dims)


JOINS = "NVRTC joins loads of neighbouring words in different trips of the outer loop"
TAIL = "odd pitch, masked tail"
EPS = {"eps": "1e-5"}
CASES = [
    # Elements: widths, types, numbers of threads.
    operator("add", {"N": 1 << 18}, T=256, E=2048),
    operator("add", {"N": 2048 * 37 + 768}, T=256, E=2048),
    operator("gelu", {"N": 1 << 17}, T=128, E=1024),
    operator("copy", {"N": 1 << 18}, T=256, E=8192, S="i8"),
    operator("copy", {"N": 1 << 16}, T=96, E=1536, S="f64"),
    operator("cast", {"N": 1 << 17}, T=256, E=4096, S="bf16", D="f8E4M3FN"),
    operator("cast", {"N": 1 << 17}, T=64, E=1024, S="f8E5M2", D="f32"),
    operator("silu_mul", {"M": 32}, T=256, R=2, E=2048, N=4096),
    # Transpositions staged in shared memory.
    operator("transpose", {"M": 512, "N": 512}, T=512, B=128),
    operator("transpose", {"M": 512, "N": 256}, T=128, B=64),
    operator("transpose_direct", {"M": 512, "N": 512}, T=512, B=128),
    operator("transpose_direct", {"M": 256, "N": 512}, T=128, B=64),
    # Rows: reductions and scans, with an exchange in shared memory between warps.
    operator("row_reduce", {"M": 64}, T=256, R=1, N=4096, KIND="sum"),
    operator("row_reduce", {"M": 64}, T=128, R=4, N=1024, KIND="prod"),
    operator("row_reduce", {"M": 64}, T=96, R=1, N=1536, KIND="sum"),
    operator("row_scan", {"M": 64}, T=256, R=1, N=4096, KIND="sum"),
    operator("row_scan", {"M": 64}, T=64, R=1, N=4096, KIND="prod"),
    operator("row_scan", {"M": 64}, T=512, R=1, N=8192, KIND="sum"),
    operator("softmax", {"M": 64}, T=256, R=1, N=4096),
    operator("softmax", {"M": 64}, T=96, R=1, N=1152),
    operator("layernorm", {"M": 64}, arguments=EPS, T=128, R=1, N=2048),
    operator("rmsnorm", {"M": 64}, arguments=EPS, T=256, R=1, N=8192),
    operator("argmax", {"M": 64}, T=128, R=1, N=4096),
    operator("row_parts", {"M": 64}, T=128, P=128, V=32),
    operator("column_sum", {"M": 2048, "N": 2048, "K": 2}, "column_parts", T=256, P=1024, R=2, E=1024, U=8),
    # Patterns written out by hand: blocked, striped and staged, with and without padding.
    example("row_product_blocked", {"M": 64}),
    example("row_product_striped", {"M": 64}),
    example("row_product_vector", {"M": 64}),
    example("row_product_staged", {"M": 64}),
    example("row_product_staged", {"M": 64}, PAD=0),
    example("row_product_staged", {"M": 64}, PAD=2),
    example("row_prefix_staged", {"M": 64}),
    example("row_prefix_blocked", {"M": 32}, T=64, V=64),
    example("matmul", {"M": 128, "N": 128, "K": 64}, {"shared load": JOINS}),
    # Layouts that are given, most of them bad.
    pinned("transpose_pinned", {"M": 256, "N": 256}, S="bf16", LAYOUT="#tile.linear"),
    pinned("transpose_pinned", {"M": 256, "N": 256}, S="f32", LAYOUT="#tile.linear"),
    pinned("transpose_pinned", {"M": 256, "N": 256}, S="f32", LAYOUT="#tile.padded<1>"),
    pinned("transpose_pinned", {"M": 256, "N": 256}, S="bf16", LAYOUT="#tile.swizzled<128>"),
    pinned("transpose_pinned", {"M": 256, "N": 256}, S="f32", LAYOUT="#tile.xor<unit 16, bits 3, shift 8>"),
    pinned("transpose_pinned", {"M": 256, "N": 256}, S="i8", T=128),
    pinned("transpose_pinned", {"M": 256, "N": 128}, S="f64", T=512),
    pinned("columns", {"M": 64}, S="f32", LAYOUT="#tile.linear"),
    pinned("columns", {"M": 64}, S="f32", LAYOUT="#tile.padded<1>"),
    pinned("columns", {"M": 64}, S="f16", LAYOUT="#tile.linear"),
    pinned("columns", {"M": 64}, S="f64", LAYOUT="#tile.linear"),
    pinned("spread", {"M": 512}),
    pinned("copy_pinned", {"N": 1 << 16}),
    # Where the prediction is one for the typical warp and others differ.
    operator("row_reduce", {"M": 64}, T=256, R=1, N=4097, KIND="sum", estimates={"global load": TAIL}),
    operator("softmax", {"M": 64}, estimates={"global load": TAIL, "global store": TAIL}, T=128, R=1, N=3000),
    example("gather", {"R": 64, "D": 512, "M": 64}, {"global load": "addresses depend on data"}, {"index": "iota"}),
    # Atomics whose addresses depend on data; loads and stores do not.
    example("histogram", {"N": 1 << 16}),
]


#: What the pages say before their tables.
INTRODUCTION = """# Counters and constants

Generated by `benchmark/report.py` from `benchmark/results`.

## Predicted sectors and wavefronts against the profiler

`--explain` says of each access how many sectors of 32 bytes (global memory) or wavefronts (shared memory) one request of a
warp takes. Here each prediction is multiplied by the requests of its access and summed over the accesses of one kernel,
space and direction; the counter is what Nsight Compute read on the device. The requests are counted by the simulator
(`tile-run --count`), which knows nothing of the profiler; the profiler's own number of requests is in brackets where it is
another. Counters: `{counters}`. One command: `benchmark/counters.py`. The programs are in `examples`,
`benchmark/operators` and `benchmark/counters`.
"""
ESTIMATES = """
### Estimates

`--explain` speaks of a full warp of the typical block. Where others differ (masked tails, rows at odd pitches) or the address
depends on data, the figure is an estimate, and null where there is none. And it speaks of the accesses in the CUDA text: where
NVRTC joins loads of neighbouring words of shared memory into wider ones, fewer requests run than the text has, and never more
wavefronts than predicted. The text joins what it can itself: partial results of warps, and loads of unrolled loops.
"""
CALIBRATION = """
## The constants of the cost model

What `tile-run --cost-constants` says the compiler takes a device for (`lib/Layout/CostModel.h`), beside what
`benchmark/calibrate.py` measures.
"""


def is_equal(row):
    return row["predicted"] == row["counter"] and row["requests"] == row["counted_requests"]


def heading(path, results):
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    return f"\n- `{path.name}`: {results['date']}, {results['device']}, {versions}; `{results['command']}`\n"


def cells(row, last):
    requests = str(row["requests"])
    if row["requests"] != row["counted_requests"]:
        requests += f" ({row['counted_requests']})"
    predicted = "-" if row["predicted"] is None else row["predicted"]
    place = f"{row['program'].removesuffix('.mlir')}, {row['definitions']}".replace("|", "\\|")
    return f"| {place} | {row['space']} {row['direction']} | {requests} | {predicted} | {row['counter']} | {last} |"


def counter_tables(path, results):
    exact = [row for row in results["rows"] if "estimate" not in row]
    estimates = [row for row in results["rows"] if "estimate" in row]
    equal = sum(map(is_equal, exact))
    names = sorted({name for row in results["rows"] for name in row["counters"]})
    text = INTRODUCTION.format(counters="`, `".join(names)) + heading(path, results)
    text += f"\n{len(exact)} rows, {len(exact) - equal} mismatches.\n"
    text += "\n| program | accesses | requests | predicted | counter | |\n|---|---|---|---|---|---|\n"
    text += "\n".join(cells(row, row["unit"] if is_equal(row) else "mismatch (!)") for row in exact) + "\n" + ESTIMATES
    text += "\n| program | accesses | requests | predicted | counter | why |\n|---|---|---|---|---|---|\n"
    return text + "\n".join(cells(row, row["estimate"]) for row in estimates) + "\n"


def calibration_table(path, results):
    text = CALIBRATION + heading(path, results)
    text += "\n| constant | model | measured | difference | what it is | how it is measured |\n|---|---|---|---|---|---|\n"
    for row in results["rows"]:
        unit = f" {row['unit']}".rstrip()
        measured, difference = "-", "-"
        if row["measured"] is not None:
            measured, difference = f"{row['measured']:.4g}{unit}", f"{100 * row['difference']:+.0f} %"
        text += f"| {row['constant']} | {row['model']:g}{unit} | {measured} | {difference} | {row['meaning']} | {row['how']} |\n"
    return text


def page(files):
    """The page of the last results of each kind; empty without any."""
    text = ""
    for ending, tables in (("-counters.json", counter_tables), ("-calibration.json", calibration_table)):
        chosen = [path for path in files if path.name.endswith(ending)]
        if chosen:
            text += tables(chosen[-1], json.loads(chosen[-1].read_text()))
    return text
