#!/usr/bin/env python3
# layouts.py - random distributed layouts, and pairs that conversions in registers or by shuffles lie between.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from tiles import product


def distributed(rng, shape, threads):
    """Some layout: per axis a thread digit and a register digit, perhaps with copies."""
    left, stride, register, axes = threads, 1, 1, []
    for extent in reversed(shape):
        radix = rng.choice([r for r in (1, 2, 3, 4, 8, 16, 32) if r <= max(left, 1)])
        rest = -(-extent // radix)
        vector = rng.choice([v for v in (1, 2, 4) if rest % v == 0])
        digits = []
        if rest // vector > 1:
            digits.append(f"{rest // vector} reg * {register * vector}")
        if radix > 1:
            digits.append(f"{radix} thread * {stride}")
        if vector > 1:
            digits.append(f"{vector} reg * {register}")
        axes.append("(" + ", ".join(digits or ["1 reg"]) + ")")
        left //= radix
        stride *= radix
        register *= rest
    copies = f" copies ({left} thread * {stride})" if left > 1 and rng.random() < 0.5 else ""
    return f"#tile.distributed<{'x'.join(map(str, shape))} = [{', '.join(reversed(axes))}] threads {threads}{copies}>"


class LayoutPair:
    """Layouts of one shape whose digits have the same radices and which deal the same digits to whole warps. What is
    left goes to lanes and registers in any order, so two of them mostly differ inside the warps only."""

    def __init__(self, rng, shape, threads):
        self.rng, self.shape, self.threads = rng, shape, threads
        self.radices = [self.cut(extent) for extent in shape]
        self.lanes, warps = min(threads, 32), threads // 32
        self.warps = []  # (axis, number) of the digits dealt to warps
        for axis, radices in enumerate(self.radices):
            for number, radix in enumerate(radices):
                if radix <= warps and rng.random() < 0.4:
                    self.warps.append((axis, number))
                    warps //= radix

    def cut(self, extent):
        """Radices, the lowest first, that multiply to the extent or a little more."""
        radices = []
        while product(radices) < extent:
            rest = -(-extent // product(radices))
            radices.append(self.rng.choice([r for r in (2, 2, 4, 8, 16, rest) if r <= rest] or [rest]))
        return radices or [1]

    def strides(self, digits, first, limit):
        """Strides for digits in a random order, as far as they stay below the limit and divide it."""
        order, stride, found = list(digits), first, {}
        self.rng.shuffle(order)
        for digit in order:
            radix = self.radices[digit[0]][digit[1]]
            if stride * radix <= limit and limit % (stride * radix) == 0:
                found[digit] = stride
                stride *= radix
        return found, stride

    def layout(self):
        digits = [(axis, number) for axis, radices in enumerate(self.radices) for number in range(len(radices))]
        inside = [digit for digit in digits if digit not in self.warps]
        lanes, stride = self.strides([digit for digit in inside if self.rng.random() < 0.7], 1, self.lanes)
        owners = {digit: ("thread", at) for digit, at in lanes.items()}
        copies = []
        if stride < self.lanes and self.rng.random() < 0.5:
            copies.append(f"{self.lanes // stride} thread * {stride}")
        above = 32
        for digit in self.warps:
            owners[digit] = ("thread", above)
            above *= self.radices[digit[0]][digit[1]]
        if above == 32 and self.threads >= 64 and self.rng.random() < 0.5:
            copies.append(f"{self.threads // 32} thread * 32")
        register = 1
        rest = [digit for digit in digits if digit not in owners]
        self.rng.shuffle(rest)
        for digit in rest:
            owners[digit] = ("reg", register)
            register *= self.radices[digit[0]][digit[1]] + self.rng.choice([0, 0, 0, 1])  # holes
        axes = []
        for axis, radices in enumerate(self.radices):
            texts = [f"{radix} {owners[axis, number][0]} * {owners[axis, number][1]}"
                     for number, radix in enumerate(radices)]
            axes.append("(" + ", ".join(reversed(texts)) + ")")
        text = f"{'x'.join(map(str, self.shape))} = [{', '.join(axes)}] threads {self.threads}"
        return f"#tile.distributed<{text}" + (f" copies ({', '.join(copies)})>" if copies else ">")
