# SPDX-License-Identifier: Apache-2.0
"""Short programs of unmodified JAX, each compared with JAX on the CPU.

jax_programs.py [REGEX] [--out DIR]

They run on the first device of the platform "tt", which the vendor's plugin finds by itself. It
prints a line of JSON for each program: name, outcome (passed, failed, or the error), largest error
as a part of the largest magnitude that is wanted (at least of 1), the error that is allowed,
seconds. With --out the bytes of each result go to DIR/NAME.npy. jax_suite.py runs it, under
`tensix card`.
"""
import argparse
import json
import re
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

PROGRAMS = {}
# What is allowed: the plugin computes float32 in the chip's formats of 19 bits, matrix products
# with fewer, bfloat16 with steps of 1/128.
EXACT, ROUNDED, PRODUCT, BF16 = 0.0, 0.005, 0.02, 0.02


def program(name, tolerance=ROUNDED):
    """Registers a program: a function that gives a function of arrays, and the arrays."""

    def add(function):
        PROGRAMS[name] = (function, tolerance)
        return function

    return add


def array(*shape, seed=1, low=-2.0, high=2.0, dtype=np.float32):
    return np.random.default_rng(seed).uniform(low, high, shape).astype(dtype)


def elementwise(name, function, low=-2.0, tolerance=ROUNDED):
    PROGRAMS[name] = (lambda: (function, [array(64, 96, low=low), array(64, 96, seed=2, low=low)]),
                      tolerance)


elementwise("add", lambda a, b: a + b)
elementwise("sub", lambda a, b: a - b)
elementwise("mul", lambda a, b: a * b)
elementwise("div", lambda a, b: a / b, low=0.5)
elementwise("maximum", jnp.maximum)
elementwise("exp", lambda a, b: jnp.exp(a))
elementwise("log", lambda a, b: jnp.log(a), low=0.25)
elementwise("tanh", lambda a, b: jnp.tanh(a))
elementwise("sqrt", lambda a, b: jnp.sqrt(a), low=0.25)
elementwise("rsqrt", lambda a, b: jax.lax.rsqrt(a), low=0.25)
elementwise("relu", lambda a, b: jax.nn.relu(a))
elementwise("gelu", lambda a, b: jax.nn.gelu(a), tolerance=0.02)
elementwise("sigmoid", lambda a, b: jax.nn.sigmoid(a))
elementwise("where", lambda a, b: jnp.where(a > b, a, b))
elementwise("transpose", lambda a, b: a.T)
elementwise("chain", lambda a, b: jnp.tanh(a * b + 1.0) * 0.5)


@program("add_bf16", BF16)
def add_bf16():
    return (lambda a, b: a + b), [array(64, 64).astype(jnp.bfloat16),
                                  array(64, 64, seed=2).astype(jnp.bfloat16)]


@program("add_int32", EXACT)
def add_int32():
    r = np.random.default_rng(3)
    return (lambda a, b: a + b), [r.integers(-1000, 1000, (32, 64)).astype(np.int32),
                                  r.integers(-1000, 1000, (32, 64)).astype(np.int32)]


@program("matmul", PRODUCT)
def matmul():
    return (lambda a, b: a @ b), [array(64, 96), array(96, 128, seed=2)]


@program("matmul_bf16", PRODUCT)
def matmul_bf16():
    return (lambda a, b: a @ b), [array(64, 64).astype(jnp.bfloat16),
                                  array(64, 64, seed=2).astype(jnp.bfloat16)]


@program("sum_rows", PRODUCT)
def sum_rows():
    return (lambda a: a.sum(axis=-1)), [array(64, 96, low=0)]


@program("max_columns")
def max_columns():
    return (lambda a: a.max(axis=0)), [array(64, 96)]


@program("mean_all", PRODUCT)
def mean_all():
    return (lambda a: a.mean()), [array(64, 96, low=0)]


@program("softmax", PRODUCT)
def softmax():
    return jax.nn.softmax, [array(32, 128)]


def norm(x, scale, shift):
    mean = x.mean(axis=-1, keepdims=True)
    centred = x - mean
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return centred * jax.lax.rsqrt(variance + 1e-5) * scale + shift


@program("layer_norm", 0.03)
def layer_norm():
    return norm, [array(32, 128), array(128, seed=2), array(128, seed=3)]


def attend(q, k, v):
    scores = q @ jnp.swapaxes(k, -1, -2) * (q.shape[-1] ** -0.5)
    return jax.nn.softmax(scores, axis=-1) @ v


@program("attention", 0.03)
def attention():
    return attend, [array(2, 64, 32), array(2, 64, 32, seed=2), array(2, 64, 32, seed=3)]


def two_layers(w1, w2, x):
    return jax.nn.relu(x @ w1) @ w2


@program("mlp", 0.03)
def mlp():
    return two_layers, [array(64, 128), array(128, 32, seed=2), array(32, 64, seed=3)]


@program("mlp_step", 0.04)
def mlp_step():
    """One step of gradient descent on the mean squared error."""

    def step(w1, w2, x, y):
        def loss(w):
            difference = two_layers(w[0], w[1], x) - y
            return (difference * difference).mean()

        g = jax.grad(loss)((w1, w2))
        return jnp.concatenate([(w1 - 0.01 * g[0]).ravel(), (w2 - 0.01 * g[1]).ravel()])

    return step, [array(64, 128, low=-0.5, high=0.5), array(128, 32, seed=2, low=-0.5, high=0.5),
                  array(32, 64, seed=3), array(32, 32, seed=4)]


@program("transformer", 0.06)
def transformer():
    def block(x, wq, wk, wv, wo, w1, w2, scale, shift):
        h = norm(x, scale, shift)
        x = x + attend(h @ wq, h @ wk, h @ wv) @ wo
        h = norm(x, scale, shift)
        return x + jax.nn.gelu(h @ w1) @ w2

    small = {"low": -0.2, "high": 0.2}
    weights = [array(64, 64, seed=s, **small) for s in (2, 3, 4, 5)]
    return block, [array(32, 64), *weights, array(64, 128, seed=6, **small),
                   array(128, 64, seed=7, **small), array(64, seed=8, low=0.5), array(64, seed=9)]


def judge(name, device, host, out):
    make, tolerance = PROGRAMS[name]
    start = time.time()
    line = {"name": name}
    try:
        function, arguments = make()
        with jax.default_device(host):
            wanted = np.asarray(jax.jit(function)(*arguments)).astype(np.float64)
        given = [jax.device_put(a, device) for a in arguments]
        result = np.asarray(jax.jit(function)(*given))
        if out is not None:
            np.save(out / f"{name}.npy", np.frombuffer(result.tobytes(), np.uint8))
        got = result.astype(np.float64)
        error = float(np.abs(got - wanted).max() / max(1.0, np.abs(wanted).max()))
        good = got.shape == wanted.shape and error <= tolerance
        line.update(outcome="passed" if good else "failed", error=error, allowed=tolerance)
    except Exception as problem:  # whatever the plugin refuses
        line.update(outcome="error", text=f"{type(problem).__name__}: {str(problem)[:300]}")
    line["seconds"] = time.time() - start
    print(json.dumps(line), flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("only", nargs="?", default=".")
    arguments.add_argument("--out", type=Path)
    given = arguments.parse_args()
    if given.out is not None:
        given.out.mkdir(parents=True, exist_ok=True)
    start = time.time()
    device = jax.devices()[0]
    host = jax.devices("cpu")[0]
    print(json.dumps({"device": str(device), "seconds": time.time() - start}), flush=True)
    if device.platform == "cpu":
        raise SystemExit("jax found no card")
    for name in PROGRAMS:
        if re.search(given.only, name):
            judge(name, device, host, given.out)


if __name__ == "__main__":
    main()
