# repeats.py - statements of random programs: loads that bring the same at several points of their loop.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from layouts import distributed
from tiles import TYPES, bracket, names


class Repeats:
    """Part of a program: what it needs of the rest is `rng`, `threads`, and how to say, make and read things."""

    def part_of(self, ivs):
        """A subscript that may stay while a variable runs through some neighbours, or through all of them."""
        by, iv, other = self.rng.choice([2, 3, 4, 8]), self.rng.choice(ivs), self.rng.choice(ivs)
        return self.rng.choice([iv, iv, "0", "%b", f"{iv} floordiv {by}", f"{iv} mod {by}", f"{iv} + {by}",
                                f"{iv} + %b * 3 - {by}", f"({iv} + {other}) floordiv {by}", f"({iv} + {other} * {by}) mod 8"])

    def element(self, shape, kind, ivs):
        """Says a load from a tensor, over its edges, or from a tile; does not depend on every variable."""
        value = self.name("v")
        if self.rng.random() < 0.3:
            axis = self.rng.randrange(len(shape))
            tile = self.pick_like([shape[axis]], kind)
            return value, f"{value} = tile.load {tile.name}[{ivs[axis]}] : {tile.type}"
        rank = self.rng.choice([1, 2])
        name, text = self.input(kind, rank)
        indices = bracket([self.part_of(ivs) for _ in range(rank)])
        return value, f"{value} = tile.load {name}{indices} : {text}"

    def repeated(self):
        """A loop of such loads, to a tile or to a tensor."""
        shape = self.shape(self.rng.choice([1, 2, 2, 2, 3]))
        kind = self.rng.choice(TYPES)
        ivs = names("i", len(shape))
        elements = [self.element(shape, kind, ivs) for _ in range(self.rng.choice([1, 2, 3]))]
        target = self.alloc(shape, kind) if self.rng.random() < 0.5 else None
        pin = f" layout({distributed(self.rng, shape, self.threads)})" if self.rng.random() < 0.3 else ""
        self.say(f"tile.parallel ({', '.join(ivs)}) in ({', '.join(map(str, shape))}){pin} {{")
        self.indent += 1
        for _, text in elements:
            self.say(text)
        result = self.compute(kind, [value for value, _ in elements])
        if target:
            self.say(f"tile.store {result}, {target.name}{bracket(ivs)} : {target.type}")
            self.tiles.append(target)
        else:
            name, text = self.output(shape, kind)
            self.say(f"tile.store {result}, {name}{bracket(['%b'] + ivs)} : {text}")
        self.indent -= 1
        self.say("}")
