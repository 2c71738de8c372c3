# SPDX-License-Identifier: Apache-2.0
"""How the elements of an array lie in tiles of 32x32."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np

from ._abi import TILE
from .machine import dst_dtype


def is_payload(value: Any) -> bool:
    """Unsigned elements, of which payload= may speak."""
    return not isinstance(value, np.ndarray) or value.dtype.kind in "uV"


def blocks(shape: Tuple[int, ...]) -> Tuple[int, int, int, int, int]:
    """matrices, rows, columns, and rows and columns of tiles."""
    rows, columns = ((1, 1) + shape)[-2:]
    matrices = int(np.prod(shape[:-2], dtype=np.int64))
    return matrices, rows, columns, -(-rows // 32), -(-columns // 32)


def to_tiles(words: np.ndarray, shape: Tuple[int, ...]) -> np.ndarray:
    matrices, rows, columns, down, across = blocks(shape)
    padded = np.zeros((matrices, down * 32, across * 32), np.uint32)
    padded[:, :rows, :columns] = words.reshape(matrices, rows, columns)
    cut = padded.reshape(matrices, down, 32, across, 32).swapaxes(2, 3)
    return np.ascontiguousarray(cut).reshape(-1)


def from_tiles(words: np.ndarray, shape: Tuple[int, ...]) -> np.ndarray:
    matrices, rows, columns, down, across = blocks(shape)
    whole = words.reshape(matrices, down, across, 32, 32).swapaxes(2, 3)
    whole = whole.reshape(matrices, down * 32, across * 32)
    return np.ascontiguousarray(whole[:, :rows, :columns]).reshape(-1)


def whole_size(shape: Tuple[int, ...], layout: str) -> int:
    """Elements, in tiles those of whole tiles."""
    if layout == "flat":
        return int(np.prod(shape, dtype=np.int64))
    matrices, _, _, down, across = blocks(shape)
    return matrices * down * across * TILE


def apart(array: np.ndarray, output: np.ndarray) -> np.ndarray:
    """In place is fine, tile for tile; an output elsewhere in the input is not."""
    same = array.ctypes.data == output.ctypes.data
    return array if same or not np.may_share_memory(array, output) else array.copy()


def put_words(words: np.ndarray, result: np.ndarray, dst: int) -> None:
    values = words.view(dst_dtype(dst))
    result[...] = values.reshape(result.shape)
