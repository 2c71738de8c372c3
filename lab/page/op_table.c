/* SPDX-License-Identifier: Apache-2.0 */
#include "page/op_table.h"

static const char *const op_columns[] = {"OP CODE",
                                         "OP TYPE",
                                         "GLOBAL CALL COUNT",
                                         "DEVICE ID",
                                         "DEVICE ARCH",
                                         "ATTRIBUTES",
                                         "MATH FIDELITY",
                                         "CORE COUNT",
                                         "PARALLELIZATION STRATEGY",
                                         "HOST START TS",
                                         "HOST END TS",
                                         "HOST DURATION [ns]",
                                         "DEVICE FW START CYCLE",
                                         "DEVICE FW END CYCLE",
                                         "OP TO OP LATENCY [ns]",
                                         "DEVICE FW DURATION [ns]",
                                         "DEVICE KERNEL DURATION [ns]",
                                         "DEVICE BRISC KERNEL DURATION [ns]",
                                         "DEVICE NCRISC KERNEL DURATION [ns]",
                                         "DEVICE TRISC0 KERNEL DURATION [ns]",
                                         "DEVICE TRISC1 KERNEL DURATION [ns]",
                                         "DEVICE TRISC2 KERNEL DURATION [ns]",
                                         "DEVICE ERISC KERNEL DURATION [ns]",
                                         "INPUT_0_W_PAD[LOGICAL]",
                                         "INPUT_0_Z_PAD[LOGICAL]",
                                         "INPUT_0_Y_PAD[LOGICAL]",
                                         "INPUT_0_X_PAD[LOGICAL]",
                                         "INPUT_0_LAYOUT",
                                         "INPUT_0_DATATYPE",
                                         "INPUT_0_MEMORY",
                                         "INPUT_1_DATATYPE",
                                         "INPUT_1_MEMORY",
                                         "OUTPUT_0_DATATYPE",
                                         "OUTPUT_0_MEMORY",
                                         "COMPUTE KERNEL SOURCE",
                                         "DATA MOVEMENT KERNEL SOURCE"};
enum { OP_COLUMNS = sizeof op_columns / sizeof op_columns[0] };

void page_op_head(FILE *out)
{
    for (unsigned i = 0; i < OP_COLUMNS; i++) {
        fprintf(out, "%s%s", i != 0 ? "," : "", op_columns[i]);
    }
    fputc('\n', out);
}

/* A field of a table with commas; as it is where it has none. */
static void put_field(FILE *out, const char *text)
{
    bool plain = true;
    for (const char *at = text; *at != '\0'; at++) {
        plain = plain && *at != ',' && *at != '"' && *at != '\n';
    }
    if (plain) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const char *at = text; *at != '\0'; at++) {
        fputs(*at == '"' ? "\"\"" : (const char[2]){*at, '\0'}, out);
    }
    fputc('"', out);
}

void page_op_row(FILE *out, const struct page_op *op)
{
    enum { BEHIND = 23 /* columns in front of what a program does not say of itself */ };
    const double ns = 1000 / op->mhz;
    const double duration = (double)op->cycles * ns;
    put_field(out, op->code);
    fprintf(out, ",tt_dnn_device,%u,0,%s,%s,,%u,,0,0,0,%llu,%llu,%.0f,%.0f,%.0f", op->call,
            op->arch, op->at_least ? "times are at least these" : "", op->cores,
            (unsigned long long)op->first, (unsigned long long)(op->first + op->cycles),
            (double)op->before * ns, duration, duration);
    for (unsigned i = 0; i < PAGE_OP_CORES; i++) {
        fprintf(out, ",%.0f", (double)op->of[i] * ns);
    }
    fputc(',', out); /* ERISC */
    for (unsigned i = BEHIND; i < OP_COLUMNS; i++) {
        fputc(',', out);
    }
    fputc('\n', out);
}
