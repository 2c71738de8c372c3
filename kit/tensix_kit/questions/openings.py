# SPDX-License-Identifier: Apache-2.0
"""What documents leave open about the Vector Unit, where no switch of the emulator has the other
reading: each alternative is stated by the words that it gives. The first one is the default."""

from .base import ONE, Question, Reading, face_of, lreg_of, quiet, still

OFF = 1  # SFPENCC: predication on, all lanes off
A_LOW, IMMEDIATE = 0xAAAA5555, 0x9234


def other(*known):
    """The reading that is none of these answers."""
    return Reading("something else", test=lambda words: list(words) not in [list(k) for k in known])


def answers(*pairs):
    """Readings by their words, and the one that is none of them."""
    found = [Reading(label, answer=list(words)) for label, words in pairs]
    return [*found, other(*[words for _, words in pairs])]


def put(chip, reg, value):
    """Words that give all enabled lanes of a register a value."""
    return [
        chip.op("SFPLOADI", lreg_ind=reg, instr_mod0=10, imm16=value & 0xFFFF),
        chip.op("SFPLOADI", lreg_ind=reg, instr_mod0=8, imm16=value >> 16),
    ]


def keep(chip, reg, place):
    """SFPSTORE of a register as it is: the place is one of eight in the answer."""
    return chip.op(
        "SFPSTORE", lreg_ind=reg, instr_mod0=4, sfpu_addr_mode=3, dest_reg_addr=16 + 2 * place
    )


def all_on(chip):
    return chip.op("SFPENCC", imm12_math=3, instr_mod1=10)


class Small:
    """A question whose words end in keep(): lane 0 of each place is the answer."""

    def __init__(self, chip, prefix, group):
        self.chip = chip
        self.prefix = prefix
        self.group = group

    def __call__(
        self,
        name,
        about,
        text,
        words,
        readings,
        places=1,
        danger=0,
        raw=False,
        lanes=(0,),
        before=None,
    ):
        chip = self.chip

        def ask(batch):
            batch.into_dst(face_of([[0] * 32] * 8) + [0] * 768)
            batch.step()
            if before is not None:
                before(batch)
            batch.push(1, [] if raw else quiet(chip), words, still(chip))
            batch.step()
            batch.out_of_dst()

        def pick(_, tile):
            return [lreg_of(tile, 1, n)[lane] for n in range(places) for lane in lanes]

        return Question(
            f"{self.prefix}/{name}",
            self.group,
            text,
            ask,
            pick,
            about=about.split(),
            readings=readings,
            danger=danger,
        )


def fp16_immediate(value):
    return (value >> 15 << 31) | ((value >> 10 & 31) + 112) << 23 | (value & 0x3FF) << 13


def loadi(chip, small):
    """Modes that no page has: which of the listed ones are they?"""
    forms = {
        "mode 0, BF16": IMMEDIATE << 16,
        "mode 1, FP16": fp16_immediate(IMMEDIATE),
        "mode 2, unsigned": IMMEDIATE,
        "mode 4, signed": 0xFFFF0000 | IMMEDIATE,
        "mode 8, upper half": IMMEDIATE << 16 | A_LOW & 0xFFFF,
        "mode 10, lower half": A_LOW & 0xFFFF0000 | IMMEDIATE,
        "nothing": A_LOW,
    }
    alias = {3: 2, 5: 4, 6: 4, 7: 4, 9: 1, 11: 10, 12: 4, 13: 4, 14: 10, 15: 10}
    for mode, listed in alias.items():
        first = next(k for k in forms if k.startswith(f"mode {listed},"))
        order = [first, *[k for k in forms if k != first]]
        words = [
            *put(chip, 0, A_LOW),
            chip.op("SFPLOADI", lreg_ind=0, instr_mod0=mode, imm16=IMMEDIATE),
            keep(chip, 0, 0),
        ]
        yield small(
            f"loadi-{mode}",
            "R8 O-13 E-LDI",
            f"What does SFPLOADI mode {mode} load?",
            words,
            answers(*[("as " + k if k != "nothing" else k, [forms[k]]) for k in order]),
        )


def shft2(chip, small):
    for mode in (7, 8, 11, 15):
        words = [
            *put(chip, 0, 0x11111111),
            *put(chip, 1, 0x22222222),
            *put(chip, 2, 0x33333333),
            *put(chip, 3, 0x44444444),
            chip.op("SFPSHFT2", lreg_src_c=0, lreg_dest=1, instr_mod1=mode),
            *still(chip),
            *[keep(chip, n, n) for n in range(4)],
        ]
        yield small(
            f"shft2-{mode}",
            "R9",
            f"What does SFPSHFT2 mode {mode} do?",
            words,
            answers(("nothing", [0x11111111, 0x22222222, 0x33333333, 0x44444444])),
            places=4,
        )
    words = [
        *put(chip, 0, 3),
        *put(chip, 1, 0x00010001),
        chip.op("SFPSHFT2", imm12_math=17, lreg_src_c=4, lreg_dest=2, instr_mod1=6),
        keep(chip, 2, 0),
    ]
    yield small(
        "shft2-coupled",
        "O-20",
        "Has SFPSHFT2 mode 6 one immediate for register and count?",
        words,
        answers(
            ("one for both", [0x00020000]),
            ("register 0", [0x00060000]),
            ("four bits of count", [0x00020002]),
        ),
    )


def flags(chip, small):
    """The stack of flags beyond its contract."""

    def push(on):
        return [chip.op("SFPENCC", imm12_math=OFF + 2 * on, instr_mod1=10), chip.op("SFPPUSHC")]

    def see(reg):
        return [chip.op("SFPPOPC"), chip.op("SFPMOV", lreg_c=ONE, lreg_dest=reg)]

    def seen(first, second, eighth, ninth):
        return [0x3F800000 if on else 0 for on in (first, second, eighth, ninth)]

    values = [0, 1, 1, 0, 0, 1, 0, 1, 0]
    words = [w for v in values for w in push(v)]
    for reg in range(4):
        words += [all_on(chip)] if reg == 0 else []
        words += put(chip, reg, 0) if reg == 0 else []
    words += [w for reg in (1, 2, 3) for w in put(chip, reg, 0)]
    words += [
        *see(0),
        *see(1),
        *[chip.op("SFPPOPC")] * 5,
        *see(2),
        *see(3),
        all_on(chip),
        *[keep(chip, n, n) for n in range(4)],
    ]
    yield small(
        "stack-ninth",
        "R3 O-3",
        "What becomes of a ninth push?",
        words,
        answers(
            ("a ring: it takes the oldest place", seen(0, 1, 1, 0)),
            ("the oldest is lost, the ninth pop is of an empty stack", seen(0, 1, 1, 1)),
            ("it is dropped", seen(1, 0, 0, 1)),
        ),
        places=4,
        danger=1,
    )
    words = [
        *put(chip, 0, 0),
        chip.op("SFPENCC", imm12_math=OFF, instr_mod1=10),
        *see(0),
        all_on(chip),
        keep(chip, 0, 0),
    ]
    yield small(
        "stack-empty",
        "R3 O-3",
        "Are the lanes on behind a pop of an empty stack?",
        words,
        answers(("on", [0x3F800000]), ("as before", [0])),
        danger=1,
    )
    words = [
        *put(chip, 0, 0),
        chip.op("SFPENCC", imm12_math=OFF, instr_mod1=10),
        chip.op("SFPCOMPC"),
        chip.op("SFPMOV", lreg_c=ONE, lreg_dest=0),
        all_on(chip),
        keep(chip, 0, 0),
    ]
    yield small(
        "stack-compc",
        "O-4",
        "What does SFPCOMPC see on top of an empty stack?",
        words,
        answers(("flags on", [0x3F800000]), ("flags off", [0])),
        danger=1,
    )
    if not chip.blackhole:
        words = [
            *put(chip, 0, 0),
            all_on(chip),
            chip.op("SFPPUSHC"),
            chip.op("SFPENCC", imm12_math=OFF, instr_mod1=10),
            chip.op("SFPPUSHC", instr_mod1=1),
            chip.op("SFPPOPC"),
            chip.op("SFPMOV", lreg_c=ONE, lreg_dest=0),
            all_on(chip),
            keep(chip, 0, 0),
        ]
        yield small(
            "pushc-mode",
            "O-12",
            "Does SFPPUSHC with a modifier push on Wormhole?",
            words,
            answers(("nothing is pushed", [0x3F800000]), ("it pushes", [0])),
            danger=1,
        )


def start(chip, small):
    """What a reset of the unit leaves."""
    words = [keep(chip, n, n) for n in range(8)]
    yield small(
        "reset-lregs",
        "R4 B-7",
        "Are L0 to L7 zero behind a reset?",
        words,
        answers(("zero", [0] * 8)),
        places=8,
        danger=1,
        raw=True,
    )
    words = [
        *[chip.op("SFPMOV", lreg_c=11 + n, lreg_dest=n, instr_mod1=2) for n in range(4)],
        *[keep(chip, n, n) for n in range(4)],
    ]
    constants = [0xBF800000, 0x3B000000, 0xBF2CC4C7, 0xBEB08FF9]
    yield small(
        "reset-constants",
        "R4 O-15",
        "Have L11 to L14 their constants behind a reset?",
        words,
        answers(("the constants", constants), ("zero", [0] * 4)),
        places=4,
        danger=1,
        raw=True,
    )
    words = [chip.op("SFPMOV", lreg_c=9, lreg_dest=0, instr_mod1=8), keep(chip, 0, 0)]
    yield small(
        "reset-prng",
        "R4 B-7 E-PRNG",
        "Is the generator at zero behind a reset?",
        words,
        answers(("zero", [0, 0])),
        danger=1,
        lanes=(0, 31),
    )
    words = [chip.op("SFPMOV", lreg_c=15, lreg_dest=0, instr_mod1=8), keep(chip, 0, 0)]
    yield small(
        "reset-laneconfig",
        "R4 O-15",
        "Is LaneConfig zero behind a reset?",
        words,
        answers(("zero", [0])),
        danger=1,
        raw=True,
    )


def index_bank(chip, small):
    """TEN-2932: ENABLE_DEST_INDEX is bit 2 of LaneConfig."""
    on = chip.op("SFPCONFIG", imm16_math=4, config_dest=15, instr_mod1=1)
    off = chip.op("SFPCONFIG", imm16_math=0, config_dest=15, instr_mod1=1)
    writers = {
        "mov": [chip.op("SFPMOV", lreg_c=0, lreg_dest=4)],
        "mad": [chip.op("SFPMAD", lreg_src_a=ONE, lreg_src_b=0, lreg_src_c=9, lreg_dest=4)],
        "iadd": [chip.op("SFPIADD", lreg_c=0, lreg_dest=4, instr_mod1=5)],
    }
    for name, words in writers.items():
        yield small(
            f"index-{name}",
            "R11 O-11 B-3",
            f"What reaches L4 from {words[0] >> 24:#x} while ENABLE_DEST_INDEX is set?",
            [
                *put(chip, 4, 0x41100000),
                *put(chip, 0, 0x40400000),
                on,
                *words,
                *still(chip),
                off,
                *still(chip),
                keep(chip, 4, 0),
            ],
            answers(("the result", [0x40400000]), ("what was there", [0x41100000]), ("zero", [0])),
            danger=1,
        )


def step(state):
    """The generator, as isa has it (R5)."""
    parity = bin(state & 0x80200003).count("1") & 1
    return ((parity ^ 1) << 31) | state >> 1


def draws(chip, small):
    config = chip.config["PRNG_SEED_Seed_Val"][1]

    def seeded(wait):
        def before(batch):
            address = 0xFFEF0000 + 4 * config
            batch.store(1, address, 0x1234ABCD)
            batch.settled(1)
            batch.delay(1, wait)

        return before

    draw = [chip.op("SFPMOV", lreg_c=9, lreg_dest=0, instr_mod1=8), keep(chip, 0, 0)]
    last = [chip.op("SFPMOV", lreg_c=9, lreg_dest=2, instr_mod1=8), keep(chip, 2, 1)]
    nearest = [
        *put(chip, 1, 0x3F808000),
        chip.op("SFP_STOCH_RND", lreg_src_c=1, lreg_src_b=1, lreg_dest=1, instr_mod1=1),
    ]
    readings = [
        Reading("it steps", test=lambda w: w[1] == step(step(w[0]))),
        Reading("it does not", test=lambda w: w[1] == step(w[0])),
        Reading("another generator", test=lambda w: w[1] not in (step(w[0]), step(step(w[0])))),
    ]
    yield small(
        "draw-nearest",
        "R5",
        "Does rounding to nearest step the generator?",
        [*draw, *nearest, *last],
        readings,
        places=2,
        before=seeded(700),
    )
    disabled = [
        chip.op("SFPENCC", imm12_math=OFF, instr_mod1=10),
        chip.op("SFPMOV", lreg_c=9, lreg_dest=3, instr_mod1=8),
        all_on(chip),
    ]
    readings = [
        Reading("it stands still", test=lambda w: w[1] == step(w[0])),
        Reading("it steps", test=lambda w: w[1] == step(step(w[0]))),
        readings[2],
    ]
    yield small(
        "draw-disabled",
        "R5",
        "Does a draw in a disabled lane step its generator?",
        [*draw, *disabled, *last],
        readings,
        places=2,
        before=seeded(700),
    )
    if chip.blackhole:
        half = [
            *put(chip, 1, 0x3F804000),
            chip.op(
                "SFP_STOCH_RND", rnd_mode=3, lreg_src_c=1, lreg_src_b=1, lreg_dest=1, instr_mod1=1
            ),
            keep(chip, 1, 0),
        ]
        yield small(
            "round-3",
            "E-RND3 B-6",
            "How does rounding mode 3 round?",
            half,
            [
                Reading("stochastically", test=lambda w: len(set(w)) == 2),
                Reading("to nearest, or down", test=lambda w: set(w) == {0x3F800000}),
                Reading("up", test=lambda w: set(w) == {0x3F810000}),
                Reading(
                    "something else",
                    test=lambda w: len(set(w)) > 2 or not set(w) <= {0x3F800000, 0x3F810000},
                ),
            ],
            lanes=range(32),
            before=seeded(700),
        )


def seed_time(chip):
    """Are draws right behind a seed those of later?"""
    word = chip.config["PRNG_SEED_Seed_Val"][1]
    address = 0xFFEF0000 + 4 * word

    def ask(batch):
        batch.into_dst([0] * 1024)
        batch.step()
        batch.push(1, quiet(chip))
        for place, wait in ((0, 0), (1, 1500)):
            batch.sync(1)
            batch.store(1, address, 0xCAFE1234)
            batch.settled(1)
            if wait:
                batch.delay(1, wait)
            batch.push(
                1,
                chip.op("SFPMOV", lreg_c=9, lreg_dest=place, instr_mod1=8),
                keep(chip, place, place),
            )
        batch.step()
        batch.out_of_dst()

    def pick(_, tile):
        return lreg_of(tile, 1, 0) + lreg_of(tile, 1, 1)

    return Question(
        "open/seed-time",
        "vector open",
        "Is a seed in place at once?",
        ask,
        pick,
        about=["O-2", "E-SEED"],
        readings=[
            Reading("at once", test=lambda w: w[:32] == w[32:]),
            Reading("it takes time", test=lambda w: w[:32] != w[32:]),
        ],
    )


def fields(chip, small):
    """Bits and operands that should not matter."""
    words = [
        *put(chip, 0, 0xC0490FDB),
        chip.op("SFPABS", imm12_math=0xABC, lreg_c=0, lreg_dest=1, instr_mod1=1),
        keep(chip, 1, 0),
    ]
    yield small(
        "unused-bits",
        "R0 E-UNUSED",
        "Are bits that no field covers ignored?",
        words,
        answers(("ignored", [0x40490FDB])),
    )
    words = [
        *put(chip, 0, 0x41000000),
        *put(chip, 1, 0),
        chip.op("SFPDIVP2", imm12_math=0x0FE, lreg_c=0, lreg_dest=1, instr_mod1=1),
        keep(chip, 1, 0),
    ]
    yield small(
        "divp2-bits",
        "R0",
        "Do bits 23:20 of SFPDIVP2 take part?",
        words,
        answers(("eight bits count", [0x40000000]), ("twelve bits count", [0x40800000])),
    )
    words = [
        *put(chip, 0, 0x40490FDB),
        chip.op("SFPMOV", lreg_c=0, lreg_dest=0, instr_mod1=6),
        chip.op("SFPENCC", imm12_math=OFF, instr_mod1=10),
        chip.op("SFPMOV", lreg_c=ONE, lreg_dest=0, instr_mod1=6),
        all_on(chip),
        keep(chip, 0, 0),
    ]
    yield small(
        "mov-mode-6",
        "E-MODE",
        "Is SFPMOV mode 6 mode 2?",
        words,
        answers(("mode 2: all lanes", [0x3F800000]), ("not in disabled lanes", [0x40490FDB])),
    )
    for target, value in ((9, 0), (10, 0x3F800000)):
        words = [
            *put(chip, 0, 0x40400000),
            chip.op("SFPCONFIG", config_dest=target),
            *still(chip),
            chip.op("SFPMOV", lreg_c=target, lreg_dest=1),
            keep(chip, 1, 0),
        ]
        yield small(
            f"config-{target}",
            "E-CFG910",
            f"Does SFPCONFIG write L{target}?",
            words,
            answers(("nothing is written", [value]), ("it is written", [0x40400000])),
            danger=2,
        )
    if chip.has("SFPMUL24"):
        words = [
            *put(chip, 0, 3),
            *put(chip, 1, 5),
            *put(chip, 2, 0x3F800001),
            chip.op("SFPMUL24", lreg_src_a=0, lreg_src_b=1, lreg_src_c=2, lreg_dest=3),
            *still(chip),
            keep(chip, 3, 0),
        ]
        yield small(
            "mul24-vc",
            "E-MUL24",
            "Does VC disturb a product of SFPMUL24?",
            words,
            answers(("it does, as isa says", [17]), ("it does not", [15])),
        )
        words = [*words[:4], *put(chip, 2, 5), *words[6:]]
        yield small(
            "mul24-denormal",
            "E-MUL24",
            "Does a denormal VC disturb SFPMUL24?",
            words,
            answers(("it does not", [15])),
        )
    words = [
        *put(chip, 0, 0x3F000000),
        *put(chip, 1, 0x40000000),
        chip.op("SFPADD", lreg_src_a=0, lreg_src_b=1, lreg_src_c=ONE, lreg_dest=2),
        *still(chip),
        keep(chip, 2, 0),
    ]
    yield small(
        "add-va",
        "E-ADD",
        "Does SFPADD multiply by a VA that is not L10?",
        words,
        answers(("it does", [0x40000000]), ("it takes 1.0", [0x40400000])),
    )
    words = [
        *put(chip, 0, 0x3F000000),
        *put(chip, 1, 0x40000000),
        chip.op("SFPMUL", lreg_src_a=0, lreg_src_b=1, lreg_src_c=ONE, lreg_dest=2),
        *still(chip),
        keep(chip, 2, 0),
    ]
    yield small(
        "mul-vc",
        "E-ADD",
        "Does SFPMUL add a VC that is not L9?",
        words,
        answers(("it does", [0x40000000]), ("it adds nothing", [0x3F800000])),
    )


def late(chip, small):
    """Two writes that end in one cycle, from the replay buffer."""
    from .experiments import replayed

    body = [
        chip.op("SFPMAD", lreg_src_a=0, lreg_src_b=0, lreg_src_c=9, lreg_dest=1),
        chip.op("SFPMOV", lreg_c=2, lreg_dest=1),
        *[chip.op("SFPNOP")] * 3,
    ]
    words = [
        *put(chip, 0, 0x40400000),
        *put(chip, 2, 0x42280000),
        *replayed(chip, body),
        keep(chip, 1, 0),
    ]
    yield small(
        "two-writes",
        "E-WAW",
        "Which of two writes that end in one cycle stays?",
        words,
        answers(("the younger", [0x42280000]), ("the older", [0x41100000])),
    )
    body = [
        chip.op("SFPLOADI", lreg_ind=0, instr_mod0=0, imm16=0x4000),
        chip.op("SFPCONFIG", config_dest=12),
        chip.op("SFPMOV", lreg_c=12, lreg_dest=1),
        *[chip.op("SFPNOP")] * 3,
    ]
    words = [*put(chip, 0, 0), *replayed(chip, body), keep(chip, 1, 0)]
    yield small(
        "config-next",
        "R2 E-VIS",
        "Does the next instruction see what SFPCONFIG wrote?",
        words,
        answers(("it does", [0x40000000])),
    )


def questions(chip):
    small = Small(chip, "open", "vector open")
    for group in (loadi, shft2, flags, start, index_bank, draws, fields, late):
        yield from group(chip, small)
    yield seed_time(chip)
