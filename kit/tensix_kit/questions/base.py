# SPDX-License-Identifier: Apache-2.0
"""What a question is, and the ways of asking that several groups share."""

LREGS = 8
LANES = 32
ONE = 10  # the constant register of 1.0


class Question:
    """Asks something of a tile. Alternatives are readings that its answer decides between."""

    def __init__(
        self,
        name,
        group,
        text,
        ask,
        pick=None,
        about=(),
        readings=(),
        danger=0,
        timing=False,
        wide=False,
    ):
        self.name = name
        self.group = group
        self.text = text
        self._ask = ask
        self._pick = pick
        self.about = tuple(about)
        self.readings = tuple(readings)
        self.danger = danger  # 0; 1: leaves state behind; 2: may hang the tile
        self.timing = timing
        self.wide = wide  # it needs the two workers beside the tile

    def ask(self, batch):
        self._ask(batch)

    def answer(self, words, tile):
        if self._pick is not None:
            return [int(w) & 0xFFFFFFFF for w in self._pick(words, tile)]
        return list(words)


class Reading:
    """One of the alternatives: a rule of the emulator with its value, or the answer itself."""

    def __init__(self, label, rule=None, answer=None, test=None):
        self.label = label
        self.rule = rule  # "swap-tie=strict": the emulated card says what the answer is then
        self.answer = answer  # the words
        self.test = test  # or a function of the words


def rule(name, default, *others):
    """The readings of a rule of the emulator."""
    return [Reading(f"{name}={value}", rule=f"{name}={value}") for value in (default, *others)]


# ---- the Vector Unit ----


def quiet(chip):
    """The Vector Unit, its thread's counters and address modifiers as each question finds them."""
    op = chip.op
    words = [
        chip.thread_word("DEST_TARGET_REG_CFG_MATH_Offset", 0),
        chip.thread_word("CFG_STATE_ID_StateID", 0),
        op("SETRWC", BitMask=15),
    ]
    for section in range(8):
        name = f"ADDR_MOD_DST_SEC{section}_DestIncr"
        if name in chip.config:
            words.append(chip.thread_word(name, 0))
    words += [
        op("SFPENCC", imm12_math=3, instr_mod1=10),
        op("SFPCONFIG", imm16_math=0, config_dest=15, instr_mod1=1),
    ]
    return words


def still(chip):
    """Words that let whatever the Vector Unit still does come to its end."""
    return [chip.op("SFPNOP")] * 8


def load_regs(chip, row=0, last=3):
    return [
        chip.op("SFPLOAD", lreg_ind=n, instr_mod0=4, sfpu_addr_mode=last, dest_reg_addr=row + 2 * n)
        for n in range(LREGS)
    ]


def store_regs(chip, row, last=3):
    return [
        chip.op(
            "SFPSTORE", lreg_ind=n, instr_mod0=4, sfpu_addr_mode=last, dest_reg_addr=row + 2 * n
        )
        for n in range(LREGS)
    ]


def face_of(regs):
    """A face of sixteen rows whose SFPLOADs give these registers, 32 lanes each."""
    face = [0] * 256
    for n, lanes in enumerate(regs):
        for lane, value in enumerate(lanes):
            face[_cell(n, lane)] = value
    return face


def _cell(reg, lane):
    row = 4 * (reg // 2) + lane // 8
    return 16 * row + 2 * (lane % 8) + reg % 2


def regs_of(tile, face):
    """The registers that SFPSTOREs have put into a face."""
    return [tile[256 * face + _cell(n, lane)] for n in range(LREGS) for lane in range(LANES)]


def lreg_of(tile, face, reg):
    return [tile[256 * face + _cell(reg, lane)] for lane in range(LANES)]


def vector_ask(chip, program, regs, prepare=None):
    """Loads the registers that regs() gives, runs the words, stores the enabled lanes and the
    registers."""

    def ask(batch):
        batch.into_dst(face_of(regs()) + [0] * 768)
        batch.step()
        if prepare is not None:
            prepare(batch)
        batch.push(1, quiet(chip), load_regs(chip), still(chip), list(program), still(chip))
        batch.push(
            1, [chip.op("SFPSTORE", lreg_ind=ONE, instr_mod0=4, sfpu_addr_mode=3, dest_reg_addr=16)]
        )
        batch.push(1, [chip.op("SFPENCC", imm12_math=3, instr_mod1=10)], store_regs(chip, 32))
        batch.step()
        batch.out_of_dst()

    return ask


def vector_pick(_, tile):
    """Lanes that were enabled at the end as one word, then eight registers."""
    enabled = sum((tile[256 + _cell(0, lane)] != 0) << lane for lane in range(LANES))
    return [enabled, *regs_of(tile, 2)]
