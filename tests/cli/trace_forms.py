# SPDX-License-Identifier: Apache-2.0
"""trace_forms.py LINES CHROME KONATA: reads a trace in three forms, each on its own, and compares.

LINES is the output of --json. CHROME is checked against the Trace Event Format (ph, ts, dur, pid,
tid, name, flow events, metadata), KONATA against Konata's docs/kanata-log-format.md, version 0004.
Prints what was counted; the first violation is an assertion.
"""
import collections
import json
import sys

UNITS = ("Load", "Simple", "MAD", "Round", "Store")
STAGES = {"Load": "Ld", "Simple": "Si", "MAD": "Ma", "Round": "Ro", "Store": "St"}


def read_lines(path):
    """[(t, id, kind, unit, scheduled, dropped)] of everything that stands in a cycle."""
    found, cycles = [], None
    for line in open(path):
        e = json.loads(line)
        if e["ev"] in ("issue", "execute", "second", "stall"):
            found.append((e["t"], e["id"], e["ev"], e["unit"], "launch" in e,
                          e.get("dropped", False),
                          e.get("producer"), e.get("cause")))
        elif e["ev"] == "end":
            cycles = e["cycles"]
    return found, cycles


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def check_chrome(path):
    """The slices as {(ts, track): [(id, name)]}, and the flows as [(name, from, to)]."""
    data = json.load(open(path))
    assert data["displayTimeUnit"] in ("ms", "ns") and isinstance(data["otherData"], dict)
    names, slices, flows, marks, order = {}, collections.defaultdict(list), {}, 0, {}
    for e in data["traceEvents"]:
        ph = e["ph"]
        assert ph in "MXsfi" and e["pid"] == 1 and isinstance(e["name"], str) and e["name"], e
        if ph == "M":
            assert e["name"] in ("process_name", "thread_name", "thread_sort_index"), e
            if e["name"] == "thread_name":
                assert e["tid"] not in names
                names[e["tid"]] = e["args"]["name"]
            elif e["name"] == "thread_sort_index":
                order[e["tid"]] = e["args"]["sort_index"]
            continue
        assert number(e["ts"]) and isinstance(e["tid"], int) and e["tid"] in names, e
        if ph == "X":
            assert number(e["dur"]) and e["dur"] > 0 and isinstance(e["cat"], str), e
            slices[e["ts"], names[e["tid"]]].append((e["args"]["id"], e["name"], e["dur"]))
        elif ph in "sf":
            assert ph != "f" or e["bp"] == "e", e
            flows.setdefault((e["cat"], e["name"], e["id"]), {})[ph] = (e["ts"], names[e["tid"]])
        else:
            assert e["s"] in ("g", "p", "t"), e
            marks += 1
    assert len(set(names.values())) == len(names) and len(set(order.values())) == len(names)
    assert set(order) == set(names)
    # No slice reaches into another one of its track.
    ends = {}
    for (ts, track), group in sorted(slices.items()):
        assert ends.get(track, 0) <= ts, (ts, track, group)
        assert len({dur for _, _, dur in group}) == 1, group
        ends[track] = ts + group[0][2]
    arrows = []
    for (cat, name, ident), ends in flows.items():
        assert set(ends) == {"s", "f"} and cat == name, (cat, name, ident)
        assert ends["s"] in slices and ends["f"] in slices, (name, ends)
        assert ends["s"][0] < ends["f"][0], ends
        arrows.append((name, ends["s"], ends["f"]))
    return slices, arrows, marks


def compare_chrome(lines, slices, arrows):
    wanted = collections.Counter()
    starts = collections.Counter()
    for t, ident, kind, unit, _, dropped, _, _ in lines:
        inside = unit in UNITS and kind != "stall" and not dropped
        track = unit if inside else "issue"
        if kind == "second":
            continue
        wanted[t, track, ident] += 1
        starts[t, track] += 1
    for t, ident, kind, unit, _, _, _, _ in lines:
        if kind == "second" and not starts[t, unit]:
            wanted[t, unit, ident] += 1
    got = collections.Counter((ts, track.split(" ", 1)[1], ident)
                              for (ts, track), group in slices.items() for ident, _, _ in group)
    assert got == wanted, (got - wanted, wanted - got)
    held = collections.Counter((e[6]["t"], e[0]) for e in lines if e[6])
    assert held == collections.Counter((a[0], b[0]) for name, a, b in arrows if name == "hold")
    launched = sum(e[2] == "execute" for e in lines)
    assert launched == sum(name == "launch" for name, _, _ in arrows)


class Insn:
    def __init__(self, number_):
        self.number, self.lanes, self.spans = number_, {}, []
        self.retired, self.labels, self.held_by = False, ["", ""], []


def check_konata(path):
    """The instructions and the number of cycles of the log."""
    text = open(path).read()
    assert text.endswith("\n")
    rows = [line.split("\t") for line in text[:-1].split("\n")]
    assert rows[0] == ["Kanata", "0004"] and rows[1][0] == "C=" and len(rows[1]) == 2
    first = now = int(rows[1][1])
    insns, retire = [], 0
    for row in rows[2:]:
        command, args = row[0], row[1:]
        assert len(args) == {"C": 1, "I": 3, "L": 3, "S": 3, "E": 3, "R": 3, "W": 3}[command], row
        if command == "C":
            assert int(args[0]) > 0, row
            now += int(args[0])
            continue
        if command == "I":
            assert int(args[0]) == len(insns) and int(args[2]) in (0, 1, 2), row
            insns.append(Insn(int(args[1])))
            continue
        i = insns[int(args[0])]
        assert not i.retired, row
        if command == "L":
            i.labels[int(args[1])] += args[2]
        elif command == "S":
            assert args[1] == "0" and not i.lanes and args[2], row
            i.lanes[args[1]] = (args[2], now)
        elif command == "E":
            stage, since = i.lanes.pop(args[1])
            assert stage == args[2] and since < now, row
            i.spans += [(t, stage) for t in range(since, now)]
        elif command == "R":
            assert not i.lanes and i.spans and args[2] == "0" and int(args[1]) == retire, row
            i.retired, retire = True, retire + 1
        else:
            assert args[2] == "0" and args[0] != args[1], row
            assert insns[int(args[1])].spans or insns[int(args[1])].lanes, row
            i.held_by.append((now, insns[int(args[1])].number))
    assert all(i.retired and i.labels[0] and i.labels[1] for i in insns)
    return insns, first, now


def compare_konata(lines, insns):
    wanted = collections.Counter()
    for t, ident, kind, unit, _, _, _, _ in lines:
        stage = "Stall" if kind == "stall" else STAGES.get(unit, "Fr")
        wanted[t, ident, stage + ("2" if kind == "second" else "")] += 1
    got = collections.Counter((t, i.number, stage) for i in insns for t, stage in i.spans)
    assert got == wanted, (got - wanted, wanted - got)
    held = collections.Counter((e[0], e[6]["id"]) for e in lines if e[6])
    assert held == collections.Counter(w for i in insns for w in i.held_by)
    for e in lines:
        if e[2] == "stall":
            assert any(i.number == e[1] and e[7] in i.labels[1] for i in insns), e


def main():
    lines, cycles = read_lines(sys.argv[1])
    slices, arrows, marks = check_chrome(sys.argv[2])
    insns, first, last = check_konata(sys.argv[3])
    compare_chrome(lines, slices, arrows)
    compare_konata(lines, insns)
    if sys.argv[4:] != ["part"]:
        # The count of cycles begins with the first instruction, not with a REPLAY before it.
        replay = min(e[0] for e in lines if e[3] != "front")
        assert first == 0 and last == cycles + replay, (first, last, cycles, replay)
    print(len(lines), "entries,", sum(e[2] == "stall" for e in lines), "held,", len(arrows),
          "arrows,", marks, "marks")


if __name__ == "__main__":
    main()
