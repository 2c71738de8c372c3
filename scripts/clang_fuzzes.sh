#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Can clang build a program with libFuzzer and AddressSanitizer? Their runtimes are a package of
# their own (libclang-rt-14-dev in Debian 12), which clang only recommends. Says what is missing
# and fails where it cannot.
set -euo pipefail

if ! command -v clang >/dev/null; then
    echo "no clang here; scripts/deps.sh test installs it"
    exit 1
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT
if ! printf '%s\n' 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n);' \
    'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return !d && n; }' |
    clang -fsanitize=fuzzer,address -x c - -o "$out" 2>/dev/null; then
    version=$(clang -dumpversion)
    echo "clang has no runtime of libFuzzer and AddressSanitizer here:" \
        "libclang-rt-${version%%.*}-dev, which scripts/deps.sh test installs"
    exit 1
fi
