# SPDX-License-Identifier: Apache-2.0
"""The lab library to ctypes. Written by scripts/python_abi.py from include/tensix-lab/*.h."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure
from ctypes import (
    c_bool, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint16, c_uint32, c_uint64,
    c_uint8, c_void_p,
)
from typing import Any, Dict, List

from ._abi_tables import (
    tx_chip_settings, tx_counters, tx_evidence, tx_finding, tx_kernel_options, tx_pcie_memory,
    tx_row, tx_settings, tx_tensix_settings, tx_tile, tx_tile_layout,
)
from ._lab_enums import ENUMS as ENUMS

# Enumerators of enums without a tag, and macros.
CONSTANTS: Dict[str, int] = {
    "TXL_ORDER_SITES": 8, "TXL_ORDER_PROGRAMS": 1024, "TXL_REFERENCE_INPUTS": 3, "TXL_WORST": 5,
    "TXL_CYCLE_CAUSES": 8, "TXL_NO_VALUE": 2147483647, "TXL_IN_DST": 255, "TXL_MOST_SOURCES": 17,
    "TXL_GUILTY_NOBODY": -1, "TXL_GUILTY_METHOD": -2, "TXL_SWEEP_THREADS": 256,
    "TXL_SWEEP_SHARDS": 4096, "TXL_SWEEP_WORST": 100, "TXL_OUTCOME_ROOM": 16, "TXL_DIMENSIONS": 32,
    "TXL_EVAL_CHANGED": -1, "TXL_EVAL_ALL": -2, "TXL_MODE_TEXT": 512, "TXL_SET_TEXT": 192,
    "TXL_BODY_TEXT": 96, "TXL_SCHEDULE_MOST": 32, "TXL_TRACE_PAGE_CYCLES": 1000000,
    "TXL_BENCH_LOOPS": 4, "TXL_BENCH_RUNS": 31,
}
txl_progress = CFUNCTYPE(c_bool, c_void_p, c_uint64, c_uint64)
txl_order_rerun = CFUNCTYPE(c_int, c_void_p, c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_bool))
txl_sweep_function = CFUNCTYPE(c_double, c_void_p, c_void_p)
txl_bench_tell = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p, c_char_p)


class txl_error(Structure):
    _fields_ = [("status", c_int), ("line", c_uint), ("column", c_uint), ("length", c_uint),
                ("message", c_char * 992), ("option", c_char * 32), ("file", c_char * 512),
                ("source", c_char * 256)]


class txl_where(Structure):
    _fields_ = [("file", c_char_p), ("line", c_uint), ("column", c_uint), ("length", c_uint),
                ("source", c_char_p)]


class txl_card_ended(Structure):
    _fields_ = [("size", c_size_t), ("command", POINTER(c_char_p)), ("session", POINTER(c_char_p)),
                ("sessions", c_uint), ("lost", c_uint), ("status", c_int), ("seconds", c_double),
                ("finding", POINTER(c_char_p)), ("findings", c_uint), ("races", c_char_p)]


class txl_card_host(Structure):
    _fields_ = [("size", c_size_t), ("chip", c_void_p), ("settings", POINTER(tx_chip_settings)),
                ("pcie", c_void_p), ("memory", POINTER(tx_pcie_memory))]


class txl_card_launch(Structure):
    _fields_ = [("size", c_size_t), ("number", c_uint), ("x", c_uint), ("y", c_uint),
                ("kernels", c_uint64), ("go", c_uint32)]


class txl_order_options(Structure):
    _fields_ = [("size", c_size_t), ("documented", c_bool), ("reserved", c_uint8 * 7),
                ("elf_folders", c_char_p), ("test", CFUNCTYPE(c_char_p, c_void_p)),
                ("user", c_void_p)]


class txl_order_area(Structure):
    _fields_ = [("endpoint", c_uint32), ("address", c_uint64), ("bytes", c_uint64)]


class txl_order_buffer(Structure):
    _fields_ = [("endpoint", c_uint32), ("id", c_uint32), ("base", c_uint32), ("pages", c_uint32),
                ("page_bytes", c_uint32)]


class txl_order_site(Structure):
    _fields_ = [("tile_x", c_uint32), ("tile_y", c_uint32), ("core", c_char_p), ("pc", c_uint32),
                ("file", c_char * 128), ("line", c_uint), ("inner", c_char * 128)]


class txl_order_found(Structure):
    _fields_ = [("kind", c_int), ("name", c_char_p), ("why", c_char_p), ("sites", c_uint),
                ("site", txl_order_site * 8), ("times", c_uint64), ("memory_x", c_uint32),
                ("memory_y", c_uint32), ("address", c_uint64), ("dram", c_bool), ("known", c_bool),
                ("delays", c_char_p), ("witness", c_char_p), ("tried", c_uint), ("more", c_uint),
                ("test", c_char_p), ("cycle", c_uint64)]


class txl_order_wait(Structure):
    _fields_ = [("site", txl_order_site), ("what", c_char_p), ("memory_x", c_uint32),
                ("memory_y", c_uint32), ("address", c_uint32), ("value", c_uint32),
                ("changes", c_uint32), ("last", txl_order_site), ("has_needs", c_bool),
                ("needs", c_uint32), ("gives", c_char * 320)]


class txl_order_again(Structure):
    _fields_ = [("size", c_size_t), ("run", txl_order_rerun), ("user", c_void_p),
                ("budget", c_uint32), ("reserved", c_uint8 * 4)]


class txl_order_run(Structure):
    _fields_ = [("size", c_size_t), ("product", c_char_p), ("arch", c_int),
                ("programs", POINTER(c_char_p)), ("fills", POINTER(c_char_p)),
                ("late", POINTER(c_char_p)), ("areas", POINTER(c_char_p)),
                ("buffers", POINTER(c_char_p)), ("program_count", c_uint), ("fill_count", c_uint),
                ("late_count", c_uint), ("area_count", c_uint), ("buffer_count", c_uint),
                ("seed", c_uint64), ("max_cycles", c_uint64), ("documented", c_bool),
                ("translated", c_bool), ("witness", c_bool), ("reserved", c_uint8 * 5),
                ("budget", c_uint32), ("delays", c_char_p)]


class txl_order_wanted(Structure):
    _fields_ = [("size", c_size_t), ("known", c_char_p), ("sarif", c_char_p), ("junit", c_char_p)]


class txl_profile_result(Structure):
    _fields_ = [("cycles", c_uint64), ("lanes", c_uint), ("steps", c_size_t), ("bound", c_char_p),
                ("bound_cycles", c_uint64), ("change", c_char_p), ("at_least", c_bool),
                ("bounds", c_uint32), ("trials", c_uint)]


class txl_profile_trial(Structure):
    _fields_ = [("unit", c_char_p), ("path", c_uint64), ("half", c_uint64), ("none", c_uint64),
                ("differs", c_bool), ("stuck", c_bool)]


class txl_profile_part(Structure):
    _fields_ = [("kind", c_int), ("text", c_char_p), ("cycles", c_uint64)]


class txl_profile_lane(Structure):
    _fields_ = [("name", c_char_p), ("cycles", c_uint64 * 3), ("part_count", c_uint),
                ("parts", POINTER(txl_profile_part))]


class txl_profile_step(Structure):
    _fields_ = [("from", c_uint64), ("to", c_uint64), ("lane", c_char_p), ("text", c_char_p),
                ("bound", c_char_p), ("kind", c_int)]


class txl_lint_options(Structure):
    _fields_ = [("size", c_size_t), ("arch", c_int), ("both", c_bool), ("hex", c_bool),
                ("ttinsn", c_bool), ("start", c_int), ("dst", c_int), ("max_cycles", c_uint64),
                ("progress", txl_progress), ("user", c_void_p)]


class txl_lint_place(Structure):
    _fields_ = [("known", c_bool), ("section", c_uint), ("word", c_uint32), ("offset", c_uint32),
                ("line", c_uint32), ("source", c_char_p)]


class txl_lint_finding(Structure):
    _fields_ = [("finding", POINTER(tx_finding)), ("place", txl_lint_place),
                ("producer", txl_lint_place), ("producer_cycle", c_uint64), ("cycle", c_uint64),
                ("count", c_uint64), ("sfpnop_missing", c_bool), ("repeated", c_bool),
                ("more", c_uint32)]


class txl_lint_nop(Structure):
    _fields_ = [("place", txl_lint_place), ("cycles", c_uint64), ("rule", c_char_p),
                ("text", c_char_p), ("repeated", c_bool), ("more", c_uint32)]


class txl_lint_result(Structure):
    _fields_ = [("file", c_char_p), ("function", c_char_p), ("arch", c_int), ("complete", c_bool),
                ("hazards", c_size_t), ("others", c_size_t), ("superfluous", c_size_t),
                ("cycles", c_uint64), ("skipped", c_uint64), ("unrecorded", c_uint64),
                ("finding_count", c_size_t), ("nop_count", c_size_t)]


class txl_compiler_options(Structure):
    _fields_ = [("size", c_size_t), ("cache", c_char_p), ("make_parent", c_bool),
                ("command", c_char_p), ("path", c_char_p), ("environment", POINTER(c_char_p))]


class txl_run_options(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("settings", POINTER(tx_settings)),
                ("kernel", POINTER(tx_kernel_options)), ("kernel_size", c_size_t),
                ("sets", POINTER(c_char_p)), ("set_count", c_uint), ("inputs", POINTER(c_char_p)),
                ("input_count", c_uint), ("output", c_char_p), ("compare", c_char_p),
                ("reference", c_char_p), ("layout", c_int), ("shape", POINTER(c_uint64)),
                ("dimensions", c_uint), ("raw_bf16", c_bool), ("l1_in", POINTER(c_char_p)),
                ("l1_out", POINTER(c_char_p)), ("l1_in_count", c_uint), ("l1_out_count", c_uint),
                ("gaps", c_char_p), ("evidence", c_bool), ("engine", c_int), ("compiler", c_void_p),
                ("threads", c_uint), ("progress", txl_progress), ("user", c_void_p),
                ("scratch", c_char_p)]


class txl_run_tile(Structure):
    _fields_ = [("held", (c_uint32 * 1024) * 16), ("got", c_uint32 * 1024)]


class txl_run_result(Structure):
    _fields_ = [("init", POINTER(tx_counters)), ("tiles", POINTER(tx_counters)),
                ("elements", c_uint64), ("tile_count", c_uint64), ("blocks", c_bool),
                ("fast", c_bool), ("seconds", c_double), ("rounded", c_uint64),
                ("overflowed", c_uint64), ("vanished", c_uint64), ("rounded_to_dst", c_uint64),
                ("dst", c_int), ("out_dst", c_int), ("inputs", c_size_t), ("findings", c_size_t),
                ("notes", c_size_t), ("findings_dropped", c_uint64), ("at_least", c_bool),
                ("bounds", c_uint32)]


class txl_run_array(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_char_p), ("dtype", c_char_p), ("format", c_char_p),
                ("shape", POINTER(c_uint64)), ("dimensions", c_uint), ("through_src", c_bool),
                ("intermediate_format", c_char_p)]


class txl_run_finding(Structure):
    _fields_ = [("finding", POINTER(tx_finding)), ("init", c_bool), ("tile", c_uint64),
                ("source", c_char_p)]


class txl_run_note(Structure):
    _fields_ = [("evidence", POINTER(tx_evidence)), ("count", c_uint64)]


class txl_accuracy_worst(Structure):
    _fields_ = [("element", c_uint64), ("inputs", c_uint32 * 3), ("expected", c_uint32),
                ("got", c_uint32), ("ulp", c_double)]


class txl_accuracy(Structure):
    _fields_ = [("reference", c_char_p), ("inputs", c_uint), ("compared", c_uint64),
                ("exact", c_uint64), ("mismatched", c_uint64), ("max", c_double),
                ("mean", c_double), ("worst_count", c_uint), ("worst", txl_accuracy_worst * 5)]


class txl_l1_file(Structure):
    _fields_ = [("name", c_char_p), ("address", c_uint32), ("bytes", c_uint32),
                ("format", c_char_p), ("rows", c_bool), ("magnitude", c_bool),
                ("shape", POINTER(c_uint64)), ("dimensions", c_uint)]


class txl_cycles_cause(Structure):
    _fields_ = [("text", c_char_p), ("count", c_uint64)]


class txl_cycles(Structure):
    _fields_ = [("init", c_uint64), ("tile", c_uint64), ("stalls", c_uint64), ("drain", c_uint64),
                ("vector", c_uint64), ("nops", c_uint64), ("others", c_uint64),
                ("scheduled", c_uint64), ("waiting_nops", c_uint64), ("unit", POINTER(c_uint64)),
                ("causes", c_uint), ("cause", txl_cycles_cause * 8), ("bound", c_char_p),
                ("clock_hz", c_double), ("at_least", c_bool), ("bounds", c_uint32)]


class txl_gap(Structure):
    _fields_ = [("word", c_size_t), ("cycles", c_uint32), ("line", c_uint), ("text", c_char_p)]


class txl_gap_moved(Structure):
    _fields_ = [("scheduled", c_char_p), ("launch", c_char_p), ("unit", c_uint),
                ("launch_line", c_uint), ("cycle", c_uint64), ("cycle_with_gap", c_uint64)]


class txl_gaps(Structure):
    _fields_ = [("found", c_bool), ("count", c_uint), ("gap", txl_gap * 2), ("elements", c_uint),
                ("other_words", c_size_t), ("trials", c_uint64), ("words", c_size_t),
                ("moved_count", c_uint), ("moved", txl_gap_moved * 4)]


class txl_run_shadow_options(Structure):
    _fields_ = [("size", c_size_t), ("elements", POINTER(c_uint64)), ("element_count", c_size_t),
                ("tile", c_uint64), ("worst", c_uint64)]


class txl_tensix_program(Structure):
    _fields_ = [("core", c_int), ("path", c_char_p)]


class txl_tensix_word(Structure):
    _fields_ = [("address", c_uint32), ("value", c_uint32)]


class txl_tensix_late(Structure):
    _fields_ = [("cycle", c_uint64), ("address", c_uint32), ("value", c_uint32)]


class txl_tensix_options(Structure):
    _fields_ = [("size", c_size_t), ("arch", c_int), ("programs", POINTER(txl_tensix_program)),
                ("program_count", c_uint), ("l1_in", POINTER(c_char_p)),
                ("l1_out", POINTER(c_char_p)), ("l1_in_count", c_uint), ("l1_out_count", c_uint),
                ("pokes", POINTER(txl_tensix_word)), ("poke_count", c_uint),
                ("until", POINTER(txl_tensix_word)), ("until_count", c_uint),
                ("max_cycles", c_uint64), ("untimed", c_bool), ("strict", c_bool),
                ("boot_b", c_bool), ("profile", c_bool), ("progress", txl_progress),
                ("progress_user", c_void_p), ("scratch", c_char_p),
                ("late", POINTER(txl_tensix_late)), ("late_count", c_size_t),
                ("sources", POINTER(c_char_p)), ("source_count", c_size_t), ("pace", c_uint8 * 8)]


class txl_tensix_result(Structure):
    _fields_ = [("cycles", c_uint64), ("findings", c_size_t), ("findings_dropped", c_uint64),
                ("bounds", c_uint32)]


class txl_tensix_core(Structure):
    _fields_ = [("core", c_int), ("state", c_char_p), ("ran", c_bool), ("pc", c_uint32),
                ("function", c_char_p), ("instructions", c_uint64), ("waited", POINTER(c_uint64)),
                ("source", c_char_p)]


class txl_chip_options(Structure):
    _fields_ = [("size", c_size_t), ("product", c_char_p), ("columns", c_uint), ("rows", c_uint),
                ("untimed", c_bool), ("strict", c_bool), ("profile", c_bool), ("races", c_bool),
                ("threads", c_uint), ("max_cycles", c_uint64),
                ("tile", POINTER(tx_tensix_settings)), ("progress", txl_progress),
                ("user", c_void_p), ("times", c_char_p), ("times_name", c_char_p),
                ("delays", c_char_p), ("pace", c_uint8 * 7), ("documented", c_bool),
                ("witness", c_bool), ("reserved", c_uint8 * 3), ("budget", c_uint32)]


class txl_chip_wants(Structure):
    _fields_ = [("size", c_size_t), ("product", c_char * 16), ("columns", c_uint), ("rows", c_uint)]


class txl_chip_program_options(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("folder", c_char_p), ("include", c_char_p),
                ("scratch", c_char_p), ("sfpi", c_char_p), ("environment", POINTER(c_char_p)),
                ("say", CFUNCTYPE(None, c_void_p, c_char_p)), ("user", c_void_p)]


class txl_chip_buffer(Structure):
    _fields_ = [("address", c_uint32), ("page", c_uint32), ("pages", c_uint32), ("apart", c_uint32),
                ("bytes", c_uint64)]


class txl_chip_result(Structure):
    _fields_ = [("cycles", c_uint64), ("bounds", c_uint32), ("tiles", c_uint32),
                ("instructions", c_uint64), ("findings", c_size_t)]


class txl_step(Structure):
    _fields_ = [("row", POINTER(tx_row)), ("number", c_uint64), ("cycle", c_uint64),
                ("word", c_uint32), ("lanes", c_uint32), ("reads", c_uint32), ("writes", c_uint32),
                ("address", c_uint16), ("unit", c_uint8), ("mode", c_uint8), ("scheduled", c_bool)]


class txl_value(Structure):
    _fields_ = [("step", c_uint32), ("lanes", c_uint32), ("before", c_uint32), ("reg", c_uint8)]


class txl_source(Structure):
    _fields_ = [("value", c_uint32), ("lane", c_uint8)]


class txl_account_total(Structure):
    _fields_ = [("stored", c_bool), ("has_reference", c_bool), ("error", c_double),
                ("method", c_double), ("exact", c_char_p), ("lines", c_size_t), ("guilty", c_int)]


class txl_account_line(Structure):
    _fields_ = [("step", POINTER(txl_step)), ("placed", c_bool), ("word", c_uint32),
                ("source_line", c_uint32), ("source", c_char_p), ("result", c_uint32),
                ("value", c_char * 48), ("exact", c_char * 40), ("own", c_double),
                ("so_far", c_double), ("share", c_double), ("events", c_uint32),
                ("cancelled", c_int), ("cut", c_int), ("taken", c_char_p)]


class txl_sweep_options(Structure):
    _fields_ = [("size", c_size_t), ("kernel", c_char_p), ("program", c_void_p), ("arch", c_int),
                ("start", c_int), ("dst", c_int), ("out", c_int), ("domain", c_char_p),
                ("stride", c_uint64), ("sample", c_uint64), ("seed", c_uint64),
                ("rules", POINTER(c_char_p)), ("rule_count", c_uint), ("reference", c_char_p),
                ("function", txl_sweep_function), ("function_user", c_void_p), ("path", c_char_p),
                ("environment", POINTER(c_char_p)), ("scratch", c_char_p), ("engine", c_int),
                ("compiler", c_void_p), ("jobs", c_uint), ("state", c_char_p), ("shard", c_uint),
                ("shards", c_uint), ("rank", c_uint), ("ranks", c_uint), ("ranks_here", c_uint),
                ("rank_seconds", c_uint), ("has_max_ulp", c_bool), ("max_ulp", c_double),
                ("budget", c_void_p), ("timed", c_bool), ("progress", txl_progress),
                ("user", c_void_p), ("helper", c_char_p), ("has_tolerance", c_bool),
                ("atol", c_double), ("rtol", c_double)]


class txl_sweep_about(Structure):
    _fields_ = [("size", c_size_t), ("kernel", c_char_p), ("domain", c_char_p),
                ("reference", c_char_p), ("program", c_void_p), ("dst", c_int), ("out", c_int),
                ("operands", c_uint), ("ordered", c_bool), ("wanted", c_uint64), ("done", c_uint64),
                ("covered", c_char_p), ("state", c_char_p), ("cycles", c_uint64),
                ("cancelled", c_bool), ("gated", c_bool), ("passed", c_bool), ("verdict", c_char_p),
                ("findings", c_uint64), ("findings_dropped", c_uint64)]


class txl_sweep_figures(Structure):
    _fields_ = [("size", c_size_t), ("compared", c_uint64), ("exact", c_uint64),
                ("mismatched", c_uint64), ("nonfinite", c_uint64), ("breaks", c_uint64),
                ("max_steps", c_uint64), ("max_ulp", c_double), ("mean_ulp", c_double),
                ("max_unrounded", c_double), ("outcomes", c_uint64 * 16), ("bands", c_uint64 * 5),
                ("max_abs", c_double), ("max_rel", c_double), ("beyond", c_uint64)]


class txl_sweep_case(Structure):
    _fields_ = [("index", c_uint64), ("ulp", c_double), ("inputs", c_uint32 * 3),
                ("expected", c_uint32), ("got", c_uint32), ("outcome", c_int)]


class txl_sweep_step(Structure):
    _fields_ = [("cycle", c_uint64), ("word", c_uint32), ("value", c_uint32), ("reg", c_uint),
                ("scheduled", c_bool), ("store", c_bool)]


class txl_sweep_report(Structure):
    _fields_ = [("size", c_size_t), ("worst", c_uint), ("traces", c_uint), ("blame", c_bool),
                ("reserved", c_char * 7)]


class txl_sweep_line(Structure):
    _fields_ = [("size", c_size_t), ("kernel", c_char_p), ("reference", c_char_p),
                ("domain", c_char_p), ("verdict", c_char_p), ("arch", c_int), ("dst", c_int),
                ("out", c_int), ("done", c_uint64), ("wanted", c_uint64), ("exact", c_uint64),
                ("mismatched", c_uint64), ("nonfinite", c_uint64), ("max_steps", c_uint64),
                ("findings", c_uint64), ("cycles", c_uint64), ("max_ulp", c_double),
                ("mean_ulp", c_double), ("percentile_99", c_double), ("percentile_9999", c_double),
                ("passed", c_bool)]


class txl_sweep_side(Structure):
    _fields_ = [("max_ulp", c_double), ("mean_ulp", c_double), ("cycles", c_double),
                ("compared", c_uint64), ("exact", c_uint64), ("mismatched", c_uint64),
                ("findings", c_uint64)]


class txl_sweep_pair(Structure):
    _fields_ = [("kernel", c_char_p), ("arch", c_char_p), ("dst", c_char_p), ("domain", c_char_p),
                ("before", c_bool), ("after", c_bool), ("was", txl_sweep_side),
                ("is", txl_sweep_side), ("worse", c_char_p)]


class txl_compare_options(Structure):
    _fields_ = [("size", c_size_t), ("both", POINTER(txl_sweep_options)), ("a", c_char_p),
                ("b", c_char_p), ("program_a", c_void_p), ("program_b", c_void_p),
                ("arch_a", c_int), ("arch_b", c_int)]


class txl_compare_result(Structure):
    _fields_ = [("size", c_size_t), ("domain", c_char_p), ("covered", c_char_p),
                ("operands", c_uint), ("compared", c_uint64), ("differing", c_uint64),
                ("first", c_uint64), ("inputs", c_uint32 * 3), ("carried", c_uint64)]


class txl_compare_side(Structure):
    _fields_ = [("size", c_size_t), ("kernel", c_char_p), ("program", c_void_p), ("dst", c_int),
                ("out", c_int), ("cycles", c_uint64), ("got", c_uint32), ("parts", c_bool),
                ("step", txl_sweep_step)]


class txl_tensor_options(Structure):
    _fields_ = [("size", c_size_t), ("has_format", c_bool), ("format", c_int),
                ("numbers_too", c_bool), ("tile", tx_tile), ("twos_complement", c_bool),
                ("force_shared_exp", c_bool), ("shared_exp", c_uint8), ("shape", POINTER(c_uint64)),
                ("dimensions", c_uint), ("scratch", c_char_p)]


class txl_tensor_info(Structure):
    _fields_ = [("type", c_char_p), ("format", c_int), ("numbers", c_bool), ("tiles", c_bool),
                ("tile", tx_tile), ("tile_bytes", c_uint32), ("tile_count", c_uint64),
                ("elements", c_uint64), ("shape", POINTER(c_uint64)), ("dimensions", c_uint)]


class txl_tile_data(Structure):
    _fields_ = [("format", c_int), ("tile", tx_tile), ("layout", POINTER(tx_tile_layout)),
                ("tiles", c_uint64), ("bytes", POINTER(c_uint8)), ("words", POINTER(c_uint32)),
                ("odd", c_uint), ("odd_row", c_uint), ("odd_text", c_char_p)]


class txl_convert_options(Structure):
    _fields_ = [("size", c_size_t), ("in", POINTER(txl_tensor_options)), ("arch", c_int),
                ("route", c_char_p), ("has_to", c_bool), ("has_dst", c_bool), ("to", c_int),
                ("dst", c_int), ("progress", txl_progress), ("progress_user", c_void_p)]


class txl_loss(Structure):
    _fields_ = [("name", c_char_p), ("count", c_uint64), ("element", c_uint64),
                ("index", c_char * 256), ("before", c_char * 48), ("after", c_char * 48),
                ("before_word", c_uint32), ("after_word", c_uint32), ("relative_error", c_double)]


class txl_conversion(Structure):
    _fields_ = [("from", c_char_p), ("to", c_char_p), ("route", c_char_p), ("path", c_char_p),
                ("arch", c_int), ("shape", c_char_p), ("elements", c_uint64), ("tiles", c_uint64),
                ("tile", tx_tile), ("in_tile_bytes", c_uint32), ("out_tile_bytes", c_uint32),
                ("rounded", c_uint64), ("overflowed", c_uint64), ("vanished", c_uint64),
                ("odd", c_uint64), ("odd_tile", c_uint64), ("odd_row", c_uint),
                ("odd_text", c_char_p), ("measured", c_bool), ("loss", POINTER(txl_loss))]


class txl_diff_options(Structure):
    _fields_ = [("size", c_size_t), ("in", POINTER(txl_tensor_options)), ("has_max", c_bool),
                ("max_ulp", c_uint64), ("show", c_size_t), ("progress", txl_progress),
                ("progress_user", c_void_p)]


class txl_difference(Structure):
    _fields_ = [("element", c_uint64), ("ulp", c_uint64), ("index", c_char * 256),
                ("text", (c_char * 48) * 2), ("bits", (c_char * 16) * 2)]


class txl_diff(Structure):
    _fields_ = [("type", c_char_p * 2), ("shape", c_char_p), ("unit", c_int), ("different", c_bool),
                ("elements", c_uint64), ("same", c_uint64), ("other_bits", c_uint64),
                ("differ", c_uint64), ("mismatched", c_uint64), ("rounded", c_uint64 * 2),
                ("max_ulp", c_uint64), ("mean_ulp", c_double), ("first", POINTER(txl_difference)),
                ("worst", POINTER(txl_difference)), ("first_count", c_size_t),
                ("worst_count", c_size_t)]


class txl_debug_options(Structure):
    _fields_ = [("size", c_size_t), ("tile", c_uint64), ("tiles", c_uint64), ("history", c_uint64),
                ("progress", txl_progress), ("user", c_void_p)]


class txl_dis_options(Structure):
    _fields_ = [("size", c_size_t), ("arch", c_int), ("style", c_int), ("ttinsn", c_bool),
                ("words", c_bool), ("riscv", c_bool), ("reserved", c_char * 5)]


class txl_elf_function(Structure):
    _fields_ = [("name", c_char_p), ("address", c_uint64), ("words", POINTER(c_uint32)),
                ("offsets", POINTER(c_uint32)), ("count", c_size_t), ("code", POINTER(c_uint32)),
                ("code_count", c_size_t)]


class txl_eval_options(Structure):
    _fields_ = [("size", c_size_t), ("arch", c_int), ("text", c_char_p),
                ("settings", POINTER(tx_settings)), ("thread", POINTER(c_uint)),
                ("sets", POINTER(c_char_p)), ("set_count", c_uint), ("l1_in", POINTER(c_char_p)),
                ("l1_out", POINTER(c_char_p)), ("l1_in_count", c_uint), ("l1_out_count", c_uint),
                ("scratch", c_char_p)]


class txl_eval_change(Structure):
    _fields_ = [("file", c_int), ("name", c_char_p), ("unit", c_char_p), ("index", c_uint),
                ("thread", c_uint), ("alone", c_bool), ("width", c_uint),
                ("before", POINTER(c_uint32)), ("after", POINTER(c_uint32))]


class txl_l1_change(Structure):
    _fields_ = [("address", c_uint32), ("before", c_char * 33), ("after", c_char * 33)]


class txl_expand_options(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("dst", c_int), ("out", c_int),
                ("tiles", c_uint64), ("progress", txl_progress), ("user", c_void_p)]


class txl_fit_options(Structure):
    _fields_ = [("size", c_size_t), ("kernel", c_char_p), ("text", c_char_p), ("arch", c_int),
                ("start", c_int), ("dst", c_int), ("out", c_int), ("domain", c_char_p),
                ("stride", c_uint64), ("sample", c_uint64), ("reference", c_char_p),
                ("function", txl_sweep_function), ("function_user", c_void_p),
                ("rules", POINTER(c_char_p)), ("rule_count", c_uint), ("objective", c_int),
                ("pins", POINTER(c_char_p)), ("pin_count", c_uint), ("seed", c_uint64),
                ("jobs", c_uint), ("seconds", c_double), ("restarts", c_uint64), ("shard", c_uint),
                ("shards", c_uint), ("state", c_char_p), ("compiler", c_void_p),
                ("progress", txl_progress), ("better", CFUNCTYPE(None, c_void_p, c_char_p)),
                ("user", c_void_p), ("merge", POINTER(c_char_p)), ("merge_count", c_size_t),
                ("without_flushed", c_bool), ("bound", c_bool), ("path", c_char_p),
                ("helper", c_char_p), ("environment", POINTER(c_char_p))]


class txl_fit_figures(Structure):
    _fields_ = [("inputs", c_uint64), ("mismatched", c_uint64), ("exact", c_uint64),
                ("findings", c_uint64), ("max_ulp", c_double), ("mean_ulp", c_double),
                ("cycles", c_uint64)]


class txl_fit_result(Structure):
    _fields_ = [("size", c_size_t), ("before", txl_fit_figures), ("after", txl_fit_figures),
                ("tried", c_uint64), ("refuted", c_uint64), ("starts", c_uint64),
                ("seconds", c_double), ("constants", c_uint), ("cancelled", c_bool),
                ("late", c_bool), ("proved", c_bool), ("better", c_bool),
                ("before_unrounded", c_double), ("after_unrounded", c_double), ("inputs", c_uint64),
                ("before_swept", c_uint64), ("after_swept", c_uint64), ("left_out", c_uint64),
                ("bound", c_double), ("no_bound", c_char_p)]


class txl_form_options(Structure):
    _fields_ = [("size", c_size_t), ("form", c_char_p), ("reference", c_char_p), ("arch", c_int),
                ("dst", c_int), ("domain", c_char_p), ("budget", c_uint64),
                ("progress", txl_progress), ("user", c_void_p), ("seconds", c_double),
                ("scheme", c_uint64)]


class txl_form_result(Structure):
    _fields_ = [("size", c_size_t), ("kind", c_int), ("m", c_uint), ("n", c_uint),
                ("reduced", c_bool), ("pairs", c_bool), ("optimal", c_bool), ("rows", c_uint),
                ("coefficients", c_uint), ("cycles", c_uint64), ("row_cycles", c_double),
                ("other_row", c_double), ("error", c_double), ("tried", c_uint64), ("late", c_bool),
                ("seconds", c_double)]


class txl_front_options(Structure):
    _fields_ = [("size", c_size_t), ("fit", POINTER(txl_fit_options)), ("forms", c_char_p),
                ("seconds", c_uint64), ("error", c_double), ("cycles", c_uint64),
                ("page", c_char_p)]


class txl_front_point(Structure):
    _fields_ = [("size", c_size_t), ("form", c_char_p), ("pairs", c_bool), ("front", c_bool),
                ("reserved", c_char * 6), ("before", c_uint64), ("after", c_uint64),
                ("error", c_double), ("bound", c_double), ("text", c_char_p)]


class txl_gdb_options(Structure):
    _fields_ = [("size", c_size_t), ("send", CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)),
                ("user", c_void_p), ("progress", txl_progress), ("progress_user", c_void_p),
                ("history", c_uint64)]


class txl_gdb_server(Structure):
    _fields_ = [("size", c_size_t), ("address", c_char_p), ("input", c_int), ("output", c_int),
                ("history", c_uint64), ("ready", CFUNCTYPE(None, c_void_p, c_char_p)),
                ("user", c_void_p)]


class txl_kernel_options(Structure):
    _fields_ = [("size", c_size_t), ("arch", c_int), ("start", c_int), ("hex", c_bool),
                ("ttinsn", c_bool), ("threads", c_bool), ("empty", c_bool), ("any_word", c_bool),
                ("reserved", c_char * 3)]


class txl_record_kernel(Structure):
    _fields_ = [("size", c_size_t), ("init", c_char_p), ("tile", c_char_p),
                ("head", POINTER(c_char_p)), ("head_count", c_uint), ("reserved", c_uint)]


class txl_record_options(Structure):
    _fields_ = [("size", c_size_t), ("arch", c_int), ("source", c_char_p),
                ("kernel", POINTER(txl_record_kernel)), ("list", c_char_p), ("compiler", c_char_p),
                ("standard", c_char_p), ("include", c_char_p), ("scratch", c_char_p),
                ("flags", POINTER(c_char_p)), ("flag_count", c_uint),
                ("environment", POINTER(c_char_p)), ("no_fuse", c_bool), ("spill", c_bool),
                ("say", CFUNCTYPE(None, c_void_p, c_char_p)), ("progress", txl_progress),
                ("user", c_void_p)]


class txl_cc_options(Structure):
    _fields_ = [("size", c_size_t), ("arch", c_int), ("thread", c_uint), ("source", c_char_p),
                ("out", c_char_p), ("compiler", c_char_p), ("include", c_char_p),
                ("scratch", c_char_p), ("flags", POINTER(c_char_p)), ("flag_count", c_uint),
                ("reserved", c_uint), ("environment", POINTER(c_char_p)),
                ("say", CFUNCTYPE(None, c_void_p, c_char_p)), ("progress", txl_progress),
                ("user", c_void_p), ("sfpi", c_char_p), ("metal", c_char_p), ("placed", c_bool),
                ("llk", c_bool), ("reserved_too", c_uint8 * 6)]


class txl_lsp_options(Structure):
    _fields_ = [("size", c_size_t), ("arch", c_int),
                ("send", CFUNCTYPE(None, c_void_p, c_char_p, c_size_t)), ("user", c_void_p)]


class txl_opt_options(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("dst", c_int), ("out", c_int),
                ("seconds", c_uint64), ("nodes", c_uint64), ("domain", c_char_p),
                ("sample", c_uint64), ("progress", txl_progress), ("user", c_void_p)]


class txl_opt_result(Structure):
    _fields_ = [("size", c_size_t), ("before", c_uint64), ("after", c_uint64), ("kept", c_char_p),
                ("expanded", c_bool), ("optimal", c_bool), ("ii", c_uint), ("bound", c_uint),
                ("compared", c_uint64), ("reordered", c_bool), ("selected", c_bool),
                ("through_dst", c_uint64)]


class txl_race_options(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("settings", POINTER(tx_settings)),
                ("kernel", POINTER(tx_kernel_options)), ("kernel_size", c_size_t),
                ("sets", POINTER(c_char_p)), ("set_count", c_uint), ("l1_in", POINTER(c_char_p)),
                ("l1_in_count", c_uint), ("scratch", c_char_p), ("no_idioms", c_bool),
                ("every", c_bool), ("hold_open", c_bool), ("reserved", c_char * 5)]


class txl_race_result(Structure):
    _fields_ = [("found", c_size_t), ("idioms", c_size_t), ("instructions", c_uint64),
                ("accesses", c_uint64), ("known", c_size_t), ("unseen", c_size_t),
                ("known_file", c_int), ("open", c_size_t)]


class txl_race_place(Structure):
    _fields_ = [("thread", c_uint), ("section", c_uint), ("word", c_uint32), ("line", c_uint32),
                ("source", c_char_p), ("text", c_char_p), ("pass", c_uint64), ("unit", c_char_p),
                ("writes", c_bool), ("core", c_bool)]


class txl_race_idiom(Structure):
    _fields_ = [("id", c_char_p), ("text", c_char_p), ("evidence", c_char_p), ("count", c_uint64)]


class txl_race_found(Structure):
    _fields_ = [("place", txl_race_place * 2), ("shared", c_int), ("what", c_char_p),
                ("why", c_char_p), ("remedy", c_char_p), ("program_order", c_bool),
                ("count", c_uint64), ("delays", c_char_p), ("witness", c_char_p),
                ("trials", c_uint64), ("cycles", c_uint64), ("known", c_bool),
                ("doubt", POINTER(txl_race_idiom)), ("open", c_bool)]


class txl_schedule_options(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("dst", c_int), ("out", c_int),
                ("ii", c_uint), ("templates", c_uint), ("sequences", c_uint),
                ("registers", c_uint32), ("seconds", c_uint64), ("nodes", c_uint64),
                ("domain", c_char_p), ("sample", c_uint64), ("progress", txl_progress),
                ("user", c_void_p), ("keep_dst", c_uint64)]


class txl_schedule_result(Structure):
    _fields_ = [("size", c_size_t), ("ii", c_uint), ("bound", c_uint), ("bound_why", c_char_p),
                ("optimal", c_bool), ("cut", c_bool), ("rows", c_uint), ("issues", c_uint),
                ("phases", c_uint), ("templates", c_uint), ("sequences", c_uint),
                ("cycles", c_uint64), ("straight", c_uint64), ("nodes", c_uint64),
                ("refuted", c_uint64), ("compared", c_uint64), ("seconds", c_double),
                ("through_dst", c_uint64)]


class txl_silicon_options(Structure):
    _fields_ = [("size", c_size_t), ("rows", c_char_p), ("every", c_uint), ("packets", c_uint),
                ("progress", txl_progress), ("user", c_void_p), ("times", c_char_p),
                ("times_name", c_char_p)]


class txl_silicon_value(Structure):
    _fields_ = [("id", c_char_p), ("why", c_char_p), ("measured", c_double),
                ("predicted", c_double), ("bytes", c_uint32)]


class txl_trace_options(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("settings", POINTER(tx_settings)),
                ("kernel", POINTER(tx_kernel_options)), ("kernel_size", c_size_t),
                ("sets", POINTER(c_char_p)), ("set_count", c_uint), ("inputs", POINTER(c_char_p)),
                ("input_count", c_uint), ("l1_in", POINTER(c_char_p)),
                ("l1_out", POINTER(c_char_p)), ("l1_in_count", c_uint), ("l1_out_count", c_uint),
                ("tile", c_uint64), ("tiles", c_uint64), ("init", c_bool), ("first", c_uint64),
                ("end", c_uint64), ("regs", c_uint32), ("rows", POINTER(c_uint32)),
                ("compact", c_bool), ("color", c_bool), ("progress", txl_progress),
                ("large", CFUNCTYPE(None, c_void_p, c_uint64)), ("large_bytes", c_uint64),
                ("user", c_void_p), ("scratch", c_char_p), ("source", c_char_p),
                ("source_length", c_size_t), ("sources", POINTER(c_char_p)),
                ("source_count", c_size_t)]


class txl_check_failure(Structure):
    _fields_ = [("file", c_char_p), ("line", c_uint), ("name", c_char_p), ("message", c_char_p)]


class txl_check_options(Structure):
    _fields_ = [("size", c_size_t), ("engine", c_int), ("compiler", c_void_p), ("jobs", c_uint),
                ("strict_version", c_bool),
                ("failure", CFUNCTYPE(None, c_void_p, POINTER(txl_check_failure))),
                ("failure_user", c_void_p), ("progress", txl_progress), ("progress_user", c_void_p),
                ("compile_progress", txl_progress), ("compile_user", c_void_p)]


class txl_check_left(Structure):
    _fields_ = [("reason", c_char_p), ("count", c_uint64)]


class txl_check(Structure):
    _fields_ = [("passed", c_uint64), ("failed", c_uint64), ("compiled_steps", c_uint64),
                ("levels", c_uint), ("failures", POINTER(txl_check_failure)),
                ("left", txl_check_left * 16)]


class txl_vectors_options(Structure):
    _fields_ = [("size", c_size_t), ("arch", c_int), ("thread", c_uint), ("initial", c_char_p)]


class txl_bench_line(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("arch", c_int), ("data", c_char_p),
                ("against", c_uint), ("goal", c_double), ("compiled", c_bool)]


class txl_bench_options(Structure):
    _fields_ = [("size", c_size_t), ("engine", c_int), ("level", c_char_p), ("runs", c_uint),
                ("slice", c_double), ("compiler", c_void_p)]


class txl_bench_result(Structure):
    _fields_ = [("size", c_size_t), ("rate", c_double), ("ratio", c_double * 4),
                ("spread", c_double), ("scaling", c_double), ("streamed", c_double),
                ("loops", c_double * 4)]


class txl_bench_change(Structure):
    _fields_ = [("name", c_char_p), ("was", c_double), ("is", c_double), ("verdict", c_char_p)]


STRUCTS: List[Any] = [
    txl_error, txl_where, txl_card_ended, txl_card_host, txl_card_launch, txl_order_options,
    txl_order_area, txl_order_buffer, txl_order_site, txl_order_found, txl_order_wait,
    txl_order_again, txl_order_run, txl_order_wanted, txl_profile_result, txl_profile_trial,
    txl_profile_part, txl_profile_lane, txl_profile_step, txl_lint_options, txl_lint_place,
    txl_lint_finding, txl_lint_nop, txl_lint_result, txl_compiler_options, txl_run_options,
    txl_run_tile, txl_run_result, txl_run_array, txl_run_finding, txl_run_note, txl_accuracy_worst,
    txl_accuracy, txl_l1_file, txl_cycles_cause, txl_cycles, txl_gap, txl_gap_moved, txl_gaps,
    txl_run_shadow_options, txl_tensix_program, txl_tensix_word, txl_tensix_late,
    txl_tensix_options, txl_tensix_result, txl_tensix_core, txl_chip_options, txl_chip_wants,
    txl_chip_program_options, txl_chip_buffer, txl_chip_result, txl_step, txl_value, txl_source,
    txl_account_total, txl_account_line, txl_sweep_options, txl_sweep_about, txl_sweep_figures,
    txl_sweep_case, txl_sweep_step, txl_sweep_report, txl_sweep_line, txl_sweep_side,
    txl_sweep_pair, txl_compare_options, txl_compare_result, txl_compare_side, txl_tensor_options,
    txl_tensor_info, txl_tile_data, txl_convert_options, txl_loss, txl_conversion, txl_diff_options,
    txl_difference, txl_diff, txl_debug_options, txl_dis_options, txl_elf_function,
    txl_eval_options, txl_eval_change, txl_l1_change, txl_expand_options, txl_fit_options,
    txl_fit_figures, txl_fit_result, txl_form_options, txl_form_result, txl_front_options,
    txl_front_point, txl_gdb_options, txl_gdb_server, txl_kernel_options, txl_record_kernel,
    txl_record_options, txl_cc_options, txl_lsp_options, txl_opt_options, txl_opt_result,
    txl_race_options, txl_race_result, txl_race_place, txl_race_idiom, txl_race_found,
    txl_schedule_options, txl_schedule_result, txl_silicon_options, txl_silicon_value,
    txl_trace_options, txl_check_failure, txl_check_options, txl_check_left, txl_check,
    txl_vectors_options, txl_bench_line, txl_bench_options, txl_bench_result, txl_bench_change,
]
