# SPDX-License-Identifier: Apache-2.0
"""Constants of .free chosen so that a kernel errs least as the chip executes it."""

from __future__ import annotations

import os
from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Sequence, Tuple, Union

from . import _lab
from ._lab import Progress, encoded, lab
from .machine import Rules
from .program import Program, arch_number, dst_number, integer, start_number

OBJECTIVES = ("max", "mean", "relative", "faithful", "monotone", "unrounded")


@dataclass
class Fit:
    """The kernel with the best constants that were found."""

    text: str = field(repr=False)
    """The kernel file, its constants replaced."""
    program: Program
    constants: Dict[str, str]
    """Values by name, as the file has them."""
    before: Dict[str, Any]
    """Figures of a sweep: max_ulp, mean_ulp, mismatched, exact, inputs, findings, cycles."""
    after: Optional[Dict[str, Any]]
    """The same of the result. None: interrupted, or out of time, before all of it was swept."""
    report: Dict[str, Any] = field(default_factory=dict, repr=False)
    """All that "tensix fit --json" says."""


def fit(
    kernel: Union[str, "os.PathLike[str]"], reference: Optional[str] = None,
    domain: Optional[str] = None, *, arch: Optional[str] = None, dst: Optional[str] = None,
    out_dst: Optional[str] = None, start: Optional[str] = None, objective: str = "max",
    pins: Sequence[str] = (), stride: int = 1, sample: int = 0, seed: int = 0, jobs: int = 0,
    seconds: int = 0, restarts: int = 0, shard: Tuple[int, int] = (0, 0),
    state: Union[None, str, "os.PathLike[str]"] = None, rules: Rules = None,
    progress: Progress = None,
    merge: Sequence[Union[str, "os.PathLike[str]"]] = (),
    without_flushed: bool = False,
    bound: bool = False,
) -> Fit:
    """Chooses the constants that a kernel file, or a text of several lines, marks with .free.

    objective  what is to be small: max, mean, relative, faithful, monotone, unrounded
    pins       "X=Y": the result at X is to be Y
    seconds    of search and sweeps
    restarts   the search ends after so many starts that gave nothing better
    shard      (i, n): only starts whose number is i modulo n
    state      a file that keeps the best so far, and that is gone on from
    progress   is called with candidates (of an unknown total, 0), then with inputs of a sweep;
               False ends the search with the best so far
    merge      files that shards kept (state): the best of them is swept, nothing is searched
    without_flushed  leave out inputs at which the function is below the format's normal numbers
    bound      also ask which error no constants can undercut (report["bound"]); needs glpsol
    """
    if objective not in OBJECTIVES:
        raise ValueError(f"objective: {objective!r} is none of {', '.join(OBJECTIVES)}")
    source = kernel if isinstance(kernel, str) and "\n" in kernel else None
    switches = _lab.switches(rules)
    work = _lab.Work(progress)
    how = _lab.options(
        _lab.txl_fit_options, kernel=encoded("kernel" if source else kernel),
        text=None if source is None else source.encode(), arch=arch_number(arch),
        start=start_number(start), dst=dst_number(dst), out=dst_number(out_dst),
        domain=encoded(domain), stride=integer(stride, "stride", 0, 2**63),
        sample=integer(sample, "sample", 0, 2**63), reference=encoded(reference),
        rules=_lab.texts(switches), rule_count=len(switches),
        objective=OBJECTIVES.index(objective), pins=_lab.texts(pins), pin_count=len(pins),
        seed=integer(seed, "seed", 0, 2**63), jobs=integer(jobs, "jobs", 0, 256),
        seconds=integer(seconds, "seconds", 0, 2**63),
        restarts=integer(restarts, "restarts", 0, 10**9), shard=shard[0], shards=shard[1],
        state=encoded(state), compiler=_lab.compiler(), progress=work.function,
        merge=_lab.texts([os.fspath(part) for part in merge]), merge_count=len(merge),
        without_flushed=without_flushed, bound=bound, path=encoded(os.environ.get("PATH")),
        helper=_lab.helper(), environment=_lab.environment(),
    )
    handle = c_void_p()
    work.checked(lab.txl_fit_find, byref(how), byref(handle))
    try:
        err = _lab.txl_error()
        report = _lab.parsed(lab.txl_fit_json(byref(err), handle), err)
    finally:
        lab.txl_fit_close(handle)
    return Fit(
        report["text"],
        Program.from_asm(report["text"], report["arch"], "<asm>" if source else str(kernel)),
        {c["name"]: c["after"] for c in report["constants"]}, report["before"], report["after"],
        report,
    )
