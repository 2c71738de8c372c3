/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs on our machine and on another simulator's tile, from the same state, and what
 * both leave compared. A program is known by its class, a seed and a number, and is a list of
 * 32-bit words: what a word is, how programs are drawn and how both sides run them, a class says
 * (struct steps). What differs is shrunk: words are left out as long as it differs. It is then
 * either a line of the class's table (struct known) or not explained.
 *
 * Ours runs with the readings that the other side is known to follow (kind.rules), and each
 * SAMPLED-th program with the default ones as well: a difference that is gone with one of the
 * readings has that reading as its reason.
 */
#ifndef TESTS_COSIM_ENGINE_H
#define TESTS_COSIM_ENGINE_H

#include "bench/beside/sides.h"
#include "cosim/draw.h"
#include "cosim/shrink.h"

#include <inttypes.h>

enum { SAMPLED = 16, RULES = 12, REASONS = 512, WORDS_MOST = SHRINK_MOST };

struct cosim;

/* A difference as it is left after shrinking. */
struct difference {
    uint32_t words[WORDS_MOST];
    unsigned count;
    char name[32];                 /* of the last word */
    const struct tx_decoded *last; /* the last word, if it is one of the coprocessor's */
    struct side_place place;
    char text[240];
    bool stops; /* ours stops where the other one goes on, or only one of them waits */
};

struct known {
    const char *id; /* of isa/evidence.def, or a name */
    unsigned chips;
    const char *names; /* of the last word, blank separated */
    bool (*holds)(struct cosim *c, const struct difference *d); /* NULL: always */
    const char *why;
};

/* How programs of a class are made and run. */
struct steps {
    void (*open)(struct cosim *c);
    void (*close)(struct cosim *c);
    /*
     * Draws program `number`, of which c->words is what the other side has executed, and runs it on
     * ours. False: both differ. c->refused is set where there is no program.
     */
    bool (*first)(struct cosim *c, uint64_t number, struct difference *d);
    /* Runs words of that program from its beginning, ours with one of the readings. */
    bool (*again)(struct cosim *c, unsigned reading, uint64_t number, const uint32_t *words,
                  unsigned count, struct difference *d);
    void (*name)(struct cosim *c, uint32_t word, char name[32]);
    void (*text)(struct cosim *c, uint32_t word, char text[200]);
};

struct kind {
    const char *name;
    const char *unit; /* what its words are called */
    const struct steps *steps;
    unsigned
        absent; /* chips (1 Wormhole, 2 Blackhole) on which the other side may have none of it */
    uint64_t files;  /* that are compared */
    uint64_t subset; /* of those: where the other side may have fewer bits set */
    unsigned thread, words;
    uint32_t gap; /* cycles before each word of ours, so that nothing is read too early */
    bool queues;  /* ours takes a word before it waits: programs end without it */
    uint32_t l1;  /* so many bytes of L1 are the program's, and compared */
    const char *rules[2][RULES];             /* of Wormhole, of Blackhole */
    bool (*takes)(const struct tx_row *row); /* behaviours from which words are drawn */
    void (*block)(struct cosim *c);          /* state of all programs of a block */
    void (*setup)(struct cosim *c);          /* state of one program */
    uint32_t (*word)(struct cosim *c);
    const struct known *known; /* until one without an id */
};

struct reason {
    char text[112];
    uint64_t count;
};

struct cosim {
    enum tx_arch arch;
    const struct beside *other;
    const struct kind *kind;
    void *own; /* what a class has besides */
    struct draw_forms forms;
    struct bridge_rng random;
    uint64_t seed;
    /* With all readings of the class, with none, with each one alone. */
    tx_machine *m, *with[2 + RULES];
    unsigned rules;
    uint8_t *l1; /* ours, of all these machines */
    uint32_t l1_size;
    void *here, *there, *start; /* the block's state, and that of the program */
    size_t here_size;
    uint64_t block;
    bool has_block;
    uint32_t words[WORDS_MOST];
    unsigned count;
    uint64_t steps;  /* of the last program, if more than its words are to count */
    uint32_t choice; /* a class's, made by setup for all words of the program */
    bool strided;
    uint64_t number;                  /* of the program that is judged */
    void (*changed)(struct cosim *c); /* ours alone gets this state, too; NULL: none */
    uint64_t unseen;                  /* files that are not compared with it */
    bool waits;                       /* the last word is one for which the other side waits */
    const char *refused;              /* the state, by the other side */
    char refused_text[160];
    /* ---- what came of it ---- */
    uint64_t programs, executed, refusals, waiting, differ, unexplained, skipped;
    uint64_t sampled, by_rule[RULES + 1]; /* the last one: by none of them alone */
    struct reason reasons[REASONS];
    struct reason known[64];
    unsigned reason_count, known_count, shown;
    FILE *out;
};

static void cosim_fail(const char *text)
{
    fprintf(stderr, "cosim: %s\n", text);
    exit(2);
}

static uint64_t cosim_mix(uint64_t a, uint64_t b)
{
    struct bridge_rng r = {a * UINT64_C(0x9E3779B97F4A7C15) + b};
    (void)bridge_u32(&r);
    return r.s ^ (uint64_t)bridge_u32(&r) << 32;
}

/* ---- counting by text ---- */

static void count_text(struct reason *list, unsigned *count, unsigned most, const char *text)
{
    unsigned i = 0;
    while (i < *count && strncmp(list[i].text, text, sizeof list[i].text - 1) != 0) {
        i++;
    }
    if (i == *count && i < most) {
        snprintf(list[i].text, sizeof list[i].text, "%s", text);
        (*count)++;
    }
    if (i < *count) {
        list[i].count++;
    }
}

/* Numbers in it do not make another reason of it. */
static void count_refusal(struct cosim *c, const char *text)
{
    char plain[sizeof c->reasons[0].text];
    size_t n = 0;
    for (const char *p = text; *p != '\0' && n < sizeof plain - 2; p++) {
        const bool digit = *p >= '0' && *p <= '9';
        const bool hex = n > 1 && plain[n - 1] == '#' && ((*p >= 'a' && *p <= 'f') || *p == 'x');
        const bool value = digit && n > 0 && strchr("=-# [", plain[n - 1]) != NULL;
        if (value || (hex && digit == false) || (digit && n > 0 && plain[n - 1] == '#')) {
            if (plain[n - 1] != '#') {
                plain[n++] = '#';
            }
        } else {
            plain[n++] = *p;
        }
    }
    plain[n] = '\0';
    count_text(c->reasons, &c->reason_count, REASONS, plain);
    c->refusals++;
}

/* ---- differences ---- */

struct sought {
    struct cosim *c;
    uint64_t number;
};

static bool still_differs(void *user, const uint32_t *words, unsigned count)
{
    const struct sought *s = user;
    struct difference d;
    return !s->c->kind->steps->again(s->c, 0, s->number, words, count, &d);
}

static void shrink_difference(struct cosim *c, uint64_t number, struct difference *d)
{
    struct sought s = {c, number};
    uint32_t words[WORDS_MOST];
    unsigned count = c->count;
    memcpy(words, c->words, sizeof words);
    count = shrink(words, count, still_differs, &s);
    (void)c->kind->steps->again(c, 0, number, words, count, d);
    memcpy(d->words, words, sizeof words);
    d->count = count;
}

static bool names_it(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = list; n > 0 && (p = strstr(p, name)) != NULL; p += n) {
        if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static const struct known *explain(struct cosim *c, const struct difference *d)
{
    const unsigned chip = c->arch == TX_BLACKHOLE ? 2 : 1;
    const struct known *k = c->kind->known;
    for (; k != NULL && k->id != NULL; k++) {
        if ((k->chips & chip) != 0 && names_it(k->names, d->name) &&
            (k->holds == NULL || k->holds(c, d))) {
            return k;
        }
    }
    return NULL;
}

static void show(struct cosim *c, uint64_t number, const struct difference *d)
{
    fprintf(c->out, "%s %s:%" PRIu64 " (seed %" PRIu64 "): %s\n", tx_arch_short(c->arch),
            c->kind->name, number, c->seed, d->text);
    for (unsigned i = 0; i < d->count; i++) {
        char text[200] = "";
        c->kind->steps->text(c, d->words[i], text);
        fprintf(c->out, "    %08x  %s\n", (unsigned)d->words[i], text);
    }
    for (size_t i = 0; c->m != NULL && i < tx_finding_count(c->m); i++) {
        const struct tx_finding *f = tx_finding_at(c->m, i);
        fprintf(c->out, "    %s: %s\n", f->rule, f->message);
    }
}

enum { SHOWN_MOST = 20 };

/* Leaves a word out of the program, wherever it stands. */
static void leave_out(struct cosim *c, uint32_t word)
{
    unsigned left = 0;
    for (unsigned i = 0; i < c->count; i++) {
        if (c->words[i] != word) {
            c->words[left++] = c->words[i];
        }
    }
    c->count = left;
}

/*
 * What differs is shrunk, and explained or told. One explained word must not hide another one's
 * fault: without it the rest of the program is compared again, until nothing differs.
 */
static void judge(struct cosim *c, uint64_t number)
{
    struct difference d;
    const struct known *k;
    c->differ++;
    c->number = number;
    do {
        struct tx_decoded last = {.insn = NULL};
        shrink_difference(c, number, &d);
        if (d.count > 0) {
            c->kind->steps->name(c, d.words[d.count - 1], d.name);
            (void)tx_decode(c->arch, d.words[d.count - 1], &last);
        }
        d.last = &last;
        k = explain(c, &d);
        if (k == NULL) {
            c->unexplained++;
            if (c->shown++ < SHOWN_MOST) {
                show(c, number, &d);
            }
            return;
        }
        count_text(c->known, &c->known_count, 64, k->id);
        if (getenv("KNOWN") != NULL && strcmp(getenv("KNOWN"), k->id) == 0) {
            show(c, number, &d);
        }
        leave_out(c, d.words[d.count - 1]);
    } while (!c->kind->steps->again(c, 0, number, c->words, c->count, &d));
}

/* Which reading the default ones differ by. */
static void sample(struct cosim *c, uint64_t number)
{
    const struct steps *s = c->kind->steps;
    struct difference d;
    c->sampled++;
    if (s->again(c, 1, number, c->words, c->count, &d)) {
        return;
    }
    for (unsigned i = 0; i < c->rules; i++) {
        if (s->again(c, 2 + i, number, c->words, c->count, &d)) {
            c->by_rule[i]++;
            return;
        }
    }
    c->by_rule[RULES]++;
}

/* Runs a program; false: it differs and nothing explains it. */
static bool cosim_program(struct cosim *c, uint64_t number)
{
    const uint64_t before = c->unexplained;
    struct difference d;
    c->refused = NULL;
    c->waits = false;
    c->steps = 0;
    const bool equal = c->kind->steps->first(c, number, &d);
    if (c->refused != NULL) {
        c->skipped++;
        count_refusal(c, c->refused);
        c->refusals--;
        return true;
    }
    c->programs++;
    c->executed += c->steps != 0 ? c->steps : c->count;
    c->waiting += c->waits;
    if (!equal) {
        judge(c, number);
    } else if (c->rules != 0 && number % SAMPLED == 0) {
        sample(c, number);
    }
    return c->unexplained == before;
}

/* ---- opening ---- */

static void cosim_open(struct cosim *c, const struct kind *kind, const struct beside *other,
                       enum tx_arch arch, uint64_t seed)
{
    *c = (struct cosim){.arch = arch, .other = other, .kind = kind, .seed = seed, .out = stdout};
    kind->steps->open(c);
}

static void cosim_close(struct cosim *c)
{
    c->kind->steps->close(c);
}

#endif
