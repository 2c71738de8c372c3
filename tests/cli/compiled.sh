#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# the engine compiled: reports and files of the other engines, bit for bit; the cache of compiled
# kernels, and what stands in its way.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
kernels=$TX_SOURCE/examples/kernels
own=${CC:-cc}
cache=$TENSIX_CACHE

entries() { find "$cache" -type f -name '*.so' | wc -l; }
# Files of the cache that are no whole kernels.
clean() { same "$1: nothing else is left" "" "$(find "$cache" -mindepth 1 ! -name '*.so')"; }

# ---- the same results ----

# The square of what is not negative, nested.
cat >"$work/predicated.s" <<'EOS'
.dst fp32
.init
sfpencc 3,10
.tile
A = 0
.rept 32
    sfpload L0,A,3,3
    sfpmul L1,L0,L0,0
    sfpnop
    sfpmov L2,L1,0
    sfppushc 0
    sfpsetcc L0,0,0
    sfpmov L2,L0,1
    sfppushc 0
    sfpsetcc L0,0,2
    sfploadi L2,bf16(0.5),0
    sfppopc 0
    sfppopc 0
    sfpstore L2,A,3,3
A = A + 2
.endr
EOS

# report KERNEL ARCH REFERENCE CC...: of a sweep over bf16.
report() {
    local kernel=$1 arch=$2 reference=$3 name compiler engine
    shift 3
    name="${kernel##*/} on $arch"
    for engine in reference fast; do
        "$TENSIX" sweep "$kernel" --arch "$arch" --reference "$reference" --engine $engine \
            >"$work/$engine.txt" 2>&1 || cat "$work/$engine.txt"
    done
    check "$name: a report" grep -q '^inputs  *all 65536 of bf16' "$work/reference.txt"
    check "$name: fast" cmp "$work/reference.txt" "$work/fast.txt"
    for compiler in "$@"; do
        CC=$compiler "$TENSIX" sweep "$kernel" --arch "$arch" --reference "$reference" \
            --engine compiled >"$work/compiled.txt" 2>&1 || cat "$work/compiled.txt"
        check "$name: $compiler" cmp "$work/reference.txt" "$work/compiled.txt"
    done
}
compilers=() # each once: cc is often gcc by another name
programs=
for compiler in "$own" gcc clang; do
    program=$(command -v "$compiler") || continue
    program=$(realpath "$program")
    [[ " $programs " == *" $program "* ]] || compilers+=("$compiler")
    programs+=" $program"
done
report "$kernels/tanh.s" bh tanh "${compilers[@]}" # SFPLUTFP32
# From here on the one of the build has its header precompiled.
quick_kernels
own=$CC
compilers[0]=$own
# Every kernel on both chips; every compiler on one kernel, and in the campaign on all.
all_compilers=("${compilers[@]}")
for arch in bh wh; do
    compilers=("$own")
    if whole && [ $arch = bh ]; then compilers=("${all_compilers[@]}"); fi
    [ $arch = bh ] || report "$kernels/tanh.s" $arch tanh "${compilers[@]}"
    report "$work/predicated.s" $arch square "${compilers[@]}"
    report "$kernels/macro/exp_unclamped.s" $arch exp "${compilers[@]}" # SFPLOADMACRO
    report "$work/square-bf16.s" $arch square "${compilers[@]}"         # Dst of 16 bits
done
clean "after sweeps"

npy "$work/i.npy" i4 "(5, 1027)" "[random.getrandbits(32) - (1 << 31) for _ in range(5135)]"
npy "$work/x.npy" f4 "(5, 1027)" "[random.gauss(0, 9) for _ in range(5135)]"
# output KERNEL ARCH IN...: of a run; the reports too, but for what differs by its nature.
output() {
    local kernel=$1 arch=$2 file=$kernels/$1.s one in=()
    shift 2
    [ -f "$file" ] || file=$work/$kernel.s
    for one in "$@"; do in+=(--in "$work/$one.npy"); done
    for one in reference fast compiled; do
        rm -f "$work/$one.npy"
        "$TENSIX" run "$file" --arch "$arch" "${in[@]}" --out "$work/$one.npy" \
            --engine $one >"$work/$one.txt" 2>&1 || cat "$work/$one.txt"
    done
    for one in fast compiled; do
        check "$kernel on $arch: $one" cmp "$work/reference.npy" "$work/$one.npy"
    done
    check "$kernel on $arch: the report" cmp "$work/fast.txt" \
        <(sed 's/compiled\.npy/fast.npy/' "$work/compiled.txt")
}
for one in u v w; do # an odd number of tiles; zeroes in a third of it
    npy "$work/$one.npy" f4 "(3, 1024)" \
        "[random.choice((0, 1, 1)) * random.gauss(0, 9) for _ in range(3072)]"
done
# Each on one chip: the other one's code differs in what the sweeps above have on both.
output int32_to_fp32 bh i
output macro/max_i32 wh i i
output where bh u v w                # an if with its else
output macro/u32_to_fp32 wh x        # a register that another one names
# Lanes change places, so that a tile is not one vector after the other. What is compiled is then
# cut behind every output, and these values are on their way from piece to piece.
cat >"$work/pieces.s" <<'EOS'
.dst fp32
.tile
sfpload L0,0,0,3
sfpload L1,4,0,3
sfpload L2,8,0,3
sfpload L3,12,0,3
sfptransp
sfpadd L4,L0,L1,0
sfpnop
sfpstore L4,0,0,3
sfpadd L5,L4,L3,0
sfpadd L6,L2,L3,0
sfpnop
sfpstore L5,4,0,3
sfpmad L7,L5,L6,L4,0
sfpnop
sfpstore L7,8,0,3
sfpmad L7,L7,L0,L6,0
sfpnop
sfpstore L7,12,0,3
EOS
output pieces bh u
! whole || output cumsum bh u        # across rows, two tiles at a time
! whole || output topk wh x          # exchanges, transpositions
output dropout wh u                  # random words
output macro/u16_to_u32 wh i         # rows that are written before they are read
! command -v clang >"$work/out" || CC=clang output int32_to_fp32 bh i
for engine in compiled fast; do # a difference is what exit status 1 says
    "$TENSIX" compare "$kernels/exp.s" --arch bh --arch-b wh --engine $engine \
        >"$work/$engine.txt" || true
done
check "compare: a report" grep -q '^differing  *127 of 65536' "$work/fast.txt"
check "compare" cmp "$work/fast.txt" "$work/compiled.txt"

# ---- the cache ----

# A compiler that counts its runs, and remembers what it made of the last source.
counted() { wc -l <"$work/runs"; }
cat >"$work/counting" <<EOS
#!/bin/sh
[ "\$*" != --version ] || exec $own --version
echo run >>"$work/runs"
output=
for last; do
    [ "\$before" != -o ] || output=\$last
    before=\$last
done
if cmp -s "\$last" "$work/made.c"; then
    exec cp "$work/made.so" "\$output"
fi
$own "\$@" && cp "\$last" "$work/made.c" && cp "\$output" "$work/made.so"
EOS
chmod +x "$work/counting"
: >"$work/runs"
export CC=$work/counting
run() { # NAME OPTION...
    local name=$1
    shift
    "$TENSIX" run "$kernels/exp.s" --arch bh --in "$work/x.npy" --out "$work/$name.npy" "$@"
}
compiled() { run y --engine compiled; }
# good NAME RUNS: compiled, and right, after that many runs of the compiler in all.
good() {
    check "$1" compiled
    same "$1: runs of the compiler" "$2" "$(counted)"
    check "$1: the file" cmp "$work/want.npy" "$work/y.npy"
    rm -f "$work/y.npy"
    clean "$1"
}
run want --engine fast >"$work/out"
cache=$work/new
export TENSIX_CACHE=$cache
good "a directory is made" 1
same "for the user alone" 700 "$(stat -c %a "$cache")"
same "and so is the file" 600 "$(stat -c %a "$cache"/*.so)"
file=$(echo "$cache"/*.so)
touch -d 2001-01-01 "$file"
good "found again" 1
same "the file was not touched" 2001 "$(date -r "$file" +%Y)"
check "auto compiles no short work" run auto
same "and does not look" 1 "$(counted)"

cp "$file" "$work/whole"
size=$(stat -c %s "$file")
runs=1
for cut in 0 1 63 4096 $((size / 2)) $((size - 16)) $((size - 1)); do
    head -c "$cut" "$work/whole" >"$file"
    good "cut to $cut" $((runs += 1))
done
for at in 0 70 $((size / 2)) $((size - 1)); do
    cp "$work/whole" "$file"
    printf '\x5A' | dd of="$file" bs=1 seek="$at" conv=notrunc status=none
    good "damaged at $at" $((runs += 1))
done
rm "$file"
ln -s "$work/whole" "$file"
good "a link is no kernel" $((runs += 1))
check "it is a file again" test ! -L "$file"
chmod 666 "$file"
good "a file that others may write to" $((runs += 1))
same "it is the user's again" 600 "$(stat -c %a "$file")"
good "at last" "$runs"
if [ "$(id -u)" = 0 ]; then
    chown 1:1 "$file"
    good "a file of somebody else" $((runs += 1))
    chown 1:1 "$cache"
    refuses "a directory of somebody else" 2 'others may write there' compiled
    chown 0:0 "$cache"
fi
rm "$file"
mkdir "$file"
refuses "a directory in its place" 2 'Is a directory' compiled
rmdir "$file"
runs=$(counted)

for mode in 720 702 777 1777; do
    chmod $mode "$cache"
    refuses "a directory of mode $mode" 2 "new: others may write there" compiled
done
chmod 700 "$cache"
mkdir "$work/open"
chmod 777 "$work/open"
refuses "a directory that others may move" 2 'others may write there' \
    env TENSIX_CACHE="$work/open/own" "$TENSIX" run "$kernels/exp.s" --arch bh --in "$work/x.npy" \
    --out "$work/y.npy" --engine compiled
same "the compiler was not asked" "$runs" "$(counted)"
rm -rf "$work/open"

# ---- two at once, and one that is interrupted ----

compiled_to() { run "$1" --engine compiled >"$work/$1.txt" 2>&1; }
compiled_to one &
first=$!
compiled_to two &
second=$!
check "two at once, one" wait $first
check "two at once, the other" wait $second
check "the file of one" cmp "$work/want.npy" "$work/one.npy"
check "the file of the other" cmp "$work/want.npy" "$work/two.npy"
same "one kernel" 1 "$(entries)"
clean "two at once"

rm -f "$cache"/*.so
cat >"$work/slow" <<EOS
#!/bin/sh
[ "\$*" != --version ] || exit 0
: >"$work/began"
while [ ! -e "$work/go" ]; do sleep 0.05; done
exec $own "\$@"
EOS
chmod +x "$work/slow"
CC=$work/slow "$TENSIX" run "$kernels/exp.s" --arch bh --in "$work/x.npy" --out "$work/y.npy" \
    --engine compiled >"$work/out" 2>&1 &
slow=$!
soon test -e "$work/began" || true
kill -TERM $slow
: >"$work/go"
status=0
wait $slow || status=$?
same "terminated" $((128 + 15)) "$status"
clean "terminated"

# ---- what auto takes: the faster of both ----

# Enough to look into the cache: 8192 cycles a tile, and an engine of steps takes each of them.
{
    printf '.dst fp32\n.tile\nA = 0\n.rept 32\n'
    printf 'sfpload L0,A,3,3\nsfpmul L0,L0,L0,0\nsfpnop\n'
    printf '.rept 126\nsfpnot L0,L0\nsfpnot L0,L0\n.endr\nsfpstore L0,A,3,3\n'
    printf 'A = A + 2\n.endr\n'
} >"$work/not.s"
# What these make is wrong, so that one sees who ran: nothing at all, which no engine of steps can
# be as fast as, on any machine; and even columns for odd ones, at its leisure.
for name in quick slow; do
    cat >"$work/$name" <<EOS
#!/bin/sh
for last; do :; done
[ "\$*" != --version ] || exit 0
if [ $name = quick ]; then
    sed -i 's/^(void)seeds;/return;/' "\$last"
else
    sed -i 's/^(void)seeds;/for (volatile int n = 0; n < 60000; n++) {}/' "\$last"
    sed -i 's/LOW_OF(even, odd)/LOW_OF(odd, even)/' "\$last"
fi
exec $own "\$@"
EOS
    chmod +x "$work/$name"
done
long() {
    "$TENSIX" sweep "$work/not.s" --arch bh --reference square --domain fp32:0.5:2 "$@" || true
}
long --engine fast >"$work/long.txt" 2>&1
check "long work: a report" grep -q '^inputs  *all 16777217 ' "$work/long.txt"
for name in quick slow; do
    CC=$work/$name "$TENSIX" sweep "$work/not.s" --arch bh --reference square --engine compiled \
        >"$work/$name.txt" 2>&1 || true
    CC=$work/$name long >"$work/$name.txt" 2>&1
done
if checks_itself; then
    check "compiled code that is wrong is noticed" \
        grep -q 'not true: the fast engine computes what the reference does' "$work/quick.txt"
else
    check "auto takes compiled code that is faster" grep -q '^outcomes *zeroed 16777217$' \
        "$work/quick.txt"
    check "auto leaves code that is slower" cmp "$work/long.txt" "$work/slow.txt"
fi

# ---- what stands in the way ----

# fails NAME PATTERN ENVIRONMENT...: one line; auto goes on with long work.
fails() {
    local name=$1 pattern=$2
    shift 2
    refuses "$name" 2 "the engine compiled: .*$pattern" env "$@" "$TENSIX" run "$kernels/exp.s" \
        --arch bh --in "$work/x.npy" --out "$work/y.npy" --engine compiled
    refuses "$name, sweep" 2 "the engine compiled: .*$pattern" env "$@" "$TENSIX" sweep \
        "$kernels/exp.s" --arch bh --engine compiled
    check "$name, auto" env "$@" "$TENSIX" sweep "$kernels/exp.s" --arch bh \
        --domain fp32:0x3f000000:0x3fffffff
    [ ! -d "$cache" ] || clean "$name"
}
rm -rf "$cache"
mkdir -p "$cache"
chmod 700 "$cache"
cat >"$work/failing" <<'EOS'
#!/bin/sh
echo "kernel.c:1: error: no room" >&2
echo "more" >&2
while [ $# -gt 1 ]; do [ "$1" != -o ] || echo half >"$2"; shift; done
exit 1
EOS
cat >"$work/crashing" <<'EOS'
#!/bin/sh
kill -SEGV $$
EOS
printf '#!/bin/sh\n' >"$work/idle"
chmod +x "$work/failing" "$work/crashing" "$work/idle"
mkdir -p "$work/empty"
fails "no such compiler" "no C compiler '/nothere': No such file" CC=/nothere
fails "no compiler at all" 'no C compiler: neither cc nor gcc nor clang' CC= PATH="$work/empty"
fails "a compiler that may not run" "Permission denied" CC="$work/runs"
fails "a compiler that fails" "does not compile the kernel: kernel.c:1: error: no room\$" \
    CC="$work/failing"
fails "a compiler that crashes" "crashing' does not compile the kernel\$" CC="$work/crashing"
fails "a compiler that makes nothing" 'file too short|invalid' CC="$work/idle"
rm -f "$cache"/*
fails "options that are too many" 'Argument list too long' \
    CC="cc $(printf ' -O%.0s' {1..60})"
fails "no directory" 'no directory for compiled kernels; set TENSIX_CACHE' -u TENSIX_CACHE -u HOME \
    -u XDG_CACHE_HOME
fails "a directory nowhere" 'No such file or directory' TENSIX_CACHE=/nothere/cache
fails "a file in its place" 'Not a directory' TENSIX_CACHE="$work/runs"
fails "a place without room" 'Not a directory|not permitted|No such file|denied|Read-only' \
    TENSIX_CACHE=/proc/self/none
# A disk that is full: no file may be larger than some blocks, for the compiler or for us.
for blocks in 1 8 90; do
    refuses "no room beyond $blocks" 2 'the engine compiled: ' bash -c "
        trap '' XFSZ
        ulimit -f $blocks
        exec '$TENSIX' sweep '$kernels/exp.s' --arch bh --engine compiled"
    clean "no room beyond $blocks"
done

for option in --carry --strict --evidence; do
    refuses "compiled with $option" 2 "the engine compiled: .* needs the reference engine" \
        run y --engine compiled $option
done

# The user's directory, where no other is named.
unset TENSIX_CACHE
mkdir "$work/home"
HOME=$work/home XDG_CACHE_HOME='' CC=$work/counting run y --engine compiled >"$work/out" 2>&1
same "in the home directory" 1 "$(find "$work/home/.cache/tensix" -name '*.so' | wc -l)"
XDG_CACHE_HOME=$work/xdg CC=$work/counting run y --engine compiled >"$work/out" 2>&1
same "in XDG_CACHE_HOME" 1 "$(find "$work/xdg/tensix" -name '*.so' | wc -l)"
finish
