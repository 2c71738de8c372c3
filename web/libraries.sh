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
# The libraries' configure scripts would take most of the build's time: they start emcc, which is a
# script, some hundreds of times to learn what is known of this one target. So the compiler behind
# emcc compiles the sources as they are, with what configure would say in these words.
clang=$(em-config LLVM_ROOT)/clang
archiver=$(em-config LLVM_ROOT)/llvm-ar
read -ra flags <<<"$(emcc --cflags) -O2 -msimd128 -w"
compile() { # NAME FOLDER FLAG... <LIST-OF-FILES: lib/libNAME.a from the C files that it reads
    local name=$1 folder=$2
    shift 2
    mkdir -p "$work/objects/$name" "$prefix/lib"
    (cd "$folder" && xargs -P "$(nproc)" -I{} "$clang" "${flags[@]}" "$@" -c {} \
        -o "$work/objects/$name/{}.o")
    rm -f "$prefix/lib/lib$name.a"
    "$archiver" rcs "$prefix/lib/lib$name.a" "$work/objects/$name"/*.o
}
describe() { # NAME VERSION LIBRARY...: the file that pkg-config reads
    mkdir -p "$prefix/lib/pkgconfig"
    printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s/lib' "$1" "$1" "$2" "$prefix"
    shift 2
    printf ' -l%s' "$@"
    printf '\nCflags: -I%s/include\n' "$prefix"
}
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig"

# mini-gmp is the part of GMP that MPFR needs, in one file of plain C.
cp "$work/gmp/mini-gmp/mini-gmp.h" "$prefix/include/"
printf '#define MPFR_USE_MINI_GMP 1\n#include <mini-gmp.h>\n' >"$prefix/include/gmp.h"
echo mini-gmp.c | compile gmp "$work/gmp/mini-gmp"
describe gmp 6.2.1 gmp >"$prefix/lib/pkgconfig/gmp.pc"

# What MPFR's configure finds on WebAssembly: 32-bit limbs, IEEE 754, little-endian.
cp "$work/mpfr4/src/generic/mparam.h" "$work/mpfr4/src/mparam.h"
cp "$work/mpfr4/src/mpfr.h" "$work/mpfr4/src/mpf2mpfr.h" "$prefix/include/"
sed -n '/libmpfr_la_SOURCES/,/^libmpfr_la_LIBADD/p' "$work/mpfr4/src/Makefile.am" |
    tr -s '\\ \t' '\n' | grep '\.c$' | grep -v '^buildopt' |
    compile mpfr "$work/mpfr4/src" "-I$prefix/include" -DMPFR_USE_MINI_GMP=1 -DGMP_NUMB_BITS=32 \
        -DHAVE_STDARG=1 -DHAVE_VA_COPY=1 -DHAVE_STDINT_H=1 -DHAVE_INTTYPES_H=1 \
        -DHAVE_INTMAX_T=1 -DHAVE_DENORMS=1 -DHAVE_LITTLE_ENDIAN=1 \
        -DHAVE_DOUBLE_IEEE_LITTLE_ENDIAN=1 -DHAVE_SIGNEDZ=1 -DHAVE_LONG_LONG=1 \
        -DMPFR_LONG_WITHIN_LIMB=1
describe mpfr 4.2.0 mpfr gmp >"$prefix/lib/pkgconfig/mpfr.pc"

(cd "$work/zlib" && cp zlib.h zconf.h "$prefix/include/" && printf '%s\n' ./*.c) |
    sed 's|^\./||' | compile z "$work/zlib" -DHAVE_UNISTD_H=1 -DHAVE_STDARG_H=1
describe zlib 1.2.13 z >"$prefix/lib/pkgconfig/zlib.pc"

sed -e 's/@json_inline@/inline/' -e 's/@json_have_localeconv@/0/' -e 's/@json_have_[a-z_]*@/1/' \
    "$work/jansson/src/jansson_config.h.in" >"$prefix/include/jansson_config.h"
cp "$work/jansson/src/jansson.h" "$prefix/include/"
echo '#define INITIAL_HASHTABLE_ORDER 3' >"$work/jansson/src/jansson_private_config.h"
(cd "$work/jansson/src" && printf '%s\n' ./*.c) | sed 's|^\./||' |
    compile jansson "$work/jansson/src" "-I$prefix/include" -DHAVE_STDINT_H=1 -DHAVE_UNISTD_H=1 \
        -DHAVE_SYS_TYPES_H=1 -DHAVE_SYS_TIME_H=1 -DHAVE_FCNTL_H=1 -DHAVE_GETTIMEOFDAY=1 \
        -DHAVE_GETPID=1 -DHAVE_OPEN=1 -DHAVE_READ=1 -DHAVE_CLOSE=1 -DHAVE_STRTOLL=1 \
        -DUSE_URANDOM=1
describe jansson 2.14 jansson >"$prefix/lib/pkgconfig/jansson.pc"
cp /usr/include/uthash.h "$prefix/include/"
cp "$here/sources.txt" "$stamp"
