# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in other processes. They are pickled by their names, as functions are; this
also works for kernels of a script, which a spawned process runs as a module."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tile_mlir as tile


@tile.kernel(grid=1)
def double(x, y, *, n=8):
    tile.store(y, 0, scale(tile.load(x, 0, n)))


@tile.function
def scale(t):
    return 2 * t


@tile.autotune({"n": [4, 8]})
@tile.kernel(grid=1)
def tuned(x, y, *, n):
    tile.store(y, 0, 3 * tile.load(x, 0, n))


class Holder:
    @staticmethod
    @tile.kernel(grid=1)
    def inner(x, y):
        tile.store(y, 0, tile.load(x, 0, 8))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("value", [double, scale, tuned, tuned.kernel])
def test_pickled_by_name(protocol, value):
    assert pickle.loads(pickle.dumps(value, protocol)) is value
    assert copy.deepcopy(value) is value


def test_of_a_class():
    assert pickle.loads(pickle.dumps(Holder.inner)) is Holder.inner


def test_with_a_grid():
    assert pickle.loads(pickle.dumps(double[2])) is double[2]
    assert pickle.loads(pickle.dumps(tuned[2, 3])) is tuned[2, 3]


def test_without_a_name():
    @tile.kernel
    def local(x):
        tile.store(x, 0, 1)

    with pytest.raises((AttributeError, pickle.PicklingError), match="local"):
        pickle.dumps(local)


SCRIPT = """
import multiprocessing
import numpy as np
import tile_mlir as tile

@tile.kernel(grid=1)
def double(x, y):
    tile.store(y, 0, 2 * tile.load(x, 0, 8))

def run(kernel, x):
    y = np.empty_like(x)
    kernel(x, y)
    return y

if __name__ == "__main__":
    x = np.arange(5, dtype=np.float32)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for kernel in (double, double[1]):
            print(pool.apply(run, (kernel, x)).tolist())
"""


def test_spawned_processes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[0.0, 2.0, 4.0, 6.0, 8.0]"] * 2, done.stderr
