#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks a line at a time and looks whether a test notices.

mutants.py [--count N] [--seed N] [--room NAME] [--list] [--whole] [--sources] [--work DIR]

Draws places of every folder of src and lab, and of cli, in turn (rooms, in an order that the seed
gives; without a seed that of the day), changes one token or statement of each in a scratch copy,
builds it, and runs tests of "make test": first those of ROOMS, quick ones first, until one fails.
With --whole, what none of them notices meets all the others. Changes that do not compile, or that
leave the machine code as it was, are drawn again. A test that seems to notice has to pass on the
tree as it is; one that does not is left out and named.
What no test notices is a survivor; tests/mutants.txt has those that nothing can notice, with the
reason, and exit status 1 says that there is another one. Results are kept in DIR for a run that was
interrupted; --list only prints what would be changed.
"""
import argparse, datetime, filecmp, hashlib, json, os, random, re, resource, shutil, subprocess
import sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Tests of a room, by the beginning of their names; those of the folder's own name come first.
ENGINES = "insn. pipe. engines.changes engines.fast engines.rules engines.flow engines.fast_fma"
UNITS = "front. unpack. pack. matrix. cli.tiles cli.run_tiles cli.unit_findings engines.units"
TILES = "tile. riscv. cli.tile cli.debug_cores cli.silicon cli.llk chip. host. lab.chip"
ROOMS = {
    "src/base": "fmt. asm. insn. api. front. tile. cli.isa cli.errors",
    "src/isa": "insn. asm. isa. cli.docs cli.lint coverage. cli.commands cli.json",
    "src/num": "insn. fmt. matrix. " + ENGINES,
    "src/riscv": TILES + " cli.cc",
    "src/fmt": "pack. unpack. insn. api. cli.convert cli.dst_formats " + UNITS,
    "src/asm": "insn. pipe. cli.errors cli.language cli.lsp cli.run cli.expand security.",
    "src/state": "api. insn. " + UNITS + " tile. cli.known cli.order cli.race",
    "src/sem": ENGINES,
    "src/scalar": "front. insn. " + UNITS + " " + TILES,
    "src/matrix": "insn. " + UNITS,
    "src/unpack": UNITS + " tile. cli.known",
    "src/pack": UNITS + " tile. cli.known cli.l1",
    "src/pipe": ENGINES + " kernels.",
    "src/front": UNITS + " pipe. tile. cli.threads api.pace",
    "src/fast": "engines. kernels. cli.compiled cli.sweep lab.",
    "src/tile": TILES + " cli.cc cli.order cli.report door. card.",
    "src/api": "insn. engines. front. kernels. lab. " + UNITS,
    "src/noc": TILES + " cli.chip cli.order",
    "src/chip": TILES + " cli.chip cli.order",
    "src/dram": TILES + " cli.chip",
    "src/host": TILES + " door. card. cli.chip",
    "lab/base": "cli.errors cli.json cli.run cli.lsp cli.trace lab.",
    "lab/bench": "cli.bench cli.speed",
    "lab/chiprun": "cli.chip lab.chip chip.",
    "lab/data": "cli.diff cli.convert cli.run lab.data cli.formats lab.vectors cli.vectors",
    "lab/engine": "lab.run cli.run cli.compiled cli.sweep cli.cache cli.threads",
    "lab/explain": "cli.docs cli.finding cli.language cli.gaps cli.lsp cli.errors cli.commands",
    "lab/fit": "cli.fit_kernels cli.ranks cli.opt",
    "lab/flow": "cli.lint cli.shadow cli.lsp cli.trace_forms lab.rows lab.lint cli.opt",
    "lab/form": "cli.schedule cli.fit_kernels",
    "lab/gdb": "lab.chip_gdb cli.debug",
    "lab/isa": "isa. cli.commands cli.json cli.schema cli.language",
    "lab/kernel": "cli.run lab.record cli.record lab.origin cli.sfpi cli.llk record.",
    "lab/opt": "cli.expand cli.fit_kernels lab.lint",
    "lab/order": "order. chip.waits",
    "lab/page": "cli.trace cli.profile cli.report card.card",
    "lab/past": "lab.debug cli.debug lab.gdb cli.gdb",
    "lab/race": "cli.lint cli.threads cli.order",
    "lab/reference": "cli.compare cli.sweep cli.reference lab.gate cli.sweep_gate",
    "lab/run": "cli.gaps cli.run_engine cli.run_tiles cli.threads cli.l1 cli.json",
    "lab/schedule": "lab.solver lab.form",
    "lab/silicon": "cli.chip_vectors",
    "lab/sweep": "cli.sweep_gate lab.gate cli.compare",
    "lab/tile": "cli.tile_run cli.profile cli.tiles cli.debug_cores cli.cc lab.chip "
                "cli.trace_cores",
    "lab/trace": "cli.trace_forms cli.trace_cores cli.trace_units cli.profile cli.pages",
    "lab/vectors": "cli.check cli.vector_keys cli.recipes cli.chip_vectors",
    "lab": "cli.errors",
    "cli": "cli.",
}
# They build or look at other trees than this one, or need what is not built here.
APART = re.compile(r"build\.|engines\.neon|fmt\.big_endian|cli\.(install|docs|editors|action)|"
                   r"python\.|coverage\.")

SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||",
         "||": "&&", "+": "-", "-": "+", "&": "|", "|": "&", "<<": ">>", ">>": "<<",
         "true": "false", "false": "true"}
TOKEN = re.compile(r"[A-Za-z_]\w*|\d(?:[eEpP][-+]|[\w.])*|<<=|>>=|[-+*/%&|^!=<>]=|&&|\|\||<<|>>|->|"
                   r"\+\+|--|.")
INTEGER = re.compile(r"(0[xX][0-9A-Fa-f]+|\d+)([uUlL]*)$")
DECLARATION = re.compile(r"\s+(const\b|return\b|static\b|typedef\b|enum\b|(struct\s+)?\w+\s+\**\w+"
                         r"(\[[^]]*\])*\s*[=;(])")
STATEMENT = re.compile(r"^\s+[A-Za-z_*(][^;{}]*(=|\)|\+\+|--)[^;{}]*;\s*$")


def blank(text):
    """The same length, without comments, strings and lines of the preprocessor."""
    quiet = lambda m: re.sub(r"[^\n]", " ", m.group())
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\\n])*\"|'(\\.|[^'\\\n])*'", quiet, text,
                  flags=re.S)
    return re.sub(r"^[ \t]*#(\\\n|[^\n])*", quiet, text, flags=re.M)


def other_number(token):
    digits, suffix = INTEGER.match(token).groups()
    if digits.lower().startswith("0x"):
        return "0x%X%s" % (int(digits, 16) ^ 1, suffix)
    return "%d%s" % (int(digits) + 1, suffix)


def places(path, text):
    """(offset, length, replacement) of everything that can be changed."""
    plain = blank(text)
    found = []
    tokens = [(m.start(), m.group()) for m in TOKEN.finditer(plain) if not m.group().isspace()]
    for i in range(1, len(tokens) - 1):
        at, token = tokens[i]
        before, after = tokens[i - 1][1], tokens[i + 1][1]
        binary = re.match(r"[\w\])]", before[-1]) and before not in ("return", "case")
        if token in ("true", "false") or (token in SWAPS and binary and after != ")"):
            found.append((at, len(token), SWAPS[token]))
        elif token == "!":
            found.append((at, 1, ""))
        elif INTEGER.match(token) and before != "[":
            found.append((at, len(token), other_number(token)))
        alone = i < 2 or tokens[i - 2][1] not in ("->", ".", "*", "&")
        if (token == "-" and binary and alone and re.match(r"[A-Za-z_]", before)
                and re.match(r"[A-Za-z_]", after)):
            start, end = tokens[i - 1][0], tokens[i + 1][0] + len(after)
            found.append((start, end - start, "%s - %s" % (after, before)))
        if (token == "," and i > 1 and tokens[i - 2][1] in "(," and i + 2 < len(tokens)
                and tokens[i + 2][1] in "),"
                and re.match(r"[A-Za-z_]", before) and re.match(r"[A-Za-z_]", after)):
            start, end = tokens[i - 1][0], tokens[i + 1][0] + len(after)
            found.append((start, end - start, "%s, %s" % (after, before)))
    for m in re.finditer(r"^.*$", plain, flags=re.M):
        if STATEMENT.match(m.group()) and not DECLARATION.match(m.group()):
            body = len(m.group()) - len(m.group().lstrip())
            found.append((m.start() + body, len(m.group()) - body, ";"))
    return sorted(set(found))


def lines_of(text, at, length):
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at + length)
    return start, end if end >= 0 else len(text)


class Mutant:
    def __init__(self, room, path, text, place):
        at, length, new = place
        start, end = lines_of(text, at, length)
        self.room, self.path = room, path
        self.text = text[:at] + new + text[at + length:]
        self.line = text.count("\n", 0, at) + 1
        self.old = " ".join(text[start:end].split())
        self.new = " ".join(self.text[start:end - length + len(new)].split())

    def original(self):
        with open(os.path.join(ROOT, self.path), encoding="ascii") as f:
            return f.read()

    def key(self):
        return "%s: %s => %s" % (self.path, self.old, self.new)

    def show(self):
        return "%s:%d\n    - %s\n    + %s" % (self.path, self.line, self.old, self.new)


def draws(files, seed):
    """Endless, a room after the other, each place once."""
    random_ = random.Random(seed)
    pools = {}
    for path in files:
        match = re.fullmatch(r"((?:src|lab)/\w+|cli)/.*\.[ch]", path)
        if match and not path.endswith("level_neon.c"):
            with open(os.path.join(ROOT, path), encoding="ascii") as f:
                text = f.read()
            room = match.group(1)
            pools.setdefault(room, []).extend(
                Mutant(room, path, text, place) for place in places(path, text))
    order = sorted(pools)
    random_.shuffle(order)
    for room in order:
        random_.shuffle(pools[room])
    while any(pools.values()):
        for room in order:
            if pools[room]:
                yield pools[room]


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="ascii") as f:
        return json.load(f)


def save(path, value):
    with open(path, "w", encoding="ascii") as f:
        json.dump(value, f, indent=1)


def limits():
    # Not of addresses: near its programs a card reserves many, and is another one without them.
    resource.setrlimit(resource.RLIMIT_DATA, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def usual_seconds():
    """What tests took in the build folder, as ctest has noted it."""
    seconds = {}
    path = os.path.join(ROOT, "build/Testing/Temporary/CTestCostData.txt")
    if os.path.exists(path):
        with open(path, encoding="ascii") as f:
            for line in f:
                words = line.split()
                if len(words) == 3:
                    seconds[words[0]] = float(words[2])
    return seconds


class Tree:
    """The scratch copy and its build."""

    def __init__(self, work, files):
        self.source = os.path.join(work, "tree")
        self.build = os.path.join(self.source, "build")  # as in any tree: ccache knows it
        for path in files:
            to = os.path.join(self.source, path)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            if not os.path.exists(to) or not filecmp.cmp(os.path.join(ROOT, path), to, False):
                # Also what a run that was killed has left.
                shutil.copyfile(os.path.join(ROOT, path), to)
                shutil.copymode(os.path.join(ROOT, path), to)
        launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
        subprocess.run(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja",
                        "-DBUILD_TESTING=ON"] +
                       (launcher if shutil.which("ccache") else []),
                       check=True, stdout=subprocess.DEVNULL)
        self.environment = dict(os.environ, LC_ALL="C")
        self.usual = usual_seconds()
        self.good_at = os.path.join(work, "good.json")
        self.good = load(self.good_at)  # whether a test passes on the tree as it is
        if not self.ninja(["all"]):  # ctest tells the command only of a program that is there
            sys.exit("mutants: the tree does not build")
        listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=self.build, check=True,
                                text=True, stdout=subprocess.PIPE).stdout
        self.tests = {t["name"]: t for t in json.loads(listed)["tests"]
                      if not APART.match(t["name"])}
        lost = [name for name, t in self.tests.items() if not t.get("command")]
        if lost:
            sys.exit("mutants: no program of %s" % " ".join(lost))
        self.image = self.hash()

    def ninja(self, targets):
        jobs = os.environ.get("JOBS", "1")
        return subprocess.run(["ninja", "-C", self.build, "-j", jobs] + targets,
                              stdout=subprocess.DEVNULL).returncode == 0

    def hash(self):
        digest = hashlib.sha256()
        for name in ("libtensix_inside.a", "libtensix-lab_inside.a", "tensix"):
            path = os.path.join(self.build, name)
            if os.path.exists(path):
                with open(path, "rb") as f:
                    digest.update(f.read())
        return digest.hexdigest()

    def order(self, room, whole):
        """Names of tests, those that are most likely to notice first."""
        folder = room.split("/")[-1]
        words = ROOMS.get(room) or ROOMS[room.split("/")[0]].replace("{room}", folder)
        names = []
        for group in ([folder + ".", "lab." + folder, "cli." + folder], words.split(),
                      [""] if whole else []):
            near = [name for name in self.tests if name not in names and
                    any(name.startswith(word) for word in group)]
            names += sorted(near, key=lambda name: self.usual.get(name, 1))
        return names

    def properties(self, name):
        return {p["name"]: p["value"] for p in self.tests[name].get("properties", [])}

    def program(self, name):
        first = self.tests[name]["command"][0]
        loads = re.match(r"card\.|door\.|cli\.(order|pages|chip|report)", name)
        return ([os.path.relpath(first, self.build)] if first.startswith(self.build) else []) + (
            ["tensix_card", "tensix_ttsim_bh", "tensix_ttsim_wh"] if loads else [])

    def passes(self, name):
        properties = self.properties(name)
        environment = dict(self.environment)
        for word in properties.get("ENVIRONMENT", []):
            key, value = word.split("=", 1)
            environment[key] = value
        limit = max(180, 40 * self.usual.get(name, 20))
        process = subprocess.Popen(self.tests[name]["command"],
                                   cwd=properties.get("WORKING_DIRECTORY", self.build),
                                   env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                   start_new_session=True, preexec_fn=limits)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return False
        return status in (0, 77)

    def write(self, mutant, text):
        with open(os.path.join(self.source, mutant.path), "w", encoding="ascii") as f:
            f.write(text)

    def is_good(self, mutant, name):
        """Whether the test passes on the tree as it is."""
        if name not in self.good:
            self.write(mutant, mutant.original())
            self.good[name] = self.ninja(["tensix"] + self.program(name)) and self.passes(name)
            save(self.good_at, self.good)
            self.write(mutant, mutant.text)
            if not self.good[name]:
                print("left out, as it fails without a change: %s" % name, flush=True)
            self.ninja(["tensix"])
        return self.good[name]

    def judge(self, mutant, whole):
        """no build, same code, the test that noticed, or survived."""
        self.write(mutant, mutant.text)
        try:
            if not self.ninja(["tensix", "tensix_inside"]):
                return "no build"
            if self.hash() == self.image:
                return "same code"
            for name in self.order(mutant.room, whole):
                if self.good.get(name) is False:
                    continue
                built = self.ninja(["tensix"] + self.program(name))
                if (not built or not self.passes(name)) and self.is_good(mutant, name):
                    return name if built else "no build"
            return "survived"
        finally:
            self.write(mutant, mutant.original())


def known_equivalents():
    with open(os.path.join(ROOT, "tests/mutants.txt"), encoding="ascii") as f:
        return {line.rstrip("\n") for line in f if " => " in line}


def drawn(files, options):
    for pool in draws(files, options.seed):
        mutant = pool.pop()
        while options.sources and mutant.path.endswith(".h") and pool:
            mutant = pool.pop()
        if options.room is None or mutant.room == options.room:
            yield mutant, pool


def tally(results, mutants):
    equivalent = known_equivalents()
    survivors = [m for m in mutants if results[m.key()] == "survived"]
    new = [m for m in survivors if m.key() not in equivalent]
    for mutant in new:
        print("nothing notices %s" % mutant.show())
    killed = len(mutants) - len(survivors)
    print("%d mutants: %d noticed, %d equivalent, %d survived; %.1f %% of those that are not "
          "equivalent noticed" % (len(mutants), killed, len(survivors) - len(new), len(new),
                                  100.0 * killed / max(1, killed + len(new))))
    return 1 if new else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=int(datetime.date.today().strftime("%Y%m%d")))
    parser.add_argument("--room", help="src/NAME, lab/NAME or cli")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--whole", action="store_true", help="survivors meet all of make test")
    parser.add_argument("--sources", action="store_true",
                        help="no headers, whose mutants build everything anew")
    parser.add_argument("--work", default=os.path.join(ROOT, "build/mutants"))
    options = parser.parse_args()
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, text=True,
                           stdout=subprocess.PIPE).stdout.split("\n")
    files = [path for path in files if path and os.path.isfile(os.path.join(ROOT, path))]
    if options.list:
        for _, (mutant, _) in zip(range(options.count), drawn(files, options)):
            print(mutant.show())
        return 0
    print("seed %d" % options.seed)
    tree = Tree(os.path.abspath(options.work), files)
    state = os.path.join(options.work, "results.json")
    results = load(state)
    mutants = []
    for mutant, pool in drawn(files, options):
        while True:  # until one of this room is a change at all
            key = mutant.key()
            if key not in results:
                start = time.time()
                results[key] = tree.judge(mutant, options.whole)
                print("%d s, " % (time.time() - start), end="")
                save(state, results)
            print("%s: %s" % (results[key], mutant.show()), flush=True)
            if results[key] not in ("no build", "same code") or not pool:
                break
            mutant = pool.pop()
            while options.sources and mutant.path.endswith(".h") and pool:
                mutant = pool.pop()
        if results[key] not in ("no build", "same code"):
            mutants.append(mutant)
        if len(mutants) == options.count:
            break
    return tally(results, mutants)


if __name__ == "__main__":
    sys.exit(main())
