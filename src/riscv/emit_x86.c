/* SPDX-License-Identifier: Apache-2.0 */
/* A block as machine code of x86-64: loads, stores, branches, how it begins and how it is left. */
#include "riscv/emit_x86.h"

#if defined(__x86_64__) && defined(__linux__)

const bool emit_exists = true;

static const uint8_t held_in[HELD] = {SI, DI, R8, R9, R10, R11, BP};

/* ---- loads and stores ---- */

static unsigned size_of(const struct riscv_op *op)
{
    switch ((enum riscv_id)op->id) {
    case RISCV_LB:
    case RISCV_LBU:
    case RISCV_SB:
        return 1;
    case RISCV_LH:
    case RISCV_LHU:
    case RISCV_SH:
        return 2;
    default:
        return 4;
    }
}

static unsigned how_of(unsigned size)
{
    return size == 1 ? NARROW : size == 2 ? HALF : 0;
}

/* eax = the address, which is aligned. */
static void address_of(struct emitter *e, const struct riscv_op *op, unsigned index)
{
    const unsigned size = size_of(op);
    load_into(e, AX, op->rs1);
    if (op->imm != 0) {
        number(e, ADD, AX, op->imm);
    }
    if (size > 1) {
        byte(e, 0xA8), byte(e, size - 1); /* test al, size - 1 */
        leave_if(e, J_NE, index);
    }
}

/* Puts what is at [base + index + offset] where the load wants it. */
static void loaded(struct emitter *e, const struct riscv_op *op, unsigned base, unsigned index,
                   uint32_t offset)
{
    const unsigned code = op->id == RISCV_LB    ? 0x0FBE
                          : op->id == RISCV_LBU ? 0x0FB6
                          : op->id == RISCV_LH  ? 0x0FBF
                          : op->id == RISCV_LHU ? 0x0FB7
                                                : 0x8B;
    const bool nowhere = op->rd == 32 || e->host[op->rd] == NOWHERE;
    const unsigned to = nowhere ? AX : e->host[op->rd];
    memory(e, code, to, base, index, offset, 0);
    if (nowhere && op->rd != 32) {
        core_field(e, 0x89, AX, x_offset(op->rd));
    }
}

enum { RAM = offsetof(struct riscv_state, ram), RAM_BAD = offsetof(struct riscv_state, ram_bad) };
enum { WRITES = offsetof(struct riscv, writes) };

/* cmp [base + index + offset], value: of so many bytes. */
static void compare_zero(struct emitter *e, unsigned size, unsigned base, unsigned index,
                         uint32_t offset)
{
    memory(e, size == 1 ? 0x80 : 0x83, CMP, base, index, offset, size == 2 ? HALF : 0);
    byte(e, 0);
}

/* writes += what is there is not the value of "reg"; then it is. "spare" is used up. */
static void stored(struct emitter *e, unsigned size, unsigned reg, unsigned spare, unsigned base,
                   unsigned index, uint32_t offset)
{
    set_number(e, spare, 0);
    memory(e, size == 1 ? 0x38 : 0x39, reg, base, index, offset, how_of(size));
    opcode(e, 0x0F95); /* setne */
    byte(e, 0xC0 | spare);
    core_field(e, 0x01, spare, WRITES);
    memory(e, size == 1 ? 0x88 : 0x89, reg, base, index, offset, how_of(size));
}

/* Accesses local memory at eax; the jump that is left is taken if that is elsewhere. */
static uint32_t local(struct emitter *e, const struct riscv_op *op, unsigned index, unsigned value)
{
    const unsigned size = size_of(op);
    memory(e, 0x8D, CX, AX, NOWHERE, 0u - RISCV_RAM_BASE, 0); /* lea */
    prefix(e, 0, 0, CX, 0);
    byte(e, 0x81), byte(e, 0xC0 | CMP << 3 | CX), word(e, e->from->ram_size);
    const uint32_t elsewhere = jump_if(e, J_AE);
    if (op->class == CLASS_LOAD) {
        compare_zero(e, size, BX, CX, RAM_BAD);
        leave_if(e, J_NE, index);
        loaded(e, op, BX, CX, RAM);
        return elsewhere;
    }
    stored(e, size, value, AX, BX, CX, RAM);
    memory(e, size == 1 ? 0xC6 : 0xC7, 0, BX, CX, RAM_BAD, size == 2 ? HALF : 0);
    for (unsigned i = 0; i < size; i++) {
        byte(e, 0);
    }
    return elsewhere;
}

static void call_store(struct emitter *e)
{
    static const uint8_t saved[10] = {AX, CX, DX, SI, DI, R8, R9, R10, R11, BP};
    for (unsigned i = 0; i < 10; i++) {
        prefix(e, 0, 0, saved[i], 0);
        byte(e, 0x50 | (saved[i] & 7));
    }
    byte(e, 0x48), byte(e, 0x89), byte(e, 0xDF); /* mov rdi, rbx */
    both(e, 0x8B, SI, AX);
    const uint64_t target = (uint64_t)(uintptr_t)code_store;
    byte(e, 0x48), byte(e, 0xB8), word(e, (uint32_t)target), word(e, (uint32_t)(target >> 32));
    byte(e, 0xFF), byte(e, 0xD0); /* call rax */
    for (unsigned i = 10; i-- > 0;) {
        prefix(e, 0, 0, saved[i], 0);
        byte(e, 0x58 | (saved[i] & 7));
    }
}

/* Accesses L1 at eax, likewise. */
static uint32_t in_l1(struct emitter *e, const struct riscv_op *op, unsigned index, unsigned value)
{
    const unsigned size = size_of(op);
    byte(e, 0x3D), word(e, e->from->l1_size); /* cmp eax, */
    const uint32_t elsewhere = jump_if(e, J_AE);
    if (op->class == CLASS_LOAD) {
        if (e->from->written) {
            both(e, 0x8B, CX, AX);
            shift(e, SHR, CX, 3);
            memory(e, 0x0FB6, DX, R15, CX, 0, 0);
            both(e, 0x8B, CX, AX);
            number(e, AND, CX, 7);
            byte(e, 0xD3), byte(e, 0xC0 | SHR << 3 | DX);
            byte(e, 0xF7), byte(e, 0xD0 | DX);                           /* not edx */
            byte(e, 0xF6), byte(e, 0xC0 | DX), byte(e, bits_mask(size)); /* test dl, */
            leave_if(e, J_NE, index);
        }
        loaded(e, op, R13, AX, 0);
        return elsewhere;
    }
    both(e, 0x8B, CX, AX);
    shift(e, SHR, CX, CODE_CHUNK_LOG);
    compare_zero(e, 1, R14, CX, offsetof(struct code_data, chunk));
    leave_if(e, J_NE, index);
    if (e->code->compares) {
        call_store(e);
    }
    stored(e, size, value, CX, R13, AX, 0);
    if (e->from->written) {
        both(e, 0x8B, CX, AX);
        number(e, AND, CX, 7);
        set_number(e, DX, bits_mask(size));
        byte(e, 0xD3), byte(e, 0xC0 | SHL << 3 | DX);
        shift(e, SHR, AX, 3);
        memory(e, 0x08, DX, R15, AX, 0, NARROW);
    }
    return elsewhere;
}

static void access(struct emitter *e, unsigned index)
{
    const struct code_op *from = &e->from->op[index];
    const struct riscv_op *op = &from->op;
    unsigned value = NOWHERE;
    address_of(e, op, index);
    if (op->class == CLASS_STORE) {
        value = e->host[op->rs2] != NOWHERE ? e->host[op->rs2] : DX;
        load_into(e, value, op->rs2);
    }
    struct detour *d = &e->detour[e->detours++];
    d->index = (uint16_t)index;
    d->place = from->local ? local(e, op, index, value) : in_l1(e, op, index, value);
    d->back = here(e);
}

/* The other kind of memory. */
static void emit_x86_take(struct emitter *e, const struct detour *d)
{
    const struct code_op *from = &e->from->op[d->index];
    const struct riscv_op *op = &from->op;
    const unsigned held = e->host[op->rs2];
    const unsigned value = held != NOWHERE ? held : DX;
    land(e, d->place, here(e));
    const uint32_t elsewhere =
        from->local ? in_l1(e, op, d->index, value) : local(e, op, d->index, value);
    out(e, elsewhere, op->pc, d->index, true);
    land(e, jump(e), d->back);
}

/* ---- the end of a block ---- */

static void save(struct emitter *e)
{
    for (unsigned x = 1; x < 32; x++) {
        if (e->host[x] != NOWHERE && bits_has(e->changed, x)) {
            core_field(e, 0x89, e->host[x], x_offset(x));
        }
    }
}

static void give_back(struct emitter *e, unsigned done)
{
    if (e->from->count != done) {
        number_left(e, ADD, e->from->count - done);
    }
}

static void leave(struct emitter *e, uint32_t pc, uint32_t how)
{
    core_field(e, 0xC7, 0, offsetof(struct riscv_state, pc));
    word(e, pc);
    prefix(e, 0, 0, AX, 0);
    byte(e, 0xB8), word(e, how);
    land(e, jump(e), e->code->leave);
}

/* Another round of a block that leads to its start, "done" instructions after it. */
static void emit_x86_again(struct emitter *e, unsigned done)
{
    give_back(e, done);
    number_left(e, SUB, e->from->count);
    land(e, jump_if(e, J_GE), e->body);
    number_left(e, ADD, e->from->count);
    save(e);
    leave(e, e->from->op[0].op.pc, CODE_LOOK);
}

static void branch(struct emitter *e, unsigned index)
{
    static const uint8_t taken[6] = {J_E, J_NE, J_L, J_GE, J_B, J_AE};
    const struct code_op *from = &e->from->op[index];
    const struct riscv_op *op = &from->op;
    const uint32_t target = op->pc + op->imm;
    const unsigned condition = taken[op->id - RISCV_BEQ];
    unsigned first = e->host[op->rs1];
    if (first == NOWHERE) {
        first = AX;
        load_into(e, AX, op->rs1);
    }
    if (op->rs2 == 0) {
        number(e, CMP, first, 0);
    } else {
        with(e, 0x3B, first, op->rs2);
    }
    if (target == e->from->op[0].op.pc) {
        out(e, jump_if(e, condition ^ 1u), op->pc + 4, index + 1, false);
        emit_x86_again(e, index + 1);
    } else if (from->follows) {
        out(e, jump_if(e, condition ^ 1u), op->pc + 4, index + 1, false);
    } else {
        out(e, jump_if(e, condition), target, index + 1, false);
    }
}

static void jump_register(struct emitter *e, unsigned index)
{
    const struct riscv_op *op = &e->from->op[index].op;
    load_into(e, AX, op->rs1);
    number(e, ADD, AX, op->imm);
    number(e, AND, AX, ~1u);
    byte(e, 0xA8), byte(e, 2); /* test al, 2 */
    leave_if(e, J_NE, index);
    result_number(e, op, op->pc + 4);
    save(e);
    core_field(e, 0x89, AX, offsetof(struct riscv_state, pc));
    if (!e->code->compares) {
        both(e, 0x8B, CX, AX);
        shift(e, SHL, CX, 2);
        number(e, AND, CX, 16 * (CODE_TARGETS - 1));
        memory(e, 0x39, AX, R14, CX, offsetof(struct code_data, target), WIDE);
        const uint32_t other = jump_if(e, J_NE);
        memory(e, 0xFF, 4, R14, CX, offsetof(struct code_data, target) + 8, 0); /* jmp */
        land(e, other, here(e));
    }
    byte(e, 0xB8), word(e, CODE_LOOK);
    land(e, jump(e), e->code->leave);
}

static void outs(struct emitter *e)
{
    uint32_t same[CODE_OPS + 1] = {0}; /* where the interpreter is left an instruction */
    for (unsigned i = 0; i < e->outs; i++) {
        const struct out *o = &e->out[i];
        if (o->interprets && same[o->done] != 0) {
            land(e, o->place, same[o->done]);
            continue;
        }
        same[o->done] = o->interprets ? here(e) : same[o->done];
        land(e, o->place, here(e));
        save(e);
        give_back(e, o->done);
        if (o->interprets) {
            leave(e, o->pc, CODE_INTERPRET);
            continue;
        }
        const uint32_t place = jump(e); /* to what follows, until emit_jump */
        land(e, place, here(e));
        leave(e, o->pc, place);
    }
}

/* Gives the registers that are used most a place. */
static void place_registers(struct emitter *e)
{
    unsigned uses[33] = {0};
    memset(e->host, NOWHERE, sizeof e->host);
    for (unsigned i = 0; i < e->from->count; i++) {
        const struct riscv_op *op = &e->from->op[i].op;
        uses[op->rs1]++;
        uses[op->rs2]++;
        uses[op->rd]++;
        e->changed |= op->rd < 32 ? 1u << op->rd : 0;
    }
    for (unsigned k = 0; k < HELD; k++) {
        unsigned most = 0;
        uses[0] = 0;
        for (unsigned x = 1; x < 32; x++) {
            most = uses[x] > uses[most] ? x : most;
        }
        if (most != 0) {
            e->host[most] = held_in[k];
            uses[most] = 0;
        }
    }
}

static void instruction(struct emitter *e, unsigned index)
{
    const struct riscv_op *op = &e->from->op[index].op;
    switch ((enum riscv_class)op->class) {
    case CLASS_LOAD:
    case CLASS_STORE:
        access(e, index);
        break;
    case CLASS_BRANCH:
        branch(e, index);
        break;
    case CLASS_JAL:
        result_number(e, op, op->pc + 4);
        break;
    case CLASS_JALR:
        jump_register(e, index);
        break;
    case CLASS_FENCE:
        break;
    default:
        x86_alu(e, op, index);
        break;
    }
}

bool emit_can(const struct riscv_op *op)
{
    switch ((enum riscv_class)op->class) {
    case CLASS_LOAD:
    case CLASS_STORE:
    case CLASS_BRANCH:
    case CLASS_JAL:
    case CLASS_JALR:
    case CLASS_MUL:
    case CLASS_DIV:
        return true;
    case CLASS_FENCE:
        return op->id == RISCV_FENCE;
    case CLASS_ALU:
        return op->id != RISCV_CPOP && op->id != RISCV_ORC_B &&
               (op->id != RISCV_GREVI || op->imm == 24);
    default:
        return false;
    }
}

/* Where the block goes on behind its last instruction. */
static void emit_x86_end(struct emitter *e)
{
    const struct code_source *from = e->from;
    const struct riscv_op *last = &from->op[from->count - 1].op;
    const bool loops = from->next == from->op[0].op.pc && !from->stops;
    const bool back = last->class == CLASS_BRANCH && last->pc + last->imm == from->op[0].op.pc;
    if (last->class == CLASS_JALR || back) {
        return;
    }
    if (loops) {
        emit_x86_again(e, from->count);
    } else {
        out(e, jump(e), from->next, from->count, from->stops);
    }
}

uint32_t emit_block(struct riscv_code *code, const struct code_source *from)
{
    static const struct emitter none;
    struct emitter e = none;
    e.from = from;
    e.code = code;
    e.at = code->code + code->used;
    place_registers(&e);
    const uint32_t entry = here(&e);
    core_field(&e, 0x8B, AX, offsetof(struct riscv, stamp));
    memory(&e, 0x3B, AX, R14, NOWHERE,
           (uint32_t)offsetof(struct code_data, stamp) + 4 * from->index, 0);
    const uint32_t changed = jump_if(&e, J_NE);
    number_left(&e, SUB, from->count);
    const uint32_t few = jump_if(&e, J_L);
    for (unsigned x = 1; x < 32; x++) {
        if (e.host[x] != NOWHERE) {
            core_field(&e, 0x8B, e.host[x], x_offset(x));
        }
    }
    e.body = here(&e);
    for (unsigned i = 0; i < from->count; i++) {
        instruction(&e, i);
    }
    emit_x86_end(&e);
    for (unsigned i = 0; i < e.detours; i++) {
        emit_x86_take(&e, &e.detour[i]);
    }
    outs(&e);
    land(&e, few, here(&e));
    number_left(&e, ADD, from->count);
    land(&e, changed, here(&e));
    leave(&e, from->op[0].op.pc, CODE_LOOK);
    code->used = here(&e);
    return entry;
}

void emit_jump(struct riscv_code *code, uint32_t place, uint32_t entry)
{
    bytes_put(code->code + place, entry - (place + 4), 4);
}

/* ---- from C and back ---- */

void emit_start(struct riscv_code *code)
{
    static const uint8_t saved[6] = {BX, BP, R12, R13, R14, R15};
    struct emitter e = {.code = code, .at = code->code};
    for (unsigned i = 0; i < 6; i++) {
        prefix(&e, 0, 0, saved[i], 0);
        byte(&e, 0x50 | (saved[i] & 7));
    }
    byte(&e, 0x48), byte(&e, 0x83), byte(&e, 0xEC), byte(&e, 8); /* sub rsp, 8 */
    byte(&e, 0x48), byte(&e, 0x89), byte(&e, 0xFB);              /* mov rbx, rdi */
    byte(&e, 0x49), byte(&e, 0x89), byte(&e, 0xF6);              /* mov r14, rsi */
    byte(&e, 0x49), byte(&e, 0x89), byte(&e, 0xD4);              /* mov r12, rdx */
    memory(&e, 0x8B, R13, BX, NOWHERE, offsetof(struct riscv, env.l1), WIDE);
    memory(&e, 0x8B, R15, BX, NOWHERE, offsetof(struct riscv, env.written), WIDE);
    byte(&e, 0xFF), byte(&e, 0xE1); /* jmp rcx */
    code->leave = here(&e);
    memory(&e, 0x89, R12, R14, NOWHERE, offsetof(struct code_data, left), WIDE);
    byte(&e, 0x48), byte(&e, 0x83), byte(&e, 0xC4), byte(&e, 8); /* add rsp, 8 */
    for (unsigned i = 6; i-- > 0;) {
        prefix(&e, 0, 0, saved[i], 0);
        byte(&e, 0x58 | (saved[i] & 7));
    }
    byte(&e, 0xC3);
    code->used = here(&e);
}

uint64_t emit_run(struct riscv *c, uint64_t count, uint32_t entry)
{
    typedef uint64_t run(struct riscv *, struct code_data *, uint64_t, const void *)
        __attribute__((sysv_abi));
    run *start;
    const void *const at = c->code->code;
    memcpy(&start, &at, sizeof start);
    return start(c, c->code->data, count, c->code->code + entry);
}

#endif
