#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every n-th allocation fails, once, in fit, schedule, race, tile, debug, gdb, lsp and cc: the
# command says so in one line, or its output is the undisturbed one (tests/cli/memory.sh has the
# others). TX_MEMORY=all: each n.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli/lib.bash"
if [[ ${CFLAGS:-} == *sanitize* ]] || ldd "$TENSIX" | grep -q 'lib[at]san'; then
    echo "skipped: the sanitizer has the allocator"
    exit 0
fi
cd "$work"
# shellcheck source-path=SCRIPTDIR/../cli
. "$here/../cli/allocations.bash"
MOST=${MOST:-12}

cat >free.s <<'END'
.arch bh
.dst bf16
.reference exp
.free c = float(1.0) in bf16
.tile
    sfpload L0, 0, 0, 3
    sfploadi L1, c, 0
    sfpmad L0, L0, L1, L10, 0
    sfpnop
    sfpstore L0, 0, 0, 3
END
walk fit fit free.s --domain bf16 --sample 50 --restarts 1 --jobs 1 --no-progress -o out.csv
walk schedule schedule "$TX_SOURCE/tests/schedule/max_fp32.s" --arch bh --sample 100 \
    --no-progress -o out.csv
walk opt opt "$TX_SOURCE/tests/schedule/fp32_to_bf16.s" --arch bh --sample 100 --no-progress \
    --header header.h -o out.csv
walk "opt, what stays" opt "$TX_SOURCE/examples/kernels/macro/recip_7bit.s" --arch bh --sample 100 \
    --no-progress --json -o out.csv
walk race race --arch bh "$TX_SOURCE/tests/race/cfg_two_threads.s"
walk "race --json" race --arch bh "$TX_SOURCE/tests/race/cfg_two_threads.s" --json

# T0 counts, stores and rests.
printf '\x37\x05\x02\x00\x93\x85\x15\x00\x23\x20\xb5\x00\x6f\x00\x00\x00' >count.bin
walk "tile run" tile run --arch bh --elf t0=count.bin
walk "tile run --races" tile run --arch bh --elf t0=count.bin --races
walk "tile run --json" tile run --arch bh --elf t0=count.bin --json
PARTLY=1 walk "debug, cores" debug --arch bh --elf t0=count.bin -c 'step 5' -c regs -c info \
    -c 'goto end'
# Two cores on two tiles, one of which stores where the other one does.
MOST=8 walk "race over tiles" race --arch bh 1,2/b=count.bin 2,2/b=count.bin
MOST=8 walk "race over tiles, --json" race --arch bh 1,2/b=count.bin 2,2/b=count.bin --json
python3 - <<'END'
def packet(text):
    return b"$" + text + b"#%02x" % (sum(text) & 255)
texts = [b"qSupported", b"QStartNoAckMode", b"qXfer:features:read:target.xml:0,ffb", b"?", b"g",
         b"Z0,600c,4", b"vCont;s:2", b"vCont;s:2", b"bs", b"m20000,4", b"P5=01000000", b"D"]
open("packets", "wb").write(b"".join(packet(t) for t in texts))
def message(m):
    import json
    text = json.dumps({"jsonrpc": "2.0", **m}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(text) + text
uri = {"uri": "file:///k.s"}
session = [{"id": 1, "method": "initialize", "params": {"capabilities": {}}},
           {"method": "textDocument/didOpen", "params": {"textDocument": {
               **uri, "languageId": "tensix", "version": 1,
               "text": ".arch bh\nOFF = 3\n.tile\nsfpload L0, OFF, 3, 0\n"
               "sfpmul L1, L0, L0, L9, 0\nsfpstore L1, 0, 3, 0\n"}}},
           {"id": 2, "method": "textDocument/hover", "params": {
               "textDocument": uri, "position": {"line": 3, "character": 3}}},
           {"id": 3, "method": "textDocument/definition", "params": {
               "textDocument": uri, "position": {"line": 3, "character": 14}}},
           {"id": 4, "method": "textDocument/completion", "params": {
               "textDocument": uri, "position": {"line": 4, "character": 4}}},
           {"id": 9, "method": "shutdown"}, {"method": "exit"}]
open("editor", "wb").write(b"".join(message(m) for m in session))
END

# Who serves answers as well as it can: whatever fails, it ends by itself, with a status of its own
# and no signal, and says no more than a line.
serves() { # NAME COMMAND...
    local name=$1 all n step bad=0
    shift
    once 0 "$@"
    all=$calls
    step=$((all / MOST + 1))
    [ "${TX_MEMORY:-}" != all ] || step=1
    for ((n = 1; n <= all; n += n < 8 ? 1 : step)); do
        once "$n" "$@"
        # What follows "tile" is the report of the run, which gdb has let go on.
        if [ $status -ge 124 ] || [ "$(sed '/^tile /,$d' now.err | grep -c .)" -gt 1 ]; then
            bad=$((bad + 1))
            echo "# $name: allocation $n of $all: status $status: $(head -1 now.err)"
        fi
    done
    same "$name, $all allocations" 0 "$bad"
}
INPUT=packets serves gdb tile run --arch bh --elf t0=count.bin --gdb -
INPUT=editor serves lsp lsp

# cc with a compiler that is linked statically, so that only the command's own allocations fail.
cat >copy.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "-o") == 0) {
            FILE *out = fopen(argv[i + 1], "wb");
            return out == NULL || fputs("an ELF", out) < 0 || fclose(out) != 0;
        }
    }
    return 1;
}
END
if "${CC:-cc}" -static -o copy copy.c 2>/dev/null; then
    echo 'void kernel_main(void) {}' >k.cpp
    walk cc cc --arch bh --thread math --compiler ./copy k.cpp -o out.csv
fi
finish
