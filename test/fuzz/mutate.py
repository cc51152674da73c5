#!/usr/bin/env python3
# mutate.py - feeds mutated valid programs to tile-opt: it may refuse them, with a place, and never falls over.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: mutate.py --tool TILE_OPT [--seed N] [--count N] [--keep FOLDER] PROGRAM...

Each mutant changes a few tokens or lines of one program, in its own or in generic form. It fails the run if the tool
ends by a signal, prints assertion text, takes too long, refuses without file:line:column, or prints what it does not read
back as the same program. The seed fixes all mutants; a failing one is written to --keep (default: shown).
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys

TOKEN = re.compile(r'x(?:i1|i8|i32|i64|bf16|f16|f32|f64)\b|"(?:[^"\\\n]|\\.)*"|[%@!#^][\w$.\-]*|\d+\.\d+(?:e[+-]?\d+)?|\d+x|[A-Za-z_][\w.]*|\d+|\s+|->|==|.')
NUMBERS = ["0", "-1", "1", "2", "7", "1024", "4294967296", "9007199254740992", "9223372036854775807", "-9223372036854775808",
           "99999999999999999999999999", "0.0", "1e300", "nan", "-inf", "true", "?"]
BAD_TEXT = re.compile(r"Assertion|assertion|LLVM ERROR|PLEASE submit|Stack dump|UNREACHABLE|runtime error|AddressSanitizer")
PLACE = re.compile(r"^[^\n]*:\d+:\d+: error: ", re.M)


def tokens(text):
    return TOKEN.findall(text)


TYPES = ["i1", "i7", "i8", "i32", "i64", "f16", "bf16", "f32", "f64", "f8E5M2", "index", "xi1", "xi8", "xi32", "xi64", "xf16",
         "xbf16", "xf32", "xf64", "xf8E4M3FN", "xindex"]


def kind(word):
    """Tokens of one kind may take each other's place and still parse."""
    if word in TYPES:
        return "x" if word[0] == "x" else "type"
    if word.isdigit():
        return "number"
    if re.fullmatch(r"\d+x", word):
        return "extent"
    if word[0] in "%@!#^\"":
        return word[0]
    if word.startswith(("tile.", "arith.")):
        return word.split(".")[0]
    return "word" if word[0].isalpha() else "mark"


def similar(rng, word, pool):
    alike = [other for other in pool if kind(other) == kind(word)]
    return rng.choice(alike or pool)


def mutate_tokens(rng, words, pool):
    solid = [i for i, word in enumerate(words) if not word.isspace()]
    if not solid:
        return
    place = rng.choice(solid)
    action = rng.randrange(12)
    if action == 0:
        del words[place]
    elif action == 1:
        words.insert(place, words[place])
    elif action == 2:
        words[place] = rng.choice(pool)
    elif action == 3:
        other = rng.choice(solid)
        words[place], words[other] = words[other], words[place]
    elif action == 4:
        words.insert(place, rng.choice(pool) + " ")
    elif action < 7:
        numbers = [i for i in solid if words[i].isdigit()] or solid
        words[rng.choice(numbers)] = rng.choice(NUMBERS)
    elif action < 9:
        words[place] = similar(rng, words[place], pool)
    else:
        # Everywhere at once: types and names stay in step, and the verifiers have their say.
        old, new = words[place], similar(rng, words[place], pool)
        words[:] = [new if word == old else word for word in words]


def mutate_lines(rng, lines, all_lines):
    place = rng.randrange(len(lines))
    action = rng.randrange(4)
    if action == 0:
        del lines[place]
    elif action == 1:
        lines.insert(place, rng.choice(lines))
    elif action == 2:
        lines.insert(place, rng.choice(all_lines))
    else:
        other = rng.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]


def kernels(text):
    """The text, and each kernel written as plain text with the aliases that stand before it."""
    head = "".join(line + "\n" for line in text.splitlines() if line[:1] in "!#")
    single = re.findall(r"^tile\.kernel.*?^\}$", text, re.M | re.S)
    return [text] + [head + kernel + "\n" for kernel in single if len(single) > 1]


def mutant(rng, text, pool, all_lines):
    if rng.random() < 0.3:
        lines = text.splitlines()
        for _ in range(rng.randint(1, 2)):
            if lines:
                mutate_lines(rng, lines, all_lines)
        return "\n".join(lines) + "\n"
    words = tokens(text)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        mutate_tokens(rng, words, pool)
    return "".join(words)


def objection(tool, text):
    """What is wrong with the tool's answer; empty if it is sound."""
    try:
        done = subprocess.run([tool, "-", "--verify-roundtrip", "-o", "/dev/null"], input=text.encode(), capture_output=True,
                              timeout=20, check=False)
    except subprocess.TimeoutExpired:
        return "takes more than 20 seconds"
    errors = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1):
        return f"ends with status {done.returncode}: {errors[-500:]}"
    if BAD_TEXT.search(errors):
        return f"prints {BAD_TEXT.search(errors).group(0)!r}"
    if done.returncode == 1 and not PLACE.search(errors):
        return f"refuses without a place: {errors[:500]!r}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()

    texts = []
    for program in sorted(options.programs):
        text = "\n".join(line for line in pathlib.Path(program).read_text().splitlines() if not line.strip().startswith("//"))
        # In the three forms a program may have: as written, as printed, generic.
        for form in ([], ["--mlir-print-op-generic"]):
            done = subprocess.run([options.tool, "-", *form], input=text, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                break
            texts += kernels(done.stdout)
        texts += kernels(text)
    pool = sorted({word for text in texts for word in tokens(text) if not word.isspace()} | set(NUMBERS) | set(TYPES))
    all_lines = [line for text in texts for line in text.splitlines() if line.strip()]

    failures = 0
    for number in range(options.count):
        rng = random.Random(options.seed * 1000003 + number)
        text = mutant(rng, rng.choice(texts), pool, all_lines)
        problem = objection(options.tool, text)
        if problem:
            failures += 1
            print(f"mutant {number} of seed {options.seed}: {problem}")
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{options.seed}-{number}.mlir").write_text(text)
            else:
                print(text)
    print(f"{options.count} mutants, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
