# compare.py - compares linalg functions that run as kernels with a reference
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The bound of an element is TERMS * u * |size| + u' * |exact|. `exact` is the
# reference's result, u' the roundoff of its element type, u that of the sums.
# `size` bounds the summands: it is the reference's result for the absolute
# values of the arguments that enter linearly, |A| |B| for A B.

import numpy as np

from reference import call, from_bf16, to_bf16


def convert(path, folder):
    """Converts a file by -convert-linalg-to-tile; returns the path of the kernels."""
    kernels = "%s/kernels.%s" % (folder, path.rsplit("/", 1)[-1])
    call("tile-opt", path, "-convert-linalg-to-tile", "-o", kernels)
    return kernels


def name_results(folder, shapes):
    """Returns arguments of tile-run for results of `shapes`, and their paths."""
    paths = ["%s/out%d.npy" % (folder, index) for index in range(len(shapes))]
    words = []
    for path, shape in zip(paths, shapes):
        size = "x".join(map(str, shape))
        words.append("out=%s%s" % (path, ":" + size if size else ""))
    return words, paths


def find_written(types, arguments, exact):
    """Returns the indices of the arguments that a function writes: its results
    are these buffers, followed by the values that it returns."""
    buffers = [i for i, type in enumerate(types) if type.isBuffer]
    return [i for i, array in zip(buffers, exact)
            if not np.array_equal(arguments[i], array)]


def save(path, array, type):
    np.save(path, to_bf16(array) if type.element == "bf16" else array)


def load(path, type):
    array = np.load(path)
    isBits = type.element == "bf16" and array.dtype == "u2"
    return from_bf16(array) if isBits else array


def run_kernels(kernels, name, types, arguments, written, shapes, folder,
                options):
    """Runs kernels by tile-run on arrays and scalars. Returns the paths of the files
    with the contents of buffers, followed by those of results of `shapes`."""
    words, buffers = [], []
    for index, (type, argument) in enumerate(zip(types, arguments)):
        words.append(str(argument))
        if isinstance(argument, np.ndarray):
            path = words[-1] = "%s/%d.npy" % (folder, index)
            save(path, argument, type)
        if type.isBuffer:
            buffers.append(path)
        if index in written:
            words[-1] = "inout=" + path
    added, results = name_results(folder, shapes)
    call("tile-run", kernels, name, *words, *added, *options)
    return buffers + results


def is_float(value):
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def get_unit(types):
    """Returns the roundoff of sums: the largest of `types`, or twice that of f32 if a
    type is narrower than f32, for accumulation by tensor cores."""
    largest = max([type.get_roundoff() for type in types], default=0)
    return largest if largest <= 2.0**-24 else 2.0**-23


def get_bounds(reference, name, arguments, exact, linear, terms, unit, results):
    """Returns for each result the largest permitted error of each element. `linear`
    has the indices of the arguments whose absolute values are used. If it is None,
    there is no bound by element, and the largest element determines the bound."""
    if linear is None:
        sizes = [np.abs(array).max() for array in exact]
    else:
        sizes = reference.run(
            name, [np.abs(a) if i in linear and is_float(a) else a
                   for i, a in enumerate(arguments)])
    return [terms * unit * np.abs(size) +
            (type.get_roundoff() if terms else 0) * np.abs(array)
            if type.get_dtype().kind == "f" else 0
            for size, array, type in zip(sizes, exact, results)]


def get_problem(found, exact, bound, dtype):
    """Returns an error message for a result of `dtype`, or None if it is within its bound."""
    if found.shape != exact.shape or found.dtype != dtype:
        return "expected a result of %s of %s, got %s of %s" % (
            dtype, exact.shape, found.dtype, found.shape)
    error = np.abs(found.astype(exact.dtype) - exact) \
        if dtype.kind == "f" else found != exact
    # NaN is an error, unless the reference has it too.
    isWrong = ~((error <= bound) | (found == exact) |
                ((found != found) & (exact != exact)))
    if not isWrong.any():
        return None
    coordinates = tuple(int(i) for i in np.argwhere(isWrong)[0])
    return "expected %s at %s, got %s; %d of %d elements are wrong" % (
        exact[coordinates], coordinates, found[coordinates], isWrong.sum(),
        isWrong.size)


def compare(reference, kernels, name, arguments, linear, terms, folder, options,
            unit=None):
    """Returns an error message for a function's results, or None if all are right."""
    exact = reference.run(name, arguments)
    types, results = reference.signatures[name]
    all_results = reference.get_result_types(name)
    bounds = get_bounds(reference, name, arguments, exact, linear, terms,
                        unit or get_unit(types), all_results)
    shapes = [array.shape for array in exact[len(exact) - len(results):]]
    paths = run_kernels(kernels, name, types, arguments,
                        find_written(types, arguments, exact), shapes, folder,
                        options)
    for index, (path, array, bound, type) in enumerate(
            zip(paths, exact, bounds, all_results)):
        problem = get_problem(load(path, type), array, bound, type.get_dtype())
        if problem:
            return "%s, result %d: %s" % (name, index, problem)
    return None
