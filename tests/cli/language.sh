#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Help is read one option at a time: no option is explained by words that lean on the option before
# it. Every command has a line that says what it is for, and names where to read on.
# shellcheck source=tests/cli/lib.bash
source "$(dirname "$0")/lib.bash"

python3 - "$TENSIX" <<'PY'
import re
import subprocess
import sys

tensix = sys.argv[1]
# At the start of an explanation, or as the object of one: words for something said elsewhere.
LEANS = re.compile(
    r"^(it|its|they|that|those|these|this one|the same|likewise|so many)\b"
    r"|\b(the same|likewise|and those|or those|to those|that of the same|said above)\b", re.I)


def ask(*words):
    return subprocess.run([tensix, *words, "--help"], capture_output=True, text=True, check=True,
                          env={"COLUMNS": "100", "ARGP_HELP_FMT": "rmargin=400"}).stdout


commands = [name for name in re.findall(r"^  ([a-z]+) ", ask(), re.MULTILINE) if name != "help"]
assert len(commands) > 20, commands
bad = count = 0
for command in commands:
    text = ask(command)
    purpose = re.search(r"^(?!Usage:|  )([A-Z].*\.)$", text, re.MULTILINE)
    if not purpose:
        print(f"{command}: no line says what it is for")
        bad += 1
    options = re.findall(
        r"^ +(?:-\w, |-\w\b|    )?(--[a-z0-9-]+)\S*(?:\[\S*\])? {2,}(.*(?:\n {20,}.*)*)",
        text, re.MULTILINE)
    for name, words in options:
        words = re.sub(r"\s+", " ", words)
        count += 1
        if LEANS.search(words):
            print(f"{command} {name}: '{words}' leans on something said elsewhere")
            bad += 1
assert count > 250, count
print(f"{count} options of {len(commands)} commands")
sys.exit(1 if bad else 0)
PY
check "options stand alone" test $? -eq 0
finish
