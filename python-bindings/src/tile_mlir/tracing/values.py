# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The values of a kernel that is traced: arrays in memory, tiles, and scalars.

Tiles and scalars have Python's operators. Shapes are broadcast by NumPy's rule, and
element types are promoted as `elements` specifies. Values never change: `a += b` makes
a new value and assigns it to `a`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import EllipsisType
from typing import (TYPE_CHECKING, Any, Literal, NoReturn, Optional, Protocol,
                    Sequence, TypeGuard, Union, cast, overload)

import numpy as np

from .. import ir
from ..elements import DType, Element, Number, index, is_known_number
from .operators import Gives, Operators, With
from .trace import builder, describe, explain_source, fail
from .undefined import Undefined

Function = Callable[..., "Union[Tile, Scalar]"]


class Methods:
    """The functions that methods and operators of values call. The modules that define
    them import this module, and set these attributes, as in `methods.reshape =
    reshape`."""

    # For operators, by name.
    add: Function
    subtract: Function
    multiply: Function
    divide: Function
    floor_divide: Function
    remainder: Function
    power: Function
    negative: Function
    absolute: Function
    bitwise_and: Function
    bitwise_or: Function
    bitwise_xor: Function
    left_shift: Function
    right_shift: Function
    invert: Function
    compare: Callable[[str, Operand, Operand], Union[Tile, Scalar]]
    multiply_matrices: Callable[[Any, Any], Tile]
    # For methods of tiles and scalars.
    convert: Function
    reshape: Callable[[Tile, Sequence[int]], Tile]
    transpose: Callable[[Tile, Optional[Sequence[int]]], Tile]
    swap_axes: Callable[[Tile, int, int], Tile]
    get_item: Callable[[Tile, Any], Union[Tile, Scalar]]
    sum: Function
    prod: Function
    max: Function
    min: Function
    mean: Function
    any: Function
    all: Function
    argmax: Function
    argmin: Function
    # For subscripts of arrays.
    load_items: Callable[[Array, Any], Union[Tile, Scalar]]
    store_items: Callable[[Array, Any, Operand], None]


methods = Methods()


class Traced:
    """A value that is computed when the kernel runs, and not while it is traced."""

    __slots__ = ("_value",)
    __array_ufunc__ = None  # NumPy's operators defer to this class

    def __init__(self, value: ir.Value):
        self._value = value

    @property
    def value(self) -> ir.Value:
        """The value of the program that this object stands for."""
        return self._value

    @property
    def type(self) -> ir.Type:
        return self._value.type

    def _refuse(self, what: str, instead: str) -> NoReturn:
        article = "an" if isinstance(self, Array) else "a"
        fail(f"expected a Python value {what}, got {article} {self!r}, which has no "
             f"number while the kernel is traced; {instead}")

    if not TYPE_CHECKING:  # hidden from static checks
        def __array__(self, *_, **__):
            self._refuse("for an array of NumPy", "tile_mlir has functions of its own")

    def __bool__(self) -> bool:
        self._refuse("as a condition",
                     "'if', 'while', 'and', 'or', 'not' and 'assert' take it in a "
                     "function with @tile.kernel or @tile.function whose source can "
                     "be read; of tiles there are 'tile.where', '&', '|' and '~', for "
                     "'max' and 'min' 'tile.maximum' and 'tile.minimum'" +
                     explain_source())

    def __index__(self) -> int:
        self._refuse("as an integer",
                     "'tile.range' counts by it, 'tile.static_range' by Python's "
                     "numbers; what fixes a shape is a keyword argument of the "
                     "kernel" + explain_source())

    def __int__(self) -> int:
        self._refuse("for 'int'", "'.astype' converts it")

    def __float__(self) -> float:
        self._refuse("for 'float'", "'.astype' converts it, and functions of it are "
                     "those of tile_mlir, as 'tile.exp'")

    def __iter__(self) -> NoReturn:
        self._refuse("to iterate over", "'tile.range' makes a loop")

    def __hash__(self) -> int:
        self._refuse("as a key", "Python's sets and dictionaries have none")


# Types of Python and NumPy that cannot be computed with.
_WITHOUT_OPERATORS = (type(None), str, bytes, list, tuple, dict, set, range,
                      np.ndarray, np.generic, Traced)


def _unpack_array(operand: object) -> object:
    """Returns the element of a NumPy array of rank 0, to which NumPy converts a bool
    that is compared with a tile; returns other operands as they are."""
    is_scalar = isinstance(operand, np.ndarray) and operand.ndim == 0
    return operand[()] if is_scalar else operand  # type: ignore[index]


def _has_operators(operand: object) -> bool:
    """Whether `operand` is an object of another library, which may define operators
    with tiles. Raises an error for an object of Python or NumPy that cannot be computed
    with."""
    if is_operand(operand):
        return False
    if isinstance(operand, _WITHOUT_OPERATORS):
        check_operand(operand)
    return True


class Computed(Traced, Operators[With, Gives]):
    """A value that can be computed with: a tile or a scalar. Python's operators take a
    `With` and return a `Gives`."""

    __slots__ = ()

    @property
    def type(self) -> ir.ComputedType:
        raise NotImplementedError

    @property
    def dtype(self) -> Element:
        """The type of the elements."""
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, ...]:
        raise NotImplementedError

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def astype(self, dtype: DType, *, saturate: bool = False) -> Gives:
        """Converts the values to another element type. They are rounded to the nearest
        value of a floating-point type, ties to even, and towards zero to an integer.
        With `saturate` a value out of the type's range becomes the nearest value of the
        type. Without it the result is undefined for an integer type, and infinite for
        a floating-point type."""
        return self._apply("convert", self, dtype, saturate=saturate)

    # `==` returns a value of the program, so values cannot be keys of a dictionary.
    __hash__ = Traced.__hash__

    def _combine(self, name: str, a: object, b: object) -> Gives:
        a, b = _unpack_array(a), _unpack_array(b)
        if any(map(_has_operators, (a, b))):
            return NotImplemented
        return self._apply(name, a, b)

    def _compare(self, name: str, other: object) -> Gives:
        other = _unpack_array(other)
        # A parameter may be None or a text instead of a tile. A comparison with one is
        # left to Python, for which it never equals a tile.
        is_none = name in ("equal", "not_equal") and \
            isinstance(other, (type(None), str))
        if is_none or _has_operators(other):
            return NotImplemented
        return self._apply("compare", name, self, other)

    def _apply(self, name: str, *operands: object, **rest: object) -> Gives:
        result: Gives = getattr(methods, name)(*operands, **rest)
        return result


class Scalar(Computed["Union[Scalar, Number]", "Scalar"]):
    """One value: a size, an index, or an element of a tile."""

    __slots__ = ()

    @property
    def type(self) -> Element:
        type = self._value.type
        assert isinstance(type, Element)
        return type

    @property
    def dtype(self) -> Element:
        return self.type

    @property
    def shape(self) -> tuple[int, ...]:
        return ()

    def __repr__(self) -> str:
        return f"scalar of {self.dtype.spelling}"


class Reduction(Protocol):
    """The type of a method that combines all elements of a tile to a scalar, or the
    elements along one or several axes to a tile. If `axis` lists all axes, the result
    is a scalar too, but static checks take it for a tile."""

    @overload
    def __call__(self, axis: None = ..., keepdims: Literal[False] = ...
                 ) -> Scalar: ...

    @overload
    def __call__(self, axis: Axes, keepdims: bool = ...) -> Tile: ...

    @overload
    def __call__(self, axis: Optional[Axes] = ..., *, keepdims: Literal[True]
                 ) -> Tile: ...

    @overload
    def __call__(self, axis: Optional[Axes] = ..., keepdims: bool = ...
                 ) -> Union[Tile, Scalar]: ...


def _reduce_by(name: str) -> Reduction:
    """Returns the method of a tile that calls the function with this name."""
    def reduce(self: Tile, axis: Optional[Axes] = None, keepdims: bool = False
               ) -> "Union[Tile, Scalar]":
        result: Union[Tile, Scalar] = getattr(methods, name)(self, axis, keepdims)
        return result

    reduce.__name__, reduce.__qualname__ = name, f"Tile.{name}"
    return cast(Reduction, reduce)


class Tile(Computed["Operand", "Tile"]):
    """A block of elements, of a shape that is known while the kernel is traced."""

    __slots__ = ()

    @property
    def type(self) -> ir.TileType:
        type = self._value.type
        assert isinstance(type, ir.TileType)
        return type

    @property
    def dtype(self) -> Element:
        return self.type.element

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.shape

    @property
    def size(self) -> int:
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    @property
    def T(self) -> "Tile":
        """The tile with its dimensions in reverse order."""
        return methods.transpose(self, None)

    @property
    def mT(self) -> "Tile":
        """The tile with its last two dimensions exchanged."""
        return methods.swap_axes(self, -1, -2)

    @overload
    def reshape(self, *shape: int) -> "Tile": ...

    @overload
    def reshape(self, shape: Sequence[int], /) -> "Tile": ...

    def reshape(self, *shape: Any) -> "Tile":
        """Returns a tile with the same elements in row-major order, and another shape.
        One extent may be -1, and is then computed from the others."""
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            [shape] = shape
        return methods.reshape(self, shape)

    def transpose(self, *axes: int) -> "Tile":
        return methods.transpose(self, axes or None)

    def __len__(self) -> int:
        if not self.shape:
            fail("expected a tile of rank one or more for 'len', got one of "
                 "rank zero")
        return self.shape[0]

    # The result is an element if there is an index for each dimension, and else a tile,
    # so its static type is Any.
    @overload
    def __getitem__(self, items: "Union[Index, tuple[Index, ...]]") -> Any: ...

    @overload
    def __getitem__(self, items: "Union[Box, tuple[Union[Index, Box], ...]]"
                    ) -> "Tile": ...

    def __getitem__(self, items: Any) -> Any:
        return methods.get_item(self, items)

    def __setitem__(self, items: Any, value: Any) -> NoReturn:
        fail("expected tile.insert or tile.where for a tile with other elements, got "
             "an assignment to a part of one; tiles never change")

    def __matmul__(self, other: "Tile") -> "Tile":
        if not is_operand(other) and not isinstance(other, _WITHOUT_OPERATORS):
            return NotImplemented
        return methods.multiply_matrices(self, other)

    if not TYPE_CHECKING:  # only for its error message, as tiles have `__matmul__`
        def __rmatmul__(self, other):
            return methods.multiply_matrices(other, self)

    @overload
    def sum(self, axis: None = ..., keepdims: Literal[False] = ...,
            dtype: Optional[DType] = ...) -> Scalar: ...

    @overload
    def sum(self, axis: Axes, keepdims: bool = ..., dtype: Optional[DType] = ...
            ) -> "Tile": ...

    @overload
    def sum(self, axis: Optional[Axes] = ..., *, keepdims: Literal[True],
            dtype: Optional[DType] = ...) -> "Tile": ...

    @overload
    def sum(self, axis: Optional[Axes] = ..., keepdims: bool = ...,
            dtype: Optional[DType] = ...) -> "Union[Tile, Scalar]": ...

    def sum(self, axis: Optional[Axes] = None, keepdims: bool = False,
            dtype: Optional[DType] = None) -> "Union[Tile, Scalar]":
        return methods.sum(self, axis, keepdims, dtype)

    prod = _reduce_by("prod")
    max = _reduce_by("max")
    min = _reduce_by("min")
    mean = _reduce_by("mean")
    any = _reduce_by("any")
    all = _reduce_by("all")

    def argmax(self, axis: Optional[int] = None, keepdims: bool = False
               ) -> "Union[Tile, Scalar]":
        return methods.argmax(self, axis, keepdims)

    def argmin(self, axis: Optional[int] = None, keepdims: bool = False
               ) -> "Union[Tile, Scalar]":
        return methods.argmin(self, axis, keepdims)

    def __repr__(self) -> str:
        return repr(self.type)


class Array(Traced):
    """An array in memory, an argument of the kernel. Its sizes are scalars, except
    fixed extents, which are ints."""

    __slots__ = ("_sizes",)

    def __init__(self, value: ir.Value):
        super().__init__(value)
        self._sizes: dict[int, Union[int, Scalar]] = {}

    @property
    def array_type(self) -> ir.ArrayType:
        type = self._value.type
        assert isinstance(type, ir.ArrayType)
        return type

    @property
    def dtype(self) -> Element:
        return self.array_type.element

    @property
    def ndim(self) -> int:
        return len(self.array_type.shape)

    @property
    def shape(self) -> tuple[Union[int, Scalar], ...]:
        return tuple(self._get_size(dim) for dim in range(self.ndim))

    @property
    def size(self) -> Union[int, Scalar]:
        """The number of elements."""
        one: Union[int, Scalar] = 1
        return functools.reduce(lambda size, extent: size * extent, self.shape, one)

    def _get_size(self, dim: int) -> Union[int, Scalar]:
        fixed = self.array_type.shape[dim]
        if fixed is not None:
            return fixed
        constant = builder().constant(dim, index)
        [size] = builder().operation("memref.dim", [self._value, constant], [index])
        return Scalar(size)

    def __len__(self) -> int:
        if not self.ndim:
            fail("expected an array of one dimension or more for 'len', got one of none")
        extent = self.array_type.shape[0]
        if extent is None:
            self._refuse("for 'len'", "'.shape' has its sizes as scalars, and so has "
                         "'len' in a function with @tile.kernel or @tile.function")
        return extent

    def __bool__(self) -> bool:
        self._refuse("as a condition", "'is None' asks whether there is one")

    def _refuse_operator(self, *_: object) -> NoReturn:
        fail(f"expected a tile, a scalar or a number for an operator, got an "
             f"{self!r}{_suggest(self)}")

    if not TYPE_CHECKING:  # hidden from static checks
        __add__ = __radd__ = __sub__ = __rsub__ = _refuse_operator
        __mul__ = __rmul__ = _refuse_operator
        __truediv__ = __rtruediv__ = _refuse_operator
        __floordiv__ = __rfloordiv__ = _refuse_operator
        __mod__ = __rmod__ = __pow__ = __rpow__ = _refuse_operator
        __matmul__ = __rmatmul__ = __neg__ = __pos__ = __abs__ = _refuse_operator
        __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _refuse_operator
        __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse_operator
        __invert__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse_operator

    # As for a tile, the result is an element if there is an index for each dimension.
    @overload
    def __getitem__(self, items: "Union[Index, tuple[Index, ...]]") -> Any: ...

    @overload
    def __getitem__(self, items: "Union[Box, tuple[Union[Index, Box], ...]]"
                    ) -> Tile: ...

    def __getitem__(self, items: Any) -> Any:
        """Loads an element or a box, as `tile.load` does. `items` are integers,
        scalars, slices with bounds that are known while the kernel is traced, `None`
        and `...`."""
        return methods.load_items(self, items)

    def __setitem__(self, items: Any, value: "Operand") -> None:
        """Stores a value to an element or a box, as `tile.store` does. `items` are as
        in `__getitem__`."""
        methods.store_items(self, items, value)

    def __repr__(self) -> str:
        return repr(self.type)


Operand = Union[Tile, Scalar, Number]
# The axes of a reduction: one, or several.
Axes = Union[int, Sequence[int]]
# An index of one element along a dimension, and items that select several.
Index = Union[int, Scalar]
Box = Union[slice, None, EllipsisType]


def check_operand(value: Any) -> None:
    """Raises an error for an object that cannot be computed with."""
    if isinstance(value, Undefined):
        value.refuse()
    if not is_operand(value):
        fail(f"expected a tile, a scalar or a number, got {describe(value)}"
             f"{_suggest(value)}")


def _suggest(value: object) -> str:
    """Suggests how to convert a value that is not an operand to one."""
    if isinstance(value, Array):
        return "; [...] and tile.load read it" if value.ndim else "; [()] reads it"
    if isinstance(value, np.ndarray):
        return "; pass it to the kernel, and read it by tile.load"
    return "; a function without 'return' gives None" if value is None else ""


def check_tile(value: object, rank: int = 0) -> Tile:
    """Returns `value`, and raises an error if it is not a tile of at least `rank`
    dimensions."""
    if isinstance(value, Undefined):
        value.refuse()
    if not isinstance(value, Tile):
        fail(f"expected a tile, got {describe(value)}")
    if value.ndim < rank:
        fail(f"expected a tile of {rank} dimensions or more, got a {value!r}")
    return value


def is_operand(value: object) -> TypeGuard[Operand]:
    """Returns whether arithmetic takes `value`: a tile, a scalar, or a Python value."""
    return isinstance(value, Computed) or is_known_number(value)
