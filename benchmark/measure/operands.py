# operands.py - inputs, references and peers of each operator, in PyTorch.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a row computes: operands by the names the programs use, what the output must hold, who else computes it."""

import dataclasses

import torch
import torch.nn.functional as F

EPS = 1e-5
TYPES = {
    "i1": torch.bool,
    "i8": torch.int8,
    "f8E4M3FN": torch.float8_e4m3fn,
    "f8E5M2": torch.float8_e5m2,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
}
# Relative tolerance: one unit in the last place of a bf16 number below a power of two.
BF16_STEP = 2.0**-7


@dataclasses.dataclass
class Problem:
    """`operands` go to our kernels; `output` names the one to compare; `peer` is a function of some operands, by name."""

    operands: dict
    output: str
    reference: object
    peer: object
    rtol: float = BF16_STEP
    atol: float = 0.0

    def poison(self):
        """No element may pass because it was right before."""
        self.operands[self.output].view(torch.uint8).fill_(0xAB)

    def complaint(self):
        """Nothing, or how many elements differ from the reference and where the first one is."""
        return difference(self.operands[self.output], self.reference(), self.rtol, self.atol)


def difference(output, expected, rtol, atol):
    if output.shape != expected.shape:
        return f"shape is {list(output.shape)}; expected {list(expected.shape)}"
    wrong, first = 0, None
    rows = max(1, (1 << 26) // max(1, output[0].numel()))
    for start in range(0, output.shape[0], rows):
        got = output[start : start + rows].double()
        want = expected[start : start + rows].double()
        bad = ~((got - want).abs() <= atol + rtol * want.abs()) & ~(got == want)
        count = int(bad.sum())
        if count and first is None:
            at = torch.nonzero(bad)[0]
            place = tuple(int(number) for number in at)
            index = [place[0] + start, *place[1:]]
            first = f"{index} is {float(got[place]):.6g}; expected {float(want[place]):.6g}"
        wrong += count
    return f"{wrong} of {output.numel()} elements wrong: {first}" if wrong else None


def normal(shape, dtype=torch.bfloat16, device="cuda"):
    """Normal numbers; as booleans their sign, as integers scaled."""
    x = torch.randn(shape, device=device, dtype=torch.float32)
    if dtype == torch.bool:
        return x > 0
    return (x * 20).to(dtype) if dtype == torch.int8 else x.to(dtype)


def near_one(shape, device):
    """Factors whose products neither vanish nor overflow."""
    return (1 + 0.01 * torch.randn(shape, device=device, dtype=torch.float32)).to(torch.bfloat16)


def row_problem(op, shape, device):
    rows, columns = shape
    x = near_one(shape, device) if "product" in op or "prefix" in op else normal(shape, device=device)
    like = lambda: torch.empty_like(x)
    each = lambda dtype=torch.bfloat16: torch.empty(rows, dtype=dtype, device=device)
    w, c = normal(columns, device=device), normal(columns, device=device)
    f64 = torch.float64
    sums = 2e-7 * columns
    if op in ("row product", "seed product"):
        return Problem({"x": x, "o": each()}, "o", lambda: x.to(f64).prod(-1), lambda x: x.prod(-1), 2 * BF16_STEP)
    if op == "row sum":
        return Problem({"x": x, "o": each()}, "o", lambda: x.to(f64).sum(-1), lambda x: x.sum(-1), atol=sums)
    if op in ("row prefix product", "seed prefix"):
        return Problem(
            {"x": x, "y": like()}, "y", lambda: x.to(f64).cumprod(-1), lambda x: x.cumprod(-1), 2 * BF16_STEP
        )
    if op == "cumsum":
        return Problem({"x": x, "y": like()}, "y", lambda: x.to(f64).cumsum(-1), lambda x: x.cumsum(-1), atol=sums)
    if op == "layernorm":
        return Problem(
            {"x": x, "w": w, "c": c, "y": like(), "eps": EPS},
            "y",
            lambda: F.layer_norm(x.to(f64), (columns,), w.to(f64), c.to(f64), EPS),
            lambda x, w, c: F.layer_norm(x, (columns,), w, c, EPS),
            atol=1e-4,
        )
    if op == "rmsnorm":
        return Problem(
            {"x": x, "w": w, "y": like(), "eps": EPS},
            "y",
            lambda: F.rms_norm(x.to(f64), (columns,), w.to(f64), EPS),
            lambda x, w: F.rms_norm(x, (columns,), w, EPS),
            atol=1e-5,
        )
    if op == "softmax":
        return Problem({"x": x, "y": like()}, "y", lambda: x.to(f64).softmax(-1), lambda x: x.softmax(-1), atol=1e-9)
    if op == "argmax":

        def first_largest():
            places = torch.arange(columns, device=device, dtype=torch.int32)
            return torch.where(x == x.amax(-1, keepdim=True), places, columns).amin(-1)

        return Problem({"x": x, "o": each(torch.int32)}, "o", first_largest, lambda x: x.argmax(-1), 0.0)
    raise KeyError(op)


def elementwise_problem(op, shape, device):
    x = normal(shape, device=device)
    y = torch.empty_like(x)
    f64 = torch.float64
    if op == "gelu":
        return Problem({"x": x, "y": y}, "y", lambda: F.gelu(x.to(f64)), lambda x: F.gelu(x), atol=1e-4)
    if op == "gelu tanh":
        # The hardware's tanh is good to 2^-11.
        return Problem(
            {"x": x, "y": y},
            "y",
            lambda: F.gelu(x.to(f64), approximate="tanh"),
            lambda x: F.gelu(x, approximate="tanh"),
            atol=1e-3,
        )
    if op == "silu*w":
        w = normal(shape[1], device=device)
        return Problem(
            {"x": x, "w": w, "y": y},
            "y",
            lambda: F.silu(x.to(f64)) * w.to(f64),
            lambda x, w: F.silu(x) * w,
            2 * BF16_STEP,
        )
    if op == "add":
        other = normal(shape, device=device)
        return Problem({"x": x, "y": other, "z": y}, "z", lambda: x.to(f64) + other.to(f64), lambda x, y: x + y)
    raise KeyError(op)


def move_problem(op, shape, device):
    kinds = op.split()
    source = TYPES[kinds[1]]
    target = TYPES[kinds[-1]]
    x = normal(shape, source, device)
    y = torch.empty(shape, dtype=target, device=device)
    peer = (lambda x: x.clone()) if kinds[0] == "copy" else (lambda x: x.to(target))
    return Problem({"x": x, "y": y}, "y", lambda: x.to(target), peer, 0.0)


def column_problem(shape, device):
    x = normal(shape, device=device)
    o = torch.empty(shape[1], dtype=torch.bfloat16, device=device)
    return Problem({"x": x, "o": o}, "o", lambda: x.to(torch.float64).sum(0), lambda x: x.sum(0), atol=2e-7 * shape[0])


def problem(row, device="cuda"):
    """Operands, reference and peer of a row."""
    torch.manual_seed(0)
    if row.op == "seed product of parts":
        rows, threads = row.shape[0], row.threads
        x = near_one(row.shape, device)
        parts = torch.empty(rows, threads, dtype=torch.float32, device=device)
        return Problem(
            {"x": x, "o": parts},
            "o",
            lambda: x.to(torch.float64).view(rows, threads, -1).prod(-1),
            lambda x: x.view(rows, threads, -1).prod(-1, dtype=torch.float32),
            1e-4,
        )
    if row.op.startswith(("copy ", "cast ")):
        return move_problem(row.op, row.shape, device)
    if row.op == "transpose":
        a = normal(row.shape, device=device)
        b = torch.empty(row.shape[1], row.shape[0], dtype=torch.bfloat16, device=device)
        return Problem({"a": a, "b": b}, "b", lambda: a.t(), lambda a: a.t().contiguous(), 0.0)
    if row.op == "column sum":
        return column_problem(row.shape, device)
    if row.op in ("gelu", "gelu tanh", "silu*w", "add"):
        return elementwise_problem(row.op, row.shape, device)
    return row_problem(row.op, row.shape, device)


def scratch(form, row, device="cuda"):
    """What a form needs besides the operands of its row."""
    if form.program == "column_sum":
        parts = -(-row.shape[0] // int(dict(form.defines)["P"]))
        return {"part": torch.empty(parts, row.shape[1], dtype=torch.float32, device=device)}
    if form.program.endswith("_split"):
        shape = (row.shape[0], int(dict(form.defines)["P"]))
        names = ("maxima", "sums") if form.program == "softmax_split" else ("parts",)
        return {name: torch.empty(shape, dtype=torch.float32, device=device) for name in names}
    return {}


def inputs_of(problem):
    """The tensors a peer takes, in the order of its parameters."""
    names = problem.peer.__code__.co_varnames[: problem.peer.__code__.co_argcount]
    return [problem.operands[name] for name in names]
