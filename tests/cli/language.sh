#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Help is read one option at a time: no option is explained by words that lean on the option before
# it. Every command has a line that says what it is for, and names where to read on.
# shellcheck source=tests/cli/lib.bash
source "$(dirname "$0")/lib.bash"

python3 - "$TENSIX" <<'PY'
import json
import re
import subprocess
import sys

tensix = sys.argv[1]
# Words for something said elsewhere: at the start of an explanation, or as the object of one.
LEANS = re.compile(
    r"^(it|its|they|that|those|these|this one|the same|likewise|so many|of|whose|where to)\b"
    r"|\b(the same|likewise|and those|or those|to those|that of|the one before|said above|as this"
    r"|what if)\b", re.I)
# A reference names the command whose help has more, or the document.
ELSEWHERE = re.compile(r"\bas (for|in|with) (--|'?tensix (?!\w+( \w+)? --help))")


def told(*words):
    return json.loads(subprocess.run([tensix, *words, "--json"], capture_output=True, text=True,
                                     check=True).stdout)


bad = count = 0
commands = told("help")["commands"]
assert len(commands) > 20, commands
for one in commands:
    for action in one["actions"].split() if one["family"] else [""] + one["actions"].split():
        words = [one["name"]] + ([action] if action else [])
        command = " ".join(words)
        help_ = told(*words, "--help")
        text = subprocess.run([tensix, *words, "--help"], capture_output=True, text=True,
                              check=True, env={"COLUMNS": "100"}).stdout
        if not re.search(r"^(?!Usage:|  )([A-Z].*\.)", text, re.MULTILINE):
            print(f"{command}: no line says what it is for")
            bad += 1
        for option in help_["options"]:
            said = option["text"]
            count += 1
            if said is None and f"--{option['name']}" in text:
                continue  # another name of the option before it
            if not re.match(r"[A-Z]|16-bit|llk:|gdb ", said or ""):
                print(f"{command} --{option['name']}: '{said}' is not a sentence")
                bad += 1
            elif LEANS.search(said) or ELSEWHERE.search(said):
                print(f"{command} --{option['name']}: '{said}' leans on something said elsewhere")
                bad += 1
assert count > 400, count
print(f"{count} options of {len(commands)} commands")
sys.exit(1 if bad else 0)
PY
check "options stand alone" test $? -eq 0

# Pages of the documents may be opened anywhere: no word stands for what another row or sentence is.
pages=()
for page in "$TX_SOURCE"/README.md "$TX_SOURCE"/CONTRIBUTING.md "$TX_SOURCE"/docs/*.md; do
    case $page in
    */evidence*.md | */disagreements.md | */errata.md | */upstream.md) ;; # figures and quotations
    *) pages+=("$page") ;;
    esac
done
leans='\blikewise\b|\bthe (former|latter)\b|\bsaid above\b'
leans+='|\b(this|that) one [a-z]+s\b|\| the same [a-z]|\| the same +\||refused by name'
leans+='|only way there is|fast where nobody looks|\b(is|are) not through\b'
check "documents" bash -c "! grep -nEi '$leans' ${pages[*]} >'$work/leans'"
cat "$work/leans"
check "documents were looked at" test "${#pages[@]}" -gt 25
finish
