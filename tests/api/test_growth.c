/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of other versions: structs that are shorter or longer than the library's (tensix/base.h,
 * docs/decisions/0006). A longer one has unknown members behind ours, a shorter one ends earlier.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tensix/tensix.h>

/*
 * Members beyond the library's must lie beyond its struct: no padding at the end of those that the
 * library reads. Where this fails, add a reserved member behind the new one.
 */
#define SIZE_OF(type, last) (offsetof(struct type, last) + sizeof(((struct type *)0)->last))
_Static_assert(SIZE_OF(tx_settings, reserved) == sizeof(struct tx_settings), "padding at the end");
_Static_assert(SIZE_OF(tx_host, reserved) == sizeof(struct tx_host), "padding at the end");
_Static_assert(SIZE_OF(tx_tensix_settings, reserved) == sizeof(struct tx_tensix_settings),
               "padding at the end");
_Static_assert(SIZE_OF(tx_asm_options, include_user) == sizeof(struct tx_asm_options),
               "padding at the end");
_Static_assert(SIZE_OF(tx_kernel_options, start) == sizeof(struct tx_kernel_options),
               "padding at the end");
_Static_assert(SIZE_OF(tx_macro_reader, reserved) == sizeof(struct tx_macro_reader),
               "padding at the end");
_Static_assert(SIZE_OF(tx_decoded, fields) == sizeof(struct tx_decoded), "padding at the end");
/* TX_CORE_WAITS may grow: nothing follows. */
_Static_assert(SIZE_OF(tx_core_state, waited) == sizeof(struct tx_core_state),
               "waited is the last");
_Static_assert(SIZE_OF(tx_unpack, reserved) == sizeof(struct tx_unpack), "padding at the end");
_Static_assert(SIZE_OF(tx_pack, reserved) == sizeof(struct tx_pack), "padding at the end");

/* What never grows: it is embedded in others, or passed by value. */
_Static_assert(TX_INSN_MAX_FIELDS == 13 && TX_FREE_NAME == 32 && TX_MAX_RULES == 64 &&
                   TX_THREADS == 3 && TX_MESSAGE == 192 && TX_TILE_ELEMENTS == 1024 &&
                   TX_PACED_COUNT == 5,
               "a list within a struct has another length: raise TX_ABI");
_Static_assert(sizeof(struct tx_field) == 16 && sizeof(struct tx_move) == 3 &&
                   sizeof(struct tx_piece) == 12 && sizeof(struct tx_tile) == 4 &&
                   sizeof(struct tx_dst_place) == 4 &&
                   sizeof(struct tx_stream) == 2 * sizeof(void *) &&
                   sizeof(struct tx_sink) == 2 * sizeof(void *) &&
                   sizeof(struct tx_watch) == 2 * sizeof(void *) && sizeof(struct tx_grid) == 64 &&
                   sizeof(struct tx_unpack) == 32 && sizeof(struct tx_pack) == 48 &&
                   sizeof(struct tx_codec) == 104 && sizeof(struct tx_core_access) == 12 &&
                   sizeof(struct tx_core_glance) == 16 &&
                   sizeof(struct tx_core_csr) == 2 * sizeof(void *),
               "a struct that must keep its size has another one: raise TX_ABI");

enum { MORE = 16, FILL = 0xA5 };

/* A struct with room around it, all of it filled. */
struct room {
    union {
        struct tx_settings settings;
        struct tx_tensix_settings tile;
        struct tx_host host;
        struct tx_kernel_options kernel;
        struct tx_counters counters;
        struct tx_gate gate;
        struct tx_scalar scalar;
        struct tx_decoded decoded;
        struct tx_diag diag;
        struct tx_core_state core;
        struct tx_tile_layout layout;
        struct tx_macro_reader reader;
        struct tx_asm_options options;
        unsigned char bytes[1024];
    } u;
};

static void fill(struct room *room)
{
    memset(room, FILL, sizeof *room);
}

static bool all(const void *bytes, size_t size, unsigned char value)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++) {
        if (b[i] != value) {
            return false;
        }
    }
    return true;
}

/* Bytes from size on are the caller's own; between ours and size they are zero. */
static void check_out(const struct room *room, size_t ours, size_t size)
{
    assert_true(all(&room->u.bytes[size], sizeof room->u.bytes - size, FILL));
    assert_true(size <= ours || all(&room->u.bytes[ours], size - ours, 0));
}

static bool opens(const struct room *room)
{
    tx_machine *m = NULL;
    const enum tx_status status = tx_open(&room->u.settings, &m);
    assert_int_equal(status, m != NULL ? TX_OK : TX_EINVAL);
    tx_close(m);
    return status == TX_OK;
}

static void test_settings(void **state)
{
    (void)state;
    const size_t ours = sizeof(struct tx_settings);
    const size_t older = offsetof(struct tx_settings, src_ready);
    const size_t sizes[] = {older, ours, ours + MORE};
    struct room room;
    for (unsigned i = 0; i < 3; i++) {
        fill(&room);
        tx_settings_default_sized(&room.u.settings, sizes[i], TX_WORMHOLE);
        check_out(&room, ours, sizes[i]);
        assert_int_equal(room.u.settings.size, sizes[i]);
        assert_int_equal(room.u.settings.arch, TX_WORMHOLE);
        assert_int_equal(room.u.settings.max_cycles, TX_MAX_CYCLES);
        assert_true(opens(&room));
    }
    for (size_t at = ours; at < ours + MORE; at++) { /* of the last, the longest */
        room.u.bytes[at] = 1;
        assert_false(opens(&room));
        room.u.bytes[at] = 0;
    }
    assert_true(opens(&room));
    room.u.settings.reserved[1] = 1;
    assert_false(opens(&room));
    room.u.settings.reserved[1] = 0;
    const uint32_t wrong[] = {0, 4, 8, offsetof(struct tx_settings, sink) - 4, older + 1};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        room.u.settings.size = wrong[i];
        assert_false(opens(&room));
    }
}

/* Where an older caller's struct ends, the default holds and what lies behind is not looked at. */
static void test_older_settings(void **state)
{
    (void)state;
    struct room room;
    tx_machine *m;
    uint32_t word;
    assert_int_equal(
        tx_encode(&(struct tx_decoded){.insn = tx_insn_find(TX_BLACKHOLE, "sfpnop")}, &word),
        TX_OK);
    const uint32_t words[] = {word, word, word, word};
    /* Two cycles at most, as the caller says; without the member it is the default. */
    tx_settings_default(&room.u.settings, TX_BLACKHOLE);
    room.u.settings.max_cycles = 2;
    assert_int_equal(tx_open(&room.u.settings, &m), TX_OK);
    assert_int_equal(tx_run(m, 1, words, 4), TX_ELIMIT);
    tx_close(m);
    room.u.settings.size = offsetof(struct tx_settings, max_cycles);
    assert_int_equal(tx_open(&room.u.settings, &m), TX_OK);
    assert_int_equal(tx_run(m, 1, words, 4), TX_OK);
    tx_close(m);
}

static enum tx_status try_tile(const void *settings)
{
    tx_tensix *t = NULL;
    const enum tx_status status = tx_tensix_open(settings, &t);
    tx_tensix_close(t);
    return status;
}

/* One struct inside another: the inner one's size moves what is behind it. */
static void test_tile_settings(void **state)
{
    (void)state;
    const size_t ours = sizeof(struct tx_settings);
    const size_t inner[] = {offsetof(struct tx_settings, src_ready), ours, ours + MORE};
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned more = 0; more <= MORE; more += MORE) {
            struct room room;
            const size_t untimed = offsetof(struct tx_tensix_settings, machine) + inner[i];
            const size_t size = untimed + 8 + more;
            fill(&room);
            tx_tensix_settings_default_sized(&room.u.tile, size, inner[i], TX_BLACKHOLE);
            assert_true(all(&room.u.bytes[size], sizeof room.u.bytes - size, FILL));
            assert_true(all(&room.u.bytes[untimed], size - untimed, 0));
            assert_int_equal(room.u.tile.machine.size, inner[i]);
            assert_int_equal(try_tile(&room), TX_OK);
            room.u.bytes[untimed] = 1;
            assert_int_equal(try_tile(&room), TX_OK);
            room.u.bytes[untimed + 7] = 1; /* reserved */
            assert_int_equal(try_tile(&room), TX_EINVAL);
            room.u.bytes[untimed + 7] = 0;
            if (more != 0) {
                room.u.bytes[size - 1] = 1;
                assert_int_equal(try_tile(&room), TX_EINVAL);
                room.u.bytes[size - 1] = 0;
            }
            room.u.tile.machine.size = (uint32_t)size;
            assert_int_equal(try_tile(&room), TX_EINVAL);
        }
    }
}

static void test_host(void **state)
{
    (void)state;
    const size_t ours = sizeof(struct tx_host);
    const size_t sizes[] = {offsetof(struct tx_host, load_cycles), ours, ours + MORE};
    struct tx_settings settings;
    struct room room;
    tx_machine *m;
    tx_settings_default(&settings, TX_BLACKHOLE);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    for (unsigned i = 0; i < 3; i++) {
        fill(&room);
        tx_host_default_sized(&room.u.host, sizes[i]);
        check_out(&room, ours, sizes[i]);
        assert_int_equal(tx_host_set(m, &room.u.host), TX_OK);
    }
    room.u.bytes[ours] = 1;
    assert_int_equal(tx_host_set(m, &room.u.host), TX_EINVAL);
    room.u.bytes[ours] = 0;
    room.u.host.reserved[0] = 1;
    assert_int_equal(tx_host_set(m, &room.u.host), TX_EINVAL);
    room.u.host.reserved[0] = 0;
    room.u.host.size = 8;
    assert_int_equal(tx_host_set(m, &room.u.host), TX_EINVAL);
    tx_close(m);
}

static void test_options(void **state)
{
    (void)state;
    const size_t sizes[] = {offsetof(struct tx_kernel_options, start),
                            sizeof(struct tx_kernel_options),
                            sizeof(struct tx_kernel_options) + MORE};
    struct tx_settings settings;
    tx_program *program;
    tx_settings_default(&settings, TX_BLACKHOLE);
    struct room room;
    memset(&room, 0, sizeof room);
    room.u.options.arch = TX_BLACKHOLE;
    const size_t size = sizeof(struct tx_asm_options);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(
            tx_assemble_sized("", 0, &room.u.options, size + i * MORE, &program, NULL, 0), TX_OK);
        tx_program_free(program);
    }
    room.u.bytes[size + 1] = 1;
    struct room diag;
    fill(&diag);
    assert_int_equal(tx_assemble_sized("", 0, &room.u.options, size + MORE, &program, &diag.u.diag,
                                       sizeof diag.u.diag + 4),
                     TX_EINVAL);
    assert_null(program);
    check_out(&diag, sizeof diag.u.diag, sizeof diag.u.diag + 4);
    assert_int_equal(tx_assemble("sfpnop", 6, &room.u.options, &program, NULL), TX_OK);

    for (unsigned i = 0; i < 3; i++) {
        tx_kernel *kernel = NULL;
        fill(&room);
        tx_kernel_options_default_sized(&room.u.kernel, sizes[i]);
        check_out(&room, sizes[1], sizes[i]);
        assert_int_equal(room.u.kernel.thread, 1);
        assert_int_equal(
            tx_kernel_open_sized(&settings, program, &room.u.kernel, sizes[i], &kernel), TX_OK);
        tx_kernel_close(kernel);
        room.u.bytes[sizes[i] - 1] = i == 2; /* the last byte of what we do not know */
        assert_int_equal(
            tx_kernel_open_sized(&settings, program, &room.u.kernel, sizes[i], &kernel),
            i == 2 ? TX_EINVAL : TX_OK);
        tx_kernel_close(kernel);
    }
    tx_program_free(program);
}

/* What the library fills in: as much as there is room for. */
static void test_results(void **state)
{
    (void)state;
    struct tx_settings settings;
    tx_machine *m;
    tx_settings_default(&settings, TX_BLACKHOLE);
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    uint32_t word;
    assert_int_equal(
        tx_encode(&(struct tx_decoded){.insn = tx_insn_find(TX_BLACKHOLE, "sfpnop")}, &word),
        TX_OK);
    assert_int_equal(tx_run(m, 1, &word, 1), TX_OK);
    for (size_t more = 0; more <= 2 * sizeof(uint64_t); more += sizeof(uint64_t)) {
        struct room room;
        const struct tx_counters counters = tx_machine_counters(m);
        assert_int_equal(counters.instructions, 1);
        size_t size = sizeof counters - sizeof(uint64_t) + more; /* shorter, equal, longer */
        const size_t both = size < sizeof counters ? size : sizeof counters;
        fill(&room);
        tx_machine_counters_sized(m, &room.u.counters, size);
        check_out(&room, sizeof counters, size);
        assert_memory_equal(&room, &counters, both);

        size = sizeof(struct tx_gate) - sizeof(uint64_t) + more;
        fill(&room);
        tx_gate_read_sized(m, 1, &room.u.gate, size);
        check_out(&room, sizeof room.u.gate, size);
        assert_int_equal(room.u.gate.other, TX_THREADS);

        size = sizeof(struct tx_scalar) - sizeof(uint64_t) + more;
        fill(&room);
        tx_scalar_read_sized(m, &room.u.scalar, size);
        check_out(&room, sizeof room.u.scalar, size);
        assert_false(room.u.scalar.busy);

        size = sizeof(struct tx_decoded) - sizeof(uint64_t) + more;
        fill(&room);
        assert_int_equal(tx_decode_sized(TX_BLACKHOLE, word, &room.u.decoded, size), TX_OK);
        check_out(&room, sizeof room.u.decoded, size);
        assert_string_equal(room.u.decoded.insn->name, "sfpnop");

        const struct tx_tile tile = {.rows = 32, .columns = 32};
        size = sizeof(struct tx_tile_layout) - 4 + more / 2;
        fill(&room);
        assert_int_equal(tx_tile_layout_sized(&tile, TX_FORMAT_FP32, &room.u.layout, size), TX_OK);
        check_out(&room, sizeof room.u.layout, size);
        assert_int_equal(room.u.layout.data, 1024);
    }
    tx_close(m);

    struct tx_tensix_settings tile_settings;
    tx_tensix *tile;
    tx_tensix_settings_default(&tile_settings, TX_BLACKHOLE);
    assert_int_equal(tx_tensix_open(&tile_settings, &tile), TX_OK);
    struct room room;
    fill(&room);
    assert_int_equal(tx_tensix_core_sized(tile, TX_CORE_B, &room.u.core, 16), TX_OK);
    check_out(&room, sizeof room.u.core, 16);
    assert_int_equal(room.u.core.phase, TX_CORE_HELD);
    tx_tensix_close(tile);
}

/* What a caller hands in again is judged as his settings are. */
static void test_handed_in(void **state)
{
    (void)state;
    struct room room;
    uint32_t word = 0;
    char text[224];
    memset(&room, 0, sizeof room);
    room.u.decoded.insn = tx_insn_find(TX_WORMHOLE, "sfpnop");
    const size_t size = sizeof room.u.decoded;
    assert_int_equal(tx_encode_sized(&room.u.decoded, size + MORE, &word), TX_OK);
    assert_ptr_equal(tx_insn_of(TX_WORMHOLE, word), room.u.decoded.insn);
    room.u.bytes[size] = 1;
    assert_int_equal(tx_encode_sized(&room.u.decoded, size + MORE, &word), TX_EINVAL);
    assert_int_equal(tx_encode_sized(&room.u.decoded, 8, &word), TX_EINVAL);

    /* L0 is known after both halves are loaded: the reader keeps it from call to call. */
    static const char source[] = "sfploadi L0,0x12,10\nsfploadi L0,0x34,8\nsfpconfig 4,0,0\n";
    const struct tx_asm_options options = {.arch = TX_BLACKHOLE};
    tx_program *program;
    assert_int_equal(tx_assemble(source, sizeof source - 1, &options, &program, NULL), TX_OK);
    fill(&room);
    memset(&room, 0, sizeof room.u.reader + MORE);
    bool told = false;
    for (size_t i = 0; i < tx_program_count(program, TX_SECTION_TILE); i++) {
        told =
            tx_macro_follow_sized(&room.u.reader, sizeof room.u.reader + MORE, TX_BLACKHOLE,
                                  tx_program_words(program, TX_SECTION_TILE)[i], text, sizeof text);
    }
    assert_true(told);
    assert_int_equal(room.u.reader.l0, 0x340012);
    check_out(&room, sizeof room.u.reader, sizeof room.u.reader + MORE);
    tx_program_free(program);
}

static void test_routes(void **state)
{
    (void)state;
    const char *reason = NULL;
    struct tx_codec codec;
    assert_int_equal(tx_codec_default(TX_ROUTE_TENSIX, TX_BLACKHOLE, TX_FORMAT_BF16, TX_FORMAT_BF16,
                                      &codec, &reason),
                     TX_OK);
    assert_int_equal(tx_unpack_check(&codec.unpack, &reason), TX_OK);
    codec.unpack.reserved[15] = 1;
    assert_int_equal(tx_unpack_check(&codec.unpack, &reason), TX_EINVAL);
    assert_non_null(strstr(reason, "reserved"));
    assert_int_equal(tx_codec_check(&codec, false, &reason), TX_EINVAL);
    codec.unpack.reserved[15] = 0;
    assert_int_equal(tx_pack_check(&codec.pack, &reason), TX_OK);
    codec.pack.reserved[0] = 1;
    assert_int_equal(tx_pack_check(&codec.pack, &reason), TX_EINVAL);
    assert_int_equal(tx_codec_check(&codec, true, &reason), TX_EINVAL);
    codec.pack.reserved[0] = 0;
    codec.reserved[3] = 1;
    assert_int_equal(tx_codec_check(&codec, false, &reason), TX_EINVAL);
    codec.reserved[3] = 0;
    assert_int_equal(tx_codec_check(&codec, false, &reason), TX_OK);
}

struct seen {
    unsigned events, findings, accesses, ports;
};

static void on_event(void *user, const struct tx_event *event)
{
    struct seen *seen = user;
    assert_int_equal(event->size, sizeof *event);
    seen->events++;
    if (event->finding != NULL) {
        assert_int_equal(event->finding->size, sizeof *event->finding);
        seen->findings++;
    }
}

static bool on_memory(void *user, struct tx_access *access)
{
    assert_int_equal(access->struct_size, sizeof *access);
    ((struct seen *)user)->accesses++;
    return true;
}

static enum tx_port_answer on_port(void *user, struct tx_port *port)
{
    assert_int_equal(port->size, sizeof *port);
    ((struct seen *)user)->ports++;
    return TX_PORT_TAKEN;
}

/* What the library owns says how large it is. */
static void test_shown(void **state)
{
    (void)state;
    static const char source[] =
        "sfpmad L0,L1,L2,L3,0\nsfpmov L4,L0,0\nsfpstore L0,0,3,0\nsfpmov L4,L0,12\n"
        "ttloadind 1,4,0,8,1\nttrareb\n";
    const struct tx_asm_options options = {.arch = TX_BLACKHOLE};
    struct seen seen = {.events = 0};
    struct tx_settings settings;
    struct tx_host host;
    tx_program *program;
    struct tx_diag diag = {.line = 0};
    tx_machine *m;
    tx_settings_default(&settings, TX_BLACKHOLE);
    settings.sink = (struct tx_sink){on_event, &seen};
    assert_int_equal(tx_open(&settings, &m), TX_OK);
    tx_host_default(&host);
    host.memory = on_memory;
    host.port = on_port;
    host.user = &seen;
    assert_int_equal(tx_host_set(m, &host), TX_OK);
    const enum tx_status status = tx_assemble(source, sizeof source - 1, &options, &program, &diag);
    assert_string_equal(diag.message, "");
    assert_int_equal(status, TX_OK);
    (void)tx_run(m, 1, tx_program_words(program, TX_SECTION_TILE),
                 tx_program_count(program, TX_SECTION_TILE));
    tx_program_free(program);
    assert_true(seen.events > 5 && seen.findings > 0 && seen.accesses > 0 && seen.ports > 0);
    tx_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings),      cmocka_unit_test(test_older_settings),
        cmocka_unit_test(test_tile_settings), cmocka_unit_test(test_host),
        cmocka_unit_test(test_options),       cmocka_unit_test(test_results),
        cmocka_unit_test(test_handed_in),     cmocka_unit_test(test_routes),
        cmocka_unit_test(test_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
