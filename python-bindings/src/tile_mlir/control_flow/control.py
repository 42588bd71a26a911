# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that replace a kernel's `for`, `while`, `if`, `and`, `or`, `not`,
chained comparisons and `assert` (rewrite.py). Each decides during the trace: if the
condition or iterable is a Python value, the statement runs as in Python. If it is a
value of the program, the statement becomes a loop or a branch of the program, which
carries the values that its body changes (carried.py, merged.py).
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import MemberDescriptorType
from typing import Any, Optional

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
from .bounds import Bounded, max_trips, split
from .carried import Carried, Region, Values, tell
from .merged import Merged, pair_changes
from .ranges import Range, get_count

Body = Callable[..., Values]
_MOST_BRANCHES = 1000


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


def for_(iterable: Any, body: Body, region: Region, values: Values,
         goes_on: Optional[int] = None) -> Values:
    """Returns the variables after `for target in iterable: body`. The body takes the
    element and the variables, and returns them. If `goes_on` is given, the variable of
    this index is true as long as the loop goes on."""
    if not isinstance(iterable, Range):
        return _unroll(iterable, body, region, values, goes_on)
    if goes_on is not None:
        return _count_while(iterable, body, region, values, goes_on)
    counting = iterable.lower()
    carried = Carried(region, values)

    def run(first: Sequence[Value], variables: Values) -> Values:
        return body(counting.get_element(first[0]), *variables)

    block = _trace_until_carried(carried, [elements.index], run, [body], "scf.yield")
    results = builder().operation(
        "scf.for", [*counting.bounds, *carried.make_initial()],
        carried.get_carried_types(), regions=[block])
    return carried.finish(results)


def _unroll(iterable: Iterable[Any], body: Body, region: Region, values: Values,
            goes_on: Optional[int]) -> Values:
    """Runs the body for each element while the kernel is traced. After a `break` on a
    condition of the program, it runs in branches, as many as _MOST_BRANCHES."""
    branches = 0
    for element in iterable:
        flag = True if goes_on is None else values[goes_on]
        if isinstance(flag, Computed):
            branches += 1
            if branches > _MOST_BRANCHES:
                fail(f"expected at most {_MOST_BRANCHES} iterations after a 'break' on a "
                     "condition of the program, got more; a loop over a range of the "
                     "program may have any number")
            run = functools.partial(body, element)
            values = _branch(_make_condition(flag), (run, lambda *same: same), (body,),
                             region, values)
        else:
            values = body(element, *values)
        if goes_on is not None and values[goes_on] is False:
            break
    return values


def _count_while(counted: Range, body: Body, region: Region, values: Values,
                 goes_on: int) -> Values:
    """Builds a `for` over a range with a `break` as a `while` of the program, which
    carries the induction variable, too."""
    counting, count = counted.lower(), get_count(counted)
    first, end, step = map(Scalar, counting.bounds)

    def holds(at: Scalar, *variables: Any) -> Any:
        condition = and_(lambda: variables[goes_on], lambda: at < end)
        return max_trips(condition, count) if isinstance(count, int) else condition

    def run(at: Scalar, *variables: Any) -> Values:
        return at + step, *body(counting.get_element(at.value), *variables)

    counted_region = region._replace(names=("the loop's index", *region.names))
    return _loop_while(holds, run, counted_region, (first, *values), [body])[1:]


def _trace_until_carried(carried: Carried, first: Sequence[Type],
                         run: Callable[[Sequence[Value], Values], Values],
                         functions: Sequence[Any], end: str) -> Block:
    """Traces a loop's body, and returns its block. If the body changes a value that the
    loop does not carry yet, it is traced again with this value carried, until the loop
    carries all values that the body changes. `first` are the types of the block
    arguments before the carried ones."""
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


def while_(condition: Callable[..., Any], body: Body, region: Region, values: Values,
           goes_on: Optional[int] = None) -> Values:
    """Returns the variables after `while condition: body`. The loop runs as in Python
    until its condition is a value of the program, which may happen after some
    iterations. If `goes_on` is given, the variable of this index is part of the
    condition."""
    functions = [body, condition]
    test = condition
    if goes_on is not None:
        condition = functools.partial(_hold_while, condition, goes_on)
    while True:
        objects = Objects([test], dict(zip(region.names, values)))
        with builder().block() as block:
            holds = split(condition(*values)).holds
        if isinstance(holds, Computed):
            objects.take()  # undoes changes: the condition is traced again
            return _loop_while(condition, body, region, values, functions)
        builder().append(block)
        if not holds:
            return values
        values = body(*values)


def _hold_while(condition: Callable[..., Any], goes_on: int, *variables: Any) -> Any:
    """Evaluates the condition of a `while` that goes on."""
    bounds: list[int] = []

    def holds() -> Any:
        found = condition(*variables)
        if isinstance(found, Bounded):
            bounds.append(found.count)
        return split(found).holds

    both = and_(lambda: variables[goes_on], holds)
    return max_trips(both, bounds[0]) if bounds else both


def _loop_while(condition: Callable[..., Any], body: Body, region: Region,
                values: Values, functions: Sequence[Any]) -> Values:
    """Builds the `while` as a loop of the program; `functions` are the user's functions
    that `body` and `condition` call."""
    carried = Carried(region, values)
    block = _trace_until_carried(carried, [], lambda _, variables: body(*variables),
                                 functions, "scf.yield")
    with _tracing(), builder().block(carried.get_carried_types()) as before:
        variables = carried.enter(before.values)
        holds, attributes = split(call_unchanged(
            "the condition of a 'while'", lambda: condition(*variables), functions,
            carried.name(variables)))
        carried.leave(variables, [])
        builder().operation("scf.condition", [_make_condition(holds), *before.values])
    results = builder().operation("scf.while", carried.make_initial(),
                                  carried.get_carried_types(),
                                  regions=[before, block], attributes=attributes)
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
    that `branches` call."""
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
    """Evaluates `then if condition else otherwise`."""
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
    """Evaluates `a and b and ...`. If an operand is a value of the program, the program
    computes the next one in any case, or in a branch if it may have a side effect or an
    undefined result."""
    return _combine(operands, bitwise_and, False)


def or_(*operands: Callable[[], Any]) -> Any:
    """Evaluates `a or b or ...`, in the same way as `and_`."""
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
    """Combines `known`, the result of the operands so far, with the next operand. This
    operand does not matter if `known` equals `end`."""
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
    """Evaluates `not value`."""
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
    """Returns the function to call where a kernel calls `function` by the name `min`,
    `max` or `len`: if it is Python's own, a function that also takes values of the
    program, else `function` itself."""
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
    """Returns `len(value)`, or, for an array, its first extent, which is a scalar of
    the program unless it is known during the trace."""
    return value.shape[0] if isinstance(value, Array) and value.ndim else len(value)


_CALLED = {min: _choose_extreme(min, minimum),
           max: _choose_extreme(max, maximum), len: _find_length}


# ----------------------------------------------------------------------------
# Other statements
# ----------------------------------------------------------------------------


def assert_(condition: Any, message: Callable[[], Any]) -> None:
    """Evaluates `assert condition, message`. A condition that is a value of the program
    is checked when the program runs."""
    if isinstance(condition, (Tile, Scalar)):
        text = call_unchanged("the message of an 'assert'", message, [message])
        builder().tile("assert",
                       condition=convert(condition, elements.bool_).value,
                       message=str("assertion failed" if text is None else text))
    elif not condition:
        raise AssertionError(*(() if message() is None else (message(),)))


def delete(whole: Any, name: str) -> None:
    """Evaluates `del whole.name`, which is an error if the attribute has no value. The
    check of the value does not evaluate properties."""
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
    """Returns `value`, the condition or iterable of a statement that is not rewritten.
    Raises an error if it is a value of the program. `what` is the part of the statement
    that prevents rewriting, such as "break", for the message."""
    if isinstance(value, (Computed, Range)):
        fail(f"expected no '{what}' where the program branches or loops, got one; a "
             "loop over tile.static_range or a condition that is known while the "
             "kernel is traced may have it")
    return value
