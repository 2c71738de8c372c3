#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""like_run.py TENSIX WORK COUNT [SEED]: what run finds in random words, lint finds too.

Compared by rule and word. Left out is what no lint can know: that a word waits for another thread,
what is in memory, and how the result is read. All hazards of one pair of instructions are one to
lint. Every other program has L1 instead of an array: its memory instructions do not stop it.
"""
import json, os, random, re, struct, subprocess, sys

NOT_OF_WORDS = {"E-MEMORY", "E-L1", "E-L1INIT", "E-UNIT", "E-VIEW"}
NOT_OF_AN_ARRAY = {"E-DST"}  # nobody has loaded Dst
HAZARD = "Hazard"
WAITS = {"SEMWAIT", "STALLWAIT", "ATGETM", "ATRELM"}


def command(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def rules_of(value, found):
    if isinstance(value, dict):
        if "rule" in value and "category" in value:
            found.add((value["rule"], value.get("word")))
            if value["category"] == HAZARD:
                found.add((HAZARD, value.get("word")))
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            rules_of(one, found)
    return found


def main():
    tensix, work, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    kernel, inputs = os.path.join(work, "like.s"), os.path.join(work, "like.npy")
    memory = os.path.join(work, "like.bin")
    draw = random.Random(seed)
    with open(inputs, "wb") as f:
        head = "{'descr': '<f4', 'fortran_order': False, 'shape': (1024,), }".ljust(117) + "\n"
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        f.write(struct.pack("<1024f", *[draw.gauss(0, 1) for _ in range(1024)]))
    with open(memory, "wb") as f:
        f.write(draw.randbytes(4096))
    missed = compared = 0
    for arch in "blackhole", "wormhole_b0":
        chip = json.loads(command(tensix, "isa", "--json", "--arch", arch))["archs"][arch]
        table = [i for i in chip["instructions"] if i["macro"] not in WAITS]
        vector = [i for i in table if i["macro"].startswith("SFP")]
        for number in range(count):
            words = []
            for _ in range(draw.randint(1, 12)):
                word = draw.getrandbits(24)
                for _ in range(draw.randint(0, 2)):
                    word &= draw.getrandbits(24)
                words.append(draw.choice(draw.choice((table, vector)))["opcode"] << 24 | word)
            with open(kernel, "w", encoding="ascii") as f:
                f.write(".arch %s\n.dst fp32\n.tile\n" % arch)
                f.writelines("    .word 0x%08x\n" % word for word in words)
            limit = ("--max-cycles", "20000", "--json", kernel)
            given = ("--in", inputs) if number % 2 == 0 else ("--l1", "0x100=" + memory)
            unknown = NOT_OF_WORDS | (NOT_OF_AN_ARRAY if number % 2 != 0 else set())
            run = json.loads(command(tensix, "run", *given, "--engine", "reference", *limit))
            lint = rules_of(json.loads(command(tensix, "lint", *limit)), set())
            wanted = [(f["rule"], f.get("word"), f["category"]) for f in run.get("findings", [])]
            names = {rule for rule, _ in lint}
            fault = re.search(r"\[([A-Z][A-Z0-9-]*)\]", run.get("error", {}).get("message", ""))
            lost = {(rule, word) for rule, word, category in wanted
                    if rule not in unknown and (rule, word) not in lint
                    and (category != HAZARD or (HAZARD, word) not in lint)}
            if fault and fault.group(1) not in names | unknown:
                lost.add((fault.group(1), None))
            if "E-MEMORY" in names:  # lint says where it stopped for want of L1
                lost.clear()
            compared += len(wanted)
            if lost:
                missed += 1
                print("%s: lint does not find %s in %s" %
                      (arch, sorted(lost, key=str), " ".join("%08x" % w for w in words)))
    print("%d programs a chip, seed %d: %d findings, %d programs with one that lint misses" %
          (count, seed, compared, missed))
    return 1 if missed or compared < count else 0


if __name__ == "__main__":
    sys.exit(main())
