#!/usr/bin/env python3
# programs.py - random tile programs: the simulator must agree with the interpreter.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: programs.py TILE_RUN [--seed 1] [--count 60] [--seconds 50] [--keep FOLDER]

Every program is legal by construction: no two points write one element, every element is written before it is read, and
float values are small whole numbers, so that no order of additions matters. Program n of seed s is always the same.
"""
import sys

from layouts import LayoutPair, distributed
from repeats import Repeats
from running import main
from tiles import BITS, EXTENTS, FLOATS, INTEGERS, SMALL_FLOATS, THREADS, TYPES, Tile, bracket, is_float, names, product


class Program(Repeats):
    """One random program, built statement by statement."""

    def __init__(self, rng):
        self.rng = rng
        self.threads = rng.choice(THREADS)
        self.lines, self.indent, self.next = [], 1, 0
        self.inputs, self.outputs, self.options = [], [], []
        self.tiles, self.padded = [], {}
        self.sizes = {"M": rng.choice([1, 3, 31, 40, 100, 129]), "N": rng.choice([1, 5, 33, 64, 96, 127, 256])}
        self.largest = 512 if self.threads < 32 else 4096
        self.explicit = False

    # Text.

    def say(self, line):
        self.lines.append("  " * self.indent + line)

    def name(self, prefix):
        self.next += 1
        return f"%{prefix}{self.next}"

    def shape(self, rank=None, most=None):
        rank = rank if rank is not None else self.rng.choice([1, 1, 2, 2, 2, 3])
        most = most or self.rng.choice([16, 256, 1024, self.largest])
        while True:
            shape = [self.rng.choice(EXTENTS) for _ in range(rank)]
            if product(shape) <= most:
                return shape

    def offset(self):
        return self.rng.choice(["0", "0", "1", "2", "3", "8", "16", "%b", "%b * 2", "%b * 3 + 1", "%b * 16", "%b * 8 - 5"])

    # Buffers.

    def input(self, kind, rank):
        """A global tensor with run-time sizes."""
        name = f"%x{len(self.inputs)}"
        strided = rank == 2 and self.rng.random() < 0.3
        dims = ["%M", "%N"] if rank == 2 else ["%N"] if rank == 1 else [str(self.rng.choice([2, 3, 5])), "%M", "%N"]
        extents = "".join(("?" if dim[0] == "%" else dim) + "x" for dim in dims)
        kind_text = f"memref<{extents}{kind}" + (", strided<[?, 1]>>" if strided else ">")
        self.inputs.append(f"{name}{bracket(dims)}: {kind_text}")
        if strided:
            self.options += ["--pitch", f"{name[1:]}={self.sizes['N'] + self.rng.choice([0, 1, 7, 8, 16])}"]
        if self.rng.random() < 0.3:
            self.options += ["--offset", f"{name[1:]}={self.rng.choice([1, 2, 3, 8])}"]
        if is_float(kind):
            self.options += ["--arg", f"{name[1:]}={'iota' if kind in ('f32', 'f64') else 'ones'}"]
        return name, kind_text

    def alloc(self, shape, kind, space=None, layout=None):
        space = space or self.rng.choice(["shared", "fragment", "fragment"])
        tile = Tile(self.name("t"), shape, kind, space)
        pin = f" layout({layout})" if layout else ""
        if space == "shared" and shape and self.rng.random() < 0.3:
            padding = self.rng.choice([1, 2, 4, 8])
            pin = f" layout(#tile.padded<{padding}>)"
            self.padded[tile.name] = (shape, (shape[-1] + padding) * BITS[kind])
        row = shape[-1] * BITS[kind] // 8 if shape else 0
        if space == "shared" and shape and row % 32 == 0 and self.rng.random() < 0.5:
            panel = self.rng.choice([panel for panel in (32, 64, 128) if row % panel == 0])
            pin = f" layout(#tile.swizzled<{panel}>)"
            self.padded[tile.name] = (shape, 8 * panel)
        if space == "shared" and shape and self.rng.random() < 0.2:
            pin = f" layout({self.exchanged(tile)})"
        if space == "fragment" and shape and not layout and self.rng.random() < 0.15:
            pin = f" layout({distributed(self.rng, shape, self.threads)})"
        self.say(f"{tile.name} = tile.alloc_{space}{pin} : {tile.type}")
        return tile

    def exchanged(self, tile):
        """Some XOR; its units keep every view's elements whole."""
        unit = self.rng.choice([8, 16, 32])
        bits = self.rng.choice([1, 2, 3])
        shifts = self.rng.sample(range(unit.bit_length() - 1 + bits, 14), self.rng.choice([1, 2]))
        text = f"#tile.xor<unit {unit}, bits {bits}, " + ", ".join(f"shift {shift}" for shift in shifts)
        if self.rng.random() < 0.3:
            padding = self.rng.choice([1, 2, 4, 8])
            text += f", padded {padding}"
            self.padded[tile.name] = (tile.shape, (tile.shape[-1] + padding) * BITS[tile.kind])
        return text + ">"

    def constant(self, kind):
        if kind == "i1":
            return self.rng.choice(["0", "1"])
        return self.rng.choice(["0", "1", "2", "3"]) + (".0" if is_float(kind) else "")

    def fresh(self, shape=None, kind=None, space=None):
        """A tile with every element written."""
        tile = self.alloc(shape if shape is not None else self.shape(), kind or self.rng.choice(TYPES), space)
        if not tile.shape or self.rng.random() < 0.25:
            self.say(f"tile.fill {tile.name} with {self.constant(tile.kind)} : {tile.type}")
        else:
            self.load_tile(tile)
        self.tiles.append(tile)
        return tile

    def load_tile(self, tile):
        """A copy from a global tensor, over its edges."""
        other = self.rng.random() < 0.3
        kind = self.rng.choice(INTEGERS + FLOATS) if other else tile.kind
        if tile.kind == "i1" or (is_float(kind) and not is_float(tile.kind)):
            kind = tile.kind
        rank = max(len(tile.shape), self.rng.choice([1, 2, 3]))
        name, text = self.input(kind, rank)
        starts = [self.rng.choice(["0", "1", "%b"]) if rank == 3 and axis == 0 else self.offset() for axis in range(rank)]
        start = bracket(starts)
        cast = " cast" if kind != tile.kind else ""
        pad = f" pad {self.constant(tile.kind)}" if self.rng.random() < 0.4 else ""
        # Two at a time where starts and rows are even, one by one anywhere.
        even = tile.shape[-1] % 2 == 0 and starts[-1] in ("0", "2", "8", "16", "%b * 2", "%b * 16")
        narrow = max(BITS[kind], BITS[tile.kind]) <= 32
        width = self.rng.choice([1, 2]) if even and narrow and tile.name not in self.padded else 1
        width = f" width({width})" if self.rng.random() < 0.15 else ""
        self.say(f"tile.copy {name}{start} to {tile.name}{cast}{pad}{width} : {text} to {tile.type}")

    def pick(self, space=None, kinds=None, rank=None):
        found = [tile for tile in self.tiles if (not space or tile.space == space) and
                 (not kinds or tile.kind in kinds) and (rank is None or len(tile.shape) == rank)]
        return self.rng.choice(found) if found else None

    # Statements.

    def compute(self, kind, values):
        """A value of the type from values of it; small floats are only passed on."""
        result = values[0]
        for value in values[1:]:
            if kind in SMALL_FLOATS:
                return self.rng.choice([result, value])
            new = self.name("v")
            if is_float(kind):
                op = self.rng.choice(["arith.addf", "arith.subf", "arith.maximumf", "arith.minnumf"])
            elif kind == "i1":
                op = self.rng.choice(["arith.andi", "arith.xori", "arith.ori"])
            else:
                op = self.rng.choice(["arith.addi", "arith.subi", "arith.muli", "arith.xori", "arith.maxsi"])
            self.say(f"{new} = {op} {result}, {value} : {kind}")
            result = new
        return result

    def elementwise(self):
        """dst[p] = f(sources[p], …), sources perhaps permuted or broadcast, the store perhaps guarded."""
        target = self.pick() or self.fresh()
        rank = len(target.shape)
        ivs = names("i", max(rank, 1))
        extents = [str(extent) for extent in target.shape] or ["1"]
        sources = []
        for _ in range(self.rng.choice([1, 2])):
            style = self.rng.random()
            if style < 0.35 and rank >= 2:
                order = list(range(rank))
                self.rng.shuffle(order)
                source = self.pick_like([target.shape[at] for at in order], target.kind)
                sources.append((source, [ivs[at] for at in order]))
            elif style < 0.55 and rank >= 1:
                axis = self.rng.randrange(rank)
                sources.append((self.pick_like([target.shape[axis]], target.kind), [ivs[axis]]))
            elif style < 0.7 and rank >= 1:
                axis, by = self.rng.randrange(rank), self.rng.choice([2, 3, 8])
                source = self.pick_like([-(-target.shape[axis] // by)], target.kind)
                sources.append((source, [f"{ivs[axis]} floordiv {by}"]))
            else:
                sources.append((self.pick_like(target.shape, target.kind), ivs[:rank]))
        part, shift = extents, ["0"] * len(extents)
        if rank and self.rng.random() < 0.3:
            axis = self.rng.randrange(rank)
            if target.shape[axis] > 2:
                part, shift = list(extents), list(shift)
                part[axis] = str(target.shape[axis] - 2)
                shift[axis] = self.rng.choice(["1", "2", "0"])
        self.say(f"tile.parallel {'(' + ', '.join(ivs) + ')'} in ({', '.join(part)}) {{")
        self.indent += 1
        at = [f"{iv} + {by}" if by != "0" else iv for iv, by in zip(ivs, shift)][:rank]
        values = [self.load(target, at)]
        for source, indices in sources:
            indices = at if source.root == target.root else indices
            if source.root == target.root and (source.name != target.name or source.shape != target.shape):
                continue
            values.append(self.load(source, indices))
        result = self.compute(target.kind, values)
        guard = self.rng.random()
        if guard < 0.25:
            condition, bound = self.name("c"), self.name("k")
            self.say(f"{bound} = arith.constant {self.rng.choice([1, 3, 7])} : index")
            self.say(f"{condition} = arith.cmpi {self.rng.choice(['slt', 'ne'])}, {ivs[-1]}, {bound} : index")
            self.say(f"scf.if {condition} {{")
            self.indent += 1
        self.say(f"tile.store {result}, {target.name}{bracket(at)} : {target.type}")
        if guard < 0.25:
            self.indent -= 1
            self.say("}")
        self.indent -= 1
        self.say("}")

    def pick_like(self, shape, kind):
        found = [tile for tile in self.tiles if tile.shape == list(shape) and tile.kind == kind]
        if found and self.rng.random() < 0.7:
            return self.rng.choice(found)
        lines, self.lines = self.lines, []
        tile = self.fresh(list(shape), kind)
        self.lines = lines + self.lines
        return tile

    def load(self, tile, indices):
        value = self.name("v")
        self.say(f"{value} = tile.load {tile.name}{bracket(indices)} : {tile.type}")
        return value

    def flat(self):
        """A loop over row-major numbers: floordiv and mod subscripts."""
        target = self.pick(rank=2) or self.fresh(self.shape(2))
        rows, columns = target.shape
        source = self.pick_like([rows * columns], target.kind)
        if source.root == target.root:
            return
        self.say(f"tile.parallel %i in ({rows * columns}) {{")
        self.indent += 1
        value = self.load(source, ["%i"])
        self.say(f"tile.store {value}, {target.name}[%i floordiv {columns}, %i mod {columns}] : {target.type}")
        self.indent -= 1
        self.say("}")

    def strided(self):
        """Every second element, or elements in reverse."""
        target = self.pick(rank=1) or self.fresh(self.shape(1))
        extent = target.shape[0]
        source = self.pick_like([extent], target.kind)
        if source.root == target.root:
            return
        reverse = self.rng.random() < 0.5
        count, index = (extent, f"{extent - 1} - %i") if reverse else (-(-extent // 2), "%i * 2")
        self.say(f"tile.parallel %i in ({count}) {{")
        self.indent += 1
        value = self.load(source, [index])
        self.say(f"tile.store {value}, {target.name}[{self.rng.choice(['%i', index])}] : {target.type}")
        self.indent -= 1
        self.say("}")

    def reduce(self):
        source = self.pick() or self.fresh()
        if not source.shape or source.kind in SMALL_FLOATS:
            return
        dim = self.rng.randrange(len(source.shape))
        shape = source.shape[:dim] + source.shape[dim + 1:]
        common = ["max", "min"] if source.kind != "i1" else []
        if is_float(source.kind):
            kinds = common + ["sum", "abssum", "absmax", "maxnum", "minnum", "mean"]
        else:
            kinds = ["umax", "umin", "and", "or", "xor"] + common
            kinds += ["sum", "prod", "abssum", "absmax"] if source.kind != "i1" else []
        kind = self.rng.choice(kinds)
        accumulate = kind != "mean" and self.rng.random() < 0.4
        target = self.pick_like(shape, source.kind) if accumulate else None
        if target and target.root == source.root:
            return
        if not target:
            target = self.alloc(shape, source.kind)
        self.say(f"tile.reduce {kind} {source.name} into {target.name} dim {dim}{' accumulate' if accumulate else ''} : "
                 f"{source.type} into {target.type}")
        if kind == "mean":
            self.flush(target)
        elif target not in self.tiles:
            self.tiles.append(target)

    def scan(self):
        """Prefixes along a dimension, in place or into another tile; sums and products wrap, or stay small."""
        source = self.pick() or self.fresh()
        if not source.shape or source.kind == "i1" or source.kind in SMALL_FLOATS:
            return
        dim = self.rng.randrange(len(source.shape))
        kind = self.rng.choice(["max", "min"] if is_float(source.kind) else ["sum", "prod", "max", "min"])
        clauses = self.rng.choice(["", "", " reverse", " exclusive", " reverse exclusive"])
        if is_float(source.kind) and "exclusive" in clauses:
            return  # infinities would meet
        in_place = self.rng.random() < 0.3
        target = source if in_place else self.alloc(source.shape, source.kind)
        self.say(f"tile.scan {kind} {source.name} into {target.name} dim {dim}{clauses} : {source.type} into {target.type}")
        if not in_place:
            self.tiles.append(target)

    def argreduce(self):
        source = self.pick() or self.fresh()
        if not source.shape or source.kind == "i1" or source.kind in SMALL_FLOATS:
            return
        dim = self.rng.randrange(len(source.shape))
        shape = source.shape[:dim] + source.shape[dim + 1:]
        value, index = self.alloc(shape, source.kind), self.alloc(shape, "i32")
        self.say(f"tile.argreduce {self.rng.choice(['max', 'min'])} {source.name} into {value.name}, {index.name} dim {dim} : "
                 f"{source.type} into {value.type}, {index.type}")
        self.tiles += [value, index]

    def copy(self):
        source = self.pick() or self.fresh()
        other = self.rng.random() < 0.3 and source.kind != "i1"
        kind = self.rng.choice(INTEGERS + FLOATS) if other else source.kind
        if is_float(source.kind) and not is_float(kind):
            kind = source.kind
        target = self.alloc(source.shape, kind, self.rng.choice(["shared", "fragment"]))
        self.say(f"tile.copy {source.name} to {target.name}{' cast' if kind != source.kind else ''} : "
                 f"{source.type} to {target.type}")
        self.tiles.append(target)

    def window(self):
        """A window of a tile into a smaller one, or back."""
        tile = self.pick() or self.fresh()
        if not tile.shape:
            return
        shape = [self.rng.randint(1, extent) for extent in tile.shape]
        starts = [self.rng.randint(0, extent - part) for extent, part in zip(tile.shape, shape)]
        if product(shape) == product(tile.shape):
            return
        small = self.pick_like(shape, tile.kind)
        if small.root == tile.root:
            return
        at = bracket([str(start) for start in starts])
        if self.rng.random() < 0.5:
            self.say(f"tile.copy {tile.name}{at} to {small.name} : {tile.type} to {small.type}")
        else:
            self.say(f"tile.copy {small.name} to {tile.name}{at} : {small.type} to {tile.type}")

    def alias(self):
        """Another name for a tile."""
        tile = self.pick()
        if not tile or not tile.shape:
            return
        style = self.rng.random()
        name = self.name("n")
        if style < 0.4:
            count = product(tile.shape)
            shape = self.rng.choice([[count], [1, count], tile.shape[::-1]] + [[count // by, by] for by in (2, 4, 8) if count % by == 0])
            new = Tile(name, shape, tile.kind, tile.space, tile.root)
            if tile.sliced:
                return
            self.say(f"{name} = tile.reshape {tile.name} : {tile.type} to {new.type}")
        elif style < 0.7:
            shape = [self.rng.randint(1, extent) for extent in tile.shape]
            starts = [self.rng.randint(0, extent - part) for extent, part in zip(tile.shape, shape)]
            new = Tile(name, shape, tile.kind, tile.space, tile.root)
            new.sliced = True
            self.say(f"{name} = tile.slice {tile.name}{bracket(map(str, starts))} : {tile.type} to {new.type}")
        else:
            if tile.kind not in INTEGERS or tile.sliced:
                return
            kind = self.rng.choice(INTEGERS)
            rows = self.rng.choice([tile.shape[:-1], tile.shape[:-1], [], [1], [2], [4]])
            if tile.root in self.padded:
                shape, pitch = self.padded[tile.root]
                rows = shape[:-1]  # they keep their place
                if len(shape) > 1 and pitch % BITS[kind]:
                    return
            bits = product(tile.shape) * BITS[tile.kind]
            if bits % (BITS[kind] * product(rows)):
                return
            new = Tile(name, rows + [bits // (BITS[kind] * product(rows))], kind, tile.space, tile.root)
            self.say(f"{name} = tile.view {tile.name} : {tile.type} to {new.type}")
        new.sliced |= tile.sliced
        self.tiles.append(new)

    def atomic(self):
        kind = self.rng.choice(["i32", "i64"])
        source = self.pick(kinds=[kind]) or self.fresh(kind=kind)
        if not source.shape:
            return
        by = self.rng.choice([1, 2, 7, 32])
        target = self.alloc([-(-source.shape[-1] // by)], kind, "shared")
        self.say(f"tile.fill {target.name} with 0 : {target.type}")
        ivs = names("i", len(source.shape))
        self.say(f"tile.parallel ({', '.join(ivs)}) in ({', '.join(map(str, source.shape))}) {{")
        self.indent += 1
        value = self.load(source, ivs)
        op = self.rng.choice(["add", "max", "umin", "xor", "or"])
        self.say(f"tile.atomic {op} {value}, {target.name}[{ivs[-1]} floordiv {by}] : {target.type}")
        self.indent -= 1
        self.say("}")
        self.tiles.append(target)

    def loop(self):
        """Statements on existing tiles, several times."""
        tile = self.pick() or self.fresh()
        trips = self.rng.choice(["2", "3", "1", "%M floordiv 16"])
        word = self.rng.choice(["serial", "serial", "unrolled"])
        others = [self.pick_like(tile.shape, tile.kind) for _ in range(2)]
        kept = list(self.tiles)
        self.say(f"tile.{word} {self.name('k')} in ({trips}) {{")
        self.indent += 1
        for _ in range(self.rng.choice([1, 2])):
            self.rng.choice([self.elementwise, self.elementwise, self.copy, self.window, self.reduce, self.scan,
                             self.argreduce])()
        self.indent -= 1
        self.say("}")
        self.tiles = kept
        return others

    def dynamic(self):
        """A parallel loop over run-time extents, from global to global."""
        kind = self.rng.choice(TYPES)
        name, text = self.input(kind, 2)
        out = f"%d{len(self.outputs)}"
        self.outputs.append(f"{out}[%M, %N]: memref<?x?x{kind}>")
        self.say("tile.parallel (%i, %j) in (%M, %N) {")
        self.indent += 1
        value = self.name("v")
        shifted = self.rng.choice(["%j", "%j + 1", "%j - 3", f"{self.sizes['N']} - %j"])
        self.say(f"{value} = tile.load {name}[%i, {shifted}] : {text}")
        condition, zero = self.name("c"), self.name("z")
        self.say(f"{zero} = arith.constant 0 : index")
        self.say(f"{condition} = arith.cmpi eq, %b, {zero} : index")
        self.say(f"scf.if {condition} {{")
        self.say(f"  tile.store {value}, {out}[%i, %j] : memref<?x?x{kind}>")
        self.say("}")
        self.indent -= 1
        self.say("}")

    def by_thread(self):
        """The explicit style: private arrays, vectors, a shared tile and barriers."""
        kind, width = self.rng.choice(TYPES), self.rng.choice([1, 2, 3, 4, 8])
        count = self.threads * width
        name, text = self.input(kind, 1)
        shared = self.alloc([count], kind, "shared")
        local = self.name("p")
        self.say(f"{local} = tile.alloc_local : memref<{width}x{kind}, #tile.local>")
        self.say(f"tile.vectorized %v in ({width}) {{")
        self.say(f"  %e = tile.load {name}[%t * {width} + %v + {self.rng.choice([0, 0, 1, 8])}] : {text}")
        self.say(f"  tile.store %e, {local}[%v] : memref<{width}x{kind}, #tile.local>")
        self.say("}")
        self.say("tile.sync")
        self.say(f"tile.unrolled %u in ({width}) {{")
        self.say(f"  %e = tile.load {local}[%u] : memref<{width}x{kind}, #tile.local>")
        place = self.rng.choice([f"%t * {width} + %u", f"%u * {self.threads} + %t"])
        self.say(f"  tile.store %e, {shared.name}[{place}] : {shared.type}")
        self.say("}")
        self.say("tile.sync")
        self.tiles.append(shared)
        self.explicit = True

    def gather(self):
        """Elements from anywhere: a scattered or data-dependent subscript, summed by a loop of each point."""
        target = self.pick(rank=1) or self.fresh(self.shape(1))
        extent = self.rng.choice(EXTENTS)
        source = self.pick_like([extent], target.kind)
        if source.root == target.root:
            return
        self.say(f"tile.parallel %i in ({target.shape[0]}) {{")
        self.indent += 1
        style = self.rng.random()
        if style < 0.5:
            value = self.load(source, [f"(%i * {self.rng.choice([1, 5, 7])} + {self.rng.choice([0, 3])}) mod {extent}"])
            self.say(f"tile.store {value}, {target.name}[%i] : {target.type}")
        else:
            word = self.rng.choice(["serial", "unrolled", "vectorized"])
            trips = 2 if word == "vectorized" else self.rng.choice([1, 3])
            self.say(f"tile.{word} %w in ({trips}) {{")
            self.indent += 1
            values = [self.load(target, ["%i"]), self.load(source, [f"(%i + %w) mod {extent}"])]
            result = self.compute(target.kind, values)
            self.say(f"tile.store {result}, {target.name}[%i] : {target.type}")
            self.indent -= 1
            self.say("}")
        self.indent -= 1
        self.say("}")

    def vectors(self):
        """Points that move several elements each."""
        width = self.rng.choice([2, 3, 4, 8])
        target = self.alloc([self.rng.choice([1, 5, 16, 33]) * width], self.rng.choice(TYPES))
        source = self.pick_like(target.shape, target.kind)
        self.say(f"tile.parallel %i in ({target.shape[0] // width}) {{")
        self.say(f"  tile.vectorized %w in ({width}) {{")
        self.indent += 2
        value = self.load(source, [f"%i * {width} + %w"])
        self.say(f"tile.store {value}, {target.name}[%i * {width} + %w] : {target.type}")
        self.indent -= 2
        self.say("  }")
        self.say("}")
        self.tiles.append(target)

    def pinned(self):
        """A loop whose layout the user gives."""
        target = self.pick() or self.fresh()
        if not target.shape:
            return
        source = self.pick_like(target.shape, target.kind)
        if source.root == target.root:
            return
        ivs = names("i", len(target.shape))
        layout = distributed(self.rng, target.shape, self.threads)
        self.say(f"tile.parallel ({', '.join(ivs)}) in ({', '.join(map(str, target.shape))}) layout({layout}) {{")
        self.indent += 1
        value = self.load(source, ivs)
        self.say(f"tile.store {value}, {target.name}{bracket(ivs)} : {target.type}")
        self.indent -= 1
        self.say("}")

    def converted(self):
        """A fragment in two layouts that agree about the warp of each element; read, copied or computed with."""
        shape = self.shape(most=self.rng.choice([16, 256, 1024]))
        kind = self.rng.choice(TYPES)
        pair = LayoutPair(self.rng, shape, self.threads)
        source, target = (self.alloc(shape, kind, "fragment", pair.layout()) for _ in range(2))
        self.load_tile(source)
        if self.rng.random() < 0.5:
            self.say(f"tile.copy {source.name} to {target.name} : {source.type} to {target.type}")
        else:
            self.load_tile(target)
            ivs = names("i", len(shape))
            pin = f" layout({pair.layout()})" if self.rng.random() < 0.5 else ""
            self.say(f"tile.parallel ({', '.join(ivs)}) in ({', '.join(map(str, shape))}){pin} {{")
            self.indent += 1
            result = self.compute(kind, [self.load(source, ivs), self.load(target, ivs)])
            self.say(f"tile.store {result}, {target.name}{bracket(ivs)} : {target.type}")
            self.indent -= 1
            self.say("}")
        self.tiles += [source, target]

    def branch(self):
        """Statements of the whole block under a condition that all threads agree on."""
        zero, condition = self.name("z"), self.name("c")
        tile = self.pick() or self.fresh()
        self.pick_like(tile.shape, tile.kind)
        kept = list(self.tiles)
        self.say(f"{zero} = arith.constant 0 : index")
        self.say(f"{condition} = arith.cmpi eq, %b, {zero} : index")
        self.say(f"scf.if {condition} {{")
        self.indent += 1
        self.rng.choice([self.elementwise, self.window, self.reduce, self.gather, self.scan, self.argreduce,
                         self.converted])()
        self.indent -= 1
        self.say("}")
        self.tiles = kept

    def large(self):
        """A tile of many elements a thread."""
        if self.threads >= 96:
            self.fresh(self.rng.choice([[64, 128], [128, 100], [9000], [3, 2048]]), self.rng.choice(["f16", "i8", "f32"]))

    def scalar(self):
        """An element of a tile, read by every thread, steers a fill."""
        tile = self.pick()
        if not tile or not tile.shape:
            return
        value = self.load(tile, [str(self.rng.randrange(extent)) for extent in tile.shape])
        target = self.alloc(self.shape(), tile.kind)
        self.say(f"tile.fill {target.name} with {value} : {target.type}")
        self.tiles.append(target)

    def flush(self, tile):
        """The tile's present contents, as an output."""
        out, text = self.output(tile.shape, tile.kind)
        start = bracket(["%b"] + ["0"] * len(tile.shape))
        self.say(f"tile.copy {tile.name} to {out}{start} : {tile.type} to {text}")

    def output(self, shape, kind):
        """A tensor of the shape for each block."""
        name, text = f"%o{len(self.outputs)}", f"memref<2x{''.join(f'{extent}x' for extent in shape)}{kind}>"
        self.outputs.append(f"{name}: {text}")
        return name, text

    def text(self):
        statements = [self.elementwise] * 4 + [self.repeated] * 2 + [self.converted] * 2
        statements += [self.flat, self.strided, self.reduce, self.scan, self.argreduce, self.copy, self.window, self.alias,
                       self.atomic, self.loop, self.dynamic, self.by_thread, self.scalar, self.gather, self.vectors,
                       self.pinned, self.branch, self.large]
        self.fresh()
        for _ in range(self.rng.choice([1, 2, 3, 4, 6])):
            self.rng.choice(statements)()
        for tile in self.tiles:
            if tile.root == tile.name:
                self.flush(tile)
        arguments = ", ".join(self.inputs + self.outputs)
        used = [size for size in ("M", "N") if f"%{size}]" in arguments or f"%{size}," in arguments]
        for size in used:
            self.options += ["--dim", f"{size}={self.sizes[size]}"]
        body = [line.replace("%M floordiv 16", "2") if "M" not in used else line for line in self.lines]
        sizes = bracket([f"%{size}" for size in used]) if used else ""
        tensors = ", ".join(argument.split(":")[0].split("[")[0] for argument in self.inputs + self.outputs)
        apart = f" disjoint({tensors})" if self.rng.random() < 0.5 else ""
        head = f"tile.kernel @f{sizes}({arguments}) grid(%b) in (2) threads({self.threads}){apart} {{"
        thread = ["  %t = tile.thread_id"] if self.explicit else []
        return "\n".join([head] + thread + body + ["}", ""])


if __name__ == "__main__":
    sys.exit(main(Program, "program"))
