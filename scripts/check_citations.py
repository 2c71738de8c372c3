#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every reason can be followed: what code, tables, tests and documents cite must be there.

Three kinds of citation are looked at:
- a normative text and a place in it, as "spec/timing.md a.7" or "unpack.md 5.9, 8": the file
  stands in docs/spec/, and the place is a heading, a numbered row or an instruction of it;
- the id of a ruling, as "ruling R14" or "U1)": a row of a table in docs/spec/, or an entry of
  isa/evidence.def;
- the id of evidence, an erratum, a doubt or an idiom, as E-HAZ or D-PACK-ADDRESS: an entry of a
  table, which `tensix explain` prints.

With --rows, writes lab/explain/spec_rows.def: the rows of docs/spec/ that have an id, for
`tensix explain`. Without, that file must be the one that would be written.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ.get("TENSIX_TREE") or Path(__file__).resolve().parent.parent)
SPEC = ROOT / "docs" / "spec"
ROWS = ROOT / "lab" / "explain" / "spec_rows.def"
LOOKED_AT = ("src", "lab", "include", "isa", "cli", "door", "card", "tests", "python", "docs",
             "web", "scripts", "bench", "examples", "CONTRIBUTING.md", "README.md", "CHANGELOG.md")
KINDS = {".c", ".h", ".cpp", ".def", ".py", ".sh", ".md", ".tsv"}
MNEMONICS = re.compile(r"^[A-Z][A-Z0-9_]{2,}$")
TEXTS = sorted(path.stem for path in SPEC.glob("*.md") if path.stem != "README")
# The checker, and its test, which plants what leads nowhere.
OWN = ("scripts/check_citations.py", "tests/build/citations.sh")
CITED = re.compile(
    r"(?<![\w/-])(?:docs/)?(spec/)?(" + "|".join(map(re.escape, TEXTS)) + r")\.md"
    r"`?\]?(?:\([^)]*\))?"
    r"((?:,? *(?:and |to |sections? |row |\()?"
    r"(?:[0-9]+(?:\.[0-9]+)*[a-z]?\b|\(?[a-d](?:\.[0-9]+|\))|[A-E](?:\.[0-9]+)+"
    r"|E-[A-Z0-9]+-[0-9]+|O-[0-9]+|[A-Z]{1,2}[0-9]{1,2}\b|SFP[A-Z0-9]+\b))*)")
PLACE = re.compile(
    r"\([a-d]\) [0-9]+\b|[0-9]+(?:\.[0-9]+)*[a-z]?\b|[a-d]\.[0-9]+|\([a-d]\)|\b[A-E](?:\.[0-9]+)+"
    r"|E-[A-Z0-9]+-[0-9]+|O-[0-9]+|\b[A-Z]{1,2}[0-9]{1,2}\b|SFP[A-Z0-9]+\b")
RULING = re.compile(r"\brulings? ((?:(?:, | and | or )?\b[RUMPC][0-9]{1,2}\b)+)")
# Letters, and a number or name of capitals behind them; formats such as E-2 are none.
ID = re.compile(r"(?<![\w-])((?:E-[A-Z][A-Z0-9]+(?:-[A-Z0-9]+)*|L-[A-Z][A-Z0-9]{3,}"
                r"|D-[A-Z]+-[A-Z-]+|TL-[0-9]+))(?![\w-])")


def tables_ids():
    """Ids that tables of isa/ and lab/ define."""
    ids = set()
    for path in list((ROOT / "isa").glob("*.def")) + list((ROOT / "lab").rglob("*.def")):
        if path == ROWS:
            continue
        for row in re.finditer(r"^ *[A-Z_]+\((?:[A-Za-z0-9_]+, *)?\"([^\"]+)\"", path.read_text(),
                               re.MULTILINE):
            ids.add(row.group(1))
    return ids


class Text:
    """A normative text: its places, and its rows that have an id."""

    def __init__(self, path):
        self.name = path.stem
        self.places = set()
        self.rows = []  # (id, section, cells)
        section = ""
        for line in path.read_text().splitlines():
            heading = re.match(r"#+ +(.*)", line)
            if heading:
                section = self.heading(heading.group(1)) or section
                continue
            self.row(line, section)

    def heading(self, title):
        found = ""
        number = re.match(
            r"(?:Part )?(\(?[A-Za-z]?\.?[0-9]*(?:\.[0-9]+)*[a-z]?\)?)[. :]", title + " ")
        if number and re.search(r"[0-9]|^\([a-d]\)$|^[A-E]$", number.group(1).rstrip(".")):
            found = number.group(1).rstrip(".")
            self.places.add(found)
        # An instruction's own section, or several of a kind.
        for name in re.findall(r"\bSFP[A-Z0-9]+\b", title):
            self.places.add(name)
            found = name
        return found

    def row(self, line, section):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if cells and re.match(r"^[*`]*[A-Z]{1,2}(-[A-Z0-9]+)*-?[0-9]{1,2}[a-z]?[*`]*$", cells[0]):
            name = cells[0].strip("*`")
            self.places.add(name)
            self.rows.append((name, section, cells[1:]))
            return
        number = cells and re.match(r"^[0-9]+$", cells[0])
        if number:  # a row of a numbered list, cited as "(d) 13"
            self.places.add(f"{section} {cells[0]}")
        for name, words in re.findall(r"\b(E-[A-Z0-9]+-[0-9]+): (.*?)(?= E-[A-Z0-9]+-[0-9]+:|$)",
                                      line):
            self.places.add(name)
            self.rows.append((name, section, [words]))
        item = re.match(r"\s*(?:[-*] )?(?:\*\*)?([A-Z]{1,2}[0-9]{1,2}[a-z]?|[0-9]+)[.:)* ]", line)
        if item:
            name = item.group(1)
            self.places.add(name if not name.isdigit() else f"{section}.{name}")
        # Rows such as "a to b" hold more; a name in bold names itself.
        for name in re.findall(r"\*\*([A-Z]{1,2}[0-9]{1,2})\*\*", line):
            self.places.add(name)
        for name in re.findall(r"\|\s*(SFP[A-Z0-9]+)\s*\|", line):
            self.places.add(name)

    def has(self, place):
        place = place.strip()
        return place in self.places or place.rstrip("abcdefgh") in self.places


def listed():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", *LOOKED_AT],
                         cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\n")
    if len(out) < 2:  # no repository
        out = [str(path.relative_to(ROOT)) for top in LOOKED_AT for path in
               ([ROOT / top] if (ROOT / top).is_file() else (ROOT / top).rglob("*"))]
    return [name for name in out if Path(name).suffix in KINDS and (ROOT / name).is_file()]


def clean(cell):
    """The words of a table's cell, without the marks of Markdown."""
    return re.sub(r"\s+", " ", re.sub(r"\*\*|`", "", cell.replace("\\|", "|"))).strip()


# Whose rows carry ids that code cites: rulings, errata, open items.
RULINGS = {"unpack": "U", "matrix-unit": "M", "pack": "P", "tile": "T", "chip": "C",
           "wormhole": "EO"}
SECTIONS = {"unpack": "15", "matrix-unit": "15", "pack": "16", "tile": "17", "chip": "13.1"}


def spec_rows(texts):
    rows = []
    for text in texts.values():
        for name, section, cells in text.rows:
            if text.name not in RULINGS or name[0] not in RULINGS[text.name]:
                continue
            if SECTIONS.get(text.name, section) != section:
                continue
            shown = "TL-" + name[1:] if text.name == "tile" else name
            words = "; ".join(clean(cell) for cell in cells if clean(cell) not in ("", "-"))
            rows.append((shown, text.name, section, words))
    out = ["/* SPDX-License-Identifier: Apache-2.0 */",
           "/*",
           " * Rows of the normative texts in docs/spec/ that have an id, for `tensix explain`.",
           " * Written by scripts/check_citations.py --rows; change the text, not this file.",
           " *",
           ' * SPEC_ROW("id", "text", "section", "what the row says")',
           " */"]
    for name, text, section, words in rows:
        words = words.replace("\\", "\\\\").replace('"', '\\"')
        out.append(f'SPEC_ROW("{name}", "{text}", "{section}", "{words}")')
    return "\n".join(out) + "\n"


def main():
    texts = {path.stem: Text(path) for path in sorted(SPEC.glob("*.md"))}
    made = spec_rows(texts)
    if sys.argv[1:] == ["--rows"]:
        ROWS.write_text(made)
        return 0
    bad = []
    if not ROWS.is_file() or ROWS.read_text() != made:
        bad.append("lab/explain/spec_rows.def is not what docs/spec/ gives: "
                   "scripts/check_citations.py --rows writes it")
    known = tables_ids()
    rulings = {name for text in texts.values() for name, _, _ in text.rows} | known
    spoken = known | {row for row in re.findall(r'^SPEC_ROW\("([^"]+)"', made, re.MULTILINE)}
    count = 0
    for name in listed():
        if name in OWN or name.startswith("docs/spec/"):
            continue
        content = (ROOT / name).read_text(errors="replace")
        # A citation may run over the end of a line of a comment.
        flat = re.sub(r"\n[ \t]*(?:\*(?!/)|//|#)?[ \t]*", " ", content)
        for match in CITED.finditer(flat):
            text = texts[match.group(2)]
            # Rulings R and parts A to E (formats) keep their names behind any file's.
            shared = (texts["README"], texts["formats-and-scalar-unit"])
            for place in PLACE.findall(match.group(3)):
                count += 1
                if not text.has(place) and not (place[0] in "RABCDE"
                                                and any(t.has(place) for t in shared)):
                    bad.append(f"{name}: {text.name}.md has no place '{place}'"
                               f" ({match.group(0)[:60]})")
        for match in RULING.finditer(flat):
            for ruling in re.findall(r"[RUMPC][0-9]{1,2}", match.group(1)):
                count += 1
                if ruling not in rulings:
                    bad.append(f"{name}: nobody knows the ruling {ruling}")
        for ident in ID.findall(flat):
            count += 1
            if ident not in spoken:
                bad.append(f"{name}: `tensix explain {ident}` would know nothing")
    for line in bad:
        print(line)
    print(f"citations: {count} looked at, {len(bad)} lead nowhere")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
