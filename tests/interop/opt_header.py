#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""opt_header.py --kit DIR --build DIR: headers of `tensix opt` in the vendor's compiler.

Kernels of the examples - SFPLOADMACRO, straight, predicated, and longer than a search - go through
`tensix opt --header` for both chips. What calls the two functions of the header is compiled by
`tensix cc` with this project's ckernel_ops.h, and by the vendor's compiler of DIR
(DIR/rt/runtime/sfpi) with tt-llk's (DIR/rt/tt_metal/tt-llk). Both objects have to have the words of
the kernel file that `opt` writes beside the header, in their order. Exit status: 0 if all do.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
MACROS = ("max_fp32", "exp_clamped", "mul_i32", "recip_fp32", "where", "u32_to_fp32", "mul_u16_wh")
SELECT = ("--init", "init", "--tile", "tile", "--inputs", "3", "--output", "3")
RECORDED = {"relu": ("--tile", "kernel"), "sigmoid": ("--tile", "kernel"), "select": SELECT}
UNARY = ("abs", "floor", "sign")
LIBRARY = {"bh": "tt_llk_blackhole", "wh": "tt_llk_wormhole_b0"}
CPU = {"bh": "tt-bh-tensix", "wh": "tt-wh-tensix"}
CALLS = """#include "{name}.h"
extern "C" __attribute__((flatten)) void kernel_main()
{{
    ckernel::sfpu::_init_{name}_();
    ckernel::sfpu::_calculate_{name}_();
}}
"""


def run(*command, good=(0,)):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          check=False)
    if done.returncode not in good:
        sys.exit(f"opt_header: {' '.join(map(str, command))}: {done.stderr.strip()[:1500]}")
    return done.stdout


def words(tensix, path):
    return re.findall(r"# ([0-9a-f]{8})\b", run(tensix, "dis", "-w", path))


def kernels(tensix, work, chip):
    """(name, kernel file) of what the chip has."""
    for name in MACROS:
        path = EXAMPLES / "kernels/macro" / f"{name}.s"
        arch = re.search(r"^\.arch\s+(\w+)", path.read_text(encoding="ascii"), re.M)
        if arch is None or arch[1].startswith({"bh": "black", "wh": "worm"}[chip]):
            yield name, path
    for name in UNARY:
        yield name, EXAMPLES / "kernels/unary" / f"{name}.s"
    for name, options in RECORDED.items():
        path = work / f"{name}.recorded.s"
        run(tensix, "record", EXAMPLES / "llk_style" / f"{name}.cpp", "--arch", chip,
            *options, "-o", path)
        yield name, path


def check(tensix, kit, work, chip, name, kernel):
    """Returns how many words differ, by both compilers, and how many there are."""
    fast, header = work / f"{name}.s", work / f"{name}.h"
    copy = work / "given" / f"{name}.s"  # the header's functions have the file's name
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(kernel.read_text(encoding="ascii"), encoding="ascii")
    run(tensix, "opt", copy, "--arch", chip, "--time", 2, "--sample", 1024, "-o", fast, "--header",
        header)
    run(tensix, "asm", fast, "--arch", chip, "-o", work / "file.hex")
    source = work / "calls.cpp"
    source.write_text(CALLS.format(name=name), encoding="ascii")
    run(tensix, "cc", "--arch", chip, "--thread", "math", "-I", work, "-I",
        ROOT / "include/tensix/llk", source, "-o", work / "own.elf")
    run(kit / "rt/runtime/sfpi/compiler/bin/riscv-tt-elf-g++", f"-mcpu={CPU[chip]}", "-O2",
        "-std=c++17", "-fno-exceptions", "-include", "cstdint", "-c", source, f"-I{work}",
        f"-I{kit / 'rt/tt_metal/tt-llk' / LIBRARY[chip] / 'common/inc'}", "-o", work / "vendor.o")
    wanted = words(tensix, work / "file.hex")
    differ = []
    for made in ("own.elf", "vendor.o"):
        got = words(tensix, work / made)
        differ.append(abs(len(got) - len(wanted)) + sum(a != b for a, b in zip(got, wanted)))
    return differ, len(wanted)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kit", type=Path, required=True)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    args = parser.parse_args()
    tensix = args.build.resolve() / "tensix"
    count = wrong = total = 0
    for chip in ("bh", "wh"):
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            for name, kernel in kernels(tensix, work, chip):
                differ, size = check(tensix, args.kit, work, chip, name, kernel)
                count, total = count + 1, total + size
                if any(differ) or size == 0:
                    print(f"{name}, {chip}: of {size} words tensix cc gives {differ[0]} others, "
                          f"the vendor's compiler {differ[1]}")
                    wrong += 1
    print(f"opt's headers: {count} with {total} words, by tensix cc and by the vendor's compiler; "
          f"{wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
