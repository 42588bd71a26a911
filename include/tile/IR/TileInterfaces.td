// Interfaces of the operations of the tile dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_TILEINTERFACES
#define TILE_IR_TILEINTERFACES

include "mlir/IR/OpBase.td"

def Tile_CombiningOpInterface : OpInterface<"CombiningOpInterface"> {
  let description = [{
    An operation that combines elements associatively. A named kind combines the
    elements of one tile. A region combines tuples that have one element of each
    tile.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns the kind; null if a region combines the elements.",
                    "::tile::ReduceKindAttr", "getKindAttr">,
    InterfaceMethod<"Returns the tiles whose elements are combined; they have one "
                    "shape.",
                    "::mlir::OperandRange", "getSources">,
    InterfaceMethod<"Returns the identity element of each source; null if the "
                    "operation has a kind.",
                    "::mlir::ArrayAttr", "getIdentitiesAttr">,
    InterfaceMethod<"Returns the region, whose arguments are two tuples and which "
                    "yields one; null if the operation has a kind.",
                    "::mlir::Region *", "getCombiner", (ins), [{
      return $_op.getBody().empty() ? nullptr : &$_op.getBody().front();
    }]>,
    InterfaceMethod<"Returns whether the elements may be combined in any order.",
                    "bool", "isCommutative", (ins), [{
      return $_op.getKindAttr() || $_op.getCommutative();
    }]>,
  ];
}

def Tile_ArrayAccessOpInterface : OpInterface<"ArrayAccessOpInterface"> {
  let description = [{
    An operation that reads or writes a box of an array in global memory. The thread
    that holds an element of the tile reads or writes it.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns the array.", "::mlir::Value", "getArray">,
    InterfaceMethod<"Returns the start of the box: an index for each dimension of "
                    "the array.", "::mlir::OperandRange", "getOffsets">,
    InterfaceMethod<"Returns the tile that is read from the array or written to it: "
                    "a result or an operand.", "::mlir::Value", "getAccessedTile">,
    InterfaceMethod<"Returns whether the program promises that no element is outside "
                    "the array.",
                    "bool", "getInBounds">,
    InterfaceMethod<"Returns whether each element needs an access of its own, as "
                    "atomic operations do.", "bool", "isPerElement", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"Returns the tile of i1 that is true for the elements that are "
                    "accessed; null if all are.",
                    "::mlir::Value", "getMask", (ins), "", [{
      return {};
    }]>,
  ];
}

def Tile_IndexedOpInterface : OpInterface<"IndexedOpInterface"> {
  let description = [{
    An operation that accesses elements of an array or of a tile by indices. Each
    tile of indices specifies the coordinates along one axis.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns the tiles of indices. Along each dimension their extent "
                    "is that of the indexed tile, or one.",
                    "::llvm::SmallVector<::mlir::OpOperand *>",
                    "getIndexOperands">,
    InterfaceMethod<"Returns whether a tile of indices specifies the coordinates along "
                    "dimension `dim` of the indexed tile.",
                    "bool", "isIndexed", (ins "int64_t":$dim)>,
    InterfaceMethod<"Returns the indexed tile, which has one element for each access: "
                    "a result or an operand.", "::mlir::Value", "getIndexedTile">,
  ];
}

def Tile_PartsOpInterface : OpInterface<"PartsOpInterface"> {
  let description = [{
    An operation that is done on parts of its tiles, one after the other, by the same
    operation on smaller tiles. Elementwise operations, which do not combine elements
    along any dimension, need no such interface.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns the dimensions of other operands and results that have "
                    "parts if an operand or a result has them along a dimension. Fails "
                    "if the operation combines elements along it.",
                    "::mlir::FailureOr<::llvm::SmallVector<::tile::TileDimension>>",
                    "findParts", (ins "::tile::TileDimension":$of)>,
  ];
}

def Tile_CopyableOpInterface
    : OpInterface<"CopyableOpInterface", [Tile_ArrayAccessOpInterface]> {
  let description = [{
    A load of a box of an array that can be made as a copy to shared memory. Such a
    copy may be issued before the tile is needed.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns the type of the loaded tile.", "::tile::TileType",
                    "getTileType", (ins), [{
      return ::llvm::cast<TileType>($_op.getAccessedTile().getType());
    }]>,
    InterfaceMethod<"Returns the value of elements outside the array; null for zero, "
                    "the only value that copies can fill in.", "::mlir::Value",
                    "getPad">,
  ];
}

def Tile_OrderedAccessOpInterface : OpInterface<"OrderedAccessOpInterface"> {
  let description = [{
    An operation with a memory order (PTX ISA, "Memory Consistency Model"). The order
    holds for the whole block: all threads meet at a barrier directly before a release,
    so that it covers the earlier accesses of all of them, and directly after an acquire.
    `-tile-insert-barriers` inserts these barriers, and the proof of synchronization
    requires them. The lowering of the operation adds the fences.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns the memory order.", "::tile::AtomicOrder", "getOrder">,
    InterfaceMethod<"Whether the operation is a release.", "bool", "isRelease", (ins), "",
                    [{
      return $_op.getOrder() == AtomicOrder::release ||
             $_op.getOrder() == AtomicOrder::acq_rel;
    }]>,
    InterfaceMethod<"Whether the operation is an acquire.", "bool", "isAcquire", (ins), "",
                    [{
      return $_op.getOrder() == AtomicOrder::acquire ||
             $_op.getOrder() == AtomicOrder::acq_rel;
    }]>,
  ];
}

def Tile_StorageOpInterface : OpInterface<"StorageOpInterface"> {
  let description = [{
    An operation that specifies the storage from which it reads its operands, and
    the storage in which it leaves its results.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns the storage from which the operation reads `operand`.",
                    "::tile::Placement", "getOperandPlacement",
                    (ins "::mlir::OpOperand &":$operand), "", [{
      return Placement::registers;
    }]>,
    InterfaceMethod<"Returns the storage in which the operation leaves its results.",
                    "::tile::Placement", "getResultPlacement", (ins), "", [{
      return Placement::registers;
    }]>,
  ];
}

def Tile_LayoutOpInterface : OpInterface<"LayoutOpInterface"> {
  let description = [{
    An operation that is not elementwise and has tiles in registers. The interface
    states how the layouts of these tiles depend on each other, and which layouts the
    operation requires or prefers. Elementwise operations need no such interface: all
    their tiles have the same layout. In the descriptions of the methods, "source" is
    the operation's first operand.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Rewrites the operation to operations that the other methods can "
                    "describe. The operation may be erased.",
                    "void", "simplifyForLayouts", (ins), "", [{ return; }]>,
    InterfaceMethod<"Returns groups of tiles that must have the same layout. A group "
                    "may contain null values, which are ignored.",
                    "::llvm::SmallVector<::llvm::SmallVector<::mlir::Value>>",
                    "getLayoutGroups", (ins), "", [{
      return {};
    }]>,
    InterfaceMethod<"Returns whether the results have the layout of "
                    "`inferResultLayout` regardless of their uses. Otherwise they "
                    "have it only if no use requests another layout.",
                    "bool", "followsSource", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"Returns the results' layout if the source has the layout "
                    "`source`; nothing if the results may have any layout.",
                    "::std::optional<::tile::RegisterLayout>",
                    "inferResultLayout",
                    (ins "const ::tile::RegisterLayout &":$source), "", [{
      return ::std::nullopt;
    }]>,
    InterfaceMethod<"Returns the source's layout from which the operation makes "
                    "results of the layout `result` without moving elements between "
                    "threads; nothing if there is none.",
                    "::std::optional<::tile::RegisterLayout>",
                    "inferSourceLayout",
                    (ins "const ::tile::RegisterLayout &":$result), "", [{
      return ::std::nullopt;
    }]>,
    InterfaceMethod<"Returns the layout in which the operation's instructions have "
                    "`tile`, an operand or a result; nothing if the operation accepts "
                    "others at no cost. The tile has it in preference to all layouts "
                    "but one that the program declares.",
                    "::std::optional<::tile::RegisterLayout>",
                    "getInstructionLayout",
                    (ins "::mlir::Value":$tile, "int64_t":$numWarps), "", [{
      return ::std::nullopt;
    }]>,
    InterfaceMethod<"Returns the only layout that the operation supports for `tile`, "
                    "an operand or a result; nothing if it supports any.",
                    "::std::optional<::tile::RegisterLayout>",
                    "getRequiredLayout",
                    (ins "::mlir::Value":$tile, "int64_t":$numWarps), "", [{
      return ::std::nullopt;
    }]>,
    InterfaceMethod<"Returns the best layout for the source; nothing if the operation "
                    "has no preference.",
                    "::std::optional<::tile::RegisterLayout>",
                    "getPreferredLayout", (ins "int64_t":$numWarps), "", [{
      return ::std::nullopt;
    }]>,
    InterfaceMethod<"Returns how the operation cuts its source into parts: for each "
                    "dimension, the number of elements at whose multiples parts "
                    "start; zero if a part has the whole dimension. If every thread "
                    "holds the same share of each part, a part consists of some "
                    "values of each thread. Returns an empty list if the operation "
                    "does not cut its source.",
                    "::llvm::SmallVector<int64_t>", "getSourceParts", (ins), "",
                    [{
      return {};
    }]>,
    InterfaceMethod<"Converts operands and results to layouts that the operation "
                    "supports, if it does not support those of their types. `wanted` "
                    "has the types that users of the results in registers expect. "
                    "The default converts to the layouts of `getRequiredLayout`.",
                    "void", "adaptToLayouts",
                    (ins "::llvm::ArrayRef<::tile::TileType>":$wanted,
                         "int64_t":$numWarps), "", [{
      ::tile::adaptToRequired($_op.getOperation(), wanted, numWarps);
    }]>,
  ];
}

def Tile_BufferizeOpInterface : OpInterface<"BufferizeOpInterface"> {
  let description = [{
    An operation that may have operands or results in shared memory, and can be
    converted to an operation on buffers.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns whether source and result must be in the same storage.",
                    "bool", "keepsStorage", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"Returns the layout of a result in shared memory, if it is fixed "
                    "or follows from the operands, whose layouts are resolved; null "
                    "if it is to be chosen for the readers of the result.",
                    "::tile::SharedAttr", "getSharedLayout", (ins), "", [{
      return {};
    }]>,
    InterfaceMethod<"Adds to `demand` the requirements of `use`, a use of a tile in "
                    "shared memory, on the layout of that tile.",
                    "void", "addDemand",
                    (ins "::mlir::OpOperand &":$use,
                         "::tile::SharedDemand &":$demand), "", [{ return; }]>,
    InterfaceMethod<"Replaces the operands and results in shared memory with "
                    "buffers.",
                    "void", "bufferize", (ins "::tile::Bufferizer &":$bufferizer)>,
  ];
}

def Tile_CostOpInterface : OpInterface<"CostOpInterface"> {
  let description = [{
    An operation that estimates how many PTX instructions it becomes.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns the number of PTX instructions for each element that a "
                    "thread holds, as measured on sm_80.",
                    "int64_t", "getInstructionsPerElement", (ins), "", [{
      return 0;
    }]>,
    InterfaceMethod<"Returns the number of PTX instructions for a thread that holds "
                    "`elements` elements of the operation's tiles, in a block of "
                    "`numThreads` threads, without the instructions of the region.",
                    "int64_t", "getInstructions",
                    (ins "int64_t":$elements, "int64_t":$numThreads), "", [{
      (void)numThreads;
      return elements * $_op.getInstructionsPerElement();
    }]>,
    InterfaceMethod<"Returns how often a thread that holds `elements` elements runs "
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
    An operation with the trait `Elementwise`, which computes an element of each
    result from one element of each operand. Operations of other dialects that accept
    scalars as well as tiles (upstream's trait `Scalarizable`) need no such interface.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Creates, at the builder's insertion point, operations that "
                    "compute one element of each result, and returns these elements. "
                    "`operands` has one element of each tile, and the operands that "
                    "are not tiles.",
                    "::llvm::SmallVector<::mlir::Value>", "createElements",
                    (ins "::mlir::OpBuilder &":$builder,
                         "::mlir::ValueRange":$operands)>,
    InterfaceMethod<"Returns whether `createElements` also accepts vectors of "
                    "elements, and then returns vectors.",
                    "bool", "takesVectors", (ins), "", [{
      return false;
    }]>,
  ];
}

def Tile_ThreadOpInterface : OpInterface<"ThreadOpInterface"> {
  let description = [{
    An operation on tiles in registers that each thread computes from the elements
    that it holds and from those of the other lanes of its warp. All threads execute
    the same code, and it accesses no memory.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Creates, at the builder's insertion point, operations that "
                    "compute a thread's elements of each result, and returns these "
                    "elements. `operands` has the thread's elements of each tile, in "
                    "the order of the layout's values, and one value for each "
                    "operand that is not a tile.",
                    "::llvm::SmallVector<::llvm::SmallVector<::mlir::Value>>",
                    "createThreadCode",
                    (ins "::mlir::OpBuilder &":$builder,
                         "::llvm::ArrayRef<::llvm::SmallVector<::mlir::Value>>"
                         :$operands)>,
  ];
}

def Tile_BoundsOpInterface : OpInterface<"BoundsOpInterface"> {
  let description = [{
    An operation that accesses a tile at coordinates that may be known only at run
    time, and must be inside the tile.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Creates, at the builder's insertion point, an assertion that the "
                    "coordinates are inside the tile, except for those that the "
                    "verifier has checked.",
                    "void", "assertInside", (ins "::mlir::OpBuilder &":$builder)>,
  ];
}

/// An operation of which each thread can compute any element of the result by itself,
/// at the cost of a move, so that it may be repeated.
def Tile_Rematerializable : NativeOpTrait<"Rematerializable"> {
  let cppNamespace = "::tile";
}

/// An operation that starts an asynchronous copy. The copy may read and write memory
/// at any time until a wait for the group to which it was committed.
def Tile_AsyncCopy : NativeOpTrait<"AsyncCopy"> {
  let cppNamespace = "::tile";
}

/// An operation whose region each thread runs by itself: no thread waits for another
/// one in the region, and accesses of different threads are not ordered.
def Tile_ThreadRegion : NativeOpTrait<"ThreadRegion"> {
  let cppNamespace = "::tile";
}

/// An operation of the host's functions, which no kernel may contain.
def Tile_HostOperation : NativeOpTrait<"HostOperation"> {
  let cppNamespace = "::tile";
}

/// An operation that the pass `pass` creates, and that no program has before this pass.
class Tile_MadeBy<string pass>
    : ParamNativeOpTrait<"MadeBy", "::tile::TilePass::" # pass> {
  let cppNamespace = "::tile";
}

def Tile_MatmulOpInterface : OpInterface<"MatmulOpInterface"> {
  let description = [{
    A matmul with an accumulator: `tile.matmul`, or the operation that it becomes if
    its instruction is asynchronous. Operands 0, 1 and 2 are the lhs, the rhs and the
    accumulator.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns the lhs: a tile, or a buffer in shared memory.",
                    "::mlir::Value", "getLhs">,
    InterfaceMethod<"Returns the rhs: a tile, or a buffer in shared memory.",
                    "::mlir::Value", "getRhs">,
    InterfaceMethod<"Returns the accumulator.", "::mlir::Value", "getAcc">,
    InterfaceMethod<"Returns the precision with which operands are multiplied and "
                    "added.",
                    "::tile::Precision", "getPrecision">,
    InterfaceMethod<"Returns the warp tiling; null before any of it is chosen.",
                    "::tile::TilingAttr", "getTilingAttr">,
    InterfaceMethod<"Sets the warp tiling.", "void", "setTilingAttr",
                    (ins "::tile::TilingAttr":$tiling)>,
    InterfaceMethod<"Returns the type of the accumulator, which is also that of the "
                    "result.",
                    "::tile::TileType", "getSumType", (ins), "", [{
      return ::llvm::cast<::tile::TileType>($_op.getAcc().getType());
    }]>,
    InterfaceMethod<"Returns whether the matmul is asynchronous, so that it is in "
                    "flight until a wait for its token.",
                    "bool", "isAsync", (ins), "", [{
      return false;
    }]>,
    InterfaceMethod<"Returns the extent K, over which matmuls sum.", "int64_t", "getK",
                    (ins), "", [{
      return ::tile::getTileShape($_op.getLhs().getType()).back();
    }]>,
  ];
}

/// The old names of two interfaces, kept until version 0.4.
defvar Tile_ProductOpInterface = Tile_MatmulOpInterface;
defvar Tile_PlacesOpInterface = Tile_BoundsOpInterface;

def Tile_DecomposeOpInterface : OpInterface<"DecomposeOpInterface"> {
  let description = [{
    A composite operation, whose results simpler operations can compute together.
    `-tile-decompose` replaces it by them.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<"Returns whether the operation is composite in its present form: "
                    "some operations are composite only with a certain operand, type "
                    "or attribute.",
                    "bool", "isComposite", (ins), "", [{
      return true;
    }]>,
    InterfaceMethod<[{
      Creates the simpler operations at the builder's insertion point, and returns a
      value for each result, of the result's type or of a type that differs only in
      storage. The caller replaces the operation. The new operations may be composite
      in turn. Fails, with an error at the operation, if there is no decomposition.
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
    An operation whose algorithm accepts tiles up to a limited size.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<[{
      Verifies that the operation's tiles are within the limits of the algorithm.
      Otherwise emits an error at the operation and fails.
      @pre the operation's verifier has checked element types and ranks
    }],
                    "::llvm::LogicalResult", "verifyLimits">,
  ];
}

/// The dialect's promise that an external model implements the interface for the
/// operation. A context without the model is an error (verifyPromises in Tile.h).
class Tile_Promises<Interface interface>
    : ParamNativeOpTrait<"Promises", interface.cppNamespace # "::"
                                     # interface.cppInterfaceName> {
  let cppNamespace = "::tile";
}

#endif // TILE_IR_TILEINTERFACES
