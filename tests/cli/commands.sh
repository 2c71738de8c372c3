#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# asm, dis, eval, map, check, explain, isa, sweep: answers, not only that they come.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
s=$work/square.s

for arch in bh wh; do
    "$TENSIX" asm "$s" --arch $arch -o "$work/a.hex"
    for style in "" --macros; do
        "$TENSIX" dis --arch $arch $style "$work/a.hex" >"$work/a.s"
        "$TENSIX" asm "$work/a.s" --arch $arch -o "$work/b.hex"
        check "asm, dis $style and back on $arch" cmp "$work/a.hex" "$work/b.hex"
    done
    "$TENSIX" asm "$s" --arch $arch --ttinsn |
        "$TENSIX" dis --arch $arch --ttinsn - >"$work/r.s"
    "$TENSIX" dis --arch $arch "$work/a.hex" >"$work/a.s"
    check "rotated words on $arch" cmp "$work/a.s" "$work/r.s"
    check "dis: what asm writes names the chip, $arch" bash -c \
        "'$TENSIX' dis '$work/a.hex' | cmp - '$work/a.s'"
    check "dis: and that words are rotated, $arch" bash -c \
        "'$TENSIX' asm '$s' --arch $arch --ttinsn | '$TENSIX' dis - | cmp - '$work/a.s'"
done
# What a list of hex words is, whatever it comes from: eight digits a line are never decimal.
for list in - "$work/list.txt"; do
    printf '70006000\n' >"$work/list.txt"
    same "asm $list: hex words" 70006000 \
        "$("$TENSIX" asm --arch bh "$list" <"$work/list.txt" | sed 1d)"
    check "lint $list: hex words" bash -c \
        "'$TENSIX' lint --arch bh '$list' <'$work/list.txt' | grep -q ' 0 other findings'"
done
printf '#\n  00706000  # not octal\r\n\n84012390 // SFPMAD\n' >"$work/list.txt"
same "comments, blanks, a leading zero" "00706000 84012390" \
    "$("$TENSIX" asm --arch bh - <"$work/list.txt" | sed 1d | xargs)"
for how in "" --ttinsn; do
    same "asm $how | asm: the head names chip and encoding" "$("$TENSIX" asm "$s" --arch wh)" \
        "$("$TENSIX" asm "$s" --arch wh $how | "$TENSIX" asm -)"
done
refuses "asm of nothing" 2 'there is no instruction in it' "$TENSIX" asm --arch bh /dev/null
refuses "a list without a chip" 2 'does not name its chip' "$TENSIX" asm - <<<70006000
refuses "a list of the other chip" 2 'the words are of blackhole, --arch is wormhole_b0' \
    "$TENSIX" asm --arch wh - <<<$'# blackhole\n70006000'
status=0
"$TENSIX" asm --arch bh - <<<$'sfpnop\n70006000' >"$work/out" 2>"$work/err" || status=$?
same "eight digits in a kernel: status" 2 $status
check "eight digits in a kernel" grep -q '^tensix: -:2:1: .* write 0x70006000' "$work/err"
same "and what it says to write" "70006000 042c34f0" \
    "$("$TENSIX" asm --arch bh - <<<$'0x70006000\n.word 70006000' | sed 1d | xargs)"
same "dis of a pipe" "sfpmad L9,L1,L2,L3,0" "$("$TENSIX" dis --arch bh <(echo 84012390))"
both=$("$TENSIX" lint <(echo "sfpnop") | sed -n 's/.* on \(.*\): 0 hazards.*/\1/p' | tr '\n' ' ')
same "lint of a pipe, on both chips" "wormhole_b0 blackhole " "$both"
refuses "dis of the other chip" 2 'a.hex:1:? the words are of wormhole_b0, --arch is blackhole' \
    "$TENSIX" dis --arch bh "$work/a.hex"
refuses "dis --ttinsn of plain words" 2 'not rotated' "$TENSIX" dis --ttinsn "$work/a.hex"
tail -n +2 "$work/a.hex" >"$work/bare.hex"
refuses "dis of words of no chip" 2 'give --arch' "$TENSIX" dis "$work/bare.hex"
same "dis of words" "sfpmad L9,L1,L2,L3,0" "$("$TENSIX" dis --arch bh 84012390)"
same "dis with the word" 1 "$("$TENSIX" dis --arch bh -w 84012390 | grep -c '# 84012390')"
same "dis of no instruction" 1 "$("$TENSIX" dis --arch bh 0xff000000 | grep -c '^\.word')"
check "dis like objdump" "$TENSIX" dis --arch wh --like objdump 84012390

"$TENSIX" eval --arch bh 'sfpmad L2,L0,L1,L9,0' L0=1.5 L1=0x40490fdb >"$work/out"
check "eval: FP32" grep -q '^L2  all lanes *4096cbe4  fp32 4.712389 ' "$work/out"
"$TENSIX" eval --arch wh 'sfpiadd L1,L0,0,4' L0=i:-5 L1=i:7 >"$work/out"
check "eval: two's complement" grep -q 'int 2 ' "$work/out"
same "eval: one lane" 1 \
    "$("$TENSIX" eval --arch bh 'sfpmov L1,L15,0' --lanes 5 | grep -c 'L1  lane 5 ')"
same "eval: all lanes" 32 \
    "$("$TENSIX" eval --arch bh 'sfpmov L1,L15,0' --lanes all | grep -c '^L1 ')"
same "eval: list of values" 1 \
    "$("$TENSIX" eval --arch bh 'sfpmov L1,L0,0' L0=1,2 --lanes 3 | grep -c 'fp32 2 ')"
check "eval: flags" bash -c \
    "'$TENSIX' eval --arch bh 'sfpencc 3,10; sfpsetcc L0,0,0' L0=-1,1 |
     grep -q 'LaneFlags .*55555555'"
check "eval: GPRs as they are given" bash -c \
    "'$TENSIX' eval --arch bh --thread 2 'ttadddmareg 1,8,3,9' GPR9=u:5 |
     grep -q '^GPR 8 of T2 .*-> 00000008'"
check "eval: who holds a mutex" bash -c \
    "'$TENSIX' eval --arch bh 'ttatgetm 0' | grep -q '^mutex 0 .*-> 00000002'"
"$TENSIX" eval --arch wh 'ttsemwait 511,4,1; ttnop' 2>"$work/out" || true
check "eval: a deadlock says who waits" grep -q \
    '^  T1 .*since cycle 1, before NOP, by SEMWAIT of cycle 0 ' "$work/out"
check "eval: a deadlock says for what" grep -q \
    '  semaphore 2 (0 of 0) to be above 0  SEMPOST of semaphore 2$' "$work/out"
check "eval: nothing changes" bash -c "'$TENSIX' eval --arch bh sfpnop | grep -q 'nothing changed'"

"$TENSIX" map --arch bh 2 --json >"$work/map.json"
python3 - "$work/map.json" >"$work/map.txt" <<'PY'
import json, sys
lanes = json.load(open(sys.argv[1]))["lanes"]
want = [(l, l // 8, 2 * (l % 8) + 1) for l in range(32)]
got = [(x["lane"], x["dst_row"], x["dst_column"]) for x in lanes]
print(want == got and all(x["element"] == 32 * x["dst_row"] + x["dst_column"] for x in lanes))
PY
same "map: odd columns of rows 0 to 3" True "$(cat "$work/map.txt")"
check "map: a table" "$TENSIX" map --arch wh 1000 --dst bf16

"$TENSIX" check --record "$s" --arch bh --out "$work/v.jsonl"
same "record, then check" "2 passed, 0 failed" "$("$TENSIX" check "$work/v.jsonl" | tail -1)"
gzip -k "$work/v.jsonl"
same "gzip" "2 passed, 0 failed" "$("$TENSIX" check "$work/v.jsonl.gz" | tail -1)"
python3 - >"$work/w.jsonl" <<'PY'
import json
before = "1" * 8 + "0" * 248
after = "1" * 8 + "0" * 15 + "1" + "0" * 232
for v in ({"name": "good", "program": ["8f000000"], "final": {"lane_flags": "0" * 8}},
          {"name": "lane", "program": ["8f000000"], "initial": {"lreg": {"2": before}},
           "final": {"lreg": {"2": after}}},
          {"name": "key", "program": [], "lregs": {}}):
    print(json.dumps({"arch": "bh", **v}))
PY
got=0
"$TENSIX" check "$work/w.jsonl" >"$work/out" || got=$?
same "a difference is exit 1" 1 "$got"
same "the last line" "1 passed, 2 failed" "$(tail -1 "$work/out")"
check "names the lane" \
    grep -q ':2: lane: lreg 2 lane 2: expected 00000001, got 00000000' "$work/out"
check "names the unknown key" grep -q ":3: key: unknown key 'lregs'" "$work/out"
"$TENSIX" check --json "$work/w.jsonl" >"$work/w.json" || true
same "both failures are in the JSON" "2 lane 3 key" "$(python3 -c "
import json
f = json.load(open('$work/w.json'))['failures']
print(*(x for one in f for x in (one['line'], one['name'])))")"
python3 - >"$work/noc.tsv" <<'PY'
for memory, mechanism in ("unicast", "unicast"), ("l1", "l1"), ("l1", "unicast"):
    print("\t".join(["u1", "bh", memory, mechanism] + 8 * [""] + ["1.5"] + 10 * [""]))
PY
"$TENSIX" silicon --json "$work/noc.tsv" >"$work/noc.json"
same "a memory is none of the mechanisms, nor the other way round" \
    "2 chip, memory or mechanism is not known" "$(grep -o 'chip, memory or mech[^"]*' \
        "$work/noc.json" | uniq -c | sed 's/^ *//')"
printf 'sfpmad L4,L0,L0,L9,0\nsfppopc 0\n' >"$work/finding.s"
"$TENSIX" check --record "$work/finding.s" --arch wh >"$work/f.jsonl"
same "record: silicon and strict" "2 1" \
    "$(wc -l <"$work/f.jsonl") $(grep -c '"fault"' "$work/f.jsonl")"
same "both pass" "2 passed, 0 failed" "$("$TENSIX" check "$work/f.jsonl" | tail -1)"
echo '{"lreg": {"0": "'"$(printf '3f800000%.0s' {1..32})"'"}, "lane_flags": "0000ffff",
"use_lane_flags": "ffffffff", "flag_stack": [["00000001", "00000002"]],
"config": {"ALU_ACC_CTRL_Fp32_enabled": 1}, "sem": [[1, 2]],
"dst": {"5": "'"$(printf '3f80%.0s' {1..16})"'"}, "rwc": {"dst": 4}}' >"$work/state.json"
"$TENSIX" check --record "$s" "$work/finding.s" --arch bh --initial "$work/state.json" \
    --thread 2 --out "$work/i.jsonl"
check "record from a state, check" "$TENSIX" check "$work/i.jsonl"
python3 - >"$work/more.jsonl" <<'PY'
import json
nop, mad, abs_ = "8f000000", "84012340", "7d000110"
for v in ({"name": "gaps", "program": [nop, nop], "gaps": [0, 5], "issue_cycles": 7},
          {"name": "threads", "programs": {"0": [nop], "1": [nop, nop], "2": []}, "final": {}},
          {"name": "one thread", "programs": {"2": [mad, abs_]}, "final": {}},
          {"name": "valid", "program": [nop], "initial": {"dst_valid": "f" * 255 + "e"},
           "final": {"dst_valid": "f" * 255 + "e", "dst": {}}}):
    print(json.dumps({"arch": "blackhole", "format": 1, **v}))
PY
check "gaps, threads, dst_valid" "$TENSIX" check --strict-version "$work/more.jsonl"
for file in "$TX_SOURCE"/tests/data/*.jsonl.gz; do
    [ -e "$file" ] || continue
    check "${file##*/}" "$TENSIX" check --quiet "$file"
done

for name in sfpswap SFPSWAP TTI_SFPSWAP 0x84012390; do
    check "explain $name" "$TENSIX" explain $name
done
same "dis tells what words configure of macros" \
    "sfpconfig 5,0,0  # .sequence 1, mad=t0@0 round=t1@2>L16 store@3" \
    "$("$TENSIX" dis --arch bh 71081b55 710a0400 91000050 | tail -1)"
same "but not like objdump" 0 \
    "$("$TENSIX" dis --arch bh --like objdump 71081b55 710a0400 91000050 | grep -c '#')"
check "and asm takes that back" bash -c "'$TENSIX' dis --arch bh 71081b55 710a0400 91000050 |
    '$TENSIX' asm - --arch bh | grep -qx 91000050"
# Fields as people write them. Bits: isa SFPCONFIG (LaneConfig), isa CSRs (cfg0), cfg_defines.h.
for place in "ROW_MASK: bits 12 to 15 of LaneConfig" "DISABLE_BACKDOOR_LOAD: bit 1 of LaneConfig" \
    "ENABLE_DEST_INDEX: bit 2 of LaneConfig" "EnBFloatRTNE: bit 31 of cfg0" \
    "THCON_SEC0_REG1_Unp_LF8_4b_exp: bit 22 of configuration word 71 on blackhole"; do
    field=${place%%:*}
    field=${field#THCON_SEC0_REG1_}
    for how in explain help; do
        check "$how $field" bash -c "'$TENSIX' $how $field | grep -q '^$place'"
    done
done
check "explain a field by its name in cfg_defines.h" bash -c \
    "'$TENSIX' explain SEC1_REG1_Unp_LF8_4b_exp_RMW | grep -q 'configuration word 119'"
same "explain a register" "0xf7ff" "$("$TENSIX" explain laneconfig --json |
    python3 -c 'import json, sys
fields = json.load(sys.stdin)["fields"]
print(hex(sum((2 ** f["width"] - 1) << f["lsb"] for f in fields)))')"
refuses "a field misspelt" 2 "did you mean 'ROW_MASK'" "$TENSIX" explain ROW_MSK
check "explain tells the order of operands" bash -c \
    "'$TENSIX' explain sfpmov | grep -qx '    sfpmov lreg_dest,lreg_c,instr_mod1'"
check "and of the macro's" bash -c "'$TENSIX' explain sfpmov |
    grep -qx '    TTI_SFPMOV(imm12_math, lreg_c, lreg_dest, instr_mod1)'"
printf '.arch bh\nsfpmov L0,L1\n' >"$work/order.s"
check "an error tells it" bash -c "! '$TENSIX' asm '$work/order.s' 2>'$work/order' &&
    grep -q 'instr_mod1 is missing (sfpmov lreg_dest,lreg_c,instr_mod1)' '$work/order'"
check "an error of eval tells it" bash -c "! '$TENSIX' eval --arch bh 'sfpmov L0,L1' \
    2>'$work/order' &&
    grep -q 'instr_mod1 is missing (sfpmov lreg_dest,lreg_c,instr_mod1)' '$work/order'"
check "explain a ruling of a normative text" bash -c "'$TENSIX' explain P12 |
    grep -q 'docs/spec/pack.md, section 16'"
check "explain a numbered remark of a normative text" bash -c "'$TENSIX' explain TL-4 |
    grep -q 'does a RISC post stop at Max'"
check "explain a doubt of a race's report" bash -c "'$TENSIX' explain D-PACK-EXPONENT |
    grep -q 'tt-metal #56073'"
check "explain an idiom of races" bash -c "'$TENSIX' explain I-ALU-ISSUE |
    grep -q '^idiom of races'"
check "explain .sequence" bash -c "'$TENSIX' explain .sequence 1b550400 |
    grep -qx '1b550400 is .sequence 0, mad=t0@0 round=t1@2>L16 store@3'"
check "explain a word of Misc" bash -c "'$TENSIX' explain 91031281 |
    grep -qx '    .misc mod0=2 load_mod0=0 instructions=simple,mad'"
refuses "explain .misc of no word" 2 "not a word" "$TENSIX" explain .misc 123456789
same "a GPR takes integers" 5 "$("$TENSIX" eval --arch bh 'ttadddmareg 0,2,1,0' GPR0=2 GPR1=3 |
    sed -n 's/^GPR 2 .*-> 0*\([0-9a-f]*\)$/\1/p')"
check "explain what a scalar instruction reads" bash -c "'$TENSIX' explain ttshiftdmareg |
    grep -qx '    reads     GPR of operand A, GPR of operand B'"
check "explain what SFPSWAP writes" bash -c "'$TENSIX' explain sfpswap |
    grep -qx '    writes    VC, VD, index registers'"
check "explain a mnemonic that its row spells in another way" bash -c "'$TENSIX' explain MOP_CFG |
    grep -qx '    writes    expander'"
check "explain a mode" bash -c "'$TENSIX' explain sfpsetcc |
    grep -qx '       6  LREG_EQ0                flag = use & (VC == 0)'"
check "explain a value's names" bash -c "'$TENSIX' explain sfpswap |
    grep -q 'MOD 1 .*VEC_MIN_MAX .*(SFPSWAP_MOD1_VEC_MIN_MAX p_sfpswap::ALL_ROWS_MAX)'"
check "explain the other fields of a word" bash -c "'$TENSIX' explain 8e200001 --arch bh |
    grep -q '^    RND  RND_STOCH '"
same "isa --json has modes" "FP32_TO_FP16B VD = round(VC, 7 bits)" \
    "$("$TENSIX" isa --arch bh --json | python3 -c 'import json, sys
rows = json.load(sys.stdin)["archs"]["blackhole"]["rows"]
row = next(row for row in rows if row["id"] == "SFPSTOCHRND_FLOAT_BH")
print(row["meanings"][1]["name"], row["meanings"][1]["formula"])')"
check "docs/isa is what scripts/isa_pages.py writes" \
    python3 "$TX_SOURCE/scripts/isa_pages.py" "$TENSIX" --check
same "explain FLUSHDMA's conditions" "0 1 2 3 " "$("$TENSIX" explain ttflushdma --arch bh |
    sed -n '/^conditions/,/^$/p' | awk '/^ +[0-9]/ { printf "%s ", $1 }')"
same "explain names the body" 1 "$("$TENSIX" explain sfpswap | grep -c 'src/sem/sfpswap.h')"
check "isa" "$TENSIX" isa
# Errata and rules as text are those of --json, in its order.
for arch in bh wh; do
    same "isa on $arch: errata and rules" "$("$TENSIX" isa --json --arch $arch | python3 -c '
import json, sys
isa = json.load(sys.stdin)
arch = list(isa["archs"])[0]
print(*[e["id"] for e in isa["errata"] if arch in e["archs"]],
      *[r["name"] for r in isa["rules"]])')" \
        "$("$TENSIX" isa --arch $arch | sed -n '/^errata/,$s/^  \([^ ]*\) .*/\1/p' | paste -sd' ')"
done
for arch in bh wh; do
    "$TENSIX" isa --json --arch $arch >"$work/isa.json"
    "$TENSIX" isa --arch $arch >"$work/isa.txt"
    check "isa on $arch: each row's unit and cycles, one cycle in the singular" python3 -c '
import json, re, sys
arch, = json.load(open(sys.argv[1]))["archs"].values()
want = {r["id"]: (r["unit"], "%d cycle%s" % (r["latency"], "" if r["latency"] == 1 else "s"))
        for r in arch["rows"]}
rows = re.findall(r"^ {7}(\S+) +(\S+) +(\d+ cycles?) +modes ", open(sys.argv[2]).read(), re.M)
got = {name: (unit, cycles) for name, unit, cycles in rows}
assert got == want, set(got.items()) ^ set(want.items())' "$work/isa.json" "$work/isa.txt"
    "$TENSIX" explain 0x42000000 --json --arch $arch >"$work/unpacr.json"
    check "explain --json on $arch: the fields of UNPACR, which has most" python3 -c '
import json, sys
(name, arch), = json.load(open(sys.argv[1]))["archs"].items()
unpacr, = [i for i in arch["instructions"] if i["opcode"] == 0x42]
word = json.load(open(sys.argv[2]))[name]
assert list(word["fields"]) == [f["name"] for f in unpacr["fields"]], word
assert len(word["fields"]) == max(len(i["fields"]) for i in arch["instructions"])' \
        "$work/isa.json" "$work/unpacr.json"
done
same "isa --json has both chips" "['wormhole_b0', 'blackhole']" "$("$TENSIX" isa --json |
    python3 -c 'import json, sys; print(list(json.load(sys.stdin)["archs"]))')"

for domain in bf16 fp16; do
    "$TENSIX" sweep "$s" --arch bh --domain $domain --points "$work/s.csv" >"$work/out"
    same "sweep $domain: lines of the CSV" 65537 "$(wc -l <"$work/s.csv")"
    same "sweep $domain: its columns" \
        "x,y,y_ref,ulp_error,abs_error,outcome,op,variant,dtype,layout" \
        "$(head -1 "$work/s.csv")"
    check "sweep $domain: square is exact" grep -q 'max error       0 ULP' "$work/out"
done

check "pages are made" python3 "$TX_SOURCE/scripts/command_pages.py" "$TENSIX" "$work/pages"
for command in run record cc asm dis eval trace debug check sweep compare bench lint lsp race \
    expand fit schedule opt explain isa convert diff map silicon card; do
    check "help $command" bash -c "'$TENSIX' help $command | grep -q 'Usage: tensix $command'"
    check "man page of $command" test -s "$work/pages/man/tensix-$command.1"
    check "man tensix names $command" grep -qx ".BR tensix.-$command (1)" "$work/pages/man/tensix.1"
done
check "version" bash -c "'$TENSIX' --version | grep -q '^tensix [0-9]'"
check "a reader that goes away" bash -c \
    "'$TENSIX' isa --json 2>'$work/pipe.err' | head -1; [ ! -s '$work/pipe.err' ]"
finish
