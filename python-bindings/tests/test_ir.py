# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The builder of programs, `tile.ir`, without tracing. Operations are built by their
names in the dialect; constants and texts reach the compiler unchanged."""

import ctypes
import struct

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir import ir, library
from tile_mlir.launching import arrays as arrays_module
from tile_mlir.launching.arguments import pack_all


def run(text, name, *arrays, machine=library.CPU, blocks=1):
    """Compiles a program and runs a kernel of it on arrays."""
    result = library.compile_text(text, machine=machine)
    described = [arrays_module.describe("x", array) for array in arrays]
    given = pack_all(described, [array.make_type() for array in described])
    library.run(result, name, [argument for argument, _ in given],
                library.RunOptions(grid=(ctypes.c_int64 * 3)(blocks, 1, 1)))


def get_array(element, rank=1):
    return ir.ArrayType((None,) * rank, element)


# ----------------------------------------------------------------------------
# A program
# ----------------------------------------------------------------------------


def build_program():
    """Builds a kernel that stores, for each block, a sum over columns: of the squares
    of elements plus their index in the sum."""
    b = ir.Builder()
    array, t = get_array(tile.f32, 2), ir.TileType((4, 8), tile.f32)
    with b.kernel("squares", [array, array], block=64) as (x, out):
        zero, step = b.constant(0, tile.index), b.constant(8, tile.index)
        dim = b.constant(1, tile.index)
        [columns] = b.operation("memref.dim", [x, dim], [tile.index])
        [me] = b.tile("program_id", axis="x", results=[tile.index])
        four = b.constant(4, tile.index)
        [first] = b.operation("arith.muli", [me, four], [tile.index])
        start = b.constant(0.0, t)
        with b.block([tile.index, t]) as body:
            index, sum_ = body.values
            [a] = b.tile("load", source=x, offsets=[first, index], results=[t])
            with b.block([tile.f32, tile.f32]) as square:
                [product] = b.operation("arith.mulf", square.values[:1] * 2,
                                        [tile.f32])
                [total] = b.operation("arith.addf", [product, square.values[1]],
                                      [tile.f32])
                b.tile("yield", values=total)
            [more] = b.tile("map", inputs=[a, sum_], regions=[square], results=[t])
            b.operation("scf.yield", [more])
        [sum_] = b.operation("scf.for", [zero, columns, step, start], [t],
                             regions=[body])
        b.tile("store", value=sum_, dest=out, offsets=[first, zero])
    return b.text()


@pytest.mark.parametrize("machine", [library.CPU, library.EMULATOR])
def test_a_loop_and_a_map(rng, machine):
    x = rng.standard_normal((8, 20)).astype(np.float32)
    out = np.full((8, 8), np.nan, np.float32)
    run(build_program(), "squares", x, out, machine=machine, blocks=2)
    wide = np.zeros((8, 24))
    wide[:, :20] = x
    np.testing.assert_allclose(out, (wide ** 2).reshape(8, 3, 8).sum(1),
                               rtol=1e-5)


def test_attributes_of_a_kernel_and_of_its_arguments():
    b = ir.Builder()
    grid = ir.Attribute("#tile.grid<affine_map<(n) -> (n ceildiv 64)> of [[0, 0]]>")
    with b.kernel("k", [get_array(tile.f32), tile.i32], grid=grid,
                  attributes={"tile.blocks_per_processor": ir.Attribute("2 : i64")},
                  argument_attributes=[
                      {"tile.name": ir.Attribute(ir.quote("numbers")),
                       "tile.alignment": ir.Attribute("16 : i64")}, {}]):
        pass
    result = library.compile_text(b.text(), machine=library.CUDA, arch="sm_80",
                                  outputs=("ir",), stop_after="tile-canonical-form")
    text = result.get("ir").decode()
    for part in ("tile.name = \"numbers\"", "tile.alignment = 16", "ceildiv 64",
                 "tile.blocks_per_processor = 2"):
        assert part in text


# ----------------------------------------------------------------------------
# Constants
# ----------------------------------------------------------------------------

NAN, INF = float("nan"), float("inf")
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 1 / 3, -2 / 3, 3.14159265358979, 57344.0, 448.0,
          INF, -INF, NAN, 2.0 ** -9, 2.0 ** -16, -3 * 2.0 ** -24, 2.0 ** -133,
          -2.0 ** -149, 1e-310, 5e-324, 65504.0, 1.0000000001, 123456789.0]
LARGE = [3.4028234663852886e38, 1.7976931348623157e308, 1e22, -1e300]


def round_to_bits(number, exponent, mantissa, has_infinity=True):
    """Rounds to a format with a sign, `exponent` bits of exponent and `mantissa` bits
    of mantissa, to nearest, ties to even. Returns the bits; for NaN those of the
    positive quiet NaN."""
    bias = 2 ** (exponent - 1) - 1
    top = 2 ** exponent - 1
    sign = int(np.signbit(number)) << (exponent + mantissa)
    if number != number:
        rest = 2 ** (mantissa - 1) if has_infinity else 2 ** mantissa - 1
        return top << mantissa | rest
    if np.isinf(number):
        return sign | top << mantissa
    size = abs(number)
    if size == 0:
        return sign
    scale = max(int(np.frexp(size)[1]) - 1, 1 - bias)
    whole = int(np.rint(np.ldexp(size, mantissa - scale)))
    return sign | (whole + ((scale + bias - 1) << mantissa))


FORMATS = {tile.f16: (5, 10), tile.bf16: (8, 7), tile.f32: (8, 23),
           tile.f64: (11, 52), tile.f8e5m2: (5, 2), tile.f8e4m3: (4, 3, False)}
INTEGERS = {8: (tile.i8, np.uint8), 16: (tile.i16, np.uint16),
            32: (tile.i32, np.uint32), 64: (tile.i64, np.uint64)}


def list_floats(element):
    """Returns the values of `FLOATS` and `LARGE` that are in the range of a type."""
    exponent, mantissa, *rest = FORMATS[element]
    greatest = 448.0 if rest else \
        (2 - 2.0 ** -mantissa) * 2.0 ** (2 ** (exponent - 1) - 1)
    return [x for x in FLOATS + LARGE if x != x or abs(x) <= greatest or
            (np.isinf(x) and not rest)]


def test_the_model_of_rounding():
    with np.errstate(over="ignore"):
        for number in list_floats(tile.f32):
            [bits] = struct.unpack("<I", struct.pack("<f", number))
            assert round_to_bits(number, 8, 23) == bits
        for number in list_floats(tile.f16):
            [bits] = np.array([number], np.float16).view(np.uint16)
            assert round_to_bits(number, 5, 10) == bits


def store_bits(element, numbers, fill):
    """Builds a program that writes the bits of values to an array. Each value is a
    constant tile, or, with `fill`, a tile filled with a scalar constant."""
    b = ir.Builder()
    integer = INTEGERS[element.bits][0]
    of, to = ir.TileType((1,), element), ir.TileType((1,), integer)
    with b.kernel("k", [get_array(integer)]) as (out,):
        for index, number in enumerate(numbers):
            value = b.constant(number, element if fill else of)
            if fill:
                [value] = b.tile("fill", value=value, results=[of])
            [bits] = b.tile("cast", source=value, bitcast=True, results=[to])
            b.tile("store", value=bits, dest=out,
                   offsets=[b.constant(index, tile.index)])
    return b.text()


@pytest.mark.parametrize("fill", [False, True], ids=["tile", "scalar"])
@pytest.mark.parametrize("element", FORMATS, ids=lambda e: e.spelling)
def test_floats_arrive_with_their_bits(element, fill):
    numbers = list_floats(element)
    out = np.zeros(len(numbers), INTEGERS[element.bits][1])
    run(store_bits(element, numbers, fill), "k", out)
    expected = [round_to_bits(x, *FORMATS[element]) for x in numbers]
    assert [f"{n:x}" for n in out.tolist()] == [f"{n:x}" for n in expected]


@pytest.mark.parametrize("element", FORMATS, ids=lambda e: e.spelling)
def test_floats_of_numpy_are_numbers(element):
    for number in (np.float32(0.1), np.float16(-0.5), np.float64(1 / 3)):
        assert ir.format_number(number, element) == \
            ir.format_number(float(number), element)


@pytest.mark.parametrize("element, dtype, part", [
    (tile.complex64, np.complex64, np.uint32),
    (tile.complex128, np.complex128, np.uint64)])
def test_complex_numbers_arrive_with_their_bits(element, dtype, part):
    floats = list_floats(element.part)
    numbers = [complex(x, y) for x, y in zip(floats, floats[::-1])] + [3, 0.5]
    b, t = ir.Builder(), ir.TileType((1,), element)
    with b.kernel("k", [get_array(element)]) as (out,):
        for index, number in enumerate(numbers):
            b.tile("store", value=b.constant(number, t), dest=out,
                   offsets=[b.constant(index, tile.index)])
    found = np.zeros(len(numbers), dtype)
    run(b.text(), "k", found)
    np.testing.assert_array_equal(found.view(part),
                                  np.array(numbers, dtype).view(part))


@pytest.mark.parametrize("element", [
    tile.i8, tile.i16, tile.i32, tile.i64, tile.u8, tile.u16, tile.u32, tile.u64],
    ids=lambda e: e.spelling)
def test_integers_arrive(element):
    dtype = np.dtype(element.spelling.replace("i", "int").replace("u", "uint")
                     .replace("int", "int"))
    limits = np.iinfo(dtype)
    numbers = [limits.min, limits.max, 0, 1, 77, np.int64(5), True]
    b, t = ir.Builder(), ir.TileType((1,), element)
    with b.kernel("k", [get_array(element)]) as (out,):
        for index, number in enumerate(numbers):
            b.tile("store", value=b.constant(number, t), dest=out,
                   offsets=[b.constant(index, tile.index)])
    found = np.zeros(len(numbers), dtype)
    run(b.text(), "k", found)
    assert found.tolist() == numbers


# ----------------------------------------------------------------------------
# Texts
# ----------------------------------------------------------------------------

NAMES = ['two "words"', "back\\slash", "sch\u00f6n", "\u65e5\u672c", "a\tb\nc", "100%d",
         "}>)", "\\0A"]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_kernels_arrive(name):
    b = ir.Builder()
    with b.kernel(name, [get_array(tile.f32)]) as (out,):
        b.tile("store", value=b.constant(2.0, ir.TileType((4,), tile.f32)), dest=out,
               offsets=[b.constant(0, tile.index)])
    x = np.zeros(4, np.float32)
    run(b.text(), name, x)
    assert (x == 2).all()


@pytest.mark.parametrize("name", [*NAMES, b"\xff\xfe".decode(errors="surrogateescape")])
def test_locations_arrive(name):
    b = ir.Builder(lambda: f"{ir.quote(name)}:7:5")
    with b.kernel("k", []):
        b.tile("cholesky", source=b.constant(0.0, ir.TileType((2, 3), tile.f32)),
               results=[ir.TileType((2, 3), tile.f32)])
    with pytest.raises(tile.CompileError) as caught:
        library.compile_text(b.text(), machine=library.CPU)
    diagnostic = caught.value.diagnostics[0]
    assert (diagnostic.file, diagnostic.line, diagnostic.column) == (name, 7, 5)
    assert "square matrices" in diagnostic.text


@pytest.mark.parametrize("name", NAMES)
def test_locations_of_what_is_no_program_arrive(name):
    """Checks that an error about a program that cannot be parsed is at the innermost of
    nested locations."""
    location = f'callsite({ir.quote(name)}:7:5 at "a.py":1:1)'
    b = ir.Builder(lambda: location)
    with b.kernel("k", []):
        b.tile("iota", axis=ir.Attribute("?"), results=[])
    with pytest.raises(tile.CompileError) as caught:
        library.compile_text(b.text(), machine=library.CPU)
    diagnostic = caught.value.diagnostics[0]
    assert (diagnostic.file, diagnostic.line, diagnostic.column) == (name, 7, 5)


def test_messages_arrive():
    for message in NAMES:
        b = ir.Builder()
        with b.kernel("k", []):
            b.tile("assert", condition=b.constant(False, tile.bool_),
                   message=message)
        with pytest.raises(tile.TileError) as caught:
            run(b.text(), "k")
        assert message in str(caught.value)


def test_ascii_alone():
    """The text of a program has only ASCII bytes, which its reader cannot misread."""
    assert ir.quote('"\\\u00fc\x00') == r'"\22\5C\C3\BC\00"'


# ----------------------------------------------------------------------------
# Wrong uses
# ----------------------------------------------------------------------------


def compile_wrong(build):
    b = ir.Builder(lambda: '"made.py":1:1')
    with b.kernel("k", [get_array(tile.f32)]) as (x,):
        build(b, x)
    with pytest.raises(tile.CompileError) as caught:
        library.compile_text(b.text(), machine=library.CPU)
    return str(caught.value)


def test_what_the_compiler_says():
    t = ir.TileType((4,), tile.f32)

    def leak(b, x):
        with b.block([tile.index]) as body:
            [index] = body.values
            inner = b.constant(0.0, t)
            b.operation("scf.yield")
        zero, one = b.constant(0, tile.index), b.constant(1, tile.index)
        b.operation("scf.for", [zero, one, one], regions=[body])
        b.tile("store", value=inner, dest=x, offsets=[zero])

    with pytest.raises(tile.ArgumentError, match="a loop or a branch that has "
                                                 "ended"):
        compile_wrong(leak)
    assert "attribute 'axis'" in compile_wrong(
        lambda b, x: b.tile("iota", results=[t]))
    assert "expected" in compile_wrong(
        lambda b, x: b.tile("program_id", axis="w", results=[tile.index]))
    assert "made.py:1:1" in compile_wrong(
        lambda b, x: b.tile("iota", axis=ir.Attribute("?"), results=[t]))
    assert "made.py:1:1" in compile_wrong(
        lambda b, x: b.tile("load", source=x, offsets=[], results=[t]))
