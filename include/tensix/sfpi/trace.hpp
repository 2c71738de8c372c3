/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sfpi.hpp records before registers are known: values, instructions that name values instead
 * of registers, and the nesting of v_if. A tracer belongs to one recorder (record.h) and holds its
 * words back until tx_record_settle; sfpi/settle.hpp then gives them registers.
 *
 * A value is written in the lanes that are enabled where it is made. Each place has a region, which
 * is its set of lanes; the regions form a tree in which children are subsets. Assigning to a
 * variable makes a new value if no lane of the old one can be needed any more; otherwise it writes
 * to the old one's register.
 */
#ifndef TENSIX_SFPI_TRACE_HPP
#define TENSIX_SFPI_TRACE_HPP

#include <tensix/sfpi/words.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

namespace sfpi::trace
{

inline constexpr unsigned STACK = 8; /* entries of the flag stack */

/* Whether a * b + c is rounded only once. The vendor's compiler does that wherever it can. */
enum class Fuse { none, mad };

struct place {
    const char *file;
    unsigned line;
};

class tracer;

/*
 * A reference-counted pointer to a T, which T::owners counts. It is for one thread, as a recorder
 * is. The compiler reads these headers for every kernel, and <memory> and <algorithm> would take a
 * quarter of that time.
 */
template <typename T> class shared
{
  public:
    shared(std::nullptr_t = nullptr)
    {
    }
    explicit shared(T it) : it_(new T(std::move(it)))
    {
        it_->owners = 1;
    }
    shared(const shared &other) : it_(other.it_)
    {
        if (it_ != nullptr) {
            it_->owners++;
        }
    }
    shared(shared &&other) noexcept : it_(other.it_)
    {
        other.it_ = nullptr;
    }
    shared &operator=(shared other) noexcept
    {
        std::swap(it_, other.it_);
        return *this;
    }
    ~shared()
    {
        if (it_ != nullptr && --it_->owners == 0) {
            delete it_;
        }
    }
    const T *operator->() const
    {
        return it_;
    }
    const T &operator*() const
    {
        return *it_;
    }
    friend bool operator==(const shared &a, const shared &b)
    {
        return a.it_ == b.it_;
    }
    friend bool operator!=(const shared &a, const shared &b)
    {
        return a.it_ != b.it_;
    }

  private:
    T *it_ = nullptr;
};

/* Variables with the same value share it, and with it what the tracer knows about it. */
struct value {
    const tracer *owner;
    int id;
    int owners = 0;
};
using handle = shared<value>;

/* What is known about a value, by its number. */
struct about {
    handle own; /* NULL: it was made by the lowering and belongs to no variable */
    int region = 0;
    int settled = -1;      /* the register that it has in words that are out already, or -1 */
    int alias = -1;        /* constant register L11..L15 that it was read from, or -1 */
    bool constant = false; /* it is `bits`, and nothing else was ever written to it */
    std::uint32_t bits = 0;

    int variables() const /* how many hold it */
    {
        return own == nullptr ? 0 : own->owners - 1;
    }
};

enum class kind : std::uint8_t { word, taken, copy, constant, mul, add, mad };

/* An operand of an instruction: a value (>= 0) or a register (-1 - number). */
struct operand {
    int what;
    std::int8_t needs; /* the only register that it may be in, or -1 */
    field at;          /* field::none: no field of the word names it */
    bool read, write;
    bool copied = false; /* it was copied to be in the register that it needs */
};

struct instruction {
    kind is;
    std::uint32_t word; /* without register numbers; for kind::constant the bits */
    int region = 0;
    bool merges = false; /* lanes that are not enabled keep what they hold */
    bool keeps = false;  /* has an effect besides writing its operands */
    bool apart = false;  /* must not become part of a multiply-add */
    bool minus_product = false, minus_addend = false;
    std::uint8_t count = 0;
    std::array<operand, 8> operands{};
    place at{nullptr, 0};

    explicit instruction(std::uint32_t word, kind is = kind::word) : is(is), word(word)
    {
    }
    instruction &with(int what, field in, bool read, bool write, int needs = -1)
    {
        operands[count++] = {what, std::int8_t(needs), in, read, write, false};
        return *this;
    }
    instruction &reads(int what, field in = field::none, int needs = -1)
    {
        return with(what, in, true, false, needs);
    }
    instruction &writes(int what, field in = field::none)
    {
        return with(what, in, false, true);
    }
    instruction &changes(int what, field in = field::none, int needs = -1)
    {
        return with(what, in, true, true, needs);
    }
    instruction &stays() /* though nobody reads what it writes */
    {
        keeps = true;
        return *this;
    }
    operand *begin()
    {
        return operands.data();
    }
    operand *end()
    {
        return operands.data() + count;
    }
    const operand *begin() const
    {
        return operands.data();
    }
    const operand *end() const
    {
        return operands.data() + count;
    }
};

constexpr int lreg(int number)
{
    return -1 - number;
}

/* Whether one SFPADDI or SFPMULI can load these bits. */
constexpr bool is_bf16(std::uint32_t bits)
{
    return (bits & 0xffff) == 0;
}

struct condition {
    enum test { lt0, ge0, eq0, ne0, gt0, le0, all, any, no } what;
    handle tested;
    shared<condition> a, b;
    int owners = 0;
};
using condition_ptr = shared<condition>;

class tracer
{
  public:
    place here{nullptr, 0};
#ifdef TENSIX_FUSE_NONE
    Fuse fuse = Fuse::none;
#else
    Fuse fuse = Fuse::mad;
#endif

    explicit tracer(tx_recorder *recorder) : recorder_(recorder), into_(recorder->into)
    {
        for (unsigned s = 0; s < TX_RECORD_SECTIONS; s++) {
            for (std::size_t i = 0; i < recorder->section[s].count; i++) {
                const std::uint32_t word = recorder->section[s].words[i].word;
                look(word);
                held_ |= s == into_ && !touched_by(word).anything ? touched_by(word).writes : 0;
            }
        }
    }
    tracer(const tracer &) = delete;
    tracer &operator=(const tracer &) = delete;

    /*
     * Returns the tracer of the thread's recorder and sets the place for what follows; file NULL:
     * as before.
     */
    static tracer &at(const char *file, unsigned line)
    {
        tx_recorder *recorder = tx_recorder_get(file, line);
        if (recorder->tracer == nullptr) {
            recorder->tracer = new tracer(recorder);
            recorder->trace = tell;
        }
        auto &t = *static_cast<tracer *>(recorder->tracer);
        if (file != nullptr) {
            t.here = {file, line};
        }
        return t;
    }

    static tracer &current()
    {
        return at(nullptr, 0);
    }

    template <typename... Args> void fail(place where, const char *format, Args... args)
    {
        if (recorder_->error[0] == '\0') {
            const int length =
                std::snprintf(recorder_->error, sizeof recorder_->error,
                              "%.120s:%u: ", where.file != nullptr ? where.file : "?", where.line);
            std::snprintf(recorder_->error + length, sizeof recorder_->error - std::size_t(length),
                          format, args...);
            tx_record_stop(recorder_);
        }
    }
    void fail(place where, const char *text)
    {
        fail(where, "%s", text);
    }

    /* ---- values ---- */

    handle fresh()
    {
        const handle h(value{this, int(values_.size())});
        values_.push_back({});
        values_.back().own = h;
        values_.back().region = region_;
        return h;
    }

    /* Returns the number of the value that a variable holds. */
    int id(const handle &h)
    {
        if (h == nullptr) {
            fail(here, "a variable is read before it has a value");
        } else if (h->owner != this) {
            fail(here, "a variable of another recording is used");
        } else {
            return h->id;
        }
        return fresh()->id;
    }

    const about &of(const handle &h)
    {
        return values_[std::size_t(id(h))];
    }

    handle constant(std::uint32_t bits)
    {
        const handle h = fresh();
        values_.back().constant = true;
        values_.back().bits = bits;
        add(instruction(bits, kind::constant).writes(h->id));
        return h;
    }

    /* Notes that h equals the constant register as long as nothing is written to that. */
    void is_register(const handle &h, int number)
    {
        values_[std::size_t(h->id)].alias = number;
    }

    /* Records VD = from, which is left out if both can be in one register. */
    void copy(int to, int from, bool merges, bool all_lanes)
    {
        instruction i(TT_OP_SFPMOV(0, 0, 0, all_lanes ? 2 : 0), kind::copy);
        i.merges = merges;
        i.keeps = to < 0;
        add(i.reads(from, field::vc).writes(to, field::vd));
    }

    /*
     * Returns a new value that equals h and may be changed; with all_lanes also in lanes that are
     * not enabled.
     */
    handle changeable(const handle &h, bool all_lanes = false)
    {
        const int from = id(h);
        handle to = fresh();
        copy(to->id, from, false, all_lanes);
        return to;
    }

    /* Assigns: variable = from. */
    void assign(handle &variable, const handle &from)
    {
        const int source = id(from);
        if (variable == from) {
            return;
        }
        if (variable == nullptr || covers(region_, values_[std::size_t(id(variable))].region)) {
            variable = from;
            return;
        }
        own(variable);
        about &old = values_[std::size_t(variable->id)];
        old.constant = false;
        old.alias = -1;
        old.region = common(old.region, region_);
        copy(variable->id, source, true, false);
    }

    /* ---- instructions ---- */

    void add(instruction i)
    {
        if (recorder_->error[0] != '\0') {
            return;
        }
        i.region = region_;
        i.at = here;
        i.apart = i.apart || fuse == Fuse::none;
        code_.push_back(i);
        if (code_.size() > 2u * TX_RECORD_WORDS) {
            fail(here, "more than %d words", int(TX_RECORD_WORDS));
        }
    }

    /* Records an instruction that writes a new value, and returns that. */
    handle made_by(instruction i, field at = field::vd)
    {
        const handle result = fresh();
        add(i.writes(result->id, at));
        return result;
    }

    void effect(std::uint32_t word)
    {
        add(instruction(word).stays());
    }

    /* ---- lanes ---- */

    void push()
    {
        if (pushes_.size() == STACK) {
            fail(here, "v_if is nested deeper than the %u entries of the flag stack", STACK);
            return;
        }
        enable();
        effect(TT_OP_SFPPUSHC(0, 0, 0, 0));
        pushes_.push_back({region_, true});
    }

    void pop()
    {
        if (!pushes_.empty()) {
            effect(TT_OP_SFPPOPC(0, 0, 0, 0));
            region_ = pushes_.back().region;
            pushes_.pop_back();
        }
    }

    /* Enables the lanes of the last push that are not enabled now. */
    void complement()
    {
        if (!pushes_.empty()) {
            effect(TT_OP_SFPCOMPC(0, 0, 0, 0));
            pushes_.back().fresh = false;
            enter(pushes_.back().region);
        }
    }

    /* Keeps those of the enabled lanes in which c holds. */
    void narrow(const condition_ptr &c)
    {
        if (pushes_.empty()) {
            fail(here, "a condition outside of v_if and v_block");
            return;
        }
        narrow(*c, false);
        enter(region_);
    }

    tx_recorder *recorder() const
    {
        return recorder_;
    }

  private:
    friend class lowering;
    friend class settlement;

    struct frame {
        int region;
        bool fresh; /* the enabled lanes are still those of the entry */
    };

    tx_recorder *recorder_;
    std::vector<about> values_;
    std::vector<instruction> code_;
    std::vector<frame> pushes_;
    std::vector<int> parents_{-1};
    int region_ = 0;
    /* Registers L0..L7 that the program's own words have written in section into_. */
    unsigned held_ = 0;
    unsigned into_;
    bool enabled_ = false;  /* SFPENCC has been recorded */
    bool minus_one_ = true; /* L11 still holds -1, as after reset */

    static void tell(tx_recorder *recorder, tx_trace what, const tx_recorded *word)
    {
        auto *t = static_cast<tracer *>(recorder->tracer);
        switch (what) {
        case TX_TRACE_WORD:
            t->take(*word);
            break;
        case TX_TRACE_SETTLE:
            t->settle();
            break;
        case TX_TRACE_FREE:
            delete t;
            recorder->tracer = nullptr;
            recorder->trace = nullptr;
            break;
        }
    }

    /* Follows what a word of the program's own changes for later ones. */
    void look(std::uint32_t word)
    {
        enabled_ = enabled_ || word == TT_OP_SFPENCC(3, 0, 0, 10);
        minus_one_ = minus_one_ && !(TX_INSN_OF(word) == TX_INSN_SFPCONFIG &&
                                     operands(*row_of(word), word).vd == 11);
    }

    void take(const tx_recorded &recorded)
    {
        look(recorded.word);
        const place before = here;
        here = {recorded.file, recorded.line};
        add(instruction(recorded.word, kind::taken).stays());
        here = before;
    }

    /* Makes the lane flags count, with all lanes enabled: without this no lane flag is ever set. */
    void enable()
    {
        if (enabled_) {
            return;
        }
        enabled_ = true;
        if (recorder_->into == TX_RECORD_INIT) {
            effect(TT_OP_SFPENCC(3, 0, 0, 10));
        } else {
            tx_record_append(recorder_, TX_RECORD_INIT, TT_OP_SFPENCC(3, 0, 0, 10), here.file,
                             here.line);
        }
    }

    void enter(int parent)
    {
        parents_.push_back(parent);
        region_ = int(parents_.size()) - 1;
    }

    bool covers(int outer, int inner) const
    {
        while (inner > outer) { /* a child has a higher number than its parent */
            inner = parents_[std::size_t(inner)];
        }
        return inner == outer;
    }

    int common(int a, int b) const
    {
        while (!covers(a, b)) {
            a = parents_[std::size_t(a)];
        }
        return a;
    }

    /* The variable's value is about to change in place, so no other variable may share it. */
    void own(handle &variable)
    {
        if (values_[std::size_t(variable->id)].variables() > 1) {
            const handle old = variable;
            const int region = values_[std::size_t(old->id)].region;
            variable = fresh();
            values_.back().region = region;
            copy(variable->id, old->id, false, true);
        }
    }

    void setcc(const handle &tested, condition::test test)
    {
        static constexpr unsigned modes[] = {0, 4, 6, 2};
        add(instruction(TT_OP_SFPSETCC(0, 0, 0, modes[test])).stays().reads(id(tested), field::vc));
        pushes_.back().fresh = false;
    }

    static condition::test opposite(condition::test test)
    {
        static constexpr condition::test opposites[] = {condition::ge0, condition::lt0,
                                                        condition::ne0, condition::eq0,
                                                        condition::le0, condition::gt0};
        return opposites[test];
    }

    /* Returns whether the condition is a union of lanes, which takes a complement. */
    static bool is_union(const condition &c, bool negated)
    {
        return c.what == condition::no    ? is_union(*c.a, !negated)
               : c.what == condition::gt0 ? negated
               : c.what == condition::le0 ? !negated
                                          : (c.what == (negated ? condition::all : condition::any));
    }

    /*
     * Narrows to the lanes of both parts of c, each negated or not. The parts of gt0 and le0 are
     * "at least 0" and "not 0".
     */
    void narrow_parts(const condition &c, bool negated)
    {
        if (c.what == condition::gt0 || c.what == condition::le0) {
            setcc(c.tested, condition::ge0);
            setcc(c.tested, condition::ne0);
        } else if (is_union(*c.b, negated) && !is_union(*c.a, negated)) {
            /* First, while the stack's entry can still serve its complement. */
            narrow(*c.b, negated);
            narrow(*c.a, negated);
        } else {
            narrow(*c.a, negated);
            narrow(*c.b, negated);
        }
    }

    void narrow(const condition &c, bool negated)
    {
        if (c.what == condition::no) {
            narrow(*c.a, !negated);
        } else if (c.what < condition::gt0) {
            setcc(c.tested, negated ? opposite(c.what) : c.what);
        } else if (!is_union(c, negated)) {
            narrow_parts(c, negated);
        } else if (pushes_.back().fresh) {
            narrow_parts(c, !negated);
            effect(TT_OP_SFPCOMPC(0, 0, 0, 0));
            pushes_.back().fresh = false;
        } else {
            narrow_kept(c, negated);
        }
    }

    /*
     * Computes the lanes in which c does not hold as a value, because the stack's entry is needed
     * for the v_if.
     */
    void narrow_kept(const condition &c, bool negated)
    {
        const handle failed = constant(0);
        values_[std::size_t(failed->id)].constant = false;
        push();
        if (recorder_->error[0] != '\0') {
            return;
        }
        narrow_parts(c, !negated);
        instruction one(1, kind::constant);
        one.merges = true;
        add(one.writes(failed->id));
        pop();
        setcc(failed, condition::eq0);
    }

    void settle(); /* sfpi/settle.hpp */
};

} // namespace sfpi::trace

#endif
