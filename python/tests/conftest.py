# SPDX-License-Identifier: Apache-2.0
import os
import signal
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
KERNELS = ROOT / "examples" / "kernels"

# A job in the background has it ignored, and so have its children.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Installed, the plugin comes by its entry point.
if not metadata.entry_points(group="pytest11", name="tensix"):
    pytest_plugins = ["tensix.pytest_plugin", "pytester"]
else:
    pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def kernels():
    return KERNELS


@pytest.fixture
def rng():
    return np.random.default_rng(12345)


@pytest.fixture(scope="session")
def command():
    """The command, or the test is skipped."""
    path = os.environ.get("TENSIX", str(ROOT / "build" / "tensix"))
    if not os.access(path, os.X_OK):
        pytest.skip("the command tensix is not built")
    return path
