# SPDX-License-Identifier: Apache-2.0
import json
import subprocess

import numpy as np
import pytest

import tensix
from tensix import formats


def test_formats_of_the_documents():
    # Codes, names and widths as in formats-and-scalar-unit.md C.1 (docs/formats.md).
    table = {
        "Float32": (0, 32), "Float16": (1, 16), "Bfp8": (2, 8), "Bfp4": (3, 4), "Tf32": (4, 32),
        "Float16_b": (5, 16), "Bfp8_b": (6, 8), "Bfp4_b": (7, 4), "Int32": (8, 32),
        "Int16": (9, 16), "Lf8": (10, 8), "Bfp2": (11, 2), "Int8": (14, 8), "Bfp2_b": (15, 2),
        "UInt32": (24, 32), "UInt16": (25, 16), "Fp8_e4m3": (26, 8), "UInt8": (30, 8),
    }
    assert len(formats.names()) == len(table)
    for name, (code, bits) in table.items():
        found = formats.info(name)
        assert (found.code, found.bits, found.software_name) == (code, bits, name)
    assert formats.info("bf16") == formats.info("bfloat16")
    assert formats.info("bfp8_b").block and not formats.info("bf16").block
    assert formats.info("fp8_e4m3").chips == ("blackhole",)


def bf16_nearest(x):
    """To nearest even, by integers."""
    word = x.view(np.uint32).astype(np.uint64)
    return ((word + 0x7FFF + (word >> 16 & 1)) >> 16).astype(np.uint16)


def test_bf16_by_both_routes(rng):
    x = rng.standard_normal(5000).astype(np.float32)
    x[:2] = np.array([0x3F808000, 0x3F818000], np.uint32).view(np.float32)  # ties
    assert np.array_equal(formats.convert(x, "bf16"), bf16_nearest(x))
    # The packer, from FP32 in Dst: nearest, ties away (formats-and-scalar-unit.md C.7).
    away = ((x.view(np.uint32) + 0x8000) >> 16).astype(np.uint16)
    assert np.array_equal(formats.convert(x, "bf16", route="tensix"), away)
    # Named routes: the unpacker truncates.
    cut = (x.view(np.uint32) >> 16).astype(np.uint16)
    assert np.array_equal(formats.apply("unpack.fp32_bf16", x), cut)
    assert np.array_equal(formats.apply("host.fp32_bf16", x), bf16_nearest(x))
    wide = (cut.astype(np.uint32) << 16).view(np.float32)
    for route in "host", "tensix":
        back = formats.convert(cut, "fp32", "bf16", route=route)
        assert back.dtype == np.float32 and np.array_equal(back, wide)


def test_fp16_is_tensixs():
    # Exponent 31 is an ordinary binade: 7C00 is 65536, 7FFF is 131008 (C.1, F-12).
    payload = np.array([0x3C00, 0xC000, 0x7C00, 0x7FFF], np.uint16)
    assert formats.convert(payload, "fp32", "fp16").tolist() == [1, -2, 65536, 131008]
    back = formats.convert(np.array([65536, 1e9, -np.inf], np.float32), "fp16")
    assert back.tolist() == [0x7C00, 0x7FFF, 0xFFFF]
    x = np.linspace(-100, 100, 3001, dtype=np.float32)
    assert np.array_equal(formats.convert(x, "fp16"), x.astype(np.float16).view(np.uint16))


def test_fp8():
    # E5M2: bias 15, E4M3: bias 7, one is 3C and 38.
    x = np.array([1, -1, 1.5, 0.5], np.float32)
    assert formats.convert(x, "fp8_e5m2").tolist() == [0x3C, 0xBC, 0x3E, 0x38]
    assert formats.convert(x, "fp8_e4m3").tolist() == [0x38, 0xB8, 0x3C, 0x30]
    for name in "fp8_e5m2", "fp8_e4m3":
        assert formats.convert(formats.convert(x, name), "fp32", name).tolist() == x.tolist()


@pytest.mark.parametrize("name, dtype", [
    ("int32", np.int32), ("int16", np.int16), ("int8", np.int8), ("uint32", np.uint32),
    ("uint16", np.uint16), ("uint8", np.uint8),
])
@pytest.mark.parametrize("route", ["host", "tensix"])
def test_integers(name, dtype, route):
    signed = dtype in (np.int32, np.int16, np.int8)
    x = np.arange(-120 if signed else 0, 121, dtype=np.int32).reshape(-1, 1)
    y = formats.convert(x, name, route=route)
    assert y.dtype == dtype and np.array_equal(y, x)
    back = formats.convert(y, "int32" if signed else "uint32", name, route=route)
    assert np.array_equal(back, x)


def bfp_nearest(x, bits):
    """tt-metal's host packer, restated: shared exponent, to nearest even, clamped."""
    out = np.empty_like(x, dtype=np.float64)
    for i in range(0, x.size, 16):
        group = x[i : i + 16].astype(np.float64)
        unit = 2.0 ** (np.frexp(np.abs(group).max())[1] - bits)
        whole = np.clip(np.rint(np.abs(group) / unit), 0, 2**bits - 1)
        out[i : i + 16] = np.copysign(whole * unit, group)
    return out


@pytest.mark.parametrize("name, bits", [("bfp8_b", 7), ("bfp4_b", 3), ("bfp2_b", 1)])
def test_blocks(rng, name, bits):
    x = rng.uniform(0.5, 1, (32, 32)).astype(np.float32) * rng.choice([-1, 1], (32, 32))
    x = x.astype(np.float32)
    got = formats.quantize(x, name)
    # 16 data of a face's row share an exponent: 16 consecutive columns.
    assert np.array_equal(got.reshape(-1), bfp_nearest(x.reshape(-1), bits))
    data = formats.convert(x, name)
    assert data.shape == (1, {7: 1088, 3: 576, 1: 320}[bits])  # bytes of a tile, C.4
    assert np.array_equal(formats.convert(data, "fp32", name, shape=(32, 32)), got)


def test_tiles_in_l1():
    x = np.arange(32 * 32, dtype=np.float32).reshape(32, 32)
    data = formats.encode(x, "fp32").view(np.float32)[0]
    faces = [x[:16, :16], x[:16, 16:], x[16:, :16], x[16:, 16:]]
    assert np.array_equal(data, np.concatenate([face.reshape(-1) for face in faces]))
    assert np.array_equal(formats.decode(data.view(np.uint8), "fp32", (32, 32)), x)
    odd = np.arange(3 * 40 * 33, dtype=np.float32).reshape(3, 40, 33)
    tiles = formats.encode(odd, "bf16", tile=(16, 32))
    assert tiles.shape == (3 * 3 * 2, 16 * 32 * 2)
    back = formats.decode(tiles, "bf16", odd.shape, tile=(16, 32))
    assert np.array_equal(back.view(np.uint32) >> 16, bf16_nearest(odd.reshape(-1)).reshape(
        odd.shape))


def test_forced_shared_exponent():
    # Sign and seven magnitude bits, the first of them worth 2^(130 - 127); -0 reads as -inf.
    data = np.zeros(16, np.uint8)
    data[:4] = 0x40, 0x60, 0xC1, 0x80
    got = formats.decode(data, "bfp8_b", (1, 16), route="tensix", tile=(1, 16), shared_exp=130)
    assert got[0, :4].tolist() == [8, 12, -8.125, -np.inf] and not got[0, 4:].any()
    for route, name in (("host", "bfp8_b"), ("tensix", "bf16")):
        with pytest.raises(ValueError, match="shared_exp: the unpacker"):
            formats.decode(data, name, (1, 16), route=route, tile=(1, 16), shared_exp=130)
    with pytest.raises(ValueError, match="shared_exp: 256"):
        formats.decode(data, "bfp8_b", (1, 16), route="tensix", tile=(1, 16), shared_exp=256)


def test_sign_and_magnitude():
    x = np.array([[5, -5]], np.int32)
    assert formats.encode(x, "int8", tile=(1, 16))[0, :2].tolist() == [5, 0x85]
    twos = formats.encode(x, "int8", tile=(1, 16), twos_complement=True)
    assert twos[0, :2].tolist() == [5, 0xFB]
    assert formats.decode(twos, "int8", (1, 2), tile=(1, 16), twos_complement=True).tolist() == [
        [5, -5]]


def test_same_as_the_command(command, rng, tmp_path):
    x = rng.standard_normal((64, 96)).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    for name in "bfp8_b", "bfp4_a", "float16_b", "fp8_e5m2":
        for arch in "bh", "wh":
            subprocess.run(
                [command, "convert", "--arch", arch, tmp_path / "x.npy",
                 f"{tmp_path}/y.tile:{name}"], check=True, stdout=subprocess.DEVNULL)
            written = np.fromfile(tmp_path / "y.tile", np.uint8)
            got = formats.encode(x, name, arch=arch, route="tensix")
            assert np.array_equal(got.reshape(-1), written), (name, arch)


def test_conversions_are_those_of_the_file(root):
    import re

    text = (root / "include" / "tensix" / "formats.h").read_text()
    listed = re.search(r"enum tx_conversion \{(.*?)TX_CONVERSION_COUNT", text, re.S).group(1)
    listed = re.sub(r"/\*.*?\*/", "", listed, flags=re.S)
    count = len(re.findall(r"TX_\w+", listed))
    found = formats.conversions()
    assert len(found) == count and len({c.name for c in found}) == count
    assert all(c.rule and c.evidence and c.chips for c in found)
    for c in found:
        out = formats.apply(c.name, np.zeros(3, formats._unsigned(c.in_bits)), c.chips[-1])
        assert out.dtype == formats._unsigned(c.out_bits)
    json.dumps([c._asdict() for c in found])


def test_shapes():
    for shape in (), (0,), (1,), (3, 5), (2, 0, 3):
        x = np.ones(shape, np.float32)
        y = formats.convert(x, "bf16")
        assert y.shape == shape and (y == 0x3F80).all()
        assert formats.convert(y, "fp32", "bf16").shape == shape


ONES = np.ones((4, 4), np.float32)


@pytest.mark.parametrize("call, message", [
    (lambda: formats.convert(ONES, "fp99"), "to: 'fp99' is no format"),
    (lambda: formats.convert(ONES, "fp8"), "to: 'fp8' is ambiguous"),
    (lambda: formats.convert(ONES, "bfp8"), "'bfp8' is ambiguous"),
    (lambda: formats.convert(ONES, 5), "to: 5"),
    (lambda: formats.convert(ONES, "int8"), "only the SFPU converts"),
    (lambda: formats.convert(ONES, "bf16", "bf16"), "dtype float32, but float16_b has uint16"),
    (lambda: formats.convert(ONES, "bf16", route="air"), "route: 'air'"),
    (lambda: formats.convert(ONES, "bf16", arch="x"), "'x' is no chip"),
    (lambda: formats.convert(ONES, "bfp8_b", tile=(3, 3)), "tile: 3x3"),
    (lambda: formats.convert(ONES, "bfp8_b", tile=(288, 32)), "tile: 288 is outside"),
    (lambda: formats.convert(np.zeros(10, np.uint8), "fp32", "bfp8_b"), "shape: tiles"),
    (lambda: formats.decode(np.zeros(10, np.uint8), "bf16", (32, 32)), "data: 2048 bytes"),
    (lambda: formats.decode(np.zeros(10, np.uint8), "bf16", (-1,)), "shape: -1 is outside"),
    (lambda: formats.decode(ONES, "bf16", (32, 32)), "data: 2048 bytes"),
    (lambda: formats.encode(ONES.astype(int), "bf16"), "floats are wanted"),
    (lambda: formats.encode(np.array([1 << 40]), "int32"), "does not fit into 32 bits"),
    (lambda: formats.encode(ONES, "bf16", dst="int32", route="tensix"), "route: none"),
    (lambda: formats.apply("nothing", ONES), "there is no 'nothing'"),
    (lambda: formats.apply("host.bf16_fp32", ONES), "takes uint16"),
    (lambda: formats.apply("host.fp32_bf16", ONES, None), "does not exist on None"),
])
def test_refusals(call, message):
    with pytest.raises((TypeError, ValueError, tensix.TensixError), match=message):
        call()
