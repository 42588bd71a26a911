# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The values of a kernel that is traced: arrays in memory, tiles, and scalars.

Tiles and scalars have Python's operators. Shapes are broadcast as NumPy's are,
the types of elements are promoted as `elements` says. Values never change: `a +=
b` makes a new one, which `a` names from then on.
"""

from __future__ import annotations

import functools
from typing import Any, NoReturn, Optional, Union

from . import ir
from .elements import DType, Element, Number
from .trace import builder, fail


class Traced:
    """A value that the kernel has when it runs."""

    __slots__ = ("_value",)
    __array_ufunc__ = None  # NumPy leaves operators to this class

    def __init__(self, value: ir.Value):
        self._value = value

    @property
    def value(self) -> ir.Value:
        """The value in the program."""
        return self._value

    @property
    def type(self) -> ir.Type:
        return self._value.type

    def _refuse(self, what: str, instead: str) -> NoReturn:
        fail(f"expected a Python value {what}, got a {self!r}, which has no "
             f"number while the kernel is traced; {instead}")

    def __bool__(self) -> bool:
        self._refuse("as a condition",
                     "'if', 'while', 'and', 'or', 'not' and 'assert' take it in a "
                     "function with @tile.kernel or @tile.function; of tiles "
                     "there are 'tile.where', '&', '|' and '~'")

    def __index__(self) -> int:
        self._refuse("as an integer",
                     "'tile.range' counts by it, 'tile.static_range' by Python's "
                     "numbers; what fixes a shape is a keyword argument of the "
                     "kernel")

    def __int__(self) -> int:
        self._refuse("for 'int'", "'.astype' converts it")

    def __float__(self) -> float:
        self._refuse("for 'float'", "'.astype' converts it")

    def __iter__(self) -> NoReturn:
        self._refuse("to iterate over", "'tile.range' makes a loop")

    def __hash__(self) -> int:
        self._refuse("as a key", "Python's sets and dictionaries have none")


class Computed(Traced):
    """What can be computed with: a tile or a scalar."""

    __slots__ = ()

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

    def astype(self, dtype: DType, *, saturate: bool = False) -> Any:
        """The same numbers in another type: of floating point rounded to nearest
        even, to integers towards zero. With `saturate` what is out of a type's
        range becomes its nearest number, without it that is not defined for
        integers, and infinite for others."""
        from . import compute
        return compute.convert(self, dtype, saturate=saturate)

    def __add__(self, other: Any) -> Any:
        return _binary("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary("subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary("multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary("multiply", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _binary("divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _binary("divide", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _binary("floor_divide", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _binary("floor_divide", other, self)

    def __mod__(self, other: Any) -> Any:
        return _binary("remainder", self, other)

    def __rmod__(self, other: Any) -> Any:
        return _binary("remainder", other, self)

    def __pow__(self, other: Any) -> Any:
        return _binary("power", self, other)

    def __rpow__(self, other: Any) -> Any:
        return _binary("power", other, self)

    def __and__(self, other: Any) -> Any:
        return _binary("bitwise_and", self, other)

    def __rand__(self, other: Any) -> Any:
        return _binary("bitwise_and", other, self)

    def __or__(self, other: Any) -> Any:
        return _binary("bitwise_or", self, other)

    def __ror__(self, other: Any) -> Any:
        return _binary("bitwise_or", other, self)

    def __xor__(self, other: Any) -> Any:
        return _binary("bitwise_xor", self, other)

    def __rxor__(self, other: Any) -> Any:
        return _binary("bitwise_xor", other, self)

    def __lshift__(self, other: Any) -> Any:
        return _binary("left_shift", self, other)

    def __rlshift__(self, other: Any) -> Any:
        return _binary("left_shift", other, self)

    def __rshift__(self, other: Any) -> Any:
        return _binary("right_shift", self, other)

    def __rrshift__(self, other: Any) -> Any:
        return _binary("right_shift", other, self)

    def __lt__(self, other: Any) -> Any:
        return _compare("less", self, other)

    def __le__(self, other: Any) -> Any:
        return _compare("less_equal", self, other)

    def __gt__(self, other: Any) -> Any:
        return _compare("greater", self, other)

    def __ge__(self, other: Any) -> Any:
        return _compare("greater_equal", self, other)

    def __eq__(self, other: Any) -> Any:
        return _compare("equal", self, other)

    def __ne__(self, other: Any) -> Any:
        return _compare("not_equal", self, other)

    # Comparisons are values here, so that nothing can be looked up by them.
    __hash__ = Traced.__hash__

    def __neg__(self) -> Any:
        from . import compute
        return compute.negative(self)

    def __pos__(self) -> Any:
        return self

    def __invert__(self) -> Any:
        from . import compute
        return compute.invert(self)

    def __abs__(self) -> Any:
        from . import compute
        return compute.absolute(self)


def _binary(name: str, a: Any, b: Any) -> Any:
    from . import compute
    if not (is_operand(a) and is_operand(b)):
        return NotImplemented
    return getattr(compute, name)(a, b)


_compare = _binary


class Scalar(Computed):
    """One number: a size, a place, or an element of a tile."""

    __slots__ = ()

    @property
    def dtype(self) -> Element:
        return self._value.type  # type: ignore[return-value]

    @property
    def shape(self) -> tuple[int, ...]:
        return ()

    def __repr__(self) -> str:
        return f"scalar of {self.dtype.spelling}"


class Tile(Computed):
    """A block of numbers, of a shape that is known while the kernel is traced."""

    __slots__ = ()

    @property
    def dtype(self) -> Element:
        return self._type.element

    @property
    def shape(self) -> tuple[int, ...]:
        return self._type.shape

    @property
    def _type(self) -> ir.TileType:
        return self._value.type  # type: ignore[return-value]

    @property
    def size(self) -> int:
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    @property
    def T(self) -> "Tile":
        """The tile with its dimensions in reverse."""
        from . import shapes
        return shapes.transpose(self)

    @property
    def mT(self) -> "Tile":
        """The tile with its last two dimensions exchanged."""
        from . import shapes
        return shapes.swap_axes(self, -1, -2)

    def reshape(self, *shape: Any) -> "Tile":
        """The elements in row-major order, in another shape, one extent of which
        may be -1."""
        from . import shapes
        if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
            [shape] = shape
        return shapes.reshape(self, shape)

    def transpose(self, *axes: int) -> "Tile":
        from . import shapes
        return shapes.transpose(self, axes or None)

    def __len__(self) -> int:
        if not self.shape:
            fail("expected a tile of rank one or more for 'len', got one of "
                 "rank zero")
        return self.shape[0]

    def __getitem__(self, places: Any) -> Any:
        from . import shapes
        return shapes.get_item(self, places)

    def __setitem__(self, places: Any, value: Any) -> NoReturn:
        fail("expected tile.insert or tile.where for a tile with other elements, got "
             "an assignment to a part of one; tiles never change")

    def __matmul__(self, other: Any) -> "Tile":
        from . import linear_algebra
        if not isinstance(other, Tile):
            return NotImplemented
        return linear_algebra.Product(self, other)

    def sum(self, axis: Optional[int] = None, keepdims: bool = False,
            dtype: Optional[DType] = None) -> Any:
        from . import reductions
        return reductions.sum(self, axis, keepdims, dtype)

    def prod(self, axis: Optional[int] = None, keepdims: bool = False) -> Any:
        from . import reductions
        return reductions.prod(self, axis, keepdims)

    def max(self, axis: Optional[int] = None, keepdims: bool = False) -> Any:
        from . import reductions
        return reductions.max(self, axis, keepdims)

    def min(self, axis: Optional[int] = None, keepdims: bool = False) -> Any:
        from . import reductions
        return reductions.min(self, axis, keepdims)

    def mean(self, axis: Optional[int] = None, keepdims: bool = False) -> Any:
        from . import reductions
        return reductions.mean(self, axis, keepdims)

    def argmax(self, axis: Optional[int] = None, keepdims: bool = False) -> Any:
        from . import reductions
        return reductions.argmax(self, axis, keepdims)

    def argmin(self, axis: Optional[int] = None, keepdims: bool = False) -> Any:
        from . import reductions
        return reductions.argmin(self, axis, keepdims)

    def any(self, axis: Optional[int] = None, keepdims: bool = False) -> Any:
        from . import reductions
        return reductions.any(self, axis, keepdims)

    def all(self, axis: Optional[int] = None, keepdims: bool = False) -> Any:
        from . import reductions
        return reductions.all(self, axis, keepdims)

    def __repr__(self) -> str:
        return repr(self.type)


class Array(Traced):
    """An array in memory, an argument of the kernel. Its sizes are scalars, but
    for those that are fixed."""

    __slots__ = ("_sizes",)

    def __init__(self, value: ir.Value):
        super().__init__(value)
        self._sizes: dict[int, Union[int, Scalar]] = {}

    @property
    def array_type(self) -> ir.ArrayType:
        return self._value.type  # type: ignore[return-value]

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
        return functools.reduce(lambda size, extent: size * extent, self.shape)

    def _get_size(self, dim: int) -> Union[int, Scalar]:
        fixed = self.array_type.shape[dim]
        if fixed is not None:
            return fixed
        from .elements import index
        place = builder().constant(dim, index)
        [size] = builder().operation("memref.dim", [self._value, place], [index])
        return Scalar(size)

    def __len__(self) -> int:
        self._refuse("for 'len'", "'.shape' has its sizes as scalars")

    def __getitem__(self, places: Any) -> NoReturn:
        fail("expected tile.load or tile.gather to read an array, got []")

    def __setitem__(self, places: Any, value: Any) -> NoReturn:
        fail("expected tile.store or tile.scatter to write an array, got []")

    def __repr__(self) -> str:
        return repr(self.type)


Operand = Union[Computed, Number]


def check_operand(value: Any) -> None:
    """Refuses what cannot be computed with."""
    if isinstance(value, Undefined):
        value.refuse()
    if not is_operand(value):
        fail(f"expected a tile, a scalar or a number, got {value!r}")


def is_operand(value: Any) -> bool:
    """Whether it can be computed with: a tile, a scalar, or a number."""
    import numpy as np
    return isinstance(value, (Computed, bool, int, float, complex, np.number,
                              np.bool_))


class Undefined:
    """What a name stands for that has no value: `reason` says why."""

    def __init__(self, reason: str):
        self._reason = reason

    def refuse(self) -> NoReturn:
        fail(self._reason)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.refuse()

    def _refuse(self, *_: Any) -> Any:
        self.refuse()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __matmul__ = __rmatmul__ = _refuse
    __getitem__ = __call__ = __iter__ = __bool__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse


UNDEFINED = Undefined("expected a variable with a value, got one that has none")
