#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what the documentation prints: run_docs.py TENSIX FILE.md...

In a fenced block every line that begins with "$ " is a command for bash, and what follows it, up
to the next one, is what it prints on standard output and standard error. A line that is "..."
stands for any lines, and one day is as good as another (2026-01-31). "`NAME`:" alone on the line
before a block gives that block to a file NAME. A block behind an HTML comment "<!-- not run: WHY
-->" is left alone. Commands of one page run in one directory, one after another; examples/ there
is that of the source tree.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def blocks(path):
    """(line number, name of the file or None, lines) of every block that is to be run."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    i = 0
    while i < len(lines):
        fence = re.match(r"( *)```", lines[i])
        if fence is None:
            i += 1
            continue
        end = i + 1
        while not lines[end].startswith(fence.group(1) + "```"):
            end += 1
        before = next((l.strip() for l in reversed(lines[:i]) if l.strip()), "")
        name = re.fullmatch(r"`([\w.-]+)`:", before)
        if not before.startswith("<!-- not run:"):
            indent = len(fence.group(1))
            yield i + 2, name and name.group(1), [l[indent:] for l in lines[i + 1 : end]]
        i = end + 1


def same(expected, got):
    """One line against another."""
    day = re.compile(r"\b20\d\d-\d\d-\d\d\b")
    return day.sub("DAY", expected.rstrip()) == day.sub("DAY", got.rstrip())


def matches(expected, got):
    """Lines against lines, where "..." stands for any number of them."""
    if not expected:
        return not got
    if expected[0].strip() == "...":
        return any(matches(expected[1:], got[k:]) for k in range(len(got) + 1))
    return bool(got) and same(expected[0], got[0]) and matches(expected[1:], got[1:])


def commands(number, lines):
    """(line number, command, expected lines)"""
    found = []
    for k, line in enumerate(lines):
        if found and found[-1][1].endswith("\\"):
            found[-1] = (found[-1][0], found[-1][1][:-1] + line, [])
        elif line.startswith("$ "):
            found.append((number + k, line[2:], []))
        elif found:
            found[-1][2].append(line)
    return found


def run_page(tensix, page):
    failed = ran = 0
    environment = dict(os.environ, PATH=os.path.dirname(tensix) + ":" + os.environ["PATH"])
    with tempfile.TemporaryDirectory() as work:
        os.symlink(os.path.join(ROOT, "examples"), os.path.join(work, "examples"))
        for number, name, lines in blocks(os.path.join(ROOT, page)):
            if name is not None:
                with open(os.path.join(work, name), "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")
                continue
            for at, command, expected in commands(number, lines):
                done = subprocess.run(["bash", "-c", command], cwd=work, env=environment,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, check=False)
                got = done.stdout.rstrip("\n").split("\n") if done.stdout else []
                while expected and not expected[-1].strip():
                    expected.pop()
                ran += 1
                if not matches(expected, got):
                    failed += 1
                    print(f"not ok - {page}:{at}: {command}")
                    print("\n".join("  | " + line for line in got))
    print(f"{page}: {ran} commands, {failed} print something else")
    return ran, failed


def main():
    total = bad = 0
    for page in sys.argv[2:]:
        ran, failed = run_page(os.path.abspath(sys.argv[1]), page)
        total += ran
        bad += failed
    return 1 if bad or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
