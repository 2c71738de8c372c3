# SPDX-License-Identifier: Apache-2.0
# Sourced by the command's tests: counting, a scratch directory, checks. $TENSIX is the binary,
# $TX_SOURCE the source directory.
: "${TX_SOURCE:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}"
: "${TENSIX:=$TX_SOURCE/build/tensix}"
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TENSIX_CACHE=$work/cache # of compiled kernels
# The system's Python itself: wrappers that choose between several take five times as long to start,
# and these tests start it a thousand times.
mkdir "$work/bin"
PATH=$work/bin:$PATH
if [ -x /usr/bin/python3 ]; then
    ln -s /usr/bin/python3 "$work/bin/python3"
fi

# make test takes part of what differs little from case to case; make campaign ONLY=whole, all of it.
whole() { [ -n "${TX_WHOLE:-}" ]; }

# The build that checks itself (cmake --preset check).
checks_itself() {
    grep -qs '^TENSIX_CHECK:BOOL=ON' "${TX_BINARY_DIR:-$TX_SOURCE/build}/CMakeCache.txt"
}

# Kernels are compiled in half of the time: tests/cli/kernel_cc.
quick_kernels() {
    export KERNEL_CC=${CC:-cc} TX_BINARY_DIR=${TX_BINARY_DIR:-$TX_SOURCE/build}
    export CC=$TX_SOURCE/tests/cli/kernel_cc
}

# Kernels of the cores are compiled once: tests/cli/riscv_cc.
quick_cores() {
    local real
    real=$(command -v riscv64-unknown-elf-g++) || return 0
    printf '#!/bin/sh\nexec %s %s %s "$@"\n' "'$TX_SOURCE/tests/cli/riscv_cc'" "$real" \
        "'${TX_BINARY_DIR:-$TX_SOURCE/build}/riscv_cc'" >"$work/bin/riscv64-unknown-elf-g++"
    chmod +x "$work/bin/riscv64-unknown-elf-g++"
}

ok() {
    passed=$((passed + 1))
    echo "ok $1"
}

not_ok() {
    failed=$((failed + 1))
    echo "not ok $1${2:+: $2}"
}

# check NAME COMMAND...: the command must succeed; $work/last.out is what the one before printed.
check() {
    local name=$1
    shift
    [ ! -e "$work/check.out" ] || mv "$work/check.out" "$work/last.out"
    if "$@" >"$work/check.out" 2>&1; then
        ok "$name"
    else
        not_ok "$name" "$(head -c 300 "$work/check.out" | tr '\n' '|')"
    fi
}

# same NAME EXPECTED GOT
same() {
    if [ "$2" = "$3" ]; then
        ok "$1"
    else
        not_ok "$1" "expected '$2', got '$3'"
    fi
}

# refuses NAME STATUS PATTERN COMMAND...: that exit status, one line on stderr that matches, nothing
# on stdout, and no file $work/y.npy.
refuses() {
    local name=$1 status=$2 pattern=$3 got=0
    shift 3
    "$@" >"$work/out" 2>"$work/err" || got=$?
    if [ "$got" != "$status" ]; then
        not_ok "$name" "exit $got, expected $status: $(head -c 300 "$work/err")"
    elif [ "$(grep -vc '^  ' "$work/err")" != 1 ]; then # a table has its rows below it
        not_ok "$name" "$(wc -l <"$work/err") lines on stderr: $(head -c 300 "$work/err")"
    elif ! tr '\n' ' ' <"$work/err" | sed 's/ $//' | grep -Eq -- "$pattern"; then
        not_ok "$name" "'$(cat "$work/err")' does not match '$pattern'"
    elif [ -s "$work/out" ]; then
        not_ok "$name" "stdout is not empty"
    elif [ -e "$work/y.npy" ] || ls "$work"/y.npy.* >/dev/null 2>&1; then
        not_ok "$name" "an output file was left"
        rm -f "$work"/y.npy*
    else
        ok "$name"
    fi
}

# worked PID [TICKS]: whether the process has worked for a twentieth of a second, beyond what ticks
# told: then it is past its start, and most of its work is still to come, on a slow machine and on a
# busy one.
worked() { awk -v since="${2:-0}" '{ exit $14 < since + 5 }' "/proc/$1/stat" 2>/dev/null; }
ticks() { awk '{ print $14 }' "/proc/$1/stat"; }

# soon COMMAND...: waits until the command succeeds, a minute at most.
soon() {
    local i
    for ((i = 0; i < 1200; i++)); do
        ! "$@" || return 0
        sleep 0.05
    done
    return 1
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}

# A relative of numpy.save: npy FILE DTYPE SHAPE PYTHON-EXPRESSION (a list of numbers).
npy() {
    python3 - "$@" <<'PY'
import struct, sys
path, dtype, shape, expression = sys.argv[1:5]
code = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q",
        "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "V2": "H"}[dtype]
import math, random
random.seed(1)
values = list(eval(expression))
head = ("{'descr': '%s%s', 'fortran_order': False, 'shape': %s, }"
        % ("|" if dtype in ("i1", "u1") else "<", dtype, shape)).encode()
head += b" " * (-(10 + len(head) + 1) % 64) + b"\n"
with open(path, "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)
    f.write(struct.pack("<%d%s" % (len(values), code), *values))
PY
}

# Prints an array's dtype, shape and first values: show FILE COUNT
show() {
    python3 - "$@" <<'PY'
import ast, struct, sys
data = open(sys.argv[1], "rb").read()
size = struct.unpack("<H", data[8:10])[0]
head = ast.literal_eval(data[10:10 + size].decode())
code = {"f4": "f", "i4": "i", "i2": "h", "i1": "b"}[head["descr"][1:]]
count = int(sys.argv[2])
values = struct.unpack_from("<%d%s" % (count, code), data, 10 + size)
print(head["descr"], head["shape"], *("%g" % v for v in values))
PY
}

# The square of a tile: square DST MOD0, MOD0 being SFPLOAD's and SFPSTORE's number of that format.
square() {
    cat <<EOS
.title "square"
.reference square
.dst $1
.tile
A = 0
.rept 16
    sfpload L0,A,$2,3
    sfpload L1,A+2,$2,3
    sfpmul L2,L0,L0,0
    sfpmul L3,L1,L1,0
    sfpnop
    sfpstore L2,A,$2,3
    sfpstore L3,A+2,$2,3
A = A + 4
.endr
EOS
}

square fp32 3 >"$work/square.s"
square bf16 2 >"$work/square-bf16.s"
square fp16 1 >"$work/square-fp16.s"
