#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds everything and runs every test, but for those that are built in other ways (the label kinds
# in cmake/tests.cmake): make campaign ONLY=kinds runs them. Arguments go to ctest (-L num,
# -R sfpmad ...) and choose among all tests.
# The last line is "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
build=${BUILD:-build}
started=$SECONDS

stop() {
    echo "$1"
    echo "0 passed, 1 failed"
    exit 1
}

scripts/deps.sh test || stop "the dependencies are not complete"
CMAKE_ARGS="-DBUILD_TESTING=ON ${CMAKE_ARGS:-}" scripts/build.sh || stop "the build failed"

[ $# -ne 0 ] || set -- -LE kinds
log=$build/ctest.log
# Two more than there are processors: some tests wait for a browser, a terminal or a signal.
(cd "$build" && ctest --output-on-failure --no-tests=error -j $(($(nproc) + 2)) "$@") | tee "$log"
status=${PIPESTATUS[0]}

# One line a test: " 3/40 Test #12: num.fma ....   Passed    0.10 sec".
count() { grep -E '^ *[0-9]+/[0-9]+ Test +#[0-9]+: ' "$log" | grep -cE "$1"; }
passed=$(count ' Passed +[0-9.]+ sec')
skipped=$(count '\*\*\*(Skipped|Not Run \(Disabled\))')
failed=$(($(count .) - passed - skipped))
cases=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s)\..*/\1/p' \
    "$build/Testing/Temporary/LastTest.log" 2>/dev/null | awk '{ n += $1 } END { print n + 0 }')
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
    failed=1
fi
echo
# Why: the last line that such a test wrote.
for name in $(sed -nE 's/^.* Test +#[0-9]+: ([^ ]+) .*\*\*\*Skipped.*/\1/p' "$log"); do
    why=$(sed -nE "/^[0-9]+\/[0-9]+ Testing: ${name//./\\.}\$/,/^<end of output>/p" \
        "$build/Testing/Temporary/LastTest.log" | grep -vE '^(-*|<end of output>)$' | tail -n 1)
    echo "skipped: $name: $why"
done
echo "$cases cases in $((passed + failed)) programs, $skipped skipped, $((SECONDS - started)) s"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
