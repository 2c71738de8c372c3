# SPDX-License-Identifier: Apache-2.0
"""A judgement as text, as data, and as one page."""

from . import judge as j

DISAGREE = (j.DIFFERS, j.CONTRADICTS, j.TIMEOUT)


def disagrees(judgement):
    """Whether the card is in anything not as the defaults have it."""
    return bool(judgement.others()) or any(
        v.state in DISAGREE or against_default(v) for v in judgement.verdicts.values()
    )


def against_default(verdict):
    first = verdict.question.readings[0].label if verdict.question.readings else None
    return verdict.state == j.DECIDES and first not in verdict.supports


def title(judgement):
    card = judgement.data["card"]
    name = {"bh": "Blackhole", "wh": "Wormhole"}[card["chip"]]
    return (
        f"{name} {card.get('tt_card_type') or 'card'}, firmware "
        f"{card.get('tt_fw_bundle_ver') or 'unknown'}, result {judgement.data['hash'][:12]}"
    )


def lines_of(judgement, everything):
    yield title(judgement)
    states = (
        j.AGREES,
        j.DECIDES,
        j.OPEN,
        j.EXPLAINED,
        j.DIFFERS,
        j.CONTRADICTS,
        j.TIMEOUT,
        j.MISSING,
    )
    yield "  " + ", ".join(f"{judgement.count(s)} {s}" for s in states if judgement.count(s))
    for name, value in sorted(judgement.others().items()):
        entry = judgement.rules[name]
        yield (
            f"  RULE {name}: the card has {value}, the default is {entry['default']} "
            f"({', '.join(entry['for'][value])})"
        )
    for name, entry in sorted(judgement.rules.items()):
        if entry["conflict"]:
            yield f"  RULE {name}: answers contradict each other or all readings"
        elif entry["value"] is None:
            yield f"  RULE {name}: nothing decided"
        elif everything:
            yield f"  RULE {name}: {entry['value']}, as by default"
    for name, found in sorted(judgement.verdicts.items()):
        if found.state in (*DISAGREE, j.MISSING):
            yield f"  {name}: {found.state}"
        elif against_default(found) and not all(r.rule for r in found.question.readings):
            yield f"  {name}: the card has {' or '.join(found.supports)}"
        elif everything:
            yield f"  {name}: {found.state} {' or '.join(found.supports)}"
    for name in judgement.unknown:
        yield f"  {name}: this kit does not know the question"


def text(found, everything=False):
    return "".join(line.rstrip() + "\n" for one in found for line in lines_of(one, everything))


def data_of(found):
    return {
        "kit": "report",
        "results": [
            {
                "hash": one.data["hash"],
                "card": one.data["card"],
                "rules": one.rules,
                "others": one.others(),
                "unknown": one.unknown,
                "questions": {name: v.data() for name, v in one.verdicts.items()},
            }
            for one in found
        ],
    }


def html(found):
    return ""
