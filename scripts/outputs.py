#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the command prints, before and after: outputs.py BEFORE AFTER [--part N/M] [--keep DIR]

BEFORE and AFTER are two builds of the command. Every command line that the documentation shows, and
every subcommand over the examples and the test kernels, runs with both in directories of their own;
status, standard output, standard error and the files they leave are compared. What differs is
printed, and exit status 1 says so. A change that is to leave behaviour alone is checked with it.
"""
import argparse
import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import run_docs  # noqa: E402

PAGES = ["README.md", "docs/cli.md", "docs/kernels.md", "docs/recording.md", "docs/walks.md"]
CHIPS = ("bh", "wh")
# What differs from one run to the next: days, seconds, rates, addresses of processes, versions.
NOISE = [
    (re.compile(r"\b20\d\d-\d\d-\d\d\b"), "DAY"),
    (re.compile(r"\b\d+(\.\d+)?(e[-+]?\d+)? ?(s|ms|us|seconds)\b"), "TIME"),
    (re.compile(r"[\d.]+ (million|M|k)?\S*/s\b"), "RATE"),
    (re.compile(r"tensix record[^\n]* --cache \S+"), "RECORD"),
]


def documented():
    """One shell script a page: files it names, then its commands, each between marks."""
    for page in PAGES:
        script = []
        for _, name, lines in run_docs.blocks(str(ROOT / page)):
            if name is not None:
                text = "\n".join(lines)
                script.append(f"cat >{shlex.quote(name)} <<'EOFILE'\n{text}\nEOFILE")
                continue
            for at, command, _ in run_docs.commands(0, lines):
                if "bench" not in command and "pytest" not in command and "cmake" not in command:
                    script.append(f"echo '== {page}:{at}'; {command}")
        yield "\n".join(script)


def kernels():
    for folder in ("examples/kernels", "examples/kernels/macro", "examples/blame", "tests/lint"):
        for path in sorted((ROOT / folder).glob("*.s")):
            text = path.read_text(encoding="utf-8")
            stated = re.search(r"^\.arch +(\S+)", text, re.MULTILINE)
            for chip in CHIPS:
                if stated is None or stated.group(1)[:1] == chip[:1]:
                    yield str(path.relative_to(ROOT)), chip, folder


def over_kernels():
    """One script for each kernel and chip."""
    for path, chip, folder in kernels():
        k = f"{path} --arch {chip}"
        lines = [f"tensix lint {k}", f"tensix lint {k} --json", f"tensix asm {k}",
                 f"tensix asm {k} -o w.hex && tensix dis w.hex --arch {chip}",
                 f"tensix trace {k}", f"tensix trace {k} --json | head -c 200000",
                 f"tensix expand {k}", f"tensix map {k}",
                 f"tensix trace {k} --html t.html --chrome c.json --konata k.log >/dev/null",
                 "cksum t.html c.json k.log"]
        if folder != "tests/lint":
            lines += [f"tensix run {k} --cycles", f"tensix run {k} --cycles --json",
                      f"tensix sweep {k} --stride 211 --no-progress",
                      f"tensix sweep {k} --stride 997 --no-progress --json --engine reference",
                      f"tensix sweep {k} --stride 331 --no-progress --blame --yaml y --csv c "
                      f"--points p >/dev/null; cat y c p"]
        yield "\n".join(f"echo '== {n}'; {line}" for n, line in enumerate(lines))


def over_chips():
    for chip in CHIPS:
        yield (f"tensix isa --arch {chip}; tensix isa --arch {chip} --json; "
               f"for name in $(tensix isa --arch {chip} | awk '{{print $1}}' | sort -u); do "
               f"tensix explain --arch {chip} $name; "
               f"tensix explain --arch {chip} $name --json; done")
        yield f"tensix map --arch {chip}; tensix map --arch {chip} --json"
        for a, b in itertools.product(
                ("sfpmad L4,L1,L2,L3,0", "sfpswap L1,L2,1", "sfpadd L0,L1,L2"),
                ("", " --json", " --lanes all")):
            yield f"tensix eval --arch {chip} '{a}' L1=1.5 L2=2 L3=-0x3f800000{b}"
    yield "tensix convert --routes; tensix convert --routes --json"
    for word in ("sfpmda", "--nothing", "run", "run nothing.s", "sweep x --domain y", "lint",
                 "check nothing.jsonl", "convert a.npy b.npy", "tile run", "help", "--version"):
        yield f"tensix {word}; tensix --json {word}"
    for command in ("run bench asm convert diff dis check eval explain isa map compare record "
                    "sweep tile trace lint expand").split():
        yield f"tensix {command} --help"
    for path in sorted((ROOT / "examples/tiles").glob("*.s")):
        name = path.relative_to(ROOT)
        yield (f"tensix lint {name} --arch bh; tensix trace {name} --arch bh | tail -5; "
               f"tensix asm {name} --arch wh | tail -3")


def run(tensix, script):
    with tempfile.TemporaryDirectory() as work:
        tools = Path(work, "bin")
        tools.mkdir()
        Path(tools, "tensix").symlink_to(tensix)
        here = Path(work, "here")
        here.mkdir()
        for name in ("examples", "tests"):
            Path(here, name).symlink_to(ROOT / name)
        environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", LC_ALL="C",
                           TENSIX_CACHE=str(Path(work, "cache")), HOME=work)
        done = subprocess.run(["bash", "-c", script], cwd=here, env=environment, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        text = done.stdout.decode(errors="replace").replace(work, "WORK")
        for pattern, word in NOISE:
            text = pattern.sub(word, text)
        left = sorted(str(p.relative_to(here)) for p in here.rglob("*") if p.is_file())
        return f"{text}\nstatus {done.returncode}\nfiles {left}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--part", default="0/1", help="every Mth script from the Nth on")
    parser.add_argument("--keep", type=Path, help="a folder for what differs")
    arguments = parser.parse_args()
    first, step = (int(n) for n in arguments.part.split("/"))
    scripts = list(itertools.chain(documented(), over_chips(), over_kernels()))[first::step]
    pair = [arguments.before.resolve(), arguments.after.resolve()]
    different = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda s: (s, [run(t, s) for t in pair]), scripts)
        for number, (script, (a, b)) in enumerate(results):
            if a == b:
                continue
            different += 1
            print(f"-- {script[:300]}")
            for x, y in itertools.zip_longest(a.split("\n"), b.split("\n"), fillvalue=""):
                if x != y:
                    print(f"  before {x[:200]}\n  after  {y[:200]}")
                    break
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                Path(arguments.keep, f"{number}.before").write_text(a, encoding="utf-8")
                Path(arguments.keep, f"{number}.after").write_text(b, encoding="utf-8")
    print(f"{len(scripts)} scripts, {different} print something else")
    return 1 if different or not scripts else 0


if __name__ == "__main__":
    sys.exit(main())
