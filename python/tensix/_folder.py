# SPDX-License-Identifier: Apache-2.0
"""Arrays on their way to functions of the lab library that take files, in a folder that goes."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .arrays import take
from .program import integer

L1In = Mapping[int, Any]
"""Address -> what lies there first: bytes, (array, "bf16") for tiles of 32x32 in that format,
(array, "bf16:rows") row by row, with ":sm" integers as sign and magnitude, or a file as text."""
L1Out = Mapping[int, Union[str, Tuple[str, Sequence[int]]]]
"""Address -> what is read there in the end: "bf16:64x64", "uint32:4:rows", ("bf16", (64, 64))."""


class Folder:
    """A temporary folder as a context."""

    def __init__(self) -> None:
        self._path = ""

    def __enter__(self) -> Folder:
        self._path = tempfile.mkdtemp(prefix="tensix-")
        return self

    def __exit__(self, *_: Any) -> None:
        shutil.rmtree(self._path, ignore_errors=True)

    def place(self, name: str) -> str:
        return os.path.join(self._path, name)

    def array(self, value: Any, name: str, payload: str = "") -> str:
        """An array as the library names it: a file, and the format of its patterns."""
        taken = take(value, name, payload)
        path = self.place(f"{name.replace(' ', '')}.npy")
        np.save(path, taken.array)
        return f"{path}:{taken.payload}" if taken.payload else path

    def bytes(self, value: bytes, name: str) -> str:
        path = self.place(f"{name.replace(' ', '')}.bin")
        with open(path, "wb") as stream:
            stream.write(value)
        return path

    def l1_in(self, l1: Optional[L1In]) -> List[str]:
        """ADDRESS=FILE for each."""
        out = []
        for address, value in (l1 or {}).items():
            where = f"{integer(address, 'l1', 0, 2**32 - 1):#x}"
            if isinstance(value, (bytes, bytearray, memoryview)):
                file = self.bytes(bytes(value), where)
            elif isinstance(value, (str, os.PathLike)):
                file = os.fspath(value)
            else:
                file = self._numbers(where, value)
            out.append(f"{where}={file}")
        return out

    def _numbers(self, where: str, value: Any) -> str:
        try:
            array, form = value
        except (TypeError, ValueError):
            raise TypeError(
                f"l1 {where}: bytes, (array, format) or a file is wanted, not "
                f"{type(value).__name__}"
            ) from None
        if not isinstance(form, str):
            raise TypeError(f"l1 {where}: format {form!r} is no text")
        path = self.place(f"{where}.npy")
        np.save(path, take(array, f"l1 {where}").array)
        return f"{path}:{form}"

    def l1_out(self, l1_out: Optional[L1Out]) -> List[str]:
        """ADDRESS:FORMAT:SHAPE=FILE for each."""
        out = []
        for address, form in (l1_out or {}).items():
            where = f"{integer(address, 'l1_out', 0, 2**32 - 1):#x}"
            if not isinstance(form, str):
                try:
                    name, shape = form
                    form = f"{name}:{'x'.join(str(integer(n, 'shape', 0, 2**63)) for n in shape)}"
                except (TypeError, ValueError):
                    raise TypeError(
                        f'l1_out {where}: "FORMAT:SHAPE" or (format, shape) is wanted, not {form!r}'
                    ) from None
            out.append(f"{where}:{form}={self.place(where)}.out.npy")
        return out

    def outputs(self, l1_out: Optional[L1Out]) -> Dict[int, np.ndarray]:
        return {at: np.load(self.place(f"{int(at):#x}.out.npy")) for at in l1_out or {}}
