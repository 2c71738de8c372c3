# SPDX-License-Identifier: Apache-2.0
"""ELF files of cores' programs, good and broken, for tile_run.sh: tile_elf.py DIRECTORY.

The words were assembled by GNU as 2.40.
"""

import random
import struct
import sys
from pathlib import Path

OUT = Path(sys.argv[1])

# a0 = 0x20000; t0 stores 42 there, and its register a1 in a function of its own
T0 = [0x00020537, 0x02A00593, 0x00B52023, 0x00100073]
# Waits until the word is not 0, adds 1, stores it behind; jumps to itself.
T1 = [0x00020537, 0x00052583, 0xFE058EE3, 0x00158593, 0x00B52223, 0x0000006F]
# SEMINIT 1 to 0; SEMWAIT until it is above 0; SFPNOP; tensix_sync; ebreak.
DEAD = [0xA3100008, 0xA6800009, 0x8F000000]
DEAD = [(w << 2 | w >> 30) & 0xFFFFFFFF for w in DEAD] + [
    0xFFE80737, 0x00072223, 0x00472603, 0x00100073]
# Reads its first local word, stores it to 0x20010.
LOCAL = [0xFFB00537, 0x00052583, 0x00020537, 0x00B52823, 0x00100073]


def elf(words, address, name=None, entry=None, machine=243, kind=2, bits=1, order=1, segments=None,
        sections=()):
    code = struct.pack("<%dI" % len(words), *words)
    if segments is None:
        segments = [(address, address, code, len(code))]
    at = 52 + 32 * len(segments)
    heads, body = b"", b""
    for vaddr, paddr, data, room in segments:
        heads += struct.pack("<8I", 1, at + len(body), vaddr, paddr, len(data), room, 7, 4)
        body += data
    strings = b"\0" + (name or "").encode() + b"\0.symtab\0.strtab\0.text\0.loader_init\0"

    def string(text):
        return strings.index(b"\0" + text + b"\0") + 1

    symbols = bytes(16)
    if name:
        symbols += struct.pack("<IIIBBH", 1, address, len(code), 2, 0, 1)
    after = at + len(body)
    table = [(0,) * 10,
             (string(b".text"), 1, 6, address, at, len(code), 0, 0, 4, 0),
             (string(b".symtab"), 2, 0, 0, after, len(symbols), 3, 1, 4, 16),
             (string(b".strtab"), 3, 0, 0, after + len(symbols), len(strings), 0, 0, 1, 0)]
    for addr, size in sections:
        table.append((string(b".loader_init"), 8, 3, addr, 0, size, 0, 0, 4, 0))
    shoff = after + len(symbols) + len(strings)
    head = struct.pack("<4sBBB9x", b"\x7fELF", bits, order, 1)
    head += struct.pack("<HHIIIIIHHHHHH", kind, machine, 1, address if entry is None else entry, 52,
                        shoff, 0, 52, 32, len(segments), 40, len(table), 3)
    return head + heads + body + symbols + strings + b"".join(
        struct.pack("<10I", *row) for row in table)


def put(name, data):
    (OUT / name).write_bytes(data)


good = elf(T0, 0x6000, "main")
put("t0.elf", good)
put("t1.elf", elf(T1, 0xA000, "wait_and_add"))
put("dead.elf", elf(DEAD, 0xA000, "no_post"))
put("t0.bin", struct.pack("<4I", *T0))
# Jumps to 0x40000000; changes an instruction that has run, and runs it again; never ends; calls
# itself without end, from a stack of 64 bytes.
for name, words in (("nowhere", [0x400002B7, 0x00028067]),
                    ("itself", [0x00000517, 0x00000693, 0x00160613, 0x002605B7, 0x61358593,
                                0x00B52423, 0x00168693, 0x00200713, 0xFEE694E3, 0x00100073]),
                    ("forever", [0x00000013, 0xFFDFF06F]),
                    ("stack", [0xFFB00137, 0x04010113, 0xFF010113, 0x00112023, 0xFF9FF0EF])):
    put(name + ".elf", elf(words, 0x6000, name))
local = struct.pack("<I", 0xCAFE)
code = struct.pack("<5I", *LOCAL)
both = [(0x6000, 0x6000, code, len(code)), (0xFFB00000, 0xFFB00000, local, 64)]
put("local.elf", elf(LOCAL, 0x6000, "main", segments=both))
put("loader.elf", elf(LOCAL, 0x6000, "main", segments=both, sections=[(0x9000, 64)]))

# Room without bytes, as tt-llk's linker script reserves it: for arguments that all threads have,
# and where the image of the local memory goes.
room = [(0x20000, 0x20000, b"", 1024), (0x9000, 0x9000, b"", 64)]
put("room.elf", elf(LOCAL, 0x6000, "main", segments=both + room, sections=[(0x9000, 64)]))
put("room1.elf", elf(T1, 0xA000, "wait_and_add",
                     segments=[(0xA000, 0xA000, struct.pack("<6I", *T1), 24), room[0]]))

# T1: 0x123 to configuration word 60 and GPR 3, semaphore 3 posted; then SFPMAD L0 and SFPMOV L1,L0,
# which on Wormhole comes a cycle too early; ebreak.
PUSHED = [0x840AA900, 0x7C000010]
PUSH = [0xFFEF0537, 0x12300593, 0x0EB52823, 0xFFE00537, 0x00B52623, 0xFFE80537, 0x02052623]
PUSH += [(w << 2 | w >> 30) & 0xFFFFFFFF for w in PUSHED] + [0x100073]
put("push.elf", elf(PUSH, 0xA000, "pushes"))
# The same by a store to the window; a loop behind it, in which a1 is another one the second time.
STORED = [0x08000000, 0xFFE40537, 0x020005B7, 0x00B52023, 0x00B52023, 0x00158593, 0xFE000CE3,
          0x100073]
put("stored.elf", elf(STORED, 0xA000, "stores"))
# T1 stores to its window to Dst, which no word does.
put("window.elf", elf([0xFFBD8537, 0x00052023, 0x100073], 0xA000, "window"))

word = struct.pack("<I", 0x100073)
put("bad-64.elf", elf(T0, 0x6000, bits=2))
put("bad-order.elf", elf(T0, 0x6000, order=2))
put("bad-machine.elf", elf(T0, 0x6000, machine=62))
put("bad-type.elf", elf(T0, 0x6000, kind=1))
put("bad-entry.elf", elf(T0, 0x6000, entry=0xFFB00000))
put("bad-odd.elf", elf(T0, 0x6000, entry=0x6002))
put("bad-outside.elf", elf(T0, 0x6000, segments=[(0x17FFFE, 0x17FFFE, word, 4)]))
put("bad-huge.elf", elf(T0, 0x6000, segments=[(0x6000, 0x6000, word, 0xFFFFFFFF)]))
put("bad-size.elf", elf(T0, 0x6000, segments=[(0x6000, 0x6000, word, 3)]))
put("bad-overlap.elf", elf(T0, 0x6000, segments=[(0x6000, 0x6000, word * 4, 16),
                                                 (0x6008, 0x6008, word, 4)]))
put("bad-local.elf", elf(T0, 0x6000, segments=[(0x6000, 0x6000, word, 4),
                                               (0xFFB00FFC, 0xFFB00FFC, word, 8)]))
put("bad-loader.elf", elf(T0, 0x6000, segments=both, sections=[(0x9000, 2)]))
put("bad-nothing.elf", elf(T0, 0x6000, segments=[]))
put("bad-short.elf", good[:60])
put("bad-head.elf", good[:20])
file = bytearray(good)
file[52 + 4:52 + 8] = struct.pack("<I", 0xFFFFFF00)  # its bytes are not in the file
put("bad-offset.elf", bytes(file))

random.seed(1)
for number in range(40):
    file = bytearray(good)
    for _ in range(random.randint(1, 6)):
        place = random.choice([random.randrange(84), random.randrange(len(file))])
        file[place] = random.randrange(256)
    size = random.choice([len(file), random.randrange(len(file))])
    put("fuzz-%d.elf" % number, bytes(file[:size]))
