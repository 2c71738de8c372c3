# SPDX-License-Identifier: Apache-2.0
"""Unmodified ttnn on the door or a card: ttnn_programs.py on both chips, slow and fast dispatch.

ttnn_suite.py --kit DIR [--build DIR] [--ttsim DIR] [--chip bh|wh] [--dispatch slow|fast] [--card]
              [--only REGEX] [--seconds N] [--python PROGRAM]

The kit is the vendor's: DIR/site has ttnn and what it needs, for Python 3.12 (--python names one),
DIR/rt/runtime/sfpi the compiler. What is compiled stays in DIR/cache. With --ttsim, a built
checkout of tenstorrent/ttsim, the same programs run there, too, and results are compared byte by
byte. With --card nothing tells ttnn of an emulator: it runs under `tensix card` and finds a card.
SFPLOADMACRO stays enabled. ttnn_suite.tsv beside this file has the outcomes that are not
"passed" and are allowed, each with its reason. It prints a table; status 1: something else
happened.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pythons import python_of

HERE = Path(__file__).resolve().parent
CHIPS = {"bh": "Blackhole", "wh": "Wormhole"}


def door_of(folder, library, description):
    """A folder with the library and the description of the chip beside it, as tt-umd wants them."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(library, folder / "libttsim.so")
    shutil.copy(description, folder / "soc_descriptor.yaml")
    return folder / "libttsim.so"


def environment_of(kit, library, dispatch, lab):
    root = kit / "site/ttnn"
    environment = dict(os.environ)
    environment.update(
        PYTHONPATH=str(kit / "site"),
        TT_METAL_HOME=str(root),
        TT_METAL_RUNTIME_ROOT=str(root),
        TT_METAL_CACHE=str(kit / "cache"),
        TT_METAL_LOGGER_LEVEL="ERROR",
    )
    environment.pop("TT_METAL_SIMULATOR", None)
    if library is not None:
        environment["TT_METAL_SIMULATOR"] = str(library)
        # The door is copied to a folder of its own; with TENSIX_ORDER it looks for this.
        environment.setdefault("TENSIX_LAB", str(lab))
    if dispatch == "slow":
        environment["TT_METAL_SLOW_DISPATCH_MODE"] = "1"
    return environment


def run(start, environment, out, given):
    """Runs the programs; one that ends the process is left out, and the others go on.

    What starts Python is a list of words: the interpreter alone, or `tensix card` and it.
    """
    results = {}
    out.parent.mkdir(parents=True, exist_ok=True)
    names = program_names()
    left = [n for n in names if re.search(given.only, n)]
    while left:
        command = [*start, HERE / "ttnn_programs.py", "^(" + "|".join(left) + ")$", "--out", out]
        log = out.with_suffix(".log")
        with log.open("a") as errors:
            process = subprocess.Popen(
                command,
                env=environment,
                cwd=out.parent,  # tt-metal writes a folder of reports where it is started
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
            try:
                said, _ = process.communicate(timeout=given.seconds)
                ended = f"the process ended with status {process.returncode}"
            except subprocess.TimeoutExpired:
                process.terminate()
                said, _ = process.communicate()
                ended = f"no end within {given.seconds} s"
        lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        before = len(left)
        for line in lines:
            if "name" in line:
                results[line["name"]] = line
                left.remove(line["name"])
        if left:
            results[left[0]] = {"name": left[0], "outcome": "error", "text": ended, "seconds": 0}
            del left[0]
            if len(left) + 1 == before and not lines:
                break  # not even the device opens
    for name in left:
        results[name] = {"name": name, "outcome": "error", "text": "not reached", "seconds": 0}
    return results


def program_names():
    """The names in ttnn_programs.py, in its order."""
    text = (HERE / "ttnn_programs.py").read_text()
    unary = re.findall(r'^    "(\w+)": \(', text, re.M)
    return unary + re.findall(r'^@program\("(\w+)"', text, re.M)


def allowed_outcomes():
    rows = {}
    for line in (HERE / "ttnn_suite.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            chip, dispatch, name, why = line.split("\t")
            rows[chip, dispatch, name] = why
    return rows


def same_bytes(ours, theirs, name):
    a, b = ours / f"{name}.npy", theirs / f"{name}.npy"
    if not a.exists() or not b.exists():
        return "-"
    return "yes" if a.read_bytes() == b.read_bytes() else "no"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--kit", type=Path, required=True)
    arguments.add_argument("--build", type=Path, default=Path("build"))
    arguments.add_argument("--ttsim", type=Path)
    arguments.add_argument("--chip", choices=CHIPS)
    arguments.add_argument("--dispatch", choices=("slow", "fast"))
    arguments.add_argument("--card", action="store_true")
    arguments.add_argument("--only", default=".")
    arguments.add_argument("--seconds", type=int, default=1200)
    arguments.add_argument("--python")
    given = arguments.parse_args()
    given.kit, given.build = given.kit.resolve(), given.build.resolve()
    python = python_of(given.python, ((3, 12),))  # the kit's ttnn is compiled for it
    if python is None:
        print("interop: skipped: ttnn's programs need a Python 3.12")
        return 0
    if given.card and not (given.build / "libtensix-card.so").exists():
        print("interop: skipped: this build has no libtensix-card.so")
        return 0
    allowed = allowed_outcomes()
    ways = ("slow",) if given.card else ("slow", "fast")
    bad = 0
    lab = given.build / "libtensix-lab.so"
    with tempfile.TemporaryDirectory() as work:
        for chip in [given.chip] if given.chip else CHIPS:
            ours = given.build / "ttsim" / chip
            for dispatch in [given.dispatch] if given.dispatch else ways:
                place = Path(work) / f"{chip}-{dispatch}"
                library, start = None, [given.build / "tensix", "card", "--arch", chip, "--"]
                if not given.card:
                    library, start = next(ours.glob("*.so")), []
                    library = door_of(place, library, ours / "soc_descriptor.yaml")
                out = place / "ours"
                environment = environment_of(given.kit, library, dispatch, lab)
                results = run([*start, python], environment, out, given)
                theirs = None
                if given.ttsim:
                    source = given.ttsim / f"src/_out/release_{chip}/libttsim.so"
                    theirs = place / "theirs"
                    other = door_of(place / "ttsim", source, ours / "soc_descriptor.yaml")
                    run([python], environment_of(given.kit, other, dispatch, lab), theirs, given)
                bad += table(chip, dispatch, results, out, theirs, allowed)
    return 1 if bad else 0


def table(chip, dispatch, results, out, theirs, allowed):
    counts = collections.Counter(line["outcome"] for line in results.values())
    bad = 0
    print(f"\n{CHIPS[chip]}, {dispatch} dispatch: {dict(counts)}", flush=True)
    for name, line in results.items():
        why = allowed.get((chip, dispatch, name)) or allowed.get((chip, "*", name))
        if line["outcome"] != "passed":
            bad += why is None
            print(f"  {name}: {line['outcome']}: {line.get('text', line.get('error'))} ({why})")
        elif theirs is not None and same_bytes(out, theirs, name) == "no":
            print(f"  {name}: the bytes differ from those of the vendor's simulator ({why})")
            bad += why is None
    seconds = sum(line["seconds"] for line in results.values())
    said = ""
    if theirs is not None:
        equal = sum(same_bytes(out, theirs, name) == "yes" for name in results)
        said = f"; {equal} results equal those of the vendor's simulator"
    print(f"  {seconds:.0f} s in all{said}")
    return bad


if __name__ == "__main__":
    sys.exit(main())
