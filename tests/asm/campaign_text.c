/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random words to text and back, in the three styles: campaign_text ARCH COUNT [SEED].
 * Prints "N passed, M failed" with the first failures; exit status 1 where there are any.
 */
#include <tensix/asm.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 4096, LINE = 128, SHOWN = 10 };

static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Half of the words keep few bits of the body, so that plain forms are met too. */
static uint32_t random_word(uint64_t *state)
{
    const uint64_t r = next_random(state);
    uint32_t word = (uint32_t)r;
    if ((r >> 32 & 1) != 0) {
        word &= UINT32_C(0xff000000) | (uint32_t)next_random(state);
        word &= UINT32_C(0xff000000) | (uint32_t)next_random(state);
    }
    return word;
}

static uint64_t compare(enum tx_arch arch, enum tx_dis_style style, const uint32_t words[],
                        size_t count, const char *text, size_t length, uint64_t failed)
{
    const struct tx_asm_options options = {.arch = arch};
    struct tx_program *program = NULL;
    struct tx_diag diag;
    if (tx_assemble(text, length, &options, &program, &diag) != TX_OK) {
        printf("style %d line %u: %s\n  %s\n", (int)style, diag.line, diag.message, diag.source);
        return count;
    }
    uint64_t bad = 0;
    const size_t got = tx_program_count(program, TX_SECTION_TILE);
    for (size_t i = 0; i < count; i++) {
        if (i < got && tx_program_words(program, TX_SECTION_TILE)[i] == words[i]) {
            continue;
        }
        if (failed + bad++ < SHOWN) {
            char line[LINE];
            (void)tx_disassemble(arch, words[i], style, line, sizeof line);
            printf("style %d: 0x%08" PRIx32 " -> %s -> 0x%08" PRIx32 "\n", (int)style, words[i],
                   line, i < got ? tx_program_words(program, TX_SECTION_TILE)[i] : 0);
        }
    }
    tx_program_free(program);
    return bad;
}

static uint64_t batch(enum tx_arch arch, enum tx_dis_style style, const uint32_t words[],
                      size_t count, uint64_t failed)
{
    static char text[BATCH * LINE];
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        const enum tx_status status = tx_disassemble(arch, words[i], style, text + length, LINE);
        if (status != TX_OK && status != TX_ENOENT) {
            printf("style %d: 0x%08" PRIx32 " gives no text\n", (int)style, words[i]);
            return count;
        }
        length += strlen(text + length);
        text[length++] = '\n';
    }
    return compare(arch, style, words, count, text, length, failed);
}

int main(int argc, char **argv)
{
    enum tx_arch arch;
    if (argc < 3 || tx_arch_parse(argv[1], &arch) != TX_OK) {
        fprintf(stderr, "usage: campaign_text ARCH COUNT [SEED]\n");
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 0);
    uint64_t state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    static const enum tx_dis_style styles[] = {TX_DIS_NORMAL, TX_DIS_OBJDUMP, TX_DIS_MACRO};
    static const char *const names[] = {"normal", "objdump", "macro"};
    uint64_t failed[3] = {0};
    clock_t spent[3] = {0};
    static uint32_t words[BATCH];
    for (uint64_t done = 0; done < count;) {
        const size_t n = count - done < BATCH ? (size_t)(count - done) : BATCH;
        for (size_t i = 0; i < n; i++) {
            words[i] = random_word(&state);
        }
        for (unsigned s = 0; s < 3; s++) {
            const clock_t start = clock();
            failed[s] += batch(arch, styles[s], words, n, failed[s]);
            spent[s] += clock() - start;
        }
        done += n;
    }
    uint64_t passed = 0, bad = 0;
    for (unsigned s = 0; s < 3; s++) {
        const double seconds = (double)spent[s] / CLOCKS_PER_SEC;
        printf("%-8s %" PRIu64 " words, %.2f million a second\n", names[s], count,
               seconds > 0 ? (double)count / seconds / 1e6 : 0.0);
        passed += count - failed[s];
        bad += failed[s];
    }
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, bad);
    return bad == 0 ? 0 : 1;
}
