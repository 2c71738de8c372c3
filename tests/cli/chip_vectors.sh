#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The recorded and the derived vectors of a chip; and that a wrong one is told.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
. "$(dirname "$0")/lib.bash"

data=$TX_SOURCE/tests/data/chip
same "vectors of a chip" "1015 passed, 0 failed" "$("$TENSIX" check "$data"/*.jsonl.gz | tail -1)"

# One digit of the last result changed in every twentieth vector: all must fail.
python3 - "$data"/*.jsonl.gz >"$work/wrong.jsonl" <<'PY'
import gzip, json, sys
count = 0
for file in sys.argv[1:]:
    for line in gzip.open(file, "rt"):
        vector = json.loads(line)
        count += 1
        if count % 20 == 0 and vector["expect"]:
            last = vector["expect"][-1]
            vector["expect"][-1] = last[:-1] + ("1" if last[-1] == "0" else "0")
            print(json.dumps(vector))
PY
wrong=$(wc -l <"$work/wrong.jsonl")
check "wrong vectors: there are some" test "$wrong" -gt 40
"$TENSIX" check "$work/wrong.jsonl" >"$work/out" || true
same "wrong vectors" "0 passed, $wrong failed" "$(tail -1 "$work/out")"

# Others of the same form, made by a second statement of spec/chip.md (tests/chip/chip_model.py).
for chip in bh wh; do
    python3 "$TX_SOURCE/tests/chip/chip_vectors.py" "$chip" 54 "${SEED:-7}" >"$work/$chip.jsonl"
    same "computed vectors, $chip" "54 passed, 0 failed" \
        "$("$TENSIX" check "$work/$chip.jsonl" | tail -1)"
done

# What nobody answers reads as ones.
cat >"$work/nobody.jsonl" <<'JSON'
{"name":"gap","chip":"bh","steps":[["b",0,534773760,4]],"expect":["ffffffff"]}
{"name":"nobody","chip":"wh","steps":[["W",1,1,1572864,"00"],["R",1,1,1572864,2]],"expect":["ffff"]}
{"name":"long","chip":"bh","steps":[["R",2,0,18446744073692774468,4]],"expect":["02106110"]}
JSON
same "nobody answers" "3 passed, 0 failed" "$("$TENSIX" check "$work/nobody.jsonl" | tail -1)"

# What no vector can say.
for steps in '["B",9,0,"00"]' '["b",0,0]' '["H",1]' '["M",0,[1],1]' '["g",4096]' '["Z"]' \
    '["B",0,0,"0g"]'; do
    echo "{\"name\":\"x\",\"chip\":\"bh\",\"steps\":[$steps],\"expect\":[]}"
done >"$work/refused.jsonl"
"$TENSIX" check "$work/refused.jsonl" >"$work/out" || true
same "refused steps" "0 passed, 7 failed" "$(tail -1 "$work/out")"
finish
