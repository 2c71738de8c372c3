#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of make web in a Chromium without a window, and against the native command: see page.mjs.
# ONLY=WORD runs the tests whose names have it in them.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
if [ -z "$browser" ]; then
    echo "web-test: skipped: no Chromium (apt-get install chromium)"
    exit 0
fi
[ -e "$BUILD/web/index.html" ] || scripts/web.sh
[ -x "$BUILD/tensix" ] || scripts/build.sh
work=$BUILD/web-test
rm -rf "$work"
mkdir -p "$work"
exec node tests/web/page.mjs "$browser" "$BUILD/web" "$BUILD/tensix" "$work" "${ONLY:-}"
