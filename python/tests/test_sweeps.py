# SPDX-License-Identifier: Apache-2.0
"""Sweeps here, against those of the lab library: two implementations of the same figures."""

import json
import math

import numpy as np
import pytest

import tensix


def figures(result):
    return (result.count, result.exact, result.mismatched, result.max_ulp, result.mean_ulp,
            result.worst, result.cycles_per_tile)


@pytest.mark.parametrize("name, function, dst", [
    ("exp.s", np.exp, "fp32"), ("reciprocal.s", lambda x: 1 / x, "fp32"),
    ("relu.s", lambda x: np.where(np.isnan(x), np.nan, np.maximum(x, 0)), "fp32"),
    ("sqrt.s", np.sqrt, "fp32"), ("log.s", np.log, "fp32"),
    ("tanh.s", np.tanh, "fp32"),
])
def test_same_as_the_library(kernels, name, function, dst):
    here = tensix.sweep(kernels / name, "bf16", function, arch="bh", dst=dst)
    there = tensix.sweep(kernels / name, "bf16", arch="bh", dst=dst)
    assert figures(here) == figures(there)
    assert there.report["inputs"] == "all 65536 of bf16"
    assert (here.mismatch is None) == (there.mismatch is None)
    if here.mismatch is not None:
        assert here.mismatch.element == there.mismatch.element


def test_diff(kernels, tmp_path):
    good = tensix.sweep(kernels / "exp.s", "bf16", "exp", arch="bh")
    other = dict(good.report, accuracy=dict(good.report["accuracy"], max_ulp=good.max_ulp + 2))
    file = tmp_path / "before.json"
    file.write_text(json.dumps(good.report))
    assert tensix.sweep_diff(file, good) == tensix.sweep_diff(good, good.report)
    worse = tensix.sweep_diff(good, other)
    assert (worse["worse"], worse["gone"], worse["new"]) == (1, 0, 0)
    pair = worse["sweeps"][0]
    assert pair["worse"] and pair["after"]["max_ulp"] == pair["before"]["max_ulp"] + 2
    assert tensix.sweep_diff(other, good)["worse"] == 0
    with pytest.raises(ValueError, match="after: a sweep of the caller's own function"):
        tensix.sweep_diff(good, tensix.sweep(kernels / "exp.s", "bf16:1:2", np.exp, arch="bh"))
    with pytest.raises(tensix.InputError, match="not the report of a sweep"):
        tensix.sweep_diff(good, {"kernel": "exp.s"})


def test_element_by_element(kernels):
    whole = tensix.sweep(kernels / "exp.s", "bf16:-1:1", np.exp, arch="bh")
    single = tensix.sweep(kernels / "exp.s", "bf16:-1:1", math.exp, arch="bh", vectorized=False)
    assert figures(whole) == figures(single)
    # Values of bf16 in -1..1: both signs of zero and of 127 * 128 others (exponents 0 to 126), 1.
    assert whole.count == 2 * (127 * 128 + 1)


def test_fp16_and_findings(kernels):
    result = tensix.sweep(
        tensix.Program.from_asm(".dst fp16\nsfpload L1,256,1,3\n", "bh"), "fp16", lambda x: x
    )
    assert result.count == 65536 and result.max_ulp == 0 and result.exact == 65536
    assert ["UnpredictableValue" in text for text in result.findings] == [True]


def test_two_inputs():
    program = tensix.Program.from_asm(
        ".dst fp32\n.inputs 2\n" + "".join(
            f"sfpload L0,{a},3,3\nsfpload L1,{a + 64},3,3\nsfpadd L2,L0,L1,0\nsfpnop\n"
            f"sfpstore L2,{a},3,3\n" for a in range(0, 64, 2)), "bh")
    result = tensix.sweep(program, "bf16:1:2xbf16:1:1.5", lambda a, b: a + b)
    assert (result.count, result.exact) == (129 * 65, 129 * 65)  # sums of 8 bits are exact
    a = np.float32([1, 2, 3])
    wrong = tensix.sweep(program, (a, a), lambda a, b: a + b + 0.5)
    assert (wrong.exact, wrong.worst[0].inputs, wrong.worst[0].got) == (0, (1, 1), 2)
    # 2.5 and 2 are 0.5 apart, in steps of 2^-22: 2^21 ULP.
    assert wrong.worst[0].ulp == wrong.max_ulp == 2**21


@pytest.mark.parametrize("call, message", [
    (lambda k: tensix.sweep(k, "fp32", np.exp, arch="bh"), "domain: 'fp32'"),
    (lambda k: tensix.sweep(k, "bf16xbf16", np.exp, arch="bh"), "domain: 2 axes"),
    (lambda k: tensix.sweep(k, [np.ones(3)] * 2, np.exp, arch="bh"), "domain: 2 arrays"),
    (lambda k: tensix.sweep(k, np.ones(3), "exp", arch="bh"), "domain: arrays need"),
    (lambda k: tensix.sweep(k, "bf16", np.exp, arch="bh", stride=2), "stride: not with"),
    (lambda k: tensix.sweep(k, "bf16", lambda x: 1.0, arch="bh"), "reference: gave shape"),
    (lambda k: tensix.sweep(k, "bf16", np.exp, arch="bh", dst="int32"), "dst: int32|Dst format"),
])
def test_refusals(kernels, call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call(kernels / "exp.s")


def test_a_sample(kernels):
    few = tensix.sweep(kernels / "exp.s", "fp32", "exp", arch="bh", sample=1000, jobs=2)
    assert few.count == 1000
    third = tensix.sweep(kernels / "exp.s", "bf16", "exp", arch="bh", stride=3)
    assert third.count == (65536 + 2) // 3


def test_tolerance(kernels):
    """Absolute, relative, both, as numpy's allclose; square rounds once, so half a unit at most."""
    name = str(kernels / "exp.s")
    assert tensix.sweep(name, arch="bh", rtol=2.4e-7).passed is True
    assert tensix.sweep(name, arch="bh", atol=1e-6).passed is False
    tight = tensix.sweep(name, arch="bh", atol=1e-30, rtol=1e-8)
    assert tight.passed is False and "further than atol 1e-30 + rtol 1e-08" in (
        tight.report["gate"]["text"])
    for bad in (float("nan"), float("inf"), -1.0):
        with pytest.raises(ValueError, match="atol"):
            tensix.sweep(name, arch="bh", atol=bad)
