# patterns.py - the hand-written access patterns of the seed's table, compiled with nvcc.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import torch

NAMES = {
    "product": ["blocked", "striped", "vector", "striped_vector", "staged", "staged_padded"],
    "prefix": ["vector", "staged"],
}


class Patterns:
    """Launches the patterns on operands of their own; each is checked once, so that none is fast by being wrong."""

    def __init__(self, driver, compiler):
        self.driver, self.compiler, self.modules = driver, compiler, {}

    def module(self, threads):
        if threads not in self.modules:
            self.modules[threads] = self.driver.load(self.compiler.start_patterns(threads).result())
        return self.modules[threads]

    def of(self, row):
        """{name: function} for a row of the seed's table."""
        rows, columns = row.shape
        workload = "prefix" if "prefix" in row.op else "product"
        x = (1 + 0.01 * torch.randn(rows, columns, device="cuda")).to(torch.bfloat16)
        if workload == "prefix":
            out, expected = torch.empty_like(x), x.double().cumprod(-1)
        else:
            out, expected = torch.empty(rows, row.threads, device="cuda"), x.double().prod(-1)
        found = {}
        for name in NAMES[workload]:
            function = self.driver.function(self.module(row.threads), f"{workload}_{name}")
            start = self.driver.launcher(function, (rows, 1, 1), row.threads, 0, [x.data_ptr(), out.data_ptr()])
            start(torch.cuda.current_stream().cuda_stream)
            got = out.double() if workload == "prefix" else out.double().prod(-1)
            if not torch.allclose(got, expected, rtol=2**-6, atol=0):
                raise ValueError(f"hand-written {workload}_{name} is wrong")
            found[f"by hand, {name}"] = self.on_stream(start, x, out)
        return found

    @staticmethod
    def on_stream(start, *_keeps):
        return lambda _keeps=_keeps: start(torch.cuda.current_stream().cuda_stream)
