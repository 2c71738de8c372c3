/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cosim SIMULATOR.so COUNT [SEED [CLASS ...]]: COUNT random words of each class, or of those named,
 * on our machine and on another simulator's tile (engine.h). CLASS:NUMBER runs that program alone,
 * and prints it. Status 1: something differs that nothing explains.
 */
#include "cosim/riscv.h"
#include "cosim/scalar.h"
#include "cosim/unpack.h"

#include <dlfcn.h>
#include <time.h>

static const struct kind *const classes[] = {&vector_class, &matrix_class, &pack_class,
                                             &unpack_class, &scalar_class};
enum { CLASSES = sizeof classes / sizeof *classes };

static int more_often(const void *a, const void *b)
{
    const struct reason *x = a;
    const struct reason *y = b;
    return x->count < y->count ? 1 : x->count > y->count ? -1 : 0;
}

static void report_reasons(struct cosim *c)
{
    qsort(c->reasons, c->reason_count, sizeof *c->reasons, more_often);
    for (unsigned i = 0; i < c->reason_count && getenv("REASONS") != NULL; i++) {
        printf("  refused %" PRIu64 ": %s\n", c->reasons[i].count, c->reasons[i].text);
    }
    fflush(stdout);
}

static void report(struct cosim *c, double seconds)
{
    printf("%s %s, seed %" PRIu64 ": %" PRIu64 " words in %" PRIu64 " programs, %" PRIu64
           " ended waiting, %" PRIu64 " states and %" PRIu64 " words refused, %" PRIu64
           " differ, %" PRIu64 " unexplained; %.0f s\n",
           tx_arch_short(c->arch), c->kind->name, c->seed, c->executed, c->programs, c->waiting,
           c->skipped, c->refusals, c->differ, c->unexplained, seconds);
    for (unsigned i = 0; i < c->known_count; i++) {
        printf("  explained by %s: %" PRIu64 "\n", c->known[i].text, c->known[i].count);
    }
    for (unsigned i = 0; i < c->rules; i++) {
        printf("  %s: of %" PRIu64 " programs %" PRIu64 " with another result\n",
               c->kind->rules[c->arch == TX_BLACKHOLE][i], c->sampled, c->by_rule[i]);
    }
    if (c->by_rule[RULES] != 0) {
        printf("  several of these readings together: %" PRIu64 "\n", c->by_rule[RULES]);
    }
    report_reasons(c);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run_class(struct cosim *c, uint64_t count)
{
    const double start = now();
    for (uint64_t number = 0; c->executed < count && c->skipped <= c->programs + 1000; number++) {
        (void)cosim_program(c, number);
    }
    report(c, now() - start);
    return c->unexplained == 0 && c->executed >= count;
}

/* Programs of RISC-V instructions; one alone, or until so many have been executed. */
static bool run_cores(struct cosim *c, uint64_t count, const char *alone)
{
    struct cores *k = calloc(1, sizeof *k);
    const double start = now();
    if (k == NULL) {
        cosim_fail("no memory");
    }
    c->other->open();
    for (uint64_t number = alone != NULL ? strtoull(alone, NULL, 0) : 0;
         k->executed < count && k->refused <= k->programs / 2 + 100000; number++) {
        core_program(k, c, number);
        if (alone != NULL) {
            break;
        }
    }
    printf("%s riscv, seed %" PRIu64 ": %" PRIu64 " instructions in %" PRIu64 " programs, %" PRIu64
           " refused, %" PRIu64 " differ; %.0f s\n",
           tx_arch_short(c->arch), c->seed, k->executed, k->programs, k->refused, k->differ,
           now() - start);
    report_reasons(c);
    const bool good = k->differ == 0 && (alone != NULL || k->executed >= count);
    riscv_close(&k->core);
    free(k);
    return good;
}

static bool replay(struct cosim *c, uint64_t number)
{
    struct difference d = {.count = 0};
    (void)cosim_program(c, number);
    memcpy(d.words, c->words, sizeof d.words);
    d.count = c->count;
    snprintf(d.text, sizeof d.text, "%s", c->differ == 0 ? "equal" : "differs; as it was drawn:");
    show(c, number, &d);
    return c->unexplained == 0;
}

/* Is the class among the arguments, or are there none? alone: what stands behind its colon. */
static const char *class_name(unsigned i)
{
    return i < CLASSES ? classes[i]->name : "riscv";
}

/* Returns whether an argument is that class, or one program of it. */
static bool is_class(const char *argument, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(argument, name, n) == 0 && (argument[n] == '\0' || argument[n] == ':');
}

/* Ends where an argument is no class. */
static void need_classes(int argc, char **argv)
{
    for (int k = 4; k < argc; k++) {
        bool known = false;
        for (unsigned i = 0; i <= CLASSES; i++) {
            known = known || is_class(argv[k], class_name(i));
        }
        if (!known) {
            fprintf(stderr, "cosim: %s: no such class; there are", argv[k]);
            for (unsigned i = 0; i <= CLASSES; i++) {
                fprintf(stderr, " %s", class_name(i));
            }
            fprintf(stderr, "\n");
            exit(2);
        }
    }
}

static bool chosen(int argc, char **argv, const char *name, const char **alone)
{
    const size_t n = strlen(name);
    bool any = argc <= 4;
    for (int k = 4; k < argc; k++) {
        if (is_class(argv[k], name)) {
            any = true;
            *alone = argv[k][n] == ':' ? argv[k] + n + 1 : NULL;
        }
    }
    return any;
}

int main(int argc, char **argv)
{
    static struct cosim c;
    setvbuf(stdout, NULL, _IOLBF, 0);
    void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    const struct beside *(*tile)(void);
    if (library == NULL) {
        cosim_fail(argc > 2 ? dlerror() : "cosim SIMULATOR.so COUNT [SEED [CLASS[:NUMBER] ...]]");
    }
    *(void **)&tile = dlsym(library, "beside_tile");
    if (tile == NULL) {
        cosim_fail("that is no simulator's tile");
    }
    const enum tx_arch arch = strcmp(tile()->chip, "bh") == 0 ? TX_BLACKHOLE : TX_WORMHOLE;
    const uint64_t count = strtoull(argv[2], NULL, 0);
    const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    bool good = true;
    need_classes(argc, argv);
    for (unsigned i = 0; i <= CLASSES; i++) {
        const char *alone = NULL;
        const char *name = class_name(i);
        if (!chosen(argc, argv, name, &alone)) {
            continue;
        }
        cosim_open(&c, classes[i < CLASSES ? i : 0], tile(), arch, seed);
        good = (i == CLASSES    ? run_cores(&c, count, alone)
                : alone != NULL ? replay(&c, strtoull(alone, NULL, 0))
                                : run_class(&c, count)) &&
               good;
        cosim_close(&c);
    }
    return good ? 0 : 1;
}
