# SPDX-License-Identifier: Apache-2.0
import copy
import gc
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import tensix
from tensix import _abi
from tensix.machine import SHAPES


@pytest.fixture
def machine():
    with tensix.Machine("bh") as opened:
        yield opened


def test_multiply_add(machine):
    a = np.arange(32, dtype=np.float32)
    machine.lreg[0] = a
    machine.lreg[1] = 0.5
    machine.lreg[2] = np.float32(-7)
    machine.run("sfpmad L3,L0,L1,L2,0")
    # Small numbers: the sum is exact.
    assert np.array_equal(machine.lreg[3].view(np.float32), a * np.float32(0.5) - np.float32(7))
    assert machine.cycles == 2  # the multiply-add takes two cycles (timing.md)
    assert machine.counters.instructions == 1
    assert machine.findings == []


def test_constants_at_reset():
    # Ruling R4.
    with tensix.Machine("wh") as machine:
        assert machine.arch == "wormhole_b0"
        words = {8: 0x3F56594B, 9: 0, 10: 0x3F800000, 11: 0xBF800000, 12: 0x3B000000,
                 13: 0xBF2CC4C7, 14: 0xBEB08FF9}
        for index, word in words.items():
            assert (machine.lreg[index] == word).all()
        assert np.array_equal(machine.lreg[15], 2 * np.arange(32))


def test_prng_steps_as_documented():
    # Ruling R5: a draw gives the state, then new = (~parity(s & 80200003)) << 31 | s >> 1.
    with tensix.Machine("bh") as machine:
        state = np.arange(1, 33, dtype=np.uint32) * np.uint32(0x01234567)
        machine.prng = state
        machine.run("sfpmov L1,L9,8")  # Mod1 8: from the special register that VC names, 9: PRNG
        assert np.array_equal(machine.lreg[1], state)
        new = [(~bin(int(s) & 0x80200003).count("1") & 1) << 31 | int(s) >> 1 for s in state]
        assert machine.prng.tolist() == new


@pytest.mark.parametrize("file", sorted(SHAPES))
def test_shapes_are_the_librarys(machine, file):
    rows, count = SHAPES[file]
    assert machine.read(file, rows - 1).shape == (count,)
    number = _abi.FILE[file]
    values = np.zeros(64, np.uint32)
    read = _abi.lib.tx_read
    assert read(machine._handle, number, rows, values.ctypes.data, count) == _abi.EINVAL
    assert read(machine._handle, number, 0, values.ctypes.data, count + 1) == _abi.EINVAL
    with pytest.raises(IndexError, match=file):
        machine.read(file, rows)


def test_state_of_every_kind(machine):
    machine.lane_flags = 0x55555555
    machine.use_lane_flags = 0xFFFFFFFF
    machine.dst[5] = np.arange(16)
    machine.gpr[3] = 0xDEADBEEF
    machine.rwc[1] = [4, 0, 0, 0, 0, 0, 0, 0, 0]
    machine.config["ADDR_MOD_DST_SEC2_DestIncr"] = 2
    assert machine.lane_flags == 0x55555555
    assert machine.dst[5].tolist() == list(range(16))
    assert machine.gpr[3].tolist() == [0xDEADBEEF]
    assert machine.rwc[1][0] == 4
    assert machine.config["ADDR_MOD_DST_SEC2_DestIncr"] == 2
    assert np.asarray(machine.lreg).shape == (17, 32)
    machine.lreg[0] = 7
    machine.run("sfpmov L1,L0,0")
    assert machine.lreg[1].tolist() == [7, 0] * 16


def test_registers_of_threads(machine):
    """An index alone is the thread that run() feeds; a thread's number in front says another."""
    machine.gpr[13] = 5
    machine.gpr[0, 13] = 1000
    machine.run("ttshiftdmareg 1,0,10,1,13")  # GPR 10 = GPR 13 << 1
    assert machine.gpr[10].tolist() == machine.gpr[1, 10].tolist() == [10]
    assert machine.gpr[0, 10].tolist() == [0]
    machine.run("ttshiftdmareg 1,0,10,1,13", thread=0)
    assert machine.gpr[0, 10].tolist() == [2000]
    assert np.asarray(machine.gpr).shape == (3, 64) and len(machine.gpr) == 64
    assert machine.read("GPR", 10 + 64 * 1).tolist() == [10]
    for index in (64 + 3, -1, (1, 64), (3, 0)):
        with pytest.raises((IndexError, ValueError), match="thread"):
            machine.gpr[index]
    assert len(machine.replay) == 32 and machine.replay[2, 31].tolist() == [0]


def test_snapshot(machine):
    machine.lreg[0] = 1
    kept = machine.snapshot()
    machine.lreg[0] = 2
    machine.restore(kept)
    assert (machine.lreg[0] == 1).all()
    with pytest.raises(ValueError, match="snapshot"):
        machine.restore(kept[:-1])
    with tensix.Machine("wh") as other, pytest.raises(ValueError, match="wormhole"):
        other.restore(kept)


def test_tiles(machine, rng):
    tile = rng.standard_normal((32, 32)).astype(np.float32)
    machine.load_tile(tile, 3)
    assert np.array_equal(machine.store_tile(3), tile)
    # Face 1 of tile 3 is its upper right quarter: Dst rows 3 * 64 + 16 on (kernel.h). Of a 32-bit
    # cell the high half lies in row Adj32(r) = (r & 1F8) << 1 | r & 207, sign mantissa exponent,
    # the low half raw eight rows further (formats-and-scalar-unit.md C.2, C.3).
    row = 3 * 64 + 16
    row = (row & 0x1F8) << 1 | row & 0x207
    word = tile[0, 16:].view(np.uint32)
    high = word >> 31 << 15 | (word >> 16 & 0x7F) << 8 | word >> 23 & 0xFF
    assert np.array_equal(machine.dst[row], high)
    assert np.array_equal(machine.dst[row + 8], word & 0xFFFF)


def test_step_and_gaps(machine):
    machine.lreg[0] = 2.0
    words = tensix.assemble("sfpmul L1,L0,L0,0\nsfpadd L2,L1,L0,0", "bh")
    machine.run(words, gaps=[0, 5])
    assert (machine.lreg[2].view(np.float32) == 6).all()
    assert machine.counters.issue_cycles == 7  # two words and five idle cycles
    machine.lreg[1] = 0
    assert machine.step(words[0])  # taken, and its result not written yet
    assert (machine.lreg[1] == 0).all()
    assert not machine.step()
    assert (machine.lreg[1].view(np.float32) == 4).all()


def test_threads_of_the_machine(machine):
    # SEMPOST by thread 0, SEMWAIT and a move by thread 1: threads meet at a semaphore.
    machine.semaphore[2] = [0, 1]
    machine.lreg[0] = 5
    machine.run_threads({
        0: "ttnop\nttsempost 4",
        1: "ttsemwait 0x1ff, 4, 1\nsfpmov L1,L0,0",
    })
    assert (machine.lreg[1] == 5).all()
    assert machine.semaphore[2][0] == 1


def test_deadlock(machine):
    with pytest.raises(tensix.Deadlock, match="semaphore 2"):
        machine.run_threads({1: "ttsemwait 0x1ff, 4, 1\nsfpnop"})


def test_program_on_a_machine(machine):
    program = tensix.Program.from_asm(
        ".config ADDR_MOD_DST_SEC2_DestIncr, 2\n.mop 3, 0x8f000000\n"
        ".init\nsfploadi L0,0x3f80,0\n.tile\nsfpmov L1,L0,0\n", "bh")
    machine.run(program)
    assert (machine.lreg[1] == 0x3F800000).all()
    assert machine.config["ADDR_MOD_DST_SEC2_DestIncr"] == 2
    assert machine.read("MOP", 9 * 1 + 3)[0] == 0x8F000000
    threaded = tensix.Program.from_asm(".thread 0\nttnop\n", "bh")
    with pytest.raises(ValueError, match="program: it has .thread"):
        machine.run(threaded)


def test_memory_of_the_scalar_unit():
    with tensix.Machine("bh", l1=4096) as machine:
        # STOREIND to L1, 32 bits: 16 * GPR4 and the low half of GPR10 (half 20) are the address
        # (formats-and-scalar-unit.md B.6).
        machine.gpr[4] = 4
        machine.gpr[10] = 8
        machine.gpr[7] = 0x04030201
        machine.run([0x66 << 24 | 1 << 23 | 1 << 21 | 20 << 14 | 7 << 6 | 4])
        assert machine.l1[4 * 16 + 8 :][:4].tolist() == [1, 2, 3, 4]
        assert machine.l1.sum() == 10


def test_memory_is_fixed():
    """The library has its address: it stays where it is."""
    with tensix.Machine("bh", l1=4096) as machine:
        before = machine.l1.ctypes.data
        with pytest.raises(AttributeError):
            machine.l1 = np.zeros(4096, np.uint8)
        with pytest.raises(ValueError, match="own"):
            machine.l1.resize(1 << 20, refcheck=False)
        owner = machine.l1.base
        owner = getattr(owner, "obj", owner)
        with pytest.raises(BufferError):
            owner.extend(bytes(1 << 20))
        machine.l1[:] = 7
        assert machine.l1.ctypes.data == before and machine.l1[-1] == 7
        kept = machine.l1
    assert kept.sum() == 7 * 4096  # the caller's for as long as it is used
    assert tensix.Machine("bh").l1.size == 0


@pytest.mark.parametrize("copies", [copy.copy, copy.deepcopy, pickle.dumps])
def test_owners_refuse_copies(copies, kernels):
    program = tensix.Program.from_asm("sfpnop", "bh")
    kernel = tensix.Kernel(kernels / "exp.s", arch="bh")
    with tensix.Machine("bh") as machine:
        for owner in (machine, program, kernel):
            with pytest.raises(TypeError, match="cannot be copied or pickled"):
                copies(owner)
        machine.run(program)
    del program, kernel
    gc.collect()


class Alarm(Exception):
    pass


@pytest.mark.parametrize("error", [KeyboardInterrupt, Alarm])
@pytest.mark.parametrize("trace", [False, True])
def test_a_run_can_be_interrupted(error, trace):
    """As Ctrl-C does: what the signal's handler raises comes out of run()."""
    def handler(_number, _frame):
        raise error

    before = signal.signal(signal.SIGALRM, handler)
    try:
        with tensix.Machine("bh", trace=trace) as machine:
            machine.lreg[0] = 1.0
            start = time.process_time()
            with pytest.raises(error):
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                # Minutes: idle cycles before a word; with a trace, events all the time.
                if trace:
                    machine.run([0x8F000000] * 3_000_000)
                else:
                    machine.run([0x8F000000], gaps=[2**32 - 1])
            assert time.process_time() - start < 5  # the other thread had ten seconds of work left
            machine.reset()
            machine.run("sfploadi L1,0x3f80,0")
            assert (machine.lreg[1] == 0x3F800000).all()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_kernel_can_be_interrupted():
    """Both engines; the other threads end too."""
    def handler(_number, _frame):
        raise Alarm

    text = ".tile\n.rept 100000\nsfpnop\n.endr\nsfpstore L0,0,3,3\n"
    kernel = tensix.Program.from_asm(text, "bh")
    array = np.zeros(4000 * 1024, np.float32)  # minutes
    before = signal.signal(signal.SIGALRM, handler)
    try:
        ready = tensix.Kernel(kernel, engine="reference", jobs=2, findings="ignore")
        start = time.process_time()
        with pytest.raises(Alarm):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            ready(array)
        assert time.process_time() - start < 5  # the other thread had ten seconds of work left
        assert threading.active_count() == 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_error_in_a_callback_is_raised(machine, monkeypatch):
    from tensix import events

    def fail(_event, _arch):
        raise Alarm("of the callback")

    monkeypatch.setattr(events, "event_of", fail)
    with tensix.Machine("bh", trace=True) as traced, pytest.raises(Alarm, match="of the callback"):
        traced.run("sfpnop")


def test_findings_and_strict():
    text = "sfpload L0,0,0,0"  # Dst cells that nobody wrote: UnpredictableValue (R4)
    with tensix.Machine("bh") as machine:
        machine.run(text)
        (finding,) = machine.findings
        assert finding.category == "UnpredictableValue"
        assert finding.instruction == "sfpload L0,0,0,0"
        assert finding.arch == "blackhole" and finding.count == 1
        machine.clear_findings()
        assert machine.findings == []
    with tensix.Machine("bh", strict=True) as machine:
        with pytest.raises(tensix.UnpredictableValue) as caught:
            machine.run(text)
        assert caught.value.finding.word == tensix.assemble(text, "bh")[0]
        assert machine.fault.category == "UnpredictableValue"
        with pytest.raises(tensix.UnpredictableValue):  # nothing runs until reset
            machine.run("sfpnop")
        machine.reset()
        machine.run("sfpnop")
        assert machine.fault is None


def test_trace():
    with tensix.Machine("bh", trace=True) as machine:
        machine.lreg[0] = 1.0
        machine.run("sfpmul L1,L0,L0,0\nsfpmov L2,L1,0")
    kinds = [(e.cycle, e.kind, e.unit) for e in machine.trace]
    # The move waits for the two-cycle product (Blackhole's interlock).
    assert kinds == [
        (0, "issue", "mad"), (0, "compute", "mad"), (1, "stall", "simple"),
        (1, "write_lreg", "mad"), (2, "issue", "simple"), (2, "compute", "simple"),
        (2, "write_lreg", "simple"),
    ]
    last = machine.trace[-1]
    assert last.place == 2 and last.values == (0x3F800000,) * 32 and last.lanes == 0xFFFFFFFF
    assert "sfpmov L2,L1,0" in str(last)


def test_rules():
    with pytest.raises(ValueError, match="no such switch"):
        tensix.Machine("bh", rules={"nothing": "x"})
    with pytest.raises(ValueError, match="no such value"):
        tensix.Machine("bh", rules=["prng-result=nothing"])
    state = np.full(32, 2, np.uint32)
    drawn = {}
    for value in "old", "new":
        with tensix.Machine("bh", rules={"prng-result": value}) as machine:
            machine.prng = state
            machine.run("sfpmov L1,L9,8")
            drawn[value] = machine.lreg[1][0]
    # R5's step of 2: bit 1 is in the mask, parity 1, so that only the shift remains.
    assert drawn == {"old": 2, "new": 1}


def test_closed(machine):
    machine.close()
    machine.close()
    assert machine.closed
    for use in (
        lambda: machine.run([]), lambda: machine.lreg[0], lambda: machine.reset(),
        lambda: machine.counters, lambda: machine.findings, lambda: machine.snapshot(),
        lambda: machine.config["x"], lambda: machine.seed(1), lambda: machine.store_tile(),
        lambda: machine.notes, lambda: machine.step(), lambda: machine.finish(),
        lambda: machine.fault, lambda: machine.clear_findings(),
        lambda: machine.run_threads({}), lambda: setattr(machine, "prng", 1),
        lambda: machine.restore(b""), lambda: machine.load_tile(np.zeros(1024, np.float32)),
    ):
        with pytest.raises(tensix.ClosedError, match="machine"):
            use()


def test_one_machine_from_many_threads(machine):
    """Calls take turns; closing amid them gives ClosedError, not a crash."""
    errors = []

    def work():
        try:
            for _ in range(200):
                machine.lreg[0] = 1.0
                machine.run("sfpmul L1,L0,L0,0")
                assert (machine.lreg[1] == 0x3F800000).all()
        except tensix.ClosedError:
            pass
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    machine.run([0x8F000000])
    machine.close()
    for thread in threads:
        thread.join()
    assert errors == []


@pytest.mark.parametrize("call, message", [
    (lambda m: m.run([1, -1]), "words: word 1 is -1"),
    (lambda m: m.run([1 << 32]), "words: word 0 is 4294967296"),
    (lambda m: m.run([1.5]), "words: word 0 is 1.5, no integer"),
    (lambda m: m.run(None), "words: NoneType is no list"),
    (lambda m: m.run(b"abc"), "words: a list of words is wanted"),
    (lambda m: m.run([0x8F000000], gaps=[1, 2]), "gaps: 1 numbers are wanted, got 2"),
    (lambda m: m.run([], thread=3), "thread: 3"),
    (lambda m: m.run("sfpmda L4,L1,L2,L3,0"), "no instruction 'sfpmda'"),
    (lambda m: m.write("LREG", 0, np.zeros(31)), r"LREG\[0\]: 32 values are wanted"),
    (lambda m: m.write("LREG", 0, "text"), r"LREG\[0\]: <U4"),
    (lambda m: m.write("LREG", 9, 1), r"LREG\[9\]: cannot be written"),
    (lambda m: m.write("LREG", 0, 1 << 32), r"LREG\[0\]: a value does not fit"),
    (lambda m: m.write("DST", 0, 0x10000), r"DST\[0\]: .* does not fit"),
    (lambda m: m.read("NOTHING"), "file: 'NOTHING'"),
    (lambda m: m.read(None), "file: None"),
    (lambda m: m.config["nothing"], "no field nothing"),
    (lambda m: m.set_config("nothing", 1), "no field nothing"),
    (lambda m: m.set_config("PRNG_SEED_Seed_Val", 1, thread=7), "thread: 7"),
    (lambda m: m.set_config("ADDR_MOD_DST_SEC2_DestIncr", 1 << 20), "does not fit"),
    (lambda m: m.load_tile(np.zeros(1000, np.float32)), "values: 1024 elements"),
    (lambda m: m.load_tile(np.zeros(1024, np.float32), 8), "tile: 8 is beyond"),
    (lambda m: m.store_tile(99), "tile: 99"),
    (lambda m: m.store_tile(0, "fp99"), "dst: 'fp99'"),
    (lambda m: m.restore(5), "snapshot: int"),
    (lambda m: m.seed(-1), "seed: word 0 is -1"),
    (lambda m: m.run(tensix.Program.from_asm("sfpnop", "wh")), "program: it is for wormhole"),
])
def test_refusals(machine, call, message):
    with pytest.raises((ValueError, TypeError, KeyError, tensix.TensixError), match=message):
        call(machine)
    machine.run("sfpnop")  # and it is well


@pytest.mark.parametrize("arch, error, message", [
    ("quasar", tensix.UnsupportedError, "not modelled"), ("x86", ValueError, "'x86' is no chip"),
    (None, ValueError, "arch"), (5, TypeError, "arch: 5"),
])
def test_chips(arch, error, message):
    with pytest.raises(error, match=message):
        tensix.Machine(arch)


def test_fault_classes_are_the_librarys_categories():
    from tensix.errors import fault_classes

    table = [_abi.text(_abi.lib.tx_category_name(i)) for i in range(1, 7)]
    assert [cls.__name__ for cls in fault_classes().values()] == table
    assert all(issubclass(cls, tensix.Fault) for cls in fault_classes().values())
