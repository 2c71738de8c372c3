# SPDX-License-Identifier: Apache-2.0
"""Conformance vectors of the Matrix Unit, the unpackers and the packers on numbers of every kind.
As those of the Vector Unit they have no answers of their own."""

import random

from .base import Question
from .vectors import number

FP32, FP16, TF32, BF16, BFP8, BFP4, INT8 = 0, 1, 4, 5, 6, 7, 14
NAMES = {
    FP32: "fp32",
    FP16: "fp16",
    TF32: "tf32",
    BF16: "bf16",
    BFP8: "bfp8",
    BFP4: "bfp4",
    INT8: "int8",
}
EMPTY = 0xA5A5A5A5
OUT, OUT_WORDS = 0x1E000, 256


def data_of(name, kind=None):
    random_ = random.Random(name)
    return [
        number(random_, random_.choice((0, 1, 1, 2, 2, 4)) if kind is None else kind)
        for _ in range(1024)
    ]


def explicit(chip):
    """Blackhole: formats are those of the configuration."""
    if not chip.blackhole:
        return {}
    return {"DISABLE_IMPLIED_SRCA_FMT_Base": 1, "DISABLE_IMPLIED_SRCB_FMT_Base": 1}


def around(chip, name, kind, middle, into=True):
    """Dst has data of that kind, plain configuration; middle; Dst comes out."""

    def ask(batch):
        batch.plain()
        batch.step()
        if into:
            batch.into_dst(data_of(name, kind))
            batch.step()
            batch.plain()
            batch.step()
        middle(batch)
        batch.step()
        batch.plain()
        batch.step()
        batch.out_of_dst()

    return ask


def matrix(chip):
    op = chip.op
    four = [op("MOVD2B", src=4 * n, instr_mod=2, dst=4 * n) for n in range(4)]
    more = [op("MOVD2A", src=4 * n, instr_mod=2, dst=16 + 4 * n) for n in range(4)]
    banks = chip.instructions["SETDVALID"][1][0][0]
    valid = op("SETDVALID", **{banks: 3})
    operations = {
        "elwmul": op("ELWMUL", dst=32),
        "elwadd": op("ELWADD", dst=32),
        "elwsub": op("ELWSUB", dst=32),
        "elwmul-more": op("ELWMUL", dst=0),
        "elwadd-accumulate": op("ELWADD", dst=32, dest_accum_en=1),
        "mvmul": op("MVMUL", dst=32),
        "dotpv": op("DOTPV", dst=32),
        "gapool": op("GAPOOL", dst=32),
        "gmpool": op("GMPOOL", dst=32),
    }
    for name, word in operations.items():
        for fmt in (BF16, TF32, FP16):
            for wide in (0, 1):
                for phase in (range(4) if name in ("elwmul", "mvmul") else (0,)):
                    full = f"matrix/op/{name}/{NAMES[fmt]}-{'32' if wide else '16'}-{phase}"

                    def middle(batch, word=word, fmt=fmt, wide=wide, phase=phase):
                        batch.config(
                            1,
                            ALU_FORMAT_SPEC_REG0_SrcA=fmt,
                            ALU_FORMAT_SPEC_REG1_SrcB=fmt,
                            ALU_ACC_CTRL_Fp32_enabled=wide,
                            **({"FIDELITY_BASE_Phase": phase} if phase else {}),
                            **explicit(chip),
                        )
                        batch.push(1, op("SETRWC", BitMask=15), four, more, valid, word)

                    kind = 2 if fmt == FP16 else None
                    yield Question(
                        full,
                        "matrix unit",
                        f"{name}, {NAMES[fmt]}, phase {phase}",
                        around(chip, full, kind, middle),
                        lambda _, tile: list(tile[:512]),
                        danger=1,
                    )


def unpack(chip):
    """From L1 to Dst: what the unpacker makes of formats."""
    pairs = (
        (FP32, FP32),
        (FP32, BF16),
        (FP32, FP16),
        (BF16, BF16),
        (BF16, FP32),
        (FP16, FP16),
        (FP16, BF16),
        (BFP8, BF16),
        (BFP4, BF16),
        (BFP8, BFP8),
        (INT8, INT8),
    )
    for source, target in pairs:
        name = f"unpack/format/{NAMES[source]}-{NAMES[target]}"

        def middle(batch, source=source, target=target, name=name):
            address = batch.input(data_of(name, 4 if source in (BFP8, BFP4, INT8) else None))
            batch.push(0, chip.frame["init0"])
            batch.config(
                0,
                THCON_SEC0_REG3_Base_address=address // 16 - 1,
                THCON_SEC0_REG0_TileDescriptor=0x10 | source,
                THCON_SEC0_REG2_Out_data_format=target,
            )
            batch.push(0, chip.frame["tile0"][:4])

        yield Question(
            name,
            "unpackers",
            f"{NAMES[source]} in L1 to {NAMES[target]} in Dst",
            around(chip, name, None, middle, into=False),
            lambda _, tile: list(tile[:256]),
            danger=1,
        )


def pack(chip):
    """From Dst to L1: what the packer makes of formats, and of thresholds and ReLU."""
    op = chip.op
    pairs = (
        (FP32, FP32),
        (FP32, BF16),
        (FP32, FP16),
        (FP32, BFP8),
        (BF16, BF16),
        (BF16, FP16),
        (BF16, BFP8),
        (BF16, FP32),
        (FP16, FP16),
        (FP16, BF16),
    )
    extras = {
        "": {},
        "relu": {"STACC_RELU_ApplyRelu": 1},
        "relu-max": {"STACC_RELU_ApplyRelu": 2, "STACC_RELU_ReluThreshold": 0x4000},
    }
    for source, target in pairs:
        for extra, config in extras.items():
            if extra and (source, target) not in ((FP32, FP32), (BF16, BF16), (FP32, BF16)):
                continue
            name = f"pack/format/{NAMES[source]}-{NAMES[target]}{'-' + extra if extra else ''}"

            def middle(batch, source=source, target=target, config=config):
                for n in range(OUT_WORDS):
                    batch.store(1, OUT + 4 * n, EMPTY)
                batch.step()
                batch.push(2, chip.frame["init2"])
                batch.config(
                    2,
                    THCON_SEC0_REG1_In_data_format=source,
                    THCON_SEC0_REG1_Out_data_format=target,
                    ALU_FORMAT_SPEC_REG2_Dstacc=source,
                    PCK_DEST_RD_CTRL_Read_32b_data=int(source == FP32),
                    THCON_SEC0_REG1_L1_Dest_addr=0x80000000 | (OUT // 16 - 1),
                    PCK0_ADDR_CTRL_XY_REG_0_Ystride=64 if source == FP32 else 32,
                )
                if target in (BFP8, BFP4):
                    batch.config(2, THCON_SEC0_REG1_Exp_section_size=4)
                for field, value in config.items():
                    batch.config(2, **{field: value})
                # Sixteen rows, a row an instruction on Wormhole's first packer, four on Blackhole.
                if chip.blackhole:
                    batch.push(
                        2,
                        op("SETADCXX", CntSetMask=4, x_end2=15),
                        [op("PACR")] * 3,
                        op("PACR", AddrMode=1, Last=1),
                    )
                else:
                    batch.push(
                        2,
                        op("SETADCXX", CntSetMask=4, x_end2=255),
                        op("PACR", AddrMode=1, PackSel=1, Last=1),
                    )
                batch.step()
                batch.copy(1, OUT, OUT_WORDS)

            yield Question(
                name,
                "packers",
                f"{NAMES[source]} in Dst to {NAMES[target]} in L1",
                around(chip, name, 2 if FP16 in (source, target) else None, middle),
                lambda words, _: words,
                danger=1,
            )


def questions(chip):
    yield from matrix(chip)
    yield from unpack(chip)
    yield from pack(chip)
