# SPDX-License-Identifier: Apache-2.0
"""What a booted chip costs that only waits: ttnn_idle.py CYCLES

Opens a device with unmodified ttnn, so that the firmware of every worker runs and waits for the
host, then clocks the library that stands for the card. It prints a line of JSON: chip cycles that
passed per second of one core, and the memory of the process before and after ttnn opened the
device, in MB. The environment is that of ttnn_suite.py, which runs it.
"""

import ctypes
import json
import re
import sys
import time
from pathlib import Path

import ttnn


def resident():
    """Memory of this process that no file backs, in MB."""
    text = Path("/proc/self/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+)", text).group(1)) / 1024


def library():
    """The library that ttnn has loaded in place of a driver."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        if "ttsim" in line.rsplit("/", 1)[-1] or line.endswith("libttsim.so"):
            return ctypes.CDLL(line.split(maxsplit=5)[5])
    return None


def main():
    cycles = int(sys.argv[1])
    before = resident()
    device = ttnn.open_device(device_id=0)
    after = resident()
    door = library()
    clocks = 1 << 14  # TENSIX_CYCLES_PER_CLOCK says how many cycles each of them is
    per_clock = int(__import__("os").environ["TENSIX_CYCLES_PER_CLOCK"])
    began, processor = time.monotonic(), time.process_time()
    for _ in range(0, cycles, clocks * per_clock):
        door.libttsim_clock(clocks)
    seconds = time.monotonic() - began
    processor = time.process_time() - processor
    done = -(-cycles // (clocks * per_clock)) * clocks * per_clock
    print(
        json.dumps(
            {
                "cycles": done,
                "seconds": round(seconds, 3),
                "processor": round(processor, 3),
                "cycles_per_second": round(done / max(processor, 1e-9)),
                "before_mb": round(before),
                "after_mb": round(after),
            }
        )
    )
    ttnn.close_device(device)


main()
