# SPDX-License-Identifier: Apache-2.0
"""Conformance vectors by the lab library: on any engine, and recorded from programs.

The runner of tensix.conformance is another one, written for itself.
"""

from __future__ import annotations

import os
from ctypes import POINTER, byref, c_char_p, c_size_t, c_void_p, cast
from dataclasses import dataclass
from typing import Dict, List, Optional, Union

from . import _abi, _lab
from ._lab import Progress, checked, encoded, lab, texts
from .machine import thread_number
from .program import arch_number, integer

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class VectorFailure:
    """A vector that failed, or a line that could not be understood."""

    file: str
    line: int
    name: str
    message: str
    """The first difference."""


@dataclass
class Checked:
    """What became of vectors."""

    passed: int
    failures: List[VectorFailure]
    reference_only: Dict[str, int]
    """What the reference engine ran alone: reason -> vectors."""

    @property
    def failed(self) -> int:
        return len(self.failures)

    def __bool__(self) -> bool:
        """Whether all passed."""
        return not self.failures


def _checked(out: object) -> Checked:
    c = out.contents  # type: ignore[attr-defined]
    failures = [VectorFailure(_abi.text(f.file) or "", f.line, _abi.text(f.name) or "",
                              _abi.text(f.message))
                for f in (c.failures[i] for i in range(c.failed))]
    left = {_abi.text(entry.reason): int(entry.count) for entry in c.left if entry.reason}
    return Checked(c.passed, failures, left)


def check(
    *paths: Path, text: Optional[str] = None, engine: str = "reference", jobs: int = 1,
    strict_version: bool = False, progress: Progress = None,
) -> Checked:
    """Runs vectors out of files of lines (.jsonl, plain or gzip), or those of text.

    engine    reference; fast or compiled: on every level of this CPU, beside the reference
    jobs      vectors at a time, up to 64
    strict_version  refuses vectors without "format": 1
    progress  called with vectors done and 0 (how many there are is not known); False ends it with
              Cancelled
    """
    if (text is None) == (not paths):
        raise TypeError("check: files or text is wanted")
    if engine not in ("reference", "fast", "compiled"):
        raise ValueError(f"engine: {engine!r} is none of reference, fast, compiled")
    work = _lab.Work(progress)
    how = _lab.options(
        _lab.txl_check_options, engine=_lab.engine_number(engine),
        compiler=_lab.compiler() if engine == "compiled" else None,
        jobs=integer(jobs, "jobs", 0, 64), strict_version=bool(strict_version),
        progress=work.function,
    )
    out = POINTER(_lab.txl_check)()
    if text is None:
        work.checked(lab.txl_check_files, texts(paths), len(paths), byref(how), byref(out))
    else:
        data = text.encode("utf-8", "replace")
        work.checked(lab.txl_check_text, data, len(data), byref(how), byref(out))
    try:
        return _checked(out)
    finally:
        lab.txl_check_free(out)


def record_vectors(
    *programs: Path, arch: Optional[str] = None, thread: int = 1, initial: Optional[Path] = None,
) -> str:
    """Runs each program file and gives its vector as a line of JSON, and a second one of strict
    mode where this stops.

    initial  file with a state object; default: as after reset
    """
    if not programs:
        raise TypeError("record_vectors: programs are wanted")
    how = _lab.options(
        _lab.txl_vectors_options, arch=arch_number(arch), thread=thread_number(thread),
        initial=encoded(initial),
    )
    written, size = c_char_p(), c_size_t()
    checked(
        lab.txl_vectors_record, texts(programs), len(programs), byref(how), byref(written),
        byref(size),
    )
    return _lab.owned(cast(written, c_void_p).value)
