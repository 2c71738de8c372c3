#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The documents as a site in build/docs, searchable, for any static host: MkDocs from PyPI, pinned.
# A link or an anchor that leads nowhere is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}

python3 scripts/docs_site.py check
venv=$build/docs-venv
if [ ! -x "$venv/bin/mkdocs" ]; then
    python3 -m venv "$venv" 2>/dev/null || {
        scripts/deps.sh test
        python3 -m venv "$venv"
    }
    "$venv/bin/pip" --quiet --disable-pip-version-check install \
        mkdocs==1.6.1 mkdocs-material==9.5.49
fi
rm -rf build/docs-source build/docs
mkdir -p build/docs-source
python3 scripts/docs_site.py stage build/docs-source
"$venv/bin/mkdocs" build --quiet --strict -f docs/mkdocs.yml
echo "the site is build/docs/index.html, $(find build/docs -name '*.html' | wc -l) pages;" \
    "searching needs a server: python3 -m http.server -d build/docs"
