/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which ways through the code of an untimed core become machine code, and when they may run. A
 * place that is reached often by a jump begins a block. A block may run as long as memory holds its
 * words and each of them is known as decoded, so that the interpreter, too, would find nothing new:
 * that is looked at once after each instruction that the interpreter has executed and at the start
 * of each turn, which is when anything but the block itself can write to memory. A store of its own
 * to where blocks are leaves it.
 */
#include "riscv/translate.h"

#include "base/check.h"
#include "riscv/alu.h"

#include <stdlib.h>

/* ---- life ---- */

static void forget(struct riscv_code *code)
{
    memset(code->data->chunk, 0, sizeof code->data->chunk);
    memset(code->data->stamp, 0, sizeof code->data->stamp);
    memset(code->data->target, 0xFF, sizeof code->data->target); /* no pc is that large */
    memset(code->hash, 0, sizeof code->hash);
    code->blocks = 0;
    emit_start(code);
}

/* Returns whether there is room for blocks; if not, this core is interpreted from now on. */
static bool opened(struct riscv *c)
{
    if (c->code != NULL) {
        return true;
    }
    c->translates = false;
    struct riscv_code *code = emit_exists ? calloc(1, sizeof *code) : NULL;
    if (code == NULL) {
        return false;
    }
    if (!pages_open(code)) {
        free(code);
        return false;
    }
#if defined(TX_CHECK)
    code->compares = true;
#endif
    code->compares = code->compares || c->compares;
    forget(code);
    if (!pages_execute(code)) {
        pages_close(code);
        free(code);
        return false;
    }
    c->code = code;
    c->translates = true;
    return true;
}

void riscv_close(struct riscv *c)
{
    if (c->code != NULL) {
        pages_close(c->code);
        free(c->code);
    }
    c->code = NULL;
    c->translates = false;
}

/* ---- blocks ---- */

static const uint8_t *memory_at(const struct riscv *c, uint32_t pc)
{
    if (pc < c->env.l1_size) {
        return c->env.l1 + pc;
    }
    const bool iram = c->env.iram != NULL && pc - RISCV_IRAM_BASE < RISCV_IRAM_BYTES;
    return iram ? c->env.iram + (pc - RISCV_IRAM_BASE) : NULL;
}

static const struct riscv_op *decoded_at(const struct riscv *c, uint32_t pc)
{
    const struct riscv_op *op = &c->decoded[pc / 4 % RISCV_DECODED];
    return op->live == RISCV_DECODED_OP && op->pc == pc ? op : NULL;
}

/* Returns the decoded instruction at pc if memory still holds it. */
static const struct riscv_op *known_at(const struct riscv *c, uint32_t pc)
{
    const uint8_t *at = memory_at(c, pc);
    const struct riscv_op *op = decoded_at(c, pc);
    return at != NULL && op != NULL && bytes_get(at, 4) == op->word ? op : NULL;
}

/* Returns whether a block is what memory holds, and what the interpreter has decoded. */
static bool holds(struct riscv *c, struct code_block *b)
{
    uint32_t *stamp = &c->code->data->stamp[b - c->code->block];
    if (*stamp == c->stamp) {
        return true;
    }
    for (unsigned i = 0; i < b->count; i++) {
        if (bytes_get(memory_at(c, b->at[i]), 4) != b->word[i]) {
            b->dead = true;
            return false;
        }
    }
    for (unsigned i = 0; i < b->count && b->decodes != c->decodes; i++) {
        const struct riscv_op *op = decoded_at(c, b->at[i]);
        if (op == NULL || op->word != b->word[i]) {
            return false;
        }
    }
    b->decodes = c->decodes;
    *stamp = c->stamp;
    return true;
}

static struct code_block *translate_find(struct riscv *c, uint32_t pc)
{
    struct riscv_code *code = c->code;
    uint32_t *link = &code->hash[pc / 4 % CODE_HASH];
    while (*link != 0) {
        struct code_block *b = &code->block[*link - 1];
        if (b->dead) {
            *link = b->next;
            continue;
        }
        if (b->pc == pc) {
            return b;
        }
        link = &b->next;
    }
    return NULL;
}

static bool contains(const struct code_source *s, uint32_t pc)
{
    bool found = false;
    for (unsigned i = 0; i < s->count; i++) {
        found = found || s->op[i].op.pc == pc;
    }
    return found;
}

/*
 * Where the way goes on behind an instruction. A branch is taken to be one that is not taken unless
 * only its target has been executed before.
 */
static uint32_t behind(const struct riscv *c, const struct code_source *s, struct code_op *o)
{
    const uint32_t target = o->op.pc + o->op.imm;
    const uint32_t next = o->op.pc + 4;
    if (o->op.class == CLASS_JAL) {
        return target;
    }
    if (o->op.class == CLASS_BRANCH && target != s->op[0].op.pc && !contains(s, target) &&
        known_at(c, next) == NULL && known_at(c, target) != NULL) {
        o->follows = true;
        return target;
    }
    return next;
}

/* Follows the code from pc on. The values of registers are those of now: a guess of what is local.
 */
static void translate_follow(const struct riscv *c, uint32_t pc, struct code_source *s)
{
    uint32_t x[33];
    memcpy(x, c->s.x, sizeof x);
    *s = (struct code_source){.l1_size = c->env.l1_size,
                              .ram_size = riscv_ram_size(c->arch, c->who),
                              .written = c->env.written != NULL,
                              .next = pc};
    while (s->count < CODE_OPS) {
        const struct riscv_op *op = known_at(c, s->next);
        const bool jumps = op != NULL && (op->class == CLASS_JAL || op->class == CLASS_BRANCH);
        s->stops = op != NULL && (!emit_can(op) || (jumps && (op->imm & 3u) != 0));
        if (op == NULL || s->stops || contains(s, s->next)) {
            return;
        }
        struct code_op *o = &s->op[s->count++];
        o->op = *op;
        o->local = x[op->rs1] + op->imm - RISCV_RAM_BASE < s->ram_size;
        if (op->class == CLASS_ALU || op->class == CLASS_MUL || op->class == CLASS_DIV) {
            x[op->rd] = riscv_compute(op, op->pc, x[op->rs1], x[op->rs2]);
        }
        s->next = behind(c, s, o);
        if (op->class == CLASS_JALR ||
            (op->class == CLASS_BRANCH && op->pc + op->imm == s->op[0].op.pc)) {
            return; /* the block ends there */
        }
    }
}

static void translate_keep(struct riscv *c, const struct code_source *s, uint32_t entry)
{
    struct riscv_code *code = c->code;
    const uint32_t pc = s->op[0].op.pc;
    struct code_block *b = &code->block[code->blocks++];
    *b = (struct code_block){.pc = pc,
                             .entry = entry,
                             .count = (uint16_t)s->count,
                             .next = code->hash[pc / 4 % CODE_HASH]};
    code->hash[pc / 4 % CODE_HASH] = code->blocks;
    b->decodes = c->decodes;
    for (unsigned i = 0; i < s->count; i++) {
        b->at[i] = s->op[i].op.pc;
        b->word[i] = s->op[i].op.word;
        if (b->at[i] < c->env.l1_size) {
            code->data->chunk[b->at[i] >> CODE_CHUNK_LOG] = 1;
        }
    }
    code->data->stamp[b - code->block] = 0;
    code->data->target[pc / 4 % CODE_TARGETS].pc = pc;
    code->data->target[pc / 4 % CODE_TARGETS].code = (uint64_t)(uintptr_t)(code->code + entry);
}

/* Makes a block of the code at pc. Returns NULL if nothing of it can be in one. */
static struct code_block *make(struct riscv *c, uint32_t pc)
{
    struct code_source s;
    translate_follow(c, pc, &s);
    if (s.count == 0 || !opened(c) || !pages_write(c->code)) {
        return NULL;
    }
    struct riscv_code *code = c->code;
    if (code->blocks == CODE_BLOCKS || code->used + CODE_ROOM > CODE_BYTES) {
        forget(code);
    }
    s.index = code->blocks;
    translate_keep(c, &s, emit_block(code, &s));
    if (!pages_execute(code)) {
        riscv_close(c);
        return NULL;
    }
    return &code->block[code->blocks - 1];
}

/* Returns the block that may run from pc on, or NULL. */
static struct code_block *block_at(struct riscv *c, uint32_t pc)
{
    struct code_block *b = c->code != NULL ? translate_find(c, pc) : NULL;
    if (b != NULL && holds(c, b)) {
        return b;
    }
    if (b != NULL && !b->dead) {
        return NULL; /* something has to be decoded again first */
    }
    uint16_t *heat = &c->heat[pc / 4 % RISCV_HEAT];
    if (++*heat < c->hot) {
        return NULL;
    }
    *heat = 0;
    b = make(c, pc);
    return b != NULL && holds(c, b) ? b : NULL;
}

/* ---- comparison with the interpreter ---- */

void code_store(struct riscv *c, uint32_t address)
{
    struct riscv_code *code = c->code;
    const uint32_t at = address & ~3u;
    code->undo[code->undos++] = (struct code_undo){
        .address = at,
        .word = bytes_get(c->env.l1 + at, 4),
        .written = c->env.written != NULL ? c->env.written[at / 8] : 0,
    };
}

/* Exchanges what the block has stored to L1 with what was there. */
static void exchange(struct riscv *c, bool back)
{
    struct riscv_code *code = c->code;
    for (unsigned k = 0; k < code->undos; k++) {
        struct code_undo *u = &code->undo[back ? code->undos - 1 - k : k];
        const uint32_t word = bytes_get(c->env.l1 + u->address, 4);
        bytes_put(c->env.l1 + u->address, u->word, 4);
        u->word = word;
        if (c->env.written != NULL) {
            const uint8_t written = c->env.written[u->address / 8];
            c->env.written[u->address / 8] = u->written;
            u->written = written;
        }
    }
}

/* Returns whether L1 is, where the block has stored, what the block has left there. */
static bool same_l1(struct riscv *c)
{
    const struct riscv_code *code = c->code;
    bool same = true;
    for (unsigned k = 0; k < code->undos; k++) {
        /* Of several stores to a word the last one counts. */
        const struct code_undo *u = &code->undo[k];
        bool last = true;
        for (unsigned i = k + 1; i < code->undos; i++) {
            last = last && code->undo[i].address != u->address;
        }
        same = same && (!last || bytes_get(c->env.l1 + u->address, 4) == u->word);
        same = same && (c->env.written == NULL ||
                        (u->written & (uint8_t)~c->env.written[u->address / 8]) == 0);
    }
    return same;
}

/* Runs a block, then the interpreter from the same state, and compares all that they have done. */
static uint64_t run_both(struct riscv *c, const struct code_block *b, uint64_t *count)
{
    struct riscv_code *code = c->code;
    const uint32_t writes = c->writes;
    const uint32_t decodes = c->decodes;
    memcpy(&code->before, &c->s, sizeof c->s);
    code->undos = 0;
    const uint64_t how = emit_run(c, b->count, b->entry);
    *count = b->count - code->data->left;
    memcpy(&code->after, &c->s, sizeof c->s);
    code->after.instret += *count;
    code->after.now += *count;
    const uint32_t writes_after = c->writes;
    exchange(c, true);
    memcpy(&c->s, &code->before, sizeof c->s);
    c->writes = writes;
    run_plain(c, *count);
    c->s.x[32] = code->after.x[32] = 0;
    const bool same = memcmp(&c->s, &code->after, sizeof c->s) == 0 && c->writes == writes_after &&
                      c->decodes == decodes && same_l1(c);
    CHECK(same, "machine code does what the interpreter does");
    c->differs += same ? 0 : 1;
    c->compared += *count;
    return how;
}

/* ---- running ---- */

static uint64_t run_block(struct riscv *c, const struct code_block *b, uint64_t most,
                          uint64_t *count)
{
    if (c->code->compares && b->count > most) {
        *count = 0;
        return CODE_LOOK;
    }
    if (c->code->compares) {
        return run_both(c, b, count);
    }
    const uint64_t how = emit_run(c, most, b->entry);
    *count = most - c->code->data->left;
    c->s.instret += *count;
    c->s.now += *count;
    return how;
}

/* Lets a jump lead on to the block that was found behind it. */
static void chain(struct riscv *c, uint64_t place, uint32_t entry)
{
    struct riscv_code *code = c->code;
    if (!code->compares && pages_write(code)) {
        emit_jump(code, (uint32_t)place, entry);
        if (!pages_execute(code)) {
            riscv_close(c);
        }
    }
}

uint64_t code_run(struct riscv *c, uint64_t count, bool *interpret)
{
    uint64_t total = 0;
    uint64_t place = CODE_LOOK;
    if (++c->stamp == 0) {
        riscv_close(c); /* once in 2^32 times: stamps begin anew */
        c->translates = true;
        c->stamp = 1;
    }
    while (total < count) {
        const unsigned blocks = c->code != NULL ? c->code->blocks : 0;
        const struct code_block *b = block_at(c, c->s.pc);
        if (b == NULL) {
            return total;
        }
        if (place != CODE_LOOK && c->code->blocks >= blocks) {
            chain(c, place, b->entry);
        }
        uint64_t done;
        const uint64_t how = c->code != NULL ? run_block(c, b, count - total, &done) : CODE_LOOK;
        if (c->code == NULL) {
            return total;
        }
        total += done;
        c->ran += done;
        *interpret = how == CODE_INTERPRET;
        if (*interpret || (done == 0 && how == CODE_LOOK)) {
            return total;
        }
        place = how >= CODE_PLACE ? how : CODE_LOOK;
    }
    return total;
}
