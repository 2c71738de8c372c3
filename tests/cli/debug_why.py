#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""why and the shadow's blame tell the same story: debug_why.py TENSIX EXAMPLES

For elements of ten kernels: every instruction of the blame is in the chain of why, in the same
cycle and with the same result. What the chain has beyond it was made into something that the shadow
takes as it is, and is behind such an instruction.
"""
import json
import subprocess
import sys

TENSIX, EXAMPLES = sys.argv[1:3]
KERNELS = ("exp", "log", "sqrt", "tanh", "sigmoid", "gelu", "reciprocal", "relu", "sigmoid_lut",
           "macro/recip_fp32", "macro/exp_unclamped")
ELEMENTS = (0, 37, 530, 1023)


def cell(element):
    """Row and column of Dst: faces of 16 rows of 16, the left ones first."""
    y, x = divmod(element, 32)
    return (y // 16 * 2 + x // 16) * 16 + y % 16, x % 16


def ask(*words):
    done = subprocess.run([TENSIX, *words], stdout=subprocess.PIPE, check=False, text=True)
    return done.stdout


def compare(kernel, array):
    path = f"{EXAMPLES}/kernels/{kernel}.s"
    elements = [word for e in ELEMENTS for word in ("--element", str(e))]
    blamed = json.loads(ask("run", path, "--arch", "bh", "--in", array, "--shadow", "--json",
                            *elements))
    if "error" in blamed:
        raise ValueError(blamed["error"]["message"])
    commands = [w for e in ELEMENTS for w in ("-c", "why dst[{}][{}]".format(*cell(e)))]
    answers = ask("debug", path, "--arch", "bh", "--in", array, "--tiles", "1", "--json", "-c",
                  "goto end", *commands).splitlines()[1:]
    steps = beyond = 0
    for element, line in zip(blamed["elements"], answers):
        chain = {(n["cycle"], n["text"]): n for n in json.loads(line)["chain"] if "cycle" in n}
        told = set()
        for step in element["steps"]:
            key = (step["cycle"], step["instruction"])
            store = step["instruction"].startswith("sfpstore")
            assert key in chain, f"{kernel}: {key} is not in why's chain"
            assert store or chain[key]["bits"] == step["result"], f"{kernel}: {key} has {step}"
            told.add(key)
            steps += 1
        if element["guilty"] and "cycle" in element["guilty"]:
            assert (element["guilty"]["cycle"], element["guilty"]["instruction"]) in chain, kernel
        assert bool(told) == bool(chain), kernel
        beyond += len(set(chain) - told)
    return steps, beyond


def main():
    whole = 0
    for kernel in KERNELS:
        array = "halves.npy"
        steps, beyond = compare(kernel, array)
        assert steps > 4, kernel
        whole += beyond == 0
        print(f"{kernel}: {steps} instructions blamed, all in why; {beyond} more there")
    assert whole >= 2, "everywhere there is something that the blame does not know"


if __name__ == "__main__":
    main()
