# SPDX-License-Identifier: Apache-2.0
"""A card as tt-kmd shows it: /dev/tenstorrent/N, its ioctls, windows onto tiles, files of sysfs.

Numbers and structures are those of tt-kmd's ioctl.h. Nothing here knows what a tile is for.
"""

import ctypes
import errno
import fcntl
import mmap
import os
import struct
from pathlib import Path

DEVICES = Path("/dev/tenstorrent")
MAGIC = 0xFA << 8
GET_DEVICE_INFO, GET_DRIVER_INFO, RESET_DEVICE, LOCK_CTL = 0, 5, 6, 8
ALLOCATE_TLB, FREE_TLB, CONFIGURE_TLB, SET_NOC_CLEANUP = 11, 12, 13, 14
LOCK_ACQUIRE, LOCK_RELEASE, LOCK_TEST = 0, 1, 2
LOCKS = 64
OUR_LOCK = 63  # hosts take theirs from 0 on
WINDOW = 2 << 20
CHIPS = {0xB140: "bh", 0x401E: "wh"}
PIDS = "/proc/driver/tenstorrent/{}/pids"
VENDOR = 0x1E52
STRICT = 1  # ordering of a window: each access after the other
PIECE = 64 << 10
RESET_CHIP = 2


class DeviceError(Exception):
    """The card cannot be used; the text is one sentence."""


class Device:
    """One card, opened for this process alone."""

    def __init__(self, number=0):
        self.number = number
        self.path = DEVICES / str(number)
        self.others = users(number)
        if self.others:
            raise DeviceError(
                f"{self.path} is in use by process "
                f"{', '.join(map(str, self.others))}: end it first"
            )
        try:
            self.file = os.open(self.path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise DeviceError(f"{self.path} cannot be opened: {error.strerror}") from None
        self.windows = []
        try:
            self._look()
            self._lock()
        except BaseException:
            self.close()
            raise

    def close(self):
        for window in self.windows:
            window.close()
        self.windows = []
        if self.file >= 0:
            os.close(self.file)
            self.file = -1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, number, data):
        """One ioctl on a buffer; returns the buffer as the driver leaves it."""
        buffer = bytearray(data)
        try:
            fcntl.ioctl(self.file, MAGIC | number, buffer)
        except OSError as error:
            raise DeviceError(f"ioctl {number} of {self.path}: {error.strerror}") from None
        return bytes(buffer)

    def _look(self):
        info = self.call(GET_DEVICE_INFO, struct.pack("<I20x", 20))
        _, _, vendor, device, _, board = struct.unpack_from("<II4H", info)
        if vendor != VENDOR or device not in CHIPS:
            raise DeviceError(f"{self.path} is {vendor:04x}:{device:04x}, no card the kit knows")
        self.chip = CHIPS[device]
        self.board = board
        driver = self.call(GET_DRIVER_INFO, struct.pack("<I12x", 12))
        version, major, minor, patch = struct.unpack_from("<I3B", driver, 8)
        self.driver = {"api": version, "version": f"{major}.{minor}.{patch}"}
        if version < 2:
            raise DeviceError(f"the driver has interface {version}; the kit needs 2")

    def lock(self, flags, index):
        answer = self.call(LOCK_CTL, struct.pack("<IIB3xB3x", 4, flags, index, 0))
        return answer[12]

    def _lock(self):
        for index in range(LOCKS):
            if self.lock(LOCK_TEST, index) & 2:
                raise DeviceError(f"{self.path}: another program holds lock {index} of the card")
        if self.lock(LOCK_ACQUIRE, OUR_LOCK) != 1:
            raise DeviceError(f"{self.path}: another copy of the kit holds the card")

    def cleanup(self, x, y, address, value):
        """The driver stores this word when the device is closed, however this process ends."""
        self.call(SET_NOC_CLEANUP, struct.pack("<II4B4xQQ", 32, 0, 1, x, y, 0, address, value))

    def no_cleanup(self):
        self.call(SET_NOC_CLEANUP, struct.pack("<II4B4xQQ", 32, 0, 0, 0, 0, 0, 0, 0))

    def reset(self):
        """Resets the whole card. Mappings of before are void."""
        self.call(RESET_DEVICE, struct.pack("<IIII", 8, RESET_CHIP, 0, 0))

    def window(self):
        window = Window(self)
        self.windows.append(window)
        return window

    def identity(self):
        """What the result file says of the card: chip, driver, firmware, clocks."""
        found = {"chip": self.chip, "board": f"{self.board:04x}", "driver": self.driver}
        if os.environ.get("TENSIX_CARD"):  # `tensix card` has started this
            found["emulated"] = "a simulator" if os.environ.get("TENSIX_CARD_DOOR") else "tensix"
        folder = Path(f"/sys/class/tenstorrent/tenstorrent!{self.number}")
        for name in (
            "tt_card_type",
            "tt_fw_bundle_ver",
            "tt_arc_fw_ver",
            "tt_m3app_fw_ver",
            "tt_aiclk",
            "tt_arcclk",
            "tt_axiclk",
            "tt_asic_id",
        ):
            try:
                found[name] = (folder / name).read_text(encoding="ascii").strip()[:64]
            except (OSError, UnicodeError):
                found[name] = None
        return found


class Window:
    """2 MiB of a tile's addresses."""

    def __init__(self, device):
        self.device = device
        out = device.call(ALLOCATE_TLB, struct.pack("<QQII3Q", WINDOW, 0, 0, 0, 0, 0, 0))
        self.id, _, uncached = struct.unpack_from("<IIQ", out, 16)
        self.memory = mmap.mmap(
            device.file, WINDOW, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE, offset=uncached
        )
        self.at = None

    def close(self):
        if self.memory is not None:
            self.memory.close()
            self.memory = None
            try:
                self.device.call(FREE_TLB, struct.pack("<I4x", self.id))
            except DeviceError:
                pass  # the card was reset meanwhile: the window is gone already

    def aim(self, x, y, address):
        """Points the window at the tile; returns the offset of the address in it."""
        base = address & ~(WINDOW - 1)
        if self.at != (x, y, base):
            self.device.call(
                CONFIGURE_TLB,
                struct.pack(
                    "<IIQ4H5B3x2IQ", self.id, 0, base, x, y, 0, 0, 0, 0, STRICT, 0, 0, 0, 0, 0
                ),
            )
            self.at = (x, y, base)
        return address - base

    def load(self, x, y, address):
        offset = self.aim(x, y, address)
        word = ctypes.c_uint32.from_buffer(self.memory, offset)
        value = word.value
        del word
        return value

    def store(self, x, y, address, value):
        offset = self.aim(x, y, address)
        word = ctypes.c_uint32.from_buffer(self.memory, offset)
        word.value = value
        del word

    def read(self, x, y, address, size):
        """Bytes of memory; address and size are multiples of 64."""
        offset = self.aim(x, y, address)
        return b"".join(
            self.memory[at : min(at + PIECE, offset + size)]
            for at in range(offset, offset + size, PIECE)
        )

    def write(self, x, y, address, data):
        offset = self.aim(x, y, address)
        for at in range(0, len(data), PIECE):
            piece = data[at : at + PIECE]
            self.memory[offset + at : offset + at + len(piece)] = piece


def cards():
    """Numbers of the cards of this machine."""
    try:
        return sorted(int(name) for name in os.listdir(DEVICES) if name.isdigit())
    except OSError as error:
        if error.errno == errno.ENOENT:
            return []
        raise DeviceError(f"{DEVICES}: {error.strerror}") from None


def users(number):
    """Processes that have the card open, as the driver tells, without this one."""
    try:
        text = Path(PIDS.format(number)).read_text(encoding="ascii")
    except (OSError, UnicodeError):
        return []
    return sorted({int(word) for word in text.split() if word.isdigit()} - {os.getpid()})
