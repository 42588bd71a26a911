# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that replace a kernel's `for`, `while`, `if`, `and`, `or`, `not`,
chained comparisons and `assert` (rewrite.py). Each decides during the trace: a
condition or iterable that is a Python value is executed as in Python, a value of the
program becomes a loop or a branch of the program, which carries the values that its
body changes (carried.py, merged.py).
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import MemberDescriptorType
from typing import Any

from .. import elements
from ..ir import Block, Type, Value
from ..language.bits import bitwise_and, bitwise_or, invert
from ..language.conversions import convert
from ..language.extremes import maximum, minimum
from ..language.operands import wrap
from ..tracing.objects import Objects, call_unchanged
from ..tracing.trace import builder, describe, fail, get_trace
from ..tracing.undefined import value_of
from ..tracing.values import Array, Computed, Scalar, Tile
from .carried import Carried, Region, Values, tell
from .merged import Merged, pair_changes
from .ranges import Range

Body = Callable[..., Values]


@contextlib.contextmanager
def _tracing() -> Iterator[None]:
    """Surrounds the trace of a body. An exception that leaves the body makes the trace
    fail, even if the user's code catches it."""
    try:
        yield
    except BaseException as error:
        get_trace().note_escape(error)
        raise


# ----------------------------------------------------------------------------
# Loops
# ----------------------------------------------------------------------------


def for_(iterable: Any, body: Body, region: Region, values: Values) -> Values:
    """Returns the variables after `for target in iterable: body`. The body takes the
    element and the variables, and returns them."""
    if not isinstance(iterable, Range):
        for element in iterable:
            values = body(element, *values)
        return values
    counting = iterable.lower()
    carried = Carried(region, values)

    def run(first: Sequence[Value], variables: Values) -> Values:
        return body(counting.get_element(first[0]), *variables)

    block = _trace_until_carried(carried, [elements.index], run, [body], "scf.yield")
    results = builder().operation(
        "scf.for", [*counting.bounds, *carried.make_initial()],
        carried.get_carried_types(), regions=[block])
    return carried.finish(results)


def _trace_until_carried(carried: Carried, first: Sequence[Type],
                         run: Callable[[Sequence[Value], Values], Values],
                         functions: Sequence[Any], end: str) -> Block:
    """Traces a loop's body until the loop carries all values that the body changes.
    They are found by tracing: if the body changes a value that is not carried, it is
    traced again with that value carried. `first` are the types of the block arguments
    before the carried ones."""
    while True:
        types = [*first, *carried.get_carried_types()]
        with _tracing(), builder().block(types) as block:
            variables = carried.enter(block.values[len(first):])
            objects = Objects(functions, carried.name(variables))
            ends = run(block.values[:len(first)], variables)
            after = carried.leave(ends, objects.take())
            if not carried.widen(after):
                builder().operation(end, carried.collect(after))
                return block


def while_(condition: Callable[..., Any], body: Body, region: Region, values: Values
           ) -> Values:
    """Returns the variables after `while condition: body`. The loop runs as in Python
    until its condition is a value of the program, which may happen after some
    iterations."""
    while True:
        objects = Objects([condition], dict(zip(region.names, values)))
        with builder().block() as block:
            holds = condition(*values)
        if isinstance(holds, Computed):
            objects.take()  # undone: it is traced again
            return _loop_while(condition, body, region, values)
        builder().append(block)
        if not holds:
            return values
        values = body(*values)


def _loop_while(condition: Callable[..., Any], body: Body, region: Region,
                values: Values) -> Values:
    """Builds the `while` as a loop of the program."""
    carried = Carried(region, values)
    block = _trace_until_carried(carried, [], lambda _, variables: body(*variables),
                                 [body, condition], "scf.yield")
    with _tracing(), builder().block(carried.get_carried_types()) as before:
        variables = carried.enter(before.values)
        holds = _make_condition(call_unchanged(
            "the condition of a 'while'", lambda: condition(*variables), [condition],
            carried.name(variables)))
        carried.leave(variables, [])
        builder().operation("scf.condition", [holds, *before.values])
    results = builder().operation("scf.while", carried.make_initial(),
                                  carried.get_carried_types(),
                                  regions=[before, block])
    return carried.finish(results)


def _make_condition(value: Any) -> Value:
    """Returns the condition as a bool of the program; a value that is not a scalar is
    an error."""
    if not isinstance(value, Scalar):
        fail(f"expected a scalar as a condition, got {tell(value)}; "
             "tile.where chooses by element, .any() and .all() make one of a "
             "tile")
    return convert(value, elements.bool_).value


# ----------------------------------------------------------------------------
# Branches
# ----------------------------------------------------------------------------


def if_(condition: Any, then: Body, otherwise: Body, region: Region, values: Values
        ) -> Values:
    """Returns the variables after `if condition: then, else: otherwise`."""
    if not isinstance(condition, Computed):
        return (then if condition else otherwise)(*values)
    return _branch(_make_condition(condition), (then, otherwise), (then, otherwise),
                   region, values)


def _branch(holds: Value, branches: Sequence[Body], functions: Sequence[Any],
            region: Region, values: Values) -> Values:
    """Builds the `if` as a branch of the program; `functions` are the user's functions
    that it calls."""
    objects = Objects(functions, dict(zip(region.names, values)))
    blocks, ends, changes = [], [], []
    for branch in branches:
        with _tracing(), builder().block() as block:
            ends.append(branch(*values))
        changes.append(objects.take())
        blocks.append(block)
    merged = Merged(region, ends, pair_changes(region, *changes))
    for index, block in enumerate(blocks):
        with builder().reenter(block):
            builder().operation("scf.yield", merged.collect(index))
    return merged.finish(builder().operation("scf.if", [holds], merged.get_types(),
                                             regions=blocks))


def choose(condition: Any, then: Callable[[], Any],
           otherwise: Callable[[], Any]) -> Any:
    """`then if condition else otherwise`."""
    if not isinstance(condition, Computed):
        return then() if condition else otherwise()
    [result] = _branch(
        _make_condition(condition), (lambda _: (then(),), lambda _: (otherwise(),)),
        (then, otherwise), Region("an 'if'", ("a if c else b",)), (None,))
    return result


# ----------------------------------------------------------------------------
# Conditions
# ----------------------------------------------------------------------------


def and_(*operands: Callable[[], Any]) -> Any:
    """`a and b and ...`. Operands that are values of the program are all computed,
    except those with a side effect or an undefined case, which are computed in a
    branch."""
    return _combine(operands, bitwise_and, False)


def or_(*operands: Callable[[], Any]) -> Any:
    """`a or b or ...`."""
    return _combine(operands, bitwise_or, True)


def _combine(operands: Iterable[Callable[[], Any]],
             combine: Callable[[Any, Any], Any], end: bool,
             functions: Sequence[Any] = ()) -> Any:
    result: Any = None
    for operand in operands:
        if isinstance(result, Computed):
            result = call_unchanged(
                "an operand of 'and' and 'or'",
                functools.partial(_add_operand, result, operand, combine, end),
                functions or [operand])
            continue
        result = operand()
        if isinstance(result, (Tile, Scalar)):
            result = convert(result, elements.bool_)
        elif bool(result) == end:
            break
    return result


def _add_operand(known: Any, operand: Callable[[], Any],
                 combine: Callable[[Any, Any], Any], end: bool) -> Any:
    """Adds the next operand, which is needed only if the result is not yet known to be
    `end`."""
    with _tracing(), builder().block() as block:
        value = convert(operand(), elements.bool_)
        value.value  # builds a deferred value in the block
    if not block.is_guarded or isinstance(known, Tile):
        builder().append(block)
        return combine(known, value)
    with builder().reenter(block):
        builder().operation("scf.yield", [value.value])
    with builder().block() as rest:
        builder().operation("scf.yield", [builder().constant(end, value.type)])
    [result] = builder().operation("scf.if", [known.value], [value.type],
                                   regions=[rest, block] if end else [block, rest])
    return wrap(result)


def not_(value: Any) -> Any:
    """`not value`."""
    if isinstance(value, (Tile, Scalar)):
        return invert(convert(value, elements.bool_))
    return not value


def compare(comparisons: Sequence[Callable[[Any, Any], Any]], first: Any, second: Any,
            *rest: Callable[[], Any]) -> Any:
    """Computes `first < second < rest[0]() ...`. Each operand is computed once, and not
    after a comparison that is known to fail."""
    if not rest:
        return comparisons[0](first, second)
    return _combine(
        (lambda: comparisons[0](first, second),
         lambda: compare(comparisons[1:], second, rest[0](), *rest[1:])),
        bitwise_and, False, (*comparisons, *rest))


def call_of(function: Any) -> Any:
    """Returns the function that is called by the names `min`, `max` and `len`: for
    Python's own functions one that also takes values of the program."""
    return _CALLED.get(function, function) if callable(function) else function


def _choose_extreme(of_python: Callable[..., Any], combine: Callable[[Any, Any], Any]
                    ) -> Callable[..., Any]:
    def choose(*operands: Any, **rest: Any) -> Any:
        listed = operands[0] if len(operands) == 1 and \
            isinstance(operands[0], (list, tuple)) else operands
        if rest or len(listed) < 2 or \
                not any(isinstance(x, Computed) for x in listed):
            return of_python(*operands, **rest)
        return functools.reduce(combine, listed)

    return choose


def _find_length(value: Any) -> Any:
    """Returns the first extent of an array, a scalar unless it is fixed; else `len`."""
    return value.shape[0] if isinstance(value, Array) and value.ndim else len(value)


_CALLED = {min: _choose_extreme(min, minimum),
           max: _choose_extreme(max, maximum), len: _find_length}


# ----------------------------------------------------------------------------
# Other statements
# ----------------------------------------------------------------------------


def assert_(condition: Any, message: Callable[[], Any]) -> None:
    """`assert condition, message`. A condition that is a value of the program is
    checked when the program runs."""
    if isinstance(condition, (Tile, Scalar)):
        text = call_unchanged("the message of an 'assert'", message, [message])
        builder().tile("assert",
                       condition=convert(condition, elements.bool_).value,
                       message=str("assertion failed" if text is None else text))
    elif not condition:
        raise AssertionError(*(() if message() is None else (message(),)))


def delete(whole: Any, name: str) -> None:
    """`del whole.name`, which is an error if the attribute has no value. This check
    does not evaluate properties."""
    value = inspect.getattr_static(whole, name, None)
    if type(value) is MemberDescriptorType:
        value = getattr(whole, name, None)
    value_of(value)
    delattr(whole, name)


def check_nothing(value: Any) -> None:
    """Checks that a kernel returns nothing."""
    if value is not None:
        fail(f"expected a kernel to return nothing, got {describe(value)}; "
             "tile.store writes a result")


def check_static(value: Any, what: str) -> Any:
    """Returns a value that a Python statement uses; it is an error if it is a value of
    the program. `what` describes what the statement has in it, for the message."""
    if isinstance(value, (Computed, Range)):
        fail(f"expected no '{what}' where the program branches or loops, got one; a "
             "loop over tile.static_range or a condition that is known while the "
             "kernel is traced may have it")
    return value
