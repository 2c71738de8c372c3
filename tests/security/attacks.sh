#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Attacks by files and their names: what is data runs nothing, and costs what is stated. Each of
# these worked once. Others that did are elsewhere: programs without end and quadratic checks in
# tests/cli/lint.sh, what stays behind a signal in tests/cli/interrupt.sh, the cache in
# tests/cli/cache.sh, launchers in tests/cli/ranks.sh, memory that fails in tests/cli/memory.sh and
# tests/api/test_memory.c, buffers and owners of Python in python/tests/test_arrays.py and
# test_machine.py, chips and counts out of range in tests/isa/test_tables.c and
# tests/asm/test_asm.c, tiles on big-endian machines in tests/fmt/big_endian.sh.
# shellcheck source-path=SCRIPTDIR/../cli
. "$(dirname "$0")/../cli/lib.bash"
cd "$work" || exit 1

mark=$work/owned
kernel() { # FILE REFERENCE [LINE...]
    local file=$1
    {
        printf '.arch blackhole\n.dst bf16\n.reference "%s"\n' "$2"
        shift 2
        printf '%s\n' "$@"
        printf '.tile\n    sfpload L0, 0, 0, 0\n    sfpstore L0, 0, 0, 0\n'
    } >"$file"
}
harmless() { # NAME
    if [ -e "$mark" ]; then
        not_ok "$1" "it ran"
    else
        ok "$1"
    fi
    rm -f "$mark"
}
sweep=("$TENSIX" sweep --domain bf16 --sample 500 --jobs 1 --no-progress)

# ---- data never name code ----
printf 'import pathlib\npathlib.Path("%s").touch()\ndef reference(x):\n    return x\n' "$mark" >r.py
cat >r.c <<END
#include <stdio.h>
double tensix_reference(const double *x)
{
    fclose(fopen("$mark", "w"));
    return x[0];
}
END
"${CC:-cc}" -shared -fPIC -o r.so r.c
for program in r.py r.so ./r.so "$work/r.so"; do
    kernel k.s "$program"
    refuses ".reference $program is refused" 2 'only the caller may name' "${sweep[@]}" k.s
    harmless ".reference $program runs nothing"
done
kernel k.s identity
check "a program that the command line names runs" "${sweep[@]}" k.s --reference r.py
[ -e "$mark" ] && ok "and has run" || not_ok "and has run"
rm -f "$mark"
for i in 1 2; do
    "${sweep[@]}" k.s --reference ./r.so --shard "$i/2" --resume "part$i" >/dev/null 2>&1
done
rm -f "$mark"
refuses "merge does not run what the parts name" 2 'only the caller may name' \
    "$TENSIX" sweep merge part1 part2
harmless "merge runs nothing"
check "merge with the program given" "$TENSIX" sweep merge part1 part2 --reference ./r.so
rm -f "$mark"

# ---- Python takes modules from its own place ----
for module in socket struct runpy; do
    printf 'import pathlib\npathlib.Path("%s").touch()\n' "$mark" >"$module.py"
done
printf 'def reference(x):\n    return x\n' >plain.py
check "a reference beside hostile modules" env PYTHONPATH="$work" "${sweep[@]}" k.s \
    --reference plain.py
harmless "modules of the working directory are not imported"
rm -f socket.py struct.py runpy.py

# ---- names, written for gnuplot, YAML, CSV and terminals ----
hostile=("a'b\".py" "a\`touch owned\`.py" "a\$(touch owned).py" "=cmd|x,y.py" "a: b, c.py"
    "#x.py" "a' ; system('touch owned') #.py" "a\" ; system \"touch owned\" #.py" "<!--<script>.py"
    "<img src=x onerror=alert(1)>.py")
for name in "${hostile[@]}"; do
    cp plain.py "$name"
    cp k.s "${name%.py}.s"
    plots=()
    command -v gnuplot >/dev/null && plots=(--plot h.svg)
    check "$name: all outputs" "${sweep[@]}" "./${name%.py}.s" --reference "$name" --csv s.csv \
        --points h.csv --yaml h.yaml --html h.html "${plots[@]}"
    harmless "$name runs nothing"
    if python3 - "$name" <<'END'
import csv, json, re, sys
page = open("h.html").read()
data = json.loads(re.search(r"id='data'>(.*?)</script>", page, re.S).group(1))
assert data[0]["reference"] == sys.argv[1] and page.count("</script>") == 2, data[0]["reference"]
for file, column in ("h.csv", "op"), ("s.csv", "reference"):
    rows = list(csv.reader(open(file)))
    assert {len(r) for r in rows} == {len(rows[0])}, "columns"
    at = rows[0].index(column)
    assert all(r[at].lstrip("'") == sys.argv[1] for r in rows[1:]), rows[1][at]
    assert not any(c[:1] in "=+@" for r in rows[1:] for c in r if c), rows[1]
text = open("h.yaml").read().split("\n")
assert text[0].split("  #")[0].endswith(":") and text[1].startswith("  - {in: "), text
assert len(text) == 3, text
try:
    import yaml
except ImportError:
    sys.exit(0)
rows = yaml.safe_load("\n".join(text))
assert len(rows) == 1 and isinstance(next(iter(rows.values())), list), rows
END
    then
        ok "$name: CSV and YAML hold what they should"
    else
        not_ok "$name: CSV and YAML hold what they should" "$(head -n 2 h.csv h.yaml | tr '\n' '|')"
    fi
    rm -f "$name" "${name%.py}.s"
done
for bad in $'x\n  - {in: a}.py' $'x\e]0;owned\a.py' $'x\xc2\x9b2J.py'; do
    cp plain.py "$bad"
    refuses "a name with control characters" 2 'argument [0-9]+ has a control character' \
        "${sweep[@]}" k.s --reference "$bad"
    rm -f "$bad"
done
for line in $'.title "a\e]0;owned\a"' $'.file 1, "a\e[2J.cpp"' $'.title "a\xc2\x9b2J"'; do
    kernel e.s identity "$line"
    refuses "${line%% *} with an escape sequence" 2 'e.s:4.*control character' \
        "$TENSIX" run e.s --in x.npy
done

# ---- the state of a sweep, its checksum right, its contents not ----
cat >forge.py <<'END'
"""forge.py STATE OUT WHAT: STATE with one thing changed and the checksum made again."""
import json, struct, sys, zlib
data = open(sys.argv[1], "rb").read()
header, chunks, stats, findings = struct.unpack_from("<4Q", data, 16)
head = json.loads(data[72:72 + header])
body = bytearray(data[72 + header:])
first = chunks                # of the figures
found = first + stats         # 64 findings, their number, how many more
block = found + findings      # of the lines of the CSV
limbs = 8 * (6 + 3 + 2 + 8 + 5 + 6) # before the worst inputs: their number
def put(at, text):
    body[at:at + len(text)] = text
def finding(at, text, kind=6):
    put(found + findings - 16, struct.pack("<Q", 1))
    put(found + 4, struct.pack("<II", kind, arch))
    put(found + at, text)
arch = 2
what = sys.argv[3]
if what == "worst":
    put(first + limbs, struct.pack("<I", 0xFFFFFFFF))
elif what == "findings":
    put(found + findings - 16, struct.pack("<Q", 1 << 40))
elif what == "category":
    finding(0, b"", 77)
elif what == "message":
    finding(76, b"x" * 232)
elif what == "escape":
    finding(76, b"\x1b[2J")
elif what == "outcome":
    put(block + 3, b"\xff")
elif what == "element":
    put(block, b"\xff\xff\xff")
elif what == "case":
    put(first + limbs, struct.pack("<QQ", 1, 1 << 50))
elif what == "date":
    head["date"] = "x}\n  - {in:"
elif what == "list":
    head = [1]
text = json.dumps(head).encode()
preface = bytearray(data[:72])
struct.pack_into("<Q", preface, 16, len(text))
struct.pack_into("<Q", preface, 64, zlib.crc32(text + bytes(body)))
open(sys.argv[2], "wb").write(bytes(preface) + text + bytes(body))
END
kernel k.s identity
"${sweep[@]}" k.s --resume real >/dev/null
python3 forge.py real forged nothing
check "a state as it was" "$TENSIX" sweep merge forged
for what in worst findings category message escape outcome element case date list; do
    python3 forge.py real forged "$what"
    refuses "a state with another $what" 2 'the state of a sweep, damaged' \
        "$TENSIX" sweep merge forged --points p.csv --yaml y.yaml
done

# ---- memory ----
python3 - >many.elf <<'END'
"""100,000 symbols over one section of 2 MB: 200 GB if each had its own copy."""
import struct, sys
count, words = 100000, 500000
text = struct.pack("<I", 0x00000002) * words
strings = b"\0f\0"
symbols = b"\0" * 16 + struct.pack("<IIIBBH", 1, 0, len(text), 2, 0, 1) * count
names = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
off = 52
sections = [(0,) * 10]
body = b""
for name, kind, flags, data, link, entry in (
        (1, 1, 6, text, 0, 0), (7, 2, 0, symbols, 3, 16), (15, 3, 0, strings, 0, 0),
        (23, 3, 0, names, 0, 0)):
    sections.append((name, kind, flags, 0, off + len(body), len(data), link, 0, 4, entry))
    body += data + b"\0" * (-len(data) % 4)
head = b"\x7fELF\x01\x01\x01" + b"\0" * 9 + struct.pack(
    "<HHIIIIIHHHHHH", 1, 243, 1, 0, 0, off + len(body), 0, 52, 0, 0, 40, len(sections), 4)
sys.stdout.buffer.write(head + body + b"".join(struct.pack("<10I", *s) for s in sections))
END
bounded() { # KIBIBYTES COMMAND...
    (
        [ "$TX_SANITIZE" != off ] || ulimit -v "$1"
        ulimit -t 60
        shift
        exec "$@"
    )
}
: "${TX_SANITIZE:=off}"
if [ -n "$("$TENSIX" lint --arch bh many.elf 2>&1 | grep 'without libelf')" ]; then
    ok "an ELF of many symbols (no libelf here)"
else
    refuses "an ELF of many symbols over one section" 2 'more than [0-9]+ words together' \
        bounded 2000000 "$TENSIX" lint --arch bh many.elf
fi
python3 - <<'END'
# A block of deflate that stands alone, 2048 times: in a fortieth of the time that zipfile takes.
import struct, zlib
text = "{'descr': '<f4', 'fortran_order': False, 'shape': (1024, 524288), }".ljust(117) + "\n"
head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()
zeros, deflate = bytes(1 << 20), zlib.compressobj(9, zlib.DEFLATED, -15)
first = deflate.compress(head) + deflate.flush(zlib.Z_FULL_FLUSH)
block = deflate.compress(zeros) + deflate.flush(zlib.Z_FULL_FLUSH)
data = first + 2048 * block + deflate.flush()
crc = zlib.crc32(head)
for _ in range(2048):
    crc = zlib.crc32(zeros, crc)
about = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, crc, len(data), len(head) + (2 << 30), 5, 0)
file = b"PK\x03\x04" + about + b"a.npy" + data
entry = b"PK\x01\x02\x14\x00" + about + bytes(14) + b"a.npy"
end = struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(file), 0)
open("zeros.npz", "wb").write(file + entry + b"PK\x05\x06" + end)
END
check "the archive is whole" python3 -c 'import zipfile
z = zipfile.ZipFile("zeros.npz")
assert z.getinfo("a.npy").file_size == (2 << 30) + 128
assert z.open("a.npy").read(9)[:6] == b"\x93NUMPY"'
mkdir scratch
if "$TENSIX" tile show zeros.npz 2>&1 | grep -q 'without libzip'; then
    ok "an archive of zeros (no libzip here)"
else
    refuses "an archive that unpacks to 2 GiB" 2 'more than 256 MiB' \
        env TMPDIR="$work/scratch" "$TENSIX" convert zeros.npz y.npy --to bf16
fi
same "nothing is left in TMPDIR" "" "$(ls scratch)"

# ---- outputs keep their mode ----
kernel k.s identity
python3 - <<'END'
import struct
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (32, 32), }".ljust(117) + "\n"
open("x.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
                          + bytes(4096))
END
touch mode.npy
chmod 0600 mode.npy
check "an output over a private file" "$TENSIX" run k.s --in x.npy --out mode.npy
same "stays private" 600 "$(stat -c %a mode.npy)"

finish
