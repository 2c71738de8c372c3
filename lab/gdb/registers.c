/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers as gdb numbers and describes them: those of the core, its CSRs, and the coprocessor's
 * registers that the core's thread uses. B and NC have no thread of their own.
 */
#include "gdb/gdb.h"
#include "base/small.h"

#include <string.h>

enum {
    FIRST_CSR = 64,
    FIRST_LREG = 256,
    LREGS = 17,
    FIRST_FLAGS = 280, /* LaneFlags, UseLaneFlagsForLaneEnable */
    FIRST_RWC = 288,
    FIRST_SEMAPHORE = 304,
    SEMAPHORES = 8,
    FIRST_GPR = 320,
    GPRS = 64,
    LANES = 32,
    PC = 32
};

static const char *const rwc_names[TX_RWC_COUNT] = {"rwc_dst",      "rwc_dst_cr", "rwc_srca",
                                                    "rwc_srca_cr",  "rwc_srcb",   "rwc_srcb_cr",
                                                    "rwc_fidelity", "rwc_sp",     "rwc_bias"};

/* ---- the description ---- */

static void core_xml(FILE *f)
{
    static const char *const names[] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                        "fp",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                        "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                        "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    fputs("<feature name=\"org.gnu.gdb.riscv.cpu\">\n", f);
    for (unsigned i = 0; i < PC; i++) {
        const bool pointer = i == 2 || i == 3 || i == 4 || i == 8;
        fprintf(f, "<reg name=\"%s\" bitsize=\"32\" type=\"%s\" regnum=\"%u\"/>\n", names[i],
                pointer  ? "data_ptr"
                : i == 1 ? "code_ptr"
                         : "int",
                i);
    }
    fprintf(f, "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\" regnum=\"%d\"/>\n</feature>\n",
            PC);
}

static void csr_xml(FILE *f, enum tx_arch arch)
{
    struct tx_core_csr csr;
    if (tx_core_csr_at(arch, 0, &csr) != TX_OK) {
        return;
    }
    fputs("<feature name=\"org.gnu.gdb.riscv.csr\">\n", f);
    for (unsigned i = 0; tx_core_csr_at(arch, i, &csr) == TX_OK; i++) {
        fprintf(f,
                "<reg name=\"%s\" bitsize=\"32\" type=\"uint32\" regnum=\"%u\" group=\"csr\"/>\n",
                csr.name, FIRST_CSR + i);
    }
    fputs("</feature>\n", f);
}

static void word_xml(FILE *f, const char *name, unsigned index, unsigned number)
{
    fprintf(f, "<reg name=\"%s", name);
    if (index != ~0u) {
        fprintf(f, "%u", index);
    }
    fprintf(f, "\" bitsize=\"32\" type=\"uint32\" regnum=\"%u\" group=\"tensix\"/>\n", number);
}

static void tensix_xml(FILE *f)
{
    fputs("<feature name=\"org.tensix.thread\">\n"
          "<vector id=\"lanes_u\" type=\"uint32\" count=\"32\"/>\n"
          "<vector id=\"lanes_f\" type=\"ieee_single\" count=\"32\"/>\n"
          "<union id=\"lanes\"><field name=\"u\" type=\"lanes_u\"/>"
          "<field name=\"f\" type=\"lanes_f\"/></union>\n",
          f);
    for (unsigned i = 0; i < LREGS; i++) {
        fprintf(f,
                "<reg name=\"lreg%u\" bitsize=\"1024\" type=\"lanes\" regnum=\"%u\" "
                "group=\"tensix\"/>\n",
                i, FIRST_LREG + i);
    }
    word_xml(f, "lane_flags", ~0u, FIRST_FLAGS);
    word_xml(f, "use_lane_flags", ~0u, FIRST_FLAGS + 1);
    for (unsigned i = 0; i < TX_RWC_COUNT; i++) {
        word_xml(f, rwc_names[i], ~0u, FIRST_RWC + i);
    }
    for (unsigned i = 0; i < SEMAPHORES; i++) {
        word_xml(f, "semaphore", i, FIRST_SEMAPHORE + i);
    }
    for (unsigned i = 0; i < GPRS; i++) {
        word_xml(f, "gpr", i, FIRST_GPR + i);
    }
    fputs("</feature>\n", f);
}

char *registers_xml(enum tx_arch arch)
{
    struct memory_text text;
    if (memory_text_open(NULL, &text) != TXL_CONTINUE) {
        return NULL;
    }
    fputs(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
        "<target version=\"1.0\">\n<architecture>riscv:rv32</architecture>\n<osabi>none</osabi>\n",
        text.stream);
    core_xml(text.stream);
    csr_xml(text.stream, arch);
    tensix_xml(text.stream);
    fputs("</target>\n", text.stream);
    return memory_text_close(NULL, &text) == TXL_CONTINUE ? text.text : NULL;
}

/* ---- access ---- */

/*
 * A register of the coprocessor: count words, from word first on, of an entry with so many words.
 */
struct place {
    enum tx_file file;
    unsigned index, words, first, count;
    bool of_thread; /* T0, T1 and T2 each have their own */
};

static bool in(uint64_t number, unsigned first, unsigned count)
{
    return number >= first && number - first < count;
}

static bool registers_place_of(enum tx_core core, uint64_t number, struct place *p)
{
    const bool thread = core >= TX_CORE_T0 && core <= TX_CORE_T2;
    const unsigned t = thread ? (unsigned)core - TX_CORE_T0 : 0;
    const unsigned n = (unsigned)number;
    if (in(number, FIRST_LREG, LREGS)) {
        *p = (struct place){TX_FILE_LREG, n - FIRST_LREG, LANES, 0, LANES, false};
    } else if (in(number, FIRST_FLAGS, 2)) {
        *p = (struct place){
            n == FIRST_FLAGS ? TX_FILE_LANE_FLAGS : TX_FILE_USE_LANE_FLAGS, 0, 1, 0, 1, false};
    } else if (in(number, FIRST_RWC, TX_RWC_COUNT)) {
        *p = (struct place){TX_FILE_RWC, t, TX_RWC_COUNT, n - FIRST_RWC, 1, true};
    } else if (in(number, FIRST_SEMAPHORE, SEMAPHORES)) {
        *p = (struct place){TX_FILE_SEMAPHORE, n - FIRST_SEMAPHORE, 2, 0, 1, false};
    } else if (in(number, FIRST_GPR, GPRS)) {
        *p = (struct place){TX_FILE_GPR, n - FIRST_GPR + GPRS * t, 1, 0, 1, true};
    } else {
        return false;
    }
    return true;
}

static bool has(enum tx_core core, const struct place *p)
{
    return !p->of_thread || (core >= TX_CORE_T0 && core <= TX_CORE_T2);
}

size_t register_read(txl_gdb *g, enum tx_core core, uint64_t number, void *bytes, bool *known)
{
    struct tx_core_csr csr;
    struct place p;
    uint32_t words[LANES] = {0};
    *known = true;
    if (number <= PC) {
        (void)tx_core_read(g->tile, core, (unsigned)number, words);
        bytes_of_word(bytes, words[0]);
        return 4;
    }
    if (in(number, FIRST_CSR, FIRST_LREG - FIRST_CSR) &&
        tx_core_csr_at(g->arch, (unsigned)number - FIRST_CSR, &csr) == TX_OK) {
        *known = tx_core_csr_read(g->tile, core, (unsigned)number - FIRST_CSR, words) == TX_OK;
        bytes_of_word(bytes, words[0]);
        return 4;
    }
    if (!registers_place_of(core, number, &p)) {
        return 0;
    }
    *known = has(core, &p) &&
             tx_read(tx_tensix_machine(g->tile), p.file, p.index, words, p.words) == TX_OK;
    for (unsigned i = 0; i < p.count; i++) {
        bytes_of_word((uint8_t *)bytes + 4 * i, words[p.first + i]);
    }
    return (size_t)4 * p.count;
}

bool register_write(txl_gdb *g, enum tx_core core, uint64_t number, const void *bytes, size_t size)
{
    struct place p;
    uint32_t words[LANES] = {0};
    struct change c = {.core = (int)core, .where = (uint32_t)number, .size = 4};
    if (number < FIRST_LREG && size == 4) {
        words[0] = word_of_bytes(bytes);
        c.kind = number <= PC ? CHANGE_REGISTER : CHANGE_CSR;
        c.where -= number <= PC ? 0 : FIRST_CSR;
        if (!stops_change(&g->stops, &c, words)) {
            return false;
        }
        /* A core whose pc is changed must continue there, even if it had stopped. */
        c = (struct change){.kind = CHANGE_WAKE, .core = (int)core};
        if (number == PC && g->stops.now[core].phase >= TX_CORE_PAUSED) {
            (void)stops_change(&g->stops, &c, NULL);
        }
        return true;
    }
    if (!registers_place_of(core, number, &p) || !has(core, &p) || size != (size_t)4 * p.count ||
        tx_read(tx_tensix_machine(g->tile), p.file, p.index, words, p.words) != TX_OK) {
        return false;
    }
    for (unsigned i = 0; i < p.count; i++) {
        words[p.first + i] = word_of_bytes((const uint8_t *)bytes + 4 * i);
    }
    c = (struct change){
        .kind = CHANGE_FILE, .where = p.file, .index = p.index, .size = 4 * p.words};
    return stops_change(&g->stops, &c, words);
}
