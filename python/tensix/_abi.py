# SPDX-License-Identifier: Apache-2.0
"""Where the library is found, and its interface: _abi_tables, which is made from the headers."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ._abi_tables import *  # noqa: F403
from ._abi_tables import CONSTANTS, ENUMS, FUNCTIONS, tx_settings

ABI = CONSTANTS["TX_ABI"]


def values_of(enum: Mapping[str, int]) -> Dict[str, int]:
    """Enumerators without what their names have in common: those of tx_mode have STRICT."""
    common = os.path.commonprefix(list(enum))
    start = common.rfind("_") + 1
    return {name[start:]: number for name, number in enum.items()}


def names_of(enum: Mapping[str, int]) -> Tuple[str, ...]:
    """The same in lower case, by value; of enums that count from 0."""
    by_value = {number: name for name, number in values_of(enum).items()}
    return tuple(by_value[number].lower() for number in range(len(by_value)))


def values(tag: str) -> Dict[str, int]:
    return values_of(ENUMS[tag])


def names(tag: str) -> Tuple[str, ...]:
    return names_of(ENUMS[tag])


FILE = values("tx_file")
EVENT = values("tx_event_kind")
_STATUS = values("tx_status")
OK, FAULT, EINVAL, ENOMEM, EPARSE, ELIMIT, ENOENT, EUNSUPPORTED, EDEADLOCK = (
    _STATUS[name] for name in (
        "OK", "FAULT", "EINVAL", "ENOMEM", "EPARSE", "ELIMIT", "ENOENT", "EUNSUPPORTED",
        "EDEADLOCK",
    )
)
WORMHOLE, BLACKHOLE = ENUMS["tx_arch"]["TX_WORMHOLE"], ENUMS["tx_arch"]["TX_BLACKHOLE"]
LANES, THREADS, TILE = (CONSTANTS[f"TX_{n}"] for n in ("LANES", "THREADS", "TILE_ELEMENTS"))
SECTION_INIT, SECTION_TILE = CONSTANTS["TX_SECTION_INIT"], CONSTANTS["TX_SECTION_TILE"]


def words_at(address: int) -> Any:
    """uint32_t * of a struct, from an address."""
    return ctypes.cast(address, ctypes.POINTER(ctypes.c_uint32))


def bytes_at(address: int) -> Any:
    return ctypes.cast(address, ctypes.POINTER(ctypes.c_uint8))


# ---- the library ----


def places() -> List[str]:
    """Where the library is looked for, in this order."""
    package = Path(__file__).resolve().parent
    chosen = os.environ.get("TENSIX_LIBRARY")
    if chosen:
        return [chosen]
    return [
        str(package / f"libtensix.so.{ABI}"),  # a wheel
        str(package.parent.parent / "build" / "libtensix.so"),  # the source tree
        f"libtensix.so.{ABI}",  # installed
    ]


def load(
    what: str, variable: str, tried_in_order: Sequence[str], functions: Mapping[str, Any],
    check: Optional[Callable[[Any, str], None]] = None,
) -> Any:
    """The first library of these places that is there, with its functions declared."""
    tried = []
    for place in tried_in_order:
        if "/" in place and not os.path.exists(place):
            tried.append(f"{place}: no such file")
            continue
        try:
            found = ctypes.CDLL(place)
        except OSError as error:
            tried.append(str(error))
            continue
        for name, (result, parameters) in functions.items():
            function = getattr(found, name, None)
            if function is None:
                raise ImportError(f"{place} has no function {name}: it is of another version")
            function.restype = result
            function.argtypes = list(parameters)
        if check is not None:
            check(found, place)
        return found
    raise ImportError(f"{what} is not found; {variable} names it. " + "; ".join(tried))


def _check(found: Any, place: str) -> None:
    if found.tx_abi() != ABI:
        raise ImportError(
            f"{place} is version {found.tx_version().decode()} with interface {found.tx_abi()}; "
            f"this package wants interface {ABI} of its own version"
        )


lib = load("libtensix", "TENSIX_LIBRARY", places(), FUNCTIONS, _check)


def text(value: Any) -> str:
    """A C string; the library's texts are ASCII but for what it quotes."""
    return "" if value is None else value.decode("utf-8", "replace")
