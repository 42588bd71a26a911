# shape.py - view, transpose, broadcast, reshape, and tiles through control flow
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from harness import *

rng = np.random.default_rng(5)


def shape_test(body, source, result, expected, element="f32"):
    """Checks %r, which `body` computes from the tile %0."""
    a = encode(rng.standard_normal(source), element)
    program = kernel(
        "%%a: %s, %%out: %s" % (memref(source, element),
                                memref(result, element)),
        load("0", "a", source, element) + "  %s\n" % body +
        store("r", "out", result, element))
    same(run(program, "f", a, Out()), expected(a), body)


for element in ["f32", "f16", "bf16", "f8E5M2", "i8", "i64", "complex<f64>",
                "i1"]:
    e = element
    shape_test("%%r = tile.transpose %%0 [1, 0] : !tile.tile<5x9x%s> to "
               "!tile.tile<9x5x%s>" % (e, e), (5, 9), (9, 5), lambda a: a.T, e)
    shape_test("%%i = arith.constant 2 : index\n  %%j = arith.constant 3 : index\n"
               "  %%r = tile.view %%0[%%i, %%j] : !tile.tile<5x9x%s> to "
               "!tile.tile<3x4x%s>" % (e, e), (5, 9), (3, 4),
               lambda a: a[2:5, 3:7], e)
    shape_test("%%r = tile.broadcast %%0 : !tile.tile<1x9x%s> to "
               "!tile.tile<3x4x9x%s>" % (e, e), (1, 9), (3, 4, 9),
               lambda a: np.broadcast_to(a, (3, 4, 9)), e)
    shape_test("%%r = tile.reshape %%0 : !tile.tile<6x10x%s> to "
               "!tile.tile<4x15x%s>" % (e, e), (6, 10), (4, 15),
               lambda a: a.reshape(4, 15), e)
for permutation in [(2, 0, 1), (1, 2, 0), (0, 2, 1), (2, 1, 0)]:
    shape = (3, 4, 5)
    to = tuple(shape[p] for p in permutation)
    shape_test("%%r = tile.transpose %%0 %s : !tile.tile<3x4x5xf32> to "
               "!tile.tile<%s>" % (list(permutation), shape_text(to, "f32")),
               shape, to, lambda a: a.transpose(permutation))
# A view, transposed, reshaped: parts of buffers that are not contiguous.
shape_test("""%i = arith.constant 1 : index
  %v = tile.view %0[%i, %i] : !tile.tile<5x9xf32> to !tile.tile<4x6xf32>
  %f = tile.reshape %v : !tile.tile<4x6xf32> to !tile.tile<24xf32>
  %r = tile.reshape %f : !tile.tile<24xf32> to !tile.tile<8x3xf32>""",
           (5, 9), (8, 3), lambda a: a[1:5, 1:7].reshape(8, 3))
shape_test("""%i = tile.reduce add %0 : !tile.tile<1x1xf32> to !tile.tile<f32>
  %b = tile.broadcast %i : !tile.tile<f32> to !tile.tile<3x2xf32>
  %s = tile.reshape %i : !tile.tile<f32> to !tile.tile<1x1xf32>
  %u = tile.broadcast %s : !tile.tile<1x1xf32> to !tile.tile<3x2xf32>
  %z = arith.subf %b, %u : !tile.tile<3x2xf32>
  %r = arith.addf %z, %b : !tile.tile<3x2xf32>""",
           (1, 1), (3, 2), lambda a: np.broadcast_to(a, (3, 2)))
shape_test("""%s = tile.convert_layout %0 : !tile.tile<4x4xf32> to !tile.tile<4x4xf32, #tile.shared>
  %r = tile.convert_layout %s : !tile.tile<4x4xf32, #tile.shared> to !tile.tile<4x4xf32>""",
           (4, 4), (4, 4), lambda a: a)

# A loop swaps two tiles; its result is used together with the initial tile.
shape_test("""%one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %n = arith.negf %0 : !tile.tile<4x7xf32>
  %x, %y = scf.for %i = %zero to %five step %one iter_args(%p = %0, %q = %n)
      -> (!tile.tile<4x7xf32>, !tile.tile<4x7xf32>) {
    %d = arith.addf %q, %q : !tile.tile<4x7xf32>
    scf.yield %d, %p : !tile.tile<4x7xf32>, !tile.tile<4x7xf32>
  }
  %s = arith.subf %x, %y : !tile.tile<4x7xf32>
  %r = arith.addf %s, %0 : !tile.tile<4x7xf32>""", (4, 7), (4, 7),
           lambda a: (-8 * a - 4 * a) + a)
shape_test("""%one = arith.constant 1 : index
  %c = arith.cmpi slt, %zero, %one : index
  %x = scf.if %c -> !tile.tile<2x3xf32> {
    %i = arith.constant 1 : index
    %v = tile.view %0[%i, %zero] : !tile.tile<4x7xf32> to !tile.tile<2x3xf32>
    scf.yield %v : !tile.tile<2x3xf32>
  } else {
    %k = arith.constant dense<3.0> : !tile.tile<2x3xf32>
    scf.yield %k : !tile.tile<2x3xf32>
  }
  %r = arith.addf %x, %x : !tile.tile<2x3xf32>""", (4, 7), (2, 3),
           lambda a: 2 * a[1:3, :3])
WHILE = """tile.kernel @f(%a: memref<8xf32>, %n: index, %out: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = tile.load %a[%zero] : memref<8xf32> -> !tile.tile<8xf32>
  %r:2 = scf.while (%t = %0, %i = %zero) : (!tile.tile<8xf32>, index)
      -> (!tile.tile<8xf32>, index) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %t, %i : !tile.tile<8xf32>, index
  } do {
  ^body(%t: !tile.tile<8xf32>, %i: index):
    %u = arith.addf %t, %t : !tile.tile<8xf32>
    %j = arith.addi %i, %one : index
    scf.yield %u, %j : !tile.tile<8xf32>, index
  }
  tile.store %r#0, %out[%zero] : !tile.tile<8xf32>, memref<8xf32>
  tile.return
}
"""
a = rng.standard_normal(8).astype(np.float32)
for steps in [0, 1, 5]:
    same(run(WHILE, "f", a, steps, Out()), a * np.float32(2 ** steps), "while")

# A load reads the elements that an earlier store wrote, also within one array.
ORDER = """tile.kernel @f(%a: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %0 = tile.load %a[%zero] : memref<8xf32> -> !tile.tile<4xf32>
  tile.store %0, %a[%three] : !tile.tile<4xf32>, memref<8xf32>
  %1 = tile.load %a[%three] : memref<8xf32> -> !tile.tile<4xf32>
  %2 = arith.addf %0, %1 : !tile.tile<4xf32>
  tile.store %2, %a[%zero] : !tile.tile<4xf32>, memref<8xf32>
  tile.return
}
"""
expected = a.copy()
expected[3:7] = a[:4]
expected[:4] = a[:4] * 2
same(run(ORDER, "f", InOut(a)), expected, "order of memory operations")

# Calls are inlined; each block has its position in the grid.
GRID = """func.func private @twice(%t: !tile.tile<1x1x1xi64>) -> !tile.tile<1x1x1xi64> {
  %u = arith.addi %t, %t : !tile.tile<1x1x1xi64>
  return %u : !tile.tile<1x1x1xi64>
}
tile.kernel @f(%out: memref<?x?x?xi64>, %s: i64) {
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %0 = arith.muli %z, %ny : index
  %1 = arith.addi %0, %y : index
  %2 = arith.muli %1, %nx : index
  %3 = arith.addi %2, %x : index
  %4 = arith.index_cast %3 : index to i64
  %5 = arith.addi %4, %s : i64
  %t = tile.fill %5 : !tile.tile<1x1x1xi64>
  %u = func.call @twice(%t) : (!tile.tile<1x1x1xi64>) -> !tile.tile<1x1x1xi64>
  tile.store %u, %out[%z, %y, %x] : !tile.tile<1x1x1xi64>, memref<?x?x?xi64>
  tile.return
}
"""
same(run(GRID, "f", Out(3, 5, 7), 11, grid="7,5,3"),
     2 * (np.arange(105).reshape(3, 5, 7) + 11), "grid")

# An element as a scalar, parts into a tile, tiles side by side.
for element in ["f32", "f64", "f16", "bf16", "f8E5M2", "i1", "i8", "i64",
                "complex<f32>"]:
    for shape, part, at in [((7, 19), (3, 5), (4, 13)), ((7, 19), (7, 1), (0, 6)),
                            ((40,), (33,), (2,)), ((2, 3, 5), (1, 1, 1), (1, 2, 4)),
                            ((64, 64), (16, 64), (21, 0))]:
        whole = random_values(rng, shape, element)
        piece = random_values(rng, part, element)
        indices = ", ".join("%%i%d" % n for n in range(len(shape)))
        t, one = tile_type(shape, element), (1,) * len(shape)
        program = kernel(
            "%%a: %s, %%b: %s, %%r: %s, %%x: %s, %s" % (
                memref(shape, element), memref(part, element),
                memref(shape, element), memref(one, element),
                ", ".join("%%i%d: index" % n for n in range(len(shape)))),
            load("t", "a", shape, element) + load("p", "b", part, element) +
            "  %%s = tile.insert %%p into %%t[%s] : %s into %s\n" % (
                indices, tile_type(part, element), t) +
            store("s", "r", shape, element) +
            "  %%e = tile.extract %%s[%s] : %s\n" % (indices, t) +
            "  %%f = tile.fill %%e : %s\n" % tile_type(one, element) +
            store("f", "x", one, element))
        result, picked = run(program, "f", whole, piece, Out(), Out(), *at)
        expected = whole.copy()
        expected[tuple(slice(o, o + n) for o, n in zip(at, part))] = piece
        what = "insert %s %s" % (shape, element)
        assert result.tobytes() == expected.tobytes(), what
        assert picked.tobytes() == expected[at].tobytes(), what
    for shapes, axis in [([(3, 5), (3, 1), (3, 7)], 1), ([(2,), (31,)], 0),
                         ([(4, 3, 5), (1, 3, 5)], 0), ([(16, 64)], 1)]:
        parts = [random_values(rng, shape, element) for shape in shapes]
        expected = np.concatenate(parts, axis)
        program = kernel(
            "%s, %%r: %s" % (
                ", ".join("%%a%d: %s" % (n, memref(shape, element))
                          for n, shape in enumerate(shapes)),
                memref(expected.shape, element)),
            "".join(load("%d" % n, "a%d" % n, shape, element)
                    for n, shape in enumerate(shapes)) +
            "  %%j = tile.join %s axis %d : %s to %s\n" % (
                ", ".join("%%%d" % n for n in range(len(shapes))), axis,
                ", ".join(tile_type(shape, element) for shape in shapes),
                tile_type(expected.shape, element)) +
            store("j", "r", expected.shape, element))
        result = run(program, "f", *parts, Out())
        assert result.tobytes() == expected.tobytes(), (
            "join", shapes, axis, element)

# Parts inserted into a tile from before the loop: each iteration starts from that tile.
AT_EACH_INDEX = """tile.kernel @f(%a: memref<64xf32>, %b: memref<16xf32>, %r: memref<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %t = tile.load %a[%c0] : memref<64xf32> -> !tile.tile<64xf32, #tile.shared<(64):(1)>>
  %p = tile.load %b[%c0] : memref<16xf32> -> !tile.tile<16xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = arith.muli %i, %c16 : index
    %s = tile.insert %p into %t[%o] : !tile.tile<16xf32> into !tile.tile<64xf32, #tile.shared<(64):(1)>>
    tile.store %s, %r[%i, %c0] : !tile.tile<64xf32, #tile.shared<(64):(1)>>, memref<4x64xf32>
  }
  tile.return
}
"""
whole, piece = random_values(rng, (64,), "f32"), random_values(rng, (16,), "f32")
expected = np.tile(whole, (4, 1))
for n in range(4):
    expected[n, 16 * n:16 * n + 16] = piece
same(run(AT_EACH_INDEX, "f", whole, piece, Out()), expected, "insert in a loop")

# A part inserted into a view of a tile leaves the tile unchanged.
OF_A_VIEW = """tile.kernel @f(%a: memref<9x11xf32>, %b: memref<2x3xf32>, %n: index, %r: memref<4x7xf32>) {
  %zero = arith.constant 0 : index
  %t = tile.load %a[%zero, %zero] : memref<9x11xf32> -> !tile.tile<9x11xf32>
  %p = tile.load %b[%zero, %zero] : memref<2x3xf32> -> !tile.tile<2x3xf32>
  %v = tile.view %t[%n, %n] : !tile.tile<9x11xf32> to !tile.tile<4x7xf32>
  %s = tile.insert %p into %v[%n, %n] : !tile.tile<2x3xf32> into !tile.tile<4x7xf32>
  tile.store %s, %r[%zero, %zero] : !tile.tile<4x7xf32>, memref<4x7xf32>
  tile.return
}
"""
whole, piece = random_values(rng, (9, 11), "f32"), random_values(rng, (2, 3), "f32")
expected = whole[1:5, 1:8].copy()
expected[1:3, 1:4] = piece
same(run(OF_A_VIEW, "f", whole, piece, 1, Out()), expected, "insert into a view")

# A loop until the values converge: Newton's square root of 2.
NEWTON = """tile.kernel @f(%r: memref<1xf64>) {
  %zero = arith.constant 0 : index
  %start = arith.constant dense<2.0> : !tile.tile<1xf64>
  %two = arith.constant dense<2.0> : !tile.tile<1xf64>
  %half = arith.constant dense<0.5> : !tile.tile<1xf64>
  %limit = arith.constant 1.0e-14 : f64
  %root = scf.while (%x = %start) : (!tile.tile<1xf64>) -> !tile.tile<1xf64> {
    %square = arith.mulf %x, %x : !tile.tile<1xf64>
    %rest = arith.subf %square, %two : !tile.tile<1xf64>
    %size = math.absf %rest : !tile.tile<1xf64>
    %error = tile.extract %size[%zero] : !tile.tile<1xf64>
    %isFar = arith.cmpf ogt, %error, %limit : f64
    scf.condition(%isFar) %x : !tile.tile<1xf64>
  } do {
  ^body(%x: !tile.tile<1xf64>):
    %share = arith.divf %two, %x : !tile.tile<1xf64>
    %sum = arith.addf %x, %share : !tile.tile<1xf64>
    %next = arith.mulf %sum, %half : !tile.tile<1xf64>
    scf.yield %next : !tile.tile<1xf64>
  }
  tile.store %root, %r[%zero] : !tile.tile<1xf64>, memref<1xf64>
  tile.return
}
"""
near(run(NEWTON, "f", Out()), np.sqrt(2.0), 1e-14, "Newton")
