/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first step after tracing: turns what a tracer holds into instructions of the hardware, which
 * still name values instead of registers. Drops what nobody reads, forms multiply-adds, and chooses
 * constants.
 */
#ifndef TENSIX_SFPI_LOWER_HPP
#define TENSIX_SFPI_LOWER_HPP

#include <tensix/sfpi/trace.hpp>

#include <utility>

namespace sfpi::trace
{

/* A stable insertion sort: the lists are short or almost sorted. */
template <typename T, typename Before> void sort(std::vector<T> &all, Before before)
{
    for (std::size_t i = 1; i < all.size(); i++) {
        for (std::size_t k = i; k > 0 && before(all[k], all[k - 1]); k--) {
            std::swap(all[k], all[k - 1]);
        }
    }
}

class lowering
{
  public:
    explicit lowering(tracer &t) : t_(t), values_(t.values_), code_(std::move(t.code_))
    {
        t.code_.clear();
        kept_.resize(values_.size());
        for (std::size_t v = 0; v < values_.size(); v++) {
            kept_[v] = values_[v].variables() > 0;
        }
    }

    void run()
    {
        drop_dead();
        fuse();
        drop_dead();
        lower();
        drop_dead();
        sink_constants();
        retarget();
    }

  protected:
    tracer &t_;
    std::vector<about> &values_;
    std::vector<instruction> code_;
    std::vector<char> kept_; /* by value: variables that live on after the code */

    /* ---- values that nobody reads ---- */

    void drop_dead()
    {
        std::vector<char> needed = kept_;
        needed.resize(values_.size());
        std::size_t to = code_.size();
        for (std::size_t k = code_.size(); k-- > 0;) {
            const instruction &i = code_[k];
            bool useful = i.keeps;
            for (const operand &o : i) {
                useful = useful || (o.write && o.what >= 0 && needed[std::size_t(o.what)]);
            }
            if (!useful) {
                continue;
            }
            for (const operand &o : i) {
                if (o.what >= 0 && o.write && !o.read && !i.merges) {
                    needed[std::size_t(o.what)] = false;
                }
            }
            for (const operand &o : i) {
                if (o.what >= 0 && o.read) {
                    needed[std::size_t(o.what)] = true;
                }
            }
            to--;
            if (to != k) {
                code_[to] = code_[k];
            }
        }
        code_.erase(code_.begin(), code_.begin() + std::ptrdiff_t(to));
    }

    /* ---- multiply-adds ---- */

    struct uses {
        int reads = 0, writes = 0, written = -1;
    };

    std::vector<uses> count_uses() const
    {
        std::vector<uses> all(values_.size());
        for (std::size_t k = 0; k < code_.size(); k++) {
            for (const operand &o : code_[k]) {
                if (o.what >= 0) {
                    uses &u = all[std::size_t(o.what)];
                    u.reads += o.read ? 1 : 0;
                    u.writes += o.write ? 1 : 0;
                    u.written = o.write ? int(k) : u.written;
                }
            }
        }
        return all;
    }

    bool touches(std::size_t k, int what, bool writes_only) const
    {
        for (const operand &o : code_[k]) {
            if (o.what == what && (o.write || !writes_only)) {
                return true;
            }
        }
        return false;
    }

    /* Returns the index of the product that the addition k can absorb as its operand n, or -1. */
    int product_of(const std::vector<uses> &all, std::size_t k, unsigned n) const
    {
        const int what = code_[k].operands[n].what;
        if (what < 0 || kept_[std::size_t(what)] || all[std::size_t(what)].reads != 1 ||
            all[std::size_t(what)].writes != 1) {
            return -1;
        }
        const int at = all[std::size_t(what)].written;
        const instruction &product = code_[std::size_t(at)];
        if (product.is != kind::mul || product.merges || product.apart ||
            !t_.covers(product.region, code_[k].region)) {
            return -1;
        }
        for (std::size_t m = std::size_t(at) + 1; m < k; m++) {
            if (touches(m, product.operands[0].what, true) ||
                touches(m, product.operands[1].what, true)) {
                return -1;
            }
        }
        return at;
    }

    void fuse()
    {
        const std::vector<uses> all = count_uses();
        for (std::size_t k = 0; k < code_.size(); k++) {
            instruction &sum = code_[k];
            if (sum.is != kind::add || sum.apart) {
                continue;
            }
            for (unsigned n = 0; n < 2; n++) {
                const int at = product_of(all, k, n);
                if (at < 0) {
                    continue;
                }
                const instruction &product = code_[std::size_t(at)];
                const operand addend = sum.operands[1 - n];
                const operand result = sum.operands[2];
                const bool minus = sum.minus_addend;
                sum.is = kind::mad;
                sum.minus_product = minus && n == 1;
                sum.minus_addend = minus && n == 0;
                sum.operands[0] = product.operands[0];
                sum.operands[1] = product.operands[1];
                sum.operands[2] = addend;
                sum.operands[3] = result;
                sum.count = 4;
                break;
            }
        }
    }

    /* ---- one hardware instruction for each ---- */

    /* Returns the constant register L8..L15 that holds the value, or the value itself. */
    int constant_register(const std::vector<std::vector<int>> &configured, int what, int k,
                          const std::vector<uses> &all) const
    {
        if (what < 0) {
            return what;
        }
        const about &v = values_[std::size_t(what)];
        if (v.constant) {
            switch (v.bits) {
            case 0x3f56594b:
                return lreg(8);
            case 0:
                return lreg(9);
            case 0x3f800000:
                return lreg(10);
            case 0xbf800000:
                return t_.minus_one_ ? lreg(11) : what;
            default:
                return what;
            }
        }
        if (v.alias >= 0 && v.settled < 0) {
            const int from = all[std::size_t(what)].written;
            for (const int c : configured[std::size_t(v.alias)]) {
                if (c > from && c < k) {
                    return what;
                }
            }
            return lreg(v.alias);
        }
        return what;
    }

    bool loads_at_once(int what) const
    {
        return what >= 0 && values_[std::size_t(what)].constant &&
               is_bf16(values_[std::size_t(what)].bits);
    }

    static instruction like(const instruction &from, std::uint32_t word, kind is = kind::word)
    {
        instruction i(word, is);
        i.region = from.region;
        i.merges = from.merges;
        i.at = from.at;
        return i;
    }

    int scratch(int region)
    {
        values_.push_back({});
        values_.back().region = region;
        kept_.push_back(false);
        return int(values_.size()) - 1;
    }

    /*
     * Returns a value with the other sign, since Wormhole's multiply-add cannot negate its sources.
     */
    int negated(const instruction &from, int what)
    {
        instruction i = like(from, TT_OP_SFPMOV(0, 0, 0, 1));
        const int to = scratch(from.region);
        i.merges = false;
        lowered_.push_back(i.reads(what, field::vc).writes(to, field::vd));
        return to;
    }

    void multiply_add(const instruction &i, std::uint32_t word, int a, int b, int c, int d)
    {
        lowered_.push_back(like(i, word)
                               .reads(a, field::va)
                               .reads(b, field::vb)
                               .reads(c, field::vc)
                               .writes(d, field::vd));
    }

    /* Emits VD = x, then VD = VD op immediate. */
    void immediate(const instruction &i, std::uint32_t word, int x, int d)
    {
        lowered_.push_back(
            like(i, TT_OP_SFPMOV(0, 0, 0, 0), kind::copy).reads(x, field::vc).writes(d, field::vd));
        lowered_.push_back(like(i, word).changes(d, field::vd));
    }

    std::vector<instruction> lowered_;

    void lower_mul(const instruction &i, int a, int b)
    {
        const int d = i.operands[2].what;
        if (loads_at_once(a) && !loads_at_once(b)) {
            std::swap(a, b);
        }
        if (loads_at_once(b) && a >= 0) {
            immediate(i, TT_OP_SFPMULI(values_[std::size_t(b)].bits >> 16, 0, 0), a, d);
        } else {
            multiply_add(i, TT_OP_SFPMUL(0, 0, 0, 0, 0), a, b, lreg(9), d);
        }
    }

    void lower_add(const instruction &i, int a, int b)
    {
        const int d = i.operands[2].what;
        const bool minus = i.minus_addend;
        if (loads_at_once(b) && a >= 0) {
            const std::uint32_t sign = minus ? 0x8000 : 0;
            immediate(i, TT_OP_SFPADDI(values_[std::size_t(b)].bits >> 16 ^ sign, 0, 0), a, d);
        } else if (loads_at_once(a) && b >= 0 && !minus) {
            immediate(i, TT_OP_SFPADDI(values_[std::size_t(a)].bits >> 16, 0, 0), b, d);
        } else if (!minus) {
            multiply_add(i, TT_OP_SFPADD(0, 0, 0, 0, 0), lreg(10), a, b, d);
        } else if (BLACKHOLE) {
            multiply_add(i, TT_OP_SFPADD(0, 0, 0, 0, 2), lreg(10), a, b, d);
        } else if (t_.minus_one_) {
            multiply_add(i, TT_OP_SFPMAD(0, 0, 0, 0, 0), b, lreg(11), a, d);
        } else {
            multiply_add(i, TT_OP_SFPADD(0, 0, 0, 0, 0), lreg(10), a, negated(i, b), d);
        }
    }

    void lower_mad(const instruction &i, int a, int b, int c)
    {
        const int d = i.operands[3].what;
        const unsigned mode = (i.minus_product ? 1u : 0u) | (i.minus_addend ? 2u : 0u);
        if (!BLACKHOLE && i.minus_product) {
            a = negated(i, a);
        }
        if (!BLACKHOLE && i.minus_addend) {
            c = negated(i, c);
        }
        multiply_add(i, TT_OP_SFPMAD(0, 0, 0, 0, BLACKHOLE ? mode : 0u), a, b, c, d);
    }

    void lower()
    {
        const std::vector<uses> all = count_uses();
        std::vector<std::vector<int>> configured(16);
        for (std::size_t k = 0; k < code_.size(); k++) {
            if (code_[k].is != kind::constant && TX_INSN_OF(code_[k].word) == TX_INSN_SFPCONFIG) {
                configured[operands(*row_of(code_[k].word), code_[k].word).vd].push_back(int(k));
            }
        }
        lowered_.clear();
        for (std::size_t k = 0; k < code_.size(); k++) {
            instruction i = code_[k];
            for (operand &o : i) {
                if (o.read && !o.write && o.needs < 0 && i.is != kind::taken) {
                    o.what = constant_register(configured, o.what, int(k), all);
                }
            }
            if (i.is == kind::mul) {
                lower_mul(i, i.operands[0].what, i.operands[1].what);
            } else if (i.is == kind::add) {
                lower_add(i, i.operands[0].what, i.operands[1].what);
            } else if (i.is == kind::mad) {
                lower_mad(i, i.operands[0].what, i.operands[1].what, i.operands[2].what);
            } else {
                lowered_.push_back(i);
            }
        }
        code_.swap(lowered_);
    }

    /* ---- constants are loaded where they are first read, in the same lanes ---- */

    static bool changes_lanes(const instruction &i)
    {
        return i.is == kind::taken || (i.is == kind::word && changes_flags(i.word));
    }

    void sink_constants()
    {
        std::vector<instruction> sunk, waiting;
        const auto release = [&](auto chosen) {
            for (std::size_t n = 0; n < waiting.size();) {
                if (chosen(waiting[n])) {
                    sunk.push_back(waiting[n]);
                    waiting.erase(waiting.begin() + std::ptrdiff_t(n));
                } else {
                    n++;
                }
            }
        };
        for (const instruction &i : code_) {
            if (i.is == kind::constant && values_[std::size_t(i.operands[0].what)].constant) {
                waiting.push_back(i);
                continue;
            }
            for (const operand &o : i) {
                release([&](const instruction &load) { return load.operands[0].what == o.what; });
            }
            if (changes_lanes(i)) { /* sorted: compilers create them in different orders */
                sort(waiting,
                     [](const instruction &a, const instruction &b) { return a.word < b.word; });
                release([](const instruction &) { return true; });
            }
            sunk.push_back(i);
        }
        release([](const instruction &) { return true; });
        code_.swap(sunk);
    }

    /* ---- a value that is only copied is made in the copy's place ---- */

    bool made_in_place(std::size_t k, std::size_t &first) const
    {
        const int from = code_[k].operands[0].what;
        const int to = code_[k].operands[1].what;
        first = k;
        while (first > 0 && code_[first - 1].region == code_[k].region &&
               code_[first - 1].is != kind::taken) {
            first--;
            if (touches(first, from, true)) {
                const instruction &i = code_[first];
                bool begins = !i.merges;
                for (const operand &o : i) {
                    begins = begins && !(o.what == from && o.read);
                    if ((o.what == from && o.needs >= 0) || (o.what == to && o.write)) {
                        return false;
                    }
                }
                if (begins) {
                    return true;
                }
            }
            if (touches(first, to, false)) {
                return false;
            }
        }
        return false;
    }

    void retarget(const std::vector<uses> &all, std::vector<int> &self_reads, std::size_t k)
    {
        instruction &copy = code_[k];
        const int from = copy.operands[0].what;
        const int to = copy.operands[1].what;
        std::size_t first = k;
        if (copy.is != kind::copy || !copy.merges || from < 0 || to < 0 ||
            kept_[std::size_t(from)] ||
            all[std::size_t(from)].reads - self_reads[std::size_t(from)] != 1 ||
            !made_in_place(k, first)) {
            return;
        }
        for (std::size_t m = first; m < k; m++) {
            for (operand &o : code_[m]) {
                if (o.what == from) {
                    code_[m].merges = true;
                    o.what = to;
                    if (code_[m].is == kind::copy) { /* a copy of all lanes would write too many */
                        code_[m].word = TT_OP_SFPMOV(0, 0, 0, 0);
                    }
                }
            }
        }
        copy.count = 0; /* removed: it writes nothing */
        copy.merges = false;
        retarget(all, self_reads, first);
    }

    void retarget()
    {
        const std::vector<uses> all = count_uses();
        std::vector<int> self_reads(values_.size());
        for (const instruction &i : code_) {
            for (const operand &o : i) {
                if (o.what >= 0 && o.read && o.write) {
                    self_reads[std::size_t(o.what)]++;
                }
            }
        }
        for (std::size_t k = 0; k < code_.size(); k++) {
            if (code_[k].is == kind::copy && code_[k].merges) {
                retarget(all, self_reads, k);
            }
        }
        drop_dead();
    }
};

} // namespace sfpi::trace

#endif
