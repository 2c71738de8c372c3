# SPDX-License-Identifier: Apache-2.0
"""One parameterisation of a kernel header: what its author writes, and what is right."""

from dataclasses import dataclass, field
from typing import Callable, Optional

APPROXIMATE = (0.06, 0.06)  # relative, absolute: what the vendor's own tests allow (atol, rtol)


@dataclass
class Row:
    header: str
    name: str
    init: str  # statements
    tile: str
    ins: list
    ref: Callable  # of one element, or with whole=True of tiles: values, tests, None: not judged
    dst: str = "fp32"
    out_dst: Optional[str] = None
    tol: Optional[tuple] = None  # None: bit for bit
    out: int = 0
    chips: str = "bh wh"
    whole: bool = False
    macro: bool = False  # the source has a form without SFPLOADMACRO
    spill: bool = False  # the vendor's words need --spill
    run: list = field(default_factory=list)  # more options of tensix run
    view: Optional[Callable] = None  # what of a result's bits counts
    why: str = ""  # a miss that is the vendor's: a sentence
    plain_why: str = ""  # another Dst, or a miss, without SFPLOADMACRO: a sentence


def yes(flag):
    return "true" if flag else "false"


def init(kind, op="unused", *more):
    statements = [f"_llk_math_eltwise_{kind}_sfpu_init_<SfpuType::{op}>()"]
    return "; ".join(statements + [m for m in more if m]) + ";"


def unary(function, *args, mode="RC"):
    rest = "".join(f", {a}" for a in args)
    return (
        f"_llk_math_eltwise_unary_sfpu_params_<false>({function}, 0, "
        f"(int)VectorMode::{mode}{rest});"
    )


def binary(function, out=0, in1=1, in0=0, mode="RC"):
    return (
        f"_llk_math_eltwise_binary_sfpu_params_<false>({function}, {in0}, {in1}, {out}, "
        f"(int)VectorMode::{mode});"
    )


def ternary(function, out=0):
    return (
        f"_llk_math_eltwise_ternary_sfpu_params_<false>({function}, 0, 1, 2, {out}, "
        "(int)VectorMode::RC);"
    )
