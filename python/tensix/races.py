# SPDX-License-Identifier: Apache-2.0
"""Accesses to shared state that a program does not order."""

from __future__ import annotations

import json
from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from . import _lab
from ._folder import Folder, L1In
from ._lab import NEGATIVE, OK, encoded, lab, texts
from .kernel import KernelLike, as_program
from .program import integer


@dataclass
class Races:
    """What "tensix race" says of a program."""

    races: List[Dict[str, Any]]
    """Each with state, places, why, remedy, as "tensix race --json" has them."""
    idioms: List[Dict[str, Any]]
    """Pairs that nothing orders and silicon is known to do right, with the evidence."""
    report: Dict[str, Any] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return bool(self.races)


def of_report(report: Dict[str, Any]) -> Races:
    return Races(report["races"], report["idioms"], report)


def finish(work: _lab.Work, handle: Any, end: Any, witness: bool, budget: int) -> Dict[str, Any]:
    """Runs it, or ends it, and says what was found."""
    err = _lab.txl_error()
    status = work.run(end, byref(err), handle)
    if status not in (OK, NEGATIVE) or err.status != OK:
        _lab.raise_error(err, status)
    if witness and status == NEGATIVE:
        work.checked(lab.txl_race_witness, handle, integer(budget, "budget", 0, 2**32 - 1))
    return json.loads(_lab.owned(lab.txl_race_json(handle)))


def race(
    kernel: KernelLike, *, arch: Optional[str] = None, l1: Optional[L1In] = None,
    idioms: bool = True, witness: bool = False, budget: int = 0,
) -> Races:
    """Runs a kernel once: which accesses it does not order, and the wait that would.

    l1       what lies in L1, as of run_l1; left out: random bytes
    idioms   False: report also the pairs that silicon is known to do right
    witness  search a delay with which the run ends differently, in budget runs for each race (200)
    """
    program = as_program(kernel, arch)
    work = _lab.Work()
    with Folder() as folder:
        places = folder.l1_in(l1)
        how = _lab.options(
            _lab.txl_race_options, name=encoded(program.name), l1_in=texts(places),
            l1_in_count=len(places), scratch=_lab.scratch(), no_idioms=not idioms,
        )
        handle = c_void_p()
        _lab.checked(lab.txl_race_open, program._handle, byref(how), byref(handle))
        try:
            return of_report(finish(work, handle, lab.txl_race_run, witness, budget))
        finally:
            lab.txl_race_close(handle)
