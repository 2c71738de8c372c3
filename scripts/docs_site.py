#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documents as a site, and their links.

    docs_site.py check        every link of every document leads to a file of the tree, and an
                              anchor to a heading
    docs_site.py stage DIR    copies the documents into DIR for MkDocs (make docs): a link to a
                              file that is no document becomes the name of that file
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = {".png", ".svg"}
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
SOURCE = re.compile(r"(?:src|srcset)=\"([^\"]+)\"|!\[[^\]]*\]\(([^)\s]+)\)")


def documents():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", "*.md"], cwd=ROOT,
                         capture_output=True, text=True, check=False).stdout.split("\n")
    found = [Path(name) for name in out if name]
    if not found:  # no repository
        found = [path.relative_to(ROOT) for top in (ROOT, ROOT / "docs", ROOT / "bench")
                 for path in (top.glob("*.md") if top == ROOT else top.rglob("*.md"))]
    return [path for path in found if (ROOT / path).is_file()]


def slug(title):
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title.strip().lower())
    return re.sub(r"[^\w\- ]", "", title.replace("`", "").replace("*", "")).replace(" ", "-")


def anchors(text):
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return {slug(title) for title in re.findall(r"^#+ (.*)", text, re.MULTILINE)}


def target(document, link):
    """The file that a link names, from the top of the tree, and the anchor."""
    name, _, anchor = link.partition("#")
    path = (ROOT / document).parent / name if name else ROOT / document
    return path.resolve(), anchor


def check():
    texts = {ROOT / d: (ROOT / d).read_text(encoding="utf-8") for d in documents()}
    heads = {path: anchors(text) for path, text in texts.items()}
    bad = count = 0
    for path, text in texts.items():
        document = path.relative_to(ROOT)
        plain = CODE.sub("", text)
        links = [m.group(2) for m in LINK.finditer(plain)]
        links += [a or b for a, b in SOURCE.findall(plain)]
        for link in links:
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            path, anchor = target(document, link)
            if ROOT not in (path, *path.parents) or not path.exists():
                print(f"{document}: the link {link} leads to no file")
                bad += 1
            elif anchor and path in heads and anchor not in heads[path]:
                print(f"{document}: {link} names no heading there")
                bad += 1
    print(f"links: {count} in {len(texts)} documents, {bad} dead")
    return 1 if bad else 0


def stage(folder):
    known = {ROOT / d for d in documents()}
    for path in sorted(known):
        document = path.relative_to(ROOT)

        def rewrite(match, document=document):
            words, link = match.groups()
            if re.match(r"[a-z]+:", link):
                return match.group(0)
            path, anchor = target(document, link)
            if path in known:
                return match.group(0)
            if (path / "README.md") in known:  # a folder that explains itself
                end = "/README.md" + ("#" + anchor if anchor else "")
                return f"[{words}]({link.partition('#')[0].rstrip('/')}{end})"
            name = str(path.relative_to(ROOT))
            plain = words.replace("`", "")
            return words if plain.rstrip("/") in name else f"{words} (`{name}`)"

        text = (ROOT / document).read_text(encoding="utf-8")
        text = re.sub(r"(```.*?```)|" + LINK.pattern,
                      lambda m: m.group(1) or rewrite(LINK.match(m.group(0))), text,
                      flags=re.DOTALL)
        out = folder / document
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")
    for picture in (ROOT / "docs").rglob("*"):
        if picture.suffix in PICTURES:
            out = folder / picture.relative_to(ROOT)
            out.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, out)
    return 0


def main():
    if sys.argv[1:] == ["check"]:
        return check()
    if len(sys.argv) == 3 and sys.argv[1] == "stage":
        return stage(Path(sys.argv[2]))
    print(__doc__.strip(), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
