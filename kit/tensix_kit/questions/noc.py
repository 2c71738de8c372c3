# SPDX-License-Identifier: Apache-2.0
"""Requests over NoC 0 from the tile to itself: each byte stays in the L1 that the kit has saved."""

import random

from .base import Question, Reading
from .openings import answers

NIU = 0xFFB20000
SOURCE, TARGET = 0x1E000, 0x1E800  # in L1
READ, ATOMIC, WRITE, BYTES, INLINE, ANSWER = 0, 1, 2, 4, 8, 16
CHANNEL = 1 << 7 | 1 << 13
MANY, TREE, ME_TOO = 1 << 5, 1 << 8 | 1 << 7 | 4 << 13, 1 << 17  # to a rectangle of tiles
ATOMICS_ANSWERED, WRITES_ANSWERED, READS_ANSWERED, ACCEPTED_HERE, DATA_SENT, REQUESTS_HERE = (
    0,
    1,
    2,
    52,
    8,
    58,
)
WAIT = 3000


class Niu:
    """Register addresses of one chip, and a request."""

    def __init__(self, chip):
        blackhole = chip.blackhole
        self.chip = chip
        self.data = 0x28 if blackhole else 0x24
        self.command = 0x40 if blackhole else 0x28
        self.blackhole = blackhole

    def place(self, batch, field, address, at=None):
        x, y = batch.place
        at = x | y << 6 if at is None else at
        batch.store(1, NIU + field, address)
        if self.blackhole:
            batch.store(1, NIU + field + 4, 0)
            batch.store(1, NIU + field + 8, at)
        else:
            batch.store(1, NIU + field + 4, at << 4)

    def fire(self, batch, target, back, control, length, data=0, to=None, returns=None):
        """One request; the coordinates to and returns are the own ones where they are None."""
        self.place(batch, 0, target, to)
        self.place(batch, 0x0C, back, returns)
        batch.store(1, NIU + 0x18, 0)
        batch.store(1, NIU + 0x1C, control | (TREE if control & MANY else CHANNEL))
        batch.store(1, NIU + 0x20, length)
        if self.blackhole and not batch.written:  # else nobody has changed it
            batch.store(1, NIU + 0x24, 0)
        batch.store(1, NIU + self.data, data)
        batch.store(1, NIU + self.command, 1)
        batch.delay(1, WAIT)

    def counter(self, batch, index):
        batch.load(1, NIU + 0x200 + 4 * index)


def fill(batch, address, words):
    for n, word in enumerate(words):
        batch.store(1, address + 4 * n, word)


def copies(chip, niu):
    """Reads and writes: lengths, distances."""
    cases = [
        ("read", 64, 0, 0),
        ("read", 20, 0, 0),
        ("read", 256, 16, 32),
        ("write", 64, 0, 0),
        ("write", 20, 0, 0),
        ("write", 256, 32, 16),
        ("write", 4, 4, 4),
        ("read", 4, 12, 12),
    ]
    for kind, length, from_, to in cases:
        random_ = random.Random(f"noc {kind} {length}")
        data = [random_.getrandbits(32) for _ in range(80)]

        def ask(batch, kind=kind, length=length, from_=from_, to=to, data=data):
            fill(batch, SOURCE, data)
            fill(batch, TARGET, [0xA5A5A5A5] * 80)
            batch.step()
            if kind == "read":
                niu.fire(batch, SOURCE + from_, TARGET + to, READ | ANSWER, length)
            else:
                niu.fire(batch, SOURCE + from_, TARGET + to, WRITE | ANSWER, length)
            batch.step()
            batch.copy(1, TARGET, 80)

        yield Question(
            f"noc/{kind}/{length}-{from_}-{to}",
            "noc",
            f"a {kind} of {length} bytes from offset {from_} to {to}",
            ask,
        )


def shifted(chip, niu):
    """What a copy does whose ends are not alike modulo 16 (C5)."""
    data = [0x03020100 + 0x04040404 * n for n in range(16)]

    def ask(batch):
        fill(batch, SOURCE, data)
        fill(batch, TARGET, [0] * 16)
        batch.step()
        niu.fire(batch, SOURCE, TARGET + 4, WRITE | ANSWER, 16)
        batch.step()
        batch.copy(1, TARGET, 8)

    return Question(
        "noc/unaligned",
        "noc open",
        "Where does a write go whose target is not as its " "source modulo 16?",
        ask,
        about=["C5", "E-NOC"],
        readings=answers(
            ("byte by byte", [0, *data[:4], 0, 0, 0]),
            ("by the place in the line", [0, *data[1:4], data[0] & 0, 0, 0, 0]),
            ("as if aligned", [*data[:4], 0, 0, 0, 0]),
        ),
    )


def atomics(chip, niu):
    """Increments of every width, swaps, and what comes back."""
    cases = [
        ("inc-32", 1 << 12 | 31 << 2, 0xFFFFFFFE, 5),
        ("inc-8", 1 << 12 | 7 << 2, 0x123456FE, 5),
        ("inc-4", 1 << 12 | 3 << 2, 0xABCD000E, 5),
        ("inc-1", 1 << 12 | 0 << 2, 0x11, 1),
        ("swap-mask", 3 << 12 | 1 << 2, 0x11112222, 0x33334444),
        ("swap-both", 3 << 12 | 3 << 2, 0x11112222, 0x33334444),
        ("cas-hit", 4 << 12 | 9 << 6 | 5 << 2, 5, 0),
        ("cas-miss", 4 << 12 | 9 << 6 | 5 << 2, 6, 0),
        ("swap-index", 7 << 12, 0x11112222, 0x55556666),
    ]
    for name, length, before, data in cases:

        def ask(batch, length=length, before=before, data=data):
            fill(batch, SOURCE, [before, 0x100, 0x200, 0x300])
            fill(batch, TARGET, [0xA5A5A5A5] * 4)
            batch.step()
            niu.fire(batch, SOURCE, TARGET, ATOMIC | ANSWER, length, data)
            batch.step()
            batch.copy(1, SOURCE, 4)
            batch.copy(1, TARGET, 4)

        yield Question(f"noc/atomic/{name}", "noc", f"an atomic request, {name}", ask)

    def index2(batch):
        fill(batch, SOURCE, [10, 20, 30, 40])
        fill(batch, TARGET, [0xA5A5A5A5] * 4)
        batch.step()
        niu.fire(batch, SOURCE, TARGET, ATOMIC | ANSWER, 2 << 12, 3)
        batch.step()
        batch.copy(1, SOURCE, 4)

    yield Question(
        "noc/increment-pointer",
        "noc open",
        "Does atomic 2 change its word?",
        index2,
        about=["C14"],
        readings=[
            Reading("nothing happens", answer=[10, 20, 30, 40]),
            Reading("the word changes", test=lambda w: w != [10, 20, 30, 40]),
        ],
        danger=2,
    )


def counters(chip, niu):
    """Which counters move, by how much."""

    def between(name, text, about, index, readings, control, length, data=0):
        def ask(batch):
            fill(batch, SOURCE, [1, 2, 3, 4])
            batch.step()
            niu.counter(batch, index)
            niu.fire(batch, SOURCE, TARGET, control, length, data)
            niu.counter(batch, index)

        return Question(
            f"noc/counter/{name}",
            "noc open",
            text,
            ask,
            lambda words, tile: [words[1] - words[0] & 0xFFFFFFFF],
            about=about.split(),
            readings=readings,
        )

    yield between(
        "write-accepted",
        "Does a write count as a request accepted?",
        "C11",
        ACCEPTED_HERE,
        answers(("yes", [1]), ("no", [0])),
        WRITE | ANSWER,
        16,
    )
    yield between(
        "read-accepted",
        "Does a read count as a request accepted?",
        "C11",
        ACCEPTED_HERE,
        answers(("yes", [1]), ("no", [0])),
        READ | ANSWER,
        16,
    )
    yield between(
        "read-answered",
        "Does the counter of answered reads move by one for 64 bytes?",
        "C11",
        READS_ANSWERED,
        answers(("yes", [1])),
        READ | ANSWER,
        64,
    )
    yield between(
        "zero-length",
        "Does a read of no bytes have an answer?",
        "C21",
        READS_ANSWERED,
        answers(("yes", [1]), ("no", [0])),
        READ | ANSWER,
        0,
    )
    yield between(
        "write-words",
        "How many words are sent for a write of 64 bytes?",
        "C12",
        DATA_SENT,
        answers(
            ("one" if chip.blackhole else "two", [1 if chip.blackhole else 2]),
            ("another", [3 - (1 if chip.blackhole else 2)]),
        ),
        WRITE | ANSWER,
        64,
    )
    yield between(
        "atomic-answered",
        "Does an atomic without an answer count as answered?",
        "chip.md:2.8",
        ATOMICS_ANSWERED,
        answers(("no", [0]), ("yes", [1])),
        ATOMIC,
        1 << 12 | 31 << 2,
        1,
    )


def silent(chip, niu):
    """Is the result of an atomic written where no answer is asked for?"""

    def ask(batch):
        fill(batch, SOURCE, [7, 0, 0, 0])
        fill(batch, TARGET, [0xA5A5A5A5] * 4)
        batch.step()
        niu.fire(batch, SOURCE, TARGET, ATOMIC, 1 << 12 | 31 << 2, 1)
        batch.step()
        batch.copy(1, SOURCE, 1)
        batch.copy(1, TARGET, 1)

    return Question(
        "noc/atomic-silent",
        "noc open",
        "Is an atomic's result written without RESP?",
        ask,
        about=["chip.md:2.8"],
        readings=answers(("no", [8, 0xA5A5A5A5]), ("yes", [8, 7])),
    )


def questions(chip):
    niu = Niu(chip)
    yield from copies(chip, niu)
    yield from atomics(chip, niu)
    yield shifted(chip, niu)
    yield from counters(chip, niu)
    yield silent(chip, niu)
