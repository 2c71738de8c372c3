#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kit_faults.py FOLDER, under `tensix card`: what the kit does when something goes wrong. Another
program has the card, a worker runs, the process ends in the middle, a read fails, a tile is dead:
the worker is left as it was found, and what is missing is said."""

import fcntl
import os
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "kit"))
from tensix_kit import device as d  # noqa: E402
from tensix_kit import __main__ as command  # noqa: E402
from tensix_kit import firmware as fw  # noqa: E402
from tensix_kit import result, script, session, tile  # noqa: E402
from tensix_kit.questions import all_questions  # noqa: E402
from tensix_kit.words import Chip  # noqa: E402

PATTERN = bytes(range(256)) * (script.USED // 256)
failed = 0


def check(name, good):
    global failed
    failed += not good
    print(("ok " if good else "not ok ") + name)


def refused(name, part, call):
    try:
        found = call()
    except (d.DeviceError, tile.TileError, result.ResultError) as error:
        check(name, part in str(error))
        return
    if found is not None and hasattr(found, "close"):
        found.close()
    check(name, False)


def first_place(chip):
    return tile.CANDIDATES[chip][0]


def look(place):
    """L1 and resets of a worker."""
    with d.Device(0) as device:
        window = device.window()
        return window.read(*place, 0, script.USED), window.load(*place, tile.SOFT_RESET)


def prepare(place):
    with d.Device(0) as device:
        device.window().write(*place, 0, PATTERN)


def other_users():
    lock = os.open("/dev/tenstorrent/0", os.O_RDWR)
    fcntl.ioctl(lock, d.MAGIC | d.LOCK_CTL, bytearray(struct.pack("<IIB3xB3x", 4, 0, 5, 0)))
    refused("another program's lock", "holds lock 5", lambda: d.Device(0))
    os.close(lock)
    with d.Device(0):
        refused("another copy of the kit", "holds lock 63", lambda: d.Device(0))
    real, d.PIDS = d.PIDS, f"{sys.argv[1]}/pids{{}}"
    Path(d.PIDS.format(0)).write_text(f"{os.getpid()}\n4711\n")
    refused("another process", "in use by process 4711", lambda: d.Device(0))
    d.PIDS = real
    d.Device(0).close()


def busy(chip):
    """A worker that runs is not taken; where all run, none is."""
    place = first_place(chip.name)
    with d.Device(0) as device:
        window = device.window()
        held = window.load(*place, tile.SOFT_RESET)
        window.write(*place, 0, struct.pack("<16I", *[0x6F] * 16))
        window.store(*place, tile.SOFT_RESET, held & ~tile.B_BIT)
        check(
            "the next worker is found",
            tile.idle_places(device, chip, 1) == [tile.CANDIDATES[chip.name][1]],
        )
        refused(
            "a worker that runs", "runs something", lambda: tile.Tile(device, place, chip).take()
        )
        before = tile.CANDIDATES[chip.name]
        tile.CANDIDATES[chip.name] = before[:1]
        refused(
            "no worker is idle", "no worker is idle", lambda: session.Session(device, chip).open()
        )
        tile.CANDIDATES[chip.name] = before
        window.store(*place, tile.SOFT_RESET, held)


def some(chip, count=6):
    return [q for q in all_questions(chip) if q.name.startswith("vector/SFPIADD")][:count]


def whole(chip):
    place = first_place(chip.name)
    prepare(place)
    found = look(place)
    with d.Device(0) as device:
        done = session.run(device, chip, some(chip), seconds=20)
    check(f"all is answered {done.trouble}", not done.trouble and len(done.answers) == 6)
    check("L1 and resets are as before", look(place) == found)


def left(chip, folder):
    """The process ends in the middle: the driver holds the cores, the journal has the rest."""
    place = first_place(chip.name)
    prepare(place)
    found = look(place)
    journal = Path(folder) / "x.journal"
    with d.Device(0) as device:
        one = session.Session(device, chip, journal, seconds=20)
        one.open()
        one.ask(some(chip))
    now = look(place)
    check("the driver put the cores into reset", now[1] == found[1])
    check("L1 is the kit's", now[0] != found[0])
    with d.Device(0) as device:
        broken = journal.read_bytes()
        journal.write_bytes(broken[:-9])
        refused("a damaged journal", "no journal", lambda: tile.restore(device, journal))
        journal.write_bytes(broken)
        tile.restore(device, journal)
    check("restore puts L1 back", look(place) == found and not journal.exists())


def failing_read(chip, folder):
    """The card stops answering in the middle of a run: what is missing is said."""
    place = first_place(chip.name)
    prepare(place)
    found = look(place)
    reads, real = [0], tile.Tile.read

    def read(self, address, size):
        reads[0] += address == script.OUTPUTS
        if address == script.OUTPUTS and reads[0] == 2:
            raise d.DeviceError("the read failed")
        return real(self, address, size)

    tile.Tile.read = read
    with d.Device(0) as device:
        done = session.run(device, chip, some(chip), seconds=20)
        data = result.make(device.identity(), done, some(chip))
    tile.Tile.read = real
    path = Path(folder) / "missing.json"
    result.write(path, data)
    kept = result.read(path)
    check("a read that fails is told", kept["trouble"] == [{"what": "the read failed"}])
    check(
        "the file says what is missing",
        {e["state"] for e in kept["questions"].values()} == {"missing"},
    )
    check("L1 and resets are as before a failing read", look(place) == found)


def dead(chip):
    """A tile that does not answer is left, another one answers."""
    first, second = tile.CANDIDATES[chip.name][:2]
    real = tile.Tile.run

    def run(self, batch, seconds):
        if (self.x, self.y) == first:
            raise tile.Timeout([0, 0, 0])
        return real(self, batch, seconds)

    tile.Tile.run = run
    prepare(first)
    found = look(first)
    with d.Device(0) as device:
        done = session.run(device, chip, some(chip), seconds=20)
    check("another tile answers", done.tile_place == list(second) and len(done.answers) == 6)
    check(
        "the dead one is named",
        done.trouble == [{"tile": list(first), "what": "does not answer at all"}],
    )
    check("and is as it was", look(first) == found)
    tile.Tile.run = lambda self, batch, seconds: (_ for _ in ()).throw(tile.Timeout([0, 0, 0]))
    with d.Device(0) as device:
        done = session.run(device, chip, some(chip), seconds=20)
    check("three dead tiles end it", done.trouble[-1]["what"].startswith("3 tiles have failed"))
    tile.Tile.run = real


def firmware(chip, folder):
    """A card whose firmware is too old is refused, one whose firmware nobody knows is named."""
    file = Path("/sys/class/tenstorrent/tenstorrent!0/tt_fw_bundle_ver")
    before = file.read_text(encoding="ascii")
    Path(folder, "firmware.json").unlink(missing_ok=True)
    place, path = first_place(chip.name), Path(folder) / "firmware.json"
    prepare(place)
    found = look(place)
    names = Path(folder) / "firmware.names"
    names.write_text(some(chip)[0].name, encoding="ascii")
    run = ["run", str(path), "--names", str(names), "--quiet"]

    def said(version):
        file.write_text(version, encoding="ascii")
        with d.Device(0) as device:
            return fw.judged(device)

    oldest = ".".join(map(str, fw.OLDEST[chip.name]))
    check("the oldest firmware is taken", said(f"{oldest}.0\n") == (None, False))
    newer = said("99.0.0.0\n")[0]
    check("a newer one is named", newer.startswith("the firmware is 99.0.0.0, newer"))
    check("one that is no version is named", said("\n")[0].startswith("the card does not tell"))
    check("an old one is refused", said("17.1.0.0\n")[1] and command.main(run) == 2)
    check("nothing was written for it", look(place) == found and not path.exists())
    check("it is asked all the same", command.main([*run, "--any-firmware"]) == 0)
    trouble = result.read(path)["trouble"]
    told = f"the firmware is 17.1.0.0, older than {oldest}"
    check("and the result names it", trouble == [{"what": told}])
    file.write_text(before, encoding="ascii")


def beside(chip):
    """Requests to other places: their pages are as before, also where the neighbours are busy."""
    place = first_place(chip.name)
    near = (place[0] + 1, place[1])
    far = (place[0] + 2, place[1])
    pages = [(*p, script.PAGE_AT, script.PAGE) for p in (near, far)]
    pages.append((*tile.DRAM[chip.name], tile.DRAM_PAGE, script.PAGE))
    with d.Device(0) as device:
        window = device.window()
        for page in pages:
            window.write(*page[:3], PATTERN[: page[3]])
    wide = [q for q in all_questions(chip) if q.wide and not q.danger]
    with d.Device(0) as device:
        done = session.run(device, chip, wide, seconds=20)
        window = device.window()
        kept = [window.read(*page) == PATTERN[: page[3]] for page in pages]
    check(f"other places are asked {done.trouble}", len(done.answers) == len(wide) > 8)
    check("and are as before", all(kept))
    with d.Device(0) as device:
        window = device.window()
        held = window.load(*near, tile.SOFT_RESET)
        window.write(*near, 0, struct.pack("<16I", *[0x6F] * 16))
        window.store(*near, tile.SOFT_RESET, held & ~tile.B_BIT)
        check("a neighbour that runs is none", tile.beside(device, chip, place) == (None, None))
        done = session.run(device, chip, wide, seconds=20)
        window.store(*near, tile.SOFT_RESET, held)
    check(f"then they are left out {done.trouble}", not done.answers and len(done.trouble) == 1)


def main():
    with d.Device(0) as device:
        chip = Chip.of(device.chip)
        without = dict(device.identity())
        device.number = 7
        check(
            "firmware that nobody tells",
            device.identity()["tt_fw_bundle_ver"] is None
            and without["tt_fw_bundle_ver"] is not None,
        )
    other_users()
    busy(chip)
    whole(chip)
    left(chip, sys.argv[1])
    failing_read(chip, sys.argv[1])
    dead(chip)
    firmware(chip, sys.argv[1])
    beside(chip)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
