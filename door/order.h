/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Order across the chip (docs/order.md) for hosts that drive a chip by themselves: the door and the
 * card. What watches is the lab library, which is loaded where TENSIX_ORDER=FILE asks for it, so
 * that nobody else pays for it.
 */
#ifndef TENSIX_DOOR_ORDER_H
#define TENSIX_DOOR_ORDER_H

#include <tensix-lab/order.h>

/* Finds the lab library: by name, beside this library as built and as installed, or anywhere. */
void *door_lab(void);
/* Finds a function of it. */
bool door_lab_find(void *library, const char *name, void *function);

struct door_order {
    void *library;
    txl_order *order; /* NULL: nothing is watched */
    void (*close)(txl_order *order);
    void (*end)(txl_order *order, bool stuck);
    char *(*text)(txl_order *order);
    char *(*json)(txl_order *order);
    char *(*still)(txl_order *order, bool json);
};
/* To be called before anything is loaded. Returns NULL, or what is wrong. */
const char *door_order_open(struct door_order *watch, tx_chip *chip);
/*
 * To be called again and again where the host only looks. Appends to the file, at once, who waits
 * for ever. Returns whether there was any.
 */
bool door_order_still(struct door_order *watch);
/*
 * Appends the findings to the file: as text, or, where its name ends in .json, as a line of JSON.
 * Returns NULL, or what is wrong.
 */
const char *door_order_close(struct door_order *watch);

#endif
