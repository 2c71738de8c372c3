# SPDX-License-Identifier: Apache-2.0
"""Threads of tt-llk's own tests on the emulated tile: how many compile without the vendor's
compiler, how many run, and whether L1 holds afterwards what it does without time, what plain
Python says, and what ttsim leaves there.

llk_tests.py --llk DIR --tensix PATH [--ttsim DIR] [-k NAME] [--chip bh] [--work DIR]

DIR of --ttsim is a built checkout of tenstorrent/ttsim; what it refuses is told. Status 1: a test
does not compile, does not run or leaves something else, and llk_table.py has no reason for it.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import llk_build
import llk_table

HERE = Path(__file__).resolve().parent
MAILBOXES = 0x1FFB8
JUDGED = ("compiles", "runs", "untimed", "golden", "ttsim")


def run_tensix(tensix, chip, elves, brisc, variant, folder, how=()):
    """(bytes, None) or (None, what is wrong)."""
    address, size = variant.output
    out = folder / "tensix.bin"
    command = [
        tensix, "tile", "run", "--arch", chip, "--boot", "b", "--elf", f"b={brisc}",
        *[w for n, e in enumerate(elves) for w in ("--elf", f"t{n}={e}")],
        "--l1", f"0x20000={folder / 'arguments.bin'}",
        "--l1", f"{llk_table.INPUT}={folder / 'input.bin'}",
        "--l1-out", f"{address}:uint32:{size // 4}:rows={out}", "--poke", "0x1FFC4=3@4000",
        *[w for n in range(3) for w in ("--until", f"{MAILBOXES + 4 * n}=0xFF")],
        "--max-cycles", "2000000", *how,
    ]  # fmt: skip
    out.unlink(missing_ok=True)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not out.exists():
        return None, done.stderr.strip().replace("tensix tile run: ", ""), ""
    findings = "; ".join(re.findall(r"^finding +(.*)", done.stdout, re.M))
    cycles = re.search(r"^cycles +(?:at least )?(\d+)", done.stdout, re.M).group(1)
    return out.read_bytes(), None, (cycles, findings)


def run_library(library, chip, elves, brisc, variant, folder):
    address, size = variant.output
    out = folder / "library.bin"
    out.unlink(missing_ok=True)
    command = [
        sys.executable, str(HERE / "llk_device.py"), str(library), chip, str(brisc),
        *map(str, elves),
        str(folder / "arguments.bin"), str(folder / "input.bin"), f"{address}:{size}", str(out),
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return None, "no end"
    if not out.exists():
        text = (done.stdout + done.stderr).strip()
        return None, text.splitlines()[-1] if text else f"status {done.returncode}"
    return out.read_bytes(), None


def first_difference(got, want):
    wrong = [i for i in range(min(len(got), len(want))) if got[i] != want[i]]
    at = wrong[0] & ~3
    words = f"{got[at : at + 4].hex()} for {want[at : at + 4].hex()}"
    return f"{len(wrong)} of {len(want)} bytes, first at {at:#x}: {words}"


def judge(args, chip, variant, work):
    """{column: text}; an empty text is good."""
    row = {}
    folder = work / chip / variant.name
    try:
        elves = llk_build.program(args.llk, chip, work, variant)
        brisc = llk_build.firmware(args.llk, chip, work)
    except llk_build.CompileError as error:
        return {"compiles": str(error)}
    row["compiles"] = ""
    (folder / "arguments.bin").write_bytes(llk_build.arguments(variant))
    (folder / "input.bin").write_bytes(variant.input + bytes(-len(variant.input) % 16))
    got, wrong, extra = run_tensix(args.tensix, chip, elves, brisc, variant, folder)
    row["runs"] = wrong or ""
    if wrong is None:
        other, wrong_too, _ = run_tensix(
            args.tensix, chip, elves, brisc, variant, folder, ("--untimed",)
        )
        row["untimed"] = wrong_too or ("" if other == got else first_difference(other, got))
    if wrong is None and extra[1]:
        row["finding"] = extra[1]
    if wrong is None and variant.golden is not None:
        row["golden"] = "" if got == variant.golden else first_difference(got, variant.golden)
    if args.ttsim:
        name = {"bh": "release_bh", "wh": "release_wh"}[chip]
        library = args.ttsim / f"src/_out/{name}/libttsim.so"
        other, stopped = run_library(library, chip, elves, brisc, variant, folder)
        if stopped is not None:
            row["ttsim runs"] = stopped
        else:
            row["ttsim runs"] = ""
            if got is not None:
                row["ttsim"] = "" if got == other else first_difference(got, other)
            if variant.golden is not None:
                row["ttsim golden"] = (
                    "" if other == variant.golden else first_difference(other, variant.golden)
                )
    return row


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--llk", type=Path, required=True)
    parser.add_argument("--tensix", required=True)
    parser.add_argument("--ttsim", type=Path)
    parser.add_argument("-k", default="")
    parser.add_argument("--chip", choices=["bh", "wh"])
    parser.add_argument("--work", type=Path)
    args = parser.parse_args()
    args.llk = args.llk.resolve()
    if shutil.which(llk_build.COMPILER) is None or llk_build.host_library() is None:
        print(f"interop: skipped: no {llk_build.COMPILER}, or no C++ headers of its version")
        return 0
    work = args.work or Path(tempfile.mkdtemp())
    counts = {}
    unexplained = 0
    for chip in [args.chip] if args.chip else ["bh", "wh"]:
        for variant in llk_table.variants():
            if chip not in variant.chips or args.k not in variant.name:
                continue
            row = judge(args, chip, variant, work)
            told = []
            for column, text in row.items():
                good, total = counts.get((chip, column), (0, 0))
                counts[chip, column] = (good + (text == ""), total + 1)
                why = llk_table.reason(variant.name, column) if text else None
                told += [f"{column}: {text}{' (' + why + ')' if why else ''}"] if text else []
                unexplained += bool(text) and why is None and column in JUDGED
            good = " ".join(c for c in row if c not in ("compiles", "runs"))
            print(f"{chip} {variant.name:30} {'; '.join(told) or 'ok ' + good}", flush=True)
    for (chip, column), (good, total) in counts.items():
        print(f"{chip}: {column}: {good} of {total}")
    if args.work is None:
        shutil.rmtree(work)
    print(f"interop: {unexplained} unexplained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
