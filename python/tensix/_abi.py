# SPDX-License-Identifier: Apache-2.0
"""The C interface (include/tensix/*.h) as ctypes sees it, and where the library is found.

tests/test_abi.py compares every struct, enum and number of parameters with the headers.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_int, c_int64, c_size_t, c_uint,
    c_uint8, c_uint16, c_uint32, c_uint64, c_void_p,
)
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

ABI = 0

# ---- enums: prefix of the header, and the names in the order of their values ----

ENUMS: Dict[str, Tuple[str, ...]] = {
    "TX_": (
        "OK", "FAULT", "EINVAL", "ENOMEM", "EPARSE", "ELIMIT", "ENOENT", "EUNSUPPORTED",
        "EDEADLOCK",
    ),
    "TX_MODE_": ("SILICON", "STRICT"),
    "TX_EVENT_": (
        "ISSUE", "STALL", "WRITE_LREG", "WRITE_DST", "WRITE_FLAGS", "FINDING", "FAULT", "EXECUTE",
    ),
    "TX_FILE_": (
        "LREG", "LANE_FLAGS", "USE_LANE_FLAGS", "FLAG_STACK", "STACK_DEPTH", "PRNG",
        "LANE_CONFIG", "MACRO_TEMPLATE", "MACRO_SEQUENCE", "MACRO_MISC", "DST", "DST_VALID",
        "DST_KNOWN", "RWC", "CONFIG", "THREAD_CONFIG", "GPR", "SHIFT_LATCH", "REPLAY",
        "SEMAPHORE", "MUTEX", "MOP", "MOP_MASK", "SRC_BANK", "COUNT",
    ),
    "TX_RWC_": (
        "DST", "DST_CR", "SRCA", "SRCA_CR", "SRCB", "SRCB_CR", "FIDELITY", "SP", "BIAS", "COUNT",
    ),
    "TX_DST_": ("UNSET", "FP32", "BF16", "FP16", "INT32", "INT16", "INT8"),
    "TX_SECTION_": ("INIT", "TILE"),
    "TX_DIS_": ("NORMAL", "OBJDUMP", "MACRO"),
    "TX_ROUTE_": ("HOST", "TENSIX"),
    "TX_UNIT_": (
        "NONE", "LOAD", "SIMPLE", "MAD", "ROUND", "STORE", "SCALAR", "CONFIG", "SYNC", "MATRIX",
        "FRONT", "OTHER", "UNPACK", "PACK", "MOVER", "MISC", "COUNT",
    ),
}
CONSTANTS = {
    "TX_ABI": ABI, "TX_LANES": 32, "TX_LREGS": 17, "TX_DST_ROWS": 1024, "TX_DST_WIDTH": 16,
    "TX_THREADS": 3, "TX_GPRS": 64, "TX_TILE_ELEMENTS": 1024, "TX_WORMHOLE": 1, "TX_BLACKHOLE": 2,
    "TX_MAX_RULES": 32, "TX_MESSAGE": 192, "TX_INSN_MAX_FIELDS": 13, "TX_SECTIONS": 2,
    "TX_SOURCE_FILES": 15, "TX_SOURCE_NAME": 192, "TX_CATEGORY_COUNT": 7, "TX_FORMAT_LIMIT": 32,
    "TX_FORMAT_FP32": 0, "TX_FORMAT_INT32": 8,
}


def values(prefix: str) -> Dict[str, int]:
    return {name: number for number, name in enumerate(ENUMS[prefix])}


STATUS = values("TX_")
FILE = values("TX_FILE_")
EVENT = values("TX_EVENT_")
OK, FAULT, EINVAL, ENOMEM, EPARSE, ELIMIT, ENOENT, EUNSUPPORTED, EDEADLOCK = range(9)
WORMHOLE, BLACKHOLE = 1, 2
LANES, THREADS, TILE = 32, 3, 1024
SECTION_INIT, SECTION_TILE = 0, 1

# ---- structs: the class is called like the struct ----


class tx_finding(Structure):
    _fields_ = [
        ("category", c_int), ("arch", c_int), ("thread", c_uint8), ("rule", c_char_p),
        ("cycle", c_uint64), ("index", c_uint64), ("word", c_uint32), ("lanes", c_uint32),
        ("count", c_uint64), ("producer", c_uint64), ("producer_cycle", c_uint64),
        ("producer_word", c_uint32), ("message", c_char * 192),
    ]


class tx_row(Structure):
    _fields_ = [
        ("id", c_char_p), ("mnemonic", c_char_p), ("summary", c_char_p), ("modes", c_uint16),
        ("legal", c_uint16), ("archs", c_uint8), ("unit", c_uint8), ("latency", c_uint8),
        ("reads", c_char_p), ("writes", c_char_p), ("belief", c_char_p), ("source", c_char_p),
    ]


class tx_event(Structure):
    _fields_ = [
        ("kind", c_int), ("thread", c_uint8), ("unit", c_uint8), ("index", c_uint16),
        ("cycle", c_uint64), ("word", c_uint32), ("lanes", c_uint32), ("row", POINTER(tx_row)),
        ("values", POINTER(c_uint32)), ("finding", POINTER(tx_finding)), ("text", c_char_p),
        ("number", c_uint64), ("start", c_uint64), ("address", c_uint16), ("scheduled", c_uint8),
        ("operands", c_void_p), ("stall", c_void_p),
    ]


EVENT_FUNCTION = CFUNCTYPE(None, c_void_p, POINTER(tx_event))


class tx_sink(Structure):
    _fields_ = [("event", EVENT_FUNCTION), ("user", c_void_p)]


class tx_settings(Structure):
    _fields_ = [
        ("size", c_uint32), ("arch", c_int), ("mode", c_int), ("rules", c_uint8 * 32),
        ("sink", tx_sink),
    ]


class tx_counters(Structure):
    _fields_ = [
        ("cycles", c_uint64), ("issue_cycles", c_uint64), ("instructions", c_uint64),
        ("vector_instructions", c_uint64), ("scheduled_instructions", c_uint64),
        ("stall_cycles", c_uint64),
    ]


class tx_diag(Structure):
    _fields_ = [
        ("line", c_uint), ("column", c_uint), ("length", c_uint), ("message", c_char * 200),
        ("source", c_char * 200),
    ]


class tx_program_section(Structure):
    """The unnamed struct of tx_program.section."""

    _fields_ = [
        ("words", POINTER(c_uint32)), ("lines", POINTER(c_uint32)), ("files", POINTER(c_uint8)),
        ("threads", POINTER(c_uint8)), ("count", c_size_t),
    ]


class tx_program_config(Structure):
    """The unnamed struct of tx_program.config."""

    _fields_ = [("name", c_char * 64), ("value", c_uint32)]


class tx_program(Structure):
    _fields_ = [
        ("arch", c_int), ("dst", c_int), ("inputs", c_uint), ("output", c_uint),
        ("fpu_first", c_uint), ("fpu_rows", c_uint), ("reference", c_char * 32),
        ("title", c_char * 96), ("section", tx_program_section * 2),
        ("source", (c_char * 192) * 15), ("threaded", c_bool), ("mop", (c_uint32 * 9) * 4),
        ("mop_given", c_uint16 * 4), ("config", tx_program_config * 32), ("config_count", c_uint),
    ]


class tx_asm_options(Structure):
    _fields_ = [("arch", c_int), ("force_arch", c_bool), ("ttinsn", c_bool), ("hex", c_bool)]


class tx_kernel_options(Structure):
    _fields_ = [("dst", c_int), ("seed", c_uint32), ("thread", c_uint), ("carry", c_bool)]


class tx_field(Structure):
    _fields_ = [("name", c_char_p), ("lsb", c_uint8), ("width", c_uint8), ("kind", c_uint8)]


class tx_insn(Structure):
    _fields_ = [
        ("name", c_char_p), ("macro", c_char_p), ("opcode", c_uint8), ("unit", c_uint8),
        ("field_count", c_uint8), ("fields", tx_field * 13),
    ]


class tx_decoded(Structure):
    _fields_ = [
        ("insn", POINTER(tx_insn)), ("row", POINTER(tx_row)), ("other", c_uint32),
        ("unused", c_uint32), ("mode", c_uint8), ("canonical", c_bool), ("fields", c_uint32 * 13),
    ]


class tx_evidence(Structure):
    _fields_ = [
        ("id", c_char_p), ("rows", c_char_p), ("text", c_char_p), ("source", c_char_p),
        ("rule", c_char_p),
    ]


class tx_config_field(Structure):
    _fields_ = [
        ("name", c_char_p), ("thread", c_bool), ("word", c_uint16), ("lsb", c_uint8),
        ("width", c_uint8),
    ]


class tx_stream(Structure):
    _fields_ = [("words", c_void_p), ("count", c_size_t)]


class tx_host(Structure):
    _fields_ = [
        ("size", c_uint32), ("l1", c_void_p), ("l1_size", c_uint32), ("memory", c_void_p),
        ("port", c_void_p), ("user", c_void_p), ("load_cycles", c_uint8),
        ("atomic_cycles", c_uint8),
    ]


class tx_format_info(Structure):
    _fields_ = [
        ("name", c_char_p), ("isa_name", c_char_p), ("software_name", c_char_p), ("bits", c_uint8),
        ("exponent_bits", c_uint8), ("mantissa_bits", c_uint8), ("chips", c_uint8),
        ("block", c_bool), ("integer", c_bool), ("has_sign", c_bool),
    ]


class tx_conversion_info(Structure):
    _fields_ = [
        ("name", c_char_p), ("rule", c_char_p), ("evidence", c_char_p), ("in_bits", c_uint8),
        ("out_bits", c_uint8), ("chips", c_uint8), ("differs", c_bool),
    ]


class tx_tile(Structure):
    _fields_ = [
        ("rows", c_uint8), ("columns", c_uint8), ("transpose_of_faces", c_bool),
        ("transpose_within_face", c_bool),
    ]


class tx_tile_layout(Structure):
    _fields_ = [
        ("data", c_uint32), ("exponents", c_uint32), ("exponent_bytes", c_uint32),
        ("data_bytes", c_uint32), ("bytes", c_uint32),
    ]


class tx_grid(Structure):
    _fields_ = [
        ("tile", tx_tile), ("matrices", c_uint64), ("rows", c_uint64), ("columns", c_uint64),
        ("tile_rows", c_uint64), ("tile_columns", c_uint64), ("tiles", c_uint64),
        ("elements", c_uint64),
    ]


class tx_unpack(Structure):
    _fields_ = [
        ("arch", c_int), ("in", c_int), ("dst", c_int), ("through_src", c_bool),
        ("zero_flag_disabled", c_bool),
    ]


class tx_pack(Structure):
    _fields_ = [
        ("arch", c_int), ("dst", c_int), ("intermediate", c_int), ("out", c_int), ("raw", c_bool),
        ("round10", c_bool), ("shift", c_uint8), ("relu", c_int), ("relu_threshold", c_uint16),
        ("threshold_exponent", c_bool), ("exponent_threshold", c_uint8),
    ]


class tx_codec(Structure):
    _fields_ = [
        ("route", c_int), ("format", c_int), ("twos_complement", c_bool), ("unpack", tx_unpack),
        ("pack", tx_pack),
    ]


STRUCTS: List[Any] = [
    tx_finding, tx_row, tx_event, tx_sink, tx_settings, tx_counters, tx_diag, tx_program,
    tx_asm_options, tx_kernel_options, tx_field, tx_insn, tx_decoded, tx_evidence,
    tx_config_field, tx_stream, tx_host, tx_format_info, tx_conversion_info, tx_tile,
    tx_tile_layout, tx_grid, tx_unpack, tx_pack, tx_codec,
]
NESTED = {"section": tx_program_section, "config": tx_program_config}  # of tx_program

# ---- functions: result, parameters. Handles and arrays are addresses. ----

_H = c_void_p
_PROGRAM = POINTER(tx_program)
_REASON = POINTER(c_char_p)
FUNCTIONS: Dict[str, Tuple[Any, Sequence[Any]]] = {
    "tx_version": (c_char_p, ()),
    "tx_abi": (c_int, ()),
    "tx_arch_parse": (c_int, (c_char_p, POINTER(c_int))),
    "tx_arch_name": (c_char_p, (c_int,)),
    "tx_arch_short": (c_char_p, (c_int,)),
    "tx_status_text": (c_char_p, (c_int,)),
    "tx_category_name": (c_char_p, (c_int,)),
    "tx_category_parse": (c_int, (c_char_p, POINTER(c_int))),
    "tx_settings_default": (None, (POINTER(tx_settings), c_int)),
    "tx_settings_rule": (c_int, (POINTER(tx_settings), c_char_p)),
    "tx_open": (c_int, (POINTER(tx_settings), POINTER(_H))),
    "tx_close": (None, (_H,)),
    "tx_reset": (None, (_H,)),
    "tx_run_gaps": (c_int, (_H, c_uint, c_void_p, c_size_t, c_void_p)),
    "tx_cycle": (c_int, (_H, c_uint, POINTER(c_uint32), POINTER(c_bool))),
    "tx_run_threads": (c_int, (_H, POINTER(tx_stream), c_uint64)),
    "tx_wait_text": (c_bool, (_H, c_uint, c_char_p, c_size_t)),
    "tx_host_default": (None, (POINTER(tx_host),)),
    "tx_host_set": (c_int, (_H, POINTER(tx_host))),
    "tx_mop_config": (c_int, (_H, c_uint, c_uint, c_uint32)),
    "tx_finish": (c_int, (_H,)),
    "tx_machine_counters": (tx_counters, (_H,)),
    "tx_fault": (POINTER(tx_finding), (_H,)),
    "tx_finding_count": (c_size_t, (_H,)),
    "tx_finding_at": (POINTER(tx_finding), (_H, c_size_t)),
    "tx_finding_dropped": (c_uint64, (_H,)),
    "tx_findings_clear": (None, (_H,)),
    "tx_note_count": (c_uint64, (_H, c_size_t)),
    "tx_read": (c_int, (_H, c_int, c_uint, c_void_p, c_size_t)),
    "tx_write": (c_int, (_H, c_int, c_uint, c_void_p, c_size_t)),
    "tx_config_get": (c_int, (_H, c_uint, c_char_p, POINTER(c_uint32))),
    "tx_config_set": (c_int, (_H, c_uint, c_char_p, c_uint32)),
    "tx_config_field_find": (POINTER(tx_config_field), (c_int, c_char_p)),
    "tx_prng_seed": (None, (_H, c_uint32)),
    "tx_snapshot_size": (c_size_t, ()),
    "tx_snapshot": (c_int, (_H, c_void_p, c_size_t)),
    "tx_restore": (c_int, (_H, c_void_p, c_size_t)),
    "tx_dst_format_name": (c_char_p, (c_int,)),
    "tx_dst_format_parse": (c_int, (c_char_p, POINTER(c_int))),
    "tx_assemble": (
        c_int,
        (c_char_p, c_size_t, POINTER(tx_asm_options), POINTER(_PROGRAM), POINTER(tx_diag)),
    ),
    "tx_program_free": (None, (_PROGRAM,)),
    "tx_disassemble": (c_int, (c_int, c_uint32, c_int, c_char_p, c_size_t)),
    "tx_insn_at": (POINTER(tx_insn), (c_int, c_size_t)),
    "tx_insn_find": (POINTER(tx_insn), (c_int, c_char_p)),
    "tx_decode": (c_int, (c_int, c_uint32, POINTER(tx_decoded))),
    "tx_encode": (c_int, (POINTER(tx_decoded), POINTER(c_uint32))),
    "tx_evidence_at": (POINTER(tx_evidence), (c_size_t,)),
    "tx_kernel_options_default": (None, (POINTER(tx_kernel_options),)),
    "tx_kernel_open": (
        c_int, (POINTER(tx_settings), _PROGRAM, POINTER(tx_kernel_options), POINTER(_H))
    ),
    "tx_kernel_close": (None, (_H,)),
    "tx_kernel_machine": (_H, (_H,)),
    "tx_kernel_dst": (c_int, (_H,)),
    "tx_kernel_start": (c_int, (_H,)),
    "tx_kernel_tile": (c_int, (_H, c_uint64, POINTER(c_void_p), c_void_p)),
    "tx_kernel_tile_begin": (c_int, (_H, c_uint64)),
    "tx_kernel_tile_run": (c_int, (_H, c_void_p)),
    "tx_dst_encode": (c_uint32, (c_int, c_uint32, POINTER(c_bool))),
    "tx_dst_load_tile": (c_int, (_H, c_uint, c_int, c_void_p)),
    "tx_dst_store_tile": (c_int, (_H, c_uint, c_int, c_void_p)),
    "tx_fast_level": (c_char_p, (c_size_t,)),
    "tx_fast_open": (c_int, (_H, c_char_p, POINTER(_H), _REASON)),
    "tx_fast_close": (None, (_H,)),
    "tx_fast_worker_open": (c_int, (_H, POINTER(_H))),
    "tx_fast_worker_close": (None, (_H,)),
    "tx_fast_run": (c_int, (_H, c_uint64, c_size_t, POINTER(c_void_p), c_void_p)),
    "tx_fast_batch": (c_size_t, ()),
    "tx_fast_run_vectors": (c_int, (_H, c_size_t, POINTER(c_void_p), c_void_p)),
    "tx_format_info": (POINTER(tx_format_info), (c_int,)),
    "tx_format_parse": (c_int, (c_char_p, POINTER(c_int))),
    "tx_format_in_dst": (c_int, (c_int,)),
    "tx_format_order": (c_int64, (c_int, c_uint32)),
    "tx_conversion_info": (POINTER(tx_conversion_info), (c_int,)),
    "tx_conversion_parse": (c_int, (c_char_p, POINTER(c_int))),
    "tx_convert_array": (c_int, (c_int, c_int, c_void_p, c_size_t, c_void_p)),
    "tx_tile_ok": (c_bool, (POINTER(tx_tile),)),
    "tx_tile_layout": (c_int, (POINTER(tx_tile), c_int, POINTER(tx_tile_layout))),
    "tx_grid_of": (c_int, (POINTER(tx_tile), POINTER(c_uint64), c_size_t, POINTER(tx_grid))),
    "tx_codec_default": (c_int, (c_int, c_int, c_int, c_int, POINTER(tx_codec), _REASON)),
    "tx_codec_check": (c_int, (POINTER(tx_codec), c_bool, _REASON)),
    "tx_array_encode": (
        c_int, (POINTER(tx_codec), POINTER(tx_grid), c_void_p, c_uint64, c_uint64, c_void_p)
    ),
    "tx_array_decode": (
        c_int, (POINTER(tx_codec), POINTER(tx_grid), c_void_p, c_uint64, c_uint64, c_void_p)
    ),
}

# ---- the library ----


def places() -> List[str]:
    """Where the library is looked for, in this order."""
    package = Path(__file__).resolve().parent
    chosen = os.environ.get("TENSIX_LIBRARY")
    if chosen:
        return [chosen]
    return [
        str(package / "libtensix.so"),  # a wheel
        str(package.parent.parent / "build" / "libtensix.so"),  # the source tree
        f"libtensix.so.{ABI}",  # installed
    ]


def _load() -> Any:
    tried = []
    for place in places():
        if "/" in place and not os.path.exists(place):
            tried.append(f"{place}: no such file")
            continue
        try:
            found = ctypes.CDLL(place)
        except OSError as error:
            tried.append(str(error))
            continue
        for name, (result, parameters) in FUNCTIONS.items():
            function = getattr(found, name, None)
            if function is None:
                raise ImportError(f"{place} has no function {name}: it is of another version")
            function.restype = result
            function.argtypes = list(parameters)
        _check(found, place)
        return found
    raise ImportError("libtensix is not found; TENSIX_LIBRARY names it. " + "; ".join(tried))


def _check(found: Any, place: str) -> None:
    settings = tx_settings()
    found.tx_settings_default(settings, BLACKHOLE)
    if found.tx_abi() != ABI or settings.size != ctypes.sizeof(tx_settings):
        raise ImportError(
            f"{place} is version {found.tx_version().decode()} with interface {found.tx_abi()}; "
            f"this package wants interface {ABI} of its own version"
        )


lib = _load()


def text(value: Any) -> str:
    """A C string; the library's texts are ASCII but for what it quotes."""
    return "" if value is None else value.decode("utf-8", "replace")
