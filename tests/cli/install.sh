#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into an empty place and uses the result as a stranger would: pkg-config and CMake, C and
# C++, shared and static, also after the tree was moved. Environment: see cmake/tests.cmake.
set -euo pipefail

: "${TX_BINARY_DIR:?}" "${CC:=cc}" "${CXX:=c++}" "${CMAKE:=cmake}"
if [ "${TX_SANITIZE:=off}" != off ]; then
    echo "a sanitized library is not for installing"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# 1. Install: below DESTDIR, then moved elsewhere.
DESTDIR=$work/dest "$CMAKE" --install "$TX_BINARY_DIR" --prefix /opt/first >"$work/log" ||
    fail "install: $(cat "$work/log")"
[ -z "$(find "$work/dest" -mindepth 1 -maxdepth 1 ! -name opt)" ] || fail "left DESTDIR/opt"
mv "$work/dest/opt/first" "$work/moved"
prefix=$work/moved
pc=$(find "$prefix" -name tensix.pc)
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH=${pc%/*} LD_LIBRARY_PATH=$libdir
if grep -rIl -e "$TX_BINARY_DIR" -e /opt/first "$prefix"; then
    fail "the files above name the build directory or the first prefix"
fi
grep -q . "$prefix/include/tensix/tensix.h"

# 2. What the library needs; what it shows: tests/build/symbols.sh.
so=$libdir/libtensix.so
needed=$(readelf -d "$so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ -z "$(printf '%s\n' "$needed" | grep -v '^libc\.so' || true)" ] || fail "needs: $needed"
abi=$(sed -n 's/^#define TX_ABI //p' "$prefix/include/tensix/base.h")
readelf -d "$so" | grep -q "(SONAME).*\[libtensix\.so\.$abi\]" || fail "SONAME"

# 3. A program of ten lines, the same text as C and as C++.
cat >"$work/use.c" <<'END'
#include <string.h>
#include <tensix/tensix.h>
int main(void)
{
    struct tx_settings settings;
    tx_machine *machine;
    tx_settings_default(&settings, TX_BLACKHOLE);
    if (tx_open(&settings, &machine) != TX_OK) {
        return 1;
    }
    tx_close(machine);
    return strcmp(tx_version(), TX_VERSION_STRING) != 0 || tx_abi() != TX_ABI;
}
END
cp "$work/use.c" "$work/use.cpp"
cd "$work"
pkg() { pkg-config "$@" tensix; }
version=$(pkg --modversion)
grep -q "TX_VERSION_STRING \"$version\"" "$prefix/include/tensix/base.h" || fail "version $version"
# shellcheck disable=SC2046 # the flags are words
{
    "$CC" -std=c17 -Wall -Werror $(pkg --cflags) use.c -o c_shared $(pkg --libs)
    "$CC" -std=c17 -Wall -Werror $(pkg --cflags) use.c -o c_static -static $(pkg --static --libs)
    "$CXX" -std=c++17 -Wall -Werror $(pkg --cflags) use.cpp -o cpp_shared $(pkg --libs)
}
readelf -d c_shared | grep -q 'NEEDED.*libtensix' || fail "c_shared did not take the shared library"
for program in c_shared c_static cpp_shared; do
    ./$program || fail "$program: exit status $?"
done

# 4. A program that has functions of its own under every name that exists inside.
lab=
if [ -e "$libdir/libtensix-lab.a" ]; then
    lab=-DLAB
fi
inside=("$TX_BINARY_DIR/libtensix_inside.a" ${lab:+"$TX_BINARY_DIR/libtensix-lab_inside.a"})
{ nm "${inside[@]}" | awk '$2 ~ /[A-TV-Z]/ && NF == 3 { print $3 }' |
    grep -v -e '^txl\?_' -e '^_' && printf '%s\n' check_word flow_open exec_vector; } |
    sort -u >names
[ "$(wc -l <names)" -gt 300 ] || fail "few inner names: the test is not one"
{
    printf '#include <tensix/tensix.h>\n#ifdef LAB\n#include <tensix-lab/error.h>\n#endif\n'
    sed 's/.*/int &(void); int &(void) { return 1; }/' names
    echo 'static int (*const own[])(void) = {'
    sed 's/$/,/' names
    cat <<'END'
};
int main(void)
{
    const struct tx_asm_options options = {.arch = TX_BLACKHOLE};
    struct tx_diag diag;
    struct tx_program *program;
    struct tx_settings settings;
    tx_machine *machine;
    uint32_t lane[32];
    int sum = 0;
    tx_settings_default(&settings, TX_BLACKHOLE);
    if (tx_assemble("sfploadi L0, 0x3f80, 0", 22, &options, &program, &diag) != TX_OK ||
        tx_open(&settings, &machine) != TX_OK ||
        tx_run(machine, 1, NULL, 0) != TX_OK ||
        tx_read(machine, TX_FILE_LREG, 9, lane, 32) != TX_OK) {
        return 1;
    }
    tx_program_free(program);
    tx_close(machine);
    for (unsigned i = 0; i < sizeof own / sizeof own[0]; i++) {
        sum += own[i]();
    }
#ifdef LAB
    struct txl_error error = {0};
    if (txl_fail(&error, "%d", 7) != TXL_INPUT || error.message[0] != '7') {
        return 1;
    }
#endif
    return sum != sizeof own / sizeof own[0];
}
END
} >names.c
# shellcheck disable=SC2046 # the flags are words
{
    "$CC" -std=c17 $(pkg --cflags) names.c -o names_shared $(pkg --libs)
    "$CC" -std=c17 $(pkg --cflags) names.c -o names_static -static $(pkg --static --libs)
}
# The lab library's archive needs what it was built with, of which a system may have no archive.
if [ -n "$lab" ]; then
    read -ra private <<<"$(sed -n 's/^Libs.private: //p' "${pc%/*}/tensix-lab.pc")"
    # shellcheck disable=SC2046 # the flags are words
    "$CC" -std=c17 $lab $(pkg-config --cflags tensix-lab) names.c -o lab_shared \
        $(pkg-config --libs tensix-lab)
    "$CC" -std=c17 $lab "-I$prefix/include" names.c -o lab_static "$libdir/libtensix-lab.a" \
        "$libdir/libtensix.a" "${private[@]}"
    readelf -d lab_shared | grep -q 'NEEDED.*libtensix-lab' || fail "lab_shared: no shared library"
    readelf -d "$libdir/libtensix-lab.so" | grep -q "(SONAME).*\[libtensix-lab\.so\.$abi\]" ||
        fail "SONAME of the lab library"
fi
for program in names_shared names_static ${lab:+lab_shared lab_static}; do
    ./$program || fail "$program: exit status $?"
done

# A sweep by name with progress and cancel, from what is installed alone.
if [ -n "$lab" ]; then
    # shellcheck disable=SC2046 # the flags are words
    "$CC" -std=c17 -Wall -Werror "$prefix/share/tensix/examples/lab/sweep.c" -o sweep \
        $(pkg-config --cflags --libs tensix-lab)
    lines=$(grep -cvE '^$|^/\*|^ \*' "$prefix/share/tensix/examples/lab/sweep.c")
    [ "$lines" -le 30 ] || fail "the example of a sweep has $lines lines"
    { echo .arch bh && cat "$prefix/share/tensix/examples/kernels/exp.s"; } >exp.s
    ./sweep exp.s exp >out 2>err || fail "sweep: $(cat err)"
    grep -q '^1 ULP, 64850 of 65536 exact$' out || fail "sweep: $(cat out)"
    grep -q '^65536 of 65536$' err || fail "sweep, progress: $(cat err)"
    status=0
    ./sweep exp.s exp 0 >out 2>err || status=$?
    [ $status = 3 ] && [ ! -s out ] && grep -q cancelled err || fail "sweep, cancel: $status"
    status=0
    ./sweep exp.s exq >out 2>err || status=$?
    [ $status = 2 ] && grep -q "did you mean 'exp'" err || fail "sweep, unknown name: $status"
fi

# 5. find_package, both libraries.
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(use C CXX)
find_package(tensix REQUIRED)
add_executable(a use.c)
target_link_libraries(a tensix::tensix)
add_executable(b use.cpp)
target_link_libraries(b tensix::tensix_static)
add_executable(c names.c)
target_link_libraries(c tensix::tensix)
add_executable(d names.c)
target_link_libraries(d tensix::tensix_static)
END
if [ -n "$lab" ]; then
    cat >>CMakeLists.txt <<'END'
add_executable(e names.c)
target_link_libraries(e tensix::tensix_lab)
add_executable(f names.c)
target_link_libraries(f tensix::tensix_lab_static)
add_executable(g "${CMAKE_PREFIX_PATH}/share/tensix/examples/lab/sweep.c")
target_link_libraries(g tensix::tensix_lab)
target_compile_definitions(e PRIVATE LAB)
target_compile_definitions(f PRIVATE LAB)
END
fi
"$CMAKE" -S . -B pkg -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_CXX_COMPILER="$CXX" >log 2>&1 || fail "find_package: $(cat log)"
"$CMAKE" --build pkg >log 2>&1 || fail "build: $(cat log)"
for program in a b c d ${lab:+e f}; do
    ./pkg/$program || fail "CMake package: program $program"
done
if [ -n "$lab" ]; then
    ./pkg/g exp.s exp 2>err | grep -q '^1 ULP, 64850 of 65536 exact$' || fail "CMake: $(cat err)"
fi

# 6. The rest of the tree, as far as this build has it.
if [ -x "${TENSIX:-}" ]; then
    "$prefix/bin/tensix" --version >/dev/null || fail "installed command"
    "$prefix/bin/tensix" record "$prefix/share/tensix/examples/llk_style/where.c" --arch wh \
        --tile kernel -o where.s || fail "installed headers for record"
fi
for page in "${TX_SOURCE_DIR:?}"/man/*.[13]; do
    [ ! -e "$page" ] || [ -e "$prefix/share/man/man${page##*.}/${page##*/}" ] || fail "no $page"
done
if [ -e "${TX_BINARY_DIR:-build}/pages/options.md" ]; then
    [ -e "$prefix/share/bash-completion/completions/tensix" ] || fail "no completion"
    [ -e "$prefix/share/zsh/site-functions/_tensix" ] || fail "no completion of zsh"
    [ -e "$prefix/share/fish/vendor_completions.d/tensix.fish" ] || fail "no completion of fish"
fi
if [ -d "$TX_SOURCE_DIR/examples" ]; then
    [ -d "$prefix/share/tensix/examples" ] || fail "no examples"
fi

# 7. Uninstalling: one of two places, the other stays; what was never installed is told.
remove() { "$CMAKE" "-DPREFIX=$1" -P "$TX_BINARY_DIR/uninstall.cmake" >log 2>&1; }
for place in A B; do
    "$CMAKE" --install "$TX_BINARY_DIR" --prefix "$work/$place" >log || fail "install: $(cat log)"
done
cp -r A whole
remove "$work/C" && fail "uninstalled what was not there"
grep -q "nothing was installed below $work/C " log || fail "no place C: $(cat log)"
grep -q "PREFIX=$work/A" log || fail "where there is one: $(cat log)"
remove "$work/A/" || fail "uninstall A: $(cat log)"
[ -z "$(find A ! -type d)" ] || fail "left in A: $(find A ! -type d)"
diff -r whole B || fail "B is another one"
remove "$work/B" || fail "uninstall B: $(cat log)"
[ -z "$(find B ! -type d)" ] || fail "left in B"
DESTDIR=$work/dest remove /opt/first || fail "uninstall below DESTDIR: $(cat log)"
echo "installed $version, used from C and C++"
