# SPDX-License-Identifier: Apache-2.0
"""tensix.card: attach() in a running process, the fixture tensix_card."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import tensix.card

LIBRARY = Path(os.environ.get("TENSIX", "/nonexistent")).parent / "libtensix-card.so"
pytestmark = pytest.mark.skipif(
    not LIBRARY.exists(), reason="this build has no libtensix-card.so")
PLAIN = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "TENSIX_CARD")}


def python(text, *words, **environment):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text), *words],
                          capture_output=True, text=True, timeout=300, check=False,
                          env={**PLAIN, **environment})


def test_a_running_process_gets_a_card():
    # GET_DEVICE_INFO of tt-kmd's ioctl.h: vendor and device behind two words of sizes.
    done = python("""
        import ctypes, fcntl, mmap, os, subprocess, sys
        assert not os.path.exists("/dev/tenstorrent/0")
        import tensix.card
        card = tensix.card.attach(product="n150")
        assert tensix.card.attach() is card
        fd = os.open("/dev/tenstorrent/0", os.O_RDWR | os.O_CLOEXEC)
        info = bytearray(24)
        info[0] = 20
        fcntl.ioctl(fd, 0xFA00, info)
        assert info[8:12] == bytes((0x52, 0x1e, 0x1e, 0x40)), info
        libc = ctypes.CDLL(None)
        # A window of 1 MiB onto L1 (1 << 20 in ALLOCATE_TLB), mapped and used by plain accesses.
        call = bytearray((1 << 20).to_bytes(8, "little") + bytes(40))
        fcntl.ioctl(fd, 0xFA0B, call)
        number = int.from_bytes(call[16:20], "little")
        offset = int.from_bytes(call[24:32], "little")
        window = bytearray(64)
        window[0:4] = number.to_bytes(4, "little")
        window[16:20] = bytes((1, 0, 1, 0))
        window[26] = 1
        fcntl.ioctl(fd, 0xFA0D, window)
        memory = mmap.mmap(fd, 1 << 20, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE,
                           offset=offset)
        memory[4096:4106] = b"abcdefghij"
        assert memory[4095:4107] == bytes(1) + b"abcdefghij" + bytes(1)
        child = subprocess.run(["cat", "/sys/bus/pci/devices/0000:aa:00.0/device"],
                               capture_output=True, text=True)
        assert child.stdout == "0x401e\\n", child
        assert card.findings == [] and os.path.isdir(card.folder)
        print("good", card.folder)
    """)
    assert done.returncode == 0 and done.stdout.startswith("good"), done
    folder = done.stdout.split()[1]
    for _ in range(100):  # another process removes it
        if not os.path.exists(folder):
            break
        subprocess.run(["sleep", "0.05"], check=True)
    assert not os.path.exists(folder)


def test_libraries_that_are_loaded_later_see_the_card(tmp_path):
    (tmp_path / "late.c").write_text("""
        #include <fcntl.h>
        #include <unistd.h>
        int late(void) { return open("/dev/tenstorrent/0", O_RDWR); }
        int (*held)(const char *, int, ...) = open;
    """)
    (tmp_path / "asks.c").write_text("""
        #include <dlfcn.h>
        int asks(void) {
            void *at = dlopen("liblate.so", RTLD_NOW);
            int (*late)(void) = at ? (int (*)(void))dlsym(at, "late") : 0;
            return late ? late() : -2;
        }
    """)
    for name, more in (("late", []), ("asks", ["-Wl,-rpath,$ORIGIN"])):
        subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / f"lib{name}.so",
                        tmp_path / f"{name}.c", *more], check=True)
    done = python("""
        import ctypes, sys
        asks = ctypes.CDLL(sys.argv[1])  # its own folder is where it looks for the other one
        import tensix.card
        assert asks.asks() == -1
        tensix.card.attach()
        assert asks.asks() >= 0
    """, str(tmp_path / "libasks.so"))
    assert done.returncode == 0, done


def test_attach_says_what_to_do():
    done = python("""
        import sys, types
        sys.modules["ttnn"] = types.ModuleType("ttnn")
        import tensix.card
        try:
            tensix.card.attach()
        except tensix.card.CardError as error:
            print(error)
    """)
    assert "tensix card -- python PROGRAM" in done.stdout, done
    done = python("import tensix.card; tensix.card.attach()", TENSIX_CARD_LIBRARY="/none.so")
    assert "libzydis-dev" in done.stderr and done.returncode == 1, done


def test_under_the_command_attach_gives_its_card():
    done = subprocess.run(
        [os.environ["TENSIX"], "card", "--product", "n150", "--", sys.executable, "-c",
         "import os, tensix.card; print(tensix.card.attach().folder == os.environ['TENSIX_CARD'])"],
        capture_output=True, text=True, timeout=300, check=False, env=PLAIN)
    assert done.stdout == "True\n", done


SUITE = """
import os
import pytest


def test_has_a_card(tensix_card):
    assert tensix_card is not None and os.path.exists("/dev/tenstorrent/0")


def test_has_none():
    assert not os.path.exists("/dev/tenstorrent/0")


@pytest.mark.tensix_card(product="n150")
def test_product(tensix_card):
    assert open("/sys/bus/pci/devices/0000:aa:00.0/device").read() == "0x401e\\n"


def test_body_fails(tensix_card):
    assert 1 + 1 == 3, "in the body"


def log(card):
    with open(os.path.join(card.folder, "log"), "a") as stream:
        stream.write("cycle 7: UndefinedBehavior: a thing (R1)\\n")


def test_finds(tensix_card):
    log(tensix_card)


@pytest.mark.tensix_card(findings="ignore")
def test_ignores(tensix_card):
    log(tensix_card)


def test_skips(tensix_card):
    pytest.skip("not here")
"""


def test_fixture(tmp_path):
    (tmp_path / "test_it.py").write_text(SUITE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
         "tensix.pytest_plugin", "-rA", "--strict-markers", str(tmp_path)],
        capture_output=True, text=True, timeout=600, check=False, cwd=tmp_path,
        env={**PLAIN, "PYTHONPATH": str(Path(tensix.card.__file__).parent.parent)})
    outcome = {line.split("::")[1].split()[0]: line.split()[0]
               for line in done.stdout.splitlines() if "test_it.py::" in line
               and line.split()[0] in ("PASSED", "FAILED")}
    assert outcome == {"test_has_a_card": "PASSED", "test_has_none": "PASSED",
                       "test_product": "PASSED", "test_body_fails": "FAILED",
                       "test_finds": "FAILED", "test_ignores": "PASSED"}, done.stdout
    assert "1 skipped" in done.stdout and "in the body" in done.stdout
    assert "the card has found 1 things" in done.stdout and "a thing (R1)" in done.stdout
