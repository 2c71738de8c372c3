# SPDX-License-Identifier: Apache-2.0
"""The network of one chip as spec/chip.md 1, 2, 4 and 5 say it, written from that text alone.

Requests act at once. It knows memory, interfaces and streams; no cores, no findings, no time. It is
the second statement that chip_vectors.py compares the emulator with.
"""

import struct

KINDS = {"T": (0x0100, 1), "E": (0x0200, 2), "D": (0x0800, 8), "P": (0x0300, 3), "A": (0x0500, 5)}
ETH_X_BH = [1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10]
ETH_X_WH = [9, 1, 8, 2, 7, 3, 6, 4]
DRAM_ROWS_BH = [(0, 1, 11), (2, 10, 3), (9, 4, 8), (5, 7, 6)]
DRAM_WH = [[(0, 0), (0, 1), (0, 11)], [(0, 5), (0, 6), (0, 7)], [(5, 0), (5, 1), (5, 11)],
           [(5, 2), (5, 9), (5, 10)], [(5, 3), (5, 4), (5, 8)], [(5, 5), (5, 6), (5, 7)]]
L1 = {"bh": {"T": 0x180000, "E": 0x80000}, "wh": {"T": 0x16E000, "E": 0x40000}}
STREAMS = {  # index in a stream: wh, bh; bits (4.1)
    "src": (0, 4, 24), "start": (3, 8, 17), "size": (4, 10, 17), "update": (34, 270, 0),
    "wr_ptr": (5, 11, 17), "available": (64, 297, 17), "auto_ptr": (12, 31, 17)}
MASK32 = 0xFFFFFFFF


class Memory:
    """Bytes by address, zero where nobody wrote."""

    def __init__(self):
        self.pages = {}

    def _page(self, at):
        return self.pages.setdefault(at >> 12, bytearray(4096))

    def read(self, at, n):
        out = bytearray()
        while n:
            m = min(n, 4096 - at % 4096)
            out += self._page(at)[at % 4096:at % 4096 + m]
            at, n = at + m, n - m
        return bytes(out)

    def write(self, at, data):
        while data:
            m = min(len(data), 4096 - at % 4096)
            self._page(at)[at % 4096:at % 4096 + m] = data[:m]
            at, data = at + m, data[m:]


class Niu:
    def __init__(self):
        self.field = [dict() for _ in range(4)]
        self.config = [0] * 32
        self.counter = [0] * 62
        self.source = self.next = self.ecc = 0
        self.fence = [0] * 64


class Tile:
    def __init__(self, kind, x, y, index, group=0):
        self.kind, self.x, self.y, self.index, self.group = kind, x, y, index, group
        self.niu = [Niu(), Niu()]
        self.memory = Memory()
        self.stream = {}


class Request:
    pass


class Chip:
    def __init__(self, chip):
        self.chip, self.bh = chip, chip == "bh"
        self.w, self.h = (17, 12) if self.bh else (10, 12)
        self.flit, self.most = (64, 16384) if self.bh else (32, 8192)
        self.step, self.cmd = (0x800, 0x40) if self.bh else (0x400, 0x28)
        self.host = Memory()
        self.at = {}
        self._grid_bh() if self.bh else self._grid_wh()
        for tile in self.at.values():
            for noc in (0, 1):
                self._boot(tile, noc)

    # ---- 1: the grid ----

    def _put(self, kind, x, y, index, group=0):
        self.at[x, y] = Tile(kind, x, y, index, group)

    def _grid_bh(self):
        for y in range(12):
            for x in range(17):
                if y >= 2 and (1 <= x <= 7 or 10 <= x <= 16):
                    self._put("T", x, y, 14 * (y - 2) + (x - 1 if x <= 7 else x - 3))
        for i, x in enumerate(ETH_X_BH):
            self._put("E", x, 1, i)
        banks = [Memory() for _ in range(8)]
        for b in range(8):
            for port, y in enumerate(DRAM_ROWS_BH[b % 4]):
                self._put("D", 0 if b < 4 else 9, y, b, port)
                self.at[0 if b < 4 else 9, y].memory = banks[b]
        self._put("P", 2, 0, 2)
        self._put("A", 8, 0, 0)

    def _grid_wh(self):
        for y in [1, 2, 3, 4, 5, 7, 8, 9, 10, 11]:
            for x in [1, 2, 3, 4, 6, 7, 8, 9]:
                self._put("T", x, y, 8 * (y - 1 if y < 6 else y - 2) + (x - 1 if x <= 4 else x - 2))
        for i in range(16):
            self._put("E", ETH_X_WH[i % 8], 0 if i < 8 else 6, i)
        for b, ports in enumerate(DRAM_WH):
            memory = Memory()
            for port, (x, y) in enumerate(ports):
                self._put("D", x, y, port, b)
                self.at[x, y].memory = memory
        self._put("P", 0, 3, 2)
        self._put("A", 0, 10, 0)

    def mirror(self, noc, x, y):
        return (x, y) if noc == 0 else (self.w - 1 - x, self.h - 1 - y)

    # ---- 1.4, 1.5, 2.3: what firmware leaves ----

    def _tables(self):
        if not self.bh:
            return (list(range(16)) + [0, 5, 1, 2, 3, 4, 6, 7, 8, 9] + [0] * 6,
                    list(range(16)) + [0, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11] + [0] * 4)
        x = [0] * 32
        for i in list(range(0, 8)) + [8, 9] + list(range(10, 17)):
            x[i] = i
        x[17], x[18], x[19] = 0, 9, 2
        x[20:32] = ETH_X_BH[:12]  # the default product leaves out the last two (C30)
        y = list(range(12)) + [r for rows in DRAM_ROWS_BH for r in rows]
        y += [0, 1, 3, 9, 5, 7, 2, 0]
        return x, y

    def _boot(self, tile, noc):
        k = tile.niu[noc].config
        tables = self._tables()
        for n, (table, edge) in enumerate(zip(tables, (self.w - 1, self.h - 1))):
            bits, per = (5, 6) if self.bh else (4, 8)
            first = 6 + n * (6 if self.bh else 4)
            for i, v in enumerate(table):
                # Wormhole: entries below 16 are raw coordinates of that NoC, unused ones are 0.
                same = not self.bh and (i < 16 or i >= (26 if n == 0 else 28))
                v = v if noc == 0 or same else edge - v
                k[first + i // per] |= v << bits * (i % per)
        k[0] = 0x6000
        k[1] = 0xF00
        if self.bh:
            k[2], k[4] = (0x301, 0x003) if noc == 0 else (0x10180, 0xC00)
            k[21] = 3
        else:
            k[2], k[4] = (0x021, 0x041) if noc == 0 else (0x210, 0x820)
        k[18 if self.bh else 14] = self._logical(tile, noc)

    def _logical(self, tile, noc):
        xt, yt = self._tables()
        if not self.bh:
            return xt.index(tile.x, 16) | yt.index(tile.y, 16) << 6
        if tile.kind == "T":
            x, y = tile.x, tile.y
        elif tile.kind == "D":
            x, y = (17 if tile.x == 0 else 18), 12 + 3 * (tile.index % 4) + tile.group
        elif tile.kind == "P":
            x, y = 19, 24
        elif tile.kind == "E" and tile.index < 12:
            x, y = 20 + tile.index, 25
        else:
            x, y = self.mirror(noc, tile.x, tile.y)
        return x | y << 6

    def entry(self, k, first, i):
        bits, per = (5, 6) if self.bh else (4, 8)
        return k[first + i // per] >> bits * (i % per) & ((1 << bits) - 1)

    def translate(self, niu, x, y):
        """Returns raw coordinates of the NIU's NoC."""
        k = niu.config
        if not k[0] >> 14 & 1:
            return x, y
        if not self.bh:
            return self.entry(k, 6, x & 31), self.entry(k, 10, y & 31)
        x5, y5 = x & 31, y & 31
        ddr_x = ([9] if k[27] >> 10 & 1 else []) + ([0] if k[27] >> 11 & 1 else [])
        if k[28] >> y5 & 1 and (x5 ^ 9) in ddr_x:
            to_x = x5 ^ 9
        else:
            to_x = x if k[21] >> y5 & 1 else self.entry(k, 6, x5)
        if x5 in ddr_x:
            to_y = self.entry(k, 22, y5)
        else:
            to_y = y if k[20] >> x5 & 1 else self.entry(k, 12, y5)
        return to_x, to_y

    # ---- 1.7, 2.1: addresses ----

    def tile_of(self, noc, raw):
        return self.at.get(self.mirror(noc, *raw))

    def is_register(self, tile, at):
        return tile is not None and tile.kind in "TE" and at >= 0xFF000000

    def read(self, tile, at, n):
        """Reads bytes as a request finds them; None: no answer."""
        if self.is_register(tile, at):
            return self.load(tile, at & ~3).to_bytes(4, "little")[at & 3:(at & 3) + n]
        memory, at = self._memory(tile, at)
        return memory.read(at, n)

    def write(self, tile, at, data):
        if self.is_register(tile, at):
            self.store(tile, at & ~3, int.from_bytes(data[:4], "little"))
            return
        memory, at = self._memory(tile, at)
        memory.write(at, data)

    def _memory(self, tile, at):
        if tile.kind == "P":
            return self.host, at - (0x1000000000000000 if self.bh else 0x800000000)
        if tile.kind == "A" and not self.bh and at < 0x800000000:
            return self.at[0, 0].memory, at
        return tile.memory, at

    def load(self, tile, at):
        if 0xFFB20000 <= at < 0xFFB40000:
            return self.niu_load(tile, at >> 16 & 1, at & 0xFFFF)
        if 0xFFB40000 <= at < 0xFFB40000 + 0x1000 * (64 if tile.kind == "T" else 32):
            return self.stream_load(tile, (at - 0xFFB40000) // 0x1000, at % 0x1000 // 4)
        raise KeyError(hex(at))

    def store(self, tile, at, v):
        if 0xFFB20000 <= at < 0xFFB40000:
            self.niu_store(tile, at >> 16 & 1, at & 0xFFFF, v)
        elif 0xFFB40000 <= at < 0xFFB40000 + 0x1000 * (64 if tile.kind == "T" else 32):
            self.stream_store(tile, (at - 0xFFB40000) // 0x1000, at % 0x1000 // 4, v)
        else:
            raise KeyError(hex(at))

    # ---- 4: streams ----

    def stream_load(self, tile, stream, index):
        if index == STREAMS["update"][self.bh]:
            return 0
        return tile.stream.get((stream, index), 0)

    def stream_store(self, tile, stream, index, v):
        names = {row[self.bh]: (name, row[2]) for name, row in STREAMS.items()}
        name, bits = names.get(index, ("other", 32))
        available = STREAMS["available"][self.bh]
        counters = 32 if stream < 4 else 1
        if available <= index < available + 32:
            return
        if name == "update":
            i = v & 63
            if i < counters:
                old = tile.stream.get((stream, available + i), 0)
                tile.stream[stream, available + i] = (old + (v >> 6)) % (1 << 17)
            return
        tile.stream[stream, index] = v & ((1 << bits) - 1)
        if name == "start":
            tile.stream[stream, STREAMS["wr_ptr"][self.bh]] = 0
        if name == "size":
            for i in range(counters):
                tile.stream[stream, available + i] = v & 0x1FFFF

    # ---- 2.1 to 2.5: registers of an interface ----

    def niu_load(self, tile, noc, at):
        niu = tile.niu[noc]
        i, o = divmod(at, self.step)
        fields = (0x00, 0x38) if self.bh else (0x00, 0x28)
        if i < 4 and (fields[0] <= o < fields[1]):
            return niu.field[i].get(o, 0)
        if i < 4 and o == self.cmd:
            return 0
        if i < 4 and o == (0x44 if self.bh else 0x2C):
            x, y = self.mirror(noc, tile.x, tile.y)
            return x | y << 6 | self.w << 12 | self.h << 19 | (noc == 0) << 28
        if i < 4 and o == (0x48 if self.bh else 0x30):
            kind = KINDS[tile.kind][0 if self.bh else 1]
            return tile.index | noc << 24 | (kind << 8 if self.bh else tile.group << 8 | kind << 16)
        if at == (0x5C if self.bh else 0x4C):
            return niu.ecc
        if 0x100 <= at < 0x180:
            return niu.config[(at - 0x100) // 4]
        if 0x200 <= at < 0x2F8:
            return niu.counter[(at - 0x200) // 4]
        if self.bh and 0x400 <= at < 0x500:
            return niu.fence[(at - 0x400) // 4]
        if self.bh and at == 0x37C:
            return niu.source
        if self.bh and at == 0x378:
            return self._returned(niu)
        return 0

    def _returned(self, niu):
        cfg = niu.config[30]
        keeps = cfg >> 28 & 1
        for n in range(16):
            i = (niu.next + n) % 16 if keeps else n
            if niu.source & cfg & 0xFFFF & 1 << i:
                if keeps:
                    niu.next = (i + 1) % 16
                else:
                    niu.source &= ~(1 << i)
                return i
        return 0

    def niu_store(self, tile, noc, at, v):
        niu = tile.niu[noc]
        i, o = divmod(at, self.step)
        if i < 4 and o < (0x38 if self.bh else 0x28):
            niu.field[i][o] = v & 0xFFFF if o == 0x18 else v
        elif i < 4 and o == self.cmd:
            if v & 1:
                self.fire(tile, noc, i)
        elif at == (0x60 if self.bh else 0x50):
            for k in range(16):
                if v >> k & 1:
                    niu.counter[16 + k] = 0
        elif at == (0x5C if self.bh else 0x4C):
            niu.ecc = v
        elif self.bh and at == 0x17C:
            niu.source &= ~v
        elif 0x100 <= at < 0x180:
            niu.config[(at - 0x100) // 4] = v
        elif self.bh and 0x400 <= at < 0x500:
            niu.fence[(at - 0x400) // 4] = v

    def count(self, niu, k, by=1):
        old = niu.counter[k]
        niu.counter[k] = (old + by) % (256 if 16 <= k < 48 else 1 << 32)
        if 16 <= k < 32 and by < 0 < old and niu.counter[k] == 0:
            niu.source |= 1 << k - 16

    # ---- 2.7, 2.11: requests ----

    def fire(self, tile, noc, i):
        niu = tile.niu[noc]
        f = lambda o: niu.field[i].get(o, 0)
        r = Request()
        r.tile, r.noc, r.niu = tile, noc, niu
        r.ctrl, r.tag = f(0x1C), f(0x18)
        r.kind, r.be, r.inline = r.ctrl & 3, r.ctrl >> 2 & 1, r.ctrl >> 3 & 1
        r.write = r.kind >= 2
        r.resp, r.mc = r.ctrl >> 4 & 1, r.ctrl >> 5 & 1 and r.kind != 0
        r.id = r.tag >> 10 & 15
        r.data, r.op = f(0x28 if self.bh else 0x24), f(0x20)
        r.mask = f(0x20) | (f(0x24) << 32 if self.bh else 0)
        length = r.mask
        r.exclude = f(0x2C) if self.bh else 0
        if self.bh:
            r.targ, r.ret = f(0) | f(4) << 32, f(0xC) | f(0x10) << 32
            tc, rc = f(8) & 0xFFFFFF, f(0x14) & 0xFFFFFF
        else:
            r.targ, r.ret = f(0) | (f(4) & 15) << 32, f(0xC) | (f(0x10) & 15) << 32
            tc, rc = f(4) >> 4 & 0xFFFFFF, f(0x10) >> 4 & 0xFFFFFF
        r.tc, r.rc = self._pairs(niu, tc), self._pairs(niu, rc)
        if not self.bh and niu.config[0] >> 14 & 1:
            for o, (end, start) in ((4, r.tc), (0x10, r.rc)):
                at = end[0] | end[1] << 6 | start[0] << 12 | start[1] << 18
                niu.field[i][o] = f(o) & ~(0xFFFFFF << 4) | at << 4
        copies = r.kind == 0 or (r.write and not r.be and not r.inline)
        n = max(1, -(-length // self.most)) if copies else 1
        if r.kind == 0 or r.resp:
            self.count(niu, 16 + r.id, n)
        if r.write and not r.inline:
            self.count(niu, 32 + r.id, n)
        if not self.bh:
            self._ports(r, niu.field[i])
        self._advance(niu.field[i], n)
        for p in range(n):
            r.n = min(length - p * self.most, self.most) if copies else 0
            self._packet(r)
            r.targ, r.ret = self._next(r.targ), self._next(r.ret)

    def _ports(self, r, field):
        """Wormhole shows in CTRL which ports of its router the request leaves by (2.2)."""
        pair = r.tc if r.inline and r.write or not r.write else r.rc
        ports = 0
        by_y = r.ctrl >> 16 & 1 if r.mc else r.noc
        for q in self._to(r, pair):
            dx, dy = q.x != r.tile.x, q.y != r.tile.y
            first = (dy and "y" or dx and "x") if by_y else (dx and "x" or dy and "y")
            ports |= {"x": 1 << 12, "y": 1 << 11, False: 1 << 10}[first]
        field[0x1C] = r.ctrl & ~0x1C00 | ports

    def _advance(self, field, n):
        """A split request counts its registers up and down as it goes (2.7)."""
        f = lambda o: field.get(o, 0)
        for _ in range(n - 1):
            if self.bh:
                for low, high, by in ((0, 4, 1), (0xC, 0x10, 1), (0x20, 0x24, -1)):
                    v = (f(low) | f(high) << 32) + by * self.most
                    field[low], field[high] = v & MASK32, v >> 32
            else:
                for low, by in ((0, 1), (0xC, 1), (0x20, -1)):
                    field[low] = f(low) + by * self.most & MASK32

    def _next(self, at):
        if self.bh:
            return at + self.most
        return at & ~MASK32 | at + self.most & MASK32

    def _pairs(self, niu, at):
        return (self.translate(niu, at & 63, at >> 6 & 63),
                self.translate(niu, at >> 12 & 63, at >> 18 & 63))

    def receivers(self, r, pair):
        (ex, ey), (sx, sy) = pair
        own = (r.tile.x, r.tile.y)
        found = []
        for (x, y), tile in sorted(self.at.items(), key=lambda e: (e[0][1], e[0][0])):
            rx, ry = self.mirror(r.noc, x, y)
            in_x = sx <= rx <= ex if sx <= ex else rx <= ex or rx >= sx
            in_y = sy <= ry <= ey if sy <= ey else ry <= ey or ry >= sy
            k = tile.niu[r.noc].config
            if in_x and in_y and (x, y) != own and not k[2] >> rx & 1 and not k[4] >> ry & 1:
                if not self._excluded(r.exclude, rx, ry):
                    found.append(tile)
            elif (x, y) == own and in_x and in_y and r.ctrl >> 17 & 1:
                if not k[2] >> rx & 1 and not k[4] >> ry & 1:
                    if not self._excluded(r.exclude, rx, ry):
                        found.append(None)
        return [t for t in found if t is not None] + ([r.tile] if None in found else [])

    def _excluded(self, e, x, y):
        if not e >> 22 & 1:
            return False
        ex, ey = e & 63, e >> 8 & 63
        return (x >= ex if e >> 20 & 1 else x <= ex) and (y >= ey if e >> 21 & 1 else y <= ey)

    def flits(self, at, n):
        return -(-(at % self.flit + n) // self.flit)

    def _packet(self, r):
        self.count(r.niu, 4)
        if r.kind == 0:
            self._read(r)
        elif r.kind == 1:
            self._atomic(r)
        elif r.inline:
            self._inline(r)
        else:
            self._write(r)

    def _read(self, r):
        self.count(r.niu, 14)
        self.count(r.niu, 5)
        at = self.tile_of(r.noc, r.tc[0])
        words = self.flits(r.targ, r.n)
        for k, by in ((52, 1), (53, 1), (50, 1), (51, words)):
            self.count(at.niu[r.noc], k, by)
        to = self.tile_of(r.noc, r.rc[0])
        if r.n:
            self.write(to, r.ret, self.read(at, r.targ, r.n))
        for k, by in ((2, 1), (3, words), (16 + r.id, -1)):
            self.count(to.niu[r.noc], k, by)

    def _to(self, r, pair):
        return self.receivers(r, pair) if r.mc else [self.tile_of(r.noc, pair[0])]

    def _acknowledge(self, r, q, to, id_):
        self.count(q.niu[r.noc], 49)
        self.count(to.niu[r.noc], 1)
        self.count(to.niu[r.noc], 16 + id_, -1)

    def _ack_id(self, r, q):
        return 0 if not self.bh and not r.mc and q.kind in "PA" else r.id

    def _write(self, r):
        posted = 1 - r.resp
        words = 1 if r.be else self.flits(r.ret, r.n)
        for k, by in ((12 + posted, 1), (10 + posted, 1), (8 + posted, words)):
            self.count(r.niu, k, by)
        unit = 64 if self.bh else 32
        if r.be and self.is_register(r.tile, r.targ):
            data = self.read(r.tile, r.targ & ~3, 4) * (unit // 4)
        elif r.be:
            data = self.read(r.tile, r.targ & ~15, unit)
        else:
            data = self.read(r.tile, r.targ, r.n) if r.n else b""
        self.count(r.niu, 32 + r.id, -1)
        for q in self._to(r, r.rc):
            for k, by in ((60 + posted, 1), (56 + posted, words), (58 + posted, 1), (52, 1)):
                self.count(q.niu[r.noc], k, by)
            if r.be and self.is_register(q, r.ret):
                self.write(q, r.ret & ~3, data[:4])
            elif r.be:
                for i in range(unit):
                    if r.mask >> i & 1:
                        self.write(q, (r.ret & ~15) + i, data[i:i + 1])
            elif r.n:
                self.write(q, r.ret, data)
                stores = q.kind in "TE" or not q.niu[r.noc].config[0] >> 13 & 1
                if posted and r.tag >> 9 & 1 and stores:
                    self.write(q, r.data << 4, data[:16])
            if r.resp:
                self._acknowledge(r, q, self.tile_of(r.noc, r.tc[0]), self._ack_id(r, q))

    def _inline(self, r):
        posted = 1 - r.resp
        self.count(r.niu, 12 + posted)
        self.count(r.niu, 10 + posted)
        for q in self._to(r, r.tc):
            for k in (52, 60 + posted, 58 + posted, 56 + posted):
                self.count(q.niu[r.noc], k)
            word = r.data.to_bytes(4, "little")
            if self.is_register(q, r.targ):
                self.write(q, r.targ & ~3, word)
            elif q.kind in "TE":
                for j in range(16):
                    if r.mask >> j & 1 or r.mask >> 16 + j & 1:
                        self.write(q, (r.targ & ~15) + j, word[j & 3:(j & 3) + 1])
            else:
                self.write(q, r.targ & ~3, word)
            if r.resp:
                self._acknowledge(r, q, r.tile, self._ack_id(r, q))

    def _atomic(self, r):
        posted = 1 - r.resp
        self.count(r.niu, 6 + posted)
        if r.resp:
            self.count(r.niu, 15)
        for q in self._to(r, r.tc):
            self.count(q.niu[r.noc], 52)
            self.count(q.niu[r.noc], 54 + posted)
            line = self.read(q, r.targ & ~15, 16)
            old = line[r.targ & 12:(r.targ & 12) + 4]
            self.write(q, r.targ & ~15, atomic(self.bh, line, r.op, r.data))
            if r.resp:
                self.count(q.niu[r.noc], 48)
                to = self.tile_of(r.noc, r.rc[0])
                self.write(to, r.ret & ~3, old)
                self.count(to.niu[r.noc], 0)
                self.count(to.niu[r.noc], 16 + r.id, -1)


# ---- 2.8 ----

def signed(v):
    return v - (1 << 32) if v >> 31 else v


def added(fmt, word, data):
    """Parallel add. Floats: only sums that are exact, whose rounding no one needs to know."""
    if fmt in (0, 8):
        a, b = (struct.unpack("<f", v.to_bytes(4, "little"))[0] for v in (word, data))
        return int.from_bytes(struct.pack("<f", a + b), "little")
    halves = [(word >> s & 0xFFFF, data >> s & 0xFFFF) for s in (0, 16)]
    if fmt in (1, 9):
        sums = [sum(struct.unpack("<e", v.to_bytes(2, "little"))[0] for v in pair)
                for pair in halves]
        return sum(int.from_bytes(struct.pack("<e", v), "little") << 16 * i
                   for i, v in enumerate(sums))
    if fmt in (2, 10):
        return sum(added(0, a << 16, b << 16) >> 16 << 16 * i for i, (a, b) in enumerate(halves))
    if fmt in (4, 12, 13):
        return (word + data) & MASK32
    if fmt in (7, 15):
        pairs = [(word >> s & 255, data >> s & 255) for s in (0, 8, 16, 24)]
        return sum((min(a + b, 255) if fmt == 7 else (a + b) & 255) << 8 * i
                   for i, (a, b) in enumerate(pairs))
    return word


def atomic(bh, line, op, data):
    w = [int.from_bytes(line[4 * i:4 * i + 4], "little") for i in range(4)]
    code, ofs = op >> 12 & 15, op & 3
    if code == 1:
        m = (2 << (op >> 2 & 31)) - 1
        w[ofs] = (w[ofs] + data) & m | w[ofs] & ~m & MASK32
    elif code == 3:
        half = [data & 0xFFFF, data >> 16]
        for i in range(8):
            if op >> 2 + i & 1:
                shift = 16 * (i & 1)
                w[i // 2] = w[i // 2] & ~(0xFFFF << shift) & MASK32 | half[i & 1] << shift
    elif code == 4:
        if w[ofs] == op >> 2 & 15:
            w[ofs] = op >> 6 & 15
    elif code == 6 and op >> 2 & 1:
        w[ofs] = data
    elif code == 7:
        w[op >> 2 & 3] = data
    elif code == 10 and bh and op >> 11 & 1:
        a, b = w[ofs], data
        pick = [(a + b) & MASK32, a ^ b, a | b, a & b, min(a, b, key=signed),
                max(a, b, key=signed), min(a, b), max(a, b)]
        w[ofs] = pick[op >> 8 & 7]
    elif code == 10 and bh and op >> 8 & 15 == 3:
        w[ofs] = data
    elif code == 9:
        w = [added(op & 15, v, data) for v in w]
    return b"".join(v.to_bytes(4, "little") for v in w)
