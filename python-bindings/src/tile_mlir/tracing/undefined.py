# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The placeholder for variables and attributes without a value, and the check where
they are read."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from .trace import fail, is_tracing

Same = TypeVar("Same")


class Undefined:
    """The placeholder value of a variable that has no value; `reason` is the error
    message. In a rewritten function a read of the variable raises the error, by
    `value_of`; in other functions a use of the placeholder does."""

    def __init__(self, reason: str):
        object.__setattr__(self, "_reason", reason)

    _reason: str

    def refuse(self) -> NoReturn:
        if not is_tracing():  # in a function that Python calls
            raise UnboundLocalError(self._reason)
        fail(self._reason)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.refuse()

    def _refuse(self, *_: Any) -> Any:
        self.refuse()

    def __repr__(self) -> str:
        return f"no value ({self._reason})"

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __matmul__ = __rmatmul__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _refuse
    __divmod__ = __rdivmod__ = __round__ = __trunc__ = __floor__ = __ceil__ = _refuse
    __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = __invert__ = _refuse
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _refuse
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse
    __getitem__ = __setitem__ = __delitem__ = __setattr__ = __delattr__ = _refuse
    __call__ = __iter__ = __next__ = __reversed__ = __contains__ = __len__ = _refuse
    __bool__ = __index__ = __int__ = __float__ = __complex__ = _refuse
    __enter__ = __exit__ = __array__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __hash__ = _refuse
    __str__ = __format__ = _refuse  # messages have `repr`


UNDEFINED = Undefined("expected a variable with a value, got one that has none")


def value_of(value: Same) -> Same:
    """Returns the value of a name or attribute that is read; raises an error if it has
    none."""
    if issubclass(type(value), Undefined):  # `isinstance` would read value.__class__
        value.refuse()  # type: ignore[attr-defined]
    return value
