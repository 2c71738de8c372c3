/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program that the kit puts on the cores T0, T1 and T2 of one tile. It waits for the host to
 * change a word, carries out a list of commands that lies in L1, and says so in another word.
 * What the lists hold is the business of tensix_kit/script.py, which has these numbers too.
 */
#include <tensix/kernel/tensix.h>

enum { CONTROL = 0x14000, CONTROL_BYTES = 0x100, STEPS = 0x14400, STEP_BYTES = 16, CORES = 3 };
enum { DOOR, DONE, LIST, RESULTS, PLACE, WRONG }; /* words of a core's control block */
enum command {
    END,
    PUSH,    /* words that follow */
    STORE,   /* address, value */
    LOAD,    /* address; the word becomes a result */
    SYNC,    /* wait for the thread's coprocessor */
    CLOCK,   /* the low half of the cycle counter becomes a result */
    STEP,    /* value: sync, then wait until all cores have come to it */
    COPY,    /* address; so many words become results */
    CALL,    /* address; what the function returns becomes a result */
    AWAIT,   /* address, mask, value: wait until the masked word is that */
    REPEAT,  /* times, then words: push them so often */
    STORE16, /* address, value: a halfword */
    LOAD16,  /* address; a halfword becomes a result */
    DELAY    /* cycles */
};
#if TENSIX_UNPACK
enum { CORE = 0 };
#elif TENSIX_MATH
enum { CORE = 1 };
#else
enum { CORE = 2 };
#endif
enum { IC_INVALIDATE = RISCV_IC_INVALIDATE_InvalidateAll_ADDR32 };

static volatile uint32_t *const control =
    (volatile uint32_t *)(uintptr_t)(CONTROL + CONTROL_BYTES * CORE);

static uint32_t *results;

/*
 * Stores come before what follows, and loads see what others have stored. Wormhole's cores have no
 * cache of data and keep the order of accesses to one memory; nothing warrants a fence there.
 */
static void settle(void)
{
    if (TENSIX_BLACKHOLE) {
        tx_fence();
    }
}

static void result(uint32_t value)
{
    *results++ = value;
}

static void step(uint32_t value)
{
    tensix_sync();
    settle();
    TX_WORD(STEPS + STEP_BYTES * CORE) = value;
    for (unsigned other = 0; other < CORES; other++) {
        while ((int32_t)(TX_WORD(STEPS + STEP_BYTES * other) - value) < 0) {
            settle();
        }
    }
}

static void push(const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        *TX_INSTRUCTION_BUFFER = words[i];
    }
}

/* Carries one command out; returns how many words of the list its operands are. */
static uint32_t carry_out(uint32_t command, const uint32_t *with)
{
    const uint32_t count = command >> 8;
    const uint32_t what = command & 0xFF;
    if (what == PUSH) {
        push(with, count);
        return count;
    }
    if (what == STORE) {
        TX_WORD(with[0]) = with[1];
        return 2;
    }
    if (what == LOAD) {
        result(TX_WORD(with[0]));
        return 1;
    }
    if (what == SYNC) {
        tensix_sync();
        return 0;
    }
    if (what == CLOCK) {
        result(TX_WORD(0xFFB121F0u));
        return 0;
    }
    if (what == STEP) {
        step(with[0]);
        return 1;
    }
    if (what == COPY) {
        for (uint32_t i = 0; i < count; i++) {
            result(TX_WORD(with[0] + 4 * i));
        }
        return 1;
    }
    if (what == CALL) {
        result(((uint32_t(*)(void))(uintptr_t)with[0])());
        return 1;
    }
    if (what == AWAIT) {
        while ((TX_WORD(with[0]) & with[1]) != with[2]) {
            settle();
        }
        return 3;
    }
    if (what == REPEAT) {
        for (uint32_t n = 0; n < with[0]; n++) {
            push(with + 1, count);
        }
        return count + 1;
    }
    if (what == STORE16) {
        *(volatile uint16_t *)(uintptr_t)with[0] = (uint16_t)with[1];
        return 2;
    }
    if (what == LOAD16) {
        result(*(volatile uint16_t *)(uintptr_t)with[0]);
        return 1;
    }
    if (what == DELAY) {
        const uint32_t start = TX_WORD(0xFFB121F0u);
        while (TX_WORD(0xFFB121F0u) - start < with[0]) {
        }
        return 1;
    }
    control[WRONG] = command;
    return 0;
}

void kernel_main(void)
{
    uint32_t door = 0;
    control[DONE] = 0;
    for (;;) {
        while (control[DOOR] == door) {
            settle();
        }
        door = control[DOOR];
        TX_CFG_BASE[IC_INVALIDATE] = 2u << CORE;
        tx_wait_for((uint32_t)(uintptr_t)&TX_CFG_BASE[0]); /* behind it in one queue */
        results = (uint32_t *)(uintptr_t)control[RESULTS];
        const uint32_t *at = (const uint32_t *)(uintptr_t)control[LIST];
        const uint32_t *const begin = at;
        while (*at != END && control[WRONG] == 0) {
            control[PLACE] = (uint32_t)(at - begin);
            at += 1 + carry_out(at[0], at + 1);
        }
        tensix_sync();
        settle();
        control[DONE] = door;
        settle();
    }
}
