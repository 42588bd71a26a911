# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the derivatives of a kernel: gradients against differences of the kernel, and
gradients against tangents.

    print(tile.gradcheck(kernel, (x, y)))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from ..checking.checks import copy_arrays
from ..elements import Element, complex64, complex128, f32, f64
from ..errors import ArgumentError, GradientError, hides_own_lines
from ..launching import launches
from ..launching.arrays import Description, empty_like
from ..launching.grids import Grid
from ..launching.kernel import Kernel
from ..tracing.trace import describe
from . import calls
from .calls import Bound
from .custom import has_tangents
from .derivatives import Jvp, Names, Vjp

Array = np.ndarray[Any, np.dtype[Any]]
# The largest accepted difference, relative to the largest element of a gradient.
_TOLERANCES = {32: 1e-2, 64: 1e-6}


@dataclass(frozen=True)
class GradientCheck:
    """A check in which no derivative was wrong. `differences` has, by the names of the
    parameters, the largest difference between an element of the gradient and the
    central difference, relative to the gradient's largest element. `inner_product` is
    that between <J v, w> and <v, J^T w>, relative to the sum of the absolute values of
    their terms; None for a kernel with a custom adjoint that has no custom tangent."""

    kernel: str
    differences: dict[str, float]
    inner_product: Optional[float]

    def __str__(self) -> str:
        each = ", ".join(f"{name!r} {found:.1e}"
                         for name, found in self.differences.items())
        text = f"{self.kernel}: gradients differ from central differences by {each}"
        if self.inner_product is None:
            return f"{text}; there are no tangents"
        return f"{text}, and from tangents by {self.inner_product:.1e}"


@hides_own_lines
def gradcheck(kernel: Kernel, arguments: Sequence[Any],
              constants: Optional[Mapping[str, Any]] = None, *,
              grid: Optional[Grid] = None, wrt: Names = None, outputs: Names = None,
              atomics: bool = False, elements: int = 16,
              step: Optional[float] = None, tolerance: Optional[float] = None,
              seed: int = 0) -> GradientCheck:
    """Checks the gradients of a kernel for these arguments, arrays of f32, f64,
    complex64 or complex128 on the host, of which it uses copies. `kernel`, `wrt`,
    `outputs` and `atomics` are as for `vjp`, `grid` as in `kernel[grid]`.

    The cotangents are random. `elements` random elements of each gradient are compared
    with (f(x + h) - f(x - h)) / 2h, computed in f64 from results of the kernel, where h
    is `step` times max(1, |x|); by default `step` is the third root of the type's
    epsilon. The difference must be at most `tolerance` times the largest element of the
    gradient, by default 1e-6 in f64 and 1e-2 in f32: arguments of f64 check more. The
    inner product of the gradients with random tangents must be that of the cotangents
    with the tangents of the outputs.

    Raises a `GradientError` that names the parameter, the element and both values. At
    points where the kernel is not smooth, such as equal elements of a maximum, the two
    values may differ."""
    _check_call(kernel, arguments, elements)
    named = {f"argument {n}": value for n, value in enumerate(arguments)}
    copies = copy_arrays({**named, **(constants or {})})
    given = [copies.pop(name) for name in named]
    derivative = Vjp(kernel, wrt, outputs, atomics)
    bound = derivative.bind(given, copies)
    bits = _check_types(bound)
    found = kernel.definition.get_grid(grid, "gradcheck(..., grid=...)")
    check = _Check(kernel, bound, found, copies, np.random.default_rng(seed))
    gradients = check.find_gradients(derivative)
    tolerance = _TOLERANCES[bits] if tolerance is None else tolerance
    step = 2.0 ** (-52 / 3 if bits == 64 else -23 / 3) if step is None else step
    differences = {
        name: check.compare(name, gradient, elements, step, tolerance)
        for name, gradient in gradients.items()}
    return GradientCheck(kernel.__name__, differences, check.compare_tangents(
        gradients, tolerance) if has_tangents(kernel.definition) else None)


def _check_call(kernel: Any, arguments: Any, elements: Any) -> None:
    if not isinstance(kernel, Kernel):
        raise ArgumentError(f"expected a kernel, and its grid as grid=, got "
                            f"{describe(kernel)}")
    if not isinstance(arguments, (tuple, list)):
        raise ArgumentError(f"expected a tuple of the kernel's arguments, got "
                            f"{describe(arguments)}")
    if not isinstance(elements, int) or elements < 1:
        raise ArgumentError(f"expected a positive integer for 'elements', got "
                            f"{describe(elements)}")


def _check_types(bound: Bound) -> int:
    """Returns the least width of the types of all inputs and outputs in bits."""
    described = dict(zip(bound.call.names, bound.call.described))
    widths = []
    for name in (*bound.derived.inputs, *bound.derived.outputs):
        element: Element = described[name].element
        if element not in (f32, f64, complex64, complex128):
            raise ArgumentError(f"expected {name!r} to have elements of f32, f64, "
                                f"complex64 or complex128, got {element!r}")
        widths.append(element.part.bits)
    return min(widths)


class _Check:
    """The copies of a call's arguments, on which a kernel and its derivatives run, with
    random cotangents and tangents."""

    def __init__(self, kernel: Kernel, bound: Bound, grid: Grid,
                 constants: Mapping[str, Any], rng: np.random.Generator):
        self._kernel = kernel
        self._values = dict(zip(bound.call.names, bound.call.values))
        self._grid, self._constants, self._rng = grid, dict(constants), rng
        self._inputs, self._outputs = bound.derived.inputs, bound.derived.outputs
        self._cotangents = {name: self._draw(name) for name in self._outputs}
        self._tangents = {name: self._draw(name) for name in self._inputs}

    def _draw(self, name: str) -> Any:
        """Returns an array of random elements like an argument."""
        made = empty_like(self._values[name])
        array = _view(made)
        array[...] = self._rng.standard_normal(array.shape)
        if np.iscomplexobj(array):
            array.imag[...] = self._rng.standard_normal(array.shape)
        return made

    def find_gradients(self, derivative: Vjp) -> dict[str, Array]:
        given = {**self._values, **self._cotangents}
        found = derivative[self._grid](*given.values(), **self._constants)
        several = found if isinstance(found, tuple) else (found,)
        return dict(zip(self._inputs, map(_view, several)))

    def compare(self, name: str, gradient: Array, count: int, step: float,
                tolerance: float) -> float:
        """Compares random elements of a gradient with central differences; returns the
        largest relative difference."""
        scale = max(float(np.abs(gradient).max(initial=0)), 1e-300)
        worst = 0.0
        for index in self._choose(gradient.shape, count):
            expected = self._find_difference(name, index, step)
            found = gradient[index]
            error = abs(complex(found) - expected) / max(scale, abs(expected))
            if not error <= tolerance:
                real = expected if np.iscomplexobj(gradient) else expected.real
                raise GradientError(
                    f"expected the gradient by {name!r} at {list(index)} to be {real}, "
                    f"the central difference of {self._kernel.__name__!r}, got {found}")
            worst = max(worst, error)
        return worst

    def _choose(self, shape: tuple[int, ...], count: int) -> Iterator[tuple[int, ...]]:
        size = int(np.prod(shape))
        for flat in self._rng.choice(size, min(size, count), replace=False):
            yield tuple(map(int, np.unravel_index(flat, shape)))

    def _find_difference(self, name: str, index: tuple[int, ...], step: float
                         ) -> complex:
        """Returns the derivative by an element, of a complex one by its real part plus i
        times that by its imaginary part."""
        array = _view(self._values[name])
        value = complex(array[index])
        units = (1, 1j) if np.iscomplexobj(array) else (1,)
        found = 0j
        for unit in units:
            h = unit * step * max(1.0, abs(value))
            array[index] = _cast(value + h, array)
            above, high = self._run(), complex(array[index])
            array[index] = _cast(value - h, array)
            below, low = self._run(), complex(array[index])
            array[index] = _cast(value, array)
            # The step as the type of the elements holds it.
            found += unit * sum(
                _dot(above[own] - below[own], _view(self._cotangents[own]))[0]
                for own in self._outputs) / abs(high - low)
        return found

    def _run(self) -> dict[str, Array]:
        """Runs the kernel; returns its outputs in f64."""
        for name in self._outputs:
            _view(self._values[name])[...] = 0
        launches.launch(self._kernel.definition, None, self._grid,
                        tuple(self._values.values()), self._constants)
        return {name: _widen(_view(self._values[name])) for name in self._outputs}

    def compare_tangents(self, gradients: Mapping[str, Array], tolerance: float
                         ) -> float:
        """Compares the inner products with tangents; returns the relative difference."""
        derivative = Jvp(self._kernel, list(self._inputs), list(self._outputs))
        found = derivative[self._grid](*self._values.values(), **self._constants,
                                       tangents=self._tangents)
        of_outputs = [_dot(_view(tangent), _view(self._cotangents[name]))
                      for name, tangent in zip(self._outputs, found)]
        of_inputs = [_dot(_view(self._tangents[name]), gradient)
                     for name, gradient in gradients.items()]
        (left, scale), (right, other) = (map(sum, zip(*each))
                                         for each in (of_outputs, of_inputs))
        error = abs(left - right) / max(scale, other, 1e-300)
        if not error <= tolerance:
            raise GradientError(
                f"expected the gradients of {self._kernel.__name__!r} to have the inner "
                f"product {left} with random tangents, as the tangents of the outputs "
                f"with the cotangents, got {right}")
        return float(error)


def _view(array: Any) -> Array:
    """Returns a view of an array of NumPy, or of PyTorch on the host, as one of
    NumPy."""
    return np.asarray(array)


def _widen(array: Array) -> Array:
    return array.astype(np.complex128 if np.iscomplexobj(array) else np.float64)


def _cast(value: complex, array: Array) -> Any:
    return value if np.iscomplexobj(array) else value.real


def _dot(left: Array, right: Array) -> tuple[float, float]:
    """Returns the real inner product of two arrays, and the sum of the absolute values
    of its terms."""
    terms = (np.conj(_widen(left)) * _widen(right)).real
    return float(terms.sum()), float(np.abs(terms).sum())
