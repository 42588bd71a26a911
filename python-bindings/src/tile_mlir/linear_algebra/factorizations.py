# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmuls and factorisations, on the last two dimensions of tiles; the dimensions
before them count matrices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Optional, Union, overload

from .. import elements
from ..elements import DType, Element
from ..ir import Attribute, TileType, Value, quote
from ..language import compute, promotion
from ..language.complex_numbers import conj
from ..language.compute import broadcast_to, convert
from ..language.reductions import sum
from ..language.shapes import concatenate, reshape, swap_axes
from ..tracing.trace import (builder, check_word, describe, fail, get_location,
                             to_element)
from ..tracing.values import Operand, Tile, check_tile

# ----------------------------------------------------------------------------
# Products
# ----------------------------------------------------------------------------

Tiling = Mapping[str, Union[int, str, Sequence[int]]]

# Accumulator types that differ from the operand type.
_SUMS = {elements.f16: elements.f32, elements.bf16: elements.f32,
         elements.f8e4m3: elements.f32, elements.f8e5m2: elements.f32,
         elements.i8: elements.i32}
# Operand types that are converted before the matmul: bytes are signed there.
_FACTORS = {elements.u8: elements.i32, elements.bool_: elements.i8}


def matmul(a: Tile, b: Tile, acc: Optional[Operand] = None, *,
           dtype: Optional[DType] = None, precision: Optional[str] = None,
           tiling: Optional[Tiling] = None) -> Tile:
    """a @ b + acc, of matrices or of batches of them, whose other dimensions are
    broadcast together. It has the type of `acc`, else `dtype`: without either f32 of
    f16, bf16 and f8, i32 of i8, and else that of the operands. `precision` is
    "ieee", of f32 "tf32", of f8 "fast_accumulation". `tiling` has parameters of
    #tile.tiling, "warps", "sub", "thread", "atom", "operands", "vector" and
    "stages", as in {"warps": (2, 4), "stages": 3}; the compiler chooses the
    others."""
    check_word("a precision", precision, ("ieee", "tf32", "fast_accumulation"))
    a, b = _check_operands(a, b)
    shape = _get_product_shape(a, b)
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
        acc=compute.to_value(0 if start is None else start, TileType(flat, element)),
        precision=precision, tiling=_make_tiling(tiling),
        results=[TileType(flat, element)])
    return reshape(Tile(value), shape)


def _join_batches(tile: Tile, batch: tuple[int, ...]) -> Tile:
    """An operand in the form that the program's matmul takes: a matrix for all, or one
    for each of a batch along one dimension."""
    if math.prod(tile.shape[:-2]) == 1:
        return reshape(tile, tile.shape[-2:])
    whole = broadcast_to(tile, (*batch, *tile.shape[-2:]))
    return reshape(whole, _join_dims(whole.shape))


def _join_dims(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape of matrices, with one dimension of several of them."""
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
               (*_NUMBERS, *_SEQUENCES, "atom", "operands"))
    if name in _NUMBERS and type(value) is int:
        return str(value)
    if name in _SEQUENCES and isinstance(value, (tuple, list)) and \
            all(type(number) is int for number in value):
        return f"[{', '.join(map(str, value))}]"
    if name == "operands" and value in ("shared", "global"):
        return str(value)
    if name == "atom" and isinstance(value, str):
        return quote(value)
    fail(f"expected {_EXPECTED.get(name, 'integers')} as {name!r} of a tiling, got "
         f"{describe(value)}")


_NUMBERS = ("vector", "stages")
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


def _get_product_shape(a: Tile, b: Tile) -> tuple[int, ...]:
    if a.shape[-1] != b.shape[-2]:
        fail(f"expected as many columns of the left matrix as the right one has "
             f"rows, got {a.shape} and {b.shape}")
    batches = a.shape[:-2], b.shape[:-2]
    if not compute.can_broadcast(*batches):
        fail(f"expected batches that can be broadcast together, got {a.shape} and "
             f"{b.shape}")
    return (*compute.broadcast_shapes(*batches), a.shape[-2], b.shape[-1])


def multiply(a: Any, b: Any) -> Tile:
    """`a @ b`: of matrices, of batches of them, and of vectors as NumPy has it, of
    two a scalar."""
    if _is_vector(a) or _is_vector(b):
        return _multiply_vector(check_tile(a, 1), check_tile(b, 1))
    return Product(a, b)


def _is_vector(a: object) -> bool:
    return isinstance(a, Tile) and a.ndim == 1


def _multiply_vector(a: Tile, b: Tile) -> Tile:
    """Sums the products of elements, in the accumulator type of a matmul."""
    rows = b.shape[0] if b.ndim == 1 else b.shape[-2]
    if a.shape[-1] != rows:
        fail(f"expected as many columns on the left as there are rows on the right, "
             f"got {a.shape} and {b.shape}")
    a, b = (convert(factor, get_sum_element(factor.dtype))
            for factor in _convert_factors(a, b))
    if b.ndim == 1:
        return sum(a * b, -1)
    return sum(a[:, None] * b, -2)


class Product(Tile):
    """The value of `a @ b` until it is used. If it is added to a tile, it becomes a
    matmul with that tile as its accumulator."""

    __slots__ = ("operands", "_made", "_location", "_sum")

    def __init__(self, a: Tile, b: Tile):
        self.operands = _check_operands(a, b)
        self._made: Optional[Value] = None
        self._location = get_location()
        self._sum = TileType(_get_product_shape(*self.operands),
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

    @property
    def is_made(self) -> bool:
        return self._made is not None

    def can_add_to(self, acc: Any) -> bool:
        """Whether it has no other use so far, and the tile its type and a shape
        that can be broadcast to its own."""
        return (not self.is_made and isinstance(acc, Tile) and
                acc is not self and acc.dtype == self.dtype and
                acc.ndim <= self.ndim and
                all(n in (1, whole) for n, whole in
                    zip(reversed(acc.shape), reversed(self.shape))))

    def add_to(self, acc: Tile) -> Tile:
        """Returns the matmul with an accumulator."""
        with builder().at(self._location):
            return matmul(*self.operands, acc)

    def subtract_from(self, acc: Tile) -> Tile:
        with builder().at(self._location):
            a, b = self.operands
            return matmul(compute.negative(a), b, acc)


def fuse_sum(a: Operand, b: Operand) -> Optional[Tile]:
    """Fuses the sum of a matmul and a tile into one matmul; None for any other sum."""
    for product, other in ((a, b), (b, a)):
        if isinstance(product, Product) and product.can_add_to(other):
            return product.add_to(other)  # type: ignore[arg-type]
    return None


def fuse_difference(a: Operand, b: Operand) -> Optional[Tile]:
    """Fuses a tile less a matmul into one matmul. It does not do so for integers, since
    the least one has no negative, nor for f8, which has no arithmetic."""
    if isinstance(b, Product) and b.can_add_to(a) and \
            b.operands[0].dtype.kind in ("float", "complex") and \
            b.operands[0].dtype.bits > 8:
        return b.subtract_from(a)  # type: ignore[arg-type]
    return None


# ----------------------------------------------------------------------------
# Factorisations
# ----------------------------------------------------------------------------


Factors = Union[Tile, tuple[Tile, ...]]


def _get_batch(matrices: object) -> tuple[int, ...]:
    if not isinstance(matrices, Tile) or matrices.ndim < 2:
        fail(f"expected a tile of matrices, got {describe(matrices)}")
    return matrices.shape[:-2]


def _get_part_type(matrices: Tile, *extents: int,
                   element: Optional[Element] = None) -> TileType:
    return TileType(_get_batch(matrices) + extents, element or matrices.dtype)


def build_factors(name: str, matrices: Tile, types: list[TileType], status: bool,
                  **given: Any) -> Factors:
    """Builds an operation and returns its results, followed by the status if it is
    requested."""
    if status:
        types = types + [_get_part_type(matrices, element=elements.i32)]
    values = builder().tile(name, results=types, **given)
    found = tuple(Tile(value) for value in values)
    return found if len(found) > 1 else found[0]


def build_one(name: str, type: TileType, **given: Any) -> Tile:
    """Returns the result of an operation that has one."""
    [value] = builder().tile(name, results=[type], **given)
    return Tile(value)


@overload
def cholesky(matrices: Tile, *, upper: bool = ..., status: Literal[False] = ...
             ) -> Tile: ...


@overload
def cholesky(matrices: Tile, *, upper: bool = ..., status: Literal[True]
             ) -> tuple[Tile, Tile]: ...


def cholesky(matrices: Tile, *, upper: bool = False, status: bool = False
             ) -> Factors:
    """L of A = L L', or U of U' U with `upper`, of symmetric or Hermitian positive
    definite matrices; with `status` also LAPACK's info, of i32."""
    check_tile(matrices, 2)
    return build_factors("cholesky", matrices, [_get_part_type(
        matrices, *matrices.shape[-2:])], status, source=matrices.value,
        upper=upper)


@overload
def ldlt(matrices: Tile, *, status: Literal[False] = ...) -> Tile: ...


@overload
def ldlt(matrices: Tile, *, status: Literal[True]) -> tuple[Tile, Tile]: ...


def ldlt(matrices: Tile, *, status: bool = False) -> Factors:
    """L and D of A = L D L', D on the diagonal, without pivoting."""
    check_tile(matrices, 2)
    return build_factors("ldlt", matrices, [_get_part_type(
        matrices, *matrices.shape[-2:])], status, source=matrices.value)


@overload
def lu(matrices: Tile, *, unordered: bool = ..., status: Literal[False] = ...
       ) -> tuple[Tile, Tile]: ...


@overload
def lu(matrices: Tile, *, unordered: bool = ..., status: Literal[True]
       ) -> tuple[Tile, Tile, Tile]: ...


def lu(matrices: Tile, *, unordered: bool = False, status: bool = False) -> Factors:
    """L and U in one tile, and the indices of A's rows in the order of theirs. With
    `unordered` the rows of L and U stay where A's are."""
    check_tile(matrices, 2)
    n = matrices.shape[-1]
    return build_factors("lu", matrices, [
        _get_part_type(matrices, n, n),
        _get_part_type(matrices, n, element=elements.i32)], status,
        source=matrices.value, unordered=unordered)


def qr(matrices: Tile) -> tuple[Tile, Tile]:
    """Q and R of A = Q R, in the reduced form: Q has as many columns, and R as many
    rows, as A has of the fewer."""
    m, n = check_tile(matrices, 2).shape[-2:]
    if m < n:
        return _factor_wide(matrices)
    q, r = builder().tile("qr", source=matrices.value, results=[
        _get_part_type(matrices, m, n), _get_part_type(matrices, n, n)])
    return Tile(q), Tile(r)


def _factor_wide(matrices: Tile) -> tuple[Tile, Tile]:
    """Q and R of the first columns, and Q' times the others."""
    m = matrices.shape[-2]
    q, r = qr(matrices[..., :m])
    return q, concatenate([r, adjoint(q) @ matrices[..., m:]], -1)


def adjoint(matrices: Tile) -> Tile:
    """The conjugate transposes."""
    return conjugate(swap_axes(matrices, -1, -2))


def conjugate(tile: Tile) -> Tile:
    """The conjugates of complex elements; real ones as they are."""
    return conj(tile) if tile.dtype.kind == "complex" else tile


def householder(matrices: Tile) -> tuple[Tile, Tile]:
    """QR factors of matrices of at least as many rows as columns, as LAPACK's geqrf
    has them: R on the diagonal and above, the vectors of reflections below, and
    the reflections' scales."""
    check_tile(matrices, 2)
    scales = _get_batch(matrices) + matrices.shape[-1:]
    values = builder().tile("householder", source=matrices.value, results=[
        matrices.type, TileType(scales, matrices.dtype)])
    return Tile(values[0]), Tile(values[1])


def apply_householder(reflections: Tile, scales: Tile, rhs: Tile, *,
                      transposed: bool = False, triangular: bool = False) -> Tile:
    """Q B, or Q' B with `transposed`, of the Q that `householder` gives, as LAPACK's
    ormqr; with `triangular`, which cannot be used with `transposed`, the elements of B
    below its diagonal count as zero."""
    for tile in (reflections, scales, rhs):
        check_tile(tile, 1)
    if transposed and triangular:
        fail("expected one of 'transposed' and 'triangular', got both")
    return build_one("apply_householder", TileType(rhs.shape, reflections.dtype),
                    reflections=reflections.value, scales=scales.value,
                    rhs=convert(rhs, reflections.dtype).value,
                    transposed=transposed, triangular=triangular)


@overload
def one_sided_jacobi(matrices: Tile, *, status: Literal[False] = ...
                     ) -> tuple[Tile, Tile]: ...


@overload
def one_sided_jacobi(matrices: Tile, *, status: Literal[True]
                     ) -> tuple[Tile, Tile, Tile]: ...


def one_sided_jacobi(matrices: Tile, *, status: bool = False) -> Factors:
    """Orthonormal columns Q and their norms d, in no order, with A V = Q diag(d)
    for some orthogonal V, of square matrices; `svd` and `eigh` order them."""
    check_tile(matrices, 2)
    n = matrices.shape[-1]
    return build_factors("one_sided_jacobi", matrices, [
        matrices.type, _get_part_type(matrices, n, element=matrices.dtype.part)],
        status, source=matrices.value)


@overload
def inverse(matrices: Tile, *, status: Literal[False] = ...) -> Tile: ...


@overload
def inverse(matrices: Tile, *, status: Literal[True]) -> tuple[Tile, Tile]: ...


def inverse(matrices: Tile, *, status: bool = False) -> Factors:
    """The inverses of square matrices."""
    check_tile(matrices, 2)
    return build_factors("inverse", matrices, [_get_part_type(
        matrices, *matrices.shape[-2:])], status, source=matrices.value)


def determinant(matrices: Tile) -> Tile:
    """The determinants of square matrices."""
    check_tile(matrices, 2)
    return build_one("determinant", _get_part_type(matrices),
                    source=matrices.value)


def logdet(matrices: Tile) -> tuple[Tile, Tile]:
    """Signs and logarithms of determinants."""
    check_tile(matrices, 2)
    sign, logarithm = builder().tile("logdet", source=matrices.value, results=[
        _get_part_type(matrices),
        _get_part_type(matrices, element=matrices.dtype.part)])
    return Tile(sign), Tile(logarithm)


@overload
def eigh(matrices: Tile, *, status: Literal[False] = ...
         ) -> tuple[Tile, Tile]: ...


@overload
def eigh(matrices: Tile, *, status: Literal[True]
         ) -> tuple[Tile, Tile, Tile]: ...


def eigh(matrices: Tile, *, status: bool = False) -> Factors:
    """Eigenvalues in ascending order, and vectors as columns, of symmetric or
    Hermitian matrices."""
    check_tile(matrices, 2)
    n = matrices.shape[-1]
    return build_factors("eigh", matrices, [
        _get_part_type(matrices, n, element=matrices.dtype.part),
        _get_part_type(matrices, n, n)], status, source=matrices.value)


@overload
def svd(matrices: Tile, *, status: Literal[False] = ...
        ) -> tuple[Tile, Tile, Tile]: ...


@overload
def svd(matrices: Tile, *, status: Literal[True]
        ) -> tuple[Tile, Tile, Tile, Tile]: ...


def svd(matrices: Tile, *, status: bool = False) -> Factors:
    """U, singular values in descending order, and V' of A = U diag(s) V', in the
    reduced form."""
    m, n = check_tile(matrices, 2).shape[-2:]
    if m >= n:
        return _decompose_tall(matrices, status)
    v, values, u, *rest = _decompose_tall(adjoint(matrices), status)
    return (adjoint(u), values, adjoint(v), *rest)


def _decompose_tall(matrices: Tile, status: bool) -> Factors:
    """The factors of `svd` of matrices of at least as many rows as columns."""
    m, n = matrices.shape[-2:]
    return build_factors("svd", matrices, [
        _get_part_type(matrices, m, n),
        _get_part_type(matrices, n, element=matrices.dtype.part),
        _get_part_type(matrices, n, n)], status, source=matrices.value)


def diagonal(matrices: Tile) -> Tile:
    """The diagonals of matrices."""
    check_tile(matrices, 2)
    n = min(matrices.shape[-2:])
    return build_one("diagonal", _get_part_type(matrices, n),
                    source=matrices.value)


def add_diagonal(matrices: Tile, numbers: Operand) -> Tile:
    """Adds numbers to the diagonals of matrices: one for all, or a tile with one for
    each element of a diagonal."""
    check_tile(matrices, 2)
    given = convert(numbers, matrices.dtype)
    return build_one("add_diagonal", TileType(matrices.shape, matrices.dtype),
                    source=matrices.value, diagonal=given.value)
