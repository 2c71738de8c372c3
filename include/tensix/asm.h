/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assembler and disassembler. Input is the vendor's disassembly syntax (sfpmad L4,L1,L2,L3,0),
 * the macro syntax (TTI_SFPMAD(p_sfpu::LREG1, ...), TT_OP_...), raw hex words, and gas-like
 * directives. docs/assembler.md is the manual.
 */
#ifndef TENSIX_ASM_H
#define TENSIX_ASM_H

#include <tensix/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where and why text was refused. line and column count from 1; 0 where they do not apply. */
struct tx_diag {
    unsigned line, column, length;
    char message[200];
    char source[200]; /* the line itself, to show a caret under it */
    char file[192];   /* the file of that line, for .include; "" for the text itself */
    /* Where an operand was refused: the instruction as tx_insn_syntax has it; else "". */
    char syntax[256];
};

/*
 * The format of data in Dst. Integers are two's complement, which is the default of the vendor's
 * integer kernels; _SM: sign and magnitude, which is what the hardware converts. INT8 and UINT8
 * exist as sign and magnitude only. UINT16_DST32: 16 bits in the upper halves of a 32-bit Dst, with
 * bit 11 of DBG_FEATURE_DISABLE set, as tt-llk has UInt16 with FP32 Dst.
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

/* The state in which a kernel expects the machine: docs/kernels.md. */
enum tx_start {
    TX_START_UNSET = 0,
    TX_START_RESET, /* as at power on (R4): predication off, address modifiers zero */
    TX_START_VENDOR /* as tt-llk's start and init code leave it (isa/start.def) */
};
TX_API const char *tx_start_name(enum tx_start start);
TX_API enum tx_status tx_start_parse(const char *text, enum tx_start *start);

enum { TX_SECTION_INIT = 0, TX_SECTION_TILE = 1, TX_SECTIONS = 2 };
enum { TX_SOURCE_FILES = 15, TX_SOURCE_NAME = 192 }; /* limits on names from .file and .include */

/*
 * A request of .include, and the answer to it. name is the argument of .include, from the path of
 * the file that has the directive ("" for the text itself). To answer with TX_OK, set text and
 * length (the text stays the caller's and must live until tx_assemble returns) and path, the name
 * of the file for error messages and words, which further .include in it give as from. With any
 * other status set message to one sentence on why not.
 */
struct tx_include {
    const char *name, *from;
    const char *text;
    size_t length;
    char path[192];
    char message[160];
};
typedef enum tx_status tx_include_fn(void *user, struct tx_include *include);

/* An assembled kernel or a bare list of words; free it with tx_program_free. */
typedef struct tx_program tx_program;

TX_API enum tx_arch tx_program_arch(const tx_program *program); /* from .arch or the options */
/*
 * From .dst, .out (the format as which the result is read; unset: as dst) and .start; UNSET where
 * absent.
 */
TX_API enum tx_dst_format tx_program_dst(const tx_program *program);
TX_API enum tx_dst_format tx_program_out(const tx_program *program);
TX_API enum tx_start tx_program_start(const tx_program *program);
/* Sets the start state as if .start had stated it. TX_EINVAL: no such state. */
TX_API enum tx_status tx_program_set_start(tx_program *program, enum tx_start start);
TX_API unsigned tx_program_inputs(const tx_program *program); /* .inputs; input i is Dst tile i */
TX_API unsigned tx_program_output(const tx_program *program); /* .output: Dst tile of the result */
/* From .fpu: Dst rows the Matrix Unit wrote just before .tile. */
TX_API unsigned tx_program_fpu_first(const tx_program *program);
TX_API unsigned tx_program_fpu_rows(const tx_program *program);
/* the function that it computes, from .reference, or "" */
TX_API const char *tx_program_reference(const tx_program *program);
/*
 * From .carry: a tile leaves registers or flags for the next one on purpose, so that doing so is no
 * finding (E-LEFT). It does not make the kernel run with state carried.
 */
TX_API bool tx_program_carry(const tx_program *program);
TX_API const char *tx_program_title(const tx_program *program); /* or "" */
/* some word has a .thread: the program runs on all three threads */
TX_API bool tx_program_threaded(const tx_program *program);

/* The words of a section; words outside .init and .tile belong to TX_SECTION_TILE. */
TX_API size_t tx_program_count(const tx_program *program, unsigned section);
TX_API const uint32_t *tx_program_words(const tx_program *program, unsigned section);
/*
 * For each word its source line, and the index of its source file: 0 for the text itself, else a
 * file of .file or .include.
 */
TX_API const uint32_t *tx_program_lines(const tx_program *program, unsigned section);
TX_API const uint8_t *tx_program_files(const tx_program *program, unsigned section);
/* For each word its .thread; TX_THREADS: the thread that runs the kernel. */
TX_API const uint8_t *tx_program_threads(const tx_program *program, unsigned section);
/*
 * Returns the name of a source file from .file or .include, counted from 1; "" where not given,
 * NULL for the text itself.
 */
TX_API const char *tx_program_source(const tx_program *program, unsigned file);
/*
 * The nine words of a thread's MopCfg from .mop, and a bit per word for those that were stated.
 * Thread TX_THREADS: the thread that runs the kernel.
 */
TX_API const uint32_t *tx_program_mop(const tx_program *program, unsigned thread);
TX_API unsigned tx_program_mop_given(const tx_program *program, unsigned thread);
/* The assignments of .config NAME, VALUE, in order. */
TX_API unsigned tx_program_config_count(const tx_program *program);
TX_API const char *tx_program_config_name(const tx_program *program, unsigned index);
TX_API uint32_t tx_program_config_value(const tx_program *program, unsigned index);

/*
 * Constants declared with .free, whose values a search (tensix fit) may choose. Their NAME stands
 * for a bit pattern of a format: fp32, bf16, fp16 as SFPLOADI takes them, lut8 and lut16 as SFPLUT
 * and SFPLUTFP32 do; int is a number.
 */
enum tx_free_kind {
    TX_FREE_FP32,
    TX_FREE_BF16,
    TX_FREE_FP16,
    TX_FREE_LUT8,  /* sign, three bits e, four bits m: (1 + m/16) 2^-e; FF is zero */
    TX_FREE_LUT16, /* as FP16, except that exponent 31 means zero and the pattern 0 is 2^-15 */
    TX_FREE_INT,
    TX_FREE_KINDS
};
enum { TX_FREE_NAME = 32, TX_FREE_MOST = 64 };

/* Does not grow. */
struct tx_free_constant {
    char name[TX_FREE_NAME];
    enum tx_free_kind kind;
    uint32_t bits; /* bit pattern of its format */
    /* Position of bits among the format's values, and the range allowed (see tx_free_order). */
    int64_t order, low, high;
    unsigned line;
    size_t offset, length; /* position of the value's text, such as "float(0.5)", in the source */
};

TX_API unsigned tx_program_free_count(const tx_program *program);
/* NULL past the end. */
TX_API const struct tx_free_constant *tx_program_free_constant(const tx_program *program,
                                                               unsigned index);
/* "fp32"; NULL past the end. */
TX_API const char *tx_free_kind_name(enum tx_free_kind kind);
/*
 * Number the values of a format in ascending order: neighbouring values have neighbouring numbers,
 * and 0 is zero. Denormals are left out. For int the number is the value itself. A number beyond
 * the limits is treated as the limit.
 */
TX_API int64_t tx_free_order(enum tx_free_kind kind, uint32_t bits);
TX_API uint32_t tx_free_bits(enum tx_free_kind kind, int64_t order);
TX_API void tx_free_limits(enum tx_free_kind kind, int64_t *low, int64_t *high);
/* Returns the FP32 bit pattern of the value; for int the value itself. */
TX_API uint32_t tx_free_fp32(enum tx_free_kind kind, uint32_t bits);

struct tx_asm_options {
    enum tx_arch arch;      /* TX_ARCH_NONE: the text must have .arch */
    bool force_arch;        /* arch takes precedence over .arch */
    bool ttinsn;            /* hex words in the text are rotated as in a RISC-V stream */
    bool hex;               /* the text is a list of hex words, one per line, with # comments */
    uint8_t reserved;       /* zero */
    tx_include_fn *include; /* answers .include; NULL: every .include is an error */
    void *include_user;
};

/* Assembles a text. On failure *out is NULL and *diag says where and why. */
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
 * Joins count programs (up to three) into one program whose words run on threads 0, 1, 2. Its other
 * properties are those of the first. TX_EINVAL: the chips differ, or one of them uses .thread.
 */
TX_API enum tx_status tx_program_join(const struct tx_program *const programs[], unsigned count,
                                      struct tx_program **out);
TX_API void tx_program_free(struct tx_program *program);

/* Names of directives, such as ".rept", for tools that complete input; NULL past the end. */
TX_API const char *tx_asm_directive_at(size_t index);
/*
 * Names that the vendor gives to one value on this chip, "p_sfpu::LREG1", separated by blanks where
 * it has several; NULL past the end. *value becomes the value that they stand for; value may be
 * NULL.
 */
TX_API const char *tx_asm_constants_at(enum tx_arch arch, size_t index, uint32_t *value);

enum tx_dis_style {
    TX_DIS_NORMAL,  /* decodes every word of the chip; reassembles to the same bits */
    TX_DIS_OBJDUMP, /* what the vendor's objdump prints, .insn included */
    TX_DIS_MACRO    /* TTI_SFPMAD(...); reassembles to the same bits */
};

/*
 * Writes one word as a line without line end, always terminated; 128 bytes always suffice. Returns
 * TX_OK; TX_ENOENT where the chip has no such instruction (the text is then ".word 0x...", which
 * the assembler accepts); TX_EINVAL where size is too small.
 */
TX_API enum tx_status tx_disassemble(enum tx_arch arch, uint32_t word, enum tx_dis_style style,
                                     char *text, size_t size);

/*
 * Writes a word of SFPLOADMACRO's configuration as the directive that sets it: what value means in
 * destination vd of SFPCONFIG: 0..3 ".template t1, ...", 4..7 ".sequence 2, ...", 8 ".misc ...".
 * The assembler accepts the text. 224 bytes always suffice. TX_EINVAL: another vd, or size too
 * small.
 */
TX_API enum tx_status tx_macro_text(enum tx_arch arch, unsigned vd, uint32_t value, char *text,
                                    size_t size);

/*
 * Follows instruction words in program order to find what they configure with SFPCONFIG. It starts
 * as zeros. It tracks the bits of L0 that SFPLOADI has set in all lanes; configuration whose value
 * does not follow from the words alone is not reported.
 */
struct tx_macro_reader {
    uint32_t l0;
    uint32_t l0_known; /* bits of it that are known */
    bool no_backdoor;  /* LaneConfig was set to something that may disable the backdoor */
    uint8_t reserved[3];
};
/*
 * Returns true where the word writes a template, sequence or Misc; text is then its directive, as
 * from tx_macro_text.
 */
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
