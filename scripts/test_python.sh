#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tests of python/ with the library and the command of $BUILD. Arguments go to pytest. $PYTHON
# names the interpreter; default is the first one that has numpy and pytest. Exit status 77: none.
# TX_PRELOAD: the runtime of ASan, where the library was built with it. Python's own leaks at exit
# are not looked at, and its allocator is replaced, so that ASan sees every object.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(cd "${BUILD:-build}" && pwd)

for python in "${PYTHON:-python3}" /usr/bin/python3; do
    if "$python" -c 'import mpmath, numpy, pytest' 2>/dev/null; then
        break
    fi
    python=
done
if [ -z "$python" ]; then
    echo "no python3 with numpy, pytest and mpmath (make deps)"
    exit 77
fi
export TENSIX_LIBRARY=$build/libtensix.so TENSIX=$build/tensix PYTHONDONTWRITEBYTECODE=1
if [ -n "${TX_PRELOAD:-}" ]; then
    export LD_PRELOAD=$TX_PRELOAD PYTHONMALLOC=malloc
    export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1
fi
cd python
exec "$python" -m pytest -q -p no:cacheprovider "$@"
