#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# old_glibc.sh DIR: builds both libraries and the command in DIR/build so that they run with the
# glibc of Debian 11 (2.31) and anything younger. The compiler is this machine's; headers and
# libraries are those of Debian 11, fetched by apt into DIR/root, where nothing is installed and no
# root is needed. libzip is built from Debian's source, without the ciphers that no .npz has.
# FLINT, for four references, is left out: that of Debian 11 is too old, and comes with GPL'd parts.
# DIR/licenses has a text for each library that a wheel then carries, DIR/libraries the libraries.
# Exit status 77, with the reason: Debian 11 cannot be had. $DEBIAN names its mirror.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
dir=$(realpath "$1")
root=$dir/root
suite=bullseye
mirror=${DEBIAN:-http://deb.debian.org/debian}
keys=/usr/share/keyrings/debian-archive-keyring.gpg
# What the wheel carries of it, then what it takes to compile.
carried=(libgmp10 libmpfr6 libjansson4 libelf1 libyaml-0-2)
compiled=(libc6 libc6-dev linux-libc-dev base-files libgmp-dev libmpfr-dev libjansson-dev zlib1g
          zlib1g-dev libelf-dev libyaml-dev uthash-dev)

no() {
    echo "old_glibc: $*" >&2
    exit 77
}

fetch() { # packages and sources of Debian 11 into $dir/debs; apt checks their signatures
    mkdir -p "$dir"/apt/{lists/partial,cache/archives/partial} "$dir/debs"
    : >"$dir/apt/status"
    printf '%s [signed-by=%s] %s %s main\n' deb "$keys" "$mirror" $suite \
        deb-src "$keys" "$mirror" $suite >"$dir/apt/sources.list"
    cat >"$dir/apt/apt.conf" <<CONF
Dir::State "$dir/apt";
Dir::State::status "$dir/apt/status";
Dir::Cache "$dir/apt/cache";
Dir::Etc::sourcelist "$dir/apt/sources.list";
Dir::Etc::sourceparts "-";
APT::Architecture "amd64";
APT::Architectures "amd64";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "20";
CONF
    export APT_CONFIG=$dir/apt/apt.conf
    apt-get -q update && cd "$dir/debs" && apt-get -q download "${carried[@]}" "${compiled[@]}" &&
        apt-get -q source --download-only libzip
}

unpack() { # into $root, which can be moved: links are relative
    local deb link target
    rm -rf "$root"
    mkdir -p "$root/usr/lib" "$root/usr/lib64"
    ln -s usr/lib "$root/lib"
    ln -s usr/lib64 "$root/lib64"
    for deb in "$dir"/debs/*.deb; do
        dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$root"
    done
    find "$root" -type l -lname '/*' | while read -r link; do
        target=$(readlink "$link")
        ln -srf "$root$target" "$link"
    done
    ln -sfn root/usr/lib/x86_64-linux-gnu "$dir/libraries"
}

toolchain() { # what cmake and pkg-config are told
    # -B: a native gcc looks beside itself first, and finds this machine's C library there.
    cat >"$dir/toolchain.cmake" <<CMAKE
set(CMAKE_SYSROOT $root)
set(CMAKE_C_FLAGS_INIT -B$root/usr/lib/x86_64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH $root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
CMAKE
    export PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=
    export PKG_CONFIG_LIBDIR=$root/usr/lib/x86_64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
}

libzip() { # with zlib only
    rm -rf "$dir/libzip"
    mkdir "$dir/libzip"
    tar -xf "$dir"/debs/libzip_*.orig.tar.* --strip-components=1 -C "$dir/libzip"
    local off=() part
    for part in COMMONCRYPTO GNUTLS MBEDTLS OPENSSL WINDOWS_CRYPTO BZIP2 LZMA ZSTD; do
        off+=("-DENABLE_$part=OFF")
    done
    for part in TOOLS REGRESS EXAMPLES DOC; do
        off+=("-DBUILD_$part=OFF")
    done
    cmake -S "$dir/libzip" -B "$dir/libzip/build" -DCMAKE_TOOLCHAIN_FILE="$dir/toolchain.cmake" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
        -DCMAKE_INSTALL_LIBDIR=lib/x86_64-linux-gnu "${off[@]}"
    cmake --build "$dir/libzip/build" -j "$(nproc)"
    DESTDIR=$root cmake --install "$dir/libzip/build"
}

licenses() { # one file for each library, and those that they name
    local package version deb
    rm -rf "$dir/licenses"
    mkdir "$dir/licenses"
    for package in "${carried[@]}"; do
        deb=$(echo "$dir/debs/${package}"_*.deb)
        version=$(dpkg-deb -f "$deb" Version)
        { echo "$package $version of Debian 11, whose source package is to be had at"
          echo "https://snapshot.debian.org/binary/$package/"
          echo
          cat "$root/usr/share/doc/$package/copyright"; } >"$dir/licenses/$package.txt"
    done
    { echo "libzip, built from $(basename "$dir"/debs/libzip_*.orig.tar.*) of Debian 11"
      echo
      cat "$dir/libzip/LICENSE"; } >"$dir/licenses/libzip.txt"
    for package in GPL-2 GPL-3 LGPL-3; do
        cp "$root/usr/share/common-licenses/$package" "$dir/licenses/$package.txt"
    done
}

[ "$(uname -m)" = x86_64 ] || no "only for x86_64"
for tool in apt-get dpkg-deb; do
    command -v $tool >/dev/null || no "no $tool here"
done
[ -r $keys ] || no "no $keys (apt install debian-archive-keyring)"
if [ ! -e "$dir/ready" ]; then
    (fetch) >"$dir/log" 2>&1 || no "Debian 11 is not to be had at $mirror: $(tail -1 "$dir/log")"
    unpack
    toolchain
    libzip >"$dir/log" 2>&1 || { tail -20 "$dir/log" >&2; exit 1; }
    licenses
    touch "$dir/ready"
fi
toolchain
BUILD=$dir/build CMAKE_ARGS="-DCMAKE_TOOLCHAIN_FILE=$dir/toolchain.cmake -DBUILD_TESTING=OFF
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,-rpath,\$ORIGIN/.. ${CMAKE_ARGS:-}" TENSIX_NO_DEPS=1 \
    scripts/build.sh tensix_shared tensix_lab_shared tensix-cli
