#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosim_kernels.py TENSIX: of the kernels in examples/, on both chips, how many leave another
result under each reading that the vendor's simulator follows (the rules of tests/cosim). Needs
numpy."""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent


def rules():
    """Those that the classes name."""
    found = set()
    for header in sorted((ROOT / "tests/cosim").glob("*.h")):
        for table in re.findall(r"\.rules = \{(.*?)\}\}", header.read_text(), re.S):
            found.update(re.findall(r'"([a-z0-9-]+=[a-z0-9-]+)"', table))
    return sorted(found)


def inputs(folder):
    """Everyday numbers, and small integers, of which many are equal."""
    draw = numpy.random.default_rng(1)
    data = draw.standard_normal((2, 32, 32)).astype(numpy.float32)
    data[1] = draw.integers(-4, 5, (32, 32))
    numpy.save(folder / "float32.npy", data)
    numpy.save(folder / "int32.npy", (data * 100).astype(numpy.int32))


def tile_command(kernel):
    """The command that the head of a kernel of whole tiles gives; None: it gives none."""
    found = re.search(r"# +tensix run (.*?[^\\])\n", kernel.read_text().replace("\\\n#", " "))
    return shlex.split(found.group(1))[1:] if found else None


def tile_files(command, folder):
    """Its inputs are made, and where it puts its results is told."""
    draw = numpy.random.default_rng(2)
    outs = []
    for flag, word in zip(command, command[1:]):
        name = word.split("=")[-1].split(":")[0]
        if flag == "--l1":
            whole = "int" in word
            data = draw.integers(-9, 9, (32, 32)) if whole else draw.standard_normal((32, 32))
            numpy.save(folder / name, data.astype(numpy.int32 if whole else numpy.float32))
        elif flag == "--l1-out":
            outs.append(folder / name)
    return outs


def result(tensix, kernel, chip, rule, folder):
    """What it leaves, as bytes; None: it does not run on this chip or with these data."""
    extra = ["--rule=" + rule] if rule else []
    start = [str(tensix), "run", str(kernel), "--arch", chip] + extra
    command = tile_command(kernel) if kernel.parent.name == "tiles" else None
    if command is not None:
        outs = tile_files(command, folder)
        at = command.index("--arch") if "--arch" in command else None
        command = command[:at] + command[at + 2:] if at is not None else command
        done = subprocess.run(start + command, cwd=folder, capture_output=True, check=False)
        return b"".join(o.read_bytes() for o in outs) if done.returncode == 0 and outs else None
    for kind in ("float32", "int32"):
        for count in (1, 2, 3):
            words = [w for _ in range(count) for w in ("-i", f"{kind}.npy")]
            done = subprocess.run(start + words + ["-o", "out.npy"], cwd=folder,
                                  capture_output=True, check=False)
            if done.returncode == 0:
                return (folder / "out.npy").read_bytes()
    return None


def main():
    tensix = pathlib.Path(sys.argv[1]).resolve()
    kernels = [k for f in ("kernels", "tiles")
               for k in sorted((ROOT / "examples" / f).rglob("*.s"))]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        inputs(folder)
        plain = {(k, c): result(tensix, k, c, None, folder) for k in kernels for c in ("bh", "wh")}
        ran = {key: value for key, value in plain.items() if value is not None}
        print(f"{len({k for k, _ in ran})} of {len(kernels)} kernels run, {len(ran)} with the chip")
        for rule in rules():
            other = [key for key, value in ran.items()
                     if result(tensix, *key, rule, folder) != value]
            names = ", ".join(f"{k.name} ({c})" for k, c in other)
            print(f"{rule}: {len(other)} of {len(ran)}{': ' if other else ''}{names}")


if __name__ == "__main__":
    main()
