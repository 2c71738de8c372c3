#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The examples of every command's help (cli/examples.def) are run as they are written, in their
# order, and end with the status that the table states. Each command has two, and a document.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
quick_cores
cd "$work"
cp -r "$TX_SOURCE/examples" .
mkdir tests
ln -s "$TX_SOURCE/tests/data" tests/data
ln -s "$TENSIX" tensix
PATH=$PWD:$PATH
export TX_SOURCE PATH
# Inputs of examples/chip, as docs/chip.md has them.
(cd examples/chip && python3 - <<'PY'
import numpy as np
rng = np.random.default_rng(1)
for name in "ab":
    np.save(name + ".npy", (rng.integers(-64, 64, size=(256, 512)) / 4).astype(np.float32))
np.save("words.npy", rng.integers(0, 2**32, size=(8, 64), dtype=np.uint32))
PY
)
python3 - >lines <<'PY'
import json
import os
import re
import subprocess


def told(*words):
    return json.loads(subprocess.run(["tensix", *words, "--json"], capture_output=True, text=True,
                                     check=True).stdout)


known = {}
for one in told("help")["commands"]:
    for action in one["actions"].split() if one["family"] else [""] + one["actions"].split():
        words = [one["name"]] + ([action] if action else [])
        known["_".join(words)] = told(*words, "--help")
# The order of the table: later lines use what earlier ones have written.
text = open(os.environ["TX_SOURCE"] + "/cli/examples.def", encoding="ascii").read()
rows = re.findall(r"^EXAMPLE\((\w+), (\d),", text, re.MULTILINE)
order = list(dict.fromkeys(name for name, _ in rows))
assert sorted(order) == sorted(known), set(order) ^ set(known)
for name in order:
    answer = known[name]
    more = answer["more"].split("#")
    document = open(f"{os.environ['TX_SOURCE']}/docs/{more[0]}", encoding="utf-8").read()
    anchors = [re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
               for line in document.split("\n") if line.startswith("#")]
    assert len(more) == 1 or more[1] in anchors, answer["more"]
    print(f"two examples of {name}\t{len(answer['examples'])}\t")
    for line, (_, status) in zip(answer["examples"], [row for row in rows if row[0] == name]):
        print(f"{name}\t{status}\t{line}")
PY
while IFS=$'\t' read -r name want line; do
    if [ -z "$line" ]; then
        same "$name" 2 "$want"
        continue
    fi
    case $name in
    cc | tile_run)
        command -v riscv64-unknown-elf-gcc >/dev/null || continue
        ;;
    race_tiles) continue ;; # its programs are those of tests/order: cli.order
    esac
    got=0
    eval "$line" >out 2>err </dev/null || got=$?
    same "$line" "$want" "$got"
    [ "$got" = "$want" ] || head -n 3 err
done <lines
finish
