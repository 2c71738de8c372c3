#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The walk of docs/recording.md through a kernel of tt-llk, typed as printed.

    walk.py --llk DIR [--tensix COMMAND]

The source and the commands are taken from the text; the results are judged by Python's division.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from numbers_ import bits, load

ROOT = Path(__file__).resolve().parent.parent.parent
HEADING = "### The vendor's header names and entry points"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--llk", required=True, type=Path)
    parser.add_argument("--tensix", default=str(ROOT / "build" / "tensix"))
    options = parser.parse_args()
    if not (options.llk / "tt_llk_blackhole").is_dir():
        sys.exit(f"walk: {options.llk} is no checkout of tt-llk")
    text = (ROOT / "docs" / "recording.md").read_text(encoding="utf-8")
    section = text[text.index(HEADING) :]
    name = re.search(r"`(\w+\.cpp)` is\n", section)[1]
    source = re.search(r"```c\+\+\n(.*?)```", section, re.S)[1]
    commands = re.findall(r"^\$ (tensix .*)$", section, re.M)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / name).write_text(source, encoding="ascii")
        (path / "tt-llk").symlink_to(options.llk.resolve())
        (path / "examples").symlink_to(ROOT / "examples")
        (path / "bin").mkdir()
        (path / "bin" / "tensix").write_text(
            f'#!/bin/sh\nexec "{Path(options.tensix).resolve()}" "$@"\n', encoding="ascii")
        (path / "bin" / "tensix").chmod(0o755)
        environment = dict(os.environ, PATH=f"{path / 'bin'}:{os.environ['PATH']}")
        for command in commands:
            done = subprocess.run(command, shell=True, cwd=path, env=environment, check=False,
                                  capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"walk: {command}\n{done.stderr}")
        for chip in ("bh", "wh"):
            given = load(path / "examples" / "data" / "tiles.npy")
            got = load(path / f"recip-{chip}.npy")
            right = sum(abs(bits(1 / x) - bits(y)) <= 1 for x, y in zip(given, got))
            print(f"walk: {len(commands)} commands of docs/recording.md; {chip}: {right} of "
                  f"{len(given)} reciprocals within 1 ULP")
            wrong += right != len(given) or len(got) != len(given)
    return 1 if wrong or len(commands) != 4 else 0


if __name__ == "__main__":
    sys.exit(main())
