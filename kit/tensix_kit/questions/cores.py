# SPDX-License-Identifier: Apache-2.0
"""The RISC-V cores and what they reach: vectors of instructions, and what documents leave open."""

import random

from .. import riscv as rv
from .base import Question, Reading
from .openings import answers

SCRATCH = 0x1E000
OPERANDS = (0, 1, 2, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0xFFFF8000, 31, 32, 0x12345678, 0x00FF00F0)
HALFWORD = 0x8899AABB
HANG = 2
SEMAPHORES = 0xFFE80020
STOPS = "it waits for ever"


def timeout(label=STOPS):
    """The reading that the core does not go on: the answer is that there is none."""
    return Reading(label, answer="timeout")


def program(
    name, about, text, words, readings, chip=None, danger=0, core=1, prepare=(), group="cores"
):
    """A function on a core; what it returns is the answer."""

    def ask(batch):
        for address, value in prepare:
            batch.store(core, address, value)
        batch.call(core, [*words, rv.RETURN])

    return Question(
        f"cores/{name}", group, text, ask, about=about.split(), readings=readings, danger=danger
    )


def operations(chip):
    """Every operation of registers on operands of every kind."""
    names = {**rv.BASE, **(rv.BITS if chip.blackhole else {})}
    for name, (f3, f7) in names.items():
        random_ = random.Random(f"risc {name}")
        pairs = [(a, b) for a in OPERANDS for b in OPERANDS]
        pairs = random_.sample(pairs, 24) + [
            (random_.getrandbits(32), random_.getrandbits(32)) for _ in range(16)
        ]
        word = rv.r_type(0x33, f3, f7, rv.A0, rv.A1, rv.A2)
        yield vector(chip, name, [(a, b, word) for a, b in pairs])
    for name, (f3, imm) in (rv.ONE_OPERAND if chip.blackhole else {}).items():
        random_ = random.Random(f"risc {name}")
        values = [*OPERANDS, *[random_.getrandbits(random_.randrange(1, 33)) for _ in range(20)]]
        yield vector(chip, name, [(a, 0, rv.i_type(0x13, f3, rv.A0, rv.A1, imm)) for a in values])


def vector(chip, name, cases):
    words = rv.li(rv.T0, SCRATCH)
    for n, (a, b, word) in enumerate(cases):
        words += [*rv.li(rv.A1, a), *rv.li(rv.A2, b), word, rv.s_type(rv.SW, rv.T0, rv.A0, 4 * n)]

    def ask(batch):
        batch.call(1, [*words, *rv.settled(chip), rv.RETURN])
        batch.step()
        batch.copy(1, SCRATCH, len(cases))

    return Question(
        f"cores/op/{name}",
        "cores",
        f"{name} of many operands",
        ask,
        lambda words_, tile: words_[1:],
    )


def memory(chip):
    """Accesses that are no multiple of their size, or narrow."""
    base = [(SCRATCH, 0x44332211), (SCRATCH + 4, 0x88776655)]
    to = rv.li(rv.T0, SCRATCH)
    for offset, true in ((1, 0x55443322), (2, 0x66554433), (3, 0x77665544)):
        yield program(
            f"misaligned-lw-{offset}",
            "TL-5",
            f"What does lw at an address + {offset} load?",
            [*to, rv.load(rv.LW, rv.A0, rv.T0, offset)],
            answers(("the word below", [0x44332211]), ("the four bytes", [true])),
            prepare=base,
        )
    yield program(
        "misaligned-lhu",
        "TL-5",
        "What does lhu at an odd address load?",
        [*to, rv.load(rv.LHU, rv.A0, rv.T0, 1)],
        answers(("the halfword below", [0x2211]), ("the two bytes", [0x3322])),
        prepare=base,
    )
    yield program(
        "misaligned-sw",
        "TL-5",
        "Where does sw at an address + 2 store?",
        [
            *to,
            *rv.li(rv.A1, 0xAABBCCDD),
            rv.s_type(rv.SW, rv.T0, rv.A1, 2),
            *rv.settled(chip),
            rv.load(rv.LW, rv.A0, rv.T0, 0),
        ],
        answers(("at the word below", [0xAABBCCDD]), ("at the four bytes", [0xCCDD2211])),
        prepare=base,
    )
    gpr = 0xFFE00000 + 4 * 40
    to = rv.li(rv.T0, gpr)
    yield program(
        "narrow-store",
        "TL-7",
        "What does a store of a byte do to a GPR?",
        [
            *to,
            *rv.li(rv.A1, 0x44332211),
            rv.s_type(rv.SW, rv.T0, rv.A1, 0),
            rv.load(rv.LW, rv.A0, rv.T0, 0),
            rv.i_type(0x13, 0, rv.A1, rv.A0, 0),
            *rv.li(rv.A1, 0x55),
            rv.s_type(rv.SB, rv.T0, rv.A1, 0),
            *[rv.NOP] * 16,
            rv.load(rv.LW, rv.A0, rv.T0, 0),
        ],
        answers(
            ("it is dropped", [0x44332211]),
            ("the byte is stored", [0x44332255]),
            ("the word is stored", [0x55]),
        ),
    )
    yield program(
        "narrow-load",
        "TL-7",
        "What does lbu of the second byte of a GPR load?",
        [
            *to,
            *rv.li(rv.A1, 0x44332211),
            rv.s_type(rv.SW, rv.T0, rv.A1, 0),
            rv.load(rv.LW, rv.A0, rv.T0, 0),
            rv.i_type(0x13, 0, rv.A1, rv.A0, 0),
            rv.load(rv.LBU, rv.A0, rv.T0, 1),
        ],
        answers(("that byte", [0x22]), ("the first byte", [0x11]), ("zero", [0])),
    )
    if not chip.blackhole:
        to = rv.li(rv.T0, SCRATCH)
        yield program(
            "overtake",
            "E-OVERTAKE",
            "Does lhu of the upper half overtake sw of the word?",
            [
                *to,
                *rv.li(rv.A1, HALFWORD),
                rv.load(rv.LW, rv.A2, rv.T0, 0),
                rv.r_type(0x33, 0, 0, rv.A2, rv.A2, rv.A2),
                *[rv.NOP] * 8,
                rv.s_type(rv.SW, rv.T0, rv.A1, 0),
                rv.load(rv.LHU, rv.A0, rv.T0, 2),
            ],
            answers(("it does", [0x4433]), ("it does not", [0x8899])),
            prepare=base,
        )
    if chip.blackhole:
        yield stale()


def stale():
    """Does the data cache keep a word that another core has changed?"""

    def ask(batch):
        batch.store(1, SCRATCH, 1)
        batch.step()
        batch.delay(0, 400)
        batch.store(0, SCRATCH, 2)
        to = rv.li(rv.T0, SCRATCH)
        batch.call(
            1,
            [
                *to,
                rv.load(rv.LW, rv.A0, rv.T0),
                *rv.li(rv.A1, 1000),
                rv.i_type(0x13, 0, rv.A1, rv.A1, -1),
                rv.branch(1, rv.A1, rv.ZERO, -4),
                rv.load(rv.LW, rv.A0, rv.T0),
                rv.RETURN,
            ],
        )

    return Question(
        "cores/cache",
        "cores",
        "Does the data cache keep a word that another core changed?",
        ask,
        about=["T12"],
        readings=answers(("always fresh", [2]), ("stale", [1])),
    )


def registers(chip):
    """Semaphores, status words, CSRs."""
    seven = SEMAPHORES + 4 * 7
    to = rv.li(rv.T0, seven)
    empty = [w for _ in range(16) for w in (rv.s_type(rv.SW, rv.T0, rv.A1, 0),)]
    take = [*to, *rv.li(rv.A1, 1), *empty]
    post = rv.s_type(rv.SW, rv.T0, rv.ZERO, 0)
    see = [*[rv.NOP] * 8, rv.load(rv.LW, rv.A0, rv.T0, 0)]
    yield program(
        "semaphore-over",
        "TL-3",
        "What does a semaphore of 15 become when a core posts it?",
        [*take, *[post] * 17, *see, *empty],
        answers(("15", [15]), ("it goes round", [1])),
    )
    yield program(
        "semaphore-under",
        "TL-3",
        "What does a semaphore of 0 become when a core takes it?",
        [*take, *see],
        answers(("0", [0]), ("15", [15])),
    )
    down = [*to, *rv.li(rv.A1, 1), *[rv.s_type(rv.SW, rv.T0, rv.A1, 0)] * 8]

    def with_max(batch):
        batch.push(1, chip.op("SEMINIT", max_value=2, init_value=0, sem_sel=1 << 7))
        batch.sync(1)
        batch.call(1, [*to, *[post] * 5, *see, rv.RETURN])
        batch.call(1, [*down, rv.RETURN])

    yield Question(
        "cores/semaphore-max",
        "cores",
        "Does a core's post stop at the maximum?",
        with_max,
        lambda words, tile: words[:1],
        about=["T4", "TL-3"],
        readings=answers(("no", [5]), ("yes", [2])),
    )
    word = "0xFFB11014"
    yield program(
        "tdma-status",
        "T26",
        f"What is {word} at rest?",
        [*rv.li(rv.T0, 0xFFB11014), rv.load(rv.LW, rv.A0, rv.T0)],
        answers(("0x428", [0x428]), ("8", [8])),
    )
    place = 0xFFB20044 if chip.blackhole else 0xFFB2002C
    yield program(
        "node-id",
        "T25",
        "Is bit 28 of NIU 0's NODE_ID set?",
        [
            *rv.li(rv.T0, place),
            rv.load(rv.LW, rv.A0, rv.T0),
            rv.i_type(0x13, 5, rv.A0, rv.A0, 28),
            rv.i_type(0x13, 7, rv.A0, rv.A0, 1),
        ],
        answers(("set", [1]), ("clear", [0])),
    )
    if chip.blackhole:
        yield program(
            "hartid",
            "TL-29",
            "Is mhartid 0 on T1?",
            [rv.csr_read(rv.A0, 0xF14)],
            answers(("0", [0]), ("the core's number", [2]), ("the thread's", [1])),
        )
        yield program(
            "csr-unknown",
            "E-CSR",
            "What does a CSR give that the core has not?",
            [*rv.li(rv.A0, 7), rv.csr_read(rv.A0, 0x123)],
            [*answers(("0", [0])), timeout()],
            danger=HANG,
        )
        yield program(
            "misa",
            "E-CSR",
            "What is misa?",
            [rv.csr_read(rv.A0, 0x301)],
            answers(("0x40201123", [0x40201123])),
        )
        yield from floats()


def floats():
    """Blackhole's F: operands come and go by fmv."""

    def fmv_in(fd, rs):
        return rv.r_type(0x53, 0, 0x78, fd, rs, 0)

    out = rv.r_type(0x53, 0, 0x70, rv.A0, 3, 0)

    def two(f7, a, b, f3=0):
        return [
            *rv.li(rv.A1, a),
            *rv.li(rv.A2, b),
            fmv_in(1, rv.A1),
            fmv_in(2, rv.A2),
            rv.r_type(0x53, f3, f7, 3, 1, 2),
            out,
        ]

    yield program(
        "fadd-denormal",
        "TL-29",
        "Is a denormal a zero in fadd.s?",
        two(0, 0x00000003, 0),
        answers(("a zero", [0]), ("itself", [3])),
    )
    yield program(
        "fmul-denormal",
        "TL-29",
        "Is a denormal product of fmul.s a zero?",
        two(8, 0x00800000, 0x3F000000),
        answers(("a zero", [0]), ("itself", [0x00400000])),
    )
    yield program(
        "fmax-nan",
        "TL-29",
        "What is fmax.s of a number and a NaN?",
        two(0x14, 0x3F800000, 0x7FC00000, 1),
        answers(("the number", [0x3F800000]), ("NaN", [0x7FC00000])),
    )
    yield program(
        "fadd-nan",
        "TL-29",
        "Which NaN does fadd.s give?",
        two(0, 0x7F800000, 0xFF800000),
        answers(("7FC00000", [0x7FC00000]), ("FFC00000", [0xFFC00000])),
    )
    # (1 + 2^-12)^2 - (1 + 2^-11): 2^-24 where it rounds once, 0 where it rounds twice.
    words = [
        *rv.li(rv.A1, 0x3F800800),
        *rv.li(rv.A2, 0xBF801000),
        fmv_in(1, rv.A1),
        fmv_in(2, rv.A2),
        2 << 27 | 1 << 20 | 1 << 15 | 0 << 12 | 3 << 7 | 0x43,
        out,
    ]
    yield program(
        "fmadd-rounds",
        "TL-29",
        "Does fmadd.s round once or twice?",
        words,
        answers(("once", [0x33800000]), ("twice", [0])),
    )


def hangs(chip):
    """Where a core may not go on: the answer is a time-out, or a value."""
    unmapped = rv.li(rv.T0, 0xFFB0F000)
    yield program(
        "unmapped-load",
        "TL-6",
        "What does a load of an address give where nothing is?",
        [*unmapped, rv.load(rv.LW, rv.A0, rv.T0)],
        [timeout(), Reading("0", answer=[0]), Reading("something", test=lambda w: w != [0])],
        danger=HANG,
    )
    yield program(
        "unmapped-store",
        "TL-6",
        "Does a store to an address where nothing is stop the core?",
        [*unmapped, *rv.li(rv.A0, 5), rv.s_type(rv.SW, rv.T0, rv.A0, 0), *[rv.NOP] * 16],
        [Reading("it is dropped", answer=[5]), timeout()],
        danger=HANG,
    )
    yield program(
        "mailbox-self",
        "TL-20",
        "What does a core get from its mailbox to itself?",
        [
            *rv.li(rv.T0, 0xFFEC2000),
            *rv.li(rv.A1, 0x77),
            rv.s_type(rv.SW, rv.T0, rv.A1, 0),
            *[rv.NOP] * 16,
            rv.load(rv.LW, rv.A0, rv.T0),
        ],
        [
            timeout(),
            Reading("what it has put there", answer=[0x77]),
            Reading("something else", test=lambda w: w != [0x77]),
        ],
        danger=HANG,
    )
    yield program(
        "ebreak",
        "T9",
        "Does a core go on behind an ebreak without a debugger?",
        [*rv.li(rv.A0, 5), rv.EBREAK],
        [timeout("it stops"), Reading("it goes on", answer=[5])],
        danger=HANG,
    )
    for name, word in (("zeros-and-ones", 0xFFFFFFFF), ("custom-0", 0x0000000B)):
        yield program(
            f"illegal-{name}",
            "E-RISC",
            f"What does the word {word:08x} do?",
            [*rv.li(rv.A0, 5), word, rv.NOP],
            [
                Reading("nothing", answer=[5]),
                timeout("it stops"),
                Reading("something else", test=lambda w: w != [5]),
            ],
            danger=HANG,
        )


def questions(chip):
    yield from operations(chip)
    yield from memory(chip)
    yield from registers(chip)
    yield from hangs(chip)
