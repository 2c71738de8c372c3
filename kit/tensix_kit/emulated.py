# SPDX-License-Identifier: Apache-2.0
"""Answers of the emulated card, under default readings or others: `tensix card` runs the kit."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from . import session
from .device import Device
from .questions import all_questions
from .words import Chip

SECONDS = 600
HANG_SECONDS = 20  # more than a question takes on a machine that has much else to do


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
        self.gather(chip, [(rules, names)], door)
        known = self.known[chip, tuple(sorted(rules)), door]
        return {name: known.get(name) for name in names}

    def gather(self, chip, wanted, door=None):
        """Asks for pairs of rules and names, all in one process; what is known is not asked."""
        tasks = {}
        for rules, names in wanted:
            key = (chip, tuple(sorted(rules)), door)
            known = self.known.setdefault(key, {})
            missing = [name for name in names if name not in known]
            if missing:
                tasks.setdefault(key[1], {}).update(dict.fromkeys(missing))
        if tasks:
            spec = [{"rules": list(rules), "names": list(names)} for rules, names in tasks.items()]
            for rules, answers in zip(tasks, self._ask(chip, spec, door)):
                self.known[chip, rules, door].update(answers)

    def _ask(self, chip, spec, door):
        with tempfile.TemporaryDirectory(prefix="tensix-kit-") as folder:
            out, tasks = Path(folder) / "answers.json", Path(folder) / "tasks.json"
            tasks.write_text(json.dumps(spec), encoding="ascii")
            environment = dict(os.environ)
            environment["PYTHONPATH"] = os.pathsep.join(
                [
                    str(Path(__file__).resolve().parent.parent),
                    *filter(None, [environment.get("PYTHONPATH")]),
                ]
            )
            environment["TENSIX_CARD_RULES"] = ""
            for name in ("LD_PRELOAD", "TENSIX_CARD"):  # not a card within a card
                environment.pop(name, None)
            command = [self.command, "card", "--arch", chip]
            command += ["--door", door] if door else []
            command += ["--", sys.executable, "-m", "tensix_kit.emulated", str(tasks), str(out)]
            try:
                done = subprocess.run(
                    command,
                    env=environment,
                    capture_output=True,
                    text=True,
                    timeout=SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise EmulatorError("the emulated card did not come to an end") from None
            if not out.is_file():
                last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
                raise EmulatorError(f"the emulated card gave no result: {last[:300]}")
            return json.loads(out.read_text(encoding="ascii"))


def answer_tasks(tasks, out):
    """Inside the emulated card: each task on a card that was reset to its rules."""
    found = []
    for task in json.loads(Path(tasks).read_text(encoding="ascii")):
        os.environ["TENSIX_CARD_RULES"] = ",".join(task["rules"])
        with Device(0) as device:
            device.reset()
        with Device(0) as device:
            chip = Chip.of(device.chip)
            wanted = set(task["names"])
            questions = [q for q in all_questions(chip) if q.name in wanted]
            done = session.run(device, chip, questions, seconds=HANG_SECONDS)
        if done.trouble:
            raise SystemExit(done.trouble[-1]["what"])
        found.append({q.name: done.answers.get(q.name, {}).get("words") for q in questions})
    Path(out).write_text(json.dumps(found), encoding="ascii")


if __name__ == "__main__":
    answer_tasks(*sys.argv[1:])
