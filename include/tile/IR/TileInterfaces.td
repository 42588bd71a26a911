// Interfaces of the operations of the tile dialect.
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
    InterfaceMethod<"The start of the box, an index for each of the array's "
                    "dimensions.", "::mlir::OperandRange", "getOffsets">,
    InterfaceMethod<"The tile whose elements are read or written: a result or an "
                    "operand.", "::mlir::Value", "getAccessedTile">,
    InterfaceMethod<"Whether no element is outside the array.",
                    "bool", "getInBounds">,
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
    An operation that accesses elements at coordinates that tiles of indices give,
    each along one axis.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"The indices, of the tile's extents or one.",
                    "::llvm::SmallVector<::mlir::OpOperand *>",
                    "getIndexOperands">,
    InterfaceMethod<"Whether indices give the elements' coordinates along a "
                    "dimension of the tile.", "bool", "isIndexed", (ins "int64_t":$dim)>,
    InterfaceMethod<"The tile that has an element for each index: a result or an "
                    "operand.", "::mlir::Value", "getIndexedTile">,
  ];
}

def Tile_CopyableOpInterface
    : OpInterface<"CopyableOpInterface", [Tile_ArrayAccessOpInterface]> {
  let description = [{
    A load of a box of an array that a copy to shared memory can make, so that it
    may be issued before its tile is needed.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"The type of the tile that is loaded.", "::tile::TileType",
                    "getTileType", (ins), [{
      return ::llvm::cast<TileType>($_op.getAccessedTile().getType());
    }]>,
    InterfaceMethod<"The value of elements outside the array; null for zero, the "
                    "only one that copies can fill in.", "::mlir::Value", "getPad">,
  ];
}

def Tile_StorageOpInterface : OpInterface<"StorageOpInterface"> {
  let description = [{
    Where an operation reads its tiles, and where it leaves them.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Where the operation reads a tile.",
                    "::tile::Placement", "getOperandPlacement",
                    (ins "::mlir::OpOperand &":$operand), "", [{
      return Placement::registers;
    }]>,
    InterfaceMethod<"Where the operation leaves its results.",
                    "::tile::Placement", "getResultPlacement", (ins), "", [{
      return Placement::registers;
    }]>,
  ];
}

def Tile_LayoutOpInterface : OpInterface<"LayoutOpInterface"> {
  let description = [{
    How an operation relates the layouts of its tiles in registers. Elementwise
    operations need no such interface: all their tiles have one layout. The
    source is the operation's first operand.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Rewrites the operation, which may be erased, to ones that "
                    "have a layout each.",
                    "void", "simplifyForLayouts", (ins), "", [{ return; }]>,
    InterfaceMethod<"Tiles that have one layout, in groups; null for none.",
                    "::llvm::SmallVector<::llvm::SmallVector<::mlir::Value>>",
                    "getLayoutGroups", (ins), "", [{
      return {};
    }]>,
    InterfaceMethod<"Whether the results' layout is that which "
                    "`inferResultLayout` gives, whatever else uses them; "
                    "otherwise it is used only if nothing else requests one.",
                    "bool", "followsSource", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"The results' layout, for a source in this one; none where "
                    "any may be had.",
                    "::std::optional<::tile::RegisterLayout>",
                    "inferResultLayout",
                    (ins "const ::tile::RegisterLayout &":$source), "", [{
      return ::std::nullopt;
    }]>,
    InterfaceMethod<"The source's layout from which results of this one are made "
                    "without moving elements; none where there is no such.",
                    "::std::optional<::tile::RegisterLayout>",
                    "inferSourceLayout",
                    (ins "const ::tile::RegisterLayout &":$result), "", [{
      return ::std::nullopt;
    }]>,
    InterfaceMethod<"The layout in which the operation must have one of its "
                    "tiles; none where it takes any.",
                    "::std::optional<::tile::RegisterLayout>",
                    "getRequiredLayout",
                    (ins "::mlir::Value":$tile, "int64_t":$numWarps), "", [{
      return ::std::nullopt;
    }]>,
    InterfaceMethod<"The layout that serves best for the source; none where "
                    "none does.",
                    "::std::optional<::tile::RegisterLayout>",
                    "getPreferredLayout", (ins "int64_t":$numWarps), "", [{
      return ::std::nullopt;
    }]>,
    InterfaceMethod<"How the operation takes its source apart: along each "
                    "dimension parts start at multiples of this, zero where it "
                    "is whole. Parts of which each thread has as much are some "
                    "of its values. Empty where there are none.",
                    "::llvm::SmallVector<int64_t>", "getSourceParts", (ins), "",
                    [{
      return {};
    }]>,
    InterfaceMethod<"Inserts conversions of operands and results to layouts that "
                    "the operation can work in, where those of their types are "
                    "none. `wanted` are the types of the results in registers "
                    "that their users expect. By default to those that "
                    "`getRequiredLayout` gives.",
                    "void", "adaptToLayouts",
                    (ins "::llvm::ArrayRef<::tile::TileType>":$wanted,
                         "int64_t":$numWarps), "", [{
      ::tile::adaptToRequired($_op.getOperation(), wanted, numWarps);
    }]>,
  ];
}

def Tile_BufferizeOpInterface : OpInterface<"BufferizeOpInterface"> {
  let description = [{
    An operation that may have operands or results in shared memory, and its
    conversion to an operation on buffers.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Whether source and result are in one storage.",
                    "bool", "keepsStorage", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"The layout of a result in shared memory, where it follows "
                    "from the operands, whose layouts are resolved, or is "
                    "fixed; null where it is chosen for its readers.",
                    "::tile::SharedAttr", "getSharedLayout", (ins), "", [{
      return {};
    }]>,
    InterfaceMethod<"Adds the requirements of a use of a tile in shared memory on "
                    "its layout.",
                    "void", "addDemand",
                    (ins "::mlir::OpOperand &":$use,
                         "::tile::SharedDemand &":$demand), "", [{ return; }]>,
    InterfaceMethod<"Replaces the tiles in shared memory that the operation "
                    "takes and returns by buffers.",
                    "void", "bufferize", (ins "::tile::Bufferizer &":$bufferizer)>,
  ];
}

def Tile_CostOpInterface : OpInterface<"CostOpInterface"> {
  let description = [{
    The cost of an operation for a thread.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Instructions of PTX for each element that a thread holds, "
                    "as measured on sm_80.",
                    "int64_t", "getInstructionsPerElement", (ins), "", [{
      return 0;
    }]>,
    InterfaceMethod<"Instructions of PTX for a thread that holds `elements` "
                    "elements of the operation's tiles, in a block of "
                    "`numThreads` threads, without those of the region.",
                    "int64_t", "getInstructions",
                    (ins "int64_t":$elements, "int64_t":$numThreads), "", [{
      (void)numThreads;
      return elements * $_op.getInstructionsPerElement();
    }]>,
    InterfaceMethod<"How often a thread that holds `elements` elements runs "
                    "the operation's region.",
                    "int64_t", "getRegionRuns", (ins "int64_t":$elements), "",
                    [{
      (void)elements;
      return 0;
    }]>,
  ];
}

def Tile_ElementOpInterface : OpInterface<"ElementOpInterface"> {
  let description = [{
    An operation with the trait `Elementwise`: computes an element of each result from
    one element of each operand. Operations of other dialects that take scalars as they
    take tiles (upstream's trait `Scalarizable`) need no such interface.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Makes, at the builder's insertion point, an element of each "
                    "result from one of each operand; an operand that is no tile "
                    "is given as it is.",
                    "::llvm::SmallVector<::mlir::Value>", "createElements",
                    (ins "::mlir::OpBuilder &":$builder,
                         "::mlir::ValueRange":$operands)>,
    InterfaceMethod<"Whether operands may be vectors of elements, of which "
                    "vectors are made.",
                    "bool", "takesVectors", (ins), "", [{
      return false;
    }]>,
  ];
}

def Tile_ThreadOpInterface : OpInterface<"ThreadOpInterface"> {
  let description = [{
    An operation on tiles in registers that each thread computes from the elements
    that it holds and those of the other lanes of its warp, which all do the same.
    It touches no memory.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Makes, at the builder's insertion point, the elements that a "
                    "thread holds of each result from those that it holds of each "
                    "operand, in the order of the layouts' values; an operand "
                    "that is no tile is one value.",
                    "::llvm::SmallVector<::llvm::SmallVector<::mlir::Value>>",
                    "createThreadCode",
                    (ins "::mlir::OpBuilder &":$builder,
                         "::llvm::ArrayRef<::llvm::SmallVector<::mlir::Value>>"
                         :$operands)>,
  ];
}

def Tile_BoundsOpInterface : OpInterface<"BoundsOpInterface"> {
  let description = [{
    An operation that accesses a tile at coordinates computed by the program, which
    must be inside the tile.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Asserts at the builder's insertion point that the coordinates "
                    "are inside, unless that is known.",
                    "void", "assertInside", (ins "::mlir::OpBuilder &":$builder)>,
  ];
}

/// An operation that a thread repeats at the cost of a move: it makes any
/// element of its result by itself.
def Tile_Rematerializable : NativeOpTrait<"Rematerializable"> {
  let cppNamespace = "::tile";
}

/// An operation that starts a copy. The copy reads and writes at any time until
/// the group that it is committed to was waited for.
def Tile_AsyncCopy : NativeOpTrait<"AsyncCopy"> {
  let cppNamespace = "::tile";
}

/// An operation whose region every thread runs by itself: in it no thread waits
/// for another one, and accesses of different threads are not ordered.
def Tile_ThreadRegion : NativeOpTrait<"ThreadRegion"> {
  let cppNamespace = "::tile";
}

/// An operation of the host's functions, which is in no kernel.
def Tile_HostOperation : NativeOpTrait<"HostOperation"> {
  let cppNamespace = "::tile";
}

/// An operation that a pass makes, and that no program has before it.
class Tile_MadeBy<string pass>
    : ParamNativeOpTrait<"MadeBy", "::tile::TilePass::" # pass> {
  let cppNamespace = "::tile";
}

def Tile_MatmulOpInterface : OpInterface<"MatmulOpInterface"> {
  let description = [{
    A matmul with an accumulator: `tile.matmul`, or the operation that it becomes if
    its instruction is asynchronous. Operands 0, 1 and 2 are lhs, rhs and the
    accumulator.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"A tile, or a buffer in shared memory.", "::mlir::Value",
                    "getLhs">,
    InterfaceMethod<"A tile, or a buffer in shared memory.", "::mlir::Value",
                    "getRhs">,
    InterfaceMethod<"The accumulator.", "::mlir::Value", "getAcc">,
    InterfaceMethod<"How operands are multiplied and summed up.",
                    "::tile::Precision", "getPrecision">,
    InterfaceMethod<"How it is dealt out to warps; null before that is chosen.",
                    "::tile::TilingAttr", "getTilingAttr">,
    InterfaceMethod<"Sets that.", "void", "setTilingAttr",
                    (ins "::tile::TilingAttr":$tiling)>,
    InterfaceMethod<"The type of the accumulator and of the sum.",
                    "::tile::TileType", "getSumType", (ins), "", [{
      return ::llvm::cast<::tile::TileType>($_op.getAcc().getType());
    }]>,
    InterfaceMethod<"Whether it runs on its own, until its token is waited for.",
                    "bool", "isAsync", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"The extent that is summed over.", "int64_t", "getK",
                    (ins), "", [{
      return ::tile::getTileShape($_op.getLhs().getType()).back();
    }]>,
  ];
}

/// The old names, until version 0.4.
defvar Tile_ProductOpInterface = Tile_MatmulOpInterface;
defvar Tile_PlacesOpInterface = Tile_BoundsOpInterface;

def Tile_DecomposeOpInterface : OpInterface<"DecomposeOpInterface"> {
  let description = [{
    A composite operation: simpler operations compute the same together. It is one
    operation down to `-tile-decompose`, which replaces it.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Whether the operation is composite in the form that it has. "
                    "Some are with an operand or an attribute only.",
                    "bool", "isComposite", (ins), "", [{
      return true;
    }]>,
    InterfaceMethod<[{
      Makes simpler operations at the builder's insertion point and returns a value
      for each result, of the result's type or of one that differs in storage. The
      caller replaces the operation. The new operations may be composite in turn.
      Fails, with an error at the operation, if it has no decomposition.
      @pre the operation is composite
    }],
                    "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>",
                    "decompose", (ins "::mlir::OpBuilder &":$builder), "", [{
      (void)($_op->emitError("expected a composite operation with a "
                             "decomposition, got '")
             << $_op->getName() << "'");
      return ::mlir::failure();
    }]>,
  ];
}

def Tile_LimitOpInterface : OpInterface<"LimitOpInterface"> {
  let description = [{
    An operation whose algorithm takes tiles up to some size.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<[{
      Verifies that the algorithm takes the operation's tiles, whose element types
      and ranks the operation's verifier has checked. Fails with an error at the
      operation.
    }],
                    "::llvm::LogicalResult", "verifyLimits">,
  ];
}

/// An interface that the operation implements by an external model. The dialect
/// promises it, so that a context without the model is found (verifyPromises in
/// Tile.h).
class Tile_Promises<Interface interface>
    : ParamNativeOpTrait<"Promises", interface.cppNamespace # "::"
                                     # interface.cppInterfaceName> {
  let cppNamespace = "::tile";
}

#endif // TILE_IR_TILEINTERFACES
