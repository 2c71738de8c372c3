# SPDX-License-Identifier: Apache-2.0
"""The command tensix, for what needs a compiler (record) or MPFR (named references of sweep)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import List

from .errors import CommandError


def find() -> str:
    """$TENSIX, build/ of the source tree, the PATH."""
    chosen = os.environ.get("TENSIX")
    if chosen:
        return chosen
    here = Path(__file__).resolve().parent.parent.parent / "build" / "tensix"
    found = str(here) if here.is_file() else shutil.which("tensix")
    if found is None:
        raise CommandError("the command tensix is not found; the variable TENSIX names it")
    return found


def tensix(arguments: List[str]) -> str:
    """Its standard output. CommandError: its message, where it refuses."""
    try:
        done = subprocess.run(
            [find(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False
        )
    except OSError as error:
        raise CommandError(f"{find()}: {error.strerror}") from error
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stdout):
        message = done.stderr or done.stdout or b"no message"
        raise CommandError(message.decode("utf-8", "replace").strip())
    return done.stdout.decode("utf-8", "replace")
