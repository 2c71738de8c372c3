# SPDX-License-Identifier: Apache-2.0
"""Findings: violations, reads of unknown values, and the reason of a fault."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Optional, Tuple

from ._abi import lib, text
from .errors import Fault, fault_classes

_NONE = 2**64 - 1


@dataclass(frozen=True)
class Finding:
    """One rule with one word, as often as it was met. Cycles and indices are the machine's."""

    category: str
    """UndefinedBehavior, UnpredictableValue, NonContractualBehavior, MissingSpecification,
    Unsupported or Hazard."""
    rule: str
    """What tells more: tensix explain RULE."""
    message: str
    arch: str
    thread: int
    word: int
    instruction: str
    cycle: int
    """Of the first occurrence."""
    index: int
    """Which instruction, counted from 0 after expansion."""
    lanes: int
    """Bit per lane concerned at the first occurrence."""
    count: int
    producer: Optional[Tuple[int, int, int]] = None
    """Hazards between two instructions: index, cycle and word of the earlier one."""
    section: str = ""
    """init or tile, where a kernel ran."""
    line: int = 0
    """Of the source that gave the word, 0 where several lines did."""

    def __str__(self) -> str:
        line = f", line {self.line}" if self.line else ""
        return (
            f"{self.category} [{self.rule}]: {self.message} "
            f"({self.instruction}{line}, cycle {self.cycle}, {self.count}x)"
        )


def disassemble(word: int, arch: int, macros: bool = False) -> str:
    buffer = ctypes.create_string_buffer(128)
    lib.tx_disassemble(arch, word, 2 if macros else 0, buffer, len(buffer))  # TX_DIS_MACRO
    return text(buffer.value)


def finding_of(f: Any, section: str = "", line: int = 0) -> Finding:
    producer = None if f.producer == _NONE else (f.producer, f.producer_cycle, f.producer_word)
    return Finding(
        category=text(lib.tx_category_name(f.category)),
        rule=text(f.rule),
        message=text(f.message),
        arch=text(lib.tx_arch_name(f.arch)),
        thread=f.thread,
        word=f.word,
        instruction=disassemble(f.word, f.arch),
        cycle=f.cycle,
        index=f.index,
        lanes=f.lanes,
        count=f.count,
        producer=producer,
        section=section,
        line=line,
    )


def fault_of(machine: Any, section: str = "", tile: Optional[int] = None) -> Fault:
    """The exception for the fault of a machine that stopped."""
    found = lib.tx_fault(machine)
    if not found:
        return Fault("the machine stopped")
    finding = finding_of(found.contents, section)
    place = "" if tile is None else f"tile {tile}: "
    message = f"{place}{finding.message} [{finding.rule}] at {finding.instruction}"
    return fault_classes()[found.contents.category](message, finding)
