/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lab library's side of docs/decisions/0006: no padding at the end of what it reads, so that a
 * later version's option cannot go unseen, and reserved bytes that must be zero.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tensix-lab/chip.h>
#include <tensix-lab/compare.h>
#include <tensix-lab/data.h>
#include <tensix-lab/debug.h>
#include <tensix-lab/dis.h>
#include <tensix-lab/engine.h>
#include <tensix-lab/eval.h>
#include <tensix-lab/expand.h>
#include <tensix-lab/fit.h>
#include <tensix-lab/flow.h>
#include <tensix-lab/form.h>
#include <tensix-lab/front.h>
#include <tensix-lab/gdb.h>
#include <tensix-lab/kernel.h>
#include <tensix-lab/lint.h>
#include <tensix-lab/lsp.h>
#include <tensix-lab/race.h>
#include <tensix-lab/opt.h>
#include <tensix-lab/order.h>
#include <tensix-lab/run.h>
#include <tensix-lab/schedule.h>
#include <tensix-lab/silicon.h>
#include <tensix-lab/sweep.h>
#include <tensix-lab/tile.h>
#include <tensix-lab/trace.h>
#include <tensix-lab/vectors.h>

/* Where this fails, add a reserved member behind the new one and refuse what stands in it. */
#define ENDS_WITH(type, last)                                                        \
    _Static_assert(offsetof(struct type, last) + sizeof(((struct type *)0)->last) == \
                       sizeof(struct type),                                          \
                   #type ": padding at the end")
ENDS_WITH(txl_cc_options, reserved_too);
ENDS_WITH(txl_chip_options, budget);
ENDS_WITH(txl_silicon_options, times_name);
ENDS_WITH(txl_chip_program_options, user);
ENDS_WITH(txl_compare_options, arch_b);
ENDS_WITH(txl_compiler_options, environment);
ENDS_WITH(txl_convert_options, progress_user);
ENDS_WITH(txl_check_options, compile_user);
ENDS_WITH(txl_diff_options, progress_user);
ENDS_WITH(txl_debug_options, user);
ENDS_WITH(txl_dis_options, reserved);
ENDS_WITH(txl_eval_options, scratch);
ENDS_WITH(txl_expand_options, user);
ENDS_WITH(txl_form_options, scheme);
ENDS_WITH(txl_front_options, page);
ENDS_WITH(txl_fit_options, environment);
ENDS_WITH(txl_fit_result, no_bound);
ENDS_WITH(txl_gdb_options, history);
ENDS_WITH(txl_gdb_server, user);
ENDS_WITH(txl_kernel_options, reserved);
ENDS_WITH(txl_lint_options, user);
ENDS_WITH(txl_lsp_options, user);
ENDS_WITH(txl_race_options, reserved);
ENDS_WITH(txl_record_kernel, reserved);
ENDS_WITH(txl_record_options, user);
ENDS_WITH(txl_opt_options, user);
ENDS_WITH(txl_order_options, user);
ENDS_WITH(txl_order_run, delays);
ENDS_WITH(txl_run_options, scratch);
ENDS_WITH(txl_run_shadow_options, worst);
ENDS_WITH(txl_schedule_options, keep_dst);
ENDS_WITH(txl_schedule_result, through_dst);
ENDS_WITH(txl_sweep_options, rtol);
ENDS_WITH(txl_sweep_report, reserved);
ENDS_WITH(txl_tensix_options, pace);
ENDS_WITH(txl_tensor_options, scratch);
ENDS_WITH(txl_trace_options, source_count);
ENDS_WITH(txl_vectors_options, initial);

/* What never grows: the caller owns it, and nobody says its size. */
#define CLOSED(type, size) \
    _Static_assert(sizeof(struct type) == (size), #type " must keep its size: raise TX_ABI")
CLOSED(txl_check_failure, 32);
CLOSED(txl_check_left, 16);
CLOSED(txl_difference, 400);
CLOSED(txl_fit_figures, 56);
CLOSED(txl_error, 1808);
CLOSED(txl_gap, 24);
CLOSED(txl_gap_moved, 40);
CLOSED(txl_lint_place, 32);
CLOSED(txl_loss, 392);
CLOSED(txl_order_area, 24);
CLOSED(txl_order_buffer, 20);
CLOSED(txl_order_site, 280);
CLOSED(txl_race_place, 56);
CLOSED(txl_run_tile, (16 + 1) * 1024 * 4);
CLOSED(txl_source, 8);
CLOSED(txl_sweep_case, 40);
CLOSED(txl_sweep_pair, 160);
CLOSED(txl_sweep_side, 56);
CLOSED(txl_sweep_step, 24);
CLOSED(txl_tensix_program, 16);
CLOSED(txl_tensix_word, 8);
CLOSED(txl_where, 32);
/* Of one size within others: lengths of lists in structs that callers own. */
_Static_assert(TXL_REFERENCE_INPUTS == 3 && TXL_WORST == 5 && TXL_CYCLE_CAUSES == 8 &&
                   TXL_ORDER_SITES == 8 && (int)TXL_OUTCOMES <= (int)TXL_OUTCOME_ROOM,
               "a list within a struct has another length: raise TX_ABI");

struct newer {
    struct txl_kernel_options options;
    uint64_t more;
};

static void test_newer(void **state)
{
    (void)state;
    struct txl_error err = {0};
    struct tx_program *program;
    struct newer newer = {.options = {.size = sizeof newer, .arch = TX_BLACKHOLE}};
    assert_int_equal(txl_kernel_assemble(&err, "a", "sfpnop", 6, &newer.options, &program), TXL_OK);
    tx_program_free(program);
    newer.more = 1;
    assert_int_equal(txl_kernel_assemble(&err, "a", "sfpnop", 6, &newer.options, &program),
                     TXL_INPUT);
    assert_non_null(strstr(err.message, "does not know"));
    txl_error_clear(&err);
    newer.more = 0;
    newer.options.reserved[2] = 1;
    assert_int_equal(txl_kernel_assemble(&err, "a", "sfpnop", 6, &newer.options, &program),
                     TXL_INPUT);
    assert_non_null(strstr(err.message, "does not know"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_newer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
