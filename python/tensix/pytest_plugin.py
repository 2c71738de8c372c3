# SPDX-License-Identifier: Apache-2.0
"""pytest: the fixtures golden, tensix_arch and tensix_card, and --tensix-arch.

The assertions are in tensix.testing: assert_bit_exact, assert_ulp.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, Callable, Iterator, List, Optional

import pytest


def pytest_addoption(parser: Any) -> None:
    parser.getgroup("tensix").addoption(
        "--tensix-arch", metavar="CHIP", default=None,
        help="chip of golden kernels that do not say: blackhole (bh), wormhole_b0 (wh)",
    )


def pytest_configure(config: Any) -> None:
    config.addinivalue_line(
        "markers", "tensix_card(product, findings, timeout): the card of the fixture tensix_card")


@pytest.fixture(scope="session")
def tensix_arch(request: Any) -> Optional[str]:
    """What --tensix-arch says, or None."""
    return request.config.getoption("--tensix-arch")


def _from_file(path: Any, arch: Optional[str]) -> Any:
    """A kernel that says its chip is for that one."""
    import tensix

    try:
        return tensix.Program.from_file(path)
    except (tensix.AssemblyError, ValueError):
        return tensix.Program.from_file(path, arch)


@pytest.fixture
def golden(tensix_arch: Optional[str]) -> Iterator[Callable[..., Any]]:
    """golden(kernel, ...): a tensix.Kernel for this test, called with arrays.

    A run with findings fails (FindingError), unless findings= says otherwise.
    """
    opened: List[Any] = []

    def make(kernel: Any, arch: Optional[str] = None, **options: Any) -> Any:
        import tensix

        options.setdefault("findings", "raise")
        if arch is None and isinstance(kernel, (str, os.PathLike)):
            kernel = _from_file(kernel, tensix_arch)
        elif arch is None and callable(kernel):
            arch = tensix_arch
        opened.append(tensix.Kernel(kernel, arch=arch, **options))
        return opened[-1]

    yield make
    for kernel in opened:
        kernel.close()


# ---- a test with an emulated card ----

_CHILD = "TENSIX_CARD_TEST"  # in the process that runs the body of such a test


@pytest.fixture
def tensix_card() -> Iterator[Any]:
    """The test's body runs in a process of its own with an emulated card (a tensix.card.Card).

    Findings of the chip fail the test. ``@pytest.mark.tensix_card(product="n150",
    findings="ignore", timeout=600)`` says otherwise. Other fixtures are made in both processes.
    """
    import tensix.card

    yield tensix.card.attach() if os.environ.get(_CHILD) else None


def _child(item: Any, product: str, timeout: float) -> "subprocess.CompletedProcess[str]":
    import tensix.card

    program = tensix.card.command()
    if program is None:
        raise tensix.card.CardError("there is no command tensix, which starts a test with a card: "
                                    "$TENSIX or $PATH may name it")
    config = item.config
    line = [program, "card", "--json", "--product", product, "--", sys.executable, "-m", "pytest",
            "-q", "--no-header", "-p", "no:cacheprovider", f"--rootdir={config.rootpath}"]
    if config.inipath is not None:
        line += ["-c", str(config.inipath)]
    line += ["-p", __name__] if not config.pluginmanager.has_plugin("tensix") else []
    where = item.nodeid.split("::", 1)
    line.append("::".join([str(config.rootpath / where[0]), *where[1:]]))
    return subprocess.run(line, env={**os.environ, _CHILD: "1"}, cwd=config.invocation_params.dir,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=timeout, check=False)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: Any) -> Optional[bool]:
    if "tensix_card" not in pyfuncitem.fixturenames or os.environ.get(_CHILD):
        return None
    marker = pyfuncitem.get_closest_marker("tensix_card")
    options = {"product": "p150a", "findings": "fail", "timeout": 3600.0}
    options.update(marker.kwargs if marker is not None else {})
    done = _child(pyfuncitem, options["product"], options["timeout"])
    said, _, last = done.stdout.rstrip("\n").rpartition("\n")
    try:
        findings = json.loads(last)["findings"]
    except (ValueError, KeyError, TypeError):
        said, findings = done.stdout, []
        done.returncode = done.returncode or 1
    ended = said.splitlines()[-1:] or [""]
    if done.returncode == 0 and ended[0].startswith("1 skipped"):
        pytest.skip("the test was skipped in the process with a card")
    if done.returncode != 0:
        pytest.fail(f"in the process with a card (status {done.returncode}):\n{said}",
                    pytrace=False)
    if findings and options["findings"] == "fail":
        shown = "\n".join(findings[:20])
        pytest.fail(f"the card has found {len(findings)} things:\n{shown}", pytrace=False)
    return True
