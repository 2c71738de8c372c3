# SPDX-License-Identifier: Apache-2.0
"""Asks all questions of one card, through hangs and dead tiles, and gives what came back."""

import time

from . import script
from .device import DeviceError
from .questions.base import Question
from .tile import Tile, TileError, Timeout, idle_places

TILES = 3  # so many may fail
SECONDS = 20.0


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


def batches(chip, questions, where=lambda: (0, 0)):
    """Questions in pieces that fit: yields a batch at a time."""
    batch = script.Batch(chip, where())
    for question in questions:
        alone = question.danger != 0
        if alone and batch.asked:
            yield batch
            batch = script.Batch(chip, where())
        try:
            batch.add(question)
        except script.Full:
            yield batch
            batch = script.Batch(chip, where())
            batch.add(question)
        if alone:
            yield batch
            batch = script.Batch(chip, where())
    if batch.asked:
        yield batch


def again(chip, questions, place):
    """One question a batch: what a batch that hung is asked as."""
    for question in questions:
        batch = script.Batch(chip, place())
        batch.add(question)
        yield batch


class Session:
    """A card, one of its tiles, and what is known so far."""

    def __init__(self, device, chip, journal=None, seconds=SECONDS, tell=None):
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
        self.tile.take()
        if not self.alive():
            self.lost("does not answer at all")

    def alive(self):
        """Whether cores and coprocessor do something simple: a tile goes to Dst and comes back."""
        batch = script.Batch(self.chip)
        batch.add(CANARY)
        try:
            return self.tile.run(batch, self.seconds)[0] == CANARY_WORDS
        except Timeout:
            return False

    def lost(self, why):
        """The tile is given up, as well as can be; another one is taken."""
        tile, self.tile = self.tile, None
        self.dead.append((tile.x, tile.y))
        self.trouble.append({"tile": [tile.x, tile.y], "what": why})
        self.tell(f"tile ({tile.x}, {tile.y}) {why}")
        try:
            tile.close()
        except TileError as error:
            self.trouble.append({"tile": [tile.x, tile.y], "what": str(error)})
        if len(self.dead) >= TILES:
            raise TileError(f"{TILES} tiles have failed: the card needs a reset")
        self.open()

    def place(self):
        return self.tile.x, self.tile.y

    def close(self):
        if self.tile is not None:
            self.tile.close()
            self.tile = None

    def ask(self, questions, progress=None):
        questions = list(questions)
        done = 0
        for batch in batches(self.chip, questions, self.place):
            self.carry_out(batch)
            done += len(batch.asked)
            if progress:
                progress(done, len(questions))

    def carry_out(self, batch):
        if batch.asked[0][0].danger:
            self.tile.start()
        try:
            found = self.tile.run(batch, self.seconds)
        except Timeout as places:
            self.recover()
            if len(batch.asked) == 1:
                question = batch.asked[0][0]
                self.answers[question.name] = {"state": "timeout", "places": places.args[0]}
                self.tell(f"{question.name}: no answer in {self.seconds:g} s")
            else:
                for part in again(self.chip, [q for q, _, _ in batch.asked], self.place):
                    self.carry_out(part)
            return
        for (question, _, _), words in zip(batch.asked, found):
            self.answers[question.name] = {"state": "answered", "words": words}

    def recover(self):
        """After a time-out: reset the tile, and see that it answers again."""
        self.tile.start()
        if not self.alive():
            self.lost("does not answer after a reset")


def run(device, chip, questions, **options):
    """Asks; returns the session, closed. What went wrong is in session.trouble."""
    progress = options.pop("progress", None)
    session = Session(device, chip, **options)
    session.began = time.time()
    try:
        session.open()
        session.ask(questions, progress)
    except (TileError, DeviceError) as error:
        session.trouble.append({"what": str(error)})
    finally:
        try:
            session.close()
        except (TileError, DeviceError) as error:
            session.trouble.append({"what": str(error)})
        session.ended = time.time()
    return session
