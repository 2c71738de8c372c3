#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the libraries that libtensix-lab stands on to WebAssembly: libraries.sh FOLDER leaves
# FOLDER/include, FOLDER/lib and their pkg-config files. The sources are Debian's, see sources.txt.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
work=$prefix/work
stamp=$prefix/done
if [ -e "$stamp" ] && cmp -s "$here/sources.txt" "$stamp"; then
    exit 0
fi
mkdir -p "$work/lists/partial" "$work/archives"

# apt-get by a configuration of its own: the machine's need not name sources, and stays as it is.
echo "deb-src ${TENSIX_DEBIAN:-http://deb.debian.org/debian} bookworm main" >"$work/sources.list"
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work" -o APT::Sandbox::User=root)

have() { (cd "$work/archives" && echo "$2  $1" | sha256sum --check --status 2>/dev/null); }
updated=
while read -r package version archive sum; do
    case $package in '' | '#'*) continue ;; esac
    if ! have "$archive" "$sum"; then
        [ -n "$updated" ] || "${apt[@]}" update
        updated=1
        (cd "$work/archives" && "${apt[@]}" source --download-only "$package=$version")
    fi
    have "$archive" "$sum" || {
        echo "web: $archive is not the file that web/sources.txt names" >&2
        exit 1
    }
    rm -rf "${work:?}/$package"
    mkdir "$work/$package"
    tar -xf "$work/archives/$archive" -C "$work/$package" --strip-components 1
done <"$here/sources.txt"

# emcc's scripts use Debian's node packages, which a node from another source does not find.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
export CFLAGS="-O2 -msimd128" CC_FOR_BUILD=cc
jobs=$(nproc)
autotools() { # FOLDER OPTION...
    local folder=$work/$1
    shift
    (cd "$folder" && emconfigure ./configure --host=none --prefix="$prefix" \
        --disable-shared --enable-static "$@" && emmake make -j "$jobs" && emmake make install)
}
# Debian's source lacks the manual, but the build needs its folder.
mkdir -p "$work/gmp/doc"
[ -e "$work/gmp/doc/Makefile.in" ] || echo "all install:" >"$work/gmp/doc/Makefile.in"
autotools gmp --disable-assembly
autotools mpfr4 --with-gmp="$prefix" --disable-thread-safe
(cd "$work/zlib" && emconfigure ./configure --static --prefix="$prefix" &&
    emmake make -j "$jobs" libz.a && emmake make install)
emcmake cmake -S "$work/jansson" -B "$work/jansson/build" -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_BUILD_TYPE=Release -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON \
    -DJANSSON_EXAMPLES=OFF
emmake make -C "$work/jansson/build" -j "$jobs" install
cp "$here/sources.txt" "$stamp"
