# SPDX-License-Identifier: Apache-2.0
"""Small programs that tell readings apart: kit/experiments/*.s, as scripts/kit_data.py has them."""

import random

from .. import script
from .base import Question, Reading, quiet
from .vectors import number

EMPTY = 0xA5A5A5A5  # what stands in L1 where an answer may come
SPECIAL = (0x7FC00000, 0x7F800001, 0xFFC00000, 0x7FFFFFFF)  # no numbers


def data_of(kind, name):
    """1024 words for Dst."""
    random_ = random.Random(f"data {name}")
    if kind == "special":
        return [random_.choice(SPECIAL) for _ in range(1024)]
    if kind == "bits":
        return [
            random_.choice(
                (
                    random_.getrandbits(32),
                    random_.getrandbits(23),
                    0x80000000 | random_.getrandbits(23),
                )
            )
            for _ in range(1024)
        ]
    return [number(random_, random_.choice((1, 1, 2, 3, 4))) for _ in range(1024)]


def ask_of(chip, one):
    keys, words = one["keys"], one["words"]
    loads = [(int(at, 0), int(count)) for at, count in (v.split() for v in keys.get("load", []))]
    seed = int(keys["seed"][0], 0) if "seed" in keys else None
    replay = keys.get("by", [""])[0] == "replay"

    def ask(batch):
        batch.plain()
        batch.step()
        batch.into_dst(data_of(keys.get("data", ["floats"])[0], one["name"]))
        batch.step()
        batch.plain()
        batch.step()
        if seed is not None:
            batch.store(1, script.CONFIG + 4 * chip.config["PRNG_SEED_Seed_Val"][1], seed)
            batch.delay(1, 700)
        for at, count in loads:
            for n in range(count):
                batch.store(1, at + 4 * n, EMPTY)
        if "first" not in keys:
            batch.push(1, quiet(chip))
        for core in range(script.CORES):
            batch.push(core, words.get(f"init{core}", []))
            tile = words.get(f"tile{core}", [])
            batch.push(core, replayed(chip, tile) if replay and core == 1 else tile)
        batch.step()
        for at, count in loads:
            batch.copy(1, at, count)
        batch.plain()
        batch.step()
        batch.out_of_dst()

    return ask


def replayed(chip, words):
    """The words one a cycle: into the replay buffer, and out of it."""
    if len(words) > 32:
        raise ValueError("more than the replay buffer holds")
    count = len(words) % 32
    return [chip.op("REPLAY", len=count, load_mode=1), *words, chip.op("REPLAY", len=count)]


def readings_of(keys):
    if "rule" not in keys:
        return []
    name, _, values = keys["rule"][0].partition("=")
    return [Reading(f"{name}={v}", rule=f"{name}={v}") for v in values.split("|")]


def pick_of(keys):
    if "load" in keys:
        return lambda words, tile: words
    return lambda words, tile: [*words, *tile]


def questions(chip):
    for one in chip.experiments:
        keys = one["keys"]
        yield Question(
            one["name"],
            one["name"].split("/")[0],
            keys["text"][0],
            ask_of(chip, one),
            pick_of(keys),
            about=keys.get("about", [""])[0].split(),
            readings=readings_of(keys),
            danger=-1 if "first" in keys else int(keys.get("danger", [1])[0]),
        )
