# SPDX-License-Identifier: Apache-2.0
"""Arrays of others: buffers and DLPack, by a small exporter and by numpy's own."""

import array
import ctypes
import gc

import numpy as np
import pytest

import tensix
from tensix import formats
from tensix.arrays import _Device, _Managed, take

NEGATE = tensix.Program.from_asm(
    ".dst fp32\n" + "".join(
        f"sfpload L0,{a},3,3\nsfpmov L0,L0,1\nsfpstore L0,{a},3,3\n" for a in range(0, 64, 2)),
    "bh",
)
_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Exporter:
    """A tensor as torch has it: dlpack.h, written here once more from the standard."""

    def __init__(self, data, code, bits, device=1, strides=True, shape=None, lanes=1, offset=0):
        self.data, self.device, self.deleted = data, device, 0
        managed = self.managed = _Managed()
        tensor = managed.tensor
        tensor.data = data.ctypes.data
        tensor.device = _Device(device, 0)
        shape = data.shape if shape is None else shape
        tensor.ndim = len(shape)
        tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = code, bits, lanes
        self.shape = (ctypes.c_int64 * max(len(shape), 1))(*shape)
        self.strides = (ctypes.c_int64 * max(len(shape), 1))(
            *(s // data.itemsize for s in data.strides))
        tensor.shape = self.shape
        tensor.strides = self.strides if strides else None
        tensor.byte_offset = offset
        managed.deleter = type(managed.deleter)(self._delete)

    def _delete(self, _managed):
        self.deleted += 1

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, stream=None):
        self.capsule = _new(ctypes.addressof(self.managed), b"dltensor", None)
        return self.capsule


INT, UINT, FLOAT, BFLOAT = 0, 1, 2, 4


def test_no_copy():
    x = np.arange(2048, dtype=np.float32)
    exporter = Exporter(x, FLOAT, 32)
    taken = take(exporter, "x")
    assert taken.array.ctypes.data == x.ctypes.data
    assert np.array_equal(taken.array, x) and taken.payload == ""
    assert exporter.deleted == 0
    del taken
    gc.collect()
    assert exporter.deleted == 1


def test_a_view_keeps_the_memory():
    exporter = Exporter(np.arange(8, dtype=np.float32), FLOAT, 32)
    part = take(exporter, "x").array[3:5]
    gc.collect()
    assert exporter.deleted == 0 and part.tolist() == [3, 4]
    del part
    gc.collect()
    assert exporter.deleted == 1


def test_run():
    x = np.arange(1, 2001, dtype=np.float32).reshape(40, 50)
    y = tensix.run(NEGATE, Exporter(x, FLOAT, 32))
    assert np.array_equal(y, -x) and y.shape == (40, 50)
    out = np.zeros((40, 50), np.float32)
    exporter = Exporter(out, FLOAT, 32)
    tensix.run(NEGATE, x, out=exporter)
    assert np.array_equal(out, -x)
    gc.collect()
    assert exporter.deleted == 1


def test_bfloat16():
    payload = np.array([0x3FC0, 0xC000, 0x4040], np.uint16)  # 1.5, -2, 3
    assert take(Exporter(payload, BFLOAT, 16), "x").payload == "bf16"
    assert tensix.run(NEGATE, Exporter(payload, BFLOAT, 16)).tolist() == [-1.5, 2, -3]
    assert formats.convert(Exporter(payload, BFLOAT, 16), "fp32").tolist() == [1.5, -2, 3]
    assert formats.convert(Exporter(payload, BFLOAT, 16), "fp32", "bf16").tolist() == [1.5, -2, 3]
    # 1.5 in E5M2 (float8_e5m2 is code 12 of dlpack.h).
    eight = np.array([0x3E], np.uint8)
    assert formats.convert(Exporter(eight, 12, 8), "fp32").tolist() == [1.5]
    with pytest.raises(TypeError, match="its elements are bf16, not fp16"):
        tensix.run(NEGATE, Exporter(payload, BFLOAT, 16), payload="fp16")


@pytest.mark.parametrize("code, bits, dtype", [
    (INT, 8, np.int8), (INT, 16, np.int16), (INT, 32, np.int32), (INT, 64, np.int64),
    (UINT, 8, np.uint8), (UINT, 16, np.uint16), (UINT, 32, np.uint32), (UINT, 64, np.uint64),
    (FLOAT, 16, np.float16), (FLOAT, 32, np.float32), (FLOAT, 64, np.float64), (6, 8, np.bool_),
])
def test_types(code, bits, dtype):
    x = np.ones((2, 3), dtype)
    taken = take(Exporter(x, code, bits), "x")
    assert taken.array.dtype == dtype and np.array_equal(taken.array, x)


def test_shapes():
    for shape in (), (0,), (0, 3), (1, 1, 5):
        x = np.ones(shape, np.float32)
        assert take(Exporter(x, FLOAT, 32), "x").array.shape == shape
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert np.array_equal(take(Exporter(x, FLOAT, 32, strides=False), "x").array, x)
    part = Exporter(x.reshape(-1), FLOAT, 32, shape=(5,), offset=4)
    assert take(part, "x").array.tolist() == [1, 2, 3, 4, 5]


X = np.arange(1, 40 * 52 * 3 + 1, dtype=np.float32).reshape(3, 40, 52)


@pytest.mark.parametrize("value", [
    np.asfortranarray(X), X.T, X.transpose(1, 0, 2), X[:, ::2], X[:, :, 1::3], X[:, ::-1],
    np.broadcast_to(X[0], X.shape), X[::2, 3, :], X.astype(np.float64)[:, ::2].T,
    X.astype(np.float16)[:, ::2],
], ids=["fortran", "transposed", "axes", "rows", "columns", "backwards", "broadcast", "plane",
        "float64", "float16"])
@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_any_order_of_elements(value, engine):
    assert not value.flags.c_contiguous
    before = value.copy()
    y = tensix.run(NEGATE, value, engine=engine)
    assert y.shape == value.shape and np.array_equal(y, -value.astype(np.float32))
    rows = tensix.run(NEGATE, np.ascontiguousarray(value), engine=engine)
    assert np.array_equal(y, rows)
    assert np.array_equal(value, before)
    tiles = tensix.run(NEGATE, value, layout="tiles", engine=engine)
    assert np.array_equal(tiles, rows)


def test_any_order_of_a_tensor():
    for value in (X.T, np.asfortranarray(X), X[:, ::2], X[:, :, 1::3], X[1:, 5:, 7:]):
        exporter = Exporter(value, FLOAT, 32)
        exporter.managed.tensor.data = value.ctypes.data
        assert np.array_equal(tensix.run(NEGATE, exporter), -value)
        assert np.array_equal(take(exporter, "x").array, value)
        gc.collect()
        assert exporter.deleted == 2


def test_what_is_not_kept_stays_the_capsules():
    """Empty or refused: the capsule is still fresh, and its destructor releases the tensor."""
    empty = Exporter(np.ones(0, np.float32), FLOAT, 32)
    take(empty, "x")
    strange = Exporter(np.ones(4, np.float32), 99, 32)
    with pytest.raises(TypeError):
        take(strange, "x")
    valid = ctypes.pythonapi.PyCapsule_IsValid
    assert valid(empty.capsule, b"dltensor") and valid(strange.capsule, b"dltensor")
    assert empty.deleted == strange.deleted == 0


class Once(Exporter):
    """Gives a capsule that was used before."""

    def __dlpack__(self, stream=None):
        return _new(ctypes.addressof(self.managed), b"used_dltensor", None)


class NeedsGrad(Exporter):
    def __dlpack__(self, stream=None):
        raise RuntimeError("Can't export tensors that require gradient")


@pytest.mark.parametrize("value, message", [
    (Exporter(np.ones((4, 4), np.float32)[:, ::-1], FLOAT, 32), "array 0: .* negative stride"),
    (Exporter(np.ones(4, np.float32), FLOAT, 32, device=2), "array 0: lies on DLPack device 2"),
    (Exporter(np.ones(4, np.float32), FLOAT, 32, lanes=4), "array 0: DLPack vectors of 4"),
    (Exporter(np.ones(4, np.float32), 5, 64), "array 0: DLPack type complex of 64 bits"),
    (Exporter(np.ones(4, np.float32), 99, 32), "array 0: DLPack type code 99"),
    (Exporter(np.ones(4, np.float32), FLOAT, 128), "array 0: DLPack type code 2 of 128"),
    (Exporter(np.ones(4, np.float32), FLOAT, 32, shape=(-4,)), "negative dimension"),
    (Exporter(np.ones(4, np.float32), FLOAT, 32, shape=(2,), offset=2), "array 0: not aligned"),
    (Exporter(np.ones(4, np.int32), INT, 32), "array 0: dtype int32 does not go"),
    (Once(np.ones(4, np.float32), FLOAT, 32), "no fresh 'dltensor' capsule"),
    (NeedsGrad(np.ones(4, np.float32), FLOAT, 32), "array 0: Can't export"),
])
def test_refusals(value, message):
    with pytest.raises((TypeError, ValueError), match=message):
        tensix.run(NEGATE, value)
    gc.collect()
    assert value.deleted in (0, 1)


def test_our_results_go_out_by_dlpack():
    y = tensix.run(NEGATE, np.ones(5, np.float32))
    assert np.from_dlpack(y).tolist() == [-1] * 5


def test_numpys_exporter():
    """numpy's own capsule, behind a class that hides the array."""

    class Hidden:
        def __init__(self, data):
            self.data = data

        def __dlpack__(self, stream=None):
            return self.data.__dlpack__()

        def __dlpack_device__(self):
            return self.data.__dlpack_device__()

    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert take(Hidden(x), "x").array.ctypes.data == x.ctypes.data
    assert np.array_equal(tensix.run(NEGATE, Hidden(x)), -x)


def test_buffers():
    assert tensix.run(NEGATE, array.array("f", [1, 2])).tolist() == [-1, -2]
    assert tensix.run(NEGATE, memoryview(np.ones(3, np.float32))).tolist() == [-1] * 3
    with pytest.raises(TypeError, match="dtype uint8 does not go"):
        tensix.run(NEGATE, b"abcd")
    assert tensix.run(NEGATE, np.float32(2)).tolist() == -2


def test_torch():
    torch = pytest.importorskip("torch")
    x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    y = torch.from_dlpack(tensix.run(NEGATE, x))
    assert torch.equal(y, -x)
    assert tensix.run(NEGATE, x.to(torch.bfloat16)).tolist() == (-x).tolist()
    out = torch.zeros(2, 3)
    tensix.run(NEGATE, x, out=out)
    assert torch.equal(out, -x)
    with pytest.raises(ValueError, match="array 0"):
        tensix.run(NEGATE, x.requires_grad_())


def test_bfloat16_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.array([1.5, -2], ml_dtypes.bfloat16)
    assert tensix.run(NEGATE, x).tolist() == [-1.5, 2]
