# SPDX-License-Identifier: Apache-2.0
"""A Tensix back end: give it words, read any register."""

from __future__ import annotations

import ctypes
import operator
import operator
import threading
import weakref
from ctypes import byref, c_bool, c_uint32, c_void_p, sizeof
from typing import (
    Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union,
)

import numpy as np

from . import _abi
from ._abi import FILE, lib, text
from .arrays import take, words_of
from .callbacks import Watch
from .errors import ClosedError, Deadlock, Owner, TensixError, raise_status
from .findings import Finding, fault_of, finding_of
from .program import Program, _chip, assemble, dst_number, integer, start_number, word_list
from .events import Event, collector, notes_of

Words = Union[Program, str, Iterable[int]]
Rules = Union[None, Mapping[str, str], Iterable[str]]

# Rows and values of each register file, as machine.h states them.
SHAPES: Dict[str, Tuple[int, int]] = {
    "LREG": (17, 32), "LANE_FLAGS": (1, 1), "USE_LANE_FLAGS": (1, 1), "FLAG_STACK": (8, 2),
    "STACK_DEPTH": (1, 32), "PRNG": (1, 32), "LANE_CONFIG": (1, 8), "MACRO_TEMPLATE": (4, 32),
    "MACRO_SEQUENCE": (4, 32), "MACRO_MISC": (1, 32), "DST": (1024, 16), "DST_VALID": (1024, 1),
    "DST_KNOWN": (1024, 1), "RWC": (3, 9), "CONFIG": (512, 1), "THREAD_CONFIG": (384, 1),
    "GPR": (192, 1), "SHIFT_LATCH": (1, 32), "REPLAY": (96, 1), "SEMAPHORE": (8, 2),
    "MUTEX": (8, 1), "MOP": (27, 1), "MOP_MASK": (3, 1), "SRC_BANK": (2, 4),
}


class Counters(NamedTuple):
    """Summed over runs; cycles and issue_cycles from the first issue on, both ends included."""

    cycles: int
    issue_cycles: int
    instructions: int
    vector_instructions: int
    scheduled_instructions: int
    stall_cycles: int


def counters_of(machine: Any) -> Counters:
    c = _abi.tx_counters()
    lib.tx_machine_counters_sized(machine, byref(c), sizeof(c))
    return Counters(*(getattr(c, name) for name in Counters._fields))


def settings_of(arch: int, strict: bool, rules: Rules) -> Any:
    settings = _abi.tx_settings()
    lib.tx_settings_default_sized(byref(settings), sizeof(settings), arch)
    settings.mode = 1 if strict else 0
    if isinstance(rules, str):
        raise TypeError("rules: a mapping, or a list of NAME=VALUE")
    if isinstance(rules, Mapping):
        rules = [f"{name}={value}" for name, value in rules.items()]
    for rule in rules or ():
        status = lib.tx_settings_rule(byref(settings), str(rule).encode())
        if status != _abi.OK:
            what = "switch" if status == _abi.ENOENT else "value"
            raise ValueError(f"rules: {rule!r}: no such {what}; 'tensix isa' lists them")
    return settings


def deadlock_of(machine: Any, place: str = "") -> Deadlock:
    lines = [place + text(lib.tx_status_text(_abi.EDEADLOCK))]
    for thread in range(_abi.THREADS):
        buffer = ctypes.create_string_buffer(256)
        if lib.tx_wait_text(machine, thread, buffer, len(buffer)):
            lines.append(text(buffer.value))
    return Deadlock("; ".join(lines))


def thread_number(thread: Any) -> int:
    return integer(thread, "thread", 0, _abi.THREADS - 1)


class Registers:
    """A register file: [index] reads a row and writes one; numpy.asarray reads all of it."""

    def __init__(self, machine: Machine, file: str):
        self._machine = machine
        self._file = file

    def __len__(self) -> int:
        return SHAPES[self._file][0]

    def __getitem__(self, index: int) -> np.ndarray:
        return self._machine.read(self._file, index)

    def __setitem__(self, index: int, values: Any) -> None:
        self._machine.write(self._file, index, values)

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[i] for i in range(len(self)))

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.stack(list(self)).astype(dtype or np.uint32, copy=False)


class ThreadRegisters(Registers):
    """[index] is a register of thread 1, to which run() and config belong too; [thread, index]
    is one of any. numpy.asarray reads all of them: a row for each thread."""

    def __init__(self, machine: Machine, file: str):
        super().__init__(machine, file)
        self._each = SHAPES[file][0] // _abi.THREADS

    def __len__(self) -> int:
        return self._each

    def _place(self, index: Union[int, Tuple[int, int]]) -> int:
        thread, register = index if isinstance(index, tuple) else (1, index)
        name = self._file.lower()
        number = operator.index(register)
        if not 0 <= number < self._each:
            raise IndexError(f"{name}[{number}]: a thread has {self._each}; "
                             f"{name}[thread, index] is another thread's")
        return thread_number(thread) * self._each + number

    def __getitem__(self, index: Union[int, Tuple[int, int]]) -> np.ndarray:
        return super().__getitem__(self._place(index))

    def __setitem__(self, index: Union[int, Tuple[int, int]], values: Any) -> None:
        super().__setitem__(self._place(index), values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        rows = [[self[t, i][0] for i in range(self._each)] for t in range(_abi.THREADS)]
        return np.array(rows, dtype or np.uint32)


class Configuration:
    """Configuration fields by the vendor's names, as one thread sees them."""

    def __init__(self, machine: Machine, thread: int):
        self._machine = machine
        self._thread = thread

    def __getitem__(self, name: str) -> int:
        return self._machine.get_config(name, self._thread)

    def __setitem__(self, name: str, value: int) -> None:
        self._machine.set_config(name, value, self._thread)


def _registers(file: str, doc: str) -> Any:
    return property(lambda self: Registers(self, file), doc=doc)


def _thread_registers(file: str, doc: str) -> Any:
    return property(lambda self: ThreadRegisters(self, file), doc=doc)


def _array(file: str, doc: str) -> Any:
    def get(self: Machine) -> np.ndarray:
        return self.read(file)

    def put(self: Machine, values: Any) -> None:
        self.write(file, 0, values)

    return property(get, put, doc=doc)


def _number(file: str, doc: str) -> Any:
    def get(self: Machine) -> int:
        return int(self.read(file)[0])

    def put(self: Machine, value: int) -> None:
        self.write(file, 0, value)

    return property(get, put, doc=doc)


class Machine(Owner):
    """One back end. Belongs to one thread at a time: another one that calls waits its turn.

    strict: stop with a Fault where silicon mode records a finding. rules: other readings of the
    sources ({"prng-result": "new"}). trace: every event goes to .trace. l1: bytes of memory for
    the Scalar Unit, in .l1. Ctrl-C ends a run where it is; reset() or restore() make it well.
    start: "vendor", as tt-llk's start code leaves the machine, as thread
    1 sees it; otherwise as at power on. reset() comes back to it.
    """

    def __init__(
        self, arch: str = "blackhole", *, strict: bool = False, rules: Rules = None,
        trace: bool = False, l1: int = 0, start: Optional[str] = None,
    ):
        self._handle: Any = None
        self._lock = threading.RLock()
        number = _chip(arch)
        settings = settings_of(number, strict, rules)
        self.trace: List[Event] = []
        self._watch = Watch()
        self._watch.attach(settings)
        if trace:
            self._watch.sink(settings, collector(self.trace, number))
        self._arch = number
        handle = c_void_p()
        status = lib.tx_open(byref(settings), byref(handle))
        if status != _abi.OK:
            raise_status(status, "Machine")
        self._handle = handle
        self._close = weakref.finalize(self, lib.tx_close, handle)
        self._close.atexit = False
        self._start = start_number(start)
        lib.tx_machine_start(handle, 1, self._start)
        # The library has its address: a bytearray that is seen by an array cannot be resized.
        self._l1 = np.asarray(memoryview(bytearray(integer(l1, "l1", 0, 1 << 30))))
        if l1:
            self._set_host()

    @property
    def l1(self) -> np.ndarray:
        """Memory of the Scalar Unit; its elements can be set, it stays the same array."""
        return self._l1

    def _set_host(self) -> None:
        host = _abi.tx_host()
        lib.tx_host_default_sized(byref(host), sizeof(host))
        host.l1 = _abi.bytes_at(self._l1.ctypes.data)
        host.l1_size = self._l1.size
        status = lib.tx_host_set(self._handle, byref(host))
        if status != _abi.OK:
            raise_status(status, f"l1: {self.l1.size} bytes")

    # ---- life ----

    def close(self) -> None:
        """Frees it; every later use is a ClosedError. May be called again."""
        with self._lock:
            self._handle = None
            self._close()

    @property
    def closed(self) -> bool:
        return self._handle is None

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _open(self) -> Any:
        """The handle; callers hold the lock."""
        if self._handle is None:
            raise ClosedError("machine: it has been closed")
        return self._handle

    @property
    def arch(self) -> str:
        return text(lib.tx_arch_name(self._arch))

    def reset(self) -> None:
        """Reset state; findings, notes, counters and a fault are cleared."""
        with self._lock:
            lib.tx_reset(self._open())
            lib.tx_machine_start(self._open(), 1, self._start)

    # ---- running ----

    def run(
        self, program: Words, thread: int = 1, gaps: Optional[Sequence[int]] = None
    ) -> Machine:
        """Runs words, text or a program (.config, .init, .tile) until every result is written.

        gaps: idle cycles before each word. Raises the class of the fault's category; nothing runs
        then until reset() or restore().
        """
        number = thread_number(thread)
        with self._lock:
            handle = self._open()
            if isinstance(program, Program):
                words = self._prepare(program, number)
            elif isinstance(program, str):
                words = assemble(program, self.arch)
            else:
                words = word_list(program)
            data = np.array(words, np.uint32)
            idle = None if gaps is None else np.array(word_list(gaps, "gaps"), np.uint32)
            if idle is not None and idle.size != data.size:
                raise ValueError(f"gaps: {data.size} numbers are wanted, got {idle.size}")
            status = lib.tx_run_gaps(
                handle, number, data.ctypes.data, data.size,
                None if idle is None else idle.ctypes.data,
            )
            self._judge(status)
        return self

    def _prepare(self, program: Program, thread: int) -> List[int]:
        if program.arch != self.arch:
            raise ValueError(f"program: it is for {program.arch}, the machine is {self.arch}")
        if program.threaded:
            raise ValueError("program: it has .thread; tensix.run takes it, or run_threads")
        for i in range(program._says("config_count")):
            name = text(program._says("config_name", i))
            self.set_config(name, program._says("config_value", i), thread)
        given, mop = (program._says(what, _abi.THREADS) for what in ("mop_given", "mop"))
        for i in range(9):
            if given >> i & 1:
                lib.tx_mop_config(self._handle, thread, i, mop[i])
        return program.init + program.words

    def run_threads(self, programs: Mapping[int, Words], limit: int = 10**6) -> Machine:
        """Words of several threads through queues, expanders and gates, until all is idle."""
        streams = (_abi.tx_stream * _abi.THREADS)()
        kept = []
        if not isinstance(programs, Mapping):
            raise TypeError(f"programs: {type(programs).__name__} is no mapping of threads")
        for thread, words in programs.items():
            number = thread_number(thread)
            listed = assemble(words, self.arch) if isinstance(words, str) else (
                words.words if isinstance(words, Program) else word_list(words))
            data = np.array(listed, np.uint32)
            kept.append(data)
            streams[number].words = _abi.words_at(data.ctypes.data)
            streams[number].count = data.size
        cycles = integer(limit, "limit", 1, 2**64 - 1)
        with self._lock:
            self._judge(lib.tx_run_threads(self._open(), streams, cycles))
        return self

    def step(self, word: Optional[int] = None, thread: int = 1) -> bool:
        """One cycle; whether the word was taken (a word that was not must be given again)."""
        number = thread_number(thread)
        value = None if word is None else byref(c_uint32(word_list([word], "word")[0]))
        accepted = c_bool(False)
        with self._lock:
            self._judge(lib.tx_cycle(self._open(), number, value, byref(accepted)))
        return accepted.value

    def finish(self) -> None:
        """The program is over: what it leaves behind becomes findings."""
        with self._lock:
            self._judge(lib.tx_finish(self._open()))

    def _judge(self, status: int) -> None:
        self._watch.check()
        if status == _abi.OK:
            return
        if status == _abi.FAULT:
            raise fault_of(self._handle)
        if status == _abi.EDEADLOCK:
            raise deadlock_of(self._handle)
        if status == _abi.ELIMIT:
            raise TensixError("the limit of cycles was reached")
        raise_status(status, "run")

    # ---- what was found ----

    @property
    def counters(self) -> Counters:
        with self._lock:
            return counters_of(self._open())

    @property
    def cycles(self) -> int:
        return self.counters.cycles

    @property
    def findings(self) -> List[Finding]:
        with self._lock:
            handle = self._open()
            count = lib.tx_finding_count(handle)
            return [finding_of(lib.tx_finding_at(handle, i).contents) for i in range(count)]

    @property
    def fault(self) -> Optional[Finding]:
        """What stopped it, or None."""
        with self._lock:
            found = lib.tx_fault(self._open())
            return finding_of(found.contents) if found else None

    @property
    def notes(self) -> Dict[str, int]:
        """Evidence entries that were relied on, and how often."""
        with self._lock:
            return notes_of(self._open())

    def clear_findings(self) -> None:
        with self._lock:
            lib.tx_findings_clear(self._open())

    # ---- state ----

    def read(self, file: str, index: int = 0) -> np.ndarray:
        """A row of a register file (TX_FILE_ of machine.h, any case) as uint32."""
        number, row, count = _place(file, index)
        values = np.empty(count, np.uint32)
        with self._lock:
            status = lib.tx_read(self._open(), number, row, values.ctypes.data, count)
        if status != _abi.OK:
            raise_status(status, f"{file}[{row}]")
        return values

    def write(self, file: str, index: int, values: Any) -> None:
        """Patterns: integers, or floats as FP32; one value for all of the row, or all values."""
        number, row, count = _place(file, index)
        name = f"{file}[{row}]"
        words = words_of(values, name, count)
        with self._lock:
            status = lib.tx_write(self._open(), number, row, words.ctypes.data, count)
        if status != _abi.OK:
            raise ValueError(f"{name}: cannot be written, or a value does not fit")

    lreg = _registers("LREG", "L0..L16, 32 lanes each.")
    dst = _registers("DST", "1024 rows of 16 cells as stored.")
    dst_valid = _registers("DST_VALID", "A flag for each row of Dst.")
    rwc = _registers("RWC", "By thread: dst, dst_cr, srca, srca_cr, srcb, srcb_cr, fidelity, ...")
    gpr = _thread_registers("GPR", "64 of each thread: [register] of thread 1, [thread, register].")
    flag_stack = _registers("FLAG_STACK", "Bottom first: LaneFlags, UseLaneFlags.")
    macro_template = _registers("MACRO_TEMPLATE", "Four, by lane.")
    macro_sequence = _registers("MACRO_SEQUENCE", "Four, by lane.")
    replay = _thread_registers("REPLAY", "32 slots: [slot] of thread 1, [thread, slot].")
    semaphore = _registers("SEMAPHORE", "Value and maximum.")
    lane_flags = _number("LANE_FLAGS", "LaneFlags, bit per lane.")
    use_lane_flags = _number("USE_LANE_FLAGS", "UseLaneFlagsForLaneEnable, bit per lane.")
    prng = _array("PRNG", "State of the generator, by lane.")
    lane_config = _array("LANE_CONFIG", "By column.")
    macro_misc = _array("MACRO_MISC", "By lane.")
    shift_latch = _array("SHIFT_LATCH", "By lane; Wormhole.")

    def seed(self, seed: int) -> None:
        """All lanes of the PRNG, as a write of PRNG_SEED_Seed_Val leaves them."""
        (value,) = word_list([seed], "seed")
        with self._lock:
            lib.tx_prng_seed(self._open(), value)

    @property
    def config(self) -> Configuration:
        """Configuration fields as thread 1 sees them: machine.config["NAME"]."""
        return Configuration(self, 1)

    def get_config(self, name: str, thread: int = 1) -> int:
        value = c_uint32()
        number = thread_number(thread)
        field = config_name(name)
        with self._lock:
            status = lib.tx_config_get(self._open(), number, field, byref(value))
        if status != _abi.OK:
            raise KeyError(f"config: {self.arch} has no field {name}")
        return value.value

    def set_config(self, name: str, value: int, thread: int = 1) -> None:
        (word,) = word_list([value], f"config {name}")
        number = thread_number(thread)
        field = config_name(name)
        with self._lock:
            status = lib.tx_config_set(self._open(), number, field, word)
        if status == _abi.ENOENT:
            raise KeyError(f"config: {self.arch} has no field {name}")
        if status != _abi.OK:
            raise ValueError(f"config {name}: {word} does not fit")

    def load_tile(self, values: Any, tile: int = 0, dst: str = "fp32") -> None:
        """A 32x32 tile into Dst: float32, or int32 for integer formats; any shape of 1024."""
        number, place = dst_number(dst), integer(tile, "tile", 0, 15)
        array, wanted = take(values, "values").array, dst_dtype(number)
        if array.size != _abi.TILE or array.dtype != wanted:
            raise ValueError(
                f"values: 1024 elements of {wanted} are wanted for Dst {dst}, got "
                f"{array.dtype} {array.shape}"
            )
        with self._lock:
            status = lib.tx_dst_load_tile(self._open(), place, number, array.ctypes.data)
        if status != _abi.OK:
            raise ValueError(f"tile: {tile} is beyond Dst in {dst}")

    def store_tile(self, tile: int = 0, dst: str = "fp32") -> np.ndarray:
        """A tile of Dst, 32x32: float32, or int32 for integer formats."""
        number, place = dst_number(dst), integer(tile, "tile", 0, 15)
        values = np.empty((32, 32), dst_dtype(number))
        with self._lock:
            status = lib.tx_dst_store_tile(self._open(), place, number, values.ctypes.data)
        if status != _abi.OK:
            raise ValueError(f"tile: {tile} is beyond Dst in {dst}")
        return values

    def snapshot(self) -> bytes:
        """The whole state, findings and counters aside."""
        buffer = ctypes.create_string_buffer(lib.tx_snapshot_size(None))
        with self._lock:
            status = lib.tx_snapshot(self._open(), buffer, len(buffer))
        if status != _abi.OK:
            raise_status(status, "snapshot")
        return buffer.raw

    def restore(self, snapshot: bytes) -> None:
        """A snapshot of the same version and chip; a fault is over."""
        if not isinstance(snapshot, (bytes, bytearray)):
            raise TypeError(f"snapshot: {type(snapshot).__name__}, bytes are wanted")
        with self._lock:
            status = lib.tx_restore(self._open(), bytes(snapshot), len(snapshot))
        if status != _abi.OK:
            raise ValueError(f"snapshot: none of this version for {self.arch}")

    def __repr__(self) -> str:
        return f"<Machine {self.arch}{', closed' if self.closed else ''}>"


def config_name(name: Any) -> bytes:
    if not isinstance(name, str):
        raise TypeError(f"config: {name!r} is no name of a field")
    return name.encode("utf-8", "replace")


def dst_dtype(number: int) -> Any:
    """Type of the 32-bit values that tiles of a Dst format are given and taken as."""
    if number == 0:
        raise ValueError("dst: a format is wanted")
    formats = _abi.values("tx_dst_format")
    if number == formats["UINT32"]:
        return np.dtype(np.uint32)
    return np.dtype(np.int32 if number >= formats["INT32"] else np.float32)


def _place(file: str, index: Any) -> Tuple[int, int, int]:
    name = file.upper() if isinstance(file, str) else ""
    if name not in SHAPES:
        raise ValueError(f"file: {file!r} is none of {', '.join(SHAPES)}")
    rows, count = SHAPES[name]
    try:
        row = operator.index(index)
    except TypeError:
        raise TypeError(f"{name}: index {index!r} is no integer") from None
    if not 0 <= row < rows:
        raise IndexError(f"{name}: index {row} is outside 0 .. {rows - 1}")
    return FILE[name], row, count
