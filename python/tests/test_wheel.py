# SPDX-License-Identifier: Apache-2.0
"""The wheel: built without a network, installed into a fresh environment, and used there."""

import os
import subprocess
import sys
import zipfile

import pytest

USE = """
import sys
import numpy as np
import tensix
assert tensix.__file__.startswith(sys.argv[1]), tensix.__file__
from tensix import _abi
assert _abi.lib._name.startswith(sys.argv[1]), _abi.lib._name
x = np.linspace(-4, 4, 1024 * 1024, dtype=np.float32).reshape(1024, 1024)
y = tensix.run(sys.argv[2], x, arch="blackhole")
assert np.array_equal(y, np.maximum(x, 0)), y
print(tensix.run(sys.argv[2], x, arch="blackhole", full_output=True).engine)
"""


@pytest.fixture(scope="module")
def pip():
    """Of the interpreter; wheels need setuptools and wheel, environments ensurepip's module."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    need = "import setuptools, wheel, pip, venv, ensurepip"
    if subprocess.run([sys.executable, "-c", need], capture_output=True, check=False).returncode:
        pytest.skip("pip, setuptools, wheel or venv is missing")
    return command


def clean():
    """Without what would hide that the wheel is complete."""
    hidden = ("PYTHONPATH", "TENSIX_LIBRARY", "LD_PRELOAD")
    return {k: v for k, v in os.environ.items() if k not in hidden}


@pytest.fixture(scope="module")
def wheel(pip, root, tmp_path_factory):
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("a library with sanitizers is not packaged")
    folder = tmp_path_factory.mktemp("wheel")
    script = root / "scripts" / "wheel.sh"
    env = {**os.environ, "PYTHON": sys.executable, "TENSIX_LIBRARY": library()}
    subprocess.run(["bash", script, folder], check=True, env=env, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


def library():
    from tensix import _abi

    return os.path.realpath(_abi.lib._name)


def test_contents(wheel, root):
    import tensix

    names = zipfile.ZipFile(wheel).namelist()
    sources = {f"tensix/{path.name}" for path in (root / "python" / "tensix").glob("*.py")}
    assert sources | {"tensix/py.typed", "tensix/libtensix.so"} == {
        name for name in names if name.startswith("tensix/")}
    assert wheel.name.startswith(f"tensix-{tensix.__version__}-py3-none-linux_")


def test_in_a_fresh_environment(wheel, pip, kernels, tmp_path):
    """An environment of its own with the system's numpy, as there may be no network."""
    environment = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages",
                    environment], check=True)
    python = environment / "bin" / "python"
    subprocess.run([python, *pip[1:], "install", "--no-index", "--no-deps", wheel], check=True,
                   env=clean())
    script = tmp_path / "use.py"
    script.write_text(USE)
    done = subprocess.run([python, script, str(environment), kernels / "relu.s"], check=True,
                          env=clean(), cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "fast\n"
    test = tmp_path / "test_golden.py"
    test.write_text(
        "import numpy as np\n"
        f"def test_plugin(golden):\n    y = golden({str(kernels / 'relu.s')!r})(np.float32([-1]))\n"
        "    assert y.tolist() == [0]\n")
    subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tensix-arch", "wh",
                    test], check=True, env=clean(), cwd=tmp_path)
