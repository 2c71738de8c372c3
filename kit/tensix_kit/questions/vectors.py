# SPDX-License-Identifier: Apache-2.0
"""Conformance vectors of the Vector Unit: every instruction in every mode, on numbers that are
interesting. They have no answers of their own: the report computes them."""

import random

from .. import script
from .base import LANES, LREGS, Question, vector_ask, vector_pick

# Instructions whose operands are VC and VD, VA VB VC VD, or an immediate of sixteen bits and VD.
USES_IMMEDIATE = {
    "SFPSETEXP": 8,
    "SFPSETMAN": 12,
    "SFPSETSGN": 1,
    "SFPSHFT": 12,
    "SFPIADD": 12,
    "SFPDIVP2": 12,
    "SFPSHFT2": 12,
    "SFPSETCC": 1,
    "SFPENCC": 2,
}
TWO = (
    "SFPABS",
    "SFPAND",
    "SFPNOT",
    "SFPOR",
    "SFPXOR",
    "SFPLZ",
    "SFPMOV",
    "SFPEXEXP",
    "SFPEXMAN",
    "SFPSETEXP",
    "SFPSETMAN",
    "SFPSETSGN",
    "SFPSHFT",
    "SFPIADD",
    "SFPCAST",
    "SFPDIVP2",
    "SFPSWAP",
    "SFPSHFT2",
    "SFPTRANSP",
    "SFPSETCC",
    "SFPENCC",
    "SFPCOMPC",
    "SFPGT",
    "SFPLE",
    "SFPARECIP",
)
FOUR = ("SFPMAD", "SFPADD", "SFPMUL", "SFPMUL24", "SFPLUTFP32")
IMMEDIATE = ("SFPADDI", "SFPMULI", "SFPLOADI")
EACH = 3
NUMBERS = (
    0,
    0x80000000,
    1,
    0x80000001,
    0x007FFFFF,
    0x00800000,
    0x3F800000,
    0xBF800000,
    0x3F7FFFFF,
    0x40000000,
    0x7F7FFFFF,
    0xFF7FFFFF,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0xFFC00001,
    0x7F800001,
    0x7FFFFFFF,
    0xFFFFFFFF,
    0x4B000000,
    0x4B7FFFFF,
    0x33800000,
    0x437F0000,
    0x43800000,
    0x47800000,
    0x38800000,
    0x387FC000,
    0x477FE000,
)


def number(random_, kind):
    """A word that units find interesting: by list, of near exponents, an integer, any bits."""
    choice = random_.randrange(5) if kind is None else kind
    if choice == 0:
        return random_.choice(NUMBERS)
    if choice == 1:
        return (
            random_.getrandbits(1) << 31
            | (random_.randrange(96, 160) << 23)
            | random_.getrandbits(23)
        )
    if choice == 2:
        return (
            random_.getrandbits(1) << 31
            | (random_.randrange(120, 136) << 23)
            | random_.getrandbits(23) & random_.choice((0x7F0000, 0x7FFFFF, 0x400000))
        )
    if choice == 3:
        value = random_.randrange(1, 1 << random_.randrange(1, 32))
        return value if random_.getrandbits(1) else -value & 0xFFFFFFFF
    return random_.getrandbits(32)


def registers(random_):
    """A function that gives the registers: most questions are listed and never asked."""
    state = random_.getstate()

    def make():
        again = random.Random()
        again.setstate(state)
        return [[number(again, None) for _ in range(LANES)] for _ in range(LREGS)]

    return make


def condition(chip, random_):
    """Predication on, with a condition of one register."""
    return [
        chip.op("SFPENCC", imm12_math=3, instr_mod1=10),
        chip.op(
            "SFPSETCC", lreg_c=random_.randrange(LREGS), instr_mod1=random_.choice((0, 2, 4, 6))
        ),
    ]


def fields(chip, name):
    return {f[0]: f[2] for f in chip.instructions[name][1]}


def one(chip, name, mode, random_):
    """The word of an instruction of TWO, FOUR or IMMEDIATE with registers below eight."""
    values = {}
    for field, width in fields(chip, name).items():
        if field.startswith("instr_mod"):
            values[field] = mode & ((1 << width) - 1)
        elif field.startswith("imm"):
            width = min(width, 16 if name in IMMEDIATE else USES_IMMEDIATE.get(name, 0))
            values[field] = random_.choice((0, 1, 2, 5, 15, 31, 0x7FF, random_.getrandbits(16))) & (
                (1 << width) - 1
            )
        elif "lreg" in field:
            values[field] = random_.randrange(LREGS)
    if name in ("SFPADD",):
        values["lreg_src_a"] = 10
    if name in ("SFPMUL", "SFPMUL24"):
        values["lreg_src_c"] = 9
    return chip.op(name, **values)


def seeded(chip, seed):
    """What gives the generators a state before a vector that draws."""
    address = script.CONFIG + 4 * chip.config["PRNG_SEED_Seed_Val"][1]

    def before(batch):
        batch.store(1, address, seed)
        batch.settled(1)
        batch.delay(1, 700)

    return before


def rounding(chip):
    """SFPSTOCHRND in every mode, to nearest and stochastically, with seeds."""
    for mode in range(8):
        for way in range(2):
            for number_ in range(EACH):
                random_ = random.Random(f"{chip.name} round {mode} {way} {number_}")
                imm = random_.randrange(16) if mode in (4, 5) else 0
                word = chip.op(
                    "SFP_STOCH_RND",
                    rnd_mode=way,
                    imm8_math=imm,
                    lreg_src_b=random_.randrange(LREGS),
                    lreg_src_c=random_.randrange(LREGS),
                    lreg_dest=random_.randrange(LREGS),
                    instr_mod1=mode,
                )
                ask = vector_ask(
                    chip,
                    [word, word],
                    registers(random_),
                    prepare=seeded(chip, random_.getrandbits(31)),
                )
                yield Question(
                    f"vector/SFPSTOCHRND/{mode}-{way}/{number_}",
                    "vector unit",
                    f"SFPSTOCHRND in mode {mode}, rounding {way}",
                    ask,
                    vector_pick,
                )


def memory(chip):
    """SFPLOAD and SFPSTORE in every format, by way of rows of Dst that nothing else uses."""
    for mode in chip.modes["SFPSTORE"]:
        for back in sorted({mode, 4} & set(chip.modes["SFPLOAD"])):
            random_ = random.Random(f"{chip.name} memory {mode} {back}")
            words = []
            for n in range(4):
                words.append(
                    chip.op(
                        "SFPSTORE",
                        lreg_ind=n,
                        instr_mod0=mode,
                        sfpu_addr_mode=3,
                        dest_reg_addr=128 + 2 * n,
                    )
                )
            words += [chip.op("SFPNOP")] * 3
            for n in range(4):
                words.append(
                    chip.op(
                        "SFPLOAD",
                        lreg_ind=4 + n,
                        instr_mod0=back,
                        sfpu_addr_mode=3,
                        dest_reg_addr=128 + 2 * n,
                    )
                )
            yield Question(
                f"vector/SFPSTORE/{mode}-{back}/0",
                "vector unit",
                f"SFPSTORE in mode {mode}, SFPLOAD in mode {back}",
                vector_ask(chip, words, registers(random_)),
                vector_pick,
            )


def macros(chip):
    """SFPLOADMACRO: one template on each sub-unit, delays from 0 to 7, words one a cycle."""
    for number_ in range(24):
        random_ = random.Random(f"{chip.name} macro {number_}")
        templates = [
            one(chip, "SFPABS", 1, random_),
            chip.op("SFPMAD", lreg_src_a=0, lreg_src_b=1, lreg_src_c=2, lreg_dest=3),
        ]
        simple, mad = random_.randrange(8), random_.randrange(8)
        store = max(simple, mad + 1) + random_.randrange(3)
        sequence = (4 | simple << 3) | (5 | mad << 3 | 0x80 * random_.getrandbits(1)) << 8
        sequence |= (3 | min(store, 7) << 3) << 24
        words = []
        for n, template in enumerate(templates):
            # A template is written through VD 12 + n while DISABLE_BACKDOOR_LOAD is clear.
            place = {f[0]: f[1:] for f in chip.instructions["SFPABS" if n == 0 else "SFPMAD"][1]}
            lsb, width = place["lreg_dest"]
            words.append(template & ~(((1 << width) - 1) << lsb) | (12 + n) << lsb)
        words += [
            chip.op("SFPLOADI", lreg_ind=0, instr_mod0=10, imm16=sequence & 0xFFFF),
            chip.op("SFPLOADI", lreg_ind=0, instr_mod0=8, imm16=sequence >> 16),
            chip.op("SFPCONFIG", config_dest=4),
            chip.op("SFPCONFIG", config_dest=8, instr_mod1=1),
        ]
        words += [chip.op("SFPNOP")] * 2
        body = [
            chip.op(
                "SFPLOADMACRO",
                lreg_ind=4 + (number_ & 3),
                instr_mod0=4,
                sfpu_addr_mode=3,
                dest_reg_addr=2 * random_.randrange(4),
            )
        ]
        body += [chip.op("SFPNOP")] * 12
        words += [
            chip.op("REPLAY", len=len(body), load_mode=1),
            *body,
            chip.op("REPLAY", len=len(body)),
        ]
        yield Question(
            f"vector/SFPLOADMACRO/{number_}/0",
            "vector unit",
            f"SFPLOADMACRO, delays {simple}, {mad}, {store}",
            vector_ask(chip, words, registers(random_)),
            vector_pick,
        )


def questions(chip):
    yield from rounding(chip)
    yield from memory(chip)
    yield from macros(chip)
    yield from instructions(chip)


def instructions(chip):
    for name in (*TWO, *FOUR, *IMMEDIATE):
        if not chip.has(name):
            continue
        modes = chip.modes.get(name, [0])
        for mode in modes if len(modes) < 16 else range(4 if name in FOUR else 1):
            for number_ in range(EACH):
                random_ = random.Random(f"{chip.name} {name} {mode} {number_}")
                words = condition(chip, random_) if number_ == 2 else []
                words.append(one(chip, name, mode, random_))
                yield Question(
                    f"vector/{name}/{mode}/{number_}",
                    "vector unit",
                    f"{name} in mode {mode}",
                    vector_ask(chip, words, registers(random_)),
                    vector_pick,
                )
