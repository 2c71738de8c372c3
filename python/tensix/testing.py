# SPDX-License-Identifier: Apache-2.0
"""Assertions for tests of kernels, and errors in ULP."""

from __future__ import annotations

from typing import Any, NamedTuple, Tuple

import numpy as np

from .arrays import take


class FloatFormat(NamedTuple):
    """A float format as numbers see it."""

    precision: int
    """Bits of the significand."""
    least: int
    """Exponent of the least normal number."""
    most: float
    """The largest finite value."""
    saturates: bool
    """Larger ones are that: no infinity."""


FORMATS = {
    "fp32": FloatFormat(24, -126, (2.0 - 2.0**-23) * 2.0**127, False),
    "bf16": FloatFormat(8, -126, (2.0 - 2.0**-7) * 2.0**127, False),
    "fp16": FloatFormat(11, -14, 131008.0, True),  # Tensix's: exponent 31 is an ordinary binade
}


def _float_format(name: str) -> FloatFormat:
    if name not in FORMATS:
        raise ValueError(f"format: {name!r} is none of {', '.join(FORMATS)}")
    return FORMATS[name]


def round_to(values: Any, format: str = "fp32") -> np.ndarray:
    """float64 rounded once to a format, ties to even, denormals to zero; as float64."""
    f = _float_format(format)
    x = np.asarray(values, np.float64)
    mantissa, exponent = np.frexp(x)
    with np.errstate(invalid="ignore", over="ignore"):
        rounded = np.ldexp(np.rint(np.ldexp(mantissa, f.precision)), exponent - f.precision)
    rounded = np.where(np.abs(rounded) < 2.0**f.least, 0.0, rounded)
    beyond = np.copysign(f.most if f.saturates else np.inf, rounded)
    return np.where(np.abs(rounded) > f.most, beyond, rounded)


def _without_gap(values: np.ndarray, f: FloatFormat) -> np.ndarray:
    """Places on a line without what lies between zero and the least normal number."""
    gap = 2.0**f.least - 2.0**(f.least - f.precision + 1)
    return np.copysign(np.maximum(np.abs(values) - gap, 0.0), values)


def ulp_error(got: Any, expected: Any, format: str = "fp32") -> np.ndarray:
    """|got - expected| / ulp(expected), expected rounded once to the format.

    Denormals are zeros on both sides, and where there is none, nothing is counted: zero and the
    least normal number are neighbours, 1 apart. NaN for NaN and the same infinity are 0; NaN or
    infinity against anything else is inf.
    """
    f = _float_format(format)
    want = round_to(expected, format)
    have = np.asarray(got, np.float64)
    have = np.where(np.abs(have) < 2.0**f.least, 0.0, have)
    _, exponent = np.frexp(want)
    with np.errstate(invalid="ignore", over="ignore"):
        unit = np.maximum(exponent - 1, f.least) - (f.precision - 1)
        apart = np.where(
            want * np.sign(have) > 0, have - want, _without_gap(have, f) - _without_gap(want, f))
        error = np.ldexp(np.abs(apart), -np.where(want == 0, f.least - f.precision + 1, unit))
    special = ~np.isfinite(want) | ~np.isfinite(have)
    same = (want == have) | (np.isnan(want) & np.isnan(have))
    return np.where(special, np.where(same, 0.0, np.inf), error)


def _bits(array: np.ndarray) -> np.ndarray:
    return array.view(np.dtype(f"u{array.dtype.itemsize}"))


def _pair(got: Any, expected: Any) -> Tuple[np.ndarray, np.ndarray]:
    one, two = take(got, "got").array, take(expected, "expected").array
    if one.shape != two.shape:
        raise AssertionError(f"shapes differ: got {one.shape}, expected {two.shape}")
    return one, two


def _first(bad: np.ndarray) -> Tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape))


def assert_bit_exact(got: Any, expected: Any) -> None:
    """Same type, same shape, same bits; -0 is not 0, and one NaN is not another."""
    __tracebackhide__ = True
    one, two = _pair(got, expected)
    if one.dtype != two.dtype:
        raise AssertionError(f"dtypes differ: got {one.dtype}, expected {two.dtype}")
    bad = _bits(one) != _bits(two)
    if bad.any():
        at = _first(bad)
        digits = 2 * one.dtype.itemsize
        raise AssertionError(
            f"{int(bad.sum())} of {bad.size} elements differ, first at {at}: "
            f"got {one[at]} ({_bits(one)[at]:0{digits}x}), "
            f"expected {two[at]} ({_bits(two)[at]:0{digits}x})"
        )


def assert_ulp(got: Any, expected: Any, max_ulp: float, format: str = "fp32") -> None:
    """Every element within max_ulp of the expected value rounded once to the format."""
    __tracebackhide__ = True
    one, two = _pair(got, expected)
    error = ulp_error(one, two, format)
    bad = ~(error <= max_ulp)
    if bad.any():
        at = tuple(int(i) for i in np.unravel_index(int(np.argmax(error)), error.shape))
        raise AssertionError(
            f"{int(bad.sum())} of {bad.size} elements are beyond {max_ulp:g} ULP of {format}, "
            f"worst at {at}: got {one[at]}, expected {two[at]}, {error[at]:g} ULP"
        )
