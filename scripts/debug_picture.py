#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/debug.svg: the debugger's screen as a picture, by tmux: debug_picture.py TENSIX [OUT.svg]

The picture has both themes; which one is seen is the reader's choice (prefers-color-scheme).
"""
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS, ROWS = 120, 38
WIDTH, HEIGHT = 7.2, 15  # of a character
KEYS = ("watch L3[7]", "continue", "continue", "why L3[7]", "reverse-continue")
STYLE = """
text{font:12px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;white-space:pre}
.ground,.on{fill:#fff}.plain,.ink{fill:#24292f}.c1{fill:#b3261e}.c2{fill:#1a6b2f}
.c4{fill:#1f5fbf}.c5{fill:#8a2b9e}.b{font-weight:bold}
@media (prefers-color-scheme:dark){.ground,.on{fill:#16191d}.plain,.ink{fill:#d8dee4}
.c1{fill:#ff8a80}.c2{fill:#7bd88f}.c4{fill:#86b7ff}.c5{fill:#e29bf2}}
"""


def screen(tensix):
    """The screen's lines with their escape sequences."""
    server = f"picture-{os.getpid()}"

    def tmux(*words):
        return subprocess.run(["tmux", "-L", server, "-f", "/dev/null", *words], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    command = f"cd {ROOT} && {os.path.abspath(tensix)} debug examples/kernels/reciprocal.s"
    environment = dict(os.environ, TERM="screen-256color")
    environment.pop("NO_COLOR", None)
    subprocess.run(["tmux", "-L", server, "-f", "/dev/null", "new-session", "-d", "-x",
                    str(COLUMNS), "-y", str(ROWS), command], check=True, env=environment)
    try:
        time.sleep(0.7)
        for key in KEYS:
            tmux("send-keys", "-l", key)
            tmux("send-keys", "Enter")
            time.sleep(0.3)
        return tmux("capture-pane", "-p", "-e", "-N").split("\n")[:ROWS]
    finally:
        tmux("kill-server")


def runs(line, state):
    """(column, text, colour, bold, reversed) of a line; state goes on from the line before."""
    colour, bold, turned = state[0] if state else (0, False, False)
    column = 0
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        sequence = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if sequence is None:
            if part:
                yield column, part, colour, bold, turned
            column += len(part)
            continue
        for number in (int(n or 0) for n in sequence.group(1).split(";")):
            if number in (0, 39):
                colour = 0
            if number == 0:
                bold = turned = False
            elif number == 1:
                bold = True
            elif number in (7, 27):
                turned = number == 7
            elif 30 <= number <= 37:
                colour = number - 30
    state[:] = [(colour, bold, turned)]


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def picture(lines):
    wide, high = COLUMNS * WIDTH + 16, ROWS * HEIGHT + 16
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" '
           f'width="{wide:g}" height="{high:g}" role="img" aria-label="tensix debug">',
           f"<style>{STYLE}</style>",
           f'<rect class="ground" width="{wide:g}" height="{high:g}" rx="6"/>']
    state = []
    for row, line in enumerate(lines):
        for column, text, colour, bold, turned in runs(line, state):
            x, y = 8 + column * WIDTH, 8 + row * HEIGHT
            name = f"c{colour}" if colour else "ink"
            if turned:
                out.append(f'<rect class="{name}" x="{x:.1f}" y="{y}" '
                           f'width="{len(text) * WIDTH:.1f}" height="{HEIGHT}"/>')
                name = "on"
            if text.strip():
                weight = " b" if bold else ""
                out.append(f'<text class="{name}{weight}" x="{x:.1f}" y="{y + 12}" '
                           f'textLength="{len(text) * WIDTH:.1f}">{escape(text)}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    target = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "docs", "debug.svg")
    with open(target, "w", encoding="utf-8") as file:
        file.write(picture(screen(sys.argv[1])))


if __name__ == "__main__":
    main()
