#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a folder of cases (spec/order-chip.md 10) against `tensix race`.

A case is a folder with case.json and one C file for each core, buggy as it stands and repaired
with -DFIX; beside the folder's parent stand chip.h and crt0.S. Each program is compiled for each
chip and variant and run at both levels with so many seeds. What is found is compared with what
case.json says: at level "contract" exactly, at "documented" at least.

    scripts/order_cases.py FOLDER [--tensix build/tensix] [--seeds 20] [--only NAME] [--keep DIR]
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Places of the cases on NoC 0, and the symbols of chip.h that case.json uses.
TILES = {"T0": "1,2", "T1": "2,2", "T2": "3,2", "T3": "4,2", "D0A": "0,0", "D0B": "0,1"}
CORES = {"B": "b", "T0": "t0", "T1": "t1", "T2": "t2", "NC": "nc"}
SYMBOLS = {
    "BUF": lambda k: 0x20000 + 0x4000 * k,
    "SEM": lambda k: 0x1F000 + 16 * k,
    "DRM": lambda k: 0x100000 + 0x10000 * k,
}
FLAGS = (
    "-march=rv32im -mabi=ilp32 -Os -g -ffreestanding -nostdlib -fno-builtin "
    "-Wl,--no-warn-rwx-segments"
).split()
CC = os.environ.get("RISCV_CC", "riscv64-unknown-elf-gcc")


def value(text):
    """The value of an address such as "BUF(1) + 0x40"."""
    text = re.sub(r"(0x[0-9a-fA-F]+|\b[0-9]+)[uUlL]+", r"\1", str(text))
    return int(eval(text, {"__builtins__": {}}, dict(SYMBOLS, OUT=0x3C000)))


def buffers(folder, case, files):
    """The circular buffers, as the sources declare them."""
    found = {}
    for name in files:
        text = (folder / name).read_text()
        for m in re.finditer(r"struct cb \w+ = \{(\d+), ([^,]+), (\d+), (\d+),", text):
            tile = TILES[case["place"][name]["tile"]]
            found.setdefault((tile, m[1]), (value(m[2]), int(m[3]), int(m[4])))
    return [f"{t}:{i}={b},{p},{s}" for (t, i), (b, p, s) in found.items()]


def compile_all(folder, case, files, chip, fix, out):
    paths = {}
    place = {}
    crt0 = folder.parent.parent / "crt0.S"
    for name in files:
        where = case["place"][name]
        nth = place.get(where["tile"], 0)
        place[where["tile"]] = nth + 1
        paths[name] = Path(out) / f"{folder.name}-{name}-{chip}{fix}.elf"
        command = [CC, *FLAGS, f"-D{chip.upper()}", f"-Wl,-Ttext={0x5000 + 0x4000 * nth:#x}"]
        command += ["-DFIX"] if fix else []
        subprocess.run(
            [*command, str(crt0), str(folder / name), "-o", str(paths[name])], check=True
        )
    return paths


def arguments(folder, case, files, chip, fix, paths):
    host = case["host"]
    launches = host.get("programs")
    args = ["--arch", chip]
    for tile in ("T0", "T1", "T2", "T3"):
        args += ["--fill", f"{TILES[tile]}:{value('SEM(0)')}:32=0"]
    for tile, address, count in host.get("fill", []):
        args += ["--fill", f"{TILES[tile]}:{value(address)}:{count}=100"]
    late_only = host.get("late_only_in", "buggy")
    for tile, address, word in host.get("late", []):
        if late_only == "both" or (late_only == "fixed") == bool(fix):
            args += ["--late", f"{TILES[tile]}:{value(address)}:1={word}"]
    for tile, address, length in host.get("alloc", []):
        args += ["--area", f"{TILES[tile]}:{value(address)}:{value(length)}"]
    for buffer in buffers(folder, case, files):
        args += ["--buffer", buffer]
    for name in files:
        where = case["place"][name]
        launch = 0
        if launches:
            launch = next(
                i for i, p in enumerate(launches) if name in p or Path(name).stem in p
            )
        args.append(f"{TILES[where['tile']]}/{CORES[where['core']]}:{launch}={paths[name]}")
    return args


def site_text(site):
    return "host" if site["core"] == "host" else f"{site.get('file', '?')}:{site.get('line', 0)}"


def normal(kind, sites):
    sites = ["host" if s.startswith("host") else s for s in sites]
    return (kind, *(sorted(sites) if kind == "deadlock" else sites))


def found(tensix, args, level, seed):
    run = subprocess.run(
        [tensix, "race", "--json", "--level", level, "--seed", str(seed), *args],
        capture_output=True,
        text=True,
    )
    if run.returncode not in (0, 1):
        return frozenset([("error", (run.stderr + run.stdout).strip()[:200])])
    result = json.loads(run.stdout)
    return frozenset(
        normal(f["kind"], [site_text(s) for s in f["sites"]]) for f in result["findings"]
    )


def expected(case, level, fix):
    key = "contract" if level == "contract" else "documented_at_least"
    return frozenset(
        () if fix else (normal(f["kind"], f["sites"]) for f in case["buggy"][key])
    )


def good(case, level, fix, want, got):
    if level == "contract":
        return got == want
    if fix:
        return all(f[0] in case["fixed"]["documented_allowed"] for f in got)
    return want <= got


def verdict(options, folder, case, files, chip, fix, out):
    paths = compile_all(folder, case, files, chip, fix, out)
    args = arguments(folder, case, files, chip, fix, paths)
    lines = []
    wrong = 0
    for level in ("contract", "documented"):
        want = expected(case, level, fix)
        seen = {}
        for seed in range(options.seeds):
            got = found(options.tensix, args, level, seed)
            seen[got] = seen.get(got, 0) + 1
        bad = {g: n for g, n in seen.items() if not good(case, level, fix, want, g)}
        wrong += bool(bad)
        for g, n in bad.items():
            lines.append(
                f"{folder.name} {chip} {'fixed' if fix else 'buggy'} {level}: "
                f"{n} of {options.seeds}: missing {sorted(want - g)} extra {sorted(g - want)}"
            )
    return 2, wrong, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tensix", default="build/tensix")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", help="folder that the programs are left in")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cases = sorted(p.parent for p in options.folder.glob("**/case.json"))
    if not cases:
        sys.exit(f"{options.folder}: no case.json")
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(options.jobs) as pool:
        jobs = []
        for folder in cases:
            if options.only not in folder.name:
                continue
            case = json.loads((folder / "case.json").read_text())
            files = sorted(case["place"])
            for chip in case["chips"]:
                for fix in ("", "-fix"):
                    out = options.keep or scratch
                    jobs.append(
                        pool.submit(verdict, options, folder, case, files, chip, fix, out)
                    )
        total = wrong = 0
        for job in jobs:
            n, bad, lines = job.result()
            total += n
            wrong += bad
            for line in lines:
                print(line, flush=True)
    print(f"{total} verdicts of {options.seeds} schedules each, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
