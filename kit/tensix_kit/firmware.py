# SPDX-License-Identifier: Apache-2.0
"""Which firmware a card may have: the kit takes tiles by the names that firmware gives them."""

import re

# The oldest bundles that tt-umd takes (0.9.14, firmware_utils.cpp), and the last major one of which
# anything is known.
OLDEST = {"bh": (18, 5, 0), "wh": (18, 3, 0)}
NEWEST_MAJOR = 19


def judged(device):
    """One sentence about the card's firmware, or None; and whether it is too old."""
    text = device.identity()["tt_fw_bundle_ver"]
    parts = re.fullmatch(r"(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:[.-].*)?", text or "", re.ASCII)
    if not parts:
        return "the card does not tell the version of its firmware", False
    version = tuple(int(part) for part in parts.groups())
    oldest = OLDEST[device.chip]
    if version < oldest:
        wanted = ".".join(map(str, oldest))
        return f"the firmware is {text}, older than {wanted}", True
    if version[0] > NEWEST_MAJOR:
        return f"the firmware is {text}, newer than any that the kit has met", False
    return None, False
