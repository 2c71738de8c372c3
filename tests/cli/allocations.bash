# SPDX-License-Identifier: Apache-2.0
# Sourced by tests that let every n-th allocation of the command fail, after lib.bash and in $work.
# shellcheck disable=SC2154 # lib.bash sets them
"${CC:-cc}" -O1 -fPIC -shared -o fail.so "$TX_SOURCE/tests/security/fail_malloc.c"

# once N COMMAND...: its input is $INPUT, its outputs are in now.*, y.npy and out.csv; $status, $calls and $kept say how it went.
once() {
    local n=$1
    shift
    rm -f y.npy out.csv count
    status=0
    LD_PRELOAD=$work/fail.so FAIL_AT=$n FAIL_LOG=$work/count \
        "$TENSIX" "$@" >now.out 2>now.err <"${INPUT:-/dev/null}" || status=$?
    # Ended at once where memory ended: nothing is counted, the process is gone with all it had.
    calls=0 kept=0
    [ ! -e count ] || read -r calls kept <count
}
outputs() { # what a user has of it
    local file
    grep -v '"seconds":' now.out || true
    cat now.err
    for file in y.npy out.csv; do
        [ ! -e $file ] || cat $file
    done
}
# said COMMAND...: one line, or with --json one object, and nothing else.
said() {
    local word
    [ $status = 2 ] || return 1
    # The report may fail where the results are whole.
    [ ! -e y.npy ] || cmp -s y.npy usual.npy || return 1
    [ ! -e out.csv ] || cmp -s out.csv usual.csv || return 1
    for word; do
        [ "$word" != --json ] || break
    done
    if [ "$word" = --json ]; then
        [ ! -s now.err ] && [[ $(tr -d ' \n' <now.out) == '{"schema":1,"error":{'*'}}' ]]
    else
        # PARTLY: of several commands those before it have answered.
        { [ -n "${PARTLY:-}" ] || [ ! -s now.out ]; } &&
            [ "$(grep -vc '^    ' now.err)" = 1 ] # a line may be shown below it
    fi
}
# walk NAME COMMAND...: about MOST of its allocations, the first ones among them.
walk() {
    local name=$1 wanted usual all n step bad=0 most=${MOST:-15}
    shift
    once 0 "$@"
    wanted=$status all=$calls usual=$kept
    outputs >want
    [ ! -e y.npy ] || mv y.npy usual.npy
    [ ! -e out.csv ] || mv out.csv usual.csv
    [ "${TX_MEMORY:-}" != all ] || most=5000
    step=$((all / most + 1))
    for ((n = 1; n <= all; n += n < 8 ? 1 : step)); do
        once "$n" "$@"
        if [ "$kept" -gt "$usual" ]; then
            bad=$((bad + 1))
            echo "# $name: allocation $n of $all: $kept blocks are kept, $usual otherwise"
        fi
        if [ $status = "$wanted" ] && outputs | cmp -s - want; then
            continue
        fi
        # A trace is a stream, which may have begun; its end is missing then.
        if [ "$1" = trace ] && ! grep -q '^# .* cycles stalled' now.out; then
            : >now.out
        fi
        if ! said "$@"; then
            bad=$((bad + 1))
            echo "# $name: allocation $n of $all: status $status, $(wc -l <now.err) lines," \
                "$(wc -c <now.out) bytes: $(head -1 now.err)"
        fi
    done
    same "$name, $all allocations" 0 "$bad"
}
