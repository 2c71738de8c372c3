# SPDX-License-Identifier: Apache-2.0
"""Asks a card in a process of its own, so that one that ends takes nothing with it.

A card that is gone answers a load with a signal, and a simulator behind the same interface may end
the process at the first thing that it does not have. Then the questions that were under way are
asked again one at a time by another process, and the one that ends it alone is `lost`: the result
says so, with the last line that the process had written. Every process finds L1 as the run found
it, from the journal. Where one ends before it has asked anything, the next one is careful: it asks
in copies of itself, and clears no more configuration than questions write.
"""

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import session, tile
from .device import Device, DeviceError
from .questions import all_questions
from .words import Chip

IN_VAIN = 3  # processes in a row that end before they have asked anything
CAREFUL = (
    "the process that asked ended before it had asked anything: only configuration that questions "
    "write themselves is cleared between them"
)


# ---- the process that asks ----


class Teller(session.Follower):
    """Writes what happens to the process that started this one, a line each."""

    def __init__(self, out):
        self.out = out

    def line(self, **what):
        self.out.write(json.dumps(what) + "\n")
        self.out.flush()

    def took(self, place):
        self.line(took=place)

    def asks(self, names):
        self.line(asks=names)

    def answered(self, name, entry):
        self.line(answered=name, entry=entry)


def die_with_parent():
    """The one that waits for answers is killed: put the worker back, and end."""

    def stop(*_):
        raise SystemExit(1)

    signal.signal(signal.SIGTERM, stop)
    parent_ends = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(parent_ends, signal.SIGTERM, 0, 0, 0)


def work(spec, out):
    teller = Teller(out)
    journal = Path(spec["journal"])
    with Device(spec["card"]) as device:
        chip = Chip.of(device.chip)
        teller.line(card=device.identity())
        if journal.exists():
            tile.restore(device, journal)
        if not spec["names"]:
            teller.line(trouble=[], clock_after=device.identity()["tt_aiclk"])
            return
        wanted = set(spec["names"])
        done = session.run(
            device,
            chip,
            [q for q in all_questions(chip) if q.name in wanted],
            journal=journal,
            seconds=spec["seconds"],
            tell=lambda text: teller.line(tell=text),
            follower=teller,
            careful=spec["careful"],
            single=set(spec["single"]),
        )
        teller.line(trouble=done.trouble, clock_after=device.identity()["tt_aiclk"])


def main():
    spec = json.loads(sys.argv[1])
    die_with_parent()
    if os.getppid() != spec["parent"]:
        return 1
    with os.fdopen(spec["out"], "w", encoding="ascii") as out:
        names = spec.pop("list")
        spec["names"] = Path(names).read_text(encoding="ascii").split()
        try:
            work(spec, out)
        except (DeviceError, tile.TileError) as error:
            out.write(json.dumps({"refused": str(error)}) + "\n")
    return 0


# ---- the process that waits for answers ----


class Run:
    """What all processes together have brought."""

    def __init__(self, tell):
        self.tell = tell
        self.card = None
        self.answers = {}
        self.trouble = []
        self.tile_place = None
        self.refused = None
        self.began = self.ended = time.time()
        self.under_way = []
        self.asked = 0
        self.over = False
        self.heard = set()

    def take(self, line, progress, total):
        what = json.loads(line)
        if "card" in what:
            self.card = self.card or what["card"]
        elif "took" in what:
            self.tile_place = what["took"]
        elif "asks" in what:
            self.under_way = what["asks"]
            self.asked += 1
        elif "answered" in what:
            self.answers[what["answered"]] = what["entry"]
            self.under_way = [n for n in self.under_way if n != what["answered"]]
            if progress:
                progress(len(self.answers), total)
        elif "tell" in what:
            self.tell(what["tell"])
        elif "refused" in what:
            self.refused = what["refused"]
        else:
            self.trouble += what["trouble"]
            self.card["clock_after"] = what["clock_after"]
            self.over = True

    def hear(self, text):
        """What the process wrote besides: told once each; returns the last line."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        lost = {e["said"] for e in self.answers.values() if "said" in e}
        for line in lines[:-1]:
            if line not in self.heard and line[: session.SAID] not in lost and len(self.heard) < 20:
                self.heard.add(line)
                self.tell(line)
        return lines[-1] if lines else ""


def listen(process, source, run, progress, total):
    buffered = b""
    while True:
        ready, _, _ = select.select([source], [], [], 1.0)
        if not ready:
            continue
        part = os.read(source, 1 << 16)
        if not part:
            process.wait()
            return
        *lines, buffered = (buffered + part).split(b"\n")
        for line in lines:
            run.take(line, progress, total)


def once(run, spec, progress, total):
    """One process; returns what it said last, None where it came to its end."""
    read, write = os.pipe()
    with tempfile.TemporaryDirectory(prefix="tensix-kit-") as folder, open(
        Path(folder) / "said", "w+b"
    ) as said:
        names = Path(folder) / "names"
        names.write_text("\n".join(spec["names"]), encoding="ascii")
        given = {**spec, "list": str(names), "out": write, "parent": os.getpid()}
        del given["names"]
        environment = dict(os.environ)
        environment["PYTHONPATH"] = os.pathsep.join(
            [str(Path(__file__).resolve().parent.parent)]
            + [p for p in [environment.get("PYTHONPATH")] if p]
        )
        process = subprocess.Popen(
            [sys.executable, "-m", "tensix_kit.apart", json.dumps(given)],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            pass_fds=[write],
            env=environment,
        )
        os.close(write)
        try:
            listen(process, read, run, progress, total)
        except BaseException:
            process.terminate()  # it puts the worker back
            process.wait()
            raise
        finally:
            os.close(read)
        said.seek(0)
        last = run.hear(said.read().decode("utf-8", "replace"))
        if run.over or run.refused:
            if last:
                run.tell(last)
            return None
        return last or f"it ended with status {process.returncode}"


def ascii_of(text):
    return text.encode("ascii", "replace").decode()[: session.SAID]


def ask(card, questions, journal, seconds, tell, progress=None):
    """Asks all questions, however many processes that takes; returns the Run."""
    run = Run(tell)
    order = [q.name for q in questions]
    single, careful, in_vain = set(), False, 0
    while True:
        names = [n for n in order if n not in run.answers]
        if not names and not Path(journal).exists():
            break  # or else the last process has left something to be put back
        run.under_way, before = [], run.asked
        spec = {
            "card": card,
            "names": names,
            "single": sorted(single.intersection(names)),
            "journal": str(journal),
            "seconds": seconds,
            "careful": careful,
        }
        said = once(run, spec, progress, len(order))
        if said is None:
            break
        in_vain = in_vain + 1 if run.asked == before else 0
        if in_vain and not careful:
            careful = True
            run.trouble.append({"what": CAREFUL})
        elif in_vain >= IN_VAIN:
            run.trouble.append({"what": ascii_of(f"the process that asks ends: {said}")})
            break
        if len(run.under_way) == 1:
            run.answers[run.under_way[0]] = {"state": "lost", "said": ascii_of(said)}
        single.update(run.under_way)
    run.ended = time.time()
    return run


if __name__ == "__main__":
    sys.exit(main())
