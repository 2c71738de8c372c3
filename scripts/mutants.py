#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks a line at a time and looks whether a test notices.

mutants.py [--count N] [--seed N] [--part NAME] [--list] [--work DIR]

Draws places of src/fast, src/pipe, src/matrix, src/sem, the analyses in lab, and src/noc with
src/chip in turn, or of one of these parts, changes
one token or statement of each in a scratch copy, builds what the tests of that part need, and runs
those, quick ones first. Changes that do not compile, or that leave the machine code as it was, are
drawn again.
What no test notices is a survivor; tests/mutants.txt has those that nothing can notice, with the
reason, and exit status 1 says that there is another one. Results, and what tests take, are kept in
DIR for a run that was interrupted; --list only prints what would be changed.
"""
import argparse, filecmp, hashlib, json, os, random, re, resource, shutil, subprocess, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Files of each part, the targets that its tests need, and the tests: name, command.
ENGINES = [
    ("engines.changes", "tests/engines/test_changes"),
    ("engines.fast", "tests/engines/test_fast"),
    ("engines.rules", "tests/engines/test_rules"),
    ("engines.flow bh", "tests/engines/campaign_flow bh 300000 3"),
    ("engines.flow wh", "tests/engines/campaign_flow wh 300000 3"),
    ("engines.fast_fma bh", "tests/engines/campaign_fast bh 12000000"),
    ("engines.fast_fma wh", "tests/engines/campaign_fast wh 12000000"),
]
LIBRARY = [
    ("pipe.timing", "tests/pipe/test_timing"),
    ("pipe.stall", "tests/pipe/test_stall"),
    ("pipe.macro", "tests/pipe/test_macro"),
    ("pipe.macro_lanes", "tests/pipe/test_macro_lanes"),
    ("pipe.measured", "tests/pipe/test_measured"),
    ("insn.insn", "tests/insn/test_insn"),
    ("front.threads", "tests/front/test_threads"),
    ("front.ports", "tests/front/test_ports"),
    ("front.waits", "tests/front/test_waits"),
    ("front.replay", "tests/front/test_replay"),
    ("kernels.kernels", "tests/kernels/test_kernels"),
    ("insn.oracle", "tests/insn/test_oracle"),
    ("pipe.macro_kernels", "tests/pipe/test_macro_kernels"),
]
MATRIX = [
    ("matrix.bulk", "tests/matrix/test_bulk"),
    ("insn.insn", "tests/insn/test_insn"),
    ("matrix.second bh", "tests/matrix/campaign_matrix bh 800000 3 all"),
    ("matrix.second wh", "tests/matrix/campaign_matrix wh 800000 3 all"),
    ("front.waits", "tests/front/test_waits"),
]
SCRIPTS = ["lint", "gaps", "expand", "shadow", "trace", "trace_forms", "threads"]
ANALYSES = [("cli." + name, "bash tests/cli/%s.sh" % name) for name in SCRIPTS]
ANALYSES += [("lab." + name, "tests/lab/test_" + name) for name in ("flow", "shadow")]
CHIP = [
    ("tile.noc", "tests/tile/test_noc"),
    ("chip.waits", "tests/chip/test_waits"),
    ("host.pcie", "tests/host/test_pcie"),
    ("chip.grid", "tests/chip/test_grid"),
    ("tile.host", "tests/tile/test_host"),
    ("chip.run", "tests/chip/test_run"),
    ("cli.chip_vectors", "bash tests/cli/chip_vectors.sh"),
]
PARTS = [
    ("chip", r"src/(noc|chip|dram)/.*\.[ch]", CHIP),
    ("fast", r"src/fast/(?!level_neon\.c).*\.[ch]", ENGINES),
    ("pipe", r"src/pipe/.*\.[ch]", LIBRARY[:7] + ENGINES[:1] + LIBRARY[7:] + ENGINES[1:3]),
    ("matrix", r"src/matrix/.*\.[ch]", MATRIX),
    ("sem", r"src/sem/.*\.h", LIBRARY[5:6] + LIBRARY[11:12] + ENGINES),
    ("lab", r"lab/(lint/.*|flow/.*|shadow/.*|expand/.*|run/run_gaps|trace/trace_collect)\.c",
     ANALYSES),
]

# The step functions of a level take half a minute to compile. So a changed header of theirs is
# first seen by one level only, or by the reference engine only; what that does not notice is built
# as a whole.
def few_sources(files, mutant):
    with open("/proc/cpuinfo", encoding="ascii") as f:
        words = f.read().split()
    best = "avx512" if "avx512bw" in words else "avx2" if "avx2" in words else "base"
    keep = {"fast": r"src/fast/(?!level_(?!%s)).*\.c" % best, "sem": r"src/pipe/.*\.c"}
    if not mutant.path.endswith(".h") or mutant.part not in keep:
        return []
    return [path for path in files if re.fullmatch(keep[mutant.part], path)]

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
    def __init__(self, part, path, text, place):
        at, length, new = place
        start, end = lines_of(text, at, length)
        self.part, self.path = part, path
        self.text = text[:at] + new + text[at + length:]
        self.line = text.count("\n", 0, at) + 1
        self.old = " ".join(text[start:end].split())
        self.new = " ".join(self.text[start:end - length + len(new)].split())

    def key(self):
        return "%s: %s => %s" % (self.path, self.old, self.new)

    def show(self):
        return "%s:%d\n    - %s\n    + %s" % (self.path, self.line, self.old, self.new)


def draws(files, seed):
    """Endless, a part after the other, each place once."""
    random_ = random.Random(seed)
    pools = []
    for name, pattern, _ in PARTS:
        pool = []
        for path in files:
            if re.fullmatch(pattern, path):
                with open(os.path.join(ROOT, path), encoding="ascii") as f:
                    text = f.read()
                pool += [Mutant(name, path, text, place) for place in places(path, text)]
        random_.shuffle(pool)
        pools.append(pool)
    while any(pools):
        for pool in pools:
            yield pool.pop() if pool else None


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="ascii") as f:
        return json.load(f)


def save(path, value):
    with open(path, "w", encoding="ascii") as f:
        json.dump(value, f, indent=1)


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Tree:
    """The scratch copy and its build."""

    def __init__(self, work, files):
        self.files = files
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
        self.environment = dict(os.environ, TENSIX=os.path.join(self.build, "tensix"),
                                TX_SOURCE_DIR=self.source, TX_BINARY_DIR=self.build,
                                TX_SANITIZE="off", LC_ALL="C")
        self.times = os.path.join(work, "seconds.json")
        self.usual = load(self.times)  # seconds that a test takes
        self.images = {}  # of programs

    def targets(self, tests):
        own = {command.split()[0] for _, command in tests if not command.startswith("bash ")}
        return sorted(own | ({"tensix"} if len(own) < len(tests) else set()))

    def make(self, tests):
        jobs = os.environ.get("JOBS", "1")
        return subprocess.run(["ninja", "-C", self.build, "-j", jobs] + self.targets(tests),
                              stdout=subprocess.DEVNULL).returncode == 0

    def image(self, tests):
        digest = hashlib.sha256()
        for target in self.targets(tests):
            with open(os.path.join(self.build, target), "rb") as f:
                digest.update(f.read())
        return digest.hexdigest()

    def test(self, name, command):
        """None: it passes; else why not."""
        words = command.split()
        if words[0] != "bash":
            words[0] = os.path.join(self.build, words[0])
        limit = max(60, 12 * self.usual.get(name, 100))
        start = time.time()
        process = subprocess.Popen(words, cwd=self.source, env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   stdin=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=limits)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return "%s, by time" % name
        if name not in self.usual:
            self.usual[name] = time.time() - start
            save(self.times, self.usual)
        return None if status in (0, 77) else name

    def prepare(self):
        for part, _, tests in PARTS:
            if not self.make(tests):
                sys.exit("mutants: the tree does not build")
            self.images[part] = self.image(tests)
            for name, command in tests:
                failure = None if name in self.usual else self.test(name, command)
                if failure is not None:
                    sys.exit("mutants: %s fails as it is" % failure)

    def touch(self, paths):
        for path in paths:
            os.utime(os.path.join(self.source, path))

    def tried(self, mutant, tests):
        """no build, same code, the test that noticed, or survived."""
        if not self.make(tests):
            return "no build"
        if self.image(tests) == self.images[mutant.part]:
            return "same code"
        for name, command in tests:
            failure = self.test(name, command)
            if failure is not None:
                return failure
        return "survived"

    def judge(self, mutant):
        tests = next(tests for part, _, tests in PARTS if part == mutant.part)
        path = os.path.join(self.source, mutant.path)
        before = os.stat(path)
        few = few_sources(self.files, mutant)
        with open(path, "w", encoding="ascii") as f:
            f.write(mutant.text)
        try:
            if few:
                os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
                self.touch(few)
                result = self.tried(mutant, tests)
                if result not in ("survived", "same code"):
                    return result
                self.touch([mutant.path])
            return self.tried(mutant, tests)
        finally:
            after = os.stat(path)
            shutil.copyfile(os.path.join(ROOT, mutant.path), path)
            if after.st_mtime_ns == before.st_mtime_ns:
                os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
            self.touch(few)


def known_equivalents():
    with open(os.path.join(ROOT, "tests/mutants.txt"), encoding="ascii") as f:
        return {line.rstrip("\n") for line in f if " => " in line}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--part", choices=[part for part, _, _ in PARTS])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--work", default=os.path.join(ROOT, "build/mutants"))
    options = parser.parse_args()
    if options.part:
        PARTS[:] = [part for part in PARTS if part[0] == options.part]
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, text=True,
                           stdout=subprocess.PIPE).stdout.split("\n")
    files = [path for path in files if path and os.path.isfile(os.path.join(ROOT, path))]
    if options.list:
        for _, mutant in zip(range(options.count), draws(files, options.seed)):
            print(mutant.show())
        return 0
    tree = Tree(os.path.abspath(options.work), files)
    tree.prepare()
    state = os.path.join(options.work, "results.json")
    results = load(state)
    killed, survivors = 0, []
    for mutant in draws(files, options.seed):
        if killed + len(survivors) == options.count:
            break
        if mutant is None:
            continue
        key = mutant.key()
        if key not in results:
            results[key] = tree.judge(mutant)
            save(state, results)
        print("%s: %s" % (results[key], mutant.show()), flush=True)
        if results[key] == "survived":
            survivors.append(mutant)
        elif results[key] not in ("no build", "same code"):
            killed += 1
    equivalent = known_equivalents()
    new = [m for m in survivors if m.key() not in equivalent]
    for mutant in new:
        print("nothing notices %s" % mutant.show())
    print("%d mutants: %d noticed, %d equivalent, %d survived" %
          (killed + len(survivors), killed, len(survivors) - len(new), len(new)))
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
