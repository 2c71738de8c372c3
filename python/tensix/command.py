# SPDX-License-Identifier: Apache-2.0
"""The command tensix of a wheel: the console script becomes the program that lies beside it.

Nothing else of the package starts it, but a sweep with a reference that is a library.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    program = Path(__file__).resolve().parent / "bin" / "tensix"
    try:
        os.execv(program, [sys.argv[0], *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"tensix: {program}: {error.strerror}; this package was built without the command")
