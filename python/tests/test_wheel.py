# SPDX-License-Identifier: Apache-2.0
"""The wheel: built without a network, installed into a fresh environment, and used there."""

import os
import subprocess
import sys
import zipfile

import pytest

import tensix
from tensix import _abi

USE = r"""
import sys
import numpy as np
import tensix
assert tensix.__file__.startswith(sys.argv[1]), tensix.__file__
from tensix import _abi
from tensix._lab import lab
for library in (_abi.lib, lab):
    assert library._name.startswith(sys.argv[1]), library._name
x = np.linspace(-4, 4, 1024 * 1024, dtype=np.float32).reshape(1024, 1024)
y = tensix.run(sys.argv[2], x, arch="blackhole")
assert np.array_equal(y, np.maximum(x, 0)), y
print(tensix.run(sys.argv[2], x, arch="blackhole", full_output=True).engine)
print(tensix.sweep(sys.argv[2], "bf16:1:2", "relu", arch="blackhole").exact)
# The libraries of the wheel are the only ones of the process.
places = {line.split()[-1] for line in open("/proc/self/maps") if "libtensix" in line}
assert len(places) == 2 and all(p.startswith(sys.argv[1]) for p in places), places
import doctest
text = open("README.md", encoding="utf-8").read()
(session,) = [part.split("```")[0] for part in text.split("```python\n")[1:] if ">>>" in part]
test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
print(doctest.DocTestRunner().run(test).failed)
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
    hidden = ("PYTHONPATH", "TENSIX_LIBRARY", "TENSIX_LAB_LIBRARY", "TENSIX", "LD_PRELOAD")
    return {k: v for k, v in os.environ.items() if k not in hidden}


@pytest.fixture(scope="module")
def wheel(pip, root, tmp_path_factory):
    if os.environ.get("LD_PRELOAD"):
        pytest.skip("a library with sanitizers is not packaged")
    folder = tmp_path_factory.mktemp("wheel")
    script = root / "scripts" / "wheel.sh"
    build = os.path.dirname(library())
    if not os.access(os.path.join(build, "tensix"), os.X_OK):
        pytest.skip("the command tensix is not built")
    env = {**os.environ, "PYTHON": sys.executable, "TENSIX_BUILD": build, "TENSIX_NO_DEPS": "1"}
    subprocess.run(["bash", script, folder], check=True, env=env, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


def library():
    return os.path.realpath(_abi.lib._name)


def test_contents(wheel, root):
    names = zipfile.ZipFile(wheel).namelist()
    sources = {f"tensix/{path.name}" for path in (root / "python" / "tensix").glob("*.py")}
    headers = {f"tensix/{path.relative_to(root)}" for path in (root / "include").rglob("*.*")}
    abi = f"so.{_abi.ABI}"
    built = {f"tensix/libtensix.{abi}", f"tensix/libtensix-lab.{abi}", "tensix/bin/tensix"}
    assert sources | headers | built | {"tensix/py.typed"} == {
        name for name in names if name.startswith("tensix/")}
    assert any(name.endswith("LICENSE") for name in names if ".dist-info/" in name)
    assert wheel.name.startswith(f"tensix-{tensix.__version__}-py3-none-linux_")


def test_in_a_fresh_environment(wheel, pip, root, kernels, tmp_path):
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
                          env=clean(), cwd=root, capture_output=True, text=True)
    assert done.stdout == "fast\n129\n0\n"  # 1, 1 + 1/128 ... 2; no example of the README failed
    told = subprocess.run([environment / "bin" / "tensix", "--version"], check=True, env=clean(),
                          capture_output=True, text=True).stdout
    assert told == f"tensix {tensix.__version__}\n"
    example = subprocess.run([python, root / "examples" / "lab" / "sweep.py", kernels / "exp.s"],
                             check=True, env=clean(), cwd=tmp_path, capture_output=True, text=True)
    assert example.stdout == "65536 inputs, 64850 exact, at most 1 ULP\n"
    refused = subprocess.run([environment / "bin" / "tensix", "no-such"], env=clean(), check=False,
                             capture_output=True, text=True)
    assert refused.returncode == 2 and "no-such" in refused.stderr
    test = tmp_path / "test_golden.py"
    test.write_text(
        "import numpy as np\n"
        f"def test_plugin(golden):\n    y = golden({str(kernels / 'relu.s')!r})(np.float32([-1]))\n"
        "    assert y.tolist() == [0]\n")
    subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tensix-arch", "wh",
                    test], check=True, env=clean(), cwd=tmp_path)
