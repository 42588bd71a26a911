// Attributes of the tile dialect that are matrix instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_INSTRUCTIONATTRS
#define TILE_IR_INSTRUCTIONATTRS

include "tile/IR/MatrixInstructionInterface.td"
include "tile/IR/TileAttrs.td"

/// An instruction by its shape and element types. The verifier accepts the rows
/// of the instruction table.
class Tile_InstructionAttr<string name, string mnemonic, list<string> methods>
    : Tile_Attr<name, mnemonic> {
  let traits = [DeclareAttrInterfaceMethods<Tile_MatrixInstructionAttrInterface,
                                            methods>];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "M, N and K">:$shape,
    AttrParameter<"::mlir::Type", "element type of lhs and rhs">:$operand,
    AttrParameter<"::mlir::Type", "element type of the accumulator">:$accumulator);
  let assemblyFormat =
    "`<` custom<InstructionShape>($shape) `,` $operand `,` $accumulator `>`";
  let genVerifyDecl = 1;
}

def Tile_FmaAttr : Tile_Attr<"Fma", "fma"> {
  let summary = "multiply-adds in each thread";
  let description = [{
    Each thread multiplies elements of its part of a sub-tile, whose extents are
    `thread` of the tiling. All element types are possible (PTX ISA, "Floating Point
    Instructions: fma").

    Example: `#tile.fma`
  }];
  let traits = [DeclareAttrInterfaceMethods<Tile_MatrixInstructionAttrInterface,
                                            ["hasFragments"]>];
}

def Tile_MmaAttr : Tile_InstructionAttr<"Mma", "mma", ["hasAdjacentRows"]> {
  let summary = "matrix instruction of a warp";
  let description = [{
    `mma.sync` of one warp: M x N x K, the element type of lhs and rhs, and that of the
    accumulator. The lanes hold fragments of operands and accumulator (PTX ISA,
    "Matrix Fragments for mma.m16n8k16" and the sections of the other shapes). f8 with
    K = 16 is converted to f16 and multiplied as such. docs/Instructions.md lists the
    combinations.

    Constraints:
    - (C1) a row of the instruction table has shape and types.

    Example: `#tile.mma<16x8x16, f16, f32>`
  }];
  let extraClassDeclaration = [{
    /// Whether operands of f8 are converted to f16 before they are multiplied.
    bool convertsToF16() const;
  }];
}

def Tile_WgmmaAttr
    : Tile_InstructionAttr<"Wgmma", "wgmma",
                           ["getNumWarps", "getRequiredPrecision", "hasColumns",
                            "isAsynchronous", "readsDescriptors", "truncatesOperands"]> {
  let summary = "matrix instruction of a warpgroup";
  let description = [{
    `wgmma.mma_async` of four warps: 64 x N x K, the element type of lhs and rhs, and that
    of the accumulator. N, written `?`, is a multiple of 8 up to 256, and follows from
    the tiling. The instruction reads operands from shared memory by matrix
    descriptors; lhs of 16 bits may be in registers (PTX ISA, "Asynchronous Warpgroup
    Level Matrix Instructions").

    Constraints:
    - (C1) a row of the instruction table has shape and types.

    Example: `#tile.wgmma<64x?x16, f16, f32>`
  }];
}

#endif // TILE_IR_INSTRUCTIONATTRS
