# gradients.py - derivatives of kernels against differences and against each other
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


def differentiate(program, mode):
    """Returns the program with a kernel of derivatives."""
    done = subprocess.run(
        ["tile-opt", "-", "-tile-canonical-form", "-tile-gradient=mode=" + mode],
        input=program, capture_output=True, text=True)
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


def check(name, program, inputs, output_shape, grid="1,1,1"):
    """Checks the derivatives of `k`, whose arguments are the inputs and one output."""
    dtype = inputs[0].dtype
    is_double = dtype in (np.float64, np.complex128)
    tangent_program = differentiate(program, "forward")
    adjoint_program = differentiate(program, "reverse")
    directions = [draw(x.shape, x.dtype) for x in inputs]
    cotangent = draw(output_shape, dtype)
    tangent = run(tangent_program, "k__tangent",
                  *get_needed(tangent_program, "k__tangent", inputs), *directions,
                  Out(*output_shape), grid=grid)
    if is_double:
        sides = [run(program, "k",
                     *[x + sign * STEP * v for x, v in zip(inputs, directions)],
                     Out(*output_shape), grid=grid) for sign in (1, -1)]
        expect_close(name, "tangent", tangent, (sides[0] - sides[1]) / (2 * STEP),
                     1e-7)
    gradients = run(adjoint_program, "k__adjoint",
                    *get_needed(adjoint_program, "k__adjoint", inputs), cotangent,
                    *[Out(*x.shape) for x in inputs], grid=grid)
    gradients = gradients if isinstance(gradients, list) else [gradients]
    left, scale = dot(gradients, directions)
    right, other_scale = dot([cotangent], [tangent])
    expect_close(name, "inner product", left, right, 1e-12 if is_double else 1e-5,
                 max(scale, other_scale))


def get_needed(program, kernel, inputs):
    """Returns the inputs that the kernel has as arguments."""
    line = next(line for line in program.splitlines() if f"@{kernel}(" in line)
    names = [f'tile.name = "x{i}"' for i in range(len(inputs))]
    return [x for name, x in zip(names, inputs) if name in line]


def make_program(shapes, output_shape, body, element="f64", tile_shapes=None):
    """Returns a program that loads x0, x1, ... as %x0, %x1, ..., and stores %r."""
    def memref(shape):
        return "memref<" + "".join(f"{extent}x" for extent in shape) + element + ">"

    def offsets(shape):
        return ", ".join(["%c0"] * len(shape))

    arguments = "".join(
        f'%a{i}: {memref(shape)} {{tile.name = "x{i}"}}, '
        for i, shape in enumerate(shapes))
    loads = "".join(
        f"  %x{i} = tile.load %a{i}[{offsets(shape)}] : {memref(shape)} -> "
        f"{tile(shape, element)}\n" for i, shape in enumerate(shapes))
    return (f"tile.kernel @k({arguments}%y: {memref(output_shape)} "
            f'{{tile.name = "y"}}) attributes {{block = 64 : i64}} {{\n'
            f"  %c0 = arith.constant 0 : index\n{loads}{body}"
            f"  tile.store %r, %y[{offsets(output_shape)}] : "
            f"{tile(output_shape, element)}, {memref(output_shape)}\n"
            f"  tile.return\n}}\n")


def tile(shape, element="f64"):
    return ("!tile.tile<" + "".join(f"{extent}x" for extent in shape) + element +
            ">")


# Operations on one value, and the interval in which it is drawn.
UNARY = {
    "arith.negf": (None, None), "math.absf": (None, None), "math.acos": (-.9, .9),
    "math.acosh": (1.1, 3), "math.asin": (-.9, .9), "math.asinh": (None, None),
    "math.atan": (None, None), "math.atanh": (-.9, .9), "math.cbrt": (.1, 3),
    "math.cos": (None, None), "math.cosh": (None, None), "math.erf": (None, None),
    "math.erfc": (None, None), "math.exp": (None, None), "math.exp2": (None, None),
    "math.expm1": (None, None), "math.log": (.1, 3), "math.log10": (.1, 3),
    "math.log1p": (-.9, 3), "math.log2": (.1, 3), "math.rsqrt": (.1, 3),
    "math.sin": (None, None), "math.sinh": (None, None), "math.sqrt": (.1, 3),
    "math.tan": (-1, 1), "math.tanh": (None, None),
}
BINARY = {
    "arith.addf": (None, None), "arith.subf": (None, None),
    "arith.mulf": (None, None), "arith.divf": (.5, 2),
    "arith.maximumf": (None, None), "arith.minimumf": (None, None),
    "arith.maxnumf": (None, None), "arith.minnumf": (None, None),
    "math.atan2": (None, None), "math.copysign": (None, None),
    "math.powf": (.5, 2),
}
# Bodies on x0, and perhaps x1, with the shapes of the inputs and of the result.
SHAPES = {
    "transpose": ([(5, 7)], (7, 5), """
  %r = tile.transpose %x0 [1, 0] : {x0} to {r}
"""),
    "reshape": ([(6, 7)], (14, 3), """
  %r = tile.reshape %x0 : {x0} to {r}
"""),
    "broadcast": ([(1, 7)], (5, 7), """
  %r = tile.broadcast %x0 : {x0} to {r}
"""),
    "broadcast dims": ([(5,)], (5, 7), """
  %r = tile.broadcast %x0 dims [0] : {x0} to {r}
"""),
    "view": ([(9, 11)], (3, 5), """
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = tile.view %x0[%c2, %c4] : {x0} to {r}
"""),
    "view of a row": ([(9, 11)], (5,), """
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = tile.view %x0[%c2, %c4] : {x0} to {r}
"""),
    "view with steps": ([(9, 11)], (3, 4), """
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %r = tile.view %x0[%c8, %c2] steps [-3, 2] : {x0} to {r}
"""),
    "insert": ([(3, 5), (9, 11)], (9, 11), """
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = tile.insert %x0 into %x1[%c2, %c4] : {x0} into {x1}
"""),
    "join": ([(3, 5), (3, 2)], (3, 7), """
  %r = tile.join %x0, %x1 axis 1 : {x0}, {x1} to {r}
"""),
    "take": ([(9, 5)], (13, 5), """
  %i = tile.iota axis 0 : !tile.tile<13x1xi32>
  %c3 = arith.constant dense<3> : !tile.tile<13x1xi32>
  %j = arith.divsi %i, %c3 : !tile.tile<13x1xi32>
  %r = tile.take %x0 at %j axis 0 : {x0}, !tile.tile<13x1xi32> to {r}
"""),
    "extract and fill": ([(3, 5)], (7,), """
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %e = tile.extract %x0[%c2, %c4] : {x0}
  %s = arith.mulf %e, %e : f64
  %r = tile.fill %s : {r}
"""),
    "insert a scalar": ([(3, 5), (1, 1)], (3, 5), """
  %c2 = arith.constant 2 : index
  %e = tile.extract %x1[%c0, %c0] : {x1}
  %r = tile.insert %e into %x0[%c2, %c2] : f64 into {x0}
"""),
    "reduce add": ([(5, 7)], (7,), """
  %r = tile.reduce add %x0 axis 0 : {x0} to {r}
"""),
    "reduce all": ([(5, 7)], (1, 1), """
  %r = tile.reduce add %x0 keep : {x0} to {r}
"""),
    "reduce max": ([(5, 7)], (5,), """
  %r = tile.reduce max %x0 axis 1 : {x0} to {r}
"""),
    "reduce min": ([(5, 7)], (1, 7), """
  %r = tile.reduce min %x0 axis 0 keep : {x0} to {r}
"""),
    "reduce mul": ([(5, 7)], (5,), """
  %r = tile.reduce mul %x0 axis 1 : {x0} to {r}
"""),
    "scan": ([(5, 7)], (5, 7), """
  %r = tile.scan add %x0 axis 1 : {x0}
"""),
    "scan exclusive": ([(5, 7)], (5, 7), """
  %r = tile.scan add %x0 axis 0 exclusive reverse : {x0}
"""),
    "select": ([(5, 7), (5, 7)], (5, 7), """
  %c = arith.cmpf olt, %x0, %x1 : {x0}
  %s = arith.mulf %x0, %x0 : {x0}
  %r = tile.select %c, %s, %x1 : !tile.tile<5x7xi1>, {x0}
"""),
    "fma": ([(5, 7), (5, 7)], (5, 7), """
  %r = math.fma %x0, %x1, %x0 : {x0}
"""),
    "fpowi": ([(5, 7)], (5, 7), """
  %n = tile.iota axis 1 : !tile.tile<5x7xi32>
  %r = math.fpowi %x0, %n : {x0}, !tile.tile<5x7xi32>
"""),
    "matmul": ([(5, 7), (7, 3)], (5, 3), """
  %z = arith.constant dense<0.0> : {r}
  %r = tile.matmul %x0, %x1, %z : {x0}, {x1} -> {r}
"""),
    "batched matmul": ([(5, 7), (2, 7, 3)], (2, 5, 3), """
  %z = arith.constant dense<0.0> : {r}
  %r = tile.matmul %x0, %x1, %z : {x0}, {x1} -> {r}
"""),
    "square of a matmul": ([(5, 5)], (5, 5), """
  %s = tile.matmul %x0, %x0, %x0 : {x0}, {x0} -> {r}
  %r = arith.mulf %s, %s : {r}
"""),
    "softmax": ([(5, 7)], (5, 7), """
  %m = tile.reduce max %x0 axis 1 keep : {x0} to !tile.tile<5x1xf64>
  %b = tile.broadcast %m : !tile.tile<5x1xf64> to {x0}
  %d = arith.subf %x0, %b : {x0}
  %e = math.exp %d : {x0}
  %s = tile.reduce add %e axis 1 keep : {x0} to !tile.tile<5x1xf64>
  %t = tile.broadcast %s : !tile.tile<5x1xf64> to {x0}
  %r = arith.divf %e, %t : {x0}
"""),
}
COMPLEX = {
    "add": 2, "sub": 2, "mul": 2, "div": 2, "neg": 1, "conj": 1, "exp": 1,
}


def check_elementwise():
    shape = (5, 9)
    for name, (low, high) in UNARY.items():
        body = f"  %r = {name} %x0 : {tile(shape)}\n"
        check(name, make_program([shape], shape, body),
              [draw(shape, np.float64, low, high)], shape)
    for name, (low, high) in BINARY.items():
        body = f"  %r = {name} %x0, %x1 : {tile(shape)}\n"
        check(name, make_program([shape, shape], shape, body),
              [draw(shape, np.float64, low, high) for _ in range(2)], shape)


def check_shapes():
    for name, (shapes, result, body) in SHAPES.items():
        types = {f"x{i}": tile(shape) for i, shape in enumerate(shapes)}
        body = body.format(r=tile(result), **types)
        check(name, make_program(shapes, result, body),
              [draw(shape, np.float64) for shape in shapes], result)


def check_complex():
    shape, element = (5, 9), "complex<f64>"
    for kind, count in COMPLEX.items():
        names = ", ".join(f"%x{i}" for i in range(count))
        types = ", ".join([tile(shape, element)] * count)
        body = (f"  %r = tile.complex {kind} {names} : {types} to "
                f"{tile(shape, element)}\n")
        check("complex " + kind,
              make_program([shape] * count, shape, body, element),
              [draw(shape, np.complex128) for _ in range(count)], shape)
    body = f"""
  %a = tile.complex abs %x0 : {tile(shape, element)} to {tile(shape)}
  %b = tile.complex re %x1 : {tile(shape, element)} to {tile(shape)}
  %c = tile.complex im %x0 : {tile(shape, element)} to {tile(shape)}
  %d = arith.mulf %b, %c : {tile(shape)}
  %r = tile.complex create %a, %d : {tile(shape)}, {tile(shape)} to {tile(shape, element)}
"""
    check("complex parts", make_program([shape] * 2, shape, body, element),
          [draw(shape, np.complex128) for _ in range(2)], shape)


check_elementwise()
check_shapes()
check_complex()
