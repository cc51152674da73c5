#!/usr/bin/env python3
# conversions.py - a fragment in two layouts, of each kind, type and number of threads: right, and of the kind expected.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: conversions.py TILE_RUN

Each program pins a fragment in one layout and wants it in another: in a second fragment, in a loop that only reads, in
a loop that changes parts. Rows lie in 16 lanes each, so 48 threads have half a warp. The simulator must agree with the
interpreter, and the report must name the kind of conversion and the lines of the two accesses.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

TYPES = ["i1", "i8", "f8E4M3FN", "bf16", "f16", "f32", "i64", "f64"]
THREADS = [32, 48, 64, 96, 256]
FORMS = ["copy", "read", "change"]
LANES = 16


def layout(rows, columns, row, column, threads, copies=""):
    return f"#tile.distributed<{rows}x{columns} = [({row}), ({column})] threads {threads}{copies}>"


def pairs(threads):
    """(name, columns, held, needed, kind): the layouts of each conversion."""
    rows = threads // LANES
    row = f"{rows} thread * {LANES}"
    contiguous = f"{LANES} thread, 2 reg"
    found = [
        ("permuted", 64, (row, f"2 reg, 2 reg * 3, {LANES} thread"), (row, f"4 reg, {LANES} thread"), "registers"),
        ("strided", 32, (row, contiguous), (row, f"2 reg, {LANES} thread"), "shuffles"),
        ("strided back", 29, (row, f"2 reg, {LANES} thread"), (row, contiguous), "shuffles"),
        ("turned lanes", 61, (row, "4 reg, 4 thread * 4, 4 thread"), (row, "4 reg, 4 thread, 4 thread * 4"), "shuffles"),
        ("odd radix", 30, (row, "3 reg, 5 thread, 2 thread * 8"), (row, "2 thread * 8, 3 reg, 5 thread"), "shuffles"),
        ("parted", 3, (row, "3 reg", f" copies ({LANES} thread)"), (row, "3 thread", " copies (4 thread * 4)"),
         "registers"),
        ("copied", 4, (row, "4 thread", " copies (4 thread * 4)"), (row, "4 reg", f" copies ({LANES} thread)"),
         "shuffles"),
        ("copied again", 16, (row, f"{LANES} thread"), (row, "4 reg, 4 thread", " copies (4 thread * 4)"), "shuffles"),
    ]
    if threads > 32:
        found.append(("other warps", 33, (row, f"3 reg, {LANES} thread"),
                      (f"{rows} thread", f"3 reg, {LANES} thread * {rows}"), "through shared memory"))
    return [(name, columns, layout(rows, columns, held[0], held[1], threads, *held[2:]),
             layout(rows, columns, needed[0], needed[1], threads, *needed[2:]), kind)
            for name, columns, held, needed, kind in found]


def program(form, kind, threads, columns, held, needed):
    """The text; the access that disagrees stands in line 6."""
    rows = threads // LANES
    memory, tile = f"memref<{rows}x{columns}x{kind}>", f"memref<{rows}x{columns}x{kind}, #tile.fragment>"
    first = {"copy": [f"%c = tile.alloc_fragment layout({needed}) : {tile}", f"tile.copy %a to %c : {tile} to {tile}",
                      f"tile.copy %c to %y : {tile} to {memory}"],
             "read": ["", f"tile.parallel (%i, %j) in ({rows}, {columns}) layout({needed}) {{",
                      f"%v = tile.load %a[%i, %j] : {tile}", f"tile.store %v, %y[%i, %j] : {memory}", "}"],
             "change": ["%one = arith.constant 1 : index",
                        f"tile.parallel (%i, %j) in ({rows}, {columns}) layout({needed}) {{",
                        f"%v = tile.load %y[%i, %j] : {memory}", "%is = arith.cmpi sgt, %j, %one : index",
                        "scf.if %is {", f"tile.store %v, %a[%i, %j] : {tile}", "}", "}",
                        f"tile.copy %a to %y : {tile} to {memory}"]}[form]
    return "\n".join([f"tile.kernel @f(%x: {memory}, %y: {memory}) grid(%b) in (1) threads({threads}) {{",
                      "  // the fragment is written here", f"%a = tile.alloc_fragment layout({held}) : {tile}",
                      f"tile.copy %x to %a layout({held}) : {memory} to {tile}", *first, "}", ""])


def run(tool, path, *options):
    return subprocess.run([tool, str(path), *options], capture_output=True, text=True, check=False, timeout=120)


def fault_of(tool, path, kinds):
    """What is wrong with one program; without kinds only what it computes counts."""
    done = run(tool, path, "--device", "sim", "--variant", "all")
    if done.returncode != 0 or "verdict: right" not in done.stdout:
        return done.stdout + done.stderr
    if not kinds:
        return None
    done = run(tool, path, "--explain=json", "--arch", "sm_90a")
    if done.returncode != 0:
        return done.stderr
    found = [one for one in json.loads(done.stdout)["conversions"] if one["line"] == 6]
    matching = [one for one in found if one["kind"] in kinds and 6 in one["between"] and one["instructions"]]
    return None if matching or (not found and None in kinds) else f"expected a conversion of kind {kinds}, found {found}"


def expected(name, form, element, kind):
    """Carrying a part back to copies takes shuffles; a copy of permuted registers may follow either side; 64 bits take
    two shuffles each."""
    if (name, form) == ("permuted", "copy"):
        return [kind, None]
    if "copied" in name and element in ("i64", "f64"):
        return [kind, "through shared memory"]
    return ["shuffles"] if (name, form) == ("parted", "change") else [kind]


def main():
    tool, folder = sys.argv[1], pathlib.Path(tempfile.mkdtemp())
    done = failed = 0
    for turn, threads in enumerate(THREADS):
        for name, columns, held, needed, kind in pairs(threads):
            # Every type meets every pair and number of threads; the forms take turns.
            for number, element in enumerate(TYPES):
                form = FORMS[(turn + number) % len(FORMS)]
                kinds = expected(name, form, element, kind) if threads in (48, 96) else None
                path = folder / "program.mlir"
                path.write_text(program(form, element, threads, columns, held, needed))
                done += 1
                if fault := fault_of(tool, path, kinds):
                    failed += 1
                    print(f"{name}, {form}, {element}, {threads} threads:\n{fault}\n{path.read_text()}")
    print(f"{done} conversions, {failed} failed")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
