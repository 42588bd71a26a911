# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that each thread of a block runs on its own elements, and stacks in
tiles."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union

from .. import elements
from ..elements import Element
from ..ir import Attribute, TileType, Type, Value, VectorType, format_number
from ..tracing.objects import call_unchanged
from ..tracing.trace import builder, describe, fail, get_trace
from ..tracing.values import Array, Operand, Scalar, Tile, is_operand
from . import promotion
from .boxes import get_element, make_offsets
from .conversions import convert, to_value
from .coordinates import Coordinates, is_integer
from .creation import full
from .extremes import clamp
from .operands import get_tile_element

# ----------------------------------------------------------------------------
# Threads
# ----------------------------------------------------------------------------


def per_thread(function: Callable[..., Any], *tiles: Tile) -> Any:
    """Runs a function once on each thread of the block, with the thread's index and its
    element of each tile. A tile of two dimensions gives a list of the elements at the
    thread's index along the first one, a tile of three a list of lists. If the function
    returns a scalar or a list, the result is a tile of the results of all threads; a
    tuple gives several tiles, and None gives none.

    The kernel must specify its `block`, with as many threads as each tile has elements
    along its first axis. The function may compute with scalars, branch and loop in a
    function with @tile.function, and use `load_element` and `store_element`. It is a
    race if one thread writes an element that another thread writes or reads; the
    emulator reports it, a GPU does not. Operations on tiles are refused."""
    threads = get_trace().block
    if threads is None:
        fail("expected a kernel with a number of threads, @tile.kernel(block=...), "
             "got one without")
    if not callable(function):
        fail(f"expected a function of a thread, got {describe(function)}")
    for tile in tiles:
        if not isinstance(tile, Tile) or tile.shape[:1] != (threads,):
            fail(f"expected tiles of {threads} elements along the first axis, one "
                 f"for each thread of the block, got {describe(tile)}")
    types: list[Type] = [elements.index, *map(_get_part_type, tiles)]
    with builder().block(types) as block:
        thread, *parts = block.values
        values = _make_values(call_unchanged(
            "a function of a thread",
            lambda: function(Scalar(thread), *map(_split, parts)), [function]))
        builder().tile("yield", values=values)
    results = builder().tile(
        "per_thread", inputs=[tile.value for tile in tiles], regions=[block],
        results=[_get_whole_type(threads, value.type) for value in values])
    found = tuple(map(Tile, results))
    return found[0] if len(found) == 1 else found or None


def load_element(array: Array, places: Coordinates) -> Scalar:
    """Loads one element of an array. The index must be within the array; only the
    emulator checks it. In `per_thread` each thread loads the element at its own index,
    elsewhere all threads load the same element."""
    element = get_element(array)
    [value] = builder().operation(
        "memref.load", [array.value, *make_offsets(array, places)], [element])
    return Scalar(value)


def store_element(array: Array, places: Coordinates, value: Operand) -> None:
    """Writes one element of an array. The index must be within the array. Only the
    function of `per_thread` may call this."""
    if isinstance(value, Tile):
        fail(f"expected a scalar as an element, got {value!r}")
    element = to_value(value, get_element(array))
    builder().operation("memref.store", [element, array.value,
                                         *make_offsets(array, places)])


def _get_part_type(tile: Tile) -> Type:
    """Returns the type of one thread's part of `tile`."""
    if tile.ndim == 1:
        return tile.dtype
    return VectorType(tile.shape[1:], tile.dtype)


def _get_whole_type(threads: int, part: Type) -> TileType:
    if isinstance(part, Element):
        return TileType((threads,), part)
    return TileType((threads, *(n or 0 for n in part.shape)), part.element)


def _split(part: Value) -> Any:
    """Returns a thread's part as a scalar, or as lists of the elements of a vector."""
    if isinstance(part.type, VectorType):
        return _split_vector(part, part.type, ())
    return Scalar(part)


def _split_vector(vector: Value, type: VectorType, coordinates: tuple[int, ...]) -> Any:
    if len(coordinates) == len(type.shape):
        [element] = builder().operation("vector.extract", [vector], [type.element],
                                        _make_position(coordinates))
        return Scalar(element)
    return [_split_vector(vector, type, (*coordinates, n))
            for n in range(type.shape[len(coordinates)])]


def _make_position(coordinates: Sequence[int]) -> dict[str, Attribute]:
    return {"static_position":
            Attribute(f"array<i64: {', '.join(map(str, coordinates))}>")}


def _make_values(found: Any) -> list[Value]:
    """Returns the results of the user's function as values of the program, which its
    region yields."""
    if found is None:
        return []
    return [_make_part(part) for part in
            (found if isinstance(found, tuple) else (found,))]


def _make_part(part: Any) -> Value:
    """Returns one result of the user's function as a value of the program: a scalar,
    or, for lists of scalars, a vector."""
    shape, leaves = _flatten(part)
    element = get_tile_element(promotion.get_common_element(leaves))
    values = [to_value(leaf, element) for leaf in leaves]
    if not shape:
        return values[0]
    type = VectorType(shape, element)
    zero = Attribute(f"dense<{format_number(0, element)}> : {type.mlir}")
    [vector] = builder().operation("arith.constant", results=[type],
                                   properties={"value": zero})
    for coordinates, value in zip(_list_coordinates(shape), values):
        [vector] = builder().operation("vector.insert", [value, vector], [type],
                                       _make_position(coordinates))
    return vector


def _flatten(part: Any) -> tuple[tuple[int, ...], list[Union[Scalar, Any]]]:
    """Returns the extents of nested lists, and the scalars in them in order."""
    if not isinstance(part, list):
        if isinstance(part, Tile) or not is_operand(part):
            fail(f"expected scalars, or lists of them, of each thread, got "
                 f"{describe(part)}")
        return (), [part]
    inner = [_flatten(item) for item in part]
    shapes = {shape for shape, _ in inner}
    if len(shapes) != 1:
        fail("expected lists of one length, and not empty, of each thread")
    return (len(part), *shapes.pop()), [leaf for _, leaves in inner
                                        for leaf in leaves]


def _list_coordinates(shape: Sequence[int]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for extent in shape:
        found = [(*coordinates, n) for coordinates in found for n in range(extent)]
    return found


# ----------------------------------------------------------------------------
# The stack
# ----------------------------------------------------------------------------


def push(stack: Tile, count: Operand, values: Tile, mask: Optional[Tile] = None
         ) -> tuple[Tile, Scalar, Tile]:
    """Pushes the elements of `values` where `mask` holds, in row-major order, onto a
    stack. `stack` is a tile of one dimension, whose first `count` elements are on the
    stack. Returns the new tile; the new count; and the index of each value on the
    stack, as i32, -1 where the mask does not hold or the stack is full."""
    _check_stack(stack)
    values = convert(_check_tile(values), stack.dtype)
    chosen = full(values.shape, True) if mask is None else mask
    result, rest, indices = builder().tile(
        "push", stack=stack.value, values=values.value, count=_make_count(count),
        mask=_make_mask(chosen, values.shape),
        results=[stack.type, elements.i32, TileType(values.shape, elements.i32)])
    return Tile(result), Scalar(rest), Tile(indices)


def pop(stack: Tile, count: Operand, mask: Tile) -> tuple[Tile, Scalar, Tile]:
    """Pops an element from the top of a stack for each element of `mask` that holds, in
    row-major order, until the stack is empty. Returns the popped elements in a tile of
    the mask's shape, zero elsewhere; the new count; and the index of each element on
    the stack, as i32, -1 elsewhere. The stack's tile does not change."""
    _check_stack(stack)
    shape = _check_tile(mask).shape
    values, rest, indices = builder().tile(
        "pop", stack=stack.value, count=_make_count(count),
        mask=_make_mask(mask, shape),
        results=[TileType(shape, stack.dtype), elements.i32,
                 TileType(shape, elements.i32)])
    return Tile(values), Scalar(rest), Tile(indices)


def _check_stack(stack: object) -> None:
    if not isinstance(stack, Tile) or stack.ndim != 1:
        fail(f"expected a tile of one dimension as a stack, got {describe(stack)}")


def _check_tile(tile: Tile) -> Tile:
    if not isinstance(tile, Tile) or tile.ndim < 1:
        fail(f"expected a tile of one dimension or more, got {describe(tile)}")
    return tile


def _make_count(count: Operand) -> Value:
    if not is_integer(count):
        fail(f"expected an integer as a count, got {describe(count)}")
    if isinstance(count, Scalar):
        return clamp(count, elements.i32).value
    return convert(count, elements.i32).value


def _make_mask(mask: Tile, shape: tuple[int, ...]) -> Value:
    return to_value(mask, TileType(shape, elements.bool_))
