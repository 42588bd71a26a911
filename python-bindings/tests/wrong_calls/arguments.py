# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of a call: values that are neither arrays nor scalars, and arrays that no
kernel takes."""

import decimal

import numpy as np

import tile_mlir as tile
from wrong_calls.table import X, at_line, of_type, refused


@tile.kernel
def copy(x, y, *, n=4):
    tile.store(y, 0, tile.load(x, 0, n))


@tile.kernel
def shift(x, k):
    tile.store(x, k, 1.0)


# ----------------------------------------------------------------------------
# Values that are no arrays
# ----------------------------------------------------------------------------


@refused(tile.ArgumentError, "expected an array or a number for 'x', got list; "
                             "np.array makes an array of it")
def list_as_array():
    copy[1]([1.0, 2.0], X)


@at_line("expected an array, an argument of the kernel, got None", X, None)
def none_as_array(x, y):
    tile.store(y, 0, tile.load(x, 0, 4))  # here


@refused(tile.ArgumentError, "expected an array or a number for 'x', got str")
def text_as_array():
    copy[1]("x", X)


@refused(tile.ArgumentError, "expected an array or a number for 'x', got bytearray")
def bytes_as_array():
    copy[1](bytearray(64), X)


@refused(tile.ArgumentError, "expected an array or a number for 'x', got memoryview")
def memory_as_array():
    copy[1](memoryview(X), X)


@refused(tile.ArgumentError, "expected an array or a number for 'x', got "
                             "builtin_function_or_method")
def function_as_array():
    copy[1](np.zeros, X)


@refused(tile.ArgumentError, "expected an array or a number for 'y', got type")
def type_of_numpy_as_array():
    copy[1](X, np.float32)


@refused(tile.ArgumentError, "expected an array or a number for 'k', got Decimal")
def decimal_number():
    shift[1](X, decimal.Decimal(2))


@refused(tile.ArgumentError, "expected an array or a number for 'k', got datetime64")
def date():
    shift[1](X, np.datetime64("2026-01-01"))


@refused(tile.ArgumentError, "'k': " + of_type("dtype('float128')"))
def wide_number_of_numpy():
    shift[1](X, np.longdouble(1))


@refused(tile.ArgumentError, "'k': " + of_type("dtype('complex256')"))
def wide_complex_number_of_numpy():
    shift[1](X, np.clongdouble(2j))


@refused(tile.ArgumentError, "expected a number of 64 bits for 'k', got "
                             "9223372036854775808")
def number_beyond_64_bits():
    shift[1](X, 2 ** 63)


@refused(tile.ArgumentError, "expected a number of 64 bits for 'k', got "
                             "-9223372036854775809")
def number_below_64_bits():
    shift[1](X, -2 ** 63 - 1)


@refused(tile.ArgumentError, "expected an array or a number for 'x' of a call, got the "
                             "type array of ? f32")
def type_in_place_of_an_array():
    copy[1](tile.ir.ArrayType((None,), tile.f32), X)


@refused(tile.ArgumentError, "expected an array or a number for 'k' of a call, got the "
                             "type tile.f32")
def element_in_place_of_a_number():
    shift[1](X, tile.f32)


@refused(tile.ArgumentError, "expected an array or a number for 'y', got TileType")
def tile_type_for_trace():
    copy.trace(X, tile.ir.TileType((4,), tile.f32))


@refused(tile.ArgumentError, "copy(x, y, *, n=4): missing a required argument: 'x'")
def nothing_to_trace():
    copy.trace()


# ----------------------------------------------------------------------------
# Arrays
# ----------------------------------------------------------------------------


@refused(tile.ArgumentError, "'y': " + of_type("dtype('O')"))
def array_of_objects():
    copy[1](X, X.astype(object))


@refused(tile.ArgumentError, "'x': " + of_type("dtype('<U1')"))
def array_of_texts():
    copy[1](np.array(["a", "b"]), X)


@refused(tile.ArgumentError, "'x': " + of_type("dtype('S2')"))
def array_of_bytes():
    copy[1](np.array([b"a", b"bc"]), X)


@refused(tile.ArgumentError, "'x': " + of_type("dtype([('a', '<f4'), ('b', '<i4')])"))
def array_of_records():
    copy[1](np.zeros(4, [("a", "f4"), ("b", "i4")]), X)


@refused(tile.ArgumentError, "'x': " + of_type("dtype('V4')"))
def array_of_raw_bytes():
    copy[1](np.zeros(4, "V4"), X)


@refused(tile.ArgumentError, "'x': " + of_type("dtype('<M8[s]')"))
def array_of_dates():
    copy[1](np.zeros(4, "M8[s]"), X)


@refused(tile.ArgumentError, "'x': " + of_type("dtype('float128')"))
def array_of_wide_numbers():
    copy[1](np.zeros(4, np.longdouble), X)


@refused(tile.ArgumentError, "'x': " + of_type("dtype('complex256')"))
def array_of_wide_complex_numbers():
    copy[1](np.zeros(4, np.clongdouble), X)


@refused(tile.ArgumentError, "expected 'y' in the byte order of the machine, got >f4")
def array_of_another_byte_order():
    copy[1](X, X.astype(">f4"))


@at_line("expected 0 offsets, one for each dimension of the array, got 1", X,
         np.zeros((), np.float32))
def offset_of_an_array_of_no_dimension(x, y):
    tile.store(y, 0, tile.load(x, 0, ()))  # here


@at_line("expected a tile, a scalar or a number for an operator, got an array of scalar "
         "f32; [()] reads it", X, np.zeros((), np.float32))
def sum_of_an_array_of_no_dimension(x, y):
    y + tile.load(x, 0, 4)  # here


@refused(tile.ArgumentError, "expected 'x' to have at most eight dimensions, got 9")
def array_of_nine_dimensions():
    copy[1](np.zeros((1,) * 9, np.float32), X)


@refused(tile.ArgumentError, "expected strides of 'x' in whole elements, got (6,) "
                             "bytes of 4")
def member_of_records():
    records = np.zeros(4, np.dtype([("a", "f4"), ("b", "i2")]))
    copy[1](records["a"], X)


@refused(tile.ArgumentError, "expected elements of 'x' at multiples of 4 bytes, got "
                             "others")
def array_that_is_not_aligned():
    data = np.zeros(65, np.uint8)
    copy[1](np.frombuffer(data, np.float32, 15, offset=1), X)


@refused(tile.ArgumentError, "expected 'x' without a mask, got an array with one")
def array_with_a_mask():
    copy[1](np.ma.array(X, mask=X > 0), X)


@refused(tile.ArgumentError, "expected 'y' to be writable, since the kernel writes it, "
                             "got a read-only array")
def read_only_output():
    y = np.zeros(4, np.float32)
    y.flags.writeable = False
    copy[1](X, y)


@refused(tile.ArgumentError, "expected 'y' to be writable, since the kernel writes it, "
                             "got a read-only array")
def repeated_output():
    copy[1](X, np.broadcast_to(np.float32(1), 9))


@refused(tile.ArgumentError, "expected 'y', which the kernel writes, to share no "
                             "memory with 'x', got arrays that do; what is updated in "
                             "place is one argument, read and written")
def output_that_is_the_input():
    copy[1](X, X)


@refused(tile.ArgumentError, "expected 'y', which the kernel writes, to share no "
                             "memory with 'x', got arrays that do; what is updated in "
                             "place is one argument, read and written")
def output_that_overlaps_the_input():
    copy[1](X[1:], X[:-1])


class Interface:
    """An array by CUDA's interface."""

    def __init__(self, **members):
        self.__cuda_array_interface__ = {
            "shape": (4,), "typestr": "<f4", "data": (4096, False), "version": 3,
            **members}


@refused(tile.ArgumentError, "expected '__cuda_array_interface__' of 'x' with "
                             "'typestr', 'shape' and 'data', got another: TypeError: "
                             "cannot unpack non-iterable NoneType object")
def interface_without_data():
    copy[1](Interface(data=None), X)


@refused(tile.ArgumentError, "expected '__cuda_array_interface__' of 'x' with "
                             "'typestr', 'shape' and 'data', got another: TypeError: "
                             "data type '?7' not understood")
def interface_of_an_unknown_type():
    copy[1](Interface(typestr="?7"), X)


@refused(tile.ArgumentError, "expected '__cuda_array_interface__' of 'x' with "
                             "'typestr', 'shape' and 'data', got another: TypeError: "
                             "string indices must be integers, not 'str'")
def interface_of_a_text():
    class Wrong:
        __cuda_array_interface__ = "array"

    copy[1](Wrong(), X)


@refused(tile.ArgumentError, "expected 'x' without a mask, got an array with one")
def interface_with_a_mask():
    copy[1](Interface(mask=X), X)


@refused(tile.ArgumentError, "expected '__cuda_array_interface__' of 'x' with "
                             "'typestr', 'shape' and 'data', got another: TypeError: "
                             "'str' object cannot be interpreted as an integer")
def interface_of_a_text_as_shape():
    copy[1](Interface(shape="four"), X)


@refused(tile.ArgumentError, "expected 1 strides of 'x', got 2")
def interface_of_other_strides():
    copy[1](Interface(strides=(4, 4)), X)


@refused(tile.ArgumentError, "expected 'x' in the byte order of the machine, got >f4")
def interface_of_another_byte_order():
    copy[1](Interface(typestr=">f4"), X)


# ----------------------------------------------------------------------------
# Parameters
# ----------------------------------------------------------------------------


@refused(tile.ArgumentError, "copy(x, y, *, n=4): missing a required argument: 'y'")
def missing_argument():
    copy[1](X)


@refused(tile.ArgumentError, "copy(x, y, *, n=4): too many positional arguments")
def one_argument_more():
    copy[1](X, X, X)


@refused(tile.ArgumentError, "copy(x, y, *, n=4): got an unexpected keyword argument "
                             "'m'")
def unknown_keyword():
    copy[1](X, X, m=4)


@refused(tile.ArgumentError, "copy(x, y, *, n=4): multiple values for argument 'x'")
def argument_twice():
    copy[1](X, X, x=X)


@refused(tile.ArgumentError, "copy(x, y, *, n=4): too many positional arguments")
def constant_by_its_position():
    copy[1](X, X, 8)


@refused(tile.ArgumentError, "expected constants that can be hashed, got {'n': [4]}: "
                             "unhashable type: 'list'")
def list_as_constant():
    copy[1](X, X, n=[4])


@refused(tile.ArgumentError, "expected constants that can be hashed, got {'n': "
                             "array([0., 0.])}: unhashable type: 'numpy.ndarray'")
def array_as_constant():
    copy[1](X, X, n=np.zeros(2))


@refused(tile.ArgumentError, "expected constants that can be hashed, got {'n': (4, "
                             "[4])}: unhashable type: 'list'")
def list_in_a_tuple_as_constant():
    copy[1](X, X, n=(4, [4]))


@refused(tile.CompileError, "expected positive extents of a tile, got '4'")
def text_as_constant():
    copy[1](X, X, n="4")


@refused(tile.ArgumentError, "expected a tuple of outputs among metadata, ptx, cubin, "
                             "llvm, report, report.json, ir, got ('ptx', 'sass')")
def no_words():
    copy.compile(X, X, outputs=("ptx", "sass"))


@refused(tile.ArgumentError, "expected a tuple of outputs among metadata, ptx, cubin, "
                             "llvm, report, report.json, ir, got 'ptx'")
def text_as_words():
    copy.compile(X, X, outputs="ptx")


@refused(tile.ArgumentError, "expected a text for an architecture, got 90")
def number_as_an_architecture():
    copy.compile(X, X, arch=90)


@refused(tile.ArgumentError, "expected an architecture (sm_80, sm_86, sm_87, sm_89, "
                             "sm_90, sm_90a, sm_100, sm_100a, sm_103, sm_103a, sm_120, "
                             "sm_120a, sm_121, sm_121a), found 'sm_91'")
def unknown_architecture():
    copy.compile(X, X, arch="sm_91")


@refused(tile.UnknownPhaseError, "expected a phase among traced, tile-canonical-form, "
                                 "tile-decompose, ...")
def unknown_phase():
    copy.specialize(X, X).ir["tile-assign-layout"]


@refused(tile.UnknownPhaseError, "expected a phase among traced, tile-canonical-form, "
                                 "tile-decompose, ...")
def number_as_a_phase():
    copy.specialize(X, X).ir[3]


@refused(tile.ArgumentError, "expected a text for an architecture, got 9.0")
def number_as_an_architecture_to_look_at():
    copy.specialize(X, X, arch=9.0).ptx


@refused(tile.ArgumentError, "expected an output of ptx, llvm, cubin, report, "
                             "report.json, got 'sass'")
def unknown_output():
    copy.specialize(X, X).get("sass")


@refused(tile.TileError, "expected a call of the kernel 'uncalled' before, or "
                         "uncalled.specialize(...) with arguments, got neither")
def look_before_a_call():
    @tile.kernel
    def uncalled(x):
        pass

    uncalled.ptx
