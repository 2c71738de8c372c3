#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The GitHub Action: its last step as a runner calls it, and the example workflow that uses it.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -uo pipefail
. "$(dirname "$0")/lib.bash"
export GITHUB_ACTION_PATH=$TX_SOURCE

# step NAME STATUS VARIABLE=VALUE...: the run line of the step "Measure" of action.yml.
line=$(awk '/name: Measure/ { found = 1 } found && sub(/^ *run: /, "") { print; exit }' \
    "$TX_SOURCE/action.yml")
check "the step is there" test -n "$line"
step() {
    local name=$1 status=$2 got=0
    shift 2
    (cd "$TX_SOURCE/examples" && env "$@" TENSIX="$TENSIX" bash -e -c "$line") \
        >"$work/out" 2>"$work/err" || got=$?
    same "$name: status" "$status" "$got"
}
report=$work/report
step "a gate that is passed" 0 TENSIX_KERNELS="kernels/exp.s kernels/sqr[t].s" TENSIX_ARCH=bh,wh \
    TENSIX_BUDGET=ci/budget.yaml TENSIX_REPORT="$report" GITHUB_STEP_SUMMARY="$work/summary"
same "its table" 4 "$(grep -c '| passed: 1 steps of 2 in budget.yaml' "$report/table.md")"
check "the summary of the run" cmp "$report/table.md" "$work/summary"
check "its report" python3 -c "
import json; assert json.load(open('$report/report.json'))['passed'] is True"
step "the same as before" 0 TENSIX_KERNELS="kernels/exp.s kernels/sqrt.s" TENSIX_ARCH=bh,wh \
    TENSIX_BEFORE="$report/report.json" TENSIX_REPORT="$work/again"
check "and it says so" grep -q '^0 worse, 0 gone, 0 new' "$work/again/diff.txt"
step "fewer than before" 1 TENSIX_KERNELS=kernels/exp.s TENSIX_ARCH=bh,wh \
    TENSIX_BEFORE="$report/report.json" TENSIX_REPORT="$work/again"
step "a gate that is not" 1 TENSIX_KERNELS=kernels/exp.s TENSIX_ARCH=bh TENSIX_MAX_ULP=0 \
    TENSIX_REPORT="$work/failed"
check "why not" grep -q 'failed: max error 1 ULP of 0' "$work/failed/table.md"
step "no such kernel" 2 TENSIX_KERNELS='none*.s' TENSIX_ARCH=bh TENSIX_REPORT="$work/none"
step "no kernel" 2 TENSIX_KERNELS= TENSIX_REPORT="$work/none"
# Inputs reach the script as variables: none of them is a command.
step "a hostile input" 2 TENSIX_KERNELS='$(touch hostile)' TENSIX_REPORT="$work/none"
check "is not run" test ! -e "$TX_SOURCE/examples/hostile"
check "no input stands in a run line" bash -c \
    "! sed -n '/run: |/,/^ *- name/p; /run: bash/p' '$TX_SOURCE/action.yml' | grep -q 'inputs\.'"

# What the example gives the action is what the action takes; every input reaches the script.
inputs=$(awk '/^inputs:/ { on = 1; next } /^[a-z]/ { on = 0 }
    on && /^  [a-z-]+:$/ { gsub(/[ :]/, ""); print }' "$TX_SOURCE/action.yml")
for name in $(awk '/with:/ { on = 1; next } /^ *- / { on = 0 }
    on && /^          [a-z-]+:/ { sub(/:.*/, ""); gsub(/ /, ""); print }' \
    "$TX_SOURCE/examples/ci/accuracy.yml"); do
    case $name in name | path) continue ;; esac # of upload-artifact
    check "the example's $name" grep -qx "$name" <<<"$inputs"
done
for name in $inputs; do
    variable=TENSIX_$(tr 'a-z-' 'A-Z_' <<<"$name")
    [ "$name" != tensix ] || variable=TENSIX
    check "$name reaches the script" bash -c \
        "grep -q ' $variable: ..{ inputs.$name' '$TX_SOURCE/action.yml' &&
         grep -q '\\b$variable\\b' '$TX_SOURCE/scripts/accuracy_gate.sh'"
done
# make knows targets alone, where ninja takes a file's name, too.
for target in $(sed -n 's/.*--target \(.*\) -j.*/\1/p' "$TX_SOURCE/action.yml" \
    "$TX_SOURCE/examples/ci/jax.yml"); do
    check "what is built, $target, is a target" grep -qrE "add_(executable|library)\($target " \
        "$TX_SOURCE/CMakeLists.txt" "$TX_SOURCE/cmake"
done
if python3 -c 'import yaml' 2>/dev/null; then
    check "both are YAML" python3 -c "
import yaml
a, w = (yaml.safe_load(open(p)) for p in ('$TX_SOURCE/action.yml',
                                          '$TX_SOURCE/examples/ci/accuracy.yml'))
assert a['runs']['using'] == 'composite' and len(a['runs']['steps']) == 2
assert all('shell' in s for s in a['runs']['steps'])"
fi
finish
