#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Command lines that documents show without what they print (indented blocks): they run as they are
# written, from the folder that the document means. What a page prints is checked by cli.docs.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"
cp -r "$TX_SOURCE/examples" .
for place in examples examples/chip .; do
    npy $place/a.npy f4 "(256, 512)" "[i % 64 / 4 for i in range(256 * 512)]"
    cp $place/a.npy $place/b.npy
    npy $place/x.npy f4 "(32, 32)" "[1] * 1024"
done
for name in a b; do npy examples/$name.npy f4 "(32, 32)" "[i % 64 / 4 for i in range(1024)]"; done
for name in a b; do cp examples/$name.npy $name.npy; done
npy examples/chip/words.npy u4 "(8, 64)" "[i * 2654435761 % 2**32 for i in range(512)]"
export PYTHONPATH=$TX_SOURCE/python TENSIX_LIBRARY=$TX_BINARY_DIR/libtensix.so
PATH=$(dirname "$TENSIX"):$PATH
python3 -c 'import numpy' 2>/dev/null || export PATH=/usr/bin:$PATH
lines() { # lines PAGE FOLDER COUNT: COUNT lines at least
    local page=$1 folder=$2 least=$3 line want got ran=0
    while IFS= read -r line; do
        want=0
        [[ $line != 'tensix diff '* ]] || want=1 # they differ, as the page says
        [[ $line != *"--races "* ]] || want="[01]"
        got=0
        (cd "$folder" && eval "$line") >out 2>err </dev/null || got=$?
        # shellcheck disable=SC2053 # want is a pattern
        if [[ $got == $want ]]; then
            ok "$page: $line"
        else
            not_ok "$page: $line" "status $got: $(head -n 3 err)"
        fi
        ran=$((ran + 1))
    done < <(python3 - "$TX_SOURCE/$page" <<'PY'
import re
import sys

text = re.sub(r"\\\n\s+", " ", open(sys.argv[1], encoding="utf-8").read())
for line in text.split("\n"):
    if re.match(r"    tensix (?!.*(KERNEL|CHIP|\.elf\b|pytest|program\.py|: ))", line):
        print(line[4:].split("  #")[0])
PY
)
    check "$page: at least $least lines, $ran" test "$ran" -ge "$least"
}
lines examples/README.md examples 19
lines docs/chip.md . 3
lines docs/tiles.md . 1
lines docs/order.md . 1
finish
