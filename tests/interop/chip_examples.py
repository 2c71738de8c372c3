#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The kernels of tt-metal's programming examples, unchanged, on a grid of tiles without tt-metal.

    chip_examples.py --kit DIR --build BUILD [--chip p150] [--only NAME]

The vendor's compiler compiles them against tt-metal's headers of the kit; the part of each example
that runs on the host is restated here with tensix.chip. Results are compared with numpy. The last
lines are a table: example, kernels, chip, cycles, findings, result.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = {}
TILE = 2048  # bytes of a BF16 tile
KERNELS = None  # the folder of the examples


def example(function):
    EXAMPLES[function.__name__] = function
    return function


class Test:
    """One example on one chip: a device, and kernels in tt-metal's headers."""

    def __init__(self, chip, product, grid):
        self.device = chip.device(product, grid=grid, max_cycles=20_000_000)
        self.program = self.device.program()
        self.rng = np.random.default_rng(1)
        self.kernels = 0
        self.result = None

    def cb(self, index, pages=2, page=TILE, format="bf16", **more):
        self.program.circular_buffer(index, pages=pages, page=page, format=format, **more)

    def bf16(self, tiles, low=-8, high=8):
        """Tiles of quarters, so that sums are exact in BF16."""
        values = self.rng.integers(4 * low, 4 * high, size=(32 * tiles, 32)) / 4
        return values.astype(np.float32)

    def dram(self, values=None, **more):
        return self.device.buffer(values, format="bf16", **more)

    def kernel(self, name, processor, *buffers, args=(), extra=(), tiles=(0, 0), **more):
        """extra comes before what the buffers' accessors take of the compile-time arguments."""
        compile_args = list(extra)
        for buffer in buffers:
            compile_args += buffer.accessor
        self.kernels += 1
        self.program.kernel(KERNELS / name, processor, tiles=tiles, args=args,
                            compile_args=compile_args, headers="metal", **more)

    def run(self):
        self.result = self.program.run()


DM0, DM1, COMPUTE = "data_movement_0", "data_movement_1", "compute"


def equal(got, want):
    assert np.array_equal(got, want), f"{np.count_nonzero(got != want)} of {want.size} differ"


def near(got, want, bound):
    worst = float(np.max(np.abs(got - want)))
    assert worst <= bound, f"differs by {worst}, more than {bound}"


# ---- data movement alone ----


@example
def hello_world_datamovement_kernel(t):
    for processor in (DM0, DM1):
        t.kernel("hello_world_datamovement_kernel/kernels/dataflow/void_dataflow_kernel.cpp",
                 processor)
    t.run()


@example
def hello_world_datatypes_kernel(t):
    number = t.device.buffer(np.full(512, 1.23, np.float32), page=TILE)
    t.cb(0, 1)
    t.kernel("hello_world_datatypes_kernel/kernels/dataflow/float_dataflow_kernel.cpp", DM0,
             args=[number])
    t.run()


@example
def loopback(t):
    n = 50
    x = t.bf16(n)
    a, b = t.dram(x), t.dram(shape=x.shape)
    l1 = t.device.buffer(nbytes=TILE, page=TILE, where="l1", tiles=(0, 0))
    t.kernel("loopback/kernels/loopback_dram_copy.cpp", DM0, a, b, args=[l1, a, b, n])
    t.run()
    equal(b.numpy(), x)


@example
def noc_tile_transfer(t):
    x = t.rng.integers(0, 65536, size=1024, dtype=np.uint16)
    a = t.device.buffer(x, page=TILE)
    b = t.device.buffer(nbytes=TILE, page=TILE)
    semaphore = t.program.semaphore()
    for index in (0, 1):
        t.cb(index, 1, TILE, "uint16")
    place = "NoC_tile_transfer/kernels/dataflow/"
    t.kernel(place + "reader0.cpp", DM1, a, args=[a], extra=[0], noc=0)
    t.kernel(place + "writer0.cpp", DM0, args=[*t.device.place(0, 1), semaphore], extra=[0, 1],
             noc=1)
    t.kernel(place + "reader1.cpp", DM1, args=[*t.device.place(0, 0), semaphore], extra=[0, 1],
             tiles=(0, 1), noc=0)
    t.kernel(place + "writer1.cpp", DM0, b, args=[b], extra=[1], tiles=(0, 1), noc=1)
    t.run()
    equal(np.frombuffer(b.read(), np.uint16), x)


@example
def shard_data_rm(t):
    x = t.rng.integers(0, 65536, size=16, dtype=np.uint16)
    a = t.device.buffer(x, page=4)
    padded = a.accessor[1]
    t.cb(0, 4, 64, "bf16")
    args = {(0, i): [a, 4, padded, 2 * i] for i in range(4)}
    t.kernel("shard_data_rm/kernels/reader_sharded_rm.cpp", DM0, a, extra=[0], tiles="0,0-0,3",
             tile_args=args)
    t.run()
    for i in range(4):
        for stick in range(2):
            got = t.device.read(0, i, 0x40000 + padded * stick, 4)
            equal(np.frombuffer(got, np.uint16), x[4 * i + 2 * stick:][:2])


@example
def add_2_integers_in_riscv(t):
    numbers = [t.device.buffer(np.array([n], np.uint32), page=4) for n in (14, 7)]
    out = t.device.buffer(nbytes=4, page=4)
    l1 = [t.device.buffer(nbytes=4, page=4, where="l1", tiles=(0, 0)) for _ in range(3)]
    t.kernel("add_2_integers_in_riscv/kernels/reader_writer_add_in_riscv.cpp", DM0,
             args=[*numbers, out, *l1])
    t.run()
    assert out.read() == (21).to_bytes(4, "little"), out.read()


@example
def multicast(t):
    x = t.bf16(1)
    a = t.dram(x)
    out = t.dram(shape=(3 * 32, 32))
    tiles = "0,0-3,0"
    sender = t.program.semaphore(tiles=tiles)
    receiver = t.program.semaphore(tiles=tiles)
    for index in (0, 16):
        t.cb(index, 1, tiles=tiles)
    place = "contributed/multicast/kernels/"
    t.kernel(place + "dataflow/coordinator_kernel.cpp", DM0,
             args=[*t.device.place(1, 0), *t.device.place(3, 0), sender, receiver, 0, a, TILE, 3])
    t.kernel(place + "dataflow/inbound_kernel.cpp", DM0, tiles="1,0-3,0",
             args=[*t.device.place(0, 0), sender, receiver])
    t.kernel(place + "dataflow/outbound_kernel.cpp", DM1, out, tiles="1,0-3,0",
             tile_args={(i + 1, 0): [out, i] for i in range(3)})
    t.kernel(place + "compute/void_compute_kernel.cpp", COMPUTE, tiles="1,0-3,0")
    t.run()
    equal(out.numpy(), np.concatenate([x] * 3))


@example
def pad_multi_core(t):
    x = t.rng.integers(0, 65536, size=(64, 32), dtype=np.uint16)
    a = t.device.buffer(x, page=4)
    out = t.device.buffer(nbytes=64 * 64 * 2, page=4)
    pad = 0x40004000  # 2 as BF16, twice
    for index, page in ((0, 64), (1, 64), (2, 4)):
        t.cb(index, 32 * 64 // page, page, "uint32")
    reader = [64, 1, 16, 4, 64, 1, 32, 64, 0, 0, 1, 64, 1, pad, 64, 0, 0, 1, 64, 0]
    place = "pad_multi_core/kernels/"
    rows = 16
    t.kernel(place + "pad_reader_dims_rm_interleaved.cpp", DM0, a, extra=reader, tiles="0,0-0,3",
             tile_args={(0, i): [a, rows * 32, 32, i * rows * 16] + [0] * 7 for i in range(4)})
    t.kernel(place + "pad_writer_dims_rm_interleaved.cpp", DM1, out, extra=[0, 4, 64],
             tiles="0,0-0,3",
             tile_args={(0, i): [out, rows * 32, 32, i * rows * 32] for i in range(4)})
    t.run()
    want = np.full((64, 64), 0x4000, np.uint16)
    want[:, :32] = x
    equal(np.frombuffer(out.read(), np.uint16).reshape(64, 64), want)


# ---- elementwise ----


def binary(t, place, names, n, out_cb, tiles=(0, 0), args=None, **compute):
    """Two buffers, a sum: reader, writer, compute with so many tiles."""
    x, y = t.bf16(n), t.bf16(n)
    a, b, c = t.dram(x), t.dram(y), t.dram(shape=x.shape)
    for index in (0, 1, out_cb):
        t.cb(index, compute.pop("pages", 2) if index == 0 else 2, tiles=tiles)
    t.kernel(place + names[0], DM0, a, b, args=[a, b, n])
    t.kernel(place + names[1], DM1, c, args=[c, n])
    t.kernel(place + names[2], COMPUTE, args=[n], **compute)
    t.run()
    equal(c.numpy(), x + y)


@example
def hello_world_compute_kernel(t):
    t.kernel("hello_world_compute_kernel/kernels/compute/void_compute_kernel.cpp", COMPUTE)
    t.run()


@example
def eltwise_binary(t):
    binary(t, "eltwise_binary/kernels/",
           ("dataflow/read_tiles.cpp", "dataflow/write_tile.cpp", "compute/tiles_add.cpp"), 16, 16)


@example
def custom_sfpi_add(t):
    binary(t, "custom_sfpi_add/kernels/",
           ("dataflow/read_tiles.cpp", "dataflow/write_tile.cpp", "compute/tiles_add.cpp"), 16, 16)


@example
def vecadd(t):
    binary(t, "contributed/vecadd/kernels/",
           ("interleaved_tile_read.cpp", "tile_write.cpp", "add.cpp"), 16, 16)


@example
def add_2_integers_in_compute(t):
    x, y = t.bf16(1), t.bf16(1)
    a, b, c = t.dram(x), t.dram(y), t.dram(shape=x.shape)
    for index in (0, 1, 16):
        t.cb(index, 1)
    place = "add_2_integers_in_compute/kernels/"
    t.kernel(place + "dataflow/reader_binary_1_tile.cpp", DM1, a, b, args=[a, b])
    t.kernel(place + "dataflow/writer_1_tile.cpp", DM0, c, args=[c])
    t.kernel(place + "compute/add_2_tiles.cpp", COMPUTE)
    t.run()
    equal(c.numpy(), x + y)


@example
def vecadd_multi_core(t):
    columns, rows = t.device.grid
    n = 2 * columns * rows
    x, y = t.bf16(n), t.bf16(n)
    a, b, c = t.dram(x), t.dram(y), t.dram(shape=x.shape)
    for index in (0, 1, 2):
        t.cb(index, 4)
    place = "vecadd_multi_core/kernels/"
    named = {"KERNEL_COMPILE_TIME_ARG_MAP": '{"c_0",0},{"c_1",1},{"c_2",2}'}
    firsts = {(i % columns, i // columns): 2 * i for i in range(columns * rows)}
    t.kernel(place + "interleaved_tile_read_multi_core.cpp", DM0, a, b, extra=[0, 1], tiles=None,
             defines=named, tile_args={at: [a, b, 2, first] for at, first in firsts.items()})
    t.kernel(place + "tile_write_multi_core.cpp", DM1, c, extra=[2], tiles=None,
             tile_args={at: [c, 2, first] for at, first in firsts.items()})
    t.kernel(place + "add_multi_core.cpp", COMPUTE, extra=[0, 1, 2], tiles=None, defines=named,
             tile_args={at: [2, first] for at, first in firsts.items()})
    t.run()
    equal(c.numpy(), x + y)


@example
def vecadd_sharding(t):
    x, y = t.bf16(16), t.bf16(16)
    tiles = "0,0-0,3"
    a, b = (t.dram(v, where="l1", tiles=tiles, shard=4) for v in (x, y))
    c = t.dram(shape=x.shape, where="l1", tiles=tiles, shard=4)
    for index, buffer in enumerate((a, b, c)):
        t.cb(index, 4, tiles=tiles, buffer=buffer)
    t.kernel("vecadd_sharding/kernels/add_sharding.cpp", COMPUTE, extra=[0, 1, 2], tiles=tiles,
             args=[4])
    t.run()
    equal(c.numpy(), x + y)


@example
def eltwise_sfpu(t):
    n = 8
    x = t.bf16(n, -4, 4)
    a, b = t.dram(x), t.dram(shape=x.shape)
    for index in (0, 16):
        t.cb(index)
    place = "eltwise_sfpu/kernels/"
    t.kernel(place + "dataflow/read_tile.cpp", DM1, a, args=[a, n])
    t.kernel(place + "dataflow/write_tile.cpp", DM0, b, args=[b, n])
    t.kernel(place + "compute/eltwise_sfpu.cpp", COMPUTE, args=[n])
    t.run()
    near(b.numpy() / np.exp(x), 1, 0.02)


@example
def sfpu_eltwise_chain(t):
    x = t.bf16(1, -4, 4)
    a, b = t.dram(x), t.dram(shape=x.shape)
    for index in (0, 1, 2):
        t.cb(index, 1)
    place = "sfpu_eltwise_chain/kernels/"
    t.kernel(place + "dataflow/reader.cpp", DM1, a, args=[a], extra=[0, 1])
    t.kernel(place + "dataflow/writer.cpp", DM0, b, args=[b], extra=[2])
    t.kernel(place + "compute/compute.cpp", COMPUTE, extra=[0, 1, 2])
    t.run()
    near(b.numpy(), np.log1p(np.exp(x)), 0.05)


@example
def custom_sfpi_smoothstep(t):
    n = 4
    x = t.bf16(n, -1, 2)
    a, b = t.dram(x), t.dram(shape=x.shape)
    for index in (0, 16):
        t.cb(index)
    place = "custom_sfpi_smoothstep/kernels/"
    t.kernel(place + "dataflow/read_tiles.cpp", DM0, a, args=[a, n])
    t.kernel(place + "dataflow/write_tile.cpp", DM1, b, args=[b, n])
    t.kernel(place + "compute/tiles_smoothstep.cpp", COMPUTE, args=[n])
    t.run()
    s = np.clip(x, 0, 1)
    near(b.numpy(), s * s * (3 - 2 * s), 0.01)


# ---- matrices: small integers, so that products and sums are exact ----


def matrices(t, m, k, n):
    x = t.rng.integers(-2, 3, size=(32 * m, 32 * k)).astype(np.float32)
    y = t.rng.integers(-2, 3, size=(32 * k, 32 * n)).astype(np.float32)
    return x, y, t.dram(x), t.dram(y), t.dram(shape=(32 * m, 32 * n))


def rounded(values):
    """Sums up to 512 in steps of 1 and beyond in steps of 2 and 4 are those of BF16."""
    from tensix import formats
    return formats.quantize(values, "bf16")


@example
def matmul_single_core(t):
    # The writer takes its third argument, which the example's host says is k, for n.
    m, k, n = 2, 3, 3
    x, y, a, b, c = matrices(t, m, k, n)
    for index in (0, 1, 16):
        t.cb(index)
    place = "matmul/matmul_single_core/kernels/"
    t.kernel(place + "dataflow/reader_single_core_mm.cpp", DM1, a, b, args=[a, b, m, k, n])
    t.kernel(place + "dataflow/writer_single_core_mm.cpp", DM0, c, args=[c, m, k, n])
    t.kernel(place + "compute/mm.cpp", COMPUTE, extra=[m, k, n])
    t.run()
    equal(c.numpy(), rounded(x @ y))


@example
def matmul_multi_core(t):
    columns, rows = t.device.grid
    m, k, n = 4, 2, 4
    each = m * n // (columns * rows)
    x, y, a, b, c = matrices(t, m, k, n)
    for index in (0, 1, 16):
        t.cb(index)
    place = "matmul/matmul_multi_core/kernels/"
    firsts = {(i % columns, i // columns): i * each for i in range(columns * rows)}
    t.kernel(place + "dataflow/reader_mm_output_tiles_partitioned.cpp", DM1, a, b, tiles=None,
             tile_args={at: [a, b, m, k, n, first, each] for at, first in firsts.items()})
    t.kernel(place + "dataflow/writer_unary_interleaved_start_id.cpp", DM0, c, tiles=None,
             tile_args={at: [c, each, first] for at, first in firsts.items()})
    t.kernel(place + "compute/mm.cpp", COMPUTE, tiles=None, args=[each, k])
    t.run()
    equal(c.numpy(), rounded(x @ y))


@example
def matmul_common(t):
    """Two kernels that no example's host uses any more."""
    m, k, n = 2, 2, 3
    x, y, a, b, c = matrices(t, m, k, n)
    for index in (0, 1, 16):
        t.cb(index)
    place = "matmul/matmul_common/kernels/"
    t.kernel(place + "dataflow/reader_bmm_8bank_output_tiles_partitioned.cpp", DM1, a, b,
             args=[a, b, m, k, n, m * k, k * n, 1, 0, 0, m * n, m * n])
    t.kernel("matmul/matmul_multi_core/kernels/dataflow/writer_unary_interleaved_start_id.cpp",
             DM0, c, args=[c, m * n, 0])
    t.kernel(place + "compute/bmm.cpp", COMPUTE, extra=[1, m, k, n])
    t.run()
    equal(c.numpy(), rounded(x @ y))


class Blocks:
    """A matrix product in blocks: each tile of the grid has a block of the result."""

    def __init__(self, t, k):
        self.columns, self.rows = t.device.grid
        self.h, self.w, self.deep = 2, 2, 2  # tiles of a block of the result, of a step
        self.m, self.k, self.n = self.h * self.rows, k, self.w * self.columns
        self.sub_h, self.sub_w = 2, 1
        self.x, self.y, self.a, self.b, self.c = matrices(t, self.m, self.k, self.n)
        t.cb(0, 2 * self.h * self.deep)
        t.cb(1, 2 * self.w * self.deep)
        t.cb([16, 24], self.h * self.w)
        sub = self.sub_h * self.sub_w
        t.kernel("matmul/matmul_common/kernels/compute/bmm_large_block_zm.cpp", COMPUTE, tiles=None,
                 extra=[self.deep, self.h // self.sub_h, self.h * self.deep,
                        self.sub_h * self.deep, self.w // self.sub_w, self.w * self.deep, self.w,
                        self.k // self.deep, self.sub_h, self.sub_w, sub, 1])

    def read(self, x, y):
        return [self.a, self.k * self.h * y, 1, self.k, self.deep, self.deep, self.h,
                self.deep * self.h, self.b, self.w * x, 1, self.n, self.deep * self.n, self.w,
                self.deep, self.w * self.deep, self.k // self.deep]

    def write(self, x, y):
        return [self.c, x * self.w + y * self.h * self.n, 1, self.n, self.sub_w,
                self.sub_h * self.n, self.sub_w, self.sub_h, self.sub_w * self.sub_h,
                self.w // self.sub_w, self.h // self.sub_h, self.m * self.n, 1]

    def places(self):
        return [(x, y) for y in range(self.rows) for x in range(self.columns)]

    def check(self):
        equal(self.c.numpy(), rounded(self.x @ self.y))


@example
def matmul_multicore_reuse(t):
    blocks = Blocks(t, 4)
    sizes = [blocks.m * blocks.k, blocks.k * blocks.n, 1, 0]
    place = "matmul/matmul_common/kernels/dataflow/"
    t.kernel(place + "reader_bmm_tile_layout.cpp", DM1, blocks.a, blocks.b, tiles=None,
             tile_args={at: blocks.read(*at) + sizes for at in blocks.places()})
    t.kernel(place + "writer_bmm_tile_layout.cpp", DM0, blocks.c, tiles=None,
             tile_args={at: blocks.write(*at) for at in blocks.places()})
    t.run()
    blocks.check()


@example
def matmul_multicore_reuse_mcast(t):
    blocks = Blocks(t, 4)
    columns, rows = blocks.columns, blocks.rows
    s = [t.program.semaphore() for _ in range(4)]
    place = t.device.place

    def read(x, y):
        return blocks.read(x, y) + [
            *place(columns - 1, y), *place(1, y), columns - 1, *place(0, y), s[0], s[1],
            *place(x, rows - 1), *place(x, 1), rows - 1, *place(x, 0), s[2], s[3],
            blocks.m * blocks.k, blocks.k * blocks.n, 1, 0]

    folder = "matmul/matmul_common/kernels/dataflow/"
    right, below = f"1,0-{columns - 1},0", f"0,1-0,{rows - 1}"
    rest = f"1,1-{columns - 1},{rows - 1}"
    parts = [("in0_sender_in1_sender", "0,0", 0), ("in0_sender_in1_receiver", below, 0),
             ("in0_receiver_in1_sender", right, 1), ("in0_receiver_in1_receiver", rest, 1)]
    for name, tiles, noc in parts:
        at = [(x, y) for x, y in blocks.places()
              if (x == 0) == ("in0_sender" in name) and (y == 0) == ("in1_sender" in name)]
        t.kernel(f"{folder}reader_bmm_tile_layout_{name}.cpp", DM1, blocks.a, blocks.b,
                 tiles=tiles, noc=noc, tile_args={p: read(*p) for p in at})
    for tiles, noc, left in ((f"0,0-0,{rows - 1}", 1, True),
                             (f"1,0-{columns - 1},{rows - 1}", 0, False)):
        t.kernel(folder + "writer_bmm_tile_layout.cpp", DM0, blocks.c, tiles=tiles, noc=noc,
                 tile_args={p: blocks.write(*p) for p in blocks.places() if (p[0] == 0) == left})
    t.run()
    blocks.check()


# ---- what the examples of the profiler run; without a profiler they only compute ----


def profiled(folder, name, compute, **defines):
    def run(t):
        place = f"profiler/{folder}/kernels/"
        told = {"LOOP_COUNT": "5", "LOOP_SIZE": "50", **defines}
        for processor in (DM0, DM1):
            t.kernel(place + name, processor, defines=told)
        if compute:
            t.kernel(place + compute, COMPUTE, defines=told)
        t.run()
    run.__name__ = "profiler_" + folder
    example(run)


for _name, _compute in (("custom_cycle_count", "_compute"), ("full_buffer", "_compute"),
                        ("multi_op", "_compute"), ("timestamped_events", "_compute")):
    profiled(f"test_{_name}", f"{_name}.cpp", f"{_name}{_compute}.cpp")
profiled("test_custom_cycle_count_slow_dispatch", "custom_cycle_count_slow_dispatch.cpp",
         "custom_cycle_count_compute_slow_dispatch.cpp")


@example
def profiler_test_noc_event_profiler(t):
    n = 8
    x = t.bf16(n)
    # A page for all, so that it lies in the first bank.
    a, b = t.dram(x, page=n * TILE), t.dram(shape=x.shape, page=n * TILE)
    l1 = t.device.buffer(nbytes=n * TILE, page=n * TILE, where="l1", tiles=(0, 0))
    t.kernel("profiler/test_noc_event_profiler/kernels/loopback_dram_copy.cpp", DM0,
             args=[l1, a, 0, b, 0, n * TILE])
    t.run()
    equal(b.numpy(), x)


@example
def profiler_test_streaming_profiler_zones(t):
    place = "profiler/test_streaming_profiler_zones/kernels/"
    for processor in (DM0, DM1):
        t.kernel(place + "zones_dm.cpp", processor, defines={"N_ITERS": "1u"})
    t.kernel(place + "zones_compute.cpp", COMPUTE, defines={"N_ITERS": "1u"})
    t.run()


@example
def profiler_test_device_api_debugger(t):
    """Reads and writes another tile at addresses that no request may have: findings are right."""
    l1 = t.device.buffer(np.zeros(64, np.uint8), page=64, where="l1", tiles=(0, 0))
    t.device.write(1, 0, 0, bytes(16384))
    x, y = t.device.place(1, 0)
    t.kernel("profiler/test_device_api_debugger/kernels/debug_packets.cpp", DM0,
             defines={"L1_BUFFER_ADDR": str(l1.address), "OTHER_CORE_X": str(x),
                      "OTHER_CORE_Y": str(y), "START_DELAY": "0"})
    t.run()
    assert any("misaligned" in text for text in t.result.findings), t.result.findings


@example
def distributed_1_program_dispatch(t):
    t.kernel("distributed/1_distributed_program_dispatch/kernels/void_kernel.cpp", DM0, args=[0])
    t.run()


def one(chip, product, name):
    """Runs an example. Returns a line of the table, and whether it is right."""
    start = time.monotonic()
    kernels, cycles, findings = "-", "-", "-"
    try:
        test = Test(chip, product, (4, 4))
        EXAMPLES[name](test)
        kernels = str(test.kernels)
        cycles, findings = str(test.result.cycles), str(len(test.result.findings))
        told = "as numpy"
        for text in test.result.findings[:3]:
            print(f"  {name}, {product}: {text}", file=sys.stderr)
    except Exception as error:  # whatever it is, the others run
        told = f"{type(error).__name__}: {str(error)[:200]}"
    line = (name, kernels, product, cycles, findings, f"{time.monotonic() - start:.1f}", told)
    return line, told == "as numpy"


def main():
    global KERNELS
    options = argparse.ArgumentParser()
    options.add_argument("--kit", type=Path, required=True)
    options.add_argument("--build", type=Path, default=ROOT / "build")
    options.add_argument("--chip", action="append")
    options.add_argument("--only", action="append")
    a = options.parse_args()
    kit = a.kit.resolve()
    KERNELS = kit / "rt/tt_metal/programming_examples"
    os.environ.setdefault("TT_METAL_HOME", str(kit / "site/ttnn"))
    os.environ.setdefault("SFPI_HOME", str(kit / "rt/runtime/sfpi"))
    os.environ["TENSIX_LIBRARY"] = str(a.build.resolve() / "libtensix.so")
    sys.path.insert(0, str(ROOT / "python"))
    from tensix import chip

    lines, good = [], 0
    for name in a.only or EXAMPLES:
        for product in a.chip or ("p150", "n150"):
            line, right = one(chip, product, name)
            good += right
            lines.append(line)
            print("\t".join(line), flush=True)
    print(f"{good} passed, {len(lines) - good} failed")
    return 0 if good == len(lines) else 1


if __name__ == "__main__":
    sys.exit(main())
