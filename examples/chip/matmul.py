# SPDX-License-Identifier: Apache-2.0
"""C = A B on 4 by 4 tiles, each with one tile of C: the first column reads A and the first row
reads B, and send them to the others by multicast.

    tensix chip run examples/chip/matmul.py
"""

from pathlib import Path

import numpy as np

from tensix import chip

HERE = Path(__file__).resolve().parent
SIDE, STEPS = 4, 3


def run(product=None):
    """Returns the product that the chip computes, and numpy's."""
    rng = np.random.default_rng(1)
    # Small integers, so that every sum is exact in BF16.
    a = rng.integers(-1, 2, size=(32 * SIDE, 32 * STEPS)).astype(np.float32)
    b = rng.integers(-1, 2, size=(32 * STEPS, 32 * SIDE)).astype(np.float32)
    with chip.device(product, grid=(SIDE, SIDE)) as device:
        left, right = device.buffer(a, format="bf16"), device.buffer(b, format="bf16")
        out = device.buffer(shape=(32 * SIDE, 32 * SIDE), format="bf16")
        program = device.program()
        for index in range(3):
            program.circular_buffer(index, pages=2, page=2048)
        ready, valid, ready_b, valid_b = (program.semaphore() for _ in range(4))
        program.kernel(HERE / "matmul_move.cpp", "data_movement_0", compile_args=[0],
                       args=[left, STEPS, ready, valid, out])
        program.kernel(HERE / "matmul_move.cpp", "data_movement_1", compile_args=[1],
                       args=[right, STEPS, ready_b, valid_b, out])
        program.kernel(HERE / "matmul_product.cpp", "compute", args=[STEPS])
        result = program.run()
        return out.numpy(), a @ b, result


if __name__ == "__main__":
    got, want, result = run()
    print(f"{result.tiles} tiles, at least {result.cycles} cycles, {len(result.findings)} findings")
    print("as numpy" if np.array_equal(got, want) else "WRONG")
