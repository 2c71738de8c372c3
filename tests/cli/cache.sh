#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The cache of compiled kernels over time: what its names say, what it removes, what it refuses.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_kernels
own=$CC
cache=$TENSIX_CACHE
cat >"$work/square.s" <<'EOS'
.dst fp32
.tile
sfpload L0,0,3,3
sfpmul L0,L0,L0,0
sfpnop
sfpstore L0,0,3,3
EOS
npy "$work/x.npy" f4 "(1024,)" "[i / 8 for i in range(1024)]"

# A compiler with a version of its own, which counts its runs.
make_compiler() {
    mkdir -p "$1"
    cat >"$1/mycc" <<EOS
#!/bin/sh
[ "\$*" != --version ] || exec cat "$work/version"
echo run >>"$work/runs"
exec $own "\$@"
EOS
    chmod +x "$1/mycc"
}
make_compiler "$work/here"
make_compiler "$work/there"
printf 'mycc 1.0\nbuilt for tests\n' >"$work/version"
: >"$work/runs"
export CC=mycc
here=$work/here:$PATH
there=$work/there:$PATH
compiled() {
    "$@" "$TENSIX" run "$work/square.s" --arch bh --in "$work/x.npy" --out "$work/y.npy" \
        --engine compiled >"$work/out"
}
# good NAME RUNS COMMAND...: right, after that many runs of the compiler in all.
good() {
    local name=$1 runs=$2
    shift 2
    rm -f "$work/y.npy"
    check "$name" compiled env PATH="$here" "$@"
    check "$name: the file" cmp "$work/want.npy" "$work/y.npy"
    same "$name: runs of the compiler" "$runs" "$(wc -l <"$work/runs")"
}
"$TENSIX" run "$work/square.s" --arch bh --in "$work/x.npy" --out "$work/want.npy" \
    --engine reference >"$work/out"

# ---- names ----

good "the first" 1
good "again" 1
printf 'mycc 1.0\nbuilt for other tests\n' >"$work/version"
good "another version" 2
good "the same path, the same version" 2
good "another path" 3 PATH="$there"
runs=3
if [ "$(setarch linux32 uname -m 2>"$work/err" || uname -m)" != "$(uname -m)" ]; then
    good "another machine" $((runs += 1)) setarch linux32
fi
same "each is kept" "$runs" "$(find "$cache" -name '*.so' | wc -l)"

# ---- what does not load ----

# A file with the seal of a whole one that is no library: FNV-1a of 128 bits.
cat >"$work/sealed.py" <<'EOS'
import sys
data, total = b"no library" * 100, 0x6C62272E07BB0142
for byte in data:
    total = (total ^ byte) * ((1 << 88) + 0x13B) % (1 << 128)
open(sys.argv[1], "wb").write(data + total.to_bytes(16, sys.byteorder))
EOS
for file in "$cache"/*.so; do python3 "$work/sealed.py" "$file"; done
good "sealed, but no library" $((runs += 1))
good "mended" "$runs"

# ---- what a killed process leaves, and what nobody uses ----

name() { printf '%s/%032x.so' "$cache" "$1"; }
touch -d '61 minutes ago' "$(name 1).abcdef" "$(name 2).ABCDEF.c" "$cache/notes.txt"
touch -d '50 minutes ago' "$(name 3).abcdef"
for i in 4 5 6; do # sparse; the oldest was read lately
    truncate -s 200M "$(name $i)"
    touch -d "2001-01-0$i" "$(name $i)"
done
touch -a -d '2 hours ago' "$(name 4)"
printf 'mycc 3.0\n' >"$work/version"
good "one that compiles tidies" $((runs += 1))
left=$(cd "$cache" && find . -name '0000*' -printf '%f\n' | sed 's/^0*//' | sort | tr '\n' ' ')
same "what is left" "3.so.abcdef 4.so 6.so " "$left"
check "a file that is not the cache's" test -e "$cache/notes.txt"
good "what is small and used stays" "$runs"

# ---- directories above ----

refused() { # NAME
    rm -f "$work/y.npy"
    refuses "$1" 2 'others may write there' compiled env PATH="$here" TENSIX_CACHE="$work/a/b/c"
}
mkdir -p "$work/a/b/c"
chmod 700 "$work/a/b/c"
chmod 755 "$work/a" "$work/a/b"
good "a safe place" $((runs += 1)) TENSIX_CACHE="$work/a/b/c"
for mode in 777 775; do
    chmod $mode "$work/a"
    refused "above, mode $mode"
done
chmod 1777 "$work/a"
good "above, sticky" "$runs" TENSIX_CACHE="$work/a/b/c"
if [ "$(id -u)" = 0 ]; then
    chmod 755 "$work/a"
    chown 1:1 "$work/a"
    refused "above, somebody else's"
fi
finish
