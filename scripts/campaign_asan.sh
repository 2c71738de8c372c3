#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_asan.sh [FOLDER/]PROGRAM ARGS...: builds tests/FOLDER/PROGRAM, of tests/engines if none
# is named, with ASan and UBSan, and runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${BUILD:-build}-asan
case $1 in
*/*) program=$1 ;;
*) program=engines/$1 ;;
esac
shift
cmake -S . -B "$dir" -DTENSIX_SANITIZE=asan+ubsan -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
cmake --build "$dir" -j "${JOBS:-2}" --target "${program/\//-}" >/dev/null
exec "$dir/tests/$program" "$@"
