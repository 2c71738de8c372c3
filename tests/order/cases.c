/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that each lack one order, or do one thing that they must not, and with -DFIX do not.
 * Line comments name the places that a report must give; tests/cli/order.sh has what is expected.
 */
#include "noc.h"

char stack[512];
__asm__(".globl stack_top\n.set stack_top, stack + 512");

enum {
    SELF = 0x22000,
    HERE = 0x20000,
    THERE = 0x24000,
    FLAG = 0x1F000,
    FLAG2 = 0x1F010,
    TALLY = 0x1F020
};
#ifdef FIX
#define IF_FIXED(what) what
#define IF_BROKEN(what)
#else
#define IF_FIXED(what)
#define IF_BROKEN(what) what
#endif

PROGRAM(reader) /* what a read brings is used before its barrier */
{
    read_from(0, HERE, TILE(1), THERE, 64); // reader request
    IF_FIXED(until(0, 2);)
    keep(0x3C000, sum(HERE, 16)); // reader use
    until(0, 2);
}

PROGRAM(readers) /* the same mistake in two places of one program */
{
    read_from(0, HERE, TILE(1), THERE, 32); // readers first
    IF_FIXED(until(0, 2);)
    keep(0x3C000, sum(HERE, 8)); // readers first use
    until(0, 2);
    read_from(0, HERE + 64, TILE(1), THERE + 32, 32); // readers second
    IF_FIXED(until(0, 2);)
    keep(0x3C004, sum(HERE + 64, 8)); // readers second use
    until(0, 2);
}

static struct {
    uint32_t table[64];
} __attribute__((aligned(16))) sent;
static uint32_t behind_it[64] __attribute__((aligned(16)));
PROGRAM(object) /* a request takes along more than the variable that it begins in */
{
    fill((uint32_t)sent.table, 64, 1);
    fill((uint32_t)behind_it, 64, 2);
    const uint32_t bytes = IF_FIXED(256) IF_BROKEN(272);
    write_to(0, (uint32_t)sent.table, TILE(1), THERE, bytes); // object request
    until(0, 1);
}

PROGRAM(posted) /* a barrier of acknowledgements says nothing of posted writes */
{
    fill(HERE, 16, 1);
    write_with(0, 0, 0, HERE, TILE(1), THERE, 64); // posted request
    IF_FIXED(until(0, 11);)
    IF_BROKEN(until(0, 1);)
    fill(HERE, 16, 2); // posted reuse
    until(0, 11);
}

PROGRAM(other_id) /* a barrier of another transaction */
{
    fill(HERE, 16, 1);
    write_with(0, ANSWER, 3, HERE, TILE(1), THERE, 64); // other_id request
    IF_FIXED(until_id(0, 16 + 3);)
    IF_BROKEN(until_id(0, 16 + 2);)
    keep(HERE + 8, 9); // other_id reuse
    until(0, 1);
}

PROGRAM(two_requests) /* a request takes along what another one is still bringing */
{
    read_from(1, HERE, TILE(1), THERE, 256); // two_requests first
    IF_FIXED(until(1, 2);)
    write_to(0, HERE, TILE(2), THERE, 256); // two_requests second
    until(1, 2);
    until(0, 1);
}

PROGRAM(credit) /* data on one NoC, the credit on the other */
{
    fill(HERE, 16, 5);
    write_to(1, HERE, TILE(1), THERE, 64); // credit data
    IF_FIXED(until(1, 1);)
    add(0, TILE(1), FLAG, 1);
    until(1, 1);
    until(0, 0);
}
PROGRAM(credit_taker)
{
    wait_least(FLAG, 1);
    keep(0x3C000, sum(THERE, 16)); // credit use
}

PROGRAM(same_way) /* ordered at level contract only */
{
    fill(HERE, 16, 5);
    write_to(0, HERE, TILE(1), THERE, 64); // same_way data
    IF_FIXED(until(0, 1);)
    add(0, TILE(1), FLAG, 1);
    until(0, 1);
    until(0, 0);
}
PROGRAM(same_way_taker)
{
    wait_least(FLAG, 1);
    keep(0x3C000, sum(THERE, 16)); // same_way use
}

PROGRAM(pages) /* a page is given back while a request may still read it */
{
    for (unsigned i = 0; i < 4; i++) {
        have(1);
        write_to(0, RING(i % 2), TILE(1), THERE + 64 * i, 64); // pages request
        IF_FIXED(until(0, SENT);)
        pop(1);
    }
    until(0, 1);
}
PROGRAM(pages_maker)
{
    for (unsigned i = 0; i < 4; i++) {
        reserve(1);
        fill(RING(i % 2), 16, i); // pages fill
        push(1);
    }
}

PROGRAM(unreserved)
{
    reserve(1);
    fill(RING(0), 16, 1);
    IF_FIXED(reserve(2);)
    fill(RING(1), 16, 1); // unreserved page
    push(1);
    reserve(1);
    push(1);
}
PROGRAM(unreserved_taker)
{
    have(2);
    keep(0x3C000, sum(RING(0), 32));
    pop(2);
}

PROGRAM(unpushed)
{
    reserve(1);
    fill(RING(0), 16, 1);
    push(1);
    reserve(1);
    fill(RING(1), 16, 2);
    push(1);
}
PROGRAM(unpushed_taker)
{
    IF_FIXED(have(2);)
    IF_BROKEN(have(1);)
    write_to(0, RING(1), TILE(1), THERE, 64); // unpushed page
    until(0, 1);
    pop(1);
    have(1);
    pop(1);
}

PROGRAM(letter) /* a letter overtakes the store that it tells of */
{
    IF_FIXED(keep(HERE, 7);)
    IF_BROKEN(WORD(HERE) = 7;) // letter store
    send_letter(2, 1);
}
PROGRAM(letter_taker)
{
    take_letter(0);
    keep(0x3C000, WORD(HERE)); // letter use
}

PROGRAM(reset) /* the waiter clears its word while others may have counted */
{
    IF_BROKEN(keep(FLAG, 0);) // reset clear
    wait_least(FLAG, 2);
}
PROGRAM(reset_adder)
{
    add(0, TILE(0), FLAG, 2); // reset add
    until(0, 0);
}

PROGRAM(passed) /* looks for exactly a value that goes by */
{
    IF_FIXED(wait_least(FLAG, 1);)
    IF_BROKEN(wait_just(FLAG, 1);) // passed wait
}
PROGRAM(passed_adder)
{
    add(0, TILE(0), FLAG, 1);
    until(0, 0);
    add(0, TILE(0), FLAG, 1); // passed add
    until(0, 0);
}

PROGRAM(update) /* a core's own increment by load and store */
{
    IF_FIXED(add(0, TILE(0), FLAG, 1); until(0, 0);)
    IF_BROKEN(keep(FLAG, WORD(FLAG) + 1);) // update store
    wait_least(FLAG, 3);
}
PROGRAM(update_adder)
{
    add(0, TILE(0), FLAG, 2); // update add
    until(0, 0);
}

PROGRAM(leaves) /* ends while a request is under way */
{
    fill(HERE, 4, 1);
    write_to(0, HERE, TILE(1), THERE, 16); // leaves request
    until(0, SENT);
    IF_FIXED(until(0, 1);)
}

PROGRAM(receivers) /* waits for one acknowledgement too many */
{
    fill(HERE, 16, 1);
    write_row(0, HERE, 0, 2, THERE, 64, 2 IF_BROKEN(+1)); // receivers request
    until(0, 1);                                          // receivers barrier
}

PROGRAM(users) /* two cores count acknowledgements of one interface */
{
    fill(HERE, 4, 1);
    write_to(0, HERE, TILE(1), THERE, 16); // users one
    until_id(0, 16);
}
PROGRAM(users_other)
{
    fill(HERE + 64, 4, 1);
    write_by(2, IF_FIXED(1) IF_BROKEN(0), ANSWER, 0, HERE + 64, TILE(2), THERE, 16); // users two
    until_id(IF_FIXED(1) IF_BROKEN(0), 16);
}

PROGRAM(linked) /* another request while a linked one is open */
{
    fill(HERE, 16, 1);
    write_row(IF_BROKEN(LINK |) 0, HERE, 1, 2, THERE, 64, 2); // linked open
    write_to(0, HERE, TILE(3), THERE, 64);                    // linked other
    until(0, 1);
}

PROGRAM(many) /* more requests of one id than its counter can tell from none */
{
    for (unsigned i = 0; i < 256; i++) {
        read_id(0, 4, HERE + 16 * i, TILE(1), THERE, 16); // many request
        IF_FIXED(until_id(0, 16 + 4);)
    }
    until_id(0, 16 + 4);
}

PROGRAM(inlined) /* an inline write to L1, or to DRAM */
{
    enum { BAD = BLACKHOLE ? TILE(1) : AT(0, 0), BAD_AT = BLACKHOLE ? FLAG : 0x100000 };
    keep(HERE, 3);
    IF_FIXED(write_to(0, HERE, TILE(1), FLAG, 4);)
    IF_BROKEN(write_word(BAD, BAD_AT, 3);) // inlined request
    until(0, 1);
}

PROGRAM(busy) /* fields change before the request was taken */
{
    fill(HERE, 16, 1);
    write_to(0, HERE, TILE(1), THERE, 64);
    IF_FIXED(is_free(0, 0);)
    start(0, 0, WRITE | FIXED | ANSWER | 1 << CHANNEL, 0, HERE, self(0), // busy fields
          THERE + 64, TILE(1), 64, 0);
    expected[0][1]++;
    until(0, 1);
}

PROGRAM(outside) /* beyond what was allocated */
{
    fill(HERE, 16, 1);
    write_to(0, HERE, TILE(1), THERE + IF_FIXED(0) IF_BROKEN(32), 64); // outside request
    until(0, 1);
}

PROGRAM(dram) /* DRAM may serve a write before a read that came first */
{
    fill(HERE, 16, 1);
    read_from(0, THERE, AT(0, 0), 0x100000, 64); // dram read
    IF_FIXED(until(0, 2);)
    write_to(0, HERE, AT(0, 0), 0x100000, 64); // dram write
    until(0, 2);
    until(0, 1);
}

PROGRAM(padding) /* bytes that nobody wrote */
{
    fill(HERE, 12 IF_FIXED(+4), 1);
    write_to(0, HERE, TILE(1), THERE, 64); // padding request
    until(0, 1);
}

PROGRAM(slot) /* two tiles write the same bytes */
{
    fill(HERE, 4, 1);
    write_to(0, HERE, TILE(1), THERE, 16); // slot one
    until(0, 1);
}
PROGRAM(slot_other)
{
    fill(HERE, 4, 2);
    write_to(0, HERE, TILE(1), THERE IF_FIXED(+16), 16); // slot two
    until(0, 1);
}

PROGRAM(old_line) /* a loop without a fence, which a data cache may answer for ever */
{
#ifdef FIX
    wait_least(FLAG, 1);
#else
    while (WORD(FLAG) < 1) { // old_line loop
    }
#endif
}
PROGRAM(old_line_adder)
{
    add(0, TILE(0), FLAG, 1); // old_line add
    until(0, 0);
}

PROGRAM(node) /* of a ring: its words say who is next, who begins, and whether it posts */
{
    enum { NEXT = 0x1F100, BEGINS = 0x1F110, POSTS = 0x1F120 };
    for (unsigned i = 0; i < 3; i++) {
        if (!WORD(BEGINS) || i > 0) {
            wait_least(FLAG, WORD(BEGINS) ? i : i + 1); // node wait
        }
        if (i < WORD(POSTS)) {
            add(0, WORD(NEXT), FLAG, 1);
            until(0, 0);
        }
    }
}

PROGRAM(circle) /* each of three waits for the one before it */
{
    IF_FIXED(add(0, TILE(1), FLAG, 1); until(0, 0);)
    wait_least(FLAG, 1); // circle one
    IF_BROKEN(add(0, TILE(1), FLAG, 1); until(0, 0);)
}
PROGRAM(circle_second)
{
    wait_least(FLAG, 1); // circle two
    add(0, TILE(2), FLAG, 1);
    until(0, 0);
}
PROGRAM(circle_third)
{
    wait_least(FLAG, 1); // circle three
    add(0, TILE(0), FLAG, 1);
    until(0, 0);
}

/* Words for a thread of the coprocessor: GPR 4 = 5, GPR 12 = HERE / 16, GPR 14 = 0. */
INLINE void push_word(uint32_t word)
{
    WORD(0xFFE40000) = word;
}
INLINE void set_registers(void)
{
    push_word(0x45000508);
    push_word(0x45000009);
    push_word(0x45200018);
    push_word(0x45000019);
    push_word(0x4500001C);
    push_word(0x4500001D);
}
PROGRAM(thread) /* a thread stores to L1 and posts semaphore 0 */
{
    set_registers();
    push_word(0x6687010C); /* STOREIND of GPRs 4 to 7 */
    push_word(0xA2010001); /* STALLWAIT: sync, for the Scalar Unit */
    push_word(0xA4000004); /* SEMPOST of semaphore 0 */
}
PROGRAM(thread_other) /* another one, at level broken, does not wait for it */
{
    set_registers();
    IF_FIXED(push_word(0xA6FF8005);) /* SEMWAIT of all units, until semaphore 0 is above 0 */
    push_word(0x4947020C);           /* LOADIND to GPR 8 */
}

PROGRAM(slow_reader) /* what a read brings is used long after it, but without its barrier */
{
    read_from(0, HERE, TILE(1), THERE, 64); // slow_reader request
    for (unsigned i = 0; i < 500; i++) {
        __asm__ volatile("");
    }
    keep(0x3C000, sum(HERE, 16)); // slow_reader use
    until(0, 2);
}

PROGRAM(throttle) /* a word that firmware keeps; a chip as before firmware has none */
{
    if (WORD(16) % 2 != 0) { // throttle word
        keep(0x3C000, 1);
    }
}

/* ---- programs whose host looks for their end before it writes to THERE or HERE ---- */

PROGRAM(teller) /* tells the host of what another core has done, in a word that nobody waits for */
{
    IF_FIXED(wait_least(FLAG, 1);)
    keep(0x3C000, 1);
    wait_least(FLAG, 1);
}
PROGRAM(teller_other)
{
    keep(0x3C000, sum(THERE, 16)); // teller use
    add(0, TILE(0), FLAG, 1);
    until(0, 0);
}

PROGRAM(poster) /* tells the host in its own memory */
{
    IF_FIXED(keep(0x3C000, sum(HERE, 16));)
    write_to(0, SELF, AT(2, 0), 0x1000, 64);
    until(0, 1);
    for (unsigned i = 0; i < 64; i++) {
        fence();
    }
    IF_BROKEN(keep(0x3C000, sum(HERE, 16));) // poster use
}

PROGRAM(giver) /* tells the host that a result is in DRAM */
{
    fill(HERE, 64, 1);
    write_to(0, HERE, AT(0, 0), 0x100000, 256); // giver request
    IF_FIXED(until(0, 1);)
    keep(0x3C000, 1);
    until(0, 1);
}

/* ---- programs that wait for ever; the line that waits is named ---- */

PROGRAM(full) /* room for a third page, where nobody pops */
{
    for (unsigned i = 0; i < 3; i++) {
        reserve(1); // full wait
        fill(RING(i % 2), 16, i);
        push(1);
    }
}
PROGRAM(full_taker)
{
    have(1);
    keep(0x3C000, sum(RING(0), 16));
}

PROGRAM(empty) /* a third page, where two are pushed */
{
    for (unsigned i = 0; i < 3; i++) {
        have(1); // empty wait
        pop(1);
    }
    add(0, TILE(1), FLAG, 1);
    until(0, 0);
}
PROGRAM(empty_maker)
{
    for (unsigned i = 0; i < 2; i++) {
        reserve(1);
        fill(RING(i % 2), 16, i);
        push(1);
    }
}
PROGRAM(behind) /* on another tile, for one that waits itself */
{
    wait_least(FLAG, 1); // behind wait
}

PROGRAM(no_letter) /* each of two waits for the other's letter */
{
    take_letter(2); // no_letter wait
    send_letter(2, 1);
}
PROGRAM(no_letter_other)
{
    take_letter(0); // no_letter_other wait
    send_letter(0, 1);
}

PROGRAM(many_letters) /* more letters than a mailbox holds, where nobody takes one */
{
    for (unsigned i = 0; i < 32; i++) {
        send_letter(2, i); // many_letters wait
    }
}
PROGRAM(many_letters_other)
{
    wait_least(FLAG, 1); // many_letters_other wait
}

PROGRAM(gate) /* SEMWAIT of semaphore 0, then NOPs: the coprocessor's thread waits for a semaphore
                 that nobody posts */
{
    for (unsigned i = 0; i < 64; i++) {
        WORD(0xFFE40000) = i == 0 ? 0xA6FF8005u : 0x02000000u; // gate wait
    }
}
