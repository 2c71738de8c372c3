#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wheel.sh [DIR]: builds the wheel of the Python package with libtensix.so into DIR (build/wheel).
# Needs no network: pip, setuptools and wheel of $PYTHON (default: python3, or Debian's).
# TENSIX_LIBRARY names the library; else $BUILD is built.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
out=${1:-$build/wheel}

for python in "${PYTHON:-python3}" /usr/bin/python3; do
    if "$python" -c 'import setuptools, wheel, pip' 2>/dev/null; then
        break
    fi
    python=
done
if [ -z "$python" ]; then
    echo "wheel: no python3 with pip, setuptools and wheel (make deps)" >&2
    exit 1
fi
if [ -z "${TENSIX_LIBRARY:-}" ]; then
    scripts/build.sh tensix_shared
    TENSIX_LIBRARY=$(realpath "$build/libtensix.so")
    export TENSIX_LIBRARY
fi
mkdir -p "$out"
out=$(realpath "$out")

# setuptools leaves files beside the sources: a copy gets them.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/python/tensix" "$copy/include/tensix"
cp python/pyproject.toml python/setup.py python/README.md "$copy/python/"
cp python/tensix/*.py python/tensix/py.typed "$copy/python/tensix/"
cp include/tensix/base.h "$copy/include/tensix/"
"$python" -m pip --disable-pip-version-check --quiet wheel --no-build-isolation --no-deps \
    --no-index --wheel-dir "$out" "$copy/python"
ls "$out"/tensix-*.whl
