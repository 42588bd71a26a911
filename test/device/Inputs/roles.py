# roles.py - tiles that several matmuls read as different operands, and operands that
# are computed from other matmuls
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(43)


def check(m, n, k, element, loops):
    """Checks P = X W', O = P W and G = P' X: W is rhs and transposed rhs, X is lhs and
    rhs, and P is lhs from accumulators and, transposed, from shared memory. With `loops`
    all are added up in a loop. The values are integers that all types represent."""
    mn, nk, mk, kn, nm = (tile_type(shape, element) for shape in
                          ((m, n), (n, k), (m, k), (k, n), (n, m)))
    sum_mn, sum_mk, sum_nk = (tile_type(shape, "f32") for shape in
                              ((m, n), (m, k), (n, k)))
    program = f"""tile.kernel @roles(%x: memref<?x?x?x{element}>, %w: memref<?x?x?x{element}>, %o: memref<?x?xf32>, %g: memref<?x?xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant {loops} : index
  %zp = arith.constant dense<0.0> : {sum_mn}
  %zo = arith.constant dense<0.0> : {sum_mk}
  %zg = arith.constant dense<0.0> : {sum_nk}
  %r:2 = scf.for %i = %c0 to %end step %c1 iter_args(%so = %zo, %sg = %zg) -> ({sum_mk}, {sum_nk}) {{
    %tx = tile.load %x[%i, %c0, %c0] : memref<?x?x?x{element}> -> {mk}
    %tw = tile.load %w[%i, %c0, %c0] : memref<?x?x?x{element}> -> {nk}
    %wt = tile.transpose %tw [1, 0] : {nk} to {kn}
    %s = tile.matmul %tx, %wt, %zp : {mk}, {kn} -> {sum_mn}
    %p = tile.cast %s : {sum_mn} to {mn}
    %no = tile.matmul %p, %tw, %so : {mn}, {nk} -> {sum_mk}
    %pt = tile.transpose %p [1, 0] : {mn} to {nm}
    %ng = tile.matmul %pt, %tx, %sg : {nm}, {mk} -> {sum_nk}
    scf.yield %no, %ng : {sum_mk}, {sum_nk}
  }}
  tile.store %r#0, %o[%c0, %c0] : {sum_mk}, memref<?x?xf32>
  tile.store %r#1, %g[%c0, %c0] : {sum_nk}, memref<?x?xf32>
  tile.return
}}
"""
    x, w = (rng.integers(-1, 2, (loops, rows, k)).astype(np.float32) for rows in (m, n))
    p = x @ w.swapaxes(1, 2)
    found = run(program, "roles", encode(x, element), encode(w, element), Out(m, k),
                Out(n, k))
    for result, expected, name in zip(found, ((p @ w).sum(0), (
            p.swapaxes(1, 2) @ x).sum(0)), ("P W", "P' X")):
        same(result, expected.astype(np.float32), f"{name} {m}x{n}x{k} {element}")


for sizes in ((64, 64, 64), (128, 64, 64), (128, 128, 128), (64, 128, 80), (96, 72, 40),
              (70, 65, 33), (64, 64, 256), (33, 20, 17)):
    check(*sizes, "f16", 3)
check(128, 64, 64, "bf16", 1)
check(64, 96, 48, "f32", 2)
