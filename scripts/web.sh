#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the page for the browser: $BUILD/web, a folder of files that any server, or none, serves.
# Installs what it needs: Debian's emscripten and node, sources of Debian's libraries, and the npm
# packages of web/package-lock.json. TENSIX_NO_DEPS=1 takes the machine as it is.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
mkdir -p "$build"
log=$build/web.log
: >"$log"
# emcc's scripts ask for Debian's node packages, which a node from elsewhere does not look for.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}

say() {
    echo "web: $1"
    shift
    if ! "$@" >>"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "web: failed, see above or $log" >&2
        exit 1
    fi
}

missing=()
for item in emscripten:emcc ninja-build:ninja cmake:cmake pkg-config:pkg-config gcc:cc make:make \
    xz-utils:xz bzip2:bzip2 npm:npm nodejs:node; do
    command -v "${item#*:}" >/dev/null || missing+=("${item%%:*}")
done
[ -e /usr/include/uthash.h ] || missing+=(uthash-dev)
if [ ${#missing[@]} -ne 0 ]; then
    if [ "${TENSIX_NO_DEPS:-0}" = 1 ]; then
        echo "web: missing: ${missing[*]}" >&2
        exit 1
    fi
    root=()
    [ "$(id -u)" -eq 0 ] || root=(sudo -n)
    "${root[@]}" apt-get -qq update >>"$log" 2>&1 || true
    say "installing ${missing[*]}" "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install -y --no-install-recommends "${missing[@]}"
fi

say "libraries (sources of Debian, compiled to WebAssembly)" web/libraries.sh "$build/web-libraries"
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache
fi
wasm=$build/wasm
if [ ! -e "$wasm/build.ninja" ]; then
    rm -rf "$wasm"
    say "configuring" cmake -S . -B "$wasm" -G Ninja -DCMAKE_TOOLCHAIN_FILE=web/toolchain.cmake \
        -DTENSIX_WEB_LIBRARIES="$(cd "$build/web-libraries" && pwd)"
fi
say "engine" cmake --build "$wasm" --target tensix-web -j "$(nproc)"
if ! cmp -s web/package-lock.json web/node_modules/.installed; then
    say "npm packages" npm ci --prefix web --ignore-scripts --no-audit --no-fund
    cp web/package-lock.json web/node_modules/.installed
fi
node web/build.mjs "$wasm" "$build/web-libraries" "$build/web" | tee -a "$log"
echo "web: open $build/web/index.html"
