# SPDX-License-Identifier: Apache-2.0
"""Requests over NoC 0 to DRAM, to the worker beside the tile, and to two workers at once. A page of
each is borrowed: the kit has saved it."""

import random

from .. import script
from .base import Question
from .noc import ANSWER, ATOMIC, ME_TOO, MANY, READ, SOURCE, TARGET, WRITE, Niu, fill
from .openings import answers

THERE = script.PAGE_AT + 0x400  # in the L1 of others
EMPTY = 0xA5A5A5A5
ADD = 1 << 12 | 31 << 2
WRITES_ANSWERED, ATOMICS_ANSWERED, UNDER_WAY = 1, 0, 16


def at(place):
    return place[0] | place[1] << 6


def rectangle(first, last):
    return at(last) | at(first) << 12


def get(niu, batch, place, address, length, to=TARGET):
    """Reads so many bytes of another place into the own page."""
    niu.fire(batch, address, to, READ | ANSWER, length, to=at(place))


def put(niu, batch, place, address, length, control=WRITE | ANSWER):
    niu.fire(batch, SOURCE, address, control, length, returns=place)


def data_of(name, count):
    random_ = random.Random(f"noc {name}")
    return [random_.getrandbits(32) for _ in range(count)]


def there_and_back(niu, name, text, length, offset, where):
    """A write to a place, and a read of what is there then: lines before and behind it, too."""
    words = data_of(name, length // 4)

    def ask(batch):
        place, address = where(batch)
        fill(batch, SOURCE, [EMPTY] * 64)
        put(niu, batch, at(place), address, 256)
        fill(batch, SOURCE + offset, words)
        fill(batch, TARGET, [0] * 64)
        batch.step()
        niu.fire(
            batch,
            SOURCE + offset,
            address + offset,
            WRITE | ANSWER,
            length,
            returns=at(place),
        )
        get(niu, batch, place, address, 256)
        batch.step()
        batch.copy(1, TARGET, 64)

    return Question(f"noc/{name}", "noc", text, ask, wide=True)


def near(batch):
    return batch.near, THERE


def dram(batch):
    return batch.dram[:2], batch.dram[2]


def copies(niu):
    for length, offset in ((64, 0), (20, 16), (4, 64), (128, 64)):
        yield there_and_back(
            niu,
            f"worker/{length}-{offset}",
            f"{length} bytes to another worker at {offset} and back",
            length,
            offset,
            near,
        )
    for length, offset in ((64, 0), (32, 64), (128, 64)):
        yield there_and_back(
            niu,
            f"dram/{length}-{offset}",
            f"{length} bytes to DRAM at {offset} and back",
            length,
            offset,
            dram,
        )


def atomics(niu):
    def ask(batch):
        fill(batch, SOURCE, [7, 8, 9, 10])
        put(niu, batch, at(batch.near), THERE, 16)
        fill(batch, TARGET, [EMPTY] * 8)
        batch.step()
        niu.fire(batch, THERE, TARGET, ATOMIC | ANSWER, ADD, 5, to=at(batch.near))
        get(niu, batch, batch.near, THERE, 16, TARGET + 16)
        batch.step()
        batch.copy(1, TARGET, 8)

    yield Question(
        "noc/worker/atomic", "noc", "an atomic request to another worker", ask, wide=True
    )

    def elsewhere(batch):
        fill(batch, SOURCE, [7, EMPTY, EMPTY, EMPTY])
        put(niu, batch, at(batch.near), THERE, 16)
        batch.step()
        niu.fire(
            batch, SOURCE, THERE, ATOMIC | ANSWER, ADD, 1, returns=at(batch.near)
        )
        get(niu, batch, batch.near, THERE, 16)
        batch.step()
        batch.copy(1, SOURCE, 1)
        batch.copy(1, TARGET, 1)

    # The word that was there is the one that comes back: 8 before the second increment.
    def ask_elsewhere(batch):
        elsewhere(batch)
        niu.fire(batch, SOURCE, THERE, ATOMIC | ANSWER, ADD, 1, returns=at(batch.near))
        get(niu, batch, batch.near, THERE, 16)
        batch.step()
        batch.copy(1, TARGET, 1)

    yield Question(
        "noc/result-elsewhere",
        "noc open",
        "Does an atomic's result go to another worker that RET_ADDR names?",
        ask_elsewhere,
        lambda words, tile: words[-1:],
        about=["C29"],
        readings=answers(("it does", [8]), ("it is dropped", [7])),
        danger=1,
        wide=True,
    )


def multicasts(niu):
    words = data_of("multicast", 16)

    def both(batch):
        return rectangle(*sorted((batch.near, batch.far)))

    def all_three(batch):
        places = sorted((batch.place, batch.near, batch.far))
        return rectangle(places[0], places[-1])

    def empty(batch):
        """The place is empty in all three workers."""
        fill(batch, SOURCE, [EMPTY] * 64)
        for place in (batch.near, batch.far):
            put(niu, batch, at(place), THERE, 64)
        fill(batch, THERE, [EMPTY] * 16)
        fill(batch, TARGET, [0] * 64)

    def see(batch):
        get(niu, batch, batch.near, THERE, 64, TARGET)
        get(niu, batch, batch.far, THERE, 64, TARGET + 64)
        batch.step()

    def to_both(batch):
        empty(batch)
        fill(batch, SOURCE, words)
        batch.step()
        put(niu, batch, both(batch), THERE, 64, WRITE | ANSWER | MANY)
        see(batch)
        batch.copy(1, TARGET, 32)

    yield Question(
        "noc/multicast/write", "noc", "64 bytes to two workers at once", to_both, wide=True
    )

    def own(control):
        def ask(batch):
            empty(batch)
            fill(batch, SOURCE, words)
            batch.step()
            put(niu, batch, all_three(batch), THERE, 64, WRITE | ANSWER | MANY | control)
            see(batch)
            batch.load(1, THERE)
            batch.load(1, TARGET)
            batch.load(1, TARGET + 64)

        return ask

    first = words[0]
    for name, control, text, order in (
        ("without-me", 0, "Does a multicast reach its own tile in the rectangle?", ("no", "yes")),
        ("me-too", ME_TOO, "Does BRCST_SRC_INCLUDE let it reach its own tile?", ("yes", "no")),
    ):
        forms = {"no": [EMPTY, first, first], "yes": [first, first, first]}
        yield Question(
            f"noc/multicast/{name}",
            "noc open",
            text,
            own(control),
            about=["C16"],
            readings=answers(*[(label, forms[label]) for label in order]),
            wide=True,
        )

    def counted(batch):
        empty(batch)
        fill(batch, SOURCE, words)
        batch.step()
        niu.counter(batch, WRITES_ANSWERED)
        niu.counter(batch, UNDER_WAY)
        put(niu, batch, both(batch), THERE, 64, WRITE | ANSWER | MANY)
        niu.counter(batch, WRITES_ANSWERED)
        niu.counter(batch, UNDER_WAY)

    yield Question(
        "noc/multicast/answers",
        "noc open",
        "How many answers has a multicast to two workers, and what is left under way?",
        counted,
        lambda w, tile: [w[2] - w[0], w[3] - w[1] & 0xFF],
        about=["chip.md:2.4"],
        readings=answers(
            ("one of each worker, one start", [2, 0xFF]),
            ("one of each worker, each started", [2, 0]),
            ("one of all", [1, 0]),
        ),
        danger=1,
        wide=True,
    )

    def add(batch):
        fill(batch, SOURCE, [20, 30, 40, 50])
        for place in (batch.near, batch.far):
            put(niu, batch, at(place), THERE, 16)
        fill(batch, TARGET, [EMPTY] * 32)
        batch.step()
        niu.fire(batch, THERE, SOURCE + 64, ATOMIC | MANY, ADD, 3, to=both(batch))
        see(batch)
        batch.load(1, TARGET)
        batch.load(1, TARGET + 64)

    yield Question(
        "noc/multicast/atomic",
        "noc open",
        "Does an atomic to two workers count in both?",
        add,
        about=["chip.md:2.8"],
        readings=answers(("in both", [23, 23]), ("in the last one", [20, 23])),
        danger=1,
        wide=True,
    )


def questions(chip):
    niu = Niu(chip)
    yield from copies(niu)
    yield from atomics(niu)
    yield from multicasts(niu)
