#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The wheel as it would be published: for glibc 2.31 (Debian 11) or older, with what it carries and
# the licences of that, installed with numpy of PyPI into a fresh environment; the command also runs
# with Debian 11's own C library. Skipped where PyPI is not there; where Debian 11 is not, the tag
# is this machine's, which the last line tells.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/wheel.sh "$work" >"$work/log"
wheel=$(echo "$work"/tensix-*.whl)
case $wheel in
*-manylinux_*) ;;
*)
    echo "wheel: skipped: auditwheel of PyPI cannot be had"
    exit 0
    ;;
esac
"$python" -m venv "$work/env"
if ! "$work/env/bin/pip" --disable-pip-version-check --quiet install "$wheel"; then
    echo "wheel: skipped: numpy of PyPI cannot be had"
    exit 0
fi
# Everything carried has its licence.
"$python" -m zipfile -l "$wheel" | sed "s/ .*//" >"$work/names"
while read -r name; do
    name=$(basename "$name")
    grep -q "dist-info/.*${name%%[-.]*}[^/]*\.txt$" "$work/names" ||
        { echo "wheel: no licence of $name"; exit 1; }
done < <(grep -E '^tensix\.libs/.|^tensix/libzip' "$work/names")
grep -q 'dist-info/.*LICENSE$' "$work/names"
base=${BUILD:-build}/old_glibc
if [ -e "$base/ready" ]; then
    glibc=$(echo "$wheel" | sed 's/.*-manylinux_2_\([0-9]*\)_x86_64.*/\1/')
    [ "$glibc" -le 31 ] || { echo "wheel: its tag says glibc 2.$glibc"; exit 1; }
fi
unset PYTHONPATH TENSIX_LIBRARY TENSIX_LAB_LIBRARY TENSIX
want="tensix $(sed -n 's/.*TX_VERSION_STRING "\(.*\)"/\1/p' include/tensix/base.h)"
[ "$("$work/env/bin/tensix" --version)" = "$want" ]
cat >"$work/use.py" <<'EOF'
import doctest
import sys

import numpy as np
import tensix

text = open("README.md", encoding="utf-8").read()
(session,) = [part.split("```")[0] for part in text.split("```python\n")[1:] if ">>>" in part]
test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
assert doctest.DocTestRunner().run(test).failed == 0
assert tensix.sweep("examples/kernels/relu.s", "bf16:1:2", "relu", arch="bh").exact == 129
assert tensix.compare("examples/kernels/relu.s", arch="bh", arch_b="wh").identical
# mpfr, gmp, jansson ... are the wheel's own.
lines = [line for line in open("/proc/self/maps") if "/libmpfr" in line or "/libgmp" in line]
assert lines and all(sys.prefix in line for line in lines), lines
EOF
"$work/env/bin/python" "$work/use.py"
got=$("$work/env/bin/python" examples/lab/sweep.py examples/kernels/exp.s)
[ "$got" = "65536 inputs, 64850 exact, at most 1 ULP" ] # as the command reports it
"$work/env/bin/tensix" sweep examples/kernels/exp.s --arch bh --budget examples/ci/budget.yaml \
    >"$work/log"
if [ -e "$base/ready" ]; then
    # numpy's own .npz, by the libzip of the wheel.
    "$work/env/bin/python" -c "
import numpy, sys
numpy.savez_compressed(sys.argv[1] + '/x.npz', x=numpy.float32([-1, 2]))" "$work"
    "$work/env/bin/tensix" run examples/kernels/relu.s --arch bh --in "$work/x.npz:x" \
        --out "$work/y.npy" >"$work/log"
    grep -q 'libzip\.so\.' "$work/names"
    # Four references need FLINT, and say so.
    if "$work/env/bin/tensix" sweep examples/kernels/relu.s --arch bh --reference erfinv \
        2>"$work/log"; then
        exit 1
    fi
    grep -q 'erfinv needs FLINT' "$work/log"
    # Debian 11's loader and C library.
    command=$(find "$work/env" -path '*/tensix/bin/tensix')
    libraries=$base/libraries
    "$libraries/ld-2.31.so" --library-path "$libraries" "$command" sweep \
        examples/kernels/exp.s --arch bh --domain bf16:1:2 >"$work/log"
    grep -q 'all 129 of bf16:1:2' "$work/log"
fi
echo "wheel: right, $(basename "$wheel")"
