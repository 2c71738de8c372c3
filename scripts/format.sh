#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-format over the C files: format.sh rewrites them, format.sh --check only tells.
# Versions differ in taste, so it is version 14 or nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in clang-format-14 clang-format ''; do
    if [ -n "$tool" ] && "$tool" --version 2>/dev/null | grep -q 'version 14\.'; then
        break
    fi
done
if [ -z "$tool" ]; then
    echo "format: no clang-format 14 here, not checked"
    exit 0
fi
folders=(include src lab cli card door tests bench)
mapfile -t files < <(find "${folders[@]}" -name '*.[ch]' -o -name '*.[ch]pp' | sort)
if [ "${1:-}" = --check ]; then
    # One line a file; "make format" shows and mends the rest.
    "$tool" --dry-run "${files[@]}" 2>&1 | awk -F: '
        /code should be clang-formatted/ { if (!count[$1]++) names[++n] = $1 }
        END {
            for (i = 1; i <= n; i++)
                print names[i] ": " count[names[i]] " places differ (make format)"
            exit n != 0
        }'
    exit
fi
"$tool" -i "${files[@]}"
