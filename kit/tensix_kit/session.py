# SPDX-License-Identifier: Apache-2.0
"""Asks all questions of one card, through hangs and dead tiles, and gives what came back."""

import json
import os
import time

from . import script
from .device import DeviceError
from .questions.base import Question
from .tile import Tile, TileError, Timeout, idle_places

TILES = 3  # so many may fail
SECONDS = 20.0
SAID = 200  # characters of what a process said last


CANARY_WORDS = [0x3F800000 + 257 * n for n in range(1024)]


def ask_canary(batch):
    batch.plain()
    batch.step()
    batch.into_dst(CANARY_WORDS)
    batch.step()
    batch.plain()
    batch.step()
    batch.out_of_dst()


CANARY = Question("canary", "canary", "", ask_canary, lambda _, tile: tile)


def batches(questions, new, single=()):
    """Questions in pieces that fit: yields a batch at a time. new() makes an empty one; questions
    of the names in single come alone."""
    batch = new()
    for question in questions:
        alone = question.danger != 0 or question.name in single
        if alone and batch.asked:
            yield batch
            batch = new()
        try:
            batch.add(question)
        except script.Full:
            yield batch
            batch = new()
            batch.add(question)
        if alone:
            yield batch
            batch = new()
    if batch.asked:
        yield batch


class Lost(Exception):
    """The process that asked has ended; the text is what it said last."""

    def entry(self):
        return {"state": "lost", "said": self.args[0]}

    def what(self, _):
        return f"the process that asked ended: {self.args[0]}"


def said_since(before):
    """The last line in the file that is standard output, from that place on."""
    try:
        lines = os.pread(1, 1 << 16, before).decode("ascii", "replace").split("\n")
    except OSError:
        lines = []
    lines = [line.strip() for line in lines if line.strip()]
    return lines[-1][:SAID].encode("ascii", "replace").decode() if lines else "nothing was said"


class Follower:
    """Is told what a session does while it does it."""

    def took(self, place):
        """This worker is asked from now on."""

    def asks(self, names):
        """These questions go to the tile now."""

    def answered(self, name, entry):
        """This is what came of one."""


class Session:
    """A card, one of its tiles, and what is known so far."""

    def __init__(
        self, device, chip, journal=None, seconds=SECONDS, tell=None, follower=None, careful=False
    ):
        self.device = device
        self.chip = chip
        self.journal = journal
        self.seconds = seconds
        self.tell = tell or (lambda text: None)
        self.tile = None
        self.tile_place = None
        self.answers = {}
        self.trouble = []
        self.dead = []
        self.in_a_row = 0  # tiles that failed with no answer in between
        self.follower = follower or Follower()
        self.careful = careful
        self.written = script.Written(chip) if careful else None

    def new(self):
        return script.Batch(self.chip, self.tile, self.written and self.written.copy())

    def open(self):
        """Takes the next idle tile that answers."""
        places = [
            p
            for p in idle_places(self.device, self.chip, TILES + len(self.dead))
            if p not in self.dead
        ]
        if not places:
            raise TileError("no worker is idle: all run something, or do not answer")
        self.tile = Tile(self.device, places[0], self.chip, self.journal)
        self.tile_place = list(places[0])
        self.follower.took(self.tile_place)
        self.tile.take()
        if not self.alive():
            self.lost("does not answer at all")

    def alive(self):
        """Whether cores and coprocessor do something simple: a tile goes to Dst and comes back."""
        batch = self.new()
        batch.add(CANARY)
        try:
            return self.tile.run(batch, self.seconds)[0] == CANARY_WORDS
        except Timeout:
            return False

    def lost(self, why):
        """The tile is given up, as well as can be; another one is taken."""
        tile, self.tile = self.tile, None
        self.dead.append((tile.x, tile.y))
        self.in_a_row += 1
        self.trouble.append({"tile": [tile.x, tile.y], "what": why})
        self.tell(f"tile ({tile.x}, {tile.y}) {why}")
        try:
            tile.close()
        except TileError as error:
            self.trouble.append({"tile": [tile.x, tile.y], "what": str(error)})
        if self.in_a_row >= TILES:
            raise TileError(f"{TILES} tiles have failed: the card needs a reset")
        self.open()

    def close(self):
        if self.tile is not None:
            self.tile.close()
            self.tile = None

    def ask(self, questions, progress=None, single=()):
        questions = list(questions)
        done = 0
        if self.tile.near is None:
            self.trouble.append({"what": "the worker has no two idle ones beside it in its row"})
            questions = [q for q in questions if not q.wide]
        for batch in batches(questions, self.new, single):
            self.carry_out(batch)
            done += len(batch.asked)
            if progress:
                progress(done, len(questions))

    def note(self, question, entry):
        self.answers[question.name] = entry
        self.follower.answered(question.name, entry)

    def carry_out(self, batch):
        questions = [q for q, _, _ in batch.asked]
        self.follower.asks([q.name for q in questions])
        if questions[0].danger:
            self.tile.start()
        try:
            found = (self.in_a_child if self.careful else self.tile.run)(batch, self.seconds)
        except (Timeout, Lost) as error:
            if len(questions) == 1:
                self.note(questions[0], error.entry())
                self.tell(f"{questions[0].name}: {error.what(self.seconds)}")
                self.recover()
            else:
                self.recover()
                for part in batches(questions, self.new, {q.name for q in questions}):
                    self.carry_out(part)
            return
        self.in_a_row = 0
        self.written = batch.written
        for question, words in zip(questions, found):
            self.note(question, {"state": "answered", "words": words})

    def in_a_child(self, batch, seconds):
        """Runs the batch in a copy of this process, which may end: then this one goes on."""
        read, write = os.pipe()
        before = os.fstat(1).st_size
        try:
            child = os.fork()
        except OSError:  # no memory for a copy: this process asks, and another one follows it
            os.close(read)
            os.close(write)
            return self.tile.run(batch, seconds)
        if child == 0:
            self.answer_into(write, batch, seconds)
        os.close(write)
        with os.fdopen(read) as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
        self.tile.door += 1
        if not text:
            raise Lost(said_since(before))
        out = json.loads(text)
        if "places" in out:
            raise Timeout(out["places"])
        if "error" in out:
            raise TileError(out["error"])
        return out["found"]

    def answer_into(self, write, batch, seconds):
        """The copy: its answer, or why there is none, goes into the pipe. It never returns."""
        try:
            try:
                out = {"found": self.tile.run(batch, seconds)}
            except Timeout as error:
                out = {"places": error.args[0]}
            except (TileError, DeviceError) as error:
                out = {"error": str(error)}
            with os.fdopen(write, "w") as pipe:
                pipe.write(json.dumps(out))
            os._exit(0)
        except BaseException as error:  # nothing of the copied process may run in the copy
            os.write(1, f"{type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(1)

    def recover(self):
        """After a time-out: reset the tile, and see that it answers again."""
        self.tile.start()
        if not self.alive():
            self.lost("does not answer after a reset")


def run(device, chip, questions, **options):
    """Asks; returns the session, closed. What went wrong is in session.trouble."""
    progress, single = options.pop("progress", None), options.pop("single", ())
    session = Session(device, chip, **options)
    session.began = time.time()
    try:
        session.open()
        session.ask(questions, progress, single)
    except (TileError, DeviceError) as error:
        session.trouble.append({"what": str(error)})
    finally:
        try:
            session.close()
        except (TileError, DeviceError) as error:
            session.trouble.append({"what": str(error)})
        session.ended = time.time()
    return session
