# SPDX-License-Identifier: Apache-2.0
"""The file that a run writes and others read: what was asked, of what, and the raw answers.

It is JSON, compressed where its name ends in .gz. "hash" is the SHA-256 of everything else, so
that a file that was changed is noticed. Files come from strangers: everything is checked.
"""

import gzip
import hashlib
import json
import os
import re
import zlib

from . import VERSION

FORMAT = 1
MOST_BYTES = 64 << 20
MOST_QUESTIONS = 100000
MOST_WORDS = 1 << 16
STATES = ("answered", "timeout", "missing", "lost")
NAME = re.compile(r"[A-Za-z0-9][\w./=+-]{0,119}\Z", re.ASCII)
TEXT = 400


class ResultError(Exception):
    """The file is no result; the text is one sentence."""


def canonical(data):
    body = {k: v for k, v in data.items() if k != "hash"}
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def signature(data):
    return hashlib.sha256(canonical(data)).hexdigest()


def make(card, session, questions):
    """The data of a file."""
    entries = {}
    for question in questions:
        entry = session.answers.get(question.name, {"state": "missing"})
        kept = {"state": entry["state"]}
        if "words" in entry:
            kept["words"] = "".join(f"{w:08x}" for w in entry["words"])
        if "places" in entry:
            kept["places"] = entry["places"]
        if "said" in entry:
            kept["said"] = entry["said"]
        entries[question.name] = kept
    tile = session.tile_place
    data = {
        "kit": "result",
        "format": FORMAT,
        "version": VERSION,
        "card": card,
        "began": int(session.began),
        "ended": int(session.ended),
        "tile": tile,
        "trouble": session.trouble,
        "questions": entries,
    }
    data["hash"] = signature(data)
    return data


def write(path, data):
    """All of it or nothing: a file beside it takes its name at the end."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    if str(path).endswith(".gz"):
        text = gzip.compress(text, 6, mtime=0)
    part = f"{path}.part"
    with open(part, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def _unpacked(path, data):
    if data[:2] != b"\x1f\x8b":
        return data
    machine = zlib.decompressobj(31)
    try:
        found = machine.decompress(data, MOST_BYTES + 1)
    except zlib.error:
        raise ResultError(f"{path} is compressed and damaged") from None
    if len(found) > MOST_BYTES or not machine.eof:
        raise ResultError(f"{path} is compressed and damaged, or too large")
    return found


def read(path):
    """The data of a file, checked, with words as lists. Raises ResultError."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise ResultError(f"{path} is larger than {MOST_BYTES >> 20} MiB")
    try:
        found = json.loads(_unpacked(path, data).decode("utf-8"))
    except (ValueError, RecursionError):
        raise ResultError(f"{path} is not JSON") from None
    return check(path, found)


def _wants(condition, path, what):
    if not condition:
        raise ResultError(f"{path}: {what}")


def is_count(value, most):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def check(path, data):
    _wants(isinstance(data, dict) and data.get("kit") == "result", path, "no result of the kit")
    _wants(data.get("format") == FORMAT, path, f"not of format {FORMAT}")
    _wants(isinstance(data.get("version"), str) and len(data["version"]) < 40, path, "no version")
    card = data.get("card")
    _wants(
        isinstance(card, dict) and card.get("chip") in ("bh", "wh") and len(card) <= 32,
        path,
        "it does not say which chip it is of",
    )
    for key, value in card.items():
        _wants(
            len(key) < 40
            and (value is None or isinstance(value, (str, dict)))
            and len(json.dumps(value)) <= TEXT,
            path,
            "the card is described wrongly",
        )
    for key in ("began", "ended"):
        _wants(is_count(data.get(key), 1 << 40), path, f"{key} is no time")
    tile = data.get("tile")
    _wants(
        tile is None
        or (isinstance(tile, list) and len(tile) == 2 and all(is_count(n, 63) for n in tile)),
        path,
        "tile is no place",
    )
    trouble = data.get("trouble")
    _wants(
        isinstance(trouble, list)
        and len(trouble) < 1000
        and all(
            isinstance(t, dict) and isinstance(t.get("what"), str) and len(t["what"]) <= TEXT
            for t in trouble
        ),
        path,
        "trouble is no list",
    )
    _check_questions(path, data.get("questions"))
    _wants(
        data.get("hash") == signature(data),
        path,
        "the hash is not that of the content: the file was changed",
    )
    _wants(
        set(data)
        == {
            "kit",
            "format",
            "version",
            "card",
            "began",
            "ended",
            "tile",
            "trouble",
            "questions",
            "hash",
        },
        path,
        "it has keys that nobody knows",
    )
    for entry in data["questions"].values():
        if "words" in entry:
            text = entry["words"]
            entry["words"] = [int(text[n : n + 8], 16) for n in range(0, len(text), 8)]
    return data


def _check_questions(path, questions):
    _wants(
        isinstance(questions, dict) and len(questions) <= MOST_QUESTIONS,
        path,
        "it has no questions",
    )
    for name, entry in questions.items():
        _wants(NAME.match(name), path, "the name of a question is wrong")
        _wants(
            isinstance(entry, dict)
            and entry.get("state") in STATES
            and set(entry) <= {"state", "words", "places", "said"},
            path,
            f"{name} is no question",
        )
        text = entry.get("words")
        _wants(
            (text is not None) == (entry["state"] == "answered"),
            path,
            f"{name} has no answer, or should have none",
        )
        _wants(
            text is None
            or (
                isinstance(text, str)
                and len(text) % 8 == 0
                and len(text) <= 8 * MOST_WORDS
                and re.fullmatch("[0-9a-f]*", text)
            ),
            path,
            f"the answer of {name} is not in hex",
        )
        said = entry.get("said")
        _wants(
            said is None or isinstance(said, str) and len(said) <= TEXT,
            path,
            f"what {name} ended with is no text",
        )
        places = entry.get("places")
        _wants(
            places is None
            or (
                isinstance(places, list)
                and len(places) == 3
                and all(is_count(p, 1 << 32) for p in places)
            ),
            path,
            f"the places of {name} are wrong",
        )
