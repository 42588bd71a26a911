# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that are built without tracing (`tile.ir`), and types."""

import tile_mlir as tile
from tile_mlir import library
from wrong_calls.table import of_type, refused

VECTOR = tile.ir.ArrayType((None,), tile.f32)


def build(make):
    """Builds a program with one kernel of two arrays, whose body `make` builds."""
    builder = tile.ir.Builder()
    with builder.kernel("f", [VECTOR, VECTOR]) as (x, y):
        make(builder, x, y)
    return builder


def load(builder, x, **more):
    [value] = builder.tile("load", source=x, offsets=[builder.constant(0, tile.index)],
                           results=[tile.ir.TileType((4,), tile.f32)], **more)
    return value


@refused(tile.ArgumentError, "expected the name of an operation, got 'lod'")
def unknown_operation():
    build(lambda b, x, y: b.tile("lod", source=x))


@refused(tile.ArgumentError, "expected the name of an operation, got 3")
def operation_of_a_number():
    build(lambda b, x, y: b.tile(3))


@refused(tile.ArgumentError, "tile.load: expected operands and attributes among "
                             "source, offsets, pad, mask, in_bounds, dims, got 'sorce'")
def unknown_operand():
    build(lambda b, x, y: load(b, x, sorce=y))


@refused(tile.ArgumentError, "tile.load: expected one value for 'source', got 0")
def missing_operand():
    build(lambda b, x, y: b.tile("load", offsets=[]))


@refused(tile.ArgumentError, "tile.load: expected one value for 'source', got 2")
def two_for_one_operand():
    build(lambda b, x, y: b.tile("load", source=[x, y], offsets=[]))


@refused(tile.ArgumentError, "tile.load: expected values of the program for 'offsets', "
                             "got 0")
def number_as_operand():
    build(lambda b, x, y: b.tile("load", source=x, offsets=[0]))


@refused(tile.ArgumentError, "tile.load: expected a sequence of ints for 'dims', got "
                             "'all'")
def attribute_of_a_text():
    build(lambda b, x, y: load(b, x, dims="all"))


@refused(tile.ArgumentError, "tile.load: expected a bool for 'in_bounds', got 2")
def unit_of_a_number():
    build(lambda b, x, y: load(b, x, in_bounds=2))


@refused(tile.ArgumentError, "tile.print: expected a text for 'text', got 3")
def text_of_a_number():
    build(lambda b, x, y: b.tile("print", text=3))


@refused(tile.ArgumentError, "expected a value of this kernel, got one of another: "
                             "array of ? f32")
def value_of_another_program():
    kept = []
    build(lambda b, x, y: kept.append(x))
    build(lambda b, x, y: load(b, kept[0]))


@refused(tile.ArgumentError, "expected a value of this body of the program or one "
                             "around it, got a scalar of index of a loop or a branch "
                             "that has ended; what it assigns to a name goes on, what "
                             "it puts into a list does not")
def value_of_a_block_that_has_ended():
    def make(b, x, y):
        with b.block([tile.index]) as block:
            pass
        b.tile("load", source=x, offsets=block.values,
               results=[tile.ir.TileType((4,), tile.f32)])

    build(make)


@refused(tile.ArgumentError, "expected a number, got '1'")
def constant_of_a_text():
    build(lambda b, x, y: b.constant("1", tile.i32))


@refused(tile.ArgumentError, "expected a number that integers have, got inf")
def constant_that_is_no_integer():
    build(lambda b, x, y: b.constant(float("inf"), tile.i32))


@refused(tile.ArgumentError, "expected a real number, got 2j")
def constant_without_an_imaginary_part():
    build(lambda b, x, y: b.constant(2j, tile.f32))


@refused(tile.ArgumentError, "expected a number that tile.f8e4m3 has, got inf")
def constant_beyond_f8():
    build(lambda b, x, y: b.constant(float("inf"), tile.f8e4m3))


@refused(tile.ArgumentError, "expected the program outside of its kernels and blocks, "
                             "got it within one")
def text_within_a_kernel():
    build(lambda b, x, y: b.text())


@refused(tile.ArgumentError, "expected attributes of 1 arguments, got 2")
def attributes_of_other_arguments():
    builder = tile.ir.Builder()
    with builder.kernel("f", [VECTOR], argument_attributes=[{}, {}]):
        pass


# ----------------------------------------------------------------------------
# Types
# ----------------------------------------------------------------------------


@refused(tile.ArgumentError, of_type("None"))
def type_of_none():
    tile.element(None)


@refused(tile.ArgumentError, of_type("''"))
def type_of_no_name():
    tile.element("")


@refused(tile.ArgumentError, of_type("[tile.f32]"))
def type_of_a_list():
    tile.element([tile.f32])


@refused(tile.ArgumentError, of_type("<class 'object'>"))
def type_of_objects():
    tile.element(object)


@refused(tile.ArgumentError, "expected a type that arrays have, got tile.index")
def type_of_arrays_of_indices():
    from tile_mlir import elements
    elements.get_dtype(tile.index)


@refused(tile.ArgumentError, "expected integers for cdiv, the second not zero, got 3 "
                             "and 0")
def division_by_zero():
    tile.cdiv(3, 0)


@refused(tile.ArgumentError, "expected integers for cdiv, the second not zero, got 3.5 "
                             "and 2")
def division_of_a_fraction():
    tile.cdiv(3.5, 2)


@refused(tile.ArgumentError, "expected one to three integers as bounds of "
                             "tile.static_range, the step not zero, got (1, 4, 0)")
def range_of_step_zero():
    tile.static_range(1, 4, 0)


@refused(tile.ArgumentError, "expected one to three integers as bounds of "
                             "tile.static_range, the step not zero, got ('4',)")
def range_of_a_text():
    tile.static_range("4")


@refused(tile.ArgumentError, "expected one to three integers as bounds of "
                             "tile.static_range, the step not zero, got ()")
def range_of_nothing():
    tile.static_range()


# ----------------------------------------------------------------------------
# Programs that do not compile
# ----------------------------------------------------------------------------


def compile_built(make, **options):
    library.compile_text(build(make).text(), machine=library.CUDA, arch="sm_90a",
                         **options)


@refused(tile.CompileError, "'tile.load' op requires one result")
def program_without_results():
    compile_built(lambda b, x, y: b.tile(
        "load", source=x, offsets=[b.constant(0, tile.index)]))


@refused(tile.CompileError, "'tile.load' op expected element type 'f32' (the array's), "
                            "got 'f16'")
def program_of_another_type():
    compile_built(lambda b, x, y: b.tile(
        "load", source=x, offsets=[b.constant(0, tile.index)],
        results=[tile.ir.TileType((4,), tile.f16)]))


@refused(tile.CompileError, "custom op 'kernel' is unknown (tried 'builtin.kernel' as "
                            "well)")
def program_that_is_no_program():
    library.compile_text("kernel", machine=library.CPU)


@refused(tile.CompileError, "expected a module with a kernel, got one without")
def program_of_nothing():
    library.compile_text("", machine=library.CPU)


@refused(tile.ArgumentError, "expected 'machine' from 0 to 3, found 7")
def machine_of_another_number():
    library.compile_text(build(lambda b, x, y: None).text(), machine=7)


@refused(tile.TileError, "expected a result with PTX, found one that was compiled "
                         "without")
def output_that_was_not_asked_for():
    library.compile_text(build(lambda b, x, y: None).text(), machine=library.CPU
                         ).get("ptx")


@refused(tile.ArgumentError, "expected a tuple of outputs among metadata, ptx, cubin, "
                             "llvm, report, report.json, ir, got ('sass',)")
def output_that_there_is_not():
    library.compile_text(build(lambda b, x, y: None).text(), machine=library.CPU
                         ).get("sass")
