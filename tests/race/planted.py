#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small programs with one race each, and their repaired twins: planted.py TENSIX TILE_INC FOLDER.

A planted program says in comments what is expected: the lines of both instructions ("# first",
"# second"; "# either" twice where the run decides), what state they race for, and the remedy. The
race must be found at those lines with that state and that remedy, nothing else may be found, and
nothing in the twin, whose name ends in _ok.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def said(text, key):
    found = re.search(rf"^# {key}: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else None


def marked(text):
    """Lines by mark."""
    marks = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(r" # (first|second|either)$", line)
        if found:
            marks.setdefault(found.group(1), []).append(number)
    return marks


def races(tensix, path, arch):
    done = subprocess.run(
        [tensix, "race", str(path), "--arch", arch, "--json"], capture_output=True, text=True
    )
    answer = json.loads(done.stdout) if done.stdout else {}
    if "races" not in answer:
        print(f"{path.name} on {arch}: {done.stdout} {done.stderr}")
        return []
    found = answer["races"]
    if (done.returncode == 1) != bool(found):
        raise SystemExit(f"{path.name} on {arch}: exit status {done.returncode}")
    return found


def check_planted(found, text):
    """What is wrong, or None."""
    marks = marked(text)
    state, remedy = said(text, "state"), said(text, "remedy")
    if len(found) != 1:
        return f"{len(found)} races instead of one"
    race = found[0]
    lines = [place["line"] for place in race["places"]]
    if "either" in marks:
        if sorted(lines) != marks["either"]:
            return f"lines {lines} instead of {marks['either']}"
    elif lines[0] not in marks["first"] or lines[1] not in marks["second"]:
        return f"lines {lines} instead of {marks}"
    if state not in race["state"]:
        return f"state '{race['state']}' instead of '{state}'"
    if remedy not in race["remedy"]:
        return f"remedy '{race['remedy']}' instead of '{remedy}'"
    return None


def main():
    tensix, include, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    only = sys.argv[4] if len(sys.argv) > 4 else ""
    bad = programs = 0
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copy(include, scratch)
        for source in sorted(folder.glob("*.s")):
            if only not in source.name:
                continue
            text = source.read_text(encoding="utf-8")
            path = Path(shutil.copy(source, scratch))
            chips = said(text, "chips")
            programs += 1
            for arch in ("bh", "wh") if chips == "both" else (chips,):
                found = races(tensix, path, arch)
                if source.stem.endswith("_ok"):
                    wrong = f"{len(found)} races" if found else None
                else:
                    wrong = check_planted(found, text)
                if wrong is not None:
                    bad += 1
                    print(f"{source.name} on {arch}: {wrong}")
                    for race in found:
                        lines = [place["line"] for place in race["places"]]
                        print("   ", race["state"], lines, race["remedy"])
    print(f"{programs} programs, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
