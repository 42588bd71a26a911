# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that are given as the derivatives of others.

    @tile.kernel
    def square(x, y, *, n=64):
        t = tile.load(x, 0, n)
        tile.store(y, 0, t * t)

    @tile.custom_adjoint(square)
    @tile.kernel
    def square_adjoint(x, y__cotangent, x__gradient, *, n=64):
        t = 2 * tile.load(x, 0, n) * tile.load(y__cotangent, 0, n)
        tile.store(x__gradient, 0, t)

The compiler checks that the kernel has the arguments of a derivative.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Optional, Union

from ..control_flow.custom_call import CUSTOM_WORDS, Customs
from ..control_flow.function import get_customs
from ..errors import ArgumentError, hides_own_lines
from ..launching.kernel import Kernel
from ..launching.programs import Definition, Program
from ..tracing.trace import describe
from ..tuning.tuned import Tuned
from .names import COTANGENT, GRADIENT, TANGENT, split_name


Decorator = Callable[[Any], Any]


@hides_own_lines
def custom_adjoint(kernel: Any) -> Decorator:
    """Decorates a kernel, or a function with `tile.function`.

    A kernel: `tile.vjp(kernel)` and its like, `tile.torch_op` and JAX use
    it as the adjoint of `kernel`, instead of deriving one.

    Its positional parameters are those parameters of `kernel` that it needs, which
    `kernel` does not write; then for each output `y` of `kernel`, in order,
    `y__cotangent`, an array that it reads; then for each input `x` `x__gradient`, an
    array of zeros to which it writes the gradient. Each array has the type and the shape
    of the parameter that it is named after. The keyword parameters are those of
    `kernel`, with their values in the call; others must have a default. It runs on its
    own grid, a function of its own parameters, or, if it declares none, on that of the
    call of `kernel`.

    Raises an `ArgumentError` for a kernel with other parameters, and a derivative a
    `CompileError` for one with parameters of other roles. A derivative in forward mode
    of `kernel` needs a `custom_tangent`, too.

    A function: derivatives of kernels that call the function `kernel` use it as the
    adjoint of each call. It takes the arguments of the call, then a cotangent for each
    result of `kernel`, a tile or a scalar, and returns a cotangent for each argument, in
    order: one, a tuple of them, or None where it is zero. Arguments and results without
    floating-point or complex elements have none. Numbers of Python among the arguments
    are the same as in the call. It cannot use other values of the kernel."""
    return _decorate(kernel, False)


@hides_own_lines
def custom_tangent(kernel: Any) -> Decorator:
    """Decorates a kernel that computes the tangents of `kernel`, as `custom_adjoint`
    one that computes its gradients. After parameters of `kernel` it takes `x__tangent`,
    an array that it reads, for each input `x`, and `y__tangent`, an array of zeros to
    which it writes, for each output `y`. A function takes tangents of the arguments and
    returns those of the results."""
    return _decorate(kernel, True)


def _decorate(kernel: Any, is_forward: bool) -> Decorator:
    customs = get_customs(kernel)
    if customs is None:
        return _Decorator(kernel, is_forward)
    return functools.partial(_add_custom, kernel.__name__, customs, is_forward)


def _add_custom(name: str, customs: Customs, is_forward: bool, derivative: Any) -> Any:
    """Gives the function `name` a custom derivative, and returns this."""
    if get_customs(derivative) is None:
        raise ArgumentError("expected a function with @tile.function below "
                            f"@{CUSTOM_WORDS[is_forward]} of the function {name!r}, got "
                            f"{describe(derivative)}")
    customs[is_forward] = derivative
    return derivative


class _Decorator:
    """Gives `kernel` a custom derivative."""

    def __init__(self, kernel: Kernel, is_forward: bool):
        self._word = CUSTOM_WORDS[is_forward]
        self._check_kernel(kernel, f"as the argument of {self._word}")
        self._kernel, self._is_forward = kernel, is_forward

    @hides_own_lines
    def __call__(self, derivative: Kernel) -> Kernel:
        name = self._kernel.__name__
        self._check_kernel(derivative, f"that computes the derivatives of {name!r}, a "
                           f"function with @tile.kernel below @{self._word}")
        own, other = self._kernel.definition, derivative.definition
        if own.name == other.name:
            raise ArgumentError(f"expected a custom derivative of {name!r} with another "
                                "name, got one with this name")
        self._check_names(own, other)
        _check_keywords(own, other)
        own.set_custom(self._is_forward, other)
        return derivative

    def _check_kernel(self, kernel: Any, role: str) -> None:
        if isinstance(kernel, Tuned):
            raise ArgumentError(f"expected a kernel for {self._word}, as `.kernel` of a "
                                f"tuned one, got {kernel!r}")
        if not isinstance(kernel, Kernel):
            raise ArgumentError(f"expected a kernel {role}, got {describe(kernel)}")

    def _check_names(self, own: Definition, other: Definition) -> None:
        suffixes = (TANGENT,) if self._is_forward else (COTANGENT, GRADIENT)
        for name in other.names:
            owner, suffix = split_name(name, own.names)
            if owner not in own.names or suffix not in ("", *suffixes):
                raise ArgumentError(
                    f"expected positional parameters of {other.name!r} that are named as "
                    f"those of {own.name!r}, {', '.join(own.names)}, or as these with "
                    f"{' or '.join(suffixes)}, got {name!r}")
        found = {split_name(name, own.names)[1] for name in other.names}
        for suffix in suffixes:
            if suffix not in found:
                raise ArgumentError(
                    f"expected a parameter of {other.name!r} that ends in {suffix}, got "
                    f"{', '.join(other.names) or 'none'}")


def _check_keywords(own: Definition, other: Definition) -> None:
    for name in other.keywords:
        parameter = other.signature.parameters[name]
        if name not in own.keywords and parameter.default is parameter.empty:
            known = ", ".join(own.keywords) or "none"
            raise ArgumentError(
                f"expected keyword parameters of {other.name!r} that {own.name!r} has, "
                f"{known}, or with a default, got {name!r}")


# ----------------------------------------------------------------------------
# Programs
# ----------------------------------------------------------------------------


def has_tangents(kernel: Union[Definition, Program]) -> bool:
    """Whether a kernel has a derivative in forward mode: its author may give only an
    adjoint."""
    return not kernel.custom or True in kernel.custom


def list_tangents(program: Program) -> set[str]:
    """Returns the parameters whose tangents the custom tangent of a program takes."""
    custom = program.custom.get(True)
    names = [] if custom is None else custom.names
    return {split_name(name, program.arguments)[0] for name in names
            if name not in program.arguments}


def get_custom_program(base: Program, is_forward: bool) -> Optional[Program]:
    """Returns the program of a custom derivative for a program of its kernel; None if
    there is none."""
    definition = base.custom.get(is_forward)
    if definition is None:
        return None
    types = tuple(base.arguments.get(split_name(name, base.arguments)[0])
                  for name in definition.names)
    constants = {name: base.constants[name] for name in definition.keywords
                 if name in base.constants}
    return definition.get_program(definition.make_key(types, constants))
