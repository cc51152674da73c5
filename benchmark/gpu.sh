#!/usr/bin/env bash
# gpu.sh - what needs a GPU, in one command: correctness of the examples, bandwidth beside hand-written kernels.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   benchmark/gpu.sh BIN [SEED_PATTERNS.cu]     BIN: folder of the built tools; results go to $OUT, else ./gpu-results
set -u
bin=$1
seed=${2:-}
out=${OUT:-gpu-results}
mkdir -p "$out"
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader | tee "$out/device.txt"

echo "== examples: interpreter = GPU"
python3 test/sweep_examples.py "$bin/tile-run" examples --device gpu --full --jobs 14 | tee "$out/examples.txt" | tail -15

if [ -n "$seed" ]; then
  echo "== row products beside their hand-written twins"
  nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -o "$out/seed_patterns.bin" "$seed" || exit 1
  for round in 1 2 3; do
    "$bin/row-bench" examples >"$out/ours-$round.txt" || exit 1
    "$out/seed_patterns.bin" >"$out/twins-$round.txt" || exit 1
  done
  rm -f "$out/seed_patterns.bin"
  python3 benchmark/compare_rows.py "$out" | tee "$out/rows.md"
fi
