#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix race with programs on tiles of a chip: what each program of tests/order/cases.c lacks is
# found, with its kind and both places, in every schedule that is tried; repaired it is silent. The
# kinds and places are those that spec/order-chip.md 4 gives for what the program does.
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
line() { # line NAME: "file:line" of the place with that name
    grep -n "// $1\$" "$source" | sed 's/:.*//; s/^/cases.c:/'
}
for chip in bh wh; do
    for fix in broken fixed; do
        define=-DBLACKHOLE=$(test $chip = bh && echo 1 || echo 0)
        test $fix = broken || define="$define -DFIX"
        # shellcheck disable=SC2086 # two words
        $cc -march=rv32im -mabi=ilp32 -Os -g -ffreestanding -ffunction-sections -fno-ipa-icf \
            $define -c "$source" -o $chip-$fix.o
    done
done
# check CHIPS PROGRAMS OPTIONS KIND PLACES LEVEL: programs are X,Y/CORE=name; a semicolon stands
# between the places of two findings
failed=0
turn=0
check() {
    local chips=$1 programs=$2 options=$3 kind=$4 level=${6:-contract}
    local want="" of="" one place chip fix got
    local -a findings places run
    IFS=\; read -ra findings <<<"$5"
    for one in "${findings[@]}"; do
        IFS=, read -ra places <<<"$one"
        of=""
        for place in "${places[@]}"; do
            of="${of:+$of and} $(line "$place")"
        done
        test "${places[0]}" != "${places[1]:-}" || of=" $(line "${places[0]}")"
        want="$want${want:+$'\n'}$kind:$of"
    done
    for chip in $chips; do
        for fix in broken fixed; do
            run=()
            local text=0x5000
            for p in $programs; do
                $cc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments \
                    -Wl,--gc-sections -Wl,-Ttext=$text -Wl,-e,"${p#*=}" $chip-$fix.o \
                    -o "${p#*=}.elf"
                run+=("${p%=*}=${p#*=}.elf")
                text=$((text + 0x4000))
            done
            # One schedule each, in turn; both in the campaign.
            turn=$((7 - turn))
            for seed in $(if whole; then echo 0 7; else echo $turn; fi); do
                # shellcheck disable=SC2086 # options are words
                got=$("$TENSIX" race --arch $chip --level $level --seed $seed \
                    --fill 1,2:0x1F000:64=0 --fill 2,2:0x1F000:64=0 --fill 3,2:0x1F000:64=0 \
                    --fill 2,2:0x24000:64=1 $options "${run[@]}" |
                    grep -v '^[ 0-9]') || true
                if [ "$got" != "$(test $fix = fixed || echo "$want")" ]; then
                    echo "$programs $chip $fix seed $seed: $got"
                    echo "expected: $want"
                    failed=1
                fi
            done
        done
    done
}
check bh "1,2/b=reader" "" read-before-arrival "reader request,reader use"
check "bh wh" "1,2/b=readers" "" read-before-arrival \
    "readers first,readers first use;readers second,readers second use"
check wh "1,2/b=posted" "" source-reuse "posted request,posted reuse"
check bh "1,2/b=other_id" "" source-reuse "other_id request,other_id reuse"
check wh "1,2/b=two_requests" "" read-before-arrival "two_requests first,two_requests second"
check bh "1,2/b=credit 2,2/b=credit_taker" "" data-before-credit "credit data,credit use"
check wh "1,2/b=same_way 2,2/b=same_way_taker" "" data-before-credit "same_way data,same_way use" \
    documented
ring="--buffer 1,2:3=0x28000,2,64"
check bh "1,2/b=pages 1,2/nc=pages_maker" "$ring" source-reuse "pages request,pages fill"
check wh "1,2/nc=unreserved 1,2/b=unreserved_taker" "$ring" cb-unreserved \
    "unreserved page,unreserved page"
check bh "1,2/nc=unpushed 1,2/b=unpushed_taker" "$ring" cb-unpushed "unpushed page,unpushed page"
check wh "1,2/b=letter 1,2/t1=letter_taker" "" store-then-letter "letter store,letter use"
check bh "1,2/b=reset 2,2/b=reset_adder" "" semaphore-reset "reset clear,reset add"
check wh "1,2/b=passed 2,2/b=passed_adder" "" overshoot "passed wait,passed add"
check bh "1,2/b=update 2,2/b=update_adder" "" lost-update "update store,update add"
check wh "1,2/b=leaves" "" in-flight-at-exit "leaves request,leaves request"
check bh "1,2/b=receivers" "" counter-mismatch "receivers request,receivers barrier"
check wh "1,2/b=users 1,2/nc=users_other" "" counter-mismatch "users one,users two"
check bh "1,2/b=linked" "" linked-open "linked open,linked other"
check wh "1,2/b=many" "" counter-overflow "many request,many request"
check "bh wh" "1,2/b=inlined" "" illegal-inline "inlined request,inlined request"
check bh "1,2/b=busy" "" initiator-busy "busy fields,busy fields"
check wh "1,2/b=outside" "--area 2,2:0x24000:64" out-of-bounds "outside request,outside request"
check "bh wh" "1,2/b=object" "" out-of-bounds "object request,object request"
check bh "1,2/b=dram" "--fill 0,0:0x100000:64=3" dram-order "dram read,dram write"
check wh "1,2/b=padding" "" uninitialised "padding request,padding request"
check bh "1,2/b=slot 3,2/nc=slot_other" "" unordered "slot one,slot two"
check bh "1,2/b=old_line 2,2/b=old_line_adder" "" stale-cache "old_line loop,old_line add"
check wh "1,2/b=circle 2,2/b=circle_second 3,2/b=circle_third" "" deadlock \
    "circle one,circle two,circle three"
# Threads of the coprocessor: what their units do to L1 is ordered by semaphores and banks of Src.
for chip in bh wh; do
    for fix in broken fixed; do
        run=()
        text=0x5000
        for p in thread thread_other; do
            $cc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections \
                -Wl,-Ttext=$text -Wl,-e,$p $chip-$fix.o -o $p.elf
            text=$((text + 0x4000))
        done
        got=$("$TENSIX" race --arch $chip 1,2/t0=thread.elf 1,2/t1=thread_other.elf \
            2,2/t0=thread.elf 2,2/t1=thread_other.elf | grep -v '^[ 0-9]') || true
        want=$(test $fix = fixed || echo "unordered: t0's coprocessor and t1's coprocessor")
        test "$got" = "$want" || { echo "threads $chip $fix: $got"; failed=1; }
    done
done
# What the board's firmware keeps in L1 counts as written where it has run.
for chip in bh wh; do
    $cc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections \
        -Wl,-Ttext=0x5000 -Wl,-e,throttle $chip-fixed.o -o throttle.elf
    for how in "" --translated; do
        # shellcheck disable=SC2086 # none or one word
        got=$("$TENSIX" race --arch $chip $how 1,2/b=throttle.elf | grep -v '^[ 0-9]') || true
        want=$(test "$chip$how" = bh--translated || echo "uninitialised: $(line 'throttle word')")
        test "$got" = "$want" || { echo "throttle $chip $how: $got"; failed=1; }
    done
done
# Known findings, SARIF and JUnit, and the table of who waits: circle of above, on Wormhole.
run=(1,2/b=circle.elf 2,2/b=circle_second.elf 3,2/b=circle_third.elf)
text=0x5000
for p in circle circle_second circle_third; do
    $cc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections \
        -Wl,-Ttext=$text -Wl,-e,$p wh-broken.o -o $p.elf
done
fills=(--fill 1,2:0x1F000:4=0 --fill 2,2:0x1F000:4=0 --fill 3,2:0x1F000:4=0)
status=0
"$TENSIX" race --arch wh "${fills[@]}" --known known --sarif a.sarif --junit a.xml "${run[@]}" \
    >first || status=$?
"$TENSIX" race --arch wh "${fills[@]}" --known known --junit b.xml "${run[@]}" >second || status=9
test $status = 1 && grep -q '^deadlock (known): ' second || failed=1
for p in "1 circle one" "2 circle two" "3 circle three"; do
    waits="$(line "${p#* }") waits for L1 1f000, which is 0 and has to be 1: nobody"
    grep -q "^    (${p%% *},2) b  $waits" first || failed=1
done
# Cores that wait for nothing that anybody could do: they are told when the chip is closed.
printf '\x37\x05\x02\x00\x6f\x00\x00\x00' >rest.bin # lui a0, 0x20; j .
status=0
"$TENSIX" race --arch bh 1,2/b=rest.bin 2,2/nc=rest.bin >rests || status=$?
test $status = 1 && grep -q '^    (1,2) b ' rests && grep -q '^    (2,2) nc ' rests || failed=1
python3 - <<'EOF' || failed=1
import json
import xml.etree.ElementTree as xml
run = json.load(open("a.sarif"))["runs"][0]
assert [r["ruleId"] for r in run["results"]] == ["deadlock"], run
assert len(run["results"][0]["relatedLocations"]) == 2
assert xml.parse("a.xml").getroot().get("failures") == "1"
assert xml.parse("b.xml").getroot().get("failures") == "0"
EOF
# A witness: a legal other order that ends differently, and the same when it is asked for by file.
$cc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections \
    -Wl,-Ttext=0x5000 -Wl,-e,reader bh-broken.o -o reader.elf
run=(--arch bh --fill 2,2:0x24000:16=1 1,2/b=reader.elf)
"$TENSIX" race --witness "${run[@]}" >shown || test $? = 1
sed -n 's/^    witness \([^:]*\): L1 3c000 of (1,2) ends as .*/\1 # shown/p' shown >late.txt
test "$(wc -l <late.txt)" = 1 && grep -q '^1,2/.*+[0-9]* # shown$' late.txt || failed=1
"$TENSIX" race --delays late.txt "${run[@]}" >again || test $? = 1
grep -q '^with these delays: L1 3c000 of (1,2) ends as ' again || failed=1
echo '1,2/b@9000000+1' >never.txt
"$TENSIX" race --delays never.txt "${run[@]}" >same || test $? = 1
grep -qx 'with these delays: nothing ends differently' same || failed=1
for wrong in '1,2/b@5' '1,2/n2/1>src+4' '99,2/b@5+4' '1,2/n0/1>ack(1,2)+4' '0,0/b@5+4'; do
    echo "$wrong" >wrong.txt
    status=0
    "$TENSIX" race --delays wrong.txt "${run[@]}" >none 2>error || status=$?
    test $status = 2 && grep -q '^tensix: wrong.txt:1: not a delay' error || failed=1
done
# A host that loads the program itself, through the door: the lines come from the files in a folder.
door=$(dirname "$TENSIX")/ttsim/bh/libtensix-ttsim-bh.so
for fix in broken fixed; do
    mkdir -p elves-$fix/deep
    $cc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections \
        -Wl,-Ttext=0x5000 -Wl,-e,posted bh-$fix.o -o elves-$fix/deep/posted.elf
    test "${TX_SANITIZE:-off}" = off || continue # Python is built without
    TENSIX_ORDER=$PWD/door-$fix TENSIX_ELF_PATH=$PWD/elves-$fix \
        python3 "$TX_SOURCE/tests/cli/order_door.py" "$door" elves-$fix/deep/posted.elf 0x20000 ||
        failed=1
    # A core that is held has come to its end, as far as the host's next stores are concerned.
    TENSIX_ORDER=$PWD/again-$fix TENSIX_ELF_PATH=$PWD/elves-$fix \
        python3 "$TX_SOURCE/tests/cli/order_door.py" "$door" elves-$fix/deep/posted.elf 0x20000 \
        again || failed=1
    TENSIX_ORDER=$PWD/door.json TENSIX_ELF_PATH=$PWD/none \
        python3 "$TX_SOURCE/tests/cli/order_door.py" "$door" elves-$fix/deep/posted.elf 0x20000 ||
        failed=1
done
# A host that writes when it has been told that nobody reads there any more: through a word of L1
# that no core waits for, and through its own memory. And one that reads a result in DRAM.
told() { # told HOW USE PROGRAMS: the finding of the broken programs has this use
    local how=$1 use=$2 fix p got want
    shift 2
    for fix in broken fixed; do
        local -a elves=()
        rm -rf told-$fix
        mkdir told-$fix
        for p in "$@"; do
            $cc -march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections \
                -Wl,-Ttext=0x5000 -Wl,-e,"$p" bh-$fix.o -o told-$fix/"$p".elf
            elves+=("told-$fix/$p.elf")
        done
        rm -f told
        TENSIX_ORDER=$PWD/told TENSIX_ELF_PATH=$PWD/told-$fix \
            python3 "$TX_SOURCE/tests/cli/order_told.py" "$door" "$how" "${elves[@]}" || failed=1
        got=$(grep '^[a-z]' told || true)
        want="unordered: host and $(line "$use")"
        test "$how" != result || want="dram-order: $(line "$use") and host"
        test $fix = broken || want=""
        test "$got" = "$want" || { echo "told $how $fix: $got"; echo "expected: $want"; failed=1; }
    done
}
if [ "${TX_SANITIZE:-off}" = off ]; then
    told word 'teller use' teller teller_other
    told memory 'poster use' poster
    told result 'giver request' giver
fi
if [ "${TX_SANITIZE:-off}" = off ]; then
    posted="source-reuse: $(line 'posted request') and $(line 'posted reuse')"
    grep -qx "$posted" door-broken || failed=1
    test "$(grep -c '^[a-z]' door-broken)" = 1 || failed=1
    grep -q '^0 findings' door-fixed || failed=1
    grep -q '^0 findings' again-fixed || { cat again-fixed; failed=1; }
    python3 - <<'EOF' || failed=1
import json
broken, fixed = (json.loads(line) for line in open("door.json"))
assert [f["kind"] for f in broken["findings"]] == ["source-reuse"], broken
assert "file" not in broken["findings"][0]["sites"][0] and fixed["findings"] == []
EOF
fi
exit $failed
