# SPDX-License-Identifier: Apache-2.0
"""Cycles by the tile's own counter: a row is a slope between a short and a long run, so that what
pushing and waiting cost falls out. `tensix-kit figures` writes them as rows of figures."""

from .. import riscv as rv
from .base import Question, quiet
from .cores import SCRATCH

SHORT, LONG = 8, 40  # replays of a body, or copies of a sequence


def slope(words, tile=None):
    """Cycles of LONG - SHORT bodies, from the last four readings of the clock."""
    return [(words[-1] - words[-2]) - (words[-3] - words[-4]) & 0xFFFFFFFF]


class Figure(Question):
    """A question whose answer is a time, and how a row says it."""

    def __init__(self, name, area, configuration, quantity, unit, per, ask):
        super().__init__(
            f"time/{name}",
            "time",
            f"{configuration}: {quantity}",
            ask,
            slope,
            timing=True,
            danger=1,
        )
        self.area = area
        self.configuration = configuration
        self.quantity = quantity
        self.unit = unit
        self.per = per  # how often the quantity is in the answer

    def value(self, words):
        return words[0] / self.per


def replayed(chip, name, text, body, quantity="per instruction", count=None):
    """A body of at most 32 words from the replay buffer."""
    body = (body * (32 // len(body)))[:32]
    bodies = LONG - SHORT

    def ask(batch):
        batch.plain()
        batch.push(1, quiet(chip), chip.op("REPLAY", len=len(body) % 32, load_mode=1), body)
        batch.sync(1)
        for times in (SHORT, SHORT, LONG):  # the first is to fill caches
            batch.clock(1)
            batch.repeat(1, times, chip.op("REPLAY", len=len(body) % 32))
            batch.sync(1)
            batch.clock(1)

    return Figure(
        name,
        "vector",
        f"{text}, from the replay buffer",
        quantity,
        "cycles",
        bodies * (count or len(body)),
        ask,
    )


def vector(chip):
    op = chip.op
    rows = {
        "nop": ("SFPNOP", [op("SFPNOP")]),
        "mov": ("SFPMOV of independent registers", [op("SFPMOV", lreg_c=0, lreg_dest=1)]),
        "mad": (
            "SFPMAD, independent",
            [
                op("SFPMAD", lreg_src_a=0, lreg_src_b=0, lreg_src_c=9, lreg_dest=n)
                for n in (1, 2, 3, 4)
            ],
        ),
        "swap": (
            "SFPSWAP of other registers each",
            [
                op("SFPSWAP", lreg_src_c=0, lreg_dest=1, instr_mod1=1),
                op("SFPSWAP", lreg_src_c=2, lreg_dest=3, instr_mod1=1),
            ],
        ),
        "swap-nop": (
            "SFPSWAP and SFPNOP",
            [op("SFPSWAP", lreg_src_c=0, lreg_dest=1, instr_mod1=1), op("SFPNOP")],
        ),
        "rotate": (
            "SFPSHFT2 mode 3",
            [op("SFPSHFT2", lreg_src_c=0, lreg_dest=1, instr_mod1=3), op("SFPNOP")],
        ),
        "load-store": (
            "SFPLOAD and SFPSTORE of one place",
            [
                op("SFPLOAD", lreg_ind=0, instr_mod0=4, sfpu_addr_mode=3),
                op("SFPSTORE", lreg_ind=0, instr_mod0=4, sfpu_addr_mode=3),
            ],
        ),
        "stochastic": (
            "SFPSTOCHRND",
            [op("SFP_STOCH_RND", lreg_src_c=1, lreg_src_b=1, lreg_dest=2, instr_mod1=1)],
        ),
        "incrwc": ("INCRWC", [op("INCRWC")]),
        "dmanop": ("DMANOP", [op("DMANOP")]),
        "setdmareg": ("SETDMAREG", [op("SETDMAREG")]),
    }
    if chip.blackhole:
        rows["mad-chain"] = (
            "SFPMAD, each of the one before",
            [op("SFPMAD", lreg_src_a=1, lreg_src_b=0, lreg_src_c=9, lreg_dest=1)],
        )
        rows["mul24"] = (
            "SFPMUL24",
            [op("SFPMUL24", lreg_src_a=0, lreg_src_b=1, lreg_src_c=9, lreg_dest=2)],
        )
    for name, (text, body) in rows.items():
        yield replayed(chip, name, text, body)


def core(chip, name, text, body, quantity="per instruction", area="core", setup=(), count=1):
    """A sequence of a core's instructions, so often in a row."""

    def function(times):
        return [*setup, *body * times, rv.RETURN]

    def ask(batch):
        for word, value in ((0, SCRATCH), (4, 1)):
            batch.store(1, SCRATCH + word, value)
        for times in (SHORT, SHORT, LONG):  # the first is to fill caches
            batch.call(1, function(times))  # into the cache
            batch.words.pop()
            batch.clock(1)
            batch.commands[1] += batch.commands[1][-3:-1]
            batch.results[1] += 1
            batch.clock(1)

    return Figure(name, area, text, quantity, "cycles", (LONG - SHORT) * count, ask)


def cores(chip):
    div = rv.r_type(0x33, 5, 1, rv.A0, rv.A1, rv.A2)
    add = rv.i_type(0x13, 0, rv.A0, rv.A0, 1)
    to = rv.li(rv.T0, SCRATCH)
    yield core(chip, "addi", "addi, each of the one before", [add])
    yield core(
        chip, "mul", "mul, each of the one before", [rv.r_type(0x33, 0, 1, rv.A0, rv.A0, rv.A1)]
    )
    for dividend in (0, 1, 0xFF, 0xFFF, 0xFFFF, 0xFFFFFF, 0x1FFFFFF, 0x12345678, 0xFFFFFFFF):
        yield core(
            chip,
            f"divu-{dividend:x}",
            f"divu of {dividend:#x} by 3",
            [div],
            setup=[*rv.li(rv.A1, dividend), *rv.li(rv.A2, 3)],
        )
    yield core(
        chip,
        "load-chain",
        "lw from L1, each at the address of the one before",
        [rv.load(rv.LW, rv.T0, rv.T0)],
        setup=to,
    )
    yield core(
        chip,
        "load-four",
        "four independent lw from L1",
        [rv.load(rv.LW, r, rv.T0, 64 * n) for n, r in enumerate((10, 11, 12, 13))],
        setup=to,
        count=4,
        quantity="per load",
    )
    yield core(
        chip, "store-line", "sw to one line of L1", [rv.s_type(rv.SW, rv.T0, rv.A0, 8)], setup=to
    )
    yield core(
        chip,
        "store-lines",
        "sw to other lines of L1",
        [rv.s_type(rv.SW, rv.T0, rv.A0, 16 * n) for n in range(1, 5)],
        setup=to,
        count=4,
    )
    yield core(
        chip,
        "clock",
        "lw of the cycle counter, used",
        [rv.load(rv.LW, rv.A0, rv.T0), rv.i_type(0x13, 7, rv.A0, rv.A0, 1)],
        setup=rv.li(rv.T0, 0xFFB121F0),
        quantity="per load",
    )


def tiles(chip):
    """Unpacking a tile of INT32 to Dst, packing one: first word to the end of all work."""
    frame = chip.frame
    for name, thread, part, what in (
        ("unpack", 0, 0, "four UNPACR of 256 data of 32 bits to Dst"),
        ("pack", 2, 2, "PACR of 1024 data of 32 bits from Dst"),
    ):

        def ask(batch, thread=thread, part=part):
            batch.plain()
            batch.step()
            batch.into_dst([0] * 1024)
            batch.step()
            batch.out_of_dst()
            batch.step()
            words = frame[f"tile{part}"]
            for times in (1, 1, 5):
                batch.sync(thread)
                batch.clock(thread)
                batch.push(thread, words * times)
                batch.sync(thread)
                batch.clock(thread)

        yield Figure(name, name, what, "a tile", "cycles", 4, ask)


def questions(chip):
    yield from vector(chip)
    yield from cores(chip)
    yield from tiles(chip)


def rows(chip, data):
    """Rows of figures: id, area, chip, configuration, quantity, value, unit, source."""
    source = f"tensix-kit result {data['hash'][:12]}, {data['card'].get('tt_aiclk') or '?'} MHz"
    for number, figure in enumerate(questions(chip), 1):
        entry = data["questions"].get(figure.name)
        if entry and entry["state"] == "answered":
            yield "\t".join(
                [
                    f"k{number:03}",
                    figure.area,
                    chip.name,
                    figure.configuration,
                    figure.quantity,
                    f"{figure.value(entry['words']):.4g}",
                    figure.unit,
                    source,
                ]
            )
