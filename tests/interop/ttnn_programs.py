# SPDX-License-Identifier: Apache-2.0
"""Short programs of unmodified ttnn, each compared with numpy: ttnn_programs.py [REGEX] [--out DIR]

It prints a line of JSON for each program: name, outcome (passed, failed, or the error), largest
error as a part of the largest magnitude that is wanted (at least of 1), the error that is allowed,
seconds. With --out the bytes of each result go to DIR/NAME.npy,
for a comparison with another simulator. ttnn_suite.py runs it, on the door.
"""

import argparse
import json
import math
import re
import time
from pathlib import Path

import numpy as np
import ttnn

BF16 = ttnn.bfloat16
PROGRAMS = {}


# What is allowed: bfloat16 has steps of 1/128, its matrix products with the default fidelity see
# seven bits of one factor and five of the other; block formats have six and two bits.
EXACT, ROUNDED, PRODUCT, BLOCK8, BLOCK4 = 0.0, 0.012, 0.03, 0.04, 0.3


def program(name, tolerance=ROUNDED):
    """Registers a program: a function of a context that gives a tensor and what numpy has."""

    def add(function):
        PROGRAMS[name] = (function, tolerance)
        return function

    return add


class Context:
    """The device, and random arrays that bfloat16 holds exactly."""

    def __init__(self, device, seed):
        self.device = device
        self.random = np.random.default_rng(seed)

    def array(self, *shape, low=-2.0, high=2.0):
        x = self.random.uniform(low, high, shape).astype(np.float32)
        return (x.view(np.uint32) & 0xFFFF0000).view(np.float32)

    def integers(self, *shape, low=-1000, high=1000):
        return self.random.integers(low, high, shape).astype(np.int32)

    def tensor(self, x, dtype=BF16, layout=ttnn.TILE_LAYOUT, memory=None):
        t = ttnn.Tensor(x.ravel().tolist(), list(x.shape), dtype, layout, self.device)
        return t if memory is None else ttnn.to_memory_config(t, memory)


def numbers(t):
    """The elements of a tensor as an array."""
    if t.is_sharded():
        t = ttnn.to_memory_config(t, ttnn.DRAM_MEMORY_CONFIG)
    if t.dtype in (ttnn.bfloat8_b, ttnn.bfloat4_b):
        t = ttnn.typecast(t, BF16)
    host = ttnn.from_device(t)
    if host.layout != ttnn.ROW_MAJOR_LAYOUT:
        host = ttnn.to_layout(host, ttnn.ROW_MAJOR_LAYOUT)
    return np.array(host.to_list(), dtype=np.float64).reshape(tuple(host.shape))


# ---- one input ----

erf = np.vectorize(math.erf)
UNARY = {
    "exp": (np.exp, -3, 3, ROUNDED),
    "log": (np.log, 0.1, 8, ROUNDED),
    "log1p": (np.log1p, 0.1, 4, ROUNDED),
    "expm1": (np.expm1, -2, 2, ROUNDED),
    "sqrt": (np.sqrt, 0.1, 8, ROUNDED),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 0.1, 8, ROUNDED),
    "reciprocal": (lambda x: 1 / x, 0.2, 4, ROUNDED),
    "relu": (lambda x: np.maximum(x, 0), -2, 2, EXACT),
    "gelu": (lambda x: x * (1 + erf(x / math.sqrt(2))) / 2, -3, 3, ROUNDED),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), -4, 4, ROUNDED),
    "tanh": (np.tanh, -3, 3, ROUNDED),
    "silu": (lambda x: x / (1 + np.exp(-x)), -4, 4, ROUNDED),
    "sin": (np.sin, -3, 3, ROUNDED),
    "cos": (np.cos, -3, 3, ROUNDED),
    "abs": (np.abs, -2, 2, EXACT),
    "neg": (np.negative, -2, 2, EXACT),
    "square": (np.square, -2, 2, ROUNDED),
    "erf": (erf, -2, 2, ROUNDED),
    "softplus": (lambda x: np.log1p(np.exp(x)), -4, 4, ROUNDED),
    "floor": (np.floor, -4, 4, EXACT),
    "sign": (np.sign, -4, 4, EXACT),
}


def unary(name, reference, low, high):
    def run(c):
        x = c.array(64, 96, low=low, high=high)
        return getattr(ttnn, name)(c.tensor(x)), reference(x.astype(np.float64))

    return run


for key, (reference_of, lowest, highest, allowed) in UNARY.items():
    program(key, allowed)(unary(key, reference_of, lowest, highest))


# ---- two inputs ----

BINARY = {
    "add": (np.add, ROUNDED),
    "subtract": (np.subtract, ROUNDED),
    "multiply": (np.multiply, ROUNDED),
    "divide": (np.divide, ROUNDED),
    "maximum": (np.maximum, EXACT),
    "minimum": (np.minimum, EXACT),
    "gt": (np.greater, EXACT),
    "eq": (np.equal, EXACT),
}


def binary(name, reference):
    def run(c):
        x = c.array(3, 64, 64)
        y = c.array(3, 64, 64, low=0.25, high=2)
        return getattr(ttnn, name)(c.tensor(x), c.tensor(y)), reference(x, y)

    return run


for key, (reference_of, allowed) in BINARY.items():
    program(key, allowed)(binary(key, reference_of))


@program("add_row", ROUNDED)
def add_row(c):
    x, y = c.array(64, 128), c.array(1, 128)
    return ttnn.add(c.tensor(x), c.tensor(y)), x + y


@program("multiply_scalar", ROUNDED)
def multiply_scalar(c):
    x = c.array(64, 64)
    return ttnn.multiply(c.tensor(x), 1.5), x * 1.5


@program("where", EXACT)
def where(c):
    x, y, z = c.array(64, 64), c.array(64, 64), c.array(64, 64)
    return ttnn.where(ttnn.gt(c.tensor(x), 0.0), c.tensor(y), c.tensor(z)), np.where(x > 0, y, z)


@program("clamp", EXACT)
def clamp(c):
    x = c.array(64, 64)
    return ttnn.clamp(c.tensor(x), -0.5, 0.5), np.clip(x, -0.5, 0.5)


@program("add_110_cores", ROUNDED)
def add_110_cores(c):
    x, y = c.array(10 * 32, 11 * 32), c.array(10 * 32, 11 * 32)
    return ttnn.add(c.tensor(x), c.tensor(y)), x + y


# ---- reductions and norms ----


@program("sum_last", ROUNDED)
def sum_last(c):
    x = c.array(64, 128)
    return ttnn.sum(c.tensor(x), dim=-1), x.sum(-1)


@program("sum_first", ROUNDED)
def sum_first(c):
    x = c.array(64, 128)
    return ttnn.sum(c.tensor(x), dim=0), x.sum(0)


@program("mean", ROUNDED)
def mean(c):
    x = c.array(64, 128)
    return ttnn.mean(c.tensor(x), dim=-1), x.mean(-1)


@program("max", EXACT)
def maximum_of(c):
    x = c.array(64, 128)
    return ttnn.max(c.tensor(x), dim=-1), x.max(-1)


@program("argmax", EXACT)
def argmax(c):
    x = c.random.permutation(64 * 4).reshape(4, 64).astype(np.float32) / 2
    t = c.tensor(x, layout=ttnn.ROW_MAJOR_LAYOUT)
    return ttnn.argmax(t, dim=-1), x.argmax(-1)


@program("cumsum", ROUNDED)
def cumsum(c):
    x = c.array(64, 64)
    return ttnn.cumsum(c.tensor(x), dim=0), x.cumsum(0)


@program("softmax", ROUNDED)
def softmax(c):
    x = c.array(64, 128)
    e = np.exp(x - x.max(-1, keepdims=True))
    return ttnn.softmax(c.tensor(x), dim=-1), e / e.sum(-1, keepdims=True)


@program("layer_norm", ROUNDED)
def layer_norm(c):
    x, w, b = c.array(64, 128), c.array(1, 128), c.array(1, 128)
    y = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    t = ttnn.layer_norm(c.tensor(x), epsilon=1e-5, weight=c.tensor(w), bias=c.tensor(b))
    return t, y * w + b


@program("rms_norm", ROUNDED)
def rms_norm(c):
    x, w = c.array(64, 128), c.array(1, 128)
    y = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * w
    return ttnn.rms_norm(c.tensor(x), epsilon=1e-5, weight=c.tensor(w)), y


# ---- matrix multiplications ----


def matmul_of(c, m, k, n, dtype=BF16, **options):
    x, y = c.array(m, k), c.array(k, n)
    return ttnn.matmul(c.tensor(x, dtype), c.tensor(y, dtype), **options), x @ y


@program("matmul_one_tile", PRODUCT)
def matmul_one_tile(c):
    return matmul_of(c, 32, 32, 32)


@program("matmul_2d_multicast", PRODUCT)
def matmul_2d_multicast(c):
    return matmul_of(c, 512, 512, 512)


@program("matmul_1d_tall", PRODUCT)
def matmul_1d_tall(c):
    return matmul_of(c, 1024, 128, 32)


@program("matmul_1d_wide", PRODUCT)
def matmul_1d_wide(c):
    return matmul_of(c, 32, 256, 1024)


@program("matmul_bfloat8", BLOCK8)
def matmul_bfloat8(c):
    return matmul_of(c, 128, 128, 128, dtype=ttnn.bfloat8_b)


@program("matmul_bfloat4", BLOCK4)
def matmul_bfloat4(c):
    return matmul_of(c, 64, 64, 64, dtype=ttnn.bfloat4_b)


@program("matmul_float32", PRODUCT)
def matmul_float32(c):
    return matmul_of(c, 64, 64, 64, dtype=ttnn.float32)


@program("matmul_batched", PRODUCT)
def matmul_batched(c):
    x, y = c.array(4, 64, 64), c.array(4, 64, 64)
    return ttnn.matmul(c.tensor(x), c.tensor(y)), x @ y


@program("linear_bias", PRODUCT)
def linear_bias(c):
    x, w, b = c.array(64, 128), c.array(128, 96), c.array(1, 96)
    return ttnn.linear(c.tensor(x), c.tensor(w), bias=c.tensor(b)), x @ w + b


@program("attention", 2 * PRODUCT)
def attention(c):
    q, k, v = (c.array(1, 2, 64, 64) for _ in range(3))
    s = q @ k.swapaxes(-1, -2) / 8
    e = np.exp(s - s.max(-1, keepdims=True))
    run = ttnn.transformer.scaled_dot_product_attention
    t = run(c.tensor(q), c.tensor(k), c.tensor(v), is_causal=False)
    return t, e / e.sum(-1, keepdims=True) @ v


# ---- moving data ----


@program("transpose", EXACT)
def transpose(c):
    x = c.array(64, 96)
    return ttnn.transpose(c.tensor(x), 0, 1), x.T


@program("permute", EXACT)
def permute(c):
    x = c.array(2, 3, 32, 64)
    return ttnn.permute(c.tensor(x), (1, 0, 3, 2)), x.transpose(1, 0, 3, 2)


@program("reshape", EXACT)
def reshape(c):
    x = c.array(64, 96)
    return ttnn.reshape(c.tensor(x), (96, 64)), x.reshape(96, 64)


@program("concat", EXACT)
def concat(c):
    x, y = c.array(64, 64), c.array(64, 32)
    return ttnn.concat([c.tensor(x), c.tensor(y)], dim=1), np.concatenate([x, y], 1)


@program("slice", EXACT)
def slice_of(c):
    x = c.array(96, 96)
    return ttnn.slice(c.tensor(x), [32, 0], [96, 64]), x[32:96, 0:64]


@program("pad", EXACT)
def pad(c):
    x = c.array(32, 32)
    t = ttnn.pad(c.tensor(x), [(0, 32), (0, 32)], 0.0)
    return t, np.pad(x, ((0, 32), (0, 32)))


@program("tilize_untilize", EXACT)
def tilize_untilize(c):
    x = c.array(64, 128)
    t = c.tensor(x, layout=ttnn.ROW_MAJOR_LAYOUT)
    return ttnn.untilize(ttnn.tilize(t)), x


@program("repeat", EXACT)
def repeat(c):
    x = c.array(32, 64)
    return ttnn.repeat(c.tensor(x), [2, 1]), np.tile(x, (2, 1))


@program("embedding", EXACT)
def embedding(c):
    table = c.array(64, 64)
    ids = c.integers(1, 32, low=0, high=64)
    t = ttnn.embedding(
        c.tensor(ids, ttnn.uint32, ttnn.ROW_MAJOR_LAYOUT),
        c.tensor(table, layout=ttnn.ROW_MAJOR_LAYOUT),
    )
    return t, table[ids]


@program("topk", EXACT)
def topk(c):
    x = c.random.permutation(32 * 64).reshape(32, 64).astype(np.float32) % 199
    x[:] = np.arange(64)
    x = c.random.permuted(x, axis=1)
    values, _ = ttnn.topk(c.tensor(x), k=32, dim=-1)
    return values, -np.sort(-x, axis=-1)[:, :32]


# ---- formats ----


@program("add_float32", 1e-6)
def add_float32(c):
    x = c.random.normal(size=(64, 64)).astype(np.float32)
    y = c.random.normal(size=(64, 64)).astype(np.float32)
    return ttnn.add(c.tensor(x, ttnn.float32), c.tensor(y, ttnn.float32)), x + y


@program("add_int32", EXACT)
def add_int32(c):
    x, y = c.integers(64, 64), c.integers(64, 64)
    return ttnn.add(c.tensor(x, ttnn.int32), c.tensor(y, ttnn.int32)), x + y


@program("add_bfloat8", BLOCK8)
def add_bfloat8(c):
    x, y = c.array(64, 64), c.array(64, 64)
    return ttnn.add(c.tensor(x, ttnn.bfloat8_b), c.tensor(y, ttnn.bfloat8_b)), x + y


@program("typecast_int32", EXACT)
def typecast_int32(c):
    x = np.round(c.array(64, 64, low=-100, high=100))
    return ttnn.typecast(c.tensor(x), ttnn.int32), x


@program("typecast_uint16", EXACT)
def typecast_uint16(c):
    x = np.round(c.array(64, 64, low=0, high=100))
    return ttnn.typecast(c.tensor(x), ttnn.uint16), x


@program("log_float32", 1e-3)
def log_float32(c):
    x = c.random.uniform(0.1, 8, (64, 64)).astype(np.float32)
    return ttnn.log(c.tensor(x, ttnn.float32)), np.log(x)


# ---- sharded ----


def sharded(c, x, y, strategy, cores):
    memory = ttnn.create_sharded_memory_config(x.shape, core_grid=cores, strategy=strategy)
    a, b = c.tensor(x, memory=memory), c.tensor(y, memory=memory)
    return ttnn.add(a, b, memory_config=memory), x + y


@program("add_height_sharded", ROUNDED)
def add_height_sharded(c):
    cores = ttnn.CoreGrid(y=2, x=4)
    return sharded(c, c.array(256, 64), c.array(256, 64), ttnn.ShardStrategy.HEIGHT, cores)


@program("add_width_sharded", ROUNDED)
def add_width_sharded(c):
    cores = ttnn.CoreGrid(y=1, x=4)
    return sharded(c, c.array(32, 256), c.array(32, 256), ttnn.ShardStrategy.WIDTH, cores)


@program("add_block_sharded", ROUNDED)
def add_block_sharded(c):
    cores = ttnn.CoreGrid(y=2, x=2)
    return sharded(c, c.array(128, 128), c.array(128, 128), ttnn.ShardStrategy.BLOCK, cores)


# ---- chains ----


@program("mlp", PRODUCT)
def mlp(c):
    x, w, v = c.array(64, 64), c.array(64, 128), c.array(128, 64)
    hidden = ttnn.relu(ttnn.matmul(c.tensor(x), c.tensor(w)))
    return ttnn.matmul(hidden, c.tensor(v)), np.maximum(x @ w, 0) @ v


@program("random_chain", ROUNDED)
def random_chain(c):
    """A chain of operations that the seed chooses."""
    x = c.array(64, 64, low=-1, high=1)
    t, want = c.tensor(x), x.astype(np.float64)
    steps = [
        (lambda t: ttnn.multiply(t, 0.5), lambda a: a * 0.5),
        (lambda t: ttnn.add(t, 0.25), lambda a: a + 0.25),
        (ttnn.tanh, np.tanh),
        (ttnn.neg, np.negative),
        (lambda t: ttnn.transpose(t, 0, 1), np.transpose),
        (ttnn.abs, np.abs),
    ]
    for i in c.random.integers(0, len(steps), 5):
        t, want = steps[i][0](t), steps[i][1](want)
    return t, want


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("only", nargs="?", default=".")
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    began = time.monotonic()
    device = ttnn.open_device(device_id=0)
    print(json.dumps({"opened": round(time.monotonic() - began, 2)}), flush=True)
    for number, (name, (function, tolerance)) in enumerate(PROGRAMS.items()):
        if not re.search(given.only, name):
            continue
        began = time.monotonic()
        line = {"name": name, "allowed": tolerance}
        try:
            tensor, want = function(Context(device, given.seed * 1000 + number))
            got = numbers(tensor).reshape(np.shape(want))
            scale = max(1.0, float(np.abs(want).max()))
            line["error"] = float(np.abs(got - want).max()) / scale
            line["outcome"] = "passed" if line["error"] <= tolerance else "failed"
            if given.out:
                given.out.mkdir(parents=True, exist_ok=True)
                np.save(given.out / f"{name}.npy", got)
        except Exception as error:  # the next program runs all the same
            line["outcome"] = "error"
            line["text"] = str(error)[:400]
        line["seconds"] = round(time.monotonic() - began, 2)
        print(json.dumps(line), flush=True)
    ttnn.close_device(device)


main()
