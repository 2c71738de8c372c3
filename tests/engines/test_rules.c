/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every rule of isa/rules.def at every value, on every engine, on kernels in which it matters: each
 * value changes the reference engine's result, or its findings where a rule is about nothing else,
 * and the other engines give that result or refuse the kernel and say why. A new rule has no kernel
 * here and fails the test.
 */
#include "engines.h"

enum { WH = 1 << TX_WORMHOLE, BH = 1 << TX_BLACKHOLE, BOTH = WH | BH };

/* Blackhole: formats come from configuration, not from the unpackers. */
#define NO_IMPLIED \
    ".config DISABLE_IMPLIED_SRCA_FMT_Base, 1\n.config DISABLE_IMPLIED_SRCB_FMT_Base, 1\n"

/* Unpacker 0 with BF16 data, all zero by ZeroWrite2: L1 is not asked. To Dst: FP32 by default. */
#define UNPACK_BF16                                \
    ".config THCON_SEC0_REG0_TileDescriptor, 5\n"  \
    ".config THCON_SEC0_REG2_Out_data_format, 5\n" \
    ".config THCON_SEC0_REG2_Throttle_mode, 2\n"   \
    ".config THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1\n"
#define UNPACK_TO_DST ".config THCON_SEC0_REG2_Unpack_if_sel_cntx0, 1\n"

/*
 * Packers: BF16 to address 0x10000 and more, X from 0 to 15. What they have written there comes
 * back as random numbers: a word of L1 seeds the generators.
 */
#define PACKER                                           \
    ".dst bf16\n"                                        \
    ".config THCON_SEC0_REG1_Disable_zero_compress, 1\n" \
    ".config THCON_SEC0_REG1_In_data_format, 5\n"        \
    ".config THCON_SEC0_REG1_Out_data_format, 5\n"       \
    ".config ALU_FORMAT_SPEC_REG2_Dstacc, 5\n"           \
    ".config PCK_EDGE_OFFSET_SEC0_mask, 0xFFFF\n"        \
    ".config PCK0_ADDR_CTRL_XY_REG_0_Ystride, 32\n"      \
    ".config THCON_SEC0_REG1_L1_Dest_addr, 0xFFF\n"
#define FED_BACK(at, seed)       \
    "ttstallwait 0x20,8\n"       \
    "ttsetdmareg 0,0x1000,0,2\n" \
    "ttsetdmareg 0," at ",0,4\n" \
    "ttloadind 1,4,0,8,1\n"      \
    "ttstallwait 0x80,1\n"       \
    "ttwrcfg 8,0," seed "\n"     \
    "ttnop\n"                    \
    "sfpmov L0,L9,8\n"           \
    "sfpstore L0,0,2,3\n"
#define X15 "ttsetadcxx 4,15,0\n"

/* What the rule changes, and whether the fast engine does it. */
enum what { RESULTS, FINDINGS };

static const struct test_kernel {
    const char *rule;
    unsigned chips;
    enum what what;
    const char *refused;  /* part of the reason, of every value; NULL: it is not refused */
    const char *by_value; /* the same of the other values, where it differs */
    const char *text;
} kernels[] = {
    /* O-1: the word before the step, or behind it. */
    {"prng-result", BOTH, RESULTS, NULL, NULL,
     ".tile\n"
     "sfpmov L0,L9,8\n"
     "sfpstore L0,0,4,3\n"
     "sfpload L1,2,3,3\n"
     "sfpstochrnd L1,L1,L1,0,1,1\n"
     "sfpstore L1,2,3,3\n"},
    /* O-2: a finding about a draw too early; the word is the same. */
    {"prng-seed-wait", BOTH, FINDINGS, NULL, NULL,
     ".tile\n"
     ".setcfg PRNG_SEED_Seed_Val, 0x12345678\n"
     "sfpmov L0,L9,8\n"
     "sfpstore L0,0,4,3\n"},
    /* O-5: zeros only are enabled, which random data do not have; the template is SFPABS there. */
    {"backdoor-lanes", BOTH, RESULTS, "becomes a macro template", "rule backdoor-lanes=enabled",
     ".init\n"
     "sfpmov L12,L0,1\n"
     ".loadi L0, 0x00000004\nsfpconfig 4,0,0\n"
     ".loadi L0, 0\nsfpconfig 8,0,0\n"
     "sfpencc 3,10\n"
     ".tile\n"
     "sfpload L1,0,3,3\n"
     "sfpsetcc L1,0,6\n"
     "sfpabs L12,L0,1\n"
     "sfpencc 3,10\n"
     "sfploadmacro 0,L2,0,3,3\n"
     "sfpnop\nsfpnop\n"
     "sfpstore L2,0,3,3\n"},
    /* O-6: a captured load moves its counter, or does not. */
    {"backdoor-rwc", BOTH, RESULTS, "becomes a macro template", NULL,
     ".config ADDR_MOD_DST_SEC0_DestIncr, 8\n"
     ".tile\n"
     "sfpload L12,0,3,0\n"
     "sfpload L0,0,3,3\n"
     "sfpstore L0,4,3,3\n"},
    /* O-7: what follows the exchange meets the scheduled multiply-add in its second cycle. */
    {"swap-stall", WH, RESULTS, NULL, NULL,
     ".init\n"
     "sfpmad L13,L0,L0,L10,0\n"
     ".loadi L0, 0x00000500\nsfpconfig 4,0,0\n"
     "sfpconfig 8,0x0,1\n"
     "sfpnop\n"
     ".tile\n"
     ".loadi L0, float(3.0)\n"
     "sfploadmacro 0,L1,0,3,3\n"
     "sfpswap L4,L5,0\n"
     "sfpmov L2,L1,0\n"
     "sfpstore L2,0,3,3\n"},
    /* The same where L7 names the register that the exchange has, or not. */
    {"swap-stall", WH, RESULTS, NULL, "rule swap-stall=overlap",
     ".init\n"
     "sfpmad L13,L0,L0,L10,0\n"
     ".loadi L0, 0x00000500\nsfpconfig 4,0,0\n"
     "sfpconfig 8,0x0,1\n"
     "sfpnop\n"
     ".tile\n"
     ".loadi L0, float(3.0)\n"
     "sfpload L7,0,4,3\n"
     "sfploadmacro 0,L1,0,3,3\n"
     "sfpswap L4,L5,0\n"
     "sfpmov L2,L1,0\n"
     "sfpswap L4,L5,0\n"
     "sfpmad L3,L0,L2,L1,4\n"
     "sfpnop\n"
     "sfpadd L3,L3,L2,0\n"
     "sfpnop\n"
     "sfpstore L3,0,3,3\n"},
    /* R6: equal values show by their index registers only. */
    {"swap-tie", BOTH, RESULTS, NULL, NULL,
     ".init\n"
     "sfpconfig 15,6,1\n"
     ".tile\n"
     "sfpload L0,0,3,3\n"
     "sfpmov L1,L0,0\n"
     ".loadi L4, 11\n"
     ".loadi L5, 22\n"
     "sfpswap L0,L1,1\n"
     "sfpnop\n"
     "sfpstore L4,0,4,3\n"
     "sfpstore L5,2,4,3\n"},
    /* R10: no interlock sees that SFPSHFT2 reads L1; nor, on Wormhole, anything else. */
    {"early-read", BOTH, RESULTS, NULL, NULL,
     ".tile\n"
     "sfpload L0,0,3,3\n"
     "sfpmov L1,L0,1\n"
     "sfpmad L1,L0,L0,L10,0\n"
     "sfpshft2 L0,L0,0,0\n"
     "sfpstore L0,0,3,3\n"
     "sfpstore L1,2,3,3\n"},
    {"early-read", WH, RESULTS, NULL, NULL,
     ".tile\n"
     ".rept 2\n"
     "sfpload L0,0,3,3\n"
     "sfpload L2,2,3,3\n"
     "sfpmad L1,L0,L0,L10,0\n"
     "sfpmad L1,L1,L0,L2,0\n" /* reads one write early, and is one itself */
     "sfpstore L1,0,3,3\n"
     "sfpstore L1,2,3,3\n"
     ".endr\n"},
    /* R12: denormals in FP32 stores. */
    {"store-fp32", BOTH, RESULTS, NULL, NULL,
     ".tile\n"
     "sfpload L0,0,4,3\n"
     "sfpstore L0,0,3,3\n"},
    /* R4: predication toggled from how it was found. */
    {"reset-flags", BOTH, RESULTS, NULL, NULL,
     ".tile\n"
     "sfpload L0,0,3,3\n"
     "sfpencc 0,1\n"
     "sfpsetcc L0,0,0\n"
     "sfpmov L0,L10,0\n"
     "sfpencc 3,10\n"
     "sfpstore L0,0,3,3\n"},
    /* O-10: does the rotation into a register that cannot be written leave its operand behind? */
    {"shift-latch", WH, RESULTS, NULL, NULL,
     ".init\n"
     "sfpconfig 15,2,1\n"
     ".tile\n"
     "sfpload L0,0,3,3\n"
     "sfpload L1,2,3,3\n"
     "sfpshft2 L2,L0,0,3\nsfpnop\n"
     "sfpshft2 L12,L1,0,3\nsfpnop\n"
     "sfpshft2 L3,L0,0,4\nsfpnop\n"
     "sfpstore L3,0,3,3\n"
     "sfpshft2 L11,L1,0,3\nsfpnop\n" /* 11 does by both values */
     "sfpshft2 L3,L0,0,4\nsfpnop\n"
     "sfpstore L3,4,3,3\n"
     "sfpshft2 L2,L0,0,3\nsfpnop\n"
     "sfpshft2 L13,L1,0,3\nsfpnop\n"
     "sfpshft2 L3,L0,0,4\nsfpnop\n"
     "sfpstore L3,8,3,3\n"},
    /* O-17: a coefficient that is minus zero, and an addend. */
    {"lut16-zero", BOTH, RESULTS, NULL, NULL,
     ".tile\n"
     ".loadi L0, 0xFC00FC00\n.loadi L1, 0xFC00FC00\n.loadi L2, 0xFC00FC00\n"
     ".loadi L4, 0xFC00FC00\n.loadi L5, 0xFC00FC00\n.loadi L6, 0xFC00FC00\n"
     "sfpload L3,0,3,3\n"
     "sfplutfp32 L7,2\n"
     "sfpnop\n"
     "sfpstore L7,0,3,3\n"},
    /* E-SR-3: seen where the rest is the draw's upper part. It is: a draw is the one before it,
     * one bit further right. */
    {"stoch-compare", BOTH, RESULTS, NULL, NULL,
     ".tile\n"
     "sfpmov L0,L9,8\n"
     "sfpshft L0,L0,8,1\n"
     "sfpshft L0,L0,-19,1\n"
     "sfpsetexp L0,L0,127,1\n"
     "sfpstochrnd L2,L0,L0,0,0,1\n"
     "sfpstore L2,0,3,3\n"},
    /* O-19: a base that some say does not exist. */
    {"dest-regw", BOTH, RESULTS, NULL, NULL,
     ".tile\n"
     "sfpload L0,0,3,3\n"
     ".setcfg DEST_REGW_BASE_Base, 8\n"
     "sfpstore L0,4,3,3\n"
     ".setcfg DEST_REGW_BASE_Base, 0\n"},
    /* B-9: a format that only thread configuration has. */
    {"sfpu-dest-fmt", BH, RESULTS, NULL, NULL,
     ".dst bf16\n"
     ".tile\n"
     "ttsetc16 4,3\n" /* SFPU_DEST_FMT: Enable, Base 1 */
     "sfpload L0,0,0,3\n"
     "sfpstore L0,0,2,3\n"},
    /* M1: low mantissa bits of SrcB, whose format has none of them. */
    {"src-truncate", BH, RESULTS, "another unit", NULL,
     ".config ALU_FORMAT_SPEC_REG0_SrcA, 4\n"
     ".config ALU_FORMAT_SPEC_REG1_SrcB, 5\n"
     ".config ALU_ACC_CTRL_Fp32_enabled, 1\n" NO_IMPLIED ".tile\n"
     "ttsetdvalid 3\n"
     "ttmovd2b 0,0,0,2,0\n"
     "ttmovb2a 0,0,2,0\n"
     "ttmova2d 0,0,0,2,0\n"},
    /* M2: which row a move to the low half makes valid. */
    {"mov-low-valid", BOTH, RESULTS, "another unit", NULL,
     ".dst bf16\n"
     ".tile\n"
     ".word 0x10000008\n" /* ZEROACC of row 8 */
     "ttsetdvalid 3\n"
     "ttmova2d 1,0,0,0,8\n"
     "ttnop\nttnop\nttnop\n"
     "sfpload L0,8,2,3\n"
     "sfpstore L0,0,2,3\n"},
    /* M3: BF16 data and 32-bit Dst. */
    {"mov-fp32", BH, RESULTS, "another unit", NULL,
     ".config ALU_ACC_CTRL_Fp32_enabled, 1\n"
     ".config ALU_FORMAT_SPEC_REG0_SrcA, 5\n" NO_IMPLIED ".tile\n"
     "ttsetdvalid 3\n"
     "ttmovd2a 0,0,0,2,0\n"
     "ttmova2d 0,0,0,2,8\n"},
    /* M4: the format of SrcA's register, FP16, or the implied one of SrcB. */
    {"movd2b-format", BH, RESULTS, "another unit", NULL,
     ".dst bf16\n"
     ".config DISABLE_IMPLIED_SRCA_FMT_Base, 1\n"
     ".config ALU_FORMAT_SPEC_REG0_SrcA, 1\n"
     ".tile\n"
     "ttsetdvalid 3\n"
     "ttmovd2b 0,0,0,2,0\n"
     "ttmovb2d 0,0,0,4,0\n"},
    /* M6: SFPU_DEST_FMT, FP16, or what is recorded of a bank that is the unpacker's. */
    {"implied-unowned", BH, RESULTS, "another unit", NULL,
     ".dst bf16\n"
     ".config SFPU_DEST_FMT_Base, 1\n"
     ".tile\n"
     "ttmovd2a 0,0,0,2,0\n"
     "ttsetdvalid 3\n"
     "ttmova2d 0,0,0,2,0\n"},
    /* M7: SrcB with exponent 0 and a mantissa, as a factor. */
    {"zero-flag-math", BOTH, RESULTS, "another unit", NULL,
     ".dst bf16\n"
     ".config ALU_ACC_CTRL_Zero_Flag_disabled_src, 1\n"
     ".tile\n"
     "sfploadi L1,0x5500,2\n"
     "sfpstore L1,0,6,3\nsfpstore L1,2,6,3\nsfpstore L1,4,6,3\nsfpstore L1,6,6,3\n"
     "sfploadi L1,0x00C0,2\n"
     "sfpstore L1,8,6,3\nsfpstore L1,10,6,3\nsfpstore L1,12,6,3\nsfpstore L1,14,6,3\n"
     "ttmovd2b 0,0,0,2,0\nttmovd2b 0,4,0,2,4\n"
     "ttmovd2a 0,0,0,2,8\nttmovd2a 0,4,0,2,12\n"
     "ttsetdvalid 3\n"
     ".word 0x10180000\n" /* ZEROACC of everything */
     "ttelwmul 0,0,0,0,0\n"},
    /* M9: a phase in a sum. */
    {"elw-phase", BOTH, RESULTS, "another unit", NULL,
     ".dst bf16\n"
     ".config FIDELITY_BASE_Phase, 1\n"
     ".tile\n"
     "ttmovd2b 0,0,0,2,0\n"
     "ttmovd2a 0,0,0,2,8\n"
     "ttsetdvalid 3\n"
     "ttelwadd 0,0,0,0,0\n"},
    /* M12: the low half of 32-bit Dst. */
    {"movd2x-low", BH, RESULTS, "another unit", NULL,
     ".config ALU_ACC_CTRL_Fp32_enabled, 1\n"
     ".config ALU_FORMAT_SPEC_REG0_SrcA, 4\n" NO_IMPLIED ".tile\n"
     "ttmovd2b 1,0,0,2,0\n"
     "ttsetdvalid 3\n"
     "ttmovb2d 0,0,0,4,0\n"},
    /* M17: rows under Blackhole's address switches. */
    {"matrix-dst-rows", BH, RESULTS, "another unit", NULL,
     ".dst bf16\n"
     ".config DEST_ACCESS_CFG_remap_addrs, 1\n" NO_IMPLIED ".tile\n"
     "ttsetdvalid 3\n"
     "ttmova2d 0,0,0,2,8\n"},
    /* M20: a bit of SETRWC that one text names moves the stack pointer. */
    {"matrix-bits", BH, RESULTS, NULL, NULL,
     ".tile\n"
     "ttsetrwc 0,0,0,0,2,16\n"
     "sfpload L0,0,3,0\n"
     "ttsetrwc 0,0,0,0,0,16\n"
     "sfpstore L0,4,3,0\n"},
    /* U2: a burst of zeros from row 15 of SrcA on leaves row 16 as it was, or not. */
    {"unpack-burst", BH, RESULTS, "another unit", NULL,
     ".dst bf16\n" UNPACK_BF16 ".config THCON_SEC0_REG5_Dest_cntx0_address, 176\n"
     ".config SRCA_SET_SetOvrdWithAddr, 1\n" NO_IMPLIED ".tile\n"
     "ttmovd2a 0,16,0,2,0\n"
     "ttsetadcxx 1,255,0\n"
     ".word 0x420001D1\n"
     "ttmova2d 0,16,0,2,8\n"},
    {"unpack-burst", WH, RESULTS, "another unit", NULL,
     ".dst bf16\n" UNPACK_BF16 ".config THCON_SEC0_REG5_Dest_cntx0_address, 176\n"
     ".config SRCA_SET_SetOvrdWithAddr, 1\n"
     ".tile\n"
     "ttmovd2a 0,16,0,2,0\n"
     "ttsetadcxx 1,255,0\n"
     ".word 0x420001D1\n"
     "ttmova2d 0,16,0,2,8\n"},
    /* U5: row 64 of Dst, or row 0, becomes zero. */
    {"unpack-dstrow", BOTH, RESULTS, "another unit", NULL,
     ".dst bf16\n" UNPACK_BF16 UNPACK_TO_DST ".config THCON_SEC0_REG5_Dest_cntx0_address, 1088\n"
     ".config SRCA_SET_SetOvrdWithAddr, 1\n"
     ".tile\n"
     "ttsetadcxx 1,15,0\n"
     ".word 0x42000191\n"},
    /* U6: from X 16 to X 0 nothing becomes zero, or very much. */
    {"unpack-count", BOTH, RESULTS, "another unit", NULL,
     ".dst bf16\n" UNPACK_BF16 UNPACK_TO_DST ".config THCON_SEC0_REG5_Dest_cntx0_address, 64\n"
     ".tile\n"
     "ttsetadcxx 1,0,16\n"
     ".word 0x42000191\n"
     "ttnop\n"
     "ttsetadcxx 1,15,0\n"
     ".word 0x42000191\n"},
    /* U8: one datum by the counters of thread 0, or sixteen by those of the own thread. */
    {"unpack-xy", BOTH, RESULTS, "another unit", NULL,
     ".dst bf16\n" UNPACK_BF16 UNPACK_TO_DST ".config THCON_SEC0_REG5_Dest_cntx0_address, 64\n"
     ".tile\n"
     "ttsetadcxx 1,15,0\n"
     ".word 0x42000091\n"},
    /* U11: the second clear, to minus infinity, finds the first one's bank or the other. */
    {"unpack-clear-give", WH, RESULTS, "another unit", NULL,
     ".dst bf16\n"
     ".tile\n"
     ".word 0x43000041\n"
     ".word 0x43000015\n"
     "ttnop\nttnop\nttnop\nttnop\n"
     "ttmovdbga2d 0,0,0,2,0\n"},
    /* U13: every fourth cell, or every third. */
    {"unpack-upsample", BOTH, RESULTS, "another unit", NULL,
     ".dst bf16\n" UNPACK_BF16 UNPACK_TO_DST ".config THCON_SEC0_REG5_Dest_cntx0_address, 64\n"
     ".config THCON_SEC0_REG2_Upsample_rate, 2\n"
     ".config THCON_SEC0_REG2_Upsample_and_interleave, 1\n"
     ".tile\n"
     "ttsetadcxx 1,15,0\n"
     ".word 0x42000191\n"},
    /* U25: the load comes behind the first unpack where the third one waits for it. */
    {"unpack-queue", BOTH, RESULTS, "another unit", NULL,
     UNPACK_TO_DST ".config THCON_SEC0_REG5_Dest_cntx0_address, 64\n"
                   ".config THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1\n"
                   ".tile\n"
                   "ttsetadcxx 1,255,0\n"
                   ".word 0x42000191\n"
                   ".word 0x42000191\n"
                   ".word 0x42000191\n"
                   "sfpload L0,0,3,3\n"
                   "sfpstore L0,32,3,3\n"},
    /* The same where it comes in the middle of 16 cycles, or after 8. */
    {"unpack-wide", BH, RESULTS, "another unit", NULL,
     UNPACK_TO_DST ".config THCON_SEC0_REG5_Dest_cntx0_address, 64\n"
                   ".config THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1\n"
                   ".tile\n"
                   "ttsetadcxx 1,255,0\n"
                   ".word 0x42000191\n"
                   ".rept 11\nttnop\n.endr\n"
                   "sfpload L0,0,3,3\n"
                   "sfpstore L0,32,3,3\n"},
    /* P1: Z is 256, in rows of two bytes a step: row 16, or row 0. */
    {"pack-zw-width", BH, RESULTS, "memory or units", NULL,
     PACKER ".config PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 2\n"
            ".tile\n" X15 "ttsetadc 4,0,2,256\n"
            ".word 0x41000101\n" FED_BACK("0", "186")},
    /* P2: interface 0 at row 1. */
    {"pack-rows", BH, RESULTS, "memory or units", NULL,
     PACKER ".tile\n" X15 "ttsetadc 4,0,1,1\n"
            ".word 0x41000101\n" FED_BACK("0", "186")},
    /* P9: a plane of one row; four rows of an instruction are tile rows 0 to 3, or 0 each. */
    {"pack-tile-row", BH, RESULTS, "memory or units", NULL,
     PACKER ".config TILE_ROW_SET_MAPPING_0_row_set_mapping_1, 1\n"
            ".config PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1\n"
            ".tile\n" X15 ".word 0x41000001\n" FED_BACK("0x20", "186")},
    /* P10: is the row behind a Last tile row 0 or 1? The latter is masked. */
    {"pack-tile-reset", BH, RESULTS, "memory or units", NULL,
     PACKER ".config TILE_ROW_SET_MAPPING_0_row_set_mapping_1, 1\n"
            ".tile\n" X15 ".word 0x41000101\n.word 0x41000101\n" FED_BACK("0", "186")},
    {"pack-tile-reset", WH, RESULTS, "memory or units", NULL,
     PACKER ".config TILE_ROW_SET_MAPPING_0_row_set_mapping_1, 1\n"
            ".tile\n" X15 ".word 0x41000101\n.word 0x41000101\n" FED_BACK("0", "164")},
    /* P11: a threshold that nothing passes. */
    {"pack-threshold", BH, RESULTS, "memory or units", NULL,
     PACKER ".config THCON_SEC0_REG1_Exp_threshold_en, 1\n"
            ".config THCON_SEC0_REG1_Exp_threshold, 255\n"
            ".tile\n" X15 ".word 0x41000101\n" FED_BACK("0", "186")},
    {"pack-threshold", WH, RESULTS, "memory or units", NULL,
     PACKER ".config THCON_SEC0_REG1_Exp_threshold_en, 1\n"
            ".config THCON_SEC0_REG1_Exp_threshold, 255\n"
            ".tile\n" X15 ".word 0x41000101\n" FED_BACK("0", "164")},
    /* P15: an offset of 0x40000 bytes, which 18 bits make 0. */
    {"pack-yzw-width", BH, RESULTS, "memory or units", NULL,
     PACKER ".config PCK0_ADDR_CTRL_XY_REG_1_Ystride, 0x8000\n"
            ".tile\n" X15 "ttsetadc 4,1,1,8\n"
            ".word 0x41000101\n" FED_BACK("0", "186")},
    /* P16: eight bytes, and no Last. */
    {"pack-tail", BH, RESULTS, "memory or units", NULL,
     PACKER ".tile\nttsetadcxx 4,3,0\n"
            ".word 0x41000100\n" FED_BACK("0", "186")},
    {"pack-tail", WH, RESULTS, "memory or units", NULL,
     PACKER ".tile\nttsetadcxx 4,3,0\n"
            ".word 0x41000100\n" FED_BACK("0", "164")},
    /* T-7: as tests/pipe/test_macro.c has the readings. L2 is what Simple has done by cycle 8. */
    {"macro-delay", BOTH, RESULTS, NULL, NULL,
     ".init\n"
     "sfpmov L12,L0,1\n"
     "sfpmad L13,L0,L0,L10,0\n"
     ".loadi L0, 0x2B002514\nsfpconfig 4,0,0\n"
     "sfpconfig 8,0x103,1\n"
     "sfpnop\n"
     ".tile\n"
     ".loadi L0, float(3.0)\n"
     "sfpmov L2,L9,0\n"
     "sfploadmacro 0,L1,0,3,3\n"
     "ttnop\nttnop\n"
     "sfpnop\n"
     "ttnop\nttnop\n"
     "sfpnop\n"
     "ttnop\n"
     "sfpmov L2,L1,0\n"
     "ttnop\nttnop\n"
     "sfpnop\nsfpnop\nsfpnop\nsfpnop\n"
     "sfpstore L2,2,3,3\n"
     "sfpstore L1,4,3,3\n"},
    /* E-FORGET: the second launch has nothing for Simple, in the cycle of the first one's. */
    {"macro-forget", BOTH, RESULTS, NULL, NULL,
     ".init\n"
     "sfpmov L12,L0,1\n"
     ".loadi L0, 0x0000000C\nsfpconfig 4,0,0\n"
     ".loadi L0, 0x00000000\nsfpconfig 5,0,0\n"
     "sfpconfig 8,0x003,1\n"
     "sfpnop\n"
     ".tile\n"
     "sfploadmacro 0,L1,0,3,3\n"
     "sfploadmacro 1,L2,2,3,3\n"
     "sfpnop\nsfpnop\n"
     "sfpstore L1,0,3,3\n"},
};

enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* Else what is not the default, on Blackhole: a compiler takes half a second a kernel. */
static bool compile_both;

static void check_reason(const struct test_kernel *k, unsigned value, const char *reason)
{
    const char *want = value != 0 && k->by_value != NULL ? k->by_value : k->refused;
    if ((want == NULL) != (reason == NULL) || (want != NULL && strstr(reason, want) == NULL)) {
        fail_msg("%s, value %u: refused for '%s', expected '%s'", k->rule, value,
                 reason != NULL ? reason : "nothing", want != NULL ? want : "nothing");
    }
}

/* All values of one rule on one kernel. */
static void check_kernel(const struct test_kernel *k, const struct tx_rule *rule, enum tx_arch arch)
{
    struct subject *of[4] = {NULL};
    for (unsigned v = 0; v < 4 && rule->values[v] != NULL; v++) {
        char name[64];
        snprintf(name, sizeof name, "%s=%s", rule->name, rule->values[v]);
        of[v] = subject_open(rule->name, k->text, arch, name, 1);
        of[v]->name = name;
        subject_reference(of[v]);
        check_reason(k, v,
                     subject_engines(of[v], compile_both || (v != 0 && arch == TX_BLACKHOLE)));
        for (unsigned w = 0; w < v; w++) {
            const bool same = memcmp(of[w]->want, of[v]->want, sizeof of[v]->want) == 0;
            if (k->what == FINDINGS ? !same || of[w]->findings == of[v]->findings : same) {
                fail_msg("%s on %s does not matter: it is as %s", name, tx_arch_name(arch),
                         rule->values[w]);
            }
        }
    }
    for (unsigned v = 0; v < 4 && of[v] != NULL; v++) {
        subject_close(of[v]);
    }
}

static void test_every_rule(void **state)
{
    const struct tx_rule *rule;
    (void)state;
    for (size_t i = 0; (rule = tx_rule_at(i)) != NULL; i++) {
        unsigned chips = 0;
        for (size_t k = 0; k < KERNELS; k++) {
            for (enum tx_arch arch = TX_WORMHOLE; arch <= TX_BLACKHOLE; arch++) {
                if (strcmp(kernels[k].rule, rule->name) == 0 &&
                    (kernels[k].chips >> arch & 1) != 0) {
                    check_kernel(&kernels[k], rule, arch);
                    chips |= 1u << arch;
                }
            }
        }
        if (chips == 0) {
            fail_msg("rule %s has no kernel here", rule->name);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_rule)};
    compile_both = argc > 1 && strcmp(argv[1], "all") == 0;
    return cmocka_run_group_tests(tests, subject_begin, subject_end);
}
