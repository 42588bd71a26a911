# threads.py - tile.per_thread
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(31)

# Elements in, elements out, of several types and ranks; the index of the thread.
MIXED = """tile.kernel @f(%%a: memref<%(n)dxf32>, %%b: memref<%(n)dx3xf32>, %%k: memref<%(n)dxi32>, %%r: memref<%(n)dxf32>, %%s: memref<%(n)dx2xf32>, %%t: memref<%(n)dxi32>) attributes {block = %(n)d : i64} {
  %%zero = arith.constant 0 : index
  %%x = tile.load %%a[%%zero] : memref<%(n)dxf32> -> !tile.tile<%(n)dxf32>
  %%y = tile.load %%b[%%zero, %%zero] : memref<%(n)dx3xf32> -> !tile.tile<%(n)dx3xf32>
  %%z = tile.load %%k[%%zero] : memref<%(n)dxi32> -> !tile.tile<%(n)dxi32>
  %%u, %%v, %%w = tile.per_thread %%x, %%y, %%z : !tile.tile<%(n)dxf32>, !tile.tile<%(n)dx3xf32>, !tile.tile<%(n)dxi32> to !tile.tile<%(n)dxf32>, !tile.tile<%(n)dx2xf32>, !tile.tile<%(n)dxi32> {
  ^bb0(%%thread: index, %%e: f32, %%f: vector<3xf32>, %%g: i32):
    %%f0 = vector.extract %%f[0] : f32 from vector<3xf32>
    %%f1 = vector.extract %%f[1] : f32 from vector<3xf32>
    %%f2 = vector.extract %%f[2] : f32 from vector<3xf32>
    %%p = arith.mulf %%f0, %%f1 : f32
    %%q = arith.addf %%e, %%f2 : f32
    %%pq = vector.from_elements %%p, %%q : vector<2xf32>
    %%number = arith.index_cast %%thread : index to i32
    %%h = arith.addi %%g, %%number : i32
    tile.yield %%q, %%pq, %%h : f32, vector<2xf32>, i32
  }
  tile.store %%u, %%r[%%zero] : !tile.tile<%(n)dxf32>, memref<%(n)dxf32>
  tile.store %%v, %%s[%%zero, %%zero] : !tile.tile<%(n)dx2xf32>, memref<%(n)dx2xf32>
  tile.store %%w, %%t[%%zero] : !tile.tile<%(n)dxi32>, memref<%(n)dxi32>
  tile.return
}
"""
for n in (1, 7, 17, 31, 32, 33, 96, 100, 256, 1000):
    x = random_values(rng, (n,), "f32")
    y = random_values(rng, (n, 3), "f32")
    z = random_values(rng, (n,), "i32")
    u, v, w = run(MIXED % {"n": n}, "f", x, y, z, Out(), Out(), Out())
    same(u, x + y[:, 2], "elements")
    same(v, np.stack([y[:, 0] * y[:, 1], x + y[:, 2]], 1), "vectors")
    same(w, z + np.arange(n, dtype=np.int32), "numbers of threads")

# Loops, branches, arrays: each thread follows a chain from its own start to its end;
# afterwards another thread loads the element that a thread stored.
CHAIN = """tile.kernel @f(%next: memref<?xi32>, %length: memref<128xi32>, %around: memref<128xi32>) attributes {block = 128 : i64} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %last = arith.constant 127 : index
  tile.per_thread {
  ^bb0(%thread: index):
    %n, %at = scf.while (%count = %none, %place = %thread) : (i32, index) -> (i32, index) {
      %to = memref.load %next[%place] : memref<?xi32>
      %goes = arith.cmpi sge, %to, %none : i32
      scf.condition(%goes) %count, %place : i32, index
    } do {
    ^bb1(%count: i32, %place: index):
      %to = memref.load %next[%place] : memref<?xi32>
      %there = arith.index_cast %to : i32 to index
      %more = arith.addi %count, %one : i32
      scf.yield %more, %there : i32, index
    }
    memref.store %n, %length[%thread] : memref<128xi32>
    tile.yield
  }
  %t = tile.per_thread to !tile.tile<128xi32> {
  ^bb0(%thread: index):
    %mirror = arith.subi %last, %thread : index
    %m = memref.load %length[%mirror] : memref<128xi32>
    %isOdd = arith.andi %m, %one : i32
    %test = arith.cmpi eq, %isOdd, %one : i32
    %r = scf.if %test -> i32 {
      %minus = arith.subi %none, %m : i32
      scf.yield %minus : i32
    } else {
      scf.yield %m : i32
    }
    tile.yield %r : i32
  }
  tile.store %t, %around[%zero] : !tile.tile<128xi32>, memref<128xi32>
  tile.return
}
"""
size = 1000
following = np.full(size, -1, np.int32)
for index in range(size):
    if index + 1 < size and rng.random() < 0.95:
        following[index] = rng.integers(index + 1, min(index + 60, size))
lengths = np.zeros(size, np.int32)
for index in reversed(range(size)):
    if following[index] >= 0:
        lengths[index] = lengths[following[index]] + 1
length, around = run(CHAIN, "f", following,
                     InOut(np.full(128, -1, np.int32)), Out())
same(length, lengths[:128], "chains")
mirrored = lengths[127::-1]
same(around, np.where(mirrored % 2 == 1, -mirrored, mirrored), "mirrored")

# Between tiles of a loop: a thread's element feeds a sum over the block.
SUM = """tile.kernel @f(%a: memref<64xf64>, %r: memref<64xf64>) attributes {block = 64 : i64} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %t = tile.load %a[%zero] : memref<64xf64> -> !tile.tile<64xf64>
  %u = scf.for %i = %zero to %four step %one iter_args(%x = %t) -> (!tile.tile<64xf64>) {
    %s = tile.reduce max %x axis 0 : !tile.tile<64xf64> to !tile.tile<f64>
    %b = tile.broadcast %s : !tile.tile<f64> to !tile.tile<64xf64>
    %y = tile.per_thread %x, %b : !tile.tile<64xf64>, !tile.tile<64xf64> to !tile.tile<64xf64> {
    ^bb0(%thread: index, %e: f64, %m: f64):
      %d = arith.subf %m, %e : f64
      tile.yield %d : f64
    }
    scf.yield %y : !tile.tile<64xf64>
  }
  tile.store %u, %r[%zero] : !tile.tile<64xf64>, memref<64xf64>
  tile.return
}
"""
a = random_values(rng, (64,), "f64")
expected = a
for i in range(4):
    expected = expected.max() - expected
same(run(SUM, "f", a, Out()), expected, "per_thread in a loop")

# The other types; f8 and i1 are moved.
for element in ("f64", "f16", "bf16", "f8E4M3FN", "i1", "i8", "i64"):
    t = "!tile.tile<96x%s>" % element
    program = """tile.kernel @f(%%a: memref<96x%s>, %%r: memref<96x%s>) attributes {block = 96 : i64} {
  %%zero = arith.constant 0 : index
  %%t = tile.load %%a[%%zero] : memref<96x%s> -> %s
  %%u = tile.per_thread %%t : %s to %s {
  ^bb0(%%thread: index, %%e: %s):
    %%last = arith.constant 95 : index
    %%mirror = arith.subi %%last, %%thread : index
    %%m = memref.load %%a[%%mirror] : memref<96x%s>
    %%half = arith.constant 48 : index
    %%isLow = arith.cmpi slt, %%thread, %%half : index
    %%c = arith.select %%isLow, %%e, %%m : %s
    tile.yield %%c : %s
  }
  tile.store %%u, %%r[%%zero] : %s, memref<96x%s>
  tile.return
}
""" % (element, element, element, t, t, t, element, element, element, element,
       t, element)
    a = random_values(rng, (96,), element)
    found = run(program, "f", a, Out())
    expected = np.where(np.arange(96) < 48, a, a[::-1])
    assert found.tobytes() == expected.astype(a.dtype).tobytes(), element

# Vectors of these types: all are moved, and bf16 and f16 are computed with.
VECTORS = """tile.kernel @f(%%a: memref<64x3x%(e)s>, %%r: memref<64x4x%(e)s>) attributes {block = 64 : i64} {
  %%zero = arith.constant 0 : index
  %%t = tile.load %%a[%%zero, %%zero] : memref<64x3x%(e)s> -> !tile.tile<64x3x%(e)s>
  %%u = tile.per_thread %%t : !tile.tile<64x3x%(e)s> to !tile.tile<64x4x%(e)s> {
  ^bb0(%%thread: index, %%v: vector<3x%(e)s>):
    %(body)s
    tile.yield %%w : vector<4x%(e)s>
  }
  tile.store %%u, %%r[%%zero, %%zero] : !tile.tile<64x4x%(e)s>, memref<64x4x%(e)s>
  tile.return
}
"""
MOVE = """%%x = vector.extract %%v[2] : %(e)s from vector<3x%(e)s>
    %%s = vector.shuffle %%v, %%v [1, 0, 5, 2] : vector<3x%(e)s>, vector<3x%(e)s>
    %%w = vector.insert %%x, %%s [0] : %(e)s into vector<4x%(e)s>"""
COMPUTE = """%%half = arith.constant dense<0.5> : vector<3x%(e)s>
    %%d = arith.addf %%v, %%v : vector<3x%(e)s>
    %%m = arith.mulf %%d, %%half : vector<3x%(e)s>
    %%p = vector.fma %%m, %%half, %%v : vector<3x%(e)s>
    %%o = vector.reduction <maximumf>, %%v : vector<3x%(e)s> into %(e)s
    %%b = vector.broadcast %%o : %(e)s to vector<4x%(e)s>
    %%q = vector.insert_strided_slice %%p, %%b {offsets = [1], strides = [1]} : vector<3x%(e)s> into vector<4x%(e)s>
    %%w = arith.negf %%q : vector<4x%(e)s>"""
for element in ("f16", "bf16", "f8E4M3FN", "f8E5M2"):
    a = random_values(rng, (64, 3), element)
    words = {"e": element}
    found = run(VECTORS % {**words, "body": MOVE % words}, "f", a, Out())
    assert found.tobytes() == a[:, [2, 0, 2, 2]].tobytes(), element
    if element in ("f16", "bf16"):
        found = run(VECTORS % {**words, "body": COMPUTE % words}, "f", a,
                    Out())
        x = decode(a, element).astype(np.float64)
        expected = -np.concatenate([x.max(1, keepdims=True), 1.5 * x], 1)
        assert found.tobytes() == encode(expected, element).tobytes(), element

# Each thread updates its element of an array in place, and all threads update one
# sum. Threads of the last warp beyond the program's count do nothing: the rest of
# the array keeps its values. The compiler cannot see that their divisors are zero.
COUNT = """tile.kernel @f(%%a: memref<%(all)dxi32>, %%sum: memref<1xi32>, %%r: memref<%(n)dxi32>) attributes {block = %(n)d : i64} {
  %%c0 = arith.constant 0 : index
  %%t = tile.per_thread to !tile.tile<%(n)dxi32> {
  ^bb0(%%thread: index):
    %%zero = arith.constant 0 : index
    %%x = memref.load %%a[%%thread] : memref<%(all)dxi32>
    %%y = arith.addi %%x, %%x : i32
    memref.store %%y, %%a[%%thread] : memref<%(all)dxi32>
    %%old = memref.atomic_rmw addi %%y, %%sum[%%zero] : (i32, memref<1xi32>) -> i32
    %%one = arith.constant 1 : i32
    %%divisor = arith.ori %%x, %%one : i32
    tile.yield %%divisor : i32
  }
  %%dividend = arith.constant dense<1000003> : !tile.tile<%(n)dxi32>
  %%q = arith.divsi %%dividend, %%t : !tile.tile<%(n)dxi32>
  tile.store %%q, %%r[%%c0] : !tile.tile<%(n)dxi32>, memref<%(n)dxi32>
  tile.return
}
"""
for n in (1, 7, 17, 31, 33, 96, 100):
    whole = -(-n // 32) * 32
    a = random_values(rng, (whole,), "i32")
    changed, total, quotient = run(COUNT % {"n": n, "all": whole}, "f",
                                   InOut(a), InOut(np.array([7], np.int32)),
                                   Out())
    same(changed, np.concatenate([a[:n] * 2, a[n:]]), "in place")
    same(total, np.array([7 + int((a[:n] * 2).astype(np.int64).sum())],
                         np.int64).astype(np.int32), "sum by threads")
    same(quotient, np.trunc(1000003 / (a[:n] | 1)).astype(np.int32),
         "divisors of threads")

# Between two operations of per-thread code, operations on tiles use whole warps.
WARPS = """tile.kernel @f(%%a: memref<%(n)dxf32>, %%b: memref<16x16xf32>, %%r: memref<%(n)dxf32>, %%s: memref<%(n)dxf32>, %%c: memref<16x16xf32>) attributes {block = %(n)d : i64} {
  %%zero = arith.constant 0 : index
  %%x = tile.load %%a[%%zero] : memref<%(n)dxf32> -> !tile.tile<%(n)dxf32>
  %%m = tile.load %%b[%%zero, %%zero] : memref<16x16xf32> -> !tile.tile<16x16xf32>
  %%acc = arith.constant dense<0.0> : !tile.tile<16x16xf32>
  %%p = tile.matmul %%m, %%m, %%acc : !tile.tile<16x16xf32>, !tile.tile<16x16xf32> -> !tile.tile<16x16xf32>
  %%top = tile.reduce max %%x axis 0 : !tile.tile<%(n)dxf32> to !tile.tile<f32>
  %%all = tile.broadcast %%top : !tile.tile<f32> to !tile.tile<%(n)dxf32>
  %%d = tile.per_thread %%x, %%all : !tile.tile<%(n)dxf32>, !tile.tile<%(n)dxf32> to !tile.tile<%(n)dxf32> {
  ^bb0(%%thread: index, %%e: f32, %%f: f32):
    %%g = arith.subf %%f, %%e : f32
    tile.yield %%g : f32
  }
  %%sorted = tile.sort %%d axis 0 : !tile.tile<%(n)dxf32>
  %%last = tile.reduce max %%d axis 0 : !tile.tile<%(n)dxf32> to !tile.tile<f32>
  %%rest = tile.broadcast %%last : !tile.tile<f32> to !tile.tile<%(n)dxf32>
  tile.store %%sorted, %%r[%%zero] : !tile.tile<%(n)dxf32>, memref<%(n)dxf32>
  tile.store %%rest, %%s[%%zero] : !tile.tile<%(n)dxf32>, memref<%(n)dxf32>
  tile.store %%p, %%c[%%zero, %%zero] : !tile.tile<16x16xf32>, memref<16x16xf32>
  tile.return
}
"""
for n in (1, 7, 17, 31, 33, 100):
    a = random_values(rng, (n,), "f32")
    b = rng.integers(-3, 4, (16, 16)).astype(np.float32)
    r, s, c = run(WARPS % {"n": n}, "f", a, b, Out(), Out(), Out())
    same(r, np.sort(a.max() - a), "sorted")
    same(s, np.full(n, (a.max() - a).max(), np.float32), "greatest")
    same(c, b @ b, "product beside threads")
