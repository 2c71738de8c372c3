# SPDX-License-Identifier: Apache-2.0
"""The C interface as ctypes sees it. Written by scripts/python_abi.py from include/tensix/*.h."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure
from ctypes import (
    c_bool, c_char, c_char_p, c_int, c_int64, c_size_t, c_uint, c_uint16, c_uint32, c_uint64,
    c_uint8, c_void_p,
)
from typing import Any, Dict, List, Sequence, Tuple

from ._isa_names import ENUMS as ENUMS

# Enumerators of enums without a tag, and macros.
CONSTANTS: Dict[str, int] = {
    "TX_VERSION_MAJOR": 0, "TX_VERSION_MINOR": 1, "TX_VERSION_PATCH": 0, "TX_ABI": 0,
    "TX_LANES": 32, "TX_COLUMNS": 8, "TX_LREGS": 17, "TX_DST_ROWS": 1024, "TX_SRC_ROWS": 64,
    "TX_DST_WIDTH": 16, "TX_THREADS": 3, "TX_GPRS": 64, "TX_TILE_ELEMENTS": 1024,
    "TX_INSN_MAX_FIELDS": 13, "TX_SECTION_INIT": 0, "TX_SECTION_TILE": 1, "TX_SECTIONS": 2,
    "TX_SOURCE_FILES": 15, "TX_SOURCE_NAME": 192, "TX_FREE_NAME": 32, "TX_FREE_MOST": 64,
    "TX_MAX_RULES": 64, "TX_MAX_FINDINGS": 64, "TX_MESSAGE": 192, "TX_WATCH_CYCLES": 1024,
    "TX_MAX_CYCLES": 100000000, "TX_ADC_VALUES": 16, "TX_ORDER_CORE": 8, "TX_SPLITS": 32,
}


class tx_field(Structure):
    _fields_ = [("name", c_char_p), ("lsb", c_uint8), ("width", c_uint8), ("kind", c_uint8)]


class tx_insn(Structure):
    _fields_ = [("name", c_char_p), ("macro", c_char_p), ("opcode", c_uint8), ("unit", c_uint8),
                ("field_count", c_uint8), ("fields", tx_field * 13)]


class tx_row(Structure):
    _fields_ = [("id", c_char_p), ("mnemonic", c_char_p), ("summary", c_char_p),
                ("source", c_char_p), ("reads", c_uint64), ("writes", c_uint64),
                ("belief", c_uint64), ("number", c_uint16), ("modes", c_uint16),
                ("legal", c_uint16), ("insn", c_uint8), ("archs", c_uint8), ("unit", c_uint8),
                ("latency", c_uint8), ("implied", c_uint8)]


class tx_insn_mode(Structure):
    _fields_ = [("where", c_char_p), ("name", c_char_p), ("constants", c_char_p),
                ("meaning", c_char_p), ("formula", c_char_p), ("bits", c_uint16),
                ("value", c_uint16), ("modes", c_uint16), ("archs", c_uint8), ("field", c_uint8)]


class tx_move(Structure):
    _fields_ = [("source", c_uint8), ("reg", c_uint8), ("lane", c_uint8)]


class tx_terms(Structure):
    _fields_ = [("x", c_uint8), ("y", c_uint8), ("z", c_uint8), ("product", c_uint8),
                ("addend", c_uint8)]


class tx_piece(Structure):
    _fields_ = [("a", c_uint32), ("c", c_uint32), ("piece", c_uint8), ("whole", c_bool),
                ("retain", c_bool)]


class tx_real(Structure):
    _fields_ = [("relation", c_uint8), ("kind", c_uint8), ("operands", c_uint8),
                ("operand", c_uint8 * 2), ("amount", c_uint32)]


class tx_same(Structure):
    _fields_ = [("insn", c_uint8), ("mode", c_uint8), ("field", c_uint8)]


class tx_decoded(Structure):
    _fields_ = [("insn", POINTER(tx_insn)), ("row", POINTER(tx_row)), ("other", c_uint32),
                ("unused", c_uint32), ("mode", c_uint8), ("canonical", c_bool),
                ("fields", c_uint32 * 13)]


class tx_config_field(Structure):
    _fields_ = [("name", c_char_p), ("thread", c_bool), ("word", c_uint16), ("lsb", c_uint8),
                ("width", c_uint8)]


class tx_register_field(Structure):
    _fields_ = [("owner", c_char_p), ("name", c_char_p), ("lsb", c_uint8), ("width", c_uint8),
                ("csr", c_bool), ("meaning", c_char_p), ("source", c_char_p)]


class tx_macro_field(Structure):
    _fields_ = [("word", c_char_p), ("text", c_char_p), ("meaning", c_char_p), ("lsb", c_uint8),
                ("width", c_uint8)]


class tx_erratum(Structure):
    _fields_ = [("id", c_char_p), ("archs", c_uint8), ("rows", c_char_p), ("text", c_char_p),
                ("evidence", c_char_p)]


class tx_evidence(Structure):
    _fields_ = [("id", c_char_p), ("rows", c_char_p), ("text", c_char_p), ("source", c_char_p),
                ("rule", c_char_p)]


class tx_rule(Structure):
    _fields_ = [("name", c_char_p), ("values", c_char_p * 4), ("evidence", c_char_p)]


class tx_diag(Structure):
    _fields_ = [("line", c_uint), ("column", c_uint), ("length", c_uint), ("message", c_char * 200),
                ("source", c_char * 200), ("file", c_char * 192), ("syntax", c_char * 256)]


class tx_include(Structure):
    _fields_ = [("name", c_char_p), ("from", c_char_p), ("text", c_char_p), ("length", c_size_t),
                ("path", c_char * 192), ("message", c_char * 160)]


class tx_free_constant(Structure):
    _fields_ = [("name", c_char * 32), ("kind", c_int), ("bits", c_uint32), ("order", c_int64),
                ("low", c_int64), ("high", c_int64), ("line", c_uint), ("offset", c_size_t),
                ("length", c_size_t)]


class tx_asm_options(Structure):
    _fields_ = [("arch", c_int), ("force_arch", c_bool), ("ttinsn", c_bool), ("hex", c_bool),
                ("reserved", c_uint8), ("include", c_void_p), ("include_user", c_void_p)]


class tx_macro_reader(Structure):
    _fields_ = [("l0", c_uint32), ("l0_known", c_uint32), ("no_backdoor", c_bool),
                ("reserved", c_uint8 * 3)]


class tx_finding(Structure):
    _fields_ = [("size", c_uint32), ("category", c_int), ("arch", c_int), ("thread", c_uint8),
                ("rule", c_char_p), ("cycle", c_uint64), ("index", c_uint64), ("word", c_uint32),
                ("lanes", c_uint32), ("count", c_uint64), ("producer", c_uint64),
                ("producer_cycle", c_uint64), ("producer_word", c_uint32),
                ("message", c_char * 192), ("pusher", c_uint8), ("pusher_pc", c_uint32)]


class tx_operands(Structure):
    _fields_ = [("imm", c_uint32), ("va", c_uint8), ("vb", c_uint8), ("vc", c_uint8),
                ("vd", c_uint8), ("mode", c_uint8), ("rounding", c_uint8)]


class tx_stall(Structure):
    _fields_ = [("row", POINTER(tx_row)), ("word", c_uint32), ("number", c_uint64),
                ("start", c_uint64), ("lregs", c_uint32), ("needed", c_uint32)]


class tx_event(Structure):
    _fields_ = [("size", c_uint32), ("kind", c_int), ("thread", c_uint8), ("unit", c_uint8),
                ("index", c_uint16), ("cycle", c_uint64), ("word", c_uint32), ("lanes", c_uint32),
                ("row", POINTER(tx_row)), ("values", POINTER(c_uint32)),
                ("finding", POINTER(tx_finding)), ("text", c_char_p), ("number", c_uint64),
                ("start", c_uint64), ("address", c_uint16), ("scheduled", c_uint8),
                ("mode", c_uint8), ("operands", POINTER(tx_operands)), ("stall", POINTER(tx_stall))]


class tx_sink(Structure):
    _fields_ = [("event", CFUNCTYPE(None, c_void_p, POINTER(tx_event))), ("user", c_void_p)]


class tx_watch(Structure):
    _fields_ = [("go_on", CFUNCTYPE(c_bool, c_void_p)), ("user", c_void_p)]


class tx_settings(Structure):
    _fields_ = [("size", c_uint32), ("arch", c_int), ("mode", c_int), ("rules", c_uint8 * 64),
                ("sink", tx_sink), ("watch", tx_watch), ("max_cycles", c_uint64),
                ("src_ready", c_bool), ("pace", c_uint8 * 5), ("reserved", c_uint8 * 2)]


class tx_counters(Structure):
    _fields_ = [("cycles", c_uint64), ("issue_cycles", c_uint64), ("instructions", c_uint64),
                ("vector_instructions", c_uint64), ("scheduled_instructions", c_uint64),
                ("stall_cycles", c_uint64)]


class tx_access(Structure):
    _fields_ = [("struct_size", c_uint32), ("address", c_uint32), ("data", c_uint32 * 4),
                ("size", c_uint8), ("write", c_bool), ("thread", c_uint8), ("cycle", c_uint64)]


class tx_port(Structure):
    _fields_ = [("size", c_uint32), ("word", c_uint32), ("thread", c_uint8), ("unit", c_uint8),
                ("cycle", c_uint64), ("number", c_uint64), ("insn", POINTER(tx_insn)),
                ("fields", c_uint32 * 13), ("values", c_uint32 * 4), ("address", c_uint32),
                ("dst_first", c_uint16), ("dst_rows", c_uint16)]


class tx_host(Structure):
    _fields_ = [("size", c_uint32), ("l1", POINTER(c_uint8)), ("l1_size", c_uint32),
                ("memory", CFUNCTYPE(c_bool, c_void_p, POINTER(tx_access))),
                ("port", CFUNCTYPE(c_int, c_void_p, POINTER(tx_port))), ("user", c_void_p),
                ("load_cycles", c_uint8), ("atomic_cycles", c_uint8), ("reserved", c_uint8 * 6)]


class tx_stream(Structure):
    _fields_ = [("words", POINTER(c_uint32)), ("count", c_size_t)]


class tx_gate(Structure):
    _fields_ = [("present", c_bool), ("word", c_uint32), ("hold", c_int), ("since", c_uint64),
                ("other", c_uint8), ("wait", c_int), ("wait_word", c_uint32),
                ("wait_since", c_uint64), ("block", c_uint16), ("conditions", c_uint16),
                ("busy", c_uint16), ("semaphores", c_uint8), ("busy_semaphores", c_uint8)]


class tx_scalar(Structure):
    _fields_ = [("busy", c_bool), ("thread", c_uint8), ("word", c_uint32), ("since", c_uint64),
                ("requests", c_uint * 3)]


class tx_unpack_job(Structure):
    _fields_ = [("thread", c_uint8), ("fetching", c_bool), ("word", c_uint32), ("number", c_uint64),
                ("since", c_uint64), ("passed", c_uint64)]


class tx_tensix_settings(Structure):
    _fields_ = [("size", c_uint32), ("machine", tx_settings), ("untimed", c_bool),
                ("reserved", c_uint8 * 7)]


class tx_noc_access(Structure):
    _fields_ = [("struct_size", c_uint32), ("x", c_uint32), ("y", c_uint32), ("size", c_uint32),
                ("address", c_uint64), ("to", POINTER(c_uint8)), ("from", POINTER(c_uint8))]


class tx_tile_place(Structure):
    _fields_ = [("space", c_int), ("part", c_uint), ("index", c_uint)]


class tx_core_state(Structure):
    _fields_ = [("phase", c_int), ("pc", c_uint32), ("word", c_uint32), ("address", c_uint32),
                ("rests", c_bool), ("waits_for", c_int), ("wait", c_char_p),
                ("instructions", c_uint64), ("waited", c_uint64 * 8)]


class tx_core_decoded(Structure):
    _fields_ = [("arch", c_int), ("kind", c_int), ("id", c_int), ("word", c_uint32),
                ("imm", c_uint32), ("reads", c_uint32), ("rd", c_uint8), ("rs1", c_uint8),
                ("rs2", c_uint8), ("size", c_uint8), ("extends", c_bool)]


class tx_chip_settings(Structure):
    _fields_ = [("size", c_uint32), ("arch", c_int), ("tile", POINTER(tx_tensix_settings)),
                ("policy", c_int), ("bad_tensix", c_uint32), ("bad_dram", c_uint32),
                ("ethernet", c_uint32), ("l2cpu", c_uint32), ("pcie", c_uint32),
                ("columns", c_uint32), ("rows", c_uint32), ("asic_location", c_uint32),
                ("chip_id", c_uint32), ("board_id", c_uint64), ("sleepless", c_bool),
                ("raw", c_bool), ("reserved", c_uint8 * 6), ("seed", c_uint64),
                ("adverse_delay", c_uint32), ("start_delay", c_uint32)]


class tx_chip_place(Structure):
    _fields_ = [("noc", c_uint32), ("x", c_uint32), ("y", c_uint32)]


class tx_chip_tile(Structure):
    _fields_ = [("kind", c_int), ("number", c_uint32), ("port", c_uint32), ("x", c_uint32 * 2),
                ("y", c_uint32 * 2), ("translated_x", c_uint32), ("translated_y", c_uint32),
                ("off", c_bool)]


class tx_chip_observer(Structure):
    _fields_ = [("struct_size", c_uint32), ("jumps", c_uint32), ("sink", tx_sink),
                ("cycle", CFUNCTYPE(None, c_void_p, c_uint64)), ("user", c_void_p)]


class tx_chip_request(Structure):
    _fields_ = [("struct_size", c_uint32), ("noc", c_uint32), ("x", c_uint32), ("y", c_uint32),
                ("start_x", c_uint32), ("start_y", c_uint32), ("address", c_uint64),
                ("to", POINTER(c_uint8)), ("from", POINTER(c_uint8)), ("bytes", c_uint32),
                ("broadcast", c_bool), ("posted", c_bool), ("exclude", c_bool),
                ("reserved", c_uint8 * 1), ("stride", c_uint32)]


class tx_chip_access(Structure):
    _fields_ = [("struct_size", c_uint32), ("noc", c_uint32), ("address", c_uint64),
                ("to", POINTER(c_uint8)), ("from", POINTER(c_uint8)), ("bytes", c_uint32),
                ("index", c_uint32)]


class tx_chip_wait(Structure):
    _fields_ = [("kind", c_int), ("tile", c_uint32), ("who", c_uint32), ("noc", c_uint32),
                ("on", c_uint32), ("next", c_uint32), ("pc", c_uint32), ("value", c_uint32),
                ("address", c_uint64), ("text", c_char * 192)]


class tx_chip_executor(Structure):
    _fields_ = [("struct_size", c_uint32), ("parts", c_uint32),
                ("run", CFUNCTYPE(None, c_void_p, POINTER(c_void_p), c_void_p, c_uint32)),
                ("user", c_void_p)]


class tx_kernel_options(Structure):
    _fields_ = [("dst", c_int), ("out", c_int), ("seed", c_uint32), ("thread", c_uint),
                ("carry", c_bool), ("start", c_int)]


class tx_dst_place(Structure):
    _fields_ = [("row", c_uint16), ("column", c_uint16)]


class tx_format_info(Structure):
    _fields_ = [("name", c_char_p), ("isa_name", c_char_p), ("software_name", c_char_p),
                ("bits", c_uint8), ("exponent_bits", c_uint8), ("mantissa_bits", c_uint8),
                ("chips", c_uint8), ("block", c_bool), ("integer", c_bool), ("has_sign", c_bool)]


class tx_conversion_info(Structure):
    _fields_ = [("name", c_char_p), ("rule", c_char_p), ("evidence", c_char_p),
                ("in_bits", c_uint8), ("out_bits", c_uint8), ("chips", c_uint8),
                ("differs", c_bool)]


class tx_tile(Structure):
    _fields_ = [("rows", c_uint8), ("columns", c_uint8), ("transpose_of_faces", c_bool),
                ("transpose_within_face", c_bool)]


class tx_tile_layout(Structure):
    _fields_ = [("data", c_uint32), ("exponents", c_uint32), ("exponent_bytes", c_uint32),
                ("data_bytes", c_uint32), ("bytes", c_uint32)]


class tx_grid(Structure):
    _fields_ = [("tile", tx_tile), ("matrices", c_uint64), ("rows", c_uint64),
                ("columns", c_uint64), ("tile_rows", c_uint64), ("tile_columns", c_uint64),
                ("tiles", c_uint64), ("elements", c_uint64)]


class tx_unpack(Structure):
    _fields_ = [("arch", c_int), ("in", c_int), ("dst", c_int), ("through_src", c_bool),
                ("zero_flag_disabled", c_bool), ("force_shared_exp", c_bool),
                ("shared_exp", c_uint8), ("reserved", c_uint8 * 16)]


class tx_pack(Structure):
    _fields_ = [("arch", c_int), ("dst", c_int), ("intermediate", c_int), ("out", c_int),
                ("raw", c_bool), ("round10", c_bool), ("shift", c_uint8), ("relu", c_int),
                ("relu_threshold", c_uint16), ("threshold_exponent", c_bool),
                ("exponent_threshold", c_uint8), ("no_exponents", c_bool),
                ("reserved", c_uint8 * 19)]


class tx_codec(Structure):
    _fields_ = [("route", c_int), ("format", c_int), ("twos_complement", c_bool),
                ("reserved", c_uint8 * 15), ("unpack", tx_unpack), ("pack", tx_pack)]


class tx_order(Structure):
    _fields_ = [("size", c_uint32), ("kind", c_uint8), ("shared", c_uint8), ("thread", c_uint8),
                ("unit", c_uint8), ("word", c_uint32), ("index", c_uint32), ("count", c_uint32),
                ("mask", c_uint32), ("number", c_uint64), ("cycle", c_uint64),
                ("row", POINTER(tx_row))]


class tx_order_sink(Structure):
    _fields_ = [("order", CFUNCTYPE(None, c_void_p, POINTER(tx_order))), ("user", c_void_p)]


class tx_delay(Structure):
    _fields_ = [("thread", c_uint8), ("late", c_bool), ("zero", c_uint16), ("cycles", c_uint32),
                ("index", c_uint64)]


class tx_pcie_memory(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint8 * 4),
                ("read", CFUNCTYPE(None, c_void_p, c_uint64, c_void_p, c_size_t)),
                ("write", CFUNCTYPE(None, c_void_p, c_uint64, c_void_p, c_size_t)),
                ("user", c_void_p)]


class tx_core_access(Structure):
    _fields_ = [("address", c_uint32), ("size", c_uint32), ("load", c_bool), ("store", c_bool)]


class tx_core_glance(Structure):
    _fields_ = [("instructions", c_uint64), ("pc", c_uint32), ("phase", c_int)]


class tx_core_csr(Structure):
    _fields_ = [("name", c_char_p), ("number", c_uint16), ("vector", c_bool)]


class tx_core_store(Structure):
    _fields_ = [("core", c_int), ("address", c_uint32), ("value", c_uint32), ("size", c_uint32)]


STRUCTS: List[Any] = [
    tx_field, tx_insn, tx_row, tx_insn_mode, tx_move, tx_terms, tx_piece, tx_real, tx_same,
    tx_decoded, tx_config_field, tx_register_field, tx_macro_field, tx_erratum, tx_evidence,
    tx_rule, tx_diag, tx_include, tx_free_constant, tx_asm_options, tx_macro_reader, tx_finding,
    tx_operands, tx_stall, tx_event, tx_sink, tx_watch, tx_settings, tx_counters, tx_access,
    tx_port, tx_host, tx_stream, tx_gate, tx_scalar, tx_unpack_job, tx_tensix_settings,
    tx_noc_access, tx_tile_place, tx_core_state, tx_core_decoded, tx_chip_settings, tx_chip_place,
    tx_chip_tile, tx_chip_observer, tx_chip_request, tx_chip_access, tx_chip_wait, tx_chip_executor,
    tx_kernel_options, tx_dst_place, tx_format_info, tx_conversion_info, tx_tile, tx_tile_layout,
    tx_grid, tx_unpack, tx_pack, tx_codec, tx_order, tx_order_sink, tx_delay, tx_pcie_memory,
    tx_core_access, tx_core_glance, tx_core_csr, tx_core_store,
]

# Result and parameters. Handles, and arrays of numbers, are addresses.
FUNCTIONS: Dict[str, Tuple[Any, Sequence[Any]]] = {
    "tx_abi": (c_int, []),
    "tx_arch_name": (c_char_p, [c_int]),
    "tx_arch_parse": (c_int, [c_char_p, POINTER(c_int)]),
    "tx_arch_short": (c_char_p, [c_int]),
    "tx_array_decode": (c_int, [POINTER(tx_codec), POINTER(tx_grid), c_void_p, c_uint64, c_uint64,
        c_void_p]),
    "tx_array_encode": (c_int, [POINTER(tx_codec), POINTER(tx_grid), c_void_p, c_uint64, c_uint64,
        c_void_p]),
    "tx_asm_constants_at": (c_char_p, [c_int, c_size_t, c_void_p]),
    "tx_asm_directive_at": (c_char_p, [c_size_t]),
    "tx_assemble_sized": (c_int, [c_char_p, c_size_t, POINTER(tx_asm_options), c_size_t,
        POINTER(c_void_p), POINTER(tx_diag), c_size_t]),
    "tx_bfp_pack": (c_int, [c_int, c_void_p, c_void_p, c_void_p]),
    "tx_bfp_pack_host": (c_int, [c_int, c_void_p, c_void_p, c_void_p]),
    "tx_bound_name": (c_char_p, [c_uint]),
    "tx_bound_text": (c_char_p, [c_uint]),
    "tx_bounds": (c_uint32, [c_void_p]),
    "tx_category_name": (c_char_p, [c_int]),
    "tx_category_parse": (c_int, [c_char_p, POINTER(c_int)]),
    "tx_chip_arch": (c_int, [c_void_p]),
    "tx_chip_ask": (c_int, [c_void_p, POINTER(tx_chip_request)]),
    "tx_chip_close": (None, [c_void_p]),
    "tx_chip_cycle": (c_int, [c_void_p, c_uint64]),
    "tx_chip_cycles": (c_uint64, [c_void_p]),
    "tx_chip_delay": (c_int, [c_void_p, c_char_p]),
    "tx_chip_device": (c_int, [c_void_p, c_int, POINTER(c_bool), c_void_p]),
    "tx_chip_execute": (c_int, [c_void_p, POINTER(tx_chip_executor)]),
    "tx_chip_find": (c_int, [c_void_p, tx_chip_place, c_void_p]),
    "tx_chip_finding_at": (POINTER(tx_finding), [c_void_p, c_size_t]),
    "tx_chip_finding_count": (c_size_t, [c_void_p]),
    "tx_chip_grid": (None, [c_void_p, c_void_p, c_void_p]),
    "tx_chip_kind_name": (c_char_p, [c_int]),
    "tx_chip_link_flits": (c_uint64, [c_void_p, c_size_t, c_uint, c_int]),
    "tx_chip_machine": (c_void_p, [c_void_p, c_size_t]),
    "tx_chip_niu_read": (c_int, [c_void_p, c_size_t, c_uint, c_uint32, c_void_p]),
    "tx_chip_niu_write": (c_int, [c_void_p, c_size_t, c_uint, c_uint32, c_uint32]),
    "tx_chip_observe": (c_int, [c_void_p, c_size_t, POINTER(tx_chip_observer)]),
    "tx_chip_open": (c_int, [POINTER(tx_chip_settings), POINTER(c_void_p)]),
    "tx_chip_pace": (c_int, [c_void_p, c_int, c_int]),
    "tx_chip_product": (c_char_p, [c_size_t]),
    "tx_chip_read": (c_int, [c_void_p, tx_chip_place, c_uint64, c_void_p, c_size_t]),
    "tx_chip_reset": (None, [c_void_p]),
    "tx_chip_restore": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_chip_run": (c_int, [c_void_p, c_uint64]),
    "tx_chip_set_time": (c_int, [c_void_p, c_char_p]),
    "tx_chip_settings_default_sized": (c_int, [POINTER(tx_chip_settings), c_size_t, c_char_p]),
    "tx_chip_settings_of": (None, [c_void_p, POINTER(tx_chip_settings)]),
    "tx_chip_sleeps": (c_bool, [c_void_p]),
    "tx_chip_snapshot": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_chip_snapshot_size": (c_size_t, [c_void_p]),
    "tx_chip_tensix": (c_void_p, [c_void_p, c_size_t]),
    "tx_chip_tile_at_sized": (c_int, [c_void_p, c_size_t, POINTER(tx_chip_tile), c_size_t]),
    "tx_chip_time": (c_uint32, [c_void_p, c_size_t]),
    "tx_chip_time_name": (c_char_p, [c_size_t]),
    "tx_chip_under_way": (c_bool, [c_void_p]),
    "tx_chip_waits_sized": (c_size_t, [c_void_p, POINTER(tx_chip_wait), c_size_t, c_size_t]),
    "tx_chip_watch": (c_int, [c_void_p, c_size_t, c_bool]),
    "tx_chip_write": (c_int, [c_void_p, tx_chip_place, c_uint64, c_void_p, c_size_t]),
    "tx_close": (None, [c_void_p]),
    "tx_codec_check": (c_int, [POINTER(tx_codec), c_bool, POINTER(c_char_p)]),
    "tx_codec_default": (c_int, [c_int, c_int, c_int, c_int, POINTER(tx_codec), POINTER(c_char_p)]),
    "tx_condition_bit": (c_int, [c_int, c_int]),
    "tx_condition_get": (c_bool, [c_void_p, c_uint, c_int]),
    "tx_condition_name": (c_char_p, [c_int]),
    "tx_condition_set": (c_int, [c_void_p, c_uint, c_int, c_bool]),
    "tx_condition_text": (c_char_p, [c_int]),
    "tx_config_field_at": (POINTER(tx_config_field), [c_int, c_size_t]),
    "tx_config_field_find": (POINTER(tx_config_field), [c_int, c_char_p]),
    "tx_config_get": (c_int, [c_void_p, c_uint, c_char_p, c_void_p]),
    "tx_config_set": (c_int, [c_void_p, c_uint, c_char_p, c_uint32]),
    "tx_conversion_info": (POINTER(tx_conversion_info), [c_int]),
    "tx_conversion_parse": (c_int, [c_char_p, POINTER(c_int)]),
    "tx_convert": (c_uint32, [c_int, c_int, c_uint32]),
    "tx_convert_array": (c_int, [c_int, c_int, c_void_p, c_size_t, c_void_p]),
    "tx_core_compute": (c_bool, [POINTER(tx_core_decoded), c_uint32, c_uint32, c_uint32, c_void_p]),
    "tx_core_csr_at": (c_int, [c_int, c_uint, POINTER(tx_core_csr)]),
    "tx_core_csr_read": (c_int, [c_void_p, c_int, c_uint, c_void_p]),
    "tx_core_csr_write": (c_int, [c_void_p, c_int, c_uint, c_uint32]),
    "tx_core_decode": (None, [c_int, c_uint32, POINTER(tx_core_decoded)]),
    "tx_core_encode": (c_uint32, [c_int, c_uint, c_uint, c_uint, c_uint32]),
    "tx_core_last": (c_uint64, [c_void_p, c_int, c_void_p]),
    "tx_core_local": (c_uint32, []),
    "tx_core_local_read": (c_int, [c_void_p, c_int, c_uint32, c_void_p, c_size_t]),
    "tx_core_local_size": (c_uint32, [c_int, c_int]),
    "tx_core_local_write": (c_int, [c_void_p, c_int, c_uint32, c_void_p, c_size_t]),
    "tx_core_name": (c_char_p, [c_int]),
    "tx_core_next": (c_int, [c_void_p, c_int, POINTER(tx_core_access)]),
    "tx_core_parse": (c_int, [c_char_p, POINTER(c_int)]),
    "tx_core_peek": (c_size_t, [c_void_p, c_int, c_uint32, c_void_p, c_size_t]),
    "tx_core_poke": (c_size_t, [c_void_p, c_int, c_uint32, c_void_p, c_size_t]),
    "tx_core_queued": (c_uint, [c_void_p, c_int, c_uint32, c_uint32]),
    "tx_core_read": (c_int, [c_void_p, c_int, c_uint, c_void_p]),
    "tx_core_start": (c_uint32, [c_int]),
    "tx_core_text": (None, [c_int, c_uint32, c_uint32, c_char_p, c_size_t]),
    "tx_core_wait_text": (c_char_p, [c_size_t]),
    "tx_core_wake": (c_int, [c_void_p, c_int]),
    "tx_core_word": (c_uint32, [c_void_p, c_int, c_uint32]),
    "tx_core_write": (c_int, [c_void_p, c_int, c_uint, c_uint32]),
    "tx_cycle": (c_int, [c_void_p, c_uint, c_void_p, POINTER(c_bool)]),
    "tx_decode_sized": (c_int, [c_int, c_uint32, POINTER(tx_decoded), c_size_t]),
    "tx_disassemble": (c_int, [c_int, c_uint32, c_int, c_char_p, c_size_t]),
    "tx_dst_encode": (c_uint32, [c_int, c_uint32, POINTER(c_bool)]),
    "tx_dst_encoding_name": (c_char_p, [c_int]),
    "tx_dst_format_name": (c_char_p, [c_int]),
    "tx_dst_format_parse": (c_int, [c_char_p, POINTER(c_int)]),
    "tx_dst_load_tile": (c_int, [c_void_p, c_uint, c_int, c_void_p]),
    "tx_dst_place": (tx_dst_place, [c_uint32, c_uint]),
    "tx_dst_store_tile": (c_int, [c_void_p, c_uint, c_int, c_void_p]),
    "tx_dst_word": (c_uint32, [c_int, c_uint32]),
    "tx_encode_sized": (c_int, [POINTER(tx_decoded), c_size_t, c_void_p]),
    "tx_erratum_at": (POINTER(tx_erratum), [c_size_t]),
    "tx_erratum_names": (c_bool, [POINTER(tx_erratum), c_int]),
    "tx_evidence_at": (POINTER(tx_evidence), [c_size_t]),
    "tx_evidence_names": (c_bool, [POINTER(tx_evidence), c_int]),
    "tx_fast_batch": (c_size_t, []),
    "tx_fast_close": (None, [c_void_p]),
    "tx_fast_elementwise": (c_bool, [c_void_p]),
    "tx_fast_instructions": (c_uint64, [c_void_p]),
    "tx_fast_level": (c_char_p, [c_size_t]),
    "tx_fast_level_of": (c_char_p, [c_void_p]),
    "tx_fast_open": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_char_p)]),
    "tx_fast_options_of": (c_char_p, [c_void_p]),
    "tx_fast_run": (c_int, [c_void_p, c_uint64, c_size_t, POINTER(c_void_p), c_void_p]),
    "tx_fast_run_vectors": (c_int, [c_void_p, c_size_t, POINTER(c_void_p), c_void_p]),
    "tx_fast_source": (c_int, [c_void_p, c_void_p, c_void_p]),
    "tx_fast_use": (None, [c_void_p, c_void_p]),
    "tx_fast_worker_close": (None, [c_void_p]),
    "tx_fast_worker_open": (c_int, [c_void_p, POINTER(c_void_p)]),
    "tx_fault": (POINTER(tx_finding), [c_void_p]),
    "tx_finding_at": (POINTER(tx_finding), [c_void_p, c_size_t]),
    "tx_finding_count": (c_size_t, [c_void_p]),
    "tx_finding_dropped": (c_uint64, [c_void_p]),
    "tx_findings_clear": (None, [c_void_p]),
    "tx_finish": (c_int, [c_void_p]),
    "tx_format_in_dst": (c_int, [c_int]),
    "tx_format_info": (POINTER(tx_format_info), [c_int]),
    "tx_format_limit": (c_uint32, [c_int]),
    "tx_format_name": (c_char_p, [c_int]),
    "tx_format_order": (c_int64, [c_int, c_uint32]),
    "tx_format_parse": (c_int, [c_char_p, POINTER(c_int)]),
    "tx_fpu_wrote": (c_int, [c_void_p, c_uint, c_uint]),
    "tx_free_bits": (c_uint32, [c_int, c_int64]),
    "tx_free_fp32": (c_uint32, [c_int, c_uint32]),
    "tx_free_kind_name": (c_char_p, [c_int]),
    "tx_free_limits": (None, [c_int, c_void_p, c_void_p]),
    "tx_free_order": (c_int64, [c_int, c_uint32]),
    "tx_gate_read_sized": (None, [c_void_p, c_uint, POINTER(tx_gate), c_size_t]),
    "tx_grid_bytes": (c_int, [POINTER(tx_grid), c_int, c_void_p]),
    "tx_grid_of": (c_int, [POINTER(tx_tile), c_void_p, c_size_t, POINTER(tx_grid)]),
    "tx_hold_text": (c_char_p, [c_int]),
    "tx_host_default_sized": (None, [POINTER(tx_host), c_size_t]),
    "tx_host_set": (c_int, [c_void_p, POINTER(tx_host)]),
    "tx_idle": (c_bool, [c_void_p]),
    "tx_insn_at": (POINTER(tx_insn), [c_int, c_size_t]),
    "tx_insn_find": (POINTER(tx_insn), [c_int, c_char_p]),
    "tx_insn_fpu_writes": (c_bool, [POINTER(tx_insn)]),
    "tx_insn_get": (POINTER(tx_insn), [c_int, c_int]),
    "tx_insn_id_of": (c_int, [c_int, c_uint32]),
    "tx_insn_mode_at": (POINTER(tx_insn_mode), [c_int, POINTER(tx_insn), c_size_t]),
    "tx_insn_mode_holds": (c_bool, [c_int, POINTER(tx_insn_mode), c_uint32]),
    "tx_insn_of": (POINTER(tx_insn), [c_int, c_uint32]),
    "tx_insn_syntax": (c_char_p, [POINTER(tx_insn), c_bool, c_char_p, c_size_t]),
    "tx_insn_undocumented": (c_char_p, [POINTER(tx_insn)]),
    "tx_kernel_check_result": (None, [c_void_p]),
    "tx_kernel_checkpoint": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_kernel_checkpoint_size": (c_size_t, [c_void_p]),
    "tx_kernel_close": (None, [c_void_p]),
    "tx_kernel_cycle": (c_int, [c_void_p, POINTER(c_bool)]),
    "tx_kernel_dst": (c_int, [c_void_p]),
    "tx_kernel_enter": (c_int, [c_void_p, c_uint]),
    "tx_kernel_machine": (c_void_p, [c_void_p]),
    "tx_kernel_next": (c_bool, [c_void_p, c_uint, c_void_p]),
    "tx_kernel_now": (c_uint64, [c_void_p]),
    "tx_kernel_open_sized": (c_int, [POINTER(tx_settings), c_void_p, POINTER(tx_kernel_options),
        c_size_t, POINTER(c_void_p)]),
    "tx_kernel_options_default_sized": (None, [POINTER(tx_kernel_options), c_size_t]),
    "tx_kernel_out": (c_int, [c_void_p]),
    "tx_kernel_rollback": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_kernel_start": (c_int, [c_void_p]),
    "tx_kernel_tile": (c_int, [c_void_p, c_uint64, POINTER(c_void_p), c_void_p]),
    "tx_kernel_tile_begin": (c_int, [c_void_p, c_uint64]),
    "tx_kernel_tile_gaps": (c_int, [c_void_p, c_uint64, POINTER(c_void_p), c_void_p, c_void_p]),
    "tx_kernel_tile_run": (c_int, [c_void_p, c_void_p]),
    "tx_kernel_tile_seed": (c_uint32, [c_uint32, c_uint64]),
    "tx_l1_accumulate": (c_int, [c_int, c_uint32, c_uint32, c_void_p]),
    "tx_l1_allocate": (c_int, [c_void_p]),
    "tx_l1_check": (c_int, [c_void_p, c_uint32, c_size_t]),
    "tx_l1_read": (c_int, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "tx_l1_size": (c_uint32, [c_int]),
    "tx_l1_write": (c_int, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "tx_loss_of": (c_int, [c_bool, c_uint32, c_uint32, c_uint32]),
    "tx_machine_arch": (c_int, [c_void_p]),
    "tx_machine_counters_sized": (None, [c_void_p, POINTER(tx_counters), c_size_t]),
    "tx_machine_pack": (c_int, [c_void_p, POINTER(tx_pack), POINTER(tx_tile), c_uint, c_void_p,
        c_size_t]),
    "tx_machine_start": (c_int, [c_void_p, c_uint, c_int]),
    "tx_machine_unpack": (c_int, [c_void_p, POINTER(tx_unpack), POINTER(tx_tile), c_uint, c_void_p,
        c_size_t]),
    "tx_macro_field_at": (POINTER(tx_macro_field), [c_size_t]),
    "tx_macro_follow_sized": (c_bool, [POINTER(tx_macro_reader), c_size_t, c_int, c_uint32,
        c_char_p, c_size_t]),
    "tx_macro_text": (c_int, [c_int, c_uint, c_uint32, c_char_p, c_size_t]),
    "tx_mop_config": (c_int, [c_void_p, c_uint, c_uint, c_uint32]),
    "tx_mop_expand": (c_int, [c_int, c_uint32, c_void_p, c_uint32, c_void_p, c_size_t, c_void_p]),
    "tx_note_count": (c_uint64, [c_void_p, c_size_t]),
    "tx_open": (c_int, [POINTER(tx_settings), POINTER(c_void_p)]),
    "tx_order_delays": (c_int, [c_void_p, POINTER(tx_delay), c_size_t]),
    "tx_order_listen": (None, [c_void_p, POINTER(tx_order_sink)]),
    "tx_pack_check": (c_int, [POINTER(tx_pack), POINTER(c_char_p)]),
    "tx_pack_default": (c_int, [c_int, c_int, c_int, POINTER(tx_pack), POINTER(c_char_p)]),
    "tx_pack_descale": (c_uint32, [c_uint32, c_uint, c_bool]),
    "tx_pack_tile": (c_int, [POINTER(tx_pack), POINTER(tx_tile), c_void_p, c_void_p, c_size_t]),
    "tx_payload_words": (c_int, [POINTER(tx_codec), c_void_p, c_size_t, c_void_p]),
    "tx_pcie_bar": (c_int, [c_void_p, c_uint, c_void_p, c_void_p]),
    "tx_pcie_close": (None, [c_void_p]),
    "tx_pcie_config_read": (c_uint32, [c_void_p, c_uint32]),
    "tx_pcie_config_write": (None, [c_void_p, c_uint32, c_uint32]),
    "tx_pcie_firmware": (None, [c_void_p, c_bool]),
    "tx_pcie_memory": (c_int, [c_void_p, POINTER(tx_pcie_memory)]),
    "tx_pcie_memory_at": (c_int, [c_void_p, c_uint, c_uint64, c_void_p]),
    "tx_pcie_open": (c_int, [c_void_p, POINTER(c_void_p)]),
    "tx_pcie_read": (c_int, [c_void_p, c_uint, c_uint64, c_void_p, c_size_t]),
    "tx_pcie_restore": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_pcie_snapshot": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_pcie_snapshot_size": (c_size_t, [c_void_p]),
    "tx_pcie_telemetry": (c_int, [c_void_p, c_uint, c_void_p]),
    "tx_pcie_write": (c_int, [c_void_p, c_uint, c_uint64, c_void_p, c_size_t]),
    "tx_prng_seed": (None, [c_void_p, c_uint32]),
    "tx_program_arch": (c_int, [c_void_p]),
    "tx_program_carry": (c_bool, [c_void_p]),
    "tx_program_config_count": (c_uint, [c_void_p]),
    "tx_program_config_name": (c_char_p, [c_void_p, c_uint]),
    "tx_program_config_value": (c_uint32, [c_void_p, c_uint]),
    "tx_program_count": (c_size_t, [c_void_p, c_uint]),
    "tx_program_dst": (c_int, [c_void_p]),
    "tx_program_files": (POINTER(c_uint8), [c_void_p, c_uint]),
    "tx_program_fpu_first": (c_uint, [c_void_p]),
    "tx_program_fpu_rows": (c_uint, [c_void_p]),
    "tx_program_free": (None, [c_void_p]),
    "tx_program_free_constant": (POINTER(tx_free_constant), [c_void_p, c_uint]),
    "tx_program_free_count": (c_uint, [c_void_p]),
    "tx_program_inputs": (c_uint, [c_void_p]),
    "tx_program_join": (c_int, [POINTER(c_void_p), c_uint, POINTER(c_void_p)]),
    "tx_program_lines": (POINTER(c_uint32), [c_void_p, c_uint]),
    "tx_program_mop": (POINTER(c_uint32), [c_void_p, c_uint]),
    "tx_program_mop_given": (c_uint, [c_void_p, c_uint]),
    "tx_program_out": (c_int, [c_void_p]),
    "tx_program_output": (c_uint, [c_void_p]),
    "tx_program_reference": (c_char_p, [c_void_p]),
    "tx_program_set_start": (c_int, [c_void_p, c_int]),
    "tx_program_source": (c_char_p, [c_void_p, c_uint]),
    "tx_program_start": (c_int, [c_void_p]),
    "tx_program_threaded": (c_bool, [c_void_p]),
    "tx_program_threads": (POINTER(c_uint8), [c_void_p, c_uint]),
    "tx_program_title": (c_char_p, [c_void_p]),
    "tx_program_words": (POINTER(c_uint32), [c_void_p, c_uint]),
    "tx_push": (c_size_t, [c_void_p, c_uint, c_void_p, c_size_t]),
    "tx_push_behind": (c_bool, [c_void_p, c_uint, c_uint32]),
    "tx_queue_capacity": (c_size_t, [c_void_p, c_uint, c_int]),
    "tx_queue_words": (c_size_t, [c_void_p, c_uint, c_int, c_void_p, c_size_t]),
    "tx_read": (c_int, [c_void_p, c_int, c_uint, c_void_p, c_size_t]),
    "tx_register_field_at": (POINTER(tx_register_field), [c_size_t]),
    "tx_reset": (None, [c_void_p]),
    "tx_restore": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_row_at": (POINTER(tx_row), [c_int, c_size_t]),
    "tx_row_draws": (c_bool, [POINTER(tx_row), c_uint]),
    "tx_row_field": (c_uint32, [POINTER(tx_row), c_int, c_uint32]),
    "tx_row_find": (POINTER(tx_row), [c_int, c_char_p]),
    "tx_row_has_field": (c_bool, [POINTER(tx_row), c_int]),
    "tx_row_mode_text": (c_int, [c_int, POINTER(tx_row), c_uint, c_int, c_char_p, c_size_t]),
    "tx_row_move": (tx_move, [POINTER(tx_row), c_uint, c_uint]),
    "tx_row_put": (c_uint32, [POINTER(tx_row), c_int, c_uint32, c_uint32]),
    "tx_row_real": (c_bool, [POINTER(tx_row), c_uint, POINTER(tx_real)]),
    "tx_row_reverse": (c_bool, [POINTER(tx_row), c_uint, c_void_p]),
    "tx_row_same": (c_bool, [c_int, POINTER(tx_row), c_uint32, POINTER(tx_same)]),
    "tx_row_table": (c_bool, [POINTER(tx_row), c_uint, c_void_p, POINTER(tx_piece)]),
    "tx_row_terms": (POINTER(tx_terms), [POINTER(tx_row)]),
    "tx_row_text": (c_int, [POINTER(tx_row), c_int, c_char_p, c_size_t]),
    "tx_rule_at": (POINTER(tx_rule), [c_size_t]),
    "tx_run": (c_int, [c_void_p, c_uint, c_void_p, c_size_t]),
    "tx_run_gaps": (c_int, [c_void_p, c_uint, c_void_p, c_size_t, c_void_p]),
    "tx_run_idle": (c_int, [c_void_p, c_uint64]),
    "tx_run_threads": (c_int, [c_void_p, POINTER(tx_stream), c_uint64]),
    "tx_scalar_read_sized": (None, [c_void_p, POINTER(tx_scalar), c_size_t]),
    "tx_settings_default_sized": (None, [POINTER(tx_settings), c_size_t, c_int]),
    "tx_settings_pace": (c_int, [POINTER(tx_settings), c_char_p]),
    "tx_settings_rule": (c_int, [POINTER(tx_settings), c_char_p]),
    "tx_sfpload_convert": (c_uint32, [c_int, c_uint, c_uint32, c_uint32, c_bool]),
    "tx_sfpstore_convert": (c_uint32, [c_int, c_uint, c_uint32]),
    "tx_snapshot": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_snapshot_size": (c_size_t, [c_void_p]),
    "tx_start_name": (c_char_p, [c_int]),
    "tx_start_parse": (c_int, [c_char_p, POINTER(c_int)]),
    "tx_status_text": (c_char_p, [c_int]),
    "tx_step": (c_int, [c_void_p, c_uint64]),
    "tx_stuck": (c_bool, [c_void_p]),
    "tx_tensix_checkpoint": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_tensix_checkpoint_size": (c_size_t, [c_void_p]),
    "tx_tensix_close": (None, [c_void_p]),
    "tx_tensix_core_marks": (None, [c_void_p, c_void_p]),
    "tx_tensix_core_sized": (c_int, [c_void_p, c_int, POINTER(tx_core_state), c_size_t]),
    "tx_tensix_cycle": (c_int, [c_void_p, c_uint64]),
    "tx_tensix_cycles": (c_uint64, [c_void_p]),
    "tx_tensix_freeze": (None, [c_void_p, c_uint]),
    "tx_tensix_glance": (None, [c_void_p, POINTER(tx_core_glance)]),
    "tx_tensix_hold": (c_int, [c_void_p, c_int]),
    "tx_tensix_machine": (c_void_p, [c_void_p]),
    "tx_tensix_noc": (None, [c_void_p, POINTER(c_bool), c_void_p]),
    "tx_tensix_noc_place": (None, [c_int, c_void_p, c_void_p]),
    "tx_tensix_open": (c_int, [POINTER(tx_tensix_settings), POINTER(c_void_p)]),
    "tx_tensix_read": (c_int, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "tx_tensix_reset": (None, [c_void_p]),
    "tx_tensix_restore": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_tensix_rollback": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_tensix_run": (c_int, [c_void_p, c_uint64]),
    "tx_tensix_settings_default_sized": (None, [POINTER(tx_tensix_settings), c_size_t, c_size_t,
        c_int]),
    "tx_tensix_snapshot": (c_int, [c_void_p, c_void_p, c_size_t]),
    "tx_tensix_snapshot_size": (c_size_t, [c_void_p]),
    "tx_tensix_split": (c_int, [c_void_p, c_void_p, c_uint]),
    "tx_tensix_start": (c_int, [c_void_p, c_int, c_uint32]),
    "tx_tensix_stores": (None, [c_void_p, POINTER(c_void_p), c_void_p]),
    "tx_tensix_wait_end": (c_bool, [c_void_p, c_int, c_char_p, c_size_t]),
    "tx_tensix_wait_text": (c_bool, [c_void_p, c_int, c_char_p, c_size_t]),
    "tx_tensix_write": (c_int, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "tx_thread_name": (c_char_p, [c_uint]),
    "tx_thread_parse": (c_int, [c_char_p, c_void_p]),
    "tx_tile_element": (c_uint, [c_uint, c_uint]),
    "tx_tile_get": (c_uint32, [POINTER(tx_tile), c_int, c_void_p, c_uint32, c_void_p]),
    "tx_tile_index": (c_uint32, [POINTER(tx_tile), c_uint, c_uint]),
    "tx_tile_layout_sized": (c_int, [POINTER(tx_tile), c_int, POINTER(tx_tile_layout), c_size_t]),
    "tx_tile_ok": (c_bool, [POINTER(tx_tile)]),
    "tx_tile_place": (tx_tile_place, [c_int, c_int, c_uint32]),
    "tx_tile_register": (c_bool, [c_char_p, c_void_p]),
    "tx_tiles_decode": (c_int, [POINTER(tx_codec), POINTER(tx_tile), c_void_p, c_uint64, c_void_p]),
    "tx_tiles_encode": (c_int, [POINTER(tx_codec), POINTER(tx_tile), c_void_p, c_uint64, c_void_p]),
    "tx_tilize": (c_int, [POINTER(tx_grid), c_size_t, c_void_p, c_uint64, c_uint64, c_void_p]),
    "tx_ttinsn": (c_uint32, [c_uint32]),
    "tx_ttinsn_undo": (c_uint32, [c_uint32]),
    "tx_unpack_check": (c_int, [POINTER(tx_unpack), POINTER(c_char_p)]),
    "tx_unpack_layout_sized": (c_int, [POINTER(tx_unpack), POINTER(tx_tile),
        POINTER(tx_tile_layout), c_size_t]),
    "tx_unpack_tile": (c_int, [POINTER(tx_unpack), POINTER(tx_tile), c_void_p, c_size_t, c_void_p]),
    "tx_unpacker_read_sized": (c_bool, [c_void_p, c_uint, c_uint, POINTER(tx_unpack_job),
        c_size_t]),
    "tx_untilize": (c_int, [POINTER(tx_grid), c_size_t, c_void_p, c_uint64, c_uint64, c_void_p]),
    "tx_version": (c_char_p, []),
    "tx_wait_end": (c_bool, [c_void_p, c_uint, c_char_p, c_size_t]),
    "tx_wait_reason": (c_bool, [c_void_p, c_uint, c_char_p, c_size_t]),
    "tx_wait_text": (c_bool, [c_void_p, c_uint, c_char_p, c_size_t]),
    "tx_words_payload": (c_int, [POINTER(tx_codec), c_void_p, c_size_t, c_void_p]),
    "tx_write": (c_int, [c_void_p, c_int, c_uint, c_void_p, c_size_t]),
}
