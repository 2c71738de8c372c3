# SPDX-License-Identifier: Apache-2.0
"""Every bfloat16 number through a kernel, against exp rounded correctly: sweep.py KERNEL [MOST]."""
import sys

import tensix

most = int(sys.argv[2]) if len(sys.argv) > 2 else sys.maxsize  # inputs after which it is cancelled
try:
    done = tensix.sweep(sys.argv[1], "bf16", "exp", arch="blackhole", jobs=0,
                        progress=lambda inputs, total: inputs < most)
    print(f"{done.count} inputs, {done.exact} exact, at most {done.max_ulp:g} ULP")
except tensix.Cancelled as end:
    print(f"cancelled: {end}")
