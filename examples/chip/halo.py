# SPDX-License-Identifier: Apache-2.0
"""Sums over neighbours, step by step, on an array that is spread over 4 by 3 tiles, which exchange
the edges of their blocks.

    tensix chip run examples/chip/halo.py
"""

from pathlib import Path

import numpy as np

from tensix import chip

HERE = Path(__file__).resolve().parent
COLUMNS, ROWS, STEPS = 4, 3, 3


def stepped(array):
    """One step, in numpy."""
    wide = np.pad(array, 1)
    return (array + wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:])


def run(product=None):
    array = np.random.default_rng(1).integers(0, 2**32, size=(16 * ROWS, 16 * COLUMNS),
                                              dtype=np.uint32)
    with chip.device(product, grid=(COLUMNS, ROWS)) as device:
        source = device.buffer(array, page=64 * COLUMNS)
        out = device.buffer(nbytes=array.nbytes, page=64 * COLUMNS)
        program = device.program()
        program.semaphore()
        program.circular_buffer(0, pages=1, page=4096)
        program.kernel(HERE / "halo.cpp", "data_movement_0", args=[source, out, STEPS])
        result = program.run()
        want = array
        for _ in range(STEPS):
            want = stepped(want)
        return out.numpy().view(np.uint32).reshape(array.shape), want, result


if __name__ == "__main__":
    got, want, result = run()
    print(f"{result.tiles} tiles, at least {result.cycles} cycles, {len(result.findings)} findings")
    print("as numpy" if np.array_equal(got, want) else "WRONG")
