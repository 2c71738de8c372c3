# SPDX-License-Identifier: Apache-2.0
"""Conformance vectors: state before, program, state after, one JSON object a line.

The format is that of "tensix check" (docs/cli.md). This runner is written for itself, on Machine.
"""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

import numpy as np

from .arrays import words_of
from .errors import Deadlock, Fault
from .machine import Machine

PathLike = Union[str, "os.PathLike[str]"]
_KEYS = {
    "name", "arch", "thread", "format", "programs", "program", "gaps", "initial", "final",
    "cycles", "issue_cycles", "fault", "source",
}
_RWC = ("dst", "dst_cr", "srca", "srca_cr", "srcb", "srcb_cr", "fidelity")
_PLAIN = {  # key: file, values
    "lane_flags": ("LANE_FLAGS", 1), "use_lane_flags": ("USE_LANE_FLAGS", 1), "prng": ("PRNG", 32),
    "lane_config": ("LANE_CONFIG", 8), "shift_latch": ("SHIFT_LATCH", 32),
}
_ROWS = {"gpr": ("GPR", 64), "replay": ("REPLAY", 32)}  # one value a row, by thread
_STATE = {
    *_PLAIN, *_ROWS, "lreg", "flag_stack", "macro", "dst", "dst_valid", "rwc", "config", "sem"
}


class VectorError(ValueError):
    """A vector that is none."""


@dataclass(frozen=True)
class Failure:
    """A vector that does not hold."""

    file: str
    line: int
    name: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name}: {self.message}"


@dataclass
class Report:
    passed: int = 0
    failures: List[Failure] = field(default_factory=list)

    @property
    def failed(self) -> int:
        return len(self.failures)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.failures), f"{self.passed} passed, {self.failed} failed"])


def _hex(text: Any, count: int, digits: int, what: str) -> np.ndarray:
    good = isinstance(text, str) and len(text) == count * digits
    if not good or not all(c in "0123456789abcdefABCDEF" for c in text):
        raise VectorError(f"{what} is not {count * digits} hex digits")
    return np.array(
        [int(text[i : i + digits], 16) for i in range(0, len(text), digits)], np.uint32
    )


def _only(value: Dict[str, Any], known: Iterable[str], what: str) -> None:
    for key in value:
        if key not in known:
            raise VectorError(f"{what}: unknown key '{key}'")


def _index(key: str, most: int, what: str) -> int:
    if not (key.isascii() and key.isdigit() and str(int(key)) == key and int(key) <= most):
        raise VectorError(f"{what} '{key}' is none of 0..{most}")
    return int(key)


_Place = Tuple[str, int, np.ndarray, str]  # file, index, values, its name in messages


def _macro(macro: Dict[str, Any], what: str) -> Iterator[_Place]:
    _only(macro, ("template", "sequence", "misc"), f"{what} macro")
    for key in ("template", "sequence"):
        words = macro.get(key, [])
        if key in macro and len(words) != 4:
            raise VectorError(f"{what}: macro {key} is not a list of 4 words")
        for i, word in enumerate(words):
            name = f"macro {key} {i}"
            yield f"MACRO_{key}".upper(), i, np.repeat(_hex(word, 1, 8, name), 32), name
    if "misc" in macro:
        yield "MACRO_MISC", 0, np.repeat(_hex(macro["misc"], 1, 8, "macro misc"), 32), "macro misc"


def _stack(entries: List[Any]) -> Iterator[_Place]:
    if not isinstance(entries, list) or len(entries) > 8:
        raise VectorError("flag_stack is not a list of at most 8")
    depth = np.full(32, len(entries), np.uint32)
    yield "STACK_DEPTH", 0, depth, "flag_stack depth"
    for i, pair in enumerate(entries):
        values = np.concatenate([_hex(part, 1, 8, "flag_stack") for part in pair])
        yield "FLAG_STACK", i, values, f"flag_stack entry {i}"


def _dst(state: Dict[str, Any]) -> Iterator[_Place]:
    if "dst" in state:
        rows = {_index(k, 1023, "dst row"): v for k, v in state["dst"].items()}
        for row in range(1024):
            cells = np.zeros(16, np.uint32)
            if row in rows:
                cells = _hex(rows[row], 16, 4, f"dst row {row}")
            yield "DST", row, cells, f"dst row {row}"
    if "dst_valid" in state:
        digits = _hex(state["dst_valid"], 256, 1, "dst_valid")[::-1]
        for row in range(1024):
            bit = np.array([digits[row // 4] >> row % 4 & 1], np.uint32)
            yield "DST_VALID", row, bit, f"dst_valid row {row}"


def _places(state: Dict[str, Any], thread: int, what: str) -> Iterator[_Place]:
    """Everything a state object says, as rows of register files; config and rwc aside."""
    _only(state, _STATE, what)
    for key, (file, count) in _PLAIN.items():
        if key in state:
            yield file, 0, _hex(state[key], count, 8, key), key
    for key, lanes in state.get("lreg", {}).items():
        index = _index(key, 16, "lreg")
        yield "LREG", index, _hex(lanes, 32, 8, f"lreg {key}"), f"lreg {key}"
    if "flag_stack" in state:
        yield from _stack(state["flag_stack"])
    yield from _macro(state.get("macro", {}), what)
    yield from _dst(state)
    for key, (file, count) in _ROWS.items():
        if key in state:
            for i, value in enumerate(_hex(state[key], count, 8, key)):
                yield file, i + count * thread, np.array([value]), f"{key} {i}"
    for i, pair in enumerate(state.get("sem", [])):
        yield "SEMAPHORE", i, words_of(np.array(pair), f"sem {i}", 2), f"sem {i}"


def _set(machine: Machine, state: Dict[str, Any], thread: int) -> None:
    # Configuration first: seeding through it must not undo what prng states.
    for name, value in state.get("config", {}).items():
        machine.set_config(name, value, thread)
    for file, index, values, name in _places(state, thread, "initial"):
        if file == "LREG" and index in (8, 9, 10, 15):  # constants
            if not np.array_equal(machine.read(file, index), values):
                raise VectorError(f"initial: {name} cannot be set")
        else:
            machine.write(file, index, values)
    if "rwc" in state:
        counters = machine.read("RWC", thread)
        _only(state["rwc"], _RWC, "initial rwc")
        for key, value in state["rwc"].items():
            counters[_RWC.index(key)] = value
        machine.write("RWC", thread, counters)


def _difference(machine: Machine, state: Dict[str, Any], thread: int) -> Optional[str]:
    for file, index, values, name in _places(state, thread, "final"):
        got = machine.read(file, index)
        if not np.array_equal(got, values):
            at = int(np.flatnonzero(got != values)[0])
            return f"{name} [{at}]: expected {values[at]:08x}, got {got[at]:08x}"
    for name, value in state.get("config", {}).items():
        found = machine.get_config(name, thread)
        if found != value:
            return f"config {name}: expected {value}, got {found}"
    _only(state.get("rwc", {}), _RWC, "final rwc")
    for key, value in state.get("rwc", {}).items():
        found = int(machine.read("RWC", thread)[_RWC.index(key)])
        if found != value:
            return f"rwc {key}: expected {value}, got {found}"
    return None


def _words(values: Any) -> List[int]:
    if not isinstance(values, list):
        raise VectorError("program is not a list of words")
    return [int(_hex(word, 1, 8, f"program: word {i}")[0]) for i, word in enumerate(values)]


def _run(machine: Machine, vector: Dict[str, Any], thread: int) -> None:
    if "program" in vector:
        machine.run(_words(vector["program"]), thread, vector.get("gaps"))
        return
    left = {int(t): _words(words) for t, words in vector["programs"].items()}
    while any(left.values()):  # one word a cycle, by turns
        for t in sorted(left):
            if left[t] and machine.step(left[t][0], t):
                left[t].pop(0)
    machine.run([], thread)


class Runner:
    """Machines that are kept from vector to vector, one for each chip and mode."""

    def __init__(self) -> None:
        self._machines: Dict[Tuple[str, bool], Machine] = {}

    def _machine(self, arch: str, strict: bool) -> Machine:
        key = arch, strict
        if key not in self._machines:
            self._machines[key] = Machine(arch, strict=strict)
        machine = self._machines[key]
        machine.reset()
        return machine

    def check(self, vector: Dict[str, Any]) -> Optional[str]:
        """None where the vector holds, else the first difference."""
        try:
            return self._check(vector)
        except Fault as fault:
            return f"stopped: {type(fault).__name__}: {fault}"
        except Deadlock as deadlock:
            return f"stopped: {deadlock}"
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            return str(error)

    def _check(self, vector: Dict[str, Any]) -> Optional[str]:
        if not isinstance(vector, dict) or not isinstance(vector.get("name"), str):
            raise VectorError("name is missing")
        _only(vector, _KEYS, "vector")
        if ("program" in vector) == ("programs" in vector):
            raise VectorError("there must be either program or programs")
        if vector.get("format", 1) != 1:
            raise VectorError("format is not 1")
        thread = vector.get("thread", 1)
        fault = vector.get("fault")
        machine = self._machine(vector["arch"], fault is not None)
        _set(machine, vector.get("initial", {}), thread)
        try:
            _run(machine, vector, thread)
        except Fault as found:
            if fault is None:
                raise
            got = type(found).__name__
            return None if got == fault else f"fault: expected {fault}, got {got} ({found})"
        if fault is not None:
            return f"fault: expected {fault}, got none"
        difference = _difference(machine, vector.get("final", {}), thread)
        for key in ("cycles", "issue_cycles"):
            found_cycles = getattr(machine.counters, key)
            if difference is None and vector.get(key, found_cycles) != found_cycles:
                difference = f"{key}: expected {vector[key]}, got {found_cycles}"
        return difference


def _lines(path: PathLike) -> Iterator[Tuple[int, str]]:
    with open(path, "rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
    with (gzip.open if packed else open)(path, "rt", encoding="utf-8") as text:  # type: ignore
        for number, line in enumerate(text, 1):
            if line.strip():
                yield number, line


def vectors(path: PathLike) -> Iterator[Dict[str, Any]]:
    """The objects of a .jsonl file, gzip-compressed or not."""
    return (json.loads(line) for _, line in _lines(path))


def run(paths: Union[PathLike, Iterable[PathLike]]) -> Report:
    """Every vector of a file, or of several."""
    report = Report()
    runner = Runner()
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        for number, line in _lines(path):
            name = ""
            try:
                vector = json.loads(line)
                name = vector.get("name", "") if isinstance(vector, dict) else ""
                message = runner.check(vector)
            except json.JSONDecodeError as error:
                message = f"not JSON: {error}"
            if message is None:
                report.passed += 1
            else:
                report.failures.append(Failure(os.fspath(path), number, str(name), message))
    return report
