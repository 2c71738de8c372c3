#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two builds, measured in turns: BASE (a commit, or the file of a tensix; default HEAD) against the
# tree as it is. Fails where a row of tensix bench lost more than TOLERANCE (10) percent, in ROUNDS
# (5) rounds and again in as many of the rows that seemed to. Options go to tensix bench (--row mad,
# --quick).
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
base=${BASE:-HEAD}
rounds=${ROUNDS:-5}
tolerance=${TOLERANCE:-10}
results=$build/bench-check
new=$build/tensix
mkdir -p "$results"
rm -f "$results"/*.json

scripts/build.sh tensix-cli
if [ -f "$base" ]; then
    old=$base
else
    commit=$(git rev-parse --verify --quiet "$base^{commit}") || {
        echo "bench-check: BASE=$base is neither a commit nor a file" >&2
        exit 2
    }
    rm -rf "$results/source"
    mkdir -p "$results/source"
    git archive "$commit" | tar -x -C "$results/source"
    (cd "$results/source" && BUILD=$(realpath "$results")/build scripts/build.sh tensix-cli)
    old=$results/build/tensix
fi

measure() { # NAME OPTION...: files NAME-old-1.json, NAME-new-1.json ...
    local name=$1 i
    shift
    for ((i = 1; i <= rounds; i++)); do
        echo "bench-check: round $i of $rounds"
        "$old" bench --json "$@" >"$results/$name-old-$i.json"
        "$new" bench --json "$@" >"$results/$name-new-$i.json"
    done
}

compare() { # NAME
    local file options=()
    for file in "$results/$1"-old-*.json; do options+=(--base "$file"); done
    "$new" bench --tolerance "$tolerance" "${options[@]}" "$results/$1"-new-*.json
}

measure first "$@"
if compare first >"$results/first.txt"; then
    cat "$results/first.txt"
    exit 0
fi
cat "$results/first.txt"
grep -q ' regression$' "$results/first.txt" || exit 1
rows=()
while read -r name; do rows+=(--row "$name"); done < <(
    awk '$NF == "regression" { print $1 }' "$results/first.txt")
echo "bench-check: once more"
measure again "${rows[@]}"
compare again
