# second_order.py - derivatives of derivatives
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For a kernel y = f(x), a random cotangent w and random directions u and v, H is the
# matrix of second derivatives of <w, f>. These agree:
#
# - the tangent of the adjoint kernel, H v, with the central difference of the adjoint
#   kernel, to 1e-7;
# - <u, H v> and <v, H u>, to 1e-12: H is symmetric;
# - the adjoint of the adjoint kernel, and that of the tangent kernel, with H v, by
#   inner products, to 1e-12.

import re
import subprocess

import numpy as np

from derivatives import draw, expect_close, make_program, tile, wrap
from harness import InOut, run

STEP = 1e-6
ROW = tile((5, 1))
# Bodies on x0, and perhaps x1, with the shapes of the inputs and of the result.
BODIES = {
    "elementwise": ([(5, 7), (5, 7)], (5, 7), """
  %e = math.exp %x0 : {x0}
  %q = arith.divf %x1, %e : {x0}
  %t = math.tanh %q : {x0}
  %s = math.sin %x1 : {x0}
  %r = arith.mulf %t, %s : {x0}
"""),
    "softmax": ([(5, 7)], (5, 7), f"""
  %m = tile.reduce max %x0 axis 1 keep : {{x0}} to {ROW}
  %b = tile.broadcast %m : {ROW} to {{x0}}
  %d = arith.subf %x0, %b : {{x0}}
  %e = math.exp %d : {{x0}}
  %s = tile.reduce add %e axis 1 keep : {{x0}} to {ROW}
  %t = tile.broadcast %s : {ROW} to {{x0}}
  %r = arith.divf %e, %t : {{x0}}
"""),
    "matmul": ([(5, 7), (7, 5)], (5, 5), """
  %z = arith.constant dense<0.0> : {r}
  %s = tile.matmul %x0, %x1, %z : {x0}, {x1} -> {r}
  %r = tile.matmul %s, %s, %s : {r}, {r} -> {r}
"""),
    "cholesky": ([(5, 5)], (5, 5), """
  %t = tile.transpose %x0 [1, 0] : {x0} to {x0}
  %z = arith.constant dense<0.0> : {x0}
  %p = tile.matmul %x0, %t, %z : {x0}, {x0} -> {x0}
  %six = arith.constant 6.0 : f64
  %m = tile.add_diagonal %p, %six : {x0}, f64
  %r = tile.cholesky %m : {x0}
"""),
    "power spectrum": ([(3, 11)], (3, 6), """
  %f = tile.rfft %x0 : {x0} to !tile.tile<3x6xcomplex<f64>>
  %g = tile.complex conj %f : !tile.tile<3x6xcomplex<f64>> to !tile.tile<3x6xcomplex<f64>>
  %h = tile.complex mul %f, %g : !tile.tile<3x6xcomplex<f64>>, !tile.tile<3x6xcomplex<f64>> to !tile.tile<3x6xcomplex<f64>>
  %r = tile.complex re %h : !tile.tile<3x6xcomplex<f64>> to {r}
"""),
    "map": ([(5, 7)], (5, 7), """
  %r = tile.map %x0 : {x0} to {r} {{
  ^bb0(%a: f64):
    %zero = arith.constant 0.0 : f64
    %isLess = arith.cmpf olt, %a, %zero : f64
    %b = scf.if %isLess -> f64 {{
      %e = math.exp %a : f64
      scf.yield %e : f64
    }} else {{
      %c = arith.mulf %a, %a : f64
      %d = arith.mulf %c, %a : f64
      scf.yield %d : f64
    }}
    tile.yield %b : f64
  }}
"""),
}
LOOP = """
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %x1 = tile.load %a1[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %zero = arith.constant dense<0.0> : !tile.tile<5xf64>
  %r = scf.for %i = %c0 to %c11 step %c1 iter_args(%sum = %zero) -> !tile.tile<5xf64> {
    %v = tile.load %a0[%i, %c0] : memref<11x5xf64> -> !tile.tile<5xf64>
    %m = arith.mulf %v, %x1 : !tile.tile<5xf64>
    %s = math.sin %m : !tile.tile<5xf64>
    %next = arith.addf %sum, %s : !tile.tile<5xf64>
    scf.yield %next : !tile.tile<5xf64>
  }
  tile.store %r, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""


def differentiate(program, count):
    """Returns the program with the first derivatives of `k`, and theirs."""
    inputs = [f"x{i}" for i in range(count)]
    gradients = ",".join(name + "__gradient" for name in inputs)
    by_inputs = f"wrt={','.join(inputs)}"
    done = subprocess.run(
        ["tile-opt", "-", "-tile-canonical-form",
         "-tile-gradient=kernel=k", "-tile-gradient=kernel=k mode=forward",
         f"-tile-gradient=kernel=k__adjoint mode=forward {by_inputs} "
         f"outputs={gradients}",
         f"-tile-gradient=kernel=k__adjoint {by_inputs} outputs={gradients}",
         f"-tile-gradient=kernel=k__tangent {by_inputs} outputs=y__tangent"],
        input=program, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(program + done.stderr)
    return done.stdout


def evaluate(program, kernel, arrays, suffix):
    """Runs a kernel on arrays by their names. Returns the arrays x0, x1, ... with the
    suffix, which the kernel writes."""
    line = next(line for line in program.splitlines() if f"@{kernel}(" in line)
    names = re.findall(r'tile\.name = "(\w+)"', line)
    outputs = sorted(name for name in names if re.fullmatch("x[0-9]" + suffix, name))
    is_function = line.startswith("func.func") or line.startswith("  func.func")
    results = run(program, kernel,
                  *[InOut(np.zeros_like(arrays[name[:2]])) if name in outputs
                    else 1 if name.startswith("grid_") else arrays[name]
                    for name in names], grid=None if is_function else "1,1,1")
    return results if len(outputs) > 1 else [results]


def dot(lefts, rights):
    return sum((left * right).sum() for left, right in zip(lefts, rights))


def name(arrays, suffix=""):
    return {f"x{i}{suffix}": array for i, array in enumerate(arrays)}


def check(title, program, shapes, result):
    program = differentiate(program, len(shapes))
    x, u, v = ([draw(shape, np.float64) for shape in shapes] for _ in range(3))
    w = draw(result, np.float64)
    given = {"y__cotangent": w, **name(x)}

    def multiply(direction):
        """Returns H times a direction, by the tangent of the adjoint kernel."""
        return evaluate(program, "k__adjoint__tangent",
                        {**given, **name(direction, "__tangent")},
                        "__gradient__tangent")

    products = multiply(v)
    sides = [evaluate(program, "k__adjoint",
                      {"y__cotangent": w,
                       **name([a + sign * STEP * b for a, b in zip(x, v)])},
                      "__gradient") for sign in (1, -1)]
    for product, plus, minus in zip(products, *sides):
        expect_close(title, "second derivative", product, (plus - minus) / (2 * STEP),
                     1e-7)
    scale = np.sqrt(dot(u, u) * dot(products, products))
    expected = dot(u, products)
    expect_close(title, "symmetry", dot(v, multiply(u)), expected, 1e-12, scale)
    of_adjoint = evaluate(program, "k__adjoint__adjoint",
                          {**given, **name(u, "__gradient__cotangent")}, "__gradient")
    expect_close(title, "adjoint of the adjoint", dot(of_adjoint, v), expected, 1e-12,
                 scale)
    of_tangent = evaluate(program, "k__tangent__adjoint",
                          {**name(x), **name(v, "__tangent"),
                           "y__tangent__cotangent": w}, "__gradient")
    expect_close(title, "adjoint of the tangent", dot(of_tangent, u), expected, 1e-12,
                 scale)


for title, (shapes, result, body) in BODIES.items():
    types = {f"x{i}": tile(shape) for i, shape in enumerate(shapes)}
    check(title, make_program(shapes, result, body.format(r=tile(result), **types)),
          shapes, result)
check("loop", wrap([(11, 5), (5,)], (5,), LOOP), [(11, 5), (5,)], (5,))
