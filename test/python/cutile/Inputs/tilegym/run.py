#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs TileGym's kernels, and compares them with float64.

  python3 run.py [--only=REGEX] [--part=I/N] [--evaluate | --compile | --list]

The packages tilegym, cuda-tile and ml_dtypes are found by PYTHONPATH, tile-compile by PATH.
`--part` chooses every N-th kernel, from the I-th on. `--evaluate` only evaluates with NumPy,
which shows whether a call makes sense, `--compile` only compiles, and `--list` names the
kernels without a call; exceptions.csv has reasons for these.
"""

import argparse
import csv
import importlib
import io
import re
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]
import standins  # noqa: E402

standins.install("torch", "transformers", "triton", "cuda.bindings", "cuda.core",
                 "filelock", "psutil", "yaml", "flashinfer", "einops", "liger_kernel",
                 "unsloth", "pandas", "matplotlib", "huggingface_hub")
import cuda.tile as ct  # noqa: E402
import evaluation  # noqa: E402
import recorded_programs  # noqa: E402
import tilegym  # noqa: E402
from calls import Draw  # noqa: E402
from cuda.tile import compilation  # noqa: E402

CALLS = {}
for path in sorted(FOLDER.glob("calls_*.py")):
    CALLS.update(importlib.import_module(path.stem).CALLS)
ARCHITECTURES = ("sm_80", "sm_90a", "sm_120")
CT_TYPES = {"bfloat16": ct.bfloat16, "float8_e4m3fn": ct.float8_e4m3fn,
            "float8_e5m2": ct.float8_e5m2, "bool": ct.bool_}
ELEMENTS = {"float16": "F16", "float32": "F32", "float64": "F64", "bfloat16": "BF16",
            "float8_e4m3fn": "F8E4M3FN", "float8_e5m2": "F8E5M2", "bool": "I1",
            **{f"{u}int{n}": f"I{n}" for u in ("", "u") for n in (8, 16, 32, 64)}}


def list_kernels():
    """Yields the name and the kernel of each function with @ct.kernel in TileGym."""
    found = set()
    root = Path(tilegym.__file__).parent
    for path in sorted(root.rglob("*.py")):
        if "ct.kernel" not in path.read_text():
            continue
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        try:
            loaded = importlib.import_module(f"tilegym.{module}")
        except ImportError as error:
            print(f"{module}: not loaded: {error}")
            continue
        for name, kernel in vars(loaded).items():
            if isinstance(kernel, ct.kernel) and id(kernel) not in found:
                found.add(id(kernel))
                yield f"{module}:{name}", kernel


# ----------------------------------------------------------------------------
# The right results
# ----------------------------------------------------------------------------


def bind(kernel, call):
    """Returns the arguments of a call in the kernel's order, as (annotation, value)."""
    annotated = kernel._annotated_function
    names = list(annotated.pysig.parameters)
    given = set(call.arguments)
    assert given == set(names), f"expected {names}, got {sorted(given)}"
    return [(annotation, call.arguments[name]) for name, annotation in
            zip(names, annotated.parameter_annotations)]


def get_integer_type(annotation):
    if annotation.scalar is not None:
        return annotation.scalar.dtype
    return ct.int32 if annotation.array is None else annotation.array.index_dtype


def constrain(annotation, value):
    if annotation.constant:
        return compilation.ConstantConstraint(value)
    if not isinstance(value, np.ndarray):
        return compilation.ScalarConstraint(
            ct.float32 if isinstance(value, float) else
            ct.bool_ if isinstance(value, bool) else get_integer_type(annotation))
    dtype = CT_TYPES.get(value.dtype.name) or getattr(ct, value.dtype.name)
    return compilation.ArrayConstraint(
        dtype, value.ndim, index_dtype=get_integer_type(annotation),
        stride_lower_bound_incl=0, alias_groups=[], may_alias_internally=False,
        stride_constant=[None] * (value.ndim - 1) + [1] if value.ndim else [])


def export(kernel, bound):
    """Returns the bytecode of a kernel, and its program as the evaluation takes it."""
    signature = compilation.KernelSignature(
        [constrain(*pair) for pair in bound],
        compilation.CallingConvention.cutile_python_v1(), symbol="kernel")
    file = io.BytesIO()
    with recorded_programs.record() as programs:
        compilation.export_kernel(kernel, [signature], file, gpu_code=None,
                                  output_format="tileir_bytecode", bytecode_version="13.3")
    return file.getvalue(), programs[0]


def evaluate(program, call, bound):
    """Returns the arrays after the call, floats as float64."""
    parameters, arrays = [], []
    for annotation, value in bound:
        if annotation.constant:
            continue
        if isinstance(value, np.ndarray):
            assert value.flags.c_contiguous
            array = evaluation.Array(value, ELEMENTS[value.dtype.name])
            arrays.append((array, value.shape))
            parameters += [array, *value.shape,
                           *(stride // value.itemsize for stride in value.strides)]
        else:
            parameters.append(value)
    evaluation.evaluate(program, call.grid, parameters)
    return [array.elements.reshape(shape) for array, shape in arrays]


# ----------------------------------------------------------------------------
# Comparison
# ----------------------------------------------------------------------------


def is_float(array):
    return array.dtype.kind == "f" or array.dtype.name.startswith(("bf", "float"))


def get_epsilon(arrays):
    """Returns the unit of the coarsest float type."""
    import ml_dtypes
    return max((float(ml_dtypes.finfo(a.dtype).eps) for a in arrays if is_float(a)),
               default=0)


def compare(found, right, call, epsilon):
    """Returns how `found` differs from `right`, or None."""
    if not is_float(found):
        wide = found.astype(np.int64) - right.astype(found.dtype).astype(np.int64)
        worst = np.abs(wide).max(initial=0)
        return f"an integer is off by {worst}" if worst > call.steps else None
    wide = found.astype(np.float64)
    with np.errstate(invalid="ignore"):
        differs = np.isnan(wide) != np.isnan(right)
        differs |= (np.isinf(wide) | np.isinf(right)) & (wide != right) & ~np.isnan(right)
        if differs.any():
            at = tuple(np.argwhere(differs)[0])
            return f"{differs.sum()} of {differs.size} elements, {wide[at]} for {right[at]}"
        finite = np.isfinite(right)
        error = np.abs(wide - right)[finite].max(initial=0)
    assert call.epsilons * epsilon < 0.07, "a tolerance with which nothing is wrong"
    allowed = call.epsilons * epsilon * np.abs(right[finite]).max(initial=0)
    return f"an error of {error:.3g}, allowed {allowed:.3g}" if error > allowed else None


def check_call(before, right):
    """Returns what makes a call a poor test, or None."""
    changed = [not np.array_equal(b.astype(r.dtype), r, equal_nan=True)
               for b, r in zip(before, right)]
    if not any(changed):
        return "it changes no array"
    for index, (b, r) in enumerate(zip(before, right)):
        if changed[index] and is_float(b) and np.isnan(r).any() and not np.isnan(b).any():
            return f"it writes NaN to array {index}"
        if changed[index] and is_float(b) and np.isnan(r).all():
            return f"array {index} is NaN"
    return None


# ----------------------------------------------------------------------------
# Our compiler
# ----------------------------------------------------------------------------


def list_compile_errors(bytecode):
    """Compiles to cubins, and yields the errors."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.tileirbc"
        path.write_bytes(bytecode)
        for architecture in ARCHITECTURES:
            done = subprocess.run(["tile-compile", str(path), f"--arch={architecture}", "-o",
                                   f"{folder}/kernel.cubin"], capture_output=True, text=True)
            if done.returncode:
                yield f"{architecture}: {done.stderr.splitlines()[0]}"


def list_wrong_results(kernel, make, right):
    """Runs a call on the host, and yields what differs from the right arrays."""
    import tile_mlir as tile
    for name, place in (("emulator", tile.emulator), ("cpu", tile.cpu)):
        call = make(Draw())
        values = [value for _, value in bind(kernel, call)]
        try:
            with place():
                tile.from_cutile(kernel)[call.grid](*values)
        except tile.TileError as error:
            yield f"{name}: {error}"
            continue
        arrays = [value for value in values if isinstance(value, np.ndarray)]
        epsilon = get_epsilon(arrays)
        for index, (found, wanted) in enumerate(zip(arrays, right)):
            fault = compare(found, wanted, call, epsilon)
            if fault:
                yield f"{name}: array {index}: {fault}"


def list_faults(kernel, make, chosen):
    """Yields the faults of a kernel, as the options choose."""
    call = make(Draw())
    bound = bind(kernel, call)
    before = [value.copy() for _, value in bound if isinstance(value, np.ndarray)]
    bytecode, program = export(kernel, bound)
    if not chosen.compile:
        right = evaluate(program, call, bound)
        fault = check_call(before, right)
        if fault:
            yield f"the call: {fault}"
    if not chosen.evaluate:
        yield from list_compile_errors(bytecode)
    if not chosen.evaluate and not chosen.compile:
        yield from list_wrong_results(kernel, make, right)


def read_exceptions():
    """Returns the reasons for kernels without a call, by their names."""
    with open(FOLDER / "exceptions.csv", newline="") as file:
        return {row["kernel"]: row["reason"] for row in csv.DictReader(file)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--part", default="0/1")
    for mode in ("evaluate", "compile", "list"):
        parser.add_argument(f"--{mode}", action="store_true")
    chosen = parser.parse_args()
    first, step = map(int, chosen.part.split("/"))
    warnings.simplefilter("ignore")
    exceptions = read_exceptions()
    kernels = [(name, kernel) for name, kernel in list_kernels()
               if re.search(chosen.only, name)][first::step]
    count = right = expected = 0
    for name, kernel in kernels:
        count += 1
        if name not in CALLS and name in exceptions:
            expected += 1
            continue
        if name not in CALLS:
            faults = ["no call"]
        elif chosen.list:
            continue
        else:
            try:
                faults = list(list_faults(kernel, CALLS[name], chosen))
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                faults = [f"{type(error).__name__} ({place.name}:{place.lineno}): {error}"]
        right += not faults
        if name in exceptions:
            faults.append("a call, but a reason in exceptions.csv for none")
        for fault in faults:
            print(f"{name}: {fault}", flush=True)
    print(f"{count} kernels, {right} right, {expected} exceptions")


if __name__ == "__main__":
    main()
