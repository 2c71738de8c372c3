#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# accuracy_gate.sh: what action.yml does once there is a command. Everything comes from variables of
# the environment, as data: TENSIX (the command), TENSIX_KERNELS (names and globs, blank separated),
# TENSIX_ARCH, TENSIX_DOMAIN, TENSIX_MAX_ULP, TENSIX_BUDGET, TENSIX_BEFORE (an earlier report.json),
# TENSIX_REPORT (a folder); an empty one is not used. Exit status 1: a gate is not passed, or a
# figure is worse than before; 2: something is wrong with the question.
set -uo pipefail
: "${TENSIX:=tensix}" "${TENSIX_REPORT:=tensix-accuracy}"

# Blanks part names, and globs are expanded: on purpose.
# shellcheck disable=SC2206
kernels=(${TENSIX_KERNELS:-})
if [ ${#kernels[@]} -eq 0 ]; then
    echo "accuracy: no kernels are given" >&2
    exit 2
fi
mkdir -p "$TENSIX_REPORT" || exit 2
options=(--no-progress)
for pair in "arch ${TENSIX_ARCH:-}" "domain ${TENSIX_DOMAIN:-}" "max-ulp ${TENSIX_MAX_ULP:-}" \
    "budget ${TENSIX_BUDGET:-}"; do
    [ -z "${pair#* }" ] || options+=("--${pair%% *}=${pair#* }")
done

# Once in JSON, of which the rest is made; the gate's status is that of this run.
status=0
"$TENSIX" sweep "${options[@]}" --csv "$TENSIX_REPORT/figures.csv" --json -- "${kernels[@]}" \
    >"$TENSIX_REPORT/report.json" || status=$?
if [ "$status" -gt 1 ]; then
    cat "$TENSIX_REPORT/report.json" >&2
    exit 2
fi
{
    echo '| kernel | chip | Dst | inputs | max ULP | mean ULP | mismatched | findings | gate |'
    echo '|---|---|---|---|---|---|---|---|---|'
    python3 -I - "$TENSIX_REPORT/figures.csv" <<'PY'
import csv, sys
for r in csv.DictReader(open(sys.argv[1], newline="")):
    cells = [r["kernel"], r["arch"], r["dst"], f"{r['inputs']} of {r['wanted']}", r["max_ulp"],
             r["mean_ulp"], r["mismatched"], r["findings"],
             f"{r['gate']}: {r['gate_text']}" if r["gate"] else "none"]
    print("| " + " | ".join(c.replace("|", "&#124;").replace("<", "&lt;") for c in cells) + " |")
PY
} >"$TENSIX_REPORT/table.md"
cat "$TENSIX_REPORT/table.md"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$TENSIX_REPORT/table.md" >>"$GITHUB_STEP_SUMMARY"
if [ -n "${TENSIX_BEFORE:-}" ]; then
    worse=0
    "$TENSIX" sweep diff "$TENSIX_BEFORE" "$TENSIX_REPORT/report.json" \
        >"$TENSIX_REPORT/diff.txt" || worse=$?
    cat "$TENSIX_REPORT/diff.txt"
    [ "$worse" -le "$status" ] || status=$worse
fi
exit "$status"
