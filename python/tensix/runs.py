# SPDX-License-Identifier: Apache-2.0
"""Kernels as the lab library runs them: against a reference, with pauses, from L1 to L1."""

from __future__ import annotations

import json
from contextlib import contextmanager
from ctypes import POINTER, byref, c_void_p, sizeof
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from . import _abi, _lab
from ._abi import lib
from ._folder import Folder, L1In, L1Out
from ._lab import NEGATIVE, OK, Progress, encoded, lab, texts
from ._lab_tables import ENUMS
from .kernel import KernelLike, as_program
from .machine import Rules, settings_of, thread_number
from .program import dst_number, integer, start_number, word_list

_JSON = ENUMS["txl_profile_form"]["TXL_PROFILE_JSON"]
_LAYOUTS = ("any", "flat", "tiles")


@dataclass
class Measured:
    """A run over arrays and what it is compared with."""

    output: np.ndarray
    """Of the inputs' shape; float32, int32, uint16 ... like the Dst format."""
    accuracy: Optional[Dict[str, Any]]
    """compared, exact, mismatched, max_ulp, mean_ulp (in ULP of the output's Dst format) and the
    worst elements; None where there was nothing to compare with."""
    findings: List[str]
    report: Dict[str, Any] = field(default_factory=dict, repr=False)
    """All that "tensix run --json" says: counters, cycles, notes ..."""


@dataclass
class Gap:
    """Idle cycles before a word of .tile."""

    word: int
    """Counted from 0."""
    cycles: int
    line: int
    """Of the source, 0: not known."""
    text: str


@dataclass
class Gaps:
    """The smallest pattern of pauses that changes a tile."""

    gaps: List[Gap]
    """One or two; none where no pattern changes anything."""
    elements: int
    """That change."""
    trials: int
    """Patterns that were tried."""
    report: Dict[str, Any] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return bool(self.gaps)


@dataclass
class L1Result:
    """What a program left in L1."""

    outputs: Dict[int, np.ndarray]
    """By address: float32, or the integer type of the format."""
    cycles: int
    findings: List[str]
    report: Dict[str, Any] = field(default_factory=dict, repr=False)


class _Options:
    """struct txl_run_options and what it points to."""

    def __init__(
        self, program: Any, work: _lab.Work, *, dst: Optional[str] = None,
        out_dst: Optional[str] = None, engine: str = "auto", strict: bool = False, seed: int = 0,
        thread: int = 1, carry: bool = False, config: Optional[Mapping[str, int]] = None,
        rules: Rules = None, start: Optional[str] = None, jobs: int = 1, gaps: str = "",
        layout: str = "flat", max_cycles: Optional[int] = None,
    ):
        if layout not in _LAYOUTS[1:]:
            raise ValueError(f"layout: {layout!r} is none of flat, tiles")
        settings = settings_of(program._says("arch"), strict, rules)
        if max_cycles is not None:
            settings.max_cycles = integer(max_cycles, "max_cycles", 0, 2**63)
        work.watch(settings)
        kernel = _abi.tx_kernel_options()
        lib.tx_kernel_options_default_sized(byref(kernel), sizeof(kernel))
        kernel.dst, kernel.out = dst_number(dst), dst_number(out_dst)
        (kernel.seed,) = word_list([seed], "seed")
        kernel.thread, kernel.carry = thread_number(thread), bool(carry)
        kernel.start = start_number(start)
        sets = [f"{name}={integer(value, f'config {name}', 0, 2**32 - 1)}"
                for name, value in (config or {}).items()]
        self.struct = how = _lab.options(
            _lab.txl_run_options, name=encoded(program.name), kernel_size=sizeof(kernel),
            sets=texts(sets), set_count=len(sets), layout=_LAYOUTS.index(layout),
            gaps=encoded(gaps or None), engine=_lab.engine_number(engine),
            compiler=_lab.compiler() if engine in ("auto", "compiled") else None,
            threads=integer(jobs, "jobs", 0, 1024), progress=work.function,
            scratch=_lab.scratch(),
        )
        how.settings, how.kernel = type(how.settings)(settings), type(how.kernel)(kernel)

    def inputs(self, names: List[str]) -> None:
        self.struct.inputs, self.struct.input_count = texts(names), len(names)


@contextmanager
def _opened(program: Any, how: _Options) -> Iterator[Any]:
    handle = c_void_p()
    _lab.checked(lab.txl_run_open, program._handle, byref(how.struct), byref(handle))
    try:
        yield handle
    finally:
        lab.txl_run_close(handle)


def _findings(report: Dict[str, Any]) -> List[str]:
    return [f"{f['category']} [{f['rule']}]: {f['message']}" for f in report["findings"]]


def _report(handle: Any) -> Dict[str, Any]:
    """Without the names of files that are no more."""
    report = json.loads(_lab.owned(lab.txl_run_json(handle)))
    for i, entry in enumerate(report.get("inputs", ())):
        entry["file"] = f"array {i}"
    if report.get("output"):
        report["output"]["file"] = None
    return dict(report)


def measure(
    kernel: KernelLike, *arrays: Any, reference: Any = None, arch: Optional[str] = None,
    gaps: str = "", payload: str = "", evidence: bool = False, progress: Progress = None,
    **options: Any,
) -> Measured:
    """A kernel over whole arrays, and how far its results are from a reference.

    arrays     of one shape, as for run; any number of elements: 1024 are a tile
    reference  a function's name (exp, recip ..., "kernel": the kernel's .reference), computed by
               MPFR and rounded correctly; or an array of right values, of the arrays' shape
    gaps       idle cycles before the words of .tile: "seed=N" (0 to 3, drawn), "each=1..K" (before
               every word, 1 in tile 0, 2 in tile 1 ...), "at=I:N" (N before word I)
    evidence   notes of every tile too, in report
    progress   called with tiles done and all of them; False ends it with Cancelled

    Also dst, out_dst, engine, strict, seed, thread, carry, config, rules, start, jobs (0: one
    thread for each processor), layout and max_cycles, as for run. LabError: the kernel stopped.
    """
    program = as_program(kernel, arch)
    work = _lab.Work(progress)
    with Folder() as folder:
        how = _Options(program, work, gaps=gaps, **options)
        how.inputs([folder.array(a, f"array {i}", payload) for i, a in enumerate(arrays)])
        output = folder.place("output.npy")
        how.struct.output, how.struct.evidence = encoded(output), bool(evidence)
        if isinstance(reference, str):
            how.struct.reference = encoded(reference)
        elif callable(reference):
            raise TypeError("reference: a name or an array of right values, not a function")
        elif reference is not None:
            how.struct.compare = encoded(folder.array(reference, "reference"))
        with _opened(program, how) as handle:
            work.checked(lab.txl_run_tiles, handle)
            report = _report(handle)
        return Measured(np.load(output), report.get("accuracy"), _findings(report), report)


def find_gaps(
    kernel: KernelLike, *arrays: Any, most: int = 3, budget: int = 20000,
    arch: Optional[str] = None, payload: str = "", progress: Progress = None, **options: Any,
) -> Gaps:
    """The smallest pauses between instructions that change the first tile: one word's, then two's.

    arrays    as for run; left out: made up
    most      idle cycles before a word, at most
    budget    patterns that are tried, at most; progress is called with those tried and this
    """
    program = as_program(kernel, arch)
    work = _lab.Work(progress)
    with Folder() as folder:
        how = _Options(
            program, work, gaps=f"all=0..{integer(most, 'most', 1, 10000)}", **options)
        how.inputs([folder.array(a, f"array {i}", payload) for i, a in enumerate(arrays)])
        with _opened(program, how) as handle:
            found = POINTER(_lab.txl_gaps)()
            err = _lab.txl_error()
            status = work.run(
                lab.txl_run_gaps, byref(err), handle, integer(budget, "budget", 1, 2**63),
                byref(found))
            if status not in (OK, NEGATIVE) or err.status != OK:
                _lab.raise_error(err, status)
            report = json.loads(_lab.owned(lab.txl_run_gaps_json(handle)))
    places = [Gap(g["word"], g["gap"], g["line"], g["text"]) for g in report["gaps"]]
    return Gaps(places, report["elements_changed"], report["trials"], report)


def cycles(kernel: KernelLike, *, arch: Optional[str] = None, **options: Any) -> Dict[str, Any]:
    """Where the cycles of a tile go, as "tensix run --cycles --json" says it.

    tile_cycles, face_cycles, row_cycles; instructions by kind; stalls and their causes; bound: what
    limits it; elements_per_second at clock_hz. The tile is of numbers that are made up.
    """
    program = as_program(kernel, arch)
    work = _lab.Work()
    how = _Options(program, work, **options)
    with _opened(program, how) as handle:
        out = POINTER(_lab.txl_cycles)()
        work.checked(lab.txl_run_cycles, handle, byref(out))
        return dict(json.loads(_lab.owned(lab.txl_run_cycles_json(handle))))


def profile(
    kernel: KernelLike, l1: Optional[L1In] = None, *, arch: Optional[str] = None, **options: Any
) -> Dict[str, Any]:
    """Where each cycle of a tile goes, as "tensix run --profile --json" says it.

    lanes: what each thread and unit does and waits for; path: what bounds the run; bound, change.
    With l1 (as of run_l1) the program begins there, else the tile is of made-up numbers.
    """
    program = as_program(kernel, arch)
    work = _lab.Work()
    with Folder() as folder:
        how = _Options(program, work, **options)
        places: List[str] = folder.l1_in(l1)
        how.struct.l1_in, how.struct.l1_in_count = texts(places), len(places)
        with _opened(program, how) as handle:
            out = c_void_p()
            work.checked(lab.txl_run_profile, handle, byref(out))
            return dict(json.loads(_lab.owned(lab.txl_profile_text(out, _JSON))))


def run_l1(
    kernel: KernelLike, l1: L1In, l1_out: L1Out, *, arch: Optional[str] = None, **options: Any
) -> L1Result:
    """A program that begins and ends in L1, once through .init and .tile.

    l1      address (a multiple of 16) -> bytes, (array, "bf16") or a file, see docs/cli.md
    l1_out  address -> "bf16:64x64" or ("bf16", (64, 64))

    The other options are those of measure.
    """
    program = as_program(kernel, arch)
    work = _lab.Work()
    with Folder() as folder:
        how = _Options(program, work, **options)
        places: Tuple[List[str], List[str]] = folder.l1_in(l1), folder.l1_out(l1_out)
        how.struct.l1_in, how.struct.l1_in_count = texts(places[0]), len(places[0])
        how.struct.l1_out, how.struct.l1_out_count = texts(places[1]), len(places[1])
        with _opened(program, how) as handle:
            work.checked(lab.txl_run_l1, handle)
            report = dict(json.loads(_lab.owned(lab.txl_run_json(handle))))
        return L1Result(
            folder.outputs(l1_out), report["tile_total"]["cycles"], _findings(report), report)
