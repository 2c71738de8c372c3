# SPDX-License-Identifier: Apache-2.0
"""tt-llk's own pytest files, unchanged, on the door: the vendor's compiler, harness, goldens.

suite.py --kit DIR [--build DIR] [--ttsim DIR] [--chip bh|wh] [--macros on|off] [--sample N]
         [--seed N] [-k REGEX] [--jobs N]

The kit is the vendor's: DIR/site/ttnn (the wheel of ttnn, with tt-llk and the headers of both
chips) and DIR/rt/runtime/sfpi (the compiler). What the tests import from PyPI goes to DIR/llk/venv,
what they compile and say to DIR/llk/CHIP-MACROS; an earlier run's programs are used again. Of each
test function N parameterisations run, chosen by the seed (--sample 0: all of them, for hours). With
SFPLOADMACRO off run those functions in whose programs it stands. suite.tsv beside this file has the
outcomes that are not "passed" and are allowed, each with its reason. DIR of --ttsim is a built
checkout of tenstorrent/ttsim: the same programs run there, and the results are compared byte by
byte. Status 1: something happened that suite.tsv does not allow.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pythons import python_of

HERE = Path(__file__).resolve().parent
CHIPS = {"bh": "blackhole", "wh": "wormhole"}
DESCRIPTIONS = {"bh": "blackhole_140_arch.yaml", "wh": "wormhole_b0_80_arch.yaml"}
PACKAGES = (
    "torch==2.9.1 numpy==2.2.6 tt-exalens==0.4.2 tt-umd==0.9.14 ml_dtypes==0.5.4 pytest==9.0.3 "
    "pytest-xdist==3.8.0 pytest-timeout==2.4.0 pytest-forked==1.6.0 loguru==0.7.3 filelock==3.20.3 "
    "pandas==2.3.3 pyarrow==24.0.0 pydantic==2.12.5 plotly==6.5.0 matplotlib==3.10.3 pyyaml==6.0.3 "
    "junitparser==4.0.2 termcolor==3.2.0 jinja2==3.1.6 mpmath==1.3.0 sympy==1.14.0"
).split()
MARKERS = "not quasar and not nightly and not perf and not accuracy"
CANDIDATES = 6  # of each parameterisation wanted: some tests skip themselves
PROGRAM_L1 = 0x14D000  # bytes behind a test's arguments, up to what the harness keeps for itself
TEST_SECONDS = 900


class Kit:
    def __init__(self, folder):
        self.root = folder / "site/ttnn"
        self.llk = self.root / "tt_metal/tt-llk"
        self.tests = self.llk / "tests/python_tests"
        self.compiler = folder / "rt/runtime/sfpi"
        self.work = folder / "llk"
        # Some tests include kernels of operators, which the wheel of ttnn has not all.
        self.operators = folder / "rt/ttnn"
        if not self.operators.exists():
            self.operators = self.root / "ttnn"
        for needed in (self.tests / "conftest.py", self.compiler / "compiler/bin"):
            if not needed.exists():
                sys.exit(f"interop: {folder} is no vendor's kit: {needed} is missing")


def python_with_tests(kit, given):
    """The Python of a virtual environment that has what the vendor's tests import."""
    python = kit.work / "venv/bin/python"
    ready = kit.work / "venv/ready"
    if ready.exists() or (python.exists() and imports(python)):
        ready.touch()
        return python
    wanted = python_of(given, ((3, 12),))
    if wanted is None:
        print("interop: skipped: tt-llk's tests need a Python 3.12")
        sys.exit(0)
    kit.work.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(kit.work / "venv", ignore_errors=True)
    log = kit.work / "pip.log"
    with log.open("w") as out:
        for command in (
            [wanted, "-m", "venv", str(kit.work / "venv")],
            [str(python), "-m", "pip", "install", "--no-cache-dir", *PACKAGES],
        ):
            if subprocess.run(command, stdout=out, stderr=out, check=False).returncode != 0:
                print(f"interop: skipped: PyPI has not what tt-llk's tests import ({log})")
                sys.exit(0)
    ready.touch()
    return python


def imports(python):
    names = "import torch, ttexalens, tt_umd, ml_dtypes, pytest, pytest_forked, pandas, pydantic"
    return subprocess.run([python, "-c", names], capture_output=True, check=False).returncode == 0


def farm(kit, root):
    """The kit as links, with the compiler where the harness looks for it: nothing is written into
    the kit."""
    shutil.rmtree(root, ignore_errors=True)
    inner = root / "tt_metal/tt-llk/tests"
    inner.mkdir(parents=True)
    (root / "ttnn").symlink_to(kit.operators)
    for folder, link, but in (
        (kit.root / "tt_metal", root / "tt_metal", "tt-llk"),
        (kit.llk, root / "tt_metal/tt-llk", "tests"),
        (kit.llk / "tests", inner, "sfpi"),
    ):
        for file in folder.iterdir():
            if file.name != but:
                (link / file.name).symlink_to(file)
    (inner / "sfpi").symlink_to(kit.compiler)
    return root / "tt_metal/tt-llk"


class Ledger:
    """Rows of suite.tsv: test, chip, macros, outcome, why."""

    def __init__(self, path):
        self.rows = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                test, chip, macros, outcome, why = line.split("\t")
                self.rows.append((re.compile(test), chip, macros, outcome, why))

    def host(self):
        return [test.pattern for test, _, _, outcome, _ in self.rows if outcome == "host"]

    def allows(self, test, chip, macros, outcome):
        for pattern, its_chip, its_macros, allowed, why in self.rows:
            if (
                its_chip in ("both", chip)
                and its_macros in ("both", macros)
                and re.fullmatch(allowed, outcome)
                and pattern.fullmatch(test)
            ):
                return why
        return None


def run_pytest(args, kit, python, chip, macros, library, only, name, images):
    """The rows of one run: {test: row}."""
    work = kit.work / f"{chip}-{macros}"
    home = farm(kit, work / "tree")
    out = work / f"{name}.jsonl"
    if args.judge:
        return read_rows(out)
    out.unlink(missing_ok=True)
    ignore = [p[:-4] for p in args.ledger.host() if p.endswith("::.*")]
    plan = {
        "seed": args.seed,
        "sample": args.sample if only is None else 0,
        "candidates": args.sample * CANDIDATES if only is None else 0,
        "match": args.k,
        "files": args.files,
        "only": only,
        "host": args.ledger.host(),
        "ignore": ignore,
        "tests": str(kit.tests),
        "timeout": args.timeout,
        "images": str(images) if images else None,
        "l1": PROGRAM_L1,
        "out": str(out),
    }
    if images:
        images.mkdir(exist_ok=True)
    if only is not None and not args.files:
        names = sorted({test.split("::")[0].split("/")[-1] for test in only})
        plan["files"] = "^(" + "|".join(map(re.escape, names)) + ")$"
    (work / f"{name}.plan").write_text(json.dumps(plan))
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "CHIP_ARCH")}
    environment |= {
        "LLK_HOME": str(home),
        "CHIP_ARCH": CHIPS[chip],
        "RUNNER_TEMP": str(work),
        "TT_METAL_SIMULATOR": str(library),
        "TT_METAL_DISABLE_SFPLOADMACRO": "1" if macros == "off" else "0",
        "SUITE_PLAN": str(work / f"{name}.plan"),
        "PYTHONPATH": str(HERE),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
    }
    command = [
        str(python), "-m", "pytest", "-p", "suite_plugin", "-p", "no:cacheprovider", "-q",
        "-c", str(kit.tests / "pytest.ini"), "--rootdir", str(kit.tests), "-m", MARKERS,
        "--run-simulator", "--forked", f"--timeout={TEST_SECONDS}", str(kit.tests),
    ]  # fmt: skip
    with (work / f"{name}.log").open("w") as log:
        subprocess.run(command, env=environment, cwd=work, stdout=log, stderr=log, check=False)
    if not out.exists():
        print(f"interop: {chip}, SFPLOADMACRO {macros}: no test ran ({work / name}.log)")
        return {}
    return read_rows(out)


def read_rows(file):
    rows = map(json.loads, file.read_text().splitlines()) if file.exists() else []
    return {row["test"]: row for row in rows}


def outcome(row):
    """One word: passed, failed, skipped, xfailed, xpassed, uncompiled, hung."""
    why = row.get("why", "")
    hung = row["outcome"] == "failed" and ("TIMED OUT" in why or "Timeout" in why)
    return "hung" if hung else row["outcome"]


def rules(row):
    """The rules of the findings of a test, each once."""
    rule = re.compile(r" \[([A-Z0-9-]+[0-9A-Z])\](?:;|$)")
    found = [rule.search(text) for text in row.get("findings", [])]
    return sorted({match.group(1) for match in found if match})


def uses_macro(kit, row):
    objdump = kit.compiler / "compiler/bin/riscv-tt-elf-objdump"
    for variant in row.get("variants", []):
        elf = Path(variant["folder"]) / "elf/math.elf"
        text = subprocess.run([objdump, "-d", elf], capture_output=True, text=True, check=False)
        if "sfploadmacro" in text.stdout.lower():
            return True
    return False


def replay(tensix, chip, work, variant):
    """The command that runs a variant of a test without the vendor's harness."""
    elves = Path(variant["folder"]) / "elf"
    words = [str(tensix), "tile", "run", "--arch", chip, "--boot", "b"]
    words += ["--elf", f"b={work / 'tt-llk-build/shared/elf/brisc.elf'}"]
    for core, name in (("t0", "unpack"), ("t1", "math"), ("t2", "pack")):
        words += ["--elf", f"{core}={elves / name}.elf"]
    if "image" in variant:
        words += ["--l1", f"0x20000={variant['image']}"]
    words += ["--poke", "0x1FFC4=3@4000"]
    for mailbox in ("0x1FFB8", "0x1FFBC", "0x1FFC0"):
        words += ["--until", f"{mailbox}=0xFF"]
    return " ".join(words)


def judge(args, kit, chip, macros, rows, other):
    """Prints what is not as it should be; returns (counts, number of outcomes not allowed)."""
    counts = collections.Counter()
    bad = 0
    table = []
    for test in sorted(rows):
        row = rows[test]
        word = outcome(row)
        counts[word] += 1
        notes = [] if word in ("passed", "skipped", "xfailed") else [(word, row.get("why", ""))]
        found = rules(row)
        counts["finding"] += bool(found) and word == "passed"
        if word == "passed":
            notes += [(f"finding {rule}", "") for rule in found]
        theirs = other.get(test)
        if theirs is not None and word in ("passed", "failed"):
            word_there = "refused" if "ERROR" in theirs.get("why", "") else outcome(theirs)
            counts["ttsim ran"] += theirs.get("sha") is not None
            if theirs.get("sha") is not None and row.get("sha") is not None:
                same = theirs["sha"] == row["sha"]
                counts["ttsim equal"] += same
                if not same:
                    notes.append(("differs", f"ttsim {word_there}: {theirs.get('why', '')}"))
        for note, why in notes:
            reason = args.ledger.allows(test, chip, macros, note)
            bad += reason is None
            print(f"{chip} {macros:3} {test}: {note}: {reason or 'NOT ALLOWED: ' + why}")
        table.append((chip, macros, test, word, " ".join(found)))
    work = kit.work / f"{chip}-{macros}"
    with (work / "table.tsv").open("w", encoding="utf-8") as out:
        for line in table:
            out.write("\t".join(line) + "\n")
    with (work / "replay.sh").open("w", encoding="utf-8") as out:
        for test in sorted(rows):
            for variant in rows[test].get("variants", []):
                command = replay(args.build / "tensix", chip, work, variant)
                out.write(f"# {outcome(rows[test])} {test}\n{command}\n")
    return counts, bad


def one_chip(args, kit, python, chip):
    """[(chip, macros, counts, bad)], one after the other."""
    library = (args.build / f"ttsim/{chip}/libtensix-ttsim-{chip}.so").resolve()
    results = []
    only = None
    for macros in ("on", "off"):
        work = kit.work / f"{chip}-{macros}"
        work.mkdir(parents=True, exist_ok=True)
        if macros == "on" and args.macros == "off":
            rows = read_rows(work / "door.jsonl")  # of a run before: which programs have macros
        else:
            images = work / "images" if args.images else None
            rows = run_pytest(args, kit, python, chip, macros, library, only, "door", images)
            other = {}
            if args.ttsim:
                theirs = simulator(args, kit, chip, work)
                ran = [t for t, r in rows.items() if outcome(r) in ("passed", "failed")]
                other = run_pytest(args, kit, python, chip, macros, theirs, ran, "ttsim", None)
            results.append((chip, macros, *judge(args, kit, chip, macros, rows, other)))
        if args.macros == "on":
            break
        only = [t for t, r in rows.items() if uses_macro(kit, r)]
    return results


def simulator(args, kit, chip, work):
    """The vendor's simulator beside the description of a chip, as tt-umd wants it."""
    folder = work / "ttsim"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    library = args.ttsim / f"src/_out/release_{chip}/libttsim.so"
    (folder / f"libttsim_{chip}.so").symlink_to(library.resolve())
    descriptions = kit.root / "tt_metal/soc_descriptors"
    (folder / "soc_descriptor.yaml").symlink_to(descriptions / DESCRIPTIONS[chip])
    return folder / f"libttsim_{chip}.so"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kit", type=Path, required=True)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--ttsim", type=Path)
    parser.add_argument("--chip", choices=sorted(CHIPS))
    parser.add_argument("--macros", choices=("on", "off"))
    parser.add_argument("--judge", action="store_true", help="of what has run before")
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--seed", type=int, default=30)
    parser.add_argument("-k", default="", help="regular expression: tests to run")
    parser.add_argument("--files", default="", help="regular expression: test files to read")
    parser.add_argument("--timeout", type=int, default=300, help="seconds until a test has hung")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--images", action="store_true", help="keep L1 of each test for replays")
    parser.add_argument("--python", help="a Python 3.12; the first found otherwise")
    args = parser.parse_args()
    args.build = args.build.resolve()
    args.ledger = Ledger(HERE / "suite.tsv")
    kit = Kit(args.kit.resolve())
    python = python_with_tests(kit, args.python)
    chips = [args.chip] if args.chip else sorted(CHIPS)
    with ThreadPoolExecutor(max(1, min(args.jobs, len(chips)))) as pool:
        done = list(pool.map(lambda chip: one_chip(args, kit, python, chip), chips))
    columns = ("passed", "failed", "uncompiled", "hung", "skipped", "xfailed", "xpassed")
    more = ("finding", "ttsim ran", "ttsim equal")
    print("\t".join(("chip", "SFPLOADMACRO", "tests", *columns, *more)))
    bad = 0
    for chip, macros, counts, wrong in (result for results in done for result in results):
        ran = sum(counts[c] for c in columns)
        print("\t".join(map(str, (chip, macros, ran, *(counts[c] for c in columns + more)))))
        bad += wrong or not ran
    print(f"interop: tt-llk's tests: {bad} not allowed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
