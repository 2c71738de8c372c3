#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# "Life of an option and a command" of CONTRIBUTING.md, with an option and a command that do not
# exist, in a copy of the command's source: one row of cli/commands.def each, a function for the
# command and a page for its manual. Both then parse, and stand in help, manual page, completions
# and tables. $TX_SOURCE_DIR and $TX_BINARY_DIR as ctest sets them.
set -euo pipefail

export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=${TX_SOURCE_DIR:?}
build=${TX_BINARY_DIR:?}
status=0
ok() { echo "ok   $1"; }
not_ok() {
    echo "FAIL $1"
    [ ! -s "$work/out" ] || sed 's/^/    /' "$work/out" | head -20
    status=1
}
has() { # WHAT PATTERN FILE
    if grep -q -e "$2" "$3"; then ok "$1"; else not_ok "$1"; fi
}
says() { # WHAT STATUS PATTERN ARGUMENTS...: the command's status, and what it prints
    local what=$1 expected=$2 pattern=$3 got=0
    shift 3
    "$work/tensix" "$@" >"$work/out" 2>&1 || got=$?
    if [ "$got" = "$expected" ] && grep -q -e "$pattern" "$work/out"; then
        ok "$what"
    else
        not_ok "$what"
    fi
}
link=$build/CMakeFiles/tensix-cli.dir/link.txt
if [ ! -e "$link" ]; then # a build of Ninja, which tells the command when it is asked
    link=$work/link.txt
    ninja -C "$build" -t commands tensix | tail -n 1 >"$link"
fi
if ! grep -q -e '-o tensix' "$link"; then
    echo "how the command is linked is not known, skipped"
    exit 77
fi
tree=$work/tree
mkdir "$tree"
cp -r "$source"/{cli,card,scripts,man} "$tree"

# The option is one row; the command a row, its function and its page.
awk '{ print } /^COMMAND\(isa, / { isa = 1 } isa && /^    .*\)$/ { isa = 0
    print "OPTION(isa, made_up, CHOICE, \"here|there\", 0, 1, \"Where it is\")" }' \
    "$source/cli/commands.def" | awk '/^COMMAND\(isa, / {
    print "COMMAND(scratch, 1, 1, \"thing\", \"THING\","
    print "    \"something that does not exist\", \"Prints it N times.\")"
    print "OPTION(scratch, times, RANGE(1, 2, 9), \"N\", \"t\"[0], 1, \"How often\")"
    print "END(scratch)\n" } { print }' >"$tree/cli/commands.def"
cat >"$tree/cli/cmd_scratch.c" <<'EOS'
#include "cli.h"
int cmd_scratch(struct cli *cli, struct scratch_args *a)
{
    (void)cli;
    for (uint64_t i = 0; i < a->times; i++) {
        printf("%s\n", a->words.text[0]);
    }
    return CLI_OK;
}
EOS
sed 's/isa/scratch/g; /^\.TP/,/^\.SH/{/^\.SH/!d}' "$tree/man/tensix-isa.1" \
    >"$tree/man/tensix-scratch.1"

# Only what the table is in is compiled; the rest is the build's.
objects=()
for name in table main options cmd_isa cmd_scratch; do
    if ! "${CC:-cc}" -std=gnu17 -O0 -D_GNU_SOURCE -I"$tree/cli" -I"$tree" -I"$source/include" \
        -c "$tree/cli/$name.c" -o "$work/$name.o" >"$work/out" 2>&1; then
        not_ok "$name.c compiles"
    fi
    objects+=("$work/$name.o")
done
main='"\{0,1\}[^ "]*main\.c\.o"\{0,1\}'
command=$(sed "s|$main|${objects[*]}|; s|-o tensix|-o $work/tensix|" "$link")
(cd "$build" && bash -c "$command") >"$work/out" 2>&1 || not_ok "it links"

says "an option: help" 0 '--made-up=here|there *Where it is' isa --help
says "an option: parsed" 2 "made-up: 'nowhere' is none of here, there" isa --made-up nowhere
says "an option: taken" 0 SFPMAD isa --made-up=there --arch bh
says "a command: listed" 0 'scratch   something that does not exist' help
says "a command: its default" 0 '^x$' scratch x
"$work/tensix" scratch -t 3 x >"$work/out"
has "a command: its option" . <(awk '/^x$/ { n++ } END { if (n == 3) print n }' "$work/out")
says "a command: its words" 2 'no thing given' scratch
says "a command: bounds" 2 "times: '10' is not a number from 1 to 9" scratch x --times 10

python3 "$tree/scripts/command_pages.py" "$work/tensix" "$work/pages" >"$work/out" 2>&1 ||
    not_ok "pages are made"
pages=$work/pages
has "the manual page has the option" 'made\\-up=here|there' "$pages/man/tensix-isa.1"
has "the command's has its own" 'times=N' "$pages/man/tensix-scratch.1"
has "the list of manual pages has the command" 'tensix\\-scratch' "$pages/man/tensix.1"
has "the tables have the option" '--made-up here' "$pages/options.md"
has "the tables have the command" '^## scratch$' "$pages/options.md"
for file in tensix _tensix tensix.fish; do
    has "$file completes the option" made-up "$pages/completions/$file"
    has "$file completes its values" 'here there' "$pages/completions/$file"
    has "$file completes the command" scratch "$pages/completions/$file"
done
exit $status
