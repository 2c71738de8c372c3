# SPDX-License-Identifier: Apache-2.0
"""A few instructions from reset, and every register that they change."""

from __future__ import annotations

import json
from ctypes import byref, c_uint, c_void_p
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional

import numpy as np

from . import _abi, _lab
from ._folder import Folder, L1In, L1Out
from ._lab import encoded, lab, texts
from .machine import Rules, settings_of, thread_number
from .program import arch_number, integer


@dataclass(frozen=True)
class Change:
    """A register, a row of Dst or a configuration field that is another than before."""

    before: np.ndarray
    after: np.ndarray
    """uint32 patterns, of an LReg one for each of its 32 lanes."""

    @property
    def floats(self) -> np.ndarray:
        """after as FP32."""
        return self.after.view(np.float32)

    @property
    def integers(self) -> np.ndarray:
        """after in two's complement."""
        return self.after.view(np.int32)


@dataclass
class Evaluation:
    """What instructions did."""

    changed: Dict[str, Change]
    """By name, in the order of printing: "L2", "GPR4", "Dst row3", "LaneFlags", a field's name;
    where threads have their own, "GPR4" is that of the issuing thread, "T0.GPR4" of another."""
    cycles: int
    findings: List[str]
    l1: Dict[int, np.ndarray] = field(default_factory=dict)
    """What l1_out asked for, by address."""
    report: Dict[str, Any] = field(default_factory=dict, repr=False)
    """All that "tensix eval --json" says."""

    def __getitem__(self, name: str) -> np.ndarray:
        """A changed register as FP32."""
        return self.changed[name].floats


def _patterns(name: str, value: Any) -> str:
    """NAME=VALUE of a float (FP32), an integer (pattern; negative: two's complement) or many."""
    if isinstance(value, str):
        return f"{name}={value}"
    array = np.asarray(value)
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            words = array.astype(np.float32).view(np.uint32)
    elif array.dtype.kind in "iu":
        if array.size and not (-(2**31) <= int(array.min()) and int(array.max()) < 2**32):
            raise ValueError(f"{name}: a value does not fit into 32 bits")
        words = (array.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    else:
        raise TypeError(f"{name}: {type(value).__name__} is neither numbers nor text")
    return f"{name}=" + ",".join(f"{int(word):#010x}" for word in np.atleast_1d(words))


def _changes(handle: Any, own: int) -> Dict[str, Change]:
    threads = _abi.CONSTANTS["TX_THREADS"]
    out: Dict[str, Change] = {}
    while True:
        at = lab.txl_eval_change(handle, len(out))
        if not at:
            return out
        c = at.contents
        name = _abi.text(c.name)
        if c.file != _abi.ENUMS["tx_file"]["TX_FILE_COUNT"] and not c.alone:
            name = f"{name}{c.index}"
        if c.thread not in (threads, own) or name in out:
            name = f"T{c.thread}.{name}"
        out[name] = Change(*(
            np.array([words[i] for i in range(c.width)], np.uint32) for words in (c.before, c.after)
        ))


def evaluate(
    text: str, *, arch: str, set: Optional[Mapping[str, Any]] = None, thread: int = 1,
    strict: bool = False, rules: Rules = None, max_cycles: Optional[int] = None,
    l1: Optional[L1In] = None, l1_out: Optional[L1Out] = None, **registers: Any,
) -> Evaluation:
    """Runs instructions (a line each, or parted by ";") on a machine after reset.

    registers  set before: L0=1.5 (FP32), L1=0x40490fdb (the pattern), L2=[...] (over the lanes and
               round again), GPR3=5, LaneFlags=1, PRNG=7 (a seed), Dst12=[...] (a row as stored), a
               configuration field by the vendor's name; texts as "tensix eval" takes them
    set        the same, for names that are no Python names
    l1, l1_out as of run_l1

    LabError: the machine stopped.
    """
    chip = arch_number(arch)
    settings = settings_of(chip, strict, rules)
    if max_cycles is not None:
        settings.max_cycles = integer(max_cycles, "max_cycles", 0, 2**63)
    work = _lab.Work()
    work.watch(settings)
    sets = [_patterns(name, value) for name, value in {**(set or {}), **registers}.items()]
    issuing = c_uint(thread_number(thread))
    with Folder() as folder:
        places = folder.l1_in(l1), folder.l1_out(l1_out)
        how = _lab.options(
            _lab.txl_eval_options, arch=chip, text=encoded(text), sets=texts(sets),
            set_count=len(sets), l1_in=texts(places[0]), l1_in_count=len(places[0]),
            l1_out=texts(places[1]), l1_out_count=len(places[1]), scratch=_lab.scratch(),
        )
        how.settings = type(how.settings)(settings)
        how.thread = type(how.thread)(issuing)
        handle = c_void_p()
        work.checked(lab.txl_eval_open, byref(how), byref(handle))
        try:
            report = json.loads(_lab.owned(lab.txl_eval_json(handle)))
            return Evaluation(
                _changes(handle, issuing.value), report["cycles"],
                [f"{f['category']} [{f['rule']}]: {f['message']}" for f in report["findings"]],
                folder.outputs(l1_out), report,
            )
        finally:
            lab.txl_eval_close(handle)
