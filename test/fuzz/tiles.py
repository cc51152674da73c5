#!/usr/bin/env python3
# tiles.py - types, sizes and buffers of random programs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
FLOATS = ["f16", "bf16", "f32", "f64"]
SMALL_FLOATS = ["f8E4M3FN", "f8E5M2"]
INTEGERS = ["i8", "i16", "i32", "i64"]
TYPES = ["i1"] + INTEGERS + FLOATS + SMALL_FLOATS
BITS = {"i1": 8, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64,
        "f8E4M3FN": 8, "f8E5M2": 8}
THREADS = [1, 31, 32, 33, 48, 96, 128, 160, 256, 1024]
EXTENTS = [1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 33, 48, 64, 96, 100, 127, 128]


def product(shape):
    result = 1
    for extent in shape:
        result *= extent
    return result


def is_float(kind):
    return kind in FLOATS or kind in SMALL_FLOATS


def names(prefix, rank):
    return [f"%{prefix}{axis}" for axis in range(rank)]


def bracket(indices):
    return "[" + ", ".join(indices) + "]"


class Tile:
    """A buffer the program may use: its name, shape, element type, space and the buffer behind it."""

    def __init__(self, name, shape, kind, space, root=None):
        self.name, self.shape, self.kind, self.space = name, list(shape), kind, space
        self.root = root or name
        self.sliced = False

    @property
    def type(self):
        dims = "".join(f"{extent}x" for extent in self.shape)
        return f"memref<{dims}{self.kind}, #tile.{self.space}>"
