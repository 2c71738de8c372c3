# SPDX-License-Identifier: Apache-2.0
"""Takes one barrier, flush, wait, page or semaphore operation at a time out of the kernels that
move data for operators of ttnn, and looks whether the watch over orders reports what is left.

ttnn_mutants.py --kit DIR [--build DIR] [--chip bh|wh] [--only REGEX] [--sample N] [--seed N]
                [--seconds N] [--keep FILE]

Each operator runs in a process of its own, on the door in slow dispatch: first as it is, which must
be silent but for what KNOWN explains, and tells which kernels it has, then once for each statement,
with the changed file found through TT_METAL_KERNEL_PATH. Few cores work, so that each has more
tiles than a circular buffer has pages. An outcome is "reported" (a finding that the original has
not), "hangs" (no end within --seconds of the host's time), "wrong" (another result, and no
finding), "error" (ttnn gives up), "unused" (this variant of the kernel has no such statement, or
does not come to it) or "silent". SPARE says which statements may go without harm, and why.
Status 1: another outcome than "reported", "unused" or spare, or an original is not silent. --keep
has all outcomes, a line of JSON each.
"""

import argparse
import collections
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import ttnn_suite
from pythons import python_of

OPERATORS = (
    "exp add add_row add_height_sharded where sum_last sum_first argmax cumsum softmax layer_norm "
    "rms_norm matmul_one_tile matmul_2d_multicast matmul_1d_wide transpose permute reshape concat "
    "slice pad repeat embedding topk typecast_int32"
).split()
CALL = re.compile(
    r"^[ \t]+(?:\w+(?:\.|->))?(?:noc_async_\w*(?:barrier|flushed)\w*|noc_semaphore_(?:wait|set|inc)"
    r"\w*|cb_reserve_back|cb_push_back|cb_wait_front|cb_pop_front|reserve_back|push_back|wait_front"
    r"|pop_front|async_\w*(?:barrier|flushed)\w*|wait|wait_min|set|up|down|inc|set_multicast)"
    r"(?:<[^;()]*>)?\([^;{}]*\);",
    re.M,
)
# tt-metal's name for the last column and row of cores that operators use. Sharded and multicast
# operators need more than one.
GRID = collections.defaultdict(
    lambda: "0,0",
    add_height_sharded="7,7",
    argmax="1,1",
    matmul_2d_multicast="1,1",
    matmul_1d_wide="1,1",
)
BAD = ("silent", "wrong", "error", "hangs")
# Stands for a statement to see whether a program comes to it: it loads what nobody has written.
PROBE = 'asm volatile("lw zero, 0(%0)" : : "r"(0x100000));'
# What originals have, and why: program, kind.
KNOWN = {
    ("argmax", "uninitialised"): "aligned units of partial results, each core writes its part",
}
SMALL = "the program has no more tiles than the buffer has pages"
BOTH = "the room of the other buffer is waited for, and both are given back behind both unpacks"
AGAIN = "the kernel sends the page again that it had: so in every order, which is no race"
NONE = "nothing is under way there, or it waits for no page"
SHARD = "the buffer is the shard itself, whose data are there, and whose room nobody else takes"
LATER = "a barrier behind it is for both"
IN0, IN1 = "reader_bmm_tile_layout_in0_", "reader_bmm_tile_layout_in1_"
IN1_SENDER = IN1 + "sender_writer_padding_metal2.cpp"
IN1_RECEIVER = IN1 + "receiver_writer_padding_metal2.cpp"
# Why nothing is missing where a statement of ttnn 0.81.1 is taken out: end of the path, line.
SPARE = {
    ("reader_interleaved_no_bcast.cpp", 116): BOTH,
    ("reader_interleaved_row_bcast.cpp", 115): BOTH,
    ("ternary_reader_nosubtilebcast_ttt.cpp", 137): BOTH,
    ("ternary_reader_nosubtilebcast_ttt.cpp", 142): BOTH,
    ("writer_interleaved_scalar.cpp", 36): SMALL,
    ("reader_unary_reduce_universal_start_id.cpp", 33): SMALL,
    ("writer_unary_interleaved_start_id_metal2.cpp", 59): SMALL,
    ("writer_unary_interleaved_start_id_metal2.cpp", 60): AGAIN,
    ("writer_unary_sharded_metal2.cpp", 32): SHARD,
    ("writer_unary_sharded_metal2.cpp", 35): SHARD,
    ("reader_unary_sharded_blocks_interleaved_start_id_metal2.cpp", 63): SHARD,
    ("writer_unary_sharded_blocks_interleaved_start_id_metal2.cpp", 48): SHARD,
    ("writer_unary_sharded_blocks_interleaved_start_id_metal2.cpp", 61): SHARD,
    ("accumulation_reader.cpp", 41): SMALL + ": with 512 rows it is reported",
    ("accumulation_writer.cpp", 42): AGAIN,
    ("writer_unary_interleaved_start_id_blocked_sm.cpp", 75): AGAIN,
    ("writer_unary_interleaved_start_id_blocked.cpp", 39): AGAIN,
    (IN0 + "sender_padding_metal2.cpp", 310): SMALL,
    (IN0 + "sender_padding_metal2.cpp", 495): NONE,
    (IN0 + "receiver_metal2.cpp", 85): SMALL,
    (IN0 + "receiver_metal2.cpp", 104): "the sender has waited for what the atomic counts",
    (IN1_SENDER, 504): SMALL,
    (IN1_SENDER, 781): LATER,
    (IN1_SENDER, 782): SMALL,
    (IN1_SENDER, 787): NONE,
    (IN1_SENDER, 794): NONE,
    (IN1_SENDER, 795): NONE,
    (IN1_SENDER, 838): NONE,
    (IN1_SENDER, 839): NONE,
    (IN1_RECEIVER, 129): SMALL,
    (IN1_RECEIVER, 219): AGAIN,
    (IN1_RECEIVER, 224): NONE,
    (IN1_RECEIVER, 231): NONE,
    (IN1_RECEIVER, 232): NONE,
    ("writer_reshape_tiled.cpp", 51): SMALL,
    ("writer_reshape_tiled.cpp", 52): AGAIN,
    # N5: the requests for the next page's zeros leave behind it on its channel, so that its source
    # has been read when they come; a barrier of reads follows, and no write before line 51.
    ("writer_reshape_tiled.cpp", 67): "the zeros for the next page come behind it",
    ("writer_reshape_tiled.cpp", 75): NONE,
    ("reader_unary_transpose_wh_universal_input_cols_partitioned.cpp", 230): SMALL,
    ("writer_reshape_tiled.cpp", 76): SMALL,
    ("reader_reshape_tiled.cpp", 61): SMALL,
    ("reader_pad_tiled.cpp", 60): SMALL,
    ("writer_pad_tiled.cpp", 88): SMALL,
    ("writer_pad_tiled.cpp", 90): SMALL,
    ("reader_create_index_tensor.cpp", 49): SMALL,
    ("reader_create_index_tensor.cpp", 52): "that of the index, pushed behind it, is for both",
    ("writer_binary_interleaved.cpp", 43): LATER,
    ("writer_binary_interleaved.cpp", 44): SMALL,
    ("writer_binary_interleaved.cpp", 52): "nobody reads the indices",
    ("writer_binary_interleaved.cpp", 53): SMALL,
}


class Bench:
    """A kit's ttnn on the door of a build."""

    def __init__(self, given, place):
        self.given, self.place = given, place
        self.python = python_of(None, ((3, 12),))
        ours = given.build / "ttsim" / given.chip
        library = ttnn_suite.door_of(
            place, next(ours.glob("*.so")), ours / "soc_descriptor.yaml"
        )
        self.environment = ttnn_suite.environment_of(
            given.kit, library, "slow", given.build / "libtensix-lab.so"
        )
        self.order = place / "order.json"
        self.environment["TENSIX_ORDER"] = str(self.order)
        self.environment["TENSIX_ELF_PATH"] = str(given.kit / "cache")

    def run(self, name, kernels):
        """The program's outcome, and the findings of its process."""
        self.order.unlink(missing_ok=True)
        environment = dict(
            self.environment,
            TT_METAL_KERNEL_PATH=str(kernels),
            TT_METAL_CORE_GRID_OVERRIDE_TODEPRECATE=GRID[name],
        )
        command = [self.python, ttnn_suite.HERE / "ttnn_programs.py", f"^{name}$"]
        with (self.place / "log").open("w") as log:
            process = subprocess.Popen(command, env=environment, cwd=self.place, text=True,
                                       stdout=subprocess.PIPE, stderr=log)
            said, ended = self.ending(process)
        if not ended and not self.stuck():
            return "hangs", []
        lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        outcome = next((line["outcome"] for line in lines if "name" in line), "error")
        reports = self.order.read_text().splitlines() if self.order.exists() else []
        return outcome, [f for line in reports for f in json.loads(line)["findings"]]

    def ending(self, process):
        """What a process prints, and whether it ends before the time and before a deadlock."""
        until = time.monotonic() + self.given.seconds
        while time.monotonic() < until and not self.stuck():
            try:
                return process.communicate(timeout=1)[0], True
            except subprocess.TimeoutExpired:
                pass
        process.kill()
        return process.communicate()[0], False

    def stuck(self):
        return self.order.exists() and '"stuck":true' in self.order.read_text().replace(" ", "")

    def kernels(self):
        """The files that move data in the process that has just run, each with its programs."""
        text = (self.place / "generated/inspector/kernels.yaml").read_text()
        rows = re.findall(r"^ +path: (\S+)\n +source: (\S+)$", text, re.M)
        programs = collections.defaultdict(set)
        for folder, source in rows:
            if "dataflow" in source:
                programs[source] |= {loaded(elf) for elf in Path(folder).glob("*/*.elf")}
        return dict(programs)


def loaded(path):
    """What an ELF file of 32 bits puts into memory."""
    data = path.read_bytes()
    (first,) = struct.unpack_from("<I", data, 28)
    size, count = struct.unpack_from("<HH", data, 42)
    parts = []
    for i in range(count):
        kind, offset, _, place, bytes_ = struct.unpack_from("<5I", data, first + i * size)
        parts += [(place, data[offset : offset + bytes_])] if kind == 1 else []
    return tuple(parts)


def place(text, file, root, kernels):
    """Puts a changed file beneath a folder of kernels, with the headers beside it. What is new."""
    made = [kernels / file]
    made[0].parent.mkdir(parents=True, exist_ok=True)
    made[0].write_text(text)
    for header in re.findall(r'^#include "([^"]+)"', text, re.M):
        beside = (root / file).parent / header
        to = Path(os.path.normpath(made[0].parent / header))
        if beside.exists() and not to.exists():
            made += place(beside.read_text(), to.relative_to(kernels), root, kernels)
    return made


def statements(text):
    """Spans of the statements, without those in lines of comments."""
    return [m.span() for m in CALL.finditer(text) if "//" not in m.group().split("(")[0]]


def judge(outcome, findings):
    if findings:
        return "reported"
    return {"passed": "silent", "failed": "wrong"}.get(outcome, outcome)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--kit", type=Path, required=True)
    arguments.add_argument("--build", type=Path, default=Path("build"))
    arguments.add_argument("--chip", choices=ttnn_suite.CHIPS, default="bh")
    arguments.add_argument("--only", default=".")
    arguments.add_argument("--sample", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--seconds", type=int, default=60)
    arguments.add_argument("--keep", type=Path)
    given = arguments.parse_args()
    given.kit, given.build = given.kit.resolve(), given.build.resolve()
    root = given.kit / "site/ttnn"
    counts = collections.Counter()
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(given, Path(work))
        if bench.python is None:
            print("interop: skipped: ttnn's programs need a Python 3.12")
            return 0
        programs = {}
        mutants = []
        for name in [n for n in OPERATORS if re.search(given.only, n)]:
            outcome, findings = bench.run(name, work)
            kinds = {f["kind"] for f in findings if (name, f["kind"]) not in KNOWN}
            if outcome != "passed" or kinds:
                print(f"{name}: the original: {outcome}, {' '.join(kinds)}", flush=True)
                bad += 1
                continue
            for file, code in bench.kernels().items():
                if file not in programs:
                    text = (root / file).read_text()
                    mutants += [(name, file, span) for span in statements(text)]
                    programs[file] = code
        print(f"{len(programs)} files, {len(mutants)} statements", flush=True)
        if given.sample:
            mutants = random.Random(given.seed).sample(mutants, min(given.sample, len(mutants)))
        for name, file, (first, last) in mutants:
            text = (root / file).read_text()
            what = " ".join(text[first:last].split())
            line = text.count("\n", 0, first) + 1
            nothing = re.sub(r"[^\n]", " ", text[first:last])

            def run(statement):
                left = text[:first] + statement + text[last:]
                made = place(left, file, root, Path(work) / "kernels")
                outcome, findings = bench.run(name, Path(work) / "kernels")
                for one in made:
                    one.unlink()
                return outcome, [f for f in findings if (name, f["kind"]) not in KNOWN]

            outcome, findings = run(nothing)
            verdict = judge(outcome, findings)
            if verdict == "silent" and bench.kernels().get(file) == programs[file]:
                verdict = "unused"
            if verdict == "silent" and not run(PROBE + nothing)[1]:
                verdict = "unused"
            why = SPARE.get((file.split("/")[-1], line))
            verdict = "spare" if why and verdict in ("silent", "wrong") else verdict
            counts[verdict] += 1
            bad += verdict in BAD
            if given.keep:
                kinds = sorted({f["kind"] for f in findings})
                row = {"program": name, "file": file, "line": line, "statement": what,
                       "verdict": verdict, "outcome": outcome, "kinds": kinds}
                with given.keep.open("a") as out:
                    out.write(json.dumps(row) + "\n")
            if verdict != "reported":
                print(f"{verdict}: {name}: {file.split('/')[-1]}:{line}: {what}", flush=True)
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
