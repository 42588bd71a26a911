# loop_gradients.py - derivatives of loops that need the values that they carry
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from derivatives import check, differentiate, draw, run_adjoint, wrap

# A recurrence along the first dimension of %a0, from the row %a1. {first} and
# {last} are the loop's bounds less one, so that the compiler does not know them: the grid
# is one program.
RECURRENCE = """
  %one = tile.num_programs x
  %first_less_one = arith.constant {first} : index
  %last_less_one = arith.constant {last} : index
  %first = arith.addi %first_less_one, %one : index
  %uno = tile.num_programs y
  %last = arith.addi %last_less_one, %uno : index
  %step = arith.constant {step} : index
  %init = tile.load %a1[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %r = scf.for %i = %first to %last step %step iter_args(%s = %init) -> !tile.tile<5xf64> {{
    %v = tile.load %a0[%i, %c0] : memref<23x5xf64> -> !tile.tile<5xf64>
    %m = arith.mulf %s, %v : !tile.tile<5xf64>
    %t = math.sin %m : !tile.tile<5xf64>
    scf.yield %t : !tile.tile<5xf64>
  }}
  %z = arith.mulf %r, %init : !tile.tile<5xf64>
  tile.store %z, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""
BOUNDS = [(0, 23, 1), (0, 0, 1), (3, 4, 1), (0, 23, 3), (2, 21, 5), (7, 3, 1)]

# Programs with loops, as in gradients.py: extents of the inputs and of the output, the
# grid, and the body.
PROGRAMS = {
    # Each program has its own number of iterations, and its own states.
    "a triangular grid": ([(6, 23, 5)], (6, 5), "6,1,1", """
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %p = tile.program_id x
  %p1 = arith.addi %p, %c1 : index
  %n = arith.muli %p1, %c3 : index
  %one = arith.constant dense<1.0> : !tile.tile<5xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %one) -> !tile.tile<5xf64> {
    %v = tile.load %a0[%p, %i, %c0] : memref<6x23x5xf64> -> !tile.tile<5xf64>
    %m = arith.mulf %s, %v : !tile.tile<5xf64>
    %t = math.cos %m : !tile.tile<5xf64>
    scf.yield %t : !tile.tile<5xf64>
  }
  tile.store %r, %y[%p, %c0] : !tile.tile<5xf64>, memref<6x5xf64>
"""),
    # The state of the outer loop is that of the inner one, and the inner loop has a
    # branch that depends on the state.
    "nested loops with a branch": ([(3, 7, 5)], (5,), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant dense<1.0> : !tile.tile<5xf64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %one) -> !tile.tile<5xf64> {
    %e = math.exp %s : !tile.tile<5xf64>
    %t = scf.for %j = %i to %c7 step %c2 iter_args(%u = %s) -> !tile.tile<5xf64> {
      %v = tile.load %a0[%i, %j, %c0] : memref<3x7x5xf64> -> !tile.tile<5xf64>
      %sum = tile.reduce add %u : !tile.tile<5xf64> to !tile.tile<f64>
      %scalar = tile.extract %sum[] : !tile.tile<f64>
      %isLess = arith.cmpf olt, %scalar, %zero : f64
      %w = scf.if %isLess -> !tile.tile<5xf64> {
        %m = arith.mulf %u, %v : !tile.tile<5xf64>
        scf.yield %m : !tile.tile<5xf64>
      } else {
        %q = math.sin %u : !tile.tile<5xf64>
        %m = arith.subf %v, %q : !tile.tile<5xf64>
        scf.yield %m : !tile.tile<5xf64>
      }
      scf.yield %w : !tile.tile<5xf64>
    }
    %d = arith.divf %t, %e : !tile.tile<5xf64>
    scf.yield %d : !tile.tile<5xf64>
  }
  tile.store %r, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""),
    # A scan that is written as a loop: each state is an output. A scalar and an integer
    # are carried, too.
    "a scan with scalars": ([(11, 5)], (11, 5), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %two = arith.constant 2 : i32
  %half = arith.constant 0.5 : f64
  %one = arith.constant dense<1.0> : !tile.tile<5xf64>
  %r:3 = scf.for %i = %c0 to %c11 step %c1 iter_args(%s = %one, %g = %half, %n = %two) -> (!tile.tile<5xf64>, f64, i32) {
    %v = tile.load %a0[%i, %c0] : memref<11x5xf64> -> !tile.tile<5xf64>
    %gs = tile.fill %g : !tile.tile<5xf64>
    %m = arith.mulf %s, %v : !tile.tile<5xf64>
    %t = arith.addf %m, %gs : !tile.tile<5xf64>
    tile.store %t, %y[%i, %c0] : !tile.tile<5xf64>, memref<11x5xf64>
    %f = arith.sitofp %n : i32 to f64
    %h = arith.divf %g, %f : f64
    %next = math.cos %h : f64
    %k = arith.addi %n, %two : i32
    scf.yield %t, %next, %k : !tile.tile<5xf64>, f64, i32
  }
"""),
    # The gradient of the rows of a tile is inserted into zeros in each iteration.
    "rows of a tile": ([(9, 5)], (3, 3), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : !tile.tile<3x3xf64>
  %w = tile.load %a0[%c0, %c0] : memref<9x5xf64> -> !tile.tile<9x5xf64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> !tile.tile<3x3xf64> {
    %o = arith.muli %i, %c3 : index
    %v = tile.view %w[%o, %c0] : !tile.tile<9x5xf64> to !tile.tile<3x5xf64>
    %t = tile.transpose %v [1, 0] : !tile.tile<3x5xf64> to !tile.tile<5x3xf64>
    %n = tile.matmul %v, %t, %s : !tile.tile<3x5xf64>, !tile.tile<5x3xf64> -> !tile.tile<3x3xf64>
    scf.yield %n : !tile.tile<3x3xf64>
  }
  tile.store %r, %y[%c0, %c0] : !tile.tile<3x3xf64>, memref<3x3xf64>
"""),
    # Linear attention: the state is a matrix, which decays.
    "a matrix as the state": ([(9, 4, 3), (9, 4, 5)], (9, 4, 5), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant dense<0.0> : !tile.tile<3x5xf64>
  %none = arith.constant dense<0.0> : !tile.tile<4x5xf64>
  %decay = arith.constant dense<0.5> : !tile.tile<3x5xf64>
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %zero) -> !tile.tile<3x5xf64> {
    %k = tile.load %a0[%i, %c0, %c0] : memref<9x4x3xf64> -> !tile.tile<4x3xf64>
    %v = tile.load %a1[%i, %c0, %c0] : memref<9x4x5xf64> -> !tile.tile<4x5xf64>
    %o = tile.matmul %k, %s, %none : !tile.tile<4x3xf64>, !tile.tile<3x5xf64> -> !tile.tile<4x5xf64>
    %e = arith.subf %v, %o : !tile.tile<4x5xf64>
    tile.store %e, %y[%i, %c0, %c0] : !tile.tile<4x5xf64>, memref<9x4x5xf64>
    %kt = tile.transpose %k [1, 0] : !tile.tile<4x3xf64> to !tile.tile<3x4xf64>
    %d = arith.mulf %s, %decay : !tile.tile<3x5xf64>
    %n = tile.matmul %kt, %e, %d : !tile.tile<3x4xf64>, !tile.tile<4x5xf64> -> !tile.tile<3x5xf64>
    scf.yield %n : !tile.tile<3x5xf64>
  }
"""),
}

# Loops whose gradients another compiler computes wrongly, with the right gradients for
# a cotangent of one (Warp's documentation, "Differentiability": "Dynamic Loops").
PRODUCT = """
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant dense<1.0> : !tile.tile<1xf64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %one) -> !tile.tile<1xf64> {
    %v = tile.load %a0[%i] : memref<3xf64> -> !tile.tile<1xf64>
    %m = arith.mulf %s, %v : !tile.tile<1xf64>
    scf.yield %m : !tile.tile<1xf64>
  }
  tile.store %r, %y[%c0] : !tile.tile<1xf64>, memref<1xf64>
"""
NORM = """
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : !tile.tile<1xf64>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero, %n = %zero) -> (!tile.tile<1xf64>, !tile.tile<1xf64>) {
    %v = tile.load %a0[%i] : memref<3xf64> -> !tile.tile<1xf64>
    %sum = arith.addf %s, %v : !tile.tile<1xf64>
    %w = arith.mulf %v, %v : !tile.tile<1xf64>
    %norm = arith.addf %n, %w : !tile.tile<1xf64>
    scf.yield %sum, %norm : !tile.tile<1xf64>, !tile.tile<1xf64>
  }
  %root = math.sqrt %r#1 : !tile.tile<1xf64>
  %q = arith.divf %r#0, %root : !tile.tile<1xf64>
  tile.store %q, %y[%c0] : !tile.tile<1xf64>, memref<1xf64>
"""
SQUARES = """
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %v = tile.load %a0[%i] : memref<3xf64> -> !tile.tile<1xf64>
    %one = arith.constant dense<1.0> : !tile.tile<1xf64>
    %w = scf.for %j = %c0 to %c2 step %c1 iter_args(%t = %one) -> !tile.tile<1xf64> {
      %u = arith.mulf %t, %v : !tile.tile<1xf64>
      scf.yield %u : !tile.tile<1xf64>
    }
    tile.store %w, %y[%i] : !tile.tile<1xf64>, memref<3xf64>
  }
"""
KNOWN = [
    ("a product", PRODUCT, (2, 2, 2), 1, (4, 4, 4)),
    ("a sum by a norm", NORM, (1, 2, 2), 1,
     tuple(1 / 3 - 5 * x / 27 for x in (1, 2, 2))),
    ("squares", SQUARES, (1, 2, 3), 3, (2, 4, 6)),
]


def check_known():
    for name, body, values, count, expected in KNOWN:
        program = differentiate(wrap([(3,)], (count,), body))
        found, = run_adjoint(program, [np.array(values, np.float64)], np.ones(count))
        if not np.allclose(found, expected, rtol=1e-14, atol=0):
            raise SystemExit(f"{name}: gradient {found}, expected {expected}")


def check_recurrences():
    for first, last, step in BOUNDS:
        body = RECURRENCE.format(first=first - 1, last=last - 1, step=step)
        check(f"a recurrence from {first} to {last} by {step}",
              wrap([(23, 5), (5,)], (5,), body),
              [draw((23, 5), np.float64), draw((5,), np.float64)], (5,))


def check_programs():
    for name, (shapes, result, grid, body) in PROGRAMS.items():
        for element, dtype in (("f64", np.float64), ("f32", np.float32)):
            check(f"{name}, {element}",
                  wrap(shapes, result, body.replace("f64", element), element),
                  [draw(shape, dtype) for shape in shapes], result, grid)


check_known()
check_recurrences()
check_programs()
