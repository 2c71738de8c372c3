# SPDX-License-Identifier: Apache-2.0
"""Kernels over arrays: 1024 elements a tile, through the fast engine or the reference."""

from __future__ import annotations

import ctypes
import os
import threading
import time
import warnings
import weakref
from ctypes import byref, c_bool, c_char_p, c_void_p, sizeof
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._abi import TILE, lib, text
from ._layouts import apart, from_tiles, is_payload, put_words, to_tiles, whole_size
from .arrays import take
from .callbacks import Watch
from .errors import (
    Cancelled, ClosedError, FindingError, FindingWarning, Owner, UnsupportedError, raise_status,
)
from .findings import Finding, fault_of, finding_of
from .machine import (
    Counters, Rules, config_name, counters_of, deadlock_of, dst_dtype, settings_of, thread_number,
)
from .program import Program, Recorder, arch_number, dst_number, integer, start_number, word_list
from .events import Event, collector, notes_of

Progress = Optional[Callable[[int, int], Any]]
KernelLike = Union[Program, str, "os.PathLike[str]", Callable[[Recorder], Any]]
_ENGINES = ("auto", "fast", "reference")
_POLICIES = ("warn", "raise", "ignore")
_PERIOD = 0.05  # seconds between calls of a progress function
_PIECE = 4096  # tiles of a call, which no signal interrupts
_RESULTS = {"INT32": np.int32, "INT16": np.int16, "INT8": np.int8, "UINT32": np.uint32,
            "UINT16": np.uint16, "UINT8": np.uint8}


@dataclass
class Result:
    """What a run gave besides its array."""

    output: np.ndarray
    engine: str
    """fast or reference."""
    reason: str
    """Why the fast engine could not do it; empty where it could, or was not asked."""
    tiles: int
    init: Counters
    """Of .init."""
    tile: Counters
    """Of one tile; all take the same time."""
    findings: List[Finding] = field(default_factory=list)
    """By the fast engine: those of .init and of one tile, as they do not depend on data."""
    notes: Dict[str, int] = field(default_factory=dict)
    """Evidence entries that .init and the run relied on, and how often."""
    trace: List[Event] = field(default_factory=list)
    """With trace=True: .init and tile 0 on the reference engine."""

    @property
    def cycles(self) -> int:
        """Of one tile."""
        return self.tile.cycles


def as_program(kernel: KernelLike, arch: Optional[str]) -> Program:
    """A program, a kernel file, or a function that emits into a Recorder."""
    if isinstance(kernel, Program):
        if arch_number(arch) not in (0, kernel._says("arch")):
            raise ValueError(f"arch: {arch}, but the kernel is for {kernel.arch}")
        return kernel
    if isinstance(kernel, (str, os.PathLike)):
        return Program.from_file(kernel, arch)
    if callable(kernel):
        if arch is None:
            raise ValueError("arch: a recorded function needs a chip")
        return Program.record(kernel, arch)
    raise TypeError(f"kernel: {type(kernel).__name__} is no Program, path or function")


def _choice(name: str, value: Any, known: Sequence[str]) -> Any:
    if value not in known:
        raise ValueError(f"{name}: {value!r} is none of {', '.join(known)}")
    return value


def _addresses(arrays: Sequence[np.ndarray], offset: int) -> Any:
    """const uint32_t *const *: where each array has its element offset."""
    out = (c_void_p * max(len(arrays), 1))()
    for i, array in enumerate(arrays):
        out[i] = array.ctypes.data + offset * 4
    return out


class _Open(Owner):
    """A tx_kernel that has run .init."""

    def __init__(
        self, kernel: Kernel, take_event: Optional[Callable[[Any], None]] = None,
        listener: Optional[Tuple[Any, Any]] = None,
    ):
        """listener: a function of the lab library that takes events, and its user."""
        # No reference to the kernel, which may own this: memory is not to wait for the collector.
        self.program = kernel.program
        settings = settings_of(kernel.program._says("arch"), kernel.strict, kernel.rules)
        self.watch = Watch()
        self.watch.attach(settings)
        if take_event is not None:
            self.watch.sink(settings, take_event)
        if listener is not None:
            settings.sink.event = ctypes.cast(listener[0], type(settings.sink.event))
            settings.sink.user = listener[1]
        self.handle = c_void_p()
        status = lib.tx_kernel_open_sized(
            byref(settings), kernel.program._handle, byref(kernel._options),
            sizeof(kernel._options), byref(self.handle),
        )
        if status != _abi.OK:
            raise_status(status, f"{kernel.program.name}: cannot be opened")
        self._close = weakref.finalize(self, lib.tx_kernel_close, self.handle)
        self._close.atexit = False
        self.machine = lib.tx_kernel_machine(self.handle)
        self._configure(kernel)
        self.judge(lib.tx_kernel_start(self.handle), "init", None)
        self.init = counters_of(self.machine)
        self.init_findings = self.collect("init")
        lib.tx_findings_clear(self.machine)
        self.init_notes = notes_of(self.machine)

    def _configure(self, kernel: Kernel) -> None:
        thread = kernel._options.thread
        for name, value in kernel.config.items():
            (word,) = word_list([value], f"config {name}")
            status = lib.tx_config_set(self.machine, thread, config_name(name), word)
            if status == _abi.ENOENT:
                raise KeyError(f"config: {self.program.arch} has no field {name}")
            if status != _abi.OK:
                raise ValueError(f"config {name}: {word} does not fit")

    def judge(self, status: int, section: str, tile: Optional[int]) -> None:
        self.watch.check()
        if status == _abi.OK:
            return
        if status == _abi.FAULT:
            raise fault_of(self.machine, section, tile)
        if status == _abi.EDEADLOCK:
            raise deadlock_of(self.machine, f"{self.program.name}: ")
        raise_status(status, self.program.name)

    def collect(self, section: str) -> List[Finding]:
        found = []
        for i in range(lib.tx_finding_count(self.machine)):
            f = lib.tx_finding_at(self.machine, i).contents
            place = self.program.source_of(f.word)
            found.append(finding_of(f, section, place[1] if place else 0))
        return found

    def tile(self, number: int, inputs: Any, output: int) -> None:
        """output: address of 1024 words."""
        status = lib.tx_kernel_tile(self.handle, number, inputs, output)
        self.judge(status, "tile", number)

    def since_init(self) -> Counters:
        now = counters_of(self.machine)
        return Counters(*(a - b for a, b in zip(now, self.init)))

    def close(self) -> None:
        self._close()


class Kernel(Owner):
    """A kernel that is ready to run; calls are independent, and may come from many threads.

    kernel   Program, path of a kernel file, or a function that emits into a Recorder
    arch     chip; needed where the kernel does not say
    dst      format of the tiles in Dst; default: the kernel's .dst, else fp32
    out_dst  format in which the result is read from Dst; default: the kernel's .out, else dst
    engine   auto (fast where the kernel allows it), fast, reference; results are equal
    strict   stop with a Fault at what is otherwise a finding (reference engine)
    seed     of the PRNG in tile 0; other tiles get theirs from it
    carry    state goes on from tile to tile (reference engine)
    config   configuration fields by name, set before .init
    rules    other readings of the sources
    findings warn (FindingWarning), raise (FindingError), ignore
    jobs     threads that share the tiles
    start    state before .init, vendor or reset; default: the kernel's .start, else reset
    """

    def __init__(
        self, kernel: KernelLike, *, arch: Optional[str] = None, dst: Optional[str] = None,
        out_dst: Optional[str] = None, engine: str = "auto", strict: bool = False, seed: int = 0,
        thread: int = 1, carry: bool = False, config: Optional[Mapping[str, int]] = None,
        rules: Rules = None, findings: str = "warn", jobs: int = 1, start: Optional[str] = None,
    ):
        self.program = as_program(kernel, arch)
        self.strict = bool(strict)
        self.rules = rules if rules is None or isinstance(rules, Mapping) else list(rules)
        self.config = dict(config or {})
        self.findings = _choice("findings", findings, _POLICIES)
        self.jobs = integer(jobs, "jobs", 1, 1024)
        _choice("engine", engine, _ENGINES)
        options = _abi.tx_kernel_options()
        lib.tx_kernel_options_default_sized(byref(options), sizeof(options))
        options.dst, options.out = dst_number(dst), dst_number(out_dst)
        (options.seed,) = word_list([seed], "seed")
        options.thread = thread_number(thread)
        options.carry = bool(carry)
        options.start = start_number(start)
        self._options = options
        self._dst = options.dst or self.program._says("dst") or _abi.values("tx_dst_format")["FP32"]
        self._out_dst = options.out or self.program._says("out") or self._dst
        self._lock = threading.Lock()
        self._closed = False
        self._fast: Optional[_Fast] = None
        self.reason = ""
        if engine != "reference":
            self._open_fast(engine)

    def _open_fast(self, engine: str) -> None:
        if self.strict:
            self.reason = "in strict mode every tile is judged for itself"
        else:
            self._fast, self.reason = _open_fast(self)
        if self._fast is None and engine == "fast":
            raise UnsupportedError(f"engine: {self.program.name}: {self.reason}")

    @property
    def engine(self) -> str:
        """The one that runs: fast or reference."""
        return "fast" if self._fast is not None else "reference"

    @property
    def dst(self) -> str:
        return text(lib.tx_dst_format_name(self._dst))

    @property
    def out_dst(self) -> str:
        return text(lib.tx_dst_format_name(self._out_dst))

    @property
    def dtype(self) -> Any:
        """Of results."""
        name = text(lib.tx_dst_format_name(self._out_dst)).upper().split("-")[0]
        return np.dtype(_RESULTS.get(name, np.float32))

    def close(self) -> None:
        """Frees what it holds; every later call is a ClosedError."""
        with self._lock:
            self._closed = True
            self._fast = None

    def __enter__(self) -> Kernel:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __call__(
        self, *arrays: Any, out: Any = None, layout: str = "flat", payload: str = "",
        progress: Progress = None,
    ) -> np.ndarray:
        return self._run(arrays, out, layout, payload, False, progress).output

    def run(
        self, *arrays: Any, out: Any = None, layout: str = "flat", payload: str = "",
        trace: bool = False, progress: Progress = None,
    ) -> Result:
        """As a call, with everything there is to know about it."""
        return self._run(arrays, out, layout, payload, trace, progress)

    def _run(
        self, arrays: Sequence[Any], out: Any, layout: str, payload: str, trace: bool,
        progress: Progress,
    ) -> Result:
        fast = self._fast
        if self._closed:
            raise ClosedError("kernel: it has been closed")
        _choice("layout", layout, ("flat", "tiles"))
        if len(arrays) != self.program.inputs:
            raise ValueError(
                f"arrays: {self.program.name} takes {self.program.inputs}, got {len(arrays)}"
            )
        inputs, shape = self._inputs(arrays, payload, out)
        result, direct = self._output(out, shape, layout)
        if layout == "tiles":
            inputs = [to_tiles(array, shape) for array in inputs]
        if direct is not None:
            words = direct
            inputs = [apart(array, direct) for array in inputs]
        else:
            words = np.empty(whole_size(shape, layout), np.uint32)
        first = _pad_tile(inputs, 0)  # before the result takes its place
        ticker = _Ticker(progress, -(-words.size // TILE))
        if fast is not None:
            done = fast.run(inputs, words, self.jobs, ticker)
        else:
            done = _run_reference(self, inputs, words, ticker)
        ticker.end()
        if layout == "tiles":
            words = from_tiles(words, shape)
        if direct is None or layout == "tiles":
            put_words(words, result, self._out_dst)
        done.output = result
        if trace:
            done.trace = self._trace(first)
        self._report(done.findings)
        return done

    # ---- arrays in and out ----

    def _inputs(
        self, arrays: Sequence[Any], payload: str, out: Any
    ) -> Tuple[List[np.ndarray], Tuple[int, ...]]:
        words = []
        shape: Tuple[int, ...] = ()
        if not arrays:
            if out is None:
                raise ValueError(f"out: {self.program.name} takes no arrays; out says the shape")
            shape = take(out, "out", writes=True).array.shape
        for i, value in enumerate(arrays):
            name = f"array {i}"
            taken = take(value, name, payload if is_payload(value) else "")
            if i == 0:
                shape = taken.array.shape
            elif taken.array.shape != shape:
                raise ValueError(
                    f"{name}: shape {taken.array.shape}, but array 0 has {shape}"
                )
            words.append(self._words(taken.array, taken.payload, name).reshape(-1))
        return words, shape

    def _words(self, array: np.ndarray, payload: str, name: str) -> np.ndarray:
        """Elements as tx_kernel_tile takes them; float32 and int32 stay where they are."""
        integer = dst_dtype(self._dst).kind in "iu"
        if payload:
            from .formats import convert, info

            if info(payload).integer != integer:
                raise TypeError(f"{name}: {payload} does not go with Dst format {self.dst}")
            return convert(array, "int32" if integer else "fp32", payload).view(np.uint32)
        kind = array.dtype.kind
        if not integer and kind == "f" and array.dtype.itemsize <= 8:
            with np.errstate(over="ignore"):
                return np.ascontiguousarray(array, np.float32).view(np.uint32)
        if integer and kind in "iu":
            self._check_range(array, name)
            words = array.astype(dst_dtype(self._dst), copy=False)
            return np.ascontiguousarray(words).view(np.uint32)
        wanted = "integers" if integer else "floats"
        hint = "; payload= says what patterns they are" if kind == "u" and not integer else ""
        raise TypeError(
            f"{name}: dtype {array.dtype} does not go with Dst format {self.dst}, "
            f"which takes {wanted}{hint}"
        )

    def _check_range(self, array: np.ndarray, name: str) -> None:
        for value in (int(array.min()), int(array.max())) if array.size else ():
            low = 0 if dst_dtype(self._dst) == np.uint32 else -(2**31)
            changed = c_bool(not low <= value < low + 2**32)
            lib.tx_dst_encode(self._dst, value & 0xFFFFFFFF, byref(changed))
            if changed.value:
                raise ValueError(f"{name}: {value} does not fit into Dst format {self.dst}")

    def _output(
        self, out: Any, shape: Tuple[int, ...], layout: str
    ) -> Tuple[np.ndarray, Optional[np.ndarray]]:
        """The array for the result, and its words where the engine can write them in place."""
        if out is None:
            result = np.empty(shape, self.dtype)
        else:
            result = take(out, "out", writes=True).array
            if result.dtype != self.dtype or result.shape != shape:
                raise ValueError(
                    f"out: {result.dtype} {result.shape}, but {self.dtype} {shape} is wanted"
                )
            if not result.flags.writeable:
                raise ValueError("out: read-only")
        plain = layout == "flat" and result.dtype.itemsize == 4
        return result, result.reshape(-1).view(np.uint32) if plain else None

    # ---- what else there is ----

    def _trace(self, tile: Sequence[np.ndarray]) -> List[Event]:
        events: List[Event] = []
        output = np.empty(TILE, np.uint32)
        opened = _Open(self, collector(events, self.program._says("arch")))
        opened.tile(0, _addresses(tile, 0), output.ctypes.data)
        opened.close()
        return events

    def _report(self, findings: List[Finding]) -> None:
        if not findings or self.findings == "ignore":
            return
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        message = f"{self.program.name}: {findings[0]}{more}"
        if self.findings == "raise":
            raise FindingError(message)
        warnings.warn(FindingWarning(message), stacklevel=4)

    def __repr__(self) -> str:
        return f"<Kernel {self.program.name}: {self.program.arch}, Dst {self.dst}, {self.engine}>"


def run(
    kernel: KernelLike, *arrays: Any, arch: Optional[str] = None, dst: Optional[str] = None,
    out_dst: Optional[str] = None, engine: str = "auto", strict: bool = False, seed: int = 0,
    thread: int = 1, carry: bool = False, config: Optional[Mapping[str, int]] = None,
    rules: Rules = None, findings: str = "warn", jobs: int = 1, out: Any = None,
    layout: str = "flat", payload: str = "", trace: bool = False, full_output: bool = False,
    progress: Progress = None,
) -> Any:
    """A kernel over arrays of one shape: the array of results, or with full_output a Result.

    arrays   numpy, DLPack (torch) or buffers; floats for float Dst formats (float32 is not copied
             if it is C-contiguous), integers for integer ones; bfloat16 as such, or uint16 with
             payload="bf16"
    out      an array for the result, float32 or int32, int16, int8 like the Dst format
    layout   flat: 1024 consecutive elements a tile; tiles: 32x32 blocks of the last two dimensions
    trace    also trace .init and tile 0
    progress called with tiles done and all of them, about twenty times a second; where it returns
             False the run ends with Cancelled

    The rest as for Kernel. Pauses between instructions, references: tensix.measure.
    """
    ready = Kernel(
        kernel, arch=arch, dst=dst, out_dst=out_dst, engine=engine, strict=strict, seed=seed,
        thread=thread, carry=carry, config=config, rules=rules, findings=findings, jobs=jobs,
    )
    done = ready._run(arrays, out, layout, payload, trace, progress)
    return done if full_output or trace else done.output


# ---- engines ----


class _Ticker:
    """Calls a progress function in the thread of job 0, which is the caller's."""

    def __init__(self, progress: Progress, total: int):
        self._progress, self._total, self._done = progress, total, 0
        self._lock, self._last = threading.Lock(), time.monotonic()
        if progress is not None:
            self._tell()

    def _tell(self) -> None:
        self._last = time.monotonic()
        if self._progress is not None and self._progress(self._done, self._total) is False:
            raise Cancelled("cancelled")

    def tick(self) -> None:
        if self._progress is not None and time.monotonic() - self._last >= _PERIOD:
            self._tell()

    def add(self, job: int, tiles: int) -> None:
        with self._lock:
            self._done += tiles
        if job == 0:
            self.tick()

    def end(self) -> None:
        """Too late to cancel."""
        if self._progress is not None:
            self._progress(self._total, self._total)


def _in_threads(
    jobs: int, tiles: int, grain: int, work: Callable[[int, int, int], None],
    stop: Callable[[], None], ticker: _Ticker,
) -> None:
    """work(job, first, end) over all tiles; the failure of the lowest tiles is raised.

    stop() ends all jobs early: signals reach this thread alone. It has the lowest tiles, so what it
    raises, an exception out of a signal's handler among them, is what is raised in the end.
    """
    blocks = -(-tiles // grain)
    jobs = max(1, min(jobs, blocks))
    cuts = [min(blocks * i // jobs * grain, tiles) for i in range(jobs + 1)]
    errors: List[Optional[BaseException]] = [None] * jobs

    def one(job: int) -> None:
        try:
            work(job, cuts[job], cuts[job + 1])
        except BaseException as error:  # raised again below
            errors[job] = error
            if job == 0 or not isinstance(error, Exception):
                stop()

    threads = [threading.Thread(target=one, args=(job,)) for job in range(1, jobs)]
    for thread in threads:
        thread.start()
    one(0)
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(_PERIOD)
                if errors[0] is None:
                    ticker.tick()
    except BaseException:
        stop()
        for thread in threads:
            thread.join()
        raise
    for error in errors:
        if error is not None:
            raise error


def _pad_tile(inputs: Sequence[np.ndarray], tile: int) -> List[np.ndarray]:
    """One tile of each input, with zeros where the array ends."""
    out = []
    for array in inputs:
        part = array[tile * TILE : (tile + 1) * TILE]
        padded = np.zeros(TILE, np.uint32)
        padded[: part.size] = part
        out.append(padded)
    return out


class _Fast(Owner):
    """A kernel's schedule, shared by threads."""

    def __init__(self, opened: _Open, handle: Any):
        self._opened = opened
        self._handle = handle
        self._close = weakref.finalize(self, lib.tx_fast_close, handle)
        self._close.atexit = False
        before = opened.since_init()
        zeros = np.zeros(TILE, np.uint32)
        output = np.empty(TILE, np.uint32)
        count = max(opened.program.inputs, 1)
        opened.tile(0, _addresses([zeros] * count, 0), output.ctypes.data)
        self._tile = Counters(*(a - b for a, b in zip(opened.since_init(), before)))
        self._findings = opened.init_findings + opened.collect("tile")
        self._notes = notes_of(opened.machine)

    def run(
        self, inputs: Sequence[np.ndarray], output: np.ndarray, jobs: int, ticker: _Ticker
    ) -> Result:
        size = output.size
        full = size // TILE
        stopped = threading.Event()

        def work(job: int, first: int, end: int) -> None:
            worker = self._worker()
            try:
                for at in range(first, end, _PIECE):  # signals are handled in between
                    if stopped.is_set():
                        break
                    count, offset = min(_PIECE, end - at), at * TILE
                    self._some(worker, at, count, _addresses(inputs, offset), output, offset)
                    ticker.add(job, count)
            finally:
                lib.tx_fast_worker_close(worker)

        if full:
            _in_threads(jobs, full, lib.tx_fast_batch(), work, stopped.set, ticker)
        if size % TILE:
            rest = np.empty(TILE, np.uint32)
            padded = _pad_tile(inputs, full)
            worker = self._worker()
            self._some(worker, full, 1, _addresses(padded, 0), rest, 0)
            lib.tx_fast_worker_close(worker)
            output[full * TILE :] = rest[: size % TILE]
        return Result(
            output=output, engine="fast", reason="", tiles=-(-size // TILE),
            init=self._opened.init, tile=self._tile, findings=list(self._findings),
            notes=dict(self._notes),
        )

    def _worker(self) -> Any:
        worker = c_void_p()
        status = lib.tx_fast_worker_open(self._handle, byref(worker))
        if status != _abi.OK:
            raise_status(status, "fast engine")
        return worker

    def _some(
        self, worker: Any, first: int, count: int, inputs: Any, output: np.ndarray, offset: int
    ) -> None:
        address = output.ctypes.data + offset * 4
        status = lib.tx_fast_run(worker, first, count, inputs, address)
        if status != _abi.OK:
            raise_status(status, "fast engine")


def _open_fast(kernel: Kernel) -> Tuple[Optional[_Fast], str]:
    """The fast engine, or why there is none."""
    opened = _Open(kernel)
    handle = c_void_p()
    reason = c_char_p()
    status = lib.tx_fast_open(opened.handle, None, byref(handle), byref(reason))
    opened.watch.check()
    if status == _abi.OK:
        return _Fast(opened, handle), ""
    if status == _abi.EUNSUPPORTED:
        return None, text(reason.value)
    if status in (_abi.FAULT, _abi.EDEADLOCK, _abi.ELIMIT):
        return None, "the kernel stops"  # the reference engine says where
    raise_status(status, kernel.program.name)


def _run_reference(
    kernel: Kernel, inputs: Sequence[np.ndarray], output: np.ndarray, ticker: _Ticker
) -> Result:
    size = output.size
    tiles = -(-size // TILE)
    jobs = 1 if kernel._options.carry else max(1, min(kernel.jobs, tiles))
    opened = [_Open(kernel) for _ in range(jobs)]
    measured: List[Counters] = [Counters(0, 0, 0, 0, 0, 0)]

    def work(job: int, first: int, end: int) -> None:
        machine = opened[job]
        for tile in range(first, end):
            if machine.watch.stopped:
                break
            if (tile + 1) * TILE <= size:
                address = output.ctypes.data + tile * TILE * 4
                machine.tile(tile, _addresses(inputs, tile * TILE), address)
            else:
                rest = np.empty(TILE, np.uint32)
                padded = _pad_tile(inputs, tile)
                machine.tile(tile, _addresses(padded, 0), rest.ctypes.data)
                output[tile * TILE :] = rest[: size - tile * TILE]
            if tile == 0:
                measured[0] = machine.since_init()
            ticker.add(job, 1)

    def stop() -> None:
        for one in opened:
            one.watch.stopped = True

    if tiles:
        _in_threads(jobs, tiles, 1, work, stop, ticker)
    result = Result(
        output=output, engine="reference", reason=kernel.reason, tiles=tiles,
        init=opened[0].init, tile=measured[0], findings=_merge(opened),
        notes=_sum_notes(opened),
    )
    for one in opened:
        one.close()
    return result


def _merge(opened: Sequence[_Open]) -> List[Finding]:
    """Findings of .init once, those of tiles summed over the threads."""
    found: Dict[Tuple[str, str, int, int], Finding] = {}
    for machine in opened:
        for f in machine.collect("tile"):
            key = (f.category, f.rule, f.word, f.thread)
            same = found.get(key)
            found[key] = f if same is None else replace(same, count=same.count + f.count)
    return opened[0].init_findings + list(found.values())


def _sum_notes(opened: Sequence[_Open]) -> Dict[str, int]:
    notes = dict(opened[0].init_notes)
    for machine in opened:
        for name, count in notes_of(machine.machine).items():
            notes[name] = notes.get(name, 0) + count - machine.init_notes.get(name, 0)
    return notes
