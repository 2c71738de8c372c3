# SPDX-License-Identifier: Apache-2.0
"""Accuracy over whole domains: by the lab library, or here against a Python function."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from typing import (
    Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union,
)

import numpy as np

from . import _abi
from ._folder import Folder
from .errors import Cancelled
from .formats import convert
from .kernel import Kernel, KernelLike, as_program
from .machine import Rules
from .program import Program, dst_number, integer
from .testing import FORMATS, round_to, ulp_error

Progress = Optional[Callable[[int, int], Any]]
Path = Union[str, "os.PathLike[str]"]

_MOST = 1 << 24  # inputs in memory
_WORST = 5


@dataclass(frozen=True)
class Case:
    """One input and its error; ulp is inf for a mismatch."""

    element: int
    inputs: Tuple[float, ...]
    expected: float
    got: float
    ulp: float


@dataclass
class SweepResult:
    """Errors in ULP of the Dst format, from the reference rounded once."""

    count: int
    exact: int
    mismatched: int
    """NaN or infinity against something else; no part of max_ulp and mean_ulp."""
    max_ulp: float
    mean_ulp: float
    worst: List[Case]
    """The largest errors, mismatches aside."""
    mismatch: Optional[Case]
    """The first mismatch, or None."""
    cycles_per_tile: int
    findings: List[str]
    passed: Optional[bool] = None
    """Whether max_ulp and budget were met; None where neither was given."""
    verdict: str = ""
    """The same in words."""
    report: Dict[str, Any] = field(default_factory=dict, repr=False)
    """All that "tensix sweep --json" says, where the lab library did the work."""


def _axis(domain: str) -> np.ndarray:
    """All values of a format in numeric order, -NaN first, as float32."""
    bits = 16
    order = np.arange(1 << bits, dtype=np.int64)
    half = 1 << (bits - 1)
    pattern = np.where(order < half, 2 * half - 1 - order, order - half).astype(np.uint16)
    return convert(pattern, "fp32", domain)


def _one_domain(text: str) -> np.ndarray:
    parts = text.split(":")
    if parts[0] not in ("bf16", "fp16") or len(parts) not in (1, 3):
        raise ValueError(
            f"domain: {text!r}: with a function as reference, bf16, fp16, FORMAT:LOW:HIGH, "
            "products of them with x, or arrays"
        )
    values = _axis(parts[0])
    if len(parts) == 3:
        low, high = float(parts[1]), float(parts[2])
        values = values[(values >= low) & (values <= high)]
    return values


def _inputs(domain: Any, operands: int) -> List[np.ndarray]:
    if isinstance(domain, str):
        axes = [_one_domain(part) for part in domain.split("x")]
        if len(axes) != operands:
            raise ValueError(f"domain: {len(axes)} axes, but the kernel takes {operands} arrays")
        if np.prod([float(axis.size) for axis in axes]) > _MOST:
            raise ValueError(f"domain: more than {_MOST} inputs; pass arrays of samples")
        return [grid.reshape(-1) for grid in np.meshgrid(*axes, indexing="ij")]
    arrays = list(domain) if isinstance(domain, (tuple, list)) else [domain]
    if len(arrays) != operands:
        raise ValueError(f"domain: {len(arrays)} arrays, but the kernel takes {operands}")
    return [np.ascontiguousarray(array, np.float32).reshape(-1) for array in arrays]


def _held(values: np.ndarray, dst: str) -> np.ndarray:
    """As Dst holds them, denormals as zeros."""
    if dst != "fp32":
        values = convert(convert(values, dst), "fp32", dst)
    x = values.astype(np.float64)
    return np.where(np.abs(x) < 2.0 ** FORMATS[dst].least, np.copysign(0.0, x), x)


def _reference(
    function: Callable[..., Any], inputs: Sequence[np.ndarray], vectorized: bool
) -> np.ndarray:
    if vectorized:
        y = np.asarray(function(*inputs), np.float64)
        if y.shape != inputs[0].shape:
            raise ValueError(
                f"reference: gave shape {y.shape} for inputs of {inputs[0].shape}; "
                "vectorized=False calls it element by element"
            )
        return y
    return np.array([float(function(*map(float, x))) for x in zip(*inputs)], np.float64)


def _in_process(
    ready: Kernel, domain: Any, function: Callable[..., Any], vectorized: bool,
    most: int,
) -> SweepResult:
    dst, out = ready.dst, ready.out_dst
    if dst not in FORMATS or out not in FORMATS:
        raise ValueError(
            f"dst: {dst if dst not in FORMATS else out}: with a function as reference, sweeps are "
            "of float formats"
        )
    inputs = _inputs(domain, ready.program.inputs)
    done = ready.run(*inputs)
    with np.errstate(all="ignore"):
        y = _reference(function, [_held(x, dst) for x in inputs], vectorized)
        error = ulp_error(done.output, y, out)
    expected = round_to(y, out)
    mismatched = np.isinf(error)
    good = error[~mismatched]

    def case(i: int) -> Case:
        return Case(
            int(i), tuple(float(x[i]) for x in inputs), float(expected[i]),
            float(done.output[i]), float(error[i]),
        )

    order = np.argsort(np.where(mismatched, 0.0, -error), kind="stable")[:most]
    worst = [case(i) for i in order if error[i] > 0 and not mismatched[i]]
    mismatch = case(int(np.argmax(mismatched))) if mismatched.any() else None
    return SweepResult(
        count=error.size, exact=int((error == 0).sum()), mismatched=int(mismatched.sum()),
        max_ulp=float(good.max()) if good.size else 0.0,
        mean_ulp=float(np.rint(good * 1024).sum() / 1024 / good.size) if good.size else 0.0,
        worst=worst, mismatch=mismatch, cycles_per_tile=done.cycles,
        findings=[str(f) for f in done.findings],
    )


def _number(entry: Mapping[str, str], dst: str) -> float:
    pattern = int(entry["hex"], 16)
    if dst.startswith("int"):
        return float(np.uint32(pattern).view(np.int32))
    return float(np.uint32(pattern).view(np.float32))


def _case(entry: Mapping[str, Any], dst: str, out: str) -> Case:
    return Case(
        entry["element"], tuple(_number(x, dst) for x in entry["inputs"]),
        _number(entry["expected"], out), _number(entry["got"], out),
        float("inf") if entry["ulp"] is None else float(entry["ulp"]),
    )


def _result(report: Dict[str, Any], gate: Dict[str, Any]) -> SweepResult:
    accuracy, dst, out = report["accuracy"], report["dst"], report["out_dst"]
    firsts = [_case(ends["first"], dst, out) for ends in report["examples"].values()]
    mismatches = sorted((c for c in firsts if np.isinf(c.ulp)), key=lambda c: c.element)
    return SweepResult(
        count=accuracy["compared"], exact=accuracy["exact"], mismatched=accuracy["mismatched"],
        max_ulp=accuracy["max_ulp"], mean_ulp=accuracy["mean_ulp"],
        worst=[_case(entry, dst, out) for entry in accuracy["worst"]],
        mismatch=mismatches[0] if mismatches else None,
        cycles_per_tile=int(report["cycles_per_tile"]),
        findings=[f"{f['category']} [{f['rule']}]: {f['message']}" for f in report["findings"]],
        report=report, **gate,
    )


def common_options(
    work: Any, *, domain: Optional[str], dst: Optional[str], out_dst: Optional[str], engine: str,
    seed: int, rules: Rules, jobs: int, stride: int, sample: int,
) -> Any:
    """struct txl_sweep_options of what sweep and compare share; it keeps what it points to."""
    from . import _lab

    switches = _lab.switches(rules)
    return _lab.options(
        _lab.txl_sweep_options, domain=_lab.encoded(domain), dst=dst_number(dst),
        out=dst_number(out_dst), engine=_lab.engine_number(engine),
        compiler=_lab.compiler() if engine in ("auto", "compiled") else None,
        seed=integer(seed, "seed", 0, 2**32 - 1), jobs=integer(jobs, "jobs", 0, 256),
        stride=integer(stride, "stride", 0, 2**32), sample=integer(sample, "sample", 0, 2**32),
        rules=_lab.texts(switches), rule_count=len(switches), progress=work.function,
    )


def _limit(name: str, value: Optional[float]) -> float:
    if value is None:
        return 0.0
    if not 0 <= value < float("inf"):
        raise ValueError(f"{name}: {value!r} is no number from 0 on")
    return float(value)


class _Run:
    """What the lab library is told besides what compare knows too."""

    def __init__(
        self, reference: Optional[str], progress: Progress, *, max_ulp: Optional[float] = None,
        budget: Optional[Path] = None, state: Optional[Path] = None,
        shard: Optional[Tuple[int, int]] = None, worst: int = _WORST, traces: int = 0,
        blame: bool = False, atol: Optional[float] = None, rtol: Optional[float] = None,
        **given: Any,
    ):
        from . import _lab

        self.work = _lab.Work(progress)
        self.how = how = common_options(self.work, **given)
        how.reference, how.state = _lab.encoded(reference), _lab.encoded(state)
        how.path, how.environment = _lab.encoded(os.environ.get("PATH")), _lab.environment()
        how.scratch, how.helper = _lab.scratch(), _lab.helper()
        if max_ulp is not None:
            if not 0 <= max_ulp < float("inf"):
                raise ValueError(f"max_ulp: {max_ulp!r} is no number from 0 on")
            how.has_max_ulp, how.max_ulp = True, max_ulp
        if atol is not None or rtol is not None:
            how.has_tolerance = True
            how.atol, how.rtol = _limit("atol", atol), _limit("rtol", rtol)
        if shard is not None:
            part, parts = shard
            how.shards = integer(parts, "shard", 1, 4096)
            how.shard = integer(part, "shard", 1, parts) - 1
        self.report = _lab.options(
            _lab.txl_sweep_report, worst=integer(worst, "worst", 0, 100),
            traces=integer(traces, "traces", 0, 100), blame=bool(blame),
        )
        self._budget = budget

    @contextmanager
    def budget(self) -> Iterator[None]:
        from . import _lab

        if self._budget is None:
            yield
            return
        handle = c_void_p()
        _lab.checked(_lab.lab.txl_budget_open, _lab.encoded(self._budget), byref(handle))
        self.how.budget = handle
        try:
            yield
        finally:
            _lab.lab.txl_budget_close(handle)


def _by_library(
    program: Program, reference: Optional[str], progress: Progress, html: Optional[Path],
    **given: Any
) -> Optional[SweepResult]:
    from . import _lab
    from ._lab import lab

    run = _Run(reference, progress, **given)
    run.how.kernel, run.how.program = _lab.encoded(program.name), program._handle
    handle = c_void_p()
    with run.budget():
        _lab.checked(lab.txl_sweep_open, byref(run.how), byref(handle))
        try:
            try:
                run.work.checked(lab.txl_sweep_run, handle)
            except Cancelled as cancelled:
                cancelled.result = _partial(handle, run.report)
                raise
            if not lab.txl_sweep_reports(handle):
                return None
            result = _finished(handle, run.report)
            if html is not None:
                _page(handle, run.report, html)
            return result
        finally:
            lab.txl_sweep_close(handle)


def _about(handle: Any) -> Any:
    from . import _lab

    about = _lab.options(_lab.txl_sweep_about)
    _lab.lab.txl_sweep_about(handle, byref(about))
    return about


def _partial(handle: Any, how: Any) -> Optional[SweepResult]:
    from ._lab import lab

    return _finished(handle, how) if _about(handle).done and lab.txl_sweep_reports(handle) else None


def _finished(handle: Any, how: Any) -> SweepResult:
    from . import _lab
    from ._lab import lab

    _lab.checked(lab.txl_sweep_finish, handle)
    err = _lab.txl_error()
    report = _lab.parsed(lab.txl_sweep_json(byref(err), handle, byref(how)), err)
    about = _about(handle)
    gate = {"passed": bool(about.passed) if about.gated else None,
            "verdict": (_abi.text(about.verdict) or "") if about.gated else ""}
    return _result(report, gate)


def _page(handle: Any, how: Any, path: Path) -> None:
    from . import _lab
    from ._lab import lab

    err = _lab.txl_error()
    view = lab.txl_sweep_view(byref(err), handle, byref(how))
    if not view:
        _lab.raise_error(err, err.status)
    views = lab.txl_json_array()
    lab.txl_json_append(views, view)
    try:
        _lab.checked(lab.txl_sweep_html, views, _lab.encoded(os.fspath(path)))
    finally:
        lab.txl_json_free(views)


def merge(
    *states: Path, reference: Optional[str] = None, max_ulp: Optional[float] = None,
    budget: Optional[Path] = None, worst: int = _WORST, traces: int = 0, blame: bool = False,
    jobs: int = 1, engine: str = "auto", atol: Optional[float] = None,
    rtol: Optional[float] = None,
) -> SweepResult:
    """One sweep out of the state files of all its shards, which had the same atol and rtol.

    reference  as for sweep, where the shards had a file; other options too
    """
    from . import _lab
    from ._lab import lab

    if not states:
        raise TypeError("merge: state files are wanted")
    run = _Run(
        reference, None, max_ulp=max_ulp, budget=budget, worst=worst, traces=traces, blame=blame,
        domain=None, dst=None, out_dst=None, engine=engine, seed=0, rules=None, jobs=jobs,
        stride=0, sample=0, atol=atol, rtol=rtol,
    )
    handle = c_void_p()
    with run.budget():
        _lab.checked(
            lab.txl_sweep_merge, _lab.texts(states), len(states), byref(run.how), byref(handle))
        try:
            return _finished(handle, run.report)
        finally:
            lab.txl_sweep_close(handle)


Report = Union[Path, SweepResult, Mapping[str, Any]]
"""A file of "tensix sweep --json", a result, or the report of one."""


def sweep_diff(before: Report, after: Report) -> Dict[str, Any]:
    """What got worse from one report of sweeps to another, sweep by sweep: what "tensix sweep diff
    --json" says. worse and gone are 0 where nothing did."""
    from . import _lab
    from ._lab import lab

    handle, err = c_void_p(), _lab.txl_error()
    with Folder() as folder:
        names = [_report_file(before, "before", folder), _report_file(after, "after", folder)]
        _lab.checked(lab.txl_sweep_diff_open, *map(_lab.encoded, names), byref(handle))
    try:
        return dict(_lab.parsed(lab.txl_sweep_diff_json(byref(err), handle), err))
    finally:
        lab.txl_sweep_diff_close(handle)


def _report_file(report: Report, name: str, folder: Folder) -> str:
    if isinstance(report, SweepResult):
        report = report.report
    if not isinstance(report, Mapping):
        return os.fspath(report)
    if not report:
        raise ValueError(f"{name}: a sweep of the caller's own function has no report")
    return folder.bytes(json.dumps(report).encode(), name)


def sweep(
    kernel: KernelLike, domain: Any = "bf16",
    reference: Union[None, str, "os.PathLike[str]", Callable[..., Any]] = None, *,
    arch: Optional[str] = None, dst: Optional[str] = None, out_dst: Optional[str] = None,
    engine: str = "auto", seed: int = 0, rules: Rules = None, jobs: int = 1, stride: int = 0,
    sample: int = 0, vectorized: bool = True, progress: Progress = None,
    max_ulp: Optional[float] = None, budget: Optional[Path] = None, state: Optional[Path] = None,
    shard: Optional[Tuple[int, int]] = None, worst: int = _WORST, traces: int = 0,
    blame: bool = False, html: Optional[Path] = None, atol: Optional[float] = None,
    rtol: Optional[float] = None,
) -> Any:
    """A kernel over every input of a domain: a SweepResult.

    reference  a function: called here with float64 arrays of the inputs as Dst holds them
               (vectorized=False: with one float for each input), its result rounded once. Else the
               lab library does the work, as "tensix sweep": a name (exp, recip ...), FILE.py or
               FILE.so, rounded correctly; None: the kernel's .reference
    domain     bf16, fp16, tf32, fp32, FORMAT:LOW:HIGH, AxB for two inputs (docs/cli.md); with a
               function bf16, fp16 and parts of them, or arrays, one for each input
    stride     every Nth input, sample: that many
    jobs       threads; 0: one for each processor
    progress   called with inputs done and all of them, about twenty times a second; where it
               returns False the sweep ends with Cancelled, whose result is what was done
    max_ulp    the gate: passed is False where an error is larger, a number comes out as NaN or
               infinity, or there is a finding
    atol, rtol the same where |result - reference| is larger than atol + rtol |reference|
    budget     the same against the rows of a sfpu_accuracy_budget.yaml
    state      a file that keeps what is done, every second; a later call goes on from there, also
               after a crash
    shard      (I, N): only the Ith of N parts (from 1 on), with state; the result is None, and
               sweeps.merge adds the parts up
    worst      worst inputs, up to 100; traces: how many of them with their steps in report; blame:
               with the instruction at which the error of each enters
    html       a page is written there: error over input, histogram, worst inputs (docs/cli.md)

    With a function as reference there is only worst of what follows jobs; pass arrays instead of
    stride and sample.
    """
    program = as_program(kernel, arch)
    if callable(reference):
        others = {"stride": stride or None, "sample": sample or None, "progress": progress,
                  "max_ulp": max_ulp, "atol": atol, "rtol": rtol,
                  "budget": budget, "state": state, "shard": shard,
                  "traces": traces or None, "blame": blame or None, "html": html}
        given = [name for name, value in others.items() if value is not None]
        if given:
            raise ValueError(f"{given[0]}: not with a function as reference, called here")
        ready = Kernel(
            program, dst=dst, out_dst=out_dst, engine=engine, seed=seed, rules=rules,
            findings="ignore", jobs=jobs,
        )
        return _in_process(ready, domain, reference, vectorized, worst)
    if not isinstance(domain, str):
        raise TypeError("domain: arrays need a function as reference")
    return _by_library(
        program, None if reference is None else os.fspath(reference), progress, html, domain=domain,
        dst=dst, out_dst=out_dst, engine=engine, seed=seed, rules=rules, jobs=jobs, stride=stride,
        sample=sample, max_ulp=max_ulp, budget=budget, state=state, shard=shard, worst=worst,
        traces=traces, blame=blame, atol=atol, rtol=rtol,
    )
