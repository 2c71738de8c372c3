# SPDX-License-Identifier: Apache-2.0
"""What follows from results: a patch of the emulator's table of rules, and texts of issues for
those who keep the documents. Both state what was asked and answered, and nothing else."""

import difflib
import re
import time

from . import VERSION, listing
from . import judge as j
from .page import against_default, words_of
from .words import Chip

RULES = "isa/rules.def"
CHIPS = {"bh": "Blackhole", "wh": "Wormhole"}


# ---- the patch ----


def values_of(found):
    """Of each rule: which values the results have, and which results have them."""
    said = {}
    for one in found:
        for name, entry in one.rules.items():
            value = "contradictory" if entry["conflict"] else entry["value"]
            if value is not None:
                said.setdefault(name, {}).setdefault(value, []).append(one)
    return said


def with_default(table, name, value):
    """The table with that value in the first place of the rule's row."""

    def row(match):
        values = re.findall(r'"[^"]*"', match.group(2))
        wanted = f'"{value}"'
        if wanted not in values:
            raise ValueError(f"{name} has no value {value}")
        return match.group(1) + ", ".join([wanted, *[v for v in values if v != wanted]]) + ")"

    pattern = re.compile(rf'^(RULE\(\w+, "{re.escape(name)}", \w+, )((?:"[^"]*"(?:, )?)+)\)', re.M)
    changed, count = pattern.subn(row, table)
    if count != 1:
        raise ValueError(f"{RULES} has {count} rows of {name}")
    return changed


def where(one):
    card = one.data["card"]
    emulated = f", emulated by {card['emulated']}" if card.get("emulated") else ""
    return f"result {one.data['hash'][:12]} ({CHIPS[card['chip']]}{emulated})"


def patch(found):
    """A unified diff of the table, with what each change rests on; lines of the head have a #."""
    chip = Chip.of(found[0].data["card"]["chip"])
    before = after = chip.tables[RULES]
    head = []
    for name, values in sorted(values_of(found).items()):
        default = next(one.rules[name]["default"] for one in found if name in one.rules)
        if set(values) == {default}:
            continue
        told = "; ".join(
            f"{value}: {', '.join(map(where, ones))}" for value, ones in sorted(values.items())
        )
        if len(values) > 1 or "contradictory" in values:
            head.append(f"# {name}: no change is proposed, the answers do not agree ({told})")
            continue
        (value,) = values
        after = with_default(after, name, value)
        asked = sorted({q for one in values[value] for q in one.rules[name]["for"][value]})
        head.append(f"# {name}: {default} becomes {value} ({told}; {', '.join(asked)})")
    text = "".join(f"{line}\n" for line in head) or "# every rule that was decided is the default\n"
    lines = difflib.unified_diff(
        before.splitlines(True), after.splitlines(True), f"a/{RULES}", f"b/{RULES}"
    )
    return text + "".join(lines)


# ---- texts of issues ----


def worth(one):
    """Names of questions whose answer is not what the default reading says."""
    return [
        name
        for name, v in sorted(one.verdicts.items())
        if v.words is not None
        and (v.state in (j.CONTRADICTS, j.DIFFERS) or v.state == j.DECIDES and against_default(v))
    ]


def reading_text(reading):
    if reading.answer == "timeout":
        return "no answer"
    if reading.answer is not None:
        return f"`{words_of(list(reading.answer))}`"
    return "any other answer" if reading.test is not None else "what the emulator gives with it"


def issue(one, name, program):
    """The text of one question, in Markdown."""
    v, card = one.verdicts[name], one.data["card"]
    question, chip = v.question, Chip.of(card["chip"])
    date = time.strftime("%Y-%m-%d", time.gmtime(one.data["began"]))
    emulated = card.get("emulated")
    who = "the simulator" if emulated else "the card"
    on = (
        f"by a simulator of {CHIPS[chip.name]} behind the interface of a card"
        if emulated
        else f"by a {card.get('tt_card_type') or 'card'} ({CHIPS[chip.name]}), firmware "
        f"{card.get('tt_fw_bundle_ver') or 'unknown'}, AICLK {card.get('tt_aiclk') or 'unknown'} "
        f"MHz, tile {one.data['tile']}"
    )
    lines = [
        f"# {CHIPS[chip.name]}: {question.text}",
        "",
        f"Answered on {date} {on}, with tensix-kit {VERSION}. SHA-256 of the result: "
        f"{one.data['hash']}.",
        "",
        "## The program",
        "",
        "```",
        program[0] or "(nothing: state behind a reset)",
        f"read: {program[1]}",
        "```",
        "",
        "## The answer",
        "",
        f"- {who}: `{words_of(v.words, v.expected)}`",
    ]
    if v.expected is not None:
        lines.append(f"- the emulator's default: `{words_of(v.expected, v.words)}`")
    if question.readings and v.supports:
        lines.append(f"- that is the reading: {' or '.join(v.supports)}")
    if v.beside:
        lines.append(f"- the vendor's simulator: {v.beside}")
    if question.readings:
        lines += ["", "## The readings", ""]
        lines += [f"- {r.label}: {reading_text(r)}" for r in question.readings]
    sources = [(i, chip.evidence.get(i)) for i in question.about]
    if sources:
        lines += ["", "## What is written", ""]
        lines += [
            f"- {i}: {text[0]} Source: {text[1]}" if text else f"- {i} of the specification"
            for i, text in sources
        ]
    lines += [
        "",
        "## To see it again",
        "",
        "```",
        ("tensix card --door libttsim.so -- " if emulated else "")
        + f"tensix-kit run result.json --only {name}",
        "tensix-kit report result.json --all",
        "```",
    ]
    return "\n".join(lines) + "\n"


def issues(found, command):
    """File names and texts: one of each question that a result answers otherwise."""
    texts = {}
    for one in found:
        chip = Chip.of(one.data["card"]["chip"])
        names = worth(one)
        programs = listing.programs(command, chip, [one.verdicts[n].question for n in names])
        for name in names:
            file = f"{chip.name}-{re.sub(r'[^a-z0-9]+', '-', name.lower())}.md"
            texts.setdefault(file, issue(one, name, programs[name]))
    return texts
