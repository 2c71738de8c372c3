#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The programs of examples/tiles on both chips, by the commands that their heads print, against what
# tests/tiles/model.py computes.
set -eu
source_dir=${TX_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3 # wrappers that choose between several are slow
if ! "$python" -c 'import numpy' 2>/dev/null; then
    echo "skipped: numpy is missing (make deps)"
    exit 77
fi
PYTHONDONTWRITEBYTECODE=1 exec "$python" "$source_dir/tests/tiles/examples.py" \
    "${TENSIX:-$source_dir/build/tensix}" "$source_dir/examples"
