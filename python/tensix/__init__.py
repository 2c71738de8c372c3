# SPDX-License-Identifier: Apache-2.0
"""Bit-exact, cycle-exact emulation of Tenstorrent's Tensix vector unit.

    import numpy, tensix
    y = tensix.run("kernel.s", x, arch="blackhole")

docs/python.md of the project is the guide. What a program does not use is not imported: numpy and
the library are loaded with the first name that needs them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, List

_HOMES = {
    "kernel": ("Kernel", "Result", "run"),
    "machine": ("Machine", "Counters"),
    "program": ("Program", "Recorder", "assemble", "disassemble"),
    "findings": ("Finding",),
    "events": ("Event",),
    "lab": ("compare", "Comparison", "lint", "LintResult", "expand", "schedule", "Schedule",
            "form", "Form", "shadow", "Account", "trace", "isa", "explain", "explain_text", "dis",
            "dst_map"),
    "fitting": ("fit", "Fit"),
    "sweeps": ("sweep", "merge", "sweep_diff", "SweepResult"),
    "runs": ("measure", "Measured", "find_gaps", "Gaps", "Gap", "cycles", "profile", "run_l1",
             "L1Result"),
    "evaluation": ("evaluate", "Evaluation", "Change"),
    "debugging": ("Debug",),
    "tile": ("run_tile", "TileResult", "Core"),
    "races": ("race", "Races"),
    "benchmarks": ("bench",),
    "vectors": ("check", "Checked", "VectorFailure", "record_vectors"),
    "errors": (
        "TensixError", "Fault", "UndefinedBehavior", "UnpredictableValue",
        "NonContractualBehavior", "MissingSpecification", "Unsupported", "Hazard",
        "FindingError", "FindingWarning", "AssemblyError", "Deadlock", "UnsupportedError",
        "ClosedError", "LabError",
        "InputError", "Cancelled",
    ),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ("formats", "files", "conformance", "testing", "arrays", "chip")

__all__ = [
    "Kernel", "Result", "run", "Machine", "Counters", "Program", "Recorder", "assemble",
    "disassemble", "Finding", "Event", "sweep", "sweep_diff", "SweepResult", "TensixError", "Fault",
    "UndefinedBehavior", "UnpredictableValue", "NonContractualBehavior", "MissingSpecification",
    "Unsupported", "Hazard", "FindingError", "FindingWarning", "AssemblyError", "Deadlock",
    "UnsupportedError", "ClosedError", "LabError", "InputError", "Cancelled", "compare",
    "Comparison", "lint", "LintResult", "expand", "schedule", "Schedule", "form", "Form", "shadow",
    "fit", "Fit", "Account", "trace", "isa", "explain", "explain_text", "dis", "dst_map", "merge",
    "measure", "Measured", "find_gaps", "Gaps", "Gap", "cycles", "profile", "run_l1", "L1Result",
    "evaluate",
    "Evaluation", "Change", "run_tile", "TileResult", "Core", "race", "Races", "Debug", "bench",
    "check", "Checked", "VectorFailure", "record_vectors", "formats", "files", "conformance",
    "testing", "arrays", "chip",
    "__version__",
]

if TYPE_CHECKING:
    from . import arrays, chip, conformance, files, formats, testing
    from .benchmarks import bench
    from .debugging import Debug
    from .errors import (
        AssemblyError, Cancelled, ClosedError, Deadlock, Fault, FindingError, FindingWarning,
        Hazard, InputError, LabError, MissingSpecification, NonContractualBehavior, TensixError,
        UndefinedBehavior, UnpredictableValue, Unsupported, UnsupportedError,
    )
    from .evaluation import Change, Evaluation, evaluate
    from .events import Event
    from .findings import Finding
    from .fitting import Fit, fit
    from .kernel import Kernel, Result, run
    from .lab import (
        Account, Comparison, LintResult, Schedule, compare, dis, dst_map, expand, explain,
        explain_text, form, isa, lint, schedule, shadow, trace,
    )
    from .machine import Counters, Machine
    from .program import Program, Recorder, assemble, disassemble
    from .races import Races, race
    from .runs import (
        Gap, Gaps, L1Result, Measured, cycles, find_gaps, measure, profile, run_l1,
    )
    from .sweeps import SweepResult, merge, sweep, sweep_diff
    from .tile import Core, TileResult, run_tile
    from .vectors import Checked, VectorFailure, check, record_vectors

    __version__: str


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    elif name in _MODULES:
        value = importlib.import_module(f"{__name__}.{name}")
    elif name == "__version__":
        from ._abi import lib, text

        value = text(lib.tx_version())
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted(__all__)
