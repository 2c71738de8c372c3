# SPDX-License-Identifier: Apache-2.0
"""JAX on a card, against JAX on the processor: jax.yml runs it under `tensix card`."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")


def values(*shape, seed):
    return np.random.default_rng(seed).uniform(-2, 2, shape).astype(np.float32)


def test_jax_finds_a_card():
    assert [d.platform for d in jax.devices()] == ["tt"]


@pytest.mark.parametrize("function, error", [
    (lambda a, b: a + b, 0.005), (lambda a, b: a @ b.T, 0.02)])
def test_as_on_the_processor(function, error):
    a, b = values(64, 96, seed=1), values(64, 96, seed=2)
    with jax.default_device(jax.devices("cpu")[0]):
        wanted = np.asarray(jax.jit(function)(a, b))
    card = jax.devices()[0]
    given = [jax.device_put(x, card) for x in (a, b)]
    got = np.asarray(jax.jit(function)(*given))
    assert np.abs(got - wanted).max() <= error * np.abs(wanted).max()
