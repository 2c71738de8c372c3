#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Time and memory of tensix trace: 10000 instructions, then 10^5 and 10^6 cycles in every form.
# $TENSIX is the command; default: that of the build directory.
set -euo pipefail
cd "$(dirname "$0")/.."
tensix=${TENSIX:-${BUILD:-build}/tensix}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# kernel REPEATS: two MADs that wait for each other among a load and a store, six cycles.
kernel() {
    echo .arch blackhole
    echo ".rept $1"
    printf 'sfpload L0,0,3,3\nsfpmad L1,L0,L0,L9,0\nsfpadd L2,L1,L10,0\nsfpstore L2,0,3,3\n'
    echo .endr
}
kernel 2500 >"$work/small.s"
kernel 1667 >"$work/unit.s" # 10002 cycles a tile

# measure NAME KERNEL OPTION...
measure() {
    local name=$1
    shift
    python3 - "$name" "$work/out" "$tensix" trace "$@" <<'PY'
import os, re, subprocess, sys, time
name, out, command = sys.argv[1], sys.argv[2], sys.argv[3:]
most = 0
with open(out, "w") as stream:
    start = time.time()
    process = subprocess.Popen(command, stdout=stream)
    while process.poll() is None: # getrusage would tell of the process that forked
        found = re.search(r"VmHWM:\s+(\d+)", open("/proc/%d/status" % process.pid).read())
        most = int(found.group(1)) if found else most
        time.sleep(0.002)
    taken = time.time() - start
with open(out) as stream:
    stream.seek(max(0, os.path.getsize(out) - 400))
    end = stream.read().strip().split("\n")[-1]
size = os.path.getsize(out)
for option, path in zip(command, command[1:]):
    if option in ("--chrome", "--konata", "--html"):
        size = os.path.getsize(path)
print("%-26s %6.2f s %8.1f MB of output %8.1f MiB resident" %
      (name, taken, size / 1e6, most / 1024))
if process.returncode != 0:
    sys.exit("failed: " + end)
PY
}
for form in text json chrome konata html; do
    case $form in
    text) option=() ;;
    json) option=(--json) ;;
    *) option=("--$form" "$work/file") ;;
    esac
    measure "10000 instructions, $form" "$work/small.s" "${option[@]}"
done
for tiles in 10 100; do
    for form in text json chrome konata html; do
        case $form in
        text) option=() ;;
        json) option=(--json) ;;
        html) option=(--html "$work/file" --cycles :999999) ;;
        *) option=("--$form" "$work/file") ;;
        esac
        measure "${tiles}0000 cycles, $form" "$work/unit.s" --tiles $tiles "${option[@]}"
    done
done
