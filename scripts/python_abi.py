#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python_abi.py [--check]: writes python/tensix/_abi_tables.py from include/tensix/tensix.h,
_isa_names.py with its enums, and from include/tensix-lab/*.h and tensix-internal/bench.h, which
tensix.bench() needs, _lab_tables.py, _lab_enums.py and _lab_functions.py.

The headers are plain enough to be read without a compiler: one declaration a statement, integer
constants only. What is not understood is an error, so that nothing is left out in silence.
Functions with "..." or a va_list are for C alone.
--check: exit status 1 where a file differs from what would be written.
"""

import copy
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "python" / "tensix" / "_abi_tables.py"
NAMES = ROOT / "python" / "tensix" / "_isa_names.py"
LAB = ROOT / "python" / "tensix" / "_lab_tables.py"
LAB_NAMES = ROOT / "python" / "tensix" / "_lab_enums.py"
CALLS = ROOT / "python" / "tensix" / "_lab_functions.py"
ISA_HEADERS = ("tensix/isa_names.h", "tensix/isa_modes.h")
SCALARS = {
    "bool": "c_bool", "char": "c_char", "int": "c_int", "unsigned": "c_uint", "size_t": "c_size_t",
    "double": "c_double",
    **{f"{sign}int{bits}_t": f"c_{sign}int{bits}"
       for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""The C interface as ctypes sees it. Written by scripts/python_abi.py from include/tensix/*.h."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure
from ctypes import {names}
from typing import Any, Dict, List, Sequence, Tuple

from ._isa_names import ENUMS as ENUMS
'''
LAB_HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""The lab library to ctypes. Written by scripts/python_abi.py from include/tensix-lab/*.h."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure
from ctypes import {names}
from typing import Any, Dict, List

from ._abi_tables import {core}
from ._lab_enums import ENUMS as ENUMS
'''
CALLS_HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""What the lab library exports. Written by scripts/python_abi.py from include/tensix-lab/*.h."""

from __future__ import annotations

from ctypes import POINTER
from ctypes import {names}
from typing import Any, Dict, Sequence, Tuple

from ._abi_tables import {core}
from ._lab_tables import {lab}

'''
NAMES_HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""The enums of the interface. Written by scripts/python_abi.py from include/tensix/*.h."""

from __future__ import annotations

from typing import Dict

'''
LAB_NAMES_HEAD = NAMES_HEAD.replace("interface", "lab library").replace("tensix/*.h",
                                                                       "tensix-lab/*.h")


def statements(text):
    """Top-level statements: up to a semicolon outside of all braces."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and depth == 0:
            yield " ".join(text[start:place].split())
            start = place + 1
    if text[start:].strip():
        sys.exit(f"python_abi: not understood: {text[start:].strip()[:80]}")


class Interface:
    def __init__(self):
        self.constants = {}
        self.enums = {}  # tag -> names in order; "": those without a tag
        self.names = {}  # those of ISA_HEADERS
        self.structs = {}  # name -> [(field, type)]
        self.opaque, self.callbacks = set(), set()
        self.pointers = {}  # typedefs of pointers to functions -> CFUNCTYPE
        self.functions = {}
        self.seen = set()

    def header(self, name):
        if name in self.seen:
            return
        self.seen.add(name)
        text = (ROOT / "include" / name).read_text(encoding="ascii")
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S).replace("\\\n", " ")
        text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
        text = re.sub(r"static inline [^{}]*\{[^{}]*\}", "", text)  # what passes sizes for C
        for included in re.findall(r"#include <(tensix(?:-lab)?/\w+\.h)>", text):
            self.header(included)
        for macro, value in re.findall(r"^#define (TXL?_\w+) (\d+)$", text, re.M):
            self.constants[macro] = int(value)
        others = self.enums
        self.enums = self.names if name in ISA_HEADERS else others
        for statement in statements(re.sub(r"^#.*$", "", text, flags=re.M)):
            self.statement(statement)
        self.enums = others

    def statement(self, s):
        if found := re.fullmatch(r"typedef struct (\w+) (\w+)", s):
            self.opaque.add(found[2])
        elif found := re.fullmatch(r"typedef ([^(]*)\(\*(\w+)\)\((.*)\)", s):
            kinds = [self.result(found[1].strip())]
            # They come before the structs: a callback gets those as addresses.
            kinds += [re.sub(r"POINTER\(txl?_\w+\)", "c_void_p", self.parameter(p))
                      for p in self.split(found[3])]
            self.pointers[found[2]] = f"CFUNCTYPE({', '.join(kinds)})"
        elif found := re.fullmatch(r"typedef .*?\b(\w+)\(.*\)", s):
            self.callbacks.add(found[1])
        elif found := re.fullmatch(r"enum ?(\w*) ?\{(.*)\}", s):
            self.enum(found[1], found[2])
        elif found := re.fullmatch(r"struct (\w+) ?\{(.*)\}", s):
            self.struct(found[1], found[2])
        elif found := re.fullmatch(r"TXL?_API (.*?)(\w+)\((.*?)\)( TXL_PRINTF\(.*\))?", s):
            result, name, parameters, _ = found.groups()
            if "..." in parameters or "va_list" in parameters:
                return
            kinds = [] if parameters == "void" else self.split(parameters)
            self.functions[name] = (
                self.result(result.strip()), [self.parameter(p) for p in kinds])
        else:
            sys.exit(f"python_abi: not understood: {s[:80]}")

    @staticmethod
    def split(text):
        """At commas outside of parentheses."""
        return [p.strip() for p in re.split(r",(?![^(]*\))", text)]

    def number(self, text):
        text = text.replace("/", "//")  # as C divides
        return eval(text, {"__builtins__": {}}, self.constants)  # the project's own headers

    def enum(self, tag, body):
        value = -1
        names = self.enums.setdefault(tag, [])
        for part in body.split(","):
            if part.strip():
                name, _, given = (x.strip() for x in part.partition("="))
                value = self.number(given) if given else value + 1
                self.constants[name] = value
                names.append(name)

    # ---- types ----

    def base(self, words):
        """A type without pointers."""
        words = [w for w in words if w != "const"]
        if words[0] == "enum":
            return "c_int"
        if words[0] == "struct":
            return words[1]
        return SCALARS.get(words[0]) or words[0]

    def pointer(self, text, member):
        """What a pointer is to Python: arrays of a call are addresses."""
        stars = text.count("*") + (0 if member else text.count("["))
        words = re.sub(r"\[.*", "", text).replace("*", " ").split()
        base = self.base(words)
        if base in self.pointers:
            return "POINTER(c_void_p)"
        if base == "void" or base in self.callbacks or base in self.opaque:
            return "c_void_p" if stars == 1 else "POINTER(c_void_p)"
        if base == "c_char":
            return "c_char_p" if stars == 1 else "POINTER(c_char_p)"
        if base in self.structs:
            return f"POINTER({base})" if stars == 1 else f"POINTER(POINTER({base}))"
        if stars == 2:
            return "POINTER(c_void_p)"
        return f"POINTER({base})" if member or base in ("c_bool", "c_int") else "c_void_p"

    def parameter(self, text):
        if "*" in text or "[" in text:
            return self.pointer(re.sub(r"\w+(?=(\[\w*\])*$)", "", text), False)
        return self.base(text.split())

    def result(self, text):
        if text == "char *":
            return "c_void_p"  # the caller's to free
        if "*" in text:
            return self.pointer(text, True)
        return "None" if text == "void" else self.base(text.split())

    def struct(self, name, body):
        for inner in re.finditer(r"struct (\w*) ?(\{[^{}]*\}) (\w+)", body):
            tag = inner[1] or f"{name}_{inner[3]}"  # C has no name for it, Python needs one
            self.struct(tag, inner[2].strip("{}"))
            body = body.replace(inner[0], f"struct {tag} {inner[3]}")
        if "{" in body:
            sys.exit(f"python_abi: not understood: struct {name}")
        fields = []
        for found in re.finditer(r"(?P<result>[^;{(]*)\(\*(?P<callback>\w+)\)\((?P<args>[^;]*)\);|"
                                 r"(?P<type>(?:const )?(?:struct |enum )?\w+) (?P<names>[^;({]*);",
                                 body.strip() + " "):
            if found["callback"]:
                kinds = [self.result(found["result"].strip())]
                # A struct may hand itself to its own callback.
                self.structs.setdefault(name, fields)
                kinds += [self.parameter(p) for p in self.split(found["args"])]
                fields.append((found["callback"], f"CFUNCTYPE({', '.join(kinds)})"))
            else:
                for declared in found["names"].split(","):
                    fields.append(self.member(found["type"], declared.strip()))
        if len(fields) < body.count(";") or not fields:
            sys.exit(f"python_abi: not understood: struct {name}")
        self.structs[name] = fields

    def member(self, kind, declared):
        stars = declared.count("*")
        name = re.search(r"\w+(?=\W*$|\[)", declared)[0]
        sizes = re.findall(r"\[([^]]+)\]", declared)
        text = self.pointer(kind + "*" * stars, True) if stars else self.base(kind.split())
        for size in reversed(sizes):
            text = f"{text} * {self.number(size)}" if "*" not in text else (
                f"({text}) * {self.number(size)}")
        return name, text


def wrapped(parts, indent="    "):
    text = ", ".join(p.replace(" ", "\0") for p in parts) + ","
    return textwrap.fill(
        text, 100, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
        break_on_hyphens=False).replace("\0", " ")


def enum_lines(face, enums):
    for tag, names in enums.items():
        if tag:
            yield f'    "{tag}": {{'
            yield from [wrapped([f'"{n}": {face.constants[n]}' for n in names], " " * 8), "    },"]


def render_names(face):
    out = ["# Enumerators by the tag of their enum.", "NAMES: Dict[str, Dict[str, int]] = {"]
    out += [*enum_lines(face, face.names), "}", "ENUMS: Dict[str, Dict[str, int]] = {"]
    out += [*enum_lines(face, face.enums), "    **NAMES,", "}"]
    return NAMES_HEAD + "\n".join(out) + "\n"


def enums_of(face, without):
    """Those that without does not have, and the names of all that have a tag."""
    tagged = {**face.enums, **face.names}
    plain = {n for tag, names in tagged.items() if tag for n in names}
    enums = {t: n for t, n in face.enums.items() if without is None or t not in without.enums}
    constants = {n: v for n, v in face.constants.items()
                 if n not in plain and (without is None or n not in without.constants)}
    return enums, constants


def render(face, without=None):
    """The tables of a face; of what without has, nothing."""
    def others(what):
        return {} if without is None else getattr(without, what)

    _, constants = enums_of(face, without)
    out = [""]
    out.append("# Enumerators of enums without a tag, and macros.")
    out.append("CONSTANTS: Dict[str, int] = {")
    out += [wrapped([f'"{n}": {v}' for n, v in constants.items()]), "}"]
    for name, kind in face.pointers.items():
        if name not in others("pointers"):
            out.append(f"{name} = {kind}")
    structs = {n: f for n, f in face.structs.items() if n not in others("structs")}
    for name, fields in structs.items():
        text = wrapped([f'("{field}", {kind})' for field, kind in fields], " " * 16)
        out += ["", "", f"class {name}(Structure):"]
        out.append("    _fields_ = [" + text.strip().rstrip(",") + "]")
    out += ["", "", "STRUCTS: List[Any] = [", wrapped(structs), "]"]
    if without is None:
        out += ["", *function_lines(face.functions)]
    body = "\n".join(out) + "\n"
    names = imported(re.findall(r"\bc_\w+", body))
    if without is None:
        return HEAD.format(names=names) + body
    core = imported(n for n in re.findall(r"\btx_\w+", body) if n in without.structs)
    return LAB_HEAD.format(names=names, core=core) + body


def render_enums(face, without):
    """The enums that without does not have."""
    enums, _ = enums_of(face, without)
    out = ["# Enumerators by the tag of their enum.", "ENUMS: Dict[str, Dict[str, int]] = {"]
    return LAB_NAMES_HEAD + "\n".join([*out, *enum_lines(face, enums), "}"]) + "\n"


def render_calls(face, without):
    """The functions that without does not have."""
    functions = {n: f for n, f in face.functions.items() if n not in without.functions}
    body = "\n".join(function_lines(functions)) + "\n"
    used = re.findall(r"(?<!\")\btxl?_\w+", body)
    return CALLS_HEAD.format(
        names=imported(re.findall(r"\bc_\w+", body)),
        core=imported(n for n in used if n in without.structs),
        lab=imported(n for n in used if n not in without.structs)) + body


def function_lines(functions):
    out = []
    out.append("# Result and parameters. Handles, and arrays of numbers, are addresses.")
    out.append("FUNCTIONS: Dict[str, Tuple[Any, Sequence[Any]]] = {")
    for name, (result, kinds) in sorted(functions.items()):
        line = f'    "{name}": ({result}, [{", ".join(kinds)}]),'
        out.append(textwrap.fill(
            line.strip(), 100, initial_indent=" " * 4, subsequent_indent=" " * 8,
            break_long_words=False, break_on_hyphens=False))
    return [*out, "}"]


def imported(names):
    return "(\n" + wrapped(sorted(set(names))) + "\n)"


def main():
    face = Interface()
    face.header("tensix/tensix.h")
    lab = copy.deepcopy(face)
    for header in sorted((ROOT / "include" / "tensix-lab").glob("*.h")):
        lab.header(f"tensix-lab/{header.name}")
    lab.header("tensix-internal/bench.h")
    texts = ((OUT, render(face)), (NAMES, render_names(face)), (LAB, render(lab, face)),
             (LAB_NAMES, render_enums(lab, face)), (CALLS, render_calls(lab, face)))
    for path, text in texts:
        if sys.argv[1:] != ["--check"]:
            path.write_text(text, encoding="ascii")
        elif not path.exists() or path.read_text(encoding="ascii") != text:
            sys.exit(f"{path.relative_to(ROOT)}: not what the headers say; run {sys.argv[0]}")


main()
