#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All that can be said about the sources without running them. LINT_SECONDS bounds clang-tidy; what
# it did not reach is named and is no failure.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
failed=()

step() { # name command...
    local name=$1
    shift
    echo "== $name"
    "$@" || failed+=("$name")
}

tidy() {
    if ! command -v clang-tidy >/dev/null; then
        echo "no clang-tidy here, not checked"
        return 0
    fi
    local build=${LINT_BUILD:-build-lint} compiler=
    if command -v clang >/dev/null; then
        compiler=-DCMAKE_C_COMPILER=clang
    fi
    # Only for compile_commands.json; nothing is built.
    cmake -S . -B "$build" $compiler -DBUILD_TESTING=OFF >"$build.log" 2>&1 || {
        cat "$build.log"
        return 1
    }
    mv "$build.log" "$build/configure.log"
    local results
    results=$(mktemp -d)
    export TIDY_BUILD=$build TIDY_RESULTS=$results TIDY_END
    TIDY_END=$(($(date +%s) + ${LINT_SECONDS:-240}))
    # shellcheck disable=SC2016 # expanded by the inner shell
    find src lab cli -name '*.c' -print0 | sort -z | xargs -0 -P "$(nproc)" -I{} bash -c '
        left=$((TIDY_END - $(date +%s)))
        out=$TIDY_RESULTS/$(printf %s "$1" | tr / _)
        if [ "$left" -le 0 ]; then
            echo "not reached: $1"
            exit 0
        fi
        timeout "$left" clang-tidy --quiet -p "$TIDY_BUILD" "$1" >"$out" 2>"$out.err"
        status=$?
        if [ "$status" -eq 124 ]; then
            echo "not finished: $1"
        elif [ "$status" -ne 0 ]; then
            cat "$out"
            [ -s "$out" ] || cat "$out.err"
            touch "$out.failed"
        fi' tidy {}
    local bad
    bad=$(find "$results" -name '*.failed' | wc -l)
    rm -rf "$results"
    [ "$bad" -eq 0 ] || {
        echo "clang-tidy: $bad files"
        return 1
    }
}

types() {
    if ! command -v mypy >/dev/null; then
        echo "no mypy here, not checked"
        return 0
    fi
    (cd python && mypy --cache-dir=/dev/null)
}

step format scripts/format.sh --check
step layers python3 scripts/check_layers.py
step style python3 scripts/check_style.py
step assertions python3 scripts/count_checks.py
step citations python3 scripts/check_citations.py
step types types
if command -v shellcheck >/dev/null; then
    step shellcheck shellcheck scripts/*.sh tests/cli/*.sh .ci/run
fi
step clang-tidy tidy

if [ ${#failed[@]} -ne 0 ]; then
    echo "lint: failed: ${failed[*]}"
    exit 1
fi
echo "lint: clean"
