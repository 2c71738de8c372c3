#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes one barrier, wait, page or semaphore operation at a time out of the kernels of
examples/chip, and looks whether `tensix chip run --races` reports what is left.

    scripts/chip_mutants.py [--tensix build/tensix] [--only REGEX] [--product NAME] [--sample N]

SPARE says which statements may go without harm, and why. Status 1: a mutant
that is not spare is silent, a spare one or an original is not. A run that does not end counts as
reported when its table tells who waits.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = {
    "pipeline.json": ["pipeline.cpp"],
    "vecadd.json": ["vecadd_read.cpp", "vecadd_write.cpp", "vecadd_add.cpp", "compute.hpp"],
    "matmul.py": ["matmul_move.cpp", "matmul_product.cpp", "compute.hpp"],
    "halo.py": ["halo.cpp"],
}
PRODUCTS = ("p150", "n150")
CALL = re.compile(
    r"^ +(?:load \? )?(noc_async_\w*barrier|noc_semaphore_\w+|cb_reserve_back|cb_push_back"
    r"|cb_wait_front|cb_pop_front)\(.*?;$",
    re.M | re.S,
)
# Why nothing is missing where a statement is taken out: program, text of its first line.
SPARE = {
    ("matmul.py", "cb_pop_front(2, 1);"): "the kernel has one page of it, its last",
    ("halo.py", "noc_async_write_barrier();"):
        "the increment behind it takes the same way (I-SAMEVC-WA), and its barrier is for both",
}


def numpy_python():
    for python in ("python3", "/usr/bin/python3"):
        found = shutil.which(python)
        done = subprocess.run([found, "-c", "import numpy"], capture_output=True, check=False)
        if found and done.returncode == 0:
            return found
    return None


def make_arrays(folder, python):
    subprocess.run(
        [python, "-c", "import numpy as n; r = n.random.default_rng(1)\n"
         "for x in 'ab': n.save(x + '.npy', r.standard_normal((256, 512)).astype('f4'))\n"
         "n.save('words.npy', r.integers(0, 1000, (8, 64)).astype('u4'))"],
        cwd=folder, check=True)


def run(args, folder, program, product):
    """(verdict, what was said): quiet, found or error."""
    environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}",
                       PYTHONPATH=str(ROOT / "python"), TMPDIR=str(folder))
    command = [args.tensix, "chip", "run", "--races", "--product", product, "--max-cycles",
               "3000000", folder / "examples/chip" / program]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True,
                          check=False)
    text = done.stdout + done.stderr
    kinds = sorted(set(re.findall(r"^([a-z-]+): .*", text, re.M)) & KINDS)
    if kinds:
        return "found", " ".join(kinds)
    if "deadlock" in text or "not done" in text:
        return "found" if "who waits" in text else "silent hang", "waits"
    return ("quiet" if re.search(r"^0 findings", text, re.M) else "error"), text[-300:]


KINDS = {
    "read-before-arrival", "source-reuse", "data-before-credit", "stale-cache", "store-then-noc",
    "store-then-letter", "semaphore-reset", "overshoot", "lost-update", "cb-unreserved",
    "cb-unpushed", "cb-bounds", "in-flight-at-exit", "unordered", "deadlock", "linked-open",
    "counter-mismatch", "uninitialised", "out-of-bounds", "illegal-inline", "illegal-atomic",
    "initiator-busy", "counter-overflow", "alignment", "dram-order",
}


def mutants():
    """(program, file, line, statement, text without it)"""
    for program, files in PROGRAMS.items():
        yield program, None, 0, "", None
        for name in files:
            text = (ROOT / "examples/chip" / name).read_text()
            for m in CALL.finditer(text):
                line = text.count("\n", 0, m.start()) + 1
                rest = text[:m.start()] + ";" + "\n" * m[0].count("\n") + text[m.end():]
                yield program, name, line, m[0].strip(), rest


def judge(args, python, mutant, product):
    program, name, line, statement, text = mutant
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        shutil.copytree(ROOT / "examples", folder / "examples")
        (folder / "bin").mkdir()
        (folder / "bin/python3").symlink_to(python)
        make_arrays(folder, python)
        for array in folder.glob("*.npy"):
            array.rename(folder / "examples/chip" / array.name)
        vecadd = folder / "examples/chip/vecadd.json"  # fewer tiles: more pages than a buffer has
        vecadd.write_text(vecadd.read_text().replace(", 2]", ", 16]")
                          .replace('"args": [2]', '"args": [16]')
                          .replace('"grid": [8, 8]', '"grid": [4, 2]'))
        if name:
            (folder / "examples/chip" / name).write_text(text)
        verdict, said = run(args, folder, program, product)
    first = statement.splitlines()[0] if statement else "original"
    spare = SPARE.get((program, first))
    want = "quiet" if not name or spare else "found"
    good = verdict == want
    place = f"{name}:{line}" if name else "original"
    line = f"{'good' if good else 'BAD '} {product} {program} {place} {first}: {verdict}"
    return good, want, f"{line} {said if verdict != 'quiet' else spare or ''}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tensix", type=Path, default=ROOT / "build/tensix")
    parser.add_argument("--only", default=".")
    parser.add_argument("--product", choices=PRODUCTS)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=36)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    args.tensix = args.tensix.resolve()
    python = numpy_python()
    if python is None:
        print("chip_mutants: skipped: no python3 has numpy")
        return 0
    todo = [m for m in mutants() if re.search(args.only, f"{m[0]} {m[1]}")]
    if args.sample:
        todo = random.Random(args.seed).sample(todo, min(args.sample, len(todo)))
    work = [(m, p) for m in todo for p in PRODUCTS if args.product in (None, p)]
    with ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda w: judge(args, python, *w), work))
    for good, want, line in results:
        if not good or not args.sample:
            print(line)
    bad = sum(not good for good, _, _ in results)
    found = sum(good and want == "found" for good, want, _ in results)
    quiet = sum(good and want == "quiet" for good, want, _ in results)
    print(f"chip_mutants: {found} reported, {quiet} quiet as they should be, {bad} otherwise")
    return 1 if bad or not results else 0


if __name__ == "__main__":
    sys.exit(main())
