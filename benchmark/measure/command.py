# command.py - how a file of results says what made it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib


def recorded(script, arguments):
    """The command as others can repeat it: without where the results went, paths by their last name."""
    words, skips = [script], False
    for word in arguments:
        if skips or word.startswith("--out="):
            skips = False
        elif word == "--out":
            skips = True
        else:
            words.append(pathlib.PurePath(word).name if "/" in word else word)
    return " ".join(words)
