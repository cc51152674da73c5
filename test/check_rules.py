#!/usr/bin/env python3
# check_rules.py - each rule of the verifiers stands in docs/language.md and has a test, and the other way round.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: check_rules.py ROOT

A rule is an identifier such as copy-C2. Three sets must be equal: those that the code reports ("(copy-C2)" in a
message of dialects/, lib/Support/SourceText.cpp or lib/Analysis/WidthHint.cpp), those docs/language.md defines ("**copy-C2**"), and those that an
invalid test under test/ expects ("(copy-C2)" in an expected-error or CHECK line).
"""
import pathlib
import re
import sys

RULE = r"[a-z_]+-C\d+"


def find(files, pattern):
    """The rules that `pattern` finds, each with the files it stands in."""
    found = {}
    for file in files:
        for match in re.finditer(pattern, file.read_text()):
            for rule in re.findall(rf"{RULE}(?=[)\"*])", match.group(0)):
                found.setdefault(rule, set()).add(str(file))
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted((root / "dialects/Tile").glob("*.cpp"))
    files += [root / "lib/Support/SourceText.cpp", root / "lib/Analysis/WidthHint.cpp"]
    code = find(files, rf'\({RULE}\)|"{RULE}"')
    docs = find([root / "docs/language.md"], rf"\*\*{RULE}\*\*")
    tests = find(sorted((root / "test").rglob("*invalid*.mlir")), rf"(expected-error|CHECK)[^\n]*\({RULE}\)")
    failed = False
    for name, have in (("dialects/", code), ("docs/language.md", docs), ("the invalid tests", tests)):
        for rule in sorted((set(code) | set(docs) | set(tests)) - set(have)):
            where = sorted(code.get(rule, docs.get(rule, tests.get(rule))))[0]
            print(f"rule {rule} ({where}) is missing in {name}")
            failed = True
    if not failed:
        print(f"{len(code)} rules: each in the code, in docs/language.md and in an invalid test")
    return failed


if __name__ == "__main__":
    sys.exit(main())
