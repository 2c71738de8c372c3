# SPDX-License-Identifier: Apache-2.0
"""The debugger: a kernel, stopped and looked at, forwards and backwards in time."""

from __future__ import annotations

from ctypes import byref, c_char_p, c_void_p, cast
from typing import Any, Dict, Optional

from . import _lab
from ._folder import Folder
from ._lab import encoded, lab
from .errors import ClosedError
from .kernel import KernelLike, as_program
from .program import integer
from .runs import _Options


class Debug:
    """A kernel that goes on and back as it is told, in the commands of docs/debug.md.

        with tensix.Debug("relu.s", x) as debug:
            debug("watch L3[7] nan")
            if debug("continue")["stop"] == "breakpoint":
                for step in debug("why L3[7]")["chain"]:
                    print(step["text"], step["value"])

    arrays       as for measure; left out: numbers drawn by the seed
    tile, tiles  the first tile, and how many (0: all of the arrays)

    The other options are those of measure.
    """

    def __init__(
        self, kernel: KernelLike, *arrays: Any, tile: int = 0, tiles: int = 0,
        arch: Optional[str] = None, payload: str = "", **options: Any,
    ):
        self._handle: Optional[c_void_p] = None
        self._program = as_program(kernel, arch)
        self._work = _lab.Work()
        self._folder = Folder()
        self._folder.__enter__()
        try:
            self._how = _Options(self._program, self._work, **options)
            self._how.inputs(
                [self._folder.array(a, f"array {i}", payload) for i, a in enumerate(arrays)])
            how = _lab.options(
                _lab.txl_debug_options, tile=integer(tile, "tile", 0, 2**63),
                tiles=integer(tiles, "tiles", 0, 2**63), progress=self._work.function)
            handle = c_void_p()
            _lab.checked(lab.txl_debug_open, self._program._handle, encoded(self._program.name),
                         byref(self._how.struct), byref(how), byref(handle))
            self._handle = handle
        except BaseException:
            self.close()
            raise

    def _call(self, command: str, text: Any, json: Any) -> None:
        if self._handle is None:
            raise ClosedError("the debugger is closed")
        self._work.checked(lab.txl_debug_do, self._handle, command.encode(), text, json)

    def __call__(self, command: str) -> Dict[str, Any]:
        """One command, and its answer as "tensix debug --json" gives it."""
        answer = c_void_p()
        self._call(command, None, byref(answer))
        return dict(_lab.parsed(answer.value))

    def text(self, command: str) -> str:
        """One command, and its answer for people."""
        answer = c_char_p()
        self._call(command, byref(answer), None)
        return _lab.owned(cast(answer, c_void_p).value)

    def close(self) -> None:
        if self._handle is not None:
            lab.txl_debug_close(self._handle)
            self._handle = None
        self._folder.__exit__(None, None, None)

    def __enter__(self) -> "Debug":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
