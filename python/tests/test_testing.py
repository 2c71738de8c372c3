# SPDX-License-Identifier: Apache-2.0
import fractions
from importlib import metadata

import numpy as np
import pytest

from tensix import formats
from tensix.testing import FORMATS, assert_bit_exact, assert_ulp, round_to, ulp_error


def nearest(value, precision, least):
    """Ties to even, by rational numbers."""
    x = fractions.Fraction(value)
    if x == 0:
        return 0.0
    exponent = int(np.frexp(float(abs(x)))[1]) - 1
    unit = fractions.Fraction(2) ** (exponent - precision + 1)
    rounded = round(x / unit) * unit  # Fraction's round is to even
    return 0.0 if abs(rounded) < fractions.Fraction(2) ** least else float(rounded)


@pytest.mark.parametrize("name", FORMATS)
def test_round_to(rng, name):
    f = FORMATS[name]
    x = np.ldexp(rng.uniform(-1, 1, 500), rng.integers(f.least - 3, 14, 500))
    # Ties of the format, and what is half a step below the least normal number.
    x[:100] = np.ldexp(2.0 * rng.integers(2**15, 2**16, 100) + 1, -16 + rng.integers(0, 8, 100))
    x[100] = 2.0**f.least * (1 - 2.0 ** -(f.precision + 1))
    expected = [nearest(v, f.precision, f.least) for v in x]
    assert np.array_equal(round_to(x, name), expected)


def test_round_to_is_numpys_float32(rng):
    x = rng.standard_normal(1000)
    assert np.array_equal(round_to(x), x.astype(np.float32))
    top = np.float32(3.4028235e38)
    special = round_to([np.inf, -np.inf, np.nan, 1e39, -1e39, float(top)])
    assert np.isnan(special[2])
    assert special[[0, 1, 3, 4, 5]].tolist() == [np.inf, -np.inf, np.inf, -np.inf, float(top)]
    assert round_to([1e6, np.inf], "fp16").tolist() == [131008, 131008]


def test_bf16_is_the_librarys(rng):
    x = rng.standard_normal(1000).astype(np.float32)
    wide = formats.convert(formats.convert(x, "bf16"), "fp32", "bf16")
    assert np.array_equal(round_to(x, "bf16"), wide)


def test_ulp_error():
    one = np.float32(1)
    up = np.nextafter(one, np.float32(2))
    down = np.nextafter(one, np.float32(0))
    inf, nan = np.inf, np.nan
    got = [up, down, 1, 0, 1e-40, inf, nan, inf, -inf, 5, nan]
    expected = [1, 1, 1, 1e-40, 0, inf, nan, 5, inf, inf, 1]
    error = ulp_error(np.array(got, np.float32), expected)
    assert error.tolist() == [1, 0.5, 0, 0, 0, 0, 0, inf, inf, inf, inf]
    assert ulp_error([1.0078125], [1.0], "bf16") == 1  # 1 + 2^-7
    # Denormals are flushed: zero and the least normal number are neighbours.
    least, second = 2.0**-126, 2.0**-126 + 2.0**-149
    got, expected = [least, 0, least, -least, 0, 0], [0, least, -least, second, 1, second]
    assert ulp_error(got, expected).tolist() == [1, 1, 2, 3, 2**23, 2]
    assert ulp_error([2.0**-14], [0.0], "fp16") == ulp_error([0.0], [2.0**-126], "bf16") == 1


def test_assert_ulp():
    x = np.float32([1, 2, 3])
    assert_ulp(x, x.astype(float), 0)
    worse = np.nextafter(x, np.float32(9))
    assert_ulp(worse, x, 1)
    with pytest.raises(AssertionError, match=r"3 of 3 elements are beyond 0.5 ULP of fp32"):
        assert_ulp(worse, x, 0.5)
    with pytest.raises(AssertionError, match=r"1 of 3 .* worst at \(1,\): got nan"):
        assert_ulp(np.float32([1, np.nan, 3]), x, 100)
    with pytest.raises(AssertionError, match="shapes differ"):
        assert_ulp(x, x[:2], 1)
    with pytest.raises(ValueError, match="format"):
        assert_ulp(x, x, 1, "fp99")


def test_assert_bit_exact():
    x = np.float32([1, -0.0, np.nan])
    assert_bit_exact(x, x.copy())
    for other, message in (
        (np.float32([1, 0, np.nan]), r"1 of 3 elements differ, first at \(1,\): got -0.0 "
                                     r"\(80000000\), expected 0.0 \(00000000\)"),
        (x.astype(float), "dtypes differ"), (x[:2], "shapes differ"),
    ):
        with pytest.raises(AssertionError, match=message):
            assert_bit_exact(x, other)


PLUGIN_TEST = """
    import numpy as np
    import tensix
    from tensix.testing import assert_bit_exact

    def negate(r):
        for row in range(0, 64, 2):
            r.TTI_SFPLOAD(0, 0, 3, row)
            r.TTI_SFPMOV(0, 0, 0, 1)
            r.TTI_SFPSTORE(0, 0, 3, row)

    def test_good(golden):
        x = np.ones(3, np.float32)
        assert_bit_exact(golden(negate)(x), -x)

    def test_other_chip(golden, tensix_arch):
        assert golden(negate, arch="wh").program.arch == "wormhole_b0"
        assert tensix_arch == "bh"

    def test_its_own_chip(golden, tmp_path):
        path = tmp_path / "k.s"
        for text, arch in (".arch wormhole", "wormhole_b0"), ("", "blackhole"):
            path.write_text(text + "\\nsfpnop\\n")
            assert golden(path).program.arch == arch

    def test_wrong(golden):
        x = np.ones(3, np.float32)
        assert_bit_exact(golden(negate)(x), x)

    def test_findings(golden):
        unwritten = tensix.Program.from_asm("sfpload L0,256,3,3", "bh")
        golden(unwritten, findings="ignore")(np.ones(3, np.float32))
        golden(unwritten)(np.ones(3, np.float32))

    kept = []

    def test_keeps(golden):
        kept.append(golden(negate))

    def test_was_closed():
        import pytest
        with pytest.raises(tensix.ClosedError):
            kept[0](np.ones(3, np.float32))
"""


def test_plugin(pytester):
    pytester.makepyfile(PLUGIN_TEST)
    arguments = ["--tensix-arch", "bh", "-p", "no:cacheprovider"]
    if not metadata.entry_points(group="pytest11", name="tensix"):
        arguments += ["-p", "tensix.pytest_plugin"]
    result = pytester.runpytest_inprocess(*arguments)
    result.assert_outcomes(passed=5, failed=2)
    result.stdout.fnmatch_lines([
        "*3 of 3 elements differ, first at (0,): got -1.0 (bf800000), expected 1.0 (3f800000)*",
        "*FindingError*UnpredictableValue*",
    ])
