# SPDX-License-Identifier: Apache-2.0
"""tensix.Debug: commands and their answers as Python's values."""
import numpy as np
import pytest

import tensix

KERNEL = """.arch bh
.dst fp32
.init
    sfploadi L7, 0x4000, 0
.tile
    sfpload L0, 0, 3, 0
    sfpmul L3, L0, L7, 0
    sfpnop
    sfpstore L3, 0, 3, 0
"""


def test_there_and_back():
    x = np.arange(2048, dtype=np.float32)
    with tensix.Debug(tensix.Program.from_asm(KERNEL, "bh"), x) as debug:
        debug("watch L3[7]")
        stop = debug("continue")
        assert stop["stop"] == "breakpoint" and stop["tile"] == 0
        assert debug("print L3[7]")["values"] == ["28"]
        chain = debug("why L3[7]")["chain"]
        assert [n["value"] for n in chain if n["name"] == "L0[7]"] == ["14"]
        assert debug("goto end")["tile"] == 1
        assert debug("print L3[7]")["values"] == [str(2 * (1024 + 14))]
        assert debug("reverse-continue")["tile"] == 1  # which began with what .init had left
        assert debug("print L3[7]")["values"] == ["0"]
        assert "L3[7]" in debug.text("print L3[7]")


def test_refused():
    with tensix.Debug(tensix.Program.from_asm(KERNEL, "bh"), tile=1, tiles=2) as debug:
        assert debug("goto end")["tile"] == 2
        with pytest.raises(tensix.InputError, match="no command 'frobnicate'"):
            debug("frobnicate")
        assert debug("info")["cycle"] > 0
    with pytest.raises(tensix.ClosedError):
        debug("info")
    with pytest.raises(tensix.InputError, match="has 1 tile"):
        tensix.Debug(tensix.Program.from_asm(KERNEL, "bh"), np.zeros(1024, np.float32), tile=3)
