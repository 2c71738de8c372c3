#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what the build that checks itself asserts (CHECK of src/base/check.h), by folder.

count_checks.py: every assertion has a text that says what holds, a small letter first and no full
stop, no text is said of two places of one file, and there are at least 400. Exit status 1 if not.
"""
import glob, os, re, sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEAST = 400


def blank_comments(text):
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def texts_of(text):
    """The text of each CHECK, None where it is no string."""
    for m in re.finditer(r"\bCHECK\(", text):
        depth, at, quoted = 1, m.end(), False
        while depth != 0:
            c = text[at]
            if quoted:
                at += c == "\\"
                quoted = c != '"'
            else:
                quoted = c == '"'
                depth += (c == "(") - (c == ")")
            at += 1
        said = re.search(r',\s*"((?:[^"\\]|\\.|"\s*")*)"\s*\)$', text[m.start():at])
        yield text.count("\n", 0, m.start()) + 1, said and re.sub(r'"\s*"', "", said.group(1))


def main():
    counts, wrong, static = {}, [], 0
    for path in sorted(glob.glob(os.path.join(ROOT, "src/*/*.[ch]"))):
        name = os.path.relpath(path, ROOT)
        with open(path, encoding="ascii") as f:
            text = blank_comments(f.read())
        static += len(re.findall(r"\b_Static_assert\(", text))
        if name == "src/base/check.h":
            continue
        said = set()
        for line, what in texts_of(text):
            folder = name.split("/")[1]
            counts[folder] = counts.get(folder, 0) + 1
            if not what or len(what) < 8 or what[-1] == "." or " " not in what:
                wrong.append("%s:%d: an assertion without a sentence" % (name, line))
            elif what in said:
                wrong.append("%s:%d: said twice: %s" % (name, line, what))
            said.add(what)
    total = sum(counts.values())
    print("%d assertions of the check build (%s), %d of the compiler" %
          (total, ", ".join("%s %d" % item for item in sorted(counts.items())), static))
    print("\n".join(wrong), end="\n" if wrong else "")
    if total < LEAST:
        print("at least %d are wanted" % LEAST)
    return 1 if wrong or total < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
