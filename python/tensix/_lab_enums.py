# SPDX-License-Identifier: Apache-2.0
"""The enums of the lab library. Written by scripts/python_abi.py from include/tensix-lab/*.h."""

from __future__ import annotations

from typing import Dict

# Enumerators by the tag of their enum.
ENUMS: Dict[str, Dict[str, int]] = {
    "txl_status": {
        "TXL_OK": 0, "TXL_NEGATIVE": 1, "TXL_INPUT": 2, "TXL_CANCELLED": 3,
    },
    "txl_order_kind": {
        "TXL_ORDER_READ_BEFORE_ARRIVAL": 0, "TXL_ORDER_SOURCE_REUSE": 1,
        "TXL_ORDER_DATA_BEFORE_CREDIT": 2, "TXL_ORDER_STALE_CACHE": 3,
        "TXL_ORDER_STORE_THEN_NOC": 4, "TXL_ORDER_STORE_THEN_LETTER": 5,
        "TXL_ORDER_SEMAPHORE_RESET": 6, "TXL_ORDER_OVERSHOOT": 7, "TXL_ORDER_LOST_UPDATE": 8,
        "TXL_ORDER_CB_UNRESERVED": 9, "TXL_ORDER_CB_UNPUSHED": 10, "TXL_ORDER_CB_BOUNDS": 11,
        "TXL_ORDER_IN_FLIGHT_AT_EXIT": 12, "TXL_ORDER_UNORDERED": 13, "TXL_ORDER_DEADLOCK": 14,
        "TXL_ORDER_LINKED_OPEN": 15, "TXL_ORDER_COUNTER_MISMATCH": 16,
        "TXL_ORDER_UNINITIALISED": 17, "TXL_ORDER_OUT_OF_BOUNDS": 18,
        "TXL_ORDER_ILLEGAL_INLINE": 19, "TXL_ORDER_ILLEGAL_ATOMIC": 20,
        "TXL_ORDER_INITIATOR_BUSY": 21, "TXL_ORDER_COUNTER_OVERFLOW": 22, "TXL_ORDER_ALIGNMENT": 23,
        "TXL_ORDER_DRAM_ORDER": 24, "TXL_ORDER_KINDS": 25,
    },
    "txl_profile_kind": {
        "TXL_PROFILE_WORKS": 0, "TXL_PROFILE_WAITS": 1, "TXL_PROFILE_IDLE": 2,
    },
    "txl_profile_form": {
        "TXL_PROFILE_TEXT": 0, "TXL_PROFILE_JSON": 1, "TXL_PROFILE_CHROME": 2,
        "TXL_PROFILE_HTML": 3, "TXL_PROFILE_FORMS": 4,
    },
    "txl_engine": {
        "TXL_ENGINE_AUTO": 0, "TXL_ENGINE_COMPILED": 1, "TXL_ENGINE_FAST": 2,
        "TXL_ENGINE_REFERENCE": 3,
    },
    "txl_layout": {
        "TXL_LAYOUT_ANY": 0, "TXL_LAYOUT_FLAT": 1, "TXL_LAYOUT_TILES": 2,
    },
    "txl_shadow_event_set": {
        "TXL_SHADOW_OPERAND_FLUSHED": 1, "TXL_SHADOW_PRODUCT_FLUSHED": 2,
        "TXL_SHADOW_RESULT_FLUSHED": 4, "TXL_SHADOW_TIE": 8, "TXL_SHADOW_CANCELLATION": 16,
        "TXL_SHADOW_OVERFLOW": 32, "TXL_SHADOW_SATURATED": 64, "TXL_SHADOW_NOT_IEEE": 128,
        "TXL_SHADOW_CUT": 256, "TXL_SHADOW_NAN": 512, "TXL_SHADOW_RANDOM": 1024,
        "TXL_SHADOW_BY_CONSTANT": 2048, "TXL_SHADOW_EVENTS": 12,
    },
    "txl_outcome": {
        "TXL_OUTCOME_EXACT": 0, "TXL_OUTCOME_INEXACT": 1, "TXL_OUTCOME_FLUSHED": 2,
        "TXL_OUTCOME_UNFLUSHED": 3, "TXL_OUTCOME_ZEROED": 4, "TXL_OUTCOME_OVERFLOWED": 5,
        "TXL_OUTCOME_UNDEFINED": 6, "TXL_OUTCOME_MISMATCH": 7, "TXL_OUTCOMES": 8,
    },
    "txl_sweep_cases": {
        "TXL_CASE_WORST": 0, "TXL_CASE_FIRST": 1, "TXL_CASE_LAST": 2, "TXL_CASE_BREAK": 3,
        "TXL_CASE_FURTHEST": 4, "TXL_CASE_SPECIAL": 5,
    },
    "txl_debug_key": {
        "TXL_KEY_ENTER": 256, "TXL_KEY_BACKSPACE": 257, "TXL_KEY_DELETE": 258, "TXL_KEY_LEFT": 259,
        "TXL_KEY_RIGHT": 260, "TXL_KEY_UP": 261, "TXL_KEY_DOWN": 262, "TXL_KEY_HOME": 263,
        "TXL_KEY_END": 264, "TXL_KEY_PAGE_UP": 265, "TXL_KEY_PAGE_DOWN": 266, "TXL_KEY_TAB": 267,
        "TXL_KEY_CLEAR": 268,
    },
    "txl_debug_look": {
        "TXL_LOOK_PLAIN": 0, "TXL_LOOK_TITLE": 1, "TXL_LOOK_NEXT": 2, "TXL_LOOK_NEW": 3,
        "TXL_LOOK_WAIT": 4, "TXL_LOOK_WRONG": 5, "TXL_LOOK_COMMAND": 6,
    },
    "txl_fit_objective": {
        "TXL_FIT_MAX": 0, "TXL_FIT_MEAN": 1, "TXL_FIT_RELATIVE": 2, "TXL_FIT_FAITHFUL": 3,
        "TXL_FIT_MONOTONE": 4, "TXL_FIT_UNROUNDED": 5, "TXL_FIT_OBJECTIVES": 6,
    },
    "txl_form_kind": {
        "TXL_FORM_POLY": 0, "TXL_FORM_RATIONAL": 1, "TXL_FORM_LUT": 2, "TXL_FORM_ARECIP": 3,
        "TXL_FORM_KINDS": 4,
    },
    "txl_gdb_state": {
        "TXL_GDB_CONNECTED": 0, "TXL_GDB_DETACHED": 1, "TXL_GDB_KILLED": 2, "TXL_GDB_LOST": 3,
    },
    "txl_race_known": {
        "TXL_RACE_KNOWN_NONE": 0, "TXL_RACE_KNOWN_READ": 1, "TXL_RACE_KNOWN_WRITTEN": 2,
    },
    "txl_trace_form": {
        "TXL_TRACE_TABLE": 0, "TXL_TRACE_JSON": 1, "TXL_TRACE_CHROME": 2, "TXL_TRACE_KONATA": 3,
        "TXL_TRACE_HTML": 4, "TXL_TRACE_VIEW": 5, "TXL_TRACE_FORMS": 6,
    },
}
