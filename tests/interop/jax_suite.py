# SPDX-License-Identifier: Apache-2.0
"""Unmodified JAX with the vendor's plugin under `tensix card`: jax_programs.py on a p150a.

jax_suite.py --kit DIR [--build DIR] [--ttsim DIR] [--dispatch slow|fast] [--only REGEX]
             [--seconds N] [--python PROGRAM] [--untimed]

The kit is the vendor's: DIR/jax is the unpacked plugin, with its own compiler. JAX itself is
installed from PyPI into DIR/jaxvenv (a Python 3.11 or newer; --python names one). With --ttsim, a
built checkout of tenstorrent/ttsim, the same programs run on that simulator behind the card, too
(tensix card --door), and results are compared byte by byte. SFPLOADMACRO stays enabled.
jax_suite.tsv beside this file has the outcomes that are not "passed" and are allowed, each with its
reason. It prints a table; status 1: something else happened.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from pythons import python_of

HERE = Path(__file__).resolve().parent
JAX = "jax==0.10.2"


def environment_with_jax(kit, given):
    """The Python of DIR/jaxvenv, made at the first call; None where that is not possible."""
    python = kit / "jaxvenv/bin/python"
    if not python.exists():
        base = python_of(given, ((3, 13), (3, 12), (3, 11)))
        if base is None:
            return None
        subprocess.run([base, "-m", "venv", kit / "jaxvenv"], check=True)
    if subprocess.run([python, "-c", "import jax"], check=False, capture_output=True).returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", JAX], check=True)
    return python


def program_names():
    text = (HERE / "jax_programs.py").read_text()
    return re.findall(r'^(?:elementwise|@program)\("(\w+)"', text, re.M)


def allowed_outcomes():
    rows = {}
    for line in (HERE / "jax_suite.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            dispatch, name, why = line.split("\t")
            rows[dispatch, name] = why
    return rows


def run(python, out, dispatch, options, given):
    """Runs the programs; one that ends the process is left out, and the others go on."""
    environment = dict(os.environ, PYTHONPATH=str(given.kit / "jax"), TT_METAL_LOGGER_LEVEL="ERROR")
    if dispatch == "slow":
        environment["TT_METAL_SLOW_DISPATCH_MODE"] = "1"
    results = {}
    left = [n for n in program_names() if re.search(given.only, n)]
    while left:
        command = [given.build / "tensix", "card", *options, "--", python,
                   HERE / "jax_programs.py", "^(" + "|".join(left) + ")$", "--out", out]
        with out.with_suffix(".log").open("a") as errors:
            process = subprocess.Popen(command, env=environment, cwd=out.parent, text=True,
                                       stdout=subprocess.PIPE, stderr=errors)
            try:
                said, _ = process.communicate(timeout=given.seconds)
                ended = f"the process ended with status {process.returncode}"
            except subprocess.TimeoutExpired:
                process.terminate()
                said, _ = process.communicate()
                ended = f"no end within {given.seconds} s"
        lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        for line in lines:
            if "name" in line:
                results[line["name"]] = line
                left.remove(line["name"])
            elif "device" in line:
                print(f"  {line['device']} opened in {line['seconds']:.1f} s")
        if left:
            log = out.with_suffix(".log").read_text(errors="replace")
            text = f"{ended}: {last_line(said) or last_line(log)}"
            results[left[0]] = {"name": left[0], "outcome": "error", "text": text, "seconds": 0}
            del left[0]
            if not lines:
                break  # not even the device opens
    for name in left:
        results[name] = {"name": name, "outcome": "error", "text": "not reached", "seconds": 0}
    return results


def last_line(text):
    """What the programs, or the library behind the card, have said last."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("{")]
    return lines[-1][:160] if lines else ""


def same_bytes(ours, theirs, name, there):
    """Whether the results are equal; where one is missing, what the simulator did instead."""
    a, b = ours / f"{name}.npy", theirs / f"{name}.npy"
    if not a.exists() or not b.exists():
        return f"not compared, there it {there.get('outcome')}: {there.get('text')}"
    return "yes" if a.read_bytes() == b.read_bytes() else "no"


def table(dispatch, results, ours, theirs, allowed):
    """Prints it. "theirs": the folder of the simulator's results, and what its programs did."""
    counts = collections.Counter(line["outcome"] for line in results.values())
    bad = 0
    print(f"Blackhole, {dispatch} dispatch: {dict(counts)}")
    for name, line in results.items():
        why = allowed.get((dispatch, name)) or allowed.get(("*", name))
        text = line.get("text") or f"error {line['error']:.2g} of {line['allowed']:.2g}"
        equal = same_bytes(ours, theirs[0], name, theirs[1].get(name, {})) if theirs else "-"
        wrong = line["outcome"] != "passed" or equal == "no"
        bad += wrong and why is None
        print(f"  {name:12} {line['outcome']:7} {line['seconds']:6.1f} s  {text}"
              + (f"  as the vendor's simulator: {equal}" if theirs else "")
              + (f"  ({why})" if wrong and why else ""))
    return bad


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--kit", type=Path, required=True)
    arguments.add_argument("--build", type=Path, default=Path("build"))
    arguments.add_argument("--ttsim", type=Path)
    arguments.add_argument("--dispatch", choices=("slow", "fast"))
    arguments.add_argument("--only", default=".")
    arguments.add_argument("--seconds", type=int, default=3600)
    arguments.add_argument("--python")
    arguments.add_argument("--untimed", action="store_true")
    given = arguments.parse_args()
    given.kit, given.build = given.kit.resolve(), given.build.resolve()
    if not (given.kit / "jax").is_dir() or not (given.build / "libtensix-card.so").exists():
        print("interop: JAX is skipped: the kit has no jax, or the build has no libtensix-card.so")
        return 0
    python = environment_with_jax(given.kit, given.python)
    if python is None:
        print("interop: skipped: JAX's programs need a Python 3.11 or newer")
        return 0
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        for dispatch in [given.dispatch] if given.dispatch else ("slow", "fast"):
            ours = Path(work) / f"{dispatch}-ours"
            results = run(python, ours, dispatch, ["--untimed"] if given.untimed else [], given)
            theirs = None
            if given.ttsim:
                library = given.ttsim.resolve() / "src/_out/release_bh/libttsim.so"
                there = Path(work) / f"{dispatch}-theirs"
                theirs = there, run(python, there, dispatch, ["--door", library], given)
            bad += table(dispatch, results, ours, theirs, allowed_outcomes())
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
