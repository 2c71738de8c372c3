#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Completion of bash, zsh and fish, as scripts/command_pages.py makes it of the table: each shell
# that is here offers every option that the help of each command prints.
# shellcheck disable=SC1091,SC2154,SC2317 # lib.bash sets them; the completion calls functions
set -eu
. "$(dirname "$0")/lib.bash"
folder=$work/pages/completions
check "pages are made" python3 "$TX_SOURCE/scripts/command_pages.py" "$TENSIX" "$work/pages"

commands=$("$TENSIX" --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v '^help$')
commands=$(for one in $commands; do
    case $one in
    tile) printf 'tile show\ntile run\n' ;;
    chip) printf 'chip map\nchip run\n' ;;
    *) echo "$one" ;;
    esac
done)
same "all commands are there" yes "$([ "$(wc -l <<<"$commands")" -gt 25 ] && echo yes)"

# What the help for people prints, not the JSON of which the files are made.
printed() {
    # shellcheck disable=SC2086 # words
    "$TENSIX" $1 --help | sed -n 's/^  *\(-.*\)/\1/p' | sed 's/  .*//' |
        grep -oE -- '--[a-z][a-z0-9-]*' | sort -u
}
# ---- bash ----

complete() { :; }
compopt() { :; }
. "$folder/tensix"
offered_by_bash() {
    # shellcheck disable=SC2206 # words
    COMP_WORDS=("$TENSIX" $1 --) COMP_CWORD=$((1 + $(wc -w <<<"$1")))
    COMPREPLY=()
    _tensix
    printf '%s\n' "${COMPREPLY[@]}"
}
COMP_WORDS=("$TENSIX" tile "") COMP_CWORD=2
_tensix
same "bash, actions" "show run" "${COMPREPLY[*]}"
COMP_WORDS=("$TENSIX" run --arch "") COMP_CWORD=3
_tensix
same "bash, values" "bh wh blackhole wormhole_b0" "${COMPREPLY[*]}"

# ---- zsh: what is given to _arguments, after zsh has read the file ----

cat >"$work/zsh" <<'EOS'
_arguments() {
    if [[ $1 == -C ]]; then
        state=argument words=($rest --) CURRENT=$(( $#rest + 1 ))
        return 1
    fi
    print -rl -- "$@"
}
_describe() { }
compadd() { }
source <(grep -v '^_tensix "\$@"' $1)
while read -r command; do
    rest=(${=command}) words=(tensix $rest --)
    _tensix | sed "s/^[*]/$command:/"
done
EOS
all_by_zsh() {
    zsh -f "$work/zsh" "$folder/_tensix" | sed -n 's/^\([a-z ]*:--[a-z0-9-]*\).*/\1/p'
}

# ---- fish ----

all_by_fish() {
    fish -N -c "source '$folder/tensix.fish'
        while read -l command
            printf '%s\n' \$command:(complete -C \"tensix \$command --\")
        end" | cut -f 1
}
all_by_bash() {
    while read -r command; do
        offered_by_bash "$command" | sed "s/^/$command:/"
    done
}

while read -r command; do
    printed "$command" | sed "s/^/$command:/"
done <<<"$commands" | sort -u >"$work/printed"
same "enough options" yes "$([ "$(wc -l <"$work/printed")" -gt 300 ] && echo yes)"
PATH=$(dirname "$TENSIX"):$PATH # as it is installed
for shell in bash zsh fish; do
    if ! command -v "$shell" >/dev/null; then
        echo "# $shell is not here: its file is held against the command by text only"
        continue
    fi
    "all_by_$shell" <<<"$commands" | sed 's/[=-]*$//' | sort -u >"$work/offered"
    same "$shell: all options of all commands" "" "$(comm -23 "$work/printed" "$work/offered")"
done
while IFS=: read -r command option; do
    echo "        '*$option"
done <"$work/printed" | sort -u >"$work/zsh_lines"
sed "s/[=[].*//" "$folder/_tensix" | sort -u >"$work/zsh_has"
same "_tensix, as text" "" "$(comm -23 "$work/zsh_lines" "$work/zsh_has")"
sed "s/^\(.*\):--\(.*\)/complete -c tensix -n '__tensix_is \1' -l \2/" "$work/printed" | sort -u \
    >"$work/fish_lines"
sed -n "s/^\(complete -c tensix -n '[^']*' -l [^ ]*\).*/\1/p" "$folder/tensix.fish" | sort -u \
    >"$work/fish_has"
same "tensix.fish, as text" "" "$(comm -23 "$work/fish_lines" "$work/fish_has")"
if command -v fish >/dev/null; then
    same "fish, values and actions" "bh blackhole wh wormhole_b0 run show" "$(fish -N -c "
        source '$folder/tensix.fish'
        complete -C 'tensix run --arch ' | cut -f 1 | sort
        complete -C 'tensix tile ' | cut -f 1 | sort" | tr '\n' ' ' | sed 's/ $//')"
fi
finish
