# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls, on the last two dimensions of tiles; the dimensions before them count
matrices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from .. import elements
from ..elements import DType, Element
from ..ir import Attribute, TileType, Value, quote
from ..language import promotion
from ..language.arithmetic import negative
from ..language.conversions import broadcast_to, convert, to_value
from ..language.extents import broadcast_shapes, can_broadcast
from ..language.reductions import sum
from ..language.shapes import reshape
from ..tracing.deferred import Deferred
from ..tracing.locations import get_location
from ..tracing.trace import builder, check_word, describe, fail, to_element
from ..tracing.values import Operand, Tile, check_tile, methods

Tiling = Mapping[str, Union[int, str, Sequence[int]]]
# Accumulator types that differ from the operand type.
_SUMS = {elements.f16: elements.f32, elements.bf16: elements.f32,
         elements.f8e4m3: elements.f32, elements.f8e5m2: elements.f32,
         elements.i8: elements.i32}
# Operand types that are converted before a matmul: of the 8-bit integer types, the
# operation takes only i8.
_FACTORS = {elements.u8: elements.i32, elements.bool_: elements.i8}


def matmul(a: Tile, b: Tile, acc: Optional[Operand] = None, *,
           dtype: Optional[DType] = None, precision: Optional[str] = None,
           tiling: Optional[Tiling] = None) -> Tile:
    """Returns a @ b + acc for matrices, or for batches of matrices, whose batch
    dimensions are broadcast together. The result has the type `dtype`, else that of
    `acc`; without either it is f32 for f16, bf16 and f8, i32 for i8, and else the type
    of the operands. `precision` is "ieee", for f32 also "tf32", for f8 also
    "fast_accumulation". `tiling` has parameters of #tile.tiling, "warps", "sub",
    "thread", "atom", "operands", "vector" and "stages", as in {"warps": (2, 4),
    "stages": 3}; the compiler chooses the others."""
    check_word("a precision", precision, ("ieee", "tf32", "fast_accumulation"))
    a, b = _check_operands(a, b)
    shape = _get_matmul_shape(a, b)
    element = to_element(dtype) if dtype is not None else None
    if isinstance(acc, Tile):
        element = element or acc.dtype
    element = element or get_sum_element(a.dtype)
    flat = _join_dims(shape)
    start = _join_batches(broadcast_to(acc, shape), shape[:-2]) \
        if isinstance(acc, Tile) else acc
    [value] = builder().tile(
        "matmul", lhs=_join_batches(a, shape[:-2]).value,
        rhs=_join_batches(b, shape[:-2]).value,
        acc=to_value(0 if start is None else start, TileType(flat, element)),
        precision=precision, tiling=_make_tiling(tiling),
        results=[TileType(flat, element)])
    return reshape(Tile(value), shape)


def _join_batches(tile: Tile, batch: tuple[int, ...]) -> Tile:
    """Returns an operand in the form that the program's matmul takes: one matrix for
    the whole batch, or a batch of matrices along one dimension."""
    if math.prod(tile.shape[:-2]) == 1:
        return reshape(tile, tile.shape[-2:])
    whole = broadcast_to(tile, (*batch, *tile.shape[-2:]))
    return reshape(whole, _join_dims(whole.shape))


def _join_dims(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Returns a shape of matrices with all batch dimensions joined into one."""
    count = math.prod(shape[:-2])
    return shape[-2:] if count == 1 else (count, *shape[-2:])


def _make_tiling(tiling: Optional[Tiling]) -> Optional[Attribute]:
    if tiling is None:
        return None
    if not isinstance(tiling, Mapping):
        fail(f"expected a dictionary as a tiling, got {describe(tiling)}")
    return Attribute("#tile.tiling<" + ", ".join(
        f"{name} = {_format_parameter(name, value)}"
        for name, value in tiling.items()) + ">")


def _format_parameter(name: str, value: Any) -> str:
    check_word("a parameter of a tiling", name,
               (*_INTEGERS, *_SEQUENCES, "atom", "operands"))
    if name in _INTEGERS and type(value) is int:
        return str(value)
    if name in _SEQUENCES and isinstance(value, (tuple, list)) and \
            all(type(item) is int for item in value):
        return f"[{', '.join(map(str, value))}]"
    if name == "operands" and value in ("shared", "global"):
        return str(value)
    if name == "atom" and isinstance(value, str):
        return quote(value)
    fail(f"expected {_EXPECTED.get(name, 'integers')} as {name!r} of a tiling, got "
         f"{describe(value)}")


_INTEGERS = ("vector", "stages")
_SEQUENCES = ("warps", "sub", "thread")
_EXPECTED = {"vector": "an integer", "stages": "an integer",
             "operands": "'shared' or 'global'", "atom": "a text"}


def get_sum_element(element: Element) -> Element:
    """Returns the accumulator type of a matmul of elements, if none is specified."""
    return _SUMS.get(element, element)


def _check_operands(a: Any, b: Any) -> tuple[Tile, Tile]:
    """Checks that the operands are tiles of one element type that has a matmul."""
    for tile in (a, b):
        if not isinstance(tile, Tile):
            fail(f"expected tiles for a product, got {describe(tile)}")
        if tile.ndim < 2:
            fail(f"expected matrices, or batches of them, for a product, got a "
                 f"{tile!r}")
    return _convert_factors(a, b)


def _convert_factors(a: Tile, b: Tile) -> tuple[Tile, Tile]:
    element = promotion.get_common_element((a, b))
    element = _FACTORS.get(element, element)
    return convert(a, element), convert(b, element)


def _get_matmul_shape(a: Tile, b: Tile) -> tuple[int, ...]:
    if a.shape[-1] != b.shape[-2]:
        fail(f"expected as many columns of the left matrix as the right one has "
             f"rows, got {a.shape} and {b.shape}")
    batches = a.shape[:-2], b.shape[:-2]
    if not can_broadcast(*batches):
        fail(f"expected batches that can be broadcast together, got {a.shape} and "
             f"{b.shape}")
    return (*broadcast_shapes(*batches), a.shape[-2], b.shape[-1])


# ----------------------------------------------------------------------------
# `a @ b`
# ----------------------------------------------------------------------------


def multiply(a: Any, b: Any) -> Tile:
    """Computes `a @ b` for matrices, batches of matrices and vectors, as in NumPy; two
    vectors give a scalar."""
    if _is_vector(a) or _is_vector(b):
        return _multiply_vector(check_tile(a, 1), check_tile(b, 1))
    return Product(a, b)


def _is_vector(a: object) -> bool:
    return isinstance(a, Tile) and a.ndim == 1


def _multiply_vector(a: Tile, b: Tile) -> Tile:
    """Computes a @ b where `a` or `b` is a vector, in the accumulator type of a
    matmul."""
    rows = b.shape[0] if b.ndim == 1 else b.shape[-2]
    if a.shape[-1] != rows:
        fail(f"expected as many columns on the left as there are rows on the right, "
             f"got {a.shape} and {b.shape}")
    a, b = (convert(factor, get_sum_element(factor.dtype))
            for factor in _convert_factors(a, b))
    if b.ndim == 1:
        return sum(a * b, -1)
    return sum(a[:, None] * b, -2)


class Product(Deferred):
    """The value of `a @ b` until it is used. If it is added to a tile, it becomes a
    matmul with that tile as its accumulator."""

    __slots__ = ("operands", "_made", "_location", "_sum")

    def __init__(self, a: Tile, b: Tile):
        self.operands = _check_operands(a, b)
        self._made: Optional[Value] = None
        self._location = get_location()
        self._sum = TileType(_get_matmul_shape(*self.operands),
                             get_sum_element(self.operands[0].dtype))
        builder().defer(self._make)

    def _make(self) -> Value:
        if self._made is None:
            with builder().at(self._location):
                self._made = matmul(*self.operands).value
        return self._made

    @property
    def value(self) -> Value:
        return self._make()

    @property
    def type(self) -> TileType:
        return self._sum

    def can_add_to(self, acc: Tile) -> bool:
        """Whether this matmul has no other use so far, and `acc` has its type and a
        shape that can be broadcast to its shape."""
        return (self._made is None and acc is not self and
                acc.dtype == self.dtype and acc.ndim <= self.ndim and
                all(n in (1, whole) for n, whole in
                    zip(reversed(acc.shape), reversed(self.shape))))

    def can_subtract_from(self, acc: Tile) -> bool:
        """Whether `can_add_to` holds and elements of operands can be negated exactly.
        This excludes integers, whose least value has no negative, and f8, which has no
        arithmetic."""
        element = self.operands[0].dtype
        return element.kind in ("float", "complex") and element.bits > 8 and \
            self.can_add_to(acc)

    def add_to(self, acc: Tile) -> Tile:
        """Builds the matmul with `acc` as its accumulator."""
        with builder().at(self._location):
            return matmul(*self.operands, acc)

    def subtract_from(self, acc: Tile) -> Tile:
        with builder().at(self._location):
            a, b = self.operands
            return matmul(negative(a), b, acc)


methods.multiply_matrices = multiply
