# SPDX-License-Identifier: Apache-2.0
"""The Pythons that the suites with the vendor's kit run their programs in."""

import shutil
import subprocess
from pathlib import Path


def python_of(given, versions):
    """The program named given, or else the first Python of versions, such as ((3, 12),), that runs
    on this machine: on the PATH or of pyenv. None where there is none.

    Each is asked for its version, since a name alone says little: pyenv's python3.12 on the PATH
    fails where another version is the chosen one.
    """
    names = [f"{major}.{minor}" for major, minor in versions]
    places = [given] if given else [f"python{name}" for name in names] + ["python3"]
    if not given:
        for name in names:
            places += sorted(Path.home().glob(f".pyenv/versions/{name}.*/bin/python3"))
    ask = f"import sys; sys.exit(sys.version_info[:2] not in {tuple(versions)!r})"
    for place in places:
        found = shutil.which(str(place))
        command = [found, "-c", ask]
        if found and subprocess.run(command, check=False, capture_output=True).returncode == 0:
            return found
    return None
