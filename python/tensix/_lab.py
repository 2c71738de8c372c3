# SPDX-License-Identifier: Apache-2.0
"""libtensix-lab: where it is found, and what its functions share: errors, texts, progress, cancel.

It is loaded with the first name that needs it; _lab_tables and _lab_functions are its headers.
"""

from __future__ import annotations

import ctypes
import json
import os
import tempfile
import threading
from ctypes import byref, c_char_p, c_void_p, sizeof
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NoReturn, Optional, Sequence

from . import _abi
from ._abi import ABI, text
from ._lab_functions import FUNCTIONS
from ._lab_tables import *  # noqa: F403
from ._lab_tables import ENUMS, txl_compiler_options, txl_error, txl_progress
from .errors import Cancelled, InputError, LabError

Progress = Optional[Callable[[int, int], Any]]
"""Called with what is done and the total, about twenty times a second; False cancels."""

_STATUS = ENUMS["txl_status"]
OK, NEGATIVE, CANCELLED = (_STATUS[f"TXL_{n}"] for n in ("OK", "NEGATIVE", "CANCELLED"))


def places() -> List[str]:
    """Where the library is looked for: what the variable names, else beside libtensix."""
    chosen = os.environ.get("TENSIX_LAB_LIBRARY")
    if chosen:
        return [chosen]
    folder = os.path.dirname(_abi.lib._name)
    names = (f"libtensix-lab.so.{ABI}", "libtensix-lab.so")
    beside = [os.path.join(folder, name) for name in names]
    return [place for place in beside if folder] + [f"libtensix-lab.so.{ABI}"]


lab = _abi.load("libtensix-lab", "TENSIX_LAB_LIBRARY", places(), FUNCTIONS)
_GO_ON = ctypes.CFUNCTYPE(ctypes.c_bool, c_void_p)
_free = ctypes.CDLL(None).free
_free.argtypes = [c_void_p]
_free.restype = None


# ---- errors and texts ----


def raise_error(err: Any, status: int) -> NoReturn:
    """What a function of the library refused, as an exception."""
    message = text(err.message) or f"status {status}"
    option = text(err.option)
    message = f"{option}: {message}" if option else message
    if status not in (NEGATIVE, CANCELLED) and message.startswith("out of memory"):
        raise MemoryError(message)
    kind = {NEGATIVE: LabError, CANCELLED: Cancelled}.get(status, InputError)
    raise kind(message, text(err.file), err.line, err.column, text(err.source))


def checked(function: Any, *arguments: Any) -> None:
    """A call whose first parameter is the error."""
    err = txl_error()
    status = function(byref(err), *arguments)
    if status != OK:
        raise_error(err, status)


def owned(address: Optional[int]) -> str:
    """A text that the library hands over."""
    if not address:
        raise MemoryError
    try:
        return text(ctypes.string_at(address))
    finally:
        _free(address)


def parsed(value: Optional[int], err: Any = None) -> Any:
    """A txl_json as Python's values; err says why it is NULL."""
    if not value:
        if err is None or err.status == OK:
            raise MemoryError
        raise_error(err, err.status)
    try:
        return json.loads(owned(lab.txl_json_line(value)))
    finally:
        lab.txl_json_free(value)


def encoded(value: Any) -> Optional[bytes]:
    """A path or a text; None stays."""
    return None if value is None else os.fsencode(os.fspath(value))


def texts(values: Sequence[Any]) -> Any:
    """const char *const *, ended by NULL."""
    return (c_char_p * (len(values) + 1))(*map(encoded, values), None)


def options(kind: Any, **fields: Any) -> Any:
    """A struct of options with its size."""
    out = kind(**fields)
    out.size = sizeof(kind)
    return out


def switches(rules: Any) -> List[str]:
    """Other readings of the sources, as NAME=VALUE."""
    if isinstance(rules, str):
        raise TypeError("rules: a mapping, or a list of NAME=VALUE")
    if isinstance(rules, Mapping):
        return [f"{name}={value}" for name, value in rules.items()]
    return list(rules or ())


# ---- what the command takes from its environment ----


def environment() -> Any:
    """environ, for child processes."""
    return texts([f"{name}={value}" for name, value in os.environ.items()])


def helper() -> Optional[bytes]:
    """The command beside this package, which runs references that are libraries."""
    command = Path(__file__).resolve().parent / "bin" / "tensix"
    return os.fsencode(command) if command.is_file() else None


def scratch() -> bytes:
    return os.fsencode(tempfile.gettempdir())


def engine_number(name: str) -> int:
    known = _abi.names_of(ENUMS["txl_engine"])
    if name not in known:
        raise ValueError(f"engine: {name!r} is none of {', '.join(known)}")
    return known.index(name)


_compilers: Dict[str, Any] = {}


def compiler() -> Any:
    """The one of this process: $CC, with the cache that the command has. None without memory."""
    if "one" not in _compilers:
        own, base = os.environ.get("TENSIX_CACHE"), os.environ.get("XDG_CACHE_HOME", "")
        if not base.startswith("/"):
            base = os.path.join(os.path.expanduser("~"), ".cache")
        handle, around = c_void_p(), environment()
        how = options(
            txl_compiler_options, cache=encoded(own or os.path.join(base, "tensix")),
            make_parent=not own, command=encoded(os.environ.get("CC") or None),
            path=encoded(os.environ.get("PATH")), environment=around,
        )
        if lab.txl_compiler_open(None, byref(how), byref(handle)) != OK:
            return None
        _compilers["one"] = handle
        _compilers["environment"] = around  # must live as long
    return _compilers["one"]


# ---- progress and cancel ----


class _Aside:
    """A call in a thread of its own. Nobody leaves it behind: what it works on is freed then."""

    def __init__(self, function: Any, arguments: Sequence[Any]):
        self.over, self.status = False, 0
        self._call = function, arguments
        self._tried = self._begun = False
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._work, name="tensix")

    def _work(self) -> None:
        with self._lock:
            if self.over:
                return
            self._begun = True
        function, arguments = self._call
        try:
            self.status = function(*arguments)
        finally:
            self._ended.set()

    def wait(self) -> None:
        """Until it is over; the first time starts it."""
        if not self._tried:
            self._tried = True
            self._thread.start()
        self._ended.wait()
        self._thread.join()
        self.over = True

    def give_up(self) -> None:
        """It never begins, where it has not begun."""
        with self._lock:
            self.over = not self._begun


class Work:
    """A call that may take long.

    In the main thread it runs in another one, which leaves this one to the handlers of signals: at
    Ctrl-C the work is cancelled, and then the exception goes on.
    """

    def __init__(self, progress: Progress = None):
        self._progress = progress
        self._error: Optional[BaseException] = None
        self._stopped = False
        self.function = txl_progress(self._told)
        self._watch = _GO_ON(self._asked)

    def _told(self, _user: Any, done: int, total: int) -> bool:
        try:
            if self._stopped or self._progress is None:
                return not self._stopped
            return self._progress(done, total) is not False
        except BaseException as error:  # raised by run
            self._error = error
            return False

    def _asked(self, _user: Any) -> bool:
        return not self._stopped

    def watch(self, settings: Any) -> None:
        """Lets a machine be stopped by what the function has no progress for."""
        settings.watch.go_on = ctypes.cast(self._watch, type(settings.watch.go_on))

    def told(self, done: int, total: int) -> None:
        """Between calls that have no progress of their own."""
        if not self._told(None, done, total):
            if self._error is not None:
                raise self._error
            raise Cancelled("cancelled")

    def run(self, function: Any, *arguments: Any) -> int:
        """The status."""
        if threading.current_thread() is not threading.main_thread():
            status = function(*arguments)
        else:
            status = self._aside(function, arguments)
        if self._error is not None:
            raise self._error
        return int(status)

    def _aside(self, function: Any, arguments: Sequence[Any]) -> int:
        call = _Aside(function, arguments)
        raised: Optional[BaseException] = None
        while not call.over:  # a signal may come at any place of what is tried
            try:
                call.wait()
            except BaseException as error:
                raised = raised or error
                self._stopped = True
                call.give_up()
        if raised is not None:
            raise raised
        return call.status

    def checked(self, function: Any, *arguments: Any) -> None:
        """A call whose first parameter is the error."""
        err = txl_error()
        status = self.run(function, byref(err), *arguments)
        if status != OK:
            raise_error(err, status)
