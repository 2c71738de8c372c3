# SPDX-License-Identifier: Apache-2.0
"""The reference functions of networks and of integers, against mpmath and Python's integers: their
definitions are restated here from PyTorch's documentation and from the words of docs/cli.md."""

import ctypes
import random

import mpmath
import numpy as np
import pytest
from tensix import _abi, _lab
from tensix._lab import lab

mpmath.mp.prec = 700
FORMATS = _abi.values("tx_dst_format")
FP32 = FORMATS["FP32"]


def relu6(x):
    return min(max(x, mpmath.mpf(0)), mpmath.mpf(6))


def elu(alpha, width=1):
    return lambda x: x if x >= 0 else alpha * mpmath.expm1(x / width)


def mp(text):
    return mpmath.mpf(float(text))


FUNCTIONS = {
    "softsign": lambda x: x / (1 + abs(x)),
    "relu6": relu6,
    "hardsigmoid": lambda x: relu6(x + 3) / 6,
    "hardswish": lambda x: x * relu6(x + 3) / 6,
    "hardtanh": lambda x: min(max(x, mp(-1)), mp(1)),
    "hardtanh:-2.5": lambda x: min(max(x, mp(-2.5)), mp(1)),
    "hardtanh:0.1:0.7": lambda x: min(max(x, mp(0.1)), mp(0.7)),
    "leaky_relu": lambda x: x if x >= 0 else mp(0.01) * x,
    "leaky_relu:0.25": lambda x: x if x >= 0 else x / 4,
    "elu": elu(1),
    "elu:1.7": elu(mp(1.7)),
    "celu:1.7": elu(mp(1.7), mp(1.7)),
    "selu": lambda x: mpmath.mpf("1.0507009873554804934193349852946") * elu(
        mpmath.mpf("1.6732632423543772848170429916717"))(x),
    "mish": lambda x: x * mpmath.tanh(mpmath.log1p(mpmath.exp(x))),
    "logsigmoid": lambda x: -mpmath.log1p(mpmath.exp(-x)),
    "tanhshrink": lambda x: x - mpmath.tanh(x),
    "softshrink": lambda x: x - mp(0.5) if x > 0.5 else x + mp(0.5) if x < -0.5 else mp(0),
    "softshrink:2": lambda x: x - 2 if x > 2 else x + 2 if x < -2 else mp(0),
}


def open_reference(name, in_format, out_format):
    err, handle = _lab.txl_error(), ctypes.c_void_p()
    status = lab.txl_reference_open(
        ctypes.byref(err), name.encode(), in_format, out_format, ctypes.byref(handle))
    if status != _lab.OK:
        _lab.raise_error(err, status)
    return handle


def words(name, operands, in_format, out_format):
    handle = open_reference(name, in_format, out_format)
    arrays = [np.ascontiguousarray(x, np.uint32) for x in operands]
    at = (ctypes.c_void_p * len(arrays))(*(x.ctypes.data for x in arrays))
    expected, below = np.zeros(len(arrays[0]), np.uint32), np.zeros(len(arrays[0]), np.uint8)
    lab.txl_reference_words(handle, at, len(expected), expected.ctypes.data, below.ctypes.data)
    lab.txl_reference_close(handle)
    return expected, below


def nearest(value):
    """The FP32 number nearest to value, ties to even, denormals as zeros of the sign."""
    if value == 0:
        return np.float32(0)
    exponent = mpmath.frexp(abs(value))[1] - 24
    scaled = mpmath.ldexp(value, -exponent)
    low = mpmath.floor(scaled)
    rest = scaled - low
    whole = int(low) + (1 if rest > 0.5 or (rest == 0.5 and int(low) % 2) else 0)
    rounded = mpmath.ldexp(whole, exponent)
    if abs(rounded) < mpmath.ldexp(1, -126):
        return np.float32(-0.0 if value < 0 else 0.0)
    return np.float32(float(rounded)) if abs(rounded) < mpmath.ldexp(1, 128) else np.float32(
        np.inf if value > 0 else -np.inf)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_networks(name):
    rng = random.Random(name)
    x = np.array(
        [s * v for s in (1, -1) for v in (
            1.2e-38, 1e-30, 1e-7, 0.01, 0.49999997, 0.5, 0.50000006, 1, 2, 2.9999998, 3, 3.0000002,
            6, 6.0000005, 20, 88, 1e30, 3e38)]
        + [rng.choice((1, -1)) * 2.0 ** rng.uniform(-40, 8) for _ in range(300)], np.float32)
    got, _ = words(name, [x.view(np.uint32)], FP32, FP32)
    want = np.array([nearest(FUNCTIONS[name](mpmath.mpf(float(v)))) for v in x], np.float32)
    wrong = np.flatnonzero(got.view(np.float32) != want)
    assert wrong.size == 0, (x[wrong[:3]], got.view(np.float32)[wrong[:3]], want[wrong[:3]])


def test_limits():
    """At infinities a function has its limit, and NaN stays NaN."""
    x = np.array([np.inf, -np.inf, np.nan], np.float32).view(np.uint32)
    limits = {"softsign": (1, -1), "relu6": (6, 0), "hardsigmoid": (1, 0), "hardswish": (np.inf, 0),
              "leaky_relu": (np.inf, -np.inf), "elu:2": (np.inf, -2), "mish": (np.inf, 0),
              "logsigmoid": (0, -np.inf), "hardtanh": (1, -1), "softshrink": (np.inf, -np.inf),
              "tanhshrink": (np.inf, -np.inf)}
    for name, (above, below) in limits.items():
        got, _ = words(name, [x], FP32, FP32)
        values = got.view(np.float32)
        assert values[0] == above and values[1] == below and np.isnan(values[2]), (name, values)


def of_int(value):
    return value & 0xFFFFFFFF


def test_integers():
    int32 = FORMATS["INT32"]
    rng = random.Random(38)
    values = [0, 1, -1, 2, 255, 256, 2 ** 31 - 1, -(2 ** 31 - 1)] + [
        rng.choice((1, -1)) * rng.getrandbits(rng.randint(1, 31)) for _ in range(400)]
    others = values[::-1]
    held = [np.array([of_int(v) for v in column], np.uint32) for column in (values, others)]
    ones, _ = words("popcount", held[:1], int32, int32)
    zeros, _ = words("clz", held[:1], int32, int32)
    high, _ = words("mulhi", held, int32, int32)
    quotient, none = words("idiv", held, int32, int32)
    for i, (a, b) in enumerate(zip(values, others)):
        assert ones[i] == bin(a & 0xFFFFFFFF).count("1"), a
        assert zeros[i] == 32 - (a & 0xFFFFFFFF).bit_length(), a
        assert high[i] == of_int((a * b) >> 32), (a, b)
        assert none[i] == (b == 0)
        if b != 0:
            sign = 1 if (a < 0) == (b < 0) else -1
            assert quotient[i] == of_int(abs(a) // abs(b) * sign), (a, b)


@pytest.mark.parametrize("name, said", [
    ("leaky_relu:0.1:2", "leaky_relu takes at most 1 parameters"),
    ("exp:2", "exp takes at most 0 parameters"),
    ("elu:", "parameter 1 of elu is a number, not ''"), ("elu:x", "not 'x'"),
    ("elu:nan", "not 'nan'"), ("softsing", "did you mean 'softsign'"),
    ("nothing_like_it", r"a FILE.py that defines reference\(x\)")])
def test_wrong_names(name, said):
    with pytest.raises(ValueError, match=said):
        open_reference(name, 0, 0)
