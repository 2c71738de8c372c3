/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last step: gives the registers L0..L7 to values in the order in which the values begin, and
 * passes the words to the recorder.
 */
#ifndef TENSIX_SFPI_SETTLE_HPP
#define TENSIX_SFPI_SETTLE_HPP

#include <tensix/sfpi/lower.hpp>

#include <climits>

namespace sfpi::trace
{

class settlement : lowering
{
  public:
    using lowering::lowering;

    void run()
    {
        lowering::run();
        if (!place()) {
            return;
        }
        emit();
        for (std::size_t v = 0; v < kept_.size(); v++) {
            if (kept_[v] && spans_[v].reg >= 0) {
                values_[v].settled = spans_[v].reg;
            }
        }
    }

  private:
    bool place()
    {
        if (allocate(false)) {
            return true;
        }
        spread_constants();
        drop_dead();
        return allocate(true);
    }

    /* Where a value is alive. Instruction n reads at 2 n and writes at 2 n + 1. */
    struct span {
        int start = -1, end = -1;
        int reg = -1;  /* the register that it has, or -1 */
        int want = -1; /* a register that would save a copy, or -1 */
        int defined = -1;
        bool fixed = false;
    };
    using interval = std::pair<int, int>;

    std::vector<span> spans_;
    std::vector<interval> taken_[REGISTERS]; /* intervals in which the register must not be given */

    /* ---- registers ---- */

    /* Loads a constant separately for each reader, so that it needs a register only briefly. */
    void spread_constants()
    {
        std::vector<instruction> spread;
        for (instruction i : code_) {
            const bool in_all_lanes =
                i.is == kind::copy &&
                operands(*row_of(i.word), i.word).mode == TX_MOD_SFPMOV_ALL_LANES_ENABLED;
            for (operand &o : i) {
                if (in_all_lanes || o.what < 0 || !o.read || o.write ||
                    !values_[std::size_t(o.what)].constant ||
                    values_[std::size_t(o.what)].settled >= 0) {
                    continue;
                }
                const about known = values_[std::size_t(o.what)];
                const int mine = scratch(i.region);
                values_.back().constant = true;
                values_.back().bits = known.bits;
                instruction load = like(i, known.bits, kind::constant);
                load.merges = false;
                spread.push_back(load.writes(mine));
                o.what = mine;
            }
            spread.push_back(i);
        }
        code_.swap(spread);
    }

    void find_spans()
    {
        spans_.resize(values_.size());
        for (std::size_t v = 0; v < values_.size(); v++) {
            span &s = spans_[v];
            const bool pinned = s.fixed;
            const int reg = s.reg;
            s = {};
            if (values_[v].settled >= 0) {
                s.start = 0;
                s.fixed = true;
                s.reg = values_[v].settled;
            } else if (pinned) {
                s.fixed = true;
                s.reg = reg;
            }
        }
        for (std::size_t k = 0; k < code_.size(); k++) {
            const instruction &i = code_[k];
            for (const operand &o : i) {
                if (o.what >= 0) {
                    span &s = spans_[std::size_t(o.what)];
                    const int at = 2 * int(k) + (o.write ? 1 : 0);
                    s.start = s.start < 0 ? at : s.start;
                    s.end = std::max(s.end, at);
                    s.defined = s.defined < 0 ? int(k) : s.defined;
                }
            }
        }
        for (std::size_t v = 0; v < values_.size(); v++) {
            if (kept_[v] && spans_[v].start >= 0) {
                spans_[v].end = INT_MAX;
            }
        }
    }

    /* Finds the registers that the program's own words and l_reg use. */
    void find_taken()
    {
        for (int p = 0; p < REGISTERS; p++) {
            taken_[p].clear();
            int begin = 0;                                /* where its present content began */
            int last = (t_.held_ >> p & 1) != 0 ? 0 : -1; /* where that was last read, or -1 */
            bool named = last == 0, written = named;
            for (std::size_t k = 0; k < code_.size(); k++) {
                const instruction &i = code_[k];
                const int at = 2 * int(k);
                bool reads = false, writes = false;
                if (i.is == kind::taken) {
                    const touched t = touched_by(i.word);
                    if (t.anything) {
                        taken_[p].push_back({at, at + 1});
                        continue;
                    }
                    reads = (t.reads >> p & 1) != 0;
                    writes = (t.writes >> p & 1) != 0;
                    named = named || reads || writes;
                } else {
                    for (unsigned n = 0; n < i.count; n++) {
                        reads = reads || (i.operands[n].what == lreg(p) && i.operands[n].read);
                        writes = writes || (i.operands[n].what == lreg(p) && i.operands[n].write);
                    }
                }
                const bool replaces = writes && !reads && i.region == 0 && !named;
                if (replaces || (writes && !reads && last < 0 && !written)) {
                    if (last >= 0) {
                        taken_[p].push_back({begin, last});
                    }
                    begin = at + 1;
                    last = at + 1;
                } else if (reads || writes) {
                    last = at + (writes ? 1 : 0);
                }
                written = written || writes;
            }
            if (last >= 0) {
                taken_[p].push_back({begin, INT_MAX});
            }
        }
    }

    bool writes_register(std::size_t k, int reg, int from) const
    {
        const instruction &i = code_[k];
        if (i.is == kind::taken) {
            return (touched_by(i.word).writes >> reg & 1) != 0;
        }
        return touches(k, lreg(reg), true) && !(i.is == kind::copy && i.operands[0].what == from);
    }

    /* A variable that is read from L0..L7 stays there as long as neither is written. */
    void leave_in_place()
    {
        const std::vector<uses> all = count_uses();
        for (std::size_t k = 0; k < code_.size(); k++) {
            const instruction &i = code_[k];
            if (i.is != kind::copy || i.count == 0 || i.operands[0].what >= 0 ||
                i.operands[0].what < lreg(REGISTERS - 1) || i.operands[1].what < 0) {
                continue;
            }
            const int reg = -1 - i.operands[0].what;
            const int v = i.operands[1].what;
            span &s = spans_[std::size_t(v)];
            bool stays = all[std::size_t(v)].writes == 1 && s.end != INT_MAX && !s.fixed;
            for (std::size_t m = k + 1; stays && 2 * int(m) <= s.end; m++) {
                stays = !writes_register(m, reg, v);
            }
            if (stays) {
                s.fixed = true;
                s.reg = reg;
            }
        }
    }

    bool is_free(int reg, std::size_t v) const
    {
        const span &s = spans_[v];
        for (const interval &i : taken_[reg]) {
            if (i.first <= s.end && s.start <= i.second) {
                return false;
            }
        }
        return true;
    }

    bool give_fixed(std::size_t v, int reg)
    {
        if (!is_free(reg, v)) {
            return false;
        }
        spans_[v].fixed = true;
        spans_[v].reg = reg;
        taken_[reg].push_back({spans_[v].start, spans_[v].end});
        return true;
    }

    /*
     * Some operands must be in a particular register: places the operand there if possible, else a
     * copy of it.
     */
    bool give_needed()
    {
        std::vector<instruction> placed;
        bool changed = false;
        for (const instruction &original : code_) {
            instruction i = original;
            for (operand &o : i) {
                const std::size_t v = std::size_t(o.what);
                if (o.needs < 0 || o.what < 0 || (spans_[v].fixed && spans_[v].reg == o.needs) ||
                    (!spans_[v].fixed && give_fixed(v, o.needs))) {
                    continue;
                }
                if (o.write || o.copied) {
                    t_.fail(i.at, "L%d is needed here and holds something else", o.needs);
                    return false;
                }
                const int mine = scratch(i.region);
                placed.push_back(like(i, TT_OP_SFPMOV(0, 0, 0, 0), kind::copy)
                                     .reads(o.what, field::vc)
                                     .writes(mine, field::vd));
                o.what = mine;
                o.copied = true;
                changed = true;
            }
            placed.push_back(i);
        }
        code_.swap(placed);
        return changed;
    }

    void find_wishes()
    {
        for (const instruction &i : code_) {
            if (i.is != kind::copy || i.count == 0) {
                continue;
            }
            const int from = i.operands[0].what;
            const int to = i.operands[1].what;
            if (from >= 0 && to >= 0 && spans_[std::size_t(to)].fixed) {
                spans_[std::size_t(from)].want = spans_[std::size_t(to)].reg;
            } else if (from >= 0 && to < 0 && to >= lreg(REGISTERS - 1)) {
                spans_[std::size_t(from)].want = -1 - to;
            } else if (to >= 0 && from < 0 && from >= lreg(REGISTERS - 1)) {
                spans_[std::size_t(to)].want = -1 - from;
            }
        }
    }

    int choose(std::size_t v, const int *busy) const
    {
        const span &s = spans_[v];
        int wish = s.want;
        const instruction &i = code_[std::size_t(s.defined)];
        if (wish < 0 && i.is == kind::copy && i.operands[0].what >= 0) {
            wish = spans_[std::size_t(i.operands[0].what)].reg;
        }
        if (wish >= 0 && busy[wish] < s.start && is_free(wish, v)) {
            return wish;
        }
        for (int reg = 0; reg < REGISTERS; reg++) {
            if (busy[reg] < s.start && is_free(reg, v)) {
                return reg;
            }
        }
        return -1;
    }

    bool allocate(bool last)
    {
        spans_.clear();
        do {
            find_spans();
            find_taken();
            leave_in_place();
            for (std::size_t v = 0; v < spans_.size(); v++) {
                if (spans_[v].fixed && spans_[v].end >= 0) {
                    taken_[spans_[v].reg].push_back({spans_[v].start, spans_[v].end});
                }
            }
        } while (give_needed());
        if (tx_recorder_error(t_.recorder_) != nullptr) {
            return false;
        }
        find_wishes();
        std::vector<std::size_t> order;
        for (std::size_t v = 0; v < spans_.size(); v++) {
            if (spans_[v].start >= 0 && !spans_[v].fixed) {
                order.push_back(v);
            }
        }
        sort(order,
             [this](std::size_t a, std::size_t b) { return spans_[a].start < spans_[b].start; });
        int busy[REGISTERS];
        std::fill(busy, busy + REGISTERS, -1);
        for (const std::size_t v : order) {
            const int reg = choose(v, busy);
            if (reg < 0) {
                if (last) {
                    t_.fail(code_[std::size_t(spans_[v].defined)].at,
                            "more values are live here than L0 to L7 hold");
                }
                return false;
            }
            spans_[v].reg = reg;
            busy[reg] = spans_[v].end;
        }
        return true;
    }

    /* ---- words ---- */

    int given(int what) const
    {
        return what < 0 ? -1 - what : spans_[std::size_t(what)].reg;
    }

    void put(const instruction &i, std::uint32_t word)
    {
        tx_recorder *r = t_.recorder_;
        const auto &section = r->section[r->into];
        if (section.count > 0 && (i.is != kind::taken || !last_taken_) &&
            needs_nop(section.words[section.count - 1].word, word)) {
            tx_record_append(r, r->into, TT_OP_SFPNOP, i.at.file, i.at.line);
        }
        tx_record_append(r, r->into, word, i.at.file, i.at.line);
        last_taken_ = i.is == kind::taken;
    }

    /*
     * Registers that the program names by number are not used by what is settled later in the
     * section.
     */
    void hold(const instruction &i)
    {
        if (i.is == kind::taken && !touched_by(i.word).anything) {
            t_.held_ |= touched_by(i.word).reads | touched_by(i.word).writes;
        }
        for (unsigned n = 0; n < i.count; n++) {
            const int reg = -1 - i.operands[n].what;
            t_.held_ |= reg >= 0 && reg < REGISTERS ? 1u << reg : 0;
        }
    }

    void put_constant(const instruction &i, int reg)
    {
        const std::uint32_t bits = i.word;
        const std::uint32_t low = bits & 0xffff;
        const std::uint32_t high = bits >> 16;
        const std::uint32_t half =
            (high & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10 & 0x7c00) | (bits >> 13 & 0x3ff);
        if (low == 0) {
            put(i, TT_OP_SFPLOADI(reg, SFPLOADI_MOD0_FLOATB, high));
        } else if (high == 0) {
            put(i, TT_OP_SFPLOADI(reg, SFPLOADI_MOD0_USHORT, low));
        } else if (high == 0xffff && (low & 0x8000) != 0) {
            put(i, TT_OP_SFPLOADI(reg, SFPLOADI_MOD0_SHORT, low));
        } else if ((bits & 0x1fff) == 0 && (bits >> 23 & 0xff) >= 112 &&
                   (bits >> 23 & 0xff) < 143) {
            put(i, TT_OP_SFPLOADI(reg, SFPLOADI_MOD0_FLOATA, half));
        } else {
            put(i, TT_OP_SFPLOADI(reg, SFPLOADI_MOD0_UPPER, high));
            put(i, TT_OP_SFPLOADI(reg, SFPLOADI_MOD0_LOWER, low));
        }
    }

    void emit()
    {
        for (const instruction &i : code_) {
            hold(i);
            if (i.is == kind::copy &&
                (i.count == 0 || given(i.operands[0].what) == given(i.operands[1].what))) {
                continue;
            }
            if (i.is == kind::constant) {
                put_constant(i, given(i.operands[0].what));
                continue;
            }
            std::uint32_t word = i.word;
            for (unsigned n = 0; n < i.count; n++) {
                if (i.operands[n].at != field::none) {
                    word = with(word, i.operands[n].at, std::uint32_t(given(i.operands[n].what)));
                }
            }
            put(i, word);
        }
    }

    bool last_taken_ = true;
};

inline void tracer::settle()
{
    if (into_ != recorder_->into) {
        into_ = recorder_->into;
        held_ = 0;
    }
    if (recorder_->error[0] == '\0' && !code_.empty()) {
        settlement(*this).run();
    }
    code_.clear();
}

} // namespace sfpi::trace

#endif
