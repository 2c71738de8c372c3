#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/vscode_grammar.py TENSIX: writes editors/vscode/syntaxes/tensix.tmLanguage.json.

Mnemonics, units and the vendor's constants come from `tensix isa --json`, directives from what
`tensix lsp` completes. --check only tells whether the file is that.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "editors" / "vscode" / "syntaxes" / "tensix.tmLanguage.json"
VECTOR = ("load", "simple", "MAD", "round", "store")


def isa(tensix):
    text = subprocess.run([tensix, "isa", "--json"], check=True, capture_output=True).stdout
    return json.loads(text)["archs"].values()


def directives(tensix):
    """As the language server completes a full stop at the beginning of a line."""
    uri = "file:///k.s"
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}}
    document = {"uri": uri, "languageId": "tensix", "version": 1, "text": ".\n"}
    messages = (
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 2, "method": "textDocument/completion", "params": place},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    )
    sent = b""
    for message in messages:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        sent += b"Content-Length: %d\r\n\r\n" % len(body) + body
    told = subprocess.run([tensix, "lsp"], input=sent, check=True, capture_output=True).stdout
    for part in re.split(rb"Content-Length: \d+\r\n\r\n", told)[1:]:
        answer = json.loads(part)
        if answer.get("id") == 2:
            items = answer["result"]
            items = items["items"] if isinstance(items, dict) else items
            return sorted({i["label"] for i in items if i["label"].startswith(".")})
    raise RuntimeError("no completion came")


def words(names):
    """The longest first, so that none hides behind its own beginning."""
    return "|".join(re.escape(n) for n in sorted(set(names), key=lambda n: (-len(n), n)))


def grammar(tensix):
    chips = list(isa(tensix))
    by_scope, macros, constants = {}, set(), set()
    for chip in chips:
        for insn in chip["instructions"]:
            scope = "vector" if insn["unit"] in VECTOR else insn["unit"]
            by_scope.setdefault(scope, set()).add(insn["name"])
            macros.add(insn["macro"])
            for value in insn["values"]:
                constants.update(value["constants"])
                constants.update(re.findall(r"^[A-Z]\w*$", value["name"] or ""))
    bare = {name for name in constants if "::" not in name}
    rule = {
        "comments": [
            {"name": "comment.line.number-sign.tensix", "match": r"#.*$"},
            {"name": "comment.line.double-slash.tensix", "match": r"//.*$"},
            {"name": "comment.block.tensix", "begin": r"/\*", "end": r"\*/"},
        ],
        "strings": [
            {"name": "string.quoted.double.tensix", "begin": '"', "end": '"',
             "patterns": [{"name": "constant.character.escape.tensix", "match": r"\\."}]},
            {"name": "string.quoted.single.tensix", "match": r"'(\\.|[^'])'"},
        ],
        "directives": [
            {"name": "keyword.control.directive.tensix",
             "match": r"(?i)(?<![\w.])(" + words(directives(tensix)) + r")(?![\w.])"},
        ],
        "mnemonics": [
            {"name": f"support.function.mnemonic.{scope}.tensix",
             "match": r"(?i)(?<![\w.])(" + words(names) + r")(?!\w)"}
            for scope, names in sorted(by_scope.items())
        ] + [
            {"name": "support.function.macro.tensix",
             "match": r"(?<!\w)(TTI_|TT_OP_|TT_)(" + words(macros) + r")(?!\w)"},
            {"name": "support.function.macro.tensix",
             "match": r"(?<!\w)(" + words(macros) + r")(?=\()"},
        ],
        "constants": [
            {"name": "constant.other.vendor.tensix",
             "match": r"(?<!\w)([A-Za-z_]\w*::)+\w+"},
            {"name": "constant.other.vendor.tensix",
             "match": r"(?<!\w)(" + words(bare) + r")(?!\w)"},
        ],
        "numbers": [
            {"name": "support.function.value.tensix",
             "match": r"(?<!\w)(float|bf16|fp16|hi16|lo16)(?=\()"},
            {"name": "constant.numeric.tensix",
             "match": r"(?<!\w)(0x[0-9A-Fa-f]+|0b[01]+|\d+(\.\d*)?([eE][-+]?\d+)?)\w*"},
        ],
        "registers": [
            {"name": "variable.language.register.tensix",
             "match": r"(?<!\w)[lL]([0-9]|1[0-6])(?!\w)"},
            {"name": "variable.parameter.tensix", "match": r"\\(@|\(\)|\w+)"},
        ],
        "names": [
            {"match": r"^\s*([A-Za-z_]\w*)\s*(?==(?!=))",
             "captures": {"1": {"name": "variable.other.tensix"}}},
        ],
    }
    return {
        "name": "Tensix kernel", "scopeName": "source.tensix",
        "comment": "Written by scripts/vscode_grammar.py from the instruction tables.",
        "patterns": [{"include": "#" + key} for key in rule],
        "repository": {key: {"patterns": list_} for key, list_ in rule.items()},
    }


def main():
    check = "--check" in sys.argv
    (tensix,) = [word for word in sys.argv[1:] if word != "--check"]
    text = json.dumps(grammar(tensix), indent=1) + "\n"
    if not check:
        TARGET.write_text(text)
    elif TARGET.read_text() != text:
        sys.exit(f"{TARGET.relative_to(ROOT)} is not current: run scripts/vscode_grammar.py")


main()
