#!/usr/bin/env bash
# check_kernels.sh - NVRTC compiles every kernel of every example for sm_90a.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Usage: check_kernels.sh FOLDER_OF_THE_TOOLS. Without any NVRTC it says so and succeeds: nothing else needs one.
set -u
tools=$1
examples=$(dirname "$0")/../examples
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

failed=0 count=0
for program in "$examples"/*.mlir; do
  names=$("$tools/tile-translate" --kernel-info "$program" -o "$folder/info" && sed -n 's/^kernel "\(.*\)" .*/\1/p' "$folder/info")
  for kernel in $names; do
    count=$((count + 1))
    timeout 60 "$tools/tile-run" "$program" --kernel "$kernel" --arch sm_90a --emit cubin -o "$folder/cubin" 2> "$folder/log"
    status=$?
    if [ $status = 3 ] && grep -q "no usable NVRTC found" "$folder/log"; then
      echo "notice: no kernel was compiled: $(cat "$folder/log")"
      exit 0
    fi
    if [ $status != 0 ] || [ "$(head -c 4 "$folder/cubin")" != $'\x7fELF' ]; then
      echo "$program: $kernel: exit status $status: $(cat "$folder/log")"
      failed=$((failed + 1))
    fi
    rm -f "$folder/cubin"
  done
  [ -n "$names" ] || { echo "$program: no kernel"; failed=$((failed + 1)); }
done
echo "$count kernels compiled by NVRTC for sm_90a, $failed failed"
[ $failed = 0 ] && [ $count -gt 0 ]
