#!/usr/bin/env python3
# run_console.py - runs the commands that a document shows and compares what they print with what it shows.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: run_console.py ROOT FOLDER_OF_THE_TOOLS DOCUMENT

A ```mlir block whose first line is `// name.mlir: …` becomes that file. A ```console block is `$ command` lines, each
followed by its output. In an output `…` stands for anything inside a line; alone on a line, for any number of lines.
Commands run where `examples` and `build/bin` are what they are in the tree. A document without commands is an error.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(mlir|console)\n(.*?)^```$", re.M | re.S)


def pattern_of(expected):
    """A regular expression for an output with gaps."""
    text = ""
    for line in expected.splitlines():
        if line.strip() == "…":
            text += r"(?:[^\n]*\n)*?"
        else:
            text += "[^\n]*".join(re.escape(part) for part in line.rstrip().split("…")) + "\n"
    return text


def commands(block):
    """Each command of a console block with its expected output."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command = command[:-1] + more
        yield command, expected


def lines_of(text):
    """Without trailing spaces and empty lines at the end."""
    return "".join(line.rstrip() + "\n" for line in text.rstrip().splitlines())


def run(command, expected, folder, tools):
    path = os.pathsep.join([tools, os.environ["PATH"]])
    done = subprocess.run(command, shell=True, cwd=folder, env={**os.environ, "PATH": path}, text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    output = lines_of(done.stdout)
    if re.fullmatch(pattern_of(lines_of(expected)), output):
        return True
    print(f"$ {command}\n--- the document says\n{expected}--- the command prints\n{output}")
    return False


def main():
    root, tools, document = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    count = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "examples").symlink_to(root / "examples")
        (folder / "build").mkdir()
        (folder / "build/bin").symlink_to(tools)
        for kind, block in BLOCK.findall(document.read_text()):
            if kind == "mlir":
                title = re.match(r"// (\w+\.mlir): ", block)
                if title:
                    (folder / title.group(1)).write_text(block)
                continue
            for command, expected in commands(block):
                count += 1
                failed += not run(command, expected, folder, str(tools))
    print(f"{document.name}: {count} commands, {failed} print something else")
    return failed != 0 or count == 0


if __name__ == "__main__":
    sys.exit(main())
