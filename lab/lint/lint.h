/* SPDX-License-Identifier: Apache-2.0 */
/* tensix lint: one unit of work is a program, or a function of an ELF file, on one chip. */
#ifndef LAB_LINT_H
#define LAB_LINT_H

#include "flow/lint_flow.h"

enum nop_kind {
    NOP_SUPERFLUOUS, /* costs a cycle, nothing depends on it: a finding */
    NOP_FREE,        /* superfluous, and its removal saves no cycle: a note */
};

struct lint_nop {
    enum nop_kind kind;
    uint32_t site;
    uint64_t cycles; /* saved in one run */
    const char *rule;
    char text[160];
};

struct lint_result {
    enum tx_arch arch;
    const char *file, *function; /* function: of an ELF file, else NULL */
    struct flow flow;
    struct flow_run run;
    struct lint_nop *nops;
    size_t nop_count, nop_room;
};

/* lint_nops.c: which SFPNOPs can go, which are missing. */
bool lint_nops(struct lint_result *result);

/* lint_elf.c */
struct lint_function {
    char name[128];
    uint64_t address;
    uint32_t *words, *offsets;
    size_t count;
};
struct lint_elf {
    enum tx_arch arch; /* TX_ARCH_NONE: the file does not say */
    struct lint_function *functions;
    size_t count;
    uint64_t words; /* of all symbols together */
};
bool lint_is_elf(const char *path);
int lint_read_elf(struct txl_error *err, const char *path, struct lint_elf *out);
void lint_free_elf(struct lint_elf *elf);

/* lint_print.c */
bool lint_print(FILE *stream, const struct lint_result *result);
json_t *lint_json(const struct lint_result *result);
size_t lint_hazards(const struct lint_result *result);
size_t lint_others(const struct lint_result *result);
size_t lint_superfluous(const struct lint_result *result);

#endif
