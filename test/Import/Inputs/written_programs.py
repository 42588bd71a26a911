#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA Tile bytecode that cuTile Python does not make, by the writer of its package.

  python3 written_programs.py OUT_FOLDER

Needs the package cuda-tile (1.7.0). Writes NAME.tileirbc for each program.
"""

import sys
from pathlib import Path

from cuda.tile._bytecode import encodings as ops
from cuda.tile._bytecode.attribute import Bounded, Float, Integer
from cuda.tile._bytecode.debug_info import DebugAttrId
from cuda.tile._bytecode.type import SimpleType
from cuda.tile._bytecode.type_base import PaddingValue, PtrAttr
from cuda.tile._bytecode.version import BytecodeVersion
from cuda.tile._bytecode.writer import write_bytecode

DYNAMIC = -2**63


def write_other_extent(writer):
    """A view whose extent is not the parameter after its pointer."""
    types = writer.type_table
    i32 = types.tile(types.I32, [])
    pointer = types.tile(types.pointer(types.F32, PtrAttr.Missing), [])
    view = types.tensor_view(types.F32, [DYNAMIC], [1], PtrAttr.Missing)
    tiles = types.partition_view([16], view, [0], PaddingValue.Missing)
    tile = types.tile(types.F32, [16])
    location = writer.debug_attr_table.loc(
        DebugAttrId(0), "other_extent.py", line=3, column=5)
    with writer.function("other_extent", [pointer, i32, i32, i32], [], True, {},
                         location) as (code, (base, _, _, other)):
        with code.debug_attr(location):
            whole = ops.encode_MakeTensorViewOp(code, view, base, [other], [])
            parts = ops.encode_MakePartitionViewOp(code, tiles, whole)
            index, _, _ = ops.encode_GetTileBlockIdOp(code, i32, i32, i32)
            loaded, _ = ops.encode_LoadViewTkoOp(
                code, tile, types.Token, parts, [index], None,
                ops.MemoryOrderingSemantics.WEAK, None, None, [])
            ops.encode_StoreViewTkoOp(
                code, types.Token, loaded, parts, [index], None,
                ops.MemoryOrderingSemantics.WEAK, None, None, [])
            ops.encode_ReturnOp(code, [])


def write_identity(writer, element, identity):
    """A reduction by an operation that has no kind here, with an identity."""
    types = writer.type_table
    i32, row = types.tile(types.I32, []), types.tile(types.I32, [8])
    scalar, converted = types.tile(element, []), types.tile(element, [8])
    location = writer.debug_attr_table.loc(DebugAttrId(0), "identity.py", line=7, column=9)
    with writer.function("identity", [i32], [], True, {}, location) as (code, _):
        with code.debug_attr(location):
            tile = ops.encode_IToFOp(code, converted, ops.encode_IotaOp(code, row),
                                     ops.Signedness.Signed, ops.RoundingMode.NEAREST_EVEN)
            block = ops.encode_ReduceOp(code, [scalar], [tile], 0, [identity])
            with block.new_block([scalar, scalar]) as (left, right):
                ops.encode_YieldOp(code, [ops.encode_SubFOp(
                    code, scalar, left, right, ops.RoundingMode.NEAREST_EVEN, False)])
            block.done()
            ops.encode_ReturnOp(code, [])


def write_other_identity(writer):
    types = writer.type_table
    write_identity(writer, types.F32, Integer(types.I32, 32, 1))


def write_rounded_identity(writer):
    types = writer.type_table
    write_identity(writer, types.simple(SimpleType.TF32), Float(1.0, SimpleType.TF32, types))


def spread(code, value, one, type):
    """Returns a tile of this type of a scalar; `one` is that of a single element."""
    return ops.encode_BroadcastOp(code, type, ops.encode_ReshapeOp(code, one, value))


def write_scalar_bound(writer, name="scalar_bound", is_assumed=False):
    """Accesses of the first n elements of two arrays. The parameters after an address are
    no extents and strides: arrays may be longer than n. If `is_assumed`, n is assumed not
    to be negative, as extents are."""
    types = writer.type_table
    i32, row = types.tile(types.I32, []), types.tile(types.I32, [8])
    mask, values = types.tile(types.I1, [8]), types.tile(types.F32, [8])
    pointer_type = types.pointer(types.F32, PtrAttr.Missing)
    pointer, pointers = types.tile(pointer_type, []), types.tile(pointer_type, [8])
    location = writer.debug_attr_table.loc(DebugAttrId(0), "bound.py", line=1, column=1)
    with writer.function(name, [pointer, pointer, i32, i32], [], True, {},
                         location) as (code, (source, dest, n, _)):

        with code.debug_attr(location):
            if is_assumed:
                n = ops.encode_AssumeOp(code, i32, n, Bounded(lb=0, ub=None))
            at = ops.encode_IotaOp(code, row)
            inside = ops.encode_CmpIOp(
                code, mask, at, spread(code, n, types.tile(types.I32, [1]), row),
                ops.ComparisonPredicate.LESS_THAN, ops.Signedness.Unsigned)
            first, second = (
                ops.encode_OffsetOp(code, pointers, spread(
                    code, base, types.tile(pointer_type, [1]), pointers), at)
                for base in (source, dest))
            loaded, _ = ops.encode_LoadPtrTkoOp(
                code, values, types.Token, first, inside, None, None,
                ops.MemoryOrderingSemantics.WEAK, None, None)
            ops.encode_StorePtrTkoOp(
                code, types.Token, second, loaded, inside, None,
                ops.MemoryOrderingSemantics.WEAK, None, None)
            ops.encode_ReturnOp(code, [])


def write_natural_bound(writer):
    write_scalar_bound(writer, "natural_bound", is_assumed=True)


def write_view(writer, name, tile_shape, make_base):
    """Stores a zero through a view of tiles of a matrix. `make_base` makes the pointer and
    its type of the parameter."""
    types = writer.type_table
    i32, scalar = types.tile(types.I32, []), types.tile(types.F32, [])
    pointer = types.tile(types.pointer(types.F32, PtrAttr.Missing), [])
    view = types.tensor_view(types.F32, [DYNAMIC] * 2, [DYNAMIC, 1], PtrAttr.Missing)
    tiles = types.partition_view(tile_shape, view, [0, 1], PaddingValue.Missing)
    location = writer.debug_attr_table.loc(DebugAttrId(0), "view.py", line=9, column=2)
    with writer.function(name, [pointer] + [i32] * 4, [], True, {}, location) as (
            code, (base, rows, columns, stride, _)):
        with code.debug_attr(location):
            base = make_base(code, pointer, base)
            matrix = ops.encode_MakeTensorViewOp(code, view, base, [rows, columns], [stride])
            parts = ops.encode_MakePartitionViewOp(code, tiles, matrix)
            zero = ops.encode_ConstantOp(code, scalar, bytes(4))
            index, _, _ = ops.encode_GetTileBlockIdOp(code, i32, i32, i32)
            ops.encode_StoreViewTkoOp(
                code, types.Token, zero, parts, [index, index], None,
                ops.MemoryOrderingSemantics.WEAK, None, None, [])
            ops.encode_ReturnOp(code, [])


def write_huge_tile(writer):
    """A tile of 2^32 elements, which only the type of the view has."""
    write_view(writer, "huge_tile", [1 << 16, 1 << 16], lambda code, type, base: base)


def write_doubled_offset(writer):
    """An offset that is the sum of 2^40 terms."""
    def double(code, type, base):
        i32 = writer.type_table.tile(writer.type_table.I32, [])
        offset, _, _ = ops.encode_GetTileBlockIdOp(code, i32, i32, i32)
        for _ in range(40):
            offset = ops.encode_AddIOp(code, i32, offset, offset, ops.IntegerOverflow.NONE)
        return ops.encode_OffsetOp(code, type, base, offset)
    write_view(writer, "doubled_offset", [1, 1], double)


def write_two_offsets(writer):
    """An offset of 32 bits, and one of 64 bits from there."""
    def add(code, type, base):
        types = writer.type_table
        i32, i64 = types.tile(types.I32, []), types.tile(types.I64, [])
        offset, _, _ = ops.encode_GetTileBlockIdOp(code, i32, i32, i32)
        wide = ops.encode_ExtIOp(code, i64, offset, ops.Signedness.Signed)
        return ops.encode_OffsetOp(
            code, type, ops.encode_OffsetOp(code, type, base, offset), wide)
    write_view(writer, "two_offsets", [4, 8], add)


def write_ordered(writer):
    """Loads the elements of even index, and -7 for the others, stores them, stores the
    even indices there, all in an order, and adds the elements to a third array in the
    scope of the system."""
    types = writer.type_table
    i32, row = types.tile(types.I32, []), types.tile(types.I32, [8])
    mask, values = types.tile(types.I1, [8]), types.tile(types.I32, [8])
    pointer_type = types.pointer(types.I32, PtrAttr.Missing)
    pointer, pointers = types.tile(pointer_type, []), types.tile(pointer_type, [8])
    location = writer.debug_attr_table.loc(DebugAttrId(0), "ordered.py", line=1, column=1)
    with writer.function("ordered", [pointer] * 3, [], True, {}, location) as (
            code, (source, dest, counts)):

        def constant(value):
            data = value.to_bytes(4, "little", signed=True) * 8
            return ops.encode_ConstantOp(code, row, data)

        with code.debug_attr(location):
            at = ops.encode_IotaOp(code, row)
            rest = ops.encode_AndIOp(code, row, at, constant(1))
            even = ops.encode_CmpIOp(code, mask, rest, constant(0),
                                     ops.ComparisonPredicate.EQUAL, ops.Signedness.Signed)
            first, second, third = (
                ops.encode_OffsetOp(code, pointers, spread(
                    code, base, types.tile(pointer_type, [1]), pointers), at)
                for base in (source, dest, counts))
            loaded, _ = ops.encode_LoadPtrTkoOp(
                code, values, types.Token, first, even, constant(-7), None,
                ops.MemoryOrderingSemantics.ACQUIRE, ops.MemoryScope.DEVICE, None)
            ops.encode_StorePtrTkoOp(
                code, types.Token, second, loaded, None, None,
                ops.MemoryOrderingSemantics.RELEASE, ops.MemoryScope.DEVICE, None)
            ops.encode_StorePtrTkoOp(
                code, types.Token, second, at, even, None,
                ops.MemoryOrderingSemantics.RELEASE, ops.MemoryScope.DEVICE, None)
            ops.encode_AtomicRMWTkoOp(
                code, values, types.Token, third, loaded, even, None,
                ops.MemoryOrderingSemantics.RELAXED, ops.MemoryScope.SYS,
                ops.AtomicRMWMode.ADD)
            ops.encode_ReturnOp(code, [])


def write_wide_product(writer):
    """A matmul of unsigned integers of 32 bits, which CUDA Tile does not have."""
    types = writer.type_table
    square = types.tile(types.I32, [8, 8])
    location = writer.debug_attr_table.loc(DebugAttrId(0), "wide.py", line=4, column=2)
    with writer.function("wide_product", [types.tile(types.I32, [])], [], True, {},
                         location) as (code, _):
        with code.debug_attr(location):
            ones = ops.encode_ConstantOp(code, square, (1).to_bytes(4, "little") * 64)
            ops.encode_MmaIOp(code, square, ones, ones, ones, ops.Signedness.Unsigned,
                              ops.Signedness.Unsigned)
            ops.encode_ReturnOp(code, [])


def write_scratch(writer):
    """Stores i + 100 times the program's index in memory of the program, and loads it in
    reverse."""
    types = writer.type_table
    i32, row = types.tile(types.I32, []), types.tile(types.I32, [8])
    pointer_type = types.pointer(types.I32, PtrAttr.Missing)
    pointer, pointers = types.tile(pointer_type, []), types.tile(pointer_type, [8])
    none = ops.IntegerOverflow.NONE
    location = writer.debug_attr_table.loc(DebugAttrId(0), "scratch.py", line=1, column=1)
    with writer.function("scratch", [pointer], [], True, {}, location) as (code, (dest,)):

        def constant(type, value):
            return ops.encode_ConstantOp(code, type, value.to_bytes(4, "little"))

        def place(base, at):
            return ops.encode_OffsetOp(code, pointers, spread(
                code, base, types.tile(pointer_type, [1]), pointers), at)

        def multiply(x, y, type):
            return ops.encode_MulIOp(code, type, x, y, none)

        with code.debug_attr(location):
            own = ops.encode_AllocaOp(code, pointer, 8, 16, False)
            at = ops.encode_IotaOp(code, row)
            index, _, _ = ops.encode_GetTileBlockIdOp(code, i32, i32, i32)
            first = spread(code, multiply(index, constant(i32, 100), i32),
                           types.tile(types.I32, [1]), row)
            token = ops.encode_StorePtrTkoOp(
                code, types.Token, place(own, at), ops.encode_AddIOp(code, row, at, first, none),
                None, None, ops.MemoryOrderingSemantics.WEAK, None, None)
            reverse = ops.encode_SubIOp(code, row, constant(row, 7), at, none)
            loaded, _ = ops.encode_LoadPtrTkoOp(
                code, row, types.Token, place(own, reverse), None, None, token,
                ops.MemoryOrderingSemantics.WEAK, None, None)
            start = spread(code, multiply(index, constant(i32, 8), i32),
                           types.tile(types.I32, [1]), row)
            ops.encode_StorePtrTkoOp(
                code, types.Token, place(dest, ops.encode_AddIOp(code, row, at, start, none)),
                loaded, None, None, ops.MemoryOrderingSemantics.WEAK, None, None)
            ops.encode_ReturnOp(code, [])


def write_tickets(writer):
    """Takes a value of a counter for each program, which a global holds."""
    types = writer.type_table
    i32 = types.tile(types.I32, [])
    pointer = types.tile(types.pointer(types.I32, PtrAttr.Missing), [])
    writer.global_section.define_global("counter", types.tile(types.I32, [2]),
                                        (5).to_bytes(4, "little") * 2)
    location = writer.debug_attr_table.loc(DebugAttrId(0), "tickets.py", line=1, column=1)
    with writer.function("tickets", [pointer], [], True, {}, location) as (code, (dest,)):
        with code.debug_attr(location):
            one = ops.encode_ConstantOp(code, i32, (1).to_bytes(4, "little"))
            counter = ops.encode_OffsetOp(
                code, pointer, ops.encode_GetGlobalOp(code, pointer, "counter"), one)
            old, _ = ops.encode_AtomicRMWTkoOp(
                code, i32, types.Token, counter, one, None, None,
                ops.MemoryOrderingSemantics.RELAXED, ops.MemoryScope.DEVICE,
                ops.AtomicRMWMode.ADD)
            ops.encode_StorePtrTkoOp(
                code, types.Token, ops.encode_OffsetOp(code, pointer, dest, old), old, None, None,
                ops.MemoryOrderingSemantics.WEAK, None, None)
            ops.encode_ReturnOp(code, [])


def write_table(writer):
    """Each program stores the addresses of a source and a destination in its part of a
    table, and loads them from there. The source is a matrix of 7 x n elements, and the
    destination one of n x 7 in columns; the program stores twice the transpose."""
    types = writer.type_table
    i32, i64 = types.tile(types.I32, []), types.tile(types.I64, [])
    element = types.pointer(types.F32, PtrAttr.Missing)
    word = types.tile(types.pointer(types.I64, PtrAttr.Missing), [])
    pointer = types.tile(element, [])
    matrix = types.tensor_view(types.F32, [7, DYNAMIC], [DYNAMIC, 1], PtrAttr.Missing)
    turned = types.tensor_view(types.F32, [DYNAMIC, 7], [1, DYNAMIC], PtrAttr.Missing)
    tile = types.tile(types.F32, [8, 16])
    location = writer.debug_attr_table.loc(DebugAttrId(0), "table.py", line=1, column=1)
    with writer.function("table", [word, pointer, pointer, i32], [], True, {}, location) as (
            code, (table, source, dest, n)):

        def constant(value):
            return ops.encode_ConstantOp(code, i32, value.to_bytes(4, "little"))

        def access(at):
            first = ops.encode_MulIOp(code, i32, index, constant(2), ops.IntegerOverflow.NONE)
            return ops.encode_OffsetOp(code, word, ops.encode_OffsetOp(
                code, word, table, first), constant(at))

        with code.debug_attr(location):
            index, _, _ = ops.encode_GetTileBlockIdOp(code, i32, i32, i32)
            found = []
            for at, base in enumerate((source, dest)):
                token = ops.encode_StorePtrTkoOp(
                    code, types.Token, access(at), ops.encode_PtrToIntOp(code, i64, base),
                    None, None, ops.MemoryOrderingSemantics.WEAK, None, None)
                loaded, _ = ops.encode_LoadPtrTkoOp(
                    code, i64, types.Token, access(at), None, None, token,
                    ops.MemoryOrderingSemantics.WEAK, None, None)
                found.append(ops.encode_IntToPtrOp(code, pointer, loaded))
            zero = constant(0)
            whole = ops.encode_MakeTensorViewOp(code, matrix, found[0], [n], [n])
            parts = ops.encode_MakePartitionViewOp(code, types.partition_view(
                [8, 16], matrix, [0, 1], PaddingValue.Zero), whole)
            values, _ = ops.encode_LoadViewTkoOp(
                code, tile, types.Token, parts, [zero, index], None,
                ops.MemoryOrderingSemantics.WEAK, None, None, [])
            doubled = ops.encode_AddFOp(code, tile, values, values,
                                        ops.RoundingMode.NEAREST_EVEN, False)
            whole = ops.encode_MakeTensorViewOp(code, turned, found[1], [n], [n])
            parts = ops.encode_MakePartitionViewOp(code, types.partition_view(
                [8, 16], turned, [1, 0], PaddingValue.Zero), whole)
            ops.encode_StoreViewTkoOp(
                code, types.Token, doubled, parts, [zero, index], None,
                ops.MemoryOrderingSemantics.WEAK, None, None, [])
            ops.encode_ReturnOp(code, [])


def write_directed(writer, name, element, size):
    """Stores, for 64 elements of three arrays, the results of six operations in three
    rounding modes, and the sum of the third array rounded toward zero."""
    types = writer.type_table
    row, scalar, i64 = types.tile(element, [64]), types.tile(element, []), types.tile(
        types.I64, [])
    pointer = types.tile(types.pointer(element, PtrAttr.Missing), [])
    view = types.tensor_view(element, [64], [1], PtrAttr.Missing)
    tiles = types.partition_view([64], view, [0], PaddingValue.Missing)
    rows = types.tensor_view(element, [19, 64], [64, 1], PtrAttr.Missing)
    parts = types.partition_view([1, 64], rows, [0, 1], PaddingValue.Missing)
    flat = types.tile(element, [1, 64])
    modes = ops.RoundingMode
    location = writer.debug_attr_table.loc(DebugAttrId(0), "directed.py", line=1, column=1)
    with writer.function(name, [pointer] * 4, [], True, {}, location) as (
            code, (*sources, dest)):

        def number(value):
            return ops.encode_ConstantOp(code, i64, value.to_bytes(8, "little"))

        def load(base):
            whole = ops.encode_MakeTensorViewOp(code, view, base, [], [])
            value, _ = ops.encode_LoadViewTkoOp(
                code, row, types.Token, ops.encode_MakePartitionViewOp(code, tiles, whole),
                [number(0)], None, ops.MemoryOrderingSemantics.WEAK, None, None, [])
            return value

        def list_results(x, y, z):
            for mode in (modes.ZERO, modes.NEGATIVE_INF, modes.POSITIVE_INF):
                for encode in (ops.encode_AddFOp, ops.encode_SubFOp, ops.encode_MulFOp,
                               ops.encode_DivFOp):
                    yield encode(code, row, x, y, mode, False)
                yield ops.encode_FmaOp(code, row, x, y, z, mode, False)
                yield ops.encode_SqrtOp(code, row, ops.encode_AbsFOp(code, row, z), mode, False)
            block = ops.encode_ReduceOp(code, [scalar], [z], 0, [
                Float(0.0, SimpleType.F32 if size == 4 else SimpleType.F64, types)])
            with block.new_block([scalar, scalar]) as (left, right):
                ops.encode_YieldOp(code, [ops.encode_AddFOp(
                    code, scalar, left, right, modes.ZERO, False)])
            yield spread(code, block.done()[0], types.tile(element, [1]), row)

        with code.debug_attr(location):
            whole = ops.encode_MakeTensorViewOp(code, rows, dest, [], [])
            stored = ops.encode_MakePartitionViewOp(code, parts, whole)
            for at, result in enumerate(list_results(*map(load, sources))):
                ops.encode_StoreViewTkoOp(
                    code, types.Token, ops.encode_ReshapeOp(code, flat, result), stored,
                    [number(at), number(0)], None, ops.MemoryOrderingSemantics.WEAK, None, None,
                    [])
            ops.encode_ReturnOp(code, [])


def write_directed_f32(writer):
    write_directed(writer, "directed_f32", writer.type_table.F32, 4)


def write_directed_f64(writer):
    write_directed(writer, "directed_f64", writer.type_table.simple(SimpleType.F64), 8)


PROGRAMS = {"ordered": write_ordered, "wide_product": write_wide_product,
            "huge_tile": write_huge_tile, "doubled_offset": write_doubled_offset,
            "two_offsets": write_two_offsets, "other_extent": write_other_extent,
            "scalar_bound": write_scalar_bound, "natural_bound": write_natural_bound,
            "other_identity": write_other_identity, "rounded_identity": write_rounded_identity,
            "scratch": write_scratch, "tickets": write_tickets, "table": write_table,
            "directed_f32": write_directed_f32, "directed_f64": write_directed_f64}
# Allocations are new in version 13.3, globals have other fields since then.
VERSIONS = {"scratch": BytecodeVersion.V_13_3}

for name, write in PROGRAMS.items():
    data = bytearray()
    with write_bytecode(1, data, VERSIONS.get(name, BytecodeVersion.V_13_1)) as bytecode:
        write(bytecode)
    Path(sys.argv[1], f"{name}.tileirbc").write_bytes(data)
