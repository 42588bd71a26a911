// The interface of the attributes that are matrix instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_MATRIXINSTRUCTIONINTERFACE
#define TILE_IR_MATRIXINSTRUCTIONINTERFACE

include "mlir/IR/OpBase.td"

def Tile_MatrixInstructionAttrInterface
    : AttrInterface<"MatrixInstructionAttrInterface"> {
  let description = [{
    An instruction that multiplies tiles: a matrix instruction that one or several
    warps issue together, or FMA in each thread. `#tile.tiling` has one as `atom`.

    A matmul is divided into sub-tiles of a warp; the interface describes how one
    sub-tile is multiplied. The phases of the compiler query these properties, and
    name no instruction. lib/IR/Instructions has one file for each family.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns the name in reports and messages: PTX's name of the shape, "
                    "such as `m16n8k16`, or `fma`.",
                    "::std::string", "getInstructionName">,
    InterfaceMethod<"Returns the number of warps that issue the instruction together.",
                    "int64_t", "getNumWarps", (ins), "", [{
      return 1;
    }]>,
    InterfaceMethod<"Returns the matmul of one instruction. If N can be chosen, it is the "
                    "least.",
                    "::tile::MatrixShape", "getInstructionShape">,
    InterfaceMethod<"Returns one step of a warp's sub-tile along K: the matmul of one "
                    "instruction, of several, or of a part of one. All are one if "
                    "the tiling chooses the sub-tile.",
                    "::tile::MatrixShape", "getSubTile">,
    InterfaceMethod<"Returns the element type of lhs and rhs, tf32 for f32 with that "
                    "precision; null for any.",
                    "::mlir::Type", "getOperandType">,
    InterfaceMethod<"Returns the element type of the accumulator; null for any.",
                    "::mlir::Type", "getAccumulatorType">,
    InterfaceMethod<"Returns the precision that a matmul must request for the "
                    "instruction; ieee if it need not request one.",
                    "::tile::Precision", "getRequiredPrecision", (ins), "", [{
      return ::tile::Precision::ieee;
    }]>,
    InterfaceMethod<"Returns whether an instruction with `columns` columns exists.",
                    "bool", "hasColumns", (ins "int64_t":$columns), "", [{
      return columns == $_attr.getInstructionShape().n;
    }]>,
    InterfaceMethod<"Returns whether the matmul is in flight until a wait for it.",
                    "bool", "isAsynchronous", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"Returns whether the instruction itself reads operands from shared "
                    "memory, at addresses given by matrix descriptors.",
                    "bool", "readsDescriptors", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"Returns whether the lanes of a warp hold fragments of the operands "
                    "and of the accumulator (Fragments.h). Otherwise each thread "
                    "multiplies elements, and the tiling chooses which.",
                    "bool", "hasFragments", (ins), "", [{
      return true;
    }]>,
    InterfaceMethod<"Returns whether a lane's two rows of a fragment are adjacent.",
                    "bool", "hasAdjacentRows", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"Returns whether the instruction cuts off bits of the operands that "
                    "the matmul rounds, so that they are rounded before.",
                    "bool", "truncatesOperands", (ins), "", [{
      return false;
    }]>,
  ];
}

#endif // TILE_IR_MATRIXINSTRUCTIONINTERFACE
