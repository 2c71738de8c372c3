# SPDX-License-Identifier: Apache-2.0
"""What the command's options are called in Python: cli/commands.def against the signatures.

An option of a command is a parameter of the function of the same name, or stands in OTHERWISE: with
the parameter that takes it, or with why Python has none. A new option fails until it does.
"""

import importlib
import inspect
import re
from pathlib import Path
from typing import Any, Dict, List, Mapping

import pytest

TABLE = Path(__file__).resolve().parents[2] / "cli" / "commands.def"
FUNCTIONS = {"compare": "compare", "convert": "files.convert", "diff": "files.diff",
             "eval": "evaluate", "expand": "expand", "explain": "explain", "fit": "fit",
             "isa": "isa", "lint": "lint", "map": "dst_map", "race": "race", "run": "run",
             "schedule": "schedule", "sweep": "sweep", "trace": "trace"}
# Of any command.
ALWAYS = {
    "no_progress": "progress",
    "rule": "rules",
    "hex": "Program.from_words",
    "start": "the state of a Kernel's machine",
    "out": "what the function returns",
    "evidence": "what the result has",
    "time": "seconds, or a progress that returns False",
    "max_cycles": "Kernel",
    "set": "config",
    "l1": "run_l1", "l1_out": "run_l1",
    "elf": "run_tile", "poke": "run_tile", "boot": "run_tile", "until": "run_tile",
    "untimed": "run_tile",
}
OTHERWISE: Dict[str, Dict[str, str]] = {
    "convert": {"from": "**options", "routes": "formats.conversions",
                "transpose_faces": "the command alone",
                "transpose_within_face": "the command alone", "twos_complement": "**options",
                "shared_exp": "**options", "shape": "**options", "tile": "**options"},
    "diff": {"format": "**options", "shape": "**options", "tile": "**options",
             "twos_complement": "**options"},
    "eval": {"lanes": "arrays"},
    "fit": {"form": "form()", "budget": "form()", "without": "without_flushed", "pin": "pins",
            "resume": "state", "front": "the command alone", "error": "the command alone",
            "html": "the command alone"},
    "race": {"all": "each race has it", "every": "each race has it", "delays": "the command alone",
             "known": "the command alone"},
    "run": {"in": "arrays", "shape": "an array's own", "raw": "payload", "reference": "sweep",
            "compare": "numpy", "cycles": "cycles", "profile": "profile", "pace": "progress",
            "races": "race", "gaps": "find_gaps", "budget": "find_gaps", "shadow": "shadow",
            "element": "shadow", "tile": "shadow", "worst": "sweep", "threads": "jobs"},
    "schedule": {"reserve": "templates, sequences, registers, keep_dst"},
    "sweep": {"csv": "what the result has", "points": "what the result has", "yaml": "budget",
              "plot": "what the result has", "resume": "state"},
    "trace": {"in": "inputs", "cycles": "first, end", "sources": "the command alone",
              "dst": "form", "chrome": "form", "konata": "form", "html": "form", "seed": "Kernel",
              "thread": "Kernel"},
}


def options() -> Dict[str, List[str]]:
    """The options of each command's rows."""
    found: Dict[str, List[str]] = {}
    row = re.compile(r"^(OPTION|FIELD|LISTS|CALLS|TAKE|TAKE_AS)\((\w+), (.*)$", re.MULTILINE)
    for kind, command, rest in row.findall(TABLE.read_text(encoding="utf-8")):
        words = [word.strip() for word in rest.split(",")]
        number = {"TAKE": 1, "TAKE_AS": 2}.get(kind, 0)
        found.setdefault(command, []).append(words[number])
    return found


def parameters(command: str) -> Mapping[str, Any]:
    *module, name = FUNCTIONS[command].split(".")
    home = importlib.import_module(".".join(["tensix", *module]))
    return inspect.signature(getattr(home, name)).parameters


@pytest.mark.parametrize("command", sorted(FUNCTIONS))
def test_options(command: str) -> None:
    taken = parameters(command)
    said = {**ALWAYS, **OTHERWISE.get(command, {})}
    given = options().get(command, [])
    missing = [name for name in given if name not in taken and name not in said]
    assert not missing, f"{FUNCTIONS[command]}() has no {', '.join(missing)}, and no reason"


def test_reasons_are_needed() -> None:
    have = options()
    for command, reasons in OTHERWISE.items():
        taken = parameters(command)
        for name in reasons:
            assert name in have[command], f"{command} has no --{name}"
            assert name not in taken, f"{FUNCTIONS[command]}() has {name} itself"
    for name in ALWAYS:
        assert any(name in have.get(command, []) for command in FUNCTIONS), name
