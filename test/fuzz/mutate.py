#!/usr/bin/env python3
# mutate.py - feeds mutated valid programs to tile-opt: it may refuse them, with a place, and never falls over.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: mutate.py --tool TILE_OPT [--seed N] [--count N] [--keep FOLDER] PROGRAM...

Each mutant changes a few tokens or lines of one program, in its own or in generic form. It fails the run if the tool
ends by a signal, prints assertion text, takes too long, or refuses without file:line:column. The seed fixes all mutants;
a failing one is written to --keep (default: shown).
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[%@!#^][\w$.\-]*|\d+\.\d+(?:e[+-]?\d+)?|\d+x|[A-Za-z_][\w.]*|\d+|\s+|->|==|.')
NUMBERS = ["0", "-1", "1", "2", "7", "1024", "4294967296", "9007199254740992", "9223372036854775807", "-9223372036854775808",
           "99999999999999999999999999", "0.0", "1e300", "nan", "-inf", "true", "?"]
BAD_TEXT = re.compile(r"Assertion|assertion|LLVM ERROR|PLEASE submit|Stack dump|UNREACHABLE|runtime error|AddressSanitizer")
PLACE = re.compile(r"^[^\n]*:\d+:\d+: error: ", re.M)


def tokens(text):
    return TOKEN.findall(text)


def mutate_tokens(rng, words, pool):
    solid = [i for i, word in enumerate(words) if not word.isspace()]
    place = rng.choice(solid)
    action = rng.randrange(7)
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
        numbers = [i for i in solid if words[i].isdigit()] or solid
        words[rng.choice(numbers)] = rng.choice(NUMBERS)
    elif action == 5:
        words.insert(place, rng.choice(pool) + " ")
    else:
        # A token of the same kind: more mutants survive the parser and reach the verifiers.
        alike = [word for word in pool if word[0] == words[place][0] or word.isalnum() == words[place].isalnum()]
        words[place] = rng.choice(alike or pool)


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
        done = subprocess.run([tool, "-", "--canonicalize", "-o", "/dev/null"], input=text.encode(), capture_output=True,
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
            texts.append(done.stdout)
        texts.append(text)
    pool = sorted({word for text in texts for word in tokens(text) if not word.isspace()} | set(NUMBERS))
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
