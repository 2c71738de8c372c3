# SPDX-License-Identifier: Apache-2.0
"""What the library calls while it runs.

These are generators, called through their C methods: a handler of signals (Ctrl-C) runs where a
frame of Python begins or resumes. A function that begins has no try yet, so that ctypes would
report what the handler raises and drop it; a generator resumes inside its own.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_bool, c_void_p, py_object
from types import GeneratorType
from typing import Any, Callable, Generator, List, Optional

from . import _abi
from ._abi import tx_event

_EVENT = CFUNCTYPE(None, py_object, POINTER(tx_event))
_GO_ON = CFUNCTYPE(c_bool, c_void_p)


class Watch:
    """Ends a run where a signal's handler raises, a callback fails or another thread says so."""

    def __init__(self) -> None:
        self.error: Optional[BaseException] = None
        self.stopped = False
        self._asking = self._ask()
        next(self._asking)
        self._function = _GO_ON(self._asking.send)
        self._sinks: List[Any] = []

    def _ask(self) -> Generator[bool, Any, None]:
        go_on = True
        while True:
            try:
                yield go_on
                go_on = not self.stopped and self.error is None
            except GeneratorExit:
                return
            except BaseException as error:  # check() raises it
                self.error = error
                go_on = False

    def attach(self, settings: Any) -> None:
        """Settings of a machine, which must not outlive this."""
        settings.watch.go_on = ctypes.cast(self._function, type(settings.watch.go_on))

    def sink(self, settings: Any, take: Callable[[Any], None]) -> None:
        """take gets every event of the machine; what it raises ends the run."""

        def events() -> Generator[None, Any, None]:
            event = None
            while True:
                try:
                    event = yield
                    if self.error is None:
                        take(event.contents)
                        event = None
                except GeneratorExit:
                    return
                except BaseException as error:
                    self.error = error

        taking = events()
        next(taking)
        function = _EVENT(GeneratorType.send)
        self._sinks += [taking, function]  # the library has their addresses
        settings.sink.event = ctypes.cast(function, type(settings.sink.event))
        settings.sink.user = id(taking)

    def check(self) -> None:
        """After a run: raises what ended it."""
        error, self.error = self.error, None
        if error is not None:
            raise error
