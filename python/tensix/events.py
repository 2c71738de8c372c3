# SPDX-License-Identifier: Apache-2.0
"""What happened in each cycle, as the library reports it."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Tuple

from . import _abi
from ._abi import lib, text
from .findings import disassemble

_KINDS = _abi.names("tx_event_kind")
_UNITS = _abi.names("tx_unit")
_VALUES = {_abi.EVENT["WRITE_LREG"]: 32, _abi.EVENT["WRITE_DST"]: 16, _abi.EVENT["WRITE_FLAGS"]: 1}


class Event(NamedTuple):
    """One event. kind: issue, stall, write_lreg, write_dst, write_flags, finding, fault, execute
    (an instruction that SFPLOADMACRO had scheduled), compute (a vector instruction, scheduled or
    not, has read its operands and runs in .lanes)."""

    cycle: int
    kind: str
    thread: int
    unit: str
    word: int
    instruction: str
    number: int
    """Which instruction, counted from 0 as it is issued; of writes: the writer."""
    place: int
    """write_lreg: register; write_dst: physical row."""
    lanes: int
    """Lanes, columns of write_dst, LaneFlags of write_flags."""
    values: Tuple[int, ...]
    """After the write: 32 lanes, or 16 cells, or UseLaneFlagsForLaneEnable."""
    scheduled: bool
    text: str
    """Cause of a stall, message of a finding."""

    def __str__(self) -> str:
        where = {"write_lreg": f" L{self.place}", "write_dst": f" Dst {self.place}"}
        return (
            f"{self.cycle:6} {self.kind:10} {self.unit:7}{where.get(self.kind, '')}"
            f" {self.instruction or self.text}"
        ).rstrip()


def event_of(e: Any, arch: int) -> Event:
    count = _VALUES.get(e.kind, 0) if e.values else 0
    words = e.text
    if e.finding:
        words = e.finding.contents.message
    return Event(
        cycle=e.cycle, kind=_KINDS[e.kind], thread=e.thread, unit=_UNITS[e.unit], word=e.word,
        instruction=disassemble(e.word, arch), number=e.number, place=e.index, lanes=e.lanes,
        values=tuple(e.values[:count]), scheduled=bool(e.scheduled), text=text(words),
    )


def collector(into: List[Event], arch: int) -> Callable[[Any], None]:
    """For Watch.sink."""

    def collect(event: Any) -> None:
        into.append(event_of(event, arch))

    return collect


def notes_of(machine: Any) -> Dict[str, int]:
    """Evidence entries that a run relied on, and how often: tensix explain ID."""
    notes: Dict[str, int] = {}
    index = 0
    while True:
        entry = lib.tx_evidence_at(index)
        if not entry:
            return notes
        count = lib.tx_note_count(machine, index)
        if count:
            notes[text(entry.contents.id)] = count
        index += 1
