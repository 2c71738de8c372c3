# SPDX-License-Identifier: Apache-2.0
"""The command tensix-kit."""

import argparse
import json
import sys
import time
from pathlib import Path

from . import VERSION, apart, firmware, page, proposals, result, script, session
from .device import Device, DeviceError, cards
from .emulated import Emulator, EmulatorError
from .judge import beside, judge
from .questions import all_questions, timing
from .tile import CANDIDATES, DRAM, DRAM_PAGE, SOFT_RESET, TileError, restore
from .words import Chip, DataError


class Refused(Exception):
    """The command line asks for something that is not possible."""


def chosen(chip, given):
    """The questions that the command line names."""
    found = list(all_questions(chip))
    if given.names:
        try:
            wanted = set(Path(given.names).read_text(encoding="ascii").split())
        except (OSError, UnicodeError):
            raise Refused(f"{given.names} cannot be read") from None
        found = [q for q in found if q.name in wanted]
    for part in given.only or []:
        found = [q for q in found if part in q.name]
    if given.safe:
        found = [q for q in found if not q.danger]
    if not found:
        raise Refused("no question has such a name")
    return found


def show_progress(done, total):
    end = "\n" if done == total else ""
    sys.stderr.write(f"\rtensix-kit: {done} of {total} questions{end}")
    sys.stderr.flush()


def tell(text):
    print(f"tensix-kit: {text}", file=sys.stderr)


def dry_run(given, out):
    """What a run would do, without a word written to the card."""
    with Device(given.card) as device:
        chip = Chip.of(device.chip)
        questions = chosen(chip, given)
        parts = list(session.batches(questions, lambda: script.Batch(chip)))
        places = session.idle_places(device, chip, 3)
        print(
            f"card {given.card}: {device.identity()['tt_card_type']}, chip {device.chip}", file=out
        )
        print(f"workers that are idle: {places or 'none'}; the first one is used", file=out)
        print(f"questions: {len(questions)} in {len(parts)} batches", file=out)
        print(
            f"saved and restored: L1 of that worker, 0 to {script.USED:#x}, and its register "
            f"{SOFT_RESET:#x}",
            file=out,
        )
        x, y = DRAM[chip.name]
        print(
            f"and pages of {script.PAGE} bytes: at {script.PAGE_AT:#x} in two idle workers beside "
            f"it, at {DRAM_PAGE:#x} in the DRAM of ({x}, {y})",
            file=out,
        )
        print(
            "never touched: all else of other workers and DRAM, Ethernet, ARC, PCIe, flash, clocks",
            file=out,
        )
        print(f"written in the end: {given.result}; meanwhile {journal_of(given)}", file=out)
    return 0


def journal_of(given):
    return f"{given.result}.journal"


def checked_firmware(device, given):
    """What the result says of the firmware; refuses one that is too old."""
    said, old = firmware.judged(device)
    if old and not given.any_firmware:
        raise Refused(f"{said}: --any-firmware asks nevertheless")
    return [{"what": said}] if said else []


def command_run(given):
    if given.dry_run:
        return dry_run(given, sys.stdout)
    folder = Path(given.result).resolve().parent
    if not folder.is_dir():
        raise Refused(f"{folder} is no folder")
    if Path(journal_of(given)).exists():
        raise Refused(
            f"{journal_of(given)} is of a run that was killed: "
            f"'tensix-kit restore {journal_of(given)}' first"
        )
    with Device(given.card) as device:
        chip = Chip.of(device.chip)
        questions = chosen(chip, given)
        firmware = checked_firmware(device, given)
    done = apart.ask(
        given.card,
        questions,
        journal_of(given),
        given.seconds,
        tell,
        None if given.quiet else show_progress,
    )
    if done.refused and not done.answers:
        raise Refused(done.refused)
    if done.refused:
        done.trouble.append({"what": done.refused})
    done.trouble[:0] = firmware
    data = result.make(done.card, done, questions)
    result.write(given.result, data)
    may_hang = {q.name for q in questions if any(r.answer == "timeout" for r in q.readings)}
    missing = sum(
        e["state"] in ("missing", "lost") or e["state"] == "timeout" and n not in may_hang
        for n, e in data["questions"].items()
    )
    if not given.quiet:
        print(
            f"{len(questions) - missing} of {len(questions)} questions answered in "
            f"{time.time() - done.began:.1f} s: {given.result}"
        )
    for trouble in data["trouble"]:
        tell(trouble["what"])
    return 1 if missing else 0


def command_report(given):
    emulator = Emulator(given.tensix)
    found = []
    for path in given.result:
        data = result.read(path)
        found.append(judge(data, emulator, None if given.quiet else tell))
    for path in given.simulator or []:
        simulator = judge(result.read(path), emulator)
        for one in found:
            if one.data["card"]["chip"] == simulator.data["card"]["chip"]:
                beside(one, simulator)
    if given.patch:
        Path(given.patch).write_text(proposals.patch(found), encoding="ascii")
    if given.issues:
        folder = Path(given.issues)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in proposals.issues(found, emulator.command).items():
            (folder / name).write_text(text, encoding="utf-8")
    if given.json:
        Path(given.json).write_text(
            json.dumps(page.data_of(found), indent=1) + "\n", encoding="ascii"
        )
    if given.page:
        Path(given.page).write_text(page.html(found), encoding="ascii")
    sys.stdout.write(page.text(found, given.all))
    return 1 if any(page.disagrees(j) for j in found) else 0


def command_figures(given):
    data = result.read(given.result)
    print("# id\tarea\tchip\tconfiguration\tquantity\tvalue\tunit\tsource")
    for row in timing.rows(Chip.of(data["card"]["chip"]), data):
        print(row)
    return 0


def command_restore(given):
    with Device(given.card) as device:
        restore(device, given.journal)
    print("L1 and the resets of the worker are as they were")
    return 0


def command_list(given):
    chip = Chip.of(given.chip)
    for question in chosen(chip, given):
        readings = " | ".join(r.label for r in question.readings)
        print(f"{question.name}\t{question.text}" + (f"\t{readings}" if readings else ""))
    return 0


def parser():
    top = argparse.ArgumentParser(prog="tensix-kit", description=__doc__)
    top.add_argument("--version", action="version", version=VERSION)
    actions = top.add_subparsers(dest="action", required=True)

    def questions_of(one):
        one.add_argument(
            "--only",
            action="append",
            metavar="TEXT",
            help="only questions with this in their names; may repeat",
        )
        one.add_argument("--names", metavar="FILE", help="only questions that FILE lists")
        one.add_argument(
            "--safe", action="store_true", help="leave out questions that may hang a tile"
        )

    one = actions.add_parser("run", help="ask a card, and write RESULT")
    one.add_argument("result", metavar="RESULT")
    one.add_argument("--card", type=int, default=0, metavar="N", help="number of the card")
    one.add_argument("--dry-run", action="store_true", help="say what would be done, and end")
    one.add_argument(
        "--seconds",
        type=float,
        default=session.SECONDS,
        metavar="S",
        help="how long a batch may take",
    )
    one.add_argument(
        "--any-firmware", action="store_true", help="ask a card whose firmware is too old, too"
    )
    one.add_argument("--quiet", action="store_true", help="say nothing but what is wrong")
    questions_of(one)
    one.set_defaults(run=command_run)

    one = actions.add_parser("report", help="compare RESULT with the emulator's readings")
    one.add_argument("result", metavar="RESULT", nargs="+")
    one.add_argument("--tensix", metavar="COMMAND", help="the command tensix")
    one.add_argument("--page", metavar="FILE.html", help="write a page")
    one.add_argument("--json", metavar="FILE.json", help="write the findings as data")
    one.add_argument(
        "--simulator",
        action="append",
        metavar="RESULT",
        help="what the vendor's simulator answered, which is named beside; may repeat",
    )
    one.add_argument(
        "--patch", metavar="FILE.diff", help="write the change of the rules' defaults as a patch"
    )
    one.add_argument(
        "--issues", metavar="FOLDER", help="write a text for each answer that is not the default"
    )
    one.add_argument("--all", action="store_true", help="name each question that agrees, too")
    one.add_argument("--quiet", action="store_true", help="say nothing meanwhile")
    one.set_defaults(run=command_report)

    one = actions.add_parser("figures", help="the times of RESULT as rows of figures")
    one.add_argument("result", metavar="RESULT")
    one.set_defaults(run=command_figures)

    one = actions.add_parser("restore", help="put back what a killed run has left")
    one.add_argument("journal", metavar="JOURNAL")
    one.add_argument("--card", type=int, default=0, metavar="N", help="number of the card")
    one.set_defaults(run=command_restore)

    one = actions.add_parser("list", help="the questions, and what they decide between")
    one.add_argument("chip", choices=sorted(CANDIDATES))
    questions_of(one)
    one.set_defaults(run=command_list)
    return top


def main(arguments=None):
    given = parser().parse_args(arguments)
    try:
        if given.action in ("run", "restore") and given.card not in cards():
            raise Refused(
                f"there is no card {given.card}: /dev/tenstorrent has "
                f"{', '.join(map(str, cards())) or 'none'}"
            )
        return given.run(given)
    except (Refused, DeviceError, TileError, DataError, EmulatorError, result.ResultError) as error:
        tell(error)
        return 2
    except OSError as error:
        tell(f"{error.filename or 'a file'}: {error.strerror}")
        return 2
    except BrokenPipeError:
        return 2


if __name__ == "__main__":
    sys.exit(main())
