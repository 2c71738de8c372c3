# SPDX-License-Identifier: Apache-2.0
"""Requests of a tile, one kind a function, each with everything that tells of it."""

import zlib

import chip_model
from chip_play import U32, around, asked, at_of, channel, length_of, place, rectangle, usual


def copy(p, tile, noc):
    """A read or a write without a mask, with everything that tells of it."""
    rng = p.rng
    reads = rng.random() < .5
    i, tag, own = usual(p, tile, noc)
    other = tile if rng.random() < .15 else p.tile("TTTTEDDPA")
    n = length_of(p)
    align = rng.randrange(64) if rng.random() < .7 else 0
    far, near = place(p, other, n, align), place(p, tile, n, align)
    while other is tile and abs(far - near) < n + 128:
        near = place(p, tile, n, align)
    around(p, other, far, n, False)
    around(p, tile, near, n, False)
    to = at_of(p.name(noc, other)) | (rng.randrange(1 << 12) << 12 if rng.random() < .1 else 0)
    if reads:
        ctrl = channel(p, False) | (0x10 if rng.random() < .2 else 0)
        p.fire(tile, noc, i, ctrl=ctrl, tag=tag, targ=far, tc=to, ret=near, rc=own, length=n)
    else:
        resp = rng.random() < .7
        ctrl = 2 | channel(p, False) | (0x10 if resp else 0)
        data = 0
        if not resp and other.kind in "TE" and n >= 16 and rng.random() < .4:
            tag |= 0x200
            data = (place(p, other, 16, 0) >> 4)
            p.fill(other, data << 4, 32)
        p.fire(tile, noc, i, ctrl=ctrl, tag=tag, targ=near, tc=own, ret=far, rc=to, length=n,
               data=data)
        if data:
            p.get(other, data << 4, 32)
    around(p, other, far, n, True)
    around(p, tile, near, n, True)
    return other


REGISTERS = {"bh": {"T": 64, "E": 32}, "wh": {"T": 64, "E": 32}}


def register_of(p, tile):
    """A register that keeps what is stored, or counts."""
    index = chip_model.STREAMS[p.rng.choice(["src", "size", "start", "update"])][p.bh]
    stream = p.rng.randrange(REGISTERS[p.chip][tile.kind])
    return 0xFFB40000 + 0x1000 * stream + 4 * index


def registers(p, tile, noc):
    """Copies between a register and memory, either way, and inline writes to registers."""
    rng = p.rng
    i, tag, own = usual(p, tile, noc)
    other = tile if rng.random() < .2 else p.tile("TTE")
    to = at_of(p.name(noc, other))
    reg = register_of(p, other)
    p.word(other, reg & ~0xFFF | 4 * chip_model.STREAMS["size"][p.bh], rng.randrange(1 << 20))
    resp = 0x10 * rng.randrange(2)
    kind = rng.randrange(4)
    near = place(p, tile, 64, reg % 16)
    around(p, tile, near, 16, False)
    if kind == 0:
        n = rng.randrange(1, 5)
        source = rng.choice([reg, 0xFFB20000 + 0x10000 * rng.randrange(2) +
                             (0x44 if p.bh else 0x2C)])
        skip = rng.randrange(0, 5 - n)
        near = near & ~15 | source + skip & 15
        p.fire(tile, noc, i, ctrl=channel(p, False), tag=tag, targ=source + skip, tc=to, ret=near,
               rc=own, length=n)
    elif kind == 1:
        p.fire(tile, noc, i, ctrl=2 | channel(p, False) | resp, tag=tag, targ=near, tc=own, ret=reg,
               rc=to, length=4)
    elif kind == 2:
        p.fire(tile, noc, i, ctrl=10 | channel(p, False) | resp, tag=tag, targ=reg, tc=to,
               length=rng.randrange(1 << 32), data=rng.randrange(1 << 32))
    else:
        p.fire(tile, noc, i, ctrl=6 | channel(p, False) | resp, tag=tag, targ=near, tc=own, ret=reg,
               rc=to, length=rng.randrange(1 << 32))
    around(p, tile, near, 16, True)
    base = reg & ~0xFFF
    for name in ("src", "size", "start", "update", "available", "wr_ptr"):
        p.get(other, base + 4 * chip_model.STREAMS[name][p.bh])
    return other


def masked(p, tile, noc):
    """A write of the bytes that a mask names."""
    rng = p.rng
    unit = 64 if p.bh else 32
    i, tag, own = usual(p, tile, noc)
    other = tile if rng.random() < .15 else p.tile("TTTED")
    far, near = place(p, other, 128, 0) & ~(unit - 1), place(p, tile, 128, 0) & ~(unit - 1)
    while other is tile and abs(far - near) < 256:
        near = place(p, tile, 128, 0)
    around(p, other, far, unit, False)
    around(p, tile, near, unit, False)
    mask = rng.choice([0, 1, (1 << unit) - 1, 1 << unit - 1, rng.randrange(1 << unit),
                       0xF << 4 * rng.randrange(unit // 4)])
    source = register_of(p, tile) if rng.random() < .1 else near
    if source != near and p.m.niu_load:
        p.word(tile, source & ~0xFFF | 4 * chip_model.STREAMS["src"][p.bh], rng.randrange(1 << 24))
        source = source & ~0xFFF | 4 * chip_model.STREAMS["src"][p.bh]
    p.fire(tile, noc, i, ctrl=6 | channel(p, False) | 0x10 * rng.randrange(2), tag=tag, targ=source,
           tc=own, ret=far, rc=at_of(p.name(noc, other)), length=mask)
    around(p, other, far, unit, True)
    return other


def inline(p, tile, noc):
    """An inline write to L1, which Blackhole does as Wormhole (the model's rule)."""
    rng = p.rng
    i, tag, own = usual(p, tile, noc)
    other = tile if rng.random() < .15 else p.tile("TTE")
    far = place(p, other, 64, rng.randrange(0, 64, 4))
    around(p, other, far, 16, False)
    p.fire(tile, noc, i, ctrl=10 | channel(p, False) | 0x10 * rng.randrange(2), tag=tag, targ=far,
           tc=at_of(p.name(noc, other)), data=rng.randrange(1 << 32),
           length=rng.choice([0xF << (far & 12), rng.randrange(1 << 16), rng.randrange(1 << 32)]))
    around(p, other, far, 16, True)
    return other


def floats(p, fmt):
    """A line and data whose sums are exact."""
    def one():
        v = p.rng.randrange(-64, 65) / 4
        if fmt in (0, 8):
            return chip_model.struct.pack("<f", v)
        if fmt in (1, 9):
            return chip_model.struct.pack("<e", v)
        return chip_model.struct.pack("<f", v)[2:]
    line = b"".join(one() for _ in range(16))[:16]
    data = b"".join(one() for _ in range(2))[:4]
    return line, int.from_bytes(data, "little")


def operation(p):
    rng = p.rng
    code = rng.choice([1, 1, 1, 3, 4, 6, 7, 9, 9, 10, 10, rng.randrange(16)])
    low = rng.randrange(1 << 12)
    if code == 1 and rng.random() < .5:
        low = rng.choice([31, 15, 7, 0, 3]) << 2 | rng.randrange(4)
    if code == 6:
        low |= 4
    if code == 10:
        low = rng.choice([low | 0x800, low & ~0xF00 | 0x300, low])
    return code << 12 | low


def atomic(p, tile, noc):
    rng = p.rng
    i, tag, own = usual(p, tile, noc)
    other = tile if rng.random() < .15 else p.tile("TTE")
    far, near = place(p, other, 64, rng.randrange(0, 64, 4)), place(p, tile, 64,
                                                                     rng.randrange(0, 64, 4))
    while other is tile and abs(far - near) < 128:
        near = place(p, tile, 64, 0)
    around(p, other, far, 16, False)
    around(p, tile, near, 16, False)
    op, data = operation(p), rng.randrange(1 << 32)
    if op >> 12 == 9 and op & 15 in (0, 1, 2, 8, 9, 10):
        line, data = floats(p, op & 15)
        p.put(other, far & ~15, line)
    elif op >> 12 == 4:
        p.word(other, far & ~15 | (op & 3) << 2, op >> 2 & 15 if rng.random() < .6 else data)
    elif op >> 12 == 1 and rng.random() < .5:
        p.word(other, far & ~15 | (op & 3) << 2, rng.choice([U32, 0, 0x1F, 0x7FFFFFFF]))
        data = rng.choice([1, 0, U32, 0x10])
    resp = 0x10 if rng.random() < .8 else 0
    p.fire(tile, noc, i, ctrl=1 | channel(p, False) | resp, tag=tag, targ=far, data=data, length=op,
           tc=at_of(p.name(noc, other)), ret=near, rc=own)
    around(p, other, far, 16, True)
    if op >> 12 != 9:  # the result word of a parallel add is not told
        around(p, tile, near, 16, True)
    return other


def split(p, tile, noc):
    rng = p.rng
    i, tag, own = usual(p, tile, noc)
    other = p.tile("TTD")
    n = rng.choice([p.m.most + 1, 2 * p.m.most, p.m.most * 2 + 17, rng.randrange(1, 6 * p.m.most)])
    far = place(p, other, n, 0)
    near = rng.randrange(0x20000, 0x80000) & ~63
    while other is tile and abs(far - near) < n:  # which packet comes first is not said
        near = rng.randrange(0x20000, 0x80000) & ~63
    reads = rng.random() < .5
    p.fill(other if reads else tile, far if reads else near, n)
    to = at_of(p.name(noc, other))
    if reads:
        p.fire(tile, noc, i, ctrl=channel(p, False), tag=tag, targ=far, tc=to, ret=near, rc=own,
               length=n)
    else:
        p.fire(tile, noc, i, ctrl=2 | channel(p, False) | 0x10 * rng.randrange(2), tag=tag,
               targ=near, tc=own, ret=far, rc=to, length=n)
    p.steps.append(["S", *((tile.x, tile.y, near) if reads else (other.x, other.y, far)), n])
    data = p.m.read(tile, near, n) if reads else p.m.read(other, far, n)
    p.expect.append(f"{zlib.crc32(data):08x}")
    return other


def foreign(p, tile, noc):
    """The answer goes to a third tile, whose counters count it."""
    rng = p.rng
    i, tag, _ = usual(p, tile, noc)
    other, third = p.tile("T", (tile,)), p.tile("TE", (tile,))
    n = rng.choice([4, 64, 200])
    far, near = place(p, other, n, 0), place(p, third, n, 0)
    while third is other and abs(far - near) < n + 128:
        near = place(p, third, n, 0)
    around(p, other, far, n, False)
    around(p, third, near, n, False)
    a, b = at_of(p.name(noc, other)), at_of(p.name(noc, third))
    kind = rng.randrange(3)
    if kind == 0:
        p.fire(tile, noc, i, ctrl=channel(p, False), tag=tag, targ=far, tc=a, ret=near, rc=b,
               length=n)
    elif kind == 1:
        p.fire(tile, noc, i, ctrl=0x11 | channel(p, False), tag=tag, targ=far, tc=a, ret=near, rc=b,
               length=0x107C, data=3)
    else:
        own = place(p, tile, n, 0)
        around(p, tile, own, n, False)
        p.fire(tile, noc, i, ctrl=0x12 | channel(p, False), tag=tag, targ=own, tc=b, ret=far, rc=a,
               length=n)
    around(p, other, far, n, True)
    around(p, third, near, n, True)
    p.counters(third, noc)
    return other


def broadcast(p, tile, noc):
    rng = p.rng
    i, tag, own = usual(p, tile, noc)
    if rng.random() < .4:  # some tiles, or some columns of one, opt out
        for t in [p.tile() for _ in range(3)]:
            base = 0xFFB20000 + 0x10000 * noc
            k = rng.choice([2, 4])
            p.word(t, base + 0x100 + 4 * k, t.niu[noc].config[k] ^ 1 << rng.randrange(12))
    start, end = rectangle(p, noc, tile.niu[noc])
    at = at_of(end) | at_of(start) << 12
    kind = rng.choice(["write", "write", "inline", "atomic", "masked", "word"])
    n = rng.choice([4, 16, 64, 96, 500])
    flags = 0x20 | channel(p, True) | 0x100 * (rng.random() < .8) | 0x20000 * (rng.random() < .4)
    flags |= 0x10000 * rng.randrange(2) | 0x10 * (rng.random() < .7)
    exclude = 0
    if p.bh and rng.random() < .2:
        exclude = 1 << 22 | rng.randrange(4) << 20 | rng.randrange(12) << 8 | rng.randrange(17)
    far, near = 0x50000 + 64 * rng.randrange(64), 0x90000
    stream = 0xFFB40000 + 0x1000 * rng.randrange(64)
    reg = stream + 4 * chip_model.STREAMS["update"][p.bh]
    seen = [p.tile() for _ in range(9)]
    hit = p.m.receivers(asked(p, tile, noc, flags, exclude),
                        (p.m.translate(tile.niu[noc], *end), p.m.translate(tile.niu[noc], *start)))
    seen += [t for t in rng.sample(hit, min(4, len(hit)))]
    if any(t.kind != "T" for t in hit):
        return broadcast(p, tile, noc)
    for t in seen:
        around(p, t, far, n, False)
    around(p, tile, near, n, False)
    more = {"tag": tag, "exclude": exclude}
    if kind in ("write", "masked"):
        p.fire(tile, noc, i, ctrl=flags | (2 if kind == "write" else 6), targ=near, tc=own, ret=far,
               rc=at, length=n if kind == "write" else rng.randrange(1 << 32), **more)
    elif kind == "word":
        p.fire(tile, noc, i, ctrl=flags | 2, targ=near & ~15 | reg & 15, tc=own, ret=reg, rc=at,
               length=4, **more)
    elif kind == "inline":
        p.fire(tile, noc, i, ctrl=flags | 10, targ=reg, tc=at, length=15,
               data=rng.randrange(1 << 12) << 6, **more)
    else:
        flags = flags if len(hit) == 1 else flags & ~0x10 | 0x10 * rng.randrange(2)
        p.fire(tile, noc, i, ctrl=flags | 1, targ=far, tc=at, ret=near + 0x1000, rc=own,
               length=operation(p) & ~0xF000 | rng.choice([1, 3, 7]) << 12,
               data=rng.randrange(1 << 32), **more)
    for t in seen:
        around(p, t, far, n, True)
        p.get(t, stream + 4 * chip_model.STREAMS["available"][p.bh])
    if hit:
        p.counters(rng.choice(hit), noc, range(48, 62))
    return None


def linked(p, tile, noc):
    """Two requests of one transaction."""
    rng = p.rng
    i, tag, own = usual(p, tile, noc)
    other = p.tile("T", (tile,))
    to = at_of(p.name(noc, other))
    far, near = place(p, other, 256, 0), place(p, tile, 256, 0)
    around(p, other, far, 256, False)
    around(p, tile, near, 256, False)
    p.fire(tile, noc, i, ctrl=0x20D2, tag=tag, targ=near, tc=own, ret=far, rc=to, length=128)
    p.fire(tile, noc, rng.randrange(4), ctrl=0x2092, tag=tag, targ=near + 128, tc=own,
           ret=far + 128, rc=to, length=100)
    around(p, other, far, 256, True)
    return other


REQUESTS = {"copy": copy, "register": registers, "mask": masked, "inline": inline,
            "atomic": atomic, "split": split, "foreign": foreign, "mcast": broadcast,
            "linked": linked}
