# SPDX-License-Identifier: Apache-2.0
"""What tiles in L1 become on their way through Src, the Matrix Unit, Dst and the packer.

A statement of its own, in numpy integers, of spec/matrix-unit.md 5 and 6, spec/pack.md 5 and
spec/formats-and-scalar-unit.md C; nothing in it comes from the library. Numbers are patterns in
plain order (sign, exponent, fraction), operands of the Matrix Unit triples (sign, exponent,
fraction of ten bits), where the exponent has eight bits or, in FP16 style, five.
"""
import numpy as np

FP32, FP16, TF32, BF16, BFP8, INT32, INT8 = 0, 1, 4, 5, 6, 8, 14
NAMES = {FP32: "FP32", FP16: "FP16", TF32: "TF32", BF16: "BF16", BFP8: "BFP8_b", INT32: "INT32",
         INT8: "INT8"}

I64 = np.int64


def ints(x):
    return np.asarray(x, dtype=I64)


# ---- tiles: 32x32 elements and their order in L1 (C.4.2) ----

def faces(tile):
    """A 32x32 array as 1024 data in the order of L1: four faces of 16x16."""
    return np.asarray(tile).reshape(2, 16, 2, 16).transpose(0, 2, 1, 3).reshape(-1)


def unfaces(data):
    return np.asarray(data).reshape(2, 2, 16, 16).transpose(0, 2, 1, 3).reshape(32, 32)


# ---- L1 to operands (C.5) ----

def bfp8_to_bf16(datum, exponent):
    """X(d8, E): the leading one of the magnitude moves up; the exponent wraps."""
    datum, exponent = ints(datum), ints(exponent)
    g = datum << 1 & 0xFF
    zeros = np.full(g.shape, 8, I64)
    for bit in range(8):
        zeros = np.where(g >> bit & 1, 7 - bit, zeros)
    out = (exponent - zeros & 0xFF) << 7 | (g << zeros) & 0x7E | (datum >> 7) << 15
    return np.where(g == 0, np.where(datum >> 7, 0xFF80, 0), out)


def decode(raw, format, count=1024):
    """The patterns of count data in L1; BFP8 as BF16."""
    raw = np.frombuffer(bytes(raw), np.uint8)
    if format == BFP8:
        section = (count // 16 + 15) // 16 * 16
        exponents = np.repeat(raw[:count // 16], 16)
        return bfp8_to_bf16(raw[section:section + count], exponents)
    kind = {FP32: "<u4", INT32: "<u4", FP16: "<u2", BF16: "<u2", INT8: "u1"}[format]
    return ints(raw[:count * np.dtype(kind).itemsize].view(kind))


def operand(x, format, out=None):
    """Patterns of L1 as operands: FP32 goes in as TF32, or as BF16 where out says so."""
    x = ints(x)
    if format == FP32 and out == BF16:
        x = np.where(x >> 23 & 0xFF, x >> 16, x >> 16 & 0x8000)
        format = BF16
    if format == FP32:
        return x >> 31, x >> 23 & 0xFF, x >> 13 & 0x3FF
    if format in (BF16, BFP8):
        return x >> 15, x >> 7 & 0xFF, (x & 0x7F) << 3
    if format == FP16:
        return x >> 15, x >> 10 & 0x1F, x & 0x3FF
    if format == INT8:
        magnitude = x & 0x7F
        return x >> 7, np.where(magnitude, 16, 0), magnitude
    raise ValueError(format)


# ---- the Matrix Unit (6) ----

def floor_half(v, d):
    """FH: to nearest, ties up."""
    return (v + np.where(d > 0, I64(1) << np.maximum(d - 1, 0), 0)) >> d


def away(v, d):
    """AW: to nearest, ties away from zero."""
    return np.sign(v) * floor_half(np.abs(v), d)


class Style:
    """8-bit exponents or FP16, and the width of Dst."""

    def __init__(self, eight, wide, wormhole):
        self.eight, self.wide, self.wormhole = eight, wide, wormhole

    def offset(self, phase):
        base = -127 if self.eight else 97 if self.wide else -15
        return base - (5 if phase & 1 else 0) - (7 if phase & 2 else 0)

    def split(self, word):
        """Dst: sign, exponent, fraction of 23 bits."""
        if self.wide:
            return word >> 31, word >> 23 & 0xFF, word & 0x7FFFFF
        if self.eight:
            return word >> 15, word >> 7 & 0xFF, (word & 0x7F) << 16
        return word >> 15, word >> 10 & 0x1F, (word & 0x3FF) << 13


def product(a, b, phase, style):
    """6.1: exponent and signed product of 5 by 7 bits."""
    (sa, ea, ma), (sb, eb, mb) = a, b
    k = style.offset(phase)
    a5 = ma >> 1 & 31 if phase & 1 else 16 | ma >> 6
    b7 = (mb & 15) << 3 if phase & 2 else 64 | mb >> 4
    zero = (ea == 0) | (eb == 0)
    p = np.where(sa ^ sb, -a5 * b7, a5 * b7)
    return np.where(zero, max(k, 0), ea + eb + k), np.where(zero, 0, p)


def accumulate(terms, old, style):
    """6.3, 6.4: terms (E, M) and the old Dst, to the new one."""
    sign, ed, fraction = style.split(ints(old))
    md = np.where(ed == 0, 0, np.where(sign, -(fraction | 1 << 23), fraction | 1 << 23))
    top = ed
    for e, _ in terms:
        top = np.maximum(top, e)
    total = np.zeros(top.shape, I64)
    for e, m in terms + [(ed, md)]:
        rounded = away if m is md else floor_half
        d = top - e
        part = np.where(d >= 31, 0, rounded(m, np.minimum(d, 31)))
        total = total + (part if style.wide else rounded(part, I64(13)) << 13)
    magnitude = np.abs(total)
    n = np.maximum(np.frexp(magnitude.astype(np.float64))[1] - 1, 0).astype(I64)
    keep = 23 if style.wide else 7 if style.eight else 10
    down = np.maximum(n - keep, 0)
    kept = np.where(n > keep, floor_half(magnitude, down), magnitude << np.maximum(keep - n, 0))
    carry = kept >> (keep + 1)
    kept = np.where(carry, kept >> 1, kept)
    e = top + n - 23 + carry
    fraction = kept & ((1 << keep) - 1)
    if style.wormhole and style.wide:
        bug = total == -1
        e, fraction = np.where(bug, top + 4, e), np.where(bug, 0, fraction)
    most = 255 if style.eight or style.wide else 32
    over = e >= most
    if most == 255:
        e, fraction = np.where(over, 255, e), np.where(over, 0, fraction)
    else:
        e, fraction = np.where(over, 31, e), np.where(over, 0x3FF, fraction)
    bits = 31 if style.wide else 15
    word = (total < 0).astype(I64) << bits | e << keep | fraction
    return np.where((top <= 0) | (total == 0) | (e <= 0), 0, word)


def mvmul(old, b, a, phase, style):
    """old += b a: b of rows by 16, a of 16 by columns (7.1)."""
    left = tuple(x[:, None, :] for x in b)              # row, -, k
    right = tuple(x.T[None, :, :] for x in a)           # -, column, k
    e, p = product(right, left, phase, style)
    terms = []
    for half in (slice(0, 8), slice(8, 16)):
        top = e[:, :, half].max(axis=2)
        d = np.minimum(top[:, :, None] - e[:, :, half], 30)
        total = away(p[:, :, half], d).sum(axis=2)
        dead = top <= 0
        terms.append((np.where(dead, 0, top), np.where(dead, 0, total << 13)))
    return accumulate(terms, old, style)


def elwmul(old, a, b, phase, style):
    e, p = product(a, b, phase, style)
    dead = e <= 0
    z = max(style.offset(phase), 0)
    return accumulate([(np.where(dead, z, e), np.where(dead, 0, p << 13))], old, style)


def elwadd(a, b, style, subtract=False, old=None):
    """7.3: old None replaces Dst."""
    (sa, ea, ma), (sb, eb, mb) = a, b
    if subtract:
        sb = 1 - sb
    shape = np.broadcast(ea, eb).shape
    ea, ma, eb, mb, sa, sb = (np.broadcast_to(x, shape) for x in (ea, ma, eb, mb, sa, sb))
    fa = np.where(ea, ea << 10 | ma, 0)
    fb = np.where(eb, eb << 10 | mb, 0)
    swap = fb > fa
    big, small = np.where(swap, fb, fa), np.where(swap, fa, fb)
    sbig, ssmall = np.where(swap, sb, sa), np.where(swap, sa, sb)
    e, es = big >> 10, small >> 10
    mbig = np.where(e, 1024 | big & 0x3FF, 0)
    msmall = np.where(es, 1024 | small & 0x3FF, 0)
    d = e - es
    msmall = np.where(d < 12, away(msmall, np.minimum(d, 12)), 0)
    total = np.where(sbig, -mbig, mbig) + np.where(ssmall, -msmall, msmall)
    if style.wide and not style.eight:
        e = np.where(e, e + 112, 97)
    return accumulate([(e, total << 13)], 0 if old is None else old, style)


def int8_value(x, mask):
    s, e, m = x
    return np.where(e, np.where(s, -(m & mask), m & mask), 0)


def sm32(value):
    """Sign and magnitude, saturated; zero is +0."""
    value = np.clip(ints(value), -(2**31 - 1), 2**31 - 1)
    return np.where(value < 0, 1 << 31 | -value, value)


def from_sm32(word):
    word = ints(word)
    return np.where(word >> 31, -(word & 0x7FFFFFFF), word & 0x7FFFFFFF)


def int_masks(phase):
    """7.4: which magnitude bits of SrcA and SrcB a phase multiplies."""
    return 0x1F if phase & 1 else 0xE0, 0x0F if phase & 2 else 0x3F0


def int_mvmul(old, b, a, phase):
    ka, kb = int_masks(phase)
    return sm32(from_sm32(old) + int8_value(b, kb) @ int8_value(a, ka))


def int_elwmul(old, a, b, phase):
    ka, kb = int_masks(phase)
    return sm32(from_sm32(old) + int8_value(a, ka) * int8_value(b, kb))


def int_elwadd(a, b, subtract=False):
    vb = int8_value(b, 0x3FF)
    return sm32(int8_value(a, 0x3FF) + (-vb if subtract else vb))


def gmpool(column, style, old=None):
    """7.5 with a scale of one: the largest of SrcA's rows, of each column.

    Sign-magnitude order, exponent 0 is +0; in Dst of 32 bits ten bits of fraction stay. FP16 in Dst
    of 32 bits is not described (M10).
    """
    s, e, m = column
    key = np.where(e == 0, 0, np.where(s, -(e << 10 | m), e << 10 | m)).max(axis=0)
    if old is not None:
        so, eo, fo = style.split(ints(old))
        before = np.where(so, -(eo << 10 | fo >> 13), eo << 10 | fo >> 13)
        key = np.maximum(key, before)
    magnitude = np.abs(key)
    sign = (key < 0).astype(I64)
    if style.wide:
        return sign << 31 | magnitude << 13
    return sign << 15 | magnitude >> (3 if style.eight else 0)


def int_gmpool(column, old=None):
    value = int8_value(column, 0x3FF).max(axis=0)
    return sm32(value if old is None else np.maximum(value, from_sm32(old)))


# ---- Src and Dst (7.6) ----

def to_dst(x, style):
    """MOVA2D, MOVB2D: an operand whose exponent is 0 becomes zero."""
    s, e, m = x
    if style.wide:
        word = s << 31 | e << 23 | m << 13
    elif style.eight:
        word = s << 15 | e << 7 | m >> 3
    else:
        word = s << 15 | e << 10 | m
    return np.where(e == 0, 0, word)


def to_src(word, style, tf32=False):
    """MOVD2A, MOVD2B: truncation, no flush."""
    s, e, f = style.split(ints(word))
    return s, e, f >> 13 if tf32 or not style.eight else f >> 16 << 3


# ---- the packer (C.8, pack.md 5) ----

def nearest_away(v, k):
    """RND(k): NaN to Inf, ties away, then exponent 0 to +0."""
    v = ints(v)
    t = (v + (1 << (k - 1))) >> k
    t = np.where(v & 0x7F800000 == 0x7F800000, (v & 0xFF800000) >> k, t)
    return np.where(t >> (23 - k) & 0xFF, t, 0)


def bf16_in_dst(x):
    """Early, BF16 to BF16: NaN to Inf, exponent 0 to +0."""
    x = ints(x)
    x = np.where(x & 0x7F80 == 0x7F80, x & 0xFF80, x)
    return np.where(x & 0x7F80, x, 0)


def relu(x, mode, threshold, eight=True):
    """C.8.3 on 16-bit patterns."""
    x = ints(x)
    if mode == 0:
        return x
    x = np.where(x >> 15, 0, x)
    if mode == 2:
        return np.where(x > threshold, x, 0)
    return np.minimum(x, threshold) if mode == 3 else x


def assemble_bfp8(x):
    """C.8.5: sixteen BF16 patterns to an exponent and sign with seven bits; ties away."""
    groups = ints(x).reshape(-1, 16)
    e = groups >> 7 & 0xFF
    shared = e.max(axis=1)
    m = np.where(e, 128, 0) | groups & 0x7F
    d = np.minimum(shared[:, None] - e, 8)
    q = np.where(d >= 8, 0, np.minimum((m + (1 << d)) >> (d + 1), 127))
    return shared, np.where(q, (groups >> 15) << 7 | q, 0).reshape(-1)


def int8_out(word):
    """C.8.6: sign kept, magnitude up to 127."""
    word = ints(word)
    return word >> 31 << 7 | np.minimum(word & 0x7FFFFFFF, 127)


def early(word, wide, source):
    """Dst to what the packer works on: source is In_data_format and the intermediate format."""
    word = ints(word)
    if source in (FP32, INT32):
        return word
    if source == BF16:
        return nearest_away(word, 16) if wide else bf16_in_dst(word)
    if source == BFP8:                          # E8M6: six bits of fraction
        if wide:
            t = np.where(word & 0x7F800000 == 0x7F800000, word >> 16 & 0xFF80,
                         (word >> 16) + 1 & ~1)
            return np.where(t & 0x7F80, t, 0)
        return bf16_in_dst(word) + 1 & ~1
    if source == FP16 and not wide:
        return np.where(word & 0x7C00, word, 0)
    if source == INT8 and wide:
        return int8_out(word)
    raise ValueError((wide, source))


def fp32_to_fp16(x):
    x = ints(x)
    e = (x >> 23 & 0xFF) - 112
    s = x >> 31 << 15
    return np.where(e < 0, s, np.where(e > 31, s | 0x7FFF, s | (e & 31) << 10 | x >> 13 & 0x3FF))


def late(x, source, target):
    """C.8.4, as far as recipes go; BFP8 still as BF16."""
    x = ints(x)
    if target == source or (target == BFP8 and source == BF16):
        return x
    if source == FP32 and target in (BF16, BFP8):
        x = x >> 16
        return np.where(x & 0x7F80, x, 0)
    if source == FP32 and target == FP16:
        return fp32_to_fp16(x)
    if source == BF16 and target == FP32:
        return x << 16
    if source == BF16 and target == FP16:
        return fp32_to_fp16(x << 16)
    if source == FP16 and target in (BF16, BFP8):
        return np.where(x & 0x7C00, x >> 15 << 15 | ((x >> 10 & 31) + 112) << 7 | x >> 3 & 0x7F, 0)
    if source == FP16 and target == FP32:
        e = x >> 10 & 31
        return x >> 15 << 31 | np.where(e, e + 112, 0) << 23 | (x & 0x3FF) << 13
    raise ValueError((source, target))


def encode(x, target):
    """Data in the order of L1 as bytes: a whole tile, exponents first."""
    if target == BFP8:
        exponents, data = assemble_bfp8(x)
        head = exponents.astype(np.uint8).tobytes()
        return head + bytes(-len(head) % 16) + data.astype(np.uint8).tobytes()
    kind = {FP32: "<u4", INT32: "<u4", FP16: "<u2", BF16: "<u2", INT8: "u1"}[target]
    return ints(x).astype(kind).tobytes()


def pack(dst, wide, source, target):
    """1024 data of Dst, in the order of faces, as a tile in L1."""
    return encode(late(early(dst, wide, source), source, target), target)


def l1_add(old, new, format):
    """pack.md 5.9 and C.8.7 for ordinary BF16, FP32 and INT32: operands and sums that are normal
    numbers or zero."""
    if format == INT32:
        return sm32(from_sm32(old) + from_sm32(new))
    shift = 16 if format == BF16 else 0
    a = (ints(old) << shift).astype(np.uint32).view(np.float32)
    b = (ints(new) << shift).astype(np.uint32).view(np.float32)
    if format == FP32:
        return ints((a + b).view(np.uint32))
    total = a.astype(np.float64) + b.astype(np.float64)     # exact: exponents are near each other
    word = ints(total.astype(np.float32).view(np.uint32))
    assert (total.astype(np.float32) == total).all()
    return (word + 0x7FFF + (word >> 16 & 1)) >> 16         # ties to even


# ---- whole tiles ----

def matmul(a, b, phases, style):
    """C = A B of square matrices of operands, as the examples walk them: of each face of C, for
    each sixteen columns of A, phase after phase. Faces do not touch. Patterns of Dst."""
    n = a[0].shape[0]
    c = np.zeros((n, n), I64)
    for k in range(0, n, 16):
        for phase in phases:
            c = mvmul(c, tuple(x[:, k:k + 16] for x in a), tuple(x[k:k + 16] for x in b), phase,
                      style)
    return c


def broadcast(x, which):
    """0 all, 1 the first column, 2 the first row, 3 the first element, of a 32x32 operand."""
    if which == 1:
        return tuple(np.repeat(p[:, :1], p.shape[1], axis=1) for p in x)
    if which == 2:
        return tuple(np.repeat(p[:1, :], p.shape[0], axis=0) for p in x)
    if which == 3:
        return tuple(np.broadcast_to(p[:1, :1], p.shape) for p in x)
    return x


def number(x, format):
    """Patterns as float64."""
    x = ints(x)
    if format == INT32:
        return from_sm32(x).astype(np.float64)
    if format == INT8:
        return np.where(x >> 7, -(x & 0x7F), x & 0x7F).astype(np.float64)
    if format == FP16:
        e = x >> 10 & 31
        value = np.where(e, np.ldexp(1.0 + (x & 0x3FF) / 1024.0, e - 15), 0.0)
        return np.where(x >> 15, -value, value)
    shift = 0 if format == FP32 else 16
    return (x << shift).astype(np.uint32).view(np.float32).astype(np.float64)
