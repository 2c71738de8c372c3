#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""completions.py TENSIX [--check]: writes completions/ for bash, zsh and fish.

Commands, options, what they take and their texts are those that the command itself tells
(`tensix help --json`, `tensix help COMMAND --json`). Here stand only the words that may follow an
option whose text does not list them, and what is a name of a file.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "completions"
HEAD = "Completion for tensix; written by scripts/completions.py from what `tensix help` tells."

CHIPS = "bh wh blackhole wormhole_b0"
DST = ("fp32 bf16 fp16 int32 int16 int8 uint32 uint16 uint8 int32-sm int16-sm "
       "uint16-dst32")
FORMATS = ("float32 tf32 float16 float16_b bfloat16 fp8_e5m2 fp8_e4m3 bfp8_b bfp4_b bfp2_b bfp8_a "
           "bfp4_a bfp2_a int32 int16 int8 uint32 uint16 uint8")
# What may follow an option, where the command's own text is a name like CHIP.
VALUES = {
    "CHIP": CHIPS, "CHIP[,CHIP]": CHIPS, "CHIP|both": CHIPS + " both",
    "--dst": DST, "--out-dst": DST,
    "--from": FORMATS, "--to": FORMATS, "--format": FORMATS,
    "RxC": "32x32 16x32 32x16 16x16 8x32 4x32 2x32 1x32",
    "--domain": "fp32 tf32 bf16 fp16 int32 int16 int8 uint32 uint16 uint8 bf16xbf16 fp32xfp32",
    "--gaps": "seed= each=1.. at= all=0..",
    "--engine": "auto compiled fast reference",
    "--level": "avx512 avx2 neon base",
    "--objective": "max mean relative faithful monotone unrounded",
    "--thread": "0 1 2 unpack math pack",
    "--lanes": "all",
    "--reference": "kernel recip exp log sqrt rsqrt tanh sigmoid gelu relu erf sin cos square abs "
                   "neg identity exp2 expm1 log2 log10 log1p cbrt silu softplus asinh acosh atanh "
                   "gamma lgamma digamma i0 i1 erfinv lambertw add sub mul div max min pow atan2 "
                   "hypot fmod mad where",
}
# Asked of the command while one types.
ASKED = {
    "--route": "convert --routes 2>/dev/null | awk '$1 ~ /[.]/ { print $1 }'",
    "--row": "bench --list 2>/dev/null | awk '{ print $1 }'",
    "explain": "isa 2>/dev/null | awk '$1 ~ /^[0-9a-f][0-9a-f]$/ { print $2 }' | sort -u",
}
ASKED_TOO = {"--route": "host pack unpack unpack+pack"}
ACTIONS = {"tile": ("show", "run"), "chip": ("map", "run")}
NO_FILES = ("isa", "map", "eval", "explain", "help", "lsp", "bench")


def told(tensix, *words):
    done = subprocess.run([tensix, "help", *words, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        done = subprocess.run([tensix, *words, "--help", "--json"], capture_output=True,
                              text=True, check=True)
    return json.loads(done.stdout)


def commands(tensix):
    """[(words, text, options)]: a command, or a command and its action."""
    out = []
    for one in told(tensix)["commands"]:
        name, text = one["name"], one["text"]
        for action in ACTIONS.get(name, ("",)):
            words = [name, action] if action else [name]
            done = subprocess.run([tensix, *words, "--help", "--json"], capture_output=True,
                                  text=True, check=True)
            out.append((words, text, json.loads(done.stdout)["options"]))
    return out


def values(option):
    """The words that may follow, and the text of a question to the command."""
    name, takes = "--" + option["name"], option["argument"] or ""
    words = VALUES.get(name) or VALUES.get(takes) or ""
    if not words and re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", takes):
        words = takes.replace("|", " ")
    if not words and re.fullmatch(r"[a-z][a-z0-9]+", takes) and len(takes) > 1:
        words = takes
    return words or ASKED_TOO.get(name, ""), ASKED.get(name)


def a_file(option):
    takes = option["argument"] or ""
    return bool(re.search(r"FILE|OUT|DIR|[.](npy|s|csv|jsonl?|h|elf|hex|html|svg)|^[XYR]$", takes))


def sentence(text):
    return (text or "").split(";")[0].split(". ")[0]


# ---- bash ----

def bash(list_of):
    names = sorted({words[0] for words, _, _ in list_of})
    out = [f"# SPDX-License-Identifier: Apache-2.0\n# {HEAD} -*- shell-script -*-\n",
           "_tensix_options() {", "    case $1 in"]
    for words, _, options in list_of:
        text = " ".join([f"--{o['name']}{'=' if o['argument'] and not o['optional'] else ''}"
                         for o in options] + [f"-{o['short']}" for o in options if o["short"]])
        out.append(f"    '{' '.join(words)}') echo '{text}' ;;")
    out += ["    esac", "}", "", "_tensix_values() {", "    case \"$1 $2\" in"]
    rows = {}
    for words, _, options in list_of:
        for o in options:
            these, question = values(o)
            if these or question:
                rows.setdefault((these, question), []).append(f"'{' '.join(words)} --{o['name']}'")
    for (these, question), places in rows.items():
        asks = f"; \"${{COMP_WORDS[0]}}\" {question}" if question else ""
        out.append(f"    {' | '.join(places)}) echo '{these}'{asks} ;;")
    actions = " ".join(f"'{k}') echo '{' '.join(v)}' ;;" for k, v in ACTIONS.items())
    out += ["    esac", "}", "", f"""_tensix_actions() {{
    case $1 in {actions} esac
}}

_tensix() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}}
    local command values actions
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || {{ [ "$COMP_CWORD" -eq 2 ] && [ "$prev" = help ]; }}; then
        mapfile -t COMPREPLY < <(compgen -W \\
            "{' '.join(names)} help --version --help" -- "$cur")
        return
    fi
    command=${{COMP_WORDS[1]}}
    actions=$(_tensix_actions "$command")
    if [ -n "$actions" ] && [ "$COMP_CWORD" -eq 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$actions" -- "$cur")
        return
    fi
    [ -z "$actions" ] || command="$command ${{COMP_WORDS[2]}}"
    if [ "$cur" = = ]; then
        cur=
    elif [ "$prev" = = ]; then
        prev=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    values=$(_tensix_values "$command" "$prev")
    if [ -n "$values" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur")
        return
    fi
    case $cur,$command in
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$(_tensix_options "$command")" -- "$cur")
        case ${{COMPREPLY[0]-}} in *=) compopt -o nospace ;; esac
        ;;
    *,explain)
        mapfile -t COMPREPLY < <(compgen -W "$("${{COMP_WORDS[0]}}" {ASKED['explain']})" -- "$cur")
        ;;
    *,{' | *,'.join(n for n in NO_FILES if n != 'explain')}) ;;
    *)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        ;;
    esac
}}

complete -F _tensix tensix
"""]
    return "\n".join(out)


# ---- zsh ----

def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", sentence(text)).replace("'", "'\\''")


def zsh_option(o):
    names = [f"--{o['name']}"] + ([f"-{o['short']}"] if o["short"] else [])
    takes = ""
    if o["argument"]:
        these, question = values(o)
        what = zsh_text(o["argument"]).split(";")[0]
        how = f"_tensix_{o['name']}" if question else f"({these})" if these else "_files" \
            if a_file(o) else " "
        takes = f"{':' if o['optional'] else ''}:{what}:{how}"
    out = []
    for name in names:
        mark = "" if not o["argument"] else "=-" if o["optional"] else "=" \
            if name.startswith("--") else "+"
        out.append(f"        '*{name}{mark}[{zsh_text(o['text'])}]{takes}'")
    return out


def zsh(list_of):
    first = {words[0]: text for words, text, _ in list_of}
    out = [f"#compdef tensix\n# SPDX-License-Identifier: Apache-2.0\n# {HEAD}\n"]
    for name, question in ASKED.items():
        words = ASKED_TOO[name] + " " if name in ASKED_TOO else ""
        out.append(f"_tensix_{name.lstrip('-')}() {{\n"
                   f"    compadd -- {words}${{(f)\"$(tensix {question})\"}}\n}}")
    out += ["", "_tensix() {", "    local curcontext=$curcontext state line",
           "    local -a commands", "    commands=("]
    out += [f"        '{name}:{zsh_text(text)}'" for name, text in first.items()]
    out += ["        'help:this text, or that of a command'", "    )",
            "    _arguments -C '(- *)--version[version]' '(- *)--help[help]' \\",
            "        '1:command:->command' '*::argument:->rest' && return",
            "    if [[ $state == command ]]; then", "        _describe command commands",
            "        return", "    fi", "    local name=$words[1]", "    case $name in"]
    for name, actions in ACTIONS.items():
        out.append(f"    {name})\n        if (( CURRENT == 2 )); then\n"
                   f"            compadd {' '.join(actions)}\n            return\n        fi\n"
                   f"        name=\"$name $words[2]\"\n        shift words\n"
                   f"        (( CURRENT-- ))\n        ;;")
    out += ["    esac", "    case $name in",
            "    help) compadd ${commands%%:*} ;;"]
    for words, _, options in list_of:
        rest = "_files"
        if words[0] == "explain":
            rest = "_tensix_explain"
        elif words[0] in NO_FILES:
            rest = " "
        body = " \\\n".join(line for o in options for line in zsh_option(o))
        out.append(f"    '{' '.join(words)}')\n        _arguments -s \\\n{body} \\\n"
                   f"        '*:argument:{rest}'\n        ;;")
    out += ["    esac", "}", "", "_tensix \"$@\"", ""]
    return "\n".join(out)


# ---- fish ----

def fish_text(text):
    return "'" + sentence(text).replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(list_of):
    out = [f"# SPDX-License-Identifier: Apache-2.0\n# {HEAD}\n", """function __tensix_is
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"; or return 1
    test (count $argv) -lt 2; or test "$words[3]" = "$argv[2]"
end

function __tensix_first
    set -l words (commandline -opc)
    test (count $words) -eq 1; or test (count $words) -eq 2 -a "$words[2]" = help
end

function __tensix_second
    set -l words (commandline -opc)
    test (count $words) -eq 2 -a "$words[2]" = "$argv[1]"
end
"""]
    first = {words[0]: text for words, text, _ in list_of}
    for name, text in first.items():
        out.append(f"complete -c tensix -f -n __tensix_first -a {name} -d {fish_text(text)}")
    out.append("complete -c tensix -f -n __tensix_first -a help -d 'help with a command'")
    out.append("complete -c tensix -f -n __tensix_first -l version\n")
    for name, actions in ACTIONS.items():
        out.append(f"complete -c tensix -f -n '__tensix_second {name}' -a '{' '.join(actions)}'")
    for words, _, options in list_of:
        where = f"'__tensix_is {' '.join(words)}'"
        out.append("")
        if words[0] == "explain":
            out.append(f"complete -c tensix -f -n {where} -a \"(tensix "
                       + ASKED["explain"].replace("$", "\\$") + ")\"")
        elif words[0] in NO_FILES:
            out.append(f"complete -c tensix -f -n {where}")
        for o in options:
            these, question = values(o)
            line = f"complete -c tensix -n {where} -l {o['name']}"
            line += f" -s {o['short']}" if o["short"] else ""
            if o["argument"] and not o["optional"]:
                line += " -r" if a_file(o) and not these else " -x"
            if these or question:
                asks = f" (tensix {question})".replace("$", "\\$") if question else ""
                line += f" -a \"{these}{asks}\"" if question else f" -a '{these}'"
            out.append(f"{line} -d {fish_text(o['text'])}")
    return "\n".join(out) + "\n"


def main():
    tensix, check = sys.argv[1], "--check" in sys.argv
    list_of = commands(tensix)
    stale = []
    for name, text in (("tensix", bash(list_of)), ("_tensix", zsh(list_of)),
                       ("tensix.fish", fish(list_of))):
        path = FOLDER / name
        if check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, encoding="utf-8")
    if stale:
        sys.exit(f"completions/{', '.join(stale)}: run scripts/completions.py TENSIX")


main()
