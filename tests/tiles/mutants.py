#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of examples/tiles with one row of an unpack, one unpack or one store left out.

    mutants.py TENSIX EXAMPLES [--all]

Nobody can see from the result alone that a row is what another tile left there: each of them has to
give a finding, or not to come to its end. EQUAL lists the few that compute what the example does,
each with its reason; what they write is compared with the example's, for several inputs. Without
--all a sample. One line a mutant that is not caught; status 1 where there is one.
"""

import json
import os
import random
import re
import shlex
import struct
import subprocess
import sys
import tempfile

UNPACK = ("ttunpacr ",)
STORE = ("ttpacr ", "ttstoreind ")
NOP = 0x02000000
# These add to what lies in L1, take other inputs than numbers, or read one row of a face only: what
# is left out does not matter, or is for tests/tiles/examples.py to see. The words of mop.s are no
# program: its MOP is set up beside them.
LEFT_OUT = ("accumulate.s", "accumulate_int32.s", "eltwise.s", "int8_to_bf16.s", "mop.s",
            "scalar.s")
WIDE = ("double_buffer.s", "untilize.s", "matmul64.s")  # they take more than a tile
# Mutants that are the program itself: by example, chip and a pattern of what is left out.
EQUAL = (
    ("matmul_bias_gelu.s", "", "^a row less by 'ttunpacr 1,"),  # ELWADD reads the bias's row 0 only
    ("untilize.s", "wh", "^without 'ttpacr 2,0,15,0,0,1,1'"),  # all is in L1 before (ruling P16)
)
INPUTS = 3
THREADS = ("unpack", "math", "pack")


def head_command(path):
    """The words of the command in the comment at the head of a program."""
    lines = []
    for line in open(path, encoding="utf-8"):
        if not line.startswith("#"):
            break
        lines.append(line[1:].strip())
    text = re.sub(r"\\\n", " ", "\n".join(lines))
    return shlex.split(re.search(r"^tensix run .*$", text, re.M).group(0))[3:]


def input_file(name, wide, seed=0):
    """A tile, or four, of numbers from 1 to 2, or of a seed's."""
    rows, columns = (32, 128) if wide else (32, 32)
    count = rows * columns
    number = random.Random(name + str(seed))
    data = struct.pack("<%df" % count, *[
        1 + i % 128 / 128 if seed == 0 else number.uniform(-4, 4) for i in range(count)])
    shape = "(%d, %d)" % (rows, columns)
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % shape
    head += " " * (-(10 + len(head) + 1) % 64) + "\n"
    with open(name, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def program_text(asm, section_lines):
    text = [".arch %s" % asm["arch"]]
    for section in ("init", "tile"):
        for thread in range(3):
            text += [".thread %s" % THREADS[thread], "." + section]
            text += [".word 0x%08x" % w for w in section_lines[section][thread]]
    return "\n".join(text) + "\n"


def mutants(asm):
    """(what, words by section and thread) of each."""
    words = {s: [[] for _ in range(3)] for s in ("init", "tile")}
    place = []
    end = {}
    for section in ("init", "tile"):
        for w in asm[section]:
            thread = w["thread"]
            found = re.match(r"ttsetadcxx (\d+),(\d+),(\d+)", w["text"])
            if found and thread == 0:
                mask, last, first = map(int, found.groups())
                end.update({u: (last, first) for u in range(2) if mask >> u & 1})
            place.append((section, thread, len(words[section][thread]), w["text"], dict(end)))
            words[section][thread].append(int(w["word"], 16))

    def changed(section, thread, at, new):
        copy = {s: [list(t) for t in words[s]] for s in words}
        copy[section][thread][at:at + 1] = new
        return copy

    for section, thread, at, text, ends in place:
        own = words[section][thread][at]
        if text.startswith(UNPACK + STORE):
            yield "without '%s'" % text, changed(section, thread, at, [NOP])
        if text.startswith(UNPACK) and section == "tile":
            unit = own >> 23 & 1
            last, first = ends.get(unit, (0, 0))
            if last - first >= 16:
                fewer = 0x5E000000 | 1 << unit << 21 | last - 16 << 10 | first
                again = 0x5E000000 | 1 << unit << 21 | last << 10 | first
                yield ("a row less by '%s'" % text,
                       changed(section, thread, at, [fewer, own, again]))


def caught(command, asm, words):
    """Whether a program gives a finding or does not come to its end, and what it says."""
    with open("m.s", "w", encoding="utf-8") as out:
        out.write(program_text(asm, words))
    done = subprocess.run(command + ["--max-cycles", "200000"], capture_output=True, text=True)
    clean = done.returncode == 0 and "findings        none" in done.stdout
    return not clean, (done.stderr + done.stdout[-300:]).replace("\n", "|")


def inputs_of(words):
    """Names of the files that a command reads."""
    found = [(before, re.search(r"=(\w+\.npy)", word)) for before, word in zip([""] + words, words)]
    return [f.group(1) for before, f in found if f and before != "--l1-out"]


def outputs_of(command, asm, words):
    """Bytes of the files that a program writes."""
    names = [re.search(r"=(\w+\.npy)", word).group(1)
             for before, word in zip([""] + command, command) if before == "--l1-out"]
    for name in names:
        if os.path.exists(name):
            os.remove(name)
    caught(command, asm, words)
    return [open(name, "rb").read() for name in names]


def is_equal(command, asm, mutant, own, wide):
    """Whether a mutant of EQUAL writes what the program does, which differs from input to input."""
    written = []
    for seed in range(1, 1 + INPUTS):
        for name in inputs_of(command):
            input_file(name, wide, seed)
        written.append(outputs_of(command, asm, own))
        if outputs_of(command, asm, mutant) != written[-1]:
            return False
    for name in inputs_of(command):
        input_file(name, wide)
    return all(a != b for i, a in enumerate(written) for b in written[:i])


def try_program(tensix, path, chip, everything):
    """Numbers of programs run, not caught, and equal to their example."""
    name = os.path.basename(path)
    words = [w for w in head_command(path) if w not in ("--arch", "bh", "wh")]
    for read in inputs_of(words):
        input_file(read, name in WIDE)
    command = [tensix, "run", "m.s", "--arch", chip] + words
    asm = json.loads(subprocess.run([tensix, "asm", "--arch", chip, "--json", path],
                                    capture_output=True, text=True, check=True).stdout)
    every = list(mutants(asm))
    own = {s: [[int(w["word"], 16) for w in asm[s] if w["thread"] == t] for t in range(3)]
           for s in ("init", "tile")}
    missed = equal = 0
    chosen = every[::1 if everything else max(1, len(every) // 4)]
    for what, changed in [("as it is", own)] + chosen:
        found, said = caught(command, asm, changed)
        same = any(name == e[0] and e[1] in ("", chip) and re.search(e[2], what) for e in EQUAL)
        if same and not found and is_equal(command, asm, changed, own, name in WIDE):
            equal += 1
        elif found == (changed is own):
            missed += 1
            print("not ok %s %s %s: %s" % (name, chip, what, said))
    return 1 + len(chosen), missed, equal


def main(argv):
    tensix, examples = os.path.abspath(argv[0]), os.path.abspath(argv[1])
    everything = "--all" in argv
    folder = os.path.join(examples, "tiles")
    names = sorted(n for n in os.listdir(folder) if n.endswith(".s") and n not in LEFT_OUT)
    counts = [0, 0, 0]
    for number, name in enumerate(names):
        for chip in ("bh", "wh") if everything else ("bh", "wh")[number % 2:][:1]:
            with tempfile.TemporaryDirectory() as work:
                os.chdir(work)
                counts = [a + b for a, b in zip(counts, try_program(
                    tensix, os.path.join(folder, name), chip, everything))]
                os.chdir(folder)
    print("%d programs, %d failed, %d equal to their example" % tuple(counts))
    return counts[1] != 0


sys.exit(main(sys.argv[1:]))
