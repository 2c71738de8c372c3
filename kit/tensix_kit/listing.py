# SPDX-License-Identifier: Apache-2.0
"""The program of a question in two lines: what runs, and what is read. What every question has
around it (data on the way into Dst and out of it, configuration that is cleared) is left out."""

import subprocess

from . import script
from .questions import base

REGISTERS = (
    "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 "
    "t3 t4 t5 t6"
).split()
THREADS = ("unpack", "math", "pack")
MOST = 24  # instructions in a line


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def riscv(word):
    """A RISC-V instruction as text, of those that questions use."""
    opcode, f3 = word & 0x7F, word >> 12 & 7
    rd, rs1, rs2 = (REGISTERS[word >> n & 31] for n in (7, 15, 20))
    imm = signed(word >> 20, 12)
    if opcode == 0x37:
        return f"lui {rd}, {word >> 12:#x}"
    if opcode == 0x13 and (f3 == 0 or f3 == 7):
        return f"{'addi' if f3 == 0 else 'andi'} {rd}, {rs1}, {imm}"
    if opcode == 0x13 and f3 == 5 and word >> 25 == 0:
        return f"srli {rd}, {rs1}, {word >> 20 & 31}"
    if opcode == 0x03:
        name = {0: "lb", 1: "lh", 2: "lw", 4: "lbu", 5: "lhu"}[f3]
        return f"{name} {rd}, {imm}({rs1})"
    if opcode == 0x23:
        name = {0: "sb", 1: "sh", 2: "sw"}[f3]
        return f"{name} {rs2}, {signed((word >> 25) << 5 | word >> 7 & 31, 12)}({rs1})"
    if opcode == 0x33 and f3 == 0 and word >> 25 == 0:
        return f"add {rd}, {rs1}, {rs2}"
    if opcode == 0x63 and f3 == 1:
        return f"bne {rs1}, {rs2}, back"
    if opcode == 0x73 and f3 == 2:
        return f"csrr {rd}, {word >> 20:#x}"
    if opcode == 0x0F:
        return "fence"
    return "ebreak" if word == 0x00100073 else f".word {word:#010x}"


def shorter(words):
    """lui and addi of one register are li."""
    found, at = [], 0
    while at < len(words):
        word = words[at]
        after = words[at + 1] if at + 1 < len(words) else 0
        rd = word >> 7 & 31
        if word & 0x7F == 0x37 and after & 0xFFFFF == (rd << 15 | rd << 7 | 0x13):
            value = (word & 0xFFFFF000) + signed(after >> 20, 12) & 0xFFFFFFFF
            found.append(f"li {REGISTERS[rd]}, {value:#x}")
            at += 2
        else:
            found.append(riscv(word))
            at += 1
    return found


class Listing(script.Batch):
    """Takes a question's commands down instead of making lists of them."""

    def __init__(self, chip):
        super().__init__(chip)
        self.runs = []  # text, or a word of the coprocessor with its thread
        self.reads = []
        self.usual = [base.quiet(chip), base.still(chip), base.load_regs(chip)]
        self.usual.append(base.store_regs(chip, 32))
        self.whole = False

    def take(self, question):
        self.words, self.packed = [], False
        question.ask(self)
        if self.whole:
            self.reads.append("L0 to L7 and the enabled lanes")
        elif self.packed and not self.reads:
            self.reads.append("rows 0 to 63 of Dst")
        return self

    def push(self, core, *words):
        flat = []
        for word in words:
            flat.extend(word if isinstance(word, (list, tuple)) else [word])
        at = 0
        while at < len(flat):
            run = next((u for u in self.usual if flat[at : at + len(u)] == u), None)
            if run is not None:
                self.whole = self.whole or run is self.usual[3]
                at += len(run)
                continue
            self.note(core, flat[at])
            at += 1

    def note(self, core, word):
        opcode, layout = self.chip.instructions["SFPSTORE"]
        if word >> 24 == opcode:
            fields = {n: word >> lsb & (1 << width) - 1 for n, lsb, width in layout}
            if fields["instr_mod0"] == 4 and fields["dest_reg_addr"] in range(16, 32):
                if fields["lreg_ind"] != base.ONE:
                    self.reads.append(f"L{fields['lreg_ind']}")
                return
        self.runs.append((core, word))

    def repeat(self, core, times, *words):
        self.runs.append(f"{times} times:")
        self.push(core, *words)

    def store(self, core, address, value):
        last = self.runs[-1] if self.runs else None
        if isinstance(last, list) and last[1] == address:
            last[1], last[2] = address + 4, last[2] + [value]
        else:
            self.runs.append([address, address + 4, [value]])

    def store16(self, core, address, value):
        self.runs.append(f"halfword [{address:#x}] = {value:#x}")

    def load(self, core, address):
        self.reads.append(f"[{address:#x}]")

    load16 = load

    def copy(self, core, address, count):
        self.reads.append(f"[{address:#x}], {count} words" if count > 1 else f"[{address:#x}]")

    def clock(self, core):
        self.reads.append("the clock")

    def sync(self, core):
        self.runs.append("wait for the unit")

    def delay(self, core, cycles):
        self.runs.append(f"wait {cycles} cycles")

    def wait(self, core, address, mask, value):
        self.runs.append(f"wait until [{address:#x}] & {mask:#x} is {value:#x}")

    def settled(self, core):
        pass

    def step(self):
        pass

    def call(self, core, program):
        self.runs += shorter([w for w in program if w != 0x00008067])  # without the return
        self.reads.append("a0")

    def config(self, core, **fields):
        self.runs += [f"{name} = {value:#x}" for name, value in fields.items()]

    def plain(self):
        pass

    def into_dst(self, words, faces=4):
        pass

    def out_of_dst(self):
        self.packed = True


def stored(at, values):
    if len(values) == 1:
        return f"[{at:#x}] = {values[0]:#x}"
    if len(set(values)) == 1:
        return f"[{at:#x}] = {len(values)} words {values[0]:#x}"
    shown = " ".join(f"{v:x}" for v in values[:12])
    return f"[{at:#x}] = {shown}" + (f" and {len(values) - 12} more" if len(values) > 12 else "")


def folded(parts):
    """Texts that follow each other and are alike become one."""
    found = []
    for part in parts:
        if found and found[-1][0] == part:
            found[-1][1] += 1
        else:
            found.append([part, 1])
    texts = [text if count == 1 else f"{text} x {count}" for text, count in found]
    if len(texts) > MOST:
        left = len(texts) - MOST
        texts = [*texts[: MOST // 2], f"({left} more)", *texts[-(MOST // 2) :]]
    return "; ".join(texts)


def disassembled(command, chip, words):
    """A word's text, of all words at once, by `tensix dis`."""
    words = sorted(set(words))
    if not words:
        return {}
    text = "\n".join(f"{w:08x}" for w in words)
    done = subprocess.run(
        [command, "dis", "--arch", chip, "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [t.split("#")[0].strip() for t in done.stdout.splitlines()]
    lines = [t for t in lines if t and not t.startswith(("#", "."))]
    return dict(zip(words, lines)) if len(lines) == len(words) else {}


def programs(command, chip, questions):
    """Two lines of each question, by name."""
    taken = {q.name: Listing(chip).take(q) for q in questions}
    words = [r[1] for one in taken.values() for r in one.runs if isinstance(r, tuple)]
    text = disassembled(command, chip.name, words)
    found = {}
    for name, one in taken.items():
        threads = {r[0] for r in one.runs if isinstance(r, tuple)}
        parts, last = [], None
        for run in one.runs:
            if isinstance(run, list):
                parts.append(stored(run[1] - 4 * len(run[2]), run[2]))
            elif isinstance(run, str):
                parts.append(run)
            else:
                if len(threads) > 1 and run[0] != last:
                    parts.append(f"{THREADS[run[0]]}:")
                last = run[0]
                parts.append(text.get(run[1], f".word {run[1]:#010x}"))
        reads = folded(dict.fromkeys(one.reads)) or "how long it takes"
        found[name] = (folded(parts).replace(":;", ":"), reads)
    return found
