#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Walks README.md as a newcomer would: a clean clone, its two commands, its example of the command,
# its links, each timed. walk_readme.sh [--quick]: without make test.
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
step() { # step NAME COMMAND...
    local from=$SECONDS
    if "${@:2}" >"$place/log" 2>&1; then
        printf '%5d s  %s\n' "$((SECONDS - from))" "$1"
    else
        printf 'failed   %s\n' "$1"
        tail -n 20 "$place/log"
        exit 1
    fi
}
step "git clone" git clone -q "$source" "$place/tensix"
cd "$place/tensix"
grep -q '^make demo ' README.md && grep -q '^make test ' README.md
step "make demo" make demo
[ "${1:-}" = --quick ] || step "make test" make test
PATH=$PWD/build:$PATH
# The example of the command prints what README shows below it.
shown() {
    local line
    line=$(sed -n 's/^\$ \(tensix .*\)$/\1/p' README.md | head -n 1)
    eval "$line" | diff - <(sed -n '/^\$ tensix /,/^```/p' README.md | sed '1d;$d')
}
step "the example of the command" shown
links() {
    local link
    for link in $(grep -o '](\([a-z][^)#]*\)' README.md | cut -c 3-); do
        [ -e "$link" ] || {
            echo "no $link"
            return 1
        }
    done
}
step "every link leads somewhere" links
