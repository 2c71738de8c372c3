# SPDX-License-Identifier: Apache-2.0
"""Exceptions and warnings.

A fault raises the class of its category: the words of the ISA documentation's glossary, as
tx_category_name gives them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, NoReturn, Optional, Type

from . import _abi
from ._abi import lib, text

if TYPE_CHECKING:
    from .findings import Finding


class Owner:
    """What owns memory of the library: a copy would be freed twice."""

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise TypeError(
            f"{type(self).__name__}: it owns memory of the library and cannot be copied or pickled"
        )


class TensixError(Exception):
    """Whatever this package raises besides TypeError and ValueError of arguments."""


class Fault(TensixError):
    """The machine stopped; finding says why and where."""

    def __init__(self, message: str, finding: Optional[Finding] = None):
        super().__init__(message)
        self.finding = finding


class UndefinedBehavior(Fault):
    """The ISA documentation allows anything."""


class UnpredictableValue(Fault):
    """Some value, nobody knows which."""


class NonContractualBehavior(Fault):
    """Known, and not promised."""


class MissingSpecification(Fault):
    """No document says."""


class Unsupported(Fault):
    """Documented, and not modelled."""


class Hazard(Fault):
    """Too early, too late, or against a rule of scheduling."""


class FindingError(TensixError):
    """Findings where none are wanted (findings="raise")."""


class FindingWarning(UserWarning):
    """A run found something; the result is what silicon is known to do, as far as it is known."""


class AssemblyError(TensixError, ValueError):
    """Text, a file or a recorded kernel that is no program. line and column count from 1."""

    def __init__(
        self, message: str, line: int = 0, column: int = 0, source: str = "", file: str = ""
    ):
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column
        self.source = source


class Deadlock(TensixError):
    """Every thread waits for something that nobody is going to do."""


class UnsupportedError(TensixError, ValueError):
    """No such route, engine or chip here; the message says why."""


class ClosedError(TensixError, ValueError):
    """A machine or kernel that has been closed."""


class LabError(TensixError):
    """The lab library could not do its work: a kernel or a reference stopped.

    message is one line; file, line, column and source are "" and 0 where they are not known.
    """

    def __init__(
        self, message: str, file: str = "", line: int = 0, column: int = 0, source: str = ""
    ):
        place = ":".join([file, *(str(n) for n in (line, column) if n)]) if file else ""
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.source = source


class InputError(LabError, ValueError):
    """It refused an input: an option, a file, a domain, a name."""


class Cancelled(LabError):
    """A progress function has returned False. result: of what was done till then, or None."""

    result: Any = None


def fault_classes() -> Dict[int, Type[Fault]]:
    """Category of the library -> class; the library's own table decides."""
    known = {cls.__name__: cls for cls in Fault.__subclasses__()}
    count = _abi.ENUMS["tx_category"]["TX_CATEGORY_COUNT"]
    return {i: known[text(lib.tx_category_name(i))] for i in range(1, count)}


def raise_status(status: int, where: str) -> NoReturn:
    """For what argument checks should have kept away: the library's own words."""
    words = f"{where}: {text(lib.tx_status_text(status))}"
    if status == _abi.ENOMEM:
        raise MemoryError(words)
    if status == _abi.EUNSUPPORTED:
        raise UnsupportedError(words)
    if status in (_abi.EINVAL, _abi.ENOENT):
        raise ValueError(words)
    raise TensixError(words)
