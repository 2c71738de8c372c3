# SPDX-License-Identifier: Apache-2.0
"""pytest: the fixtures golden and tensix_arch, and --tensix-arch.

The assertions are in tensix.testing: assert_bit_exact, assert_ulp.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Iterator, List, Optional

import pytest


def pytest_addoption(parser: Any) -> None:
    parser.getgroup("tensix").addoption(
        "--tensix-arch", metavar="CHIP", default=None,
        help="chip of golden kernels that do not say: blackhole (bh), wormhole_b0 (wh)",
    )


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
