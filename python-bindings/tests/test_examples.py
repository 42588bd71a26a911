# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the Python version of each example computes the same bits as its MLIR
program, on the processor and on the emulator of two GPUs.

The check.py of each example runs with another `Example`. Its launches run the MLIR
program and the Python version on the same arguments, and compare the arrays that they
have written. check.py makes the inputs, and compares the results with NumPy."""

import ctypes
import functools
import importlib.util
import json
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir import library
from tile_mlir.launching.machines import get_machine

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))
import example  # noqa: E402
sys.path.pop(0)

# The folder of each example, with the --size for its check.py if the default is large.
FOLDERS = {
    "01_vector_add": None, "02_row_sum": None, "03_tile_add": None,
    "04_gemm_small": None, "05_gemm_f32": "37,70,133",
    "06_gemm_f16": "130,77,133", "07_dequantise": "130,77,133",
    "08_batched_gemm": "9,35,33,45", "09_split_k": "65,70,515,3",
    "10_sum_of_squares": "40003", "11_reduce_scale": None, "12_softmax": None,
    "13_layer_norm": None, "14_rms_norm": None, "15_cross_entropy": None,
    "16_embedding": None, "17_histogram": None, "18_stencil": None,
    "19_transpose": None, "20_n_body": None, "21_factorial": None,
    "22_arg_max": None, "23_online_softmax": None, "24_random": None,
    "25_prefix_sum": None, "26_compaction": None, "27_lookback_scan": None,
    "28_radix_sort": None, "29_top_k_sampling": None, "30_attention": None,
    "31_fused_layers": "300", "32_crba": None, "33_fft_filter": None,
    "34_fft_convolution": None, "35_spectrogram": "1603,97",
    "36_four_step_fft": None, "37_blocked_cholesky": None,
    "38_normal_equations": None, "39_kalman": None,
    "40_jacobi_eigenvalues": None,
}

NOT_PROGRAMS = {
    "41_neural_image": "a program in Python, which derives kernels",
    "embed-c": "a program in C, which uses the compiler's libraries",
    "embed-cpp": "a compiler in C++, which builds programs of the dialect",
}

# Kernels of MLIR programs that have another name, or keyword arguments, in Python.
KERNELS = {
    **{f"{name}_{h * w}": (name, {"h": h, "w": w})
       for h, w in ((27, 35),) for name in ("columns", "rows")},
}

# Examples whose Python file has another name than the MLIR program. A random.py would
# hide Python's module of this name from scripts in its folder.
FILES = {"random": "random_pi", "humanoid": "crba_loop"}

# The allowed difference, relative to the greatest element, for kernels whose results
# are not defined to the bit, since blocks add floating-point values atomically in any
# order. For integers, as in 17_histogram, the order does not matter.
UNORDERED = {"sum_of_squares": 4 * 2.0 ** -52, "embedding_gradient": 4 * 2.0 ** -23}

MACHINES = {"cpu": tile.cpu, "sm_80": lambda: tile.emulator("sm_80"),
            "sm_90a": lambda: tile.emulator("sm_90a")}


# ----------------------------------------------------------------------------
# The MLIR program
# ----------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def compile_program(path, machine):
    return library.compile_text(Path(path).read_text(), machine=machine.kind,
                                arch=machine.arch, name=str(path),
                                outputs=("metadata",))


def list_types(result, kernel):
    """Returns the types of the kernel's arguments in the MLIR program."""
    [found] = [k for k in json.loads(result.get("metadata"))["kernels"]
               if k["name"] == kernel]
    return [argument["type"] for argument in found["arguments"]]


def get_dtype(type):
    element = {"index": tile.i64, "complex<f32>": tile.complex64}.get(type)
    return tile.elements.get_dtype(element or getattr(tile, type))


def make_argument(value, type):
    """Returns an argument for the compiler's library, and the objects that it points
    to."""
    array = np.asarray(value, get_dtype(type))
    rank = library.SCALAR if array.ndim == 0 else array.ndim
    sizes = (ctypes.c_int64 * 8)(*array.shape)
    strides = (ctypes.c_int64 * 8)(*(n // array.itemsize for n in array.strides))
    return library.Argument(data=array.ctypes.data, rank=rank, sizes=sizes,
                            strides=strides, type=type.encode()
                            ), (array, sizes, strides)


def run_program(result, kernel, values):
    prepared = [make_argument(*pair)
                for pair in zip(values, list_types(result, kernel))]
    options = library.RunOptions()
    if get_machine().kind == library.EMULATOR:
        options.seed = options.schedules = 1
    library.run(result, kernel, [argument for argument, _ in prepared], options)


# ----------------------------------------------------------------------------
# Both versions
# ----------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def load_python(folder, name):
    name = FILES.get(name, name)
    path = EXAMPLES / folder / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"example_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_python(program, kernel, values):
    name, constants = KERNELS.get(kernel, (kernel, {}))
    module = load_python(program.parent.name, program.stem)
    getattr(module, name)(*values, **constants)


class Compared(example.Example):
    """Runs the MLIR program and the Python version, and returns the results of the MLIR
    program."""

    def run_all(self, kernel, inputs, shapes):
        return self.launch(kernel, inputs, shapes)

    def update(self, kernel, inputs, array):
        return self.launch(kernel, inputs, [array])[0]

    def run_changing(self, kernel, inputs, array, shape):
        return self.launch(kernel, inputs, [array, shape])

    def launch(self, kernel, inputs, results):
        """Launches both versions. `results` are arrays with initial values, or shapes
        of arrays that are filled with bytes 0xFF."""
        program = Path(self.options.file)
        compiled = compile_program(program, get_machine())
        types = list_types(compiled, kernel)[len(inputs):]
        outputs = [[make_result(result, type) for result, type in
                    zip(results, types)] for _ in range(2)]
        run_program(compiled, kernel, [*inputs, *outputs[0]])
        run_python(program, kernel, [*inputs, *outputs[1]])
        for expected, found in zip(*outputs):
            compare(kernel, expected, found)
        return outputs[0]


def make_result(result, type):
    if isinstance(result, np.ndarray):
        return result.copy()
    dtype = get_dtype(type)
    size = int(np.prod(result)) * dtype.itemsize
    return np.full(size, 0xFF, np.uint8).view(dtype).reshape(result)


def compare(kernel, expected, found):
    if expected.tobytes() == found.tobytes():
        return
    wide = [x.astype(np.complex128) for x in (expected, found)]
    error = np.abs(wide[0] - wide[1]).max() / np.abs(wide[0]).max()
    count = np.count_nonzero(expected != found)
    # If the error is NaN, the comparison is false, and the check fails.
    assert error <= UNORDERED.get(kernel, -1), (
        f"{kernel}: expected the same bits, got {count} of {found.size} elements "
        f"that differ, by {error:.2g} at most")


# ----------------------------------------------------------------------------
# Tests
# ----------------------------------------------------------------------------


def test_each_folder_is_named():
    folders = {path.name for path in EXAMPLES.iterdir()
               if path.is_dir() and not path.name.startswith("__")}
    assert folders == set(FOLDERS) | set(NOT_PROGRAMS)


def test_each_program_has_its_python():
    for folder in FOLDERS:
        for program in (EXAMPLES / folder).glob("*.mlir"):
            load_python(folder, program.stem)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_bits(folder, machine, monkeypatch):
    size = [f"--size={FOLDERS[folder]}"] if FOLDERS[folder] else []
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "argv", ["check.py", *size])
    monkeypatch.setattr(example, "Example", Compared)
    with MACHINES[machine]():
        runpy.run_path(str(EXAMPLES / folder / "check.py"), run_name="__main__")


# ----------------------------------------------------------------------------
# Functions of several launches
# ----------------------------------------------------------------------------


def make_arrays(*shapes, dtype=np.float32):
    rng = np.random.default_rng(3)
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


def get_function(folder, name):
    [program] = (EXAMPLES / folder).glob("*.mlir")
    function = getattr(load_python(folder, program.stem), name)

    def call(*arguments):
        with tile.cpu():
            return function(*arguments)

    return call


def test_split_k():
    a, b, c = make_arrays((65, 515), (515, 70), (65, 70), dtype=np.float16)
    get_function("09_split_k", "split_k")(a, b, c, 3)
    expected = a.astype(np.float64) @ b
    np.testing.assert_allclose(c, expected, atol=1e-3 * np.abs(expected).max())


def test_sum_in_order():
    x, total = make_arrays(40003, 1, dtype=np.float64)
    get_function("10_sum_of_squares", "sum_in_order")(x, total)
    np.testing.assert_allclose(total, [x @ x], rtol=1e-13)


@pytest.mark.parametrize("folder, dtype", [
    ("25_prefix_sum", np.float32), ("27_lookback_scan", np.int32)])
def test_cumsum(folder, dtype):
    x = np.random.default_rng(3).integers(-50, 50, 5001).astype(dtype)
    y = np.full_like(x, 77)
    get_function(folder, "cumsum")(x, y)
    np.testing.assert_array_equal(y, np.cumsum(x))


def test_compaction():
    [x] = make_arrays(5001)
    kept = get_function("26_compaction", "compaction")(x, 0.25)
    np.testing.assert_array_equal(kept, x[x > 0.25])


def test_radix_sort():
    keys = np.random.default_rng(3).integers(-2 ** 31, 2 ** 31, 3001)
    keys = keys.astype(np.int32)
    found = get_function("28_radix_sort", "radix_sort")(keys)
    np.testing.assert_array_equal(found.view(np.uint32),
                                  np.sort(keys.view(np.uint32)))


def test_convolve():
    images, taps = make_arrays((2, 50, 61), (5, 7))
    found = np.full((2, 54, 67), np.nan, np.float32)
    get_function("34_fft_convolution", "convolve")(images, taps, found)
    size = 64, 128
    product = np.fft.rfft2(images, size) * np.fft.rfft2(taps, size)
    expected = np.fft.irfft2(product, size)[:, :54, :67]
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_fft():
    x = make_arrays(2 * 945)[0].view(np.complex64)
    found = get_function("36_four_step_fft", "fft")(x, 27, 35)
    np.testing.assert_allclose(found, np.fft.fft(x), atol=1e-3)


def test_cholesky():
    [x] = make_arrays((137, 200))
    a = x @ x.T
    factor = a.copy()
    get_function("37_blocked_cholesky", "cholesky")(factor)
    np.testing.assert_allclose(np.tril(factor), np.linalg.cholesky(a),
                               atol=1e-3)


def run_neural_image(monkeypatch, *options, name="__main__"):
    monkeypatch.setattr(sys, "path", [str(EXAMPLES / "41_neural_image"), *sys.path])
    monkeypatch.setattr(sys, "argv", ["check.py", *options])
    return runpy.run_path(str(EXAMPLES / "41_neural_image/check.py"), run_name=name)


def test_neural_image(monkeypatch, tmp_path, capsys):
    """check.py fails if a gradient or a loss is wrong, or if the loss does not fall."""
    run_neural_image(monkeypatch, "--on=cpu", f"--plot={tmp_path / 'image.svg'}")
    assert "epoch 3: loss 0.00" in capsys.readouterr().out
    assert 'href="data:image/png;base64,iVBOR' in (tmp_path / "image.svg").read_text()


def test_neural_image_on_the_emulator(monkeypatch, capsys):
    check = run_neural_image(monkeypatch, name="check")
    points = check["make_points"](11, 7).astype(np.float32)
    image = check["paint"](points).astype(np.float32)
    network, reference = check["make_networks"]("emulator")
    with tile.emulator():
        check["check_gradients"](network, reference, points, image, "emulator")
    assert "gradient of layer 3: error" in capsys.readouterr().out


def test_neural_image_finds_a_wrong_gradient(monkeypatch):
    check = run_neural_image(monkeypatch, name="check")
    points = check["make_points"](11, 7).astype(np.float32)
    image = check["paint"](points).astype(np.float32)
    network, reference = check["make_networks"]("cpu")
    reference.weights[1] *= 1.001
    with tile.cpu(), pytest.raises(SystemExit, match="gradient of layer|loss"):
        check["check_gradients"](network, reference, points, image, "cpu")
