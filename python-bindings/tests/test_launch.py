# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension that launches plans, without a GPU: on arrays of a class that has
DLPack's C exchange API, and with functions in place of the runtime's, which record
their calls."""

import ctypes
import gc
import sys

import pytest

_launch = pytest.importorskip("tile_mlir._launch")


class CTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class Tensor:
    """An array with the parts of a PyTorch tensor that the extension uses."""

    def __init__(self, data, shape=(4, 5), strides=None, code=2, bits=32, device=0,
                 kind=2, offset=0, fails=False):
        self.shape = (ctypes.c_int64 * len(shape))(*shape)
        self.strides = strides and (ctypes.c_int64 * len(shape))(*strides)
        self.fields = data, kind, device, len(shape), code, bits, 1
        self.offset, self.fails = offset, fails

    def fill(self, out):
        if self.fails:
            raise BufferError("no data")
        for name, value in zip(("data", "device_type", "device_id", "ndim", "code",
                                "bits", "lanes"), self.fields):
            setattr(out, name, value)
        pointer = ctypes.POINTER(ctypes.c_int64)
        out.shape = ctypes.cast(self.shape, pointer)
        out.strides = ctypes.cast(self.strides, pointer) if self.strides else None
        out.byte_offset = self.offset


STREAM = 0x5eed
GET_TENSOR = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object,
                               ctypes.POINTER(CTensor))
GET_STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32,
                               ctypes.POINTER(ctypes.c_void_p))


@GET_TENSOR
def get_tensor(tensor, out):
    try:
        tensor.fill(out.contents)
    except BufferError:
        return -1
    return 0


@GET_STREAM
def get_stream(kind, device, out):
    out[0] = STREAM + device
    return 0


class Exchange(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("rest", ctypes.c_void_p * 4), ("get_tensor", GET_TENSOR),
                ("get_stream", GET_STREAM)]


EXCHANGE = Exchange(1, 3, (ctypes.c_void_p * 4)(), get_tensor, get_stream)


def make_capsule(exchange, name=b"dlpack_exchange_api"):
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(ctypes.addressof(exchange), name, None)


Tensor.__dlpack_c_exchange_api__ = make_capsule(EXCHANGE)


class Runtime:
    """Replaces the runtime's functions on plans, and records their calls."""

    def __init__(self):
        self.log, self.fails = [], set()

        def note(name, *words):
            self.log.append((name, *words))
            return 1 if name in self.fails else 0

        plan, size = ctypes.c_void_p, ctypes.c_size_t
        self.functions = (
            ctypes.CFUNCTYPE(ctypes.c_int32, plan, size, plan)(
                lambda plan, at, data: note("set", plan, at, data)),
            ctypes.CFUNCTYPE(ctypes.c_int32, plan, plan)(
                lambda plan, stream: note("launch", plan, stream)),
            ctypes.CFUNCTYPE(ctypes.c_int32, plan)(
                lambda plan: note("destroy", plan)))
        _launch.set_runtime(*(ctypes.cast(f, ctypes.c_void_p).value
                              for f in self.functions))

    def take(self):
        log, self.log[:] = list(self.log), []
        return log


@pytest.fixture
def runtime():
    made = Runtime()
    yield made
    gc.collect()


@pytest.fixture
def slow():
    class Slow(list):
        def __call__(self, *arguments, **words):
            self.append((arguments, words))

    return Slow()


def make(slow, *plans):
    launcher = _launch.Launcher(slow)
    for handle, arguments, words, *guards in plans:
        assert launcher.add(handle, arguments, words, tuple(guards), 0)
    return launcher


def test_same_arrays(runtime, slow):
    x, y = Tensor(1000), Tensor(2000, device=0)
    launcher = make(slow, (7, (x, y), {}))
    assert launcher(x, y) is None
    assert runtime.take() == [("launch", 7, STREAM)]
    assert not slow


def test_other_addresses(runtime, slow):
    x, y, z = Tensor(1000), Tensor(2000), Tensor(2000, offset=24)
    launcher = make(slow, (7, (x, y), {}))
    launcher(x, z)
    launcher(x, z)
    launcher(y, y)
    assert runtime.take() == [
        ("set", 7, 1, 2024), ("launch", 7, STREAM), ("launch", 7, STREAM),
        ("set", 7, 0, 2000), ("set", 7, 1, 2000), ("launch", 7, STREAM)]


@pytest.mark.parametrize("other", [
    Tensor(1, (4, 6)), Tensor(1, (4, 5, 1)), Tensor(1, (4, 5), (5, 1)),
    Tensor(1, code=0), Tensor(1, bits=16), Tensor(1, device=1),
    Tensor(1, fails=True), 3, None, "x"])
def test_other_kinds_take_the_slow_way(runtime, slow, other):
    launcher = make(slow, (7, (Tensor(1),), {}))
    launcher(other, n=3)
    launcher(other)
    assert slow == [((other,), {"n": 3}), ((other,), {})]
    assert runtime.take() == []


def test_strides(runtime, slow):
    launcher = make(slow, (7, (Tensor(1, (4, 5), (5, 1)),), {}))
    launcher(Tensor(1, (4, 5), (5, 1)))
    assert len(runtime.take()) == 1
    launcher(Tensor(1, (4, 5), (6, 1)))
    assert len(slow) == 1 and runtime.take() == []


@pytest.mark.parametrize("number, same, others", [
    (0.0, [0.0], [-0.0, 0, False]), (1, [1], [1.0, True, 2]),
    (True, [True], [1, False]), (float("nan"), [float("nan")], [0.0]),
    (2 ** 80, [2 ** 80], [2 ** 80 + 1])])
def test_numbers(runtime, slow, number, same, others):
    x = Tensor(1)
    launcher = make(slow, (7, (x, number), {}))
    for value in same:
        launcher(x, value)
    assert len(runtime.take()) == len(same) and not slow
    for value in others:
        launcher(x, value)
    assert len(slow) == len(others) and runtime.take() == []


def test_arguments_that_are_none(runtime, slow):
    """The kernel has no argument for None, so that later arguments have smaller indices
    in the kernel."""
    x, y = Tensor(1000), Tensor(2000)
    launcher = make(slow, (7, (None, x, None, 3, y), {}))
    launcher(None, x, None, 3, Tensor(3000))
    assert runtime.take() == [("set", 7, 2, 3000), ("launch", 7, STREAM)]
    launcher(None, x, x, 3, y)
    launcher(None, None, None, 3, y)
    assert len(slow) == 2 and runtime.take() == []


def test_arrays_of_rank_0(runtime, slow):
    launcher = make(slow, (7, (Tensor(1000, ()),), {}))
    launcher(Tensor(2000, ()))
    launcher(Tensor(2000, (1,)))
    assert runtime.take() == [("set", 7, 0, 2000), ("launch", 7, STREAM)]
    assert len(slow) == 1


def test_words(runtime, slow):
    x = Tensor(1)
    launcher = make(slow, (7, (x,), {}), (8, (x,), {"n": 64, "f": "relu"}))
    launcher(x)
    launcher(x, f="relu", n=64)
    launcher(x, **{})
    assert [plan for _, plan, _ in runtime.take()] == [7, 8, 7]
    for words in ({"n": 64}, {"n": 65, "f": "relu"}, {"m": 64, "f": "relu"}):
        launcher(x, **words)
    assert len(slow) == 3 and runtime.take() == []


def test_words_that_are_equal_and_not_the_same(runtime, slow):
    x = Tensor(1)
    launcher = make(slow, (7, (x,), {"n": 1, "shape": (2, (3.0, "a")), "f": len}))
    launcher(x, n=1, shape=(2, (3.0, "a")), f=len)
    assert len(runtime.take()) == 1 and not slow
    for words in ({"n": True}, {"n": 1.0}, {"shape": (2, (3, "a"))},
                  {"shape": [2, (3.0, "a")]}, {"shape": (2, (3.0,))}, {"f": max}):
        launcher(x, **{"n": 1, "shape": (2, (3.0, "a")), "f": len, **words})
    assert len(slow) == 6 and runtime.take() == []


def test_stream_of_a_thread(runtime, slow):
    import threading
    x = Tensor(1)
    launcher = make(slow, (7, (x,), {}))
    _launch.set_stream(99)
    try:
        launcher(x)
        thread = threading.Thread(target=launcher, args=(x,))
        thread.start()
        thread.join()
        _launch.set_stream(0)
        launcher(x)
    finally:
        _launch.set_stream(None)
    launcher(x)
    assert [stream for *_, stream in runtime.take()] == [99, STREAM, None, STREAM]
    with pytest.raises(TypeError):
        _launch.set_stream("a")


def test_counts(runtime, slow):
    x = Tensor(1)
    launcher = make(slow, (7, (x, 1), {}), (8, (), {}))
    launcher(x)
    launcher(x, 1, 2)
    assert len(slow) == 2
    launcher()
    assert runtime.take() == [("launch", 8, None)]


def test_the_least_used_plan_goes(runtime, slow):
    x = Tensor(1)
    launcher = make(slow, *((100 + n, (x, n), {}) for n in range(16)))
    launcher(x, 0)  # used again, so that it is kept
    assert launcher.add(200, (x, 99), {}, (), 0)
    assert runtime.take() == [("launch", 100, STREAM), ("destroy", 101)]
    launcher(x, 0)
    launcher(x, 1)
    launcher(x, 99)
    assert slow == [((x, 1), {})]
    del launcher
    gc.collect()
    assert sorted(plan for name, plan, *_ in runtime.take()
                  if name == "destroy") == sorted([100, 200, *range(102, 116)])


@pytest.mark.parametrize("name", ["set", "launch"])
def test_what_fails_takes_the_slow_way(runtime, slow, name):
    x = Tensor(1)
    launcher = make(slow, (7, (x,), {}))
    runtime.fails.add(name)
    launcher(Tensor(5))
    assert len(slow) == 1


def test_an_address_that_failed_is_set_again(runtime, slow):
    launcher = make(slow, (7, (Tensor(1),), {}))
    runtime.fails.add("set")
    launcher(Tensor(5))
    runtime.fails.clear()
    runtime.take()
    launcher(Tensor(5))
    assert runtime.take() == [("set", 7, 0, 5), ("launch", 7, STREAM)]


@pytest.mark.parametrize("argument", [
    Tensor(1, kind=1), Tensor(1, (1,) * 9), Tensor(1, fails=True), "x", [3]])
def test_what_has_no_plan(runtime, slow, argument):
    launcher = make(slow)
    assert launcher.add(7, (argument,), {}, (), 0) is False
    launcher(argument)
    assert len(slow) == 1 and runtime.take() == []


def test_other_versions_of_dlpack(runtime, slow):
    class Old:
        __dlpack_c_exchange_api__ = make_capsule(
            Exchange(2, 0, (ctypes.c_void_p * 4)(), get_tensor, get_stream))

    class Wrong:
        __dlpack_c_exchange_api__ = make_capsule(EXCHANGE, b"another")

    class Number:
        __dlpack_c_exchange_api__ = 3

    for kind in (Old, Wrong, Number):
        assert make(slow).add(7, (kind(),), {}, (), 0) is False


def test_wrong_calls(slow):
    with pytest.raises(TypeError):
        _launch.Launcher()
    with pytest.raises(TypeError, match="not initialized"):
        _launch.Launcher.__new__(_launch.Launcher)()
    with pytest.raises(TypeError):
        make(slow).add(7, [1], {}, (), 0)
    with pytest.raises(TypeError):
        _launch.set_runtime(1)

    def refuse(*arguments):
        raise KeyError(arguments)

    with pytest.raises(KeyError):
        _launch.Launcher(refuse)(3)


@pytest.mark.parametrize("old, new", [
    (1, 2), (1, 1.0), (1, True), (0.0, -0.0), ("a", "b"), ((1, 2), (1, 3)),
    ([1], [1, 2]), ({"a": 1}, {"a": 2}), ({"a": 1}, {"b": 1}), ({1}, {2}),
    (len, max), (b"a", b"b"), ([[1]], [[True]])])
def test_guards(runtime, slow, old, new):
    """Checks guards for variables of a module, a class and a closure that a kernel
    reads."""
    import copy

    def around(value):
        def kernel():
            return value
        return kernel.__closure__[0]

    class Config:
        pass

    names, cell = {"n": copy.copy(old)}, around(copy.copy(old))
    x = Tensor(1)
    Config.n = copy.copy(old)
    launcher = make(slow, (7, (x,), {}, (names, "n", old), (cell, None, old),
                           (Config.__dict__, "n", old)))
    launcher(x)
    assert len(runtime.take()) == 1 and not slow
    for change, restore in [
            (lambda: names.update(n=new), lambda: names.update(n=old)),
            (lambda: names.clear(), lambda: names.update(n=old)),
            (lambda: setattr(cell, "cell_contents", new),
             lambda: setattr(cell, "cell_contents", old)),
            (lambda: setattr(Config, "n", new), lambda: setattr(Config, "n", old)),
            (lambda: delattr(Config, "n"), lambda: setattr(Config, "n", old))]:
        change()
        launcher(x)
        assert len(slow) == 1 and runtime.take() == []
        restore()
        launcher(x)
        assert len(slow) == 1 and len(runtime.take()) == 1
        slow.clear()


def test_guards_of_what_is_not_there(runtime, slow):
    class Config:
        pass

    names, cell, x = {}, (lambda: unset).__closure__[0], Tensor(1)
    launcher = make(slow, (7, (x,), {}, (names, "n", NotImplemented),
                           (cell, None, NotImplemented),
                           (Config.__dict__, "n", NotImplemented)))
    launcher(x)
    assert len(runtime.take()) == 1 and not slow
    for change, restore in [
            (lambda: names.update(n=1), lambda: names.clear()),
            (lambda: setattr(cell, "cell_contents", 1),
             lambda: delattr(cell, "cell_contents")),
            (lambda: setattr(Config, "n", 1), lambda: delattr(Config, "n"))]:
        change()
        launcher(x)
        assert len(slow) == 1 and runtime.take() == []
        restore()
        launcher(x)
        assert len(slow) == 1 and len(runtime.take()) == 1
        slow.clear()
    if runtime is None:
        unset = 1


def test_guards_that_fail(runtime, slow):
    class Wrong:
        def __getitem__(self, key):
            raise RuntimeError("no")

    x = Tensor(1)
    launcher = make(slow, (7, (x,), {}, (Wrong(), "n", 1)))
    launcher(x)
    assert len(slow) == 1 and runtime.take() == []
    for guards in ((1,), ((1, 2),), [((), "n", 1)]):
        with pytest.raises(TypeError):
            make(slow).add(7, (x,), {}, guards, 0)


@pytest.mark.parametrize("x, y, is_free", [
    (Tensor(1000), Tensor(1080), True), (Tensor(1000), Tensor(1076), False),
    (Tensor(1080), Tensor(1000), True), (Tensor(1076), Tensor(1000), False),
    (Tensor(1000), Tensor(1000), False), (Tensor(1000, offset=84), Tensor(1000), True)])
def test_overlap_takes_the_slow_way(runtime, slow, x, y, is_free):
    """Checks calls with arrays of 80 bytes at new addresses: they take the slow path if
    an array that the kernel writes overlaps another one."""
    for written, goes in [(0b001, is_free), (0b010, is_free), (0b100, True),
                          (0b000, True)]:
        launcher = _launch.Launcher(slow)
        first = Tensor(5000), Tensor(6000), Tensor(7000)
        assert launcher.add(7, first, {}, (), written)
        launcher(x, y, first[2])
        assert [name for name, *_ in runtime.take()].count("launch") == goes
        assert len(slow) == (not goes)
        slow.clear()


def test_overlap_by_strides(runtime, slow):
    """Rows of two arrays may alternate in memory; only the slow path can tell."""
    def make_rows(data):
        return Tensor(data, (3, 5), (10, 1))

    launcher = _launch.Launcher(slow)
    assert launcher.add(7, (make_rows(1000), make_rows(1020)), {}, (), 0b10)
    launcher(make_rows(1000), make_rows(1020))
    assert len(runtime.take()) == 1 and not slow  # the plan's own addresses are allowed
    launcher(make_rows(2000), make_rows(2020))
    assert len(slow) == 1
    launcher(make_rows(2000), make_rows(2100))
    assert len(runtime.take()) == 3 and len(slow) == 1
    backwards = Tensor(3000, (4,), (-1,))
    launcher = _launch.Launcher(slow)
    assert launcher.add(7, (backwards, make_rows(1000)), {}, (), 1)
    launcher(backwards, make_rows(2900))
    assert len(slow) == 2
    runtime.take()
    launcher(backwards, make_rows(3004))
    assert len(runtime.take()) == 2 and len(slow) == 2


def refuse_status(status):
    raise ValueError(status)


def test_prepared(runtime):
    x = Tensor(1000, device=2)
    launch = _launch.Prepared(7, (3, x), refuse_status)
    assert launch() is None
    _launch.set_stream(99)
    try:
        launch()
    finally:
        _launch.set_stream(None)
    assert runtime.take() == [("launch", 7, STREAM + 2), ("launch", 7, 99)]
    runtime.fails.add("launch")
    with pytest.raises(ValueError, match="1"):
        launch()
    with pytest.raises(TypeError, match="without arguments"):
        launch(x)
    with pytest.raises(TypeError, match="without arguments"):
        launch(n=1)
    runtime.take()
    del launch
    assert runtime.take() == [("destroy", 7)]


def test_prepared_of_wrong_arguments(runtime):
    for arguments in ((), (3,), ("x", None), (Tensor(1, fails=True),)):
        with pytest.raises((TypeError, SystemError)):
            _launch.Prepared(7, arguments, refuse_status)
    with pytest.raises(TypeError):
        _launch.Prepared(7, [Tensor(1)], refuse_status)
    with pytest.raises(TypeError, match="without arguments"):
        _launch.Prepared.__new__(_launch.Prepared)()
    launch = _launch.Prepared(7, (Tensor(1),), refuse_status)
    with pytest.raises(TypeError, match="initialized before"):
        launch.__init__(8, (Tensor(1),), refuse_status)
    assert runtime.take() == []


def test_cycles_are_collected(runtime):
    class Kernel(_launch.Launcher):
        def __init__(self):
            super().__init__(self.run)

        def run(self, *_):
            pass

    kernel = Kernel()
    kernel.add(7, (3,), {}, (), 0)
    del kernel
    gc.collect()
    assert ("destroy", 7) in runtime.take()


# ----------------------------------------------------------------------------
# Plans of several steps
# ----------------------------------------------------------------------------


class Pool:
    """Makes tensors at other addresses each time, and runs a function before."""

    def __init__(self, *addresses, kind=Tensor, before=lambda: None):
        self._addresses, self._kind, self._before = list(addresses), kind, before
        self.made = []

    def __call__(self):
        self._before()
        self.made.append(self._kind(self._addresses.pop(0)))
        return self.made[-1]


def within(make, array):
    """Makes an array on the stream that is set."""
    made = make()
    made.of = array
    return made


def make_call(slow, steps, arguments, words=None, arrays=None, made=(), result=None,
              written=0, guards=()):
    launcher = _launch.Launcher(slow)
    assert launcher.add_call(steps, arguments, words or {}, arrays, guards, written,
                             tuple((make, Tensor) for make in made), result, within)
    return launcher


def test_steps_and_results(runtime, slow):
    x, y = Tensor(1000), Tensor(2000)
    pool, memory = Pool(3000, 4000), Pool(5000, 5000)
    launcher = make_call(slow, ((7, ((0, 1), (2, 0))), (8, ((2, 1), (1, 0), (3, 2)))),
                         (x, y), made=(pool, memory), result=((2,), 1))
    (found,), second = launcher(x, y)
    assert found is pool.made[0] and second is y
    assert runtime.take() == [
        ("set", 7, 1, 1000), ("set", 7, 0, 3000), ("set", 8, 1, 3000),
        ("set", 8, 0, 2000), ("set", 8, 2, 5000),
        ("launch", 7, STREAM), ("launch", 8, STREAM)]
    (found,), _ = launcher(x, y)
    assert found is pool.made[1]
    assert runtime.take() == [
        ("set", 7, 0, 4000), ("set", 8, 1, 4000),
        ("launch", 7, STREAM), ("launch", 8, STREAM)]
    del launcher
    assert runtime.take() == [("destroy", 7), ("destroy", 8)] and not slow


def test_arrays_of_a_keyword(runtime, slow):
    x = Tensor(1000)
    launcher = make_call(slow, ((7, ((0, 0), (1, 1), (2, 2))),), (x,),
                         {"into": [Tensor(2000), Tensor(3000)], "n": 3}, "into",
                         result=(1, 2), written=0b110)
    a, b = Tensor(4000), Tensor(5000)
    for into in ([a, b], (a, b)):
        assert launcher(x, into=into, n=3) == (a, b)
    assert runtime.take()[3:] == 2 * [("launch", 7, STREAM)] and not slow
    # Fewer arrays, another keyword, another value, an array that shares memory.
    launcher(x, into=a, n=3)
    launcher(x, to=[a, b], n=3)
    launcher(x, into=[a, b], n=4)
    launcher(x, into=[a, b])
    launcher(x, into=[a, Tensor(4040)], n=3)
    assert len(slow) == 5 and not runtime.take()


def test_arrays_of_a_keyword_are_released(runtime, slow):
    launcher = make_call(slow, ((7, ((0, 0),)),), (), {"into": Tensor(1000)}, "into")
    into = Tensor(2000)
    launcher(into=into)
    count = sys.getrefcount(into)
    launcher(into=into)
    assert sys.getrefcount(into) == count and not slow


def test_new_arrays_on_the_stream_that_is_set(runtime, slow):
    x, pool = Tensor(1000), Pool(2000, 3000)
    launcher = make_call(slow, ((7, ((1, 0),)),), (3, x), made=(pool,), result=2)
    assert not hasattr(launcher(3, x), "of")
    _launch.set_stream(0xabc)
    try:
        assert launcher(3, x).of is x
    finally:
        _launch.set_stream(None)
    assert [entry[2] for entry in runtime.take() if entry[0] == "launch"] == [
        STREAM, 0xabc]


def test_new_arrays_that_fail(runtime, slow):
    class Other(Tensor):
        pass

    def refuse():
        raise MemoryError("all used")

    x = Tensor(1000)
    launcher = make_call(slow, ((7, ((0, 0), (1, 1))),), (x,),
                         made=(Pool(1, before=refuse),))
    with pytest.raises(MemoryError, match="all used"):
        launcher(x)
    for pool in (Pool(2000, kind=Other),
                 Pool(2000, kind=lambda data: Tensor(data, fails=True))):
        make_call(slow, ((7, ((0, 0), (1, 1))),), (x,), made=(pool,))(x)
    assert len(slow) == 2
    assert not [entry for entry in runtime.take() if entry[0] != "destroy"]


def test_calls_while_arrays_are_made(runtime, slow):
    """The function that makes an array calls the same launcher, and adds plans until the
    plan in use is dropped: its launches have its own arrays, and it ends with the call."""
    x, y = Tensor(1000), Tensor(2000)
    depth = []

    def call_again():
        depth.append(None)
        if len(depth) == 1:
            assert launcher(y) is pool.made[0]
            for number in range(16):
                launcher.add(100 + number, (x, number), {}, (), 0)

    pool = Pool(4000, 5000, before=call_again)
    launcher = make_call(slow, ((7, ((0, 0), (1, 1))),), (x,), made=(pool,), result=1)
    assert launcher(x) is pool.made[1]
    assert runtime.take() == [
        ("set", 7, 0, 2000), ("set", 7, 1, 4000), ("launch", 7, STREAM),
        ("set", 7, 0, 1000), ("set", 7, 1, 5000), ("launch", 7, STREAM),
        ("destroy", 7)]
    launcher(x)
    assert len(slow) == 1


def test_failing_steps_take_the_slow_way(runtime, slow):
    x = Tensor(1000)
    launcher = make_call(slow, ((7, ((0, 0),)), (8, ())), (x,))
    for name in ("set", "launch"):
        runtime.fails.add(name)
        launcher(x)
        runtime.fails.clear()
    assert len(slow) == 2
    runtime.take()
    launcher(x)
    assert [entry[0] for entry in runtime.take()][-2:] == ["launch", "launch"]


def test_wrong_plans_of_several_steps(runtime, slow):
    x = Tensor(1000)
    launcher = _launch.Launcher(slow)

    def add(steps=((7, ((0, 0),)),), arrays=None, made=(), result=None):
        return launcher.add_call(steps, (x, 3), {}, arrays, (), 0, made, result, within)

    for slot in (-1, 1, 2):
        with pytest.raises(TypeError, match="slots of arrays"):
            add(((7, ((slot, 0),)),))
    for result in (2, -1, (0, 5)):
        with pytest.raises(TypeError, match="a slot as the result"):
            add(result=result)
    for steps in (((7, (0,)),), (7,), ((7, [0]),)):
        with pytest.raises((TypeError, SystemError)):
            add(steps)
    with pytest.raises(TypeError):
        add(made=((3,),))
    # The keyword is not given; new arrays have no exchange, or are too many.
    assert add(arrays="into") is False
    assert add(made=((int, int),)) is False
    assert add(made=33 * ((Pool(), Tensor),)) is False
    assert launcher(x, 3) is None and len(slow) == 1 and not runtime.take()
