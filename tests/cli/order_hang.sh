#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Deadlocks across tiles: rings of 2 to 16 tiles in which one tile leaves out one of its posts, and
# others. The table of tensix race names the word that lacks the post, what it is and has to be, and
# who posted there last; the run ends when nobody can go on.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
cd "$work"
cc=riscv64-unknown-elf-gcc
if ! command -v $cc >/dev/null; then
    echo "skipped: no $cc (make deps)"
    exit 77
fi
source=$TX_SOURCE/tests/order/cases.c
for chip in bh wh; do
    $cc -march=rv32im -mabi=ilp32 -Os -g -ffreestanding -ffunction-sections -fno-ipa-icf \
        -DBLACKHOLE=$(test $chip = bh && echo 1 || echo 0) -c "$source" -o $chip.o
    $cc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections \
        -Wl,-Ttext=0x5000 -Wl,-e,node $chip.o -o $chip.elf
done
wait=$(grep -n '// node wait$' "$source" | sed 's/:.*//; s/^/cases.c:/')
place() { echo "$((1 + $1 % 4)),$((2 + $1 / 4))"; } # of the n-th tile
failed=0
# ring CHIP TILES LACKS POSTS: tile LACKS posts so often only, where three times are due
ring() {
    local chip=$1 n=$2 lacks=$3 posts=$4 i next run=()
    for ((i = 0; i < n; i++)); do
        next=$(((i + 1) % n))
        run+=(--fill "$(place $i):0x1F000:4=0" --fill "$(place $i):0x1F110:1=$((i == 0))"
            --fill "$(place $i):0x1F100:1=$((1 + next % 4 | (2 + next / 4) << 6))"
            --fill "$(place $i):0x1F120:1=$((i == lacks ? posts : 3))"
            "$(place $i)/b=$chip.elf")
    done
    local status=0 victim
    victim=$(place $(((lacks + 1) % n)))
    "$TENSIX" race --arch "$chip" "${run[@]}" >table || status=$?
    local last="nobody has changed it"
    test "$posts" = 0 ||
        last="changed $posts time.*, last by ($(place "$lacks")) b cases.c:[0-9]*"
    local lacks_it="which is $posts and has to be $((posts + 1)): $last"
    if [ $status != 1 ] || ! grep -q "; the run does not end$" table ||
        ! grep -q "^    ($victim) b  $wait waits for L1 1f000, $lacks_it$" table ||
        grep -q '^[a-ce-z].*: cases' table; then
        echo "$chip ring of $n, ($(place "$lacks")) posts $posts times:"
        cat table
        failed=1
    fi
}
for n in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    chip=$(test $((n % 2)) = 0 && echo bh || echo wh)
    ring "$chip" $n $((n * 7 / 3 % n)) $((n % 3 == 0 ? 0 : n % 3 - 1))
done
ring wh 2 0 1
ring bh 4 3 1
ring wh 8 4 1
ring bh 16 15 1
ring wh 16 0 0
# Waits for pages, letters, and the coprocessor: the row says who lacks what.
line() { grep -n "// $1\$" "$source" | sed 's/:.*//; s/^/cases.c:/'; }
# hangs PROGRAMS ROW...: each row begins with tile and core and is a pattern
hangs() {
    local programs=$1 chip row text p run
    shift
    for chip in bh wh; do
        run=()
        text=0x5000
        for p in $programs; do
            $cc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections \
                -Wl,-Ttext=$text -Wl,-e,"${p#*=}" $chip.o -o "${p#*=}.elf"
            run+=("${p%=*}=${p#*=}.elf")
            text=$((text + 0x4000))
        done
        "$TENSIX" race --arch $chip --fill 1,2:0x1F000:64=0 --fill 2,2:0x1F000:64=0 \
            --buffer 1,2:3=0x28000,2,64 "${run[@]}" >table && failed=1
        for row in "$@"; do
            if ! grep -q "^    $row\$" table; then
                echo "$chip $programs: no row $row"
                cat table
                failed=1
            fi
        done
    done
}
pages="waits for pages, register [0-9a-f]*, which is [0-9]* and has to be [0-9]*"
hangs "1,2/nc=full 1,2/b=full_taker" "(1,2) nc $(line 'full wait') $pages: circular buffer 3 has 2 \
of 2 pages; (1,2) b, which has ended, has to pop, and has 0 times"
hangs "1,2/b=empty 1,2/nc=empty_maker 2,2/b=behind" \
    "(1,2) b  $(line 'empty wait') $pages: circular buffer 3 has 0 of 2 pages; (1,2) nc, \
which has ended, has to push, and has 2 times" \
    "(2,2) b  $(line 'behind wait') waits for L1 1f000, which is 0 and has to be 1: nobody has \
changed it"
hangs "1,2/b=no_letter 1,2/t1=no_letter_other" \
    "(1,2) b  $(line 'no_letter wait') waits at mailbox ffec2000 for a letter: (1,2) t1 has to \
send one" \
    "(1,2) t1 $(line 'no_letter_other wait') waits at mailbox ffec0000 for a letter: (1,2) b has \
to send one"
hangs "1,2/b=many_letters 1,2/t1=many_letters_other" \
    "(1,2) b  $(line 'many_letters wait') waits for an answer: .*ffec2000 (mailboxes); (1,2) t1 \
has [0-9]* letters to take" \
    "(1,2) t1 $(line 'many_letters_other wait') waits for L1 1f000, .*: nobody has changed it"
hangs "1,2/t0=gate 2,2/b=behind" \
    "(1,2) t0 $(line 'gate wait') waits for its coprocessor: T0 waits since cycle .* by SEMWAIT .* \
for semaphore 0 (0 of 0) to be above 0" \
    "(2,2) b  $(line 'behind wait') waits for L1 1f000, which is 0 and has to be 1: nobody has \
changed it"
exit $failed
