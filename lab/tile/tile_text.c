/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the result of a tile as text. */
#include "base/memory.h"
#include "profile/profile.h"
#include "run/run_text.h"
#include "tile/tile_program.h"

static struct txl_run_finding finding_at_index(const void *from, size_t index,
                                               char text[FINDING_PLACE])
{
    (void)text;
    return *txl_tensix_finding(from, index);
}

static void print_findings(FILE *out, const txl_tensix *tile)
{
    const struct txl_tensix_result *result = txl_tensix_result(tile);
    run_findings_print(out, finding_at_index, tile, result->findings, result->findings_dropped);
}

static void print_core(FILE *out, const struct txl_tensix_core *core)
{
    fprintf(out, "core %-10s %llu instructions, %s at %08x%s%s%s%s\n", tx_core_name(core->core),
            (unsigned long long)core->instructions, core->state, (unsigned)core->pc,
            core->function != NULL ? " in " : "", core->function != NULL ? core->function : "",
            core->source != NULL ? ", " : "", core->source != NULL ? core->source : "");
    const char *between = "                waited cycles: ";
    for (size_t i = 1; i < TX_CORE_WAITS; i++) {
        if (core->waited[i] != 0) {
            fprintf(out, "%s%s %llu", between, tx_core_wait_text(i),
                    (unsigned long long)core->waited[i]);
            between = ", ";
        }
    }
    if (between[0] == ',') {
        fputc('\n', out);
    }
}

static void print_text(FILE *out, const txl_tensix *tile)
{
    const struct txl_tensix_result *result = txl_tensix_result(tile);
    fprintf(out, "tile            %s%s\n", tx_arch_name(tile_options(tile)->arch),
            tile_options(tile)->untimed ? ", untimed" : "");
    fprintf(out, "cycles          %s%llu\n", bound_prefix(result->bounds),
            (unsigned long long)result->cycles);
    bound_print(out, result->bounds);
    for (unsigned output = 0; output < 2; output++) {
        const struct txl_l1_file *file;
        for (size_t i = 0; (file = txl_tensix_l1_file(tile, output != 0, i)) != NULL; i++) {
            run_l1_file_print(out, file, output != 0);
        }
    }
    for (unsigned c = 0; c < TX_CORES; c++) {
        const struct txl_tensix_core *core = txl_tensix_core(tile, (enum tx_core)c);
        if (core->ran) {
            print_core(out, core);
        }
    }
    print_findings(out, tile);
    if (txl_tensix_profile(tile) != NULL) {
        fputc('\n', out);
        profile_print(out, txl_tensix_profile(tile));
    }
}

char *txl_tensix_text(const txl_tensix *tile)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_text(text.stream, tile);
    return memory_text_take(&text);
}

char *txl_tensix_findings_text(const txl_tensix *tile)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    print_findings(text.stream, tile);
    return memory_text_take(&text);
}
