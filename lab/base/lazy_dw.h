/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libdw's functions through lazy.h: after this header their names stand for entries of the table.
 */
#ifndef LAB_LAZY_DW_H
#define LAB_LAZY_DW_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#define LAZY_DW(F)       \
    F(dwarf_attr)        \
    F(dwarf_begin)       \
    F(dwarf_child)       \
    F(dwarf_end)         \
    F(dwarf_filesrc)     \
    F(dwarf_formudata)   \
    F(dwarf_getsrc_die)  \
    F(dwarf_getsrcfiles) \
    F(dwarf_haspc)       \
    F(dwarf_lineno)      \
    F(dwarf_linesrc)     \
    F(dwarf_nextcu)      \
    F(dwarf_offdie)      \
    F(dwarf_siblingof)   \
    F(dwarf_tag)

#define LAZY_FIELD(name) __typeof__(name) *name;
#define LAZY_NAME(name) #name,
static struct {
    LAZY_DW(LAZY_FIELD)
} lazy_dw;
static const char *const lazy_dw_names[] = {LAZY_DW(LAZY_NAME)};

#define dwarf_attr lazy_dw.dwarf_attr
#define dwarf_begin lazy_dw.dwarf_begin
#define dwarf_end lazy_dw.dwarf_end
#define dwarf_filesrc lazy_dw.dwarf_filesrc
#define dwarf_formudata lazy_dw.dwarf_formudata
#define dwarf_child lazy_dw.dwarf_child
#define dwarf_haspc lazy_dw.dwarf_haspc
#define dwarf_siblingof lazy_dw.dwarf_siblingof
#define dwarf_getsrc_die lazy_dw.dwarf_getsrc_die
#define dwarf_getsrcfiles lazy_dw.dwarf_getsrcfiles
#define dwarf_lineno lazy_dw.dwarf_lineno
#define dwarf_linesrc lazy_dw.dwarf_linesrc
#define dwarf_nextcu lazy_dw.dwarf_nextcu
#define dwarf_offdie lazy_dw.dwarf_offdie
#define dwarf_tag lazy_dw.dwarf_tag

#endif
