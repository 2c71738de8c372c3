#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/bound.py TENSIX [FUNCTION...]: errors that no coefficients of a form can undercut.

For each of ten functions writes the kernel for BF16 on Blackhole by `tensix fit --form --bound`,
coefficients searched for six seconds, and prints bound and found error, which docs/find.md lists.
The exit status is 1 where there is no bound, or where it is above what was found by more than what
FP32 rounds on the way. Needs glpsol of GLPK (Debian's glpk-utils).
"""

import json
import subprocess
import sys

FUNCTIONS = {
    "exp": ("poly:2", "-87:88.5"),
    "exp2": ("poly:2", "-126:127.5"),
    "expm1": ("poly:3", "-87:88"),
    "sqrt": ("poly:1", "1e-37:3e38"),
    "rsqrt": ("poly:1", "1e-37:3e38"),
    "cbrt": ("poly:1", "1e-37:3e38"),
    "tanh": ("poly:7", "1e-37:20"),
    "erf": ("poly:5", "1e-37:20"),
    "sin": ("poly:5", "-65536:65536"),
    "cos": ("poly:4", "-65536:65536"),
}


def row(tensix, name):
    form, domain = FUNCTIONS[name]
    command = [tensix, "fit", "--form", form, "--reference", name, "--arch", "bh", "--dst", "bf16",
               "--domain", f"bf16:{domain}", "--time", "6", "--restarts", "1", "--objective",
               "unrounded", "--bound", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(done.stderr.strip())
    return form, json.loads(done.stdout)


def main():
    tensix, *names = sys.argv[1:]
    print("| function | form | coefficients | no coefficients are better than | found |")
    print("|---|---|---|---|---|")
    wrong = 0
    for name in names or FUNCTIONS:
        form, made = row(tensix, name)
        bound, found = made["bound"], made["after"]["max_ulp_unrounded"]
        if bound is None:
            sys.exit(f"{name}: {made['no_bound']}")
        print(f"| {name} | `{form}` | {len(made['constants'])} | {bound:.3f} | {found:.3f} |",
              flush=True)
        wrong += bound > found + 0.002
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
