/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction of the program does with memory. Decoding: Zydis. */
#include "card.h"
#include "emulate.h"

#include <string.h>

#include <Zydis/Zydis.h>

static int8_t gpr_number(ZydisRegister reg)
{
    if (reg == ZYDIS_REGISTER_NONE) {
        return -1;
    }
    return reg == ZYDIS_REGISTER_RIP || reg == ZYDIS_REGISTER_EIP
               ? -2
               : (int8_t)ZydisRegisterGetId(
                     ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg));
}

static bool is_high(ZydisRegister reg)
{
    return reg >= ZYDIS_REGISTER_AH && reg <= ZYDIS_REGISTER_BH;
}

static void classify_move(struct known *k, const ZydisDecodedInstruction *i,
                          const ZydisDecodedOperand *o)
{
    const bool store = o[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
    const ZydisDecodedOperand *other = &o[store ? 1 : 0];
    if (other->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        k->kind = KIND_STORE;
        k->immediate = true;
        k->value = other->imm.is_signed ? other->imm.value.s : (int64_t)other->imm.value.u;
    } else if (other->type == ZYDIS_OPERAND_TYPE_REGISTER &&
               (ZydisRegisterGetClass(other->reg.value) == ZYDIS_REGCLASS_GPR8 ||
                ZydisRegisterGetClass(other->reg.value) == ZYDIS_REGCLASS_GPR16 ||
                ZydisRegisterGetClass(other->reg.value) == ZYDIS_REGCLASS_GPR32 ||
                ZydisRegisterGetClass(other->reg.value) == ZYDIS_REGCLASS_GPR64)) {
        k->kind = store ? KIND_STORE : KIND_LOAD;
        k->high = is_high(other->reg.value);
        k->reg =
            k->high ? (int8_t)(other->reg.value - ZYDIS_REGISTER_AH) : gpr_number(other->reg.value);
        k->reg_bits = (uint8_t)other->size;
        k->sign = i->mnemonic == ZYDIS_MNEMONIC_MOVSX || i->mnemonic == ZYDIS_MNEMONIC_MOVSXD;
    }
}

static bool is_string(ZydisMnemonic m)
{
    switch (m) {
    case ZYDIS_MNEMONIC_MOVSB:
    case ZYDIS_MNEMONIC_MOVSW:
    case ZYDIS_MNEMONIC_MOVSQ:
    case ZYDIS_MNEMONIC_STOSB:
    case ZYDIS_MNEMONIC_STOSW:
    case ZYDIS_MNEMONIC_STOSD:
    case ZYDIS_MNEMONIC_STOSQ:
    case ZYDIS_MNEMONIC_LODSB:
    case ZYDIS_MNEMONIC_LODSW:
    case ZYDIS_MNEMONIC_LODSD:
    case ZYDIS_MNEMONIC_LODSQ:
    case ZYDIS_MNEMONIC_CMPSB:
    case ZYDIS_MNEMONIC_CMPSW:
    case ZYDIS_MNEMONIC_CMPSQ:
    case ZYDIS_MNEMONIC_SCASB:
    case ZYDIS_MNEMONIC_SCASW:
    case ZYDIS_MNEMONIC_SCASD:
    case ZYDIS_MNEMONIC_SCASQ:
        return true;
    case ZYDIS_MNEMONIC_MOVSD:
    case ZYDIS_MNEMONIC_CMPSD: /* also names of vector instructions */
    default:
        return false;
    }
}

static void classify(struct known *k, const ZydisDecodedInstruction *i,
                     const ZydisDecodedOperand *o)
{
    const bool one_byte = i->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT;
    k->mnemonic = (uint16_t)i->mnemonic;
    k->repeat = (i->attributes &
                 (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0;
    k->kind = KIND_ANY;
    if (is_string(i->mnemonic) || (one_byte && (i->opcode == 0xA5 || i->opcode == 0xA7))) {
        k->kind = KIND_STRING;
        return;
    }
    switch (i->mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
    case ZYDIS_MNEMONIC_MOVNTI:
        classify_move(k, i, o);
        break;
    case ZYDIS_MNEMONIC_PUSH:
        k->kind = KIND_PUSH;
        break;
    case ZYDIS_MNEMONIC_POP:
        k->kind = KIND_POP;
        break;
    case ZYDIS_MNEMONIC_CALL:
    case ZYDIS_MNEMONIC_JMP:
        k->kind = KIND_NONE;
        break;
    default:
        break;
    }
}

/* Registers that the kernel saves apart from the general ones. */
static bool is_wide(ZydisRegisterClass class)
{
    switch (class) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:
    case ZYDIS_REGCLASS_FLAGS:
    case ZYDIS_REGCLASS_IP:
        return false;
    default:
        return true;
    }
}

/* Whether the instruction can be executed at another place, see patch.c. */
static bool can_move(const struct known *k, const ZydisDecodedInstruction *i,
                     const ZydisDecodedOperand *o)
{
    enum { STACK_POINTER = 4 };
    bool stack = k->base == STACK_POINTER;
    for (unsigned n = 0; n < i->operand_count; n++) {
        stack = stack || (o[n].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                          ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
                                                           o[n].reg.value) == ZYDIS_REGISTER_RSP);
    }
    switch (i->meta.category) {
    case ZYDIS_CATEGORY_BINARY:
    case ZYDIS_CATEGORY_LOGICAL:
    case ZYDIS_CATEGORY_SHIFT:
    case ZYDIS_CATEGORY_ROTATE:
    case ZYDIS_CATEGORY_CMOV:
    case ZYDIS_CATEGORY_SETCC:
    case ZYDIS_CATEGORY_DATAXFER:
        break;
    default:
        return false;
    }
    /* Some code jumps behind a lock prefix. */
    return !stack && k->kind <= KIND_ANY && k->modrm != 0 && k->base != -2 && !k->short_address &&
           !k->vectors && !k->segment && !k->repeat &&
           i->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
           (i->attributes & ZYDIS_ATTRIB_HAS_LOCK) == 0;
}

bool decode(struct known *k, uint64_t at)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction i;
    ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
    const ZydisDecodedOperand *m = NULL;
    memset(k, 0, sizeof *k);
    (void)ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, (const void *)(uintptr_t)at, 15, &i, o))) {
        return false;
    }
    for (unsigned n = 0; n < i.operand_count && m == NULL; n++) {
        m = o[n].type == ZYDIS_OPERAND_TYPE_MEMORY && o[n].mem.type == ZYDIS_MEMOP_TYPE_MEM &&
                    (o[n].visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT || is_string(i.mnemonic))
                ? &o[n]
                : NULL;
    }
    classify(k, &i, o);
    if (m == NULL && k->kind != KIND_STRING) {
        return false; /* none, or one of those with a vector of addresses */
    }
    k->at = at;
    k->length = i.length;
    memcpy(k->bytes, (const void *)(uintptr_t)at, i.length);
    k->short_address = i.address_width == 32;
    if (k->kind == KIND_STRING) {
        k->size = i.opcode % 2 == 0 ? 1 : (uint8_t)(i.operand_width / 8);
        return true;
    }
    k->size = (uint8_t)(m->size / 8);
    k->wide = (uint16_t)(m->size / 8);
    k->loads = (m->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
    k->stores = (m->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    /* What a mask leaves out must not be lost. */
    k->loads = k->loads || i.avx.mask.mode > ZYDIS_MASK_MODE_DISABLED ||
               i.mnemonic == ZYDIS_MNEMONIC_VMASKMOVPS || i.mnemonic == ZYDIS_MNEMONIC_VMASKMOVPD ||
               i.mnemonic == ZYDIS_MNEMONIC_VPMASKMOVD || i.mnemonic == ZYDIS_MNEMONIC_VPMASKMOVQ ||
               (m->actions & ZYDIS_OPERAND_ACTION_CONDWRITE) != 0;
    k->base = gpr_number(m->mem.base);
    k->index = gpr_number(m->mem.index);
    k->scale = m->mem.scale;
    k->displacement = m->mem.disp.has_displacement ? m->mem.disp.value : 0;
    for (unsigned n = 0; n < i.operand_count; n++) {
        k->vectors = k->vectors || (o[n].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                                    is_wide(ZydisRegisterGetClass(o[n].reg.value)));
    }
    k->segment = m->mem.segment == ZYDIS_REGISTER_FS || m->mem.segment == ZYDIS_REGISTER_GS;
    k->modrm = i.raw.modrm.offset;
    k->sib = i.raw.sib.offset;
    const uint8_t shown = k->sib != 0 ? (uint8_t)(k->sib + 1) : (uint8_t)(k->modrm + 1);
    k->rex = (i.attributes & ZYDIS_ATTRIB_HAS_REX) != 0 ? k->bytes[i.raw.rex.offset] : 0;
    k->tail = i.raw.disp.size != 0 ? (uint8_t)(i.raw.disp.offset + i.raw.disp.size / 8) : shown;
    k->movable = can_move(k, &i, o);
    return k->wide != 0 && k->wide <= SLOT / 2 &&
           (k->modrm != 0 || k->kind == KIND_LOAD || k->kind == KIND_STORE) && !k->segment &&
           k->kind != KIND_NONE;
}
