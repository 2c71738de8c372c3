#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Accuracy in CI: several kernels and chips, --max-ulp, --budget, findings, two reports compared.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -uo pipefail
. "$(dirname "$0")/lib.bash"
kernels=$TX_SOURCE/examples/kernels
sweep=("$TENSIX" sweep --no-progress)

# gate NAME STATUS PATTERN OPTIONS...: exit status, and a line of the report.
gate() {
    local name=$1 status=$2 pattern=$3 got=0
    shift 3
    "${sweep[@]}" "$@" >"$work/out" 2>"$work/err" || got=$?
    same "$name: status" "$status" "$got"
    check "$name: report" grep -Eq -- "$pattern" "$work/out"
}
# The largest error of exp over BF16 is 1 ULP, as tests/cli/sweep.sh computes once more.
gate "an error that is allowed" 0 '^gate +passed: max error 1 ULP of 1$' \
    "$kernels/exp.s" --arch bh --max-ulp 1
gate "one that is not" 1 '^gate +FAILED: max error 1 ULP of 0.99$' \
    "$kernels/exp.s" --arch bh --max-ulp 0.99
same "and one line says so" "tensix sweep: the gate is not passed" "$(cat "$work/err")"
gate "NaN for a number" 1 'FAILED: .*; 2 mismatches with a reference that is a number' \
    "$kernels/tanh.s" --arch bh --max-ulp 1e30
cat >"$work/finding.s" <<'EOF'
.dst fp32
.arch wh
.reference identity
.tile
A = 0
.rept 32
    sfpload  L0,A,3,3
    sfpadd   L1,L0,L9,0
    sfpstore L0,A,3,3
A = A + 2
.endr
    sfppopc  0
EOF
gate "a finding" 1 'FAILED: max error 0 ULP of 5; 1 finding, ' "$work/finding.s" --max-ulp 5
gate "the same where nobody asks" 0 '^max error +0 ULP' "$work/finding.s"

# Budgets, in the field's form.
cat >"$work/budget.yaml" <<'EOF'
# The most specific row decides; No is a boolean to YAML.
Exp:  # measured somewhere
  - {max_ulp: 0}  # of Wormhole, as it names no arch
  - {out: Float32, max_ulp: 1}
  - {in: Float16_b, out: Float32, dest: Yes, arch: BLACKHOLE, max_ulp: 3, run: 2026-09-30}
  - {in: Float16_b, out: Float32, dest: "Yes", approx: "Yes", arch: blackhole, max_ulp: 0}
Sqrt:
  - {arch: BLACKHOLE, max_ulp: 0}
Tanh:
  - {metric: tolerance, nonfinite: 2, atol: 0.1}
Square:
  - {arch: BLACKHOLE, in: Float16_b, max_ulp: 0}
  - {arch: BLACKHOLE, dest: "Yes", max_ulp: 0}
Reciprocal:
  - {arch: WORMHOLE, max_ulp: 2}
EOF
budget=(--budget "$work/budget.yaml")
gate "a row" 0 'passed: 1 steps of 3 in budget.yaml:5$' "$kernels/exp.s" --arch bh "${budget[@]}"
gate "a row without chip is Wormhole's" 0 'passed: 1 steps of 1 in budget.yaml:4$' \
    "$kernels/exp.s" --arch wh "${budget[@]}"
gate "more steps than the row has" 1 'FAILED: 1 steps of 0 in budget.yaml:8$' \
    "$kernels/sqrt.s" --arch bh "${budget[@]}"
gate "no row of the chip" 1 'FAILED: budget.yaml has no row for Sqrt .*, arch: WORMHOLE' \
    "$kernels/sqrt.s" --arch wh "${budget[@]}"
gate "a tolerance in a row" 0 \
    'passed: 0 results are further than atol 0.1 \+ rtol 0 .reference. away in budget.yaml:10$' \
    "$kernels/tanh.s" --arch bh "${budget[@]}"
sed 's/atol: 0.1/atol: 1e-9/' "$work/budget.yaml" >"$work/tight.yaml"
gate "a tolerance that is missed" 1 'FAILED: [1-9][0-9]* results are further than atol 1e-09' \
    "$kernels/tanh.s" --arch bh --budget "$work/tight.yaml"
sed 's/nonfinite: 2, atol/nonfinite: 1, atol/' "$work/budget.yaml" >"$work/lost.yaml"
gate "a tolerance, and too many that are not finite" 1 \
    'FAILED: 0 results .*; 2 results are not finite' "$kernels/tanh.s" --arch bh \
    --budget "$work/lost.yaml"
sed 's/, atol: 0.1//' "$work/budget.yaml" >"$work/open.yaml"
refuses "a row without a limit" 2 \
    'open.yaml:10: metric: tolerance without atol or rtol is no limit' "${sweep[@]}" \
    "$kernels/tanh.s" --arch bh --budget "$work/open.yaml"
gate "a row without a limit that is about another sweep" 0 'passed: 1 steps of 3' "$kernels/exp.s" \
    --arch bh --budget "$work/open.yaml"

# Absolute, relative, both: held against the points, which have every input of BF16.
"${sweep[@]}" "$kernels/exp.s" --arch bh --points "$work/exp.csv" >/dev/null
limits() { # how many of the points are beyond atol + rtol |reference|
    python3 -c "
import csv
rows = list(csv.DictReader(open('$work/exp.csv')))
print(sum(r['abs_error'] != 'nan' and float(r['abs_error']) > $1 + $2 * abs(float(r['y_ref']))
          for r in rows))"
}
for limit in "0.01 0" "0 1e-7" "1e-6 1e-7"; do
    read -r atol rtol <<<"$limit"
    want=$(limits "$atol" "$rtol")
    gate "atol $atol, rtol $rtol" 1 "FAILED: $want results are further than" "$kernels/exp.s" \
        --arch bh --atol "$atol" --rtol "$rtol"
done
gate "rtol of two steps" 0 'passed: 0 results are further than atol 0 \+ rtol 2.4e-07' \
    "$kernels/exp.s" --arch bh --rtol 2.4e-7
same "a tolerance is told in JSON" "True True" "$("${sweep[@]}" "$kernels/exp.s" --arch bh \
    --rtol 2.4e-7 --json | python3 -c "
import json, sys
r = json.load(sys.stdin)
print(r['gate']['passed'], 5e-8 < r['accuracy']['max_rel'] < 2.4e-7)")"
for bad in nan inf -1 x; do
    refuses "--atol $bad" 2 "--atol: '$bad' is no number from 0 on" \
        "${sweep[@]}" "$kernels/exp.s" --arch bh "--atol=$bad"
done
gate "two rows that name as much" 1 'FAILED: budget.yaml:1[23]: another row names as much' \
    "$work/square.s" --arch bh "${budget[@]}"
gate "recip is Reciprocal" 0 'passed: [012] steps of 2 in budget.yaml:15' \
    "$kernels/reciprocal_wh.s" --arch wh "${budget[@]}" --domain bf16:1:2
gate "both gates" 1 'FAILED: max error 1 ULP of 0.5; 1 steps of 3 in' \
    "$kernels/exp.s" --arch bh "${budget[@]}" --max-ulp 0.5
bad() { # NAME PATTERN TEXT
    printf "$3" >"$work/bad.yaml"
    refuses "$1" 2 "$2" "${sweep[@]}" "$kernels/exp.s" --arch bh --budget "$work/bad.yaml"
}
bad "a budget that is none" 'bad.yaml: not a budget' '[1, 2]\n'
bad "an empty one" 'bad.yaml: not a budget' ''
bad "no YAML" 'bad.yaml:3: not YAML' 'Exp:\n  - {max_ulp: 1\nX: }\n'
bad "an unknown field" "bad.yaml:2: no field of a budget: 'max_ulps'" 'Exp:\n  - {max_ulps: 1}\n'
bad "a negative number" "bad.yaml:2: not a number of steps: '-1'" 'Exp:\n  - {max_ulp: -1}\n'
bad "a boolean for a number" "not a number of steps: 'true'" 'Exp:\n  - {max_ulp: true}\n'
bad "a tolerance that is none" "bad.yaml:2: not a tolerance: '.inf'" \
    'Exp:\n  - {metric: tolerance, atol: .inf}\n'
bad "neither" 'bad.yaml:2: a row has either' 'Exp:\n  - {in: Float32}\n'
bad "both" 'a row has either' 'Exp:\n  - {max_ulp: 1, metric: tolerance}\n'
bad "twice the same key" "bad.yaml:3: a second row with the same key for 'Exp'" \
    'Exp:\n  - {dest: No, max_ulp: 1}\n  - {dest: "No", max_ulp: 2}\n'
refuses "no such budget" 2 'none.yaml: No such file' \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --budget "$work/none.yaml"
refuses "a budget for integers" 2 'budget: the accuracy budget has no rows for Dst format int32' \
    "${sweep[@]}" "$kernels/fp32_to_int32.s" --arch bh "${budget[@]}"
refuses "--max-ulp of nothing" 2 "--max-ulp: 'x' is no number" \
    "${sweep[@]}" "$kernels/exp.s" --arch bh --max-ulp x

# Several kernels and chips.
many=("$kernels/exp.s" "$kernels/sqrt.s" --arch bh,wh)
gate "a table" 1 '^sqrt.s +wh .*FAILED: max error 1 ULP of 0' "${many[@]}" --max-ulp 0 \
    --csv "$work/m.csv" --yaml "$work/m.yaml"
same "a table: lines" 5 "$(wc -l <"$work/out")"
check "figures by line" python3 -c "
import csv
rows = list(csv.DictReader(open('$work/m.csv')))
assert [(r['kernel'], r['arch']) for r in rows] == [
    ('exp.s', 'bh'), ('exp.s', 'wh'), ('sqrt.s', 'bh'), ('sqrt.s', 'wh')], rows
for r in rows:
    assert r['max_ulp'] == '1' and r['inputs'] == r['wanted'] == '65536', r
    assert r['findings'] == '0' and r['gate'] == 'failed', r"
same "the rows of a budget, by operation" "Exp: BLACKHOLE WORMHOLE Sqrt: BLACKHOLE WORMHOLE" \
    "$(grep -oE '^[A-Z][a-z]+:|BLACKHOLE|WORMHOLE' "$work/m.yaml" | tr '\n' ' ' | sed 's/ $//')"
gate "they are their own budget" 0 'passed: 1 steps of 2 in m.yaml:6' \
    "${many[@]}" --budget "$work/m.yaml"
"${sweep[@]}" "${many[@]}" --json >"$work/before.json"
"${sweep[@]}" "$kernels/exp.s" --arch bh --json >"$work/one.json"
check "JSON of several" python3 -c "
import json
many, one = json.load(open('$work/before.json')), json.load(open('$work/one.json'))
assert many['schema'] == one.pop('schema') == 1
assert len(many['sweeps']) == 4 and many['sweeps'][0] == one and 'passed' not in many"
gate "JSON, and status" 1 '"passed": false' "${many[@]}" --max-ulp 0 --json
cp "$kernels/exp.s" "$work/exp2.s"
refuses "two kernels for one row" 2 'exp.s and exp2.s would have the same row of Exp' \
    "${sweep[@]}" "$kernels/exp.s" "$work/exp2.s" --arch bh --yaml "$work/y.npy"
for option in "--resume $work/s" "--points $work/p" "--plot $work/p.svg"; do
    [ "${option%% *}" != --plot ] || command -v gnuplot >/dev/null || continue
    # shellcheck disable=SC2086 # two words
    refuses "several, and ${option%% *}" 2 "${option%% *} is for one kernel on one chip" \
        "${sweep[@]}" "${many[@]}" $option
done
cp "$kernels/exp.s" "$work/=cmd|' ,\"x.s"
"${sweep[@]}" "$work/=cmd|' ,\"x.s" --arch bh --csv "$work/h.csv" >/dev/null
same "a hostile name is one field and no formula" "'=cmd|' ,\"x.s" \
    "$(python3 -c "import csv; print(list(csv.reader(open('$work/h.csv')))[1][0])")"

# Two reports.
got=0
"${sweep[@]}" diff "$work/before.json" "$work/before.json" >"$work/same" || got=$?
same "the same report" "0 0 worse, 0 gone, 0 new" "$got $(tail -1 "$work/same")"
"${sweep[@]}" "$kernels/sqrt.s" --arch bh,wh --domain bf16 --json >"$work/gone.json"
got=0
"${sweep[@]}" diff "$work/before.json" "$work/gone.json" >"$work/gone" || got=$?
same "kernels that are gone" "1 0 worse, 2 gone, 0 new" "$got $(tail -1 "$work/gone")"
got=0
"${sweep[@]}" diff "$work/gone.json" "$work/before.json" >"$work/new" || got=$?
same "kernels that are new" "0 0 worse, 0 gone, 2 new" "$got $(tail -1 "$work/new")"
python3 - "$work/before.json" >"$work/worse.json" <<'EOP'
import json, sys
r = json.load(open(sys.argv[1]))
r["sweeps"][1]["accuracy"]["max_ulp"] = 3.0
r["sweeps"][2]["findings"].append({})
r["sweeps"][3]["accuracy"]["exact"] -= 1
json.dump(r, sys.stdout)
EOP
got=0
"${sweep[@]}" diff "$work/before.json" "$work/worse.json" >"$work/worse" || got=$?
same "what is worse" "1 WORSE: max error WORSE: findings WORSE: exact results" \
    "$got $(grep -o 'WORSE.*' "$work/worse" | tr '\n' ' ' | sed 's/ $//')"
got=0
"${sweep[@]}" diff "$work/worse.json" "$work/before.json" >/dev/null || got=$?
same "what is better" 0 "$got"
"${sweep[@]}" diff "$work/before.json" "$work/worse.json" --json >"$work/d.json"
same "the same in JSON" "3 3.0" "$(python3 -c "
import json
d = json.load(open('$work/d.json'))
print(d['worse'], d['sweeps'][1]['after']['max_ulp'])")"
echo '{"a": 1}' >"$work/no.json"
refuses "no report" 2 "no.json: not the report of a sweep" \
    "${sweep[@]}" diff "$work/before.json" "$work/no.json"
refuses "one report" 2 'two reports are compared' "${sweep[@]}" diff "$work/before.json"
# A name, or a format, longer than its column.
long=a_kernel_whose_name_is_longer_than_any_column.s
cp "$TX_SOURCE/examples/kernels/relu.s" "$work/$long"
"$TENSIX" sweep --no-progress --sample 100 --arch bh,wh "$work/$long" \
    "$TX_SOURCE/examples/kernels/relu.s" >"$work/names.txt"
same "columns under long names" 1 \
    "$(awk '{ print match($0, / (chip|bh  |wh  ) /) }' "$work/names.txt" | sort -u | wc -l)"
same "lines under long names" 5 "$(wc -l <"$work/names.txt")"
finish
