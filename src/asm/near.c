/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions for unknown names in error messages ("did you mean"). */
#include "asm/state.h"

#include <limits.h>
#include <string.h>

enum { NEAR_MAX = 64, INSN_MAX = 24 };

/*
 * Returns the edit distance of two short words, ignoring case. Two swapped letters count as one
 * mistake, since that is how they are mistyped. A distance above "most" comes out as any number
 * above it: many names are compared for each mistake, and few are near.
 */
static unsigned distance(const char *one, const char *text, size_t length, unsigned most)
{
    /* Rows of the present letter of "one" and of the two before it. */
    unsigned rows[3][NEAR_MAX + 1];
    const size_t one_length = strlen(one);
    if (one_length > length + most || length > one_length + most) {
        return most + 1;
    }
    for (unsigned j = 0; j <= length; j++) {
        rows[0][j] = j;
    }
    unsigned least_above = 0; /* smallest number in the row above */
    for (unsigned i = 0; i < one_length; i++) {
        unsigned *const row = rows[(i + 1) % 3];
        const unsigned *const above = rows[i % 3];
        const unsigned *const two_above = rows[(i + 2) % 3];
        const char letter = asm_lower(one[i]);
        row[0] = i + 1;
        unsigned least = row[0];
        for (unsigned j = 0; j < length; j++) {
            const char other = asm_lower(text[j]);
            unsigned best = above[j] + (letter != other);
            best = best < row[j] + 1 ? best : row[j] + 1;
            best = best < above[j + 1] + 1 ? best : above[j + 1] + 1;
            if (i > 0 && j > 0 && letter == asm_lower(text[j - 1]) &&
                asm_lower(one[i - 1]) == other && two_above[j - 1] + 1 < best) {
                best = two_above[j - 1] + 1;
            }
            row[j + 1] = best;
            least = least < best ? least : best;
        }
        if (least > most && least_above >= most) {
            return most + 1; /* further rows derive from these two, so that none is nearer */
        }
        least_above = least;
    }
    return rows[one_length % 3][length];
}

/* Returns how many letters two names have in common at the start. */
static unsigned common_start(const char *one, const char *text, size_t length)
{
    unsigned n = 0;
    while (n < length && one[n] != '\0' && asm_lower(one[n]) == asm_lower(text[n])) {
        n++;
    }
    return n;
}

const char *asm_nearest_insn(enum tx_arch arch, const char *text, size_t length)
{
    const size_t skip = asm_prefix_length(text, length);
    text += skip;
    length -= skip;
    if (length > INSN_MAX) {
        return NULL;
    }
    const char *nearest = NULL;
    const unsigned limit = length < 5 ? 2 : 3; /* a name further away is no help */
    unsigned least = UINT_MAX;
    const struct insn_form *form;
    for (size_t i = 0; (form = insn_form_at(i)) != NULL; i++) {
        if ((form->archs >> arch & 1) == 0) {
            continue;
        }
        const unsigned by_name = distance(form->pub.name, text, length, limit - 1);
        const unsigned by_macro = distance(form->pub.macro, text, length, limit - 1);
        const unsigned best = by_name < by_macro ? by_name : by_macro;
        /*
         * Of names equally near, the one with the same beginning wins: sfpmadd is sfpmad, not
         * sfpiadd.
         */
        const unsigned score = (best + 1) * INSN_MAX - common_start(form->pub.name, text, length);
        if (best < limit && score < least) {
            least = score;
            nearest = skip > 0 ? form->pub.macro : form->pub.name;
        }
    }
    return nearest;
}

/* ---- constants and modes ---- */

struct nearest {
    const char *text; /* the text as written */
    size_t length;
    const char *group; /* "p_setrwc" while that instruction's operands are read; NULL: none */
    size_t group_length;
    const char *name;
    size_t name_length;
    unsigned score;
};

/*
 * Returns whether the text is the end of the name after "_" or "::", as LT0 of
 * SFPSETCC_MOD1_LREG_LT0.
 */
static bool is_end(const struct nearest *n, const char *name, size_t length)
{
    const size_t before = length - n->length;
    if (n->length < 2 || length <= n->length ||
        (name[before - 1] != '_' && name[before - 1] != ':')) {
        return false;
    }
    for (size_t i = 0; i < n->length; i++) {
        if (asm_lower(name[before + i]) != asm_lower(n->text[i])) {
            return false;
        }
    }
    return true;
}

/*
 * Considers a name as the suggestion. Names that belong to the instruction being read are
 * preferred, then those of the vendor's group for it (p_setrwc for SETRWC); the name may end with
 * the text or differ in a few letters.
 */
static void offer(struct nearest *n, const char *name, size_t length, bool own)
{
    const bool group = n->group != NULL && length > n->group_length &&
                       memcmp(name, n->group, n->group_length) == 0;
    const unsigned kin = own ? 0 : group ? 1 : 2;
    unsigned score = UINT_MAX;
    if (is_end(n, name, length)) {
        score = 4 * (kin + 1);
    } else if (length < NEAR_MAX && length + 8 > n->length && n->length + 8 > length) {
        char copy[NEAR_MAX];
        memcpy(copy, name, length);
        copy[length] = '\0';
        const unsigned limit = 1 + (unsigned)n->length / 6; /* a name further away is no help */
        const unsigned away = distance(copy, n->text, n->length, limit);
        score = away <= limit ? 8 * away + kin : UINT_MAX;
    }
    if (score < n->score) {
        n->score = score;
        n->name = name;
        n->name_length = length;
    }
}

static void offer_list(struct nearest *n, const char *names, bool own)
{
    while (*names != '\0') {
        const size_t length = strcspn(names, " ");
        offer(n, names, length, own);
        names += length + (names[length] == ' ');
    }
}

bool asm_nearest_name(const struct asm_state *a, const char *text, size_t length,
                      struct asm_near *found)
{
    char group[32] = "p_";
    const size_t space = asm_space_length(text, length);
    text += space;
    length -= space;
    struct nearest n = {.text = text, .length = length, .score = UINT_MAX};
    const struct tx_insn_mode *mode;
    if (length == 0 || length > NEAR_MAX || a->arch == TX_ARCH_NONE) {
        return false;
    }
    if (a->form != NULL) {
        size_t used = 2;
        for (const char *p = a->form->pub.macro; *p != '\0' && used + 1 < sizeof group; p++) {
            group[used++] = asm_lower(*p);
        }
        n.group = group;
        n.group_length = used;
        for (size_t i = 0; (mode = tx_insn_mode_at(a->arch, &a->form->pub, i)) != NULL; i++) {
            offer(&n, mode->name, strlen(mode->name), true);
            offer_list(&n, mode->constants, true);
        }
    }
    for (uint32_t i = 0; i < a->name_count; i++) {
        if ((a->names[i].kind & (NAME_CONSTANT | NAME_USER)) != 0) {
            offer(&n, a->names[i].text, a->names[i].length, false);
        }
    }
    *found = (struct asm_near){n.name, n.name_length};
    return n.score != UINT_MAX;
}
