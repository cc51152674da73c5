# counted.py - the programs whose predicted sectors and wavefronts are compared with counters.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case is a program, what replaces its $NAMEs, the sizes, and where its prediction is no more than an estimate, why."""

import dataclasses


@dataclasses.dataclass
class Case:
    file: str
    given: dict
    dims: dict
    kernel: str = ""
    arguments: dict = dataclasses.field(default_factory=dict)
    estimate: str = ""

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


def operator(name, dims, kernel="", arguments=None, estimate="", **given):
    return Case(f"benchmark/operators/{name}.mlir", given, dims, kernel, arguments or {}, estimate)


def example(name, dims, estimate="", arguments=None, **given):
    return Case(f"examples/{name}.mlir", given, dims, "", arguments or {}, estimate)


def pinned(name, dims, **given):
    return Case(f"benchmark/counters/{name}.mlir", given, dims)


EPS = {"eps": "1e-5"}
CASES = [
    # Elements: widths, types, numbers of threads.
    operator("add", {"N": 1 << 18}, T=256, E=2048),
    operator("gelu", {"N": 1 << 17}, T=128, E=1024),
    operator("copy", {"N": 1 << 18}, T=256, E=8192, S="i8"),
    operator("copy", {"N": 1 << 16}, T=96, E=1536, S="f64"),
    operator("cast", {"N": 1 << 17}, T=256, E=4096, S="bf16", D="f8E4M3FN"),
    operator("cast", {"N": 1 << 17}, T=64, E=1024, S="f8E5M2", D="f32"),
    operator("silu_mul", {"M": 32, "N": 4096}, T=256, R=2, E=2048),
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
    operator("row_parts", {"M": 64}, T=128, V=32),
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
    example("matmul", {"M": 128, "N": 128, "K": 64}),
    # Layouts that are given, most of them bad.
    pinned("transpose_pinned", {"M": 256, "N": 256}, S="bf16", LAYOUT="#tile.linear"),
    pinned("transpose_pinned", {"M": 256, "N": 256}, S="f32", LAYOUT="#tile.linear"),
    pinned("transpose_pinned", {"M": 256, "N": 256}, S="f32", LAYOUT="#tile.padded<1>"),
    pinned("transpose_pinned", {"M": 256, "N": 256}, S="bf16", LAYOUT="#tile.swizzled<128>"),
    pinned("columns", {"M": 64}, S="f32", LAYOUT="#tile.linear"),
    pinned("columns", {"M": 64}, S="f32", LAYOUT="#tile.padded<1>"),
    pinned("columns", {"M": 64}, S="f16", LAYOUT="#tile.linear"),
    pinned("columns", {"M": 64}, S="f64", LAYOUT="#tile.linear"),
    pinned("copy_pinned", {"N": 1 << 16}),
    # Where the prediction is one for the typical warp and others differ.
    operator("row_reduce", {"M": 64}, T=256, R=1, N=4097, KIND="sum", estimate="odd pitch, masked tail"),
    operator("softmax", {"M": 64}, T=128, R=1, N=3000, estimate="masked tail"),
    example("gather", {"R": 64, "D": 512, "M": 64}, arguments={"index": "iota"}, estimate="addresses depend on data"),
    example("histogram", {"N": 1 << 16}, estimate="addresses depend on data"),
]
