# SPDX-License-Identifier: Apache-2.0
"""Every parameter of every public function with odd objects: exceptions, never a crash.

A crash would end the process; under ASan (scripts/campaign_python.sh) so does an access that is out
of bounds.
"""

import ctypes
import inspect

import numpy as np
import pytest

import tensix
from tensix import arrays, conformance, formats, testing

ODD = [
    None, -1, 0, 3, 2**32, 2**64, -(2**70), 1.5, float("nan"), True, "", "x", "\0", "\ud800", b"",
    b"abc", [], [None], [[1], [2, 3]], {}, {"x": 1}, {5: 5}, (), object(), int, np.zeros(0),
    np.zeros((2, 3, 4), np.float32), np.float32(1), np.array(["a"]), np.array([None]),
    np.zeros(1024, np.int8), np.zeros((64, 64), np.float32)[::2, ::2], slice(0, 3), lambda *_: 5,
]
KERNEL = ".dst fp32\nsfpload L0,0,3,3\nsfpstore L0,2,3,3\n"
MACHINE = tensix.Machine("bh")
ARRAY = np.ones(100, np.float32)


def calls():
    """name, function, good arguments by name."""
    program = tensix.Program.from_asm(KERNEL, "bh")
    kernel = tensix.Kernel(program)
    run = {"arch": "bh", "dst": "fp32", "out_dst": None, "engine": "auto", "strict": False,
           "seed": 0, "thread": 1, "carry": False, "config": None, "rules": None,
           "findings": "ignore", "jobs": 1, "layout": "flat", "payload": "", "out": None}
    machine = MACHINE
    yield "run", lambda kernel, x, **o: tensix.run(kernel, x, **o), {
        "kernel": program, "x": ARRAY, **run}
    yield "Kernel.run", lambda x, **o: kernel.run(x, **o), {"x": ARRAY, "out": None, "trace": True}
    yield "Machine", tensix.Machine, {
        "arch": "bh", "strict": True, "rules": None, "trace": True, "l1": 64}
    for name, good in {
        "run": {"program": [0x8F000000], "thread": 1, "gaps": [1]},
        "run_threads": {"programs": {1: [0x8F000000]}, "limit": 50},
        "step": {"word": 0x8F000000, "thread": 1},
        "read": {"file": "LREG", "index": 1}, "write": {"file": "LREG", "index": 1, "values": 5},
        "seed": {"seed": 1}, "get_config": {"name": "PRNG_SEED_Seed_Val", "thread": 1},
        "set_config": {"name": "PRNG_SEED_Seed_Val", "value": 1, "thread": 1},
        "load_tile": {"values": np.ones(1024, np.float32), "tile": 0, "dst": "fp32"},
        "store_tile": {"tile": 0, "dst": "fp32"}, "restore": {"snapshot": machine.snapshot()},
    }.items():
        yield "Machine." + name, getattr(machine, name), good
    yield "from_asm", tensix.Program.from_asm, {"source": KERNEL, "arch": "bh"}
    yield "from_words", tensix.Program.from_words, {
        "words": [1], "arch": "bh", "init": [], "dst": "bf16", "inputs": 1, "output": 0}
    yield "from_file", tensix.Program.from_file, {"path": "/dev/null", "arch": "bh"}
    yield "record", tensix.Program.record, {
        "source": lambda r: r.TTI_SFPNOP(), "arch": "bh", "init": None, "dst": None,
        "inputs": None, "title": None}
    yield "disassemble", tensix.disassemble, {"word": 1, "arch": "bh", "macros": True}
    yield "assemble", tensix.assemble, {"source": KERNEL, "arch": "bh"}
    yield "convert", formats.convert, {
        "values": ARRAY, "to": "bf16", "source": None, "arch": "bh", "route": "tensix",
        "dst": None, "shape": None, "tile": (32, 32)}
    yield "convert back", formats.convert, {
        "values": np.ones((1, 1088), np.uint8), "to": "fp32", "source": "bfp8_b", "arch": "bh",
        "route": "tensix", "dst": None, "shape": (32, 32), "tile": (32, 32)}
    yield "encode", formats.encode, {"values": ARRAY, "format": "bf16", "tile": (32, 32)}
    yield "decode", formats.decode, {
        "data": np.zeros(1024, np.uint8), "format": "bfp8_b", "shape": (32, 32), "tile": (32, 32),
        "route": "tensix", "shared_exp": 127}
    yield "quantize", formats.quantize, {"values": ARRAY, "format": "bfp4_b", "route": "host"}
    yield "apply", formats.apply, {
        "conversion": "host.fp32_bf16", "values": ARRAY, "arch": "bh"}
    yield "info", formats.info, {"name": "bf16"}
    yield "take", arrays.take, {"value": ARRAY, "name": "x", "payload": ""}
    yield "check", conformance.Runner().check, {"vector": {"name": "v"}}
    yield "ulp_error", testing.ulp_error, {"got": ARRAY, "expected": ARRAY, "format": "fp32"}
    yield "sweep", tensix.sweep, {
        "kernel": program, "domain": "bf16:1:1.5", "reference": lambda x: x, "dst": None,
        "engine": "auto", "seed": 0, "rules": None, "jobs": 1}


CALLS = list(calls())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name, function, good", CALLS, ids=[name for name, _, _ in CALLS])
def test_odd_arguments(name, function, good):
    MACHINE.reset()
    function(**good)  # or nothing would be tried below
    allowed = (TypeError, ValueError, KeyError, IndexError, OSError, OverflowError, MemoryError,
               AttributeError, AssertionError, tensix.TensixError)
    for parameter in good:
        for odd in ODD:
            try:
                function(**{**good, parameter: odd})
            except allowed as error:
                # ctypes' own complaint would say nothing of the argument.
                assert not isinstance(error, ctypes.ArgumentError), (parameter, odd, error)
    MACHINE.reset()  # some of them are words that stop it
    function(**good)  # it is well


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("key", sorted(conformance._KEYS - {"name"}))
def test_odd_vectors(key):
    vector = {"name": "v", "arch": "bh", "program": ["8f000000"], "initial": {}, "final": {}}
    runner = conformance.Runner()
    for odd in ODD:
        runner.check({**vector, key: odd})
    for state in conformance._STATE:
        for odd in ODD:
            if key in ("initial", "final"):
                runner.check({**vector, key: {state: odd}})
    assert runner.check(vector) is None


def test_all_methods_are_tried():
    tried = {name.partition(".")[2] for name, _, _ in CALLS if name.startswith("Machine.")}
    with_parameters = {
        name for name, function in inspect.getmembers(tensix.Machine, inspect.isfunction)
        if not name.startswith("_") and len(inspect.signature(function).parameters) > 1
    }
    assert tried == with_parameters
