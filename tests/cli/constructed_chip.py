#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""constructed_chip.py TENSIX EXAMPLES [N of M]: programs on several tiles with one bottleneck.

Pages go from DRAM through unpacker, Matrix Unit, Vector Unit and packer of each tile and back;
what one part has to do makes all others wait for it: a unit, a core, the NoC (all tiles read
large blocks of one tile) or DRAM (all read from one bank). What the profile names must be the
part whose removal saves most when each of the seven is removed by --pace PART=none in a run of
its own, and the saving that it prints must be that of this run. Without "N of M" every 76th
program runs."""

import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

PARTS = {"unpack": "unpack", "matrix": "matrix", "vector": "vector", "pack": "pack",
         "delivery": "cores", "noc": "noc", "dram": "dram"}
READ = """
#include <tensix/kernel/dataflow.h>
void kernel_main(void)
{
    const InterleavedAddrGen<true> a = {get_arg_val<uint32_t>(0), 2048};
    const uint64_t bank = get_noc_addr(0, a);
    const uint64_t tile = tx_noc_addr_of(0, 0, 0xC0000);
    for (uint32_t page = 0; page < get_arg_val<uint32_t>(1); page++) {
        cb_reserve_back(0, 1);
        cb_reserve_back(1, 1);
        noc_async_read(bank, get_write_ptr(0), 2048);
        noc_async_read(bank, get_write_ptr(1), 2048);
        for (uint32_t i = 0; i < X_DRAM; i++) {
            noc_async_read(bank, 0x100000, 2048);
        }
        for (uint32_t i = 0; i < X_NOC; i++) {
            noc_async_read(tile, 0x100000, 8192);
        }
        noc_async_read_barrier();
        for (volatile uint32_t i = 0; i < X_SPIN; i = i + 1) {
        }
        cb_push_back(0, 1);
        cb_push_back(1, 1);
    }
}
"""
WRITE = """
#include <tensix/kernel/dataflow.h>
void kernel_main(void)
{
    const uint32_t own =
        get_absolute_logical_y() * tx_launched().columns + get_absolute_logical_x();
    const InterleavedAddrGen<true> out = {get_arg_val<uint32_t>(0), 2048};
    const uint64_t at = get_noc_addr(own, out);
    for (uint32_t page = 0; page < get_arg_val<uint32_t>(1); page++) {
        cb_wait_front(2, 1);
        noc_async_write(get_read_ptr(2), at, 2048);
        noc_async_write_barrier();
        cb_pop_front(2, 1);
    }
}
"""
COMPUTE = """
#include "compute.hpp"
using namespace tile;
void kernel_main(void)
{
    const uint32_t count = get_arg_val<uint32_t>(0);
#if TENSIX_UNPACK
    unpack_a_from(get_read_ptr(0));
    unpack_b_from(get_read_ptr(1));
    for (uint32_t n = 0; n < count; n++) {
        cb_wait_front(0, 1);
        cb_wait_front(1, 1);
        compute::unpack_from(0, 1);
        for (unsigned face = 0; face < FACES; face++) {
            for (unsigned i = 0; i < X_UNPACK; i++) {
                TTI_UNPACR(p_unpacr_nop::UNP0, 0, 0, 0, 0, 1, 0, p_unpacr::RAREFYB_DISABLE, 0, 0, 0,
                           0, 1);
            }
            unpack_face<0, 1>();
            unpack_face<1, 1>();
        }
        cb_pop_front(0, 1);
        cb_pop_front(1, 1);
    }
#elif TENSIX_MATH
    math_formats();
    TTI_SETC16(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32,
               FIELD(ADDR_MOD_AB_SEC0_SrcAIncr, 8) | FIELD(ADDR_MOD_AB_SEC0_SrcBIncr, 8));
    TTI_SETC16(ADDR_MOD_AB_SEC1_SrcAClear_ADDR32,
               FIELD(ADDR_MOD_AB_SEC1_SrcAClear, 1) | FIELD(ADDR_MOD_AB_SEC1_SrcBClear, 1));
    for (uint32_t n = 0; n < count; n++) {
        dst_free();
        clear_dst();
        for (unsigned row = 0; row < FACES * FACE_ROWS; row += FACE_ROWS) {
            TT_ELWADD(0, 0, 0, 0, row);
            for (unsigned i = 0; i < X_MATRIX; i++) {
                TT_ELWADD(0, 0, 0, 2, row);
            }
            for (unsigned i = 0; i < X_VECTOR; i++) {
                TTI_SFPMAD(0, 0, 0, 0, 0);
                TTI_SFPMAD(0, 0, 0, 0, 0);
                TTI_SFPMAD(0, 0, 0, 0, 0);
                TTI_SFPMAD(0, 0, 0, 0, 0);
            }
            TT_ELWADD(3, 0, 0, 1, row + 8);
        }
        dst_full();
    }
#else
    pack_to(get_write_ptr(2));
    for (uint32_t n = 0; n < count; n++) {
        cb_reserve_back(2, 1);
        TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::PACK);
        CFG(THCON_SEC0_REG1_L1_Dest_addr, 0x80000000 | (get_write_ptr(2) / 16 - 1));
        tile::pack_begin();
        for (unsigned i = 0; i < X_PACK; i++) {
            tile::pack_tile();
        }
        tile::pack_end();
        cb_push_back(2, 1);
    }
#endif
}
"""


def program(folder, chip, grid, part, n, pages):
    amount = {"DRAM": 0, "NOC": 0, "SPIN": 0, "UNPACK": 0, "MATRIX": 0, "VECTOR": 0, "PACK": 1}
    amount["SPIN" if part == "delivery" else part.upper()] = n
    for name, text in (("read", READ), ("write", WRITE), ("compute", COMPUTE)):
        (folder / "chip" / f"c_{name}.cpp").write_text(text)
    defines = {"X_" + name: str(value) for name, value in amount.items()}
    whole = {
        "schema": 1, "chip": {"product": chip, "grid": list(grid)},
        "buffers": [{"name": "a", "bytes": 65536, "page": 2048},
                    {"name": "out", "bytes": 65536, "page": 2048}],
        "circular_buffers": [{"index": i, "pages": 2, "page": 2048} for i in range(3)],
        "kernels": [
            {"source": "c_read.cpp", "processor": "data_movement_0", "defines": defines,
             "args": [{"buffer": "a"}, pages]},
            {"source": "c_write.cpp", "processor": "data_movement_1", "defines": defines,
             "args": [{"buffer": "out"}, pages]},
            {"source": "c_compute.cpp", "processor": "compute", "defines": defines,
             "args": [pages]}]}
    path = folder / "chip" / "constructed.json"
    path.write_text(json.dumps(whole))
    return path


def call(tensix, *arguments):
    done = subprocess.run([tensix, "chip", "run", *map(str, arguments), "--json"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr}{done.stdout}")
    return json.loads(done.stdout)


def adds_up(whole):
    """The path's steps follow each other and sum to the run; each lane sums to it."""
    profile, at = whole["profile"], 0
    for step in profile["path"]:
        if step["from"] != at or step["to"] <= at:
            return f"the path has a gap at {at}"
        at = step["to"]
    if at != profile["cycles"] or profile["cycles"] != whole["cycles"]:
        return f"the path ends at {at}"
    for lane in profile["lanes"]:
        if sum(lane[kind] for kind in ("works", "waits", "idle")) != profile["cycles"]:
            return f"{lane['lane']} does not sum to {profile['cycles']}"
    return None


def programs():
    ways = {"unpack": (12, 20, 32), "matrix": (40, 80, 120), "vector": (24, 40, 64),
            "pack": (24, 36, 48), "delivery": (120, 240, 400), "noc": (8, 12, 16),
            "dram": (24, 32, 40)}
    for chip in ("p150", "n150"):
        for part, many in ways.items():
            for n, grid in itertools.product(many, ((2, 1), (2, 2), (3, 2))):
                if part not in ("noc", "dram") or grid != (2, 1):
                    yield chip, grid, part, n, 6


def main():
    tensix, examples = sys.argv[1:3]
    first, every = (int(sys.argv[3]), int(sys.argv[5])) if len(sys.argv) > 5 else (0, 76)
    count = wrong = apart = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in ("chip", "llk_style"):
            subprocess.run(["cp", "-r", f"{examples}/{name}", temporary], check=True)
        for chip, grid, part, n, pages in list(programs())[first::every]:
            path = program(folder, chip, grid, part, n, pages)
            name = f"{chip} {grid[0]}x{grid[1]} {part} {n}"
            whole = call(tensix, path, "--profile")
            profile = whole["profile"]
            fault = adds_up(whole)
            saved = {unit: profile["cycles"] -
                     call(tensix, path, "--pace", f"{pace}=none")["cycles"]
                     for unit, pace in PARTS.items()}
            best = max(saved, key=saved.get)
            named = profile["bound"]
            count += 1
            if fault or (named != best and saved.get(named, 0) < 0.98 * saved[best]):
                wrong += 1
                print(f"{name}: {fault or ''} named {named}, but {saved} of {profile['cycles']} "
                      f"are saved; {profile['change']}")
                continue
            printed = profile["cycles"] - profile["again"][0]["none"]
            if abs(printed - saved[named]) > 0.03 * saved[named]:
                apart += 1
                print(f"{name}: {printed} printed, {saved[named]} saved")
    print(f"{count} programs on several tiles, {wrong} named wrongly, {apart} savings other than "
          "printed")
    sys.exit(wrong * 50 > count or apart != 0 or count < 2)


if __name__ == "__main__":
    main()
