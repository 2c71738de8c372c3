#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""isa_pages.py TENSIX [--check]: writes docs/isa, one page for each mnemonic of both chips.

All of it is what `tensix isa --json` says. --check writes nothing; exit status 1 where the pages
are not current.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "isa"
CHIPS = {"wormhole_b0": "Wormhole", "blackhole": "Blackhole"}
NOTE = "<!-- Written by scripts/isa_pages.py from isa/. -->"


def cell(text):
    return str(text).replace("|", "\\|")


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell(text) for text in row) + " |"
    yield ""


def code(text):
    return f"`{text}`" if text else ""


def fields(insn):
    for field in sorted(insn["fields"], key=lambda f: -f["lsb"]):
        top = field["lsb"] + field["width"] - 1
        bits = f"{top}:{field['lsb']}" if field["width"] > 1 else f"{top}"
        yield bits, code(field["name"]), field["kind"]


def which(value):
    if value["bits"] == 0:
        return "always"
    if value["bits"] == 15:
        return f"{value['field']} = {value['value']}"
    return f"{value['field']} & {value['bits']} = {value['value']}"


def values(insn):
    for v in insn["values"]:
        names = " ".join(code(name) for name in v["constants"])
        yield which(v), code(v["name"]), v["meaning"], code(v["formula"]), names


def on_chips(parts, title, head, of):
    """One table where the chips agree, else one each."""
    tables = {chip: list(of(insn)) for chip, insn in parts.items()}
    if not any(tables.values()):
        return
    same = len({json.dumps(rows) for rows in tables.values()}) == 1
    for chip, rows in list(tables.items())[: 1 if same else None]:
        yield f"## {title}" + ("" if same else f", {CHIPS[chip]}")
        yield ""
        yield from table(head, rows)


def modes(numbers):
    return "all" if len(numbers) == 16 else " ".join(map(str, numbers))


def behaviour(row):
    yield f"### {row['id']}"
    yield ""
    yield row["summary"]
    yield ""
    beyond = [mode for mode in row["modes"] if mode not in row["legal_modes"]]
    facts = [("chips", ", ".join(CHIPS[chip] for chip in row["archs"]))]
    if row["meanings"] or len(row["modes"]) < 16:
        facts.append(("modes", modes(row["legal_modes"]) or "none"))
    if beyond:
        facts.append(("outside the contract", modes(beyond)))
    facts.append(("result after", f"{row['latency']} cycle" + "s" * (row["latency"] > 1)))
    facts += [("reads", row["reads"]), ("writes", row["writes"])]
    if row["belief"] != row["reads"]:
        facts.append(("the interlock believes it reads", row["belief"]))
    facts.append(("source", row["source"]))
    yield from table(("", ""), facts)
    if row["meanings"]:
        told = ((m["mode"], code(m["name"]), code(m["formula"])) for m in row["meanings"])
        yield from table(("mode", "name", "formula"), told)


def belongs(row, insn):
    return row["mnemonic"].lower() in (insn["name"], insn["name"][2:], insn["macro"].lower())


def named(entry, insn):
    words = (entry["mnemonics"] or "").lower().split()
    return insn["name"] in words or insn["macro"].lower() in words


def page(parts, tables):
    insn = list(parts.values())[-1]
    operands = ", ".join(field["name"] for field in insn["fields"])
    yield NOTE
    yield f"# {insn['macro']}"
    yield ""
    chips = " and ".join(CHIPS[chip] for chip in parts) + (" only" if len(parts) == 1 else "")
    yield f"`TTI_{insn['macro']}({operands})`; `{insn['name']}` in objdump's syntax."
    yield f"Opcode {insn['opcode']:#04x}, unit: {insn['unit']}. {chips}."
    yield ""
    yield from on_chips(parts, "Fields", ("bits", "operand", "kind"), fields)
    rows = {}
    for chip in parts:
        for row in tables["archs"][chip]["rows"]:
            if belongs(row, insn):
                rows[row["id"]] = row
    yield "## Behaviour"
    yield ""
    if not rows:
        yield f"Encoded and printed, not executed: {insn.get('undocumented', 'not modelled')}."
        yield ""
    for row in rows.values():
        yield from behaviour(row)
    head = ("where", "name", "meaning", "formula", "the vendor's names")
    yield from on_chips(parts, "Values", head, values)
    if insn["body"]:
        yield f"Body: `{insn['body']}`; tests: `tests/insn/{insn['name']}.txt`."
        yield ""
    for title, key, texts in (
        ("Errata", "errata", ("text", "evidence")),
        ("Evidence", "evidence", ("text", "source")),
    ):
        found = [e for e in tables[key] if named(e, insn)]
        if key == "errata":
            found = [e for e in found if set(e["archs"]) & set(parts)]
        if found:
            yield f"## {title}"
            yield ""
            lines = ((entry["id"], *(entry[text] for text in texts)) for entry in found)
            yield from table(("id", "", "source"), lines)


def index(pages, tables):
    yield NOTE
    yield "# Instructions"
    yield ""
    yield "One page for each mnemonic; `tensix explain MNEMONIC` prints the same. The notation of"
    yield "formulas is at the head of `isa/modes.def`. Names without a prefix are known to the"
    yield "operands of their instruction only; where the vendor has none the name is ours."
    yield ""
    rows = []
    for name, parts in pages.items():
        insn = list(parts.values())[-1]
        chips = " ".join(CHIPS[chip] for chip in parts) if len(parts) < 2 else "both"
        summary = ""
        for chip in parts:
            for row in tables["archs"][chip]["rows"]:
                if belongs(row, insn):
                    summary = summary or row["summary"]
        rows.append((f"{insn['opcode']:02x}", f"[{insn['macro']}]({name}.md)", insn["unit"], chips,
                     summary or "not executed"))
    yield from table(("opcode", "", "unit", "chips", ""), sorted(rows))


def main():
    command, *options = sys.argv[1:]
    tables = json.loads(subprocess.run([command, "isa", "--json"], check=True,
                                       capture_output=True, text=True).stdout)
    pages = {}
    for chip in CHIPS:
        for insn in tables["archs"][chip]["instructions"]:
            pages.setdefault(insn["name"], {})[chip] = insn
    texts = {f"{name}.md": page(parts, tables) for name, parts in sorted(pages.items())}
    texts["README.md"] = index(pages, tables)
    stale = []
    OUT.mkdir(exist_ok=True)
    for name, lines in texts.items():
        text = "\n".join(lines).rstrip("\n") + "\n"
        path = OUT / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in options:
                path.write_text(text, encoding="utf-8")
    extra = sorted({path.name for path in OUT.iterdir()} - set(texts))
    for name in extra:
        if "--check" not in options:
            (OUT / name).unlink()
    if "--check" in options and stale + extra:
        print(f"docs/isa is not current: {' '.join(stale + extra)}")
        print("run scripts/isa_pages.py TENSIX")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
