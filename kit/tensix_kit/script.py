# SPDX-License-Identifier: Apache-2.0
"""Lists of commands for the program on the tile's cores (kit/harness/runner.c), a batch at a time.

A batch holds questions. Each has its tile of input and its tile of output in L1, and takes words
that the cores have put down as results. All three cores come together between questions.
"""

import struct

END, PUSH, STORE, LOAD, SYNC, CLOCK, STEP, COPY, CALL, AWAIT, REPEAT, STORE16, LOAD16, DELAY = (
    range(14)
)
CORES = 3
CONTROL, CONTROL_BYTES = 0x14000, 0x100
DOOR, DONE, LIST, RESULTS, PLACE, WRONG = range(6)
STEPS = 0x14400
LISTS, LIST_BYTES = 0x20000, 0x40000
ANSWERS, ANSWER_BYTES = 0xE0000, 0x10000
INPUTS, OUTPUTS, TILE = 0x110000, 0x130000, 4096
SLOTS = 32
CODE, CODE_BYTES = 0x15000, 0x8000  # programs that questions bring
PAGE_AT, PAGE = 0x1E000, 0x1000  # of L1, for questions that need plain memory
USED = 0x160000  # the kit touches nothing of L1 from here on
CONFIG, CONFIG_WORDS = 0xFFEF0000, 0x4000
GPRS = 0xFFE00000


# Words of the configuration that act when they are written, or belong to the RISC-V cores.
ACTIVE = (
    "PRNG_SEED",
    "RISCV_IC",
    "STATE_RESET",
    "RESET_PC",
    "END_PC",
    "RISC_PREFETCH",
    "DISABLE_RISC",
    "GLOBAL",
)


def plain_words(chip):
    """Words of the common configuration that may simply be zero."""
    fixed = {p[1] for name, p in chip.config.items() if any(a in name for a in ACTIVE)}
    found = set()
    for kind, word, lsb, width in chip.config.values():
        if kind != "thread":
            found.update(range(word, word + (lsb + width + 31) // 32))
    return sorted(found - fixed)


def plain_fields(chip):
    """Fields that share a word with one that acts when it is written: they are cleared alone."""
    fixed = {p[1] for name, p in chip.config.items() if any(a in name for a in ACTIVE)}
    return sorted(
        name
        for name, p in chip.config.items()
        if p[1] in fixed and p[0] != "thread" and not any(a in name for a in ACTIVE)
    )


# Instructions that write configuration: the field that names the word.
WRITERS = {
    "SETC16": "setc16_reg",
    "RMWCIB0": "CfgRegAddr",
    "RMWCIB1": "CfgRegAddr",
    "RMWCIB2": "CfgRegAddr",
    "RMWCIB3": "CfgRegAddr",
    "WRCFG": "CfgReg",
}


class Written:
    """Words of the configuration that questions have written since the units were reset. With one,
    a batch clears these alone; without, all that may be cleared."""

    def __init__(self, chip):
        self.chip = chip
        self.common = set()
        self.threads = set()
        self.writers = {}
        for name, field in WRITERS.items():
            opcode, layout = chip.instructions[name]
            places = {f[0]: f[1:] for f in layout}
            lsb, width = places[field]
            four = 1 << places["wr128b"][0] if name == "WRCFG" else 0
            into = self.threads if name == "SETC16" else self.common
            self.writers[opcode] = (lsb, (1 << width) - 1, four, into)

    def copy(self):
        other = Written(self.chip)
        other.common |= self.common
        other.threads |= self.threads
        return other

    def note(self, word):
        found = self.writers.get(word >> 24)
        if found:
            lsb, mask, four, into = found
            first = word >> lsb & mask
            into.update(range(first, first + (4 if word & four else 1)))

    def store(self, address):
        if CONFIG <= address < CONFIG + 4 * CONFIG_WORDS:
            self.common.add((address - CONFIG) // 4)


class Full(Exception):
    """The question does not fit into the batch any more."""


class Batch:
    """Commands of three cores, and where each question's answer will be."""

    def __init__(self, chip, tile=None, written=None):
        self.chip = chip
        self.written = written
        self.place = (tile.x, tile.y) if tile else (0, 0)  # for requests over the NoC
        self.near, self.far = (tile.near, tile.far) if tile else ((1, 0), (2, 0))
        self.dram = tile.dram if tile else (0, 0, 0)
        self.commands = [[] for _ in range(CORES)]
        self.results = [0] * CORES
        self.inputs = {}
        self.code = bytearray()
        self.asked = []
        self.steps = 0
        self.slot = 0
        self.words = []

    def add(self, question):
        """Takes the question in, or raises Full and stays as it was."""
        if self.slot == SLOTS:
            raise Full
        before = ([len(c) for c in self.commands], list(self.results), len(self.code), self.steps)
        written = self.written and self.written.copy()
        self.words = []
        self.packed = False
        self.step()
        question.ask(self)
        self.step()
        if (
            any(4 * len(c) + 4 > LIST_BYTES for c in self.commands)
            or any(4 * r > ANSWER_BYTES for r in self.results)
            or len(self.code) > CODE_BYTES
        ):
            for core in range(CORES):
                del self.commands[core][before[0][core] :]
            self.results, self.steps, self.written = before[1], before[3], written
            del self.code[before[2] :]
            self.inputs.pop(self.slot, None)
            if not self.asked:
                raise ValueError(f"{question.name} does not fit into an empty batch")
            raise Full
        self.asked.append((question, list(self.words), self.slot if self.packed else None))
        self.slot += 1

    # What questions are made of.

    def push(self, core, *words):
        flat = []
        for word in words:
            flat.extend(word if isinstance(word, (list, tuple)) else [word])
        if self.written:
            for word in flat:
                self.written.note(word)
        for at in range(0, len(flat), 1000):
            part = flat[at : at + 1000]
            self.commands[core] += [PUSH | len(part) << 8, *part]

    def repeat(self, core, times, *words):
        if self.written:
            for word in words:
                self.written.note(word)
        self.commands[core] += [REPEAT | len(words) << 8, times, *words]

    def store(self, core, address, value):
        if self.written:
            self.written.store(address)
        self.commands[core] += [STORE, address, value]

    def store16(self, core, address, value):
        self.commands[core] += [STORE16, address, value]

    def _result(self, core, count=1):
        self.words += [(core, self.results[core] + n) for n in range(count)]
        self.results[core] += count

    def load(self, core, address):
        self.commands[core] += [LOAD, address]
        self._result(core)

    def load16(self, core, address):
        self.commands[core] += [LOAD16, address]
        self._result(core)

    def copy(self, core, address, count):
        self.commands[core] += [COPY | count << 8, address]
        self._result(core, count)

    def clock(self, core):
        self.commands[core] += [CLOCK]
        self._result(core)

    def sync(self, core):
        self.commands[core] += [SYNC]

    def delay(self, core, cycles):
        self.commands[core] += [DELAY, cycles]

    def wait(self, core, address, mask, value):
        self.commands[core] += [AWAIT, address, mask, value]

    def settled(self, core):
        """Waits until what was stored to the configuration is there: a load comes behind it."""
        self.wait(core, CONFIG, 0, 0)

    def step(self):
        self.steps += 1
        for core in range(CORES):
            self.commands[core] += [STEP, self.steps]

    def call(self, core, program):
        """RISC-V words that end in a return; a0 becomes a result."""
        address = CODE + len(self.code)
        self.code += struct.pack(f"<{len(program)}I", *program)
        self.code += bytes(-len(self.code) % 16)
        self.commands[core] += [CALL, address]
        self._result(core)

    def config(self, core, **fields):
        for name, value in fields.items():
            self.push(core, self.chip.set_config(name, value))

    def plain(self):
        """Configuration, address counters and modifiers of all threads are zero."""
        words, fields = plain_words(self.chip), plain_fields(self.chip)
        threads = sorted({p[1] for p in self.chip.config.values() if p[0] == "thread"})
        if self.written:
            words = [w for w in words if w in self.written.common]
            fields = [f for f in fields if self.chip.config[f][1] in self.written.common]
            threads = [w for w in threads if w in self.written.threads]
        for word in words:
            self.store(1, CONFIG + 4 * word, 0)
        self.config(1, **dict.fromkeys(fields, 0))
        op = self.chip.op
        counters = [
            op("SETADCXY", CntSetMask=7, BitMask=15),
            op("SETADCZW", CntSetMask=7, BitMask=15),
            op("SETADCXX", CntSetMask=7),
            op("SETRWC", BitMask=15),
        ]
        for core in range(CORES):
            self.push(core, [op("SETC16", w, 0) for w in threads], counters)

    def input(self, words):
        """The tile of input; returns its address."""
        self.inputs[self.slot] = struct.pack("<1024I", *words)
        return INPUTS + TILE * self.slot

    def output(self):
        return OUTPUTS + TILE * self.slot

    def into_dst(self, words, faces=4):
        """Core 0 unpacks faces of 32-bit data into Dst from row 0 on."""
        address = self.input(words)
        frame = self.chip.frame
        self.push(0, frame["init0"])
        self.config(0, THCON_SEC0_REG3_Base_address=address // 16 - 1)
        self.push(0, frame["tile0"][: 3 + faces])

    def out_of_dst(self):
        """Core 2 packs the first 64 rows of Dst, 32 bits a datum, into the question's output."""
        self.packed = True
        frame = self.chip.frame
        self.push(2, frame["init2"])
        self.config(2, THCON_SEC0_REG1_L1_Dest_addr=0x80000000 | (self.output() // 16 - 1))
        self.push(2, frame["tile2"])

    # What the session takes.

    def list_of(self, core):
        words = [*self.commands[core], END]
        return struct.pack(f"<{len(words)}I", *words)
