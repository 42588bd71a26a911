# derivatives.py - checks the derivatives of a kernel
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For a kernel y = f(x) and random v and w:
#
# - the tangent J v, by the kernel of -tile-gradient=mode=forward, is compared with the
#   central difference of the kernel itself: in f64, where its error is about 1e-9;
# - the gradient J^T w, by the kernel of -tile-gradient, is compared by
#   <J^T w, v> = <w, J v>, to 1e-12 in f64 and 1e-5 in f32.
#
# Complex arrays count as arrays of pairs.

import subprocess

import numpy as np

from harness import Out, run

RANDOM = np.random.default_rng(0)
STEP = 1e-6


def differentiate(program, options=""):
    """Returns the program with the gradients and the tangents of `k`. `options` are
    those of the gradients."""
    return add(add(program, options), "mode=forward")


def add(program, options):
    """Returns the program with a derivative of `k`."""
    done = subprocess.run(
        ["tile-compile", "-", f"--gradient=kernel=k {options}", "--emit=source", "-o",
         "-"], input=program, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(program + done.stderr)
    return done.stdout


def dot(lefts, rights):
    """Returns the real inner product of two lists of arrays, and its scale."""
    products = [(np.conj(left) * right).real.astype(np.float64)
                for left, right in zip(lefts, rights)]
    return (sum(product.sum() for product in products),
            sum(np.abs(product).sum() for product in products))


def draw(shape, dtype, low=None, high=None):
    values = RANDOM.normal(size=shape) if low is None else \
        RANDOM.uniform(low, high, size=shape)
    if np.issubdtype(dtype, np.complexfloating):
        values = values + 1j * RANDOM.normal(size=shape)
    return values.astype(dtype)


def expect_close(name, what, result, expected, tolerance, scale=None):
    scale = np.abs(expected).max() if scale is None else scale
    error = np.abs(np.asarray(result) - expected).max()
    if not error <= tolerance * max(scale, 1e-300):
        raise SystemExit(f"{name}: {what} {result}, expected {expected}, "
                         f"error {error / max(scale, 1e-300)}")


def check(name, program, inputs, output_shape, grid="1,1,1", options="",
          output=None):
    """Checks the derivatives of `k`, whose arguments are the inputs and one output,
    which is `output` if the kernel adds to it. Returns the gradients for a random
    cotangent, and the cotangent."""
    output = output or Out(*output_shape)
    dtype = inputs[0].dtype
    is_double = dtype in (np.float64, np.complex128)
    program = differentiate(program, options)
    directions = [draw(x.shape, x.dtype) for x in inputs]
    cotangent = draw(output_shape, dtype)
    tangent = run(program, "k__tangent",
                  *get_needed(program, "k__tangent", inputs), *directions,
                  output, grid=grid)
    if is_double:
        sides = [run(program, "k",
                     *[x + sign * STEP * v for x, v in zip(inputs, directions)],
                     output, grid=grid) for sign in (1, -1)]
        expect_close(name, "tangent", tangent, (sides[0] - sides[1]) / (2 * STEP),
                     1e-7)
    gradients = run_adjoint(program, inputs, cotangent, grid)
    left, scale = dot(gradients, directions)
    right, other_scale = dot([cotangent], [tangent])
    expect_close(name, "inner product", left, right, 1e-12 if is_double else 1e-5,
                 max(scale, other_scale))
    return gradients, cotangent


def run_adjoint(program, inputs, cotangent, grid="1,1,1"):
    """Returns the gradients by all inputs, of a kernel or a function."""
    is_function = "func.func @k__adjoint(" in program
    extents = map(int, grid.split(",")) if is_function else ()
    gradients = run(program, "k__adjoint",
                    *get_needed(program, "k__adjoint", inputs), cotangent,
                    *[Out(*x.shape) for x in inputs], *extents,
                    grid=None if is_function else grid)
    return gradients if isinstance(gradients, list) else [gradients]


def get_needed(program, kernel, inputs):
    """Returns the inputs that the kernel has as arguments."""
    line = next(line for line in program.splitlines() if f"@{kernel}(" in line)
    names = [f'tile.name = "x{i}"' for i in range(len(inputs))]
    return [x for name, x in zip(names, inputs) if name in line]


def wrap(shapes, output_shape, body, element="f64"):
    """Returns a kernel `k` on the inputs %a0, %a1, ..., and the output %y."""
    def memref(shape):
        return "memref<" + "".join(f"{extent}x" for extent in shape) + element + ">"

    arguments = "".join(
        f'%a{i}: {memref(shape)} {{tile.name = "x{i}"}}, '
        for i, shape in enumerate(shapes))
    return (f"tile.kernel @k({arguments}%y: {memref(output_shape)} "
            f'{{tile.name = "y"}}) attributes {{block = 64 : i64}} {{\n'
            f"  %c0 = arith.constant 0 : index\n{body}  tile.return\n}}\n")


def make_program(shapes, output_shape, body, element="f64"):
    """Returns a kernel that loads the inputs as %x0, %x1, ..., and stores %r."""
    def memref(shape):
        return "memref<" + "".join(f"{extent}x" for extent in shape) + element + ">"

    def offsets(shape):
        return ", ".join(["%c0"] * len(shape))

    loads = "".join(
        f"  %x{i} = tile.load %a{i}[{offsets(shape)}] : {memref(shape)} -> "
        f"{tile(shape, element)}\n" for i, shape in enumerate(shapes))
    store = (f"  tile.store %r, %y[{offsets(output_shape)}] : "
             f"{tile(output_shape, element)}, {memref(output_shape)}\n")
    return wrap(shapes, output_shape, loads + body + store, element)


def tile(shape, element="f64"):
    return ("!tile.tile<" + "".join(f"{extent}x" for extent in shape) + element +
            ">")
