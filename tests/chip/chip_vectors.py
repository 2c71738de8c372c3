# SPDX-License-Identifier: Apache-2.0
"""Random conformance vectors of one chip in the form of FORMAT-chip.md, expected results by
chip_model.py.

    chip_vectors.py bh|wh COUNT SEED [CATEGORY ...]   writes them to the standard output
"""

import json
import random
import sys

import chip_model
from chip_host import WINDOWS
from chip_play import Play, pattern, place
from chip_requests import REQUESTS


def settle(p, tile, noc):
    """Now and then tables, masks and modes other than firmware's."""
    rng = p.rng
    base = 0xFFB20000 + 0x10000 * noc
    k = tile.niu[noc].config
    what = rng.random()
    if what < .1:
        p.word(tile, base + 0x100, k[0] & ~0x4000)
    elif what < .25:
        words = range(6, 18) if p.bh else range(6, 14)
        for n in rng.sample(list(words), 4):
            p.word(tile, base + 0x100 + 4 * n, rng.randrange(1 << 32))
        if p.bh:
            p.word(tile, base + 0x150, rng.randrange(1 << 32))
            p.word(tile, base + 0x154, rng.randrange(1 << 32))
            for n in rng.sample(range(22, 29), 4):
                p.word(tile, base + 0x100 + 4 * n, rng.randrange(1 << 32))
            p.word(tile, base + 0x16C, rng.randrange(1 << 32))
    if p.bh and rng.random() < .4:
        p.word(tile, base + 0x178, rng.randrange(1 << 16) | rng.randrange(2) << 28)


def reachable(p, tile, noc):
    """Own place and most tiles must have a name, or the request goes nowhere."""
    raw = {p.m.translate(tile.niu[noc], x, y) for x in range(32) for y in range(32)}
    return all(p.m.mirror(noc, t.x, t.y) in raw for t in p.m.at.values())


def requests(p, which):
    rng = p.rng
    tile, noc = p.tile("T" if which in ("mcast", "split") else "TTTTE"), rng.randrange(2)
    settle(p, tile, noc)
    if not reachable(p, tile, noc):
        return False
    seen = set()
    for _ in range(rng.randrange(1, 4)):
        seen.add(REQUESTS[which](p, tile, noc))
    if p.bh and rng.random() < .5:
        base = 0xFFB20000 + 0x10000 * noc
        p.get(tile, base + 0x37C)
        for _ in range(rng.randrange(3)):
            p.get(tile, base + 0x378)
        p.get(tile, base + 0x37C)
        p.word(tile, base + 0x17C, rng.randrange(1 << 16))
        p.get(tile, base + 0x37C)
        p.get(tile, base + 0x17C)
    if rng.random() < .2:
        p.word(tile, 0xFFB20000 + 0x10000 * noc + (0x60 if p.bh else 0x50), rng.randrange(1 << 16))
    p.counters(tile, noc)
    for i in range(4):
        for o in range(0, 0x30 if p.bh else 0x28, 4):
            p.get(tile, 0xFFB20000 + 0x10000 * noc + p.m.step * i + o)
    for other in seen - {None, tile}:
        if other.kind in "TE":
            p.counters(other, noc, range(48, 62))
    return True


def register_file(p, _):
    """Every register of an interface, with values and without."""
    rng = p.rng
    tile, noc = p.tile("TTE"), rng.randrange(2)
    base = 0xFFB20000 + 0x10000 * noc
    for _ in range(40):
        i, o = rng.randrange(4), 4 * rng.randrange(0x12)
        at = rng.choice([i * p.m.step + o, 0x100 + 4 * rng.randrange(32), rng.choice(
            [0x50, 0x54, 0x58, 0x5C, 0x60, 0x40, 0x44, 0x48, 0x4C, 0x37C, 0x400, 0x4FC])])
        if at % p.m.step != p.m.cmd and rng.random() < .7:
            if p.bh and at == 0x174:
                continue
            p.word(tile, base + at, rng.randrange(1 << 32))
        if rng.random() < .8:
            p.get(tile, base + at)
    for o in range(0x100, 0x180, 4):
        if not (p.bh and o == 0x174):
            p.get(tile, base + o)
    return True


def streams(p, _):
    rng = p.rng
    tile = p.tile("TTE")
    for _ in range(30):
        stream = rng.choice([rng.randrange(64 if tile.kind == "T" else 32), rng.randrange(4)])
        name = rng.choice(list(chip_model.STREAMS))
        at = 0xFFB40000 + 0x1000 * stream + 4 * chip_model.STREAMS[name][p.bh]
        if name == "available":
            at += 4 * rng.randrange(32 if stream < 4 else 1)
        value = rng.randrange(1 << 32)
        if name == "update":
            value = rng.choice([1 << 6, 2 << 6, value, value & ~63, value & ~32])
        if name not in ("available", "auto_ptr") and rng.random() < .7:
            p.word(tile, at, value)
        p.get(tile, at)
    return True


def identity(p, _):
    """Who each tile says it is, by every way to its registers."""
    for tile in p.m.at.values():
        for noc in (0, 1):
            for o in ([0x44, 0x48, 0x148] if p.bh else [0x2C, 0x30, 0x138]) + [
                    0x108, 0x110, 0x118, 0x11C, 0x12C, 0x130, 0x134]:
                value = p.m.niu_load(tile, noc, o).to_bytes(4, "little").hex()
                at = None
                if tile.kind in "TE":
                    at = 0xFFB20000 + 0x10000 * noc + o
                elif not p.bh and tile.kind == "D":
                    at = 0x100080000 + 0x10000 * tile.index + 0x8000 * noc + o
                elif not p.bh and tile.kind == "A":
                    at = 0xFFFB20000 + 0x10000 * noc + o
                elif not p.bh and noc == 0:
                    at = 0xFFFB20000 + o
                elif p.bh and tile.kind == "A":
                    at = 0x80050000 + 0x8000 * noc + o
                if p.bh and noc == 0 and tile.kind in "AP":
                    own = 0xFFFFFFFFFF000000 if o % 8 else 0xFFFFFFFFFFB20000
                    p.steps.append(["R", tile.x, tile.y, own + o, 4])
                    p.expect.append(value)
                if at is None and tile.kind == "P":
                    first, step = (0x1FD04000, 0x10000) if p.bh else (0x1FD20000, 0x80000)
                    p.steps.append(["b", 0, first + step * noc + o, 4])
                elif at is not None:
                    p.steps.append(["R", tile.x, tile.y, at, 4])
                else:
                    continue
                p.expect.append(value)
    return True


def names(p, _):
    """Memory of every kind of tile by every name that translation gives it."""
    rng = p.rng
    host = p.m.at[2, 0] if p.bh else p.m.at[0, 3]
    p.via = host
    for _ in range(12):
        tile = p.tile("TTEDA")
        at, n = place(p, tile, 32, rng.randrange(64)), rng.randrange(1, 33)
        x, y = p.name(0, tile)
        data = pattern(n, rng.randrange(1 << 16))
        p.steps.append(["W", x, y, at, data.hex()])
        p.m.write(tile, at, data)
        x, y = p.name(0, tile)
        p.steps.append(["R", x, y, at, n])
        p.expect.append(p.m.read(tile, at, n).hex())
    return True


OTHERS = {"niureg": register_file, "stream": streams, "ident": identity, "names": names}


def main():
    chip, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    wanted = sys.argv[4:] or list(REQUESTS) + list(OTHERS) + list(WINDOWS)
    rng = random.Random(f"{chip} {seed}")
    made = 0
    while made < count:
        which = wanted[made % len(wanted)]
        p = Play(chip, rng)
        if which in REQUESTS:
            good = requests(p, which)
        else:
            good = {**OTHERS, **WINDOWS}[which](p, which)
        if good:
            print(json.dumps({"name": f"{chip}-{which}-{seed}-{made}", "chip": chip, "cat": which,
                              "note": "", "steps": p.steps, "expect": p.expect}))
            made += 1


if __name__ == "__main__":
    main()
