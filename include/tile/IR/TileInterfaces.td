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

def Tile_ArrayAccessOpInterface : OpInterface<"ArrayAccessOpInterface"> {
  let description = [{
    An operation that reads or writes the elements of a box of an array in global
    memory, each by the thread that holds it in a tile.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"The array.", "::mlir::Value", "getArray">,
    InterfaceMethod<"Where the box begins, an index for each of the array's "
                    "dimensions.", "::mlir::OperandRange", "getOffsets">,
    InterfaceMethod<"The tile whose elements are read or written: a result or an "
                    "operand.", "::mlir::Value", "getAccessedTile">,
    InterfaceMethod<"Whether every element is an access of its own, as of "
                    "atomic ones.", "bool", "isPerElement", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"The elements that are accessed; null for all.",
                    "::mlir::Value", "getMask", (ins), "", [{
      return {};
    }]>,
  ];
}

def Tile_IndexedOpInterface : OpInterface<"IndexedOpInterface"> {
  let description = [{
    An operation whose elements are at places that a tile of indices names along
    one axis.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"The indices, of the tile's extents or one.",
                    "::mlir::OpOperand &", "getIndicesMutable">,
    InterfaceMethod<"The tile's dimension that the indices are along.",
                    "uint64_t", "getAxis">,
    InterfaceMethod<"The tile that has an element for each index: a result or an "
                    "operand.", "::mlir::Value", "getIndexedTile">,
  ];
}

#endif // TILE_IR_TILEINTERFACES
