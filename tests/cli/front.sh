#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tensix fit --front: every kernel has the cycles and the error that a sweep of the file says; the
# front is what nothing beats, told anew here; --error and --budget take the best; forms that cannot
# reach the error, or do not exist for the function, are left out with the reason; what it refuses.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
cd "$work"

front() { # reference exp on a small domain
    "$TENSIX" fit --front --reference exp --arch bh --dst bf16 --domain bf16:-4:4 --time 3 \
        --no-progress "$@"
}
front --form 'poly:1 poly:2 poly:3 lut:6' --error 2 -o best.s --html front.html --json >f.json
check "what nothing beats, and the best" python3 - f.json <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
points = report["points"]
def beats(a, b):
    mine, other = (a["cycles"], a["max_ulp_unrounded"]), (b["cycles"], b["max_ulp_unrounded"])
    return mine != other and all(m <= o for m, o in zip(mine, other))
for p in points:
    assert p["front"] == (not any(beats(q, p) for q in points)), p
    assert p["cycles"] <= p["cycles_before"], p
    assert p["bound"] is None or p["max_ulp_unrounded"] > p["bound"] - 0.003, p
able = [p for p in points if p["max_ulp_unrounded"] <= 2]
shortest = min(able, key=lambda p: (p["cycles"], p["max_ulp_unrounded"]))
assert [p["best"] for p in points].count(True) == 1 and shortest["best"], points
left = {one["form"]: one["reason"] for one in report["left_out"]}
assert "lut:6" in left and {p["form"] for p in points} | set(left) == \
    {"poly:1", "poly:2", "poly:3", "lut:6"}, left
if "poly:1" in left: # with glpsol
    assert left["poly:1"].startswith("no coefficients are better than"), left
print(shortest["cycles"], shortest["max_ulp_unrounded"])
END
"$TENSIX" sweep best.s --domain bf16:-4:4 --reference exp --json --no-progress >s.json
best() {
    python3 -c 'import json; points = json.load(open("f.json"))["points"]
print(*[(p["cycles"], p["max_ulp_unrounded"]) for p in points if p["best"]][0])'
}
same "the best one is the file" "$(best)" "$(python3 -c 'import json; s = json.load(open("s.json"))
print(int(s["cycles_per_tile"]), s["accuracy"]["max_ulp_unrounded"])')"
same "one page" 1 "$(grep -c "id='data'" front.html)"

front --form 'poly:1 poly:2' --budget 380 >out # cycles of poly:1 as written are fewer
cycles=$(sed -n 's/^best  *poly:[12]: \([0-9]*\) cycles.*/\1/p' out)
check "the most exact one of so many cycles" test "${cycles:-999}" -le 380
check "a row for each" grep -Eq '^[* ] +[0-9]+ +[0-9]+ +[0-9.]+ .* poly:2, Horner' out
refuses "none is as exact" 1 '' front --form poly:1 --error 0.1
refuses "no such kernel" 1 'lut:6' front --form lut:6
refuses "no such function" 2 "did you mean 'cosh'" \
    "$TENSIX" fit --front --reference nosuch --arch bh
refuses "no such form" 2 'a form is poly:N' front --form poly
front --form 'poly:1 poly:2' -o exact.s >out
check "without a limit the most exact one" grep -q '^best  *poly:2' out
check "is written" grep -q '^\.sfp\|^ *sfp' exact.s
refuses "a page that cannot be written" 2 'no/page' front --form poly:1 --html no/page.html
refuses "an error without it" 2 'go with --front' "$TENSIX" fit best.s --error 1
refuses "a kernel" 2 'none can be given' front best.s
finish
