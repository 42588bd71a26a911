# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops and branches: what a kernel's `for`, `while`, `if`, `and`, `or`, `not` and
`assert` call (rewrite.py). Each decides when it is traced: a Python value takes
Python's way, a value of the program becomes a loop or a branch of the program.

What a body assigns is carried. It may be tiles, scalars, and tuples, lists,
dictionaries and dataclasses of them; any other Python value must be the same
before and after.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence

from . import compute, elements, promotion
from .compute import convert, wrap
from .elements import Element
from .errors import ArgumentError
from .ir import Block, ComputedType, TileType, Value
from .memory import is_integer, make_place
from .trace import builder, describe, explain_source, fail
from .values import (Computed, Place, Scalar, Tile, Traced, Undefined,
                     is_operand)

Names = tuple[str, ...]
Values = tuple[Any, ...]


# ----------------------------------------------------------------------------
# Counting
# ----------------------------------------------------------------------------


class Range:
    """A loop of the program: `tile.range`, and `range` in a kernel."""

    def __init__(self, *bounds: Place):
        if not 1 <= len(bounds) <= 3:
            fail(f"expected one to three bounds of a range, got {len(bounds)}")
        start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else \
            (*bounds, 1)[:3]
        self.bounds = (start, stop, step)
        for bound in self.bounds:
            if not is_integer(bound):
                fail(f"expected integers as bounds of a range, got {describe(bound)}")
        if isinstance(step, int) and step < 1:
            fail(f"expected a positive step of a range, got {step}; "
                 "tile.static_range counts down")

    def __iter__(self) -> Iterator[Scalar]:
        fail("expected tile.range in a 'for' of a function with @tile.kernel or "
             "@tile.function whose source can be read, got it elsewhere; "
             "tile.static_range is Python's range" + explain_source())


def static_range(*bounds: int) -> range:
    """Python's own range: the body is traced once for each number."""
    for bound in bounds:
        if isinstance(bound, Traced):
            fail(f"expected bounds of tile.static_range that are known while the "
                 f"kernel is traced, got a {bound!r}")
    try:
        return range(*bounds)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"expected one to three integers as bounds of "
                            f"tile.static_range, the step not zero, got {bounds}"
                            ) from error


# ----------------------------------------------------------------------------
# What is carried
# ----------------------------------------------------------------------------


def _get_leaves(value: Any) -> list[Any]:
    """Of a structure, in order; of no value there are none."""
    if isinstance(value, Undefined):
        return []
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in _get_leaves(part)]
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in _get_leaves(part)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [leaf for field in dataclasses.fields(value)
                for leaf in _get_leaves(getattr(value, field.name))]
    return [value]


def _bind(like: Any, types: list[Optional[ComputedType]], given: Iterator[Value]) -> Any:
    """A structure like another one, its leaves that have a type from values of
    the program."""
    leaves = [leaf if type is None else wrap(next(given))
              for leaf, type in zip(_get_leaves(like), types)]
    return _rebuild(like, leaves)


def _rebuild(like: Any, leaves: list[Any]) -> Any:
    """A structure like another one, of leaves, which are taken from the front."""
    if isinstance(like, Undefined):
        return like
    if isinstance(like, tuple) and hasattr(like, "_fields"):
        return type(like)(*(_rebuild(part, leaves) for part in like))
    if isinstance(like, (tuple, list)):
        return type(like)(_rebuild(part, leaves) for part in like)
    if isinstance(like, dict):
        return {key: _rebuild(part, leaves) for key, part in like.items()}
    if dataclasses.is_dataclass(like) and not isinstance(like, type):
        return dataclasses.replace(like, **{
            field.name: _rebuild(getattr(like, field.name), leaves)
            for field in dataclasses.fields(like)})
    return leaves.pop(0)


def _copy(value: Any) -> Any:
    """A structure of the same leaves, whose parts can be assigned."""
    return _rebuild(value, _get_leaves(value))


def _get_outline(value: Any) -> Any:
    """What two structures must have in common."""
    if isinstance(value, (tuple, list)):
        return type(value), tuple(map(_get_outline, value))
    if isinstance(value, dict):
        return dict, tuple((key, _get_outline(part))
                           for key, part in value.items())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return type(value), tuple(_get_outline(getattr(value, field.name))
                                  for field in dataclasses.fields(value))
    return None


def _is_same(a: Any, b: Any) -> bool:
    """Whether two Python values are, as far as can be seen."""
    if a is b:
        return True
    if isinstance(a, Traced) or isinstance(b, Traced):
        return False
    try:
        return type(a) is type(b) and bool(a == b)
    except Exception:  # an __eq__ of the user's
        return False


class Carried:
    """The variables of a loop: those leaves of their values that are of the
    program, or become so. A variable without a value before the loop is local to
    its body.

    `types` has for each leaf of each variable its type if it is carried, else
    None."""

    def __init__(self, names: Names, values: Values):
        self.names = names
        self.values = values
        self.types: list[list[Optional[ComputedType]]] = [
            [leaf.type if isinstance(leaf, Computed) else None
             for leaf in _get_leaves(value)] for value in values]

    def get_carried_types(self) -> list[ComputedType]:
        return [type for types in self.types for type in types
                if type is not None]

    def make_initial(self) -> list[Value]:
        """What the carried leaves are before the loop."""
        return self.collect(self.values)

    def collect(self, after: Values) -> list[Value]:
        """The carried leaves of the variables at the end of a body."""
        return [compute.to_value(leaf, type)
                for value, types in zip(after, self.types)
                for leaf, type in zip(_get_leaves(value), types)
                if type is not None]

    def bind(self, values: Sequence[Value]) -> Values:
        """The variables, their carried leaves from values of the program."""
        given = iter(values)
        return tuple(_bind(value, types, given)
                     for value, types in zip(self.values, self.types))

    def widen(self, after: Values) -> bool:
        """Whether the body makes of a leaf what the loop does not carry so far: it
        carries that from now on."""
        found = [types if isinstance(old, Undefined) else
                 self._widen_variable(name, old, new, types)
                 for name, old, new, types in
                 zip(self.names, self.values, after, self.types)]
        is_wider, self.types = found != self.types, found
        return is_wider

    @staticmethod
    def _widen_variable(name: str, old: Any, new: Any,
                        types: list[Optional[ComputedType]]) -> list[Optional[ComputedType]]:
        if isinstance(new, Undefined):
            fail(f"expected {name!r} to have a value at the end of a loop's body, "
                 "got none")
        if _get_outline(old) != _get_outline(new):
            fail(f"expected {name!r} to have one structure before a loop and after "
                 f"its body, got {_describe(old)} and {_describe(new)}")
        return [_join(name, *leaf) for leaf in
                zip(_get_leaves(old), _get_leaves(new), types)]

    def finish(self, results: Values) -> Values:
        """What the variables are behind the loop."""
        return tuple(
            Undefined(f"expected {name!r} to have a value before the loop, which "
                      "may have no iteration, got none")
            if isinstance(old, Undefined) else result
            for name, old, result in zip(self.names, self.values, results))


def _join(name: str, before: Any, behind: Any, type: Optional[ComputedType]
          ) -> Optional[ComputedType]:
    """The type of a variable that was `before` and is `behind` a body."""
    if type is None:
        if _is_same(before, behind):
            return None
        if not isinstance(before, (bool, int, float, complex)):
            fail(f"expected {name!r} to be the same before and after the body of a "
                 f"loop, since it is no tile, scalar or number, got "
                 f"{_describe(before)} and {_describe(behind)}")
        if isinstance(behind, Computed):
            element = elements.promote_number(behind.dtype, before)
            if element != behind.dtype:
                _refuse_change(name, before, behind)
            return behind.type
        if isinstance(behind, (bool, int, float, complex)):
            return max((elements.index if isinstance(x, int) and
                        not isinstance(x, bool) else
                        elements.promote_number(elements.bool_, x)
                        for x in (before, behind)),
                       key=lambda e: elements.KINDS.index(e.kind))
        _refuse_change(name, before, behind)
    if not compute.is_number(behind) and behind.type != type:
        # A scalar before may be a tile behind: it is the same in all places.
        if isinstance(behind, Tile) and not isinstance(type, TileType) \
                and behind.dtype == type:
            return behind.type
        _refuse_change(name, type, behind)
    return type


def _refuse_change(name: str, before: Any, behind: Any) -> None:
    fail(f"expected {name!r} to have one type before a loop and after its body, got "
         f"{_describe(before)} and {_describe(behind)}")


def _describe(value: Any) -> str:
    if isinstance(value, Undefined):
        return "no value"
    if isinstance(value, Element):
        return f"scalar of {value.spelling}"
    return describe(value)


# ----------------------------------------------------------------------------
# Loops
# ----------------------------------------------------------------------------

Body = Callable[..., Values]
Changed = Callable[[], dict[str, Any]]


class _Watch:
    """Refuses that a body of the program, which is traced once and runs any number
    of times, changes an object of Python in place."""

    def __init__(self, changed: Changed, where: str):
        self._objects = changed()
        self._before = self._list_leaves()
        self._where = where

    def _list_leaves(self) -> dict[str, list[Any]]:
        return {name: _get_leaves(whole) for name, whole in self._objects.items()}

    def check(self) -> None:
        for name, after in self._list_leaves().items():
            before = self._before[name]
            if len(after) != len(before) or not all(map(_is_same, before, after)):
                fail(f"expected {name!r} to be assigned as a whole in "
                     f"{self._where} of the program, got an assignment to a part "
                     "of it")


def for_(iterable: Any, body: Body, names: Names, values: Values,
         target: str, changed: Changed) -> Values:
    """The variables behind `for target in iterable: body`. The body takes the
    element and the variables, and returns them."""
    if not isinstance(iterable, Range):
        for element in iterable:
            values = body(element, *values)
        return values
    carried = Carried(names, values)
    bounds = [make_place(bound) for bound in iterable.bounds]

    def trace(block: Block) -> Values:
        place, *rest = block.values
        return body(Scalar(place), *carried.bind(rest))

    watch = _Watch(changed, "a loop")
    block = _trace_until_carried(
        carried, lambda: [elements.index, *carried.get_carried_types()], trace,
        "scf.yield")
    watch.check()
    results = builder().operation(
        "scf.for", [*bounds, *carried.make_initial()],
        carried.get_carried_types(), regions=[block])
    return carried.finish(carried.bind(results))


def _trace_until_carried(carried: Carried, get_types: Callable[[], list[ComputedType]],
                         trace: Callable[[Block], Values], end: str) -> Block:
    """The body with what it changes carried: found by tracing it, again if it
    changes more than was known."""
    while True:
        with builder().block(get_types()) as block:
            after = trace(block)
            if not carried.widen(after):
                builder().operation(end, carried.collect(after))
                return block


def while_(condition: Callable[..., Any], body: Body, names: Names,
           values: Values, changed: Changed) -> Values:
    """The variables behind `while condition: body`. The loop is Python's until the
    condition is a value of the program, as it may become in the body."""
    with builder().block():
        holds = condition(*values)
    if not isinstance(holds, Computed):
        # The program's operations of the condition above were not appended.
        holds = condition(*values)
    while not isinstance(holds, Computed):
        if not holds:
            return values
        values = body(*values)
        holds = condition(*values)
    watch = _Watch(changed, "a loop")
    values = _loop_while(condition, body, names, values)
    watch.check()
    return values


def _loop_while(condition: Callable[..., Any], body: Body, names: Names,
                values: Values) -> Values:
    """The same as a loop of the program."""
    carried = Carried(names, values)
    block = _trace_until_carried(
        carried, carried.get_carried_types,
        lambda block: body(*carried.bind(block.values)), "scf.yield")
    with builder().block(carried.get_carried_types()) as before:
        holds = _make_condition(condition(*carried.bind(before.values)))
        builder().operation("scf.condition", [holds, *before.values])
    results = builder().operation("scf.while", carried.make_initial(),
                                  carried.get_carried_types(),
                                  regions=[before, block])
    return carried.finish(carried.bind(results))


def _make_condition(value: Any) -> Value:
    """A scalar of bools."""
    if not isinstance(value, Scalar):
        fail(f"expected a scalar as a condition, got {_describe(value)}; "
             "tile.where chooses by element, .any() and .all() make one of a "
             "tile")
    return convert(value, elements.bool_).value


# ----------------------------------------------------------------------------
# Branches
# ----------------------------------------------------------------------------


def if_(condition: Any, then: Body, otherwise: Body, names: Names,
        values: Values, changed: Changed) -> Values:
    """The variables behind `if condition: then, else: otherwise`."""
    if not isinstance(condition, Computed):
        return (then if condition else otherwise)(*values)
    holds = _make_condition(condition)
    ends, blocks = [], []
    for branch in (then, otherwise):
        watch = _Watch(changed, "a branch")
        with builder().block() as block:
            ends.append(branch(*map(_copy, values)))
        watch.check()
        blocks.append(block)
    merged = [_merge(name, *pair) for name, *pair in zip(names, *ends)]
    types = [type for _, leaf_types in merged for type in leaf_types
             if type is not None]
    for block, end in zip(blocks, ends):
        with builder().reenter(block):
            leaves = [compute.to_value(leaf, type)
                      for value, (_, leaf_types) in zip(end, merged)
                      for leaf, type in zip(_get_leaves(value), leaf_types)
                      if type is not None]
            builder().operation("scf.yield", leaves)
    results = builder().operation("scf.if", [holds], types, regions=blocks)
    given = iter(results)
    return tuple(_bind(kept, leaf_types, given) for kept, leaf_types in merged)


def _merge(name: str, a: Any, b: Any) -> tuple[Any, list[Optional[ComputedType]]]:
    """What a variable is behind two branches: a structure, and the types of its
    leaves that depend on the branch."""
    for value in (a, b):
        if isinstance(value, Undefined):
            return Undefined(f"expected {name!r} to have a value in both branches "
                             "of an 'if', got one in one of them"), []
    if _get_outline(a) != _get_outline(b):
        fail(f"expected {name!r} to have one structure in both branches of an "
             f"'if', got {_describe(a)} and {_describe(b)}")
    return a, [_merge_leaves(name, *pair) for pair in
               zip(_get_leaves(a), _get_leaves(b))]


def _merge_leaves(name: str, a: Any, b: Any) -> Optional[ComputedType]:
    if _is_same(a, b) or (isinstance(a, Computed) and isinstance(b, Computed) and
                          a.value is b.value):
        return None
    for value in (a, b):
        if not is_operand(value):
            fail(f"expected {name!r} to be the same behind both branches of an "
                 f"'if', since it is no tile, scalar or number, got "
                 f"{_describe(a)} and {_describe(b)}")
    shapes = compute.get_shape(a), compute.get_shape(b)
    if not compute.can_broadcast(*shapes):
        fail(f"expected shapes of {name!r} that can be broadcast together behind "
             f"both branches of an 'if', got {_describe(a)} and {_describe(b)}")
    numbers = [x for x in (a, b) if compute.is_number(x)]
    element = promotion.get_common_element((a, b))
    if len(numbers) == 2 and element == elements.i32:
        element = elements.index
    return compute.get_common_type((a, b), element)


def choose(condition: Any, then: Callable[[], Any],
           otherwise: Callable[[], Any]) -> Any:
    """`then if condition else otherwise`."""
    if not isinstance(condition, Computed):
        return then() if condition else otherwise()
    [result] = if_(condition, lambda _: (then(),), lambda _: (otherwise(),),
                   ("a if c else b",), (None,), dict)
    return result


def and_(*operands: Callable[[], Any]) -> Any:
    """`a and b and ...`: of values of the program all are computed."""
    return _combine(operands, compute.bitwise_and, False)


def or_(*operands: Callable[[], Any]) -> Any:
    """`a or b or ...`."""
    return _combine(operands, compute.bitwise_or, True)


def _combine(operands: Iterable[Callable[[], Any]],
             combine: Callable[[Any, Any], Any], end: bool) -> Any:
    result: Any = None
    for number, operand in enumerate(operands):
        value = operand()
        if isinstance(result, (Tile, Scalar)):
            value = combine(result, convert(value, elements.bool_))
        elif isinstance(value, (Tile, Scalar)):
            value = convert(value, elements.bool_)
        elif bool(value) == end:
            return value
        result = value
    return result


def not_(value: Any) -> Any:
    """`not value`."""
    if isinstance(value, (Tile, Scalar)):
        return compute.invert(convert(value, elements.bool_))
    return not value


def assert_(condition: Any, message: Callable[[], Any]) -> None:
    """`assert condition, message`: of a value of the program while it runs."""
    if isinstance(condition, (Tile, Scalar)):
        text = message()
        builder().tile("assert",
                       condition=convert(condition, elements.bool_).value,
                       message=str("assertion failed" if text is None else text))
    elif not condition:
        raise AssertionError(*(() if message() is None else (message(),)))


def check_nothing(value: Any) -> None:
    """What a kernel returns."""
    if value is not None:
        fail(f"expected a kernel to return nothing, got {describe(value)}; "
             "tile.store writes a result")


def check_static(value: Any, what: str) -> Any:
    """A value that Python's own statement takes, which has `what` in it."""
    if isinstance(value, (Computed, Range)):
        fail(f"expected no '{what}' where the program branches or loops, got one; a "
             "loop over tile.static_range or a condition that is known while the "
             "kernel is traced may have it")
    return value
