#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What clang says of the sources that its program of all fuzz targets leaves out: clang.py BUILD, a
directory that cmake has configured for it (tests/build/fuzz.sh).

Every source of the libraries, the command, the oracle and the campaigns passes clang's front end,
which has all of its warnings, with the options of that build. Code is made where the kind of
processor decides what compiles.
"""

import collections
import json
import shlex
import subprocess
import sys
from pathlib import Path

CHECKED = ("tensix_objects", "tensix_lab_objects", "tensix_cli_parts", "tx_oracle")
# A source with code for one kind of processor ends in its name.
LEVELS = ("_avx2.c", "_avx512.c", "_base.c", "_neon.c")


def entries(build):
    """(target, path, words before -o, object) of each C source."""
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        at = words.index("-o")
        target = words[at + 1].split("/")[1].removesuffix(".dir")
        if entry["file"].endswith(".c"):
            yield target, entry["file"], words[:at], words[at + 1]


def front_end(build, words, files):
    """One process for all files of the same options: to start takes clang as long as one file."""
    asked = subprocess.run(
        [*words, "-fsyntax-only", "-###", files[0]], cwd=build, capture_output=True, text=True
    )
    command = shlex.split(asked.stderr.splitlines()[-1])
    if "-cc1" not in command or command[-1] != files[0]:
        raise SystemExit(f"clang -### says something else: {asked.stderr}")
    return subprocess.run([*command[:-1], *files], cwd=build).returncode == 0


def main():
    build = Path(sys.argv[1]).resolve()
    groups = collections.defaultdict(list)
    fuzzed = {path for target, path, _, _ in entries(build) if target == "fuzz_all"}
    compiled = []
    for target, path, words, made in entries(build):
        generated = path.endswith(("fast_text.c", "page_files.c"))
        if path in fuzzed or not (target in CHECKED or "-campaign_" in target):
            continue
        if path.endswith(LEVELS):
            compiled.append((path, [*words, "-o", made, "-c", path]))
        elif not generated:
            groups[tuple(words)].append(path)
    good = True
    count = 0
    for words, files in groups.items():
        good = front_end(build, list(words), files) and good
        count += len(files)
    for path, command in compiled:
        (build / command[command.index("-o") + 1]).parent.mkdir(parents=True, exist_ok=True)
        if subprocess.run(command, cwd=build).returncode != 0:
            print(f"{path}: clang makes no code of it")
            good = False
    print(f"clang: {count} sources checked, {len(compiled)} compiled, {len(fuzzed)} fuzzed")
    return 0 if good and count > 150 and len(compiled) > 5 and len(fuzzed) > 150 else 1


if __name__ == "__main__":
    sys.exit(main())
