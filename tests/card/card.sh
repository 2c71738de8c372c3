#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix card: a program that opens the card as tt-umd does, on both chips; its exit status; what is
# left behind after each kind of end. $CARD_PROGRAMS has
# that program, $CARD_LIBRARY is the library.
# shellcheck disable=SC1091,SC2154,SC2016 # lib.bash sets them; the command expands them
set -eu
. "$(dirname "$0")/../cli/lib.bash"

# Waits until a folder is gone, at most four seconds.
gone() {
    for _ in $(seq 80); do
        [ -e "$1" ] || return 0
        sleep 0.05
    done
    return 1
}

for arch in bh wh; do
    check "opened as tt-umd does, $arch" "$TENSIX" card --arch "$arch" -- "$CARD_PROGRAMS/card_open"
done
check "without time" "$TENSIX" card --untimed -- "$CARD_PROGRAMS/card_open"
check "fixed steps" "$TENSIX" card --deterministic -- "$CARD_PROGRAMS/card_open"
check "without options" "$TENSIX" card sh -c 'test -c /dev/tenstorrent/0'
check "two cards" "$TENSIX" card --chips 2 -- sh -c 'test -c /dev/tenstorrent/1'
check "by hand" env "LD_PRELOAD=$CARD_LIBRARY" "$CARD_PROGRAMS/card_open"
check "another library behind it" "$TENSIX" card --door "$CARD_DOOR" -- "$CARD_PROGRAMS/card_open"

# Every width and instruction, 8 threads, windows that are turned, fork and exec, faults of its own.
check "torture" "$TENSIX" card -- "$CARD_PROGRAMS/card_torture" 500

status() {
    local got=0
    "$TENSIX" card -- sh -c "$1" >"$work/out" 2>&1 || got=$?
    echo "$got"
}
same "exit status" 7 "$(status 'exit 7')"
same "killed by a signal" 137 "$(status 'kill -9 $$')"
same "no such command" 127 "$(
    got=0
    "$TENSIX" card -- /nonexistent 2>/dev/null || got=$?
    echo "$got"
)"
refuses "no command" 2 "no command" "$TENSIX" card
refuses "no --" 2 "put --" "$TENSIX" card --strict true
refuses "no such product" 2 "n150" "$TENSIX" card --product x9 -- true
refuses "product and chip" 2 "another chip" "$TENSIX" card --arch wh --product p150a -- true
refuses "no such library" 2 "door" "$TENSIX" card --door "$work/none.so" -- true
same "no card for others" "no" "$([ -e /dev/tenstorrent/0 ] && echo yes || echo no)"

# The program's output is its own; nothing of ours is in it.
same "output" "hello" "$("$TENSIX" card -- echo hello 2>&1)"
check "json" python3 -c 'import json,subprocess,sys
d = json.loads(subprocess.run([sys.argv[1], "card", "--json", "--", "true"], check=True,
                              capture_output=True).stdout)
assert d["schema"] == 1 and d["status"] == 0 and d["findings"] == []' "$TENSIX"

# Whatever ends, the folder goes: the program, the command, both at once.
folder=$("$TENSIX" card -- sh -c 'echo $TENSIX_CARD')
check "nothing left after the end" gone "$folder"
"$TENSIX" card -- sh -c 'echo $TENSIX_CARD; exec sleep 60' >"$work/folder" &
command=$!
while ! [ -s "$work/folder" ]; do sleep 0.05; done
folder=$(cat "$work/folder")
check "the folder is there meanwhile" test -e "$folder/state"
kill -9 "$command"
wait "$command" 2>/dev/null || true
check "nothing left after a kill of the command" gone "$folder"
folder=$(env "LD_PRELOAD=$CARD_LIBRARY" sh -c 'test -c /dev/tenstorrent/0; echo $TENSIX_CARD')
check "nothing left by hand" gone "${folder:-/nonexistent}"

# A path that leads out of the folder leads to nothing that the program could not open anyway.
same "no way out" "$(cat /etc/hostname 2>/dev/null || true)" \
    "$("$TENSIX" card -- cat /etc/hostname 2>/dev/null || true)"
check "the folder is the user's alone" sh -c \
    '[ "$("$1" card -- sh -c "stat -c %a \$TENSIX_CARD")" = 700 ]' - "$TENSIX"
finish
