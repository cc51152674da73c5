#!/usr/bin/env python3
# expect_status.py - runs a command and fails unless it ends with the given status.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: expect_status.py STATUS COMMAND [ARGUMENT ...]; the command's two outputs come out as one."""
import subprocess
import sys

done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
print(done.stdout, end="")
if done.returncode != int(sys.argv[1]):
    print(f"status {done.returncode}, expected {sys.argv[1]}")
    sys.exit(1)
