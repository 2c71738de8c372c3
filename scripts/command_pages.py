#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""command_pages.py TENSIX OUT: writes what is made of cli/commands.def, under the folder OUT.

completions/ for bash, zsh and fish; man/ with a page for each command: man/ of the source with
every option, whose texts are those of `--help` but where the page has a longer one; options.md, the
tables of options. All of it is what the command itself tells (`tensix help --json`, `tensix COMMAND
--help --json`). Here stand only the words that may follow an option whose argument does not list
them, and what is a name of a file.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
HEAD = "Completion for tensix; written by scripts/command_pages.py from what `tensix help` tells."

FORMATS = ("float32 tf32 float16 float16_b bfloat16 fp8_e5m2 fp8_e4m3 bfp8_b bfp4_b bfp2_b bfp8_a "
           "bfp4_a bfp2_a int32 int16 int8 uint32 uint16 uint8")
CHIPS = "bh wh blackhole wormhole_b0"
# What may follow an option, where the command's own text is a name like CHIP.
VALUES = {
    "CHIP[,CHIP]": CHIPS, "CHIP|both": CHIPS + " both",
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
# Asked of the command while one types: the words for such an argument.
ASKED = {
    "ROUTE": "convert --routes 2>/dev/null | awk '$1 ~ /[.]/ { print $1 }'",
    "ROW": "bench --list 2>/dev/null | awk '{ print $1 }'",
    "explain": "isa 2>/dev/null | awk '$1 ~ /^[0-9a-f][0-9a-f]$/ { print $2 }' | sort -u",
}
ASKED_TOO = {"ROUTE": "host pack unpack unpack+pack"}
NO_FILES = ("isa", "map", "eval", "explain", "help", "lsp", "bench")


def told(tensix, *words):
    done = subprocess.run([tensix, *words, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def commands(tensix):
    """[(words, text, help, options)]: a command, or a command and its action; and the actions."""
    out, actions = [], {}
    for one in told(tensix, "help")["commands"]:
        name, words = one["name"], one["actions"].split()
        if one["family"]:
            actions[name] = words
        else:
            words = [""] + words
        for action in words:
            line = [name, action] if action else [name]
            answer = told(tensix, *line, "--help")
            out.append((line, one["text"], answer, answer["options"]))
    return out, actions


def typed(list_of, actions):
    """[(words, text, options)] by what one types first: race has the options of both its kinds."""
    out = []
    for words, text, _, options in list_of:
        if len(words) > 1 and words[0] not in actions:
            known = {o["name"] for o in out[-1][2]}
            out[-1][2].extend(o for o in options if o["name"] not in known)
        else:
            out.append((words, text, list(options)))
    return out


def values(option):
    """The words that may follow, and the text of a question to the command."""
    name, takes = "--" + option["name"], option["argument"] or ""
    words = VALUES.get(name) or VALUES.get(takes) or " ".join(option.get("values", ()))
    if not words and re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", takes):
        words = takes.replace("|", " ")
    if not words and re.fullmatch(r"[a-z][a-z0-9]+", takes) and len(takes) > 1:
        words = takes
    return words or ASKED_TOO.get(takes, ""), ASKED.get(takes)


def a_file(option):
    takes = option["argument"] or ""
    return bool(re.search(r"FILE|OUT|DIR|[.](npy|s|csv|jsonl?|h|elf|hex|html|svg)|^[XYR]$", takes))


def sentence(text):
    return (text or "").split(";")[0].split(". ")[0]


# ---- bash ----

def bash(list_of, actions_of):
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
    actions = " ".join(f"'{k}') echo '{' '.join(v)}' ;;" for k, v in actions_of.items())
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
        asked = f"_tensix_{(o['argument'] or '').lower()}"
        how = asked if question else f"({these})" if these else "_files" if a_file(o) else " "
        takes = f"{':' if o['optional'] else ''}:{what}:{how}"
    out = []
    for name in names:
        mark = "" if not o["argument"] else "=-" if o["optional"] else "=" \
            if name.startswith("--") else "+"
        out.append(f"        '*{name}{mark}[{zsh_text(o['text'])}]{takes}'")
    return out


def zsh(list_of, actions_of):
    first = {words[0]: text for words, text, _ in list_of}
    out = [f"#compdef tensix\n# SPDX-License-Identifier: Apache-2.0\n# {HEAD}\n"]
    for name, question in ASKED.items():
        words = ASKED_TOO[name] + " " if name in ASKED_TOO else ""
        out.append(f"_tensix_{name.lower()}() {{\n"
                   f"    compadd -- {words}${{(f)\"$(tensix {question})\"}}\n}}")
    out += ["", "_tensix() {", "    local curcontext=$curcontext state line",
           "    local -a commands", "    commands=("]
    out += [f"        '{name}:{zsh_text(text)}'" for name, text in first.items()]
    out += ["        'help:this text, or that of a command'", "    )",
            "    _arguments -C '(- *)--version[version]' '(- *)--help[help]' \\",
            "        '1:command:->command' '*::argument:->rest' && return",
            "    if [[ $state == command ]]; then", "        _describe command commands",
            "        return", "    fi", "    local name=$words[1]", "    case $name in"]
    for name, actions in actions_of.items():
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


def fish(list_of, actions_of):
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
    for name, actions in actions_of.items():
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


# ---- man ----

def roff(text):
    text = re.sub(r"\s+", " ", text.replace("\\", "\\e").replace("-", "\\-")).strip()
    return re.sub(r"^([.'])", r"\\&\1", text)


def man_options(options, own):
    """The section of options: a page's own text where it has one, else that of the help."""
    out = []
    for o in options:
        name = o["name"]
        letter = f"\\-{o['short']}, " if o["short"] else ""
        takes = o["argument"] or ""
        takes = f"[={takes}]" if o["optional"] else f"={takes}" if takes else ""
        out += [".TP", f".B {letter}\\-\\-{roff(name)}{roff(takes)}"]
        text = roff(o["text"] or "Another name of the option above")
        out.append(own.pop(name, text if text.endswith(".") else text + "."))
    return "\n".join(out)


def man_page(text, sets):
    """sets: the options of each section that begins with .SH OPTIONS, in their order."""
    parts = re.split(r"^(\.SH OPTIONS.*\n)", text, flags=re.MULTILINE)
    out = [parts[0]]
    sections = list(zip(parts[1::2], parts[2::2]))
    if len(sections) != len(sets):
        sys.exit(f"{len(sections)} sections of options for {len(sets)} tables")
    for (head, rest), options in zip(sections, sets):
        body, following = (re.split(r"^(?=\.SH )", rest, maxsplit=1,
                                    flags=re.MULTILINE) + [""])[:2]
        own = {name.replace("\\-", "-"): long.rstrip("\n") for name, long in
               re.findall(r"^\.TP\n\.B \\-\\-(\S+)\n(.*?)(?=^\.TP\n|\Z)", body,
                          flags=re.MULTILINE | re.DOTALL)}
        prelude = re.split(r"^\.TP\n", body, maxsplit=1, flags=re.MULTILINE)[0]
        out += [head, prelude, man_options(options, own), "\n", following]
        if own:
            sys.exit(f"a text for {', '.join(own)}: there are no such options")
    return "".join(out)


def man_examples(text, lines):
    """The page with the section of examples that the help has, in front of what is seen also."""
    head, tail = (re.split(r"^(?=\.SH SEE ALSO)", text, maxsplit=1, flags=re.MULTILINE) + [""])[:2]
    body = "".join(re.sub(r"^([.'])", r"\\&\1", line.replace("\\", "\\e").replace("-", "\\-"))
                   + "\n" for line in lines)
    return f"{head.rstrip()}\n.SH EXAMPLES\n.nf\n{body}.fi\n{tail}"


def man(list_of, folder):
    pages, lines = {}, {}
    for words, _, answer, options in list_of:
        pages.setdefault(words[0], []).append(options)
        lines.setdefault(words[0], []).extend(answer["examples"])
    for name, sets in pages.items():
        text = (SOURCE / "man" / f"tensix-{name}.1").read_text(encoding="utf-8")
        (folder / f"tensix-{name}.1").write_text(man_examples(man_page(text, sets), lines[name]),
                                                 encoding="utf-8")


def man_of_all(tensix, folder):
    lines = [f".TP\n.BR tensix\\-{one['name']} (1)\n{roff(one['text'])}\n"
             for one in told(tensix, "help")["commands"]]
    text = (SOURCE / "man" / "tensix.1").read_text(encoding="utf-8")
    (folder / "tensix.1").write_text(
        text.replace(".SH COMMANDS\n", ".SH COMMANDS\n" + "".join(lines)), encoding="utf-8")


# ---- tables ----

def tables(list_of):
    out = ["# Options of every command", "",
           "Written by `scripts/command_pages.py` from `cli/commands.def`.", ""]
    for words, text, answer, options in list_of:
        out += [f"## {' '.join(words)}", "", f"{answer['text'] or text}.", "",
                "| option | meaning |", "|---|---|"]
        for o in options:
            takes = o["argument"] or ""
            takes = f"[={takes}]" if o["optional"] else f" {takes}" if takes else ""
            letter = f"`-{o['short']}`, " if o["short"] else ""
            cell = f"{letter}`--{o['name']}{takes}` | {o['text'] or ''}"
            out.append("| " + cell.replace("|", "\\|").replace("` \\| ", "` | ", 1) + " |")
        out.append("")
    return "\n".join(out)


def main():
    tensix, folder = sys.argv[1], Path(sys.argv[2])
    list_of, actions = commands(tensix)
    for name in ("completions", "man"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    shells = typed(list_of, actions)
    for name, text in (("tensix", bash(shells, actions)), ("_tensix", zsh(shells, actions)),
                       ("tensix.fish", fish(shells, actions))):
        (folder / "completions" / name).write_text(text, encoding="utf-8")
    man(list_of, folder / "man")
    man_of_all(tensix, folder / "man")
    (folder / "options.md").write_text(tables(list_of), encoding="utf-8")


main()
