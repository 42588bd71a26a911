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


PROGRAMS = {"ordered": write_ordered, "wide_product": write_wide_product, "huge_tile": write_huge_tile, "doubled_offset": write_doubled_offset,
            "two_offsets": write_two_offsets,
            "other_extent": write_other_extent, "scalar_bound": write_scalar_bound,
            "natural_bound": write_natural_bound, "other_identity": write_other_identity,
            "rounded_identity": write_rounded_identity}

for name, write in PROGRAMS.items():
    data = bytearray()
    with write_bytecode(1, data, BytecodeVersion.V_13_1) as bytecode:
        write(bytecode)
    Path(sys.argv[1], f"{name}.tileirbc").write_bytes(data)
