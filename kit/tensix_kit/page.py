# SPDX-License-Identifier: Apache-2.0
"""A judgement as text, as data, and as one page."""

import html as html_of
import re

from . import VERSION
from . import judge as j

DISAGREE = (j.DIFFERS, j.CONTRADICTS, j.TIMEOUT)
UNANSWERED = (j.MISSING, j.LOST)


def disagrees(judgement):
    """Whether the card is in anything not as the defaults have it."""
    return bool(judgement.others()) or any(
        v.state in DISAGREE + UNANSWERED or against_default(v) for v in judgement.verdicts.values()
    )


def against_default(verdict):
    first = verdict.question.readings[0].label if verdict.question.readings else None
    return verdict.state == j.DECIDES and first not in verdict.supports


def title(judgement):
    card = judgement.data["card"]
    name = {"bh": "Blackhole", "wh": "Wormhole"}[card["chip"]]
    emulated = f" emulated by {card['emulated']}" if card.get("emulated") else ""
    return (
        f"{name} {card.get('tt_card_type') or 'card'}{emulated}, firmware "
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
        j.LOST,
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
        beside = f" (the simulator: {found.beside})" if found.beside else ""
        if found.state in (*DISAGREE, j.MISSING) or everything and found.state == j.LOST:
            yield f"  {name}: {found.state}{beside}"
        elif against_default(found) and not all(r.rule for r in found.question.readings):
            yield f"  {name}: the card has {' or '.join(found.supports)}{beside}"
        elif everything:
            yield f"  {name}: {found.state} {' or '.join(found.supports)}"
    for reason, number in sorted(reasons(judgement).items(), key=lambda r: (-r[1], r[0])):
        yield f"  {number} lost: {reason}"
    for name in judgement.unknown:
        yield f"  {name}: this kit does not know the question"


def reasons(judgement):
    """How often a process that asked ended, by what it said last: times and numbers left out."""
    found = {}
    for one in judgement.verdicts.values():
        if one.state == j.LOST:
            said = re.sub(r"^\[\d+\] |0x[0-9a-fA-F]+|\b\d+\b", "", one.said or "nothing was said")
            said = re.sub(r"\W+", " ", said).strip()
            found[said] = found.get(said, 0) + 1
    return found


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


# ---- the page ----

STYLE = """
:root{color-scheme:light dark;--bg:#fafafa;--panel:#fff;--fg:#1a1d21;--dim:#5f6670;--line:#dcdfe3;
--good:#1f6f43;--bad:#b3261e;--warn:#8a5300;--accent:#0b5fbf}
@media (prefers-color-scheme:dark){:root{--bg:#14161a;--panel:#1c1f24;--fg:#e3e6ea;--dim:#9ba2ac;
--line:#343941;--good:#6cc795;--bad:#ff8a80;--warn:#f0b45a;--accent:#82b8ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1120px;padding:24px 16px 48px;background:var(--bg);color:var(--fg);
font:14px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}
h1{font-size:20px;margin:0 0 4px}h2{font-size:16px;margin:28px 0 8px}
p{margin:4px 0 10px;max-width:76ch}
.dim{color:var(--dim)}.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}
.tiles{display:flex;flex-wrap:wrap;gap:10px;margin:14px 0}
.tile{background:var(--panel);border:1px solid var(--line);border-radius:7px;padding:8px 14px;
min-width:104px}
.tile b{display:block;font-size:20px;font-weight:600}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:7px;background:var(--panel)}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:6px 10px;border-bottom:1px solid var(--line)}
tr:last-child td{border-bottom:0}th{color:var(--dim);font-weight:600;white-space:nowrap}
code{font:12px/1.4 ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}
details{margin:6px 0}summary{cursor:pointer;color:var(--accent)}
"""
SHOWN = 8  # words of an answer on the page
COLOUR = {
    j.AGREES: "good",
    j.DECIDES: "good",
    j.OPEN: "dim",
    j.EXPLAINED: "dim",
    j.DIFFERS: "bad",
    j.CONTRADICTS: "bad",
    j.TIMEOUT: "bad",
    j.MISSING: "warn",
    j.LOST: "warn",
}


def escaped(value):
    return html_of.escape(str(value)).encode("ascii", "xmlcharrefreplace").decode()


def words_of(words, expected=None):
    """The first words, from the first one on that is not as expected."""
    if words is None:
        return "no answer"
    start = 0
    if expected is not None and expected != words:
        start = next((n for n, (a, b) in enumerate(zip(words, expected)) if a != b), 0)
    part = " ".join(f"{w:08x}" for w in words[start : start + SHOWN])
    more = f" and {len(words) - start - SHOWN} more" if len(words) > start + SHOWN else ""
    return (f"from word {start}: " if start else "") + part + more


def table(heads, rows):
    head = "".join(f"<th>{escaped(h)}</th>" for h in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


def rows_of_rules(found):
    """What each rule is on how many cards."""
    names = sorted({name for one in found for name in one.rules})
    for name in names:
        entries = [one.rules[name] for one in found if name in one.rules]
        default = entries[0]["default"]
        counts = {}
        for entry in entries:
            value = "contradictory" if entry["conflict"] else entry["value"] or "not decided"
            counts[value] = counts.get(value, 0) + 1
        shown = ", ".join(
            f'<span class="{"good" if value == default else "bad"}">{escaped(value)}</span>'
            + (f" on {number} of {len(entries)} results" if len(found) > 1 else "")
            for value, number in sorted(counts.items())
        )
        asked = " ".join(sorted({q for entry in entries for q in entry["questions"]}))
        yield [
            f"<code>{escaped(name)}</code>",
            escaped(default),
            shown,
            f"<code>{escaped(asked)}</code>",
        ]


def rows_of_disagreements(one):
    for name, found in sorted(one.verdicts.items()):
        if found.state not in DISAGREE and not against_default(found):
            continue
        readings = found.question.readings
        default = readings[0].label if readings else "the emulator's answer"
        card = " or ".join(found.supports) or ("another answer" if found.words else found.state)
        card += f" (the simulator: {found.beside})" if found.beside else ""
        yield [
            f"<code>{escaped(name)}</code><br>{escaped(found.question.text)}",
            escaped(default),
            f'<span class="bad">{escaped(card)}</span>',
            f"<code>{escaped(words_of(found.words, found.expected))}</code>"
            + (
                f'<br><span class="dim">expected</span> '
                f"<code>{escaped(words_of(found.expected, found.words))}</code>"
                if found.expected
                else ""
            ),
            escaped(" ".join(found.question.about)),
        ]


def rows_of_all(one):
    for name, found in sorted(one.verdicts.items()):
        yield [
            f"<code>{escaped(name)}</code>",
            f'<span class="{COLOUR[found.state]}">{escaped(found.state)}</span>',
            escaped(" or ".join(found.supports)),
            escaped(" or ".join(found.against)),
        ]


def section(one):
    card = one.data["card"]
    parts = [f"<h2>{escaped(title(one))}</h2>"]
    parts.append(
        '<p class="dim">'
        + escaped(
            ", ".join(
                f"{key.removeprefix('tt_')} {value}"
                for key, value in sorted(card.items())
                if isinstance(value, str)
            )
        )
        + "</p>"
    )
    tiles = [(s, one.count(s)) for s in COLOUR if one.count(s)]
    parts.append(
        '<div class="tiles">'
        + "".join(
            f'<div class="tile"><b class="{COLOUR[s]}">{n}</b>{escaped(s)}</div>' for s, n in tiles
        )
        + "</div>"
    )
    for trouble in one.data["trouble"]:
        parts.append(f'<p class="warn">{escaped(trouble["what"])}</p>')
    rows = list(rows_of_disagreements(one))
    parts.append("<h2>What disagrees</h2>")
    if rows:
        heads = ("question", "default", "this card", "answer", "evidence")
        parts.append(table(heads, rows))
    else:
        parts.append('<p class="good">Nothing: every answer is the default one.</p>')
    parts.append(
        "<details><summary>All questions</summary>"
        + table(("question", "outcome", "supports", "against"), rows_of_all(one))
        + "</details>"
    )
    return "".join(parts)


def html(found):
    """One self-contained page of one or more results."""
    many = f"{len(found)} results" if len(found) > 1 else "one result"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>What a card says</title><style>{STYLE}</style></head><body>"
        f"<h1>What a card says</h1><p class=\"dim\">tensix-kit {VERSION}, {many}. Each answer is "
        "compared with what the emulator gives under each reading of the documents.</p>"
        + "".join(section(one) for one in found)
        + "<h2>Rules of the emulator</h2>"
        + table(("rule", "default", "card", "questions"), rows_of_rules(found))
        + "</body></html>\n"
    )
