#!/usr/bin/env python3
# flights.py - loops that fill pieces of shared tiles for later trips: the simulator must agree with the interpreter.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: flights.py TILE_RUN [--seed 1] [--first 0] [--count 60] [--seconds 50] [--keep FOLDER]

The simulator reports what is read or written before it has arrived. Integers, so that every bit must agree.
"""
import sys

from running import main

THREADS = [1, 5, 32, 33, 48, 64, 96, 128, 160, 256]
PIECES = [8, 16, 31, 32, 64, 64, 96, 100, 128, 128, 256]


class Flights:
    """A tensor of rows, tiles of a few pieces in shared memory, and one or two loops over them."""

    def __init__(self, rng):
        self.rng = rng
        self.threads = rng.choice(THREADS)
        self.kind = rng.choice(["i8", "i16", "i32", "i32", "i64"])
        self.piece = rng.choice(PIECES)
        self.pieces = rng.choice([1, 2, 3, 4])
        self.columns = self.piece * rng.choice([1, 2, 5]) + rng.choice([0, 0, 0, 0, 0, 1, 4, 16])
        self.rows = rng.choice([1, 2, 3, 7])
        self.options = []
        self.depth = 0
        self.lines, self.tiles = [], [f"%t{number}" for number in range(rng.choice([1, 1, 2]))]

    def say(self, line):
        self.lines.append("  " * (self.depth + 1) + line)

    def place(self):
        """Where a piece begins, from the variables in scope: its own, a neighbour's, or across two."""
        step, piece = ["%k", "%r"][: self.depth], self.piece
        options = [str(self.rng.randrange(self.pieces) * piece)]
        for name in step:
            options += [f"({name} mod {self.pieces}) * {piece}"] * 2
            options += [f"(({name} + 1) mod {self.pieces}) * {piece}"]
            if self.pieces > 1:
                options.append(f"({name} mod {self.pieces - 1}) * {piece} + {self.rng.randrange(piece)}")
        if self.depth == self.loops and self.trips <= self.pieces:
            options += [f"%k * {piece}"] * 4
        return self.rng.choice(options)

    def column(self):
        names = ["%k", "%r"][: self.depth]
        steps = [1, 4, 16, self.piece, self.piece, self.piece]
        return " + ".join([f"{name} * {self.rng.choice(steps)}" for name in names] + [self.rng.choice(["0", "0", "0", "1", "16"])])

    def fill(self, tile, place):
        """A copy from the tensor, which may end before the piece does."""
        row = self.rng.choice(["%b", "%b", "0"] + ["%b + %k"] * (self.depth > 0))
        self.say(f"tile.parallel (%i) in ({self.piece}) {{")
        self.say(f"  %v = tile.load %x[{row}, {self.column()} + %i] : !X")
        self.say(f"  tile.store %v, {tile}[{place} + %i] : !Tile")
        self.say("}")

    def read(self, tile, place):
        """Adds a piece, in its order or backwards, to what the block has."""
        at = self.rng.choice([f"{place} + %i", f"{place} + %i", f"{place} + {self.piece - 1} - %i"])
        self.say(f"tile.parallel (%i) in ({self.piece}) {{")
        self.say(f"  %v = tile.load {tile}[{at}] : !Tile")
        self.say("  %s = tile.load %sum[%i] : !Sum")
        self.say(f"  %o = arith.addi %s, %v : {self.kind}")
        self.say("  tile.store %o, %sum[%i] : !Sum")
        self.say("}")

    def write(self, tile, place):
        self.say(f"tile.parallel (%i) in ({self.piece}) {{")
        self.say("  %v = tile.load %sum[%i] : !Sum")
        self.say(f"  tile.store %v, {tile}[{place} + %i] : !Tile")
        self.say("}")

    def step(self):
        what = self.rng.choice(["fill", "fill", "fill", "read", "read", "write", "scan", "sync"])
        if what == "scan":
            self.say("tile.scan sum %sum into %sum dim 0 : !Sum into !Sum")
        elif what == "sync":
            self.say("tile.sync")
        else:
            getattr(self, what)(self.rng.choice(self.tiles), self.place())

    def text(self):
        self.loops = self.rng.choice([1, 1, 2])
        self.trips = self.rng.choice([1, 2, 3, 4, 6])
        for tile in self.tiles:
            self.say(f"{tile} = tile.alloc_shared : !Tile")
        self.say("%sum = tile.alloc_fragment : !Sum")
        self.say("tile.fill %sum with 1 : !Sum")
        for tile in self.tiles:
            for number in range(self.pieces):
                self.fill(tile, str(number * self.piece))
        if self.loops == 2:
            self.say(f"tile.serial %r in ({self.rng.choice([1, 2, 3])}) {{")
            self.depth = 2
        else:
            self.depth = 1
        self.say(f"tile.serial %k in ({self.trips}) {{")
        for _ in range(self.rng.choice([2, 3, 4, 5])):
            self.step()
        self.say("}")
        if self.loops == 2:
            for _ in range(self.rng.choice([0, 1])):
                self.say("tile.scan sum %sum into %sum dim 0 : !Sum into !Sum")
            self.say("}")
        self.depth = 0
        self.read(self.tiles[0], "0")
        self.say("tile.copy %sum to %y[%b, 0] : !Sum to !Y")
        body = "\n".join(self.lines)
        return (f"!X = memref<{self.rows}x{self.columns}x{self.kind}>\n!Y = memref<{self.rows}x{self.piece}x{self.kind}>\n"
                f"!Tile = memref<{self.piece * self.pieces}x{self.kind}, #tile.shared>\n"
                f"!Sum = memref<{self.piece}x{self.kind}, #tile.fragment>\n"
                f"tile.kernel @f(%x: !X, %y: !Y) grid(%b) in ({self.rows}) threads({self.threads}) disjoint(%x, %y) {{\n"
                f"{body}\n}}\n")


if __name__ == "__main__":
    sys.exit(main(Flights, "flights"))
