#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_neon.sh PROGRAM ARGUMENT...: a program of tests/engines on 64-bit Arm, under qemu.
set -euo pipefail
cd "$(dirname "$0")/.."
TX_SOURCE_DIR=$PWD TX_BINARY_DIR=$BUILD CMAKE=cmake bash tests/engines/neon.sh "$@"
