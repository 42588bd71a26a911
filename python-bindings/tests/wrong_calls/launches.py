# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grids, machines and streams."""

import numpy as np

import tile_mlir as tile
from wrong_calls.table import X, refused
from wrong_calls.arguments import copy


def launch(grid):
    copy[grid](X, X.copy())


# ----------------------------------------------------------------------------
# Grids
# ----------------------------------------------------------------------------


@refused(tile.LaunchError, "expected a grid of the kernel 'copy', as copy[blocks](...) "
                           "or @tile.kernel(grid=...), got none")
def no_grid():
    copy(X, X)


@refused(tile.ArgumentError, "copy(x, y, *, n=4): got an unexpected keyword argument "
                             "'grid'; copy[blocks](...) takes a grid")
def grid_by_keyword():
    copy(X, X.copy(), grid=1)


@refused(tile.LaunchError, "expected a grid of one to three numbers that are not "
                           "negative, got ()")
def grid_of_nothing():
    launch(())


@refused(tile.LaunchError, "expected a grid of one to three numbers that are not "
                           "negative, got (1, 2, 3, 4)")
def grid_of_four():
    launch((1, 2, 3, 4))


@refused(tile.LaunchError, "expected a grid of one to three integers, got 2.5; "
                           "tile.cdiv divides and rounds up")
def grid_of_a_fraction():
    launch(2.5)


@refused(tile.LaunchError, "expected a grid of one to three integers, got (1.5, 2)")
def grid_of_fractions():
    launch((1.5, 2))


@refused(tile.LaunchError, "expected a grid of one to three numbers that are not "
                           "negative, got (4, -1)")
def grid_below_zero():
    launch((4, -1))


@refused(tile.LaunchError, "expected a grid of at most (2147483647, 65535, 65535) "
                           "blocks, got 2147483648")
def grid_beyond():
    launch(2 ** 31)


@refused(tile.LaunchError, "expected a grid of at most (2147483647, 65535, 65535) "
                           "blocks, got (1, 18446744073709551616)")
def grid_beyond_64_bits():
    launch((1, 2 ** 64))


@refused(tile.LaunchError, "expected a grid of at most (2147483647, 65535, 65535) "
                           "blocks, got (1, 65536)")
def grid_of_too_many_rows():
    launch((1, 2 ** 16))


@refused(tile.LaunchError, "expected a grid of one to three integers, got None")
def grid_of_none():
    launch(None)


@refused(tile.LaunchError, "expected a grid of one to three integers, got 'a'")
def grid_of_a_letter():
    launch("a")


@refused(tile.LaunchError, "expected a grid of one to three integers, got '16'")
def grid_of_a_number_as_text():
    launch("16")


@refused(tile.LaunchError, "expected a grid of one to three integers, got {4: 'x'}")
def grid_of_a_dictionary_of_integers():
    launch({4: "x"})


@refused(tile.LaunchError, "expected a grid of one to three integers, got {4}")
def grid_of_a_set():
    launch({4})


@refused(tile.LaunchError, "expected a grid of one to three integers, got b'\\x04'")
def grid_of_bytes():
    launch(b"\x04")


@refused(tile.LaunchError, "expected a grid of one to three integers, got {'x': 4}")
def grid_of_a_dictionary():
    launch({"x": 4})


@refused(tile.LaunchError, "expected a grid of one to three integers, got an array of "
                           "NumPy")
def grid_of_an_array():
    launch(np.ones((2, 2), int))


@refused(tile.LaunchError, "expected a grid of one to three integers, got ['1', '2']")
def grid_of_texts():
    launch(["1", "2"])


@refused(tile.LaunchError, "expected a grid of one to three integers, got {1.5}")
def grid_of_a_set_of_floats():
    launch({1.5})


@refused(tile.LaunchError, "expected a grid of one to three integers, got slice(1, 2, "
                           "None)")
def grid_of_a_slice():
    copy[1:2](X, X)


@refused(tile.LaunchError, "expected a grid's function of parameters that the kernel "
                           "has, by their names x, y, n, got 'z'")
def function_of_other_names():
    launch(lambda z: 1)


@refused(tile.LaunchError, "expected a grid's function of parameters that the kernel "
                           "has, by their names x, y, n, got 'x'")
def function_of_positions():
    launch(lambda x, /: 1)


@refused(tile.LaunchError, "expected a grid of one to three integers, got None")
def function_without_a_result():
    launch(lambda x: None)


@refused(tile.LaunchError, "expected a grid of one to three integers, got 16.0; "
                           "tile.cdiv divides and rounds up")
def function_of_a_fraction():
    launch(lambda x, n: x.shape[0] / n)


@refused(tile.LaunchError, "expected a grid's function of parameters that the kernel "
                           "has, by their names x, y, n, got '*rest'")
def function_of_rest():
    launch(lambda *rest: len(rest))


@refused(tile.LaunchError, "expected a grid's function with named parameters, got the "
                           "class 'dict'")
def class_as_a_grid():
    launch(dict)


@refused(tile.LaunchError, "expected a grid of one to three numbers that are not "
                           "negative, got -4")
def function_below_zero():
    launch(lambda n: -n)


# ----------------------------------------------------------------------------
# Machines
# ----------------------------------------------------------------------------


def run_on(**options):
    with tile.emulator(**options):
        launch(1)


@refused(tile.ArgumentError, "expected an architecture (sm_80, sm_86, sm_87, sm_89, "
                             "sm_90, sm_90a, sm_100, sm_100a, sm_103, sm_103a, sm_120, "
                             "sm_120a, sm_121, sm_121a), found 'sm_91'")
def emulator_of_another_architecture():
    run_on(arch="sm_91")


@refused(tile.ArgumentError, "expected a text for an architecture, got 90")
def emulator_of_a_number():
    run_on(arch=90)


@refused(tile.ArgumentError, "expected a text for an architecture, got ''")
def emulator_of_no_architecture():
    run_on(arch="")


@refused(tile.ArgumentError, "expected an integer from 1 to 2147483647 as schedules, "
                             "got 0")
def no_schedules():
    run_on(schedules=0)


@refused(tile.ArgumentError, "expected an integer from 1 to 2147483647 as schedules, "
                             "got 1.5")
def half_a_schedule():
    run_on(schedules=1.5)


@refused(tile.ArgumentError, "expected an integer from 1 to 2147483647 as schedules, "
                             "got 'many'")
def schedules_of_a_text():
    run_on(schedules="many")


@refused(tile.ArgumentError, "expected an integer from 1 to 2147483647 as schedules, "
                             "got 2147483648")
def schedules_beyond():
    run_on(schedules=2 ** 31)


@refused(tile.ArgumentError, "expected an integer from 0 to 18446744073709551615 as a "
                             "seed, got -1")
def seed_below_zero():
    run_on(seed=-1)


@refused(tile.ArgumentError, "expected an integer from 0 to 18446744073709551615 as a "
                             "seed, got 'a'")
def seed_of_a_text():
    run_on(seed="a")


@refused(tile.ArgumentError, "expected an integer from 0 to 18446744073709551615 as a "
                             "seed, got 18446744073709551616")
def seed_beyond():
    run_on(seed=2 ** 64)


@refused(tile.ArgumentError, "expected a number from zero on as a tolerance, got "
                             "-0.001")
def tolerance_below_zero():
    run_on(tolerance=-1e-3)


@refused(tile.ArgumentError, "expected a number from zero on as a tolerance, got nan")
def tolerance_that_is_no_number():
    run_on(tolerance=float("nan"))


@refused(tile.ArgumentError, "expected a number from zero on as a tolerance, got "
                             "'small'")
def tolerance_of_a_text():
    run_on(tolerance="small")


@refused(tile.ArgumentError, "expected an integer from 0 to 2147483647 as threads, got "
                             "-1")
def threads_below_zero():
    run_on(threads=-1)


@refused(tile.ArgumentError, "expected an integer from 0 to 2147483647 as threads, got "
                             "0.5")
def threads_of_a_fraction():
    run_on(threads=0.5)


@refused(tile.ArgumentError, "expected an integer from 0 to 2147483647 as threads, got "
                             "-2")
def threads_of_the_processor():
    with tile.cpu(threads=-2):
        launch(1)


@refused(tile.ArgumentError, "expected an integer from 0 to 2147483647 as threads, got "
                             "None")
def threads_of_none():
    with tile.cpu(threads=None):
        launch(1)


@refused(tile.ArgumentError, "expected a machine, got 'cpu'")
def machine_of_a_text():
    from tile_mlir.launching import machines
    with machines.use("cpu"):
        launch(1)


# ----------------------------------------------------------------------------
# Streams
# ----------------------------------------------------------------------------


@refused(tile.ArgumentError, "expected the handle of a stream as an integer, got "
                             "'main'")
def stream_of_a_text():
    with tile.stream("main"):
        pass


@refused(tile.ArgumentError, "expected the handle of a stream as an integer, got None")
def stream_of_none():
    with tile.stream(None):
        pass


@refused(tile.ArgumentError, "expected the handle of a stream as an integer, got -1")
def stream_below_zero():
    with tile.stream(-1):
        pass


@refused(tile.ArgumentError, "expected the handle of a stream as an integer, got "
                             "18446744073709551616")
def stream_beyond():
    with tile.stream(2 ** 64):
        pass


@refused(tile.ArgumentError, "expected the handle of a stream as an integer, got 0.0")
def stream_of_a_fraction():
    with tile.stream(0.0):
        pass
