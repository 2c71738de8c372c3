# SPDX-License-Identifier: Apache-2.0
"""How fast the engines are on this machine, as ratios to raw loops."""

from __future__ import annotations

from ctypes import byref
from typing import Any, Dict, List, Optional, Sequence

from . import _abi, _lab
from ._lab import Progress, encoded, lab
from .kernel import KernelLike, as_program
from .program import integer

_MOST = 31


def rows() -> List[str]:
    """What bench measures, by name."""
    out: List[str] = []
    line = _lab.options(_lab.txl_bench_line)
    while lab.txl_bench_line(len(out), byref(line)):
        out.append(_abi.text(line.name))
    return out


def levels() -> List[str]:
    """Of the fast engine on this machine, the best first."""
    out: List[str] = []
    name = _abi.lib.tx_fast_level(0)
    while name is not None:
        out.append(_abi.text(name))
        name = _abi.lib.tx_fast_level(len(out))
    return out


def bench(
    *kernels: KernelLike, row: Sequence[str] = (), arch: Optional[str] = None,
    engine: str = "fast", level: Optional[str] = None, runs: int = 7, seconds: float = 0.002,
    progress: Progress = None,
) -> List[Dict[str, Any]]:
    """One entry for each row, as "tensix bench --json" has them: name, rate (vector instructions a
    second, median), its ratios to loops that run by turns with it, their spread; or reason, where
    compiled code cannot be had.

    kernels   measured instead of the library's own rows
    row       rows by the beginning of their names; default: all
    engine    fast, compiled or reference
    level     of the fast engine: avx512, avx2, neon or base; default: the best of this machine
    runs      that the medians are of, 1 to 31; seconds: of each turn
    progress  called with rows done and all of them; False ends it with Cancelled
    """
    if engine not in ("fast", "compiled", "reference"):
        raise ValueError(f"engine: {engine!r} is none of fast, compiled, reference")
    if level is not None and level not in levels():
        raise ValueError(f"level: {level!r} is none of {', '.join(levels())}")
    how = _lab.options(
        _lab.txl_bench_options, engine=_lab.engine_number(engine), level=encoded(level),
        runs=integer(runs, "runs", 1, _MOST), slice=float(seconds), compiler=_lab.compiler(),
    )
    known = rows()
    chosen = [i for i, name in enumerate(known)
              if not row or any(name.startswith(start) for start in row)]
    if not chosen:
        raise ValueError(f"row: none of {', '.join(known)} begins so")
    programs = [as_program(kernel, arch) for kernel in kernels]
    total = len(programs) or len(chosen)
    work = _lab.Work(progress)
    work.told(0, total)
    out: List[Dict[str, Any]] = []
    for i in range(total):
        result = _lab.options(_lab.txl_bench_result)
        line = _lab.options(_lab.txl_bench_line)
        if programs:
            line.name, line.arch = encoded(programs[i].name), programs[i]._says("arch")
            line.data = b"N(0,1)"
            work.checked(
                lab.txl_bench_kernel, programs[i]._handle, byref(how), byref(result))
        else:
            lab.txl_bench_line(chosen[i], byref(line))
            err = _lab.txl_error()
            status = work.run(
                lab.txl_bench_measure, byref(err), chosen[i], byref(how), byref(result))
            if status != _lab.OK:
                if row or not (line.compiled or engine == "compiled"):
                    _lab.raise_error(err, status)
                out.append({"name": _abi.text(line.name), "reason": _abi.text(err.message)})
                work.told(i + 1, total)
                continue
        out.append(_lab.parsed(lab.txl_bench_json(byref(line), byref(result))))
        work.told(i + 1, total)
    return out
