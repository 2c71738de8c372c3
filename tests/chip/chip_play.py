# SPDX-License-Identifier: Apache-2.0
"""A vector in the making: steps, what they give, and the model that says so; places and names."""

import chip_model

U32 = chip_model.MASK32


def pattern(n, seed):
    v = (seed * 2654435761 + 12345) & U32
    out = bytearray()
    while len(out) < n:
        v = (v * 1664525 + 1013904223) & U32
        out += (v ^ v >> 16).to_bytes(4, "little")
    return bytes(out[:n])


class Play:
    """Steps, what they give, and the model that says so."""

    def __init__(self, chip, rng):
        self.m, self.rng, self.steps, self.expect = chip_model.Chip(chip), rng, [], []
        self.bh, self.chip, self.seed = chip == "bh", chip, 0

    def tiles(self, kinds):
        return [t for t in self.m.at.values() if t.kind in kinds]

    def tile(self, kinds="T", but=()):
        return self.rng.choice([t for t in self.tiles(kinds) if t not in but])

    def put(self, tile, at, data):
        self.steps.append(["W", tile.x, tile.y, at, data.hex()])
        self.m.write(tile, at, data)

    def word(self, tile, at, value):
        self.put(tile, at, (value & U32).to_bytes(4, "little"))

    def fill(self, tile, at, n):
        self.seed += 1
        seed = self.seed * 7919 + self.rng.randrange(1 << 16)
        self.steps.append(["F", tile.x, tile.y, at, n, seed])
        self.m.write(tile, at, pattern(n, seed))

    def get(self, tile, at, n=4):
        self.steps.append(["R", tile.x, tile.y, at, n])
        self.expect.append(self.m.read(tile, at, n).hex())

    def bar(self, bar, at, value, n=4):
        self.steps.append(["B", bar, at, (value & (1 << 8 * n) - 1).to_bytes(n, "little").hex()])

    def bar_get(self, bar, at, value, n=4):
        self.steps.append(["b", bar, at, n])
        self.expect.append(value.to_bytes(n, "little").hex())

    def rest(self):
        self.steps.append(["C", 3000])

    def counters(self, tile, noc, some=None):
        base = 0xFFB20000 + 0x10000 * noc + 0x200
        for k in range(62) if some is None else some:
            self.get(tile, base + 4 * k)

    # ---- requests ----

    def name(self, noc, tile):
        """Coordinates by which a NIU of that NoC names a tile: any that translation allows."""
        niu = self.via.niu[noc]
        raw = self.m.mirror(noc, tile.x, tile.y)
        names = [(x, y) for x in range(32) for y in range(32)
                 if self.m.translate(niu, x, y) == raw]
        return self.rng.choice(names)

    def fire(self, tile, noc, i, **f):
        """Sets up an initiator in any order of its fields, and starts it."""
        base = 0xFFB20000 + 0x10000 * noc + self.m.step * i
        tc, rc = f.pop("tc", 0), f.pop("rc", 0)
        words = {0x1C: f["ctrl"], 0x18: f.get("tag", 0)}
        targ, ret = f.get("targ", 0), f.get("ret", 0)
        length = f.get("length", 0)
        words[0x0], words[0xC], words[0x20] = targ & U32, ret & U32, length & U32
        if self.bh:
            words.update({0x4: targ >> 32, 0x8: tc, 0x10: ret >> 32, 0x14: rc, 0x24: length >> 32,
                          0x28: f.get("data", 0), 0x2C: f.get("exclude", 0)})
        else:
            words.update({0x4: targ >> 32 | tc << 4, 0x10: ret >> 32 | rc << 4,
                          0x24: f.get("data", 0)})
        order = list(words)
        self.rng.shuffle(order)
        for o in order:
            old = self.m.niu_load(tile, noc, self.m.step * i + o)
            if words[o] or old or self.rng.random() < .1:
                self.word(tile, base + o, words[o])
        self.word(tile, base + self.m.cmd, 1)
        self.rest()

    via = None


def at_of(pair):
    return pair[0] | pair[1] << 6


BIG = {"T": 0x10000, "E": 0x10000, "D": 0x100000, "P": 0x20000, "A": 0x10003000}


def place(p, tile, n, align, kinds_l1=(0x4000, 0x60000)):
    """An address in a tile's memory with that remainder of 64."""
    base = BIG[tile.kind] + p.rng.randrange(0, 0x1000) * 64
    if tile.kind in "TE":
        size = chip_model.L1[p.chip][tile.kind]
        base = p.rng.randrange(0x10000 if tile.kind == "T" else 0x8000, size - n - 256) & ~63
        if tile.kind == "E":
            base = 0x20000 + p.rng.randrange(0x400) * 64
    elif tile.kind == "A":
        base = 0x10008000 + p.rng.randrange(0x100) * 64
        base += 0 if p.bh else 0x800000000
    elif tile.kind == "P":
        base += 0x1000000000000000 if p.bh else 0x800000000
    return base + align


def around(p, tile, at, n, read):
    """Fills, or reads, what lies around a place; of the host through its own memory."""
    first, size = at - 32, n + 64
    if tile.kind == "P":
        offset = first - (0x1000000000000000 if p.bh else 0x800000000)
        if read:
            p.steps.append(["h", offset, size])
            p.expect.append(p.m.host.read(offset, size).hex())
        else:
            data = pattern(size, p.rng.randrange(1 << 16))
            p.steps.append(["H", offset, data.hex()])
            p.m.host.write(offset, data)
    elif read:
        p.get(tile, first, size)
    else:
        p.fill(tile, first, size)


def usual(p, tile, noc):
    p.via = tile
    return p.rng.randrange(4), p.rng.randrange(16) << 10, at_of(p.name(noc, tile))


def channel(p, many):
    if p.rng.random() < .3:
        return 0
    return 0x80 | (p.rng.choice([4, 5]) if many else p.rng.randrange(4)) << 13


def length_of(p):
    return p.rng.choice([1, 3, 4, 16, 31, 32, 33, 63, 64, 65, 100, 512, 1000, 2048, 4096,
                         p.rng.randrange(1, 3000)])


def rectangle(p, noc, niu):
    rng = p.rng
    if rng.random() < .2:
        return tuple((rng.randrange(32), rng.randrange(32)) for _ in range(2))
    a, b = p.tile(), p.tile()
    if rng.random() < .6:
        a = p.m.at[min(a.x, b.x), min(a.y, b.y)] if noc == 0 else p.m.at[max(a.x, b.x),
                                                                         max(a.y, b.y)]
    return p.name(noc, a), p.name(noc, b)


def asked(p, tile, noc, ctrl, exclude):
    r = chip_model.Request()
    r.tile, r.noc, r.ctrl, r.exclude = tile, noc, ctrl, exclude
    return r
