#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""silicon.py TENSIX [--check] [--kit DIR]: writes docs/silicon.md, cycles of cards beside those
predicted here.

The figures are those of bench/silicon/figures.tsv; their kernels are compiled with `tensix cc` and
run with `tensix tile run`, all with the same options. A kernel llk:NAME is a test of tt-llk, which
the vendor's kit in DIR builds (tests/interop/llk_silicon.py); without --kit its prediction stays
what the page says. --check writes nothing; exit status 1 where a prediction is not what the page
says or lies beyond what a kernel of known words may be off, 77 without a compiler.
"""

import argparse
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "bench" / "silicon"
PAGE = ROOT / "docs" / "silicon.md"
NOTE = "<!-- Written by scripts/silicon.py from bench/silicon/figures.tsv. -->"
LOOPS, TILES, FACES = 16, 8, 4
LAUNCHES, LAUNCHED = 32, 8  # of a pass of replay.cpp
ZONES, WORDS = 0x30000, 192
NAMES = {1: "KERNEL", 2: "INIT", 3: "TILE_LOOP", 4: "BODY"}
VENDOR = "llk:"  # before the name of a test that the vendor's kit builds
LIMITS = {"replay": 3.0, "mop": 3.0, "push": 10.0}  # percent
DRIFT = 1.0  # percent that another version of the compiler may make


def figures():
    lines = [line for line in (KERNELS / "figures.tsv").read_text().splitlines() if line[0] != "#"]
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return done.stdout


def compile_kernel(tensix, chip, kernel, folder):
    name, *defines = kernel.split()
    source = KERNELS / f"{name}.cpp"
    text = source.read_text()
    threads = ["math"] if "TENSIX_PACK" not in text else ["pack"]
    threads += ["unpack"] if "COPIES = true" in text or "TENSIX_UNPACK" in text else []
    for thread in threads:
        flags = [word for define in defines for word in ("-D", define)]
        call(tensix, "cc", "--arch", chip, "--thread", thread, *flags, str(source), "-o",
             str(folder / f"{thread}.elf"))
    return threads


def zones(words):
    """Cycles of each zone that a thread has left behind."""
    seen = {}
    for thread in range(3):
        opened = {}
        for i in range(thread * 64, thread * 64 + 64, 2):
            name = words[i] >> 16
            if name & 0x100:
                seen[thread, NAMES[name & 0xFF]] = words[i + 1] - opened[name & 0xFF]
            elif name != 0:
                opened[name] = words[i + 1]
    return seen


def run(tensix, chip, kernel):
    """Zones of a kernel, and what bounds it."""
    core = {"unpack": "t0", "math": "t1", "pack": "t2"}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        threads = compile_kernel(tensix, chip, kernel, folder)
        elfs = [word for t in threads for word in ("--elf", f"{core[t]}={folder / t}.elf")]
        pokes = [word for i, value in enumerate((LOOPS, TILES, FACES))
                 for word in ("--poke", f"{0x20000 + 4 * i}={value}")]
        out = folder / "zones.bin"
        said = call(tensix, "tile", "run", "--arch", chip, *elfs, *pokes, "--profile", "--json",
                    "--l1-out", f"{ZONES}:uint32:{WORDS}={out}")
        words = struct.unpack(f"<{WORDS}I", out.read_bytes()[: 4 * WORDS])
    return zones(words), json.loads(said)["profile"]["bound"]


def run_kit(tensix, kit, name):
    sys.path.insert(0, str(ROOT / "tests/interop"))
    from llk_silicon import cycles

    with tempfile.TemporaryDirectory() as temporary:
        return cycles(tensix, kit, name, temporary), ""


def predict(row, seen):
    """In the row's unit."""
    _, *defines = row["kernel"].split()
    thread = 2 if "(T2)" in row["zone"] else 1
    cycles = seen[thread, row["zone"].split()[0]]
    if row["unit"] == "cycles a tile":
        return cycles / (LOOPS * TILES)
    if row["unit"] == "cycles a word":
        return cycles / (LOOPS * int(defines[0].partition("=")[2]))
    if row["unit"] == "cycles a launch":
        return cycles / (LOOPS * LAUNCHES) - LAUNCHED
    return float(cycles)


def places(row):
    return 0 if row["unit"] == "cycles" else 3


def error(row, predicted):
    measured = float(row["measured"])
    return 100 * (predicted / measured - 1) if measured != 0 else None


def allowed(row):
    return LIMITS[row["fed"]] if row["words"] == "exact" else None


def problems(row, predicted):
    off = error(row, predicted)
    if off is None and abs(predicted) > 0.2:
        yield f"{row['id']}: {predicted:.3f} {row['unit']}, but cards take none"
    if off is not None and allowed(row) is not None and abs(off) > allowed(row):
        yield f"{row['id']}: {off:+.2f} %, {allowed(row):.0f} % are allowed"


def parameters():
    """Of the tables of isa/, what nobody has published: name, default, range, what, evidence."""
    text = (ROOT / "isa" / "unit_times.def").read_text()
    for name, value, least, most, what, why in re.findall(
            r'^UNIT_TIME\((\w+), (\d+), (\d+), (\d+), "(.*?)", "(.*)"\)$', text, re.M):
        yield name, value, f"{least} to {most}", what, why
    text = (ROOT / "isa" / "riscv_times.def").read_text()
    for name, wh, bh, least, most, what, why in re.findall(
            r'^TIME\((\w+), (\d+), (\d+), (\d+), (\d+), "(.*?)", "(.*)"\)$', text, re.M):
        if most != "0":
            yield name, bh if wh == bh else f"{wh} (WH), {bh} (BH)", f"{least} to {most}", what, why


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"
    yield ""


TEXT = """# Cycles of cards

What Blackhole p150 cards have taken for public hand-written kernels (tt-metal `tests/corpus`,
`tt_metal/tt-llk`), and what `tensix tile run` predicts for the same words. The kernels stand in
`bench/silicon/`, written for `tensix cc`; the frame around them, `measure.hpp`, is that of
tt-llk's performance tests. `scripts/silicon.py build/tensix` writes this page; the test
`cli.silicon` runs it again.

* **Zone.** MATH_ISOLATE: thread 0 hands over banks of SrcA without unpacking, thread 1 copies
  each tile from SrcA to Dst, unless data are in Dst already (integers), and works on it.
  TILE_LOOP is the loop over 16 times 8 tiles with the wait for its end, a 128th of it here;
  KERNEL is everything from the first word to the last, initialisation included. BODY is the work
  alone.
* **Fed.** Most words come by replay, by MOP, or are pushed by the core one by one. Where words
  are known exactly, an error beyond 3 % (replay, MOP) or 10 % (push) fails the test. What the
  core does between pushes is our compiler's, not the vendor's.
* **Words.** exact: the public kernel, instruction for instruction. inferred: something of it is
  not public, the last column says what.
* **`llk:NAME`.** A functional test of tt-llk as it is, three threads, unpackers and packers at
  work: the vendor's kit compiles it (`scripts/silicon.py build/tensix --kit DIR`,
  `tests/interop/llk_silicon.py`), since most of what is measured is the library's set-up. Without
  the kit such a row stays as it was last written. The library is that of a later release than the
  one that was measured, with the assertions that its harness compiles in by default.
* **Bound.** What has most of the path that makes the run as long as it is, as `--profile` finds it
  ([profile.md](profile.md)): the Vector Unit, or the delivery of words.
* A card's own noise is up to 1.5 % from run to run, and a zone costs about 36 cycles of its
  profiler.
"""


def page(rows, predicted, bounds):
    yield "# Cycles of cards"
    yield NOTE
    yield from TEXT.split("\n")[1:]
    yield "## Figures"
    yield ""
    lines = []
    for row in rows:
        value, off = predicted.get(row["id"]), None
        if value is not None:
            off = error(row, value)
        lines.append((f"`{row['id']}`", row["chip"], row["zone"], row["measured"],
                      "" if value is None else f"{value:.{places(row)}f}",
                      row["unit"] if row["measured"] != "-" else "",
                      "" if off is None or abs(off) > 50 else f"{off:+.2f} %",
                      row["fed"], bounds.get(row["id"], ""),
                      f"`{row['kernel']}`" if row["kernel"] != "-" else "",
                      row["words"], row["note"], row["source"]))
    yield from table(("row", "chip", "zone", "measured", "predicted", "unit", "error", "fed",
                      "bound", "kernel", "words", "inferred or missing", "source"), lines)
    yield "## What is not known"
    yield ""
    yield ("Every time that no publication gives is a parameter with a range, one value for all "
           "kernels; `cli.silicon` fails where a figure's name stands in the model.")
    yield ""
    yield from table(("parameter", "default", "range", "what", "evidence"), parameters())
    yield from REST.split("\n")


REST = """\
MATRIX_BUSY is what the figures say most clearly. Between two tiles the thread waits for the
Matrix Unit (`STALLWAIT`) right behind a SETRWC. Were a SETRWC over after its one cycle, add_int,
mul_int32 and min_max would each be three to five cycles a tile faster than cards are; with six
cycles for every instruction of the Matrix Unit all three agree to 1 %.

BANK_HANDOVER is what kernels tell that copy a tile from SrcA first. Of the four faces of a copy the
last two wait until a bank of SrcA has gone back and come again. Without time for it sigmoid_lut,
addcmul and exp were 4.2, 4.2 and 1.8 % too fast; add_int, mul_int32 and reduce_max, which copy
nothing, agreed. What is known apart from these rows: an instruction that gives a bank back has five
stages behind its gate; on cards a STALLWAIT right behind it still sees the old state, by one or two
cycles (tt-metal PR 52256), which are three to five behind the gate; and the same table of figures
has some fifteen kernels of the vendor's compiler, of 3 to 110 vector cycles a row, that all take
30.9 cycles a tile beyond a multiple of 32, which is what the copy and its waits cost. Here that is
21.4 without the parameter, 28.4 with 5, 30.4 with 6. The default is the five stages, not the best
fit; min_max, which copies but waits for its words, is 2.7 % too slow with it, 4.1 % with 6, and
0.8 % with 2. A cost of every launch would not explain the three: they launch 12, 28 and 31
replays, reduce_max 64. Nor would other words for addcmul: tt-metal 050f24f has rows of seven words
with an SFPNOP, again 14 words a pair.

Rows of tests that are right (`reduce_sdpa`, `topk`, `welford`) are made of the work on many tiles
or of one zone that no unpacker bounds. In `typecast`, `bcast` and `where` the zone begins before
the first UNPACR, so that it has in it how much longer thread 0 sets up than thread 1. That is
mostly the library's assertions on formats, two or three calls of a function that is cold in the
cache: 152, 176 and 126 cycles of the three zones here. Cards are 38, 40 and, over its four tiles,
123 cycles below. With formats that are constants (`where`) another compiler may leave the calls
out; what the one that was measured made of them is not public, and no parameter was changed for
it."""


def row_free():
    """The model must not know which figure it is asked for."""
    names = {row["id"] for row in figures()} | {"bench/silicon"}
    for folder in ("src", "lab", "cli", "include"):
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            text = path.read_text(errors="replace")
            for name in sorted(names):
                if "-" in name + "-" and len(name) > 3 and name in text:
                    yield f"{path.relative_to(ROOT)} knows {name}"


def recorded():
    """id -> (predicted, bound) of the page."""
    found = {}
    for line in PAGE.read_text().splitlines():
        cells = line.split(" | ")
        if line.startswith("| `") and len(cells) > 10 and cells[4]:
            found[cells[0].strip("| `")] = float(cells[4]), cells[8]
    return found


def check(rows, predicted, bounds, bad):
    old = recorded()
    ids = {line.split(" | ")[0].strip("| `") for line in PAGE.read_text().splitlines()}
    bad += [f"docs/silicon.md has no row {row['id']}" for row in rows if row["id"] not in ids]
    for name, value in predicted.items():
        said, bound = old.get(name, (None, None))
        if said is None or abs(value - said) > abs(said) * DRIFT / 100 + 0.01:
            bad.append(f"{name}: {value:.3f}, docs/silicon.md says {said}")
        elif bound != bounds[name]:
            bad.append(f"{name}: bound by {bounds[name]}, docs/silicon.md says {bound}")
    return bad


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tensix")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--kit")
    args = parser.parse_args()
    if shutil.which("riscv64-unknown-elf-g++") is None:
        print("skipped: no riscv64-unknown-elf-g++ (make deps)")
        sys.exit(77)
    rows, runs, predicted, bounds, old = figures(), {}, {}, {}, recorded()
    bad = list(row_free())
    for row in rows:
        chip, kernel = key = row["chip"], row["kernel"]
        if kernel == "-":
            continue
        if kernel.startswith(VENDOR) and not args.kit:
            if row["id"] in old:
                predicted[row["id"]], bounds[row["id"]] = old[row["id"]]
                bad += problems(row, predicted[row["id"]])
            else:
                bad.append(f"docs/silicon.md has no prediction of {row['id']}: --kit")
            continue
        if key not in runs and kernel.startswith(VENDOR):
            runs[key] = run_kit(args.tensix, args.kit, kernel.removeprefix(VENDOR))
        elif key not in runs:
            runs[key] = run(args.tensix, *key)
        seen, bounds[row["id"]] = runs[key]
        predicted[row["id"]] = predict(row, seen)
        bad += problems(row, predicted[row["id"]])
    if args.check:
        bad = check(rows, predicted, bounds, bad)
    elif not bad:
        PAGE.write_text("\n".join(page(rows, predicted, bounds)) + "\n")
    print("\n".join(bad) if bad else f"{len(predicted)} figures predicted, {len(rows)} rows")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
