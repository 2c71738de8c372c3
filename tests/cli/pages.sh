#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages of trace, sweep and --profile in headless Chromium (pages.py): cycles are stepped,
# tooltips and views read in both themes, every point of a sweep compared with --points; no script
# error, no request leaves a page. And the limit of a trace's size.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

npy "$work/x.npy" f4 "(1024,)" "[-1.5] * 1024"
{
    echo '.arch blackhole'
    echo '.title "</script><b>&"'
    echo '.init'
    printf '    sfpcast L12,L0,0\n.loadi L0,0x4b000044\n    sfpconfig 4,0,0\n'
    printf '    sfpconfig 8,0x103,1\n    sfploadi L2,0,0\n    sfpnop\n.tile\n'
    printf '    sfpload L0,0,3,3\n    sfpmad L1,L0,L0,L9,0\n    sfpadd L2,L1,L10,0\n'
    printf '    sfpstore L2,0,3,3\n    sfploadmacro 0,L3,0,3,3\n    sfpnop\n    sfpnop\n'
    printf '    sfpencc 3,10\n    sfpsetcc L0,0,0\n    sfpnop\n    sfpnop\n    sfpnop\n'
    printf '    sfpnop\n    sfpnop\n'
} >"$work/page.s"
"$TENSIX" trace "$work/page.s" --in "$work/x.npy" --html "$work/page.html" >/dev/null
same "one file, no other" 0 "$(grep -Ec '(src|href)=|@import|url\(|fetch\(|XMLHttp|WebSocket' \
    "$work/page.html")"
same "text of a kernel stays text" 0 "$(grep -c '</script><b>' "$work/page.html")"

# Two thousand cycles, and a part of them.
{
    echo .arch blackhole
    echo ".rept 333"
    printf 'sfpload L0,0,3,3\nsfpmad L1,L0,L0,L9,0\nsfpadd L2,L1,L10,0\nsfpstore L2,0,3,3\n'
    echo .endr
} >"$work/long.s"
"$TENSIX" trace "$work/long.s" --html "$work/long.html" >/dev/null
"$TENSIX" trace "$work/long.s" --cycles 100:140 --html "$work/cut.html" >/dev/null

# From L1 to L1, beside the same as lines.
npy "$work/tile.npy" f4 "(32, 32)" "[float(i % 7 - 3) for i in range(1024)]"
"$TENSIX" trace "$TX_SOURCE/examples/tiles/matmul.s" --arch bh --l1 "0x10000=$work/tile.npy:bf16" \
    --l1 "0x18000=$work/tile.npy:bf16" --html "$work/units.html" --json >"$work/units.json"

# A rule that is broken: on Wormhole nothing waits for the result of two cycles.
printf '.arch wormhole\n.tile\n    sfpnop\n    sfpnop\n    sfpmad L1,L0,L0,L9,0\n' >"$work/broken.s"
printf '    sfpadd L2,L1,L10,0\n    sfpnop\n    sfpnop\n' >>"$work/broken.s"
"$TENSIX" trace "$work/broken.s" --html "$work/broken.html" >/dev/null

# Sweeps: one with all that it is compared with, several, one that was ended, and a profile.
exp=$TX_SOURCE/examples/kernels/exp.s
"$TENSIX" sweep "$exp" --arch bh --html "$work/sweep.html" --points "$work/points.csv" --json \
    --worst 20 --no-progress >"$work/sweep.json"
sed 's/^\.title.*/.title "<\/script><b>\&"/' "$exp" >"$work/<b>'.s"
"$TENSIX" sweep "$exp" "$work/<b>'.s" --arch bh,wh --html "$work/several.html" --no-progress \
    >/dev/null
same "text of a kernel stays text in a report" 0 "$(grep -Fc -e '<b>&' -e "<b>'.s" \
    "$work/several.html")"
same "a report is one file" 0 "$(grep -Ec '(src|href)=|@import|url\(|fetch\(|XMLHttp|WebSocket' \
    "$work/sweep.html")"
sed 's/"whole": *true/"whole":false/; s/"interrupted": *false/"interrupted":true/
    s/"inputs": *"all/"inputs":"only 2048 (3.13%) of all/' "$work/sweep.html" \
    >"$work/cut.sweep.html"
"$TENSIX" fit --front --reference exp --arch bh --dst bf16 --domain bf16:-4:4 --time 3 \
    --form "poly:1 poly:2" --no-progress --html "$work/front.html" --json >"$work/front.json"
"$TENSIX" run "$TX_SOURCE/examples/tiles/matmul.s" --arch bh --l1 "0x10000=$work/tile.npy:bf16" \
    --l1 "0x18000=$work/tile.npy:bf16" --profile="$work/profile.html" >/dev/null

# A session with an emulated card, where this build has one.
if "$TENSIX" card --report "$work/card.html" -- true 2>/dev/null; then
    python3 "$TX_SOURCE/tests/cli/pages_card.py" "$work/card.html"
fi

# Cycles after the first 8000 are packed.
{
    echo .arch blackhole
    echo .rept 4000
    printf 'sfpload L0,0,3,3\nsfpmad L1,L0,L0,L9,0\nsfpadd L2,L1,L10,0\nsfpstore L2,4,3,3\n'
    echo .endr
    echo sfploadi L7,2,7
} >"$work/late.s"
"$TENSIX" trace "$work/late.s" --in "$work/x.npy" --html "$work/late.html" --json \
    >"$work/late.json"
"$TENSIX" trace "$work/late.s" --cycles 5:15000 --html "$work/latecut.html" >/dev/null

# A page has at most a million cycles; nothing is written beyond that.
{
    echo .arch blackhole
    echo .rept 50000
    echo sfpnop
    echo .endr
} >"$work/nops.s"
y=$work/y.npy
refuses "too long for a page" 2 '--cycles: a page has at most 1000000 cycles' \
    "$TENSIX" trace "$work/nops.s" --tiles 21 --html "$y"
refuses "one too many" 2 'at most 1000000 cycles' \
    "$TENSIX" trace "$work/nops.s" --tiles 30 --cycles 5:1000005 --html "$y"
check "a part of a longer one" \
    "$TENSIX" trace "$work/nops.s" --tiles 30 --cycles 1499000: --html "$work/part.html"
same "it is that part" 1 "$(grep -c '^\["I",1499999,' "$work/part.html")"
rm "$work/part.html"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
driver=$(command -v chromedriver || true)
if [ -z "$browser" ] || [ -z "$driver" ]; then
    finish || exit 1
    echo "skipped: no ${browser:+chromedriver}${browser:-Chromium} here;" \
        "apt's chromium and chromium-driver would be used (scripts/deps.sh test)"
    exit 77
fi
mkdir "$work/browser"
cp "$work"/*.html "$work"/*.json "$work"/*.csv "$work/browser"
python3 "$TX_SOURCE/tests/cli/pages.py" "$driver" "$browser" "$work/browser" \
    >"$work/checks" 2>"$work/err" || true
while IFS=$'\t' read -r name want got; do
    if [ "$name" != end ]; then
        same "$name" "$want" "$got"
    fi
done <"$work/checks"
same "the browser got through" end "$(tail -n 1 "$work/checks")$(tail -n 3 "$work/err")"
finish
