# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a function that launches kernels an operator of PyTorch, which `torch.compile`,
autograd and `torch.export` can use.

    @tile.torch_op("mylib::double")
    def double(x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        kernel(x, y)
        return y
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Optional, overload

from ..errors import ArgumentError, TileError
from ..launching import arrays
from ..launching.fakes import note_launches
from ..launching.kernel import Kernel
from ..tuning.tuned import Tuned
from .torch_gradients import add_derivative, check_differentiable


@overload
def torch_op(name: str, /, *, mutates_args: Sequence[str] = (),
             schema: Optional[str] = None, fake: Optional[Callable[..., Any]] = None,
             differentiable: bool = False, atomics: bool = False
             ) -> Callable[[Callable[..., Any]], Any]: ...


@overload
def torch_op(name: str, function: Callable[..., Any], /, *,
             mutates_args: Sequence[str] = (), schema: Optional[str] = None,
             fake: Optional[Callable[..., Any]] = None,
             differentiable: bool = False, atomics: bool = False) -> Any: ...


def torch_op(name: str, function: Optional[Callable[..., Any]] = None, /, *,
             mutates_args: Sequence[str] = (), schema: Optional[str] = None,
             fake: Optional[Callable[..., Any]] = None,
             differentiable: bool = False, atomics: bool = False) -> Any:
    """Makes a PyTorch operator of a function that allocates outputs and calls kernels,
    or of one kernel that declares its grid. Returns the result of
    `torch.library.custom_op`, which has `register_autograd` and `register_vmap`.

    `name` is "namespace::name". The types of the function's parameters and result are
    their annotations, as `torch.library.infer_schema` reads them, or are given by
    `schema`. A kernel's parameters without annotation are tensors, and its keywords
    have the types of their defaults. `mutates_args` names the parameters that the
    function changes; if its kernels write another argument, the first call with
    arguments of these types raises an `ArgumentError`.

    The shapes of the results are found by calling the function with fake tensors, on
    which kernels do nothing. If the function reads elements, as by `x.item()`, this is
    not possible: `fake` must then return tensors of the results' shapes and types, and
    the arguments that kernels write are not checked.

    With `differentiable` the operator has a derivative for autograd, by the derivatives
    of its kernels (`tile.vjp`, to which `atomics` belongs). The function must pass its
    arguments, and tensors that it allocates by `torch.empty` and its like, to kernels as
    they are, and return tensors that kernels write: the derivative of any other
    operation within it is not known, and the first backward pass raises an
    `ArgumentError`. Results that the derivative would otherwise compute again at some
    cost, such as factors and the results of matmuls, are saved for the backward pass.

    With tensors on the host, kernels run on the machine of the thread, as they do
    outside of operators."""
    if name.count("::") != 1:
        raise ArgumentError(f"expected a name as 'namespace::name', got {name!r}")
    if isinstance(mutates_args, str):
        raise ArgumentError(f"expected a sequence of names as mutates_args, got "
                            f"{mutates_args!r}")

    def make(function: Callable[..., Any]) -> Any:
        if differentiable:
            check_differentiable(name, function, mutates_args, fake)
        op, found = _make_op(name, function, tuple(mutates_args), schema, fake)
        if differentiable:
            add_derivative(op, name, function, found, atomics)
        return op

    return make if function is None else make(function)


def _make_op(name: str, function: Callable[..., Any], mutated: tuple[str, ...],
             schema: Optional[str], fake: Optional[Callable[..., Any]]
             ) -> tuple[Any, str]:
    """Returns an operator and its schema."""
    library = _import_torch("library")
    if not hasattr(library, "infer_schema"):
        raise TileError("expected PyTorch 2.5 or later, got an older one")
    if schema is None:
        schema = library.infer_schema(_give_types(function), mutates_args=mutated)
    check = _Check(name, function, mutated)

    @functools.wraps(function)
    def run(*arguments: Any, **words: Any) -> Any:
        if fake is None:
            check(arguments, words)
        return function(*arguments, **words)

    op = library.custom_op(name, run, mutates_args=mutated, schema=schema)
    op.register_fake(function if fake is None else fake)
    return op, schema


def _give_types(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `function`, or, for a kernel, a function whose signature has a type for
    each parameter of the kernel."""
    if not isinstance(function, (Kernel, Tuned)):
        return function

    def prototype() -> None:
        pass

    made: Any = prototype
    made.__signature__ = inspect.Signature(
        list(filter(None, map(_give_type, inspect.signature(
            function).parameters.values()))), return_annotation=None)
    return made  # type: ignore[no-any-return]


_SCALARS = {name: type for type in (bool, int, float, str)
            for name in (type, type.__name__)}


def _give_type(parameter: inspect.Parameter) -> Optional[inspect.Parameter]:
    """Returns a parameter with a type that PyTorch operators take; None for a keyword
    that an operator cannot have."""
    found = _SCALARS.get(parameter.annotation)
    if found is None and parameter.kind == parameter.KEYWORD_ONLY:
        found = _SCALARS.get(type(parameter.default))
        if found is None:
            return None
    return parameter.replace(
        annotation=found or importlib.import_module("torch").Tensor)


def _import_torch(module: str) -> Any:
    try:
        return importlib.import_module(f"torch.{module}")
    except ImportError as error:
        raise TileError(f"expected the package torch, got none: {error}") from None


# ----------------------------------------------------------------------------
# Arguments that an operator writes
# ----------------------------------------------------------------------------


class _Check:
    """Checks that kernels write only those arguments of an operator that it declares as
    changed. It calls the function with fake tensors, once for each kind of
    arguments."""

    def __init__(self, name: str, function: Callable[..., Any],
                 mutated: tuple[str, ...]):
        self._name, self._function, self._mutated = name, function, mutated
        self._signature = inspect.signature(function)
        self._seen: set[Any] = set()

    def __call__(self, arguments: Sequence[Any], words: dict[str, Any]) -> None:
        kind = (tuple(map(_get_kind, arguments)), tuple(words),
                tuple(map(_get_kind, words.values())))
        if kind in self._seen:
            return
        bound = self._signature.bind(*arguments, **words)
        with _import_torch("_subclasses.fake_tensor").FakeTensorMode(
                allow_non_fake_inputs=True) as mode:
            fakes = {name: _map(mode.from_tensor, value)
                     for name, value in bound.arguments.items()}
            self._check(fakes)
        self._seen.add(kind)

    def _check(self, fakes: dict[str, Any]) -> None:
        owners = {_get_storage(tensor): name for name, value in fakes.items()
                  for tensor in _list_tensors(value)}
        for name in self._mutated:  # other views may share memory
            for tensor in _list_tensors(fakes.get(name)):
                owners.pop(_get_storage(tensor), None)
        with note_launches() as launches:
            self._run(fakes)
        for launch in launches:
            for name, array in launch.find_written().items():
                owner = owners.get(_get_storage(array))
                if owner is not None:
                    raise ArgumentError(
                        f"expected {owner!r} among mutates_args of "
                        f"{self._name!r}, since the kernel "
                        f"{launch.kernel.name!r} writes it as {name!r}, got "
                        f"{list(self._mutated)}")

    def _run(self, fakes: dict[str, Any]) -> None:
        module = _import_torch("_subclasses.fake_tensor")
        bound = self._signature.bind_partial()
        bound.arguments.update(fakes)
        try:
            self._function(*bound.args, **bound.kwargs)
        except (module.DataDependentOutputException,
                module.DynamicOutputShapeException,
                module.UnsupportedFakeTensorException) as error:
            raise ArgumentError(
                f"expected torch_op({self._name!r}, fake=...) for a function that "
                f"looks at elements: {error}") from error


def _get_kind(value: Any) -> Any:
    """Returns the properties of an argument on which the behaviour of a function may
    depend, as far as they are known; arguments with equal properties are checked
    once."""
    if isinstance(value, (list, tuple)):
        return tuple(map(_get_kind, value))
    if isinstance(value, (bool, str)):
        return value
    return getattr(value, "dtype", type(value)), getattr(value, "ndim", 0)


def _map(function: Callable[[Any], Any], value: Any) -> Any:
    """Returns `value` with `function` applied to each tensor in it: to the value
    itself, or to elements of lists and tuples."""
    if isinstance(value, (list, tuple)):
        return type(value)(_map(function, part) for part in value)
    return function(value) if arrays.is_array(value) else value


def _list_tensors(value: Any) -> list[Any]:
    found: list[Any] = []
    _map(found.append, value)
    return found


def _get_storage(tensor: Any) -> int:
    """Returns a key of a tensor's storage, which a view shares with its base."""
    return int(tensor.untyped_storage()._cdata)
