# SPDX-License-Identifier: Apache-2.0
"""What one does with kernels besides running them: compare, lint, expand, shadow, trace."""

from __future__ import annotations

import json
import os
from ctypes import byref, c_char_p, c_double, c_size_t, c_void_p, cast
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi, _lab
from ._folder import Folder, L1In, L1Out
from ._lab import Progress, checked, encoded, lab
from .kernel import Kernel, KernelLike, _addresses, _Open, _pad_tile, as_program
from .machine import Rules
from .program import Program, arch_number, dst_number, integer, start_number
from .sweeps import common_options

# ---- comparisons ----


@dataclass
class Comparison:
    """Two kernels over the inputs of a domain."""

    compared: int
    differing: int
    report: Dict[str, Any] = field(default_factory=dict, repr=False)
    """All that "tensix compare --json" says."""

    @property
    def identical(self) -> bool:
        return self.differing == 0


def compare(
    a: KernelLike, b: Optional[KernelLike] = None, domain: str = "bf16", *,
    arch: Optional[str] = None, arch_b: Optional[str] = None, dst: Optional[str] = None,
    out_dst: Optional[str] = None, engine: str = "auto", seed: int = 0, rules: Rules = None,
    jobs: int = 1, stride: int = 0, sample: int = 0, progress: Progress = None,
) -> Comparison:
    """Whether two kernels, or one on two chips (b left out, arch_b), give the same bits.

    Options as those of sweep. Where they differ, report has the first input and where they part.
    """
    first = as_program(a, arch)
    second = as_program(a if b is None else b, arch_b or arch)
    work = _lab.Work(progress)
    both = common_options(
        work, domain=domain, dst=dst, out_dst=out_dst, engine=engine, seed=seed, rules=rules,
        jobs=jobs, stride=stride, sample=sample,
    )
    how = _lab.options(
        _lab.txl_compare_options, a=encoded(first.name), b=encoded(second.name),
        program_a=first._handle, program_b=second._handle,
    )
    how.both = type(how.both)(both)
    handle = c_void_p()
    checked(lab.txl_compare_open, byref(how), byref(handle))
    try:
        work.checked(lab.txl_compare_run, handle)
        result = _lab.options(_lab.txl_compare_result)
        lab.txl_compare_result(handle, byref(result))
        err = _lab.txl_error()
        report = _lab.parsed(lab.txl_compare_json(byref(err), handle), err)
        return Comparison(result.compared, result.differing, report)
    finally:
        lab.txl_compare_close(handle)


# ---- lint ----


@dataclass
class LintResult:
    """What is wrong with programs."""

    found: bool
    """A finding, an SFPNOP that costs cycles for nothing, a program that did not end."""
    results: List[Dict[str, Any]]
    """One for each program (ELF file: function) and chip, as "tensix lint --json" has them."""

    def __bool__(self) -> bool:
        return self.found


def lint(
    *kernels: KernelLike, arch: Optional[str] = None, start: Optional[str] = None,
    dst: Optional[str] = None, max_cycles: int = 0, ttinsn: bool = False,
    progress: Progress = None,
) -> LintResult:
    """Timing hazards, everything else that the machine finds, missing and superfluous SFPNOPs.

    Files may be kernels, lists of hex words or ELF files of RISC-V. arch "both": on both chips.
    """
    both = arch == "both"
    work = _lab.Work(progress)
    how = _lab.options(
        _lab.txl_lint_options, arch=0 if both else arch_number(arch), both=both,
        ttinsn=bool(ttinsn), start=start_number(start), dst=dst_number(dst),
        max_cycles=integer(max_cycles, "max_cycles", 0, 2**63), progress=work.function,
    )
    handle = c_void_p()
    checked(lab.txl_lint_open, byref(how), byref(handle))
    kept = []
    try:
        for kernel in kernels:
            if isinstance(kernel, (str, os.PathLike)):
                work.checked(lab.txl_lint_file, handle, encoded(kernel))
            else:
                program = as_program(kernel, None if both else arch)
                kept.append(program)
                work.checked(
                    lab.txl_lint_program, handle, encoded(program.name), program._handle
                )
        report = json.loads(_lab.owned(lab.txl_lint_json(handle)))
        return LintResult(bool(lab.txl_lint_found(handle)), report["results"])
    finally:
        lab.txl_lint_close(handle)


# ---- SFPLOADMACRO in straight lines ----


def expand(
    kernel: KernelLike, *, arch: Optional[str] = None, dst: Optional[str] = None,
    out_dst: Optional[str] = None, tiles: int = 0, progress: Progress = None,
) -> Program:
    """The kernel without SFPLOADMACRO, proved over tiles of data (64). LabError: there is none."""
    program = as_program(kernel, arch)
    work = _lab.Work(progress)
    how = _lab.options(
        _lab.txl_expand_options, name=encoded(program.name), dst=dst_number(dst),
        out=dst_number(out_dst), tiles=integer(tiles, "tiles", 0, 2**63), progress=work.function,
    )
    handle = c_void_p()
    work.checked(lab.txl_expand, program._handle, byref(how), byref(handle))
    try:
        return Program(_abi.text(lab.txl_expansion_text(handle)), program._says("arch"),
                       program.name)
    finally:
        lab.txl_expansion_close(handle)


@dataclass
class Schedule:
    """A kernel with SFPLOADMACRO that starts a row every ii cycles."""

    program: Program
    ii: int
    optimal: bool
    """ii is the bound of the resources, or every smaller one was refuted."""
    report: dict
    """What the command's --json says."""


def schedule(
    kernel: KernelLike, *, arch: Optional[str] = None, dst: Optional[str] = None,
    out_dst: Optional[str] = None, ii: int = 0, seconds: int = 0, nodes: int = 0,
    templates: int = 0, sequences: int = 0, registers: Sequence[int] = (), keep_dst: bool = False,
    domain: Optional[str] = None, sample: int = 0, progress: Progress = None,
) -> Schedule:
    """The rows of a straight-line kernel as close as they can be, proved over the domain.

    ii 0: the smallest. templates, sequences: so many of the first ones, and registers: numbers of
    LRegs, are not to be used. keep_dst: nothing but results is stored in Dst. LabError: there is
    none, or none was found.
    """
    program = as_program(kernel, arch)
    work = _lab.Work(progress)
    mask = sum(1 << number for number in {integer(r, "registers", 0, 7) for r in registers})
    how = _lab.options(
        _lab.txl_schedule_options, name=encoded(program.name), dst=dst_number(dst),
        out=dst_number(out_dst), ii=integer(ii, "ii", 0, 32), registers=mask,
        templates=integer(templates, "templates", 0, 4),
        sequences=integer(sequences, "sequences", 0, 4),
        seconds=integer(seconds, "seconds", 0, 2**63), nodes=integer(nodes, "nodes", 0, 2**63),
        domain=encoded(domain), sample=integer(sample, "sample", 0, 2**63),
        progress=work.function, keep_dst=int(keep_dst),
    )
    handle = c_void_p()
    work.checked(lab.txl_schedule_find, program._handle, byref(how), byref(handle))
    try:
        err = _lab.txl_error()
        report = _lab.parsed(lab.txl_schedule_json(byref(err), handle), err)
        made = Program(_abi.text(lab.txl_schedule_text(handle)), program._says("arch"),
                       program.name)
        return Schedule(made, report["ii"], report["optimal"], report)
    finally:
        lab.txl_schedule_close(handle)


# ---- kernels of a form ----


@dataclass
class Form:
    """A kernel as form() writes it."""

    program: Program
    cycles: int
    """Of a tile."""
    report: dict
    """Evaluation, rows at a time, coefficients, error of the approximation."""


def form(
    reference: str, form: str, *, arch: str, dst: Optional[str] = None,
    domain: Optional[str] = None, budget: int = 0, progress: Progress = None,
) -> Form:
    """The kernel of a function: poly:N, rational:M,N, lut:3, lut:6 or arecip+newton:N.

    reference names the function, dst is fp32 or bf16. budget: cycles of a tile at most, for which
    the degree is reduced. LabError: the function has no such form, or the budget is too small.
    """
    work = _lab.Work(progress)
    chip = arch_number(arch)
    how = _lab.options(
        _lab.txl_form_options, form=encoded(form), reference=encoded(reference), arch=chip,
        dst=dst_number(dst), domain=encoded(domain), budget=integer(budget, "budget", 0, 2**63),
        progress=work.function,
    )
    handle = c_void_p()
    work.checked(lab.txl_form_write, byref(how), byref(handle))
    try:
        err = _lab.txl_error()
        report = _lab.parsed(lab.txl_form_json(byref(err), handle), err)
        made = Program(_abi.text(lab.txl_form_text(handle)), chip, f"{reference} by {form}")
        return Form(made, report["cycles"], report)
    finally:
        lab.txl_form_close(handle)


# ---- shadow execution ----


@dataclass
class Account:
    """The error of one element, in ULP, and the instructions that made it."""

    element: int
    got: float
    exact: str
    """What exact arithmetic gives."""
    error: float
    method: float
    """Part of the error that exact arithmetic would leave."""
    steps: List[Dict[str, Any]] = field(repr=False)
    """In order of execution, as "tensix run --shadow --json" has them."""
    report: Dict[str, Any] = field(default_factory=dict, repr=False)


def shadow(
    kernel: KernelLike, *arrays: Any, element: int = 0,
    reference: Union[None, float, Callable[..., Any]] = None, arch: Optional[str] = None,
    dst: Optional[str] = None, out_dst: Optional[str] = None, seed: int = 0, rules: Rules = None,
    payload: str = "",
) -> Account:
    """Which instruction is to blame for how much of the error of an element of the first tile.

    arrays     as for run; the first 1024 elements count
    reference  the right value there, or a function of the element's inputs; None: error is that
               against exact arithmetic
    """
    ready = Kernel(
        kernel, arch=arch, dst=dst, out_dst=out_dst, engine="reference", seed=seed, rules=rules,
        findings="ignore",
    )
    inputs, shape = ready._inputs(arrays, payload, None if arrays else np.empty(_abi.TILE))
    size = min(int(np.prod(shape)), _abi.TILE)
    place = integer(element, "element", 0, max(size - 1, 0))
    handle = c_void_p()
    checked(
        lab.txl_shadow_open, ready.program._handle, ready._dst, ready._out_dst, byref(handle)
    )
    try:
        output = np.empty(_abi.TILE, np.uint32)
        tile = _pad_tile(inputs, 0)
        opened = _Open(ready, listener=(lab.txl_shadow_event, handle))
        lab.txl_shadow_begin(handle)
        opened.tile(0, _addresses(tile, 0), output.ctypes.data)
        opened.close()
        if callable(reference):
            reference = float(reference(*(_number(ready._dst, t[place]) for t in tile)))
        return _account(handle, ready, place, int(output[place]), reference)
    finally:
        lab.txl_shadow_close(handle)


def _number(dst: int, word: Any) -> float:
    held = _abi.lib.tx_dst_encode(dst, int(word), None)
    return float(lab.txl_word_number(dst, held, False))


def _account(
    handle: Any, ready: Kernel, place: int, word: int, reference: Optional[float]
) -> Account:
    right = None if reference is None else byref(c_double(reference))
    account = c_void_p()
    checked(lab.txl_shadow_account, handle, place, word, right, byref(account))
    try:
        total = lab.txl_account_total(account).contents
        report = _lab.parsed(lab.txl_account_json(account))
        return Account(
            place, lab.txl_word_number(ready._out_dst, word, False), _abi.text(total.exact),
            total.error, total.method, report["steps"], report,
        )
    finally:
        lab.txl_account_close(account)


# ---- what each unit does in each cycle ----

_FORMS: Tuple[str, ...] = _abi.names_of(_lab.ENUMS["txl_trace_form"])[:-1]


def trace(
    kernel: KernelLike, form: str = "table", *, arch: Optional[str] = None,
    inputs: Sequence[Any] = (), tile: int = 0, tiles: int = 1, first: int = 0, end: int = 0,
    init: bool = False, regs: Sequence[int] = (), compact: bool = False, strict: bool = False,
    rules: Rules = None, l1: Optional[L1In] = None, l1_out: Optional[L1Out] = None,
    progress: Progress = None,
) -> str:
    """A trace of the kernel as text, which the caller writes where it belongs.

    form        table, json (lines, docs/trace-format.md), chrome (ui.perfetto.dev), konata, html,
                view (what the page shows, as JSON)
    inputs      arrays as for run; none: random numbers
    tile, tiles the first one, and how many
    first, end  cycles that are shown, from first to before end; 0: to the last
    init        .init too, before the tile
    regs        LRegs whose new values table and JSON show
    l1, l1_out  a program from L1 to L1, as for run_l1: no arrays then
    progress    called with tiles done and all of them; False ends it with Cancelled
    """
    if form not in _FORMS:
        raise ValueError(f"form: {form!r} is none of {', '.join(_FORMS)}")
    from .machine import settings_of

    program = as_program(kernel, arch)
    settings = settings_of(program._says("arch"), strict, rules)
    work = _lab.Work(progress)
    how = _lab.options(
        _lab.txl_trace_options, name=encoded(program.name), tile=integer(tile, "tile", 0, 2**63),
        tiles=integer(tiles, "tiles", 1, 2**63), init=bool(init), compact=bool(compact),
        progress=work.function, scratch=_lab.scratch(),
    )
    how.settings = type(how.settings)(settings)
    for reg in regs:
        how.regs |= 1 << integer(reg, "regs", 0, 16)
    how.first, how.end = integer(first, "first", 0, 2**63), integer(end, "end", 0, 2**63)
    written, size = c_char_p(), c_size_t()
    with Folder() as folder:
        names = [folder.array(array, f"input {i}") for i, array in enumerate(inputs)]
        places = folder.l1_in(l1), folder.l1_out(l1_out)
        how.inputs, how.input_count = _lab.texts(names), len(names)
        how.l1_in, how.l1_in_count = _lab.texts(places[0]), len(places[0])
        how.l1_out, how.l1_out_count = _lab.texts(places[1]), len(places[1])
        try:
            work.checked(
                lab.txl_trace_text, program._handle, byref(how), _FORMS.index(form),
                byref(written), byref(size),
            )
        except BaseException:
            _lab._free(cast(written, c_void_p))
            raise
    return _lab.owned(cast(written, c_void_p).value)


# ---- the tables ----


def isa(arch: Optional[str] = None) -> Dict[str, Any]:
    """Instructions, behaviours, errata, evidence, rules, configuration fields: what "tensix isa"
    has, of one chip or of both."""
    return dict(json.loads(_lab.owned(lab.txl_isa_json(arch_number(arch)))))


def explain(
    subject: str, value: Optional[str] = None, *, arch: Optional[str] = None
) -> Dict[str, Any]:
    """What is known of a mnemonic, a word in hex, or an id: of a behaviour, an erratum, evidence, a
    rule switch, a configuration field. value: a word of ".sequence", ".misc" or ".template"."""
    return dict(json.loads(_explained(lab.txl_explain_json, subject, value, arch)))


def explain_text(
    subject: str, value: Optional[str] = None, *, arch: Optional[str] = None
) -> str:
    """The same as "tensix explain" prints it."""
    return _explained(lab.txl_explain_text, subject, value, arch)


def _explained(function: Any, subject: str, value: Optional[str], arch: Optional[str]) -> str:
    word = None if value is None else encoded(value)
    written = c_char_p()
    checked(function, arch_number(arch), encoded(subject), word, byref(written))
    return _lab.owned(cast(written, c_void_p).value)


def dis(*items: Any, arch: Optional[str] = None, ttinsn: bool = False) -> List[Dict[str, Any]]:
    """Words disassembled, each with its fields and its behaviour: hex words as text, files of such
    words, or ELF files of RISC-V, function by function. arch: where the files do not say it."""
    how = _lab.options(_lab.txl_dis_options, arch=arch_number(arch), ttinsn=bool(ttinsn))
    written = c_char_p()
    checked(lab.txl_dis_json, _lab.texts(items), len(items), byref(how), byref(written))
    return list(json.loads(_lab.owned(cast(written, c_void_p).value)))


def dst_map(address: int, arch: str, dst: Optional[str] = None) -> Dict[str, Any]:
    """Where the lanes of an SFPLOAD or SFPSTORE at a resolved address (0 to 1023) are: row and
    column of Dst, and element of which 32x32 tile, in the view of a Dst format (fp32)."""
    written = c_char_p()
    place = integer(address, "address", 0, 1023)
    checked(lab.txl_map_json, arch_number(arch), dst_number(dst), place, byref(written))
    return dict(json.loads(_lab.owned(cast(written, c_void_p).value)))
