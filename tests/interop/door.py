# SPDX-License-Identifier: Apache-2.0
"""The door with the tools it is for: tt-umd opens it, tt-exalens loads programs and looks at them.

door.py SESSION CHIP LIBRARY ELF...: one session in this process, because the interface has one chip
in a process. The ELF files are for T0, T1, T2 and B, in this order. umd and exalens use one worker;
umd-all runs the programs on every worker of soc_descriptor.yaml at once, and exalens-all asks both
network interfaces of every worker where it is, and resets, runs and halts the cores of twenty. With
a library of tenstorrent/ttsim instead of ours tt-umd's sessions must give the same bytes of L1,
which they print; it has no debug units, so that tt-exalens gets no further than its memory.
"""

import argparse
import hashlib
import re
import struct
import sys
from pathlib import Path

TILE = {"bh": (1, 2), "wh": (1, 1)}
CORES = ("trisc0", "trisc1", "trisc2", "brisc")
RESULTS = 0x21000
RESET = 0xFFB121B0


def check(what, got, wanted):
    if got != wanted:
        sys.exit(f"door: {what}: {got!r} instead of {wanted!r}")


def segments(program):
    """Address and bytes of what a 32-bit ELF file loads."""
    data = open(program, "rb").read()
    at, size, count = (struct.unpack_from("<I", data, 28)[0], *struct.unpack_from("<HH", data, 42))
    for i in range(count):
        kind, offset, _, address, length = struct.unpack_from("<5I", data, at + i * size)
        if kind == 1 and length != 0:
            yield address, data[offset : offset + length]


def told(chip, memory):
    print(f"door: {chip}: L1 from {RESULTS:x} on: {hashlib.sha256(memory).hexdigest()[:16]}")


def umd(chip, library, programs):
    import tt_umd

    device = tt_umd.TTSimTTDevice.create(library)
    x, y = TILE[chip]
    data = bytes((7 * i + i // 251) % 256 for i in range(8192))
    device.noc_write(x, y, 0x20003, data)
    check("8 KiB in L1", device.noc_read(x, y, 0x20003, len(data)), data)
    check("SOFT_RESET_0", device.noc_read32(x, y, RESET), 0x47800)
    node = device.noc_read32(x, y, 0xFFB20044 if chip == "bh" else 0xFFB2002C)
    check("NODE_ID", (node & 63, node >> 6 & 63), (x, y))
    device.noc_write(0, 0, 0x40000000, data)
    check("DRAM", device.noc_read(0, 0, 0x40000000, len(data)), data)
    # The programs at the addresses that reset gives them.
    for i, program in enumerate(programs):
        device.noc_write(x, y, RESULTS + 16 * i, struct.pack("<4I", 1000 + i, 2000 + i, 0, 0))
        for address, part in segments(program):
            device.noc_write(x, y, address, part)
    device.noc_write32(x, y, RESET, 0x40000)
    for i in range(len(programs)):
        for _ in range(1000):
            if device.noc_read32(x, y, RESULTS + 16 * i + 12) == 0xFF:
                break
        check(f"product of {CORES[i]}", device.noc_read32(x, y, RESULTS + 16 * i + 8),
              (1000 + i) * (2000 + i))
    told(chip, bytes(device.noc_read(x, y, RESULTS, 64)))


def exalens(chip, library, programs):
    from ttexalens import init_ttexalens
    from ttexalens.coordinate import OnChipCoordinate
    from ttexalens.tt_exalens_lib import (
        read_from_device,
        read_word_from_device,
        run_elf,
        write_words_to_device,
    )

    context = init_ttexalens(simulation_directory=library)
    where = "0,0"
    words = [word for i in range(len(CORES)) for word in (1000 + i, 2000 + i, 0, 0)]
    write_words_to_device(where, RESULTS, words)
    for i, (core, program) in enumerate(zip(CORES, programs)):
        run_elf(program, where, core)
        for _ in range(1000):
            if read_word_from_device(where, RESULTS + 16 * i + 12) == 0xFF:
                break
        check(f"product of {core}", read_word_from_device(where, RESULTS + 16 * i + 8),
              (1000 + i) * (2000 + i))
    memory = read_from_device(where, RESULTS, num_bytes=64)
    told(chip, bytes(memory))
    place = OnChipCoordinate.create(where, context.devices[0])
    for core in CORES:
        debug = place.noc_block.get_risc_debug(core)
        with debug.ensure_halted():
            check(f"a4 of {core}", debug.read_gpr(14), 0xFF)
            debug.write_gpr(15, 0x600D)
            check(f"a5 of {core}", debug.read_gpr(15), 0x600D)
            debug.write_memory(0xFFB00010, 0x1234)
            check(f"local memory of {core}", debug.read_memory(0xFFB00010), 0x1234)
            check(f"pc of {core} stands", debug.get_pc(), debug.get_pc())
        check(f"{core} after an ebreak", debug.is_ebreak_hit(), False)


def workers(library):
    """Coordinates of all workers that tt-umd is told of."""
    text = (Path(library).parent / "soc_descriptor.yaml").read_text(encoding="utf-8")
    part = re.search(r"functional_workers:\s*\[([^\]]*)\]", text).group(1)
    return [tuple(map(int, place.split("-"))) for place in re.findall(r"\d+-\d+", part)]


def load(device, x, y, programs, seed):
    for i, program in enumerate(programs):
        words = struct.pack("<4I", seed + i, seed + 7 * i, 0, 0)
        device.noc_write(x, y, RESULTS + 16 * i, words)
        for address, part in segments(program):
            device.noc_write(x, y, address, part)


def umd_all(chip, library, programs):
    import tt_umd

    device = tt_umd.TTSimTTDevice.create(library)
    every = workers(library)
    for number, (x, y) in enumerate(every):
        check(f"SOFT_RESET_0 of {x}-{y}", device.noc_read32(x, y, RESET), 0x47800)
        node = device.noc_read32(x, y, 0xFFB20044 if chip == "bh" else 0xFFB2002C)
        check(f"NODE_ID of {x}-{y}", (node & 63, node >> 6 & 63), (x, y))
        device.noc_write(x, y, 0x20003, struct.pack("<2I", number, ~number & 0xFFFFFFFF))
        load(device, x, y, programs, 1000 + number)
    for number, (x, y) in enumerate(every):
        wanted = struct.pack("<2I", number, ~number & 0xFFFFFFFF)
        check(f"L1 of {x}-{y}", bytes(device.noc_read(x, y, 0x20003, 8)), wanted)
        device.noc_write32(x, y, RESET, 0x40000)
    memory = b""
    for number, (x, y) in enumerate(every):
        for i in range(len(programs)):
            for _ in range(1000):
                if device.noc_read32(x, y, RESULTS + 16 * i + 12) == 0xFF:
                    break
            check(f"product of {CORES[i]} of {x}-{y}",
                  device.noc_read32(x, y, RESULTS + 16 * i + 8),
                  (1000 + number + i) * (1000 + number + 7 * i))
        memory += bytes(device.noc_read(x, y, RESULTS, 64))
        device.noc_write32(x, y, RESET, 0x47800)
    print(f"door: {chip}: {len(every)} workers")
    told(chip, memory)


def exalens_all(chip, library, programs):
    from ttexalens import NocId, init_ttexalens
    from ttexalens.tt_exalens_lib import read_word_from_device, run_elf, write_words_to_device

    device = init_ttexalens(simulation_directory=library).devices[0]
    blocks = device.get_blocks("functional_workers")
    check("workers", len(blocks), len(workers(library)))
    columns, rows = {"bh": (17, 12), "wh": (10, 12)}[chip]
    for block in blocks:
        x, y = block.location.to("noc0")
        # Of a simulation tt-exalens knows no coordinates of NoC 1, which counts from the other end.
        for noc, place in ((NocId.NOC0, (x, y)), (NocId.NOC1, (columns - 1 - x, rows - 1 - y))):
            word = block.get_register_store(noc_id=noc).read_register("NOC_NODE_ID")
            check(f"{noc.name} of {x}-{y}", (word & 63, word >> 6 & 63), place)
    step = max(1, len(blocks) // 20)
    some = blocks[::step][:20]
    for number, block in enumerate(some):
        where = block.location
        for i, (core, program) in enumerate(zip(CORES, programs)):
            debug = block.get_risc_debug(core)
            what = f"{core} of {where.to_user_str()}"
            check(f"reset of {what}", debug.is_in_reset(), True)
            write_words_to_device(where, RESULTS + 16 * i, [number + 3, i + 5, 0, 0])
            run_elf(program, where, core)
            check(f"no reset of {what}", debug.is_in_reset(), False)
            for _ in range(1000):
                if read_word_from_device(where, RESULTS + 16 * i + 12) == 0xFF:
                    break
            check(f"product of {what}", read_word_from_device(where, RESULTS + 16 * i + 8),
                  (number + 3) * (i + 5))
            with debug.ensure_halted():
                check(f"a4 of {what}", debug.read_gpr(14), 0xFF)
            debug.set_reset_signal(True)
            check(f"reset again of {what}", debug.is_in_reset(), True)
            debug.set_reset_signal(False)
            check(f"no reset again of {what}", debug.is_in_reset(), False)
            debug.set_reset_signal(True)
    print(f"door: {chip}: {len(blocks)} workers on both networks, cores of {len(some)} reset")


SESSIONS = {"umd": umd, "exalens": exalens, "umd-all": umd_all, "exalens-all": exalens_all}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("session", choices=SESSIONS)
    parser.add_argument("chip", choices=("bh", "wh"))
    parser.add_argument("library")
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    SESSIONS[args.session](args.chip, args.library, args.programs)


if __name__ == "__main__":
    main()
