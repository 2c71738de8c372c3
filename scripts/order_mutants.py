#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes one barrier, flush, wait, page or count at a time out of ordered programs, and looks
whether `tensix race` reports what is left.

The programs are those of tests/order/kernels.c, whose comments say where they run and which lines
may go without harm, or with --cases the repaired twins of a folder of cases (scripts/order_cases.py
has their form), where the oracle beside them says what is to be reported.

    scripts/order_mutants.py [--tensix build/tensix] [--sample N] [--seed S] [--only NAME]
    scripts/order_mutants.py --cases FOLDER
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "tests/order/kernels.c"
CC = os.environ.get("RISCV_CC", "riscv64-unknown-elf-gcc")
FLAGS = "-march=rv32im -mabi=ilp32 -Os -g -ffreestanding -ffunction-sections -fno-ipa-icf".split()
LINK = "-march=rv32im -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Wl,--gc-sections".split()
CALL = re.compile(
    r"^\s+(until|until_id|until_least|wait_least|wait_just|wait_count|write_word|reserve|push|have"
    r"|pop|add|send_letter|take_letter"
    r"|keep\((?=FLAG|SOURCE))\b.*;\s*(// spare: (?P<why>.*))?$"
)
RING = "0x28000,2,64"
ROOM = 0x4000  # between programs of a tile
SEEDS = (0, 7)


def read_cases(text):
    """The cases: name, where programs run, and options for `tensix race`."""
    cases = []
    for m in re.finditer(r"^// run (\w+): (.*)$", text, re.M):
        programs = re.findall(r"(\d+,\d+)/(\w+)=(\w+)", m[2])
        options = []
        tiles = sorted({tile for tile, _, _ in programs})
        for tile in ("1,2", "2,2", "3,2", "4,2"):
            options += ["--fill", f"{tile}:0x1F000:16=0"]
        for fill in re.findall(r"--fill (\S+)", m[2]):
            options += ["--fill", fill]
        if "--buffer" in m[2]:
            options += ["--buffer", f"1,2:3={RING}"]
        words = re.search(r"--words ([\d, ]+)", m[2])
        for tile, pair in zip(tiles, words[1].split() if words else []):
            me, following = pair.split(",")
            for at, word in ((0x1F100, me), (0x1F110, following)):
                options += ["--fill", f"{tile}:{at}:1={word}"]
        cases.append((m[1], programs, options))
    return cases


def read_lines(text):
    """Lines that can go: number, program, call, and why nothing happens, or None."""
    found = []
    program = None
    for number, line in enumerate(text.splitlines(), 1):
        begin = re.match(r"PROGRAM\((\w+)\)", line)
        program = begin[1] if begin else program
        call = CALL.match(line)
        if program and call:
            found.append((number, program, line.split("//")[0].strip(), call["why"]))
    return found


def run(command):
    return subprocess.run(command, capture_output=True, text=True)


def kinds_of(tensix, arguments):
    """What `tensix race` reports, with any of the seeds."""
    kinds = set()
    for seed in SEEDS:
        done = run([tensix, "race", "--json", "--seed", str(seed), *arguments])
        if done.returncode not in (0, 1):
            sys.exit(f"tensix race: {done.stderr.strip()[:300]}")
        kinds |= {f["kind"] for f in json.loads(done.stdout)["findings"]}
    return kinds


def programs_of(text, programs, chip, folder):
    """Compiles a text and links each program; returns the arguments that place them."""
    source, target = folder / "kernels.c", folder / "kernels.o"
    source.write_text(text)
    define = f"-DBLACKHOLE={int(chip == 'bh')}"
    subprocess.run(
        [CC, *FLAGS, define, f"-I{SOURCE.parent}", "-c", str(source), "-o", str(target)], check=True
    )
    arguments = []
    at = 0x5000
    for tile, core, name in programs:
        path = folder / f"{name}-{at:x}.elf"
        subprocess.run(
            [CC, *LINK, f"-Wl,-Ttext={at:#x}", f"-Wl,-e,{name}", str(target), "-o", str(path)],
            check=True,
        )
        arguments.append(f"{tile}/{core}={path}")
        at += ROOM
    return arguments


def without(text, number):
    lines = text.splitlines(keepends=True)
    indent = re.match(r"\s*", lines[number - 1])[0]
    lines[number - 1] = f"{indent};\n"
    return "".join(lines)


def needed(text, programs):
    """The text with the programs of one case only; lines keep their numbers."""
    names = {name for _, _, name in programs}
    keep = True
    lines = []
    for line in text.splitlines():
        begin = re.match(r"PROGRAM\((\w+)\)", line)
        keep = begin[1] in names if begin else keep
        lines.append(line if keep else "")
        keep = keep or line == "}"
    return "\n".join(lines) + "\n"


def one(options, text, case, line, chip):
    """Judges one program; line None: nothing is taken away. Returns (good, what)."""
    name, programs, extra = case
    number, program, call, why = line or (0, "", "nothing", "nothing is taken away")
    with tempfile.TemporaryDirectory() as scratch:
        mutant = needed(without(text, number) if line else text, programs)
        arguments = programs_of(mutant, programs, chip, Path(scratch))
        kinds = kinds_of(options.tensix, ["--arch", chip, *extra, *arguments])
    good = bool(kinds) == (why is None)
    return good, kinds, f"{name} {chip} {SOURCE.name}:{number} {program} without {call}"


def own(options):
    text = SOURCE.read_text()
    lines = read_lines(text)
    jobs = [
        (case, line, chip)
        for case in read_cases(text)
        if options.only in case[0]
        for chip in ("bh", "wh")
        for line in [None, *(l for l in lines if any(l[1] == p[2] for p in case[1]))]
    ]
    if options.sample:
        jobs = random.Random(options.seed).sample(jobs, min(options.sample, len(jobs)))
    counts = {"reported": 0, "harmless": 0, "ordered": 0}
    wrong = 0
    by_kind = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda job: one(options, text, *job), jobs)
        for (_, line, _), (good, kinds, what) in zip(jobs, results):
            if not good:
                wrong += 1
                print(f"{what}: {' '.join(sorted(kinds)) or 'silent'}", flush=True)
                continue
            counts["ordered" if line is None else "reported" if kinds else "harmless"] += 1
            for kind in kinds:
                by_kind[kind] = by_kind.get(kind, 0) + 1
    print(", ".join(f"{k} {n}" for k, n in sorted(by_kind.items())))
    print(
        f"{counts['reported']} removals reported, {counts['harmless']} harmless and silent, "
        f"{counts['ordered']} originals silent, {wrong} otherwise"
    )
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tensix", default="build/tensix")
    parser.add_argument("--sample", type=int, default=0, help="so many only, drawn by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    return 1 if own(parser.parse_args()) else 0


if __name__ == "__main__":
    sys.exit(main())
