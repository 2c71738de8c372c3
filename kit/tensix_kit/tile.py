# SPDX-License-Identifier: Apache-2.0
"""One idle worker of a card: found, taken, put back as it was.

The kit touches L1 below script.USED, the cores' start and reset, and what questions do to the
coprocessor; for requests to other places, a page of two idle workers beside it and of a bank of
DRAM. All that is read first and written back at the end, the resets too; a journal beside the
result file holds the bytes meanwhile, so that `tensix-kit restore` can do it after a crash. The
driver puts the cores into reset when the device is closed, however that happens.
"""

import json
import struct
import time
import zlib
from pathlib import Path

from . import script
from .device import DeviceError

SOFT_RESET = 0xFFB121B0
CORES_HELD = 0x47800  # B, T0, T1, T2, NC
UNITS_HELD = 0xFFFFFF & ~CORES_HELD
T_BITS = (1 << 12, 1 << 13, 1 << 14)
B_BIT = 1 << 11
CLEAR_STARTS = (0xFFEF02B7, 0x2802A223, 0x0000006F)  # lui t0, 0xFFEF0; sw zero, 161*4(t0); j .
START_BH = 0xFFB12234  # which T cores do not start where reset lets them
# Tiles that every product has, whatever is harvested, by the names that software uses.
CANDIDATES = {
    "bh": [(x, y) for y in range(2, 12) for x in range(1, 8)],
    "wh": [(x, y) for y in range(18, 26) for x in range(18, 26)],
}
# A bank of DRAM that every product has, and where a page of it is borrowed.
DRAM = {"bh": (17, 12), "wh": (0, 0)}
DRAM_PAGE = 64 << 20


class Timeout(Exception):
    """The cores did not answer in time; they had come so far in their lists."""

    def entry(self):
        return {"state": "timeout", "places": self.args[0]}

    def what(self, seconds):
        return f"no answer in {seconds:g} s"


class TileError(Exception):
    """The tile cannot be used; the text is one sentence."""


class Tile:
    """A worker that is ours until close()."""

    def __init__(self, device, place, chip, journal=None):
        self.device = device
        self.x, self.y = place
        self.chip = chip
        self.window = device.window()
        self.registers = device.window()
        self.door = 0
        self.journal = Path(journal) if journal else None
        self.saved = None  # pairs of a part (x, y, address, size) and its bytes
        self.near = self.far = self.dram = None

    # Access by address.

    def load(self, address):
        return self.registers.load(self.x, self.y, address)

    def store(self, address, value):
        self.registers.store(self.x, self.y, address, value)

    def read(self, address, size):
        size += -size % 64
        return self.window.read(self.x, self.y, address, size)

    def write(self, address, data):
        self.window.write(self.x, self.y, address, data + bytes(-len(data) % 64))

    # Taking it and giving it back.

    def is_idle(self):
        return self.load(SOFT_RESET) & CORES_HELD == CORES_HELD

    def take(self):
        if not self.is_idle():
            raise TileError(f"the tile ({self.x}, {self.y}) runs something")
        self.resets = self.load(SOFT_RESET)
        self.near, self.far = beside(self.device, self.chip, (self.x, self.y))
        self.dram = (*DRAM[self.chip.name], DRAM_PAGE)
        parts = [(self.x, self.y, 0, script.USED), (*self.dram, script.PAGE)]
        parts += [(*p, script.PAGE_AT, script.PAGE) for p in (self.near, self.far) if p]
        saved = [(part, self.window.read(*part)) for part in parts]
        if self.journal:
            body = b"".join(data for _, data in saved)
            head = json.dumps(
                {
                    "kit": "journal",
                    "number": self.device.number,
                    "resets": self.resets,
                    "parts": parts,
                    "crc": zlib.crc32(body),
                }
            ).encode()
            self.journal.write_bytes(head + b"\n" + zlib.compress(body, 1))
        self.saved = saved
        self.device.cleanup(self.x, self.y, SOFT_RESET, self.resets)
        self.start()

    def start(self):
        """Resets the units, puts the program into L1 and lets T0, T1 and T2 run."""
        held = self.resets | CORES_HELD
        self.store(SOFT_RESET, held | UNITS_HELD)
        self.store(SOFT_RESET, held)
        self.write(script.CONTROL, bytes(0x800))
        for core in self.chip.runner:
            for address, body in core["parts"]:
                data = bytes.fromhex(body)
                before = self.read(address & ~63, 64)[: address & 63]
                self.write(address & ~63, before + data)
        if self.chip.blackhole:
            self.store(START_BH, 0)
        else:
            self.clear_starts(held)
        self.door = 0
        self.store(SOFT_RESET, held & ~sum(T_BITS))

    def clear_starts(self, held):
        """Wormhole's starts are configuration, which cores alone reach: B clears their switch."""
        self.write(0, struct.pack("<3I", *CLEAR_STARTS))
        self.store(SOFT_RESET, held & ~B_BIT)
        time.sleep(0.002)
        self.store(SOFT_RESET, held)

    def stop(self):
        self.store(SOFT_RESET, self.resets | CORES_HELD)

    def close(self):
        """Puts everything back that take() found."""
        if self.saved is None:
            return
        self.stop()
        held = self.resets | CORES_HELD
        self.store(SOFT_RESET, held | UNITS_HELD)
        self.store(SOFT_RESET, held)
        for part, data in self.saved:
            self.window.write(*part[:3], data)
            if self.window.read(*part) != data:
                raise TileError(f"({part[0]}, {part[1]}) does not hold what was written back")
        self.store(SOFT_RESET, self.resets)
        self.saved = None
        self.device.no_cleanup()
        if self.journal:
            self.journal.unlink(missing_ok=True)

    # Questions.

    def run(self, batch, seconds):
        """Carries a batch out; returns the answer of each question, a list of words each."""
        for slot, data in batch.inputs.items():
            self.write(script.INPUTS + script.TILE * slot, data)
        if batch.code:
            self.write(script.CODE, bytes(batch.code))
        head = []
        for core in range(script.CORES):
            at = script.LISTS + core * script.LIST_BYTES
            self.write(at, batch.list_of(core))
            head.append((at, script.ANSWERS + core * script.ANSWER_BYTES))
            self.store(script.STEPS + 16 * core, 0)
        self.door += 1
        for core, (at, answers) in enumerate(head):
            control = script.CONTROL + core * script.CONTROL_BYTES
            self.store(control + 4 * script.LIST, at)
            self.store(control + 4 * script.RESULTS, answers)
        for core in range(script.CORES):
            self.store(script.CONTROL + core * script.CONTROL_BYTES, self.door)
        self._wait(seconds)
        return self._answers(batch)

    def _wait(self, seconds):
        end = time.monotonic() + seconds
        pause = 0.0005
        for core in range(script.CORES):
            control = script.CONTROL + core * script.CONTROL_BYTES
            while self.load(control + 4 * script.DONE) != self.door:
                if self.load(control + 4 * script.WRONG):
                    raise TileError("the program on the tile met a command that it does not know")
                if time.monotonic() > end:
                    raise Timeout(self.places())
                time.sleep(pause)
                pause = min(2 * pause, 0.05)

    def places(self):
        """How far each core has come in its list."""
        return [
            self.load(script.CONTROL + core * script.CONTROL_BYTES + 4 * script.PLACE)
            for core in range(script.CORES)
        ]

    def _answers(self, batch):
        results = []
        for core, count in enumerate(batch.results):
            at = script.ANSWERS + core * script.ANSWER_BYTES
            data = self.read(at, 4 * count) if count else b""
            results.append(struct.unpack(f"<{count}I", data[: 4 * count]))
        packed = [slot for _, _, slot in batch.asked if slot is not None]
        tiles = {}
        if packed:
            data = self.read(script.OUTPUTS, script.TILE * (max(packed) + 1))
            for slot in packed:
                at = script.TILE * slot
                tiles[slot] = struct.unpack("<1024I", data[at : at + script.TILE])
        return [
            question.answer([results[c][n] for c, n in words], tiles.get(slot))
            for question, words, slot in batch.asked
        ]


def idle_places(device, chip, wanted):
    """Names of idle workers, at most so many."""
    found = []
    window = device.window()
    try:
        for place in CANDIDATES[chip.name]:
            if window.load(*place, SOFT_RESET) & CORES_HELD == CORES_HELD:
                found.append(place)
                if len(found) == wanted:
                    break
    finally:
        device.windows.remove(window)
        window.close()
    return found


def beside(device, chip, place):
    """Two idle workers next to it in its row, or None twice."""
    window = device.window()
    try:
        for first, second in ((1, 2), (-2, -1)):
            pair = [(place[0] + step, place[1]) for step in (first, second)]
            if all(
                p in CANDIDATES[chip.name]
                and window.load(*p, SOFT_RESET) & CORES_HELD == CORES_HELD
                for p in pair
            ):
                return tuple(pair)
    finally:
        device.windows.remove(window)
        window.close()
    return None, None


def is_ours(chip, part):
    """Whether a part of a journal is one that the kit saves."""
    x, y, address, size = part
    if (x, y) in CANDIDATES[chip]:
        return (address, size) in ((0, script.USED), (script.PAGE_AT, script.PAGE))
    return ((x, y), address, size) == (DRAM[chip], DRAM_PAGE, script.PAGE)


def restore(device, path):
    """Puts back what a run that was killed has left in its journal."""
    path = Path(path)
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        said = json.loads(head)
        saved = zlib.decompress(body)
        parts = [tuple(int(n) for n in part) for part in said["parts"]]
        place, resets = parts[0][:2], int(said["resets"])
        if said["kit"] != "journal" or zlib.crc32(saved) != said["crc"] or len(parts) > 4:
            raise ValueError
        if len(saved) != sum(part[3] for part in parts) or parts[0][3] != script.USED:
            raise ValueError
        if not all(is_ours(device.chip, part) for part in parts):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, IndexError, zlib.error):
        raise TileError(f"{path} is no journal of the kit") from None
    if said["number"] != device.number:
        raise DeviceError(f"{path} is of card {said['number']}")
    window = device.window()
    window.store(*place, SOFT_RESET, resets | CORES_HELD)
    at = 0
    for part in parts:
        window.write(*part[:3], saved[at : at + part[3]])
        at += part[3]
    window.store(*place, SOFT_RESET, resets)
    path.unlink()
