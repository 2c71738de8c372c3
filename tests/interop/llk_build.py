# SPDX-License-Identifier: Apache-2.0
"""Compiles a test of tt-llk, three threads and B's firmware, with Debian's compiler.

Nothing of tt-llk is here; what its headers take from elsewhere is tests/interop/llk and, for the
positions of configuration, written out of our own tables.
"""

import re
import struct
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COMPILER = "riscv64-unknown-elf-g++"
THREADS = ["unpack", "math", "pack"]
CHIPS = {
    "bh": ("blackhole", "tt_llk_blackhole", "ARCH_BLACKHOLE", "rv32im_zicsr_zba_zbb"),
    "wh": ("wormhole", "tt_llk_wormhole_b0", "ARCH_WORMHOLE", "rv32im"),
}
# Words of a bank of configuration, by four; words of a thread; the first word of THCON.
WORDS = {"bh": (56, 68, 64), "wh": (47, 57, 52)}
FORMATS = {
    "Float32": 0, "Float16": 1, "Bfp8": 2, "Tf32": 4, "Float16_b": 5, "Bfp8_b": 6, "Bfp4_b": 7,
    "Int32": 8, "UInt16": 9, "Int8": 14, "UInt32": 24, "UInt8": 30,
}  # fmt: skip

HEAD = """#pragma once
#include <array>
#include <type_traits>
#include "operand.h"
#include "llk_defs.h"
#include "llk_sfpu_types.h"
#include "perf.h"
#include "tensix_types.h"
#define RUNTIME_PARAMETERS [[maybe_unused]] const struct RuntimeParams &
struct FormatConfig {
    std::uint32_t unpack_A_src, unpack_B_src, unpack_S_src;
    std::uint32_t unpack_A_dst, unpack_B_dst, unpack_S_dst, math;
    std::uint32_t pack_src, pack_dst, pack_S_src, pack_S_dst;
};
"""

# Values that tests find in the arguments, params.NAME, and what they are without a variant's word:
# (C type, struct's letter, value). All tests get all of them.
ARGUMENTS = {
    "FULL_RT_DIM": ("std::uint32_t", "I", 1),
    "FULL_CT_DIM": ("std::uint32_t", "I", 1),
    "BLOCK_CT_DIM": ("std::uint32_t", "I", 1),
    "BLOCK_RT_DIM": ("std::uint32_t", "I", 1),
    "LOOP_FACTOR": ("std::uint32_t", "I", 1),
    "UNPACK_TRANSPOSE_FACES": ("bool", "?", False),
    "UNPACK_TRANSPOSE_WITHIN_FACE": ("bool", "?", False),
    "NARROW_TILE": ("bool", "?", False),
    "DST_INDEX": ("int", "i", 0),
    "L1_ACC": ("int", "i", 0),
    "TILE_CNT": ("std::uint32_t", "I", 1),
    "INPUT_TILE_CNT": ("int", "i", 1),
    "OUTPUT_TILE_CNT": ("int", "i", 1),
    "IS_REDUCE_TO_ONE": ("bool", "?", False),
    "SRCA_REUSE_COUNT": ("int", "i", 1),
    "PARTIAL_FACE_A": ("bool", "?", False),
    "PARTIAL_FACE_PACK": ("bool", "?", False),
    "PARTIAL_FACE_B": ("bool", "?", False),
    "PARTIAL_FACE_MATH": ("bool", "?", False),
    "CT_DIM": ("std::uint32_t", "I", 1),
    "RT_DIM": ("std::uint32_t", "I", 1),
    "KT_DIM": ("std::uint32_t", "I", 1),
    "NUM_TILES_IN_BLOCK": ("std::uint32_t", "I", 1),
    "INPUT_NUM_TILES_IN_BLOCK": ("std::uint32_t", "I", 1),
    "OUTPUT_NUM_TILES_IN_BLOCK": ("std::uint32_t", "I", 1),
    "NUM_BLOCKS": ("int", "i", 1),
    "INPUT_NUM_BLOCKS": ("int", "i", 1),
    "OUTPUT_NUM_BLOCKS": ("int", "i", 1),
    "num_faces": ("std::uint32_t", "I", 4),
    "num_faces_A": ("std::uint32_t", "I", 4),
    "num_faces_B": ("std::uint32_t", "I", 4),
    "num_faces_r_dim_A": ("int", "i", 2),
    "num_faces_r_dim_B": ("int", "i", 2),
    "num_faces_c_dim_A": ("int", "i", 2),
    "num_faces_c_dim_B": ("int", "i", 2),
    "in0_face_r_dim": ("int", "i", 16),
    "in0_face_c_dim": ("int", "i", 16),
    "in1_face_r_dim": ("int", "i", 16),
    "in1_face_c_dim": ("int", "i", 16),
    "TEST_FACE_R_DIM": ("std::uint32_t", "I", 16),
    "TEST_FACE_C_DIM": ("std::uint32_t", "I", 16),
    "in0_tile_r_dim": ("std::uint32_t", "I", 32),
    "in0_tile_c_dim": ("std::uint32_t", "I", 32),
    "in1_tile_r_dim": ("std::uint32_t", "I", 32),
    "in1_tile_c_dim": ("std::uint32_t", "I", 32),
    "RELU_CONFIG": ("int", "i", 0),
    "NUM_ROWS_TO_PACK": ("std::uint32_t", "I", 16),
}

# Names that tests take as constants, and their values without a variant's word.
CONSTANTS = {
    "FULL_RT_DIM": ("std::uint32_t", "1"),
    "FULL_CT_DIM": ("std::uint32_t", "1"),
    "BLOCK_CT_DIM": ("std::uint32_t", "1"),
    "BLOCK_RT_DIM": ("std::uint32_t", "1"),
    "RT_DIM": ("std::uint32_t", "1"),
    "CT_DIM": ("std::uint32_t", "1"),
    "KT_DIM": ("std::uint32_t", "1"),
    "LOOP_FACTOR": ("std::uint32_t", "1"),
    "TOPK_K": ("std::uint32_t", "32"),
    "TOPK_LOGK": ("std::uint32_t", "5"),
    "TOPK_NUM_ITERATIONS": ("std::uint32_t", "0"),
    "TOPK_SORT_DIRECTION": ("std::uint32_t", "0"),
    "TOPK_STABLE_SORT": ("bool", "false"),
    "TILE_DST_CT_OFFSET": ("std::uint32_t", "0"),
    "tilize_en": ("bool", "false"),
    "l1_acc_en": ("bool", "false"),
    "unpack_to_dest": ("bool", "false"),
    "is_fp32_dest_acc_en": ("bool", "false"),
    "disable_src_zero_flag": ("bool", "false"),
    "ACC_TO_DEST": ("bool", "false"),
    "APPROX_MODE": ("bool", "false"),
    "FAST_MODE": ("bool", "false"),
    "STABLE_SORT": ("bool", "false"),
    "CLAMP_NEGATIVE": ("bool", "true"),
    "ADD_TOP_ROW": ("bool", "false"),
    "MATH_TRANSPOSE_FACES": ("bool", "false"),
    "THROTTLE_LEVEL": ("int", "0"),
    "ITERATIONS": ("int", "8"),
    "MATH_FIDELITY": ("auto", "ckernel::MathFidelity::HiFi4"),
    "BROADCAST_TYPE": ("auto", "ckernel::BroadcastType::NONE"),
    "ELTWISE_BINARY_OP": ("auto", "ckernel::EltwiseBinaryType::ELWADD"),
    "POOL_TYPE": ("auto", "ckernel::PoolType::SUM"),
    "REDUCE_DIM": ("auto", "ckernel::ReduceDim::REDUCE_ROW"),
    "dest_sync": ("auto", "ckernel::DstSync::SyncHalf"),
    "STOCHASTIC_RND": ("auto", "ckernel::StochRndType::None"),
    "PERF_RUN_TYPE": ("auto", "PerfRunType::L1_TO_L1"),
}


class CompileError(Exception):
    pass


def cfg_defines(chip):
    text = (ROOT / f"include/tensix/chip/{CHIPS[chip][0]}_names.def").read_text(encoding="ascii")
    line = re.compile(r"^#define \w+_(?:ADDR32|SHAMT|MASK|RMW) .*\n", re.M)
    modes = dict.fromkeys(re.findall(r"^constexpr std::uint32_t SFP\w+ = \d+;\n", text, re.M))
    names = "#include <cstdint>\nnamespace sfpi {\n" + "".join(modes) + "}\n"
    sizes = zip(("CFG_STATE_SIZE", "THD_STATE_SIZE", "THCON_CFGREG_BASE_ADDR32"), WORDS[chip])
    more = "".join(f"#define {name} {value}\n" for name, value in sizes)
    return "#pragma once\n" + more + "".join(line.findall(text)) + names


def overlay(llk, chip, work):
    """A folder of links to tt-llk's common headers, with ours where vector code would need SFPI."""
    folder = work / chip / "inc"
    if not folder.exists():
        folder.mkdir(parents=True)
        (work / chip / "cfg_defines.h").write_text(cfg_defines(chip), encoding="ascii")
        for file in (llk / CHIPS[chip][1] / "common/inc").iterdir():
            if file.name != "ckernel_sfpu.h":
                (folder / file.name).symlink_to(file.resolve())


def host_library():
    """The C++ headers of the host, of the compiler's major version: the cores have none."""
    version = subprocess.run(
        [COMPILER, "-dumpversion"], capture_output=True, text=True, check=True
    ).stdout.split(".")[0]
    found = [
        Path("/usr/include/c++") / version,
        *Path("/usr/include").glob(f"*-linux-gnu/c++/{version}"),
    ]
    return found if len(found) > 1 and found[0].exists() else None


def flags(llk, chip, work, variant):
    _, folder, define, march = CHIPS[chip]
    includes = [
        variant, work / chip, HERE / "llk", llk / folder / "llk_lib", work / chip / "inc",
        work / chip / "inc/sfpu", llk / "common", llk / "tests/helpers/include", llk / "tests",
        llk / "tests/helpers/src",
    ]  # fmt: skip
    return [
        f"-march={march}", "-mabi=ilp32", "-g", "-O3", "-std=c++17", "-ffast-math",
        "-nostdlib", "-nostartfiles", "-fno-use-cxa-atexit", "-fno-exceptions", "-fno-rtti",
        "-fno-asynchronous-unwind-tables", "-w", "-DTENSIX_FIRMWARE", "-DENV_LLK_INFRA",
        "-DENABLE_LLK_ASSERT", f"-D{define}", "-DLLK_BOOT_MODE_BRISC",
        *[f"-I{i}" for i in includes], "-nostdinc++", "-isystem", str(HERE / "llk/host"),
        *[word for i in host_library() for word in ("-isystem", str(i))],
        "-include", str(HERE / "llk/push.h"), "-Wl,-z,max-page-size=16",
        "-Wl,-z,common-page-size=16",
    ]  # fmt: skip


def link(llk, chip, name):
    scripts = llk / "tests/helpers/ld"
    return [
        f"-T{scripts}/memory.{CHIPS[chip][0]}.ld",
        f"-T{scripts}/{name}.ld",
        f"-T{scripts}/sections.ld",
    ]


def compile_one(command, source):
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        wrong = re.findall(r"(?:error|undefined reference|will not fit|overflowed).*", done.stderr)
        raise CompileError(wrong[0] if wrong else done.stderr.strip()[-200:])


def build_header(variant):
    constants = {**CONSTANTS, **{k: (CONSTANTS[k][0], v) for k, v in variant.constants.items()}}
    constants = {k: v for k, v in constants.items() if k not in variant.without}
    lines = [HEAD]
    lines += [f"constexpr {t} {name} = {value};\n" for name, (t, value) in constants.items()]
    lines += [line + "\n" for line in variant.lines]
    if not variant.runtime_formats:
        numbers = ", ".join(str(FORMATS[name]) for name in variant.formats[0])
        lines.append(f"constexpr FormatConfig formats = {{{numbers}}};\n")
        lines.append(
            "constexpr auto UNPACK_A_IN = formats.unpack_A_src, PACK_OUT = formats.pack_dst;\n"
        )
    formats = "FormatConfig formats" + ("" if variant.runs == 1 else f"[{variant.runs}]")
    lines.append(
        "struct RuntimeParams { std::uint32_t TILE_SIZE_PACK, TILE_SIZE_UNPACK_A;"
        f" std::uint32_t TILE_SIZE_UNPACK_B; {formats};"
    )
    lines.append(" Operand buffer_A, buffer_B, buffer_Res, buffer_C;\n")
    lines += [f"{t} {name};\n" for name, (t, _, _) in ARGUMENTS.items()]
    return "".join(lines) + "};\n"


def arguments(variant):
    """RuntimeParams as it lies in L1."""
    letters = "@III" + "I" * 11 * variant.runs + "I" * 8
    values = list(variant.tile_sizes)
    for run in variant.formats:
        values += [FORMATS[name] for name in run]
    for address, size in variant.operands:
        values += [address, size]
    for name, (_, letter, default) in ARGUMENTS.items():
        letters += letter
        values.append(variant.arguments.get(name, default))
    unknown = set(variant.arguments) - set(ARGUMENTS)
    assert not unknown, unknown
    data = struct.pack(letters, *values)
    return data + bytes(-len(data) % 16)


def firmware(llk, chip, work):
    elf = work / chip / "brisc.elf"
    if not elf.exists():
        overlay(llk, chip, work)
        command = [
            COMPILER,
            *flags(llk, chip, work, work),
            *link(llk, chip, "brisc"),
            "-o",
            str(elf),
        ]
        compile_one([*command, "-x", "c++", "-", "-lgcc"], "#include <brisc.cpp>\n")
    return elf


def program(llk, chip, work, variant):
    """The ELF files of the three threads, or CompileError."""
    overlay(llk, chip, work)
    folder = work / chip / variant.name
    folder.mkdir(exist_ok=True)
    (folder / "build.h").write_text(build_header(variant), encoding="ascii")
    elves = []
    for n, thread in enumerate(THREADS):
        elves.append(folder / f"{thread}.elf")
        define = [f"-DCOMPILE_FOR_TRISC={n}", f"-DLLK_TRISC_{thread.upper()}"]
        if variant.runtime_formats:
            define.append("-DRUNTIME_FORMATS")
        command = [COMPILER, *flags(llk, chip, work, folder), *define, *link(llk, chip, thread)]
        try:
            compile_one(
                [*command, "-o", str(elves[-1]), "-x", "c++", "-", "-lgcc"],
                f"#include <sources/{variant.source}.cpp>\n#include <trisc.cpp>\n",
            )
        except CompileError as error:
            raise CompileError(f"{thread}: {error}") from error
    return elves
