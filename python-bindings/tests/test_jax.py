# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels within JAX programs, on the host."""

import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

os.environ["JAX_PLATFORMS"] = "cpu"
jax = pytest.importorskip("jax")
import jax.export  # noqa: E402
import jax.numpy as jnp  # noqa: E402

import tile_mlir as tile  # noqa: E402
from kernels import make_gemm, make_scale  # noqa: E402
from tile_mlir.interoperation import jax_library  # noqa: E402

if not jax_library.FILE.exists():
    pytest.skip("launch/xla.c is not built", allow_module_level=True)

MACHINES = {"cpu": None, "emulator": tile.Machine(arch="sm_90a")}


def like(x, shape=None, dtype=None):
    return jax.ShapeDtypeStruct(x.shape if shape is None else shape,
                                dtype or x.dtype)


gemm = make_gemm(m=32, n=32, k=16)
scale = make_scale(n=32)


@tile.kernel(grid=lambda x, n: tile.cdiv(len(x), n))
def extremes(x, low, high, *, n=16):
    """Computes the least and the greatest element of each row."""
    first = tile.program_id(0) * n
    rows = tile.load(x, (first, 0), (n, 64))
    tile.store(low, first, rows.min(axis=1))
    tile.store(high, first, rows.max(axis=1))


@tile.kernel(grid=lambda x, total, *, n: tile.cdiv(x.shape[0], n))
def add_to(x, total, *, n=32):
    first = tile.program_id(0) * n
    sum = tile.load(total, first, n) + tile.load(x, first, n)
    tile.store(total, first, sum)


@tile.kernel(grid=1)
def copy(x, y, *, rank):
    coordinates, shape = (0,) * rank, (8,) * rank
    tile.store(y, coordinates, tile.load(x, coordinates, shape))


@tile.kernel(grid=1)
def check_positive(x, y):
    t = tile.load(x, 0, 64)
    assert t.min() > 0, "expected positive numbers"
    tile.store(y, 0, t)


@tile.kernel(grid=4)
def race(x):
    rows = tile.load(x, tile.program_id(0), 4)
    tile.store(x, tile.program_id(0), rows + 1)


def run_scale(x, s, **words):
    return tile.jax_call(scale, like(x), outputs=["y"], **words)(x, s)


def run_gemm(a, b, **constants):
    return tile.jax_call(gemm, jax.ShapeDtypeStruct(
        (a.shape[0], b.shape[1]), jnp.float32))(a, b, **constants)


def expect_close(found, expected, tolerance=1e-5):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found.astype(np.float64), expected, rtol=tolerance,
                               atol=tolerance * abs(expected).max())


# ----------------------------------------------------------------------------
# Values
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("machine", MACHINES)
def test_one_result(rng, machine):
    x = rng.standard_normal(131).astype(np.float32)
    for call in (run_scale, jax.jit(run_scale, static_argnums=1,
                                    static_argnames="machine")):
        y = call(x, 2.5, machine=MACHINES[machine])
        assert isinstance(y, jax.Array) and y.dtype == jnp.float32
        np.testing.assert_array_equal(y, x * np.float32(2.5))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "int8", "uint8",
                                   "int32", "uint32", "bool", "complex64",
                                   "float8_e4m3fn", "float8_e5m2"])
@pytest.mark.parametrize("rank", [1, 3])
def test_types(rng, dtype, rank):
    x = jnp.asarray(rng.standard_normal((7, 5, 3)[:rank]) * 9).astype(dtype)
    y = jax.jit(lambda x: tile.jax_call(copy, like(x))(x, rank=rank))(x)
    assert y.dtype == x.dtype and y.shape == x.shape
    assert np.asarray(y).tobytes() == np.asarray(x).tobytes()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_within_a_program(rng, dtype):
    a = rng.standard_normal((45, 37)).astype(jnp.dtype(dtype))
    b = rng.standard_normal((50, 37)).astype(jnp.dtype(dtype))

    @jax.jit
    def program(a, b):
        return jnp.tanh(run_gemm(a, b.T, m=16)) + a[:, :1].astype(jnp.float32)

    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    expect_close(program(a, b), np.tanh(a64 @ b64.T) + a64[:, :1])


def test_several_results(rng):
    x = rng.standard_normal((45, 64)).astype(np.float32)
    row = jax.ShapeDtypeStruct((45,), jnp.float32)
    for shapes in ([row, row], (row, row), lambda x: (row, row)):
        found = jax.jit(tile.jax_call(extremes, shapes))(x)
        assert type(found) is (list if isinstance(shapes, list) else tuple)
        np.testing.assert_array_equal(found[0], x.min(1))
        np.testing.assert_array_equal(found[1], x.max(1))
    high, low = tile.jax_call(extremes, [row, row], outputs=["high", "low"])(x)
    np.testing.assert_array_equal(low, x.min(1))
    np.testing.assert_array_equal(high, x.max(1))


def test_one_result_in_a_list(rng):
    x = rng.standard_normal(9).astype(np.float32)
    y, = tile.jax_call(scale, [like(x)], outputs=["y"])(x, 2.0)
    np.testing.assert_array_equal(y, x * 2)


@pytest.mark.parametrize("number", [3, -2.5, True, np.float64(1.7), np.int8(-3),
                                    np.float16(0.3), 2 ** 31 - 1])
def test_numbers(rng, number):
    x = rng.standard_normal(33).astype(np.float32)
    expected = np.empty_like(x)
    with tile.cpu():
        scale(x, expected, number)
    np.testing.assert_array_equal(run_scale(x, number), expected)


def test_complex_number(rng):
    x = rng.standard_normal((33, 2)).astype(np.float32).view(np.complex64)[:, 0]
    y = tile.jax_call(scale, like(x), outputs=["y"])(x, np.complex64(2 - 3j))
    np.testing.assert_allclose(y, x * np.complex64(2 - 3j), rtol=1e-6)


def test_numbers_next_to_zero(rng):
    """XLA flushes subnormal values to zero; kernels keep them."""
    x = (rng.standard_normal(77) * 1e-40).astype(np.float32)
    np.testing.assert_array_equal(run_scale(x, 0.75), x * np.float32(0.75))
    np.testing.assert_array_equal(jax.jit(run_scale, static_argnums=1)(x, 0.75),
                                  x * np.float32(0.75))


def test_no_elements():
    x = np.empty(0, np.float32)
    assert run_scale(x, 2.0).shape == (0,)


def test_grids(rng):
    x = rng.standard_normal(70).astype(np.float32)
    for grid in (3, (3, 1), lambda x, n: -(-len(x) // n)):
        np.testing.assert_array_equal(run_scale(x, 2.0, grid=grid), x * 2)


def test_other_sizes_and_constants(rng):
    program = jax.jit(lambda x, n: tile.jax_call(
        scale, like(x), outputs=["y"])(x, 2.0, n=n), static_argnames="n")
    for size in (1, 31, 32, 100):
        for n in (16, 64):
            x = rng.standard_normal(size).astype(np.float32)
            np.testing.assert_array_equal(program(x, n=n), x * 2)


def test_layouts(rng):
    """Checks operands that XLA by itself would store in another layout."""
    a = rng.standard_normal((21, 34)).astype(np.float32)
    b = rng.standard_normal((21, 40)).astype(np.float32)
    found = jax.jit(lambda a, b: run_gemm(a.T, b).T)(a, b)
    expect_close(found, (a.astype(np.float64).T @ b).T)


# ----------------------------------------------------------------------------
# Arguments that are written
# ----------------------------------------------------------------------------


def run_add_to(x, total):
    return tile.jax_call(add_to, like(total), input_output_aliases={1: 0})(x, total)


def test_written_argument(rng):
    x, total = rng.standard_normal((2, 77)).astype(np.float32)
    given = jnp.array(total)
    for call in (run_add_to, jax.jit(run_add_to)):
        np.testing.assert_array_equal(call(x, given), x + total)
        np.testing.assert_array_equal(given, total)


def test_donated_argument(rng):
    x, total = rng.standard_normal((2, 77)).astype(np.float32)
    given = jnp.array(total)
    address = given.unsafe_buffer_pointer()
    found = jax.jit(run_add_to, donate_argnums=1)(x, given)
    np.testing.assert_array_equal(found, x + total)
    assert found.unsafe_buffer_pointer() == address
    assert given.is_deleted()


def test_one_array_twice(rng):
    """If one array is both a written and a read argument, XLA makes two arrays of
    it."""
    x = rng.standard_normal(77).astype(np.float32)
    twice = lambda x: run_add_to(x, x)  # noqa: E731
    np.testing.assert_array_equal(twice(x), x + x)
    np.testing.assert_array_equal(jax.jit(twice)(x), x + x)
    np.testing.assert_array_equal(jax.jit(twice, donate_argnums=0)(jnp.array(x)),
                                  x + x)


def test_written_argument_and_result(rng):
    @tile.kernel(grid=1)
    def both(x, total, out):
        a, b = tile.load(x, 0, 64), tile.load(total, 0, 64)
        tile.store(total, 0, a + b)
        tile.store(out, 0, a - b)

    x, total = rng.standard_normal((2, 50)).astype(np.float32)
    found = jax.jit(tile.jax_call(both, (like(x), like(x)),
                                  input_output_aliases={1: 1}))(x, total)
    np.testing.assert_array_equal(found[0], x - total)
    np.testing.assert_array_equal(found[1], x + total)


# ----------------------------------------------------------------------------
# Transformations
# ----------------------------------------------------------------------------


def test_vmap(rng):
    a = rng.standard_normal((5, 21, 34)).astype(np.float32)
    b = rng.standard_normal((34, 40, 5)).astype(np.float32)
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    expect_close(jax.vmap(run_gemm, (0, 2))(a, b),
                 np.einsum("bij,jkb->bik", a64, b64))
    expect_close(jax.jit(jax.vmap(run_gemm, (0, None)))(a, b[:, :, 0]),
                 a64 @ b64[:, :, 0])
    expect_close(jax.vmap(run_gemm, (None, 2), out_axes=1)(a[0], b),
                 np.einsum("ij,jkb->ibk", a64[0], b64))


def test_vmap_of_a_written_argument(rng):
    x, total = rng.standard_normal((2, 3, 77)).astype(np.float32)
    found = jax.jit(jax.vmap(run_add_to))(x, total)
    np.testing.assert_array_equal(found, x + total)


def test_control_flow(rng):
    x = rng.standard_normal(40).astype(np.float32)

    @jax.jit
    def program(x, condition):
        y, _ = jax.lax.scan(lambda y, x: (run_add_to(x, y), None),
                            jnp.zeros_like(x), jnp.stack([x, x, x]))
        return jax.lax.cond(condition, lambda y: run_scale(y, 2.0),
                            lambda y: y, y)

    np.testing.assert_array_equal(program(x, False), x + x + x)
    np.testing.assert_array_equal(program(x, True), (x + x + x) * 2)


def test_gradient(rng):
    @jax.custom_vjp
    def multiply(a, b):
        return run_gemm(a, b)

    def forward(a, b):
        return multiply(a, b), (a, b)

    def backward(kept, gradient):
        a, b = kept
        return run_gemm(gradient, b.T), run_gemm(a.T, gradient)

    multiply.defvjp(forward, backward)
    a = rng.standard_normal((21, 34)).astype(np.float32)
    b = rng.standard_normal((34, 40)).astype(np.float32)
    found = jax.jit(jax.grad(lambda a, b: jnp.sum(jnp.sin(multiply(a, b))),
                             (0, 1)))(a, b)
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    slope = np.cos(a64 @ b64)
    expect_close(found[0], slope @ b64.T, 1e-4)
    expect_close(found[1], a64.T @ slope, 1e-4)


def test_threads(rng):
    """Runs a program on several threads, none of which has run it before."""
    @tile.kernel(grid=1)
    def negate(x, y):
        tile.store(y, 0, -tile.load(x, 0, 64))

    x = rng.standard_normal((8, 50)).astype(np.float32)
    found = [None] * 8
    program = jax.jit(lambda x: tile.jax_call(negate, like(x))(x))

    def run(index):
        for _ in range(20):
            found[index] = program(x[index])

    threads = [threading.Thread(target=run, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(np.stack(found), -x)


def test_lowering_for_cuda(rng):
    """Checks the call that is exported for a GPU; it has the program, too."""
    x = jax.ShapeDtypeStruct((100,), jnp.float32)
    exported = jax.export.export(
        jax.jit(lambda x: run_scale(x, 2.0)), platforms=["cuda"],
        disabled_checks=[jax.export.DisabledSafetyCheck.custom_call(
            "tile_mlir.call")])(x)
    text = exported.mlir_module()
    assert "tile_mlir.call" in text and "tile.load" in text
    assert "grid = dense<[4, 1, 1]>" in text


# ----------------------------------------------------------------------------
# Other processes
# ----------------------------------------------------------------------------

PROGRAM = """
    import jax, jax.export, logging, sys
    import jax.numpy as jnp
    import numpy as np
    import tile_mlir as tile

    @tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
    def scale(x, y, *, n=32):
        first = tile.program_id(0) * n
        tile.store(y, first, tile.load(x, first, n) * 2)

    def run(x):
        shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return jnp.sin(tile.jax_call(scale, shape)(x))

    def check(program):
        x = np.random.default_rng(3).standard_normal(99).astype(np.float32)
        np.testing.assert_allclose(program(x), np.sin(2 * x), rtol=1e-6,
                                   atol=1e-6)
"""


def run_process(folder, text):
    path = folder / "program.py"  # the lines of PROGRAM are the same in each process
    path.write_text(textwrap.dedent(PROGRAM) + textwrap.dedent(text))
    result = subprocess.run([sys.executable, path, folder], capture_output=True,
                            text=True)
    assert result.returncode == 0, result.stderr
    return result.stderr


def test_cache_of_jax(tmp_path):
    """Checks that a second process uses the programs that the first one compiled."""
    text = """
        jax.config.update("jax_compilation_cache_dir", sys.argv[1] + "/cache")
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
        logging.basicConfig(level=logging.DEBUG)
        check(jax.jit(run))
    """
    first = run_process(tmp_path, text)
    assert "cache hit for 'jit_run'" not in first
    second = run_process(tmp_path, text)
    assert "cache hit for 'jit_run'" in second


def test_export(tmp_path):
    pytest.importorskip("flatbuffers")
    run_process(tmp_path, """
        exported = jax.export.export(jax.jit(run), disabled_checks=[
            jax.export.DisabledSafetyCheck.custom_call("tile_mlir.call")])(
                jax.ShapeDtypeStruct((99,), jnp.float32))
        with open(sys.argv[1] + "/exported", "wb") as file:
            file.write(exported.serialize())
    """)
    run_process(tmp_path, """
        del scale, run
        with open(sys.argv[1] + "/exported", "rb") as file:
            exported = jax.export.deserialize(bytearray(file.read()))
        tile.register_with_jax()
        check(exported.call)
    """)


# ----------------------------------------------------------------------------
# Errors
# ----------------------------------------------------------------------------


# The class of an error depends on whether JAX has waited for the result.
XLA_ERRORS = jax.errors.JaxRuntimeError, ValueError


@pytest.mark.parametrize("machine", MACHINES)
def test_assertion(rng, machine):
    x = np.abs(rng.standard_normal(64).astype(np.float32)) + 1
    program = jax.jit(tile.jax_call(check_positive, like(x),
                                    machine=MACHINES[machine]))
    np.testing.assert_array_equal(program(x), x)
    x[7] = -1
    with pytest.raises(XLA_ERRORS, match="expected positive numbers"):
        jax.block_until_ready(program(x))


def test_finding_of_the_emulator(rng):
    x = rng.standard_normal(64).astype(np.float32)
    call = tile.jax_call(race, like(x), input_output_aliases={0: 0},
                         machine=tile.Machine())
    with pytest.raises(XLA_ERRORS, match="race") as error:
        jax.block_until_ready(call(x))
    assert "test_jax.py" in str(error.value)


def make_refusals():
    x = np.ones(8, np.float32)
    shape = jax.ShapeDtypeStruct((8,), jnp.float32)
    matrix = jax.ShapeDtypeStruct((8, 8), jnp.float32)
    y = {"outputs": ["y"]}

    @tile.kernel
    def no_grid(x, y):
        tile.store(y, 0, tile.load(x, 0, 8))

    return {
        "kernel": (lambda: tile.jax_call(len, shape), "expected a kernel, got"),
        "grid": (lambda: tile.jax_call(no_grid, shape),
                 "expected a grid of the kernel 'no_grid'"),
        "shape": (lambda: tile.jax_call(scale, (8,), **y)(x, 1.0),
                  "expected a shape and a dtype of result 0, as of "
                  "jax.ShapeDtypeStruct, got 8"),
        "too few": (lambda: tile.jax_call(scale, shape, **y)(x),
                    "without the outputs y: missing a required argument: 's'"),
        "too many": (lambda: tile.jax_call(scale, shape, **y)(x, 1.0, 2.0),
                     "without the outputs y: too many positional arguments"),
        "constant": (lambda: tile.jax_call(scale, shape, **y)(x, 1.0, k=3),
                     "got an unexpected keyword argument 'k'"),
        "unhashable": (lambda: tile.jax_call(scale, shape, **y)(x, 1.0, n=[3]),
                       "expected constants that can be hashed"),
        "output's name": (lambda: tile.jax_call(scale, shape, outputs=["z"])(x, 1.0),
                          "of x, y, s, got z"),
        "outputs": (lambda: tile.jax_call(scale, shape, outputs=["x", "y"])(1.0),
                    "expected as many outputs of the kernel 'scale' as results "
                    "without an argument, 1, of x, y, s, got x, y"),
        "more results": (lambda: tile.jax_call(scale, [shape] * 4)(),
                         "results without an argument, 4, of x, y, s, got x, y, s"),
        "not written": (lambda: tile.jax_call(scale, shape, outputs=["x"])(x, 1.0),
                        "expected the kernel 'scale' to write 'x', which is result "
                        "0, but it does not|'y' to be an output"),
        "written": (lambda: tile.jax_call(add_to, shape, outputs=["x"])(x),
                    "expected the kernel 'add_to' to write 'x'|"
                    "expected 'total' to be an output, or to become a result"),
        "only written": (lambda: tile.jax_call(add_to, [])(x, x),
                         "expected 'total' to be an output, or to become a result "
                         "by input_output_aliases, since the kernel 'add_to' writes "
                         "it"),
        "list": (lambda: tile.jax_call(scale, shape, **y)([1.0], 1.0),
                 "expected an array or a number for 'x', got list"),
        "nine dimensions": (
            lambda: tile.jax_call(copy, shape)(np.ones((1,) * 9), rank=1),
            "expected 'x' to have at most eight dimensions, got 9"),
        "type": (lambda: tile.jax_call(copy, shape)(jnp.ones(8, "int4"), rank=1),
                 "'x': expected an element type"),
        "key": (lambda: tile.jax_call(copy, shape)(
            jax.random.split(jax.random.key(1)), rank=1),
            "'x': expected an element type"),
        "alias of a number": (
            lambda: tile.jax_call(scale, shape, input_output_aliases={1: 0})(
                x, 1.0), "without the outputs none|expected 's'"),
        "alias of a shape": (
            lambda: tile.jax_call(add_to, matrix, input_output_aliases={1: 0})(x, x),
            r"expected 'total' to be an array like result 0, which it becomes, "
            r"float32\[8,8\], got float32\[8\]"),
        "alias of a type": (
            lambda: tile.jax_call(add_to, jax.ShapeDtypeStruct((8,), jnp.int32),
                                  input_output_aliases={1: 0})(x, x),
            r"int32\[8\], got float32\[8\]"),
        "alias of none": (
            lambda: tile.jax_call(add_to, shape, input_output_aliases={2: 0})(x, x),
            "expected input_output_aliases from arguments, 0 to 1, to different "
            r"results, 0 to 0, got \{2: 0\}"),
        "two aliases": (
            lambda: tile.jax_call(add_to, shape,
                                  input_output_aliases={0: 0, 1: 0})(x, x),
            "to different results"),
        "symbolic size": (
            lambda: jax.export.export(jax.jit(lambda x: run_scale(x, 1.0)))(
                jax.ShapeDtypeStruct(jax.export.symbolic_shape("n"), jnp.float32)),
            "expected sizes of 'x' that are known when JAX traces the call, got "
            r"float32\[n\]"),
        "tuned kernel": (
            lambda: tile.jax_call(tile.autotune({"n": [8, 16]})(scale), shape),
            "expected a kernel, as `.kernel` of a tuned one, got <tuned <kernel scale"),
        "blocks": (lambda: run_scale(x, 1.0, grid=(1, 2, 3, 4)),
                   "expected a grid of one to three"),
    }


@pytest.mark.parametrize("name", list(make_refusals()))
def test_refusals(name):
    call, text = make_refusals()[name]
    with pytest.raises((tile.ArgumentError, tile.LaunchError), match=text):
        call()


@tile.kernel(grid=1)
def scale_by(x, s, bias, y, total):
    t = tile.load(x, 0, 8) * s[()]
    if bias is not None:
        t += tile.load(bias, 0, 8)
    tile.store(y, 0, t)
    total[()] = t.sum()


@pytest.mark.parametrize("machine", MACHINES)
def test_arrays_of_rank_0_and_none(rng, machine):
    x = rng.standard_normal(8).astype(np.float32)

    def run(x, s, bias):
        return tile.jax_call(scale_by, (like(x), like(x, ())),
                             machine=MACHINES[machine])(x, s, bias)

    for bias in (None, x[::-1].copy()):
        y, total = jax.jit(run)(x, 3.0, bias)
        expected = 3 * x + (0 if bias is None else bias)
        expect_close(y, expected)
        assert total.shape == ()
        expect_close(total, expected.sum())


def test_without_jax_call():
    x = jnp.ones(8)
    with pytest.raises(tile.ArgumentError) as caught:
        copy(x, np.ones(8, np.float32), rank=1)
    assert str(caught.value) == (
        "expected an array or a number for 'x', got ArrayImpl; tile.jax_call makes a "
        "function of JAX's arrays of a kernel, and np.asarray an array of NumPy")


def test_errors_of_the_trace(rng):
    @tile.kernel(grid=1)
    def wrong(x, y):
        tile.store(y, 0, tile.load(x, 0, 8) + tile.zeros(3))

    x = rng.standard_normal(8).astype(np.float32)
    with pytest.raises(tile.CompileError, match="test_jax.py"):
        jax.jit(tile.jax_call(wrong, like(x)))(x)


def test_without_what_is_built(monkeypatch, tmp_path):
    monkeypatch.setattr(jax_library, "FILE", tmp_path / "_xla.so")
    with pytest.raises(tile.TileError, match="expected _xla.so beside the package"):
        jax_library.get_handlers.__wrapped__()


def test_without_jax(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(tile.TileError, match="expected the package jax"):
        jax_library.import_jax.__wrapped__()
