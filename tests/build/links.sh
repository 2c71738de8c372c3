#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No link of a document leads nowhere; a dead one, and one to a heading that is not there, is told.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
failed=0
python3 scripts/docs_site.py check || failed=1

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/scripts" "$tree/docs" "$tree/bench"
cp scripts/docs_site.py "$tree/scripts/"

plant() { # what README.md says, what the checker must say
    printf '# Top\n\n%s\n' "$1" >"$tree/README.md"
    printf '# A heading, with `code`\n' >"$tree/docs/other.md"
    if python3 "$tree/scripts/docs_site.py" check >"$tree/said"; then
        [ -z "$2" ] || { echo "not noticed: $1"; failed=1; }
    elif [ -z "$2" ] || ! grep -qF -- "$2" "$tree/said"; then
        echo "'$1': the checker says"
        cat "$tree/said"
        failed=1
    fi
}

plant '[good](docs/other.md#a-heading-with-code), `[no](link)`, [own](#top)' ''
plant '[dead](docs/none.md)' 'the link docs/none.md leads to no file'
plant '[dead](docs/other.md#nothing)' 'docs/other.md#nothing names no heading'
plant '[out](../../etc/passwd)' 'leads to no file'
plant '![picture](docs/none.png)' 'the link docs/none.png leads to no file'
exit $failed
