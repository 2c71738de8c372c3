# SPDX-License-Identifier: Apache-2.0
"""Answers of the emulated card, under default readings or others: `tensix card` runs the kit."""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from . import result

SECONDS = 600


class EmulatorError(Exception):
    """The emulated card gave no answers; the text is one sentence."""


class Emulator:
    """The command `tensix`, and what it answered already."""

    def __init__(self, command=None, cache=None):
        wanted = command or os.environ.get("TENSIX") or "tensix"
        self.command = shutil.which(wanted)
        if self.command is None:
            raise EmulatorError(f"there is no command {wanted}: name it with --tensix")
        self.known = {}
        self.cache = Path(cache) if cache else None

    def answers(self, chip, names, rules=(), door=None):
        """Words of each question of these names, None where there was no answer."""
        key = (chip, tuple(sorted(rules)), door)
        known = self.known.setdefault(key, {})
        missing = [name for name in names if name not in known]
        if missing:
            known.update(self._ask(chip, missing, key[1], door))
        return {name: known.get(name) for name in names}

    def _ask(self, chip, names, rules, door):
        with tempfile.TemporaryDirectory(prefix="tensix-kit-") as folder:
            out, wanted = Path(folder) / "result.json", Path(folder) / "names"
            wanted.write_text("\n".join(names) + "\n", encoding="ascii")
            environment = dict(os.environ)
            environment["PYTHONPATH"] = os.pathsep.join(
                [str(Path(__file__).resolve().parent.parent),
                 *filter(None, [environment.get("PYTHONPATH")])])
            environment["TENSIX_CARD_RULES"] = ",".join(rules)
            for name in ("LD_PRELOAD", "TENSIX_CARD"):  # not a card within a card
                environment.pop(name, None)
            command = [self.command, "card", "--arch", chip]
            command += ["--door", door] if door else []
            command += ["--", sys.executable, "-m", "tensix_kit", "run", str(out), "--names",
                        str(wanted), "--quiet"]
            try:
                done = subprocess.run(command, env=environment, capture_output=True, text=True,
                                      timeout=SECONDS, check=False)
            except subprocess.TimeoutExpired:
                raise EmulatorError("the emulated card did not come to an end") from None
            if not out.is_file():
                last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
                raise EmulatorError(f"the emulated card gave no result: {last[:300]}")
            found = result.read(out)
        return {name: entry.get("words") for name, entry in found["questions"].items()}


def digest(words):
    return hashlib.sha256(repr(words).encode()).hexdigest()[:12]
