#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Names: one that looks like an option or like a file of options is a file's name all the same, and
# what a name in a file can reach lies beneath one folder and is a regular file. Each of these
# worked once: it ran a program, showed another file, or hung.
# shellcheck source-path=SCRIPTDIR/../cli
. "$(dirname "$0")/../cli/lib.bash"
cd "$work" || exit 1

mark=$work/owned
harmless() { # NAME
    if [ -e "$mark" ]; then
        not_ok "$1" "it ran"
    else
        ok "$1"
    fi
    rm -f "$mark"
}
cat >evil.c <<END
#include <stdio.h>
int plugin_is_GPL_compatible;
__attribute__((constructor)) static void run(void)
{
    FILE *f = fopen("$mark", "w");
    if (f != NULL) {
        fclose(f);
    }
}
int plugin_init(void) { return 0; }
END
"${CC:-cc}" -shared -fPIC -o evil.so evil.c

# ---- names that a compiler would take for options ----
source='#include <tensix/ckernel_ops.h>
void kernel(void) { TTI_SFPNOP; }'
record=("$TENSIX" record --arch bh --tile kernel)
printf '%s\n' "$source" >k.cpp
check "record" "${record[@]}" k.cpp -o want.s
for name in "@k.cpp" "-fplugin=evil.so" "-k.cpp"; do
    printf '%s\n' "$source" >"./$name"
    check "record, a source with the name $name" "${record[@]}" -o got.s -- "$name"
    same "$name: what it says" "$(grep -v '^\.file' want.s)" "$(grep -v '^\.file' got.s)"
    harmless "$name runs nothing"
done
printf '%s\n' -fplugin=./evil.so >@k.cpp
refuses "record, options as a source" 2 '^tensix: .*@k.cpp:1: ' "${record[@]}" @k.cpp
harmless "options as a source run nothing"
printf '%s\n' -fplugin=./evil.so >@dir
refuses "record, options for -I" 2 'would take that for options; write ./@dir' \
    "${record[@]}" -I @dir k.cpp
refuses "record, options for -D" 2 'would take that for options' "${record[@]}" -D @dir k.cpp
harmless "options behind -I and -D run nothing"
mkdir -- -t -fplugin=.
for folder in -t "$work" .; do
    check "record with TMPDIR=$folder" env TMPDIR="$folder" "${record[@]}" k.cpp -o got.s
    check "TMPDIR=$folder: the same" cmp want.s got.s
done
same "nothing is left in TMPDIR" "" "$(ls -- -t)"
refuses "a TMPDIR that is not there" 2 'no scratch folder in -u: No such file' \
    env TMPDIR=-u "${record[@]}" k.cpp
if command -v riscv64-unknown-elf-g++ >/dev/null; then
    cc=("$TENSIX" cc --arch bh)
    mkdir sub
    printf 'int inner(void) { return missing; }\n' >sub/inner.h
    head='#include <tensix/kernel/tensix.h>'
    printf '%s\nvoid kernel_main(void) {}\n' "$head" >c.cpp
    check "cc" "${cc[@]}" c.cpp -o out0
    cp c.cpp ./-c.cpp
    cp c.cpp ./-fplugin=evil.so.cpp
    check "cc, a name like an option" "${cc[@]}" -o out1 -- -c.cpp
    check "cc, a name like a plugin" "${cc[@]}" -o out2 -- -fplugin=evil.so.cpp
    printf '%s\n' -fplugin=./evil.so >@c.cpp
    refuses "cc, options as a source" 2 '@c.cpp: the compiler would take that name for' \
        "${cc[@]}" @c.cpp -o out3
    refuses "cc, options as a source in a folder" 2 'would take that name for a file of options' \
        "${cc[@]}" "$work/@c.cpp" -o out3
    check "cc with TMPDIR=-t" env TMPDIR=-t "${cc[@]}" c.cpp -o out4
    harmless "cc runs nothing"
    # The line of the compiler, of the assembler, of the linker.
    printf '%s\nvoid kernel_main(void)\n{\n    nothing;\n}\n' "$head" >c.cpp
    refuses "cc tells the line" 2 "c.cpp:4: 'nothing' was not declared" "${cc[@]}" c.cpp -o out5
    printf '%s\nvoid kernel_main(void)\n{\n    asm volatile("blah");\n}\n' "$head" >c.cpp
    refuses "cc tells the assembler's line" 2 'c.cpp:4: unrecognized opcode .blah' \
        "${cc[@]}" c.cpp -o out5
    printf '%s\nvoid other(void);\nvoid kernel_main(void)\n{\n    other();\n}\n' "$head" >c.cpp
    refuses "cc tells the linker's line" 2 'c.cpp:5: undefined reference to .other' \
        "${cc[@]}" "$work/c.cpp" -o out
    printf '%s\n#include "sub/inner.h"\nvoid kernel_main(void) { inner(); }\n' "$head" >c.cpp
    refuses "cc tells a header's line" 2 "'missing' was not declared.*\(sub/inner.h:1\)" \
        "${cc[@]}" c.cpp -o out5
fi

# A compiler that fails without a word because the disk is full.
printf '#!/bin/sh\nhead -c 1000000 /dev/zero >"$TMPDIR/fill"\nexit 1\n' >full.sh
chmod +x full.sh
mkdir full
if unshare -rm true 2>/dev/null &&
    unshare -rm sh -c "mount -t tmpfs -o size=32k none full" 2>/dev/null; then
    # shellcheck disable=SC2016 # words of the inner shell
    refuses "a full TMPDIR" 2 'No space left on device' unshare -rm sh -c \
        'mount -t tmpfs -o size=32k none full && TMPDIR=$PWD/full exec "$@"' - \
        "${record[@]}" --compiler "$work/full.sh" k.cpp
else
    ok "a full TMPDIR (no mounts here)"
fi
refuses "a compiler that says nothing" 2 'the compiler failed without a word' \
    "${record[@]}" --compiler false k.cpp
refuses "a compiler that is not there" 2 "'./none' cannot be run: No such file" \
    "${record[@]}" --compiler ./none k.cpp

# ---- what .include reaches ----
mkdir in
echo "    SECRET-OF-ANOTHER-FOLDER" >secret.s
printf 'sfpnop\n' >in/good.s
ln -s ../secret.s in/out.s
ln -s good.s in/link.s
ln -s /dev/zero in/zero.s
ln -s /dev/stdin in/stdin.s
ln -s .. in/up
mkfifo in/fifo.s
include() { # NAME
    printf '.arch bh\n.tile\n.include "%s"\n' "$1" >in/k.s
}
for name in good.s link.s; do
    include "$name"
    check ".include $name" timeout 600 "$TENSIX" asm in/k.s
done
for name in out.s zero.s stdin.s fifo.s up/secret.s ../secret.s /dev/stdin .; do
    include "$name"
    for command in asm lint; do
        got=0
        timeout 600 "$TENSIX" "$command" in/k.s </dev/null >said 2>&1 || got=$?
        same "$command, .include $name" "2 in/k.s:3" "$got $(head -n 1 said | grep -o 'in/k.s:3')"
        same "$command, .include $name shows nothing" 0 "$(grep -c SECRET-OF said)"
    done
done
cat >editor.py <<'END'
"""editor.py TENSIX: opens a kernel that includes what hangs, and asks where a name is defined."""
import json
import subprocess
import sys

p = subprocess.Popen([sys.argv[1], "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(method, params, number=None):
    m = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        m["id"] = number
    text = json.dumps(m).encode()
    p.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
    p.stdin.flush()


def answer(number):
    while True:
        size = 0
        while (line := p.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        assert size, "the server is gone"
        m = json.loads(p.stdout.read(size))
        if m.get("id") == number:
            return json.dumps(m)


send("initialize", {"capabilities": {}}, 1)
answer(1)
uri = "file://" + sys.argv[2]
text = open(sys.argv[2]).read()
send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "tensix", "version": 1,
                                               "text": text}})
line = text.split("\n").index("somewhere")
got = ""
for number, method in enumerate(("definition", "hover"), 2):
    send("textDocument/" + method, {"textDocument": {"uri": uri},
                                    "position": {"line": line, "character": 3}}, number)
    got += answer(number)
assert "SECRET" not in got, got
send("shutdown", None, 9)
answer(9)
send("exit", None)
sys.exit(p.wait())
END
printf '.arch bh\n.include "%s"\n.include "%s"\n.include "%s"\n.include "%s"\n.tile\nsomewhere\n' \
    fifo.s zero.s stdin.s out.s >in/k.s
check "an editor with such a file" timeout 600 python3 editor.py "$TENSIX" "$work/in/k.s"

# ---- sources that a program names, in a page ----
mkdir away
(
    cd away
    printf 'FIRST\nSECRET-LINE\nTHIRD\n' >../secret.txt
    ln -s ../secret.txt link.s
    mkfifo fifo.s
    for name in ../secret.txt "$work/secret.txt" link.s fifo.s /dev/stdin; do
        printf '.arch bh\n.dst bf16\n.file 1, "%s"\n.tile\n.loc 1, 2\n%s\n.loc 1, 2\n%s\n' "$name" \
            "sfpload L0, 0, 0, 0" "sfpstore L0, 0, 0, 0" >named.s
        check "a page of a kernel from $name" timeout 600 "$TENSIX" trace named.s --html page.html \
            </dev/null
        same "$name is not in the page" 0 "$(grep -c SECRET-LINE page.html)"
    done
    printf 'FIRST\nOWN-LINE\nTHIRD\n' >own.txt
    printf '.arch bh\n.dst bf16\n.file 1, "own.txt"\n.tile\n.loc 1, 2\nsfpload L0, 0, 0, 0\n' \
        >named.s
    check "a page of a kernel of this folder" "$TENSIX" trace named.s --html page.html
    same "whose source is in the page" 1 "$(grep -c OWN-LINE page.html)"
    # Outside the working directory: beneath a folder that the user names, and nowhere else.
    mkdir -p ../other/src
    printf 'FIRST\nOUTSIDE-LINE\nTHIRD\n' >../other/src/k.h
    ln -s ../../secret.txt ../other/src/link.h
    ln -s /dev/stdin ../other/src/in.h
    ln -s k.h ../other/src/own.h
    mkfifo ../other/src/fifo.h
    page() { # NAME OPTION...: how many of its lines the page of a kernel of this source has
        printf '.arch bh\n.dst bf16\n.file 1, "%s"\n.tile\n.loc 1, 2\nsfpload L0, 0, 0, 0\n' "$1" \
            >named.s
        shift
        echo SECRET-LINE | timeout 600 "$TENSIX" trace named.s --html page.html "$@" >/dev/null ||
            echo failed
        grep -c 'SECRET-LINE\|OUTSIDE-LINE' page.html || true
    }
    other=$work/other
    same "a source elsewhere" 0 "$(page "$other/src/k.h")"
    for folder in "$other" "$other/" ../other ../other/src "$other/src/../src" /; do
        same "a source beneath --sources $folder" 1 "$(page "$other/src/k.h" --sources "$folder")"
    done
    same "by a way back" 1 "$(page "$other/src/../src/./k.h" --sources "$other")"
    same "by a link within" 1 "$(page "$other/src/own.h" --sources "$other")"
    for folder in "$work/away" ../other/sr ../none; do
        same "a source beside --sources $folder" 0 "$(page "$other/src/k.h" --sources "$folder")"
    done
    for name in src/link.h src/in.h src/fifo.h src/../../secret.txt src none.h; do
        same "beneath --sources, $name" 0 "$(page "$other/$name" --sources "$other")"
    done
    same "no name of a source" 0 "$(page "$work/secret.txt" --sources "$work")"
    if command -v riscv64-unknown-elf-gcc >/dev/null; then
        # As a vendor's kit has them: programs in one folder, sources in another.
        mkdir -p ../kit/src ../kit/elf
        printf '%s\n' '__attribute__((naked)) void _start(void)' '{ /* KIT-LINE */' \
            '    *(volatile int *)0x21004 = 7;' '    for (;;) {' '    }' '}' >../kit/src/k.c
        cp ../kit/src/k.c ../kit/elf/k.c
        for at in src elf; do
            riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O1 -g -nostdlib -Wl,-Ttext=0x6000 \
                -Wl,-e,_start "$work/kit/$at/k.c" -o "../kit/elf/$at.elf"
        done
        elf() { # NAME OPTION...
            local name=$1
            shift
            "$TENSIX" trace --arch bh --elf "t0=$work/kit/elf/$name.elf" --html page.html "$@" \
                >/dev/null && grep -c KIT-LINE page.html || true
        }
        same "a program's source beside it" 1 "$(elf elf)"
        same "a program's source elsewhere" 0 "$(elf src)"
        same "a program's source beneath --sources" 1 "$(elf src --sources ../kit)"
        same "in the working directory" 1 "$(cd ../kit/src && elf src)"
        list() { # OPTION...
            "$TENSIX" debug --arch bh --elf t0=../kit/elf/src.elf -c 'thread t0' -c step -c list \
                "$@" 2>&1 | grep -c KIT-LINE || true
        }
        same "list of the debugger elsewhere" 0 "$(list)"
        same "list of the debugger beneath --sources" 1 "$(list --sources ../kit)"
    fi
    echo "$passed $failed" >../counts
)
read -r passed failed <counts

finish
