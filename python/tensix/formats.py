# SPDX-License-Identifier: Apache-2.0
"""Numeric formats, tiles as they lie in L1, and every conversion under the name of its route.

Numbers are float32, or int32 (uint32). A payload is an array of a format's own bit patterns:

    fp32 tf32                     float32
    fp16 bf16                     uint16; fp16 is Tensix's, whose exponent 31 is an ordinary binade
    fp8_e5m2 fp8_e4m3             uint8
    int32 int16 int8 uint..       the numpy type of that name, as numbers
    bfp8_b bfp4_b bfp2_b, ..._a   uint8 [tiles, bytes]: whole tiles, as they share exponents
"""

from __future__ import annotations

import ctypes
from ctypes import byref, c_char_p, c_int, c_uint64, sizeof
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _abi
from ._abi import lib, text
from .arrays import take
from .errors import UnsupportedError, raise_status
from .program import arch_number, integer

_ROUTES = {"host": 0, "tensix": 1}
_FORMATS = _abi.values("tx_format")
_FP32, _INT32, _LIMIT = (_FORMATS[name] for name in ("FP32", "INT32", "LIMIT"))
_SOURCES = {"float32": "fp32", "float16": "fp32", "float64": "fp32", "int64": "int32"}


class FormatInfo(NamedTuple):
    """What a format is."""

    name: str
    isa_name: str
    software_name: str
    code: int
    bits: int
    """Of a datum in L1."""
    exponent_bits: int
    mantissa_bits: int
    block: bool
    integer: bool
    signed: bool
    chips: Tuple[str, ...]


class Conversion(NamedTuple):
    """A documented route of a single datum."""

    name: str
    rule: str
    evidence: str
    in_bits: int
    out_bits: int
    chips: Tuple[str, ...]
    differs: bool
    """The result depends on the chip."""


def _chips(mask: int) -> Tuple[str, ...]:
    return tuple(
        text(lib.tx_arch_name(arch)) for arch in (_abi.WORMHOLE, _abi.BLACKHOLE)
        if mask >> arch & 1
    )


def _format(name: Any, what: str) -> int:
    out = c_int(0)
    if not isinstance(name, str):
        raise TypeError(f"{what}: {name!r} is no text")
    status = lib.tx_format_parse(name.encode("utf-8", "replace"), byref(out))
    if status == _abi.EPARSE:
        raise ValueError(f"{what}: {name!r} is ambiguous; say bfp8_a or bfp8_b, fp8_e5m2 ...")
    if status != _abi.OK:
        raise ValueError(f"{what}: {name!r} is no format; there are {', '.join(names())}")
    return out.value


def _info(number: int) -> FormatInfo:
    i = lib.tx_format_info(number).contents
    return FormatInfo(
        text(i.name), text(i.isa_name), text(i.software_name), number, i.bits, i.exponent_bits,
        i.mantissa_bits, bool(i.block), bool(i.integer), bool(i.has_sign), _chips(i.chips),
    )


def names() -> List[str]:
    """Every format, by the library's name for it."""
    return [_info(n).name for n in range(_LIMIT) if lib.tx_format_info(n)]


def info(name: str) -> FormatInfo:
    """A format by any spelling in use: bf16, Float16_b, bfloat16, Bfp8_b ..."""
    return _info(_format(name, "format"))


def conversions() -> List[Conversion]:
    """Every named route: unpack.fp32_bf16, pack.early.fp32_bf16, host.fp32_bf16 ..."""
    found: List[Conversion] = []
    while lib.tx_conversion_info(len(found)):
        i = lib.tx_conversion_info(len(found)).contents
        found.append(Conversion(
            text(i.name), text(i.rule), text(i.evidence), i.in_bits, i.out_bits, _chips(i.chips),
            bool(i.differs),
        ))
    return found


def _unsigned(bits: int) -> Any:
    return np.dtype(np.uint8 if bits <= 8 else np.uint16 if bits <= 16 else np.uint32)


def apply(conversion: str, values: Any, arch: str = "blackhole") -> np.ndarray:
    """A named route over an array of bit patterns, unsigned of the smallest size that holds them.

    float32 is taken as its patterns.
    """
    number = c_int(0)
    name = str(conversion).encode("utf-8", "replace")
    if lib.tx_conversion_parse(name, byref(number)) != _abi.OK:
        raise ValueError(f"conversion: there is no {conversion!r}; conversions() lists them")
    i = lib.tx_conversion_info(number).contents
    array = take(values, "values").array
    if array.dtype == np.float32:
        array = array.view(np.uint32)
    wanted = _unsigned(i.in_bits)
    if array.dtype != wanted:
        raise TypeError(f"values: dtype {array.dtype}, but {conversion} takes {wanted}")
    out = np.empty(array.shape, _unsigned(i.out_bits))
    chip = arch_number(arch)
    status = lib.tx_convert_array(
        number, chip, array.ctypes.data, array.size, out.ctypes.data
    )
    if status != _abi.OK:
        raise ValueError(f"conversion: {conversion} does not exist on {arch}")
    return out


# ---- tiles and arrays ----


def _tile(tile: Sequence[int]) -> Any:
    try:
        rows, columns = (integer(side, "tile", 0, 255) for side in tile)
    except TypeError:
        raise TypeError(f"tile: {tile!r} is no pair of rows and columns") from None
    out = _abi.tx_tile(rows, columns, False, False)
    if not lib.tx_tile_ok(byref(out)):
        raise ValueError(
            f"tile: {rows}x{columns} is none: 1, 2, 4, 8, 16 or 32 rows, 16 or 32 columns"
        )
    return out


def _grid(shape: Sequence[int], tile: Any) -> Any:
    try:
        sides = [integer(side, "shape", 0, 2**63 - 1) for side in shape] or [1]
    except TypeError:
        raise TypeError(f"shape: {shape!r} is no tuple of integers") from None
    grid = _abi.tx_grid()
    dims = (c_uint64 * len(sides))(*sides)
    status = lib.tx_grid_of(byref(tile), dims, len(sides), byref(grid))
    if status != _abi.OK:
        raise_status(status, f"shape: {tuple(sides)}")
    return grid


def _codec(route: str, arch: Any, number: int, dst: int, encode: bool) -> Any:
    if route not in _ROUTES:
        raise ValueError(f"route: {route!r} is none of host, tensix")
    codec = _abi.tx_codec()
    reason = c_char_p()
    chip = arch_number(arch) or _abi.BLACKHOLE
    status = lib.tx_codec_default(
        _ROUTES[route], chip, number, dst, byref(codec), byref(reason)
    )
    if status == _abi.OK:
        status = lib.tx_codec_check(byref(codec), encode, byref(reason))
    if status != _abi.OK:
        way = (dst, number) if encode else (number, dst)
        first, second = (_info(n).name for n in way)
        raise UnsupportedError(
            f"route: none {first} -> {second} on {arch}: {text(reason.value)}"
        )
    return codec


def _encode(words: np.ndarray, codec: Any, grid: Any, number: int) -> np.ndarray:
    layout = _abi.tx_tile_layout()
    lib.tx_tile_layout_sized(byref(grid.tile), number, byref(layout), sizeof(layout))
    out = np.empty((grid.tiles, layout.bytes), np.uint8)
    status = lib.tx_array_encode(
        byref(codec), byref(grid), words.ctypes.data, 0, grid.tiles, out.ctypes.data
    )
    if status != _abi.OK:
        raise_status(status, "encode")
    return out


def _decode(data: np.ndarray, codec: Any, grid: Any) -> np.ndarray:
    words = np.empty(grid.elements, np.uint32)
    status = lib.tx_array_decode(
        byref(codec), byref(grid), data.ctypes.data, 0, grid.tiles, words.ctypes.data
    )
    if status != _abi.OK:
        raise_status(status, "decode")
    return words


def _dst_for(number: int, dst: Optional[str]) -> int:
    """The Dst format on the way from numbers to a format, as kernels use it."""
    if dst is not None:
        return _format(dst, "dst")
    i = _info(number)
    if not i.integer:
        return _FP32
    return _INT32 if i.bits == 8 else int(lib.tx_format_in_dst(number))


def _in_dst(number: int, dst: Optional[str]) -> int:
    return _format(dst, "dst") if dst is not None else int(lib.tx_format_in_dst(number))


def _number_words(values: Any, name: str, integer: bool) -> Tuple[np.ndarray, Tuple[int, ...]]:
    array = take(values, name).array
    if integer and array.dtype.kind in "iu":
        low, high = (int(array.min()), int(array.max())) if array.size else (0, 0)
        if low < -(2**31) or high >= 2**32:
            raise ValueError(f"{name}: {low if low < 0 else high} does not fit into 32 bits")
        words = (array.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    elif not integer and array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        with np.errstate(over="ignore"):
            words = np.ascontiguousarray(array, np.float32).view(np.uint32)
    else:
        kind = "integers" if integer else "floats"
        raise TypeError(f"{name}: dtype {array.dtype}, but {kind} are wanted")
    return words, array.shape


def encode(
    values: Any, format: str, *, arch: str = "blackhole", route: str = "host",
    dst: Optional[str] = None, tile: Sequence[int] = (32, 32), twos_complement: bool = False,
) -> np.ndarray:
    """Numbers as tiles in L1: uint8 [tiles, bytes of a tile].

    route host: host code, to nearest even. tensix: into Dst (format dst) and through the packer.
    Integers become sign and magnitude, as the hardware has them, or with twos_complement as
    tt-metal's host writes them. The last two dimensions are cut into tiles, padded with zeros.
    """
    number = _format(format, "format")
    words, shape = _number_words(values, "values", _info(number).integer)
    codec = _codec(route, arch, number, _dst_for(number, dst), True)
    codec.twos_complement = bool(twos_complement)
    return _encode(words, codec, _grid(shape, _tile(tile)), number)


def decode(
    data: Any, format: str, shape: Sequence[int], *, arch: str = "blackhole",
    route: str = "host", dst: Optional[str] = None, tile: Sequence[int] = (32, 32),
    twos_complement: bool = False, shared_exp: Optional[int] = None,
) -> np.ndarray:
    """Tiles in L1 as an array of that shape: float32, or int32 (uint32).

    route tensix: through the unpacker into Dst (format dst), which may force a shared exponent on
    tiles of a block format: they have none of their own then.
    """
    number = _format(format, "format")
    array = take(data, "data").array
    grid = _grid(shape, _tile(tile))
    codec = _codec(route, arch, number, _in_dst(number, dst), False)
    codec.twos_complement = bool(twos_complement)
    if shared_exp is not None:
        if route != "tensix" or not _info(number).block:
            raise ValueError("shared_exp: the unpacker (route tensix) forces it on block formats")
        codec.unpack.force_shared_exp = True
        codec.unpack.shared_exp = integer(shared_exp, "shared_exp", 0, 255)
    layout = _abi.tx_tile_layout()
    lib.tx_unpack_layout_sized(
        byref(codec.unpack), byref(grid.tile), byref(layout), sizeof(layout)
    )
    if array.dtype != np.uint8 or array.size != grid.tiles * layout.bytes:
        raise ValueError(
            f"data: {grid.tiles * layout.bytes} bytes of uint8 are wanted for shape "
            f"{tuple(shape)}, got {array.size} of {array.dtype}"
        )
    words = _decode(array, codec, grid)
    return words.view(_value_dtype(number)).reshape(tuple(shape))


def quantize(
    values: Any, format: str, *, arch: str = "blackhole", route: str = "host",
    tile: Sequence[int] = (32, 32),
) -> np.ndarray:
    """Numbers as a format holds them: encoded by the route, read back exactly by the host."""
    array = take(values, "values").array
    data = encode(array, format, arch=arch, route=route, tile=tile)
    return decode(data, format, array.shape, tile=tile)


# ---- payloads ----


def _value_dtype(number: int) -> Any:
    i = _info(number)
    if not i.integer:
        return np.dtype(np.float32)
    return np.dtype(np.int32 if i.signed or i.bits < 32 else np.uint32)


def dtype(format: str) -> Any:
    """The numpy type of a format's payload."""
    return _payload_dtype(_format(format, "format"))


def _payload_dtype(number: int) -> Any:
    i = _info(number)
    if i.block:
        return np.dtype(np.uint8)
    if i.integer:
        return np.dtype(f"{'i' if i.signed else 'u'}{i.bits // 8}")
    return np.dtype(np.float32) if i.bits == 32 else _unsigned(i.bits)


def _flat_grid(size: int) -> Any:
    """16x16 tiles are one face, so that L1 order is the order of the array."""
    return _grid((-(-size // 16), 16), _abi.tx_tile(16, 16, False, False))


def _payload_words(
    values: Any, source: Optional[str], shape: Optional[Sequence[int]], route: str, arch: Any,
    dst: Optional[str], tile: Sequence[int],
) -> Tuple[np.ndarray, Tuple[int, ...], int]:
    """What a payload stands for, its shape, and its format."""
    taken = take(values, "values", source if source and _is_patterns(source, values) else "")
    array = taken.array
    name = source or taken.payload or _SOURCES.get(array.dtype.name, array.dtype.name)
    number = _format(name, "source")
    i = _info(number)
    if i.block:
        if shape is None:
            raise ValueError(f"shape: tiles of {i.name} do not say it")
        back = decode(array, name, shape, arch=arch, route=route, dst=dst, tile=tile)
        return back.view(np.uint32).reshape(-1), tuple(shape), number
    if source is None and not taken.payload:  # numbers
        words, found = _number_words(array, "values", i.integer)
        return words.reshape(-1), found, number
    wanted = _payload_dtype(number)
    if array.dtype != wanted:
        raise TypeError(f"values: dtype {array.dtype}, but {i.name} has {wanted}")
    codec = _codec(route, arch, number, _in_dst(number, dst), False)
    codec.twos_complement = i.integer and route == "host"
    flat = array.reshape(-1)
    if i.integer and route == "tensix" and i.signed:  # the hardware reads sign and magnitude
        flat = encode(flat.reshape(1, -1), name, tile=(1, 16)).reshape(-1).view(wanted)
    grid = _flat_grid(flat.size)
    padded = np.zeros(grid.tiles * 256, wanted)  # whole tiles, as L1 has them
    padded[: array.size] = flat[: array.size]
    return _decode(padded, codec, grid)[: array.size], array.shape, number


def _is_patterns(source: str, values: Any) -> bool:
    return info(source).name in ("float16_b", "fp8_e5m2", "fp8_e4m3") and not isinstance(
        values, np.ndarray
    )


def convert(
    values: Any, to: str, source: Optional[str] = None, *, arch: str = "blackhole",
    route: str = "host", dst: Optional[str] = None, shape: Optional[Sequence[int]] = None,
    tile: Sequence[int] = (32, 32),
) -> np.ndarray:
    """An array as the payload of another format (see the head of this module).

    source   format whose payload values is; default: numbers of its dtype, bfloat16 where the
             array says so
    route    host: to nearest even, no hardware. tensix: what the card does, through unpacker (where
             there is a source), Dst in format dst, and packer; fp32, int32, uint32 of a source are
             what Dst holds then
    shape    of the array, where the source is a block format
    """
    number = _format(to, "to")
    target = _info(number)
    words, found, origin = _payload_words(values, source, shape, route, arch, dst, tile)
    if _info(origin).integer != target.integer:
        raise TypeError(
            f"to: {_info(origin).name} -> {target.name}: between integers and floats only the "
            "SFPU converts"
        )
    if source is not None and route == "tensix":
        if target.name in ("float32", "int32", "uint32"):
            route = "host"  # what Dst holds after the unpacker are numbers already
        elif dst is None:
            dst = _info(int(lib.tx_format_in_dst(origin))).name
    codec = _codec(route, arch, number, _dst_for(number, dst), True)
    if target.block:
        return _encode(words, codec, _grid(found, _tile(tile)), number)
    codec.twos_complement = target.integer and route == "host"
    grid = _flat_grid(words.size)
    padded = np.zeros(grid.elements, np.uint32)
    padded[: words.size] = words
    data = _encode(padded, codec, grid, number)
    wanted = _payload_dtype(number)
    if target.integer and route == "tensix":  # sign and magnitude in L1
        plain = _codec("host", arch, number, number, False)
        out = _decode(data, plain, grid).astype(wanted)
    else:
        out = data.reshape(-1).view(wanted)
    return out[: words.size].reshape(found).copy()
