// What operations of the tile dialect have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_TILEINTERFACES
#define TILE_IR_TILEINTERFACES

include "mlir/IR/OpBase.td"

def Tile_CombiningOpInterface : OpInterface<"CombiningOpInterface"> {
  let description = [{
    An operation that combines elements by an associative operation: one that
    `kind` names, on one tile, or one that a region computes, on tuples of
    elements, one of each tile.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"The kind; null where a region combines.",
                    "::tile::ReduceKindAttr", "getKindAttr">,
    InterfaceMethod<"The tiles, of one shape, whose elements are combined.",
                    "::mlir::OperandRange", "getSources">,
    InterfaceMethod<"An identity for each source; null with a kind.",
                    "::mlir::ArrayAttr", "getIdentitiesAttr">,
    InterfaceMethod<"The region whose arguments are two tuples and which yields "
                    "one; null with a kind.",
                    "::mlir::Region *", "getCombiner", (ins), [{
      return $_op.getBody().empty() ? nullptr : &$_op.getBody().front();
    }]>,
    InterfaceMethod<"Whether the elements may be combined in any order.",
                    "bool", "isCommutative", (ins), [{
      return $_op.getKindAttr() || $_op.getCommutative();
    }]>,
  ];
}

#endif // TILE_IR_TILEINTERFACES
