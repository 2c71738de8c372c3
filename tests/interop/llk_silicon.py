# SPDX-License-Identifier: Apache-2.0
"""Rows of bench/silicon/figures.tsv whose kernel is llk:NAME: public tests of tt-llk, Blackhole.

scripts/silicon.py --kit DIR takes cycles(). A test is compiled as its harness does, with the
compiler and the library of the kit (scripts/kit.sh) and the assertions that the harness compiles
in by default: topk and reduce_sdpa are the kit's own tests/sources, the others, whose zones no
release has, are llk/silicon.cpp.
"""

import struct
import subprocess
from pathlib import Path

from llk_figures import ARGUMENTS, PROFILE, PROFILE_WORDS, THREADS, Kit

HERE = Path(__file__).resolve().parent
BF16, UINT16 = 5, 9
BUFFERS = 0x21000, 0x31000, 0x51000, 0x41000  # A, B, result, C
HEAD = """#pragma once
#include <array>
#include <type_traits>
#include "operand.h"
#include "llk_defs.h"
#include "llk_sfpu_types.h"
#include "perf.h"
#include "tensix_types.h"
#define RUNTIME_PARAMETERS [[maybe_unused]] const struct RuntimeParams&
constexpr bool l1_acc_en = false, unpack_to_dest = false, is_fp32_dest_acc_en = false;
constexpr bool APPROX_MODE = false;
constexpr auto dest_sync = ckernel::DstSync::SyncHalf;
struct FormatConfig {
    std::uint32_t unpack_A_src, unpack_B_src, unpack_S_src, unpack_A_dst, unpack_B_dst,
        unpack_S_dst, math, sfpu_src, sfpu_dst, pack_src, pack_dst, pack_S_src, pack_S_dst;
};
"""
# The harness's constants, and what it hands over in L1 behind formats and buffers.
TESTS = {
    "topk": (
        "constexpr std::uint32_t TOPK_K = 32, TOPK_LOGK = 5, TOPK_NUM_ITERATIONS = 1,"
        " TOPK_SORT_DIRECTION = 0, TOPK_TAG_BITS = 16;"
        "constexpr bool TOPK_STABLE_SORT = false, TOPK_FUSED_STABLE = false,"
        " TOPK_RANK_STAMPED = false;",
        {"FULL_RT_DIM": 1, "FULL_CT_DIM": 4, "TILE_CNT": 4},
    ),
    "reduce_sdpa": (
        "constexpr std::uint32_t BLOCK_RT_DIM = 4;",
        {"TILE_CNT": 32, "NUM_BLOCKS": 4, "NUM_TILES_IN_BLOCK": 8},
    ),
    "typecast": ("", {"NUM_BLOCKS": 1, "NUM_TILES_IN_BLOCK": 1}),
    "where": ("#define SILICON_WHERE 1\n", {"NUM_BLOCKS": 4, "NUM_TILES_IN_BLOCK": 1}),
    "bcast": ("#define SILICON_BCAST 1\n", {}),
}
FIXED = {"where"}  # its formats are constants
SOURCES = {"topk": "topk_test", "reduce_sdpa": "sfpu_reduce_sdpa_test"}


def zones(words):
    """Cycles of a thread's zones, in the order of their ends."""
    begun, ended = [], []
    for i in range(0, len(words) - 1, 2):
        kind, time = words[i] >> 28, (words[i] & 0xFFF) << 32 | words[i + 1]
        if kind == 0xA:
            begun.append(time)
        elif kind == 0xB:
            ended.append(time - begun.pop())
        else:
            break
    return ended


def build(kit, name, folder):
    constants, values = TESTS[name]
    fields = "".join(f"    std::uint32_t {field};\n" for field in values)
    formats = [UINT16 if name == "typecast" else BF16] * 9 + [BF16] * 4
    head, data = HEAD + constants + "\n", b""
    buffers = "    Operand buffer_A, buffer_B, buffer_Res, buffer_C;\n"
    if name in FIXED:
        head += f"constexpr FormatConfig formats = {{{', '.join(map(str, formats))}}};\n"
    else:
        buffers, data = "    FormatConfig formats;\n" + buffers, struct.pack("<13I", *formats)
    (folder / "build.h").write_text(
        head + "struct RuntimeParams {\n" + buffers + fields + "};\n", encoding="ascii"
    )
    data += b"".join(struct.pack("<2I", buffer, 2048) for buffer in BUFFERS)
    data += struct.pack(f"<{len(values)}I", *values.values())
    (folder / "arguments.bin").write_bytes(data + bytes(-len(data) % 16))
    source = HERE / "llk/silicon.cpp"
    if name in SOURCES:
        source = kit.tests / f"sources/{SOURCES[name]}.cpp"
    for number, thread in enumerate(THREADS):
        more = [f"-I{folder}", f"-DCOMPILE_FOR_TRISC={number}", f"-DLLK_TRISC_{thread.upper()}",
                "-DLLK_PROFILER", *([] if name in FIXED else ["-DRUNTIME_FORMATS"])]  # fmt: skip
        text = f'#include "barrier.h"\n#include "{source}"\n#include <trisc.cpp>\n'
        kit.compile(thread, text, more, folder / f"{thread}.elf")
    boot = (kit.tests / "helpers/src/brisc.cpp").read_text(encoding="utf-8")
    kit.compile("brisc", boot, [], folder / "brisc.elf")


def cycles(tensix, folder, name, work):
    """{(thread, zone): cycles}: KERNEL is what ends last, BODY the mean of what it holds."""
    work = Path(work)
    build(Kit(Path(folder), arch="bh"), name, work)
    out = work / "profile.bin"
    command = [
        tensix, "tile", "run", "--arch", "bh", "--boot", "b", "--elf", f"b={work / 'brisc.elf'}",
        *[w for n, t in enumerate(THREADS) for w in ("--elf", f"t{n}={work / t}.elf")],
        "--l1", f"{ARGUMENTS}={work / 'arguments.bin'}", "--poke", "0x1FFC4=3@4000",
        "--l1-out", f"{PROFILE}:uint32:{3 * PROFILE_WORDS}:rows={out}",
        *[w for n in range(3) for w in ("--until", f"{0x1FFB8 + 4 * n}=0xFF")],
        "--max-cycles", "1000000",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"interop: {name}: {done.stderr.strip()[-2000:]}")
    words = struct.unpack(f"<{3 * PROFILE_WORDS}I", out.read_bytes())
    seen = {}
    for thread in range(3):
        part = zones(words[thread * PROFILE_WORDS : (thread + 1) * PROFILE_WORDS])
        seen[thread, "KERNEL"] = part[-1]
        if len(part) > 1:
            seen[thread, "BODY"] = sum(part[:-1]) / (len(part) - 1)
    return seen
