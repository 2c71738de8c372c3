#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The forms of --json: schemas.py --check TABLE RUNS, --write TABLE RUNS, --schemas TABLE OUT.

TABLE is docs/json.txt. A form is what one kind of run of a command prints: its line is its name and
the version of its form. Below it a line is a key and its type: `a.b` is a member of the object a,
`a[]` an element of a list, `*` a member whose name is data. `?` behind a key: it may be missing.
Types are object, list, text, integer, number, flag, null, and alternatives of these with |; `=FORM`
is another form but for its version. ~ stands for a point in a name.

--check holds runs against it (RUNS is a folder of FORM.NUMBER.json, made by tests/cli/schema.sh),
both ways: a key that the table lacks, a key that is missing, another type; and a key of the table
that no run has, so that the loss of one that may be missing is noticed, too. --write makes the
lines of forms that TABLE lacks, from such runs, to be read and corrected. --schemas writes a JSON
Schema (2020-12) for each form.
"""
import json
import re
import sys
from pathlib import Path

TYPES = {"object": dict, "list": list, "text": str, "flag": bool, "null": type(None)}
SCHEMA_NAMES = {"object": "object", "list": "array", "text": "string", "integer": "integer",
                "number": "number", "flag": "boolean", "null": "null"}
# Members whose names are data.
OPEN = re.compile(r"archs|[A-Z0-9_ ]+|-?\d.*")


class Node:
    def __init__(self, types=(), optional=False):
        self.types, self.optional, self.keys, self.item = set(types), optional, {}, None
        self.borrowed = False


def read(path):
    """{form: (version, root)}"""
    forms, root = {}, None
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        first, second = line.strip().rsplit(None, 1)
        if not line.startswith(" "):
            root = Node(["object"])
            if first in forms:
                sys.exit(f"{path}:{number}: {first} stands there twice")
            forms[first] = (int(second), root)
            continue
        node = root
        for part in re.findall(r"[^.\[]+|\[\]\??", first):
            optional = part.endswith("?")
            part = part.rstrip("?")
            if part == "[]":
                node.item = node.item or Node()
                node = node.item
            else:
                node = node.keys.setdefault(part, Node())
        node.optional = optional
        node.types = set(second.split("|"))
        if second.startswith("="):
            node.types, node.borrowed = {"object"}, True
            node.keys = {k: n for k, n in forms[second[1:]][1].keys.items() if k != "schema"}
    return forms


def type_of(value):
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    return next(name for name, kind in TYPES.items() if isinstance(value, kind))


def hold(node, value, path, seen, problems):
    """Holds a value against the table; adds the paths it has to seen."""
    seen.add(path)
    kind = type_of(value)
    if kind not in node.types and not (kind == "integer" and "number" in node.types):
        problems.add(f"{path}: {kind}, not {'|'.join(sorted(node.types))}")
    elif kind == "object":
        value = {key.replace(".", "~"): member for key, member in value.items()}
        for key, member in value.items():
            one = node.keys.get(key) or node.keys.get("*")
            name = key if key in node.keys else "*"
            if one is None:
                problems.add(f"{path}.{key}: the table has no such key")
            else:
                hold(one, member, f"{path}.{name}", seen, problems)
        for key, one in node.keys.items():
            if key != "*" and not one.optional and key not in value:
                problems.add(f"{path}.{key}: is missing")
    elif kind == "list":
        for member in value:
            if node.item is None:
                problems.add(f"{path}[]: the table has no elements")
                break
            hold(node.item, member, f"{path}[]", seen, problems)


def paths_of(node, path):
    yield path
    if node.borrowed:
        return
    for key, one in node.keys.items():
        yield from paths_of(one, f"{path}.{key}")
    if node.item is not None:
        yield from paths_of(node.item, f"{path}[]")


def runs_of(folder):
    """{form: [value]}; a file may have several, one after another."""
    runs = {}
    for path in sorted(Path(folder).glob("*.json")):
        rest = path.read_text(encoding="utf-8").strip()
        while rest:
            value, end = json.JSONDecoder().raw_decode(rest)
            runs.setdefault(path.name.split(".")[0], []).append(value)
            rest = rest[end:].lstrip()
    return runs


def check_form(root, values):
    seen, problems = set(), set()
    for value in values:
        hold(root, value, "", seen, problems)
    return problems | {f"{path}: no run has it" for path in paths_of(root, "") if path not in seen}


def without(value, parts):
    """A copy of the value without the key at the path, wherever it is."""
    if not parts:
        return value
    part, rest = parts[0], parts[1:]
    if isinstance(value, list):
        return [without(one, rest) for one in value] if part == "[]" else value
    if not isinstance(value, dict):
        return value
    return {key: without(member, rest) if part in (key.replace(".", "~"), "*") else member
            for key, member in value.items() if rest or key.replace(".", "~") != part}


def check(table, folder):
    forms, runs, bad = read(table), runs_of(folder), 0
    for form in sorted(set(forms) | set(runs)):
        if Path(folder, form + ".none").exists():  # this build has no such command
            continue
        if form not in runs or form not in forms:
            print(f"{form}: {'no run of it' if form not in runs else 'not in the table'}")
            bad += 1
            continue
        version, root = forms[form]
        for problem in sorted(check_form(root, runs[form])):
            print(f"{form} {problem}")
            bad += 1
        for value in runs[form]:
            if value.get("schema") not in (version, None):
                print(f"{form}: version {value['schema']}, the table has {version}")
                bad += 1
        # The check itself: the loss of any key is noticed.
        for path in paths_of(root, ""):
            parts = re.findall(r"[^.\[]+|\[\]", path)
            if parts and parts[-1] not in ("[]", "*"):
                lost = [without(value, parts) for value in runs[form]]
                if not check_form(root, lost):
                    print(f"{form} {path}: its loss is not noticed")
                    bad += 1
    keys = sum(1 for _, root in forms.values() for _ in paths_of(root, ""))
    print(f"{len(forms)} forms, {keys} keys, {bad} problems")
    return bad


def learn(values):
    """A node that has what all these values have."""
    node = Node({type_of(value) for value in values})
    if "number" in node.types:
        node.types.discard("integer")
    objects = [value for value in values if isinstance(value, dict)]
    names = [key for value in objects for key in value]
    if objects and len(set(names)) > 1 and all(OPEN.fullmatch(n) for n in names) or \
            set(names) <= {"blackhole", "wormhole_b0"} and names:
        node.keys["*"] = learn([m for value in objects for m in value.values()])
    else:
        for key in dict.fromkeys(names):
            having = [value[key] for value in objects if key in value]
            node.keys[key] = learn(having)
            node.keys[key].optional = len(having) < len(objects)
    items = [member for value in values if isinstance(value, list) for member in value]
    if items:
        node.item = learn(items)
    return node


def lines_of(node, path=""):
    for key, one in node.keys.items():
        key = key.replace(".", "~")
        name = f"{path}.{key}" if path else key
        yield f"    {name}{'?' if one.optional else ''} {'|'.join(sorted(one.types))}"
        yield from lines_of(one, name)
    if node.item is not None:
        yield f"    {path}[] {'|'.join(sorted(node.item.types))}"
        yield from lines_of(node.item, path + "[]")


def write(table, folder):
    forms = read(table)
    with open(table, "a", encoding="utf-8") as out:
        for form, values in runs_of(folder).items():
            if form not in forms:
                out.write("\n".join([f"\n{form} 1", *lines_of(learn(values))]) + "\n")


def schema(node):
    out = {"type": sorted(SCHEMA_NAMES[t] for t in node.types)}
    if node.keys:
        out["properties"] = {k.replace("~", "."): schema(n)
                             for k, n in node.keys.items() if k != "*"}
        out["required"] = [k.replace("~", ".") for k, n in node.keys.items()
                           if k != "*" and not n.optional]
        out["additionalProperties"] = schema(node.keys["*"]) if "*" in node.keys else False
    if node.item is not None:
        out["items"] = schema(node.item)
    return out


def schemas(table, folder):
    Path(folder).mkdir(parents=True, exist_ok=True)
    for form, (version, root) in read(table).items():
        text = {"$schema": "https://json-schema.org/draft/2020-12/schema",
                "title": f"tensix {form}: version {version}", **schema(root)}
        path = Path(folder, form.replace("/", "-") + ".schema.json")
        path.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


def main():
    what, table, folder = sys.argv[1:]
    if what == "--check":
        return 1 if check(table, folder) else 0
    (write if what == "--write" else schemas)(table, folder)
    return 0


sys.exit(main())
