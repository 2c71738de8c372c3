#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hardware is said in src and isa, a chip is a table, and what an instruction, a format or an
# option means has few homes: the scripts that count places have nothing to say of the tree, and
# notice what is planted in a copy.
set -uo pipefail
cd "${TX_SOURCE_DIR:?}" || exit 1
failed=0
python3 scripts/hardware_places.py || failed=1
python3 scripts/chip_places.py || failed=1
for what in insn format option; do # nothing has more homes than it may
    python3 scripts/${what}_places.py || failed=1
done

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/scripts" "$tree"/{src,lab,cli,card,door}/a "$tree/python/tensix"

plant() { # CHECKER LIST LINE MESSAGE
    printf '%s\n' "$2" >"$tree/scripts/$1.txt"
    printf '/* 0xFFB40000, arch == TX_BLACKHOLE */\nint x = "0xFFB40000";\n%s\n' "$3" \
        >"$tree/lab/a/a.c"
    if python3 "scripts/$1.py" "$tree" >"$tree/said"; then
        [ -z "$4" ] || { echo "$1 does not notice: $3"; failed=1; }
    elif [ -z "$4" ] || ! grep -qF -- "$4" "$tree/said"; then
        echo "$1 says of '$3':"
        cat "$tree/said"
        failed=1
    fi
}
h() { plant hardware_places "$@"; }
c() { plant chip_places "$@"; }
h '' 'const bool good = (flags & 0x7FFFFFFF) != 0;' ''
h '' 'enum { STREAMS = 0xFFB40000 };' 'lab/a/a.c:3: an address of a tile'
h '' 'at = 0xffe80004u;' 'an address of a tile'
h '' 'to = insn >> 7 & 31u;' 'a field of a RISC-V word'
h '' 'if ((x & 0x7F) == 0x63) {' 'a field of a RISC-V word'
h '' 'put(imm << 20 | rs << 15 | rd << 7 | 0x13u);' 'a RISC-V word'
h '' 'field = word >> 14 & 31u;' 'a field of an instruction word'
h '' 'field = word & 0x3FFF;' 'a field of an instruction word'
h '' 'enum { NIU_STEP = 0x10000 };' 'an offset of a register'
h 'lab/a/a.c ;; NIU_STEP ;; the reason is said here' 'enum { NIU_STEP = 0x10000 };' ''
h 'lab/a/a.c ;; NIU_STEP' 'enum { NIU_STEP = 0x10000 };' 'path ;; part of the line ;; why'
h 'lab/a/a.c ;; NIU_STEP ;; the reason is said here' 'int y;' 'no such line'
c '' 'if (CHIP_HAS(arch, PREDICTS)) {' ''
c '' 'if (m->arch == TX_BLACKHOLE) {' 'lab/a/a.c:3'
c '' 'if (m->arch != TX_WORMHOLE) {' 'lab/a/a.c:3'
c '' 'if (machine_is_bh(m)) {' 'lab/a/a.c:3'
c '' 'if (rules.blackhole) {' 'lab/a/a.c:3'
c '' 'if ((row->archs >> TX_WORMHOLE & 1) != 0) {' 'lab/a/a.c:3'
c 'lab/a/a.c ;; PREDICTS ;; the reason is said here' 'int y;' 'no such line'
many=$(yes 'int k = arch == TX_BLACKHOLE;' | head -11)
c 'lab/a/a.c ;; arch ;; the reason is said here' "$many" '11 places, at most 10'

# The same of instructions, formats and options: one place more than may be.
cp -r scripts/*.py "$tree/scripts"
cp -r isa "$tree"
cp -r cli/* "$tree/cli"
cp -r src/sem src/fast src/pipe src/num src/fmt src/unpack src/pack "$tree/src"
mkdir -p "$tree/lab/data"
cp lab/data/*.[ch] "$tree/lab/data"
counts() { # WHAT LINE MESSAGE
    printf '%s\n' "static int planted(void)" "{" "    $2" "}" >"$tree/lab/a/a.c"
    if python3 "$tree/scripts/$1_places.py" "$tree" >"$tree/said"; then
        [ -z "$3" ] || { echo "$1_places does not notice: $2"; failed=1; }
    elif [ -z "$3" ] || ! grep -qF -- "$3" "$tree/said"; then
        echo "$1_places says of '$2':"
        cat "$tree/said"
        failed=1
    fi
}
counts insn 'return 0;' ''
counts insn 'return insn == TX_INSN_SFPLUT;' 'lab/a/a.c: planted'
counts format 'return 0;' ''
counts format 'return format == TX_FORMAT_FP32;' 'FP32: 7'
counts option 'return 0;' ''
printf '%s\n' "static int planted(struct isa_args *a)" "{" "    return a->arch;" "}" \
    >"$tree/cli/other.c"
counts option 'return 0;' 'cli/other.c'
exit $failed
