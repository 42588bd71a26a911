# shared_gradients.py - gradients of arrays that several programs load
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np

from derivatives import check, differentiate, draw, run_adjoint, wrap

# Programs as in gradients.py: extents of the inputs and of the output, the grid, and the
# body; and a part of the program of gradients that shows how they are added up.
PROGRAMS = {
    # Each operand is loaded along one axis only. Its gradient is a matmul of its own,
    # with the loop along K as an axis of the grid.
    "a matmul": ([(19, 23), (23, 13)], (19, 13), "3,2,1", "@k__adjoint__x0", """
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %m = arith.muli %x, %c8 : index
  %n = arith.muli %y, %c7 : index
  %c23 = arith.constant 23 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant dense<0.0> : !tile.tile<8x7xf64>
  %r = scf.for %k = %c0 to %c23 step %c5 iter_args(%acc = %zero) -> !tile.tile<8x7xf64> {
    %l = tile.load %a0[%m, %k] : memref<19x23xf64> -> !tile.tile<8x5xf64>
    %s = tile.load %a1[%k, %n] : memref<23x13xf64> -> !tile.tile<5x7xf64>
    %next = tile.matmul %l, %s, %acc : !tile.tile<8x5xf64>, !tile.tile<5x7xf64> -> !tile.tile<8x7xf64>
    scf.yield %next : !tile.tile<8x7xf64>
  }
  %e = math.sin %r : !tile.tile<8x7xf64>
  tile.store %e, %y_[%m, %n] : !tile.tile<8x7xf64>, memref<19x13xf64>
"""),
    # A bias is loaded by all programs along x: parts of its gradient are added up by a
    # second kernel. The gradient of x0 is computed by the kernel of the parts.
    "a bias": ([(43, 29), (29,)], (43, 29), "11,2,1", "@k__adjoint__x1__sum", """
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %i = arith.muli %x, %c4 : index
  %j = arith.muli %y, %c16 : index
  %v = tile.load %a0[%i, %j] : memref<43x29xf64> -> !tile.tile<4x16xf64>
  %b = tile.load %a1[%j] : memref<29xf64> -> !tile.tile<16xf64>
  %bs = tile.reshape %b : !tile.tile<16xf64> to !tile.tile<1x16xf64>
  %bb = tile.broadcast %bs : !tile.tile<1x16xf64> to !tile.tile<4x16xf64>
  %w = arith.mulf %v, %bb : !tile.tile<4x16xf64>
  %z = math.tanh %w : !tile.tile<4x16xf64>
  tile.store %z, %y_[%i, %j] : !tile.tile<4x16xf64>, memref<43x29xf64>
"""),
    # Two weights of all rows, and more rows than parts.
    "weights of many rows": ([(601, 5), (5,), (5,)], (601, 5), "601,1,1",
                             "@k__adjoint__x1_x2__sum", """
  %p = tile.program_id x
  %v = tile.load %a0[%p, %c0] : memref<601x5xf64> -> !tile.tile<5xf64>
  %s = tile.load %a1[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %b = tile.load %a2[%c0] : memref<5xf64> -> !tile.tile<5xf64>
  %w = arith.mulf %v, %s : !tile.tile<5xf64>
  %u = arith.addf %w, %b : !tile.tile<5xf64>
  %z = math.sin %u : !tile.tile<5xf64>
  tile.store %z, %y_[%p, %c0] : !tile.tile<5xf64>, memref<601x5xf64>
"""),
    # A scalar of all programs of a grid of three axes.
    "a scalar": ([(3, 5, 7, 2), (1,)], (3, 5, 7, 2), "3,5,7", "@k__adjoint__x1__sum", """
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %v = tile.load %a0[%x, %y, %z, %c0] : memref<3x5x7x2xf64> -> !tile.tile<2xf64>
  %s = tile.load %a1[%c0] : memref<1xf64> -> !tile.tile<f64>
  %t = tile.broadcast %s : !tile.tile<f64> to !tile.tile<2xf64>
  %w = arith.mulf %v, %t : !tile.tile<2xf64>
  %u = math.exp %w : !tile.tile<2xf64>
  tile.store %u, %y_[%x, %y, %z, %c0] : !tile.tile<2xf64>, memref<3x5x7x2xf64>
"""),
    # Two axes become a loop; the mask of the load is that of the last store.
    "a mask": ([(3, 5, 14), (14,)], (3, 5, 14), "3,2,5", "@k__adjoint__x1__sum", """
  %c7 = arith.constant 7 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %i = arith.muli %y, %c7 : index
  %n = tile.iota axis 0 : !tile.tile<7xindex>
  %two = arith.constant dense<2> : !tile.tile<7xindex>
  %m = arith.cmpi ne, %n, %two : !tile.tile<7xindex>
  %v = tile.load %a0[%x, %z, %i] : memref<3x5x14xf64> -> !tile.tile<7xf64>
  %s = tile.load %a1[%i] mask %m : !tile.tile<7xi1> : memref<14xf64> -> !tile.tile<7xf64>
  %w = arith.mulf %v, %s : !tile.tile<7xf64>
  %u = math.sin %w : !tile.tile<7xf64>
  tile.store %u, %y_[%x, %z, %i] : !tile.tile<7xf64>, memref<3x5x14xf64>
"""),
    # The mask differs between the programs of a loop.
    "a mask of the program": ([(6, 7), (7,)], (6, 7), "6,1,1", "@k__adjoint__x1__sum", """
  %x = tile.program_id x
  %n = tile.iota axis 0 : !tile.tile<7xindex>
  %p = tile.fill %x : !tile.tile<7xindex>
  %m = arith.cmpi ne, %n, %p : !tile.tile<7xindex>
  %v = tile.load %a0[%x, %c0] : memref<6x7xf64> -> !tile.tile<7xf64>
  %s = tile.load %a1[%c0] mask %m : !tile.tile<7xi1> : memref<7xf64> -> !tile.tile<7xf64>
  %w = arith.mulf %v, %s : !tile.tile<7xf64>
  %u = math.sin %w : !tile.tile<7xf64>
  tile.store %u, %y_[%x, %c0] : !tile.tile<7xf64>, memref<6x7xf64>
"""),
    # Keys of all queries: the loop along the keys carries a state, and so a part of the
    # programs along x adds up the gradient in its own copy, one program after the other.
    "a loop with a state": ([(4, 3, 5), (3, 11, 5)], (4, 3, 5), "4,3,1",
                            "@k__adjoint__x1__sum", """
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c11 = arith.constant 11 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %q = tile.load %a0[%x, %y, %c0] : memref<4x3x5xf64> -> !tile.tile<5xf64>
  %r = scf.for %j = %c0 to %c11 step %c2 iter_args(%s = %q) -> !tile.tile<5xf64> {
    %k = tile.load %a1[%y, %j, %c0] : memref<3x11x5xf64> -> !tile.tile<5xf64>
    %m = arith.mulf %k, %s : !tile.tile<5xf64>
    %t = math.cos %m : !tile.tile<5xf64>
    scf.yield %t : !tile.tile<5xf64>
  }
  tile.store %r, %y_[%x, %y, %c0] : !tile.tile<5xf64>, memref<4x3x5xf64>
"""),
    # Keys with two indices of owners: there are enough owners without copies.
    "a loop with a state and two owners": ([(4, 3, 2, 5), (3, 2, 11, 5)], (4, 3, 2, 5),
                                           "4,3,2", "@k__adjoint__x1(", """
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c11 = arith.constant 11 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %q = tile.load %a0[%x, %y, %z, %c0] : memref<4x3x2x5xf64> -> !tile.tile<5xf64>
  %r = scf.for %j = %c0 to %c11 step %c2 iter_args(%s = %q) -> !tile.tile<5xf64> {
    %k = tile.load %a1[%y, %z, %j, %c0] : memref<3x2x11x5xf64> -> !tile.tile<5xf64>
    %m = arith.mulf %k, %s : !tile.tile<5xf64>
    %t = math.cos %m : !tile.tile<5xf64>
    scf.yield %t : !tile.tile<5xf64>
  }
  tile.store %r, %y_[%x, %y, %z, %c0] : !tile.tile<5xf64>, memref<4x3x2x5xf64>
"""),
    # The layers of all programs: no axis moves them, and the loop carries a state. There
    # are more programs than copies, and layers that no program loads.
    "layers of a loop with a state": ([(301, 5), (4, 5, 5)], (301, 5), "301,1,1",
                                      "@k__adjoint__x1__sum", """
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = tile.program_id x
  %none = arith.constant dense<0.0> : !tile.tile<1x5xf64>
  %v = tile.load %a0[%x, %c0] : memref<301x5xf64> -> !tile.tile<1x5xf64>
  %r = scf.for %l = %c0 to %c3 step %c1 iter_args(%s = %v) -> !tile.tile<1x5xf64> {
    %w = tile.load %a1[%l, %c0, %c0] : memref<4x5x5xf64> -> !tile.tile<5x5xf64>
    %m = tile.matmul %s, %w, %none : !tile.tile<1x5xf64>, !tile.tile<5x5xf64> -> !tile.tile<1x5xf64>
    %t = math.tanh %m : !tile.tile<1x5xf64>
    scf.yield %t : !tile.tile<1x5xf64>
  }
  tile.store %r, %y_[%x, %c0] : !tile.tile<1x5xf64>, memref<301x5xf64>
"""),
    # Parameters of all programs, which are loaded in two boxes that overlap, one of them
    # masked. A bias is added up by the same kernel.
    "parameters in overlapping boxes": ([(6, 5, 4), (9,), (4,)], (6, 5, 4), "6,5,1",
                                        "@k__adjoint__x2_x1__sum1", """
  %c2 = arith.constant 2 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %n = tile.iota axis 0 : !tile.tile<4xindex>
  %p = tile.fill %y : !tile.tile<4xindex>
  %c = arith.cmpi ne, %n, %p : !tile.tile<4xindex>
  %v = tile.load %a0[%x, %y, %c0] : memref<6x5x4xf64> -> !tile.tile<4xf64>
  %b = tile.load %a2[%c0] : memref<4xf64> -> !tile.tile<4xf64>
  %s = tile.load %a1[%c0] : memref<9xf64> -> !tile.tile<4xf64>
  %t = tile.load %a1[%c2] mask %c : !tile.tile<4xi1> : memref<9xf64> -> !tile.tile<4xf64>
  %m = arith.mulf %v, %s : !tile.tile<4xf64>
  %e = math.sin %m : !tile.tile<4xf64>
  %u = arith.mulf %e, %t : !tile.tile<4xf64>
  %z = arith.addf %u, %b : !tile.tile<4xf64>
  tile.store %z, %y_[%x, %y, %c0] : !tile.tile<4xf64>, memref<6x5x4xf64>
"""),
    # Only one of two loads that overlap has a gradient: its boxes do not overlap.
    "a load that is compared": ([(16, 5), (17, 5)], (16, 5), "16,1,1",
                                "@k__adjoint__x1", """
  %c1 = arith.constant 1 : index
  %x = tile.program_id x
  %n = arith.addi %x, %c1 : index
  %u = tile.load %a0[%x, %c0] : memref<16x5xf64> -> !tile.tile<5xf64>
  %v = tile.load %a1[%n, %c0] : memref<17x5xf64> -> !tile.tile<5xf64>
  %w = tile.load %a1[%x, %c0] : memref<17x5xf64> -> !tile.tile<5xf64>
  %c = arith.cmpf oge, %u, %v : !tile.tile<5xf64>
  %r = tile.select %c, %u, %w : !tile.tile<5xi1>, !tile.tile<5xf64>
  tile.store %r, %y_[%x, %c0] : !tile.tile<5xf64>, memref<16x5xf64>
"""),
    # The boxes of a program and its loop are along one dimension.
    "a loop in the program's elements": ([(60,), (60,)], (60,), "5,1,1",
                                         "@k__adjoint__programs(", """
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %x = tile.program_id x
  %i = arith.muli %x, %c12 : index
  scf.for %j = %c0 to %c3 step %c1 {
    %k = arith.muli %j, %c4 : index
    %n = arith.addi %i, %k : index
    %v = tile.load %a0[%n] : memref<60xf64> -> !tile.tile<4xf64>
    %w = tile.load %a1[%n] : memref<60xf64> -> !tile.tile<4xf64>
    %m = arith.mulf %v, %w : !tile.tile<4xf64>
    %e = math.exp %m : !tile.tile<4xf64>
    tile.store %e, %y_[%n] : !tile.tile<4xf64>, memref<60xf64>
  }
"""),
    # The weights of the inner loop are the same in all programs and iterations.
    "weights of a loop": ([(9, 6, 5), (6, 5)], (9, 5), "9,1,1", "@k__adjoint__x1", """
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %x = tile.program_id x
  %zero = arith.constant dense<0.0> : !tile.tile<5xf64>
  %r = scf.for %j = %c0 to %c6 step %c1 iter_args(%s = %zero) -> !tile.tile<5xf64> {
    %v = tile.load %a0[%x, %j, %c0] : memref<9x6x5xf64> -> !tile.tile<5xf64>
    %w = tile.load %a1[%j, %c0] : memref<6x5xf64> -> !tile.tile<5xf64>
    %m = arith.mulf %v, %w : !tile.tile<5xf64>
    %e = math.exp %m : !tile.tile<5xf64>
    %t = arith.addf %s, %e : !tile.tile<5xf64>
    scf.yield %t : !tile.tile<5xf64>
  }
  tile.store %r, %y_[%x, %c0] : !tile.tile<5xf64>, memref<9x5xf64>
"""),
}


def check_programs():
    for name, (shapes, result, grid, part, body) in PROGRAMS.items():
        body = body.replace("%y_", "%y_out")
        for element, dtype in (("f64", np.float64), ("f32", np.float32)):
            program = wrap(shapes, result, body.replace("f64", element), element)
            program = program.replace("%y: memref", "%y_out: memref")
            inputs = [draw(shape, dtype) for shape in shapes]
            gradients, cotangent = check(f"{name}, {element}", program, inputs, result,
                                         grid)
            program = differentiate(program)
            if part not in program:
                raise SystemExit(f"{name}: expected {part} in\n{program}")
            again = run_adjoint(program, inputs, cotangent, grid)
            if not all(map(np.array_equal, gradients, again)):
                raise SystemExit(f"{name}: expected the same bits, got others")


check_programs()
