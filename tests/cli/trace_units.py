# SPDX-License-Identifier: Apache-2.0
"""trace_units.py LINES CHROME KONATA TABLE: unpackers, packers and Src banks in a trace.

Replays the banks from the lines of --json alone and holds every other line against them: who may
fetch, who may compute, what a wait says. Then the other forms must tell the same cycles.
"""
import collections
import json
import sys

from trace_forms import check_chrome, check_konata

BOTH = ("MVMUL", "ELWADD", "ELWSUB", "ELWMUL", "GAPOOL", "GMPOOL", "DOTPV")
SEEN = 5  # cycles until the other side sees a bank: docs/silicon.md, BANK_HANDOVER
NEEDS = dict({name: "AB" for name in BOTH}, MOVA2D="A", MOVB2D="B")


class Banks:
    """Owners of the banks at the start of a cycle, and when each owner began."""

    def __init__(self, section):
        self.src = {"A": section["srca"], "B": section["srcb"]}
        self.later, self.spans = [], collections.defaultdict(list)
        self.since = {}  # (src, bank) -> when it changed hands
        for src in "AB":
            for bank in (0, 1):
                self.spans[src, bank].append((0, self.src[src]["owners"][bank]))

    def turn(self, e):
        # What an unpacker hands over is there in this cycle, what others give away in the next.
        self.later.append((e["t"] + (not e["op"].startswith("UNPACR")), e))
        self.settle(e["t"])

    def settle(self, t):
        for when, e in [x for x in self.later if x[0] <= t]:
            old = self.src[e["src"]]
            for bank in (0, 1):
                if old["owners"][bank] != e["owners"][bank]:
                    self.spans[e["src"], bank].append((when, e["owners"][bank]))
                    self.since[e["src"], bank] = e["t"]
            self.src[e["src"]] = e
        self.later = [x for x in self.later if x[0] > t]

    def seen(self, side, src, bank, t):
        """What the side sees: a bank that has just been given to it is still the other's."""
        owner = self.src[src]["owners"][bank]
        fresh = t < self.since.get((src, bank), -SEEN) + SEEN
        return {"math": "unpack", "unpack": "math"}[owner] if owner == side and fresh else owner

    def math(self, src, t):
        return self.seen("math", src, self.src[src]["math_bank"], t)

    def unpack(self, src, t):
        return self.seen("unpack", src, self.src[src]["unpack_bank"], t)


def in_order(lines):
    """Hand-overs of unpackers first in their cycle: they were there as it began."""
    def key(e):
        return (e.get("t", 0), not (e["ev"] == "bank" and e["op"].startswith("UNPACR")))
    return sorted(lines, key=key)


def replay(lines):
    section = next(e for e in lines if e["ev"] == "section")
    banks, work, open_, matrix, waits = Banks(section), {}, {}, [], {}
    for e in in_order([e for e in lines if "t" in e and e["ev"] != "section"]):
        t = e["t"]
        banks.settle(t)
        if e["ev"] == "bank":
            banks.turn(e)
        elif e["ev"] in ("unpack", "pack"):
            key = (e["ev"], e.get("unpacker", e.get("packer")), e["id"])
            if e["phase"] == "start":
                assert not any(k[:2] == key[:2] for k in open_), ("two at once", e)
                open_[key] = t
                if e["op"] == "UNPACR":
                    assert banks.unpack("AB"[key[1]], t) == "unpack", ("fetches into math's", e)
            elif e["phase"] == "end":
                assert open_.pop(key) == e["start"] and e["start"] + e["cycles"] == t, e
                assert e["issued"] <= e["start"] and e["at_least"] == (e["op"] != "UNPACR_NOP"), e
                work[key] = (e["start"], t)
                # In the cycle in which it comes it enters, and waits for nobody yet.
                assert e["ev"] != "pack" or waits.get(key, t) > e["issued"], (waits[key], e)
            elif e["phase"] == "wait" and e["ev"] == "pack":
                waits.setdefault(key, t)
            elif e["phase"] == "wait" and e["cause"].startswith("bank"):
                src, bank = e["cause"].split("Src")[1][0], int(e["cause"].split()[1])
                assert banks.seen("unpack", src, bank, t) == "math", e
        elif e["ev"] == "issue" and e["op"] in NEEDS:
            matrix.append(t)
            for src in NEEDS[e["op"]]:
                assert banks.math(src, t) == "math", ("reads the unpacker's", src, e)
        elif e["ev"] == "stall" and "that the unpacker" in e["cause"]:
            for src in "AB":
                if "Src" + src in e["cause"]:
                    assert banks.math(src, t) == "unpack", e
        elif e["ev"] == "stall" and "SEMWAIT" in e["cause"]:
            assert "semaphore " in e["cause"] or "met in this cycle" in e["cause"], e
    assert not open_, open_
    return banks, work, matrix


def compare_chrome(path, banks, work, last):
    slices, arrows, _ = check_chrome(path)
    got, owners = {}, collections.defaultdict(list)
    for (ts, track), group in slices.items():
        for ident, name, dur in group:
            kind, _, index = track.partition(" ")
            if kind in ("Unpack", "Pack") and "waits" not in name and "enters" not in name:
                got[kind.lower(), int(index), ident] = (ts, ts + dur)
            elif kind in ("SrcA", "SrcB"):
                owners[kind[3], int(index)].append((ts, dur, name))
    assert got == work, (set(got.items()) ^ set(work.items()))
    for key, spans in banks.spans.items():
        shown = sorted(owners[key])
        assert [(ts, name) for ts, _, name in shown] == spans, (key, shown, spans)
        for (ts, dur, _), (after, _, _) in zip(shown, shown[1:] + [(last, 0, "")]):
            assert ts + dur == after, (key, ts, dur, after)
    assert sum(name in ("unpack", "pack") for name, _, _ in arrows) >= len(work) // 2


def compare_konata(path, work):
    insns, _, _ = check_konata(path)
    spans = collections.defaultdict(set)
    for i in insns:
        for t, stage in i.spans:
            if stage in ("Un", "Pk"):
                spans[i.number].add(t)
    wanted = collections.defaultdict(set)
    for (_, _, ident), (start, end) in work.items():
        wanted[ident] |= set(range(start, end))
    for ident, cycles in wanted.items():
        missing = cycles - spans[ident]
        assert len(missing) <= 1, (ident, missing)  # in the first it stands at its gate


def compare_table(path, work, cycles):
    table = open(path).read().splitlines()
    assert table[-1].startswith("# at least %d cycles, " % cycles), table[-1]
    titles = next(line for line in table if line.startswith("     t |"))
    names = [name.strip() for name in titles.split("|")]
    for wanted in ("Unpack 0", "Unpack 1", "SrcA 0, 1", "SrcB 0, 1", "Matrix", "Pack", "T0", "T2"):
        assert wanted in names, (wanted, names)
    rows = {}
    for line in table:
        cells = [cell.strip() for cell in line.split(" |")]
        if cells[0].isdigit():
            rows[int(cells[0])] = dict(zip(names, cells))
    for (kind, index, ident), (start, _) in work.items():
        column = "Pack" if kind == "pack" else "Unpack %d" % index
        assert str(ident) in rows[start][column], (ident, start, rows[start])


def main():
    lines = [json.loads(line) for line in open(sys.argv[1])]
    end = lines[-1]
    assert end["ev"] == "end" and end["at_least"] is True, end
    banks, work, matrix = replay(lines)
    last = 1 + max(e["t"] for e in lines if "t" in e)
    compare_chrome(sys.argv[2], banks, work, last)
    compare_konata(sys.argv[3], work)
    compare_table(sys.argv[4], work, end["cycles"])
    beside = sum(any(a <= t < b for k, (a, b) in work.items() if k[0] == "unpack") for t in matrix)
    print(len(work), "at work,", len(matrix), "in the Matrix Unit,", beside, "beside an unpacker")
    if "overlap" in sys.argv[5:]:
        assert beside > 4, "no unpacker works while the Matrix Unit does"


if __name__ == "__main__":
    main()
