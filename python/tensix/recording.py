# SPDX-License-Identifier: Apache-2.0
"""Kernels recorded from C and C++ by the lab library, which runs a compiler."""

from __future__ import annotations

import os
from ctypes import byref, c_char_p, c_size_t, c_void_p, cast
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence

from . import _lab
from ._lab import encoded, lab, texts


def _headers() -> Optional[Path]:
    """Those of the wheel, or of the source tree; else the compiler finds what is installed."""
    package = Path(__file__).resolve().parent
    for place in (package / "include", package.parent.parent / "include"):
        if (place / "tensix" / "ckernel_ops.h").is_file():
            return place
    return None


def record_source(
    name: str, arch: int, tile: str, init: Optional[str], head: Mapping[str, Any],
    compiler: Optional[str], standard: Optional[str], flags: Sequence[str], fuse: bool, spill: bool,
) -> str:
    """The kernel as text for the assembler."""
    lines = []
    for directive, value in head.items():
        if value is not None:
            lines += [f".{directive}", str(value)]
    kernel = _lab.options(
        _lab.txl_record_kernel, init=encoded(init), tile=encoded(tile), head=texts(lines),
        head_count=len(lines),
    )
    variable = "CC" if name.endswith(".c") else "CXX"
    work = _lab.Work()
    around = _lab.environment()
    how = _lab.options(
        _lab.txl_record_options, arch=arch, source=encoded(name),
        compiler=encoded(compiler or os.environ.get(variable) or None),
        standard=encoded(standard), include=encoded(_headers()), scratch=_lab.scratch(),
        flags=texts(flags), flag_count=len(flags), environment=around, no_fuse=not fuse,
        spill=spill, progress=work.function,
    )
    how.kernel = type(how.kernel)(kernel)
    handle = c_void_p()
    work.checked(lab.txl_record_open, byref(how), byref(handle))
    try:
        written, size = c_char_p(), c_size_t()
        work.checked(lab.txl_record_text, handle, 0, byref(written), byref(size))
        return _lab.owned(cast(written, c_void_p).value)
    finally:
        lab.txl_record_close(handle)
