# SPDX-License-Identifier: Apache-2.0
"""Programs on the RISC-V cores of a tile, from L1 to L1."""

from __future__ import annotations

import json
import os
from ctypes import byref, c_int, c_void_p
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _abi, _lab
from ._folder import Folder, L1In, L1Out
from ._lab import Progress, encoded, lab, texts
from .program import arch_number, integer
from .races import finish

CoreProgram = Union[str, "os.PathLike[str]", bytes, bytearray, Sequence[int], np.ndarray]
_CORES = [_abi.text(_abi.lib.tx_core_name(i)) for i in range(_abi.ENUMS["tx_core"]["TX_CORES"])]


@dataclass(frozen=True)
class Core:
    """Where a core stands in the end."""

    name: str
    state: str
    """"runs", "loops for ever", "paused" ..."""
    pc: int
    function: str
    """"main+0x1c"; empty where no function is known."""
    instructions: int


@dataclass
class TileResult:
    """What a tile did."""

    outputs: Dict[int, np.ndarray]
    """What l1_out asked for, by address: float32, or the integer type of the format."""
    cycles: int
    cores: Dict[str, Core]
    """Those that ran, by name."""
    findings: List[str]
    report: Dict[str, Any] = field(default_factory=dict, repr=False)
    """All that "tensix tile run --json" says."""


def _core(name: Any) -> int:
    out = c_int(0)
    if _abi.lib.tx_core_parse(str(name).encode("utf-8", "replace"), byref(out)) != _abi.OK:
        raise ValueError(f"programs: {name!r} is none of the cores {', '.join(_CORES)}")
    return out.value


def _path(folder: Folder, name: str, program: CoreProgram) -> str:
    """A file, or words of an image for the core's default start address."""
    if isinstance(program, (str, os.PathLike)):
        return os.fspath(program)
    if isinstance(program, (bytes, bytearray)):
        return folder.bytes(bytes(program), f"core {name}")
    words = np.asarray(program)
    if words.dtype.kind not in "iu" or words.ndim != 1:
        raise TypeError(f"programs: {name}: a file, bytes or a list of words is wanted")
    return folder.bytes(words.astype("<u4").tobytes(), f"core {name}")


def _words(values: Optional[Mapping[int, int]], name: str) -> Any:
    given = values or {}
    kind = _lab.txl_tensix_word
    return (kind * max(len(given), 1))(*(
        kind(integer(at, name, 0, 2**32 - 1), integer(value, name, 0, 2**32 - 1))
        for at, value in given.items()
    ))


def _core_of(handle: Any, index: int) -> Optional[Core]:
    core = lab.txl_tensix_core(handle, index)
    if not core or not core.contents.ran:
        return None
    c = core.contents
    return Core(_CORES[index], _abi.text(c.state), c.pc, _abi.text(c.function) or "",
                c.instructions)


def _result(handle: Any, folder: Folder, l1_out: Optional[L1Out]) -> TileResult:
    report = json.loads(_lab.owned(lab.txl_tensix_json(handle)))
    found = [_core_of(handle, i) for i in range(len(_CORES))]
    return TileResult(
        folder.outputs(l1_out), report["cycles"], {c.name: c for c in found if c is not None},
        [f"{f['category']} [{f['rule']}]: {f['message']}" for f in report["findings"]], report,
    )


def run_tile(
    programs: Mapping[str, CoreProgram], *, arch: str, l1: Optional[L1In] = None,
    l1_out: Optional[L1Out] = None, poke: Optional[Mapping[int, int]] = None,
    until: Optional[Mapping[int, int]] = None, max_cycles: int = 0, untimed: bool = False,
    strict: bool = False, boot_b: bool = False, profile: bool = False, races: bool = False,
    witness: bool = False, budget: int = 0, progress: Progress = None,
) -> TileResult:
    """Loads programs, lets the cores run, and tells what each of them did.

    programs    core (b, t0, t1, t2, nc) -> ELF file, image file, bytes or 32-bit words; what is no
                ELF file is for the core's default start address
    l1, l1_out  as of run_l1: what lies in L1 first, what is read there in the end
    poke        address -> word, stored before the cores start
    until       address -> word: it ends where all of them have these values; else where every core
                rests
    max_cycles  0: 10^7
    untimed     no time: cores and threads take turns, each until it has to wait
    boot_b      only core B starts, with start addresses where tt-llk's firmware looks for them
    profile     report["profile"] says where each cycle goes, see docs/profile.md
    races       report["races"] says what the programs do not order, as "tensix race --json" does;
                witness searches a delay that shows it, in budget runs for each race (200)
    progress    called with cycles and max_cycles; False ends it with Cancelled

    LabError: a fault, a deadlock or too few cycles; it says where each core stands.
    """
    work = _lab.Work(progress)
    kind = _lab.txl_tensix_program
    pokes, ends = _words(poke, "poke"), _words(until, "until")
    with Folder() as folder:
        files = [(_core(core), encoded(_path(folder, str(core), program)))
                 for core, program in programs.items()]
        places = folder.l1_in(l1), folder.l1_out(l1_out)
        how = _lab.options(
            _lab.txl_tensix_options, arch=arch_number(arch),
            programs=(kind * max(len(files), 1))(*(kind(*f) for f in files)),
            program_count=len(files), l1_in=texts(places[0]), l1_in_count=len(places[0]),
            l1_out=texts(places[1]), l1_out_count=len(places[1]), pokes=pokes,
            poke_count=len(poke or ()), until=ends, until_count=len(until or ()),
            max_cycles=integer(max_cycles, "max_cycles", 0, 2**63), untimed=bool(untimed),
            strict=bool(strict), boot_b=bool(boot_b), profile=bool(profile),
            progress=work.function,
            scratch=_lab.scratch(),
        )
        handle = c_void_p()
        _lab.checked(lab.txl_tensix_open, byref(how), byref(handle))
        race = c_void_p()
        try:
            if races:
                _lab.checked(lab.txl_race_watch, handle, None, byref(race))
            work.checked(lab.txl_tensix_run, handle)
            result = _result(handle, folder, l1_out)
            if races:
                result.report["races"] = finish(work, race, lab.txl_race_end, witness, budget)
            return result
        finally:
            lab.txl_race_close(race)
            lab.txl_tensix_close(handle)
