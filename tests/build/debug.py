#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles lab and command as far as assembler text: debug.py BUILD, a directory that cmake has
configured. The warnings are errors there."""

import subprocess
import sys
from pathlib import Path

from clang import entries

TARGETS = ("tensix_lab_objects", "tensix_cli_parts", "tensix-cli")


def main():
    build = Path(sys.argv[1]).resolve()
    count = failed = 0
    for target, path, words, _ in entries(build):
        if target in TARGETS and not path.endswith("page_files.c"):  # strings alone, made
            count += 1
            command = [*words, "-S", "-o", "/dev/null", path]
            failed += subprocess.run(command, cwd=build).returncode != 0
    print(f"{count} sources, {failed} failed")
    return 0 if failed == 0 and count > 200 else 1


if __name__ == "__main__":
    sys.exit(main())
