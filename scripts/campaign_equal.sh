#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The fast engine against the reference engine over whole domains: campaign_equal.sh ARCH WHAT.
# all: 2^32 inputs of four kernels, one with SFPLOADMACRO. bf16, some: every BF16 input, and 2^26
# FP32 inputs 64 apart, of every example kernel. SHARD=i/n does a part; it goes on where it stopped.
set -euo pipefail
cd "$(dirname "$0")/.."
kernels=examples/kernels
case $2 in
all) set -- "$1" "$2" 0 1 $kernels/macro/recip_fp32.s $kernels/{exp,tanh,sqrt}.s ;;
bf16) set -- "$1" "$2" 0 65536 $kernels/*.s $kernels/macro/*.s ;;
some) set -- "$1" "$2" 37 64 $kernels/*.s $kernels/macro/*.s ;;
*) exit 2 ;;
esac
arch=$1 what=$2 first=$3 stride=$4
shift 4
shard=${SHARD:-0/1}
mkdir -p "$BUILD/campaign"
exec "$BUILD/tests/engines/campaign_equal" "$arch" "$first" "$stride" "$shard" \
    "$BUILD/campaign/equal-$what-$arch-${shard/\//-}.state" "$@"
