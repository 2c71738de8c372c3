# SPDX-License-Identifier: Apache-2.0
"""An emulated card in this process: attach() before ``import jax`` or ``import ttnn``.

What ``tensix card -- python program.py`` does from outside, for a process that already runs::

    import tensix.card
    card = tensix.card.attach()
    import jax

pytest's fixture ``tensix_card`` (tensix.pytest_plugin) runs the body of a test in a process with a
card and gives findings as failures.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from pathlib import Path
from typing import List, Optional

__all__ = ["Card", "CardError", "attach", "command"]

_HINT = "run the program with a card from its start: tensix card -- python PROGRAM"
_DRIVERS = ("ttnn", "jax", "jax_plugins")


class CardError(RuntimeError):
    """There can be no card in this process; the message says what to do."""


class Card:
    """The emulated card of this process and of those that it starts."""

    def __init__(self, folder: str, library: Optional[ctypes.CDLL]) -> None:
        self.folder = folder
        self._library = library

    @property
    def findings(self) -> List[str]:
        """What the chips have found until now, a line each, of all processes with this card."""
        if self._library is not None:
            self._library.tensix_card_look()
        try:
            return Path(self.folder, "log").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []


def command() -> Optional[str]:
    """The command ``tensix``: of $TENSIX, of this package, or of $PATH; None: there is none."""
    beside = Path(__file__).resolve().parent / "bin" / "tensix"
    for place in (os.environ.get("TENSIX"), str(beside), shutil.which("tensix")):
        if place and os.access(place, os.X_OK):
            return place
    return None


def _library() -> Optional[str]:
    """libtensix-card.so: $TENSIX_CARD_LIBRARY, or where the command finds it."""
    given = os.environ.get("TENSIX_CARD_LIBRARY")
    if given:
        return given if os.access(given, os.R_OK) else None
    program = command()
    folder = Path(program).resolve().parent if program else Path("/nonexistent")
    for place in ("libtensix-card.so", "../lib/tensix/libtensix-card.so",
                  "../lib64/tensix/libtensix-card.so",
                  "../lib/x86_64-linux-gnu/tensix/libtensix-card.so"):
        if (folder / place).is_file():
            return str((folder / place).resolve())
    return None


def _preloaded() -> bool:
    """Whether the library came by LD_PRELOAD, so that the process has a card already."""
    preload = os.environ.get("LD_PRELOAD", "").replace(":", " ").split()
    return any(os.path.basename(path) == "libtensix-card.so" for path in preload)


_attached: Optional[Card] = None


def attach(product: str = "p150a") -> Card:
    """Gives this process a card, as if ``tensix card`` had started it.

    It comes before the import of what opens cards. Where the process has one, that is given,
    whatever its product. Processes that this one starts have the card, too. A process that must not
    change in this way, or another system than Linux on x86-64, gets a CardError.
    """
    global _attached
    if _attached is not None:
        return _attached
    if _preloaded():
        _attached = Card(os.environ.get("TENSIX_CARD", ""), None)
        return _attached
    early = [name for name in _DRIVERS if name in sys.modules]
    if early:
        raise CardError(f"{early[0]} has been imported before tensix.card.attach(), and may have "
                        f"looked for cards; attach first, or {_HINT}")
    path = _library()
    if path is None:
        raise CardError("libtensix-card.so is not beside the command tensix: the build had no "
                        "Zydis (libzydis-dev), or this is not Linux on x86-64; "
                        "$TENSIX_CARD_LIBRARY may name the file")
    os.environ["TENSIX_PRODUCT"] = product
    try:
        library = ctypes.CDLL(path)
        library.tensix_card_folder.restype = ctypes.c_char_p
        library.tensix_card_look.restype = None
    except (OSError, AttributeError) as error:
        raise CardError(f"{error}; {_HINT}") from None
    folder = library.tensix_card_folder()
    if folder is None or library.tensix_card_attach() != 0:
        raise CardError(f"no folder for the card's files can be made, or libc is another one; "
                        f"{_HINT}")
    # For processes that this one starts; its own environment was read long ago.
    os.environ["TENSIX_CARD"] = folder.decode()
    os.environ["LD_PRELOAD"] = " ".join(filter(None, [path, os.environ.get("LD_PRELOAD", "")]))
    _attached = Card(folder.decode(), library)
    return _attached
