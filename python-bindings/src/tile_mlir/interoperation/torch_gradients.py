# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The derivative of an operator of PyTorch whose function calls kernels. The function is
called with fake tensors, which records its launches; their derivatives are then run
from the last launch to the first. The launches are recorded once for arguments of the
same kind, while the Python variables that the function reads have the same values.
Results that a derivative loads instead of computing them again are saved by autograd.

The derivative is an operator, too, `NAME_backward`, so that `torch.compile` can use it.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional

from ..differentiation.calls import Bound, bind, make_result, run_alone
from ..differentiation.derived import Request, Role, derive
from ..differentiation.memory import make_filled
from ..differentiation.pullback import PullBack
from ..errors import ArgumentError, TileError
from ..launching import arrays
from ..launching.fakes import Launch, note_launches
from ..launching.grids import get_blocks
from ..launching.kernel import Kernel
from ..launching.launches import Runner
from ..tracing import captured
from ..tuning.tuned import Tuned

# The operations that make a tensor whose elements depend on nothing.
_ALLOCATIONS = {
    name + suffix for name in ("empty", "new_empty", "zeros", "new_zeros", "full",
                               "new_full", "ones", "new_ones")
    for suffix in ("", "_like", "_strided", "_permuted")}


def check_differentiable(name: str, function: Any, mutated: Sequence[str], fake: Any
                         ) -> None:
    if isinstance(function, (Kernel, Tuned)) or mutated:
        raise ArgumentError(f"expected a function that returns new tensors for the "
                            f"differentiable operator {name!r}, got one that writes its "
                            "arguments")
    if fake is not None:
        raise ArgumentError(f"expected a function that can be called with fake tensors "
                            f"for the differentiable operator {name!r}, got fake=...")


def add_derivative(op: Any, name: str, function: Callable[..., Any], schema: str,
                   atomics: bool) -> None:
    """Registers the derivative of an operator with autograd. `schema` is that of the
    operator."""
    signature = inspect.signature(function)
    recorder = _Recorder(name, function)
    backward = _make_backward(name, recorder, signature, schema, atomics)
    own = [p.name for p in signature.parameters.values() if p.kind != p.KEYWORD_ONLY]

    def keep(ctx: Any, inputs: Sequence[Any], output: Any,
             keyword_only_inputs: Mapping[str, Any] = {}) -> None:
        ctx.words = keyword_only_inputs
        ctx.given = [None if _is_tensor(value) else value for value in inputs]
        ctx.indices = [index for index, value in enumerate(inputs) if _is_tensor(value)]
        results = _list_results(output)
        ctx.saved = _find_saved(recorder, signature, inputs, keyword_only_inputs, atomics)
        ctx.save_for_backward(*(inputs[index] for index in ctx.indices),
                              *(results[index] for index in ctx.saved))

    def run(ctx: Any, *cotangents: Any) -> Any:
        given, tensors = list(ctx.given), ctx.saved_tensors
        for index, tensor in zip(ctx.indices, tensors):
            given[index] = tensor
        several = cotangents[0] if isinstance(cotangents[0], list) else cotangents
        wanted = [index for index in ctx.indices if ctx.needs_input_grad[index]]
        found = backward(list(several), list(tensors[len(ctx.indices):]),
                         ",".join(map(str, ctx.saved)),
                         ",".join(own[index] for index in wanted), *given, **ctx.words)
        gradients = dict(zip(wanted, found))
        return tuple(gradients.get(index) for index in range(len(given)))

    op.register_autograd(run, setup_context=keep)


def _bind(signature: inspect.Signature, given: Sequence[Any], words: Mapping[str, Any]
          ) -> inspect.BoundArguments:
    bound = signature.bind(*given, **words)
    bound.apply_defaults()
    return bound


def _list_results(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _read_indices(text: str) -> list[int]:
    return [int(index) for index in text.split(",") if index]


def _find_saved(recorder: "_Recorder", signature: inspect.Signature, given: Sequence[Any],
                words: Mapping[str, Any], atomics: bool) -> list[int]:
    """Returns the indices of the results that the derivative by all inputs loads. If
    there is no such derivative, the backward pass has the error."""
    bound = _bind(signature, given, words)
    sizes = (size for value in given if _is_tensor(value) for size in value.shape)
    if not all(isinstance(size, int) for size in sizes):
        return []  # the kernels' arguments are not known while PyTorch traces
    try:
        return recorder.record(bound).find_saved(atomics)
    except TileError:
        return []


def _make_backward(name: str, recorder: "_Recorder", signature: inspect.Signature,
                   schema: str, atomics: bool) -> Any:
    """Makes the operator of the derivative. It takes the cotangents of the results, the
    results that were saved and their indices, the names of the tensors to differentiate
    by, and the operator's arguments."""
    library = importlib.import_module("torch.library")
    takes, _, _ = schema.partition(" -> ")
    arguments = takes[takes.index("(") + 1:-1]
    together = ", ".join(filter(None, [
        "Tensor[] cotangents, Tensor[] saved, str indices, str wrt", arguments]))

    def run(cotangents: Sequence[Any], saved: Sequence[Any], indices: str,
            wrt: str, *given: Any, **words: Any) -> list[Any]:
        bound = _bind(signature, given, words)
        results = dict(zip(_read_indices(indices), saved))
        return recorder.record(bound).pull_back(bound.arguments, cotangents, results,
                                                wrt.split(","), atomics)

    def fake(cotangents: Sequence[Any], saved: Sequence[Any], indices: str,
             wrt: str, *given: Any, **words: Any) -> list[Any]:
        bound = signature.bind(*given, **words)
        return [arrays.empty_like(bound.arguments[name]) for name in wrt.split(",")]

    op = library.custom_op(f"{name}_backward", run, mutates_args=(),
                           schema=f"({together}) -> Tensor[]")
    op.register_fake(fake)
    _add_second_derivative(op, recorder, signature, atomics)
    return op


def _add_second_derivative(op: Any, recorder: "_Recorder",
                           signature: inspect.Signature, atomics: bool) -> None:
    """Registers the derivative of the operator of a derivative."""

    def keep(ctx: Any, inputs: Sequence[Any], output: Any,
             keyword_only_inputs: Mapping[str, Any] = {}) -> None:
        cotangents, results, _, ctx.wrt, *given = inputs
        ctx.words, ctx.count = keyword_only_inputs, len(cotangents)
        ctx.no_results = [None for _ in results]
        ctx.given = [None if _is_tensor(value) else value for value in given]
        ctx.indices = [index for index, value in enumerate(given) if _is_tensor(value)]
        ctx.save_for_backward(*cotangents, *(given[index] for index in ctx.indices))

    def run(ctx: Any, seeds: Sequence[Any]) -> Any:
        given, saved = list(ctx.given), ctx.saved_tensors
        for index, tensor in zip(ctx.indices, saved[ctx.count:]):
            given[index] = tensor
        bound = _bind(signature, given, ctx.words)
        # The gradients' program computes the results that were saved.
        of_cotangents, _, _, _, *of_given = ctx.needs_input_grad
        own = list(signature.parameters)
        wanted = [own[index] for index in ctx.indices if of_given[index]]
        recorded = recorder.record(bound)
        first = _Gradient(recorded, bound.arguments, saved[:ctx.count],
                          ctx.wrt.split(","), atomics)
        found = first.pull_back(seeds, wanted, of_cotangents)
        return ([found.get(index) for index in range(ctx.count)], ctx.no_results, None,
                None, *(found.get(own[index]) for index in range(len(given))))

    op.register_autograd(run, setup_context=keep)


def _is_tensor(value: Any) -> bool:
    return arrays.is_array(value)


# ----------------------------------------------------------------------------
# Recorded launches
# ----------------------------------------------------------------------------


# Maximum number of kinds of arguments for which launches are kept.
_MOST_RECORDS = 64


class _Recorder:
    """Records the launches of an operator's function, once for each kind of
    arguments."""

    def __init__(self, name: str, function: Callable[..., Any]):
        self._name, self._function = name, function
        self._records: dict[Any, _Recorded] = {}

    def record(self, bound: inspect.BoundArguments) -> "_Recorded":
        kind = tuple(map(_get_kind, bound.arguments.values()))
        found = self._records.get(kind)
        if found is None or not captured.is_current(found.guards):
            found = self._records[kind] = self._record(bound)
            for old in list(self._records)[:-_MOST_RECORDS]:
                self._records.pop(old, None)
        return found

    def _record(self, bound: inspect.BoundArguments) -> "_Recorded":
        """Calls the function with fake tensors, also while PyTorch traces its caller."""
        guards = captured.capture(self._function)
        fake_tensors = importlib.import_module("torch._subclasses.fake_tensor")
        dispatch = importlib.import_module("torch.utils._python_dispatch")
        with dispatch._disable_current_modes(), \
                fake_tensors.FakeTensorMode(allow_non_fake_inputs=True):
            # Arguments may be the same tensor, but are told apart.
            inputs = {own: _make_like(value) for own, value in bound.arguments.items()
                      if _is_tensor(value)}
            called = inspect.BoundArguments(
                bound.signature, type(bound.arguments)({**bound.arguments, **inputs}))
            with _watch() as made, note_launches() as recorded:
                result = self._function(*called.args, **called.kwargs)
            found = _Recorded(self._name, inputs, _list_results(result), made, guards,
                              [_Step(launch, launch.bind().by_name,
                                     launch.find_written()) for launch in recorded])
            found.check()
        return found


def _get_kind(value: Any) -> Any:
    """Returns the properties of an argument that the launches depend on: the type of a
    tensor, with its sizes and strides, and other values themselves."""
    if _is_tensor(value):
        return tuple(value.shape), value.stride(), value.dtype, value.device
    if isinstance(value, (tuple, list)):
        return type(value), tuple(map(_get_kind, value))
    return type(value), repr(value) if isinstance(value, (float, complex)) else value


def _make_like(tensor: Any) -> Any:
    """Returns a new tensor with the sizes, strides, type and device of another one."""
    torch: Any = importlib.import_module("torch")
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype,
                               device=tensor.device)


def _get_key(tensor: Any) -> Any:
    """Returns a key that is the same for two objects of Python that stand for one
    tensor: PyTorch may make several."""
    return (_get_storage(tensor), tensor.storage_offset(), tuple(tensor.shape),
            tuple(tensor.stride()))


def _get_storage(tensor: Any) -> int:
    return int(tensor.untyped_storage()._cdata)


def _watch() -> Any:
    """Returns a context that gives the tensors that operations make, each with the name
    of the operation that made its memory, by their storages."""
    module = importlib.import_module("torch.utils._python_dispatch")

    class Watch(module.TorchDispatchMode):  # type: ignore
        def __enter__(self) -> dict[int, tuple[Any, str]]:
            self.made: dict[int, tuple[Any, str]] = {}
            super().__enter__()
            return self.made

        def __torch_dispatch__(self, operation: Any, types: Any, given: Any = (),
                               words: Any = None) -> Any:
            found = operation(*given, **(words or {}))
            several = found if isinstance(found, (tuple, list)) else (found,)
            for tensor in filter(_is_tensor, several):
                self.made.setdefault(_get_storage(tensor),
                                     (tensor, operation.overloadpacket.__name__))
            return found

    return Watch()


@dataclass(frozen=True)
class _Step:
    """A recorded launch, with its arguments and the arrays that it writes by the names
    of the kernel's parameters."""

    launch: Launch
    arguments: Mapping[str, Any]
    written: Mapping[str, Any]

    @functools.cached_property
    def read(self) -> dict[str, Any]:
        return {name: value for name, value in self.arguments.items()
                if _is_tensor(value) and name not in self.written}

    @functools.cached_property
    def reads(self) -> dict[str, Any]:
        """The keys of the arrays that the kernel reads, by the names of its
        parameters."""
        return {name: _get_key(tensor) for name, tensor in self.read.items()}

    @functools.cached_property
    def writes(self) -> dict[str, Any]:
        """The keys of the arrays that the kernel writes, as in `reads`."""
        return {name: _get_key(tensor) for name, tensor in self.written.items()}

    @functools.cached_property
    def _template(self) -> list[tuple[Any, Any]]:
        """The positional arguments, each with its key if it is an array."""
        return [(_get_key(value) if _is_tensor(value) else None, value)
                for value in self.launch.bind().values]

    def with_arrays(self, values: Mapping[Any, Any]) -> list[Any]:
        """Returns the positional arguments, with other arrays in place of the recorded
        ones."""
        return [value if key is None else values.get(key, value)
                for key, value in self._template]

    @functools.cached_property
    def runner(self) -> Runner:
        return Runner(self.launch.kernel, self.launch.grid)


@dataclass(frozen=True)
class _Recorded:
    """The launches of an operator's function, on fake tensors: its `inputs` by the names
    of its parameters, its `results`, and the tensors that operations within it
    `made`."""

    name: str
    inputs: Mapping[str, Any]
    results: Sequence[Any]
    made: Mapping[int, tuple[Any, str]]
    guards: tuple[captured.Guard, ...]
    steps: Sequence[_Step]
    _schedules: dict[Any, _Schedule] = field(default_factory=dict)

    def check(self) -> None:
        """Raises an error if the function does more than launch kernels."""
        inputs = {_get_key(tensor) for tensor in self.inputs.values()}
        written: set[Any] = set()
        for step in self.steps:
            for name, tensor in step.written.items():
                if _get_key(tensor) in inputs | written:
                    self._refuse("kernels that write new tensors, each one once", step,
                                 name, tensor)
                self._check_allocated(step, name, tensor)
            for name, tensor in step.read.items():
                if _get_key(tensor) not in inputs | written:
                    self._refuse("kernels that read arguments of the function, as they "
                                 "are, or tensors that kernels wrote", step, name, tensor)
            written |= set(map(_get_key, step.written.values()))
        for index, tensor in enumerate(self.results):
            if _get_key(tensor) not in written:
                raise ArgumentError(
                    f"expected the differentiable operator {self.name!r} to return "
                    f"tensors that kernels write, got {self._describe(tensor)} as result "
                    f"{index}")

    def _check_allocated(self, step: _Step, name: str, tensor: Any) -> None:
        if self._find_maker(tensor) not in _ALLOCATIONS:
            self._refuse("kernels that write new tensors", step, name, tensor)

    def _refuse(self, expected: str, step: _Step, name: str, tensor: Any) -> None:
        raise ArgumentError(
            f"expected {expected}, in the differentiable operator {self.name!r}, got "
            f"{self._describe(tensor)} for {name!r} of {step.launch.kernel.name!r}")

    def _describe(self, tensor: Any) -> str:
        for name, value in self.inputs.items():
            if _get_key(value) == _get_key(tensor):
                return f"the argument {name!r}"
            if _get_storage(value) == _get_storage(tensor):
                return f"a view of the argument {name!r}"
        maker = self._find_maker(tensor)
        return f"the result of {maker!r}" if maker else "a tensor from outside"

    def _find_maker(self, tensor: Any) -> Optional[str]:
        """Returns the name of the operation that made a tensor's memory."""
        found = self.made.get(_get_storage(tensor))
        return found and found[1]

    # ------------------------------------------------------------------------
    # Derivatives
    # ------------------------------------------------------------------------

    def find_saved(self, atomics: bool) -> list[int]:
        """Returns the indices of the results that the derivative by all inputs that can
        have gradients loads."""
        wrt = tuple(name for name, fake in self.inputs.items()
                    if _is_differentiable(fake))
        every = tuple(range(len(self.results)))
        loaded = self._find_schedule(wrt, every, atomics).loaded
        return [index for index, result in enumerate(self.results)
                if _get_key(result) in loaded]

    def pull_back(self, arguments: Mapping[str, Any], cotangents: Sequence[Any],
                  saved: Mapping[int, Any], wrt: Sequence[str], atomics: bool
                  ) -> list[Any]:
        """Returns the gradients of the arguments `wrt`. `saved` has results by their
        indices."""
        schedule = self._find_schedule(tuple(wrt), tuple(saved), atomics)
        return schedule.run(arguments, cotangents, list(saved.values()))

    def _find_schedule(self, wrt: tuple[str, ...], saved: tuple[int, ...], atomics: bool
                       ) -> "_Schedule":
        request = wrt, saved, atomics
        schedule = self._schedules.get(request)
        if schedule is None:
            schedule = self._schedules.setdefault(
                request, _Schedule(self, wrt, saved, atomics))
        return schedule


@dataclass(frozen=True)
class _Pulled:
    """A launch to be differentiated, with its derivative."""

    step: _Step
    request: Request
    derivative: PullBack

    def find_loaded(self) -> set[Any]:
        """Returns the keys of the saved outputs that the derivative loads."""
        step = self.step
        bound = bind(step.launch.kernel, self.request, step.with_arrays({}),
                     step.launch.constants)
        return {step.writes[part.owner] for part in bound.derived.parts
                if part.role is Role.SAVED}


class _Schedule:
    """The derivatives of recorded launches by the arguments `wrt` of the operator, ready
    to be run, if the results with the indices `saved` are given."""

    def __init__(self, recorded: _Recorded, wrt: tuple[str, ...], saved: tuple[int, ...],
                 atomics: bool):
        self._inputs = {name: _get_key(fake) for name, fake in recorded.inputs.items()}
        self._results = [_get_key(result) if _is_differentiable(result) else None
                         for result in recorded.results]
        self._saved = [_get_key(recorded.results[index]) for index in saved]
        self._wrt = wrt
        read = {key for step in recorded.steps for key in step.reads.values()}
        self._computed = [step for step in recorded.steps
                          if read & set(step.writes.values())]
        self._pulled = self._find_pulled(recorded.steps, atomics)

    def _find_pulled(self, steps: Sequence[_Step], atomics: bool) -> list[_Pulled]:
        """Returns the launches to be differentiated, from the last to the first."""
        active = {self._inputs[name] for name in self._wrt}
        for step in steps:
            if active & set(step.reads.values()):
                active |= {step.writes[name] for name, tensor in step.written.items()
                           if _is_differentiable(tensor)}
        needed = set(self._results)
        found = []
        for step in reversed(steps):
            wrt = tuple(name for name, key in step.reads.items() if key in active)
            outputs = tuple(name for name, key in step.writes.items() if key in needed)
            if not wrt or not outputs:
                continue
            definition = step.launch.kernel
            saved = tuple(name for name, key in step.writes.items() if key in self._saved)
            request = Request(False, wrt, outputs, atomics, saved=saved)
            found.append(_Pulled(step, request, PullBack(
                definition, request, definition.get_grid(step.launch.grid))))
            needed |= {step.reads[name] for name in wrt}
        return found

    @functools.cached_property
    def loaded(self) -> set[Any]:
        """The keys of the saved results that derivatives load."""
        return {key for pulled in self._pulled for key in pulled.find_loaded()}

    def run(self, arguments: Mapping[str, Any], cotangents: Sequence[Any],
            saved: Sequence[Any]) -> list[Any]:
        values = {key: arguments[name] for name, key in self._inputs.items()}
        for step in self._computed:
            for name, key in step.writes.items():
                values[key] = _make_like(step.written[name])
            step.runner(*step.with_arrays(values), **step.launch.constants)
        gradients = {key: cotangent for key, cotangent
                     in zip(self._results, cotangents) if key is not None}
        results = dict(zip(self._saved, saved))
        for pulled in self._pulled:
            self._pull_back(pulled, values, results, gradients)
        found = {name: gradients.get(self._inputs[name]) for name in self._wrt}
        return [make_filled(arguments[name], 0) if gradient is None else gradient
                for name, gradient in found.items()]

    @staticmethod
    def _pull_back(pulled: _Pulled, values: Mapping[Any, Any], results: Mapping[Any, Any],
                   gradients: dict[Any, Any]) -> None:
        """Adds the gradients of the tensors that a launch reads to `gradients`, which has
        those of the tensors that it writes."""
        step, request = pulled.step, pulled.request
        arguments = dict(values)
        for name, key in step.writes.items():
            if name in (request.outputs or ()):
                arguments[key] = gradients[key]
            elif key not in arguments:  # not written, only described
                arguments[key] = _make_like(step.written[name])
        found = pulled.derivative(
            *step.with_arrays(arguments),
            *(results[step.writes[name]] for name in request.saved),
            **step.launch.constants)
        for name, gradient in zip(request.wrt or (), found):
            key = step.reads[name]
            gradients[key] = gradients[key] + gradient if key in gradients else gradient


def _is_differentiable(tensor: Any) -> bool:
    return bool(tensor.is_floating_point() or tensor.is_complex())


# ----------------------------------------------------------------------------
# Second derivatives
# ----------------------------------------------------------------------------


class _Gradient:
    """The gradients of an operator that launches one kernel, as a program that is
    differentiated again. `wrt` are the names of the operator's arguments."""

    def __init__(self, recorded: _Recorded, arguments: Mapping[str, Any],
                 cotangents: Sequence[Any], wrt: Sequence[str], atomics: bool):
        if len(recorded.steps) != 1:
            raise ArgumentError(f"expected one kernel in the operator {recorded.name!r} "
                                f"for a second derivative, got {len(recorded.steps)}")
        [self._step] = recorded.steps
        self._wrt, self._atomics = wrt, atomics
        self._find_owners(recorded)
        values = {**dict(zip(map(_get_key, recorded.inputs.values()),
                             map(arguments.get, recorded.inputs))),
                  **dict(zip(map(_get_key, recorded.results), cotangents))}
        self._bound = self._bind(values)

    def _find_owners(self, recorded: _Recorded) -> None:
        """Finds, for each parameter of the kernel, the name of the operator's argument,
        or the index of the result, that it stands for."""
        known: dict[Any, Any] = {_get_key(tensor): name
                                 for name, tensor in recorded.inputs.items()}
        known |= {_get_key(tensor): index
                  for index, tensor in enumerate(recorded.results)
                  if _is_differentiable(tensor)}
        self._owners = {
            name: known.get(_get_key(tensor))
            for name, tensor in {**self._step.read, **self._step.written}.items()}

    def _bind(self, values: Mapping[Any, Any]) -> Bound:
        step = self._step
        bound = bind(step.launch.kernel, Request(
            False, tuple(name for name in step.read if self._owners[name] in self._wrt),
            tuple(name for name in step.written if self._owners[name] is not None),
            self._atomics), step.with_arrays(values), step.launch.constants)
        if not bound.derived.program.kernel:
            raise ArgumentError(
                f"expected a gradient of {step.launch.kernel.name!r} by one kernel for a "
                "second derivative, got several")
        return bound

    def pull_back(self, seeds: Sequence[Any], wanted: Sequence[str],
                  wanted_cotangents: Sequence[bool]) -> dict[Any, Any]:
        """Returns the gradients of the sum of the gradients, each multiplied by its seed:
        of the operator's arguments `wanted` by their names, and of its cotangents by
        their indices."""
        parts = self._bound.derived.parts
        keys = {*wanted, *(index for index, is_wanted in enumerate(wanted_cotangents)
                           if is_wanted)}
        inputs = [part for part in parts if part.role is not Role.RESULT and
                  self._owners.get(part.owner) in keys and
                  part.name in self._bound.derived.program.parameters]
        if not inputs:
            return {}
        outputs = [part for part in parts if part.role is Role.RESULT]
        given = {part.name: seeds[self._wrt.index(self._owners[part.owner])]
                 for part in outputs}
        made = self._run(given, [part.name for part in inputs])
        found: dict[Any, Any] = {}
        for part in inputs:
            key, gradient = self._owners[part.owner], made[part.name]
            found[key] = found[key] + gradient if key in found else gradient
        return found

    def _run(self, seeds: Mapping[str, Any], wrt: Sequence[str]) -> dict[str, Any]:
        """Returns the gradients of the gradients' program by its arguments `wrt`."""
        first, arguments = self._bound.derived, self._bound.call.by_name
        own = {part.name: arguments[part.owner] for part in first.parts
               if part.role in (Role.OWN, Role.SEED)}
        second = derive(first.program, Request(False, tuple(wrt), tuple(seeds),
                                               self._atomics))
        made = {name: make_result(second, name, own[name]) for name in wrt}
        launch = self._step.launch
        blocks = get_blocks(launch.kernel.get_grid(launch.grid), arguments)
        values = {part.name: arguments.get(part.owner) for part in first.parts}
        run_alone(second, own, seeds, made, first.find_blocks(blocks, values))
        return made
