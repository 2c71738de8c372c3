#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What clang says of the whole tree, and two of its fuzz targets: clang.py BUILD, a directory that
cmake has configured for them (tests/build/fuzz.sh).

Every source of the libraries, the command, the oracle and the campaigns passes clang's front end,
which has all of its warnings, with the options of that build. Code is made where the kind of
processor decides what compiles, and of what the targets call. Linking them shows that nothing is
missing.
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
CALLED = {"asm": ("src/asm/", "src/isa/", "src/base/"), "npy": ("lab/data/npy.c",)}


def entries(build):
    """(target, path in the tree, words before -o, object) of each C source."""
    root = Path(__file__).resolve().parents[2]
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        at = words.index("-o")
        target = words[at + 1].split("/")[1].removesuffix(".dir")
        file = Path(entry["file"])
        if file.suffix == ".c":
            inside = file.relative_to(root) if file.is_relative_to(root) else Path(file.name)
            yield target, str(inside), entry["file"], words[:at], words[at + 1]


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
    compiled, objects = [], collections.defaultdict(list)
    for target, inside, path, words, made in entries(build):
        generated = inside in ("fast_text.c", "page_files.c")
        fuzzed = [name for name, parts in CALLED.items() if inside.startswith(parts)]
        if target.startswith("fuzz-fuzz_"):
            fuzzed = [name for name in CALLED if inside == f"tests/fuzz/fuzz_{name}.c"]
            if not fuzzed:
                continue
        elif target not in CHECKED and "-campaign_" not in target:
            continue
        if fuzzed or inside.endswith(LEVELS):
            compiled.append((inside, [*words, "-o", made, "-c", path]))
        elif not generated:
            groups[tuple(words)].append(path)
        for name in fuzzed:
            objects[name].append(made)
    good = True
    count = 0
    for words, files in groups.items():
        good = front_end(build, list(words), files) and good
        count += len(files)
    for inside, command in compiled:
        (build / command[command.index("-o") + 1]).parent.mkdir(parents=True, exist_ok=True)
        if subprocess.run(command, cwd=build).returncode != 0:
            print(f"{inside}: clang makes no code of it")
            good = False
    for name in CALLED:
        (build / "tests/fuzz").mkdir(parents=True, exist_ok=True)
        link = ["clang", "-fsanitize=address,fuzzer", *objects[name]]
        link += ["-o", f"tests/fuzz/fuzz_{name}"]
        good = subprocess.run(link, cwd=build).returncode == 0 and good
    print(f"clang: {count} sources checked, {len(compiled)} compiled")
    return 0 if good and count > 300 and len(compiled) > 30 else 1


if __name__ == "__main__":
    sys.exit(main())
