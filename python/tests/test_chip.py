# SPDX-License-Identifier: Apache-2.0
"""Programs on a grid of tiles, against numpy."""

import importlib.util
import os
import shutil

import numpy as np
import pytest

import tensix
from tensix import chip

EXAMPLES = "examples/chip"
compiled = pytest.mark.skipif(shutil.which("riscv64-unknown-elf-g++") is None,
                              reason="no riscv64-unknown-elf-g++")
WHOLE = bool(os.environ.get("TX_WHOLE"))


def quarters(rng, shape):
    """Sums of two of them are exact in BF16."""
    return (rng.integers(-64, 64, size=shape) / 4).astype(np.float32)


@compiled
@pytest.mark.parametrize("product", ["p150", "n150"])
def test_vecadd(root, rng, product):
    kernels = root / EXAMPLES
    with chip.device(product, grid=(4, 2), threads=2) as device:
        x, y = quarters(rng, (64, 128)), quarters(rng, (64, 128))
        a, b = (device.buffer(v, format="bf16") for v in (x, y))
        out = device.buffer(shape=x.shape, format="bf16")
        assert np.array_equal(a.numpy(), x)
        for k in range(2):  # buffers stay from program to program
            program = device.program()
            for i in range(3):
                program.circular_buffer(i, pages=2, page=2048)
            program.kernel(kernels / "vecadd_read.cpp", "data_movement_0",
                           args=[a, out if k else b, 1])
            program.kernel(kernels / "vecadd_write.cpp", "data_movement_1", args=[out, 1])
            program.kernel(kernels / "vecadd_add.cpp", "compute", args=[1])
            result = program.run()
            assert result.tiles == 8 and result.findings == []
            assert np.array_equal(out.numpy(), x + y if k == 0 else 2 * x + y)


# One chip each; on all chips with TX_WHOLE, as make campaign ONLY=whole has it.
@compiled
@pytest.mark.parametrize("name, tiles, product", [
    ("matmul", 16, "p150"), ("halo", 12, "n150"), ("matmul", 16, "n150"), ("halo", 12, "p150"),
][:4 if WHOLE else 2])
def test_examples(root, name, tiles, product):
    spec = importlib.util.spec_from_file_location(name, root / EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    got, want, result = module.run(product)
    assert np.array_equal(got, want)
    assert result.tiles == tiles and result.findings == []


@pytest.mark.parametrize("product", ["p100", "p150", "n150"])
@pytest.mark.parametrize("shard", [1, 3])
def test_pages(rng, product, shard):
    """Page p lies in bank (or tile) p / shard mod their number, at the address of the buffer."""
    with chip.device(product, grid=(2, 2)) as device:
        data = rng.integers(0, 2**32, size=64 * 30, dtype=np.uint32)
        shared = device.buffer(data, page=256, shard=shard, where="l1", tiles=["0,0", "1,1"])
        assert np.array_equal(shared.numpy().view(np.uint32), data)
        for page in range(30):
            tile = [(0, 0), (1, 1)][page // shard % 2]
            slot = page // shard // 2 * shard + page % shard
            got = device.read(*tile, shared.address + 256 * slot, 256)
            assert got == data[64 * page: 64 * page + 64].tobytes()
        dram = device.buffer(data, page=256, shard=shard)
        assert np.array_equal(dram.numpy().view(np.uint32), data)
        assert dram.read() == data.tobytes()


def test_layouts(rng):
    with chip.device(grid=(1, 1)) as device:
        x = quarters(rng, (33, 40))
        for format, layout in [("bf16", "tiles"), ("fp32", "rows"), ("bf16", "rows")]:
            assert np.array_equal(device.buffer(x, format=format, layout=layout).numpy(), x)
        n = rng.integers(-1000, 1000, size=(4, 32), dtype=np.int32)
        assert np.array_equal(device.buffer(n, format="int32", layout="rows").numpy(), n)
        assert np.array_equal(device.buffer(n, format="int32").numpy(), n)


def test_refused(tmp_path):
    with pytest.raises(tensix.InputError, match="product"):
        chip.device("p151")
    with chip.device(grid=(2, 1)) as device:
        with pytest.raises(tensix.InputError, match="no range of tiles"):
            device.program().semaphore(tiles="2,0")
            program = device.program()
            program.semaphore(tiles="2,0")
            program.run()
        program = device.program()
        program.kernel(tmp_path / "none.cpp", "compute")
        with pytest.raises(tensix.InputError, match="none.cpp"):
            program.run()
        # What was refused has left nothing behind.
        before = device.buffer(nbytes=64, page=64).address
        with pytest.raises(tensix.InputError):
            device.buffer(nbytes=2**32 - 1, page=2**20, where="l1")
        assert device.buffer(nbytes=64, page=64).address == before + 64


@compiled
@pytest.mark.parametrize("barrier", ["noc_async_read_barrier();", ""])
def test_races(tmp_path, barrier):
    source = tmp_path / "reads.cpp"
    source.write_text("""#include <tensix/kernel/dataflow.h>
void kernel_main(void)
{
    const InterleavedAddrGen<true> in = {get_arg_val<uint32_t>(0), 64};
    noc_async_read_page(0, in, get_write_ptr(0)); // request
    BARRIER
    volatile uint32_t *words = reinterpret_cast<volatile uint32_t *>(get_write_ptr(0));
    words[1] = words[0]; // use
    noc_async_read_barrier();
}
""".replace("BARRIER", barrier))
    with chip.device("p150", grid=(1, 1), races="contract") as device:
        numbers = device.buffer(np.arange(16, dtype=np.uint32), format="uint32", layout="rows")
        program = device.program()
        program.circular_buffer(0, pages=1, page=64)
        program.kernel(source, "data_movement_0", args=[numbers])
        program.run()
        report = device.races()
    assert report["level"] == "contract" and not report["stuck"]
    lines = {tuple(s["line"] for s in f["sites"]) for f in report["findings"]}
    assert lines == (set() if barrier else {(5, 8)}), report
    with pytest.raises(ValueError, match="neither"):
        chip.device("p150", races="loud")
    with chip.device("p150", grid=(1, 1)) as device, pytest.raises(ValueError, match="without"):
        device.races()
