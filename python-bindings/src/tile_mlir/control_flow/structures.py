# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structures of Python's values, which are tuples, lists, dictionaries and dataclasses,
and their leaves, which are the values in them that are no structures."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any, Optional

from ..ir import ComputedType, Value
from ..language.conversions import to_value
from ..language.operands import wrap
from ..tracing.undefined import Undefined
from ..tracing.values import Computed, Traced

Types = list[Optional[ComputedType]]


def get_leaves(value: Any) -> list[Any]:
    """Returns the leaves of a structure in order; an empty list for `Undefined`."""
    if isinstance(value, Undefined):
        return []
    if not is_structure(value):
        return [value]
    return [leaf for part in _list_parts(value) for leaf in get_leaves(part)]


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def is_structure(value: Any) -> bool:
    return isinstance(value, (tuple, list, dict)) or _is_record(value)


def _list_parts(structure: Any) -> list[Any]:
    """Returns the direct parts of a structure in order."""
    if isinstance(structure, (tuple, list)):
        return list(structure)
    if isinstance(structure, dict):
        return list(structure.values())
    return [getattr(structure, field.name) for field in dataclasses.fields(structure)]


def bind(like: Any, types: Optional[Types], given: Iterator[Value]) -> Any:
    """Builds a structure like another one, in which the leaves that have a type in
    `types` are replaced by the values `given`. If `types` is None, returns `like`
    itself."""
    if types is None:
        return like
    leaves = [
        leaf if type is None else wrap(next(given))
        for leaf, type in zip(get_leaves(like), types)
    ]
    return _rebuild(like, leaves)


def _rebuild(like: Any, leaves: list[Any]) -> Any:
    """Builds a structure like another one from leaves, which it removes from the front
    of the list."""
    if isinstance(like, Undefined):
        return like
    if isinstance(like, tuple) and hasattr(like, "_fields"):
        return type(like)(*(_rebuild(part, leaves) for part in like))
    if isinstance(like, (tuple, list)):
        return type(like)(_rebuild(part, leaves) for part in like)
    if isinstance(like, dict):
        return {key: _rebuild(part, leaves) for key, part in like.items()}
    if _is_record(like):
        return dataclasses.replace(
            like,
            **{
                field.name: _rebuild(getattr(like, field.name), leaves)
                for field in dataclasses.fields(like)
            },
        )
    return leaves.pop(0)


def list_structures(value: Any) -> Iterator[Any]:
    """Lists a structure and the structures in it."""
    if is_structure(value):
        yield value
        for part in _list_parts(value):
            yield from list_structures(part)


def get_leaf_types(value: Any) -> Types:
    return [leaf.type if isinstance(leaf, Computed) else None
            for leaf in get_leaves(value)]


def list_types(each: Iterable[Optional[Types]]) -> list[ComputedType]:
    """Returns the types of the leaves that have one."""
    return [type for types in each for type in types or () if type is not None]


def collect_leaves(values: Iterable[Any], each: Iterable[Optional[Types]]
                   ) -> list[Value]:
    """Returns the leaves that have a type, converted to values of this type."""
    return [
        to_value(leaf, type)
        for value, types in zip(values, each)
        for leaf, type in zip(get_leaves(value), types or ())
        if type is not None
    ]


def get_outline(value: Any) -> Any:
    """Returns the types and keys of a structure without its leaves, which must be equal
    for values that a loop or branch merges."""
    if isinstance(value, dict):
        return dict, tuple((key, get_outline(part)) for key, part in value.items())
    if is_structure(value):
        return type(value), tuple(map(get_outline, _list_parts(value)))
    return None


def is_same(a: Any, b: Any) -> bool:
    """Whether two Python values are known to be the same."""
    if a is b:
        return True
    if isinstance(a, Traced) or isinstance(b, Traced):
        return isinstance(a, Computed) and isinstance(b, Computed) and a.value is b.value
    try:
        if isinstance(a, (float, complex)) and repr(a) != repr(b):
            return False  # 0.0 and -0.0
        return type(a) is type(b) and bool(a == b)
    except Exception:  # from a user's __eq__
        return False
