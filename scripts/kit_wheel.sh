#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kit_wheel.sh [DIR]: builds the wheel of tensix-kit, with the data that scripts/kit_data.py makes
# by this build's command, into DIR (build/wheel). Needs pip, setuptools and wheel of $PYTHON.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
out=$(realpath -m "${1:-$build/wheel}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r kit/pyproject.toml kit/tensix_kit "$work"
rm -rf "$work/tensix_kit/data"
python3 scripts/kit_data.py "$build/tensix" "$work/tensix_kit/data"
"${PYTHON:-python3}" -m pip wheel --quiet --no-deps --wheel-dir "$out" "$work"
echo "$out"/tensix_kit-*.whl
