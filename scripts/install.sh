#!/usr/bin/env bash
# install.sh - installs what the build needs and this Debian 12 machine lacks; at once when nothing is missing.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
cd "$(dirname "$0")/.."

packages=(cmake make ninja-build g++ ccache git python3
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools lld-22 clang-format-22
  libzstd-dev zlib1g-dev libgtest-dev)

say() { printf 'install: %s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo -n "$@"
  else
    say "not root, and no sudo: '$*' cannot run"
    return 1
  fi
}

apt_install() {
  as_root apt-get update -q > /dev/null || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" < /dev/null
}

# Prints those of the given packages that are not installed.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2> /dev/null | sed -n 's/^installed //p')
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<< "$installed")
}

install_packages() {
  local missing
  command -v dpkg-query > /dev/null || { say "no dpkg: install by hand: ${packages[*]}"; return 0; }
  mapfile -t missing < <(missing_packages "${packages[@]}")
  [ ${#missing[@]} = 0 ] && return 0
  say "installing ${missing[*]}"
  apt_install "${missing[@]}"
}

# The folders the tools search for NVRTC too (lib/Runtime/SearchPaths.cpp), as patterns.
nvrtc_patterns() {
  local root python
  [ -z "${TILE_NVRTC:-}" ] || printf '%s\n' "$TILE_NVRTC" "$TILE_NVRTC/libnvrtc.so*" "$TILE_NVRTC/lib*/libnvrtc.so*"
  for root in ${CUDA_HOME:+"$CUDA_HOME"} ${CUDA_PATH:+"$CUDA_PATH"} '/usr/local/cuda*' /opt/cuda; do
    printf '%s\n' "$root/lib64/libnvrtc.so*" "$root/lib/libnvrtc.so*" "$root/targets/*/lib/libnvrtc.so*"
  done
  for python in ${VIRTUAL_ENV:+"$VIRTUAL_ENV"} ${HOME:+"$HOME/.local"} /usr/local /usr; do
    printf '%s\n' "$python/lib/python3*/*-packages/nvidia/*/lib/libnvrtc.so*"
  done
  printf '%s\n' "$PWD/build/nvrtc/nvidia/*/lib/libnvrtc.so*"
}

have_nvrtc() {
  local pattern
  while read -r pattern; do
    compgen -G "$pattern" > /dev/null && return 0
  done < <(nvrtc_patterns)
  [[ $(/sbin/ldconfig -p 2> /dev/null) == *libnvrtc.so* ]]
}

# Best effort: the build and everything but cubins do without.
fetch_nvrtc() {
  have_nvrtc && return 0
  if [ -e build/nvrtc/.tried ]; then
    say "no NVRTC: everything but cubins works; remove build/nvrtc/.tried to fetch it again"
    return 0
  fi
  say "no NVRTC; looked for:"
  nvrtc_patterns | sed 's/^/install:   /' >&2
  say "  libnvrtc.so on the loader's path"
  mkdir -p build/nvrtc
  python3 -m pip --version > /dev/null 2>&1 || apt_install python3-pip > /dev/null || true
  say "fetching the wheel nvidia-cuda-nvrtc 13.0 into build/nvrtc"
  timeout 300 python3 -m pip install -q --root-user-action=ignore --no-deps --target build/nvrtc \
    'nvidia-cuda-nvrtc==13.0.*' < /dev/null || true
  have_nvrtc && return 0
  touch build/nvrtc/.tried
  say "no NVRTC to be had: everything but cubins works"
}

install_packages
fetch_nvrtc
