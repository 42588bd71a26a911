# matmul.py - tile.matmul of all element types, and whole matmuls by a grid
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# |out - ref| <= c (|A||B|) + u |ref|, elementwise, with the c of the design.

from harness import *

rng = np.random.default_rng(4)


def program(m, n, k, name, acc, precision=""):
    a, b, c = ("memref<%dx%dx%s>" % x for x in (
        (m, k, name), (k, n, name), (m, n, acc)))
    ta, tb, tc = ("!tile.tile<" + x[7:] for x in (a, b, c))
    return """tile.kernel @f(%%a: %s, %%b: %s, %%c: %s, %%d: %s) {
  %%z = arith.constant 0 : index
  %%0 = tile.load %%a[%%z, %%z] : %s -> %s
  %%1 = tile.load %%b[%%z, %%z] : %s -> %s
  %%2 = tile.load %%c[%%z, %%z] : %s -> %s
  %%r = tile.matmul %%0, %%1, %%2 %s : %s, %s -> %s
  tile.store %%r, %%d[%%z, %%z] : %s, %s
  tile.return
}
""" % (a, b, c, c, a, ta, b, tb, c, tc, precision, ta, tb, tc, tc, c)


def constant(k, name, acc, precision):
    if precision:
        return 2.0 ** -10 + k * 2.0 ** -23
    if acc == "f16":
        return k * 2.0 ** -11
    return {"f32": k * 2.0 ** -24, "f64": k * 2.0 ** -53,
            "complex<f32>": 4 * k * 2.0 ** -24,
            "complex<f64>": 4 * k * 2.0 ** -53}.get(name, k * 2.0 ** -23)


for m, n, k in [(6, 18, 5), (17, 33, 64), (1, 1, 1), (64, 48, 100)]:
    for name, acc, precision in [
            ("f16", "f32", ""), ("f16", "f16", ""), ("bf16", "f32", ""),
            ("f8E4M3FN", "f32", ""), ("f8E5M2", "f32", ""), ("f32", "f32", ""),
            ("f32", "f32", "precision tf32"), ("f64", "f64", ""),
            ("complex<f32>", "complex<f32>", ""),
            ("complex<f64>", "complex<f64>", "")]:
        a, b, c = (rng.standard_normal(s) for s in ((m, k), (k, n), (m, n)))
        if "complex" in name:
            a, b, c = (x + 1j * rng.standard_normal(x.shape) for x in (a, b, c))
        a, b, c = encode(a, name), encode(b, name), encode(c, acc)
        wide = np.complex128 if "complex" in name else np.float64
        x, y, z = decode(a, name).astype(wide), decode(b, name).astype(
            wide), c.astype(wide)
        expected = x @ y + z
        unit = {"f16": 2.0 ** -11, "f32": 2.0 ** -24, "f64": 2.0 ** -53,
                "complex<f32>": 2.0 ** -24, "complex<f64>": 2.0 ** -53}[acc]
        size = np.abs(x) @ np.abs(y) + np.abs(z)
        near(run(program(m, n, k, name, acc, precision), "f", a, b, c, Out()),
             expected, constant(k + 1, name, acc, precision) * size +
             unit * np.abs(expected), "matmul %s %s %s" % (name, acc, precision))
    for name, acc in [("i8", "i32"), ("i16", "i16"), ("i32", "i32"),
                      ("i64", "i64")]:
        info = np.iinfo(DTYPES[name])
        a, b = (rng.integers(info.min, info.max, s, DTYPES[name], True)
                for s in ((m, k), (k, n)))
        c = rng.integers(-2 ** 15, 2 ** 15, (m, n)).astype(DTYPES[acc])
        with np.errstate(over="ignore"):
            expected = a.astype(c.dtype) @ b.astype(c.dtype) + c
        same(run(program(m, n, k, name, acc), "f", a, b, c, Out()), expected,
             "matmul " + name)

# Accumulators that a block computes in two parts.
for name, acc in [("f16", "f32"), ("f32", "f32"), ("f64", "f64")]:
    m, n, k = 272, 250, 21
    a, b, c = (encode(rng.standard_normal(s), t) for s, t in (
        ((m, k), name), ((k, n), name), ((m, n), acc)))
    x, y, z = (v.astype(np.float64) for v in (a, b, c))
    size = np.abs(x) @ np.abs(y) + np.abs(z)
    near(run(program(m, n, k, name, acc), "f", a, b, c, Out()), x @ y + z,
         constant(k + 1, name, acc, "") * size + 2.0 ** -24 * size,
         "matmul in parts of " + name)

GEMM = """
#grid = #tile.grid<affine_map<(m, n) -> (n ceildiv 128, m ceildiv 128)>
  of [[0, 0], [1, 1]]>
tile.kernel @gemm(%%a: memref<?x?x%(t)s>, %%b: memref<?x?x%(t)s>,
                  %%c: memref<?x?xf32>) attributes {grid = #grid} {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c64 = arith.constant 64 : index
  %%c128 = arith.constant 128 : index
  %%bx = tile.program_id x
  %%by = tile.program_id y
  %%col = arith.muli %%bx, %%c128 : index
  %%row = arith.muli %%by, %%c128 : index
  %%k = memref.dim %%a, %%c1 : memref<?x?x%(t)s>
  %%zero = arith.constant dense<0.0> : !tile.tile<128x128xf32>
  %%d = scf.for %%i = %%c0 to %%k step %%c64 iter_args(%%acc = %%zero)
      -> !tile.tile<128x128xf32> {
    %%ta = tile.load %%a[%%row, %%i] : memref<?x?x%(t)s> -> !tile.tile<128x64x%(t)s>
    %%tb = tile.load %%b[%%i, %%col] : memref<?x?x%(t)s> -> !tile.tile<64x128x%(t)s>
    %%n = tile.matmul %%ta, %%tb, %%acc : !tile.tile<128x64x%(t)s>,
        !tile.tile<64x128x%(t)s> -> !tile.tile<128x128xf32>
    scf.yield %%n : !tile.tile<128x128xf32>
  }
  tile.store %%d, %%c[%%row, %%col] : !tile.tile<128x128xf32>, memref<?x?xf32>
  tile.return
}
"""
for name in ["f16", "f32", "bf16", "f8E4M3FN"]:
    a, b = (encode(rng.standard_normal(s), name) for s in ((301, 517), (517, 203)))
    x, y = decode(a, name).astype(float), decode(b, name).astype(float)
    result = run(GEMM % {"t": name}, "gemm", a, b, Out(301, 203), grid="2,3,1")
    near(result, x @ y, constant(517, name, "f32", "") * (np.abs(x) @ np.abs(y))
         + 2.0 ** -24 * np.abs(x @ y), "gemm " + name)
