#!/usr/bin/env python3
# rows.py - scans and reductions in any layout: the simulator must agree with the interpreter.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: rows.py TILE_RUN [--seed 1] [--first 0] [--count 60] [--seconds 50] [--keep FOLDER]

Sums are of small whole numbers, products of twos, so that no order of operations matters and every bit
must agree. Program n of seed s is always the same.
"""
import sys

from running import main
from tiles import bracket, is_float, product

WIDTHS = [1, 2, 7, 31, 32, 33, 64, 96, 100, 127, 128, 257, 1000, 1024, 1152, 2500, 3000, 4097, 8200]
THREADS = [1, 5, 32, 33, 48, 64, 96, 100, 128, 160, 256, 352, 512, 1024, 1024]
ROWS = [1, 1, 1, 2, 3, 4, 16]
TYPES = ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f32", "f64"]


class Rows:
    """One random program: a tile, and what is computed along its dimensions."""

    def __init__(self, rng):
        self.rng = rng
        self.threads = rng.choice(THREADS)
        self.kind = rng.choice(TYPES)
        # Several blocks, each with a part of every tensor: rows of odd length begin anywhere in a vector.
        self.blocks = rng.choice([0, 0, 5, 17])
        most = 65536 if self.threads >= 128 else 256 * self.threads
        while True:
            self.shape = [rng.choice(ROWS), rng.choice(WIDTHS)]
            if rng.random() < 0.2:
                self.shape.insert(rng.randrange(3), rng.choice([2, 3, 5]))
            if rng.random() < 0.2:
                rng.shuffle(self.shape)
            if product(self.shape) <= min(most, 16384):
                break
        self.lines, self.arguments, self.options = [], [], ["--rtol", "0", "--atol", "0"]

    def split(self, extent, left, registers):
        """Digits of one axis, the lowest first: (radix, owner)."""
        digits, covered = [], 1
        for _ in range(20):
            owner = self.rng.choice(["reg", "thread", "thread"])
            radix = self.rng.choice([2, 2, 3, 4, 5, 8, 16, 32, 64, extent])
            if covered >= extent or radix > (left if owner == "thread" else registers) or covered * radix > 2 * extent:
                continue
            digits.append([radix, owner])
            covered *= radix
            if owner == "thread":
                left //= radix
            else:
                registers //= radix
        if covered < extent:
            digits.append([-(-extent // covered), "reg"])
        return digits

    def layout(self):
        """Digits in any order, with idle threads in between and copies above."""
        axes, left = [], self.threads
        for extent in self.shape:
            axes.append(self.split(extent, left, 8))
            for radix, owner in axes[-1]:
                left //= radix if owner == "thread" else 1
        strides = {"reg": 1, "thread": 1}
        every = [digit for axis in axes for digit in axis]
        self.rng.shuffle(every)
        for digit in every:
            digit.append(strides[digit[1]])
            strides[digit[1]] *= digit[0]
            if digit[1] == "thread" and left >= 2 and self.rng.random() < 0.1:
                strides["thread"] *= 2
                left //= 2
        text = ", ".join("(" + ", ".join(f"{radix} {owner} * {stride}" for radix, owner, stride in reversed(axis)) + ")"
                         if axis else "(1 reg)" for axis in axes)
        copies = f" copies ({left} thread * {strides['thread']})" if left > 1 and self.rng.random() < 0.3 else ""
        return f"#tile.distributed<{'x'.join(map(str, self.shape))} = [{text}] threads {self.threads}{copies}>"

    def memref(self, shape, kind, space=""):
        return f"memref<{''.join(f'{extent}x' for extent in shape)}{kind}{', #tile.' + space if space else ''}>"

    def tile(self, name, shape, kind, may_pin=False):
        space = self.rng.choice(["fragment", "fragment", "fragment", "shared"])
        if product(shape) * 8 > 32768:
            space = "fragment"
        pin = f" layout({self.layout()})" if may_pin and space == "fragment" and self.rng.random() < 0.5 else ""
        self.lines.append(f"{name} = tile.alloc_{space}{pin} : {self.memref(shape, kind, space)}")
        return self.memref(shape, kind, space)

    def input(self, name, values, pad, element=None):
        """A tile from a tensor that may be smaller: the rest is padded."""
        sizes = [max(1, extent - self.rng.choice([0, 0, 0, 1, 3])) for extent in self.shape]
        memory = self.memref(self.outer(sizes), element or self.kind)
        self.arguments.append(f"{name}_in: {memory}")
        self.options += ["--arg", f"{name[1:]}_in={values}"]
        kind = self.tile(name, self.shape, self.kind, may_pin=True)
        start = bracket(["%b"] * (self.blocks > 0) + ["0"] * len(sizes))
        cast = " cast" if element not in (None, self.kind) else ""
        literal = f"{pad}.0" if is_float(self.kind) else pad
        self.lines.append(f"tile.copy {name}_in{start} to {name}{cast} pad {literal} : {memory} to {kind}")
        return kind

    def outer(self, shape):
        """The extents of a tensor that holds such a tile for each block."""
        return [self.blocks, *shape] if self.blocks else shape

    def output(self, name, kind, shape, element):
        memory = self.memref(self.outer(shape), element)
        self.arguments.append(f"{name}_out: {memory}")
        start = bracket(["%b"] + ["0"] * len(shape)) if self.blocks else ""
        self.lines.append(f"tile.copy {name} to {name}_out{start} : {kind} to {memory}")

    def scan(self, number, source, source_type, op):
        name = f"%s{number}"
        clauses = self.rng.choice(["", "", " reverse", " exclusive", " reverse exclusive"])
        dim = self.rng.randrange(len(self.shape))
        if max(self.shape) > 7 and self.rng.random() < 0.7:
            dim = self.shape.index(max(self.shape))
        target = self.tile(name, self.shape, self.kind, may_pin=self.rng.random() < 0.2)
        alone = len(self.lines)
        if self.rng.random() < 0.2:
            self.lines.append(f"tile.copy {source} to {name} : {source_type} to {target}")
            source, source_type = name, target
        self.lines.append(f"tile.scan {op} {source} into {name} dim {dim}{clauses} : {source_type} into {target}")
        result = self.total(number, source, source_type, op, dim) if self.rng.random() < 0.6 else None
        self.repeat(alone, number)
        self.output(name, target, self.shape, self.kind)
        if result:
            self.output(*result, self.kind)

    def repeat(self, first, number):
        """Now and then, what was written since line `first` runs in a loop, or in a loop in a loop; totals are carried."""
        for depth in range(self.rng.choice([0, 0, 0, 1, 1, 2])):
            ahead = [line for line in self.lines[first:] if "alloc" in line or line.startswith("tile.fill %r")]
            body = [line for line in self.lines[first:] if line not in ahead]
            loop = self.rng.choice(["serial", "serial", "unrolled"])
            self.lines[first:] = [*ahead, f"tile.{loop} %k{number}_{depth} in ({self.rng.choice([1, 2, 3])}) {{", *body, "}"]

    def total(self, number, source, source_type, op, dim):
        """A reduction beside a scan, which may take its total: mostly of the same kind and dimension, with no write in
        between."""
        literal = "2.0" if is_float(self.kind) else "2"
        if self.rng.random() < 0.2:
            self.lines.append(f"tile.fill {source} with {literal} : {source_type}")
        if self.rng.random() < 0.1:
            dim = self.rng.randrange(len(self.shape))
        if self.rng.random() < 0.1:
            op = self.rng.choice(["max", "min"])
        return self.reduce(f"{number}t", source, source_type, op, dim,
                           accumulate=literal if self.rng.random() < 0.5 else None)

    def search(self, number, source, source_type):
        dim = self.rng.randrange(len(self.shape))
        shape = self.shape[:dim] + self.shape[dim + 1:]
        value, index = f"%v{number}", f"%i{number}"
        value_type, index_type = self.tile(value, shape, self.kind), self.tile(index, shape, "i32")
        self.lines.append(f"tile.argreduce {self.rng.choice(['max', 'min'])} {source} into {value}, {index} dim {dim} : "
                          f"{source_type} into {value_type}, {index_type}")
        self.output(value, value_type, shape, self.kind)
        self.output(index, index_type, shape, "i32")

    def add(self, source, source_type):
        """A tensor with one value a row, a column or a block, added where the rows are."""
        kept = [axis for axis in range(len(self.shape)) if self.rng.random() < 0.4]
        memory = self.memref(self.outer([self.shape[axis] for axis in kept] or [1]), self.kind)
        self.arguments.append(f"%a_in: {memory}")
        target = self.tile("%a", self.shape, self.kind)
        ivs = [f"%n{axis}" for axis in range(len(self.shape))]
        start = ["%b"] * (self.blocks > 0) + ([ivs[axis] for axis in kept] or ["0"])
        self.lines += [f"tile.parallel ({', '.join(ivs)}) in ({', '.join(map(str, self.shape))}) {{",
                       f"%e = tile.load {source}{bracket(ivs)} : {source_type}",
                       f"%f = tile.load %a_in{bracket(start)} : {memory}",
                       f"%g = arith.add{'f' if is_float(self.kind) else 'i'} %e, %f : {self.kind}",
                       f"tile.store %g, %a{bracket(ivs)} : {target}", "}"]
        self.output("%a", target, self.shape, self.kind)

    def reduce(self, number, source, source_type, op, dim, accumulate=None):
        """The target holds `accumulate` before, if that is given; (name, type, shape) of the target."""
        shape = self.shape[:dim] + self.shape[dim + 1:]
        name = f"%r{number}"
        target = self.tile(name, shape, self.kind)
        if accumulate:
            self.lines.append(f"tile.fill {name} with {accumulate} : {target}")
        clause = " accumulate" if accumulate else ""
        self.lines.append(f"tile.reduce {op} {source} into {name} dim {dim}{clause} : {source_type} into {target}")
        return name, target, shape

    def text(self):
        counted = self.input("%x", "uniform", 1, "i8")
        drawn = self.input("%y", "normal", 0)
        doubled = self.input("%p", "const:2", 2)
        if self.rng.random() < 0.5:
            self.scan(0, "%x", counted, "sum")
        if self.rng.random() < 0.5:
            self.scan(1, "%p", doubled, "prod")
        if self.rng.random() < 0.5:
            self.scan(2, "%y", drawn, self.rng.choice(["max", "min"]))
        if self.rng.random() < 0.3:
            self.output(*self.reduce(3, "%x", counted, "sum", self.rng.randrange(len(self.shape))), self.kind)
        self.search(4, "%y", drawn)
        if self.rng.random() < 0.5:
            self.add("%y", drawn)
        body = "".join(f"  {line}\n" for line in self.lines)
        return f"tile.kernel @f({', '.join(self.arguments)}) grid(%b) in ({self.blocks or 1}) threads({self.threads}) {{\n{body}}}\n"


if __name__ == "__main__":
    sys.exit(main(Rows, "rows"))
