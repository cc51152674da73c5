#!/usr/bin/env python3
# verdicts.py - compares what the verifiers prove of random index expressions with brute force.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: verdicts.py --tool TILE_OPT [--seed N] [--count N]

Double writes (parallel-C4): a random map from the points of a small `parallel` to elements is refused exactly if two
points name one element. Reads (parallel-C5): exactly if a point reads what another one writes. Ranges (index-C5): an index is refused only if some trip leaves the tile, and, where it is a
sum of multiples of different variables, exactly then.
"""
import argparse
import itertools
import random
import re
import subprocess
import sys


class Expr:
    """An affine expression: its text, its value at a point, whether it is a sum of multiples."""

    def __init__(self, text, value, linear):
        self.text, self.value, self.linear = text, value, linear


def random_expr(rng, names, depth=0):
    kind = rng.randrange(6 if depth < 3 else 2)
    name = rng.choice(names)
    if kind < 2:
        factor = rng.choice([1, 1, 2, 3, 4, 5, 7, 8, -1, -3])
        return Expr(f"{name} * {factor}", lambda p: p[name] * factor, True)
    left = random_expr(rng, names, depth + 1)
    if kind < 4:
        right = random_expr(rng, names, depth + 1)
        return Expr(f"({left.text}) + ({right.text})", lambda p: left.value(p) + right.value(p), left.linear and right.linear)
    divisor = rng.choice([1, 2, 3, 4, 5, 8])
    if kind == 4:
        word = rng.choice(["floordiv", "ceildiv"])
        up = divisor - 1 if word == "ceildiv" else 0
        return Expr(f"({left.text}) {word} {divisor}", lambda p: (left.value(p) + up) // divisor, False)
    return Expr(f"({left.text}) mod {divisor}", lambda p: left.value(p) % divisor, False)


def points(names, extents):
    for numbers in itertools.product(*(range(extent) for extent in extents)):
        yield dict(zip(names, numbers))


def write_case(rng):
    """A store in a parallel; whether two points write one element."""
    names = ["%i", "%j", "%k"][: rng.randint(1, 3)]
    extents = [rng.randint(1, 9) for _ in names]
    inner = rng.random() < 0.3
    all_names, all_extents = (names + ["%v"], extents + [rng.randint(1, 4)]) if inner else (names, extents)
    exprs = [random_expr(rng, all_names) for _ in range(rng.randint(1, 2))]
    owner, clash = {}, False
    for point in points(all_names, all_extents):
        element = tuple(expr.value(point) for expr in exprs)
        place = tuple(point[name] for name in names)
        clash |= owner.setdefault(element, place) != place
    size = "?x" * len(exprs)
    sizes = ", ".join("%N" for _ in exprs)
    store = f"tile.store %x, %A[{', '.join(f'%b * 1000 + {expr.text}' for expr in exprs)}] : memref<{size}f32>"
    if inner:
        store = f"tile.vectorized %v in ({all_extents[-1]}) {{ {store} }}"
    text = (
        f"tile.kernel @f[%N](%A[{sizes}]: memref<{size}f32>, %x: f32) grid(%b) in (4) threads(64) {{\n"
        f"  tile.parallel ({', '.join(names)}) in ({', '.join(map(str, extents))}) {{ {store} }}\n}}"
    )
    return text, "parallel-C4", clash, clash


def read_case(rng):
    """A store and a load in a parallel; whether a point reads what another one writes, or two write one element."""
    names = ["%i", "%j"][: rng.randint(1, 2)]
    extents = [rng.randint(1, 12) for _ in names]
    written, read = (random_expr(rng, names) for _ in range(2))
    if rng.random() < 0.5:
        offset = rng.randint(-40, 40)
        read = Expr(f"{written.text} + {offset}", lambda p: written.value(p) + offset, written.linear)
    owner, clash = {}, False
    for point in points(names, extents):
        place = tuple(point.values())
        clash |= owner.setdefault(written.value(point), place) != place
    for point in points(names, extents):
        place = tuple(point.values())
        clash |= owner.get(read.value(point), place) != place
    text = (
        f"tile.kernel @f[%N](%A[%N]: memref<?xf32>) grid(%b) in (4) threads(64) {{\n"
        f"  tile.parallel ({', '.join(names)}) in ({', '.join(map(str, extents))}) {{\n"
        f"    %x = tile.load %A[%b * 1000 + {read.text}] : memref<?xf32>\n"
        f"    tile.store %x, %A[%b * 1000 + {written.text}] : memref<?xf32>\n  }}\n}}"
    )
    return text, "parallel-C[45]", clash, clash


def range_case(rng):
    """A load in loops; whether some trip leaves the tile. Refusal may miss it where the index is no plain sum."""
    names = ["%i", "%j", "%k"][: rng.randint(1, 3)]
    extents = [rng.randint(1, 9) for _ in names]
    offset, extent = rng.randint(-3, 8), rng.randint(1, 60)
    expr = random_expr(rng, names)
    outside = any(not 0 <= expr.value(point) + offset < extent for point in points(names, extents))
    text = (
        f"tile.kernel @f() grid(%b) in (1) threads(1) {{\n  %s = tile.alloc_shared : memref<{extent}xf32, #tile.shared>\n"
        f"  tile.serial ({', '.join(names)}) in ({', '.join(map(str, extents))}) {{\n"
        f"    %x = tile.load %s[{expr.text} + {offset}] : memref<{extent}xf32, #tile.shared>\n  }}\n}}"
    )
    return text, "index-C[45]", outside, outside and expr.linear


def refusals(tool, cases):
    """The message for each case, or nothing."""
    text, begins = "", []
    for case in cases:
        begins.append(text.count("\n") + 1)
        text += case[0] + "\n// -----\n"
    done = subprocess.run([tool, "-", "--split-input-file", "-o", "/dev/null"], input=text, capture_output=True, text=True,
                          check=False)
    found = [None] * len(cases)
    for line, message in re.findall(r"^<stdin>[^\n]*?:(\d+):\d+: error: (.*)$", done.stderr, re.M):
        found[sum(begin <= int(line) for begin in begins) - 1] = message
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    cases = [rng.choice([write_case, read_case, range_case])(rng) for _ in range(options.count)]
    failures = refused = 0
    for (text, rule, may, must), message in zip(cases, refusals(options.tool, cases)):
        refused += message is not None
        wrong = (message is not None and (not may or not re.search(rule, message))) or (message is None and must)
        if wrong:
            failures += 1
            print(f"{text}\nmay be refused: {may}, must be: {must}, the tool says: {message}\n")
    print(f"{options.count} programs, {refused} refused, {failures} wrong verdicts")
    return failures != 0 or not 0 < refused < options.count


if __name__ == "__main__":
    sys.exit(main())
