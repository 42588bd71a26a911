# loop_gradients.py - derivatives of loops that need the values that they carry
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

import numpy as np

from derivatives import check, differentiate, draw, run_adjoint, wrap
from harness import DTYPES

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

# Loops with a condition, as above, and a bound of their iterations; the last word has
# more options.
WHILES = {
    # The number of iterations depends on the input, whose value before the loop is used
    # after it.
    "Newton's iteration": ([(6, 5)], (6, 5), "6,1,1", """
  %p = tile.program_id x
  %one = arith.constant dense<1.0> : !tile.tile<5xf64>
  %half = arith.constant dense<0.5> : !tile.tile<5xf64>
  %least = arith.constant 1.0e-4 : f64
  %a = tile.load %a0[%p, %c0] : memref<6x5xf64> -> !tile.tile<5xf64>
  %square = arith.mulf %a, %a : !tile.tile<5xf64>
  %w = arith.addf %square, %one : !tile.tile<5xf64>
  %r = scf.while (%s = %w) : (!tile.tile<5xf64>) -> !tile.tile<5xf64> {
    %q = arith.mulf %s, %s : !tile.tile<5xf64>
    %d = arith.subf %q, %w : !tile.tile<5xf64>
    %e = math.absf %d : !tile.tile<5xf64>
    %m = tile.reduce max %e : !tile.tile<5xf64> to !tile.tile<f64>
    %far = tile.extract %m[] : !tile.tile<f64>
    %go = arith.cmpf ogt, %far, %least : f64
    scf.condition(%go) %s : !tile.tile<5xf64>
  } do {
  ^bb0(%s: !tile.tile<5xf64>):
    %q = arith.divf %w, %s : !tile.tile<5xf64>
    %t = arith.addf %s, %q : !tile.tile<5xf64>
    %n = arith.mulf %t, %half : !tile.tile<5xf64>
    scf.yield %n : !tile.tile<5xf64>
  } attributes {tile.max_trips = 40 : i64}
  %z = arith.mulf %r, %a : !tile.tile<5xf64>
  tile.store %z, %y[%p, %c0] : !tile.tile<5xf64>, memref<6x5xf64>
"""),
    # Programs run 0, 1, 7, 2, 5, 8, 16, 3 and 19 iterations, of which each takes one of
    # two branches and loads its own elements.
    "Collatz's iteration": ([(9, 19, 5)], (9, 5), "9,1,1", """
  %c1 = arith.constant 1 : index
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %i0 = arith.constant 0 : i32
  %p = tile.program_id x
  %p1 = arith.addi %p, %c1 : index
  %first = arith.index_cast %p1 : index to i32
  %one = arith.constant dense<1.0> : !tile.tile<5xf64>
  %r:3 = scf.while (%n = %first, %k = %c0, %s = %one) : (i32, index, !tile.tile<5xf64>) -> (i32, index, !tile.tile<5xf64>) {
    %go = arith.cmpi ne, %n, %i1 : i32
    scf.condition(%go) %n, %k, %s : i32, index, !tile.tile<5xf64>
  } do {
  ^bb0(%n: i32, %k: index, %s: !tile.tile<5xf64>):
    %v = tile.load %a0[%p, %k, %c0] : memref<9x19x5xf64> -> !tile.tile<5xf64>
    %rest = arith.remui %n, %i2 : i32
    %even = arith.cmpi eq, %rest, %i0 : i32
    %m:2 = scf.if %even -> (i32, !tile.tile<5xf64>) {
      %h = arith.divui %n, %i2 : i32
      %t = arith.mulf %s, %v : !tile.tile<5xf64>
      scf.yield %h, %t : i32, !tile.tile<5xf64>
    } else {
      %h3 = arith.muli %n, %i3 : i32
      %h = arith.addi %h3, %i1 : i32
      %q = math.cos %s : !tile.tile<5xf64>
      %t = arith.addf %q, %v : !tile.tile<5xf64>
      scf.yield %h, %t : i32, !tile.tile<5xf64>
    }
    %j = arith.addi %k, %c1 : index
    scf.yield %m#0, %j, %m#1 : i32, index, !tile.tile<5xf64>
  } attributes {tile.max_trips = 19 : i64}
  tile.store %r#2, %y[%p, %c0] : !tile.tile<5xf64>, memref<9x5xf64>
"""),
    # The condition's region computes the next state, once more often than the body.
    "work before the condition": ([(5,), (3, 5)], (5,), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tile.load %a0[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %r:2 = scf.while (%i = %c0, %s = %a) : (index, !tile.tile<5xf64>) -> (!tile.tile<5xf64>, index) {
    %v = tile.load %a1[%i, %c0] : memref<3x5xf64> -> !tile.tile<5xf64>
    %m = arith.mulf %s, %v : !tile.tile<5xf64>
    %t = math.sin %m : !tile.tile<5xf64>
    %go = arith.cmpi ult, %i, %c2 : index
    scf.condition(%go) %t, %i : !tile.tile<5xf64>, index
  } do {
  ^bb0(%t: !tile.tile<5xf64>, %i: index):
    %e = math.exp %t : !tile.tile<5xf64>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %e : index, !tile.tile<5xf64>
  } attributes {tile.max_trips = 2 : i64}
  %z = arith.addf %r#0, %a : !tile.tile<5xf64>
  tile.store %z, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
""", "atomics"),
    # A flag ends the inner loop, as break does, after four iterations at the latest.
    "nested loops with a flag": ([(3, 5)], (5,), "1,1,1", """
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %yes = arith.constant true
  %three = arith.constant 3.0 : f64
  %one = arith.constant dense<1.0> : !tile.tile<5xf64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %one) -> !tile.tile<5xf64> {
    %v = tile.load %a0[%i, %c0] : memref<3x5xf64> -> !tile.tile<5xf64>
    %o:2 = scf.while (%n = %c0, %u = %s) : (index, !tile.tile<5xf64>) -> (index, !tile.tile<5xf64>) {
      %go = arith.cmpi ule, %n, %i : index
      scf.condition(%go) %n, %u : index, !tile.tile<5xf64>
    } do {
    ^bb0(%n: index, %u: !tile.tile<5xf64>):
      %w:3 = scf.while (%on = %yes, %x = %u, %k = %c0) : (i1, !tile.tile<5xf64>, index) -> (i1, !tile.tile<5xf64>, index) {
        scf.condition(%on) %on, %x, %k : i1, !tile.tile<5xf64>, index
      } do {
      ^bb1(%on: i1, %x: !tile.tile<5xf64>, %k: index):
        %q = arith.mulf %x, %x : !tile.tile<5xf64>
        %e = arith.addf %q, %v : !tile.tile<5xf64>
        %h = math.sin %e : !tile.tile<5xf64>
        %sum = tile.reduce add %e : !tile.tile<5xf64> to !tile.tile<f64>
        %total = tile.extract %sum[] : !tile.tile<f64>
        %less = arith.cmpf olt, %total, %three : f64
        %l = arith.addi %k, %c1 : index
        %few = arith.cmpi ult, %k, %c3 : index
        %still = arith.andi %less, %few : i1
        scf.yield %still, %h, %l : i1, !tile.tile<5xf64>, index
      } attributes {tile.max_trips = 4 : i64}
      %m = arith.mulf %w#1, %s : !tile.tile<5xf64>
      %next = arith.addi %n, %c1 : index
      scf.yield %next, %m : index, !tile.tile<5xf64>
    } attributes {tile.max_trips = 3 : i64}
    scf.yield %o#1 : !tile.tile<5xf64>
  }
  tile.store %r, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""),
}

# A loop of {count} iterations, which depend on the grid, and its bound.
COUNTED = """
  %c1 = arith.constant 1 : index
  %one = tile.num_programs x
  %last_less_one = arith.constant {last} : index
  %last = arith.addi %last_less_one, %one : index
  %a = tile.load %a0[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %r:2 = scf.while (%i = %c0, %s = %a) : (index, !tile.tile<5xf64>) -> (index, !tile.tile<5xf64>) {{
    %go = arith.cmpi slt, %i, %last : index
    scf.condition(%go) %i, %s : index, !tile.tile<5xf64>
  }} do {{
  ^bb0(%i: index, %s: !tile.tile<5xf64>):
    %m = arith.mulf %s, %a : !tile.tile<5xf64>
    %t = math.cos %m : !tile.tile<5xf64>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %t : index, !tile.tile<5xf64>
  }} attributes {{tile.max_trips = {bound} : i64}}
  %z = arith.mulf %r#1, %a : !tile.tile<5xf64>
  tile.store %z, %y[%c0] : !tile.tile<5xf64>, memref<5xf64>
"""

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


def check_all(programs, options="", elements=("f64", "f32")):
    for name, (shapes, result, grid, body, *more) in programs.items():
        for element in elements:
            dtype = DTYPES[element]
            check(f"{name}, {element} {options}",
                  wrap(shapes, result, body.replace("f64", element), element),
                  [draw(shape, dtype) for shape in shapes], result, grid,
                  " ".join([options, *more]))


def check_counts():
    """Loops of no, one and several iterations, with the least bound. A loop that would go
    on ends by an assertion."""
    for count, bound in ((0, 0), (1, 1), (7, 7), (3, 50)):
        body = COUNTED.format(last=count - 1, bound=bound)
        check(f"{count} iterations", wrap([(5,)], (5,), body),
              [draw((5,), np.float64)], (5,))
    body = COUNTED.format(last=6, bound=6)
    try:
        run_adjoint(differentiate(wrap([(5,)], (5,), body)),
                    [draw((5,), np.float64)], draw((5,), np.float64))
    except SystemExit as error:
        if re.search("expected a loop of at most 6 iterations", str(error)):
            return
        raise
    raise SystemExit("expected an assertion that fails, got a gradient")


# Programs that are checked with segments, too.
SEGMENTED = ["nested loops with a branch", "a scan with scalars", "Collatz's iteration"]
# Bounds of loops with segments: of 23, no, one, eight and no iterations.
SEGMENTS = [(0, 23, 1), (0, 0, 1), (3, 4, 1), (0, 23, 3), (7, 3, 1)]


def check_segments():
    """Gradients with segments are equal to those without, bit by bit if the loop adds up
    nothing."""
    for first, last, step in SEGMENTS:
        body = RECURRENCE.format(first=first - 1, last=last - 1, step=step)
        inputs = [draw((23, 5), np.float64), draw((5,), np.float64)]
        program, cotangent = wrap([(23, 5), (5,)], (5,), body), draw((5,), np.float64)
        segmented, whole = (run_adjoint(differentiate(program, options), inputs,
                                        cotangent) for options in ("segments", ""))
        for a, b in zip(segmented, whole):
            if not np.array_equal(a, b):
                raise SystemExit(f"segments from {first} to {last} by {step}: gradient "
                                 f"{a}, expected {b}")


check_known()
check_recurrences()
check_all(PROGRAMS)
check_all(WHILES)
check_counts()
check_segments()
check_all({name: {**PROGRAMS, **WHILES}[name] for name in SEGMENTED}, "segments", ["f64"])
