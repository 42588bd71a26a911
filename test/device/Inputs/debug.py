# debug.py - tile.print of every type and rank, tile.assert
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

from harness import *

rng = np.random.default_rng(11)
FLOATS = ["f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"]
INTEGERS = ["i1", "i8", "i16", "i32", "i64", "index"]
COMPLEX = ["complex<f32>", "complex<f64>"]
ON_CPU = "--on=cpu" in MACHINE


def launch_with(program, arrays, words=(), grid="1,1,1"):
    """Runs a program that writes no arrays on the harness's machine; returns the
    completed process of tile-run."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.mlir")
        with open(path, "w") as file:
            file.write(program)
        names = []
        for index, array in enumerate(arrays):
            names.append(os.path.join(folder, "%d.npy" % index))
            np.save(names[-1], array)
        COUNTS["runs"] += 1
        return launch(path, ["f"] + names + list(words) + ["--grid=" + grid])


def show(value):
    """Formats a value as C prints it with 6 digits."""
    if isinstance(value, (complex, np.complexfloating)):
        return "(%g, %g)" % (value.real, value.imag)
    if isinstance(value, (float, np.floating)):
        return "%g" % value
    return "%d" % value


def show_tile(text, block, array, element, storage):
    """Returns the lines that a block prints for a tile."""
    lines = ["%s %s: %s, %s" % (text, block, shape_text(array.shape, element),
                                "memory" if ON_CPU else storage)]
    rows = array.reshape(-1, array.shape[-1]) if array.ndim else [[array[()]]]
    return lines + [" " + " ".join(map(show, row)) for row in rows]


def expect(done, lines):
    printed = done.stdout.splitlines()
    if done.returncode != 0 or printed != lines:
        raise SystemExit("expected %s, got %s" % (lines, done))


def print_program(shape, element, storage, block):
    memref = "memref<%s>" % shape_text(shape or (1,), element)
    tile = shape_text(shape, element)
    attribute = ", #tile.shared" if storage == "shared" else ""
    return """tile.kernel @f(%%a: %s) attributes {block = %d : i64} {
  %%z = arith.constant 0 : index
  %%t = tile.load %%a[%s] : %s -> !tile.tile<%s%s>
  tile.print "50%% of \\"%%d\\"", %%t : !tile.tile<%s%s>
  tile.return
}
""" % (memref, block, ", ".join(["%z"] * (len(shape) or 1)), memref, tile,
       attribute, tile, attribute)


def test_tile(shape, element, storage="register", block=64):
    array = random_values(rng, shape, element)
    values = decode(array, element)
    if element in FLOATS and array.size > 4 and element != "f8E4M3FN":
        values.flat[:3] = 0.0, np.inf, -np.inf
        array = encode(values, element)
        values = decode(array, element)
    program = print_program(shape, element, storage, block)
    expect(launch_with(program, [array.reshape(shape or (1,))]),
           show_tile('50% of "%d"', "(0, 0, 0)", values, element, storage))


def test_scalar(element, text, value):
    argument = "%x: " + element
    program = """tile.kernel @f(%s) {
  tile.print "", %%x : %s
  tile.print "no value"
  tile.return
}
""" % (argument, element)
    expect(launch_with(program, [], [text]),
           [" (0, 0, 0): " + show(value), "no value (0, 0, 0)"])


for element in FLOATS + INTEGERS + COMPLEX:
    test_tile((3, 5), element)
    test_tile((2, 7), element, "shared", block=128)
for shape in [(), (1,), (37,), (1, 1), (2, 3, 5), (2, 1, 3, 7)]:
    test_tile(shape, "f32", block=32)
    test_tile(shape, "i16", block=256)
test_scalar("f32", "-2.5", -2.5)
test_scalar("f64", "1e-300", 1e-300)
test_scalar("i8", "-7", -7)
test_scalar("i64", "-9223372036854775808", -2 ** 63)
test_scalar("index", "12345678901", 12345678901)
test_scalar("i1", "1", 1)

# A block prints the lines of one execution together, whatever other blocks print at
# the same time.
array = random_values(rng, (5, 6, 11), "i32")
done = launch_with("""tile.kernel @f(%a: memref<?x6x11xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tile.program_id x
  %t = tile.load %a[%b, %c0, %c0] : memref<?x6x11xi32> -> !tile.tile<6x11xi32>
  scf.for %i = %c0 to %c2 step %c1 {
    tile.print "block", %t : !tile.tile<6x11xi32>
    tile.print "round", %i : index
  }
  tile.return
}
""", [array], grid="5,1,1")
assert done.returncode == 0, done
lines = done.stdout.splitlines()
tiles = {"(%d, 0, 0)" % n: array[n] for n in range(5)}
printed = []
while lines:
    block = re.match(r"\w+ (\(\d+, 0, 0\)): ", lines[0])[1]
    count = sum(1 for of in printed if of == block)
    if count % 2:
        wanted = ["round %s: %d" % (block, count // 2)]
    else:
        wanted = show_tile("block", block, tiles[block], "i32", "register")
    assert lines[:len(wanted)] == wanted, (lines[:len(wanted)], wanted)
    del lines[:len(wanted)]
    printed.append(block)
assert sorted(printed) == sorted(4 * list(tiles)), printed


def test_assert(shape, wrong, block, storage=""):
    """Asserts that elements are below a limit, which `wrong` of them are not."""
    array = rng.integers(-100, 100, shape).astype(np.int32)
    indices = rng.permutation(array.size)[:wrong]
    array.flat[indices] = 100
    memref = "memref<%s>" % shape_text(shape, "i32")
    done = launch_with("""tile.kernel @f(%%a: %s) attributes {block = %d : i64} {
  %%z = arith.constant 0 : index
  %%limit = arith.constant dense<100> : !tile.tile<%s>
  %%t = tile.load %%a[%s] : %s -> !tile.tile<%s>
  %%ok = arith.cmpi slt, %%t, %%limit : !tile.tile<%s>
  tile.assert %%ok, "expected 100%% below \\"%%s\\"" : !tile.tile<%s>
  tile.return
}
""" % (memref, block, shape_text(shape, "i32"),
       ", ".join(["%z"] * len(shape)), memref, shape_text(shape, "i32"),
       shape_text(shape, "i32"), shape_text(shape, "i1")), [array])
    if not wrong:
        assert done.returncode == 0, done
        return
    assert done.returncode not in (0, REFUSED) and done.returncode > 0, done
    if "--on=cuda" in MACHINE:
        assert 'expected 100% below "%s"' in done.stdout + done.stderr, done
    else:
        assert re.search(r"program.mlir:6:3: error: assertion failed: "
                         r'expected 100% below "%s"', done.stderr), done


for shape, block in [((1,), 32), ((3, 5), 64), ((200,), 128), ((2, 3, 7), 32)]:
    for wrong in (0, 1, np.prod(shape)):
        test_assert(shape, wrong, block)

# A condition of the whole program; statements after a failed one do not run.
for block in (3, 4):
    done = launch_with("""tile.kernel @f(%n: index) {
  %b = tile.program_id y
  %ok = arith.cmpi ult, %b, %n : index
  tile.assert %ok, "expected few blocks" : i1
  tile.print "reached"
  tile.return
}
""", [], [str(block)], grid="1,4,1")
    assert (done.returncode == 0) == (block == 4), done
    reached = set(done.stdout.splitlines()) - {""}
    allowed = {"reached (0, %d, 0)" % n for n in range(block)}
    if "--on=cuda" not in MACHINE:
        assert reached == allowed if block == 4 else reached <= allowed, done
