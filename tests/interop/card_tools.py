# SPDX-License-Identifier: Apache-2.0
"""Tools of PyPI under `tensix card`: card_tools.py --work DIR [--build DIR] [--python PROGRAM]

Each tool gets an environment of its own in DIR, made at the first call. What it says of the card
is compared with what the product is, or with what it has written itself. It prints a table of what
works; status 1: something does not.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

from pythons import python_of

TOOLS = {
    "tt-smi": ["tt-smi==6.8.0"],
    "tt-exalens": ["tt-exalens==0.4.2"],
    "pyluwen": ["pyluwen==0.10.0"],
    "tt-burnin": ["tt-burnin==0.4.4", "pyluwen==0.9.0"],
}
CHIPS = {
    "bh": {"product": "p150a", "board": "p150a", "clock": 1350},
    "wh": {"product": "n150", "board": "n150", "clock": 1000},
}
PROBE = """
import pyluwen
chips = pyluwen.detect_chips()
one = chips[0]
telemetry = one.get_telemetry()
kinds = [n for n in ("bh", "wh") if getattr(one, "as_" + n)() is not None]
print(len(chips), kinds[0], "%x" % telemetry.board_id)
"""
WORDS = "wxy 1,2 0x100 0x1234abcd;brxy 1,2 0x100;exit"


def environment(work, tool, base):
    """The bin folder of a tool's environment, or a sentence why there is none."""
    folder = work / tool
    if not (folder / "ready").exists():
        subprocess.run([base, "-m", "venv", folder], check=True)
        done = subprocess.run(
            [folder / "bin/python", "-m", "pip", "install", "-q", *TOOLS[tool]],
            check=False, capture_output=True, text=True)
        if done.returncode != 0:
            return None, (done.stderr.strip().splitlines() or ["pip failed"])[-1][:160]
        (folder / "ready").touch()
    return folder / "bin", ""


class Cards:
    """A card for one command after the other."""

    def __init__(self, build, arch, work):
        self.tensix, self.arch, self.work = build / "tensix", arch, work

    def run(self, *command, seconds=600, chips=1):
        product = CHIPS[self.arch]["product"]
        card = [self.tensix, "card", "--arch", self.arch, "--product", product]
        card += ["--chips", str(chips)] if chips != 1 else []
        done = subprocess.run([*card, "--", *command], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=seconds,
                              cwd=self.work)
        return done.returncode, done.stdout + done.stderr


def smi_lists(cards, tools):
    status, said = cards.run(tools / "tt-smi", "-ls")
    return status == 0 and CHIPS[cards.arch]["board"] in said.lower(), said


def smi_tells(cards, tools):
    status, said = cards.run(tools / "tt-smi", "-s")
    if status != 0 or "{" not in said:
        return False, said
    card = json.JSONDecoder().raw_decode(said[said.index("{"):])[0]["device_info"][0]
    board = card["board_info"]
    telemetry = card["telemetry"]
    good = (CHIPS[cards.arch]["board"] in board["board_type"].lower()
            and board["bus_id"] == "0000:aa:00.0"
            and float(telemetry["aiclk"]) == CHIPS[cards.arch]["clock"]
            and (cards.arch == "wh" or 0 < float(telemetry["asic_temperature"]) < 110))
    return good, said


def smi_resets(cards, tools):
    status, said = cards.run(tools / "tt-smi", "-r", "0")
    return status == 0 and "error" not in said.lower(), said


def exalens_reads(cards, tools):
    status, said = cards.run(tools / "tt-exalens", "--commands", WORDS, "--test")
    return status == 0 and re.search(r"0x00000100:?\s+(0x)?1234abcd", said, re.I) is not None, said


def exalens_grid(cards, tools):
    status, said = cards.run(tools / "tt-exalens", "--commands", "device;exit", "--test", chips=2)
    return status == 0 and "device 1" in said.lower() and "worker" in said.lower(), said


def luwen_reads(cards, tools):
    status, said = cards.run(tools / "python", "-c", PROBE)
    return status == 0 and re.search(rf"^1 {cards.arch} [0-9a-f]+$", said, re.M) is not None, said


def burnin_ends(cards, tools):
    """Enter ends it, some time after its kernels were loaded and checked."""
    status, said = cards.run("sh", "-c", f"(sleep 45; echo) | {tools / 'tt-burnin'}")
    return status == 0 and "Reset successfully completed" in said and "Error" not in said, said


ROWS = [
    ("tt-smi", "-ls", smi_lists, "the card is listed as its product"),
    ("tt-smi", "-s", smi_tells, "board, bus and telemetry"),
    ("tt-smi", "-r 0", smi_resets, "the card is reset"),
    ("tt-exalens", "wxy, brxy", exalens_reads, "a word of L1 is as written"),
    ("tt-exalens", "device", exalens_grid, "the grid of two cards"),
    ("pyluwen", "detect_chips, telemetry", luwen_reads, "one chip, its telemetry"),
    ("tt-burnin", "", burnin_ends, "loads and checks its kernels, shows telemetry, ends"),
]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--work", type=Path, required=True)
    arguments.add_argument("--build", type=Path, default=Path("build"))
    arguments.add_argument("--python")
    arguments.add_argument("--only", default=".")
    given = arguments.parse_args()
    base = python_of(given.python, ((3, 12), (3, 11)))
    if base is None or not (given.build / "libtensix-card.so").exists():
        print("interop: tools are skipped: no Python 3.11 or 3.12, or no libtensix-card.so")
        return 0
    given.work.mkdir(parents=True, exist_ok=True)
    bad = 0
    for tool, options, look, what in ROWS:
        if not re.search(given.only, tool):
            continue
        tools, why = environment(given.work.resolve(), tool, base)
        for arch, chip in CHIPS.items():
            good, said = (False, why) if tools is None else look(
                Cards(given.build.resolve(), arch, given.work.resolve()), tools)
            name = " ".join([TOOLS[tool][0].replace("==", " "), options]).strip()
            print(f"  {name:40} {chip['product']:6} {'works' if good else 'FAILS':6} {what}",
                  flush=True)
            if not good:
                print("\n".join("    " + line[:160] for line in said.splitlines()[-12:]))
            bad += not good
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
