# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the package has functions for every operation that a program may have
before it is lowered, and for every operand and attribute of these operations."""

import inspect

import pytest

import tile_mlir as tile
from tile_mlir import ir, library
from tile_mlir._operations import OPERATIONS

# Operations that no program has before it is lowered, and why.
LOWER = {
    "partial_fft": "-tile-assign-layouts makes it",
    "order_fft": "-tile-assign-layouts makes it",
    "partial_reduce": "-tile-assign-layouts makes it",
    "partial_scan": "-tile-assign-layouts makes it",
    "partial_sort": "-tile-assign-layouts makes it",
    "round_tf32": "-tile-assign-storage makes it",
    "launch": "it is in functions of the host, and Python is the host",
    "group": "it is in functions of tensors, which Python does not have",
    "online_softmax": "it is in functions of tensors, which Python does not have",
}

# Operands and attributes that no program has before it is lowered, and why; "*" stands
# for all operations.
LOWER_WORDS = {
    ("*", "scratch"): "-tile-bufferize adds it",
    ("print", "storage"): "-tile-bufferize keeps in it where the tile was",
    ("kernel", "grid"): "Python computes the grid of its launches",
    ("kernel", "sym_visibility"): "a kernel is public",
    ("kernel", "res_attrs"): "a kernel has no results",
    ("kernel", "arg_attrs"): "of programs that are built by tile.ir",
}

# Functions by the operations that they build. Their parameters are the arrays x (f32,
# 2-d), n (i32, 1-d) and z (complex64, 2-d), and a scalar k. The functions of an
# operation together use all of its operands and attributes.
EXAMPLES = {}


def of(function):
    EXAMPLES[function.__name__] = function
    return function


def load(array, *shape):
    return tile.load(array, (0,) * array.ndim, shape)


@of
def add_diagonal(x, n, z, k):
    tile.add_diagonal(load(x, 8, 8), 2.0)


@of
def apply_householder(x, n, z, k):
    factors, scales = tile.householder(load(x, 8, 4))
    tile.apply_householder(factors, scales, load(x, 8, 2), transposed=True)
    tile.apply_householder(factors, scales, load(x, 8, 4), triangular=True)


@of
def arg_reduce(x, n, z, k):
    tile.argmax(load(x, 8, 8), 1, keepdims=True)


@of
def assert_(x, n, z, k):
    assert k < 1000, "k"


@of
def atomic_load(x, n, z, k):
    tile.atomic_load(x, (0, 0), (1, 4), order="acquire", scope="system",
                     in_bounds=True)


@of
def atomic_rmw(x, n, z, k):
    t = load(n, 4)
    tile.atomic("add", x, (0, 0), tile.zeros((4,)), mask=t > 0, dims=(0,),
                order="acq_rel", scope="system", in_bounds=True)
    tile.atomic("compare_exchange", n, 0, t, expected=t + 1)
    tile.atomic("add", n, 0, t, ordered=True)


@of
def atomic_store(x, n, z, k):
    tile.atomic_store(x, (0, 0), tile.ones((4,)), order="release",
                      scope="system", in_bounds=True)


@of
def broadcast(x, n, z, k):
    tile.broadcast_to(load(n, 4), (3, 4))
    tile.broadcast_to(load(n, 4), (4, 3), dims=(0,))


@of
def cast(x, n, z, k):
    t = load(x, 4, 4)
    t.astype(tile.u8, saturate=True)
    tile.bitcast(t, tile.i32)


@of
def cholesky(x, n, z, k):
    tile.cholesky(load(x, 8, 8), upper=True, status=True)


@of
def cholesky_derivative(x, n, z, k):
    tile.cholesky_derivative(load(x, 8, 8), load(x, 8, 8), transposed=True)


@of
def complex(x, n, z, k):
    c = load(z, 4, 4)
    c * c + tile.make_complex(tile.real(c), tile.imag(c))


@of
def array_at(x, n, z, k):
    table = tile.load(n, 0, 8).astype(tile.i64)
    tile.load(tile.array_at(table[0], (4, k), tile.f32), (0, 0), (4, 4))


@of
def convert_layout(x, n, z, k):
    tile.load(x, (0, 0), (8, 8), storage="shared")


@of
def determinant(x, n, z, k):
    tile.determinant(load(x, 8, 8))


@of
def diagonal(x, n, z, k):
    tile.diagonal(load(x, 8, 8))


@of
def eigh(x, n, z, k):
    tile.eigh(load(x, 8, 8), status=True)


@of
def extract(x, n, z, k):
    load(x, 8, 8)[2, k]


@of
def fence(x, n, z, k):
    tile.fence("release", scope="system")


@of
def fft(x, n, z, k):
    tile.fft(load(z, 4, 16), norm="ortho", plan=PLAN)


@of
def fill(x, n, z, k):
    tile.full((4, 4), k)


@of
def gather(x, n, z, k):
    i = load(n, 4)
    tile.gather(x, (0, 0), i, (4, 8), axis=0, pad=1.0, mask=tile.full((4, 8), True),
                dims=(0, 1), in_bounds=True)
    tile.gather(x, (0, 0), (i, i), 4, axes=(0, 1))


@of
def histogram(x, n, z, k):
    t = load(n, 8)
    tile.histogram(t, 4, mask=t > 0)


@of
def householder(x, n, z, k):
    tile.householder(load(x, 8, 4))


@of
def ifft(x, n, z, k):
    tile.ifft(load(z, 4, 16), norm="ortho", plan=PLAN)


@of
def insert(x, n, z, k):
    tile.insert(load(x, 8, 8), (k, 0), load(x, 2, 2))


@of
def inverse(x, n, z, k):
    tile.inverse(load(x, 8, 8), status=True)


@of
def iota(x, n, z, k):
    tile.iota((8,), 0, tile.f32, start=0.5, step=0.25)


@of
def irfft(x, n, z, k):
    tile.irfft(load(z, 4, 9), norm="ortho")


@of
def join(x, n, z, k):
    tile.concatenate([load(x, 4, 4), load(x, 4, 2)], axis=1)


@of
def kernel(x, n, z, k):
    pass


@of
def ldlt(x, n, z, k):
    tile.ldlt(load(x, 8, 8), status=True)


@of
def least_squares(x, n, z, k):
    tile.least_squares(load(x, 8, 4), load(x, 8, 2))


@of
def load_(x, n, z, k):
    tile.load(x, (0, k), 4, pad=1.0, mask=load(n, 4) > 0, dims=(0,),
              in_bounds=True)


@of
def logdet(x, n, z, k):
    tile.logdet(load(x, 8, 8))


@of
def lu(x, n, z, k):
    tile.lu(load(x, 8, 8), unordered=True, status=True)


@of
def map(x, n, z, k):
    tile.map(lambda a, b: a * b, load(x, 4, 4), 2.0)


@of
def matmul(x, n, z, k):
    tile.matmul(load(x, 16, 16), load(x, 16, 16), precision="tf32",
                tiling={"warps": (1, 1), "sub": [1, 1], "atom": "m16n8k8",
                        "operands": "shared", "vector": 4, "stages": 2})


@of
def num_programs(x, n, z, k):
    tile.num_programs(1)


@of
def one_sided_jacobi(x, n, z, k):
    tile.one_sided_jacobi(load(x, 8, 8), status=True)


@of
def per_thread(x, n, z, k):
    tile.per_thread(lambda thread, a: a * 2, load(n, 32))


@of
def pop(x, n, z, k):
    t = load(n, 8)
    tile.pop(t, k, t > 3)


@of
def print(x, n, z, k):
    tile.print_("x", load(x, 2, 2))


@of
def program_id(x, n, z, k):
    tile.program_id(2)


@of
def push(x, n, z, k):
    t = load(n, 8)
    tile.push(t, k, t, t > 3)


@of
def put(x, n, z, k):
    t = load(n, 8)
    tile.put(t, t, 1, 0, mask=t > 0, kind="add")


@of
def qr(x, n, z, k):
    tile.qr(load(x, 8, 4))


@of
def random(x, n, z, k):
    tile.random("normal", 1, k, (8,))


@of
def reduce(x, n, z, k):
    t = load(n, 8)
    tile.reduce("xor", t, axis=0, keepdims=True)
    tile.reduce(lambda a, b: a + b, t, 0, commutative=True)


@of
def reshape(x, n, z, k):
    load(x, 8, 8).reshape(64)


@of
def return_(x, n, z, k):
    pass


@of
def rfft(x, n, z, k):
    tile.rfft(load(x, 4, 16), norm="ortho")


@of
def scan(x, n, z, k):
    t = load(n, 8)
    tile.scan("or", t, axis=0, exclusive=True, reverse=True)
    tile.scan(lambda a, b: a + b, t, 0)


@of
def scatter(x, n, z, k):
    i = load(n, 4)
    tile.scatter(x, (0, 0), i, load(x, 4, 8), axis=0, atomic="add", old=True,
                 mask=tile.full((4, 8), True), dims=(0, 1), in_bounds=True)
    tile.scatter(x, (0, 0), (i, i), tile.zeros(4), axes=(0, 1))


@of
def select(x, n, z, k):
    t = load(x, 4, 4)
    tile.where(t > 0, t, 0)


@of
def solve(x, n, z, k):
    tile.solve(load(x, 8, 8), load(x, 8, 2), spd=True, status=True)


@of
def sort(x, n, z, k):
    tile.sort(load(n, 8).astype(tile.u32), 0, descending=True)


@of
def store(x, n, z, k):
    tile.store(x, (0, k), tile.zeros(4), mask=load(n, 4) > 0, dims=(0,),
               in_bounds=True)


@of
def svd(x, n, z, k):
    tile.svd(load(x, 8, 8), status=True)


@of
def take(x, n, z, k):
    tile.take(load(x, 4, 4), tile.iota((4,), 0), 0)


@of
def top_k(x, n, z, k):
    tile.top_k(load(n, 8).astype(tile.u32), 3, 0, least=True)


@of
def transpose(x, n, z, k):
    load(x, 4, 8).T


@of
def triangular_solve(x, n, z, k):
    tile.triangular_solve(load(x, 8, 8), load(x, 2, 8), upper=True,
                          transposed=True, unit=True, right=True)


@of
def unpack(x, n, z, k):
    tile.unpack(load(n, 8), 4, 0, unsigned=True)


@of
def view(x, n, z, k):
    load(x, 8, 8)[::2, k]


@of
def yield_(x, n, z, k):
    tile.map(lambda a: a, load(n, 8))


PLAN = "#tile.fft_plan<radices = [4, 4], threads = 4>"

# ----------------------------------------------------------------------------
# Operations of the examples
# ----------------------------------------------------------------------------


def get_array(element, rank):
    return ir.ArrayType((None,) * rank, element)


ARGUMENTS = (get_array(tile.f32, 2), get_array(tile.i32, 1),
             get_array(tile.complex64, 2), tile.index)


def is_given(word, value):
    return word not in ("results", "regions") and \
        value is not None and value is not False and value != []


def record(monkeypatch, function):
    """Returns the program of an example, and, for each operation in it, the operands
    and attributes that are used, and the counts of results."""
    made = []
    build = ir.Builder.operation

    def operation(self, name, operands=(), results=(), properties=None, *rest,
                  **more):
        made.append((name.removeprefix("tile."), set(properties or ()),
                     len(tuple(results))))
        return build(self, name, operands, results, properties, *rest, **more)

    tiles = []
    build_tile = ir.Builder.tile

    def build_any(self, name, /, **given):
        tiles.append((name, {word for word, value in given.items()
                             if is_given(word, value)}))
        return build_tile(self, name, **given)

    monkeypatch.setattr(ir.Builder, "operation", operation)
    monkeypatch.setattr(ir.Builder, "tile", build_any)
    text = tile.kernel(block=32)(function).trace(*ARGUMENTS)
    found = {}
    for name, words, results in made:
        entry = found.setdefault(name, (set(), [0]))
        entry[0].update(words)
        entry[1].append(results)
    for name, words in tiles:
        found[name][0].update(words)
    return text, {name: (words, max(counts))
                  for name, (words, counts) in found.items()}


def get_operation(name):
    return name.removesuffix("_")


@pytest.mark.parametrize("name", EXAMPLES)
def test_operation_is_reached(monkeypatch, name):
    """Checks that the examples of an operation use all of its operands and attributes,
    and compile."""
    operation = get_operation(name)
    text, found = record(monkeypatch, EXAMPLES[name])
    assert operation in found
    known = OPERATIONS[operation]
    words, results = found[operation]
    left_out = {word for word in [*known.operands, *known.attributes]
                if (operation, word) in LOWER_WORDS or ("*", word) in LOWER_WORDS}
    assert set(known.operands) | set(known.attributes) <= words | left_out
    if "*" not in known.results.values():
        assert results == len(known.results)
    library.compile_text(text, machine=library.CPU)


def test_every_operation_is_in_a_table():
    reached = {get_operation(name) for name in EXAMPLES}
    assert not reached & set(LOWER)
    assert reached | set(LOWER) == set(OPERATIONS)


def test_reasons_are_of_what_there_is():
    for operation, word in LOWER_WORDS:
        names = OPERATIONS if operation == "*" else [operation]
        assert any(word in OPERATIONS[name].operands or
                   word in OPERATIONS[name].attributes for name in names)


def test_public_names():
    """Checks that `__all__` has all public names of the package, and no others."""
    modules = [name for name, value in vars(tile).items()
               if inspect.ismodule(value) and name != "ir"]
    names = {name for name in vars(tile) if not name.startswith("_")}
    assert set(tile.__all__) == names - set(modules)
    assert len(tile.__all__) == len(set(tile.__all__))


def test_public_functions_are_described():
    functions = [getattr(tile, name) for name in tile.__all__]
    assert all(f.__doc__ for f in functions if inspect.isfunction(f))


def top_k_of_all(x, n, z, k):
    tile.top_k(load(n, 8), 3, 0)


def test_what_an_example_leaves_out_is_seen(monkeypatch):
    _, found = record(monkeypatch, top_k_of_all)
    words, results = found["top_k"]
    assert words == {"source", "axis"} and results == 2
    assert "unpack" not in found
