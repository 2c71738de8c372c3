/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text to words and back. Input: the vendor's disassembly syntax (sfpmad L4,L1,L2,L3,0), the macro
 * syntax (TTI_SFPMAD(p_sfpu::LREG1, ...), TT_OP_...), raw hex words, and gas-like directives.
 * docs/assembler.md is the manual.
 */
#ifndef TENSIX_ASM_H
#define TENSIX_ASM_H

#include <tensix/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where and why text was refused. line and column count from 1; 0 where there is none. */
struct tx_diag {
    unsigned line, column, length;
    char message[200];
    char source[200]; /* the line itself, for the caret */
    char file[192];   /* the file that line belongs to, of .include; "" the text itself */
};

/*
 * What stands in Dst. Integers are two's complement, as the vendor's kernels on integers have them
 * by default; _SM: sign and magnitude, which is what the hardware converts. INT8 and UINT8 exist
 * as sign and magnitude only. UINT16_DST32: 16 bits in the upper halves of a 32-bit Dst, with bit
 * 11 of DBG_FEATURE_DISABLE set, as tt-llk has UInt16 with FP32 Dst.
 */
enum tx_dst_format {
    TX_DST_FORMAT_UNSET = 0,
    TX_DST_FORMAT_FP32,
    TX_DST_FORMAT_BF16,
    TX_DST_FORMAT_FP16,
    TX_DST_FORMAT_INT32,
    TX_DST_FORMAT_INT16,
    TX_DST_FORMAT_INT8,
    TX_DST_FORMAT_UINT32,
    TX_DST_FORMAT_UINT16,
    TX_DST_FORMAT_UINT8,
    TX_DST_FORMAT_INT32_SM,
    TX_DST_FORMAT_INT16_SM,
    TX_DST_FORMAT_UINT16_DST32,
    TX_DST_FORMAT_COUNT
};
TX_API const char *tx_dst_format_name(enum tx_dst_format format);
/* "two's complement", "sign and magnitude", "unsigned"; "" for floats. */
TX_API const char *tx_dst_encoding_name(enum tx_dst_format format);
TX_API enum tx_status tx_dst_format_parse(const char *text, enum tx_dst_format *format);

/* Which state a kernel takes for granted: docs/kernels.md. */
enum tx_start {
    TX_START_UNSET = 0,
    TX_START_RESET, /* as at power on (R4): predication off, address modifiers zero */
    TX_START_VENDOR /* as tt-llk's start and init code leave it (isa/start.def) */
};
TX_API const char *tx_start_name(enum tx_start start);
TX_API enum tx_status tx_start_parse(const char *text, enum tx_start *start);

enum { TX_SECTION_INIT = 0, TX_SECTION_TILE = 1, TX_SECTIONS = 2 };
enum { TX_SOURCE_FILES = 15, TX_SOURCE_NAME = 192 }; /* of .file and .include */

/*
 * What .include asks for, and the answer. name: as the text has it; from: the path of the file that
 * asks, "" where it is the text itself. TX_OK: text of length bytes, which stays the caller's and
 * lasts until tx_assemble returns, and path, what errors and words call the file (.include in that
 * file gives it as from). Any other status: message says why not, one sentence.
 */
struct tx_include {
    const char *name, *from;
    const char *text;
    size_t length;
    char path[192];
    char message[160];
};
typedef enum tx_status tx_include_fn(void *user, struct tx_include *include);

/* A kernel or a bare list of words, freed by tx_program_free. */
typedef struct tx_program tx_program;

TX_API enum tx_arch tx_program_arch(const tx_program *program); /* from .arch or the options */
/* From .dst, .out (as what the result is read; unset: as dst) and .start; UNSET where absent. */
TX_API enum tx_dst_format tx_program_dst(const tx_program *program);
TX_API enum tx_dst_format tx_program_out(const tx_program *program);
TX_API enum tx_start tx_program_start(const tx_program *program);
/* As if .start said so. TX_EINVAL: no such state. */
TX_API enum tx_status tx_program_set_start(tx_program *program, enum tx_start start);
TX_API unsigned tx_program_inputs(const tx_program *program); /* .inputs; input i is Dst tile i */
TX_API unsigned tx_program_output(const tx_program *program); /* .output: Dst tile of the result */
/* From .fpu: Dst rows the Matrix Unit wrote just before .tile. */
TX_API unsigned tx_program_fpu_first(const tx_program *program);
TX_API unsigned tx_program_fpu_rows(const tx_program *program);
TX_API const char *tx_program_reference(const tx_program *program); /* what it computes, or "" */
TX_API const char *tx_program_title(const tx_program *program);     /* or "" */
TX_API bool tx_program_threaded(const tx_program *program); /* some word has a .thread: three run */

/* The words of a section; those outside .init and .tile are in TX_SECTION_TILE. */
TX_API size_t tx_program_count(const tx_program *program, unsigned section);
TX_API const uint32_t *tx_program_words(const tx_program *program, unsigned section);
/* Of each of them: its source line, and the file of that: 0 the text itself, else of .file or
 * .include. */
TX_API const uint32_t *tx_program_lines(const tx_program *program, unsigned section);
TX_API const uint8_t *tx_program_files(const tx_program *program, unsigned section);
/* .thread of each word; TX_THREADS: of the thread that runs the kernel. */
TX_API const uint8_t *tx_program_threads(const tx_program *program, unsigned section);
/* From .file FILE or .include, counted from 1; "" where not given, NULL for the text itself. */
TX_API const char *tx_program_source(const tx_program *program, unsigned file);
/* From .mop of a thread; TX_THREADS: of the thread that runs the kernel. The nine words of MopCfg,
 * and which of them were stated, a bit per word. */
TX_API const uint32_t *tx_program_mop(const tx_program *program, unsigned thread);
TX_API unsigned tx_program_mop_given(const tx_program *program, unsigned thread);
/* From .config NAME, VALUE, in order. */
TX_API unsigned tx_program_config_count(const tx_program *program);
TX_API const char *tx_program_config_name(const tx_program *program, unsigned index);
TX_API uint32_t tx_program_config_value(const tx_program *program, unsigned index);

/*
 * Constants of .free, which a search may choose. NAME stands for the pattern of its format: fp32,
 * bf16, fp16 as SFPLOADI takes them, lut8 and lut16 as SFPLUT and SFPLUTFP32 do; int is a number.
 */
enum tx_free_kind {
    TX_FREE_FP32,
    TX_FREE_BF16,
    TX_FREE_FP16,
    TX_FREE_LUT8,  /* sign, three bits e, four bits m: (1 + m/16) 2^-e; FF is zero */
    TX_FREE_LUT16, /* as FP16, but that exponent 31 is zero, and 0 is 2^-15 */
    TX_FREE_INT,
    TX_FREE_KINDS
};
enum { TX_FREE_NAME = 32, TX_FREE_MOST = 64 };

/* Does not grow. */
struct tx_free_constant {
    char name[TX_FREE_NAME];
    enum tx_free_kind kind;
    uint32_t bits;            /* the pattern */
    int64_t order, low, high; /* its number, and the range of numbers that it is to have */
    unsigned line;
    size_t offset, length; /* where the value stands in the text, "float(0.5)" */
};

TX_API unsigned tx_program_free_count(const tx_program *program);
/* NULL past the end. */
TX_API const struct tx_free_constant *tx_program_free_constant(const tx_program *program,
                                                               unsigned index);
/* "fp32"; NULL past the end. */
TX_API const char *tx_free_kind_name(enum tx_free_kind kind);
/*
 * The values of a format numbered from below to above, neighbours by neighbours, 0 is zero; there
 * are no denormals. Of int it is the value. A number beyond the limits counts as the limit.
 */
TX_API int64_t tx_free_order(enum tx_free_kind kind, uint32_t bits);
TX_API uint32_t tx_free_bits(enum tx_free_kind kind, int64_t order);
TX_API void tx_free_limits(enum tx_free_kind kind, int64_t *low, int64_t *high);
/* The FP32 pattern of the value; of int the value itself. */
TX_API uint32_t tx_free_fp32(enum tx_free_kind kind, uint32_t bits);

struct tx_asm_options {
    enum tx_arch arch;      /* TX_ARCH_NONE: the text must say .arch */
    bool force_arch;        /* arch wins over .arch */
    bool ttinsn;            /* hex words in the text are rotated as in a RISC-V stream */
    bool hex;               /* the text is a list of hex words, one a line, # comments */
    uint8_t reserved;       /* zero */
    tx_include_fn *include; /* for .include; NULL: there is nothing to include */
    void *include_user;
};

/* On failure *out is NULL and *diag says where. */
TX_API enum tx_status tx_assemble_sized(const char *text, size_t length,
                                        const struct tx_asm_options *options, size_t options_size,
                                        struct tx_program **out, struct tx_diag *diag,
                                        size_t diag_size);
static inline enum tx_status tx_assemble(const char *text, size_t length,
                                         const struct tx_asm_options *options,
                                         struct tx_program **out, struct tx_diag *diag)
{
    return tx_assemble_sized(text, length, options, sizeof *options, out, diag, sizeof *diag);
}
/*
 * One program out of count (up to three) for threads 0, 1, 2: what the first says of itself, and
 * the words of all. TX_EINVAL: chips differ, or one of them uses .thread.
 */
TX_API enum tx_status tx_program_join(const struct tx_program *const programs[], unsigned count,
                                      struct tx_program **out);
TX_API void tx_program_free(struct tx_program *program);

/* For tools that complete what somebody types. A directive, ".rept"; NULL past the end. */
TX_API const char *tx_asm_directive_at(size_t index);
/*
 * A value that the vendor gave a name on this chip, or several names separated by blanks:
 * "p_sfpu::LREG1"; NULL past the end. *value, which may be NULL: what they stand for.
 */
TX_API const char *tx_asm_constants_at(enum tx_arch arch, size_t index, uint32_t *value);

enum tx_dis_style {
    TX_DIS_NORMAL,  /* decodes every word of the chip, survives the assembler bit for bit */
    TX_DIS_OBJDUMP, /* what the vendor's objdump prints, .insn included */
    TX_DIS_MACRO    /* TTI_SFPMAD(...), survives the assembler bit for bit */
};

/*
 * Writes one line without end of line, always terminated; 128 bytes always suffice. Returns TX_OK,
 * or TX_ENOENT where the chip has no such instruction (then the text is ".word 0x...", which the
 * assembler takes back). TX_EINVAL: size too small.
 */
TX_API enum tx_status tx_disassemble(enum tx_arch arch, uint32_t word, enum tx_dis_style style,
                                     char *text, size_t size);

/*
 * SFPLOADMACRO's configuration as the directive that writes it: what value means in destination vd
 * of SFPCONFIG: 0..3 ".template t1, ...", 4..7 ".sequence 2, ...", 8 ".misc ...". The assembler
 * takes the text back. 224 bytes always suffice. TX_EINVAL: another vd, or size too small.
 */
TX_API enum tx_status tx_macro_text(enum tx_arch arch, unsigned vd, uint32_t value, char *text,
                                    size_t size);

/*
 * Follows words in program order and tells what they configure. It starts as zeros, and knows of L0
 * what SFPLOADI put there in all lanes; what nobody can tell from the words alone is not told.
 */
struct tx_macro_reader {
    uint32_t l0;
    uint32_t l0_known; /* bits of it that are known */
    bool no_backdoor;  /* LaneConfig was set to something that may disable the backdoor */
    uint8_t reserved[3];
};
/* True: this word writes a template, sequence or Misc, and text says which, as tx_macro_text. */
TX_API bool tx_macro_follow_sized(struct tx_macro_reader *reader, size_t reader_size,
                                  enum tx_arch arch, uint32_t word, char *text, size_t size);
static inline bool tx_macro_follow(struct tx_macro_reader *reader, enum tx_arch arch, uint32_t word,
                                   char *text, size_t size)
{
    return tx_macro_follow_sized(reader, sizeof *reader, arch, word, text, size);
}

#ifdef __cplusplus
}
#endif

#endif
