# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions of tiles and scalars between real types, by operations of the dialects."""

from __future__ import annotations

from dataclasses import replace
from typing import overload

from .. import elements
from ..elements import DType, Element
from ..ir import TileType
from ..tracing.trace import builder, describe, fail, to_element
from ..tracing.values import Scalar, Tile
from .operands import Result, is_f8, make_type, operate, wrap


@overload
def convert_real(operand: Tile, to: Element, *, saturate: bool = ...) -> Tile: ...


@overload
def convert_real(operand: Scalar, to: Element, *, saturate: bool = ...) -> Scalar: ...


def convert_real(operand: Result, to: Element, *, saturate: bool = False) -> Result:
    """Converts from one real type to another one that is not bool."""
    if operand.dtype == to:
        return operand
    if isinstance(operand, Tile):
        return _convert_tile(operand, to, saturate)
    return _convert_scalar(operand, to, saturate)


def _convert_tile(tile: Tile, to: Element, saturate: bool) -> Tile:
    of = tile.dtype
    if to == elements.index:
        fail("expected tiles of integers with a width, got index")
    if of.mlir == to.mlir:  # they differ only in signedness
        return _retype(tile, to)
    unsigned = of.kind == "bool" or (of.is_unsigned if of.kind == "int"
                                     else to.is_unsigned)
    [value] = builder().tile("cast", source=tile.value, saturate=saturate,
                             unsigned_integer=unsigned,
                             results=[TileType(tile.shape, to)])
    return Tile(value)


@overload
def _retype(operand: Tile, to: Element) -> Tile: ...


@overload
def _retype(operand: Scalar, to: Element) -> Scalar: ...


def _retype(operand: Result, to: Element) -> Result:
    """Changes the signedness of the element type. This needs no operation, since
    integer types of the program have no signedness."""
    type = make_type(operand.shape, to, isinstance(operand, Tile))
    return wrap(replace(operand.value, type=type))


def _convert_scalar(scalar: Scalar, to: Element, saturate: bool) -> Scalar:
    of = scalar.dtype
    if saturate:
        fail("expected 'saturate' for tiles, got a scalar")
    if of.mlir == to.mlir:
        return _retype(scalar, to)
    if "index" in (of.kind, to.kind):
        return _convert_index(scalar, to)
    if is_f8(of) or is_f8(to):
        return _convert_f8(scalar, to)
    if {of.name, to.name} == {"f16", "bf16"}:
        return _convert_scalar(_convert_scalar(scalar, elements.f32, False), to,
                               False)
    return operate(_get_conversion(of, to), [scalar.value], to)


def _convert_f8(scalar: Scalar, to: Element) -> Scalar:
    """Converts from or to f8, through f32, in tiles of one element, since there is no
    conversion of f8 scalars."""
    if elements.f32 not in (scalar.dtype, to):
        return convert_real(convert_real(scalar, elements.f32), to)
    [filled] = builder().tile("fill", value=scalar.value,
                              results=[TileType((), scalar.dtype)])
    converted = _convert_tile(Tile(filled), to, False)
    [value] = builder().tile("extract", source=converted.value, indices=[], results=[to])
    return Scalar(value)


def _convert_index(scalar: Scalar, to: Element) -> Scalar:
    """Converts from or to an index, through i64 if the other type is not an integer
    type."""
    of = scalar.dtype
    if of.kind == "float":
        return _convert_index(_convert_scalar(scalar, elements.i64, False), to)
    if to.kind == "float":
        return _convert_scalar(_convert_index(scalar, elements.i64), to, False)
    unsigned = of.kind == "bool" or of.is_unsigned
    return operate("arith.index_castui" if unsigned else "arith.index_cast",
                   [scalar.value], to)


def _get_conversion(of: Element, to: Element) -> str:
    is_integer = [e.kind in ("bool", "int") for e in (of, to)]
    unsigned = of.kind == "bool" or of.is_unsigned
    if all(is_integer):
        if to.bits < of.bits:
            return "arith.trunci"
        return "arith.extui" if unsigned else "arith.extsi"
    if is_integer[0]:
        return "arith.uitofp" if unsigned else "arith.sitofp"
    if is_integer[1]:
        return "arith.fptoui" if to.is_unsigned else "arith.fptosi"
    return "arith.truncf" if to.bits < of.bits else "arith.extf"


@overload
def bitcast(a: Tile, dtype: DType) -> Tile: ...


@overload
def bitcast(a: Scalar, dtype: DType) -> Scalar: ...


def bitcast(a: Result, dtype: DType) -> Result:
    """Reinterprets the bits as another type of the same width; neither type may be
    complex or an index."""
    to = to_element(dtype)
    if not isinstance(a, (Tile, Scalar)):
        fail(f"expected a tile or a scalar, got {describe(a)}")
    if a.dtype.bits != to.bits or \
            not {a.dtype.kind, to.kind}.isdisjoint(("index", "complex")):
        fail(f"expected types of the same number of bits, not complex and no "
             f"index, got {a.dtype!r} and {to!r}")
    if a.dtype.mlir == to.mlir:
        return _retype(a, to)
    if isinstance(a, Scalar):
        return operate("arith.bitcast", [a.value], to)
    [value] = builder().tile("cast", source=a.value, bitcast=True,
                             results=[TileType(a.shape, to)])
    return Tile(value)
