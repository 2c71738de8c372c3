#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands that the documentation prints, run as printed: tests/docs/run_docs.py says how.
# shellcheck disable=SC1091,SC2154 # lib.bash sets them
set -eu
. "$(dirname "$0")/lib.bash"

# What a page needs beside the command: the installed library, the Python package, an interpreter
# with numpy.
"${CMAKE:-cmake}" --install "$TX_BINARY_DIR" --prefix "$work/prefix" >/dev/null 2>&1 || true
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name tensix.pc)")
export PKG_CONFIG_PATH LD_LIBRARY_PATH=${PKG_CONFIG_PATH%/*}
export PYTHONPATH=$TX_SOURCE/python TENSIX_LIBRARY=$LD_LIBRARY_PATH/libtensix.so
export PYTHONDONTWRITEBYTECODE=1
python3 -c 'import numpy, pytest' 2>/dev/null || export PATH=/usr/bin:$PATH

pages=(README.md docs/card.md docs/cli.md docs/debug.md docs/find.md docs/kernels.md
    docs/profile.md docs/race.md docs/recording.md docs/walks.md)
! command -v riscv64-unknown-elf-gcc >/dev/null || pages+=(docs/kernels-riscv.md)
for page in "${pages[@]}"; do
    if python3 "$TX_SOURCE/tests/docs/run_docs.py" "$TENSIX" "$page" >"$work/docs"; then
        ok "$page"
    else
        not_ok "$page" "$(cat "$work/docs")"
    fi
done

# The checker itself: what differs, and what is only a part, is told.
cat >"$work/good.md" <<'EOS'
`a.s`:
```
sfpnop
```
```
$ cat a.s; echo 2
sfpnop
2
$ echo x; echo y
...
y
$ echo more
```
EOS
same "a line too many in what is printed" 1 \
    "$(python3 "$TX_SOURCE/tests/docs/run_docs.py" "$TENSIX" "$work/good.md" | grep -c '^not ok')"
printf '%s\n' '```' '$ echo lost' '...' other '```' >"$work/bad.md"
check "what is printed differs" bash -c \
    "! python3 '$TX_SOURCE/tests/docs/run_docs.py' '$TENSIX' '$work/bad.md'"
finish
