# SPDX-License-Identifier: Apache-2.0
"""Programs on a grid of tiles: a device, buffers, and programs of kernels, without a host stack.

    from tensix import chip

    device = chip.device("p150", grid=(4, 4))
    a = device.buffer(array, format="bf16")
    out = device.buffer(shape=array.shape, format="bf16")
    program = device.program()
    program.circular_buffer(0, pages=2, page=2048)
    program.kernel("reader.cpp", "data_movement_0", args=[a, 8])
    ...
    program.run()
    print(out.numpy())

docs/chip.md is the manual. What a program means is decided by the lab library alone: this module
writes the same JSON that "tensix chip run" reads.
"""

from __future__ import annotations

import ctypes
import json
import os
from ctypes import byref, c_uint, c_void_p
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _lab, formats
from ._lab import Progress, encoded, lab
from .program import integer
from .recording import _headers

Tile = Tuple[int, int]
Tiles = Union[None, str, Tile, Sequence[str]]
"""All tiles, "0,0-3,3", (0, 0), or a list of such texts."""


def _tiles(tiles: Tiles) -> Any:
    if isinstance(tiles, tuple) and len(tiles) == 2 and all(isinstance(n, int) for n in tiles):
        return f"{tiles[0]},{tiles[1]}"
    return tiles if tiles is None or isinstance(tiles, str) else list(tiles)


@dataclass(frozen=True)
class Semaphore:
    """A semaphore of a program; as an argument it is its number, for get_semaphore."""

    name: str
    index: int


@dataclass
class Result:
    """What a run did."""

    cycles: int
    tiles: int
    instructions: int
    findings: List[str]
    report: Dict[str, Any] = field(default_factory=dict, repr=False)
    """All that "tensix chip run --json" says."""


class Buffer:
    """Memory in DRAM or L1 of a device; it stays there from program to program."""

    def __init__(self, device: Device, name: str, format: Optional[str], layout: str,
                 shape: Optional[Tuple[int, ...]], where: str) -> None:
        self._device = device
        self.name = name
        self.format = format
        self.layout = layout
        self.shape = shape
        about = _lab.txl_chip_buffer()
        _lab.checked(lab.txl_chip_buffer, device._handle, encoded(name), byref(about))
        self.address: int = about.address
        """In every bank of DRAM, or in every tile."""
        self.page: int = about.page
        self.pages: int = about.pages
        self.nbytes: int = about.bytes
        self.accessor: List[int] = [2 if where == "dram" else 0, about.apart]
        """Compile-time arguments from which tt-metal's TensorAccessorArgs knows the buffer."""

    def write(self, values: Any) -> None:
        """Numbers, converted as the format wants it; without a format the array's own bytes."""
        data = self._bytes(np.asarray(values))
        if len(data) > self.pages * self.page:
            raise ValueError(f"{self.name}: {len(data)} bytes into {self.pages * self.page}")
        _lab.checked(lab.txl_chip_buffer_write, self._device._handle, encoded(self.name), data,
                     len(data))

    def _bytes(self, values: np.ndarray) -> bytes:
        if self.format is None:
            return np.ascontiguousarray(values).tobytes()
        if self.shape is not None and values.size != int(np.prod(self.shape)):
            raise ValueError(f"{self.name}: shape {values.shape}, not {self.shape}")
        values = values.reshape(self.shape) if self.shape is not None else values
        if self.layout == "rows":
            return formats.convert(values, self.format).tobytes()
        return formats.encode(values, self.format, arch=self._device.arch,
                              twos_complement=formats.info(self.format).integer).tobytes()

    def read(self) -> bytes:
        """The bytes as they lie there, page after page."""
        data = ctypes.create_string_buffer(self.nbytes)
        _lab.checked(lab.txl_chip_buffer_read, self._device._handle, encoded(self.name), data,
                     self.nbytes)
        return data.raw

    def numpy(self) -> np.ndarray:
        """As numbers: float32, or the integers of the format; without a format as uint8."""
        data = np.frombuffer(self.read(), np.uint8)
        if self.format is None or self.shape is None:
            return data.copy()
        if self.layout == "rows":
            found = formats.info(self.format)
            payload = data.view(formats.dtype(self.format)).reshape(self.shape)
            return formats.convert(payload, "int32" if found.integer else "float32",
                                   source=self.format)
        return formats.decode(data, self.format, self.shape,
                              twos_complement=formats.info(self.format).integer)


class Program:
    """Kernels with what they need, for one run."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._parts: Dict[str, List[Dict[str, Any]]] = {
            "semaphores": [], "circular_buffers": [], "kernels": []}
        self._texts = 0

    def semaphore(self, value: int = 0, tiles: Tiles = None) -> Semaphore:
        """A word in L1 of each of the tiles, with its first value."""
        known = self._parts["semaphores"]
        made = Semaphore(f"s{len(known)}", len(known))
        known.append(_given(name=made.name, value=value, tiles=_tiles(tiles)))
        return made

    def circular_buffer(
        self, index: Union[int, Sequence[int]], pages: int, page: int, *, tiles: Tiles = None,
        format: Optional[str] = None, buffer: Optional[Buffer] = None,
    ) -> None:
        """Pages between two kernels of a tile. Several indices share the memory; buffer is a buffer
        in L1 whose memory it is. format is wanted by compute kernels in tt-metal's headers."""
        self._parts["circular_buffers"].append(_given(
            index=index if isinstance(index, int) else list(index), pages=pages, page=page,
            tiles=_tiles(tiles), format=format, buffer=buffer.name if buffer else None))

    def kernel(
        self, file: Union[str, os.PathLike[str]], processor: str, *, tiles: Tiles = None,
        args: Sequence[Any] = (), tile_args: Optional[Mapping[Tile, Sequence[Any]]] = None,
        compile_args: Sequence[Any] = (), common_args: Sequence[Any] = (),
        defines: Optional[Mapping[str, str]] = None, noc: Optional[int] = None,
        headers: str = "tensix", options: Optional[Mapping[str, Any]] = None,
    ) -> None:
        """A kernel on some tiles.

        file          a source, or an ELF file (.elf) for one core
        processor     data_movement_0, data_movement_1, compute; of an ELF file also b, t0 ...
        args          words, buffers (their address) and semaphores (their number)
        tile_args     (column, row) -> args of that tile, instead
        compile_args  what get_compile_time_arg_val gives
        noc           the one that a data movement kernel uses; default 0 for the first, 1
        headers       tensix: tensix/kernel/dataflow.h; metal: tt-metal's own, which the vendor's
                      compiler compiles
        options       of compute kernels in tt-metal's headers: see docs/chip.md
        """
        path = os.path.abspath(os.fspath(file))[1:]
        own = {f"{x},{y}": _values(values) for (x, y), values in (tile_args or {}).items()}
        self._parts["kernels"].append(_given(
            **{"elf" if path.endswith(".elf") else "source": path}, processor=processor,
            tiles=_tiles(tiles), args=_values(args), tile_args=own or None,
            compile_args=_values(compile_args), common_args=_values(common_args),
            defines=dict(defines) if defines else None, noc=noc,
            headers=headers if headers != "tensix" else None,
            options=dict(options) if options else None))

    def json(self) -> str:
        """The program in the form of docs/chip.md; buffers are those of the device."""
        return json.dumps({"schema": 1, **self._parts}, indent=1)

    def run(self, progress: Progress = None) -> Result:
        """Compiles, places and runs it. LabError: a deadlock, a fault; it says who waits."""
        self._device._program(self.json())
        return self._device._run()


def _given(**members: Any) -> Dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _values(values: Sequence[Any]) -> List[Any]:
    def word(value: Any) -> Any:
        if isinstance(value, Buffer):
            return {"buffer": value.name}
        if isinstance(value, Semaphore):
            return {"semaphore": value.name}
        return dict(value) if isinstance(value, Mapping) else int(value)

    return [word(value) for value in values]


class Device:
    """A chip. It is closed when it is not used any more, or at the end of a with block."""

    def __init__(
        self, product: Optional[str] = None, *, grid: Optional[Tuple[int, int]] = None,
        untimed: Optional[bool] = None, threads: int = 0, strict: bool = False,
        max_cycles: int = 0, sfpi: Optional[str] = None, races: Optional[str] = None,
    ) -> None:
        """races: contract or documented, the level at which accesses that nothing orders are looked
        for (docs/order.md); see races()."""
        if races not in (None, "contract", "documented"):
            raise ValueError(f"races: {races!r} is neither contract nor documented")
        # What "tensix chip run" was told, for its PROGRAM.py.
        told = json.loads(os.environ.get("TENSIX_CHIP_RUN") or "{}")
        columns, rows = grid or told.get("grid") or (0, 0)
        how = _lab.options(
            _lab.txl_chip_options,
            product=encoded(told.get("product") or product or "p150"),
            columns=integer(columns, "grid", 0, 32), rows=integer(rows, "grid", 0, 32),
            untimed=bool(told.get("untimed") if untimed is None else untimed),
            strict=bool(strict or told.get("strict")),
            threads=integer(threads or told.get("threads", 0), "threads", 0, 64),
            races=bool(races or told.get("races")),
            documented=races == "documented" or (not races and bool(told.get("documented"))),
            delays=encoded(told["delays"]) if told.get("delays") else None,
            max_cycles=integer(max_cycles or told.get("max_cycles", 0), "max_cycles", 0, 2**63),
        )
        self._sfpi = sfpi or told.get("sfpi")
        self._report_to = os.environ.get("TENSIX_ORDER") if told.get("races") else None
        self._handle = c_void_p()
        _lab.checked(lab.txl_chip_open, byref(how), byref(self._handle))
        sides = (c_uint * 2)()
        lab.txl_chip_grid(self._handle, byref(sides, 0), byref(sides, ctypes.sizeof(c_uint)))
        self.grid: Tuple[int, int] = (sides[0], sides[1])
        """Columns and rows of Tensix tiles."""
        self._map = json.loads(_lab.owned(lab.txl_chip_map_json(self._handle)))
        self.arch: str = self._map["arch"]
        self._places = {tuple(t["logical"]): tuple(t["translated"]) for t in self._map["tiles"]
                        if "logical" in t}
        self._names = 0

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        if getattr(self, "_handle", None):
            order = lab.txl_chip_races(self._handle) if self._report_to else None
            if order:  # tensix chip run --races reads them
                with open(self._report_to, "a", encoding="utf-8") as out:
                    out.write(_lab.owned(lab.txl_order_json_text(order)) + "\n")
            lab.txl_chip_close(self._handle)
            self._handle = c_void_p()

    def races(self) -> Dict[str, Any]:
        """What all runs so far have not ordered, as "tensix chip run --races --json" has it in
        "races": findings with kind, sites and why. Runs after this are not watched."""
        order = lab.txl_chip_races(self._handle)
        if not order:
            raise ValueError("the device was opened without races")
        report: Dict[str, Any] = json.loads(_lab.owned(lab.txl_order_json_text(order)))
        return report

    def place(self, column: int, row: int) -> Tile:
        """The translated coordinates of a tile, by which requests over a NoC name it."""
        return self._places[column, row]

    def buffer(
        self, values: Any = None, *, format: Optional[str] = None, layout: str = "tiles",
        shape: Optional[Sequence[int]] = None, nbytes: Optional[int] = None,
        page: Optional[int] = None, shard: Optional[int] = None, where: str = "dram",
        tiles: Tiles = None,
    ) -> Buffer:
        """A buffer with values, of a shape in a format, or of nbytes in pages of page bytes.

        layout  of a format: tiles of 32x32, one to a page, or rows, one to a page
        shard   pages that lie together; 1: page after page in the next bank
        where   dram, or l1 with the tiles that share it
        """
        name = f"b{self._names}"
        array = None if values is None else np.asarray(values)
        size = tuple(shape) if shape is not None else None if array is None else array.shape
        if format is None:
            bytes_ = nbytes if nbytes is not None else array.nbytes if array is not None else None
            what = {"bytes": bytes_, "page": page or bytes_}
        else:
            what = {"format": format, "shape": list(size or ()), "page": page}
        described = _given(name=name, layout=layout if format else None, shard=shard,
                           **{"in": where}, tiles=_tiles(tiles), **what)
        self._program(json.dumps({"schema": 1, "buffers": [described]}))
        self._names += 1
        made = Buffer(self, name, format, layout, size if format else None, where)
        if array is not None:
            made.write(array)
        return made

    def program(self) -> Program:
        return Program(self)

    def read(self, column: int, row: int, address: int, nbytes: int) -> bytes:
        """Bytes of L1 or of registers of a tile."""
        data = ctypes.create_string_buffer(nbytes)
        _lab.checked(lab.txl_chip_read, self._handle, column, row, address, data, nbytes)
        return data.raw

    def write(self, column: int, row: int, address: int, data: bytes) -> None:
        _lab.checked(lab.txl_chip_write, self._handle, column, row, address, bytes(data),
                     len(data))

    def _program(self, text: str) -> None:
        how = _lab.options(
            _lab.txl_chip_program_options, folder=b"/", include=encoded(_headers()),
            scratch=_lab.scratch(), sfpi=encoded(self._sfpi), environment=_lab.environment(),
        )
        data = text.encode()
        _lab.checked(lab.txl_chip_program, self._handle, data, len(data), byref(how))

    def _run(self) -> Result:
        _lab.checked(lab.txl_chip_run, self._handle)
        report = json.loads(_lab.owned(lab.txl_chip_json(self._handle)))
        return Result(
            report["cycles"], report["tiles"], report["instructions"],
            [f"{f['category']} [{f['rule']}]: {f['message']}" for f in report["findings"]],
            report,
        )


def device(product: Optional[str] = None, **options: Any) -> Device:
    """Opens a chip: p100, p150, n150 or n300; grid=(columns, rows) for a smaller one."""
    return Device(product, **options)
