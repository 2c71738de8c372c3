#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The debugger on a terminal, driven in tmux: breakpoints, a watched lane and its writer, why on a
# planted bug, another size of the terminal, what a hostile source does to it.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"
if ! command -v tmux >/dev/null; then
    ok "no tmux here: not tested"
    finish
    exit
fi
server=debug-$$
tm() { tmux -L "$server" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null || true; rm -rf "$work"' EXIT

# SFPMAD was to have L6 (-1) as its second factor.
printf '%b' '.arch bh\n.dst fp32\n.init\nsfploadi L6, 0xbf80, 0\n.tile\n' \
    '# \x1b[2J\x1b[31mhostile\x07\nsfpload L0, 0, 3, 0\nsfpmul L1, L0, L0, 0\n' \
    'sfpmad L2, L1, L1, L10, 0\nsfpstore L2, 0, 3, 0\n' >bug.s
npy x.npy f4 "(1024,)" "[i / 8 for i in range(1024)]"

# seen PATTERN: waits until the screen has it
seen() {
    soon shows "$1"
}
shows() {
    tm capture-pane -p >screen
    grep -qE -- "$1" screen
}
say() {
    tm send-keys -l "$1"
    tm send-keys Enter
}

unset NO_COLOR
TERM=screen tm new-session -d -x 130 -y 34 \
    "'$TENSIX' debug bug.s --in x.npy 2>err; echo status \$?; read -r _"
check "source, next word marked" seen '^> +4  sfploadi L6'
check "hostile bytes are none" seen '6  # \?\[2J\?\[31mhostile\?'
check "the pipeline's pane" seen '^ pipeline'
say "break sfpmad"
say "c"
check "a breakpoint" seen 'breakpoint 1, bug.s:9: sfpmad'
check "the line is marked" seen '^> +9  sfpmad'
say "watch L2[9]"
say "c"
check "a lane changes" seen 'breakpoint 2, L2\[9\]: 00000000 0 -> [0-9a-f]* 327.2539'
say "delete 1"
say "goto end"
say "rc"
check "back at its writer" seen 'L2\[9\]: 00000000 0 -> [0-9a-f]* 327.2539, by T1.s sfpmad'
check "before it has written" seen '^ bug.s  blackhole  cycle 5'
say "goto end"
say "why dst[1][2]"
check "the chain ends in the input" seen \
    'sfpload L0.*L0\[9\] .* 4.25 .*element \[1\]\[2\] of input 0'
check "the wrong factor is there to be seen" seen 'sfpmad L2.* of L1\[9\] of cycle 2, L10\[9\]'
tm send-keys Left
check "the left arrow goes back" seen 'tile 0 \+ 5$'
tm send-keys Tab
check "Tab shows another pane" seen ' flags *$'
tm resize-window -x 60 -y 16
check "a smaller terminal" seen '^\(tensix\) *$'
same "has the panes one above the other" 60 "$(tm display-message -p '#{pane_width}')"
check "and still the source" seen '^ source'
tm resize-window -x 30 -y 5
check "one that is too small says so" seen 'screen is smaller'
tm resize-window -x 120 -y 40
check "and a larger one again" seen '^ pipeline'
# Ctrl-C takes the line away, and nothing of what is typed right behind it.
for n in 1 2 3 4 5 6; do
    tm send-keys -l "half"
    tm send-keys C-c nonsense$n Enter
    check "no such command, $n" seen "no command 'nonsense$n'"
done
tm capture-pane -p -e >screen
check "an error has its colour" grep -q $'\x1b\[[0-9;]*31m' screen
say "quit"
check "ends well" seen '^status 0'
same "and quietly" 0 "$(wc -c <err)"
tm kill-server
server=more-$$

# A count in T0, for ever.
printf '\x37\x05\x02\x00\x93\x85\x15\x00\x23\x20\xb5\x00\x6f\xf0\x9f\xff' >count.bin
TERM=screen tm new-session -d -x 100 -y 30 "'$TENSIX' debug --arch bh --elf t0=count.bin \
    --max-cycles 4000000000 2>err; echo status \$?; read -r _"
check "a core's words" seen '^>00006000'
debugger=$(pgrep -P "$(tm display-message -p '#{pane_pid}')")
before=$(ticks "$debugger")
say "continue"
check "it runs" soon worked "$debugger" "$before"
tm send-keys C-c
check "Ctrl-C ends what runs" seen 'cycle [0-9]+: interrupted'
say "back"
check "and the debugger goes on" seen '^\(tensix\) back'
tm send-keys C-d
check "Ctrl-D ends it" seen '^status 0'
finish
