# SPDX-License-Identifier: Apache-2.0
"""Arrays and tiles in files: .npy, .npz, tiles as they lie in L1; conversion, comparison.

A name that ends in .npy or .npz (FILE.npz:NAME) is an array, others are tiles as they lie in L1,
one after another. FILE:FORMAT states the format of tiles, or of an array's patterns.
"""

from __future__ import annotations

import json
import os
from ctypes import POINTER, byref, c_int, c_uint64, c_void_p
from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi, _lab
from ._abi import lib
from ._lab import Progress, checked, encoded, lab
from .arrays import take
from .formats import info
from .program import arch_number, integer

Path = Union[str, "os.PathLike[str]"]


@dataclass
class Converted:
    """What a conversion of a file did."""

    source: str
    """What it was: "float32 (4, 64, 64)"."""
    target: str
    route: str
    exact: Optional[int]
    """Elements without loss; None where no loss was measured."""
    report: Dict[str, Any] = field(default_factory=dict, repr=False)
    """All that "tensix convert --json" says: what was rounded, flushed ..., the worst of each."""


@dataclass
class FileDiff:
    """Two files, element by element."""

    different: bool
    elements: int
    differ: int
    max_ulp: int
    """Largest distance, mismatches (NaN against a number) aside."""
    report: Dict[str, Any] = field(default_factory=dict, repr=False)
    """All that "tensix diff --json" says: the first and the worst elements ..."""

    def __bool__(self) -> bool:
        return self.different


def _options(
    *, format: Optional[str] = None, tile: Sequence[int] = (32, 32),
    shape: Optional[Sequence[int]] = None, twos_complement: bool = False,
    shared_exp: Optional[int] = None,
) -> Any:
    """struct txl_tensor_options."""
    out = _lab.options(
        _lab.txl_tensor_options, twos_complement=bool(twos_complement), scratch=_lab.scratch(),
        force_shared_exp=shared_exp is not None,
        shared_exp=integer(shared_exp or 0, "shared_exp", 0, 255),
    )
    if format is not None:
        out.has_format, out.format = True, info(format).code
    rows, columns = (integer(side, "tile", 0, 255) for side in tile)
    out.tile = type(out.tile)(rows, columns, False, False)
    if not lib.tx_tile_ok(byref(out.tile)):
        raise ValueError(f"tile: {rows}x{columns} is none")
    if shape is not None:
        sides = [integer(side, "shape", 0, 2**63) for side in shape]
        out.shape, out.dimensions = (c_uint64 * max(len(sides), 1))(*sides), len(sides)
    return out


def load(name: Path, *, format: Optional[str] = None, **options: Any) -> np.ndarray:
    """All elements of a file: float32, int32 or uint32, of its shape.

    format  of tiles or patterns, where the name does not state it
    tile    rows and columns of a file of tiles, (32, 32)
    shape   of the array in a file of tiles; default: (tiles, rows, columns)
    twos_complement, shared_exp  as for formats.decode

    float64 is rounded to float32.
    """
    how, handle = _options(format=format, **options), c_void_p()
    checked(lab.txl_tensor_open, encoded(name), byref(how), byref(handle))
    try:
        about = lab.txl_tensor_info(handle).contents
        shape: Tuple[int, ...] = tuple(about.shape[i] for i in range(about.dimensions))
        words = np.empty(about.elements, np.uint32)
        checked(lab.txl_tensor_words, handle, words.ctypes.data)
        what = lib.tx_format_info(about.format).contents
        kind = np.float32 if not what.integer else np.int32 if what.bits < 32 else (
            np.int32 if what.has_sign else np.uint32)
        return words.view(kind).reshape(shape)
    finally:
        lab.txl_tensor_close(handle)


def save(name: Path, values: Any, *, format: Optional[str] = None, **options: Any) -> None:
    """Writes numbers (float32 or integers) into a file, which is there whole or not at all.

    Host code makes the format (to nearest even); default, of an array: float32, of integers int32.
    Options as for load.
    """
    array = take(values, "values").array
    options.setdefault("shape", array.shape)
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            words = np.ascontiguousarray(array, np.float32).view(np.uint32)
    elif array.dtype.kind in "iu":
        if array.size and not (-(2**31) <= int(array.min()) and int(array.max()) < 2**32):
            raise ValueError("values: an integer does not fit into 32 bits")
        words = (array.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
        if format is None and ":" not in os.path.basename(os.fspath(name)):
            format = "uint32" if array.dtype.kind == "u" else "int32"
    else:
        raise TypeError(f"values: dtype {array.dtype} is neither floats nor integers")
    how = _options(format=format, **options)
    checked(lab.txl_tensor_write, encoded(name), byref(how), words.ctypes.data)


def _format_number(name: str, what: str) -> int:
    out = c_int(0)
    checked(lab.txl_parse_format, what.encode(), name.encode("utf-8", "replace"), byref(out))
    return out.value


def convert(
    source: Path, target: Path, *, arch: Optional[str] = None, route: Optional[str] = None,
    to: Optional[str] = None, dst: Optional[str] = None, progress: Progress = None, **options: Any,
) -> Converted:
    """A file into another one of another format, which is there whole or not at all.

    arch      whose card does it; not needed for the route "host"
    route     "host", "pack", "unpack", "unpack+pack" or a conversion by its name; default: what the
              card does
    to        format of target, where its name does not state it
    dst       format in Dst on the way; default: what kernels use
    progress  called with tiles done and all of them; False ends it with Cancelled

    Options as for load, of source; the tile is that of both.
    """
    work = _lab.Work(progress)
    inner = _options(**options)
    how = _lab.options(
        _lab.txl_convert_options, arch=arch_number(arch), route=encoded(route),
        progress=work.function,
    )
    how.__setattr__("in", type(getattr(how, "in"))(inner))
    if to is not None:
        how.has_to, how.to = True, _format_number(to, "to")
    if dst is not None:
        how.has_dst, how.dst = True, _format_number(dst, "dst")
    out = POINTER(_lab.txl_conversion)()
    work.checked(lab.txl_convert, encoded(source), encoded(target), byref(how), byref(out))
    try:
        c = out.contents
        report = json.loads(_lab.owned(lab.txl_conversion_json(out)))
        shape = _abi.text(c.shape)
        return Converted(
            f"{_abi.text(getattr(c, 'from'))} {shape}", f"{_abi.text(c.to)} {shape}",
            _abi.text(c.route), report["loss"]["exact"] if c.measured else None, report,
        )
    finally:
        lab.txl_conversion_free(out)


def diff(
    a: Path, b: Path, *, max_ulp: Optional[int] = None, show: int = 10, progress: Progress = None,
    **options: Any,
) -> FileDiff:
    """Two files of one shape.

    max_ulp   elements so far apart are the same; default: only the same bits are
    show      how many of the first and of the worst elements report lists
    progress  called with tiles done and all of them; False ends it with Cancelled

    Options as for load, of both; format is also the one whose ULPs count.
    """
    work = _lab.Work(progress)
    inner = _options(**options)
    how = _lab.options(
        _lab.txl_diff_options, has_max=max_ulp is not None,
        max_ulp=integer(max_ulp or 0, "max_ulp", 0, 2**64 - 1),
        show=integer(show, "show", 0, 1000), progress=work.function,
    )
    how.__setattr__("in", type(getattr(how, "in"))(inner))
    out = POINTER(_lab.txl_diff)()
    work.checked(lab.txl_diff, encoded(a), encoded(b), byref(how), byref(out))
    try:
        d = out.contents
        report = json.loads(_lab.owned(lab.txl_diff_json(out)))
        return FileDiff(bool(d.different), d.elements, d.differ, d.max_ulp, report)
    finally:
        lab.txl_diff_free(out)
