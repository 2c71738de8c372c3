#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kit_data.py TENSIX FOLDER [--check]

Writes what the kit (kit/tensix_kit) takes from this project into FOLDER: one file a chip, bh.json
and wh.json, with the encodings of instructions, the places of configuration fields, the words of
kit/harness/frame.s as `tensix asm` makes them, and the program kit/harness/runner.c as `tensix cc`
makes it. Nothing in them is copied by hand. --check writes nothing and fails where FOLDER has
something else.
"""

import argparse
import functools
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HARNESS = ROOT / "kit" / "harness"
EXPERIMENTS = ROOT / "kit" / "experiments"
KEYS = {
    "text",
    "about",
    "rule",
    "chips",
    "by",
    "first",
    "data",
    "load",
    "seed",
    "clock",
    "core",
    "danger",
}
RULES = "isa/rules.def"
THREADS = ("unpack", "math", "pack")


@functools.lru_cache(maxsize=None)
def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def segments(path):
    """The parts of an ELF file that go to memory, as address and bytes in hex."""
    data = path.read_bytes()
    (start,) = struct.unpack_from("<I", data, 24)
    (at,) = struct.unpack_from("<I", data, 28)
    size, count = struct.unpack_from("<HH", data, 42)
    parts = []
    for n in range(count):
        kind, offset, _, physical, length = struct.unpack_from("<5I", data, at + n * size)
        if kind == 1 and length:
            body = data[offset : offset + length]
            parts.append([physical, (body + bytes(-len(body) % 4)).hex()])
    return {"start": start, "parts": parts}


# Wormhole's offsets of the packers in Dst. The vendor's simulator has them, but no RMWCIB that
# changes them: whole words go there by way of a GPR that nothing else uses.
WHOLE, RMWCIB, GPR = range(152, 156), range(0xB3, 0xB7), 60


def whole_words(tensix, chip, words):
    """The words with each run of RMWCIB to one of those as a WRCFG; bits not named are zero."""
    found, at = [], 0
    while at < len(words):
        place, value = words[at] & 0xFF, 0
        if words[at] >> 24 not in RMWCIB or place not in WHOLE:
            found.append(words[at])
            at += 1
            continue
        while at < len(words) and words[at] >> 24 in RMWCIB and words[at] & 0xFF == place:
            byte = words[at] >> 16 & words[at] >> 8 & 0xFF
            value |= byte << 8 * ((words[at] >> 24) - RMWCIB[0])
            at += 1
        found += write_whole(tensix, chip, place, value)
    return found


@functools.lru_cache(maxsize=None)
def write_whole(tensix, chip, place, value):
    text = f""".title "A word of the configuration"
.tile
    ttsetdmareg {value >> 14 & 3}, {value & 0x3FFF}, 0, {2 * GPR}
    ttsetdmareg {value >> 30}, {value >> 16 & 0x3FFF}, 0, {2 * GPR + 1}
    TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::THCON)
    ttwrcfg {GPR}, 0, {place}
"""
    return assembled(tensix, chip, text, "whole")["tile1"]


def assembled(tensix, chip, text, name):
    """The words of a source: part and thread to a list of words."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"{name}.s"
        source.write_text(text)
        tile = ROOT / "examples" / "tiles" / "tile.inc"
        (Path(folder) / "tile.inc").write_text(tile.read_text())
        out = json.loads(run(tensix, "asm", str(source), "--arch", chip, "--json"))
    for part in ("init", "tile"):
        for entry in out[part]:
            found.setdefault(f"{part}{entry.get('thread', 1)}", []).append(int(entry["word"], 16))
    if chip == "wh":
        found = {key: whole_words(tensix, chip, words) for key, words in found.items()}
    return found


def frame(tensix, chip):
    return assembled(tensix, chip, (HARNESS / "frame.s").read_text(), "frame")


def parts_of(path):
    """The experiments of a file: what all share, then keys and text of each."""
    shared, *rest = path.read_text().split("#@ question ")
    for one in rest:
        name, _, body = one.partition("\n")
        keys = {}
        for line in body.splitlines():
            if line.startswith("#@ "):
                key, _, value = line[3:].partition(" ")
                if key not in KEYS:
                    raise ValueError(f"{path.name}: {name}: {key} is no key")
                keys.setdefault(key, []).append(value)
        yield name, keys, shared + "\n" + body


def experiments(tensix, chip):
    found = []
    for path in sorted(EXPERIMENTS.glob("*.s")):
        for name, keys, text in parts_of(path):
            if chip in keys.get("chips", ["bh wh"])[0].split():
                words = assembled(tensix, chip, text, name)
                found.append({"name": f"{path.stem}/{name}", "keys": keys, "words": words})
    return found


def runner(tensix, chip):
    with tempfile.TemporaryDirectory() as folder:
        run(tensix, "cc", "--arch", chip, str(HARNESS / "runner.c"), "-o", folder)
        return [segments(Path(folder) / f"{name}.elf") for name in THREADS]


def tables(tensix, name):
    chip = json.loads(run(tensix, "isa", "--json"))["archs"][name]
    words = {}
    for one in chip["instructions"]:
        fields = [[f["name"], f["lsb"], f["width"]] for f in one["fields"]]
        words[one["macro"]] = [one["opcode"], fields]
    modes = {}
    for row in chip["rows"]:
        modes.setdefault(row["mnemonic"], set()).update(row["legal_modes"])
    keys = ("kind", "word", "lsb", "width")
    config = {f["name"]: [f[k] for k in keys] for f in chip["config"]}
    return words, config, {n: sorted(m) for n, m in modes.items()}


def evidence(tensix):
    """Who says what, by id, and the table of rules as it stands."""
    rows = json.loads(run(tensix, "isa", "--json"))["evidence"]
    return {row["id"]: [row["text"], row["source"]] for row in rows}


def make(tensix, chip, name):
    words, config, modes = tables(tensix, name)
    data = {
        "written_by": "scripts/kit_data.py",
        "chip": chip,
        "instructions": words,
        "config": config,
        "modes": modes,
        "frame": frame(tensix, chip),
        "runner": runner(tensix, chip),
        "experiments": experiments(tensix, chip),
        "evidence": evidence(tensix),
        "tables": {RULES: (ROOT / RULES).read_text()},
    }
    return json.dumps(data, sort_keys=True, separators=(",", ":")) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    parser.add_argument("tensix")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    wrong = 0
    for chip, name in (("bh", "blackhole"), ("wh", "wormhole_b0")):
        text = make(given.tensix, chip, name)
        path = given.folder / f"{chip}.json"
        if given.check:
            if not path.is_file() or path.read_text() != text:
                print(f"kit_data: {path} is not what this tensix gives", file=sys.stderr)
                wrong = 1
        else:
            given.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
