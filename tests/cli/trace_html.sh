#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix trace --html in headless Chromium: cycles can be stepped, tooltips show operands, no script
# error, nothing leaves the page.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

browser=
for name in chromium chromium-browser google-chrome; do
    browser=${browser:-$(command -v $name || true)}
done
if [ -z "$browser" ]; then
    echo "skipped: no chromium"
    exit 77
fi

# dom URL: the page's elements after its scripts have run
dom() {
    HOME=$work timeout 120 "$browser" --no-sandbox --headless --disable-gpu \
        --disable-dev-shm-usage --user-data-dir="$work/profile" --window-size=1280,900 \
        --virtual-time-budget=5000 --dump-dom "$1" 2>"$work/browser.err"
}

# What the page's own test leaves: found FILE
found() {
    python3 - "$1" <<'PY'
import html, json, re, sys
text = open(sys.argv[1]).read()
mark = re.search(r'<pre id="test">(.*?)</pre>', text, re.S)
print(html.unescape(mark.group(1)) if mark else "{}")
PY
}

# member FILE EXPRESSION: of the JSON object d in FILE
member() {
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$@"
}

npy "$work/x.npy" f4 "(1024,)" "[1.5] * 1024"
{
    echo '.arch blackhole'
    echo '.title "</script><b>&"'
    echo '.init'
    printf '    sfpcast L12,L0,0\n.loadi L0,0x4b000044\n    sfpconfig 4,0,0\n'
    printf '    sfpconfig 8,0x103,1\n    sfpnop\n.tile\n'
    printf '    sfpload L0,0,3,3\n    sfpmad L1,L0,L0,L9,0\n    sfpadd L2,L1,L10,0\n'
    printf '    sfpstore L2,0,3,3\n    sfploadmacro 0,L3,0,3,3\n    sfpnop\n    sfpnop\n'
    printf '    sfpencc 3,10\n    sfpsetcc L0,0,0\n    sfpnop\n'
} >"$work/page.s"
"$TENSIX" trace "$work/page.s" --in "$work/x.npy" --html "$work/page.html" >/dev/null
same "one file, no other" 0 "$(grep -Ec '(src|href)=|@import|url\(|fetch\(|XMLHttp|WebSocket' \
    "$work/page.html")"
same "text of a kernel stays text" 0 "$(grep -c '</script><b>' "$work/page.html")"

dom "file://$work/page.html#cycle=3&test" >"$work/dom" || true
found "$work/dom" >"$work/found"
same "no script error, no request refused" "[]" "$(member "$work/found" 'd["problems"]')"
same "no request" 0 "$(member "$work/found" 'd["requests"]')"
same "opens at a cycle, right, left, home" "3 4 3 0" \
    "$(member "$work/found" '"%d %d %d %d" % (d["at"], d["right"], d["left"], d["home"])')"
same "end" True "$(member "$work/found" 'd["end"] > 9')"
same "tooltip: operands and their values" True "$(member "$work/found" \
    '"add L2=L1+L10" in d["tips"][0] and "reads L1 2.25 in all lanes" in d["tips"][0]')"
same "tooltip: result and when" True "$(member "$work/found" \
    '"writes L2 3.25 in all lanes, readable in 5" in d["tips"][0]')"
same "readings" "3fc00000;1.5;1069547520;+1069547520;1.5 0" "$(member "$work/found" \
    '";".join(t.replace(" in all lanes", "") for t in d["readings"])')"
same "readings of Dst" 5 "$(member "$work/found" 'len(set(d["dst"]))')"
same "the switch" "True" "$(member "$work/found" 'd["theme"] != d["themed"]')"
same "cells are drawn" True "$(member "$work/found" 'd["cells"] >= 10')"

dom "file://$work/page.html#cycle=2&test" >"$work/dom" || true
found "$work/dom" >"$work/found"
same "tooltip: a stall's cause" True "$(member "$work/found" \
    'any("held: operand" in t for t in d["tips"])')"
dom "file://$work/page.html#cycle=7&test" >"$work/dom" || true
found "$work/dom" >"$work/found"
same "tooltip: who scheduled it" True "$(member "$work/found" \
    'any("scheduled by SFPLOADMACRO" in t and "launched in cycle 6" in t for t in d["tips"])')"

# Two thousand cycles: in time, and only what can be seen is in the page.
{
    echo .arch blackhole
    echo ".rept 333"
    printf 'sfpload L0,0,3,3\nsfpmad L1,L0,L0,L9,0\nsfpadd L2,L1,L10,0\nsfpstore L2,0,3,3\n'
    echo .endr
} >"$work/long.s"
"$TENSIX" trace "$work/long.s" --html "$work/long.html" >/dev/null
dom "file://$work/long.html#cycle=1900&test" >"$work/dom" || true
found "$work/dom" >"$work/found"
same "long: stepped, no error" "1900 1901 1997 []" "$(member "$work/found" \
    '"%d %d %d %s" % (d["at"], d["right"], d["end"], d["problems"])')"
same "long: few cells" True "$(member "$work/found" '0 < d["cells"] < 400')"
"$TENSIX" trace "$work/long.s" --cycles 100:140 --html "$work/cut.html" >/dev/null
dom "file://$work/cut.html#cycle=5&test" >"$work/dom" || true
found "$work/dom" >"$work/found"
same "a cut begins where it begins" "100 140 []" "$(member "$work/found" \
    '"%d %d %s" % (d["home"], d["end"], d["problems"])')"
finish
