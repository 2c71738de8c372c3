#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Libraries are silent: no file of src/ or lab/ writes to standard output or error, ends the process
# or reads the environment, and none of lab/ calls a function of cli/. $TX_SOURCE_DIR and
# $TX_BINARY_DIR as ctest sets them.
set -euo pipefail

export LC_ALL=C
cd "${TX_SOURCE_DIR:?}"
if grep -qx 'TENSIX_CHECK:BOOL=ON' "$TX_BINARY_DIR/CMakeCache.txt"; then
    echo "skipped: assertions of the build that checks itself write and abort"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

never=$(printf '%s|' stdout stderr printf vprintf puts putchar putchar_unlocked perror psignal \
    __printf_chk __vprintf_chk err errx warn warnx error syslog \
    exit _exit _Exit quick_exit abort raise __assert_fail \
    getenv secure_getenv setenv putenv unsetenv environ __environ)
objects() { # TARGET SOURCE...
    printf "$TX_BINARY_DIR/CMakeFiles/$1.dir/%s.o\n" "${@:2}"
}
# Of each file: what it uses of these, and of the command.
mapfile -t library < <(objects tensix_objects src/*/*.c && objects tensix_lab_objects lab/*/*.c)
mapfile -t command < <(objects tensix_cli_parts cli/*.c cli/*/*.c | grep -v '/cli/main\.c')
command=$(nm -g --defined-only "${command[@]}" | awk 'NF == 3 { printf "%s|", $3 }')
[[ $command == *'cli_report|'* ]] || { echo "no functions of the command" && exit 1; }
{
    nm -A -u "${library[@]}" |
        sed -E 's/^.*_objects\.dir\/(.*)\.o: +[Uw] ([^@]*).*/\1 \2/' |
        { grep -E " (${never%|}|${command%|})\$" || true; } |
        sed -E "s/ (${command%|})\$/ cli: \1/"
    {
        grep -oE '\<(STD(OUT|ERR)_FILENO|(write|dprintf|isatty)\([12],)' src/*/*.c lab/*/*.c || true
    } | tr ':' ' '
} | sort -u >"$work/found"
if [ -s "$work/found" ]; then
    echo "a file, and what it uses that a library must not use:"
    cat "$work/found"
    exit 1
fi
echo "silent: ${#library[@]} files"
