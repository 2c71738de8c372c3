#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What needs others: the wheel with the tools of PyPI, the door with tt-umd and tt-exalens, Neovim
# and VS Code with the language server, the browser's page in Chromium, and the vendor's SFPU
# kernels and the tests of its library, on both chips: tests/interop. The first argument is a
# checkout of tenstorrent/tt-llk; nothing of it is in this repository. Without one, or without a C++
# compiler, it says so and is skipped. Further arguments are interop.py's. TTSIM names a built
# checkout of tenstorrent/ttsim, whose L1 is compared too. KIT names the vendor's kit: then programs
# of ttnn run, on the door and on a card (tests/interop/ttnn_suite.py; TTNN=no leaves them out,
# TTNN=only runs nothing else),
# the kernels of tt-metal's programming examples (tests/interop/chip_examples.py; EXAMPLES likewise)
# programs of JAX (tests/interop/jax_suite.py; JAX=no, JAX=only likewise), headers that tensix opt
# writes, in both compilers (tests/interop/opt_header.py), the rows of docs/silicon.md that its
# library and compiler predict (scripts/silicon.py),
# tools of PyPI on a card, where TOOLS names a folder for them (tests/interop/card_tools.py),
# and tt-llk's own pytest files, with the vendor's compiler (tests/interop/suite.py); SUITE has more
# options for it (--sample 0 for all parameterisations). FIGURES names a file of rows as
# spec/chip-time.md describes: then its matrix products are built and run beside cycles of cards
# (tests/interop/llk_figures.py), and nothing else.
set -eu
cd "$(dirname "$0")/.."
llk=${1:-}
[ $# -eq 0 ] || shift
: "${BUILD:=build}"

if [ -n "${KIT-}" ]; then
    scripts/build.sh
    if [ -n "${FIGURES-}" ]; then
        exec python3 tests/interop/llk_figures.py --kit "$KIT" --build "$BUILD" "$FIGURES"
    fi
    if [ "${TTNN-yes}" != no ] && [ "${EXAMPLES-yes}" != only ] && [ "${JAX-yes}" != only ]; then
        python3 tests/interop/ttnn_suite.py --kit "$KIT" --build "$BUILD" \
            ${TTSIM:+--ttsim "$TTSIM"} || exit 1
        python3 tests/interop/ttnn_suite.py --kit "$KIT" --build "$BUILD" --card || exit 1
    fi
    [ "${TTNN-yes}" != only ] || exit 0
    if [ "${EXAMPLES-yes}" != only ] && [ "${JAX-yes}" != only ]; then
        python3 tests/interop/opt_header.py --kit "$KIT" --build "$BUILD" || exit 1
        python3 scripts/silicon.py "$BUILD/tensix" --check --kit "$KIT" || exit 1
    fi
    if [ "${EXAMPLES-yes}" != no ] && [ "${JAX-yes}" != only ]; then
        for python in python3 /usr/bin/python3; do
            ! "$python" -c 'import numpy' 2>/dev/null || break
        done
        "$python" tests/interop/chip_examples.py --kit "$KIT" --build "$BUILD" || exit 1
    fi
    [ "${EXAMPLES-yes}" != only ] || exit 0
    if [ "${JAX-yes}" != no ]; then
        python3 tests/interop/jax_suite.py --kit "$KIT" --build "$BUILD" \
            ${TTSIM:+--ttsim "$TTSIM"} || exit 1
    fi
    [ "${JAX-yes}" != only ] || exit 0
    # shellcheck disable=SC2086 # SUITE are words
    exec python3 tests/interop/suite.py --kit "$KIT" --build "$BUILD" ${TTSIM:+--ttsim "$TTSIM"} \
        ${SUITE-}
fi

if [ -n "${TOOLS-}" ]; then
    scripts/build.sh
    exec python3 tests/interop/card_tools.py --work "$TOOLS" --build "$BUILD"
fi
scripts/deps.sh interop
tests/interop/wheel.sh
tests/interop/door.sh
BUILD=$BUILD tests/interop/neovim.sh
BUILD=$BUILD tests/interop/vscode.sh
BUILD=$BUILD tests/web/run.sh

if [ -z "$llk" ]; then
    echo "interop: skipped: LLK=DIR names no checkout of tenstorrent/tt-llk"
    exit 0
fi
if ! command -v "${CXX:=c++}" >/dev/null; then
    echo "interop: skipped: no C++ compiler ($CXX)"
    exit 0
fi
[ -x "$BUILD/tensix" ] || scripts/build.sh
export CXX
status=0
python3 tests/interop/walk.py --llk "$llk" --tensix "$BUILD/tensix" || status=1
python3 tests/interop/llk_tests.py --llk "$llk" --tensix "$BUILD/tensix" \
    ${TTSIM:+--ttsim "$TTSIM"} || status=1
python3 tests/interop/interop.py --llk "$llk" --tensix "$BUILD/tensix" "$@" || status=1
exit $status
