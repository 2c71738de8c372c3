# SPDX-License-Identifier: Apache-2.0
"""A wheel carries both libraries, the command and the headers that recorded kernels are compiled
with. They are those of the folder $TENSIX_BUILD, of ../build, or built for the purpose. What else
scripts/wheel.sh puts beside this file comes along: libzip, licences of others.

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
BASE = (ROOT / "include" / "tensix" / "base.h").read_text(encoding="ascii")
VERSION = re.search(r'TX_VERSION_STRING "(.*)"', BASE).group(1)
ABI = re.search(r"#define TX_ABI (\d+)", BASE).group(1)
# In the build -> in the package. Libraries have the names by which they ask for each other.
FILES = {
    "libtensix.so": f"libtensix.so.{ABI}",
    "libtensix-lab.so": f"libtensix-lab.so.{ABI}",
    "tensix": "bin/tensix",
}


def build(folder):
    configure = ["cmake", "-S", ROOT, "-B", folder, "-DBUILD_TESTING=OFF"]
    subprocess.run(configure, check=True)
    subprocess.run(
        ["cmake", "--build", folder, "-j", str(os.cpu_count()),
         "--target", "tensix_shared", "tensix_lab_shared", "tensix-cli"],
        check=True,
    )
    return Path(folder)


class BuildWithLibraries(build_py):
    def run(self):
        super().run()
        chosen = os.environ.get("TENSIX_BUILD")
        if chosen:
            self.take(Path(chosen))
        elif all((ROOT / "build" / name).exists() for name in FILES):
            self.take(ROOT / "build")
        else:
            with tempfile.TemporaryDirectory() as folder:
                self.take(build(folder))

    def take(self, folder):
        package = Path(self.build_lib) / "tensix"
        for name, place in FILES.items():
            target = package / place
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / name, target)  # with its mode
        shutil.copytree(ROOT / "include", package / "include", dirs_exist_ok=True)


class PlatformWheel(bdist_wheel):
    """For this platform, and any Python 3."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibraries(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=VERSION,
    distclass=WithLibraries,
    cmdclass={"build_py": BuildWithLibraries, "bdist_wheel": PlatformWheel},
)
