/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random cells through the Matrix Unit and through its second statement, compared after each
 * instruction. campaign_matrix ARCH CELLS SEED SET, where SET is products (MVMUL, DOTPV, GAPOOL),
 * multiply (ELWMUL), add (ELWADD, ELWSUB), pool (GMPOOL) or all: those and the moves, rows,
 * counters, with words of any bits and readings other than the defaults. Cells are of Dst, written
 * by arithmetic; a 32-bit one counts once.
 */
#include "matrix/rig.h"

#include <inttypes.h>

static const struct {
    const char *name;
    uint8_t ops[32];
} sets[] = {{"products", {0x26, 0x26, 0x26, 0x26, 0x29, 0x34}},
            {"multiply", {0x27}},
            {"add", {0x28, 0x30}},
            {"pool", {0x33}},
            {"all", {0x26, 0x26, 0x27, 0x27, 0x28, 0x28, 0x30, 0x29, 0x34, 0x33, 0x33,
                     0x08, 0x0A, 0x09, 0x12, 0x12, 0x0B, 0x0C, 0x13, 0x13, 0x16, 0x17,
                     0x18, 0x10, 0x10, 0x11, 0x36, 0x37, 0x38, 0x35, 0x21}}};

/* How an episode is: its configuration stays for sixteen instructions. */
static void episode(struct rig *r, const uint8_t *ops, uint64_t number)
{
    const bool all = strchr((const char *)ops, 0x33) != NULL && ops[1] != 0;
    unsigned count = 0;
    while (ops[count] != 0) {
        count++;
    }
    r->tidy = !all || number % 4 == 0;
    r->others = all && number % 2048 >= 1024;
    if (number % 1024 == 0 && !rig_open(r)) {
        return;
    }
    rig_configure(r);
    for (unsigned i = 0; i < 16 && r->failures == 0; i++) {
        (void)rig_step(r, ops[rig_below(r, count)]);
    }
    tx_findings_clear(r->m);
}

int main(int argc, char **argv)
{
    static struct rig r;
    const uint8_t *ops = NULL;
    for (size_t i = 0; argc == 5 && i < sizeof sets / sizeof *sets; i++) {
        ops = strcmp(argv[4], sets[i].name) == 0 ? sets[i].ops : ops;
    }
    if (ops == NULL || tx_arch_parse(argv[1], &r.arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_matrix ARCH CELLS SEED products|multiply|add|pool|all\n");
        return 2;
    }
    const uint64_t cells = strtoull(argv[2], NULL, 0);
    r.random = strtoull(argv[3], NULL, 0);
    for (uint64_t number = 0; r.cells < cells && r.failures == 0; number++) {
        episode(&r, ops, number);
    }
    tx_close(r.m);
    printf("%s: %" PRIu64 " instructions, %" PRIu64 " cells, %" PRIu64 " differ\n", argv[4],
           r.instructions, r.cells, r.failures);
    return r.failures != 0;
}
