# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of CUDA Tile on the machines of the host, and their comparison with NumPy. tile-run
and tile-compile are found by PATH. Needs NumPy only."""

import re
import subprocess
from dataclasses import dataclass

import evaluation
import numpy as np

EPSILONS = {"F16": 2.0 ** -10, "F32": 2.0 ** -22, "F64": 2.0 ** -48}
STORED = {"F16": np.float16, "F32": np.float32, "F64": np.float64, "I8": np.int8,
          "I16": np.int16, "I32": np.int32, "I64": np.int64}


@dataclass
class Array:
    """An array of the call. The program stores to it if it has no `elements`, or updates
    its elements, which are 77 before."""

    element: str
    shape: tuple
    elements: object = None
    seed: int = 0
    error: float = 0.0
    is_updated: bool = False


@dataclass
class Call:
    """A call of the entry `random` on a grid."""

    grid: tuple
    inputs: list
    outputs: list


def draw(element, shape, seed):
    """Returns an input with random elements."""
    random = np.random.default_rng(seed)
    elements = random.standard_normal(shape) if element in EPSILONS else \
        random.integers(-100, 100, shape)
    return Array(element, tuple(shape), elements.astype(STORED[element]), seed)


def list_parameters(call):
    """Returns the parameters of the entry: arrays, each with its extents and strides."""
    parameters = []
    for array in [*call.inputs, *call.outputs]:
        rank = len(array.shape) if array.elements is not None else 6
        sizes = [*array.shape, *(int(np.prod(array.shape[dim + 1:], dtype=int))
                                 for dim in range(len(array.shape)))]
        parameters += [array, *sizes, *[0] * (2 * rank - len(sizes))]
    return parameters


def evaluate(call, program):
    """Returns the right outputs."""
    memory = {id(array): evaluation.Array(
        np.full(array.shape, 77) if array.elements is None else array.elements,
        array.element) for array in [*call.inputs, *call.outputs]}
    evaluation.evaluate(program, call.grid, [
        memory[id(one)] if isinstance(one, Array) else one for one in list_parameters(call)])
    return [memory[id(array)].elements.reshape(array.shape) for array in call.outputs]


def list_arguments(call, data, folder):
    """Returns the kernel's arguments, and whether it takes them as arrays without shape.
    The kernel has an argument for each form in which it uses an array, and for each extent
    or stride that it uses by itself."""
    path = folder / "random.tileirbc"
    path.write_bytes(data)
    text = subprocess.run(["tile-compile", str(path), "--emit=source", "-o", "-"],
                          check=True, capture_output=True, text=True).stdout
    parameters = list_parameters(call)
    found = re.findall(r'%arg\d+: (memref<([?x]+)[^{]*|i\d+) {tile.name = "arg(\d+)', text)
    return [(parameters[int(index)], type_[0] == "m" and
             shape.count("?") != len(parameters[int(index)].shape))
            for type_, shape, index in found]


def run(call, arguments, place, folder):
    """Returns the outputs of tile-run."""
    words, paths = [], {}
    for index, (array, is_flat) in enumerate(arguments):
        path = folder / f"{index}.npy"
        if not isinstance(array, Array):
            words.append(str(array))
        elif array.elements is not None:
            np.save(path, array.elements.ravel() if is_flat else array.elements)
            words.append(str(path))
        elif array.is_updated:
            paths[id(array)] = path
            before = folder / f"{index}-before.npy"
            np.save(before, np.full(array.shape, 77, STORED[array.element]))
            words.append(f"inout={before}:{path}")
        else:
            paths[id(array)] = path
            words.append(f"out={path}:{'x'.join(map(str, array.shape))}")
    subprocess.run(["tile-run", str(folder / "random.tileirbc"), "random", *words, "--quiet",
                    "--grid=" + ",".join(map(str, call.grid)), f"--on={place}"],
                   check=True, capture_output=True, text=True)
    return [np.load(paths[id(array)]) for array in call.outputs]


def compare(found, right, output):
    if output.element not in EPSILONS:
        return "" if np.array_equal(found, right) else \
            f"{(found != right).sum()} of {found.size} integers"
    allowed = 2 * output.error + 1e-300
    wide = found.astype(np.float64)
    with np.errstate(invalid="ignore"):
        error = np.where(np.isnan(wide) & np.isnan(right), 0, np.abs(wide - right))
        wrong = ~(error <= allowed) & ~((wide == right) & np.isinf(wide))
    return f"error {error[wrong].max():.3g}, allowed {allowed:.3g}" if wrong.any() else ""


def list_faults(call, data, program, folder):
    """Returns how the outputs of a program, as bytecode and as evaluation.py takes it, differ
    from the right ones."""
    faults = []
    right = evaluate(call, program)
    try:
        arguments = list_arguments(call, data, folder)
        for place in ("emulator", "cpu"):
            found = run(call, arguments, place, folder)
            for index, (own, wanted) in enumerate(zip(found, right)):
                fault = compare(own, wanted, call.outputs[index])
                if fault:
                    faults.append(f"{place}: output {index}: {fault}")
    except subprocess.CalledProcessError as error:
        faults.append(" ".join(error.stderr.split())[:300])
    return faults


def report(cases):
    """Prints the faults of programs, given as names with lists of faults, and the counts."""
    count = wrong = 0
    for name, faults in cases:
        count += 1
        wrong += bool(faults)
        for fault in faults:
            print(f"{name}: {fault}", flush=True)
    print(f"{count} programs, {wrong} wrong")
