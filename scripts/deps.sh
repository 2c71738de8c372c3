#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, without asking: deps.sh [build|test|interop|all]. Default: all.
# TENSIX_NO_DEPS=1 takes the machine as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "${TENSIX_NO_DEPS:-0}" != 1 ] || exit 0

# package[:command]; where the command exists, whatever package it came from will do.
build=(cmake:cmake gcc:gcc make:make ninja-build:ninja pkg-config:pkg-config libc6-dev
       libjansson-dev zlib1g-dev libmpfr-dev libgmp-dev uthash-dev)
test=(g++:g++ binutils:readelf git:git gzip:gzip python3:python3 libcmocka-dev
      gcc-aarch64-linux-gnu:aarch64-linux-gnu-gcc libc6-dev-arm64-cross qemu-user:qemu-aarch64
      python3-numpy python3-pytest python3-mpmath) # python/
all=(clang-tidy:clang-tidy clang-format:clang-format)
# For the test of the trace page, which is skipped where neither is to be had.
browser=(chromium:chromium chromium-driver:chromedriver)
# Plots, MPI ranks, functions that MPFR lacks, wheels and types in Python, a processor that keeps
# the high byte first, kernels for the tile's cores and their debugger, a second compiler, shells
# with completion, bounds of fit: what needs them is left out where apt has none.
optional=(libzydis-dev libzycore-dev # card/
          gnuplot-nox:gnuplot openmpi-bin:mpirun libflint-arb-dev python3-pip python3-venv
          python3-setuptools python3-wheel mypy:mypy
          gcc-s390x-linux-gnu:s390x-linux-gnu-gcc libc6-dev-s390x-cross
          gcc-riscv64-unknown-elf:riscv64-unknown-elf-gcc gdb-multiarch:gdb-multiarch
          clang:clang zsh:zsh fish:fish glpk-utils:glpsol)
# Runtime of libFuzzer and the sanitizers, by the version of the clang that is here or will be;
# clang only recommends it.
clang_runtime() {
    local version
    version=$(clang -dumpversion 2>/dev/null ||
        apt-cache depends clang | sed -n 's/^ *Depends: clang-\([0-9]*\)$/\1/p')
    echo "libclang-rt-${version%%.*}-dev"
}

# Asked for only while something in the tree uses them.
if compgen -G 'tests/cli/*.bats' >/dev/null; then
    test+=(bats:bats)
fi
if grep -qsE '^ *#include <(libelf|gelf)\.h>' lab/*/*.c; then
    build+=(libelf-dev)
fi
if grep -qs '^ *#include <elfutils/libdw.h>' lab/*/*.[ch]; then
    build+=(libdw-dev)
fi
if grep -qs '^ *#include <yaml.h>' lab/*/*.c; then
    build+=(libyaml-dev)
fi
if grep -qs '^ *#include <zip.h>' lab/*/*.[ch]; then
    build+=(libzip-dev)
fi
if grep -qs '^ *#include <curses.h>' cli/*.c; then
    build+=(libncurses-dev)
    test+=(tmux:tmux)
fi

case ${1:-all} in
build) wanted=("${build[@]}") browser=() optional=() ;;
test) wanted=("${build[@]}" "${test[@]}") ;;
interop) # editors of Debian, and node for those of npm
    wanted=("${build[@]}" "${test[@]}")
    optional+=(neovim:nvim npm:npm nodejs:node)
    ;;
all) wanted=("${build[@]}" "${test[@]}" "${all[@]}") ;;
*)
    echo "usage: $0 [build|test|interop|all]" >&2
    exit 2
    ;;
esac

present() { # package[:command]
    local package=${1%%:*} command=${1#*:}
    if [ "$command" != "$1" ] && command -v "$command" >/dev/null; then
        return 0
    fi
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ]
}

if ! command -v dpkg-query >/dev/null; then
    echo "deps: no dpkg here; install by hand, then set TENSIX_NO_DEPS=1: ${wanted[*]%%:*}" >&2
    exit 1
fi

missing=()
for item in "${wanted[@]}"; do
    present "$item" || missing+=("${item%%:*}")
done
extra=()
for item in "${browser[@]}"; do
    present "$item" || extra+=("${item%%:*}")
done
more=()
for item in "${optional[@]}"; do
    present "$item" || more+=("${item%%:*}")
done
if [ ${#optional[@]} -ne 0 ] && ! scripts/clang_fuzzes.sh >/dev/null; then
    if ! command -v clang >/dev/null || ! present "$(clang_runtime)"; then
        more+=(libclang-rt)
    fi
fi
if [ ${#missing[@]} -eq 0 ] && [ ${#extra[@]} -eq 0 ] && [ ${#more[@]} -eq 0 ]; then
    exit 0
fi
without() { echo "deps: $1: ${extra[*]}; the test of the trace page will be skipped"; }

if [ "$(id -u)" -eq 0 ]; then
    as_root=(env)
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n env)
elif command -v sudo >/dev/null && [ -t 0 ]; then
    as_root=(sudo env)
elif [ ${#missing[@]} -eq 0 ]; then
    [ ${#extra[@]} -eq 0 ] || without "neither root nor sudo to install"
    [ ${#more[@]} -eq 0 ] || echo "deps: neither root nor sudo to install: ${more[*]}"
    exit 0
else
    echo "deps: missing, and neither root nor sudo to install them: ${missing[*]}" >&2
    exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@"; }
stop() {
    tail -n 20 "$log" >&2
    echo "deps: apt-get could not install: $*" >&2
    exit 1
}
apt update >"$log" 2>&1 || stop "${missing[@]}" "${extra[@]}"
for package in "${extra[@]}"; do # Ubuntu has no chromium package
    if [[ ! $(apt-cache policy "$package") =~ Candidate:\ [^\(] ]]; then
        without "apt has no package for"
        extra=()
        break
    fi
done
missing+=("${extra[@]}")
for package in "${more[@]}"; do
    [ "$package" != libclang-rt ] || package=$(clang_runtime)
    if [[ $(apt-cache policy "$package") =~ Candidate:\ [^\(] ]]; then
        missing+=("$package")
    else
        echo "deps: apt has no $package"
    fi
done
if [ ${#missing[@]} -ne 0 ]; then
    echo "deps: installing ${missing[*]}"
    apt install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1 || stop "${missing[@]}"
fi
