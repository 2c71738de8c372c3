/* SPDX-License-Identifier: Apache-2.0 */
/* Arb's functions through lazy.h: after this header their names stand for entries of the table. */
#ifndef LAB_LAZY_ARB_H
#define LAB_LAZY_ARB_H

#include <arb.h>
#include <arb_hypgeom.h>

#define LAZY_ARB(F)                 \
    F(__flint_set_memory_functions) \
    F(arb_clear)                    \
    F(arb_get_lbound_arf)           \
    F(arb_get_ubound_arf)           \
    F(arb_hypgeom_bessel_i)         \
    F(arb_hypgeom_erfinv)           \
    F(arb_is_finite)                \
    F(arb_lambertw)                 \
    F(arb_set_ui)                   \
    F(arf_get_mpfr)                 \
    F(arf_set_mpfr)                 \
    F(flint_cleanup)

#define LAZY_FIELD(name) __typeof__(name) *name;
#define LAZY_NAME(name) #name,
static struct {
    LAZY_ARB(LAZY_FIELD)
} lazy_arb;
static const char *const lazy_arb_names[] = {LAZY_ARB(LAZY_NAME)};

#define __flint_set_memory_functions lazy_arb.__flint_set_memory_functions
#define arb_clear lazy_arb.arb_clear
#define arb_get_lbound_arf lazy_arb.arb_get_lbound_arf
#define arb_get_ubound_arf lazy_arb.arb_get_ubound_arf
#define arb_hypgeom_bessel_i lazy_arb.arb_hypgeom_bessel_i
#define arb_hypgeom_erfinv lazy_arb.arb_hypgeom_erfinv
#define arb_is_finite lazy_arb.arb_is_finite
#define arb_lambertw lazy_arb.arb_lambertw
#define arb_set_ui lazy_arb.arb_set_ui
#define arf_get_mpfr lazy_arb.arf_get_mpfr
#define arf_set_mpfr lazy_arb.arf_set_mpfr
#define flint_cleanup lazy_arb.flint_cleanup

#endif
