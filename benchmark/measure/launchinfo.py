# launchinfo.py - reads what `tile-translate --kernel-info` prints and prepares a launch from it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The description of a kernel says how it is launched: arguments, grid, and the variants with what each requires.

    info = parse(text)["softmax"]
    plan = info.plan({"x": tensor, "y": tensor})      # tensors: .shape, .element_size(), .data_ptr()
    plan.entry, plan.grid, plan.threads, plan.shared, plan.parameters, plan.may_overlap

A tensor whose rank is not the argument's is flattened to it: a vector, or leading rows and the static extents behind.
"""

import dataclasses
import shlex
import struct

KNOWN_VERSION = "3"
MOST_BLOCKS_YZ = 65535


class LaunchError(Exception):
    """The launch cannot be made: what was found, and what was expected."""


def evaluate(postfix, values):
    """The value of an expression in postfix words: c5, v0, +, *, floordiv, ceildiv, mod."""
    stack = []
    for word in postfix:
        if word[0] in "cv" and word != "ceildiv":
            stack.append(int(word[1:]) if word[0] == "c" else values[int(word[1:])])
            continue
        right, left = stack.pop(), stack.pop()
        stack.append(
            {
                "+": lambda: left + right,
                "*": lambda: left * right,
                "floordiv": lambda: left // right,
                "ceildiv": lambda: -(-left // right),
                "mod": lambda: left % right,
            }[word]()
        )
    return stack[0]


def words_of(line):
    """The words of a line; an expression in brackets is one word, a list."""
    words, inside = [], None
    for word in shlex.split(line.replace("\\5c", "/")):
        if inside is None and not word.startswith("["):
            words.append(word)
            continue
        inside = [] if inside is None else inside
        inside.append(word.strip("[]"))
        if word.endswith("]"):
            words.append(inside)
            inside = None
    return words


@dataclasses.dataclass
class Argument:
    name: str
    is_tensor: bool
    type: str
    extents: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Variant:
    entry: str
    shared: int
    threads: int
    folds_grid: bool
    requirements: list = dataclasses.field(default_factory=list)
    parameters: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Plan:
    """A launch: everything that the driver is told, the parameters as 64-bit numbers."""

    entry: str
    grid: tuple
    threads: int
    shared: int
    parameters: list
    may_overlap: bool
    is_first: bool


def shaped(tensor, argument):
    """The tensor as the argument declares it."""
    rank = len(argument.extents)
    if len(tensor.shape) == rank:
        return tensor
    trailing = [evaluate(extent, []) for extent in argument.extents[1:]]
    return tensor.view(-1, *trailing)


def scalar_bits(value, kind):
    formats = {"f32": "<f", "f64": "<d", "f16": "<e"}
    if kind in formats:
        packed = struct.pack(formats[kind], value)
        return int.from_bytes(packed, "little")
    return int(value) & (1 << 64) - 1


@dataclasses.dataclass
class KernelInfo:
    name: str
    threads: int
    most_awaiting: int  # blocks of the largest grid whose launch may overlap
    symbols: list
    arguments: list
    grid: list = dataclasses.field(default_factory=list)
    order: list = dataclasses.field(default_factory=list)
    variants: list = dataclasses.field(default_factory=list)

    def plan(self, operands):
        """The first variant whose needs are met; `operands` holds a tensor or a number for each argument's name."""
        given = []
        values = [None] * len(self.symbols)
        for argument in self.arguments:
            if argument.name not in operands:
                raise LaunchError(f"kernel '{self.name}': no operand '{argument.name}'")
            operand = operands[argument.name]
            given.append(shaped(operand, argument) if argument.is_tensor else operand)
            if not argument.is_tensor and argument.type == "index":
                values.append(int(operand))
            for extent, size in zip(argument.extents, given[-1].shape if argument.is_tensor else ()):
                if len(extent) == 1 and extent[0][0] == "v" and values[int(extent[0][1:])] is None:
                    values[int(extent[0][1:])] = size
        for argument, tensor in zip(self.arguments, given):
            if argument.is_tensor:
                expected = [evaluate(extent, values) for extent in argument.extents]
                if expected != list(tensor.shape):
                    raise LaunchError(f"argument '{argument.name}': shape is {list(tensor.shape)}; expected {expected}")
        grid = ([evaluate(axis, values) for axis in self.grid] + [1, 1])[:3]
        for variant in self.variants:
            is_launchable = variant.folds_grid or max(self.launched(grid)[1:]) <= MOST_BLOCKS_YZ
            if is_launchable and all(self.is_met(needed, given, values) for needed in variant.requirements):
                return self.launch(variant, given, values, grid)
        raise LaunchError(f"kernel '{self.name}': no variant fits")

    @staticmethod
    def is_met(requirement, given, values):
        kind, argument, dim, expr, amount = requirement
        if kind == "pointer_multiple":
            return given[argument].data_ptr() % amount == 0
        if kind == "stride_multiple":
            return given[argument].stride(dim) * given[argument].element_size() % amount == 0
        if kind == "expr_multiple":
            return evaluate(expr, values) % amount == 0
        if kind == "expr_less":
            return evaluate(expr, values) < amount
        if kind == "offset_less":
            return given[argument].numel() <= amount
        raise LaunchError(f"requirement '{kind}' is unknown")

    def launched(self, grid):
        """The blocks along x, y, z: the axes in the kernel's order."""
        return [grid[axis] for axis in self.order] + grid[len(self.order) :]

    def launch(self, variant, given, values, grid):
        def value_of(kind, argument, index):
            if kind == "pointer":
                return given[argument].data_ptr()
            if kind == "scalar":
                return scalar_bits(given[argument], self.arguments[argument].type)
            if kind == "symbol":
                return values[index]
            if kind == "stride":
                return given[argument].stride(index)
            if kind == "extent":
                return given[argument].shape[index]
            if kind == "grid":
                return grid[index]
            raise LaunchError(f"parameter '{kind}' is unknown")

        blocks = (grid[0] * grid[1] * grid[2], 1, 1) if variant.folds_grid else tuple(self.launched(grid))
        parameters = [value_of(*parameter) for parameter in variant.parameters]
        return Plan(
            variant.entry,
            blocks,
            variant.threads or self.threads,
            variant.shared,
            parameters,
            grid[0] * grid[1] * grid[2] <= self.most_awaiting,
            variant is self.variants[0],
        )


def parse(text):
    """All kernels of a text, by name."""
    kernels, info, counted = {}, None, None
    for line in text.splitlines():
        words = words_of(line)
        if not words:
            continue
        head = words[0]
        if head == "tile-kernel-info" and words[1] != KNOWN_VERSION:
            print(f"note: kernel description of version {words[1]}, read as version {KNOWN_VERSION}", flush=True)
        elif head == "kernel":
            info = KernelInfo(words[1], int(words[2]), int(words[4]), [], [])
            kernels[info.name] = info
        elif head == "symbols":
            info.symbols = words[2:]
        elif head == "tensor":
            rank = int(words[6])
            info.arguments.append(Argument(words[1], True, words[3], words[7 : 7 + rank]))
        elif head == "scalar" and counted != "parameters":
            info.arguments.append(Argument(words[1], False, words[3]))
        elif head == "grid" and counted != "parameters":
            info.grid = words[2:]
        elif head == "order":
            info.order = [int(axis) for axis in words[2:]]
        elif head == "variant":
            info.variants.append(Variant(words[1], int(words[2]), int(words[4]), words[5] == "1"))
        elif head in ("requirements", "parameters") and len(words) == 2:
            counted = head
        elif head == "end":
            counted = None
        elif counted == "requirements":
            info.variants[-1].requirements.append((head, int(words[1]), int(words[2]), words[3], int(words[4])))
        elif counted == "parameters":
            info.variants[-1].parameters.append((head, int(words[1]), int(words[2])))
    return kernels
