#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small programs with one race each, and their repaired twins: planted.py TENSIX TILE_INC FOLDER.

Witnesses: planted.py TENSIX TILE_INC FOLDER witness. Delays are found with which most of the
planted programs end differently; run again they do the same, and in the twins delays change
nothing.

Programs with "# idiom: I-..." rely on that row of idioms.def: with --all there is a race, and one
again when a line "# between" is taken out.

A planted program says in comments what is expected: the lines of both instructions ("# first",
"# second"; "# either" twice where the run decides), what state they race for, and the remedy. The
race must be found at those lines with that state and that remedy, nothing else may be found, and
nothing in the twin, whose name ends in _ok. "# open: bh": on these chips it is a doubt that is
open (lab/race/doubts.def), on others, and without this line, it is not.

make test has each program on one chip, and witnesses and delays of half; with TX_WHOLE in the
environment, as make campaign ONLY=whole sets it, everything.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


WHOLE = bool(os.environ.get("TX_WHOLE"))


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


def report(tensix, path, arch, *how):
    done = subprocess.run(
        [tensix, "race", str(path), "--arch", arch, "--json", *how], capture_output=True, text=True
    )
    answer = json.loads(done.stdout) if done.stdout else {}
    if "races" not in answer:
        raise SystemExit(f"{path.name} on {arch}: {done.stdout} {done.stderr}")
    if (done.returncode == 1) != bool(answer["races"]):
        raise SystemExit(f"{path.name} on {arch}: exit status {done.returncode}")
    return answer


def check_idiom(tensix, path, arch, text, idiom):
    """What is wrong with a program that relies on an idiom, or None."""
    answer = report(tensix, path, arch)
    used = [one["id"] for one in answer["idioms"]]
    if answer["races"] or used != [idiom]:
        return f"{len(answer['races'])} races, idioms {used}"
    if not report(tensix, path, arch, "--all")["races"]:
        return "no race with --all"
    lines = text.splitlines()
    between = [i for i, line in enumerate(lines) if line.endswith("# between")]
    if between:
        near = path.with_name("near.s")
        near.write_text("\n".join(lines[: between[0]] + lines[between[0] + 1 :]) + "\n")
        if not report(tensix, near, arch)["races"]:
            return "no race with one instruction less between"
    return None


def check_planted(found, text, arch):
    """What is wrong, or None."""
    marks = marked(text)
    state, remedy = said(text, "state"), said(text, "remedy")
    if len(found) != 1:
        return f"{len(found)} races instead of one"
    race = found[0]
    if race["open"] != (arch in (said(text, "open") or "")):
        return f"open is {race['open']}"
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


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    return done.returncode, done.stdout


def check_witness(tensix, path, arch):
    """Whether there is one, and what is wrong."""
    answer = run(tensix, "race", path, "--arch", arch, "--witness", "--json")[1]
    race = json.loads(answer)["races"][0]
    if race["delays"] is None:
        return False, None if race["trials"] > 0 else "nothing was tried"
    again = run(tensix, "race", path, "--arch", arch, "--delays", race["delays"])
    want = f"with delays {race['delays']}: {race['witness']}\n"
    return True, None if again == (1, want) else f"not the same again: {again}"


def check_delayed(tensix, path, arch):
    """A program without races ends as it does, whatever is late, or says that it need not."""
    if said(path.read_text(encoding="utf-8"), "order") is not None:
        return None
    delays = ("T0/3~5", "T1/3~4", "T1/4~3", "T2/40~200", "T1/0+300", "T0/2+77", "T2/1+150")
    for delay in delays if WHOLE else delays[len(path.stem) % 3 :: 3]:
        status, text = run(tensix, "race", path, "--arch", arch, "--delays", delay)
        if status != 0:
            return f"{delay}: {text}"
    return None


def witnesses(tensix, programs):
    found = bad = 0
    planted = 0
    for path, chips in programs:
        arch = "wh" if chips == "wh" else "bh"
        if said(path.read_text(encoding="utf-8"), "idiom") is not None:
            continue  # silicon does it right, whatever delays the emulator allows
        if path.stem.endswith("_ok"):
            wrong = check_delayed(tensix, path, arch)
        else:
            shows, wrong = check_witness(tensix, path, arch)
            planted += 1
            found += shows
        if wrong is not None:
            bad += 1
            print(f"{path.name} on {arch}: {wrong}")
    print(f"witnesses for {found} of {planted}, {bad} failed")
    return 1 if bad or found < (20 if WHOLE else 10) else 0


def main():
    tensix, include, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    only = sys.argv[4] if len(sys.argv) > 4 else ""
    if only == "witness":
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copy(include, scratch)
            sources = sorted(folder.glob("*.s"))
            return witnesses(
                tensix,
                [
                    (Path(shutil.copy(s, scratch)), said(s.read_text(encoding="utf-8"), "chips"))
                    for i, s in enumerate(sources)
                    if WHOLE or i // 2 % 2 == 0  # a program and its twin, mostly
                ],
            )
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
            archs = ("bh", "wh") if chips == "both" else (chips,)
            # One of both chips, in turn, where the program is the same.
            for arch in archs if WHOLE else archs[programs % len(archs) :][:1]:
                found = report(tensix, path, arch)["races"]
                idiom = said(text, "idiom")
                if idiom is not None:
                    wrong = check_idiom(tensix, path, arch, text, idiom)
                elif source.stem.endswith("_ok"):
                    wrong = f"{len(found)} races" if found else None
                else:
                    wrong = check_planted(found, text, arch)
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
