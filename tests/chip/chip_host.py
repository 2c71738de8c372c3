# SPDX-License-Identifier: Apache-2.0
"""The host's side: windows, translation, ARC (spec/chip.md 7 and 8)."""

from chip_play import U32, around, asked, at_of, channel, pattern, place, rectangle, usual


def window_kinds(p):
    """Number of the first window, how many, log2 of the bytes, BAR, offset (8.2)."""
    if p.bh:
        return [(0, 202, 21, 0, 0), (202, 8, 32, 4, 0)]
    return [(0, 156, 20, 0, 0), (156, 10, 21, 0, 0x9C00000), (166, 20, 24, 0, 0xB000000)]


def window_words(p, bits, **f):
    """The configuration of a window as one number (8.3)."""
    if p.bh:
        n = 43 if bits == 21 else 32
        at = {"x": 43, "y": 49, "sx": 55, "sy": 61, "noc": 67, "many": 69, "order": 70,
              "linked": 72, "vc": 73, "buddy": 75, "vclass": 76}
        return f.pop("offset") | sum(v << at[k] - 43 + n for k, v in f.items())
    n = 36 - bits
    at = {"x": 0, "y": 6, "sx": 12, "sy": 18, "noc": 24, "many": 25, "order": 26, "linked": 28,
          "vc": 29}
    return f.pop("offset") | sum(v << at[k] + n for k, v in f.items())


def configure(p, w, value):
    rng = p.rng
    n = 12 if p.bh else 8
    at = 0x1FC00000 + n * w
    if not p.bh and rng.random() < .5:
        p.bar(0, at, value, 8)
    else:
        for i in range(n // 4):
            p.bar(0, at + 4 * i, value >> 32 * i)
    for i in range(n // 4):
        p.bar_get(0, at + 4 * i, value >> 32 * i & U32)


def window(p, _):
    """A place, or a rectangle, through a window of any kind."""
    rng = p.rng
    host = p.m.at[2, 0] if p.bh else p.m.at[0, 3]
    p.via = host
    for _ in range(6):
        first, count, bits, bar, base = rng.choice(window_kinds(p))
        w, noc = first + rng.randrange(count), rng.randrange(2)
        if p.bh and w == 201:
            continue
        many = rng.random() < .4
        n = rng.choice([1, 2, 4, 8, 16, 32, 33, 64, 100])
        tile = p.tile("T" if many else "TTEDA")
        at = place(p, tile, n, rng.randrange(64))
        size = 1 << bits
        if at % size + n > size:
            continue
        f = {"offset": at >> bits, "noc": noc, "order": rng.choice([0, 1, 1, 2])}
        seen = [tile]
        if many:
            start, end = rectangle(p, noc, host.niu[noc])
            f.update(many=1, sx=start[0], sy=start[1])
            hit = p.m.receivers(asked(p, host, noc, 0x20, 0), (
                p.m.translate(host.niu[noc], *end), p.m.translate(host.niu[noc], *start)))
            seen = [p.tile() for _ in range(4)] + rng.sample(hit, min(4, len(hit)))
            if any(t.kind != "T" for t in hit):
                continue
        else:
            end, hit = p.name(noc, tile), [tile]
        f.update(x=end[0], y=end[1])
        if rng.random() < .3:
            f["vc"] = 1
        configure(p, w, window_words(p, bits, **f))
        offset = base + ((w - first) << bits) + at % size
        if not p.bh and offset >= 0x1E000000 and rng.random() < .5:
            bar, offset = 4, offset - 0x1E000000  # BAR 4 shows the end of BAR 0
        for t in seen:
            around(p, t, at, n, False)
        data = pattern(n, rng.randrange(1 << 16))
        p.steps.append(["B", bar, offset, data.hex()])
        for t in hit:
            p.m.write(t, at, data)
        if not many:
            p.steps.append(["b", bar, offset, n])
            p.expect.append(data.hex())
        for t in seen:
            around(p, t, at, n, True)
    return True


def strided(p, _):
    """Blackhole: a broadcast that keeps and skips tiles by turns, and leaves a quadrant out."""
    rng = p.rng
    if not p.bh:
        return window(p, None)
    host = p.m.at[2, 0]
    p.via = host
    w, noc = rng.randrange(32), rng.randrange(2)
    start, end = rectangle(p, noc, host.niu[noc])
    at = 0x40000 + 64 * rng.randrange(64)
    raw_end, raw_start = (p.m.translate(host.niu[noc], *v) for v in (end, start))
    word = rng.randrange(256) | rng.randrange(17) << 8 | rng.randrange(12) << 13
    word |= rng.randrange(4) << 17 | rng.randrange(2) << 19 | rng.randrange(2) << 20
    configure(p, w, window_words(p, 21, offset=at >> 21, x=end[0], y=end[1], sx=start[0],
                                 sy=start[1], noc=noc, many=1, order=1))
    p.bar(0, 0x1FC00000 + 2520 + 4 * w, word)
    p.bar_get(0, 0x1FC00000 + 2520 + 4 * w, word)
    hit = []
    for t in p.m.receivers(asked(p, host, noc, 0x20, 0), (raw_end, raw_start)):
        x, y = p.m.mirror(noc, t.x, t.y)
        keep = [(word & 3, word >> 2 & 3, (x - raw_start[0]) % 17),
                (word >> 4 & 3, word >> 6 & 3, (y - raw_start[1]) % 12)]
        kept = all(not k or not s or d % (k + s) < k for k, s, d in keep)
        ex, ey = word >> 8 & 31, word >> 13 & 15
        quadrant = ((x >= ex if word >> 17 & 1 else x <= ex) and
                    (y >= ey if word >> 18 & 1 else y <= ey))
        if kept and not (word >> 19 & 1 and quadrant):
            hit.append(t)
    seen = [p.tile() for _ in range(10)] + rng.sample(hit, min(4, len(hit)))
    if any(t.kind != "T" for t in hit):
        return False
    for t in seen:
        around(p, t, at, 16, False)
    data = pattern(16, rng.randrange(1 << 16))
    p.steps.append(["B", 0, (w << 21) + at % (1 << 21), data.hex()])
    for t in hit:
        p.m.write(t, at, data)
    for t in seen:
        around(p, t, at, 16, True)
    return True


def regions(p, _):
    """Outbound address translation: a tile reads and writes the host's memory (8.5)."""
    rng = p.rng
    base = 0x1000 if p.bh else 0x1200
    window, limit = (0x1000000000000000, 1 << 58) if p.bh else (0x800000000, 0xFFFE0000)
    taken, edge = [], 0x10000
    for r in rng.sample(range(16), 3):
        first = edge + rng.randrange(1, 16) * 0x1000
        last = first + rng.randrange(1, 16) * 0x1000 - 1
        edge, target = last + 1, rng.randrange(1, 1 << 20) << 12
        at = base + 0x200 * r
        if p.bh:
            p.bar(2, at, 1 << 13)
            p.bar(2, at + 0x20, last >> 32)
        for o, v in ((8, first), (0xC, first >> 32), (0x10, last), (0x14, target),
                     (0x18, target >> 32), (4, 1 << 31)):
            p.bar(2, at + o, v)
        taken.append((first, last, target))
    host = lambda o: next((t + o - f for f, l, t in taken if f <= o <= l), o)
    tile, noc = p.tile(), rng.randrange(2)
    pcie = p.m.at[2, 0] if p.bh else p.m.at[0, 3]
    for _ in range(4):
        i, tag, own = usual(p, tile, noc)
        first, last, _t = rng.choice(taken)
        n = rng.choice([64, 128, 4, 1000])
        o = rng.choice([first, last - n + 1, first + 64, last + 1 - n // 2, first - n // 2])
        o = max(0, o & ~63)
        assert o + n < limit
        near = place(p, tile, n, 0)
        to = at_of(p.name(noc, pcie))
        data = pattern(n, rng.randrange(1 << 16))
        if rng.random() < .5:
            for b in range(n):
                p.m.host.write(host(o + b), data[b:b + 1])
            runs = _runs(host, o, n)
            for a, at, m in runs:
                p.steps.append(["H", at, data[a:a + m].hex()])
            p.fire(tile, noc, i, ctrl=channel(p, False), targ=window + o, tc=to, ret=near, rc=own,
                   length=n)
            p.m.write(tile, near, data)
            p.get(tile, near, n)
        else:
            p.put(tile, near, data)
            p.fire(tile, noc, i, ctrl=0x12 | channel(p, False), targ=near, tc=own, ret=window + o,
                   rc=to, length=n)
            for a, at, m in _runs(host, o, n):
                p.steps.append(["h", at, m])
                p.expect.append(data[a:a + m].hex())
    return True


def _runs(host, o, n):
    """Offset in the data, address at the host and length of each piece that stays together."""
    runs = []
    for b in range(n):
        if runs and runs[-1][1] + runs[-1][2] == host(o + b):
            runs[-1][2] += 1
        else:
            runs.append([b, host(o + b), 1])
    return runs


CODES = [0x11, 0x21, 0x34, 0x51, 0x52, 0x53, 0x54, 0x57, 0x58, 0x90, 0x97, 0xA0, 0xA3, 0xB6, 0xB7,
         0xBA, 0xBC, 0xC1, 0xC7]


def messages(p, _):
    """Messages to ARC and what they change; telemetry by tag (7.2, 7.3)."""
    rng = p.rng
    mhz = 1350 if p.bh else 1000
    for _ in range(6):
        code, argument = rng.choice(CODES + [0x01, 0x7F]), rng.randrange(1 << 32)
        busy = {0x52: (1350, 1000), 0x53: (800, 500), 0x54: (800, 500)}
        mhz = busy[code][not p.bh] if code in busy else mhz
        answer = {0x34: mhz, 0x58: 1, 0x57: 0}.get(code, 0)
        known = code in CODES
        if p.bh:
            words = [code, argument] + [0] * 6
            if code == 0x90:
                continue  # inferred, and not what the vectors of ttsim have
            p.steps.append(["M", rng.randrange(4), words, 100])
            first, second = (0 if known else 0xFF), 0
            if code in (0x34, 0x57):
                second = answer
            elif known:
                first = answer
            p.expect.append(" ".join(f"{w:08x}" for w in [first, second] + [0] * 6) + " rd1")
        else:
            unit = 0x1FF30000
            p.bar(0, unit + 0x6C, argument)
            p.bar(0, unit + 0x74, 0xAA00 | code)
            p.bar(0, unit + 0x100, 1 << 16)
            p.rest()
            p.bar_get(0, unit + 0x74, code if known else U32)
            if known:
                p.bar_get(0, unit + 0x6C, answer)
        p.steps.append(["T", 14])
        p.expect.append(f"{mhz:08x}")
    return True


def telemetry(p, _):
    """Every tag of 7.2 that neither moves nor is inferred from more than the table."""
    bh = {1: 0x400, 2: 1, 3: 1, 4: 0, 5: 100, 6: 800, 7: 60, 8: 75, 9: 0x03840320, 10: 110,
          56: 92, 11: 40 << 16, 12: 0, 13: 35 << 16, 14: 1350, 15: 900, 16: 540, 17: 800, 18: 800,
          19: 800, 20: 800, 21: 0xFFF, 22: 0x5555, 23: 16000, 24: 0x10600, 25: 0x20007,
          26: 0xB0000, 27: 0, 28: 0x12050000, 29: 0x120000, 30: 0, 31: 35, 41: 1500, 34: 0x3FFF,
          35: 0xFFF, 36: 0xFF, 37: 0xF, 38: 1, 39: 5, 40: 1, 42: 0x32323232, 45: 0x32323232,
          46: 0, 49: 0, 50: 0, 51: 50, 52: 0, 53: 300, 54: 60, 55: 200, 63: 1350, 64: 150,
          57: 0x56020D27, 58: 0x00030303, 60: 0, 61: 0, 62: 1}
    wh = {1: 0x180, 2: 1, 3: 1, 4: 0, 11: 40 << 16, 12: 0, 13: 35 << 16, 14: 1000, 15: 900,
          16: 540, 21: 0xFFFF, 22: 0x555, 28: 0x12040000, 52: 0}
    table = bh if p.bh else wh
    for tag in range(1, 70):
        if tag in (32, 33) or p.bh and tag in (43, 44, 47, 48):
            continue
        p.steps.append(["T", tag])
        p.expect.append(f"{table[tag]:08x}" if tag in table else "absent")
    return True


WINDOWS = {"window": window, "stride": strided, "iatu": regions, "arcmsg": messages,
           "arctel": telemetry}
