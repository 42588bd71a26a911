# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that do not end by themselves, on the machines of the host: a signal or a
time limit ends them."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import tile_mlir as tile
from checking import find_line

@pytest.fixture(autouse=True)
def interrupts():
    """Makes SIGINT raise KeyboardInterrupt: a process that was started in the
    background may ignore the signal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


MACHINES = pytest.mark.parametrize("use", [tile.emulator, tile.cpu],
                                   ids=["emulator", "cpu"])


@tile.kernel
def count_for_ever(x, limit):
    n = 0
    while n >= limit:
        n = n + 1
    tile.store(x, 0, n)


@tile.kernel
def wait_in_a_loop_of_elements(x, limit):
    def search(a):
        n = 0
        while n >= limit:
            n = n + 1
        return a + n

    tile.store(x, 0, tile.map(tile.function(search), tile.load(x, 0, 8)))


@tile.kernel
def long_range(x, count):
    total = 0
    for i in range(count):
        for j in range(count):
            total = total + i * j % 7
    tile.store(x, 0, total)


@tile.kernel
def one_block_waits(x, limit):
    n = 0
    if tile.program_id(0) == 3:
        while n >= limit:
            n = n + 1
    tile.store(x, tile.program_id(0), n)


@MACHINES
@pytest.mark.parametrize("kernel, argument, blocks", [
    (count_for_ever, 0, 1), (wait_in_a_loop_of_elements, 0, 1),
    (long_range, 10 ** 9, 1), (one_block_waits, 0, 8)],
    ids=["while", "map", "for", "one block"])
def test_limit(use, kernel, argument, blocks):
    x = np.zeros(8, np.float32)
    begin = time.monotonic()
    with use(timeout=0.2), pytest.raises(tile.EmulatorError) as caught:
        kernel[blocks](x, argument)
    assert time.monotonic() - begin < 60
    text = str(caught.value)
    assert text.startswith("expected the kernel to end within 0.2 s, got it running\n")
    assert "stopped: the kernel was still running, in this loop, when it was to end" in text
    assert f"{__file__}:" in text


@MACHINES
def test_line_of_the_loop(use):
    x = np.zeros(8, np.float32)
    with use(timeout=0.2), pytest.raises(tile.EmulatorError) as caught:
        count_for_ever[1](x, 0)
    line = find_line(count_for_ever, "while")
    assert f"{__file__}:{line}:5: error: stopped: " in str(caught.value)


@MACHINES
def test_kernels_within_the_limit(use):
    x = np.zeros(8, np.float32)
    with use(timeout=600):
        count_for_ever[1](x, 1)
        one_block_waits[8](x, 1)
        long_range[1](x, 3)
    assert x[0] == sum(i * j % 7 for i in range(3) for j in range(3))


@MACHINES
@pytest.mark.parametrize("blocks", [1, 8])
def test_interrupt(use, blocks):
    x = np.zeros(8, np.float32)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with use(), pytest.raises(KeyboardInterrupt):
        timer.start()
        one_block_waits[blocks](x, 0) if blocks == 8 else count_for_ever[1](x, 0)
    timer.join()
    with use():  # the next kernel runs
        count_for_ever[1](x, 1)
    assert x[0] == 0


class Alarm(Exception):
    pass


@MACHINES
def test_handler_of_a_signal(use):
    """An exception of the handler ends the kernel; without one the kernel continues."""
    def raise_alarm(number, frame):
        raise Alarm

    calls = []
    before = signal.signal(signal.SIGUSR1, lambda *_: calls.append(1))
    alarm = signal.signal(signal.SIGALRM, raise_alarm)
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1))
    try:
        timer.start()
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with use(), pytest.raises(Alarm):
            count_for_ever[1](np.zeros(8, np.float32), 0)
    finally:
        signal.signal(signal.SIGUSR1, before)
        signal.signal(signal.SIGALRM, alarm)
    timer.join()
    assert calls == [1]


@MACHINES
def test_other_threads(use):
    """Signals belong to the main thread; time limits apply in all threads."""
    errors = []

    def run():
        with use(timeout=0.2):
            try:
                count_for_ever[1](np.zeros(8, np.float32), 0)
            except tile.EmulatorError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 2
    assert all("to end within 0.2 s" in error for error in errors)


def test_process_that_is_interrupted(tmp_path):
    """Checks that a script ends as other Python scripts do."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent("""
        import numpy as np, os, signal, threading
        import tile_mlir as tile

        @tile.kernel
        def count(x, limit):
            n = 0
            while n >= limit:
                n = n + 1
            tile.store(x, 0, n)

        signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        count[1](np.zeros(1, np.float32), 0)
        """))
    found = subprocess.run([sys.executable, script], capture_output=True, text=True,
                           timeout=120)
    assert found.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in found.stderr and "ignored" not in found.stderr


def test_check_has_the_limit_of_the_machine():
    with tile.emulator(timeout=0.2), pytest.raises(tile.EmulatorError) as caught:
        tile.check(count_for_ever, (np.zeros(8, np.float32), 0), grid=1)
    assert "to end within 0.2 s" in str(caught.value)
