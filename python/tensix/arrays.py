# SPDX-License-Identifier: Apache-2.0
"""Arrays of others without a copy: numpy, DLPack (torch, jax, cupy on the CPU), buffers.

An array that is refused is refused by a ValueError or TypeError that names it and the reason. What
does not lie row by row (a slice, a transposed or Fortran-ordered array) is copied on the way in;
one that a result goes into must lie so. Nothing else is copied or converted behind the caller's
back but what the called function states.
"""

from __future__ import annotations

import ctypes
import weakref
from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p,
)
from typing import Any, NamedTuple, Tuple

import numpy as np


class _Device(Structure):
    _fields_ = [("type", c_int32), ("id", c_int32)]


class _DataType(Structure):
    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class _Tensor(Structure):
    _fields_ = [
        ("data", c_void_p), ("device", _Device), ("ndim", c_int32), ("dtype", _DataType),
        ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("byte_offset", c_uint64),
    ]


class _Managed(Structure):
    """DLManagedTensor of dlpack.h, the form without a version."""


_DELETER = CFUNCTYPE(None, POINTER(_Managed))
_Managed._fields_ = [("tensor", _Tensor), ("manager", c_void_p), ("deleter", _DELETER)]

_CPU, _CUDA_HOST = 1, 3
_INT, _UINT, _FLOAT, _BFLOAT, _BOOL = 0, 1, 2, 4, 6
_NAMES = {_INT: "i", _UINT: "u", _FLOAT: "f", _BOOL: "b"}
_CODES = {5: "complex", 7: "float8_e3m4", 8: "float8_e4m3", 9: "float8_e4m3b11fnuz",
          10: "float8_e4m3fn", 11: "float8_e4m3fnuz", 12: "float8_e5m2", 13: "float8_e5m2fnuz"}
_PAYLOADS = {10: "fp8_e4m3", 8: "fp8_e4m3", 12: "fp8_e5m2"}  # same bits, read as Tensix does

_api = ctypes.pythonapi
_api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_IsValid.restype = ctypes.c_int
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_GetPointer.restype = c_void_p
_api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_SetName.restype = ctypes.c_int


class Taken(NamedTuple):
    """An array, and the format its elements are patterns of ("" where they are numbers)."""

    array: np.ndarray
    payload: str


def _release(managed: Any) -> None:
    if managed.contents.deleter:
        managed.contents.deleter(managed)


def _dlpack_dtype(dtype: Any, name: str) -> Any:
    """numpy's dtype and the payload's format."""
    code, bits = dtype.code, dtype.bits
    if dtype.lanes != 1:
        raise TypeError(f"{name}: DLPack vectors of {dtype.lanes} lanes are not supported")
    if code == _BFLOAT and bits == 16:
        return np.dtype(np.uint16), "bf16"
    if code in _PAYLOADS and bits == 8:
        return np.dtype(np.uint8), _PAYLOADS[code]
    if code == _BOOL and bits == 8:
        return np.dtype(np.bool_), ""
    if code in _NAMES and bits in (8, 16, 32, 64) and (code != _FLOAT or bits > 8):
        return np.dtype(f"{_NAMES[code]}{bits // 8}"), ""
    kind = _CODES.get(code, f"code {code}")
    raise TypeError(f"{name}: DLPack type {kind} of {bits} bits is not supported")


def _extent(tensor: Any, shape: Tuple[int, ...], name: str) -> Tuple[Tuple[int, ...], int]:
    """Strides in elements, and how many elements of memory they reach over."""
    if tensor.strides:
        strides = tuple(tensor.strides[: tensor.ndim])
    else:
        strides = tuple(int(np.prod(shape[i + 1 :], dtype=np.int64)) for i in range(len(shape)))
    if any(stride < 0 for stride in strides):
        raise ValueError(f"{name}: DLPack tensor with a negative stride; copy it")
    return strides, 1 + sum((n - 1) * stride for n, stride in zip(shape, strides))


def _from_capsule(capsule: Any, name: str) -> Taken:
    if not _api.PyCapsule_IsValid(capsule, b"dltensor"):
        raise TypeError(f"{name}: __dlpack__ gave no fresh 'dltensor' capsule")
    address = _api.PyCapsule_GetPointer(capsule, b"dltensor")
    managed = ctypes.cast(address, POINTER(_Managed))
    tensor = managed.contents.tensor
    if tensor.device.type not in (_CPU, _CUDA_HOST):
        raise ValueError(f"{name}: lies on DLPack device {tensor.device.type}, not in memory")
    if tensor.ndim < 0 or any(tensor.shape[i] < 0 for i in range(tensor.ndim)):
        raise ValueError(f"{name}: DLPack tensor with a negative dimension")
    dtype, payload = _dlpack_dtype(tensor.dtype, name)
    shape = tuple(tensor.shape[: tensor.ndim]) if tensor.ndim else ()
    if 0 in shape:  # the capsule stays fresh: its own destructor releases the tensor
        return Taken(np.zeros(shape, dtype), payload)
    strides, extent = _extent(tensor, shape, name)
    memory = (c_uint8 * (extent * dtype.itemsize)).from_address(tensor.data + tensor.byte_offset)
    # From here on the memory is ours to release, with the last array that looks at it.
    _api.PyCapsule_SetName(capsule, b"used_dltensor")
    weakref.finalize(memory, _release, managed).atexit = False
    steps = tuple(stride * dtype.itemsize for stride in strides)
    return Taken(np.ndarray(shape, dtype, memory, strides=steps), payload)


def _from_dlpack(value: Any, name: str) -> Taken:
    where = value.__dlpack_device__()[0] if hasattr(value, "__dlpack_device__") else _CPU
    if where not in (_CPU, _CUDA_HOST):
        raise ValueError(f"{name}: lies on DLPack device {int(where)}, not in memory")
    try:
        capsule = value.__dlpack__()
    except (BufferError, RuntimeError) as error:  # torch: needs grad, is conjugate
        raise ValueError(f"{name}: {error}") from error
    return _from_capsule(capsule, name)


def take(value: Any, name: str, payload: str = "", writes: bool = False) -> Taken:
    """Any array as a C-contiguous numpy array, over the same memory where it lies so, or an
    exception. writes: a result goes into it, a copy will not do.

    payload: what unsigned elements are patterns of. bfloat16 of ml_dtypes and torch is known.
    """
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name}: a masked array; its mask would be lost")
    if isinstance(value, np.ndarray):
        taken = Taken(value, "")
    elif isinstance(value, np.generic):
        taken = Taken(np.asarray(value), "")
    elif hasattr(value, "__dlpack__"):
        taken = _from_dlpack(value, name)
    else:
        try:
            taken = Taken(np.asarray(memoryview(value)), "")
        except (TypeError, ValueError):
            raise TypeError(
                f"{name}: {type(value).__name__} is no array: numpy, DLPack or a buffer is wanted"
            ) from None
    array = taken.array
    if array.dtype.name == "bfloat16":  # ml_dtypes
        taken = array, _ = Taken(array.view(np.uint16), "bf16")
    if array.dtype.byteorder not in "=|<":
        raise TypeError(f"{name}: dtype {array.dtype.str} has another byte order; astype it")
    if not array.flags.c_contiguous and not writes:
        array = np.ascontiguousarray(array)
        taken = Taken(array, taken.payload)
    if not array.flags.c_contiguous:
        raise ValueError(
            f"{name}: not C-contiguous (shape {array.shape}, strides {array.strides} bytes); "
            "a result is written row by row"
        )
    if not array.flags.aligned:
        raise ValueError(f"{name}: not aligned to its {array.dtype.itemsize}-byte elements")
    if payload:
        if array.dtype.kind == "V" and array.dtype.itemsize == 2:  # bfloat16 in an .npy file
            array = array.view(np.uint16)
        if taken.payload and taken.payload != payload:
            raise TypeError(f"{name}: its elements are {taken.payload}, not {payload}")
        return Taken(array, payload)
    return taken


def words_of(values: Any, name: str, count: int) -> np.ndarray:
    """32-bit patterns: integers -2^31 .. 2^32 - 1, floats as FP32; one value for all, or count."""
    array = np.asarray(values)
    if array.dtype.kind == "f":
        array = array.astype(np.float32).view(np.uint32)
    elif array.dtype.kind in "iu" and array.dtype != np.uint32:
        if array.size and (int(array.min()) < -(2**31) or int(array.max()) >= 2**32):
            raise ValueError(f"{name}: a value does not fit into 32 bits")
        array = (array.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    elif array.dtype.kind == "b":
        array = array.astype(np.uint32)
    elif array.dtype != np.uint32:
        raise TypeError(f"{name}: {array.dtype} is neither integers nor floats")
    if array.ndim == 0:
        return np.full(count, array, np.uint32)
    if array.shape != (count,):
        raise ValueError(f"{name}: {count} values are wanted, got shape {array.shape}")
    return np.ascontiguousarray(array)
