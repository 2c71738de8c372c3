# SPDX-License-Identifier: Apache-2.0
"""A wheel carries libtensix.so. It is $TENSIX_LIBRARY, that of ../build, or built for the purpose.

Everything else is said in pyproject.toml.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def version():
    text = (ROOT / "include" / "tensix" / "base.h").read_text(encoding="ascii")
    return re.search(r'TX_VERSION_STRING "(.*)"', text).group(1)


def build(folder):
    """The library alone: CMake and a C compiler are enough."""
    configure = ["cmake", "-S", ROOT, "-B", folder, "-DTENSIX_CLI=OFF", "-DBUILD_TESTING=OFF"]
    subprocess.run(configure, check=True)
    subprocess.run(
        ["cmake", "--build", folder, "--target", "tensix_shared", "-j", str(os.cpu_count())],
        check=True,
    )
    return Path(folder) / "libtensix.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        target = Path(self.build_lib) / "tensix" / "libtensix.so"
        chosen = os.environ.get("TENSIX_LIBRARY")
        if chosen:
            shutil.copyfile(chosen, target)
        elif (ROOT / "build" / "libtensix.so").exists():
            shutil.copyfile(ROOT / "build" / "libtensix.so", target)
        else:
            with tempfile.TemporaryDirectory() as folder:
                shutil.copyfile(build(folder), target)


class PlatformWheel(bdist_wheel):
    """For this platform, and any Python 3."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=version(),
    distclass=WithLibrary,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
)
