#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The wheel as it would be published: with a manylinux tag by auditwheel, installed with numpy of
# PyPI into a fresh environment. Skipped where PyPI is not there.
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
echo "wheel: right, $(basename "$wheel")"
