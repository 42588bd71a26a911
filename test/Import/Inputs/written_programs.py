#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA Tile bytecode that cuTile Python does not make, by the writer of its package.

  python3 written_programs.py OUT_FOLDER

Needs the package cuda-tile (1.7.0). Writes NAME.tileirbc for each program.
"""

import sys
from pathlib import Path

from cuda.tile._bytecode import encodings as ops
from cuda.tile._bytecode.debug_info import DebugAttrId
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


PROGRAMS = {"other_extent": write_other_extent}

for name, write in PROGRAMS.items():
    data = bytearray()
    with write_bytecode(1, data, BytecodeVersion.V_13_1) as bytecode:
        write(bytecode)
    Path(sys.argv[1], f"{name}.tileirbc").write_bytes(data)
