# SPDX-License-Identifier: Apache-2.0
"""Asks a Tenstorrent card what documents leave open, and compares with the emulator's readings."""

VERSION = "0.1.0"
