#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# editors/vscode: the grammar is that of the tables, the files that the package names are there, and
# every snippet assembles as it stands. With npm's packages: tests/interop/vscode.sh.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"
same "the package has the version of the command" \
    "$("$TENSIX" --version | grep -oE '[0-9.]+' | head -1)" \
    "$(grep -oE '"version": "[^"]*' "$TX_SOURCE/editors/vscode/package.json" | cut -d '"' -f 4)"
check "the grammar is current" python3 "$TX_SOURCE/scripts/vscode_grammar.py" "$TENSIX" --check
mkdir "$work/snippets"
check "the package has its files" python3 - "$TX_SOURCE/editors/vscode" "$work/snippets" <<'END'
import json, re, sys
from pathlib import Path
folder, work = map(Path, sys.argv[1:])
package = json.loads((folder / "package.json").read_text())
adds = package["contributes"]
named = [package["main"]] + [entry.get("path", entry.get("configuration"))
                             for kind in ("languages", "grammars", "snippets")
                             for entry in adds[kind]]
for name in named:
    assert (folder / name).is_file(), name
    assert name.endswith(".js") or json.loads((folder / name).read_text())
assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for kind in ("dependencies", "devDependencies")
           for version in package[kind].values()), "versions are pinned"
first = re.compile(adds["languages"][0]["firstLine"])
assert first.search(".arch      blackhole") and not first.search("    .text")
for name, snippet in json.loads((folder / "snippets" / "tensix.json").read_text()).items():
    text = "\n".join(snippet["body"])
    text = re.sub(r"\$\{\d+\|([^,|]*)[^}]*\}", r"\1", text)
    text = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text).replace("$0", "").replace("\\\\", "\\")
    assert "$" not in text, text
    head = "" if ".arch" in text else ".arch bh\n"
    (work / (name.replace(" ", "_") + ".s")).write_text(head + text + "\nsfpnop\n")
END
for file in "$work"/snippets/*.s; do
    check "snippet $(basename "$file" .s)" "$TENSIX" asm "$file" -o "$work/words.hex"
done
finish
