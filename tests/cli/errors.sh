#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Wrong input of every kind: one line, the right exit status, no output file.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

npy "$work/x.npy" f4 "(100,)" "[i * 0.5 for i in range(100)]"
npy "$work/long.npy" f4 "(9999,)" "range(9999)"
npy "$work/i.npy" i4 "(100,)" "range(100)"
npy "$work/short.npy" f4 "(1000,)" "range(100)"
npy "$work/huge.npy" f4 "(4294967296, 4294967296, 4294967296)" "range(10)"
npy "$work/other.npy" f4 "(10, 10)" "range(100)"
head -c 20 "$work/x.npy" >"$work/cut.npy"
printf 'no array at all' >"$work/text.npy"
: >"$work/empty.npy"
sed "s/'<f4'/'>f4'/" "$work/x.npy" >"$work/big.npy"
sed "s/'fortran_order': False, 'shape': (10, 10), }/'fortran_order': True , 'shape': (10, 10), }/" \
    "$work/other.npy" >"$work/fortran.npy"
sed "s/'fortran_order': False, 'shape': (100,), }/'fortran_order': True , 'shape': (100,), }/" \
    "$work/x.npy" >"$work/line.npy"
printf 'sfpmad L2,L0,L1,L9,0\n  sfpfoo L1,L2\n' >"$work/bad.s"
printf '# arecip is of Blackhole only\n99000000\n' >"$work/other.hex"
printf '.arch wormhole_b0\nsfpnop\n' >"$work/wh.s"
printf '7050001x\n' >"$work/bad.hex"
mkdir "$work/dir"
s=$work/square.s
y=$work/y.npy
run() { "$TENSIX" run "$@"; }

refuses "missing kernel" 2 '^tensix: .*/none\.s: No such file' \
    run "$work/none.s" --arch bh --in "$work/x.npy" --out "$y"
refuses "missing input" 2 'none\.npy: No such file' \
    run "$s" --arch bh --in "$work/none.npy" --out "$y"
refuses "directory as input" 2 'dir: is a directory' run "$s" --arch bh --in "$work/dir" --out "$y"
refuses "wrong dtype" 2 'i\.npy: dtype int32 does not go with Dst format fp32' \
    run "$s" --arch bh --in "$work/i.npy" --out "$y"
refuses "wrong dtype for int32" 2 'dtype float32 does not go with Dst format int32' \
    run "$s" --arch bh --dst int32 --in "$work/x.npy" --out "$y"
refuses "truncated data" 2 'short\.npy: truncated: .* 4000 bytes .* 400' \
    run "$s" --arch bh --in "$work/short.npy" --out "$y"
refuses "truncated header" 2 'cut\.npy: truncated' \
    run "$s" --arch bh --in "$work/cut.npy" --out "$y"
refuses "not an array" 2 'text\.npy: not an \.npy' \
    run "$s" --arch bh --in "$work/text.npy" --out "$y"
refuses "empty file" 2 'empty\.npy: not an \.npy' \
    run "$s" --arch bh --in "$work/empty.npy" --out "$y"
refuses "shape that overflows" 2 'larger than any file' \
    run "$s" --arch bh --in "$work/huge.npy" --out "$y"
refuses "big-endian" 2 'big-endian' run "$s" --arch bh --in "$work/big.npy" --out "$y"
check "an array of one dimension is the same in either order" \
    "$TENSIX" run "$s" --arch bh --in "$work/line.npy" --out "$work/line.out.npy"
refuses "Fortran order" 2 'Fortran order' run "$s" --arch bh --in "$work/fortran.npy" --out "$y"
refuses "two inputs for one" 2 'takes 1 input' \
    run "$s" --arch bh --in "$work/x.npy" --in "$work/x.npy" --out "$y"
refuses "compare of another shape" 2 'different shapes' \
    run "$s" --arch bh --in "$work/x.npy" --compare "$work/other.npy" --out "$y"
printf '# nothing\n' >"$work/nothing.s"
for command in run trace lint expand sweep; do
    refuses "$command of an empty kernel" 2 'nothing\.s: there is no instruction in it' \
        "$TENSIX" $command "$work/nothing.s" --arch bh
done
refuses "results as text" 2 'y\.csv: results are arrays' \
    run "$s" --arch bh --in "$work/x.npy" --out "$work/y.csv"
refuses "--shape of an array" 2 'x\.npy says its shape itself' \
    run "$s" --arch bh --in "$work/x.npy" --out "$y" --shape 2,2
refuses "unknown mnemonic" 2 '^tensix: .*bad\.s:2:3: ' \
    run "$work/bad.s" --arch bh --in "$work/x.npy" --out "$y"
refuses "word of the other chip" 2 'other\.hex:2: 99000000 is no instruction of wormhole_b0' \
    run "$work/other.hex" --arch wh --in "$work/x.npy" --out "$y"
refuses "mnemonic of the other chip" 2 'arecip' "$TENSIX" eval --arch wh 'sfparecip L1,L0,0'
refuses "hex word that is none" 2 'bad\.hex:1' \
    run "$work/bad.hex" --arch bh --in "$work/x.npy" --out "$y"
refuses "hex without a chip" 2 'does not name its chip' \
    run "$work/other.hex" --in "$work/x.npy" --out "$y"
refuses ".arch against --arch" 2 'states \.arch wormhole_b0' \
    run "$work/wh.s" --arch bh --in "$work/x.npy" --out "$y"
refuses "no chip at all" 2 '.' run "$s" --in "$work/x.npy" --out "$y"
refuses "unwritable output" 2 'No such file or directory' \
    run "$s" --arch bh --in "$work/x.npy" --out "$work/nowhere/y.npy"
refuses "output is a directory" 2 'dir: Is a directory' \
    run "$s" --arch bh --in "$work/x.npy" --out "$work/dir"
if [ -e /dev/full ]; then
    refuses "full disk" 2 'No space left' run "$s" --arch bh --in "$work/x.npy" --out /dev/full
fi
refuses "file-size limit" 2 'File too large' \
    bash -c "ulimit -f 1; '$TENSIX' run '$s' --arch bh --in '$work/long.npy' --out '$y'"
refuses "misspelt option" 2 "unknown option '--ou'|'--refrence'; did you mean '--reference'" \
    run "$s" --arch bh --in "$work/x.npy" --refrence exp --out "$y"
refuses "option without value" 2 "option '--out' needs a value" run "$s" --arch bh --out
refuses "option with a value too many" 2 'takes no value' run "$s" --strict=yes
refuses "unknown function" 2 "did you mean 'sqrt'" \
    run "$s" --arch bh --in "$work/x.npy" --reference sqt --out "$y"
refuses "unknown field" 2 'has no field' \
    run "$s" --arch bh --in "$work/x.npy" --set NO_SUCH_FIELD=1 --out "$y"
refuses "unknown rule" 2 'no such rule' \
    run "$s" --arch bh --in "$work/x.npy" --rule nothing=1 --out "$y"
refuses "quasar" 2 'not modelled' run "$s" --arch quasar --in "$work/x.npy" --out "$y"
refuses "quasar as a command" 2 'not modelled' "$TENSIX" quasar
refuses "unknown chip" 2 'no such chip' run "$s" --arch tpu --in "$work/x.npy" --out "$y"
refuses "unknown command" 2 "did you mean 'run'" "$TENSIX" rnu
refuses "no command" 2 'no command' "$TENSIX"
refuses "explain nothing known" 2 "did you mean 'sfpswap'" "$TENSIX" explain sfpswp
refuses "eval of a constant" 2 'L9 cannot be written' "$TENSIX" eval --arch bh sfpnop L9=1
refuses "eval of a value that is none" 2 "is not a value" "$TENSIX" eval --arch bh sfpnop L0=x
refuses "map beyond Dst" 2 'from 0 to 1023' "$TENSIX" map --arch bh 1024
refuses "dis of no word" 2 'no such file, nor a word' "$TENSIX" dis --arch bh zzz
refuses "check of a missing file" 2 'No such file' "$TENSIX" check "$work/none.jsonl"
refuses "check with another engine" 2 'none of .*compiled, fast, reference' \
    "$TENSIX" check --engine warp "$work/x.npy"
refuses "check with any engine" 2 'none of compiled, fast, reference' \
    "$TENSIX" check --engine auto "$work/x.npy"
refuses "check compiled of what cannot be read again" 2 "reads vectors twice" \
    "$TENSIX" check --engine compiled -
refuses "check compiled without a compiler" 2 "no C compiler '/nothere'" \
    env CC=/nothere TENSIX_CACHE="$work/cache-of-none" \
    "$TENSIX" check --engine compiled "$TX_SOURCE/tests/data/overruled.jsonl"
printf '\037\213\010 broken' >"$work/broken.gz"
got=0
"$TENSIX" check "$work/broken.gz" >/dev/null 2>"$work/err" || got=$?
same "check of broken gzip" "2 1" "$got $(wc -l <"$work/err")"

# The old output stays when a run fails.
echo before >"$work/kept.npy"
"$TENSIX" run "$s" --arch bh --in "$work/short.npy" --out "$work/kept.npy" 2>/dev/null || true
same "an earlier output survives a failure" before "$(cat "$work/kept.npy")"

# strict: exit 1, and no file.
printf 'sfpmad L4,L0,L0,L9,0\nsfppopc 0\n' >"$work/finding.s"
refuses "strict stops" 1 'tile 0: ' \
    run "$work/finding.s" --arch bh --strict --in "$work/x.npy" --out "$y"

# The assembler shows the line and a caret.
"$TENSIX" asm "$work/bad.s" --arch bh 2>"$work/err" && got=0 || got=$?
same "asm shows a caret" "2 yes" "$got $(grep -q '\^' "$work/err" && echo yes)"

# .include: errors name the file they are in; a kernel reads nothing outside its folder.
mkdir -p "$work/kernels/lib"
cd "$work/kernels"
says() { # NAME STATUS PATTERN COMMAND...: the line with the caret below it
    local name=$1 status=$2 pattern=$3 got=0
    shift 3
    "$@" >out 2>err || got=$?
    same "$name" "$status nothing 3" \
        "$got $([ -s out ] || echo nothing) $(wc -l <err)"
    check "$name: said" grep -Eq -- "$pattern" err
}
printf 'sfpnop\n.include "lib/inner.inc"\nsfpnop\n' >outer.s
printf '\n  sfpmda L0\n' >lib/inner.inc
says "an error in an included file" 2 "lib/inner.inc:2:3: there is no instruction 'sfpmda'" \
    "$TENSIX" asm --arch bh "$work/kernels/outer.s"
printf 'sfpnop\n' >lib/inner.inc
same "an included file" 3 "$("$TENSIX" asm --arch bh outer.s | grep -c 8f000000)"
echo "0xffffffff" >"$work/secret"
for name in ../secret "$work/secret" lib/../../secret lib//inner.inc ''; do
    printf '.include "%s"\n' "$name" >bad.s
    says ".include \"$name\"" 2 \
        "bad.s:1:10: (what is included lies|a file is included by|the name of a file has)" \
        "$TENSIX" asm --arch bh bad.s
done
printf '.include "gone.inc"\n' >bad.s
says "an included file that is not there" 2 "bad.s:1:10: gone.inc: No such file" \
    "$TENSIX" asm --arch bh bad.s
refuses ".include in eval" 2 "nothing to include here" \
    "$TENSIX" eval --arch bh '.include "lib/inner.inc"'
printf '.arch bh\n.dst fp32\n.tile\nttloadind 0,0,1,8,52\n' >"$work/memory.s"
npy "$work/one.npy" f4 "(1024,)" "[1] * 1024"
refuses "L1 where there is none" 1 'E-MEMORY.*; --l1 gives L1, in place of --in$' \
    "$TENSIX" run "$work/memory.s" --in "$work/one.npy"
finish
