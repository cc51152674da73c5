#!/usr/bin/env python3
# check_structure.py - the tree keeps its shape: layers, names, headers, lengths, formatting, words.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: check_structure.py [FOLDER]

Prints one line for each fault, `file:line: what was found; the rule`, and exits with 1 if there is any.
"""
import pathlib
import re
import shutil
import subprocess
import sys

# Each part may include itself and the parts to the right of its colon.
BASE = "Support"
DIALECTS = f"dialects {BASE}"
LAYERS = {
    "Support": "",
    "Layout": BASE,
    "Runtime": BASE,
    "dialects": f"Layout {BASE}",
    "Evaluate": DIALECTS,
    "Interpreter": f"Evaluate {DIALECTS}",
    "Simulator": f"Evaluate {DIALECTS}",
    "Target/CUDA": f"Evaluate {DIALECTS}",
    "Analysis": f"Layout Evaluate {DIALECTS}",
    "Transforms": f"Analysis Layout Evaluate {DIALECTS}",
    "Compiler": f"Transforms Analysis Layout Target/CUDA Evaluate Runtime {DIALECTS}",
    "Jit": f"Compiler Runtime {BASE}",
}
# The description of a kernel travels from the compiler to the runtime: all the compiler may know of the latter.
KERNEL_INFO = {"tile/Runtime/KernelInfo.h", "tile/Runtime/Expr.h"}
WITHOUT_MLIR = {"Support", "Layout", "Runtime"}
MAX_LINES = 600
LICENSE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
# What belongs to one machine, not to the project.
FOREIGN = re.compile(r"(?<![\w.])/(?:work|root|home|tmp)/\w|\bTODO(?!\(#\d+\): )|\bFIXME\b|\bXXX\b")
INCLUDE = re.compile(r'^#?include\s+[<"]([^>"]+)[>"]')


def part_of(path):
    """The layer a file or an include belongs to, or None: tests, tools and other projects."""
    match = re.match(r"(?:include/tile|lib|tile)/(Target/CUDA|\w+)/", path)
    if match:
        return match.group(1)
    return "dialects" if path.startswith("dialects/") else None


class Checker:
    def __init__(self, root):
        self.root, self.faults = root, 0
        listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True)
        self.files = [name for name in listed.stdout.split("\n") if name and (root / name).is_file()]
        self.lines = {}
        for name in self.files:
            self.lines[name] = (root / name).read_text(errors="replace").split("\n")

    def fault(self, place, text):
        self.faults += 1
        print(f"{place}: {text}")

    def sources(self, *endings):
        return [name for name in self.files if name.endswith(endings)]

    def check_layers(self):
        for name in self.sources(".h", ".cpp", ".td", ".def"):
            part = part_of(name)
            for number, line in enumerate(self.lines[name], 1):
                match = INCLUDE.match(line)
                if match and part:
                    self.check_include(f"{name}:{number}", part, match.group(1))

    def check_include(self, place, part, included):
        if part not in LAYERS:
            return self.fault(place, f"{part} is no layer; the layers are {', '.join(LAYERS)}")
        if part in WITHOUT_MLIR and included.startswith("mlir/"):
            return self.fault(place, f"{part} includes {included}; it includes no MLIR header")
        other = part_of(included)
        if other is None or other == part:
            return None
        if other not in LAYERS[part].split():
            return self.fault(place, f"{part} includes {included}; it may include {LAYERS[part] or 'nothing'}")
        if part == "Compiler" and other == "Runtime" and included not in KERNEL_INFO:
            return self.fault(place, f"Compiler includes {included}; of Runtime only {', '.join(sorted(KERNEL_INFO))}")
        return None

    def check_passes(self):
        """A pass, its definition, its flag, its file and its tests are found by one name."""
        for td in sorted((self.root / "include/tile/Transforms").glob("*.td")):
            if td.stem == "Passes":
                continue
            flag = re.sub(r"(?<!^)([A-Z])", r"-\1", td.stem).lower()
            if f'def {td.stem} : Pass<"tile-{flag}"' not in td.read_text():
                self.fault(f"include/tile/Transforms/{td.name}", f"no 'def {td.stem} : Pass<\"tile-{flag}\"'")
            if not (self.root / f"lib/Transforms/{td.stem}.cpp").exists():
                self.fault(f"include/tile/Transforms/{td.name}", f"no lib/Transforms/{td.stem}.cpp")
            tests = (self.root / f"test/Transforms/{flag}").glob("*.mlir")
            if not any(f"tile-{flag}" in test.read_text() for test in tests):
                self.fault(f"include/tile/Transforms/{td.name}", f"no test of tile-{flag} in test/Transforms/{flag}/")

    def check_ops(self):
        """Each op of the tile dialect occurs in a test of its syntax; test/check_rules.py looks after its errors."""
        folder = "test/Dialect/Tile/"
        tests = [name for name in self.sources(".mlir") if name.startswith(folder) and "invalid" not in name]
        used = set(re.findall(r"\btile\.(\w+)", "\n".join("\n".join(self.lines[name]) for name in tests)))
        for td in self.sources(".td"):
            for op in re.findall(r'^def \w+ : Tile_\w*Op<"(\w+)"', "\n".join(self.lines[td]), re.M):
                if op not in used:
                    self.fault(td, f"tile.{op} is in no test of {folder}")

    def check_headers(self):
        """`Name - purpose.`, then the licence; scripts after their first line, examples only their purpose."""
        for name in self.sources(".h", ".cpp", ".td", ".def", ".cmake", ".py", ".sh", "Makefile"):
            lines = self.lines[name]
            start = 1 if lines[0].startswith("#!") else 0
            title = f"{pathlib.Path(name).name} - "
            if title not in lines[start] or not lines[start].rstrip('"').endswith("."):
                self.fault(f"{name}:{start + 1}", f"no line '{title}purpose.'")
            if len(lines) < start + 2 or LICENSE not in lines[start + 1]:
                self.fault(f"{name}:{start + 2}", f"no line '{LICENSE}'")

    def check_lengths(self):
        for name in self.files:
            if name != "LICENSE" and not name.startswith("benchmark/results/") and len(self.lines[name]) - 1 > MAX_LINES:
                self.fault(name, f"{len(self.lines[name]) - 1} lines; at most {MAX_LINES}")

    def check_words(self):
        for name in self.sources(".h", ".cpp", ".td", ".def", ".cmake", ".md", ".mlir", ".test", ".txt"):
            for number, line in enumerate(self.lines[name], 1):
                match = FOREIGN.search(line)
                if match:
                    self.fault(f"{name}:{number}", f"'{match.group(0)}' does not belong into the project")

    def check_format(self):
        tool = shutil.which("clang-format-22")
        if not tool:
            return self.fault("clang-format-22", "not found; scripts/install.sh installs it")
        done = subprocess.run([tool, "--dry-run", "-Werror", *self.sources(".cpp", ".h")], cwd=self.root,
                              capture_output=True, text=True, check=False)
        for place in sorted(set(re.findall(r"^(\S+?:\d+):\d+: error", done.stderr, re.M))):
            self.fault(place, "not formatted; 'make format' does it")
        if done.returncode != 0 and not done.stderr:
            self.fault("clang-format-22", f"exit status {done.returncode}")
        return None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    checker = Checker(root)
    for check in (checker.check_layers, checker.check_passes, checker.check_ops, checker.check_headers,
                  checker.check_lengths, checker.check_words, checker.check_format):
        check()
    print(f"{len(checker.files)} files, {checker.faults} faults of structure")
    return checker.faults != 0


if __name__ == "__main__":
    sys.exit(main())
