#!/usr/bin/env python3
# long_rows.py - rows longer than the registers, reduced and computed with: the simulator must agree with the interpreter.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: long_rows.py TILE_RUN [--seed 1] [--first 0] [--count 60] [--seconds 50] [--keep FOLDER]

Random phases over fragments of 20000 to 70000 words a block: what is held in shared memory, in registers or read again.
"""
import sys

from running import main

THREADS = [32, 64, 96, 128, 160, 256, 512, 1024]
FLOAT_KINDS = ["mean", "mean", "max", "min", "maxnum", "minnum", "absmax", "sum", "abssum"]
WHOLE_KINDS = ["sum", "max", "min", "umax", "and", "or", "xor", "absmax", "abssum", "prod"]


class LongRows:
    """A tensor, a fragment of some of its rows, and phases that reduce it and change it."""

    def __init__(self, rng):
        self.rng = rng
        self.threads = rng.choice(THREADS)
        self.lines_of_block = rng.choice([1, 1, 1, 2, 3, 4])
        self.is_float = rng.random() < 0.6
        self.kind = rng.choice(["f32"] * 4 + ["f64"]) if self.is_float else rng.choice(["i32", "i32", "i16", "i64"])
        narrow = {"f32": ["bf16", "bf16", "f16", "f32"], "f64": ["f64"], "i32": ["i32"], "i16": ["i16"], "i64": ["i64"]}
        self.outer = rng.choice(narrow[self.kind])
        words = {"f64": 2, "i64": 2, "i16": 0.5}.get(self.kind, 1)
        self.columns = int(rng.choice([20480, 21000, 24576, 32768, 40000, 50000, 65537, 70000]) / self.lines_of_block / words)
        if rng.random() < 0.7:
            self.columns = self.columns // 16 * 16 + 16
        self.rows = self.lines_of_block + rng.choice([0, 1])  # the last block may have none for some of its lines
        # Sums of so many f32 differ by their order, by more than what is left where they cancel.
        self.options = ["--rtol", "1e-4", "--atol", "1e-4"] if self.outer == "f32" else []
        if self.is_float and rng.random() < 0.5:
            self.options += ["--arg", "x=uniform"]
        self.promise = "disjoint(%x, %t, %w, %y) "
        if rng.random() < 0.2:  # a block reads and writes its own rows, which may then be the same
            self.promise = ""
            self.options += ["--arg", "y=@x"] if rng.random() < 0.5 else []
        self.lines, self.depth, self.names = [], 1, 0

    def say(self, line):
        self.lines.append("  " * self.depth + line)

    def op(self, name, a, b):
        self.names += 1
        self.say(f"  %v{self.names} = arith.{name}{'f' if self.is_float else 'i'} {a}, {b} : {self.kind}")
        return f"%v{self.names}"

    def mixed(self, value, other):
        """Floats stay about as large as they are."""
        if not self.is_float:
            return self.op(self.rng.choice(["add", "sub", "xor", "mul"]), value, other)
        return self.op("add", self.op("mul", value, "%half"), self.op("mul", other, "%small"))

    def column(self):
        """The number of the column, as an element."""
        self.names += 1
        name = f"%c{self.names}"
        wide = "i64" if self.kind in ("f64", "i64") else "i32"
        self.say(f"  {name}i = arith.index_cast %j : index to {wide if self.is_float else self.kind}")
        if self.is_float:
            self.say(f"  {name} = arith.sitofp {name}i : {wide} to {self.kind}")
        return name if self.is_float else name + "i"

    def weight(self):
        self.names += 1
        name, at = self.rng.choice([("%w", "[%j]"), ("%t", "[%b * $R + %i, %j]")])
        self.say(f"  %h{self.names} = tile.load {name}{at} : !{name[1].upper()}")
        if self.outer == self.kind:
            return f"%h{self.names}"
        self.say(f"  %h{self.names}w = arith.extf %h{self.names} : {self.outer} to {self.kind}")
        return f"%h{self.names}w"

    def reduce(self, source, target):
        kind = self.rng.choice(FLOAT_KINDS if self.is_float else WHOLE_KINDS)
        can_add = kind != "mean" and (self.is_float or self.kind != "i16") and self.rng.random() < 0.2
        if can_add:
            self.say(f"tile.fill {target} with {'1.5' if self.is_float else '3'} : !One")
        self.say(f"tile.reduce {kind} {source} into {target} dim 1{' accumulate' if can_add else ''} : !Row into !One")

    def change(self, source, target, results):
        self.say("tile.parallel (%i, %j) in ($R, $N) {")
        self.say(f"  %v = tile.load {source}[%i, %j] : !Row")
        value = "%v"
        for number, name in enumerate(results):
            self.say(f"  %o{number} = tile.load {name}[%i] : !One")
            value = self.mixed(value, f"%o{number}")
        if self.has_second and self.rng.random() < 0.7:
            self.say("  %u = tile.load %q[%i, %j] : !Row")
            value = self.mixed(value, "%u")
        if self.rng.random() < 0.3:
            value = self.mixed(value, self.column())
        if self.rng.random() < 0.3:
            value = self.mixed(value, self.weight())
        if target == "%y":
            if self.outer != self.kind:
                self.say(f"  %narrow = arith.truncf {value} : {self.kind} to {self.outer}")
                value = "%narrow"
            self.say(f"  tile.store {value}, %y[%b * $R + %i, %j] : !T")
        else:
            self.say(f"  tile.store {value}, {target}[%i, %j] : !Row")
        self.say("}")

    def program(self):
        cast = " cast" if self.outer != self.kind else self.rng.choice(["", f" pad {'2.0' if self.is_float else '5'}"])
        self.say(f"tile.copy %x[%b * $R, 0] to %r{cast} : !T to !Row")
        self.has_second = self.rng.random() < 0.3
        if self.has_second:
            self.say(f"tile.copy %t[%b * $R, 0] to %q{cast} : !T to !Row")
        current = "%r"
        reuses = self.rng.random() < 0.4
        for phase in range(self.rng.choice([1, 2, 2, 3])):
            results = [f"%s{0 if reuses else phase}"]
            self.reduce(current, results[0])
            if self.rng.random() < 0.3:
                results.append(f"%z{0 if reuses else phase}")
                self.reduce(current, results[1])
            following = self.rng.choice([current, "%r", "%r" if self.has_second else "%q"])
            self.change(current, following, results)
            current = following
        if self.rng.random() < 0.5:
            self.change(current, "%y", results)
        else:
            self.say(f"tile.copy {current} to %y[%b * $R, 0]{' cast' if self.outer != self.kind else ''} : !Row to !T")

    def text(self):
        for name in ["r", "q"] + [f"{letter}{phase}" for letter in "sz" for phase in range(3)]:
            self.say(f"%{name} = tile.alloc_fragment : !{'Row' if name in 'rq' else 'One'}")
        if self.is_float:
            self.say(f"%half = arith.constant 0.5 : {self.kind}")
            self.say(f"%small = arith.constant 1.0e-4 : {self.kind}")
        in_loop = self.rng.random() < 0.3
        if in_loop:
            self.say("tile.serial %k in (2) {")
            self.depth = 2
        self.program()
        if in_loop:
            self.depth = 1
            self.say("}")
        body = "\n".join(self.lines)
        text = (f"!T = memref<{self.rows}x$Nx{self.outer}>\n!W = memref<$Nx{self.outer}>\n!One = memref<$Rx{self.kind}, #tile.fragment>\n"
                f"!Row = memref<$Rx$Nx{self.kind}, #tile.fragment>\n"
                f"tile.kernel @f(%x: !T, %t: !T, %w: !W, %y: !T) grid(%b) in ({-(-self.rows // self.lines_of_block)}) threads({self.threads}) "
                f"{self.promise}{{\n{body}\n}}\n")
        return text.replace("$R", str(self.lines_of_block)).replace("$N", str(self.columns))


if __name__ == "__main__":
    sys.exit(main(LongRows, "long_rows"))
