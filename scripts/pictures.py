#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/pictures.py TENSIX [NAME...]: the pictures of README and docs, in both themes.

Pages are written by the command from the examples and taken in a headless Chromium (apt's chromium
and chromium-driver) as docs/pictures/NAME-light.png and NAME-dark.png.
"""

import base64
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "cli"))
from webdriver import Browser  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
KERNELS = ROOT / "examples" / "kernels"
MATMUL = (ROOT / "examples" / "tiles" / "matmul.s", "--arch", "bh", "--l1",
          "0x10000=tile.npy:bf16", "--l1", "0x18000=tile.npy:bf16")
READY = "return !!(globalThis.tensixViews && tensixViews.page)"
# Name: the command's arguments, what follows '#', a script for the page, width and height.
PICTURES = {
    "trace": (
        ("trace", KERNELS / "macro" / "exp_unclamped.s", "--arch", "bh", "--in", "ramp.npy",
         "--html", "page.html"),
        "cycle=12&tip", "", 1280, 800),
    "units": (
        ("trace", *MATMUL, "--html", "page.html"), "cycle=43", "", 1280, 640),
    "sweep": (
        ("sweep", KERNELS / "tanh.s", KERNELS / "sigmoid.s", KERNELS / "gelu.s", "--arch", "bh",
         "--dst", "bf16", "--no-progress", "--html", "page.html"), "",
        "const p = tensixViews.page; p.plot.zoom(0x36000000, 0x42800000); p.choose(1);"
        "p.plot.worst();", 1280, 860),
    "profile": (
        ("run", *MATMUL, "--profile=page.html"), "", "", 1280, 700),
}


def array(path, shape, values):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }" % (shape,)
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() +
                     struct.pack("<%df" % len(values), *values))


def take(browser, work, name, theme):
    command, fragment, script, width, height = PICTURES[name]
    browser.devtools("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": theme}])
    browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
    browser.devtools("Emulation.setScrollbarsHidden", hidden=True)
    browser.open(f"file://{work}/{name}.html#{fragment}")
    if script:
        browser.wait(READY)
        browser.run(script)
    data = browser.call("GET", browser.session + "/screenshot")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}-{theme}.png").write_bytes(base64.b64decode(data))


def main():
    tensix, names = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(PICTURES)
    driver = shutil.which("chromedriver")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if driver is None or chromium is None:
        sys.exit("pictures: apt's chromium and chromium-driver are wanted")
    with tempfile.TemporaryDirectory() as work:
        array(Path(work) / "ramp.npy", (1024,), [i / 128 - 4 for i in range(1024)])
        array(Path(work) / "tile.npy", (32, 32), [(i * 7 % 11) - 5 for i in range(1024)])
        for name in names:
            subprocess.run([tensix, *PICTURES[name][0]], cwd=work, check=True,
                           stdout=subprocess.DEVNULL)
            (Path(work) / "page.html").rename(Path(work) / f"{name}.html")
        browser = Browser(driver, chromium, work)
        try:
            for name in names:
                for theme in ("light", "dark"):
                    take(browser, work, name, theme)
        finally:
            browser.close()


main()
