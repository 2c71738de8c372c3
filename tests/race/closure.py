#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second opinion on random programs: closure.py TENSIX SEED COUNT.

Two threads of Blackhole load and store rows of Dst with the Vector Unit, write the configuration
that these read, and wait for each other with STALLWAIT, SEMPOST, SEMWAIT and SEMGET. What orders
what is written down here once more, as edges of a graph between the passing of a gate and the work
of a unit, and closed by force. tensix race has to find races at exactly those rows and words where
two accesses are not connected, and no pair that is.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SYNC, CFG, SFPU = 1 << 1, 1 << 7, 1 << 8  # bits of a block mask
WAIT_SFPU, THCON = 0x800, 1  # of a condition mask
HOLDS = {"store": SFPU, "load": SFPU, "offset": CFG, "post": SYNC, "get": SYNC}
# What STALLWAIT and SEMWAIT are is held by every block mask on this chip.


def make_program(rng):
    """Lists of (kind, argument, argument) for threads 0 and 1; semaphores go from 0 to 1."""
    threads = ([], [])
    posts = rng.randrange(0, 4)
    for t in range(2):
        for _ in range(rng.randrange(3, 14)):
            kind = rng.choice(["store", "load", "load", "store", "offset", "stall", "nop"])
            if kind in ("store", "load"):
                threads[t].append((kind, 4 * rng.randrange(0, 3), 0))
            elif kind == "offset":
                threads[t].append((kind, 0, 0))
            elif kind == "stall":
                block = rng.choice([SYNC, CFG, SFPU, SYNC | SFPU, CFG | SFPU])
                threads[t].append((kind, block, rng.choice([WAIT_SFPU, THCON])))
            else:
                threads[t].append((kind, 0, 0))
    for _ in range(posts):
        threads[0].insert(rng.randrange(len(threads[0]) + 1), ("post", 0, 0))
    at = 0
    for _ in range(posts):  # one SEMWAIT, and some time later SEMGET, for each post
        at = rng.randrange(at, len(threads[1]) + 1)
        block = rng.choice([SFPU | SYNC, SYNC, CFG | SYNC])
        threads[1].insert(at, ("wait", block, 0))
        at = rng.randrange(at + 1, len(threads[1]) + 1)
        threads[1].insert(at, ("get", 0, 0))
        at += 1
    return threads


TEXT = {
    "store": "sfpstore L0, {0}, 2, 3",
    "load": "sfpload L1, {0}, 2, 3",
    "offset": "ttsetc16 1, 0",
    "stall": "ttstallwait {0}, {1}",
    "nop": "ttnop",
    "post": "ttsempost p_stall::SEMAPHORE_2",
    "get": "ttsemget p_stall::SEMAPHORE_2",
    "wait": "ttsemwait {0}, p_stall::SEMAPHORE_2, p_stall::STALL_ON_ZERO",
}


def write_program(threads):
    """The text, and the line of each instruction."""
    lines = [".arch bh"]
    places = ([], [])
    for t, name in enumerate(("unpack", "math")):
        lines.append(f".thread {name}")
        if t == 0:
            lines += [".init", "    ttseminit 15, 0, p_stall::SEMAPHORE_2"]
        lines.append(".tile")
        for kind, a, b in threads[t]:
            lines.append("    " + TEXT[kind].format(a, b))
            places[t].append(len(lines))
    return "\n".join(lines) + "\n", places


def connect(threads):
    """Edges between ("gate", t, i) and ("unit", t, i), as sets of successors."""
    edges = {}

    def edge(a, b):
        edges.setdefault(a, set()).add(b)

    posts = [("gate", 0, i) for i, op in enumerate(threads[0]) if op[0] == "post"]
    for t in range(2):
        ops = threads[t]
        unit = [i for i, op in enumerate(ops) if op[0] in ("store", "load")]
        for i in range(len(ops) - 1):
            edge(("gate", t, i), ("gate", t, i + 1))
        for i in unit:
            edge(("gate", t, i), ("unit", t, i))
        for i, j in zip(unit, unit[1:]):
            edge(("unit", t, i), ("unit", t, j))
        gets = 0
        for i, (kind, block, condition) in enumerate(ops):
            gets += kind == "get"
            if kind not in ("stall", "wait"):
                continue
            held = [
                j
                for j in range(i + 1, len(ops))
                if ops[j][0] in ("stall", "wait") or HOLDS.get(ops[j][0], 0) & block
            ]
            if not held:
                continue
            if kind == "wait":
                edge(posts[gets], ("gate", t, held[0]))
            elif condition & WAIT_SFPU:
                for k in unit:
                    if k < i:
                        edge(("unit", t, k), ("gate", t, held[0]))
    return edges


def reach(edges, start):
    seen, todo = {start}, [start]
    while todo:
        for b in edges.get(todo.pop(), ()):
            if b not in seen:
                seen.add(b)
                todo.append(b)
    return seen


def accesses(threads):
    """(node, state, writes, t, i)"""
    for t in range(2):
        for i, (kind, row, _) in enumerate(threads[t]):
            if kind in ("store", "load"):
                yield ("unit", t, i), ("dst", row), kind == "store", t, i
                yield ("unit", t, i), ("offset", t), False, t, i
                # L0 is read by stores, L1 written by loads.
                yield ("unit", t, i), ("lreg", 0 if kind == "store" else 1), kind == "load", t, i
            elif kind == "offset":
                yield ("gate", t, i), ("offset", t), True, t, i


def races_by_force(threads, places):
    """All pairs of lines that race, and those that have to be told: a pair need not be if a later
    access of one side, which as much races with, stands between."""
    edges = connect(threads)
    after = {}
    all_accesses = list(accesses(threads))
    for node, *_ in all_accesses:
        if node not in after:
            after[node] = reach(edges, node)

    def race(a, b):
        apart = b[0] not in after[a[0]] and a[0] not in after[b[0]]
        return a[1] == b[1] and (a[2] or b[2]) and a[0] != b[0] and apart

    def shielded(a, b):
        """By one that comes after a, does as much, and races with b as well."""
        return any(
            z[1] == a[1] and z[0] != a[0] and z[0] in after[a[0]] and (z[2] or not a[2])
            and race(z, b)
            for z in all_accesses
        )

    found, needed = set(), set()
    for x, a in enumerate(all_accesses):
        for b in all_accesses[:x]:
            if race(a, b):
                pair = (a[1][0], frozenset((places[a[3]][a[4]], places[b[3]][b[4]])))
                found.add(pair)
                if not shielded(a, b) and not shielded(b, a):
                    needed.add(pair)
    return found, needed


def state_of(race):
    text = race["state"]
    if text.startswith("Dst row"):
        return ("dst", int(re.search(r"\d+", text).group()) // 4 * 4)
    if text.startswith("DEST_TARGET_REG_CFG_MATH_Offset"):
        return ("offset", int(re.search(r"of T(\d)", text).group(1)))
    return ("lreg", int(re.match(r"L(\d+)$", text).group(1)))


def main():
    tensix, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    bad = total = 0
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "random.s"
        for n in range(count):
            threads = make_program(rng)
            text, places = write_program(threads)
            path.write_text(text, encoding="utf-8")
            done = subprocess.run(
                [tensix, "race", str(path), "--json", "--every", "--all"],
                capture_output=True,
                text=True,
            )
            answer = json.loads(done.stdout)
            if "races" not in answer:
                print(f"program {n}: {done.stdout}\n{text}")
                return 1
            told = {
                (state_of(r)[0], frozenset(p["line"] for p in r["places"]))
                for r in answer["races"]
            }
            forced, needed = races_by_force(threads, places)
            total += len(needed)
            if not told <= forced or not needed <= told:
                bad += 1
                print(f"program {n}: wrong {told - forced}\nmissed {needed - told}\n{text}")
    print(f"{count} programs, {total} pairs by force, {bad} differ")
    return 1 if bad or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
